//! `Answer`: the escalation as it stands, its prompt, and what the agent is told.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, EscalationState, Scope, Stage, Verdict};

#[tokio::test]
async fn the_settled_escalation_carries_everything_that_was_asked() {
    let gate =
        Gate::with(r#"{ "escalate": [{ "type": "shell", "matcher": "glob", "pattern": "git push*" }] }"#)
            .await;
    let labels = [("display_command".to_owned(), "review".to_owned())].into();
    gate.open(pb::OpenSessionRequest { labels, cwd: "/work".to_owned(), ..opening("s") }).await;
    let given = gate.decide(in_run("r", named("q", shell("s", "git push")))).await;
    let comment = "go \u{1b}[31mahead".to_owned();
    let answer = pb::AnswerRequest {
        comment: comment.clone(),
        ..answering(&given.escalation_id, Verdict::Approve, Scope::Unspecified)
    };
    let settled = gate.answer(answer).await;
    assert_eq!((&settled.escalation_id, &settled.decision_id), (&given.escalation_id, &given.decision_id));
    assert_eq!(
        (
            settled.project.as_str(),
            settled.session_id.as_str(),
            settled.run_id.as_str(),
            settled.request_id.as_str()
        ),
        ("default", "s", "r", "q")
    );
    assert_eq!(
        (settled.state(), settled.rung(), settled.stage()),
        (EscalationState::Approved, pb::Rung::Assisted, Stage::EscalateEntry)
    );
    assert!(settled.raised_at.is_some() && settled.rating.is_none() && settled.negotiation.is_none());
    let Some(pb::call::Kind::Shell(call)) = settled.call.unwrap().kind else { panic!("a command") };
    assert_eq!((call.command.as_str(), call.cwd.as_str()), ("git push", "/work"));
    assert_eq!(settled.subject, given.subject);
    assert_eq!(settled.escalated_by, given.matched_rule.unwrap().entry);
    assert_eq!(settled.labels.get("display_command").map(String::as_str), Some("review"));
    assert_eq!(settled.policy_revision, given.policy_revision);
    let answer = settled.answer.unwrap();
    assert_eq!((answer.verdict(), answer.scope(), answer.comment), (Verdict::Approve, Scope::Once, comment));
    assert_eq!((answer.answered_by.as_str(), answer.stored), ("local", None));
}

#[tokio::test]
async fn the_prompt_is_complete_and_safe_to_print() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    let hostile = "echo \u{202e}evil \u{1b}[2J\u{7} done";
    let justified = |text: &str| {
        let shell = pb::ShellCall {
            command: hostile.to_owned(),
            justification: text.to_owned(),
            ..Default::default()
        };
        pb::Call { kind: Some(pb::call::Kind::Shell(shell)) }
    };
    gate.decide(ask("s", justified("first"))).await;
    gate.decide(ask("s", justified("second \u{1b}]0;title\u{7}"))).await;
    let given = gate.decide(ask("s", justified("third"))).await;
    assert_eq!(given.action(), Action::Escalate);
    let settled = gate.answer(answering(&given.escalation_id, Verdict::Reject, Scope::Once)).await;
    assert_eq!(settled.state(), EscalationState::Rejected);
    let exchange = settled.negotiation.unwrap();
    assert_eq!((exchange.rounds.len(), exchange.attempts, exchange.includes_pending_call), (3, 3, true));
    assert_eq!(exchange.rounds[1].justification, "second \u{1b}]0;title\u{7}", "raw as a value");
    assert_eq!(exchange.rounds[0].outcome(), pb::Outcome::Destructive);
    let prompt = settled.prompt.unwrap();
    let printed: Vec<&String> = prompt
        .framed_lines
        .iter()
        .chain(&exchange.framed_lines)
        .chain(&given.framed_lines)
        .chain([&prompt.headline])
        .collect();
    for row in printed {
        assert!(!row.chars().any(|c| c.is_control() || c == '\u{202e}'), "{row:?}");
        assert!(row.chars().count() <= 79, "{row:?}");
    }
    assert_eq!(prompt.framed_lines[0], prompt.headline);
    let all = prompt.framed_lines.join("\n");
    for part in ["echo", "rated destructive by the script", "first", "third"] {
        assert!(all.contains(part), "{part} is missing:\n{all}");
    }
}

#[tokio::test]
async fn the_prompt_shows_the_notices_behind_its_headline() {
    let gate = Gate::plain().await;
    gate.rater.fail(haltgate::gate::FailureCause::Timeout);
    let given = gate.decide(shell("s", "ls")).await;
    assert!(given.notices.iter().any(|notice| notice.code() == pb::NoticeCode::RatingTimeout));
    let prompt =
        gate.answer(answering(&given.escalation_id, Verdict::Reject, Scope::Once)).await.prompt.unwrap();
    let all: String = prompt.framed_lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(all.contains("was given up on"), "{all}");
}

#[tokio::test]
async fn an_unknown_verdict_is_a_refusal() {
    let gate = Gate::at("manual").await;
    for verdict in [0, 99, -7] {
        let id = gate.decide(shell("s", "ls")).await.escalation_id;
        let settled =
            gate.answer(pb::AnswerRequest { verdict, ..answering(&id, Verdict::Approve, Scope::Once) }).await;
        assert_eq!(settled.state(), EscalationState::Rejected, "{verdict}");
        assert_eq!(settled.answer.unwrap().verdict(), Verdict::Reject);
    }
}

#[tokio::test]
async fn the_scope_is_what_was_stored() {
    let gate = Gate::at("manual").await;
    let pick_up = |number: usize| named(&format!("q{number}"), shell("s", &format!("echo {number}")));
    for (number, (verdict, scope, action)) in [
        (Verdict::Approve, Scope::Once, Action::Approve),
        (Verdict::Approve, Scope::Session, Action::Approve),
        (Verdict::Approve, Scope::Always, Action::Approve),
        (Verdict::Reject, Scope::Once, Action::Reject),
        (Verdict::Reject, Scope::Session, Action::Reject),
    ]
    .into_iter()
    .enumerate()
    {
        let id = gate.decide(pick_up(number)).await.escalation_id;
        gate.answer(answering(&id, verdict, scope)).await;
        let given = gate.decide(pick_up(number)).await;
        assert_eq!((given.action(), given.scope()), (action, scope));
        let record = gate.records_of("s").await.pop().unwrap();
        assert_eq!((record.action(), record.scope()), (action, scope));
        assert_eq!(record.human.unwrap().scope(), scope);
    }
}

#[tokio::test]
async fn an_answer_needs_no_waiting_caller_and_reaches_whoever_asks_later() {
    let gate = Gate::at("manual").await;
    let asked = gate.decide(named("q", shell("s", "ls"))).await;
    let comment = "use the other folder".to_owned();
    gate.answer(pb::AnswerRequest {
        comment: comment.clone(),
        ..answering(&asked.escalation_id, Verdict::Reject, Scope::Once)
    })
    .await;
    let given = gate.decide(named("q", shell("s", "ls"))).await;
    assert_eq!(
        (given.action(), given.decision_id.as_str(), given.replayed),
        (Action::Reject, asked.decision_id.as_str(), true)
    );
    assert!(given.message.contains(&comment), "{}", given.message);
    assert_eq!(given.stage(), asked.stage());
}
