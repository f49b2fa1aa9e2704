//! The gate's own tokens.

use super::*;
use haltgate::proto::health::HealthCheckRequest;
use haltgate::proto::health::health_client::HealthClient;

const AUTH: &str = r#"{"tokens_file": "tokens.json"}"#;

#[tokio::test]
async fn a_gate_with_tokens_answers_nobody_without_one_and_says_what_it_takes() {
    let folder = folder();
    add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let failure = ask_with(&gate, &[]).await.unwrap_err();
    failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    assert_eq!(failure.metadata("accepted"), "bearer");
    let failure = gate.try_decide(shell("s", "ls")).await.unwrap_err();
    failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    let failure = gate.client.clone().stream_escalations(pb::StreamEscalationsRequest::default()).await;
    Failure::of(&failure.unwrap_err()).expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    // A probe has no credentials.
    let health = HealthClient::new(gate.channel.clone()).check(HealthCheckRequest::default()).await;
    assert!(health.is_ok(), "{health:?}");
}

#[tokio::test]
async fn a_token_admits_its_holder_until_it_ends() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let lasting = add_token(&file, Role::Admin, None);
    let hour = Timestamp::now().checked_add(Duration::from_secs(3600)).unwrap();
    let bounded = add_token(&file, Role::Agent, Some(hour));
    let expired = add_token(&file, Role::Admin, Some(Timestamp::UNIX_EPOCH));
    let gate = gate(&folder, AUTH).await;
    show(&gate, lasting.reveal()).await.unwrap();
    show(&gate, bounded.reveal()).await.unwrap();
    refused(show(&gate, expired.reveal()).await);
}

#[tokio::test]
async fn whatever_is_no_token_of_this_gate_is_refused_in_the_same_words() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let token = add_token(&file, Role::Admin, None);
    let elsewhere = tempfile::tempdir().unwrap();
    let foreign = add_token(&elsewhere.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let good = token.reveal();
    let other_secret = format!("haltgate_{}_{}", token.id, foreign.reveal().splitn(3, '_').nth(2).unwrap());
    let upper = good.to_uppercase();
    let huge = format!("haltgate_{}", "x".repeat(12 << 10));
    let mut said = Vec::new();
    for bad in [
        foreign.reveal(),
        &other_secret,
        good.get(..good.len() - 1).unwrap(),
        &upper,
        &format!("{good}x"),
        "haltgate_",
        "x",
        "a.b.c",
        &huge,
    ] {
        let failure = show(&gate, bad).await.unwrap_err();
        failure.expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
        said.push(failure.message);
    }
    said.dedup();
    assert_eq!(said.len(), 1, "{said:?}");
    show(&gate, good).await.unwrap();
}

#[tokio::test]
async fn the_header_is_bearer_in_any_case_and_there_is_one_of_it() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let token = token.reveal();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        ask_with(&gate, &[("authorization", &format!("{scheme} {token}"))]).await.unwrap();
    }
    for bad in [
        token.to_owned(),
        format!("Basic {token}"),
        format!("Bearer {token} {token}"),
        "Bearer".to_owned(),
        String::new(),
    ] {
        refused(ask_with(&gate, &[("authorization", &bad)]).await);
    }
    let header = format!("Bearer {token}");
    refused(ask_with(&gate, &[("authorization", &header), ("authorization", &header)]).await);
    refused(ask_with(&gate, &[("authorization", &header), ("authorization", "Bearer x")]).await);
}

#[tokio::test]
async fn a_running_gate_takes_new_tokens_and_refuses_revoked_ones() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let first = add_token(&file, Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let second = add_token(&file, Role::Agent, None);
    until(&gate, second.reveal(), true).await;
    revoke(&file, &first);
    until(&gate, first.reveal(), false).await;
    show(&gate, second.reveal()).await.unwrap();
}

#[tokio::test]
async fn a_token_file_that_goes_bad_changes_nothing_and_counts_again_when_it_is_mended() {
    let folder = folder();
    let file = folder.path().join("tokens.json");
    let token = add_token(&file, Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let good = std::fs::read(&file).unwrap();
    std::fs::write(&file, "{").unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    show(&gate, token.reveal()).await.unwrap();
    std::fs::remove_file(&file).unwrap();
    tokio::time::sleep(Duration::from_millis(1500)).await;
    show(&gate, token.reveal()).await.unwrap();
    std::fs::write(&file, good).unwrap();
    let second = add_token(&file, Role::Admin, None);
    until(&gate, second.reveal(), true).await;
    show(&gate, token.reveal()).await.unwrap();
}

#[tokio::test]
async fn a_refusal_reaches_a_browser_in_its_own_form() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, AUTH).await;
    let address = gate.address;
    let ask = |authorization: String| async move {
        crate::console::http(
            address,
            &format!(
                "POST /haltgate.v1.ApprovalGate/GetServerInfo HTTP/1.1\r\nhost: {address}\r\ncontent-type: \
                 application/grpc-web+proto{authorization}"
            ),
            &[0; 5],
        )
        .await
    };
    let (head, body) = ask(String::new()).await;
    assert!(head.starts_with("http/1.1 200") && body.is_empty(), "{head}");
    assert!(head.contains("content-type: application/grpc-web+proto"), "{head}");
    assert!(head.contains("grpc-status: 16"), "{head}");
    let (head, body) = ask(format!("\r\nauthorization: Bearer {}", token.reveal())).await;
    assert!(!head.contains("grpc-status: 16") && body.len() > 5, "{head}");
    let (head, _) = crate::console::http(address, &format!("GET / HTTP/1.1\r\nhost: {address}"), b"").await;
    assert!(
        head.starts_with("http/1.1 200") && head.contains("text/html"),
        "the page asks for a token: {head}"
    );
}
