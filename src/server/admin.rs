//! The admin port: metrics, probes and the log level, over plain HTTP on an address of its own.
//!
//! Promises that a probe tells whether to ask this gate and never waits for the store, that what changes something or shows the
//! policy is answered to this machine alone, and that a caller who says nothing is hung up on. Nothing here is a secret; nothing
//! here decides. Knows nothing of gRPC.

use crate::config::LogLevel;
use crate::session::Engine;
use crate::store::Health;
use axum::body::Body;
use axum::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HOST, ORIGIN};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, Uri};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::fmt::Debug;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

/// Connections at once: a scraper, a probe and a few people.
const CONNECTIONS: usize = 64;

/// How long a caller may take to say what it wants.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a connection may last.
const LONGEST: Duration = Duration::from_secs(60);

/// How long to wait after a connection could not be accepted, which is when the process has too many open files.
const BREATH: Duration = Duration::from_millis(100);

/// The longest word that a level may be, with blanks around it.
const LONGEST_LEVEL: usize = 64;

const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";
const METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// How much is logged, as long as the process lives.
pub trait LogSwitch: Debug + Send + Sync {
    /// The level in force.
    fn level(&self) -> LogLevel;

    /// Logs as much from now on.
    ///
    /// # Errors
    /// Log lines are not written by this process.
    fn set(&self, level: LogLevel) -> Result<(), String>;
}

/// What the admin port tells of.
#[derive(Debug, Clone)]
pub struct Desk {
    /// The gate.
    pub engine: Engine,
    /// Becomes true when the gate shuts down.
    pub draining: watch::Receiver<bool>,
    /// How much is logged.
    pub log: Arc<dyn LogSwitch>,
}

/// An admin port that is listened on, until it is dropped.
#[derive(Debug)]
pub struct Admin {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl Admin {
    /// Binds the address and serves it.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub async fn start(address: SocketAddr, desk: Desk) -> std::io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        Ok(Self { address, task: tokio::spawn(accept(listener, desk)) })
    }

    /// The address that is listened on, with the port that was found where port 0 was asked for.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Admin {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn accept(listener: TcpListener, desk: Desk) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let mut connections = tokio::task::JoinSet::new();
    loop {
        // Whoever finds no place waits in the system's queue.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, peer)) => {
                let desk = desk.clone();
                connections.spawn(async move {
                    serve(stream, peer.ip(), desk).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::debug!(%error, "a connection to the admin port was not accepted");
                tokio::time::sleep(BREATH).await;
            }
        }
        // Those that ended are let go of.
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, peer: IpAddr, desk: Desk) {
    let answer = service_fn(|request| {
        let desk = desk.clone();
        async move { Ok::<_, Infallible>(desk.answer(peer, request).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(stream), answer);
    match tokio::time::timeout(LONGEST, connection).await {
        Ok(Ok(())) | Err(_) => {}
        Ok(Err(error)) => tracing::debug!(%error, "a connection to the admin port broke"),
    }
}

/// What is there, by path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Metrics,
    Ready,
    Live,
    Version,
    Config,
    LogLevel,
}

impl Page {
    fn at(path: &str) -> Option<Self> {
        Some(match path {
            "/metrics" => Self::Metrics,
            "/ready" => Self::Ready,
            "/live" => Self::Live,
            "/version" => Self::Version,
            "/config" => Self::Config,
            "/log-level" => Self::LogLevel,
            _ => return None,
        })
    }

    /// What may be done with it.
    fn methods(self) -> &'static str {
        match self {
            Self::Metrics | Self::Ready | Self::Live | Self::Version | Self::Config => "GET, HEAD",
            Self::LogLevel => "GET, HEAD, PUT",
        }
    }

    /// It is for this machine alone.
    fn is_private(self) -> bool {
        match self {
            Self::Config | Self::LogLevel => true,
            Self::Metrics | Self::Ready | Self::Live | Self::Version => false,
        }
    }
}

impl Desk {
    async fn answer(&self, peer: IpAddr, request: Request<Incoming>) -> Response<Body> {
        let Some(page) = Page::at(request.uri().path()) else {
            let known = "there is /metrics, /ready, /live, /version, /config and /log-level\n";
            return text(StatusCode::NOT_FOUND, known);
        };
        if page.is_private()
            && let Err(why) = is_from_here(peer, request.uri(), request.headers())
        {
            return text(StatusCode::FORBIDDEN, why);
        }
        match (page, request.method()) {
            (Page::LogLevel, &Method::PUT) => self.set_level(request).await,
            (_, &Method::GET | &Method::HEAD) => self.show(page).await,
            (_, _) => {
                let mut refusal = text(StatusCode::METHOD_NOT_ALLOWED, "this cannot be done here\n");
                refusal.headers_mut().insert(ALLOW, HeaderValue::from_static(page.methods()));
                refusal
            }
        }
    }

    async fn show(&self, page: Page) -> Response<Body> {
        let ok = StatusCode::OK;
        match page {
            Page::Metrics => {
                let observed = self.engine.observe().await;
                response(ok, METRICS, self.engine.metrics().render(&observed))
            }
            Page::Ready => match self.why_not() {
                None => text(ok, "ready\n"),
                Some(why) => text(StatusCode::SERVICE_UNAVAILABLE, why),
            },
            Page::Live => text(ok, "alive\n"),
            Page::Version => {
                let version = serde_json::json!({ "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") });
                response(ok, JSON, format!("{version}\n"))
            }
            Page::Config => {
                let policies = self.engine.policies();
                response(ok, JSON, format!("{:#}\n", policies.configuration().shown()))
            }
            Page::LogLevel => text(ok, format!("{}\n", self.log.level().as_str())),
        }
    }

    /// Why this gate should not be asked at the moment. The policy is there since the gate started, or it would not have.
    fn why_not(&self) -> Option<&'static str> {
        if *self.draining.borrow() {
            return Some("not ready: the gate is shutting down\n");
        }
        match self.engine.store().health() {
            Health::Available => None,
            // What the database says of it is in the log.
            Health::Unavailable { .. } => Some("not ready: the store cannot write\n"),
            Health::Closed => Some("not ready: the store is closed\n"),
        }
    }

    async fn set_level(&self, request: Request<Incoming>) -> Response<Body> {
        let body =
            axum::body::to_bytes(Body::new(request.into_body()), LONGEST_LEVEL).await.unwrap_or_default();
        let level = std::str::from_utf8(&body).ok().and_then(|word| LogLevel::parse(word.trim()));
        let Some(level) = level else {
            let names = LogLevel::ALL.map(LogLevel::as_str).join(", ");
            return text(StatusCode::BAD_REQUEST, format!("the body must be one of {names}\n"));
        };
        match self.log.set(level) {
            Ok(()) => {
                tracing::warn!(level = level.as_str(), "the log level was changed over the admin port");
                text(StatusCode::OK, format!("{}\n", level.as_str()))
            }
            Err(why) => text(StatusCode::CONFLICT, format!("{why}\n")),
        }
    }
}

/// Whether a request comes from this machine, and from no web page.
///
/// A page of another site that has its name point here sends that name as the host, and every page that changes something says
/// where it comes from.
fn is_from_here(peer: IpAddr, target: &Uri, headers: &HeaderMap) -> Result<(), &'static str> {
    if !peer.to_canonical().is_loopback() {
        return Err("this is answered to the machine that the gate runs on alone\n");
    }
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().and_then(|host| host.to_str().ok()?.parse::<Authority>().ok());
    let here = host.filter(|_| hosts.next().is_none()).is_some_and(|host| is_loopback_name(host.host()));
    // A request in the form that proxies are sent names its host twice, and the first one counts.
    if !here || target.host().is_some_and(|host| !is_loopback_name(host)) {
        return Err("this is answered under a loopback address or localhost alone\n");
    }
    if headers.contains_key(ORIGIN) {
        return Err("this is not answered to web pages\n");
    }
    Ok(())
}

fn is_loopback_name(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    bare.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback())
}

fn text(status: StatusCode, body: impl Into<String>) -> Response<Body> {
    response(status, TEXT, body.into())
}

fn response(status: StatusCode, kind: &'static str, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(peer: &str, headers: &[(&'static str, &'static str)]) -> bool {
        asked_of(peer, "/config", headers)
    }

    fn asked_of(peer: &str, target: &'static str, headers: &[(&'static str, &'static str)]) -> bool {
        let mut all = HeaderMap::new();
        for (name, value) in headers {
            all.append(*name, HeaderValue::from_static(value));
        }
        is_from_here(peer.parse().unwrap(), &Uri::from_static(target), &all).is_ok()
    }

    #[test]
    fn what_is_private_is_answered_to_this_machine_under_its_own_name() {
        for host in ["127.0.0.1:7558", "localhost", "LOCALHOST:1", "[::1]:7558", "127.8.8.8"] {
            assert!(asked("127.0.0.1", &[("host", host)]), "{host}");
        }
        let local = [("host", "localhost")];
        assert!(asked_of("127.0.0.1", "http://[::1]:7558/config", &local));
        assert!(!asked_of("127.0.0.1", "http://evil.example/config", &local), "the host that counts");
        for (peer, headers) in [
            ("10.0.0.7", vec![("host", "127.0.0.1")]),
            ("::ffff:10.0.0.7", vec![("host", "localhost")]),
            ("127.0.0.1", vec![("host", "evil.example:7558")]),
            ("127.0.0.1", vec![("host", "localhost.evil.example")]),
            ("127.0.0.1", vec![("host", "10.0.0.7")]),
            ("127.0.0.1", vec![]),
            ("127.0.0.1", vec![("host", "localhost"), ("host", "evil.example")]),
            ("127.0.0.1", vec![("host", "localhost"), ("origin", "http://localhost:7558")]),
            ("127.0.0.1", vec![("host", "localhost"), ("origin", "null")]),
        ] {
            assert!(!asked(peer, &headers), "{peer} {headers:?}");
        }
    }
}
