//! `find`: starting points, then an expression of tests and actions.
//!
//! Promises that an action that is not known is not assessed, and that what is deleted or written is judged by the place of
//! the starting points. Knows nothing of the commands behind `-exec`: they are segments of their own.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::{Object, shown};
use super::super::place::Place;
use super::find_words::{ABOUT_FILES, KEYS, NAMES, NARROW, PLAIN, RUNNING, VALUED, WRITING, is_newer};
use super::text;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, Unit};
use crate::shell::word::base_name;

/// What `find` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    if let [only] = call.arguments
        && matches!(only.text.as_str(), "--help" | "-help" | "--version" | "-version")
    {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if !text::is_plain(call) {
        call.not_assessed("its expression has characters that can be taken for others", findings);
    }
    let roots = roots(call.arguments);
    if roots.objects.iter().any(|root| root.units.first() == Some(&Unit::Unknown)) {
        call.not_assessed(
            "a value that is only known when it runs may turn out to be a test or an action",
            findings,
        );
    }
    let does = expression(call, &roots, findings);
    if does.runs && !call.segment.carries_code {
        call.not_assessed("where the command that it runs starts is not known", findings);
    }
    let narrowed = narrowed(call.arguments);
    let note = does.deletes.then_some("everything under it that matches");
    let objects: Vec<Object> = match roots.objects.as_slice() {
        [] => vec![call.here()],
        several => several.iter().map(|root| call.object(&root.units)).collect(),
    };
    for mut object in objects {
        call.does(Verb::Lists, &object, None, findings);
        looks_for_keys(call, &object, &does, findings);
        if does.deletes {
            if narrowed {
                object.place = below(object.place);
            }
            call.does(Verb::Deletes, &object, note, findings);
        }
    }
}

/// What an expression does.
#[derive(Debug, Default)]
struct Does<'a> {
    deletes: bool,
    runs: bool,
    /// It runs a program that may use what is in a file.
    shows: bool,
    /// The names that it looks for.
    names: Vec<&'a Argument>,
}

fn expression<'c>(call: &Call<'c>, roots: &Roots<'c>, findings: &mut Findings) -> Does<'c> {
    let mut does = Does::default();
    let mut arguments = call.arguments.iter().skip(roots.end);
    while let Some(argument) = arguments.next() {
        let word = argument.text.as_str();
        if argument.is_dynamic() {
            call.not_assessed("a part of the expression is only known when it runs", findings);
            return does;
        }
        let lacks = |findings: &mut Findings| {
            call.not_assessed(&format!("{} lacks what it needs", shown(word)), findings)
        };
        if word == "-delete" {
            does.deletes = true;
        } else if WRITING.contains(&word) {
            let Some(file) = arguments.next() else {
                lacks(findings);
                break;
            };
            call.does_to(Verb::Writes, &file.units, findings);
            if word == "-fprintf" && arguments.next().is_none() {
                lacks(findings);
            }
        } else if RUNNING.contains(&word) {
            does.runs = true;
            // To its end: a semicolon, or a plus behind the braces.
            let mut last = "";
            let program = arguments.clone().next().map(|program| base_name(&program.text));
            does.shows |= program.is_none_or(|program| !ABOUT_FILES.contains(&program));
            let ended = arguments.by_ref().any(|next| {
                let ends = next.text == ";" || (next.text == "+" && last == "{}");
                last = next.text.as_str();
                ends
            });
            if !ended {
                lacks(findings);
            }
        } else if word == "-files0-from" {
            call.not_assessed("where it begins stands in a file", findings);
            arguments.next();
        } else if VALUED.contains(&word) || is_newer(word) {
            let Some(value) = arguments.next() else {
                lacks(findings);
                break;
            };
            if NAMES.contains(&word) {
                does.names.push(value);
            }
        } else if !PLAIN.contains(&word) {
            call.not_assessed(&format!("the test or action {} is not known", shown(word)), findings);
        }
    }
    does
}

/// Looking for files with keys in folders where people and systems keep them.
fn looks_for_keys(call: &Call<'_>, object: &Object, does: &Does<'_>, findings: &mut Findings) {
    let kept = match object.place {
        Place::WholeHome
        | Place::Home
        | Place::Private
        | Place::Settings
        | Place::WholeSystem
        | Place::System
        | Place::Rights
        | Place::Data
        | Place::AroundProject
        | Place::Outside => true,
        Place::Stream
        | Place::Project
        | Place::WholeProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Temporary
        | Place::Cache
        | Place::Later
        | Place::History
        | Place::Log
        | Place::AllLogs
        | Place::Disk
        | Place::Connection
        | Place::Library
        | Place::Unknown => false,
    };
    if !kept {
        return;
    }
    let sought = does.names.iter().find(|name| {
        let name = name.text.to_lowercase();
        KEYS.iter().any(|key| name.contains(key))
    });
    let Some(sought) = sought else { return };
    if does.shows {
        call.does(
            Verb::Exposes,
            object,
            Some("it looks for credentials and hands them to a program"),
            findings,
        );
    } else {
        findings.add(Outcome::Destructive, || {
            format!("It looks for files with credentials in {}: {}.", object.shown(), shown(&sought.text))
        });
    }
}

/// Where the expression begins, and the starting points in front of it.
struct Roots<'a> {
    end: usize,
    objects: Vec<&'a Argument>,
}

fn roots(arguments: &[Argument]) -> Roots<'_> {
    let mut end = 0;
    let mut objects = Vec::new();
    while let Some(argument) = arguments.get(end) {
        let word = argument.text.as_str();
        match word {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-s" | "-x" | "-d" | "--" if objects.is_empty() => end += 1,
            "-D" | "-f" if objects.is_empty() => {
                if word == "-f" {
                    objects.extend(arguments.get(end + 1));
                }
                end += 2;
            }
            word if word.starts_with("-O") && objects.is_empty() => end += 1,
            word if word.starts_with('-') || matches!(word, "(" | ")" | "!" | ",") => break,
            _ => {
                objects.push(argument);
                end += 1;
            }
        }
    }
    Roots { end: end.min(arguments.len()), objects }
}

/// Whether a test keeps some of what is found from being deleted.
fn narrowed(arguments: &[Argument]) -> bool {
    let matches_all =
        |value: Option<&Argument>| value.is_none_or(|value| matches!(value.text.as_str(), "*" | ".*" | "/*"));
    arguments.iter().enumerate().any(|(at, argument)| {
        let word = argument.text.as_str();
        (NARROW.contains(&word) || is_newer(word))
            && (word == "-empty" || !matches_all(arguments.get(at + 1)))
            && arguments
                .get(at.wrapping_sub(1))
                .is_none_or(|before| !matches!(before.text.as_str(), "!" | "-not"))
    })
}

/// The place of a part of what lies at a place.
fn below(place: Place) -> Place {
    match place {
        Place::WholeProject => Place::Project,
        Place::AroundProject => Place::Outside,
        Place::WholeHome => Place::Home,
        Place::WholeSystem => Place::System,
        Place::AllLogs => Place::Log,
        Place::Stream
        | Place::Project
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Temporary
        | Place::Cache
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::Later
        | Place::Rights
        | Place::History
        | Place::Log
        | Place::System
        | Place::Library
        | Place::Disk
        | Place::Connection
        | Place::Data
        | Place::Outside
        | Place::Unknown => place,
    }
}
