//! Durable rows: sessions, grants, denials, questions to humans, idempotent requests, the audit chain, and how far
//! notifications have come.
//!
//! Promises: a [`Batch`] is applied whole or not at all, in the order of submission, and its [`Receipt`] resolves
//! only once it would survive a power cut. Must not know: rules, the gate, the wire contract or the clock. Closed
//! vocabularies arrive as text that the layers above encode, and every time comes from the caller.
//!
//! A store that several processes share keeps the same promises, and its tables stay the truth. What today relies on there
//! being one process, and what each would need then (`LISTEN`/`NOTIFY` in PostgreSQL):
//!
//! | what | relies on | needs |
//! |---|---|---|
//! | `feed_head` | the writer of this process moving it | a notification at each commit that used a feed sequence, and a look every few seconds in case one was lost; sequences that commit out of order must not be passed over |
//! | the hub of feeds (`session::fan_out`) | `feed_head` only | nothing more |
//! | live sessions and grants (`session::engine`) | nobody else changing them | guards on every batch, which are there, and letting go of a session whose version another process moved on, told by a notification |
//! | waiting for a human (`session::answering`) | the answer being taken here | the feed's resolution of the question waking whoever waits here |
//! | who watches halts (`session::watching`) | all watchers being connected here | a table of watchers with a time to live |
//! | one decision per request id | one live session | the guard `RequestAbsent` on each decision, instead of memory |
//! | retention (`session::retention`) | one keeper | a lock for whoever does it |
//!
//! Nothing here hides secrets on its own: whoever builds a [`NewRecord`], an escalation or a halt passes its body
//! and its text through [`redact`] first.

pub mod audit;
mod batch;
mod error;
mod export;
mod query;
mod receipt;
pub mod redact;
mod rows;
pub mod sqlite;
#[cfg(test)]
mod suite;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use tokio::sync::watch;

pub use self::audit::{BrokenLink, Cut, Head, Verification};
pub use self::batch::{Batch, Change, Guard, NewRecord, Resolve};
pub use self::error::{Conflict, OpenError, StoreError};
pub use self::export::{Stretch, StretchWish};
pub use self::query::{
    DecisionFilter, FeedPage, Health, Listing, OpenCounts, Page, Prunable, SessionCursor, SessionFilter,
    Size, Snapshot,
};
pub use self::receipt::{Acknowledgement, Committed, Receipt, RecordRef, Settled};
pub use self::rows::{
    Belief, ClosedSession, DeliveryRow, DenialRow, EscalationRow, FeedRow, GrantRow, HaltRow, QuestionKind,
    QuestionRow, RecordHash, RecordRow, RequestRow, Resolution, SessionRow, Status, Timestamp,
};
pub use self::sqlite::{SqliteOptions, SqliteStore, backup};

/// A read that runs on threads of the store, never on the asynchronous runtime; dropping it abandons the read.
pub type Reading<T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send>>;

/// Hears how many records a verification has checked, and the sequence it will end at.
pub type Progress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// What the session layer asks of a database. Reads see every batch whose receipt has resolved.
pub trait Store: Send + Sync + 'static {
    /// Enqueues without blocking. Batches are applied one after another in the order of these calls, each of them
    /// atomically; the receipt resolves when the batch is durable or has failed.
    ///
    /// A batch that fails does not hold back those submitted after it, so a batch that was computed from state which
    /// an earlier, still unacknowledged batch wrote needs a [`Guard`] on that state.
    fn submit(&self, batch: Batch) -> Receipt;

    /// The stored session, open or closed.
    fn session(&self, project: &str, session: &str) -> Reading<Option<SessionRow>>;
    /// Sessions by the time they were opened.
    fn sessions(
        &self,
        filter: SessionFilter,
        page: Page<SessionCursor>,
    ) -> Reading<Listing<SessionRow, SessionCursor>>;
    /// How many sessions of a project are open and were changed at `since` or later. Where the project has fewer than `enough`
    /// sessions of any kind, their number will do.
    fn open_sessions(&self, project: &str, since: Timestamp, enough: u64) -> Reading<u64>;
    /// How many escalations and attack halts of a project wait.
    fn open_questions(&self, project: &str) -> Reading<u64>;
    /// The grants a project keeps for all its sessions, in the order they were given.
    fn grants(&self, project: &str) -> Reading<Vec<GrantRow>>;
    /// The grants of one session, in the order they were given.
    fn session_grants(&self, project: &str, session: &str) -> Reading<Vec<GrantRow>>;
    /// The denials of one session, in the order they were given.
    fn denials(&self, project: &str, session: &str) -> Reading<Vec<DenialRow>>;
    /// One escalation, whatever its status. The caller checks whose project it is.
    fn escalation(&self, id: &str) -> Reading<Option<EscalationRow>>;
    /// Escalations that still wait, oldest first; `None` means any project or session.
    fn open_escalations(&self, project: Option<&str>, session: Option<&str>) -> Reading<Vec<EscalationRow>>;
    /// One attack halt, whatever its status. The caller checks whose project it is.
    fn halt(&self, id: &str) -> Reading<Option<HaltRow>>;
    /// Attack halts that still wait, oldest first; `None` means any project or session.
    fn open_halts(&self, project: Option<&str>, session: Option<&str>) -> Reading<Vec<HaltRow>>;
    /// How many of both wait, in all projects.
    fn open_counts(&self) -> Reading<OpenCounts>;
    /// The questions of one kind that wait, as they stand behind one change of the feed, so that a reader who goes on there
    /// misses nothing and sees nothing twice.
    fn snapshot(&self, kind: QuestionKind, project: &str, session: Option<&str>) -> Reading<Snapshot>;
    /// What was answered to this request id earlier.
    fn request(&self, project: &str, session: &str, request_id: &str) -> Reading<Option<RequestRow>>;
    /// Audit records of one project, by sequence.
    fn decisions(&self, filter: DecisionFilter, page: Page<u64>) -> Reading<Listing<RecordRow, u64>>;
    /// One audit record of any kind by its id. The caller checks whose project it is.
    fn decision(&self, id: &str) -> Reading<Option<RecordRow>>;
    /// Names of all projects that have audit records, in order.
    fn projects(&self) -> Reading<Vec<String>>;
    /// Walks the project's hash chain from its start to the head it had when the walk began.
    fn verify(&self, project: &str, progress: Progress) -> Reading<Verification>;
    /// Changes of escalations and halts of all projects after a cursor (0: from the start), oldest first. A `limit` of
    /// 0 means [`query`](FeedPage)'s default.
    fn feed(&self, after: u64, limit: u32) -> Reading<FeedPage>;
    /// The sequence of the last feed change that is durable; changes wake the receiver.
    fn feed_head(&self) -> watch::Receiver<u64>;
    /// How far each receiver of notifications has come, by name.
    fn deliveries(&self) -> Reading<Vec<DeliveryRow>>;
    /// Tells this store from every other: made when it was created, and anew for each copy that a backup makes. What was
    /// read from one store (cursors, page tokens) means nothing to another.
    fn id(&self) -> &str;
    /// The time of the newest record when the store was opened.
    fn newest_at_opening(&self) -> Option<Timestamp>;
    /// The time of each project's oldest record.
    fn oldest_records(&self) -> Reading<Vec<(String, Timestamp)>>;
    /// The oldest records of a project, as far as they are from before an instant, up to a number of them, and never the
    /// head; `None` where there is nothing to drop.
    fn prunable(&self, project: &str, before: Timestamp, limit: u32) -> Reading<Option<Prunable>>;
    /// Sessions of all projects that were closed before an instant, the longest closed first, up to a number of them.
    fn closed_sessions(&self, before: Timestamp, limit: u32) -> Reading<Vec<ClosedSession>>;
    /// Which time retention believes in; `None` before it has run.
    fn belief(&self) -> Reading<Option<Belief>>;
    /// How much room the store takes.
    fn size(&self) -> Reading<Size>;
    /// Gives a little of what deletions have freed back to the file system, in the order of `submit`. Returns whether there
    /// is more to give back.
    fn shrink(&self) -> Reading<bool>;
    /// Whether writes succeed at the moment.
    fn health(&self) -> Health;
    /// Writes everything that was submitted before this call, tidies up and refuses whatever comes later.
    fn close(&self) -> Reading<()>;
}
