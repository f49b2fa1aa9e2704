//! Invariants 83 to 90: what a refusal remembers.

use crate::harness::{Gate, Session, caller, mcp, no, registered, shell, tool};
use haltgate::gate::{Action, Call, Offer, Outcome, RejectScope, Rung, Scope, Stage};
use haltgate::session::EngineError;
use serde_json::json;

async fn offered(session: &Session, call: &Call) -> Option<Offer> {
    session
        .gate
        .engine
        .explain(&session.project, Some(&session.name), "run", call, &caller("ada"))
        .await
        .unwrap()
        .denial
}

#[tokio::test]
async fn invariant_83_a_composed_command_can_be_refused_for_the_session() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for command in ["ls && rm -rf build", "x > f", "a $(b)", "echo 'unterminated"] {
        session.refused(shell(command)).await;
        let again = session.shell(command).await;
        assert_eq!(
            (again.decision.action, again.decision.stage),
            (Action::Reject, Stage::DenyList),
            "{command}"
        );
        assert!(
            again.decision.message.contains("refused this at an earlier prompt"),
            "{}",
            again.decision.message
        );
    }
    assert_eq!(session.action("ls").await, Action::Escalate);
}

#[tokio::test]
async fn invariant_84_a_catastrophic_rating_does_not_withdraw_the_offer_to_refuse() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    gate.rater.say(Outcome::Catastrophic);
    let session = gate.open("a").await;
    session.refused(shell("terraform destroy")).await;
    assert_eq!((session.action("terraform destroy").await, gate.rater.calls()), (Action::Reject, 1));
}

#[tokio::test]
async fn invariant_85_bypass_does_not_withdraw_it_and_a_refusal_holds_there() {
    let gate = Gate::new(json!({ "mode": "write" }));
    let session = gate.open("a").await;
    session.refused(shell("make deploy")).await;
    session.set_rung(Rung::Bypass).await;
    assert_eq!(session.action("make deploy").await, Action::Reject);
    session.refused(tool("run_shell_command", json!({}))).await;
    assert_eq!(session.ask(tool("run_shell_command", json!({}))).await.decision.action, Action::Reject);
}

#[tokio::test]
async fn invariant_86_a_refusal_of_several_hosts_names_none_and_shows_that() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let two = || tool("fetch", json!({ "a": "https://a.example", "b": "https://b.example" }));
    assert_eq!(offered(&session, &two()).await.unwrap().summary, "tool fetch");
    session.refused(two()).await;
    assert_eq!(
        session.ask(tool("fetch", json!({ "url": "https://c.example" }))).await.decision.action,
        Action::Reject
    );
}

#[tokio::test]
async fn invariant_87_the_shell_tool_without_a_command_can_be_refused_as_the_tool() {
    let gate = Gate::new(json!({ "mode": "write" }));
    let session = gate.open("a").await;
    let unreadable = || tool("run_shell_command", json!({}));
    assert_eq!(offered(&session, &unreadable()).await.unwrap().summary, "tool run_shell_command");
    session.refused(unreadable()).await;
    assert_eq!(session.ask(unreadable()).await.decision.action, Action::Reject);
    assert_eq!(session.action("ls").await, Action::Escalate, "a command that can be read is not a tool");
}

#[tokio::test]
async fn invariant_88_only_an_unattributable_call_lacks_the_offer_to_refuse() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let ghost = registered("mcp__ghost__get", json!({}));
    assert_eq!(offered(&session, &ghost).await, None);
    let asked = session.ask(ghost).await;
    let refused = session.try_answer(&asked, no(RejectScope::Session)).await;
    assert!(matches!(refused, Err(EngineError::ScopeNotOffered { .. })), "{refused:?}");
    assert_eq!(session.answer(&asked, no(RejectScope::Once)).await.decision.action, Action::Reject);
    for call in [
        shell("ls && x"),
        shell("'"),
        tool("x", json!({ "a": "see https://a.example" })),
        mcp("unknown", "get", json!({})),
    ] {
        assert!(offered(&session, &call).await.is_some(), "{call:?}");
    }
}

/// The design goes further than the number: a session that is opened again keeps its refusals. Another session has none.
#[tokio::test]
async fn invariant_89_refusals_live_for_the_session_and_never_claim_more() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.refused(shell("make")).await;
    let said = session.shell("make").await.decision.message;
    assert!(said.contains("until this session is closed"), "{said}");
    assert_eq!(gate.open("b").await.action("make").await, Action::Escalate);
    assert_eq!(session.action("make").await, Action::Reject);
}

#[tokio::test]
async fn invariant_90_once_remembers_nothing_session_is_the_session_and_always_is_the_project() {
    for (scope, here, elsewhere) in [
        (Scope::Once, Action::Escalate, Action::Escalate),
        (Scope::Session, Action::Approve, Action::Escalate),
        (Scope::Always, Action::Approve, Action::Approve),
    ] {
        let gate = Gate::new(json!({ "mode": "manual" }));
        let session = gate.open("a").await;
        let approved = session.granted(shell("make"), scope).await;
        assert_eq!(approved.decision.scope, Some(scope));
        assert_eq!(session.action("make").await, here, "{scope:?}");
        assert_eq!(gate.open("b").await.action("make").await, elsewhere, "{scope:?}");
        let mut stranger = gate.at("a");
        stranger.project = "another".to_owned();
        assert_eq!(stranger.action("make").await, Action::Escalate, "another tenant has nothing of it");
    }
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    session.answer(&asked, no(RejectScope::Once)).await;
    assert_eq!((session.action("make").await, session.view().await.denials.len()), (Action::Escalate, 0));
}

#[tokio::test]
async fn a_refusal_that_was_lifted_is_gone() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.refused(shell("make")).await;
    let denial = session.holdings().await.denials.remove(0);
    let identity = haltgate::rules::Identity::of(&denial.entry).as_str().to_owned();
    session.manage(haltgate::session::Operation::Lift { identity }).await;
    assert_eq!(session.action("make").await, Action::Escalate);
}
