//! Request ids: the same id and the same content is the same request, however often it comes.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{Action, Scope, Verdict};
use tonic::Code;

#[tokio::test]
async fn a_repeated_decide_decides_rates_records_and_asks_once() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    let request = || in_run("r", named("q", shell("s", "rm a")));
    let first = gate.decide(request()).await;
    assert_eq!((first.action(), first.replayed), (Action::Reject, false));
    for _ in 0..4 {
        let again = gate.decide(request()).await;
        assert_eq!(pb::DecideResponse { replayed: false, ..again }, first);
    }
    assert_eq!(gate.rater.count(), 1);
    assert_eq!(gate.records_of("s").await.len(), 1);
    let budget = gate.get("s").await.budget.unwrap();
    assert_eq!((budget.consecutive_rejections, budget.rejections_since_human), (1, 1), "one round");
}

#[tokio::test]
async fn the_same_id_with_other_content_is_refused_and_names_the_first_decision() {
    let gate = Gate::at("manual").await;
    let first = gate.decide(in_run("r", named("q", shell("s", "ls")))).await;
    let other_cwd =
        pb::ShellCall { command: "ls".to_owned(), cwd: "/other".to_owned(), ..Default::default() };
    let justified =
        pb::ShellCall { command: "ls".to_owned(), justification: "why not".to_owned(), ..Default::default() };
    let call = |shell| pb::Call { kind: Some(pb::call::Kind::Shell(shell)) };
    for other in [
        in_run("r", named("q", shell("s", "pwd"))),
        in_run("r2", named("q", shell("s", "ls"))),
        named("q", shell("s", "ls")),
        in_run("r", named("q", ask("s", tool_call("ls", "")))),
        in_run("r", named("q", ask("s", call(other_cwd)))),
        in_run("r", named("q", ask("s", call(justified)))),
    ] {
        let failure = gate.try_decide(other).await.unwrap_err();
        failure.expect_field("REQUEST_ID_REUSED", "request_id");
        assert_eq!(
            (failure.metadata("request_id"), failure.metadata("original_id")),
            ("q", first.decision_id.as_str())
        );
    }
    assert_eq!(gate.records_of("s").await.len(), 1);
    assert_eq!(gate.get("s").await.session.unwrap().open_escalations, 1);
}

#[tokio::test]
async fn an_id_belongs_to_its_session() {
    let gate = Gate::plain().await;
    let one = gate.decide(named("q", shell("a", "ls"))).await;
    let other = gate.decide(named("q", shell("b", "pwd"))).await;
    assert!(!other.replayed);
    assert_ne!(one.decision_id, other.decision_id);
    let elsewhere = pb::DecideRequest { project: "p".to_owned(), ..named("q", shell("a", "id")) };
    assert!(!gate.decide(elsewhere).await.replayed);
}

#[tokio::test]
async fn what_memory_has_forgotten_the_store_remembers() {
    let gate = Gate::at("bypass").await;
    let first = gate.decide(named("first", shell("s", "ls"))).await;
    let others: Vec<_> = (0..600)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move {
                client.decide(named(&format!("n{number}"), shell("s", "ls"))).await.unwrap()
            })
        })
        .collect();
    for other in others {
        other.await.unwrap();
    }
    let again = gate.decide(named("first", shell("s", "ls"))).await;
    assert_eq!((again.decision_id, again.replayed), (first.decision_id, true));
    let failure = gate.try_decide(named("first", shell("s", "pwd"))).await.unwrap_err();
    failure.expect_field("REQUEST_ID_REUSED", "request_id");
}

#[tokio::test]
async fn a_repeated_answer_gets_the_first_response_and_another_one_does_not() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    let answer = |request_id: &str, verdict, scope| pb::AnswerRequest {
        request_id: request_id.to_owned(),
        comment: "fine".to_owned(),
        ..answering(&id, verdict, scope)
    };
    let first = gate.answer(answer("a1", Verdict::Approve, Scope::Session)).await;
    assert_eq!(gate.answer(answer("a1", Verdict::Approve, Scope::Session)).await, first);
    for other in [
        answer("a2", Verdict::Approve, Scope::Session),
        answer("a1", Verdict::Approve, Scope::Once),
        answer("a1", Verdict::Reject, Scope::Session),
        answer("", Verdict::Approve, Scope::Session),
        pb::AnswerRequest { comment: "other".to_owned(), ..answer("a1", Verdict::Approve, Scope::Session) },
    ] {
        gate.try_answer(other).await.unwrap_err().expect(Code::FailedPrecondition, "ALREADY_ANSWERED");
    }
    let gate = gate.restart().await;
    assert_eq!(gate.answer(answer("a1", Verdict::Approve, Scope::Session)).await, first);
    assert_eq!(gate.held("s").await.0.len(), 1);
}

#[tokio::test]
async fn a_repeated_change_gets_the_first_response_and_changes_nothing_more() {
    let gate = Gate::plain().await;
    gate.open(opening("s")).await;
    let text = |command: &str| pb::revoke_grant::Target::Entry(shell_entry(command));
    let changes = [
        ("", granting(shell_entry("a"), Scope::Always)),
        ("s", granting(shell_entry("b"), Scope::Session)),
        ("s", denying(shell_entry("c"))),
        (
            "s",
            Operation::Lift(pb::LiftDenial {
                target: Some(pb::lift_denial::Target::Entry(shell_entry("c"))),
            }),
        ),
        ("s", Operation::Revoke(pb::RevokeGrant { target: Some(text("b")), scope: 0 })),
        ("", Operation::Revoke(pb::RevokeGrant { target: Some(text("a")), scope: 0 })),
        (
            "s",
            Operation::ChangeTrust(pb::TrustChange {
                server: "jira".to_owned(),
                believe: vec![1],
                disbelieve: vec![],
            }),
        ),
        (
            "",
            Operation::ImportFile(pb::ImportGrants {
                content: r#"{"prefixes": ["git log"]}"#.to_owned(),
                ..Default::default()
            }),
        ),
    ];
    let requests: Vec<pb::ManageGrantsRequest> = changes
        .into_iter()
        .enumerate()
        .map(|(number, (session, operation))| pb::ManageGrantsRequest {
            request_id: format!("m{number}"),
            ..managing(session, operation)
        })
        .collect();
    let mut responses = Vec::new();
    for request in &requests {
        responses.push(gate.try_manage(request.clone()).await.unwrap());
        let again = gate.try_manage(request.clone()).await.unwrap();
        assert_eq!(Some(&again), responses.last());
    }
    let head = gate.verify().await.head_sequence;
    let gate = gate.restart().await;
    for (request, response) in requests.iter().zip(&responses) {
        assert_eq!(gate.try_manage(request.clone()).await.unwrap(), *response);
    }
    assert_eq!(gate.verify().await.head_sequence, head);
    let reused = pb::ManageGrantsRequest {
        request_id: "m0".to_owned(),
        ..managing("", granting(shell_entry("other"), Scope::Always))
    };
    let failure = gate.try_manage(reused).await.unwrap_err();
    failure.expect_field("REQUEST_ID_REUSED", "request_id");
    assert_eq!(failure.metadata.keys().collect::<Vec<_>>(), ["request_id"], "there is no decision to name");
    // An id used for a decision and one used here never meet.
    gate.decide(named("m1", shell("s", "ls"))).await;
}
