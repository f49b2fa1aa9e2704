//! Modules that an interpreter runs as programs, and the files of code that every project of a kind has.
//!
//! Promises that a module of which nothing is known runs unseen code. Knows nothing of inline code beyond that it is judged.

use super::super::code::{self, Language};
use super::options::language;
use super::reads_rest;
use crate::rater::builtin::call::Call;
use crate::rater::builtin::findings::Findings;
use crate::rater::builtin::place::Place;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, UNKNOWN};

/// `setup.py` and `manage.py`, which every project of their kind has.
pub(super) fn module_of_project(
    call: &Call<'_>,
    file: &Argument,
    arguments: &[Argument],
    findings: &mut Findings,
) {
    let words: Vec<&str> = arguments.iter().skip(1).map(|argument| argument.text.as_str()).collect();
    let open = words.iter().any(|word| word.contains(UNKNOWN));
    let subcommand = words.first().copied().unwrap_or_default();
    let has = |name: &str| words.contains(&name);
    let verb = match (file.text.as_str(), subcommand) {
        _ if open => None,
        (
            "setup.py",
            "sdist" | "bdist_wheel" | "build" | "build_ext" | "check" | "test" | "egg_info" | "build_py",
        ) => {
            let only = words.iter().all(|word| {
                !word.contains("upload") && !word.contains("register") && !word.contains("install")
            });
            only.then_some(Verb::Builds)
        }
        ("setup.py", "--version" | "--name" | "--help") => Some(Verb::Inspects),
        ("setup.py", "install" | "develop") => Some(Verb::Installs),
        ("setup.py", "upload" | "register") => Some(Verb::Publishes),
        (
            "manage.py",
            "test" | "check" | "makemigrations" | "runserver" | "compilemessages" | "makemessages"
            | "startapp",
        ) => Some(Verb::Builds),
        (
            "manage.py",
            "showmigrations" | "sqlmigrate" | "help" | "show_urls" | "inspectdb" | "--help" | "--version"
            | "findstatic",
        ) => Some(Verb::Inspects),
        ("manage.py", "flush" | "reset_db" | "sqlflush" | "reset_schema") => Some(Verb::Wipes),
        (
            "manage.py",
            "migrate" | "createsuperuser" | "loaddata" | "collectstatic" | "changepassword"
            | "createcachetable" | "clearsessions",
        ) => {
            if has("--plan") || has("--check") {
                Some(Verb::Inspects)
            } else {
                Some(Verb::Alters)
            }
        }
        ("manage.py", "dumpdata") => Some(Verb::Reveals),
        _ => None,
    };
    match verb {
        Some(verb) => call.does_plainly(verb, Some("a task of the project's framework"), findings),
        None => call.does_to(Verb::Runs, &file.units, findings),
    }
}

/// The tasks of a project of Laravel.
pub(super) fn artisan(call: &Call<'_>, file: &Argument, arguments: &[Argument], findings: &mut Findings) {
    let task = arguments.get(1).map_or("list", |argument| argument.text.as_str());
    let pretends = arguments.iter().any(|argument| argument.text == "--pretend");
    let verb = match task {
        "list" | "about" | "help" | "env" | "route:list" | "migrate:status" | "event:list"
        | "schedule:list" | "model:show" | "db:show" | "db:table" | "--version" => Verb::Inspects,
        "migrate" if pretends => Verb::Inspects,
        "test" | "serve" | "optimize" | "optimize:clear" | "config:cache" | "config:clear"
        | "cache:clear" | "view:clear" | "view:cache" | "route:cache" | "route:clear"
        | "package:discover" | "event:cache" | "event:clear" => Verb::Builds,
        "migrate:fresh" | "migrate:reset" | "migrate:refresh" | "db:wipe" => Verb::Wipes,
        "migrate" | "migrate:rollback" | "db:seed" | "key:generate" | "storage:link" | "down" | "up"
        | "queue:flush" | "queue:restart" | "queue:clear" => Verb::Alters,
        make if make.starts_with("make:") => Verb::Builds,
        _ => {
            call.does_to(Verb::Runs, &file.units, findings);
            return;
        }
    };
    call.does_plainly(verb, Some("a task of the project's framework"), findings);
}

/// A module of Python, run as a program.
pub(super) fn module(call: &Call<'_>, at: usize, findings: &mut Findings) {
    let Some(name) = call.arguments.get(at) else {
        call.not_assessed("the option \"-m\" has no value", findings);
        return;
    };
    let rest = call.arguments.get(at + 1..).unwrap_or_default();
    match name.text.as_str() {
        "json.tool" => {
            let operands: Vec<&Argument> =
                rest.iter().filter(|argument| !argument.text.starts_with('-')).collect();
            match operands.as_slice() {
                [input, output] => {
                    call.does_to(Verb::Reads, &input.units, findings);
                    call.does_to(Verb::Writes, &output.units, findings);
                }
                [input] => call.does_to(Verb::Reads, &input.units, findings),
                [] => call.does_plainly(Verb::Reads, None, findings),
                [..] => call.not_assessed("it has too many operands", findings),
            }
        }
        "http.server" => serves(call, at + 1, findings),
        "timeit" => {
            let code: Vec<&str> = rest
                .iter()
                .map(|argument| argument.text.as_str())
                .filter(|text| !text.starts_with('-') && text.parse::<u64>().is_err())
                .collect();
            code::add(call, Language::Python, &code.join("\n"), findings);
        }
        "venv" | "virtualenv" => match rest.iter().rfind(|argument| !argument.text.starts_with('-')) {
            Some(folder) => {
                call.does_to(Verb::Creates, &folder.units, findings);
                if rest.iter().any(|argument| argument.text == "--clear") {
                    call.does_to(Verb::Deletes, &folder.units, findings);
                }
            }
            None => call.not_assessed("it has no folder", findings),
        },
        "compileall" | "py_compile" | "tabnanny" | "dis" | "ast" | "tokenize" | "pyclbr" => {
            call.does_plainly(Verb::Builds, None, findings);
            reads_rest(call, at + 1, findings);
            for argument in rest.iter().filter(|argument| !argument.text.starts_with('-')) {
                call.does_to(Verb::Builds, &argument.units, findings);
            }
        }
        "sphinx" => call.does_plainly(Verb::Builds, Some("a module that builds or tests"), findings),
        "site" | "platform" | "sysconfig" | "zipfile" if rest.is_empty() || name.text == "site" => {
            call.does_plainly(Verb::Inspects, None, findings);
        }
        "code" => call.does_plainly(Verb::Runs, None, findings),
        "cProfile" | "profile" | "trace" | "pdb" if !rest.is_empty() => {
            let own = rest.iter().find(|argument| argument.text.ends_with(".py"));
            if let Some(file) = rest.iter().skip_while(|argument| argument.text != "-o").nth(1) {
                call.does_to(Verb::Writes, &file.units, findings);
            }
            match own {
                Some(_) if rest.iter().any(|argument| argument.text == "-c") => {
                    call.does_plainly(Verb::Runs, None, findings);
                }
                Some(file) if name.text == "cProfile" => call.does_to(Verb::Builds, &file.units, findings),
                Some(file) => call.does_to(Verb::Runs, &file.units, findings),
                None => call.does_plainly(Verb::Runs, None, findings),
            }
        }
        _ => program_of_module(call, name, rest, findings),
    }
}

/// A module that the knowledge base has as a program.
fn program_of_module(call: &Call<'_>, name: &Argument, rest: &[Argument], findings: &mut Findings) {
    let known = crate::rater::knowledge::entry(&name.text.replace('_', "-"))
        .or_else(|| crate::rater::knowledge::entry(&name.text))
        .filter(|_| !name.text.contains(UNKNOWN) && language(&name.text).is_none());
    match known {
        Some(level) => call.as_program(level, &name.text, rest, findings),
        None => call.does_plainly(Verb::Runs, Some("a module that nobody has looked at"), findings),
    }
}

/// A server for development: what it shows of this machine is for this machine.
pub(super) fn serves(call: &Call<'_>, at: usize, findings: &mut Findings) {
    let rest = call.arguments.get(at..).unwrap_or_default();
    let words: Vec<&str> = rest.iter().map(|argument| argument.text.as_str()).collect();
    let host = |word: &str| {
        word == "127.0.0.1"
            || word.starts_with("127.0.0.1:")
            || word.starts_with("localhost")
            || word == "::1"
    };
    let bound = words.iter().any(|word| host(word));
    let folder = words
        .windows(2)
        .find(|pair| matches!(pair, ["-d" | "--directory" | "-t", _]))
        .and_then(|pair| pair.get(1));
    let outside = folder.is_some_and(|folder| {
        folder.starts_with(['/', '~']) || folder.contains("..") || folder.contains(UNKNOWN)
    });
    let outside = outside || call.here().place != Place::Project && call.here().place != Place::WholeProject;
    if bound && !outside {
        call.does_plainly(Verb::Builds, Some("it serves the project to this machine"), findings);
    } else if outside {
        call.does_plainly(Verb::Sends, Some("it serves files from outside the project"), findings);
    } else {
        call.does_plainly(Verb::Listens, Some("it serves the project"), findings);
    }
}
