//! What a store holds, so that it can be seen that a refusal changed nothing of it.

use super::cast::Known;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

/// Tables that a record of a refusal, or the store itself, writes to.
const APART: [&str; 3] = ["records", "chain_heads", "probe"];

/// Every row that is there, but for records of refusals.
pub fn content(known: &Known) -> Vec<String> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = Connection::open_with_flags(known.gate.database(), flags).unwrap();
    let mut names =
        database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").unwrap();
    let tables: Vec<String> =
        names.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert!(tables.iter().any(|table| table == "sessions"), "{tables:?}");
    let others =
        tables.iter().filter(|table| !APART.contains(&table.as_str()) && !table.starts_with("sqlite_"));
    let mut all: Vec<String> =
        others.flat_map(|table| rows(&database, &format!("SELECT '{table}', * FROM {table}"))).collect();
    all.extend(rows(&database, "SELECT id, kind, body FROM records WHERE kind <> 'refused'"));
    all
}

/// The bodies of the records of refusals in a project, oldest first.
pub fn refusals(known: &Known, project: &str) -> Vec<serde_json::Value> {
    let database =
        Connection::open_with_flags(known.gate.database(), OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let mut found = database
        .prepare("SELECT body FROM records WHERE kind = 'refused' AND project = ?1 ORDER BY sequence")
        .unwrap();
    let bodies: Vec<String> =
        found.query_map([project], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    bodies.iter().map(|body| serde_json::from_str(body).unwrap()).collect()
}

fn rows(database: &Connection, sql: &str) -> Vec<String> {
    let mut statement = database.prepare(sql).unwrap();
    let columns = statement.column_count();
    let mut found = statement.query([]).unwrap();
    let mut rows = Vec::new();
    while let Some(row) = found.next().unwrap() {
        let cells: Vec<String> = (0..columns)
            .map(|column| match row.get_ref(column).unwrap() {
                ValueRef::Null => "-".to_owned(),
                ValueRef::Integer(number) => number.to_string(),
                ValueRef::Real(number) => number.to_string(),
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            })
            .collect();
        rows.push(cells.join("\u{1}"));
    }
    rows
}
