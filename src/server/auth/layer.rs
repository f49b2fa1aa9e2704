//! What every request goes through: it is its caller's, or it goes no further.

use super::Recogniser;
use super::credentials::Credentials;
use super::ending::ending;
use super::rejection::Rejection;
use super::standing::Standing;
use crate::access::Caller;
use crate::config::TrustedProxies;
use crate::server::console;
use crate::server::peer::Peer;
use crate::server::status::{credentials_invalid, credentials_missing};
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{Extensions, Response};
use axum::middleware::Next;
use std::sync::Arc;
use tonic::Status;
use tonic::transport::server::{TcpConnectInfo, UdsConnectInfo};

/// Services that need no credentials: a probe has none, and the contract's description is no secret.
const OPEN: [&str; 3] = [
    "/grpc.health.v1.Health/",
    "/grpc.reflection.v1.ServerReflection/",
    "/grpc.reflection.v1alpha.ServerReflection/",
];

/// Recognises the caller of a request and puts `Arc<Caller>` into its extensions, for as long as its credentials hold.
pub(in crate::server) async fn recognise(
    State(recogniser): State<Recogniser>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let path = request.uri().path();
    if OPEN.iter().any(|service| path.starts_with(service)) || console::is_file(path) {
        return next.run(request).await;
    }
    // Nobody but this layer says who calls.
    request.extensions_mut().remove::<Arc<Caller>>();
    let Some(known) = &recogniser.inner.known else {
        request.extensions_mut().insert(Arc::clone(&recogniser.inner.local));
        return next.run(request).await;
    };
    let changes = recogniser.inner.changes.subscribe();
    let peer = peer(request.extensions());
    let credentials = {
        let known = known.load();
        let proxies: &TrustedProxies = &known.settings().trusted_proxies;
        Credentials::of(request.headers(), &peer, proxies)
    };
    let found = match credentials {
        Ok(credentials) => {
            recogniser.whose(&credentials, true).await.map(|recognised| (credentials, recognised))
        }
        Err(rejection) => Err(rejection),
    };
    let (credentials, recognised) = match found {
        Ok(found) => found,
        Err(rejection) => {
            recogniser.inner.log.note(&rejection, request.uri().path(), &peer);
            return refused(&request, recogniser.status(&rejection));
        }
    };
    request.extensions_mut().insert(Arc::clone(&recognised.caller));
    let standing = Standing::new(recogniser, credentials, recognised, changes);
    let mut ended = Box::pin(standing.ended());
    let web = content_type(&request);
    let handling = next.run(request);
    tokio::select! {
        biased;
        response = handling => ending(response, ended, credentials_invalid),
        () = &mut ended => refusal(web, credentials_invalid()),
    }
}

impl Recogniser {
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
            | Rejection::Forwarded
            | Rejection::IdentityUnknown { .. } => credentials_invalid(),
        }
    }
}

/// Who is at the other end.
fn peer(extensions: &Extensions) -> Peer {
    if let Some(peer) = extensions.get::<Peer>() {
        return peer.clone();
    }
    let address = extensions.get::<TcpConnectInfo>().and_then(TcpConnectInfo::remote_addr);
    match (address, extensions.get::<UdsConnectInfo>()) {
        (Some(address), _) => Peer::over_tcp(address),
        (None, Some(_)) => Peer::over_unix(),
        // A connection of no known kind is from nowhere near.
        (None, None) => Peer { address: None, unix: false, certificates: None },
    }
}

/// The form of gRPC-Web that a request has, if it has one.
fn content_type(request: &Request) -> Option<axum::http::HeaderValue> {
    let kind = request.headers().get(CONTENT_TYPE)?;
    kind.as_bytes().starts_with(b"application/grpc-web").then(|| kind.clone())
}

fn refused(request: &Request, status: Status) -> Response<Body> {
    refusal(content_type(request), status)
}

/// A response that is a status alone.
fn refusal(web: Option<axum::http::HeaderValue>, status: Status) -> Response<Body> {
    let mut response: Response<Body> = status.into_http();
    if let Some(web) = web {
        response.headers_mut().insert(CONTENT_TYPE, web);
    }
    response
}
