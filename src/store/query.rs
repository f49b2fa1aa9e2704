//! What a listing asks for and what it returns: filters, keyset pages and the state of the store.
//! Pages are bounded by rows and by bytes, so a page may be shorter than asked; only `next: None` means the end.

use std::collections::BTreeMap;

use super::rows::{FeedRow, QuestionRow, RecordHash, Timestamp};

/// Rows of a page when the caller does not say.
const DEFAULT_PAGE: u32 = 50;
/// Rows of a page at most; more is clamped.
const LARGEST_PAGE: u32 = 1_000;
/// A page ends once its rows hold this much text: it has to fit the 4 MiB that gRPC clients accept by default.
pub(super) const PAGE_BYTES: usize = 3 * 1024 * 1024;
/// The longest text a listing may search for, in bytes: matching costs its length times that of the records.
pub(super) const LONGEST_NEEDLE: usize = 256;

/// Where a listing starts, how far it goes and in which direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<C> {
    /// Rows at most; 0 means 50, more than 1,000 means 1,000.
    pub size: u32,
    /// The `next` of the page before; `None` starts.
    pub after: Option<C>,
    /// Whether the newest rows come first.
    pub newest_first: bool,
}

impl<C> Default for Page<C> {
    fn default() -> Self {
        Self { size: 0, after: None, newest_first: true }
    }
}

/// A page of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing<T, C> {
    /// The rows, in the order asked for.
    pub rows: Vec<T>,
    /// Where the next page starts; `None` if there is none.
    pub next: Option<C>,
}

/// Which sessions to list; absent conditions hold for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only those of this project.
    pub project: Option<String>,
    /// Only those at this rung.
    pub rung: Option<String>,
    /// Only open (`true`) or only closed (`false`) ones.
    pub open: Option<bool>,
    /// Only those that carry all these labels.
    pub labels: BTreeMap<String, String>,
}

/// The last session of a page.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SessionCursor {
    /// When it was opened.
    pub opened_at: Timestamp,
    /// Its project.
    pub project: String,
    /// Its name.
    pub session: String,
}

/// Which audit records to list; absent conditions hold for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DecisionFilter {
    /// The project whose records are listed.
    pub project: String,
    /// Only those about this session.
    pub session: Option<String>,
    /// Only those about this run.
    pub run: Option<String>,
    /// Only those of this kind.
    pub kind: Option<String>,
    /// Only decisions with this action.
    pub action: Option<String>,
    /// Only decisions of this stage.
    pub stage: Option<String>,
    /// Only those whose text contains this, whatever the case of ASCII letters; 256 bytes at most.
    pub text: Option<String>,
    /// Only those at or after this instant.
    pub from: Option<Timestamp>,
    /// Only those before this instant.
    pub until: Option<Timestamp>,
}

/// Changes of escalations and halts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// The changes, oldest first.
    pub rows: Vec<FeedRow>,
    /// The cursor to go on from.
    pub next: u64,
    /// Retention dropped changes after the cursor that was given: start over from what is open.
    pub lost: bool,
    /// The oldest cursor that a reader can go on from.
    pub floor: u64,
    /// The last change that there is.
    pub head: u64,
}

/// The questions that wait, exactly as they stood behind one change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The questions, oldest first.
    pub rows: Vec<QuestionRow>,
    /// The change: each one before it is in the rows, and none after it.
    pub head: u64,
}

/// How many questions wait, in all projects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenCounts {
    /// Escalations.
    pub escalations: u64,
    /// Attack halts.
    pub halts: u64,
}

/// The oldest records of a project that may be dropped together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prunable {
    /// The last of them.
    pub through: u64,
    /// Its hash, which what remains follows.
    pub hash: RecordHash,
    /// How many they are.
    pub records: u64,
    /// The latest time that one of them has.
    pub newest_at: Timestamp,
}

/// How much room a store takes, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// What rows and indexes fill.
    pub used: u64,
    /// What else it takes: freed by deletions, and filled again before the store grows or given back by `shrink`.
    pub free: u64,
}

/// Whether writes succeed at the moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Health {
    /// The last write succeeded, or none was tried yet.
    Available,
    /// The last write failed; the store keeps trying by itself.
    Unavailable {
        /// The database's own words.
        reason: String,
    },
    /// The store was closed.
    Closed,
}

/// The number of rows that a requested page size stands for.
pub(super) fn page_rows(size: u32) -> usize {
    let rows = if size == 0 { DEFAULT_PAGE } else { size.min(LARGEST_PAGE) };
    usize::try_from(rows).unwrap_or(usize::MAX)
}
