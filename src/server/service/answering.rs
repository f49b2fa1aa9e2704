//! `Answer`.

use super::Service;
use crate::access::Caller;
use crate::gate::{AttackAnswer, HumanAnswer, HumanVerdict, RejectScope, Scope, Terms};
use crate::proto::v1 as pb;
use crate::server::inbound;
use crate::server::outbound;
use crate::server::status::{Violations, from_engine, internal};
use crate::session::{EngineError, Given, Reply};
use std::sync::Arc;
use tonic::Status;

impl Service {
    pub(super) async fn take_answer(
        &self,
        caller: Arc<Caller>,
        request: pb::AnswerRequest,
    ) -> Result<pb::AnswerResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let request_id = inbound::optional_id("request_id", &request.request_id, &mut violations);
        let scope = inbound::scope("scope", request.scope, &mut violations).unwrap_or(Scope::Once);
        let comment = inbound::prose("comment", &request.comment, &mut violations);
        let sticky_approval = verdict(request.verdict) == pb::Verdict::Approve && scope != Scope::Once;
        if request.terms.is_some() && !sticky_approval {
            violations.invalid(
                "terms",
                "bound a grant: they need the verdict APPROVE and the scope SESSION or ALWAYS",
            );
        }
        let terms = inbound::terms("terms", request.terms, self.engine.now(), &mut violations);
        let (id, given, beyond) = match request.target {
            None => {
                violations.invalid("target", "is required: escalation_id or halt_id");
                violations.check()?;
                return Err(internal("an answer without a target passed its checks"));
            }
            Some(pb::answer_request::Target::EscalationId(id)) => {
                let id = inbound::required_id("escalation_id", &id, &mut violations);
                let said = (request.verdict, scope, comment.clone());
                let given = to_escalation(said, &caller, terms, &mut violations);
                let refusal =
                    matches!(given, Given::Escalation(HumanAnswer { verdict: HumanVerdict::Reject(_), .. }));
                // There is no refusal beyond the session.
                (id, given, refusal && scope == Scope::Always)
            }
            Some(pb::answer_request::Target::HaltId(id)) => {
                let id = inbound::required_id("halt_id", &id, &mut violations);
                (id, to_halt(request.verdict, &mut violations), scope != Scope::Once)
            }
        };
        violations.check()?;
        let reply = Reply { project: project.clone(), id, given, caller, comment, request_id };
        if beyond {
            let offered =
                self.engine.refusal_scopes(&reply).await.map_err(|error| from_engine(&project, error))?;
            let offered = offered.into_iter().map(|scope| scope.as_str().to_owned()).collect();
            let error =
                EngineError::ScopeNotOffered { id: reply.id, scope: scope.as_str().to_owned(), offered };
            return Err(from_engine(&project, error));
        }
        let settled = self.engine.answer(reply).await.map_err(|error| from_engine(&project, error))?;
        let answered = outbound::escalation(&settled)
            .map(pb::answer_response::Settled::Escalation)
            .or_else(|| outbound::attack_halt(&settled).map(pb::answer_response::Settled::Halt));
        Ok(pb::AnswerResponse { settled: answered })
    }
}

/// What was said; a value that this server does not know says nothing, which is a refusal.
fn verdict(value: i32) -> pb::Verdict {
    pb::Verdict::try_from(value).unwrap_or(pb::Verdict::Unspecified)
}

fn to_escalation(
    (value, scope, comment): (i32, Scope, Option<String>),
    caller: &Caller,
    terms: Terms,
    violations: &mut Violations,
) -> Given {
    let verdict = match verdict(value) {
        pb::Verdict::Approve => HumanVerdict::Approve(scope),
        pb::Verdict::Reject | pb::Verdict::Unspecified => match scope {
            Scope::Once => HumanVerdict::Reject(RejectScope::Once),
            Scope::Session | Scope::Always => HumanVerdict::Reject(RejectScope::Session),
        },
        pb::Verdict::RunAnyway | pb::Verdict::Stop => {
            violations.invalid("verdict", "answers an attack halt; an escalation takes APPROVE or REJECT");
            HumanVerdict::Reject(RejectScope::Once)
        }
    };
    Given::Escalation(HumanAnswer { verdict, answered_by: Some(caller.name.clone()), comment, terms })
}

fn to_halt(value: i32, violations: &mut Violations) -> Given {
    let answer = match verdict(value) {
        pb::Verdict::RunAnyway => AttackAnswer::RunAnyway,
        pb::Verdict::Stop | pb::Verdict::Unspecified => AttackAnswer::Stop,
        pb::Verdict::Approve | pb::Verdict::Reject => {
            violations.invalid("verdict", "answers an escalation; an attack halt takes RUN_ANYWAY or STOP");
            AttackAnswer::Stop
        }
    };
    Given::Attack(answer)
}
