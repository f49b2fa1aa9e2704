//! A second front: proxies of the Envoy family that ask before they pass an MCP request on.
//!
//! Promises that a request which holds a tool call, or could be read as one, passes only when the gate approved every call in
//! it; whatever goes wrong is a refusal. Knows nothing of how a call is decided: that is the engine's.

mod inspect;
mod judging;
mod questions;
mod reply;

use super::deadline::Deadline;
use super::demand::Demand;
use super::limits::Admission;
use super::permission::{self, Attempt};
use crate::access::{Caller, Operation};
use crate::mcp::{Posted, Repeated};
use crate::proto::ext_authz as envoy;
use crate::session::Engine;
use envoy::authorization_server::{Authorization, AuthorizationServer};
use inspect::{Inspected, Place, Refusal};
use judging::Patience;
use questions::Questions;
use std::sync::Arc;
use tokio::sync::watch;
use tonic::{Request, Response, Status};

/// The service over a live gate. Every listener of a gate serves a clone of the one.
#[derive(Debug, Clone)]
pub(super) struct Proxies {
    engine: Engine,
    /// Becomes true when the gate shuts down.
    draining: watch::Receiver<bool>,
    questions: Arc<Questions>,
}

impl Proxies {
    pub(super) fn new(engine: Engine, draining: watch::Receiver<bool>) -> Self {
        Self { engine, draining, questions: Arc::default() }
    }

    /// The gRPC service, for messages of at most so many bytes.
    pub(super) fn service(&self, message_size: usize) -> AuthorizationServer<Self> {
        AuthorizationServer::new(self.clone()).max_decoding_message_size(message_size)
    }
}

impl Proxies {
    /// Whether a proxy may have calls decided where a request goes. That it may not is a refusal like any other: an error might
    /// let the request pass, where the proxy is set up so.
    async fn may_ask(&self, proxy: &Arc<Caller>, place: &Place) -> Result<(), Refusal> {
        let (project, session) = (place.project.clone(), place.session.clone());
        let demand = Demand { operation: Operation::Decide, project, session };
        let checked = permission::check(proxy, &demand);
        let attempt = Attempt { demand, caller: Arc::clone(proxy) };
        let noted = attempt.noted(&self.engine, checked).await;
        noted.map_err(|status| Refusal {
            status: 403,
            message: format!("the proxy itself: {}", status.message()),
            blamed: String::new(),
        })
    }
}

#[tonic::async_trait]
impl Authorization for Proxies {
    async fn check(
        &self,
        request: Request<envoy::CheckRequest>,
    ) -> Result<Response<envoy::CheckResponse>, Status> {
        let policies = self.engine.policies();
        let settings = policies.configuration().ext_authz();
        if !settings.enabled {
            return Err(Status::unimplemented("proxies may not ask here: ext_authz.enabled is false"));
        }
        let admission = Admission::find(request.extensions())?;
        let proxy = permission::caller(request.extensions())?;
        let deadline = request.extensions().get::<Deadline>().cloned();
        let check = request.into_inner();
        let http = check.attributes.as_ref().and_then(|all| all.request.as_ref()?.http.as_ref());
        let strip = http.map(inspect::stripped).unwrap_or_default();
        let response = match inspect::inspect(&check, settings, self.engine.now(), &proxy.name) {
            Err(refusal) => refused(&refusal),
            Ok(Inspected::Passes) => reply::passes(strip),
            Ok(Inspected::Posted { place, body, repeated: [method, name] }) => {
                if let Err(refusal) = self.may_ask(&proxy, &place).await {
                    return Ok(Response::new(refused(&refusal)));
                }
                // What the proxy may do, under the name of whom it speaks for.
                let caller = Arc::new(Caller { name: place.caller.clone(), ..Caller::clone(&proxy) });
                match Posted::read(body, Repeated { method: method.as_deref(), name: name.as_deref() }) {
                    Err(refusal) => {
                        // Its reason quotes the message, which is for its sender alone.
                        let code = refusal.code.number();
                        tracing::info!(server = %place.server, session = %place.session, code, "an MCP message is refused; its sender is told why");
                        reply::unreadable(&refusal)
                    }
                    Ok(posted) if posted.calls().next().is_none() => reply::passes(strip),
                    Ok(posted) => {
                        let judged = self
                            .judge(
                                (&place, &caller),
                                &posted,
                                &Patience { wait: settings.wait, deadline, admission },
                            )
                            .await;
                        reply::judged(&place, &posted, judged, strip)
                    }
                }
            }
        };
        Ok(Response::new(response))
    }
}

fn refused(refusal: &Refusal) -> envoy::CheckResponse {
    tracing::info!(why = %refusal.message, "a proxied request is refused");
    reply::refused(refusal)
}
