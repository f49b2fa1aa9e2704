//! What sections that name a receiver of HTTP requests have in common: its address, and where the key for it is.
//!
//! Promises addresses that are safe to send to, and the place of a key instead of a key. Knows nothing of what is sent.

use super::problem::Report;
use super::section::Section;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use url::{Host, Url};

/// Keys under which people look for a place to write a key.
const INLINE_KEYS: [&str; 6] = ["key", "api_key", "apiKey", "apikey", "token", "secret"];

/// Where a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// In the environment variable of this name.
    Environment(String),
    /// In this file, alone.
    File(PathBuf),
}

impl KeySource {
    /// The setting that names it, where `what` is how the section calls the key.
    #[must_use]
    pub fn setting(&self, what: &str) -> String {
        match self {
            Self::Environment(_) => format!("{what}_env"),
            Self::File(_) => format!("{what}_file"),
        }
    }

    /// Reads `WHAT_env` or `WHAT_file`, whichever is there.
    pub(super) fn read(
        section: &Section<'_>,
        what: &str,
        example: &str,
        folder: &Path,
        report: &mut Report,
    ) -> Option<Self> {
        let (env, in_file) = (format!("{what}_env"), format!("{what}_file"));
        let name = section.filled_text(&env, report);
        let file = section.filled_text(&in_file, report);
        match (name, file) {
            (Some(_), Some(_)) => {
                report.error(&section.path_of(&in_file), format!("stands beside `{env}`; keep one of them"));
                None
            }
            (Some(name), None) if is_variable(name) => Some(Self::Environment(name.to_owned())),
            (Some(_), None) => {
                // It may be the key itself: it is not repeated.
                let message = format!(
                    "is not the name of an environment variable: write letters, digits and `_`, such as {example:?}, \
                     and never the {what}"
                );
                report.error(&section.path_of(&env), message);
                None
            }
            (None, Some(file)) => Some(Self::File(folder.join(file))),
            (None, None) => None,
        }
    }

    /// The setting and its value.
    pub(super) fn effective(&self, what: &str) -> (String, Value) {
        let value = match self {
            Self::Environment(name) => json!(name),
            Self::File(path) => json!(path.display().to_string()),
        };
        (self.setting(what), value)
    }
}

fn is_variable(name: &str) -> bool {
    name.len() <= 128
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Refuses what is not `known`, and says of a key that was written down where it belongs. `what` is how the section calls it.
pub(super) fn refuse_unknown(section: &Section<'_>, known: &[&str], what: &str, report: &mut Report) {
    section.refuse_unknown_but(&INLINE_KEYS, known, report);
    for key in INLINE_KEYS.iter().filter(|key| section.get(key).is_some()) {
        let message = format!(
            "keys do not belong into a policy; name an environment variable with `{what}_env` or a file with \
             `{what}_file`, and replace this key if others can read the file"
        );
        report.error(&section.path_of(key), message);
    }
}

/// Reads an address that `what` is sent to: HTTPS, or this machine. The text may hold a password and is never repeated.
///
/// # Errors
/// What to write instead.
pub(super) fn parse_address(text: &str, example: &str, what: &str) -> Result<Url, String> {
    let Ok(address) = Url::parse(text) else {
        return Err(format!("is not an address; write one such as {example:?}"));
    };
    if !address.username().is_empty() || address.password().is_some() {
        return Err(
            "holds a user or a password; name an environment variable or a file that holds it instead"
                .to_owned(),
        );
    }
    if address.fragment().is_some() {
        return Err("holds a `#`; write the address alone".to_owned());
    }
    match (address.scheme(), is_here(&address)) {
        ("https", _) | ("http", true) => Ok(address),
        ("http", false) => Err(format!(
            "sends {what} in the open; write `https://` (plain `http://` is for this machine only)"
        )),
        _ => Err(format!("is not an HTTPS address; write one such as {example:?}")),
    }
}

/// Whether an address leads to this machine.
pub(super) fn is_here(address: &Url) -> bool {
    match address.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}
