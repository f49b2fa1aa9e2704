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

impl Demanding for pb::ExportAuditRequest {
    fn demand(&self) -> Demand {
        demand(Operation::ExportAudit, &self.project, "")
    }
}

impl Demanding for pb::GetServerInfoRequest {
    fn demand(&self) -> Demand {
        demand(Operation::GetServerInfo, &self.project, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::FILE_DESCRIPTOR_SET;
    use prost::Message;
    use prost_reflect::{DescriptorPool, DynamicMessage, Value};
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_of_manage_grants_asks_for_a_right_of_its_own() {
        let pool = DescriptorPool::decode(FILE_DESCRIPTOR_SET).unwrap();
        let message = pool.get_message_by_name("haltgate.v1.ManageGrantsRequest").unwrap();
        let operations = message.oneofs().find(|oneof| oneof.name() == "operation").unwrap();
        let asked_for: BTreeSet<Operation> = operations
            .fields()
            .map(|field| {
                let mut request = DynamicMessage::new(message.clone());
                let empty = DynamicMessage::new(field.kind().as_message().unwrap().clone());
                request.set_field(&field, Value::Message(empty));
                let request = pb::ManageGrantsRequest::decode(request.encode_to_vec().as_slice()).unwrap();
                assert!(request.operation.is_some(), "{}", field.name());
                request.demand().operation
            })
            .collect();
        assert_eq!(asked_for, Operation::of_method("ManageGrants").collect());
        assert_eq!(asked_for.len(), operations.fields().len());
    }

    #[test]
    fn a_dry_run_and_a_feed_of_one_session_are_told_from_the_rest() {
        let decide = |dry_run| pb::DecideRequest { dry_run, ..Default::default() }.demand().operation;
        assert_eq!((decide(true), decide(false)), (Operation::Explain, Operation::Decide));
        let session_id = "s".to_owned();
        let halts = pb::StreamAttackHaltsRequest { session_id: session_id.clone(), ..Default::default() };
        let escalations = pb::StreamEscalationsRequest { session_id, ..Default::default() };
        assert_eq!(halts.demand().operation, Operation::FollowHaltsOfSession);
        assert_eq!(escalations.demand().operation, Operation::FollowEscalationsOfSession);
        assert_eq!(
            pb::StreamAttackHaltsRequest::default().demand().operation,
            Operation::FollowHaltsOfProject
        );
        assert_eq!(
            pb::StreamEscalationsRequest::default().demand().operation,
            Operation::FollowEscalationsOfProject
        );
    }
}
