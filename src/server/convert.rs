//! The contract's view of the gate's answers, for whoever runs the gate in process and shows what a server would send.

use super::{inbound, outbound, status};
use crate::gate::Call;
use crate::proto::v1 as pb;
use crate::session::{Explained, Rated, Ruling};
use tonic::Status;

/// The answer to a call.
#[must_use]
pub fn decide_response(ruling: &Ruling) -> pb::DecideResponse {
    outbound::decide_response(ruling)
}

/// The answer to a dry run.
#[must_use]
pub fn explained(explained: &Explained) -> pb::DecideResponse {
    outbound::explained(explained)
}

/// The answer to a call that was only to be rated.
#[must_use]
pub fn rate_response(call: &Call, rated: Rated) -> pb::RateResponse {
    pb::RateResponse {
        rating: Some(outbound::traced_rating(&rated.rating, Some(&rated.trace), rated.took)),
        subject: Some(outbound::subject(&rated.subject)),
        framed_lines: outbound::rating_rows(call, &rated.rating),
        policy_revision: rated.policy_revision,
    }
}

/// A call of the contract, with every field checked as a server would.
///
/// # Errors
/// Every field that is wrong, as `INVALID_ARGUMENT` with field violations under `call`.
pub fn call(call: pb::Call) -> Result<Call, Status> {
    let mut violations = status::Violations::default();
    let checked = inbound::call("call", Some(call), &mut violations);
    violations.check()?;
    checked.ok_or_else(|| Status::invalid_argument("call is required"))
}
