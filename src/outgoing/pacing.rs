//! When to ask again after a fault.
//!
//! Promises waits that grow, differ between callers and respect what the server asks for. Knows nothing of faults.

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::HeaderValue;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

/// How waits grow.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pacing {
    /// The first wait is at most this long; each further one twice as long.
    pub(crate) first: Duration,
    /// No wait of our own choosing is longer.
    pub(crate) longest: Duration,
}

impl Pacing {
    /// How long to wait before the attempt after `attempts` attempts.
    pub(crate) fn wait(self, attempts: u32, asked_for: Option<Duration>) -> Duration {
        let doubled = 2_u32.saturating_pow(attempts.saturating_sub(1).min(16));
        let most = self.first.saturating_mul(doubled).min(self.longest);
        let own = most.mul_f64(0.5 + chance() / 2.0);
        asked_for.map_or(own, |least| least.max(own))
    }
}

/// A number from 0 to 1 that is hard to foresee and different in each process.
fn chance() -> f64 {
    let random = RandomState::new().build_hasher().finish() >> 32;
    f64::from(u32::try_from(random).unwrap_or(0)) / f64::from(u32::MAX)
}

/// What `Retry-After` says: seconds, or a date.
pub(crate) fn retry_after(value: &HeaderValue, now: Timestamp) -> Option<Duration> {
    let text = value.to_str().ok()?.trim();
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return text.parse().ok().map(Duration::from_secs);
    }
    let date = rfc2822::parse(text).ok()?.timestamp();
    let milliseconds = date.as_millisecond().checked_sub(now.as_millisecond())?;
    Some(Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACING: Pacing = Pacing { first: Duration::from_millis(250), longest: Duration::from_secs(8) };

    #[test]
    fn waits_grow_to_a_bound_and_are_never_the_same_for_all() {
        for (attempts, most) in
            [(1, 250), (2, 500), (3, 1_000), (6, 8_000), (1_000, 8_000), (u32::MAX, 8_000)]
        {
            let most = Duration::from_millis(most);
            let waits: Vec<Duration> = (0..100).map(|_| PACING.wait(attempts, None)).collect();
            assert!(waits.iter().all(|wait| *wait >= most / 2 && *wait <= most), "{attempts}: {waits:?}");
            assert!(waits.iter().any(|wait| Some(wait) != waits.first()), "{attempts}");
        }
    }

    #[test]
    fn what_the_server_asks_for_is_the_least_wait() {
        assert_eq!(PACING.wait(1, Some(Duration::from_secs(90))), Duration::from_secs(90));
        assert!(PACING.wait(6, Some(Duration::from_secs(1))) >= Duration::from_secs(4));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        for (text, expected) in [
            ("0", Some(0)),
            (" 7 ", Some(7)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("99999999999999999999999", None),
        ] {
            let found = retry_after(&HeaderValue::from_str(text).unwrap(), now);
            assert_eq!(found, expected.map(Duration::from_secs), "{text}");
        }
    }
}
