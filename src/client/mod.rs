//! The Rust client: what the generated code lacks and nothing more.
//!
//! Promises a connection to a TCP address or a Unix socket, a deadline on every request, that a decision is retried only
//! under its own request id, so that no call is ever decided twice, and feeds that outlive their connections. Knows
//! nothing of how decisions come about.

mod address;
mod connect;
mod decide;
mod feeds;

pub use address::{Address, AddressError};
pub use connect::ConnectError;
pub use feeds::{Feed, FeedMessage, FeedNews, Happening, Interruption, SILENCE};

use crate::proto::v1 as pb;
use crate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::future::Future;
use std::time::{Duration, Instant};
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt;

/// How long a request may take unless told otherwise. Waiting for a human comes on top.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(10);

/// The largest message that is accepted from a server, in bytes: a page of records holds many commands of up to 1 MiB.
const MAX_RESPONSE_BYTES: usize = 64 << 20;

/// A connection to a gate. Cheap to clone: every clone shares the connection.
#[derive(Debug, Clone)]
pub struct Client {
    stub: ApprovalGateClient<Channel>,
    deadline: Duration,
}

impl Client {
    fn new(channel: Channel) -> Self {
        let stub = ApprovalGateClient::new(channel).max_decoding_message_size(MAX_RESPONSE_BYTES);
        Self { stub, deadline: DEFAULT_DEADLINE }
    }

    /// The same connection with another deadline for each request.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// The generated client, for what has no method here.
    pub fn stub(&mut self) -> &mut ApprovalGateClient<Channel> {
        &mut self.stub
    }

    /// Has one call rated, outside of any decision. A rater that fails is a rating with a cause.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn rate(&mut self, request: pb::RateRequest) -> Result<pb::RateResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.rate(request)).await
    }

    /// Settles an escalation or an attack halt.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn answer(&mut self, request: pb::AnswerRequest) -> Result<pb::AnswerResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.answer(request)).await
    }

    /// Lists or changes grants, denials and trust.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn manage_grants(
        &mut self,
        request: pb::ManageGrantsRequest,
    ) -> Result<pb::ManageGrantsResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.manage_grants(request)).await
    }

    /// Opens a session, or opens it again.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn open_session(
        &mut self,
        request: pb::OpenSessionRequest,
    ) -> Result<pb::OpenSessionResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.open_session(request)).await
    }

    /// Changes an open session.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn update_session(
        &mut self,
        request: pb::UpdateSessionRequest,
    ) -> Result<pb::UpdateSessionResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.update_session(request)).await
    }

    /// Shows one session.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn get_session(
        &mut self,
        request: pb::GetSessionRequest,
    ) -> Result<pb::GetSessionResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.get_session(request)).await
    }

    /// Lists one page of sessions.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn list_sessions(
        &mut self,
        request: pb::ListSessionsRequest,
    ) -> Result<pb::ListSessionsResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.list_sessions(request)).await
    }

    /// Closes a session.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn close_session(
        &mut self,
        request: pb::CloseSessionRequest,
    ) -> Result<pb::CloseSessionResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.close_session(request)).await
    }

    /// Lists one page of records.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn list_decisions(
        &mut self,
        request: pb::ListDecisionsRequest,
    ) -> Result<pb::ListDecisionsResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.list_decisions(request)).await
    }

    /// Checks a project's hash chain. A long chain may need a longer deadline.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn verify_audit(
        &mut self,
        request: pb::VerifyAuditRequest,
    ) -> Result<pb::VerifyAuditResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.verify_audit(request)).await
    }

    /// Says which server answers.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`.
    pub async fn server_info(
        &mut self,
        request: pb::GetServerInfoRequest,
    ) -> Result<pb::GetServerInfoResponse, Status> {
        let stub = &mut self.stub;
        within(self.deadline, request, |request| stub.get_server_info(request)).await
    }
}

/// Sends a message with its deadline, which the server learns of and the client keeps.
async fn within<Message, Answer, Call>(
    deadline: Duration,
    message: Message,
    send: impl FnOnce(Request<Message>) -> Call,
) -> Result<Answer, Status>
where
    Call: Future<Output = Result<Response<Answer>, Status>>,
{
    let mut request = Request::new(message);
    request.set_timeout(deadline);
    let too_late = || Status::deadline_exceeded(format!("no answer within {} ms", deadline.as_millis()));
    let started = Instant::now();
    match tokio::time::timeout(deadline, send(request)).await {
        Ok(Ok(response)) => Ok(response.into_inner()),
        // The transport says that the deadline passed by cancelling.
        Ok(Err(status)) if status.code() == Code::Cancelled && started.elapsed() >= deadline => {
            Err(too_late())
        }
        Ok(Err(status)) => Err(status),
        Err(_elapsed) => Err(too_late()),
    }
}

/// How long the server asks to be left alone.
fn asked_pause(status: &Status) -> Option<Duration> {
    status.get_details_retry_info().and_then(|info| info.retry_delay)
}
