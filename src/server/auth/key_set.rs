//! The keys of an issuer: a JSON Web Key Set.
//!
//! Promises that a key is used for the one kind of signature that it is for, and that keys which are not for checking
//! signatures, or which this gate cannot use, are left out. Knows nothing of where a set comes from.

use crate::config::JwtAlgorithm;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use serde::Deserialize;
use std::io::Read;
use std::path::Path;

/// The longest key set that is read, in bytes.
pub(super) const MAX_BYTES: usize = 512 << 10;

/// The most keys that one token is tried with: those without an id may fit it all.
const MAX_TRIED: usize = 16;

/// For which signatures a key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Rsa,
    P256,
    P384,
    Ed25519,
}

impl Kind {
    fn signs(self, algorithm: JwtAlgorithm) -> bool {
        let kind = match algorithm {
            JwtAlgorithm::Rs256
            | JwtAlgorithm::Rs384
            | JwtAlgorithm::Rs512
            | JwtAlgorithm::Ps256
            | JwtAlgorithm::Ps384
            | JwtAlgorithm::Ps512 => Self::Rsa,
            JwtAlgorithm::Es256 => Self::P256,
            JwtAlgorithm::Es384 => Self::P384,
            JwtAlgorithm::EdDsa => Self::Ed25519,
        };
        self == kind
    }
}

#[derive(Debug)]
struct Key {
    id: Option<String>,
    kind: Kind,
    /// The only algorithm that it is for, by its registered name.
    only: Option<String>,
    key: DecodingKey,
}

/// The usable keys of an issuer.
#[derive(Debug, Default)]
pub(super) struct KeySet {
    keys: Vec<Key>,
}

#[derive(Deserialize)]
struct Written {
    keys: Vec<serde_json::Value>,
}

/// Reads a key set from a file, as far as it is not too long.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, String> {
    let unreadable = |error: std::io::Error| format!("cannot be read ({})", error.kind());
    // Before it is opened: to open a pipe is to wait for whoever writes into it.
    if !std::fs::metadata(path).map_err(unreadable)?.is_file() {
        return Err("is not a file".to_owned());
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let limit = u64::try_from(MAX_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > MAX_BYTES { Err(format!("is longer than {MAX_BYTES} bytes")) } else { Ok(bytes) }
}

impl KeySet {
    /// Reads a key set.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let written: Written = serde_json::from_slice(bytes)
            .map_err(|error| format!("is not a JSON Web Key Set, {{ \"keys\": [ … ] }}: {error}"))?;
        let keys: Vec<Key> = written.keys.into_iter().filter_map(usable).collect();
        if keys.is_empty() {
            return Err(
                "has no key that tokens can be checked with: RSA, EC (P-256, P-384) or OKP (Ed25519)"
                    .to_owned(),
            );
        }
        Ok(Self { keys })
    }

    /// The keys that may have signed a token.
    pub(super) fn candidates(
        &self,
        id: Option<&str>,
        algorithm: JwtAlgorithm,
    ) -> impl Iterator<Item = &DecodingKey> {
        let fits = move |key: &&Key| {
            id.is_none_or(|id| key.id.as_deref() == Some(id))
                && key.kind.signs(algorithm)
                && key.only.as_deref().is_none_or(|only| only == algorithm.as_str())
        };
        self.keys.iter().filter(fits).take(MAX_TRIED).map(|key| &key.key)
    }

    /// Whether there is a key of this id.
    pub(super) fn knows(&self, id: &str) -> bool {
        self.keys.iter().any(|key| key.id.as_deref() == Some(id))
    }
}

fn usable(written: serde_json::Value) -> Option<Key> {
    let only = written.get("alg").and_then(|name| name.as_str()).map(str::to_owned);
    let jwk: Jwk = serde_json::from_value(written).ok()?;
    let kind = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => Kind::Rsa,
        AlgorithmParameters::EllipticCurve(parameters) => match parameters.curve {
            EllipticCurve::P256 => Kind::P256,
            EllipticCurve::P384 => Kind::P384,
            EllipticCurve::P521 | EllipticCurve::Ed25519 => return None,
            _ => return None,
        },
        AlgorithmParameters::OctetKeyPair(parameters) => match parameters.curve {
            EllipticCurve::Ed25519 => Kind::Ed25519,
            _ => return None,
        },
        AlgorithmParameters::OctetKey(_) | AlgorithmParameters::Other(_) => return None,
        #[allow(unreachable_patterns, reason = "the crate may come to know more kinds")]
        _ => return None,
    };
    let signs = matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
    let key = DecodingKey::from_jwk(&jwk).ok().filter(|_| signs)?;
    Some(Key { id: jwk.common.key_id, kind, only, key })
}
