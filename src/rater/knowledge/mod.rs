//! What the built-in rater knows of programs, read from the family files beside this one.
//!
//! Promises one entry per program, read once. What is malformed is left out with its whole entry, so that the program is not
//! assessed; a test refuses such a file. Knows nothing of commands or ratings. The notation: `docs/rater-knowledge.md`.

mod entry;
mod notation;
mod resolve;
#[cfg(test)]
mod tests;
mod unnamed;
mod vocabulary;

pub(crate) use entry::{Level, Value};
pub(crate) use resolve::{Applied, Gap, GivenWord, Resolved, ValuePlace, resolve};
pub(crate) use unnamed::sounds_harmless;
pub(crate) use vocabulary::{Action, Effect, Objects, RuleName, Verb};

use notation::{Fault, Problem};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The family files by their names.
macro_rules! families {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!($name, ".txt"))),)*]
    };
}

/// The families.
const FAMILIES: &[(&str, &str)] = families![
    "archives"
    "audits"
    "c_family"
    "cloud"
    "containers"
    "coreutils"
    "data_platforms"
    "databases"
    "editors"
    "git"
    "go"
    "hardware"
    "jvm"
    "kubernetes"
    "measuring"
    "media_and_data"
    "network"
    "node"
    "other_languages"
    "packages"
    "python"
    "rust"
    "shell_builtins"
    "system"
    "tasks"
    "text"
];

/// The entries by program.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    programs: HashMap<&'static str, (usize, &'static str)>,
    entries: Vec<Level>,
    problems: Vec<Problem>,
}

static KNOWLEDGE: LazyLock<Knowledge> = LazyLock::new(|| Knowledge::read(FAMILIES));

/// What is known of a program, by its name without a folder.
pub(crate) fn entry(program: &str) -> Option<&'static Level> {
    KNOWLEDGE.entry(program)
}

impl Knowledge {
    fn read(families: &[(&'static str, &'static str)]) -> Self {
        let mut knowledge = Self::default();
        for (file, text) in families {
            let family = notation::read(file, text);
            knowledge.problems.extend(family.problems);
            for (line, names, level) in family.entries {
                for name in names {
                    if let Some((_, other)) = knowledge.programs.get(name) {
                        let fault = Fault::SecondEntry(name.to_owned(), other);
                        knowledge.problems.push(Problem { file, line, fault });
                    } else {
                        knowledge.programs.insert(name, (knowledge.entries.len(), file));
                    }
                }
                knowledge.entries.push(level);
            }
        }
        knowledge
    }

    fn entry(&self, program: &str) -> Option<&Level> {
        let find = |name: &str| self.programs.get(name).and_then(|(at, _)| self.entries.get(*at));
        if let Some(level) = find(program) {
            return Some(level);
        }
        // `python3.12` and `gcc-13` are known by the names without their versions.
        let is_version = |text: &str| text.chars().all(|letter| letter.is_ascii_digit() || letter == '.');
        let unversioned = program.rsplit_once('-').filter(|(_, end)| is_version(end) && !end.is_empty());
        let less = program.rsplit_once('.').filter(|(_, end)| is_version(end) && !end.is_empty());
        unversioned.or(less).and_then(|(name, _)| find(name))
    }
}
