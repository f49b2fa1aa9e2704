//! What the hardline floor refuses and what it must let pass, as tables.

mod corpus;
mod deletion;
mod destruction;
mod exfiltration;
mod hostile;
mod indirect;
mod reference;

use super::{Check, Surroundings, find};
use crate::shell::{Dialect, analyze};

/// What the floor says of a command in `/srv/app` with the home `/home/dev`.
fn judged(command: &str) -> Option<Check> {
    judged_in(command, "/srv/app")
}

fn judged_in(command: &str, folder: &str) -> Option<Check> {
    find(&analyze(command, Dialect::Bash), Surroundings { folder: Some(folder), home: Some("/home/dev") })
}

fn all_are(expected: Option<Check>, commands: &[&str]) {
    let wrong: Vec<String> = commands
        .iter()
        .filter_map(|command| {
            let found = judged(command);
            (found != expected).then(|| format!("{command:?}: {found:?}"))
        })
        .collect();
    assert!(wrong.is_empty(), "expected {expected:?} of\n{}", wrong.join("\n"));
}

fn all_are_refused(commands: &[&str]) {
    let wrong: Vec<&&str> = commands.iter().filter(|command| judged(command).is_none()).collect();
    assert!(wrong.is_empty(), "let pass: {wrong:#?}");
}

fn all_pass(commands: &[&str]) {
    all_are(None, commands);
}
