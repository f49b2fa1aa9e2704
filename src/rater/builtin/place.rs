//! Where a path lies, in the classes that decide how bad it is to read, change or lose what is there.
//!
//! Promises a class for every path, by its names alone; what is not known is `Unknown`. Knows nothing of commands.

use super::landmarks::{
    AGENT, AUTOMATION, BROWSER_STORES, CACHES, CODE_ENDINGS, HISTORY, HOOKS, LATER, LOGINS, PLAIN, RIGHTS,
    SECRET_ENDS, SECRET_FILES, SECRET_PARTS, SECRET_WORDS, SECRET_WORDS_OF_PROJECTS, SENSITIVE,
    SENSITIVE_ENDINGS, SETTINGS, TRACES,
};
use crate::shell::hardline::{Base, Component, Landmark, Origin, Path, is_block_device, is_credential};

/// Where a path lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A stream or a device that holds nothing: `/dev/null`, `/dev/stdout`, `-`.
    Stream,
    /// Inside the working folder of the call.
    Project,
    /// The working folder itself, or everything in it.
    WholeProject,
    /// A folder around the working folder.
    AroundProject,
    /// What git keeps of the project.
    Repository,
    /// Something that runs by itself when the project is worked on: a git hook.
    Hook,
    /// What builds and deploys the project elsewhere.
    Automation,
    /// The settings of an agent or an editor, which say what it may do and what it runs.
    AgentSettings,
    /// A temporary folder.
    Temporary,
    /// Something in the home folder that can be loaded anew.
    Cache,
    /// Settings of a program in the home folder that can make it run others or go elsewhere.
    Settings,
    /// Something in the home folder.
    Home,
    /// Something in the home folder that a program keeps there for itself, so that nobody knows what is in it.
    Private,
    /// The home folder itself, or everything in it.
    WholeHome,
    /// What is run at start, at login or at a time.
    Later,
    /// Who may do what: accounts, `sudo`, logins.
    Rights,
    /// The history of a shell.
    History,
    /// A log of the system.
    Log,
    /// All logs of the system.
    AllLogs,
    /// Something that belongs to the system: its settings and its state.
    System,
    /// A program, a library or a header of the system.
    Library,
    /// A folder that the system does not work without.
    WholeSystem,
    /// A disk.
    Disk,
    /// A connection to another machine: `/dev/tcp/…`.
    Connection,
    /// A mounted disk, a server's data, a backup.
    Data,
    /// Anywhere else.
    Outside,
    /// Only known when it runs.
    Unknown,
}

impl Place {
    /// What the names of a path at this place say of secrets: that it holds some for their own sake, that it may hold some, or
    /// nothing.
    pub(crate) fn secret_by_name(self, path: &Path) -> Option<SecretByName> {
        let names: Vec<&str> = path.components.iter().map(text).collect();
        let (last, parents) = names.split_last()?;
        let ending = last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, ending)| ending);
        if ending.is_some_and(|ending| CODE_ENDINGS.contains(&ending.to_ascii_lowercase().as_str())) {
            return None;
        }
        match self {
            Self::Project | Self::Temporary | Self::Outside | Self::AroundProject => {
                let in_folder = parents.iter().rev().take(2);
                let speaks = std::iter::once(last)
                    .chain(in_folder)
                    .any(|name| has_word(name, SECRET_WORDS_OF_PROJECTS));
                speaks.then_some(SecretByName::Maybe)
            }
            Self::Home | Self::Data | Self::System => {
                has_word(last, SECRET_WORDS).then_some(SecretByName::Certain)
            }
            Self::Private | Self::Settings | Self::Later | Self::Cache => names
                .iter()
                .rev()
                .take(3)
                .any(|name| has_word(name, SECRET_WORDS))
                .then_some(SecretByName::Certain),
            Self::Stream
            | Self::WholeProject
            | Self::Repository
            | Self::Hook
            | Self::Automation
            | Self::AgentSettings
            | Self::WholeHome
            | Self::Rights
            | Self::History
            | Self::Log
            | Self::AllLogs
            | Self::Library
            | Self::WholeSystem
            | Self::Disk
            | Self::Connection
            | Self::Unknown => None,
        }
    }
}

/// What a name says of secrets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretByName {
    /// It is there to hold them.
    Certain,
    /// It may hold some beside other things, or speak of them.
    Maybe,
}

/// Whether a name is one that keys, logins and tokens are kept under, whatever its ending.
fn is_named_like_a_secret(name: &str) -> bool {
    let small = name.to_ascii_lowercase();
    SECRET_FILES.contains(&small.as_str())
        || SECRET_ENDS.iter().any(|end| small.ends_with(end) && small.len() > end.len())
        || SECRET_PARTS.iter().any(|part| small.contains(part))
        || small.starts_with("wg") && small.ends_with(".conf")
        || (small.ends_with(".json") || small.ends_with(".pem"))
            && has_word(name, &["key", "keys", "jwt", "adminsdk", "sa"])
}

/// Whether one of these words stands in a name by itself: between marks, or at a capital letter.
fn has_word(name: &str, wanted: &[&str]) -> bool {
    let mut small = String::with_capacity(name.len() + 4);
    let mut before_was_small = false;
    for letter in name.chars().take(256) {
        if letter.is_ascii_uppercase() && before_was_small {
            small.push('_');
        }
        before_was_small = letter.is_ascii_lowercase();
        small.push(if matches!(letter, '-' | '.' | ' ') { '_' } else { letter.to_ascii_lowercase() });
    }
    wanted.iter().any(|word| {
        small.match_indices(word).any(|(at, _)| {
            let ends = |part: Option<&str>, last: fn(&str) -> Option<char>| {
                part.and_then(last).is_none_or(|letter| !letter.is_ascii_alphanumeric())
            };
            ends(small.get(..at), |part| part.chars().next_back())
                && ends(small.get(at + word.len()..), |part| part.chars().next())
        })
    })
}

/// The folders from which places are told.
#[derive(Debug, Clone)]
pub(crate) struct Grounds {
    /// The working folder of the call, and home.
    origin: Origin,
    /// The names of the working folder, where it is a project: no home, no folder of the system.
    project: Option<Vec<String>>,
}

/// Stands for a working folder that the caller does not name: its parents are outside.
const SOMEWHERE: &str = "/\u{fffb}/\u{fffb}/\u{fffb}";

impl Grounds {
    /// The grounds of a call.
    pub(crate) fn new(folder: Option<&str>, home: Option<&str>) -> Self {
        let home = home.map_or(Path { base: Base::Home, components: Vec::new() }, Path::absolute);
        let folder = folder.filter(|folder| folder.starts_with('/')).unwrap_or(SOMEWHERE);
        let origin = Origin { folder: Path::absolute(folder), home };
        let names = origin.folder.names().unwrap_or_default();
        let is_project = origin.folder.landmark(&origin).is_none() && !names.is_empty();
        let project = is_project.then(|| names.into_iter().map(str::to_owned).collect());
        Self { origin, project }
    }

    /// From where the paths of the call start.
    pub(crate) fn origin(&self) -> Origin {
        self.origin.clone()
    }

    /// The class of a path on this machine.
    pub(crate) fn place(&self, path: &Path) -> Place {
        if path.components.iter().any(|component| matches!(component, Component::Dynamic(_))) {
            return Place::Unknown;
        }
        let names: Vec<&str> = path.components.iter().map(text).collect();
        match path.base {
            Base::Unknown => Place::Unknown,
            Base::Home => in_home(&names, path.takes_everything_inside()),
            Base::Root => self.absolute(path, &names),
        }
    }

    fn absolute(&self, path: &Path, names: &[&str]) -> Place {
        if let Some(place) = device(path, names) {
            return place;
        }
        if let Some(project) = &self.project {
            let shared = names.iter().zip(project).take_while(|(name, own)| *name == own).count();
            if shared == project.len() {
                let inside = names.get(shared..).unwrap_or_default();
                return in_project(inside, path.takes_everything_inside());
            }
            if shared == names.len() && path.landmark(&self.origin).is_none() {
                return Place::AroundProject;
            }
        }
        match path.landmark(&self.origin) {
            Some(Landmark::Root | Landmark::System) => return Place::WholeSystem,
            Some(Landmark::Home) => return Place::WholeHome,
            None => {}
        }
        let home: Vec<&str> = match self.origin.home.base {
            Base::Root => self.origin.home.names().unwrap_or_default(),
            Base::Home | Base::Unknown => Vec::new(),
        };
        if !home.is_empty() && names.starts_with(&home) {
            return in_home(names.get(home.len()..).unwrap_or_default(), path.takes_everything_inside());
        }
        match names {
            ["tmp", ..]
            | ["var" | "private", "tmp", ..]
            | ["dev", "shm", ..]
            | ["var", "folders", ..]
            | ["private", "var", "folders" | "tmp", ..] => Place::Temporary,
            ["home" | "Users", _, inside @ ..] | ["root", inside @ ..] => {
                in_home(inside, path.takes_everything_inside())
            }
            [first, ..]
                if matches!(path.components.first(), Some(Component::Pattern(_))) || first.is_empty() =>
            {
                Place::System
            }
            _ => of_system(names, path.takes_everything_inside()),
        }
    }

    /// Whether a path holds credentials, whatever its place.
    pub(crate) fn is_credential(path: &Path) -> bool {
        is_credential(path)
    }

    /// Whether a path is likely to hold secrets beside other things.
    pub(crate) fn is_sensitive(path: &Path) -> bool {
        let names: Vec<&str> = path.components.iter().map(text).collect();
        if (0..names.len()).any(|at| is_in(names.get(at..).unwrap_or_default(), LOGINS))
            || matches!(names.as_slice(), ["proc", _, "mem"])
        {
            return true;
        }
        let Some(last) = path.components.last() else { return false };
        let name = text(last);
        if BROWSER_STORES.contains(&name) {
            return true;
        }
        // What a pattern finds may be a key, or the variables of an environment.
        if matches!(last, Component::Pattern(_))
            && (name.starts_with('.') && name.len() > 1 || name.ends_with(".pem") || name.ends_with(".key"))
        {
            return true;
        }
        if is_named_like_a_secret(name) {
            return true;
        }
        let Some((stem, ending)) = name.rsplit_once('.') else { return false };
        let stem = stem.trim_start_matches('.');
        (SENSITIVE.contains(&stem) && SENSITIVE_ENDINGS.contains(&ending))
            || matches!(ending, "tfstate" | "tfvars")
    }
}

fn text(component: &Component) -> &str {
    match component {
        Component::Name(text) | Component::Pattern(text) | Component::Dynamic(text) => text,
        Component::User => "user",
    }
}

/// Whether names start with those of a row of a table. The last name of a row may end in `*`.
fn is_in(names: &[&str], table: &[&[&str]]) -> bool {
    table.iter().any(|row| {
        row.len() <= names.len()
            && row.iter().zip(names).all(|(wanted, name)| match wanted.strip_suffix('*') {
                Some(start) => name.starts_with(start),
                None => name == wanted,
            })
    })
}

fn device(path: &Path, names: &[&str]) -> Option<Place> {
    match names {
        ["proc", _, "fd", ..] => Some(Place::Stream),
        ["dev", "shm", ..] => None,
        ["dev", "tcp" | "udp", ..] => Some(Place::Connection),
        [
            "dev",
            "null" | "zero" | "full" | "tty" | "random" | "urandom" | "stdin" | "stdout" | "stderr" | "fd"
            | "ptmx",
            ..,
        ] => Some(Place::Stream),
        ["dev", ..] if is_block_device(path) => Some(Place::Disk),
        ["dev", "mem" | "kmem" | "port", ..] => Some(Place::Disk),
        _ => None,
    }
}

/// How many folders deep files of a project are looked for that are more than data.
const MAX_LEVELS: usize = 32;

fn in_project(names: &[&str], everything: bool) -> Place {
    let own = match (names, everything) {
        ([rest @ .., _], true) => rest,
        (names, _) => names,
    };
    if own.is_empty() {
        return Place::WholeProject;
    }
    if let Some(at) = own.iter().position(|name| *name == ".git") {
        return match own.get(at + 1..).unwrap_or_default() {
            ["hooks", ..] => Place::Hook,
            ["config" | "config.worktree", ..] | ["info", "attributes", ..] => Place::Automation,
            _ => Place::Repository,
        };
    }
    // A project may hold others.
    let anywhere =
        |table| (0..own.len().min(MAX_LEVELS)).any(|at| is_in(own.get(at..).unwrap_or_default(), table));
    if anywhere(HOOKS) {
        Place::Hook
    } else if anywhere(AUTOMATION) {
        Place::Automation
    } else if anywhere(AGENT) {
        Place::AgentSettings
    } else {
        Place::Project
    }
}

fn in_home(names: &[&str], everything: bool) -> Place {
    let own = match (names, everything) {
        ([rest @ .., _], true) => rest,
        (names, _) => names,
    };
    if own.is_empty() {
        Place::WholeHome
    } else if is_in(own, LATER) {
        Place::Later
    } else if is_in(own, HISTORY) {
        Place::History
    } else if is_in(own, AGENT) {
        Place::AgentSettings
    } else if is_in(own, SETTINGS) {
        Place::Settings
    } else if is_in(own, CACHES) {
        Place::Cache
    } else if own
        .first()
        .is_some_and(|first| first.starts_with('.') || matches!(*first, "Library" | "snap" | "AppData"))
        && !is_in(own, PLAIN)
    {
        Place::Private
    } else {
        Place::Home
    }
}

fn of_system(names: &[&str], everything: bool) -> Place {
    let names = match names {
        ["private", rest @ ..] => rest,
        names => names,
    };
    if is_in(names, super::landmarks::SYSTEM_LATER) {
        return Place::Later;
    }
    if is_in(names, RIGHTS) {
        return Place::Rights;
    }
    match names {
        ["var", "log", trace, ..] if TRACES.iter().any(|start| trace.starts_with(start)) => Place::History,
        ["var", "log"] => Place::AllLogs,
        ["var", "log", _] if everything => Place::AllLogs,
        ["var", "log", ..] => Place::Log,
        ["var", "lib" | "backups" | "mail", ..]
        | ["mnt" | "media" | "Volumes" | "srv" | "backup" | "backups" | "data", ..] => Place::Data,
        [
            "bin" | "sbin" | "lib" | "lib32" | "lib64" | "libx32" | "usr" | "opt" | "nix" | "Applications"
            | "System",
            ..,
        ] => Place::Library,
        ["boot" | "dev" | "etc" | "proc" | "run" | "sys" | "var" | "Library", ..] => Place::System,
        _ => Place::Outside,
    }
}
