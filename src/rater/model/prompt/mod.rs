//! What a model is asked: one system and one user message.
//!
//! Promises that everything a caller wrote is fenced, visible and bounded, and says when a model's `safe` cannot count
//! because the model, or the reader of commands, did not see all of it. It must not know providers or connections.
//!
//! What is never in a prompt: the working folder, the environment, the output of tools, the content of files, rule lists,
//! the rung.

mod home;
mod system;
mod tags;
#[cfg(test)]
mod tests;
mod text;
mod user;

use crate::gate::NegotiationContext;
use crate::shell::{Dialect, analyze};

/// A question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prompt {
    /// The system message.
    pub(super) system: String,
    /// The user message.
    pub(super) user: String,
    /// Why `safe` cannot be taken from the answer, where it cannot.
    pub(super) unseen: Option<Unseen>,
    /// Whether the user message holds what was said before.
    pub(super) negotiating: bool,
}

/// Why nobody saw all of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unseen {
    /// The floors could not read it to its end.
    Unread,
    /// It is too long to be shown as a whole.
    TooLong,
}

impl Unseen {
    /// The reason of the rating that stands in the place of `safe`.
    pub(super) fn as_reason(self) -> &'static str {
        match self {
            Self::Unread => {
                "The model sees no harm, but the command cannot be read to its end, so that nothing is certain; write it more plainly."
            }
            Self::TooLong => {
                "The model sees no harm, but the command is too long for it to have seen all of it; write a shorter one."
            }
        }
    }
}

/// What is asked about.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    /// The command as sent.
    pub(super) command: &'a str,
    /// Its language.
    pub(super) dialect: Dialect,
    /// The home folder.
    pub(super) home: Option<&'a str>,
    /// What was said before.
    pub(super) context: Option<&'a NegotiationContext>,
    /// Whether a rejection goes back to the agent.
    pub(super) negotiable: bool,
    /// Tools that need no approval.
    pub(super) free_tools: &'a [(String, &'static str)],
}

/// Puts the question into words.
pub(super) fn prompt(question: Question<'_>) -> Prompt {
    let analysis = analyze(question.command, question.dialect);
    let shown = user::shown(question.command, question.home);
    let mut user = user::command(&shown, &analysis);
    let said = question.context.and_then(|context| user::negotiation(context, question.home));
    if let Some(said) = &said {
        user.push_str("\n\n");
        user.push_str(said);
    }
    let unseen = match (analysis.unread().is_some(), shown.whole) {
        (true, _) => Some(Unseen::Unread),
        (false, false) => Some(Unseen::TooLong),
        (false, true) => None,
    };
    let parts = system::Parts {
        free_tools: question.free_tools,
        negotiating: said.is_some(),
        negotiable: question.negotiable,
    };
    Prompt { system: system::prompt(parts), user, unseen, negotiating: said.is_some() }
}
