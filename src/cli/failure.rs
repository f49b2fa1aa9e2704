//! Why a command could not do what it was asked, for people: what happened, where exactly, and what to do.
//!
//! Knows nothing of the commands themselves.

use super::style::{self, painted};
use crate::client::{ConnectError, Error};
use crate::display;
use crate::proto::v1::ErrorReason;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why a command could not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    message: String,
    details: Vec<String>,
    advice: Option<String>,
}

impl Failure {
    /// A failure in one sentence.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), details: Vec::new(), advice: None }
    }

    /// The same with what to do about it.
    pub(super) fn advise(self, advice: impl Into<String>) -> Self {
        Self { advice: Some(advice.into()), ..self }
    }

    /// The same with one thing after another that is wrong.
    pub(super) fn with_details(self, details: impl IntoIterator<Item = String>) -> Self {
        Self { details: details.into_iter().collect(), ..self }
    }

    /// What happened, without what to do about it.
    pub(super) fn in_one_line(&self) -> String {
        let details = self.details.iter().map(String::as_str);
        let parts: Vec<&str> = std::iter::once(self.message.as_str()).chain(details).collect();
        display::one_line(&parts.join("; "))
    }

    /// The text for standard error.
    pub(super) fn render(&self) -> String {
        let mut text = format!("{} {}\n", painted(style::ERROR, "error:"), display::one_line(&self.message));
        for detail in &self.details {
            text.push_str(&format!("  {}\n", display::one_line(detail)));
        }
        if let Some(advice) = &self.advice {
            text.push_str(&format!(
                "  {} {}\n",
                painted(style::LABEL, "what to do:"),
                display::one_line(advice)
            ));
        }
        text
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        Self::new(error.to_string()).advise(
            "start one with `haltgate serve`, or name another with --server ADDRESS or HALTGATE_SERVER",
        )
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error.status() {
            Some(status) => status.clone().into(),
            None => Self::new(error.to_string()),
        }
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let info = status.get_details_error_info();
        let reason = info.as_ref().map(|info| info.reason.as_str());
        let kind = format!("{:?}", status.code());
        let named = reason.map_or_else(|| kind.clone(), |reason| format!("{reason}, {kind}"));
        let violations = status.get_details_bad_request().map(|bad| bad.field_violations).unwrap_or_default();
        // The fields say it one by one, the message all at once.
        let message = match violations.len() {
            0 => status.message().to_owned(),
            1 => "the request has a wrong field".to_owned(),
            count => format!("the request has {count} wrong fields"),
        };
        let details = violations.into_iter().map(|at| format!("{}: {}", at.field, at.description));
        let delay = status.get_details_retry_info().and_then(|info| info.retry_delay);
        let advice = reason
            .and_then(|name| ErrorReason::from_str_name(&format!("ERROR_REASON_{name}")))
            .and_then(advice)
            .or_else(|| advice_for_code(status.code()))
            .map(|advice| match delay {
                Some(delay) => format!("{advice} (the server asks for {} first)", seconds(delay)),
                None => advice.to_owned(),
            });
        let failure = Self::new(format!("{message} ({named})")).with_details(details);
        Self { advice, ..failure }
    }
}

fn seconds(delay: Duration) -> String {
    format!("{:.1} s", delay.as_secs_f64())
}

/// What to do about a reason; nothing where the message says it already.
fn advice(reason: ErrorReason) -> Option<&'static str> {
    match reason {
        ErrorReason::Unspecified
        | ErrorReason::InvalidField
        | ErrorReason::LimitExceeded
        | ErrorReason::NoLongerOpen => None,
        ErrorReason::EntryInvalid => {
            Some("write the entry as in a policy file, or as `haltgate grants list` shows it")
        }
        ErrorReason::RequestIdReused => Some("leave --request-id out, or choose a new one for another call"),
        ErrorReason::PageTokenInvalid => Some("begin again with the first page, under the same conditions"),
        ErrorReason::CursorInvalid | ErrorReason::CursorTooOld => {
            Some("follow the feed anew, without a cursor")
        }
        ErrorReason::SessionNotFound => {
            Some("`haltgate sessions list` names the sessions of the project; --project names another")
        }
        ErrorReason::EscalationNotFound | ErrorReason::HaltNotFound => Some(
            "`haltgate decisions list --action escalate` shows what was asked; --project names another project",
        ),
        ErrorReason::GrantNotFound | ErrorReason::DenialNotFound => {
            Some("`haltgate grants list` shows the entries in their exact form")
        }
        ErrorReason::SessionClosed => Some("`haltgate sessions open --session ID` opens it again"),
        ErrorReason::AlreadyAnswered => Some("the first answer stands; `haltgate decisions list` shows it"),
        ErrorReason::ScopeNotOffered => {
            Some("answer with --scope once, or with a scope that the message names")
        }
        ErrorReason::RaterProfileUnknown => Some("declare the profile in `rater.profiles` of the policy"),
        ErrorReason::CredentialsMissing => Some(
            "show a token in HALTGATE_TOKEN or --token-file, or a certificate with --client-cert and --client-key",
        ),
        ErrorReason::CredentialsInvalid => Some(
            "ask the gate's operator for a new token: `haltgate token list` shows there what became of this one",
        ),
        ErrorReason::RoleNotAllowed | ErrorReason::ProjectNotAllowed => {
            Some("use a credential that may do this, or ask the gate's operator")
        }
        ErrorReason::SessionNotAllowed => {
            Some("name a session of your own; the one who used a session first keeps it")
        }
        ErrorReason::RungNotAllowed => {
            Some("leave the rung out, or have an operator run `haltgate sessions update` for this session")
        }
        ErrorReason::PolicyNotAllowed => {
            Some("leave it out, or have the operator open it to agents in the `agents` block of the policy")
        }
        ErrorReason::Overloaded | ErrorReason::TooManyFeeds | ErrorReason::Draining => {
            Some("try again in a moment")
        }
        ErrorReason::TooManyOpen => Some("answer some of what waits, or close sessions that are over"),
        ErrorReason::StoreUnavailable => Some("look at the server's log and its disk, then try again"),
        ErrorReason::NotSupported => Some("this server's version does not offer it"),
        ErrorReason::DeadlineExceeded => {
            Some("ask again with the same --request-id; a decision that was made meanwhile is found by it")
        }
        ErrorReason::Internal => Some("look at the server's log; nothing was approved"),
    }
}

/// What to do about a bare status code.
fn advice_for_code(code: Code) -> Option<&'static str> {
    match code {
        Code::DeadlineExceeded => Some("give it longer with --timeout"),
        Code::Unavailable => Some("try again in a moment"),
        Code::Unimplemented => Some("whatever answers there is no haltgate, or another version of it"),
        Code::Ok
        | Code::Cancelled
        | Code::Unknown
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Internal
        | Code::DataLoss
        | Code::Unauthenticated => None,
    }
}
