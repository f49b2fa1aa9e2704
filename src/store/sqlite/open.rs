//! Opening a database file: who may, with which settings, and that only one process writes.
//! Knows nothing of rows. The writer's lock is a file beside the database (`<name>.lock`) that the system releases when
//! the process ends, however it ends; locking the database file itself would disturb SQLite's own locks.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::presence::Presence;
use super::schema;
use crate::store::error::OpenError;

/// Prepared statements that each connection keeps; the store has fewer different ones.
const STATEMENT_CACHE: usize = 128;
/// After a checkpoint the write-ahead log is cut to this size, in bytes.
const LOG_SIZE_LIMIT: i64 = 64 * 1024 * 1024;

/// How a [`SqliteStore`](super::SqliteStore) is set up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqliteOptions {
    /// How long a statement waits for another process's lock before it fails.
    pub busy_timeout: Duration,
    /// The database may not grow beyond this many pages (of 4 KiB); `None` leaves it to the disk.
    pub max_pages: Option<u32>,
}

impl Default for SqliteOptions {
    fn default() -> Self {
        Self { busy_timeout: Duration::from_secs(5), max_pages: None }
    }
}

/// The one connection that writes, with the lock that says so.
#[derive(Debug)]
pub(super) struct WriterConnection {
    pub(super) connection: Connection,
    /// Its files; none in memory.
    pub(super) presence: Option<Presence>,
    /// Held for as long as the connection lives; declared after it, so released after it.
    _lock: Option<File>,
}

/// Creates the file if need be (readable by its owner only), takes the lock, and brings the schema up to date.
pub(super) fn open_writer(
    path: &Path,
    options: &SqliteOptions,
) -> Result<(WriterConnection, PathBuf), OpenError> {
    let file_error = |source| OpenError::File { path: path.to_owned(), source };
    match private().create_new(true).open(path) {
        Ok(_created) => {}
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(file_error(error)),
    }
    // One name for one file, so that two spellings of a path cannot take two locks.
    let path = std::fs::canonicalize(path).map_err(file_error)?;
    let lock = lock(&path)?;
    let database = |source| OpenError::Database { path: path.clone(), source };
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(&path, flags).map_err(database)?;
    connection.busy_timeout(options.busy_timeout).map_err(database)?;
    let version = schema::check(&connection, &path)?;
    if version == 0 {
        // Only an empty database can still choose: what retention deletes can be given back to the file system.
        connection.pragma_update(None, "auto_vacuum", "incremental").map_err(database)?;
    }
    set_up_writer(&connection, options).map_err(database)?;
    schema::migrate(&mut connection, version).map_err(database)?;
    // Reading makes the log and its index appear, where nothing has been written yet.
    schema::check_current(&connection, &path)?;
    let presence = Some(Presence::of(&path));
    Ok((WriterConnection { connection, presence, _lock: Some(lock) }, path))
}

/// The same, in memory.
pub(super) fn open_in_memory(options: &SqliteOptions) -> Result<WriterConnection, OpenError> {
    let database = |source| OpenError::Database { path: ":memory:".into(), source };
    let mut connection = Connection::open_in_memory().map_err(database)?;
    set_up_writer(&connection, options).map_err(database)?;
    schema::migrate(&mut connection, 0).map_err(database)?;
    Ok(WriterConnection { connection, presence: None, _lock: None })
}

/// A connection that can only read; many may be open beside the writer, in any process.
pub(super) fn open_reader(path: &Path, options: &SqliteOptions) -> Result<Connection, OpenError> {
    let database = |source| OpenError::Database { path: path.to_owned(), source };
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).map_err(database)?;
    connection.busy_timeout(options.busy_timeout).map_err(database)?;
    set_up(&connection).map_err(database)?;
    // The log and its index are opened with the first read: now, while they are there.
    connection.query_row("PRAGMA schema_version", [], |row| row.get::<_, i64>(0)).map_err(database)?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_prepared_statement_cache_capacity(STATEMENT_CACHE);
    // Whoever can write the file must not be able to run SQL functions through its schema.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "temp_store", "memory")
}

fn set_up_writer(connection: &Connection, options: &SqliteOptions) -> rusqlite::Result<()> {
    set_up(connection)?;
    // FULL: NORMAL may lose the last commits on a power cut, and those were acknowledged.
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))?;
    if mode != "wal" && mode != "memory" {
        tracing::warn!(%mode, "the file system has no shared memory: reads and writes will wait for each other");
    }
    connection.pragma_update(None, "synchronous", "full")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection
        .pragma_update_and_check(None, "journal_size_limit", LOG_SIZE_LIMIT, |row| row.get::<_, i64>(0))?;
    if let Some(pages) = options.max_pages {
        connection.pragma_update_and_check(None, "max_page_count", pages, |row| row.get::<_, i64>(0))?;
    }
    Ok(())
}

fn lock(path: &Path) -> Result<File, OpenError> {
    let mut name = path.to_owned().into_os_string();
    name.push(".lock");
    let file_error = |source| OpenError::File { path: PathBuf::from(&name), source };
    // Never deleted: a process that still holds a deleted lock file would not be noticed.
    let file = private().create(true).truncate(false).open(&name).map_err(file_error)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(file_error(error)),
    }
}

/// To be read and written by its owner only.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}
