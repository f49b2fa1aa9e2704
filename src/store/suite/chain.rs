use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::store::audit::genesis;

pub(super) async fn append(store: &dyn Store, ids: std::ops::Range<u64>) {
    let receipts: Vec<_> = ids.map(|number| store.submit(recording(format!("r-{number}")))).collect();
    for receipt in receipts {
        receipt.await.unwrap();
    }
}

pub(crate) async fn an_untouched_chain_verifies_to_its_head(store: Arc<dyn Store>) {
    let empty = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((empty.checked, empty.head, empty.broken), (0, None, None));
    append(&*store, 0..2_500).await;
    let last = store.decision("r-2499").await.unwrap().unwrap();
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.first, verification.checked, verification.broken), (1, 2_500, None));
    let head = verification.head.unwrap();
    assert_eq!((head.sequence, head.hash), (2_500, last.hash));
    assert_eq!(store.decision("r-0").await.unwrap().unwrap().previous_hash, genesis(PROJECT));
}

pub(crate) async fn chains_of_projects_are_independent(store: Arc<dyn Store>) {
    for project in ["a", "b"] {
        for number in 0..3 {
            let records = vec![record(format!("{project}-{number}"))];
            let committed =
                write(&*store, Batch { project: project.into(), records, ..Batch::default() }).await;
            assert_eq!(committed.unwrap().records[0].sequence, number + 1);
        }
    }
    assert_eq!(store.projects().await, Ok(vec!["a".into(), "b".into()]));
    for project in ["a", "b"] {
        let verification = store.verify(project, quiet()).await.unwrap();
        assert_eq!((verification.checked, verification.broken), (3, None));
    }
}

pub(crate) async fn a_failed_batch_leaves_no_gap_in_the_chain(store: Arc<dyn Store>) {
    append(&*store, 0..2).await;
    let repeated = Batch { records: vec![record("new"), record("r-0")], ..batch([]) };
    assert!(
        matches!(write(&*store, repeated).await, Err(StoreError::Rejected { .. })),
        "an id is used twice"
    );
    assert_eq!(write(&*store, recording("next")).await.unwrap().records[0].sequence, 3);
    assert_eq!(store.decision("new").await, Ok(None));
    assert_eq!(store.verify(PROJECT, quiet()).await.unwrap().broken, None);
}

pub(crate) async fn verification_reports_its_progress_and_sees_appends_meanwhile(store: Arc<dyn Store>) {
    append(&*store, 0..3_000).await;
    let prune = pruning(&*store, 2_500).await;
    let (appending, calls) = (Arc::clone(&store), Arc::new(AtomicU64::new(0)));
    let heard = Arc::clone(&calls);
    let progress: Progress = Arc::new(move |checked, head| {
        let call = heard.fetch_add(1, Ordering::Relaxed);
        assert!(checked <= head && head == 3_000);
        // Batches that arrive during the walk, and a retention that overtakes it.
        drop(appending.submit(recording(format!("meanwhile-{call}"))));
        if call == 1 {
            drop(appending.submit(prune.clone()));
        }
    });
    let verification = store.verify(PROJECT, progress).await.unwrap();
    assert_eq!(verification.broken, None);
    assert!(calls.load(Ordering::Relaxed) >= 2);
}

pub(crate) async fn a_retention_that_overtakes_a_whole_verification_is_no_tampering(store: Arc<dyn Store>) {
    append(&*store, 0..3).await;
    let (overtaking, calls) = (Arc::clone(&store), AtomicU64::new(0));
    let progress: Progress = Arc::new(move |_checked, _head| {
        if calls.fetch_add(1, Ordering::Relaxed) > 0 {
            return;
        }
        // Before the first record is read, even the one that the walk was to end at is gone.
        let store = Arc::clone(&overtaking);
        let overtake = move || {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                append(&*store, 3..6).await;
                let prune = pruning(&*store, 5).await;
                write(&*store, prune).await.unwrap();
            });
        };
        std::thread::spawn(overtake).join().unwrap();
    });
    let verification = store.verify(PROJECT, progress).await.unwrap();
    assert_eq!((verification.first, verification.checked, verification.broken), (6, 2, None));
    assert_eq!(verification.head.unwrap().sequence, 7);
}
