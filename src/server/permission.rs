//! Whether a caller may have what a request asks for.
//!
//! Promises that it is decided before anything is looked up, so that a refusal tells nothing of what exists, and that a request
//! without a recognised caller has no rights at all. Which agent a session belongs to, the live gate knows.

use super::demand::Demand;
use super::inbound;
use super::status::{
    Violations, credentials_missing, from_engine, project_not_allowed, refusal, role_not_allowed,
    unknown_method,
};
use crate::access::{Caller, Operation, Role};
use crate::session::{Engine, EngineError, Owner, Refused};
use std::sync::Arc;
use tonic::{Extensions, Status};

/// The caller that was recognised in front of the service.
pub(super) fn caller(extensions: &Extensions) -> Result<Arc<Caller>, Status> {
    extensions.get::<Arc<Caller>>().cloned().ok_or_else(|| credentials_missing(""))
}

/// Whether a caller may use a method at all: for one of the operations that it stands for.
pub(super) fn check_method(caller: &Caller, method: &str) -> Result<(), Status> {
    let operations: Vec<Operation> = Operation::of_method(method).collect();
    if operations.is_empty() {
        return Err(unknown_method(method));
    }
    check_role(caller, &operations)
}

/// Whether a caller may have what a request asks for.
pub(super) fn check(caller: &Caller, demand: &Demand) -> Result<(), Status> {
    check_role(caller, &[demand.operation])?;
    let mut violations = Violations::default();
    let project = inbound::project(&demand.project, &mut violations);
    if caller.projects.contain(&project) {
        return Ok(());
    }
    // What is no name of a project is not repeated to anybody.
    violations.check()?;
    Err(project_not_allowed(&project))
}

/// Lets a caller into the session that a request names. What the live gate opens by itself, it asks about by itself.
pub(super) async fn enter(engine: &Engine, caller: &Caller, demand: &Demand) -> Result<(), Status> {
    let mut violations = Violations::default();
    let project = inbound::project(&demand.project, &mut violations);
    let session = inbound::required_id("session_id", &demand.session, &mut violations);
    if Owner::of(caller).is_none() || violations.check().is_err() {
        // Either every session is open to the caller, or there is none of this name.
        return Ok(());
    }
    match demand.operation {
        Operation::Decide | Operation::Explain | Operation::OpenSession => return Ok(()),
        Operation::Rate
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
        | Operation::UpdateSession
        | Operation::ChangeRung
        | Operation::GetSession
        | Operation::ListSessions
        | Operation::CloseSession
        | Operation::ListDecisions
        | Operation::VerifyAudit
        | Operation::ExportAudit
        | Operation::GetServerInfo => {}
    }
    match engine.enter(&project, &session, caller).await {
        Ok(true) => Ok(()),
        // Not left to what follows: another agent may open it meanwhile.
        Ok(false) => {
            let missing = EngineError::SessionNotFound { project: project.clone(), session };
            Err(from_engine(&project, missing))
        }
        Err(error) => Err(from_engine(&project, error)),
    }
}

/// Who asks for what: what remains of a request once it is under way.
pub(super) struct Attempt {
    pub(super) demand: Demand,
    pub(super) caller: Arc<Caller>,
}

impl Attempt {
    /// The outcome, which the project's records hear of where it is that the caller may not have this.
    pub(super) async fn noted<R>(&self, engine: &Engine, outcome: Result<R, Status>) -> Result<R, Status> {
        if let Err(status) = &outcome
            && let Some(reason) = refusal(status)
        {
            self.note(engine, &reason).await;
        }
        outcome
    }

    async fn note(&self, engine: &Engine, reason: &str) {
        let Demand { operation, project, session } = &self.demand;
        let mut violations = Violations::default();
        let project = inbound::project(project, &mut violations);
        let session = inbound::optional_id("session_id", session, &mut violations);
        // What somebody tries elsewhere than in their own projects leaves no trace there: nobody may write into them.
        if violations.check().is_ok() && self.caller.projects.contain(&project) {
            let refused = Refused { project, session, caller: &self.caller, operation: *operation, reason };
            engine.note_refusal(refused).await;
        } else {
            tracing::warn!(caller = %self.caller.name, role = %self.caller.role, %operation, reason, "refused");
        }
    }
}

fn check_role(caller: &Caller, operations: &[Operation]) -> Result<(), Status> {
    if operations.iter().any(|operation| caller.role.may(*operation)) {
        return Ok(());
    }
    Err(role_not_allowed(caller.role, &Role::needed(operations)))
}
