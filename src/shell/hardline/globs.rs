//! Pathname patterns, matched against names that are known.
//!
//! Promises what the shell does with `*`, `?`, `[…]` and a backslash, in time linear in the pattern for short names.

/// The longest pattern that is looked into, in parts: a longer one is taken to match nothing in particular.
const MAX_PARTS: usize = 1_024;
/// The longest bracket expression that is read, in characters: a longer one is taken as plain text.
const MAX_CLASS: usize = 64;

/// A pattern that was read.
pub(super) struct Pattern {
    parts: Vec<Token>,
}

impl Pattern {
    /// Reads a pattern; `None` where it is too long to be looked into.
    pub(super) fn new(text: &str) -> Option<Self> {
        let parts = tokens(text)?;
        Some(Self { parts })
    }

    /// Whether it matches a name. A leading dot is matched like any other character, as `dotglob` has it.
    pub(super) fn matches(&self, name: &str) -> bool {
        // The positions in the pattern that may be reached, kept as a set: no backtracking.
        let mut reached = vec![false; self.parts.len() + 1];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        skip_stars(&self.parts, &mut reached);
        for character in name.chars() {
            let mut next = vec![false; self.parts.len() + 1];
            let mut some = false;
            for (index, token) in self.parts.iter().enumerate() {
                if !reached.get(index).copied().unwrap_or(false) {
                    continue;
                }
                let step = match token {
                    Token::Star => Some(index),
                    Token::Any => Some(index + 1),
                    Token::Literal(literal) => (*literal == character).then_some(index + 1),
                    Token::Class { negated, ranges } => {
                        let inside = ranges.iter().any(|(from, to)| (*from..=*to).contains(&character));
                        (inside != *negated).then_some(index + 1)
                    }
                };
                if let Some(slot) = step.and_then(|step| next.get_mut(step)) {
                    *slot = true;
                    some = true;
                }
            }
            if !some {
                return false;
            }
            skip_stars(&self.parts, &mut next);
            reached = next;
        }
        reached.last().copied().unwrap_or(false)
    }
}

/// Whether a pattern matches one of some names.
pub(crate) fn matches_any(pattern: &str, names: &[&str]) -> bool {
    Pattern::new(pattern).is_some_and(|pattern| names.iter().any(|name| pattern.matches(name)))
}

/// Whether a pattern is nothing but wildcards with at least one star, so that it matches every name or nearly every.
pub(super) fn matches_all(pattern: &str) -> bool {
    pattern.contains('*') && pattern.chars().all(|character| matches!(character, '*' | '?'))
        || matches!(pattern, "[!.]*" | "[^.]*")
}

/// Whether a pattern matches every hidden name: `.*`, `.[!.]*`, `.??*`.
pub(super) fn matches_hidden(pattern: &str) -> bool {
    matches!(pattern, ".*" | ".[!.]*" | ".[^.]*" | ".??*" | ".?*" | "..?*")
}

enum Token {
    Star,
    Any,
    Literal(char),
    Class { negated: bool, ranges: Vec<(char, char)> },
}

fn skip_stars(tokens: &[Token], reached: &mut [bool]) {
    for (index, token) in tokens.iter().enumerate() {
        if matches!(token, Token::Star)
            && reached.get(index).copied().unwrap_or(false)
            && let Some(slot) = reached.get_mut(index + 1)
        {
            *slot = true;
        }
    }
}

fn tokens(pattern: &str) -> Option<Vec<Token>> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if tokens.len() > MAX_PARTS {
            return None;
        }
        match character {
            '*' => {
                if !matches!(tokens.last(), Some(Token::Star)) {
                    tokens.push(Token::Star);
                }
            }
            '?' => tokens.push(Token::Any),
            '\\' => tokens.push(Token::Literal(characters.next().unwrap_or('\\'))),
            '[' => match class(characters.as_str()) {
                Some((token, rest)) => {
                    tokens.push(token);
                    characters = rest.chars();
                }
                None => tokens.push(Token::Literal('[')),
            },
            other => tokens.push(Token::Literal(other)),
        }
    }
    Some(tokens)
}

/// A bracket expression whose `[` was read, and what follows it.
fn class(text: &str) -> Option<(Token, &str)> {
    let (negated, body) = match text.strip_prefix(['!', '^']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let mut ranges = Vec::new();
    let mut characters = body.chars();
    let mut first = true;
    let mut seen = 0;
    loop {
        let character = characters.next()?;
        seen += 1;
        if seen > MAX_CLASS {
            return None;
        }
        if character == ']' && !first {
            return Some((Token::Class { negated, ranges }, characters.as_str()));
        }
        first = false;
        if character == '['
            && let Some((name, rest)) =
                characters.as_str().strip_prefix(':').and_then(|rest| rest.split_once(":]"))
            && name.len() < 10
        {
            ranges.extend(named_class(name));
            characters = rest.chars();
            continue;
        }
        let character = if character == '\\' { characters.next()? } else { character };
        let ahead = characters.as_str();
        let end = ahead.strip_prefix('-').and_then(|rest| rest.chars().next()).filter(|end| *end != ']');
        match end {
            Some(end) => {
                ranges.push((character, end));
                characters.next();
                characters.next();
            }
            None => ranges.push((character, character)),
        }
    }
}

fn named_class(name: &str) -> &'static [(char, char)] {
    match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "lower" => &[('a', 'z')],
        "upper" => &[('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "print" | "graph" => &[('!', '~')],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_the_names_that_the_shell_would_match() {
        for (pattern, name, expected) in [
            ("*", "etc", true),
            ("?*", "etc", true),
            ("e*", "etc", true),
            ("e??", "etc", true),
            ("e?", "etc", false),
            ("[a-f]tc", "etc", true),
            ("[!a-d]tc", "etc", true),
            ("[^e]tc", "etc", false),
            ("[[:alpha:]]tc", "etc", true),
            ("[]e]tc", "etc", true),
            ("[e", "[e", true),
            ("\\*", "*", true),
            ("\\*", "e", false),
            ("*t*c*", "etc", true),
            ("", "", true),
        ] {
            assert_eq!(matches_any(pattern, &[name]), expected, "{pattern} {name}");
        }
    }
}
