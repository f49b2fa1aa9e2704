//! `haltgate explain`: how a decision would come about, and nothing happens.
//!
//! Promises that the text names every step that was looked at, everything that bash could run, and what an answer would
//! store. Knows nothing of how any of it was found.

use super::call::CallOptions;
use super::connection::Connection;
use super::exit::Exit;
use super::failure::Failure;
use super::local::{LocalGate, LocalOptions};
use super::output;
use super::show;
use super::style::{self, painted};
use super::words;
use crate::display::{clip, neutralise, one_line, width};
use crate::proto::v1 as pb;
use clap::Args;

/// Segments that are listed one by one; the rest is counted.
const LISTED_SEGMENTS: usize = 40;

/// Columns around the name of a step.
const STEP_INDENT: usize = 6;

/// Columns of what an answer would keep.
const KEPT_COLUMNS: usize = 2_000;

/// Columns in front of the text that a caret points into.
const CARET_INDENT: usize = 4;

/// Columns of the text that are shown before the caret.
const BEFORE_CARET: usize = 48;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
Nothing is recorded, stored, rated or asked.

Examples:
  haltgate explain -- git push --force
  haltgate explain --session build-42 --command 'cd pkg && sudo env npm publish'
  haltgate explain --local -- npm publish            names the line of the rule that matched
  haltgate explain --local --rung auto --stdin < script.sh")]
pub(super) struct ExplainOptions {
    /// The session in which it would be called [default: one that was just opened]
    #[arg(long, value_name = "ID", env = "HALTGATE_SESSION")]
    session: Option<String>,
    /// The run that it would belong to
    #[arg(long, value_name = "ID", default_value = "", hide_default_value = true)]
    run_id: String,
    #[command(flatten)]
    call: CallOptions,
    #[command(flatten)]
    local: LocalOptions,
}

impl ExplainOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The call cannot be explained.
    pub(super) async fn run(self, connection: &Connection) -> Result<Exit, Failure> {
        let call = self.call.call()?;
        let request = pb::DecideRequest {
            project: connection.project.clone(),
            session_id: self.session.clone().unwrap_or_default(),
            run_id: self.run_id.clone(),
            call: Some(call.clone()),
            dry_run: true,
            ..pb::DecideRequest::default()
        };
        let (response, place) = if self.local.is_local() {
            let session = self.session.as_deref().unwrap_or("explain");
            let gate = LocalGate::open(&self.local, &connection.project, session).await?;
            let response = gate.explain(request).await?;
            let place = response.matched_rule.as_ref().and_then(|rule| gate.place(rule));
            (response, place)
        } else {
            (connection.open().await.map_err(LocalOptions::suggest)?.decide(request).await?, None)
        };
        if connection.json {
            output::write_message("DecideResponse", &response)?;
        } else {
            output::write(&render(&call, &response, place.as_deref()))?;
        }
        Ok(Exit::Good)
    }
}

/// The explanation as a person reads it.
fn render(call: &pb::Call, response: &pb::DecideResponse, place: Option<&str>) -> String {
    let explanation = response.explanation.clone().unwrap_or_default();
    let mut text = show::call(call);
    text.push('\n');
    text.push_str(&spelling(&explanation));
    text.push_str(&segments(&explanation.segments));
    if let (Some(unread), Some(pb::call::Kind::Shell(shell))) = (&explanation.unread, &call.kind) {
        text.push_str(&unread_part(&shell.command, unread));
    }
    text.push_str(&subject(response.subject.as_ref()));
    text.push_str(&steps(&explanation.steps));
    text.push_str(&result(response, &explanation, place));
    text
}

/// How the rules spell the command, or why it is not one command.
fn spelling(explanation: &pb::Explanation) -> String {
    if !explanation.canonical.is_empty() {
        let spelling = show::fitted(&neutralise(&explanation.canonical), 2);
        let heading = show::heading("One simple command; allow entries are compared with this spelling");
        return format!("{heading}  {spelling}\n\n");
    }
    if explanation.unresolved.is_empty() {
        return String::new();
    }
    let why: Vec<String> =
        explanation.unresolved.iter().map(|reason| format!("  - {}\n", one_line(reason))).collect();
    format!("{}{}\n", show::heading("Not one simple command, so no allow entry can match it"), why.concat())
}

/// Everything that bash could run.
fn segments(segments: &[pb::ExplainedSegment]) -> String {
    if segments.is_empty() {
        return String::new();
    }
    let mut text =
        show::heading(&format!("bash could run {}", words::counted(segments.len() as u64, "command")));
    for (number, segment) in segments.iter().enumerate().take(LISTED_SEGMENTS) {
        let spelling = show::fitted(&neutralise(&segment.spelling), 7);
        text.push_str(&format!("  {:>2}. {spelling}\n", number + 1));
        if !segment.reached.is_empty() {
            let path: Vec<String> = segment.reached.iter().map(|step| one_line(step)).collect();
            text.push_str(&format!(
                "      {}\n",
                painted(style::FAINT, &format!("reached {}", path.join(", then ")))
            ));
        }
        if !segment.opaque.is_empty() {
            let opaque = format!("cannot be read: {}", one_line(&segment.opaque));
            text.push_str(&format!("      {}\n", painted(style::WARNING, &opaque)));
        }
    }
    let hidden = segments.len().saturating_sub(LISTED_SEGMENTS);
    if hidden > 0 {
        text.push_str(&format!("      and {}\n", words::counted(hidden as u64, "further command")));
    }
    text.push('\n');
    text
}

/// Where reading stopped, with a caret under the place.
fn unread_part(command: &str, unread: &pb::UnreadPart) -> String {
    let position = usize::try_from(unread.position).unwrap_or(usize::MAX);
    let (before, after) = command.split_at_checked(position).unwrap_or((command, ""));
    let line_number = before.matches('\n').count() + 1;
    let before_on_line = before.rsplit('\n').next().unwrap_or_default();
    let after_on_line = after.split('\n').next().unwrap_or_default();
    let shown_before = last_columns(&neutralise(before_on_line), BEFORE_CARET);
    let indent = " ".repeat(CARET_INDENT);
    let room = output::columns().saturating_sub(CARET_INDENT + width(&shown_before) + 1);
    let shown_after = clip(&neutralise(after_on_line), room);
    let caret = format!("{}^ {}", " ".repeat(width(&shown_before)), one_line(&unread.reason));
    let heading =
        format!("Not read beyond line {line_number}, byte {position}: whatever may follow counts against it");
    format!(
        "{}{indent}{shown_before}{shown_after}\n{indent}{}\n\n",
        show::heading(&heading),
        painted(style::WARNING, &caret)
    )
}

/// The end of a neutral text that takes at most so many columns, behind an ellipsis where it was cut.
fn last_columns(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut used = 1;
    let kept: Vec<char> = text
        .chars()
        .rev()
        .take_while(|character| {
            used += width(character.encode_utf8(&mut [0; 4]));
            used <= columns
        })
        .collect();
    format!("…{}", kept.into_iter().rev().collect::<String>())
}

/// What the rules see of a tool.
fn subject(subject: Option<&pb::Subject>) -> String {
    use pb::subject::Kind;
    let (hosts, annotations) = match subject.and_then(|subject| subject.kind.as_ref()) {
        Some(Kind::Tool(tool)) => (&tool.hosts, tool.annotations),
        Some(Kind::McpTool(tool)) => (&tool.hosts, tool.annotations),
        Some(Kind::Shell(_)) | None => return String::new(),
    };
    let mut text = show::heading("What the rules see");
    let named: Vec<String> = hosts.iter().map(|host| one_line(host)).collect();
    text.push_str(&show::labelled(
        "hosts",
        &if named.is_empty() { "none".to_owned() } else { named.join(", ") },
    ));
    if let Some(annotations) = annotations {
        text.push_str(&show::labelled("hints", &hints(&annotations)));
    }
    text.push('\n');
    text
}

fn hints(annotations: &pb::ToolAnnotations) -> String {
    let values = [
        (pb::Hint::ReadOnly, annotations.read_only_hint),
        (pb::Hint::Destructive, annotations.destructive_hint),
        (pb::Hint::Idempotent, annotations.idempotent_hint),
        (pb::Hint::OpenWorld, annotations.open_world_hint),
    ];
    let named =
        values.into_iter().filter_map(|(hint, value)| Some(format!("{} {}", words::hint(hint), value?)));
    named.collect::<Vec<_>>().join(", ")
}

/// Every step, with the one that settled the call marked.
fn steps(steps: &[pb::ExplainedStep]) -> String {
    let mut text = show::heading("What was looked at, in order");
    let longest = steps.iter().map(|step| width(&one_line(&step.what))).max().unwrap_or_default();
    for step in steps {
        let what = one_line(&step.what);
        let gap = " ".repeat(longest.saturating_sub(width(&what)));
        let found = show::beside(&one_line(&step.found), longest + STEP_INDENT);
        if step.decided {
            text.push_str(&painted(style::HEADING, &format!("  > {what}{gap}  {found}")));
        } else {
            text.push_str(&format!("    {what}{gap}  {found}"));
        }
        text.push('\n');
    }
    text.push('\n');
    text
}

/// What would come of it.
fn result(response: &pb::DecideResponse, explanation: &pb::Explanation, place: Option<&str>) -> String {
    let mut text = format!("{}{}\n", painted(style::HEADING, "Result: "), show::verdict(response));
    if let Some(rule) = &response.matched_rule {
        text.push_str(&show::labelled("rule", &show::rule(rule)));
    }
    if let Some(place) = place {
        text.push_str(&show::labelled("at", &one_line(place)));
    }
    if !response.hardline.is_empty() {
        text.push_str(&show::labelled("floor", &one_line(&response.hardline)));
    }
    if let Some(rating) = &response.rating {
        text.push_str(&show::labelled("rating", &show::rating(rating)));
    }
    text.push_str(&show::notices(&response.notices));
    if let Some(offer) = &explanation.offer {
        text.push_str(&offered(offer));
    }
    text.push_str(&show::labelled("rung", words::rung(response.rung())));
    text.push_str(&show::labelled("policy", &one_line(&response.policy_revision)));
    if !response.message.is_empty() {
        text.push_str(&show::message(&response.message));
    }
    text
}

/// What a human could answer, and what that would store.
fn offered(offer: &pb::AnswerOffer) -> String {
    let scopes = |scopes: Vec<pb::Scope>| scopes.into_iter().map(words::scope).collect::<Vec<_>>().join(", ");
    let stores = |entry: Option<&pb::RenderedEntry>| match entry {
        Some(entry) => format!("; kept as {}", clip(&neutralise(&entry.object_text), KEPT_COLUMNS)),
        None => "; nothing would be kept".to_owned(),
    };
    let mut text = String::new();
    let approve = scopes(offer.approve_scopes().collect());
    let reject = scopes(offer.reject_scopes().collect());
    text.push_str(&show::labelled("approve", &format!("{approve}{}", stores(offer.grant.as_ref()))));
    text.push_str(&show::labelled("reject", &format!("{reject}{}", stores(offer.denial.as_ref()))));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn the_caret_stands_under_the_place_where_reading_stopped() {
        let command = "echo one\nécho \u{1b}[2J 'two";
        let position = u32::try_from(command.find('\'').unwrap()).unwrap();
        let unread = pb::UnreadPart { position, reason: "a quote is not closed".to_owned() };
        let text = plain(&unread_part(command, &unread));
        let rows: Vec<&str> = text.lines().collect();
        assert!(rows[0].contains("line 2"), "{text}");
        assert!(!rows[1].contains('\u{1b}'), "{text}");
        let before_quote = rows[1].split('\'').next().unwrap();
        let before_caret = rows[2].split('^').next().unwrap();
        assert_eq!(width(before_quote), width(before_caret), "{text}");
    }

    #[test]
    fn a_position_beyond_the_command_is_its_end() {
        let unread = pb::UnreadPart { position: 999, reason: "gone".to_owned() };
        assert!(plain(&unread_part("ls", &unread)).contains("    ls\n      ^ gone"));
    }

    #[test]
    fn a_long_line_is_cut_before_the_caret() {
        let command = "x".repeat(500);
        let unread = pb::UnreadPart { position: 400, reason: "why".to_owned() };
        let text = plain(&unread_part(&command, &unread));
        assert!(text.lines().all(|row| width(row) <= 100), "{text}");
        assert!(text.contains('…'));
    }
}
