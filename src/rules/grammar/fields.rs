//! The fields of one entry, each judged on its own so that all problems are found at once.

use super::suggest::did_you_mean;
use super::{Examples, Problem, bare_string, kind_of};
use crate::rules::entry::{Entry, Hint, ServerPattern, TextPattern, ToolPattern};
use crate::rules::regexp::Regexp;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The values of `type`.
pub(super) const TYPES: [&str; 3] = ["shell", "tool", "mcpTool"];

/// The values of `matcher`.
pub(super) const MATCHERS: [&str; 4] = ["exact", "glob", "regexp", "hint"];

const FIELDS: [&str; 8] = ["type", "matcher", "pattern", "server", "host", "rate", "match", "not_match"];

/// Whether the entry may carry examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extras {
    Allowed,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EntryType {
    Shell,
    Tool,
    McpTool,
}

impl EntryType {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "shell" => Some(Self::Shell),
            "tool" => Some(Self::Tool),
            "mcpTool" => Some(Self::McpTool),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Matcher {
    Exact,
    Glob,
    Regexp,
    Hint,
}

impl Matcher {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "exact" => Some(Self::Exact),
            "glob" => Some(Self::Glob),
            "regexp" => Some(Self::Regexp),
            "hint" => Some(Self::Hint),
            _ => None,
        }
    }
}

/// Reads one entry at a path.
pub(super) struct EntryReader<'a> {
    path: &'a str,
    extras: Extras,
    problems: &'a mut Vec<Problem>,
    failed: bool,
}

impl<'a> EntryReader<'a> {
    pub(super) fn new(path: &'a str, extras: Extras, problems: &'a mut Vec<Problem>) -> Self {
        Self { path, extras, problems, failed: false }
    }

    /// The entry with its examples; `None` when any of its fields is in error.
    pub(super) fn read(mut self, value: &Value) -> Option<(Entry, Examples)> {
        let object = match value {
            Value::Object(object) => object,
            Value::String(text) => {
                self.problems.push(Problem::error(self.path, bare_string(text)));
                return None;
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                let message = format!(
                    "an entry must be an object, not {}; write {{ \"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"npm test\" }}",
                    kind_of(value)
                );
                self.problems.push(Problem::error(self.path, message));
                return None;
            }
        };
        let entry_type = self.entry_type(object);
        let matcher = self.matcher(object, entry_type);
        let pattern = self.pattern(object, entry_type, matcher);
        let server = self.server(object, entry_type);
        let host = self.host(object, entry_type);
        let rate = self.rate(object);
        let examples = self.examples(object, matcher);
        self.unknown_fields(object);
        if self.failed {
            return None;
        }
        let entry = match (entry_type?, pattern?) {
            (EntryType::Shell, ToolPattern::Name(pattern)) => Entry::Shell { pattern, rate },
            (EntryType::Shell, ToolPattern::Hints(_)) => return None,
            (EntryType::Tool, pattern) => Entry::Tool { pattern, host, rate },
            (EntryType::McpTool, pattern) => Entry::McpTool { server: server?, pattern, host, rate },
        };
        Some((entry, examples))
    }

    fn error(&mut self, field: &str, message: impl Into<String>) {
        self.failed = true;
        self.problems.push(Problem::error(format!("{}.{field}", self.path), message));
    }

    fn entry_type(&mut self, object: &Map<String, Value>) -> Option<EntryType> {
        let name = self.word(object, "type", &TYPES)?;
        EntryType::parse(name)
    }

    fn matcher(&mut self, object: &Map<String, Value>, entry_type: Option<EntryType>) -> Option<Matcher> {
        let name = self.word(object, "matcher", &MATCHERS)?;
        let matcher = Matcher::parse(name)?;
        if matcher == Matcher::Hint && entry_type == Some(EntryType::Shell) {
            self.error("matcher", "`hint` compares a tool's annotations, and a shell command has none; use exact, glob or regexp");
        }
        Some(matcher)
    }

    /// A required field that holds one of a few words.
    fn word<'v>(&mut self, object: &'v Map<String, Value>, field: &str, words: &[&str]) -> Option<&'v str> {
        let listed = words.join(", ");
        match object.get(field) {
            None => self.error(field, format!("is missing; write one of {listed}")),
            Some(Value::String(text)) if words.contains(&text.as_str()) => return Some(text),
            Some(Value::String(text)) => {
                let suggestion = did_you_mean(text, words);
                let shown = shorten(text);
                self.error(field, format!("unknown {field} `{shown}`; write one of {listed}{suggestion}"));
            }
            Some(other) => self.error(field, format!("must be one of {listed}, not {}", kind_of(other))),
        }
        None
    }

    fn pattern(
        &mut self,
        object: &Map<String, Value>,
        entry_type: Option<EntryType>,
        matcher: Option<Matcher>,
    ) -> Option<ToolPattern> {
        let Some(value) = object.get("pattern") else {
            let wanted = match matcher {
                Some(Matcher::Hint) => "an object of hints, as in { \"readOnlyHint\": true }",
                Some(Matcher::Exact | Matcher::Glob | Matcher::Regexp) | None => "a non-empty string",
            };
            self.error("pattern", format!("is missing; write {wanted}"));
            return None;
        };
        let matcher = matcher?;
        match (matcher, value) {
            (Matcher::Hint, Value::Object(hints)) => self.hints(hints).map(ToolPattern::Hints),
            (Matcher::Hint, other) => {
                let message = format!(
                    "must be an object of hints for matcher `hint`, not {}; write for example {{ \"readOnlyHint\": true }}",
                    kind_of(other)
                );
                self.error("pattern", message);
                None
            }
            (Matcher::Exact | Matcher::Glob | Matcher::Regexp, Value::String(text)) => {
                self.text_pattern(matcher, text, entry_type).map(ToolPattern::Name)
            }
            (Matcher::Exact | Matcher::Glob | Matcher::Regexp, other) => {
                let hint =
                    if other.is_object() { "; an object of hints needs \"matcher\": \"hint\"" } else { "" };
                self.error("pattern", format!("must be a string, not {}{hint}", kind_of(other)));
                None
            }
        }
    }

    fn text_pattern(
        &mut self,
        matcher: Matcher,
        text: &str,
        entry_type: Option<EntryType>,
    ) -> Option<TextPattern> {
        let blank =
            entry_type == Some(EntryType::Shell) && matcher != Matcher::Regexp && text.trim().is_empty();
        if text.is_empty() || blank {
            self.error(
                "pattern",
                "must not be empty; to match everything write \"matcher\": \"glob\", \"pattern\": \"*\"",
            );
            return None;
        }
        match matcher {
            Matcher::Exact => Some(TextPattern::Exact(text.to_owned())),
            Matcher::Glob => Some(TextPattern::Glob(text.to_owned())),
            Matcher::Regexp => match Regexp::new(text) {
                Ok(_) => Some(TextPattern::Regexp(text.to_owned())),
                Err(error) => {
                    self.error("pattern", error.to_string());
                    None
                }
            },
            Matcher::Hint => None,
        }
    }

    fn hints(&mut self, object: &Map<String, Value>) -> Option<BTreeMap<Hint, bool>> {
        let names = Hint::ALL.map(Hint::as_str);
        if object.is_empty() {
            let message = format!(
                "must name at least one hint ({}): an empty object is never taken to match everything",
                names.join(", ")
            );
            self.error("pattern", message);
            return None;
        }
        let mut hints = BTreeMap::new();
        for (name, value) in object {
            match (Hint::parse(name), value) {
                (Some(hint), Value::Bool(value)) => {
                    hints.insert(hint, *value);
                }
                (Some(hint), other) => {
                    self.error(
                        "pattern",
                        format!("hint `{hint}` must be true or false, not {}", kind_of(other)),
                    );
                }
                (None, _) => {
                    let suggestion = did_you_mean(name, &names);
                    let shown = shorten(name);
                    self.error(
                        "pattern",
                        format!("unknown hint `{shown}`; the hints are {}{suggestion}", names.join(", ")),
                    );
                }
            }
        }
        (hints.len() == object.len()).then_some(hints)
    }

    fn server(
        &mut self,
        object: &Map<String, Value>,
        entry_type: Option<EntryType>,
    ) -> Option<ServerPattern> {
        let wanted = "write the server's key, or \"*\" for every server";
        match (entry_type, object.get("server")) {
            (Some(EntryType::Shell | EntryType::Tool), Some(_)) => {
                self.error(
                    "server",
                    "`server` belongs to mcpTool entries only; leave it out, or write \"type\": \"mcpTool\"",
                );
            }
            (Some(EntryType::Shell | EntryType::Tool) | None, None) => {}
            (Some(EntryType::McpTool), None) => self.error("server", format!("is missing; {wanted}")),
            (Some(EntryType::McpTool) | None, Some(Value::String(text))) => match text.as_str() {
                "" => self.error("server", format!("must not be empty; {wanted}")),
                "*" => return Some(ServerPattern::Any),
                key => return Some(ServerPattern::Key(key.to_owned())),
            },
            (Some(EntryType::McpTool) | None, Some(other)) => {
                self.error("server", format!("must be a string, not {}; {wanted}", kind_of(other)));
            }
        }
        None
    }

    fn host(&mut self, object: &Map<String, Value>, entry_type: Option<EntryType>) -> Option<String> {
        match (entry_type, object.get("host")) {
            (_, None) => {}
            (Some(EntryType::Shell), Some(_)) => {
                self.error("host", "`host` belongs to tool and mcpTool entries; leave it out: a shell entry names its host in its pattern");
            }
            (Some(EntryType::Tool | EntryType::McpTool) | None, Some(Value::String(host))) => {
                if host.is_empty() {
                    self.error(
                        "host",
                        "must not be empty; write a host name such as \"api.example.com\", or leave it out",
                    );
                    return None;
                }
                if let Some(message) = unmatchable_host(host) {
                    self.problems.push(Problem::warning(format!("{}.host", self.path), message));
                }
                return Some(host.clone());
            }
            (Some(EntryType::Tool | EntryType::McpTool) | None, Some(other)) => {
                self.error(
                    "host",
                    format!(
                        "must be a string, not {}; write a host name such as \"api.example.com\"",
                        kind_of(other)
                    ),
                );
            }
        }
        None
    }

    fn rate(&mut self, object: &Map<String, Value>) -> Option<bool> {
        match object.get("rate") {
            None => None,
            Some(Value::Bool(rate)) => Some(*rate),
            Some(other) => {
                self.error("rate", format!("must be true or false, not {}", kind_of(other)));
                None
            }
        }
    }

    fn examples(&mut self, object: &Map<String, Value>, matcher: Option<Matcher>) -> Examples {
        let mut examples = Examples::default();
        for (field, texts) in [("match", &mut examples.matches), ("not_match", &mut examples.not_matches)] {
            let Some(value) = object.get(field) else { continue };
            match (self.extras, matcher) {
                (Extras::Refused, _) => {
                    self.error(
                        field,
                        format!("`{field}` is for entries in a policy file; leave it out here"),
                    );
                }
                (Extras::Allowed, Some(Matcher::Hint)) => {
                    self.error(field, format!("`{field}` cannot prove a hint entry, which compares annotations and not names; leave it out"));
                }
                (Extras::Allowed, Some(Matcher::Exact | Matcher::Glob | Matcher::Regexp) | None) => {
                    self.example_texts(field, value, texts);
                }
            }
        }
        examples
    }

    fn example_texts(&mut self, field: &str, value: &Value, texts: &mut Vec<String>) {
        let Value::Array(values) = value else {
            self.error(field, format!("must be a list of example commands or names, not {}", kind_of(value)));
            return;
        };
        for (place, value) in values.iter().enumerate() {
            match value {
                Value::String(text) if !text.trim().is_empty() => texts.push(text.clone()),
                other => self.error(
                    &format!("{field}[{place}]"),
                    format!(
                        "must be a non-empty string, not {}",
                        match other {
                            Value::String(_) => "an empty one",
                            other => kind_of(other),
                        }
                    ),
                ),
            }
        }
    }

    fn unknown_fields(&mut self, object: &Map<String, Value>) {
        for name in object.keys().filter(|name| !FIELDS.contains(&name.as_str())) {
            let suggestion = did_you_mean(name, &FIELDS);
            let shown = shorten(name);
            let message = format!("unknown field `{shown}`; an entry has {}{suggestion}", FIELDS.join(", "));
            let plain = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '_');
            if plain && !name.is_empty() {
                self.error(name, message);
            } else {
                self.failed = true;
                self.problems.push(Problem::error(self.path, message));
            }
        }
    }
}

/// Why no call will ever name this host; hosts of calls are lower-case names or addresses without scheme, port and path.
fn unmatchable_host(host: &str) -> Option<String> {
    let advice = if host.contains("://") || host.contains('/') {
        "write the host alone, without scheme and path"
    } else if host.contains('*') {
        "a host is compared as it is: `*` stands for itself; write one entry per host"
    } else if host.contains(',') || host.chars().any(char::is_whitespace) {
        "write one host, and one entry per host"
    } else if host.chars().any(char::is_uppercase) {
        "hosts of calls are in lower case; write it in lower case"
    } else if host.matches(':').count() == 1 {
        "hosts of calls have no port; write the host alone"
    } else {
        return None;
    };
    Some(format!("no call will ever name host `{}`; {advice}", shorten(host)))
}

/// A text short enough for a message.
fn shorten(text: &str) -> String {
    let mut shown: String = text.chars().take(80).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
