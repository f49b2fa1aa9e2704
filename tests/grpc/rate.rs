//! `Rate`: one rating, no decision.

use crate::support::*;
use haltgate::gate::{FailureCause, Outcome, RatingSubject};
use haltgate::proto::v1 as pb;

fn rating(session: &str, call: pb::Call) -> pb::RateRequest {
    pb::RateRequest { session_id: session.to_owned(), call: Some(call), ..Default::default() }
}

#[tokio::test]
async fn each_outcome_is_told_with_its_reason_and_nothing_is_decided() {
    let gate = Gate::with(r#"{ "deny": [{ "type": "shell", "matcher": "exact", "pattern": "ls" }] }"#).await;
    gate.open(opening("s")).await;
    let head = gate.verify().await.head_sequence;
    for (outcome, told) in [
        (Outcome::Safe, pb::Outcome::Safe),
        (Outcome::Destructive, pb::Outcome::Destructive),
        (Outcome::Catastrophic, pb::Outcome::Catastrophic),
        (Outcome::Attack, pb::Outcome::Attack),
    ] {
        gate.rater.otherwise(outcome);
        for session in ["", "s"] {
            let response = gate.rate(rating(session, shell_call("ls"))).await.unwrap();
            let found = response.rating.unwrap();
            assert_eq!((found.outcome(), found.source()), (told, pb::RatingSource::BuiltIn));
            assert_eq!(found.reason, format!("rated {outcome} by the script"));
            assert!(found.duration.is_some());
            assert_eq!(response.policy_revision, gate.info().await.policy_revision);
            let Some(pb::subject::Kind::Shell(subject)) = response.subject.unwrap().kind else {
                panic!("a command")
            };
            assert_eq!((subject.command.as_str(), subject.canonical.as_str()), ("ls", "ls"));
            let rows = response.framed_lines.join("\n");
            assert!(rows.contains("ls") && rows.contains("by the script"), "{rows}");
            assert!(response.framed_lines.iter().all(|row| row.chars().count() <= 79), "{rows}");
        }
    }
    assert!(gate.records_of("s").await.is_empty());
    let session = gate.get("s").await.session.unwrap();
    assert_eq!((session.halted_runs.len(), session.open_escalations), (0, 0));
    assert_eq!(gate.verify().await.head_sequence, head);
}

#[tokio::test]
async fn a_rater_that_fails_is_no_error() {
    let gate = Gate::plain().await;
    gate.rater.fail(FailureCause::Transport);
    let found = gate.rate(rating("", shell_call("ls"))).await.unwrap().rating.unwrap();
    assert_eq!((found.outcome(), found.cause()), (pb::Outcome::Destructive, pb::RatingCause::Transport));
}

#[tokio::test]
async fn the_sessions_folders_count_and_justifications_do_not() {
    let gate = Gate::plain().await;
    gate.open(pb::OpenSessionRequest {
        cwd: "/work".to_owned(),
        home: "/home/me".to_owned(),
        ..opening("s")
    })
    .await;
    let shell =
        pb::ShellCall { command: "ls".to_owned(), justification: "because".to_owned(), ..Default::default() };
    gate.rate(rating("s", pb::Call { kind: Some(pb::call::Kind::Shell(shell)) })).await.unwrap();
    gate.rate(rating("", shell_call("ls"))).await.unwrap();
    let asked = gate.rater.asked();
    assert!(asked.iter().all(|request| request.context.is_none()));
    let folder = |number: usize| match &asked[number].subject {
        RatingSubject::Command { cwd, home, .. } => (cwd.clone(), home.clone()),
        RatingSubject::Tool { .. } => panic!("a command"),
    };
    assert_eq!(folder(0), (Some("/work".to_owned()), Some("/home/me".to_owned())));
    assert_eq!(folder(1), (None, None));
}

#[tokio::test]
async fn tools_can_be_rated_too() {
    let gate = Gate::plain().await;
    let response = gate.rate(rating("", tool_call("write_file", r#"{"path": "a"}"#))).await.unwrap();
    assert_eq!(response.rating.unwrap().outcome(), pb::Outcome::Safe);
    let open = gate.rate(rating("", mcp_call("jira", "get", ""))).await.unwrap().rating.unwrap();
    assert_eq!(open.outcome(), pb::Outcome::Destructive, "nothing says that it reaches nobody outside");
    assert_eq!((open.floors[0].kind(), open.floors[0].raised), (pb::FloorKind::OpenWorld, true));
}
