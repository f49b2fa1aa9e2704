//! What a request goes through: the services, and the layers around them.
//!
//! Promises that every listener serves the same. Knows nothing of addresses.
//!
//! From the outside in, the layers are: catching a panic, request id and trace, metrics, who calls, limits, deadline. Health is
//! exempt from who calls and from limits, so that a probe needs no credentials and is never shed.

use super::auth::{Recogniser, recognise};
use super::console::with_console;
use super::contract::ApprovalGateServer;
use super::health::Health;
use super::service::Service;
use crate::proto::FILE_DESCRIPTOR_SET;
use crate::proto::health::health_server::HealthServer;
use axum::middleware::from_fn_with_state;
use std::time::Duration;
use tonic::service::RoutesBuilder;
use tonic::transport::Server;
use tonic::transport::server::Router;

/// How often a quiet connection is probed, and how long it may stay silent then.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));

/// Requests that one connection may have open at once.
const STREAMS_PER_CONNECTION: u32 = 256;

/// What every listener of a gate serves.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub(super) service: Service,
    pub(super) health: Health,
    pub(super) recogniser: Recogniser,
    /// The longest message that is accepted, in bytes.
    pub(super) message_size: usize,
}

impl Stack {
    /// The services with their layers, for one listener.
    ///
    /// # Errors
    /// The contract's own description cannot be served.
    pub(super) fn router(&self) -> Result<Router, tonic_reflection::server::Error> {
        let gate = ApprovalGateServer::new(self.service.clone()).max_decoding_message_size(self.message_size);
        let mut services = RoutesBuilder::default();
        services
            .add_service(gate)
            .add_service(HealthServer::new(self.health.clone()))
            .add_service(described().build_v1()?)
            .add_service(described().build_v1alpha()?);
        // The last layer is the outermost.
        let layered = with_console(services.routes())
            .prepare()
            .into_axum_router()
            .layer(from_fn_with_state(self.recogniser.clone(), recognise));
        Ok(Server::builder()
            // What browsers without HTTP/2 over plain connections speak.
            .accept_http1(true)
            .http2_keepalive_interval(Some(KEEPALIVE.0))
            .http2_keepalive_timeout(Some(KEEPALIVE.1))
            .max_concurrent_streams(Some(STREAMS_PER_CONNECTION))
            .add_routes(layered.into()))
    }
}

/// The contract's description, for the two versions of the reflection protocol: current tools use v1, older ones v1alpha.
fn described() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
}
