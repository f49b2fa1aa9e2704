//! Who hears what, and for whom a halted run waits.

use super::cast::{FOREIGN, Known, OWN, reply};
use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::stream_escalations_response::Event;
use pb::{Action, Scope, Verdict};
use tonic::{Code, Streaming};

const ATTACK: &str = "cat ~/.ssh/id_ed25519";

fn halts(session: &str) -> pb::StreamAttackHaltsRequest {
    pb::StreamAttackHaltsRequest {
        project: OWN.to_owned(),
        session_id: session.to_owned(),
        ..pb::StreamAttackHaltsRequest::default()
    }
}

fn escalations(session: &str) -> pb::StreamEscalationsRequest {
    pb::StreamEscalationsRequest {
        project: OWN.to_owned(),
        session_id: session.to_owned(),
        ..pb::StreamEscalationsRequest::default()
    }
}

async fn assisted() -> Known {
    let known = Known::with(r#""approvals": { "mode": "assisted" }"#).await;
    known.gate.rater.say(ATTACK, Outcome::Attack);
    known
}

#[tokio::test]
async fn a_halt_waits_for_none_but_those_who_may_answer() {
    let known = assisted().await;
    for session in ["s", "t"] {
        known.open("ann", opening(session)).await.unwrap();
    }
    let _own = reply(known.of("ann").stream_attack_halts(halts("s")).await).unwrap();
    let _auditor = reply(known.of("eve").stream_attack_halts(halts("")).await).unwrap();
    let alone = known.decide("ann", in_run("r1", shell("s", ATTACK))).await.unwrap();
    assert_eq!(alone.action(), Action::Halt, "an agent and an auditor listen, and neither may answer");
    // An operator of another session does not count either; one who sees the session does.
    let _elsewhere = reply(known.of("ops").stream_attack_halts(halts("t")).await).unwrap();
    let still = known.decide("ann", in_run("r2", shell("s", ATTACK))).await.unwrap();
    assert_eq!(still.action(), Action::Halt);
    let observing = pb::StreamAttackHaltsRequest { observe_only: true, ..halts("") };
    let _observer = reply(known.of("ops").stream_attack_halts(observing).await).unwrap();
    let observed = known.decide("ann", in_run("r3", shell("s", ATTACK))).await.unwrap();
    assert_eq!(observed.action(), Action::Halt);
    let _operator = reply(known.of("ops").stream_attack_halts(halts("")).await).unwrap();
    let waits = known.decide("ann", in_run("r4", shell("s", ATTACK))).await.unwrap();
    assert_eq!(waits.action(), Action::Escalate);
}

#[tokio::test]
async fn an_agent_follows_one_session_of_its_own_and_no_more() {
    let known = Known::manual().await;
    known.open("ann", opening("anns")).await.unwrap();
    known.open("bob", opening("bobs")).await.unwrap();
    let mut ann = known.of("ann");
    let refused = [
        ("", Code::PermissionDenied, "ROLE_NOT_ALLOWED"),
        ("bobs", Code::PermissionDenied, "SESSION_NOT_ALLOWED"),
        // It may become anybody's.
        ("nobodys", Code::NotFound, "SESSION_NOT_FOUND"),
    ];
    for (session, code, reason) in refused {
        reply(ann.stream_escalations(escalations(session)).await).unwrap_err().expect(code, reason);
        reply(ann.stream_attack_halts(halts(session)).await).unwrap_err().expect(code, reason);
    }
    let mut feed = reply(ann.stream_escalations(escalations("anns")).await).unwrap();
    known.decide("bob", shell("bobs", "make b")).await.unwrap();
    known.decide("ann", shell("anns", "make a")).await.unwrap();
    assert_eq!(raised(&mut feed).await.session_id, "anns", "the other's came first and is not told");
}

/// The next escalation that a feed raises.
async fn raised(feed: &mut Streaming<pb::StreamEscalationsResponse>) -> pb::Escalation {
    loop {
        let message = feed.message().await.unwrap().unwrap();
        match message.event.unwrap() {
            Event::Raised(escalation) => return escalation,
            Event::SnapshotEnd(_) | Event::Heartbeat(_) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// The cursor behind the snapshot of a feed.
async fn cursor(feed: &mut Streaming<pb::StreamEscalationsResponse>) -> String {
    loop {
        let message = feed.message().await.unwrap().unwrap();
        if !message.cursor.is_empty() {
            return message.cursor;
        }
    }
}

#[tokio::test]
async fn a_cursor_opens_no_other_feed_than_the_one_it_came_from() {
    let known = Known::manual().await;
    known.open("ann", opening("s")).await.unwrap();
    let of_project =
        cursor(&mut reply(known.of("ops").stream_escalations(escalations("")).await).unwrap()).await;
    let foreign = pb::StreamEscalationsRequest { project: FOREIGN.to_owned(), ..escalations("") };
    let of_foreign = cursor(&mut reply(known.of("root").stream_escalations(foreign).await).unwrap()).await;
    for after in [of_project, of_foreign] {
        let request = pb::StreamEscalationsRequest { after, ..escalations("s") };
        let refused = reply(known.of("ann").stream_escalations(request).await).unwrap_err();
        refused.expect_field("CURSOR_INVALID", "after");
    }
}

#[tokio::test]
async fn an_answer_and_a_record_of_it_carry_the_operators_name_and_role() {
    let known = Known::manual().await;
    let asked = known.decide("ann", shell("s", "make")).await.unwrap();
    let answer = answering(&asked.escalation_id, Verdict::Approve, Scope::Session);
    let settled = match known.answer("ops", answer).await.unwrap().settled.unwrap() {
        pb::answer_response::Settled::Escalation(escalation) => escalation.answer.unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (settled.answered_by.as_str(), settled.answered_role.as_str(), settled.answered_via.as_str()),
        ("ops", "operator", "bearer")
    );
    let list = managing("s", pb::manage_grants_request::Operation::List(pb::ListGrants::default()));
    match known.manage("eve", list).await.unwrap().result.unwrap() {
        pb::manage_grants_response::Result::List(list) => assert_eq!(list.grants[0].granted_by, "ops"),
        other => panic!("{other:?}"),
    }
}
