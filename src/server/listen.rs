//! Listening, serving and shutting down.
//!
//! Promises that addresses are bound before `start` returns, that a Unix socket of a dead process is replaced and one of a
//! living process is not, and that shutting down ends within the configured time.

use super::auth::Recogniser;
use super::health::Health;
use super::service::Service;
use super::stack::Stack;
use crate::config::ServerSettings;
use crate::session::Engine;
use std::future::Future;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, UnixListener, UnixStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio_stream::wrappers::UnixListenerStream;
use tonic::transport::server::TcpIncoming;

/// Why the gate does not listen.
#[derive(Debug, Error)]
pub enum StartError {
    /// Only this machine may be listened on, as long as there is no access control.
    #[error(
        "{0} is not a loopback address; without access control the gate listens on this machine alone: use 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    /// There is neither an address nor a socket.
    #[error("nothing to listen on: configure server.listen or server.socket")]
    Nowhere,
    /// The address cannot be bound.
    #[error(
        "cannot listen on {address}: {source}; is another gate running? Choose another address with --listen"
    )]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: std::io::Error,
    },
    /// The socket cannot be bound.
    #[error("cannot listen on the socket {path}: {source}")]
    Socket {
        /// The path.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Another process answers on the socket.
    #[error("another process listens on the socket {path}; stop it, or choose another path")]
    SocketInUse {
        /// The path.
        path: PathBuf,
    },
    /// The contract's own description cannot be served.
    #[error("the reflection service cannot be built: {0}")]
    Reflection(String),
}

/// A gate that listens.
#[derive(Debug)]
pub struct Running {
    engine: Engine,
    address: Option<SocketAddr>,
    socket: Option<PathBuf>,
    drain: watch::Sender<bool>,
    serving: JoinSet<Result<(), tonic::transport::Error>>,
    drain_timeout: Duration,
}

/// Binds the configured addresses and serves the gate on them.
///
/// # Errors
/// An address or socket that cannot be bound, or that others could reach.
pub async fn start(engine: Engine, settings: &ServerSettings) -> Result<Running, StartError> {
    let (drain, draining) = watch::channel(false);
    let limit = settings.max_concurrent_requests;
    let service = Service {
        max_wait: settings.max_wait,
        heartbeat: settings.heartbeat,
        limit,
        permits: Arc::new(Semaphore::new(
            usize::try_from(limit).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS),
        )),
        draining: draining.clone(),
        started_at: engine.now(),
        engine: engine.clone(),
    };
    let message_size = usize::try_from(settings.max_message_size).unwrap_or(usize::MAX);
    let health = Health::watch(Arc::clone(engine.store()), draining.clone());
    let recogniser = Recogniser::start(engine.clone(), draining.clone()).await;
    let stack = Stack { service, health, recogniser, message_size };
    let router = || stack.router().map_err(|error| StartError::Reflection(error.to_string()));
    engine.await_watchers();
    let mut serving = JoinSet::new();
    let mut address = None;
    if let Some(wanted) = settings.listen {
        let listener = bind(wanted).await?;
        address = listener.local_addr().ok();
        let stop = stopped(draining.clone());
        serving.spawn(router()?.serve_with_incoming_shutdown(prompt(listener), stop));
    }
    let mut socket = None;
    if let Some(path) = &settings.socket {
        let listener = bind_socket(path).await?;
        socket = Some(path.clone());
        let stop = stopped(draining.clone());
        serving.spawn(router()?.serve_with_incoming_shutdown(UnixListenerStream::new(listener), stop));
    }
    if serving.is_empty() {
        return Err(StartError::Nowhere);
    }
    Ok(Running { engine, address, socket, drain, serving, drain_timeout: settings.drain_timeout })
}

async fn bind(address: SocketAddr) -> Result<TcpListener, StartError> {
    if !address.ip().is_loopback() {
        return Err(StartError::NotLoopback(address));
    }
    TcpListener::bind(address).await.map_err(|source| StartError::Address { address, source })
}

/// The connections of a listener. A response goes out in several small writes: unless each is sent at once, the second waits
/// until the caller's system acknowledges the first, for which it takes its time: 40 ms on Linux.
fn prompt(listener: TcpListener) -> TcpIncoming {
    TcpIncoming::from(listener).with_nodelay(Some(true))
}

async fn bind_socket(path: &Path) -> Result<UnixListener, StartError> {
    let failed = |source| StartError::Socket { path: path.to_owned(), source };
    if let Ok(found) = std::fs::symlink_metadata(path) {
        if !found.file_type().is_socket() {
            let source =
                std::io::Error::new(std::io::ErrorKind::AlreadyExists, "there is a file that is no socket");
            return Err(failed(source));
        }
        if UnixStream::connect(path).await.is_ok() {
            return Err(StartError::SocketInUse { path: path.to_owned() });
        }
        // Nobody answers: a process that died left it behind.
        std::fs::remove_file(path).map_err(failed)?;
    }
    let listener = UnixListener::bind(path).map_err(failed)?;
    // The file's mode is the access control of a socket: its owner alone.
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(failed)?;
    Ok(listener)
}

async fn stopped(mut draining: watch::Receiver<bool>) {
    // An error means that the gate itself is gone, which ends serving too.
    let _gone = draining.wait_for(|draining| *draining).await;
}

impl Running {
    /// The address that is listened on, with the port that was found where port 0 was asked for.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.address
    }

    /// The Unix socket that is listened on.
    #[must_use]
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_deref()
    }

    /// Serves until `shutdown` resolves, then lets requests under way finish within the configured time.
    ///
    /// # Errors
    /// Serving failed before it was asked to end.
    pub async fn stopped(
        mut self,
        shutdown: impl Future<Output = ()>,
    ) -> Result<(), tonic::transport::Error> {
        tokio::select! {
            () = shutdown => {}
            Some(Ok(ended)) = self.serving.join_next() => ended?,
        }
        self.engine.leave_halts_open();
        self.drain.send_replace(true);
        let drained = async { while self.serving.join_next().await.is_some() {} };
        if tokio::time::timeout(self.drain_timeout, drained).await.is_err() {
            tracing::warn!("some requests did not end in time and are cut off; what was decided is durable");
            self.serving.abort_all();
        }
        if let Some(path) = &self.socket
            && let Err(error) = std::fs::remove_file(path)
        {
            tracing::warn!(%error, path = %path.display(), "the socket could not be removed");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpStream;
    use tokio_stream::StreamExt;

    #[tokio::test]
    async fn no_answer_waits_for_an_earlier_one_to_be_acknowledged() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let accepted = std::pin::pin!(prompt(listener)).next().await.unwrap().unwrap();
        assert!(accepted.nodelay().unwrap());
    }
}
