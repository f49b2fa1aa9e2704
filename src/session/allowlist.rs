//! The `shell-allowlist.json` file that other gates keep: read in both versions, written in the second.
//!
//! Promises that one bad item never costs its neighbours, and that a prefix of version 1 becomes the narrower, exact entry.
//! Knows nothing of where grants are kept.

use crate::gate::{Grant, GrantScope, Moment};
use crate::rules::{Annotations, Entry, Hint, Identity, TextPattern, object_text, parse_entry};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use thiserror::Error;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allowlist {
    /// The grants, in the order of the file, each identity once.
    pub grants: Vec<Grant>,
    /// The items that are not grants: their place, and why.
    pub dropped: Vec<(usize, String)>,
    /// 1 or 2.
    pub version: u32,
}

/// The text is not such a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AllowlistError {
    /// It is not JSON.
    #[error("not JSON: {0}")]
    NotJson(String),
    /// It is JSON of another shape.
    #[error("neither \"grants\" (version 2) nor \"prefixes\" (version 1) is a list in it")]
    NotAnAllowlist,
}

/// Reads a file. `modified_at` stands in for times that the file does not tell.
///
/// # Errors
/// The text is not such a file.
pub fn read(content: &str, modified_at: Moment) -> Result<Allowlist, AllowlistError> {
    let value: Value = serde_json::from_str(content.trim_start_matches('\u{feff}'))
        .map_err(|error| AllowlistError::NotJson(error.to_string()))?;
    let list = |key: &str| value.get(key).and_then(Value::as_array);
    match (list("grants"), list("prefixes")) {
        (Some(items), _) => Ok(read_items(items, 2, |item| read_grant(item, modified_at))),
        (None, Some(items)) => Ok(read_items(items, 1, |item| read_prefix(item, modified_at))),
        (None, None) => Err(AllowlistError::NotAnAllowlist),
    }
}

fn read_items(items: &[Value], version: u32, read: impl Fn(&Value) -> Result<Grant, String>) -> Allowlist {
    let mut seen = HashSet::new();
    let mut allowlist = Allowlist { grants: Vec::new(), dropped: Vec::new(), version };
    for (index, item) in items.iter().enumerate() {
        match read(item) {
            Ok(grant) if seen.insert(Identity::of(&grant.entry)) => allowlist.grants.push(grant),
            Ok(_) => allowlist.dropped.push((index, "it stands in the file before".to_owned())),
            Err(reason) => allowlist.dropped.push((index, reason)),
        }
    }
    allowlist
}

fn read_prefix(item: &Value, modified_at: Moment) -> Result<Grant, String> {
    let text = item.as_str().ok_or("a prefix must be a string")?.trim();
    if text.is_empty() {
        return Err("the prefix is blank".to_owned());
    }
    let pattern = crate::shell::canonicalize(text)
        .ok_or("the prefix is not one simple command and could never match")?;
    let entry = Entry::Shell { pattern: TextPattern::Exact(pattern), rate: None };
    Ok(Grant::new(entry, None, GrantScope::Always, modified_at))
}

fn read_grant(item: &Value, modified_at: Moment) -> Result<Grant, String> {
    let entry = item.get("entry").ok_or("it has no \"entry\"")?;
    let mut problems = Vec::new();
    let parsed = parse_entry(entry, "entry", &mut problems);
    let entry = match (parsed, problems.first()) {
        (Some(entry), None) => entry,
        (_, Some(problem)) => return Err(format!("{}: {}", problem.path, problem.message)),
        (None, None) => return Err("its entry does not follow the grammar".to_owned()),
    };
    let annotations = match item.get("annotations") {
        None => None,
        Some(value) => Some(read_annotations(value).ok_or("its annotations are not four booleans")?),
    };
    let granted_at = match item.get("grantedAt").and_then(Value::as_str) {
        Some(text) => {
            text.parse::<jiff::Timestamp>().map_or(modified_at, |time| Moment(time.as_microsecond()))
        }
        None => modified_at,
    };
    Ok(Grant::new(entry, annotations, GrantScope::Always, granted_at))
}

fn read_annotations(value: &Value) -> Option<Annotations> {
    let members = value.as_object()?;
    let mut annotations = Annotations::FAIL_CLOSED;
    for hint in Hint::ALL {
        annotations = annotations.with(hint, members.get(hint.as_str())?.as_bool()?);
    }
    Some(annotations)
}

/// Writes grants as a file of version 2. Returns its text, how many grants it holds and how many it cannot express.
#[must_use]
pub fn write<'a>(grants: impl Iterator<Item = &'a Grant>) -> (String, usize, usize) {
    let mut items = Vec::new();
    let mut skipped = 0;
    for grant in grants {
        if grant.expires_at.is_some() || grant.max_uses.is_some() {
            // The format knows neither: writing it would make a bounded grant unbounded.
            skipped += 1;
            continue;
        }
        let mut item = Map::new();
        let entry = serde_json::from_str(&object_text(&grant.entry)).unwrap_or(Value::Null);
        item.insert("entry".to_owned(), entry);
        item.insert("grantedAt".to_owned(), Value::String(rfc3339(grant.granted_at)));
        item.insert("scope".to_owned(), Value::String("always".to_owned()));
        if let Some(annotations) = &grant.annotations {
            item.insert("annotations".to_owned(), json!(annotations));
        }
        items.push(Value::Object(item));
    }
    let count = items.len();
    let mut text =
        serde_json::to_string_pretty(&json!({ "version": 2, "grants": items })).unwrap_or_default();
    text.push('\n');
    (text, count, skipped)
}

fn rfc3339(moment: Moment) -> String {
    jiff::Timestamp::from_microsecond(moment.0).map(|time| format!("{time:.3}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_item_never_costs_its_neighbours() {
        let file = r#"{ "version": 7, "grants": [
            { "entry": { "type": "shell", "matcher": "exact", "pattern": "npm test" }, "grantedAt": "2026-01-02T03:04:05.678Z" },
            "npm run x",
            { "entry": { "type": "tool", "matcher": "exact", "pattern": "fetch", "typo": 1 } },
            { "entry": { "type": "tool", "matcher": "exact", "pattern": "fetch" }, "annotations": { "readOnlyHint": "true" } },
            { "entry": { "type": "tool", "matcher": "exact", "pattern": "fetch" },
              "annotations": { "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false } },
            { "entry": { "type": "shell", "matcher": "exact", "pattern": "npm test" } } ] }"#;
        let read = read(file, Moment(5)).unwrap();
        assert_eq!(read.grants.len(), 2);
        assert_eq!(read.dropped.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1, 2, 3, 5]);
        assert_eq!(read.grants[0].granted_at, Moment(1_767_323_045_678_000));
        assert_eq!(read.grants[1].granted_at, Moment(5));
        assert!(read.grants[1].annotations.unwrap().read_only);
    }

    #[test]
    fn a_prefix_of_version_one_becomes_the_exact_command() {
        let read =
            read(r#"{ "prefixes": ["git   status", "", 3, "a && b", "git status"] }"#, Moment(9)).unwrap();
        assert_eq!(read.version, 1);
        let entries: Vec<String> =
            read.grants.iter().map(|grant| crate::rules::one_line(&grant.entry)).collect();
        assert_eq!(entries, ["git status"]);
        assert_eq!(read.dropped.len(), 4);
    }

    #[test]
    fn what_is_written_is_read_back_and_bounded_grants_are_not_made_unbounded() {
        let entry =
            |command: &str| Entry::Shell { pattern: TextPattern::Exact(command.to_owned()), rate: None };
        let plain = Grant::new(entry("npm test"), None, GrantScope::Always, Moment(1_767_323_045_678_000));
        let bounded = Grant {
            max_uses: Some(1),
            ..Grant::new(entry("npm run x"), None, GrantScope::Always, Moment(0))
        };
        let (text, written, skipped) = write([&plain, &bounded].into_iter());
        assert_eq!((written, skipped), (1, 1));
        assert_eq!(read(&text, Moment(0)).unwrap().grants, [plain]);
    }

    #[test]
    fn another_text_is_refused() {
        for text in ["", "[]", "null", "{}", r#"{"grants": 3}"#] {
            assert!(read(text, Moment(0)).is_err(), "{text}");
        }
    }
}
