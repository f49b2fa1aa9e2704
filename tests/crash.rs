//! `kill -9` under load: nothing that was acknowledged is lost, and what waited for a human still does.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests may fail the test"
)]

use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::collections::HashSet;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};

/// A process that is killed when it is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // `kill` is SIGKILL: the process gets no chance to tidy up.
        self.0.kill().ok();
        self.0.wait().unwrap();
    }
}

/// The real server in a process of its own.
struct Server {
    _process: Process,
    client: ApprovalGateClient<Channel>,
}

async fn serve(folder: &Path) -> Server {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let policy = folder.join("haltgate.jsonc");
    std::fs::write(
        &policy,
        r#"{ "approvals": { "mode": "manual",
        "allow": [{ "type": "shell", "matcher": "glob", "pattern": "echo *" }] } }"#,
    )
    .unwrap();
    let process = Process(
        Command::new(env!("CARGO_BIN_EXE_haltgate"))
            .args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--config"])
            .arg(&policy)
            .arg("--store")
            .arg(folder.join("gate.db"))
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap(),
    );
    let endpoint = Endpoint::from_shared(format!("http://127.0.0.1:{port}")).unwrap();
    for _ in 0..600 {
        if let Ok(channel) = endpoint.connect().await {
            return Server { _process: process, client: ApprovalGateClient::new(channel) };
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the server did not start");
}

fn call(command: &str) -> Option<pb::Call> {
    let shell = pb::ShellCall { command: command.to_owned(), ..Default::default() };
    Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) })
}

fn decide(session: &str, request_id: &str, command: &str) -> pb::DecideRequest {
    pb::DecideRequest {
        session_id: session.to_owned(),
        request_id: request_id.to_owned(),
        call: call(command),
        ..Default::default()
    }
}

fn grant(command: &str) -> pb::ManageGrantsRequest {
    let entry = pb::Entry {
        r#type: pb::EntryType::Shell.into(),
        matcher: pb::Matcher::Exact.into(),
        subject_pattern: Some(pb::entry::SubjectPattern::Pattern(command.to_owned())),
        ..Default::default()
    };
    let add = pb::AddGrant { entry: Some(entry), scope: pb::Scope::Always.into(), terms: None };
    pb::ManageGrantsRequest {
        operation: Some(pb::manage_grants_request::Operation::Grant(add)),
        ..Default::default()
    }
}

/// What the server said that it had done.
#[derive(Default)]
struct Acknowledged {
    decisions: Mutex<HashSet<String>>,
    grants: Mutex<HashSet<String>>,
    /// Session, request, command, escalation and decision of each open question.
    questions: Mutex<Vec<[String; 5]>>,
    count: AtomicUsize,
}

const WORKERS: usize = 16;

/// One of several callers: decisions, grants and questions in turn, until the server is gone.
async fn load(mut client: ApprovalGateClient<Channel>, worker: usize, done: Arc<Acknowledged>) {
    let session = format!("s{worker}");
    for number in 0..2_000 / WORKERS {
        let acknowledged = match number % 10 {
            3 => {
                let command = format!("make {worker} {number}");
                client.manage_grants(grant(&command)).await.map(|_| {
                    done.grants.lock().unwrap().insert(command);
                })
            }
            7 => {
                let (request, command) = (format!("q{number}"), format!("rm {worker} {number}"));
                client.decide(decide(&session, &request, &command)).await.map(|given| {
                    let given = given.into_inner();
                    assert_eq!(given.action(), pb::Action::Escalate);
                    done.decisions.lock().unwrap().insert(given.decision_id.clone());
                    let question =
                        [session.clone(), request, command, given.escalation_id, given.decision_id];
                    done.questions.lock().unwrap().push(question);
                })
            }
            _ => {
                let request = decide(&session, &format!("q{number}"), &format!("echo {number}"));
                client.decide(request).await.map(|given| {
                    let given = given.into_inner();
                    assert_eq!(given.action(), pb::Action::Approve);
                    done.decisions.lock().unwrap().insert(given.decision_id);
                })
            }
        };
        if acknowledged.is_err() {
            return;
        }
        done.count.fetch_add(1, Ordering::Relaxed);
    }
}

async fn recorded(client: &mut ApprovalGateClient<Channel>) -> HashSet<String> {
    let (mut ids, mut token) = (HashSet::new(), String::new());
    loop {
        let request = pb::ListDecisionsRequest { page_size: 500, page_token: token, ..Default::default() };
        let page = client.list_decisions(request).await.unwrap().into_inner();
        ids.extend(page.decisions.into_iter().map(|record| record.decision_id));
        token = page.next_page_token;
        if token.is_empty() {
            return ids;
        }
    }
}

async fn granted(client: &mut ApprovalGateClient<Channel>) -> HashSet<String> {
    let (mut commands, mut token) = (HashSet::new(), String::new());
    loop {
        let list = pb::ListGrants { page_size: 500, page_token: token, ..Default::default() };
        let operation = Some(pb::manage_grants_request::Operation::List(list));
        let request = pb::ManageGrantsRequest { operation, ..Default::default() };
        let Some(pb::manage_grants_response::Result::List(page)) =
            client.manage_grants(request).await.unwrap().into_inner().result
        else {
            panic!("a list")
        };
        for grant in page.grants {
            if let Some(pb::entry::SubjectPattern::Pattern(command)) =
                grant.entry.unwrap().entry.unwrap().subject_pattern
            {
                commands.insert(command);
            }
        }
        token = page.next_page_token;
        if token.is_empty() {
            return commands;
        }
    }
}

/// Kills the server once that many requests were acknowledged, and looks at what its successor knows.
async fn killed_after(acknowledged: usize) {
    let folder = tempfile::tempdir().unwrap();
    let server = serve(folder.path()).await;
    let done = Arc::new(Acknowledged::default());
    let workers: Vec<_> = (0..WORKERS)
        .map(|worker| tokio::spawn(load(server.client.clone(), worker, Arc::clone(&done))))
        .collect();
    while done.count.load(Ordering::Relaxed) < acknowledged {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    drop(server);
    for worker in workers {
        worker.await.unwrap();
    }
    let count = done.count.load(Ordering::Relaxed);
    assert!(count >= acknowledged && count < 2_000 / WORKERS * WORKERS, "{count}: it was killed under load");

    let server = serve(folder.path()).await;
    let mut client = server.client.clone();
    let found = client.verify_audit(pb::VerifyAuditRequest::default()).await.unwrap().into_inner();
    assert!(found.intact, "{found:?}");
    let (records, grants) = (recorded(&mut client).await, granted(&mut client).await);
    let lost: Vec<String> = done.decisions.lock().unwrap().difference(&records).cloned().collect();
    assert!(lost.is_empty(), "{} records are lost: {lost:?}", lost.len());
    let lost: Vec<String> = done.grants.lock().unwrap().difference(&grants).cloned().collect();
    assert!(lost.is_empty(), "{} grants are lost: {lost:?}", lost.len());
    let questions = done.questions.lock().unwrap().clone();
    for [session, request, command, escalation, decision] in questions {
        let mut waiting = client.clone();
        let retry = pb::DecideRequest { wait: true, ..decide(&session, &request, &command) };
        let waiting = tokio::spawn(async move { waiting.decide(retry).await.unwrap().into_inner() });
        let answer = pb::AnswerRequest {
            target: Some(pb::answer_request::Target::EscalationId(escalation.clone())),
            verdict: pb::Verdict::Approve.into(),
            ..Default::default()
        };
        client.answer(answer).await.unwrap_or_else(|status| panic!("{escalation}: {status}"));
        let given = waiting.await.unwrap();
        assert_eq!((given.action(), given.replayed), (pb::Action::Approve, true), "{escalation}");
        assert_eq!((given.decision_id, given.escalation_id), (decision, escalation));
    }
    assert!(client.verify_audit(pb::VerifyAuditRequest::default()).await.unwrap().into_inner().intact);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_kill_under_load_loses_nothing_that_was_acknowledged() {
    for moment in [60, 400, 1_000] {
        killed_after(moment).await;
    }
}
