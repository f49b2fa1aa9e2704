//! What a refused change leaves behind.

use super::cast::{FOREIGN, Known, OWN, reply};
use super::store::refusals;
use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Scope, Verdict};
use serde_json::{Value, json};

const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

fn said(body: &Value) -> Value {
    json!([body["by"], body["by_role"], body["by_via"], body["operation"], body["reason"]])
}

#[tokio::test]
async fn an_auditor_finds_every_change_that_somebody_tried_and_may_not_make() {
    let known = Known::manual().await;
    known.open("ann", opening("s")).await.unwrap();
    let answer = answering(NOBODY, Verdict::Approve, Scope::Once);
    known.answer("ann", answer).await.unwrap_err();
    known.manage("ann", managing("s", granting(shell_entry("ls"), Scope::Session))).await.unwrap_err();
    let bypass = pb::UpdateSessionRequest { rung: pb::Rung::Bypass.into(), ..changing("s") };
    known.update("ann", bypass).await.unwrap_err();
    let looser = pb::OpenSessionRequest { rung: pb::Rung::Auto.into(), ..opening("t") };
    known.open("ann", looser).await.unwrap_err();
    known.decide("bob", shell("s", "ls")).await.unwrap_err();
    known.close("bob", "s").await.unwrap_err();
    known.decide("ops", shell("s", "ls")).await.unwrap_err();
    known.manage("eve", managing("s", denying(shell_entry("ls")))).await.unwrap_err();
    let found: Vec<Value> = refusals(&known, OWN).iter().map(said).collect();
    assert_eq!(
        found,
        [
            json!(["ann", "agent", "bearer", "answer", "ROLE_NOT_ALLOWED"]),
            json!(["ann", "agent", "bearer", "grant", "ROLE_NOT_ALLOWED"]),
            json!(["ann", "agent", "bearer", "update_session", "RUNG_NOT_ALLOWED"]),
            json!(["ann", "agent", "bearer", "open_session", "RUNG_NOT_ALLOWED"]),
            json!(["bob", "agent", "bearer", "decide", "SESSION_NOT_ALLOWED"]),
            json!(["bob", "agent", "bearer", "close_session", "SESSION_NOT_ALLOWED"]),
            json!(["ops", "operator", "bearer", "decide", "ROLE_NOT_ALLOWED"]),
            json!(["eve", "auditor", "bearer", "deny", "ROLE_NOT_ALLOWED"]),
        ]
    );
}

#[tokio::test]
async fn looking_where_one_may_not_and_trying_in_foreign_projects_leave_no_record() {
    let known = Known::manual().await;
    known.open("ann", opening("s")).await.unwrap();
    known.get("bob", "s").await.unwrap_err();
    let list = pb::ListDecisionsRequest { project: OWN.to_owned(), ..pb::ListDecisionsRequest::default() };
    reply(known.of("ann").list_decisions(list).await).unwrap_err();
    let foreign = pb::OpenSessionRequest { project: FOREIGN.to_owned(), ..opening("s") };
    reply(known.of("ann").open_session(foreign).await).unwrap_err();
    let answer =
        pb::AnswerRequest { project: FOREIGN.to_owned(), ..answering(NOBODY, Verdict::Approve, Scope::Once) };
    reply(known.of("ann").answer(answer).await).unwrap_err();
    for project in [OWN, FOREIGN, "default"] {
        assert_eq!(refusals(&known, project), [] as [Value; 0], "{project}");
    }
}

#[tokio::test]
async fn nobody_fills_the_store_by_being_refused() {
    let known = Known::manual().await;
    for _ in 0..60 {
        let answer = answering(NOBODY, Verdict::Approve, Scope::Once);
        known.answer("ann", answer).await.unwrap_err();
    }
    let of_ann = refusals(&known, OWN).len();
    // Ten a minute, and a minute may have begun meanwhile.
    assert!((10..=20).contains(&of_ann), "{of_ann}");
    known.answer("bob", answering(NOBODY, Verdict::Approve, Scope::Once)).await.unwrap_err();
    let last = refusals(&known, OWN).pop().unwrap();
    assert_eq!(last["by"], "bob", "one caller's noise does not hide another");
    assert!(last["not_recorded"].as_u64().unwrap() > 0, "{last}");
}
