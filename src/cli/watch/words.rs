//! Items in one line, for lists and for what is said at the foot of the screen.
//!
//! Promises neutral lines that begin with words of our own.

use super::desk::Subject;
use crate::cli::show;
use crate::cli::words::{escalation_state, halt_state, outcome, scope};
use crate::display::one_line;
use crate::proto::v1 as pb;

/// Characters of a text that a line of a list could ever show.
const LONGEST: usize = 400;

/// The call of an item in one line.
pub(super) fn call_of(subject: &Subject) -> String {
    let (call, known) = match subject {
        Subject::Escalation(item) => (item.call.as_ref(), item.subject.as_ref()),
        Subject::Halt(item) => (item.call.as_ref(), item.subject.as_ref()),
    };
    short_call(call, known)
}

/// A call in one line, cut where no list could show more. Its kind is the gate's own, never read from a name.
fn short_call(call: Option<&pb::Call>, subject: Option<&pb::Subject>) -> String {
    use pb::subject::Kind;
    let arguments = || cut(arguments_of(call));
    match subject.and_then(|subject| subject.kind.as_ref()) {
        Some(Kind::Shell(shell)) => one_line(cut(&shell.command)),
        Some(Kind::Tool(tool)) => one_line(&format!("tool {} {}", cut(&tool.name), arguments())),
        Some(Kind::McpTool(tool)) => {
            one_line(&format!("mcp {}/{} {}", cut(&tool.server), cut(&tool.name), arguments()))
        }
        None => show::call_line(call),
    }
}

/// The arguments of a call to a tool; the command of a shell call.
pub(super) fn arguments_of(call: Option<&pb::Call>) -> &str {
    use pb::call::Kind;
    let text = match call.and_then(|call| call.kind.as_ref()) {
        Some(Kind::Shell(shell)) => return &shell.command,
        Some(Kind::Tool(tool)) => &tool.arguments_json,
        Some(Kind::McpTool(tool)) => &tool.arguments_json,
        Some(Kind::Registered(tool)) => &tool.arguments_json,
        None => return "",
    };
    if text.is_empty() { "{}" } else { text }
}

fn cut(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// The outcome of a rating; in words also where there is none.
pub(super) fn outcome_of(rating: Option<&pb::Rating>) -> pb::Outcome {
    rating.map_or(pb::Outcome::Unspecified, pb::Rating::outcome)
}

/// The word for an item's rating, or that a run is halted.
pub(super) fn rating_word(subject: &Subject) -> &'static str {
    match subject {
        Subject::Escalation(item) => outcome(outcome_of(item.rating.as_ref())),
        Subject::Halt(_) => "HALTED",
    }
}

/// The session of an item.
pub(super) fn session_of(subject: &Subject) -> String {
    match subject {
        Subject::Escalation(item) => one_line(cut(&item.session_id)),
        Subject::Halt(item) => one_line(cut(&item.session_id)),
    }
}

/// How an item was settled, by whom, and what it was about.
pub(super) fn settled_line(subject: &Subject) -> String {
    let state = match subject {
        Subject::Escalation(item) => escalation_state(item.state()),
        Subject::Halt(item) => halt_state(item.state()),
    };
    format!("{}{}: {}", capitalised(state), by_whom(answer_of(subject)), call_of(subject))
}

/// What a human answered to an item.
pub(super) fn answer_of(subject: &Subject) -> Option<&pb::HumanAnswer> {
    match subject {
        Subject::Escalation(item) => item.answer.as_ref(),
        Subject::Halt(item) => item.answer.as_ref(),
    }
}

fn by_whom(answer: Option<&pb::HumanAnswer>) -> String {
    let Some(answer) = answer else { return String::new() };
    let reach = match scope(answer.scope()) {
        "" | "once" => String::new(),
        reach => format!(" ({reach})"),
    };
    format!("{reach} by {}", one_line(&answer.answered_by))
}

fn capitalised(words: &str) -> String {
    let mut characters = words.chars();
    characters
        .next()
        .map_or_else(String::new, |first| format!("{}{}", first.to_uppercase(), characters.as_str()))
}
