//! The Rust client: what the generated code lacks and nothing more.
//!
//! Promises a connection to a TCP address, with or without TLS, or a Unix socket; a deadline on every request; that only
//! what is safe to repeat is repeated, so that no call is ever decided twice; that nothing but a complete approval is one;
//! and feeds that outlive their connections. Knows nothing of how decisions come about.
//!
//! ```
//! use haltgate::client::{Address, Client, Error};
//!
//! # async fn run_the_tests() {}
//! # fn tell_the_model(_message: &str) {}
//! # fn end_the_run(_error: &Error) {}
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::connect(&Address::from_environment()?).await?;
//! let session = client.session("conversation-1");
//! match session.decide_shell("cargo test").cwd("/work/project").run_id("turn-1").await {
//!     Ok(decision) if decision.approved() => run_the_tests().await,
//!     Ok(decision) => tell_the_model(decision.message()),
//!     // The run is halted, nobody can be asked, or there is no decision: the call must not run.
//!     Err(error) => end_the_run(&error),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Awaiting a question waits for the human who may be asked, as long as it takes; [`Question::max_wait`] bounds that, and
//! [`Question::wait`] turns it off. A screen follows [`Client::watch_escalations`] and [`Client::watch_halts`], and answers
//! with [`Client::answer`].

mod address;
mod connect;
mod decide;
mod decision;
mod error;
mod events;
mod export;
mod feeds;
mod options;
mod pages;
mod requests;
mod retry;
mod session;

pub use crate::proto::v1::{Action, Outcome, Rung, Scope, Stage, Verdict};
pub use crate::trace::TraceContext;
pub use address::{Address, AddressError, TARGET_VARIABLE};
pub use connect::ConnectError;
pub use decision::Decision;
pub use error::{Error, Refusal};
pub use events::{Event, Events};
pub use export::AuditExport;
pub use feeds::{Feed, FeedMessage, FeedNews, Happening, Interruption, SILENCE};
pub use options::{Credentials, DEFAULT_DEADLINE, DEFAULT_RECONNECT_FOR, Options};
pub use pages::{ListedGrants, Pages};
pub use session::{Question, Session};

use crate::proto::health::HealthCheckRequest;
use crate::proto::health::health_check_response::ServingStatus;
use crate::proto::health::health_client::HealthClient;
use crate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::time::Duration;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;

/// The largest message that is accepted from a server, in bytes: a page of records holds many commands of up to 1 MiB.
const MAX_RESPONSE_BYTES: usize = 64 << 20;

/// The service whose health is asked for.
const SERVICE: &str = "haltgate.v1.ApprovalGate";

/// The generated client over a connection with its credentials.
pub type Stub = ApprovalGateClient<InterceptedService<Channel, Credentials>>;

/// A connection to a gate. Cheap to clone: every clone shares the connection.
#[derive(Debug, Clone)]
pub struct Client {
    stub: Stub,
    channel: Channel,
    credentials: Credentials,
    options: Options,
}

impl Client {
    fn new(channel: Channel, credentials: Credentials, options: Options) -> Self {
        let stub = ApprovalGateClient::with_interceptor(channel.clone(), credentials.clone())
            .max_decoding_message_size(MAX_RESPONSE_BYTES);
        Self { stub, channel, credentials, options }
    }

    /// The same connection for requests that are part of a trace. Without it they are part of the trace of the current span,
    /// where `tracing-opentelemetry` collects spans.
    #[must_use]
    pub fn with_trace(self, trace: TraceContext) -> Self {
        Self::new(self.channel, self.credentials.within(trace), self.options)
    }

    /// Whether the gate may be asked, by its own word. Needs no credentials.
    ///
    /// # Errors
    /// The gate is out of reach.
    pub async fn is_serving(&self) -> Result<bool, Error> {
        let mut health = HealthClient::with_interceptor(self.channel.clone(), self.credentials.clone());
        let mut request = tonic::Request::new(HealthCheckRequest { service: SERVICE.to_owned() });
        request.set_timeout(self.options.deadline);
        let checked = tokio::time::timeout(self.options.deadline, health.check(request)).await;
        let status =
            checked.map_err(|_| tonic::Status::deadline_exceeded("no answer in time"))??.into_inner();
        Ok(status.status() == ServingStatus::Serving)
    }

    /// The same connection with another deadline for each request.
    #[must_use]
    pub fn with_deadline(self, deadline: Duration) -> Self {
        Self { options: self.options.deadline(deadline), ..self }
    }

    /// The generated client, for what has no method here.
    pub fn stub(&mut self) -> &mut Stub {
        &mut self.stub
    }
}
