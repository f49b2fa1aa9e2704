use std::time::Duration;

use super::*;
use crate::store::sqlite::SqliteOptions;
use crate::store::suite::{PROJECT, batch, quiet, record, recording, session, write};
use crate::store::{Batch, Change, Health, NewRecord, StoreError};

fn large(id: String) -> Batch {
    Batch { records: vec![NewRecord { body_json: "x".repeat(20_000), ..record(id) }], ..batch([]) }
}

async fn until_available(store: &dyn Store) {
    for _ in 0..100 {
        if store.health() == Health::Available {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the store did not recover: {:?}", store.health());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_fails_receipts_and_loses_no_acknowledged_batch() {
    let (_place, path) = place();
    let options = SqliteOptions { max_pages: Some(200), ..SqliteOptions::default() };
    let store = Arc::new(SqliteStore::open_with(&path, &options).unwrap());
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { (number, store.submit(large(format!("r-{number}"))).await) })
        })
        .collect();
    let (mut acknowledged, mut failed) = (Vec::new(), 0);
    for task in tasks {
        match task.await.unwrap() {
            (number, Ok(_)) => acknowledged.push(format!("r-{number}")),
            (_, Err(StoreError::Unavailable { reason })) => {
                assert!(reason.contains("full"), "{reason}");
                failed += 1;
            }
            (_, Err(other)) => panic!("{other:?}"),
        }
    }
    assert!(failed > 0);
    // A group fails as a whole, so there may be room for a few smaller ones yet.
    while write(&*store, large(format!("more-{}", acknowledged.len()))).await.is_ok() {
        acknowledged.push(format!("more-{}", acknowledged.len()));
    }
    assert!(matches!(store.health(), Health::Unavailable { .. }));
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    let expected = u64::try_from(acknowledged.len()).unwrap();
    assert_eq!((verification.checked, verification.broken), (expected, None), "reads go on");
    drop(store);
    let store = SqliteStore::open(&path).unwrap();
    for id in acknowledged {
        assert!(store.decision(&id).await.unwrap().is_some(), "{id}");
    }
    assert_eq!(write(&store, large("after".into())).await.unwrap().records[0].sequence, expected + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_only_database_fails_receipts_until_it_can_be_written_again() {
    let store = SqliteStore::ephemeral().unwrap();
    write(&store, recording("before")).await.unwrap();
    // In memory, reads run on the connection that writes.
    let writable = |writable: bool| {
        store.look_up(move |connection| connection.pragma_update(None, "query_only", !writable))
    };
    writable(false).await.unwrap();
    let receipts: Vec<_> = (0..20).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    for receipt in receipts {
        assert!(
            matches!(receipt.await, Err(StoreError::Unavailable { reason }) if reason.contains("readonly"))
        );
    }
    assert!(matches!(store.health(), Health::Unavailable { .. }));
    writable(true).await.unwrap();
    until_available(&store).await;
    assert_eq!(write(&store, recording("after")).await.unwrap().records[0].sequence, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_fails_what_is_queued_at_once_and_recovers() {
    let (_place, path) = place();
    let options = SqliteOptions { busy_timeout: Duration::from_millis(100), ..SqliteOptions::default() };
    let store = SqliteStore::open_with(&path, &options).unwrap();
    let other = intruder(&path);
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let receipts: Vec<_> = (0..100).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    for receipt in receipts {
        assert!(matches!(receipt.await, Err(StoreError::Unavailable { .. })));
    }
    other.execute_batch("ROLLBACK").unwrap();
    until_available(&store).await;
    assert_eq!(write(&store, recording("after")).await.unwrap().records[0].sequence, 1);
}

#[tokio::test]
async fn what_belongs_to_an_unknown_session_is_refused_without_harm() {
    let (_place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let orphan = Change::PutGrant(crate::store::suite::grant(Some("nobody"), "g"));
    assert!(matches!(write(&store, batch([orphan])).await, Err(StoreError::Rejected { .. })));
    assert_eq!(store.health(), Health::Available);
    assert!(write(&store, batch([Change::PutSession(session("s", 1))])).await.is_ok());
}
