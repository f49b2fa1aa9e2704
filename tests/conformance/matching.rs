//! What was saved, put in where it is named, and results held against what is expected.
//!
//! Knows nothing of steps.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// Whatever is not absent.
const PRESENT: &str = "$present";
/// A text or a list that contains something.
const CONTAINS: &str = "$contains";

/// What was saved, by name.
pub(crate) type Saved = HashMap<String, Value>;

/// The value with everything that was saved in its place.
pub(crate) fn filled_in(value: &Value, saved: &Saved) -> Value {
    match value {
        Value::String(text) => {
            let named = text.strip_prefix('$').and_then(|name| saved.get(name));
            named.cloned().unwrap_or_else(|| value.clone())
        }
        Value::Array(items) => Value::Array(items.iter().map(|item| filled_in(item, saved)).collect()),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(key, field)| (key.clone(), filled_in(field, saved)));
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
    }
}

/// The part of a result that a path of keys and positions leads to.
pub(crate) fn part<'a>(result: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(result, |value, step| match value {
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        Value::Object(fields) => fields.get(step),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    })
}

/// Why a result is not as expected.
pub(crate) fn difference(expected: &Value, actual: Option<&Value>, place: &str) -> Option<String> {
    let actual = actual.filter(|actual| !actual.is_null());
    let as_is = || Some(format!("{place}: expected {expected}, got {}", actual.unwrap_or(&Value::Null)));
    match (expected, actual) {
        (Value::Null, None) => None,
        (Value::String(text), Some(_)) if text == PRESENT => None,
        (Value::Object(fields), Some(actual)) if fields.contains_key(CONTAINS) => {
            let wanted = fields.get(CONTAINS)?;
            let contained = match actual {
                Value::String(text) => wanted.as_str().is_some_and(|wanted| text.contains(wanted)),
                Value::Array(items) => items.contains(wanted),
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
            };
            if contained { None } else { as_is() }
        }
        (Value::Object(fields), Some(Value::Object(found))) => fields
            .iter()
            .find_map(|(key, field)| difference(field, found.get(key), &format!("{place}.{key}"))),
        (Value::Array(items), Some(Value::Array(found))) if items.len() == found.len() => {
            let both = items.iter().zip(found).enumerate();
            both.into_iter()
                .find_map(|(at, (item, found))| difference(item, Some(found), &format!("{place}.{at}")))
        }
        (expected, Some(actual)) if expected == actual => None,
        (_, _) => as_is(),
    }
}
