//! Places that are taken and given back.
//!
//! Promises that no more are taken than there are, whatever happens at the same time, and that whoever is gone has given its
//! place back. Knows nothing of what takes them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// How many places are taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Places {
    taken: Arc<AtomicU32>,
}

/// A place, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    taken: Arc<AtomicU32>,
}

impl Places {
    /// Takes one of `limit` places. The limit may be another one each time.
    pub(super) fn take(&self, limit: u32) -> Option<Place> {
        let more = |taken: u32| taken.checked_add(1).filter(|taken| *taken <= limit);
        let taken = self.taken.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        taken.ok().map(|_before| Place { taken: Arc::clone(&self.taken) })
    }

    /// Whether nobody has a place.
    pub(super) fn are_free(&self) -> bool {
        self.taken.load(Ordering::Acquire) == 0
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.taken.fetch_sub(1, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_free_again_when_its_holder_is_gone() {
        let places = Places::default();
        let held: Vec<Place> = (0..3).map(|_| places.take(3).unwrap()).collect();
        assert!(places.take(3).is_none() && !places.are_free());
        let _one_more = places.take(4).unwrap();
        assert!(places.take(2).is_none(), "fewer places drive nobody out");
        drop(held);
        assert!(places.take(2).is_some());
    }

    #[test]
    fn no_more_are_taken_than_there_are() {
        let places = Places::default();
        let held: usize = std::thread::scope(|scope| {
            let takers: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| (0..1_000).filter_map(|_| places.take(500)).collect::<Vec<_>>()))
                .collect();
            let held: Vec<_> = takers.into_iter().map(|taker| taker.join().unwrap()).collect();
            held.iter().map(Vec::len).sum()
        });
        assert_eq!(held, 500);
        assert!(places.are_free());
    }
}
