//! `Decide` and `Rate`.

use super::{Allowed, DEADLINE_MARGIN, Service};
use crate::access::Caller;
use crate::gate::Action;
use crate::proto::v1 as pb;
use crate::server::convert;
use crate::server::deadline::Deadline;
use crate::server::inbound;
use crate::server::limits::Admission;
use crate::server::outbound;
use crate::server::status::{Violations, from_engine};
use crate::session::{Ask, RateWish, Ruling};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tonic::{Request, Response, Status};

impl Service {
    pub(super) async fn decide_call(
        &self,
        request: Request<pb::DecideRequest>,
    ) -> Result<Response<pb::DecideResponse>, Status> {
        self.admit()?;
        let admission = Admission::find(request.extensions())?;
        let deadline = request.extensions().get::<Deadline>().cloned();
        let Allowed { caller, message, attempt } = self.allow(request).await?;
        let deciding = self.decide_for(caller, message, deadline, &admission);
        attempt.noted(&self.engine, deciding.await).await.map(Response::new)
    }

    async fn decide_for(
        &self,
        caller: Arc<Caller>,
        request: pb::DecideRequest,
        deadline: Option<Deadline>,
        admission: &Admission,
    ) -> Result<pb::DecideResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let run = inbound::optional_id("run_id", &request.run_id, &mut violations).unwrap_or_default();
        let request_id = inbound::optional_id("request_id", &request.request_id, &mut violations);
        let max_wait = inbound::duration("max_wait", request.max_wait, &mut violations);
        let call = inbound::call("call", request.call, &mut violations);
        if request.dry_run {
            let session = inbound::optional_id("session_id", &request.session_id, &mut violations);
            violations.check()?;
            let Some(call) = call else { return Err(Status::invalid_argument("call is required")) };
            let explained = self.engine.explain(&project, session.as_deref(), &run, &call, &caller).await;
            let explained = explained.map_err(|error| from_engine(&project, error))?;
            return Ok(outbound::explained(&explained));
        }
        let session = inbound::required_id("session_id", &request.session_id, &mut violations);
        violations.check()?;
        let Some(call) = call else { return Err(Status::invalid_argument("call is required")) };
        let ask = Ask { project: project.clone(), session, run, request_id, call, caller };
        let ruling = self.engine.decide(ask).await.map_err(|error| from_engine(&project, error))?;
        let ruling = if request.wait && ruling.decision.action == Action::Escalate {
            // It must not keep others from being decided, and has a limit of its own.
            let _held = admission.wait()?;
            if let Some(deadline) = &deadline {
                deadline.outlast();
            }
            self.wait(ruling, max_wait, deadline.and_then(|deadline| deadline.of_caller())).await?
        } else {
            ruling
        };
        Ok(outbound::decide_response(&ruling))
    }

    /// Waits for a human as long as the caller, the configuration and the deadline allow, or until the gate shuts down.
    async fn wait(
        &self,
        ruling: Ruling,
        max_wait: Option<Duration>,
        deadline: Option<Instant>,
    ) -> Result<Ruling, Status> {
        let mut wait = max_wait.unwrap_or(self.max_wait).min(self.max_wait);
        if let Some(deadline) = deadline {
            wait =
                wait.min(deadline.saturating_duration_since(Instant::now()).saturating_sub(DEADLINE_MARGIN));
        }
        let project = ruling.project.clone();
        let as_it_stands = ruling.clone();
        let mut draining = self.draining.clone();
        tokio::select! {
            answered = self.engine.wait_for_human(ruling, wait) => answered.map_err(|error| from_engine(&project, error)),
            // The question is durable: the caller picks the answer up with the same request id, here or elsewhere.
            _ = draining.wait_for(|draining| *draining) => Ok(as_it_stands),
        }
    }

    pub(super) async fn rate_call(&self, request: pb::RateRequest) -> Result<pb::RateResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let session = inbound::optional_id("session_id", &request.session_id, &mut violations);
        let call = inbound::call("call", request.call, &mut violations);
        let profile = inbound::selector("profile", &request.profile, &mut violations);
        violations.check()?;
        let Some(call) = call else { return Err(Status::invalid_argument("call is required")) };
        let wish = RateWish { profile, fresh: request.fresh };
        let rated = self.engine.rate(&project, session.as_deref(), &call, &wish).await;
        let rated = rated.map_err(|error| from_engine(&project, error))?;
        Ok(convert::rate_response(&call, rated))
    }
}
