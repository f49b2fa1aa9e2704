//! Databases of every earlier release become current whole or not at all.

use super::*;
use crate::store::sqlite::schema;
use crate::store::suite::{PROJECT, quiet, recording, write};

/// A database as each earlier version left it, with the rows that version 1 had.
fn earlier(path: &PathBuf, version: i64) {
    let database = intruder(path);
    database.execute_batch(include_str!("version_1.sql")).unwrap();
    for step in 1..version {
        let index = usize::try_from(step).unwrap();
        database.execute_batch(schema::MIGRATIONS[index]).unwrap();
    }
    database.pragma_update(None, "user_version", version).unwrap();
}

async fn is_whole(path: &PathBuf) {
    let store = SqliteStore::open(path).unwrap();
    let version: i64 = intruder(path).query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, schema::supported_version());
    assert!(store.session(PROJECT, "s").await.unwrap().is_some());
    assert_eq!(store.grants(PROJECT).await.unwrap().len(), 1);
    assert_eq!(store.denials(PROJECT, "s").await.unwrap().len(), 1);
    assert_eq!(store.open_halts(None, None).await.unwrap().len(), 1);
    assert!(store.request(PROJECT, "s", "q").await.unwrap().is_some());
    assert_eq!(store.feed(0, 0).await.unwrap().rows.len(), 3);
    assert_eq!(store.id().len(), 32);
    assert_eq!(store.belief().await, Ok(None));
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.checked, verification.broken), (2, None));
    assert_eq!(write(&store, recording("next")).await.unwrap().records[0].sequence, 3);
}

#[tokio::test]
async fn a_database_of_every_earlier_version_becomes_current_and_keeps_everything() {
    for version in 1..schema::supported_version() {
        let (_place, path) = place();
        earlier(&path, version);
        is_whole(&path).await;
    }
}

/// The files as they are at a moment are what a kill at that moment leaves behind.
#[tokio::test]
async fn a_kill_at_any_step_of_a_migration_leaves_a_database_that_the_next_start_migrates() {
    let (place, path) = place();
    earlier(&path, 1);
    let database = intruder(&path);
    // Everything goes to the disk at once, as it may when memory is short.
    database
        .execute_batch("PRAGMA journal_mode = wal; PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
        .unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut moments = 0;
    for statements in &schema::MIGRATIONS[1..] {
        for statement in statements.split_inclusive(";\n") {
            database.execute_batch(statement).unwrap();
            moments += 1;
            let killed = place.path().join(format!("killed-{moments}.db"));
            for end in ["", "-wal"] {
                let name = |path: &PathBuf| format!("{}{end}", path.display());
                std::fs::copy(name(&path), name(&killed)).unwrap();
            }
            is_whole(&killed).await;
        }
    }
    assert!(moments > 8, "{moments}");
}

#[test]
fn a_new_database_gives_freed_room_back_and_an_earlier_one_stays_as_it_is() {
    let (_kept, new) = place();
    let mode = |path: &PathBuf| -> i64 {
        intruder(path).query_row("PRAGMA auto_vacuum", [], |row| row.get(0)).unwrap()
    };
    drop(SqliteStore::open(&new).unwrap());
    assert_eq!(mode(&new), 2, "incremental");
    let (_kept, old) = place();
    earlier(&old, 3);
    drop(SqliteStore::open(&old).unwrap());
    assert_eq!(mode(&old), 0);
}
