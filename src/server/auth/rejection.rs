//! Why a caller was not recognised.
//!
//! Promises that the log has the reason, at a bounded rate, and that the caller has none: it learns that credentials are
//! missing or invalid. Neither ever has a token.

use crate::display::one_line;
use crate::server::peer::Peer;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Why a caller was not recognised. For the log alone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Rejection {
    #[error("no credentials")]
    Missing,
    #[error("more than one authorization header")]
    TwoHeaders,
    #[error("an authorization header that is not `Bearer` and a token")]
    Header,
    #[error("a bearer token of no kind that is accepted")]
    NoToken,
    #[error("a token that this gate did not make, or no longer has: {id}")]
    TokenUnknown { id: String },
    #[error("the id of a token with another secret: {id}")]
    TokenSecret { id: String },
    #[error("a revoked token: {id}")]
    TokenRevoked { id: String },
    #[error("an expired token: {id}")]
    TokenExpired { id: String },
    #[error("a token of an issuer that is not configured: {issuer}")]
    IssuerUnknown { issuer: String },
    #[error("a token of {issuer}: {problem}")]
    Jwt { issuer: String, problem: String },
    #[error("{issuer} vouches for {name}, and none of its `callers` fits")]
    Unmapped { issuer: String, name: String },
    #[error("a certificate without exactly one SPIFFE identity")]
    Certificate,
    #[error("a certificate that has ended since the connection began")]
    CertificateExpired,
    #[error(
        "what a trusted proxy says about a certificate is not as Envoy writes it, or names no one identity"
    )]
    Forwarded,
    #[error("an identity that is not configured: {id}")]
    IdentityUnknown { id: String },
}

/// Writes rejections to the log, not more than some within a while.
#[derive(Debug)]
pub(super) struct RejectionLog {
    window: Mutex<Window>,
}

#[derive(Debug)]
struct Window {
    began: Instant,
    written: u32,
    unwritten: u64,
}

/// How long a window is, and how many lines it takes.
const WINDOW: Duration = Duration::from_secs(10);
const LINES: u32 = 10;

impl Window {
    /// Whether one more is written now, and how many were not before it.
    fn admit(&mut self, now: Instant) -> Option<u64> {
        if now.duration_since(self.began) >= WINDOW {
            self.began = now;
            self.written = 0;
        }
        if self.written >= LINES {
            self.unwritten = self.unwritten.saturating_add(1);
            return None;
        }
        self.written = self.written.saturating_add(1);
        Some(std::mem::take(&mut self.unwritten))
    }
}

impl Default for RejectionLog {
    fn default() -> Self {
        Self { window: Mutex::new(Window { began: Instant::now(), written: 0, unwritten: 0 }) }
    }
}

impl RejectionLog {
    /// Takes note of a rejection.
    pub(super) fn note(&self, rejection: &Rejection, path: &str, peer: &Peer) {
        let admitted = match self.window.lock() {
            Ok(mut window) => window.admit(Instant::now()),
            // A panic elsewhere leaves counts that are of no harm.
            Err(poisoned) => poisoned.into_inner().admit(Instant::now()),
        };
        let Some(not_logged) = admitted else { return };
        let reason = short(&rejection.to_string());
        let from = match peer.address {
            Some(address) => address.to_string(),
            None => "a Unix socket".to_owned(),
        };
        let method = short(path);
        tracing::warn!(%reason, %from, %method, not_logged, "a caller was not recognised");
    }
}

/// What a caller wrote, fit for a line of the log.
fn short(text: &str) -> String {
    one_line(text).chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_of_rejections_is_counted_and_not_written() {
        let began = Instant::now();
        let mut window = Window { began, written: 0, unwritten: 0 };
        let written = (0..1_000).filter(|_| window.admit(began).is_some()).count();
        assert_eq!(written, 10);
        assert_eq!(window.admit(began + WINDOW), Some(990), "the next line says how many were left out");
        assert_eq!(window.admit(began + WINDOW), Some(0));
    }
}
