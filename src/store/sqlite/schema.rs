//! What a database file must be, and how an older one becomes current: forward only, in one transaction.
//! Knows the versions; the statements of each are a file of their own that never changes after its release.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::store::error::OpenError;

/// "halt", in the header of every database of ours.
pub(super) const APPLICATION_ID: i64 = 0x6861_6c74;

/// The statements that lead to version 1, 2, … in order.
pub(super) const MIGRATIONS: [&str; 4] = [
    include_str!("schema_v1.sql"),
    include_str!("schema_v2.sql"),
    include_str!("schema_v3.sql"),
    include_str!("schema_v4.sql"),
];

/// The schema version that this release reads and writes.
pub(super) fn supported_version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Refuses files of other programs and of later releases, without writing a byte. Returns the version found; 0 is an
/// empty database.
pub(super) fn check(connection: &Connection, path: &Path) -> Result<i64, OpenError> {
    let database = |source: rusqlite::Error| {
        if source.sqlite_error_code() == Some(rusqlite::ErrorCode::NotADatabase) {
            OpenError::NotHaltgate { path: path.to_owned(), reason: "it is no SQLite database".into() }
        } else {
            OpenError::Database { path: path.to_owned(), source }
        }
    };
    let read = |pragma: &str| connection.query_row(pragma, [], |row| row.get::<_, i64>(0)).map_err(database);
    let application = read("PRAGMA application_id")?;
    let version = read("PRAGMA user_version")?;
    let tables = read("SELECT count(*) FROM sqlite_schema")?;
    if application != APPLICATION_ID {
        if application == 0 && version == 0 && tables == 0 {
            return Ok(0);
        }
        let reason = format!("its application id is {application:#x}, not {APPLICATION_ID:#x}");
        return Err(OpenError::NotHaltgate { path: path.to_owned(), reason });
    }
    let supported = supported_version();
    if version > supported {
        return Err(OpenError::NewerSchema { path: path.to_owned(), found: version, supported });
    }
    if version < 1 {
        let reason = format!("its schema version is {version}");
        return Err(OpenError::NotHaltgate { path: path.to_owned(), reason });
    }
    Ok(version)
}

/// The same for a reader, which cannot migrate: only the current version will do.
pub(super) fn check_current(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let (found, supported) = (check(connection, path)?, supported_version());
    if found == supported {
        return Ok(());
    }
    Err(OpenError::OlderSchema { path: path.to_owned(), found, supported })
}

/// Brings a checked database from `version` to the current one; a failure or a crash leaves it at `version`.
pub(super) fn migrate(connection: &mut Connection, version: i64) -> Result<(), rusqlite::Error> {
    let done = usize::try_from(version).unwrap_or(usize::MAX);
    if done >= MIGRATIONS.len() {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for statements in MIGRATIONS.iter().skip(done) {
        transaction.execute_batch(statements)?;
    }
    transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    transaction.pragma_update(None, "user_version", supported_version())?;
    transaction.commit()?;
    tracing::info!(from = version, to = supported_version(), "migrated the database");
    Ok(())
}
