//! Whether a caller still is who it was when its request began.

use super::credentials::Credentials;
use super::{Recognised, Recogniser};
use std::time::Duration;
use tokio::sync::watch;

/// The shortest wait for an end that is at hand: clocks that differ a little must not make it busy.
const LEAST: Duration = Duration::from_millis(10);

/// A caller for as long as its request goes on.
#[derive(Debug)]
pub(super) struct Standing {
    recogniser: Recogniser,
    credentials: Credentials,
    recognised: Recognised,
    changes: watch::Receiver<u64>,
}

impl Standing {
    /// Who was just recognised. `changes` were looked at before that.
    pub(super) fn new(
        recogniser: Recogniser,
        credentials: Credentials,
        recognised: Recognised,
        changes: watch::Receiver<u64>,
    ) -> Self {
        Self { recogniser, credentials, recognised, changes }
    }

    /// Returns when the credentials would not be accepted any more, or as somebody else's.
    pub(super) async fn ended(mut self) {
        loop {
            let rest = self.recognised.expires_at.map(|end| {
                let micros = end.0.saturating_sub(self.recogniser.inner.engine.now().0);
                Duration::from_micros(u64::try_from(micros).unwrap_or(0)).max(LEAST)
            });
            let expiry = async move {
                match rest {
                    Some(rest) => tokio::time::sleep(rest).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = expiry => {}
                changed = self.changes.changed() => if changed.is_err() {
                    // The gate itself is gone, and with it everything under way.
                    return;
                }
            }
            match self.recogniser.whose(&self.credentials, false).await {
                Ok(again) if again.caller == self.recognised.caller => self.recognised = again,
                Ok(_) | Err(_) => return,
            }
        }
    }
}
