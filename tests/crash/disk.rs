//! Disks that are full, read-only or slow: nothing is approved that cannot be recorded, what can be read is, and the gate
//! recovers by itself.

use crate::server::*;
use haltgate::proto::health::HealthCheckRequest;
use haltgate::proto::health::health_check_response::ServingStatus;
use haltgate::proto::health::health_client::HealthClient;
use haltgate::proto::v1 as pb;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// How to start a process that may mount file systems for itself; `None` where this machine does not allow it.
fn own_mounts() -> Option<Vec<&'static str>> {
    let ways = [vec!["unshare", "--mount"], vec!["unshare", "--map-root-user", "--mount"]];
    let found = ways.into_iter().find(|way| {
        let mut command = Command::new(way[0]);
        let tried = command.args(&way[1..]).args(["mount", "-t", "tmpfs", "gate", "/tmp"]).output();
        tried.is_ok_and(|tried| tried.status.success())
    });
    if found.is_none() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no file system can be mounted here");
        eprintln!("SKIPPED: no file system can be mounted here, so that nothing is known of full disks");
    }
    found
}

/// A server command behind a script that prepares the folder `disk`.
fn behind(way: &[&str], script: &str, folder: &Path) -> Command {
    std::fs::create_dir_all(folder.join("disk")).unwrap();
    let mut command = without_settings(Command::new(way[0]));
    command.args(&way[1..]).args(["sh", "-c", &format!("{script} && exec \"$@\""), "sh"]);
    command.arg(env!("CARGO_BIN_EXE_haltgate"));
    serving(&mut command, folder, &folder.join("disk").join("gate.db"));
    command
}

/// The folder `disk` as the server sees it.
fn seen_by(server: &Server, folder: &Path) -> PathBuf {
    let folder = folder.join("disk");
    PathBuf::from(format!("/proc/{}/root{}", server.process.0.id(), folder.display()))
}

/// Takes all the room that is left.
fn fill(disk: &Path) {
    let mut filler = std::fs::File::create(disk.join("filler")).unwrap();
    for size in [1 << 16, 1 << 12, 1 << 6, 1] {
        while filler.write(&vec![0; size]).is_ok_and(|written| written > 0) {}
    }
}

async fn until(server: &Server, wanted: ServingStatus) {
    let mut health = HealthClient::new(server.channel.clone());
    let of = HealthCheckRequest { service: "haltgate.v1.ApprovalGate".to_owned() };
    let mut watched = health.watch(of).await.unwrap().into_inner();
    while watched.message().await.unwrap().unwrap().status() != wanted {}
}

fn is_unavailable(what: &str, outcome: Result<(), Status>) {
    let status = outcome.expect_err(what);
    assert_eq!(status.code(), Code::Unavailable, "{what}: {status}");
    let details = status.get_error_details();
    assert_eq!(details.error_info().unwrap().reason, "STORE_UNAVAILABLE", "{what}");
    assert!(details.retry_info().unwrap().retry_delay.is_some(), "{what}");
}

fn answering(escalation: &str) -> pb::AnswerRequest {
    pb::AnswerRequest {
        target: Some(pb::answer_request::Target::EscalationId(escalation.to_owned())),
        verdict: pb::Verdict::Approve.into(),
        ..Default::default()
    }
}

fn opening(session: &str) -> pb::OpenSessionRequest {
    pb::OpenSessionRequest { session_id: session.to_owned(), ..Default::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_nothing_is_approved_all_can_be_read_and_with_room_again_all_goes_on() {
    let Some(way) = own_mounts() else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = start(behind(&way, "mount -t tmpfs -o size=6m gate disk", folder.path())).await;
    let mut client = server.client.clone();
    client.open_session(opening("s")).await.unwrap();
    let asked = client.decide(decide("s", "waits", "rm it")).await.unwrap().into_inner();
    assert_eq!(asked.action(), pb::Action::Escalate);
    until(&server, ServingStatus::Serving).await;

    let disk = seen_by(&server, folder.path());
    fill(&disk);
    // What fits into what SQLite has already is still decided, and recorded.
    let mut acknowledged = HashSet::new();
    let long = format!("echo {}", "x".repeat(20_000));
    for command in [&long, "echo 1"] {
        loop {
            let request = format!("r{}", acknowledged.len());
            match client.decide(decide("s", &request, command)).await {
                Ok(given) => assert!(acknowledged.insert(given.into_inner().decision_id)),
                Err(status) => {
                    is_unavailable("decide", Err(status));
                    break;
                }
            }
            assert!(acknowledged.len() < 3_000, "the disk never filled up");
        }
    }
    until(&server, ServingStatus::NotServing).await;

    is_unavailable("decide", client.decide(decide("s", "full", &long)).await.map(drop));
    is_unavailable("decide in a new session", client.decide(decide("t", "full", &long)).await.map(drop));
    is_unavailable("answer", client.answer(answering(&asked.escalation_id)).await.map(drop));
    is_unavailable("grant", client.manage_grants(grant(&long)).await.map(drop));
    is_unavailable("open", client.open_session(opening("u")).await.map(drop));
    let session_id = "s".to_owned();
    let change = pb::UpdateSessionRequest {
        session_id: session_id.clone(),
        rung: pb::Rung::Write.into(),
        ..Default::default()
    };
    is_unavailable("update", client.update_session(change).await.map(drop));
    let close = pb::CloseSessionRequest { session_id, ..Default::default() };
    is_unavailable("close", client.close_session(close).await.map(drop));

    // Reading goes on.
    let session = pb::GetSessionRequest { session_id: "s".to_owned(), ..Default::default() };
    client.get_session(session).await.unwrap();
    client.list_sessions(pb::ListSessionsRequest::default()).await.unwrap();
    assert!(acknowledged.is_subset(&recorded(&mut client).await));
    let explained = pb::DecideRequest { dry_run: true, ..decide("s", "", "echo 1") };
    assert_eq!(client.decide(explained).await.unwrap().into_inner().action(), pb::Action::Approve);
    let verify = || pb::VerifyAuditRequest::default();
    assert!(client.verify_audit(verify()).await.unwrap().into_inner().intact);
    client.stream_escalations(pb::StreamEscalationsRequest::default()).await.unwrap();

    std::fs::remove_file(disk.join("filler")).unwrap();
    until(&server, ServingStatus::Serving).await;
    let after = client.decide(decide("s", "after", "echo after")).await.unwrap().into_inner();
    assert_eq!(after.action(), pb::Action::Approve);
    acknowledged.insert(after.decision_id);
    client.answer(answering(&asked.escalation_id)).await.unwrap();
    let retried = client.decide(decide("s", "full", &long)).await.unwrap().into_inner();
    assert_eq!((retried.action(), retried.replayed), (pb::Action::Approve, false));
    assert!(acknowledged.is_subset(&recorded(&mut client).await));
    assert!(client.verify_audit(verify()).await.unwrap().into_inner().intact);
}

#[test]
fn a_gate_does_not_start_on_a_disk_that_is_full_or_read_only_and_says_which() {
    let Some(way) = own_mounts() else { return };
    let full = "mount -t tmpfs -o size=64k gate disk && { cat /dev/zero > disk/filler 2>/dev/null || true; }";
    let read_only = "mount -t tmpfs -o ro gate disk";
    let begun = "mount -t tmpfs gate disk && cp begun.db disk/gate.db && mount -o remount,ro disk";
    for (script, words) in [(full, "full"), (read_only, "Read-only"), (begun, "Read-only")] {
        let folder = tempfile::tempdir().unwrap();
        drop(haltgate::store::SqliteStore::open(folder.path().join("begun.db")).unwrap());
        let ended = behind(&way, script, folder.path()).output().unwrap();
        assert_eq!(ended.status.code(), Some(2), "{script}: {ended:?}");
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(
            said.to_lowercase().contains(&words.to_lowercase()) && said.contains("gate.db"),
            "{script}: {said}"
        );
        assert!(!said.contains("damaged"), "{script}: {said}");
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_that_is_taken_away_is_noticed_and_what_comes_back_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path()).await;
    let mut client = server.client.clone();
    client.decide(decide("s", "before", "echo before")).await.unwrap();
    std::fs::rename(folder.path().join("gate.db"), folder.path().join("aside.db")).unwrap();
    is_unavailable("decide", client.decide(decide("s", "gone", "echo gone")).await.map(drop));
    until(&server, ServingStatus::NotServing).await;
    assert_eq!(recorded(&mut client).await.len(), 1);
    std::fs::rename(folder.path().join("aside.db"), folder.path().join("gate.db")).unwrap();
    until(&server, ServingStatus::Serving).await;
    let given = client.decide(decide("s", "gone", "echo gone")).await.unwrap().into_inner();
    assert_eq!((given.action(), given.replayed), (pb::Action::Approve, false));
    assert_eq!(recorded(&mut client).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_that_keeps_a_decision_waiting_does_not_keep_its_caller_waiting_beyond_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path()).await;
    let mut client = server.client.clone();
    client.decide(decide("s", "before", "echo before")).await.unwrap();
    // Whoever holds the database keeps the gate's writes waiting, as a disk does that is busy with something else.
    let disk = rusqlite::Connection::open(folder.path().join("gate.db")).unwrap();
    disk.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut request = tonic::Request::new(decide("s", "slow", "echo slow"));
    request.set_timeout(Duration::from_millis(400));
    let status = client.decide(request).await.unwrap_err();
    assert!(matches!(status.code(), Code::DeadlineExceeded | Code::Cancelled), "{status}");
    disk.execute_batch("ROLLBACK").unwrap();
    until(&server, ServingStatus::Serving).await;
    let given = client.decide(decide("s", "slow", "echo slow")).await.unwrap().into_inner();
    assert_eq!(given.action(), pb::Action::Approve);
    assert!(client.verify_audit(pb::VerifyAuditRequest::default()).await.unwrap().into_inner().intact);
}
