//! The gate's own tokens: `haltgate_<id>_<secret>`.
//!
//! Promises tokens that nobody can guess, that scanners for leaked secrets can find, and that are never shown by accident. Only
//! the hash of a secret is kept. A fast hash is right for it: the secret has 256 random bits, so that nobody can try them out,
//! however fast each attempt is; slow hashes are for passwords, which people choose. Knows nothing of files.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::{SecureRandom, SystemRandom};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};
use subtle::ConstantTimeEq;

/// What every token begins with.
pub(super) const PREFIX: &str = "haltgate_";

const ID_BYTES: usize = 6;
const SECRET_BYTES: usize = 32;

/// The secret in base64: without padding, six bits a character.
const SECRET_CHARACTERS: usize = 43;

/// The public part of a token, which names it in lists and logs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenId(String);

impl TokenId {
    /// Reads an id: twelve small hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let sound =
            text.len() == ID_BYTES * 2 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        sound.then(|| Self(text.to_owned()))
    }
}

impl fmt::Display for TokenId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// What is kept of a secret.
#[derive(Clone, Copy)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret).into())
    }

    /// Reads 64 hexadecimal digits.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut hash = [0; 32];
        if text.len() != 64 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks(2)) {
            *byte =
                std::str::from_utf8(digits).ok().and_then(|digits| u8::from_str_radix(digits, 16).ok())?;
        }
        Some(Self(hash))
    }

    pub(super) fn to_hex(self) -> String {
        hex(&self.0)
    }
}

impl PartialEq for SecretHash {
    /// In the same time for every two hashes.
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl fmt::Debug for SecretHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SecretHash(…)")
    }
}

/// A token as its holder presents it.
pub(super) struct Presented {
    pub(super) id: TokenId,
    pub(super) hash: SecretHash,
}

impl Presented {
    /// Reads a token. `None` where it cannot be one of any gate.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (id, secret) = text.strip_prefix(PREFIX)?.split_once('_')?;
        let sound = secret.len() == SECRET_CHARACTERS
            && secret.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        Some(Self { id: TokenId::parse(id)?, hash: sound.then(|| SecretHash::of(secret))? })
    }
}

/// A token that was just made.
pub struct NewToken {
    /// Its public part.
    pub id: TokenId,
    /// What is kept of its secret.
    pub hash: SecretHash,
    text: String,
}

impl NewToken {
    /// Makes a token.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn generate() -> Result<Self, NoRandomBytes> {
        let random = SystemRandom::new();
        let (mut id, mut secret) = ([0; ID_BYTES], [0; SECRET_BYTES]);
        random.fill(&mut id).and_then(|()| random.fill(&mut secret)).map_err(|_unspecified| NoRandomBytes)?;
        let (id, secret) = (hex(&id), URL_SAFE_NO_PAD.encode(secret));
        Ok(Self { hash: SecretHash::of(&secret), text: format!("{PREFIX}{id}_{secret}"), id: TokenId(id) })
    }

    /// The token itself, to be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.text
    }
}

impl fmt::Debug for NewToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "NewToken({})", self.id)
    }
}

/// The system gives no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random bytes, so that no token can be made")]
pub struct NoRandomBytes;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_recognised_by_its_hash_and_never_shown() {
        let (one, other) = (NewToken::generate().unwrap(), NewToken::generate().unwrap());
        assert_ne!(one.reveal(), other.reveal());
        assert!(one.reveal().starts_with("haltgate_"));
        let presented = Presented::parse(one.reveal()).unwrap();
        assert!(presented.id == one.id && presented.hash == one.hash && presented.hash != other.hash);
        assert_eq!(SecretHash::parse(&one.hash.to_hex()).unwrap(), one.hash);
        let secret = one.reveal().splitn(3, '_').nth(2).unwrap();
        for shown in [format!("{one:?}"), format!("{:?}", one.hash)] {
            assert!(!shown.contains(secret) && !shown.contains(&one.hash.to_hex()), "{shown}");
        }
    }

    #[test]
    fn what_is_no_token_is_not_read_as_one() {
        let good = "haltgate_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA-_";
        assert!(Presented::parse(good).is_some());
        for bad in [
            "",
            "haltgate_",
            "haltgate_0123456789ab",
            "haltgate_0123456789AB_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "haltgate_0123456789a_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            "Haltgate_0123456789ab_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
            &format!("{good}A"),
            &format!("{good} "),
            &good.replace('-', "+"),
            good.strip_suffix('_').unwrap(),
        ] {
            assert!(Presented::parse(bad).is_none(), "{bad}");
        }
    }
}
