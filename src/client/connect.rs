//! Connecting: TCP, with or without TLS, or a Unix socket.
//!
//! Promises an answer within the time given, and an error that names the address. Knows nothing of requests.

use super::{Address, Client, Options};
use std::error::Error;
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};

/// How long connecting may take: a gate is near.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// How often a quiet connection is checked while a human is waited for.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

const USER_AGENT: &str = concat!("haltgate-rust/", env!("CARGO_PKG_VERSION"));

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
    /// Connects to a gate without credentials.
    ///
    /// # Errors
    /// Nobody listens there, or not in time.
    pub async fn connect(address: &Address) -> Result<Self, ConnectError> {
        Self::connect_with(address, Options::default()).await
    }

    pub(super) async fn connect_with(address: &Address, options: Options) -> Result<Self, ConnectError> {
        let named = |reason: String| ConnectError { address: address.clone(), reason };
        let credentials = options.credentials(address).map_err(named)?;
        let channel = channel(address, &options).await.map_err(|error| named(innermost(&error)))?;
        Ok(Self::new(channel, credentials, options))
    }
}

async fn channel(address: &Address, options: &Options) -> Result<Channel, tonic::transport::Error> {
    let endpoint = match address {
        Address::Tcp(authority) => Endpoint::from_shared(format!("http://{authority}"))?,
        Address::Tls(authority) => {
            Endpoint::from_shared(format!("https://{authority}"))?.tls_config(options.tls())?
        }
        // The form `unix:PATH` of an endpoint takes absolute and relative paths alike.
        Address::Unix(path) => Endpoint::from_shared(format!("unix:{}", path.display()))?,
    };
    endpoint
        .user_agent(USER_AGENT)?
        .connect_timeout(CONNECT_TIMEOUT)
        .http2_keep_alive_interval(KEEP_ALIVE)
        .tcp_nodelay(true)
        .connect()
        .await
}

/// The cause at the bottom, which is what the system said.
fn innermost(error: &dyn Error) -> String {
    let mut deepest = error;
    while let Some(source) = deepest.source() {
        deepest = source;
    }
    deepest.to_string()
}
