//! Errors that are no fault of a field: the reason, and exactly the metadata that the contract shows for it.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use pb::{Scope, Verdict};
use tonic::Code;

const NOBODY: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

#[track_caller]
fn keys(failure: &Failure) -> Vec<&str> {
    failure.metadata.keys().map(String::as_str).collect()
}

fn halt_answer(id: &str, scope: Scope) -> pb::AnswerRequest {
    pb::AnswerRequest {
        target: Some(pb::answer_request::Target::HaltId(id.to_owned())),
        verdict: Verdict::Stop.into(),
        scope: scope.into(),
        ..Default::default()
    }
}

#[tokio::test]
async fn what_does_not_exist_is_not_found_by_name() {
    let gate = Gate::plain().await;
    let mut client = gate.client.clone();
    let sessions = [
        gate.try_get("p", "s").await.unwrap_err(),
        gate.try_update(pb::UpdateSessionRequest { project: "p".to_owned(), ..changing("s") })
            .await
            .unwrap_err(),
        Failure::of(
            &client
                .close_session(pb::CloseSessionRequest {
                    project: "p".to_owned(),
                    session_id: "s".to_owned(),
                })
                .await
                .unwrap_err(),
        ),
        gate.rate(pb::RateRequest {
            project: "p".to_owned(),
            session_id: "s".to_owned(),
            call: Some(shell_call("ls")),
            ..Default::default()
        })
        .await
        .unwrap_err(),
    ];
    let operations = [
        Operation::List(pb::ListGrants::default()),
        granting(shell_entry("ls"), Scope::Session),
        granting(shell_entry("ls"), Scope::Always),
        denying(shell_entry("ls")),
        Operation::Lift(pb::LiftDenial { target: Some(pb::lift_denial::Target::ObjectText("x".to_owned())) }),
        Operation::Revoke(pb::RevokeGrant {
            target: Some(pb::revoke_grant::Target::ObjectText("x".to_owned())),
            scope: 0,
        }),
        Operation::ViewTrust(pb::ViewTrust {}),
        Operation::ChangeTrust(pb::TrustChange {
            server: "jira".to_owned(),
            believe: vec![1],
            disbelieve: vec![],
        }),
        Operation::PredictTrust(pb::TrustChange {
            server: "jira".to_owned(),
            believe: vec![1],
            disbelieve: vec![],
        }),
    ];
    let mut failures = sessions.to_vec();
    for operation in operations {
        let request = pb::ManageGrantsRequest { project: "p".to_owned(), ..managing("s", operation) };
        failures.push(gate.try_manage(request).await.unwrap_err());
    }
    for failure in failures {
        failure.expect(Code::NotFound, "SESSION_NOT_FOUND");
        assert_eq!(keys(&failure), ["project", "session_id"]);
        assert_eq!((failure.metadata("project"), failure.metadata("session_id")), ("p", "s"));
    }
    assert!(gate.held("").await.0.is_empty());

    for scope in [Scope::Once, Scope::Session, Scope::Always] {
        for verdict in [Verdict::Approve, Verdict::Reject] {
            let failure = gate.try_answer(answering(NOBODY, verdict, scope)).await.unwrap_err();
            failure.expect(Code::NotFound, "ESCALATION_NOT_FOUND");
            assert_eq!(keys(&failure), ["escalation_id", "project"]);
            assert_eq!((failure.metadata("project"), failure.metadata("escalation_id")), ("default", NOBODY));
        }
        let failure = gate.try_answer(halt_answer(NOBODY, scope)).await.unwrap_err();
        failure.expect(Code::NotFound, "HALT_NOT_FOUND");
        assert_eq!((failure.metadata("project"), failure.metadata("halt_id")), ("default", NOBODY));
    }
}

#[tokio::test]
async fn an_escalation_is_known_in_its_own_project_and_as_an_escalation_alone() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    let elsewhere =
        pb::AnswerRequest { project: "p".to_owned(), ..answering(&id, Verdict::Approve, Scope::Once) };
    gate.try_answer(elsewhere).await.unwrap_err().expect(Code::NotFound, "ESCALATION_NOT_FOUND");
    gate.try_answer(halt_answer(&id, Scope::Once))
        .await
        .unwrap_err()
        .expect(Code::NotFound, "HALT_NOT_FOUND");
    gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
}

#[tokio::test]
async fn grants_and_denials_that_do_not_exist_are_named_by_their_object_text() {
    let gate = Gate::plain().await;
    gate.open(opening("s")).await;
    let text = r#"{ "type": "shell", "matcher": "exact", "pattern": "git push" }"#;
    let targets = || {
        [
            pb::revoke_grant::Target::Entry(shell_entry("git push")),
            pb::revoke_grant::Target::ObjectText(text.to_owned()),
        ]
    };
    for target in targets() {
        for session in ["", "s"] {
            let revoke = pb::RevokeGrant { target: Some(target.clone()), scope: 0 };
            let failure = gate.try_manage(managing(session, Operation::Revoke(revoke))).await.unwrap_err();
            failure.expect(Code::NotFound, "GRANT_NOT_FOUND");
            assert_eq!(keys(&failure), ["entry", "project"]);
            assert_eq!((failure.metadata("project"), failure.metadata("entry")), ("default", text));
        }
    }
    for target in [
        pb::lift_denial::Target::Entry(shell_entry("git push")),
        pb::lift_denial::Target::ObjectText(text.to_owned()),
    ] {
        let lift = pb::LiftDenial { target: Some(target) };
        let failure = gate.try_manage(managing("s", Operation::Lift(lift))).await.unwrap_err();
        failure.expect(Code::NotFound, "DENIAL_NOT_FOUND");
        assert_eq!(keys(&failure), ["entry", "project", "session_id"]);
        assert_eq!((failure.metadata("session_id"), failure.metadata("entry")), ("s", text));
    }
}

#[tokio::test]
async fn a_closed_session_is_said_with_the_time_by_every_method_that_would_change_or_use_it() {
    let gate = Gate::plain().await;
    gate.open(opening("s")).await;
    let closed_at = gate.close("s").await.session.unwrap().closed_at.unwrap();
    let rate =
        pb::RateRequest { session_id: "s".to_owned(), call: Some(shell_call("ls")), ..Default::default() };
    let trust = pb::TrustChange { server: "jira".to_owned(), believe: vec![1], disbelieve: vec![] };
    let failures = [
        gate.try_decide(shell("s", "ls")).await.unwrap_err(),
        gate.rate(rate).await.unwrap_err(),
        gate.try_update(changing("s")).await.unwrap_err(),
        gate.try_manage(managing("s", granting(shell_entry("ls"), Scope::Session))).await.unwrap_err(),
        gate.try_manage(managing("s", denying(shell_entry("ls")))).await.unwrap_err(),
        gate.try_manage(managing("s", Operation::ChangeTrust(trust))).await.unwrap_err(),
    ];
    for failure in failures {
        failure.expect(Code::FailedPrecondition, "SESSION_CLOSED");
        assert_eq!(keys(&failure), ["closed_at", "project", "session_id"]);
        let said: jiff::Timestamp = failure.metadata("closed_at").parse().unwrap();
        assert_eq!(said.as_second(), closed_at.seconds);
    }
    gate.get("s").await;
    gate.held("s").await;
    gate.manage("s", Operation::ViewTrust(pb::ViewTrust {})).await;
}

#[tokio::test]
async fn the_second_answer_is_told_the_first() {
    let gate = Gate::at("manual").await;
    for (verdict, scope, said) in [
        (Verdict::Approve, Scope::Once, ("VERDICT_APPROVE", "SCOPE_ONCE")),
        (Verdict::Approve, Scope::Session, ("VERDICT_APPROVE", "SCOPE_SESSION")),
        (Verdict::Approve, Scope::Always, ("VERDICT_APPROVE", "SCOPE_ALWAYS")),
        (Verdict::Reject, Scope::Once, ("VERDICT_REJECT", "SCOPE_ONCE")),
        (Verdict::Reject, Scope::Session, ("VERDICT_REJECT", "SCOPE_SESSION")),
    ] {
        let command = format!("echo {} {}", said.0, said.1);
        let id = gate.decide(shell("s", &command)).await.escalation_id;
        let first = gate.answer(answering(&id, verdict, scope)).await.answer.unwrap();
        for second in [Verdict::Approve, Verdict::Reject] {
            for scope in [Scope::Once, Scope::Always] {
                let failure = gate.try_answer(answering(&id, second, scope)).await.unwrap_err();
                failure.expect(Code::FailedPrecondition, "ALREADY_ANSWERED");
                assert_eq!(keys(&failure), ["answered_at", "answered_by", "scope", "verdict"]);
                assert_eq!((failure.metadata("verdict"), failure.metadata("scope")), said);
                assert_eq!(failure.metadata("answered_by"), "local");
                let at: jiff::Timestamp = failure.metadata("answered_at").parse().unwrap();
                assert_eq!(at.as_second(), first.answered_at.unwrap().seconds);
            }
        }
    }
}

#[tokio::test]
async fn what_was_withdrawn_needs_no_answer() {
    let gate = Gate::at("manual").await;
    let id = gate.decide(shell("s", "ls")).await.escalation_id;
    gate.close("s").await;
    for (verdict, scope) in [(Verdict::Approve, Scope::Once), (Verdict::Reject, Scope::Always)] {
        let failure = gate.try_answer(answering(&id, verdict, scope)).await.unwrap_err();
        failure.expect(Code::FailedPrecondition, "NO_LONGER_OPEN");
        assert_eq!(keys(&failure), ["state"]);
        assert_eq!(failure.metadata("state"), "ESCALATION_STATE_WITHDRAWN");
    }
}

#[tokio::test]
async fn a_scope_that_is_not_on_offer_settles_nothing() {
    let gate = Gate::at("manual").await;
    let composed = gate.decide(shell("s", "ls && pwd")).await.escalation_id;
    let simple = gate.decide(shell("s", "ls")).await.escalation_id;
    let unattributable = gate.decide(ask("s", registered_call("mcp__nobody__get", ""))).await.escalation_id;
    for (id, verdict, scope, offered) in [
        (&composed, Verdict::Approve, Scope::Session, "SCOPE_ONCE"),
        (&composed, Verdict::Approve, Scope::Always, "SCOPE_ONCE"),
        (&composed, Verdict::Reject, Scope::Always, "SCOPE_ONCE,SCOPE_SESSION"),
        (&simple, Verdict::Reject, Scope::Always, "SCOPE_ONCE,SCOPE_SESSION"),
        (&simple, Verdict::Unspecified, Scope::Always, "SCOPE_ONCE,SCOPE_SESSION"),
        (&unattributable, Verdict::Reject, Scope::Session, "SCOPE_ONCE"),
        (&unattributable, Verdict::Reject, Scope::Always, "SCOPE_ONCE"),
        (&unattributable, Verdict::Approve, Scope::Session, "SCOPE_ONCE"),
    ] {
        let failure = gate.try_answer(answering(id, verdict, scope)).await.unwrap_err();
        failure.expect(Code::FailedPrecondition, "SCOPE_NOT_OFFERED");
        assert_eq!(keys(&failure), ["offered", "scope"]);
        assert_eq!((failure.metadata("scope"), failure.metadata("offered")), (scope.as_str_name(), offered));
    }
    assert_eq!(gate.held("s").await, (Vec::new(), Vec::new()));
    assert_eq!(gate.get("s").await.session.unwrap().open_escalations, 3);
    for id in [composed, simple, unattributable] {
        gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    }
}

#[tokio::test]
async fn a_profile_that_the_policy_does_not_define_is_named() {
    let gate = Gate::plain().await;
    let rate = |profile: &str| pb::RateRequest {
        profile: profile.to_owned(),
        call: Some(shell_call("ls")),
        ..Default::default()
    };
    let failure = gate.rate(rate("fast")).await.unwrap_err();
    failure.expect(Code::FailedPrecondition, "RATER_PROFILE_UNKNOWN");
    assert_eq!((keys(&failure), failure.metadata("profile")), (vec!["profile"], "fast"));
    gate.rate(rate("builtin")).await.unwrap();
}
