//! Words of a command that no effect of its entry is about, and that matter all the same: an address, a login, a door that is
//! opened to the network, a folder of somebody else.
//!
//! Promises never to make a judgement milder. Knows nothing of single programs, except those whose words are text.

use super::call::Call;
use super::findings::Findings;
use super::objects::{is_url, shown};
use super::place::Place;
use crate::gate::Outcome;
use crate::rater::knowledge::{Action, Objects, Resolved, Verb, sounds_harmless};
use crate::shell::hardline::{Argument, UNKNOWN, Unit, is_this_machine};

/// What they are given is text to show, to look for or to record.
const TELLING: [&str; 16] = [
    "git", "echo", "printf", "print", "grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep", "zgrep", "gh",
    "glab", "test", "[",
];

/// Adds words that open a port to everybody who reaches this machine.
pub(super) fn opens_doors(call: &Call<'_>, findings: &mut Findings) {
    if TELLING.contains(&call.program) {
        return;
    }
    for (at, argument) in call.arguments.iter().enumerate() {
        opens_a_door(call, argument, findings);
        // Servers for development take it for all addresses.
        let alone = argument.text == "--host"
            && call.arguments.get(at + 1).is_none_or(|next| next.text.starts_with('-'));
        if alone {
            findings.add(Outcome::Destructive, || {
                format!("{} listens to everybody who reaches this machine.", shown(call.program))
            });
        }
    }
}

/// Adds the words that nothing of the entry speaks about.
pub(super) fn add(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    if TELLING.contains(&call.program) {
        return;
    }
    let verbs = || {
        resolved.effects.iter().filter_map(|applied| match applied.effect.action {
            Action::Verb(verb) => Some((verb, applied.effect.objects)),
            Action::Rule(_) => None,
        })
    };
    if verbs().any(|(verb, _)| matches!(verb, Verb::Prints | Verb::Wraps | Verb::Nothing)) {
        return;
    }
    // A folder that is named is worked in.
    let builds = verbs().any(|(verb, _)| matches!(verb, Verb::Builds | Verb::Restores | Verb::Records));
    let looked_at =
        |objects: Objects| call.chosen(objects).iter().map(|units| units.as_ptr()).collect::<Vec<_>>();
    let judged: Vec<*const Unit> = verbs().filter_map(|(_, objects)| objects).flat_map(looked_at).collect();
    for (at, argument) in call.arguments.iter().enumerate().skip(call.subcommand_end) {
        let is_operand = resolved.operands.contains(&at);
        let is_unnamed = resolved.unnamed.contains(&at);
        if judged.contains(&argument.units.as_ptr()) || !(is_operand || is_unnamed) {
            continue;
        }
        let units = match argument.text.find('=') {
            Some(equals) if argument.text.starts_with('-') => {
                argument.behind(argument.text.get(..=equals).unwrap_or_default().chars().count())
            }
            Some(_) | None if argument.text.starts_with('-') => continue,
            Some(_) | None => argument.units.as_slice(),
        };
        named(call, units, builds, findings);
    }
    // In an account or a cluster a path is a name.
    let about_files = verbs().any(|(verb, _)| {
        matches!(
            verb,
            Verb::Builds
                | Verb::Restores
                | Verb::Records
                | Verb::Reads
                | Verb::Writes
                | Verb::Creates
                | Verb::Lists
                | Verb::Moves
        )
    });
    for (name, place) in &resolved.plain_values {
        let Some(units) = Call::value_units(call.arguments, *place) else { continue };
        named(call, units, about_files && (builds || !sounds_harmless(name)), findings);
    }
}

/// What a word names: an address, a login, a folder that is not the project's.
fn named(call: &Call<'_>, units: &[Unit], builds: bool, findings: &mut Findings) {
    let text: String = units.iter().map(|unit| unit.character()).collect();
    if text.contains(char::is_whitespace) || text.len() > 1_024 {
        return;
    }
    if is_url(&text) {
        if !is_this_machine(&text) && !is_name_of_something(&text) {
            findings.not_assessed(|| {
                format!(
                    "In {}, what the address {} is for is not known.",
                    shown(call.program),
                    shown(&text.replace(UNKNOWN, "…"))
                )
            });
        }
        return;
    }
    if builds {
        for (at, letter) in text.char_indices() {
            let behind = text.get(at + letter.len_utf8()..).unwrap_or_default();
            let path = behind.starts_with(['/', '~']) || behind.starts_with("../");
            if path && matches!(letter, '=' | ':' | ',') && !behind.starts_with("//") {
                place(
                    call,
                    units.get(text.chars().count() - behind.chars().count()..).unwrap_or_default(),
                    findings,
                );
            }
        }
    }
    let object = call.object(units);
    if object.credential {
        findings.not_assessed(|| {
            format!(
                "In {}, what becomes of {}, which holds credentials, is not known.",
                shown(call.program),
                object.shown()
            )
        });
    } else if builds && text.contains('/') && !text.starts_with("//") && text.len() > 1 {
        place(call, units, findings);
    }
}

/// Adds that a path lies outside of the project, where it does.
fn place(call: &Call<'_>, units: &[Unit], findings: &mut Findings) {
    let end =
        units.iter().position(|unit| matches!(unit.character(), ',' | ':' | '=')).unwrap_or(units.len());
    let object = call.object(units.get(..end).unwrap_or(units));
    match object.place {
        Place::Stream
        | Place::Project
        | Place::WholeProject
        | Place::AroundProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Library
        | Place::Unknown => {}
        Place::Temporary
        | Place::Cache
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::WholeHome
        | Place::Later
        | Place::Rights
        | Place::History
        | Place::Log
        | Place::AllLogs
        | Place::System
        | Place::WholeSystem
        | Place::Disk
        | Place::Connection
        | Place::Data
        | Place::Outside => findings.not_assessed(|| {
            format!(
                "In {}, what {} outside of the project is for is not known.",
                shown(call.program),
                object.shown()
            )
        }),
    }
}

/// Programs that run the tasks of a project by their names.
const TASKS: [&str; 34] = [
    "ninja",
    "ninja-build",
    "samu",
    "cmake",
    "cmake3",
    "scons",
    "waf",
    "redo",
    "tup",
    "jam",
    "b2",
    "premake5",
    "zig",
    "tox",
    "nox",
    "bacon",
    "west",
    "idf.py",
    "meson",
    "xmake",
    "compiledb",
    "mill",
    "lein",
    "just",
    "task",
    "invoke",
    "inv",
    "doit",
    "moon",
    "rush",
    "ant",
    "mage",
    "buck2",
    "cargo-make",
];
/// What tasks are called that reach further than the project.
const FAR: [&str; 18] = [
    "deploy",
    "publish",
    "release",
    "upload",
    "flash",
    "push",
    "install",
    "uninstall",
    "prod",
    "production",
    "ship",
    "destroy",
    "drop",
    "provision",
    "migrate",
    "promote",
    "rollback",
    "erase",
];

/// Adds tasks whose names say that they reach further than the project.
pub(super) fn far_tasks(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    let makes = call.program == "cargo" && call.subcommand_is(&["make"]);
    if !makes && !TASKS.contains(&call.program) {
        return;
    }
    let values = resolved.plain_values.iter().filter(|(name, _)| {
        matches!(
            name.as_str(),
            "-e" | "-s"
                | "-t"
                | "-j"
                | "--target"
                | "--session"
                | "--sessions"
                | "--tags"
                | "--job"
                | "--ninja-args"
        )
    });
    let words = resolved
        .operands
        .iter()
        .filter_map(|at| call.arguments.get(*at))
        .map(|argument| argument.units.as_slice());
    for units in words.chain(values.filter_map(|(_, place)| Call::value_units(call.arguments, *place))) {
        let text: String = units.iter().map(|unit| unit.character()).collect::<String>().to_ascii_lowercase();
        let mut parts = text.split(|letter: char| !letter.is_ascii_alphanumeric());
        if parts.any(|part| FAR.contains(&part)) {
            call.not_assessed(&format!("what the task {} reaches is not known", shown(&text)), findings);
        }
    }
}

/// Whether an address is that of something on this machine, in the words of a tool: `local://image`, `file:` of the project.
fn is_name_of_something(text: &str) -> bool {
    text.starts_with("local://") || text.starts_with("file://")
}

/// Whether a word makes something listen to everybody: all addresses of the machine.
fn opens_a_door(call: &Call<'_>, argument: &Argument, findings: &mut Findings) {
    let value = match argument.text.split_once('=') {
        Some((name, value)) if name.starts_with('-') => value,
        Some(_) | None => argument.text.as_str(),
    };
    let address = value.split_once("://").map_or(value, |(_, rest)| rest);
    let host = address.split('/').next().unwrap_or_default();
    let open = |host: &str| {
        let behind = |name: &str| {
            host.strip_prefix(name).is_some_and(|rest| {
                rest.is_empty()
                    || rest.strip_prefix(':').is_some_and(|port| {
                        !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
                    })
            })
        };
        behind("0.0.0.0") || behind("[::]") || host == "::"
    };
    if open(host) || host.rsplit_once(':').is_some_and(|_| host.starts_with("*:")) {
        findings.add(Outcome::Destructive, || {
            format!(
                "{} listens at {}, for everybody who reaches this machine.",
                shown(call.program),
                shown(value)
            )
        });
    }
}
