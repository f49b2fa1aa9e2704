//! Notes on why a text is not one plain command: each says what the shell does there.
//!
//! Promises one sentence per mechanism, in a fixed order. Knows nothing of hosts.

use super::{Note, NoteKind};
use crate::shell::analysis::Mechanism;
use crate::shell::tree::{Expansion, ExpansionKind, Part, Word};
use crate::shell::word::constant;
use crate::shell::{Analysis, Resolution, Segment};

/// The notes, in a fixed order.
pub(super) fn notes(analysis: &Analysis) -> Vec<Note> {
    let mechanisms: &[Mechanism] = match analysis.resolution() {
        Resolution::Single { .. } => &[],
        Resolution::Compound { mechanisms } => mechanisms,
    };
    let in_message = analysis.segments().iter().any(has_substitution_in_commit_message);
    let mut kinds = Vec::new();
    if in_message {
        kinds.push(NoteKind::CommitMessageSubstitution);
    }
    let has = |mechanism| mechanisms.contains(&mechanism);
    if has(Mechanism::Composition) {
        kinds.push(NoteKind::Composition);
    }
    if has(Mechanism::Substitution) && !in_message {
        kinds.push(NoteKind::Substitution);
    }
    if has(Mechanism::Redirection) {
        kinds.push(NoteKind::Redirection);
    }
    if has(Mechanism::Expansion) {
        kinds.push(NoteKind::Expansion);
    }
    if analysis.carries_code() {
        kinds.push(NoteKind::CarriedCode);
    }
    if analysis.opaque_reasons().next().is_some() {
        kinds.push(NoteKind::HiddenCode);
    }
    if has(Mechanism::Unreadable) || analysis.unread().is_some() {
        kinds.push(NoteKind::Unreadable);
    }
    kinds.into_iter().map(|kind| Note { kind, text: sentence(kind).to_owned() }).collect()
}

/// What the shell does there, and what to ask of it.
fn sentence(kind: NoteKind) -> &'static str {
    match kind {
        NoteKind::CommitMessageSubstitution => {
            "The message of the commit stands where the shell still replaces $(…) and backquotes: it runs the command in \
             them first and writes its output into the message, and double quotes do not stop it. Is a command meant to run \
             there, or is the message only text that happens to hold these characters?"
        }
        NoteKind::Composition => {
            "The shell runs more than one command from this text, each with effects of its own. What does each of them do, \
             and what do they do together?"
        }
        NoteKind::Substitution => {
            "The shell runs the command in $(…), backquotes or <(…) first and puts its output in that place, and double \
             quotes do not stop it. What does the inner command do, and what becomes of its output?"
        }
        NoteKind::Redirection => {
            "The shell opens the files behind < and > itself, before the command starts; > empties a file that is there \
             already. Which file is read or written, and what was in it?"
        }
        NoteKind::Expansion => {
            "The shell puts the value of a variable, or the result of arithmetic, into the text before the command starts, \
             and the text does not show it. Which values could stand there, and would each of them do the same?"
        }
        NoteKind::CarriedCode => {
            "One of the commands takes another command, or code, in its arguments or its input and runs it. What does the \
             command that is carried do?"
        }
        NoteKind::HiddenCode => {
            "One of the commands runs code that the text does not show as a whole: it stands in a file, comes from an input, \
             or is put together when it runs. What is known of that code?"
        }
        NoteKind::Unreadable => {
            "The text could not be read to its end as the shell reads it, so that where its commands start and end is not \
             certain. Which commands could the shell find in it?"
        }
        NoteKind::FetchIntoInterpreter
        | NoteKind::LocalIntoTransfer
        | NoteKind::SubstitutionIntoTransfer
        | NoteKind::FileIntoTransfer
        | NoteKind::HostsNamed => "",
    }
}

/// `git commit -m "… $(…) …"`.
fn has_substitution_in_commit_message(segment: &Segment) -> bool {
    let mut words = segment.words.iter();
    let git = words.next().and_then(constant).is_some_and(|path| path.rsplit('/').next() == Some("git"));
    if !git || !segment.words.iter().skip(1).filter_map(constant).any(|word| word == "commit") {
        return false;
    }
    let mut message_next = false;
    for word in words {
        if message_next && substitutes(word) {
            return true;
        }
        message_next = match constant(word) {
            Some(text) => {
                text == "--message"
                    || (text.starts_with('-') && !text.starts_with("--") && text.ends_with('m'))
            }
            None => {
                if (word.raw.starts_with("--message=") || word.raw.starts_with("-m")) && substitutes(word) {
                    return true;
                }
                false
            }
        };
    }
    false
}

fn substitutes(word: &Word) -> bool {
    word.parts
        .iter()
        .any(|part| matches!(part, Part::Expansion(Expansion { kind: ExpansionKind::Command, .. })))
}
