//! How many questions of a session and of a project may wait for a human, and how many sessions of a project may be open.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use std::time::Duration;
use tonic::Code;

async fn limited(approvals: &str, limits: &str) -> Gate {
    let policy = format!(r#"{{ "approvals": {approvals}, "limits": {{ {limits} }} }}"#);
    Gate::start(Setup { policy, ..Setup::default() }).await
}

#[track_caller]
fn expect(failure: &Failure, what: &str, scope: &str, limit: &str) {
    failure.expect(Code::ResourceExhausted, "TOO_MANY_OPEN");
    assert_eq!(["what", "scope", "limit"].map(|key| failure.metadata(key)), [what, scope, limit]);
    assert!(failure.retry_after.unwrap() > Duration::ZERO);
}

/// Asks again as the gate says until it is let through: something has made room, which is noticed within the time it names.
async fn in_the_end(gate: &Gate, request: pb::DecideRequest) -> pb::DecideResponse {
    loop {
        match gate.try_decide(request.clone()).await {
            Ok(given) => return given,
            Err(failure) => tokio::time::sleep(failure.retry_after.unwrap()).await,
        }
    }
}

#[tokio::test]
async fn a_session_asks_so_often_and_an_answer_makes_room_at_once() {
    let gate = limited("\"manual\"", r#""escalations_per_session": 2"#).await;
    let first = gate.decide(shell("s", "a")).await;
    gate.decide(shell("s", "b")).await;
    expect(&gate.try_decide(shell("s", "c")).await.unwrap_err(), "escalations", "session", "2");
    assert_eq!(gate.decide(shell("t", "a")).await.action(), Action::Escalate);
    gate.answer(answering(&first.escalation_id, Verdict::Reject, Scope::Once)).await;
    assert_eq!(gate.decide(shell("s", "c")).await.action(), Action::Escalate);
}

#[tokio::test]
async fn a_project_asks_so_often_whatever_its_sessions_and_other_projects_are_not_concerned() {
    let approvals =
        r#"{ "mode": "manual", "deny": [{ "type": "shell", "matcher": "exact", "pattern": "id" }] }"#;
    let gate = limited(approvals, r#""escalations_per_project": 3"#).await;
    let mut open = Vec::new();
    for number in 0..3 {
        open.push(gate.decide(shell(&format!("s{number}"), "ls")).await.escalation_id);
    }
    let failure = gate.try_decide(named("q", shell("s0", "one more"))).await.unwrap_err();
    expect(&failure, "escalations", "project", "3");
    assert_eq!(gate.decide(shell("s0", "id")).await.action(), Action::Reject, "what needs nobody is decided");
    let elsewhere = pb::DecideRequest { project: "other".to_owned(), ..shell("s0", "ls") };
    assert_eq!(gate.decide(elsewhere).await.action(), Action::Escalate);
    gate.answer(answering(&open[0], Verdict::Reject, Scope::Once)).await;
    let given = in_the_end(&gate, named("q", shell("s0", "one more"))).await;
    assert_eq!((given.action(), given.replayed), (Action::Escalate, false));

    // A restart begins with what waits.
    let gate = gate.restart().await;
    expect(&gate.try_decide(shell("new", "ls")).await.unwrap_err(), "escalations", "project", "3");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_more_are_open_than_may_be_however_many_ask_at_once() {
    let gate = limited("\"manual\"", r#""escalations_per_project": 10, "sessions_per_project": 20"#).await;
    let calls: Vec<_> = (0..100)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move {
                let session = format!("s{number}");
                client.decide(shell(&session, "ls")).await.is_ok().then_some(session)
            })
        })
        .collect();
    let mut asked = Vec::new();
    for call in calls {
        asked.extend(call.await.unwrap());
    }
    // One may have been turned away while those that wait were counted; there is room for it in the end, and for no other.
    assert!((1..=10).contains(&asked.len()), "{}", asked.len());
    for number in asked.len()..10 {
        let command = format!("ls {number}");
        let given = in_the_end(&gate, named(&format!("more-{number}"), shell(&asked[0], &command))).await;
        assert_eq!(given.action(), Action::Escalate);
    }
    expect(&gate.try_decide(shell(&asked[0], "ls -l")).await.unwrap_err(), "escalations", "project", "10");
    let sessions =
        gate.sessions(pb::ListSessionsRequest { page_size: 200, ..Default::default() }).await.unwrap();
    assert!(sessions.sessions.len() <= 20, "{}", sessions.sessions.len());
}

#[tokio::test]
async fn a_project_has_so_many_open_sessions_and_closing_one_makes_room() {
    let gate = limited("\"assisted\"", r#""sessions_per_project": 3"#).await;
    gate.open(opening("opened")).await;
    gate.decide(shell("used", "ls")).await;
    gate.decide(shell("too", "ls")).await;
    let by_use = gate.try_decide(shell("new", "ls")).await.unwrap_err();
    expect(&by_use, "sessions", "project", "3");
    let by_name = gate.try_open(opening("new")).await.unwrap_err();
    expect(&by_name, "sessions", "project", "3");
    assert_eq!(gate.try_get("", "new").await.unwrap_err().reason, "SESSION_NOT_FOUND");
    assert_eq!(gate.decide(shell("used", "ls")).await.action(), Action::Approve, "open ones go on");
    gate.open(opening("opened")).await;
    let elsewhere = pb::DecideRequest { project: "other".to_owned(), ..shell("new", "ls") };
    assert_eq!(gate.decide(elsewhere).await.action(), Action::Approve);
    gate.close("too").await;
    assert_eq!(gate.decide(shell("new", "ls")).await.action(), Action::Approve);
    let again = gate.try_open(opening("too")).await.unwrap_err();
    expect(&again, "sessions", "project", "3");
    gate.close("new").await;
    gate.open(opening("too")).await;

    // A restart begins with what is open.
    let gate = gate.restart().await;
    expect(&gate.try_decide(shell("more", "ls")).await.unwrap_err(), "sessions", "project", "3");
}
