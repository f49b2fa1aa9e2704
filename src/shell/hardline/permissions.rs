//! Permissions, owners or attributes changed over the whole system.
//!
//! Promises to look at every operand, wherever mode and options stand. A home folder is the user's own and not looked at.

use super::Check;
use super::command::Invocation;
use super::options::Grammar;
use super::paths::Landmark;

/// Programs that change who may use files, and their options that take a value.
const PROGRAMS: &[(&str, Grammar)] = &[
    ("chmod", Grammar { short: "", long: &["--reference"] }),
    ("gchmod", Grammar { short: "", long: &["--reference"] }),
    ("chown", Grammar { short: "", long: &["--reference", "--from"] }),
    ("gchown", Grammar { short: "", long: &["--reference", "--from"] }),
    ("chgrp", Grammar { short: "", long: &["--reference", "--from"] }),
    (
        "setfacl",
        Grammar { short: "mMxX", long: &["--modify", "--modify-file", "--remove", "--remove-file", "--set"] },
    ),
    ("chattr", Grammar { short: "vp", long: &[] }),
];

/// Whether a command changes permissions all over the system.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    let (_, grammar) = PROGRAMS.iter().find(|(name, _)| command.named(&[name]).is_some())?;
    let parsed = command.parsed(*grammar);
    if parsed.asks_for_help() {
        return None;
    }
    // A mode such as `-rw` is read as letters here; only a capital R goes into folders.
    if !parsed.has('R', "--recursive") {
        return None;
    }
    let hit =
        parsed.operands.iter().filter_map(|operand| command.landmark(operand)).any(
            |landmark| match landmark {
                Landmark::Root | Landmark::System => true,
                Landmark::Home => false,
            },
        );
    hit.then_some(Check::SystemPermissions)
}
