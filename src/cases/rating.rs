//! What the rater of a case says.
//!
//! `"builtin"` asks the rater that is built in; an outcome (`"safe"`, `"destructive"`, `"catastrophic"`, `"attack"`) or
//! `{outcome, reason?, suggested_tool?}` is a verdict; a cause (`"TIMEOUT"`, …) or `{cause}` is a rating that failed;
//! `null` forbids to ask. Promises that a case never rates by accident. Knows nothing of when a rating is asked for.

use super::words;
use crate::config::{Report, Section, item_path, quoted};
use crate::gate::{FailureCause, Outcome, RatingResult, RatingSource, Verdict};
use crate::rules::grammar::suggest::nearest;
use serde_json::Value;

/// What the rater says to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stub {
    /// It may not be asked.
    Forbidden,
    /// The rater that is built in.
    BuiltIn,
    /// This.
    Says(RatingResult),
}

/// What the rater of a case says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stubs {
    /// The same to every request.
    Every(Stub),
    /// One after the other.
    Each(Vec<Stub>),
}

const KEYS: [&str; 4] = ["outcome", "reason", "suggested_tool", "cause"];
const BUILT_IN: &str = "builtin";

impl Stubs {
    /// Reads the `rating` of a case.
    pub(super) fn read(value: Option<&Value>, path: &str, report: &mut Report) -> Self {
        match value {
            None => Self::Every(Stub::Forbidden),
            Some(Value::Array(items)) => {
                let read = |(index, item): (usize, &Value)| Stub::read(item, &item_path(path, index), report);
                Self::Each(items.iter().enumerate().map(read).collect())
            }
            Some(value) => Self::Every(Stub::read(value, path, report)),
        }
    }
}

impl Stub {
    /// Reads one rating; what is wrong is reported and read as one that may not be asked for.
    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Self {
        match value {
            Value::Null => Self::Forbidden,
            Value::String(word) => Self::named(word).unwrap_or_else(|| refuse(value, path, report)),
            Value::Object(_) => Self::read_object(value, path, report),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) => refuse(value, path, report),
        }
    }

    fn named(word: &str) -> Option<Self> {
        if words::plain(word).replace('_', "") == BUILT_IN {
            return Some(Self::BuiltIn);
        }
        let verdict = words::member(word, &Outcome::ALL, Outcome::as_str).map(|outcome| {
            let reason = "The case says so.".to_owned();
            Ok(Verdict { outcome, reason, suggested_tool: None, source: source(), cause: None })
        });
        verdict
            .or_else(|| words::member(word, &FailureCause::ALL, FailureCause::as_str).map(Err))
            .map(Self::Says)
    }

    fn read_object(value: &Value, path: &str, report: &mut Report) -> Self {
        let Some(section) = Section::open(value, path, report) else { return Self::Forbidden };
        section.refuse_unknown(&KEYS, report);
        let reason = section.text("reason", report);
        let suggested_tool = section.text("suggested_tool", report).map(str::to_owned);
        let (key, value) = match (section.get("outcome"), section.get("cause")) {
            (Some(outcome), None) => ("outcome", outcome),
            (None, Some(cause)) => ("cause", cause),
            (Some(_), Some(_)) | (None, None) => {
                report.error(path, "must have either `outcome` or `cause`");
                return Self::Forbidden;
            }
        };
        let path = section.path_of(key);
        let failed = key == "cause";
        match value.as_str().and_then(Self::named) {
            Some(Self::Says(Ok(verdict))) if !failed => Self::Says(Ok(Verdict {
                reason: reason.map_or(verdict.reason, str::to_owned),
                suggested_tool,
                ..verdict
            })),
            Some(Self::Says(Err(cause))) if failed => Self::Says(Err(cause)),
            Some(Self::Says(_) | Self::BuiltIn | Self::Forbidden) | None => {
                let outcomes = Outcome::ALL.map(Outcome::as_str);
                let causes = FailureCause::ALL.map(FailureCause::as_str);
                words::refuse(value, &path, if failed { &causes } else { &outcomes }, report);
                Self::Forbidden
            }
        }
    }
}

fn source() -> RatingSource {
    RatingSource::Model("case".to_owned())
}

fn refuse(value: &Value, path: &str, report: &mut Report) -> Stub {
    let mut known = vec![BUILT_IN];
    known.extend(Outcome::ALL.map(Outcome::as_str));
    known.extend(FailureCause::ALL.map(FailureCause::as_str));
    let near = value.as_str().and_then(|word| nearest(word, &known));
    let advice = near.map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    report.error(
        path,
        format!(
            "must be \"{BUILT_IN}\", an outcome ({}), a cause of failure ({}) or an object with `outcome` or `cause`, \
             not {}{advice}",
            Outcome::ALL.map(Outcome::as_str).join(", "),
            FailureCause::ALL.map(FailureCause::as_str).join(", "),
            quoted(value)
        ),
    );
    Stub::Forbidden
}
