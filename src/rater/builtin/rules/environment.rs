//! The rule for `env`, `printenv`, `export` and their like: variables, and a command behind them.
//!
//! Promises that each variable is judged as an assignment is, and that showing all of them is never harmless. Knows nothing of
//! the command behind them: it is judged by itself.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::shown;
use super::super::variables::{self, is_environment_secret};
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, UNKNOWN, text_of};

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    if let Some(units) = call.value {
        let text = text_of(units);
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        assigned(call, name, value, findings);
        return;
    }
    match call.program {
        "env" | "genv" => env(call, findings),
        "printenv" | "gprintenv" => printenv(call, findings),
        "setenv" => match call.arguments {
            [name, value] => assigned(call, &name.text, &value.text, findings),
            [name] => assigned(call, &name.text, "", findings),
            [..] => whole(call, findings),
        },
        _ => declaring(call, findings),
    }
}

fn assigned(call: &Call<'_>, name: &str, value: &str, findings: &mut Findings) {
    if name.contains(UNKNOWN) {
        call.not_assessed("which variable it sets will only be known when it runs", findings);
    } else {
        variables::set(name, Some(value), true, findings);
    }
}

fn whole(call: &Call<'_>, findings: &mut Findings) {
    findings.add(Outcome::Destructive, || {
        format!("{} shows the whole environment, in which secrets may be.", shown(call.program))
    });
}

fn shows(call: &Call<'_>, name: &str, findings: &mut Findings) {
    if name.contains(UNKNOWN) {
        call.not_assessed("which variable it shows will only be known when it runs", findings);
    } else if is_environment_secret(name) {
        let note = format!("the variable {}", shown(name));
        call.does_plainly(Verb::Exposes, Some(&note), findings);
    } else {
        call.does_plainly(Verb::Inspects, Some("a variable"), findings);
    }
}

/// Whether a word assigns: `NAME=VALUE`.
fn assignment(argument: &Argument) -> Option<(&str, &str)> {
    let (name, value) = argument.text.split_once('=')?;
    let named = !name.is_empty() && !name.starts_with('-');
    named.then_some((name, value))
}

fn env(call: &Call<'_>, findings: &mut Findings) {
    let mut at = 0;
    let mut cleared = false;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        match text {
            "-i" | "-" | "--ignore-environment" => cleared = true,
            "-0" | "--null" | "-v" | "--debug" => {}
            "-u" | "--unset" => at += 1,
            "-C" | "--chdir" => at += 1,
            "--" => {
                at += 1;
                break;
            }
            "--version" | "--help" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            text if text.starts_with("--unset=")
                || text.starts_with("--chdir=")
                || text.starts_with("-u") => {}
            "-S" | "--split-string" => {
                split(call, findings);
                return;
            }
            text if text.starts_with("-S")
                || text.starts_with("--split-string=")
                || text.starts_with("-vS") =>
            {
                split(call, findings);
                return;
            }
            text if text.starts_with('-') => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
                return;
            }
            _ => break,
        }
        at += 1;
    }
    while let Some((name, value)) = call.arguments.get(at).and_then(assignment) {
        assigned(call, name, value, findings);
        at += 1;
    }
    match call.arguments.get(at) {
        Some(_) if call.segment.carries_code => {
            call.does_plainly(Verb::Wraps, None, findings);
        }
        Some(_) => call.not_assessed("where the command that it runs starts is not known", findings),
        None if cleared => call.does_plainly(Verb::Inspects, Some("what it sets itself"), findings),
        None => whole(call, findings),
    }
}

/// The words in the value of `-S` are a command that the reader of the text has already looked for.
fn split(call: &Call<'_>, findings: &mut Findings) {
    if call.segment.carries_code {
        call.does_plainly(Verb::Wraps, None, findings);
    } else {
        call.not_assessed("its command stands in one word", findings);
    }
}

fn printenv(call: &Call<'_>, findings: &mut Findings) {
    let mut some = false;
    for argument in call.arguments {
        match argument.text.as_str() {
            "-0" | "--null" => {}
            "--version" | "--help" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            name => {
                some = true;
                shows(call, name, findings);
            }
        }
    }
    if !some {
        whole(call, findings);
    }
}

/// `export`, `declare` and their like.
fn declaring(call: &Call<'_>, findings: &mut Findings) {
    let mut functions = false;
    let mut prints = false;
    let mut names: Vec<&Argument> = Vec::new();
    for argument in call.arguments {
        let text = argument.text.as_str();
        if text == "--" {
            continue;
        }
        match text.strip_prefix(['-', '+']) {
            Some(letters)
                if names.is_empty() && letters.chars().all(|letter| "aAfFgiIlnprtuxU".contains(letter)) =>
            {
                functions |= letters.contains(['f', 'F']);
                prints |= letters.contains('p');
            }
            Some(_) if names.is_empty() => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
                return;
            }
            _ => names.push(argument),
        }
    }
    let own = matches!(call.program, "local" | "readonly" | "integer" | "float");
    if names.is_empty() && !functions && !own {
        whole(call, findings);
        return;
    }
    for argument in names {
        match assignment(argument) {
            Some((name, value)) => assigned(call, name.trim_end_matches('+'), value, findings),
            None if prints && !functions => shows(call, &argument.text, findings),
            None if argument.text.contains(UNKNOWN) => {
                call.not_assessed("which variable it sets will only be known when it runs", findings);
            }
            None => {}
        }
    }
    call.does_plainly(Verb::Nothing, Some("it names variables or functions"), findings);
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn variables_are_judged_by_their_names_and_the_whole_environment_is_never_harmless() {
        outcomes(&[
            ("env", "destructive"),
            ("printenv", "destructive"),
            ("export -p", "destructive"),
            ("declare -x", "destructive"),
            ("printenv PATH", "safe"),
            ("printenv GITHUB_TOKEN", "attack"),
            ("declare -p AWS_SECRET_ACCESS_KEY", "attack"),
            ("env FOO=1 ls", "safe"),
            ("env -i FOO=1 ls", "safe"),
            ("env -u X -C src ls", "safe"),
            ("env FOO=1 rm -rf build", "destructive"),
            ("env LD_PRELOAD=./x.so ls", "destructive"),
            ("env -S 'ls -la'", "safe"),
            ("env --frob ls", "not assessed"),
            ("export NODE_ENV=test", "safe"),
            ("export LD_PRELOAD=/tmp/x.so", "destructive"),
            ("declare -a list", "safe"),
            ("export HISTFILE=/dev/null", "attack"),
        ]);
    }
}
