//! Which program a command is: one that the knowledge base knows, one of the project, or one that nobody knows.
//!
//! Promises that a program that is named by its path counts as a known one only where its folder says so. Knows nothing of
//! arguments.

use super::place::{Grounds, Place};
use crate::rater::knowledge::{self, Level};
use crate::shell::hardline::{Argument, Origin, Path, UNKNOWN};

/// Which program a command is.
#[derive(Debug, Clone)]
pub(super) enum Program {
    /// The knowledge base knows it.
    Known(&'static Level),
    /// A file that is run, and nobody knows what it does.
    File,
    /// The knowledge base does not know it.
    Unheard,
}

/// Folders of a system in which its programs lie.
const FOLDERS: &[&[&str]] = &[
    &["bin"],
    &["sbin"],
    &["usr", "bin"],
    &["usr", "sbin"],
    &["usr", "local", "bin"],
    &["usr", "local", "sbin"],
    &["opt", "homebrew", "bin"],
    &["snap", "bin"],
    &["run", "current-system", "sw", "bin"],
    &["usr", "lib", "git-core"],
    &["usr", "libexec"],
];
/// Folders of a project in which its package managers put programs.
const OWN_FOLDERS: &[&[&str]] = &[
    &["node_modules", ".bin"],
    &[".venv", "bin"],
    &["venv", "bin"],
    &["env", "bin"],
    &["vendor", "bin"],
    &[".tox"],
];
/// Programs that stand in a project itself, and that the knowledge base knows by their names.
const OF_PROJECTS: &[&str] = &[
    "gradlew",
    "mvnw",
    "bazelisk",
    "sbt",
    "pants",
    "buck2",
    "rebar3",
    "mill",
    "rails",
    "rake",
    "rspec",
    "bundle",
    "configure",
    "config.status",
    "autogen.sh",
    "manage.py",
];

/// Which program the command word names.
pub(super) fn program(word: &Argument, name: &str, origin: &Origin, grounds: &Grounds) -> Program {
    if !word.text.contains(['/', UNKNOWN]) {
        return match knowledge::entry(name) {
            Some(level) => Program::Known(level),
            None => Program::Unheard,
        };
    }
    let path = Path::resolve(&word.units, origin);
    let names = path.names().unwrap_or_default();
    let folder = names.split_last().map(|(_, folder)| folder).unwrap_or_default();
    let of_system = path.absolute_text().is_some() && FOLDERS.contains(&folder);
    let place = grounds.place(&path);
    let of_project = matches!(place, Place::Project | Place::Hook)
        && (OWN_FOLDERS.iter().any(|own| folder.ends_with(own)) || OF_PROJECTS.contains(&name));
    match knowledge::entry(name) {
        Some(level) if of_system || of_project => Program::Known(level),
        Some(_) | None => Program::File,
    }
}
