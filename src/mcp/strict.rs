//! Reading JSON so that nobody behind the gate can read it another way.
//!
//! Promises that what passes has one meaning: readers of JSON differ in which of two equal members they take, in numbers
//! that no double holds, in half surrogate pairs, in how deep they read, and in whether a carriage return ends a line.
//! Knows nothing of messages.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::fmt;

/// How deep values may be nested.
const MAX_DEPTH: usize = 64;

/// The largest magnitude of a number that every reader holds exactly: beyond it, doubles skip integers.
const MAX_NUMBER: u64 = (1 << 53) - 1;

/// How much of a text that is to blame is quoted.
const QUOTED: usize = 60;

/// Why a text does not have one meaning.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Bytes that are no UTF-8.
    #[error("it is not UTF-8")]
    NotText,
    /// A carriage return within the line.
    #[error("it holds a carriage return, at which some readers end the line")]
    CarriageReturn,
    /// Not JSON, or not the value that is expected.
    #[error("it is not the JSON that is expected: {0}")]
    NotJson(String),
    /// One member twice.
    #[error("it holds the member {0} twice")]
    Twice(String),
    /// Nested too deep.
    #[error("it is nested deeper than {MAX_DEPTH} levels")]
    TooDeep,
    /// A number that doubles do not hold exactly.
    #[error("it holds a number beyond ±{MAX_NUMBER}, which readers round differently; send it as a string")]
    Number,
}

/// A member of an object, with its value as it was written.
#[derive(Debug)]
pub(super) struct Member<'a> {
    pub(super) name: String,
    pub(super) value: &'a str,
}

/// The text of a line, without the carriage return that may end it.
pub(super) fn text(line: &[u8]) -> Result<&str, Fault> {
    let text = str::from_utf8(line).map_err(|_invalid| Fault::NotText)?;
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.contains('\r') { Err(Fault::CarriageReturn) } else { Ok(text) }
}

fn not_json(error: &serde_json::Error) -> Fault {
    Fault::NotJson(error.to_string())
}

fn twice(name: &str) -> Fault {
    Fault::Twice(name.chars().take(QUOTED).collect())
}

/// A JSON string's value.
pub(super) fn string(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

/// A JSON integer that every reader holds exactly.
pub(super) fn integer(value: &str) -> Option<i64> {
    value.parse().ok().filter(|number: &i64| number.unsigned_abs() <= MAX_NUMBER)
}

/// The members of an object, each name once.
pub(super) fn members(text: &str) -> Result<Vec<Member<'_>>, Fault> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let members = reader.deserialize_map(Members).and_then(|members| reader.end().map(|()| members));
    let members = members.map_err(|error| not_json(&error))?;
    let mut seen = HashSet::new();
    match members.iter().find(|member| !seen.insert(member.name.as_str())) {
        Some(again) => Err(twice(&again.name)),
        None => Ok(members),
    }
}

/// The elements of an array.
pub(super) fn elements(text: &str) -> Result<Vec<&str>, Fault> {
    let values: Vec<&RawValue> = serde_json::from_str(text).map_err(|error| not_json(&error))?;
    Ok(values.into_iter().map(RawValue::get).collect())
}

/// Whether a value has one meaning, down to its last member.
pub(super) fn exact(text: &str) -> Result<(), Fault> {
    let mut fault = None;
    let mut reader = serde_json::Deserializer::from_str(text);
    let walked = Walk { depth: 0, fault: &mut fault }.deserialize(&mut reader).and_then(|()| reader.end());
    match (fault, walked) {
        (Some(fault), _any) => Err(fault),
        (None, Err(error)) => Err(not_json(&error)),
        (None, Ok(())) => Ok(()),
    }
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<Member<'de>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let value: &'de RawValue = map.next_value()?;
            members.push(Member { name, value: value.get() });
        }
        Ok(members)
    }
}

/// Walks through a value without keeping it.
struct Walk<'f> {
    depth: usize,
    fault: &'f mut Option<Fault>,
}

impl Walk<'_> {
    fn within(&mut self) -> Walk<'_> {
        Walk { depth: self.depth + 1, fault: self.fault }
    }

    fn fail<E: Error>(&mut self, fault: Fault) -> E {
        let error = E::custom(&fault);
        *self.fault = Some(fault);
        error
    }

    fn enter<E: Error>(&mut self) -> Result<(), E> {
        if self.depth >= MAX_DEPTH { Err(self.fail(Fault::TooDeep)) } else { Ok(()) }
    }
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: Error>(self, _value: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E: Error>(self, _value: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(mut self, value: u64) -> Result<(), E> {
        if value > MAX_NUMBER { Err(self.fail(Fault::Number)) } else { Ok(()) }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_u64(value.unsigned_abs())
    }

    fn visit_f64<E: Error>(mut self, value: f64) -> Result<(), E> {
        // Exact: the bound itself is a double.
        if value.abs() > MAX_NUMBER as f64 { Err(self.fail(Fault::Number)) } else { Ok(()) }
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.enter()?;
        while items.next_element_seed(self.within())?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.enter()?;
        let mut seen = HashSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if seen.contains(&name) {
                return Err(self.fail(twice(&name)));
            }
            seen.insert(name);
            map.next_value_seed(self.within())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_with_one_meaning_passes() {
        for text in [
            "{}",
            r#" {"a": [1, -2.5e3, true, null, "é\u00e9\ud83d\ude00\u0000"], "A": {"a": 9007199254740991}} "#,
            "-9007199254740991",
            r#"{"__proto__": {}}"#,
        ] {
            assert_eq!(exact(text), Ok(()), "{text}");
        }
        assert_eq!(exact(&format!("{}{}", "[".repeat(64), "]".repeat(64))), Ok(()));
    }

    #[test]
    fn what_readers_take_differently_is_found_at_any_depth() {
        let twice = |name: &str| Err(Fault::Twice(name.to_owned()));
        let cases = [
            (r#"{"a": 1, "a": 1}"#, twice("a")),
            (r#"[{"x": {"p\u0061th": 1, "path": 2}}]"#, twice("path")),
            ("[9007199254740992]", Err(Fault::Number)),
            ("-9007199254740993", Err(Fault::Number)),
            ("123456789012345678901234567890", Err(Fault::Number)),
            ("1e300", Err(Fault::Number)),
        ];
        for (text, expected) in cases {
            assert_eq!(exact(text), expected, "{text}");
        }
        for depth in [65, 100, 100_000] {
            assert_eq!(exact(&"[".repeat(depth)), Err(Fault::TooDeep), "{depth}");
            assert_eq!(exact(&r#"{"a":"#.repeat(depth)), Err(Fault::TooDeep), "{depth}");
        }
        for text in [
            "",
            "1 2",
            "{} x",
            "[1,]",
            "{\"a\":1,}",
            "{'a':1}",
            "NaN",
            "01",
            "1e999",
            r#""\ud800""#,
            r#""\udc00\ud800""#,
            r#"{"\ud800": 1}"#,
            "\"\u{1}\"",
            "\u{feff}{}",
            "// no\n{}",
        ] {
            assert!(matches!(exact(text), Err(Fault::NotJson(_))), "{text}: {:?}", exact(text));
        }
    }

    #[test]
    fn members_keep_their_values_as_written_and_their_names_once() {
        let found = members(r#" {"a" : [ 1.50 ] , "\u0062": {"c":1,"c":2}} "#).unwrap();
        let found: Vec<_> = found.iter().map(|member| (member.name.as_str(), member.value)).collect();
        assert_eq!(found, [("a", "[ 1.50 ]"), ("b", r#"{"c":1,"c":2}"#)]);
        assert_eq!(members(r#"{"a":1,"\u0061":2}"#).unwrap_err(), Fault::Twice("a".to_owned()));
        for text in ["[]", "null", "{", "{} {}", r#"{"a":}"#] {
            assert!(matches!(members(text), Err(Fault::NotJson(_))), "{text}");
        }
        assert!(members(&format!("{{\"a\":{}{}}}", "[".repeat(99_999), "]".repeat(99_999))).is_ok());
    }

    #[test]
    fn a_line_is_utf8_without_carriage_returns_but_the_one_at_its_end() {
        assert_eq!(text(b"{}\r"), Ok("{}"));
        assert_eq!(text(b"{\r}"), Err(Fault::CarriageReturn));
        assert_eq!(text(b"\r\r"), Err(Fault::CarriageReturn));
        assert_eq!(text(b"\"\xff\""), Err(Fault::NotText));
        assert_eq!(text(b"\"\xed\xa0\x80\""), Err(Fault::NotText), "a surrogate in bytes");
    }

    #[test]
    fn integers_are_those_that_every_reader_holds() {
        for (text, expected) in [("7", Some(7)), ("-9007199254740991", Some(-9_007_199_254_740_991))] {
            assert_eq!(integer(text), expected);
        }
        for text in ["7.0", "7e0", "9007199254740992", "\"7\"", "null", ""] {
            assert_eq!(integer(text), None, "{text}");
        }
    }
}
