//! What the program says about itself and in which form.
//!
//! Promises closed sets of levels and forms. Knows nothing of how lines are written.

use super::problem::Report;
use super::section::Section;
use serde_json::{Value, json};

/// The keys of `log`.
pub(super) const KEYS: [&str; 2] = ["level", "format"];

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LogLevel {
    /// Nothing.
    Off,
    /// What went wrong.
    Error,
    /// What may go wrong.
    Warn,
    /// What an operator wants to see.
    #[default]
    Info,
    /// What a developer of a client wants to see.
    Debug,
    /// Everything.
    Trace,
}

impl LogLevel {
    /// Every level, from the quietest.
    pub const ALL: [Self; 6] = [Self::Off, Self::Error, Self::Warn, Self::Info, Self::Debug, Self::Trace];

    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }

    /// The level of that exact name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.as_str() == name)
    }
}

/// In which form log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LogFormat {
    /// For people.
    #[default]
    Human,
    /// One JSON object per line.
    Json,
}

impl LogFormat {
    /// Every form.
    pub const ALL: [Self; 2] = [Self::Human, Self::Json];

    /// The name in configuration files.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Json => "json",
        }
    }

    /// The form of that exact name.
    #[must_use]
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.as_str() == name)
    }
}

/// What is logged and in which form.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogSettings {
    /// How much.
    pub level: LogLevel,
    /// In which form.
    pub format: LogFormat,
}

impl LogSettings {
    /// Takes over what a file's `log` block states.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        let levels = LogLevel::ALL.map(LogLevel::as_str);
        if let Some(level) = section.choice("level", &levels, LogLevel::parse, report) {
            self.level = level;
        }
        let formats = LogFormat::ALL.map(LogFormat::as_str);
        if let Some(format) = section.choice("format", &formats, LogFormat::parse, report) {
            self.format = format;
        }
    }

    pub(super) fn effective(self) -> Value {
        json!({ "level": self.level.as_str(), "format": self.format.as_str() })
    }
}
