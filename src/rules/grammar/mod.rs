//! The grammar of rule entries: JSON values in, entries out, every offender reported with what to write instead.
//!
//! Promises that nothing is inferred and nothing unknown is ignored. Knows nothing of files, lines and layers.

mod examples;
mod fields;
pub mod suggest;

#[cfg(test)]
mod tests;

use self::fields::{EntryReader, Extras};
use super::entry::{Entry, ListKind};
use super::render::json_string;
use serde_json::Value;
use std::fmt;

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The value cannot be used.
    Error,
    /// The value can be used, and is probably not what its author meant.
    Warning,
}

/// Something wrong with a value of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// Where, as in `approvals.deny[2].pattern`.
    pub path: String,
    /// What is wrong and what to write instead.
    pub message: String,
    /// How bad it is.
    pub severity: Severity,
}

impl Problem {
    /// A problem that makes the value unusable.
    #[must_use]
    pub fn error(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), severity: Severity::Error }
    }

    /// A problem that does not.
    #[must_use]
    pub fn warning(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into(), severity: Severity::Warning }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)
    }
}

/// Example commands or names that prove what an entry means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Examples {
    /// What it must match.
    pub matches: Vec<String>,
    /// What it must not match.
    pub not_matches: Vec<String>,
}

/// An entry as a file declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredEntry {
    /// The entry.
    pub entry: Entry,
    /// Its examples, which hold.
    pub examples: Examples,
    /// Where it stands, as in `approvals.deny[2]`.
    pub path: String,
}

/// Reads one entry; `None` when a problem with it is an error. Examples are not part of an entry as such and are refused.
pub fn parse_entry(value: &Value, path: &str, problems: &mut Vec<Problem>) -> Option<Entry> {
    EntryReader::new(path, Extras::Refused, problems).read(value).map(|(entry, _)| entry)
}

/// Reads a rule list; entries with errors are left out. Examples are checked as a list of that kind would match.
pub fn parse_list(
    value: &Value,
    path: &str,
    kind: ListKind,
    problems: &mut Vec<Problem>,
) -> Vec<DeclaredEntry> {
    let Value::Array(values) = value else {
        problems.push(Problem::error(path, not_a_list(value, kind)));
        return Vec::new();
    };
    let mut declared = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let path = format!("{path}[{place}]");
        let read = EntryReader::new(&path, Extras::Allowed, problems).read(value);
        let Some((entry, examples)) = read else { continue };
        if examples::hold(&entry, &examples, &path, kind, problems) {
            declared.push(DeclaredEntry { entry, examples, path });
        }
    }
    declared
}

fn not_a_list(value: &Value, kind: ListKind) -> String {
    let example = r#"[{ "type": "shell", "matcher": "exact", "pattern": "npm publish" }]"#;
    let found = kind_of(value);
    match kind {
        ListKind::Deny | ListKind::Allow => {
            format!("must be a list of entries, not {found}; write {example}")
        }
        ListKind::Escalate => format!(
            "must be a list of entries, not {found}: it is the third rule list (calls that always ask a human), not a \
             threshold; write {example}"
        ),
    }
}

/// What a value is, in words.
fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// Why a bare string is refused, with the object it should be.
fn bare_string(text: &str) -> String {
    let pattern = json_string(text);
    format!(
        "a bare string is not an entry, because nothing is inferred; write {{ \"type\": \"shell\", \"matcher\": \"exact\", \
         \"pattern\": {pattern} }} (matchers: {})",
        fields::MATCHERS.join(", ")
    )
}
