//! `ExportAudit`: every record, in bounded messages, also across lost connections.

use crate::support::*;
use haltgate::client::{Address, Options};
use haltgate::export::ExportCheck;
use haltgate::proto::v1 as pb;
use haltgate::store::{RecordHash, RecordRow};
use prost_types::Timestamp;
use std::time::Duration;
use tonic::Code;

/// What a client accepts that was told nothing else.
const USUAL_LIMIT: usize = 4 << 20;

fn row(record: &pb::AuditRecord) -> RecordRow {
    let record = record.clone();
    let at = record.recorded_at.unwrap();
    RecordRow {
        project: record.project,
        sequence: record.sequence,
        id: record.record_id,
        at: at.seconds * 1_000_000 + i64::from(at.nanos / 1_000),
        kind: record.kind,
        session: record.session_id,
        run: record.run_id,
        action: record.action,
        stage: record.stage,
        text: record.text,
        body_json: record.body_json,
        previous_hash: RecordHash::parse(&record.previous_hash).unwrap(),
        hash: RecordHash::parse(&record.hash).unwrap(),
    }
}

async fn messages(gate: &Gate, request: pb::ExportAuditRequest) -> Vec<pb::ExportAuditResponse> {
    let mut client = pb::approval_gate_client::ApprovalGateClient::new(gate.channel.clone());
    let mut stream = client.export_audit(request).await.unwrap().into_inner();
    let mut messages = Vec::new();
    while let Some(message) = stream.message().await.unwrap() {
        messages.push(message);
    }
    messages
}

fn sequences(messages: &[pb::ExportAuditResponse]) -> Vec<u64> {
    messages.iter().flat_map(|message| &message.records).map(|record| record.sequence).collect()
}

/// A gate with so many long records.
async fn long(count: usize) -> Gate {
    let gate = Gate::at("bypass").await;
    for number in 0..count {
        gate.decide(shell("s", &format!("echo {number} {}", "x".repeat(1 << 18)))).await;
    }
    gate
}

#[tokio::test]
async fn every_record_comes_once_in_messages_that_any_client_accepts() {
    let gate = long(8).await;
    gate.decide(pb::DecideRequest { project: "other".to_owned(), ..shell("s", "ls") }).await;
    let messages = messages(&gate, pb::ExportAuditRequest::default()).await;
    let head = gate.verify().await;
    let first = &messages[0];
    assert!(first.records.is_empty() && messages.len() > 3, "{} messages", messages.len());
    assert_eq!((first.last_sequence, first.head_sequence), (head.head_sequence, head.head_sequence));
    assert_eq!(first.head_hash, head.head_hash);
    assert!(messages.iter().all(|message| prost::Message::encoded_len(message) < USUAL_LIMIT));
    assert_eq!(sequences(&messages), (1..=head.head_sequence).collect::<Vec<_>>());
    let mut check = ExportCheck::default();
    messages
        .iter()
        .flat_map(|message| &message.records)
        .for_each(|record| check.record(&row(record)).unwrap());
    assert_eq!(check.finish().unwrap().unwrap().last.hash.to_string(), head.head_hash);
}

#[tokio::test]
async fn an_export_is_narrowed_by_place_and_by_time() {
    let gate = Gate::at("bypass").await;
    for number in 0..5 {
        gate.decide(shell("s", &format!("echo {number}"))).await;
    }
    let all = messages(&gate, pb::ExportAuditRequest::default()).await;
    let records: Vec<_> = all.iter().flat_map(|message| message.records.clone()).collect();
    let last = records.last().unwrap().sequence;
    let narrowed = async |request| sequences(&messages(&gate, request).await);
    let after = |after_sequence| pb::ExportAuditRequest { after_sequence, ..Default::default() };
    assert_eq!(narrowed(after(2)).await, (3..=last).collect::<Vec<_>>());
    assert!(narrowed(after(last)).await.is_empty() && narrowed(after(u64::MAX)).await.is_empty());
    let time = |index: usize| records[index].recorded_at;
    let between =
        pb::ExportAuditRequest { recorded_from: time(1), recorded_before: time(3), ..Default::default() };
    let found = narrowed(between).await;
    assert!(found.contains(&records[1].sequence) && !found.contains(&records[3].sequence), "{found:?}");
    let nobody = pb::ExportAuditRequest { project: "empty".to_owned(), ..Default::default() };
    let nothing = messages(&gate, nobody).await;
    assert_eq!((nothing.len(), nothing[0].head_sequence, nothing[0].last_sequence), (1, 0, 0));
}

#[tokio::test]
async fn wrong_fields_are_named() {
    let mut gate = Gate::plain().await;
    let at = |seconds| Some(Timestamp { seconds, nanos: 0 });
    let cases = [
        ("project", pb::ExportAuditRequest { project: "a b".to_owned(), ..Default::default() }),
        ("recorded_from", pb::ExportAuditRequest { recorded_from: at(i64::MAX), ..Default::default() }),
        (
            "recorded_before",
            pb::ExportAuditRequest { recorded_from: at(5), recorded_before: at(5), ..Default::default() },
        ),
    ];
    for (field, request) in cases {
        let status = gate.client.export_audit(request).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{field}: {status:?}");
        assert!(status.message().contains(field), "{field}: {status:?}");
    }
}

#[tokio::test]
async fn a_reader_who_goes_away_ends_the_reading() {
    let policy = r#"{ "approvals": { "mode": "bypass" }, "limits": { "feeds": 1 } }"#.to_owned();
    let gate = Gate::start(Setup { policy, ..Setup::default() }).await;
    for number in 0..12 {
        gate.decide(shell("s", &format!("echo {number} {}", "x".repeat(1 << 18)))).await;
    }
    let mut client = gate.client.clone();
    let stream = client.export_audit(pb::ExportAuditRequest::default()).await.unwrap().into_inner();
    let refused = client.export_audit(pb::ExportAuditRequest::default()).await.unwrap_err();
    assert_eq!(refused.code(), Code::ResourceExhausted, "an export counts as a feed: {refused:?}");
    drop(stream);
    while client.export_audit(pb::ExportAuditRequest::default()).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_client_goes_on_behind_the_last_record_when_the_gate_comes_back() {
    let gate = long(16).await;
    let address = gate.address;
    let client = Options::default().connect(&Address::Tcp(address.to_string())).await.unwrap();
    let mut export = client.export_audit(pb::ExportAuditRequest::default());
    let mut seen: Vec<u64> =
        export.next().await.unwrap().unwrap().iter().map(|record| record.sequence).collect();
    let until = export.opening().unwrap().last_sequence;
    let mut setup = gate.stop().await;
    setup.settings.listen = vec![address];
    let gate = Gate::start(setup).await;
    // What is recorded since then is not part of it.
    gate.decide(shell("s", "echo later")).await;
    while let Some(records) = export.next().await.unwrap() {
        seen.extend(records.iter().map(|record| record.sequence));
    }
    assert_eq!(seen, (1..=until).collect::<Vec<_>>());
}
