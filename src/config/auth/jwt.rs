//! Who signs tokens that are believed, with which keys, and what their claims mean.

use super::{Rights, read_list, with_rights};
use crate::config::document::item_path;
use crate::config::outgoing::parse_address;
use crate::config::problem::Report;
use crate::config::quantity::render_duration;
use crate::config::section::{Section, kind, quoted, quoted_list};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;
use url::Url;

/// The keys of one issuer.
pub(in crate::config) const KEYS: [&str; 10] = [
    "issuer",
    "audience",
    "jwks_file",
    "jwks_url",
    "algorithms",
    "name_claim",
    "name_prefix",
    "callers",
    "leeway",
    "refresh",
];

/// The keys of one mapping.
pub(in crate::config) const CALLER_KEYS: [&str; 3] = ["claims", "role", "projects"];

const EXAMPLE: &str = "https://login.example/.well-known/jwks.json";
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// How a token may be signed: with a key pair, so that nobody who can check a token can make one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JwtAlgorithm {
    /// RSA, PKCS #1 v1.5, SHA-256.
    Rs256,
    /// RSA, PKCS #1 v1.5, SHA-384.
    Rs384,
    /// RSA, PKCS #1 v1.5, SHA-512.
    Rs512,
    /// RSA, PSS, SHA-256.
    Ps256,
    /// RSA, PSS, SHA-384.
    Ps384,
    /// RSA, PSS, SHA-512.
    Ps512,
    /// ECDSA on P-256.
    Es256,
    /// ECDSA on P-384.
    Es384,
    /// Ed25519.
    EdDsa,
}

impl JwtAlgorithm {
    /// Every algorithm.
    pub const ALL: [Self; 9] = [
        Self::Rs256,
        Self::Rs384,
        Self::Rs512,
        Self::Ps256,
        Self::Ps384,
        Self::Ps512,
        Self::Es256,
        Self::Es384,
        Self::EdDsa,
    ];

    /// Those that are accepted unless told otherwise.
    const DEFAULT: [Self; 2] = [Self::Rs256, Self::Es256];

    /// Its registered name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Rs384 => "RS384",
            Self::Rs512 => "RS512",
            Self::Ps256 => "PS256",
            Self::Ps384 => "PS384",
            Self::Ps512 => "PS512",
            Self::Es256 => "ES256",
            Self::Es384 => "ES384",
            Self::EdDsa => "EdDSA",
        }
    }
}

/// Where the keys of an issuer are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySetSource {
    /// In this file, which is read again when it changes.
    File(PathBuf),
    /// At this address: HTTPS, or this machine.
    Url(Url),
}

/// What callers with certain claims may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedCaller {
    /// What each claim must be, or hold, to fit: one of these texts.
    pub claims: Vec<(String, Vec<String>)>,
    /// What they may do then.
    pub rights: Rights,
}

/// One issuer of tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwtIssuer {
    /// What `iss` must be.
    pub issuer: String,
    /// What `aud` must be, or hold: one of these.
    pub audiences: Vec<String>,
    /// Where its keys are.
    pub keys: KeySetSource,
    /// How a token may be signed.
    pub algorithms: Vec<JwtAlgorithm>,
    /// The claim that names the caller.
    pub name_claim: String,
    /// What stands before that name in records.
    pub name_prefix: String,
    /// What callers may do; the first that fits counts, and whom none fits is refused.
    pub callers: Vec<ClaimedCaller>,
    /// How far the clocks of issuer and gate may differ.
    pub leeway: Duration,
    /// How often the keys at an address are fetched.
    pub refresh: Duration,
}

/// Reads the list of issuers.
pub(super) fn read_all(value: &Value, path: &str, folder: &Path, report: &mut Report) -> Vec<JwtIssuer> {
    let issuers = read_list(value, path, report, |section, report| JwtIssuer::read(section, folder, report));
    for (index, issuer) in issuers.iter().enumerate() {
        let others = || issuers.iter().take(index);
        if others().any(|other| other.issuer == issuer.issuer) {
            let message = "stands there before; keep one entry, with all audiences and callers of the issuer";
            report.error(&format!("{}.issuer", item_path(path, index)), message);
        } else if others().any(|other| are_alike(&other.name_prefix, &issuer.name_prefix)) {
            let message = "must not begin as that of another issuer does, so that two of them cannot name two callers alike: \
                           give each one such as \"staff:\"";
            report.error(&format!("{}.name_prefix", item_path(path, index)), message);
        }
    }
    issuers
}

/// Whether a name behind one can be the same as a name behind the other.
fn are_alike(one: &str, other: &str) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

impl JwtIssuer {
    fn read(section: &Section<'_>, folder: &Path, report: &mut Report) -> Option<Self> {
        section.refuse_unknown(&KEYS, report);
        let issuer =
            required(section, "issuer", "what `iss` says, such as \"https://login.example\"", report);
        let issuer = issuer.and(section.filled_text("issuer", report)).map(str::to_owned);
        let audience = "what `aud` says of tokens for this gate, such as \"haltgate\"";
        let audiences = required(section, "audience", audience, report)
            .and_then(|value| texts(value, &section.path_of("audience"), "an audience", report));
        let keys = read_source(section, folder, report);
        let algorithms = read_algorithms(section, report);
        let name_claim = section.filled_text("name_claim", report).unwrap_or("sub").to_owned();
        let name_prefix = section.text("name_prefix", report).unwrap_or_default().to_owned();
        let callers = "the claims that admit a caller: [{ \"claims\": { \"groups\": \"operators\" }, \"role\": \"operator\", \
                       \"projects\": \"*\" }]";
        let callers = required(section, "callers", callers, report)
            .map(|value| read_list(value, &section.path_of("callers"), report, read_caller));
        if section.get("callers").and_then(Value::as_array).is_some_and(Vec::is_empty) {
            report.error(&section.path_of("callers"), "admits nobody: state claims, a role and projects");
        }
        let leeway = section.duration("leeway", Duration::ZERO, Duration::from_secs(300), report);
        let refresh = section.duration("refresh", Duration::from_secs(10), DAY, report);
        Some(Self {
            issuer: issuer?,
            audiences: audiences?,
            keys: keys?,
            algorithms,
            name_claim,
            name_prefix,
            callers: callers?,
            leeway: leeway.unwrap_or(Duration::from_secs(30)),
            refresh: refresh.unwrap_or(Duration::from_secs(600)),
        })
    }

    pub(super) fn effective(&self) -> Value {
        let callers: Vec<Value> = self
            .callers
            .iter()
            .map(|caller| {
                let claims: Map<String, Value> =
                    caller.claims.iter().map(|(claim, values)| (claim.clone(), json!(values))).collect();
                with_rights(&caller.rights, [("claims", Value::Object(claims))])
            })
            .collect();
        let (key, source) = match &self.keys {
            KeySetSource::File(path) => ("jwks_file", path.display().to_string()),
            KeySetSource::Url(url) => ("jwks_url", url.to_string()),
        };
        let algorithms: Vec<&str> = self.algorithms.iter().map(|algorithm| algorithm.as_str()).collect();
        json!({
            "issuer": self.issuer,
            "audience": self.audiences,
            key: source,
            "algorithms": algorithms,
            "name_claim": self.name_claim,
            "name_prefix": self.name_prefix,
            "callers": callers,
            "leeway": render_duration(self.leeway),
            "refresh": render_duration(self.refresh),
        })
    }
}

/// The value of a key that must be there.
fn required<'v>(section: &Section<'v>, key: &str, what: &str, report: &mut Report) -> Option<&'v Value> {
    let value = section.get(key);
    if value.is_none() {
        report.error(&section.path_of(key), format!("is missing: write {what}"));
    }
    value
}

fn read_source(section: &Section<'_>, folder: &Path, report: &mut Report) -> Option<KeySetSource> {
    let file = section.filled_text("jwks_file", report);
    let url = section.filled_text("jwks_url", report);
    match (file, url) {
        (Some(_), Some(_)) => {
            report.error(&section.path_of("jwks_url"), "stands beside `jwks_file`; keep one of them");
            None
        }
        (Some(file), None) => Some(KeySetSource::File(folder.join(file))),
        (None, Some(url)) => match parse_address(url.trim(), EXAMPLE, "which keys are believed") {
            Ok(url) => Some(KeySetSource::Url(url)),
            Err(message) => {
                report.error(&section.path_of("jwks_url"), message);
                None
            }
        },
        (None, None) => {
            if section.get("jwks_file").or(section.get("jwks_url")).is_none() {
                let message = format!(
                    "is missing: name a file with the issuer's keys, or their address as `jwks_url`: {EXAMPLE:?}"
                );
                report.error(&section.path_of("jwks_file"), message);
            }
            None
        }
    }
}

fn read_algorithms(section: &Section<'_>, report: &mut Report) -> Vec<JwtAlgorithm> {
    let path = section.path_of("algorithms");
    let Some(value) = section.get("algorithms") else { return JwtAlgorithm::DEFAULT.to_vec() };
    let names = quoted_list(&JwtAlgorithm::ALL.map(JwtAlgorithm::as_str));
    let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
        let what = if value.is_array() { "an empty one" } else { kind(value) };
        report.error(&path, format!("must be a list of {names}, not {what}"));
        return Vec::new();
    };
    let mut algorithms = Vec::new();
    for (index, item) in list.iter().enumerate() {
        let name = item.as_str().unwrap_or_default();
        match JwtAlgorithm::ALL.into_iter().find(|algorithm| algorithm.as_str() == name) {
            Some(algorithm) if algorithms.contains(&algorithm) => {}
            Some(algorithm) => algorithms.push(algorithm),
            None => {
                let why = if name.starts_with("HS") {
                    "signs with a secret that the gate would share with the issuer; "
                } else if name.eq_ignore_ascii_case("none") {
                    "signs nothing; "
                } else {
                    ""
                };
                report.error(
                    &item_path(&path, index),
                    format!("{why}must be one of {names}, not {}", quoted(item)),
                );
            }
        }
    }
    algorithms
}

fn read_caller(section: &Section<'_>, report: &mut Report) -> Option<ClaimedCaller> {
    section.refuse_unknown(&CALLER_KEYS, report);
    let expected = "{ \"groups\": \"operators\" }; `{}` fits every token of the issuer";
    let path = section.path_of("claims");
    let claims = required(section, "claims", expected, report)
        .and_then(|value| Section::open(value, &path, report))
        .map(|claims| {
            let read = |(claim, value): (&String, &Value)| {
                let values = texts(value, &claims.path_of(claim), "a text", report)?;
                Some((claim.clone(), values))
            };
            claims.entries().filter_map(read).collect()
        });
    let rights = Rights::read(section, report);
    Some(ClaimedCaller { claims: claims?, rights: rights? })
}

/// A text or a list of texts, none of them empty.
fn texts(value: &Value, path: &str, what: &str, report: &mut Report) -> Option<Vec<String>> {
    let one = |value: &Value| value.as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    let all = match value {
        Value::Array(list) if !list.is_empty() => list.iter().map(one).collect(),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => one(value).map(|text| vec![text]),
    };
    if all.is_none() {
        report.error(path, format!("must be {what} or a list of them, none empty, not {}", quoted(value)));
    }
    all
}
