//! Invariants 91 to 97: a tool that describes itself as more dangerous loses its grant.

use crate::harness::{Gate, Session, all_safe, declares, mcp, mcp_entry, registered, trusting};
use haltgate::gate::{Action, Call, GrantScope, NoticeKind, Scope, Terms};
use serde_json::{Value, json};

fn get(arguments: Value) -> Call {
    mcp("jira", "get", arguments)
}

fn with(hint: &str, value: bool) -> Value {
    let mut hints = all_safe();
    hints[hint] = json!(value);
    hints
}

async fn trusted() -> (Gate, Session) {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let session = gate.open("a").await;
    session.declare(vec![declares("jira", "get", &all_safe()), declares("github", "get", &all_safe())]).await;
    (gate, session)
}

#[tokio::test]
async fn invariant_91_a_weakened_grant_is_dropped_with_a_notice_and_the_call_asks_again() {
    for scope in [Scope::Session, Scope::Always] {
        let (_gate, session) = trusted().await;
        session.granted(get(json!({})), scope).await;
        session.declare(vec![declares("jira", "get", &with("openWorldHint", true))]).await;
        let ruling = session.ask(get(json!({}))).await;
        assert_eq!(ruling.decision.action, Action::Escalate, "{scope:?}");
        let notice =
            ruling.decision.notices.iter().find(|notice| notice.kind == NoticeKind::GrantWithdrawn).unwrap();
        for part in ["jira", "get", "openWorldHint", "false", "true"] {
            assert!(notice.text.contains(part), "{}", notice.text);
        }
        assert!(!notice.text.contains("readOnlyHint"), "only what moved: {}", notice.text);
        assert!(session.holdings().await.grants.is_empty() && session.persisted().await.is_empty());
    }
}

#[tokio::test]
async fn only_moves_toward_danger_count() {
    let cases = [
        ("readOnlyHint", true, false, true),
        ("openWorldHint", false, true, true),
        ("idempotentHint", true, false, false),
        ("openWorldHint", true, false, false),
        ("readOnlyHint", false, true, false),
    ];
    for (hint, before, after, drops) in cases {
        let (_gate, session) = trusted().await;
        session.declare(vec![declares("jira", "get", &with(hint, before))]).await;
        session.granted(get(json!({})), Scope::Session).await;
        session.declare(vec![declares("jira", "get", &with(hint, after))]).await;
        let expected = if drops { Action::Escalate } else { Action::Approve };
        assert_eq!(
            session.ask(get(json!({}))).await.decision.action,
            expected,
            "{hint} from {before} to {after}"
        );
    }
    let (_gate, session) = trusted().await;
    let writes = |destructive: bool| json!({ "readOnlyHint": false, "openWorldHint": false, "destructiveHint": destructive });
    session.declare(vec![declares("jira", "get", &writes(false))]).await;
    session.granted(get(json!({})), Scope::Session).await;
    session.declare(vec![declares("jira", "get", &writes(true))]).await;
    assert_eq!(
        session.ask(get(json!({}))).await.decision.action,
        Action::Escalate,
        "destructiveHint from false to true"
    );
}

#[tokio::test]
async fn invariant_92_only_a_trusted_server_can_weaken() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    session.granted(get(json!({})), Scope::Session).await;
    let worst = json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true });
    session.declare(vec![declares("jira", "get", &worst)]).await;
    assert_eq!(session.ask(get(json!({}))).await.decision.action, Action::Approve);
}

#[tokio::test]
async fn invariant_93_only_the_call_in_hand_is_looked_at() {
    let (_gate, session) = trusted().await;
    session.granted(get(json!({})), Scope::Session).await;
    session.granted(mcp("github", "get", json!({})), Scope::Always).await;
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    for _ in 0..3 {
        assert_eq!(session.ask(get(json!({}))).await.decision.action, Action::Approve);
    }
    assert_eq!(session.persisted().await.len(), 1, "github is offline, and nobody asked for it");
    assert_eq!(session.ask(mcp("github", "get", json!({}))).await.decision.action, Action::Escalate);
    assert!(session.persisted().await.is_empty());
}

#[tokio::test]
async fn invariant_94_the_grant_for_the_calls_host_and_the_one_without_a_host_are_candidates() {
    let (_gate, session) = trusted().await;
    let at = |host: &str| get(json!({ "url": format!("https://{host}/x") }));
    session.granted(at("a.example"), Scope::Session).await;
    session.granted(get(json!({})), Scope::Always).await;
    session.declare(vec![declares("jira", "get", &with("openWorldHint", true))]).await;
    let ruling = session.ask(at("a.example")).await;
    let withdrawn =
        ruling.decision.notices.iter().filter(|notice| notice.kind == NoticeKind::GrantWithdrawn).count();
    assert_eq!((ruling.decision.action, withdrawn), (Action::Escalate, 2));
    assert!(session.holdings().await.grants.is_empty());
}

#[tokio::test]
async fn invariant_95_a_grant_for_another_host_is_untouched() {
    let (_gate, session) = trusted().await;
    let at = |host: &str| get(json!({ "url": format!("https://{host}/x") }));
    session.granted(at("a.example"), Scope::Session).await;
    session.declare(vec![declares("jira", "get", &with("openWorldHint", true))]).await;
    assert_eq!(session.ask(at("b.example")).await.decision.action, Action::Escalate);
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    assert_eq!(session.ask(at("a.example")).await.decision.action, Action::Approve);
}

#[tokio::test]
async fn invariant_96_a_refusal_is_never_dropped_by_weakening() {
    let (_gate, session) = trusted().await;
    session.refused(get(json!({}))).await;
    for hints in [with("openWorldHint", true), with("readOnlyHint", false), all_safe(), json!({})] {
        session.declare(vec![declares("jira", "get", &hints)]).await;
        assert_eq!(session.ask(get(json!({}))).await.decision.action, Action::Reject, "{hints}");
    }
}

/// A weakened grant goes even when a deny entry then decides the call.
#[tokio::test]
async fn a_weakened_grant_goes_even_when_the_call_is_refused_for_another_reason() {
    let (_gate, session) = trusted().await;
    session.granted(get(json!({})), Scope::Session).await;
    session.deny(&mcp_entry("jira", "get")).await;
    session.declare(vec![declares("jira", "get", &with("openWorldHint", true))]).await;
    assert_eq!(session.ask(get(json!({}))).await.decision.action, Action::Reject);
    assert!(session.holdings().await.grants.is_empty());
}

#[tokio::test]
async fn invariant_97_the_weakened_grant_is_deleted_so_that_granting_it_again_sticks() {
    let (_gate, session) = trusted().await;
    session.granted(get(json!({})), Scope::Session).await;
    session.declare(vec![declares("jira", "get", &with("openWorldHint", true))]).await;
    session.granted(get(json!({})), Scope::Session).await;
    assert_eq!(session.ask(get(json!({}))).await.decision.action, Action::Approve);
    assert!(session.holdings().await.grants[0].annotations.unwrap().open_world, "with what it is now");
}

/// A grant with an expiry or uses left is weakened like any other, and its terms do not come back.
#[tokio::test]
async fn terms_do_not_protect_a_grant_from_weakening() {
    let (_gate, session) = trusted().await;
    let later = haltgate::gate::Moment(session.gate.engine.now().0 + 3_600_000_000);
    let terms = Terms { max_uses: Some(5), expires_at: Some(later), note: None };
    session.grant(&mcp_entry("jira", "get"), GrantScope::Always, terms).await;
    assert_eq!(session.ask(registered("mcp__jira__get", json!({}))).await.decision.action, Action::Approve);
    session.declare(vec![declares("jira", "get", &with("readOnlyHint", false))]).await;
    assert_eq!(session.ask(registered("mcp__jira__get", json!({}))).await.decision.action, Action::Escalate);
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    assert_eq!(
        session.ask(get(json!({}))).await.decision.action,
        Action::Escalate,
        "it does not come back with the hints"
    );
    assert!(session.persisted().await.is_empty());
}
