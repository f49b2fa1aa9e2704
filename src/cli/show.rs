//! Pieces of text that several commands print: labelled values, calls, rules, ratings and notices.
//!
//! Promises that whatever an agent or a model wrote is framed or in one neutral line. Knows nothing of where it goes.

use super::output::{columns, terminal_columns};
use super::style::{self, painted};
use super::words;
use crate::display::{Frame, clip, frame, frame_command, neutralise, one_line, width};
use crate::proto::v1 as pb;
use serde_json::Value;

/// Columns of a label, its gap included.
const LABEL_COLUMNS: usize = 11;

/// Rows that one call takes at most; what is hidden is announced.
const MAX_ROWS: usize = 60;

/// The least columns of a value on a terminal.
const LEAST_VALUE: usize = 20;

/// A row of `label   value`. The value is one neutral line; on a terminal it is wrapped.
pub(super) fn labelled(label: &str, value: &str) -> String {
    unwrapped(label, &beside(value, LABEL_COLUMNS + 2))
}

/// A neutral line for a place behind `indent` columns: on a terminal it is wrapped, elsewhere it stays one row.
pub(super) fn beside(line: &str, indent: usize) -> String {
    match terminal_columns() {
        Some(columns) => {
            let rows = wrapped(line, columns.saturating_sub(indent + 1).max(LEAST_VALUE));
            rows.join(&format!("\n{}", " ".repeat(indent)))
        }
        None => line.to_owned(),
    }
}

/// A row of `label   value` that stays one row, to be copied: an id, a hash, a command.
pub(super) fn unwrapped(label: &str, value: &str) -> String {
    let padded = format!("{label:<width$}", width = LABEL_COLUMNS.saturating_sub(1));
    format!("  {} {value}\n", painted(style::LABEL, &padded))
}

/// A heading on a row of its own.
pub(super) fn heading(text: &str) -> String {
    format!("{}\n", painted(style::HEADING, text))
}

/// What the agent wants to do, framed as on the prompts.
pub(super) fn call(call: &pb::Call) -> String {
    use pb::call::Kind;
    let limits = limits();
    let rows = match &call.kind {
        Some(Kind::Shell(shell)) => frame_command(&shell.command, &limits),
        Some(Kind::Tool(tool)) => tool_rows(&tool.name, &tool.arguments_json, &limits),
        Some(Kind::McpTool(tool)) => {
            tool_rows(&format!("{} on {}", tool.name, tool.server), &tool.arguments_json, &limits)
        }
        Some(Kind::Registered(tool)) => tool_rows(&tool.name, &tool.arguments_json, &limits),
        None => Vec::new(),
    };
    rows.into_iter().map(|row| format!("{row}\n")).collect()
}

/// What the agent wants to do, in one neutral line.
pub(super) fn call_line(call: Option<&pb::Call>) -> String {
    use pb::call::Kind;
    let named = |name: &str, arguments: &str| {
        if arguments.is_empty() || arguments == "{}" {
            name.to_owned()
        } else {
            format!("{name} {arguments}")
        }
    };
    let text = match call.and_then(|call| call.kind.as_ref()) {
        Some(Kind::Shell(shell)) => shell.command.clone(),
        Some(Kind::Tool(tool)) => format!("tool {}", named(&tool.name, &tool.arguments_json)),
        Some(Kind::McpTool(tool)) => {
            format!("mcp {}/{}", tool.server, named(&tool.name, &tool.arguments_json))
        }
        Some(Kind::Registered(tool)) => format!("registered {}", named(&tool.name, &tool.arguments_json)),
        None => String::new(),
    };
    one_line(&text)
}

/// What the agent or the operator is told: the gate's own words, which may quote others, wrapped behind a label.
pub(super) fn message(text: &str) -> String {
    let rows = wrapped(text, columns().saturating_sub(LABEL_COLUMNS + 4));
    let labels = std::iter::once("message").chain(std::iter::repeat(""));
    labels.zip(rows).map(|(label, row)| unwrapped(label, &format!("│ {row}"))).collect()
}

/// A text in neutral rows of at most so many columns, broken between words where it can be.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = String::new();
    for word in neutralise(text).split(' ') {
        let mut rest = word;
        if !row.is_empty() && width(&row) + 1 + width(rest) <= columns {
            row.push(' ');
            row.push_str(rest);
            continue;
        }
        if !row.is_empty() {
            rows.push(std::mem::take(&mut row));
        }
        loop {
            let (part, left) = broken(rest, columns);
            if left.is_empty() {
                break;
            }
            rows.push(part.to_owned());
            rest = left;
        }
        row.push_str(rest);
    }
    rows.push(row);
    rows
}

/// A word that is too long for a row, broken; at least one character is in front of the break.
fn broken(word: &str, columns: usize) -> (&str, &str) {
    let mut used = 0;
    let fits = |(_, character): &(usize, char)| {
        used += width(character.encode_utf8(&mut [0; 4]));
        used <= columns
    };
    let end = word
        .char_indices()
        .take_while(fits)
        .last()
        .map_or(0, |(start, character)| start + character.len_utf8());
    let first = word.chars().next().map_or(0, char::len_utf8);
    word.split_at_checked(end.max(first)).unwrap_or((word, ""))
}

/// `REJECT  DENY_LIST`, and the scope where there is one.
pub(super) fn verdict(response: &pb::DecideResponse) -> String {
    let action = painted(style::action(response.action()), words::action(response.action()));
    let scope = match words::scope(response.scope()) {
        "" => String::new(),
        scope => format!(" ({scope})"),
    };
    let replayed = if response.replayed { ", replayed" } else { "" };
    format!("{action}  {}{scope}{replayed}", words::stage(response.stage()))
}

/// The entry that matched, where it stands and where it comes from.
pub(super) fn rule(rule: &pb::MatchedRule) -> String {
    let entry = rule.entry.as_ref().map(|entry| one_line(&entry.summary)).unwrap_or_default();
    let place = match rule.index {
        Some(index) => format!("{}[{index}]", words::list(rule.list())),
        None => words::list(rule.list()).to_owned(),
    };
    let undecided = match one_line(&rule.undecided) {
        reason if reason.is_empty() => String::new(),
        reason => format!("; counts as a match because it is undecided: {reason}"),
    };
    format!("{place} {entry}, {}{undecided}", words::layer(rule.layer()))
}

/// A rating in one line: outcome, reason, floors.
pub(super) fn rating(rating: &pb::Rating) -> String {
    let mut line = format!("{}: {}", words::outcome(rating.outcome()), one_line(&rating.reason));
    for floor in &rating.floors {
        line.push_str(&format!("; floor: {}", one_line(&floor.reason)));
    }
    line
}

/// Notices, one row each.
pub(super) fn notices(notices: &[pb::Notice]) -> String {
    let row = |notice: &pb::Notice| {
        let label = match notice.level() {
            pb::NoticeLevel::Info => "notice",
            pb::NoticeLevel::Warning | pb::NoticeLevel::Unspecified => "warning",
        };
        labelled(label, &one_line(&notice.text))
    };
    notices.iter().map(row).collect()
}

/// What a human answered, in one line.
pub(super) fn human(answer: &pb::HumanAnswer) -> String {
    let by = one_line(&answer.answered_by);
    let scope = match words::scope(answer.scope()) {
        "" => String::new(),
        scope => format!(", {scope}"),
    };
    let stored = answer.stored.as_ref().map(|entry| format!(", stored: {}", one_line(&entry.summary)));
    let comment = match one_line(&answer.comment) {
        comment if comment.is_empty() => String::new(),
        comment => format!(", saying: {comment}"),
    };
    format!("{} by {by}{scope}{}{comment}", words::verdict(answer.verdict()), stored.unwrap_or_default())
}

/// A neutral line cut to what is left of a row.
pub(super) fn fitted(line: &str, used: usize) -> String {
    clip(line, columns().saturating_sub(used).max(20))
}

fn limits() -> Frame {
    Frame { columns: columns(), max_rows: Some(MAX_ROWS), ..Frame::default() }
}

fn tool_rows(name: &str, arguments_json: &str, limits: &Frame) -> Vec<String> {
    // Arguments are laid out to be read; what is no JSON is shown as it came.
    let arguments = serde_json::from_str::<Value>(arguments_json)
        .ok()
        .and_then(|value| serde_json::to_string_pretty(&value).ok())
        .unwrap_or_else(|| arguments_json.to_owned());
    let text = if arguments.is_empty() || arguments == "{}" {
        name.to_owned()
    } else {
        format!("{name}\n{arguments}")
    };
    frame(&text, limits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_between_words_and_nothing_of_it_is_lost() {
        let long = "x".repeat(45);
        let text = format!("one two\nthree \u{1b}[2J {long} 日本語日本語 end");
        let rows = wrapped(&text, 10);
        assert!(rows.iter().all(|row| width(row) <= 10), "{rows:?}");
        assert_eq!(rows.concat().replace(' ', ""), one_line(&text).replace(' ', ""));
        assert_eq!(wrapped("", 10), [""]);
        assert_eq!(wrapped("日本", 1), ["日", "本"]);
        assert_eq!(wrapped(&"x".repeat(1 << 20), 64).len(), (1 << 20) / 64);
    }
}
