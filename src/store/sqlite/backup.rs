//! Copies of a database that is in use, and checking one.
//!
//! Promises a copy of one moment, as of when it began: whatever was acknowledged by then is in it. Holds up nobody who writes
//! (it reads one snapshot of the write-ahead log, a little at a time) and takes no lock of the gate's. A copy appears under its
//! name only once every page and every link of it was checked and it is on disk, and it has an id of its own: it will go another
//! way than the original, and cursors of that must not count in it. Blocks: not for the asynchronous runtime.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use thiserror::Error;

use super::verify::{Slice, Verifier};
use super::{SqliteOptions, open, read, schema};
use crate::store::audit::{BrokenLink, Verification};
use crate::store::error::OpenError;

/// Pages that are copied at a time: a mebibyte.
const STEP: i32 = 256;
/// How long the disk is left to others after each.
const PAUSE: Duration = Duration::from_millis(3);
/// How often in a row the original may refuse to be read before the copy is given up.
const REFUSALS: u32 = 1_000;

/// How the names of the files end that lie beside a database.
const COMPANIONS: [&str; 4] = ["-wal", "-shm", "-journal", ".lock"];

/// How far a copy has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// So many of so many pages are copied.
    Copying(u64, u64),
    /// Every page is being checked.
    CheckingPages,
    /// The chain of so many of so many projects is checked.
    CheckingChains(u64, u64),
}

/// Hears how far a copy has come.
pub type Listener<'a> = &'a dyn Fn(Stage);

/// What a database was found to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Its size in bytes.
    pub bytes: u64,
    /// The chain of each project.
    pub chains: Vec<Verification>,
}

/// Why there is no copy, or none that can be relied on.
#[derive(Debug, Error)]
pub enum BackupError {
    /// The original or the copy cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is something under the name of the copy.
    #[error("{path} is there already; name another file, or let it be replaced with --force")]
    Exists {
        /// The copy.
        path: PathBuf,
    },
    /// The copy would replace a store in use, or what one left behind.
    #[error("{path} is not replaced: {reason}; name another file")]
    Used {
        /// The copy.
        path: PathBuf,
        /// By what it is recognised.
        reason: String,
    },
    /// The file system of the original cannot read and write at the same time.
    #[error(
        "{path} is in use on a file system without shared memory, where a copy would hold up the gate; stop it first"
    )]
    NoSharedMemory {
        /// The original.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("cannot write {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// SQLite refused.
    #[error("cannot read or write {path}: {source}")]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// Pages do not fit together.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite found.
        reason: String,
    },
    /// A chain does not hold.
    #[error("the audit chain of project {project} does not hold: {link}")]
    Broken {
        /// The project.
        project: String,
        /// The first link that does not.
        link: BrokenLink,
    },
}

/// Copies a database to another file, and checks the copy.
///
/// # Errors
/// There is something under the other name and it is not to be overwritten, the disk or SQLite refuses, or the copy is not
/// whole. Nothing is left behind then.
pub fn back_up(
    from: &Path,
    to: &Path,
    overwrite: bool,
    listener: Listener<'_>,
) -> Result<Checked, BackupError> {
    make(from, to, overwrite, listener).map_err(diagnosed)
}

fn make(from: &Path, to: &Path, overwrite: bool, listener: Listener<'_>) -> Result<Checked, BackupError> {
    let source = open::open_reader(from, &SqliteOptions::default())?;
    schema::check_current(&source, from)?;
    may_replace(from, to, overwrite)?;
    let part = Part::beside(to)?;
    copy(&source, from, &part.path, listener)?;
    drop(source);
    let checked = {
        let copied = connect(&part.path)?;
        set_apart(&copied).map_err(|source| database(&part.path, source))?;
        check(&copied, &part.path, listener)?
    };
    // Again: it may have appeared meanwhile.
    may_replace(from, to, overwrite)?;
    part.publish(to)?;
    Ok(checked)
}

/// Checks every page and every link of a database, which may be in use.
///
/// # Errors
/// It cannot be read, or is not whole.
pub fn check_file(path: &Path, listener: Listener<'_>) -> Result<Checked, BackupError> {
    let checked = || {
        let connection = open::open_reader(path, &SqliteOptions::default())?;
        schema::check_current(&connection, path)?;
        ends_with_a_page(&connection, path)?;
        check(&connection, path, listener)
    };
    checked().map_err(diagnosed)
}

/// SQLite takes what is missing of the last page for zeros, and does not say so.
fn ends_with_a_page(connection: &Connection, path: &Path) -> Result<(), BackupError> {
    let page: u64 = connection
        .query_row("PRAGMA page_size", [], |row| row.get::<_, u32>(0))
        .map_err(|source| database(path, source))?
        .into();
    let file =
        std::fs::metadata(path).map_err(|source| BackupError::File { path: path.to_owned(), source })?;
    if file.len().checked_rem(page) == Some(0) {
        return Ok(());
    }
    Err(BackupError::Damaged { path: path.to_owned(), reason: "its last page is cut short".to_owned() })
}

/// Tells a file that is not whole from one that cannot be read: a copy that was cut short can break anywhere.
fn diagnosed(error: BackupError) -> BackupError {
    match error {
        BackupError::Database { path, source } | BackupError::Open(OpenError::Database { path, source })
            if matches!(
                source.sqlite_error_code(),
                Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt)
            ) =>
        {
            BackupError::Damaged { path, reason: source.to_string() }
        }
        BackupError::Open(OpenError::OlderSchema { path, found: 0, .. }) => {
            BackupError::Damaged { path, reason: "it is empty".to_owned() }
        }
        other => other,
    }
}

fn database(path: &Path, source: rusqlite::Error) -> BackupError {
    BackupError::Database { path: path.to_owned(), source }
}

fn may_replace(from: &Path, to: &Path, overwrite: bool) -> Result<(), BackupError> {
    let used = |reason: &str| BackupError::Used { path: to.to_owned(), reason: reason.to_owned() };
    if let (Ok(from), Ok(to)) = (std::fs::canonicalize(from), std::fs::canonicalize(to))
        && from == to
    {
        return Err(used("it is the store itself"));
    }
    // To replace a device or a pipe would take it away from everybody.
    if std::fs::metadata(to).is_ok_and(|found| !found.is_file()) {
        return Err(used("it is no plain file"));
    }
    if let Some(database) = whose_companion(to) {
        return Err(used(&format!("it belongs to the database {}", database.display())));
    }
    if is_locked(to) {
        return Err(used("a gate runs on it"));
    }
    // It would be taken for the log of the copy.
    if std::fs::metadata(beside(to, "-wal")).is_ok_and(|log| log.len() > 0) {
        return Err(used("it has a write-ahead log (-wal) beside it, as stores in use have"));
    }
    if !overwrite && to.exists() {
        return Err(BackupError::Exists { path: to.to_owned() });
    }
    Ok(())
}

/// Whether a gate has a database open for writing.
fn is_locked(path: &Path) -> bool {
    File::open(beside(path, ".lock"))
        .is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The database beside which a file lies under the name of its log, the log's index, its journal or the gate's lock: whoever
/// replaces a log takes away what it holds, and was acknowledged.
fn whose_companion(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let whose = COMPANIONS.iter().filter_map(|end| name.strip_suffix(end));
    whose.map(|database| path.with_file_name(database)).find(|database| database.is_file())
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.to_owned().into_os_string();
    name.push(end);
    PathBuf::from(name)
}

fn connect(path: &Path) -> Result<Connection, BackupError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connect = || {
        let connection = Connection::open_with_flags(path, flags)?;
        connection.pragma_update(None, "trusted_schema", false)?;
        // It is synced as a whole before it gets its name.
        connection.pragma_update(None, "synchronous", "off")?;
        Ok(connection)
    };
    connect().map_err(|source| database(path, source))
}

fn copy(source: &Connection, from: &Path, part: &Path, listener: Listener<'_>) -> Result<(), BackupError> {
    let failed = |source| database(from, source);
    let mode: String = source.query_row("PRAGMA journal_mode", [], |row| row.get(0)).map_err(failed)?;
    if mode != "wal" && is_locked(from) {
        return Err(BackupError::NoSharedMemory { path: from.to_owned() });
    }
    // One snapshot for the whole copy. Without it, every change in between would begin the copy anew.
    let snapshot = source.unchecked_transaction().map_err(failed)?;
    read::store_id(&snapshot).map_err(failed)?;
    let mut target = connect(part)?;
    let copying = Backup::new(&snapshot, &mut target).map_err(|source| database(part, source))?;
    let mut refusals = 0;
    loop {
        match copying.step(STEP).map_err(|source| database(part, source))? {
            StepResult::Done => return Ok(()),
            StepResult::More => refusals = 0,
            _busy_or_locked => {
                refusals += 1;
                if refusals > REFUSALS {
                    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
                    return Err(failed(rusqlite::Error::SqliteFailure(busy, None)));
                }
            }
        }
        let progress = copying.progress();
        let pages = |count| u64::try_from(count).unwrap_or(0);
        let total = pages(progress.pagecount);
        listener(Stage::Copying(total.saturating_sub(pages(progress.remaining)), total));
        std::thread::sleep(PAUSE);
    }
}

/// Makes the copy one file, and a store of its own.
fn set_apart(copied: &Connection) -> rusqlite::Result<()> {
    copied.pragma_update_and_check(None, "journal_mode", "delete", |row| row.get::<_, String>(0))?;
    copied.execute("UPDATE store SET id = lower(hex(randomblob(16)))", [])?;
    Ok(())
}

fn check(connection: &Connection, path: &Path, listener: Listener<'_>) -> Result<Checked, BackupError> {
    let failed = |source| database(path, source);
    listener(Stage::CheckingPages);
    let found: String =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).map_err(failed)?;
    if found != "ok" {
        return Err(BackupError::Damaged { path: path.to_owned(), reason: found });
    }
    let projects = read::projects(connection).map_err(failed)?;
    let count = u64::try_from(projects.len()).unwrap_or(u64::MAX);
    let mut chains = Vec::with_capacity(projects.len());
    for (done, project) in (0..).zip(projects) {
        listener(Stage::CheckingChains(done, count));
        let chain = verify(connection, project).map_err(failed)?;
        if let Some(link) = chain.broken {
            return Err(BackupError::Broken { project: chain.project, link });
        }
        chains.push(chain);
    }
    let size = super::retention::size(connection).map_err(failed)?;
    Ok(Checked { bytes: size.used.saturating_add(size.free), chains })
}

fn verify(connection: &Connection, project: String) -> rusqlite::Result<Verification> {
    let mut verifier = Verifier::start(connection, project)?;
    loop {
        match verifier.slice(connection)? {
            Slice::More(rest) => verifier = rest,
            Slice::Done(verification) => return Ok(verification),
        }
    }
}

/// A copy without its name yet. Dropped, it is gone.
struct Part {
    path: PathBuf,
}

impl Part {
    /// In the folder of the copy, so that it can be renamed.
    fn beside(to: &Path) -> Result<Self, BackupError> {
        let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let path = to.with_file_name(format!(".{name}.{}.part", uuid::Uuid::now_v7().simple()));
        let created = open::private().create_new(true).open(&path);
        created.map_err(|source| BackupError::File { path: path.clone(), source })?;
        Ok(Self { path })
    }

    /// Gives it its name, once it is on disk.
    fn publish(self, to: &Path) -> Result<(), BackupError> {
        let publish = || {
            File::open(&self.path)?.sync_all()?;
            std::fs::rename(&self.path, to)?;
            let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        publish().map_err(|source| BackupError::File { path: to.to_owned(), source })
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        for end in std::iter::once("").chain(COMPANIONS) {
            // It is gone already where it was given its name, and most of these never were.
            let _gone = std::fs::remove_file(beside(&self.path, end));
        }
    }
}
