//! Shutting down, step by step.
//!
//! Promises that the gate first says that it leaves, then takes nothing new, then lets what is under way finish, and that all of
//! it ends within the configured times whatever a client does. Knows nothing of what is under way.

use super::socket::SocketFile;
use crate::session::Engine;
use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::{JoinError, JoinSet};

/// The two announcements of a gate that leaves.
#[derive(Debug)]
pub(super) struct Leaving {
    /// Becomes true when balancers are to send no more: health says so.
    pub(super) announced: watch::Sender<bool>,
    /// Becomes true when nothing new is taken.
    pub(super) draining: watch::Sender<bool>,
}

impl Leaving {
    pub(super) fn not_yet() -> Self {
        Self { announced: watch::Sender::new(false), draining: watch::Sender::new(false) }
    }
}

/// How long the steps may take.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub(super) lame_duck: Duration,
    pub(super) drain: Duration,
}

/// Serving ended though nobody asked for it.
#[derive(Debug, Error)]
#[error("a listener ended by a defect of the gate: {0}")]
pub struct ServeError(#[from] JoinError);

/// A gate that listens.
#[derive(Debug)]
pub struct Running {
    pub(super) engine: Engine,
    pub(super) addresses: Vec<SocketAddr>,
    pub(super) encrypted: bool,
    pub(super) socket: Option<SocketFile>,
    pub(super) leaving: Leaving,
    /// The listeners, each of which ends after its last connection.
    pub(super) listeners: JoinSet<()>,
    /// What goes on beside them until the end.
    pub(super) beside: JoinSet<()>,
    pub(super) patience: Patience,
}

impl Running {
    /// The first address that is listened on, with the port that was found where port 0 was asked for.
    #[must_use]
    pub fn address(&self) -> Option<SocketAddr> {
        self.addresses.first().copied()
    }

    /// Every address that is listened on.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Whether connections to the addresses are encrypted.
    #[must_use]
    pub fn encrypted(&self) -> bool {
        self.encrypted
    }

    /// The Unix socket that is listened on.
    #[must_use]
    pub fn socket(&self) -> Option<&Path> {
        self.socket.as_ref().map(SocketFile::path)
    }

    /// Becomes true when the gate leaves and is to be sent nothing more.
    #[must_use]
    pub fn leaving(&self) -> watch::Receiver<bool> {
        self.leaving.announced.subscribe()
    }

    /// Serves until `shutdown` resolves, and then leaves: says so, goes on for a moment, and lets requests under way finish
    /// within the configured time.
    ///
    /// # Errors
    /// Serving failed before it was asked to end.
    pub async fn stopped(mut self, shutdown: impl Future<Output = ()>) -> Result<(), ServeError> {
        let failed = tokio::select! {
            () = shutdown => None,
            Some(ended) = self.listeners.join_next() => ended.err(),
        };
        self.leaving.announced.send_replace(true);
        if failed.is_none() && !self.patience.lame_duck.is_zero() {
            tracing::info!(lame_duck = ?self.patience.lame_duck, "leaving: requests are still taken, health says to send no more");
            tokio::time::sleep(self.patience.lame_duck).await;
        }
        self.engine.leave_halts_open();
        // Feeds end with a hint, held requests are answered as they stand, new ones are refused, listeners and connections end.
        self.leaving.draining.send_replace(true);
        // Before the connections end, so that the next gate can be reached where this one was.
        self.socket = None;
        let drained = async { while self.listeners.join_next().await.is_some() {} };
        if tokio::time::timeout(self.patience.drain, drained).await.is_err() {
            tracing::warn!("some requests did not end in time and are cut off; what was decided is durable");
            // The connections of a listener end with it.
            self.listeners.shutdown().await;
        }
        self.beside.shutdown().await;
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}
