//! A connection that cannot be relied upon: a proxy in front of the server that cuts what passes through it at random
//! moments, and leaves some of it half open before. It keeps its address while servers come and go behind it.

use crate::chance::Chance;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

/// How a connection ends.
#[derive(Debug, Clone, Copy)]
enum End {
    /// Both sides see it close.
    Cut,
    /// Nothing passes any more, and neither side is told for a while.
    Frozen,
    /// What the client says still arrives, but not what the server answers: done, and not acknowledged.
    Unanswered,
}

/// The proxy.
#[derive(Debug)]
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    behind: Mutex<SocketAddr>,
    pub(crate) connections: AtomicU64,
    pub(crate) faults: AtomicU64,
}

impl Proxy {
    /// Listens, in front of nobody yet.
    pub(crate) async fn start(chance: Chance) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Arc::new(Self {
            address,
            behind: Mutex::new(address),
            connections: AtomicU64::new(0),
            faults: AtomicU64::new(0),
        });
        tokio::spawn(Arc::clone(&proxy).accept(listener, chance));
        proxy
    }

    /// Another server is behind it from now on.
    pub(crate) fn point_at(&self, address: &str) {
        *self.behind.lock().unwrap() = address.parse().unwrap();
    }

    async fn accept(self: Arc<Self>, listener: TcpListener, mut chance: Chance) {
        loop {
            let Ok((client, _)) = listener.accept().await else { continue };
            let behind = *self.behind.lock().unwrap();
            self.connections.fetch_add(1, Ordering::Relaxed);
            let lives = Duration::from_millis(u64::try_from(20 + chance.below(20_000)).unwrap());
            let lingers = Duration::from_millis(u64::try_from(500 + chance.below(3_500)).unwrap());
            let end = *chance.one(&[End::Cut, End::Cut, End::Frozen, End::Unanswered]);
            let proxy = Arc::clone(&self);
            tokio::spawn(async move {
                // The server is away: the client sees its connection close.
                let Ok(server) = TcpStream::connect(behind).await else { return };
                if pass(client, server, lives, lingers, end).await {
                    proxy.faults.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    }
}

/// Passes on what is said. Returns whether the proxy ended it.
async fn pass(client: TcpStream, server: TcpStream, lives: Duration, lingers: Duration, end: End) -> bool {
    client.set_nodelay(true).unwrap();
    // A server that was killed meanwhile has closed its side.
    if server.set_nodelay(true).is_err() {
        return false;
    }
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let up = tokio::io::copy(&mut from_client, &mut to_server);
    let down = tokio::io::copy(&mut from_server, &mut to_client);
    tokio::pin!(up, down);
    tokio::select! {
        _ = &mut up => return false,
        _ = &mut down => return false,
        () = sleep(lives) => {}
    }
    match end {
        End::Cut => {}
        End::Frozen => sleep(lingers).await,
        End::Unanswered => {
            let _over = tokio::time::timeout(lingers, up).await;
        }
    }
    true
}
