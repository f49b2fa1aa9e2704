//! A gate that is only listened to: how it is reached is up to the test.

use super::Scripted;
use haltgate::config::{ServerSettings, Source, load};
use haltgate::gate::{Floors, Outcome};
use haltgate::server::start;
use haltgate::session::{Engine, Policies};
use haltgate::store::SqliteStore;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A gate with the default policy, in memory.
pub fn engine() -> Engine {
    let folder = tempfile::tempdir().unwrap();
    let source = Source { folder: folder.path().to_owned(), ..Source::default() };
    let store = SqliteStore::ephemeral().unwrap();
    let policies = Policies::compile(load(&source).unwrap().configuration).unwrap();
    Engine::new(Arc::new(store), policies, Arc::new(Scripted::new(Outcome::Safe)), Floors::NONE)
}

/// A gate that serves.
pub struct Serving {
    pub address: SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Serving {
    /// Starts one on a port of its own.
    pub async fn with(settings: ServerSettings) -> Self {
        let listen = vec!["127.0.0.1:0".parse().unwrap()];
        let running = start(engine(), &ServerSettings { listen, ..settings }).await.unwrap();
        let address = running.address().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            running.stopped(async { drop(stopped.await) }).await.unwrap();
        });
        Self { address, stop, task }
    }

    /// Tells it to leave; resolves when it has.
    pub async fn leave(self) {
        self.stop.send(()).unwrap();
        self.task.await.unwrap();
    }
}
