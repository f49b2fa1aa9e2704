//! SPIFFE identities: the names that a service mesh writes into certificates.

use std::fmt;

const SCHEME: &str = "spiffe://";

/// What the standard allows at most, in bytes.
const MAX_BYTES: usize = 2048;

/// A SPIFFE identity, such as `spiffe://example.org/ns/ai/sa/agent`, spelled as the standard has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpiffeId(String);

impl SpiffeId {
    /// Reads an identity. There is one spelling for each, so that two can be compared byte for byte.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let rest = text.strip_prefix(SCHEME).filter(|_| text.len() <= MAX_BYTES)?;
        let (domain, path) = match rest.split_once('/') {
            Some((domain, path)) => (domain, Some(path)),
            None => (rest, None),
        };
        let domain_is_sound = !domain.is_empty()
            && domain.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_'));
        let path_is_sound = path.is_none_or(|path| path.split('/').all(is_segment));
        (domain_is_sound && path_is_sound).then(|| Self(text.to_owned()))
    }

    /// The identity as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_segment(segment: &str) -> bool {
    !matches!(segment, "" | "." | "..")
        && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
}

/// Which identities are meant: one, or all below a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpiffePattern {
    /// This one.
    One(SpiffeId),
    /// Every one whose path goes on behind this one's.
    Below(SpiffeId),
}

impl SpiffePattern {
    /// Reads an identity, or the beginning of several with `/*` at its end.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.strip_suffix("/*") {
            Some(beginning) => SpiffeId::parse(beginning).map(Self::Below),
            None => SpiffeId::parse(text).map(Self::One),
        }
    }

    /// Whether an identity is meant.
    #[must_use]
    pub fn matches(&self, id: &SpiffeId) -> bool {
        match self {
            Self::One(one) => one == id,
            Self::Below(beginning) => {
                id.as_str().strip_prefix(beginning.as_str()).is_some_and(|rest| rest.starts_with('/'))
            }
        }
    }
}

impl fmt::Display for SpiffePattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(id) => formatter.write_str(id.as_str()),
            Self::Below(id) => write!(formatter, "{}/*", id.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_has_one_spelling() {
        for sound in ["spiffe://example.org", "spiffe://example.org/ns/ai/sa/agent-1", "spiffe://a/B_c.d"] {
            assert_eq!(SpiffeId::parse(sound).unwrap().as_str(), sound);
        }
        for unsound in [
            "",
            "spiffe://",
            "spiffe:///ns",
            "https://example.org/ns",
            "SPIFFE://example.org/ns",
            "spiffe://Example.org/ns",
            "spiffe://example.org/",
            "spiffe://example.org//ns",
            "spiffe://example.org/ns/",
            "spiffe://example.org/a/../b",
            "spiffe://example.org/./b",
            "spiffe://example.org/a%2fb",
            "spiffe://example.org/a?b",
            "spiffe://example.org/a#b",
            "spiffe://example.org:80/a",
            "spiffe://user@example.org/a",
            "spiffe://example.org/*",
            "spiffe://example.org/a b",
            "spiffe://example.org/ü",
        ] {
            assert!(SpiffeId::parse(unsound).is_none(), "{unsound}");
        }
        assert!(SpiffeId::parse(&format!("spiffe://a/{}", "x".repeat(2048))).is_none());
    }

    #[test]
    fn a_pattern_means_one_identity_or_those_below_a_path_and_no_neighbour() {
        let matches = |pattern: &str, id: &str| {
            SpiffePattern::parse(pattern).unwrap().matches(&SpiffeId::parse(id).unwrap())
        };
        assert!(matches("spiffe://example.org/ns/ai", "spiffe://example.org/ns/ai"));
        assert!(!matches("spiffe://example.org/ns/ai", "spiffe://example.org/ns/ai/sa/x"));
        assert!(matches("spiffe://example.org/ns/ai/*", "spiffe://example.org/ns/ai/sa/x"));
        assert!(matches("spiffe://example.org/*", "spiffe://example.org/ns"));
        for neighbour in [
            "spiffe://example.org/ns/ai",
            "spiffe://example.org/ns/ai-2/sa/x",
            "spiffe://example.org.evil/ns/ai/sa/x",
            "spiffe://example.org/NS/ai/sa/x",
        ] {
            assert!(!matches("spiffe://example.org/ns/ai/*", neighbour), "{neighbour}");
        }
        for unsound in ["spiffe://example.org/n*", "spiffe://*", "spiffe://example.org/*/sa", "*"] {
            assert!(SpiffePattern::parse(unsound).is_none(), "{unsound}");
        }
    }
}
