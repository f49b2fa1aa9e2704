//! Commands whose output is bounded: names of files, numbers, identifiers.
//!
//! Promises tables of what writes nothing else. A command that is not in them writes anything. Knows nothing of effects.

use super::objects::SOME;
use super::values::{Value, Values, is_relative};
use crate::shell::hardline::{Argument, Unit};
use crate::shell::tree::Word;
use crate::shell::word::{base_name, constant};

/// Programs that write numbers and single words, whatever they are given.
const TOKENS: &[&str] = &[
    "nproc", "whoami", "hostname", "uname", "arch", "seq", "wc", "pgrep", "pidof", "id", "logname", "tput",
    "getconf",
];
/// Programs that hand on some of the lines they read.
const FILTERS: &[&str] =
    &["head", "tail", "sort", "uniq", "shuf", "grep", "egrep", "fgrep", "rg", "tac", "cat", "tee", "fzf"];
/// Programs that write identifiers when these words are among their arguments.
const IDENTIFIERS: &[(&str, &[&str])] = &[
    ("docker", &["-q", "-aq", "-qa", "--quiet"]),
    ("podman", &["-q", "-aq", "-qa", "--quiet"]),
    ("kubectl", &["name", "-oname", "-o=name", "--output=name"]),
    ("lsof", &["-t", "-ti", "-t -i"]),
];
/// What `git` is asked for when it writes references and hashes.
const GIT_TOKENS: &[&str] = &["rev-parse", "describe", "merge-base", "symbolic-ref", "rev-list"];
/// What `git` is asked for when it writes names of files.
const GIT_NAMES: &[&str] = &["--name-only", "-l", "--files-with-matches"];

/// Whether a filter picks names that credentials go by out of a listing: `grep env`, `grep -i secret`.
fn looks_for_secrets(program: &str, arguments: &[Argument]) -> bool {
    const NAMES: [&str; 10] =
        ["env", "secret", "token", "passw", "cred", "key", "pem", "id_rsa", "netrc", "htpasswd"];
    let leaves_out = |argument: &Argument| {
        argument.text.starts_with('-') && !argument.text.starts_with("--") && argument.text.contains('v')
            || argument.text == "--invert-match"
    };
    matches!(program, "grep" | "egrep" | "fgrep" | "rg" | "fzf" | "fd" | "fdfind")
        && !arguments.iter().any(leaves_out)
        && arguments.iter().filter(|argument| !argument.text.starts_with('-')).any(|argument| {
            let small = argument.text.to_ascii_lowercase();
            NAMES.iter().any(|name| small.contains(name))
        })
}

/// What the lines that a command writes can be, given those it reads.
pub(super) fn lines(values: &Values, words: &[Word], input: Option<&Value>) -> Value {
    let Some(path) = words.first().and_then(constant) else { return Value::Unbounded };
    let arguments: Vec<Argument> = words.iter().skip(1).map(|word| values.argument(word)).collect();
    let is = |text: &str| arguments.iter().any(|argument| argument.text == text);
    let has = |texts: &[&str]| texts.iter().any(|text| is(text));
    let operands = || arguments.iter().filter(|argument| !argument.text.starts_with('-'));
    let program = base_name(&path);
    let letter = |letter: char| {
        let cluster = |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains(letter);
        arguments.iter().any(|argument| cluster(&argument.text))
    };
    if let Some(input) = input
        && FILTERS.contains(&program)
    {
        // With a file of its own, a filter hands on the lines of the file.
        let own_files = match program {
            "grep" | "egrep" | "fgrep" | "rg" => {
                operands().count() > 1 || letter('o') || letter('r') || has(&["--only-matching", "--replace"])
            }

            "head" | "tail" if letter('c') || has(&["--bytes"]) => true,
            "head" | "tail" => {
                operands().any(|operand| !operand.text.bytes().all(|byte| byte.is_ascii_digit()))
            }
            "tee" => false,
            _ => operands().next().is_some(),
        };
        return if own_files || looks_for_secrets(program, &arguments) {
            Value::Unbounded
        } else {
            input.clone()
        };
    }
    match program {
        _ if TOKENS.contains(&program) && (program != "seq" || operands().count() == arguments.len()) => {
            Value::Relative
        }
        "date" => {
            let formats = || arguments.iter().filter_map(|argument| argument.text.strip_prefix('+'));
            let plain = formats().all(|format| format.starts_with('%') && !format.contains(".."));
            let known = !arguments.iter().any(Argument::is_dynamic);
            if plain && known { Value::Relative } else { Value::Unbounded }
        }
        "git" => git(&arguments),
        "pwd" => Value::Known(vec![Unit::Folder]),
        "basename" if operands().all(|operand| !operand.is_dynamic() && !operand.text.ends_with("..")) => {
            Value::Relative
        }
        "dirname" if operands().all(|operand| is_relative(&operand.units)) => Value::Relative,
        "mktemp" => {
            let plain = arguments
                .iter()
                .all(|argument| matches!(argument.text.as_str(), "-d" | "-t" | "-q" | "-u" | "--directory"));
            let made = || format!("/tmp/{SOME}").chars().map(Unit::Quoted).collect();
            if plain { Value::Known(made()) } else { Value::Unbounded }
        }
        "find" => found(&arguments),
        "fd" | "fdfind" if looks_for_secrets(program, &arguments) => Value::Unbounded,
        "fd" | "fdfind" => match operands().nth(1) {
            None => Value::Relative,
            Some(folder) if is_relative(&folder.units) => Value::Relative,
            Some(_) => Value::Unbounded,
        },
        "rg" if has(&["-l", "--files", "--files-with-matches", "--files-without-match"]) => {
            let folders = operands().skip(usize::from(!is("--files")));
            inside(folders)
        }
        "grep" | "egrep" | "fgrep" => {
            let names = arguments.iter().any(|argument| {
                let text = argument.text.as_str();
                matches!(text, "--files-with-matches" | "--files-without-match")
                    || (text.starts_with('-') && !text.starts_with("--") && text.contains(['l', 'L']))
            });
            if names { inside(operands().skip(1)) } else { Value::Unbounded }
        }
        "ls" => {
            let short = !arguments.iter().any(|argument| {
                argument.text.starts_with('-')
                    && !argument.text.starts_with("--")
                    && argument.text.contains('l')
            });
            if short { inside(operands()) } else { Value::Unbounded }
        }
        "echo" | "printf" => {
            let plain = arguments.iter().filter(|argument| !argument.text.starts_with(['-', '%']));
            let value = plain.map(Value::of).reduce(Value::or).unwrap_or(Value::Relative);
            let formats = arguments.first().map_or("", |first| first.text.as_str());
            let free = program == "printf" && !matches!(formats, "%s\\n" | "%s" | "%s\\0" | "%s\0");
            let one = arguments.len() <= 1;
            match value {
                Value::Known(units) if one && !free && !units.contains(&Unit::Plain(' ')) => {
                    Value::Known(units)
                }
                value if value.is_plainly_relative() && !free => Value::Relative,
                Value::Known(_) | Value::Relative | Value::Unbounded => Value::Unbounded,
            }
        }
        _ => {
            let writes_identifiers = IDENTIFIERS.iter().any(|(name, asked)| *name == program && has(asked));
            if writes_identifiers { Value::Relative } else { Value::Unbounded }
        }
    }
}

/// Names below these folders, or below the working folder where there are none.
fn inside<'a>(mut folders: impl Iterator<Item = &'a Argument>) -> Value {
    if folders.all(|folder| is_relative(&folder.units)) { Value::Relative } else { Value::Unbounded }
}

fn git(arguments: &[Argument]) -> Value {
    let texts: Vec<&str> = arguments.iter().map(|argument| argument.text.as_str()).collect();
    let Some(subcommand) = texts.first() else { return Value::Unbounded };
    match *subcommand {
        "rev-parse" if texts.contains(&"--show-toplevel") => Value::Known(vec![Unit::Folder]),
        "rev-parse" if !texts.iter().skip(1).all(|text| is_plain_revision(text)) => Value::Unbounded,

        asked if GIT_TOKENS.contains(&asked) => Value::Relative,
        "branch" if texts.contains(&"--show-current") => Value::Relative,
        "log" | "show" => {
            let named = texts.iter().any(|text| {
                matches!(
                    text.split_once('='),
                    Some((
                        "--format" | "--pretty",
                        "%h" | "%H" | "%ct" | "%at" | "%cI" | "format:%h" | "format:%H"
                    ))
                )
            });
            let names = texts.iter().any(|text| GIT_NAMES.contains(text))
                && texts.iter().any(|text| matches!(*text, "--format=" | "--pretty=" | "--pretty=format:"));
            if named || names { Value::Relative } else { Value::Unbounded }
        }
        "ls-files" | "ls-tree" => {
            let plain = texts.iter().all(|text| !matches!(*text, "-s" | "--stage" | "--format"));
            if plain && *subcommand == "ls-files" || texts.contains(&"--name-only") {
                Value::Relative
            } else {
                Value::Unbounded
            }
        }
        "diff" | "diff-tree" | "diff-index" | "grep" if texts.iter().any(|text| GIT_NAMES.contains(text)) => {
            Value::Relative
        }
        _ => Value::Unbounded,
    }
}

/// What `find` writes: names below its starting points, of the pattern that it looks for.
pub(super) fn found(arguments: &[Argument]) -> Value {
    const WRITERS: [&str; 10] = [
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
        "-printf",
        "-fprintf",
        "-fprint",
        "-fls",
        "-ls",
        "-files0-from",
    ];
    if arguments.iter().any(|argument| WRITERS.contains(&argument.text.as_str())) {
        return Value::Unbounded;
    }
    under(arguments)
}

/// The names that `find` goes through.
pub(super) fn under(arguments: &[Argument]) -> Value {
    let is_expression = |argument: &&Argument| {
        argument.text.starts_with('-') || matches!(argument.text.as_str(), "(" | ")" | "!")
    };
    let folders: Vec<&Argument> = arguments
        .iter()
        .skip_while(|argument| matches!(argument.text.as_str(), "-H" | "-L" | "-P"))
        .take_while(|argument| !is_expression(argument))
        .collect();
    let mut named =
        arguments.iter().skip_while(|argument| !matches!(argument.text.as_str(), "-name" | "-iname"));
    let pattern = named.nth(1).filter(|pattern| !pattern.is_dynamic() && !pattern.text.contains('/'));
    let names: Vec<Unit> = match pattern {
        // What find compares is a pattern although it is quoted for the shell.
        Some(pattern) => pattern.text.chars().map(Unit::Plain).collect(),
        None => vec![Unit::Quoted(SOME)],
    };
    let below = |folder: &[Unit]| {
        let mut units = folder.to_vec();
        // It may lie at any depth.
        units.extend([Unit::Quoted('/'), Unit::Quoted(SOME), Unit::Quoted('/')]);
        units.extend(names.iter().copied());
        Value::Known(units)
    };
    match folders.as_slice() {
        [] => below(&[Unit::Plain('.')]),
        [only] if !only.is_dynamic() && !only.text.starts_with('-') => below(&only.units),
        several if several.iter().all(|folder| is_relative(&folder.units)) => {
            let value = below(&[Unit::Plain('.')]);
            if value.is_plainly_relative() { Value::Relative } else { value }
        }
        _ => Value::Unbounded,
    }
}

/// Whether `git rev-parse` turns a word into a hash or a name of a reference.
fn is_plain_revision(text: &str) -> bool {
    matches!(text, "--verify" | "--abbrev-ref" | "--short" | "-q" | "--quiet")
        || text.starts_with("--short=")
        || !text.starts_with(['-', '/', '.', '~'])
}
