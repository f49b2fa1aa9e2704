//! What a human of a case answers.
//!
//! To an escalation: `"approve"`, `"reject"`, `{"approve": SCOPE}`, `{"reject": SCOPE}` or
//! `{"verdict": "approve"|"reject", "scope": SCOPE, "comment": …, "answered_by": …, "max_uses": n, "note": …}`
//! (`answer`, `decision` and `action` stand for `verdict`, and `{"approve": true, "scope": SCOPE}` is the same). The
//! words `"session"` and `"always"` alone approve that far, and `"approve session"` says both; `allow` and `deny` are
//! read as `approve` and `reject`. To an attack halt: `"run anyway"` or `"stop"`, also as `{"verdict": …}`. Promises that an answer of the wrong kind refuses: `approve` to
//! a halt stops the run, and `run anyway` to an escalation rejects.

use super::words;
use crate::config::{Report, Section, quoted};
use crate::gate::{AttackAnswer, HumanAnswer, HumanVerdict, RejectScope, Scope, Terms};
use serde_json::Value;

/// What a human of a case answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Answer {
    /// To an escalation.
    Human(HumanAnswer),
    /// To an attack halt.
    Attack(AttackAnswer),
}

const KEYS: [&str; 13] = [
    "verdict",
    "answer",
    "decision",
    "action",
    "scope",
    "comment",
    "answered_by",
    "max_uses",
    "note",
    "approve",
    "reject",
    "run_anyway",
    "stop",
];
const VERDICT: [&str; 4] = ["verdict", "answer", "decision", "action"];
const SHORT: [&str; 4] = ["approve", "reject", "run_anyway", "stop"];

impl Answer {
    /// Reads one answer; what is wrong is reported.
    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        match value {
            Value::String(phrase) => spoken(phrase, value, path, report),
            Value::Object(_) => Self::read_object(value, path, report),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => refuse(value, path, report),
        }
    }

    fn read_object(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&KEYS, report);
        let stated: Vec<&str> =
            VERDICT.into_iter().chain(SHORT).filter(|key| section.get(key).is_some()).collect();
        let [key] = stated.as_slice() else {
            report.error(path, "must have `verdict`, or one of `approve`, `reject`, `run_anyway` and `stop`");
            return None;
        };
        let value = section.get(key)?;
        let path = section.path_of(key);
        let scope = section.text("scope", report).unwrap_or_default();
        let phrase = match value {
            Value::String(verdict) if VERDICT.contains(key) => format!("{verdict} {scope}"),
            Value::String(far) if scope.is_empty() => format!("{key} {far}"),
            Value::Bool(true) if SHORT.contains(key) => format!("{key} {scope}"),
            Value::String(_)
            | Value::Bool(_)
            | Value::Null
            | Value::Number(_)
            | Value::Array(_)
            | Value::Object(_) => {
                return refuse(value, &path, report);
            }
        };
        let answer = spoken(&phrase, value, &path, report)?;
        let own = |text: Option<&str>| text.map(str::to_owned);
        Some(match answer {
            Self::Attack(answer) => Self::Attack(answer),
            Self::Human(answer) => Self::Human(HumanAnswer {
                comment: own(section.text("comment", report)),
                answered_by: own(section.text("answered_by", report)),
                terms: Terms {
                    max_uses: section.integer("max_uses", 1, u32::MAX, report),
                    note: own(section.text("note", report)),
                    expires_at: None,
                },
                ..answer
            }),
        })
    }
}

/// An answer in words; `written` is what a report quotes.
fn spoken(phrase: &str, written: &Value, path: &str, report: &mut Report) -> Option<Answer> {
    let plain = words::plain(phrase).replace("verdict_", "").replace("scope_", "");
    let plain = plain.replace("allow", "approve").replace("deny", "reject");
    let verdict = match plain.as_str() {
        "run_anyway" | "run_anyway_once" => return Some(Answer::Attack(AttackAnswer::RunAnyway)),
        "stop" | "stop_once" => return Some(Answer::Attack(AttackAnswer::Stop)),
        "approve" | "once" | "approve_once" => HumanVerdict::Approve(Scope::Once),
        "session" | "approve_session" => HumanVerdict::Approve(Scope::Session),
        "always" | "approve_always" => HumanVerdict::Approve(Scope::Always),
        "reject" | "reject_once" => HumanVerdict::Reject(RejectScope::Once),
        "reject_session" => HumanVerdict::Reject(RejectScope::Session),
        "reject_always" => {
            report.error(
                path,
                "cannot be: a refusal holds `once` or for the `session`; write a deny entry for more",
            );
            return None;
        }
        _ => return refuse(written, path, report),
    };
    Some(Answer::Human(HumanAnswer { verdict, answered_by: None, comment: None, terms: Terms::default() }))
}

fn refuse(value: &Value, path: &str, report: &mut Report) -> Option<Answer> {
    report.error(
        path,
        format!(
            "must be an answer such as \"approve\", \"reject\", {{\"approve\": \"session\"}}, {{\"reject\": \"session\"}}, \
             {{\"verdict\": \"approve\", \"scope\": \"always\"}}, \"run anyway\" or \"stop\", not {}",
            quoted(value)
        ),
    );
    None
}
