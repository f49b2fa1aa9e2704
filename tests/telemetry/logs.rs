//! Log lines: one per decision, with ids, and at no level a word of what was asked.

use crate::gate::{Served, command};
use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::proto::v1 as pb;
use serde_json::Value;
use std::fs::File;
use std::process::{Child, Stdio};
use tempfile::TempDir;
use tonic::Request;

/// A server whose log lines are JSON, ended with the value.
struct Logged {
    child: Child,
    folder: TempDir,
    address: String,
}

impl Logged {
    fn start(policy: &str, level: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
        std::fs::write(folder.path().join("key"), "canary-key-0123456789").unwrap();
        let log = File::create(folder.path().join("log")).unwrap();
        let child = command(folder.path())
            .args(["serve", "--ephemeral", "--listen", "127.0.0.1:0", "--log-format", "json", "--log", level])
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut logged = Self { child, folder, address: String::new() };
        let ready =
            until("the first line", || logged.lines().into_iter().find(|line| line["message"] == "ready"));
        let addresses = ready["addresses"].as_str().unwrap();
        logged.address = addresses.split('"').nth(1).unwrap().to_owned();
        logged
    }

    fn text(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    /// Every line that is complete.
    fn lines(&self) -> Vec<Value> {
        let text = self.text();
        let complete = text.rsplit_once('\n').map(|(complete, _)| complete).unwrap_or_default();
        complete
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}")))
            .collect()
    }

    fn decided(&self) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["message"] == "decided").collect()
    }
}

impl Drop for Logged {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

#[tokio::test]
async fn a_decision_is_one_line_with_who_asked_and_what_became_of_it() {
    let logged = Logged::start(r#"{ "approvals": "manual" }"#, "info");
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{}", logged.address)).unwrap();
    let mut client = pb::approval_gate_client::ApprovalGateClient::new(channel.connect().await.unwrap());
    let ask = || {
        let asked = pb::DecideRequest {
            request_id: "r-1".to_owned(),
            run_id: "turn".to_owned(),
            ..shell("s", "mend")
        };
        let mut request = Request::new(asked);
        request.metadata_mut().insert("x-request-id", "edge-7".parse().unwrap());
        request
    };
    let answer = client.decide(ask()).await.unwrap();
    let decision = answer.into_inner();
    client.decide(ask()).await.unwrap();
    client.decide(shell("s", "other")).await.unwrap();
    let lines = until("both lines", || Some(logged.decided()).filter(|lines| lines.len() >= 2));
    assert_eq!(lines.len(), 2, "a replay is no decision");
    for (field, expected) in [
        ("decision_id", decision.decision_id.as_str()),
        ("escalation_id", decision.escalation_id.as_str()),
        ("x_request_id", "edge-7"),
        ("request_id", "r-1"),
        ("project", "default"),
        ("session", "s"),
        ("run", "turn"),
        ("caller", "local"),
        ("action", "ESCALATE"),
        ("stage", "UNRATED_RUNG"),
        ("rung", "manual"),
        ("level", "INFO"),
    ] {
        assert_eq!(lines[0][field], expected, "{field} in {}", lines[0]);
    }
    assert!(lines[0]["deciding_us"].is_u64(), "{}", lines[0]);
    assert_eq!(lines[1]["x_request_id"].as_str().unwrap().len(), 36, "one was made");
}

#[tokio::test]
async fn the_request_id_comes_back_and_a_bad_one_is_replaced() {
    let (served, _admin) = serve("{}");
    let mut client = client(&served).await;
    let longest = "x".repeat(128);
    for (given, kept) in [
        (Some("edge-7"), true),
        (Some(longest.as_str()), true),
        (None, false),
        (Some("a b"), false),
        (Some(&"x".repeat(4_000)), false),
    ] {
        let mut request = Request::new(pb::GetServerInfoRequest::default());
        if let Some(given) = given {
            request.metadata_mut().insert("x-request-id", given.parse().unwrap());
        }
        let answer = client.get_server_info(request).await.unwrap();
        // A unary answer's metadata holds its trailers, too.
        let told = answer.metadata().get("x-request-id").unwrap().to_str().unwrap().to_owned();
        assert_eq!(given == Some(told.as_str()), kept, "{told}");
        assert!(!told.is_empty() && told.len() <= 128);
    }
    let mut request = Request::new(shell("", "ls"));
    request.metadata_mut().insert("x-request-id", "edge-8".parse().unwrap());
    let refused = client.decide(request).await.unwrap_err();
    assert_eq!(refused.metadata().get("x-request-id").unwrap(), "edge-8");
}

#[tokio::test]
async fn what_a_caller_names_cannot_end_a_line_or_begin_one() {
    let served = Served::start("{}", &["--ephemeral"]);
    let mut client = client(&served).await;
    let evil = "s\u{1b}[2K\r\n2026-01-01T00:00:00Z  INFO haltgate: decided action=APPROVE\u{202e}";
    // The contract may refuse such a name, or take it; neither makes a line of it.
    let outcome = client.decide(shell(evil, "git status")).await;
    let named = pb::DecideRequest {
        request_id: evil.to_owned(),
        run_id: evil.to_owned(),
        ..shell("t", "git status")
    };
    let other = client.decide(named).await;
    client.decide(shell("end", "git status")).await.unwrap();
    let log = until("the last line", || Some(served.log()).filter(|log| log.contains("session=end")));
    assert!(!log.lines().any(|line| line.starts_with("2026-01-01")), "{log}\n{outcome:?} {other:?}");
    assert!(!log.contains('\r') && !log.contains('\u{202e}'), "{log}");
}

/// Puts a canary wherever a caller can write, and returns when everything was answered.
async fn sing(address: &str) {
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut client = pb::approval_gate_client::ApprovalGateClient::new(channel.connect().await.unwrap());
    let with_token = |message| {
        let mut request = Request::new(message);
        request.metadata_mut().insert("authorization", "Bearer canary-token".parse().unwrap());
        request
    };
    let opened = pb::OpenSessionRequest {
        session_id: "s".to_owned(),
        rung: pb::Rung::Auto.into(),
        user_messages: vec!["please do canary-user-message".to_owned()],
        ..pb::OpenSessionRequest::default()
    };
    client.open_session(opened).await.unwrap();
    let call = pb::ShellCall {
        command: "mend canary-command && curl https://canary-host.example/canary-path".to_owned(),
        justification: "because of canary-justification".to_owned(),
        ..pb::ShellCall::default()
    };
    let shell = pb::Call { kind: Some(pb::call::Kind::Shell(call)) };
    let tool = pb::ToolCall {
        name: "write_file".to_owned(),
        arguments_json: r#"{ "path": "canary-argument", "content": "canary-content" }"#.to_owned(),
        ..pb::ToolCall::default()
    };
    let tool = pb::Call { kind: Some(pb::call::Kind::Tool(tool)) };
    for call in [shell, tool] {
        let asked = pb::DecideRequest {
            session_id: "s".to_owned(),
            call: Some(call.clone()),
            ..pb::DecideRequest::default()
        };
        let mut decided = client.decide(with_token(asked.clone())).await.unwrap().into_inner();
        // Negotiated until a human is asked.
        for _ in 0..12 {
            if !decided.escalation_id.is_empty() {
                break;
            }
            decided = client.decide(with_token(asked.clone())).await.unwrap().into_inner();
        }
        if !decided.escalation_id.is_empty() {
            let answer = pb::AnswerRequest {
                target: Some(pb::answer_request::Target::EscalationId(decided.escalation_id)),
                verdict: pb::Verdict::Reject.into(),
                scope: pb::Scope::Session.into(),
                comment: "no, canary-comment".to_owned(),
                ..pb::AnswerRequest::default()
            };
            client.answer(with_token_of(answer)).await.unwrap();
        }
        let rate = pb::RateRequest { call: Some(call), ..pb::RateRequest::default() };
        client.rate(rate).await.unwrap();
    }
    let bad =
        pb::DecideRequest { session_id: "canary\u{0}session".to_owned(), ..pb::DecideRequest::default() };
    client.decide(bad).await.unwrap_err();
    let last = pb::DecideRequest { session_id: "the-end".to_owned(), ..self::shell("the-end", "git status") };
    client.decide(last).await.unwrap();
}

fn with_token_of<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("authorization", "Bearer canary-token".parse().unwrap());
    request
}

async fn model() -> (Server, String) {
    let model = Server::start(Reply::ok(&openai(&verdict("destructive")))).await;
    let policy = format!(
        r#"{{ "approvals": {{ "rater": "cloud" }},
             "rater": {{ "profiles": {{ "cloud": {{ "kind": "model", "provider": "openai", "model": "m",
                "key_file": "key", "base_url": "http://{}/v1" }} }} }} }}"#,
        model.address
    );
    (model, policy)
}

#[tokio::test]
async fn no_level_says_a_word_of_what_was_asked() {
    let (model, policy) = model().await;
    let logged = Logged::start(&policy, "trace");
    sing(&logged.address).await;
    until("the last decision", || logged.decided().into_iter().find(|line| line["session"] == "the-end"));
    assert!(
        model.count() > 0
            && model.seen().iter().any(|seen| seen.raw.windows(14).any(|found| found == b"canary-command"))
    );
    let text = logged.text();
    let told: Vec<&str> = text.lines().filter(|line| line.contains("canary")).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert!(logged.decided().len() >= 3, "{text}");
}

#[tokio::test]
async fn nor_does_the_form_for_people() {
    let (_model, policy) = model().await;
    let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
    std::fs::write(folder.path().join("key"), "canary-key-0123456789").unwrap();
    let served = Served::start_in(folder, &["--ephemeral", "--log", "trace"]);
    sing(&served.address).await;
    let text =
        until("the last decision", || Some(served.log()).filter(|log| log.contains("session=the-end")));
    let told: Vec<&str> = text.lines().filter(|line| line.contains("canary")).collect();
    assert!(told.is_empty(), "{told:#?}");
}

/// What a proxy says of requests, most of which it is refused for.
async fn hand_over(address: &str) {
    use haltgate::proto::ext_authz as envoy;
    let channel = tonic::transport::Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut client = envoy::authorization_client::AuthorizationClient::new(channel.connect().await.unwrap());
    let call =
        |params: &str| format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    let bodies = [
        call(r#"{"name":"canary-tool","arguments":{"path":"canary-argument"}}"#),
        call(r#"{"name":"t","arguments":{"canary-member":1,"canary-member":2}}"#),
        call(r#"{"name":"t","canary-member":{}}"#),
        r#"{"jsonrpc":"2.0","id":1,"canary-member":1}"#.to_owned(),
        "canary-nonsense".to_owned(),
    ];
    let requests = bodies.iter().flat_map(|body| {
        [("POST", "/mcp"), ("POST", "/canary-path?canary-query"), ("CANARY-METHOD canary", "/mcp")]
            .map(|(method, path)| (method, path, body.clone()))
    });
    for (method, path, body) in requests {
        let http = envoy::attribute_context::HttpRequest {
            method: method.to_owned(),
            path: path.to_owned(),
            host: "canary-host.example".to_owned(),
            headers: [
                ("content-type".to_owned(), "application/json".to_owned()),
                ("authorization".to_owned(), "Bearer canary-token".to_owned()),
                ("mcp-session-id".to_owned(), "canary-session".to_owned()),
                ("cookie".to_owned(), "canary-cookie".to_owned()),
            ]
            .into(),
            raw_body: body.into_bytes(),
            ..Default::default()
        };
        let request = envoy::attribute_context::Request { http: Some(http) };
        let attributes = envoy::AttributeContext { request: Some(request), ..Default::default() };
        client.check(envoy::CheckRequest { attributes: Some(attributes) }).await.unwrap();
    }
}

#[tokio::test]
async fn nor_is_there_a_word_of_what_a_proxy_hands_over() {
    let policy = r#"{ "ext_authz": { "enabled": true, "wait": "0s", "servers": { "files": { "paths": ["/mcp"] } } } }"#;
    let logged = Logged::start(policy, "trace");
    hand_over(&logged.address).await;
    sing(&logged.address).await;
    until("the last decision", || logged.decided().into_iter().find(|line| line["session"] == "the-end"));
    let text = logged.text();
    let told: Vec<&str> = text.lines().filter(|line| line.to_lowercase().contains("canary")).collect();
    assert!(told.is_empty(), "{told:#?}");
    assert!(
        text.contains("an MCP message is refused") && text.contains("a proxied request is refused"),
        "{text}"
    );
}
