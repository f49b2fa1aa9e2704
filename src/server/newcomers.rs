//! Connections that have not said yet what they want.
//!
//! Promises that those who say nothing never keep out those who do: where too many wait, the one that waited longest goes.
//! Knows nothing of what is said.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The connections that have not said yet what they want.
#[derive(Clone)]
pub(super) struct Newcomers {
    most: usize,
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Default)]
struct Waiting {
    next: u64,
    /// In the order in which they came.
    all: BTreeMap<u64, oneshot::Sender<()>>,
}

/// A place among the newcomers; dropping it leaves them.
pub(super) struct Place {
    number: u64,
    newcomers: Newcomers,
    lost: oneshot::Receiver<()>,
}

impl Newcomers {
    /// At most so many at once.
    pub(super) fn at_most(most: usize) -> Self {
        Self { most: most.max(1), waiting: Arc::default() }
    }

    /// Comes in, at the expense of whoever has waited longest where there is no place left.
    pub(super) fn enter(&self) -> Place {
        let (keep, lost) = oneshot::channel();
        let mut waiting = self.waiting();
        let number = waiting.next;
        waiting.next = number.wrapping_add(1);
        waiting.all.insert(number, keep);
        while waiting.all.len() > self.most {
            waiting.all.pop_first();
        }
        drop(waiting);
        Place { number, newcomers: self.clone(), lost }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        // Every change is whole when the lock is let go.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Place {
    /// Resolves when the place went to another.
    pub(super) async fn lost(&mut self) {
        let _given_away = (&mut self.lost).await;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.newcomers.waiting().all.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn whoever_waited_longest_makes_room_and_a_place_that_is_left_is_free() {
        let newcomers = Newcomers::at_most(2);
        let mut first = newcomers.enter();
        let second = newcomers.enter();
        drop(second);
        let mut third = newcomers.enter();
        assert!(first.lost.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
        let mut fourth = newcomers.enter();
        first.lost().await;
        for kept in [&mut third, &mut fourth] {
            assert!(kept.lost.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
        }
    }
}
