//! The objects of a command: files with their places, as far as the words tell.
//!
//! Promises that what is shown of the command's text is one quoted line of bounded length. Knows nothing of effects.

use super::place::{Grounds, Place, SecretByName};
use crate::display;
use crate::shell::hardline::{Component, Origin, Path, Unit, text_of};

/// How wide a text of the command is shown, in columns.
const SHOWN_COLUMNS: usize = 60;
/// Stands in a word for a value that is bounded to the project, but not known.
pub(crate) const SOME: char = '\u{fffc}';

/// What a command does something to.
#[derive(Debug, Clone)]
pub(crate) struct Object {
    /// Where it lies.
    pub(crate) place: Place,
    /// It holds credentials.
    pub(crate) credential: bool,
    /// It is likely to hold secrets beside other things.
    pub(crate) sensitive: bool,
    /// It names something on another machine.
    pub(crate) remote: bool,
    /// Some of its name is only known when it runs.
    pub(crate) nameless: bool,
    /// How it is shown.
    shown: String,
}

impl Object {
    /// The object that an argument, or a part of one, names. With `elsewhere` it is none of this machine.
    pub(crate) fn new(units: &[Unit], origin: &Origin, grounds: &Grounds, elsewhere: bool) -> Self {
        let text = text_of(units);
        let shown = shown_units(units);
        if text == "-" {
            return Self {
                place: Place::Stream,
                credential: false,
                sensitive: false,
                remote: false,
                nameless: false,
                shown,
            };
        }
        let remote = is_url(&text);
        let path = Path::resolve(units, origin);
        let place = match grounds.place(&path) {
            _ if remote => Place::Outside,
            place if elsewhere => abroad(place),
            place => place,
        };
        let some = |component: &Component| match component {
            Component::Name(name) | Component::Pattern(name) => name.contains(SOME),
            Component::User | Component::Dynamic(_) => false,
        };
        let nameless = path.components.iter().any(some);
        // Settings of package managers that lie in the project are seldom the place of a token.
        let settings = place == Place::Automation || place == Place::Hook;
        let named_so = if remote { None } else { place.secret_by_name(&path) };
        let credential = !remote && Grounds::is_credential(&path) || named_so == Some(SecretByName::Certain);
        Self {
            place,
            credential: credential && !settings,
            sensitive: !remote && (Grounds::is_sensitive(&path) || credential || named_so.is_some()),
            remote,
            nameless,
            shown,
        }
    }

    /// The working folder.
    pub(crate) fn here(origin: &Origin, grounds: &Grounds, elsewhere: bool) -> Self {
        let place = grounds.place(&origin.folder);
        Self {
            place: if elsewhere { abroad(place) } else { place },
            credential: Grounds::is_credential(&origin.folder),
            sensitive: false,
            remote: false,
            nameless: false,
            shown: "the working folder".to_owned(),
        }
    }

    /// Whether it is the state that a tool keeps of what it has set up elsewhere: nothing else knows that.
    pub(crate) fn is_state(&self) -> bool {
        self.sensitive && self.shown.contains(".tfstate")
    }

    /// How it is shown: quoted, neutral, bounded.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }
}

/// On another machine or in a container nothing is the project, and what is lost there is not this machine.
fn abroad(place: Place) -> Place {
    match place {
        Place::Stream | Place::Unknown | Place::Connection => place,
        Place::Project
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
        | Place::WholeHome
        | Place::Later
        | Place::Rights
        | Place::History
        | Place::Log
        | Place::AllLogs
        | Place::System
        | Place::Library
        | Place::WholeSystem
        | Place::Disk
        | Place::Data
        | Place::Outside => Place::Outside,
    }
}

/// Whether a text is an address.
pub(crate) fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
    })
}

/// A text of the command: quoted, in one line, of visible characters only, and bounded.
pub(crate) fn shown(text: &str) -> String {
    let start: String = text.chars().take(4 * SHOWN_COLUMNS).collect();
    let line = display::clip(&display::one_line(&start), SHOWN_COLUMNS);
    format!("\"{}\"", line.replace('"', "'"))
}

fn shown_units(units: &[Unit]) -> String {
    let text: String = units
        .iter()
        .take(4 * SHOWN_COLUMNS)
        .map(|unit| match unit {
            Unit::Plain(SOME) | Unit::Quoted(SOME) => '…',
            Unit::Plain(character) | Unit::Quoted(character) => *character,
            Unit::Home => '~',
            Unit::Folder => '.',
            Unit::User | Unit::Unknown => '…',
        })
        .collect();
    shown(&text)
}
