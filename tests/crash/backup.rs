//! A copy that is made under load serves elsewhere with everything that was acknowledged before it began.

use crate::server::*;
use haltgate::proto::v1 as pb;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio_stream::StreamExt;

fn back_up(folder: &Path, options: &[&str]) -> Output {
    haltgate().arg("backup").args(options).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_owned()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_copy_made_under_load_and_restored_elsewhere_has_all_that_was_acknowledged_before() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let mut server = serve(folder.path()).await;
    let denied = pb::ManageGrantsRequest {
        session_id: "s0".to_owned(),
        operation: Some(pb::manage_grants_request::Operation::Deny(pb::AddDenial {
            entry: Some(pb::Entry {
                r#type: pb::EntryType::Shell.into(),
                matcher: pb::Matcher::Exact.into(),
                subject_pattern: Some(pb::entry::SubjectPattern::Pattern("echo never".to_owned())),
                ..Default::default()
            }),
            ..Default::default()
        })),
        ..Default::default()
    };
    server.client.decide(decide("s0", "first", "echo first")).await.unwrap();
    server.client.manage_grants(denied).await.unwrap();
    let cursor = cursor(&mut server).await;

    let done = Arc::new(Acknowledged::default());
    let workers = callers(&server, &done);
    while done.count.load(Ordering::Relaxed) < 500 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let before = done.so_far();
    let copying = {
        let (folder, to) = (folder.path().to_owned(), elsewhere.path().join("gate.db"));
        tokio::task::spawn_blocking(move || {
            back_up(&folder, &["--store", "gate.db", "--to", to.to_str().unwrap()])
        })
    };
    let copied = copying.await.unwrap();
    assert!(copied.status.success(), "{copied:?}");
    let said = text(&copied.stdout);
    assert!(said.starts_with("copied") && said.contains("every page and every link checked"), "{said}");
    assert!(said.contains("default: "), "{said}");
    assert!(text(&copied.stderr).is_empty(), "nothing moves where nobody looks: {copied:?}");
    drop(server);
    for worker in workers {
        worker.await.unwrap();
    }

    let checked = back_up(elsewhere.path(), &["verify", "gate.db"]);
    assert!(checked.status.success() && text(&checked.stdout).starts_with("whole"), "{checked:?}");
    let mut restored = serve(elsewhere.path()).await;
    let repeated = restored.client.decide(decide("s0", "first", "echo first")).await.unwrap().into_inner();
    assert!(repeated.replayed, "requests are remembered");
    let denied = restored.client.decide(decide("s0", "denied", "echo never")).await.unwrap().into_inner();
    assert_eq!(denied.action(), pb::Action::Reject);
    let refused = follow(&mut restored, &cursor).await.unwrap_err();
    assert!(refused.message().contains("open the feed again without it"), "{refused}");
    before.is_known_to(&mut restored.client).await;
}

async fn follow(
    server: &mut Server,
    after: &str,
) -> Result<tonic::Streaming<pb::StreamEscalationsResponse>, tonic::Status> {
    let request = pb::StreamEscalationsRequest { after: after.to_owned(), ..Default::default() };
    server.client.stream_escalations(request).await.map(tonic::Response::into_inner)
}

/// Where a feed stands that has seen everything.
async fn cursor(server: &mut Server) -> String {
    let mut feed = follow(server, "").await.unwrap();
    loop {
        let message = feed.next().await.unwrap().unwrap();
        if !message.cursor.is_empty() {
            return message.cursor;
        }
    }
}

#[tokio::test]
async fn what_is_there_is_not_replaced_and_what_is_broken_is_told_apart_from_misuse() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(folder.path()).await;
    server.client.decide(decide("s", "r", "echo 1")).await.unwrap();
    std::fs::write(folder.path().join("copy.db"), "precious").unwrap();
    let options = ["--store", "gate.db", "--to", "copy.db"];
    let refused = back_up(folder.path(), &options);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    assert!(text(&refused.stderr).contains("--force"), "{refused:?}");
    assert_eq!(std::fs::read(folder.path().join("copy.db")).unwrap(), b"precious");
    let forced = back_up(folder.path(), &[options.as_slice(), &["--force"]].concat());
    assert_eq!(forced.status.code(), Some(0), "{forced:?}");
    let itself = back_up(folder.path(), &["--store", "gate.db", "--to", "gate.db", "--force"]);
    assert_eq!(itself.status.code(), Some(2), "{itself:?}");
    let absent = back_up(folder.path(), &["--store", "absent.db", "--to", "other.db"]);
    assert_eq!(absent.status.code(), Some(2), "{absent:?}");
    let bare = back_up(folder.path(), &[]);
    assert_eq!(bare.status.code(), Some(2), "{bare:?}");
    drop(server);
    // The store of a gate that was killed can be checked, too.
    assert_eq!(back_up(folder.path(), &["verify", "gate.db"]).status.code(), Some(0));
    let mut bytes = std::fs::read(folder.path().join("copy.db")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 2_048].fill(0xa5);
    std::fs::write(folder.path().join("copy.db"), bytes).unwrap();
    let damaged = back_up(folder.path(), &["verify", "copy.db"]);
    assert_ne!(damaged.status.code(), Some(0), "{damaged:?}");
}
