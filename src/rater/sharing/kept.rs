//! Ratings that may be used again.
//!
//! Promises a bound, where the oldest makes room for the newest, and that nothing is left of a session that is over. Knows
//! nothing of who asks.

use super::key::Key;
use crate::gate::Verdict;
use std::collections::{HashMap, VecDeque};

/// How many ratings are kept per model: a few hundred bytes each.
pub(super) const MAX_KEPT: usize = 8_192;

/// A rating that may be used again.
#[derive(Debug, Clone)]
pub(super) struct KeptRating {
    /// The verdict.
    pub(super) verdict: Verdict,
    /// The model that gave it.
    pub(super) model: Option<String>,
}

/// Ratings by question.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Each with its session.
    by_key: HashMap<Key, (Key, KeptRating)>,
    in_order: VecDeque<Key>,
}

impl Kept {
    pub(super) fn get(&self, key: &Key) -> Option<&KeptRating> {
        self.by_key.get(key).map(|(_, rating)| rating)
    }

    /// Keeps a rating of a session.
    pub(super) fn put(&mut self, key: Key, session: Key, rating: KeptRating) {
        if self.by_key.insert(key, (session, rating)).is_none() {
            self.in_order.push_back(key);
        }
        while self.in_order.len() > MAX_KEPT {
            if let Some(oldest) = self.in_order.pop_front() {
                self.by_key.remove(&oldest);
            }
        }
    }

    /// Forgets what is kept for a session.
    pub(super) fn forget(&mut self, session: &Key) {
        self.by_key.retain(|_, (of, _)| of != session);
        let left = &self.by_key;
        self.in_order.retain(|key| left.contains_key(key));
    }

    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }
}
