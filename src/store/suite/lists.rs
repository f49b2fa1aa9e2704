use std::sync::Arc;

use super::*;
use crate::store::{DecisionFilter, Page, RecordRow, SessionFilter};

async fn all_records(
    store: &dyn Store,
    filter: DecisionFilter,
    size: u32,
    newest_first: bool,
) -> Vec<RecordRow> {
    let (mut rows, mut after) = (Vec::new(), None);
    loop {
        let page = store.decisions(filter.clone(), Page { size, after, newest_first }).await.unwrap();
        assert!(page.rows.len() <= size as usize);
        rows.extend(page.rows);
        match page.next {
            Some(next) => after = Some(next),
            None => return rows,
        }
    }
}

async fn ids(store: &dyn Store, filter: DecisionFilter) -> Vec<String> {
    all_records(store, filter, 10, false).await.into_iter().map(|row| row.id).collect()
}

fn of_project() -> DecisionFilter {
    DecisionFilter { project: PROJECT.into(), ..DecisionFilter::default() }
}

pub(crate) async fn pages_of_records_hold_each_row_once(store: Arc<dyn Store>) {
    let receipts: Vec<_> = (1..=106).map(|number| store.submit(recording(format!("r-{number}")))).collect();
    for receipt in receipts {
        receipt.await.unwrap();
    }
    for size in [1, 5, 53] {
        for newest_first in [false, true] {
            let rows = all_records(&*store, of_project(), size, newest_first).await;
            let sequences: Vec<_> = rows.iter().map(|row| row.sequence).collect();
            let mut expected: Vec<u64> = (1..=106).collect();
            if newest_first {
                expected.reverse();
            }
            assert_eq!(sequences, expected, "pages of {size}, newest first: {newest_first}");
        }
    }
    let page = store.decisions(of_project(), Page { size: u32::MAX, ..Page::default() }).await.unwrap();
    assert_eq!((page.rows.len(), page.next), (106, None), "a huge size is clamped, not refused");
    let page = store.decisions(of_project(), Page::default()).await.unwrap();
    assert_eq!((page.rows.len(), page.next), (50, Some(57)), "no size means fifty");
}

pub(crate) async fn pages_of_sessions_hold_each_row_once(store: Arc<dyn Store>) {
    // Many share an opening time, and the names do not sort like the times.
    let changes = (0..60_i64).map(|number| {
        let opened_at = number / 7;
        Change::PutSession(SessionRow { opened_at, ..session(&format!("s-{:02}", 59 - number), 1) })
    });
    write(&*store, batch(changes)).await.unwrap();
    for size in [1, 5, 53] {
        for newest_first in [false, true] {
            let (mut seen, mut after) = (Vec::new(), None);
            loop {
                let page = Page { size, after, newest_first };
                let listing = store.sessions(SessionFilter::default(), page).await.unwrap();
                seen.extend(listing.rows.into_iter().map(|row| (row.opened_at, row.session)));
                match listing.next {
                    Some(next) => after = Some(next),
                    None => break,
                }
            }
            let mut expected = seen.clone();
            expected.sort();
            expected.dedup();
            if newest_first {
                expected.reverse();
            }
            assert_eq!(seen, expected, "pages of {size}, newest first: {newest_first}");
            assert_eq!(seen.len(), 60);
        }
    }
}

pub(crate) async fn records_are_found_by_every_filter(store: Arc<dyn Store>) {
    let special = NewRecord {
        id: "x".into(),
        at: 2_000,
        kind: "answer".into(),
        session: Some("t".into()),
        run: Some("other".into()),
        action: Some("HALT".into()),
        stage: Some("HARDLINE_FLOOR".into()),
        text: "Shut DOWN the mill".into(),
        body_json: "[]".into(),
    };
    let bare = NewRecord { session: None, run: None, action: None, stage: None, ..record("bare") };
    let records = vec![record("before"), special, bare];
    write(&*store, Batch { records, ..batch([]) }).await.unwrap();
    let text = |text: &str| Some(text.to_owned());
    let filters = [
        ("kind", DecisionFilter { kind: text("answer"), ..of_project() }),
        ("session", DecisionFilter { session: text("t"), ..of_project() }),
        ("run", DecisionFilter { run: text("other"), ..of_project() }),
        ("action", DecisionFilter { action: text("HALT"), ..of_project() }),
        ("stage", DecisionFilter { stage: text("HARDLINE_FLOOR"), ..of_project() }),
        ("text", DecisionFilter { text: text("down THE"), ..of_project() }),
        ("from", DecisionFilter { from: Some(2_000), ..of_project() }),
        ("all", DecisionFilter { kind: text("answer"), session: text("t"), from: Some(1), ..of_project() }),
    ];
    for (name, filter) in filters {
        assert_eq!(ids(&*store, filter).await, ["x"], "{name}");
    }
    assert_eq!(ids(&*store, DecisionFilter { until: Some(2_000), ..of_project() }).await, ["before", "bare"]);
    assert_eq!(ids(&*store, of_project()).await, ["before", "x", "bare"]);
    assert!(ids(&*store, DecisionFilter { project: "elsewhere".into(), ..of_project() }).await.is_empty());
}

pub(crate) async fn sessions_are_found_by_every_filter(store: Arc<dyn Store>) {
    let labels =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    let special = SessionRow {
        rung: "bypass".into(),
        closed_at: Some(9),
        labels: labels(&[("team", "mill"), ("it's \"quoted\"", "$.x")]),
        ..session("x", 1)
    };
    let plain = SessionRow { labels: labels(&[("team", "shop")]), ..session("plain", 1) };
    write(&*store, batch([special, plain].map(Change::PutSession))).await.unwrap();
    let all = SessionFilter::default;
    let filters = [
        ("rung", SessionFilter { rung: Some("bypass".into()), ..all() }),
        ("closed", SessionFilter { open: Some(false), ..all() }),
        ("label", SessionFilter { labels: labels(&[("team", "mill")]), ..all() }),
        (
            "labels",
            SessionFilter { labels: labels(&[("team", "mill"), ("it's \"quoted\"", "$.x")]), ..all() },
        ),
    ];
    for (name, filter) in filters {
        let rows = store.sessions(filter, Page::default()).await.unwrap().rows;
        assert_eq!(rows.iter().map(|row| row.session.as_str()).collect::<Vec<_>>(), ["x"], "{name}");
    }
    let counts = [
        (SessionFilter { open: Some(true), ..all() }, 1),
        (SessionFilter { project: Some(PROJECT.into()), ..all() }, 2),
        (SessionFilter { project: Some("elsewhere".into()), ..all() }, 0),
        (SessionFilter { labels: labels(&[("team", "mill"), ("team2", "x")]), ..all() }, 0),
    ];
    for (filter, expected) in counts {
        assert_eq!(
            store.sessions(filter.clone(), Page::default()).await.unwrap().rows.len(),
            expected,
            "{filter:?}"
        );
    }
}

pub(crate) async fn wildcards_in_a_search_are_letters(store: Arc<dyn Store>) {
    let texts = ["100%", "100 per cent", "a_b", "axb", "c\\d", "cd"];
    let records = texts.map(|text| NewRecord { text: text.into(), ..record(text) }).to_vec();
    write(&*store, Batch { records, ..batch([]) }).await.unwrap();
    for (needle, expected) in
        [("0%", "100%"), ("a_b", "a_b"), ("c\\d", "c\\d"), ("\\", "c\\d"), ("%", "100%")]
    {
        let filter = DecisionFilter { text: Some(needle.into()), ..of_project() };
        assert_eq!(ids(&*store, filter).await, [expected], "{needle}");
    }
}

pub(crate) async fn a_page_of_large_rows_ends_early_but_loses_none(store: Arc<dyn Store>) {
    for number in 0..10 {
        let large = NewRecord { body_json: "x".repeat(1024 * 1024), ..record(format!("r-{number}")) };
        write(&*store, Batch { records: vec![large], ..batch([]) }).await.unwrap();
    }
    let page = store.decisions(of_project(), Page::default()).await.unwrap();
    assert!(page.rows.len() < 5, "a page of {} MiB", page.rows.len());
    assert_eq!(all_records(&*store, of_project(), 100, false).await.len(), 10);
}

pub(crate) async fn too_long_a_search_text_is_refused(store: Arc<dyn Store>) {
    let filter = |length: usize| DecisionFilter { text: Some("x".repeat(length)), ..of_project() };
    assert!(store.decisions(filter(256), Page::default()).await.is_ok());
    let refused = store.decisions(filter(257), Page::default()).await;
    assert!(matches!(refused, Err(StoreError::Rejected { .. })));
}

pub(crate) async fn open_sessions_and_questions_are_counted(store: Arc<dyn Store>) {
    let changes = (0..20_i64).map(|number| {
        Change::PutSession(SessionRow {
            updated_at: number,
            closed_at: (number % 4 == 0).then_some(number),
            ..session(&format!("s-{number}"), 1)
        })
    });
    write(&*store, batch(changes)).await.unwrap();
    assert_eq!(store.open_sessions(PROJECT, 10, 20).await.unwrap(), 8, "of the last ten, two are closed");
    assert_eq!(store.open_sessions(PROJECT, i64::MIN, 1).await.unwrap(), 15);
    assert_eq!(store.open_sessions(PROJECT, 10, 21).await.unwrap(), 20, "there cannot be more");
    assert_eq!(store.open_sessions("other", 0, 1).await.unwrap(), 0);
    let asked = (0..7).map(|number| Change::PutEscalation(question(&format!("e-{number}"))));
    let halted = (0..2).map(|number| Change::PutHalt(question(&format!("h-{number}"))));
    write(&*store, batch(asked.chain(halted))).await.unwrap();
    assert_eq!(store.open_questions(PROJECT).await.unwrap(), 9);
    assert_eq!(store.open_questions("other").await.unwrap(), 0);
}
