//! Moments and lengths of time as people type and read them.
//!
//! Promises local time for people. Knows nothing of what is timed.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::Duration;

/// A moment in local time, to the second; `-` for none.
pub(super) fn local(at: Option<prost_types::Timestamp>) -> String {
    at.and_then(|at| Timestamp::new(at.seconds, at.nanos).ok()).map_or_else(
        || "-".to_owned(),
        |at| at.to_zoned_datetime(TimeZone::system()).strftime("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// Reads a length of time: a number with `ms`, `s`, `m`, `h` or `d`.
///
/// # Errors
/// What to write instead.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("must be a length of time such as 30s, 5m, 2h or 7d, not {text:?}");
    let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    let (number, unit) = text.split_at_checked(digits).ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_invalid| wrong())?;
    let milliseconds: u64 = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _other => return Err(wrong()),
    };
    number.checked_mul(milliseconds).map(Duration::from_millis).ok_or_else(wrong)
}

/// Reads a moment: RFC 3339, or how long ago (`2h`).
///
/// # Errors
/// What to write instead.
pub(super) fn parse_moment(text: &str) -> Result<Timestamp, String> {
    if let Ok(at) = text.parse() {
        return Ok(at);
    }
    parse_duration(text).ok().and_then(|ago| Timestamp::now().checked_sub(ago).ok()).ok_or_else(|| {
        format!("must be a moment such as 2026-05-01T12:00:00Z, or how long ago, such as 2h, not {text:?}")
    })
}

/// The moment that lies so far ahead.
///
/// # Errors
/// It lies beyond the calendar.
pub(super) fn ahead(duration: Duration) -> Result<prost_types::Timestamp, String> {
    let at = Timestamp::now().checked_add(duration).map_err(|_beyond| "is too far ahead".to_owned())?;
    Ok(to_proto(at))
}

/// A moment as the contract carries it.
pub(super) fn to_proto(at: Timestamp) -> prost_types::Timestamp {
    prost_types::Timestamp { seconds: at.as_second(), nanos: at.subsec_nanosecond() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_is_a_number_with_its_unit() {
        let cases = [
            ("250ms", Some(Duration::from_millis(250))),
            ("30s", Some(Duration::from_secs(30))),
            ("7d", Some(Duration::from_secs(604_800))),
            ("30", None),
            ("s", None),
            ("", None),
            ("-1s", None),
            ("1.5h", None),
            ("30 s", None),
            ("99999999999999999999s", None),
            ("18446744073709551615d", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_duration(text).ok(), expected, "{text}");
        }
    }

    #[test]
    fn a_moment_is_a_date_or_how_long_ago() {
        assert_eq!(parse_moment("1970-01-01T00:01:00Z").unwrap().as_second(), 60);
        let hour_ago = parse_moment("1h").unwrap();
        let away = Timestamp::now().as_second() - hour_ago.as_second();
        assert!((3_590..=3_610).contains(&away), "{away}");
        assert!(parse_moment("yesterday").is_err());
    }
}
