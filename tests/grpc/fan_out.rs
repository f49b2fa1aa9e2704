//! What many feeds of one gate share: a change is read and encoded once for all of them, and none of them holds it up.

use crate::support::*;
use bytes::Bytes;
use haltgate::proto::v1 as pb;
use haltgate::session::{Feed, Following, Happening, Question, Told};
use haltgate::store::QuestionKind;
use pb::{Action, Scope, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn following(session: Option<&str>) -> Following {
    Following {
        kind: QuestionKind::Escalation,
        project: "default".to_owned(),
        session: session.map(str::to_owned),
        run: None,
        after: None,
        answers: false,
    }
}

/// A feed that has told what was open.
async fn follow(gate: &Gate, session: Option<&str>) -> Feed {
    let mut feed = gate.engine.open_feed(following(session)).await.unwrap();
    let end = feed.next().await.unwrap().happening;
    assert!(matches!(end, Happening::SnapshotEnd { open: 0 }), "{end:?}");
    feed
}

/// The next change: its place, and what it is told of.
async fn next(feed: &mut Feed) -> (u64, Arc<Told>) {
    let item = feed.next().await.unwrap();
    let place = item.cursor.expect("a change has a place");
    match item.happening {
        Happening::Raised(told)
        | Happening::Answered(told)
        | Happening::Withdrawn(told)
        | Happening::Expired(told) => (place, told),
        Happening::SnapshotEnd { .. } => panic!("a snapshot ends once"),
    }
}

fn command(told: &Told) -> String {
    match &told.settled().asked.question {
        Question::Escalation(escalation) => escalation.call.command_text().unwrap().to_owned(),
        Question::Attack(_) => panic!("no escalation"),
    }
}

#[tokio::test]
async fn a_change_is_read_once_and_encoded_once_for_all_feeds_that_tell_of_it() {
    let gate = Gate::at("manual").await;
    let mut feeds = Vec::new();
    for number in 0..100 {
        feeds.push(follow(&gate, (number % 2 == 0).then_some("s")).await);
    }
    let mut others = follow(&gate, Some("another")).await;
    let id = gate.decide(shell("s", "one")).await.escalation_id;
    gate.answer(answering(&id, Verdict::Reject, Scope::Once)).await;
    gate.decide(shell("another", "two")).await;
    let encodings = AtomicUsize::new(0);
    let encode = |told: &Told| {
        told.encoded(|settled| {
            encodings.fetch_add(1, Ordering::Relaxed);
            Some(settled.id.clone().into_bytes())
        })
        .unwrap()
    };
    for changes in 1..=2 {
        let mut first: Option<(Arc<Told>, Bytes)> = None;
        for feed in &mut feeds {
            let (_, told) = next(feed).await;
            let bytes = encode(&told);
            let (shared, encoded) = first.get_or_insert_with(|| (Arc::clone(&told), bytes.clone()));
            assert!(Arc::ptr_eq(shared, &told), "all feeds are handed the same");
            assert_eq!(encoded.as_ptr(), bytes.as_ptr(), "all feeds send the same bytes");
        }
        assert_eq!(encodings.load(Ordering::Relaxed), changes);
    }
    assert_eq!(command(&next(&mut others).await.1), "two", "and nothing that it did not ask for");
}

#[tokio::test]
async fn a_feed_that_is_read_late_tells_everything_once_and_in_order_beside_one_that_keeps_up() {
    let gate = Gate::at("manual").await;
    let mut late = follow(&gate, None).await;
    let mut keeps_up = follow(&gate, None).await;
    // More than is kept in memory for a feed, and more than is read from the store at a time.
    for number in 0..250 {
        let session = format!("s{}", number % 25);
        let wanted = format!("echo {number}");
        assert_eq!(gate.decide(shell(&session, &wanted)).await.action(), Action::Escalate);
        assert_eq!(command(&next(&mut keeps_up).await.1), wanted);
    }
    let mut last = 0;
    for number in 0..250 {
        let (place, told) = next(&mut late).await;
        assert_eq!(command(&told), format!("echo {number}"));
        assert!(place > last, "{place} behind {last}");
        last = place;
    }
    gate.decide(shell("s", "the last")).await;
    assert_eq!(command(&next(&mut late).await.1), "the last", "and it is live again");
}

#[tokio::test]
async fn the_cursor_of_a_quiet_feed_moves_on_and_never_beyond_what_was_not_told_yet() {
    let gate = Gate::at("manual").await;
    let quiet = follow(&gate, Some("nobody")).await;
    let mut unread = follow(&gate, None).await;
    let mut keeps_up = follow(&gate, None).await;
    let begin = quiet.cursor();
    gate.decide(shell("s", "one")).await;
    let (place, _) = next(&mut keeps_up).await;
    assert!(place > begin);
    while quiet.cursor() < place {
        tokio::task::yield_now().await;
    }
    assert!(unread.cursor() < place, "the change waits to be told");
    assert_eq!(next(&mut unread).await.0, place);
    assert!(unread.cursor() >= place);
}
