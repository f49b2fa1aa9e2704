//! What a request goes through: the services, and the layers around them.
//!
//! Promises that every listener serves the same. Knows nothing of addresses, and of connections only what they put into the
//! extensions of each request: its [`Peer`](super::peer::Peer).
//!
//! From the outside in, the layers are: catching a panic, request id and trace, metrics, who calls, limits, deadline. Health is
//! exempt from who calls and from limits, so that a probe needs no credentials and is never shed.

use super::console::with_console;
use super::contract::ApprovalGateServer;
use super::health::Health;
use super::service::Service;
use crate::proto::FILE_DESCRIPTOR_SET;
use crate::proto::health::health_server::HealthServer;
use tonic::body::Body;
use tonic::codegen::{StdError, http};
use tonic::service::{RecoverErrorLayer, RoutesBuilder};
use tower::ServiceBuilder;
use tower::util::BoxCloneSyncService;

/// What answers a request.
pub(super) type Answering = BoxCloneSyncService<http::Request<Body>, http::Response<Body>, StdError>;

/// What every listener of a gate serves.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub(super) service: Service,
    pub(super) health: Health,
    /// The longest message that is accepted, in bytes.
    pub(super) message_size: usize,
}

impl Stack {
    /// The services with their layers.
    ///
    /// # Errors
    /// The contract's own description cannot be served.
    pub(super) fn answering(&self) -> Result<Answering, tonic_reflection::server::Error> {
        let gate = ApprovalGateServer::new(self.service.clone()).max_decoding_message_size(self.message_size);
        let mut services = RoutesBuilder::default();
        services
            .add_service(gate)
            .add_service(HealthServer::new(self.health.clone()))
            .add_service(described().build_v1()?)
            .add_service(described().build_v1alpha()?);
        Ok(BoxCloneSyncService::new(
            ServiceBuilder::new()
                .map_response(|response: http::Response<_>| response.map(Body::new))
                // A layer that fails with a status answers with it.
                .layer(RecoverErrorLayer::new())
                // The layers, from the outside in.
                .service(with_console(services.routes())),
        ))
    }
}

/// The contract's description, for the two versions of the reflection protocol: current tools use v1, older ones v1alpha.
fn described() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
}
