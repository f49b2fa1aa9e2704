//! Programs that fetch, send or probe, as data: which of their options and operands are addresses.
//!
//! Promises one table per program, so that a reviewer can hold it against the program's manual. An option that is not
//! listed is taken for one without a value, so that what follows it is judged as an operand. Knows no command.

mod cloud;
mod containers;
mod databases;
mod packages;
mod probes;
mod remote;
mod sources;
mod system;
mod transfer;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;
use std::sync::LazyLock;

use super::style::Style;

/// What an option does with the word behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// No value.
    Nothing,
    /// A value that is no address.
    Value,
    /// A value where one is glued to it, which is no address.
    Glued,
    /// An address.
    At(Style),
    /// The name of an image that is sent where the command publishes what it builds.
    Published,
    /// Nothing: what is built is published.
    Publishes,
    /// A file of addresses or settings that is not seen here.
    Unseen,
    /// Data that is sent; behind `@` the name of a file.
    Sent,
    /// A field of a form; behind `=@` or `=<` the name of a file.
    SentForm,
    /// The name of a file that is sent.
    SentFile,
    /// Nothing, and the operands are no counterparties: it listens, or stays on this machine.
    Silences,
    /// A value, and the operands are no counterparties: they are reached through a socket on this machine.
    SilencesValue,
    /// Nothing, and what silenced operands holds no longer.
    Next,
}

/// One program.
#[derive(Debug)]
pub(super) struct Program {
    names: &'static [&'static str],
    /// Options that it takes everywhere; names stand in one text, with blanks between them.
    options: &'static [(Takes, &'static str)],
    forms: &'static [Form],
    /// The names of its options are not told apart by case.
    folds_case: bool,
    /// A word behind one dash is one name, never a cluster of letters.
    whole_names: bool,
}

/// What a program takes behind a subcommand, or without one.
#[derive(Debug)]
pub(super) struct Form {
    /// The subcommands, words with blanks between them; empty for a program without.
    paths: &'static [&'static str],
    options: &'static [(Takes, &'static str)],
    /// How each operand is read; the last holds for all that follow.
    operands: &'static [Style],
}

impl Program {
    const NEW: Self = Self { names: &[], options: &[], forms: &[], folds_case: false, whole_names: false };
}

impl Form {
    const NEW: Self = Self { paths: &[""], options: &[], operands: &[] };
}

type OptionTable = BTreeMap<&'static str, Takes>;

/// A program's tables, ready to be asked.
#[derive(Debug)]
pub(super) struct Grammar {
    options: OptionTable,
    forms: HashMap<&'static str, Branch>,
    prefixes: HashSet<String>,
    pub(super) folds_case: bool,
    pub(super) whole_names: bool,
}

/// What holds behind a subcommand.
#[derive(Debug)]
pub(super) struct Branch {
    options: OptionTable,
    pub(super) operands: &'static [Style],
}

/// Every family's programs.
const TABLES: [&[Program]; 9] = [
    transfer::TABLE,
    remote::TABLE,
    sources::TABLE,
    packages::TABLE,
    containers::TABLE,
    cloud::TABLE,
    databases::TABLE,
    probes::TABLE,
    system::TABLE,
];

static BY_NAME: LazyLock<HashMap<&'static str, Grammar>> = LazyLock::new(|| {
    let mut by_name = HashMap::new();
    for program in TABLES.into_iter().flatten() {
        for name in program.names {
            by_name.insert(*name, Grammar::of(program));
        }
    }
    by_name
});

/// The grammar of the program with this name, in lower case and without `.exe`.
pub(super) fn named(name: &str) -> Option<&'static Grammar> {
    BY_NAME.get(name)
}

fn option_table(options: &'static [(Takes, &'static str)]) -> OptionTable {
    options.iter().flat_map(|(takes, names)| names.split(' ').map(|name| (name, *takes))).collect()
}

impl Grammar {
    fn of(program: &'static Program) -> Self {
        let mut forms = HashMap::new();
        let mut prefixes = HashSet::new();
        for form in program.forms {
            for path in form.paths {
                forms.insert(*path, Branch { options: option_table(form.options), operands: form.operands });
                let mut prefix = String::new();
                for word in path.split(' ').filter(|word| !word.is_empty()) {
                    if !prefix.is_empty() {
                        prefix.push(' ');
                    }
                    prefix.push_str(word);
                    prefixes.insert(prefix.clone());
                }
            }
        }
        Self {
            options: option_table(program.options),
            forms,
            prefixes,
            folds_case: program.folds_case,
            whole_names: program.whole_names,
        }
    }

    /// What holds behind this path of subcommands.
    pub(super) fn branch(&self, path: &str) -> Option<&Branch> {
        self.forms.get(path)
    }

    /// Whether a path of subcommands starts like this.
    pub(super) fn leads_on(&self, path: &str) -> bool {
        self.prefixes.contains(path)
    }

    /// Whether the program has subcommands.
    pub(super) fn has_subcommands(&self) -> bool {
        !self.prefixes.is_empty()
    }

    /// What an option takes. A long name may be shortened where all it could stand for agree on an address; a shortened
    /// option that takes another value is not known, so that its value is judged as an operand.
    pub(super) fn option(&self, branch: Option<&Branch>, name: &str) -> Option<Takes> {
        let find = |table: &OptionTable| table.get(name).copied().or_else(|| shortened(table, name));
        branch.and_then(|branch| find(&branch.options)).or_else(|| find(&self.options))
    }
}

fn shortened(table: &OptionTable, name: &str) -> Option<Takes> {
    if !name.starts_with("--") || name.len() < 4 {
        return None;
    }
    let mut candidates = table
        .range::<str, _>((Bound::Included(name), Bound::Unbounded))
        .take_while(|(full, _)| full.starts_with(name))
        .take(16)
        .map(|(_, takes)| *takes);
    let first = candidates.next()?;
    let counts = matches!(first, Takes::At(_) | Takes::Unseen);
    (counts && candidates.all(|takes| takes == first)).then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_option_is_written_with_its_dashes_and_once() {
        for (name, grammar) in BY_NAME.iter() {
            for table in
                std::iter::once(&grammar.options).chain(grammar.forms.values().map(|form| &form.options))
            {
                for option in table.keys() {
                    assert!(option.starts_with('-') && option.trim() == *option, "{name}: {option:?}");
                }
            }
        }
    }

    #[test]
    fn no_name_stands_in_two_tables() {
        let mut seen = HashSet::new();
        for name in TABLES.into_iter().flatten().flat_map(|program| program.names) {
            assert!(seen.insert(name), "{name} has two tables");
        }
    }
}
