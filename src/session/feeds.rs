//! Live feeds of what waits for humans: everything open, then every change once and in order, behind any cursor.
//!
//! Promises that a feed misses nothing and repeats nothing, however slowly it is read: it reads from memory while it keeps
//! up and from the store when it does not. Knows nothing of gRPC.

use super::answering::read_settled;
use super::engine::{Engine, Inner};
use super::error::EngineError;
use super::ruling::Settled;
use super::watching::{View, Watcher};
use crate::store::{FeedRow, QuestionKind, Resolution, Status};
use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use tokio::sync::broadcast;

/// Changes that are kept in memory for readers that keep up.
const IN_MEMORY: usize = 1_024;

/// Changes that are read from the store at a time.
const PAGE: u32 = 200;

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
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// A human is asked, or a run was halted. Without a cursor: it was open when the feed began.
    Raised(Box<Settled>),
    /// A human answered.
    Answered(Box<Settled>),
    /// It needs no answer any more.
    Withdrawn(Box<Settled>),
    /// Waiting ended without an answer.
    Expired(Box<Settled>),
    /// Everything that was open has been sent.
    SnapshotEnd {
        /// How many there were.
        open: u32,
    },
}

/// One message of a feed.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedItem {
    /// The change to resume behind; `None` inside the snapshot.
    pub cursor: Option<u64>,
    /// What happened.
    pub happening: Happening,
}

/// Hands changes from the store to the feeds that keep up.
#[derive(Debug)]
pub(super) struct Hub {
    changes: broadcast::Sender<Arc<FeedRow>>,
    pump: std::sync::Once,
}

impl Default for Hub {
    fn default() -> Self {
        Self { changes: broadcast::Sender::new(IN_MEMORY), pump: std::sync::Once::new() }
    }
}

/// A feed that is being read.
#[derive(Debug)]
pub struct Feed {
    engine: Engine,
    following: Following,
    changes: broadcast::Receiver<Arc<FeedRow>>,
    /// Everything up to this change has been looked at.
    seen: u64,
    /// What was read and not yet handed out.
    ready: VecDeque<FeedItem>,
    /// Changes are to be read from the store before those in memory.
    behind: bool,
    _watcher: Option<Watcher>,
}

impl Engine {
    /// Begins a feed.
    ///
    /// # Errors
    /// The cursor is not one of this store's, or what follows it is no longer kept; the store cannot be read.
    pub async fn open_feed(&self, following: Following) -> Result<Feed, EngineError> {
        self.pump();
        let changes = self.inner.feeds.changes.subscribe();
        let view = View {
            project: following.project.clone(),
            session: following.session.clone(),
            run: following.run.clone(),
        };
        let watcher = following.answers.then(|| Watcher::join(self, view));
        let mut feed = Feed {
            engine: self.clone(),
            changes,
            seen: following.after.unwrap_or_default(),
            ready: VecDeque::new(),
            behind: true,
            following,
            _watcher: watcher,
        };
        match feed.following.after {
            Some(after) => {
                if after > feed.catch_up().await? {
                    return Err(EngineError::CursorInvalid);
                }
            }
            None => feed.snapshot().await?,
        }
        Ok(feed)
    }

    /// Starts handing changes to the feeds, once.
    fn pump(&self) {
        self.inner.feeds.pump.call_once(|| {
            let head = self.inner.store.feed_head();
            let from = *head.borrow();
            tokio::spawn(pump(Arc::downgrade(&self.inner), head, from));
        });
    }
}

/// Reads each change once for all feeds, as long as the gate exists.
async fn pump(inner: Weak<Inner>, mut head: tokio::sync::watch::Receiver<u64>, mut from: u64) {
    while head.changed().await.is_ok() {
        while from < *head.borrow() {
            let Some(inner) = inner.upgrade() else { return };
            match inner.store.feed(from, PAGE).await {
                Ok(page) => {
                    from = page.next.max(from);
                    for row in page.rows {
                        // Nobody may be listening at the moment.
                        let _listeners = inner.feeds.changes.send(Arc::new(row));
                    }
                }
                Err(error) => {
                    tracing::warn!(%error, "changes for the feeds could not be read; trying again");
                    tokio::time::sleep(super::deciding::RETRY).await;
                }
            }
        }
    }
}

impl Feed {
    /// The change up to which everything was looked at: where a feed that says nothing else can be resumed.
    #[must_use]
    pub fn cursor(&self) -> u64 {
        self.seen
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
            if self.behind {
                let _head = self.catch_up().await?;
                continue;
            }
            match self.changes.recv().await {
                Ok(row) => self.take(&row)?,
                Err(broadcast::error::RecvError::Lagged(_)) => self.behind = true,
                // The sender lives in the engine, which this feed holds.
                Err(broadcast::error::RecvError::Closed) => {
                    return Err(EngineError::Internal("the feed of changes has ended".to_owned()));
                }
            }
        }
    }

    /// Reads the next page of changes from the store. Returns the last change that there is.
    async fn catch_up(&mut self) -> Result<u64, EngineError> {
        let store = &self.engine.inner.store;
        let page = store.feed(self.seen, PAGE).await?;
        if page.lost {
            return Err(EngineError::CursorTooOld { oldest: page.floor });
        }
        // What is not durable yet will come through memory.
        self.behind = page.next < page.head;
        for row in page.rows {
            self.take(&row)?;
        }
        self.seen = self.seen.max(page.next);
        Ok(page.head)
    }

    async fn snapshot(&mut self) -> Result<(), EngineError> {
        let store = &self.engine.inner.store;
        let following = &self.following;
        let open = store.snapshot(following.kind, &following.project, following.session.as_deref()).await?;
        self.seen = open.head;
        // What comes later will come through memory, which is listened to already.
        self.behind = false;
        let mut count = 0_u32;
        for row in open.rows {
            if self.following.run.is_some() && row.run != self.following.run {
                continue;
            }
            count = count.saturating_add(1);
            let happening = Happening::Raised(Box::new(read_settled(row)?));
            self.ready.push_back(FeedItem { cursor: None, happening });
        }
        let happening = Happening::SnapshotEnd { open: count };
        self.ready.push_back(FeedItem { cursor: Some(open.head), happening });
        Ok(())
    }

    /// Takes one change over, if it is of what this feed is about and was not handed out before.
    fn take(&mut self, row: &FeedRow) -> Result<(), EngineError> {
        if row.sequence <= self.seen {
            return Ok(());
        }
        self.seen = row.sequence;
        let following = &self.following;
        let question = &row.question;
        let wanted = row.kind == following.kind
            && question.project == following.project
            && following.session.as_ref().is_none_or(|session| *session == question.session)
            && following.run.as_ref().is_none_or(|run| Some(run) == question.run.as_ref());
        if !wanted {
            return Ok(());
        }
        let settled = Box::new(read_settled(question.clone())?);
        let happening = match row.status {
            Status::Open => Happening::Raised(settled),
            Status::Resolved(Resolution::Answered) => Happening::Answered(settled),
            Status::Resolved(Resolution::Withdrawn) => Happening::Withdrawn(settled),
            Status::Resolved(Resolution::Expired) => Happening::Expired(settled),
        };
        self.ready.push_back(FeedItem { cursor: Some(row.sequence), happening });
        Ok(())
    }
}
