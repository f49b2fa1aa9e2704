//! Deleting the root of the file system, a folder of the system or a home folder.
//!
//! Promises to look at every operand, whatever the order and spelling of the options. Deletes that stay inside a folder
//! of their own are not its business.

use super::Check;
use super::argument::Argument;
use super::command::Invocation;
use super::options::{Grammar, Parsed};
use super::paths::{Component, Landmark};

/// Programs that delete folders with what is in them when they are told to.
const DELETERS: &[&str] = &["rm", "grm", "srm", "rimraf", "trash", "trash-put", "gtrash"];
/// Deleters that need no option to go into folders.
const ALWAYS_RECURSIVE: &[&str] = &["rimraf", "trash", "trash-put", "gtrash"];
/// Folders whose files a machine does not work without, even with their subfolders left.
const FOLDERS_OF_FILES: &[&str] =
    &["/bin", "/sbin", "/boot", "/etc", "/lib", "/lib64", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib64"];

/// The check that the loss of a landmark is.
pub(super) fn loss_of(landmark: Landmark) -> Check {
    match landmark {
        Landmark::Root => Check::RootDeletion,
        Landmark::System => Check::SystemDeletion,
        Landmark::Home => Check::HomeDeletion,
    }
}

/// What a command deletes that must not be deleted.
pub(super) fn check(command: &Invocation<'_>) -> Option<Check> {
    if command.named(DELETERS).is_some() {
        return removed(command);
    }
    match command.program.as_str() {
        "mv" | "gmv" => moved(command),
        "find" | "gfind" => super::finding::check(command),
        "rsync" => mirrored(command),
        "npx" | "pnpx" | "bunx" => {
            let (program, operands) = command.arguments().split_first()?;
            (program.text == "rimraf").then(|| lost(command, operands.iter()))?
        }
        _ => None,
    }
}

fn removed(command: &Invocation<'_>) -> Option<Check> {
    let parsed = command.parsed(Grammar::NONE);
    if parsed.asks_for_help() {
        return None;
    }
    let recursive = parsed.has('r', "--recursive")
        || parsed.has('R', "")
        || ALWAYS_RECURSIVE.contains(&command.program.as_str());
    if recursive {
        return lost(command, parsed.operands.iter().copied());
    }
    emptied(command, &parsed)
}

fn lost<'a>(command: &Invocation<'_>, mut operands: impl Iterator<Item = &'a Argument>) -> Option<Check> {
    operands.find_map(|operand| command.landmark(operand)).map(loss_of)
}

/// `rm /etc/*`: every file of a folder that a machine does not work without.
fn emptied(command: &Invocation<'_>, parsed: &Parsed<'_>) -> Option<Check> {
    let emptied = parsed.operands.iter().any(|operand| {
        let mut path = command.path(&operand.units);
        path.takes_everything_inside()
            && path.components.pop().is_some()
            && path.absolute_text().is_some_and(|folder| FOLDERS_OF_FILES.contains(&folder.as_str()))
    });
    emptied.then_some(Check::SystemDeletion)
}

/// `mv /usr elsewhere`: the machine stops working; `mv ~ /dev/null` and the like lose what is moved.
fn moved(command: &Invocation<'_>) -> Option<Check> {
    let parsed = command.parsed(Grammar { short: "tS", long: &["--target-directory", "--suffix"] });
    if parsed.asks_for_help() {
        return None;
    }
    let has_target = parsed.has('t', "--target-directory");
    let count = parsed.operands.len().saturating_sub(usize::from(!has_target));
    let into_nothing = parsed.operands.last().is_some_and(|target| {
        command.path(&target.units).components
            == [Component::Name("dev".to_owned()), Component::Name("null".to_owned())]
    });
    let landmark = |operand: &&Argument| command.landmark(operand);
    parsed.operands.iter().take(count).filter_map(landmark).find_map(|landmark| match landmark {
        Landmark::Root | Landmark::System => Some(loss_of(landmark)),
        Landmark::Home => into_nothing.then(|| loss_of(landmark)),
    })
}

/// `rsync -a --delete empty/ /`: what is not in the source goes. A folder of the system or a home may be put back from a copy
/// of it in this way, the root not while it runs.
fn mirrored(command: &Invocation<'_>) -> Option<Check> {
    let parsed = command.parsed(super::sinks::RSYNC);
    let deletes = parsed.flags.iter().any(|flag| flag.name.starts_with("--del"));
    if !deletes || parsed.has('n', "--dry-run") || parsed.asks_for_help() {
        return None;
    }
    let (destination, sources) = parsed.operands.split_last()?;
    let root = command.landmark(destination) == Some(Landmark::Root);
    (root && !sources.is_empty()).then_some(Check::RootDeletion)
}
