use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::*;
use crate::store::backup::{BackupError, Stage, back_up, check_file};
use crate::store::suite::{PROJECT, quiet, recording, write};
use crate::store::{BrokenLink, OpenError};

fn names(place: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(place.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with("gate.db"))
        .collect();
    names.sort();
    names
}

async fn filled(path: &PathBuf, records: u64) -> SqliteStore {
    let store = SqliteStore::open(path).unwrap();
    let receipts: Vec<_> =
        (0..records).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    for receipt in receipts {
        receipt.await.unwrap();
    }
    store
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_copy_that_is_made_while_others_write_is_whole_and_holds_what_was_acknowledged_before() {
    let (place, path) = place();
    let store = Arc::new(filled(&path, 3_000).await);
    let (stop, written) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let writing = {
        let (store, stop, written) = (Arc::clone(&store), Arc::clone(&stop), Arc::clone(&written));
        tokio::spawn(async move {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                write(&*store, recording(format!("later-{number}"))).await.unwrap();
                number += 1;
                written.store(number, Ordering::Relaxed);
            }
        })
    };
    while written.load(Ordering::Relaxed) < 10 {
        tokio::task::yield_now().await;
    }
    let before = written.load(Ordering::Relaxed);
    let copy = place.path().join("copy.db");
    let copied = {
        let (path, copy, written) = (path.clone(), copy.clone(), Arc::clone(&written));
        tokio::task::spawn_blocking(move || {
            back_up(&path, &copy, false, &|stage| {
                // The copy goes on only once somebody has written meanwhile: nobody is held up.
                if let Stage::Copying(..) = stage {
                    let so_far = written.load(Ordering::Relaxed);
                    while written.load(Ordering::Relaxed) == so_far {
                        std::thread::yield_now();
                    }
                }
            })
        })
    };
    let checked = copied.await.unwrap().unwrap();
    stop.store(true, Ordering::Relaxed);
    writing.await.unwrap();
    assert!(written.load(Ordering::Relaxed) > before);
    assert_eq!(names(&place), ["copy.db"], "one file, under its name");
    assert_eq!(checked.chains.len(), 1);
    let restored = SqliteStore::open(&copy).unwrap();
    for id in ["r-0".to_owned(), "r-2999".to_owned(), format!("later-{}", before - 1)] {
        assert!(restored.decision(&id).await.unwrap().is_some(), "{id}");
    }
    let verification = restored.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.head, verification.broken), (checked.chains[0].head, None));
    assert_ne!(restored.id(), store.id(), "cursors of the one mean nothing to the other");
    assert_eq!(
        write(&restored, recording("goes on")).await.unwrap().records[0].sequence,
        verification.checked + 1
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_copy_is_readable_by_its_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let (place, path) = place();
    let _store = filled(&path, 1).await;
    let copy = place.path().join("copy.db");
    back_up(&path, &copy, false, &|_| {}).unwrap();
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_file_that_is_there_is_replaced_only_on_demand_and_a_store_in_use_never() {
    let (place, path) = place();
    let _store = filled(&path, 1).await;
    let copy = place.path().join("copy.db");
    std::fs::write(&copy, "precious").unwrap();
    let error = back_up(&path, &copy, false, &|_| {}).unwrap_err();
    assert!(matches!(error, BackupError::Exists { .. }), "{error}");
    assert_eq!(std::fs::read(&copy).unwrap(), b"precious");
    back_up(&path, &copy, true, &|_| {}).unwrap();
    back_up(&path, &copy, true, &|_| {}).unwrap();
    assert!(check_file(&copy, &|_| {}).is_ok());

    let used = |to: &PathBuf, overwrite| {
        let error = back_up(&path, to, overwrite, &|_| {}).unwrap_err();
        assert!(matches!(error, BackupError::Used { .. }), "{error}");
    };
    used(&path, true);
    used(&place.path().join(".").join("gate.db"), false);
    let log = place.path().join("copy.db-wal");
    std::fs::write(&log, "of whatever was here before").unwrap();
    used(&copy, true);
    std::fs::remove_file(log).unwrap();
    let other = SqliteStore::open(&copy).unwrap();
    used(&copy, true);
    drop(other);
    assert_eq!(names(&place), ["copy.db", "copy.db.lock"], "nothing is left behind");
}

#[tokio::test]
async fn a_copy_never_takes_the_place_of_a_file_that_belongs_to_a_store() {
    let (place, path) = place();
    let store = filled(&path, 3).await;
    for end in ["-wal", "-shm", "-journal", ".lock"] {
        let to = place.path().join(format!("gate.db{end}"));
        let before = std::fs::read(&to).ok();
        let error = back_up(&path, &to, true, &|_| {}).unwrap_err();
        assert!(matches!(error, BackupError::Used { .. }), "{end}: {error}");
        assert_eq!(std::fs::read(&to).ok(), before, "{end}");
    }
    // Nor of what is no file at all.
    let socket = place.path().join("gate.db.socket");
    let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for to in [place.path(), socket.as_path()] {
        let error = back_up(&path, to, true, &|_| {}).unwrap_err();
        assert!(matches!(error, BackupError::Used { .. }), "{}: {error}", to.display());
    }
    write(&store, recording("still")).await.unwrap();
    assert!(names(&place).is_empty(), "nothing is left behind");
    back_up(&path, &place.path().join("other.lock"), false, &|_| {}).unwrap();
}

#[tokio::test]
async fn a_copy_that_was_cut_short_or_changed_is_said_to_be_no_copy() {
    let (place, path) = place();
    drop(filled(&path, 300).await);
    let copy = place.path().join("copy.db");
    back_up(&path, &copy, false, &|_| {}).unwrap();
    let whole = std::fs::read(&copy).unwrap();
    let page = 4096;
    for length in [0, 1, 100, page, 3 * page, whole.len() / 2, whole.len() - page, whole.len() - 1] {
        std::fs::write(&copy, &whole[..length]).unwrap();
        let found = check_file(&copy, &|_| {});
        let told = matches!(found, Err(BackupError::Damaged { .. } | BackupError::Broken { .. }));
        assert!(told, "{length} of {} bytes: {found:?}", whole.len());
    }
    // Nor with a last page of which nothing but unused room is missing.
    std::fs::write(&copy, &whole[..whole.len() - 1]).unwrap();
    let error = check_file(&copy, &|_| {}).unwrap_err();
    assert!(error.to_string().ends_with("its last page is cut short"), "{error}");
    // The text of a record, wherever its page lies.
    let mut changed = whole.clone();
    let at = whole.windows(5).rposition(|bytes| bytes == b"r-299").unwrap();
    changed[at + 4] = b'8';
    std::fs::write(&copy, &changed).unwrap();
    assert!(matches!(
        check_file(&copy, &|_| {}),
        Err(BackupError::Damaged { .. } | BackupError::Broken { .. })
    ));
}

#[tokio::test]
async fn a_copy_of_a_store_that_is_not_whole_is_no_copy() {
    let (place, path) = place();
    let store = filled(&path, 300).await;
    let copy = place.path().join("copy.db");
    intruder(&path).execute_batch("UPDATE records SET text = 'harmless' WHERE sequence = 7").unwrap();
    let error = back_up(&path, &copy, false, &|_| {}).unwrap_err();
    let changed = BrokenLink::Changed { sequence: 7, id: "r-6".into() };
    assert!(matches!(&error, BackupError::Broken { link, .. } if *link == changed), "{error}");
    assert!(names(&place).is_empty(), "{:?}", names(&place));
    store.close().await.unwrap();
    drop(store);

    // An index that has lost a row, as a bad disk leaves one behind.
    let intruder = intruder(&path);
    intruder.execute_batch("UPDATE records SET text = 'git status' WHERE sequence = 7").unwrap();
    assert!(check_file(&path, &|_| {}).is_ok());
    intruder
        .execute_batch(
            "PRAGMA writable_schema = on;
             DELETE FROM sqlite_schema WHERE name = 'records_by_kind';",
        )
        .unwrap();
    drop(intruder);
    let error = back_up(&path, &copy, false, &|_| {}).unwrap_err();
    assert!(matches!(error, BackupError::Damaged { .. }), "{error}");
    assert!(names(&place).is_empty(), "{:?}", names(&place));
}

#[tokio::test]
async fn what_a_killed_gate_left_behind_can_be_copied_with_what_its_log_holds() {
    let (place, path) = place();
    let store = filled(&path, 20).await;
    // As a kill leaves them: the log was not moved into the database.
    let killed = place.path().join("killed.db");
    std::fs::copy(&path, &killed).unwrap();
    std::fs::copy(place.path().join("gate.db-wal"), place.path().join("killed.db-wal")).unwrap();
    drop(store);
    let copy = place.path().join("copy.db");
    let checked = back_up(&killed, &copy, false, &|_| {}).unwrap();
    assert_eq!(checked.chains[0].checked, 20);
}

#[test]
fn only_what_is_ours_and_current_is_copied() {
    let (place, path) = place();
    let copy = place.path().join("copy.db");
    let error = back_up(&path, &copy, false, &|_| {}).unwrap_err();
    assert!(matches!(error, BackupError::Open(OpenError::Database { .. })), "{error}");
    intruder(&path).execute_batch(include_str!("version_1.sql")).unwrap();
    let error = back_up(&path, &copy, false, &|_| {}).unwrap_err();
    assert!(matches!(error, BackupError::Open(OpenError::OlderSchema { found: 1, .. })), "{error}");
    assert!(!copy.exists());
}
