//! A tool that describes itself as more dangerous loses its grant at its next call, and nothing else does.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, NoticeCode, Scope, Verdict};

const MILD: [Option<bool>; 4] = [Some(true), Some(false), Some(true), Some(false)];
const OPEN: [Option<bool>; 4] = [Some(true), Some(false), Some(true), Some(true)];
const WILD: [Option<bool>; 4] = [Some(false), Some(true), Some(false), Some(true)];

/// A gate that believes the server `jira` and nobody else.
async fn gate() -> Gate {
    let all = r#"["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"]"#;
    let policy = format!(
        r#"{{ "approvals": {{ "mode": "manual", "mcp": {{ "servers": {{ "jira": {{ "trustAnnotations": {all} }} }} }} }},
             "mcpServers": {{ "jira": {{}}, "web": {{}} }} }}"#
    );
    let gate = Gate::start(Setup { policy, ..Setup::default() }).await;
    gate.open(opening("s")).await;
    declare(&gate, vec![declared("jira", "get", MILD), declared("web", "get", MILD)]).await;
    gate
}

async fn declare(gate: &Gate, tools: Vec<pb::ToolDeclaration>) {
    gate.update(pb::UpdateSessionRequest { tools: catalogue(tools), ..changing("s") }).await;
}

async fn approve(gate: &Gate, call: pb::Call, scope: Scope) {
    let given = gate.decide(ask("s", call)).await;
    assert_eq!(given.action(), Action::Escalate);
    gate.answer(answering(&given.escalation_id, Verdict::Approve, scope)).await;
}

fn jira(arguments: &str) -> pb::Call {
    mcp_call("jira", "get", arguments)
}

async fn action(gate: &Gate, call: pb::Call) -> Action {
    gate.decide(ask("s", call)).await.action()
}

#[tokio::test]
async fn a_weakened_grant_is_deleted_with_a_notice_and_approval_sticks_again_91_97() {
    for scope in [Scope::Session, Scope::Always] {
        let gate = gate().await;
        approve(&gate, jira(""), scope).await;
        assert_eq!(action(&gate, jira("")).await, Action::Approve);
        declare(&gate, vec![declared("jira", "get", OPEN)]).await;
        let given = gate.decide(ask("s", jira(""))).await;
        assert_eq!(given.action(), Action::Escalate, "{scope:?}");
        let notice = given.notices.iter().find(|notice| notice.code() == NoticeCode::GrantWithdrawn).unwrap();
        for word in ["get", "jira", "openWorldHint"] {
            assert!(notice.text.contains(word), "{word}: {}", notice.text);
        }
        assert_eq!(notice.level(), pb::NoticeLevel::Warning);
        assert!(gate.held("s").await.0.is_empty() && gate.held("").await.0.is_empty());
        gate.answer(answering(&given.escalation_id, Verdict::Approve, scope)).await;
        assert_eq!(action(&gate, jira("")).await, Action::Approve);
        let held = gate.held("s").await.0.remove(0);
        assert_eq!(held.annotations.unwrap().open_world_hint, Some(true), "a new snapshot");
        let gate = gate.restart().await;
        assert_eq!(action(&gate, jira("")).await, Action::Approve);
    }
}

#[tokio::test]
async fn only_a_believed_server_can_weaken_92() {
    let gate = gate().await;
    let web = || mcp_call("web", "get", "");
    approve(&gate, web(), Scope::Session).await;
    declare(&gate, vec![declared("web", "get", WILD)]).await;
    assert_eq!(action(&gate, web()).await, Action::Approve);
}

#[tokio::test]
async fn only_the_call_in_hand_is_looked_at_93() {
    let gate = gate().await;
    approve(&gate, jira(""), Scope::Session).await;
    approve(&gate, mcp_call("web", "get", ""), Scope::Session).await;
    declare(&gate, Vec::new()).await;
    assert_eq!(action(&gate, mcp_call("web", "get", "")).await, Action::Approve);
    assert_eq!(gate.held("s").await.0.len(), 2, "a server that went away loses nothing by other calls");
}

#[tokio::test]
async fn a_host_less_grant_falls_with_a_call_that_names_a_host_94() {
    let gate = gate().await;
    approve(&gate, jira(""), Scope::Session).await;
    declare(&gate, vec![declared("jira", "get", OPEN)]).await;
    assert_eq!(action(&gate, jira(r#"{"url": "https://a.example"}"#)).await, Action::Escalate);
    assert!(gate.held("s").await.0.is_empty());
}

#[tokio::test]
async fn a_grant_for_another_host_is_untouched_95() {
    let gate = gate().await;
    let at = |host: &str| jira(&format!("{{\"url\": \"https://{host}\"}}"));
    approve(&gate, at("a.example"), Scope::Session).await;
    declare(&gate, vec![declared("jira", "get", OPEN)]).await;
    assert_eq!(action(&gate, at("b.example")).await, Action::Escalate);
    assert_eq!(gate.held("s").await.0.len(), 1);
    declare(&gate, vec![declared("jira", "get", MILD)]).await;
    assert_eq!(action(&gate, at("a.example")).await, Action::Approve);
}

#[tokio::test]
async fn denials_are_never_dropped_96() {
    let gate = gate().await;
    let given = gate.decide(ask("s", jira(""))).await;
    gate.answer(answering(&given.escalation_id, Verdict::Reject, Scope::Session)).await;
    declare(&gate, vec![declared("jira", "get", WILD)]).await;
    assert_eq!(action(&gate, jira("")).await, Action::Reject);
    assert_eq!(gate.held("s").await.1.len(), 1);
}

#[tokio::test]
async fn grants_by_hand_keep_a_snapshot_of_the_one_tool_that_they_name() {
    let gate = gate().await;
    gate.manage("s", granting(mcp_entry("jira", "get"), Scope::Session)).await;
    let glob = pb::Entry { matcher: pb::Matcher::Glob.into(), ..mcp_entry("jira", "li*") };
    gate.manage("s", granting(glob, Scope::Session)).await;
    let held = gate.held("s").await.0;
    assert_eq!(held[0].annotations.unwrap().open_world_hint, Some(false));
    assert_eq!(held[1].annotations, None, "it names more than one tool");
    declare(&gate, vec![declared("jira", "get", OPEN), declared("jira", "list", WILD)]).await;
    assert_eq!(action(&gate, jira("")).await, Action::Escalate);
    assert_eq!(action(&gate, mcp_call("jira", "list", "")).await, Action::Approve);
    assert_eq!(gate.held("s").await.0.len(), 1);
}

#[tokio::test]
async fn annotations_are_read_for_each_decision_42() {
    let policy = r#"{ "approvals": { "mode": "manual",
        "allow": [{ "type": "mcpTool", "server": "jira", "matcher": "hint", "pattern": { "readOnlyHint": true } }],
        "mcp": { "servers": { "jira": { "trustAnnotations": ["readOnlyHint"] } } } }, "mcpServers": { "jira": {} } }"#;
    let gate = Gate::start(Setup { policy: policy.to_owned(), ..Setup::default() }).await;
    gate.open(opening("s")).await;
    for (hints, expected) in [(MILD, Action::Approve), (WILD, Action::Escalate), (MILD, Action::Approve)] {
        declare(&gate, vec![declared("jira", "get", hints)]).await;
        assert_eq!(action(&gate, jira("")).await, expected);
    }
}
