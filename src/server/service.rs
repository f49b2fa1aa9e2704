//! The service itself: admission, then one method per RPC group.
//!
//! Promises that no more requests are under way than the gate bears, and that a caller's deadline is answered as such.

mod answering;
mod deciding;
mod feeds;
mod granting;
mod listing;
mod sessions;

pub(super) use feeds::project_cursor;

use super::contract::{ApprovalGate, FeedMessage};
use super::status::{deadline_exceeded, draining, overloaded};
use crate::proto::v1 as pb;
use crate::session::Engine;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

/// Whoever calls where no credentials are needed.
pub(super) const LOCAL_CALLER: &str = "local";

/// The latest that an answer leaves before the caller's deadline, so that it arrives in time.
const DEADLINE_MARGIN: Duration = Duration::from_millis(200);

/// The service over a live gate.
#[derive(Debug, Clone)]
pub(super) struct Service {
    pub(super) engine: Engine,
    pub(super) max_wait: Duration,
    /// How long a feed may be silent.
    pub(super) heartbeat: Duration,
    pub(super) limit: u32,
    pub(super) permits: Arc<Semaphore>,
    /// Becomes true when the gate shuts down.
    pub(super) draining: watch::Receiver<bool>,
    pub(super) started_at: crate::gate::Moment,
}

impl Service {
    /// Leave to begin a request.
    fn admit(&self) -> Result<OwnedSemaphorePermit, Status> {
        if *self.draining.borrow() {
            return Err(draining());
        }
        Arc::clone(&self.permits).try_acquire_owned().map_err(|_| overloaded(self.limit))
    }

    /// Runs a request within its caller's deadline and the gate's bounds.
    async fn run<T, R, F>(
        &self,
        request: Request<T>,
        handle: impl FnOnce(T) -> F,
    ) -> Result<Response<R>, Status>
    where
        F: Future<Output = Result<R, Status>>,
    {
        let _permit = self.admit()?;
        let deadline = deadline(&request);
        let handling = handle(request.into_inner());
        let response = match deadline {
            None => handling.await?,
            Some(deadline) => tokio::time::timeout_at(deadline.into(), handling)
                .await
                .map_err(|_| deadline_exceeded())??,
        };
        Ok(Response::new(response))
    }
}

/// The moment by which the caller wants its answer, from the `grpc-timeout` header.
fn deadline<T>(request: &Request<T>) -> Option<Instant> {
    let text = request.metadata().get("grpc-timeout")?.to_str().ok()?;
    Instant::now().checked_add(parse_timeout(text)?)
}

/// At most eight digits and a unit, as the gRPC protocol has it.
fn parse_timeout(text: &str) -> Option<Duration> {
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(amount * 3600)),
        "M" => Some(Duration::from_secs(amount * 60)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

type Feed = Pin<Box<dyn Stream<Item = Result<FeedMessage, Status>> + Send>>;

#[tonic::async_trait]
impl ApprovalGate for Service {
    type StreamAttackHaltsStream = Feed;
    type StreamEscalationsStream = Feed;

    async fn decide(
        &self,
        request: Request<pb::DecideRequest>,
    ) -> Result<Response<pb::DecideResponse>, Status> {
        self.decide_call(request).await
    }

    async fn rate(&self, request: Request<pb::RateRequest>) -> Result<Response<pb::RateResponse>, Status> {
        self.run(request, |request| self.rate_call(request)).await
    }

    async fn stream_attack_halts(
        &self,
        request: Request<pb::StreamAttackHaltsRequest>,
    ) -> Result<Response<Self::StreamAttackHaltsStream>, Status> {
        let retiring = request.extensions().get().cloned();
        self.attack_halts(request.into_inner(), retiring).await
    }

    async fn stream_escalations(
        &self,
        request: Request<pb::StreamEscalationsRequest>,
    ) -> Result<Response<Self::StreamEscalationsStream>, Status> {
        let retiring = request.extensions().get().cloned();
        self.escalations(request.into_inner(), retiring).await
    }

    async fn answer(
        &self,
        request: Request<pb::AnswerRequest>,
    ) -> Result<Response<pb::AnswerResponse>, Status> {
        self.run(request, |request| self.take_answer(request)).await
    }

    async fn manage_grants(
        &self,
        request: Request<pb::ManageGrantsRequest>,
    ) -> Result<Response<pb::ManageGrantsResponse>, Status> {
        self.run(request, |request| self.manage(request)).await
    }

    async fn open_session(
        &self,
        request: Request<pb::OpenSessionRequest>,
    ) -> Result<Response<pb::OpenSessionResponse>, Status> {
        self.run(request, |request| self.open(request)).await
    }

    async fn update_session(
        &self,
        request: Request<pb::UpdateSessionRequest>,
    ) -> Result<Response<pb::UpdateSessionResponse>, Status> {
        self.run(request, |request| self.update(request)).await
    }

    async fn get_session(
        &self,
        request: Request<pb::GetSessionRequest>,
    ) -> Result<Response<pb::GetSessionResponse>, Status> {
        self.run(request, |request| self.get(request)).await
    }

    async fn list_sessions(
        &self,
        request: Request<pb::ListSessionsRequest>,
    ) -> Result<Response<pb::ListSessionsResponse>, Status> {
        self.run(request, |request| self.sessions(request)).await
    }

    async fn close_session(
        &self,
        request: Request<pb::CloseSessionRequest>,
    ) -> Result<Response<pb::CloseSessionResponse>, Status> {
        self.run(request, |request| self.close(request)).await
    }

    async fn list_decisions(
        &self,
        request: Request<pb::ListDecisionsRequest>,
    ) -> Result<Response<pb::ListDecisionsResponse>, Status> {
        self.run(request, |request| self.decisions(request)).await
    }

    async fn verify_audit(
        &self,
        request: Request<pb::VerifyAuditRequest>,
    ) -> Result<Response<pb::VerifyAuditResponse>, Status> {
        self.run(request, |request| self.verify(request)).await
    }

    async fn get_server_info(
        &self,
        request: Request<pb::GetServerInfoRequest>,
    ) -> Result<Response<pb::GetServerInfoResponse>, Status> {
        self.run(request, |request| self.info(request)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_read_as_the_protocol_writes_it_and_nothing_else_is() {
        let cases = [
            ("10S", Some(Duration::from_secs(10))),
            ("99999999H", Some(Duration::from_secs(99_999_999 * 3600))),
            ("1500m", Some(Duration::from_millis(1500))),
            ("7u", Some(Duration::from_micros(7))),
            ("100000000S", None),
            ("S", None),
            ("", None),
            ("10", None),
            ("1é", None),
            ("-1S", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_timeout(text), expected, "{text}");
        }
    }
}
