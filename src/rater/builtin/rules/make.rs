//! The rule for `make`: targets and variables.
//!
//! Promises that a target builds unless its name says that it reaches out of the project. Knows nothing of what makefiles hold.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::shown;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, UNKNOWN, Unit};

/// Words in the names of targets that do more than build.
const REACHING: &[(&str, Verb, &str)] = &[
    ("deploy", Verb::Alters, "it deploys"),
    ("ssh", Verb::Sends, "it works on another machine"),
    ("helm", Verb::Alters, "it changes what is deployed"),
    ("data", Verb::Discards, "it changes data"),
    ("rotate", Verb::Alters, "it changes keys"),
    ("send", Verb::Sends, "it sends something"),
    ("cron", Verb::Persists, "it arranges for something to run later"),
    ("secrets", Verb::Reveals, "it works on secrets"),
    ("dump", Verb::Reveals, "it shows data"),
    ("scale", Verb::Alters, "it changes what is deployed"),
    ("kill", Verb::Stops, "it ends something"),
    ("cleandb", Verb::Discards, "it empties a database"),
    ("dropdb", Verb::Discards, "it drops a database"),
    ("distpublish", Verb::Alters, "it publishes"),
    ("redeploy", Verb::Alters, "it deploys"),
    ("undeploy", Verb::Alters, "it takes down what is deployed"),
    ("publish", Verb::Alters, "it publishes"),
    ("release", Verb::Alters, "it makes a release"),
    ("upload", Verb::Sends, "it uploads"),
    ("push", Verb::Sends, "it pushes"),
    ("ship", Verb::Alters, "it deploys"),
    ("promote", Verb::Alters, "it deploys"),
    ("rollback", Verb::Alters, "it changes what is deployed"),
    ("prod", Verb::Alters, "it names production"),
    ("production", Verb::Alters, "it names production"),
    ("staging", Verb::Alters, "it names a stage"),
    ("provision", Verb::Alters, "it sets up machines"),
    ("apply", Verb::Alters, "it changes what is deployed"),
    ("destroy", Verb::Discards, "it destroys"),
    ("drop", Verb::Discards, "it drops"),
    ("wipe", Verb::Discards, "it wipes"),
    ("nuke", Verb::Discards, "it wipes"),
    ("purge", Verb::Discards, "it wipes"),
    ("delete", Verb::Discards, "it deletes"),
    ("remove", Verb::Discards, "it removes"),
    ("reset", Verb::Discards, "it resets"),
    ("prune", Verb::Discards, "it prunes"),
    ("migrate", Verb::Alters, "it changes a database"),
    ("migration", Verb::Alters, "it changes a database"),
    ("seed", Verb::Alters, "it changes a database"),
    ("restore", Verb::Alters, "it changes data"),
    ("uninstall", Verb::Alters, "it takes software out of the system"),
    ("setup", Verb::Runs, "it sets up the machine"),
    ("bootstrap", Verb::Runs, "it sets up the machine"),
    ("login", Verb::Alters, "it logs in"),
    ("sudo", Verb::Raises, "it takes the rights of another user"),
    ("flash", Verb::Alters, "it writes a device"),
    ("sync", Verb::Runs, "what it brings into step is not known"),
    ("stop", Verb::Runs, "what it changes is not known"),
    ("down", Verb::Runs, "what it changes is not known"),
    ("up", Verb::Runs, "what it changes is not known"),
    ("pull", Verb::Runs, "what it changes is not known"),
    ("fetch", Verb::Runs, "what it changes is not known"),
    ("update", Verb::Runs, "what it changes is not known"),
    ("upgrade", Verb::Runs, "what it changes is not known"),
    ("backup", Verb::Runs, "what it changes is not known"),
    ("bump", Verb::Runs, "what it changes is not known"),
    ("clear", Verb::Runs, "what it changes is not known"),
    ("load", Verb::Alters, "it loads into the kernel or a device"),
    ("insmod", Verb::Alters, "it loads into the kernel"),
];

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let mut dry = false;
    let mut targets: Vec<&Argument> = Vec::new();
    let mut staged = false;
    let mut at = 0;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        at += 1;
        let next = call.arguments.get(at);
        match text {
            "--version" | "-v" | "--help" | "-h" => {
                call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
                return;
            }
            "-n" | "--dry-run" | "--just-print" | "--recon" | "-q" | "--question" => dry = true,
            "-C" | "--directory" | "-f" | "--file" | "--makefile" | "-I" | "--include-dir" => {
                at += 1;
                if let Some(next) = next {
                    place(call, text, next, findings);
                }
            }
            "-W" | "-o" | "--what-if" | "--old-file" | "--assume-old" | "--assume-new" | "--new-file" => {
                at += 1
            }
            "-j" | "-l" | "--jobs" | "--load-average" => {
                let number = |next: &Argument| {
                    next.text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
                        && !next.text.is_empty()
                };
                let computed =
                    |next: &Argument| next.is_dynamic() || next.text.contains(super::super::objects::SOME);
                at += usize::from(
                    next.is_some_and(|next| number(next) || computed(next) && !next.text.contains('=')),
                );
            }
            "-k"
            | "-s"
            | "-B"
            | "-p"
            | "-i"
            | "-e"
            | "-w"
            | "-r"
            | "-R"
            | "-S"
            | "-t"
            | "-d"
            | "--no-print-directory"
            | "--silent"
            | "--quiet"
            | "--keep-going"
            | "--always-make"
            | "--trace"
            | "--print-directory"
            | "--output-sync"
            | "--no-builtin-rules"
            | "--no-builtin-variables"
            | "--ignore-errors"
            | "--print-data-base"
            | "--touch"
            | "-O"
            | "--warn-undefined-variables"
            | "--debug"
            | "--stop"
            | "--no-keep-going" => {}
            "--eval" | "-E" => {
                at += 1;
                call.does_plainly(Verb::Runs, Some("it is given rules in an argument"), findings);
            }
            text if text.starts_with("--eval=") || text.starts_with("-E") => {
                call.does_plainly(Verb::Runs, Some("it is given rules in an argument"), findings);
            }
            text if text.starts_with("-C") || text.starts_with("-f") || text.starts_with("-I") => {
                let option = text.get(..2).unwrap_or_default();
                let part = Argument {
                    units: argument.behind(2).to_vec(),
                    text: text.get(2..).unwrap_or_default().to_owned(),
                    has_braces: false,
                };
                place(call, option, &part, findings);
            }
            text if text.starts_with("--directory=")
                || text.starts_with("--file=")
                || text.starts_with("--makefile=") =>
            {
                let from = text.split('=').next().map_or(0, |name| name.len() + 1);
                let part = Argument {
                    units: argument.behind(from).to_vec(),
                    text: text.get(from..).unwrap_or_default().to_owned(),
                    has_braces: false,
                };
                place(call, "-f", &part, findings);
            }
            text if is_number_option(text) => {}
            text if text.starts_with("--output-sync=") || text.starts_with("--debug=") => {}
            text if text.starts_with('-')
                && text.len() > 2
                && text.chars().skip(1).all(|letter| "ksBinqrRwdeStp".contains(letter)) =>
            {
                dry |= text.contains(['n', 'q']);
            }
            text if text.starts_with('-') => {
                let what = format!("the option {} is not known", shown(text));
                call.not_assessed(&what, findings);
            }
            text => match text.split_once('=') {
                Some((name, value)) => {
                    let units = argument.behind(name.chars().count() + 1);
                    staged |= matches!(name, "DESTDIR" | "PREFIX" | "prefix" | "INSTALL_PREFIX") && {
                        call.does_to(Verb::Writes, units, findings);
                        call.object(units).place == super::super::place::Place::Project
                    };
                    variable(call, name.trim_end_matches([':', '+', '?', '!']), value, units, findings);
                }
                None => targets.push(argument),
            },
        }
    }
    if dry {
        call.does_plainly(Verb::Inspects, Some("it only shows what it would run"), findings);
        return;
    }
    for target in &targets {
        self::target(call, &target.text, staged, findings);
    }
    call.does_plainly(Verb::Builds, None, findings);
}

/// `-j8`, `-j`, `--jobs=8`, `-l2.5`, `-Oline`.
fn is_number_option(text: &str) -> bool {
    let rest = ["--jobs=", "--load-average=", "-j", "-l"].iter().find_map(|start| text.strip_prefix(start));
    let number = |rest: &str| {
        rest.chars().all(|letter| {
            letter.is_ascii_digit()
                || matches!(letter, '.' | UNKNOWN)
                || letter == super::super::objects::SOME
        })
    };
    rest.is_some_and(number) || matches!(text, "-Oline" | "-Otarget" | "-Orecurse" | "-Onone")
}

/// The folder to work in, or the file of rules.
fn place(call: &Call<'_>, option: &str, argument: &Argument, findings: &mut Findings) {
    if argument.text == "-" && option != "-C" {
        call.does_plainly(Verb::Runs, Some("its rules come from its input"), findings);
    } else {
        call.does_to(Verb::Builds, &argument.units, findings);
    }
}

fn variable(call: &Call<'_>, name: &str, value: &str, units: &[Unit], findings: &mut Findings) {
    let code = value.contains(['`', ';', '|', '&', '>', '<'])
        || value.contains("$(")
        || value.contains("${")
        || units.contains(&Unit::Unknown);
    let program = matches!(
        name,
        "SHELL"
            | ".SHELLFLAGS"
            | "MAKE"
            | "MAKEFLAGS"
            | "MAKEFILES"
            | "GNUMAKEFLAGS"
            | "CC"
            | "CXX"
            | "LD"
            | "AR"
            | "AS"
            | "CPP"
            | "RM"
            | "INSTALL"
            | "PYTHON"
            | "NODE"
            | "GO"
            | "CARGO"
            | "SUDO"
            | "EDITOR"
            | "CMAKE"
    );
    if program
        && (value.contains(['/', ' ']) || matches!(name, "SHELL" | ".SHELLFLAGS" | "MAKEFLAGS" | "MAKEFILES"))
    {
        let note = format!("the variable {} names a program", shown(name));
        call.does_plainly(Verb::Runs, Some(&note), findings);
    } else if code {
        let what = format!("the value of {} may be a command", shown(name));
        call.not_assessed(&what, findings);
    }
}

fn target(call: &Call<'_>, name: &str, staged: bool, findings: &mut Findings) {
    if name.contains([UNKNOWN, super::super::objects::SOME]) {
        call.not_assessed("which target it makes will only be known when it runs", findings);
        return;
    }
    let lower = name.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    if lower == "install" || lower.starts_with("install-") {
        let only_tools = matches!(lower.as_str(), "install-hooks");
        if only_tools || !staged {
            call.does_plainly(
                Verb::Installs,
                Some("into the system or the project, as its rules say"),
                findings,
            );
        }
        return;
    }
    let has = |words: &[&str]| parts.iter().any(|part| words.contains(part));
    let built = has(&["build", "test"]);
    let reaching = parts.iter().find_map(|part| {
        let kind = built && matches!(*part, "release" | "prod" | "production" | "staging" | "migration");
        REACHING.iter().find(|(word, _, _)| word == part && !kind)
    });
    let check = has(&["dry", "check", "lint"]);
    if let Some((_, verb, note)) = reaching.filter(|_| !check) {
        let note = format!("the target {} says that {note}", shown(name));
        call.does_plainly(*verb, Some(&note), findings);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::outcomes;

    #[test]
    fn targets_build_unless_their_names_say_more() {
        outcomes(&[
            ("make", "safe"),
            ("make -j8 test", "safe"),
            ("make -j \"$(nproc)\" all", "safe"),
            ("make clean all", "safe"),
            ("make CC=clang CFLAGS=-Wall check", "safe"),
            ("make -C src lint", "safe"),
            ("make -n deploy", "safe"),
            ("make install DESTDIR=$PWD/stage", "safe"),
            ("make build-release", "safe"),
            ("make deploy", "destructive"),
            ("make docker-push", "destructive"),
            ("make install", "destructive"),
            ("make db-reset", "destructive"),
            ("make SHELL=/tmp/x all", "destructive"),
            ("make --eval='$(shell ./x.sh)'", "destructive"),
            ("make -C /opt/other", "destructive"),
            ("make -f /tmp/Makefile", "destructive"),
            ("make \"$TARGET\"", "not assessed"),
            ("make --frob", "not assessed"),
            ("make X='$(shell id)'", "not assessed"),
        ]);
    }
}
