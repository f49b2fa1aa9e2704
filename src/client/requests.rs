//! The requests of the contract, one method each.
//!
//! Promises a deadline on every request, and that only what is safe to repeat is repeated while the gate is out of reach:
//! what reads, and changes that carry a request id. Knows nothing of what is asked.

use super::retry::{repeated, single};
use super::{Client, Error};
use crate::proto::v1 as pb;
use pb::manage_grants_request::Operation;
use uuid::Uuid;

macro_rules! requests {
    ($($(#[$documentation:meta])* $visibility:vis $how:ident $name:ident, $method:ident($request:ident) -> $response:ident;)*) => {
        impl Client {
            $(
                $(#[$documentation])*
                ///
                /// # Errors
                /// The gate is out of reach, or refuses the request.
                $visibility async fn $name(&self, mut request: pb::$request) -> Result<pb::$response, Error> {
                    self.in_project(&mut request.project);
                    let send = |message| {
                        let mut stub = self.stub.clone();
                        async move { stub.$method(message).await }
                    };
                    Ok($how(self.options.deadline, &request, send).await?)
                }
            )*
        }
    };
}

requests! {
    /// Has one call rated, outside of any decision. A rater that fails is a rating with a cause.
    pub repeated rate, rate(RateRequest) -> RateResponse;
    /// Opens a session, or opens it again.
    pub single open_session, open_session(OpenSessionRequest) -> OpenSessionResponse;
    /// Changes an open session.
    pub single update_session, update_session(UpdateSessionRequest) -> UpdateSessionResponse;
    /// Shows one session.
    pub repeated get_session, get_session(GetSessionRequest) -> GetSessionResponse;
    /// Lists one page of sessions.
    pub repeated list_sessions, list_sessions(ListSessionsRequest) -> ListSessionsResponse;
    /// Closes a session.
    pub single close_session, close_session(CloseSessionRequest) -> CloseSessionResponse;
    /// Lists one page of records.
    pub repeated list_decisions, list_decisions(ListDecisionsRequest) -> ListDecisionsResponse;
    /// Checks a project's hash chain. A long chain may need a longer deadline.
    pub repeated verify_audit, verify_audit(VerifyAuditRequest) -> VerifyAuditResponse;
    /// Says which server answers.
    pub repeated server_info, get_server_info(GetServerInfoRequest) -> GetServerInfoResponse;
    /// As [`Client::answer`], with its request id.
    repeated send_answer, answer(AnswerRequest) -> AnswerResponse;
    /// As [`Client::manage_grants`], with its request id.
    repeated send_operation, manage_grants(ManageGrantsRequest) -> ManageGrantsResponse;
}

impl Client {
    /// Settles an escalation or an attack halt. A request without an id gets one, so that retries are safe.
    ///
    /// # Errors
    /// The gate is out of reach, or refuses the request: it was answered already, or offers no such scope.
    pub async fn answer(&self, mut request: pb::AnswerRequest) -> Result<pb::AnswerResponse, Error> {
        name(&mut request.request_id);
        self.send_answer(request).await
    }

    /// Lists or changes grants, denials and trust. A change without an id gets one, so that retries are safe.
    ///
    /// # Errors
    /// The gate is out of reach, or refuses the request.
    pub async fn manage_grants(
        &self,
        mut request: pb::ManageGrantsRequest,
    ) -> Result<pb::ManageGrantsResponse, Error> {
        if request.operation.as_ref().is_some_and(changes) {
            name(&mut request.request_id);
        }
        self.send_operation(request).await
    }

    /// The project of a request that names none.
    pub(super) fn in_project(&self, project: &mut String) {
        if project.is_empty() {
            project.clone_from(&self.options.project);
        }
    }
}

fn name(request_id: &mut String) {
    if request_id.is_empty() {
        *request_id = Uuid::now_v7().to_string();
    }
}

fn changes(operation: &Operation) -> bool {
    match operation {
        Operation::List(_)
        | Operation::ViewTrust(_)
        | Operation::PredictTrust(_)
        | Operation::ExportFile(_) => false,
        Operation::ImportFile(import) => !import.dry_run,
        Operation::Grant(_)
        | Operation::Deny(_)
        | Operation::Revoke(_)
        | Operation::Lift(_)
        | Operation::ChangeTrust(_) => true,
    }
}
