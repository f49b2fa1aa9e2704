//! `haltgate watch` in lines: a block for each event, with the commands that answer it; or the feeds' messages as JSON.
//!
//! Promises that no escape sequence is written where standard output is no terminal, and that rows are framed for the width
//! at which they are printed.

use super::Left;
use super::desk::{Change, Choice, Item, Open, Subject, choices};
use super::document::{Kind, Layout, Row, document, stored};
use super::following::{Following, Links, News, Watched};
use super::words::{answer_of, settled_line};
use crate::cli::connection::Connection;
use crate::cli::failure::Failure;
use crate::cli::style::{self, painted};
use crate::cli::time::local;
use crate::cli::{output, show, typed_answer};
use crate::client::{Client, FeedMessage, FeedNews};
use crate::display::{CONTROLS, one_line};
use crate::proto::v1 as pb;
use std::future::Future;
use std::io::{BufRead, IsTerminal, stdin, stdout};
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::mpsc;

/// Columns in front of every row of a block.
const INDENT: usize = 2;

/// Follows the feeds in lines.
///
/// # Errors
/// The server refuses the feeds for good, or the output cannot be written.
pub(super) async fn watch(
    client: &Client,
    watched: &Watched,
    connection: &Connection,
    ring_for_questions: bool,
) -> Result<Left, Failure> {
    let mut following = Following::start(client, watched);
    let mut stopped = std::pin::pin!(stop()?);
    let takes_answers = !watched.observe_only && stdin().is_terminal() && stdout().is_terminal();
    let mut typed = takes_answers.then(lines);
    let mut lines = Lines {
        escalations: Open::default(),
        halts: Open::default(),
        links: Links::default(),
        connection,
        may_answer: !watched.observe_only,
        rings: stdout().is_terminal(),
        ring_for_questions,
    };
    let left = |lines: &Lines<'_>| Left { questions: lines.escalations.len(), halts: lines.halts.len() };
    loop {
        tokio::select! {
            biased;
            () = &mut stopped => return Ok(left(&lines)),
            news = following.next() => {
                let Some(news) = news else { return Err(Failure::new("the feeds have ended")) };
                let text = lines.news(news)?;
                if !text.is_empty() && !output::write(&text)? {
                    // Nobody reads any more.
                    return Ok(Left { questions: 0, halts: 0 });
                }
            }
            line = next_line(&mut typed) => match line {
                Some(line) if line.trim() == "q" => return Ok(left(&lines)),
                Some(line) => answer(&line).await?,
                None => typed = None,
            },
        }
    }
}

/// Writes the messages of both feeds as proto3 JSON, one to a line, under the name of its feed.
///
/// # Errors
/// The server refuses the feeds for good, or the output cannot be written.
pub(super) async fn write_json(client: &Client, watched: &Watched) -> Result<(), Failure> {
    let mut following = Following::start(client, watched);
    let mut stopped = std::pin::pin!(stop()?);
    loop {
        let news = tokio::select! {
            biased;
            () = &mut stopped => return Ok(()),
            news = following.next() => news,
        };
        let somebody_reads = match news {
            Some(News::Escalations(FeedNews::Message(message))) => {
                output::write_line("escalations", "StreamEscalationsResponse", &message)?
            }
            Some(News::Halts(FeedNews::Message(message))) => {
                output::write_line("attackHalts", "StreamAttackHaltsResponse", &message)?
            }
            Some(News::Escalations(FeedNews::Interrupted { why, pause, .. })) => complain(&why, pause),
            Some(News::Halts(FeedNews::Interrupted { why, pause, .. })) => complain(&why, pause),
            Some(News::Escalations(FeedNews::Connected { .. }) | News::Halts(FeedNews::Connected { .. })) => {
                true
            }
            Some(News::Refused(status)) => return Err(status.into()),
            None => return Err(Failure::new("the feeds have ended")),
        };
        if !somebody_reads {
            return Ok(());
        }
    }
}

/// Says on standard error why nothing comes.
fn complain(why: &crate::client::Interruption, pause: std::time::Duration) -> bool {
    if why.is_planned() {
        return true;
    }
    let why = one_line(&why.to_string());
    output::complain(&format!("the connection is lost ({why}); trying again in {} ms\n", pause.as_millis()));
    true
}

/// Resolves when the process is told to end.
fn stop() -> Result<impl Future<Output = ()>, Failure> {
    let on = |kind| signal(kind).map_err(|error| Failure::new(format!("cannot handle signals: {error}")));
    let (mut interrupt, mut terminate, mut hang_up) =
        (on(SignalKind::interrupt())?, on(SignalKind::terminate())?, on(SignalKind::hangup())?);
    Ok(async move {
        tokio::select! {
            _signal = interrupt.recv() => {}
            _signal = terminate.recv() => {}
            _signal = hang_up.recv() => {}
        }
    })
}

/// The lines that are typed. A thread waits for them, so that the end of the process need not.
fn lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in stdin().lock().lines() {
            let Ok(line) = line else { return };
            if sender.blocking_send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

async fn next_line(typed: &mut Option<mpsc::Receiver<String>>) -> Option<String> {
    match typed {
        Some(typed) => typed.recv().await,
        None => std::future::pending().await,
    }
}

/// Carries out a command that was typed.
async fn answer(line: &str) -> Result<(), Failure> {
    let words = match words_of(line) {
        Some(words) if words.is_empty() => return Ok(()),
        Some(words) => words,
        None => {
            output::complain("A quote is not closed; nothing was answered.\n");
            return Ok(());
        }
    };
    match typed_answer(&words) {
        Ok(answer) => {
            if let Err(failure) = answer.options.run(&answer.connection).await {
                output::complain(&failure.render());
            }
        }
        Err(error) => output::complain(&format!(
            "{error}\nTo answer, type one of the commands beside an item; q leaves.\n"
        )),
    }
    Ok(())
}

/// The words of a line: quotes of both kinds keep blanks, a backslash keeps the character behind it.
fn words_of(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', None | Some('"')) => word.get_or_insert_default().push(characters.next()?),
            (mark @ ('"' | '\''), None) => {
                quote = Some(mark);
                word.get_or_insert_default();
            }
            (mark, Some(open)) if mark == open => quote = None,
            (blank, None) if blank.is_whitespace() => words.extend(word.take()),
            (other, _) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// What was told so far, and how it is told.
struct Lines<'a> {
    escalations: Open<pb::Escalation>,
    halts: Open<pb::AttackHalt>,
    links: Links,
    connection: &'a Connection,
    may_answer: bool,
    rings: bool,
    ring_for_questions: bool,
}

impl Lines<'_> {
    fn news(&mut self, news: News) -> Result<String, Failure> {
        let lost = self.links.take(&news);
        let mut text = String::new();
        if lost {
            let why = self.links.why().unwrap_or_default();
            text.push_str(&event(
                "LOST",
                style::WARNING,
                &format!("the connection: {why}; it is made anew by itself"),
            ));
        }
        match news {
            News::Refused(status) => return Err(status.into()),
            News::Escalations(FeedNews::Connected { anew }) => {
                text.push_str(&self.connected("questions", anew));
                self.escalations.connected(anew);
            }
            News::Halts(FeedNews::Connected { anew }) => {
                text.push_str(&self.connected("halts", anew));
                self.halts.connected(anew);
            }
            News::Escalations(FeedNews::Message(message)) => {
                let changes = message.happening().map(|happening| self.escalations.take(happening));
                for change in changes.unwrap_or_default() {
                    text.push_str(&self.changed(change, Subject::Escalation, self.ring_for_questions));
                }
            }
            News::Halts(FeedNews::Message(message)) => {
                let changes = message.happening().map(|happening| self.halts.take(happening));
                for change in changes.unwrap_or_default() {
                    text.push_str(&self.changed(change, Subject::Halt, true));
                }
            }
            News::Escalations(FeedNews::Interrupted { .. }) | News::Halts(FeedNews::Interrupted { .. }) => {}
        }
        Ok(text)
    }

    fn connected(&self, what: &str, anew: bool) -> String {
        if anew {
            event(
                "WATCHING",
                style::FAINT,
                &format!("{what} of project {}", one_line(&self.connection.project)),
            )
        } else {
            event("CONNECTED", style::GOOD, &format!("again, {what}; nothing was missed"))
        }
    }

    fn changed<I: Item>(&self, change: Change<I>, subject: fn(Arc<I>) -> Subject, rings: bool) -> String {
        let bell = if self.rings && rings { "\x07" } else { "" };
        match change {
            Change::Added(item) => format!("{bell}{}", self.raised(&subject(item))),
            Change::Told(item) => format!("{bell}{}", self.raised(&subject(item))),
            Change::Settled(item) => settled(&subject(item)),
            Change::Gone(item) => event(
                "SETTLED",
                style::FAINT,
                &format!("{}, while the connection was down", one_line(item.id())),
            ),
        }
    }

    fn raised(&self, subject: &Subject) -> String {
        let (word, style, session) = match subject {
            Subject::Escalation(item) => ("ASKED", style::action(pb::Action::Escalate), &item.session_id),
            Subject::Halt(item) => ("HALTED", style::action(pb::Action::Halt), &item.session_id),
        };
        let mut text =
            event(word, style, &format!("{} in session {}", one_line(subject.id()), one_line(session)));
        let layout =
            Layout { columns: output::columns().saturating_sub(INDENT), whole: false, with_entries: false };
        for row in document(subject, layout) {
            text.push_str(&painted_row(&row));
        }
        text.push_str(&self.answers(subject, layout));
        text
    }

    /// The commands that settle an item, each under exactly what it would store.
    fn answers(&self, subject: &Subject, layout: Layout) -> String {
        let command = |verdict: &str| {
            let id = one_line(subject.id());
            format!(
                "    {}\n",
                one_line(&format!("haltgate answer{} {id} {verdict}", self.connection.as_options()))
            )
        };
        let entry = |words: &str, entry: &Option<pb::RenderedEntry>| {
            let rows = entry.as_ref().map(|entry| stored(entry, layout.columns)).unwrap_or_default();
            std::iter::once(words.to_owned()).chain(rows).map(|row| format!("  {row}\n")).collect::<String>()
        };
        let waits = match subject {
            Subject::Escalation(item) => item.waits(),
            Subject::Halt(item) => item.waits(),
        };
        if !waits || !self.may_answer {
            return String::new();
        }
        let mut text = String::new();
        match subject {
            Subject::Escalation(item) => {
                let offer = item.offer.clone().unwrap_or_default();
                let offered = choices(item.offer.as_ref());
                let approves = offered.contains(&Choice::Once);
                for choice in offered {
                    match choice {
                        Choice::Once => text.push_str("  To answer, nothing being stored:\n"),
                        Choice::Session => {
                            text.push_str(&entry("To approve, and store exactly:", &offer.grant));
                        }
                        Choice::Deny => text.push_str(&entry(
                            "To reject, and refuse until the session is over, exactly:",
                            &offer.denial,
                        )),
                        Choice::Always | Choice::No => {}
                    }
                    match choice {
                        Choice::Once => {
                            text.push_str(&command("approve"));
                            text.push_str(&command("reject"));
                        }
                        Choice::No if approves => {}
                        Choice::No => text.push_str(&command("reject")),
                        Choice::Session | Choice::Always => {
                            text.push_str(&command(&format!("approve --scope {}", choice.label())));
                        }
                        Choice::Deny => text.push_str(&command("reject --scope session")),
                    }
                }
            }
            Subject::Halt(_) => {
                let [warning, ..] = CONTROLS;
                text.push_str(&format!("  {warning}\n"));
                text.push_str("  To let this one command run, or to stop the run; neither is remembered:\n");
                text.push_str(&command("run-anyway"));
                text.push_str(&command("stop"));
            }
        }
        text
    }
}

/// The first row of a block.
fn event(word: &str, style: anstyle::Style, words: &str) -> String {
    let now = jiff::Timestamp::now();
    let at = local(Some(crate::cli::time::to_proto(now)));
    let lines = show::beside(words, at.len() + word.len() + 2);
    format!("{} {} {lines}\n", painted(style::FAINT, &at), painted(style, word))
}

fn settled(subject: &Subject) -> String {
    let mut text = event("SETTLED", style::GOOD, &one_line(subject.id()));
    text.push_str(&show::labelled("how", &settled_line(subject)));
    if let Some(answer) = answer_of(subject) {
        text.push_str(&show::labelled("answer", &show::human(answer)));
    }
    text
}

fn painted_row(row: &Row) -> String {
    let style = match row.kind {
        Kind::Headline => style::HEADING,
        Kind::Words | Kind::Framed => anstyle::Style::new(),
        Kind::Faint => style::FAINT,
        Kind::Rating(crate::display::Tone::Notice) => style::GOOD,
        Kind::Rating(crate::display::Tone::Warning) => style::WARNING,
        Kind::Rating(crate::display::Tone::Danger) => style::ERROR,
    };
    format!("{}{}\n", " ".repeat(INDENT), painted(style, &row.text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typed_line_is_read_as_a_shell_reads_simple_words() {
        let cases: [(&str, Option<&[&str]>); 9] = [
            ("", Some(&[])),
            ("  ", Some(&[])),
            ("haltgate answer 1 approve", Some(&["haltgate", "answer", "1", "approve"])),
            ("1 reject --comment 'use npm ci'", Some(&["1", "reject", "--comment", "use npm ci"])),
            (r#"--comment "say \"no\"""#, Some(&["--comment", r#"say "no""#])),
            (r"a\ b c", Some(&["a b", "c"])),
            ("''", Some(&[""])),
            ("'open", None),
            ("ends\\", None),
        ];
        for (line, expected) in cases {
            let words = words_of(line);
            assert_eq!(
                words.as_deref().map(|words| words.iter().map(String::as_str).collect::<Vec<_>>()),
                expected.map(<[&str]>::to_vec),
                "{line}"
            );
        }
    }
}
