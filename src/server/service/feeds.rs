//! `StreamEscalations` and `StreamAttackHalts`.
//!
//! Promises that every message carries the place to resume behind it, that a quiet feed says it is alive, and that a reader
//! who does not read is told to come again and keeps nobody waiting. A change is converted and encoded once, by whichever feed
//! comes first; all others send the same bytes.

use super::{Allowed, Feed as Stream, Service};
use crate::access::Operation;
use crate::proto::v1 as pb;
use crate::server::connection::Retiring;
use crate::server::contract::{FeedEvent, FeedMessage};
use crate::server::inbound;
use crate::server::limits::{Admission, Held};
use crate::server::outbound;
use crate::server::page_token::Conditions;
use crate::server::status::{Violations, cursor_invalid, cursor_too_old, draining, from_engine};
use crate::session::{EngineError, Feed, FeedItem, Following, Happening, Settled, Told};
use crate::store::QuestionKind;
use prost::Message;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::error::SendTimeoutError;
use tokio::sync::{mpsc, watch};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

/// How long a reader that was asked to come again may take for it before it counts as gone.
const HANDOVER: Duration = Duration::from_secs(5);

/// Messages that wait for a reader; what follows stays in the store.
const WAITING: usize = 32;

/// How long a reader may let messages wait before it is told to come again.
const PATIENCE: Duration = Duration::from_secs(30);

/// The name that a feed's cursors are bound to.
fn name(kind: QuestionKind) -> &'static str {
    match kind {
        QuestionKind::Escalation => "escalations",
        QuestionKind::Halt => "attack_halts",
    }
}

/// A question as the feed of its kind embeds it; `None` when it is of the other kind.
fn encode(kind: QuestionKind, settled: &Settled) -> Option<Vec<u8>> {
    match kind {
        QuestionKind::Escalation => outbound::escalation(settled).map(|message| message.encode_to_vec()),
        QuestionKind::Halt => outbound::attack_halt(settled).map(|message| message.encode_to_vec()),
    }
}

/// What happened, as it is sent; `None` when it happened to a question of the other kind.
fn event(kind: QuestionKind, happening: &Happening) -> Option<FeedEvent> {
    let encoded = |told: &Told| told.encoded(|settled| encode(kind, settled));
    Some(match happening {
        Happening::Raised(told) => FeedEvent::Raised(encoded(told)?),
        Happening::Answered(told) => FeedEvent::Answered(encoded(told)?),
        Happening::Withdrawn(told) => FeedEvent::Withdrawn(encoded(told)?),
        Happening::Expired(told) => FeedEvent::Expired(encoded(told)?),
        Happening::SnapshotEnd { open } => FeedEvent::SnapshotEnd(pb::SnapshotEnd { open: *open }),
    })
}

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
        request: Request<pb::StreamEscalationsRequest>,
    ) -> Result<Response<Stream>, Status> {
        let admission = Admission::find(request.extensions())?;
        let retiring = request.extensions().get().cloned();
        let Allowed { message: request, .. } = self.allow(request).await?;
        let filters = Filters {
            project: &request.project,
            session: &request.session_id,
            run: &request.run_id,
            after: &request.after,
        };
        self.follow(&filters, QuestionKind::Escalation, false, (&admission, retiring)).await
    }

    pub(super) async fn attack_halts(
        &self,
        request: Request<pb::StreamAttackHaltsRequest>,
    ) -> Result<Response<Stream>, Status> {
        let admission = Admission::find(request.extensions())?;
        let retiring = request.extensions().get().cloned();
        let Allowed { caller, message: request, .. } = self.allow(request).await?;
        // A halt waits for those alone who may answer it.
        let answers = !request.observe_only && caller.role.may(Operation::Answer);
        let filters = Filters {
            project: &request.project,
            session: &request.session_id,
            run: &request.run_id,
            after: &request.after,
        };
        self.follow(&filters, QuestionKind::Halt, answers, (&admission, retiring)).await
    }

    async fn follow(
        &self,
        filters: &Filters<'_>,
        kind: QuestionKind,
        answers: bool,
        (admission, retiring): (&Admission, Option<Retiring>),
    ) -> Result<Response<Stream>, Status> {
        if *self.draining.borrow() {
            return Err(draining());
        }
        let mut violations = Violations::default();
        let project = inbound::project(filters.project, &mut violations);
        let session = inbound::optional_id("session_id", filters.session, &mut violations);
        let run = inbound::optional_id("run_id", filters.run, &mut violations);
        violations.check()?;
        let conditions = self.conditions(name(kind), &[&project, filters.session, filters.run]);
        let after = match filters.after {
            "" => None,
            cursor => Some(place(&conditions, cursor).ok_or_else(cursor_invalid)?),
        };
        let held = admission.feed()?;
        let following = Following { kind, project: project.clone(), session, run, after, answers };
        let feed = self.engine.open_feed(following).await.map_err(|error| match error {
            EngineError::CursorTooOld { oldest } => {
                cursor_too_old(filters.after, &conditions.token(&oldest.to_string()))
            }
            other => from_engine(&project, other),
        })?;
        let (sender, receiver) = mpsc::channel(WAITING + 1);
        let reader = Reader {
            kind,
            feed,
            conditions,
            project,
            heartbeat: self.heartbeat,
            draining: self.draining.clone(),
            retiring,
            held,
        };
        tokio::spawn(reader.send_all(sender));
        Ok(Response::new(Box::pin(ReceiverStream::new(receiver))))
    }
}

/// The cursor behind a change of a store for a feed of the whole project.
pub(in crate::server) fn project_cursor(
    store: &str,
    kind: QuestionKind,
    project: &str,
    sequence: u64,
) -> String {
    Conditions::of(store, name(kind), &[project, "", ""]).token(&sequence.to_string())
}

/// The change that a cursor stands for.
fn place(conditions: &Conditions, cursor: &str) -> Option<u64> {
    conditions.place(cursor)?.parse().ok()
}

/// One open feed.
struct Reader {
    kind: QuestionKind,
    feed: Feed,
    conditions: Conditions,
    project: String,
    heartbeat: Duration,
    draining: watch::Receiver<bool>,
    /// Says when the connection of the feed is to end.
    retiring: Option<Retiring>,
    /// Its place among the open feeds.
    held: Held,
}

impl Reader {
    /// Sends until the reader goes away, reads too slowly, or the gate shuts down.
    async fn send_all(mut self, sender: mpsc::Sender<Result<FeedMessage, Status>>) {
        // A place in the queue is kept for the last message, so that it can be sent to whoever does not read.
        let Ok(last) = sender.clone().reserve_owned().await else { return };
        let Some(goodbye) = self.run(&sender).await else { return };
        match goodbye {
            Goodbye::Failure(status) => {
                last.send(Err(status));
            }
            Goodbye::Hint(reason) => {
                let hint = pb::ResumeHint { reason: reason.into() };
                // Its cursor is empty: the reader resumes behind the last message that it got.
                let message = FeedMessage { cursor: String::new(), event: Some(FeedEvent::ResumeHint(hint)) };
                last.send(Ok(message));
                // Its place is for the feed that follows it.
                let Self { feed: _watches, held, mut draining, .. } = self;
                drop((sender, held));
                // Whoever was asked to come again still watches: a run that is attacked meanwhile waits for its answer.
                tokio::select! {
                    () = tokio::time::sleep(HANDOVER) => {}
                    _ = draining.wait_for(|draining| *draining) => {}
                }
            }
        }
    }

    /// The last message, where there is one to send.
    async fn run(&mut self, sender: &mpsc::Sender<Result<FeedMessage, Status>>) -> Option<Goodbye> {
        let (mut draining, mut retiring) = (self.draining.clone(), self.retiring.clone());
        let mut old = pin!(async {
            match &mut retiring {
                Some(retiring) => retiring.wait().await,
                None => std::future::pending().await,
            }
        });
        loop {
            let message = tokio::select! {
                biased;
                () = sender.closed() => return None,
                _ = draining.wait_for(|draining| *draining) => {
                    return Some(Goodbye::Hint(pb::ResumeReason::Draining));
                }
                () = &mut old => return Some(Goodbye::Hint(pb::ResumeReason::ConnectionAge)),
                item = self.feed.next() => match item {
                    Ok(item) => match self.message(&item) {
                        Ok(message) => message,
                        Err(error) => return Some(Goodbye::Failure(from_engine(&self.project, error))),
                    },
                    Err(EngineError::CursorTooOld { oldest }) => {
                        let after = self.cursor();
                        let oldest = self.conditions.token(&oldest.to_string());
                        return Some(Goodbye::Failure(cursor_too_old(&after, &oldest)));
                    }
                    Err(error) => return Some(Goodbye::Failure(from_engine(&self.project, error))),
                },
                () = tokio::time::sleep(self.heartbeat) => {
                    let heartbeat = pb::Heartbeat { sent_at: Some(outbound::timestamp(self.feed.now())) };
                    FeedMessage { cursor: self.cursor(), event: Some(FeedEvent::Heartbeat(heartbeat)) }
                }
            };
            match sender.send_timeout(Ok(message), PATIENCE).await {
                Ok(()) => {}
                Err(SendTimeoutError::Closed(_)) => return None,
                Err(SendTimeoutError::Timeout(_)) => {
                    return Some(Goodbye::Hint(pb::ResumeReason::SlowReader));
                }
            }
        }
    }

    fn message(&self, item: &FeedItem) -> Result<FeedMessage, EngineError> {
        let event = event(self.kind, &item.happening).ok_or_else(|| {
            EngineError::Internal("a question of another kind was stored for this feed".to_owned())
        })?;
        let cursor = item.cursor.map(|place| self.conditions.token(&place.to_string()));
        Ok(FeedMessage { cursor: cursor.unwrap_or_default(), event: Some(event) })
    }

    fn cursor(&self) -> String {
        self.conditions.token(&self.feed.cursor().to_string())
    }
}

/// How a feed ends that the gate ends.
enum Goodbye {
    /// The reader is to come again.
    Hint(pb::ResumeReason),
    /// It cannot go on.
    Failure(Status),
}
