//! The service itself: admission, then one method per RPC group.
//!
//! Promises that nothing is begun while the gate shuts down, and that no request is handled whose caller may not make it: a
//! message comes out of its request only together with a caller who may. Limits and deadlines are the business of the layers
//! around it; what it needs of them it finds among the extensions of a request.

mod answering;
mod deciding;
mod exporting;
mod feeds;
mod granting;
mod listing;
mod sessions;

pub(super) use feeds::project_cursor;

use super::contract::{ApprovalGate, FeedMessage};
use super::deadline::Deadline;
use super::demand::Demanding;
use super::limits::Admission;
use super::page_token::Conditions;
use super::permission::{self, Attempt};
use super::status::draining;
use crate::access::Caller;
use crate::proto::v1 as pb;
use crate::session::Engine;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

/// The latest that an answer leaves before the caller's deadline, so that it arrives in time.
pub(super) const DEADLINE_MARGIN: Duration = Duration::from_millis(200);

/// The service over a live gate.
#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) engine: Engine,
    pub(super) max_wait: Duration,
    /// How long a feed may be silent.
    pub(super) heartbeat: Duration,
    /// Becomes true when the gate shuts down.
    pub(super) draining: watch::Receiver<bool>,
    pub(super) started_at: crate::gate::Moment,
}

impl Service {
    /// Leave to begin a request.
    fn admit(&self) -> Result<(), Status> {
        if *self.draining.borrow() { Err(draining()) } else { Ok(()) }
    }

    /// Runs a request, unless the gate shuts down.
    async fn run<T, R, F>(
        &self,
        request: Request<T>,
        handle: impl FnOnce(Arc<Caller>, T) -> F,
    ) -> Result<Response<R>, Status>
    where
        T: Demanding,
        F: Future<Output = Result<R, Status>>,
    {
        self.admit()?;
        let Allowed { caller, message, attempt } = self.allow(request).await?;
        let outcome = handle(caller, message).await;
        attempt.noted(&self.engine, outcome).await.map(Response::new)
    }

    /// The conditions of a list or feed of this gate's store.
    fn conditions(&self, list: &str, parts: &[&str]) -> Conditions {
        Conditions::of(self.engine.store().id(), list, parts)
    }

    /// The message of a request whose caller may make it, as far as that is known before the session is looked at.
    async fn allow<T: Demanding>(&self, request: Request<T>) -> Result<Allowed<T>, Status> {
        let caller = permission::caller(request.extensions())?;
        let message = request.into_inner();
        let attempt = Attempt { demand: message.demand(), caller: Arc::clone(&caller) };
        let allowed = match permission::check(&caller, &attempt.demand) {
            Ok(()) => permission::enter(&self.engine, &caller, &attempt.demand).await,
            Err(refused) => Err(refused),
        };
        attempt.noted(&self.engine, allowed).await?;
        Ok(Allowed { caller, message, attempt })
    }
}

/// A message whose caller may send it.
struct Allowed<T> {
    caller: Arc<Caller>,
    message: T,
    attempt: Attempt,
}

type Feed = Pin<Box<dyn Stream<Item = Result<FeedMessage, Status>> + Send>>;

#[tonic::async_trait]
impl ApprovalGate for Service {
    type StreamAttackHaltsStream = Feed;
    type StreamEscalationsStream = Feed;
    type ExportAuditStream = exporting::Export;

    async fn decide(
        &self,
        request: Request<pb::DecideRequest>,
    ) -> Result<Response<pb::DecideResponse>, Status> {
        self.decide_call(request).await
    }

    async fn rate(&self, request: Request<pb::RateRequest>) -> Result<Response<pb::RateResponse>, Status> {
        self.run(request, |_caller, request| self.rate_call(request)).await
    }

    async fn stream_attack_halts(
        &self,
        request: Request<pb::StreamAttackHaltsRequest>,
    ) -> Result<Response<Self::StreamAttackHaltsStream>, Status> {
        self.attack_halts(request).await
    }

    async fn stream_escalations(
        &self,
        request: Request<pb::StreamEscalationsRequest>,
    ) -> Result<Response<Self::StreamEscalationsStream>, Status> {
        self.escalations(request).await
    }

    async fn answer(
        &self,
        request: Request<pb::AnswerRequest>,
    ) -> Result<Response<pb::AnswerResponse>, Status> {
        self.run(request, |caller, request| self.take_answer(caller, request)).await
    }

    async fn manage_grants(
        &self,
        request: Request<pb::ManageGrantsRequest>,
    ) -> Result<Response<pb::ManageGrantsResponse>, Status> {
        self.run(request, |caller, request| self.manage(caller, request)).await
    }

    async fn open_session(
        &self,
        request: Request<pb::OpenSessionRequest>,
    ) -> Result<Response<pb::OpenSessionResponse>, Status> {
        self.run(request, |caller, request| self.open(caller, request)).await
    }

    async fn update_session(
        &self,
        request: Request<pb::UpdateSessionRequest>,
    ) -> Result<Response<pb::UpdateSessionResponse>, Status> {
        self.run(request, |caller, request| self.update(caller, request)).await
    }

    async fn get_session(
        &self,
        request: Request<pb::GetSessionRequest>,
    ) -> Result<Response<pb::GetSessionResponse>, Status> {
        self.run(request, |_caller, request| self.get(request)).await
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Result<Response<pb::ListSessionsResponse>, Status> {
        self.run(request, |caller, request| self.sessions(caller, request)).await
    }

    async fn close_session(
        &self,
        request: Request<pb::CloseSessionRequest>,
    ) -> Result<Response<pb::CloseSessionResponse>, Status> {
        self.run(request, |caller, request| self.close(caller, request)).await
    }

    async fn list_decisions(
        &self,
        request: Request<pb::ListDecisionsRequest>,
    ) -> Result<Response<pb::ListDecisionsResponse>, Status> {
        self.run(request, |_caller, request| self.decisions(request)).await
    }

    async fn verify_audit(
        &self,
        request: Request<pb::VerifyAuditRequest>,
    ) -> Result<Response<pb::VerifyAuditResponse>, Status> {
        // It reads everything that there is.
        if let Some(deadline) = request.extensions().get::<Deadline>() {
            deadline.outlast();
        }
        self.run(request, |_caller, request| self.verify(request)).await
    }

    async fn export_audit(
        &self,
        request: Request<pb::ExportAuditRequest>,
    ) -> Result<Response<Self::ExportAuditStream>, Status> {
        let admission = Admission::find(request.extensions())?;
        let Allowed { message, attempt, .. } = self.allow(request).await?;
        let outcome = self.export_records(message, &admission).await;
        attempt.noted(&self.engine, outcome).await
    }

    async fn get_server_info(
        &self,
        request: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        self.run(request, |_caller, request| self.info(request)).await
    }
}
