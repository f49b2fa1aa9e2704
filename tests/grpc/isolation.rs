//! Two sessions never see each other, and neither do two projects.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{Action, Scope, Verdict};

fn in_project(project: &str, request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { project: project.to_owned(), ..request }
}

#[tokio::test]
async fn grants_are_of_one_session_9() {
    let gate = Gate::at("manual").await;
    for session in ["a", "b"] {
        gate.open(opening(session)).await;
    }
    let id = gate.decide(shell("a", "ls")).await.escalation_id;
    gate.answer(answering(&id, Verdict::Approve, Scope::Session)).await;
    gate.manage("a", denying(shell_entry("pwd"))).await;
    assert_eq!(gate.decide(shell("b", "ls")).await.action(), Action::Escalate);
    assert_eq!(gate.decide(shell("b", "pwd")).await.action(), Action::Escalate);
    assert_eq!(gate.held("b").await, (Vec::new(), Vec::new()));
    assert!(gate.get("b").await.denylist.is_empty());
    let revoke = Operation::Revoke(pb::RevokeGrant {
        target: Some(pb::revoke_grant::Target::Entry(shell_entry("ls"))),
        scope: 0,
    });
    gate.try_manage(managing("b", revoke))
        .await
        .unwrap_err()
        .expect(tonic::Code::NotFound, "GRANT_NOT_FOUND");
}

#[tokio::test]
async fn negotiation_captures_and_runs_are_of_one_session_13_14() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.decide(shell("a", "rm a")).await;
    gate.decide(shell("a", "rm b")).await;
    let first = gate.decide(shell("b", "rm a")).await;
    assert_eq!(first.action(), Action::Reject);
    assert_eq!(first.budget.unwrap().consecutive_rejections, 1);
    assert!(gate.rater.asked()[2].context.is_none(), "round one of another session");
    gate.rater.otherwise(Outcome::Attack);
    gate.decide(in_run("r", shell("a", "steal"))).await;
    gate.rater.otherwise(Outcome::Safe);
    assert_eq!(gate.decide(in_run("r", shell("b", "ls"))).await.action(), Action::Approve);
    assert_eq!(gate.records_of("b").await.len(), 2);
    assert!(gate.records_of("c").await.is_empty());
}

#[tokio::test]
async fn projects_share_nothing_not_even_names() {
    let gate = Gate::at("manual").await;
    for project in ["one", "two"] {
        gate.open(pb::OpenSessionRequest { project: project.to_owned(), ..opening("s") }).await;
    }
    let manage = async |project: &str, session: &str, operation| {
        gate.try_manage(pb::ManageGrantsRequest {
            project: project.to_owned(),
            ..managing(session, operation)
        })
        .await
        .unwrap()
    };
    manage("one", "", granting(shell_entry("ls"), Scope::Always)).await;
    manage("one", "s", granting(shell_entry("pwd"), Scope::Session)).await;
    manage("one", "s", denying(shell_entry("id"))).await;
    for (command, here) in [("ls", Action::Approve), ("pwd", Action::Approve), ("id", Action::Reject)] {
        assert_eq!(gate.decide(in_project("one", shell("s", command))).await.action(), here, "{command}");
        assert_eq!(
            gate.decide(in_project("two", shell("s", command))).await.action(),
            Action::Escalate,
            "{command}"
        );
    }
    let records = async |project: &str| {
        gate.records(pb::ListDecisionsRequest { project: project.to_owned(), ..Default::default() }).await
    };
    assert!(records("one").await.iter().all(|record| record.project == "one"));
    assert_eq!((records("one").await.len(), records("two").await.len(), records("").await.len()), (3, 3, 0));
    let head = async |project: &str| {
        gate.try_verify(pb::VerifyAuditRequest { project: project.to_owned(), ..Default::default() })
            .await
            .unwrap()
    };
    let (one, two, none) = (head("one").await, head("two").await, head("").await);
    assert_ne!(one.head_hash, two.head_hash, "a chain of its own");
    assert_eq!((none.intact, none.head_sequence, none.head_hash.as_str()), (true, 0, ""));
    let listed = gate
        .sessions(pb::ListSessionsRequest { project: "one".to_owned(), ..Default::default() })
        .await
        .unwrap();
    assert_eq!(listed.sessions.len(), 1);
    let stranger = gate.try_get("", "s").await.unwrap_err();
    stranger.expect(tonic::Code::NotFound, "SESSION_NOT_FOUND");
}
