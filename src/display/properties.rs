//! What the framing guarantees whatever characters go in.

use super::tests::announced;
use super::*;
use proptest::prelude::*;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};
use unicode_width::UnicodeWidthStr;

/// Characters that matter here, and any others.
fn hostile_character() -> impl Strategy<Value = char> {
    prop_oneof![
        4 => prop::char::range(' ', '~'),
        2 => prop::sample::select(vec![
            '\n', '\r', '\t', '\0', '\x1b', '\x08', '\x7f', '\u{85}', '\u{9b}', '\u{a0}', '\u{ad}', '\u{301}', '\u{489}', '\u{34f}',
            '\u{200b}', '\u{200d}', '\u{202e}', '\u{2066}', '\u{2028}', '\u{2029}', '\u{fe0f}', '\u{fe0e}', '\u{20e3}', '\u{feff}',
            '\u{e0001}', '\u{e0100}', '\u{1f1e6}', '\u{1f469}', '\u{1f3fd}', '❤', '1', '#', '界', 'é', '│', '┊', '⋯', '\u{1100}', '\u{1161}',
            '\u{11a8}', '\u{915}', '\u{94d}', '\u{93e}', '\u{d4e}', '\u{3164}', '\u{2800}', '\u{ff9e}', '\u{644}', '\u{627}', ';', '|', '&', '$', '`',
        ]),
        2 => any::<char>(),
    ]
}

fn hostile_text() -> impl Strategy<Value = String> {
    prop::collection::vec(hostile_character(), 0..400).prop_map(|characters| characters.into_iter().collect())
}

/// No character that a reader could not see; emoji selectors only where they belong.
fn assert_visible(text: &str) -> Result<(), TestCaseError> {
    let mut previous = None;
    for character in text.chars() {
        let category = character.general_category();
        prop_assert!(
            !matches!(
                category,
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
            ),
            "{character:?} in {text:?}"
        );
        prop_assert!(character == ' ' || !character.is_whitespace(), "{character:?} in {text:?}");
        if character == '\u{fe0f}' {
            prop_assert!(previous.is_some_and(|base: char| !base.is_alphabetic() && base != ' '), "{text:?}");
        } else {
            prop_assert!(is_visible(character), "{character:?} in {text:?}");
        }
        previous = Some(character);
    }
    Ok(())
}

/// Whether a row starts with the gutter of a frame.
fn has_gutter(row: &str) -> bool {
    let Some(rest) = row.strip_prefix("  ") else { return false };
    let rest = rest.trim_start_matches(|character: char| character == ' ' || character.is_ascii_digit());
    ["│ ", "┊ ", "⋯ "].iter().any(|bar| rest.starts_with(bar))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_unseen_comes_out_and_a_second_pass_changes_nothing(text in hostile_text()) {
        let once = neutralise(&text).into_owned();
        assert_visible(&once)?;
        prop_assert_eq!(neutralise(&once), once.as_str());
        let line = one_line(&text);
        assert_visible(&line)?;
        prop_assert_eq!(one_line(&line), line);
    }

    #[test]
    fn the_ruler_never_says_less_than_either_east_asian_policy(text in hostile_text()) {
        let text = neutralise(&text);
        prop_assert!(width(&text) >= text.width());
        prop_assert!(width(&text) >= text.width_cjk());
    }

    #[test]
    fn every_row_is_visible_guttered_and_fits(text in hostile_text(), columns in 0_usize..130, max_lines in 0_usize..30, max_rows in prop::option::of(0_usize..12)) {
        let limits = Frame { columns, max_lines, max_rows };
        let rows = frame(&text, &limits);
        prop_assert!(!rows.is_empty());
        prop_assert!(max_rows.is_none_or(|most| rows.len() <= most.max(1)));
        for row in &rows {
            assert_visible(row)?;
            prop_assert!(has_gutter(row), "{row:?}");
            prop_assert!(width(row) <= limits.width(), "{row:?}");
            prop_assert!(row.width() <= limits.width() && row.width_cjk() <= limits.width(), "{row:?}");
        }
        let command = frame_command(&text, &limits);
        for row in &command {
            assert_visible(row)?;
            prop_assert!(row.starts_with("  ") && width(row) <= limits.width(), "{row:?}");
        }
    }

    #[test]
    fn shown_and_announced_lines_add_up(lines in prop::collection::vec("[a;|&]{0,12}", 1..80), max_lines in 1_usize..30) {
        let limits = Frame { max_lines, ..Frame::default() };
        let text = lines.join("\n") + "\n";
        for rows in [frame(&text, &limits), frame_command(&text, &limits)] {
            let shown = rows.iter().filter(|row| row.contains('│')).count();
            let hidden: usize = rows.iter().filter_map(|row| announced(row)).sum();
            prop_assert!(shown <= max_lines);
            prop_assert_eq!(shown + hidden, lines.len());
        }
    }

    #[test]
    fn rows_hidden_by_a_bound_add_up(text in hostile_text(), columns in 0_usize..100, most in 1_usize..12) {
        let unbounded = |max_lines| frame(&text, &Frame { columns, max_lines, max_rows: None });
        let whole = unbounded(usize::MAX).len();
        for max_lines in [3, usize::MAX] {
            let rows = frame(&text, &Frame { columns, max_lines, max_rows: Some(most) });
            let wanted = unbounded(max_lines);
            if wanted.len() <= most {
                prop_assert_eq!(rows, wanted);
            } else {
                let (last, shown) = rows.split_last().unwrap();
                prop_assert_eq!(shown, &wanted[..most - 1]);
                prop_assert_eq!(announced(last), Some(whole - shown.len()));
            }
        }
    }

    #[test]
    fn clipped_text_always_fits(text in hostile_text(), columns in 0_usize..100) {
        let neutral = neutralise(&text);
        let clipped = clip(&neutral, columns);
        prop_assert!(width(&clipped) <= columns);
        prop_assert_eq!(clipped == neutral, width(&neutral) <= columns);
    }

    #[test]
    fn a_frame_laid_out_for_another_width_keeps_its_promises_and_its_text(text in hostile_text(), from in 21_usize..130, columns in 20_usize..130) {
        let rows = frame(&text, &Frame { columns: from, ..Frame::default() });
        let read = blocks(&rows);
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(read[0].rows(from - 1), rows);
        let laid_out = read[0].rows(columns);
        for row in &laid_out {
            assert_visible(row)?;
            prop_assert!(has_gutter(row), "{row:?}");
            prop_assert!(width(row) <= columns, "{row:?}");
        }
        prop_assert_eq!(&blocks(&laid_out)[0], &read[0]);
    }

    #[test]
    fn whatever_rows_a_server_sends_nothing_unseen_comes_out(lines in prop::collection::vec(hostile_text(), 0..6), columns in 20_usize..100) {
        for block in blocks(&lines) {
            assert_visible(&block.label)?;
            for row in block.rows(columns) {
                assert_visible(&row)?;
                prop_assert!(row.is_empty() || row.starts_with("  ") || row == "…", "{row:?}");
                prop_assert!(width(&row) <= columns, "{row:?}");
            }
        }
    }

    #[test]
    fn nothing_untrusted_stands_at_the_left_edge_of_a_banner_or_forges_its_own_words(command in hostile_text(), reason in hostile_text(), columns in 0_usize..130) {
        let limits = Frame { columns, ..Frame::default() };
        let plain = attack_banner("x", "y", &limits);
        for row in attack_banner(&command, &reason, &limits) {
            assert_visible(&row)?;
            prop_assert!(row.starts_with("  ") || plain.contains(&row), "{row:?}");
        }
    }

    #[test]
    fn a_headline_is_one_visible_line_whatever_the_names_are(first in hostile_text(), second in hostile_text(), third in hostile_text()) {
        for headline in [
            Headline::Shell { tool: &first },
            Headline::Tool { name: &first },
            Headline::McpTool { server: &first, name: &second, registered: &third },
        ] {
            let line = headline.to_string();
            assert_visible(&line)?;
            prop_assert!(line.starts_with("The agent wants to "), "{line:?}");
        }
    }
}
