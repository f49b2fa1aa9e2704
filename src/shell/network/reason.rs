//! The sentence that says why a command is held to lead to the network.
//!
//! Promises one bounded sentence in which every text of the command is quoted and shows only visible characters.

use super::Counterparties;
use crate::display;

/// How many hosts are named before the rest is counted.
const MAX_NAMED: usize = 8;
/// How wide a host is shown, in columns: wider than any name that can be looked up.
const MAX_COLUMNS: usize = 80;

/// A text of the command, quoted: one line, visible characters only, and no quotation mark but the two around it.
pub(crate) fn quoted(text: &str) -> String {
    let shown = display::clip(&display::one_line(text), MAX_COLUMNS);
    format!("\"{}\"", shown.replace('"', "\\x22"))
}

/// The sentence; `None` where no host is named.
pub(super) fn sentence(found: &Counterparties) -> Option<String> {
    let named = hosts(&found.hosts);
    let hidden: Vec<String> = found.hidden.iter().map(ToString::to_string).collect();
    match (named, hidden.is_empty()) {
        (None, true) => None,
        (Some(named), true) => Some(format!("It fetches from, sends to or probes {named}.")),
        (None, false) => Some(format!("It can reach the network, and {}.", hidden.join(", and "))),
        (Some(named), false) => {
            Some(format!("It fetches from, sends to or probes {named}, and {}.", hidden.join(", and ")))
        }
    }
}

fn hosts(hosts: &[String]) -> Option<String> {
    let shown: Vec<String> = hosts.iter().take(MAX_NAMED).map(|host| quoted(host)).collect();
    let more = hosts.len().saturating_sub(MAX_NAMED);
    let (last, front) = shown.split_last()?;
    let word = if hosts.len() == 1 { "the host" } else { "the hosts" };
    Some(match (front.is_empty(), more) {
        (true, _) => format!("{word} {last}"),
        (false, 0) => format!("{word} {} and {last}", front.join(", ")),
        (false, more) => format!("{word} {} and {more} more", shown.join(", ")),
    })
}
