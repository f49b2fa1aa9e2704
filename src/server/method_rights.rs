//! Which methods a caller may use at all: decided by the request's path, before its message is read.
//!
//! Promises that no method of the contract is reached by a role that has no use for it, and that a path which the contract does
//! not have is reached by nobody. What a message may ask for within a method, the service knows. Health, reflection and the
//! console's files hold nothing and are not looked at.

use super::demand::{Demand, Demanding};
use super::permission::{self, Attempt};
use super::status::refusal;
use crate::access::Caller;
use crate::proto::v1 as pb;
use crate::session::Engine;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::Response;
use axum::middleware::Next;
use bytes::Bytes;
use prost::Message;
use std::sync::Arc;
use std::time::Duration;
use tonic::Status;

/// Where the contract's methods are found.
const SERVICE: &str = "/haltgate.v1.ApprovalGate/";

/// How much of a refused request is read to tell its project, and for how long.
const READ: (usize, Duration) = (64 << 10, Duration::from_secs(1));

/// Hands a request on, unless its caller may not use the method.
pub(super) async fn check(engine: Engine, request: Request, next: Next) -> Response<Body> {
    let Some(method) = request.uri().path().strip_prefix(SERVICE).map(str::to_owned) else {
        return next.run(request).await;
    };
    let caller = match permission::caller(request.extensions()) {
        Ok(caller) => caller,
        Err(unknown) => return unknown.into_http(),
    };
    match permission::check_method(&caller, &method) {
        Ok(()) => next.run(request).await,
        Err(refused) => {
            note(&engine, caller, &method, request, &refused).await;
            refused.into_http()
        }
    }
}

/// Has the project's records hear of a refusal, where the request tells its project.
async fn note(engine: &Engine, caller: Arc<Caller>, method: &str, request: Request, refused: &Status) {
    if refusal(refused).is_none() {
        return;
    }
    let (limit, patience) = READ;
    let read = tokio::time::timeout(patience, to_bytes(request.into_body(), limit)).await;
    let demand = read.ok().and_then(Result::ok).and_then(|body| demanded(method, &body));
    match demand {
        Some(demand) => {
            let attempt = Attempt { demand, caller };
            // The outcome is what it was; only that it is noted matters here.
            let _refused = attempt.noted::<()>(engine, Err(refused.clone())).await;
        }
        None => tracing::warn!(caller = %caller.name, role = %caller.role, method, "refused"),
    }
}

/// What the message in a request's body asks for.
fn demanded(method: &str, body: &Bytes) -> Option<Demand> {
    // A message stands behind a flag, which is zero for one that is not compressed, and its length in four bytes.
    let (flag, rest) = body.split_first()?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let message = rest.get(..usize::try_from(u32::from_be_bytes(*length)).ok()?)?;
    if *flag != 0 {
        return None;
    }
    match method {
        "Decide" => demand_of::<pb::DecideRequest>(message),
        "Rate" => demand_of::<pb::RateRequest>(message),
        "Answer" => demand_of::<pb::AnswerRequest>(message),
        "ManageGrants" => demand_of::<pb::ManageGrantsRequest>(message),
        "OpenSession" => demand_of::<pb::OpenSessionRequest>(message),
        "UpdateSession" => demand_of::<pb::UpdateSessionRequest>(message),
        "CloseSession" => demand_of::<pb::CloseSessionRequest>(message),
        // Refused reads are not recorded.
        _ => None,
    }
}

fn demand_of<T: Demanding + Message + Default>(message: &[u8]) -> Option<Demand> {
    T::decode(message).ok().map(|message| message.demand())
}
