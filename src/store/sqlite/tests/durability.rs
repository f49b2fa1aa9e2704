use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use super::*;
use crate::store::suite::{PROJECT, quiet, recording, write};

/// Tells a test process to be the one that is killed, and which database to write.
const VICTIM: &str = "HALTGATE_TEST_STORE_VICTIM";

#[tokio::test]
async fn a_dropped_store_has_written_everything_that_was_submitted() {
    let (_place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    let receipts: Vec<_> = (0..700).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    drop(store);
    for receipt in receipts {
        receipt.await.unwrap();
    }
    let verification = SqliteStore::open(&path).unwrap().verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.checked, verification.broken), (700, None));
}

#[tokio::test]
async fn what_was_acknowledged_is_in_the_files_at_that_moment() {
    let (place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    for number in 1..=40_u64 {
        write(&store, recording(format!("r-{number}"))).await.unwrap();
        if number % 10 == 0 {
            let copy = place.path().join(format!("copy-{number}.db"));
            std::fs::copy(&path, &copy).unwrap();
            std::fs::copy(place.path().join("gate.db-wal"), copy.with_extension("db-wal")).unwrap();
            let verification = SqliteStore::open(&copy).unwrap().verify(PROJECT, quiet()).await.unwrap();
            assert_eq!((verification.checked, verification.broken), (number, None));
        }
    }
}

#[tokio::test]
async fn closing_empties_the_log_into_the_database() {
    let (place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    write(&store, recording("r")).await.unwrap();
    let log = place.path().join("gate.db-wal");
    assert!(std::fs::metadata(&log).unwrap().len() > 0);
    // Somebody reads along, so that SQLite itself does not tidy up when the last connection goes.
    let reader = intruder(&path);
    let _count: i64 = reader.query_row("SELECT count(*) FROM records", [], |row| row.get(0)).unwrap();
    store.close().await.unwrap();
    assert_eq!(std::fs::metadata(&log).unwrap().len(), 0);
}

/// Killed in the middle of writing, at once and without warning; what it had reported by then must be there.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_process_loses_nothing_that_it_acknowledged() {
    if let Some(path) = std::env::var_os(VICTIM) {
        return write_until_killed(PathBuf::from(path)).await;
    }
    let (_crate, module) = module_path!().split_once("::").unwrap();
    let name = format!("{module}::a_killed_process_loses_nothing_that_it_acknowledged");
    for round in 0..3 {
        let (_place, path) = place();
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", &name, "--nocapture", "--test-threads=1"])
            .env(VICTIM, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut acknowledged = Vec::new();
        for line in BufReader::new(victim.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            if let Some((_, id)) = line.rsplit_once("acknowledged ") {
                acknowledged.push(id.to_owned());
            }
            if acknowledged.len() == 300 + round * 77 {
                victim.kill().unwrap();
            }
        }
        victim.wait().unwrap();
        assert!(acknowledged.len() >= 300, "{}", acknowledged.len());
        let store = SqliteStore::open(&path).unwrap();
        for id in &acknowledged {
            assert!(store.decision(id).await.unwrap().is_some(), "{id} was acknowledged and is lost");
        }
        assert_eq!(store.verify(PROJECT, quiet()).await.unwrap().broken, None);
    }
}

async fn write_until_killed(path: PathBuf) {
    let store = Arc::new(SqliteStore::open(path).unwrap());
    let writers: Vec<_> = (0..16)
        .map(|writer| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                for number in 0..100_000 {
                    let id = format!("{writer}-{number}");
                    store.submit(recording(&id)).await.unwrap();
                    println!("acknowledged {id}");
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
}
