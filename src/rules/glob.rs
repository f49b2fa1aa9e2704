//! Glob patterns: `*` stands for any run of characters, line breaks and the empty run included; all else is literal.
//!
//! Promises a match anchored at both ends, in time linear in the text. Knows nothing of entries and case.

/// A compiled glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Glob {
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Shape {
    /// No star at all.
    Literal(String),
    /// What comes before the first star, between stars, and after the last.
    Starred { prefix: String, inner: Vec<String>, suffix: String },
}

impl Glob {
    /// Compiles a pattern; every pattern is valid.
    pub(super) fn new(pattern: &str) -> Self {
        let shape = match (pattern.split_once('*'), pattern.rsplit_once('*')) {
            (Some((prefix, _)), Some((most, suffix))) => {
                let inner =
                    most.split('*').skip(1).filter(|piece| !piece.is_empty()).map(str::to_owned).collect();
                Shape::Starred { prefix: prefix.to_owned(), inner, suffix: suffix.to_owned() }
            }
            (_, _) => Shape::Literal(pattern.to_owned()),
        };
        Self { shape }
    }

    /// Whether the whole text matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        match &self.shape {
            Shape::Literal(literal) => literal == text,
            Shape::Starred { prefix, inner, suffix } => {
                let Some(mut rest) =
                    text.strip_prefix(prefix.as_str()).and_then(|rest| rest.strip_suffix(suffix.as_str()))
                else {
                    return false;
                };
                // The leftmost place of each piece leaves the most for the pieces after it.
                for piece in inner {
                    match rest.split_once(piece.as_str()) {
                        Some((_, after)) => rest = after,
                        None => return false,
                    }
                }
                true
            }
        }
    }

    /// Literals that each occur in every text that matches.
    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        let (ends, inner) = match &self.shape {
            Shape::Literal(literal) => ([literal.as_str(), ""], [].as_slice()),
            Shape::Starred { prefix, inner, suffix } => {
                ([prefix.as_str(), suffix.as_str()], inner.as_slice())
            }
        };
        ends.into_iter().chain(inner.iter().map(String::as_str)).filter(|piece| !piece.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_run_and_everything_else_is_literal() {
        for (pattern, text, matches) in [
            ("npm publish *", "npm publish", false),
            ("npm publish*", "npm publish", true),
            ("npm publish*", "npm publish --dry-run", true),
            ("git *", "git status\nrm -rf x", true),
            ("git *", "xgit status", false),
            ("*.rs", "a.rs", true),
            ("*.rs", "axrs", false),
            ("*", "", true),
            ("**", "anything", true),
            ("a*b*c", "abc", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "acb", false),
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
            ("*aa*aa*", "aaa", false),
            ("*aa*aa*", "aaaa", true),
            ("a?[b]", "a?[b]", true),
            ("a?[b]", "axb", false),
            ("", "", true),
            ("é*ü", "éxü", true),
        ] {
            assert_eq!(Glob::new(pattern).is_match(text), matches, "{pattern:?} on {text:?}");
        }
    }
}
