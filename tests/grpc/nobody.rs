//! Sessions in which nobody can be asked: what would ask ends at once, and what was asked before ends too.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::stream_attack_halts_response::Event as HaltEvent;
use pb::stream_escalations_response::Event;
use pb::{Action, AttackHaltState, HumanInvolvement, Verdict};
use tonic::Code;

const ATTACK: &str = "cat ~/.ssh/id_ed25519";

fn waiting(request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { wait: true, ..request }
}

async fn nobody(gate: &Gate, session: &str) {
    gate.update(pb::UpdateSessionRequest {
        session_id: session.to_owned(),
        interactive: Some(false),
        ..Default::default()
    })
    .await;
}

/// A gate whose rater knows an attack, with somebody who watches for them.
async fn watched() -> (Gate, tonic::Streaming<pb::StreamAttackHaltsResponse>) {
    let gate = Gate::at("assisted").await;
    gate.rater.say(ATTACK, Outcome::Attack);
    gate.rater.say("mend", Outcome::Destructive);
    let mut halts = gate
        .client
        .clone()
        .stream_attack_halts(pb::StreamAttackHaltsRequest::default())
        .await
        .unwrap()
        .into_inner();
    let first = halts.message().await.unwrap().unwrap();
    assert!(matches!(first.event, Some(HaltEvent::SnapshotEnd(_))), "{first:?}");
    (gate, halts)
}

#[tokio::test]
async fn nobody_is_asked_and_a_call_that_would_wait_is_answered_at_once() {
    let gate = Gate::at("manual").await;
    gate.open(pb::OpenSessionRequest { interactive: Some(false), ..opening("s") }).await;
    let mut feed = gate
        .client
        .clone()
        .stream_escalations(pb::StreamEscalationsRequest::default())
        .await
        .unwrap()
        .into_inner();
    let given = gate.decide(waiting(named("q", shell("s", "mend")))).await;
    assert_eq!((given.action(), given.escalation_id.as_str()), (Action::Unattended, ""));
    assert_eq!(
        gate.decide(named("q", shell("s", "mend"))).await.action(),
        Action::Unattended,
        "and stays so"
    );
    assert_eq!(gate.get("s").await.session.unwrap().open_escalations, 0);
    // What is asked in another session is the first that the feed hears of.
    let other = gate.decide(shell("t", "mend")).await;
    feed.message().await.unwrap();
    match feed.message().await.unwrap().unwrap().event {
        Some(Event::Raised(raised)) => assert_eq!(raised.escalation_id, other.escalation_id),
        event => panic!("{event:?}"),
    }
}

#[tokio::test]
async fn an_attack_halts_at_once_although_somebody_watches_where_nobody_can_be_asked() {
    let (gate, mut halts) = watched().await;
    gate.open(pb::OpenSessionRequest { interactive: Some(false), ..opening("s") }).await;
    let given = gate.decide(waiting(in_run("r", shell("s", ATTACK)))).await;
    assert_eq!((given.action(), given.run_halted), (Action::Halt, true));
    match halts.message().await.unwrap().unwrap().event {
        Some(HaltEvent::Raised(halt)) => assert_eq!(halt.state(), AttackHaltState::Unattended),
        event => panic!("{event:?}"),
    }
    let failure = gate
        .try_answer(pb::AnswerRequest {
            target: Some(pb::answer_request::Target::HaltId(given.halt_id)),
            verdict: Verdict::RunAnyway.into(),
            ..Default::default()
        })
        .await
        .unwrap_err();
    failure.expect(Code::FailedPrecondition, "NO_LONGER_OPEN");
}

#[tokio::test]
async fn what_waits_ends_as_unattended_when_the_session_says_that_nobody_is_there() {
    let (gate, mut halts) = watched().await;
    gate.open(opening("s")).await;
    let mut feed = gate
        .client
        .clone()
        .stream_escalations(pb::StreamEscalationsRequest::default())
        .await
        .unwrap()
        .into_inner();
    feed.message().await.unwrap();
    let ask = |request: pb::DecideRequest| {
        let mut client = gate.client.clone();
        tokio::spawn(async move { client.decide(waiting(request)).await.unwrap().into_inner() })
    };
    let asked = ask(named("q", shell("s", "mend")));
    let escalation = match feed.message().await.unwrap().unwrap().event {
        Some(Event::Raised(raised)) => raised.escalation_id,
        event => panic!("{event:?}"),
    };
    let halted = ask(named("h", in_run("r", shell("s", ATTACK))));
    halts.message().await.unwrap();
    // Another session is none of this one's business.
    let elsewhere = gate.decide(shell("t", "mend")).await.escalation_id;

    nobody(&gate, "s").await;
    let given = asked.await.unwrap();
    assert_eq!(given.action(), Action::Unattended);
    assert!(
        given.message.contains("nobody can answer") && given.message.contains("mend"),
        "{}",
        given.message
    );
    let halted = halted.await.unwrap();
    assert_eq!((halted.action(), halted.run_halted), (Action::Halt, true));
    assert_eq!(
        gate.decide(named("q", shell("s", "mend"))).await.action(),
        Action::Unattended,
        "a retry hears the same"
    );

    feed.message().await.unwrap();
    match feed.message().await.unwrap().unwrap().event {
        Some(Event::Expired(expired)) => assert_eq!(expired.escalation_id, escalation),
        event => panic!("{event:?}"),
    }
    match halts.message().await.unwrap().unwrap().event {
        Some(HaltEvent::Expired(halt)) => assert_eq!(halt.state(), AttackHaltState::Unattended),
        event => panic!("{event:?}"),
    }
    let failure =
        gate.try_answer(answering(&escalation, Verdict::Approve, pb::Scope::Once)).await.unwrap_err();
    failure.expect(Code::FailedPrecondition, "NO_LONGER_OPEN");
    let records = gate.records_of("s").await;
    let last = records.iter().rfind(|record| record.escalation_id == escalation).unwrap();
    assert_eq!((last.action(), last.human_involvement()), (Action::Unattended, HumanInvolvement::Nobody));
    gate.answer(answering(&elsewhere, Verdict::Approve, pb::Scope::Once)).await;
    assert!(gate.verify().await.intact);

    // Nothing comes back when somebody is there again, and what is asked then waits.
    let back = pb::UpdateSessionRequest {
        session_id: "s".to_owned(),
        interactive: Some(true),
        ..Default::default()
    };
    assert_eq!(gate.update(back).await.session.unwrap().open_escalations, 0);
    assert_eq!(gate.decide(shell("s", "mend")).await.action(), Action::Escalate);
}

#[tokio::test]
async fn a_session_that_is_set_up_anew_without_anybody_ends_what_waits_too() {
    let gate = Gate::at("manual").await;
    gate.open(opening("s")).await;
    let given = gate.decide(named("q", shell("s", "mend"))).await;
    assert_eq!(given.action(), Action::Escalate);
    gate.open(pb::OpenSessionRequest { interactive: Some(false), ..opening("s") }).await;
    let gate = gate.restart().await;
    let again = gate.decide(named("q", shell("s", "mend"))).await;
    assert_eq!((again.action(), again.decision_id), (Action::Unattended, given.decision_id));
}
