//! The rule for shells: code in an argument or on the input, or a file.
//!
//! Promises that code which the reader of the text has looked into is judged by itself, and any other is not seen. Knows nothing
//! of what the code does.

use super::super::call::{Call, Input};
use super::super::findings::Findings;
use super::super::objects::shown;
use super::interpreter::inline_input;
use crate::rater::knowledge::Verb;

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let mut at = 0;
    let mut only_checks = false;
    let mut from_input = false;
    let mut interactive = false;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        at += 1;
        match text {
            "--" => break,
            "-" => break,
            "--version" | "--help" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            "--login" | "--noprofile" | "--norc" | "--posix" | "--verbose" | "--no-rcs" | "--no-config"
            | "--private" | "--restricted" => {}
            "-o" | "+o" | "-O" | "+O" => at += 1,
            "--rcfile" | "--init-file" | "--init-command" | "-C" if text.starts_with("--") => {
                call.does_plainly(Verb::Runs, Some("a file of settings"), findings);
                at += 1;
            }
            text if text.starts_with("--") || !text.starts_with(['-', '+']) => {
                if text.starts_with('-') {
                    let what = format!("the option {} is not known", shown(text));
                    call.not_assessed(&what, findings);
                    return;
                }
                at -= 1;
                break;
            }
            letters => {
                let letters = letters.get(1..).unwrap_or_default();
                if letters.contains('c') {
                    code(call, findings);
                    return;
                }
                if !letters.chars().all(|letter| "abefhiklmnprstuvxBEHPTlo".contains(letter)) {
                    let what = format!("the option {} is not known", shown(text));
                    call.not_assessed(&what, findings);
                    return;
                }
                only_checks |= letters.contains('n');
                from_input |= letters.contains('s');
                interactive |= letters.contains('i');
                at += usize::from(letters.ends_with('o'));
            }
        }
    }
    let file = call.arguments.get(at).filter(|_| !from_input);
    match file {
        Some(_) if only_checks => {
            call.does_plainly(Verb::Builds, Some("it checks the syntax"), findings);
            for file in call.arguments.get(at..at + 1).unwrap_or_default() {
                call.does_to(Verb::Reads, &file.units, findings);
            }
        }
        Some(file) => call.does_to(Verb::Runs, &file.units, findings),
        None if only_checks => call.does_plainly(Verb::Builds, Some("it checks the syntax"), findings),
        None if inline_input(call).is_some() => call.does_plainly(Verb::Wraps, None, findings),
        None if call.input == Input::Inherited || interactive => {
            call.not_assessed("it waits for commands", findings)
        }
        None => call.not_assessed("its commands come from its input", findings),
    }
}

/// `-c`: the code is commands of its own where it was read.
fn code(call: &Call<'_>, findings: &mut Findings) {
    if call.segment.carries_code {
        call.does_plainly(Verb::Wraps, None, findings);
    } else {
        call.not_assessed("the code that it is given cannot be read", findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn code_of_a_shell_is_judged_where_it_is_seen_and_otherwise_never_harmless() {
        outcomes(&[
            ("bash -c 'git status && ls'", "safe"),
            ("bash -lc 'cargo test'", "safe"),
            ("sh -n scripts/release.sh", "safe"),
            ("bash --version", "safe"),
            ("bash <<'EOF'\ngit status\nls -la\nEOF", "safe"),
            ("bash -c 'rm -rf build'", "destructive"),
            ("sh <<< 'rm -rf dist'", "destructive"),
            ("bash scripts/setup.sh", "not assessed"),
            ("bash -c \"$(cat script.txt)\"", "not assessed"),
            ("cat script.sh | bash", "not assessed"),
            ("bash", "not assessed"),
            ("bash -i", "not assessed"),
            ("sh -c 'cd /; rm -rf home'", "catastrophic"),
        ]);
    }
}
