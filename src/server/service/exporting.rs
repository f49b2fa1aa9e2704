//! `ExportAudit`: every record of a project, as a stream.
//!
//! Promises that few records are held at a time however long the chain is, that a reader who goes away ends the reading, and
//! that an export counts among the feeds that the gate bears.

use super::Service;
use crate::proto::v1 as pb;
use crate::server::inbound;
use crate::server::limits::Admission;
use crate::server::outbound;
use crate::server::status::{Violations, draining, from_engine};
use crate::session::EngineError;
use crate::store::{Stretch, StretchWish};
use prost::Message;
use std::pin::Pin;
use tokio::sync::mpsc;
use tokio_stream::Stream;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Response, Status};

/// Messages that wait for the reader.
const WAITING: usize = 2;

/// Where a message ends although more would be wanted, in bytes.
const MESSAGE_BYTES: usize = 3 << 20;

/// What an export sends.
pub(super) type Export = Pin<Box<dyn Stream<Item = Result<pb::ExportAuditResponse, Status>> + Send>>;

impl Service {
    pub(super) async fn export_records(
        &self,
        request: pb::ExportAuditRequest,
        admission: &Admission,
    ) -> Result<Response<Export>, Status> {
        self.admit()?;
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let from = inbound::moment("recorded_from", request.recorded_from, &mut violations);
        let until = inbound::moment("recorded_before", request.recorded_before, &mut violations);
        if let (Some(from), Some(until)) = (from, until)
            && until <= from
        {
            violations.invalid("recorded_before", "must be later than recorded_from");
        }
        violations.check()?;
        // It may last as long as a feed does, and counts as one.
        let held = admission.feed()?;
        let wish = StretchWish {
            project: project.clone(),
            after: request.after_sequence,
            from: from.map(|moment| moment.0),
            until: until.map(|moment| moment.0),
        };
        let store = self.engine.store();
        let failed = |error| from_engine(&project, EngineError::Store(error));
        let mut stretch = Stretch::find(store.as_ref(), &wish).await.map_err(failed)?;
        let opening = pb::ExportAuditResponse {
            records: Vec::new(),
            last_sequence: stretch.last(),
            head_sequence: stretch.head().map(|head| head.sequence).unwrap_or_default(),
            head_hash: stretch.head().map(|head| head.hash.to_string()).unwrap_or_default(),
        };
        let (sender, receiver) = mpsc::channel(WAITING + 1);
        let (store, mut stopping) = (store.clone(), self.draining.clone());
        tokio::spawn(async move {
            let _held = held;
            // A place is kept for the last message: an export that is cut off must not look like one that is whole.
            let Ok(last) = sender.clone().reserve_owned().await else { return };
            let sending = async {
                if sender.send(Ok(opening.clone())).await.is_err() {
                    return None;
                }
                loop {
                    let rows = match stretch.next(store.as_ref()).await {
                        Ok(rows) if rows.is_empty() => return None,
                        Ok(rows) => rows,
                        Err(error) => return Some(from_engine(&wish.project, EngineError::Store(error))),
                    };
                    for records in messages(rows.iter().map(outbound::audit_record)) {
                        let message = pb::ExportAuditResponse { records, ..opening.clone() };
                        if sender.send(Ok(message)).await.is_err() {
                            return None;
                        }
                    }
                }
            };
            let failure = tokio::select! {
                failure = sending => failure,
                () = sender.closed() => None,
                _ = stopping.wait_for(|draining| *draining) => Some(draining()),
            };
            if let Some(failure) = failure {
                last.send(Err(failure));
            }
        });
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// Records in messages of bounded size, each with one at least.
fn messages(records: impl Iterator<Item = pb::AuditRecord>) -> Vec<Vec<pb::AuditRecord>> {
    let mut messages: Vec<Vec<pb::AuditRecord>> = Vec::new();
    let mut bytes = 0_usize;
    for record in records {
        let size = record.encoded_len();
        match messages.last_mut() {
            Some(message) if bytes.saturating_add(size) <= MESSAGE_BYTES => {
                bytes = bytes.saturating_add(size);
                message.push(record);
            }
            Some(_) | None => {
                bytes = size;
                messages.push(vec![record]);
            }
        }
    }
    messages
}
