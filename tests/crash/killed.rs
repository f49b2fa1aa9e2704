//! `kill -9` under load: nothing that was acknowledged is lost, and what waited for a human still does.

use crate::server::*;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Kills the server once that many requests were acknowledged, and looks at what its successor knows.
async fn killed_after(acknowledged: usize) {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path()).await;
    let done = Arc::new(Acknowledged::default());
    let workers = callers(&server, &done);
    while done.count.load(Ordering::Relaxed) < acknowledged {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(server);
    for worker in workers {
        worker.await.unwrap();
    }
    let count = done.count.load(Ordering::Relaxed);
    assert!(count >= acknowledged && count < 2_000 / WORKERS * WORKERS, "{count}: it was killed under load");
    done.is_known_to(&mut serve(folder.path()).await.client).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_kill_under_load_loses_nothing_that_was_acknowledged() {
    for moment in [60, 400, 1_000] {
        killed_after(moment).await;
    }
}
