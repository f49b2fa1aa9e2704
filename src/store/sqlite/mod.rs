//! The store in one SQLite file, or in memory. One thread writes; others read; nobody blocks the runtime.
//!
//! One process at a time may open a file for writing, because the session layer keeps live state in memory; a second one
//! is refused. Any number may open it read-only meanwhile. The file must not be on a network file system, where neither
//! locks nor syncs can be trusted.

mod append;
mod apply;
pub mod backup;
mod columns;
mod list;
mod open;
mod presence;
mod read;
mod readers;
mod retention;
mod schema;
mod verify;
mod writer;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use rusqlite::Connection;
use tokio::sync::{oneshot, watch};

pub use self::open::SqliteOptions;
use self::open::WriterConnection;
use self::readers::Readers;
use self::verify::{Slice, Verifier};
use self::writer::{Busy, Work, Writer};
use super::audit::Verification;
use super::batch::Batch;
use super::error::{OpenError, StoreError};
use super::query::{
    DecisionFilter, FeedPage, Health, Listing, OpenCounts, Page, Prunable, SessionCursor, SessionFilter,
    Size, Snapshot,
};
use super::receipt::Receipt;
use super::rows::{
    Belief, ClosedSession, DeliveryRow, DenialRow, EscalationRow, GrantRow, HaltRow, QuestionKind, RecordRow,
    RequestRow, SessionRow, Timestamp,
};
use super::{Progress, Reading, Store};

/// Threads for reads that a decision or an answer waits for.
const LOOKUP_THREADS: usize = 3;
/// Threads for listings and verification, which may take long and must not hold up the others.
const LISTING_THREADS: usize = 2;
/// Why a store that was opened for reading takes no batches.
const READ_ONLY: &str = "it was opened for reading only";

/// A [`Store`] in SQLite.
///
/// Dropping it writes what was submitted and waits for that, so drop it where blocking is allowed, or call
/// [`close`](Store::close) before.
#[derive(Debug)]
pub struct SqliteStore {
    work: Sender<Work>,
    lookups: Readers,
    listings: Arc<Readers>,
    health: watch::Receiver<Health>,
    feed_head: watch::Receiver<u64>,
    /// The writer, where there is one, comes last.
    threads: Mutex<Vec<JoinHandle<()>>>,
    read_only: bool,
    found: Found,
    /// Since when the writer has been at the group that it writes.
    busy: Arc<Busy>,
}

/// What the store was found to be when it was opened.
#[derive(Clone, Debug)]
struct Found {
    id: String,
    newest_at: Option<Timestamp>,
    feed_head: u64,
}

impl Found {
    fn read(connection: &Connection, path: &Path) -> Result<Self, OpenError> {
        let found = || {
            Ok(Self {
                id: read::store_id(connection)?,
                newest_at: retention::newest_record(connection)?,
                feed_head: read::feed_head(connection)?,
            })
        };
        found().map_err(|source| OpenError::Database { path: path.to_owned(), source })
    }
}

impl SqliteStore {
    /// Opens the file for reading and writing, creating it if need be, and migrates it to the current schema.
    ///
    /// # Errors
    /// When another process has it open for writing, when a later release or another program wrote it, and when the file
    /// system or SQLite refuses.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        Self::open_with(path, &SqliteOptions::default())
    }

    /// The same with other settings.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, options: &SqliteOptions) -> Result<Self, OpenError> {
        let (database, path) = open::open_writer(path.as_ref(), options)?;
        let readers =
            |threads| (0..threads).map(|_| open::open_reader(&path, options)).collect::<Result<Vec<_>, _>>();
        let (lookups, mut threads) = Readers::pool(readers(LOOKUP_THREADS)?)?;
        let (listings, listing_threads) = Readers::pool(readers(LISTING_THREADS)?)?;
        threads.extend(listing_threads);
        let (work, queue) = channel();
        Self::start(database, work, queue, [lookups, listings], threads, &path)
    }

    /// Opens the file for reading only, while another process may write to it: for audits and listings. Batches fail as
    /// unavailable, and the feed's head stays where it was.
    ///
    /// # Errors
    /// As [`open`](Self::open), and when an earlier release wrote the file, which reading cannot migrate.
    pub fn open_read_only(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let (path, options) = (path.as_ref(), SqliteOptions::default());
        let connection = open::open_reader(path, &options)?;
        schema::check_current(&connection, path)?;
        let found = Found::read(&connection, path)?;
        let (lookups, mut threads) = Readers::pool(vec![connection])?;
        let (listings, listing_threads) = Readers::pool(vec![open::open_reader(path, &options)?])?;
        threads.extend(listing_threads);
        Ok(Self {
            // Nobody listens to this queue; `submit` does not use it.
            work: channel().0,
            lookups,
            listings: Arc::new(listings),
            health: watch::channel(Health::Unavailable { reason: READ_ONLY.into() }).1,
            feed_head: watch::channel(found.feed_head).1,
            threads: Mutex::new(threads),
            read_only: true,
            found,
            busy: Arc::default(),
        })
    }

    /// A store in memory that is gone when it is dropped.
    ///
    /// # Errors
    /// When SQLite or the system refuses.
    pub fn ephemeral() -> Result<Self, OpenError> {
        let database = open::open_in_memory(&SqliteOptions::default())?;
        let (work, queue) = channel();
        let readers = [Readers::Writer(work.clone()), Readers::Writer(work.clone())];
        Self::start(database, work, queue, readers, Vec::new(), Path::new(":memory:"))
    }

    fn start(
        database: WriterConnection,
        work: Sender<Work>,
        queue: Receiver<Work>,
        [lookups, listings]: [Readers; 2],
        mut threads: Vec<JoinHandle<()>>,
        path: &Path,
    ) -> Result<Self, OpenError> {
        let found = Found::read(&database.connection, path)?;
        let (health_sender, health) = watch::channel(Health::Available);
        let (feed_sender, feed_head) = watch::channel(found.feed_head);
        let busy = Arc::<Busy>::default();
        let writer = Writer::new(database, queue, health_sender, feed_sender, Arc::clone(&busy));
        let thread = std::thread::Builder::new()
            .name("haltgate-writer".into())
            .spawn(move || writer.run())
            .map_err(OpenError::Thread)?;
        threads.push(thread);
        Ok(Self {
            work,
            lookups,
            listings: Arc::new(listings),
            health,
            feed_head,
            threads: Mutex::new(threads),
            read_only: false,
            found,
            busy,
        })
    }

    fn read_slowly<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Reading<T> {
        self.listings.run(|connection| read(connection).map_err(StoreError::unavailable))
    }

    fn look_up<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Reading<T> {
        self.lookups.run(|connection| read(connection).map_err(StoreError::unavailable))
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.lookups.close();
        self.listings.close();
        let mut threads = std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        let writer = threads.pop();
        let join = |thread: JoinHandle<()>| {
            if thread.join().is_err() {
                tracing::error!("a thread of the store panicked");
            }
        };
        threads.into_iter().for_each(join);
        // The writer comes last: only its connection can tidy up behind all others. After `close` nobody listens any more,
        // and there is nothing left to stop.
        let _closed_already = self.work.send(Work::Stop);
        writer.into_iter().for_each(join);
    }
}

impl Store for SqliteStore {
    fn submit(&self, batch: Batch) -> Receipt {
        let (acknowledgement, receipt) = Receipt::new();
        if self.read_only {
            acknowledgement.resolve(Err(StoreError::unavailable(READ_ONLY)));
            return receipt;
        }
        // A closed queue drops the acknowledgement, which the receipt hears.
        let _closed = self.work.send(Work::Write(batch, acknowledgement));
        receipt
    }

    fn session(&self, project: &str, session: &str) -> Reading<Option<SessionRow>> {
        let (project, session) = (project.to_owned(), session.to_owned());
        self.look_up(move |connection| read::session(connection, &project, &session))
    }

    fn sessions(
        &self,
        filter: SessionFilter,
        page: Page<SessionCursor>,
    ) -> Reading<Listing<SessionRow, SessionCursor>> {
        self.listings.run(move |connection| list::sessions(connection, filter, page))
    }

    fn open_sessions(&self, project: &str, since: Timestamp, enough: u64) -> Reading<u64> {
        let project = project.to_owned();
        // Where there are many it takes long, and nobody else must wait for that.
        self.listings.run(move |connection| {
            read::open_sessions(connection, &project, since, enough).map_err(StoreError::unavailable)
        })
    }

    fn open_questions(&self, project: &str) -> Reading<u64> {
        let project = project.to_owned();
        self.look_up(move |connection| read::count_open_questions(connection, &project))
    }

    fn grants(&self, project: &str) -> Reading<Vec<GrantRow>> {
        let project = project.to_owned();
        self.look_up(move |connection| read::grants(connection, &project, None))
    }

    fn session_grants(&self, project: &str, session: &str) -> Reading<Vec<GrantRow>> {
        let (project, session) = (project.to_owned(), session.to_owned());
        self.look_up(move |connection| read::grants(connection, &project, Some(&session)))
    }

    fn denials(&self, project: &str, session: &str) -> Reading<Vec<DenialRow>> {
        let (project, session) = (project.to_owned(), session.to_owned());
        self.look_up(move |connection| read::denials(connection, &project, &session))
    }

    fn escalation(&self, id: &str) -> Reading<Option<EscalationRow>> {
        let id = id.to_owned();
        self.look_up(move |connection| read::question(connection, QuestionKind::Escalation, &id))
    }

    fn open_escalations(&self, project: Option<&str>, session: Option<&str>) -> Reading<Vec<EscalationRow>> {
        let (project, session) = (project.map(str::to_owned), session.map(str::to_owned));
        self.look_up(move |connection| {
            list::open_questions(connection, QuestionKind::Escalation, project, session)
        })
    }

    fn halt(&self, id: &str) -> Reading<Option<HaltRow>> {
        let id = id.to_owned();
        self.look_up(move |connection| read::question(connection, QuestionKind::Halt, &id))
    }

    fn open_halts(&self, project: Option<&str>, session: Option<&str>) -> Reading<Vec<HaltRow>> {
        let (project, session) = (project.map(str::to_owned), session.map(str::to_owned));
        self.look_up(move |connection| list::open_questions(connection, QuestionKind::Halt, project, session))
    }

    fn open_counts(&self) -> Reading<OpenCounts> {
        self.look_up(list::open_counts)
    }

    fn snapshot(&self, kind: QuestionKind, project: &str, session: Option<&str>) -> Reading<Snapshot> {
        let (project, session) = (project.to_owned(), session.map(str::to_owned));
        self.look_up(move |connection| list::snapshot(connection, kind, project, session))
    }

    fn request(&self, project: &str, session: &str, request_id: &str) -> Reading<Option<RequestRow>> {
        let (project, session, request_id) = (project.to_owned(), session.to_owned(), request_id.to_owned());
        self.look_up(move |connection| read::request(connection, &project, &session, &request_id))
    }

    fn decisions(&self, filter: DecisionFilter, page: Page<u64>) -> Reading<Listing<RecordRow, u64>> {
        self.listings.run(move |connection| list::decisions(connection, filter, page))
    }

    fn decision(&self, id: &str) -> Reading<Option<RecordRow>> {
        let id = id.to_owned();
        self.look_up(move |connection| read::record(connection, &id))
    }

    fn projects(&self) -> Reading<Vec<String>> {
        self.listings.run(|connection| read::projects(connection).map_err(StoreError::unavailable))
    }

    fn verify(&self, project: &str, progress: Progress) -> Reading<Verification> {
        let readers = Arc::clone(&self.listings);
        let project = project.to_owned();
        Box::pin(async move {
            let start = move |connection: &Connection| {
                Verifier::start(connection, project).map_err(StoreError::unavailable)
            };
            let mut verifier = readers.run(start).await?;
            loop {
                let (checked, head) = verifier.progress();
                progress(checked, head);
                let slice = move |connection: &Connection| {
                    verifier.slice(connection).map_err(StoreError::unavailable)
                };
                match readers.run(slice).await? {
                    Slice::More(rest) => verifier = rest,
                    Slice::Done(verification) => return Ok(verification),
                }
            }
        })
    }

    fn feed(&self, after: u64, limit: u32) -> Reading<FeedPage> {
        self.look_up(move |connection| list::feed(connection, after, limit))
    }

    fn feed_head(&self) -> watch::Receiver<u64> {
        self.feed_head.clone()
    }

    fn deliveries(&self) -> Reading<Vec<DeliveryRow>> {
        self.look_up(read::deliveries)
    }

    fn id(&self) -> &str {
        &self.found.id
    }

    fn newest_at_opening(&self) -> Option<Timestamp> {
        self.found.newest_at
    }

    fn oldest_records(&self) -> Reading<Vec<(String, Timestamp)>> {
        self.read_slowly(retention::oldest_records)
    }

    fn prunable(&self, project: &str, before: Timestamp, limit: u32) -> Reading<Option<Prunable>> {
        let project = project.to_owned();
        self.read_slowly(move |connection| retention::prunable(connection, &project, before, limit))
    }

    fn closed_sessions(&self, before: Timestamp, limit: u32) -> Reading<Vec<ClosedSession>> {
        self.read_slowly(move |connection| retention::closed_sessions(connection, before, limit))
    }

    fn belief(&self) -> Reading<Option<Belief>> {
        self.read_slowly(retention::belief)
    }

    fn size(&self) -> Reading<Size> {
        self.read_slowly(retention::size)
    }

    fn shrink(&self) -> Reading<bool> {
        let shrink = |connection: &Connection| retention::shrink(connection).map_err(StoreError::unavailable);
        if self.read_only {
            return Box::pin(std::future::ready(Ok(false)));
        }
        // Only the connection that writes can.
        Readers::Writer(self.work.clone()).run(shrink)
    }

    fn health(&self) -> Health {
        // A writer that ended without saying so has panicked.
        if !self.read_only && self.health.has_changed().is_err() {
            return Health::Closed;
        }
        let health = self.health.borrow().clone();
        match (&health, self.busy.stalled()) {
            (Health::Available, Some(stalled)) => Health::Unavailable {
                reason: format!("the disk has kept a write waiting for {} s", stalled.as_secs()),
            },
            (Health::Available, None) | (Health::Unavailable { .. } | Health::Closed, _) => health,
        }
    }

    fn close(&self) -> Reading<()> {
        self.lookups.close();
        self.listings.close();
        let (reply, answer) = oneshot::channel();
        let _closed_already = self.work.send(Work::Close(reply));
        // A second `close` finds nobody to answer, and nothing to do.
        Box::pin(async move { answer.await.unwrap_or(Ok(())) })
    }
}
