//! What is under way when the gate leaves, seen by clients that do not try again.

use crate::support::*;
use haltgate::config::ServerSettings;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::time::Duration;
use tonic::transport::Endpoint;

const MANY: usize = 50;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_is_under_way_is_cut_off_and_nobody_new_is_let_in() {
    let policy =
        r#"{ "approvals": { "escalate": [ { "type": "shell", "matcher": "exact", "pattern": "ask" } ] } }"#;
    let setup = Setup::default();
    let settings = ServerSettings { drain_timeout: Duration::from_secs(600), ..setup.settings };
    let mut gate = Gate::start(Setup { policy: policy.to_owned(), settings, ..setup }).await;
    gate.rater.otherwise(Outcome::Safe);
    let endpoint = Endpoint::from_shared(format!("http://{}", gate.address)).unwrap();
    let mut feeds = Vec::new();
    for _ in 0..MANY {
        let mut client = ApprovalGateClient::new(endpoint.connect().await.unwrap());
        feeds.push(
            client.stream_escalations(pb::StreamEscalationsRequest::default()).await.unwrap().into_inner(),
        );
    }
    // Half of them wait for a human, half are being rated.
    gate.rater.delay(Duration::from_secs(2));
    let mut deciding = Vec::new();
    for index in 0..MANY {
        let mut client = ApprovalGateClient::new(endpoint.connect().await.unwrap());
        let (command, expected) =
            if index % 2 == 0 { ("ask", pb::Action::Escalate) } else { ("mend", pb::Action::Approve) };
        let request = pb::DecideRequest { wait: true, ..shell(&format!("s{index}"), command) };
        deciding.push((expected, tokio::spawn(async move { client.decide(request).await })));
    }
    while gate.rater.count() < MANY / 2
        || gate.records(pb::ListDecisionsRequest::default()).await.len() < MANY / 2
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    gate.drain();
    for (expected, deciding) in deciding {
        assert_eq!(deciding.await.unwrap().unwrap().into_inner().action(), expected);
    }
    for mut feed in feeds {
        let mut last = None;
        while let Some(message) = feed.message().await.unwrap() {
            last = message.event;
        }
        let hint = pb::ResumeHint { reason: pb::ResumeReason::Draining.into() };
        assert_eq!(last, Some(pb::stream_escalations_response::Event::ResumeHint(hint)));
    }
    assert!(endpoint.connect().await.is_err());
    gate.stop().await;
}
