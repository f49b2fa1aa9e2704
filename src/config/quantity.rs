//! Lengths of time and sizes as configuration files write them: `30s`, `90d`, `4MiB`.
//!
//! Promises one spelling per unit and no silent rounding or overflow. Knows nothing of which setting is read.

use std::time::Duration;

const TIME_UNITS: [(&str, u64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];

const SIZE_UNITS: [(&str, u64); 4] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

/// What a length of time looks like, for messages.
pub(super) const TIME_EXAMPLE: &str =
    "a whole number with a unit (`ms`, `s`, `m`, `h` or `d`), such as \"30s\"";

/// What a size looks like, for messages.
pub(super) const SIZE_EXAMPLE: &str =
    "a whole number with a unit (`B`, `KiB`, `MiB` or `GiB`), such as \"4MiB\"";

/// Reads a length of time; `None` where it is not one.
pub(super) fn parse_duration(text: &str) -> Option<Duration> {
    parse(text, &TIME_UNITS).map(Duration::from_millis)
}

/// Reads a size in bytes; `None` where it is not one.
pub(super) fn parse_size(text: &str) -> Option<u64> {
    parse(text, &SIZE_UNITS)
}

/// Writes a length of time, to the millisecond, in the largest unit that divides it.
pub(super) fn render_duration(duration: Duration) -> String {
    render(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX), &TIME_UNITS)
}

/// Writes a size in the largest unit that divides it.
pub(super) fn render_size(bytes: u64) -> String {
    render(bytes, &SIZE_UNITS)
}

fn parse(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let (digits, unit) = text.split_at_checked(text.find(|character: char| !character.is_ascii_digit())?)?;
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    digits.parse::<u64>().ok()?.checked_mul(*factor)
}

fn render(amount: u64, units: &[(&str, u64)]) -> String {
    units
        .iter()
        .rev()
        .find(|(_, factor)| amount >= *factor && amount.checked_rem(*factor) == Some(0))
        .or(units.first())
        .map_or_else(String::new, |(name, factor)| {
            format!("{}{name}", amount.checked_div(*factor).unwrap_or(0))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantity_is_a_whole_number_with_a_known_unit() {
        for (text, milliseconds) in [
            ("0s", 0),
            ("250ms", 250),
            ("30s", 30_000),
            ("10m", 600_000),
            ("2h", 7_200_000),
            ("90d", 7_776_000_000),
        ] {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        for (text, bytes) in [("1B", 1), ("4MiB", 4 << 20), ("2GiB", 2 << 30), ("3KiB", 3 << 10)] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "30",
            "s",
            "1.5s",
            "-1s",
            "+1s",
            "1 s",
            "1S",
            "30sec",
            "99999999999999999999s",
            "999999999999999999d",
        ] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
        for text in ["4MB", "4", "4mib", "99999999999999999GiB"] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_written_reads_back_as_the_same_quantity() {
        for milliseconds in [0, 1, 999, 1_000, 90_000, 3_600_000, 86_400_000, 86_400_001] {
            let duration = Duration::from_millis(milliseconds);
            assert_eq!(parse_duration(&render_duration(duration)), Some(duration));
        }
        assert_eq!(render_duration(Duration::from_secs(600)), "10m");
        assert_eq!(render_size(4 << 20), "4MiB");
        assert_eq!(render_size(1_500), "1500B");
    }
}
