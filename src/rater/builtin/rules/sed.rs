//! `sed`: where its script stands, what the script does besides editing lines, and which files it edits.
//!
//! Promises that a script that cannot be read to its end is not assessed. The language itself: [`sed_script`].
//!
//! [`sed_script`]: super::sed_script

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::place::Place;
use super::options::{Item, Row, Takes, read};
use super::sed_script::{Does, read as read_script};
use super::text;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Unit;

const OPTIONS: &[Row] = &[
    ('n', "quiet", Takes::Nothing),
    (' ', "silent", Takes::Nothing),
    (' ', "debug", Takes::Nothing),
    ('e', "expression", Takes::Value),
    ('f', "file", Takes::Value),
    (' ', "follow-symlinks", Takes::Nothing),
    ('i', "in-place", Takes::Glued),
    ('l', "line-length", Takes::Value),
    (' ', "posix", Takes::Nothing),
    ('E', "regexp-extended", Takes::Nothing),
    ('r', "-r", Takes::Nothing),
    ('s', "separate", Takes::Nothing),
    (' ', "sandbox", Takes::Nothing),
    ('u', "unbuffered", Takes::Nothing),
    ('z', "null-data", Takes::Nothing),
    ('b', "binary", Takes::Nothing),
];

/// What settings of logins and rights say when they are made weaker.
const WEAKER: &[&str] = &[
    "PermitRootLogin yes",
    "PermitEmptyPasswords yes",
    "PasswordAuthentication yes",
    "PermitRootLogin without-password",
    "StrictModes no",
    "NOPASSWD",
    "SELINUX=disabled",
    "SELINUX=permissive",
    "StrictHostKeyChecking no",
];

/// What `sed` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let given = read(call.arguments, 0, OPTIONS, false);
    if given.asks_for_help {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    if !text::is_plain(call) {
        call.not_assessed("its script has characters that can be taken for others", findings);
    }
    let mut operands: Vec<usize> = given.operands().collect();
    let mut scripts: Vec<(usize, &[Unit])> = Vec::new();
    let mut from_file = false;
    for option in given.options() {
        match (option.name, option.value) {
            ("expression", Some(value)) => scripts.push((option.at, value)),
            ("file", Some(file)) => {
                from_file = true;
                call.does_to(Verb::Reads, file, findings);
                call.does(
                    Verb::Runs,
                    &call.object(file),
                    Some("the script in it can run commands"),
                    findings,
                );
            }
            ("in-place", Some(suffix))
                if suffix.iter().any(|unit| matches!(unit.character(), '/' | '\0')) =>
            {
                call.not_assessed("where the copy of the file goes is not known", findings);
            }
            _ => {}
        }
    }
    let in_place = given.has("in-place");
    let as_first_operand = scripts.is_empty() && !from_file;
    if as_first_operand {
        // `-i ''`, as the sed of macOS and the BSDs takes it: for others the blank is the script, and the script a file.
        let blank =
            in_place && operands.len() > 1 && is_blank_suffix(call, given.items.as_slice(), &operands);
        let position = usize::from(blank);
        if position >= operands.len() {
            call.not_assessed("it has no script", findings);
            return;
        }
        let at = operands.remove(position);
        if blank {
            operands.remove(0);
        }
        scripts.extend(call.arguments.get(at).map(|argument| (at, argument.units.as_slice())));
    }
    let mut whole = String::new();
    for (at, units) in scripts {
        let Some(part) = text::of(call, at, units) else {
            call.not_assessed("a part of its script will only be known when it runs", findings);
            continue;
        };
        if !whole.is_empty() {
            whole.push('\n');
        }
        whole.push_str(&part);
    }
    match read_script(&whole) {
        Ok(_) if given.has("sandbox") => {}
        Ok(does) => does.iter().for_each(|one| add(call, one, findings)),
        Err(gap) => call.not_assessed(gap, findings),
    }
    files(call, &operands, in_place, &whole, findings);
}

fn is_blank_suffix(call: &Call<'_>, items: &[Item<'_>], operands: &[usize]) -> bool {
    let first = operands.first().copied();
    let bare = items.iter().any(|item| {
        matches!(item, Item::Option(given) if given.name == "in-place" && given.value.is_none() && Some(given.at + 1) == first)
    });
    bare && first.and_then(|at| call.arguments.get(at)).is_some_and(|argument| argument.units.is_empty())
}

fn files(call: &Call<'_>, operands: &[usize], in_place: bool, script: &str, findings: &mut Findings) {
    if operands.is_empty() {
        call.does_plainly(Verb::Reads, None, findings);
    }
    for argument in operands.iter().filter_map(|at| call.arguments.get(*at)) {
        call.does_to(Verb::Reads, &argument.units, findings);
        if !in_place {
            continue;
        }
        let object = call.object(&argument.units);
        call.does(Verb::Writes, &object, None, findings);
        let decides = matches!(object.place, Place::System | Place::Rights | Place::Settings);
        if decides && WEAKER.iter().any(|setting| script.contains(setting)) {
            call.does(Verb::Escalates, &object, None, findings);
        }
    }
}

fn add(call: &Call<'_>, does: &Does, findings: &mut Findings) {
    match does {
        Does::Run => call.does_plainly(Verb::Runs, Some("its script runs a shell command"), findings),
        Does::Read(file) => call.does_to(Verb::Reads, &text::pieces(file), findings),
        Does::Write(file) => call.does_to(Verb::Writes, &text::pieces(file), findings),
    }
}
