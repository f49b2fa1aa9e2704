//! The live feeds: what is open, then every change once, wherever the reader was cut off.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use haltgate::store::{Batch, Change, SqliteStore, Store};
use pb::stream_attack_halts_response::Event as HaltEvent;
use pb::stream_escalations_response::Event;
use pb::{Action, AttackHaltState, EscalationState, Scope, Verdict};
use std::time::Duration;
use tonic::{Code, Streaming};

const ATTACK: &str = "cat ~/.ssh/id_ed25519";

type Escalations = Streaming<pb::StreamEscalationsResponse>;
type Halts = Streaming<pb::StreamAttackHaltsResponse>;

async fn try_follow(gate: &Gate, request: pb::StreamEscalationsRequest) -> Result<Escalations, Failure> {
    let opened = gate.client.clone().stream_escalations(request).await;
    opened.map(tonic::Response::into_inner).map_err(|status| Failure::of(&status))
}

async fn follow(gate: &Gate, request: pb::StreamEscalationsRequest) -> Escalations {
    try_follow(gate, request).await.unwrap_or_else(|failure| panic!("{failure:?}"))
}

async fn watch(gate: &Gate, request: pb::StreamAttackHaltsRequest) -> Halts {
    gate.client.clone().stream_attack_halts(request).await.unwrap().into_inner()
}

/// The next message that is no heartbeat: its cursor and what it says in a word, with the command it is about.
async fn next(feed: &mut Escalations) -> (String, String) {
    loop {
        let message = feed.message().await.unwrap().expect("the feed goes on");
        let said = match message.event.unwrap() {
            Event::Heartbeat(_) => continue,
            Event::Raised(about) => said("raised", &about),
            Event::Answered(about) => said("answered", &about),
            Event::Withdrawn(about) => said("withdrawn", &about),
            Event::Expired(about) => said("expired", &about),
            Event::SnapshotEnd(end) => format!("that is all {}", end.open),
            Event::ResumeHint(hint) => format!("resume {}", hint.reason().as_str_name()),
        };
        return (message.cursor, said);
    }
}

fn said(what: &str, about: &pb::Escalation) -> String {
    let Some(pb::call::Kind::Shell(call)) = about.call.clone().unwrap().kind else { panic!("a command") };
    format!("{what} {}", call.command)
}

async fn all(feed: &mut Escalations, count: usize) -> Vec<String> {
    let mut messages = Vec::new();
    for _ in 0..count {
        messages.push(next(feed).await.1);
    }
    messages
}

/// A gate at which every command asks a human.
async fn gate() -> Gate {
    Gate::at("manual").await
}

#[tokio::test]
async fn a_feed_begins_with_what_is_open_and_goes_on_with_what_changes() {
    let gate = gate().await;
    let first = gate.decide(shell("s", "one")).await.escalation_id;
    let second = gate.decide(shell("s", "two")).await.escalation_id;
    gate.answer(answering(&second, Verdict::Approve, Scope::Once)).await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    assert_eq!(next(&mut feed).await, (String::new(), "raised one".to_owned()));
    let (cursor, end) = next(&mut feed).await;
    assert!(!cursor.is_empty() && cursor.len() <= 256);
    assert_eq!(end, "that is all 1");
    gate.decide(shell("s", "three")).await;
    gate.answer(answering(&first, Verdict::Reject, Scope::Once)).await;
    gate.close("s").await;
    let messages = all(&mut feed, 3).await;
    assert_eq!(messages, ["raised three", "answered one", "withdrawn three"]);
}

#[tokio::test]
async fn an_answer_is_told_with_who_gave_it_and_how() {
    let gate = gate().await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    let id = gate.decide(shell("s", "one")).await.escalation_id;
    let comment = "not on a Friday".to_owned();
    gate.answer(pb::AnswerRequest {
        comment: comment.clone(),
        ..answering(&id, Verdict::Reject, Scope::Once)
    })
    .await;
    assert_eq!(all(&mut feed, 2).await, ["that is all 0", "raised one"]);
    let message = feed.message().await.unwrap().unwrap();
    let Some(Event::Answered(settled)) = message.event else { panic!("{message:?}") };
    assert_eq!((settled.escalation_id.as_str(), settled.state()), (id.as_str(), EscalationState::Rejected));
    let answer = settled.answer.unwrap();
    assert_eq!((answer.answered_by.as_str(), answer.comment), ("local", comment));
}

#[tokio::test]
async fn behind_a_cursor_nothing_is_missing_and_nothing_comes_twice_whatever_happened_meanwhile() {
    let gate = gate().await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    let mut ids = Vec::new();
    for number in 0..5 {
        ids.push(gate.decide(shell("s", &format!("c{number}"))).await.escalation_id);
    }
    assert_eq!(all(&mut feed, 3).await, ["that is all 0", "raised c0", "raised c1"]);
    let (cursor, last) = next(&mut feed).await;
    assert_eq!(last, "raised c2");
    drop(feed);
    gate.answer(answering(&ids[0], Verdict::Approve, Scope::Once)).await;
    // The gate itself may have been away, too.
    let gate = gate.restart().await;
    gate.decide(shell("s", "c5")).await;
    let behind = pb::StreamEscalationsRequest { after: cursor, ..pb::StreamEscalationsRequest::default() };
    let mut feed = follow(&gate, behind).await;
    let expected = ["raised c3", "raised c4", "answered c0", "raised c5"];
    assert_eq!(all(&mut feed, 4).await, expected);
    gate.answer(answering(&ids[1], Verdict::Approve, Scope::Once)).await;
    assert_eq!(next(&mut feed).await.1, "answered c1", "and live from there");
}

#[tokio::test]
async fn a_feed_is_of_one_project_and_may_be_of_one_session_or_run() {
    let gate = gate().await;
    let request = |project: &str, session_id: &str, run_id: &str| pb::StreamEscalationsRequest {
        project: project.to_owned(),
        session_id: session_id.to_owned(),
        run_id: run_id.to_owned(),
        after: String::new(),
    };
    let before = gate.decide(in_run("r1", shell("a", "before"))).await.escalation_id;
    let mut whole = follow(&gate, request("", "", "")).await;
    let mut session = follow(&gate, request("default", "b", "")).await;
    let mut run = follow(&gate, request("", "a", "r2")).await;
    let mut elsewhere = follow(&gate, request("other", "", "")).await;
    gate.decide(in_run("r1", shell("a", "a1"))).await;
    gate.decide(in_run("r2", shell("a", "a2"))).await;
    gate.decide(in_run("r2", shell("b", "b2"))).await;
    gate.decide(pb::DecideRequest { project: "other".to_owned(), ..shell("a", "theirs") }).await;
    gate.answer(answering(&before, Verdict::Reject, Scope::Once)).await;
    let expected =
        ["raised before", "that is all 1", "raised a1", "raised a2", "raised b2", "answered before"];
    assert_eq!(all(&mut whole, 6).await, expected);
    assert_eq!(all(&mut session, 2).await, ["that is all 0", "raised b2"]);
    assert_eq!(all(&mut run, 2).await, ["that is all 0", "raised a2"]);
    assert_eq!(all(&mut elsewhere, 2).await, ["that is all 0", "raised theirs"]);
}

#[tokio::test]
async fn a_cursor_holds_only_for_the_feed_and_the_filters_that_gave_it() {
    let gate = gate().await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    let cursor = next(&mut feed).await.0;
    let with = |after: &str, session: &str| pb::StreamEscalationsRequest {
        after: after.to_owned(),
        session_id: session.to_owned(),
        ..pb::StreamEscalationsRequest::default()
    };
    let ahead = cursor.split_once('.').unwrap().0.to_owned() + ".393939393939";
    for wrong in [with(&cursor, "s"), with("made up", ""), with(&ahead, ""), with(&"9".repeat(5_000), "")] {
        let failure = try_follow(&gate, wrong).await.unwrap_err();
        failure.expect(Code::InvalidArgument, "CURSOR_INVALID");
        assert_eq!(failure.metadata("field"), "after");
    }
    let halts = pb::StreamAttackHaltsRequest { after: cursor, ..pb::StreamAttackHaltsRequest::default() };
    let refused = gate.client.clone().stream_attack_halts(halts).await.unwrap_err();
    Failure::of(&refused).expect(Code::InvalidArgument, "CURSOR_INVALID");
    let long = pb::StreamEscalationsRequest { project: "x y".to_owned(), ..with("", &"s".repeat(200)) };
    let failure = try_follow(&gate, long).await.unwrap_err();
    assert_eq!(failure.fields, ["project", "session_id"]);
}

#[tokio::test]
async fn a_quiet_feed_says_that_it_lives_and_moves_its_cursor_on() {
    let mut setup = Setup { policy: r#"{"approvals": {"mode": "manual"}}"#.to_owned(), ..Setup::default() };
    setup.settings.heartbeat = Duration::from_millis(20);
    let gate = Gate::start(setup).await;
    let quiet = pb::StreamEscalationsRequest {
        session_id: "nobody".to_owned(),
        ..pb::StreamEscalationsRequest::default()
    };
    let mut feed = follow(&gate, quiet.clone()).await;
    let first = feed.message().await.unwrap().unwrap().cursor;
    gate.decide(shell("s", "one")).await;
    loop {
        let message = feed.message().await.unwrap().unwrap();
        assert!(matches!(message.event, Some(Event::Heartbeat(_))), "{message:?}");
        if message.cursor != first {
            follow(&gate, pb::StreamEscalationsRequest { after: message.cursor, ..quiet }).await;
            break;
        }
    }
}

#[tokio::test]
async fn whoever_does_not_read_delays_no_decision_and_finds_everything_later() {
    let gate = gate().await;
    let mut sleeping = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    // More than a connection and the feed's own memory hold: each question carries its whole command.
    let long = "x".repeat(20_000);
    for number in 0..100 {
        let session = format!("s{}", number % 10);
        let given = gate.decide(shell(&session, &format!("echo {number} {long}"))).await;
        assert_eq!(given.action(), Action::Escalate);
    }
    let (mut cursor, said) = next(&mut sleeping).await;
    assert_eq!(said, "that is all 0");
    for number in 0..100 {
        let (mut place, mut said) = next(&mut sleeping).await;
        if said.starts_with("resume") {
            // It slept so long that it was sent away; it goes on where it was.
            let behind = pb::StreamEscalationsRequest { after: cursor, ..Default::default() };
            sleeping = follow(&gate, behind).await;
            (place, said) = next(&mut sleeping).await;
        }
        assert!(said.starts_with(&format!("raised echo {number} x")), "{number}: {said:.80}");
        cursor = place;
    }
}

#[tokio::test]
async fn a_cursor_that_is_older_than_what_is_kept_is_out_of_range_and_names_the_oldest_that_is_not() {
    let gate = gate().await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    let (start, _) = next(&mut feed).await;
    for command in ["one", "two"] {
        let id = gate.decide(shell("s", command)).await.escalation_id;
        gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    }
    gate.decide(shell("s", "three")).await;
    drop(feed);
    let setup = gate.stop().await;
    // What retention does: what was settled by now is no longer kept.
    let store = SqliteStore::open(setup.folder.path().join("haltgate.db")).unwrap();
    let changes = vec![Change::PruneSettled { before: i64::MAX, limit: 100 }];
    store.submit(Batch { project: "default".to_owned(), changes, ..Batch::default() }).await.unwrap();
    store.close().await.unwrap();
    drop(store);
    let gate = Gate::start(setup).await;
    let behind = |after: &str| pb::StreamEscalationsRequest { after: after.to_owned(), ..Default::default() };
    let failure = try_follow(&gate, behind(&start)).await.unwrap_err();
    failure.expect(Code::OutOfRange, "CURSOR_TOO_OLD");
    assert_eq!(failure.metadata("after"), start);
    let mut feed = follow(&gate, behind(failure.metadata("oldest"))).await;
    assert_eq!(next(&mut feed).await.1, "raised three");
    let mut anew = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    assert_eq!(all(&mut anew, 2).await, ["raised three", "that is all 1"]);
}

#[tokio::test]
async fn a_feed_is_told_to_come_again_when_the_gate_shuts_down() {
    let mut gate = gate().await;
    let mut feed = follow(&gate, pb::StreamEscalationsRequest::default()).await;
    let mut halts = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    assert_eq!(next(&mut feed).await.1, "that is all 0");
    gate.drain();
    assert_eq!(next(&mut feed).await.1, "resume RESUME_REASON_DRAINING");
    assert!(feed.message().await.unwrap().is_none(), "the hint is the last message");
    let mut last = None;
    while let Some(message) = halts.message().await.unwrap() {
        last = message.event;
    }
    assert!(matches!(last, Some(HaltEvent::ResumeHint(_))), "{last:?}");
}

/// A gate whose rater knows an attack when it sees one.
async fn attacked() -> Gate {
    let gate = Gate::plain().await;
    gate.rater.say(ATTACK, Outcome::Attack);
    gate.open(opening("s")).await;
    gate
}

fn about(message: &pb::StreamAttackHaltsResponse) -> pb::AttackHalt {
    match message.event.clone().unwrap() {
        HaltEvent::Raised(halt)
        | HaltEvent::Answered(halt)
        | HaltEvent::Withdrawn(halt)
        | HaltEvent::Expired(halt) => halt,
        other => panic!("no halt: {other:?}"),
    }
}

fn to_halt(halt_id: &str, verdict: Verdict) -> pb::AnswerRequest {
    pb::AnswerRequest {
        target: Some(pb::answer_request::Target::HaltId(halt_id.to_owned())),
        verdict: verdict.into(),
        ..pb::AnswerRequest::default()
    }
}

#[tokio::test]
async fn a_watched_halt_waits_and_run_anyway_lets_exactly_that_command_through() {
    let gate = attacked().await;
    let mut halts = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    assert!(matches!(halts.message().await.unwrap().unwrap().event, Some(HaltEvent::SnapshotEnd(_))));
    let mut client = gate.client.clone();
    let waiting = tokio::spawn(async move {
        client.decide(pb::DecideRequest { wait: true, ..in_run("r", shell("s", ATTACK)) }).await
    });
    let raised = about(&halts.message().await.unwrap().unwrap());
    assert_eq!((raised.state(), raised.run_id.as_str()), (AttackHaltState::Open, "r"));
    assert!(!raised.prompt.unwrap().framed_lines.is_empty());
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Halt, "the run is halted");
    gate.try_answer(to_halt(&raised.halt_id, Verdict::RunAnyway)).await.unwrap();
    let given = waiting.await.unwrap().unwrap().into_inner();
    assert_eq!((given.action(), given.scope()), (Action::Approve, Scope::Once));
    let answered = about(&halts.message().await.unwrap().unwrap());
    assert_eq!(answered.state(), AttackHaltState::RanAnyway);
    assert_eq!(answered.answer.unwrap().answered_by, "local");
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Approve, "the run goes on");
    let again = gate.decide(in_run("r", shell("s", ATTACK))).await;
    assert_eq!(again.action(), Action::Escalate, "the same command is a new halt, which waits anew");
    let stop =
        pb::AnswerRequest { comment: "not on my watch".to_owned(), ..to_halt(&again.halt_id, Verdict::Stop) };
    let second = gate.try_answer(stop).await.unwrap();
    let Some(pb::answer_response::Settled::Halt(stopped)) = second.settled else { panic!("a halt") };
    assert_eq!(stopped.state(), AttackHaltState::Stopped);
    assert_eq!(stopped.answer.unwrap().comment, "not on my watch", "the comment stays on record");
    assert_eq!(gate.decide(in_run("r", shell("s", "ls"))).await.action(), Action::Halt);
}

#[tokio::test]
async fn only_a_watcher_who_may_answer_and_sees_the_run_makes_a_halt_wait() {
    let gate = attacked().await;
    let _observer = watch(
        &gate,
        pb::StreamAttackHaltsRequest { observe_only: true, ..pb::StreamAttackHaltsRequest::default() },
    )
    .await;
    let _other_session = watch(
        &gate,
        pb::StreamAttackHaltsRequest {
            session_id: "t".to_owned(),
            ..pb::StreamAttackHaltsRequest::default()
        },
    )
    .await;
    let _other_project = watch(
        &gate,
        pb::StreamAttackHaltsRequest { project: "p".to_owned(), ..pb::StreamAttackHaltsRequest::default() },
    )
    .await;
    let _other_run = watch(
        &gate,
        pb::StreamAttackHaltsRequest {
            session_id: "s".to_owned(),
            run_id: "q".to_owned(),
            ..pb::StreamAttackHaltsRequest::default()
        },
    )
    .await;
    let given = gate.decide(pb::DecideRequest { wait: true, ..in_run("r", shell("s", ATTACK)) }).await;
    assert_eq!(given.action(), Action::Halt);
    let watched = gate.decide(in_run("q", shell("s", ATTACK))).await;
    assert_eq!(watched.action(), Action::Escalate, "the run that is watched");
}

#[tokio::test]
async fn a_halt_nobody_watched_is_told_too_and_needs_no_answer() {
    let gate = attacked().await;
    let observing = pb::StreamAttackHaltsRequest { observe_only: true, ..Default::default() };
    let mut halts = watch(&gate, observing).await;
    gate.decide(in_run("r", shell("s", ATTACK))).await;
    halts.message().await.unwrap();
    let raised = about(&halts.message().await.unwrap().unwrap());
    assert_eq!(raised.state(), AttackHaltState::Unattended);
}

#[tokio::test]
async fn when_the_last_watcher_leaves_the_halt_stops_waiting_and_the_run_stays_halted() {
    let gate = attacked().await;
    let first = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    let second = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    let mut client = gate.client.clone();
    let asked = named("q", pb::DecideRequest { wait: true, ..in_run("r", shell("s", ATTACK)) });
    let waiting = tokio::spawn(async move { client.decide(asked).await });
    drop(first);
    tokio::time::sleep(haltgate::session::RECONNECT + Duration::from_millis(500)).await;
    assert!(!waiting.is_finished(), "one watcher is left");
    drop(second);
    let given = waiting.await.unwrap().unwrap().into_inner();
    assert_eq!((given.action(), given.run_halted), (Action::Halt, true));
    let observing = pb::StreamAttackHaltsRequest { observe_only: true, ..Default::default() };
    let mut halts = watch(&gate, observing).await;
    let open = halts.message().await.unwrap().unwrap();
    assert!(matches!(open.event, Some(HaltEvent::SnapshotEnd(pb::SnapshotEnd { open: 0 }))), "{open:?}");
    let failure = gate.try_answer(to_halt(&given.halt_id, Verdict::RunAnyway)).await.unwrap_err();
    failure.expect(Code::FailedPrecondition, "NO_LONGER_OPEN");
    assert!(gate.verify().await.intact);
}

#[tokio::test]
async fn a_watcher_who_comes_back_in_time_finds_the_halt_waiting() {
    let gate = attacked().await;
    let watcher = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    let halt = gate.decide(in_run("r", shell("s", ATTACK))).await;
    drop(watcher);
    let mut back = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    tokio::time::sleep(haltgate::session::RECONNECT + Duration::from_millis(500)).await;
    assert_eq!(about(&back.message().await.unwrap().unwrap()).state(), AttackHaltState::Open);
    gate.try_answer(to_halt(&halt.halt_id, Verdict::RunAnyway)).await.unwrap();
}

#[tokio::test]
async fn a_halt_whose_watchers_were_sent_away_by_a_long_shutdown_still_waits_after_it() {
    let mut gate = attacked().await;
    let mut watcher = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    let halt = gate.decide(in_run("r", shell("s", ATTACK))).await;
    assert_eq!(halt.action(), Action::Escalate);
    // A request under way holds the shutdown up for longer than a watcher may be away.
    let waiting = tokio::spawn({
        let mut client = gate.client.clone();
        async move { client.decide(named("q", pb::DecideRequest { wait: true, ..shell("s", "mend") })).await }
    });
    gate.drain();
    while let Some(message) = watcher.message().await.unwrap() {
        assert!(!matches!(message.event, Some(HaltEvent::Expired(_))), "{message:?}");
    }
    drop(watcher);
    tokio::time::sleep(haltgate::session::RECONNECT + Duration::from_millis(500)).await;
    drop(waiting);
    let gate = gate.restart().await;
    let mut back = watch(&gate, pb::StreamAttackHaltsRequest::default()).await;
    assert_eq!(about(&back.message().await.unwrap().unwrap()).state(), AttackHaltState::Open);
    gate.try_answer(to_halt(&halt.halt_id, Verdict::RunAnyway)).await.unwrap();
}
