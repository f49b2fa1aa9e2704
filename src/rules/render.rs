//! Entries as text: the object form that files hold, one line for people, and the identity by which duplicates are known.
//!
//! Promises one spelling per entry. Knows nothing of terminals: control characters leave as escapes, the rest as it is.

use super::entry::{Entry, Hint, ServerPattern, TextPattern, ToolPattern};
use super::grammar::parse_entry;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// What makes two entries the same one: their object form. An entry with a `rate` and one without are two.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(String);

impl Identity {
    /// The identity of an entry.
    #[must_use]
    pub fn of(entry: &Entry) -> Self {
        Self(object_text(entry))
    }

    /// The canonical line.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The value of an entry's `pattern` field.
enum PatternValue<'a> {
    Text(&'a str),
    Hints(&'a BTreeMap<Hint, bool>),
}

/// An entry's fields, in the order in which they are written.
struct Fields<'a> {
    entry_type: &'static str,
    server: Option<&'a str>,
    matcher: &'static str,
    pattern: PatternValue<'a>,
    host: Option<&'a str>,
    rate: Option<bool>,
}

impl<'a> Fields<'a> {
    fn of(entry: &'a Entry) -> Self {
        match entry {
            Entry::Shell { pattern, rate } => {
                let (matcher, text) = text_pattern(pattern);
                let pattern = PatternValue::Text(text);
                Self { entry_type: "shell", server: None, matcher, pattern, host: None, rate: *rate }
            }
            Entry::Tool { pattern, host, rate } => {
                let (matcher, pattern) = tool_pattern(pattern);
                Self {
                    entry_type: "tool",
                    server: None,
                    matcher,
                    pattern,
                    host: host.as_deref(),
                    rate: *rate,
                }
            }
            Entry::McpTool { server, pattern, host, rate } => {
                let (matcher, pattern) = tool_pattern(pattern);
                let server = match server {
                    ServerPattern::Any => "*",
                    ServerPattern::Key(key) => key,
                };
                let host = host.as_deref();
                Self { entry_type: "mcpTool", server: Some(server), matcher, pattern, host, rate: *rate }
            }
        }
    }
}

fn text_pattern(pattern: &TextPattern) -> (&'static str, &str) {
    match pattern {
        TextPattern::Exact(text) => ("exact", text),
        TextPattern::Glob(text) => ("glob", text),
        TextPattern::Regexp(text) => ("regexp", text),
    }
}

fn tool_pattern(pattern: &ToolPattern) -> (&'static str, PatternValue<'_>) {
    match pattern {
        ToolPattern::Name(pattern) => {
            let (matcher, text) = text_pattern(pattern);
            (matcher, PatternValue::Text(text))
        }
        ToolPattern::Hints(hints) => ("hint", PatternValue::Hints(hints)),
    }
}

/// A string as a JSON literal.
pub(super) fn json_string(text: &str) -> String {
    Value::from(text).to_string()
}

fn hints_text(hints: &BTreeMap<Hint, bool>) -> String {
    let members: Vec<String> = hints.iter().map(|(hint, value)| format!("\"{hint}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

/// The object form on one line: `{ "type": "shell", "matcher": "exact", "pattern": "…" }`.
#[must_use]
pub fn object_text(entry: &Entry) -> String {
    let fields = Fields::of(entry);
    let mut members = vec![format!("\"type\": \"{}\"", fields.entry_type)];
    members.extend(fields.server.map(|server| format!("\"server\": {}", json_string(server))));
    members.push(format!("\"matcher\": \"{}\"", fields.matcher));
    members.push(match fields.pattern {
        PatternValue::Text(text) => format!("\"pattern\": {}", json_string(text)),
        PatternValue::Hints(hints) => format!("\"pattern\": {}", hints_text(hints)),
    });
    members.extend(fields.host.map(|host| format!("\"host\": {}", json_string(host))));
    members.extend(fields.rate.map(|rate| format!("\"rate\": {rate}")));
    format!("{{ {} }}", members.join(", "))
}

/// One line for people: the bare command of an exact shell entry, else what the entry names and how.
#[must_use]
pub fn one_line(entry: &Entry) -> String {
    let fields = Fields::of(entry);
    let mut line = match (entry, fields.server) {
        (Entry::Shell { .. }, _) => String::new(),
        (Entry::Tool { .. }, _) | (Entry::McpTool { .. }, None) => "tool ".to_owned(),
        (Entry::McpTool { .. }, Some(server)) => format!("mcpTool {}/", visible(server)),
    };
    match fields.pattern {
        PatternValue::Text(text) => line.push_str(&visible(text)),
        PatternValue::Hints(hints) => line.push_str(&hints_text(hints)),
    }
    if fields.matcher != "exact" {
        line.push_str(&format!(" ({})", fields.matcher));
    }
    if let Some(host) = fields.host {
        line.push_str(&format!(" (host {})", visible(host)));
    }
    line
}

/// The text with control characters and line separators as escapes, so that a line stays one line.
fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            other if other.is_control() || matches!(other, '\u{2028}' | '\u{2029}') => {
                shown.push_str(&format!("\\u{{{:x}}}", u32::from(other)));
            }
            other => shown.push(other),
        }
    }
    shown
}

/// Hints as an object, in their canonical order.
struct HintsForm<'a>(&'a BTreeMap<Hint, bool>);

impl Serialize for HintsForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(hint, value)| (hint.as_str(), value)))
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = Fields::of(self);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", fields.entry_type)?;
        if let Some(server) = fields.server {
            map.serialize_entry("server", server)?;
        }
        map.serialize_entry("matcher", fields.matcher)?;
        match fields.pattern {
            PatternValue::Text(text) => map.serialize_entry("pattern", text)?,
            PatternValue::Hints(hints) => map.serialize_entry("pattern", &HintsForm(hints))?,
        }
        if let Some(host) = fields.host {
            map.serialize_entry("host", host)?;
        }
        if let Some(rate) = fields.rate {
            map.serialize_entry("rate", &rate)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Entry {
    /// Reads the object form through the grammar.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let mut problems = Vec::new();
        let entry = parse_entry(&value, "entry", &mut problems);
        entry.ok_or_else(|| {
            let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
            serde::de::Error::custom(messages.join("; "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Entry {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn an_entry_has_one_object_form_and_one_line() {
        for (written, object, line) in [
            (
                r#"{"pattern":"say \"hi\"","matcher":"exact","type":"shell"}"#,
                r#"{ "type": "shell", "matcher": "exact", "pattern": "say \"hi\"" }"#,
                "say \"hi\"",
            ),
            (
                r#"{"type":"shell","matcher":"glob","pattern":"git *","rate":false}"#,
                r#"{ "type": "shell", "matcher": "glob", "pattern": "git *", "rate": false }"#,
                "git * (glob)",
            ),
            (
                r#"{"type":"tool","matcher":"exact","pattern":"fetch","host":"a.com"}"#,
                r#"{ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": "a.com" }"#,
                "tool fetch (host a.com)",
            ),
            (
                r#"{"type":"mcpTool","server":"*","matcher":"regexp","pattern":"^a$","host":"a.com","rate":true}"#,
                r#"{ "type": "mcpTool", "server": "*", "matcher": "regexp", "pattern": "^a$", "host": "a.com", "rate": true }"#,
                "mcpTool */^a$ (regexp) (host a.com)",
            ),
            (
                r#"{"type":"mcpTool","server":"jira","matcher":"hint","pattern":{"openWorldHint":false,"readOnlyHint":true}}"#,
                r#"{ "type": "mcpTool", "server": "jira", "matcher": "hint", "pattern": {"readOnlyHint":true,"openWorldHint":false} }"#,
                "mcpTool jira/{\"readOnlyHint\":true,\"openWorldHint\":false} (hint)",
            ),
            (
                r#"{"type":"shell","matcher":"exact","pattern":"a\nb\u0007"}"#,
                r#"{ "type": "shell", "matcher": "exact", "pattern": "a\nb\u0007" }"#,
                "a\\nb\\u{7}",
            ),
        ] {
            let entry = entry(written);
            assert_eq!(object_text(&entry), object);
            assert_eq!(one_line(&entry), line);
            let stored = serde_json::to_string(&entry).unwrap();
            assert_eq!(serde_json::from_str::<Entry>(&stored).unwrap(), entry, "{stored}");
            assert_eq!(serde_json::from_str::<Entry>(object).unwrap(), entry);
        }
    }

    #[test]
    fn an_entry_with_and_without_rate_has_two_identities() {
        let plain = entry(r#"{"type":"shell","matcher":"exact","pattern":"ls"}"#);
        let rated = entry(r#"{"type":"shell","matcher":"exact","pattern":"ls","rate":false}"#);
        assert_ne!(Identity::of(&plain), Identity::of(&rated));
    }

    #[test]
    fn a_stored_entry_that_breaks_the_grammar_does_not_load() {
        let error = serde_json::from_str::<Entry>(r#"{"type":"shell","matcher":"glob"}"#).unwrap_err();
        assert!(error.to_string().contains("entry.pattern"), "{error}");
    }
}
