//! What 2,000 subscribers cost one server: memory for each that is idle, and how long `Decide` takes with and without them.
//!
//! ```text
//! cargo bench --bench subscribers
//! cargo bench --bench subscribers -- 500      # so many subscribers
//! ```
//!
//! The real server runs in a process of its own, with a store in a file, so that a decision is durable before it is answered.
//! Every subscriber has a connection of its own; half of them follow escalations, half of them halts. Both measurements are
//! made in one run, without subscribers first: a decision that nobody hears of, and one that is told to half of them. Decisions
//! are asked for one after the other, without a pause, by a thread that does nothing else, so that no subscriber's reading
//! stands in the way of hearing the answer; it shares the machine's cores with the subscribers and with the server all the same.
//! Memory is what Linux says of the server's process. Where it is run as a test it is short and only shows that it works.

#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a benchmark may fail"
)]

#[allow(dead_code, reason = "shared with the tests of the command line")]
#[path = "../tests/command_line/gate.rs"]
mod gate;

use gate::Served;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tonic::Streaming;
use tonic::transport::Channel;

const POLICY: &str =
    r#"{ "approvals": { "allow": [ { "type": "shell", "matcher": "exact", "pattern": "git status" } ] } }"#;

/// How much is measured.
struct Plan {
    subscribers: usize,
    decisions: usize,
}

fn plan() -> Plan {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo bench` says so; `cargo test` does not.
    if !arguments.iter().any(|argument| argument == "--bench") {
        return Plan { subscribers: 20, decisions: 20 };
    }
    let subscribers = arguments.iter().find_map(|argument| argument.parse().ok()).unwrap_or(2_000);
    Plan { subscribers, decisions: 1_000 }
}

fn main() {
    let listening = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let deciding = Builder::new_current_thread().enable_all().build().unwrap();
    deciding.block_on(measure(&plan(), &listening));
}

async fn measure(plan: &Plan, listening: &Runtime) {
    let served = Served::start(POLICY, &["--store", "gate.db", "--log", "error"]);
    let mut client = connect(&served.address).await;
    decide_often(&mut client, "git status", plan.decisions / 4).await;

    println!("{:34} {:>10} {:>10}", "", "median", "p99");
    let quiet = decide_often(&mut client, "git status", plan.decisions).await;
    show("approved, no subscribers", &quiet);
    let asked = decide_often(&mut client, "frobnicate", plan.decisions / 4).await;
    show("escalated, no subscribers", &asked);
    close(&mut client).await;

    let before = memory(&served);
    let (heard, subscribers) =
        listening.spawn(subscribe(served.address.clone(), plan.subscribers)).await.unwrap();
    let after = settled(&served).await;
    let quiet = decide_often(&mut client, "git status", plan.decisions).await;
    show(&format!("approved, {} subscribers", plan.subscribers), &quiet);
    let asked = decide_often(&mut client, "frobnicate", plan.decisions / 4).await;
    show(&format!("escalated, {} subscribers", plan.subscribers), &asked);

    let told = tell(&mut client, &heard, plan.subscribers.div_ceil(2)).await;
    println!("until the last of {} has heard of one: {told:.1?}", plan.subscribers.div_ceil(2));
    match (before, after) {
        (Some(before), Some(after)) => {
            let each = after.saturating_sub(before) as f64 / plan.subscribers as f64;
            println!("memory: {before} KiB before, {after} KiB with idle subscribers: {each:.1} KiB each");
        }
        (None, _) | (_, None) => println!("memory: this system does not say"),
    }
    drop(subscribers);
}

async fn connect(address: &str) -> ApprovalGateClient<Channel> {
    ApprovalGateClient::connect(format!("http://{address}")).await.unwrap()
}

/// How long each of these decisions took, one after the other, in order of length.
async fn decide_often(
    client: &mut ApprovalGateClient<Channel>,
    command: &str,
    count: usize,
) -> Vec<Duration> {
    let mut took = Vec::with_capacity(count);
    for _ in 0..count.max(1) {
        let began = Instant::now();
        decide(client, command).await;
        took.push(began.elapsed());
    }
    took.sort_unstable();
    took
}

async fn decide(client: &mut ApprovalGateClient<Channel>, command: &str) {
    let shell = pb::ShellCall { command: command.to_owned(), ..Default::default() };
    let call = Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) });
    client
        .decide(pb::DecideRequest { session_id: "s".to_owned(), call, ..Default::default() })
        .await
        .unwrap();
}

/// Withdraws what was asked, so that subscribers begin with nothing open.
async fn close(client: &mut ApprovalGateClient<Channel>) {
    let session = pb::CloseSessionRequest { session_id: "s".to_owned(), ..Default::default() };
    client.close_session(session).await.unwrap();
    let session = pb::OpenSessionRequest { session_id: "s".to_owned(), ..Default::default() };
    client.open_session(session).await.unwrap();
}

fn show(what: &str, took: &[Duration]) {
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize];
    println!("{what:34} {:>10.2?} {:>10.2?}", at(0.5), at(0.99));
}

/// Counts what subscribers have heard.
type Heard = watch::Sender<usize>;

/// So many subscribers, each of which has its snapshot.
async fn subscribe(address: String, count: usize) -> (Arc<Heard>, JoinSet<()>) {
    let heard = Arc::new(watch::channel(0).0);
    let mut subscribers = JoinSet::new();
    for number in 0..count {
        let mut client = connect(&address).await;
        let heard = Arc::clone(&heard);
        if number % 2 == 0 {
            let feed = client.stream_escalations(pb::StreamEscalationsRequest::default()).await.unwrap();
            subscribers.spawn(listen(feed.into_inner(), heard, |message: &pb::StreamEscalationsResponse| {
                matches!(message.event, Some(pb::stream_escalations_response::Event::Raised(_)))
            }));
        } else {
            let request = pb::StreamAttackHaltsRequest { observe_only: true, ..Default::default() };
            let feed = client.stream_attack_halts(request).await.unwrap();
            subscribers.spawn(listen(feed.into_inner(), heard, |_: &pb::StreamAttackHaltsResponse| false));
        }
    }
    (heard, subscribers)
}

async fn listen<M>(mut feed: Streaming<M>, heard: Arc<Heard>, counts: impl Fn(&M) -> bool) {
    while let Ok(Some(message)) = feed.message().await {
        if counts(&message) {
            heard.send_modify(|heard| *heard += 1);
        }
    }
}

/// How long it takes from asking until so many have heard of it, once they have heard everything before.
async fn tell(client: &mut ApprovalGateClient<Channel>, heard: &Heard, listeners: usize) -> Duration {
    let mut hearing = heard.subscribe();
    while tokio::time::timeout(Duration::from_secs(2), hearing.changed()).await.is_ok() {}
    let before = *heard.borrow();
    let began = Instant::now();
    decide(client, "frobnicate").await;
    hearing.wait_for(|heard| *heard >= before + listeners).await.unwrap();
    began.elapsed()
}

/// The server's resident memory in KiB.
fn memory(served: &Served) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", served.id())).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// The same, once it changes no more.
async fn settled(served: &Served) -> Option<u64> {
    let mut before = memory(served)?;
    loop {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let now = memory(served)?;
        if now.abs_diff(before) < 64 {
            return Some(now);
        }
        before = now;
    }
}
