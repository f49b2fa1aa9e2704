//! What can go wrong, typed by what the caller must do about it: fix the batch, reload, or wait for the disk.
//! Errors are cheap to clone, because one failed commit answers every batch that was part of it.

use std::path::PathBuf;

use thiserror::Error;

use super::rows::{GrantRow, QuestionRow, RequestRow, SessionRow};

/// Why a batch or a read failed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum StoreError {
    /// Nothing of the batch was applied because what it relied on no longer holds; reload and decide again.
    #[error("{0}")]
    Conflict(Box<Conflict>),
    /// The batch or query breaks a rule of the store; the same call will always fail.
    #[error("the store refused the request: {reason}")]
    Rejected {
        /// Which rule, and what to do instead.
        reason: String,
    },
    /// The database cannot be used now (disk full, read-only, locked, damaged). A batch that fails so was not
    /// acknowledged and must be treated as unknown: reload before relying on either outcome.
    #[error("the store is unavailable: {reason}; nothing was acknowledged, check the disk and try again")]
    Unavailable {
        /// The database's own words.
        reason: String,
    },
    /// The store was closed; a batch that fails so was not acknowledged.
    #[error("the store is closed; open it again to go on")]
    Closed,
}

/// What a batch relied on, and what the store holds instead. Rows of other projects are never shown.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Conflict {
    /// The stored session has another version.
    #[error("session {session} changed meanwhile; reload it and decide again")]
    Session {
        /// The session that was guarded.
        session: String,
        /// The version the batch relied on; `None` if it was to be new.
        expected: Option<u64>,
        /// What is stored now.
        current: Option<SessionRow>,
    },
    /// The escalation no longer waits, or is unknown in this project.
    #[error("escalation {id} is not open; read what was answered")]
    Escalation {
        /// Which one.
        id: String,
        /// What is stored now.
        current: Option<QuestionRow>,
    },
    /// The attack halt no longer waits, or is unknown in this project.
    #[error("attack halt {id} is not open; read what was answered")]
    Halt {
        /// Which one.
        id: String,
        /// What is stored now.
        current: Option<QuestionRow>,
    },
    /// The grant is gone, expired or has no use left.
    #[error("grant {identity} cannot be used any more; decide again without it")]
    Grant {
        /// Which one.
        identity: String,
        /// What is stored now.
        current: Option<GrantRow>,
    },
    /// The request id was taken meanwhile.
    #[error("request {request_id} was already recorded; return what was answered to it")]
    Request {
        /// The id that was to be new.
        request_id: String,
        /// What is stored now.
        current: RequestRow,
    },
}

impl From<Conflict> for StoreError {
    fn from(conflict: Conflict) -> Self {
        Self::Conflict(Box::new(conflict))
    }
}

impl StoreError {
    pub(super) fn rejected(reason: impl Into<String>) -> Self {
        Self::Rejected { reason: reason.into() }
    }

    pub(super) fn unavailable(reason: impl ToString) -> Self {
        Self::Unavailable { reason: reason.to_string() }
    }
}

/// Why a database file could not be opened. The file is left as it was.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A later release wrote the file.
    #[error(
        "{path} has schema version {found}, but this release knows versions up to {supported}; use the newer release"
    )]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The last version this release can read.
        supported: i64,
    },
    /// An earlier release wrote the file, and reading alone cannot migrate it.
    #[error("{path} has schema version {found}, not {supported}; open it once for writing to migrate it")]
    OlderSchema {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// The version this release reads.
        supported: i64,
    },
    /// The file belongs to another program, or is no SQLite database at all.
    #[error("{path} is not a haltgate database ({reason}); name another file")]
    NotHaltgate {
        /// The file.
        path: PathBuf,
        /// How it was recognised as foreign.
        reason: String,
    },
    /// Another process writes to the same database.
    #[error("{path} is in use by another haltgate process; stop it, or open the file read-only")]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot open {path}: {source}; check that the directory exists and is writable")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// SQLite refused.
    #[error("cannot open {path}: {source}; {}", advice(source))]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A thread of the store could not be started.
    #[error("cannot start a thread of the store: {0}; raise the limit on threads")]
    Thread(std::io::Error),
}

/// What to do about an error of SQLite.
pub(super) fn advice(error: &rusqlite::Error) -> &'static str {
    use rusqlite::ErrorCode;
    match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "make room on its disk",
        Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
            "check that the file and its directory exist and can be written"
        }
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "stop whatever else has it open",
        Some(ErrorCode::SystemIoFailure) => "check the disk",
        Some(_) | None => "restore the file from a backup if it is damaged",
    }
}
