//! The one table of rights: role by role, every operation named.
//!
//! An operation or a role that is added does not compile until it has its place here.

use super::operation::Operation;
use super::role::Role;

impl Role {
    /// Whether a caller of this role may do it: in its projects, and for an agent in its own sessions.
    #[must_use]
    pub fn may(self, operation: Operation) -> bool {
        match self {
            Self::Agent => agent_may(operation),
            Self::Operator => operator_may(operation),
            Self::Auditor => auditor_may(operation),
            Self::Admin => true,
        }
    }

    /// The roles that may do at least one of some operations.
    #[must_use]
    pub fn needed(operations: &[Operation]) -> Vec<Self> {
        let may_one = |role: &Self| operations.iter().any(|operation| role.may(*operation));
        Self::ALL.into_iter().filter(may_one).collect()
    }
}

fn agent_may(operation: Operation) -> bool {
    match operation {
        Operation::Decide
        | Operation::Explain
        | Operation::Rate
        | Operation::FollowHaltsOfSession
        | Operation::FollowEscalationsOfSession
        | Operation::OpenSession
        | Operation::UpdateSession
        | Operation::GetSession
        | Operation::ListSessions
        | Operation::CloseSession
        | Operation::GetServerInfo => true,
        // What others ask and hear.
        Operation::FollowHaltsOfProject
        | Operation::FollowEscalationsOfProject
        | Operation::ListDecisions
        | Operation::VerifyAudit
        | Operation::ExportAudit => false,
        // What humans decide about it.
        Operation::Answer
        | Operation::ListGrants
        | Operation::Grant
        | Operation::Deny
        | Operation::Revoke
        | Operation::Lift
        | Operation::ViewTrust
        | Operation::ChangeTrust
        | Operation::PredictTrust
        | Operation::ImportGrants
        | Operation::ExportGrants
        | Operation::ChangeRung => false,
    }
}

fn operator_may(operation: Operation) -> bool {
    match operation {
        // Whoever answers does not ask: a call is decided for the one that runs it.
        Operation::Decide => false,
        Operation::Explain
        | Operation::Rate
        | Operation::FollowHaltsOfSession
        | Operation::FollowHaltsOfProject
        | Operation::FollowEscalationsOfSession
        | Operation::FollowEscalationsOfProject
        | Operation::Answer
        | Operation::ListGrants
        | Operation::Grant
        | Operation::Deny
        | Operation::Revoke
        | Operation::Lift
        | Operation::ViewTrust
        | Operation::ChangeTrust
        | Operation::PredictTrust
        | Operation::ImportGrants
        | Operation::ExportGrants
        | Operation::OpenSession
        | Operation::UpdateSession
        | Operation::ChangeRung
        | Operation::GetSession
        | Operation::ListSessions
        | Operation::CloseSession
        | Operation::ListDecisions
        | Operation::VerifyAudit
        | Operation::ExportAudit
        | Operation::GetServerInfo => true,
    }
}

fn auditor_may(operation: Operation) -> bool {
    match operation {
        Operation::Explain
        | Operation::FollowHaltsOfSession
        | Operation::FollowHaltsOfProject
        | Operation::FollowEscalationsOfSession
        | Operation::FollowEscalationsOfProject
        | Operation::ListGrants
        | Operation::ViewTrust
        | Operation::PredictTrust
        | Operation::ExportGrants
        | Operation::GetSession
        | Operation::ListSessions
        | Operation::ListDecisions
        | Operation::VerifyAudit
        | Operation::ExportAudit
        | Operation::GetServerInfo => true,
        // A rating may cost money and counts against budgets.
        Operation::Rate => false,
        Operation::Decide
        | Operation::Answer
        | Operation::Grant
        | Operation::Deny
        | Operation::Revoke
        | Operation::Lift
        | Operation::ChangeTrust
        | Operation::ImportGrants
        | Operation::OpenSession
        | Operation::UpdateSession
        | Operation::ChangeRung
        | Operation::CloseSession => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(role: Role) -> Vec<Operation> {
        Operation::ALL.into_iter().filter(|operation| role.may(*operation)).collect()
    }

    #[test]
    fn an_agent_may_neither_answer_nor_change_what_humans_decide() {
        for operation in allowed(Role::Agent) {
            let stays_with_humans = [
                Operation::Answer,
                Operation::Grant,
                Operation::Deny,
                Operation::Revoke,
                Operation::Lift,
                Operation::ChangeTrust,
                Operation::ImportGrants,
                Operation::ChangeRung,
            ];
            assert!(!stays_with_humans.contains(&operation), "{operation}");
            assert_ne!(operation.method(), "ManageGrants", "{operation}");
        }
    }

    #[test]
    fn an_auditor_changes_nothing() {
        assert_eq!(allowed(Role::Auditor).into_iter().filter(|operation| operation.changes()).count(), 0);
    }

    #[test]
    fn an_operator_may_do_everything_but_ask_for_real_and_an_admin_may_do_everything() {
        let left_out: Vec<_> =
            Operation::ALL.into_iter().filter(|operation| !Role::Operator.may(*operation)).collect();
        assert_eq!(left_out, [Operation::Decide]);
        assert_eq!(allowed(Role::Admin), Operation::ALL);
    }

    #[test]
    fn the_roles_that_an_operation_needs_are_those_that_may_do_it() {
        assert_eq!(Role::needed(&[Operation::Decide]), [Role::Agent, Role::Admin]);
        assert_eq!(Role::needed(&[Operation::Answer]), [Role::Operator, Role::Admin]);
        assert_eq!(Role::needed(&[Operation::VerifyAudit]), [Role::Operator, Role::Auditor, Role::Admin]);
        let manage: Vec<_> = Operation::of_method("ManageGrants").collect();
        assert_eq!(manage.len(), 10);
        assert_eq!(Role::needed(&manage), [Role::Operator, Role::Auditor, Role::Admin]);
        assert_eq!(Role::needed(&[]), []);
    }

    #[test]
    fn every_operation_has_a_name_of_its_own() {
        let mut names: Vec<_> = Operation::ALL.iter().map(|operation| operation.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Operation::ALL.len());
    }
}
