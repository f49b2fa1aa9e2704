//! How rows become columns and columns become rows. Knows the column order of each table and nothing else.

use std::collections::BTreeMap;

use rusqlite::Row;
use rusqlite::types::{FromSqlError, Type};

use crate::store::rows::{
    DeliveryRow, DenialRow, FeedRow, GrantRow, QuestionKind, QuestionRow, RecordHash, RecordRow, RequestRow,
    SessionRow, Status,
};

/// Columns in the order that [`session`] reads.
pub(super) const SESSION: &str =
    "project, session, version, opened_at, updated_at, closed_at, rung, labels, state";
/// Columns in the order that [`grant`] reads.
pub(super) const GRANT: &str = "project, session, identity, entry, annotations, scope, granted_at, granted_by, note, \
     expires_at, max_uses, uses, last_used_at";
/// Columns in the order that [`denial`] reads.
pub(super) const DENIAL: &str = "project, session, identity, entry, denied_at, denied_by, note";
/// Columns in the order that [`question`] reads.
pub(super) const QUESTION: &str = "questions.id, questions.project, questions.session, questions.run, \
     questions.request_id, questions.status, questions.raised_at, questions.resolved_at, questions.body, \
     questions.answer";
/// Columns in the order that [`feed`] reads.
pub(super) const FEED: &str = "questions.id, questions.project, questions.session, questions.run, \
     questions.request_id, questions.status, questions.raised_at, questions.resolved_at, questions.body, \
     questions.answer, feed.sequence, questions.kind, feed.status";
/// Columns in the order that [`request`] reads.
pub(super) const REQUEST: &str =
    "project, session, request_id, fingerprint, decision, response, state, updated_at";
/// Columns in the order that [`delivery`] reads.
pub(super) const DELIVERY: &str = "receiver, position, delivered, given_up";
/// Columns in the order that [`record`] reads.
pub(super) const RECORD: &str =
    "project, sequence, id, at, kind, session, run, action, stage, previous_hash, hash, text, body";

/// SQLite's integers are signed; no counter of ours comes near the difference.
pub(super) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| invalid(column, Type::Integer, FromSqlError::OutOfRange(value)))
}

fn invalid(
    column: usize,
    kind: Type,
    error: impl std::error::Error + Send + Sync + 'static,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
}

pub(super) fn session(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let labels: String = row.get(7)?;
    let labels: BTreeMap<String, String> =
        serde_json::from_str(&labels).map_err(|error| invalid(7, Type::Text, error))?;
    Ok(SessionRow {
        project: row.get(0)?,
        session: row.get(1)?,
        version: unsigned(row, 2)?,
        opened_at: row.get(3)?,
        updated_at: row.get(4)?,
        closed_at: row.get(5)?,
        rung: row.get(6)?,
        labels,
        state_json: row.get(8)?,
    })
}

pub(super) fn grant(row: &Row<'_>) -> rusqlite::Result<GrantRow> {
    let max_uses: Option<i64> = row.get(10)?;
    Ok(GrantRow {
        project: row.get(0)?,
        session: row.get(1)?,
        identity: row.get(2)?,
        entry_json: row.get(3)?,
        annotations_json: row.get(4)?,
        scope: row.get(5)?,
        granted_at: row.get(6)?,
        granted_by: row.get(7)?,
        note: row.get(8)?,
        expires_at: row.get(9)?,
        max_uses: max_uses.map(|_| unsigned(row, 10)).transpose()?,
        uses: unsigned(row, 11)?,
        last_used_at: row.get(12)?,
    })
}

pub(super) fn denial(row: &Row<'_>) -> rusqlite::Result<DenialRow> {
    Ok(DenialRow {
        project: row.get(0)?,
        session: row.get(1)?,
        identity: row.get(2)?,
        entry_json: row.get(3)?,
        denied_at: row.get(4)?,
        denied_by: row.get(5)?,
        note: row.get(6)?,
    })
}

pub(super) fn question(row: &Row<'_>) -> rusqlite::Result<QuestionRow> {
    Ok(QuestionRow {
        id: row.get(0)?,
        project: row.get(1)?,
        session: row.get(2)?,
        run: row.get(3)?,
        request_id: row.get(4)?,
        status: status(row, 5)?,
        raised_at: row.get(6)?,
        resolved_at: row.get(7)?,
        body_json: row.get(8)?,
        answer_json: row.get(9)?,
    })
}

pub(super) fn feed(row: &Row<'_>) -> rusqlite::Result<FeedRow> {
    let kind: String = row.get(11)?;
    let kind = QuestionKind::parse(&kind)
        .ok_or_else(|| invalid(11, Type::Text, FromSqlError::Other("unknown kind of question".into())))?;
    Ok(FeedRow { sequence: unsigned(row, 10)?, kind, status: status(row, 12)?, question: question(row)? })
}

fn status(row: &Row<'_>, column: usize) -> rusqlite::Result<Status> {
    let status: String = row.get(column)?;
    Status::parse(&status).ok_or_else(|| {
        invalid(column, Type::Text, FromSqlError::Other("unknown status of a question".into()))
    })
}

pub(super) fn request(row: &Row<'_>) -> rusqlite::Result<RequestRow> {
    Ok(RequestRow {
        project: row.get(0)?,
        session: row.get(1)?,
        request_id: row.get(2)?,
        call_fingerprint: row.get(3)?,
        decision_id: row.get(4)?,
        response_json: row.get(5)?,
        state: row.get(6)?,
        updated_at: row.get(7)?,
    })
}

pub(super) fn delivery(row: &Row<'_>) -> rusqlite::Result<DeliveryRow> {
    Ok(DeliveryRow {
        receiver: row.get(0)?,
        position: unsigned(row, 1)?,
        delivered: unsigned(row, 2)?,
        given_up: unsigned(row, 3)?,
    })
}

pub(super) fn record(row: &Row<'_>) -> rusqlite::Result<RecordRow> {
    Ok(RecordRow {
        project: row.get(0)?,
        sequence: unsigned(row, 1)?,
        id: row.get(2)?,
        at: row.get(3)?,
        kind: row.get(4)?,
        session: row.get(5)?,
        run: row.get(6)?,
        action: row.get(7)?,
        stage: row.get(8)?,
        previous_hash: RecordHash(row.get(9)?),
        hash: RecordHash(row.get(10)?),
        text: row.get(11)?,
        body_json: row.get(12)?,
    })
}
