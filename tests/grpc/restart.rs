//! What a session is survives the process.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{Action, Rung, Scope, Verdict};

#[tokio::test]
async fn everything_about_an_open_session_survives() {
    let setup = Setup {
        policy: r#"{ "approvals": "assisted", "mcpServers": { "jira": {} } }"#.to_owned(),
        ..Setup::default()
    };
    let gate = Gate::start(setup).await;
    gate.open(pb::OpenSessionRequest {
        rung: Rung::Auto.into(),
        cwd: "/work".to_owned(),
        home: "/home/me".to_owned(),
        labels: [("a".to_owned(), "b".to_owned())].into(),
        tools: catalogue(vec![declared("jira", "get", [Some(true), None, None, None])]),
        user_messages: vec!["please".to_owned()],
        ..opening("s")
    })
    .await;
    gate.manage("s", granting(shell_entry("ls"), Scope::Session)).await;
    gate.manage("", granting(shell_entry("pwd"), Scope::Always)).await;
    gate.manage("s", denying(shell_entry("id"))).await;
    let trust = pb::TrustChange {
        server: "jira".to_owned(),
        believe: vec![pb::Hint::ReadOnly.into()],
        disbelieve: vec![],
    };
    gate.manage("s", Operation::ChangeTrust(trust)).await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.decide(shell("s", "rm a")).await;
    gate.rater.say("steal", Outcome::Attack);
    gate.decide(in_run("bad", shell("t", "steal"))).await;
    gate.rater.say("drop", Outcome::Catastrophic);
    let asked = gate.decide(named("q", shell("u", "drop"))).await;
    let looked = async |gate: &Gate| {
        (
            gate.get("s").await,
            gate.held("s").await,
            gate.held("").await,
            gate.records_of("s").await,
            gate.get("t").await.session,
            gate.get("u").await.session,
        )
    };
    let before = looked(&gate).await;
    let head = gate.verify().await;
    let gate = gate.restart().await;
    assert_eq!(looked(&gate).await, before);
    let after = gate.verify().await;
    assert_eq!((after.intact, after.head_hash), (true, head.head_hash));
    assert_eq!(
        before.0.session.as_ref().unwrap().rung(),
        Rung::Auto,
        "the rung is the session's, also after a restart"
    );

    for (command, action) in [("ls", Action::Approve), ("pwd", Action::Approve), ("id", Action::Reject)] {
        assert_eq!(gate.decide(shell("s", command)).await.action(), action, "{command}");
    }
    let halted = gate.decide(in_run("bad", shell("t", "ls"))).await;
    assert_eq!((halted.action(), halted.run_halted), (Action::Halt, true));
    let pending = gate.decide(named("q", shell("u", "drop"))).await;
    assert_eq!(
        (pending.action(), pending.replayed, &pending.escalation_id),
        (Action::Escalate, true, &asked.escalation_id)
    );
    gate.answer(answering(&asked.escalation_id, Verdict::Approve, Scope::Once)).await;
    let picked_up = gate.decide(named("q", shell("u", "drop"))).await;
    assert_eq!((picked_up.action(), picked_up.decision_id), (Action::Approve, asked.decision_id));
    assert!(gate.verify().await.intact);
}

#[tokio::test]
async fn the_negotiation_goes_on_where_it_was() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    for command in ["rm a", "rm b"] {
        assert_eq!(gate.decide(shell("s", command)).await.action(), Action::Reject);
    }
    let gate = gate.restart().await;
    let third = gate.decide(shell("s", "rm c")).await;
    assert_eq!(third.action(), Action::Escalate, "the third in a row");
    let context = gate.rater.asked().pop().unwrap().context.unwrap();
    assert_eq!(context.rounds.len(), 2);
}

#[tokio::test]
async fn a_session_grant_of_an_answer_given_after_the_restart_is_the_one_that_was_shown() {
    let gate = Gate::at("manual").await;
    let asked = gate.decide(named("q", shell("s", "git   push"))).await;
    let gate = gate.restart().await;
    let settled = gate.answer(answering(&asked.escalation_id, Verdict::Approve, Scope::Session)).await;
    let stored = settled.answer.unwrap().stored.unwrap();
    assert_eq!(stored.object_text, r#"{ "type": "shell", "matcher": "exact", "pattern": "git push" }"#);
    assert_eq!(gate.decide(shell("s", "git push")).await.action(), Action::Approve);
    let gate = gate.restart().await;
    assert_eq!(gate.decide(shell("s", "git push")).await.action(), Action::Approve);
}

#[tokio::test]
async fn closed_stays_closed_and_answered_stays_answered() {
    let gate = Gate::at("manual").await;
    let answered = gate.decide(shell("s", "ls")).await.escalation_id;
    gate.answer(answering(&answered, Verdict::Approve, Scope::Once)).await;
    let withdrawn = gate.decide(shell("s", "pwd")).await.escalation_id;
    gate.close("s").await;
    let gate = gate.restart().await;
    let failure = gate.try_decide(shell("s", "ls")).await.unwrap_err();
    failure.expect(tonic::Code::FailedPrecondition, "SESSION_CLOSED");
    let answer = |id: &str| answering(id, Verdict::Reject, Scope::Once);
    gate.try_answer(answer(&answered))
        .await
        .unwrap_err()
        .expect(tonic::Code::FailedPrecondition, "ALREADY_ANSWERED");
    gate.try_answer(answer(&withdrawn))
        .await
        .unwrap_err()
        .expect(tonic::Code::FailedPrecondition, "NO_LONGER_OPEN");
}

#[tokio::test]
async fn spent_uses_stay_spent_and_expiries_stand() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let terms = Some(pb::GrantTerms {
        max_uses: Some(2),
        expires_at: Some(seconds_from_now(3600)),
        note: "n".to_owned(),
    });
    let add =
        pb::AddGrant { entry: Some(shell_entry("ls")), scope: Scope::Session.into(), terms: terms.clone() };
    gate.manage("s", Operation::Grant(add)).await;
    gate.decide(shell("s", "ls")).await;
    let gate = gate.restart().await;
    let held = gate.held("s").await.0.remove(0);
    assert_eq!((held.terms, held.uses_left), (terms, Some(1)));
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    let gate = gate.restart().await;
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Escalate);
}
