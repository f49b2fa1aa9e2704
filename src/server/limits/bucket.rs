//! A token bucket without a clock.
//!
//! Promises a long-run rate, a burst after a while without use, and the exact time after which a refused one is let through.
//! Knows nothing of what is counted; every time comes from the caller.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const SECOND: u64 = 1_000_000_000;

/// How fast a bucket fills, and how much it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rate {
    /// Nanoseconds from one token to the next.
    interval: u64,
    /// Nanoseconds that a full bucket took to fill.
    depth: u64,
}

impl Rate {
    /// So many within a second in the long run, and `burst` at once.
    pub(super) fn per_second(count: u32, burst: u32) -> Self {
        Self::within(SECOND, count, burst)
    }

    /// So many within a minute, and as many at once.
    pub(super) fn per_minute(count: u32) -> Self {
        Self::within(60 * SECOND, count, count)
    }

    fn within(span: u64, count: u32, burst: u32) -> Self {
        let interval = span.checked_div(u64::from(count)).unwrap_or(span).max(1);
        Self { interval, depth: interval.saturating_mul(u64::from(burst.max(1))) }
    }
}

/// A token bucket. It keeps one number: the moment at which it would be full again.
#[derive(Debug, Default)]
pub(super) struct Bucket {
    full_at: AtomicU64,
}

impl Bucket {
    /// Takes a token, or says how long it is until there is one. `now` is in nanoseconds since some fixed moment.
    pub(super) fn take(&self, rate: Rate, now: u64) -> Result<(), Duration> {
        let mut wait = 0;
        let _before = self.full_at.fetch_update(Ordering::AcqRel, Ordering::Acquire, |full_at| {
            // After a change of the rate it may be emptier than the new one can be.
            let found = full_at.clamp(now, now.saturating_add(rate.depth));
            let emptied = found.saturating_add(rate.interval);
            wait = emptied.saturating_sub(now).saturating_sub(rate.depth);
            Some(if wait == 0 { emptied } else { found })
        });
        if wait == 0 { Ok(()) } else { Err(Duration::from_nanos(wait)) }
    }

    /// Whether nothing would be different if it were made anew.
    pub(super) fn is_full(&self, now: u64) -> bool {
        self.full_at.load(Ordering::Acquire) <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many are let through at a moment, at most 10,000.
    fn drain(bucket: &Bucket, rate: Rate, now: u64) -> usize {
        (0..10_000).take_while(|_| bucket.take(rate, now).is_ok()).count()
    }

    #[test]
    fn a_burst_is_let_through_at_once_and_then_the_rate() {
        let (bucket, rate) = (Bucket::default(), Rate::per_second(10, 25));
        assert_eq!(drain(&bucket, rate, 0), 25);
        assert_eq!(drain(&bucket, rate, SECOND / 10 - 1), 0);
        assert_eq!(drain(&bucket, rate, SECOND / 10), 1);
        assert_eq!(drain(&bucket, rate, SECOND), 9);
        assert_eq!(drain(&bucket, rate, 100 * SECOND), 25, "no more than a burst is saved up");
        let total: usize = (1_000..2_000).map(|tenth| drain(&bucket, rate, tenth * SECOND / 10)).sum();
        assert!((999..=1_000).contains(&total), "ten a second for a hundred seconds: {total}");
    }

    #[test]
    fn whoever_comes_back_after_the_time_that_was_said_is_let_through_and_a_nanosecond_earlier_is_not() {
        for rate in [
            Rate::per_second(1, 1),
            Rate::per_second(3, 2),
            Rate::per_second(999_999, 7),
            Rate::per_minute(7),
        ] {
            let bucket = Bucket::default();
            let mut now = 5;
            drain(&bucket, rate, now);
            for _ in 0..100 {
                let wait = bucket.take(rate, now).unwrap_err();
                assert!(wait > Duration::ZERO);
                let wait = u64::try_from(wait.as_nanos()).unwrap();
                assert!(bucket.take(rate, now + wait - 1).is_err(), "{rate:?}");
                now += wait;
                assert_eq!(bucket.take(rate, now), Ok(()), "{rate:?}");
            }
        }
    }

    #[test]
    fn being_refused_costs_nothing() {
        let (bucket, rate) = (Bucket::default(), Rate::per_second(1, 1));
        bucket.take(rate, 0).unwrap();
        for _ in 0..1_000 {
            assert_eq!(bucket.take(rate, 0), Err(Duration::from_secs(1)));
        }
        assert_eq!(bucket.take(rate, SECOND), Ok(()));
    }

    #[test]
    fn a_changed_rate_holds_at_once() {
        let bucket = Bucket::default();
        let slow = Rate::per_second(1, 1_000);
        assert_eq!(drain(&bucket, slow, 0), 1_000);
        let fast = Rate::per_second(1_000, 1);
        assert_eq!(bucket.take(fast, 0), Err(Duration::from_millis(1)), "not the thousand seconds of before");
        assert_eq!(bucket.take(fast, SECOND / 1_000), Ok(()), "as it was said");
    }

    #[test]
    fn a_full_bucket_is_as_good_as_a_new_one() {
        let (bucket, rate) = (Bucket::default(), Rate::per_second(2, 4));
        assert!(bucket.is_full(0));
        bucket.take(rate, 0).unwrap();
        assert!(!bucket.is_full(SECOND / 2 - 1) && bucket.is_full(SECOND / 2));
    }

    #[test]
    fn callers_at_the_same_time_get_no_more_than_there_is() {
        let (bucket, rate) = (Bucket::default(), Rate::per_second(1, 1_000));
        let taken: usize = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..8).map(|_| scope.spawn(|| drain(&bucket, rate, 0))).collect();
            callers.into_iter().map(|caller| caller.join().unwrap()).sum()
        });
        assert_eq!(taken, 1_000);
    }
}
