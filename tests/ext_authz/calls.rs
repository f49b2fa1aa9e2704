//! A call behind a proxy: judged by the rules of its server, answered by humans, recorded with its caller.

use crate::proxy::{AGENT, call, check, gate, post, question, try_check};
use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_call_that_a_rule_allows_passes_and_its_server_learns_by_which_decision() {
    let gate = gate("0s").await;
    let mut http = post(&call(1, "read_file"));
    http.headers.insert("x-haltgate-decision-id".to_owned(), "forged".to_owned());
    http.headers.insert("x-haltgate-role".to_owned(), "forged".to_owned());
    let (set, removed, decisions) = check(&gate, http).await.passes();
    let records = gate.records_of(&decisions.session).await;
    assert_eq!(records.len(), 1);
    assert_eq!(set["x-haltgate-decision-id"], records[0].decision_id);
    assert_eq!(decisions.ids, [records[0].decision_id.clone()]);
    assert_eq!(removed, ["x-haltgate-role"], "what is set anew must not be taken out");
    assert!(records[0].caller.contains(AGENT), "{}", records[0].caller);
}

#[tokio::test]
async fn a_call_that_a_rule_refuses_is_answered_with_a_result_that_the_model_reads() {
    let gate = gate("0s").await;
    let (body, decisions) = check(&gate, post(&call(7, "delete_all"))).await.refused();
    assert_eq!((&body["id"], &body["result"]["isError"]), (&json!(7), &json!(true)));
    assert!(body["result"]["content"][0]["text"].as_str().unwrap().contains("delete"), "{body}");
    assert_eq!(decisions.actions, ["REJECT"]);
    assert_eq!(gate.records_of(&decisions.session).await.len(), 1);
}

#[tokio::test]
async fn a_human_who_answers_while_the_call_is_held_lets_it_pass() {
    let gate = gate("1h").await;
    let answering = async {
        let question = question(&gate).await;
        gate.answer(answering(&question.escalation_id, Verdict::Approve, Scope::Once)).await;
    };
    let (told, ()) = tokio::join!(check(&gate, post(&call(1, "write_file"))), answering);
    assert_eq!(told.passes().2.actions, ["APPROVE"]);
}

#[tokio::test]
async fn an_approval_that_came_later_is_picked_up_by_the_same_call_and_counts_once() {
    let gate = gate("0s").await;
    let (body, decisions) = check(&gate, post(&call(1, "write_file"))).await.refused();
    assert_eq!(decisions.actions, ["ESCALATE"]);
    assert!(body["result"]["content"][0]["text"].as_str().unwrap().contains("same call again"), "{body}");
    // Asked again before the answer, it is the same question.
    let (_, again) = check(&gate, post(&call(2, "write_file"))).await.refused();
    assert_eq!(again.ids, decisions.ids);
    let question = question(&gate).await;
    gate.answer(answering(&question.escalation_id, Verdict::Approve, Scope::Once)).await;
    // Another call gets nothing of it.
    let (_, other) = check(&gate, post(&call(3, "write_other"))).await.refused();
    assert_eq!(other.actions, ["ESCALATE"]);
    let (_, _, passed) = check(&gate, post(&call(4, "write_file"))).await.passes();
    assert_eq!(passed.ids, decisions.ids);
    // Even under the id of the call that was approved.
    let (_, next) = check(&gate, post(&call(4, "write_file"))).await.refused();
    assert_eq!(next.actions, ["ESCALATE"]);
    assert_ne!(next.ids, decisions.ids);
}

#[tokio::test]
async fn a_refusal_is_told_once_and_then_a_human_is_asked_anew() {
    let gate = gate("0s").await;
    check(&gate, post(&call(1, "write_file"))).await.refused();
    let first = question(&gate).await;
    gate.answer(answering(&first.escalation_id, Verdict::Reject, Scope::Once)).await;
    assert_eq!(check(&gate, post(&call(2, "write_file"))).await.refused().1.actions, ["REJECT"]);
    assert_eq!(check(&gate, post(&call(3, "write_file"))).await.refused().1.actions, ["ESCALATE"]);
}

#[tokio::test]
async fn the_session_of_one_client_is_not_that_of_another() {
    let gate = gate("0s").await;
    let (_, one) = check(&gate, post(&call(1, "write_file"))).await.refused();
    let mut http = post(&call(1, "write_file"));
    http.headers.insert("mcp-session-id".to_owned(), "m-2".to_owned());
    let (_, other) = check(&gate, http).await.refused();
    assert!(one.session != other.session && one.ids != other.ids);
}

#[tokio::test]
async fn a_proxy_that_loses_patience_gets_its_answer_before_that() {
    let gate = gate("1h").await;
    let told = try_check(&gate, post(&call(1, "write_file")), Some(Duration::from_secs(6))).await.unwrap();
    assert_eq!(told.refused().1.actions, ["ESCALATE"]);
}

#[tokio::test]
async fn a_call_that_needs_approval_where_nobody_can_be_asked_is_an_error() {
    let gate = gate("0s").await;
    let session = check(&gate, post(&call(1, "read_file"))).await.passes().2.session;
    let update = pb::UpdateSessionRequest { interactive: Some(false), ..changing(&session) };
    gate.client.clone().update_session(update).await.unwrap();
    let (body, told) = check(&gate, post(&call(2, "write_file"))).await.refused();
    assert_eq!((body["error"]["code"].as_i64(), told.actions[0].as_str()), (Some(-31_002), "UNATTENDED"));
    assert_eq!(gate.records_of(&session).await.last().unwrap().action(), Action::Unattended);
}
