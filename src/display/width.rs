//! How many terminal columns a text may take.
//!
//! Promises never to say less than a terminal of either East Asian policy takes: ambiguous characters, emoji and
//! regional indicators count two columns, and widths add up, whatever stands side by side. Expects neutralised text.

use unicode_properties::{GeneralCategory, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Ends a text that was cut.
const ELLIPSIS: char = '…';

/// The columns that a text takes at most.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

/// The columns that a character takes at most, wherever it stands.
fn character_width(character: char) -> usize {
    if character.is_ascii() {
        return 1;
    }
    let wide = UnicodeWidthChar::width_cjk(character).unwrap_or(1);
    let least = match character {
        // An emoji selector or a keycap widens the character before it on some terminals.
        '\u{fe0f}' | '\u{20e3}' => 1,
        other if other.is_emoji_char() || is_ambiguous_letter(other) => 2,
        other => match other.general_category() {
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark => 0,
            // Terminals differ on conjoining letters and spacing marks.
            _ => 1,
        },
    };
    wide.max(least)
}

/// Letters and spacing accents whose East Asian width is ambiguous (Unicode 14, `EastAsianWidth.txt`). Older East Asian
/// terminals draw them two columns wide; `unicode-width` counts one.
fn is_ambiguous_letter(character: char) -> bool {
    matches!(
        character,
        '\u{a8}' | '\u{aa}' | '\u{b4}' | '\u{b8}' | '\u{ba}' | '\u{c6}' | '\u{d0}' | '\u{d8}'
        | '\u{de}'..='\u{e1}' | '\u{e6}' | '\u{e8}'..='\u{ea}' | '\u{ec}'..='\u{ed}' | '\u{f0}'
        | '\u{f2}'..='\u{f3}' | '\u{f8}'..='\u{fa}' | '\u{fc}' | '\u{fe}' | '\u{101}' | '\u{111}'
        | '\u{113}' | '\u{11b}' | '\u{126}'..='\u{127}' | '\u{12b}' | '\u{131}'..='\u{133}' | '\u{138}'
        | '\u{13f}'..='\u{142}' | '\u{144}' | '\u{148}'..='\u{14b}' | '\u{14d}' | '\u{152}'..='\u{153}'
        | '\u{166}'..='\u{167}' | '\u{16b}' | '\u{1ce}' | '\u{1d0}' | '\u{1d2}' | '\u{1d4}' | '\u{1d6}'
        | '\u{1d8}' | '\u{1da}' | '\u{1dc}' | '\u{251}' | '\u{261}' | '\u{2c4}' | '\u{2c7}'
        | '\u{2c9}'..='\u{2cb}' | '\u{2cd}' | '\u{2d0}' | '\u{2d8}'..='\u{2db}' | '\u{2dd}' | '\u{2df}'
        | '\u{391}'..='\u{3a1}' | '\u{3a3}'..='\u{3a9}' | '\u{3b1}'..='\u{3c1}' | '\u{3c3}'..='\u{3c9}'
        | '\u{401}' | '\u{410}'..='\u{44f}' | '\u{451}' | '\u{207f}' | '\u{2113}' | '\u{2126}' | '\u{212b}'
    )
}

/// The text cut at a character that a reader sees as one, with `…` at the end, so that it takes at most `columns`.
/// Text that fits is unchanged; where not even the ellipsis fits, nothing is left.
#[must_use]
pub fn clip(text: &str, columns: usize) -> String {
    let room = columns.checked_sub(character_width(ELLIPSIS));
    let mut used = 0;
    // How much of the text stays in front of an ellipsis.
    let mut kept = 0;
    let mut position = 0;
    for cluster in text.graphemes(true) {
        used += width(cluster);
        if used > columns {
            let mut clipped = text.get(..kept).unwrap_or_default().to_owned();
            if room.is_some() {
                clipped.push(ELLIPSIS);
            }
            return clipped;
        }
        position += cluster.len();
        if room.is_some_and(|room| used <= room) {
            kept = position;
        }
    }
    text.to_owned()
}
