//! What the layers say of a command, in the form that the rows ask for.

use haltgate::rules::{Entry, Found, ListKind, RuleList, Target};
use haltgate::shell::hardline::{self, Check, Surroundings};
use haltgate::shell::network::counterparties;
use haltgate::shell::notes::{NoteKind, notes};
use haltgate::shell::{Analysis, Dialect, analyze, env_leak};
use serde_json::{Value, json};

pub(crate) fn read(command: &str) -> Analysis {
    analyze(command, Dialect::Bash)
}

/// What the hardline floor refuses in a command given in `/srv/app` by a user whose home is `/home/dev`.
pub(crate) fn refused(command: &str) -> Option<Check> {
    hardline::find(&read(command), Surroundings { folder: Some("/srv/app"), home: Some("/home/dev") })
}

/// Checks every command and names those that are answered otherwise.
fn all(commands: &[&str], what: &str, holds: impl Fn(&str) -> bool) {
    let wrong: Vec<&&str> = commands.iter().filter(|command| !holds(command)).collect();
    assert!(wrong.is_empty(), "{what}: {wrong:#?}");
}

pub(crate) fn all_refused(commands: &[&str]) {
    all(commands, "let pass", |command| refused(command).is_some());
}

pub(crate) fn all_pass(commands: &[&str]) {
    all(commands, "refused", |command| refused(command).is_none());
}

pub(crate) fn all_exfiltrate(commands: &[&str]) {
    all(commands, "not held", |command| refused(command) == Some(Check::Exfiltration));
}

/// The hosts that a command names, with commas, and `?` for those it does not show.
fn named(command: &str) -> String {
    let found = counterparties(&read(command));
    let hidden = if found.hidden.is_empty() { None } else { Some("?".to_owned()) };
    found.hosts.into_iter().chain(hidden).collect::<Vec<_>>().join(",")
}

pub(crate) fn all_name(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter(|(command, expected)| named(command) != *expected)
        .map(|(command, expected)| format!("{command:?}: expected {expected:?}, got {:?}", named(command)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

pub(crate) fn all_name_nobody(commands: &[&str]) {
    all(commands, "somebody is named", |command| named(command).is_empty());
}

pub(crate) fn all_noted(kind: NoteKind, commands: &[&str]) {
    all(commands, "no such note", |command| notes(&read(command)).iter().any(|note| note.kind == kind));
}

pub(crate) fn all_leak(commands: &[&str]) {
    all(commands, "no leak seen", |command| env_leak::leak(&read(command)).is_some());
}

pub(crate) fn none_leaks(commands: &[&str]) {
    all(commands, "held for a leak", |command| env_leak::leak(&read(command)).is_none());
}

pub(crate) fn all_plain(commands: &[&str]) {
    all(commands, "not one plain command", |command| read(command).canonical().is_some());
}

pub(crate) fn none_plain(commands: &[&str]) {
    all(commands, "taken for one plain command", |command| read(command).canonical().is_none());
}

pub(crate) fn list(kind: ListKind, entry: Value) -> RuleList {
    let entry: Entry = serde_json::from_value(entry).expect("an entry");
    RuleList::compile(kind, vec![entry]).expect("an entry that compiles")
}

pub(crate) fn shell_list(kind: ListKind, matcher: &str, pattern: &str) -> RuleList {
    list(kind, json!({ "type": "shell", "matcher": matcher, "pattern": pattern }))
}

pub(crate) fn matches(list: &RuleList, command: &str) -> bool {
    list.find(&Target::Shell(&read(command))) != Found::None
}

pub(crate) fn all_match(list: &RuleList, commands: &[&str]) {
    all(commands, "not matched", |command| matches(list, command));
}

pub(crate) fn none_matches(list: &RuleList, commands: &[&str]) {
    all(commands, "matched", |command| !matches(list, command));
}
