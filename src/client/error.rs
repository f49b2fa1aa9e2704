//! What a request can come to besides its answer.
//!
//! Promises that no error can be taken for an approval or a rejection, and that each says whether the run is over. Knows
//! nothing of requests.

use super::Decision;
use crate::proto::ERROR_DOMAIN;
use crate::proto::v1::ErrorReason;
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why there is no answer to go on with. **Whatever it is, the call must not run.**
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The run was halted, by this call or before it: end the run now, and give the model nothing.
    #[error("the run is halted: {}", .0.message())]
    AttackHalted(Box<Decision>),
    /// Approval was needed and nobody could be asked: end the run with a non-zero exit.
    #[error("nobody could be asked: {}", .0.message())]
    Unattended(Box<Decision>),
    /// The gate could not be reached, did not answer in time, or is shutting down.
    #[error("the gate is unavailable: {}", .0.message())]
    GateUnavailable(#[source] Status),
    /// The gate's answer is none that this client can trust.
    #[error("the gate's answer cannot be trusted: {0}")]
    UnexpectedAnswer(String),
    /// The request was wrong.
    #[error("the request was wrong: {}", .0.status.message())]
    InvalidRequest(#[source] Box<Refusal>),
    /// The gate refused the request for another reason.
    #[error("the gate refused the request: {}", .0.status.message())]
    Refused(#[source] Box<Refusal>),
}

/// What the gate says of a request that it refused.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{}", .status.message())]
pub struct Refusal {
    /// Why, as the contract names it. `None` for a reason that this version does not know, and where none was given.
    pub reason: Option<ErrorReason>,
    /// The reason as it was sent. Empty where none was given.
    pub reason_text: String,
    /// Whose reason it is: `haltgate.dev`, unless something between the gate and the client refused.
    pub domain: String,
    /// What the contract gives with the reason.
    pub metadata: HashMap<String, String>,
    /// The fields that were wrong, with what is wrong with each.
    pub fields: Vec<(String, String)>,
    /// When the gate asks to be asked again.
    pub retry_after: Option<Duration>,
    /// The status itself.
    pub status: Status,
}

impl Error {
    /// The gRPC status behind it. `None` for decisions and answers that cannot be trusted.
    #[must_use]
    pub fn status(&self) -> Option<&Status> {
        match self {
            Self::AttackHalted(_) | Self::Unattended(_) | Self::UnexpectedAnswer(_) => None,
            Self::GateUnavailable(status) => Some(status),
            Self::InvalidRequest(refusal) | Self::Refused(refusal) => Some(&refusal.status),
        }
    }

    /// The decision behind it, for a halted run and for one that nobody attends.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        match self {
            Self::AttackHalted(decision) | Self::Unattended(decision) => Some(decision),
            Self::GateUnavailable(_)
            | Self::UnexpectedAnswer(_)
            | Self::InvalidRequest(_)
            | Self::Refused(_) => None,
        }
    }

    /// The reason that the gate gave.
    #[must_use]
    pub fn reason(&self) -> Option<ErrorReason> {
        match self {
            Self::InvalidRequest(refusal) | Self::Refused(refusal) => refusal.reason,
            Self::GateUnavailable(status) => Refusal::of(status.clone()).reason,
            Self::AttackHalted(_) | Self::Unattended(_) | Self::UnexpectedAnswer(_) => None,
        }
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Self {
        if is_out_of_reach(&status) {
            return Self::GateUnavailable(status);
        }
        match status.code() {
            Code::InvalidArgument => Self::InvalidRequest(Box::new(Refusal::of(status))),
            Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled | Code::Unknown => {
                Self::GateUnavailable(status)
            }
            Code::Ok => Self::UnexpectedAnswer("a status without an answer".to_owned()),
            Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::ResourceExhausted
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
            | Code::Internal
            | Code::DataLoss
            | Code::Unauthenticated => Self::Refused(Box::new(Refusal::of(status))),
        }
    }
}

impl Refusal {
    fn of(status: Status) -> Self {
        let info = status.get_details_error_info();
        let (reason_text, domain, metadata) =
            info.map(|info| (info.reason, info.domain, info.metadata)).unwrap_or_default();
        let reason = if domain == ERROR_DOMAIN {
            ErrorReason::from_str_name(&format!("ERROR_REASON_{reason_text}"))
        } else {
            None
        };
        let violations = status.get_details_bad_request().map(|bad| bad.field_violations).unwrap_or_default();
        let fields = violations.into_iter().map(|at| (at.field, at.description)).collect();
        let retry_after = status.get_details_retry_info().and_then(|info| info.retry_delay);
        Self { reason, reason_text, domain, metadata, fields, retry_after, status }
    }
}

/// Whether the request may never have reached a gate, or its answer never came: what a server says has no cause of this
/// side, what the connection says has one.
pub(super) fn is_out_of_reach(status: &Status) -> bool {
    status.code() == Code::Unavailable || std::error::Error::source(status).is_some()
}
