//! Where records are kept and for how long.
//!
//! Promises one place to store. Knows nothing of databases.

use super::problem::Report;
use super::quantity::{render_duration, render_size};
use super::section::Section;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The keys of `store`.
pub(super) const KEYS: [&str; 2] = ["path", "ephemeral"];

/// The keys of `retention`.
pub(super) const RETENTION_KEYS: [&str; 2] = ["max_age", "max_size"];

/// The file of the default store, in the working directory.
pub const DEFAULT_PATH: &str = "./haltgate.db";

/// Where records are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreSettings {
    /// The SQLite file. Unused while `ephemeral`.
    pub path: PathBuf,
    /// Keep everything in memory and forget it at the end.
    pub ephemeral: bool,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { path: PathBuf::from(DEFAULT_PATH), ephemeral: false }
    }
}

impl StoreSettings {
    /// Takes over what a file's `store` block states. A relative path starts from `folder`.
    pub(super) fn read(&mut self, value: &Value, path: &str, folder: &Path, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(text) = section.filled_text("path", report) {
            match parse_path(text) {
                Ok(path) => self.path = folder.join(path),
                Err(message) => report.error(&section.path_of("path"), message),
            }
        }
        if let Some(ephemeral) = section.boolean("ephemeral", report) {
            self.ephemeral = ephemeral;
        }
    }

    pub(super) fn effective(&self) -> Value {
        json!({ "path": self.path.display().to_string(), "ephemeral": self.ephemeral })
    }
}

/// Reads the path of a store.
///
/// # Errors
/// What to write instead.
pub(super) fn parse_path(text: &str) -> Result<PathBuf, &'static str> {
    if text.starts_with("postgres:") || text.starts_with("postgresql:") {
        Err(
            "is a PostgreSQL address, and that store arrives in a later version; write the path of a SQLite file",
        )
    } else if text.starts_with("file:") || text.starts_with("sqlite:") || text == ":memory:" {
        Err("must be the plain path of a file; for a store in memory, set `ephemeral` instead")
    } else {
        Ok(PathBuf::from(text))
    }
}

/// How long records are kept; `None` keeps them for ever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Retention {
    /// Records older than this are deleted.
    pub max_age: Option<Duration>,
    /// The oldest records are deleted when the store grows beyond this, in bytes.
    pub max_size: Option<u64>,
}

impl Retention {
    /// Takes over what a file's `retention` block states.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        const HOUR: Duration = Duration::from_secs(60 * 60);
        const CENTURY: Duration = Duration::from_secs(36_500 * 24 * 60 * 60);
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&RETENTION_KEYS, report);
        self.max_age = section.duration("max_age", HOUR, CENTURY, report).or(self.max_age);
        self.max_size = section.size("max_size", 1 << 20, 1 << 50, report).or(self.max_size);
    }

    pub(super) fn effective(&self) -> Value {
        json!({ "max_age": self.max_age.map(render_duration), "max_size": self.max_size.map(render_size) })
    }
}
