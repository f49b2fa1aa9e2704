//! Decisions as events: a call that was judged, an attack that was found, a human's answer.

use super::schema::{Activity, Class, Event, Severity, Status};
use super::{actor, observable, text, user};
use crate::store::RecordRow;
use serde_json::{Map, Value, json};

/// The longest command among the observables, in bytes.
const COMMAND: usize = 4_096;

/// The event of a decision.
pub(super) fn event(row: &RecordRow, body: &Value) -> Event {
    // A call of a run that was halted before is refused for that; it found nothing new.
    let found = !text(body, "/halt_id").is_empty()
        && body.pointer("/decision/run_was_halted").and_then(Value::as_bool) != Some(true);
    if found {
        finding(row, body)
    } else if body.pointer("/answer").is_some_and(|answer| !answer.is_null()) {
        answer(row, body)
    } else {
        call(row, body)
    }
}

/// What the security control did: its number and name, and those of the disposition.
fn control(action: &str) -> [(&'static str, Value); 4] {
    let (action_id, action, disposition_id, disposition) = match action {
        "APPROVE" => (1, "Allowed", 1, "Allowed"),
        "ESCALATE" => (3, "Observed", 99, "Waiting for a human"),
        // Whatever is no approval keeps the call from running.
        _ => (2, "Denied", 2, "Blocked"),
    };
    [
        ("action_id", json!(action_id)),
        ("action", json!(action)),
        ("disposition_id", json!(disposition_id)),
        ("disposition", json!(disposition)),
    ]
}

/// What every event of a decision has.
fn fields(row: &RecordRow, body: &Value, who: &str) -> Map<String, Value> {
    let action = row.action.as_deref().unwrap_or_default();
    let mut fields: Map<String, Value> =
        control(action).into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let mut set = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    set("actor", actor(who, row.session.as_deref()));
    let mut observables = vec![observable("actor.user.name", 4, "User Name", who)];
    let command = text(body, "/call/shell/command");
    if !command.is_empty() && command.len() <= COMMAND {
        observables.push(observable("raw_data", 13, "Command Line", command));
    }
    set("observables", json!(observables));
    let mut rest = Map::new();
    for (key, pointer) in [
        ("decision_id", "/decision_id"),
        ("escalation_id", "/escalation_id"),
        ("halt_id", "/halt_id"),
        ("policy_revision", "/policy_revision"),
        ("rung", "/decision/rung"),
        ("scope", "/decision/scope"),
        ("rule", "/decision/rule"),
        ("rating", "/decision/rating"),
        ("labels", "/labels"),
    ] {
        if let Some(value) = body.pointer(pointer) {
            rest.insert(key.to_owned(), value.clone());
        }
    }
    set("unmapped", Value::Object(rest));
    fields
}

fn call(row: &RecordRow, body: &Value) -> Event {
    let caller = text(body, "/caller");
    let mut fields = fields(row, body, caller);
    fields.insert(
        "api".to_owned(),
        json!({
            "operation": "Decide",
            "service": { "name": "haltgate" },
            "request": { "uid": text(body, "/request_id") },
        }),
    );
    fields.insert("src_endpoint".to_owned(), user(caller));
    let (status, severity) = match row.action.as_deref() {
        Some("APPROVE") => (Status::Success, Severity::Informational),
        Some("ESCALATE") => (Status::Waiting, Severity::Low),
        _refused => (Status::Failure, Severity::Low),
    };
    Event { class: Class::ApiActivity, activity: Activity::other("Decide"), severity, status, fields }
}

fn answer(row: &RecordRow, body: &Value) -> Event {
    let human = text(body, "/answer/answered_by");
    let mut fields = fields(row, body, human);
    // Who is given leave is the session; who gives it is the actor.
    fields
        .insert("user".to_owned(), json!({ "name": text(body, "/caller"), "type_id": 99, "type": "Agent" }));
    fields.insert("session".to_owned(), json!({ "uid": row.session }));
    let scope = text(body, "/decision/scope");
    let approved = row.action.as_deref() == Some("APPROVE");
    let privilege =
        if scope.is_empty() { "run the call".to_owned() } else { format!("run the call: {scope}") };
    fields.insert("privileges".to_owned(), json!([privilege]));
    if let Some(comment) = body.pointer("/answer/comment") {
        fields.insert("comment".to_owned(), comment.clone());
    }
    let (activity, status, severity) = if approved {
        (Activity::new(1, "Assign Privileges"), Status::Success, Severity::Low)
    } else {
        (Activity::other("Refuse Privileges"), Status::Failure, Severity::Low)
    };
    Event { class: Class::AuthorizeSession, activity, severity, status, fields }
}

fn finding(row: &RecordRow, body: &Value) -> Event {
    let answered = text(body, "/answer/answered_by");
    let who = if answered.is_empty() { text(body, "/caller") } else { answered };
    let mut fields = fields(row, body, who);
    let arrived = body.pointer("/timing/arrived_at").and_then(Value::as_i64).unwrap_or(row.at);
    fields.insert(
        "finding_info".to_owned(),
        json!({
            "uid": text(body, "/halt_id"),
            "title": "An agent's call looks like an attack",
            "desc": text(body, "/decision/rating/reason"),
            "created_time": arrived.div_euclid(1_000),
            "types": ["Attack halt"],
            "analytic": { "name": "haltgate rater", "type_id": 1, "type": "Rule" },
        }),
    );
    // The first record has the decision's own id; a second one says how waiting ended.
    let first = text(body, "/decision_id") == row.id;
    fields.insert("is_alert".to_owned(), json!(first));
    let (activity, status, severity) = if first {
        (Activity::new(1, "Create"), Status::New, Severity::Critical)
    } else {
        (Activity::new(3, "Close"), Status::Resolved, Severity::Medium)
    };
    Event { class: Class::DetectionFinding, activity, severity, status, fields }
}
