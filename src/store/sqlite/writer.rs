//! The thread that writes: takes batches off the queue, commits them in groups, and answers receipts after the commit.
//! Promises order (the queue's), atomicity (a savepoint per batch) and durability (one synced commit per group).

use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

use super::apply::{Failure, apply};
use super::open::WriterConnection;
use super::readers::Job;
use crate::store::batch::Batch;
use crate::store::error::StoreError;
use crate::store::query::Health;
use crate::store::receipt::{Acknowledgement, Committed};

/// Batches that one commit may hold.
const GROUP_BATCHES: usize = 256;
/// How long a group may grow before it is committed.
const GROUP_TIME: Duration = Duration::from_millis(2);
/// After a failure, how often the writer finds out by itself whether writes succeed again.
const PROBE_EVERY: Duration = Duration::from_secs(1);
/// What a probe writes: enough to need new pages, which a full disk does not give.
const PROBE_BYTES: i64 = 64 * 1024;

/// What the queue carries.
pub(super) enum Work {
    /// A batch to write.
    Write(Batch, Acknowledgement),
    /// A read on the writer's own connection.
    Read(Job),
    /// Write what came before, check-point, and end.
    Close(oneshot::Sender<Result<(), StoreError>>),
    /// Write what came before, and end.
    Stop,
}

/// How long a group may take before the store counts as unavailable: a sound disk needs milliseconds.
const STALLED: Duration = Duration::from_secs(5);

/// Since when the writer has been at what it does.
#[derive(Debug, Default)]
pub(super) struct Busy(Mutex<Option<Instant>>);

impl Busy {
    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    /// For how long it has been at it, if that is longer than a sound disk would need.
    pub(super) fn stalled(&self) -> Option<Duration> {
        let since = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        since.map(|since| since.elapsed()).filter(|busy| *busy >= STALLED)
    }
}

/// The state of the writing thread.
pub(super) struct Writer {
    database: WriterConnection,
    queue: Receiver<Work>,
    health: watch::Sender<Health>,
    feed_head: watch::Sender<u64>,
    busy: Arc<Busy>,
    /// Whoever is to be told that the store is closed.
    closing: Option<oneshot::Sender<Result<(), StoreError>>>,
}

/// The batches of one commit, in order, each with its outcome.
type Group = Vec<(Acknowledgement, Result<Committed, StoreError>)>;

impl Writer {
    pub(super) fn new(
        database: WriterConnection,
        queue: Receiver<Work>,
        health: watch::Sender<Health>,
        feed_head: watch::Sender<u64>,
        busy: Arc<Busy>,
    ) -> Self {
        Self { database, queue, health, feed_head, busy, closing: None }
    }

    /// Works until it is told to end or every sender is gone.
    pub(super) fn run(mut self) {
        while self.next().is_continue() {}
        let Self { database, closing, health, .. } = self;
        let closed = closing.map(|reply| (check_point(&database.connection), reply));
        // Before anybody is told: whoever closed the store may open its file again.
        drop(database);
        health.send_replace(Health::Closed);
        if let Some((outcome, reply)) = closed {
            let _nobody_waits = reply.send(outcome);
        }
    }

    fn next(&mut self) -> ControlFlow<()> {
        let failing = matches!(*self.health.borrow(), Health::Unavailable { .. });
        let work = if failing {
            match self.queue.recv_timeout(PROBE_EVERY) {
                Ok(work) => work,
                Err(RecvTimeoutError::Timeout) => {
                    let probed = self.present().and_then(|()| probe(&self.database.connection));
                    self.report(&probed);
                    return ControlFlow::Continue(());
                }
                Err(RecvTimeoutError::Disconnected) => return ControlFlow::Break(()),
            }
        } else {
            match self.queue.recv() {
                Ok(work) => work,
                Err(_disconnected) => return ControlFlow::Break(()),
            }
        };
        self.handle(work)
    }

    fn handle(&mut self, work: Work) -> ControlFlow<()> {
        match work {
            Work::Write(batch, acknowledgement) => self.write_group(batch, acknowledgement),
            Work::Read(job) => {
                job(&self.database.connection);
                ControlFlow::Continue(())
            }
            Work::Close(reply) => {
                self.closing = Some(reply);
                ControlFlow::Break(())
            }
            Work::Stop => ControlFlow::Break(()),
        }
    }

    /// Commits this batch together with those that are already queued. Other work that is met ends the group and is done
    /// after the commit, so that it sees what was submitted before it.
    fn write_group(&mut self, batch: Batch, acknowledgement: Acknowledgement) -> ControlFlow<()> {
        let started = Instant::now();
        self.busy.set(Some(started));
        let mut group: Group = Vec::new();
        let mut next = Some((batch, acknowledgement));
        let mut other_work = None;
        let mut wrote = false;
        let mut outcome = self.present().and_then(|()| execute(&self.database.connection, "BEGIN IMMEDIATE"));
        while let Some((batch, acknowledgement)) = next.take() {
            let applied = match &outcome {
                Ok(()) => self.apply_one(&batch),
                Err(error) => Err(Failure::Batch(StoreError::unavailable(error))),
            };
            match applied {
                Ok(committed) => {
                    wrote |= !batch.changes.is_empty() || !batch.records.is_empty();
                    group.push((acknowledgement, Ok(committed)));
                }
                Err(Failure::Batch(error)) => group.push((acknowledgement, Err(error))),
                Err(Failure::Database(error)) => {
                    group.push((acknowledgement, Err(StoreError::unavailable(&error))));
                    outcome = Err(error);
                }
            }
            // Once the database failed, what is already queued was computed from state that is not going to be stored:
            // it fails too, and at once, instead of waiting for the same disk again.
            let full = outcome.is_ok() && (group.len() >= GROUP_BATCHES || started.elapsed() >= GROUP_TIME);
            if !full {
                match self.queue.try_recv() {
                    Ok(Work::Write(batch, acknowledgement)) => next = Some((batch, acknowledgement)),
                    Ok(work) => other_work = Some(work),
                    Err(TryRecvError::Empty | TryRecvError::Disconnected) => {}
                }
            }
        }
        self.finish(group, outcome, wrote);
        self.busy.set(None);
        other_work.map_or(ControlFlow::Continue(()), |work| self.handle(work))
    }

    /// That what is written can be found again.
    fn present(&self) -> rusqlite::Result<()> {
        let Some(presence) = &self.database.presence else { return Ok(()) };
        let Some(lost) = presence.lost() else { return Ok(()) };
        if matches!(*self.health.borrow(), Health::Available)
            && let Err(error) = check_point(&self.database.connection)
        {
            // What was acknowledged may be in a log that has no name any more.
            tracing::error!(%error, "what the write-ahead log holds could not be moved into the database file");
        }
        Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR),
            Some(lost),
        ))
    }

    fn apply_one(&self, batch: &Batch) -> Result<Committed, Failure> {
        let connection = &self.database.connection;
        execute(connection, "SAVEPOINT batch")?;
        let applied = apply(connection, batch);
        match &applied {
            Ok(_) => execute(connection, "RELEASE batch")?,
            // SQLite may have ended the whole transaction by itself; then there is no savepoint to return to.
            Err(_) if connection.is_autocommit() => {
                let gone = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ABORT_ROLLBACK);
                return Err(applied
                    .err()
                    .filter(|failure| matches!(failure, Failure::Database(_)))
                    .unwrap_or(Failure::Database(rusqlite::Error::SqliteFailure(gone, None))));
            }
            Err(_) => {
                execute(connection, "ROLLBACK TO batch")?;
                execute(connection, "RELEASE batch")?;
            }
        }
        applied
    }

    /// Commits, and only then tells anybody.
    fn finish(&mut self, group: Group, outcome: rusqlite::Result<()>, wrote: bool) {
        let connection = &self.database.connection;
        let outcome = outcome.and_then(|()| execute(connection, "COMMIT"));
        if outcome.is_err()
            && !connection.is_autocommit()
            && let Err(error) = execute(connection, "ROLLBACK")
        {
            tracing::error!(%error, "could not roll back a failed group of batches");
        }
        // That nothing could be committed without an error says nothing of whether writes succeed.
        if wrote || outcome.is_err() {
            self.report(&outcome);
        }
        match outcome {
            Ok(()) => {
                let feed = group.iter().filter_map(|(_, outcome)| outcome.as_ref().ok()?.feed).max();
                if let Some(feed) = feed {
                    self.feed_head.send_replace(feed);
                }
                for (acknowledgement, outcome) in group {
                    acknowledgement.resolve(outcome);
                }
            }
            // Conflicts are not told either: they were found against neighbours that are not stored.
            Err(error) => {
                let failure = StoreError::unavailable(error);
                for (acknowledgement, _) in group {
                    acknowledgement.resolve(Err(failure.clone()));
                }
            }
        }
    }

    fn report(&self, outcome: &rusqlite::Result<()>) {
        let now = match outcome {
            Ok(()) => Health::Available,
            Err(error) => Health::Unavailable { reason: error.to_string() },
        };
        self.health.send_if_modified(|before| {
            if *before == now {
                return false;
            }
            match &now {
                Health::Available => tracing::info!("the store can write again"),
                Health::Unavailable { reason } => tracing::error!(%reason, "the store cannot write"),
                Health::Closed => {}
            }
            *before = now;
            true
        });
    }
}

fn execute(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([]).map(|_| ())
}

fn probe(connection: &Connection) -> rusqlite::Result<()> {
    let transaction =
        rusqlite::Transaction::new_unchecked(connection, rusqlite::TransactionBehavior::Immediate)?;
    transaction.prepare_cached("INSERT INTO probe VALUES (zeroblob(?1))")?.execute([PROBE_BYTES])?;
    transaction.prepare_cached("DELETE FROM probe")?.execute([])?;
    transaction.commit()
}

/// Moves everything from the write-ahead log into the database file and empties the log.
fn check_point(connection: &Connection) -> Result<(), StoreError> {
    let blocked: bool = connection
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))
        .map_err(StoreError::unavailable)?;
    if blocked {
        // Nothing is lost: the log stays beside the database and is read when it is opened again.
        tracing::warn!("another process reads the database; its write-ahead log was not emptied");
    }
    Ok(())
}
