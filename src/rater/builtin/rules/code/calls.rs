//! The names in a piece of JavaScript, for rules with tables of their own.
//!
//! Promises that what is called has a name. Knows nothing of what the names mean.

use super::lexer::{self, Language, Token};
use super::{MAX_TOKENS, SOME, UNKNOWN};

/// A name in code.
pub(crate) struct Called {
    /// The name.
    pub(crate) name: String,
    /// It is called.
    pub(crate) is_called: bool,
    /// Its first argument is an empty object, or there is none.
    pub(crate) first_is_empty: bool,
    /// The first key of its first argument.
    pub(crate) first_key: Option<String>,
}

/// The names in a piece of JavaScript; `None` where what is called has no name.
pub(crate) fn calls(code: &str) -> Option<Vec<Called>> {
    if code.contains([UNKNOWN, SOME]) {
        return None;
    }
    let tokens = lexer::tokens(Language::JavaScript, code).filter(|tokens| tokens.len() <= MAX_TOKENS)?;
    let is = |at: usize, sign: char| tokens.get(at).is_some_and(|token| token.is(sign));
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(')
                if at.checked_sub(1).is_some_and(|before| is(before, ']') || is(before, ')')) =>
            {
                return None;
            }
            Token::Word(word) => {
                let is_called = is(at + 1, '(');
                let empty = is(at + 2, ')') || is(at + 2, '{') && is(at + 3, '}');
                let first_key = match tokens.get(at + 3) {
                    Some(Token::Word(key)) if is(at + 2, '{') => Some(key.clone()),
                    _ => None,
                };
                found.push(Called {
                    name: word.clone(),
                    is_called,
                    first_is_empty: is_called && empty,
                    first_key,
                });
            }
            Token::Text(text) if text.starts_with('$') => {
                found.push(Called {
                    name: text.clone(),
                    is_called: false,
                    first_is_empty: false,
                    first_key: None,
                });
            }
            _ => {}
        }
    }
    Some(found)
}
