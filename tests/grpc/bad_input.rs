//! Bad input, field by field: which reason, which path, and that nothing of it is stored.

mod answers_sessions_lists;

use crate::support::*;
use answers_sessions_lists::{answers, label, labels, lists, sessions};
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{EntryType, Matcher, Scope, Verdict};
use tonic::Code;

const MIB: usize = 1 << 20;

/// One request of any kind.
enum Bad {
    Decide(pb::DecideRequest),
    Rate(pb::RateRequest),
    Answer(pb::AnswerRequest),
    Manage(pb::ManageGrantsRequest),
    Open(pb::OpenSessionRequest),
    Update(pb::UpdateSessionRequest),
    Get(pb::GetSessionRequest),
    ListSessions(pb::ListSessionsRequest),
    Close(pb::CloseSessionRequest),
    ListDecisions(pb::ListDecisionsRequest),
    Verify(pb::VerifyAuditRequest),
    Info(pb::GetServerInfoRequest),
}

impl Bad {
    async fn send(self, gate: &Gate) -> Option<Failure> {
        let mut client = gate.client.clone();
        let failed = match self {
            Self::Decide(request) => client.decide(request).await.err(),
            Self::Rate(request) => client.rate(request).await.err(),
            Self::Answer(request) => client.answer(request).await.err(),
            Self::Manage(request) => client.manage_grants(request).await.err(),
            Self::Open(request) => client.open_session(request).await.err(),
            Self::Update(request) => client.update_session(request).await.err(),
            Self::Get(request) => client.get_session(request).await.err(),
            Self::ListSessions(request) => client.list_sessions(request).await.err(),
            Self::Close(request) => client.close_session(request).await.err(),
            Self::ListDecisions(request) => client.list_decisions(request).await.err(),
            Self::Verify(request) => client.verify_audit(request).await.err(),
            Self::Info(request) => client.get_server_info(request).await.err(),
        };
        failed.map(|status| Failure::of(&status))
    }
}

/// The reason, the field, and the request that is at fault there.
type Case = (&'static str, &'static str, Bad);

const INVALID: &str = "INVALID_FIELD";
const LIMIT: &str = "LIMIT_EXCEEDED";
const ENTRY: &str = "ENTRY_INVALID";
const TOKEN: &str = "PAGE_TOKEN_INVALID";

fn long(length: usize) -> String {
    "x".repeat(length)
}

/// Every identifier that a request may carry, with what is wrong with it.
fn bad_ids() -> Vec<(&'static str, String)> {
    vec![
        (LIMIT, long(129)),
        (INVALID, "with blank".to_owned()),
        (INVALID, " leading".to_owned()),
        (INVALID, "tab\tinside".to_owned()),
        (INVALID, "umlaut-\u{e4}".to_owned()),
        (INVALID, "del-\u{7f}".to_owned()),
        (INVALID, "nul-\0".to_owned()),
    ]
}

fn identifiers() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (reason, id) in bad_ids() {
        let project = || id.clone();
        let session = || id.clone();
        cases.extend([
            (reason, "project", Bad::Decide(pb::DecideRequest { project: project(), ..shell("s", "ls") })),
            (
                reason,
                "project",
                Bad::Rate(pb::RateRequest {
                    project: project(),
                    call: Some(shell_call("ls")),
                    ..Default::default()
                }),
            ),
            (
                reason,
                "project",
                Bad::Answer(pb::AnswerRequest {
                    project: project(),
                    ..answering("e", Verdict::Approve, Scope::Once)
                }),
            ),
            (
                reason,
                "project",
                Bad::Manage(pb::ManageGrantsRequest {
                    project: project(),
                    ..managing("", Operation::List(Default::default()))
                }),
            ),
            (reason, "project", Bad::Open(pb::OpenSessionRequest { project: project(), ..opening("new") })),
            (
                reason,
                "project",
                Bad::Update(pb::UpdateSessionRequest { project: project(), ..changing("s") }),
            ),
            (
                reason,
                "project",
                Bad::Get(pb::GetSessionRequest {
                    project: project(),
                    session_id: "s".to_owned(),
                    ..Default::default()
                }),
            ),
            (
                reason,
                "project",
                Bad::ListSessions(pb::ListSessionsRequest { project: project(), ..Default::default() }),
            ),
            (
                reason,
                "project",
                Bad::Close(pb::CloseSessionRequest { project: project(), session_id: "s".to_owned() }),
            ),
            (
                reason,
                "project",
                Bad::ListDecisions(pb::ListDecisionsRequest { project: project(), ..Default::default() }),
            ),
            (
                reason,
                "project",
                Bad::Verify(pb::VerifyAuditRequest { project: project(), ..Default::default() }),
            ),
            (reason, "project", Bad::Info(pb::GetServerInfoRequest { project: project() })),
            (reason, "session_id", Bad::Decide(shell(&id, "ls"))),
            (reason, "session_id", Bad::Decide(dry(shell(&id, "ls")))),
            (
                reason,
                "session_id",
                Bad::Rate(pb::RateRequest {
                    session_id: session(),
                    call: Some(shell_call("ls")),
                    ..Default::default()
                }),
            ),
            (reason, "session_id", Bad::Manage(managing(&id, Operation::List(Default::default())))),
            (reason, "session_id", Bad::Open(opening(&id))),
            (reason, "session_id", Bad::Update(changing(&id))),
            (
                reason,
                "session_id",
                Bad::Get(pb::GetSessionRequest { session_id: session(), ..Default::default() }),
            ),
            (
                reason,
                "session_id",
                Bad::Close(pb::CloseSessionRequest { session_id: session(), ..Default::default() }),
            ),
            (
                reason,
                "session_id",
                Bad::ListDecisions(pb::ListDecisionsRequest { session_id: session(), ..Default::default() }),
            ),
            (reason, "run_id", Bad::Decide(in_run(&id, shell("s", "ls")))),
            (
                reason,
                "run_id",
                Bad::ListDecisions(pb::ListDecisionsRequest { run_id: session(), ..Default::default() }),
            ),
            (
                reason,
                "record_id",
                Bad::ListDecisions(pb::ListDecisionsRequest { record_id: session(), ..Default::default() }),
            ),
            (reason, "request_id", Bad::Decide(named(&id, shell("s", "ls")))),
            (
                reason,
                "request_id",
                Bad::Answer(pb::AnswerRequest {
                    request_id: session(),
                    ..answering("e", Verdict::Approve, Scope::Once)
                }),
            ),
            (
                reason,
                "request_id",
                Bad::Manage(pb::ManageGrantsRequest {
                    request_id: session(),
                    ..managing("s", denying(shell_entry("ls")))
                }),
            ),
        ]);
    }
    let empty = String::new;
    cases.extend([
        (INVALID, "session_id", Bad::Decide(shell("", "ls"))),
        (INVALID, "session_id", Bad::Update(changing(""))),
        (INVALID, "session_id", Bad::Get(pb::GetSessionRequest::default())),
        (
            INVALID,
            "session_id",
            Bad::Close(pb::CloseSessionRequest { project: empty(), session_id: empty() }),
        ),
        (INVALID, "escalation_id", Bad::Answer(answering("", Verdict::Approve, Scope::Once))),
        (
            INVALID,
            "halt_id",
            Bad::Answer(pb::AnswerRequest {
                target: Some(pb::answer_request::Target::HaltId(empty())),
                ..Default::default()
            }),
        ),
    ]);
    cases
}

fn with_shell(change: impl FnOnce(&mut pb::ShellCall)) -> pb::Call {
    let mut call = pb::ShellCall { command: "ls".to_owned(), ..Default::default() };
    change(&mut call);
    pb::Call { kind: Some(pb::call::Kind::Shell(call)) }
}

fn with_tool(change: impl FnOnce(&mut pb::ToolCall)) -> pb::Call {
    let mut call = pb::ToolCall { name: "notify".to_owned(), ..Default::default() };
    change(&mut call);
    pb::Call { kind: Some(pb::call::Kind::Tool(call)) }
}

fn with_mcp(change: impl FnOnce(&mut pb::McpToolCall)) -> pb::Call {
    let mut call =
        pb::McpToolCall { server: "jira".to_owned(), name: "get".to_owned(), ..Default::default() };
    change(&mut call);
    pb::Call { kind: Some(pb::call::Kind::McpTool(call)) }
}

fn with_registered(change: impl FnOnce(&mut pb::RegisteredCall)) -> pb::Call {
    let mut call = pb::RegisteredCall { name: "notify".to_owned(), ..Default::default() };
    change(&mut call);
    pb::Call { kind: Some(pb::call::Kind::Registered(call)) }
}

/// Every fault that a call can have.
fn bad_calls() -> Vec<(&'static str, &'static str, Option<pb::Call>)> {
    let mut calls: Vec<(&str, &str, Option<pb::Call>)> = vec![
        (INVALID, "call", None),
        (INVALID, "call", Some(pb::Call { kind: None })),
        (INVALID, "call.shell.command", Some(shell_call(""))),
        (LIMIT, "call.shell.command", Some(shell_call(&long(MIB + 1)))),
        (INVALID, "call.shell.dialect", Some(with_shell(|call| call.dialect = 4))),
        (INVALID, "call.shell.dialect", Some(with_shell(|call| call.dialect = -1))),
        (INVALID, "call.shell.cwd", Some(with_shell(|call| call.cwd = "relative".to_owned()))),
        (INVALID, "call.shell.cwd", Some(with_shell(|call| call.cwd = "/nul\0".to_owned()))),
        (LIMIT, "call.shell.cwd", Some(with_shell(|call| call.cwd = format!("/{}", long(4096))))),
        (INVALID, "call.shell.home", Some(with_shell(|call| call.home = "~".to_owned()))),
        (LIMIT, "call.shell.home", Some(with_shell(|call| call.home = format!("/{}", long(4096))))),
        (
            LIMIT,
            "call.shell.justification",
            Some(with_shell(|call| call.justification = "\u{e4}".repeat(4001))),
        ),
        (INVALID, "call.tool.name", Some(with_tool(|call| call.name = String::new()))),
        (LIMIT, "call.tool.name", Some(with_tool(|call| call.name = long(257)))),
        (INVALID, "call.tool.cwd", Some(with_tool(|call| call.cwd = "relative".to_owned()))),
        (INVALID, "call.tool.home", Some(with_tool(|call| call.home = "relative".to_owned()))),
        (LIMIT, "call.tool.justification", Some(with_tool(|call| call.justification = long(4001)))),
        (INVALID, "call.mcp_tool.server", Some(with_mcp(|call| call.server = String::new()))),
        (INVALID, "call.mcp_tool.server", Some(with_mcp(|call| call.server = "*".to_owned()))),
        (LIMIT, "call.mcp_tool.server", Some(with_mcp(|call| call.server = long(257)))),
        (INVALID, "call.mcp_tool.name", Some(with_mcp(|call| call.name = String::new()))),
        (LIMIT, "call.mcp_tool.name", Some(with_mcp(|call| call.name = long(257)))),
        (INVALID, "call.mcp_tool.cwd", Some(with_mcp(|call| call.cwd = "relative".to_owned()))),
        (INVALID, "call.mcp_tool.home", Some(with_mcp(|call| call.home = "relative".to_owned()))),
        (LIMIT, "call.mcp_tool.justification", Some(with_mcp(|call| call.justification = long(4001)))),
        (INVALID, "call.registered.name", Some(with_registered(|call| call.name = String::new()))),
        (LIMIT, "call.registered.name", Some(with_registered(|call| call.name = long(513)))),
        (INVALID, "call.registered.cwd", Some(with_registered(|call| call.cwd = "relative".to_owned()))),
        (INVALID, "call.registered.home", Some(with_registered(|call| call.home = "relative".to_owned()))),
        (
            LIMIT,
            "call.registered.justification",
            Some(with_registered(|call| call.justification = long(4001))),
        ),
    ];
    for arguments in ["{", "[]", "null", "\"text\"", "7", "{} {}", "{'a': 1}", " "] {
        calls.extend([
            (INVALID, "call.tool.arguments_json", Some(tool_call("notify", arguments))),
            (INVALID, "call.mcp_tool.arguments_json", Some(mcp_call("jira", "get", arguments))),
            (INVALID, "call.registered.arguments_json", Some(registered_call("notify", arguments))),
        ]);
    }
    let deep = format!("{{\"a\": {}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    calls.push((INVALID, "call.tool.arguments_json", Some(tool_call("notify", &deep))));
    let large = format!("{{\"a\": \"{}\"}}", long(MIB));
    calls.extend([
        (LIMIT, "call.tool.arguments_json", Some(tool_call("notify", &large))),
        (LIMIT, "call.mcp_tool.arguments_json", Some(mcp_call("jira", "get", &large))),
        (LIMIT, "call.registered.arguments_json", Some(registered_call("notify", &large))),
    ]);
    calls
}

fn calls() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (reason, field, call) in bad_calls() {
        let decide =
            pb::DecideRequest { session_id: "s".to_owned(), call: call.clone(), ..Default::default() };
        cases.push((reason, field, Bad::Decide(dry(decide.clone()))));
        cases.push((reason, field, Bad::Decide(decide)));
        cases.push((reason, field, Bad::Rate(pb::RateRequest { call, ..Default::default() })));
    }
    let negative = Some(prost_types::Duration { seconds: -1, nanos: 0 });
    let barely = Some(prost_types::Duration { seconds: 0, nanos: -1 });
    for max_wait in [negative, barely] {
        cases.push((INVALID, "max_wait", Bad::Decide(pb::DecideRequest { max_wait, ..shell("s", "ls") })));
    }
    let profile = pb::RateRequest { profile: long(129), call: Some(shell_call("ls")), ..Default::default() };
    cases.push((LIMIT, "profile", Bad::Rate(profile)));
    cases
}

/// Every fault that an entry can have, at the path of the entry.
fn bad_entries() -> Vec<(&'static str, &'static str, Option<pb::Entry>)> {
    let hints = |read_only_hint| {
        Some(pb::entry::SubjectPattern::Hints(pb::ToolAnnotations { read_only_hint, ..Default::default() }))
    };
    let hint =
        |kind, read_only| pb::Entry { subject_pattern: hints(read_only), ..entry(kind, Matcher::Hint, "") };
    let server = |entry: pb::Entry, server: &str| pb::Entry { server: server.to_owned(), ..entry };
    let host = |entry: pb::Entry, host: &str| pb::Entry { host: host.to_owned(), ..entry };
    vec![
        (INVALID, "", None),
        (ENTRY, ".type", Some(entry(EntryType::Unspecified, Matcher::Exact, "ls"))),
        (ENTRY, ".type", Some(pb::Entry { r#type: 9, ..shell_entry("ls") })),
        (ENTRY, ".matcher", Some(entry(EntryType::Shell, Matcher::Unspecified, "ls"))),
        (ENTRY, ".matcher", Some(pb::Entry { matcher: 9, ..shell_entry("ls") })),
        (ENTRY, ".matcher", Some(hint(EntryType::Shell, Some(true)))),
        (ENTRY, ".pattern", Some(pb::Entry { subject_pattern: None, ..shell_entry("ls") })),
        (ENTRY, ".pattern", Some(shell_entry(""))),
        (ENTRY, ".pattern", Some(shell_entry("  "))),
        (ENTRY, ".pattern", Some(tool_entry(""))),
        (LIMIT, ".pattern", Some(shell_entry(&long(MIB + 1)))),
        (ENTRY, ".pattern", Some(entry(EntryType::Shell, Matcher::Regexp, "("))),
        (ENTRY, ".pattern", Some(entry(EntryType::Shell, Matcher::Regexp, &long(201)))),
        (ENTRY, ".pattern", Some(entry(EntryType::Tool, Matcher::Hint, "readOnlyHint"))),
        (ENTRY, ".hints", Some(hint(EntryType::Tool, None))),
        (
            ENTRY,
            ".hints",
            Some(pb::Entry { matcher: Matcher::Exact.into(), ..hint(EntryType::Tool, Some(true)) }),
        ),
        (ENTRY, ".server", Some(mcp_entry("", "get"))),
        (LIMIT, ".server", Some(mcp_entry(&long(257), "get"))),
        (ENTRY, ".server", Some(server(shell_entry("ls"), "jira"))),
        (ENTRY, ".server", Some(server(tool_entry("notify"), "jira"))),
        (ENTRY, ".host", Some(host(shell_entry("ls"), "a.example"))),
        (ENTRY, ".host", Some(host(tool_entry("fetch"), "A.example"))),
        (ENTRY, ".host", Some(host(tool_entry("fetch"), "a.example:80"))),
        (ENTRY, ".host", Some(host(tool_entry("fetch"), "https://a.example"))),
        (LIMIT, ".host", Some(host(tool_entry("fetch"), &long(254)))),
    ]
}

fn terms(change: impl FnOnce(&mut pb::GrantTerms)) -> Option<pb::GrantTerms> {
    let mut terms = pb::GrantTerms::default();
    change(&mut terms);
    Some(terms)
}

fn bad_terms() -> Vec<(&'static str, &'static str, Option<pb::GrantTerms>)> {
    let at = |seconds, nanos| Some(prost_types::Timestamp { seconds, nanos });
    vec![
        (INVALID, "terms.expires_at", terms(|terms| terms.expires_at = Some(seconds_from_now(-1)))),
        (INVALID, "terms.expires_at", terms(|terms| terms.expires_at = at(0, 0))),
        (INVALID, "terms.expires_at", terms(|terms| terms.expires_at = at(i64::MAX, 0))),
        (INVALID, "terms.expires_at", terms(|terms| terms.expires_at = at(4_000_000_000, -1))),
        (INVALID, "terms.expires_at", terms(|terms| terms.expires_at = at(4_000_000_000, 1_000_000_000))),
        (INVALID, "terms.max_uses", terms(|terms| terms.max_uses = Some(0))),
        (LIMIT, "terms.note", terms(|terms| terms.note = "\u{e4}".repeat(513))),
    ]
}

/// Cases whose paths are put together while they are made.
fn operations() -> Vec<(&'static str, String, Bad)> {
    let mut cases: Vec<(&str, String, Bad)> = Vec::new();
    let mut case = |reason, field: &str, session: &str, operation| {
        cases.push((reason, field.to_owned(), Bad::Manage(managing(session, operation))));
    };
    for (reason, field, bad) in bad_entries() {
        let grant = pb::AddGrant { entry: bad.clone(), scope: Scope::Session.into(), terms: None };
        case(reason, &format!("grant.entry{field}"), "s", Operation::Grant(grant));
        let deny = pb::AddDenial { entry: bad.clone(), note: String::new() };
        case(reason, &format!("deny.entry{field}"), "s", Operation::Deny(deny));
        if let Some(bad) = bad {
            let revoke =
                pb::RevokeGrant { target: Some(pb::revoke_grant::Target::Entry(bad.clone())), scope: 0 };
            case(reason, &format!("revoke.entry{field}"), "s", Operation::Revoke(revoke));
            let lift = pb::LiftDenial { target: Some(pb::lift_denial::Target::Entry(bad)) };
            case(reason, &format!("lift.entry{field}"), "s", Operation::Lift(lift));
        }
    }
    for (reason, field, terms) in bad_terms() {
        let grant = pb::AddGrant { entry: Some(shell_entry("ls")), scope: Scope::Always.into(), terms };
        case(reason, &format!("grant.{field}"), "", Operation::Grant(grant));
    }
    for scope in [Scope::Unspecified as i32, Scope::Once as i32, 9] {
        let grant = pb::AddGrant { entry: Some(shell_entry("ls")), scope, terms: None };
        case(INVALID, "grant.scope", "s", Operation::Grant(grant));
    }
    let target = || Some(pb::revoke_grant::Target::Entry(shell_entry("ls")));
    for scope in [Scope::Once as i32, 9] {
        case(INVALID, "revoke.scope", "s", Operation::Revoke(pb::RevokeGrant { target: target(), scope }));
        let list = pb::ListGrants { scopes: vec![Scope::Always.into(), scope], ..Default::default() };
        case(INVALID, "list.scopes[1]", "s", Operation::List(list));
    }
    case(INVALID, "revoke.target", "s", Operation::Revoke(pb::RevokeGrant::default()));
    case(INVALID, "lift.target", "s", Operation::Lift(pb::LiftDenial::default()));
    let text = || String::new();
    let empty = pb::RevokeGrant { target: Some(pb::revoke_grant::Target::ObjectText(text())), scope: 0 };
    case(INVALID, "revoke.object_text", "s", Operation::Revoke(empty));
    let empty = pb::LiftDenial { target: Some(pb::lift_denial::Target::ObjectText(text())) };
    case(INVALID, "lift.object_text", "s", Operation::Lift(empty));
    let note = pb::AddDenial { entry: Some(shell_entry("ls")), note: long(513) };
    case(LIMIT, "deny.note", "s", Operation::Deny(note));
    case(LIMIT, "list.text", "s", Operation::List(pb::ListGrants { text: long(257), ..Default::default() }));
    case(
        INVALID,
        "list.page_size",
        "s",
        Operation::List(pb::ListGrants { page_size: -1, ..Default::default() }),
    );

    // Where a session is concerned, it must be named.
    let session = "session_id";
    case(INVALID, session, "", denying(shell_entry("ls")));
    case(INVALID, session, "", granting(shell_entry("ls"), Scope::Session));
    case(
        INVALID,
        session,
        "",
        Operation::Lift(pb::LiftDenial { target: Some(pb::lift_denial::Target::Entry(shell_entry("ls"))) }),
    );
    case(
        INVALID,
        session,
        "",
        Operation::Revoke(pb::RevokeGrant { target: target(), scope: Scope::Session.into() }),
    );
    case(INVALID, session, "", Operation::ViewTrust(pb::ViewTrust {}));

    let change = |server: &str, believe: Vec<i32>, disbelieve: Vec<i32>| pb::TrustChange {
        server: server.to_owned(),
        believe,
        disbelieve,
    };
    let read_only = pb::Hint::ReadOnly as i32;
    for (name, kind) in [("change_trust", false), ("predict_trust", true)] {
        let trust =
            |change| if kind { Operation::PredictTrust(change) } else { Operation::ChangeTrust(change) };
        let path = |field: &str| format!("{name}.{field}");
        case(INVALID, session, "", trust(change("jira", vec![read_only], vec![])));
        case(INVALID, &path("server"), "s", trust(change("", vec![read_only], vec![])));
        case(INVALID, &path("server"), "s", trust(change("*", vec![read_only], vec![])));
        case(LIMIT, &path("server"), "s", trust(change(&long(257), vec![read_only], vec![])));
        case(INVALID, &path("believe[0]"), "s", trust(change("jira", vec![0], vec![])));
        case(INVALID, &path("believe[1]"), "s", trust(change("jira", vec![read_only, 9], vec![])));
        case(INVALID, &path("disbelieve[0]"), "s", trust(change("jira", vec![], vec![9])));
        case(INVALID, &path("believe"), "s", trust(change("jira", vec![], vec![])));
        case(INVALID, &path("disbelieve"), "s", trust(change("jira", vec![read_only], vec![read_only])));
    }
    let import = |content: &str| pb::ImportGrants { content: content.to_owned(), ..Default::default() };
    for content in ["", "{", "[]", "{}", "{\"grants\": {}}", "{\"version\": 2}"] {
        case(INVALID, "import_file.content", "", Operation::ImportFile(import(content)));
    }
    case(LIMIT, "import_file.content", "", Operation::ImportFile(import(&long(MIB + 1))));
    let modified = pb::ImportGrants {
        file_modified_at: Some(prost_types::Timestamp { seconds: i64::MAX, nanos: 0 }),
        ..import("{\"prefixes\": []}")
    };
    case(INVALID, "import_file.file_modified_at", "", Operation::ImportFile(modified));
    let nothing = pb::ManageGrantsRequest { session_id: "s".to_owned(), ..Default::default() };
    cases.push((INVALID, "operation".to_owned(), Bad::Manage(nothing)));
    cases
}

/// Everything that a request could have left behind.
async fn stored(gate: &Gate) -> String {
    let everything = pb::ListSessionsRequest {
        states: vec![pb::SessionState::Open.into(), pb::SessionState::Closed.into()],
        page_size: 500,
        ..Default::default()
    };
    let head = gate.verify().await;
    format!(
        "{:#?}",
        (
            gate.sessions(everything).await.unwrap(),
            gate.get("s").await,
            gate.held("s").await,
            gate.held("").await,
            gate.records(pb::ListDecisionsRequest { page_size: 500, ..Default::default() }).await,
            (head.head_sequence, head.head_hash),
        )
    )
}

#[tokio::test]
async fn each_fault_names_its_field_and_reason_and_leaves_nothing_behind() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let escalation = gate.decide(shell("s", "ls")).await.escalation_id;
    let before = stored(&gate).await;
    let fixed = identifiers().into_iter().chain(calls()).chain(answers(&escalation)).chain(lists());
    let cases: Vec<_> = fixed
        .map(|(reason, field, bad)| (reason, field.to_owned(), bad))
        .chain(operations())
        .chain(sessions())
        .collect();
    assert!(cases.len() > 400, "{}", cases.len());
    let mut wrong = Vec::new();
    for (number, (reason, field, bad)) in cases.into_iter().enumerate() {
        let Some(failure) = bad.send(&gate).await else {
            wrong.push(format!("#{number} {field}: accepted instead of {reason}"));
            continue;
        };
        let as_promised = std::panic::catch_unwind(|| failure.expect_field(reason, &field));
        if as_promised.is_err() {
            wrong.push(format!("#{number} {field} ({reason}): {failure:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(stored(&gate).await, before);
    gate.answer(answering(&escalation, Verdict::Approve, Scope::Once)).await;
}

#[tokio::test]
async fn all_faults_of_one_request_are_named_at_once() {
    let gate = Gate::plain().await;
    let request = pb::OpenSessionRequest {
        cwd: "relative".to_owned(),
        rung: 77,
        user_messages: vec![long(4001)],
        ..opening("with blank")
    };
    let failure = gate.try_open(request).await.unwrap_err();
    failure.expect(Code::InvalidArgument, INVALID);
    assert_eq!(failure.fields, ["session_id", "rung", "cwd", "user_messages[0]"]);
    assert_eq!(failure.metadata("field"), "session_id", "the first one");
    for field in &failure.fields {
        assert!(failure.message.contains(field.as_str()), "{}", failure.message);
    }
}

#[tokio::test]
async fn the_longest_that_is_allowed_is_accepted() {
    let gate = Gate::at("bypass").await;
    let path = format!("/{}", long(4095));
    gate.open(pb::OpenSessionRequest {
        session_id: "!".repeat(64) + &"~".repeat(64),
        project: long(128),
        command: "\u{e4}".repeat(64),
        labels: (0..64).map(|number| (format!("{number:063}"), long(256))).collect(),
        cwd: path.clone(),
        home: path.clone(),
        tools: catalogue(
            (0..2000)
                .map(|number| pb::ToolDeclaration {
                    registered_name: format!("{number:0512}"),
                    ..Default::default()
                })
                .collect(),
        ),
        mcp_servers: Some(pb::McpServers { keys: (0..256).map(|number| format!("{number:0256}")).collect() }),
        user_messages: vec!["\u{e4}".repeat(4000); 50],
        ..Default::default()
    })
    .await;
    let arguments = format!("{{\"a\": \"{}\"}}", long(MIB - 9));
    assert_eq!(arguments.len(), MIB);
    for call in [
        shell_call(&format!("echo {}", long(MIB - 5))),
        with_shell(|call| {
            (call.cwd, call.home) = (path.clone(), path.clone());
            call.justification = "\u{e4}".repeat(4000);
        }),
        with_tool(|call| (call.name, call.arguments_json) = (long(256), arguments.clone())),
        with_mcp(|call| (call.server, call.name) = (long(256), long(256))),
        with_registered(|call| call.name = long(512)),
    ] {
        gate.decide(ask("s", call)).await;
    }
    gate.manage("s", granting(shell_entry(&long(1 << 16)), Scope::Session)).await;
    gate.manage("s", granting(entry(EntryType::Shell, Matcher::Regexp, &long(200)), Scope::Session)).await;
    let note = pb::AddDenial { entry: Some(tool_entry("x")), note: "\u{e4}".repeat(512) };
    gate.manage("s", Operation::Deny(note)).await;
    let list = pb::ListGrants { text: long(256), page_size: i32::MAX, ..Default::default() };
    gate.manage("s", Operation::List(list)).await;
}

#[tokio::test]
async fn a_label_over_the_limit_of_a_session_that_has_some_changes_nothing() {
    let gate = Gate::plain().await;
    gate.open(pb::OpenSessionRequest { labels: labels(64), ..opening("s") }).await;
    let one_more = pb::LabelChanges { set: label("one-more", ""), remove: Vec::new() };
    let request = pb::UpdateSessionRequest {
        labels: Some(one_more.clone()),
        rung: pb::Rung::Manual.into(),
        cwd: Some("/work".to_owned()),
        ..changing("s")
    };
    gate.try_update(request).await.unwrap_err().expect_field(INVALID, "labels.set");
    let session = gate.get("s").await.session.unwrap();
    assert_eq!((session.rung(), session.cwd.as_str(), session.labels.len()), (pb::Rung::Assisted, "", 64));
    let swap = pb::LabelChanges { remove: vec!["k0".to_owned(), "never-there".to_owned()], ..one_more };
    gate.update(pb::UpdateSessionRequest { labels: Some(swap), ..changing("s") }).await;
}
