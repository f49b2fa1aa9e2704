//! One question for identical ones, and ratings that are used again.
//!
//! Promises that identical questions of one project that are asked at the same time reach the rater once; that whoever goes
//! away takes nothing from the others, and the last one to go away ends the question; and that within a session a verdict
//! without negotiation is used again where that is wanted. Failures are never used again. It must not know who rates.

mod kept;
mod key;
#[cfg(test)]
mod tests;

use self::kept::{Kept, KeptRating};
use self::key::Key;
use super::{Assessed, Assessing, Rater, Rating, RatingScope};
use crate::gate::{FailureCause, RatingRequest};
use crate::trace::carried;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// A rater whose questions are shared and whose verdicts are kept. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Sharing {
    rater: Arc<dyn Rater>,
    desk: Arc<Desk>,
}

#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Whoever waits holds the flight; this only finds it.
    under_way: HashMap<Key, Weak<Flight>>,
    kept: Kept,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A question under way. It ends when nobody waits for it any more.
#[derive(Debug)]
struct Flight {
    key: Key,
    desk: Weak<Desk>,
    answer: watch::Receiver<Option<Arc<Assessed>>>,
    task: AbortHandle,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.task.abort();
        if let Some(desk) = self.desk.upgrade() {
            let mut state = desk.lock();
            // The same question may be under way anew.
            if state.under_way.get(&self.key).is_some_and(|flight| flight.strong_count() == 0) {
                state.under_way.remove(&self.key);
            }
        }
    }
}

impl Sharing {
    /// Shares what a rater is asked.
    #[must_use]
    pub fn new(rater: Arc<dyn Rater>) -> Self {
        Self { rater, desk: Arc::default() }
    }

    /// How many ratings are kept.
    #[must_use]
    pub fn kept(&self) -> usize {
        self.desk.lock().kept.len()
    }

    async fn shared(&self, request: RatingRequest, scope: RatingScope) -> Assessed {
        let of_session = Key::of_session(&scope.project, &scope.session);
        let again = (scope.reuse && request.context.is_none() && !scope.session.is_empty())
            .then(|| Key::of(&scope.project, Some(&scope.session), &request));
        if let Some(kept) = again.and_then(|key| self.desk.lock().kept.get(&key).cloned()) {
            return Assessed { result: Ok(kept.verdict), model: kept.model, record: None, reused: true };
        }
        let assessed = if scope.share {
            self.joined(request, scope).await
        } else {
            self.rater.assess(request, scope).await
        };
        if let (Some(key), Ok(verdict)) = (again, &assessed.result) {
            let rating = KeptRating { verdict: verdict.clone(), model: assessed.model.clone() };
            self.desk.lock().kept.put(key, of_session, rating);
        }
        assessed
    }

    /// Asks, or waits for the answer to the same question.
    async fn joined(&self, request: RatingRequest, scope: RatingScope) -> Assessed {
        let key = Key::of(&scope.project, None, &request);
        let (flight, leads) = self.flight(key, request, scope);
        let mut answer = flight.answer.clone();
        let found = answer.wait_for(Option::is_some).await.ok().and_then(|found| found.clone());
        match found {
            Some(assessed) => Assessed { reused: !leads, ..Assessed::clone(&assessed) },
            // The rater broke off without a word.
            None => Assessed::from(Err(FailureCause::Transport)),
        }
    }

    fn flight(&self, key: Key, request: RatingRequest, scope: RatingScope) -> (Arc<Flight>, bool) {
        let mut state = self.desk.lock();
        if let Some(flight) = state.under_way.get(&key).and_then(Weak::upgrade) {
            return (flight, false);
        }
        let (sender, answer) = watch::channel(None);
        let rater = Arc::clone(&self.rater);
        // On a task of its own: whoever asked first may go away while others wait.
        let task = tokio::spawn(carried(async move {
            let assessed = rater.assess(request, scope).await;
            sender.send_replace(Some(Arc::new(assessed)));
        }));
        let desk = Arc::downgrade(&self.desk);
        let flight = Arc::new(Flight { key, desk, answer, task: task.abort_handle() });
        state.under_way.insert(key, Arc::downgrade(&flight));
        (flight, true)
    }
}

impl Rater for Sharing {
    fn rate(&self, request: RatingRequest) -> Rating {
        self.rater.rate(request)
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        let sharing = self.clone();
        Box::pin(async move { sharing.shared(request, scope).await })
    }

    fn forget(&self, project: &str, session: &str) {
        self.desk.lock().kept.forget(&Key::of_session(project, session));
        self.rater.forget(project, session);
    }
}
