//! Callers by a JSON Web Token that a configured issuer signed.
//!
//! Promises what RFC 8725 asks for: the algorithm is one that the operator wrote down and the key is for, never what the token
//! would like; issuer and audience are the configured ones; a token has an end. Nothing in a token counts before its signature
//! does, but which issuer and key it is to be checked with.

use super::Recognised;
use super::claims::{self, Claims};
use super::key_set::KeySet;
use super::known::Part;
use super::rejection::Rejection;
use super::remote_keys::RemoteKeys;
use super::signatures;
use crate::config::{JwtAlgorithm, JwtIssuer};
use crate::gate::Moment;
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::{Algorithm, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;
use std::sync::Arc;

/// Where the keys of an issuer come from.
#[derive(Debug)]
pub(super) enum Keys {
    File(Part<KeySet>),
    /// With the keys that were known when the issuer was last looked at.
    Remote(Arc<RemoteKeys>, Option<Arc<KeySet>>),
}

/// One issuer whose tokens are believed.
#[derive(Debug)]
pub(super) struct Issuer {
    settings: JwtIssuer,
    keys: Keys,
}

/// As the crate calls it.
fn named(algorithm: JwtAlgorithm) -> Algorithm {
    match algorithm {
        JwtAlgorithm::Rs256 => Algorithm::RS256,
        JwtAlgorithm::Rs384 => Algorithm::RS384,
        JwtAlgorithm::Rs512 => Algorithm::RS512,
        JwtAlgorithm::Ps256 => Algorithm::PS256,
        JwtAlgorithm::Ps384 => Algorithm::PS384,
        JwtAlgorithm::Ps512 => Algorithm::PS512,
        JwtAlgorithm::Es256 => Algorithm::ES256,
        JwtAlgorithm::Es384 => Algorithm::ES384,
        JwtAlgorithm::EdDsa => Algorithm::EdDSA,
    }
}

/// What a token says of who issued it, before anything is believed.
#[derive(Deserialize)]
struct Said {
    iss: String,
}

/// Whose token this is.
pub(super) async fn recognise(
    issuers: &[Issuer],
    token: &str,
    patient: bool,
) -> Result<Recognised, Rejection> {
    if issuers.is_empty() || token.bytes().filter(|byte| *byte == b'.').count() != 2 {
        return Err(Rejection::NoToken);
    }
    let said: Said = insecure_decode_claims(token).map_err(|_malformed| Rejection::NoToken)?;
    match issuers.iter().find(|issuer| issuer.settings.issuer == said.iss) {
        Some(issuer) => issuer.recognise(token, patient).await,
        None => Err(Rejection::IssuerUnknown { issuer: said.iss }),
    }
}

impl Issuer {
    pub(super) fn new(settings: JwtIssuer, keys: Keys) -> Self {
        signatures::install();
        Self { settings, keys }
    }

    pub(super) fn settings(&self) -> &JwtIssuer {
        &self.settings
    }

    pub(super) fn file(&self) -> Option<&Part<KeySet>> {
        match &self.keys {
            Keys::File(part) => Some(part),
            Keys::Remote(_, _) => None,
        }
    }

    pub(super) fn remote(&self) -> Option<Arc<RemoteKeys>> {
        match &self.keys {
            Keys::File(_) => None,
            Keys::Remote(keys, _) => Some(Arc::clone(keys)),
        }
    }

    /// The fetched keys that were known when the issuer was last looked at.
    pub(super) fn fetched(&self) -> Option<&Arc<KeySet>> {
        match &self.keys {
            Keys::File(_) => None,
            Keys::Remote(_, keys) => keys.as_ref(),
        }
    }

    async fn recognise(&self, token: &str, patient: bool) -> Result<Recognised, Rejection> {
        let problem = |problem: String| Rejection::Jwt { issuer: self.settings.issuer.clone(), problem };
        let header = decode_header(token).map_err(|error| problem(error.to_string()))?;
        let allowed = self.settings.algorithms.iter().copied();
        let algorithm =
            allowed.into_iter().find(|allowed| named(*allowed) == header.alg).ok_or_else(|| {
                problem(format!("it is signed with {:?}, which `algorithms` has not", header.alg))
            })?;
        let key_id = header.kid.as_deref();
        let keys = match &self.keys {
            Keys::File(part) => Arc::clone(&part.content),
            Keys::Remote(remote, _) => {
                let knows = |keys: &KeySet| key_id.is_none_or(|id| keys.knows(id));
                let fetched = remote.current(knows, patient).await;
                fetched.ok_or_else(|| problem("the keys of the issuer are not known yet".to_owned()))?
            }
        };
        let validation = self.validation(algorithm);
        let mut last = "it names a key that the issuer does not have".to_owned();
        for key in keys.candidates(key_id, algorithm) {
            match decode::<Claims>(token, key, &validation) {
                Ok(token) => return self.believe(&token.claims),
                Err(error) => last = error.to_string(),
            }
        }
        Err(problem(last))
    }

    fn validation(&self, algorithm: JwtAlgorithm) -> Validation {
        let mut validation = Validation::new(named(algorithm));
        validation.set_required_spec_claims(&["exp", "aud", "iss"]);
        validation.set_audience(&self.settings.audiences);
        validation.set_issuer(&[&self.settings.issuer]);
        validation.leeway = self.settings.leeway.as_secs();
        validation.validate_nbf = true;
        validation
    }

    fn believe(&self, claims: &Claims) -> Result<Recognised, Rejection> {
        let caller = claims::caller(&self.settings, claims)?;
        // Checked before: it is there, and it is a number. The second that it names is the last one.
        let end = claims.get("exp").and_then(Value::as_f64).unwrap_or_default().round() + 1.0;
        // A conversion of floating-point numbers saturates.
        let micros = (end * 1e6) as i64;
        let leeway = i64::try_from(self.settings.leeway.as_micros()).unwrap_or(i64::MAX);
        let expires_at = Some(Moment(micros.saturating_add(leeway)));
        Ok(Recognised { caller: Arc::new(caller), expires_at })
    }
}
