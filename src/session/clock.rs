//! What time it is, for everything above the decision.
//!
//! Promises a clock that never runs backwards within one process, so that records keep their order when the system's
//! clock is set back.

use crate::gate::Moment;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// A clock that never runs backwards.
#[derive(Debug, Default)]
pub(super) struct Clock {
    latest: AtomicI64,
}

impl Clock {
    /// What time it is: the system's time, or the latest time given out where that is later.
    pub(super) fn now(&self) -> Moment {
        let system = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let micros = i64::try_from(system.as_micros()).unwrap_or(i64::MAX);
        let before = self.latest.fetch_max(micros, Ordering::AcqRel);
        Moment(micros.max(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_backwards_when_the_systems_clock_does() {
        let clock = Clock::default();
        let ahead = clock.now().0 + 60_000_000;
        clock.latest.store(ahead, Ordering::Release);
        assert_eq!(clock.now(), Moment(ahead));
    }
}
