//! What every request goes through: it is its caller's, or it goes no further.

use super::Recogniser;
use super::credentials::Credentials;
use super::ending::ending;
use super::rejection::Rejection;
use super::standing::Standing;
use crate::access::Caller;
use crate::server::console::is_file;
use crate::server::peer::Peer;
use crate::server::refusal::Protocol;
use crate::server::status::{credentials_invalid, credentials_missing};
use axum::http::{Extensions, HeaderMap, Request, Response};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

/// Services that need no credentials: a probe has none, and the contract's description is no secret.
const OPEN: [&str; 3] = [
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
];

/// The layer.
#[derive(Debug, Clone)]
pub(in crate::server) struct Recognising(pub(in crate::server) Recogniser);

/// A service whose callers are recognised.
#[derive(Debug, Clone)]
pub(in crate::server) struct Recognised<S> {
    inner: S,
    recogniser: Recogniser,
}

impl<S> Layer<S> for Recognising {
    type Service = Recognised<S>;

    fn layer(&self, inner: S) -> Self::Service {
        Recognised { inner, recogniser: self.0.clone() }
    }
}

impl<S> Service<Request<Body>> for Recognised<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        // Nobody but this layer says who calls.
        request.extensions_mut().remove::<Arc<Caller>>();
        let path = request.uri().path();
        if OPEN.iter().any(|service| path.starts_with(service)) || is_file(path) {
            return Box::pin(self.inner.call(request));
        }
        if self.recogniser.inner.known.is_none() {
            request.extensions_mut().insert(Arc::clone(&self.recogniser.inner.local));
            return Box::pin(self.inner.call(request));
        }
        // The one that is ready; the other is for the next request.
        let another = self.inner.clone();
        let ready = std::mem::replace(&mut self.inner, another);
        Box::pin(self.recogniser.clone().answer(request, ready))
    }
}

impl Recogniser {
    /// Has a request answered, whose caller stands in its extensions as `Arc<Caller>`, for as long as its credentials hold.
    async fn answer<S>(self, mut request: Request<Body>, mut service: S) -> Result<Response<Body>, S::Error>
    where
        S: Service<Request<Body>, Response = Response<Body>>,
    {
        let protocol = Protocol::of(request.headers());
        let changes = self.inner.changes.subscribe();
        let peer = peer(request.extensions());
        let recognised = match self.credentials(request.headers(), &peer) {
            Ok(credentials) => {
                self.whose(&credentials, true).await.map(|recognised| (credentials, recognised))
            }
            Err(rejection) => Err(rejection),
        };
        let (credentials, recognised) = match recognised {
            Ok(recognised) => recognised,
            Err(rejection) => {
                self.inner.log.note(&rejection, request.uri().path(), &peer);
                return Ok(protocol.refuse(self.status(&rejection)));
            }
        };
        request.extensions_mut().insert(Arc::clone(&recognised.caller));
        let mut ended = Box::pin(Standing::new(self, credentials, recognised, changes).ended());
        let answer = service.call(request);
        tokio::select! {
            biased;
            response = answer => Ok(ending(response?, ended, credentials_invalid)),
            () = &mut ended => Ok(protocol.refuse(credentials_invalid())),
        }
    }

    fn credentials(&self, headers: &HeaderMap, peer: &Peer) -> Result<Credentials, Rejection> {
        match &self.inner.known {
            Some(known) => Credentials::of(headers, peer, &known.load().settings().trusted_proxies),
            None => Ok(Credentials::None),
        }
    }

    /// What the caller learns.
    fn status(&self, rejection: &Rejection) -> Status {
        match rejection {
            Rejection::Missing => {
                let known = self.inner.known.as_ref().map(|known| known.load_full());
                credentials_missing(&known.map(|known| known.settings().accepted()).unwrap_or_default())
            }
            Rejection::TwoHeaders
            | Rejection::Header
            | Rejection::NoToken
            | Rejection::TokenUnknown { .. }
            | Rejection::TokenSecret { .. }
            | Rejection::TokenRevoked { .. }
            | Rejection::TokenExpired { .. }
            | Rejection::IssuerUnknown { .. }
            | Rejection::Jwt { .. }
            | Rejection::Unmapped { .. }
            | Rejection::Certificate
            | Rejection::CertificateExpired
            | Rejection::Forwarded
            | Rejection::IdentityUnknown { .. } => credentials_invalid(),
        }
    }
}

/// Who is at the other end. A connection that does not say so is from nowhere near.
fn peer(extensions: &Extensions) -> Peer {
    let unknown = Peer { address: None, unix: false, certificates: None };
    extensions.get::<Peer>().cloned().unwrap_or(unknown)
}
