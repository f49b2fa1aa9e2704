//! Listings and the feed: keyset pages, bounded by rows and by bytes, over conditions that are always bound, never
//! spliced. A page reads one row more than it returns, to know whether another page follows.

use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};

use super::columns::{self, integer};
use super::read;
use crate::store::error::StoreError;
use crate::store::query::{
    DecisionFilter, FeedPage, LONGEST_NEEDLE, Listing, OpenCounts, PAGE_BYTES, Page, SessionCursor,
    SessionFilter, Snapshot, page_rows,
};
use crate::store::rows::{FeedRow, QuestionKind, QuestionRow, RecordRow, SessionRow};

/// A WHERE clause under construction, with the values of its placeholders in order.
#[derive(Default)]
struct Conditions {
    clauses: Vec<&'static str>,
    values: Vec<Value>,
}

impl Conditions {
    fn add(&mut self, clause: &'static str, values: impl IntoIterator<Item = Value>) {
        self.clauses.push(clause);
        self.values.extend(values);
    }

    fn add_text(&mut self, clause: &'static str, value: Option<String>) {
        if let Some(value) = value {
            self.add(clause, [Value::Text(value)]);
        }
    }

    fn sql(&self) -> String {
        if self.clauses.is_empty() { "TRUE".to_owned() } else { self.clauses.join(" AND ") }
    }
}

/// Reads rows until the page is full.
fn collect<T, C>(
    connection: &Connection,
    sql: &str,
    values: Vec<Value>,
    size: usize,
    map: fn(&Row<'_>) -> rusqlite::Result<T>,
    describe: fn(&T) -> (usize, C),
) -> rusqlite::Result<Listing<T, C>> {
    let mut statement = connection.prepare_cached(sql)?;
    let mut found = statement.query(params_from_iter(values))?;
    let mut listing = Listing { rows: Vec::new(), next: None };
    let mut bytes = 0_usize;
    let mut last = None;
    while let Some(row) = found.next()? {
        if listing.rows.len() >= size || bytes >= PAGE_BYTES {
            listing.next = last;
            break;
        }
        let row = map(row)?;
        let (length, cursor) = describe(&row);
        bytes = bytes.saturating_add(length);
        last = Some(cursor);
        listing.rows.push(row);
    }
    Ok(listing)
}

pub(super) fn sessions(
    connection: &Connection,
    filter: SessionFilter,
    page: Page<SessionCursor>,
) -> Result<Listing<SessionRow, SessionCursor>, StoreError> {
    let size = page_rows(page.size);
    let mut conditions = Conditions::default();
    conditions.add_text("project = ?", filter.project);
    conditions.add_text("rung = ?", filter.rung);
    match filter.open {
        Some(true) => conditions.add("closed_at IS NULL", []),
        Some(false) => conditions.add("closed_at IS NOT NULL", []),
        None => {}
    }
    for (key, value) in filter.labels {
        conditions.add(
            "EXISTS (SELECT 1 FROM json_each(labels) WHERE key = ? AND value = ?)",
            [Value::Text(key), Value::Text(value)],
        );
    }
    if let Some(cursor) = page.after {
        let clause = if page.newest_first {
            "(opened_at, project, session) < (?, ?, ?)"
        } else {
            "(opened_at, project, session) > (?, ?, ?)"
        };
        let values =
            [Value::Integer(cursor.opened_at), Value::Text(cursor.project), Value::Text(cursor.session)];
        conditions.add(clause, values);
    }
    let direction = if page.newest_first { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT {} FROM sessions WHERE {} ORDER BY opened_at {direction}, project {direction}, session {direction}",
        columns::SESSION,
        conditions.sql()
    );
    let describe = |row: &SessionRow| {
        let cursor = SessionCursor {
            opened_at: row.opened_at,
            project: row.project.clone(),
            session: row.session.clone(),
        };
        (row.state_json.len(), cursor)
    };
    collect(connection, &sql, conditions.values, size, columns::session, describe)
        .map_err(StoreError::unavailable)
}

pub(super) fn decisions(
    connection: &Connection,
    filter: DecisionFilter,
    page: Page<u64>,
) -> Result<Listing<RecordRow, u64>, StoreError> {
    let size = page_rows(page.size);
    let mut conditions = Conditions::default();
    conditions.add("project = ?", [Value::Text(filter.project)]);
    conditions.add_text("session = ?", filter.session);
    conditions.add_text("run = ?", filter.run);
    conditions.add_text("kind = ?", filter.kind);
    conditions.add_text("action = ?", filter.action);
    conditions.add_text("stage = ?", filter.stage);
    if let Some(from) = filter.from {
        conditions.add("at >= ?", [Value::Integer(from)]);
    }
    if let Some(until) = filter.until {
        conditions.add("at < ?", [Value::Integer(until)]);
    }
    if let Some(needle) = filter.text {
        if needle.len() > LONGEST_NEEDLE {
            let reason = format!("a search text has {} bytes; use at most {LONGEST_NEEDLE}", needle.len());
            return Err(StoreError::rejected(reason));
        }
        conditions.add("text LIKE ? ESCAPE '\\'", [Value::Text(containing(&needle))]);
    }
    if let Some(cursor) = page.after {
        let clause = if page.newest_first { "sequence < ?" } else { "sequence > ?" };
        conditions.add(clause, [Value::Integer(integer(cursor))]);
    }
    let direction = if page.newest_first { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT {} FROM records WHERE {} ORDER BY sequence {direction}",
        columns::RECORD,
        conditions.sql()
    );
    let describe = |row: &RecordRow| (row.text.len().saturating_add(row.body_json.len()), row.sequence);
    collect(connection, &sql, conditions.values, size, columns::record, describe)
        .map_err(StoreError::unavailable)
}

/// All questions that still wait, oldest first.
pub(super) fn open_questions(
    connection: &Connection,
    kind: QuestionKind,
    project: Option<String>,
    session: Option<String>,
) -> rusqlite::Result<Vec<QuestionRow>> {
    let mut conditions = Conditions::default();
    conditions.add("status = 'open' AND kind = ?", [Value::Text(kind.as_str().to_owned())]);
    conditions.add_text("project = ?", project);
    conditions.add_text("session = ?", session);
    let sql = format!(
        "SELECT {} FROM questions WHERE {} ORDER BY raised_at, id",
        columns::QUESTION,
        conditions.sql()
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(conditions.values), columns::question)?.collect()
}

/// How many wait, of each kind. The index of open questions holds nothing else.
pub(super) fn open_counts(connection: &Connection) -> rusqlite::Result<OpenCounts> {
    let mut statement =
        connection.prepare_cached("SELECT count(*) FROM questions WHERE status = 'open' AND kind = ?1")?;
    let mut count =
        |kind: QuestionKind| statement.query_row([kind.as_str()], |row| columns::unsigned(row, 0));
    Ok(OpenCounts { escalations: count(QuestionKind::Escalation)?, halts: count(QuestionKind::Halt)? })
}

/// The same with the change that they stand behind: read together, so that none is missing or there twice.
pub(super) fn snapshot(
    connection: &Connection,
    kind: QuestionKind,
    project: String,
    session: Option<String>,
) -> rusqlite::Result<Snapshot> {
    let transaction = connection.unchecked_transaction()?;
    let head = read::feed_head(&transaction)?;
    Ok(Snapshot { rows: open_questions(&transaction, kind, Some(project), session)?, head })
}

/// The LIKE pattern for texts that contain the needle, whatever wildcards are in it.
fn containing(needle: &str) -> String {
    let mut pattern = String::with_capacity(needle.len().saturating_add(2));
    pattern.push('%');
    for character in needle.chars() {
        if matches!(character, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('%');
    pattern
}

pub(super) fn feed(connection: &Connection, after: u64, limit: u32) -> rusqlite::Result<FeedPage> {
    let transaction = connection.unchecked_transaction()?;
    let floor: i64 = transaction
        .prepare_cached("SELECT ifnull(max(sequence), 0) FROM feed_floor")?
        .query_row([], |row| row.get(0))?;
    let head = read::feed_head(&transaction)?;
    let sql = format!(
        "SELECT {} FROM feed JOIN questions ON questions.id = feed.question
         WHERE feed.sequence > ? ORDER BY feed.sequence",
        columns::FEED
    );
    let describe = |row: &FeedRow| (row.question.body_json.len(), row.sequence);
    let values = vec![Value::Integer(integer(after))];
    let listing = collect(&transaction, &sql, values, page_rows(limit), columns::feed, describe)?;
    // Without a further page the reader has seen all there is, dropped sequences included.
    let next = listing.next.unwrap_or(head.max(after));
    let lost = integer(after) < floor;
    Ok(FeedPage { rows: listing.rows, next, lost, floor: u64::try_from(floor).unwrap_or_default(), head })
}
