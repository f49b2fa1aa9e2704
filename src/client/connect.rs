//! Connecting: TCP without encryption, or a Unix socket.
//!
//! Promises an answer within the time given, and an error that names the address. Knows nothing of requests.

use super::{Address, Client};
use std::error::Error;
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};

/// How long connecting may take: a gate is near.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a quiet connection is checked while a human is waited for.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// A gate that cannot be reached.
#[derive(Debug, thiserror::Error)]
#[error("no gate answers at {address}: {reason}")]
pub struct ConnectError {
    /// Where it was looked for.
    pub address: Address,
    /// What the system says.
    pub reason: String,
}

impl Client {
    /// Connects to a gate.
    ///
    /// # Errors
    /// Nobody listens there, or not in time.
    pub async fn connect(address: &Address) -> Result<Self, ConnectError> {
        let failed = |error: tonic::transport::Error| ConnectError {
            address: address.clone(),
            reason: innermost(&error),
        };
        let channel = match address {
            Address::Tcp(authority) => {
                let endpoint = Endpoint::from_shared(format!("http://{authority}")).map_err(failed)?;
                set_up(endpoint).connect().await.map_err(failed)?
            }
            Address::Unix(path) => connect_socket(path).await.map_err(failed)?,
        };
        Ok(Self::new(channel))
    }
}

async fn connect_socket(path: &std::path::Path) -> Result<Channel, tonic::transport::Error> {
    // The form `unix:PATH` of an endpoint takes absolute and relative paths alike.
    let endpoint = Endpoint::from_shared(format!("unix:{}", path.display()))?;
    set_up(endpoint).connect().await
}

fn set_up(endpoint: Endpoint) -> Endpoint {
    endpoint.connect_timeout(CONNECT_TIMEOUT).http2_keep_alive_interval(KEEP_ALIVE).tcp_nodelay(true)
}

/// The cause at the bottom, which is what the system said.
fn innermost(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
