//! `StreamEscalations` and `StreamAttackHalts`.
//!
//! Promises that every message carries the place to resume behind it, that a quiet feed says it is alive, and that a reader
//! who does not read is told to come again and keeps nobody waiting.

use super::{Feed as Stream, Service};
use crate::proto::v1 as pb;
use crate::server::inbound;
use crate::server::outbound;
use crate::server::page_token::Conditions;
use crate::server::status::{Violations, cursor_invalid, cursor_too_old, draining, from_engine};
use crate::session::{EngineError, Feed, FeedItem, Following, Happening, Settled};
use crate::store::QuestionKind;
use std::time::Duration;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Response, Status};

/// Messages that wait for a reader; what follows stays in the store.
const WAITING: usize = 32;

/// How long a reader may let messages wait before it is told to come again.
const PATIENCE: Duration = Duration::from_secs(30);

/// What the two feeds have in common.
trait Message: Sized + Send + 'static {
    /// The name that its cursors are bound to.
    const FEED: &'static str;

    fn happened(cursor: String, happening: Happening) -> Option<Self>;
    fn heartbeat(cursor: String, sent_at: prost_types::Timestamp) -> Self;
    fn resume(cursor: String, reason: pb::ResumeReason) -> Self;
}

macro_rules! message {
    ($response:ident, $module:ident, $feed:literal, $convert:path) => {
        impl Message for pb::$response {
            const FEED: &'static str = $feed;

            fn happened(cursor: String, happening: Happening) -> Option<Self> {
                use pb::$module::Event;
                let convert = |settled: Box<Settled>| $convert(&settled);
                let event = match happening {
                    Happening::Raised(settled) => Event::Raised(convert(settled)?),
                    Happening::Answered(settled) => Event::Answered(convert(settled)?),
                    Happening::Withdrawn(settled) => Event::Withdrawn(convert(settled)?),
                    Happening::Expired(settled) => Event::Expired(convert(settled)?),
                    Happening::SnapshotEnd { open } => Event::SnapshotEnd(pb::SnapshotEnd { open }),
                };
                Some(Self { cursor, event: Some(event) })
            }

            fn heartbeat(cursor: String, sent_at: prost_types::Timestamp) -> Self {
                let heartbeat = pb::Heartbeat { sent_at: Some(sent_at) };
                Self { cursor, event: Some(pb::$module::Event::Heartbeat(heartbeat)) }
            }

            fn resume(cursor: String, reason: pb::ResumeReason) -> Self {
                let hint = pb::ResumeHint { reason: reason.into() };
                Self { cursor, event: Some(pb::$module::Event::ResumeHint(hint)) }
            }
        }
    };
}

message!(StreamEscalationsResponse, stream_escalations_response, "escalations", outbound::escalation);
message!(StreamAttackHaltsResponse, stream_attack_halts_response, "attack_halts", outbound::attack_halt);

/// The filters of a feed as the contract has them.
struct Filters<'a> {
    project: &'a str,
    session: &'a str,
    run: &'a str,
    after: &'a str,
}

impl Service {
    pub(super) async fn escalations(
        &self,
        request: pb::StreamEscalationsRequest,
    ) -> Result<Response<Stream<pb::StreamEscalationsResponse>>, Status> {
        let filters = Filters {
            project: &request.project,
            session: &request.session_id,
            run: &request.run_id,
            after: &request.after,
        };
        self.follow(&filters, QuestionKind::Escalation, false).await
    }

    pub(super) async fn attack_halts(
        &self,
        request: pb::StreamAttackHaltsRequest,
    ) -> Result<Response<Stream<pb::StreamAttackHaltsResponse>>, Status> {
        let filters = Filters {
            project: &request.project,
            session: &request.session_id,
            run: &request.run_id,
            after: &request.after,
        };
        self.follow(&filters, QuestionKind::Halt, !request.observe_only).await
    }

    async fn follow<M: Message>(
        &self,
        filters: &Filters<'_>,
        kind: QuestionKind,
        answers: bool,
    ) -> Result<Response<Stream<M>>, Status> {
        if *self.draining.borrow() {
            return Err(draining());
        }
        let mut violations = Violations::default();
        let project = inbound::project(filters.project, &mut violations);
        let session = inbound::optional_id("session_id", filters.session, &mut violations);
        let run = inbound::optional_id("run_id", filters.run, &mut violations);
        violations.check()?;
        let conditions = Conditions::of(M::FEED, &[&project, filters.session, filters.run]);
        let after = match filters.after {
            "" => None,
            cursor => Some(place(&conditions, cursor).ok_or_else(cursor_invalid)?),
        };
        let following = Following { kind, project: project.clone(), session, run, after, answers };
        let feed = self.engine.open_feed(following).await.map_err(|error| match error {
            EngineError::CursorTooOld { oldest } => {
                cursor_too_old(filters.after, &conditions.token(&oldest.to_string()))
            }
            other => from_engine(&project, other),
        })?;
        let (sender, receiver) = mpsc::channel(WAITING + 1);
        let reader =
            Reader { feed, conditions, project, heartbeat: self.heartbeat, draining: self.draining.clone() };
        tokio::spawn(reader.send_all(sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// The cursor behind a change for a feed of the whole project.
pub(in crate::server) fn project_cursor(kind: QuestionKind, project: &str, sequence: u64) -> String {
    let feed = match kind {
        QuestionKind::Escalation => pb::StreamEscalationsResponse::FEED,
        QuestionKind::Halt => pb::StreamAttackHaltsResponse::FEED,
    };
    Conditions::of(feed, &[project, "", ""]).token(&sequence.to_string())
}

/// The change that a cursor stands for.
fn place(conditions: &Conditions, cursor: &str) -> Option<u64> {
    conditions.place(cursor)?.parse().ok()
}

/// One open feed.
struct Reader {
    feed: Feed,
    conditions: Conditions,
    project: String,
    heartbeat: Duration,
    draining: watch::Receiver<bool>,
}

impl Reader {
    /// Sends until the reader goes away, reads too slowly, or the gate shuts down.
    async fn send_all<M: Message>(mut self, sender: mpsc::Sender<Result<M, Status>>) {
        // A place in the queue is kept for the last message, so that it can be sent to whoever does not read.
        let Ok(last) = sender.clone().reserve_owned().await else { return };
        let goodbye = self.run(&sender).await;
        if let Some(goodbye) = goodbye {
            last.send(goodbye);
        }
    }

    /// The last message, where there is one to send.
    async fn run<M: Message>(
        &mut self,
        sender: &mpsc::Sender<Result<M, Status>>,
    ) -> Option<Result<M, Status>> {
        let mut draining = self.draining.clone();
        loop {
            let message = tokio::select! {
                biased;
                () = sender.closed() => return None,
                _ = draining.wait_for(|draining| *draining) => {
                    return Some(Ok(self.goodbye(pb::ResumeReason::Draining)));
                }
                item = self.feed.next() => match item {
                    Ok(FeedItem { cursor, happening }) => {
                        let cursor = cursor.map(|place| self.conditions.token(&place.to_string()));
                        M::happened(cursor.unwrap_or_default(), happening)?
                    }
                    Err(EngineError::CursorTooOld { oldest }) => {
                        let after = self.cursor();
                        return Some(Err(cursor_too_old(&after, &self.conditions.token(&oldest.to_string()))));
                    }
                    Err(error) => return Some(Err(from_engine(&self.project, error))),
                },
                () = tokio::time::sleep(self.heartbeat) => {
                    M::heartbeat(self.cursor(), outbound::timestamp(self.feed.now()))
                }
            };
            match sender.send_timeout(Ok(message), PATIENCE).await {
                Ok(()) => {}
                Err(SendTimeoutError::Closed(_)) => return None,
                Err(SendTimeoutError::Timeout(_)) => {
                    return Some(Ok(self.goodbye(pb::ResumeReason::SlowReader)));
                }
            }
        }
    }

    fn cursor(&self) -> String {
        self.conditions.token(&self.feed.cursor().to_string())
    }

    /// The hint to come again. Its cursor is empty: the reader resumes behind the last message that it got.
    fn goodbye<M: Message>(&self, reason: pb::ResumeReason) -> M {
        M::resume(String::new(), reason)
    }
}
