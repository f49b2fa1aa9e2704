//! One record as an event of the Open Cybersecurity Schema Framework (OCSF).
//!
//! Promises that every event carries what its class requires, that a record of a kind which this version does not know is
//! still an event, and that `raw_data` is the record's line, so that a file of events can be verified like one of lines.
//! `docs/audit.md` has the table. Knows nothing of how records come about beyond the keys of their bodies.

mod changes;
mod decisions;
mod schema;

use self::schema::{Activity, Class, Event, Severity, Status};
use super::line::{LineError, render};
use crate::store::RecordRow;
use serde_json::{Map, Value, json};

/// The version of the schema that events follow.
const SCHEMA: &str = "1.5.0";

/// The longest message, in characters: `raw_data` has it whole.
const MESSAGE: usize = 1_000;

/// The event of a record, as one line without a line feed.
///
/// # Errors
/// The record cannot be written as a line.
pub fn event(row: &RecordRow) -> Result<String, LineError> {
    let raw = render(row)?;
    // A body that is no JSON object has no keys to map; its event says so by having none.
    let body: Value = serde_json::from_str(&row.body_json).unwrap_or(Value::Null);
    let Event { class, activity, severity, status, mut fields } = match row.kind.as_str() {
        "decision" => decisions::event(row, &body),
        "grant" => changes::grant(row, &body),
        "denial" => changes::denial(row, &body),
        "trust" => changes::trust(row, &body),
        "session" => changes::session(row, &body),
        "policy" => changes::policy(&body),
        "retention" => changes::retention(&body),
        "refused" => changes::refused(row, &body),
        _newer => Event {
            class: Class::Base,
            activity: Activity::other("Record"),
            severity: Severity::Informational,
            status: Status::None,
            fields: Map::new(),
        },
    };
    let mut event = Map::new();
    let mut set = |key: &str, value: Value| event.insert(key.to_owned(), value);
    set("class_uid", json!(class.uid()));
    set("class_name", json!(class.name()));
    set("category_uid", json!(class.category()));
    set("category_name", json!(class.category_name()));
    set("activity_id", json!(activity.id));
    set("activity_name", json!(activity.name));
    set("type_uid", json!(class.uid().saturating_mul(100).saturating_add(activity.id)));
    set("severity_id", json!(severity.id()));
    set("severity", json!(severity.name()));
    set("time", json!(row.at.div_euclid(1_000)));
    if let Some((id, name)) = status.parts() {
        set("status_id", json!(id));
        set("status", json!(name));
    }
    set("message", json!(row.text.chars().take(MESSAGE).collect::<String>()));
    let mut metadata = json!({
        "version": SCHEMA,
        "product": { "name": "haltgate", "vendor_name": "haltgate", "version": env!("CARGO_PKG_VERSION") },
        "uid": row.id,
        "sequence": row.sequence,
        "log_name": row.kind,
        "tenant_uid": row.project,
    });
    if fields.contains_key("action_id") {
        set_key(&mut metadata, "profiles", json!(["security_control"]));
    }
    set("metadata", metadata);
    event.append(&mut fields);
    // What tells where the record stands, beside what the class has no attribute for.
    let mut rest = event.remove("unmapped").unwrap_or_else(|| json!({}));
    for (key, value) in [
        ("session_id", json!(row.session)),
        ("run_id", json!(row.run)),
        ("action", json!(row.action)),
        ("stage", json!(row.stage)),
        ("hash", json!(row.hash.to_string())),
    ] {
        if !value.is_null() {
            set_key(&mut rest, key, value);
        }
    }
    event.insert("unmapped".to_owned(), rest);
    event.insert("raw_data".to_owned(), json!(raw));
    serde_json::to_string(&event).map_err(|error| LineError::Shape(error.to_string()))
}

fn set_key(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

/// The text at a place of a body; empty where there is none.
fn text<'a>(body: &'a Value, pointer: &str) -> &'a str {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Who did it, as OCSF has users.
fn user(name: &str) -> Value {
    json!({ "name": if name.is_empty() { "unknown" } else { name } })
}

/// Whoever acts in a session of an agent.
fn actor(name: &str, session: Option<&str>) -> Value {
    let mut actor = json!({ "user": user(name) });
    if let Some(session) = session {
        set_key(&mut actor, "session", json!({ "uid": session }));
    }
    actor
}

/// What lets an event be found: a value under the path that it has in the event. 4 is a user's name, 13 a command line.
fn observable(path: &str, kind: u32, kind_name: &str, value: &str) -> Value {
    json!({ "name": path, "type_id": kind, "type": kind_name, "value": value })
}
