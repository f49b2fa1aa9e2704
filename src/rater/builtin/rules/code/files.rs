//! The files that code opens, reads, writes and removes.
//!
//! Promises that a file counts only by the text that names it, or as one of the project where it comes out of a listing of the
//! project; any other file is not assessed. Knows nothing of commands.

use super::super::super::findings::Findings;
use super::bindings::closing;
use super::{Language, Reading, Token};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Unit;

use super::super::super::objects::SOME;

/// What an argument that names a file says.
enum Named {
    /// These pieces.
    Known(Vec<Unit>),
    /// Something that only shows when it runs.
    Open,
}

/// Words that list files.
const LISTINGS: &[&str] = &[
    "glob",
    "iglob",
    "rglob",
    "listdir",
    "iterdir",
    "walk",
    "scandir",
    "readdirSync",
    "readdir",
    "argv",
    "files",
];

/// Whether the word at a place opens, reads or writes a file; adds what it does.
pub(super) fn opened(reading: &mut Reading<'_>, at: usize, word: &str, findings: &mut Findings) -> bool {
    let attribute = reading.is(at.wrapping_sub(1), '.');
    let owner = reading.word(at.wrapping_sub(2));
    match (reading.language, word) {
        (Language::Python, "open") if reading.is(at + 1, '(') && !attribute => {
            open(reading, at, false, findings);
            true
        }
        (Language::Python, "open")
            if reading.is(at + 1, '(') && !matches!(owner, Some("os" | "codecs" | "io" | "webbrowser")) =>
        {
            // Of a path: the paths are looked at where they are made.
            open(reading, at, true, findings);
            true
        }
        (Language::Python, "Path") => {
            if reading.is(at + 1, '(') && !reading.is(at + 2, ')') {
                act(reading, if writes_paths(reading) { Verb::Writes } else { Verb::Reads }, at, findings);
            } else if reading.is(at + 1, '.') && reading.word(at + 2) == Some("home") {
                reading.bindings.done.insert(at + 2);
                if writes_paths(reading) {
                    reading.not_known("Path.home");
                }
            } else if reading.is(at + 1, '.') && reading.word(at + 2) == Some("cwd") {
                reading.bindings.done.insert(at + 2);
            } else if !reading.is(at + 1, '(') {
                reading.not_known("Path");
            }
            true
        }
        (
            Language::JavaScript,
            "readFileSync" | "readdirSync" | "existsSync" | "statSync" | "readFile" | "readdir",
        ) if reading.is(at + 1, '(') => {
            act(reading, Verb::Reads, at, findings);
            true
        }
        (Language::JavaScript, "writeFileSync" | "appendFileSync" | "writeFile" | "appendFile")
            if reading.is(at + 1, '(') =>
        {
            act(reading, Verb::Writes, at, findings);
            true
        }
        (Language::Ruby, "read" | "readlines" | "foreach") if attribute && owner == Some("File") => {
            act(reading, Verb::Reads, at, findings);
            true
        }
        (Language::Python, "parse")
            if attribute && reading.owner(at).is_some_and(|(module, _)| module.starts_with("xml.")) =>
        {
            act(reading, Verb::Reads, at, findings);
            true
        }
        (Language::Ruby, "glob") if attribute && owner == Some("Dir") => true,
        (Language::Ruby, "write") if attribute && owner == Some("File") => {
            act(reading, Verb::Writes, at, findings);
            true
        }
        (Language::Php, "file_get_contents" | "file") if reading.is(at + 1, '(') => {
            act(reading, Verb::Reads, at, findings);
            true
        }
        (Language::Php, "file_put_contents") if reading.is(at + 1, '(') => {
            act(reading, Verb::Writes, at, findings);
            true
        }
        _ => false,
    }
}

fn writes_paths(reading: &Reading<'_>) -> bool {
    reading.has_word(&["write_text", "write_bytes", "touch", "mkdir", "rename", "symlink_to"])
        || reading.has_word(&["open"]) && reading.texts().any(is_writing_mode)
}

fn is_writing_mode(text: &str) -> bool {
    text.len() <= 3
        && !text.is_empty()
        && text.contains(['w', 'a', 'x', '+'])
        && text.chars().all(|letter| "rwaxbt+".contains(letter))
}

/// `open(…)`: the mode says whether it writes.
fn open(reading: &mut Reading<'_>, at: usize, of_path: bool, findings: &mut Findings) {
    let close = closing(reading.tokens, at + 1);
    let mut comma = None;
    let mut depth = 0_usize;
    for inner in at + 2..close {
        match reading.tokens.get(inner) {
            Some(Token::Sign('(' | '[' | '{')) => depth += 1,
            Some(Token::Sign(')' | ']' | '}')) => depth = depth.saturating_sub(1),
            Some(Token::Sign(',')) if depth == 0 => {
                comma.get_or_insert(inner);
            }
            _ => {}
        }
    }
    let named_mode =
        (at + 2..close).find(|inner| reading.word(*inner) == Some("mode")).map(|inner| inner + 2);
    let positional = match comma {
        _ if of_path => Some(at + 2),
        Some(comma) => Some(comma + 1),
        None => None,
    };
    let mode = named_mode.or(positional.filter(|place| *place < close && !reading.is(place + 1, '=')));
    let verb = match mode.and_then(|place| reading.tokens.get(place)) {
        None => Verb::Reads,
        Some(Token::Text(mode)) if is_writing_mode(mode) => Verb::Writes,
        Some(Token::Text(mode)) if mode.chars().all(|letter| "rbtU".contains(letter)) => Verb::Reads,
        Some(_) => {
            reading.not_known("open");
            return;
        }
    };
    if !of_path {
        act(reading, verb, at, findings);
    }
}

/// Adds an effect on the file that the first argument of a call names.
fn act(reading: &mut Reading<'_>, verb: Verb, at: usize, findings: &mut Findings) {
    match named(reading, at) {
        Named::Known(units)
            if verb == Verb::Reads || !units.contains(&Unit::Quoted(SOME)) || is_bounded(reading) =>
        {
            reading.call.does_to(verb, &units, findings);
        }
        Named::Known(_) | Named::Open => {
            let word = reading.word(at).unwrap_or_default();
            let what = format!(
                "which file its code gives to {} will only be known when it runs",
                super::shown(word)
            );
            reading.call.not_assessed(&what, findings);
        }
    }
}

/// Whether no text of the code leads out of the project, and none comes from outside of the code.
fn is_bounded(reading: &Reading<'_>) -> bool {
    !reading.has_word(&[
        "argv",
        "stdin",
        "input",
        "environ",
        "home",
        "homedir",
        "expanduser",
        "getcwd",
        "resolve",
        "absolute",
    ]) && !reading.texts().any(leads_out)
}

fn leads_out(text: &str) -> bool {
    text.starts_with(['/', '~']) || text.contains("..") || text.contains(".git") || text.contains('\u{fffd}')
}

/// The file that the first argument of the call at a place names.
fn named(reading: &Reading<'_>, at: usize) -> Named {
    let start = if reading.is(at + 1, '(') { at + 2 } else { at + 1 };
    let mut units: Vec<Unit> = Vec::new();
    let mut depth = 0_usize;
    let mut joined = false;
    for place in start..reading.tokens.len().min(start + 64) {
        match reading.tokens.get(place) {
            Some(Token::Sign(')')) if depth == 0 => break,
            Some(Token::Sign(',')) if depth == 0 => break,
            Some(Token::Line | Token::Sign(';')) if start == at + 1 => break,
            Some(Token::Sign('(')) => depth += 1,
            Some(Token::Sign(')')) => depth = depth.saturating_sub(1),
            Some(Token::Sign(',')) => joined = true,
            Some(Token::Sign('+' | '.') | Token::Line) => {}
            Some(Token::Sign('[' | ']') | Token::Number) => {}
            Some(Token::Text(text)) if units == [Unit::Home] && text.starts_with('~') => {
                units.extend(text.chars().skip(1).map(Unit::Quoted));
            }
            Some(Token::Text(text)) => {
                if joined && !text.starts_with('/') {
                    units.push(Unit::Quoted('/'));
                }
                joined = false;
                let letters = text
                    .chars()
                    .map(|letter| if letter == '\u{fffd}' { Unit::Unknown } else { Unit::Quoted(letter) });
                units.extend(letters);
            }
            Some(Token::Word(word)) => match (word.as_str(), reading.bindings.text(word)) {
                ("homedir" | "expanduser" | "home", _) => units = vec![Unit::Home],
                (_, Some(text)) => units.extend(text.chars().map(Unit::Quoted)),
                ("os" | "path" | "join" | "require" | "Path" | "encoding" | "resolve" | "pathlib", _) => {}
                ("__dirname", _) => units.push(Unit::Folder),
                (_, None) if !units.is_empty() || reading.has_word(LISTINGS) => {
                    units.push(Unit::Quoted(SOME))
                }
                (_, None) => return Named::Open,
            },
            Some(Token::Variable(_)) if !units.is_empty() => units.push(Unit::Quoted(SOME)),
            Some(Token::Variable(_) | Token::Pattern | Token::Sign(_)) | None => return Named::Open,
        }
    }
    // `require('os').homedir()` names the module first.
    let os = [Unit::Quoted('o'), Unit::Quoted('s')];
    if units.starts_with(&os) && units.get(2) == Some(&Unit::Home) {
        units.drain(..2);
    }
    if units.is_empty() { Named::Open } else { Named::Known(units) }
}

/// Words whose call names two files, the second of which is changed.
const OF_TWO_FILES: &[&str] = &[
    "rename",
    "renameSync",
    "move",
    "mv",
    "copyfile",
    "copy2",
    "copytree",
    "copyFile",
    "copyFileSync",
    "cpSync",
    "cp",
    "cp_r",
    "symlink_to",
    "hardlink_to",
    "link_to",
    "symlink",
    "symlinkSync",
    "linkSync",
];

/// Adds what a word does to the files that its call names.
pub(super) fn changed(reading: &mut Reading<'_>, verb: Verb, at: Option<usize>, findings: &mut Findings) {
    let at = at.filter(|at| reading.word(*at).is_some_and(|word| !OF_TWO_FILES.contains(&word)));
    if let Some(at) = at.filter(|at| {
        reading.is(at + 1, '(') && !reading.is(at + 2, ')')
            || matches!(reading.tokens.get(at + 1), Some(Token::Text(_)))
    }) && let Named::Known(units) = named(reading, at)
    {
        reading.call.does_to(verb, &units, findings);
        return;
    }
    match verb {
        Verb::Deletes | Verb::Modes => {
            reading.call.does_plainly(verb, Some("what its code names"), findings);
        }
        _ => reading.call.not_assessed("the code changes files that are only known when it runs", findings),
    }
}

/// Adds what the texts of the code name, where it opens files at all.
pub(super) fn conclude(reading: &mut Reading<'_>, findings: &mut Findings) {
    let paths = reading.language == Language::Python && reading.has_word(&["Path"]) && writes_paths(reading);
    let joins = reading.has_word(&["joinpath", "with_name", "glob", "rglob", "iterdir", "parent", "parents"])
        || (1..reading.tokens.len()).any(|at| {
            reading.is(at - 1, '/') && matches!(reading.tokens.get(at), Some(Token::Text(_) | Token::Word(_)))
        });
    if paths && joins && !is_bounded(reading) {
        reading.not_known("a path that is put together");
    }
    let reads = reading.has_word(LISTINGS)
        || reading.has_word(&[
            "open",
            "Path",
            "readFileSync",
            "readFile",
            "read",
            "file_get_contents",
            "readlines",
        ])
        || reading.network;
    if !reads {
        return;
    }
    for text in reading.texts().filter(|text| text.len() < 200 && !text.contains(char::is_whitespace)) {
        let units: Vec<Unit> = match text.strip_prefix("~/") {
            Some(rest) => {
                [Unit::Home, Unit::Quoted('/')].into_iter().chain(rest.chars().map(Unit::Quoted)).collect()
            }
            None => text.chars().map(Unit::Quoted).collect(),
        };
        let object = reading.call.object(&units);
        let listed = text.len() > 1 && text.starts_with(['/', '~']) && reading.has_word(LISTINGS);
        if object.credential || listed && !object.remote {
            reading.call.does(Verb::Reads, &object, None, findings);
        }
    }
}
