//! What humans and operators changed, as events: grants, denials, trust, sessions, the policy.

use super::schema::{Activity, Class, Event, Severity, Status};
use super::{actor, text};
use crate::store::RecordRow;
use serde_json::{Map, Value, json};

/// Who is given or refused something: the session, or the whole project.
fn holder(row: &RecordRow) -> Value {
    match &row.session {
        Some(session) => json!({ "name": session, "type_id": 99, "type": "Agent session" }),
        None => json!({ "name": row.project, "type_id": 99, "type": "Project" }),
    }
}

fn access(row: &RecordRow, body: &Value, activity: Activity, severity: Severity) -> Event {
    let fields = [
        ("actor", actor(text(body, "/by"), row.session.as_deref())),
        ("user", holder(row)),
        ("privileges", json!([row.text.clone()])),
        ("unmapped", json!({ "change": body })),
    ];
    Event {
        class: Class::UserAccess,
        activity,
        severity,
        status: Status::Success,
        fields: fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect(),
    }
}

/// A grant that was added or removed.
pub(super) fn grant(row: &RecordRow, body: &Value) -> Event {
    match text(body, "/what") {
        "granted" | "imported" => access(row, body, Activity::new(1, "Assign Privileges"), Severity::Medium),
        // Revoked, withdrawn, spent: what is not added is gone.
        _removed => access(row, body, Activity::new(2, "Revoke Privileges"), Severity::Low),
    }
}

/// A refusal that was added or lifted.
pub(super) fn denial(row: &RecordRow, body: &Value) -> Event {
    match text(body, "/what") {
        "lifted" => access(row, body, Activity::other("Lift Refusal"), Severity::Medium),
        _refused => access(row, body, Activity::other("Refuse Privileges"), Severity::Low),
    }
}

fn entity(
    body: &Value,
    by: Value,
    entity: Value,
    activity: Activity,
    (severity, status): (Severity, Status),
) -> Event {
    let fields: Map<String, Value> =
        [("actor", by), ("entity", entity), ("unmapped", json!({ "change": body }))]
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value))
            .collect();
    Event { class: Class::EntityManagement, activity, severity, status, fields }
}

/// A server whose hints are believed, or no longer.
pub(super) fn trust(row: &RecordRow, body: &Value) -> Event {
    let server = text(body, "/server");
    let subject = json!({ "name": server, "uid": server, "type": "trust in an MCP server" });
    let by = actor(text(body, "/by"), row.session.as_deref());
    entity(body, by, subject, Activity::new(3, "Update"), (Severity::Medium, Status::Success))
}

/// A session that was opened, changed or closed.
pub(super) fn session(row: &RecordRow, body: &Value) -> Event {
    let activity = match text(body, "/what") {
        "opened" => Activity::new(1, "Create"),
        "opened again" => Activity::new(10, "Activate"),
        "closed" => Activity::new(11, "Deactivate"),
        _changed => Activity::new(3, "Update"),
    };
    let name = row.session.as_deref().unwrap_or_default();
    let subject = json!({ "name": name, "uid": name, "type": "agent session" });
    let by = actor(text(body, "/by"), row.session.as_deref());
    entity(body, by, subject, activity, (Severity::Informational, Status::Success))
}

/// What retention deleted.
pub(super) fn retention(body: &Value) -> Event {
    let subject = json!({ "name": text(body, "/what"), "type": "retention" });
    let by = actor(text(body, "/by"), None);
    entity(body, by, subject, Activity::new(4, "Delete"), (Severity::Low, Status::Success))
}

/// A change that its caller may not make, and tried.
pub(super) fn refused(row: &RecordRow, body: &Value) -> Event {
    let operation = text(body, "/operation");
    let subject = json!({ "name": operation, "uid": operation, "type": "operation of the gate" });
    let by = actor(text(body, "/by"), row.session.as_deref());
    entity(body, by, subject, Activity::other("Refuse"), (Severity::Medium, Status::Failure))
}

/// A policy that was taken over or refused, or a gate that started with it.
pub(super) fn policy(body: &Value) -> Event {
    let revision = text(body, "/revision");
    let mut subject = json!({ "name": "policy", "type": "policy" });
    if !revision.is_empty() {
        super::set_key(&mut subject, "version", json!(revision));
    }
    let (activity, severity, status) = match text(body, "/what") {
        "started" => (Activity::new(10, "Activate"), Severity::Informational, Status::Success),
        "refused" => (Activity::new(3, "Update"), Severity::Medium, Status::Failure),
        _changed => (Activity::new(3, "Update"), Severity::Medium, Status::Success),
    };
    entity(body, actor("operator", None), subject, activity, (severity, status))
}
