//! `chmod`, `chown`, `chgrp` and `setfacl`: the new mode and the place decide.
//!
//! Promises that a weaker protection of what protects others (the system, keys, accounts) and programs that run with the
//! rights of their owner count as given rights. A mode that is not known counts as a change like any other.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::Object;
use super::super::place::Place;
use super::options::{Row, Takes, read};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Argument;

const OPTIONS: &[Row] = &[
    ('R', "recursive", Takes::Nothing),
    ('c', "changes", Takes::Nothing),
    ('f', "silent", Takes::Nothing),
    (' ', "quiet", Takes::Nothing),
    ('v', "verbose", Takes::Nothing),
    ('h', "no-dereference", Takes::Nothing),
    (' ', "dereference", Takes::Nothing),
    ('H', "-H", Takes::Nothing),
    ('L', "-L", Takes::Nothing),
    ('P', "-P", Takes::Nothing),
    (' ', "preserve-root", Takes::Nothing),
    (' ', "no-preserve-root", Takes::Nothing),
    (' ', "reference", Takes::Value),
    (' ', "from", Takes::Value),
];
const LISTS: &[Row] = &[
    ('m', "modify", Takes::Value),
    ('M', "modify-file", Takes::Value),
    ('x', "remove", Takes::Value),
    ('X', "remove-file", Takes::Value),
    (' ', "set", Takes::Value),
    (' ', "set-file", Takes::Value),
    (' ', "restore", Takes::Value),
    ('b', "remove-all", Takes::Nothing),
    ('k', "remove-default", Takes::Nothing),
    ('d', "default", Takes::Nothing),
    ('R', "recursive", Takes::Nothing),
    ('L', "logical", Takes::Nothing),
    ('P', "physical", Takes::Nothing),
    ('n', "no-mask", Takes::Nothing),
    (' ', "mask", Takes::Nothing),
    (' ', "test", Takes::Nothing),
];

/// What a mode gives to whom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Gives {
    /// To run with the rights of the owner.
    owner_rights: bool,
    /// To run with the rights of the group.
    group_rights: bool,
    /// To everybody: to write.
    all_write: bool,
    /// To others than the owner: to read or write.
    others: bool,
}

/// What a change of permissions does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    if call.program == "setfacl" {
        return lists(call, findings);
    }
    let is_mode = call.program.ends_with("chmod");
    let signed = |argument: &&Argument| is_mode && is_signed_mode(&argument.text);
    let mode_option = call.arguments.iter().find(signed);
    let words: Vec<Argument> = call.arguments.iter().filter(|argument| !signed(argument)).cloned().collect();
    let given = read(&words, 0, OPTIONS, false);
    if given.asks_for_help {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    let reference = given.options().find(|option| option.name == "reference");
    let mut operands = given.operands().filter_map(|at| words.get(at));
    let new = match (mode_option, reference) {
        (Some(_), _) | (None, Some(_)) => mode_option,
        (None, None) => operands.next(),
    };
    let gives = match new {
        Some(mode) if is_mode => mode_of(&mode.text),
        Some(_) | None => Some(Gives::default()),
    };
    if gives.is_none() {
        call.not_assessed("which permissions it gives is not known", findings);
    }
    let objects: Vec<Object> = operands.map(|operand| call.object(&operand.units)).collect();
    if objects.is_empty() {
        call.not_assessed("what it changes is not known", findings);
    }
    for object in objects {
        call.does(Verb::Modes, &object, None, findings);
        weakened(call, &object, gives.unwrap_or_default(), findings);
        if !is_mode && object.place == Place::Rights {
            call.does(Verb::Escalates, &object, Some("another owner"), findings);
        }
    }
}

fn weakened(call: &Call<'_>, object: &Object, gives: Gives, findings: &mut Findings) {
    let system = match object.place {
        Place::System
        | Place::Library
        | Place::WholeSystem
        | Place::Rights
        | Place::Later
        | Place::Log
        | Place::AllLogs
        | Place::History
        | Place::Settings
        | Place::Disk => true,
        Place::Stream
        | Place::Project
        | Place::WholeProject
        | Place::AroundProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Temporary
        | Place::Cache
        | Place::Home
        | Place::Private
        | Place::WholeHome
        | Place::Connection
        | Place::Data
        | Place::Outside
        | Place::Unknown => false,
    };
    if gives.owner_rights || (gives.group_rights && system) {
        call.does(Verb::Escalates, object, Some("whoever runs it gets the rights of its owner"), findings);
    } else if gives.all_write && system {
        call.does(Verb::Escalates, object, Some("everybody may write to it"), findings);
    } else if gives.others && object.credential {
        call.does(Verb::Escalates, object, Some("others than its owner may use it"), findings);
    }
}

/// `-w`, `-rx`, `-x`: what looks like an option and takes permissions away.
fn is_signed_mode(text: &str) -> bool {
    text.strip_prefix('-')
        .is_some_and(|mode| !mode.is_empty() && mode.chars().all(|letter| "rwxXstugo,+-=a".contains(letter)))
}

/// What a mode gives; `None` where it is not known.
fn mode_of(text: &str) -> Option<Gives> {
    if !text.is_empty() && text.len() <= 5 && text.bytes().all(|byte| matches!(byte, b'0'..=b'7')) {
        let bits = u32::from_str_radix(text, 8).ok()?;
        return Some(Gives {
            owner_rights: bits & 0o4000 != 0,
            group_rights: bits & 0o2000 != 0,
            all_write: bits & 0o002 != 0,
            others: bits & 0o066 != 0,
        });
    }
    let mut gives = Gives::default();
    for clause in text.split(',') {
        let who: String = clause.chars().take_while(|letter| "ugoa".contains(*letter)).collect();
        let mut adds = None;
        for letter in clause.chars().skip(who.len()) {
            match letter {
                '+' | '=' => adds = Some(true),
                '-' => adds = Some(false),
                'r' | 'w' | 'x' | 'X' | 's' | 't' | 'u' | 'g' | 'o' => {
                    let adds = adds?;
                    let to = |whom: char| adds && (who.is_empty() || who.contains(whom) || who.contains('a'));
                    gives.owner_rights |= letter == 's' && to('u');
                    gives.group_rights |= letter == 's' && to('g');
                    let copied = matches!(letter, 'u' | 'g' | 'o');
                    // Without "who", the mask of the process keeps others from writing.
                    gives.all_write |= (letter == 'w' || copied) && to('o') && !who.is_empty();
                    gives.others |= (letter == 'r' || letter == 'w' || copied) && (to('g') || to('o'));
                }
                _ => return None,
            }
        }
        adds?;
    }
    Some(gives)
}

fn lists(call: &Call<'_>, findings: &mut Findings) {
    let given = read(call.arguments, 0, LISTS, false);
    if given.asks_for_help {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    let mut gives = Gives::default();
    for option in given.options() {
        match (option.name, option.value) {
            ("modify" | "set", Some(value)) => {
                for entry in crate::shell::hardline::text_of(value).split(',') {
                    let rights = entry.rsplit(':').next().unwrap_or_default();
                    gives.all_write |= rights.contains(['w', '2', '3', '6', '7', '\0']);
                    gives.others |= rights.contains(|right| !matches!(right, '-' | '0' | 'x' | '1'));
                }
            }
            ("modify-file" | "set-file" | "restore", Some(file)) => {
                call.does_to(Verb::Reads, file, findings);
                call.not_assessed("the permissions stand in a file", findings);
            }
            _ => {}
        }
    }
    let verb = if given.has("test") { Verb::Lists } else { Verb::Modes };
    for operand in given.operands().filter_map(|at| call.arguments.get(at)) {
        let object = call.object(&operand.units);
        call.does(verb, &object, None, findings);
        if verb == Verb::Modes {
            weakened(call, &object, gives, findings);
        }
    }
}
