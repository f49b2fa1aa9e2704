//! Deleting what is too old or too much: records, settled questions, answered requests and sessions closed long ago.
//!
//! Promises that decisions are not held up (a bounded piece at a time, with pauses as long as the work), that each deletion is
//! itself a record of the chain, and that nothing which waits, allows or refuses is deleted while its session is open. Goes by
//! the wall clock only while that is to be believed. Knows nothing of tables.

mod calendar;

use self::calendar::{Calendar, DAY, Verdict};
use super::changes::new_id;
use super::engine::Engine;
use super::error::EngineError;
use crate::config::Retention;
use crate::gate::Moment;
use crate::store::audit::{Head, RETENTION};
use crate::store::{
    Batch, Change, ClosedSession, Cut, Guard, NewRecord, Prunable, Settled, StoreError, Timestamp,
};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Rows of each kind that are deleted at a time.
const PIECE: u32 = 128;

/// The shortest pause between two pieces; it is as long as the piece took, and not longer than the longest.
const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// How often in a row nothing may come of giving room back (somebody reads, or the store cannot) before that is left for later.
const PATIENCE: u32 = 20;

/// How often the store's size is looked at.
const LOOK: Duration = Duration::from_secs(30);

/// How often what has grown too old is looked for.
const AGE: Duration = Duration::from_secs(60 * 60);

/// After the start, up to this long passes before the first look, so that gates started together do not delete together.
const START: Duration = Duration::from_secs(10);

/// What is younger stays whatever the store's size: a caller may still retry, and a human still look. In microseconds.
const RETRIES: i64 = 60 * 1_000_000;

/// What a pass deleted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Audit records.
    pub records: u64,
    /// Settled escalations and halts.
    pub questions: u64,
    /// Answered requests.
    pub requests: u64,
    /// Closed sessions, with what they held.
    pub sessions: u64,
}

impl Pruned {
    fn add(&mut self, settled: Settled) {
        self.questions = self.questions.saturating_add(settled.questions);
        self.requests = self.requests.saturating_add(settled.requests);
    }
}

/// What retention goes by from one look to the next.
#[derive(Debug, Default)]
struct Keeper {
    calendar: Option<Calendar>,
    looked_at: i64,
    /// The store is too large and nothing can be deleted; that was said.
    overfull: bool,
}

impl Engine {
    /// Deletes what the settings say, now and again, until the sender of the settings is dropped. A change applies at once.
    pub async fn retain(self, mut settings: watch::Receiver<Retention>) {
        let chance = u32::try_from(RandomState::new().hash_one(0_u8) % 1_000).unwrap_or_default();
        tokio::time::sleep(START * chance / 1_000).await;
        let mut keeper = Keeper::default();
        let mut due = Instant::now();
        loop {
            let retention = settings.borrow_and_update().clone();
            let by_age = Instant::now() >= due;
            if by_age {
                due += AGE;
            }
            match self.look_after(&mut keeper, &retention, by_age).await {
                Ok(pruned) if pruned != Pruned::default() => {
                    let Pruned { records, questions, requests, sessions } = pruned;
                    tracing::info!(
                        records,
                        questions,
                        requests,
                        sessions,
                        "retention deleted what it should"
                    );
                }
                Ok(_nothing) => {}
                Err(error) => tracing::warn!(%error, "retention could not delete; trying again later"),
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK) => {}
                changed = settings.changed() => match changed {
                    Ok(()) => due = Instant::now(),
                    Err(_dropped) => return,
                }
            }
        }
    }

    async fn look_after(
        &self,
        keeper: &mut Keeper,
        retention: &Retention,
        by_age: bool,
    ) -> Result<Pruned, EngineError> {
        let mut pruned = Pruned::default();
        if by_age
            && let Some(max_age) = retention.max_age
            && let Some(now) = self.believed(keeper).await?
        {
            let max_age = i64::try_from(max_age.as_micros()).unwrap_or(i64::MAX);
            self.prune_by_age(Moment(now.saturating_sub(max_age)), &mut pruned).await?;
        }
        if let Some(max_size) = retention.max_size {
            let fits = self.prune_by_size(max_size, &mut pruned).await?;
            if !fits && !keeper.overfull {
                tracing::warn!(
                    max_size,
                    "the store is larger than retention.max_size and holds nothing that may be deleted"
                );
            }
            keeper.overfull = !fits;
        }
        Ok(pruned)
    }

    /// The time to go by, if the wall clock is to be believed.
    async fn believed(&self, keeper: &mut Keeper) -> Result<Option<Timestamp>, EngineError> {
        let store = &self.inner.store;
        let (wall, uptime) = (self.inner.clock.wall().0, self.inner.clock.uptime());
        let calendar = match &mut keeper.calendar {
            Some(calendar) => calendar,
            None => {
                keeper.looked_at = uptime;
                let belief = store.belief().await?;
                keeper.calendar.insert(Calendar::new(belief, store.newest_at_opening(), wall))
            }
        };
        let verdict = calendar.look(wall, uptime.saturating_sub(keeper.looked_at));
        keeper.looked_at = uptime;
        let changes = vec![Change::Believe(calendar.belief())];
        store.submit(Batch { changes, ..Batch::default() }).await?;
        match verdict {
            Verdict::Believed(now) => Ok(Some(now)),
            Verdict::Doubted { ahead, left } => {
                tracing::warn!(
                    ahead_days = ahead / DAY,
                    left_hours = left.div_euclid(DAY / 24) + 1,
                    "the system's clock is ahead of what was last known of the time: it jumped, or the gate was off. Nothing is \
                     deleted by age until the gate has run with this clock for a day"
                );
                Ok(None)
            }
        }
    }

    /// Deletes what is from before a moment that has passed.
    ///
    /// # Errors
    /// The store cannot be read or written; what was deleted until then stays deleted.
    pub async fn prune_by_age(&self, before: Moment, pruned: &mut Pruned) -> Result<(), EngineError> {
        let store = &self.inner.store;
        // What is recorded of it must not itself be from before: that would have no end.
        let before = before.min(self.now());
        for project in store.projects().await? {
            while let Some(prunable) = store.prunable(&project, before.0, PIECE).await? {
                self.prune_piece(&project, &prunable, before.0, "age", pruned).await?;
            }
            self.prune_settled(&project, before, pruned).await?;
        }
        self.forget_closed(before, pruned).await
    }

    async fn prune_settled(
        &self,
        project: &str,
        before: Moment,
        pruned: &mut Pruned,
    ) -> Result<(), EngineError> {
        let mut all = Pruned::default();
        loop {
            let started = Instant::now();
            let changes = vec![Change::PruneSettled { before: before.0, limit: PIECE }];
            let settled = self.inner.store.submit(batch(project, changes)).await?.settled;
            all.add(settled);
            pruned.add(settled);
            if settled == Settled::default() {
                break;
            }
            pause(started).await;
        }
        let Pruned { questions, requests, .. } = all;
        if all != Pruned::default() {
            let text = format!(
                "retention deleted {questions} settled questions and {requests} answered requests by age"
            );
            let body = json!({
                "what": "settled deleted", "by": RETENTION, "why": "age", "before": before,
                "questions": questions, "requests": requests,
            });
            let records = vec![self.retention_record(&text, &body)];
            self.inner.store.submit(Batch { records, ..batch(project, Vec::new()) }).await?;
        }
        Ok(())
    }

    /// Forgets sessions that were closed before a moment, with their grants and denials.
    async fn forget_closed(&self, before: Moment, pruned: &mut Pruned) -> Result<(), EngineError> {
        loop {
            let started = Instant::now();
            let closed = self.inner.store.closed_sessions(before.0, PIECE).await?;
            let receipts: Vec<_> =
                closed.iter().map(|session| self.inner.store.submit(self.forgetting(session))).collect();
            let mut forgotten = 0;
            for (session, receipt) in closed.iter().zip(receipts) {
                match receipt.await {
                    Ok(_) => {
                        forgotten += 1;
                        self.evict(&session.project, &session.session);
                    }
                    // Somebody opened it again.
                    Err(StoreError::Conflict(_)) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            pruned.sessions = pruned.sessions.saturating_add(forgotten);
            if forgotten == 0 {
                return Ok(());
            }
            pause(started).await;
        }
    }

    fn forgetting(&self, closed: &ClosedSession) -> Batch {
        let session = closed.session.clone();
        let guard = Guard::SessionVersion { session: session.clone(), expected: Some(closed.version) };
        let body = json!({ "what": "session deleted", "by": RETENTION, "why": "age", "session": session });
        let text = "retention deleted a session that was closed long ago, with its grants and denials";
        let record = NewRecord { session: Some(session.clone()), ..self.retention_record(text, &body) };
        Batch {
            project: closed.project.clone(),
            guard: vec![guard],
            changes: vec![Change::DeleteSession { session }],
            records: vec![record],
        }
    }

    /// Deletes the oldest of all projects until the store is small enough again, and gives back what it no longer needs.
    /// Returns whether it is.
    ///
    /// # Errors
    /// The store cannot be read or written; what was deleted until then stays deleted.
    pub async fn prune_by_size(&self, max_size: u64, pruned: &mut Pruned) -> Result<bool, EngineError> {
        let store = &self.inner.store;
        // It begins before the limit is reached, and ends with some room: deleting needs room itself.
        let (begin, end) = (max_size - max_size / 16, max_size - max_size / 8);
        let mut size = store.size().await?;
        if size.used > begin {
            // By the time that records have, so that a system's clock that was set back does not keep everything.
            let young = self.now().0.saturating_sub(RETRIES);
            let oldest = store.oldest_records().await?;
            let mut oldest: BinaryHeap<_> =
                oldest.into_iter().map(|(project, at)| Reverse((at, project))).collect();
            while size.used > end
                && let Some(Reverse((_, project))) = oldest.pop()
            {
                let prunable = store.prunable(&project, young, PIECE).await?;
                // One record less and one more would go on for ever.
                let Some(prunable) = prunable.filter(|prunable| prunable.records > 1) else { continue };
                self.prune_piece(&project, &prunable, prunable.newest_at, "size", pruned).await?;
                oldest.push(Reverse((prunable.newest_at, project)));
                size = store.size().await?;
            }
        }
        let fits = size.used <= max_size;
        let mut idle = 0;
        while size.used.saturating_add(size.free) > max_size && idle < PATIENCE {
            let started = Instant::now();
            idle = if store.shrink().await? { 0 } else { idle + 1 };
            size = store.size().await?;
            pause(started).await;
        }
        Ok(fits)
    }

    /// Deletes a piece of a chain, with what was settled before a moment, and records that.
    async fn prune_piece(
        &self,
        project: &str,
        prunable: &Prunable,
        settled_before: Timestamp,
        why: &str,
        pruned: &mut Pruned,
    ) -> Result<(), EngineError> {
        let started = Instant::now();
        let Prunable { through, hash, records, newest_at } = *prunable;
        let cut = Cut::at(&Head { sequence: through, hash });
        let body = json!({
            "what": "records deleted", "by": RETENTION, "why": why, "records": records, "newest_at": newest_at,
            "through": cut.through, "hash": cut.hash,
        });
        let text = format!("retention deleted {records} records up to {through} by {why}");
        let mut batch = batch(
            project,
            vec![
                Change::PruneRecords { through },
                Change::PruneSettled { before: settled_before, limit: PIECE },
            ],
        );
        batch.records.push(self.retention_record(&text, &body));
        let committed = self.inner.store.submit(batch).await?;
        pruned.records = pruned.records.saturating_add(records);
        pruned.add(committed.settled);
        pause(started).await;
        Ok(())
    }

    /// Nothing in it comes from outside, so that nothing has to be redacted.
    fn retention_record(&self, text: &str, body: &Value) -> NewRecord {
        NewRecord {
            id: new_id(),
            at: self.now().0,
            kind: RETENTION.to_owned(),
            text: text.to_owned(),
            body_json: body.to_string(),
            ..NewRecord::default()
        }
    }
}

fn batch(project: &str, changes: Vec<Change>) -> Batch {
    Batch { project: project.to_owned(), changes, ..Batch::default() }
}

/// Leaves the store to others for as long as it was kept from them.
async fn pause(started: Instant) {
    tokio::time::sleep(started.elapsed().clamp(SHORTEST_PAUSE, LONGEST_PAUSE)).await;
}

#[cfg(test)]
mod tests;
