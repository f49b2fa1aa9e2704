//! Identities in certificates that are shown to the gate itself.

use super::*;
use haltgate::config::ClientAuth;
use haltgate::gate::{Floors, Outcome};
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server::{Running, start};
use haltgate::session::{Engine, Policies};
use haltgate::store::SqliteStore;
use std::sync::Arc;
use std::time::SystemTime;

const AUTH: &str = r#"{"auth": {"spiffe": [
    {"id": "spiffe://example.org/ns/ops/sa/console", "role": "operator", "projects": "*"},
    {"id": "spiffe://example.org/ns/agents/*", "role": "agent", "projects": "*"}]}}"#;

async fn listening(files: &Files) -> Running {
    let configuration = haltgate::config::parse("test", AUTH).unwrap();
    let engine = Engine::new(
        Arc::new(SqliteStore::ephemeral().unwrap()),
        Policies::compile(configuration).unwrap(),
        Arc::new(Scripted::new(Outcome::Safe)),
        Floors::NONE,
    );
    let mut settings = files.settings(ClientAuth::Optional);
    settings.listen = vec!["127.0.0.1:0".parse().unwrap()];
    start(engine, &settings).await.unwrap()
}

#[tokio::test]
async fn a_certificate_admits_the_one_identity_that_it_names() {
    let (ours, mesh) = (Authority::new("ours"), Authority::new("mesh"));
    let files = Files::of(&ours.certify(&["gate.test"]));
    files.write("ca.crt", &mesh.pem);
    let running = listening(&files).await;
    let address = running.address().unwrap();
    let ask = |own: Option<Pair>, headers: Vec<(&'static str, String)>| {
        let tls = ours.client("gate.test", own.as_ref());
        async move {
            let channel = connect(address, tls).await.unwrap();
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            let request = with(pb::GetServerInfoRequest::default(), &headers);
            let asked = ApprovalGateClient::new(channel).get_server_info(request).await;
            asked.map(drop).map_err(|status| Failure::of(&status))
        }
    };
    let agent = "spiffe://example.org/ns/agents/sa/ci";
    ask(Some(mesh.certify_uris(&[agent])), vec![]).await.unwrap();
    ask(Some(mesh.certify_uris(&["spiffe://example.org/ns/ops/sa/console"])), vec![]).await.unwrap();
    for uris in [
        &["spiffe://example.org/ns/ops/sa/console2"][..],
        &["spiffe://example.org/ns/agents"],
        &["spiffe://example.com/ns/agents/sa/ci"],
        &["https://example.org/ns/agents/sa/ci"],
        &[agent, "spiffe://example.org/ns/ops/sa/console"],
        &[agent, agent],
    ] {
        let outcome = ask(Some(mesh.certify_uris(uris)), vec![]).await;
        assert!(outcome.is_err(), "{uris:?}");
        refused(outcome);
    }
    refused(ask(Some(mesh.certify(&["agent.test"])), vec![]).await);
    let failure = ask(None, vec![]).await.unwrap_err();
    failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    assert_eq!(failure.metadata("accepted"), "mtls");
    // What a header says of a certificate is for proxies that are trusted, and there is none.
    let claimed = vec![("x-forwarded-client-cert", format!("Hash=00;URI={agent}"))];
    ask(None, claimed.clone()).await.unwrap_err().expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    refused(ask(Some(mesh.certify_uris(&["spiffe://example.org/ns/other"])), claimed).await);
    // A token outranks the certificate, and there are none here.
    let token = vec![("authorization", "Bearer haltgate_000000000000_x".to_owned())];
    refused(ask(Some(mesh.certify_uris(&[agent])), token).await);
}

#[tokio::test]
async fn a_certificate_admits_nobody_when_it_has_ended_though_its_connection_goes_on() {
    let (ours, mesh) = (Authority::new("ours"), Authority::new("mesh"));
    let files = Files::of(&ours.certify(&["gate.test"]));
    files.write("ca.crt", &mesh.pem);
    let running = listening(&files).await;
    let console = &["spiffe://example.org/ns/ops/sa/console"];
    // A slow machine may need longer until the connection is there.
    let mut life = Duration::from_secs(3);
    let (end, mut client, mut feed) = loop {
        // A certificate names whole seconds.
        let end = SystemTime::now() + life;
        let pair = mesh.certify_uris_until(console, end);
        let channel = connect(running.address().unwrap(), ours.client("gate.test", Some(&pair))).await;
        if let Ok(channel) = channel {
            let mut client = ApprovalGateClient::new(channel);
            let followed = client.stream_escalations(pb::StreamEscalationsRequest::default()).await;
            if let Ok(feed) = followed {
                break (end, client, feed.into_inner());
            }
        }
        life *= 2;
    };
    let status = loop {
        match feed.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the feed ended without a word"),
            Err(status) => break status,
        }
    };
    Failure::of(&status).expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    assert!(SystemTime::now() > end, "not before its end");
    let asked = client.get_server_info(pb::GetServerInfoRequest::default()).await;
    refused(asked.map(drop).map_err(|status| Failure::of(&status)));
}
