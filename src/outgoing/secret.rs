//! Keys for models and for signatures: where they come from, and that they are never shown.
//!
//! Promises that a key is never part of a text that is logged, recorded or printed. Must not know whom it is for.

use crate::config::KeySource;
use reqwest::header::HeaderValue;
use std::fmt;
use std::io::Read;
use std::path::Path;

/// The longest key, in bytes.
const MAX_BYTES: usize = 8 * 1024;

/// A key. Shown as `Secret(…)` wherever it is printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(…)")
    }
}

impl Secret {
    /// A key from a text; blanks around it do not count.
    ///
    /// # Errors
    /// It is empty, too long, or holds what cannot stand in an HTTP header.
    pub fn new(text: &str) -> Result<Self, KeyError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(KeyError::Empty);
        }
        if text.len() > MAX_BYTES || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyError::NotAKey);
        }
        Ok(Self(text.to_owned()))
    }

    /// Reads a key from where the configuration says that it is.
    ///
    /// # Errors
    /// It is not there or cannot be a key.
    pub fn resolve(source: &KeySource) -> Result<Self, KeyError> {
        match source {
            KeySource::Environment(name) => match std::env::var(name) {
                Ok(text) => Self::new(&text),
                Err(std::env::VarError::NotPresent) => Err(KeyError::NoVariable { name: name.clone() }),
                Err(std::env::VarError::NotUnicode(_)) => Err(KeyError::NotAKey),
            },
            KeySource::File(path) => Self::new(&read(path)?),
        }
    }

    /// The key itself, for signing with it.
    #[must_use]
    pub(crate) fn bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The value of a header that carries the key, marked so that it is not shown either.
    #[must_use]
    pub(crate) fn header(&self, scheme: &str) -> Option<HeaderValue> {
        let mut value = HeaderValue::from_str(&format!("{scheme}{}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }
}

/// Reads a little more than the longest key, so that a wrong file is noticed and never loaded.
fn read(path: &Path) -> Result<String, KeyError> {
    let unreadable = |error: &std::io::Error| KeyError::Unreadable {
        path: path.display().to_string(),
        reason: error.kind().to_string(),
    };
    let file = std::fs::File::open(path).map_err(|error| unreadable(&error))?;
    if !file.metadata().map_err(|error| unreadable(&error))?.is_file() {
        return Err(KeyError::Unreadable {
            path: path.display().to_string(),
            reason: "not a file".to_owned(),
        });
    }
    let mut bytes = Vec::new();
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX).saturating_add(64);
    file.take(limit).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    String::from_utf8(bytes).map_err(|_| KeyError::NotAKey)
}

/// Why there is no key. Holds nothing of the key itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The variable is not set.
    #[error("the environment variable {name} is not set; set it, or name another one")]
    NoVariable {
        /// Its name.
        name: String,
    },
    /// The file cannot be read.
    #[error("the key file {path} cannot be read ({reason}); name a file that holds nothing but the key")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// There is nothing in it.
    #[error("the key is empty; put the key there and nothing else")]
    Empty,
    /// What is there cannot be sent.
    #[error("what is there cannot be a key: write printable ASCII characters without blanks, at most 8 KiB")]
    NotAKey,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_never_shown() {
        let secret = Secret::new(" sk-live-0123456789\n").unwrap();
        let header = secret.header("Bearer ").unwrap();
        assert_eq!(header.as_bytes(), b"Bearer sk-live-0123456789");
        for shown in [format!("{secret:?}"), format!("{header:?}"), format!("{:?}", Some(&secret))] {
            assert!(!shown.contains("live"), "{shown}");
        }
    }

    #[test]
    fn a_key_comes_from_a_file_or_a_variable_and_nothing_else_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        for (text, expected) in [
            (" \n", Err(KeyError::Empty)),
            ("two words", Err(KeyError::NotAKey)),
            ("a\r\nX-Header: b", Err(KeyError::NotAKey)),
            ("schlüssel", Err(KeyError::NotAKey)),
            ("sk-1\n", Ok(Secret("sk-1".to_owned()))),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(Secret::resolve(&KeySource::File(file.clone())), expected, "{text:?}");
        }
        std::fs::write(&file, "x".repeat(1 << 20)).unwrap();
        assert_eq!(Secret::resolve(&KeySource::File(file)), Err(KeyError::NotAKey));
        for missing in [folder.path().join("none"), folder.path().to_owned()] {
            let error = Secret::resolve(&KeySource::File(missing.clone())).unwrap_err();
            assert!(error.to_string().contains(&missing.display().to_string()), "{error}");
        }
        let error =
            Secret::resolve(&KeySource::Environment("HALTGATE_TEST_NO_SUCH_KEY".to_owned())).unwrap_err();
        assert!(error.to_string().contains("HALTGATE_TEST_NO_SUCH_KEY is not set"), "{error}");
    }
}
