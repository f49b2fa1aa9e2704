//! What happens in a case, in order: calls, and what lies between them.
//!
//! An item of `calls` (or `call` itself) is a call, with `run?`, `rating?`, `answer?` and `expect?` of its own beside
//! it; a bare string is a shell command. Between calls may stand `{"answer": …}` (to the latest open question),
//! `{"set_rung": RUNG}`, `{"user_message": "…"}`, `{"session": {…}}` (a change to the session) and
//! `{"new_session": {…}}` (another session of the project: what was granted `always` stays). Calls that name no `run`
//! belong to one run. Knows nothing of how steps are played.

use super::answers::Answer;
use super::calls;
use super::expect::Expectation;
use super::rating::Stub;
use super::session::{self, Setup};
use crate::config::{Report, Section, item_path, kind};
use crate::gate::Call;
use serde_json::Value;

/// One thing that happens.
#[derive(Debug)]
pub(super) enum Step {
    /// The agent calls.
    Call(Box<CallStep>),
    /// A human answers the latest open question.
    Answer(Answer),
    /// The session changes.
    Change(Box<Setup>),
    /// Another session is opened in its place.
    Open(Box<Setup>),
}

/// A call and what belongs to it alone.
#[derive(Debug)]
pub(super) struct CallStep {
    pub(super) call: Call,
    /// The run; empty where none is named.
    pub(super) run: String,
    /// What the rater says to this call, in place of the case's `rating`.
    pub(super) rating: Option<Stub>,
    /// What a human answers at once, in place of the case's `answers`.
    pub(super) answer: Option<Answer>,
    /// What must come of it.
    pub(super) expectation: Option<Expectation>,
}

const BETWEEN: [&str; 5] = ["set_rung", "user_message", "session", "new_session", "answer"];
const BESIDE: [&str; 5] = ["run", "run_id", "rating", "answer", "expect"];

/// Reads `call`, or the items of `calls`.
pub(super) fn read(case: &Section<'_>, report: &mut Report) -> Vec<Step> {
    match (case.get("call"), case.get("calls")) {
        (Some(call), None) => Step::read(call, &case.path_of("call"), report).into_iter().collect(),
        (None, Some(calls)) => {
            let path = case.path_of("calls");
            let Some(items) = calls.as_array().filter(|items| !items.is_empty()) else {
                report.error(&path, "must be a list of calls that is not empty");
                return Vec::new();
            };
            let read = |(index, item): (usize, &Value)| Step::read(item, &item_path(&path, index), report);
            items.iter().enumerate().filter_map(read).collect()
        }
        (None, None) => {
            report.error(
                &case.path_of("call"),
                "is missing; write `\"call\": { \"shell\": { \"command\": … } }`",
            );
            Vec::new()
        }
        (Some(_), Some(_)) => {
            report.error(&case.path_of("calls"), "stands beside `call`; keep one of the two");
            Vec::new()
        }
    }
}

impl Step {
    /// The call, where it is one.
    pub(super) fn as_call(&self) -> Option<&CallStep> {
        match self {
            Self::Call(call) => Some(call),
            Self::Answer(_) | Self::Change(_) | Self::Open(_) => None,
        }
    }

    fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        if value.is_string() {
            let call = calls::read("shell", value, path, report)?;
            return Some(Self::Call(Box::new(CallStep::bare(call))));
        }
        let section = Section::open(value, path, report)?;
        let kinds: Vec<&str> = calls::KINDS.into_iter().filter(|key| section.get(key).is_some()).collect();
        match kinds.as_slice() {
            [kind] => Self::read_call(&section, kind, report),
            [] => Self::read_between(&section, path, report),
            [_, other, ..] => {
                report.error(
                    &section.path_of(other),
                    "makes this more than one call; write each as an item of `calls`",
                );
                None
            }
        }
    }

    fn read_call(section: &Section<'_>, kind: &str, report: &mut Report) -> Option<Self> {
        let known: Vec<&str> = calls::KINDS.into_iter().chain(BESIDE).collect();
        section.refuse_unknown(&known, report);
        let call = calls::read(kind, section.get(kind)?, &section.path_of(kind), report)?;
        let run = section.text("run", report).or_else(|| section.text("run_id", report)).unwrap_or_default();
        Some(Self::Call(Box::new(CallStep {
            call,
            run: run.to_owned(),
            rating: section.get("rating").map(|value| Stub::read(value, &section.path_of("rating"), report)),
            answer: section
                .get("answer")
                .filter(|value| !value.is_null())
                .and_then(|value| Answer::read(value, &section.path_of("answer"), report)),
            expectation: section
                .get("expect")
                .and_then(|value| Expectation::read(value, &section.path_of("expect"), report)),
        })))
    }

    fn read_between(section: &Section<'_>, path: &str, report: &mut Report) -> Option<Self> {
        let known: Vec<&str> = calls::KINDS.into_iter().chain(BETWEEN).collect();
        section.refuse_unknown(&known, report);
        let written: Vec<&str> = BETWEEN.into_iter().filter(|key| section.get(key).is_some()).collect();
        let [key] = written.as_slice() else {
            report.error(path, format!("must have exactly one of {}", known.join(", ")));
            return None;
        };
        let value = section.get(key)?;
        let path = section.path_of(key);
        let change = |setup: Setup| Some(Self::Change(Box::new(setup)));
        match *key {
            "set_rung" => session::read_rung(value, &path, report).map(Setup::at_rung).and_then(change),
            "user_message" => match value.as_str() {
                Some(message) => change(Setup::with_user_messages(vec![message.to_owned()])),
                None => {
                    report.error(&path, format!("must be a string, not {}", kind(value)));
                    None
                }
            },
            "session" => change(Setup::read_update(value, &path, report)),
            "new_session" => Some(Self::Open(Box::new(Setup::read(value, &path, report)))),
            _ => Answer::read(value, &path, report).map(Self::Answer),
        }
    }
}

impl CallStep {
    fn bare(call: Call) -> Self {
        Self { call, run: String::new(), rating: None, answer: None, expectation: None }
    }
}
