use super::*;
use crate::access::Caller;
use crate::config::Configuration;
use crate::gate::{Action, Call, Floors, GrantScope, ShellCall, Terms};
use crate::rater::Unassessed;
use crate::rules::{Entry, TextPattern};
use crate::session::clock::Clock;
use crate::session::clock::tests::Set;
use crate::session::{Ask, Management, Opening, Operation, Policies, Ruling};
use crate::store::{DecisionFilter, Page, SqliteStore, Store};
use std::path::Path;
use std::sync::Arc;

const PROJECT: &str = "shop";
const NOW: i64 = 20_000 * DAY;
const HOUR: i64 = DAY / 24;

fn gate(store: Arc<dyn Store>, set: &Set) -> Engine {
    let policies = Policies::compile(Configuration::default()).unwrap();
    let clock = Clock::with(Box::new(set.clone()), store.newest_at_opening());
    Engine::with_clock(store, policies, Arc::new(Unassessed), Floors::NONE, clock)
}

fn in_memory(set: &Set) -> Engine {
    gate(Arc::new(SqliteStore::ephemeral().unwrap()), set)
}

fn in_file(path: &Path, set: &Set) -> Engine {
    gate(Arc::new(SqliteStore::open(path).unwrap()), set)
}

fn caller(name: &str) -> Arc<Caller> {
    Arc::new(Caller { name: name.to_owned(), ..Caller::local() })
}

async fn decide(engine: &Engine, session: &str, request: &str, command: &str) -> Ruling {
    let ask = Ask {
        project: PROJECT.to_owned(),
        session: session.to_owned(),
        run: String::new(),
        request_id: Some(request.to_owned()),
        call: Call::Shell(ShellCall::new(command)),
        caller: caller("agent"),
    };
    engine.decide(ask).await.unwrap()
}

async fn manage(engine: &Engine, session: Option<&str>, operation: Operation) {
    let management = Management {
        project: PROJECT.to_owned(),
        session: session.map(str::to_owned),
        caller: caller("ada"),
        request: None,
        operation,
    };
    engine.manage(management).await.unwrap();
}

fn exact(command: &str) -> Entry {
    Entry::Shell { pattern: TextPattern::Exact(command.to_owned()), rate: None }
}

async fn grant(engine: &Engine, command: &str, expires_at: Option<i64>) {
    let terms = Terms { expires_at: expires_at.map(Moment), ..Terms::default() };
    manage(engine, None, Operation::Grant { entry: exact(command), scope: GrantScope::Always, terms }).await;
}

async fn open(engine: &Engine, session: &str) {
    let opening = Opening { session: Some(session.to_owned()), ..Opening::of(PROJECT, caller("agent")) };
    engine.open_session(opening).await.unwrap();
}

fn after(max_age: i64) -> Retention {
    Retention { max_age: Some(Duration::from_micros(max_age.unsigned_abs())), max_size: None }
}

/// The records of retention, newest first, as they say what was done.
async fn told(engine: &Engine) -> Vec<String> {
    let kind = Some(RETENTION.to_owned());
    let filter = DecisionFilter { project: PROJECT.to_owned(), kind, ..DecisionFilter::default() };
    let page = engine.store().decisions(filter, Page::default()).await.unwrap();
    page.rows.into_iter().map(|row| row.text).collect()
}

async fn is_intact(engine: &Engine) -> bool {
    engine.verify_audit(PROJECT, None).await.unwrap().broken.is_none()
}

#[tokio::test]
async fn what_is_old_is_deleted_and_what_waits_allows_or_refuses_is_not() {
    let set = Set::to(NOW);
    let engine = in_memory(&set);
    let mut keeper = Keeper::default();
    engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
    grant(&engine, "make", None).await;
    open(&engine, "s").await;
    manage(&engine, Some("s"), Operation::Deny { entry: exact("reboot"), note: None }).await;
    open(&engine, "closed").await;
    engine.close_session(PROJECT, "closed", &caller("ada")).await.unwrap();
    let waiting = decide(&engine, "s", "r-open", "deploy").await;
    assert_eq!(waiting.decision.action, Action::Escalate);
    for number in 0..300 {
        assert_eq!(
            decide(&engine, "s", &format!("r{number}"), "make").await.decision.action,
            Action::Approve
        );
    }
    for _ in 0..100 {
        set.pass(DAY);
        // A pass that finds nothing, as there are many while a gate runs.
        engine.look_after(&mut keeper, &after(3_650 * DAY), true).await.unwrap();
    }
    decide(&engine, "s", "r-new", "make").await;
    let pruned = engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
    assert!(pruned.records >= 300 && pruned.requests >= 300 && pruned.sessions == 1, "{pruned:?}");

    assert!(is_intact(&engine).await);
    let told = told(&engine).await;
    assert!(told.iter().any(|text| text.contains("128 records up to 128 by age")), "{told:?}");
    assert!(told.iter().any(|text| text.contains("a session that was closed long ago")), "{told:?}");
    let id = waiting.escalation_id.unwrap();
    assert!(engine.store().escalation(&id).await.unwrap().is_some());
    let again = decide(&engine, "s", "r-open", "deploy").await;
    assert!(again.replayed && again.decision_id == waiting.decision_id, "its request is remembered");
    assert_eq!(decide(&engine, "s", "r-later", "make").await.decision.action, Action::Approve);
    assert_eq!(decide(&engine, "s", "r-denied", "reboot").await.decision.action, Action::Reject);
    assert!(engine.store().session(PROJECT, "closed").await.unwrap().is_none());
    assert!(engine.store().session(PROJECT, "s").await.unwrap().is_some());
    open(&engine, "closed").await;
    assert_eq!(decide(&engine, "closed", "r", "make").await.decision.action, Action::Approve);

    let twice = engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
    assert_eq!(twice, Pruned::default(), "nothing is deleted because something was");
}

#[tokio::test]
async fn a_clock_that_jumps_ten_years_ahead_deletes_nothing_for_a_day_across_restarts_too() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("gate.db");
    let set = Set::to(NOW);
    let engine = in_file(&path, &set);
    let mut keeper = Keeper::default();
    for number in 0..20 {
        decide(&engine, "s", &format!("r{number}"), "make").await;
    }
    engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
    set.jump(NOW + 3_650 * DAY);
    for _ in 0..3 {
        let pruned = engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
        assert_eq!(pruned, Pruned::default());
        set.pass(HOUR);
    }
    decide(&engine, "s", "in the future", "make").await;
    engine.store().close().await.unwrap();
    drop(engine);

    let engine = in_file(&path, &set);
    let mut keeper = Keeper::default();
    for _ in 0..20 {
        let pruned = engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
        assert_eq!(pruned, Pruned::default());
        set.pass(HOUR);
    }
    set.pass(3 * HOUR);
    let pruned = engine.look_after(&mut keeper, &after(90 * DAY), true).await.unwrap();
    assert!(pruned.records >= 20, "it has lasted for a day: {pruned:?}");
    assert!(is_intact(&engine).await);
}

#[tokio::test]
async fn a_store_stays_as_small_as_it_is_to_be_and_its_chains_hold() {
    const MAX: u64 = 2 << 20;
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("gate.db");
    let set = Set::to(NOW);
    let engine = in_file(&path, &set);
    grant(&engine, "make", None).await;
    let retention = Retention { max_age: None, max_size: Some(MAX) };
    let mut keeper = Keeper::default();
    let mut deleted = 0;
    for round in 0..6 {
        for number in 0..150 {
            decide(&engine, "s", &format!("r{round}-{number}"), "make").await;
        }
        set.pass(HOUR);
        deleted += engine.look_after(&mut keeper, &retention, false).await.unwrap().records;
        let size = engine.store().size().await.unwrap();
        assert!(size.used + size.free <= MAX, "{size:?}");
    }
    assert!(deleted > 0 && !keeper.overfull);
    for number in 140..150 {
        let again = decide(&engine, "s", &format!("r5-{number}"), "make").await;
        assert!(again.replayed, "the latest are kept");
    }
    let report = engine.verify_audit(PROJECT, None).await.unwrap();
    assert!(report.broken.is_none() && report.verification.first > 1, "{report:?}");
    engine.store().close().await.unwrap();
    let length = std::fs::metadata(&path).unwrap().len();
    assert!(length <= MAX, "{length}");
}

#[tokio::test]
async fn a_store_that_holds_nothing_to_delete_is_said_to_be_too_large() {
    let engine = in_memory(&Set::to(NOW));
    for number in 0..300 {
        grant(&engine, &format!("make {number} {}", "x".repeat(6_000)), None).await;
    }
    let retention = Retention { max_age: None, max_size: Some(1 << 20) };
    let mut keeper = Keeper::default();
    engine.look_after(&mut keeper, &retention, false).await.unwrap();
    let size = engine.store().size().await.unwrap();
    assert!(keeper.overfull && size.used > 1 << 20, "{size:?}");
    assert_eq!(engine.store().grants(PROJECT).await.unwrap().len(), 300);
    assert!(is_intact(&engine).await);
}

#[tokio::test]
async fn deleting_everything_ends_although_it_is_itself_recorded() {
    let engine = in_memory(&Set::to(NOW));
    for number in 0..5 {
        decide(&engine, "s", &format!("r{number}"), "make").await;
    }
    let mut pruned = Pruned::default();
    engine.prune_by_age(Moment(i64::MAX), &mut pruned).await.unwrap();
    assert!(is_intact(&engine).await);
}

#[tokio::test]
async fn a_head_that_was_noted_and_deleted_since_is_said_to_be_no_longer_kept() {
    use crate::session::NotedHead;
    let set = Set::to(NOW);
    let engine = in_memory(&set);
    let noted = async || {
        let head = engine.verify_audit(PROJECT, None).await.unwrap().verification.head.unwrap();
        (head.sequence, head.hash.to_string())
    };
    decide(&engine, "s", "r1", "make").await;
    let early = noted().await;
    set.pass(10);
    decide(&engine, "s", "r2", "make").await;
    let late = noted().await;
    engine.prune_by_age(Moment(NOW + 5), &mut Pruned::default()).await.unwrap();
    for (head, expected) in [
        (Some(early.clone()), NotedHead::NoLongerKept),
        (Some(late.clone()), NotedHead::Found),
        (Some((late.0, early.1)), NotedHead::Missing),
        (None, NotedHead::NotGiven),
    ] {
        let report = engine.verify_audit(PROJECT, head).await.unwrap();
        assert_eq!(report.noted, expected);
        assert_eq!(report.broken.is_some(), expected == NotedHead::Missing, "{report:?}");
    }
}

#[tokio::test]
async fn a_grant_that_has_expired_does_not_come_back_when_the_clock_is_set_back() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("gate.db");
    let set = Set::to(NOW);
    let engine = in_file(&path, &set);
    grant(&engine, "make", Some(NOW + HOUR)).await;
    assert_eq!(decide(&engine, "s", "r1", "make").await.decision.action, Action::Approve);
    set.jump(NOW + 2 * HOUR);
    // Only the time is recorded: nothing asks for what has expired.
    decide(&engine, "s", "r2", "ls").await;
    set.jump(NOW);
    assert_eq!(decide(&engine, "s", "r3", "make").await.decision.action, Action::Escalate);
    engine.store().close().await.unwrap();
    drop(engine);
    let engine = in_file(&path, &set);
    assert_eq!(decide(&engine, "s", "r4", "make").await.decision.action, Action::Escalate, "after a restart");
    let row = engine.store().decision(&decide(&engine, "s", "r5", "ls").await.decision_id).await.unwrap();
    assert!(row.unwrap().at >= NOW + 2 * HOUR, "records keep their order");
}
