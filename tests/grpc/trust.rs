//! Trust in MCP servers: viewed, changed and foretold.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::manage_grants_response::Result as Done;
use pb::{Action, Hint, Scope};

const POLICY: &str = r#"{ "approvals": { "mode": "manual", "mcp": {
    "defaults": { "trustAnnotations": ["openWorldHint"] },
    "servers": { "jira": { "trustAnnotations": ["readOnlyHint"] }, "jyra": { "trustAnnotations": [] } } } },
    "mcpServers": { "jira": {}, "web": {} } }"#;

async fn gate() -> Gate {
    let gate = Gate::start(Setup { policy: POLICY.to_owned(), ..Setup::default() }).await;
    gate.open(opening("s")).await;
    gate
}

fn change(server: &str, believe: &[Hint], disbelieve: &[Hint]) -> pb::TrustChange {
    let numbers = |hints: &[Hint]| hints.iter().map(|hint| (*hint).into()).collect();
    pb::TrustChange { server: server.to_owned(), believe: numbers(believe), disbelieve: numbers(disbelieve) }
}

async fn changed(gate: &Gate, change: pb::TrustChange) -> pb::TrustChanged {
    match gate.manage("s", Operation::ChangeTrust(change)).await {
        Done::ChangeTrust(changed) => changed,
        other => panic!("{other:?}"),
    }
}

async fn predicted(gate: &Gate, change: pb::TrustChange) -> pb::TrustChanged {
    match gate.manage("s", Operation::PredictTrust(change)).await {
        Done::PredictTrust(changed) => changed,
        other => panic!("{other:?}"),
    }
}

async fn view(gate: &Gate, session: &str) -> pb::TrustView {
    match gate.manage(session, Operation::ViewTrust(pb::ViewTrust {})).await {
        Done::ViewTrust(view) => view,
        other => panic!("{other:?}"),
    }
}

fn seen(view: &pb::TrustView) -> Vec<(&str, Vec<Hint>, bool, bool)> {
    view.servers
        .iter()
        .map(|server| (server.server.as_str(), server.trusted().collect(), server.configured, server.changed))
        .collect()
}

#[tokio::test]
async fn every_key_that_either_side_names_is_viewed_30() {
    let gate = gate().await;
    let found = view(&gate, "s").await;
    assert_eq!(found.defaults().collect::<Vec<_>>(), [Hint::OpenWorld]);
    assert_eq!(
        seen(&found),
        [
            ("jira", vec![Hint::ReadOnly], true, false),
            ("web", vec![Hint::OpenWorld], true, false),
            ("jyra", vec![], false, false),
        ]
    );
    assert_eq!(gate.get("s").await.trust.unwrap(), found);
}

#[tokio::test]
async fn trust_is_granular_to_the_hint_31() {
    let gate = gate().await;
    changed(&gate, change("jira", &[Hint::ReadOnly], &[])).await;
    changed(&gate, change("jira", &[Hint::OpenWorld], &[])).await;
    let after = changed(&gate, change("jira", &[], &[Hint::ReadOnly])).await;
    assert_eq!(after.trusted().collect::<Vec<_>>(), [Hint::OpenWorld]);
    assert_eq!(after.removed().collect::<Vec<_>>(), [Hint::ReadOnly]);
    assert_eq!(after.weakening().collect::<Vec<_>>(), [Hint::ReadOnly]);
    let idempotent = changed(&gate, change("jira", &[Hint::Idempotent], &[])).await;
    assert_eq!(
        idempotent.trusted().collect::<Vec<_>>(),
        [Hint::Idempotent, Hint::OpenWorld],
        "in canonical order"
    );
    let after = changed(&gate, change("jira", &[], &[Hint::Idempotent])).await;
    assert!(after.weakening.is_empty(), "without it no grant is lost");
}

#[tokio::test]
async fn a_change_starts_from_the_set_that_the_defaults_give_32() {
    let gate = gate().await;
    let after = changed(&gate, change("web", &[Hint::ReadOnly], &[])).await;
    assert_eq!(after.trusted().collect::<Vec<_>>(), [Hint::ReadOnly, Hint::OpenWorld]);
    assert_eq!(after.added().collect::<Vec<_>>(), [Hint::ReadOnly]);
    assert!(after.configured && after.removed.is_empty());
    let unknown = changed(&gate, change("later", &[Hint::Destructive], &[])).await;
    assert!(!unknown.configured, "trust may precede the server");
    assert_eq!(unknown.trusted().collect::<Vec<_>>(), [Hint::Destructive, Hint::OpenWorld]);
    let found = view(&gate, "s").await;
    assert!(seen(&found).contains(&("web", vec![Hint::ReadOnly, Hint::OpenWorld], true, true)));
    assert!(seen(&found).contains(&("later", vec![Hint::Destructive, Hint::OpenWorld], false, true)));
}

#[tokio::test]
async fn changes_are_the_sessions_alone_and_go_when_it_is_opened_again_33() {
    let gate = gate().await;
    let before = view(&gate, "s").await;
    changed(&gate, change("web", &[Hint::ReadOnly], &[])).await;
    gate.open(opening("new")).await;
    assert_eq!(view(&gate, "new").await, before);
    assert_ne!(view(&gate, "s").await, before);
    gate.open(opening("s")).await;
    assert_eq!(view(&gate, "s").await, before);
}

#[tokio::test]
async fn a_fully_believed_tool_still_asks_where_everything_does_34() {
    let gate = gate().await;
    let tool = declared("jira", "get", [Some(true), Some(false), Some(true), Some(false)]);
    gate.update(pb::UpdateSessionRequest { tools: catalogue(vec![tool]), ..changing("s") }).await;
    changed(
        &gate,
        change("jira", &[Hint::ReadOnly, Hint::Destructive, Hint::Idempotent, Hint::OpenWorld], &[]),
    )
    .await;
    assert_eq!(gate.decide(ask("s", mcp_call("jira", "get", ""))).await.action(), Action::Escalate);
}

/// A gate where the named server is believed and has a granted tool.
async fn granted() -> Gate {
    let gate = gate().await;
    let tool = declared("jira", "get", [Some(true), Some(false), None, Some(false)]);
    gate.update(pb::UpdateSessionRequest { tools: catalogue(vec![tool]), ..changing("s") }).await;
    changed(
        &gate,
        change("jira", &[Hint::ReadOnly, Hint::Destructive, Hint::Idempotent, Hint::OpenWorld], &[]),
    )
    .await;
    let id = gate.decide(ask("s", mcp_call("jira", "get", ""))).await.escalation_id;
    gate.answer(answering(&id, pb::Verdict::Approve, Scope::Session)).await;
    gate
}

#[tokio::test]
async fn a_withdrawal_foretells_and_deletes_nothing_itself_35_36() {
    let gate = granted().await;
    // What is read-only destroys nothing, so that disbelieving the other hint takes nothing away.
    for (hint, lost) in [(Hint::ReadOnly, 1), (Hint::Destructive, 0), (Hint::OpenWorld, 1)] {
        let before = (view(&gate, "s").await, gate.verify().await.head_sequence);
        let foretold = predicted(&gate, change("jira", &[], &[hint])).await;
        assert_eq!(
            (view(&gate, "s").await, gate.verify().await.head_sequence),
            before,
            "a prediction does nothing"
        );
        assert_eq!(foretold.invalidates.len(), lost, "{hint:?}");
    }
    let harmless = predicted(&gate, change("jira", &[], &[Hint::Idempotent])).await;
    assert!(harmless.invalidates.is_empty() && harmless.weakening.is_empty());
    let foretold = predicted(&gate, change("jira", &[], &[Hint::ReadOnly])).await;
    let done = changed(&gate, change("jira", &[], &[Hint::ReadOnly])).await;
    assert_eq!(done, foretold);
    assert_eq!(gate.held("s").await.0, done.invalidates, "the grant is there still");
    let next = gate.decide(ask("s", mcp_call("jira", "get", ""))).await;
    assert_eq!(next.action(), Action::Escalate);
    assert!(
        next.notices.iter().any(|notice| notice.code() == pb::NoticeCode::GrantWithdrawn),
        "{:?}",
        next.notices
    );
    assert!(gate.held("s").await.0.is_empty());
}
