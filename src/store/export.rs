//! A stretch of a project's chain, read a page at a time to be taken elsewhere.
//!
//! Promises that a stretch is in order and bounded from the moment it was found, whatever is written meanwhile, and that a
//! page holds a few MiB at most beside its last record. Knows nothing of the form that records leave in.

use super::Store;
use super::audit::Head;
use super::error::StoreError;
use super::query::{DecisionFilter, Page};
use super::rows::{RecordRow, Timestamp};

/// Records of one page, at most.
const PAGE: u32 = 500;

/// Which records are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StretchWish {
    /// The project.
    pub project: String,
    /// Behind this record.
    pub after: u64,
    /// From the first record at or after this instant.
    pub from: Option<Timestamp>,
    /// To the last record before this instant.
    pub until: Option<Timestamp>,
}

/// A stretch of the chain, and how far it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    project: String,
    after: u64,
    last: u64,
    head: Option<Head>,
}

impl Stretch {
    /// Finds where the stretch begins and ends. Records are written in the order of their sequence, and their times follow it
    /// but for moments: what lies between the first and the last that fit belongs to the stretch, so that it has no gap.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn find(store: &dyn Store, wish: &StretchWish) -> Result<Self, StoreError> {
        let of_project = || DecisionFilter { project: wish.project.clone(), ..DecisionFilter::default() };
        let head = one(store, of_project(), None, true).await?;
        let mut stretch = Self {
            project: wish.project.clone(),
            after: wish.after,
            last: head.as_ref().map_or(0, |row| row.sequence),
            head: head.map(|row| Head { sequence: row.sequence, hash: row.hash }),
        };
        if wish.from.is_some() {
            let filter = DecisionFilter { from: wish.from, ..of_project() };
            let first = one(store, filter, Some(wish.after), false).await?;
            stretch.after = first.map_or(stretch.last, |row| row.sequence.saturating_sub(1));
        }
        if wish.until.is_some() {
            let filter = DecisionFilter { until: wish.until, ..of_project() };
            let last = one(store, filter, None, true).await?;
            stretch.last = last.map_or(0, |row| row.sequence.min(stretch.last));
        }
        Ok(stretch)
    }

    /// The next records; none behind the last.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn next(&mut self, store: &dyn Store) -> Result<Vec<RecordRow>, StoreError> {
        if self.after >= self.last {
            return Ok(Vec::new());
        }
        let filter = DecisionFilter { project: self.project.clone(), ..DecisionFilter::default() };
        let page = Page { size: PAGE, after: Some(self.after), newest_first: false };
        let mut rows = store.decisions(filter, page).await?.rows;
        rows.retain(|row| row.sequence <= self.last);
        self.after = rows.last().map_or(self.last, |row| row.sequence);
        Ok(rows)
    }

    /// The record that it ends with; 0 where it holds none.
    #[must_use]
    pub fn last(&self) -> u64 {
        if self.after >= self.last { 0 } else { self.last }
    }

    /// The end of the chain when the stretch was found.
    #[must_use]
    pub fn head(&self) -> Option<Head> {
        self.head
    }
}

async fn one(
    store: &dyn Store,
    filter: DecisionFilter,
    after: Option<u64>,
    newest_first: bool,
) -> Result<Option<RecordRow>, StoreError> {
    let listing = store.decisions(filter, Page { size: 1, after, newest_first }).await?;
    Ok(listing.rows.into_iter().next())
}
