//! The options of a program told from its operands, in any order and spelling.
//!
//! Promises what `getopt_long` does: clusters, glued and separate values, `--name=value`, abbreviated long names, `--`, and
//! options behind operands. Knows only the grammar it is given.

use super::argument::{Argument, Unit};

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grammar {
    /// Letters that take a value.
    pub(crate) short: &'static str,
    /// Long names, with their dashes, that take a value as the next word.
    pub(crate) long: &'static [&'static str],
}

impl Grammar {
    /// No option takes a value.
    pub(crate) const NONE: Self = Self { short: "", long: &[] };
}

/// An option as it stands in the words.
#[derive(Debug, Clone)]
pub(crate) struct Flag<'a> {
    /// `-x` or `--name` as written, without its value.
    pub(crate) name: String,
    /// Its value.
    pub(crate) value: Option<&'a [Unit]>,
}

impl Flag<'_> {
    /// Whether this is the long option of that name or an abbreviation of it, or the letter.
    pub(crate) fn is(&self, letter: char, long: &str) -> bool {
        let mut characters = self.name.chars().skip(1);
        if characters.next() == Some(letter) && characters.next().is_none() {
            return true;
        }
        !long.is_empty() && self.name.len() >= 3 && long.starts_with(&self.name) || self.name == long
    }
}

/// Options and operands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Parsed<'a> {
    /// The options in order.
    pub(crate) flags: Vec<Flag<'a>>,
    /// The operands in order.
    pub(crate) operands: Vec<&'a Argument>,
}

impl<'a> Parsed<'a> {
    /// Reads the words behind the program's name.
    pub(super) fn read(arguments: &'a [Argument], grammar: Grammar) -> Self {
        let mut parsed = Self::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let text = argument.text.as_str();
            if text == "--" {
                parsed.operands.extend(arguments);
                break;
            }
            if text.starts_with("--") {
                let (name, value) = match text.split_once('=') {
                    Some((name, _)) => (name, Some(argument.behind(name.chars().count() + 1))),
                    None if is_named(grammar.long, text) => {
                        (text, arguments.next().map(|next| next.units.as_slice()))
                    }
                    None => (text, None),
                };
                parsed.flags.push(Flag { name: name.to_owned(), value });
                continue;
            }
            if !text.starts_with('-') || text.len() < 2 {
                parsed.operands.push(argument);
                continue;
            }
            if grammar.long.contains(&text) {
                let value = arguments.next().map(|next| next.units.as_slice());
                parsed.flags.push(Flag { name: text.to_owned(), value });
                continue;
            }
            for (index, letter) in text.chars().enumerate().skip(1) {
                let mut flag = Flag { name: format!("-{letter}"), value: None };
                let takes = grammar.short.contains(letter);
                if takes {
                    let glued = argument.behind(index + 1);
                    flag.value = if glued.is_empty() {
                        arguments.next().map(|next| next.units.as_slice())
                    } else {
                        Some(glued)
                    };
                }
                parsed.flags.push(flag);
                if takes {
                    break;
                }
            }
        }
        parsed
    }

    /// Whether an option is there, by letter or long name.
    pub(crate) fn has(&self, letter: char, long: &str) -> bool {
        self.flags.iter().any(|flag| flag.is(letter, long))
    }

    /// Whether it only prints its help or version.
    pub(crate) fn asks_for_help(&self) -> bool {
        self.flags.iter().any(|flag| matches!(flag.name.as_str(), "--help" | "--version" | "--usage"))
    }
}

/// Options without a value whose names the names of others start with.
const FLAGS: &[&str] = &[
    "--head",
    "--netrc",
    "--parallel",
    "--proxy-insecure",
    "--partial",
    "--backup",
    "--compress",
    "--checksum",
    "--trace-time",
    "--output-sync",
];

/// Whether a long option, or an abbreviation of one, is among those named.
fn is_named(long: &[&str], text: &str) -> bool {
    !FLAGS.contains(&text)
        && long.iter().any(|name| {
            *name == text || (text.len() >= 5 && name.starts_with("--") && name.starts_with(text))
        })
}
