//! Programs that run their arguments, as data: the option grammar of each and where its command starts.
//!
//! Promises one table per program, so that a reviewer can hold it against the program's manual. Knows nothing of what the
//! commands behind a wrapper do. An option that is not in a table makes the command opaque; it is never skipped.

mod containers;
mod environment;
mod namespaces;
mod privilege;
mod repeating;
mod runners;
mod scan;
mod scheduling;
mod terminals;
mod tracing;

use std::collections::HashMap;
use std::sync::LazyLock;

pub(crate) use scan::{Behind, CodeWord, PartOfWord, look_behind};

/// One program that runs its arguments.
#[derive(Debug)]
pub(crate) struct Wrapper {
    /// Its names.
    names: &'static [&'static str],
    /// Options in front of the subcommand, where it has subcommands.
    before: Options,
    /// The subcommands that run something: alternatives for each level. Empty for a program without.
    path: &'static [&'static [&'static str]],
    /// Its options.
    options: Options,
    /// Where the command is.
    form: Form,
    /// Where the command runs.
    place: Place,
    /// The program that gets the words as its arguments, where an option names none.
    runs: Option<&'static str>,
    /// With no command it starts a shell.
    bare_shell: bool,
    /// The command gets more arguments when it runs.
    open_ended: bool,
}

/// Where a wrapper's command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this machine.
    Here,
    /// On another machine.
    Remote,
    /// In a container.
    Container,
}

/// Where the command stands among the words behind the options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The words behind so many operands (and any assignments, where it takes them) are the argument vector.
    Argv {
        /// `NAME=value` words in front are skipped.
        assignments: bool,
        /// How many operands come first.
        operands: usize,
    },
    /// The words behind `--` are the argument vector; without `--` those behind so many operands.
    Dashes {
        /// How many operands come first.
        operands: usize,
    },
    /// The words behind the first `--` are the argument vector, however many operands come first; without it where the
    /// command starts is not known.
    OnlyDashes,
    /// The words behind so many operands, joined by blanks, are read by a shell.
    Joined {
        /// How many operands come first.
        operands: usize,
    },
    /// Each operand is a command line of its own.
    Each,
    /// Only the options that take code carry commands; options may stand behind operands.
    CodeOnly,
}

/// The option grammar of a program, in the notation of `getopt`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Options {
    /// Letters; `:` behind one that takes a value, `::` where the value must be glued on.
    short: &'static str,
    /// Long names without dashes; `=` behind one that takes a value, `=?` where it must be glued on, `==` behind one that
    /// takes two.
    long: &'static [&'static str],
    /// Options with which no command is run at all.
    none: &'static [&'static str],
    /// Options whose value is a command line for a shell.
    code: &'static [&'static str],
    /// Options whose value is split into words that stand in its place.
    split: &'static [&'static str],
    /// Options that start a shell where there is no command.
    shell: &'static [&'static str],
    /// Options whose value is the program that gets the words as its arguments.
    program: &'static [&'static str],
    /// Options whose value becomes the working folder of the command.
    folder: &'static [&'static str],
    /// A number behind a dash is an option, as in `nice -10`.
    numeric: bool,
    /// Long names may stand behind one dash, as in `-ex`.
    single_dash: bool,
    /// A word such as `-x` or `--x=y` that is not listed is an option without a value.
    lenient: bool,
}

impl Options {
    /// No options at all but `--help` and `--version`.
    const NONE: Self = Self {
        short: "",
        long: &[],
        none: &["help", "version"],
        code: &[],
        split: &[],
        shell: &[],
        program: &[],
        folder: &[],
        numeric: false,
        single_dash: false,
        lenient: false,
    };
}

impl Wrapper {
    /// A wrapper without options, whose words are the argument vector.
    const PLAIN: Self = Self {
        names: &[],
        before: Options::NONE,
        path: &[],
        options: Options::NONE,
        form: Form::Argv { assignments: false, operands: 0 },
        place: Place::Here,
        runs: None,
        bare_shell: false,
        open_ended: false,
    };

    /// Where its command runs.
    pub(crate) fn place(&self) -> Place {
        self.place
    }

    /// Whether its command gets more arguments when it runs.
    pub(crate) fn open_ended(&self) -> bool {
        self.open_ended
    }
}

static BY_NAME: LazyLock<HashMap<&'static str, Vec<&'static Wrapper>>> = LazyLock::new(|| {
    let mut by_name: HashMap<&'static str, Vec<&'static Wrapper>> = HashMap::new();
    let tables = [
        privilege::TABLE,
        environment::TABLE,
        scheduling::TABLE,
        namespaces::TABLE,
        repeating::TABLE,
        terminals::TABLE,
        tracing::TABLE,
        runners::TABLE,
        containers::TABLE,
    ];
    for wrapper in tables.into_iter().flatten() {
        for name in wrapper.names {
            by_name.entry(name).or_default().push(wrapper);
        }
    }
    by_name
});

/// The wrappers of that name; more than one where a program has several subcommands that run something.
pub(crate) fn named(name: &str) -> &'static [&'static Wrapper] {
    BY_NAME.get(name).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests;
