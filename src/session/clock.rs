//! What time it is, for everything above the decision.
//!
//! Promises a clock that never runs backwards and never stands still, in this process and behind what earlier ones recorded:
//! what has expired does not come back to life when the system's clock is set back. Knows nothing of what it is used for.

use crate::gate::Moment;
use std::fmt::Debug;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How far records may be ahead of the system's clock before that is worth a word.
const REMARKABLE: i64 = 60 * 1_000_000;

/// Where time comes from.
pub(super) trait TimeSource: Debug + Send + Sync {
    /// What the system says that the time is. It may be set at any moment, in both directions.
    fn wall(&self) -> Moment;
    /// For how long this process has been running. Nobody can set that.
    fn uptime(&self) -> Duration;
}

/// The clocks of the system.
#[derive(Debug)]
struct System {
    started: Instant,
}

impl TimeSource for System {
    fn wall(&self) -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Moment(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    fn uptime(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The latest time that was given out, and when that was.
#[derive(Debug)]
struct Latest {
    time: i64,
    uptime: i64,
}

/// A clock that never runs backwards.
#[derive(Debug)]
pub(super) struct Clock {
    source: Box<dyn TimeSource>,
    latest: Mutex<Latest>,
}

impl Clock {
    /// The system's clock, behind the newest of what was recorded.
    pub(super) fn behind(newest: Option<i64>) -> Self {
        Self::with(Box::new(System { started: Instant::now() }), newest)
    }

    /// The same with another source.
    pub(super) fn with(source: Box<dyn TimeSource>, newest: Option<i64>) -> Self {
        let time = newest.unwrap_or(i64::MIN);
        let ahead = time.saturating_sub(source.wall().0);
        if ahead > REMARKABLE {
            tracing::warn!(
                ahead_s = ahead / 1_000_000,
                "the newest record is from later than the system's clock says it is; time goes on from there, so that nothing \
                 that has expired is valid again. Check the clock of this machine"
            );
        }
        let uptime = micros(source.uptime());
        Self { source, latest: Mutex::new(Latest { time, uptime }) }
    }

    /// What time it is: the system's time. Where that is behind what was given out, time goes on from there at half its
    /// speed, until the system's has caught up.
    pub(super) fn now(&self) -> Moment {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let (wall, uptime) = (self.source.wall().0, micros(self.source.uptime()));
        let slowly = latest.time.saturating_add(uptime.saturating_sub(latest.uptime) / 2);
        let now = wall.max(slowly);
        // Less than a microsecond at a time would otherwise never add up to one.
        if now > latest.time {
            *latest = Latest { time: now, uptime };
        }
        Moment(now)
    }

    /// What the system says that the time is, right or wrong.
    pub(super) fn wall(&self) -> Moment {
        self.source.wall()
    }

    /// For how long this process has been running, in microseconds.
    pub(super) fn uptime(&self) -> i64 {
        micros(self.source.uptime())
    }
}

fn micros(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicI64, Ordering};

    /// Clocks that a test sets.
    #[derive(Debug, Clone, Default)]
    pub(in crate::session) struct Set {
        wall: Arc<AtomicI64>,
        uptime: Arc<AtomicI64>,
    }

    impl Set {
        pub(in crate::session) fn to(wall: i64) -> Self {
            let set = Self::default();
            set.jump(wall);
            set
        }

        /// Sets the wall clock.
        pub(in crate::session) fn jump(&self, wall: i64) {
            self.wall.store(wall, Ordering::SeqCst);
        }

        /// Lets time pass, on both clocks.
        pub(in crate::session) fn pass(&self, micros: i64) {
            self.wall.fetch_add(micros, Ordering::SeqCst);
            self.uptime.fetch_add(micros, Ordering::SeqCst);
        }
    }

    impl TimeSource for Set {
        fn wall(&self) -> Moment {
            Moment(self.wall.load(Ordering::SeqCst))
        }

        fn uptime(&self) -> Duration {
            Duration::from_micros(self.uptime.load(Ordering::SeqCst).unsigned_abs())
        }
    }

    #[test]
    fn time_does_not_run_backwards_when_the_systems_clock_does() {
        let set = Set::to(1_000);
        let clock = Clock::with(Box::new(set.clone()), None);
        assert_eq!(clock.now(), Moment(1_000));
        set.jump(400);
        assert_eq!(clock.now(), Moment(1_000));
    }

    #[test]
    fn time_does_not_stand_still_meanwhile_and_follows_the_system_again_once_that_has_caught_up() {
        let set = Set::to(1_000);
        let clock = Clock::with(Box::new(set.clone()), None);
        clock.now();
        set.jump(900);
        set.pass(100);
        assert_eq!(clock.now(), Moment(1_050), "the system says 1,000");
        set.pass(100);
        assert_eq!(clock.now(), Moment(1_100), "both say so");
        set.pass(100);
        assert_eq!(clock.now(), Moment(1_200));
    }

    #[test]
    fn steps_too_small_to_count_add_up() {
        let set = Set::to(1_000);
        let clock = Clock::with(Box::new(set.clone()), None);
        clock.now();
        set.jump(0);
        for _ in 0..10 {
            set.pass(1);
            clock.now();
        }
        assert_eq!(clock.now(), Moment(1_005));
    }

    #[test]
    fn time_begins_behind_what_earlier_processes_recorded() {
        let clock = Clock::with(Box::new(Set::to(1_000)), Some(5_000));
        assert_eq!((clock.now(), clock.wall()), (Moment(5_000), Moment(1_000)));
        assert_eq!(Clock::with(Box::new(Set::to(1_000)), Some(500)).now(), Moment(1_000));
    }
}
