//! A gate that leaves and another that takes over, under load: nothing is lost, nothing happens twice.

use super::gate::Served;
use haltgate::client::{Action, Client, Event, Scope, Verdict};
use haltgate::proto::v1 as pb;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::task::JoinHandle;

/// How many wait for a human, how many ask without end, and how many follow.
const HELD: usize = 25;
const BUSY: usize = 25;
const FEEDS: usize = 50;

const POLICY: &str = r#"{
  "server": { "heartbeat": "1s" },
  "approvals": {
    "allow": [ { "type": "shell", "matcher": "exact", "pattern": "git status", "rate": false } ]
  }
}"#;

async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// What one feed told: of each escalation, how often it was raised and how often answered.
type Told = Arc<Mutex<BTreeMap<String, (u32, u32)>>>;

fn follow(client: &Client) -> (Told, JoinHandle<()>) {
    let told = Told::default();
    let (mut events, seen) = (client.watch_escalations(Default::default()).events(), Arc::clone(&told));
    let task = tokio::spawn(async move {
        loop {
            match events.next().await.unwrap() {
                Event::Raised(item) => seen.lock().unwrap().entry(item.escalation_id).or_default().0 += 1,
                Event::Answered(item) => seen.lock().unwrap().entry(item.escalation_id).or_default().1 += 1,
                Event::SnapshotEnd(_) => {}
                other => panic!("not expected of this feed: {other:?}"),
            }
        }
    });
    (told, task)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_when_a_gate_leaves_is_neither_lost_nor_repeated_by_the_next_one() {
    let mut first = Served::start(POLICY, &["--store", "gate.db"]);
    let address = first.address.parse().unwrap();
    let mut feeds = Vec::new();
    for _ in 0..FEEDS {
        // Each over a connection of its own.
        feeds.push(follow(&Client::connect(&address).await.unwrap()));
    }
    let mut held = Vec::new();
    for index in 0..HELD {
        let session = Client::connect(&address).await.unwrap().session("held");
        let question = session.decide_shell(format!("mend {index}")).request_id(format!("held-{index}"));
        held.push(tokio::spawn(question.ask()));
    }
    let (done, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let mut busy = Vec::new();
    for index in 0..BUSY {
        let client = Client::connect(&address).await.unwrap();
        let (done, acknowledged) = (Arc::clone(&done), Arc::clone(&acknowledged));
        busy.push(tokio::spawn(async move {
            let session = client.session(format!("busy-{index}"));
            let mut decisions = Vec::new();
            while !done.load(Ordering::Acquire) {
                let request = format!("busy-{index}-{}", decisions.len());
                // The same question until it is answered: by this gate, or the next.
                let decision = loop {
                    let question = session.decide_shell("git status").request_id(&request).wait(false);
                    match question.ask().await {
                        Ok(decision) => break decision,
                        Err(haltgate::client::Error::GateUnavailable(_)) => {}
                        Err(other) => panic!("{request}: {other}"),
                    }
                };
                assert!(decision.approved());
                decisions.push((request, decision.decision_id().to_owned()));
                acknowledged.fetch_add(1, Ordering::AcqRel);
            }
            decisions
        }));
    }
    let all_told = |which: fn(&(u32, u32)) -> u32| {
        feeds
            .iter()
            .all(|(told, _)| told.lock().unwrap().values().filter(|counts| which(counts) > 0).count() == HELD)
    };
    until(|| all_told(|counts| counts.0) && acknowledged.load(Ordering::Acquire) > 10 * BUSY).await;

    first.signal("TERM");
    let status = tokio::task::block_in_place(|| first.ended());
    assert_eq!(status.code(), Some(0), "{}", first.log());
    let second = tokio::task::block_in_place(|| first.back(&["--store", "gate.db"]));
    let before = acknowledged.load(Ordering::Acquire);
    until(|| acknowledged.load(Ordering::Acquire) > before + 10 * BUSY).await;
    assert!(held.iter().all(|held| !held.is_finished()), "they wait on, for the human");

    // A human answers all of them at the second gate.
    let client = Client::connect(&address).await.unwrap();
    let open: BTreeSet<String> = feeds[0].0.lock().unwrap().keys().cloned().collect();
    for escalation in &open {
        let answer = pb::AnswerRequest {
            target: Some(pb::answer_request::Target::EscalationId(escalation.clone())),
            verdict: Verdict::Approve.into(),
            scope: Scope::Once.into(),
            ..pb::AnswerRequest::default()
        };
        client.answer(answer).await.unwrap();
    }
    let mut picked_up = BTreeMap::new();
    for held in held {
        let decision = held.await.unwrap().unwrap();
        assert_eq!(decision.action(), Action::Approve);
        picked_up.insert(decision.request_id().to_owned(), decision.decision_id().to_owned());
    }
    done.store(true, Ordering::Release);
    for busy in busy {
        picked_up.extend(busy.await.unwrap());
    }

    // Feeds: each escalation raised once and answered once, however often the feed was cut off.
    until(|| all_told(|counts| counts.1)).await;
    for (told, task) in &feeds {
        assert!(!task.is_finished(), "a feed ended");
        let told = told.lock().unwrap();
        assert!(told.values().all(|counts| *counts == (1, 1)), "{told:?}");
        assert_eq!(told.keys().cloned().collect::<BTreeSet<_>>(), open);
    }
    // Records: one for each request id that was ever acknowledged, with the decision that its caller got, and none else.
    let mut recorded: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut pages = client.decisions(pb::ListDecisionsRequest { page_size: 500, ..Default::default() });
    while let Some(page) = pages.next().await.unwrap() {
        for record in page.decisions {
            recorded.entry(record.request_id).or_default().push(record.decision_id);
        }
    }
    for (request, decisions) in &mut recorded {
        // The question and its answer are two records of one decision.
        if request.starts_with("held-") {
            decisions.dedup();
        }
    }
    let expected: BTreeMap<String, Vec<String>> =
        picked_up.into_iter().map(|(request, decision)| (request, vec![decision])).collect();
    assert_eq!(recorded, expected);
    let verified = client.verify_audit(pb::VerifyAuditRequest::default()).await.unwrap();
    assert!(verified.intact, "{verified:?}");
    drop(second);
}
