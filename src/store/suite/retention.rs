use std::sync::Arc;

use super::chain::append;
use super::questions::answer;
use super::*;
use crate::store::{Belief, ClosedSession, Prunable, Resolution, Resolve, Settled};

pub(crate) async fn a_chain_verifies_after_retention_and_goes_on(store: Arc<dyn Store>) {
    append(&*store, 0..20).await;
    for through in [5, 12] {
        let prune = pruning(&*store, through).await;
        write(&*store, prune).await.unwrap();
    }
    assert_eq!(store.decision("r-11").await, Ok(None));
    assert!(store.decision("r-12").await.unwrap().is_some());
    append(&*store, 20..25).await;
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.first, verification.checked, verification.broken), (13, 15, None));
    assert_eq!(verification.head.unwrap().sequence, 27);
}

pub(crate) async fn retention_never_drops_the_head(store: Arc<dyn Store>) {
    append(&*store, 0..3).await;
    let head = store.decision("r-2").await.unwrap().unwrap();
    for through in [0, 3, 4] {
        let mut prune = batch([Change::PruneRecords { through }]);
        prune.records.push(explaining(through, head.hash));
        let outcome = write(&*store, prune).await;
        assert!(matches!(outcome, Err(StoreError::Rejected { .. })), "{through}");
    }
    let prune = pruning(&*store, 2).await;
    write(&*store, prune).await.unwrap();
    assert_eq!(store.prunable(PROJECT, 0, 10).await, Ok(None));
    let verification = store.verify(PROJECT, quiet()).await.unwrap();
    assert_eq!((verification.checked, verification.broken), (2, None));
}

pub(crate) async fn records_are_dropped_with_a_record_that_says_so_or_not_at_all(store: Arc<dyn Store>) {
    append(&*store, 0..5).await;
    let (right, wrong) = (store.decision("r-2").await.unwrap().unwrap(), RecordHash([7; 32]));
    let change = Change::PruneRecords { through: right.sequence };
    let explanations = [
        None,
        Some(explaining(right.sequence, wrong)),
        Some(explaining(right.sequence - 1, right.hash)),
        Some(NewRecord { kind: "decision".into(), ..explaining(right.sequence, right.hash) }),
        Some(NewRecord { body_json: "{}".into(), ..explaining(right.sequence, right.hash) }),
    ];
    for explanation in explanations {
        let prune = Batch { records: explanation.clone().into_iter().collect(), ..batch([change.clone()]) };
        let outcome = write(&*store, prune).await;
        assert!(matches!(outcome, Err(StoreError::Rejected { .. })), "{explanation:?}: {outcome:?}");
    }
    assert_eq!(store.verify(PROJECT, quiet()).await.unwrap().checked, 5);
}

pub(crate) async fn what_may_be_dropped_is_the_oldest_part_of_a_chain_without_gaps(store: Arc<dyn Store>) {
    assert_eq!(store.prunable(PROJECT, i64::MAX, 10).await, Ok(None));
    // The fourth is older than the third: clocks may be set back.
    for (number, at) in [10, 20, 40, 30, 50].into_iter().enumerate() {
        let records = vec![NewRecord { at, ..record(format!("r-{number}")) }];
        write(&*store, Batch { records, ..batch([]) }).await.unwrap();
    }
    assert_eq!(store.oldest_records().await, Ok(vec![(PROJECT.into(), 10)]));
    for (before, limit, expected) in [
        (10, 9, None),
        (11, 9, Some((1, 10))),
        (31, 9, Some((2, 20))),
        (41, 9, Some((4, 40))),
        (41, 3, Some((3, 40))),
        (i64::MAX, 9, Some((4, 40))),
    ] {
        let found = store.prunable(PROJECT, before, limit).await.unwrap();
        let described = found.map(|found: Prunable| (found.through, found.newest_at));
        assert_eq!(described, expected, "before {before}, {limit} at most");
        if let Some(found) = found {
            let last = store.decision(&format!("r-{}", found.through - 1)).await.unwrap().unwrap();
            assert_eq!((found.hash, found.records), (last.hash, found.through));
        }
    }
}

pub(crate) async fn a_cursor_that_retention_overtook_is_told(store: Arc<dyn Store>) {
    for id in ["a", "b"] {
        write(&*store, batch([Change::PutHalt(question(id))])).await.unwrap();
    }
    let resolved = write(&*store, batch([Change::ResolveHalt(answer("a", "stop"))])).await.unwrap();
    write(&*store, batch([Change::PruneSettled { before: 1_000, limit: 10 }])).await.unwrap();
    let page = store.feed(1, 0).await.unwrap();
    assert!(page.lost);
    assert_eq!(page.next, resolved.feed.unwrap());
    assert!(!store.feed(page.next, 0).await.unwrap().lost);
    let next = write(&*store, batch([Change::PutHalt(question("c"))])).await.unwrap();
    assert!(next.feed > resolved.feed, "sequences are never used again");
}

pub(crate) async fn retention_keeps_what_still_waits(store: Arc<dyn Store>) {
    let waiting = RequestRow { request_id: question("open").request_id, ..request("") };
    let changes = [
        Change::PutSession(session("s", 1)),
        Change::PutEscalation(question("open")),
        Change::PutEscalation(question("done")),
        Change::ResolveEscalation(answer("done", "yes")),
        Change::PutRequest(waiting.clone()),
        Change::PutRequest(request("old")),
        Change::PutRequest(RequestRow { updated_at: 500, ..request("new") }),
    ];
    write(&*store, batch(changes)).await.unwrap();
    let dropped = write(&*store, batch([Change::PruneSettled { before: 500, limit: 10 }])).await.unwrap();
    assert_eq!(dropped.settled, Settled { questions: 1, requests: 1 });
    assert!(store.escalation("open").await.unwrap().is_some());
    assert_eq!(store.escalation("done").await, Ok(None));
    assert_eq!(store.request(PROJECT, "s", &waiting.request_id).await, Ok(Some(waiting.clone())));
    assert_eq!(store.request(PROJECT, "s", "old").await, Ok(None));
    assert!(store.request(PROJECT, "s", "new").await.unwrap().is_some());
}

pub(crate) async fn settled_questions_and_requests_are_dropped_a_piece_at_a_time_the_oldest_first(
    store: Arc<dyn Store>,
) {
    write(&*store, batch([Change::PutSession(session("s", 1))])).await.unwrap();
    for number in 0..5 {
        let id = format!("q{number}");
        let resolve =
            Resolve { id: id.clone(), resolution: Resolution::Answered, at: 100 - number, answer_json: None };
        let request = RequestRow { updated_at: 100 - number, ..request(&id) };
        let changes =
            [Change::PutHalt(question(&id)), Change::ResolveHalt(resolve), Change::PutRequest(request)];
        write(&*store, batch(changes)).await.unwrap();
    }
    let prune = || batch([Change::PruneSettled { before: 100, limit: 3 }]);
    for (dropped, kept) in [(3, "q1"), (1, "q0"), (0, "q0")] {
        let settled = write(&*store, prune()).await.unwrap().settled;
        assert_eq!(settled, Settled { questions: dropped, requests: dropped });
        assert!(store.halt(kept).await.unwrap().is_some(), "{kept}");
        assert!(store.request(PROJECT, "s", kept).await.unwrap().is_some(), "{kept}");
    }
    for gone in ["q1", "q2", "q3", "q4"] {
        assert_eq!(store.halt(gone).await, Ok(None));
    }
}

pub(crate) async fn sessions_that_were_closed_long_ago_are_named_and_open_ones_are_not(
    store: Arc<dyn Store>,
) {
    for (name, closed_at) in [("open", None), ("late", Some(300)), ("early", Some(100)), ("now", Some(400))] {
        write(&*store, batch([Change::PutSession(SessionRow { closed_at, ..session(name, 7) })]))
            .await
            .unwrap();
    }
    let closed = |name: &str| ClosedSession { project: PROJECT.into(), session: name.into(), version: 7 };
    assert_eq!(store.closed_sessions(400, 10).await, Ok(vec![closed("early"), closed("late")]));
    assert_eq!(store.closed_sessions(400, 1).await, Ok(vec![closed("early")]));
    assert_eq!(store.closed_sessions(100, 10).await, Ok(vec![]));
}

pub(crate) async fn a_store_keeps_what_retention_believes_and_its_own_id(store: Arc<dyn Store>) {
    assert_eq!(store.belief().await, Ok(None));
    for believed_at in [1_000, 2_000] {
        let belief = Belief { believed_at, doubted_for: believed_at / 2 };
        write(&*store, batch([Change::Believe(belief)])).await.unwrap();
        assert_eq!(store.belief().await, Ok(Some(belief)));
    }
    assert!(
        store.id().len() == 32 && store.id().bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{}",
        store.id()
    );
    assert_eq!(store.newest_at_opening(), None);
}

pub(crate) async fn room_that_was_freed_is_used_again(store: Arc<dyn Store>) {
    let fill = async |from: u64| {
        for number in from..from + 300 {
            let large = NewRecord { body_json: "x".repeat(4_000), ..record(format!("r-{number}")) };
            write(&*store, Batch { records: vec![large], ..batch([]) }).await.unwrap();
        }
    };
    fill(0).await;
    let full = store.size().await.unwrap();
    assert!(full.used > 1_000_000, "{full:?}");
    let prune = pruning(&*store, 299).await;
    write(&*store, prune).await.unwrap();
    let freed = store.size().await.unwrap();
    assert!(freed.used < full.used / 4 && freed.free > full.used / 2, "{freed:?}");
    fill(300).await;
    let again = store.size().await.unwrap();
    assert!(again.used + again.free < full.used + full.used / 8, "{full:?}, then {again:?}");
}
