//! Patterns that miss what they seem meant for, or let through more than they seem to say.
//!
//! Commands are compared in their canonical spelling (words joined by single blanks, quoted only where needed, with
//! single quotes) and as written. Promises a warning only where a pattern cannot match the canonical spelling, or an
//! allow pattern matches far more than it says. Knows nothing of other entries and of rungs.

use crate::rules::{Entry, ListKind, TextPattern};
use crate::shell::canonicalize;

/// Warns of a shell pattern.
pub(super) fn check(list: ListKind, entry: &Entry, warn: &mut impl FnMut(&str, String)) {
    let Entry::Shell { pattern, .. } = entry else { return };
    match (list, pattern) {
        (ListKind::Allow, TextPattern::Exact(text)) => {
            if canonicalize(text).is_none() {
                warn(".pattern", format!("can never match: {text:?} {NOT_SIMPLE}"));
            }
        }
        // The whole text and every part of it are compared on these lists, so that any text can match.
        (ListKind::Deny | ListKind::Escalate, TextPattern::Exact(_)) => {}
        (ListKind::Allow, TextPattern::Glob(glob)) => {
            if glob.chars().all(|character| character == '*') {
                warn(".pattern", ALL.to_owned());
            } else if !can_be_simple(glob) {
                warn(".pattern", format!("can never match: {glob:?} {NOT_SIMPLE}"));
            } else if let Some(why) = misses_canonical(glob) {
                warn(".pattern", why.to_owned());
            }
        }
        (ListKind::Deny | ListKind::Escalate, TextPattern::Glob(glob)) => {
            if let Some(why) = misses_canonical(glob) {
                warn(".pattern", why.to_owned());
            }
        }
        (ListKind::Allow, TextPattern::Regexp(regexp)) => {
            if ["", ".*", "^.*", ".*$", "^.*$", ".+", "^.+$", "^", "$"].contains(&regexp.as_str()) {
                warn(".pattern", ALL.to_owned());
            } else if has_unanchored_alternative(regexp) {
                warn(
                    ".pattern",
                    "lets through every command that contains a match anywhere, in an argument too; begin each \
                     alternative with `^`"
                        .to_owned(),
                );
            }
        }
        (ListKind::Deny | ListKind::Escalate, TextPattern::Regexp(_)) => {}
    }
}

const NOT_SIMPLE: &str = "is not one simple command without redirections and expansions, and an allow entry matches \
                          nothing else";

const ALL: &str = "lets through every simple command; if that is meant, `\"mode\": \"bypass\"` says it";

/// Whether some text that the glob matches is one simple command.
fn can_be_simple(glob: &str) -> bool {
    const OPENINGS: [&str; 3] = ["", "'", "\""];
    // A star may stand for the other half of a pair of quotes.
    let filled = glob.replace('*', "x");
    let before = if glob.starts_with('*') { OPENINGS.as_slice() } else { &[""] };
    let after = if glob.ends_with('*') { OPENINGS.as_slice() } else { &[""] };
    let halves = OPENINGS.map(|quote| glob.replace('*', &format!("{quote}x{quote}")));
    before.iter().any(|start| after.iter().any(|end| canonicalize(&format!("{start}{filled}{end}")).is_some()))
        || halves.iter().any(|text| canonicalize(text).is_some())
        // Between two quotes that a star opens and closes, anything can stand.
        || (glob.matches('*').count() > 1 && glob.contains(['\'', '"']))
}

/// Why no canonical spelling matches the glob, where none does.
fn misses_canonical(glob: &str) -> Option<&'static str> {
    let blank = |character: char| character.is_whitespace();
    if glob.starts_with(blank) || glob.ends_with(blank) {
        return Some("begins or ends with a blank, and commands are compared without those; remove it");
    }
    // Inside single quotes anything can stand.
    if glob.contains('\'') {
        return needless_quotes(glob).then_some(
            "quotes a word that needs none, and commands are compared without such quotes; remove them",
        );
    }
    if glob.contains("  ") || glob.contains('\t') {
        Some(
            "has a run of blanks or a tab, and words are compared with single blanks between them; write one blank",
        )
    } else if glob.contains('"') {
        Some(
            "has a double quote, and words are compared unquoted, or in single quotes where they need some; write those",
        )
    } else if glob.contains('\\') {
        Some(
            "has a backslash, and words are compared unquoted, or in single quotes where they need some; write those",
        )
    } else {
        None
    }
}

/// Whether a pair of single quotes holds nothing but characters that are never quoted.
fn needless_quotes(glob: &str) -> bool {
    let bare = |character: char| character.is_ascii_alphanumeric() || "_@%+=:,./^~?[]{}-".contains(character);
    let pieces: Vec<&str> = glob.split('\'').collect();
    // Pieces at odd places stand between quotes; the last one has no closing quote.
    pieces.len() % 2 == 1
        && pieces.iter().skip(1).step_by(2).any(|piece| !piece.is_empty() && piece.chars().all(bare))
}

/// Whether an alternative at the top of the expression holds no `^`.
fn has_unanchored_alternative(regexp: &str) -> bool {
    let mut depth = 0_usize;
    let mut in_class = false;
    let mut anchored = false;
    let mut characters = regexp.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            '[' if !in_class => {
                in_class = true;
                // A `^` right here negates the class; a `]` right here ends it.
                if characters.as_str().starts_with('^') {
                    characters.next();
                }
            }
            ']' if in_class => in_class = false,
            '(' if !in_class => depth = depth.saturating_add(1),
            ')' if !in_class => depth = depth.saturating_sub(1),
            '^' if !in_class => anchored = true,
            '|' if !in_class && depth == 0 => {
                if !anchored {
                    return true;
                }
                anchored = false;
            }
            _ => {}
        }
    }
    !anchored
}
