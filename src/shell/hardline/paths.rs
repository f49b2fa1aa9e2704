//! Paths as the shell would resolve them from the text alone, and the places on a machine that must not be lost.
//!
//! Promises lexical resolution only: `.`, `..`, repeated slashes, tildes, `$HOME`, the working folder. What is not known
//! stays unknown and is no such place. Knows nothing of programs.

use super::argument::Unit;
use super::globs;

/// Where a path starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Base {
    /// The root of the file system.
    Root,
    /// The home folder of the user, whose path is not known.
    Home,
    /// A place that is not known.
    Unknown,
}

/// A component of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Component {
    /// A name.
    Name(String),
    /// A pattern; quoted pattern characters have a backslash in front.
    Pattern(String),
    /// The name of the user, as `$USER` has it.
    User,
    /// Partly known: the text in front of what is only known when it runs.
    Dynamic(String),
}

/// A path after lexical resolution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path {
    /// Where it starts.
    pub(crate) base: Base,
    /// Its components.
    pub(crate) components: Vec<Component>,
}

/// A place on a machine that must not be lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Landmark {
    /// The root of the file system, or everything in it.
    Root,
    /// A folder of the system, or everything in it.
    System,
    /// A home folder, or everything in it.
    Home,
}

/// From where relative paths start, and where home is.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    /// The working folder.
    pub(crate) folder: Path,
    /// The home folder.
    pub(crate) home: Path,
}

/// Folders in the root that a machine does not work without.
const SYSTEM_FOLDERS: &[&str] = &[
    "bin",
    "boot",
    "dev",
    "etc",
    "home",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "opt",
    "proc",
    "root",
    "sbin",
    "sys",
    "usr",
    "var",
    "Applications",
    "Library",
    "System",
    "Users",
    "private",
];
/// Folders one level deeper that a machine does not work without.
const SYSTEM_SUBFOLDERS: &[(&str, &str)] = &[
    ("usr", "bin"),
    ("usr", "sbin"),
    ("usr", "lib"),
    ("usr", "lib64"),
    ("usr", "libexec"),
    ("var", "lib"),
    ("boot", "efi"),
    ("private", "etc"),
    ("private", "var"),
    ("System", "Library"),
];
/// Folders that hold the home folders of people.
const HOMES: &[&str] = &["home", "Users"];

impl Path {
    /// A place that is not known.
    pub(crate) fn unknown() -> Self {
        Self { base: Base::Unknown, components: Vec::new() }
    }

    /// The path of an absolute text; anything else is unknown.
    pub(crate) fn absolute(text: &str) -> Self {
        let mut path = Self::unknown();
        if text.starts_with('/') {
            path.base = Base::Root;
            for name in text.split('/') {
                path.push(Component::Name(name.to_owned()));
            }
        }
        path
    }

    /// The path that pieces of a word stand for.
    pub(crate) fn resolve(units: &[Unit], origin: &Origin) -> Self {
        let (mut path, rest) = start(units, origin);
        for component in rest.split(|unit| unit.character() == '/') {
            path.push(read_component(component));
        }
        path
    }

    fn push(&mut self, component: Component) {
        match component {
            Component::Name(name) if name.is_empty() || name == "." => {}
            Component::Name(name) if name == ".." => {
                if self.components.pop().is_none() {
                    match self.base {
                        Base::Root => {}
                        Base::Home => {
                            self.base = Base::Root;
                            self.components.push(Component::Name("home".to_owned()));
                        }
                        Base::Unknown => {}
                    }
                }
            }
            component => self.components.push(component),
        }
    }

    /// The names, where every component is one.
    pub(crate) fn names(&self) -> Option<Vec<&str>> {
        self.components
            .iter()
            .map(|component| match component {
                Component::Name(name) => Some(name.as_str()),
                Component::Pattern(_) | Component::User | Component::Dynamic(_) => None,
            })
            .collect()
    }

    /// The absolute text of a path that is known in full.
    pub(crate) fn absolute_text(&self) -> Option<String> {
        match self.base {
            Base::Root => Some(format!("/{}", self.names()?.join("/"))),
            Base::Home | Base::Unknown => None,
        }
    }

    /// Whether the last component is a pattern that stands for everything in its folder.
    pub(crate) fn takes_everything_inside(&self) -> bool {
        matches!(self.components.last(), Some(Component::Pattern(pattern)) if globs::matches_all(pattern))
    }

    /// The landmark that the path is, or whose whole content it is.
    pub(crate) fn landmark(&self, origin: &Origin) -> Option<Landmark> {
        let mut components = self.components.as_slice();
        let mut hidden = false;
        while let Some((Component::Pattern(pattern), rest)) = components.split_last() {
            if globs::matches_hidden(pattern) && !hidden && components.len() == self.components.len() {
                hidden = true;
            } else if !globs::matches_all(pattern) {
                break;
            }
            components = rest;
        }
        match self.base {
            Base::Unknown => None,
            Base::Home => components.is_empty().then_some(Landmark::Home),
            Base::Root => match components {
                [] => Some(Landmark::Root),
                _ if is_home(components, origin) => Some(Landmark::Home),
                [only] if is_system_folder(only) => Some(Landmark::System),
                [first, second] if is_system_subfolder(first, second) => Some(Landmark::System),
                [Component::Name(first), second] if HOMES.contains(&first.as_str()) => match second {
                    Component::Name(_) | Component::Pattern(_) | Component::User => Some(Landmark::Home),
                    Component::Dynamic(_) => None,
                },
                _ => None,
            },
        }
    }
}

/// Whether the path is the caller's home folder, or a folder that holds it and is none of the system's.
fn is_home(components: &[Component], origin: &Origin) -> bool {
    let home = &origin.home.components;
    origin.home.base == Base::Root
        && home.len() >= components.len()
        && components.iter().zip(home).all(|pair| match pair {
            (Component::Name(name), Component::Name(home)) => name == home,
            (Component::Pattern(pattern), Component::Name(home)) => globs::matches_any(pattern, &[home]),
            (Component::Name(_) | Component::Pattern(_) | Component::User | Component::Dynamic(_), _) => {
                false
            }
        })
        && !matches!(components, [only] if is_system_folder(only))
}

fn is_system_folder(component: &Component) -> bool {
    is_any(component, SYSTEM_FOLDERS)
}

fn is_system_subfolder(first: &Component, second: &Component) -> bool {
    let pattern = match first {
        Component::Pattern(pattern) => globs::Pattern::new(pattern),
        Component::Name(_) | Component::User | Component::Dynamic(_) => None,
    };
    let is_first = |folder: &str| match (first, &pattern) {
        (Component::Name(name), _) => name == folder,
        (_, Some(pattern)) => pattern.matches(folder),
        (_, None) => false,
    };
    let inner: Vec<&str> =
        SYSTEM_SUBFOLDERS.iter().filter(|(folder, _)| is_first(folder)).map(|(_, inner)| *inner).collect();
    !inner.is_empty() && is_any(second, &inner)
}

fn is_any(component: &Component, names: &[&str]) -> bool {
    match component {
        Component::Name(found) => names.contains(&found.as_str()),
        Component::Pattern(pattern) => globs::matches_any(pattern, names),
        Component::User | Component::Dynamic(_) => false,
    }
}

/// Where the pieces start, and what is left of them.
fn start<'u>(units: &'u [Unit], origin: &Origin) -> (Path, &'u [Unit]) {
    let rest = units.get(1..).unwrap_or_default();
    let ends_component = rest.first().is_none_or(|unit| unit.character() == '/');
    match units.first() {
        Some(Unit::Plain('~')) => return tilde(rest, origin),
        Some(Unit::Home) if ends_component => return (origin.home.clone(), rest),
        Some(Unit::Folder) if ends_component => return (origin.folder.clone(), rest),
        Some(Unit::Plain('/') | Unit::Quoted('/')) => {
            return (Path { base: Base::Root, components: Vec::new() }, rest);
        }
        Some(Unit::Home | Unit::Folder | Unit::User | Unit::Unknown) => return (Path::unknown(), units),
        Some(Unit::Plain(_) | Unit::Quoted(_)) | None => {}
    }
    (origin.folder.clone(), units)
}

fn tilde<'u>(rest: &'u [Unit], origin: &Origin) -> (Path, &'u [Unit]) {
    let end = rest.iter().position(|unit| unit.character() == '/').unwrap_or(rest.len());
    let (user, behind) = rest.split_at_checked(end).unwrap_or((rest, &[]));
    let user: String = user.iter().map(|unit| unit.character()).collect();
    let path = match user.as_str() {
        "" => origin.home.clone(),
        "+" => origin.folder.clone(),
        "root" => Path::absolute("/root"),
        user if user.chars().all(|character| character.is_alphanumeric() || "._-".contains(character))
            && !user.starts_with('-') =>
        {
            Path::absolute(&format!("/home/{user}"))
        }
        _ => Path::unknown(),
    };
    (path, behind)
}

fn read_component(units: &[Unit]) -> Component {
    if units == [Unit::User] {
        return Component::User;
    }
    if let Some(at) = units.iter().position(|unit| unit.character() == super::argument::UNKNOWN) {
        return Component::Dynamic(super::argument::text_of(units.get(..at).unwrap_or_default()));
    }
    let pattern = units.iter().any(|unit| matches!(unit, Unit::Plain('*' | '?' | '[')));
    if !pattern {
        return Component::Name(super::argument::text_of(units));
    }
    let mut text = String::with_capacity(units.len());
    for unit in units {
        if matches!(unit, Unit::Quoted('*' | '?' | '[' | ']' | '\\' | '-' | '!' | '^')) {
            text.push('\\');
        }
        text.push(unit.character());
    }
    Component::Pattern(text)
}
