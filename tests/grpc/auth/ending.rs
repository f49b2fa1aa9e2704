//! What is under way when a credential ends.

use super::*;
use tonic::Streaming;

type Escalations = Streaming<pb::StreamEscalationsResponse>;

/// A gate that asks a human about everything.
async fn asking(folder: &std::sync::Arc<tempfile::TempDir>) -> Gate {
    let policy = r#"{"auth": {"tokens_file": "tokens.json"}, "approvals": {"mode": "manual"}}"#.to_owned();
    Gate::start(Setup { policy, folder: std::sync::Arc::clone(folder), ..Setup::default() }).await
}

/// Reads until a human is asked.
async fn raised(feed: &mut Escalations) {
    use pb::stream_escalations_response::Event;
    while !matches!(feed.message().await.unwrap().expect("the feed goes on").event, Some(Event::Raised(_))) {}
}

fn waiting(command: &str, token: &NewToken) -> Request<pb::DecideRequest> {
    let request = pb::DecideRequest { wait: true, ..shell("s", command) };
    with(request, &[("authorization", &format!("Bearer {}", token.reveal()))])
}

async fn follow(gate: &Gate, token: &str) -> Escalations {
    let authorization = format!("Bearer {token}");
    let request = with(pb::StreamEscalationsRequest::default(), &[("authorization", &authorization)]);
    gate.client.clone().stream_escalations(request).await.unwrap().into_inner()
}

/// Reads until the feed ends, and returns how.
async fn end(mut feed: Escalations) -> Failure {
    loop {
        match feed.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the feed ended without a word"),
            Err(status) => return Failure::of(&status),
        }
    }
}

#[tokio::test]
async fn an_open_feed_ends_when_its_token_is_revoked_and_no_other_does() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let (kept, revoked) = (add_token(&file, Role::Operator, None), add_token(&file, Role::Operator, None));
    let agent = add_token(&file, Role::Agent, None);
    let gate = asking(&folder).await;
    let mut goes_on = follow(&gate, kept.reveal()).await;
    let ends = follow(&gate, revoked.reveal()).await;
    revoke(&file, &revoked);
    end(ends).await.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    let mut client = gate.client.clone();
    let asked = tokio::spawn(async move { client.decide(waiting("mend", &agent)).await });
    raised(&mut goes_on).await;
    asked.abort();
}

#[tokio::test]
async fn an_open_feed_ends_when_its_token_expires() {
    let folder = folder();
    let soon = Timestamp::now().checked_add(Duration::from_secs(3)).unwrap();
    let token = add_token(&folder.path().join("tokens.json"), Role::Operator, Some(soon));
    let gate = gate(&folder, r#"{"tokens_file": "tokens.json"}"#).await;
    let feed = follow(&gate, token.reveal()).await;
    end(feed).await.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    assert!(Timestamp::now() >= soon);
    refused(show(&gate, token.reveal()).await);
}

#[tokio::test]
async fn an_open_feed_ends_when_its_token_is_given_another_role() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let token = add_token(&file, Role::Admin, None);
    let gate = gate(&folder, r#"{"tokens_file": "tokens.json"}"#).await;
    let feed = follow(&gate, token.reveal()).await;
    TokenFile::at(&file)
        .change(|records| {
            records[0].role = Role::Auditor;
            Ok(())
        })
        .unwrap();
    end(feed).await.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    show(&gate, token.reveal()).await.unwrap();
}

#[tokio::test]
async fn a_decision_that_waits_for_a_human_ends_when_its_token_is_revoked() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let (token, admin) = (add_token(&file, Role::Agent, None), add_token(&file, Role::Admin, None));
    let gate = asking(&folder).await;
    let mut feed = follow(&gate, admin.reveal()).await;
    let (mut client, request) = (gate.client.clone(), waiting("mend", &token));
    let waits = tokio::spawn(async move { client.decide(request).await });
    raised(&mut feed).await;
    assert!(!waits.is_finished());
    revoke(&file, &token);
    let status = waits.await.unwrap().unwrap_err();
    Failure::of(&status).expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
}
