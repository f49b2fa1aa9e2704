//! How texts are made comparable: case for the restrictive lists, the ends of a command for all.
//!
//! Promises simple, per-character folding and a trim that never changes what a shell would read. Knows nothing of entries.

use std::borrow::Cow;

/// The text in lower case, character by character (Unicode simple lower-casing).
pub(super) fn fold_case(text: &str) -> Cow<'_, str> {
    let is_folded = text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_folded {
        return Cow::Borrowed(text);
    }
    // The simple mapping of a character is the first of its full mapping: only U+0130 has a longer one.
    Cow::Owned(text.chars().map(|character| character.to_lowercase().next().unwrap_or(character)).collect())
}

/// The command without the blanks and line breaks around it, as a shell would drop them: one that a backslash quotes stays.
pub(super) fn trim_command(text: &str) -> &str {
    let is_blank = |character: char| matches!(character, ' ' | '\t' | '\n');
    let text = text.trim_start_matches(is_blank);
    let trimmed = text.trim_end_matches(is_blank);
    let backslashes = trimmed.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 0 || trimmed.len() == text.len() {
        return trimmed;
    }
    let quoted =
        text.chars().rev().take_while(|character| is_blank(*character)).last().map_or(0, char::len_utf8);
    text.get(..trimmed.len().saturating_add(quoted)).unwrap_or(text)
}

/// Whether a `#` may begin a comment: what follows it is text that a pattern could be satisfied by though no shell runs it.
pub(super) fn may_hold_comment(text: &str) -> bool {
    let mut at_word_start = true;
    for character in text.chars() {
        if character == '#' && at_word_start {
            return true;
        }
        at_word_start =
            matches!(character, ' ' | '\t' | '\n' | '\r' | ';' | '&' | '|' | '(' | ')' | '<' | '>');
    }
    false
}

/// Whether the text becomes its canonical spelling when double quotes are written as single ones.
pub(super) fn differs_in_quotes_only(text: &str, canonical: &str) -> bool {
    let single_quoted = text.bytes().map(|byte| if byte == b'"' { b'\'' } else { byte });
    single_quoted.eq(canonical.bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_folds_by_simple_lower_casing() {
        for (text, folded) in [
            ("npm publish", "npm publish"),
            ("NPM Publish", "npm publish"),
            ("İX", "ix"),
            ("ΣΑΣ", "σασ"),
            ("\u{212A}", "k"),
        ] {
            assert_eq!(fold_case(text), folded);
        }
    }

    #[test]
    fn trimming_keeps_a_blank_that_a_backslash_quotes() {
        for (text, trimmed) in [
            ("  ls -l \n", "ls -l"),
            ("ls \\ ", "ls \\ "),
            ("ls \\   ", "ls \\ "),
            ("ls \\\\ ", "ls \\\\"),
            ("ls \\", "ls \\"),
            ("\u{A0}ls", "\u{A0}ls"),
            ("ls\r", "ls\r"),
            (" \n ", ""),
        ] {
            assert_eq!(trim_command(text), trimmed, "{text:?}");
        }
    }

    #[test]
    fn only_the_kind_of_quotes_may_differ() {
        let canonical = "git commit -m 'fix it'";
        assert!(differs_in_quotes_only("git commit -m \"fix it\"", canonical));
        assert!(!differs_in_quotes_only("git \"commit\" -m 'fix it'", canonical));
        assert!(!differs_in_quotes_only("git commit -m fix\\ it", canonical));
    }

    #[test]
    fn a_number_sign_inside_a_word_is_no_comment() {
        assert!(may_hold_comment("ls # --dry-run"));
        assert!(may_hold_comment("# x\nls"));
        assert!(!may_hold_comment("echo a#b \"#c\""));
    }
}
