//! Words: the loop over their parts, and where they end.
//!
//! Promises that a word ends where bash ends it and keeps its quoting. The single parts are read elsewhere.

use super::cursor::is_metacharacter;
use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Part, Word};

/// What is special about the place where a word stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordPlace {
    /// Nothing.
    Argument,
    /// The right side of a comparison in `[[ ]]`: extended patterns are on.
    Pattern,
}

/// Bytes that stand for themselves in an unquoted word, wherever it stands.
fn is_plain(byte: u8) -> bool {
    !is_metacharacter(byte) && !matches!(byte, b'\\' | b'\'' | b'"' | b'$' | b'`')
}

impl Reader<'_> {
    /// Reads a word, which must not be empty.
    pub(super) fn word(&mut self, place: WordPlace) -> Outcome<Word> {
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        self.word_parts(&mut builder, place)?;
        self.finish_word(start, builder)
    }

    /// Makes a word of the parts read since `start`.
    pub(super) fn finish_word(&mut self, start: usize, builder: WordBuilder) -> Outcome<Word> {
        if self.cursor.consumed() <= start {
            return self.fail(UnreadReason::MissingWord);
        }
        let Some(words) = self.budget.words.checked_sub(1) else {
            return self.fail_at(start, UnreadReason::TooManyWords);
        };
        self.budget.words = words;
        let word = Word { parts: builder.finish(), raw: self.raw_from(start), span: self.span_from(start) };
        if word.raw.contains('{') && braces_may_complete_a_dollar(&word) {
            return self.fail_at(start, UnreadReason::AmbiguousBrackets);
        }
        Ok(word)
    }

    /// Reads the parts of a word up to its end.
    pub(super) fn word_parts(&mut self, builder: &mut WordBuilder, place: WordPlace) -> Outcome<()> {
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'<' | b'>' if self.at_process_substitution() => self.process_substitution(builder)?,
                b'(' if place == WordPlace::Pattern && ends_in_pattern_operator(builder) => {
                    self.extended_pattern(builder)?;
                }
                byte if is_metacharacter(byte) => break,
                _ => self.word_part(builder)?,
            }
        }
        Ok(())
    }

    /// Reads a quote, an expansion, an escape or a run of plain text.
    pub(super) fn word_part(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        match self.cursor.peek() {
            Some(b'\\') => {
                // At the very end of the text a backslash stands for itself.
                let escaped = self.cursor.take_escaped();
                if escaped.is_empty() && self.has_lines_in_single_quotes() {
                    return self.fail(UnreadReason::AmbiguousEscape);
                }
                builder.push(if escaped.is_empty() { "\\" } else { escaped }, true);
                Ok(())
            }
            Some(b'\'') => self.single_quotes(builder),
            Some(b'"') => self.double_quotes(builder, Context::DoubleQuotes),
            Some(b'$') => self.dollar(builder, Context::Plain),
            Some(b'`') => self.backquotes(builder, Context::Plain),
            Some(_) | None => {
                builder.push(self.cursor.run(is_plain), false);
                Ok(())
            }
        }
    }

    /// Whether a single-quoted text may have gone over the end of a line: then bash drops a backslash that ends the text.
    fn has_lines_in_single_quotes(&self) -> bool {
        let before = self.cursor.slice(0, self.cursor.consumed());
        before.contains('\n') && before.contains('\'')
    }

    /// Whether bash takes a word that was just read for the descriptor of a redirection: digits or `{name}` glued to `<` or
    /// `>`. Where no redirection may stand it is an error then.
    pub(super) fn is_glued_descriptor(&self, word: &Word) -> bool {
        matches!(self.cursor.peek(), Some(b'<' | b'>'))
            && (word.raw.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'\\' | b'\n'))
                || word.raw.ends_with('}'))
    }

    /// Whether a word can begin at the next byte.
    pub(super) fn at_word(&self) -> bool {
        self.cursor.peek().is_some_and(|byte| !is_metacharacter(byte)) || self.at_process_substitution()
    }

    /// Whether `<(` or `>(` comes next.
    pub(super) fn at_process_substitution(&self) -> bool {
        matches!(self.cursor.peek(), Some(b'<' | b'>')) && self.cursor.peek_second() == Some(b'(')
    }
}

/// Whether braces are expanded in the word and a dollar sign that stands for itself may then come in front of something: bash
/// expands `{a,$}b` to `ab` and the value of `b`.
fn braces_may_complete_a_dollar(word: &Word) -> bool {
    let bare = |part: &Part, characters: &[char]| matches!(part, Part::Text { text, quoted: false } if text.contains(characters));
    let last = word.parts.len().saturating_sub(1);
    let dollar = word.parts.iter().enumerate().any(|(index, part)| match part {
        Part::Text { text, quoted: false } => {
            text.split_once('$').is_some_and(|(_, behind)| index < last || !behind.is_empty())
        }
        Part::Text { .. } | Part::Expansion(_) => false,
    });
    dollar
        && ['{', '}'].iter().all(|brace| word.parts.iter().any(|part| bare(part, &[*brace])))
        && word.parts.iter().any(|part| bare(part, &[',', '.']))
}

fn ends_in_pattern_operator(builder: &WordBuilder) -> bool {
    matches!(builder.last_unquoted(), Some(b'?' | b'*' | b'+' | b'@' | b'!'))
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::argument_texts;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn a_dollar_sign_that_braces_could_complete_is_uncertain() {
        for text in ["a {--,$}1", "a x{b$,c}d", "a {b,$}'c'", "a {$..b}"] {
            assert_eq!(read(text).unwrap_err().reason, UnreadReason::AmbiguousBrackets, "{text:?}");
        }
        for text in ["a ^b{1,2}$", "a {b,'$'}c", "a {b,\\$}c", "a {$}b", "a {$x,b}c", "a $ {b,c}"] {
            assert!(read(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn a_backslash_at_the_end_behind_lines_in_single_quotes_is_uncertain() {
        assert_eq!(read("a 'b\nc' d\\").unwrap_err().reason, UnreadReason::AmbiguousEscape);
        assert!(read("a \"b\nc\" d\\").is_ok());
    }

    #[test]
    fn words_end_where_bash_ends_them() {
        let cases: &[(&str, &[&str])] = &[
            ("a foo#bar #c", &["a", "foo#bar"]),
            ("a a\\ #b", &["a", "a #b"]),
            ("a \\\n#b; c", &["a"]),
            ("a a\\\n#b", &["a", "a#b"]),
            ("a\rb\u{a0}c\u{b}", &["a\rb\u{a0}c\u{b}"]),
            ("a '' \"\" b", &["a", "", "", "b"]),
            ("a {b;", &["a", "{b"]),
            ("a b\\", &["a", "b\\"]),
            ("r\\\nm x", &["rm", "x"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(argument_texts(&script), *expected, "{text:?}");
        }
    }
}
