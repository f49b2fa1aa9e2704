//! Tokens that others issued, with their keys in a file.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
};
use serde_json::{Value, json};

/// A key pair of an issuer.
pub(super) enum Signer {
    Ed(Ed25519KeyPair),
    Ec(EcdsaKeyPair, &'static str, &'static str),
}

impl Signer {
    pub(super) fn ed() -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Ed(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap())
    }

    pub(super) fn es256() -> Self {
        Self::ec(&ECDSA_P256_SHA256_FIXED_SIGNING, "ES256", "P-256")
    }

    fn es384() -> Self {
        Self::ec(&ECDSA_P384_SHA384_FIXED_SIGNING, "ES384", "P-384")
    }

    fn ec(
        scheme: &'static ring::signature::EcdsaSigningAlgorithm,
        algorithm: &'static str,
        curve: &'static str,
    ) -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(scheme, &random).unwrap();
        Self::Ec(EcdsaKeyPair::from_pkcs8(scheme, document.as_ref(), &random).unwrap(), algorithm, curve)
    }

    fn algorithm(&self) -> &'static str {
        match self {
            Self::Ed(_) => "EdDSA",
            Self::Ec(_, algorithm, _) => algorithm,
        }
    }

    /// The public key as a key set has it.
    pub(super) fn jwk(&self, id: &str) -> Value {
        match self {
            Self::Ed(pair) => {
                json!({ "kty": "OKP", "crv": "Ed25519", "kid": id, "use": "sig", "alg": "EdDSA",
                                      "x": encoded(pair.public_key().as_ref()) })
            }
            Self::Ec(pair, _, curve) => {
                let (x, y) =
                    pair.public_key().as_ref()[1..].split_at((pair.public_key().as_ref().len() - 1) / 2);
                json!({ "kty": "EC", "crv": curve, "kid": id, "x": encoded(x), "y": encoded(y) })
            }
        }
    }

    fn signature(&self, message: &str) -> String {
        match self {
            Self::Ed(pair) => encoded(pair.sign(message.as_bytes()).as_ref()),
            Self::Ec(pair, _, _) => {
                encoded(pair.sign(&SystemRandom::new(), message.as_bytes()).unwrap().as_ref())
            }
        }
    }

    /// A token of these claims, by the key of this id.
    pub(super) fn token(&self, id: &str, claims: &Value) -> String {
        self.with_header(&json!({ "alg": self.algorithm(), "kid": id, "typ": "JWT" }), claims)
    }

    fn with_header(&self, header: &Value, claims: &Value) -> String {
        let message =
            format!("{}.{}", encoded(header.to_string().as_bytes()), encoded(claims.to_string().as_bytes()));
        format!("{message}.{}", self.signature(&message))
    }
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Claims of a caller that the gate knows, with a change.
pub(super) fn claims(change: impl FnOnce(&mut Value)) -> Value {
    let hour = Timestamp::now().as_second() + 3600;
    let mut claims = json!({ "iss": "https://login.example", "aud": "haltgate", "sub": "ana", "groups": ["staff"], "exp": hour });
    change(&mut claims);
    claims
}

/// The settings of the issuer, with its keys there.
pub(super) fn issuer(keys: &str) -> String {
    format!(
        r#"{{"issuer": "https://login.example", "audience": "haltgate", {keys}, "leeway": "2s",
            "algorithms": ["EdDSA", "ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
            "callers": [{{"claims": {{"groups": "staff"}}, "role": "operator", "projects": "*"}},
                        {{"claims": {{"sub": "ana"}}, "role": "auditor", "projects": "*"}}]}}"#
    )
}

pub(super) fn key_set(keys: &[Value]) -> String {
    json!({ "keys": keys }).to_string()
}

async fn gate_with(folder: &std::sync::Arc<tempfile::TempDir>, keys: &[Value]) -> Gate {
    std::fs::write(folder.path().join("keys.json"), key_set(keys)).unwrap();
    gate(folder, &format!("{{\"jwt\": [{}]}}", issuer("\"jwks_file\": \"keys.json\""))).await
}

#[tokio::test]
async fn a_token_that_a_configured_issuer_signed_admits_its_caller() {
    let signers = [Signer::ed(), Signer::es256(), Signer::es384()];
    let mut keys: Vec<Value> = signers.iter().map(|signer| signer.jwk(signer.algorithm())).collect();
    keys.extend(rsa::KEYS.map(|key| serde_json::from_str(key).unwrap()));
    keys.push(json!({ "kty": "oct", "kid": "shared", "k": encoded(b"secret") }));
    keys.push(json!({ "kty": "new", "kid": "unknown" }));
    let gate = gate_with(&folder(), &keys).await;
    for signer in &signers {
        let algorithm = signer.algorithm();
        let token = signer.token(algorithm, &claims(|_| {}));
        show(&gate, &token).await.unwrap_or_else(|failure| panic!("{algorithm}: {failure:?}"));
        // Without the key's id every key that fits is tried.
        let token = signer.with_header(&json!({ "alg": algorithm }), &claims(|_| {}));
        show(&gate, &token).await.unwrap_or_else(|failure| panic!("{algorithm}: {failure:?}"));
    }
    for (algorithm, token) in rsa::SOUND {
        show(&gate, token).await.unwrap_or_else(|failure| panic!("{algorithm}: {failure:?}"));
    }
    // 1024 bits are too few.
    refused(show(&gate, rsa::WEAK).await);
}

#[tokio::test]
async fn no_claim_may_be_missing_wrong_or_of_another_time() {
    let signer = Signer::ed();
    let gate = gate_with(&folder(), &[signer.jwk("k")]).await;
    let now = Timestamp::now().as_second();
    let good: [(&str, Value); 5] = [
        ("aud", json!(["other", "haltgate"])),
        ("nbf", json!(now - 5)),
        ("exp", json!(now as f64 + 3600.5)),
        ("iat", json!(now + 3600)),
        ("groups", json!("staff")),
    ];
    for (claim, value) in good {
        let token = signer.token("k", &claims(|claims| claims[claim] = value.clone()));
        show(&gate, &token).await.unwrap_or_else(|failure| panic!("{claim}: {value}: {failure:?}"));
    }
    let bad: [(&str, Value); 22] = [
        ("iss", json!("https://login.example/")),
        ("iss", json!(["https://login.example"])),
        ("iss", json!(null)),
        ("aud", json!("haltgate2")),
        ("aud", json!(["other"])),
        ("aud", json!([])),
        ("aud", json!(null)),
        ("aud", json!({ "haltgate": true })),
        ("exp", json!(now - 60)),
        ("exp", json!(0)),
        ("exp", json!(-1)),
        ("exp", json!(null)),
        ("exp", json!("4102444800")),
        ("exp", json!({})),
        ("nbf", json!(now + 600)),
        ("nbf", json!("0")),
        ("nbf", json!({})),
        ("sub", json!(null)),
        ("sub", json!("")),
        ("sub", json!(7)),
        ("sub", json!("a\nb")),
        ("sub", json!("x".repeat(300))),
    ];
    for (claim, value) in bad {
        refused(show(&gate, &signer.token("k", &claims(|claims| claims[claim] = value.clone()))).await);
    }
    // Signed by the issuer, and no `callers` entry is for it.
    let stranger = claims(|claims| {
        claims["sub"] = json!("bob");
        claims["groups"] = json!(["guests"]);
    });
    refused(show(&gate, &signer.token("k", &stranger)).await);
}

#[tokio::test]
async fn nothing_but_the_issuers_signature_counts() {
    let (signer, other, ec) = (Signer::ed(), Signer::ed(), Signer::es256());
    let gate = gate_with(&folder(), &[signer.jwk("k"), ec.jwk("ec")]).await;
    let sound = claims(|_| {});
    let token = signer.token("k", &sound);
    show(&gate, &token).await.unwrap();
    let parts: Vec<&str> = token.split('.').collect();
    let unsigned = |header: Value| format!("{}.{}", encoded(header.to_string().as_bytes()), parts[1]);
    let public = signer.jwk("k")["x"].as_str().unwrap().to_owned();
    let hs256 = |secret: &[u8]| {
        let message = unsigned(json!({ "alg": "HS256", "kid": "k" }));
        let tag =
            ring::hmac::sign(&ring::hmac::Key::new(ring::hmac::HMAC_SHA256, secret), message.as_bytes());
        format!("{message}.{}", encoded(tag.as_ref()))
    };
    let admin = claims(|claims| claims["sub"] = json!("root"));
    let bad = [
        ("another key under its id", other.token("k", &sound)),
        ("a key that is not there", other.token("other", &sound)),
        ("no signature", format!("{}.", unsigned(json!({ "alg": "none" })))),
        ("no signature, in capitals", format!("{}.", unsigned(json!({ "alg": "NONE", "kid": "k" })))),
        ("no signature, by a known algorithm", format!("{}.{}.", parts[0], parts[1])),
        ("the public key as a shared secret, as text", hs256(public.as_bytes())),
        ("the public key as a shared secret", hs256(&URL_SAFE_NO_PAD.decode(&public).unwrap())),
        ("the key of another algorithm", signer.with_header(&json!({ "alg": "EdDSA", "kid": "ec" }), &sound)),
        ("another algorithm for the key", ec.with_header(&json!({ "alg": "ES256", "kid": "k" }), &sound)),
        ("ES384 on P-256", ec.with_header(&json!({ "alg": "ES384", "kid": "ec" }), &sound)),
        ("changed claims", format!("{}.{}.{}", parts[0], encoded(admin.to_string().as_bytes()), parts[2])),
        (
            "a changed header",
            format!("{}.{}.{}", encoded(json!({"alg": "EdDSA"}).to_string().as_bytes()), parts[1], parts[2]),
        ),
        (
            "its own key in the header",
            other.with_header(&json!({ "alg": "EdDSA", "jwk": other.jwk("k") }), &sound),
        ),
        (
            "the address of its own key",
            other.with_header(&json!({ "alg": "EdDSA", "jku": "http://127.0.0.1:1/keys" }), &sound),
        ),
        (
            "a header that must be understood",
            signer.with_header(&json!({ "alg": "EdDSA", "kid": "k", "crit": ["x"], "x": 1 }), &sound),
        ),
        ("four parts", format!("{token}.x")),
        ("padding", format!("{token}=")),
    ];
    for (what, token) in bad {
        let outcome = show(&gate, &token).await;
        assert!(outcome.is_err(), "{what}");
        refused(outcome);
    }
}

#[tokio::test]
async fn only_the_algorithms_that_are_configured_count() {
    let (ed, ec) = (Signer::ed(), Signer::es256());
    let folder = folder();
    std::fs::write(folder.path().join("keys.json"), key_set(&[ed.jwk("ed"), ec.jwk("ec")])).unwrap();
    let gate = gate(
        &folder,
        r#"{"jwt": [{"issuer": "https://login.example", "audience": "haltgate", "jwks_file": "keys.json",
            "callers": [{"claims": {}, "role": "agent", "projects": "*"}]}]}"#,
    )
    .await;
    show(&gate, &ec.token("ec", &claims(|_| {}))).await.unwrap();
    refused(show(&gate, &ed.token("ed", &claims(|_| {}))).await);
}

#[tokio::test]
async fn a_replaced_key_file_counts_and_a_bad_one_does_not() {
    let (old, new) = (Signer::ed(), Signer::ed());
    let folder = folder();
    let gate = gate_with(&folder, &[old.jwk("old")]).await;
    let (by_old, by_new) = (old.token("old", &claims(|_| {})), new.token("new", &claims(|_| {})));
    show(&gate, &by_old).await.unwrap();
    refused(show(&gate, &by_new).await);
    std::fs::write(folder.path().join("keys.json"), key_set(&[new.jwk("new")])).unwrap();
    until(&gate, &by_new, true).await;
    refused(show(&gate, &by_old).await);
    for bad in ["", "{}", r#"{"keys": []}"#, r#"{"keys": [{"kty": "oct", "k": "AAAA"}]}"#] {
        std::fs::write(folder.path().join("keys.json"), bad).unwrap();
        tokio::time::sleep(Duration::from_millis(1200)).await;
        show(&gate, &by_new).await.unwrap();
    }
}

#[tokio::test]
async fn an_open_feed_ends_with_the_token_that_opened_it() {
    let signer = Signer::ed();
    let gate = gate_with(&folder(), &[signer.jwk("k")]).await;
    let end = Timestamp::now().as_second() + 1;
    let token = signer.token("k", &claims(|claims| claims["exp"] = json!(end)));
    let request =
        with(pb::StreamEscalationsRequest::default(), &[("authorization", &format!("Bearer {token}"))]);
    let mut feed = gate.client.clone().stream_escalations(request).await.unwrap().into_inner();
    let status = loop {
        match feed.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the feed ended without a word"),
            Err(status) => break status,
        }
    };
    Failure::of(&status).expect(Code::Unauthenticated, "CREDENTIALS_INVALID");
    assert!(Timestamp::now().as_second() > end + 1, "not before the leeway is over");
}
