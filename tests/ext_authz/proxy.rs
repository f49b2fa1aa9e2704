//! A proxy in front of an MCP server, as far as the gate sees it.

use crate::support::{Gate, Setup};
use envoy::attribute_context::{HttpRequest, Peer, Request};
use envoy::authorization_client::AuthorizationClient;
use envoy::check_response::HttpResponse;
use haltgate::proto::ext_authz as envoy;
use haltgate::proto::v1 as pb;
use prost_types::value::Kind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use tonic::transport::Channel;

/// Deletes are refused, writes ask, reads pass, nothing else is known.
const POLICY: &str = r#"{
    "approvals": {
        "gate_scope": "every_call",
        "deny":     [{ "type": "mcpTool", "server": "files", "matcher": "glob", "pattern": "delete*" }],
        "escalate": [{ "type": "mcpTool", "server": "files", "matcher": "glob", "pattern": "write*" }],
        "allow":    [{ "type": "mcpTool", "server": "files", "matcher": "glob", "pattern": "read*" }],
    },
    "ext_authz": { "enabled": true, "wait": "WAIT", "servers": { "files": { "paths": ["/mcp"] } } },
}"#;

/// What a proxy was told.
#[derive(Debug)]
pub enum Told {
    /// It passes the request on, with these headers set and those removed.
    Passes { set: BTreeMap<String, String>, removed: Vec<String>, decisions: Decisions },
    /// The client gets this.
    Refused { status: i32, body: Value, decisions: Decisions },
}

/// What the proxy may log of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    pub session: String,
    pub actions: Vec<String>,
    pub ids: Vec<String>,
}

impl Told {
    /// The headers that the server gets.
    #[track_caller]
    pub fn passes(self) -> (BTreeMap<String, String>, Vec<String>, Decisions) {
        match self {
            Self::Passes { set, removed, decisions } => (set, removed, decisions),
            Self::Refused { .. } => panic!("{self:?}"),
        }
    }

    /// What the client gets where a message as such was understood.
    #[track_caller]
    pub fn refused(self) -> (Value, Decisions) {
        match self {
            Self::Refused { status: 200, body, decisions } => (body, decisions),
            Self::Refused { .. } | Self::Passes { .. } => panic!("{self:?}"),
        }
    }

    /// The status and the JSON-RPC code where it was not.
    #[track_caller]
    pub fn turned_away(self) -> (i32, i64) {
        match self {
            Self::Refused { status, body, decisions } => {
                assert_eq!(decisions, Decisions::default());
                (status, body["error"]["code"].as_i64().unwrap())
            }
            Self::Passes { .. } => panic!("{self:?}"),
        }
    }
}

/// A gate that proxies may ask, which holds calls for a human for `wait`.
pub async fn gate(wait: &str) -> Gate {
    Gate::start(Setup { policy: POLICY.replace("WAIT", wait), ..Setup::default() }).await
}

pub fn call(id: u32, tool: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}","arguments":{{"path":"a"}}}}}}"#
    )
}

/// A post of a client whose identity the proxy verified.
pub fn post(body: &str) -> HttpRequest {
    HttpRequest {
        method: "POST".to_owned(),
        path: "/mcp".to_owned(),
        host: "files.example".to_owned(),
        headers: [
            ("content-type".to_owned(), "application/json".to_owned()),
            ("content-length".to_owned(), body.len().to_string()),
            ("mcp-session-id".to_owned(), "m-1".to_owned()),
        ]
        .into(),
        raw_body: body.as_bytes().to_vec(),
        ..HttpRequest::default()
    }
}

pub const AGENT: &str = "spiffe://mesh.example/ns/agents/sa/builder";

/// Asks the gate, as a proxy of some patience.
pub async fn try_check(
    gate: &Gate,
    http: HttpRequest,
    patience: Option<Duration>,
) -> Result<Told, tonic::Status> {
    ask_on(gate.channel.clone(), http, patience).await
}

pub async fn ask_on(
    channel: Channel,
    http: HttpRequest,
    patience: Option<Duration>,
) -> Result<Told, tonic::Status> {
    ask_as(None, channel, http, patience).await
}

/// Asks as a proxy with a token of its own.
pub async fn ask_as(
    token: Option<&str>,
    channel: Channel,
    http: HttpRequest,
    patience: Option<Duration>,
) -> Result<Told, tonic::Status> {
    let attributes = envoy::AttributeContext {
        source: Some(Peer { principal: AGENT.to_owned() }),
        request: Some(Request { http: Some(http) }),
    };
    let mut request = tonic::Request::new(envoy::CheckRequest { attributes: Some(attributes) });
    patience.into_iter().for_each(|patience| request.set_timeout(patience));
    if let Some(token) = token {
        request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    let response = AuthorizationClient::new(channel).check(request).await?.into_inner();
    let decisions = decisions(response.dynamic_metadata.unwrap_or_default());
    let allowed = response.status.unwrap().code == 0;
    Ok(match response.http_response.unwrap() {
        HttpResponse::OkResponse(ok) => {
            assert!(allowed);
            Told::Passes { set: headers(ok.headers), removed: ok.headers_to_remove, decisions }
        }
        HttpResponse::DeniedResponse(denied) => {
            assert!(!allowed);
            assert_eq!(headers(denied.headers)["content-type"], "application/json");
            let body = serde_json::from_str(&denied.body).unwrap();
            Told::Refused { status: denied.status.unwrap().code, body, decisions }
        }
    })
}

pub async fn check(gate: &Gate, http: HttpRequest) -> Told {
    try_check(gate, http, None).await.unwrap()
}

fn headers(options: Vec<envoy::HeaderValueOption>) -> BTreeMap<String, String> {
    let overwrite = envoy::header_value_option::HeaderAppendAction::OverwriteIfExistsOrAdd;
    let header = |option: envoy::HeaderValueOption| {
        assert_eq!(option.append_action(), overwrite);
        let header = option.header.unwrap();
        (header.key, header.value)
    };
    options.into_iter().map(header).collect()
}

fn decisions(metadata: prost_types::Struct) -> Decisions {
    let text = |fields: &BTreeMap<String, prost_types::Value>, name: &str| match fields[name].kind.as_ref() {
        Some(Kind::StringValue(text)) => text.clone(),
        other => panic!("{name}: {other:?}"),
    };
    let mut found = Decisions::default();
    if metadata.fields.is_empty() {
        return found;
    }
    assert_eq!(text(&metadata.fields, "server"), "files");
    assert!(["default", "own"].contains(&text(&metadata.fields, "project").as_str()));
    found.session = text(&metadata.fields, "session");
    let Some(Kind::ListValue(list)) = metadata.fields["decisions"].kind.clone() else { panic!("no list") };
    for decision in list.values {
        let Some(Kind::StructValue(decision)) = decision.kind else { panic!("no decision") };
        found.actions.push(text(&decision.fields, "action"));
        found.ids.push(text(&decision.fields, "decision_id"));
    }
    found
}

/// The question that waits for a human, once there is one.
pub async fn question(gate: &Gate) -> pb::Escalation {
    let mut feed = gate
        .client
        .clone()
        .stream_escalations(pb::StreamEscalationsRequest::default())
        .await
        .unwrap()
        .into_inner();
    loop {
        let event = feed.message().await.unwrap().unwrap().event;
        if let Some(pb::stream_escalations_response::Event::Raised(raised)) = event {
            return raised;
        }
    }
}
