//! Applies one batch inside the writer's transaction: guards, then changes. Records and feed rows are in `append`.
//! Knows nothing of queues or receipts; a failure leaves it to the writer to undo what was applied so far.

use rusqlite::{Connection, OptionalExtension, params};

use super::columns::{self, integer};
use super::{append, read, retention};
use crate::store::batch::{Batch, Change, Guard, Resolve};
use crate::store::error::{Conflict, StoreError};
use crate::store::receipt::Committed;
use crate::store::rows::{
    DeliveryRow, DenialRow, GrantRow, QuestionKind, QuestionRow, RequestRow, SessionRow, Status,
};

/// How far a failure reaches.
#[derive(Debug)]
pub(super) enum Failure {
    /// Only this batch: its neighbours in the transaction are sound.
    Batch(StoreError),
    /// The database itself: nothing in the transaction can be relied on.
    Database(rusqlite::Error),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{ConstraintViolation, TooBig, TypeMismatch};
        match error.sqlite_error_code() {
            Some(ConstraintViolation) => Self::Batch(StoreError::rejected(format!(
                "{error}; ids must be new and a session is put before what belongs to it"
            ))),
            Some(TooBig | TypeMismatch) => Self::Batch(StoreError::rejected(error.to_string())),
            Some(_) => Self::Database(error),
            // Not an error of SQLite but a value it could not turn into a row's: the row is damaged, the rest is not.
            None => Self::Batch(StoreError::unavailable(error)),
        }
    }
}

impl From<Conflict> for Failure {
    fn from(conflict: Conflict) -> Self {
        Self::Batch(conflict.into())
    }
}

/// Applies the whole batch, or fails having applied any part of it.
pub(super) fn apply(connection: &Connection, batch: &Batch) -> Result<Committed, Failure> {
    for guard in &batch.guard {
        check(connection, &batch.project, guard)?;
    }
    let mut committed = Committed::default();
    for change in &batch.changes {
        make(connection, batch, change, &mut committed)?;
    }
    committed.records = append::records(connection, &batch.project, &batch.records)?;
    Ok(committed)
}

fn check(connection: &Connection, project: &str, guard: &Guard) -> Result<(), Failure> {
    match guard {
        Guard::SessionVersion { session, expected } => {
            let version: Option<i64> = connection
                .prepare_cached("SELECT version FROM sessions WHERE project = ?1 AND session = ?2")?
                .query_row(params![project, session], |row| row.get(0))
                .optional()?;
            if version == expected.map(integer) {
                return Ok(());
            }
            let current = read::session(connection, project, session)?;
            Err(Conflict::Session { session: session.clone(), expected: *expected, current }.into())
        }
        Guard::RequestAbsent { session, request_id } => {
            match read::request(connection, project, session, request_id)? {
                None => Ok(()),
                Some(current) => Err(Conflict::Request { request_id: request_id.clone(), current }.into()),
            }
        }
    }
}

/// Makes one change and notes what it left behind.
fn make(
    connection: &Connection,
    batch: &Batch,
    change: &Change,
    committed: &mut Committed,
) -> Result<(), Failure> {
    let project = batch.project.as_str();
    match change {
        Change::PutSession(row) => put_session(connection, project, row)?,
        Change::DeleteSession { session } => delete_session(connection, project, session)?,
        Change::PutGrant(row) => put_grant(connection, project, row, "")?,
        Change::AddGrant(row) => put_grant(
            connection,
            project,
            row,
            " WHERE grants.uses >= grants.max_uses OR grants.expires_at <= excluded.granted_at",
        )?,
        Change::RemoveGrant { session, identity } => {
            connection
                .prepare_cached(
                    "DELETE FROM grants WHERE project = ?1 AND ifnull(session, '') = ifnull(?2, '') AND identity = ?3",
                )?
                .execute(params![project, session, identity])?;
        }
        Change::TouchGrant { session, identity, at } => {
            connection
                .prepare_cached(
                    "UPDATE grants SET last_used_at = max(ifnull(last_used_at, ?4), ?4)
                     WHERE project = ?1 AND ifnull(session, '') = ifnull(?2, '') AND identity = ?3",
                )?
                .execute(params![project, session, identity, at])?;
        }
        Change::UseGrant { session, identity, at } => {
            let used = connection
                .prepare_cached(
                    "UPDATE grants SET uses = uses + 1, last_used_at = max(ifnull(last_used_at, ?4), ?4)
                     WHERE project = ?1 AND ifnull(session, '') = ifnull(?2, '') AND identity = ?3
                       AND (max_uses IS NULL OR uses < max_uses) AND (expires_at IS NULL OR expires_at > ?4)",
                )?
                .execute(params![project, session, identity, at])?;
            if used == 0 {
                let current = read::grant(connection, project, session.as_deref(), identity)?;
                return Err(Conflict::Grant { identity: identity.clone(), current }.into());
            }
        }
        Change::PutDenial(row) => put_denial(connection, project, row)?,
        Change::RemoveDenial { session, identity } => {
            connection
                .prepare_cached("DELETE FROM denials WHERE project = ?1 AND session = ?2 AND identity = ?3")?
                .execute(params![project, session, identity])?;
        }
        Change::PutEscalation(row) => {
            committed.feed = Some(put_question(connection, project, QuestionKind::Escalation, row)?);
        }
        Change::PutHalt(row) => {
            committed.feed = Some(put_question(connection, project, QuestionKind::Halt, row)?);
        }
        Change::ResolveEscalation(resolve) => {
            committed.feed = Some(resolve_question(connection, project, QuestionKind::Escalation, resolve)?);
        }
        Change::ResolveHalt(resolve) => {
            committed.feed = Some(resolve_question(connection, project, QuestionKind::Halt, resolve)?);
        }
        Change::PutRequest(row) => put_request(connection, project, row)?,
        Change::PutDelivery(row) => put_delivery(connection, row)?,
        Change::RemoveDelivery { receiver } => {
            connection
                .prepare_cached("DELETE FROM deliveries WHERE receiver = ?1")?
                .execute(params![receiver])?;
        }
        Change::PruneRecords { through } => {
            retention::prune_records(connection, project, *through, &batch.records)?;
        }
        Change::PruneSettled { before, limit } => {
            committed.settled = retention::prune_settled(connection, project, *before, *limit)?;
        }
        Change::Believe(belief) => retention::believe(connection, belief)?,
    }
    Ok(())
}

fn owned(project: &str, row_project: &str) -> Result<(), Failure> {
    if project == row_project {
        return Ok(());
    }
    Err(Failure::Batch(StoreError::rejected(format!(
        "a row of project {row_project} is in a batch of project {project}; submit one batch per project"
    ))))
}

fn put_session(connection: &Connection, project: &str, row: &SessionRow) -> Result<(), Failure> {
    owned(project, &row.project)?;
    let labels = serde_json::to_string(&row.labels)
        .map_err(|error| Failure::Batch(StoreError::rejected(error.to_string())))?;
    connection
        .prepare_cached(
            "INSERT INTO sessions (project, session, version, opened_at, updated_at, closed_at, rung, labels, state)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
             ON CONFLICT (project, session) DO UPDATE SET version = excluded.version, opened_at = excluded.opened_at,
                 updated_at = excluded.updated_at, closed_at = excluded.closed_at, rung = excluded.rung,
                 labels = excluded.labels, state = excluded.state",
        )?
        .execute(params![
            row.project,
            row.session,
            integer(row.version),
            row.opened_at,
            row.updated_at,
            row.closed_at,
            row.rung,
            labels,
            row.state_json
        ])?;
    Ok(())
}

fn delete_session(connection: &Connection, project: &str, session: &str) -> Result<(), Failure> {
    let waits: bool = connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM questions WHERE project = ?1 AND session = ?2 AND status = 'open')",
        )?
        .query_row(params![project, session], |row| row.get(0))?;
    if waits {
        return Err(Failure::Batch(StoreError::rejected(format!(
            "session {session} still has open questions; resolve them before it is deleted"
        ))));
    }
    for table in ["sessions", "requests"] {
        connection
            .prepare_cached(&format!("DELETE FROM {table} WHERE project = ?1 AND session = ?2"))?
            .execute(params![project, session])?;
    }
    Ok(())
}

/// `only_if` limits which stored grant may be replaced.
fn put_grant(connection: &Connection, project: &str, row: &GrantRow, only_if: &str) -> Result<(), Failure> {
    owned(project, &row.project)?;
    let values = columns::GRANT;
    connection
        .prepare_cached(&format!(
            "INSERT INTO grants ({values}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
             ON CONFLICT (project, ifnull(session, ''), identity) DO UPDATE SET entry = excluded.entry,
                 annotations = excluded.annotations, scope = excluded.scope, granted_at = excluded.granted_at,
                 granted_by = excluded.granted_by, note = excluded.note, expires_at = excluded.expires_at,
                 max_uses = excluded.max_uses, uses = excluded.uses, last_used_at = excluded.last_used_at{only_if}"
        ))?
        .execute(params![
            row.project,
            row.session,
            row.identity,
            row.entry_json,
            row.annotations_json,
            row.scope,
            row.granted_at,
            row.granted_by,
            row.note,
            row.expires_at,
            row.max_uses.map(integer),
            integer(row.uses),
            row.last_used_at
        ])?;
    Ok(())
}

fn put_denial(connection: &Connection, project: &str, row: &DenialRow) -> Result<(), Failure> {
    owned(project, &row.project)?;
    connection
        .prepare_cached(
            "INSERT INTO denials (project, session, identity, entry, denied_at, denied_by, note)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (project, session, identity) DO NOTHING",
        )?
        .execute(params![
            row.project,
            row.session,
            row.identity,
            row.entry_json,
            row.denied_at,
            row.denied_by,
            row.note
        ])?;
    Ok(())
}

fn put_request(connection: &Connection, project: &str, row: &RequestRow) -> Result<(), Failure> {
    owned(project, &row.project)?;
    connection
        .prepare_cached(
            "INSERT INTO requests (project, session, request_id, fingerprint, decision, response, state, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (project, session, request_id) DO UPDATE SET fingerprint = excluded.fingerprint,
                 decision = excluded.decision, response = excluded.response, state = excluded.state,
                 updated_at = excluded.updated_at",
        )?
        .execute(params![
            row.project,
            row.session,
            row.request_id,
            row.call_fingerprint,
            row.decision_id,
            row.response_json,
            row.state,
            row.updated_at
        ])?;
    Ok(())
}

fn put_delivery(connection: &Connection, row: &DeliveryRow) -> Result<(), Failure> {
    connection
        .prepare_cached(&format!(
            "INSERT INTO deliveries ({}) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (receiver) DO UPDATE SET position = excluded.position, delivered = excluded.delivered,
                 given_up = excluded.given_up",
            columns::DELIVERY
        ))?
        .execute(params![
            row.receiver,
            integer(row.position),
            integer(row.delivered),
            integer(row.given_up)
        ])?;
    Ok(())
}

fn put_question(
    connection: &Connection,
    project: &str,
    kind: QuestionKind,
    row: &QuestionRow,
) -> Result<u64, Failure> {
    owned(project, &row.project)?;
    if row.status != Status::Open || row.resolved_at.is_some() || row.answer_json.is_some() {
        let reason = format!("question {} is put as resolved; put it open and resolve it", row.id);
        return Err(Failure::Batch(StoreError::rejected(reason)));
    }
    let stored = connection
        .prepare_cached(
            "INSERT INTO questions (id, kind, project, session, run, request_id, status, raised_at, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'open', ?7, ?8)
             ON CONFLICT (id) DO UPDATE SET run = excluded.run, request_id = excluded.request_id,
                 raised_at = excluded.raised_at, body = excluded.body
             WHERE status = 'open' AND kind = excluded.kind AND project = excluded.project
               AND session = excluded.session",
        )?
        .execute(params![
            row.id,
            kind.as_str(),
            row.project,
            row.session,
            row.run,
            row.request_id,
            row.raised_at,
            row.body_json
        ])?;
    if stored == 0 {
        return Err(not_open(connection, project, kind, &row.id)?);
    }
    Ok(append::feed(connection, &row.id, Status::Open)?)
}

fn resolve_question(
    connection: &Connection,
    project: &str,
    kind: QuestionKind,
    resolve: &Resolve,
) -> Result<u64, Failure> {
    let status = Status::Resolved(resolve.resolution);
    let resolved = connection
        .prepare_cached(
            "UPDATE questions SET status = ?4, resolved_at = ?5, answer = ?6
             WHERE id = ?1 AND kind = ?2 AND project = ?3 AND status = 'open'",
        )?
        .execute(params![
            resolve.id,
            kind.as_str(),
            project,
            status.as_str(),
            resolve.at,
            resolve.answer_json
        ])?;
    if resolved == 0 {
        return Err(not_open(connection, project, kind, &resolve.id)?);
    }
    Ok(append::feed(connection, &resolve.id, status)?)
}

fn not_open(
    connection: &Connection,
    project: &str,
    kind: QuestionKind,
    id: &str,
) -> Result<Failure, rusqlite::Error> {
    let current = read::question(connection, kind, id)?.filter(|row| row.project == project);
    let id = id.to_owned();
    Ok(match kind {
        QuestionKind::Escalation => Conflict::Escalation { id, current }.into(),
        QuestionKind::Halt => Conflict::Halt { id, current }.into(),
    })
}
