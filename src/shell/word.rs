//! What a word of the tree says before anything runs: its constant text, its characters with their quoting.
//!
//! Promises to read only what the tree holds. Knows nothing of commands, wrappers or rules.

use std::borrow::Cow;

use super::tree::{Expansion, ExpansionKind, Part, Word};

/// One character of a word and whether it was quoted; an expansion stands as one opaque piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A character.
    Character {
        /// The character.
        character: char,
        /// Quoted or escaped.
        quoted: bool,
    },
    /// A quoted empty text: it keeps a word alive that would otherwise vanish.
    Empty,
    /// Something that bash replaces when it runs.
    Expansion(Expansion),
}

impl Piece {
    /// The character where it is an unquoted one.
    pub(crate) fn bare(&self) -> Option<char> {
        match self {
            Self::Character { character, quoted: false } => Some(*character),
            Self::Character { quoted: true, .. } | Self::Empty | Self::Expansion(_) => None,
        }
    }
}

/// The text of a word that holds no expansion, after quote removal.
pub(crate) fn constant(word: &Word) -> Option<Cow<'_, str>> {
    if let [Part::Text { text, .. }] = word.parts.as_slice() {
        return Some(Cow::Borrowed(text));
    }
    let mut value = String::new();
    for part in &word.parts {
        match part {
            Part::Text { text, .. } => value.push_str(text),
            Part::Expansion(_) => return None,
        }
    }
    Some(Cow::Owned(value))
}

/// Whether the word holds no expansion.
pub(crate) fn is_constant(word: &Word) -> bool {
    word.parts.iter().all(|part| matches!(part, Part::Text { .. }))
}

/// Whether the word is an array given to a declaring builtin, `name=( … )`: only there is a parenthesis unquoted.
pub(crate) fn is_array(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Text { text, quoted: false } if text.contains('(')))
}

/// Whether the word holds an unquoted pathname pattern.
pub(crate) fn is_pattern(word: &Word) -> bool {
    if !word.raw.contains(['*', '?', '[']) || word.raw == "[" {
        return false;
    }
    let pieces = pieces(word);
    let bracket = pieces.iter().position(|piece| piece.bare() == Some('['));
    pieces.iter().any(|piece| matches!(piece.bare(), Some('*' | '?')))
        || bracket.is_some_and(|at| pieces.iter().skip(at).any(|piece| piece.bare() == Some(']')))
}

/// The text of a word with every expansion as it is written, and whether there was none.
///
/// A message that a catalogue may replace counts as its own text.
pub(crate) fn best_text(word: &Word) -> (String, bool) {
    let mut value = String::new();
    let mut complete = true;
    for part in &word.parts {
        match part {
            Part::Text { text, .. } => value.push_str(text),
            Part::Expansion(expansion) => {
                complete = false;
                match message(expansion) {
                    Some(text) => value.push_str(text),
                    None => value.push_str(&expansion.raw),
                }
            }
        }
    }
    (value, complete)
}

/// The text of a word that becomes code, and whether it is known: a pattern stands for names of files, which then are code.
pub(crate) fn code_text(word: &Word) -> (String, bool) {
    let (text, complete) = best_text(word);
    (text, complete && !is_pattern(word))
}

/// The text of `$"…"` where nothing in it is expanded or escaped.
pub(crate) fn message(expansion: &Expansion) -> Option<&str> {
    if expansion.kind != ExpansionKind::Locale {
        return None;
    }
    let inner = expansion.raw.strip_prefix("$\"")?.strip_suffix('"')?;
    (!inner.contains(['$', '`', '\\', '"'])).then_some(inner)
}

/// The pieces of a word, in order.
pub(crate) fn pieces(word: &Word) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(word.raw.len());
    for part in &word.parts {
        match part {
            Part::Text { text, quoted } if text.is_empty() && *quoted => pieces.push(Piece::Empty),
            Part::Text { text, quoted } => {
                pieces.extend(text.chars().map(|character| Piece::Character { character, quoted: *quoted }));
            }
            Part::Expansion(expansion) => pieces.push(Piece::Expansion(expansion.clone())),
        }
    }
    pieces
}

/// A word made of pieces; its raw text is a spelling that has the same pieces.
pub(crate) fn from_pieces(pieces: Vec<Piece>) -> Word {
    let mut parts: Vec<Part> = Vec::new();
    let mut raw = String::new();
    for piece in pieces {
        match piece {
            Piece::Character { character, quoted } => {
                raw.push(character);
                match parts.last_mut() {
                    Some(Part::Text { text, quoted: same }) if *same == quoted => text.push(character),
                    Some(_) | None => parts.push(Part::Text { text: character.to_string(), quoted }),
                }
            }
            Piece::Empty => {
                if parts.is_empty() {
                    parts.push(Part::Text { text: String::new(), quoted: true });
                }
            }
            Piece::Expansion(expansion) => {
                raw.push_str(&expansion.raw);
                parts.push(Part::Expansion(expansion));
            }
        }
    }
    Word { parts, raw, span: None }
}

/// A word that is a quoted constant.
pub(crate) fn quoted(text: &str) -> Word {
    Word { parts: vec![Part::Text { text: text.to_owned(), quoted: true }], raw: text.to_owned(), span: None }
}

/// The last component of a program's path.
pub(crate) fn base_name(path: &str) -> &str {
    path.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(path)
}
