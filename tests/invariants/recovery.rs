//! What survives: an engine over the same file again, and a store that cannot write for a while.

use crate::harness::{Gate, Session, config, exact, no, shell, yes};
use haltgate::gate::{Action, AttackAnswer, Outcome, RejectScope, Rung, Scope, Stage};
use haltgate::session::EngineError;
use haltgate::store::{Health, SqliteOptions, SqliteStore};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

struct Place {
    _folder: tempfile::TempDir,
    path: PathBuf,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haltgate.db");
    Place { _folder: folder, path }
}

fn start(path: &Path, approvals: &Value) -> Gate {
    let options = SqliteOptions { busy_timeout: Duration::from_millis(50), ..SqliteOptions::default() };
    Gate::over(Arc::new(SqliteStore::open_with(path, &options).unwrap()), &config(approvals))
}

/// Ends the process, as far as the file can tell.
async fn stop(gate: Gate, sessions: impl IntoIterator<Item = Session>) {
    drop(sessions.into_iter().collect::<Vec<_>>());
    gate.engine.store().close().await.unwrap();
    let store = Arc::clone(gate.engine.store());
    drop(gate);
    crate::harness::until(|| Arc::strong_count(&store) == 1).await;
    tokio::task::spawn_blocking(move || drop(store)).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_id_is_known_after_a_restart() {
    let place = place();
    let approvals = json!({ "mode": "auto" });
    let gate = start(&place.path, &approvals);
    gate.rater.say(Outcome::Destructive);
    let session = gate.open("a").await;
    let first = session.try_again("r1", shell("make")).await.unwrap();
    stop(gate, [session]).await;
    let gate = start(&place.path, &approvals);
    let session = gate.at("a");
    let again = session.try_again("r1", shell("make")).await.unwrap();
    assert_eq!(
        (again.decision_id, again.replayed, again.decision.action),
        (first.decision_id, true, Action::Reject)
    );
    assert_eq!(
        (gate.rater.calls(), session.view().await.rounds.len(), session.decisions().await.len()),
        (0, 1, 1)
    );
    let reused = session.try_again("r1", shell("ls")).await;
    assert!(matches!(reused, Err(EngineError::RequestReused { .. })), "{reused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_prompt_is_answered_after_a_restart_and_its_caller_picks_the_answer_up() {
    let place = place();
    let approvals = json!({ "mode": "manual" });
    let gate = start(&place.path, &approvals);
    let session = gate.open("a").await;
    let asked = session.try_again("r1", shell("make")).await.unwrap();
    stop(gate, [session]).await;
    let gate = start(&place.path, &approvals);
    let session = gate.at("a");
    assert_eq!(session.view().await.open_questions, 1);
    let waiting = {
        let session = session.clone();
        tokio::spawn(async move {
            let ruling = session.try_again("r1", shell("make")).await.unwrap();
            session.gate.engine.wait_for_human(ruling, Duration::from_secs(10)).await.unwrap()
        })
    };
    let answered = session.answer(&asked, yes(Scope::Always)).await;
    assert_eq!(answered.decision.scope, Some(Scope::Always));
    assert_eq!(waiting.await.unwrap().decision.action, Action::Approve);
    assert_eq!(session.action("make").await, Action::Approve);
    assert!(matches!(
        session.try_answer(&asked, no(RejectScope::Once)).await,
        Err(EngineError::AlreadyAnswered { .. })
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_a_session_remembers_survives_a_restart() {
    let place = place();
    let approvals = json!({ "mode": "manual" });
    let gate = start(&place.path, &approvals);
    let session = gate.open("a").await;
    session.granted(shell("one"), Scope::Session).await;
    session.granted(shell("two"), Scope::Always).await;
    session.refused(shell("three && four")).await;
    session.set_rung(Rung::Auto).await;
    gate.rater.say(Outcome::Destructive);
    session.shell("make").await;
    gate.rater.say(Outcome::Attack);
    session.run("halted").shell("cat ~/.ssh/id_rsa").await;
    let halt = session.watched().run("watched").shell("cat ~/.ssh/id_rsa").await;
    stop(gate, [session]).await;
    let gate = start(&place.path, &approvals);
    let session = gate.at("a");
    assert_eq!(session.view().await.rung, Rung::Auto);
    assert_eq!(session.run("halted").action("one").await, Action::Halt);
    assert_eq!(session.run("watched").action("one").await, Action::Halt);
    session.answer_attack(&halt, AttackAnswer::RunAnyway).await.unwrap();
    assert_eq!(session.run("watched").action("one").await, Action::Approve);
    assert_eq!(session.action("two").await, Action::Approve);
    assert_eq!(session.action("three && four").await, Action::Reject);
    assert_eq!(gate.engine.verify_audit("project", None).await.unwrap().broken, None);
}

/// Design §2.10, and §2.9 for halted runs.
#[tokio::test]
async fn what_a_human_refused_does_not_come_back_by_opening_the_session_again() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.granted(shell("one"), Scope::Session).await;
    session.refused(shell("two")).await;
    for close in [false, true] {
        if close {
            session.close().await;
        }
        let session = gate.open("a").await;
        assert_eq!(session.action("two").await, Action::Reject);
        assert_eq!(session.action("one").await, Action::Approve);
        session.set_rung(Rung::Bypass).await;
        assert_eq!(session.action("two").await, Action::Reject);
    }
}

fn intruder(path: &Path) -> rusqlite::Connection {
    let other = rusqlite::Connection::open(path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

async fn recovered(gate: &Gate) {
    for _ in 0..200 {
        if gate.engine.store().health() == Health::Available {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{:?}", gate.engine.store().health());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_cannot_write_acknowledges_nothing_and_everything_goes_on_when_it_can() {
    let place = place();
    let gate = start(&place.path, &json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    let before = gate.records().await.len();
    let other = intruder(&place.path);
    assert!(matches!(session.try_answer(&asked, yes(Scope::Always)).await, Err(EngineError::Store(_))));
    assert!(
        matches!(session.try_ask(shell("make")).await, Err(EngineError::Store(_))),
        "not approved on that grant"
    );
    assert!(matches!(session.try_again("r1", shell("ls")).await, Err(EngineError::Store(_))));
    let deny = haltgate::session::Operation::Deny { entry: crate::harness::entry(&exact("x")), note: None };
    assert!(matches!(session.try_manage(deny).await, Err(EngineError::Store(_))));
    other.execute_batch("ROLLBACK").unwrap();
    recovered(&gate).await;
    assert_eq!(gate.records().await.len(), before, "and nothing of it is in the record");
    assert!(session.persisted().await.is_empty() && session.holdings().await.denials.is_empty());
    assert_eq!(session.action("make").await, Action::Escalate);
    assert_eq!(session.try_again("r1", shell("ls")).await.unwrap().decision.action, Action::Escalate);
    let answered = session.answer(&asked, yes(Scope::Always)).await;
    assert_eq!(answered.decision.action, Action::Approve, "the question stayed open and takes its answer");
    assert_eq!((session.action("make").await, session.persisted().await.len()), (Action::Approve, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_that_was_not_stored_is_an_error_and_not_a_quiet_loss() {
    let place = place();
    let gate = start(&place.path, &json!({ "mode": "assisted" }));
    gate.rater.say(Outcome::Attack);
    let session = gate.open("a").await;
    let other = intruder(&place.path);
    assert!(
        matches!(session.try_ask(shell("cat ~/.ssh/id_rsa")).await, Err(EngineError::Store(_))),
        "an agent that is told nothing must not run"
    );
    other.execute_batch("ROLLBACK").unwrap();
    recovered(&gate).await;
    assert_eq!(session.action("cat ~/.ssh/id_rsa").await, Action::Halt);
}

/// Many calls fail together; the session is read anew once for all of them, and what is acknowledged later stays.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_failed_many_times_at_once_has_one_live_state_afterwards() {
    let place = place();
    let gate = start(&place.path, &json!({ "mode": "bypass" }));
    let session = gate.open("a").await;
    for round in 0..5 {
        let other = intruder(&place.path);
        let calls: Vec<_> =
            (0..20).map(|number| session.asking(shell(&format!("x {round} {number}")))).collect();
        let unlock = tokio::task::spawn_blocking(move || {
            std::thread::sleep(Duration::from_millis(70));
            other.execute_batch("ROLLBACK").unwrap();
        });
        // As soon as anything is acknowledged again, a refusal is given; no later call may miss it.
        let denier = {
            let session = session.clone();
            tokio::spawn(async move {
                let entry = crate::harness::entry(&exact(&format!("no {round}")));
                loop {
                    let deny = haltgate::session::Operation::Deny { entry: entry.clone(), note: None };
                    if session.try_manage(deny).await.is_ok() {
                        return session.shell(&format!("no {round}")).await.decision.stage;
                    }
                }
            })
        };
        for call in calls {
            let _acknowledged_or_not = call.await.unwrap();
        }
        assert_eq!(denier.await.unwrap(), Stage::DenyList);
        unlock.await.unwrap();
        recovered(&gate).await;
        for _ in 0..5 {
            assert_eq!(
                session.shell(&format!("no {round}")).await.decision.stage,
                Stage::DenyList,
                "round {round}"
            );
        }
    }
    assert_eq!(gate.engine.verify_audit("project", None).await.unwrap().broken, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sticky_answer_to_a_prompt_whose_secret_was_redacted_stores_nothing_that_was_not_shown() {
    let place = place();
    let approvals = json!({ "mode": "manual" });
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let command = format!("gh auth login --with-token {secret}");
    for (answer, expected) in
        [(no(RejectScope::Session), Action::Reject), (yes(Scope::Session), Action::Approve)]
    {
        let gate = start(&place.path, &approvals);
        let session = gate.open("a").await;
        let asked = session.shell(&command).await;
        stop(gate, [session]).await;
        let gate = start(&place.path, &approvals);
        let session = gate.at("a");
        // The text is gone, and with it what an entry would have to say: either it is not on offer, or it works.
        match session.try_answer(&asked, answer).await {
            Err(EngineError::ScopeNotOffered { .. }) => {}
            Ok(_) => assert_eq!(session.action(&command).await, expected),
            Err(other) => panic!("{other}"),
        }
        stop(gate, [session]).await;
    }
}
