//! Many callers at once.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use std::collections::BTreeSet;
use std::time::Duration;
use tonic::Code;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_calls_of_one_session_keep_the_counters_right_13() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.rater.delay(Duration::from_millis(20));
    gate.open(opening("s")).await;
    gate.open(opening("other")).await;
    let calls: Vec<_> = (0..10)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move {
                client.decide(shell("s", &format!("rm {number}"))).await.unwrap().into_inner()
            })
        })
        .collect();
    let mut actions = Vec::new();
    for call in calls {
        actions.push(call.await.unwrap().action());
    }
    // Every third rejection in a row reaches the human, who takes the count back to nothing.
    let of = |action| actions.iter().filter(|given| **given == action).count();
    assert_eq!((of(Action::Reject), of(Action::Escalate)), (7, 3), "{actions:?}");
    let seen = gate.get("s").await;
    let budget = seen.budget.unwrap();
    assert_eq!((budget.consecutive_rejections, budget.rejections_since_human), (1, 1));
    assert_eq!(seen.negotiation.unwrap().rounds.len(), 1);
    assert_eq!(seen.session.unwrap().open_escalations, 3);
    assert_eq!(gate.records_of("s").await.len(), 10);
    assert_eq!(gate.get("other").await.budget.unwrap().rejections_since_human, 0);
    assert!(gate.verify().await.intact);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_requests_with_one_id_are_one_decision() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Catastrophic);
    gate.rater.delay(Duration::from_millis(50));
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let mut client = gate.client.clone();
            tokio::spawn(
                async move { client.decide(named("q", shell("s", "drop"))).await.unwrap().into_inner() },
            )
        })
        .collect();
    let (mut decisions, mut escalations, mut first) = (BTreeSet::new(), BTreeSet::new(), 0);
    for call in calls {
        let given = call.await.unwrap();
        assert_eq!(given.action(), Action::Escalate);
        first += usize::from(!given.replayed);
        decisions.insert(given.decision_id);
        escalations.insert(given.escalation_id);
    }
    assert_eq!((decisions.len(), escalations.len(), first), (1, 1, 1));
    assert_eq!(gate.rater.count(), 1);
    assert_eq!(gate.records_of("s").await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_first_of_twenty_answers_wins_and_the_others_are_told() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(named("q", shell("s", "ls"))).await.escalation_id;
    let answers: Vec<_> = (0..20)
        .map(|number| {
            let verdict = if number % 2 == 0 { Verdict::Approve } else { Verdict::Reject };
            let request = answering(&id, verdict, Scope::Session);
            let mut client = gate.client.clone();
            tokio::spawn(async move { client.answer(request).await })
        })
        .collect();
    let (mut won, mut lost) = (Vec::new(), Vec::new());
    for answer in answers {
        match answer.await.unwrap() {
            Ok(response) => won.push(response.into_inner()),
            Err(status) => lost.push(Failure::of(&status)),
        }
    }
    assert_eq!((won.len(), lost.len()), (1, 19));
    let Some(pb::answer_response::Settled::Escalation(settled)) = won.remove(0).settled else {
        panic!("an escalation")
    };
    let verdict = settled.answer.unwrap().verdict();
    for failure in lost {
        failure.expect(Code::FailedPrecondition, "ALREADY_ANSWERED");
        assert_eq!(failure.metadata("verdict"), verdict.as_str_name());
    }
    let given = gate.decide(named("q", shell("s", "ls"))).await;
    let approved = verdict == Verdict::Approve;
    assert_eq!(given.action(), if approved { Action::Approve } else { Action::Reject });
    let (grants, denials) = gate.held("s").await;
    assert_eq!((grants.len(), denials.len()), (usize::from(approved), usize::from(!approved)));
    assert_eq!(gate.records_of("s").await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_grant_of_three_uses_lets_exactly_three_of_twenty_through() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let terms = Some(pb::GrantTerms { max_uses: Some(3), ..Default::default() });
    for (session, scope, command) in [("s", Scope::Session, "ls"), ("", Scope::Always, "pwd")] {
        let add =
            pb::AddGrant { entry: Some(shell_entry(command)), scope: scope.into(), terms: terms.clone() };
        gate.manage(session, pb::manage_grants_request::Operation::Grant(add)).await;
        let calls: Vec<_> = (0..20)
            .map(|number| {
                // A project's grant is spent by all of its sessions together.
                let session = if scope == Scope::Always { format!("p{number}") } else { "s".to_owned() };
                let mut client = gate.client.clone();
                tokio::spawn(async move {
                    client.decide(shell(&session, command)).await.unwrap().into_inner().action()
                })
            })
            .collect();
        let mut approved = 0;
        for call in calls {
            approved += usize::from(call.await.unwrap() == Action::Approve);
        }
        assert_eq!(approved, 3, "{scope:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_simultaneous_first_calls_open_one_session() {
    let gate = Gate::plain().await;
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let mut client = gate.client.clone();
            tokio::spawn(async move { client.decide(shell("new", "ls")).await.unwrap().into_inner() })
        })
        .collect();
    let mut opened = 0;
    for call in calls {
        let given = call.await.unwrap();
        assert_eq!(given.action(), Action::Approve);
        opened +=
            given.notices.iter().filter(|notice| notice.code() == pb::NoticeCode::SessionDefaults).count();
    }
    assert!(opened >= 1);
    assert_eq!(gate.records_of("new").await.len(), 20);
    assert!(gate.verify().await.intact);
}
