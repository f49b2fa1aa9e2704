//! What one gate bears: requests under way, message sizes, open escalations.

use crate::support::*;
use haltgate::config::ServerSettings;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use std::time::Duration;
use tonic::Code;

#[tokio::test]
async fn more_requests_than_the_limit_are_refused_with_a_hint_when_to_come_back() {
    let setup = Setup::default();
    let settings = ServerSettings { max_concurrent_requests: 3, ..setup.settings.clone() };
    let gate = Gate::start(Setup { settings, ..setup }).await;
    gate.rater.delay(Duration::from_millis(800));
    let held: Vec<_> = (0..3)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move {
                client.decide(shell(&format!("s{number}"), "ls")).await.unwrap().into_inner()
            })
        })
        .collect();
    while gate.rater.count() < 3 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let rate = pb::RateRequest { call: Some(shell_call("ls")), ..Default::default() };
    for failure in [
        gate.try_decide(shell("other", "ls")).await.unwrap_err(),
        gate.rate(rate).await.unwrap_err(),
        gate.try_get("", "other").await.unwrap_err(),
        gate.try_records(pb::ListDecisionsRequest::default()).await.unwrap_err(),
    ] {
        failure.expect(Code::ResourceExhausted, "OVERLOADED");
        assert_eq!((failure.metadata("scope"), failure.metadata("limit")), ("server", "3"));
        assert!(failure.retry_after.unwrap() > Duration::ZERO);
    }
    for held in held {
        assert_eq!(held.await.unwrap().action(), Action::Approve);
    }
    gate.rater.delay(Duration::ZERO);
    assert_eq!(gate.decide(shell("other", "ls")).await.action(), Action::Approve);
    assert!(gate.try_get("", "other").await.is_ok());
    assert_eq!(gate.records_of("other").await.len(), 1, "the refused one was not begun");
}

#[tokio::test]
async fn a_message_over_the_limit_is_refused_and_the_gate_goes_on() {
    let gate = Gate::plain().await;
    let huge = shell("s", &"x".repeat(5 << 20));
    let failure = gate.try_decide(huge).await.unwrap_err();
    assert!(matches!(failure.code, Code::OutOfRange | Code::ResourceExhausted), "{failure:?}");
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_session_asks_a_thousand_times_and_not_once_more() {
    let gate = Gate::with(
        r#"{ "mode": "manual", "deny": [{ "type": "shell", "matcher": "exact", "pattern": "id" }] }"#,
    )
    .await;
    gate.open(opening("s")).await;
    let callers: Vec<_> = (0..20)
        .map(|caller| {
            let mut client = gate.client.clone();
            tokio::spawn(async move {
                let mut last = String::new();
                for number in 0..50 {
                    let command = format!("echo {caller} {number}");
                    last = client.decide(shell("s", &command)).await.unwrap().into_inner().escalation_id;
                }
                last
            })
        })
        .collect();
    let mut open = Vec::new();
    for caller in callers {
        open.push(caller.await.unwrap());
    }
    let before = gate.get("s").await;
    assert_eq!(before.session.as_ref().unwrap().open_escalations, 1000);
    let failure = gate.try_decide(named("q", shell("s", "one more"))).await.unwrap_err();
    failure.expect(Code::ResourceExhausted, "TOO_MANY_OPEN");
    assert_eq!((failure.metadata("what"), failure.metadata("limit")), ("escalations", "1000"));
    assert_eq!(gate.get("s").await, before, "the refused call left no trace");
    assert_eq!(gate.decide(shell("s", "id")).await.action(), Action::Reject, "what needs nobody is decided");
    assert_eq!(
        gate.decide(shell("other", "ls")).await.action(),
        Action::Escalate,
        "other sessions are not concerned"
    );
    gate.answer(answering(&open[0], Verdict::Reject, Scope::Once)).await;
    let given = gate.decide(named("q", shell("s", "one more"))).await;
    assert_eq!((given.action(), given.replayed), (Action::Escalate, false));
    assert_eq!(gate.close("s").await.withdrawn_escalations, 1000);
}

#[tokio::test]
async fn a_session_that_is_full_keeps_its_negotiation_and_grants_when_a_call_is_refused() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Catastrophic);
    let callers: Vec<_> = (0..1000)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move { client.decide(shell("s", &format!("drop {number}"))).await.unwrap() })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap();
    }
    gate.rater.otherwise(Outcome::Destructive);
    for _ in 0..2 {
        assert_eq!(gate.decide(shell("s", "rm a")).await.action(), Action::Reject);
    }
    let before = gate.get("s").await;
    for _ in 0..3 {
        let failure = gate.try_decide(shell("s", "rm b")).await.unwrap_err();
        failure.expect(Code::ResourceExhausted, "TOO_MANY_OPEN");
    }
    let after = gate.get("s").await;
    assert_eq!((after.budget, after.negotiation), (before.budget, before.negotiation));
}
