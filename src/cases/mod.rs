//! Policy cases: what a policy must decide, written down and checked (`haltgate test FILE…`).
//!
//! Promises that a case runs through the same pure gate as a live call, with a rater that says what the case tells it,
//! and that a file which cannot be read as cases runs none of them. It must not know of servers, stores or clocks.
//!
//! A file is JSON with comments: `{ "cases": [ … ] }`. One case:
//!
//! | key | what it says |
//! |---|---|
//! | `name`, `why`, `source`, `strength` | notes; `name` and `strength` also select cases |
//! | `approvals`, `commands`, `mcpServers` | the policy, in the grammar of the configuration |
//! | `session` | how the session is opened: `session.rs` |
//! | `call`, or `calls` for a sequence | the calls and what happens between them: `steps.rs` |
//! | `rating` | what the rater says: `rating.rs`; absent means that none may be asked |
//! | `answers` | what humans answer: `answers.rs` |
//! | `expect`, or `expects` for a sequence | what must come of it: `expect.rs` |
//!
//! `answers`, and a list as `rating`, go to the calls one to one when there are as many of them as calls (`null` for a
//! call that needs none), else to whatever asks, in order.
//!
//! `expect` speaks of the last call. `expects` has one item per call, or one per call and answer in the order in which
//! they happen; `null` checks nothing. An answered call has two decisions, before the answer and after it; where
//! `expect` does not say which, either may meet it.

mod answers;
mod calls;
mod comparing;
mod expect;
mod file;
mod rating;
mod report;
mod run;
mod session;
mod steps;
#[cfg(test)]
mod tests;
mod words;

pub use file::{Case, CaseFile};
pub use run::Workings;

use crate::config::{Problem, Problems};
use comparing::{Checked, check};
use std::io::{self, Write};
use std::path::PathBuf;

/// Which cases run, and how the report looks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Only cases whose name contains this text, whatever the case of its letters.
    pub filter: Option<String>,
    /// Only cases with this `strength`, such as `must`.
    pub strength: Option<String>,
    /// The report is one JSON object instead of lines for people.
    pub json: bool,
}

/// How many cases passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many came out as expected.
    pub passed: usize,
    /// How many did not.
    pub failed: usize,
}

impl Summary {
    /// Whether every case passed; the command exits with 1 where one did not.
    #[must_use]
    pub fn all_passed(&self) -> bool {
        self.failed == 0
    }
}

/// Why no case ran, or their report was lost. The command exits with 2.
#[derive(Debug, thiserror::Error)]
pub enum CasesError {
    /// A file cannot be read as cases; everything that is wrong with all of them.
    #[error("{0}")]
    Unsound(#[from] Problems),
    /// A run without cases would look like a success.
    #[error("no case is selected; loosen the filter (there are {0} cases)")]
    NothingSelected(usize),
    /// The report could not be written.
    #[error("the report cannot be written: {0}")]
    Write(#[from] io::Error),
}

/// Runs the cases of some files and writes the report.
///
/// # Errors
/// See [`CasesError`]. A case that fails is no error.
pub fn run(
    files: &[PathBuf],
    options: &Options,
    workings: &Workings<'_>,
    out: &mut dyn Write,
) -> Result<Summary, CasesError> {
    let mut read = Vec::new();
    let mut problems: Vec<Problem> = Vec::new();
    for path in files {
        match CaseFile::read(path) {
            Ok(file) => read.push(file),
            Err(found) => problems.extend(found),
        }
    }
    let problems = Problems::new(problems);
    if problems.has_errors() {
        return Err(CasesError::Unsound(problems));
    }
    run_read(&read, options, workings, out)
}

/// Runs the cases of files that are already read and writes the report.
///
/// # Errors
/// [`CasesError::NothingSelected`] or [`CasesError::Write`].
pub fn run_read(
    files: &[CaseFile],
    options: &Options,
    workings: &Workings<'_>,
    out: &mut dyn Write,
) -> Result<Summary, CasesError> {
    let total = files.iter().map(|file| file.cases.len()).sum();
    let selected = files.iter().flat_map(|file| &file.cases).filter(|case| case.is_selected(options));
    let results: Vec<(&Case, Checked)> =
        selected.map(|case| (case, check(case, &run::play(case, workings)))).collect();
    if results.is_empty() {
        return Err(CasesError::NothingSelected(total));
    }
    let passed = results.iter().filter(|(_, checked)| checked.passed()).count();
    let summary = Summary { passed, failed: results.len().saturating_sub(passed) };
    if options.json {
        report::write_json(&results, summary, out)?;
    } else {
        let warnings: Vec<&Problem> = files.iter().flat_map(|file| &file.warnings).collect();
        report::write_text(&warnings, &results, summary, out)?;
    }
    Ok(summary)
}
