//! What a request goes through: the services, and the layers around them.
//!
//! Promises that every listener serves the same. Knows nothing of addresses, and of connections only what they put into the
//! extensions of each request: its [`Peer`](super::peer::Peer).
//!
//! From the outside in, the layers are: catching a panic, request id and trace, metrics, deadline, who calls, limits,
//! and inside of what translates for browsers, which methods the caller's role may use. The deadline comes before whatever waits,
//! since it counts from when it is called. Health is exempt from who calls and from limits, so that a probe needs no credentials
//! and is never shed.

use super::auth::{Recogniser, Recognising};
use super::console::with_console;
use super::contract::ApprovalGateServer;
use super::deadline::Deadlines;
use super::ext_authz::Proxies;
use super::health::Health;
use super::limits::{Admitting, Limits};
use super::measuring::MeasuringLayer;
use super::method_rights;
use super::panics::CatchPanics;
use super::service::Service;
use crate::proto::FILE_DESCRIPTOR_SET;
use crate::proto::health::health_server::HealthServer;
use axum::middleware::from_fn;
use std::sync::Arc;
use tonic::body::Body;
use tonic::codegen::{StdError, http};
use tonic::service::{RecoverErrorLayer, Routes, RoutesBuilder};
use tower::ServiceBuilder;
use tower::util::BoxCloneSyncService;

/// What answers a request.
pub(super) type Answering = BoxCloneSyncService<http::Request<Body>, http::Response<Body>, StdError>;

/// The longest message of a client to the services that take next to nothing: health and reflection.
const SMALL_MESSAGE: usize = 64 << 10;

/// What every listener of a gate serves.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    pub(super) service: Service,
    pub(super) health: Health,
    pub(super) recogniser: Recogniser,
    pub(super) proxies: Proxies,
    /// The longest message that is accepted, in bytes.
    pub(super) message_size: usize,
    pub(super) limits: Limits,
    pub(super) deadlines: Deadlines,
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
            .add_service(HealthServer::new(self.health.clone()).max_decoding_message_size(SMALL_MESSAGE))
            .add_service(self.proxies.service(self.message_size))
            .add_service(described().build_v1()?.max_decoding_message_size(SMALL_MESSAGE))
            .add_service(described().build_v1alpha()?.max_decoding_message_size(SMALL_MESSAGE));
        let engine = self.service.engine.clone();
        let services = services
            .routes()
            .prepare()
            .into_axum_router()
            .layer(from_fn(move |request, next| method_rights::check(engine.clone(), request, next)));
        Ok(BoxCloneSyncService::new(
            ServiceBuilder::new()
                .map_response(|response: http::Response<_>| response.map(Body::new))
                // A layer that fails with a status answers with it.
                .layer(RecoverErrorLayer::new())
                // The layers, from the outside in.
                .layer(CatchPanics)
                .map_response(|response: http::Response<_>| response.map(Body::new))
                .layer(MeasuringLayer(Arc::clone(self.service.engine.metrics())))
                .layer(self.deadlines)
                .layer(Recognising(self.recogniser.clone()))
                .layer(Admitting { limits: self.limits.clone() })
                .service(with_console(Routes::from(services), self.recogniser.clone())),
        ))
    }
}

/// The contract's description, for the two versions of the reflection protocol: current tools use v1, older ones v1alpha.
fn described() -> tonic_reflection::server::Builder<'static> {
    tonic_reflection::server::Builder::configure().register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
}
