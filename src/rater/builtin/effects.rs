//! What an effect on an object amounts to, and the words for it.
//!
//! Promises an outcome for every verb at every place. Knows nothing of programs.

mod wording;

use super::findings::Findings;
use super::objects::{Object, shown};
use super::place::Place;
use crate::gate::Outcome::{self, Attack, Catastrophic, Destructive, Safe};
use crate::rater::knowledge::{Action, Effect, Objects, Verb};
use wording::{place_words, words};

/// An effect without an object, or with an object that is no file.
pub(crate) fn plain(
    program: &str,
    verb: Verb,
    named: Option<&str>,
    note: Option<&str>,
    findings: &mut Findings,
) {
    let sentence = || {
        let program = shown(program);
        let (with, without) = words(verb);
        let what = match named {
            Some(named) => format!("{with} {}", shown(named)),
            None => without.to_owned(),
        };
        let note = note.map_or_else(String::new, |note| format!(": {note}"));
        format!("{program} {what}{note}.")
    };
    match of_verb(verb) {
        Some(outcome) => findings.add(outcome, sentence),
        None => findings.not_assessed(sentence),
    }
}

/// An effect on an object that is a file, a folder or a stream.
pub(crate) fn on(program: &str, verb: Verb, object: &Object, note: Option<&str>, findings: &mut Findings) {
    let sentence = || {
        let program = shown(program);
        let (with, _) = words(verb);
        let kind = match object.credential {
            true if is_about_files(verb) => ", which holds credentials",
            false if object.sensitive && is_about_files(verb) => ", which may hold secrets",
            false if is_about_files(verb) => place_words(object.place),
            true | false => "",
        };
        let note = note.map_or_else(String::new, |note| format!(": {note}"));
        format!("{program} {with} {}{kind}{note}.", object.shown())
    };
    match of(verb, object) {
        Some(outcome) => findings.add(outcome, sentence),
        None => findings.not_assessed(sentence),
    }
}

/// The outcome of a verb by itself; `None` is "not assessed".
fn of_verb(verb: Verb) -> Option<Outcome> {
    match verb {
        Verb::Nothing
        | Verb::Prints
        | Verb::Lists
        | Verb::Reads
        | Verb::Inspects
        | Verb::Builds
        | Verb::Restores
        | Verb::Records
        | Verb::Pushes
        | Verb::Wraps
        | Verb::Enters
        | Verb::Creates
        | Verb::Writes
        | Verb::Moves => Some(Safe),
        Verb::Deletes
        | Verb::Modes
        | Verb::Discards
        | Verb::Installs
        | Verb::Reveals
        | Verb::Fetches
        | Verb::Sends
        | Verb::Runs
        | Verb::Hands
        | Verb::Listens
        | Verb::Stops
        | Verb::Alters
        | Verb::Reroutes
        | Verb::Raises => Some(Destructive),
        Verb::Wipes | Verb::Publishes => Some(Catastrophic),
        Verb::Exposes | Verb::Escalates | Verb::Persists | Verb::Obscures => Some(Attack),
        Verb::Unknown => None,
    }
}

/// Whether a command with such an effect of an option stays as harmless as it is without.
pub(super) fn is_mild(effect: &Effect) -> bool {
    let of_value = effect.objects == Some(Objects::Value);
    matches!(effect.action, Action::Verb(verb) if of_verb(verb) == Some(Safe) && !of_value)
}

/// What a verb without an object does to the project becomes what it does to the folder that the command enters.
pub(super) fn is_of_the_project(verb: Verb) -> bool {
    matches!(of_verb(verb), Some(Safe))
        && is_about_files(verb)
        && !matches!(verb, Verb::Lists | Verb::Reads | Verb::Inspects)
}

/// Whether the place of its object matters to a verb.
fn is_about_files(verb: Verb) -> bool {
    match verb {
        Verb::Lists
        | Verb::Reads
        | Verb::Inspects
        | Verb::Builds
        | Verb::Restores
        | Verb::Records
        | Verb::Pushes
        | Verb::Creates
        | Verb::Writes
        | Verb::Reveals
        | Verb::Moves
        | Verb::Deletes
        | Verb::Modes
        | Verb::Sends
        | Verb::Runs => true,
        Verb::Nothing
        | Verb::Prints
        | Verb::Wraps
        | Verb::Enters
        | Verb::Hands
        | Verb::Listens
        | Verb::Discards
        | Verb::Installs
        | Verb::Fetches
        | Verb::Stops
        | Verb::Alters
        | Verb::Reroutes
        | Verb::Raises
        | Verb::Wipes
        | Verb::Publishes
        | Verb::Exposes
        | Verb::Escalates
        | Verb::Persists
        | Verb::Obscures
        | Verb::Unknown => false,
    }
}

/// The outcome of a verb on an object; `None` is "not assessed".
fn of(verb: Verb, object: &Object) -> Option<Outcome> {
    match verb {
        Verb::Nothing | Verb::Lists | Verb::Prints | Verb::Wraps | Verb::Enters => Some(Safe),
        Verb::Reads | Verb::Inspects => reading(object),
        Verb::Sends | Verb::Reveals if object.credential => Some(Attack),
        Verb::Builds | Verb::Restores | Verb::Records | Verb::Pushes => building(object),
        Verb::Creates | Verb::Writes => writing(object),
        Verb::Moves => moving(object),
        Verb::Deletes => deleting(object),
        Verb::Modes => modes(object),
        Verb::Discards
        | Verb::Installs
        | Verb::Reveals
        | Verb::Fetches
        | Verb::Sends
        | Verb::Runs
        | Verb::Hands
        | Verb::Listens
        | Verb::Stops
        | Verb::Alters
        | Verb::Reroutes
        | Verb::Raises
        | Verb::Wipes
        | Verb::Publishes
        | Verb::Exposes
        | Verb::Escalates
        | Verb::Persists
        | Verb::Obscures
        | Verb::Unknown => of_verb(verb),
    }
}

fn reading(object: &Object) -> Option<Outcome> {
    if object.remote {
        return Some(Destructive);
    }
    if object.credential {
        return Some(Attack);
    }
    if object.sensitive {
        return Some(Destructive);
    }
    match object.place {
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
        | Place::Later
        | Place::Log
        | Place::AllLogs
        | Place::Library => Some(Safe),
        // Which of the files there it is, nobody can tell.
        Place::Home | Place::Settings | Place::Rights | Place::Data | Place::System | Place::Outside
            if object.nameless =>
        {
            None
        }
        Place::Home | Place::Settings | Place::Rights | Place::Data | Place::System | Place::Outside => {
            Some(Safe)
        }
        Place::WholeHome | Place::WholeSystem | Place::History | Place::Disk | Place::Connection => {
            Some(Destructive)
        }
        // Programs keep their logins there.
        Place::Private | Place::Unknown => None,
    }
}

/// Building, testing or recording what lies elsewhere runs or changes what nobody has looked at.
fn building(object: &Object) -> Option<Outcome> {
    match object.place {
        Place::Stream
        | Place::Project
        | Place::WholeProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings => Some(Safe),
        Place::AroundProject
        | Place::Temporary
        | Place::Cache
        | Place::Later
        | Place::Log
        | Place::AllLogs
        | Place::System
        | Place::Library
        | Place::Home
        | Place::Private
        | Place::Settings
        | Place::Rights
        | Place::Data
        | Place::Outside
        | Place::WholeHome
        | Place::WholeSystem
        | Place::History
        | Place::Disk
        | Place::Connection => Some(Destructive),
        Place::Unknown => None,
    }
}

fn writing(object: &Object) -> Option<Outcome> {
    if object.remote {
        return Some(Destructive);
    }
    match object.place {
        Place::Stream | Place::Project | Place::WholeProject | Place::Temporary => Some(Safe),
        Place::AroundProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Cache
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::WholeHome
        | Place::System
        | Place::Library
        | Place::WholeSystem
        | Place::Data
        | Place::Connection
        | Place::Log
        | Place::Outside => Some(Destructive),
        Place::Later | Place::Rights | Place::History | Place::AllLogs => Some(Attack),
        Place::Disk => Some(Catastrophic),
        Place::Unknown => None,
    }
}

fn moving(object: &Object) -> Option<Outcome> {
    match object.place {
        Place::Stream | Place::Project | Place::Temporary if !object.credential => Some(Safe),
        Place::Unknown => None,
        Place::Stream
        | Place::Project
        | Place::Temporary
        | Place::WholeProject
        | Place::AroundProject
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Cache
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::Later
        | Place::System
        | Place::Library
        | Place::Data
        | Place::Outside => Some(Destructive),
        Place::WholeHome | Place::WholeSystem | Place::Disk | Place::Rights => Some(Catastrophic),
        Place::History | Place::AllLogs => Some(Attack),
        Place::Connection | Place::Log => Some(Destructive),
    }
}

fn deleting(object: &Object) -> Option<Outcome> {
    let mine = matches!(object.place, Place::Project | Place::Temporary | Place::Outside);
    if object.credential && !mine || object.is_state() {
        return Some(Catastrophic);
    }
    match object.place {
        Place::Stream
        | Place::Project
        | Place::Repository
        | Place::Hook
        | Place::Automation
        | Place::AgentSettings
        | Place::Temporary
        | Place::Cache
        | Place::Outside
        | Place::Log
        | Place::Connection => Some(Destructive),
        Place::WholeProject
        | Place::AroundProject
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::WholeHome
        | Place::Later
        | Place::Rights
        | Place::System
        | Place::Library
        | Place::WholeSystem
        | Place::Data
        | Place::Disk => Some(Catastrophic),
        Place::History | Place::AllLogs => Some(Attack),
        Place::Unknown => None,
    }
}

fn modes(object: &Object) -> Option<Outcome> {
    match object.place {
        Place::WholeHome | Place::WholeSystem => Some(Catastrophic),
        Place::Unknown => None,
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
        | Place::Settings
        | Place::Home
        | Place::Private
        | Place::Later
        | Place::Rights
        | Place::History
        | Place::Log
        | Place::AllLogs
        | Place::System
        | Place::Library
        | Place::Data
        | Place::Disk
        | Place::Connection
        | Place::Outside => Some(Destructive),
    }
}
