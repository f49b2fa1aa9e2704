//! What a request asks for, in the terms of rights: which operation, in which project, on which session.
//!
//! Promises that no message of the contract can be handled without saying so: the service hands a request on only after this
//! was asked of it. Knows nothing of callers.

use crate::access::Operation;
use crate::proto::v1 as pb;
use crate::proto::v1::manage_grants_request::Operation as Managing;

/// What a request asks for.
#[derive(Debug, Clone)]
pub(super) struct Demand {
    pub(super) operation: Operation,
    /// As the request writes it; empty for the default project.
    pub(super) project: String,
    /// As the request writes it; empty where it names none.
    pub(super) session: String,
}

/// A message of the contract that asks for something.
pub(super) trait Demanding {
    /// What it asks for.
    fn demand(&self) -> Demand;
}

fn demand(operation: Operation, project: &str, session: &str) -> Demand {
    Demand { operation, project: project.to_owned(), session: session.to_owned() }
}

impl Demanding for pb::DecideRequest {
    fn demand(&self) -> Demand {
        let operation = if self.dry_run { Operation::Explain } else { Operation::Decide };
        demand(operation, &self.project, &self.session_id)
    }
}

impl Demanding for pb::RateRequest {
    fn demand(&self) -> Demand {
        demand(Operation::Rate, &self.project, &self.session_id)
    }
}

impl Demanding for pb::StreamAttackHaltsRequest {
    fn demand(&self) -> Demand {
        let operation = if self.session_id.is_empty() {
            Operation::FollowHaltsOfProject
        } else {
            Operation::FollowHaltsOfSession
        };
        demand(operation, &self.project, &self.session_id)
    }
}

impl Demanding for pb::StreamEscalationsRequest {
    fn demand(&self) -> Demand {
        let operation = if self.session_id.is_empty() {
            Operation::FollowEscalationsOfProject
        } else {
            Operation::FollowEscalationsOfSession
        };
        demand(operation, &self.project, &self.session_id)
    }
}

impl Demanding for pb::AnswerRequest {
    fn demand(&self) -> Demand {
        demand(Operation::Answer, &self.project, "")
    }
}

impl Demanding for pb::ManageGrantsRequest {
    fn demand(&self) -> Demand {
        let operation = match &self.operation {
            Some(Managing::List(_)) => Operation::ListGrants,
            Some(Managing::Grant(_)) => Operation::Grant,
            Some(Managing::Deny(_)) => Operation::Deny,
            Some(Managing::Revoke(_)) => Operation::Revoke,
            Some(Managing::Lift(_)) => Operation::Lift,
            Some(Managing::ViewTrust(_)) => Operation::ViewTrust,
            Some(Managing::ChangeTrust(_)) => Operation::ChangeTrust,
            Some(Managing::PredictTrust(_)) => Operation::PredictTrust,
            Some(Managing::ImportFile(_)) => Operation::ImportGrants,
            Some(Managing::ExportFile(_)) => Operation::ExportGrants,
            // It says nothing, does nothing, and will be told so: whoever may look may hear that.
            None => Operation::ListGrants,
        };
        demand(operation, &self.project, &self.session_id)
    }
}

impl Demanding for pb::OpenSessionRequest {
    fn demand(&self) -> Demand {
        demand(Operation::OpenSession, &self.project, &self.session_id)
    }
}

impl Demanding for pb::UpdateSessionRequest {
    /// A rung in it asks for more, which the session's own policy is needed to tell.
    fn demand(&self) -> Demand {
        demand(Operation::UpdateSession, &self.project, &self.session_id)
    }
}

impl Demanding for pb::GetSessionRequest {
    fn demand(&self) -> Demand {
        demand(Operation::GetSession, &self.project, &self.session_id)
    }
}

impl Demanding for pb::ListSessionsRequest {
    fn demand(&self) -> Demand {
        demand(Operation::ListSessions, &self.project, "")
    }
}

impl Demanding for pb::CloseSessionRequest {
    fn demand(&self) -> Demand {
        demand(Operation::CloseSession, &self.project, &self.session_id)
    }
}

impl Demanding for pb::ListDecisionsRequest {
    fn demand(&self) -> Demand {
        demand(Operation::ListDecisions, &self.project, &self.session_id)
    }
}

impl Demanding for pb::VerifyAuditRequest {
    fn demand(&self) -> Demand {
        demand(Operation::VerifyAudit, &self.project, "")
    }
}

impl Demanding for pb::GetServerInfoRequest {
    fn demand(&self) -> Demand {
        demand(Operation::GetServerInfo, &self.project, "")
    }
}
