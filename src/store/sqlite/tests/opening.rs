use rusqlite::Connection;

use super::*;
use crate::store::sqlite::schema;
use crate::store::suite::{PROJECT, grant, quiet, recording, session, write};
use crate::store::{OpenError, Page, Resolution, SessionFilter, Status, StoreError};

/// A database as schema version 1 wrote it, with a row of every kind.
const VERSION_1: &str = include_str!("version_1.sql");

#[tokio::test]
async fn a_database_of_version_1_becomes_current_and_keeps_everything() {
    let (_place, path) = place();
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let store = SqliteStore::open(&path).unwrap();
    let version: i64 = intruder(&path).query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, schema::supported_version());
    assert_eq!(store.session(PROJECT, "s").await, Ok(Some(session("s", 3))));
    assert_eq!(store.grants(PROJECT).await, Ok(vec![grant(None, "g")]));
    assert_eq!(store.denials(PROJECT, "s").await.unwrap().len(), 1);
    assert_eq!(store.escalation("e").await.unwrap().unwrap().status, Status::Resolved(Resolution::Answered));
    assert_eq!(store.open_halts(None, None).await.unwrap().len(), 1);
    assert!(store.request(PROJECT, "s", "q").await.unwrap().is_some());
    let feed = store.feed(0, 0).await.unwrap();
    assert_eq!((feed.rows.len(), feed.next, feed.lost), (3, 3, false));
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.checked, verification.broken), (2, None));
    assert_eq!(write(&store, recording("next")).await.unwrap().records[0].sequence, 3);
    drop(store);
    assert_eq!(SqliteStore::open(&path).unwrap().verify(PROJECT, quiet()).await.unwrap().checked, 3);
}

#[test]
fn a_database_of_a_later_release_is_refused_by_both_versions_and_left_alone() {
    let (_place, path) = place();
    drop(SqliteStore::open(&path).unwrap());
    intruder(&path).execute_batch("PRAGMA user_version = 99").unwrap();
    let before = std::fs::read(&path).unwrap();
    let error = SqliteStore::open(&path).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, OpenError::NewerSchema { found: 99, .. }), "{message}");
    assert!(
        message.contains("99") && message.contains(&schema::supported_version().to_string()),
        "{message}"
    );
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_file_that_is_not_ours_is_refused_and_left_alone() {
    type Make = fn(&PathBuf);
    let makers: [(&str, Make); 4] = [
        ("a text", |path| {
            std::fs::write(path, "not a database, but long enough to be read as one".repeat(40)).unwrap()
        }),
        ("another program's", |path| {
            intruder(path).execute_batch("PRAGMA application_id = 7; CREATE TABLE t (a)").unwrap();
        }),
        ("an anonymous one", |path| intruder(path).execute_batch("CREATE TABLE t (a)").unwrap()),
        ("ours without a version", |path| {
            intruder(path).execute_batch("PRAGMA application_id = 0x68616c74; CREATE TABLE t (a)").unwrap();
        }),
    ];
    for (name, make) in makers {
        let (_place, path) = place();
        make(&path);
        let before = std::fs::read(&path).unwrap();
        let error = SqliteStore::open(&path).unwrap_err();
        assert!(matches!(error, OpenError::NotHaltgate { .. }), "{name}: {error}");
        assert_eq!(std::fs::read(&path).unwrap(), before, "{name}");
    }
}

#[test]
fn an_empty_file_becomes_a_database() {
    let (_place, path) = place();
    std::fs::write(&path, "").unwrap();
    assert!(SqliteStore::open(&path).is_ok());
}

#[test]
fn a_file_in_a_missing_directory_is_an_error_that_names_it() {
    let (_place, path) = place();
    let error = SqliteStore::open(path.join("deeper")).unwrap_err();
    assert!(matches!(error, OpenError::File { .. }), "{error}");
    assert!(error.to_string().contains("deeper"), "{error}");
}

#[tokio::test]
async fn a_second_writer_is_refused_until_the_first_is_gone() {
    let (place, path) = place();
    let first = SqliteStore::open(&path).unwrap();
    assert!(matches!(SqliteStore::open(&path), Err(OpenError::InUse { .. })));
    let spelled = place.path().join(".").join("gate.db");
    assert!(matches!(SqliteStore::open(spelled), Err(OpenError::InUse { .. })), "under another spelling");
    first.close().await.unwrap();
    drop(first);
    assert!(SqliteStore::open(&path).is_ok());
}

#[tokio::test]
async fn a_file_whose_store_was_closed_can_be_opened_at_once_whoever_still_holds_the_store() {
    let (_place, path) = place();
    let mut closed = Vec::new();
    for _ in 0..20 {
        let store = SqliteStore::open(&path).unwrap();
        store.close().await.unwrap();
        closed.push(store);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn every_file_of_the_database_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let (place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    write(&store, recording("r")).await.unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(place.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.path());
        files += 1;
    }
    assert_eq!(files, 4, "the database, its log, the index of the log, and the lock");
}

#[tokio::test]
async fn a_file_can_be_read_by_others_while_it_is_written() {
    let (_place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    write(&store, recording("r-1")).await.unwrap();
    let reader = SqliteStore::open_read_only(&path).unwrap();
    write(&store, recording("r-2")).await.unwrap();
    assert_eq!(
        reader.verify(PROJECT, quiet()).await.unwrap().checked,
        2,
        "it sees what was committed meanwhile"
    );
    assert!(reader.sessions(SessionFilter::default(), Page::default()).await.is_ok());
    assert!(matches!(write(&reader, recording("r-3")).await, Err(StoreError::Unavailable { .. })));
    drop(reader);
    assert_eq!(write(&store, recording("r-3")).await.unwrap().records[0].sequence, 3);
}

#[test]
fn a_database_of_version_1_cannot_be_opened_for_reading_only() {
    let (_place, path) = place();
    intruder(&path).execute_batch(VERSION_1).unwrap();
    let error = SqliteStore::open_read_only(&path).unwrap_err();
    assert!(matches!(error, OpenError::OlderSchema { found: 1, .. }), "{error}");
}
