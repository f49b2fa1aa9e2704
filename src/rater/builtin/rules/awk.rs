//! `awk` and its family: where the program stands, what it does besides computing, and which files it reads.
//!
//! Promises that a program that cannot be read to its end is not assessed. The language itself: [`awk_program`].
//!
//! [`awk_program`]: super::awk_program

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::variables::is_environment_secret;
use super::awk_program::{Does, read as read_program};
use super::options::{Row, Takes, read};
use super::text;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Unit, text_of};

const OPTIONS: &[Row] = &[
    ('f', "file", Takes::Value),
    ('F', "field-separator", Takes::Value),
    ('v', "assign", Takes::Value),
    ('e', "source", Takes::Value),
    ('i', "include", Takes::Value),
    ('l', "load", Takes::Value),
    ('E', "exec", Takes::Value),
    ('b', "characters-as-bytes", Takes::Nothing),
    ('c', "traditional", Takes::Nothing),
    ('C', "copyright", Takes::Nothing),
    ('d', "dump-variables", Takes::Glued),
    ('k', "csv", Takes::Nothing),
    ('L', "lint", Takes::Glued),
    ('M', "bignum", Takes::Nothing),
    ('N', "use-lc-numeric", Takes::Nothing),
    ('n', "non-decimal-data", Takes::Nothing),
    ('o', "pretty-print", Takes::Glued),
    ('O', "optimize", Takes::Nothing),
    ('p', "profile", Takes::Glued),
    ('P', "posix", Takes::Nothing),
    ('r', "re-interval", Takes::Nothing),
    ('s', "no-optimize", Takes::Nothing),
    ('S', "sandbox", Takes::Nothing),
    ('t', "lint-old", Takes::Nothing),
    ('V', "version", Takes::Nothing),
    ('h', "help", Takes::Nothing),
];
/// Commands that only arrange or count lines, or tell the time.
const HARMLESS: &[&str] =
    &["sort", "uniq", "wc", "cat", "column", "nl", "head", "tail", "tac", "date", "rev"];

/// What `awk` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let given = read(call.arguments, 0, OPTIONS, true);
    if given.asks_for_help || given.has("version") || given.has("help") {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    if !text::is_plain(call) {
        call.not_assessed("its program has characters that can be taken for others", findings);
    }
    let mut operands: Vec<usize> = given.operands().collect();
    let mut programs: Vec<(usize, &[Unit])> = Vec::new();
    let mut from_file = false;
    let mut in_place = false;
    for option in given.options() {
        match (option.name, option.value) {
            ("source", Some(value)) => programs.push((option.at, value)),
            ("file" | "exec", Some(file)) => {
                from_file = true;
                call.does_to(Verb::Reads, file, findings);
                call.does(
                    Verb::Runs,
                    &call.object(file),
                    Some("the program in it can run commands"),
                    findings,
                );
            }
            ("include", Some(file)) if text_of(file) == "inplace" => in_place = true,
            ("include" | "load", Some(file)) => {
                call.does(Verb::Runs, &call.object(file), Some("it is loaded as code"), findings);
            }
            ("dump-variables" | "pretty-print" | "profile", Some(file)) => {
                call.does_to(Verb::Writes, file, findings);
            }
            ("dump-variables" | "pretty-print" | "profile", None) => {
                call.does(Verb::Creates, &call.here(), None, findings);
            }
            _ => {}
        }
    }
    if programs.is_empty() && !from_file {
        if operands.is_empty() {
            call.not_assessed("it has no program", findings);
            return;
        }
        let at = operands.remove(0);
        programs.extend(call.arguments.get(at).map(|argument| (at, argument.units.as_slice())));
    }
    for (at, units) in programs {
        let Some(program) = text::of(call, at, units) else {
            call.not_assessed("a part of its program will only be known when it runs", findings);
            continue;
        };
        match read_program(&program) {
            Ok(does) => add(call, &does, findings),
            Err(gap) => call.not_assessed(gap, findings),
        }
    }
    if operands.is_empty() {
        call.does_plainly(Verb::Reads, None, findings);
    }
    for argument in operands.iter().filter_map(|at| call.arguments.get(*at)) {
        call.does_to(Verb::Reads, &argument.units, findings);
        if in_place {
            call.does_to(Verb::Writes, &argument.units, findings);
        }
    }
}

fn add(call: &Call<'_>, does: &[Does], findings: &mut Findings) {
    let connects = does.contains(&Does::Connect);
    for one in does {
        match one {
            Does::Run(Some(command)) if is_harmless(command) => {
                call.does_plainly(Verb::Wraps, None, findings);
            }
            Does::Run(_) => {
                call.does_plainly(Verb::Runs, Some("its program runs a shell command"), findings);
                if connects {
                    findings.add(Outcome::Attack, || "It hands a shell to another machine.".to_owned());
                }
            }
            Does::Read(file) if is_constant(file) => call.does_to(Verb::Reads, &text::pieces(file), findings),
            Does::Write(file) if is_constant(file) => {
                call.does_to(Verb::Writes, &text::pieces(file), findings);
            }
            Does::Read(_) | Does::Write(_) => {
                call.not_assessed("which file its program uses is spelled with escapes", findings);
            }
            Does::Variable(name) if !is_constant(name) => {
                call.not_assessed("which variable its program looks at is spelled with escapes", findings);
            }
            Does::Variable(name) if is_environment_secret(name) => {
                call.does_plainly(Verb::Exposes, Some("a secret variable of the environment"), findings);
            }
            Does::Variable(_) => call.does_plainly(Verb::Reads, None, findings),
            Does::Connect => {
                call.does_plainly(Verb::Sends, Some("its program opens a connection"), findings);
            }
            Does::Load => {
                call.does_plainly(Verb::Runs, Some("its program loads or calls more code"), findings)
            }
        }
    }
}

fn is_constant(text: &str) -> bool {
    !text.contains('\0')
}

/// Whether a command of a program does nothing but arrange lines.
fn is_harmless(command: &str) -> bool {
    let mut words = command.split_whitespace();
    let Some(program) = words.next().filter(|program| HARMLESS.contains(program)) else { return false };
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-+%:,.".contains(letter);
    words.all(|word| {
        let dashed = word.starts_with('-') || (word.starts_with('+') && program == "date");
        let writes = match program {
            "sort" => word.contains(['o', 'T']) || word.starts_with("--"),
            "date" => word.starts_with('-') && word != "-u",
            _ => word.starts_with("--"),
        };
        word.chars().all(plain)
            && !writes
            && (dashed || word.bytes().all(|byte| byte.is_ascii_digit() || byte == b','))
    })
}
