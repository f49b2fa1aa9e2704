//! Files that are taken away from under an open store.

use super::*;
use crate::store::suite::{PROJECT, quiet, recording, write};
use crate::store::{Health, StoreError};

async fn until_available(store: &SqliteStore) {
    while store.health() != Health::Available {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

async fn is_refused(store: &SqliteStore, id: &str) -> String {
    match write(store, recording(id)).await {
        Err(StoreError::Unavailable { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_acknowledged_while_a_file_is_missing_and_all_is_well_once_it_is_back() {
    for end in ["", "-wal", "-shm", ".lock"] {
        let (place, path) = place();
        let store = SqliteStore::open(&path).unwrap();
        write(&store, recording("before")).await.unwrap();
        let (file, aside) = (place.path().join(format!("gate.db{end}")), place.path().join("aside"));
        std::fs::rename(&file, &aside).unwrap();
        let reason = is_refused(&store, "meanwhile").await;
        assert!(reason.contains("deleted or moved") && reason.contains(&format!("gate.db{end}")), "{reason}");
        assert!(matches!(store.health(), Health::Unavailable { .. }));
        assert!(store.decision("before").await.unwrap().is_some(), "what is there can be read");
        std::fs::rename(&aside, &file).unwrap();
        until_available(&store).await;
        assert_eq!(write(&store, recording("after")).await.unwrap().records[0].sequence, 2, "{end}");
        assert_eq!(store.verify(PROJECT, quiet()).await.unwrap().broken, None);
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_replaced_acknowledges_nothing() {
    let (place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    write(&store, recording("before")).await.unwrap();
    let copy = place.path().join("copy");
    std::fs::copy(&path, &copy).unwrap();
    std::fs::rename(&copy, &path).unwrap();
    let reason = is_refused(&store, "meanwhile").await;
    assert!(reason.contains("was replaced"), "{reason}");
}

/// The log is gone for good; what it held was moved into the database before that was noticed to matter.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_was_deleted_takes_nothing_along_that_was_acknowledged() {
    let (place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    for number in 0..30 {
        write(&store, recording(format!("r-{number}"))).await.unwrap();
    }
    std::fs::remove_file(place.path().join("gate.db-wal")).unwrap();
    is_refused(&store, "meanwhile").await;
    // As a kill would leave it at this moment.
    let killed = place.path().join("killed.db");
    std::fs::copy(&path, &killed).unwrap();
    let verification = SqliteStore::open(&killed).unwrap().verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.checked, verification.broken), (30, None));
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    assert_eq!(write(&store, recording("after")).await.unwrap().records[0].sequence, 31);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disk_that_keeps_a_write_waiting_makes_the_store_unavailable_until_it_goes_on() {
    let (_place, path) = place();
    let options = crate::store::SqliteOptions {
        busy_timeout: std::time::Duration::from_secs(600),
        ..crate::store::SqliteOptions::default()
    };
    let store = SqliteStore::open_with(&path, &options).unwrap();
    // Whatever a write waits for looks the same from here.
    let disk = intruder(&path);
    disk.execute_batch("BEGIN IMMEDIATE").unwrap();
    let waiting = store.submit(recording("slow"));
    while store.health() == Health::Available {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let Health::Unavailable { reason } = store.health() else { panic!("{:?}", store.health()) };
    assert!(reason.contains("kept a write waiting"), "{reason}");
    disk.execute_batch("ROLLBACK").unwrap();
    waiting.await.unwrap();
    until_available(&store).await;
    assert!(write(&store, recording("fast")).await.is_ok());
}
