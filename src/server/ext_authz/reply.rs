//! What a proxy is told, and what its client gets in the server's place.
//!
//! Promises that an MCP client can read every refusal of a call and hand it to its model. Knows nothing of why.

use super::inspect::{Place, Refusal};
use super::judging::{Judged, Verdict};
use crate::gate::Action;
use crate::mcp::{Code, Posted, Refused, ReplyTo, ToolCall};
use crate::proto::ext_authz as envoy;
use crate::session::{EngineError, Ruling};
use envoy::check_response::HttpResponse;
use envoy::header_value_option::HeaderAppendAction;
use prost_types::{Struct, Value, value::Kind};
use tonic::Code as Grpc;

/// Tells the server which decision let a call through.
const DECISION_HEADER: &str = "x-haltgate-decision-id";

/// What a model reads whose call waits for a human.
const CALL_AGAIN: &str = "haltgate: a human is asked whether this may run, and has not answered yet. Nothing was called. Make \
                          the same call again, with the same arguments, to learn the answer.";

const BESIDE: &str = "haltgate: this was not called, because another call that came with it was refused.";

/// The request passes without these headers.
pub(super) fn passes(strip: Vec<String>) -> envoy::CheckResponse {
    allowed(strip, Vec::new(), None)
}

/// The request does not pass, whatever is in it.
pub(super) fn refused(refusal: &Refusal) -> envoy::CheckResponse {
    let Refusal { status, message, blamed } = refusal;
    let told = if blamed.is_empty() { message.clone() } else { format!("{message}: {blamed}") };
    let body = Refused { to: ReplyTo::Unknown, code: Code::InvalidRequest, message: told };
    denied(*status, &body.reply().unwrap_or_default(), message, None)
}

/// The message cannot be read in one way only.
pub(super) fn unreadable(refusal: &Refused) -> envoy::CheckResponse {
    // A request that can be named gets its error as MCP has it, and everything else one of HTTP.
    let (status, to) = match &refusal.to {
        ReplyTo::Request(id) => (200, ReplyTo::Request(id.clone())),
        // Whoever posts waits for the end of the exchange, if not for an answer to a message.
        ReplyTo::Unknown | ReplyTo::Nobody => (400, ReplyTo::Unknown),
    };
    let told = Refused { to, ..refusal.clone() };
    denied(status, &told.reply().unwrap_or_default(), &refusal.message, None)
}

/// What became of the calls of a message.
pub(super) fn judged(
    place: &Place,
    posted: &Posted,
    judged: Judged,
    strip: Vec<String>,
) -> envoy::CheckResponse {
    match judged {
        Judged::Approved(rulings) => {
            let ids: Vec<&str> = rulings.iter().map(|ruling| ruling.decision_id.as_str()).collect();
            let set = vec![header(DECISION_HEADER, &ids.join(","))];
            allowed(strip, set, metadata(place, rulings.iter()))
        }
        Judged::Refused(verdicts) => {
            let rulings = verdicts.iter().filter_map(|verdict| match verdict {
                Verdict::Ruled(ruling) => Some(ruling.as_ref()),
                Verdict::Failed(_) => None,
            });
            let metadata = metadata(place, rulings);
            let mut verdicts = verdicts.iter();
            let body = posted.answered(|call| {
                verdicts.next().map_or_else(|| failed(call), |verdict| answer(call, verdict))
            });
            denied(200, &body, "a call is not approved", metadata)
        }
    }
}

/// What the client gets for one call of a message that does not pass.
fn answer(call: &ToolCall, verdict: &Verdict) -> String {
    let ruling = match verdict {
        Verdict::Ruled(ruling) => ruling,
        Verdict::Failed(EngineError::Store(_) | EngineError::Draining) => {
            let why = "the gate cannot decide now, so nothing was called; try again in a moment";
            return call.failed(Code::Unavailable, why);
        }
        Verdict::Failed(
            error @ (EngineError::SessionClosed { .. }
            | EngineError::SessionNotAllowed { .. }
            | EngineError::TooManyOpen { .. }
            | EngineError::Invalid { .. }),
        ) => {
            return call.failed(Code::NotDecided, &format!("nothing was called: {error}"));
        }
        Verdict::Failed(
            EngineError::SessionNotFound { .. }
            | EngineError::RequestReused { .. }
            | EngineError::EscalationNotFound { .. }
            | EngineError::HaltNotFound { .. }
            | EngineError::AlreadyAnswered { .. }
            | EngineError::NoLongerOpen { .. }
            | EngineError::ProfileUnknown { .. }
            | EngineError::ScopeNotOffered { .. }
            | EngineError::GrantNotFound { .. }
            | EngineError::DenialNotFound { .. }
            | EngineError::RungNotAllowed { .. }
            | EngineError::PolicyNotAllowed { .. }
            | EngineError::CursorInvalid
            | EngineError::CursorTooOld { .. }
            | EngineError::Internal(_),
        ) => return failed(call),
    };
    match ruling.decision.action {
        Action::Approve if !ruling.run_halted => call.rejected(BESIDE),
        Action::Reject => call.rejected(&ruling.decision.message),
        Action::Escalate if call.task => call.failed(Code::NotDecided, CALL_AGAIN),
        Action::Escalate => call.rejected(CALL_AGAIN),
        Action::Approve | Action::Halt => {
            call.failed(Code::Halted, "the run is halted; nothing is called in it any more")
        }
        Action::Unattended => call.failed(Code::Unattended, "approval is needed, and nobody can be asked"),
    }
}

fn failed(call: &ToolCall) -> String {
    call.failed(Code::NotDecided, "the gate did not decide, so nothing was called")
}

fn allowed(
    strip: Vec<String>,
    set: Vec<envoy::HeaderValueOption>,
    metadata: Option<Struct>,
) -> envoy::CheckResponse {
    // What is set anew is replaced, and must not be taken out afterwards.
    let set_anew = |name: &String| {
        set.iter().any(|option| option.header.as_ref().is_some_and(|header| header.key == *name))
    };
    let headers_to_remove = strip.into_iter().filter(|name| !set_anew(name)).collect();
    envoy::CheckResponse {
        status: Some(envoy::Status { code: Grpc::Ok.into(), message: String::new() }),
        http_response: Some(HttpResponse::OkResponse(envoy::OkHttpResponse {
            headers: set,
            headers_to_remove,
        })),
        dynamic_metadata: metadata,
    }
}

fn denied(status: i32, body: &str, why: &str, metadata: Option<Struct>) -> envoy::CheckResponse {
    let headers = vec![header("content-type", "application/json"), header("cache-control", "no-store")];
    envoy::CheckResponse {
        status: Some(envoy::Status { code: Grpc::PermissionDenied.into(), message: why.to_owned() }),
        http_response: Some(HttpResponse::DeniedResponse(envoy::DeniedHttpResponse {
            status: Some(envoy::HttpStatus { code: status }),
            headers,
            body: body.to_owned(),
        })),
        dynamic_metadata: metadata,
    }
}

fn header(name: &str, value: &str) -> envoy::HeaderValueOption {
    let header = envoy::HeaderValue { key: name.to_owned(), value: value.to_owned(), raw_value: Vec::new() };
    envoy::HeaderValueOption {
        header: Some(header),
        append_action: HeaderAppendAction::OverwriteIfExistsOrAdd.into(),
    }
}

/// What the proxy may write into its logs: which decisions were made of the request. `None` where there were none.
fn metadata<'r>(place: &Place, rulings: impl Iterator<Item = &'r Ruling>) -> Option<Struct> {
    let text = |text: &str| Value { kind: Some(Kind::StringValue(text.to_owned())) };
    let decisions = rulings.map(|ruling| {
        let fields = [
            ("decision_id".to_owned(), text(&ruling.decision_id)),
            ("action".to_owned(), text(ruling.decision.action.as_str())),
            ("stage".to_owned(), text(ruling.decision.stage.as_str())),
        ];
        Value { kind: Some(Kind::StructValue(Struct { fields: fields.into() })) }
    });
    let decisions: Vec<Value> = decisions.collect();
    if decisions.is_empty() {
        return None;
    }
    let list = Value { kind: Some(Kind::ListValue(prost_types::ListValue { values: decisions })) };
    let fields = [
        ("server".to_owned(), text(&place.server)),
        ("project".to_owned(), text(&place.project)),
        ("session".to_owned(), text(&place.session)),
        ("decisions".to_owned(), list),
    ];
    Some(Struct { fields: fields.into() })
}
