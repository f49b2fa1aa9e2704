//! What must come of a call: `{action?, stage?, scope?, outcome?, grant_preview?, deny_preview?, message_contains?}`.
//!
//! Only what is named is checked. A list as a field's value means any of them, and a list of such objects means any of
//! these. Words are compared whatever their letters' case, as is `message_contains`. `scope` and `outcome` may be
//! `null`: there is none. A preview is the entry as an object or as its text, `null` where none may be on offer, `true`
//! where any must be, or else the entry in one line. Promises that a field or word that is not known is an error.

use super::run::Observed;
use super::words;
use crate::config::{Report, Section, item_path, kind};
use crate::gate::{Action, Offer, Outcome, Scope, Stage};
use serde_json::Value;

/// What must come of a call.
#[derive(Debug)]
pub(super) struct Expectation {
    /// As it is written.
    pub(super) written: Value,
    alternatives: Vec<Expected>,
}

/// One acceptable object; each field holds what it accepts.
#[derive(Debug, Default)]
struct Expected {
    action: Option<Vec<Action>>,
    stage: Option<Vec<Stage>>,
    scope: Option<Vec<Option<Scope>>>,
    outcome: Option<Vec<Option<Outcome>>>,
    grant_preview: Option<Vec<Preview>>,
    deny_preview: Option<Vec<Preview>>,
    message_contains: Option<Vec<String>>,
}

/// An offer that is accepted.
#[derive(Debug)]
enum Preview {
    Nothing,
    Anything,
    Entry(Value),
    Line(String),
}

const KEYS: [&str; 7] =
    ["action", "stage", "scope", "outcome", "grant_preview", "deny_preview", "message_contains"];
const SCOPES: [Scope; 3] = [Scope::Once, Scope::Session, Scope::Always];

impl Expectation {
    /// Reads one expectation; `null` is none.
    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        let alternatives = match value {
            Value::Null => return None,
            Value::Array(items) if items.is_empty() => {
                report.error(path, "is an empty list, which nothing could meet; write what is acceptable");
                return None;
            }
            Value::Array(items) => items
                .iter()
                .enumerate()
                .filter_map(|(index, item)| Expected::read(item, &item_path(path, index), report))
                .collect(),
            Value::Object(_) | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Expected::read(value, path, report).into_iter().collect()
            }
        };
        Some(Self { written: value.clone(), alternatives })
    }

    /// Whether what came is acceptable.
    pub(super) fn is_met_by(&self, observed: &Observed) -> bool {
        self.alternatives.iter().any(|expected| expected.is_met_by(observed))
    }

    /// The fields that it names, for a report that shows no more than was asked.
    pub(super) fn names(&self, field: &str) -> bool {
        let names = |value: &Value| value.get(field).is_some();
        names(&self.written) || self.written.as_array().is_some_and(|items| items.iter().any(names))
    }
}

impl Expected {
    fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&KEYS, report);
        if KEYS.iter().all(|key| section.get(key).is_none()) {
            report.error(path, format!("checks nothing; name at least one of {}", KEYS.join(", ")));
        }
        Some(Self {
            action: one_of(&section, "action", &Action::ALL, Action::as_str, report),
            stage: one_of(&section, "stage", &Stage::ALL, Stage::as_str, report),
            scope: one_or_none_of(&section, "scope", &SCOPES, Scope::as_str, report),
            outcome: one_or_none_of(&section, "outcome", &Outcome::ALL, Outcome::as_str, report),
            grant_preview: previews(&section, "grant_preview", report),
            deny_preview: previews(&section, "deny_preview", report),
            message_contains: any_of(&section, "message_contains", report, |value, path, report| {
                let text = value.as_str().map(str::to_lowercase);
                if text.is_none() {
                    report.error(path, format!("must be a string, not {}", kind(value)));
                }
                text
            }),
        })
    }

    fn is_met_by(&self, observed: &Observed) -> bool {
        let message = observed.message.to_lowercase();
        accepts(self.action.as_deref(), |action| *action == observed.action)
            && accepts(self.stage.as_deref(), |stage| *stage == observed.stage)
            && accepts(self.scope.as_deref(), |scope| *scope == observed.scope)
            && accepts(self.outcome.as_deref(), |outcome| *outcome == observed.outcome)
            && accepts(self.grant_preview.as_deref(), |preview| preview.is_met_by(observed.grant.as_ref()))
            && accepts(self.deny_preview.as_deref(), |preview| preview.is_met_by(observed.denial.as_ref()))
            && accepts(self.message_contains.as_deref(), |part| message.contains(part.as_str()))
    }
}

impl Preview {
    fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        match value {
            Value::Null | Value::Bool(false) => Some(Self::Nothing),
            Value::Bool(true) => Some(Self::Anything),
            Value::Object(_) => Some(Self::Entry(value.clone())),
            Value::String(text) => Some(match serde_json::from_str::<Value>(text) {
                Ok(entry) if entry.is_object() => Self::Entry(entry),
                Ok(_) | Err(_) => Self::Line(text.clone()),
            }),
            Value::Number(_) | Value::Array(_) => {
                report.error(
                    path,
                    format!("must be an entry as an object or as text, or null, not {}", kind(value)),
                );
                None
            }
        }
    }

    fn is_met_by(&self, offer: Option<&Offer>) -> bool {
        match (self, offer) {
            (Self::Nothing, None) | (Self::Anything, Some(_)) => true,
            (Self::Entry(entry), Some(offer)) => entry_of(offer) == *entry,
            (Self::Line(line), Some(offer)) => offer.summary == *line,
            (Self::Nothing, Some(_)) | (Self::Anything | Self::Entry(_) | Self::Line(_), None) => false,
        }
    }
}

/// The entry on offer as JSON.
pub(super) fn entry_of(offer: &Offer) -> Value {
    serde_json::from_str(&offer.preview).unwrap_or_else(|_| Value::String(offer.preview.clone()))
}

fn accepts<T>(accepted: Option<&[T]>, is_it: impl Fn(&T) -> bool) -> bool {
    accepted.is_none_or(|accepted| accepted.iter().any(is_it))
}

/// A field whose value is one thing, or a list that means any of them.
fn any_of<T>(
    section: &Section<'_>,
    key: &str,
    report: &mut Report,
    read: impl Fn(&Value, &str, &mut Report) -> Option<T>,
) -> Option<Vec<T>> {
    let path = section.path_of(key);
    match section.get(key)? {
        Value::Array(items) if items.is_empty() => {
            report.error(&path, "is an empty list, which nothing could meet; write what is acceptable");
            None
        }
        Value::Array(items) => {
            let read = |(index, item): (usize, &Value)| read(item, &item_path(&path, index), report);
            Some(items.iter().enumerate().filter_map(read).collect())
        }
        value => Some(read(value, &path, report).into_iter().collect()),
    }
}

fn one_of<T: Copy>(
    section: &Section<'_>,
    key: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    report: &mut Report,
) -> Option<Vec<T>> {
    let vocabulary: Vec<&str> = all.iter().map(|member| name(*member)).collect();
    any_of(section, key, report, |value, path, report| {
        let member = value.as_str().and_then(|word| words::member(word, all, &name));
        if member.is_none() {
            words::refuse(value, path, &vocabulary, report);
        }
        member
    })
}

fn one_or_none_of<T: Copy>(
    section: &Section<'_>,
    key: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    report: &mut Report,
) -> Option<Vec<Option<T>>> {
    let vocabulary: Vec<&str> = all.iter().map(|member| name(*member)).collect();
    any_of(section, key, report, |value, path, report| {
        if value.is_null() {
            return Some(None);
        }
        let member = value.as_str().and_then(|word| words::member(word, all, &name));
        if member.is_none() {
            words::refuse(value, path, &vocabulary, report);
        }
        member.map(Some)
    })
}

fn previews(section: &Section<'_>, key: &str, report: &mut Report) -> Option<Vec<Preview>> {
    any_of(section, key, report, Preview::read)
}
