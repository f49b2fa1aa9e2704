//! A real server in a process of its own, load on it, and what it said that it had done.

use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tonic::transport::{Channel, Endpoint};

/// A process that is killed when it is dropped.
pub(crate) struct Process(pub(crate) Child);

impl Drop for Process {
    fn drop(&mut self) {
        // `kill` is SIGKILL: the process gets no chance to tidy up.
        self.0.kill().ok();
        self.0.wait().unwrap();
    }
}

/// The real server in a process of its own.
pub(crate) struct Server {
    pub(crate) process: Process,
    pub(crate) channel: Channel,
    pub(crate) client: ApprovalGateClient<Channel>,
}

const POLICY: &str = r#"{ "approvals": { "mode": "manual",
    "allow": [{ "type": "shell", "matcher": "glob", "pattern": "echo *" }] } }"#;

/// The binary, without this process's settings.
pub(crate) fn haltgate() -> Command {
    without_settings(Command::new(env!("CARGO_BIN_EXE_haltgate")))
}

pub(crate) fn without_settings(mut command: Command) -> Command {
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HALTGATE_")) {
        command.env_remove(name);
    }
    command.stdin(Stdio::null());
    command
}

/// Writes the policy, and adds to a command what serves it from a store.
pub(crate) fn serving(command: &mut Command, folder: &Path, store: &Path) {
    std::fs::write(folder.join("haltgate.jsonc"), POLICY).unwrap();
    command.args(["serve", "--listen", "127.0.0.1:0", "--config"]).arg(folder.join("haltgate.jsonc"));
    command.arg("--store").arg(store).current_dir(folder);
}

/// Serves a store in a folder.
pub(crate) async fn serve(folder: &Path) -> Server {
    let mut command = haltgate();
    serving(&mut command, folder, &folder.join("gate.db"));
    start(command).await
}

/// Starts a server, and connects to the address that it says.
pub(crate) async fn start(mut command: Command) -> Server {
    let mut process = Process(command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap());
    let lines = BufReader::new(process.0.stdout.take().unwrap()).lines();
    let address = lines
        .map_while(Result::ok)
        .find_map(|line| line.trim_start().strip_prefix("address").map(|address| address.trim().to_owned()))
        .expect("the server did not start");
    let channel = Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap();
    Server { process, client: ApprovalGateClient::new(channel.clone()), channel }
}

pub(crate) fn call(command: &str) -> Option<pb::Call> {
    let shell = pb::ShellCall { command: command.to_owned(), ..Default::default() };
    Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) })
}

pub(crate) fn decide(session: &str, request_id: &str, command: &str) -> pb::DecideRequest {
    pb::DecideRequest {
        session_id: session.to_owned(),
        request_id: request_id.to_owned(),
        call: call(command),
        ..Default::default()
    }
}

pub(crate) fn grant(command: &str) -> pb::ManageGrantsRequest {
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
pub(crate) struct Acknowledged {
    pub(crate) decisions: Mutex<HashSet<String>>,
    pub(crate) grants: Mutex<HashSet<String>>,
    /// Session, request, command, escalation and decision of each open question.
    pub(crate) questions: Mutex<Vec<[String; 5]>>,
    pub(crate) count: AtomicUsize,
}

pub(crate) const WORKERS: usize = 16;

/// One of several callers: decisions, grants and questions in turn, until the server is gone.
pub(crate) async fn load(mut client: ApprovalGateClient<Channel>, worker: usize, done: Arc<Acknowledged>) {
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

pub(crate) async fn recorded(client: &mut ApprovalGateClient<Channel>) -> HashSet<String> {
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

pub(crate) async fn granted(client: &mut ApprovalGateClient<Channel>) -> HashSet<String> {
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

impl Acknowledged {
    /// What has been acknowledged so far.
    pub(crate) fn so_far(&self) -> Self {
        Self {
            decisions: Mutex::new(self.decisions.lock().unwrap().clone()),
            grants: Mutex::new(self.grants.lock().unwrap().clone()),
            questions: Mutex::new(self.questions.lock().unwrap().clone()),
            count: AtomicUsize::new(self.count.load(Ordering::Relaxed)),
        }
    }

    /// That a server knows all of it: every record and grant is there, and what waits for a human can be answered.
    pub(crate) async fn is_known_to(&self, client: &mut ApprovalGateClient<Channel>) {
        let found = client.verify_audit(pb::VerifyAuditRequest::default()).await.unwrap().into_inner();
        assert!(found.intact, "{found:?}");
        let (records, grants) = (recorded(client).await, granted(client).await);
        let lost: Vec<String> = self.decisions.lock().unwrap().difference(&records).cloned().collect();
        assert!(lost.is_empty(), "{} records are lost: {lost:?}", lost.len());
        let lost: Vec<String> = self.grants.lock().unwrap().difference(&grants).cloned().collect();
        assert!(lost.is_empty(), "{} grants are lost: {lost:?}", lost.len());
        let questions = self.questions.lock().unwrap().clone();
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
}

/// Several callers at once. They end when the server is gone, or when each has asked all that it would.
pub(crate) fn callers(server: &Server, done: &Arc<Acknowledged>) -> Vec<tokio::task::JoinHandle<()>> {
    (0..WORKERS).map(|worker| tokio::spawn(load(server.client.clone(), worker, Arc::clone(done)))).collect()
}
