//! Listening: from settings to a gate that serves.
//!
//! Promises that everything is bound before `start` returns, and that strangers are not served unless somebody said so.
//! Knows nothing of what is served.

use super::accept::Door;
use super::auth::Recogniser;
use super::certificates::TlsError;
use super::connection::Serving;
use super::deadline::Deadlines;
use super::drain::{Leaving, Patience, Running};
use super::ext_authz::Proxies;
use super::health::Health;
use super::limits::Limits;
use super::newcomers::Newcomers;
use super::service::Service;
use super::socket::{self, SocketError};
use super::stack::Stack;
use super::tls::Tls;
use crate::config::ServerSettings;
use crate::session::Engine;
use std::net::SocketAddr;
use std::sync::Arc;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// How many connections may be undecided at once about what they want; as many as half of all where that is less.
const NEWCOMERS: u32 = 512;

/// Why the gate does not listen.
#[derive(Debug, Error)]
pub enum StartError {
    /// Strangers would reach the gate.
    #[error("{0}")]
    Unguarded(String),
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
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// Connections cannot be encrypted.
    #[error("server.tls: {0}")]
    Tls(#[from] TlsError),
    /// The contract's own description cannot be served.
    #[error("the reflection service cannot be built: {0}")]
    Reflection(String),
}

/// Binds the configured addresses and serves the gate on them.
///
/// # Errors
/// An address or socket that cannot be bound, or that strangers would reach.
pub async fn start(engine: Engine, settings: &ServerSettings) -> Result<Running, StartError> {
    if let Some(reason) = settings.unguarded(engine.policies().configuration().credentials_required()) {
        return Err(StartError::Unguarded(reason));
    }
    if settings.listen.is_empty() && settings.socket.is_none() {
        return Err(StartError::Nowhere);
    }
    let leaving = Leaving::not_yet();
    let recogniser = Recogniser::start(engine.clone(), leaving.draining.subscribe()).await;
    let serving = serving(&engine, settings, &leaving, recogniser)?;
    let mut beside = JoinSet::new();
    let tls = match &settings.tls {
        None => None,
        Some(wanted) => {
            let (tls, following) = Tls::load(wanted, engine.now())?;
            beside.spawn(following.run(engine.clone()));
            Some(tls)
        }
    };
    let mut bound = Vec::with_capacity(settings.listen.len());
    for &address in &settings.listen {
        let failed = |source| StartError::Address { address, source };
        bound.push(TcpListener::bind(address).await.map_err(failed)?);
    }
    let socket = match &settings.socket {
        None => None,
        Some(wanted) => Some(socket::bind(wanted).await?),
    };
    engine.await_watchers();
    let addresses = bound.iter().filter_map(|listener| listener.local_addr().ok()).collect();
    let door = Door {
        serving,
        places: Arc::new(Semaphore::new(permits(settings.max_connections))),
        closing: leaving.draining.subscribe(),
    };
    let mut listeners = JoinSet::new();
    for listener in bound {
        listeners.spawn(door.clone().tcp(listener, tls.clone()));
    }
    let socket = socket.map(|(listener, file)| {
        listeners.spawn(door.unix(listener));
        file
    });
    Ok(Running {
        engine,
        addresses,
        encrypted: tls.is_some(),
        socket,
        leaving,
        listeners,
        beside,
        patience: Patience { lame_duck: settings.lame_duck(), drain: settings.drain_timeout },
    })
}

fn serving(
    engine: &Engine,
    settings: &ServerSettings,
    leaving: &Leaving,
    recogniser: Recogniser,
) -> Result<Serving, StartError> {
    let service = Service {
        max_wait: settings.max_wait,
        heartbeat: settings.heartbeat,
        draining: leaving.draining.subscribe(),
        started_at: engine.now(),
        engine: engine.clone(),
    };
    let message_size = usize::try_from(settings.max_message_size).unwrap_or(usize::MAX);
    let health = Health::watch(Arc::clone(engine.store()), leaving.announced.subscribe());
    let stack = Stack {
        service,
        health,
        recogniser,
        proxies: Proxies::new(engine.clone(), leaving.draining.subscribe()),
        message_size,
        limits: Limits::of(engine, settings.max_concurrent_requests),
        deadlines: Deadlines { longest: settings.max_request_time },
    };
    let answering = stack.answering().map_err(|error| StartError::Reflection(error.to_string()))?;
    let newcomers = Newcomers::at_most(permits((settings.max_connections / 2).clamp(1, NEWCOMERS)));
    let age = settings.max_connection_age;
    Ok(Serving::new(answering, newcomers, age, settings.max_wait, leaving.draining.subscribe()))
}

fn permits(most: u32) -> usize {
    usize::try_from(most).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS)
}
