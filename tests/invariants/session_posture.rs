//! Invariants 1 to 14: what a session is, and that it is its own.

use crate::harness::{FLOORED, Gate, exact, glob, policies, shell, tool};
use haltgate::config::{Overrides, Source, load};
use haltgate::gate::{
    Action, FailureCause, GrantScope, NoticeKind, Outcome, RejectScope, Rung, Scope, Stage, Terms,
};
use serde_json::json;

/// Opens a session on a rung.
async fn on(gate: &Gate, name: &str, rung: Rung) -> crate::harness::Session {
    gate.open_as(name, |opening| opening.rung = Some(rung)).await
}

#[tokio::test]
async fn invariant_1_the_rung_is_session_state_and_never_persisted() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let first = gate.open("first").await;
    first.set_rung(Rung::Bypass).await;
    assert_eq!(gate.open("second").await.view().await.rung, Rung::Manual);
    first.close().await;
    assert_eq!(
        gate.open("first").await.view().await.rung,
        Rung::Manual,
        "opened again, it is as the policy says"
    );
    assert_eq!(gate.engine.policies().get("project", None).rung, Rung::Manual);
}

#[tokio::test]
async fn invariant_2_a_rung_switch_governs_the_very_next_call() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    let write = || tool("write_file", json!({ "path": "a" }));
    assert_eq!(session.ask(write()).await.decision.action, Action::Approve);
    session.set_rung(Rung::Manual).await;
    assert_eq!(session.ask(write()).await.decision.action, Action::Escalate);
    session.set_rung(Rung::Write).await;
    assert_eq!(session.ask(write()).await.decision.action, Action::Approve);
}

#[tokio::test]
async fn invariant_3_a_session_configured_at_bypass_can_be_switched_back() {
    let gate = Gate::new(json!({ "mode": "bypass" }));
    let session = gate.open("a").await;
    assert_eq!(session.action("echo hi").await, Action::Approve);
    session.set_rung(Rung::Write).await;
    assert_eq!(session.action("echo hi").await, Action::Escalate);
}

/// The design goes further than the number: the gate is the last line, so the floor holds at `bypass` too.
#[tokio::test]
async fn invariant_4_no_rung_disables_the_hardline_floor() {
    let gate = Gate::new(json!({ "allow": [exact(FLOORED), glob("*")] }));
    for rung in Rung::ALL {
        let session = on(&gate, rung.as_str(), rung).await;
        session.grant(&exact(FLOORED), GrantScope::Session, Terms::default()).await;
        for command in [FLOORED, "ls; rm -rf /", "sudo rm -rf /"] {
            let ruling = session.shell(command).await;
            assert_eq!(
                (ruling.decision.action, ruling.decision.stage),
                (Action::Reject, Stage::HardlineFloor),
                "{rung}: {command}"
            );
        }
    }
    assert_eq!(gate.rater.calls(), 0);
}

#[tokio::test]
async fn invariant_5_setting_a_rung_is_idempotent_and_leaves_the_lists_alone() {
    let gate = Gate::new(json!({ "deny": [exact("a")], "allow": [exact("b")], "escalate": [exact("c")] }));
    let session = gate.open("a").await;
    let before = session.view().await;
    let first = session.set_rung(Rung::Auto).await;
    let second = session.set_rung(Rung::Auto).await;
    assert_eq!((first.rung, second.rung), (Rung::Auto, Rung::Auto));
    for view in [&first, &second] {
        assert_eq!(view.policy.revision, before.policy.revision);
        assert_eq!([view.policy.deny.len(), view.policy.allow.len(), view.policy.escalate.len()], [1, 1, 1]);
    }
}

#[tokio::test]
async fn invariant_6_an_unknown_rater_profile_fails_at_the_start_and_never_mid_turn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("haltgate.jsonc");
    std::fs::write(&file, json!({ "approvals": { "mode": "manual", "rater": "gone" } }).to_string()).unwrap();
    let overrides = Overrides { config: Some(file), ..Overrides::default() };
    let problems = load(&Source { folder: folder.path().to_path_buf(), overrides }).unwrap_err().to_string();
    assert!(problems.contains("gone") && problems.contains("profile"), "{problems}");
    // What was named at the start is what every rating of the session is asked for.
    let default = policies(&json!({ "approvals": { "mode": "assisted" } }));
    assert_eq!(default.get("project", None).rater, None);
}

#[tokio::test]
async fn invariant_7_every_rating_given_up_on_is_counted_and_said() {
    let gate = Gate::new(json!({ "mode": "assisted", "raterTimeoutMs": 1234, "allow": [glob("git *")] }));
    let session = gate.open("a").await;
    gate.rater.fail(FailureCause::Timeout);
    let said = |ruling: &haltgate::session::Ruling| -> Vec<String> {
        let notices =
            ruling.decision.notices.iter().filter(|notice| notice.kind == NoticeKind::RatingTimeout);
        notices.map(|notice| notice.text.clone()).collect()
    };
    let first = said(&session.shell("npm ci").await);
    assert_eq!(first.len(), 1);
    assert!(
        first[0].contains("1234 ms") && first[0].contains("raterTimeoutMs") && first[0].contains("human"),
        "{first:?}"
    );
    assert!(!first[0].contains("1 times"), "{first:?}");
    let second = said(&session.shell("git status").await);
    assert!(second[0].contains("2 times") && second[0].contains("ran on its allow match"), "{second:?}");
    session.set_rung(Rung::Auto).await;
    let third = said(&session.shell("npm ci").await);
    assert!(third[0].contains("3 times") && third[0].contains("back to the agent"), "{third:?}");
    assert_eq!(session.view().await.rating_timeouts, 3);
    gate.rater.fail(FailureCause::Transport);
    assert!(said(&session.shell("npm ci").await).is_empty(), "another failure is not a time-out");
}

#[tokio::test]
async fn invariant_8_session_grants_hold_entries_never_prefixes_and_never_what_is_declared() {
    let gate = Gate::new(json!({ "mode": "write", "allow": [exact("npm test")] }));
    let session = gate.open("a").await;
    session.granted(shell("git checkout main"), Scope::Session).await;
    assert_eq!(session.action("git  checkout 'main'").await, Action::Approve);
    for other in ["git checkout main --force", "git checkout", "git checkout maine", "git checkout main; ls"]
    {
        assert_eq!(session.action(other).await, Action::Escalate, "{other}");
    }
    let held = session.holdings().await.grants;
    let held: Vec<String> = held.iter().map(|grant| haltgate::rules::one_line(&grant.entry)).collect();
    assert_eq!(held, ["git checkout main"]);
}

#[tokio::test]
async fn invariant_9_session_grants_are_seen_by_no_other_session() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    first.granted(shell("npm test"), Scope::Session).await;
    assert_eq!(first.action("npm test").await, Action::Approve);
    assert_eq!(second.action("npm test").await, Action::Escalate);
    assert!(second.holdings().await.grants.is_empty());
    // Another tenant with a session of the same name is another session.
    let mut stranger = first.clone();
    stranger.project = "another".to_owned();
    assert_eq!(stranger.action("npm test").await, Action::Escalate);
}

#[tokio::test]
async fn invariant_10_runtime_and_declared_denials_are_one_list() {
    let gate = Gate::new(json!({ "mode": "write", "deny": [exact("npm publish")] }));
    let session = gate.open("a").await;
    session.refused(shell("make deploy")).await;
    for rung in Rung::ALL {
        session.set_rung(rung).await;
        for command in ["npm publish", "make deploy", "ls && make deploy"] {
            let ruling = session.shell(command).await;
            assert_eq!(
                (ruling.decision.action, ruling.decision.stage),
                (Action::Reject, Stage::DenyList),
                "{rung}: {command}"
            );
        }
    }
    assert_eq!(session.view().await.denials, ["make deploy"]);
}

#[tokio::test]
async fn invariant_11_the_persisted_grants_are_not_looked_at_until_a_gated_call_needs_them() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    assert_eq!(session.view().await.persisted_grants, None);
    session.ask(tool("read_file", json!({}))).await;
    assert_eq!(session.view().await.persisted_grants, None, "an ungated call needs none");
    session.shell("ls").await;
    assert_eq!(session.view().await.persisted_grants, Some(0));
}

/// The store is the truth here and nothing is acknowledged before it is durable, so `always` does not degrade quietly to
/// `session`: the answer fails, nothing is granted, and the question stays open until it can be stored. See `recovery`.
#[tokio::test]
async fn invariant_12_always_is_never_acknowledged_as_less() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("npm test").await;
    gate.engine.store().close().await.unwrap();
    assert!(session.try_answer(&asked, crate::harness::yes(Scope::Always)).await.is_err());
    assert!(session.try_ask(shell("npm test")).await.is_err(), "not approved on a grant that nobody stored");
}

#[tokio::test]
async fn invariant_13_negotiation_belongs_to_one_session() {
    let gate = Gate::new(json!({ "mode": "auto" }));
    gate.rater.say(Outcome::Destructive);
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    first.shell("rm -rf build").await;
    first.shell("rm -rf build").await;
    assert_eq!(second.action("rm -rf build").await, Action::Reject);
    assert_eq!((second.view().await.rounds.len(), second.view().await.budget.consecutive), (1, 1));
    assert_eq!(gate.rater.asked().last().unwrap().context, None, "its first rejection is round one");
    assert_eq!(first.view().await.budget.consecutive, 2);
}

#[tokio::test]
async fn invariant_14_records_belong_to_one_session() {
    let gate = Gate::new(json!({}));
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    first.shell("ls").await;
    assert_eq!((first.decisions().await.len(), second.decisions().await.len()), (1, 0));
    let asked = {
        gate.rater.say(Outcome::Destructive);
        second.shell("make").await
    };
    second.answer(&asked, crate::harness::no(RejectScope::Once)).await;
    assert_eq!((first.decisions().await.len(), second.decisions().await.len()), (1, 2));
}
