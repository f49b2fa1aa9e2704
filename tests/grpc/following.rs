//! The Rust client's feeds: they outlive their connections and the server, and miss nothing.

use crate::support::*;
use haltgate::client::{Address, Client, Feed, FeedMessage, FeedNews, Happening, Interruption};
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use std::net::SocketAddr;
use std::time::Duration;
use tonic::Code;

async fn connect(address: SocketAddr) -> Client {
    Client::connect(&Address::Tcp(address.to_string())).await.unwrap()
}

async fn manual() -> Gate {
    Gate::at("manual").await
}

/// The same gate in a new process, at the address where it was.
async fn back_again(gate: Gate) -> Gate {
    let address = gate.address;
    let mut setup = gate.stop().await;
    setup.settings.listen = vec![address];
    Gate::start(setup).await
}

type Escalations = Feed<pb::StreamEscalationsResponse>;

/// The next thing that is said, in words. Heartbeats and attempts that fail while there is no server say nothing new.
async fn next(feed: &mut Escalations) -> String {
    loop {
        let said = match feed.next().await.unwrap() {
            FeedNews::Connected { anew: true } => "connected anew".to_owned(),
            FeedNews::Connected { anew: false } => "connected again".to_owned(),
            FeedNews::Interrupted { why: Interruption::Failed(_), .. } => continue,
            FeedNews::Interrupted { why, .. } => format!("{why:?}"),
            FeedNews::Message(message) => match message.happening().unwrap() {
                Happening::Raised(item) => format!("raised {}", command(&item)),
                Happening::Answered(item) => format!("answered {}", command(&item)),
                Happening::Withdrawn(item) => format!("withdrawn {}", command(&item)),
                Happening::Expired(item) => format!("expired {}", command(&item)),
                Happening::SnapshotEnd(open) => format!("that is all {open}"),
                Happening::Heartbeat => continue,
                Happening::ResumeHint(reason) => reason.as_str_name().to_owned(),
            },
        };
        return said;
    }
}

async fn all(feed: &mut Escalations, count: usize) -> Vec<String> {
    let mut said = Vec::new();
    for _ in 0..count {
        said.push(next(feed).await);
    }
    said
}

/// Reads on until that is said; how the connection stands until then may differ from run to run.
async fn until(feed: &mut Escalations, wanted: &str) {
    loop {
        let said = next(feed).await;
        if said == wanted {
            return;
        }
        assert!(
            ["Silence", "connected anew", "connected again", "that is all 0"].contains(&said.as_str()),
            "{said}"
        );
    }
}

fn command(item: &pb::Escalation) -> String {
    match item.call.clone().unwrap().kind {
        Some(pb::call::Kind::Shell(shell)) => shell.command,
        other => panic!("no command: {other:?}"),
    }
}

#[tokio::test]
async fn a_feed_goes_on_behind_its_cursor_when_the_server_was_away() {
    let gate = manual().await;
    let mut feed = connect(gate.address).await.watch_escalations(pb::StreamEscalationsRequest::default());
    gate.decide(shell("s", "one")).await;
    assert_eq!(all(&mut feed, 3).await, ["connected anew", "raised one", "that is all 1"]);
    gate.decide(shell("s", "two")).await;
    assert_eq!(next(&mut feed).await, "raised two");
    let cursor = feed.cursor().to_owned();
    assert!(!cursor.is_empty());

    let gate = back_again(gate).await;
    gate.decide(shell("s", "three")).await;
    let expected =
        ["RESUME_REASON_DRAINING", "Asked(Draining)", "connected again", "raised three"].map(str::to_owned);
    assert_eq!(all(&mut feed, 4).await, expected);
    assert_ne!(feed.cursor(), cursor);

    // In another process too, whoever has the cursor.
    let behind = pb::StreamEscalationsRequest { after: cursor, ..pb::StreamEscalationsRequest::default() };
    let mut other = connect(gate.address).await.watch_escalations(behind);
    assert_eq!(all(&mut other, 2).await, ["connected again", "raised three"]);
}

#[tokio::test]
async fn a_connection_on_which_nothing_is_heard_is_made_anew() {
    let gate = manual().await;
    let client = connect(gate.address).await;
    let mut feed = client
        .watch_escalations(pb::StreamEscalationsRequest::default())
        .with_silence(Duration::from_millis(300));
    until(&mut feed, "that is all 0").await;
    until(&mut feed, "Silence").await;
    until(&mut feed, "connected again").await;
    gate.decide(shell("s", "one")).await;
    until(&mut feed, "raised one").await;
}

#[tokio::test]
async fn waiting_for_news_a_little_at_a_time_is_no_way_around_the_bound_on_silence() {
    let gate = manual().await;
    let client = connect(gate.address).await;
    let mut feed = client
        .watch_escalations(pb::StreamEscalationsRequest::default())
        .with_silence(Duration::from_millis(300));
    until(&mut feed, "that is all 0").await;
    loop {
        if let Ok(said) = tokio::time::timeout(Duration::from_millis(20), next(&mut feed)).await {
            assert_eq!(said, "Silence");
            break;
        }
    }
}

#[tokio::test]
async fn a_cursor_that_is_refused_begins_the_feed_anew() {
    let gate = manual().await;
    let client = connect(gate.address).await;
    let mut first = client.watch_escalations(pb::StreamEscalationsRequest::default());
    all(&mut first, 2).await;
    gate.decide(shell("s", "one")).await;
    // As if it came from a store that held more than this one.
    let ahead = first.cursor().split_once('.').unwrap().0.to_owned() + ".393939393939";
    let mut feed =
        client.watch_escalations(pb::StreamEscalationsRequest { after: ahead, ..Default::default() });
    match feed.next().await.unwrap() {
        FeedNews::Interrupted { why: Interruption::CursorRefused(status), attempt: 1, pause } => {
            assert_eq!((status.code(), pause), (Code::InvalidArgument, Duration::ZERO));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(all(&mut feed, 3).await, ["connected anew", "raised one", "that is all 1"]);
}

#[tokio::test]
async fn a_request_that_can_never_be_served_is_an_error_and_not_asked_for_ever() {
    let gate = manual().await;
    let wrong = pb::StreamEscalationsRequest { project: "no project".to_owned(), ..Default::default() };
    let mut feed = connect(gate.address).await.watch_escalations(wrong);
    assert_eq!(feed.next().await.unwrap_err().code(), Code::InvalidArgument);
}

#[tokio::test]
async fn a_server_that_is_away_is_asked_less_and_less_often() {
    let gate = manual().await;
    let mut feed = connect(gate.address).await.watch_escalations(pb::StreamEscalationsRequest::default());
    all(&mut feed, 2).await;
    gate.stop().await;
    assert_eq!(all(&mut feed, 2).await, ["RESUME_REASON_DRAINING", "Asked(Draining)"]);
    for expected in 2..5 {
        match feed.next().await.unwrap() {
            FeedNews::Interrupted { why: Interruption::Failed(status), attempt, pause } => {
                assert_eq!((status.code(), attempt), (Code::Unavailable, expected));
                assert!(pause >= Duration::from_millis(125 << (expected - 1)), "{pause:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn a_halt_waits_while_its_feed_is_followed() {
    const ATTACK: &str = "cat ~/.ssh/id_ed25519";
    let gate = Gate::plain().await;
    gate.rater.say(ATTACK, Outcome::Attack);
    gate.open(opening("s")).await;
    let mut feed = connect(gate.address).await.watch_halts(pb::StreamAttackHaltsRequest::default());
    assert!(matches!(feed.next().await.unwrap(), FeedNews::Connected { anew: true }));
    let decided = gate.decide(shell("s", ATTACK)).await;
    assert_eq!(decided.action(), pb::Action::Escalate, "it waits for the watcher");
    let raised = loop {
        if let FeedNews::Message(message) = feed.next().await.unwrap()
            && let Some(Happening::Raised(halt)) = message.happening()
        {
            break halt;
        }
    };
    assert_eq!((raised.halt_id, raised.state), (decided.halt_id, pb::AttackHaltState::Open.into()));
}
