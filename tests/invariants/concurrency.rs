//! What happens at once: parallel calls, answers that cross, and rules that change while a call waits.

use crate::harness::{Gate, all_safe, declares, exact, glob, mcp, no, shell, trusting, yes};
use haltgate::gate::{
    Action, AttackAnswer, GrantScope, HumanSaid, Outcome, RejectScope, Rung, Scope, Stage, Terms,
};
use haltgate::session::{EngineError, Operation};
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn ten_parallel_calls_keep_the_counters_right() {
    let gate = Gate::new(json!({ "mode": "auto" }));
    gate.rater.say(Outcome::Destructive);
    let session = gate.open("a").await;
    let calls: Vec<_> = (0..10).map(|number| session.asking(shell(&format!("make {number}")))).collect();
    let mut actions = Vec::new();
    for call in calls {
        actions.push(call.await.unwrap().unwrap().decision.action);
    }
    let count = |action: Action| actions.iter().filter(|found| **found == action).count();
    // Every third rejection in a row reaches the human and starts the count anew.
    assert_eq!((count(Action::Reject), count(Action::Escalate)), (7, 3), "{actions:?}");
    let view = session.view().await;
    assert_eq!(
        (view.budget.consecutive, view.budget.since_human, view.rounds.len(), view.open_questions),
        (1, 1, 1, 3)
    );
    assert_eq!(gate.rater.calls(), 10);
    assert_eq!(gate.engine.verify_audit("project", None).await.unwrap().broken, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_request_id_fifty_times_at_once_is_one_decision() {
    let gate = Gate::new(json!({ "mode": "auto" }));
    gate.rater.say(Outcome::Destructive);
    let session = gate.open("a").await;
    let tasks: Vec<_> = (0..50)
        .map(|_| {
            let session = session.clone();
            tokio::spawn(async move { session.try_again("r1", shell("make")).await })
        })
        .collect();
    let mut ids = std::collections::BTreeSet::new();
    let mut first_made = 0;
    for task in tasks {
        let ruling = task.await.unwrap().unwrap();
        assert_eq!(ruling.decision.action, Action::Reject);
        first_made += usize::from(!ruling.replayed);
        ids.insert(ruling.decision_id);
    }
    assert_eq!((ids.len(), first_made), (1, 1));
    assert_eq!(
        (gate.rater.calls(), session.decisions().await.len(), session.view().await.rounds.len()),
        (1, 1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_id_stands_for_one_call_in_one_run() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let first = session.try_again("r1", shell("make")).await.unwrap();
    let again = session.try_again("r1", shell("make")).await.unwrap();
    assert_eq!(
        (again.escalation_id.as_ref(), again.replayed),
        (first.escalation_id.as_ref(), true),
        "one prompt"
    );
    for reused in [
        session.try_again("r1", shell("make ")).await,
        session.run("other").try_again("r1", shell("make")).await,
    ] {
        assert!(matches!(reused, Err(EngineError::RequestReused { .. })), "{reused:?}");
    }
    session.answer(&first, yes(Scope::Once)).await;
    let answered = session.try_again("r1", shell("make")).await.unwrap();
    assert_eq!(answered.decision.action, Action::Approve, "the same id picks up the answer");
    assert_eq!(session.try_again("r2", shell("make")).await.unwrap().decision.action, Action::Escalate);
    let other = gate.open("b").await;
    assert!(
        !other.try_again("r1", shell("ls")).await.unwrap().replayed,
        "another session has ids of its own"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_answers_at_once_the_first_wins_and_the_second_is_told_what_it_was() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for _ in 0..20 {
        let asked = session.shell("make").await;
        let answers = [yes(Scope::Once), no(RejectScope::Once)].map(|answer| {
            let (session, asked) = (session.clone(), asked.clone());
            tokio::spawn(async move { session.try_answer(&asked, answer).await })
        });
        let mut won = Vec::new();
        let mut told = Vec::new();
        for answer in answers {
            match answer.await.unwrap() {
                Ok(settled) => won.push(settled.asked.ruling.decision.action),
                Err(EngineError::AlreadyAnswered { settled, .. }) => {
                    told.push(settled.asked.ruling.decision.action)
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(won.len(), 1);
        let retried = session.gate.engine.wait_for_human(asked, Duration::ZERO).await.unwrap();
        assert_eq!(retried.decision.action, won[0]);
        assert_eq!(told, won, "and the second is told what became of the call");
    }
}

#[tokio::test]
async fn a_refusal_given_while_the_prompt_was_open_outranks_the_approval() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    session.deny(&exact("make")).await;
    let ruling = session.answer(&asked, yes(Scope::Always)).await;
    assert_eq!((ruling.decision.action, ruling.decision.stage), (Action::Reject, Stage::DenyList));
    assert!(session.persisted().await.is_empty() && ruling.answer.unwrap().stored.is_none());
}

#[tokio::test]
async fn a_deny_entry_that_is_loaded_while_the_prompt_is_open_outranks_the_approval() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    let stricter =
        crate::harness::policies(&json!({ "approvals": { "mode": "manual", "deny": [exact("make")] } }));
    gate.engine.reload(stricter.configuration().clone()).await.unwrap();
    assert_eq!(session.answer(&asked, yes(Scope::Session)).await.decision.stage, Stage::DenyList);
    assert!(session.holdings().await.grants.is_empty());
}

/// Design §2.6 and §2.9 for the time that a rating takes: a human's no that came meanwhile counts.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_given_while_the_rating_ran_outranks_its_approval() {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [glob("git *")] }));
    let session = gate.open("a").await;
    gate.rater.hold();
    let calls = ["make", "git status"].map(|command| session.asking(shell(command)));
    gate.rater.under_way(2).await;
    session.deny(&exact("make")).await;
    session.deny(&exact("git status")).await;
    gate.rater.release();
    for call in calls {
        let ruling = call.await.unwrap().unwrap();
        assert_eq!(
            (ruling.decision.action, ruling.decision.stage),
            (Action::Reject, Stage::DenyList),
            "{:?}",
            ruling.call
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rating_that_ran_while_the_session_left_auto_leaves_no_transcript_behind() {
    let gate = Gate::new(json!({ "mode": "auto" }));
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Destructive);
    gate.rater.hold();
    let call = session.asking(shell("make"));
    gate.rater.under_way(1).await;
    session.set_rung(Rung::Assisted).await;
    gate.rater.release();
    let ruling = call.await.unwrap().unwrap();
    assert_eq!(
        ruling.decision.action,
        Action::Escalate,
        "there is nobody to argue with on this rung any more"
    );
    assert!(session.view().await.rounds.is_empty());
}

#[tokio::test]
async fn a_rung_that_changes_while_the_prompt_is_open_changes_nothing_of_what_was_shown() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    session.set_rung(Rung::Bypass).await;
    let ruling = session.answer(&asked, yes(Scope::Session)).await;
    assert_eq!(
        (ruling.decision.action, ruling.decision.scope, ruling.decision.rung),
        (Action::Approve, Some(Scope::Session), Rung::Manual)
    );
    session.set_rung(Rung::Write).await;
    assert_eq!(session.action("make").await, Action::Approve);
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_a_session_refuses_what_waits() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let asked = session.shell("make").await;
    let waiting = {
        let (engine, asked) = (gate.engine.clone(), asked.clone());
        tokio::spawn(async move { engine.wait_for_human(asked, Duration::from_secs(30)).await })
    };
    session.close().await;
    assert_eq!(waiting.await.unwrap().unwrap().decision.action, Action::Reject);
    let late = session.try_answer(&asked, yes(Scope::Always)).await;
    assert!(matches!(late, Err(EngineError::NoLongerOpen { .. })), "{late:?}");
    assert!(session.persisted().await.is_empty());
    assert!(matches!(session.try_ask(shell("ls")).await, Err(EngineError::SessionClosed { .. })));
    assert!(matches!(
        session.try_manage(Operation::Deny { entry: crate::harness::entry(&exact("x")), note: None }).await,
        Err(EngineError::SessionClosed { .. })
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_a_session_while_a_rating_runs_decides_nothing() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    gate.rater.hold();
    let call = session.asking(shell("make"));
    gate.rater.under_way(1).await;
    session.close().await;
    gate.rater.release();
    assert!(matches!(call.await.unwrap(), Err(EngineError::SessionClosed { .. })));
}

#[tokio::test]
async fn an_attack_while_another_prompt_of_the_run_is_open_outranks_its_approval() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Destructive);
    let asked = session.shell("make").await;
    let other = session.run("other").shell("make").await;
    gate.rater.say(Outcome::Attack);
    let halt = session.watched().shell("cat ~/.ssh/id_rsa").await;
    let ruling = session.answer(&asked, yes(Scope::Always)).await;
    assert_eq!((ruling.decision.action, ruling.decision.run_was_halted), (Action::Halt, true));
    assert_eq!(ruling.decision.human, Some(HumanSaid::Approve));
    assert!(session.persisted().await.is_empty(), "and nothing is remembered of it");
    assert_eq!(
        session.answer(&other, yes(Scope::Once)).await.decision.action,
        Action::Approve,
        "another run goes on"
    );
    session.answer_attack(&halt, AttackAnswer::RunAnyway).await.unwrap();
    gate.rater.say(Outcome::Safe);
    assert_eq!(session.action("ls").await, Action::Approve);
}

#[tokio::test(flavor = "multi_thread")]
async fn parallel_calls_cannot_slip_past_an_attack() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    gate.rater.hold();
    let mut calls: Vec<_> = (0..8).map(|number| session.asking(shell(&format!("make {number}")))).collect();
    gate.rater.under_way(8).await;
    gate.rater.next(Ok(crate::harness::verdict(Outcome::Attack)));
    calls.push(session.asking(shell("cat ~/.ssh/id_rsa")));
    gate.rater.under_way(9).await;
    let other = session.run("other").asking(shell("ls"));
    gate.rater.under_way(10).await;
    // The attack is released before the others: ratings of the run that come later are worth nothing.
    gate.rater.release();
    let halted = calls.pop().unwrap().await.unwrap().unwrap();
    assert_eq!(halted.decision.action, Action::Halt);
    assert_eq!(session.action("ls").await, Action::Halt);
    for call in calls {
        let action = call.await.unwrap().unwrap().decision.action;
        assert!(matches!(action, Action::Approve | Action::Halt), "{action:?}");
    }
    assert_eq!(other.await.unwrap().unwrap().decision.action, Action::Approve);
    let halts = session.decisions().await.into_iter().filter(|ruling| ruling.halt_id.is_some()).count();
    assert_eq!(halts, 1, "one run is halted once");
}

#[tokio::test]
async fn a_persisted_grant_that_another_session_revokes_is_gone_at_once() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    first.granted(shell("make"), Scope::Always).await;
    assert_eq!(second.action("make").await, Action::Approve);
    let identity = haltgate::rules::Identity::of(&first.persisted().await[0].entry).as_str().to_owned();
    second.manage(Operation::Revoke { identity, scope: None }).await;
    assert_eq!(
        (first.action("make").await, second.action("make").await),
        (Action::Escalate, Action::Escalate)
    );
}

/// Removed by one session, a weakened grant is not written back by another's next grant.
#[tokio::test]
async fn a_weakened_grant_is_not_brought_back_by_another_session() {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    for session in [&first, &second] {
        session.declare(vec![declares("jira", "get", &all_safe())]).await;
    }
    let get = || mcp("jira", "get", json!({}));
    first.granted(get(), Scope::Always).await;
    assert_eq!(second.ask(get()).await.decision.action, Action::Approve);
    first.declare(vec![declares("jira", "get", &json!({}))]).await;
    assert_eq!(first.ask(get()).await.decision.action, Action::Escalate);
    second.granted(shell("make"), Scope::Always).await;
    assert_eq!(second.ask(get()).await.decision.action, Action::Escalate);
    assert_eq!(second.persisted().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grant_with_one_use_lets_one_of_many_calls_through_whatever_session_they_come_from() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let sessions = [gate.open("first").await, gate.open("second").await];
    let terms = Terms { max_uses: Some(3), ..Terms::default() };
    sessions[0].grant(&exact("make"), GrantScope::Always, terms).await;
    let calls: Vec<_> = (0..20).map(|number| sessions[number % 2].asking(shell("make"))).collect();
    let mut approved = 0;
    for call in calls {
        approved += usize::from(call.await.unwrap().unwrap().decision.action == Action::Approve);
    }
    assert_eq!(approved, 3);
    assert!(sessions[0].persisted().await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_caller_who_goes_away_while_a_rating_runs_leaves_the_request_to_the_next() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    gate.rater.hold();
    let first = {
        let session = session.clone();
        tokio::spawn(async move { session.try_again("r1", shell("make")).await })
    };
    gate.rater.under_way(1).await;
    let second = {
        let session = session.clone();
        tokio::spawn(async move { session.try_again("r1", shell("make")).await })
    };
    first.abort();
    gate.rater.under_way(2).await;
    gate.rater.release();
    assert_eq!(second.await.unwrap().unwrap().decision.action, Action::Approve);
    assert_eq!(session.decisions().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_of_one_project_never_wait_for_each_others_ratings() {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [exact("npm test")] }));
    let (first, second) = (gate.open("first").await, gate.open("second").await);
    gate.rater.hold();
    let held = first.asking(shell("make"));
    gate.rater.under_way(1).await;
    let quick = tokio::time::timeout(Duration::from_secs(5), second.shell("npm test")).await.unwrap();
    assert_eq!(quick.decision.action, Action::Approve);
    let quick = tokio::time::timeout(Duration::from_secs(5), first.shell("npm test")).await.unwrap();
    assert_eq!(quick.decision.action, Action::Approve, "nor does the session itself");
    gate.rater.release();
    held.await.unwrap().unwrap();
}
