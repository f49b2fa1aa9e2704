//! What is open in one feed, as its messages have told so far.
//!
//! Promises that an item is added once however often it is told, and leaves once, also when it was settled while nobody
//! listened. Knows nothing of connections, clocks and screens.

use crate::client::Happening;
use crate::proto::v1 as pb;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Something that waits for a human, or did.
pub(in crate::cli::watch) trait Item {
    /// Its name.
    fn id(&self) -> &str;
    /// Whether it waits for an answer.
    fn waits(&self) -> bool;
}

impl Item for pb::Escalation {
    fn id(&self) -> &str {
        &self.escalation_id
    }

    fn waits(&self) -> bool {
        self.state() == pb::EscalationState::Open
    }
}

impl Item for pb::AttackHalt {
    fn id(&self) -> &str {
        &self.halt_id
    }

    fn waits(&self) -> bool {
        self.state() == pb::AttackHaltState::Open
    }
}

/// What a message changed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cli::watch) enum Change<I> {
    /// It waits for an answer.
    Added(Arc<I>),
    /// It happened, and needs no answer.
    Told(Arc<I>),
    /// It needs no answer any more; its state says why.
    Settled(Arc<I>),
    /// It was settled while nobody listened; how is not known here.
    Gone(Arc<I>),
}

/// The open items of one feed, in the order in which they were raised.
#[derive(Debug)]
pub(in crate::cli::watch) struct Open<I> {
    items: BTreeMap<u64, Arc<I>>,
    places: HashMap<String, u64>,
    next: u64,
    /// What the snapshot under way has named; `None` when none is.
    snapshot: Option<HashSet<String>>,
    /// Settled by an answer from here, while the feed has not said so yet.
    closed: HashSet<String>,
}

impl<I> Default for Open<I> {
    fn default() -> Self {
        Self {
            items: BTreeMap::new(),
            places: HashMap::new(),
            next: 0,
            snapshot: None,
            closed: HashSet::new(),
        }
    }
}

impl<I: Item> Open<I> {
    /// The open items, the one that waits longest first.
    pub(in crate::cli::watch) fn iter(&self) -> impl Iterator<Item = &Arc<I>> {
        self.items.values()
    }

    /// How many there are.
    pub(in crate::cli::watch) fn len(&self) -> usize {
        self.items.len()
    }

    /// The open item of that name.
    pub(in crate::cli::watch) fn get(&self, id: &str) -> Option<&Arc<I>> {
        self.items.get(self.places.get(id)?)
    }

    /// A connection was made. What was open stays until a snapshot says otherwise.
    pub(in crate::cli::watch) fn connected(&mut self, anew: bool) {
        self.snapshot = anew.then(HashSet::new);
    }

    /// It was settled by an answer from here. False when it was not open any more.
    pub(in crate::cli::watch) fn close(&mut self, id: &str) -> bool {
        let was_open = self.remove(id).is_some();
        if was_open {
            self.closed.insert(id.to_owned());
        }
        was_open
    }

    /// Takes a message over.
    pub(in crate::cli::watch) fn take(&mut self, happening: Happening<I>) -> Vec<Change<I>> {
        match happening {
            Happening::Raised(item) => self.raised(Arc::new(item)).into_iter().collect(),
            Happening::Answered(item) | Happening::Withdrawn(item) | Happening::Expired(item) => {
                self.remove(item.id());
                let known = self.closed.remove(item.id());
                (!known).then(|| Change::Settled(Arc::new(item))).into_iter().collect()
            }
            Happening::SnapshotEnd(_) => self.snapshot_ended(),
            Happening::Heartbeat | Happening::ResumeHint(_) => Vec::new(),
        }
    }

    fn raised(&mut self, item: Arc<I>) -> Option<Change<I>> {
        if let Some(named) = &mut self.snapshot {
            named.insert(item.id().to_owned());
        }
        if self.closed.contains(item.id()) {
            return None;
        }
        if !item.waits() {
            self.remove(item.id());
            return Some(Change::Told(item));
        }
        if let Some(place) = self.places.get(item.id()) {
            self.items.insert(*place, item);
            return None;
        }
        self.places.insert(item.id().to_owned(), self.next);
        self.items.insert(self.next, Arc::clone(&item));
        self.next += 1;
        Some(Change::Added(item))
    }

    fn snapshot_ended(&mut self) -> Vec<Change<I>> {
        let Some(named) = self.snapshot.take() else { return Vec::new() };
        self.closed.retain(|id| named.contains(id));
        let gone: Vec<String> =
            self.items.values().map(|item| item.id().to_owned()).filter(|id| !named.contains(id)).collect();
        gone.iter().filter_map(|id| self.remove(id)).map(Change::Gone).collect()
    }

    fn remove(&mut self, id: &str) -> Option<Arc<I>> {
        self.items.remove(&self.places.remove(id)?)
    }
}
