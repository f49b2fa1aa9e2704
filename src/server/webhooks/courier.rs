//! Telling one receiver everything, in order, from the store.
//!
//! Promises that what the receiver wants is told at least once and in the order in which it happened, unless it grows too old,
//! and that how far it has come survives the end of the process. Knows nothing of other receivers.

use super::notification::{Notification, kind, occurred_at};
use super::receiver::{Receiver, Reply};
use crate::outgoing::Pacing;
use crate::session::Engine;
use crate::store::{Batch, Change, DeliveryRow, FeedRow};
use crate::telemetry::Notified;
use std::sync::Arc;
use std::time::Duration;

/// When a notification that was not taken is sent again.
const PACING: Pacing = Pacing { first: Duration::from_millis(500), longest: Duration::from_secs(60) };

/// The longest that a receiver is left alone because it asks for that.
const LONGEST_ASKED: Duration = Duration::from_secs(15 * 60);

/// Changes that are read from the store at a time.
const PAGE: u32 = 50;

/// How far the place in the store may lag behind while there is nothing to tell.
const UNNOTED: u64 = 500;

/// How long to wait before the store is asked again.
const STORE_RETRY: Duration = Duration::from_secs(1);

/// How the attempts to tell one thing ended.
enum Ended {
    Taken,
    GivenUp,
    Gone,
}

/// Tells one receiver everything from its place on.
pub(super) struct Courier {
    engine: Engine,
    receiver: Arc<Receiver>,
    place: DeliveryRow,
    /// The place as the store knows it.
    noted: DeliveryRow,
    /// Attempts that failed since the last one that did not.
    failures: u32,
    /// What was given up since something was taken.
    given_up: u64,
    /// Retention has overtaken the receiver up to here, and that was said.
    overtaken: u64,
}

impl Courier {
    pub(super) fn new(engine: Engine, receiver: Arc<Receiver>, place: DeliveryRow) -> Self {
        let noted = place.clone();
        Self { engine, receiver, place, noted, failures: 0, given_up: 0, overtaken: 0 }
    }

    /// Goes on until the gate ends or the receiver is gone.
    pub(super) async fn run(mut self) {
        let mut head = self.engine.store().feed_head();
        loop {
            if *head.borrow_and_update() <= self.place.position {
                if head.changed().await.is_err() {
                    return;
                }
                continue;
            }
            let page = match self.engine.store().feed(self.place.position, PAGE).await {
                Ok(page) => page,
                Err(error) => {
                    tracing::warn!(%error, webhook = self.receiver.name, "what is to be told cannot be read; trying again");
                    tokio::time::sleep(STORE_RETRY).await;
                    continue;
                }
            };
            if page.lost && page.floor > self.overtaken {
                self.overtaken = page.floor;
                tracing::warn!(
                    webhook = self.receiver.name,
                    "what happened before was deleted by age or size and can be told no more"
                );
            }
            for change in page.rows {
                if self.take(change).await.is_none() {
                    return;
                }
            }
            self.place.position = self.place.position.max(page.next);
            let behind = self.place.position.saturating_sub(self.noted.position);
            if behind >= UNNOTED || self.place.given_up != self.noted.given_up {
                self.note().await;
            }
        }
    }

    /// Tells one change, or passes over it. `None` when the receiver wants no more.
    async fn take(&mut self, change: FeedRow) -> Option<()> {
        let sequence = change.sequence;
        let ended = if self.receiver.wants(&change) { Some(self.tell(change).await) } else { None };
        match ended {
            Some(Ended::Taken) => {
                self.place.delivered = self.place.delivered.saturating_add(1);
                self.place.position = sequence;
                self.note().await;
            }
            Some(Ended::GivenUp) => {
                self.engine.metrics().notified(Notified::GivenUp);
                self.place.given_up = self.place.given_up.saturating_add(1);
                self.place.position = sequence;
            }
            Some(Ended::Gone) => return None,
            None => self.place.position = sequence,
        }
        Some(())
    }

    async fn tell(&mut self, change: FeedRow) -> Ended {
        let occurred_at = occurred_at(&change);
        let what = kind(&change).as_str();
        if self.time_left(occurred_at).is_none() {
            return self.give_up(what, &change.question.id);
        }
        let question = change.question.id.clone();
        let receiver = Arc::clone(&self.receiver);
        let store = self.engine.store().id().to_owned();
        // Framing a long command is work that the runtime's own threads are not for.
        let words =
            tokio::task::spawn_blocking(move || Notification::of(&store, change, receiver.console.as_ref()))
                .await;
        let notification = match words {
            Ok(Ok(notification)) => notification,
            Ok(Err(error)) => {
                tracing::error!(%error, webhook = self.receiver.name, what, id = question, "this cannot be told");
                return Ended::GivenUp;
            }
            Err(error) => {
                tracing::error!(%error, webhook = self.receiver.name, what, id = question, "this cannot be told");
                return Ended::GivenUp;
            }
        };
        loop {
            let sent_at = self.engine.now().0.div_euclid(1_000_000);
            let wait = match self.receiver.tell(&notification, sent_at).await {
                Reply::Taken => {
                    self.taken(what, &notification.id);
                    return Ended::Taken;
                }
                Reply::Gone => {
                    tracing::warn!(
                        webhook = self.receiver.name,
                        "the receiver answered 410: it is told nothing more until its settings change or the gate is \
                         started again"
                    );
                    return Ended::Gone;
                }
                Reply::Refused { why, retry_after } => self.refused(&why, retry_after, &notification.id),
            };
            let Some(left) = self.time_left(occurred_at) else { return self.give_up(what, &question) };
            tokio::time::sleep(wait.min(left)).await;
            if self.time_left(occurred_at).is_none() {
                return self.give_up(what, &question);
            }
        }
    }

    fn taken(&mut self, what: &str, id: &str) {
        self.engine.metrics().notified(Notified::Taken);
        if self.failures > 0 || self.given_up > 0 {
            let (failures, given_up) = (self.failures, self.given_up);
            tracing::info!(
                webhook = self.receiver.name,
                failures,
                given_up,
                "the receiver takes notifications again"
            );
        }
        self.failures = 0;
        self.given_up = 0;
        tracing::debug!(webhook = self.receiver.name, what, id, "told");
    }

    /// How long to wait before the next attempt.
    fn refused(&mut self, why: &str, retry_after: Option<Duration>, id: &str) -> Duration {
        self.engine.metrics().notified(Notified::Failed);
        self.failures = self.failures.saturating_add(1);
        let wait = PACING.wait(self.failures, retry_after.map(|asked_for| asked_for.min(LONGEST_ASKED)));
        // An outage is one line, not one for each attempt.
        if self.failures == 1 {
            tracing::warn!(
                webhook = self.receiver.name,
                id,
                why,
                "a notification was not taken; trying again until it is"
            );
        } else {
            tracing::debug!(
                webhook = self.receiver.name,
                id,
                why,
                failures = self.failures,
                ?wait,
                "not taken"
            );
        }
        wait
    }

    fn give_up(&mut self, what: &str, question: &str) -> Ended {
        self.given_up = self.given_up.saturating_add(1);
        // After a long outage this is said once, and counted when something is taken again.
        if self.given_up == 1 {
            tracing::warn!(
                webhook = self.receiver.name,
                what,
                id = question,
                "it happened too long ago to be told; what is too old is given up"
            );
        }
        Ended::GivenUp
    }

    /// How long what happened then may still be told.
    fn time_left(&self, occurred_at: i64) -> Option<Duration> {
        let age = u64::try_from(self.engine.now().0.saturating_sub(occurred_at)).unwrap_or_default();
        self.receiver.settings.max_age.checked_sub(Duration::from_micros(age)).filter(|left| !left.is_zero())
    }

    /// Makes the place durable. Where that fails, a restart tells some things again.
    async fn note(&mut self) {
        let batch = Batch { changes: vec![Change::PutDelivery(self.place.clone())], ..Batch::default() };
        match self.engine.store().submit(batch).await {
            Ok(_) => self.noted = self.place.clone(),
            Err(error) => {
                tracing::warn!(%error, webhook = self.receiver.name, "how far it was told cannot be stored");
            }
        }
    }
}
