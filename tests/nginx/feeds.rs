//! What stays open for long, and what is cut off.

use crate::proxy::Nginx;
use crate::support::*;
use haltgate::client::{Feed, FeedNews, Happening};
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use std::time::Duration;
use tonic::Code;

type Escalations = Feed<pb::StreamEscalationsResponse>;

/// The next thing that a feed tells of a question; heartbeats are counted until then.
async fn raised(feed: &mut Escalations) -> String {
    loop {
        if let FeedNews::Message(message) = feed.next().await.unwrap()
            && let Some(pb::stream_escalations_response::Event::Raised(escalation)) = message.event
        {
            return escalation.escalation_id;
        }
    }
}

#[tokio::test]
async fn a_feed_and_a_held_decision_outlast_the_silence_that_nginx_bears() {
    let mut setup = Setup { policy: MANUAL.to_owned(), ..Setup::default() };
    setup.settings.heartbeat = Duration::from_secs(1);
    let gate = Gate::start(setup).await;
    let nginx = Nginx::before(gate.address, &[("grpc_read_timeout  75s;", "grpc_read_timeout  8s;")]).await;
    let client = nginx.client().await;
    let mut feed = client.watch_escalations(pb::StreamEscalationsRequest::default());
    let held = tokio::spawn({
        let mut client = client.clone();
        let request = pb::DecideRequest { wait: true, ..shell("s", "make deploy") };
        async move { client.stub().decide(request).await }
    });
    let mut question = None;
    let mut heartbeats = 0;
    while heartbeats < 10 || question.is_none() {
        match feed.next().await.unwrap() {
            FeedNews::Connected { .. } => {}
            FeedNews::Interrupted { why, .. } => panic!("the feed was cut off: {why:?}"),
            FeedNews::Message(message) => match haltgate::client::FeedMessage::happening(message) {
                Some(Happening::Heartbeat) => heartbeats += 1,
                Some(Happening::Raised(escalation)) => question = Some(escalation.escalation_id),
                Some(
                    Happening::Answered(_)
                    | Happening::Withdrawn(_)
                    | Happening::Expired(_)
                    | Happening::SnapshotEnd(_)
                    | Happening::ResumeHint(_),
                )
                | None => {}
            },
        }
    }
    gate.answer(answering(&question.unwrap(), Verdict::Approve, Scope::Once)).await;
    assert_eq!(held.await.unwrap().unwrap().into_inner().action(), Action::Approve);
}

#[tokio::test]
async fn a_restart_of_the_gate_behind_nginx_loses_nothing_and_repeats_nothing() {
    let gate = Gate::start(Setup { policy: MANUAL.to_owned(), ..Setup::default() }).await;
    let nginx = Nginx::before(gate.address, &[]).await;
    let mut client = nginx.client().await;
    let mut feed = client.watch_escalations(pb::StreamEscalationsRequest::default());
    let request = named("r-1", shell("s", "make deploy"));
    let first = client.stub().decide(request.clone()).await.unwrap().into_inner();
    assert_eq!(first.action(), Action::Escalate);
    assert_eq!(raised(&mut feed).await, first.escalation_id);

    let address = gate.address;
    let mut setup = gate.stop().await;
    // nginx may still hold a connection that ends; what every client reads in the end is that the gate is not there.
    let failed = client.stub().decide(request.clone()).await.unwrap_err();
    assert_eq!(failed.code(), Code::Unavailable, "{failed:?}");
    assert!(failed.message().contains("cannot be reached through this proxy"), "{failed:?}");

    setup.settings.listen = vec![address];
    let gate = Gate::start(setup).await;
    let again = client.decide(request).await.unwrap();
    assert_eq!((&again.decision_id, again.replayed), (&first.decision_id, true));
    assert_eq!(gate.records_of("s").await.len(), 1, "decided once");
    let second = client.decide(shell("s", "make publish")).await.unwrap();
    assert_eq!(raised(&mut feed).await, second.escalation_id, "nothing twice, nothing left out");
}

const MANUAL: &str = r#"{ "approvals": { "mode": "manual" } }"#;
