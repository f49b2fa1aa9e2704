//! `haltgate test`: do the policy cases come out as expected?
//!
//! Promises exit code 1 where one does not. Knows nothing of how cases are written or played.

use super::exit::Exit;
use super::failure::Failure;
use super::gate::refused;
use super::output;
use crate::cases::{self, CasesError, Options, Workings};
use crate::gate::Floors;
use crate::rater::BuiltIn;
use clap::Args;
use std::path::PathBuf;

/// The options of the command.
#[derive(Debug, Args)]
#[command(after_help = "\
A case file is JSON with comments: `cases`, each with a policy, a call and what is expected.
Exit codes: 0 all came out as expected, 1 one did not, 2 usage or fault

Examples:
  haltgate test policies/cases.json
  haltgate test tests/*.json --filter publish --json")]
pub(super) struct TestOptions {
    /// The case files
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only cases whose name contains this text
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Only cases of this strength, such as must
    #[arg(long, value_name = "STRENGTH")]
    strength: Option<String>,
    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

impl TestOptions {
    /// Runs the command.
    ///
    /// # Errors
    /// The files are no case files, or no case is selected.
    pub(super) fn run(self) -> Result<Exit, Failure> {
        let options = Options { filter: self.filter, strength: self.strength, json: self.json };
        let workings =
            Workings { floors: Floors::default(), builtin: &|request| Ok(BuiltIn::judge(request)) };
        let mut report = Vec::new();
        let summary =
            cases::run(&self.files, &options, &workings, &mut report).map_err(|error| match error {
                CasesError::Unsound(problems) => refused(&problems),
                CasesError::NothingSelected(_) | CasesError::Write(_) => Failure::new(error.to_string()),
            })?;
        output::write(&String::from_utf8_lossy(&report))?;
        Ok(if summary.all_passed() { Exit::Good } else { Exit::Bad })
    }
}
