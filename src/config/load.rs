//! From files, variables and flags to a configuration.
//!
//! Promises all problems of all files at once, or a configuration without any. Knows nothing of when it is called.

use super::chain::{Chain, EXTENDS, Looked};
use super::configuration::Configuration;
use super::document::Document;
use super::overrides::{Overrides, PROFILE_FLAG};
use super::problem::{Origin, Problem, Problems};
use std::path::{Path, PathBuf};

/// Where a configuration comes from.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The folder in which the default files are looked for; empty for the working directory.
    pub folder: PathBuf,
    /// Variables and flags, the name of the file among them.
    pub overrides: Overrides,
}

/// A configuration with the files that it comes from.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The configuration.
    pub configuration: Configuration,
    /// The files, each behind the ones that it extends; empty for the defaults.
    pub files: Vec<PathBuf>,
    /// What is odd and still works.
    pub warnings: Problems,
    /// What was looked at, so that a watch starts from what was loaded and not from what is there later.
    pub(super) seen: Seen,
}

/// What an attempt to load looked at.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// The file that the others hang on.
    pub(super) root: Option<PathBuf>,
    /// Everything that was looked at.
    pub(super) looked: Looked,
}

/// Loads a configuration: the defaults, then the files from the lowest to the highest, then variables and flags.
///
/// # Errors
/// Everything that is wrong, in all files. A named file that is missing is an error; a missing default file is not.
pub fn load(source: &Source) -> Result<Loaded, Problems> {
    attempt(source).0
}

/// A configuration from one text alone: no files, variables or flags. `name` is what reports call it.
///
/// # Errors
/// Everything that is wrong with it.
pub fn parse(name: &str, text: &str) -> Result<Configuration, Problems> {
    let document = Document::parse(name, text).map_err(Problems::new)?;
    let mut configuration = Configuration::default();
    let mut problems = configuration.lay(&document, Path::new(""));
    if document.value().get(EXTENDS).is_some() {
        let message = "names other files, and this text stands alone; write their settings here".to_owned();
        problems.push(Problem::error(Some(document.origin(EXTENDS)), EXTENDS, message));
    }
    problems.extend(configuration.contradictions());
    problems.extend(configuration.unguarded(listening(&document)));
    let problems = Problems::new(problems);
    if problems.has_errors() { Err(problems) } else { Ok(configuration) }
}

/// As [`load`], with what was looked at even where it failed.
pub(super) fn attempt(source: &Source) -> (Result<Loaded, Problems>, Seen) {
    let chain = Chain::read(source.overrides.config.as_deref(), &source.folder);
    let seen = Seen { root: chain.root, looked: chain.looked };
    let mut problems = chain.problems;
    let mut configuration = Configuration::default();
    let mut files = Vec::with_capacity(chain.documents.len());
    let mut listened = None;
    for (path, document) in chain.documents {
        listened = listening(&document).or(listened);
        problems.extend(configuration.lay(&document, path.parent().unwrap_or(Path::new(""))));
        files.push(path);
    }
    if let Some(profile) = &source.overrides.rater {
        // A block on top of the others, so that it is checked and merged as one.
        let block = serde_json::json!({ "approvals": { "rater": profile } }).to_string();
        match Document::parse(PROFILE_FLAG, &block) {
            Ok(document) => problems.extend(configuration.lay(&document, Path::new(""))),
            Err(problem) => problems.extend(problem),
        }
    }
    problems.extend(configuration.contradictions());
    configuration.apply(&source.overrides);
    problems.extend(configuration.unguarded(listened.filter(|_| source.overrides.listen.is_none())));
    let problems = Problems::new(problems);
    if problems.list().iter().any(Problem::is_error) {
        (Err(problems), seen)
    } else {
        (Ok(Loaded { configuration, files, warnings: problems, seen: seen.clone() }), seen)
    }
}

/// Where a document says what is listened on, if it does.
fn listening(document: &Document) -> Option<Origin> {
    document.value().pointer("/server/listen").map(|_| document.origin("server.listen"))
}
