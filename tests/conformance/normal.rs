//! What the client says, in the form that scenarios expect.
//!
//! Knows nothing of steps.

use haltgate::client::{Decision, Error, Event};
use haltgate::proto::v1 as pb;
use serde_json::{Map, Value, json};

/// An object without what is absent.
pub(crate) fn present(value: Value) -> Value {
    let Value::Object(fields) = value else { return value };
    let absent = |field: &Value| field.is_null() || field == "";
    Value::Object(fields.into_iter().filter(|(_, field)| !absent(field)).collect())
}

/// The name of an enum value without its prefix; nothing for the one that states nothing.
fn word(name: &str, prefix: &str) -> Value {
    match name.strip_prefix(prefix) {
        Some("UNSPECIFIED") | None => Value::Null,
        Some(word) => word.into(),
    }
}

macro_rules! words {
    ($($function:ident($kind:ident, $prefix:literal);)*) => {
        $(pub(crate) fn $function(value: pb::$kind) -> Value {
            word(value.as_str_name(), $prefix)
        })*
    };
}

words! {
    action(Action, "ACTION_");
    stage(Stage, "STAGE_");
    scope(Scope, "SCOPE_");
    rung(Rung, "RUNG_");
    outcome(Outcome, "OUTCOME_");
    source(RatingSource, "RATING_SOURCE_");
    cause(RatingCause, "RATING_CAUSE_");
    verdict(Verdict, "VERDICT_");
    list(RuleList, "RULE_LIST_");
    layer(RuleLayer, "RULE_LAYER_");
    notice(NoticeCode, "NOTICE_CODE_");
    session_state(SessionState, "SESSION_STATE_");
    escalation_state(EscalationState, "ESCALATION_STATE_");
    halt_state(AttackHaltState, "ATTACK_HALT_STATE_");
    involvement(HumanInvolvement, "HUMAN_INVOLVEMENT_");
    hint(Hint, "HINT_");
}

pub(crate) fn entry(entry: Option<&pb::RenderedEntry>) -> Value {
    entry.map_or(Value::Null, |entry| serde_json::from_str(&entry.object_text).unwrap())
}

pub(crate) fn rating(rating: Option<&pb::Rating>) -> Value {
    let Some(rating) = rating else { return Value::Null };
    present(json!({
        "outcome": outcome(rating.outcome()),
        "source": source(rating.source()),
        "cause": cause(rating.cause()),
        "reason": rating.reason,
    }))
}

fn human(human: Option<&pb::HumanAnswer>) -> Value {
    let Some(human) = human else { return Value::Null };
    present(json!({
        "verdict": verdict(human.verdict()),
        "scope": scope(human.scope()),
        "comment": human.comment,
        "answered_by": human.answered_by,
        "stored": entry(human.stored.as_ref()),
    }))
}

pub(crate) fn decision(decision: &Decision) -> Value {
    let rule = decision.matched_rule().map(|rule| {
        json!({ "list": list(rule.list()), "layer": layer(rule.layer()), "entry": entry(rule.entry.as_ref()) })
    });
    let budget = decision.budget().copied().unwrap_or_default();
    present(json!({
        "approved": decision.approved(),
        "action": action(decision.action()),
        "stage": stage(decision.stage()),
        "scope": decision.scope().map(scope),
        "message": decision.message(),
        "decision_id": decision.decision_id(),
        "request_id": decision.request_id(),
        "escalation_id": decision.escalation_id(),
        "halt_id": decision.halt_id(),
        "run_halted": decision.run_halted(),
        "replayed": decision.replayed(),
        "rung": rung(decision.rung()),
        "policy_revision": decision.raw().policy_revision,
        "rating": rating(decision.rating()),
        "rule": rule,
        "notices": decision.notices().iter().map(|it| notice(it.code())).collect::<Vec<_>>(),
        "human": human(decision.human()),
        "budget": {
            "consecutive_rejections": budget.consecutive_rejections,
            "rejections_since_human": budget.rejections_since_human,
        },
        "rating_needed": decision.explanation().map(|explanation| explanation.rating_needed),
    }))
}

pub(crate) fn error(error: &Error) -> Value {
    let (kind, mut fields) = match error {
        Error::AttackHalted(halted) => ("attack_halted", decision(halted)),
        Error::Unattended(unattended) => ("unattended", decision(unattended)),
        Error::GateUnavailable(_) => ("gate_unavailable", json!({})),
        Error::UnexpectedAnswer(what) => ("unexpected_answer", json!({ "what": what })),
        Error::InvalidRequest(refusal) => (
            "invalid_request",
            json!({
                "reason": refusal.reason.map(pb::ErrorReason::wire_name),
                "metadata": refusal.metadata,
                "fields": refusal.fields.iter().map(|(field, _)| field).collect::<Vec<_>>(),
            }),
        ),
        Error::Refused(refusal) => (
            "refused",
            json!({
                "reason": refusal.reason.map(pb::ErrorReason::wire_name),
                "domain": refusal.domain,
                "metadata": refusal.metadata,
                "retry_info": refusal.retry_after.is_some(),
            }),
        ),
    };
    fields["error"] = kind.into();
    fields["approved"] = false.into();
    present(fields)
}

fn command(call: Option<&pb::Call>) -> Value {
    match call.and_then(|call| call.kind.as_ref()) {
        Some(pb::call::Kind::Shell(shell)) => shell.command.clone().into(),
        _ => Value::Null,
    }
}

pub(crate) fn escalation(item: &pb::Escalation) -> Value {
    let offer = item.offer.as_ref().map(|offer| {
        present(json!({
            "approve_scopes": offer.approve_scopes().map(scope).collect::<Vec<_>>(),
            "reject_scopes": offer.reject_scopes().map(scope).collect::<Vec<_>>(),
            "grant": entry(offer.grant.as_ref()),
            "denial": entry(offer.denial.as_ref()),
        }))
    });
    present(json!({
        "escalation_id": item.escalation_id,
        "decision_id": item.decision_id,
        "session_id": item.session_id,
        "run_id": item.run_id,
        "request_id": item.request_id,
        "state": escalation_state(item.state()),
        "rung": rung(item.rung()),
        "stage": stage(item.stage()),
        "command": command(item.call.as_ref()),
        "rating": rating(item.rating.as_ref()),
        "answer": human(item.answer.as_ref()),
        "rounds": item.negotiation.as_ref().map(|exchange| exchange.rounds.len()),
        "offer": offer,
    }))
}

pub(crate) fn halt(item: &pb::AttackHalt) -> Value {
    present(json!({
        "halt_id": item.halt_id,
        "decision_id": item.decision_id,
        "session_id": item.session_id,
        "run_id": item.run_id,
        "request_id": item.request_id,
        "state": halt_state(item.state()),
        "rung": rung(item.rung()),
        "stage": stage(item.stage()),
        "command": command(item.call.as_ref()),
        "rating": rating(item.rating.as_ref()),
        "answer": human(item.answer.as_ref()),
    }))
}

pub(crate) fn event<Item>(event: Result<Event<Item>, Error>, question: impl Fn(&Item) -> Value) -> Value {
    let about = |kind: &str, item: &Item| {
        let mut fields = question(item);
        fields["event"] = kind.into();
        fields
    };
    match event {
        Ok(Event::Raised(item)) => about("raised", &item),
        Ok(Event::Answered(item)) => about("answered", &item),
        Ok(Event::Withdrawn(item)) => about("withdrawn", &item),
        Ok(Event::Expired(item)) => about("expired", &item),
        Ok(Event::SnapshotEnd(open)) => json!({ "event": "snapshot_end", "open": open }),
        Ok(Event::Restarted) => json!({ "event": "restarted" }),
        Err(refused) => {
            let mut fields = error(&refused);
            fields["event"] = "error".into();
            fields
        }
    }
}

pub(crate) fn session(session: Option<&pb::Session>) -> Value {
    let session = session.unwrap();
    present(json!({
        "session_id": session.session_id,
        "state": session_state(session.state()),
        "rung": rung(session.rung()),
        "interactive": session.interactive,
        "command": session.command,
        "labels": session.labels,
        "cwd": session.cwd,
        "home": session.home,
        "mcp_servers": session.mcp_servers,
        "tool_count": session.tool_count,
        "halted_runs": session.halted_runs,
        "open_escalations": session.open_escalations,
    }))
}

pub(crate) fn grant(grant: &pb::Grant) -> Value {
    let terms = grant.terms.clone().unwrap_or_default();
    present(json!({
        "session_id": grant.session_id,
        "scope": scope(grant.scope()),
        "entry": entry(grant.entry.as_ref()),
        "object_text": grant.entry.as_ref().map(|entry| &entry.object_text),
        "granted_by": grant.granted_by,
        "uses_left": grant.uses_left,
        "max_uses": terms.max_uses,
        "note": terms.note,
    }))
}

pub(crate) fn denial(denial: &pb::Denial) -> Value {
    present(json!({
        "session_id": denial.session_id,
        "entry": entry(denial.entry.as_ref()),
        "object_text": denial.entry.as_ref().map(|entry| &entry.object_text),
        "denied_by": denial.denied_by,
        "note": denial.note,
    }))
}

pub(crate) fn record(record: &pb::DecisionRecord) -> Value {
    present(json!({
        "decision_id": record.decision_id,
        "record_id": record.record_id,
        "session_id": record.session_id,
        "run_id": record.run_id,
        "request_id": record.request_id,
        "action": action(record.action()),
        "stage": stage(record.stage()),
        "scope": scope(record.scope()),
        "human_involvement": involvement(record.human_involvement()),
        "human": human(record.human.as_ref()),
        "rating": rating(record.rating.as_ref()),
        "escalation_id": record.escalation_id,
        "halt_id": record.halt_id,
        "command": command(record.call.as_ref()),
    }))
}

/// A list of whatever has a form.
pub(crate) fn each<T>(items: &[T], form: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(form).collect())
}

/// An object of a policy file as the contract has it.
pub(crate) fn to_entry(entry: crate::scenario::Entry) -> pb::Entry {
    use pb::entry::SubjectPattern;
    let kind = match entry.kind.as_str() {
        "shell" => pb::EntryType::Shell,
        "tool" => pb::EntryType::Tool,
        "mcpTool" => pb::EntryType::McpTool,
        other => panic!("there is no entry type {other}"),
    };
    let matcher = match entry.matcher.as_str() {
        "exact" => pb::Matcher::Exact,
        "glob" => pb::Matcher::Glob,
        "regexp" => pb::Matcher::Regexp,
        "hint" => pb::Matcher::Hint,
        other => panic!("there is no matcher {other}"),
    };
    let subject_pattern = match entry.pattern {
        Value::String(pattern) => SubjectPattern::Pattern(pattern),
        Value::Object(hints) => SubjectPattern::Hints(to_hints(&hints)),
        other => panic!("{other} is no pattern"),
    };
    pb::Entry {
        r#type: kind.into(),
        matcher: matcher.into(),
        subject_pattern: Some(subject_pattern),
        server: entry.server.unwrap_or_default(),
        host: entry.host.unwrap_or_default(),
        rate: entry.rate,
    }
}

fn to_hints(hints: &Map<String, Value>) -> pb::ToolAnnotations {
    let hint = |name: &str| hints.get(name).and_then(Value::as_bool);
    pb::ToolAnnotations {
        read_only_hint: hint("readOnlyHint"),
        destructive_hint: hint("destructiveHint"),
        idempotent_hint: hint("idempotentHint"),
        open_world_hint: hint("openWorldHint"),
    }
}
