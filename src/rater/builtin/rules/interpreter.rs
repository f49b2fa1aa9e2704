//! The rule for interpreters: code in an argument or on the input, a file, or a module.
//!
//! Promises that code which nobody can see is never harmless, and that a module of Python is judged as the program it is.
//! Knows nothing of what code does.

use super::super::call::{Call, Input};
use super::super::findings::Findings;
use super::super::objects::shown;
use super::code::{self, Language};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, UNKNOWN};
use crate::shell::interpreters::plain_name;
use crate::shell::tree::RedirectOperator;

/// The options of an interpreter.
struct Options {
    /// Letters and names whose value is code.
    code: &'static [&'static str],
    /// Letters and names whose value changes nothing.
    values: &'static [&'static str],
    /// Names that change nothing.
    harmless: &'static [&'static str],
    /// Names whose value is a file of code that is loaded first.
    loads: &'static [&'static str],
    /// Names behind which it only checks or shows something.
    checks: &'static [&'static str],
}

const PYTHON: Options = Options {
    code: &["-c"],
    values: &["-W", "-X"],
    harmless: &["-u", "-b", "-B", "-d", "-E", "-I", "-O", "-OO", "-P", "-q", "-s", "-S", "-v", "-x"],
    loads: &[],
    checks: &["-V", "-VV", "--version", "-h", "--help"],
};
const NODE: Options = Options {
    code: &["-e", "--eval", "-p", "--print", "-pe"],
    values: &[
        "--input-type",
        "--stack-size",
        "--max-old-space-size",
        "-C",
        "--conditions",
        "--title",
        "--test-name-pattern",
        "--test-reporter",
        "--test-concurrency",
        "--test-timeout",
        "--unhandled-rejections",
    ],
    harmless: &[
        "--no-warnings",
        "--trace-warnings",
        "--enable-source-maps",
        "--experimental-vm-modules",
        "--trace-uncaught",
        "--trace-deprecation",
        "--no-deprecation",
        "--experimental-strip-types",
        "--experimental-test-coverage",
        "--preserve-symlinks",
        "--expose-gc",
        "--test-only",
        "--harmony",
        "--throw-deprecation",
    ],
    loads: &[
        "-r",
        "--require",
        "--import",
        "--loader",
        "--experimental-loader",
        "--env-file",
        "--preload",
        "--tsconfig",
    ],
    checks: &["-v", "--version", "-h", "--help", "--v8-options"],
};
const RUBY: Options = Options {
    code: &["-e"],
    values: &["-E", "-W"],
    harmless: &["-n", "-p", "-w", "-a", "-l", "-s", "-W0", "-U"],
    loads: &["-I", "-C", "-x"],
    checks: &["-v", "--version", "-h", "--help", "-c", "-wc", "--copyright"],
};
const PERL: Options = Options {
    code: &["-e", "-E"],
    values: &[],
    harmless: &["-n", "-p", "-w", "-a", "-l", "-s", "-0", "-W", "-T", "-t"],
    loads: &["-I", "-x"],
    checks: &["-v", "-V", "--version", "-h", "--help"],
};
const PHP: Options = Options {
    code: &["-r", "--run"],
    values: &[],
    harmless: &["-n", "-q", "-C"],
    loads: &["-d", "-c", "-z", "-B", "-R", "-F", "-E"],
    checks: &[
        "-v",
        "--version",
        "-h",
        "--help",
        "-m",
        "-i",
        "--modules",
        "--ini",
        "--info",
        "-w",
        "--rf",
        "--rc",
        "--re",
    ],
};

/// The letters behind which the rest of the word is a value, or a module that is loaded.
fn is_glued_harmless(language: Language, name: &str) -> bool {
    match language {
        Language::Python => name.starts_with("-W") || name.starts_with("-X"),
        Language::JavaScript => {
            name.starts_with("--max-old-space-size=") || name.starts_with("--stack-size=")
        }
        Language::Ruby => [
            "-rjson",
            "-ryaml",
            "-rset",
            "-rtime",
            "-rdate",
            "-rdigest",
            "-rsecurerandom",
            "-rpp",
            "-rcsv",
            "-F",
            "-W",
        ]
        .iter()
        .any(|known| name == *known || known.len() == 2 && name.starts_with(known)),
        Language::Perl => {
            [
                "-MJSON::PP",
                "-MList::Util",
                "-MPOSIX",
                "-MData::Dumper",
                "-MConfig",
                "-MTime::Piece",
                "-Mstrict",
                "-Mwarnings",
                "-Mutf8",
                "-F",
                "-0",
                "-l0",
                "-i",
            ]
            .iter()
            .any(|known| {
                name == *known
                    || name.starts_with(&format!("{known}="))
                    || known.len() == 2 && name.starts_with(known)
            }) && !name.contains(';')
        }
        Language::Php => false,
    }
}

/// The language of a program and its options.
fn language(program: &str) -> Option<(Language, &'static Options)> {
    match plain_name(program).as_str() {
        "python" | "pypy" | "py" | "pythonw" => Some((Language::Python, &PYTHON)),
        "node"
        | "nodejs"
        | "bun"
        | "tsx"
        | "ts-node"
        | "deno"
        | "esno"
        | "jiti"
        | "vite-node"
        | "babel-node"
        | "ts-node-esm"
        | "ts-node-script"
        | "ts-node-transpile-only" => Some((Language::JavaScript, &NODE)),
        "ruby" => Some((Language::Ruby, &RUBY)),
        "perl" => Some((Language::Perl, &PERL)),
        "php" => Some((Language::Php, &PHP)),
        _ => None,
    }
}

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
    if call.program == "python" || call.program == "python3" {
        if let Some(file) = file.filter(|file| matches!(file.text.as_str(), "setup.py" | "manage.py")) {
            module_of_project(call, file, arguments, findings);
            return;
        }
    }
    match file {
        Some(file) => call.does_to(Verb::Runs, &file.units, findings),
        None => call.does_plainly(Verb::Runs, None, findings),
    }
}

/// `setup.py` and `manage.py`, which every project of their kind has.
fn module_of_project(call: &Call<'_>, file: &Argument, arguments: &[Argument], findings: &mut Findings) {
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
            "showmigrations" | "sqlmigrate" | "diffsettings" | "help" | "show_urls" | "inspectdb" | "--help"
            | "--version" | "findstatic",
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
        ("manage.py", "dumpdata") => Some(Verb::Inspects),
        _ => None,
    };
    match verb {
        Some(verb) => call.does_plainly(verb, Some("a task of the project's framework"), findings),
        None => call.does_to(Verb::Runs, &file.units, findings),
    }
}

/// A module of Python, run as a program.
fn module(call: &Call<'_>, at: usize, findings: &mut Findings) {
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
            for argument in rest
                .iter()
                .filter(|argument| !argument.text.starts_with('-') && argument.text.parse::<u64>().is_err())
            {
                code::add(call, Language::Python, &argument.text, findings);
            }
            findings.add(crate::gate::Outcome::Safe, || "It measures code.".to_owned());
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
        }
        "unittest" | "doctest" | "this" | "calendar" | "nox" | "tox" | "build" | "sphinx" | "coverage" => {
            call.does_plainly(Verb::Builds, Some("a module that builds or tests"), findings);
        }
        "site" | "platform" | "sysconfig" | "zipfile" if rest.is_empty() || name.text == "site" => {
            call.does_plainly(Verb::Inspects, None, findings);
        }
        "cProfile" | "profile" | "trace" | "pdb" if !rest.is_empty() => {
            let own = rest.iter().find(|argument| argument.text.ends_with(".py"));
            match own {
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
        .filter(|_| !name.text.contains(UNKNOWN) && !language(&name.text).is_some());
    match known {
        Some(level) => call.as_program(level, &name.text, rest, findings),
        None => call.does_plainly(Verb::Runs, Some("a module that nobody has looked at"), findings),
    }
}

/// A server for development: what it shows of this machine is for this machine.
fn serves(call: &Call<'_>, at: usize, findings: &mut Findings) {
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
    if bound && !outside {
        call.does_plainly(Verb::Builds, Some("it serves the project to this machine"), findings);
    } else if outside {
        call.does_plainly(Verb::Sends, Some("it serves files from outside the project"), findings);
    } else {
        call.does_plainly(Verb::Builds, Some("it serves the project"), findings);
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
