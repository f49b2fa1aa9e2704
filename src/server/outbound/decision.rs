//! Decisions: as answered, as explained and as recorded.

use super::human::human_answer;
use super::vocabulary::{
    action, annotations, budget, cause, duration, matched_rule, notices, outcome, rating, rung, scope, stage,
    timestamp,
};
use crate::display::{Frame, frame};
use crate::gate::{Action, Call, Decision, HumanSaid, Rating, Scope, StepResult, Subject};
use crate::proto::v1 as pb;
use crate::session::{Explained, RatingAttempt, RatingTrace, RecordedDecision, Ruling, SubjectView, Timing};
use crate::shell::{Analysis, Dialect, Segment};
use std::time::Duration;

/// Rows of a framed message: enough for every message that the gate writes, and a bound on what an agent can make of it.
const MESSAGE_ROWS: usize = 60;

/// The answer to a call.
pub(in crate::server) fn decide_response(ruling: &Ruling) -> pb::DecideResponse {
    let decision = &ruling.decision;
    pb::DecideResponse {
        action: action(decision.action).into(),
        stage: stage(decision.stage).into(),
        scope: settled_scope(ruling).map_or(pb::Scope::Unspecified, scope).into(),
        message: decision.message.clone(),
        framed_lines: framed(&decision.message),
        decision_id: ruling.decision_id.clone(),
        request_id: ruling.request_id.clone(),
        session_id: ruling.session.clone(),
        run_id: ruling.run.clone(),
        rung: rung(decision.rung).into(),
        policy_revision: ruling.policy_revision.clone(),
        subject: Some(subject(&ruling.subject)),
        matched_rule: decision.rule.as_ref().map(matched_rule),
        hardline: hardline(decision),
        rating: rating_of(ruling),
        notices: notices(&decision.notices),
        escalation_id: ruling.escalation_id.clone().unwrap_or_default(),
        halt_id: ruling.halt_id.clone().unwrap_or_default(),
        human: ruling.answer.as_ref().map(human_answer),
        run_halted: ruling.run_halted,
        replayed: ruling.replayed,
        budget: Some(budget(ruling.budget_after)),
        timing: Some(timing(&ruling.timing)),
        explanation: None,
    }
}

fn framed(message: &str) -> Vec<String> {
    if message.is_empty() {
        return Vec::new();
    }
    frame(message, &Frame { max_rows: Some(MESSAGE_ROWS), ..Frame::default() })
}

/// The scope of an approval, or of a human's refusal.
fn settled_scope(ruling: &Ruling) -> Option<Scope> {
    match ruling.decision.action {
        Action::Approve => ruling.decision.scope,
        Action::Reject => ruling.answer.as_ref().and_then(super::human::answered_scope),
        Action::Escalate | Action::Halt | Action::Unattended => None,
    }
}

fn hardline(decision: &Decision) -> String {
    decision.hardline.as_ref().map(|floor| floor.description.clone()).unwrap_or_default()
}

fn rating_of(ruling: &Ruling) -> Option<pb::Rating> {
    let took = Duration::from_micros(ruling.timing.rating_us);
    ruling.decision.rating.as_ref().map(|found| traced_rating(found, ruling.rating_trace.as_ref(), took))
}

/// A rating with what is known of who gave it.
pub(in crate::server) fn traced_rating(
    found: &Rating,
    trace: Option<&RatingTrace>,
    took: Duration,
) -> pb::Rating {
    let reused = trace.is_some_and(|trace| trace.reused);
    let took = if reused { Some(Duration::ZERO) } else { (!took.is_zero()).then_some(took) };
    let plain = rating(found, took);
    match trace {
        Some(trace) => {
            pb::Rating { profile: trace.profile.clone(), model: trace.model.clone(), reused, ..plain }
        }
        None => plain,
    }
}

/// How a model's rating came about.
fn rating_attempt(attempt: &RatingAttempt) -> pb::RatingAttempt {
    let RatingAttempt { started_at, record } = attempt;
    pb::RatingAttempt {
        started_at: Some(timestamp(*started_at)),
        duration: Some(duration(Duration::from_micros(record.duration_us))),
        timeout: Some(duration(Duration::from_millis(record.timeout_ms.into()))),
        profile: record.profile.clone(),
        model: record.model.clone(),
        negotiable: record.negotiable,
        system_prompt: record.system.clone(),
        user_prompt: record.user.clone(),
        raw_response: record.raw_answer.clone().unwrap_or_default(),
        round: record.round,
        context_note: crate::display::one_line(&record.context_note),
        model_outcome: record
            .verdict
            .as_ref()
            .map_or(pb::Outcome::Unspecified, |found| outcome(found.outcome))
            .into(),
        model_reason: record.verdict.as_ref().map(|found| found.reason.clone()).unwrap_or_default(),
        cause: record.cause.map_or(pb::RatingCause::Unspecified, cause).into(),
        attempts: record.attempts,
        prompt_tokens: record.prompt_tokens,
        completion_tokens: record.completion_tokens,
    }
}

fn timing(timing: &Timing) -> pb::Timing {
    let micros = |value: u64| Some(duration(Duration::from_micros(value)));
    pb::Timing {
        arrived_at: Some(timestamp(timing.arrived_at)),
        decided_at: timing.settled_at.map(timestamp),
        queued: None,
        deciding: micros(timing.deciding_us),
        rating: micros(timing.rating_us),
        human: micros(timing.human_us),
    }
}

/// The call as the rules saw it.
pub(in crate::server) fn subject(view: &SubjectView) -> pb::Subject {
    let kind = match view {
        SubjectView::Shell { command, canonical } => pb::subject::Kind::Shell(pb::ShellSubject {
            command: command.clone(),
            canonical: canonical.clone().unwrap_or_default(),
        }),
        SubjectView::Tool { name, hosts, annotations: found } => pb::subject::Kind::Tool(pb::ToolSubject {
            name: name.clone(),
            hosts: hosts.clone(),
            annotations: found.as_ref().map(annotations),
        }),
        SubjectView::McpTool { server, name, registered, hosts, annotations: found } => {
            pb::subject::Kind::McpTool(pb::McpToolSubject {
                server: server.clone(),
                name: name.clone(),
                registered_name: registered.clone(),
                hosts: hosts.clone(),
                annotations: found.as_ref().map(annotations),
            })
        }
    };
    pb::Subject { kind: Some(kind) }
}

/// The call as the agent sent it.
pub(super) fn call(call: &Call) -> pb::Call {
    let kind = match call {
        Call::Shell(shell) => pb::call::Kind::Shell(pb::ShellCall {
            command: shell.command.clone(),
            cwd: shell.cwd.clone().unwrap_or_default(),
            home: shell.home.clone().unwrap_or_default(),
            dialect: dialect(shell.dialect).into(),
            justification: shell.justification.clone().unwrap_or_default(),
        }),
        Call::Tool(tool) => pb::call::Kind::Tool(pb::ToolCall {
            name: tool.name.clone(),
            arguments_json: call.arguments_text(),
            cwd: tool.cwd.clone().unwrap_or_default(),
            home: tool.home.clone().unwrap_or_default(),
            justification: tool.justification.clone().unwrap_or_default(),
        }),
        Call::Registered(tool) => pb::call::Kind::Registered(pb::RegisteredCall {
            name: tool.name.clone(),
            arguments_json: call.arguments_text(),
            cwd: tool.cwd.clone().unwrap_or_default(),
            home: tool.home.clone().unwrap_or_default(),
            justification: tool.justification.clone().unwrap_or_default(),
        }),
        Call::McpTool { server, tool } => pb::call::Kind::McpTool(pb::McpToolCall {
            server: server.clone(),
            name: tool.name.clone(),
            arguments_json: call.arguments_text(),
            cwd: tool.cwd.clone().unwrap_or_default(),
            home: tool.home.clone().unwrap_or_default(),
            justification: tool.justification.clone().unwrap_or_default(),
        }),
    };
    pb::Call { kind: Some(kind) }
}

fn dialect(dialect: Dialect) -> pb::ShellDialect {
    match dialect {
        Dialect::Bash => pb::ShellDialect::Bash,
        Dialect::PowerShell => pb::ShellDialect::Powershell,
        Dialect::Cmd => pb::ShellDialect::Cmd,
    }
}

/// The answer to a dry run.
pub(in crate::server) fn explained(found: &Explained) -> pb::DecideResponse {
    pb::DecideResponse { explanation: Some(explanation(found)), ..decide_response(&found.ruling) }
}

fn explanation(found: &Explained) -> pb::Explanation {
    let decision = &found.ruling.decision;
    let steps = decision.consulted.iter().map(|consulted| pb::ExplainedStep {
        what: consulted.step.as_words().to_owned(),
        found: crate::display::one_line(&consulted.detail),
        decided: match consulted.result {
            StepResult::Decided => true,
            StepResult::Passed | StepResult::Directed => false,
        },
    });
    let mut explanation = pb::Explanation {
        steps: steps.collect(),
        unresolved: decision.unresolved.clone(),
        rating_needed: found.rating_needed,
        offer: (decision.action == Action::Escalate)
            .then(|| super::human::offer(found.grant.as_ref(), found.denial.as_ref())),
        ..pb::Explanation::default()
    };
    match found.subject.as_ref() {
        Subject::Shell { analysis, .. } => explain_shell(analysis, &mut explanation),
        Subject::Tool { .. } | Subject::McpTool { .. } => {}
    }
    explanation
}

fn explain_shell(analysis: &Analysis, explanation: &mut pb::Explanation) {
    explanation.canonical = analysis.canonical().unwrap_or_default().to_owned();
    explanation.segments = analysis.segments().iter().map(segment).collect();
    explanation.unread = analysis.unread().map(|unread| pb::UnreadPart {
        position: u32::try_from(unread.at).unwrap_or(u32::MAX),
        reason: crate::display::one_line(&unread.reason.to_string()),
    });
}

fn segment(segment: &Segment) -> pb::ExplainedSegment {
    let byte = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    pb::ExplainedSegment {
        spelling: segment.spelling.clone(),
        start: segment.span.map(|span| byte(span.start)),
        end: segment.span.map(|span| byte(span.end)),
        reached: segment.reached.iter().map(|reach| crate::display::one_line(&reach.to_string())).collect(),
        opaque: segment
            .opaque
            .as_ref()
            .map(|opaque| crate::display::one_line(&opaque.to_string()))
            .unwrap_or_default(),
    }
}

/// A decision as recorded; with what a model was sent and answered where that is wanted.
pub(in crate::server) fn record(recorded: &RecordedDecision, attempts: bool) -> pb::DecisionRecord {
    let RecordedDecision { row, ruling } = recorded;
    let decision = &ruling.decision;
    pb::DecisionRecord {
        decision_id: ruling.decision_id.clone(),
        project: ruling.project.clone(),
        session_id: ruling.session.clone(),
        run_id: ruling.run.clone(),
        request_id: ruling.request_id.clone(),
        caller: ruling.caller.clone(),
        caller_role: ruling.caller_role.clone().unwrap_or_default(),
        caller_via: ruling.caller_via.clone().unwrap_or_default(),
        arrived_at: Some(timestamp(ruling.timing.arrived_at)),
        settled_at: ruling.timing.settled_at.map(timestamp),
        call: Some(call(&ruling.call)),
        subject: Some(subject(&ruling.subject)),
        rung: rung(decision.rung).into(),
        action: action(decision.action).into(),
        stage: stage(decision.stage).into(),
        scope: settled_scope(ruling).map_or(pb::Scope::Unspecified, scope).into(),
        message: decision.message.clone(),
        matched_rule: decision.rule.as_ref().map(matched_rule),
        hardline: hardline(decision),
        rating: rating_of(ruling),
        rating_attempt: ruling
            .rating_trace
            .as_ref()
            .and_then(|trace| trace.attempt.as_ref())
            .filter(|_| attempts)
            .map(|attempt| rating_attempt(attempt)),
        human_involvement: involvement(ruling).into(),
        human: ruling.answer.as_ref().map(human_answer),
        escalation_id: ruling.escalation_id.clone().unwrap_or_default(),
        halt_id: ruling.halt_id.clone().unwrap_or_default(),
        budget: Some(budget(decision.budget)),
        unresolved: decision.unresolved.clone(),
        hardline_check: decision.hardline.as_ref().map(|floor| floor.check.clone()).unwrap_or_default(),
        notices: notices(&decision.notices),
        labels: ruling.labels.clone().into_iter().collect(),
        policy_revision: ruling.policy_revision.clone(),
        timing: Some(timing(&ruling.timing)),
        error: String::new(),
        sequence: row.sequence,
        hash: row.hash.to_string(),
        record_id: row.id.clone(),
    }
}

fn involvement(ruling: &Ruling) -> pb::HumanInvolvement {
    match (ruling.decision.action, ruling.decision.human) {
        (Action::Escalate, _) => pb::HumanInvolvement::Waiting,
        (_, Some(HumanSaid::Approve)) => pb::HumanInvolvement::Approved,
        (_, Some(HumanSaid::Reject)) => pb::HumanInvolvement::Rejected,
        (_, Some(HumanSaid::Nobody)) => pb::HumanInvolvement::Nobody,
        (Action::Approve | Action::Reject | Action::Halt | Action::Unattended, None) => {
            if ruling.escalation_id.is_some() {
                pb::HumanInvolvement::Nobody
            } else {
                pb::HumanInvolvement::Unspecified
            }
        }
    }
}

/// The rounds of an argument, with the outcome that every rejected round has.
pub(super) fn round(round: &crate::gate::Round) -> pb::NegotiationRound {
    pb::NegotiationRound {
        command: round.command.clone(),
        justification: round.justification.clone().unwrap_or_default(),
        outcome: outcome(crate::gate::Outcome::Destructive).into(),
        reason: round.reason.clone(),
    }
}
