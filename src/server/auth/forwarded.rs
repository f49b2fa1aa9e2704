//! `x-forwarded-client-cert`: what a proxy that ended mutual TLS says about the certificate that it was shown.
//!
//! Promises the identity of the proxy's own caller: of the last element, which is the one that the proxy itself added. What
//! stands before it may come from anybody, so that a header of any other form than Envoy's is refused as a whole: no quotation
//! mark that somebody leaves open can swallow what the proxy added. Whom to believe is for others to say.

use super::rejection::Rejection;
use crate::access::SpiffeId;
use axum::http::{HeaderMap, HeaderName};

/// The header.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-forwarded-client-cert");

/// The longest that is read: a few certificates in full.
const MAX_BYTES: usize = 64 << 10;

/// What Envoy writes about a certificate.
const KEYS: [&str; 7] = ["by", "hash", "cert", "chain", "subject", "uri", "dns"];

/// The identity that the proxy vouches for; `None` where it says nothing.
pub(super) fn identity(headers: &HeaderMap) -> Result<Option<SpiffeId>, Rejection> {
    let lines: Option<Vec<&str>> = headers.get_all(HEADER).iter().map(|line| line.to_str().ok()).collect();
    let lines = lines.ok_or(Rejection::Forwarded)?;
    if lines.is_empty() {
        return Ok(None);
    }
    // Several lines mean the same as one with commas between them, whoever added which.
    let whole = lines.join(",");
    let uris = last_uris(&whole).filter(|_| whole.len() <= MAX_BYTES).ok_or(Rejection::Forwarded)?;
    match uris.as_slice() {
        [uri] => SpiffeId::parse(uri).map(Some).ok_or(Rejection::Forwarded),
        _ => Err(Rejection::Forwarded),
    }
}

/// The URIs of the last element. `None` where anything in the header is not as Envoy writes it.
fn last_uris(header: &str) -> Option<Vec<&str>> {
    let mut rest = header;
    let mut uris = Vec::new();
    loop {
        let (key, behind) = rest.split_once('=')?;
        let key = key.trim_start().to_ascii_lowercase();
        if !KEYS.contains(&key.as_str()) {
            return None;
        }
        let (value, behind) = value(behind)?;
        if key == "uri" {
            uris.push(value);
        }
        rest = match behind.chars().next() {
            None => return Some(uris),
            Some(';') => behind.get(1..)?,
            Some(',') => {
                uris.clear();
                behind.get(1..)?
            }
            // Behind a closing quotation mark an element or a pair must end.
            Some(_) => return None,
        };
    }
}

/// One value, and what stands behind it.
fn value(text: &str) -> Option<(&str, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        let (value, behind) = text.split_at_checked(end)?;
        return (!value.contains(['"', '\\'])).then_some((value, behind));
    };
    let mut escaped = false;
    for (at, character) in quoted.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some((quoted.get(..at)?, quoted.get(at.checked_add(1)?..)?)),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Result<Option<String>, Rejection> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(HEADER, line.parse().unwrap());
        }
        identity(&headers).map(|id| id.map(|id| id.as_str().to_owned()))
    }

    const AGENT: &str = "spiffe://example.org/ns/ai/sa/agent";
    const ADDED: &str = "By=spiffe://example.org/ns/gate/sa/gate;Hash=468ed33be74eee6556d90c0149c1309e9ba61d6425303443c0748a02dd8de688;\
                         Subject=\"/C=US/CN=Test \\\"Client\\\", Inc.\";URI=spiffe://example.org/ns/ai/sa/agent;DNS=agent.example";

    #[test]
    fn the_last_element_says_who_called_the_proxy() {
        let agent = Ok(Some(AGENT.to_owned()));
        let before = "By=spiffe://example.org/a;Hash=00;URI=spiffe://example.org/ns/x/sa/admin";
        assert_eq!(read(&[]), Ok(None));
        assert_eq!(read(&[ADDED]), agent);
        assert_eq!(read(&[&format!("{before},{ADDED}")]), agent);
        assert_eq!(read(&[before, ADDED]), agent, "the last line is the one that was added last");
        assert_eq!(read(&["uri=\"spiffe://example.org/ns/ai/sa/agent\""]), agent);
        assert_eq!(read(&[&format!("{before}, {ADDED}")]), agent);
    }

    #[test]
    fn nothing_that_stands_before_can_hide_or_replace_what_the_proxy_added() {
        let admin = "URI=spiffe://example.org/ns/x/sa/admin";
        for before in [
            // A quotation mark left open, in a value, in a key, behind a backslash.
            &format!("{admin};Subject=\""),
            &format!("{admin};X=\""),
            &format!("{admin};Subject=\"\\"),
            &format!("{admin};Subject=a\""),
            &format!("{admin};\"="),
            "\"",
            // No pair, another key.
            "",
            ";",
            "X=1",
            &format!("{admin};X=1"),
        ] {
            let refused = Err(Rejection::Forwarded);
            assert_eq!(read(&[&format!("{before},{ADDED}")]), refused, "{before}");
            assert_eq!(read(&[before, ADDED]), refused, "{before}");
        }
    }

    #[test]
    fn an_element_without_exactly_one_identity_is_refused() {
        for line in [
            "Hash=00",
            "Hash=00;URI=",
            "Hash=00;URI=spiffe://example.org/a;URI=spiffe://example.org/b",
            "Hash=00;URI=https://example.org/a",
            "Hash=00;URI=spiffe://example.org/a%2fb",
            "URI=spiffe://example.org/a,Hash=00",
            "URI=spiffe://example.org/a,",
            "URI=\"spiffe://example.org/a\"b",
        ] {
            assert_eq!(read(&[line]), Err(Rejection::Forwarded), "{line}");
        }
    }
}
