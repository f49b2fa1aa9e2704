//! Several messages in one body.

use crate::proxy::{call, check, gate, post, question};
use crate::support::*;
use haltgate::proto::v1::{Scope, Verdict};

const PING: &str = r#"{"jsonrpc":"2.0","id":"p","method":"ping"}"#;

#[tokio::test]
async fn a_body_passes_only_if_every_call_in_it_may_run() {
    let gate = gate("0s").await;
    let (read, delete) = (call(1, "read_file"), call(2, "delete_all"));
    let fine = format!("[{read},{PING},{}]", call(3, "read_other"));
    assert_eq!(check(&gate, post(&fine)).await.passes().2.actions, ["APPROVE", "APPROVE"]);
    let (body, decisions) = check(&gate, post(&format!("[{read},{PING},{delete}]"))).await.refused();
    assert_eq!(decisions.actions, ["APPROVE", "REJECT"]);
    let ids: Vec<_> = body.as_array().unwrap().iter().map(|answer| answer["id"].to_string()).collect();
    assert_eq!(ids, ["1", "\"p\"", "2"], "everybody who waits gets an answer");
}

#[tokio::test]
async fn an_approval_beside_a_refusal_is_not_used_up() {
    let gate = gate("0s").await;
    let write = call(1, "write_file");
    check(&gate, post(&write)).await.refused();
    let question = question(&gate).await;
    gate.answer(answering(&question.escalation_id, Verdict::Approve, Scope::Once)).await;
    let both = format!("[{write},{}]", call(2, "delete_all"));
    assert_eq!(check(&gate, post(&both)).await.refused().1.actions, ["APPROVE", "REJECT"]);
    assert_eq!(check(&gate, post(&write)).await.passes().2.actions, ["APPROVE"]);
}
