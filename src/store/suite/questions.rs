use std::sync::Arc;

use super::*;
use crate::store::{Conflict, OpenCounts, QuestionKind, Resolution, Resolve};

pub(super) fn answer(id: &str, text: &str) -> Resolve {
    Resolve { id: id.into(), resolution: Resolution::Answered, at: 70, answer_json: Some(text.into()) }
}

pub(crate) async fn the_first_answer_wins_and_the_second_learns_it(store: Arc<dyn Store>) {
    type Make = (fn(QuestionRow) -> Change, fn(Resolve) -> Change);
    let kinds: [Make; 2] =
        [(Change::PutEscalation, Change::ResolveEscalation), (Change::PutHalt, Change::ResolveHalt)];
    for (number, (put, resolve)) in kinds.into_iter().enumerate() {
        let id = format!("q-{number}");
        write(&*store, batch([put(question(&id))])).await.unwrap();
        write(&*store, batch([resolve(answer(&id, "yes"))])).await.unwrap();
        let mut second = batch([resolve(answer(&id, "no"))]);
        second.records.push(record(format!("r-{number}")));
        let error = write(&*store, second).await.unwrap_err();
        let StoreError::Conflict(conflict) = error else { panic!("{error:?}") };
        let (Conflict::Escalation { current, .. } | Conflict::Halt { current, .. }) = *conflict else {
            panic!("{conflict:?}")
        };
        let current = current.unwrap();
        assert_eq!(current.answer_json.as_deref(), Some("yes"));
        assert_eq!((current.status, current.resolved_at), (Status::Resolved(Resolution::Answered), Some(70)));
        assert_eq!(store.decision(&format!("r-{number}")).await, Ok(None), "the whole batch failed");
        let again = write(&*store, batch([put(question(&id))])).await;
        assert!(matches!(again, Err(StoreError::Conflict(_))), "an answered question is not raised again");
    }
    assert!(store.escalation("q-0").await.unwrap().is_some());
    assert_eq!(store.halt("q-0").await, Ok(None), "kinds are kept apart");
}

pub(crate) async fn only_one_of_many_concurrent_answers_wins(store: Arc<dyn Store>) {
    write(&*store, batch([Change::PutEscalation(question("e"))])).await.unwrap();
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let store = Arc::clone(&store);
            let change = Change::ResolveEscalation(answer("e", &number.to_string()));
            tokio::spawn(async move { (number, store.submit(batch([change])).await) })
        })
        .collect();
    let mut winners = Vec::new();
    for task in tasks {
        let (number, outcome) = task.await.unwrap();
        if outcome.is_ok() {
            winners.push(number.to_string());
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(store.escalation("e").await.unwrap().unwrap().answer_json, winners.pop());
}

pub(crate) async fn a_question_cannot_be_answered_from_another_project(store: Arc<dyn Store>) {
    write(&*store, batch([Change::PutHalt(question("h"))])).await.unwrap();
    let stranger = Batch { project: "elsewhere".into(), ..batch([Change::ResolveHalt(answer("h", "go"))]) };
    let error = write(&*store, stranger).await.unwrap_err();
    assert_eq!(error, Conflict::Halt { id: "h".into(), current: None }.into(), "nor seen");
    let taken = QuestionRow { project: "elsewhere".into(), ..question("h") };
    let stranger = Batch { project: "elsewhere".into(), ..batch([Change::PutHalt(taken)]) };
    assert!(write(&*store, stranger).await.is_err());
    assert_eq!(store.halt("h").await, Ok(Some(question("h"))));
}

pub(crate) async fn open_questions_are_listed_oldest_first_by_project_and_session(store: Arc<dyn Store>) {
    let late = QuestionRow { raised_at: 90, ..question("a") };
    let other = QuestionRow { session: "t".into(), ..question("b") };
    let done = question("c");
    let changes = [late.clone(), other.clone(), done]
        .map(Change::PutEscalation)
        .into_iter()
        .chain([Change::ResolveEscalation(answer("c", "yes")), Change::PutHalt(question("h"))]);
    write(&*store, batch(changes)).await.unwrap();
    let foreign = QuestionRow { project: "elsewhere".into(), raised_at: 1, ..question("d") };
    let elsewhere = Batch { project: "elsewhere".into(), ..batch([Change::PutEscalation(foreign.clone())]) };
    write(&*store, elsewhere).await.unwrap();
    let (all, project) = (store.open_escalations(None, None), store.open_escalations(Some(PROJECT), None));
    assert_eq!(all.await, Ok(vec![foreign, other.clone(), late.clone()]));
    assert_eq!(project.await, Ok(vec![other.clone(), late]));
    assert_eq!(store.open_escalations(Some(PROJECT), Some("t")).await, Ok(vec![other]));
    assert_eq!(store.open_halts(Some(PROJECT), Some("s")).await, Ok(vec![question("h")]));
    assert_eq!(store.open_counts().await, Ok(OpenCounts { escalations: 3, halts: 1 }), "of all projects");
}

pub(crate) async fn the_feed_shows_every_change_once_whatever_the_page(store: Arc<dyn Store>) {
    let mut expected = Vec::new();
    for number in 0..30 {
        let id = format!("q-{number:02}");
        let (put, kind): (fn(QuestionRow) -> Change, _) = if number % 2 == 0 {
            (Change::PutEscalation, QuestionKind::Escalation)
        } else {
            (Change::PutHalt, QuestionKind::Halt)
        };
        write(&*store, batch([put(question(&id))])).await.unwrap();
        expected.push((kind, id, Status::Open));
    }
    let failing = batch([Change::PutHalt(question("never")), Change::ResolveHalt(answer("absent", ""))]);
    assert!(write(&*store, failing).await.is_err());
    let committed = write(&*store, batch([Change::ResolveEscalation(answer("q-00", "yes"))])).await.unwrap();
    expected.push((QuestionKind::Escalation, "q-00".into(), Status::Resolved(Resolution::Answered)));
    for limit in [1, 5, 53] {
        let (mut seen, mut cursor) = (Vec::new(), 0);
        loop {
            let page = store.feed(cursor, limit).await.unwrap();
            assert!(page.rows.len() <= limit as usize && !page.lost);
            if page.rows.is_empty() {
                assert_eq!(page.next, cursor);
                break;
            }
            assert!(page.rows.iter().all(|row| row.sequence > cursor));
            cursor = page.next;
            seen.extend(page.rows.into_iter().map(|row| (row.kind, row.question.id, row.status)));
        }
        assert_eq!(seen, expected, "pages of {limit}");
        assert_eq!(Some(cursor), committed.feed);
    }
}

pub(crate) async fn the_feed_head_wakes_whoever_waits(store: Arc<dyn Store>) {
    let mut head = store.feed_head();
    assert_eq!(*head.borrow_and_update(), 0);
    let receipt = store.submit(batch([Change::PutHalt(question("h"))]));
    head.changed().await.unwrap();
    let seen = *head.borrow_and_update();
    assert_eq!(store.feed(0, 0).await.unwrap().next, seen, "what the head names can be read");
    assert_eq!(receipt.await.unwrap().feed, Some(seen));
}

pub(crate) async fn a_snapshot_and_the_feed_behind_it_are_everything_once(store: Arc<dyn Store>) {
    write(&*store, batch([Change::PutSession(session("s", 1))])).await.unwrap();
    for id in ["a", "b", "c"] {
        write(&*store, batch([Change::PutEscalation(question(id))])).await.unwrap();
    }
    let answer = Resolve { id: "b".into(), resolution: Resolution::Answered, at: 60, answer_json: None };
    write(&*store, batch([Change::ResolveEscalation(answer), Change::PutHalt(question("h"))])).await.unwrap();
    // Somebody writes all the while.
    let writing = tokio::spawn({
        let store = Arc::clone(&store);
        async move {
            for number in 0..50 {
                write(&*store, batch([Change::PutEscalation(question(&format!("n-{number}")))]))
                    .await
                    .unwrap();
            }
        }
    });
    for _ in 0..50 {
        let snapshot = store.snapshot(QuestionKind::Escalation, PROJECT, Some("s")).await.unwrap();
        let page = store.feed(snapshot.head, 1_000).await.unwrap();
        assert!(page.head >= snapshot.head);
        let behind = page.rows.iter().map(|row| row.question.id.clone());
        let mut all: Vec<String> = snapshot.rows.iter().map(|row| row.id.clone()).chain(behind).collect();
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "nothing is in both");
        let raised = page.rows.iter().filter(|row| row.kind == QuestionKind::Escalation).count();
        assert_eq!(
            u64::try_from(snapshot.rows.len() + raised).unwrap() + 3,
            page.head,
            "and nothing is in neither"
        );
    }
    writing.await.unwrap();
    assert_eq!(store.snapshot(QuestionKind::Halt, PROJECT, None).await.unwrap().rows, [question("h")]);
    assert!(store.snapshot(QuestionKind::Halt, "elsewhere", None).await.unwrap().rows.is_empty());
}
