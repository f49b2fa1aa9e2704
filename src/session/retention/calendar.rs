//! Which time retention may go by: a clock that jumped ahead must not make everything old at once.
//!
//! Promises that a jump of more than a day is believed only after a day of running in which the clock kept it, across restarts
//! too. Pure: it is told what the clocks say.

use crate::store::{Belief, Timestamp};

/// A day, in microseconds.
pub(super) const DAY: i64 = 24 * 60 * 60 * 1_000_000;

/// How much further ahead the wall clock may be than the time that has passed.
const LEAP: i64 = DAY;

/// For how long a jump must last before it is believed.
const PROBATION: i64 = DAY;

/// What became of a look at the clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is this time.
    Believed(Timestamp),
    /// The wall clock is so far ahead, and must run on for so long before it is believed.
    Doubted { ahead: i64, left: i64 },
}

/// What is known of the time, from one look to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Calendar {
    belief: Belief,
    /// What the wall clock said at the last look of this process.
    last_wall: Option<Timestamp>,
}

impl Calendar {
    /// Goes on from what an earlier process believed, or from the newest record that it left behind.
    pub(super) fn new(belief: Option<Belief>, newest_record: Option<Timestamp>, wall: Timestamp) -> Self {
        let anew = Belief { believed_at: newest_record.unwrap_or(wall), doubted_for: 0 };
        Self { belief: belief.unwrap_or(anew), last_wall: None }
    }

    /// What is to be kept for the next process.
    pub(super) fn belief(&self) -> Belief {
        self.belief
    }

    /// Looks at the wall clock, so long after the last look by a clock that nobody can set.
    pub(super) fn look(&mut self, wall: Timestamp, passed: i64) -> Verdict {
        let expected = self.belief.believed_at.saturating_add(passed);
        let ahead = wall.saturating_sub(expected);
        // A clock that was set back makes nothing older than it is, and is right again once it was set forth as far.
        let mut believed_at = expected.max(wall);
        let mut doubted_for = 0;
        if ahead > LEAP {
            let moved = self.last_wall.map_or(0, |last| wall.saturating_sub(last).saturating_sub(passed));
            // Another jump begins another probation.
            doubted_for = if moved.saturating_abs() > LEAP {
                0
            } else {
                self.belief.doubted_for.saturating_add(passed)
            };
            if doubted_for < PROBATION {
                believed_at = expected;
            } else {
                doubted_for = 0;
            }
        }
        self.last_wall = Some(wall);
        self.belief = Belief { believed_at, doubted_for };
        if ahead > LEAP && believed_at < wall {
            Verdict::Doubted { ahead, left: PROBATION.saturating_sub(doubted_for) }
        } else {
            Verdict::Believed(wall)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = DAY / 24;
    const YEARS: i64 = 3_650 * DAY;

    /// A calendar of a gate that was used just now, with the time it is.
    fn running() -> (Calendar, Timestamp) {
        let now = 20_000 * DAY;
        let mut calendar = Calendar::new(None, Some(now), now);
        assert_eq!(calendar.look(now, 0), Verdict::Believed(now));
        (calendar, now)
    }

    fn is_doubted(verdict: Verdict) -> bool {
        matches!(verdict, Verdict::Doubted { .. })
    }

    #[test]
    fn time_that_passes_is_believed_and_so_is_a_clock_that_is_set_by_less_than_a_day() {
        let (mut calendar, now) = running();
        assert_eq!(calendar.look(now + HOUR, HOUR), Verdict::Believed(now + HOUR));
        assert_eq!(calendar.look(now + 22 * HOUR, HOUR), Verdict::Believed(now + 22 * HOUR));
    }

    #[test]
    fn a_jump_ahead_is_doubted_until_it_has_lasted_for_a_day() {
        let (mut calendar, now) = running();
        let jumped = now + YEARS;
        assert_eq!(calendar.look(jumped, 0), Verdict::Doubted { ahead: YEARS, left: DAY });
        for hour in 1..24 {
            assert!(is_doubted(calendar.look(jumped + hour * HOUR, HOUR)), "{hour}");
        }
        assert_eq!(calendar.look(jumped + DAY, HOUR), Verdict::Believed(jumped + DAY));
        assert_eq!(calendar.look(jumped + DAY + HOUR, HOUR), Verdict::Believed(jumped + DAY + HOUR));
    }

    #[test]
    fn a_jump_that_is_taken_back_leaves_nothing_behind() {
        let (mut calendar, now) = running();
        assert!(is_doubted(calendar.look(now + YEARS, 0)));
        assert!(is_doubted(calendar.look(now + YEARS + 20 * HOUR, 20 * HOUR)));
        let back = now + 21 * HOUR;
        assert_eq!(calendar.look(back, HOUR), Verdict::Believed(back));
        assert!(is_doubted(calendar.look(back + YEARS, 0)));
        assert!(is_doubted(calendar.look(back + YEARS + 20 * HOUR, 20 * HOUR)), "the probation began anew");
    }

    #[test]
    fn another_jump_begins_another_probation() {
        let (mut calendar, now) = running();
        assert!(is_doubted(calendar.look(now + YEARS, 0)));
        assert!(is_doubted(calendar.look(now + YEARS + 20 * HOUR, 20 * HOUR)));
        assert!(is_doubted(calendar.look(now + 2 * YEARS + 25 * HOUR, 5 * HOUR)));
        assert!(is_doubted(calendar.look(now + 2 * YEARS + 48 * HOUR, 23 * HOUR)));
        assert!(!is_doubted(calendar.look(now + 2 * YEARS + 49 * HOUR, HOUR)));
    }

    #[test]
    fn restarts_neither_shorten_nor_prolong_the_probation() {
        let (calendar, now) = running();
        let (mut belief, mut wall) = (calendar.belief(), now + YEARS);
        for hour in 0..24 {
            // Records that were written since have the wrong time, and do not count.
            let mut calendar = Calendar::new(Some(belief), Some(wall), wall);
            assert!(is_doubted(calendar.look(wall, 0)), "{hour}");
            wall += HOUR;
            let verdict = calendar.look(wall, HOUR);
            assert_eq!(is_doubted(verdict), hour < 23, "{hour}");
            belief = calendar.belief();
        }
    }

    #[test]
    fn a_gate_that_was_off_for_long_is_given_a_day_too() {
        let now = 20_000 * DAY;
        let mut calendar = Calendar::new(None, Some(now - 14 * DAY), now);
        assert!(is_doubted(calendar.look(now, 0)));
        assert_eq!(calendar.look(now + DAY, DAY), Verdict::Believed(now + DAY));
    }

    #[test]
    fn a_clock_that_was_set_back_makes_nothing_older_and_is_believed_when_it_is_right_again() {
        let (mut calendar, now) = running();
        assert_eq!(calendar.look(now - YEARS, HOUR), Verdict::Believed(now - YEARS));
        assert_eq!(calendar.look(now + 2 * HOUR, HOUR), Verdict::Believed(now + 2 * HOUR));
    }
}
