//! Requests and entries in few words.

use haltgate::proto::v1 as pb;
use haltgate::proto::v1::manage_grants_request::Operation;
use prost_types::Timestamp;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn shell_call(command: &str) -> pb::Call {
    let shell = pb::ShellCall { command: command.to_owned(), ..pb::ShellCall::default() };
    pb::Call { kind: Some(pb::call::Kind::Shell(shell)) }
}

pub fn tool_call(name: &str, arguments: &str) -> pb::Call {
    let tool = pb::ToolCall {
        name: name.to_owned(),
        arguments_json: arguments.to_owned(),
        ..pb::ToolCall::default()
    };
    pb::Call { kind: Some(pb::call::Kind::Tool(tool)) }
}

pub fn mcp_call(server: &str, name: &str, arguments: &str) -> pb::Call {
    let tool = pb::McpToolCall {
        server: server.to_owned(),
        name: name.to_owned(),
        arguments_json: arguments.to_owned(),
        ..pb::McpToolCall::default()
    };
    pb::Call { kind: Some(pb::call::Kind::McpTool(tool)) }
}

pub fn registered_call(name: &str, arguments: &str) -> pb::Call {
    let tool = pb::RegisteredCall {
        name: name.to_owned(),
        arguments_json: arguments.to_owned(),
        ..pb::RegisteredCall::default()
    };
    pb::Call { kind: Some(pb::call::Kind::Registered(tool)) }
}

pub fn ask(session: &str, call: pb::Call) -> pb::DecideRequest {
    pb::DecideRequest { session_id: session.to_owned(), call: Some(call), ..pb::DecideRequest::default() }
}

pub fn shell(session: &str, command: &str) -> pb::DecideRequest {
    ask(session, shell_call(command))
}

/// The same request under an id, so that it can be sent again.
pub fn named(request_id: &str, request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { request_id: request_id.to_owned(), ..request }
}

pub fn in_run(run: &str, request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { run_id: run.to_owned(), ..request }
}

pub fn dry(request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { dry_run: true, ..request }
}

pub fn opening(session: &str) -> pb::OpenSessionRequest {
    pb::OpenSessionRequest { session_id: session.to_owned(), ..pb::OpenSessionRequest::default() }
}

pub fn changing(session: &str) -> pb::UpdateSessionRequest {
    pb::UpdateSessionRequest { session_id: session.to_owned(), ..pb::UpdateSessionRequest::default() }
}

pub fn answering(escalation: &str, verdict: pb::Verdict, scope: pb::Scope) -> pb::AnswerRequest {
    pb::AnswerRequest {
        target: Some(pb::answer_request::Target::EscalationId(escalation.to_owned())),
        verdict: verdict.into(),
        scope: scope.into(),
        ..pb::AnswerRequest::default()
    }
}

pub fn managing(session: &str, operation: Operation) -> pb::ManageGrantsRequest {
    pb::ManageGrantsRequest {
        session_id: session.to_owned(),
        operation: Some(operation),
        ..pb::ManageGrantsRequest::default()
    }
}

pub fn entry(kind: pb::EntryType, matcher: pb::Matcher, pattern: &str) -> pb::Entry {
    pb::Entry {
        r#type: kind.into(),
        matcher: matcher.into(),
        subject_pattern: Some(pb::entry::SubjectPattern::Pattern(pattern.to_owned())),
        ..pb::Entry::default()
    }
}

pub fn shell_entry(command: &str) -> pb::Entry {
    entry(pb::EntryType::Shell, pb::Matcher::Exact, command)
}

pub fn tool_entry(name: &str) -> pb::Entry {
    entry(pb::EntryType::Tool, pb::Matcher::Exact, name)
}

pub fn mcp_entry(server: &str, name: &str) -> pb::Entry {
    pb::Entry { server: server.to_owned(), ..entry(pb::EntryType::McpTool, pb::Matcher::Exact, name) }
}

pub fn granting(entry: pb::Entry, scope: pb::Scope) -> Operation {
    Operation::Grant(pb::AddGrant { entry: Some(entry), scope: scope.into(), terms: None })
}

pub fn denying(entry: pb::Entry) -> Operation {
    Operation::Deny(pb::AddDenial { entry: Some(entry), note: String::new() })
}

/// A tool of an MCP server with what it declares of itself: read-only, destructive, idempotent, open-world.
pub fn declared(server: &str, name: &str, hints: [Option<bool>; 4]) -> pb::ToolDeclaration {
    let [read_only_hint, destructive_hint, idempotent_hint, open_world_hint] = hints;
    pb::ToolDeclaration {
        registered_name: format!("mcp__{server}__{name}"),
        description: String::new(),
        annotations: Some(pb::ToolAnnotations {
            read_only_hint,
            destructive_hint,
            idempotent_hint,
            open_world_hint,
        }),
    }
}

pub fn catalogue(tools: Vec<pb::ToolDeclaration>) -> Option<pb::ToolCatalogue> {
    Some(pb::ToolCatalogue { tools })
}

pub fn servers(keys: &[&str]) -> Option<pb::McpServers> {
    Some(pb::McpServers { keys: keys.iter().map(|key| (*key).to_owned()).collect() })
}

/// That many seconds from now, or before now.
pub fn seconds_from_now(seconds: i64) -> Timestamp {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    Timestamp { seconds: i64::try_from(now.as_secs()).unwrap() + seconds, nanos: 0 }
}
