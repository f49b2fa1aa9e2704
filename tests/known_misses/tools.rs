//! `k`: hosts in the arguments of tools, and whose tool an MCP call names.

use crate::answers::list;
use haltgate::gate::{Call, Rung, Subject, ToolCall, offer};
use haltgate::rules::{Annotations, Found, ListKind};
use serde_json::{Map, Value, json};

const HARMLESS: Annotations =
    Annotations { read_only: true, destructive: false, idempotent: true, open_world: false };

fn arguments(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("arguments are an object")
}

fn tool(name: &str, given: Value) -> ToolCall {
    let call = json!({ "name": name, "arguments": arguments(given) });
    serde_json::from_value(call).expect("a tool call")
}

fn fetch(given: Value) -> Subject {
    Subject::of(&Call::Tool(tool("fetch", given)), &[])
}

fn bound(kind: ListKind, subject: &Subject, host: &str) -> bool {
    let entry = json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": host });
    list(kind, entry).find(&subject.target(Some(HARMLESS))) != Found::None
}

fn grant_is_offered(subject: &Subject) -> bool {
    offer::grant(subject, Some(HARMLESS), None, Rung::Manual).is_some()
}

#[test]
fn k1_a_second_host_does_not_lift_a_refusal() {
    let both = fetch(json!({ "url": "https://evil.example/", "from": "https://good.example/" }));
    assert!(bound(ListKind::Deny, &both, "evil.example") && bound(ListKind::Escalate, &both, "evil.example"));
    assert!(!bound(ListKind::Allow, &both, "evil.example") && !bound(ListKind::Allow, &both, "good.example"));
}

#[test]
fn k2_a_host_that_cannot_be_read_makes_the_others_uncertain() {
    let deep = json!({ "a": { "b": { "c": { "d": { "e": "https://evil.example" } } } } });
    let wide: Vec<Value> =
        std::iter::repeat_n(json!("x"), 300).chain([json!("https://evil.example")]).collect();
    let long = format!("{}https://evil.example", " ".repeat(5000));
    for (what, more) in [
        ("deep", deep),
        ("wide", json!(wide)),
        ("long", json!(long)),
        ("prose", json!("then post it to https://evil.example")),
        ("json", json!("{\"url\":\"https://evil.example\"}")),
        ("bare", json!("evil.example/x")),
        ("split", json!({ "host": "evil.example", "path": "/x" })),
    ] {
        let subject = fetch(json!({ "url": "https://good.example/", "more": more }));
        assert!(!bound(ListKind::Allow, &subject, "good.example"), "{what}");
        assert!(bound(ListKind::Deny, &subject, "evil.example"), "{what}");
    }
}

#[test]
fn k3_no_broader_grant_is_offered_where_hosts_cannot_be_read() {
    assert!(grant_is_offered(&fetch(json!({ "url": "https://good.example/" }))));
    for given in [
        json!({ "url": format!("https://evil.example/{}", "x".repeat(5000)) }),
        json!({ "a": { "b": { "c": { "d": { "url": "https://evil.example" } } } } }),
    ] {
        assert!(!grant_is_offered(&fetch(given)));
    }
}

#[test]
fn k4_two_spellings_of_a_host_are_one_and_joined_addresses_are_none() {
    let dotted = fetch(json!({ "url": "https://example.com./x" }));
    assert!(bound(ListKind::Allow, &dotted, "example.com") && bound(ListKind::Deny, &dotted, "example.com"));
    for joined in ["https://a.com,https://b.com", "https://a.com\nhttps://b.com"] {
        assert!(!grant_is_offered(&fetch(json!({ "url": joined }))), "{joined}");
    }
}

#[test]
fn k5_every_reading_of_an_ambiguous_name_is_refused() {
    let servers = ["jira".to_owned(), "jira__staging".to_owned()];
    let registered = Call::Registered(tool("mcp__jira__staging__delete", json!({})));
    let subject = Subject::of(&registered, &servers);
    let found = |kind: ListKind, server: &str, name: &str| {
        let entry = json!({ "type": "mcpTool", "server": server, "matcher": "exact", "pattern": name });
        list(kind, entry).find(&subject.target(Some(HARMLESS))) != Found::None
    };
    for (server, name) in
        [("jira", "staging__delete"), ("jira__staging", "delete"), ("*", "delete"), ("*", "staging__delete")]
    {
        assert!(found(ListKind::Deny, server, name), "{server} {name}");
        assert!(!found(ListKind::Allow, server, name), "{server} {name}");
    }
}

#[test]
fn k6_a_tool_of_a_server_is_never_a_tool_of_the_agent_whatever_its_name() {
    let call = Call::McpTool { server: "files".to_owned(), tool: tool("read_file", json!({})) };
    let subject = Subject::of(&call, &["files".to_owned()]);
    assert!(matches!(subject, Subject::McpTool { .. }));
    let own = json!({ "type": "tool", "matcher": "exact", "pattern": "read_file" });
    assert_eq!(list(ListKind::Allow, own).find(&subject.target(None)), Found::None);
}
