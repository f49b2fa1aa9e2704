//! Reading one object of a configuration file, key by key.
//!
//! Promises that a key that is not known is an error that names the nearest known one, and that a wrong type says what
//! is expected. Knows nothing of what a setting means.

use super::document::key_path;
use super::problem::Report;
use super::quantity;
use crate::rules::grammar::suggest::nearest;
use serde_json::{Map, Value};
use std::time::Duration;

/// One object of a configuration file.
pub(crate) struct Section<'v> {
    map: &'v Map<String, Value>,
    path: &'v str,
}

impl<'v> Section<'v> {
    /// Opens an object; anything else is an error.
    pub(crate) fn open(value: &'v Value, path: &'v str, report: &mut Report) -> Option<Self> {
        let map = value.as_object();
        if map.is_none() {
            report.error(path, format!("must be an object `{{ … }}`, not {}", kind(value)));
        }
        map.map(|map| Self { map, path })
    }

    /// Reports every key that is not among `known`.
    pub(crate) fn refuse_unknown(&self, known: &[&str], report: &mut Report) {
        self.refuse_unknown_but(&[], known, report);
    }

    /// As [`Section::refuse_unknown`], without the keys that are `answered` elsewhere and never suggested.
    pub(crate) fn refuse_unknown_but(&self, answered: &[&str], known: &[&str], report: &mut Report) {
        let strange = |key: &&String| !known.contains(&key.as_str()) && !answered.contains(&key.as_str());
        for key in self.map.keys().filter(strange) {
            let advice = match nearest(key, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", known.join(", ")),
            };
            report.error(&self.path_of(key), format!("is not a setting; {advice}"));
        }
    }

    /// The path of a key of this object.
    pub(crate) fn path_of(&self, key: &str) -> String {
        key_path(self.path, key)
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&'v Value> {
        self.map.get(key)
    }

    /// Every key with its value.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'v String, &'v Value)> {
        self.map.iter()
    }

    /// A string.
    pub(crate) fn text(&self, key: &str, report: &mut Report) -> Option<&'v str> {
        self.read(key, "a string", Value::as_str, report)
    }

    /// A string that is not empty.
    pub(crate) fn filled_text(&self, key: &str, report: &mut Report) -> Option<&'v str> {
        let filled = |value: &'v Value| value.as_str().filter(|text| !text.trim().is_empty());
        self.read(key, "a string that is not empty", filled, report)
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self, key: &str, report: &mut Report) -> Option<bool> {
        self.read(key, "`true` or `false`", Value::as_bool, report)
    }

    /// A whole number within bounds, both included.
    pub(crate) fn integer(&self, key: &str, least: u32, most: u32, report: &mut Report) -> Option<u32> {
        let bounded = |value: &Value| {
            value
                .as_u64()
                .and_then(|number| u32::try_from(number).ok())
                .filter(|number| (least..=most).contains(number))
        };
        self.read(key, &format!("a whole number from {least} to {most}"), bounded, report)
    }

    /// A number from 0 to 1, both included.
    pub(crate) fn share(&self, key: &str, report: &mut Report) -> Option<f64> {
        let bounded = |value: &Value| value.as_f64().filter(|number| (0.0..=1.0).contains(number));
        self.read(key, "a number from 0 to 1", bounded, report)
    }

    /// A length of time within bounds, both included.
    pub(crate) fn duration(
        &self,
        key: &str,
        least: Duration,
        most: Duration,
        report: &mut Report,
    ) -> Option<Duration> {
        let bounded = |value: &Value| {
            value.as_str().and_then(quantity::parse_duration).filter(|length| (least..=most).contains(length))
        };
        let expected = format!(
            "{}, from {} to {}",
            quantity::TIME_EXAMPLE,
            quantity::render_duration(least),
            quantity::render_duration(most)
        );
        self.read(key, &expected, bounded, report)
    }

    /// A size in bytes within bounds, both included.
    pub(crate) fn size(&self, key: &str, least: u64, most: u64, report: &mut Report) -> Option<u64> {
        let bounded = |value: &Value| {
            value.as_str().and_then(quantity::parse_size).filter(|size| (least..=most).contains(size))
        };
        let expected = format!(
            "{}, from {} to {}",
            quantity::SIZE_EXAMPLE,
            quantity::render_size(least),
            quantity::render_size(most)
        );
        self.read(key, &expected, bounded, report)
    }

    /// One of a closed set of names.
    pub(crate) fn choice<T>(
        &self,
        key: &str,
        names: &[&str],
        parse: impl Fn(&str) -> Option<T>,
        report: &mut Report,
    ) -> Option<T> {
        let expected = format!("one of {}", quoted_list(names));
        self.read(key, &expected, |value| value.as_str().and_then(&parse), report)
    }

    fn read<T>(
        &self,
        key: &str,
        expected: &str,
        parse: impl Fn(&'v Value) -> Option<T>,
        report: &mut Report,
    ) -> Option<T> {
        let value = self.get(key)?;
        let parsed = parse(value);
        if parsed.is_none() {
            report.error(&self.path_of(key), format!("must be {expected}, not {}", quoted(value)));
        }
        parsed
    }
}

/// Whether a key can name something of the operator's own.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.trim() == name && name.len() <= 128
}

/// What kind of value this is, for messages.
pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A scalar as it was written, cut to 80 characters, or the kind of anything else.
pub(crate) fn quoted(value: &Value) -> String {
    match value {
        Value::Null | Value::Array(_) | Value::Object(_) => kind(value).to_owned(),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            let text = value.to_string();
            match text.char_indices().nth(80) {
                Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
                None => text,
            }
        }
    }
}

/// Names for a message: `"a", "b", "c"`.
pub(crate) fn quoted_list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_wrong_value_says_what_is_expected_and_what_was_written() {
        let value = json!({ "a": 0, "b": "soon", "c": ["x"], "d": "y".repeat(200), "e": true });
        let mut report = Report::default();
        let section = Section::open(&value, "s", &mut report).unwrap();
        section.integer("a", 1, 9, &mut report);
        section.duration("b", Duration::ZERO, Duration::from_secs(60), &mut report);
        section.text("c", &mut report);
        section.boolean("d", &mut report);
        section.choice("e", &["human", "json"], |_| None::<()>, &mut report);
        section.refuse_unknown(&["a", "b", "c", "d"], &mut report);
        let lines: Vec<String> =
            report.problems.iter().map(|p| format!("{}: {}", p.path, p.message)).collect();
        assert_eq!(lines.len(), 6);
        assert_eq!(lines[0], "s.a: must be a whole number from 1 to 9, not 0");
        assert!(lines[1].contains("such as \"30s\", from 0ms to 1m, not \"soon\""), "{}", lines[1]);
        assert_eq!(lines[2], "s.c: must be a string, not a list");
        assert!(lines[3].chars().count() < 140 && lines[3].ends_with('…'), "{}", lines[3]);
        assert_eq!(lines[4], "s.e: must be one of \"human\", \"json\", not true");
        assert_eq!(lines[5], "s.e: is not a setting; did you mean `a`?");
    }
}
