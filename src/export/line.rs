//! One record as one line of JSON, and back.
//!
//! Promises that reading a line gives the record that was written, or an error; a key that is not covered by the hash cannot
//! be smuggled in. Knows nothing of chains.

use crate::store::{RecordHash, RecordRow};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The keys of a line, in their order.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    project: String,
    sequence: u64,
    record_id: String,
    recorded_at: String,
    kind: String,
    session_id: Option<String>,
    run_id: Option<String>,
    action: Option<String>,
    stage: Option<String>,
    text: String,
    body_json: String,
    previous_hash: String,
    hash: String,
}

/// Why a text is no line of an export, or a record cannot become one.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// It is no JSON object with these keys and no others.
    #[error("it is no record of an export: {0}")]
    Shape(String),
    /// A time that is not written as an export writes it.
    #[error("recorded_at is {0:?}; an export writes it as 2026-05-01T12:00:00.000000Z")]
    Time(String),
    /// A hash that is none.
    #[error("{0} is not a SHA-256 in 64 lower-case hexadecimal digits")]
    Hash(&'static str),
}

/// The line of a record, without a line feed.
///
/// # Errors
/// The record's time lies outside of the calendar.
pub fn render(row: &RecordRow) -> Result<String, LineError> {
    let line = Line {
        project: row.project.clone(),
        sequence: row.sequence,
        record_id: row.id.clone(),
        recorded_at: time(row.at).ok_or_else(|| LineError::Time(row.at.to_string()))?,
        kind: row.kind.clone(),
        session_id: row.session.clone(),
        run_id: row.run.clone(),
        action: row.action.clone(),
        stage: row.stage.clone(),
        text: row.text.clone(),
        body_json: row.body_json.clone(),
        previous_hash: row.previous_hash.to_string(),
        hash: row.hash.to_string(),
    };
    serde_json::to_string(&line).map_err(|error| LineError::Shape(error.to_string()))
}

/// The record of a line: of JSON lines as it is, of an OCSF event as its `raw_data`.
///
/// # Errors
/// It is neither.
pub fn row_of(text: &str) -> Result<RecordRow, LineError> {
    /// All that is read of an event.
    #[derive(Deserialize)]
    struct Event {
        raw_data: String,
    }
    let line: Line = match serde_json::from_str(text) {
        Ok(line) => line,
        Err(error) => {
            let event: Event =
                serde_json::from_str(text).map_err(|_neither| LineError::Shape(error.to_string()))?;
            serde_json::from_str(&event.raw_data).map_err(|error| LineError::Shape(error.to_string()))?
        }
    };
    let at = line
        .recorded_at
        .parse::<Timestamp>()
        .ok()
        .map(Timestamp::as_microsecond)
        .filter(|at| time(*at).as_ref() == Some(&line.recorded_at))
        .ok_or_else(|| LineError::Time(line.recorded_at.clone()))?;
    Ok(RecordRow {
        project: line.project,
        sequence: line.sequence,
        id: line.record_id,
        at,
        kind: line.kind,
        session: line.session_id,
        run: line.run_id,
        action: line.action,
        stage: line.stage,
        text: line.text,
        body_json: line.body_json,
        previous_hash: RecordHash::parse(&line.previous_hash).ok_or(LineError::Hash("previous_hash"))?,
        hash: RecordHash::parse(&line.hash).ok_or(LineError::Hash("hash"))?,
    })
}

/// Microseconds since 1970 as RFC 3339 in UTC, with six digits behind the second.
fn time(microseconds: i64) -> Option<String> {
    let at = Timestamp::from_microsecond(microseconds).ok()?;
    Some(at.strftime("%Y-%m-%dT%H:%M:%S.%6fZ").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> RecordRow {
        RecordRow {
            project: "shop".into(),
            sequence: 7,
            id: "r-7".into(),
            at: 1_700_000_000_000_001,
            kind: "decision".into(),
            session: Some("s".into()),
            run: None,
            action: Some("APPROVE".into()),
            stage: Some("RATER".into()),
            text: "echo \"ä\u{1f600}\u{0}\"\n".into(),
            body_json: "{\"a\": 1.0,\"b\":\"\\u00e4\"}".into(),
            previous_hash: RecordHash([1; 32]),
            hash: RecordHash([2; 32]),
        }
    }

    #[test]
    fn a_line_gives_back_the_record_byte_for_byte() {
        for at in [0, 1_700_000_000_000_000, 1_700_000_000_000_001, 1_700_000_000_999_999] {
            let record = RecordRow { at, ..record() };
            let line = render(&record).unwrap();
            assert!(!line.contains('\n'), "{line}");
            assert_eq!(row_of(&line).unwrap(), record);
        }
        assert!(render(&record()).unwrap().contains(r#""recorded_at":"2023-11-14T22:13:20.000001Z""#));
    }

    #[test]
    fn what_the_hash_does_not_cover_is_no_part_of_a_line() {
        let line = render(&record()).unwrap();
        let wrong = [
            line.replacen('{', r#"{"note":"added","#, 1),
            line.replace("22:13:20.000001Z", "22:13:20.000001+00:00"),
            line.replace("22:13:20.000001Z", "22:13:20.0000010Z"),
            line.replace(&"02".repeat(32), &"02".repeat(31)),
            line.replace(&"02".repeat(32), &format!("{}0G", "02".repeat(31))),
            line.replacen(r#""sequence":7,"#, "", 1),
            String::new(),
            "[]".to_owned(),
        ];
        for text in wrong {
            assert!(row_of(&text).is_err(), "{text}");
        }
    }
}
