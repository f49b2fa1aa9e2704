//! Folding for the restrictive side: what a person, or a careless terminal, would take a text to be.
//!
//! Promises never to be used for allowing. A folded text stands beside the text it was made from, never in its place.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

/// Folded texts longer than this are given up; compatibility forms can be eighteen times as long.
const MAX_FOLDED_BYTES: usize = 4 << 20;

/// What becomes of terminal escape sequences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sequences {
    /// Whole sequences go, as a terminal swallows them.
    Dropped,
    /// Only the escape bytes go, so that what a shell would run stays.
    Kept,
}

/// What becomes of line separators that a shell does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Separators {
    /// A newline.
    Newline,
    /// A blank.
    Blank,
}

impl Sequences {
    /// The ways that make a difference for a text.
    pub(crate) fn of(text: &str) -> &'static [Self] {
        let any = text.contains(['\u{1b}', '\u{9b}', '\u{9d}']);
        if any { &[Self::Dropped, Self::Kept] } else { &[Self::Dropped] }
    }
}

impl Separators {
    /// The ways that make a difference for a text.
    pub(crate) fn of(text: &str) -> &'static [Self] {
        let any = text.contains(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}']);
        if any { &[Self::Newline, Self::Blank] } else { &[Self::Blank] }
    }
}

/// Whether folding could change the text.
pub(crate) fn may_fold(text: &str) -> bool {
    text.bytes()
        .any(|byte| !byte.is_ascii() || (byte < 0x20 && byte != b'\n' && byte != b'\t') || byte == 0x7f)
}

/// The folded text: compatibility forms composed, invisible characters and escapes removed. `Err` when it grows too long.
pub(crate) fn fold(text: &str, sequences: Sequences, separators: Separators) -> Result<String, TooLong> {
    let mut visible = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    // Once one terminator was looked for in vain, there is none for any later sequence either.
    let mut unterminated = false;
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => visible.push(character),
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => visible.push(match separators {
                Separators::Newline => '\n',
                Separators::Blank => ' ',
            }),
            '\u{1b}' | '\u{9b}' | '\u{9d}' if sequences == Sequences::Dropped => {
                let introducer = if character == '\u{1b}' { characters.peek().copied() } else { None };
                if character == '\u{9b}' || introducer == Some('[') {
                    if introducer.is_some() {
                        characters.next();
                    }
                    while characters.next_if(|next| ('\u{20}'..='\u{3f}').contains(next)).is_some() {}
                    characters.next_if(|next| ('\u{40}'..='\u{7e}').contains(next));
                } else if !unterminated && (character == '\u{9d}' || introducer == Some(']')) {
                    let mut ahead = characters.clone();
                    if skip_string(&mut ahead) {
                        characters = ahead;
                    } else {
                        unterminated = true;
                    }
                } else {
                    characters.next_if(|next| ('@'..='_').contains(next));
                }
            }
            character if character.is_control() || is_invisible(character) => {}
            character if character.is_whitespace() => visible.push(' '),
            character => visible.push(character),
        }
    }
    // Most text is composed already, and telling that costs a fraction of composing it.
    if visible.len() <= MAX_FOLDED_BYTES && is_nfkc_quick(visible.chars()) == IsNormalized::Yes {
        return Ok(visible);
    }
    let mut folded = String::with_capacity(visible.len());
    for character in visible.nfkc() {
        folded.push(character);
        if folded.len() > MAX_FOLDED_BYTES {
            return Err(TooLong);
        }
    }
    Ok(folded)
}

/// A folded text grew beyond its bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Skips an operating-system command up to its terminator; false where there is none.
fn skip_string(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> bool {
    while let Some(character) = characters.next() {
        match character {
            '\u{7}' | '\u{9c}' => return true,
            '\u{1b}' if characters.next_if_eq(&'\\').is_some() => return true,
            _ => {}
        }
    }
    false
}

/// Characters that take no place on a screen: format characters, fillers and variation selectors.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}'
            | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_text_is_what_a_person_sees_or_what_a_shell_would_still_run() {
        let seen = |text: &str| fold(text, Sequences::Dropped, Separators::Newline).unwrap();
        let kept = |text: &str| fold(text, Sequences::Kept, Separators::Blank).unwrap();
        assert_eq!(seen("ｎｐｍ\u{a0}publish"), "npm publish");
        assert_eq!(seen("npm te\u{1b}[0mst"), "npm test");
        assert_eq!(seen("ls\u{200b} \u{202e}x"), "ls x");
        assert_eq!(seen("echo a\u{2028}npm publish"), "echo a\nnpm publish");
        assert_eq!(kept("ls \u{1b}]; rm -rf / ;\u{7}"), "ls ]; rm -rf / ;");
        assert_eq!(seen("ls \u{1b}]; rm -rf / ;\u{7}"), "ls ");
        assert_eq!(kept("ls \u{1b}[;id -un"), "ls [;id -un");
    }

    #[test]
    fn ways_of_folding_that_are_left_out_would_make_no_difference() {
        for text in [
            "é",
            "ls\u{a0}\u{200b}x",
            "a\tb\n\u{7f}",
            "e\u{301}",
            "a\rb",
            "a\u{2028}b",
            "\u{1b}[0mx",
            "\u{9d}x\u{7}",
        ] {
            for sequences in [Sequences::Dropped, Sequences::Kept] {
                for separators in [Separators::Newline, Separators::Blank] {
                    let folded = fold(text, sequences, separators);
                    let made = Sequences::of(text).iter().any(|sequences| {
                        Separators::of(text)
                            .iter()
                            .any(|separators| fold(text, *sequences, *separators) == folded)
                    });
                    assert!(made, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn unterminated_sequences_cost_no_more_than_their_length() {
        let text = "\u{1b}]".repeat(200_000);
        assert_eq!(
            fold(&text, Sequences::Dropped, Separators::Blank).map(|folded| folded.len() <= 400_000),
            Ok(true)
        );
        assert_eq!(fold(&"\u{fdfa}".repeat(400_000), Sequences::Kept, Separators::Blank), Err(TooLong));
    }
}
