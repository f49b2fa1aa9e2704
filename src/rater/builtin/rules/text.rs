//! The text of a script or program that stands in an argument, as the program behind it gets it.
//!
//! Promises a text only where every character of it is known, but for numbers that arithmetic puts in. Knows nothing of
//! languages.

use super::super::call::Call;
use super::super::objects::SOME;
use crate::shell::folding::{Separators, Sequences, TooLong, fold, may_fold};
use crate::shell::hardline::{Argument, Unit};
use crate::shell::tree::{ExpansionKind, Part, Word};

/// Stands for the home folder, the working folder and a number that are put into a text.
const HOME: &str = "/home/user";
const FOLDER: &str = "/folder";
const NUMBER: &str = "1";

/// The text of an argument, from a piece of it on.
pub(super) fn of(call: &Call<'_>, at: usize, units: &[Unit]) -> Option<String> {
    let argument = call.arguments.get(at)?;
    if let Some(text) = known(units) {
        return Some(text);
    }
    // The word as it is written, where nothing was taken out or put in.
    if call.segment.open_ended || call.segment.words.len() != call.arguments.len() + 1 {
        return None;
    }
    let word = call.segment.words.get(at + 1)?;
    (units.len() == argument.units.len()).then(|| with_numbers(word)).flatten()
}

/// Whether the words stand as they are read: folding changes letters, so that a word may look like an option and be none.
pub(super) fn is_plain(call: &Call<'_>) -> bool {
    let plain = |word: &Word| {
        word.parts.iter().all(|part| match part {
            Part::Text { text, .. } => !may_fold(text) || folded(text).as_deref() == Ok(text),
            Part::Expansion(_) => true,
        })
    };
    call.segment.words.iter().all(plain)
}

fn folded(text: &str) -> Result<String, TooLong> {
    fold(text, Sequences::Dropped, Separators::Blank)
}

fn known(units: &[Unit]) -> Option<String> {
    let mut text = String::with_capacity(units.len());
    for unit in units {
        match unit {
            Unit::Plain(SOME) | Unit::Quoted(SOME) | Unit::Unknown => return None,
            Unit::Plain(letter) | Unit::Quoted(letter) => text.push(*letter),
            Unit::Home => text.push_str(HOME),
            Unit::Folder => text.push_str(FOLDER),
            Unit::User => text.push_str("user"),
        }
    }
    Some(text)
}

fn with_numbers(word: &Word) -> Option<String> {
    let mut whole = String::with_capacity(word.raw.len());
    for part in &word.parts {
        match part {
            Part::Text { text, .. } => whole.push_str(text),
            Part::Expansion(expansion) if expansion.kind == ExpansionKind::Arithmetic => {
                whole.push_str(NUMBER);
            }
            Part::Expansion(expansion) => {
                let one = Word {
                    parts: vec![Part::Expansion(expansion.clone())],
                    raw: expansion.raw.clone(),
                    span: None,
                };
                whole.push_str(&known(&Argument::new(&one, false).units)?);
            }
        }
    }
    Some(whole)
}

/// A text of a script as the pieces of a path: nothing in it is a pattern or stands for home.
pub(super) fn pieces(text: &str) -> Vec<Unit> {
    text.chars().map(Unit::Quoted).collect()
}
