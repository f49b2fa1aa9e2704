//! What code takes out of the environment.
//!
//! Promises that a secret variable that code asks for is named. Knows nothing of files.

use super::super::super::findings::Findings;
use super::super::super::objects::shown;
use super::super::super::variables::is_environment_secret;
use super::{Language, Reading, Token};
use crate::gate::Outcome;

/// Whether the word at a place is the environment or asks for a variable; adds what is asked for.
pub(super) fn looked_at(reading: &Reading<'_>, at: usize, word: &str, findings: &mut Findings) -> bool {
    if !is_environment(reading, at, word) && !asks(reading, at, word) {
        return false;
    }
    match variable(reading, at) {
        Some(name) if is_environment_secret(&name) => findings.add(Outcome::Attack, || {
            format!("{} takes the secret in the variable {}.", shown(reading.call.program), shown(&name))
        }),
        Some(_) => {}
        None if is_only_asked_for(reading, at) => {}
        None => {
            let wanted = ["KEY", "SECRET", "TOKEN", "PASS", "CREDENTIAL", "AWS_"];
            let sought = reading.texts().any(|text| {
                let text = text.to_ascii_uppercase();
                wanted.iter().any(|part| text.contains(part))
            });
            if sought {
                findings.add(Outcome::Attack, || "It looks for secrets in the environment.".to_owned());
            } else {
                findings.add(Outcome::Destructive, || {
                    "It takes the whole environment, in which secrets may be.".to_owned()
                });
            }
        }
    }
    true
}

/// `'X' in os.environ`
fn is_only_asked_for(reading: &Reading<'_>, at: usize) -> bool {
    let start = if reading.is(at.wrapping_sub(1), '.') { at.wrapping_sub(2) } else { at };
    reading.word(start.wrapping_sub(1)) == Some("in")
        && matches!(reading.tokens.get(start.wrapping_sub(2)), Some(Token::Text(_)))
        && !reading.is(at + 1, '.')
}

/// Whether the code takes the whole environment.
pub(super) fn whole_environment(reading: &Reading<'_>) -> bool {
    (0..reading.tokens.len()).any(|at| {
        reading.word(at).is_some_and(|word| is_environment(reading, at, word))
            && variable(reading, at).is_none()
            && !is_only_asked_for(reading, at)
    })
}

fn is_environment(reading: &Reading<'_>, at: usize, word: &str) -> bool {
    match reading.language {
        Language::Python => matches!(word, "environ" | "environb"),
        Language::JavaScript => {
            word == "env"
                && reading.is(at.wrapping_sub(1), '.')
                && matches!(reading.word(at.wrapping_sub(2)), Some("process" | "Bun" | "Deno" | "meta"))
        }
        Language::Ruby => word == "ENV",
        Language::Perl | Language::Php => false,
    }
}

fn asks(reading: &Reading<'_>, at: usize, word: &str) -> bool {
    matches!(reading.language, Language::Python | Language::Php)
        && word == "getenv"
        && reading.is(at + 1, '(')
}

/// The name of the variable that is asked for behind the environment.
fn variable(reading: &Reading<'_>, at: usize) -> Option<String> {
    let text = |at: usize| match reading.tokens.get(at) {
        Some(Token::Text(text)) => Some(text.clone()),
        _ => None,
    };
    if reading.is(at + 1, '[') && reading.is(at + 3, ']')
        || reading.is(at + 1, '(') && reading.is(at + 3, ')')
    {
        return text(at + 2);
    }
    if reading.is(at + 1, '(') && reading.is(at + 3, ',') {
        return text(at + 2);
    }
    if !reading.is(at + 1, '.') {
        return None;
    }
    match reading.word(at + 2) {
        Some("get" | "fetch" | "has" | "key" | "setdefault" | "pop") => text(at + 4),
        Some(name) if reading.language == Language::JavaScript => Some(name.to_owned()),
        Some(_) | None => None,
    }
}
