//! The two append-only sequences, the audit chain of a project and the feed of all projects.
//! Runs inside the writer's transaction, so a number that a failed batch took is taken back with it.

use rusqlite::{Connection, OptionalExtension, params};

use super::apply::Failure;
use crate::store::audit;
use crate::store::batch::NewRecord;
use crate::store::receipt::RecordRef;
use crate::store::rows::{RecordHash, RecordRow, Status};

/// Appends records to the project's chain and moves its head.
pub(super) fn records(
    connection: &Connection,
    project: &str,
    records: &[NewRecord],
) -> Result<Vec<RecordRef>, Failure> {
    if records.is_empty() {
        return Ok(Vec::new());
    }
    let head = connection
        .prepare_cached("SELECT sequence, hash FROM chain_heads WHERE project = ?1")?
        .query_row([project], |row| Ok((row.get::<_, i64>(0)?, RecordHash(row.get(1)?))))
        .optional()?;
    let (mut sequence, mut previous_hash) = head.unwrap_or_else(|| (0, audit::genesis(project)));
    let mut appended = Vec::with_capacity(records.len());
    for record in records {
        sequence = sequence.saturating_add(1);
        let stored = link(connection, project, sequence, previous_hash, record)?;
        previous_hash = stored.hash;
        appended.push(stored);
    }
    connection
        .prepare_cached(
            "INSERT INTO chain_heads (project, sequence, hash) VALUES (?1, ?2, ?3)
             ON CONFLICT (project) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash",
        )?
        .execute(params![project, sequence, previous_hash.0])?;
    Ok(appended)
}

fn link(
    connection: &Connection,
    project: &str,
    sequence: i64,
    previous_hash: RecordHash,
    record: &NewRecord,
) -> Result<RecordRef, Failure> {
    let mut row = RecordRow {
        project: project.to_owned(),
        sequence: u64::try_from(sequence).unwrap_or(0),
        id: record.id.clone(),
        at: record.at,
        kind: record.kind.clone(),
        session: record.session.clone(),
        run: record.run.clone(),
        action: record.action.clone(),
        stage: record.stage.clone(),
        text: record.text.clone(),
        body_json: record.body_json.clone(),
        previous_hash,
        hash: previous_hash,
    };
    row.hash = audit::record_hash(&row);
    connection
        .prepare_cached(
            "INSERT INTO records (project, sequence, id, at, kind, session, run, action, stage, previous_hash, hash,
                 text, body)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        )?
        .execute(params![
            row.project,
            sequence,
            row.id,
            row.at,
            row.kind,
            row.session,
            row.run,
            row.action,
            row.stage,
            row.previous_hash.0,
            row.hash.0,
            row.text,
            row.body_json
        ])?;
    Ok(RecordRef { id: row.id, sequence: row.sequence, hash: row.hash })
}

/// Tells the feed that a question has now this status.
pub(super) fn feed(connection: &Connection, question: &str, status: Status) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("INSERT INTO feed (question, status) VALUES (?1, ?2)")?
        .execute(params![question, status.as_str()])?;
    Ok(u64::try_from(connection.last_insert_rowid()).unwrap_or(0))
}
