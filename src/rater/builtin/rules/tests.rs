//! Judges whole commands in a project, for the tests of the rules.

use crate::rater::builtin::judge;
use crate::shell::{Dialect, analyze};

/// Checks the outcome of each command: safe, destructive, catastrophic, attack, or not assessed.
pub(super) fn outcomes(rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (command, expected) in rows {
        let (found, reason) = judged(command);
        if found != *expected {
            wrong.push(format!("{command}\n  {found}, not {expected}: {reason}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Checks that all commands have one outcome.
pub(super) fn all_are(expected: &str, commands: &[&str]) {
    let rows: Vec<(&str, &str)> = commands.iter().map(|command| (*command, expected)).collect();
    outcomes(&rows);
}

/// Checks that no command is safe, however much of it is known.
pub(super) fn none_is_safe(commands: &[&str]) {
    let safe: Vec<&&str> = commands.iter().filter(|command| judged(command).0 == "safe").collect();
    assert!(safe.is_empty(), "{safe:?}");
}

/// The outcome of a command.
pub(super) fn outcome(command: &str) -> &'static str {
    judged(command).0
}

fn judged(command: &str) -> (&'static str, String) {
    let analysis = analyze(command, Dialect::Bash);
    let verdict = judge(&analysis, Some("/work/project"), Some("/home/dev"));
    let found = match verdict.cause {
        Some(_) => "not assessed",
        None => verdict.outcome.as_str(),
    };
    (found, verdict.reason)
}
