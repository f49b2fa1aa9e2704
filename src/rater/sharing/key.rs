//! What makes two questions the same one.
//!
//! Promises that questions with the same key would be answered alike: nothing that a rater is told is left out.

use crate::gate::RatingRequest;
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// Stands for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key([u8; 32]);

impl Key {
    /// The key of a question that may be shared inside a project, or used again inside a session of it.
    pub(super) fn of(project: &str, session: Option<&str>, request: &RatingRequest) -> Self {
        let mut hash = Hashing(Sha256::new());
        // Strings are quoted and escaped in this form, so that no two questions are written alike. Hashing cannot fail.
        let _written = write!(hash, "{project:?} {session:?} {request:?}");
        Self(hash.0.finalize().into())
    }
}

impl Key {
    /// The key of a session, under which the ratings that are kept for it are found.
    pub(super) fn of_session(project: &str, session: &str) -> Self {
        let mut hash = Hashing(Sha256::new());
        let _written = write!(hash, "{project:?} {session:?}");
        Self(hash.0.finalize().into())
    }
}

struct Hashing(Sha256);

impl Write for Hashing {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.update(text.as_bytes());
        Ok(())
    }
}
