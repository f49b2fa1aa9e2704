//! Handing each change to every feed that wants it.
//!
//! Promises that a change is read once however many feeds tell of it, that a feed which does not keep up is left to the store
//! instead of being waited for, and that other work gets its turn while many are handed a change. Knows nothing of gRPC.

use super::answering::read_settled;
use super::engine::{Engine, Inner};
use super::error::EngineError;
use super::feeds::{FeedItem, Happening};
use super::ruling::Settled;
use super::watching::View;
use crate::store::{FeedRow, QuestionKind, QuestionRow, Resolution, Status};
use crate::telemetry::FeedState;
use bytes::Bytes;
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError, Weak};
use tokio::sync::{mpsc, watch};

/// Changes that are read from the store at a time.
pub(super) const PAGE: u32 = 200;

/// Changes that wait in memory for one feed; what follows stays in the store.
const IN_MEMORY: usize = 64;

/// Feeds that are woken before whatever else there is to do gets its turn. All at once, two thousand of them would stand in
/// front of the next decision.
const AT_ONCE: usize = 16;

/// A question that feeds tell of, shared by all that tell of the same change.
#[derive(Debug)]
pub struct Told {
    settled: Settled,
    encoded: OnceLock<Option<Bytes>>,
}

impl Told {
    /// Reads a question.
    pub(super) fn read(row: QuestionRow) -> Result<Arc<Self>, EngineError> {
        Ok(Arc::new(Self { settled: read_settled(row)?, encoded: OnceLock::new() }))
    }

    /// The question, and what became of it.
    #[must_use]
    pub fn settled(&self) -> &Settled {
        &self.settled
    }

    /// The question as its readers are sent it: whoever comes first encodes it, and all others are given the same bytes. There
    /// is one encoding, so that everybody must bring the same `encode`.
    pub fn encoded(&self, encode: impl FnOnce(&Settled) -> Option<Vec<u8>>) -> Option<Bytes> {
        self.encoded.get_or_init(|| encode(&self.settled).map(Bytes::from)).clone()
    }
}

/// What a change is to a feed that wants it.
pub(super) fn item(row: FeedRow) -> Result<FeedItem, EngineError> {
    let told = Told::read(row.question)?;
    let happening = match row.status {
        Status::Open => Happening::Raised(told),
        Status::Resolved(Resolution::Answered) => Happening::Answered(told),
        Status::Resolved(Resolution::Withdrawn) => Happening::Withdrawn(told),
        Status::Resolved(Resolution::Expired) => Happening::Expired(told),
    };
    Ok(FeedItem { cursor: Some(row.sequence), happening })
}

/// Which changes a feed is about.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) kind: QuestionKind,
    pub(super) view: View,
}

impl Wanted {
    pub(super) fn includes(&self, row: &FeedRow) -> bool {
        self.kind == row.kind && self.covers(&row.question)
    }

    pub(super) fn covers(&self, question: &QuestionRow) -> bool {
        self.view.covers(&question.project, &question.session, question.run.as_deref().unwrap_or_default())
    }
}

#[derive(Debug)]
struct Listener {
    /// The feed that listens.
    feed: u64,
    wanted: Wanted,
    queue: mpsc::Sender<FeedItem>,
}

#[derive(Debug, Default)]
struct Listeners {
    next: u64,
    by_id: BTreeMap<u64, Listener>,
}

/// How far a feed has come: its own to write, and there to be read by whoever looks after the gate.
#[derive(Debug)]
pub(super) struct Place {
    kind: QuestionKind,
    seen: AtomicU64,
    behind: AtomicBool,
}

impl Place {
    /// Everything up to this change has been looked at.
    pub(super) fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }

    pub(super) fn set_seen(&self, change: u64) {
        self.seen.store(change, Ordering::Relaxed);
    }

    /// Changes are to be read from the store before those in memory.
    pub(super) fn is_behind(&self) -> bool {
        self.behind.load(Ordering::Relaxed)
    }

    pub(super) fn set_behind(&self, behind: bool) {
        self.behind.store(behind, Ordering::Relaxed);
    }
}

/// A feed's entry among all feeds, until it is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    engine: Engine,
    id: u64,
    place: Arc<Place>,
}

impl Entry {
    pub(super) fn enter(engine: &Engine, kind: QuestionKind, seen: u64) -> Self {
        let place = Arc::new(Place { kind, seen: AtomicU64::new(seen), behind: AtomicBool::new(true) });
        let mut places = engine.inner.feeds.places();
        places.next += 1;
        let id = places.next;
        places.by_feed.insert(id, Arc::clone(&place));
        Self { engine: engine.clone(), id, place }
    }

    pub(super) fn place(&self) -> &Place {
        &self.place
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.engine.inner.feeds.places().by_feed.remove(&self.id);
    }
}

#[derive(Debug, Default)]
struct Places {
    next: u64,
    by_feed: BTreeMap<u64, Arc<Place>>,
}

/// Hands changes from the store to the feeds that keep up.
#[derive(Debug)]
pub(super) struct Hub {
    pump: Once,
    listeners: Mutex<Listeners>,
    places: Mutex<Places>,
    /// Every feed was handed all changes up to this one, or is no longer listening.
    handed_out: AtomicU64,
}

impl Default for Hub {
    fn default() -> Self {
        Self {
            pump: Once::new(),
            listeners: Mutex::default(),
            places: Mutex::default(),
            handed_out: AtomicU64::default(),
        }
    }
}

impl Hub {
    fn lock(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn places(&self) -> MutexGuard<'_, Places> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How the feeds of one kind stand, where the last change is `head`.
    pub(super) fn state(&self, kind: QuestionKind, head: u64) -> FeedState {
        // What waits in memory for the feeds that listen; whoever does not listen any more finds the rest in the store.
        let waiting: BTreeMap<u64, usize> = self
            .lock()
            .by_id
            .values()
            .map(|listener| (listener.feed, IN_MEMORY.saturating_sub(listener.queue.capacity())))
            .collect();
        let mut state = FeedState::default();
        for (feed, place) in self.places().by_feed.iter().filter(|(_, place)| place.kind == kind) {
            let lag = match waiting.get(feed) {
                Some(waiting) if !place.is_behind() => u64::try_from(*waiting).unwrap_or(u64::MAX),
                Some(_) | None => head.saturating_sub(place.seen()),
            };
            state.open += 1;
            state.lag = state.lag.max(lag);
        }
        state
    }

    /// The change up to which everything was handed out.
    pub(super) fn handed_out(&self) -> u64 {
        self.handed_out.load(Ordering::Acquire)
    }

    /// Hands a change to every feed that wants it.
    async fn hand_out(&self, row: FeedRow) {
        if !self.lock().by_id.values().any(|listener| listener.wanted.includes(&row)) {
            return;
        }
        let item = match item(row.clone()) {
            Ok(item) => Some(item),
            // Each feed finds out for itself, from the store.
            Err(error) => {
                tracing::warn!(%error, sequence = row.sequence, "a change cannot be told");
                None
            }
        };
        let mut last = 0;
        while self.hand_to_some(&row, item.as_ref(), &mut last) {
            tokio::task::yield_now().await;
        }
    }

    /// Hands a change to the next few feeds behind the last. Returns whether there may be more.
    fn hand_to_some(&self, row: &FeedRow, item: Option<&FeedItem>, last: &mut u64) -> bool {
        let mut listeners = self.lock();
        let wanting = listeners
            .by_id
            .range((Bound::Excluded(*last), Bound::Unbounded))
            .filter(|(_, listener)| listener.wanted.includes(row))
            .take(AT_ONCE);
        let mut handed = 0;
        let mut slow = Vec::new();
        for (id, listener) in wanting {
            *last = *id;
            handed += 1;
            if item.is_none_or(|item| listener.queue.try_send(item.clone()).is_err()) {
                slow.push(*id);
            }
        }
        for id in slow {
            listeners.by_id.remove(&id);
        }
        handed == AT_ONCE
    }
}

/// Reads each change once for all feeds, as long as the gate exists.
async fn pump(inner: Weak<Inner>, mut head: watch::Receiver<u64>, mut from: u64) {
    while head.changed().await.is_ok() {
        while from < *head.borrow() {
            let Some(inner) = inner.upgrade() else { return };
            match inner.store.feed(from, PAGE).await {
                Ok(page) => {
                    from = page.next.max(from);
                    for row in page.rows {
                        inner.feeds.hand_out(row).await;
                    }
                    inner.feeds.handed_out.store(from, Ordering::Release);
                }
                Err(error) => {
                    tracing::warn!(%error, "changes for the feeds could not be read; trying again");
                    tokio::time::sleep(super::deciding::RETRY).await;
                }
            }
        }
    }
}

/// A feed's place among those that are handed changes, until it is dropped.
#[derive(Debug)]
pub(super) struct Listening {
    engine: Engine,
    id: u64,
    queue: mpsc::Receiver<FeedItem>,
}

impl Listening {
    pub(super) fn begin(engine: &Engine, feed: &Entry, wanted: &Wanted) -> Self {
        let hub = &engine.inner.feeds;
        hub.pump.call_once(|| {
            let head = engine.inner.store.feed_head();
            let from = *head.borrow();
            tokio::spawn(pump(Arc::downgrade(&engine.inner), head, from));
        });
        let (sender, queue) = mpsc::channel(IN_MEMORY);
        let mut listeners = hub.lock();
        listeners.next += 1;
        let id = listeners.next;
        listeners.by_id.insert(id, Listener { feed: feed.id, wanted: wanted.clone(), queue: sender });
        Self { engine: engine.clone(), id, queue }
    }

    /// The next change; `None` when it was too slow, so that the store is to be read. Dropping the future loses nothing.
    pub(super) async fn next(&mut self) -> Option<FeedItem> {
        self.queue.recv().await
    }

    /// Nothing that it was handed waits, and nothing was kept from it.
    pub(super) fn has_everything(&self) -> bool {
        !self.queue.is_closed() && self.queue.is_empty()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.engine.inner.feeds.lock().by_id.remove(&self.id);
    }
}
