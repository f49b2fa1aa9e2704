//! What a request brings to show who calls.
//!
//! Promises one answer: a bearer token outranks the certificate of the connection, and must be good even where the certificate
//! is. The token is the caller's own choice for this request, while a certificate may be that of the machine or the mesh around
//! it. Knows nothing of whom the credentials belong to.

use super::forwarded;
use super::rejection::Rejection;
use super::spiffe;
use crate::access::SpiffeId;
use crate::config::TrustedProxies;
use crate::gate::Moment;
use crate::server::peer::Peer;
use axum::http::header::AUTHORIZATION;
use axum::http::{HeaderMap, HeaderName};
use std::fmt;

/// The longest bearer token that is looked at, in bytes.
const MAX_BEARER: usize = 16 << 10;

/// What proxies say about whom they speak for: behind one, a caller is not known to be on this machine.
const OF_PROXIES: [HeaderName; 6] = [
    HeaderName::from_static("forwarded"),
    HeaderName::from_static("via"),
    HeaderName::from_static("x-real-ip"),
    HeaderName::from_static("x-client-ip"),
    HeaderName::from_static("true-client-ip"),
    HeaderName::from_static("cf-connecting-ip"),
];

/// How more of that begins. A proxy that says nothing of addresses still says by which scheme it was asked, or how it routes.
const OF_PROXIES_BEGIN: [&str; 3] = ["x-forwarded-", "x-original-", "x-envoy-"];

/// What shows who calls.
#[derive(Clone)]
pub(super) enum Credentials {
    /// Nothing, over a connection from this machine that no proxy has a hand in.
    NoneFromHere,
    /// Nothing.
    None,
    /// A token.
    Bearer(String),
    /// A certificate that was shown here, until it ends: connections live longer than some certificates.
    Certificate(SpiffeId, Moment),
    /// A certificate that was shown to a trusted proxy, which says nothing of its end.
    Forwarded(SpiffeId),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoneFromHere => "NoneFromHere",
            Self::None => "None",
            Self::Bearer(_) => "Bearer(…)",
            Self::Certificate(_, _) => "Certificate(…)",
            Self::Forwarded(_) => "Forwarded(…)",
        })
    }
}

impl Credentials {
    /// What a request of this connection brings.
    pub(super) fn of(headers: &HeaderMap, peer: &Peer, proxies: &TrustedProxies) -> Result<Self, Rejection> {
        if let Some(token) = bearer(headers)? {
            return Ok(Self::Bearer(token));
        }
        let trusted = match peer.address {
            Some(address) => proxies.contain(address.ip()),
            None => peer.unix && proxies.contain_sockets(),
        };
        if trusted && let Some(id) = forwarded::identity(headers)? {
            return Ok(Self::Forwarded(id));
        }
        if let Some(certificate) = peer.certificates.as_ref().and_then(|shown| shown.first()) {
            return Ok(Self::Certificate(spiffe::identity(certificate)?, spiffe::end(certificate)?));
        }
        let proxied = headers.keys().any(is_of_a_proxy);
        let here = peer.unix || peer.address.is_some_and(|address| address.ip().is_loopback());
        Ok(if here && !proxied { Self::NoneFromHere } else { Self::None })
    }
}

/// Whether a header is one that proxies add.
fn is_of_a_proxy(name: &HeaderName) -> bool {
    OF_PROXIES.contains(name) || OF_PROXIES_BEGIN.iter().any(|begin| name.as_str().starts_with(begin))
}

/// The bearer token of a request.
fn bearer(headers: &HeaderMap) -> Result<Option<String>, Rejection> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => value,
        (Some(_), Some(_)) => return Err(Rejection::TwoHeaders),
    };
    let text = value.to_str().ok().filter(|text| text.len() <= MAX_BEARER).ok_or(Rejection::Header)?;
    let (scheme, token) = text.split_once(' ').ok_or(Rejection::Header)?;
    // The word may be written in any case, as HTTP has it; the token may not.
    let token = Some(token.trim_start_matches(' ')).filter(|token| {
        scheme.eq_ignore_ascii_case("bearer")
            && !token.is_empty()
            && token.bytes().all(|byte| byte.is_ascii_graphic() && byte != b',')
    });
    token.map(|token| Some(token.to_owned())).ok_or(Rejection::Header)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Result<Option<String>, Rejection> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(AUTHORIZATION, value.parse().unwrap());
        }
        bearer(&headers)
    }

    #[test]
    fn the_header_is_the_word_bearer_in_any_case_and_one_token() {
        let token = || Ok(Some("abc.DEF-_~+/=".to_owned()));
        assert_eq!(read(&[]), Ok(None));
        for good in ["Bearer abc.DEF-_~+/=", "bearer abc.DEF-_~+/=", "BEARER   abc.DEF-_~+/="] {
            assert_eq!(read(&[good]), token(), "{good}");
        }
        for bad in [
            "",
            "Bearer",
            "Bearer ",
            "abc",
            "Basic YTpi",
            "Bearer a b",
            "Bearer a, Bearer b",
            "Bearer\ta",
            " Bearer a",
        ] {
            assert_eq!(read(&[bad]), Err(Rejection::Header), "{bad}");
        }
        assert_eq!(read(&["Bearer a", "Bearer a"]), Err(Rejection::TwoHeaders));
        assert_eq!(read(&[&format!("Bearer {}", "x".repeat(MAX_BEARER))]), Err(Rejection::Header));
    }
}
