//! What a sticky answer would store: the entry behind "always allow" and the one behind "always refuse".
//!
//! Promises that what a prompt shows is exactly what would be stored, and that nothing is offered which the grammar
//! cannot bound. Knows nothing of prompts or stores.

use super::rating::{Outcome, Rating};
use super::rung::Rung;
use super::subject::Subject;
use crate::rules::{
    Annotations, Entry, McpIdentity, ServerPattern, TextPattern, ToolPattern, object_text, one_line,
};
use serde::{Deserialize, Serialize};

/// The longest command that an entry is offered for, in bytes. A longer one would be repeated in every prompt and list, and
/// nobody can read what they would grant or refuse.
const MAX_PATTERN: usize = 64 * 1024;

/// An entry on offer, with the texts that stand beside its button.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What would be stored.
    pub entry: Entry,
    /// What the tool is taken to be now; stored with a grant, absent for shell commands and denials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<Annotations>,
    /// The entry as the operator would write it.
    pub preview: String,
    /// The entry in one line.
    pub summary: String,
}

impl Offer {
    fn new(entry: Entry, annotations: Option<Annotations>) -> Self {
        Self { preview: object_text(&entry), summary: one_line(&entry), entry, annotations }
    }
}

/// What "approve for the session" or "always" would store, if anything may be stored at all.
#[must_use]
pub fn grant(
    subject: &Subject,
    annotations: Option<Annotations>,
    rating: Option<&Rating>,
    rung: Rung,
) -> Option<Offer> {
    let catastrophic = rating.is_some_and(|rating| rating.outcome == Outcome::Catastrophic);
    if catastrophic || rung == Rung::Bypass || subject.is_unreadable_shell() {
        return None;
    }
    match subject {
        // A command that is not one simple command would make an entry that can never match.
        Subject::Shell { analysis, .. } => {
            let canonical = analysis.canonical().filter(|text| text.len() <= MAX_PATTERN)?;
            Some(Offer::new(shell_entry(canonical), None))
        }
        Subject::Tool { .. } | Subject::McpTool { .. } => {
            // Without annotations nothing could later withdraw it.
            let annotations = annotations?;
            let hosts = subject.hosts()?;
            if hosts.uncertain || hosts.named.len() > 1 {
                return None;
            }
            let entry = identity(subject, hosts.single())?;
            Some(Offer::new(entry, Some(annotations)))
        }
    }
}

/// What "refuse for the session" would store.
#[must_use]
pub fn denial(subject: &Subject) -> Option<Offer> {
    let entry = match subject {
        Subject::Shell { call, analysis } => {
            let text = analysis.canonical().unwrap_or_else(|| call.command.trim());
            (!text.is_empty() && text.len() <= MAX_PATTERN).then(|| shell_entry(text))?
        }
        // Several hosts: the entry names none and so refuses more, which its preview shows.
        Subject::Tool { hosts, .. } | Subject::McpTool { hosts, .. } => identity(subject, hosts.single())?,
    };
    Some(Offer::new(entry, None))
}

fn shell_entry(text: &str) -> Entry {
    Entry::Shell { pattern: TextPattern::Exact(text.to_owned()), rate: None }
}

/// The entry that names the subject's identity, never its arguments.
#[must_use]
pub fn identity(subject: &Subject, host: Option<&str>) -> Option<Entry> {
    let exact = |name: &str| ToolPattern::Name(TextPattern::Exact(name.to_owned()));
    let host = host.map(str::to_owned);
    match subject {
        Subject::Shell { .. } => None,
        Subject::Tool { name, .. } => Some(Entry::Tool { pattern: exact(name), host, rate: None }),
        Subject::McpTool { identity: McpIdentity::Resolved { server, name }, .. } => Some(Entry::McpTool {
            server: ServerPattern::Key(server.clone()),
            pattern: exact(name),
            host,
            rate: None,
        }),
        Subject::McpTool { identity: McpIdentity::Unresolved { .. }, .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Call, ShellCall};

    #[test]
    fn a_command_that_nobody_can_read_gets_no_sticky_answer() {
        let subject = |length: usize| {
            Subject::of(&Call::Shell(ShellCall::new(format!("echo {}", "x".repeat(length)))), &[])
        };
        let readable = subject(MAX_PATTERN - 5);
        assert!(grant(&readable, None, None, Rung::Manual).is_some() && denial(&readable).is_some());
        let endless = subject(MAX_PATTERN);
        assert!(grant(&endless, None, None, Rung::Manual).is_none() && denial(&endless).is_none());
    }
}
