//! Who is at the other end of a connection, as far as the connection itself knows.
//!
//! Promises the same in every request of a connection, whatever it is spoken over. Knows nothing of who that may be, and
//! believes nothing that is in a request.

use rustls::pki_types::CertificateDer;
use std::net::SocketAddr;
use std::sync::Arc;

/// The other end of a connection. Every request has it in its extensions.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    /// Its address, where it has one; a mapped IPv4 address is one of IPv4.
    pub(crate) address: Option<SocketAddr>,
    /// It came through the Unix socket.
    pub(crate) unix: bool,
    /// What it showed and holds up, its own certificate first: the configured authorities vouch for it, and it has its key.
    pub(crate) certificates: Option<Arc<Vec<CertificateDer<'static>>>>,
}

impl Peer {
    pub(super) fn over_tcp(address: SocketAddr) -> Self {
        let address = SocketAddr::new(address.ip().to_canonical(), address.port());
        Self { address: Some(address), unix: false, certificates: None }
    }

    pub(super) fn over_unix() -> Self {
        Self { address: None, unix: true, certificates: None }
    }

    pub(super) fn showing(self, certificates: Option<&[CertificateDer<'static>]>) -> Self {
        Self { certificates: certificates.map(|shown| Arc::new(shown.to_vec())), ..self }
    }
}
