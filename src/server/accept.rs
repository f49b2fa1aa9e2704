//! Accepting connections.
//!
//! Promises that no client keeps the next one waiting, that no more connections are open than the gate bears, and that those of
//! a listener end with it. Knows nothing of what is said over a connection.

use super::connection::Serving;
use super::peer::Peer;
use super::tls::Tls;
use std::future::Future;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::{TcpListener, TcpStream, UnixListener};
use tokio::sync::{Semaphore, watch};
use tokio::task::{JoinError, JoinSet};
use tokio_stream::wrappers::UnixListenerStream;
use tokio_stream::{Stream, StreamExt};
use tonic::transport::server::TcpIncoming;

/// How long to wait when the system has no room for another connection: trying at once would only burn time.
const PAUSE: Duration = Duration::from_millis(100);

/// How often the log says that connections are turned away.
const SPEAK: Duration = Duration::from_secs(60);

/// When the system begins to ask whether a quiet client is still there, and how often it asks.
const PROBES: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(15));

/// The way in, of one listener.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) serving: Serving,
    /// One for each connection that may be open, of all listeners.
    pub(super) places: Arc<Semaphore>,
    /// Becomes true when nobody may come in any more.
    pub(super) closing: watch::Receiver<bool>,
}

impl Door {
    /// Accepts until the door closes, and ends when the last connection has.
    pub(super) async fn tcp(self, listener: TcpListener, tls: Option<Tls>) {
        let serve = |serving: Serving, connection: TcpStream| {
            let peer = connection.peer_addr().map(Peer::over_tcp);
            let tls = tls.clone();
            async move {
                match (peer, tls) {
                    (Err(error), _) => tracing::debug!(%error, "a client went away at once"),
                    (Ok(peer), Some(tls)) => serving.encrypted(connection, peer, tls).await,
                    (Ok(peer), None) => serving.plain(connection, peer).await,
                }
            }
        };
        self.welcome(prompt(listener), serve).await;
    }

    /// As [`Door::tcp`], for a Unix socket.
    pub(super) async fn unix(self, listener: UnixListener) {
        let serve = |serving: Serving, connection| serving.plain(connection, Peer::over_unix());
        self.welcome(UnixListenerStream::new(listener), serve).await;
    }

    async fn welcome<IO, F>(
        mut self,
        incoming: impl Stream<Item = io::Result<IO>> + Unpin,
        serve: impl Fn(Serving, IO) -> F,
    ) where
        IO: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut connections = JoinSet::new();
        self.let_in(incoming, serve, &mut connections).await;
        // The listener is gone: others may listen where it did.
        while let Some(ended) = connections.join_next().await {
            speak_of(ended);
        }
    }

    async fn let_in<IO, F>(
        &mut self,
        mut incoming: impl Stream<Item = io::Result<IO>> + Unpin,
        serve: impl Fn(Serving, IO) -> F,
        connections: &mut JoinSet<()>,
    ) where
        IO: Send + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        let mut trouble = Trouble::default();
        loop {
            let connection = tokio::select! {
                biased;
                _gone = self.closing.wait_for(|closing| *closing) => return,
                Some(ended) = connections.join_next() => {
                    speak_of(ended);
                    continue;
                }
                connection = incoming.next() => connection,
            };
            match connection {
                None => return,
                Some(Err(error)) if is_of_the_client(&error) => {}
                Some(Err(error)) => {
                    trouble.speak(|| tracing::error!(%error, "a connection cannot be accepted"));
                    tokio::time::sleep(PAUSE).await;
                }
                Some(Ok(connection)) => match Arc::clone(&self.places).try_acquire_owned() {
                    Ok(place) => {
                        let serving = serve(self.serving.clone(), connection);
                        connections.spawn(async move {
                            serving.await;
                            drop(place);
                        });
                    }
                    Err(_full) => trouble.speak(|| {
                        tracing::warn!(
                            "connections are turned away: as many are open as server.max_connections allows"
                        );
                    }),
                },
            }
        }
    }
}

/// The connections of a listener. A response goes out in several small writes: unless each is sent at once, the second waits
/// until the caller's system acknowledges the first, for which it takes its time: 40 ms on Linux.
fn prompt(listener: TcpListener) -> TcpIncoming {
    TcpIncoming::from(listener)
        .with_nodelay(Some(true))
        .with_keepalive(Some(PROBES.0))
        .with_keepalive_interval(Some(PROBES.1))
}

/// Whether accepting failed because the client had gone already.
fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionRefused
    )
}

fn speak_of(ended: Result<(), JoinError>) {
    if let Err(error) = ended
        && error.is_panic()
    {
        tracing::error!(%error, "a connection ended by a defect of the gate");
    }
}

/// Something that lasts, and is spoken of now and then.
#[derive(Default)]
struct Trouble {
    spoken: Option<Instant>,
}

impl Trouble {
    fn speak(&mut self, say: impl FnOnce()) {
        if self.spoken.is_none_or(|spoken| spoken.elapsed() >= SPEAK) {
            self.spoken = Some(Instant::now());
            say();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn no_answer_waits_for_an_earlier_one_to_be_acknowledged() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let accepted = std::pin::pin!(prompt(listener)).next().await.unwrap().unwrap();
        assert!(accepted.nodelay().unwrap());
    }
}
