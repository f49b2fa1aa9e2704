//! The rule for interpreters: code in an argument or on the input, a file, or a module.
//!
//! Promises that code which nobody can see is never harmless, and that a module of Python is judged as the program it is.
//! Knows nothing of what code does.

mod modules;
mod options;

use super::super::call::{Call, Input};
use super::super::findings::Findings;
use super::super::objects::shown;
use super::code::{self, Language};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Argument;
use crate::shell::tree::RedirectOperator;
use modules::{artisan, module, module_of_project, serves};
use options::{NODE, Options, is_glued_harmless, language};

/// Applies the rule.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let Some((language, options)) = language(call.program) else {
        other(call, findings);
        return;
    };
    let subcommand = call.arguments.first().map(|argument| argument.text.as_str());
    match (call.program, subcommand) {
        ("deno", Some("eval")) => {
            deno_code(call, findings);
            return;
        }
        ("deno" | "bun", Some("run")) => {
            runs_file(call, call.rest(), findings);
            return;
        }
        _ => {}
    }
    let mut code: Vec<&Argument> = Vec::new();
    let mut at = 0;
    let mut in_place = false;
    while let Some(argument) = call.arguments.get(at) {
        let text = argument.text.as_str();
        if text == "-" || !text.starts_with('-') {
            break;
        }
        at += 1;
        if text == "--" {
            break;
        }
        if options.checks.contains(&text) {
            call.does_plainly(
                Verb::Inspects,
                Some("it shows its version, settings or help, or checks the syntax"),
                findings,
            );
            if language == Language::Ruby && text.ends_with('c') {
                reads_rest(call, at, findings);
            }
            return;
        }
        match (language, text) {
            (Language::Python, "-m") => {
                module(call, at, findings);
                return;
            }
            (Language::Python, "-i") => {
                call.not_assessed("it waits for code", findings);
                return;
            }
            (Language::JavaScript, "--check" | "-c") if call.program == "node" => {
                call.does_plainly(Verb::Builds, Some("it checks the syntax"), findings);
                reads_rest(call, at, findings);
                return;
            }
            (Language::JavaScript, "--test" | "--watch") if call.program == "node" => {
                if text == "--test" {
                    call.does_plainly(Verb::Builds, Some("it runs the tests"), findings);
                    tests(call, at, findings);
                    return;
                }
                continue;
            }
            (Language::Php, "-l" | "--syntax-check") => {
                call.does_plainly(Verb::Builds, Some("it checks the syntax"), findings);
                reads_rest(call, at, findings);
                return;
            }
            (Language::Php, "-S") => {
                serves(call, at, findings);
                return;
            }
            (Language::Perl, "-c") => {
                // A check runs what stands in BEGIN.
                call.does_plainly(Verb::Runs, Some("a check runs the code at its start"), findings);
                return;
            }
            (Language::Perl | Language::Ruby, text)
                if text.starts_with("-i") || text.starts_with("-pi") || text.starts_with("-ni") =>
            {
                in_place = true;
                let ends_in_code = text.ends_with('e') && text.len() > 3;
                if ends_in_code {
                    code.extend(call.arguments.get(at));
                    at += 1;
                }
                continue;
            }
            _ => {}
        }
        let name = text.split('=').next().unwrap_or(text);
        if options.code.contains(&text) {
            code.extend(call.arguments.get(at));
            at += 1;
            if language == Language::Python {
                break;
            }
        } else if options.values.contains(&text) {
            at += 1;
        } else if options.harmless.contains(&text)
            || is_glued_harmless(language, text)
            || name.len() < text.len() && options.values.contains(&name)
        {
        } else if options
            .loads
            .iter()
            .any(|load| text == *load || name == *load || load.len() == 2 && text.starts_with(load))
        {
            call.does_plainly(Verb::Runs, Some("it loads code or settings in front of its own"), findings);
            at += usize::from(options.loads.contains(&text));
        } else if matches!(language, Language::Ruby | Language::Perl)
            && text.get(1..2).is_some_and(|letter| matches!(letter, "r" | "M" | "m"))
            && text.len() > 2
        {
            call.not_assessed(&format!("what the library of {} does is not known", shown(text)), findings);
        } else if !text.starts_with("--") && cluster(call, language, options, text, &mut at, &mut code) {
            in_place |= matches!(language, Language::Perl | Language::Ruby) && text.contains('i');
            if language == Language::Python && !code.is_empty() {
                break;
            }
        } else {
            call.not_assessed(&format!("the option {} is not known", shown(text)), findings);
            return;
        }
    }
    if !code.is_empty() {
        for argument in &code {
            code::add(call, language, &argument.text, findings);
        }
        operands(call, language, at, in_place, findings);
        return;
    }
    match call.arguments.get(at) {
        Some(argument) if !matches!(argument.text.as_str(), "-" | "/dev/stdin") => {
            runs_file(call, call.arguments.get(at..).unwrap_or_default(), findings);
        }
        Some(_) | None => standard_input(call, language, findings),
    }
}

/// Letters behind one dash, the last of which may take code.
fn cluster<'c>(
    call: &'c Call<'_>,
    language: Language,
    options: &Options,
    text: &str,
    at: &mut usize,
    code: &mut Vec<&'c Argument>,
) -> bool {
    let letters: Vec<char> = text.chars().skip(1).collect();
    let Some((last, rest)) = letters.split_last() else { return false };
    let is = |letter: char, names: &[&str]| names.contains(&format!("-{letter}").as_str());
    let flags = |letter: &char| {
        is(*letter, options.harmless)
            || matches!(language, Language::Perl | Language::Ruby) && letter.is_ascii_digit()
    };
    if !rest.iter().all(flags) {
        return false;
    }
    if is(*last, options.code) {
        code.extend(call.arguments.get(*at));
        *at += 1;
        true
    } else {
        flags(last)
    }
}

/// The code of `deno eval`.
fn deno_code(call: &Call<'_>, findings: &mut Findings) {
    match call.arguments.get(1..) {
        Some([code]) => code::add(call, Language::JavaScript, &code.text, findings),
        Some([option, code]) if matches!(option.text.as_str(), "-p" | "--print" | "--ext=ts") => {
            code::add(call, Language::JavaScript, &code.text, findings);
        }
        Some(_) | None => call.not_assessed("its options are not known", findings),
    }
}

/// Languages in which code is not read.
fn other(call: &Call<'_>, findings: &mut Findings) {
    let shows = |argument: &Argument| {
        matches!(argument.text.as_str(), "-v" | "-version" | "--version" | "-V" | "--help" | "-help" | "-h")
    };
    match call.arguments {
        [only] if shows(only) => {
            call.does_plainly(Verb::Inspects, Some("it shows its version or help"), findings)
        }
        [] => call.not_assessed("it waits for code", findings),
        [..] => call.does_plainly(Verb::Runs, None, findings),
    }
}

/// A file of code.
fn runs_file(call: &Call<'_>, arguments: &[Argument], findings: &mut Findings) {
    let file = arguments.iter().find(|argument| !argument.text.starts_with('-'));
    if matches!(call.program, "python" | "python3")
        && let Some(file) = file.filter(|file| matches!(file.text.as_str(), "setup.py" | "manage.py"))
    {
        module_of_project(call, file, arguments, findings);
        return;
    }
    match file {
        Some(file) if file.text == "artisan" => artisan(call, file, arguments, findings),
        Some(file) => call.does_to(Verb::Runs, &file.units, findings),
        None => call.does_plainly(Verb::Runs, None, findings),
    }
}

/// Files and folders of tests.
fn tests(call: &Call<'_>, at: usize, findings: &mut Findings) {
    let mut skip = false;
    for argument in call.arguments.get(at..).unwrap_or_default() {
        let text = argument.text.as_str();
        if std::mem::take(&mut skip) {
            continue;
        }
        let name = text.split('=').next().unwrap_or(text);
        if !text.starts_with('-') {
            call.does_to(Verb::Builds, &argument.units, findings);
        } else if NODE.values.contains(&text) {
            skip = true;
        } else if NODE.loads.contains(&name) || NODE.code.contains(&name) {
            call.does_plainly(Verb::Runs, Some("it loads code or settings in front of its own"), findings);
        }
    }
}

fn reads_rest(call: &Call<'_>, at: usize, findings: &mut Findings) {
    for argument in
        call.arguments.get(at..).unwrap_or_default().iter().filter(|argument| !argument.text.starts_with('-'))
    {
        call.does_to(Verb::Reads, &argument.units, findings);
    }
}

/// What stands behind inline code: files for Perl and Ruby, arguments for others.
fn operands(call: &Call<'_>, language: Language, at: usize, in_place: bool, findings: &mut Findings) {
    for argument in call.arguments.get(at..).unwrap_or_default() {
        match language {
            Language::Perl | Language::Ruby => {
                let magic = argument.text.contains(['|', '>', '<']);
                if magic {
                    call.not_assessed("an operand may be a command to it", findings);
                } else if in_place {
                    call.does_to(Verb::Writes, &argument.units, findings);
                } else {
                    call.does_to(Verb::Reads, &argument.units, findings);
                }
            }
            Language::Python | Language::JavaScript | Language::Php => {
                call.does_to(Verb::Reads, &argument.units, findings);
            }
        }
    }
}

/// A program on the input: a here-document is read, anything else is not there to be seen.
fn standard_input(call: &Call<'_>, language: Language, findings: &mut Findings) {
    match inline_input(call) {
        Some(code) => code::add(call, language, &code, findings),
        None if call.input == Input::Inherited && call.arguments.is_empty() => {
            call.not_assessed("it waits for code", findings);
        }
        None => call.does_plainly(Verb::Runs, Some("its code comes from its input"), findings),
    }
}

/// The text that stands in the last redirection of the input.
pub(super) fn inline_input(call: &Call<'_>) -> Option<String> {
    let last = call.segment.redirects.iter().rfind(|redirect| redirect.operator.as_str().starts_with('<'))?;
    match last.operator {
        RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
            last.heredoc.as_ref().map(|document| Argument::new(&document.body, false).text)
        }
        RedirectOperator::HereString => Some(Argument::new(&last.target, false).text),
        _ => None,
    }
}
