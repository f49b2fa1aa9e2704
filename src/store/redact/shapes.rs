//! The shapes of well-known keys: a prefix, a minimum length and an alphabet each. Looks at one position of a text and
//! says how many bytes a key takes there.

/// What a key is made of after its prefix.
#[derive(Clone, Copy)]
enum Alphabet {
    /// Letters, digits, `_` and `-`.
    Word,
    /// The same and `.`.
    Dotted,
    /// Upper-case letters and digits.
    Upper,
    /// Letters, digits, `/`, `+`, `=`, `_` and `-`.
    Path,
}

struct Shape {
    prefix: &'static str,
    least: usize,
    alphabet: Alphabet,
}

const fn shape(prefix: &'static str, least: usize, alphabet: Alphabet) -> Shape {
    Shape { prefix, least, alphabet }
}

/// `least` counts what follows the prefix. The figures are those the issuers publish, or 16 where they publish none.
const SHAPES: [Shape; 43] = [
    // OpenAI, Anthropic and those who imitate them.
    shape("sk-", 16, Alphabet::Word),
    shape("sess-", 24, Alphabet::Word),
    shape("xai-", 16, Alphabet::Word),
    shape("gsk_", 16, Alphabet::Word),
    shape("hf_", 16, Alphabet::Word),
    shape("r8_", 16, Alphabet::Word),
    // Google.
    shape("AIza", 16, Alphabet::Word),
    shape("ya29.", 16, Alphabet::Dotted),
    shape("GOCSPX-", 16, Alphabet::Word),
    // GitHub and GitLab.
    shape("ghp_", 16, Alphabet::Word),
    shape("gho_", 16, Alphabet::Word),
    shape("ghu_", 16, Alphabet::Word),
    shape("ghs_", 16, Alphabet::Word),
    shape("ghr_", 16, Alphabet::Word),
    shape("github_pat_", 16, Alphabet::Word),
    shape("glpat-", 16, Alphabet::Dotted),
    shape("gldt-", 16, Alphabet::Word),
    // Amazon: identifiers of keys.
    shape("AKIA", 16, Alphabet::Upper),
    shape("ASIA", 16, Alphabet::Upper),
    shape("ABIA", 16, Alphabet::Upper),
    shape("ACCA", 16, Alphabet::Upper),
    // Slack.
    shape("xoxa-", 10, Alphabet::Word),
    shape("xoxb-", 10, Alphabet::Word),
    shape("xoxc-", 10, Alphabet::Word),
    shape("xoxd-", 10, Alphabet::Path),
    shape("xoxe-", 10, Alphabet::Word),
    shape("xoxe.xox", 10, Alphabet::Word),
    shape("xoxo-", 10, Alphabet::Word),
    shape("xoxp-", 10, Alphabet::Word),
    shape("xoxr-", 10, Alphabet::Word),
    shape("xoxs-", 10, Alphabet::Word),
    shape("xapp-", 10, Alphabet::Word),
    shape("hooks.slack.com/services/", 16, Alphabet::Path),
    // Stripe.
    shape("sk_live_", 10, Alphabet::Word),
    shape("sk_test_", 10, Alphabet::Word),
    shape("rk_live_", 10, Alphabet::Word),
    shape("whsec_", 16, Alphabet::Path),
    // Registries and others.
    shape("npm_", 30, Alphabet::Word),
    shape("pypi-", 32, Alphabet::Word),
    shape("dop_v1_", 32, Alphabet::Word),
    shape("dckr_pat_", 16, Alphabet::Word),
    shape("SG.", 32, Alphabet::Dotted),
    shape("AGE-SECRET-KEY-1", 16, Alphabet::Upper),
];

impl Alphabet {
    fn contains(self, byte: u8) -> bool {
        match self {
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'),
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Path => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'/' | b'+' | b'='),
        }
    }

    fn run(self, bytes: &[u8]) -> usize {
        bytes.iter().take_while(|byte| self.contains(**byte)).count()
    }
}

/// The length of the key that starts here, if one does. Costs no more than the key is long, plus a constant.
pub(super) fn key_length(bytes: &[u8]) -> Option<usize> {
    SHAPES.iter().find_map(|shape| measure(bytes, shape)).or_else(|| web_token(bytes))
}

fn measure(bytes: &[u8], shape: &Shape) -> Option<usize> {
    let body = bytes.strip_prefix(shape.prefix.as_bytes())?;
    // Too short a run is given up after `least` bytes at most, so that a text of prefixes stays linear.
    let long_enough = shape.alphabet.run(body.get(..shape.least)?) == shape.least;
    long_enough.then(|| shape.prefix.len().saturating_add(shape.alphabet.run(body)))
}

/// A JSON web token: three parts, of which the first two are base64 of objects and thus start alike.
fn web_token(bytes: &[u8]) -> Option<usize> {
    let body = bytes.strip_prefix(b"eyJ")?;
    (Alphabet::Dotted.run(body.get(..16)?) == 16).then(|| Alphabet::Dotted.run(body).saturating_add(3))
}
