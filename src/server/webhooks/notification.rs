//! One notification: what happened, as a receiver reads it.
//!
//! Promises the messages of the contract as proto3 JSON, read from what is stored, where secrets are redacted already. Knows
//! nothing of who receives it.

use crate::config::EventKind;
use crate::proto;
use crate::server::outbound;
use crate::server::service::project_cursor;
use crate::session::{EngineError, Settled};
use crate::store::{FeedRow, QuestionKind, Resolution, Status, Timestamp};
use crate::trace::TraceContext;
use serde_json::{Map, Value, json};
use url::Url;
use url::form_urlencoded::Serializer;

/// A notification, ready to be sent as often as it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Notification {
    /// The same for every attempt, and for no other notification.
    pub(super) id: String,
    pub(super) kind: EventKind,
    pub(super) body: Vec<u8>,
    /// The trace of the request that it goes back to.
    pub(super) trace: Option<TraceContext>,
}

/// What a change is called.
pub(super) fn kind(change: &FeedRow) -> EventKind {
    match (change.kind, change.status) {
        (QuestionKind::Halt, Status::Open) => EventKind::HaltRaised,
        (QuestionKind::Halt, Status::Resolved(Resolution::Answered)) => EventKind::HaltAnswered,
        (QuestionKind::Halt, Status::Resolved(Resolution::Withdrawn)) => EventKind::HaltWithdrawn,
        (QuestionKind::Halt, Status::Resolved(Resolution::Expired)) => EventKind::HaltExpired,
        (QuestionKind::Escalation, Status::Open) => EventKind::EscalationRaised,
        (QuestionKind::Escalation, Status::Resolved(Resolution::Answered)) => EventKind::EscalationAnswered,
        (QuestionKind::Escalation, Status::Resolved(Resolution::Withdrawn)) => EventKind::EscalationWithdrawn,
        (QuestionKind::Escalation, Status::Resolved(Resolution::Expired)) => EventKind::EscalationExpired,
    }
}

/// When a change happened: a question is resolved once.
pub(super) fn occurred_at(change: &FeedRow) -> Timestamp {
    match change.status {
        Status::Open => change.question.raised_at,
        Status::Resolved(_) => change.question.resolved_at.unwrap_or(change.question.raised_at),
    }
}

impl Notification {
    /// Puts a change of the store with this id into words.
    ///
    /// # Errors
    /// What is stored cannot be read.
    pub(super) fn of(store: &str, change: FeedRow, console: Option<&Url>) -> Result<Self, EngineError> {
        let (kind, occurred_at, sequence) = (kind(&change), occurred_at(&change), change.sequence);
        let cursor = project_cursor(store, change.kind, &change.question.project, sequence);
        // Sequences begin anew with another store; the question's id never does.
        let id = format!("{}-{sequence}", change.question.id);
        let settled = Settled::stored(change.question)?;
        let ruling = &settled.asked.ruling;
        let mut body = Map::from_iter([
            ("id".to_owned(), json!(id)),
            ("type".to_owned(), json!(kind.as_str())),
            ("occurredAt".to_owned(), json!(outbound::rfc3339(crate::gate::Moment(occurred_at)))),
            ("project".to_owned(), json!(ruling.project)),
            ("sessionId".to_owned(), json!(ruling.session)),
            ("runId".to_owned(), json!(ruling.run)),
            ("labels".to_owned(), json!(ruling.labels)),
            ("cursor".to_owned(), json!(cursor)),
        ]);
        if let Some(console) = console {
            body.insert("consoleUrl".to_owned(), json!(link(console, &ruling.project)));
        }
        if let Some(halt) = outbound::attack_halt(&settled) {
            body.insert("halt".to_owned(), message("AttackHalt", &halt)?);
        }
        if let Some(escalation) = outbound::escalation(&settled) {
            body.insert("escalation".to_owned(), message("Escalation", &escalation)?);
        }
        let trace = ruling.trace.clone();
        Ok(Self { id, kind, body: Value::Object(body).to_string().into_bytes(), trace })
    }
}

fn message(name: &str, message: &impl prost::Message) -> Result<Value, EngineError> {
    proto::dynamic(name, &message.encode_to_vec())
        .and_then(|message| serde_json::to_value(message).map_err(|error| error.to_string()))
        .map_err(EngineError::Internal)
}

/// Where a human finds what waits in a project.
fn link(console: &Url, project: &str) -> String {
    let mut link = console.clone();
    let query = Serializer::new(String::new()).append_pair("project", project).finish();
    link.set_fragment(Some(&format!("/now?{query}")));
    link.to_string()
}
