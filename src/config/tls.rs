//! What encrypts connections to the gate.
//!
//! Promises that a certificate comes with its key, and that client certificates are asked for only where there is something
//! to check them against. Knows nothing of certificates.

use super::problem::Report;
use super::section::Section;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The keys of `server.tls`.
const KEYS: [&str; 5] = ["certificate", "key", "client_ca", "client_auth", "min_version"];

/// What encrypts connections to the gate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlsSettings {
    /// The gate's certificate and those between it and an authority, as PEM.
    pub certificate: PathBuf,
    /// The certificate's private key, as PEM.
    pub key: PathBuf,
    /// The authorities that clients' certificates come from, as PEM.
    pub client_ca: Option<PathBuf>,
    /// Whether clients need a certificate; without `client_ca` they never do.
    pub client_auth: ClientAuth,
    /// The oldest version of the protocol that is spoken.
    pub min_version: TlsVersion,
}

/// Whether clients need a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClientAuth {
    /// None is asked for.
    None,
    /// A client that has one shows it; one that does not hold up ends the connection.
    Optional,
    /// A client without one is refused.
    Required,
}

impl ClientAuth {
    /// Every value.
    pub const ALL: [Self; 3] = [Self::None, Self::Optional, Self::Required];

    /// The name in a file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Optional => "optional",
            Self::Required => "required",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.as_str() == name)
    }
}

/// A version of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TlsVersion {
    /// TLS 1.2.
    Tls12,
    /// TLS 1.3.
    Tls13,
}

impl TlsVersion {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Tls12, Self::Tls13];

    /// The name in a file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Tls12 => "1.2",
            Self::Tls13 => "1.3",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.as_str() == name)
    }
}

impl TlsSettings {
    /// Takes over what a file's `server.tls` states, over what lower files do. Relative paths start from `folder`.
    pub(super) fn read(
        lower: Option<Self>,
        value: &Value,
        path: &str,
        folder: &Path,
        report: &mut Report,
    ) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&KEYS, report);
        let mut file = |key| section.filled_text(key, report).map(|name| folder.join(name));
        let (certificate, key, client_ca) = (file("certificate"), file("key"), file("client_ca"));
        let stated = section.choice(
            "client_auth",
            &ClientAuth::ALL.map(ClientAuth::as_str),
            ClientAuth::parse,
            report,
        );
        let min_version = section.choice(
            "min_version",
            &TlsVersion::ALL.map(TlsVersion::as_str),
            TlsVersion::parse,
            report,
        );
        let certificate = certificate.or(lower.as_ref().map(|lower| lower.certificate.clone()));
        let key = key.or(lower.as_ref().map(|lower| lower.key.clone()));
        let lower_auth =
            lower.as_ref().filter(|lower| lower.client_ca.is_some()).map(|lower| lower.client_auth);
        let client_ca = client_ca.or(lower.as_ref().and_then(|lower| lower.client_ca.clone()));
        // Whoever names an authority wants its certificates.
        let unstated = if client_ca.is_some() { ClientAuth::Required } else { ClientAuth::None };
        let client_auth = stated.or(lower_auth).unwrap_or(unstated);
        if client_ca.is_none() && client_auth != ClientAuth::None && section.get("client_ca").is_none() {
            report.error(
                &section.path_of("client_auth"),
                "asks clients for certificates, and nothing says which hold up: name the authorities in `client_ca`",
            );
        }
        for (name, found) in [("certificate", &certificate), ("key", &key)] {
            if found.is_none() && section.get(name).is_none() {
                report.error(path, format!("has no `{name}`: write the path of a PEM file"));
            }
        }
        let lower_version = lower.map(|lower| lower.min_version);
        let min_version = min_version.or(lower_version).unwrap_or(TlsVersion::Tls12);
        Some(Self { certificate: certificate?, key: key?, client_ca, client_auth, min_version })
    }

    /// The authorities that clients' certificates are checked against, where they are asked for.
    #[must_use]
    pub fn asked_for(&self) -> Option<&Path> {
        self.client_ca.as_deref().filter(|_| self.client_auth != ClientAuth::None)
    }

    pub(super) fn effective(&self) -> Value {
        json!({
            "certificate": self.certificate.display().to_string(),
            "key": self.key.display().to_string(),
            "client_ca": self.client_ca.as_ref().map(|path| path.display().to_string()),
            "client_auth": self.client_auth.as_str(),
            "min_version": self.min_version.as_str(),
        })
    }
}
