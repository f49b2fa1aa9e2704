//! What a store in a file promises beyond the suite that every store runs.

mod backups;
mod durability;
mod failures;
mod files;
mod migrating;
mod opening;
mod tampering;

use std::path::PathBuf;
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;

use super::SqliteStore;
use crate::store::Store;

mod in_a_file {
    use crate::store::suite::store_suite;
    store_suite!(crate::store::sqlite::tests::file);
}

mod in_memory {
    use crate::store::suite::store_suite;
    store_suite!(crate::store::sqlite::tests::memory);
}

fn file() -> (Arc<dyn Store>, TempDir) {
    let place = tempfile::tempdir().unwrap();
    (Arc::new(SqliteStore::open(place.path().join("gate.db")).unwrap()), place)
}

fn memory() -> (Arc<dyn Store>, ()) {
    (Arc::new(SqliteStore::ephemeral().unwrap()), ())
}

/// A place for a database, and the database.
fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("gate.db");
    (place, path)
}

/// A connection that the store knows nothing of.
fn intruder(path: &PathBuf) -> Connection {
    Connection::open(path).unwrap()
}
