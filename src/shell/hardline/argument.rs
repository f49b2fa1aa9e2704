//! A word as the floor reads it: characters with their quoting, home and working folder where they are named.
//!
//! Promises that the text and the units of an argument run in step, so that a part of a word (`of=…`, `-d@…`) can be
//! looked at on its own. Knows nothing of programs.

use crate::shell::folding::{Separators, Sequences, fold, may_fold};
use crate::shell::tree::{Expansion, ExpansionKind, Part, Word};
use crate::shell::word::message;

/// Stands in the text of an argument for what is only known when it runs; no argument of a shell holds it.
pub(crate) const UNKNOWN: char = '\0';

/// A piece of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A character that is not quoted: it may be a part of a pattern or a tilde.
    Plain(char),
    /// A quoted character.
    Quoted(char),
    /// The home folder.
    Home,
    /// The working folder.
    Folder,
    /// The name of the user.
    User,
    /// Something that is only known when it runs.
    Unknown,
}

impl Unit {
    /// Its character, or [`UNKNOWN`].
    pub(crate) fn character(self) -> char {
        match self {
            Self::Plain(character) | Self::Quoted(character) => character,
            Self::Home | Self::Folder | Self::User | Self::Unknown => UNKNOWN,
        }
    }
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Argument {
    /// Its pieces.
    pub(crate) units: Vec<Unit>,
    /// Its characters; [`UNKNOWN`] for what is put in when it runs.
    pub(crate) text: String,
    /// It has braces that are still to be expanded: its expansions are commands of their own.
    pub(crate) has_braces: bool,
}

impl Argument {
    /// Reads a word. With `live`, pattern characters and tildes count although they came quoted: they stem from a value.
    pub(crate) fn new(word: &Word, live: bool) -> Self {
        let mut units = Vec::with_capacity(word.raw.len());
        for part in &word.parts {
            match part {
                Part::Text { text, quoted } => push_text(&mut units, text, *quoted && !live),
                Part::Expansion(expansion) => match message(expansion) {
                    Some(text) => push_text(&mut units, text, true),
                    None => units.push(meaning(expansion)),
                },
            }
        }
        let has_braces = !live && has_braces(&units);
        Self { text: units.iter().map(|unit| unit.character()).collect(), units, has_braces }
    }

    /// The pieces behind so many characters.
    pub(crate) fn behind(&self, characters: usize) -> &[Unit] {
        self.units.get(characters..).unwrap_or_default()
    }

    /// Whether some of it is only known when it runs.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.units.contains(&Unit::Unknown)
    }
}

/// The characters of pieces.
pub(crate) fn text_of(units: &[Unit]) -> String {
    units.iter().map(|unit| unit.character()).collect()
}

fn has_braces(units: &[Unit]) -> bool {
    let open = units.iter().position(|unit| *unit == Unit::Plain('{'));
    open.is_some_and(|open| {
        let behind = units.get(open..).unwrap_or_default();
        behind.contains(&Unit::Plain('}'))
            && (behind.contains(&Unit::Plain(',')) || behind.contains(&Unit::Plain('.')))
    })
}

fn push_text(units: &mut Vec<Unit>, text: &str, quoted: bool) {
    let unit = if quoted { Unit::Quoted } else { Unit::Plain };
    // Letters that only look like those of a path are read as what they look like: this floor only refuses.
    if may_fold(text)
        && let Ok(folded) = fold(text, Sequences::Dropped, Separators::Blank)
    {
        units.extend(folded.chars().map(unit));
    } else {
        units.extend(text.chars().map(unit));
    }
}

/// What an expansion is known to stand for, whatever runs.
fn meaning(expansion: &Expansion) -> Unit {
    match expansion.kind {
        ExpansionKind::Parameter => match expansion.parameter.as_deref() {
            Some("HOME") if keeps_value(&expansion.raw, "HOME") => Unit::Home,
            Some("USER" | "LOGNAME" | "USERNAME" | "SUDO_USER") => Unit::User,
            Some("PWD") if keeps_value(&expansion.raw, "PWD") => Unit::Folder,
            Some(_) | None => Unit::Unknown,
        },
        ExpansionKind::Command => match expansion.nested.as_slice() {
            [script] => match crate::shell::canonical::only_command(script) {
                Some(command) => {
                    let words: Vec<&str> = command.words.iter().map(|word| word.raw.as_str()).collect();
                    match words.as_slice() {
                        ["pwd"] => Unit::Folder,
                        ["whoami"] | ["id", "-un"] | ["logname"] => Unit::User,
                        _ => Unit::Unknown,
                    }
                }
                None => Unit::Unknown,
            },
            _ => Unit::Unknown,
        },
        ExpansionKind::Arithmetic
        | ExpansionKind::Process
        | ExpansionKind::Locale
        | ExpansionKind::ExtendedPattern => Unit::Unknown,
    }
}

/// Whether `${NAME…}` is the value of a variable that is set: plain, with a default or an error, or less a final slash.
fn keeps_value(raw: &str, name: &str) -> bool {
    let inner =
        raw.strip_prefix("${").and_then(|raw| raw.strip_suffix('}')).or_else(|| raw.strip_prefix('$'));
    inner.and_then(|inner| inner.strip_prefix(name)).is_some_and(|operation| {
        operation.is_empty()
            || [":-", "-", ":?", "?", ":=", "="].iter().any(|operator| operation.starts_with(operator))
            || matches!(operation, "%/" | "%%/")
    })
}
