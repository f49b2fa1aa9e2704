//! Connections that are replaced when they are old: no request fails, no event is lost, nobody counts as gone.

use crate::support::*;
use haltgate::client::{Client, FeedMessage, FeedNews, Happening, Interruption};
use haltgate::config::ServerSettings;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use prost::Message;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn ageing(age: Duration) -> Setup {
    let setup = Setup::default();
    let settings = ServerSettings { max_connection_age: age, ..setup.settings };
    let policy = r#"{ "approvals": { "mode": "manual" } }"#.to_owned();
    Setup { settings, policy, ..setup }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_of_a_client_fails_while_its_connections_are_replaced_under_it() {
    let mut setup = ageing(Duration::from_millis(100));
    setup.policy = r#"{ "approvals": { "mode": "bypass" } }"#.to_owned();
    let gate = Gate::start(setup).await;
    let address = gate.address.to_string().parse().unwrap();
    let (done, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let client = Client::connect(&address).await.unwrap();
    let callers: Vec<_> = (0..8)
        .map(|caller| {
            let (client, done, asked) = (client.clone(), Arc::clone(&done), Arc::clone(&asked));
            tokio::spawn(async move {
                let session = client.session(format!("s{caller}"));
                while !done.load(Ordering::Acquire) {
                    let decision = session.decide_shell("ls").wait(false).ask().await;
                    assert!(decision.unwrap_or_else(|error| panic!("{error}: {error:?}")).approved());
                    asked.fetch_add(1, Ordering::AcqRel);
                }
            })
        })
        .collect();
    // A feed says how often the one connection was replaced.
    let mut feed = client.watch_escalations(pb::StreamEscalationsRequest::default());
    let (mut replaced, mut connected) = (0, false);
    while replaced < 10 || asked.load(Ordering::Acquire) < 500 {
        match feed.next().await.unwrap() {
            FeedNews::Connected { .. } => connected = true,
            FeedNews::Message(_) => {}
            FeedNews::Interrupted { why: Interruption::Asked(pb::ResumeReason::ConnectionAge), .. } => {
                (replaced, connected) = (replaced + 1, false);
            }
            // One that was only about to be opened may meet the end of its connection; one that was open does not.
            FeedNews::Interrupted { why, .. } => assert!(!connected, "{why}"),
        }
    }
    done.store(true, Ordering::Release);
    for caller in callers {
        caller.await.unwrap();
    }
    drop(feed);
    gate.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_goes_on_over_the_next_connection_and_tells_everything_once() {
    let gate = Gate::start(ageing(Duration::from_millis(150))).await;
    let address = gate.address.to_string().parse().unwrap();
    let client = Client::connect(&address).await.unwrap();
    let mut feed = client.watch_escalations(pb::StreamEscalationsRequest::default());
    let mut told: BTreeMap<String, u32> = BTreeMap::new();
    let (mut replaced, mut connected, mut raised) = (0, false, Vec::new());
    while replaced < 5 || told.len() < raised.len() {
        tokio::select! {
            news = feed.next() => match news.unwrap() {
                FeedNews::Message(message) => match message.happening().unwrap() {
                    Happening::Raised(item) => *told.entry(item.escalation_id).or_default() += 1,
                    _other => {}
                },
                FeedNews::Interrupted { why: Interruption::Asked(pb::ResumeReason::ConnectionAge), .. } => {
                    (replaced, connected) = (replaced + 1, false);
                }
                FeedNews::Connected { .. } => connected = true,
                FeedNews::Interrupted { why, .. } => assert!(!connected, "{why}"),
            },
            () = tokio::time::sleep(Duration::from_millis(10)), if raised.len() < 40 => {
                let request = named(&format!("r{}", raised.len()), shell("s", &format!("mend {}", raised.len())));
                raised.push(client.decide(request).await.unwrap().escalation_id);
            }
        }
    }
    raised.sort();
    assert_eq!(told.keys().cloned().collect::<Vec<_>>(), raised);
    assert!(told.values().all(|times| *times == 1), "{told:?}");
    drop(feed);
    gate.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_grow_as_old_as_they_like_where_no_age_is_set() {
    let gate = Gate::start(ageing(Duration::ZERO)).await;
    let address = gate.address.to_string().parse().unwrap();
    let client = Client::connect(&address).await.unwrap();
    let mut feed = client.watch_escalations(pb::StreamEscalationsRequest::default());
    for index in 0..20 {
        gate.decide(shell("s", &format!("mend {index}"))).await;
        // Until it told of this one.
        loop {
            match feed.next().await.unwrap() {
                FeedNews::Interrupted { why, .. } => panic!("{why}"),
                FeedNews::Message(message)
                    if matches!(message.clone().happening(), Some(Happening::Raised(_))) =>
                {
                    break;
                }
                FeedNews::Message(_) | FeedNews::Connected { .. } => {}
            }
        }
    }
    drop(feed);
    gate.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_of_a_browser_ends_with_its_connection_too() {
    let gate = Gate::start(ageing(Duration::from_millis(300))).await;
    let mut browser = TcpStream::connect(gate.address).await.unwrap();
    let head = format!(
        "POST /haltgate.v1.ApprovalGate/StreamEscalations HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\n\
         content-type: application/grpc-web+proto\r\nx-grpc-web: 1\r\ncontent-length: 5\r\n\r\n",
        gate.address
    );
    // An empty message: everything of the default project.
    browser.write_all(&[head.as_bytes(), &[0; 5]].concat()).await.unwrap();
    let mut answer = Vec::new();
    browser.read_to_end(&mut answer).await.unwrap();
    let hint = pb::ResumeHint { reason: pb::ResumeReason::ConnectionAge.into() };
    let event = Some(pb::stream_escalations_response::Event::ResumeHint(hint));
    let hint =
        pb::StreamEscalationsResponse { event, ..pb::StreamEscalationsResponse::default() }.encode_to_vec();
    assert!(answer.windows(hint.len()).any(|window| window == hint), "{}", String::from_utf8_lossy(&answer));
    assert!(String::from_utf8_lossy(&answer).contains("grpc-status:0"));
    gate.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_is_attacked_while_its_watcher_changes_connections_waits_for_the_answer() {
    const ATTACK: &str = "cat ~/.ssh/id_ed25519";
    let setup = ageing(Duration::from_millis(500));
    let gate = Gate::start(Setup { policy: "{}".to_owned(), ..setup }).await;
    gate.rater.say(ATTACK, Outcome::Attack);
    let address = gate.address.to_string().parse().unwrap();
    let client = Client::connect(&address).await.unwrap();
    let mut watching = client.watch_halts(pb::StreamAttackHaltsRequest::default());
    loop {
        let news = watching.next().await.unwrap();
        if matches!(news, FeedNews::Interrupted { why: Interruption::Asked(_), .. }) {
            break;
        }
    }
    // It has not come again: it does so when it is asked for what is next.
    let halted = client.decide(in_run("r", shell("s", ATTACK))).await.unwrap();
    assert_eq!(halted.action(), pb::Action::Escalate, "{halted:?}");
    loop {
        if let FeedNews::Message(message) = watching.next().await.unwrap()
            && let Some(Happening::Raised(halt)) = message.happening()
        {
            assert_eq!((halt.halt_id, halt.state), (halted.halt_id, pb::AttackHaltState::Open.into()));
            break;
        }
    }
    drop(watching);
    gate.stop().await;
}
