//! Encrypting connections, with certificates that change while the gate runs.
//!
//! Promises that a new connection meets the newest files that belong together: a broken pair keeps the old one and is spoken of.
//! Knows nothing of what is said over a connection.

use super::certificates::{Contents, Identity, Standing, TlsError, Validity, is_for_all};
use super::outbound::rfc3339;
use crate::config::TlsSettings;
use crate::gate::Moment;
use crate::session::Engine;
use arc_swap::ArcSwap;
use rustls::ServerConfig;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio_rustls::TlsAcceptor;

/// How often the files are looked at. What mounts certificates swaps links: only the content tells.
const INTERVAL: Duration = Duration::from_secs(2);

/// How connections are encrypted at present.
#[derive(Clone)]
pub(super) struct Tls {
    server: Arc<ArcSwap<ServerConfig>>,
}

/// Looks after the files behind a [`Tls`].
pub(super) struct Following {
    server: Arc<ArcSwap<ServerConfig>>,
    settings: TlsSettings,
    /// What was last looked at, whether it was of use or not.
    seen: Option<Contents>,
    validity: Validity,
    standing: Standing,
    /// Whether reading failed the last time, so that it is said once.
    failed: bool,
}

impl Tls {
    /// Reads the files.
    ///
    /// # Errors
    /// Files that connections cannot be encrypted with.
    pub(super) fn load(settings: &TlsSettings, now: Moment) -> Result<(Self, Following), TlsError> {
        let contents = Contents::read(settings)?;
        let Identity { server, validity } = contents.put_together(settings)?;
        if is_for_all(&settings.key) {
            tracing::warn!(key = %settings.key.display(), "every user of this machine can read the private key; make it readable for the gate's user alone");
        }
        let server = Arc::new(ArcSwap::new(server));
        let standing = validity.standing(now);
        speak_of(validity, standing, &settings.certificate);
        let following = Following {
            server: Arc::clone(&server),
            settings: settings.clone(),
            seen: Some(contents),
            validity,
            standing,
            failed: false,
        };
        Ok((Self { server }, following))
    }

    /// For one more connection.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        TlsAcceptor::from(self.server.load_full())
    }
}

impl Following {
    /// Looks at the files until it is dropped.
    pub(super) async fn run(mut self, engine: Engine) {
        loop {
            tokio::time::sleep(INTERVAL).await;
            let now = engine.now();
            // Files may be slow to read.
            match tokio::task::spawn_blocking(move || {
                self.look(now);
                self
            })
            .await
            {
                Ok(looked) => self = looked,
                Err(error) => {
                    tracing::error!(%error, "the certificate's files are looked at no longer");
                    return;
                }
            }
        }
    }

    fn look(&mut self, now: Moment) {
        match Contents::read(&self.settings) {
            Err(error) if !self.failed => {
                self.failed = true;
                tracing::error!(%error, "the certificate cannot be read again; the old one stays");
            }
            Err(_said_before) => {}
            Ok(contents) => {
                self.failed = false;
                if self.seen.as_ref() != Some(&contents) {
                    self.take_over(contents);
                }
            }
        }
        let standing = self.validity.standing(now);
        if standing != self.standing {
            self.standing = standing;
            speak_of(self.validity, standing, &self.settings.certificate);
        }
    }

    fn take_over(&mut self, contents: Contents) {
        match contents.put_together(&self.settings) {
            Ok(Identity { server, validity }) => {
                self.server.store(server);
                self.validity = validity;
                tracing::info!(until = %rfc3339(validity.until()), "a new certificate is in use");
            }
            Err(error) => tracing::error!(%error, "the new certificate is of no use; the old one stays"),
        }
        self.seen = Some(contents);
    }
}

/// Says what clients will hold against a certificate.
fn speak_of(validity: Validity, standing: Standing, certificate: &Path) {
    let certificate = certificate.display();
    match standing {
        Standing::Good => {}
        Standing::Early => {
            let from = rfc3339(validity.from());
            tracing::warn!(%certificate, %from, "the certificate does not hold yet: clients refuse it");
        }
        Standing::Expired => {
            let until = rfc3339(validity.until());
            tracing::warn!(%certificate, %until, "the certificate has expired: clients refuse it");
        }
    }
}
