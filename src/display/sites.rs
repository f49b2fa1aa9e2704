//! The places where a shell may start another command or join several.
//!
//! Promises that no such place is missed because of quoting: it reads characters, not shell, so that it can only list
//! too many. Reading shell exactly is the business of the analysis, not of the display.

use super::neutral::neutralise;
use super::width::{clip, width};
use std::fmt;

/// Sites that are listed one by one; the rest is counted. A prompt that lists more pushes the command off the screen.
const LISTED_SITES: usize = 8;

/// Columns that the excerpt of a site takes at most.
const EXCERPT_COLUMNS: usize = 48;

/// What a site does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SiteKind {
    /// The output of one command becomes text of another.
    CommandSubstitution,
    /// One command follows another or feeds it.
    Composition,
}

impl fmt::Display for SiteKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::CommandSubstitution => "command substitution",
            Self::Composition => "composition",
        })
    }
}

/// What is looked for; the longer spellings first, so that `||` is one site and not two.
const TOKENS: [(&str, SiteKind); 6] = [
    ("$(", SiteKind::CommandSubstitution),
    ("&&", SiteKind::Composition),
    ("||", SiteKind::Composition),
    ("`", SiteKind::CommandSubstitution),
    (";", SiteKind::Composition),
    ("|", SiteKind::Composition),
];

/// A token and where it stands, in bytes from the start of its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// The first byte.
    pub(super) start: usize,
    /// The byte behind it.
    pub(super) end: usize,
    /// What it does.
    pub(super) kind: SiteKind,
    /// Its spelling.
    pub(super) spelling: &'static str,
}

/// Every token of a line, from left to right.
pub(super) struct Tokens<'a> {
    rest: &'a str,
    offset: usize,
}

/// Reads the tokens of a neutralised line.
pub(super) fn tokens(line: &str) -> Tokens<'_> {
    Tokens { rest: line, offset: 0 }
}

impl Tokens<'_> {
    /// Steps over `length` bytes.
    fn advance(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.offset += length;
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let gap = self.rest.find(['$', '&', '|', '`', ';'])?;
            self.advance(gap);
            let start = self.offset;
            match TOKENS.into_iter().find(|(spelling, _)| self.rest.starts_with(spelling)) {
                Some((spelling, kind)) => {
                    self.advance(spelling.len());
                    return Some(Token { start, end: self.offset, kind, spelling });
                }
                None => self.advance(1),
            }
        }
    }
}

/// One site as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Site {
    /// The line, from 1.
    pub(super) line: usize,
    /// The display column in the line, from 1.
    pub(super) column: usize,
    /// What it does.
    pub(super) kind: SiteKind,
    /// Its spelling.
    pub(super) token: &'static str,
    /// The text from the token on, at most [`EXCERPT_COLUMNS`] wide.
    pub(super) excerpt: String,
}

/// Where the sites of a command are.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The first [`LISTED_SITES`] of them.
    pub(super) listed: Vec<Site>,
    /// The lines that hold any, from 0 and ascending, with how many.
    pub(super) lines: Vec<(usize, usize)>,
    /// How many there are.
    pub(super) total: usize,
}

/// Looks through the lines of a command, as the agent wrote them.
pub(super) fn survey(lines: &[&str]) -> Survey {
    let mut found = Survey::default();
    for (position, raw) in lines.iter().enumerate() {
        let line = neutralise(raw);
        let mut count = 0;
        for token in tokens(&line) {
            count += 1;
            if found.listed.len() < LISTED_SITES {
                found.listed.push(site(position, &line, token));
            }
        }
        if count > 0 {
            found.lines.push((position, count));
            found.total += count;
        }
    }
    found
}

/// A token as it is listed.
fn site(position: usize, line: &str, token: Token) -> Site {
    Site {
        line: position + 1,
        column: width(line.get(..token.start).unwrap_or_default()) + 1,
        kind: token.kind,
        token: token.spelling,
        excerpt: clip(line.get(token.start..).unwrap_or_default(), EXCERPT_COLUMNS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(line: &str) -> Vec<&'static str> {
        tokens(line).map(|token| token.spelling).collect()
    }

    #[test]
    fn tokens_are_read_longest_first_and_regardless_of_quotes() {
        let cases: [(&str, &[&str]); 12] = [
            ("ls -la", &[]),
            ("sleep 9 &", &[]),
            ("echo $HOME", &[]),
            ("a && b", &["&&"]),
            ("a || b", &["||"]),
            ("a | b", &["|"]),
            ("a |& b", &["|"]),
            ("a ||| b", &["||", "|"]),
            ("case x in y) z;; esac", &[";", ";"]),
            ("echo $(id) `id`", &["$(", "`", "`"]),
            ("echo 'a; b'", &[";"]),
            ("x &&& y", &["&&"]),
        ];
        for (line, expected) in cases {
            assert_eq!(spellings(line), expected, "{line}");
        }
    }

    #[test]
    fn a_site_names_its_line_display_column_kind_and_text() {
        let found = survey(&["echo 日本", "é\tls; rm x"]);
        assert_eq!(found.total, 1);
        assert_eq!(found.lines, [(1, 1)]);
        // `é` is ambiguous (two columns at most), the tab is four characters, `ls` two.
        assert_eq!(
            found.listed,
            [Site {
                line: 2,
                column: 9,
                kind: SiteKind::Composition,
                token: ";",
                excerpt: "; rm x".to_owned()
            }]
        );
    }

    #[test]
    fn an_excerpt_is_cut_at_its_width() {
        let found = survey(&[&format!("x;{}", "界".repeat(100))]);
        let excerpt = &found.listed[0].excerpt;
        assert!(width(excerpt) <= EXCERPT_COLUMNS && excerpt.ends_with('…'), "{excerpt}");
    }
}
