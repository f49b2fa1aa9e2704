//! `find` that deletes, or changes permissions, over the whole system or a whole home.
//!
//! Promises to tell a search that names what it is after (`-name '*.pyc'`) from one that takes everything.

use super::Check;
use super::argument::Argument;
use super::command::Invocation;
use super::deletion::loss_of;
use super::paths::Landmark;

/// Tests that single out a part of what is found; each takes one value.
const NARROWING: &[&str] = &[
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-wholename",
    "-iwholename",
    "-regex",
    "-iregex",
    "-lname",
    "-ilname",
    "-newer",
    "-anewer",
    "-cnewer",
    "-mtime",
    "-atime",
    "-ctime",
    "-mmin",
    "-amin",
    "-cmin",
    "-used",
    "-size",
    "-user",
    "-group",
    "-uid",
    "-gid",
    "-inum",
    "-samefile",
    "-links",
    "-fstype",
    "-context",
];
/// Tests of the same kind that take no value.
const NARROWING_ALONE: &[&str] = &["-empty", "-nouser", "-nogroup"];
/// Programs whose run for each file found deletes it.
pub(super) const DELETING: &[&str] = &["rm", "unlink", "shred", "rmdir", "grm", "srm", "rimraf"];
/// Programs whose run for each file found changes who may use it.
const PERMITTING: &[&str] = &["chmod", "chown", "chgrp", "setfacl", "chattr"];
/// Programs in front of another that change nothing about it.
const IN_FRONT: &[&str] = &["sudo", "doas", "env", "nice", "ionice", "command", "busybox", "time", "timeout"];

/// What one alternative of the expression (`… -o …`) does to what it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Does {
    Delete,
    ChangePermissions,
}

/// What a `find` does to a landmark.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    let landmark = start_landmark(command)?;
    match taking_everything(expression(command))? {
        Does::Delete => Some(loss_of(landmark)),
        Does::ChangePermissions => match landmark {
            Landmark::Root | Landmark::System => Some(Check::SystemPermissions),
            Landmark::Home => None,
        },
    }
}

/// The landmark that it starts in, if it does.
pub(super) fn start_landmark(command: &Invocation<'_>) -> Option<Landmark> {
    let starts = starts(command);
    if starts.is_empty() {
        return command.origin.folder.landmark(&command.origin);
    }
    starts.iter().find_map(|start| command.landmark(start))
}

fn is_expression(argument: &Argument) -> bool {
    argument.text.starts_with('-') || matches!(argument.text.as_str(), "(" | "!" | ",")
}

/// The words behind `-H`, `-L`, `-P`, `-D x` and `-O3`.
fn behind_options<'a>(command: &'a Invocation<'_>) -> &'a [Argument] {
    let mut rest = command.arguments();
    while let Some((first, behind)) = rest.split_first() {
        rest = match first.text.as_str() {
            "-H" | "-L" | "-P" | "-E" | "-X" | "-x" | "-s" | "--" => behind,
            "-D" => behind.get(1..).unwrap_or_default(),
            text if text.starts_with("-O") => behind,
            _ => break,
        };
    }
    rest
}

fn starts<'a>(command: &'a Invocation<'_>) -> &'a [Argument] {
    let rest = behind_options(command);
    let end = rest.iter().position(is_expression).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

fn expression<'a>(command: &'a Invocation<'_>) -> &'a [Argument] {
    let rest = behind_options(command);
    let end = rest.iter().position(is_expression).unwrap_or(rest.len());
    rest.get(end..).unwrap_or_default()
}

/// Whether it singles out a part of what it finds.
pub(super) fn is_narrowed(command: &Invocation<'_>) -> bool {
    let mut reader = Reader::default();
    reader.read(expression(command));
    reader.narrowed
}

/// What some alternative does to everything it is given.
fn taking_everything(expression: &[Argument]) -> Option<Does> {
    let mut reader = Reader::default();
    reader.read(expression);
    reader.alternative();
    reader.found
}

#[derive(Default)]
struct Reader {
    depth: usize,
    negated: bool,
    narrowed: bool,
    does: Option<Does>,
    found: Option<Does>,
}

impl Reader {
    /// One alternative ends.
    fn alternative(&mut self) {
        if !self.narrowed && self.found.is_none() {
            self.found = self.does;
        }
        self.narrowed = false;
        self.does = None;
    }

    fn read(&mut self, expression: &[Argument]) {
        let mut words = expression.iter();
        while let Some(word) = words.next() {
            let text = word.text.as_str();
            let negated = std::mem::take(&mut self.negated);
            match text {
                "!" | "-not" => self.negated = !negated,
                "(" => self.depth += 1,
                ")" => self.depth = self.depth.saturating_sub(1),
                "-o" | "-or" | "," if self.depth == 0 => self.alternative(),
                "-delete" => self.does = Some(Does::Delete),
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let action: Vec<&str> = words
                        .by_ref()
                        .map(|word| word.text.as_str())
                        .take_while(|word| !matches!(*word, ";" | "+"))
                        .collect();
                    if let Some(does) = action_does(&action) {
                        self.does = Some(does);
                    }
                }
                "-perm" | "-type" | "-xtype" | "-maxdepth" | "-mindepth" | "-printf" | "-fprint" | "-fls"
                | "-files0-from" => {
                    words.next();
                    self.narrowed |= text == "-perm" && !negated;
                }
                text if NARROWING_ALONE.contains(&text) => self.narrowed |= !negated,
                text if NARROWING.contains(&text) || text.starts_with("-newer") => {
                    let value = words.next();
                    self.narrowed |= !negated && value.is_none_or(|value| value.text != "*");
                }
                _ => {}
            }
        }
    }
}

fn action_does(action: &[&str]) -> Option<Does> {
    let mut words = action.iter().map(|word| crate::shell::word::base_name(word));
    let program = words.find(|word| !IN_FRONT.contains(word) && !word.starts_with('-'))?;
    if DELETING.contains(&program) {
        return Some(Does::Delete);
    }
    PERMITTING.contains(&program).then_some(Does::ChangePermissions)
}
