//! An export of audit records as the one who reads it needs it: every record once and in order, across lost connections.
//!
//! Knows nothing of the form that records are written in, nor of chains.

use super::error::is_out_of_reach;
use super::retry::pause;
use super::{Client, Error};
use crate::proto::v1 as pb;
use std::time::Instant;
use tonic::{Status, Streaming};

/// The records of a project, message by message.
#[derive(Debug)]
pub struct AuditExport {
    client: Client,
    request: pb::ExportAuditRequest,
    stream: Option<Streaming<pb::ExportAuditResponse>>,
    /// How far it goes, since the server first said so.
    opening: Option<pb::ExportAuditResponse>,
    /// Since when the gate cannot be reached, and how often it was tried.
    gone: Option<(Instant, u32)>,
}

impl Client {
    /// Every record of a project's chain, as the request narrows it. A gate that is gone meanwhile is looked for, as long as
    /// the [`Options`](super::Options) say, and the export goes on behind the last record that arrived.
    #[must_use]
    pub fn export_audit(&self, mut request: pb::ExportAuditRequest) -> AuditExport {
        self.in_project(&mut request.project);
        AuditExport { client: self.clone(), request, stream: None, opening: None, gone: None }
    }
}

impl AuditExport {
    /// The next records; `None` behind the last one. Dropping the future loses nothing.
    ///
    /// # Errors
    /// The gate is out of reach, or refuses the request.
    pub async fn next(&mut self) -> Result<Option<Vec<pb::AuditRecord>>, Error> {
        loop {
            match self.message().await {
                Ok(Some(message)) => {
                    let mut records = message.records;
                    let opening = pb::ExportAuditResponse { records: Vec::new(), ..message };
                    let until = self.opening.get_or_insert(opening).last_sequence;
                    // An export that goes on goes no further than the one that was cut off would have.
                    records.retain(|record| record.sequence <= until);
                    if let Some(last) = records.last() {
                        self.gone = None;
                        self.request.after_sequence = last.sequence;
                        // What was narrowed by time is narrowed by place from here on.
                        self.request.recorded_from = None;
                        return Ok(Some(records));
                    }
                }
                // Something on the way may end a stream as if it were whole.
                Ok(None) if self.is_cut() => self.lost(Status::unavailable("the export ended early")).await?,
                Ok(None) => return Ok(None),
                Err(status) => self.lost(status).await?,
            }
        }
    }

    /// The first message: how far the export goes, and where the chain ended when it began. `None` before it arrived.
    #[must_use]
    pub fn opening(&self) -> Option<&pb::ExportAuditResponse> {
        self.opening.as_ref()
    }

    /// Whether records are still to come.
    fn is_cut(&self) -> bool {
        self.opening.as_ref().is_none_or(|opening| self.request.after_sequence < opening.last_sequence)
    }

    async fn message(&mut self) -> Result<Option<pb::ExportAuditResponse>, Status> {
        let deadline = self.client.options.deadline;
        let silent = || Status::unavailable("the gate does not answer");
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => {
                let mut stub = self.client.stub.clone();
                let asking = stub.export_audit(self.request.clone());
                let opened = tokio::time::timeout(deadline, asking).await.map_err(|_elapsed| silent())??;
                none.insert(opened.into_inner())
            }
        };
        tokio::time::timeout(deadline, stream.message()).await.map_err(|_elapsed| silent())?
    }

    /// Leaves the gate alone for a moment, unless asking again is of no use.
    async fn lost(&mut self, status: Status) -> Result<(), Error> {
        self.stream = None;
        let (since, failures) = self.gone.get_or_insert((Instant::now(), 0));
        *failures = failures.saturating_add(1);
        let pause = pause(*failures, &status);
        if !is_out_of_reach(&status)
            || since.elapsed().saturating_add(pause) >= self.client.options.reconnect_for
        {
            return Err(status.into());
        }
        tokio::time::sleep(pause).await;
        Ok(())
    }
}
