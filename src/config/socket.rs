//! The Unix socket that the gate listens on.
//!
//! Promises rights that make sense for a socket: whoever may write to it may use the gate. Knows nothing of files.

use super::problem::Report;
use super::section::{Section, kind, quoted};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The keys of `server.socket`.
const KEYS: [&str; 3] = ["path", "mode", "group"];

/// The owner's rights, without which nobody could connect.
const OWNER: u32 = 0o600;

/// Every right that means something for a socket.
const MEANINGFUL: u32 = 0o666;

/// The right of everybody else to connect.
const ALL_WRITE: u32 = 0o002;

/// The Unix socket that the gate listens on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SocketSettings {
    /// Where it is.
    pub path: PathBuf,
    /// The rights of its file: the access control of a socket.
    pub mode: u32,
    /// The group that its file belongs to; `None` for the process' own.
    pub group: Option<SocketGroup>,
}

/// A group of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SocketGroup {
    /// By name.
    Name(String),
    /// By number.
    Number(u32),
}

impl SocketSettings {
    /// A socket for its owner alone.
    #[must_use]
    pub fn at(path: PathBuf) -> Self {
        Self { path, mode: OWNER, group: None }
    }

    /// Whether every user of the machine may connect.
    #[must_use]
    pub fn is_for_all(&self) -> bool {
        self.mode & ALL_WRITE != 0
    }

    /// Reads `server.socket`: a path, or an object. A relative path starts from `folder`.
    pub(super) fn read(value: &Value, path: &str, folder: &Path, report: &mut Report) -> Option<Self> {
        let filled = value.as_str().filter(|text| !text.trim().is_empty());
        if let Some(text) = filled {
            return located(text, path, report).map(|text| Self::at(folder.join(text)));
        }
        if !value.is_object() {
            let message = format!(
                "must be a path that is not empty, or an object such as {{ \"path\": \"haltgate.sock\", \"mode\": \"0660\" }}, \
                 not {}",
                quoted(value)
            );
            report.error(path, message);
            return None;
        }
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&KEYS, report);
        let mode = section.get("mode").map_or(Some(OWNER), |value| {
            let mode = read_mode(value);
            mode.map_err(|message| report.error(&section.path_of("mode"), message)).ok()
        });
        let group = section.get("group").map(|value| {
            let group = read_group(value);
            group.map_err(|message| report.error(&section.path_of("group"), message)).ok()
        });
        if section.get("path").is_none() {
            report.error(path, "has no `path`: write where the socket is to be");
        }
        let place = section.filled_text("path", report)?;
        let place = located(place, &section.path_of("path"), report)?;
        Some(Self { path: folder.join(place), mode: mode?, group: group.flatten() })
    }

    pub(super) fn effective(&self) -> Value {
        if self.mode == OWNER && self.group.is_none() {
            return json!(self.path.display().to_string());
        }
        json!({
            "path": self.path.display().to_string(),
            "mode": format!("{:04o}", self.mode),
            "group": self.group.as_ref().map(|group| match group {
                SocketGroup::Name(name) => json!(name),
                SocketGroup::Number(number) => json!(number),
            }),
        })
    }
}

/// A path in the file system; a socket without one has no rights that could be set.
fn located<'t>(text: &'t str, path: &str, report: &mut Report) -> Option<&'t str> {
    if text.starts_with('@') || text.contains('\0') {
        report.error(
            path,
            "is an abstract socket, which every user of this machine could use; write the path of a file",
        );
        return None;
    }
    Some(text)
}

fn read_mode(value: &Value) -> Result<u32, String> {
    let octal = |text: &str| {
        let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| u32::from_str_radix(text, 8).ok()).flatten()
    };
    let mode = value.as_str().and_then(octal);
    mode.filter(|mode| mode & OWNER == OWNER && mode & !MEANINGFUL == 0).ok_or_else(|| {
        format!(
            "must be four octal digits that let the owner read and write and nobody execute, such as \"0600\" for the owner \
             alone or \"0660\" for a group too, not {}",
            quoted(value)
        )
    })
}

fn read_group(value: &Value) -> Result<SocketGroup, String> {
    match value {
        Value::String(name) if !name.is_empty() && !name.contains([':', '\n', '\0']) => {
            Ok(SocketGroup::Name(name.clone()))
        }
        Value::Number(number) => number
            .as_u64()
            .and_then(|number| u32::try_from(number).ok())
            // The highest number means "leave it" to the system.
            .filter(|number| *number != u32::MAX)
            .map(SocketGroup::Number)
            .ok_or_else(|| format!("must be the name or the number of a group, not {number}")),
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Err(format!("must be the name or the number of a group, not {}", kind(value)))
        }
    }
}
