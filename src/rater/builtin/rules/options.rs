//! The options of a program told from its operands, for programs whose words have to be read in order.
//!
//! Promises what `getopt_long` does: clusters, glued and separate values, `--name=value`, abbreviated long names, `--`. An
//! option that the table does not have is a gap. Knows nothing of what options mean.

use super::super::objects::shown;
use crate::shell::hardline::{Argument, Unit};

/// Whether an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// None.
    Nothing,
    /// One, glued or as the next word.
    Value,
    /// One that is glued, or none.
    Glued,
}

/// An option: its letter (a blank where it has none), its name, and what it takes. A name that starts with a dash has no long
/// spelling.
pub(super) type Row = (char, &'static str, Takes);

/// An option as it was given.
#[derive(Debug, Clone, Copy)]
pub(super) struct Given<'a> {
    /// Its name in the table.
    pub(super) name: &'static str,
    /// Its value.
    pub(super) value: Option<&'a [Unit]>,
    /// The argument in which the value stands.
    pub(super) at: usize,
}

/// An option or an operand, in the order of the words.
#[derive(Debug, Clone, Copy)]
pub(super) enum Item<'a> {
    /// An option.
    Option(Given<'a>),
    /// An operand, by its position in the arguments.
    Operand(usize),
}

/// Words, read.
#[derive(Debug, Default)]
pub(super) struct Read<'a> {
    /// Options and operands in order.
    pub(super) items: Vec<Item<'a>>,
    /// What could not be read, as the end of a sentence.
    pub(super) gap: Option<String>,
    /// It asks for help or the version.
    pub(super) asks_for_help: bool,
}

impl<'a> Read<'a> {
    /// The options.
    pub(super) fn options(&self) -> impl Iterator<Item = &Given<'a>> {
        self.items.iter().filter_map(|item| match item {
            Item::Option(given) => Some(given),
            Item::Operand(_) => None,
        })
    }

    /// The positions of the operands.
    pub(super) fn operands(&self) -> impl Iterator<Item = usize> {
        self.items.iter().filter_map(|item| match item {
            Item::Option(_) => None,
            Item::Operand(at) => Some(*at),
        })
    }

    /// Whether an option was given.
    pub(super) fn has(&self, name: &str) -> bool {
        self.options().any(|given| given.name == name)
    }

    fn refuse(&mut self, text: &str) {
        self.gap.get_or_insert_with(|| format!("the option {} is not known", shown(text)));
    }
}

/// Reads words from a position on. With `stops`, options end at the first operand.
pub(super) fn read<'a>(
    arguments: &'a [Argument],
    from: usize,
    rows: &'static [Row],
    stops: bool,
) -> Read<'a> {
    let mut read = Read::default();
    let mut at = from;
    let mut ended = false;
    while let Some(argument) = arguments.get(at) {
        let text = argument.text.as_str();
        at += 1;
        if ended || !text.starts_with('-') || text == "-" {
            if !ended && argument.units.first() == Some(&Unit::Unknown) {
                let what = "a value that is only known when it runs may turn out to be an option";
                read.gap.get_or_insert_with(|| what.to_owned());
            }
            ended |= stops;
            read.items.push(Item::Operand(at - 1));
        } else if text == "--" {
            ended = true;
        } else if text.starts_with("--") {
            long(&mut read, arguments, &mut at, argument, rows);
        } else {
            cluster(&mut read, arguments, &mut at, argument, rows);
        }
    }
    read
}

fn long<'a>(
    read: &mut Read<'a>,
    arguments: &'a [Argument],
    at: &mut usize,
    argument: &'a Argument,
    rows: &'static [Row],
) {
    let text = argument.text.get(2..).unwrap_or_default();
    let (name, glued) = match text.split_once('=') {
        Some((name, _)) => (name, Some(argument.behind(name.chars().count() + 3))),
        None => (text, None),
    };
    if matches!(name, "help" | "version" | "usage") && glued.is_none() {
        read.asks_for_help = true;
        return;
    }
    let mut candidates = rows.iter().filter(|(_, long, _)| long.starts_with(name) && !long.starts_with('-'));
    let row = match rows.iter().find(|(_, long, _)| *long == name) {
        Some(row) => Some(row),
        None => candidates.next().filter(|_| candidates.next().is_none()),
    };
    let Some((_, name, takes)) = row else { return read.refuse(&argument.text) };
    let here = *at - 1;
    let given = match (takes, glued) {
        (Takes::Nothing, Some(_)) => return read.refuse(&argument.text),
        (Takes::Nothing | Takes::Glued, None) => Given { name, value: None, at: here },
        (Takes::Value | Takes::Glued, Some(value)) => Given { name, value: Some(value), at: here },
        (Takes::Value, None) => {
            let Some(next) = arguments.get(*at) else { return read.refuse(&argument.text) };
            *at += 1;
            Given { name, value: Some(&next.units), at: *at - 1 }
        }
    };
    read.items.push(Item::Option(given));
}

fn cluster<'a>(
    read: &mut Read<'a>,
    arguments: &'a [Argument],
    at: &mut usize,
    argument: &'a Argument,
    rows: &'static [Row],
) {
    for (index, letter) in argument.text.chars().enumerate().skip(1) {
        let Some((_, name, takes)) = rows.iter().find(|(known, _, _)| *known == letter && letter != ' ')
        else {
            return read.refuse(&argument.text);
        };
        let glued = Some(argument.behind(index + 1)).filter(|units| !units.is_empty());
        let here = *at - 1;
        let given = match (takes, glued) {
            (Takes::Nothing, _) | (Takes::Glued, None) => Given { name, value: None, at: here },
            (Takes::Value | Takes::Glued, Some(_)) => Given { name, value: glued, at: here },
            (Takes::Value, None) => {
                let Some(next) = arguments.get(*at) else { return read.refuse(&argument.text) };
                *at += 1;
                Given { name, value: Some(&next.units), at: *at - 1 }
            }
        };
        read.items.push(Item::Option(given));
        if *takes != Takes::Nothing {
            return;
        }
    }
}
