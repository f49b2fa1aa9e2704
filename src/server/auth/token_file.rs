//! The file that holds what is kept of the gate's own tokens.
//!
//! Promises that two commands never lose each other's change, that a reader sees the file before a change or after it and
//! never half of it, and that a file which others may write is believed nothing. Holds hashes, never tokens.

use super::token::{SecretHash, TokenId};
use crate::access::{LOCAL, Projects, Role};
use crate::config::ALL_PROJECTS;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// The form of the file that this version writes.
const VERSION: u32 = 1;

/// The longest file that is read: some ten thousand tokens.
const MAX_BYTES: u64 = 4 << 20;

/// The longest name, in bytes.
const MAX_NAME: usize = 128;

/// Bits that let others than the owner write.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// Why a file with tokens cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TokenFileError {
    /// It cannot be read.
    #[error("the token file {path} cannot be read ({reason}); make a token with `haltgate token create`")]
    Unreadable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// Others could put tokens of their own into it.
    #[error(
        "the token file {path} can be changed by others than the gate's user; run `chmod go-w {path}`, as its owner"
    )]
    WritableByOthers {
        /// The file.
        path: String,
    },
    /// It belongs to somebody else.
    #[error("the token file {path} belongs to another user; it must be the gate's own, or root's")]
    OfSomebodyElse {
        /// The file.
        path: String,
    },
    /// It is not what this command writes.
    #[error("the token file {path} is not as `haltgate token create` writes it: {problem}")]
    Malformed {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// It cannot be written.
    #[error("the token file {path} cannot be written: {reason}")]
    Unwritable {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// What is asked for cannot be done.
    #[error("{0}")]
    Refused(String),
}

/// What is kept of one token.
#[derive(Debug, Clone)]
pub struct TokenRecord {
    /// Its public part.
    pub id: TokenId,
    /// What its holder is called in records.
    pub name: String,
    /// What its holder may do.
    pub role: Role,
    /// Where.
    pub projects: Projects,
    /// The hash of its secret.
    pub hash: SecretHash,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; `None` for a token without an end.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

impl TokenRecord {
    /// Whether it admits its holder at this time.
    #[must_use]
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && self.expires_at.is_none_or(|end| now < end)
    }
}

/// Whether a text can be a name in records: one that can be seen, and not that of callers without credentials.
#[must_use]
pub fn is_caller_name(name: &str) -> bool {
    name != LOCAL && !name.is_empty() && name.len() <= MAX_NAME && crate::display::one_line(name) == name
}

/// The file with tokens.
#[derive(Debug, Clone)]
pub struct TokenFile {
    path: PathBuf,
}

impl TokenFile {
    /// The file of this path.
    #[must_use]
    pub fn at(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Every token in it.
    ///
    /// # Errors
    /// It cannot be read, or is not to be believed.
    pub fn read(&self) -> Result<Vec<TokenRecord>, TokenFileError> {
        parse(&self.bytes()?).map_err(|problem| TokenFileError::Malformed { path: self.shown(), problem })
    }

    /// Reads the file if it is to be believed.
    ///
    /// # Errors
    /// It cannot be read, or others could have written it.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, TokenFileError> {
        let unreadable = |error: &io::Error| TokenFileError::Unreadable {
            path: self.shown(),
            reason: error.kind().to_string(),
        };
        // Before it is opened: to open a pipe is to wait for whoever writes into it.
        if !std::fs::metadata(&self.path).map_err(|error| unreadable(&error))?.is_file() {
            return Err(TokenFileError::Unreadable { path: self.shown(), reason: "not a file".to_owned() });
        }
        let file = File::open(&self.path).map_err(|error| unreadable(&error))?;
        let found = file.metadata().map_err(|error| unreadable(&error))?;
        if found.mode() & WRITABLE_BY_OTHERS != 0 {
            return Err(TokenFileError::WritableByOthers { path: self.shown() });
        }
        let own = rustix::process::geteuid().as_raw();
        if found.uid() != own && found.uid() != 0 {
            return Err(TokenFileError::OfSomebodyElse { path: self.shown() });
        }
        let mut bytes = Vec::new();
        file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
        if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > MAX_BYTES {
            let problem = format!("it is longer than {MAX_BYTES} bytes");
            return Err(TokenFileError::Malformed { path: self.shown(), problem });
        }
        Ok(bytes)
    }

    /// Changes the tokens, one change at a time. A file that is not there yet holds none.
    ///
    /// # Errors
    /// What `change` refuses; or the file cannot be read or written.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Vec<TokenRecord>) -> Result<T, TokenFileError>,
    ) -> Result<T, TokenFileError> {
        // The file itself is replaced by each change, so that its folder is what can be locked.
        let lock = File::open(folder_of(&self.path)).and_then(|opened| opened.lock().map(|()| opened));
        let lock = lock.map_err(|error| self.unwritable(&error))?;
        let mut records = if self.path.symlink_metadata().is_ok() { self.read()? } else { Vec::new() };
        let outcome = change(&mut records)?;
        render(&records).and_then(|text| self.replace(&text)).map_err(|error| self.unwritable(&error))?;
        drop(lock);
        Ok(outcome)
    }

    /// Puts new content in the place of the old, durably.
    fn replace(&self, text: &str) -> io::Result<()> {
        // Behind a link the file is what is replaced, not the link.
        let target = std::fs::canonicalize(&self.path).unwrap_or_else(|_absent| self.path.clone());
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.new", std::process::id()));
        let new = target.with_file_name(name);
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&new)
            .and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            })
            .and_then(|()| std::fs::rename(&new, &target));
        if written.is_err() {
            let _left_behind = std::fs::remove_file(&new);
        }
        written?;
        File::open(folder_of(&target))?.sync_all()
    }

    fn unwritable(&self, error: &io::Error) -> TokenFileError {
        TokenFileError::Unwritable { path: self.shown(), reason: error.to_string() }
    }

    fn shown(&self) -> String {
        self.path.display().to_string()
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    tokens: Vec<WrittenToken>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenToken {
    id: String,
    name: String,
    role: String,
    projects: WrittenProjects,
    sha256: String,
    created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<Timestamp>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    revoked_at: Option<Timestamp>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum WrittenProjects {
    All(String),
    These(BTreeSet<String>),
}

pub(super) fn parse(bytes: &[u8]) -> Result<Vec<TokenRecord>, String> {
    let written: Written = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    if written.version != VERSION {
        return Err(format!("its version is {}, and this haltgate knows {VERSION}", written.version));
    }
    let mut ids = HashSet::new();
    let mut records = Vec::with_capacity(written.tokens.len());
    for (index, token) in written.tokens.into_iter().enumerate() {
        let record = token.into_record().map_err(|problem| format!("tokens[{index}]: {problem}"))?;
        if !ids.insert(record.id.clone()) {
            return Err(format!("tokens[{index}]: the id stands there twice"));
        }
        records.push(record);
    }
    Ok(records)
}

fn render(records: &[TokenRecord]) -> io::Result<String> {
    let tokens = records.iter().map(WrittenToken::of).collect();
    let mut text = serde_json::to_string_pretty(&Written { version: VERSION, tokens })?;
    text.push('\n');
    Ok(text)
}

impl WrittenToken {
    fn of(record: &TokenRecord) -> Self {
        Self {
            id: record.id.to_string(),
            name: record.name.clone(),
            role: record.role.as_str().to_owned(),
            projects: match &record.projects {
                Projects::All => WrittenProjects::All(ALL_PROJECTS.to_owned()),
                Projects::These(projects) => WrittenProjects::These(projects.clone()),
            },
            sha256: record.hash.to_hex(),
            created_at: record.created_at,
            expires_at: record.expires_at,
            revoked_at: record.revoked_at,
        }
    }

    fn into_record(self) -> Result<TokenRecord, &'static str> {
        if !is_caller_name(&self.name) {
            return Err("`name` is no name");
        }
        Ok(TokenRecord {
            id: TokenId::parse(&self.id).ok_or("`id` is no id of a token")?,
            name: self.name,
            role: Role::parse(&self.role).ok_or("`role` is not agent, operator, auditor or admin")?,
            projects: match self.projects {
                WrittenProjects::All(all) if all == ALL_PROJECTS => Projects::All,
                WrittenProjects::All(_) => return Err("`projects` is neither a list nor \"*\""),
                WrittenProjects::These(projects) => Projects::These(projects),
            },
            hash: SecretHash::parse(&self.sha256).ok_or("`sha256` is not 64 hexadecimal digits")?,
            created_at: self.created_at,
            expires_at: self.expires_at,
            revoked_at: self.revoked_at,
        })
    }
}
