//! At least once and in order, whatever the receiver and the process do.

use super::support::*;
use crate::server::{Reply, Seen, Server};
use serde_json::json;
use std::sync::Arc;
use tokio::sync::Semaphore;

#[tokio::test]
async fn a_receiver_that_was_out_of_order_gets_everything_in_order_when_it_is_back() {
    let receiver = receiver().await;
    let elsewhere = super::support::receiver().await;
    receiver.script([
        Reply::HangUp,
        Reply::status(500),
        Reply::status(404),
        Reply::Answer(302, vec![("location", url(&elsewhere))], String::new()),
        Reply::Cut("{".to_owned()),
    ]);
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    let commands = ["one", "two", "three"];
    for command in commands {
        raise(&served, command);
    }
    // Four attempts fail; an answer of 200 counts, whatever comes after its head.
    receiver.arrived(7).await;
    let seen = receiver.seen();
    for again in &seen[..5] {
        assert_eq!(
            (&again.body, again.header("idempotency-key")),
            (&seen[0].body, seen[0].header("idempotency-key"))
        );
        verify(again, SECRET);
    }
    let told: Vec<String> = once(&receiver).iter().map(said).collect();
    assert_eq!(told, commands.map(|command| format!("escalation.raised {command}")));
    assert_eq!(elsewhere.count(), 0, "no redirect is followed");
    until("the end of the outage is logged", || served.log().contains("takes notifications again")).await;
    assert!(served.log().contains("it answered 500"), "{}", served.log());
}

#[tokio::test]
async fn a_kill_between_an_event_and_its_delivery_loses_nothing() {
    let receiver = receiver().await;
    receiver.otherwise(Reply::status(503));
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    receiver.script([taken()]);
    for command in ["one", "two", "three"] {
        raise(&served, command);
    }
    // The first is taken, the second is on its way.
    receiver.arrived(2).await;
    let folder = served.kill();
    receiver.otherwise(taken());
    let served = serve_in(folder);
    raise(&served, "four");
    until("all four are told", || once(&receiver).len() == 4).await;
    let told: Vec<String> = once(&receiver).iter().map(said).collect();
    assert_eq!(told, ["one", "two", "three", "four"].map(|command| format!("escalation.raised {command}")));
}

#[tokio::test]
async fn what_happened_before_a_kill_that_left_no_time_at_all_is_told_after_it() {
    let receiver = receiver().await;
    // Nothing is answered before the kill.
    receiver.otherwise(Reply::Silence);
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    raise(&served, "one");
    let folder = served.kill();
    receiver.otherwise(taken());
    let _served = serve_in(folder);
    until("it is told", || receiver.seen().iter().any(|seen| said(seen) == "escalation.raised one")).await;
}

#[tokio::test]
async fn a_receiver_that_never_answers_keeps_neither_decisions_nor_other_receivers_waiting() {
    let (stuck, quick) = (Server::start(Reply::Silence).await, receiver().await);
    let served = serve(&json!({
        "stuck": { "url": url(&stuck), "timeout": "1m" }, "quick": { "url": url(&quick) },
    }));
    raise(&served, "first");
    stuck.arrived(1).await;
    // Every decision is answered and told to the other one while the first is waited for.
    for number in 0..20 {
        raise(&served, &format!("number {number}"));
    }
    quick.arrived(21).await;
    assert_eq!((stuck.count(), stuck.most_in_flight()), (1, 1), "it is told one thing at a time");
}

#[tokio::test]
async fn an_attempt_ends_with_its_time_and_an_answer_without_end_is_not_read() {
    let receiver = receiver().await;
    receiver.script([Reply::Silence, Reply::Endless]);
    let served = serve(&json!({ "pager": { "url": url(&receiver), "timeout": "1s" } }));
    raise(&served, "one");
    raise(&served, "two");
    until("both are told", || once(&receiver).len() == 2).await;
    let told: Vec<String> = once(&receiver).iter().map(said).collect();
    assert_eq!(told, ["one", "two"].map(|command| format!("escalation.raised {command}")));
    assert_eq!(said(&receiver.seen()[1]), "escalation.raised one", "the first attempt was not taken");
    // The connections of the attempt that took too long and of the endless answer were closed.
    receiver.gone(2).await;
    until("the reason is logged", || served.log().contains("no answer in time")).await;
}

#[tokio::test]
async fn a_receiver_that_asks_for_patience_is_left_alone() {
    let receiver = receiver().await;
    receiver.script([Reply::Answer(429, vec![("retry-after", "2".to_owned())], String::new())]);
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    raise(&served, "one");
    receiver.arrived(2).await;
    let sent_at = |seen: &Seen| seen.header("haltgate-timestamp").unwrap().parse::<u64>().unwrap();
    let (first, second) = (sent_at(&receiver.seen()[0]), sent_at(&receiver.seen()[1]));
    assert!(second >= first + 2, "{first} {second}");
}

#[tokio::test]
async fn order_is_kept_while_an_answer_is_held_back() {
    let receiver = receiver().await;
    let gate = Arc::new(Semaphore::new(0));
    receiver.script([Reply::Held(Arc::clone(&gate), Box::new(taken()))]);
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    for command in ["one", "two"] {
        raise(&served, command);
    }
    receiver.arrived(1).await;
    assert_eq!(receiver.count(), 1);
    gate.add_permits(1);
    receiver.arrived(2).await;
    assert_eq!(all_said(&receiver), ["escalation.raised one", "escalation.raised two"]);
}
