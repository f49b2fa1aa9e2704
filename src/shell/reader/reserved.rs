//! Reserved words.
//!
//! Promises that a word counts as reserved only when nothing in it is quoted and it ends where it must. Whether one is
//! accepted at a place is the grammar's business.

use super::cursor::{Cursor, is_metacharacter};
use super::{Outcome, Reader, UnreadReason};

/// The reserved words of bash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reserved {
    If,
    Then,
    Elif,
    Else,
    Fi,
    While,
    Until,
    For,
    Select,
    Do,
    Done,
    Case,
    Esac,
    Function,
    Coproc,
    Time,
    Negation,
    OpenBrace,
    CloseBrace,
    OpenConditional,
    CloseConditional,
    In,
}

impl Reserved {
    pub(super) fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "if" => Self::If,
            "then" => Self::Then,
            "elif" => Self::Elif,
            "else" => Self::Else,
            "fi" => Self::Fi,
            "while" => Self::While,
            "until" => Self::Until,
            "for" => Self::For,
            "select" => Self::Select,
            "do" => Self::Do,
            "done" => Self::Done,
            "case" => Self::Case,
            "esac" => Self::Esac,
            "function" => Self::Function,
            "coproc" => Self::Coproc,
            "time" => Self::Time,
            "!" => Self::Negation,
            "{" => Self::OpenBrace,
            "}" => Self::CloseBrace,
            "[[" => Self::OpenConditional,
            "]]" => Self::CloseConditional,
            "in" => Self::In,
            _ => return None,
        })
    }

    /// Whether a compound command begins with it.
    pub(super) fn begins_compound(self) -> bool {
        match self {
            Self::If
            | Self::While
            | Self::Until
            | Self::For
            | Self::Select
            | Self::Case
            | Self::OpenBrace
            | Self::OpenConditional => true,
            Self::Then
            | Self::Elif
            | Self::Else
            | Self::Fi
            | Self::Do
            | Self::Done
            | Self::Esac
            | Self::Function
            | Self::Coproc
            | Self::Time
            | Self::Negation
            | Self::CloseBrace
            | Self::CloseConditional
            | Self::In => false,
        }
    }
}

fn is_reserved_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || matches!(byte, b'{' | b'}' | b'!' | b'[' | b']')
}

impl<'a> Reader<'a> {
    /// The reserved word that comes next, and the cursor behind it.
    pub(super) fn reserved_word_ahead(&self) -> Option<(Reserved, Cursor<'a>)> {
        if !is_reserved_byte(self.cursor.peek()?) {
            return None;
        }
        let (word, behind) = self.cursor.ahead(is_reserved_byte);
        behind.peek().is_none_or(is_metacharacter).then_some(())?;
        Some((Reserved::parse(&word)?, behind))
    }

    /// The reserved word that comes next.
    pub(super) fn reserved_word(&self) -> Option<Reserved> {
        self.reserved_word_ahead().map(|(word, _)| word)
    }

    /// Consumes a reserved word, which must come next.
    pub(super) fn expect_reserved(&mut self, expected: Reserved) -> Outcome<()> {
        match self.reserved_word_ahead() {
            Some((word, behind)) if word == expected => {
                self.cursor = behind;
                Ok(())
            }
            Some(_) | None => self.fail(UnreadReason::UnexpectedReservedWord),
        }
    }

    /// Consumes exactly this unquoted word if it comes next.
    pub(super) fn take_plain_word(&mut self, expected: &str) -> bool {
        match self.plain_word_ahead(expected) {
            Some(behind) => {
                self.cursor = behind;
                true
            }
            None => false,
        }
    }

    /// The cursor behind exactly this unquoted word, if it comes next.
    pub(super) fn plain_word_ahead(&self, expected: &str) -> Option<Cursor<'a>> {
        let mut behind = self.cursor;
        for byte in expected.bytes() {
            if behind.peek() != Some(byte) {
                return None;
            }
            behind.bump();
        }
        behind.peek().is_none_or(is_metacharacter).then_some(behind)
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::commands;

    #[test]
    fn only_a_bare_word_in_its_place_is_reserved() {
        let cases: &[(&str, &[&str])] = &[
            ("echo if then fi do done { } [[ time", &["echo if then fi do done { } [[ time"]),
            ("'if' x", &["if x"]),
            ("\\time x", &["time x"]),
            ("i\\\nf a; th\\\nen b; fi", &["a", "b"]),
            ("ifx a", &["ifx a"]),
            ("{a; b", &["{a", "b"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }
}
