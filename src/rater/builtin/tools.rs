//! The judgement of a tool that names files in its arguments: the same places, the same outcomes as for a command.
//!
//! Promises that a tool whose name says nothing is not assessed. Knows nothing of what a tool says of itself.

use super::effects;
use super::findings::Findings;
use super::objects::{Object, shown};
use super::place::Grounds;
use crate::gate::Verdict;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Unit;
use serde_json::Value;

/// Names of arguments that hold a path, without underscores and in small letters.
const PATHS: [&str; 24] = [
    "path",
    "paths",
    "filepath",
    "filepaths",
    "file",
    "files",
    "filename",
    "filenames",
    "source",
    "sourcepath",
    "src",
    "directory",
    "dir",
    "folder",
    "root",
    "rootpath",
    "notebookpath",
    "targetfile",
    "relativepath",
    "absolutepath",
    "from",
    "oldpath",
    "input",
    "inputpath",
];
/// Those that hold the path where something is put.
const TARGETS: [&str; 12] = [
    "destination",
    "destinationpath",
    "dest",
    "dst",
    "target",
    "targetpath",
    "to",
    "newpath",
    "output",
    "outputpath",
    "outputfile",
    "topath",
];
/// Words of a tool's name, with what they say it does. The first word of the table that the name holds counts.
const WORDS: [(&str, Verb); 31] = [
    ("delete", Verb::Deletes),
    ("remove", Verb::Deletes),
    ("unlink", Verb::Deletes),
    ("trash", Verb::Deletes),
    ("rm", Verb::Deletes),
    ("move", Verb::Moves),
    ("rename", Verb::Moves),
    ("mv", Verb::Moves),
    ("write", Verb::Writes),
    ("edit", Verb::Writes),
    ("multiedit", Verb::Writes),
    ("create", Verb::Writes),
    ("update", Verb::Writes),
    ("patch", Verb::Writes),
    ("insert", Verb::Writes),
    ("replace", Verb::Writes),
    ("append", Verb::Writes),
    ("save", Verb::Writes),
    ("mkdir", Verb::Creates),
    ("copy", Verb::Reads),
    ("cp", Verb::Reads),
    ("read", Verb::Reads),
    ("view", Verb::Reads),
    ("cat", Verb::Reads),
    ("grep", Verb::Reads),
    ("search", Verb::Reads),
    ("list", Verb::Lists),
    ("ls", Verb::Lists),
    ("glob", Verb::Lists),
    ("tree", Verb::Lists),
    ("stat", Verb::Lists),
];
/// The most paths of one call that are looked at; with more it is not assessed.
const MAX_PATHS: usize = 1_024;

/// Judges a tool call by its name and its arguments, which are JSON.
pub(crate) fn judge_tool(name: &str, arguments: &str, folder: Option<&str>, home: Option<&str>) -> Verdict {
    let mut findings = Findings::default();
    let grounds = Grounds::new(folder, home);
    let parsed: Option<Value> = serde_json::from_str(arguments).ok();
    let Some(Value::Object(fields)) = parsed else {
        findings.not_assessed(|| {
            format!("The arguments of the tool {} name nothing that is known.", shown(name))
        });
        return findings.verdict();
    };
    let verb = verb(name);
    let mut paths = 0;
    for (key, value) in &fields {
        let key: String = key
            .chars()
            .filter(char::is_ascii_alphanumeric)
            .map(|letter| letter.to_ascii_lowercase())
            .collect();
        let is_target = TARGETS.contains(&key.as_str());
        if !is_target && !PATHS.contains(&key.as_str()) {
            continue;
        }
        let texts: Vec<&str> = match value {
            Value::String(text) => vec![text],
            Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
        };
        for text in texts {
            paths += 1;
            if paths > MAX_PATHS {
                break;
            }
            let object = Object::new(&units(text), &grounds.origin(), &grounds, false);
            match verb {
                Some(_) if is_target => effects::on(name, Verb::Writes, &object, None, &mut findings),
                Some(verb) => effects::on(name, verb, &object, None, &mut findings),
                None => effects::on(name, Verb::Reads, &object, None, &mut findings),
            }
        }
    }
    if paths > MAX_PATHS {
        findings.not_assessed(|| format!("The tool {} names more files than are looked at.", shown(name)));
    } else if verb.is_none() {
        findings.not_assessed(|| format!("What the tool {} does is not known.", shown(name)));
    } else if paths == 0 {
        findings.not_assessed(|| format!("Which files the tool {} works on is not known.", shown(name)));
    }
    findings.verdict()
}

/// What the words of a tool's name say that it does.
fn verb(name: &str) -> Option<Verb> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before_was_small = false;
    for letter in name.chars().take(200) {
        if letter.is_ascii_uppercase() && before_was_small {
            spaced.push('_');
        }
        before_was_small = letter.is_ascii_lowercase();
        spaced.push(letter.to_ascii_lowercase());
    }
    let words: Vec<&str> = spaced.split(|letter: char| !letter.is_ascii_alphanumeric()).collect();
    WORDS.iter().find(|(word, _)| words.contains(word)).map(|(_, verb)| *verb)
}

/// A path as a tool takes it: no patterns, but many expand a tilde.
fn units(text: &str) -> Vec<Unit> {
    let tilde = text == "~" || text.starts_with("~/");
    text.chars()
        .enumerate()
        .map(|(at, letter)| if at == 0 && tilde { Unit::Plain(letter) } else { Unit::Quoted(letter) })
        .collect()
}
