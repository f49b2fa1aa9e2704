//! Ratings that may be used again.
//!
//! Promises a bound: the oldest makes room for the newest. Knows nothing of who asks.

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
    by_key: HashMap<Key, KeptRating>,
    in_order: VecDeque<Key>,
}

impl Kept {
    pub(super) fn get(&self, key: &Key) -> Option<&KeptRating> {
        self.by_key.get(key)
    }

    pub(super) fn put(&mut self, key: Key, rating: KeptRating) {
        if self.by_key.insert(key, rating).is_none() {
            self.in_order.push_back(key);
        }
        while self.in_order.len() > MAX_KEPT {
            if let Some(oldest) = self.in_order.pop_front() {
                self.by_key.remove(&oldest);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.by_key.len()
    }
}
