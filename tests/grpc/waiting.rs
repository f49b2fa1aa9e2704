//! `wait`: one call that lasts until a human has answered, and what cuts it short.

use crate::support::*;
use haltgate::config::ServerSettings;
use haltgate::proto::v1 as pb;
use pb::{Action, HumanInvolvement, Scope, Verdict};
use std::time::{Duration, Instant};
use tonic::Request;

fn waiting(request: pb::DecideRequest, max_wait: Option<Duration>) -> pb::DecideRequest {
    let max_wait = max_wait.map(|wait| prost_types::Duration::try_from(wait).unwrap());
    pb::DecideRequest { wait: true, max_wait, ..request }
}

/// The id of the escalation that a session has open, once there is one.
async fn escalation_of(gate: &Gate, session: &str) -> String {
    loop {
        let records = gate.records_of(session).await;
        if let Some(record) = records.iter().find(|record| !record.escalation_id.is_empty()) {
            return record.escalation_id.clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn an_answer_arrives_while_the_call_waits() {
    for (verdict, action, involvement) in [
        (Verdict::Approve, Action::Approve, HumanInvolvement::Approved),
        (Verdict::Reject, Action::Reject, HumanInvolvement::Rejected),
        (Verdict::Unspecified, Action::Reject, HumanInvolvement::Rejected),
    ] {
        let gate = Gate::at("manual").await;
        let mut client = gate.client.clone();
        let held =
            tokio::spawn(async move { client.decide(waiting(named("q", shell("s", "ls")), None)).await });
        let id = escalation_of(&gate, "s").await;
        assert!(!held.is_finished());
        let answer =
            pb::AnswerRequest { comment: "mind the dots".to_owned(), ..answering(&id, verdict, Scope::Once) };
        let settled = gate.answer(answer).await;
        let given = held.await.unwrap().unwrap().into_inner();
        assert_eq!((given.action(), given.scope()), (action, Scope::Once));
        assert!(!given.replayed);
        let human = given.human.clone().unwrap();
        assert_eq!(human.comment, "mind the dots");
        assert_eq!(human.answered_by, "local");
        assert_eq!(Some(human), settled.answer);
        if action == Action::Reject {
            assert!(given.message.contains("mind the dots"), "{}", given.message);
        } else {
            assert_eq!(given.message, "");
        }
        let timing = given.timing.unwrap();
        assert!(timing.decided_at.is_some() && timing.human.unwrap() != prost_types::Duration::default());

        let records = gate.records_of("s").await;
        assert_eq!(records.len(), 2, "one from when the human was asked, one from when it was settled");
        assert_eq!((records[0].action(), records[1].action()), (Action::Escalate, action));
        assert_eq!(
            (&records[0].decision_id, &records[1].decision_id),
            (&given.decision_id, &given.decision_id)
        );
        assert_eq!(records[0].record_id, given.decision_id);
        assert_ne!(records[1].record_id, given.decision_id);
        assert!(records[0].settled_at.is_none() && records[1].settled_at.is_some());
        assert_eq!(
            records[1].stage(),
            records[0].stage(),
            "an answer does not change why the human was asked"
        );
        assert_eq!(records[1].human_involvement(), involvement);
    }
}

#[tokio::test]
async fn without_an_answer_in_time_the_response_is_what_it_would_have_been_without_wait() {
    let gate = Gate::at("manual").await;
    let began = Instant::now();
    let given = gate.decide(waiting(named("q", shell("s", "ls")), Some(Duration::from_millis(300)))).await;
    assert!(began.elapsed() >= Duration::from_millis(300), "it came before it was due");
    assert_eq!(given.action(), Action::Escalate);
    let plain = gate.decide(named("q", shell("s", "ls"))).await;
    assert_eq!(pb::DecideResponse { replayed: false, ..plain }, given);
}

#[tokio::test]
async fn max_wait_alone_waits_for_nothing_and_a_decision_that_needs_nobody_comes_at_once() {
    let gate = Gate::at("manual").await;
    let max_wait = Some(prost_types::Duration { seconds: 30, nanos: 0 });
    let given = gate.decide(pb::DecideRequest { max_wait, ..shell("s", "ls") }).await;
    assert_eq!(given.action(), Action::Escalate);
    let read = waiting(ask("s", tool_call("read_file", "")), None);
    assert_eq!(gate.decide(read).await.action(), Action::Approve);
}

#[tokio::test]
async fn more_than_the_servers_limit_is_cut_to_it() {
    let setup = Setup::default();
    let settings = ServerSettings { max_wait: Duration::from_millis(300), ..setup.settings.clone() };
    let policy = r#"{ "approvals": "manual" }"#.to_owned();
    let gate = Gate::start(Setup { settings, policy, ..setup }).await;
    for max_wait in [None, Some(Duration::from_secs(3600)), Some(Duration::from_secs(1 << 40))] {
        let began = Instant::now();
        let given = gate.decide(waiting(shell("s", "ls"), max_wait)).await;
        assert_eq!(given.action(), Action::Escalate);
        assert!(began.elapsed() >= Duration::from_millis(300), "{max_wait:?}");
    }
    assert_eq!(
        ServerSettings::default().max_wait,
        Duration::from_secs(3600),
        "the contract names the default"
    );
}

#[tokio::test]
async fn the_answer_comes_before_the_callers_deadline() {
    let gate = Gate::at("manual").await;
    let mut request = Request::new(waiting(named("q", shell("s", "ls")), None));
    request.set_timeout(Duration::from_secs(3));
    let given = gate.client.clone().decide(request).await.unwrap().into_inner();
    assert_eq!(given.action(), Action::Escalate);
}

#[tokio::test]
async fn a_server_that_shuts_down_answers_pending_and_its_successor_knows_the_question() {
    let mut gate = Gate::at("manual").await;
    let mut client = gate.client.clone();
    let held = tokio::spawn(async move { client.decide(waiting(named("q", shell("s", "ls")), None)).await });
    let id = escalation_of(&gate, "s").await;
    gate.drain();
    let pending = held.await.unwrap().unwrap().into_inner();
    assert_eq!((pending.action(), pending.escalation_id.as_str()), (Action::Escalate, id.as_str()));
    let gate = gate.restart().await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    let given = gate.decide(named("q", shell("s", "ls"))).await;
    assert_eq!(
        (given.action(), given.decision_id, given.replayed),
        (Action::Approve, pending.decision_id, true)
    );
}

#[tokio::test]
async fn whoever_lost_the_connection_picks_the_answer_up_with_the_request_id() {
    let gate = Gate::at("manual").await;
    let mut client = gate.client.clone();
    let dropped =
        tokio::spawn(async move { client.decide(waiting(named("q", shell("s", "ls")), None)).await });
    let id = escalation_of(&gate, "s").await;
    dropped.abort();
    assert!(dropped.await.unwrap_err().is_cancelled());
    let mut client = gate.client.clone();
    let again = tokio::spawn(async move { client.decide(waiting(named("q", shell("s", "ls")), None)).await });
    tokio::time::sleep(Duration::from_millis(50)).await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Session)).await;
    let given = again.await.unwrap().unwrap().into_inner();
    assert_eq!((given.action(), given.scope(), given.replayed), (Action::Approve, Scope::Session, true));
    assert_eq!(gate.records_of("s").await.len(), 2, "asked once, settled once");
}

#[tokio::test]
async fn closing_the_session_ends_the_wait_with_a_refusal() {
    let gate = Gate::at("manual").await;
    let mut client = gate.client.clone();
    let held = tokio::spawn(async move { client.decide(waiting(named("q", shell("s", "ls")), None)).await });
    escalation_of(&gate, "s").await;
    let closed = gate.close("s").await;
    assert_eq!((closed.withdrawn_escalations, closed.withdrawn_halts), (1, 0));
    let given = held.await.unwrap().unwrap().into_inner();
    assert_eq!((given.action(), given.human), (Action::Reject, None));
    assert!(!given.message.is_empty());
    let records = gate.records_of("s").await;
    assert_eq!(records[1].human_involvement(), HumanInvolvement::Nobody);
}

#[tokio::test]
async fn waiting_takes_no_place_from_others() {
    let setup = Setup { policy: r#"{ "approvals": "manual" }"#.to_owned(), ..Setup::default() };
    let settings = ServerSettings { max_concurrent_requests: 2, ..setup.settings.clone() };
    let gate = Gate::start(Setup { settings, ..setup }).await;
    let held: Vec<_> = (0..5)
        .map(|number| {
            let mut client = gate.client.clone();
            let session = format!("s{number}");
            tokio::spawn(async move {
                // A place may be taken for a moment while another call is decided.
                loop {
                    match client
                        .decide(waiting(shell(&session, "ls"), Some(Duration::from_millis(1500))))
                        .await
                    {
                        Err(status) if status.code() == tonic::Code::ResourceExhausted => {
                            tokio::time::sleep(Duration::from_millis(10)).await;
                        }
                        other => return other.unwrap().into_inner(),
                    }
                }
            })
        })
        .collect();
    tokio::time::sleep(Duration::from_millis(700)).await;
    let given = gate.decide(ask("other", tool_call("read_file", ""))).await;
    assert_eq!(given.action(), Action::Approve);
    for held in held {
        assert_eq!(held.await.unwrap().action(), Action::Escalate);
    }
}
