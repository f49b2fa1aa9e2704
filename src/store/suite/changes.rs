use std::sync::Arc;

use super::*;
use crate::store::{Conflict, DeliveryRow, DenialRow, Guard, Health};

pub(crate) async fn a_batch_is_applied_whole_or_not_at_all(store: Arc<dyn Store>) {
    let spent = Change::UseGrant { session: None, identity: "absent".into(), at: 1 };
    let mut failing = batch([Change::PutSession(session("s", 1)), Change::PutGrant(grant(None, "g")), spent]);
    failing.records.push(record("r-1"));
    let error = write(&*store, failing).await.unwrap_err();
    assert!(matches!(error, StoreError::Conflict(_)), "{error}");
    assert_eq!(store.session(PROJECT, "s").await, Ok(None));
    assert_eq!(store.grants(PROJECT).await, Ok(Vec::new()));
    assert_eq!(store.decision("r-1").await, Ok(None));

    let mut sound = batch([Change::PutSession(session("s", 1)), Change::PutGrant(grant(None, "g"))]);
    sound.records.push(record("r-1"));
    let committed = write(&*store, sound).await.unwrap();
    assert_eq!(committed.records.len(), 1);
    assert_eq!(store.session(PROJECT, "s").await, Ok(Some(session("s", 1))));
    assert_eq!(store.grants(PROJECT).await, Ok(vec![grant(None, "g")]));
    let stored = store.decision("r-1").await.unwrap().unwrap();
    assert_eq!((stored.sequence, stored.hash), (1, committed.records[0].hash));
}

pub(crate) async fn a_conflict_leaves_its_neighbours_alone(store: Arc<dyn Store>) {
    // Submitted together, so that an implementation which groups commits has them in one group.
    let receipts: Vec<_> = (0..60)
        .map(|number| {
            let mut batch = recording(format!("r-{number}"));
            if number % 3 == 1 {
                batch.guard.push(Guard::SessionVersion { session: "none".into(), expected: Some(7) });
            } else if number % 3 == 2 {
                batch.records.push(record("r-0"));
            }
            store.submit(batch)
        })
        .collect();
    let mut sequences = Vec::new();
    for (number, receipt) in receipts.into_iter().enumerate() {
        match (number % 3, receipt.await) {
            (0, Ok(committed)) => sequences.push(committed.records[0].sequence),
            (1, Err(StoreError::Conflict(conflict))) => {
                assert!(matches!(*conflict, Conflict::Session { expected: Some(7), current: None, .. }));
            }
            (2, Err(StoreError::Rejected { .. })) => {}
            (_, other) => panic!("batch {number} came to {other:?}"),
        }
    }
    assert_eq!(sequences, (1..=20).collect::<Vec<u64>>());
}

pub(crate) async fn batches_are_applied_in_the_order_of_submission(store: Arc<dyn Store>) {
    // Each batch relies on the one before it, which is not acknowledged yet.
    let receipts: Vec<_> = (1..=500_u64)
        .map(|version| {
            let mut batch = batch([Change::PutSession(session("s", version))]);
            let expected = version.checked_sub(1).filter(|before| *before > 0);
            batch.guard.push(Guard::SessionVersion { session: "s".into(), expected });
            batch.records.push(record(format!("r-{version}")));
            store.submit(batch)
        })
        .collect();
    for (number, receipt) in (1_u64..).zip(receipts) {
        assert_eq!(receipt.await.unwrap().records[0].sequence, number);
    }
    assert_eq!(store.session(PROJECT, "s").await.unwrap().unwrap().version, 500);
}

pub(crate) async fn a_thousand_concurrent_batches_are_all_there_without_gaps(store: Arc<dyn Store>) {
    let tasks: Vec<_> = (0..1_000)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.submit(recording(format!("r-{number}"))).await })
        })
        .collect();
    let mut sequences = Vec::new();
    for task in tasks {
        let reference = task.await.unwrap().unwrap().records.remove(0);
        let stored = store.decision(&reference.id).await.unwrap().unwrap();
        assert_eq!((stored.sequence, stored.hash), (reference.sequence, reference.hash));
        sequences.push(reference.sequence);
    }
    sequences.sort_unstable();
    assert_eq!(sequences, (1..=1_000).collect::<Vec<u64>>());
}

pub(crate) async fn a_limited_grant_is_used_exactly_as_often_as_it_may_be(store: Arc<dyn Store>) {
    let limited = GrantRow { max_uses: Some(7), ..grant(None, "g") };
    write(&*store, batch([Change::PutGrant(limited.clone())])).await.unwrap();
    let tasks: Vec<_> = (0..100)
        .map(|at| {
            let store = Arc::clone(&store);
            let spend = Change::UseGrant { session: None, identity: "g".into(), at };
            tokio::spawn(async move { store.submit(batch([spend])).await })
        })
        .collect();
    let mut used = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => used += 1,
            Err(StoreError::Conflict(conflict)) => match *conflict {
                Conflict::Grant { current: Some(current), .. } => assert_eq!(current.uses, 7),
                other => panic!("{other:?}"),
            },
            Err(other) => panic!("{other:?}"),
        }
    }
    assert_eq!(used, 7);
    assert_eq!(store.grants(PROJECT).await.unwrap()[0].uses, 7);
}

pub(crate) async fn an_expired_or_missing_grant_cannot_be_used(store: Arc<dyn Store>) {
    let expiring = GrantRow { expires_at: Some(200), ..grant(None, "g") };
    write(&*store, batch([Change::PutGrant(expiring)])).await.unwrap();
    let spend =
        |identity: &str, at| batch([Change::UseGrant { session: None, identity: identity.into(), at }]);
    assert!(write(&*store, spend("g", 199)).await.is_ok());
    assert!(matches!(write(&*store, spend("g", 200)).await, Err(StoreError::Conflict(_))));
    assert!(matches!(write(&*store, spend("other", 1)).await, Err(StoreError::Conflict(_))));
    let touch = Change::TouchGrant { session: None, identity: "g".into(), at: 250 };
    write(&*store, batch([touch])).await.unwrap();
    let stored = store.grants(PROJECT).await.unwrap().remove(0);
    assert_eq!((stored.uses, stored.last_used_at), (1, Some(250)));
}

pub(crate) async fn adding_a_grant_keeps_a_usable_one_and_replaces_a_spent_one(store: Arc<dyn Store>) {
    let add = |row: GrantRow| batch([Change::AddGrant(row)]);
    let first = GrantRow { max_uses: Some(1), ..grant(None, "g") };
    write(&*store, add(first.clone())).await.unwrap();
    let second = GrantRow { granted_at: 300, expires_at: Some(400), ..grant(None, "g") };
    write(&*store, add(second.clone())).await.unwrap();
    assert_eq!(store.grants(PROJECT).await, Ok(vec![first]), "the first stays while it can be used");
    let spend = Change::UseGrant { session: None, identity: "g".into(), at: 310 };
    write(&*store, batch([spend])).await.unwrap();
    write(&*store, add(second.clone())).await.unwrap();
    assert_eq!(store.grants(PROJECT).await, Ok(vec![second]), "a spent one is replaced");
    let third = GrantRow { granted_at: 400, ..grant(None, "g") };
    write(&*store, add(third.clone())).await.unwrap();
    assert_eq!(store.grants(PROJECT).await, Ok(vec![third.clone()]), "an expired one is replaced");
    let put = GrantRow { note: Some("why".into()), ..third };
    write(&*store, batch([Change::PutGrant(put.clone())])).await.unwrap();
    assert_eq!(store.grants(PROJECT).await, Ok(vec![put]), "putting always replaces");
}

pub(crate) async fn grants_of_the_project_and_of_its_sessions_are_kept_apart(store: Arc<dyn Store>) {
    let rows = [grant(None, "b"), grant(Some("s"), "b"), grant(None, "a"), grant(Some("t"), "a")];
    let sessions = ["s", "t"].map(|name| Change::PutSession(session(name, 1)));
    let changes = sessions.into_iter().chain(rows.clone().map(Change::PutGrant));
    write(&*store, batch(changes)).await.unwrap();
    let [project_b, session_b, project_a, other_a] = rows;
    assert_eq!(store.grants(PROJECT).await, Ok(vec![project_b, project_a.clone()]), "in the order given");
    assert_eq!(store.session_grants(PROJECT, "s").await, Ok(vec![session_b]));
    assert_eq!(store.grants("elsewhere").await, Ok(Vec::new()));
    let remove = |session: Option<&str>, identity: &str| Change::RemoveGrant {
        session: session.map(str::to_owned),
        identity: identity.into(),
    };
    write(&*store, batch([remove(None, "b"), remove(Some("s"), "b"), remove(None, "absent")])).await.unwrap();
    assert_eq!(store.grants(PROJECT).await, Ok(vec![project_a]));
    assert_eq!(store.session_grants(PROJECT, "s").await, Ok(Vec::new()));
    assert_eq!(store.session_grants(PROJECT, "t").await, Ok(vec![other_a]));
}

pub(crate) async fn a_denial_stays_as_it_was_first_given_until_it_is_lifted(store: Arc<dyn Store>) {
    let first = DenialRow {
        project: PROJECT.into(),
        session: "s".into(),
        identity: "d".into(),
        entry_json: "{}".into(),
        denied_at: 1,
        denied_by: Some("ada".into()),
        note: None,
    };
    let second = DenialRow { denied_at: 2, ..first.clone() };
    let put =
        [Change::PutSession(session("s", 1)), Change::PutDenial(first.clone()), Change::PutDenial(second)];
    write(&*store, batch(put)).await.unwrap();
    assert_eq!(store.denials(PROJECT, "s").await, Ok(vec![first.clone()]));
    // The session is put again, as a re-opened one is.
    write(&*store, batch([Change::PutSession(session("s", 2))])).await.unwrap();
    assert_eq!(store.denials(PROJECT, "s").await, Ok(vec![first]));
    let lift = Change::RemoveDenial { session: "s".into(), identity: "d".into() };
    write(&*store, batch([lift])).await.unwrap();
    assert_eq!(store.denials(PROJECT, "s").await, Ok(Vec::new()));
}

pub(crate) async fn a_request_id_is_taken_once(store: Arc<dyn Store>) {
    write(&*store, batch([Change::PutSession(session("s", 1))])).await.unwrap();
    let claim = |decision: &str| {
        let row = RequestRow { decision_id: decision.into(), ..request("q") };
        let mut batch = batch([Change::PutRequest(row)]);
        batch.guard.push(Guard::RequestAbsent { session: "s".into(), request_id: "q".into() });
        batch
    };
    let (first, second) = (store.submit(claim("one")), store.submit(claim("two")));
    first.await.unwrap();
    match second.await {
        Err(StoreError::Conflict(conflict)) => match *conflict {
            Conflict::Request { current, .. } => assert_eq!(current.decision_id, "one"),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
    assert_eq!(store.request(PROJECT, "s", "q").await.unwrap().unwrap().decision_id, "one");
    assert_eq!(store.request(PROJECT, "t", "q").await, Ok(None));
}

pub(crate) async fn a_deleted_session_takes_what_belongs_to_it_along(store: Arc<dyn Store>) {
    let changes = [
        Change::PutSession(session("s", 1)),
        Change::PutGrant(grant(Some("s"), "g")),
        Change::PutGrant(grant(None, "g")),
        Change::PutRequest(request("q")),
        Change::PutEscalation(question("e")),
    ];
    write(&*store, batch(changes)).await.unwrap();
    let delete = || batch([Change::DeleteSession { session: "s".into() }]);
    assert!(
        matches!(write(&*store, delete()).await, Err(StoreError::Rejected { .. })),
        "somebody still waits"
    );
    let withdraw = Change::ResolveEscalation(crate::store::Resolve {
        id: "e".into(),
        resolution: crate::store::Resolution::Withdrawn,
        at: 60,
        answer_json: None,
    });
    write(&*store, batch([withdraw])).await.unwrap();
    write(&*store, delete()).await.unwrap();
    assert_eq!(store.session(PROJECT, "s").await, Ok(None));
    assert_eq!(store.session_grants(PROJECT, "s").await, Ok(Vec::new()));
    assert_eq!(store.request(PROJECT, "s", "q").await, Ok(None));
    assert_eq!(store.grants(PROJECT).await.unwrap().len(), 1);
    assert!(store.escalation("e").await.unwrap().is_some(), "questions outlive their session");
}

pub(crate) async fn rows_of_another_project_are_refused(store: Arc<dyn Store>) {
    let foreign = SessionRow { project: "elsewhere".into(), ..session("s", 1) };
    let error = write(&*store, batch([Change::PutSession(foreign)])).await.unwrap_err();
    assert!(matches!(error, StoreError::Rejected { .. }), "{error}");
    assert_eq!(store.session("elsewhere", "s").await, Ok(None));
}

pub(crate) async fn a_closed_store_keeps_what_came_before_and_refuses_the_rest(store: Arc<dyn Store>) {
    let receipts: Vec<_> = (0..100).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    assert_eq!(store.health(), Health::Available);
    store.close().await.unwrap();
    for receipt in receipts {
        receipt.await.unwrap();
    }
    assert_eq!(store.submit(recording("late")).await, Err(StoreError::Closed));
    assert_eq!(store.decision("r-1").await, Err(StoreError::Closed));
    assert_eq!(store.close().await, Ok(()), "closing twice is no fault");
}

pub(crate) async fn each_receiver_of_notifications_keeps_its_own_place_until_it_is_forgotten(
    store: Arc<dyn Store>,
) {
    let row = |receiver: &str, position: u64| DeliveryRow {
        receiver: receiver.into(),
        position,
        delivered: position / 2,
        given_up: 1,
    };
    assert_eq!(store.deliveries().await, Ok(Vec::new()));
    for (receiver, position) in [("pager", 7), ("chat", 9), ("pager", 8)] {
        // Such a change belongs to no project.
        let changes = vec![Change::PutDelivery(row(receiver, position))];
        write(&*store, Batch { changes, ..Batch::default() }).await.unwrap();
    }
    assert_eq!(store.deliveries().await, Ok(vec![row("chat", 9), row("pager", 8)]));
    let forget = ["chat", "absent"].map(|receiver| Change::RemoveDelivery { receiver: receiver.into() });
    write(&*store, Batch { changes: forget.to_vec(), ..Batch::default() }).await.unwrap();
    assert_eq!(store.deliveries().await, Ok(vec![row("pager", 8)]));
}
