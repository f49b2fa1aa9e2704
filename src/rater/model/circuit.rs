//! A breaker: a model that fails again and again is left alone for a while.
//!
//! Promises that after so many failures in a row nothing is asked until the pause is over, then one probe alone, whose
//! outcome decides. A question that is given up on by whoever asked counts as neither. Must not know what is asked.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// When to leave a model alone, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limits {
    /// Failures in a row.
    pub(super) failures: u32,
    /// The pause after them.
    pub(super) pause: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Questions go through.
    Closed { failures: u32 },
    /// None does until then.
    Open { until: Instant },
    /// One is under way, and its outcome decides.
    Probing,
}

/// The breaker of one model.
#[derive(Debug)]
pub(super) struct Circuit {
    limits: Limits,
    state: Mutex<State>,
}

impl Circuit {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::new(State::Closed { failures: 0 }) }
    }

    /// Leave to ask; `None` where the model is left alone.
    pub(super) fn enter(self: &Arc<Self>, now: Instant) -> Option<Pass> {
        let mut state = self.lock();
        let probe = match *state {
            State::Closed { .. } => false,
            State::Open { until } if now >= until => {
                *state = State::Probing;
                true
            }
            State::Open { .. } | State::Probing => return None,
        };
        Some(Pass { circuit: Arc::clone(self), probe, settled: false })
    }

    /// Whether a question asked now would be turned away.
    pub(super) fn is_open(&self, now: Instant) -> bool {
        match *self.lock() {
            State::Closed { .. } => false,
            State::Open { until } => now < until,
            State::Probing => true,
        }
    }

    fn settle(&self, probe: bool, outcome: Settled) {
        let mut state = self.lock();
        let next = match (*state, outcome) {
            // What was asked before the pause decides nothing about it.
            (State::Open { .. }, _) => return,
            (State::Probing, _) if !probe => return,
            (State::Closed { .. } | State::Probing, Settled::Answered) => State::Closed { failures: 0 },
            (State::Probing, Settled::Failed(now)) => self.pause_from(now),
            // Whoever asked is gone: the next question is the probe.
            (State::Probing, Settled::Abandoned(now)) => State::Open { until: now },
            (State::Closed { .. }, Settled::Abandoned(_)) => return,
            (State::Closed { failures }, Settled::Failed(now)) => {
                let failures = failures.saturating_add(1);
                if failures >= self.limits.failures {
                    self.pause_from(now)
                } else {
                    State::Closed { failures }
                }
            }
        };
        *state = next;
    }

    fn pause_from(&self, now: Instant) -> State {
        State::Open { until: now.checked_add(self.limits.pause).unwrap_or(now) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Clone, Copy)]
enum Settled {
    Answered,
    Failed(Instant),
    Abandoned(Instant),
}

/// Leave to ask once. Dropped without a word, it counts as given up on.
#[derive(Debug)]
pub(super) struct Pass {
    circuit: Arc<Circuit>,
    probe: bool,
    settled: bool,
}

impl Pass {
    /// The model answered, whatever it said.
    pub(super) fn answered(mut self) {
        self.settled = true;
        self.circuit.settle(self.probe, Settled::Answered);
    }

    /// The model could not be reached, refused to serve or took too long.
    pub(super) fn failed(mut self, now: Instant) {
        self.settled = true;
        self.circuit.settle(self.probe, Settled::Failed(now));
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        if !self.settled {
            self.circuit.settle(self.probe, Settled::Abandoned(Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAUSE: Duration = Duration::from_secs(30);

    fn circuit(failures: u32) -> (Arc<Circuit>, Instant) {
        (Arc::new(Circuit::new(Limits { failures, pause: PAUSE })), Instant::now())
    }

    #[test]
    fn failures_in_a_row_open_it_and_an_answer_between_them_does_not() {
        let (circuit, now) = circuit(3);
        for _ in 0..2 {
            circuit.enter(now).unwrap().failed(now);
        }
        circuit.enter(now).unwrap().answered();
        for _ in 0..2 {
            circuit.enter(now).unwrap().failed(now);
        }
        assert!(!circuit.is_open(now));
        circuit.enter(now).unwrap().failed(now);
        assert!(circuit.is_open(now) && circuit.enter(now).is_none());
    }

    #[test]
    fn after_the_pause_one_probe_decides() {
        let (circuit, now) = circuit(1);
        circuit.enter(now).unwrap().failed(now);
        let later = now + PAUSE;
        assert!(circuit.enter(later - Duration::from_millis(1)).is_none());
        assert!(!circuit.is_open(later));
        let probe = circuit.enter(later).unwrap();
        assert!(circuit.enter(later).is_none() && circuit.is_open(later), "one probe alone");
        probe.failed(later);
        assert!(circuit.enter(later).is_none(), "another pause");
        let again = later + PAUSE;
        circuit.enter(again).unwrap().answered();
        assert!(!circuit.is_open(again) && circuit.enter(again).is_some());
    }

    #[test]
    fn a_probe_that_is_given_up_on_leaves_its_place_to_the_next() {
        let (circuit, now) = circuit(1);
        circuit.enter(now).unwrap().failed(now);
        let later = now + PAUSE;
        drop(circuit.enter(later).unwrap());
        assert!(circuit.enter(Instant::now() + PAUSE).is_some());
    }

    #[test]
    fn what_was_asked_before_the_pause_does_not_end_it() {
        let (circuit, now) = circuit(1);
        let slow = circuit.enter(now).unwrap();
        let slower = circuit.enter(now).unwrap();
        circuit.enter(now).unwrap().failed(now);
        slow.answered();
        assert!(circuit.is_open(now));
        let later = now + PAUSE;
        let probe = circuit.enter(later).unwrap();
        slower.answered();
        assert!(circuit.enter(later).is_none(), "the probe is still out");
        probe.answered();
        assert!(!circuit.is_open(later));
    }

    #[test]
    fn a_question_that_is_given_up_on_is_no_failure() {
        let (circuit, now) = circuit(1);
        drop(circuit.enter(now).unwrap());
        assert!(!circuit.is_open(now));
    }
}
