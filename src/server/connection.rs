//! One connection, from its first byte to its last.
//!
//! Promises that a connection says soon what it wants, tells its client to go when it is old or the gate leaves, and lets what
//! is under way finish. Knows nothing of what is asked over it.

use super::hello::{self, Protocol, Said};
use super::newcomers::Newcomers;
use super::peer::Peer;
use super::stack::Answering;
use super::tls::Tls;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use std::hash::{BuildHasher, RandomState};
use std::pin::pin;
use std::time::Duration;
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tonic::body::Body;
use tonic::codegen::StdError;
use tonic::codegen::http::Request;
use tower::ServiceExt;

/// How long a connection may take to agree on keys, and then again to say what it speaks.
const INTRODUCTION: Duration = Duration::from_secs(10);

/// How long the headers of a request of HTTP/1 may take; a connection without a request ends after as long.
const HEADERS: Duration = Duration::from_secs(30);

/// The longest list of headers: a token of 8 KiB and what proxies add have room in it.
const HEADER_BYTES: u32 = 32 << 10;

/// How often a quiet connection is probed, and how long it may stay silent then.
const KEEPALIVE: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(10));

/// Requests that one connection may have open at once.
const STREAMS: u32 = 256;

/// How connections are served.
#[derive(Clone)]
pub(super) struct Serving {
    answering: Answering,
    newcomers: Newcomers,
    age: Option<Duration>,
    /// How much longer than its age a connection may live for what is under way.
    tail: Duration,
    leaving: watch::Receiver<bool>,
    http1: Builder<TokioExecutor>,
    http2: Builder<TokioExecutor>,
}

/// A request that no layer and no service made a response of.
#[derive(Debug, Error)]
#[error("a request was not answered: {0}")]
struct Unanswered(StdError);

/// Tells the feeds of a connection that it is to end. In the extensions of every request.
#[derive(Debug, Clone)]
pub(super) struct Retiring(watch::Receiver<bool>);

impl Retiring {
    /// Resolves when the connection is old enough to go.
    pub(super) async fn wait(&mut self) {
        if self.0.wait_for(|retiring| *retiring).await.is_err() {
            // The connection is gone, and with it whoever could be told.
            std::future::pending::<()>().await;
        }
    }
}

impl Serving {
    /// `age` is zero for connections of any age, and `longest` what the longest request takes. All end when `leaving` says so.
    pub(super) fn new(
        answering: Answering,
        newcomers: Newcomers,
        age: Duration,
        longest: Duration,
        leaving: watch::Receiver<bool>,
    ) -> Self {
        let mut http = Builder::new(TokioExecutor::new());
        http.http1().timer(TokioTimer::new()).header_read_timeout(HEADERS);
        http.http2()
            .timer(TokioTimer::new())
            .keep_alive_interval(KEEPALIVE.0)
            .keep_alive_timeout(KEEPALIVE.1)
            .max_concurrent_streams(STREAMS)
            .max_header_list_size(HEADER_BYTES);
        Self {
            answering,
            newcomers,
            age: Some(age).filter(|age| !age.is_zero()),
            tail: longest.saturating_add(Duration::from_secs(60)),
            leaving,
            http1: http.clone().http1_only(),
            http2: http.http2_only(),
        }
    }

    /// Serves a connection that is to be encrypted.
    pub(super) async fn encrypted(self, connection: TcpStream, peer: Peer, tls: Tls) {
        let mut place = self.newcomers.enter();
        let agreeing = tokio::time::timeout(INTRODUCTION, tls.acceptor().accept(connection));
        let agreed = tokio::select! {
            agreed = agreeing => agreed,
            () = place.lost() => return,
        };
        drop(place);
        match agreed {
            Ok(Ok(connection)) => {
                let peer = peer.showing(connection.get_ref().1.peer_certificates());
                self.plain(connection, peer).await;
            }
            Ok(Err(error)) => tracing::debug!(?peer, %error, "no encrypted connection came about"),
            Err(_late) => tracing::debug!(?peer, "an encrypted connection took too long to come about"),
        }
    }

    /// Serves a connection as it is.
    pub(super) async fn plain<IO>(self, connection: IO, peer: Peer)
    where
        IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut place = self.newcomers.enter();
        let heard = tokio::select! {
            heard = tokio::time::timeout(INTRODUCTION, hello::listen(connection)) => heard,
            () = place.lost() => return,
        };
        drop(place);
        let address = peer.address;
        match heard {
            Ok(Ok(Some((Protocol::Http1, said)))) => self.talk(&self.http1, said, peer).await,
            Ok(Ok(Some((Protocol::Http2, said)))) => self.talk(&self.http2, said, peer).await,
            Ok(Ok(Some((Protocol::Tls, _said)))) => {
                tracing::debug!(
                    ?address,
                    "a client encrypts where nothing is encrypted: its address begins with http"
                );
            }
            Ok(Ok(None)) => {}
            Ok(Err(error)) => {
                tracing::debug!(?address, %error, "a connection failed before it said anything")
            }
            Err(_late) => tracing::debug!(?address, "a connection said nothing for too long"),
        }
    }

    async fn talk<IO>(&self, http: &Builder<TokioExecutor>, connection: Said<IO>, peer: Peer)
    where
        IO: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let address = peer.address;
        tracing::debug!(?address, unix = peer.unix, certificate = peer.certificates.is_some(), "connected");
        let (retire, retiring) = watch::channel(false);
        let retiring = Retiring(retiring);
        let (answering, told) = (self.answering.clone(), retiring.clone());
        let answering = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer.clone());
            request.extensions_mut().insert(told.clone());
            let answer = answering.clone().oneshot(request.map(Body::new));
            async move { answer.await.map_err(Unanswered) }
        });
        let mut talking = pin!(http.serve_connection(TokioIo::new(connection), answering));
        let mut ageing = pin!(ageing(self.age));
        let mut overdue = pin!(overdue(retiring.clone(), self.tail));
        let mut leaving = self.leaving.clone();
        let (mut old, mut left) = (false, false);
        loop {
            tokio::select! {
                ended = &mut talking => {
                    if let Err(error) = ended {
                        tracing::debug!(?address, %error, "a connection failed");
                    }
                    return;
                }
                () = &mut ageing, if !old => {
                    old = true;
                    // First the connection, so that a feed that comes again finds another one.
                    talking.as_mut().graceful_shutdown();
                    retire.send_replace(true);
                }
                _gone = leaving.wait_for(|leaving| *leaving), if !left => {
                    left = true;
                    talking.as_mut().graceful_shutdown();
                }
                () = &mut overdue => {
                    tracing::debug!(?address, "an old connection did not end by itself");
                    return;
                }
            }
        }
    }
}

/// Resolves when a connection has come of age, a tenth earlier or later so that those that came together do not go together.
async fn ageing(age: Option<Duration>) {
    let Some(age) = age else { return std::future::pending().await };
    // Every state of the standard library's is seeded from randomness.
    let permille = 900_u64.saturating_add(RandomState::new().hash_one(()) % 201);
    let age = age.as_millis().saturating_mul(u128::from(permille)) / 1000;
    tokio::time::sleep(Duration::from_millis(u64::try_from(age).unwrap_or(u64::MAX))).await;
}

/// Resolves when a connection that was to end has had time for everything that can have been under way.
async fn overdue(mut retiring: Retiring, tail: Duration) {
    retiring.wait().await;
    tokio::time::sleep(tail).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{ClientAuth, TlsSettings, TlsVersion};
    use crate::gate::Moment;
    use crate::server::certificates::PROTOCOLS;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
    use std::sync::Arc;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, UnixStream};
    use tonic::codegen::http::Response;
    use tower::util::BoxCloneSyncService;

    /// Answers every request with who asks.
    fn telling() -> Serving {
        let (stays, leaving) = watch::channel(false);
        let stays = Arc::new(stays);
        let answering = BoxCloneSyncService::new(tower::service_fn(move |request: Request<Body>| {
            // A gate that is gone serves nobody.
            let stays = Arc::clone(&stays);
            async move {
                assert!(!*stays.borrow());
                let peer = request.extensions().get::<Peer>().expect("every request has it").clone();
                let text = format!(
                    "address {:?}, unix {}, certificates {:?}\n",
                    peer.address.map(|address| address.ip().to_string()),
                    peer.unix,
                    peer.certificates.map(|shown| shown.len())
                );
                Ok::<_, StdError>(Response::new(Body::new(text)))
            }
        }));
        let newcomers = Newcomers::at_most(8);
        Serving::new(answering, newcomers, Duration::ZERO, Duration::ZERO, leaving)
    }

    async fn asked<IO: AsyncRead + AsyncWrite + Unpin>(mut connection: IO) -> String {
        connection.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").await.unwrap();
        let mut answer = String::new();
        connection.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn every_request_knows_its_peer_on_every_kind_of_connection() {
        let (client, server) = UnixStream::pair().unwrap();
        let serving = tokio::spawn(telling().plain(server, Peer::over_unix()));
        let answer = asked(client).await;
        assert!(answer.contains("address None, unix true, certificates None"), "{answer}");
        serving.await.unwrap();

        // An IPv4 client of an IPv6 listener is one of IPv4.
        let mapped = Peer::over_tcp("[::ffff:127.0.0.1]:9".parse().unwrap());
        assert_eq!(mapped.address, Some("127.0.0.1:9".parse().unwrap()));
        let (client, server) = UnixStream::pair().unwrap();
        let serving = tokio::spawn(telling().plain(server, mapped));
        let answer = asked(client).await;
        assert!(answer.contains("address Some(\"127.0.0.1\"), unix false, certificates None"), "{answer}");
        serving.await.unwrap();

        let folder = tempfile::tempdir().unwrap();
        let made = rcgen::generate_simple_self_signed(["gate.test".to_owned()]).unwrap();
        let place = |name: &str| folder.path().join(name);
        for name in ["crt", "ca"] {
            std::fs::write(place(name), made.cert.pem()).unwrap();
        }
        std::fs::write(place("key"), made.signing_key.serialize_pem()).unwrap();
        let settings = TlsSettings {
            certificate: place("crt"),
            key: place("key"),
            client_ca: Some(place("ca")),
            client_auth: ClientAuth::Optional,
            min_version: TlsVersion::Tls12,
        };
        let (tls, _following) = Tls::load(&settings, Moment(0)).unwrap();
        let own: CertificateDer<'static> = made.cert.der().clone();
        let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
        let mut roots = rustls::RootCertStore::empty();
        roots.add(own.clone()).unwrap();
        let client = rustls::ClientConfig::builder().with_root_certificates(roots);
        let shows = client.clone().with_client_auth_cert(vec![own], key).unwrap();
        for (mut client, expected) in [(shows, "Some(1)"), (client.with_no_client_auth(), "None")] {
            client.alpn_protocols = vec![PROTOCOLS[1].to_vec()];
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let plain = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let (server, address) = listener.accept().await.unwrap();
            let serving = tokio::spawn(telling().encrypted(server, Peer::over_tcp(address), tls.clone()));
            let connector = tokio_rustls::TlsConnector::from(Arc::new(client));
            let name = ServerName::try_from("gate.test").unwrap();
            let answer = asked(connector.connect(name, plain).await.unwrap()).await;
            let expected = format!("address Some(\"127.0.0.1\"), unix false, certificates {expected}");
            assert!(answer.contains(&expected), "{answer}");
            serving.await.unwrap();
        }
    }
}
