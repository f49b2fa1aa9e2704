//! Probes: whether to ask this gate, and whether it lives.

use crate::gate::{Served, run};
use crate::support::*;
use haltgate::config::{Configuration, Document, LogLevel};
use haltgate::gate::{Call, Floors, ShellCall};
use haltgate::proto::health::HealthCheckRequest;
use haltgate::proto::health::health_client::HealthClient;
use haltgate::rater::built_in;
use haltgate::server::{Admin, Desk, LogSwitch};
use haltgate::session::{Ask, Engine, Following, Policies};
use haltgate::store::{QuestionKind, SqliteOptions, SqliteStore};
use haltgate::telemetry::FeedState;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

#[derive(Debug)]
struct Fixed;

impl LogSwitch for Fixed {
    fn level(&self) -> LogLevel {
        LogLevel::Info
    }

    fn set(&self, _level: LogLevel) -> Result<(), String> {
        Err("log lines are not written here".to_owned())
    }
}

fn ask(command: &str) -> Ask {
    Ask {
        project: "p".to_owned(),
        session: "s".to_owned(),
        run: String::new(),
        request_id: None,
        call: Call::Shell(ShellCall::new(command)),
        caller: std::sync::Arc::new(haltgate::access::Caller::local()),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_that_drains_is_alive_and_not_ready() {
    let policy = r#"{ "server": { "drain_timeout": "1m" } }"#;
    let served = Served::start(policy, &["--ephemeral", "--admin", "127.0.0.1:0"]);
    let admin = admin(&served);
    until("readiness", || (get(&admin, "/ready").status == 200).then_some(()));
    let healthy = run(&["healthcheck", "--admin", &admin]);
    assert_eq!(healthy.code, 0, "{healthy:?}");
    // Somebody who holds a stream keeps the gate from ending.
    let mut health = HealthClient::new(channel(&served).await);
    let held = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    assert!(Command::new("kill").args(["-s", "TERM", &served.id().to_string()]).status().unwrap().success());
    let page = until("the drain", || Some(get(&admin, "/ready")).filter(|page| page.status == 503));
    assert_eq!(page.body, "not ready: the gate is shutting down\n");
    assert_eq!(get(&admin, "/live").status, 200);
    let unhealthy = run(&["healthcheck", "--admin", &admin]);
    assert_eq!(unhealthy.code, 1, "{unhealthy:?}");
    assert!(unhealthy.err.contains("shutting down"), "{unhealthy:?}");
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gate_that_cannot_store_is_alive_and_not_ready() {
    let folder = tempfile::tempdir().unwrap();
    let small = SqliteOptions { max_pages: Some(120), ..SqliteOptions::default() };
    let store = SqliteStore::open_with(folder.path().join("gate.db"), &small).unwrap();
    let policies = Policies::compile(Configuration::default()).unwrap();
    let engine = Engine::new(Arc::new(store), policies, built_in(), Floors::default());
    let (_drain, draining) = watch::channel(false);
    let desk = Desk { engine: engine.clone(), draining, log: Arc::new(Fixed) };
    let admin = Admin::start("127.0.0.1:0".parse().unwrap(), desk).await.unwrap();
    let address = admin.address().to_string();
    let page = async |path: &'static str| {
        let address = address.clone();
        tokio::task::spawn_blocking(move || get(&address, path)).await.unwrap()
    };
    assert_eq!(page("/ready").await.status, 200);
    let mut stored = 0;
    for length in [20_000, 2_000, 10] {
        loop {
            if engine.decide(ask(&format!("echo {}", "x".repeat(length)))).await.is_err() {
                break;
            }
            stored += 1;
            assert!(stored < 1_000, "the store never filled up");
        }
    }
    let ready = page("/ready").await;
    assert_eq!((ready.status, ready.body.as_str()), (503, "not ready: the store cannot write\n"));
    assert_eq!(page("/live").await.status, 200);
    let metrics = page("/metrics").await.body;
    for line in [
        "haltgate_store_up 0".to_owned(),
        "haltgate_audit_write_errors_total 3".to_owned(),
        format!("haltgate_decision_seconds_count {stored}"),
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line} is not in\n{metrics}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_is_not_read_shows_how_far_it_is_behind() {
    let manual = Document::parse("policy", r#"{ "approvals": "manual" }"#).unwrap();
    let policies = Policies::compile(Configuration::of(&manual).unwrap()).unwrap();
    let store = Arc::new(SqliteStore::ephemeral().unwrap());
    let engine = Engine::new(store, policies, built_in(), Floors::default());
    let following = Following {
        kind: QuestionKind::Escalation,
        project: "p".to_owned(),
        session: None,
        run: None,
        after: None,
        answers: false,
    };
    let mut feed = engine.open_feed(following).await.unwrap();
    // As many as wait in memory, and then more, which are left in the store.
    for (questions, expected) in [(10, 10), (90, 100)] {
        for number in 0..questions {
            engine.decide(ask(&format!("mend {expected} {number}"))).await.unwrap();
        }
        until_feeds_are(&engine, FeedState { open: 1, lag: expected }).await;
    }
    assert_eq!(engine.observe().await.halt_feeds, FeedState::default());
    // The end of the snapshot, and every question.
    for _ in 0..101 {
        feed.next().await.unwrap();
    }
    // Whoever reads goes on to ask for more, and is told nothing twice.
    while engine.observe().await.escalation_feeds != (FeedState { open: 1, lag: 0 }) {
        assert!(tokio::time::timeout(Duration::from_millis(5), feed.next()).await.is_err());
    }
    drop(feed);
    until_feeds_are(&engine, FeedState::default()).await;
}

/// What is told of feeds follows what happens to them a moment later.
async fn until_feeds_are(engine: &Engine, expected: FeedState) {
    while engine.observe().await.escalation_feeds != expected {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn a_gate_without_an_admin_port_is_checked_by_its_own() {
    let served = Served::start("{}", &["--ephemeral"]);
    assert!(!served.banner.contains("admin"), "{}", served.banner);
    until("health", || (served.run(&["healthcheck"]).code == 0).then_some(()));
    let absent = run(&["healthcheck", "--server", "127.0.0.1:1"]);
    assert_eq!(absent.code, 1, "{absent:?}");
    let nobody = run(&["healthcheck", "--admin", "127.0.0.1:1"]);
    assert_eq!(nobody.code, 1, "{nobody:?}");
}
