//! Keys that were meant for what was on screen before.
//!
//! Promises that nothing is answered by a key before it has been on screen for a moment in which no key came: neither by
//! one that was on its way, nor by one that is held down, nor by a sentence that is being typed.

use std::time::Duration;

/// Whether what is in front may be answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::cli::watch) enum Guard {
    /// It came in front by itself and is not on screen yet.
    #[default]
    Raised,
    /// It came by itself, and since then it is on screen and no key came.
    Quiet(Duration),
    /// A person chose it: it may be answered at once.
    Meant,
}

impl Guard {
    /// It is on screen now.
    pub(in crate::cli::watch) fn drawn(&mut self, now: Duration) {
        match self {
            Self::Raised => *self = Self::Quiet(now),
            Self::Quiet(_) | Self::Meant => {}
        }
    }

    /// Whether a key that comes now counts. One that does not begins the wait anew.
    pub(in crate::cli::watch) fn lets_through(&mut self, now: Duration, rest: Duration) -> bool {
        match self {
            Self::Raised => false,
            Self::Quiet(since) if now.saturating_sub(*since) < rest => {
                *since = now;
                false
            }
            Self::Quiet(_) | Self::Meant => true,
        }
    }
}
