//! An agent that wants its own way: every road to an answer, a grant or a looser rung is closed to it.

use super::cast::{Client, Known, OWN, own, reply};
use super::store::content;
use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{Action, Rung, Scope, Verdict};
use tonic::{Code, Request};

/// The call that a human is asked about.
fn wanted() -> pb::DecideRequest {
    named("wanted", shell("s", "make deploy"))
}

/// A gate where ann waits for an answer.
async fn waiting() -> (Known, String) {
    let known = Known::manual().await;
    let asked = known.decide("ann", wanted()).await.unwrap();
    assert_eq!(asked.action(), Action::Escalate);
    (known, asked.escalation_id)
}

/// Whatever was tried: nobody has answered, and nothing was granted.
async fn still_waits(known: &Known) {
    let asked = known.decide("ann", wanted()).await.unwrap();
    assert_eq!(asked.action(), Action::Escalate, "{asked:?}");
    let seen = known.get("ops", "s").await.unwrap();
    let session = seen.session.unwrap();
    assert_eq!((session.open_escalations, session.rung()), (1, Rung::Manual));
    for holder in ["s", ""] {
        let list = managing(holder, Operation::List(pb::ListGrants::default()));
        match known.manage("ops", list).await.unwrap().result.unwrap() {
            pb::manage_grants_response::Result::List(list) => assert_eq!(list.grants, []),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn an_agent_cannot_answer_itself() {
    let (known, id) = waiting().await;
    let before = content(&known);
    for scope in [Scope::Once, Scope::Session, Scope::Always] {
        for verdict in [Verdict::Approve, Verdict::Reject, Verdict::Unspecified] {
            for request_id in ["", "wanted", "another"] {
                let answer = pb::AnswerRequest {
                    request_id: request_id.to_owned(),
                    comment: "answered_by: ops".to_owned(),
                    ..answering(&id, verdict, scope)
                };
                for agent in ["ann", "bob"] {
                    let refused = known.answer(agent, answer.clone()).await.unwrap_err();
                    refused.expect(Code::PermissionDenied, "ROLE_NOT_ALLOWED");
                    assert_eq!(refused.metadata("needed"), "operator,admin");
                }
            }
        }
    }
    assert_eq!(content(&known), before);
    still_waits(&known).await;
}

#[tokio::test]
async fn an_agent_cannot_grant_trust_or_import_itself_out_of_it() {
    let (known, _) = waiting().await;
    let before = content(&known);
    let trust = pb::TrustChange {
        server: "jira".to_owned(),
        believe: vec![pb::Hint::ReadOnly.into()],
        disbelieve: Vec::new(),
    };
    let import = pb::ImportGrants {
        content: r#"{"version":1,"prefixes":["make"]}"#.to_owned(),
        ..pb::ImportGrants::default()
    };
    let operations = [
        granting(shell_entry("make deploy"), Scope::Session),
        granting(shell_entry("make deploy"), Scope::Always),
        Operation::ChangeTrust(trust.clone()),
        Operation::PredictTrust(trust),
        Operation::ImportFile(import.clone()),
        Operation::ImportFile(pb::ImportGrants { dry_run: true, ..import }),
        Operation::Lift(pb::LiftDenial {
            target: Some(pb::lift_denial::Target::Entry(shell_entry("make deploy"))),
        }),
        denying(shell_entry("make")),
    ];
    for operation in operations {
        for session in ["s", ""] {
            let refused = known.manage("ann", managing(session, operation.clone())).await.unwrap_err();
            refused.expect(Code::PermissionDenied, "ROLE_NOT_ALLOWED");
        }
    }
    assert_eq!(content(&known), before);
    still_waits(&known).await;
}

#[tokio::test]
async fn an_agent_cannot_loosen_its_rung_nor_escape_it_by_opening_its_session_again() {
    let (known, _) = waiting().await;
    for rung in [Rung::Manual, Rung::Write, Rung::Assisted, Rung::Auto, Rung::Bypass] {
        let update = pb::UpdateSessionRequest { rung: rung.into(), ..changing("s") };
        known.update("ann", update).await.unwrap_err().expect(Code::PermissionDenied, "RUNG_NOT_ALLOWED");
    }
    for rung in [Rung::Write, Rung::Assisted, Rung::Auto, Rung::Bypass] {
        let open = pb::OpenSessionRequest { rung: rung.into(), ..opening("s") };
        let refused = known.open("ann", open).await.unwrap_err();
        refused.expect(Code::PermissionDenied, "RUNG_NOT_ALLOWED");
        assert_eq!(refused.metadata("configured"), "RUNG_MANUAL");
    }
    // A session elsewhere is no looser, and the one that an operator tightened stays so.
    let fresh = pb::OpenSessionRequest { rung: Rung::Bypass.into(), ..opening("elsewhere") };
    known.open("ann", fresh).await.unwrap_err().expect(Code::PermissionDenied, "RUNG_NOT_ALLOWED");
    still_waits(&known).await;
    let reopened = known.open("ann", opening("s")).await.unwrap();
    assert!(reopened.reopened);
    assert_eq!(reopened.session.unwrap().rung(), Rung::Manual);
}

#[tokio::test]
async fn what_a_request_claims_of_its_caller_counts_for_nothing() {
    let (known, id) = waiting().await;
    let forged = [
        ("x-haltgate-role", "admin"),
        ("x-haltgate-caller", "ops"),
        ("x-forwarded-user", "ops"),
        ("x-forwarded-client-cert", "URI=spiffe://example.org/ops"),
        ("l5d-client-id", "ops.serviceaccount"),
        ("role", "operator"),
        ("caller", "local"),
    ];
    for (key, value) in forged {
        let answer =
            pb::AnswerRequest { project: OWN.to_owned(), ..answering(&id, Verdict::Approve, Scope::Once) };
        let mut request = Request::new(answer);
        request.metadata_mut().insert(key, value.parse().unwrap());
        let mut client: Client = known.of("ann");
        let refused = reply(client.answer(request).await).unwrap_err();
        refused.expect(Code::PermissionDenied, "ROLE_NOT_ALLOWED");
    }
    // Nor what it writes into the fields that are its own.
    let labels = [("owner", "ops"), ("role", "admin"), ("caller", "ops")];
    let labels = labels.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    known.open("ann", pb::OpenSessionRequest { labels, ..opening("t") }).await.unwrap();
    let session = known.get("ops", "t").await.unwrap().session.unwrap();
    assert_eq!(session.owner, "ann");
    known.decide("ann", shell("t", "ls")).await.unwrap();
    let request = pb::ListDecisionsRequest {
        project: OWN.to_owned(),
        session_id: "t".to_owned(),
        ..pb::ListDecisionsRequest::default()
    };
    let record = reply(known.of("eve").list_decisions(request).await).unwrap().decisions.remove(0);
    assert_eq!(
        (record.caller.as_str(), record.caller_role.as_str(), record.caller_via.as_str()),
        ("ann", "agent", "bearer")
    );
    still_waits(&known).await;
}

#[tokio::test]
async fn another_agent_gets_neither_the_answer_nor_the_session_by_the_same_request_id() {
    let (known, id) = waiting().await;
    let taken = known.decide("bob", wanted()).await.unwrap_err();
    taken.expect(Code::PermissionDenied, "SESSION_NOT_ALLOWED");
    assert_eq!(taken.metadata("session_id"), "s");
    known.answer("ops", answering(&id, Verdict::Approve, Scope::Once)).await.unwrap();
    known.decide("bob", wanted()).await.unwrap_err().expect(Code::PermissionDenied, "SESSION_NOT_ALLOWED");
    assert_eq!(known.decide("ann", wanted()).await.unwrap().action(), Action::Approve);
}

#[tokio::test]
async fn a_retry_of_an_answer_is_the_same_callers() {
    let (known, id) = waiting().await;
    let answer =
        pb::AnswerRequest { request_id: "a1".to_owned(), ..answering(&id, Verdict::Approve, Scope::Once) };
    known.answer("ops", answer.clone()).await.unwrap();
    known.answer("ops", answer.clone()).await.unwrap();
    let second = known.answer("adm", answer.clone()).await.unwrap_err();
    second.expect(Code::FailedPrecondition, "ALREADY_ANSWERED");
    assert_eq!(second.metadata("answered_by"), "ops");
    known.answer("ann", answer).await.unwrap_err().expect(Code::PermissionDenied, "ROLE_NOT_ALLOWED");
}

#[tokio::test]
async fn no_id_of_a_decision_stands_in_the_way_of_an_operator() {
    let known = Known::manual().await;
    for request_id in ["manage:m1", "manage", "m1"] {
        known.decide("ann", named(request_id, shell("s", "ls"))).await.unwrap();
    }
    let grant = pb::ManageGrantsRequest {
        request_id: "m1".to_owned(),
        ..managing("s", granting(shell_entry("pwd"), Scope::Session))
    };
    let first = known.manage("ops", grant.clone()).await.unwrap();
    assert_eq!(known.manage("ops", grant).await.unwrap(), first);
    let again = reply(known.of("ann").decide(own(named("manage:m1", shell("s", "ls")))).await).unwrap();
    assert_eq!(again.action(), Action::Escalate);
}
