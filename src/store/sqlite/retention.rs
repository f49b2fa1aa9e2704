//! What retention asks of the database: what may be dropped, dropping it a bounded piece at a time, and how much room there
//! is. Knows the tables; nothing of ages, limits or schedules.

use rusqlite::{Connection, OptionalExtension, params};

use super::apply::Failure;
use super::columns::{self, integer};
use crate::store::audit::{Cut, Head, RETENTION};
use crate::store::batch::NewRecord;
use crate::store::error::StoreError;
use crate::store::query::{Prunable, Size};
use crate::store::receipt::Settled;
use crate::store::rows::{Belief, ClosedSession, RecordHash, Timestamp};

/// Pages that are given back to the file system at a time.
const SHRINK_PAGES: u32 = 64;

/// Drops records up to a sequence; what remains starts at the link they ended with, as one of `records` says.
pub(super) fn prune_records(
    connection: &Connection,
    project: &str,
    through: u64,
    records: &[NewRecord],
) -> Result<(), Failure> {
    let base: Option<RecordHash> = connection
        .prepare_cached(
            "SELECT records.hash FROM records JOIN chain_heads USING (project)
             WHERE project = ?1 AND records.sequence = ?2 AND records.sequence < chain_heads.sequence",
        )?
        .query_row(params![project, integer(through)], |row| Ok(RecordHash(row.get(0)?)))
        .optional()?;
    let Some(base) = base else {
        let reason =
            format!("project {project} has no record {through} before its newest one; name one that it has");
        return Err(Failure::Batch(StoreError::rejected(reason)));
    };
    let cut = Cut::at(&Head { sequence: through, hash: base });
    if !records.iter().any(|record| cut.is_told_by(&record.kind, &record.body_json)) {
        let reason = format!(
            "no record of the batch says that the records of project {project} up to {through} are dropped; add one of the \
             kind {RETENTION} with their last sequence and its hash"
        );
        return Err(Failure::Batch(StoreError::rejected(reason)));
    }
    connection
        .prepare_cached("UPDATE chain_heads SET base_sequence = ?2, base_hash = ?3 WHERE project = ?1")?
        .execute(params![project, integer(through), base.0])?;
    connection
        .prepare_cached("DELETE FROM records WHERE project = ?1 AND sequence <= ?2")?
        .execute(params![project, integer(through)])?;
    Ok(())
}

/// Drops settled questions with their feed rows, and requests nobody waits for: the oldest, up to a number of each.
pub(super) fn prune_settled(
    connection: &Connection,
    project: &str,
    before: Timestamp,
    limit: u32,
) -> Result<Settled, Failure> {
    const OLDEST: &str =
        "SELECT id FROM questions WHERE project = ?1 AND status <> 'open' AND resolved_at < ?2
                          ORDER BY resolved_at LIMIT ?3";
    connection
        .prepare_cached(&format!(
            "UPDATE feed_floor SET sequence = max(sequence, (
                 SELECT ifnull(max(sequence), 0) FROM feed WHERE question IN ({OLDEST})))"
        ))?
        .execute(params![project, before, limit])?;
    let questions = connection
        .prepare_cached(&format!("DELETE FROM questions WHERE id IN ({OLDEST})"))?
        .execute(params![project, before, limit])?;
    let requests = connection
        .prepare_cached(
            "DELETE FROM requests WHERE rowid IN (
                 SELECT rowid FROM requests WHERE project = ?1 AND updated_at < ?2 AND NOT EXISTS (
                     SELECT 1 FROM questions WHERE questions.project = requests.project
                         AND questions.session = requests.session AND questions.request_id = requests.request_id
                         AND questions.status = 'open')
                 ORDER BY updated_at LIMIT ?3)",
        )?
        .execute(params![project, before, limit])?;
    let count = |rows| u64::try_from(rows).unwrap_or(u64::MAX);
    Ok(Settled { questions: count(questions), requests: count(requests) })
}

pub(super) fn believe(connection: &Connection, belief: &Belief) -> Result<(), Failure> {
    connection
        .prepare_cached("UPDATE store SET believed_at = ?1, doubted_for = ?2")?
        .execute(params![belief.believed_at, belief.doubted_for])?;
    Ok(())
}

pub(super) fn belief(connection: &Connection) -> rusqlite::Result<Option<Belief>> {
    connection
        .prepare_cached("SELECT believed_at, doubted_for FROM store WHERE believed_at IS NOT NULL")?
        .query_row([], |row| Ok(Belief { believed_at: row.get(0)?, doubted_for: row.get(1)? }))
        .optional()
}

/// The time of each project's oldest record.
pub(super) fn oldest_records(connection: &Connection) -> rusqlite::Result<Vec<(String, Timestamp)>> {
    connection
        .prepare_cached(
            "SELECT project, (SELECT at FROM records WHERE records.project = chain_heads.project
                 ORDER BY sequence LIMIT 1) AS oldest
             FROM chain_heads WHERE oldest IS NOT NULL ORDER BY project",
        )?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The time of the newest record of all projects. Heads are never dropped.
pub(super) fn newest_record(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    connection
        .prepare_cached("SELECT max(at) FROM records JOIN chain_heads USING (project, sequence)")?
        .query_row([], |row| row.get(0))
}

/// A record that is younger ends the row of those that may be dropped, whatever comes behind it: a chain has no gaps.
pub(super) fn prunable(
    connection: &Connection,
    project: &str,
    before: Timestamp,
    limit: u32,
) -> rusqlite::Result<Option<Prunable>> {
    let mut statement = connection.prepare_cached(
        "SELECT records.sequence, records.at, records.hash FROM records JOIN chain_heads USING (project)
         WHERE project = ?1 AND records.sequence < chain_heads.sequence ORDER BY records.sequence LIMIT ?2",
    )?;
    let mut rows = statement.query(params![project, limit])?;
    let mut found: Option<Prunable> = None;
    while let Some(row) = rows.next()? {
        let at: Timestamp = row.get(1)?;
        if at >= before {
            break;
        }
        let (records, newest_at) = found.map_or((0, at), |so_far| (so_far.records, so_far.newest_at));
        found = Some(Prunable {
            through: columns::unsigned(row, 0)?,
            hash: RecordHash(row.get(2)?),
            records: records.saturating_add(1),
            newest_at: newest_at.max(at),
        });
    }
    Ok(found)
}

pub(super) fn closed_sessions(
    connection: &Connection,
    before: Timestamp,
    limit: u32,
) -> rusqlite::Result<Vec<ClosedSession>> {
    connection
        .prepare_cached(
            "SELECT project, session, version FROM sessions WHERE closed_at IS NOT NULL AND closed_at < ?1
             ORDER BY closed_at LIMIT ?2",
        )?
        .query_map(params![before, limit], |row| {
            Ok(ClosedSession {
                project: row.get(0)?,
                session: row.get(1)?,
                version: columns::unsigned(row, 2)?,
            })
        })?
        .collect()
}

pub(super) fn size(connection: &Connection) -> rusqlite::Result<Size> {
    let pragma = |name: &str| {
        let value: i64 =
            connection.prepare_cached(&format!("PRAGMA {name}"))?.query_row([], |row| row.get(0))?;
        Ok::<_, rusqlite::Error>(u64::try_from(value).unwrap_or(0))
    };
    let (page, pages, free) = (pragma("page_size")?, pragma("page_count")?, pragma("freelist_count")?);
    let used = pages.saturating_sub(free).saturating_mul(page);
    // The file itself becomes shorter only once the log has been moved into it.
    let file = connection.path().and_then(|path| std::fs::metadata(path).ok()).map_or(0, |file| file.len());
    Ok(Size { used, free: pages.saturating_mul(page).max(file).saturating_sub(used) })
}

/// Gives some free pages back. Databases of releases before this one cannot: their free pages are filled again instead.
pub(super) fn shrink(connection: &Connection) -> rusqlite::Result<bool> {
    let mode: i64 = connection.query_row("PRAGMA auto_vacuum", [], |row| row.get(0))?;
    const INCREMENTAL: i64 = 2;
    if mode != INCREMENTAL {
        return Ok(false);
    }
    let before = size(connection)?.free;
    // Each step of the statement gives one page back.
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({SHRINK_PAGES})"))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    drop(rows);
    // Whoever reads meanwhile may keep some of the log from being moved; then the next time does.
    connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
    let after = size(connection)?.free;
    Ok(after > 0 && after < before)
}
