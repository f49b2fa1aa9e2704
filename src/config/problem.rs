//! What is wrong with a configuration, and where.
//!
//! Promises one line per problem, `file:line:column: path: message`, in the order of the text, with nothing in it that
//! a terminal would interpret. Knows nothing of what a sound configuration is.

use crate::rules::grammar::{self, Severity};
use serde_json::{Map, Value, json};
use std::fmt;
use std::sync::Arc;

/// A place in a text; both counts start at 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: u32,
}

impl Position {
    /// Where every text begins.
    pub const START: Self = Self { line: 1, column: 1 };

    /// Where the text goes on after this character.
    #[must_use]
    pub(super) fn after(self, character: char) -> Self {
        if character == '\n' {
            Self { line: self.line.saturating_add(1), column: 1 }
        } else {
            Self { line: self.line, column: self.column.saturating_add(1) }
        }
    }
}

/// Where in which file something was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin {
    /// The file, as reports call it.
    pub file: Arc<str>,
    /// The place in the file.
    pub position: Position,
    /// The path of the setting, such as `approvals.deny[1]`.
    pub path: String,
}

impl Origin {
    /// A place in a file.
    #[must_use]
    pub fn new(file: &Arc<str>, position: Position, path: &str) -> Self {
        Self { file: Arc::clone(file), position, path: path.to_owned() }
    }
}

impl fmt::Display for Origin {
    /// `haltgate.jsonc:12:5: approvals.deny[1]`
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_place(formatter, self)?;
        formatter.write_str(": ")?;
        formatter.write_str(&self.path)
    }
}

fn write_place(formatter: &mut fmt::Formatter<'_>, origin: &Origin) -> fmt::Result {
    write_visible(formatter, &origin.file)?;
    write!(formatter, ":{}:{}", origin.position.line, origin.position.column)
}

/// Writes a text with everything that a terminal would interpret as an escape.
fn write_visible(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => write!(formatter, "{character}")?,
            other => write!(formatter, "{}", other.escape_debug())?,
        }
    }
    Ok(())
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where it was written; `None` for a variable, a flag or a file that cannot be read.
    pub origin: Option<Origin>,
    /// The setting, variable, flag or file that it speaks of; empty for a file as a whole.
    pub path: String,
    /// What is wrong and what to write instead.
    pub message: String,
    /// Whether it refuses the configuration.
    pub severity: Severity,
}

impl Problem {
    /// Something that refuses the configuration.
    #[must_use]
    pub fn error(origin: Option<Origin>, path: &str, message: String) -> Self {
        Self { origin, path: path.to_owned(), message, severity: Severity::Error }
    }

    /// Something that works but can hardly be meant.
    #[must_use]
    pub fn warning(origin: Option<Origin>, path: &str, message: String) -> Self {
        Self { origin, path: path.to_owned(), message, severity: Severity::Warning }
    }

    /// Whether it refuses the configuration.
    #[must_use]
    pub fn is_error(&self) -> bool {
        match self.severity {
            Severity::Error => true,
            Severity::Warning => false,
        }
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        if let Some(origin) = &self.origin {
            object.insert("file".to_owned(), json!(&*origin.file));
            object.insert("line".to_owned(), json!(origin.position.line));
            object.insert("column".to_owned(), json!(origin.position.column));
        }
        object.insert("path".to_owned(), json!(self.path));
        object.insert("severity".to_owned(), json!(if self.is_error() { "error" } else { "warning" }));
        object.insert("message".to_owned(), json!(self.message));
        Value::Object(object)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(origin) = &self.origin {
            write_place(formatter, origin)?;
            formatter.write_str(": ")?;
        }
        if !self.is_error() {
            formatter.write_str("warning: ")?;
        }
        if !self.path.is_empty() {
            write_visible(formatter, &self.path)?;
            formatter.write_str(": ")?;
        }
        write_visible(formatter, &self.message)
    }
}

/// Everything that is wrong, in the order of the files and of their text. Never empty where it is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq, thiserror::Error)]
pub struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    /// Sorts the problems by file, place and path.
    #[must_use]
    pub fn new(mut list: Vec<Problem>) -> Self {
        list.sort_by(|left, right| {
            (&left.origin, &left.path, &left.message).cmp(&(&right.origin, &right.path, &right.message))
        });
        list.dedup();
        Self { list }
    }

    /// The problems, sorted.
    #[must_use]
    pub fn list(&self) -> &[Problem] {
        &self.list
    }

    /// Whether any of them refuses the configuration.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.list.iter().any(Problem::is_error)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// `{"errors": n, "warnings": n, "problems": [{file?, line?, column?, path, severity, message}]}`
    #[must_use]
    pub fn to_json(&self) -> Value {
        let (errors, warnings) = self.counts();
        let list: Vec<Value> = self.list.iter().map(Problem::to_json).collect();
        json!({ "errors": errors, "warnings": warnings, "problems": list })
    }

    fn counts(&self) -> (usize, usize) {
        let errors = self.list.iter().filter(|problem| problem.is_error()).count();
        (errors, self.list.len().saturating_sub(errors))
    }
}

impl fmt::Display for Problems {
    /// One line per problem and a line that counts them.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.list {
            writeln!(formatter, "{problem}")?;
        }
        let plural = |count: usize, one: &str| {
            if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
        };
        match self.counts() {
            (errors, 0) => formatter.write_str(&plural(errors, "error")),
            (0, warnings) => formatter.write_str(&plural(warnings, "warning")),
            (errors, warnings) => {
                write!(formatter, "{}, {}", plural(errors, "error"), plural(warnings, "warning"))
            }
        }
    }
}

/// Collects what is wrong while one document is read, before it is known where it stands.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) problems: Vec<grammar::Problem>,
}

impl Report {
    /// Adds an error at a path.
    pub(crate) fn error(&mut self, path: &str, message: impl Into<String>) {
        self.problems.push(grammar::Problem::error(path, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(file: &str, line: u32, path: &str) -> Option<Origin> {
        Some(Origin::new(&Arc::from(file), Position { line, column: 5 }, path))
    }

    #[test]
    fn problems_print_one_line_each_in_the_order_of_the_text_and_then_their_count() {
        let problems = Problems::new(vec![
            Problem::warning(at("b.jsonc", 2, "y"), "y", "odd".to_owned()),
            Problem::error(
                at("a.jsonc", 12, "approvals.deny[1].pattern"),
                "approvals.deny[1].pattern",
                "no".to_owned(),
            ),
            Problem::error(at("a.jsonc", 3, "x"), "x", "bad\u{1b}[2J\u{202e}".to_owned()),
            Problem::error(None, "HALTGATE_LOG", "is empty".to_owned()),
        ]);
        assert_eq!(
            problems.to_string(),
            "HALTGATE_LOG: is empty\n\
             a.jsonc:3:5: x: bad\\u{1b}[2J\\u{202e}\n\
             a.jsonc:12:5: approvals.deny[1].pattern: no\n\
             b.jsonc:2:5: warning: y: odd\n\
             3 errors, 1 warning"
        );
        assert!(problems.has_errors());
    }

    #[test]
    fn the_json_report_carries_the_same_facts() {
        let problems = Problems::new(vec![Problem::warning(at("a", 3, "x"), "x", "odd".to_owned())]);
        assert!(!problems.has_errors());
        assert_eq!(
            problems.to_json(),
            json!({ "errors": 0, "warnings": 1, "problems": [
                { "file": "a", "line": 3, "column": 5, "path": "x", "severity": "warning", "message": "odd" }
            ] })
        );
    }
}
