//! Live feeds of what waits for humans: everything open, then every change once and in order, behind any cursor.
//!
//! Promises that a feed misses nothing and repeats nothing, however slowly it is read: it reads from memory while it keeps
//! up and from the store when it does not. Knows nothing of gRPC.

use super::engine::Engine;
use super::error::EngineError;
use super::fan_out::{Entry, Listening, PAGE, Told, Wanted, item};
use super::watching::{View, Watcher};
use crate::store::{FeedRow, QuestionKind};
use std::collections::VecDeque;
use std::sync::Arc;

/// What a feed is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Following {
    /// Escalations or halts.
    pub kind: QuestionKind,
    /// Their project.
    pub project: String,
    /// Only of this session.
    pub session: Option<String>,
    /// Only of this run.
    pub run: Option<String>,
    /// Behind this change; `None` begins with everything that is open.
    pub after: Option<u64>,
    /// Whoever reads it may answer, so that halts wait for it.
    pub answers: bool,
}

/// What happened.
#[derive(Debug, Clone)]
pub enum Happening {
    /// A human is asked, or a run was halted. Without a cursor: it was open when the feed began.
    Raised(Arc<Told>),
    /// A human answered.
    Answered(Arc<Told>),
    /// It needs no answer any more.
    Withdrawn(Arc<Told>),
    /// Waiting ended without an answer.
    Expired(Arc<Told>),
    /// Everything that was open has been sent.
    SnapshotEnd {
        /// How many there were.
        open: u32,
    },
}

/// One message of a feed.
#[derive(Debug, Clone)]
pub struct FeedItem {
    /// The change to resume behind; `None` inside the snapshot.
    pub cursor: Option<u64>,
    /// What happened.
    pub happening: Happening,
}

/// A feed that is being read.
#[derive(Debug)]
pub struct Feed {
    engine: Engine,
    wanted: Wanted,
    /// What is handed to it while it keeps up.
    listening: Listening,
    /// Up to where everything has been looked at.
    entry: Entry,
    /// What was read and not yet handed out.
    ready: VecDeque<FeedItem>,
    _watcher: Option<Watcher>,
}

impl Engine {
    /// Begins a feed.
    ///
    /// # Errors
    /// The cursor is not one of this store's, or what follows it is no longer kept; the store cannot be read.
    pub async fn open_feed(&self, following: Following) -> Result<Feed, EngineError> {
        let Following { kind, project, session, run, after, answers } = following;
        let view = View { project, session, run };
        let watcher = answers.then(|| Watcher::join(self, view.clone()));
        let wanted = Wanted { kind, view };
        let entry = Entry::enter(self, kind, after.unwrap_or_default());
        let mut feed = Feed {
            engine: self.clone(),
            // Before anything is read, so that what becomes durable meanwhile is heard of.
            listening: Listening::begin(self, &entry, &wanted),
            wanted,
            entry,
            ready: VecDeque::new(),
            _watcher: watcher,
        };
        match after {
            Some(after) => {
                if after > feed.catch_up().await? {
                    return Err(EngineError::CursorInvalid);
                }
            }
            None => feed.snapshot().await?,
        }
        Ok(feed)
    }
}

impl Feed {
    /// The change up to which everything was looked at: where a feed that says nothing else can be resumed.
    #[must_use]
    pub fn cursor(&self) -> u64 {
        // In this order: what is handed out after it was asked for does not count.
        let handed_out = self.engine.inner.feeds.handed_out();
        let place = self.entry.place();
        if place.is_behind() || !self.ready.is_empty() || !self.listening.has_everything() {
            return place.seen();
        }
        place.seen().max(handed_out)
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> crate::gate::Moment {
        self.engine.now()
    }

    /// The next message. Dropping the future loses nothing.
    ///
    /// # Errors
    /// What follows is no longer kept; the store cannot be read.
    pub async fn next(&mut self) -> Result<FeedItem, EngineError> {
        loop {
            if let Some(item) = self.ready.pop_front() {
                return Ok(item);
            }
            let place = self.entry.place();
            if place.is_behind() {
                let _head = self.catch_up().await?;
                continue;
            }
            match self.listening.next().await {
                Some(item) if item.cursor > Some(place.seen()) => {
                    place.set_seen(item.cursor.unwrap_or(place.seen()));
                    return Ok(item);
                }
                // It was read from the store already.
                Some(_) => {}
                // It did not keep up: what it was not handed is in the store.
                None => {
                    self.listening = Listening::begin(&self.engine, &self.entry, &self.wanted);
                    place.set_behind(true);
                }
            }
        }
    }

    /// Reads the next page of changes from the store. Returns the last change that there is.
    async fn catch_up(&mut self) -> Result<u64, EngineError> {
        let store = &self.engine.inner.store;
        let page = store.feed(self.entry.place().seen(), PAGE).await?;
        if page.lost {
            return Err(EngineError::CursorTooOld { oldest: page.floor });
        }
        // What is not durable yet will come through memory.
        self.entry.place().set_behind(page.next < page.head);
        for row in page.rows {
            self.take(row)?;
        }
        let place = self.entry.place();
        place.set_seen(place.seen().max(page.next));
        Ok(page.head)
    }

    async fn snapshot(&mut self) -> Result<(), EngineError> {
        let store = &self.engine.inner.store;
        let View { project, session, .. } = &self.wanted.view;
        let open = store.snapshot(self.wanted.kind, project, session.as_deref()).await?;
        self.entry.place().set_seen(open.head);
        // What comes later will come through memory, which is listened to already.
        self.entry.place().set_behind(false);
        let mut count = 0_u32;
        for row in open.rows {
            if !self.wanted.covers(&row) {
                continue;
            }
            count = count.saturating_add(1);
            let happening = Happening::Raised(Told::read(row)?);
            self.ready.push_back(FeedItem { cursor: None, happening });
        }
        let happening = Happening::SnapshotEnd { open: count };
        self.ready.push_back(FeedItem { cursor: Some(open.head), happening });
        Ok(())
    }

    /// Takes one change over from the store, if it is of what this feed is about and was not handed out before.
    fn take(&mut self, row: FeedRow) -> Result<(), EngineError> {
        let place = self.entry.place();
        if row.sequence <= place.seen() {
            return Ok(());
        }
        place.set_seen(row.sequence);
        if self.wanted.includes(&row) {
            self.ready.push_back(item(row)?);
        }
        Ok(())
    }
}
