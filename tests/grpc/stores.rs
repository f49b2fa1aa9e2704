//! What was read from one store means nothing in another, and a chain whose beginning retention deleted says so.

use crate::support::*;
use haltgate::proto::v1 as pb;
use haltgate::session::Pruned;
use pb::stream_escalations_response::Event;
use pb::{Scope, Verdict};
use tonic::{Code, Streaming};

type Escalations = Streaming<pb::StreamEscalationsResponse>;

async fn follow(gate: &Gate, after: &str) -> Result<Escalations, Failure> {
    let request = pb::StreamEscalationsRequest { after: after.to_owned(), ..Default::default() };
    let opened = gate.client.clone().stream_escalations(request).await;
    opened.map(tonic::Response::into_inner).map_err(|status| Failure::of(&status))
}

/// The cursor behind everything that has happened.
async fn cursor(gate: &Gate) -> String {
    let mut feed = follow(gate, "").await.unwrap();
    loop {
        let message = feed.message().await.unwrap().unwrap();
        if matches!(message.event, Some(Event::SnapshotEnd(_))) {
            return message.cursor;
        }
    }
}

async fn raise(gate: &Gate, commands: &[&str]) {
    for command in commands {
        gate.decide(shell("s", command)).await;
    }
}

#[tokio::test]
async fn a_cursor_or_page_token_of_another_store_is_refused_however_much_has_happened_there() {
    let (one, other) = (Gate::at("manual").await, Gate::at("manual").await);
    raise(&one, &["one", "two"]).await;
    raise(&other, &["three", "four", "five"]).await;
    let cursor = cursor(&one).await;
    assert!(follow(&one, &cursor).await.is_ok());
    follow(&other, &cursor).await.unwrap_err().expect(Code::InvalidArgument, "CURSOR_INVALID");

    let page = |token: &str| pb::ListDecisionsRequest {
        page_size: 1,
        page_token: token.to_owned(),
        ..Default::default()
    };
    let token = one.client.clone().list_decisions(page("")).await.unwrap().into_inner().next_page_token;
    assert!(one.try_records(page(&token)).await.is_ok());
    let refused = other.try_records(page(&token)).await.unwrap_err();
    refused.expect_field("PAGE_TOKEN_INVALID", "page_token");
}

#[tokio::test]
async fn a_cursor_survives_a_restart_and_one_from_after_the_copy_that_was_restored_is_refused() {
    let gate = Gate::at("manual").await;
    raise(&gate, &["one"]).await;
    let early = cursor(&gate).await;
    let setup = gate.stop().await;
    let copy = std::fs::read(setup.folder.path().join("haltgate.db")).unwrap();
    let gate = Gate::start(setup).await;
    assert!(follow(&gate, &early).await.is_ok());
    raise(&gate, &["two", "three"]).await;
    let late = cursor(&gate).await;
    // Restored as a plain copy of the file, which has the same id.
    let setup = gate.stop().await;
    let path = setup.folder.path().join("haltgate.db");
    std::fs::remove_file(path.with_extension("db-wal")).ok();
    std::fs::remove_file(path.with_extension("db-shm")).ok();
    std::fs::write(&path, copy).unwrap();
    let gate = Gate::start(setup).await;
    assert!(follow(&gate, &early).await.is_ok());
    follow(&gate, &late).await.unwrap_err().expect(Code::InvalidArgument, "CURSOR_INVALID");
}

#[tokio::test]
async fn a_client_whose_cursor_means_nothing_any_more_begins_anew_with_everything_that_is_open() {
    use haltgate::client::{Address, Client, FeedMessage, FeedNews, Happening};
    let gate = Gate::at("manual").await;
    raise(&gate, &["one", "two", "three"]).await;
    let old = cursor(&gate).await;
    drop(gate);
    let gate = Gate::at("manual").await;
    raise(&gate, &["four"]).await;
    let client = Client::connect(&Address::Tcp(gate.address.to_string())).await.unwrap();
    let mut feed =
        client.watch_escalations(pb::StreamEscalationsRequest { after: old, ..Default::default() });
    let mut begun_anew = false;
    loop {
        match feed.next().await.unwrap() {
            FeedNews::Connected { anew } => begun_anew = anew,
            FeedNews::Interrupted { .. } => {}
            FeedNews::Message(message) => match message.happening() {
                Some(Happening::Raised(raised)) => {
                    assert!(begun_anew && raised.session_id == "s");
                    break;
                }
                other => panic!("{other:?}"),
            },
        }
    }
}

#[tokio::test]
async fn a_head_that_was_noted_before_retention_deleted_its_record_is_no_sign_of_tampering() {
    let gate = Gate::at("manual").await;
    let noting = |of: &pb::VerifyAuditResponse| pb::VerifyAuditRequest {
        noted_sequence: of.head_sequence,
        noted_hash: of.head_hash.clone(),
        ..Default::default()
    };
    let id = gate.decide(shell("s", "one")).await.escalation_id;
    gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    let early = gate.verify().await;
    assert_eq!(early.noted_head(), pb::NotedHead::Unspecified);
    let between = gate.engine.now();
    raise(&gate, &["two"]).await;
    let late = gate.verify().await;
    gate.engine.prune_by_age(between, &mut Pruned::default()).await.unwrap();
    for (noted, expected) in [(&early, pb::NotedHead::NoLongerKept), (&late, pb::NotedHead::Found)] {
        let found = gate.try_verify(noting(noted)).await.unwrap();
        assert!(found.intact && found.first_sequence == early.head_sequence + 1, "{found:?}");
        assert_eq!(found.noted_head(), expected);
    }
    let wrong = pb::VerifyAuditRequest { noted_hash: early.head_hash.clone(), ..noting(&late) };
    let found = gate.try_verify(wrong).await.unwrap();
    assert!(!found.intact);
    assert_eq!(found.noted_head(), pb::NotedHead::Missing);
}
