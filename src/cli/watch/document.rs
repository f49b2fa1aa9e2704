//! An item whole, in rows: who wants what, the framed call, its rating, the exchange that led here.
//!
//! Promises that whatever an agent or a model wrote is framed for the width it is shown at, and that no other row begins
//! with it. Knows nothing of terminals; the answers on offer are drawn elsewhere.

use super::desk::Subject;
use super::words::{arguments_of, outcome_of};
use crate::cli::time::local;
use crate::cli::words;
use crate::display::{
    Block, Frame, Severity, Tone, attacking_command, blocks, frame, frame_command, narrow_notice, one_line,
    wrapped,
};
use crate::proto::v1 as pb;

/// Rows of a call or a reason, as in the prompts of the contract.
const BODY_ROWS: usize = 40;

/// Rows of an entry on offer, as in the prompts of the contract.
const ENTRY_ROWS: usize = 4;

/// What a row is, for its look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The sentence that says what is wanted.
    Headline,
    /// Words of ours.
    Words,
    /// Words that matter less.
    Faint,
    /// What a rating means.
    Rating(Tone),
    /// Somebody's text behind its gutter, or a note about it.
    Framed,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) kind: Kind,
    pub(super) text: String,
}

/// How a document is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    /// Columns of the screen.
    pub(super) columns: usize,
    /// The call is shown whole.
    pub(super) whole: bool,
    /// What would be stored is part of the document, because there is no room for it beside the keys.
    pub(super) with_entries: bool,
}

impl Layout {
    fn call(self) -> Frame {
        if self.whole {
            Frame { columns: self.columns, max_lines: usize::MAX, max_rows: None }
        } else {
            self.body()
        }
    }

    fn body(self) -> Frame {
        Frame { columns: self.columns, max_rows: Some(BODY_ROWS), ..Frame::default() }
    }
}

/// Rows as they are written down.
#[derive(Debug)]
struct Rows {
    layout: Layout,
    rows: Vec<Row>,
}

impl Rows {
    fn framed(&mut self, rows: impl IntoIterator<Item = String>) {
        self.rows.extend(rows.into_iter().map(|text| Row { kind: Kind::Framed, text }));
    }

    fn words(&mut self, kind: Kind, text: &str) {
        let columns = self.layout.body().width();
        self.rows.extend(wrapped(text, columns).into_iter().map(|text| Row { kind, text }));
    }

    fn block(&mut self, kind: Kind, block: &Block) {
        self.words(kind, &block.label);
        self.framed(block.rows(self.layout.body().width()));
    }

    /// A fact behind its label. Its value may be anybody's, so that it never begins a row.
    fn fact(&mut self, label: &str, value: &str) {
        let value = one_line(value);
        if value.is_empty() {
            return;
        }
        let indent = "  ".to_owned() + &format!("{label:<9} ");
        let columns = self.layout.body().width().saturating_sub(indent.len()).max(8);
        let mut prefix = indent.as_str();
        let further = " ".repeat(indent.len());
        for row in crate::cli::show::wrapped(&value, columns) {
            self.rows.push(Row { kind: Kind::Faint, text: format!("{prefix}{row}") });
            prefix = &further;
        }
    }

    fn call(&mut self, call: Option<&pb::Call>) {
        let text = arguments_of(call);
        let limits = self.layout.call();
        let rows = match call.and_then(|call| call.kind.as_ref()) {
            Some(pb::call::Kind::Shell(_)) => frame_command(text, &limits),
            Some(_) | None => frame(text, &limits),
        };
        self.framed(rows);
    }

    fn rating(&mut self, rating: &pb::Rating) {
        let origin = match rating.source() {
            pb::RatingSource::Unspecified => String::new(),
            pb::RatingSource::BuiltIn => "the built-in rater".to_owned(),
            pb::RatingSource::Model => format!("model {}", one_line(&rating.model)),
            pb::RatingSource::Floor => "the floors alone".to_owned(),
        };
        let reused = if rating.reused { ", reused" } else { "" };
        self.fact("rated by", &format!("{origin}{reused}"));
        for floor in &rating.floors {
            self.fact("floor", &floor.reason);
        }
        if rating.cause() != pb::RatingCause::Unspecified {
            self.fact("cause", &words::cause(rating.cause()));
        }
    }

    fn surroundings(&mut self, call: Option<&pb::Call>, subject: Option<&pb::Subject>) {
        let (cwd, justification) = said_with(call);
        self.fact("folder", cwd);
        if !justification.is_empty() {
            self.words(Kind::Words, "The agent says:");
            let rows = frame(justification, &self.layout.body());
            self.framed(rows);
        }
        if let Some(pb::subject::Kind::Shell(shell)) = subject.and_then(|subject| subject.kind.as_ref())
            && shell.canonical.is_empty()
        {
            self.fact("reading", "not one simple command");
        }
        let hosts = match subject.and_then(|subject| subject.kind.as_ref()) {
            Some(pb::subject::Kind::Tool(tool)) => tool.hosts.join(" "),
            Some(pb::subject::Kind::McpTool(tool)) => tool.hosts.join(" "),
            Some(pb::subject::Kind::Shell(_)) | None => String::new(),
        };
        self.fact("hosts", &hosts);
    }

    fn labels<'a>(&mut self, labels: impl Iterator<Item = (&'a String, &'a String)>) {
        let mut labels: Vec<String> = labels.map(|(key, value)| format!("{key}={value}")).collect();
        labels.sort();
        self.fact("labels", &labels.join(", "));
    }
}

/// The working folder of a call, and what the agent said with it.
fn said_with(call: Option<&pb::Call>) -> (&str, &str) {
    use pb::call::Kind;
    match call.and_then(|call| call.kind.as_ref()) {
        Some(Kind::Shell(call)) => (&call.cwd, &call.justification),
        Some(Kind::Tool(call)) => (&call.cwd, &call.justification),
        Some(Kind::McpTool(call)) => (&call.cwd, &call.justification),
        Some(Kind::Registered(call)) => (&call.cwd, &call.justification),
        None => ("", ""),
    }
}

/// An item in rows.
pub(super) fn document(subject: &Subject, layout: Layout) -> Vec<Row> {
    let mut rows = Rows { layout, rows: Vec::new() };
    match subject {
        Subject::Escalation(item) => escalation(&mut rows, item),
        Subject::Halt(item) => halt(&mut rows, item),
    }
    rows.rows
}

fn escalation(rows: &mut Rows, item: &pb::Escalation) {
    let prompt = item.prompt.clone().unwrap_or_default();
    if let Some(notice) = narrow_notice(rows.layout.columns) {
        rows.words(Kind::Words, notice);
    }
    rows.words(Kind::Headline, &one_line(&prompt.headline));
    let found = blocks(&prompt.framed_lines);
    rows.call(item.call.as_ref());
    for block in middle(&found, item.offer.as_ref()) {
        let kind = match rated(block, item.rating.as_ref()) {
            Some(tone) => Kind::Rating(tone),
            None => Kind::Words,
        };
        rows.block(kind, block);
    }
    if rows.layout.with_entries {
        for (keys, entry) in [
            ("s and a store exactly:", offer_of(item, |offer| offer.grant.as_ref())),
            ("d keeps until the session is over exactly:", offer_of(item, |offer| offer.denial.as_ref())),
        ] {
            if let Some(entry) = entry {
                rows.words(Kind::Words, keys);
                let framed = stored(entry, rows.layout.columns);
                rows.framed(framed);
            }
        }
    }
    // The call is the last frame of the first block; what stands before it are notices of the gate.
    if let Some((_call, notices)) = found.first().map(Block::frames).unwrap_or_default().split_last()
        && !notices.is_empty()
    {
        rows.words(Kind::Words, "The gate notes:");
        for notice in notices {
            rows.framed(notice.rows(rows.layout.body().width()));
        }
    }
    rows.surroundings(item.call.as_ref(), item.subject.as_ref());
    rows.fact("asked", &format!("{}, {}", local(item.raised_at), words::reason_to_ask(item.stage())));
    if let Some(rating) = &item.rating {
        rows.rating(rating);
    }
    rows.fact("session", &item.session_id);
    rows.fact("run", &item.run_id);
    rows.fact("rung", words::rung(item.rung()));
    rows.labels(item.labels.iter());
    rows.fact("policy", &item.policy_revision);
    rows.fact("id", &item.escalation_id);
}

fn offer_of(
    item: &pb::Escalation,
    part: fn(&pb::AnswerOffer) -> Option<&pb::RenderedEntry>,
) -> Option<&pb::RenderedEntry> {
    item.offer.as_ref().and_then(part)
}

/// An entry that an answer would store, exactly.
pub(super) fn stored(entry: &pb::RenderedEntry, columns: usize) -> Vec<String> {
    let limits = Frame { columns, max_rows: Some(ENTRY_ROWS), ..Frame::default() };
    frame(&entry.object_text, &limits)
}

/// What stands between the call and what would be stored, which is shown beside the keys.
fn middle<'a>(found: &'a [Block], offer: Option<&pb::AnswerOffer>) -> &'a [Block] {
    let offered =
        offer.map_or(0, |offer| usize::from(offer.grant.is_some()) + usize::from(offer.denial.is_some()));
    let end = found.len().saturating_sub(offered).max(1);
    found.get(1..end).unwrap_or_default()
}

/// How the block of a rating is painted; `None` for another block.
fn rated(block: &Block, rating: Option<&pb::Rating>) -> Option<Tone> {
    let severity = severity(outcome_of(rating))?;
    let heading = format!("{} {}", severity.glyph(), severity.heading());
    (block.label == heading).then(|| severity.tone())
}

/// The severity of an outcome; none without a rating.
pub(super) fn severity(outcome: pb::Outcome) -> Option<Severity> {
    match outcome {
        pb::Outcome::Unspecified => None,
        pb::Outcome::Safe => Some(Severity::Safe),
        pb::Outcome::Destructive => Some(Severity::Destructive),
        pb::Outcome::Catastrophic => Some(Severity::Catastrophic),
        pb::Outcome::Attack => Some(Severity::Attack),
    }
}

fn halt(rows: &mut Rows, item: &pb::AttackHalt) {
    let reason = item.rating.as_ref().map(|rating| rating.reason.as_str()).unwrap_or_default();
    let command = arguments_of(item.call.as_ref());
    for text in attacking_command(command, reason, &rows.layout.call()) {
        let kind = if text.starts_with("  ") {
            Kind::Framed
        } else if text.starts_with(Severity::Attack.glyph()) {
            Kind::Rating(Severity::Attack.tone())
        } else {
            Kind::Words
        };
        rows.rows.push(Row { kind, text });
    }
    rows.surroundings(item.call.as_ref(), item.subject.as_ref());
    if let Some(rating) = &item.rating {
        rows.rating(rating);
    }
    rows.fact("halted", &format!("{}, {}", local(item.raised_at), words::meaning(item.stage())));
    rows.fact("session", &item.session_id);
    let run = if item.run_id.is_empty() { "the session's unnamed run" } else { &item.run_id };
    rows.fact("run", run);
    rows.fact("rung", words::rung(item.rung()));
    rows.labels(item.labels.iter());
    rows.fact("policy", &item.policy_revision);
    rows.fact("id", &item.halt_id);
}
