//! One command as the checks see it: the program by its name, its arguments, and from where its paths start.
//!
//! Promises that the name is the last component of the program's path, in small letters, with letters that only look like
//! others read as those. Knows nothing of what the checks look for.

use std::cell::OnceCell;
use std::rc::Rc;

use super::argument::{Argument, UNKNOWN, Unit};
use super::globs::Pattern;
use super::options::{Grammar, Parsed};
use super::paths::{Landmark, Origin, Path};
use crate::shell::folding::may_fold;
use crate::shell::segment::{Reach, Segment};
use crate::shell::tree::Word;
use crate::shell::word::{base_name, constant, is_pattern};

/// One command.
pub(crate) struct Invocation<'s> {
    /// The segment it is.
    pub(crate) segment: &'s Segment,
    /// The program's name; empty where there is none or it is only known when it runs.
    pub(crate) program: String,
    /// The program's name where it is a pattern with some text of its own.
    pattern: Option<Pattern>,
    /// The program and its arguments.
    words: &'s [Word],
    /// The words stem from values, so that quoted pattern characters in them count.
    live: bool,
    /// From where its paths start.
    pub(crate) origin: Rc<Origin>,
    arguments: OnceCell<Vec<Argument>>,
}

/// Folders in which the programs of a system lie.
const PROGRAM_FOLDERS: &[&str] = &["bin", "sbin", "libexec", "systemd"];

impl<'s> Invocation<'s> {
    /// Reads a segment from one of its words on.
    pub(crate) fn new(segment: &'s Segment, start: usize, origin: Rc<Origin>) -> Self {
        let live = segment.reached.contains(&Reach::Expanded);
        let words = behind_options(segment.words.get(start..).unwrap_or_default());
        let program = words.first().map(name).unwrap_or_default();
        let pattern = words
            .first()
            .filter(|word| is_pattern(word) && program.chars().any(char::is_alphanumeric))
            .and_then(|_| Pattern::new(&program));
        Self { segment, program, pattern, words, live, origin, arguments: OnceCell::new() }
    }

    /// Reads a segment with arguments that were read before: what stands in them for values is known better.
    pub(crate) fn with_arguments(
        segment: &'s Segment,
        start: usize,
        origin: Rc<Origin>,
        arguments: Vec<Argument>,
    ) -> Self {
        Self { arguments: OnceCell::from(arguments), ..Self::new(segment, start, origin) }
    }

    /// Its arguments. A word whose braces are still to be expanded is none: its expansions are commands of their own.
    pub(crate) fn arguments(&self) -> &[Argument] {
        self.arguments.get_or_init(|| {
            let words = self.words.iter().skip(1);
            words.map(|word| Argument::new(word, self.live)).filter(|argument| !argument.has_braces).collect()
        })
    }

    /// The names among these that the program may have: its own, or those that its pattern matches.
    pub(super) fn named(&self, names: &[&'static str]) -> Option<&'static str> {
        if let Some(name) = names.iter().find(|name| **name == self.program) {
            return Some(name);
        }
        // A bare star names no program in particular.
        let pattern = self.pattern.as_ref()?;
        names.iter().copied().find(|name| pattern.matches(name))
    }

    /// Options and operands.
    pub(crate) fn parsed(&self, grammar: Grammar) -> Parsed<'_> {
        Parsed::read(self.arguments(), grammar)
    }

    /// The path that an argument, or a part of one, stands for.
    pub(crate) fn path(&self, units: &[Unit]) -> Path {
        Path::resolve(units, &self.origin)
    }

    /// The landmark that an argument is.
    pub(super) fn landmark(&self, argument: &Argument) -> Option<Landmark> {
        self.path(&argument.units).landmark(&self.origin)
    }

    /// Whether the program is one of the system's: named without a path, or by a path into a folder for programs.
    pub(crate) fn is_of_the_system(&self) -> bool {
        let Some(program) = self.words.first().map(|word| Argument::new(word, self.live)) else {
            return false;
        };
        if !program.text.contains('/') {
            return true;
        }
        let path = self.path(&program.units);
        let Some(names) = path.names() else { return false };
        let absolute = path.absolute_text().is_some();
        let folder = names.len().checked_sub(2).and_then(|at| names.get(at));
        let own = names.first().is_some_and(|first| matches!(*first, "home" | "tmp" | "srv" | "opt" | "mnt"));
        absolute && !own && folder.is_some_and(|folder| PROGRAM_FOLDERS.contains(folder))
    }
}

/// No program is named like an option: `time -f %e rm`, where `time` is a program and no reserved word, and an `env` that
/// takes options behind assignments.
fn behind_options(words: &[Word]) -> &[Word] {
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        rest = match first.raw.as_str() {
            "-f" | "-o" => behind.get(1..).unwrap_or_default(),
            option if option.starts_with('-') && option.len() > 1 => behind,
            _ => break,
        };
    }
    rest
}

fn name(word: &Word) -> String {
    if let Some(text) = constant(word).filter(|text| !may_fold(text)) {
        return plain_name(&text);
    }
    // What is unset leaves the rest of the name, as in `r${x}m`; of a name that is all unknown nothing is left.
    let argument = Argument::new(word, false);
    let known: String = argument.text.chars().filter(|character| *character != UNKNOWN).collect();
    if known.is_empty() || known.ends_with('/') { String::new() } else { plain_name(&known) }
}

fn plain_name(path: &str) -> String {
    let base = base_name(path).to_lowercase();
    base.strip_suffix(".exe").map(str::to_owned).unwrap_or(base)
}
