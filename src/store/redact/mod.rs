//! Takes secrets out of text and JSON values, before anything is encoded, hashed or written.
//!
//! Promises: linear time, the shape stays (keys, types, the words around a secret), and doing it twice changes nothing
//! more. It recognises the shapes of well-known keys, passwords in URLs, values that are named like secrets,
//! `Authorization` and cookie headers, and private-key blocks. It does not guess from randomness: a secret that neither
//! looks nor is named like one stays. Must not know: where the text came from or goes.

mod names;
mod scan;
mod shapes;
mod values;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use self::names::is_secret_name;

/// What stands in the place of a secret.
pub const MARKER: &str = "<redacted>";

/// The text without its secrets.
#[must_use]
pub fn redact_text(text: &str) -> String {
    scan::Scan::new(text).run()
}

/// Takes the secrets out of every string in the value, keys included. A string under a key that names a secret, after
/// an option in an argument list that names one, or beside a `name` that does, is taken out whole. Any depth is fine.
pub fn redact_json(value: &mut Value) {
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => *text = redact_text(text),
            Value::Array(items) => {
                redact_arguments(items);
                pending.extend(items);
            }
            Value::Object(members) => {
                redact_keys(members);
                redact_members(members);
                pending.extend(members.values_mut());
            }
        }
    }
}

/// `["--password", "x"]`: the value of an option is an element of its own.
fn redact_arguments(items: &mut [Value]) {
    let mut option_before = false;
    for item in items {
        let text = item.as_str().unwrap_or_default();
        let is_option = text.starts_with('-');
        if option_before && !is_option {
            mask(item);
            option_before = false;
        } else {
            option_before = is_option && is_secret_name(text);
        }
    }
}

fn redact_members(members: &mut Map<String, Value>) {
    // {"name": "API_TOKEN", "value": "…"}, as in lists of environment variables and headers.
    let named = ["name", "key"]
        .iter()
        .any(|key| members.get(*key).and_then(Value::as_str).is_some_and(is_secret_name));
    for (key, value) in members.iter_mut() {
        if (named && key == "value") || is_secret_name(key) {
            match value {
                Value::Array(items) => items.iter_mut().for_each(mask),
                other => mask(other),
            }
        }
    }
}

fn mask(value: &mut Value) {
    if let Value::String(text) = value
        && !text.is_empty()
        && !values::is_reference(text)
    {
        MARKER.clone_into(text);
    }
}

/// A key can be a secret itself. Two that become the same are told apart by a number, so that no member is lost.
fn redact_keys(members: &mut Map<String, Value>) {
    if members.keys().all(|key| redact_text(key) == *key) {
        return;
    }
    let before = std::mem::take(members);
    let mut copies = 1_u64;
    for (key, value) in before {
        let mut redacted = redact_text(&key);
        if redacted != key && members.contains_key(&redacted) {
            copies = copies.saturating_add(1);
            redacted = format!("{redacted} ({copies})");
        }
        members.insert(redacted, value);
    }
}
