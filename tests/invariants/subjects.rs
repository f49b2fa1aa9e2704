//! Invariants 37 to 44: what a call is.

use crate::harness::{Gate, all_safe, declares, mcp, registered, shell, tool, trusting};
use haltgate::gate::{Action, Rung, Stage};
use haltgate::session::Opening;
use serde_json::{Value, json};

fn servers(keys: &[&str]) -> impl FnOnce(&mut Opening) {
    let keys = keys.iter().map(ToString::to_string).collect();
    move |opening| opening.mcp_servers = Some(keys)
}

fn allow(entry: Value) -> Value {
    json!({ "mode": "write", "allow": [entry], "mcp": trusting() })
}

#[tokio::test]
async fn invariant_37_a_shell_command_is_matched_by_shell_entries_alone() {
    let entry = json!({ "type": "tool", "matcher": "exact", "pattern": "run_shell_command" });
    let gate = Gate::new(allow(entry.clone()));
    let session = gate.open("a").await;
    assert_eq!(session.action("ls").await, Action::Escalate);
    let sent = session.ask(registered("run_shell_command", json!({ "command": "ls" }))).await;
    assert_eq!(sent.decision.action, Action::Escalate, "the same command in another form of the call");
    let gate = Gate::new(json!({ "mode": "bypass", "deny": [entry] }));
    assert_eq!(gate.open("a").await.action("ls").await, Action::Approve);
}

#[tokio::test]
async fn invariant_38_a_name_in_the_mcp_namespace_is_never_a_trusted_tool() {
    let gate = Gate::new(allow(json!({ "type": "tool", "matcher": "glob", "pattern": "mcp__*" })));
    let session = gate.open("a").await;
    for call in [
        mcp("jira", "get", json!({})),
        registered("mcp__jira__get", json!({})),
        tool("mcp__jira__get", json!({})),
        tool("mcp__ghost__read_file", json!({})),
    ] {
        assert_eq!(session.ask(call.clone()).await.decision.action, Action::Escalate, "{call:?}");
    }
}

#[tokio::test]
async fn invariant_39_an_unresolvable_server_is_unnameable_and_untrusted() {
    let hint =
        json!({ "type": "mcpTool", "server": "*", "matcher": "hint", "pattern": { "readOnlyHint": true } });
    let gate = Gate::new(allow(hint));
    let session = gate.open("a").await;
    session.declare(vec![declares("ghost", "get", &all_safe()), declares("jira", "get", &all_safe())]).await;
    assert_eq!(
        session.ask(registered("mcp__jira__get", json!({}))).await.decision.action,
        Action::Approve,
        "the entry works"
    );
    assert_eq!(session.ask(registered("mcp__ghost__get", json!({}))).await.decision.action, Action::Escalate);
    let every = json!({ "type": "mcpTool", "server": "*", "matcher": "glob", "pattern": "*ghost*" });
    let gate = Gate::new(json!({ "mode": "write", "deny": [every] }));
    let session = gate.open("a").await;
    assert_eq!(session.ask(registered("mcp__ghost__get", json!({}))).await.decision.stage, Stage::DenyList);
}

#[tokio::test]
async fn invariant_40_a_call_without_a_single_certain_host_never_satisfies_a_host_bound_allow_entry() {
    let gate = Gate::new(allow(
        json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": "a.example" }),
    ));
    let session = gate.open("a").await;
    let padded: Vec<Value> =
        std::iter::repeat_n(json!("x"), 300).chain([json!("https://evil.example")]).collect();
    let cases = [
        (json!({ "url": "https://a.example/x" }), Action::Approve),
        (json!({ "url": "https://A.EXAMPLE:8443/" }), Action::Approve),
        (json!({}), Action::Escalate),
        (json!({ "url": "a.example" }), Action::Escalate),
        (json!({ "url": "https://b.example" }), Action::Escalate),
        (json!({ "url": "https://a.example@b.example/" }), Action::Escalate),
        (json!({ "url": "https://a.example", "to": "https://b.example" }), Action::Escalate),
        (json!({ "url": "https://a.example,https://b.example" }), Action::Escalate),
        (json!({ "url": "https://a.example", "note": "then post to https://b.example" }), Action::Escalate),
        (json!({ "url": "https://a.example", "list": padded }), Action::Escalate),
        (
            json!({ "url": "https://a.example", "a": { "b": { "c": { "d": { "e": "https://b.example" } } } } }),
            Action::Escalate,
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(
            session.ask(tool("fetch", arguments.clone())).await.decision.action,
            expected,
            "{arguments}"
        );
    }
}

#[tokio::test]
async fn invariant_41_a_server_is_only_ever_one_of_the_users_own_keys() {
    let any =
        |server: &str| json!({ "type": "mcpTool", "server": server, "matcher": "glob", "pattern": "*" });
    let gate = Gate::new(json!({ "mode": "write", "allow": [any("a"), any("a__b")] }));
    let nested = gate.open_as("nested", servers(&["a", "a__b"])).await;
    let one = gate.open_as("one", servers(&["a"])).await;
    let call = || registered("mcp__a__b__x", json!({}));
    let ruling = nested.ask(call()).await;
    assert_eq!(ruling.decision.action, Action::Escalate, "neither key's entry applies");
    assert!(
        ruling.decision.notices.iter().any(|notice| notice.kind == haltgate::gate::NoticeKind::McpAmbiguous)
    );
    assert_eq!(one.ask(call()).await.decision.action, Action::Approve);
    let none = gate.open_as("none", servers(&[])).await;
    assert_eq!(none.ask(call()).await.decision.action, Action::Escalate);
}

#[tokio::test]
async fn invariant_42_annotations_are_read_at_each_decision() {
    let hint = json!({ "type": "mcpTool", "server": "jira", "matcher": "hint", "pattern": { "readOnlyHint": true } });
    let gate = Gate::new(allow(hint));
    let session = gate.open("a").await;
    let get = || mcp("jira", "get", json!({}));
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    assert_eq!(session.ask(get()).await.decision.action, Action::Approve);
    session.declare(vec![declares("jira", "get", &json!({ "readOnlyHint": false }))]).await;
    assert_eq!(session.ask(get()).await.decision.action, Action::Escalate);
    session.declare(vec![]).await;
    assert_eq!(session.ask(get()).await.decision.action, Action::Escalate, "nothing declared is the worst");
}

#[tokio::test]
async fn invariant_43_what_is_built_in_is_known_from_the_authored_table_alone() {
    let hint = json!({ "type": "tool", "matcher": "hint", "pattern": { "readOnlyHint": true, "openWorldHint": false } });
    let gate = Gate::new(allow(hint));
    let session = gate.open("a").await;
    let mut mimic = declares("jira", "read_file", &all_safe());
    mimic.registered_name = "run_tests".to_owned();
    let own = haltgate::session::ToolDeclaration { ..declares("", "", &all_safe()) };
    let own =
        |name: &str| haltgate::session::ToolDeclaration { registered_name: name.to_owned(), ..own.clone() };
    session.declare(vec![mimic, own("run_tests"), own("execute"), own("gth_web_fetch")]).await;
    assert_eq!(
        session.ask(tool("gth_status_update", json!({}))).await.decision.action,
        Action::Approve,
        "authored as read-only"
    );
    for name in ["run_tests", "execute", "gth_web_fetch", "constructor", "Read_File"] {
        assert_eq!(session.ask(tool(name, json!({}))).await.decision.action, Action::Escalate, "{name}");
    }
    assert_eq!(
        session.ask(mcp("jira", "read_file", json!({}))).await.decision.action,
        Action::Escalate,
        "no class for a mimic"
    );
}

#[tokio::test]
async fn invariant_44_declarations_are_found_by_registered_name() {
    let hint = json!({ "type": "mcpTool", "server": "a__b", "matcher": "hint", "pattern": { "readOnlyHint": true } });
    let gate = Gate::new(allow(hint));
    let session = gate.open_as("a", servers(&["a__b"])).await;
    session.declare(vec![declares("a__b", "x", &all_safe())]).await;
    for call in [mcp("a__b", "x", json!({})), registered("mcp__a__b__x", json!({}))] {
        assert_eq!(session.ask(call).await.decision.action, Action::Approve);
    }
    assert_eq!(session.ask(mcp("a__b", "y", json!({}))).await.decision.action, Action::Escalate);
}

/// Two tools under one registered name: nobody can tell whose hints are whose, so neither's count.
#[tokio::test]
async fn a_server_cannot_speak_for_another_servers_tool_by_a_name_that_both_produce() {
    let hint =
        json!({ "type": "mcpTool", "server": "a", "matcher": "hint", "pattern": { "readOnlyHint": true } });
    for order in [[0, 1], [1, 0]] {
        let gate = Gate::new(allow(hint.clone()));
        let session = gate.open_as("a", servers(&["a", "a__b"])).await;
        let tools =
            [declares("a", "b__x", &json!({ "readOnlyHint": false })), declares("a__b", "x", &all_safe())];
        session.declare(order.iter().map(|index| tools[*index].clone()).collect()).await;
        assert_eq!(
            session.ask(mcp("a", "b__x", json!({}))).await.decision.action,
            Action::Escalate,
            "{order:?}"
        );
    }
}

#[tokio::test]
async fn a_shell_command_is_judged_as_one_in_every_form_of_the_call() {
    let gate = Gate::new(json!({ "mode": "bypass", "deny": [crate::harness::exact("npm publish")] }));
    let session = gate.open("a").await;
    for call in [
        shell("npm publish"),
        tool("run_shell_command", json!({ "command": "cd pkg && npm publish" })),
        registered("run_shell_command", json!({ "command": "NPM publish", "extra": 1 })),
    ] {
        assert_eq!(session.ask(call.clone()).await.decision.stage, Stage::DenyList, "{call:?}");
    }
    session.set_rung(Rung::Assisted).await;
    assert_eq!(
        session.ask(tool("run_shell_command", json!({ "command": "rm -rf /" }))).await.decision.stage,
        Stage::HardlineFloor
    );
}
