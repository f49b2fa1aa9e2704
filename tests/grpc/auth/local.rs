//! Callers from this machine, with and without credentials.

use super::*;

#[tokio::test]
async fn without_a_block_nobody_needs_credentials_and_what_is_shown_does_not_matter() {
    let gate = Gate::plain().await;
    ask_with(&gate, &[]).await.unwrap();
    ask_with(&gate, &[("authorization", "Bearer nonsense")]).await.unwrap();
}

#[tokio::test]
async fn a_local_role_is_for_callers_without_credentials_that_no_proxy_has_a_hand_in() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, r#"{"tokens_file": "tokens.json", "local_role": "auditor"}"#).await;
    ask_with(&gate, &[]).await.unwrap();
    show(&gate, token.reveal()).await.unwrap();
    // Who shows credentials means them.
    refused(show(&gate, "haltgate_000000000000_x").await);
    for proxied in [
        "x-forwarded-for",
        "forwarded",
        "via",
        "x-real-ip",
        "x-forwarded-client-cert",
        // What a proxy adds that says nothing of addresses.
        "x-forwarded-proto",
        "x-forwarded-host",
        "x-original-uri",
        "x-envoy-expected-rq-timeout-ms",
        "x-envoy-attempt-count",
        "true-client-ip",
        "cf-connecting-ip",
        "x-client-ip",
    ] {
        let failure = ask_with(&gate, &[(proxied, "203.0.113.7")]).await.unwrap_err();
        failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    }
}

#[tokio::test]
async fn a_changed_block_counts_without_a_restart() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, r#"{"tokens_file": "tokens.json", "local_role": "auditor"}"#).await;
    ask_with(&gate, &[]).await.unwrap();
    let changed = format!(r#"{{"auth": {{"tokens_file": {:?}}}}}"#, folder.path().join("tokens.json"));
    let configuration = haltgate::config::parse("changed", &changed).unwrap();
    gate.engine.reload_with(configuration, std::sync::Arc::clone(&gate.rater) as _).await.unwrap();
    while ask_with(&gate, &[]).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    show(&gate, token.reveal()).await.unwrap();
}

#[tokio::test]
async fn a_block_that_is_taken_away_opens_nothing() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, r#"{"tokens_file": "tokens.json"}"#).await;
    let without = haltgate::config::parse("changed", "{}").unwrap();
    gate.engine.reload_with(without, std::sync::Arc::clone(&gate.rater) as _).await.unwrap();
    assert!(gate.engine.policies().configuration().auth().is_none());
    // Longer than it takes until a change of the block counts.
    tokio::time::sleep(Duration::from_millis(2500)).await;
    ask_with(&gate, &[]).await.unwrap_err().expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    show(&gate, token.reveal()).await.unwrap();
}
