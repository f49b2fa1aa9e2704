//! Where an export's records come from: a gate, or a store's file without one.
//!
//! Promises records in order, a page at a time. Knows nothing of the form that they are written in.

use crate::cli::connection::Connection;
use crate::cli::failure::Failure;
use crate::cli::time::to_proto;
use crate::client::AuditExport;
use crate::proto::v1 as pb;
use crate::store::{RecordHash, RecordRow, SqliteStore, Stretch, StretchWish};
use jiff::Timestamp;
use std::path::Path;

/// How long a gate that is gone is looked for.
const RECONNECT_FOR: std::time::Duration = std::time::Duration::from_secs(60);

/// Which records are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    pub(super) after: u64,
    pub(super) since: Option<Timestamp>,
    pub(super) until: Option<Timestamp>,
}

/// Where records come from.
pub(super) enum Source {
    Gate(Box<AuditExport>),
    Store(Box<SqliteStore>, Stretch),
}

impl Source {
    /// Records that a gate sends.
    pub(super) async fn gate(connection: &Connection, wanted: Wanted) -> Result<Self, Failure> {
        let request = pb::ExportAuditRequest {
            project: connection.project.clone(),
            after_sequence: wanted.after,
            recorded_from: wanted.since.map(to_proto),
            recorded_before: wanted.until.map(to_proto),
        };
        let client = connection.open_for(RECONNECT_FOR).await?;
        Ok(Self::Gate(Box::new(client.export_audit(request))))
    }

    /// Records of a file, which a gate may be using meanwhile.
    pub(super) async fn store(path: &Path, project: &str, wanted: Wanted) -> Result<Self, Failure> {
        let store = SqliteStore::open_read_only(path).map_err(|error| Failure::new(error.to_string()))?;
        let wish = StretchWish {
            project: project.to_owned(),
            after: wanted.after,
            from: wanted.since.map(Timestamp::as_microsecond),
            until: wanted.until.map(Timestamp::as_microsecond),
        };
        let stretch = Stretch::find(&store, &wish).await.map_err(|error| Failure::new(error.to_string()))?;
        Ok(Self::Store(Box::new(store), stretch))
    }

    /// The next records; none behind the last.
    pub(super) async fn next(&mut self) -> Result<Vec<RecordRow>, Failure> {
        match self {
            Self::Gate(export) => match export.next().await? {
                Some(records) => records.into_iter().map(row).collect(),
                None => Ok(Vec::new()),
            },
            Self::Store(store, stretch) => {
                stretch.next(&**store).await.map_err(|error| Failure::new(error.to_string()))
            }
        }
    }

    /// The record that it will end with; `None` while that is not known.
    pub(super) fn last(&self) -> Option<u64> {
        match self {
            Self::Gate(export) => export.opening().map(|opening| opening.last_sequence),
            Self::Store(_, stretch) => Some(stretch.last()),
        }
        .filter(|last| *last > 0)
    }
}

fn row(record: pb::AuditRecord) -> Result<RecordRow, Failure> {
    let sequence = record.sequence;
    let wrong = |what: &str| Failure::new(format!("the gate sent record {sequence} without a sound {what}"));
    let at = record
        .recorded_at
        .and_then(|at| Timestamp::new(at.seconds, at.nanos).ok())
        .ok_or_else(|| wrong("time"))?;
    Ok(RecordRow {
        project: record.project,
        sequence,
        id: record.record_id,
        at: at.as_microsecond(),
        kind: record.kind,
        session: record.session_id,
        run: record.run_id,
        action: record.action,
        stage: record.stage,
        text: record.text,
        body_json: record.body_json,
        previous_hash: RecordHash::parse(&record.previous_hash).ok_or_else(|| wrong("previous hash"))?,
        hash: RecordHash::parse(&record.hash).ok_or_else(|| wrong("hash"))?,
    })
}
