//! From what a decision changed to what the store is told.
//!
//! Promises that every effect becomes a change, and that everything recorded had its secrets redacted on values, before
//! it was encoded.

use super::error::EngineError;
use super::live::Live;
use super::ruling::{Answered, Asked, Question, QuestionState, Ruling};
use crate::access::Caller;
use crate::gate::{Call, Denial, Effect, Grant, GrantScope, Moment};
use crate::rules::{Entry, Identity};
use crate::store::redact::{redact_json, redact_text};
use crate::store::{
    Batch, Change, DenialRow, GrantRow, Guard, NewRecord, QuestionRow, RequestRow, Resolution, Resolve,
    Status,
};
use serde::Serialize;
use serde_json::json;

/// The kinds of audit record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordKind {
    /// A decision, as made or as settled by an answer.
    Decision,
    /// A grant that was added, revoked, withdrawn or imported.
    Grant,
    /// A refusal that was added or lifted.
    Denial,
    /// A change of trust.
    Trust,
    /// A session that was opened, changed or closed; rung changes are among them.
    Session,
    /// A policy that was taken over or refused.
    Policy,
    /// A change that its caller may not make.
    Refused,
}

impl RecordKind {
    /// Every kind.
    pub const ALL: [Self; 7] =
        [Self::Decision, Self::Grant, Self::Denial, Self::Trust, Self::Session, Self::Policy, Self::Refused];

    /// The word in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Grant => "grant",
            Self::Denial => "denial",
            Self::Trust => "trust",
            Self::Session => "session",
            Self::Policy => "policy",
            Self::Refused => "refused",
        }
    }
}

/// A new time-ordered id.
#[must_use]
pub fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// Collects one batch of one session.
pub(super) struct Draft<'a> {
    project: &'a str,
    session: &'a str,
    now: Moment,
    by: Option<&'a Caller>,
    batch: Batch,
    session_changed: bool,
}

impl<'a> Draft<'a> {
    pub(super) fn new(project: &'a str, session: &'a str, now: Moment) -> Self {
        Self {
            project,
            session,
            now,
            by: None,
            batch: Batch { project: project.to_owned(), ..Batch::default() },
            session_changed: false,
        }
    }

    /// Whose doing it is: every record says so.
    pub(super) fn by(self, caller: &'a Caller) -> Self {
        Self { by: Some(caller), ..self }
    }

    /// The session's own row is to be written.
    pub(super) fn session_changed(&mut self) {
        self.session_changed = true;
    }

    pub(super) fn apply(&mut self, effects: Vec<Effect>, decision_id: &str) -> Result<(), EngineError> {
        for effect in effects {
            match effect {
                Effect::SessionChanged => self.session_changed(),
                Effect::GrantAdded(grant) => self.add_grant(&grant, Some(decision_id))?,
                Effect::GrantRemoved { scope, entry } => self.remove_grant(scope, &entry, "withdrawn")?,
                Effect::GrantUsed { scope, grant } => self.use_grant(scope, &grant),
                Effect::DenialAdded(denial) => self.add_denial(&denial, Some(decision_id))?,
                Effect::RunHalted { .. } | Effect::RunResumed { .. } => self.session_changed(),
            }
        }
        Ok(())
    }

    pub(super) fn add_grant(&mut self, grant: &Grant, decision_id: Option<&str>) -> Result<(), EngineError> {
        let row = grant_row(self.project, self.session, grant)?;
        self.batch.changes.push(Change::PutGrant(row));
        let body = json!({ "what": "granted", "grant": grant, "decision_id": decision_id });
        self.record(RecordKind::Grant, &format!("granted {}", crate::rules::one_line(&grant.entry)), body);
        Ok(())
    }

    pub(super) fn remove_grant(
        &mut self,
        scope: GrantScope,
        entry: &Entry,
        what: &str,
    ) -> Result<(), EngineError> {
        let identity = Identity::of(entry).as_str().to_owned();
        self.batch.changes.push(Change::RemoveGrant { session: self.holder(scope), identity });
        let body = json!({ "what": what, "entry": entry, "scope": scope });
        self.record(RecordKind::Grant, &format!("{what} {}", crate::rules::one_line(entry)), body);
        Ok(())
    }

    fn use_grant(&mut self, scope: GrantScope, grant: &Grant) {
        let session = self.holder(scope);
        let identity = Identity::of(&grant.entry).as_str().to_owned();
        let at = self.now.0;
        self.batch.changes.push(Change::UseGrant { session, identity, at });
    }

    fn holder(&self, scope: GrantScope) -> Option<String> {
        match scope {
            GrantScope::Session => Some(self.session.to_owned()),
            GrantScope::Always => None,
        }
    }

    pub(super) fn add_denial(
        &mut self,
        denial: &Denial,
        decision_id: Option<&str>,
    ) -> Result<(), EngineError> {
        let entry_json = encode(&denial.entry)?;
        self.batch.changes.push(Change::PutDenial(DenialRow {
            project: self.project.to_owned(),
            session: self.session.to_owned(),
            identity: Identity::of(&denial.entry).as_str().to_owned(),
            entry_json,
            denied_at: denial.denied_at.0,
            denied_by: denial.denied_by.clone(),
            note: denial.note.clone(),
        }));
        let body = json!({ "what": "refused", "denial": denial, "decision_id": decision_id });
        self.record(RecordKind::Denial, &format!("refused {}", crate::rules::one_line(&denial.entry)), body);
        Ok(())
    }

    pub(super) fn remove_denial(&mut self, entry: &Entry) {
        let identity = Identity::of(entry).as_str().to_owned();
        self.batch.changes.push(Change::RemoveDenial { session: self.session.to_owned(), identity });
        let body = json!({ "what": "lifted", "entry": entry });
        self.record(RecordKind::Denial, &format!("lifted {}", crate::rules::one_line(entry)), body);
    }

    /// Raises a question; one that nobody will answer is settled in the same breath.
    pub(super) fn ask(&mut self, id: &str, asked: &Asked, state: &QuestionState) -> Result<(), EngineError> {
        let row = QuestionRow {
            id: id.to_owned(),
            project: self.project.to_owned(),
            session: self.session.to_owned(),
            run: (!asked.ruling.run.is_empty()).then(|| asked.ruling.run.clone()),
            request_id: asked.ruling.request_id.clone(),
            status: Status::Open,
            raised_at: self.now.0,
            resolved_at: None,
            body_json: redacted(&without_redacted_offers(asked)?)?,
            answer_json: None,
        };
        let halt = is_halt(asked);
        self.batch.changes.push(if halt { Change::PutHalt(row) } else { Change::PutEscalation(row) });
        match state {
            QuestionState::Open => Ok(()),
            QuestionState::Answered(_)
            | QuestionState::Unattended
            | QuestionState::Withdrawn
            | QuestionState::Expired => self.settle(id, halt, state),
        }
    }

    /// Ends the wait for an answer.
    pub(super) fn settle(&mut self, id: &str, halt: bool, state: &QuestionState) -> Result<(), EngineError> {
        let resolution = match state {
            QuestionState::Answered(_) => Resolution::Answered,
            QuestionState::Unattended | QuestionState::Expired => Resolution::Expired,
            QuestionState::Withdrawn => Resolution::Withdrawn,
            QuestionState::Open => return Ok(()),
        };
        let resolve =
            Resolve { id: id.to_owned(), resolution, at: self.now.0, answer_json: Some(redacted(state)?) };
        self.batch.changes.push(if halt {
            Change::ResolveHalt(resolve)
        } else {
            Change::ResolveEscalation(resolve)
        });
        Ok(())
    }

    /// Records a decision. The record of the answer that settles an escalated decision has an id of its own.
    pub(super) fn decision(&mut self, ruling: &Ruling, record_id: &str) -> Result<(), EngineError> {
        let text = searchable(ruling);
        self.batch.records.push(NewRecord {
            id: record_id.to_owned(),
            at: self.now.0,
            kind: RecordKind::Decision.as_str().to_owned(),
            session: Some(self.session.to_owned()),
            run: (!ruling.run.is_empty()).then(|| ruling.run.clone()),
            action: Some(ruling.decision.action.as_str().to_owned()),
            stage: Some(ruling.decision.stage.as_str().to_owned()),
            text,
            body_json: redacted(ruling)?,
        });
        Ok(())
    }

    /// Remembers what a request id stands for.
    pub(super) fn request(&mut self, ruling: &Ruling, fingerprint: &str) -> Result<(), EngineError> {
        self.batch.changes.push(Change::PutRequest(RequestRow {
            project: self.project.to_owned(),
            session: self.session.to_owned(),
            request_id: ruling.request_id.clone(),
            call_fingerprint: fingerprint.to_owned(),
            decision_id: ruling.decision_id.clone(),
            response_json: redacted(ruling)?,
            state: ruling.decision.action.as_str().to_owned(),
            updated_at: self.now.0,
        }));
        Ok(())
    }

    pub(super) fn record(&mut self, kind: RecordKind, text: &str, mut body: serde_json::Value) {
        sign(&mut body, self.by);
        redact_json(&mut body);
        self.batch.records.push(NewRecord {
            id: new_id(),
            at: self.now.0,
            kind: kind.as_str().to_owned(),
            session: (!self.session.is_empty()).then(|| self.session.to_owned()),
            run: None,
            action: None,
            stage: None,
            text: redact_text(text),
            body_json: body.to_string(),
        });
    }

    /// The batch, with the session's row where it changed or was never stored.
    pub(super) fn finish(mut self, live: &mut Live) -> Result<Batch, EngineError> {
        live.last_used_at = self.now;
        // A batch queued behind one that failed must fail too: what it was decided on is not in the store.
        let expected = (live.version > 0).then_some(live.version);
        self.batch.guard.push(Guard::SessionVersion { session: self.session.to_owned(), expected });
        if self.session_changed || live.version == 0 {
            let row = live.next_row(self.project, self.session, self.now)?;
            self.batch.changes.insert(0, Change::PutSession(row));
        }
        Ok(self.batch)
    }

    /// The batch, where no session is concerned.
    pub(super) fn finish_project(self) -> Batch {
        self.batch
    }
}

/// Says in a record whose doing it was, and how it was known.
fn sign(body: &mut serde_json::Value, by: Option<&Caller>) {
    if let (Some(body), Some(by)) = (body.as_object_mut(), by) {
        body.insert("by".to_owned(), json!(by.name));
        body.insert("by_role".to_owned(), json!(by.role.as_str()));
        body.insert("by_via".to_owned(), json!(by.via.as_str()));
    }
}

pub(super) fn is_halt(asked: &Asked) -> bool {
    match asked.question {
        Question::Escalation(_) => false,
        Question::Attack(_) => true,
    }
}

fn grant_row(project: &str, session: &str, grant: &Grant) -> Result<GrantRow, EngineError> {
    let (session, scope) = match grant.scope {
        GrantScope::Session => (Some(session.to_owned()), "session"),
        GrantScope::Always => (None, "always"),
    };
    Ok(GrantRow {
        project: project.to_owned(),
        session,
        identity: Identity::of(&grant.entry).as_str().to_owned(),
        entry_json: encode(&grant.entry)?,
        annotations_json: grant.annotations.as_ref().map(encode).transpose()?,
        scope: scope.to_owned(),
        granted_at: grant.granted_at.0,
        granted_by: grant.granted_by.clone(),
        note: grant.note.clone(),
        expires_at: grant.expires_at.map(|moment| moment.0),
        max_uses: grant.max_uses.map(u64::from),
        uses: u64::from(grant.uses),
        last_used_at: grant.last_used_at.map(|moment| moment.0),
    })
}

fn encode(value: &impl Serialize) -> Result<String, EngineError> {
    serde_json::to_string(value)
        .map_err(|error| EngineError::Internal(format!("a row cannot be encoded: {error}")))
}

/// What a search over records looks at: tool, command, arguments and message, without secrets.
fn searchable(ruling: &Ruling) -> String {
    let what = match &ruling.call {
        Call::Shell(shell) => redact_text(&shell.command),
        Call::Tool(tool) | Call::Registered(tool) | Call::McpTool { tool, .. } => {
            let mut arguments = serde_json::Value::Object(tool.arguments.clone());
            redact_json(&mut arguments);
            arguments.to_string()
        }
    };
    format!("{} {what} {}", ruling.call.tool_name(), redact_text(&ruling.decision.message))
}

/// The value as text, its secrets redacted before it was encoded.
fn redacted(value: &impl Serialize) -> Result<String, EngineError> {
    let mut value = serde_json::to_value(value)
        .map_err(|error| EngineError::Internal(format!("a record cannot be encoded: {error}")))?;
    redact_json(&mut value);
    Ok(value.to_string())
}

/// The question as it is stored: an offer whose entry holds a secret is left out, because what would be read back is another
/// entry, which could never match.
fn without_redacted_offers(asked: &Asked) -> Result<Asked, EngineError> {
    let mut stored = asked.clone();
    match &mut stored.question {
        Question::Escalation(escalation) => {
            for offer in [&mut escalation.grant, &mut escalation.denial] {
                if let Some(held) = offer
                    && redacted(&held.entry)? != encode(&held.entry)?
                {
                    *offer = None;
                }
            }
        }
        Question::Attack(_) => {}
    }
    Ok(stored)
}

/// What a stored question became.
pub(super) fn question_state(row: &QuestionRow) -> Result<QuestionState, EngineError> {
    match (&row.status, &row.answer_json) {
        (Status::Open, _) => Ok(QuestionState::Open),
        (Status::Resolved(_), Some(text)) => {
            serde_json::from_str(text).map_err(|error| EngineError::unreadable("answer", &error))
        }
        (Status::Resolved(Resolution::Withdrawn), None) => Ok(QuestionState::Withdrawn),
        (Status::Resolved(Resolution::Answered | Resolution::Expired), None) => Ok(QuestionState::Expired),
    }
}

/// What the store says was answered, for whoever comes second.
pub(super) fn answered(state: &QuestionState) -> Option<&Answered> {
    match state {
        QuestionState::Answered(answered) => Some(answered),
        QuestionState::Open
        | QuestionState::Unattended
        | QuestionState::Withdrawn
        | QuestionState::Expired => None,
    }
}
