//! Ending every process.
//!
//! Promises to tell a signal (`kill -1 4321`) from the process number that means all of them (`kill -9 -1`).

use super::Check;
use super::command::Invocation;
use super::options::Grammar;

/// Patterns that match the name of every process.
const EVERY_NAME: &[&str] = &["", ".", ".*", "^", ".+", "*"];

/// Whether a command ends every process.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    let found = match command.program.as_str() {
        "kill" => kills_all(command),
        "killall5" => true,
        "pkill" => {
            let parsed = command.parsed(Grammar {
                short: "gGPsstuUFqr",
                long: &[
                    "--signal",
                    "--pgroup",
                    "--group",
                    "--parent",
                    "--session",
                    "--terminal",
                    "--euid",
                    "--uid",
                ],
            });
            let narrowed = parsed.flags.iter().any(|flag| {
                ["-g", "-G", "-P", "-s", "-t", "-u", "-U", "-F", "--help"].contains(&flag.name.as_str())
                    || ["--pgroup", "--group", "--parent", "--session", "--terminal", "--euid", "--uid"]
                        .contains(&flag.name.as_str())
            });
            !narrowed && parsed.operands.iter().any(|name| EVERY_NAME.contains(&name.text.as_str()))
        }
        "killall" => {
            let parsed = command.parsed(Grammar { short: "suyoZn", long: &["--signal", "--user"] });
            parsed.has('r', "--regexp")
                && !parsed.has('u', "--user")
                && parsed.operands.iter().any(|name| EVERY_NAME.contains(&name.text.as_str()))
        }
        _ => false,
    };
    found.then_some(Check::KillAll)
}

fn kills_all(command: &Invocation<'_>) -> bool {
    let mut arguments = command.arguments().iter().map(|argument| argument.text.as_str());
    let Some(first) = arguments.next() else { return false };
    match first {
        "-l" | "-L" | "--list" | "--table" | "--help" | "--version" | "-V" | "-h" => return false,
        "-s" | "-n" | "-q" | "--signal" | "--queue" => {
            arguments.next();
        }
        _ => {}
    }
    // The first word that starts with a dash is the signal; from then on `-1` is a process number.
    let rest: Vec<&str> = arguments.collect();
    let options_first = first == "--" || first.starts_with('-');
    options_first && rest.contains(&"-1")
}
