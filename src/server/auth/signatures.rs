//! Signatures of JSON Web Tokens, checked by ring: the cryptography of the whole process.
//!
//! Promises that nothing which is signed with a shared secret, or not at all, can pass: there is no code for it.

use jsonwebtoken::crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{Error, ErrorKind, Result};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, EncodingKey};
use ring::signature::{
    self as ring_signature, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

use std::sync::Once;

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: no_signer,
    verifier_factory: verifier,
    key_utils: KeyUtils {
        rsa_pub_components_from_private_key: |_| Err(unsupported()),
        rsa_pub_components_from_public_key: |_| Err(unsupported()),
        ec_pub_components_from_private_key: |_, _| Err(unsupported()),
        ed_pub_components_from_private_key: |_, _| Err(unsupported()),
        compute_digest: |_, _| Err(unsupported()),
    },
};

/// Has tokens checked by ring from now on, unless somebody chose before.
pub(super) fn install() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let _another_was_there = PROVIDER.install_default();
    });
}

fn unsupported() -> Error {
    ErrorKind::UnsupportedAlgorithm.into()
}

/// The gate signs no tokens of this kind.
fn no_signer(_algorithm: &Algorithm, _key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    Err(unsupported())
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let scheme = match algorithm {
        Algorithm::RS256 => Scheme::Rsa(&ring_signature::RSA_PKCS1_2048_8192_SHA256),
        Algorithm::RS384 => Scheme::Rsa(&ring_signature::RSA_PKCS1_2048_8192_SHA384),
        Algorithm::RS512 => Scheme::Rsa(&ring_signature::RSA_PKCS1_2048_8192_SHA512),
        Algorithm::PS256 => Scheme::Rsa(&ring_signature::RSA_PSS_2048_8192_SHA256),
        Algorithm::PS384 => Scheme::Rsa(&ring_signature::RSA_PSS_2048_8192_SHA384),
        Algorithm::PS512 => Scheme::Rsa(&ring_signature::RSA_PSS_2048_8192_SHA512),
        Algorithm::ES256 => Scheme::Curve(&ring_signature::ECDSA_P256_SHA256_FIXED),
        Algorithm::ES384 => Scheme::Curve(&ring_signature::ECDSA_P384_SHA384_FIXED),
        Algorithm::EdDSA => Scheme::Curve(&ring_signature::ED25519),
        // Shared secrets, and what later versions of the crate may know.
        _ => return Err(unsupported()),
    };
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidAlgorithm.into());
    }
    Ok(Box::new(RingVerifier { algorithm: *algorithm, scheme, key: key.kind().clone() }))
}

enum Scheme {
    Rsa(&'static RsaParameters),
    Curve(&'static dyn VerificationAlgorithm),
}

struct RingVerifier {
    algorithm: Algorithm,
    scheme: Scheme,
    key: DecodingKeyKind,
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), signature::Error> {
        let checked = match (&self.scheme, &self.key) {
            (Scheme::Rsa(parameters), DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(parameters, message, signature)
            }
            (Scheme::Curve(scheme), DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(*scheme, point).verify(message, signature)
            }
            (Scheme::Rsa(_), DecodingKeyKind::SecretOrDer(_))
            | (Scheme::Curve(_), DecodingKeyKind::RsaModulusExponent { .. }) => Err(ring::error::Unspecified),
        };
        checked.map_err(|_unspecified| signature::Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
