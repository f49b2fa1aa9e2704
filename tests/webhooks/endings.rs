//! What is given up, and how it is counted.

use super::support::*;
use haltgate::config::{
    Configuration, EventKind, KeySource, NotificationSettings, ServerSettings, WebhookSettings,
};
use haltgate::gate::Floors;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::rater::BuiltIn;
use haltgate::server::{Notifier, Receivers, start};
use haltgate::session::{Engine, Policies};
use haltgate::store::{Batch, Change, DeliveryRow, QuestionRow, SqliteStore, Status, Store};
use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

fn old(id: &str) -> Change {
    Change::PutEscalation(QuestionRow {
        id: id.to_owned(),
        project: "default".to_owned(),
        session: "s".to_owned(),
        run: None,
        request_id: format!("request of {id}"),
        status: Status::Open,
        raised_at: 1,
        resolved_at: None,
        body_json: "{}".to_owned(),
        answer_json: None,
    })
}

#[tokio::test]
async fn what_is_too_old_is_given_up_and_counted_and_what_follows_is_told() {
    let receiver = receiver().await;
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, SECRET).unwrap();
    let store = Arc::new(SqliteStore::open(folder.path().join("gate.db")).unwrap());
    let place = DeliveryRow { receiver: "pager".to_owned(), position: 0, delivered: 7, given_up: 1 };
    let changes = vec![old("a"), old("b"), old("c"), Change::PutDelivery(place)];
    store.submit(Batch { project: "default".to_owned(), changes, ..Batch::default() }).await.unwrap();

    let policies = Policies::compile(Configuration::default()).unwrap();
    let engine = Engine::new(Arc::clone(&store) as _, policies, Arc::new(BuiltIn), Floors::default());
    let webhook = WebhookSettings {
        url: url(&receiver).parse().unwrap(),
        secret: KeySource::File(secret),
        events: [EventKind::EscalationRaised].into(),
        project: None,
        headers: Vec::new(),
        timeout: Duration::from_secs(10),
        max_age: Duration::from_secs(3_600),
    };
    let mut settings = NotificationSettings::default();
    settings.webhooks = BTreeMap::from([("pager".to_owned(), webhook)]);
    let _notifier = Notifier::start(engine.clone(), Receivers::set_up(&settings).unwrap()).await.unwrap();

    let listen = vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))];
    let running = start(engine, &ServerSettings { listen, ..ServerSettings::default() }).await.unwrap();
    let mut client =
        ApprovalGateClient::connect(format!("http://{}", running.address().unwrap())).await.unwrap();
    let shell = pb::ShellCall { command: "frobnicate".to_owned(), ..Default::default() };
    let call = Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) });
    let request = pb::DecideRequest {
        session_id: "s".to_owned(),
        request_id: "q".to_owned(),
        call,
        ..Default::default()
    };
    assert_eq!(client.decide(request).await.unwrap().into_inner().action(), pb::Action::Escalate);
    receiver.arrived(1).await;
    assert_eq!(all_said(&receiver), ["escalation.raised frobnicate"]);
    let expected = DeliveryRow { receiver: "pager".to_owned(), position: 4, delivered: 8, given_up: 4 };
    let counted = async {
        while store.deliveries().await.unwrap() != [expected.clone()] {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), counted).await.unwrap();
}
