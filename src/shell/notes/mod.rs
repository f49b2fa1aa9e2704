//! Neutral notes on a command for whoever rates it: why it is not one plain command, and what flows where.
//!
//! Promises sentences that state what the shell does and end with a question, judge nothing and say of nothing that it was
//! decided. A word of the command is quoted only where it cannot be mistaken for a sentence. Knows nothing of raters.

mod flow;
mod mechanism;
#[cfg(test)]
mod tests;

use std::fmt;

use super::Analysis;

/// What stands in front of mechanism notes, so that they are not taken for a judgement.
pub const PREAMBLE: &str = "What follows is about how the shell reads this text. Nothing in it has been judged, and it settles \
                            nothing about the outcome.";

/// A note on a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// One or more sentences, the last of them a question. Words of the command in it are quoted and shown only when they
    /// are plain.
    pub text: String,
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// The message of a commit holds a substitution.
    CommitMessageSubstitution,
    /// Several commands stand in the text.
    Composition,
    /// The output of a command is put into another one.
    Substitution,
    /// Input or output is redirected.
    Redirection,
    /// A value that is only known when it runs is put in.
    Expansion,
    /// Arguments carry code.
    CarriedCode,
    /// Code that runs cannot be read from the text.
    HiddenCode,
    /// The text could not be read as a whole.
    Unreadable,
    /// What is fetched is run.
    FetchIntoInterpreter,
    /// What a command here writes is sent.
    LocalIntoTransfer,
    /// The output of a command is part of what is sent.
    SubstitutionIntoTransfer,
    /// A file is sent.
    FileIntoTransfer,
    /// Hosts are named, and what flows where is not plain.
    HostsNamed,
}

impl NoteKind {
    /// Whether the note is about what flows where; the others are about how the text is read.
    #[must_use]
    pub fn is_flow(self) -> bool {
        match self {
            Self::CommitMessageSubstitution
            | Self::Composition
            | Self::Substitution
            | Self::Redirection
            | Self::Expansion
            | Self::CarriedCode
            | Self::HiddenCode
            | Self::Unreadable => false,
            Self::FetchIntoInterpreter
            | Self::LocalIntoTransfer
            | Self::SubstitutionIntoTransfer
            | Self::FileIntoTransfer
            | Self::HostsNamed => true,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// The notes on a command, in a fixed order: how it is read, then what flows where. Empty for one plain command that deals
/// with nobody.
#[must_use]
pub fn notes(analysis: &Analysis) -> Vec<Note> {
    let mut notes = mechanism::notes(analysis);
    notes.extend(flow::notes(analysis));
    notes
}

/// Hosts in the middle of a sentence: those that are plain names or addresses, and how many others there are.
#[must_use]
pub fn host_list(hosts: &[String]) -> String {
    flow::tokens(hosts)
}
