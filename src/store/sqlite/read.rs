//! Reads of single rows and of short lists. Each is one statement on whichever connection it is handed.

use rusqlite::{Connection, OptionalExtension, Params, Row, params};

use super::columns;
use crate::store::rows::{
    DeliveryRow, DenialRow, GrantRow, QuestionKind, QuestionRow, RecordRow, RequestRow, SessionRow, Timestamp,
};

fn one<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    map: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    connection.prepare_cached(sql)?.query_row(values, map).optional()
}

fn all<T>(
    connection: &Connection,
    sql: &str,
    values: impl Params,
    map: fn(&Row<'_>) -> rusqlite::Result<T>,
) -> rusqlite::Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(values, map)?.collect()
}

pub(super) fn session(
    connection: &Connection,
    project: &str,
    session: &str,
) -> rusqlite::Result<Option<SessionRow>> {
    let sql = format!("SELECT {} FROM sessions WHERE project = ?1 AND session = ?2", columns::SESSION);
    one(connection, &sql, params![project, session], columns::session)
}

pub(super) fn grant(
    connection: &Connection,
    project: &str,
    session: Option<&str>,
    identity: &str,
) -> rusqlite::Result<Option<GrantRow>> {
    let sql = format!(
        "SELECT {} FROM grants WHERE project = ?1 AND ifnull(session, '') = ifnull(?2, '') AND identity = ?3",
        columns::GRANT
    );
    one(connection, &sql, params![project, session, identity], columns::grant)
}

/// The grants of one holder, in the order they were given.
pub(super) fn grants(
    connection: &Connection,
    project: &str,
    session: Option<&str>,
) -> rusqlite::Result<Vec<GrantRow>> {
    let sql =
        format!("SELECT {} FROM grants WHERE project = ?1 AND session IS ?2 ORDER BY id", columns::GRANT);
    all(connection, &sql, params![project, session], columns::grant)
}

pub(super) fn denials(
    connection: &Connection,
    project: &str,
    session: &str,
) -> rusqlite::Result<Vec<DenialRow>> {
    let sql =
        format!("SELECT {} FROM denials WHERE project = ?1 AND session = ?2 ORDER BY id", columns::DENIAL);
    all(connection, &sql, params![project, session], columns::denial)
}

pub(super) fn question(
    connection: &Connection,
    kind: QuestionKind,
    id: &str,
) -> rusqlite::Result<Option<QuestionRow>> {
    let sql = format!("SELECT {} FROM questions WHERE id = ?1 AND kind = ?2", columns::QUESTION);
    one(connection, &sql, params![id, kind.as_str()], columns::question)
}

pub(super) fn request(
    connection: &Connection,
    project: &str,
    session: &str,
    request_id: &str,
) -> rusqlite::Result<Option<RequestRow>> {
    let sql = format!(
        "SELECT {} FROM requests WHERE project = ?1 AND session = ?2 AND request_id = ?3",
        columns::REQUEST
    );
    one(connection, &sql, params![project, session, request_id], columns::request)
}

pub(super) fn record(connection: &Connection, id: &str) -> rusqlite::Result<Option<RecordRow>> {
    let sql = format!("SELECT {} FROM records WHERE id = ?1", columns::RECORD);
    one(connection, &sql, params![id], columns::record)
}

pub(super) fn projects(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    all(connection, "SELECT project FROM chain_heads ORDER BY project", [], |row| row.get(0))
}

pub(super) fn deliveries(connection: &Connection) -> rusqlite::Result<Vec<DeliveryRow>> {
    let sql = format!("SELECT {} FROM deliveries ORDER BY receiver", columns::DELIVERY);
    all(connection, &sql, [], columns::delivery)
}

/// What tells this store from every other.
pub(super) fn store_id(connection: &Connection) -> rusqlite::Result<String> {
    connection.query_row("SELECT id FROM store", [], |row| row.get(0))
}

/// The last feed sequence that was ever handed out.
pub(super) fn feed_head(connection: &Connection) -> rusqlite::Result<u64> {
    let last: Option<i64> =
        one(connection, "SELECT seq FROM sqlite_sequence WHERE name = 'feed'", [], |row| row.get(0))?;
    Ok(last.and_then(|last| u64::try_from(last).ok()).unwrap_or(0))
}

/// How many sessions are open and were changed lately; the number of all will do where it is below `enough`.
pub(super) fn open_sessions(
    connection: &Connection,
    project: &str,
    since: Timestamp,
    enough: u64,
) -> rusqlite::Result<u64> {
    // An index knows how many there are; whether they are open is in the rows alone.
    let all = count(connection, "SELECT count(*) FROM sessions WHERE project = ?1", params![project])?;
    if all < enough {
        return Ok(all);
    }
    let sql = "SELECT count(*) FROM sessions WHERE project = ?1 AND closed_at IS NULL AND updated_at >= ?2";
    count(connection, sql, params![project, since])
}

/// How many questions of a project wait.
pub(super) fn count_open_questions(connection: &Connection, project: &str) -> rusqlite::Result<u64> {
    let sql = "SELECT count(*) FROM questions WHERE kind IN ('escalation', 'halt') AND project = ?1 AND status = 'open'";
    count(connection, sql, params![project])
}

fn count(connection: &Connection, sql: &str, values: impl Params) -> rusqlite::Result<u64> {
    let count: i64 = connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))?;
    Ok(u64::try_from(count).unwrap_or(0))
}
