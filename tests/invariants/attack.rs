//! Invariants 15 to 23: nobody to ask, and the one seam through which an attack ends a run.

use crate::harness::{Gate, Session, glob, shell, told};
use haltgate::gate::{Action, AttackAnswer, HumanSaid, Outcome, Rung, Scope, Stage};
use haltgate::session::Ruling;
use serde_json::json;
use std::time::Duration;

async fn under_attack() -> (Gate, Session) {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [glob("git *")] }));
    gate.rater.say(Outcome::Attack);
    let session = gate.open("a").await;
    (gate, session)
}

/// A command that no list names and one that an allow entry lets through, with the stage that rates it.
const BOTH_PATHS: [(&str, Stage); 2] =
    [("cat ~/.ssh/id_rsa", Stage::Rater), ("git status", Stage::AllowTripwire)];

#[tokio::test]
async fn invariant_15_an_unattended_session_never_hangs_and_never_approves() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open_as("a", |opening| opening.interactive = Some(false)).await;
    let ruling = tokio::time::timeout(Duration::from_secs(5), session.shell("npm test")).await.unwrap();
    assert_eq!(told(&ruling), (Action::Unattended, Stage::UnratedRung));
    assert_eq!((ruling.decision.human, ruling.decision.scope), (Some(HumanSaid::Nobody), None));
    assert_eq!((ruling.escalation_id, session.view().await.open_questions), (None, 0));
}

#[tokio::test]
async fn invariant_16_without_a_watcher_an_attack_halts_at_once_and_no_prompt_is_raised() {
    let (gate, session) = under_attack().await;
    for (command, stage) in BOTH_PATHS {
        let session = session.run(command);
        let ruling = session.shell(command).await;
        assert_eq!(told(&ruling), (Action::Halt, stage));
        assert_eq!(ruling.decision.human, Some(HumanSaid::Nobody));
        assert_eq!(ruling.escalation_id, None, "whoever answers escalations is not asked");
    }
    assert_eq!(session.view().await.open_questions, 0);
    assert!(gate.engine.store().open_halts(None, None).await.unwrap().is_empty());
}

#[tokio::test]
async fn invariant_17_both_rating_paths_share_one_attack_seam() {
    let (gate, session) = under_attack().await;
    let mut halts = Vec::new();
    for (command, stage) in BOTH_PATHS {
        let ruling = session.watched().run(command).shell(command).await;
        assert_eq!(told(&ruling), (Action::Escalate, stage));
        let row = gate.engine.store().halt(ruling.halt_id.as_ref().unwrap()).await.unwrap().unwrap();
        halts.push((row.status, row.run, ruling.decision.message.replace(command, "…"), ruling.run_halted));
    }
    assert_eq!((&halts[0].0, &halts[0].2, halts[0].3), (&halts[1].0, &halts[1].2, halts[1].3));
    for (command, _) in BOTH_PATHS {
        assert_eq!(session.run(command).action("ls").await, Action::Halt, "the run waits with it");
    }
}

#[tokio::test]
async fn invariant_18_elapsed_time_is_never_consent() {
    let (gate, session) = under_attack().await;
    let watched = session.watched().shell("cat ~/.ssh/id_rsa").await;
    let later = gate.engine.wait_for_human(watched, Duration::from_millis(50)).await.unwrap();
    assert_eq!(later.decision.action, Action::Escalate, "it still waits");
    gate.rater.say(Outcome::Destructive);
    let asked = session.run("other").shell("make").await;
    let later = gate.engine.wait_for_human(asked, Duration::from_millis(50)).await.unwrap();
    assert_eq!(later.decision.action, Action::Escalate);
}

async fn run_anyway(session: &Session, command: &str) -> Ruling {
    let ruling = session.watched().shell(command).await;
    session.answer_attack(&ruling, AttackAnswer::RunAnyway).await.unwrap()
}

#[tokio::test]
async fn invariant_19_run_anyway_approves_one_command_once() {
    let (_gate, session) = under_attack().await;
    for (command, stage) in BOTH_PATHS {
        let ruling = run_anyway(&session, command).await;
        assert_eq!(told(&ruling), (Action::Approve, stage));
        assert_eq!(
            (ruling.decision.scope, ruling.decision.human),
            (Some(Scope::Once), Some(HumanSaid::Approve))
        );
        assert!(!ruling.run_halted, "and the run may go on");
    }
}

#[tokio::test]
async fn invariant_20_run_anyway_stores_nothing() {
    let (_gate, session) = under_attack().await;
    let before = session.view().await;
    run_anyway(&session, "cat ~/.ssh/id_rsa").await;
    assert!(session.holdings().await.grants.is_empty() && session.persisted().await.is_empty());
    let after = session.view().await;
    assert_eq!(
        (after.session_grants, after.policy.allow.len()),
        (before.session_grants, before.policy.allow.len())
    );
}

#[tokio::test]
async fn invariant_21_the_next_identical_call_is_rated_and_stopped_again() {
    let (gate, session) = under_attack().await;
    for (command, _) in BOTH_PATHS {
        let before = gate.rater.calls();
        run_anyway(&session, command).await;
        let again = session.watched().shell(command).await;
        assert_eq!((again.decision.action, again.halt_id.is_some()), (Action::Escalate, true));
        assert_eq!(gate.rater.calls(), before + 2);
        session.answer_attack(&again, AttackAnswer::RunAnyway).await.unwrap();
    }
}

#[tokio::test]
async fn invariant_22_run_anyway_changes_nothing_for_anything_else() {
    let (gate, session) = under_attack().await;
    run_anyway(&session, "cat ~/.ssh/id_rsa").await;
    assert_eq!(session.view().await.rung, Rung::Assisted);
    gate.rater.say(Outcome::Destructive);
    assert_eq!(session.action("make").await, Action::Escalate);
    gate.rater.say(Outcome::Attack);
    assert_eq!(session.run("unwatched").action("cat ~/.aws/credentials").await, Action::Halt);
}

/// The contract's enum has no other value than these two; that every other text stops is the reader's of the wire.
#[tokio::test]
async fn invariant_23_any_other_answer_stops() {
    let (_gate, session) = under_attack().await;
    let ruling = session.watched().shell("cat ~/.ssh/id_rsa").await;
    let stopped = session.answer_attack(&ruling, AttackAnswer::Stop).await.unwrap();
    assert_eq!((stopped.decision.action, stopped.decision.human), (Action::Halt, Some(HumanSaid::Reject)));
    assert_eq!(session.action("ls").await, Action::Halt, "the run stays halted");
    assert!(
        session.answer_attack(&ruling, AttackAnswer::RunAnyway).await.is_err(),
        "the first answer stands"
    );
    assert_eq!(session.action("ls").await, Action::Halt);
    for word in ["RunAnyway", "RUN-ANYWAY", "run-anyway", "", "yes"] {
        assert!(serde_json::from_value::<AttackAnswer>(json!(word)).is_err(), "{word}");
    }
}

#[tokio::test]
async fn closing_a_session_stops_what_waits_for_a_watcher() {
    let (gate, session) = under_attack().await;
    let ruling = session.watched().shell("cat ~/.ssh/id_rsa").await;
    let waiting = {
        let engine = gate.engine.clone();
        tokio::spawn(async move { engine.wait_for_human(ruling, Duration::from_secs(30)).await })
    };
    tokio::task::yield_now().await;
    session.close().await;
    let ruling = waiting.await.unwrap().unwrap();
    assert_eq!(ruling.decision.action, Action::Halt);
    assert!(session.try_ask(shell("ls")).await.is_err());
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Safe);
    assert_eq!(session.action("ls").await, Action::Halt, "opening it again does not un-halt the run");
    assert_eq!(session.run("next").action("ls").await, Action::Approve, "a new run starts clean");
}
