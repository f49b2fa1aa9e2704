//! Judges whole commands in a project, for the tests of the rules.

use crate::rater::builtin::judge;
use crate::shell::{Dialect, analyze};

/// Checks the outcome of each command: safe, destructive, catastrophic, attack, or not assessed.
pub(super) fn outcomes(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (command, expected) in rows {
        let analysis = analyze(command, Dialect::Bash);
        let verdict = judge(&analysis, Some("/work/project"), Some("/home/dev"));
        let found = match verdict.cause {
            Some(_) => "not assessed",
            None => verdict.outcome.as_str(),
        };
        if found != *expected {
            wrong.push(format!("{command}\n  {found}, not {expected}: {}", verdict.reason));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
