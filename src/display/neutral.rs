//! Characters that a reader cannot see, made visible.
//!
//! Promises that the result holds no line break and no control, format, bidirectional or blank character but the
//! space, that ordinary text stays byte for byte, and that a second pass changes nothing. Looks at characters only:
//! a reader of terminal sequences could be fooled by one that it does not know.

use std::borrow::Cow;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};

/// Combining marks shown on one base character; a fifth and later ones are escaped. Vietnamese needs two, Hebrew with
/// cantillation and Tibetan stacks up to four; more of them paint over the rows around them.
const MARKS_PER_BASE: usize = 4;

/// Asks for the coloured form of the emoji before it.
const EMOJI_PRESENTATION: char = '\u{fe0f}';

/// Draws a key around the digit before it.
const KEYCAP: char = '\u{20e3}';

/// Whether a reader can see that this character is there and what it does.
///
/// False for control, format, separator, private-use and unassigned characters, for every blank but the space, and
/// for characters that fonts draw as nothing: fillers, the empty Braille cell, variation selectors. Combining marks
/// count as visible; how many of them one base carries is for [`neutralise`] to bound.
#[must_use]
pub fn is_visible(character: char) -> bool {
    if character.is_ascii() {
        return matches!(character, ' '..='~');
    }
    !draws_nothing(character)
        && !matches!(
            character.general_category(),
            GeneralCategory::Control
                | GeneralCategory::Format
                | GeneralCategory::LineSeparator
                | GeneralCategory::ParagraphSeparator
                | GeneralCategory::SpaceSeparator
                | GeneralCategory::PrivateUse
                | GeneralCategory::Surrogate
                | GeneralCategory::Unassigned
        )
}

/// Letters, marks and symbols by category that are painted as nothing: Unicode's default-ignorable characters outside
/// the format category, and the symbols that are defined as empty.
fn draws_nothing(character: char) -> bool {
    matches!(
        character,
        '\u{34f}'                          // combining grapheme joiner
        | '\u{115f}' | '\u{1160}'          // Hangul fillers
        | '\u{17b4}' | '\u{17b5}'          // Khmer inherent vowels
        | '\u{180b}'..='\u{180f}'          // Mongolian variation selectors
        | '\u{2800}'                       // empty Braille cell
        | '\u{2d7f}'                       // Tifinagh joiner
        | '\u{3164}' | '\u{ffa0}'          // Hangul fillers
        | '\u{fe00}'..='\u{fe0f}'          // variation selectors
        | '\u{fffc}'                       // stands for an object that is not there
        | '\u{1107f}'                      // Brahmi number joiner
        | '\u{13441}' | '\u{13442}'        // Egyptian blanks
        | '\u{16fe4}'                      // Khitan filler
        | '\u{1d159}'                      // musical null notehead
        | '\u{e0100}'..='\u{e01ef}'        // more variation selectors
    )
}

/// The visible spelling of a character by its number: `\xHH`, `\uHHHH` or `\u{H…}`, in lower-case hexadecimal.
#[must_use]
pub fn escape(character: char) -> String {
    let number = u32::from(character);
    if number <= 0xff {
        format!("\\x{number:02x}")
    } else if number <= 0xffff {
        format!("\\u{number:04x}")
    } else {
        format!("\\u{{{number:x}}}")
    }
}

/// The text with everything that cannot be seen written as an escape, line breaks and tabs too.
///
/// Ordinary text (accents, CJK, emoji) comes back unchanged and unallocated. Joined emoji are shown in parts, because
/// their joiner is a format character. A combining mark with nothing to stand on is escaped, so that it cannot
/// decorate what the caller put in front of it.
#[must_use]
pub fn neutralise(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(text);
    }
    let mut reading = Reading::default();
    let mut changed: Option<String> = None;
    let mut characters = text.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let following = characters.peek().map(|&(_, next)| next);
        if reading.keeps(character, following) {
            if let Some(changed) = changed.as_mut() {
                changed.push(character);
            }
        } else {
            changed
                .get_or_insert_with(|| text.get(..offset).unwrap_or_default().to_owned())
                .push_str(&escape(character));
        }
    }
    changed.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The text in one line: first neutralised, so that a line break shows as `\x0a`, then runs of blanks collapsed to one
/// space and the ends trimmed.
#[must_use]
pub fn one_line(text: &str) -> String {
    let neutral = neutralise(text);
    let mut line = String::with_capacity(neutral.len());
    for word in neutral.split(' ').filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// What was shown just before, as far as the next character depends on it.
#[derive(Default)]
struct Reading {
    /// The last character, if it was shown as it is.
    previous: Option<char>,
    /// How many more combining marks the last base may carry. Nothing at the start, after a space and after an escape.
    room_for_marks: usize,
}

impl Reading {
    /// Whether the character may be shown as it is.
    fn keeps(&mut self, character: char, following: Option<char>) -> bool {
        let keep = if character == EMOJI_PRESENTATION {
            self.previous.is_some_and(|base| {
                if base.is_ascii() { is_key(base) && following == Some(KEYCAP) } else { base.is_emoji_char() }
            })
        } else if !is_visible(character) {
            false
        } else if character.general_category_group() == GeneralCategoryGroup::Mark {
            let room = self.room_for_marks.checked_sub(1);
            self.room_for_marks = room.unwrap_or(0);
            room.is_some()
        } else {
            self.room_for_marks = if character == ' ' { 0 } else { MARKS_PER_BASE };
            true
        };
        if !keep {
            self.room_for_marks = 0;
        }
        self.previous = keep.then_some(character);
        keep
    }
}

/// Characters that have a keycap emoji.
fn is_key(character: char) -> bool {
    matches!(character, '0'..='9' | '#' | '*')
}
