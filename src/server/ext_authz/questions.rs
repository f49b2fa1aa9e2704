//! Which questions to humans are still to be picked up, and by which call.
//!
//! Promises that one answer of a human counts for one call: of any number of equal calls, each holds a request id of its own,
//! and what one left unanswered the next one takes over. Kept in memory: after a restart a human is asked anew.

use crate::session::new_id;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What tells calls apart: a hash of everything that was judged.
pub(super) type Fingerprint = [u8; 32];

/// How long an answer may lie before nobody may use it any more.
const KEPT: Duration = Duration::from_secs(60 * 60);

/// How many are remembered; beyond that, the oldest are forgotten, and their calls ask anew.
const REMEMBERED: usize = 10_000;

/// The questions that are open or not picked up.
#[derive(Debug, Default)]
pub(super) struct Questions(Mutex<HashMap<Fingerprint, Vec<Asked>>>);

#[derive(Debug)]
struct Asked {
    request_id: String,
    at: Instant,
    held: bool,
}

/// A request id that one call holds. What is dropped unspent is left for the next equal call.
#[derive(Debug)]
pub(super) struct Claim {
    questions: Arc<Questions>,
    fingerprint: Fingerprint,
    request_id: String,
}

impl Questions {
    /// A request id for a call: one that an equal call left behind, or a new one.
    pub(super) fn claim(self: &Arc<Self>, fingerprint: Fingerprint) -> Claim {
        self.claim_at(fingerprint, Instant::now())
    }

    fn claim_at(self: &Arc<Self>, fingerprint: Fingerprint, now: Instant) -> Claim {
        let mut all = self.all();
        let fresh = |asked: &Asked| now.saturating_duration_since(asked.at) < KEPT;
        if all.values().map(Vec::len).sum::<usize>() >= REMEMBERED {
            forget(&mut all, fresh);
        }
        let left = all.entry(fingerprint).or_default();
        left.retain(|asked| asked.held || fresh(asked));
        let request_id = match left.iter_mut().find(|asked| !asked.held) {
            Some(asked) => {
                asked.held = true;
                asked.request_id.clone()
            }
            None => {
                let request_id = new_id();
                left.push(Asked { request_id: request_id.clone(), at: now, held: true });
                request_id
            }
        };
        Claim { questions: Arc::clone(self), fingerprint, request_id }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<Fingerprint, Vec<Asked>>> {
        // Nothing in here is left half done by a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Makes room: what is too old goes, then half of what nobody holds, the oldest first.
fn forget(all: &mut HashMap<Fingerprint, Vec<Asked>>, fresh: impl Fn(&Asked) -> bool) {
    let mut ages: Vec<Instant> =
        all.values().flatten().filter(|asked| !asked.held && fresh(asked)).map(|asked| asked.at).collect();
    ages.sort_unstable();
    let youngest_to_go = ages.get(ages.len() / 2).copied();
    all.retain(|_, left| {
        left.retain(|asked| asked.held || (fresh(asked) && youngest_to_go.is_none_or(|at| asked.at > at)));
        !left.is_empty()
    });
}

impl Claim {
    pub(super) fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The answer was used: no other call gets it.
    pub(super) fn spend(self) {
        let mut all = self.questions.all();
        if let Some(left) = all.get_mut(&self.fingerprint) {
            left.retain(|asked| asked.request_id != self.request_id);
            if left.is_empty() {
                all.remove(&self.fingerprint);
            }
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut all = self.questions.all();
        let left = all.get_mut(&self.fingerprint).into_iter().flatten();
        left.filter(|asked| asked.request_id == self.request_id).for_each(|asked| asked.held = false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Fingerprint = [1; 32];

    fn questions() -> Arc<Questions> {
        Arc::default()
    }

    #[test]
    fn what_one_call_left_the_next_equal_one_takes_over_and_only_once() {
        let questions = questions();
        let id = questions.claim(CALL).request_id().to_owned();
        let again = questions.claim(CALL);
        assert_eq!(again.request_id(), id);
        assert_ne!(questions.claim([2; 32]).request_id(), id);
        again.spend();
        assert_ne!(questions.claim(CALL).request_id(), id, "an answer that was used is gone");
    }

    #[test]
    fn equal_calls_at_once_have_a_question_each() {
        let questions = questions();
        let (one, other) = (questions.claim(CALL), questions.claim(CALL));
        assert_ne!(one.request_id(), other.request_id());
        let left = one.request_id().to_owned();
        drop(one);
        assert_eq!(questions.claim(CALL).request_id(), left);
    }

    #[test]
    fn an_answer_that_lay_too_long_is_not_used() {
        let questions = questions();
        let now = Instant::now();
        let id = questions.claim_at(CALL, now).request_id().to_owned();
        assert_eq!(questions.claim_at(CALL, now + KEPT / 2).request_id(), id);
        assert_ne!(questions.claim_at(CALL, now + KEPT).request_id(), id);
    }

    #[test]
    fn memory_is_bounded_and_what_is_held_is_never_forgotten() {
        let questions = questions();
        let fingerprint = |number: usize| {
            let mut fingerprint = CALL;
            fingerprint[..8].copy_from_slice(&number.to_be_bytes());
            fingerprint
        };
        let held = questions.claim(fingerprint(0));
        for number in 1..REMEMBERED * 2 {
            drop(questions.claim(fingerprint(number)));
        }
        assert!(questions.all().values().map(Vec::len).sum::<usize>() <= REMEMBERED);
        let kept = questions.all().remove(&fingerprint(0)).unwrap_or_default();
        assert_eq!(kept.iter().map(|asked| &asked.request_id).collect::<Vec<_>>(), [held.request_id()]);
    }
}
