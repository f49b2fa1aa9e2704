//! When the gate does not decide, nothing is called.

use crate::proxy::{ask_on, call, check, gate, post, question, try_check};
use crate::support::*;
use haltgate::config::{Configuration, Document};
use tonic::Code;

#[tokio::test]
async fn where_proxies_may_not_ask_they_are_told_so_and_a_change_applies_at_once() {
    let gate = Gate::plain().await;
    let refused = try_check(&gate, post(&call(1, "read_file")), None).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
    let text = r#"{ "ext_authz": { "enabled": true, "servers": { "files": {} } } }"#;
    let enabled = Configuration::of(&Document::parse("new", text).unwrap()).unwrap();
    gate.engine.reload(enabled).await.unwrap();
    check(&gate, post(&call(1, "read_file"))).await.passes();
}

#[tokio::test]
async fn a_gate_that_cannot_write_refuses() {
    let gate = gate("0s").await;
    gate.engine.store().close().await.unwrap();
    let (body, decisions) = check(&gate, post(&call(3, "read_file"))).await.refused();
    assert_eq!((body["id"].as_i64(), body["error"]["code"].as_i64()), (Some(3), Some(-31_003)));
    assert!(decisions.actions.is_empty());
}

#[tokio::test]
async fn a_session_that_an_operator_closed_calls_nothing_any_more() {
    let gate = gate("0s").await;
    let session = check(&gate, post(&call(1, "read_file"))).await.passes().2.session;
    gate.close(&session).await;
    let (body, _) = check(&gate, post(&call(2, "read_file"))).await.refused();
    assert_eq!(body["error"]["code"].as_i64(), Some(-31_004));
}

#[tokio::test]
async fn a_gate_that_shuts_down_holds_no_call() {
    let mut gate = gate("1h").await;
    let channel = gate.channel.clone();
    let asking = tokio::spawn(ask_on(channel, post(&call(1, "write_file")), None));
    question(&gate).await;
    gate.drain();
    let told = asking.await.unwrap().unwrap();
    assert_eq!(told.refused().1.actions, ["ESCALATE"]);
}
