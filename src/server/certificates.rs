//! Certificates and keys in files.
//!
//! Promises that a certificate and a key belong together, and says what is wrong with a file in words. Never panics on what a
//! file holds. Knows nothing of connections.

use crate::config::{ClientAuth, TlsSettings, TlsVersion};
use crate::cryptography;
use crate::gate::Moment;
use rustls::pki_types::pem::{Error as PemError, PemObject};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::{NoServerSessionStorage, WebPkiClientVerifier};
use rustls::{RootCertStore, ServerConfig, version};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use x509_parser::prelude::{FromDer, X509Certificate};

/// The longest file that is read: a bundle of every public authority has a tenth of it.
const LONGEST: u64 = 4 << 20;

/// The right of every user to read.
const ALL_READ: u32 = 0o004;

/// What the protocols of a connection are called, in the order in which they are preferred.
pub(super) const PROTOCOLS: [&[u8]; 2] = [b"h2", b"http/1.1"];

/// Why connections cannot be encrypted.
#[derive(Debug, Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A file holds something else.
    #[error("{path} {why}")]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it and what it should be.
        why: String,
    },
    /// The certificate and the key do not belong together.
    #[error("the certificate {certificate} and the key {key} cannot be used together: {why}")]
    Mismatch {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's file.
        key: PathBuf,
        /// Why.
        why: String,
    },
}

fn unusable(path: &Path, why: impl Into<String>) -> TlsError {
    TlsError::Unusable { path: path.to_owned(), why: why.into() }
}

/// What the files held when they were read.
#[derive(PartialEq, Eq)]
pub(super) struct Contents {
    certificate: Vec<u8>,
    key: Vec<u8>,
    client_ca: Option<Vec<u8>>,
}

impl Contents {
    /// Reads the files.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub(super) fn read(settings: &TlsSettings) -> Result<Self, TlsError> {
        Ok(Self {
            certificate: contents(&settings.certificate)?,
            key: contents(&settings.key)?,
            client_ca: settings.asked_for().map(contents).transpose()?,
        })
    }

    /// What they amount to.
    ///
    /// # Errors
    /// A file that holds something else, or a pair that does not fit.
    pub(super) fn put_together(&self, settings: &TlsSettings) -> Result<Identity, TlsError> {
        let chain = certificates(&self.certificate, &settings.certificate)?;
        let Some(own) = chain.first() else { return Err(unusable(&settings.certificate, NO_CERTIFICATE)) };
        let validity = validity(own).map_err(|why| unusable(&settings.certificate, why))?;
        let key = private_key(&self.key, &settings.key)?;
        let versions: &[&rustls::SupportedProtocolVersion] = match settings.min_version {
            TlsVersion::Tls12 => &[&version::TLS13, &version::TLS12],
            TlsVersion::Tls13 => &[&version::TLS13],
        };
        let mismatch = |error: rustls::Error| TlsError::Mismatch {
            certificate: settings.certificate.clone(),
            key: settings.key.clone(),
            why: error.to_string(),
        };
        let builder = ServerConfig::builder_with_provider(cryptography::provider())
            .with_protocol_versions(versions)
            .map_err(mismatch)?;
        let asked_for = settings.asked_for().zip(self.client_ca.as_deref());
        let builder = match asked_for {
            None => builder.with_no_client_auth(),
            Some((path, authorities)) => {
                let mut roots = RootCertStore::empty();
                for authority in certificates(authorities, path)? {
                    roots
                        .add(authority)
                        .map_err(|error| unusable(path, format!("holds a bad certificate: {error}")))?;
                }
                let verifier =
                    WebPkiClientVerifier::builder_with_provider(Arc::new(roots), cryptography::provider());
                let verifier = match settings.client_auth {
                    ClientAuth::Required => verifier,
                    ClientAuth::Optional | ClientAuth::None => verifier.allow_unauthenticated(),
                };
                builder.with_client_cert_verifier(
                    verifier.build().map_err(|error| unusable(path, format!("is of no use: {error}")))?,
                )
            }
        };
        let mut server = builder.with_single_cert(chain, key).map_err(mismatch)?;
        server.alpn_protocols = PROTOCOLS.map(<[u8]>::to_vec).to_vec();
        if asked_for.is_some() {
            // A session that is resumed is not checked again: a certificate that ended would live on in it.
            server.session_storage = Arc::new(NoServerSessionStorage {});
            server.send_tls13_tickets = 0;
        }
        Ok(Identity { server: Arc::new(server), validity })
    }
}

/// The gate as clients are to know it.
pub(super) struct Identity {
    /// How connections are encrypted.
    pub(super) server: Arc<ServerConfig>,
    /// When its certificate holds.
    pub(super) validity: Validity,
}

/// When a certificate holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Validity {
    from: Moment,
    until: Moment,
}

/// How a certificate stands at a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It does not hold yet.
    Early,
    /// It holds.
    Good,
    /// It holds no longer.
    Expired,
}

impl Validity {
    pub(super) fn standing(self, now: Moment) -> Standing {
        if now < self.from {
            Standing::Early
        } else if now > self.until {
            Standing::Expired
        } else {
            Standing::Good
        }
    }

    /// The last moment at which it holds.
    pub(super) fn until(self) -> Moment {
        self.until
    }

    /// The first moment at which it holds.
    pub(super) fn from(self) -> Moment {
        self.from
    }
}

const NO_CERTIFICATE: &str = "holds no certificate: it must have a section `-----BEGIN CERTIFICATE-----`";

fn contents(path: &Path) -> Result<Vec<u8>, TlsError> {
    let unreadable = |source| TlsError::Unreadable { path: path.to_owned(), source };
    let mut contents = Vec::new();
    // Before it is opened: to open a pipe is to wait for whoever writes into it.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err(unusable(path, "is no file"));
    }
    let file = File::open(path).map_err(unreadable)?;
    file.take(LONGEST + 1).read_to_end(&mut contents).map_err(unreadable)?;
    if u64::try_from(contents.len()).is_ok_and(|length| length > LONGEST) {
        return Err(unusable(path, "is longer than any certificate"));
    }
    Ok(contents)
}

fn certificates(pem: &[u8], path: &Path) -> Result<Vec<CertificateDer<'static>>, TlsError> {
    let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(pem).collect();
    let read = read.map_err(|error| unusable(path, format!("is no PEM file: {error}")))?;
    if read.is_empty() { Err(unusable(path, NO_CERTIFICATE)) } else { Ok(read) }
}

fn private_key(pem: &[u8], path: &Path) -> Result<PrivateKeyDer<'static>, TlsError> {
    PrivateKeyDer::from_pem_slice(pem).map_err(|error| {
        let encrypted = pem.windows(ENCRYPTED.len()).any(|window| window == ENCRYPTED);
        match error {
            _ if encrypted => unusable(
                path,
                "holds an encrypted key, and nobody is there to type its passphrase: decrypt it",
            ),
            PemError::NoItemsFound => unusable(
                path,
                "holds no private key: it must have a section such as `-----BEGIN PRIVATE KEY-----`",
            ),
            // Without the line that is wrong: it may be of the key.
            _other => unusable(path, "is no PEM file of a private key"),
        }
    })
}

const ENCRYPTED: &[u8] = b"ENCRYPTED";

/// When a certificate holds.
///
/// # Errors
/// It cannot be read.
pub(super) fn validity(certificate: &CertificateDer<'_>) -> Result<Validity, String> {
    let (_rest, parsed) = X509Certificate::from_der(certificate)
        .map_err(|error| format!("holds a certificate that cannot be read: {error}"))?;
    let moment = |seconds: i64| Moment(seconds.saturating_mul(1_000_000));
    let held = parsed.validity();
    Ok(Validity { from: moment(held.not_before.timestamp()), until: moment(held.not_after.timestamp()) })
}

/// Whether every user of the machine can read a file.
pub(super) fn is_for_all(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & ALL_READ != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_pipe_in_the_place_of_a_certificate_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("tls.crt");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert!(contents(&pipe).unwrap_err().to_string().ends_with("is no file"));
    }
}
