//! Which methods a caller may use at all: decided by the request's path, before its message is read.
//!
//! Promises that no method of the contract is reached by a role that has no use for it, and that a path which the contract does
//! not have is reached by nobody. What a message may ask for within a method, the service knows. Health, reflection and the
//! console's files hold nothing and are not looked at; a proxy that asks for others has its own service look.

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
        Err(refused) => refuse(&engine, caller, &method, request, refused).await.into_http(),
    }
}

/// The status of a refused request: more to the point where its message can be read, and noted in its project's records.
async fn refuse(
    engine: &Engine,
    caller: Arc<Caller>,
    method: &str,
    request: Request,
    refused: Status,
) -> Status {
    if refusal(&refused).is_none() {
        return refused;
    }
    let (limit, patience) = READ;
    let read = tokio::time::timeout(patience, to_bytes(request.into_body(), limit)).await;
    let Some(demand) = read.ok().and_then(Result::ok).and_then(|body| demanded(method, &body)) else {
        tracing::warn!(caller = %caller.name, role = %caller.role, method, "refused");
        return refused;
    };
    let refused = permission::check(&caller, &demand).err().unwrap_or(refused);
    let attempt = Attempt { demand, caller };
    attempt.noted::<()>(engine, Err(refused.clone())).await.err().unwrap_or(refused)
}

/// What the message in a request's body asks for.
fn demanded(method: &str, body: &[u8]) -> Option<Demand> {
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
        "StreamAttackHalts" => demand_of::<pb::StreamAttackHaltsRequest>(message),
        "StreamEscalations" => demand_of::<pb::StreamEscalationsRequest>(message),
        "Answer" => demand_of::<pb::AnswerRequest>(message),
        "ManageGrants" => demand_of::<pb::ManageGrantsRequest>(message),
        "OpenSession" => demand_of::<pb::OpenSessionRequest>(message),
        "UpdateSession" => demand_of::<pb::UpdateSessionRequest>(message),
        "GetSession" => demand_of::<pb::GetSessionRequest>(message),
        "ListSessions" => demand_of::<pb::ListSessionsRequest>(message),
        "CloseSession" => demand_of::<pb::CloseSessionRequest>(message),
        "ListDecisions" => demand_of::<pb::ListDecisionsRequest>(message),
        "VerifyAudit" => demand_of::<pb::VerifyAuditRequest>(message),
        "ExportAudit" => demand_of::<pb::ExportAuditRequest>(message),
        "GetServerInfo" => demand_of::<pb::GetServerInfoRequest>(message),
        _ => None,
    }
}

fn demand_of<T: Demanding + Message + Default>(message: &[u8]) -> Option<Demand> {
    T::decode(message).ok().map(|message| message.demand())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Operation;
    use crate::proto::FILE_DESCRIPTOR_SET;
    use prost_reflect::DescriptorPool;

    fn methods() -> Vec<String> {
        let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).unwrap();
        let service = pool.get_service_by_name("haltgate.v1.ApprovalGate").unwrap();
        assert_eq!(format!("/{}/", service.full_name()), SERVICE);
        service.methods().map(|method| method.name().to_owned()).collect()
    }

    #[test]
    fn every_method_of_the_contract_stands_for_operations_and_can_be_read_when_it_is_refused() {
        let methods = methods();
        for method in &methods {
            let operations: Vec<Operation> = Operation::of_method(method).collect();
            assert!(!operations.is_empty(), "{method}");
            let demand = demanded(method, &[0; 5]).unwrap();
            assert!(operations.contains(&demand.operation), "{method}: {}", demand.operation);
        }
        for operation in Operation::ALL {
            assert!(methods.iter().any(|method| method == operation.method()), "{operation}");
        }
    }

    #[test]
    fn what_is_no_whole_plain_message_tells_nothing() {
        for body in [&b""[..], b"\0", b"\0\0\0\0", b"\0\0\0\0\x01", b"\0\xff\xff\xff\xff\0", b"\x01\0\0\0\0"]
        {
            assert!(demanded("Answer", body).is_none(), "{body:?}");
        }
        assert!(demanded("Answer", b"\0\0\0\0\x02\xff\xff").is_none(), "no message");
        assert!(demanded("Unheard", &[0; 5]).is_none());
    }
}
