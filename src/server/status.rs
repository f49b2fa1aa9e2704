//! From what went wrong to a gRPC status with typed details.
//!
//! Promises that every error carries `google.rpc.ErrorInfo` with a reason of the contract, that bad input names each field,
//! and that a fault of the gate's own tells the caller an incident id and nothing else.

use super::deadline::Whose;
use crate::access::Role;
use crate::gate::{HumanVerdict, RejectScope, Scope};
use crate::proto::ERROR_DOMAIN;
use crate::proto::v1::{self as pb, ErrorReason};
use crate::session::{Crowd, EngineError, Given, QuestionState, Settled, new_id};
use crate::store::StoreError;
use std::collections::HashMap;
use std::time::Duration;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

/// When to try again after the store failed or the gate was full.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// What is wrong with a request, field by field.
#[derive(Debug, Default)]
pub(super) struct Violations {
    violations: Vec<FieldViolation>,
    /// The reason and its metadata, of the first violation.
    first: Option<(ErrorReason, HashMap<String, String>)>,
}

impl Violations {
    /// A value that the field may not have.
    pub(super) fn invalid(&mut self, field: &str, problem: impl Into<String>) {
        self.add(field, problem.into(), ErrorReason::InvalidField, HashMap::new());
    }

    /// More than the field may hold.
    pub(super) fn over(&mut self, field: &str, actual: usize, limit: usize, unit: &str) {
        let metadata = HashMap::from([
            ("limit".to_owned(), limit.to_string()),
            ("actual".to_owned(), actual.to_string()),
            ("unit".to_owned(), unit.to_owned()),
        ]);
        let problem = format!("has {actual} {unit}; at most {limit} are accepted");
        self.add(field, problem, ErrorReason::LimitExceeded, metadata);
    }

    /// An entry that does not follow the grammar.
    pub(super) fn entry(&mut self, field: &str, problem: impl Into<String>) {
        self.add(field, problem.into(), ErrorReason::EntryInvalid, HashMap::new());
    }

    /// A page token that was not given for this list and these conditions.
    pub(super) fn page_token(&mut self, field: &str) {
        let problem =
            "is not a token that this list gave for these conditions; begin with the first page".to_owned();
        self.add(field, problem, ErrorReason::PageTokenInvalid, HashMap::new());
    }

    fn add(
        &mut self,
        field: &str,
        problem: String,
        reason: ErrorReason,
        mut metadata: HashMap<String, String>,
    ) {
        if self.violations.iter().any(|known| known.field == field) {
            // One violation per field: the first says what has to change.
            return;
        }
        metadata.insert("field".to_owned(), field.to_owned());
        self.violations.push(FieldViolation::new(field, problem));
        self.first.get_or_insert((reason, metadata));
    }

    /// An error that names every violation, if there is one.
    pub(super) fn check(self) -> Result<(), Status> {
        let Some((reason, metadata)) = self.first else { return Ok(()) };
        let lines: Vec<String> = self
            .violations
            .iter()
            .map(|violation| format!("{}: {}", violation.field, violation.description))
            .collect();
        let mut details = ErrorDetails::with_bad_request(self.violations);
        details.set_error_info(reason.wire_name(), ERROR_DOMAIN, metadata);
        Err(Status::with_error_details(Code::InvalidArgument, lines.join("\n"), details))
    }
}

/// What there is too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overload {
    /// Requests of all callers under way.
    Server,
    /// Requests of one caller under way.
    Caller,
    /// Requests of one caller in a second.
    Rate,
    /// Feeds of one caller opened in a minute.
    Openings,
    /// Calls that wait for a human, of one caller or of all.
    Waits {
        /// Of one caller.
        caller: bool,
    },
}

/// More than the gate bears; worth another try after so long.
pub(super) fn overloaded(overload: Overload, limit: u32, wait: Duration) -> Status {
    let seconds = wait.as_secs_f64();
    let (scope, what, message) = match overload {
        Overload::Server => {
            ("server", None, format!("{limit} requests are under way already; try again in a moment"))
        }
        Overload::Caller => (
            "caller",
            None,
            format!("{limit} requests of this caller are under way already; try again when some have ended"),
        ),
        Overload::Rate => (
            "caller",
            Some("requests_per_second"),
            format!("this caller may ask {limit} times a second; try again in {seconds:.3} s"),
        ),
        Overload::Openings => (
            "caller",
            Some("feeds_per_minute"),
            format!("this caller may open {limit} feeds a minute; try again in {seconds:.3} s"),
        ),
        Overload::Waits { caller } => (
            if caller { "caller" } else { "server" },
            Some("waits"),
            format!(
                "it is decided, and waits for a human, but {limit} calls are being held already; ask again later with the same \
                 request_id"
            ),
        ),
    };
    let mut metadata =
        HashMap::from([("scope".to_owned(), scope.to_owned()), ("limit".to_owned(), limit.to_string())]);
    metadata.extend(what.map(|what| ("what".to_owned(), what.to_owned())));
    exhausted(ErrorReason::Overloaded, message, metadata, wait)
}

/// As many feeds are open as may be, of all callers or of one.
pub(super) fn too_many_feeds(scope: &str, limit: u32, wait: Duration) -> Status {
    let message = format!("{limit} feeds are open already; close one, or try again in a moment");
    let metadata =
        HashMap::from([("scope".to_owned(), scope.to_owned()), ("limit".to_owned(), limit.to_string())]);
    exhausted(ErrorReason::TooManyFeeds, message, metadata, wait)
}

fn exhausted(
    reason: ErrorReason,
    message: String,
    metadata: HashMap<String, String>,
    wait: Duration,
) -> Status {
    let mut details = ErrorDetails::with_error_info(reason.wire_name(), ERROR_DOMAIN, metadata);
    details.set_retry_info(Some(wait));
    Status::with_error_details(Code::ResourceExhausted, message, details)
}

fn status<const N: usize>(
    code: Code,
    reason: ErrorReason,
    message: String,
    metadata: [(&str, String); N],
) -> Status {
    let metadata: HashMap<String, String> =
        metadata.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
    let mut details = ErrorDetails::with_error_info(reason.wire_name(), ERROR_DOMAIN, metadata);
    if matches!(code, Code::Unavailable | Code::ResourceExhausted) {
        details.set_retry_info(Some(RETRY_AFTER));
    }
    Status::with_error_details(code, message, details)
}

/// The request has no credentials, and needs some of the `accepted` kinds.
pub(super) fn credentials_missing(accepted: &str) -> Status {
    let message = "this gate needs to know who calls; send a bearer token or show a certificate".to_owned();
    let metadata = [("accepted", accepted.to_owned())];
    status(Code::Unauthenticated, ErrorReason::CredentialsMissing, message, metadata)
}

/// The credentials are not accepted. It is never said why: that would help whoever tries some.
pub(super) fn credentials_invalid() -> Status {
    let message = "the credentials are unknown, expired or revoked; the gate's log says more".to_owned();
    status(Code::Unauthenticated, ErrorReason::CredentialsInvalid, message, [])
}

/// The contract has no such method in this version.
pub(super) fn unknown_method(method: &str) -> Status {
    let named: String = method.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
    let message = format!("this version of the gate has no method {named}");
    status(Code::Unimplemented, ErrorReason::NotSupported, message, [("feature", named)])
}

/// The caller's role may not do this; these may.
pub(super) fn role_not_allowed(role: Role, needed: &[Role]) -> Status {
    let needed: Vec<&str> = needed.iter().map(|role| role.as_str()).collect();
    let message = format!("the role {role} may not do this; {} may", needed.join(" and "));
    let metadata = [("role", role.as_str().to_owned()), ("needed", needed.join(","))];
    status(Code::PermissionDenied, ErrorReason::RoleNotAllowed, message, metadata)
}

/// The project is none of the caller's. Whether it exists is not said.
pub(super) fn project_not_allowed(project: &str) -> Status {
    let message = format!("the project {project} is not among those that these credentials are for");
    let metadata = [("project", project.to_owned())];
    status(Code::PermissionDenied, ErrorReason::ProjectNotAllowed, message, metadata)
}

/// What a refusal is called in records: the reason of a status that denies permission.
pub(super) fn refusal(status: &Status) -> Option<String> {
    let denied = status.code() == Code::PermissionDenied;
    denied.then(|| status.get_details_error_info().map(|info| info.reason)).flatten()
}

/// The gate shuts down and begins nothing any more.
pub(super) fn draining() -> Status {
    let message = "the gate is shutting down; ask another, or the same one in a moment".to_owned();
    status(Code::Unavailable, ErrorReason::Draining, message, [])
}

/// A limit of time passed before there was an answer.
pub(super) fn deadline_exceeded(whose: Whose, limit: Duration) -> Status {
    let (scope, message) = match whose {
        Whose::Caller => (
            "caller",
            "the deadline passed before the answer was durable; ask again with the same request_id",
        ),
        Whose::Server => (
            "server",
            "it took longer than this gate lets a request take; ask again with the same request_id",
        ),
    };
    let metadata = [("scope", scope.to_owned()), ("limit_ms", limit.as_millis().to_string())];
    status(Code::DeadlineExceeded, ErrorReason::DeadlineExceeded, message.to_owned(), metadata)
}

/// A fault of the gate's own: the log has the details under the incident id.
pub(super) fn internal(fault: &str) -> Status {
    let incident = new_id();
    tracing::error!(%incident, x_request_id = crate::trace::request_id().as_deref(), %fault, "internal fault");
    let message =
        format!("a fault of the gate's own; the call must not run. The log has it as incident {incident}");
    status(Code::Internal, ErrorReason::Internal, message, [("incident", incident)])
}

/// The status of an error of the live gate, in a project.
pub(super) fn from_engine(project: &str, error: EngineError) -> Status {
    let message = error.to_string();
    let project = || ("project", project.to_owned());
    match error {
        EngineError::SessionNotFound { session, .. } => status(
            Code::NotFound,
            ErrorReason::SessionNotFound,
            message,
            [project(), ("session_id", session)],
        ),
        EngineError::SessionClosed { session, closed_at } => status(
            Code::FailedPrecondition,
            ErrorReason::SessionClosed,
            message,
            [project(), ("session_id", session), ("closed_at", super::outbound::rfc3339(closed_at))],
        ),
        EngineError::RequestReused { request_id, decision_id } => reused(message, request_id, decision_id),
        EngineError::EscalationNotFound { id } => status(
            Code::NotFound,
            ErrorReason::EscalationNotFound,
            message,
            [project(), ("escalation_id", id)],
        ),
        EngineError::HaltNotFound { id } => {
            status(Code::NotFound, ErrorReason::HaltNotFound, message, [project(), ("halt_id", id)])
        }
        EngineError::AlreadyAnswered { settled, .. } => already_answered(message, &settled),
        EngineError::NoLongerOpen { settled, .. } => {
            let metadata = [("state", super::outbound::state_name(&settled).to_owned())];
            status(Code::FailedPrecondition, ErrorReason::NoLongerOpen, message, metadata)
        }
        EngineError::TooManyOpen { what, limit, wait } => {
            let (what, scope) = match what {
                Crowd::QuestionsOfSession => ("escalations", "session"),
                Crowd::QuestionsOfProject => ("escalations", "project"),
                Crowd::SessionsOfProject => ("sessions", "project"),
            };
            let metadata = [("what", what), ("scope", scope)];
            let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
            let mut metadata = HashMap::from(metadata);
            metadata.insert("limit".to_owned(), limit.to_string());
            exhausted(ErrorReason::TooManyOpen, message, metadata, wait)
        }
        EngineError::ProfileUnknown { profile } => status(
            Code::FailedPrecondition,
            ErrorReason::RaterProfileUnknown,
            message,
            [("profile", profile)],
        ),
        EngineError::ScopeNotOffered { scope, offered, .. } => {
            let offered: Vec<String> = offered.iter().map(|scope| format!("SCOPE_{scope}")).collect();
            let metadata = [("scope", format!("SCOPE_{scope}")), ("offered", offered.join(","))];
            status(Code::FailedPrecondition, ErrorReason::ScopeNotOffered, message, metadata)
        }
        EngineError::GrantNotFound { grant } => {
            status(Code::NotFound, ErrorReason::GrantNotFound, message, [project(), ("entry", grant)])
        }
        EngineError::DenialNotFound { session, denial } => status(
            Code::NotFound,
            ErrorReason::DenialNotFound,
            message,
            [project(), ("session_id", session), ("entry", denial)],
        ),
        EngineError::SessionNotAllowed { session } => {
            status(Code::PermissionDenied, ErrorReason::SessionNotAllowed, message, [("session_id", session)])
        }
        EngineError::RungNotAllowed { rung, configured } => {
            let name = |value| super::outbound::rung(value).as_str_name().to_owned();
            let metadata = [("rung", name(rung)), ("configured", name(configured))];
            status(Code::PermissionDenied, ErrorReason::RungNotAllowed, message, metadata)
        }
        EngineError::PolicyNotAllowed { field, .. } => status(
            Code::PermissionDenied,
            ErrorReason::PolicyNotAllowed,
            message,
            [("field", field.to_owned())],
        ),
        EngineError::CursorInvalid => cursor_invalid(),
        EngineError::CursorTooOld { oldest } => cursor_too_old("", &oldest.to_string()),
        EngineError::Invalid { field, problem } => {
            let mut violations = Violations::default();
            violations.invalid(&field, problem);
            violations.check().err().unwrap_or_else(|| internal("a violation that is none"))
        }
        EngineError::Store(StoreError::Rejected { reason }) => {
            internal(&format!("the store refused a batch: {reason}"))
        }
        EngineError::Store(StoreError::Conflict(conflict)) => {
            tracing::warn!(%conflict, "another writer was faster");
            let message = "the state changed meanwhile; ask again with the same request_id".to_owned();
            status(Code::Unavailable, ErrorReason::StoreUnavailable, message, [])
        }
        EngineError::Store(error @ (StoreError::Unavailable { .. } | StoreError::Closed)) => {
            tracing::error!(%error, "the store is unavailable");
            let message = "the store cannot be read or written, so nothing was decided or changed; try again in a moment";
            status(Code::Unavailable, ErrorReason::StoreUnavailable, message.to_owned(), [])
        }
        EngineError::Draining => draining(),
        EngineError::Internal(fault) => internal(&fault),
    }
}

/// The cursor is none that this feed gave for these filters.
pub(super) fn cursor_invalid() -> Status {
    let message = "is not a cursor that this feed gave for these filters; open the feed again without it";
    let metadata = HashMap::from([("field".to_owned(), "after".to_owned())]);
    let mut details =
        ErrorDetails::with_error_info(ErrorReason::CursorInvalid.wire_name(), ERROR_DOMAIN, metadata);
    details.add_bad_request_violation("after", message);
    Status::with_error_details(Code::InvalidArgument, format!("after: {message}"), details)
}

/// What happened behind the cursor is no longer kept.
pub(super) fn cursor_too_old(after: &str, oldest: &str) -> Status {
    let message =
        "what happened behind this cursor is no longer kept; open the feed again without it to begin with \
                   everything that is open"
            .to_owned();
    let metadata = [("after", after.to_owned()), ("oldest", oldest.to_owned())];
    status(Code::OutOfRange, ErrorReason::CursorTooOld, message, metadata)
}

fn reused(message: String, request_id: String, decision_id: Option<String>) -> Status {
    let mut metadata = HashMap::from([("request_id".to_owned(), request_id)]);
    metadata.extend(decision_id.map(|id| ("original_id".to_owned(), id)));
    let mut details =
        ErrorDetails::with_error_info(ErrorReason::RequestIdReused.wire_name(), ERROR_DOMAIN, metadata);
    details.add_bad_request_violation("request_id", message.clone());
    Status::with_error_details(Code::InvalidArgument, message, details)
}

fn already_answered(message: String, settled: &Settled) -> Status {
    let answered = match &settled.state {
        QuestionState::Answered(answered) => answered,
        QuestionState::Open
        | QuestionState::Unattended
        | QuestionState::Withdrawn
        | QuestionState::Expired => {
            return internal("an answer that is none");
        }
    };
    let (verdict, scope) = match &answered.given {
        Given::Escalation(answer) => match answer.verdict {
            HumanVerdict::Approve(scope) => (pb::Verdict::Approve, scope),
            HumanVerdict::Reject(RejectScope::Once) => (pb::Verdict::Reject, Scope::Once),
            HumanVerdict::Reject(RejectScope::Session) => (pb::Verdict::Reject, Scope::Session),
        },
        Given::Attack(crate::gate::AttackAnswer::RunAnyway) => (pb::Verdict::RunAnyway, Scope::Once),
        Given::Attack(crate::gate::AttackAnswer::Stop) => (pb::Verdict::Stop, Scope::Once),
    };
    let metadata = [
        ("verdict", verdict.as_str_name().to_owned()),
        ("scope", format!("SCOPE_{}", scope.as_str())),
        ("answered_by", answered.answered_by.clone()),
        ("answered_at", super::outbound::rfc3339(answered.answered_at)),
    ];
    status(Code::FailedPrecondition, ErrorReason::AlreadyAnswered, message, metadata)
}
