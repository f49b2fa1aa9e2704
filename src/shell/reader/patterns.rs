//! Parenthesised patterns: extended patterns and the groups of regular expressions, both inside `[[ ]]` only.
//!
//! Promises that they end where bash counts their end, and the substitutions in them.

use super::counting::counts_whole;
use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Expansion, ExpansionKind, Word};

impl Reader<'_> {
    /// Reads `(…)` behind a pattern operator such as `@`, or a group of a regular expression.
    pub(super) fn extended_pattern(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let start = self.cursor.position();
        let inside = self.deeper(|reader| {
            let mut inside = WordBuilder::default();
            reader.parenthesised_pattern(&mut inside, start)?;
            Ok(inside.finish_inside(true))
        })?;
        builder.push_expansion(Expansion {
            kind: ExpansionKind::ExtendedPattern,
            quoted: false,
            parameter: None,
            raw: self.raw_from(start),
            nested: inside.nested,
            inside: inside.inside,
        });
        Ok(())
    }

    fn parenthesised_pattern(&mut self, inside: &mut WordBuilder, start: usize) -> Outcome<()> {
        let mut level = 0usize;
        loop {
            let at = self.cursor.position();
            match self.cursor.peek() {
                None => return self.fail_at(start, UnreadReason::UnterminatedPattern),
                Some(b'(') => {
                    level += 1;
                    self.cursor.bump();
                }
                Some(b')') => {
                    self.cursor.bump();
                    level -= 1;
                    if level == 0 {
                        return Ok(());
                    }
                }
                Some(b'<' | b'>') if self.at_process_substitution() => {
                    return self.fail(UnreadReason::AmbiguousProcessSubstitution);
                }
                Some(b'\'') => self.single_quotes(inside)?,
                Some(b'"') => self.double_quotes(inside, Context::DoubleQuotes)?,
                Some(b'`') => self.backquotes(inside, Context::Plain)?,
                Some(b'\\') => {
                    self.cursor.take_escaped();
                }
                Some(b'$') => {
                    self.dollar(inside, Context::Plain)?;
                    if !counts_whole(self.cursor.slice(at, self.cursor.consumed()), b'(', b')') {
                        return self.fail_at(at, UnreadReason::AmbiguousBrackets);
                    }
                }
                Some(b'<' | b'>') => self.cursor.bump(),
                Some(_) => {
                    self.cursor.run(|byte| {
                        !matches!(byte, b'(' | b')' | b'<' | b'>' | b'\'' | b'"' | b'`' | b'\\' | b'$')
                    });
                }
            }
        }
    }

    /// Reads the right side of `=~`.
    pub(super) fn regular_expression(&mut self) -> Outcome<Word> {
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'<' | b'>' if self.at_process_substitution() => {
                    return self.fail(UnreadReason::AmbiguousProcessSubstitution);
                }
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'<' | b'>' | b')' => break,
                b'(' => self.extended_pattern(&mut builder)?,
                b'|' => {
                    self.cursor.bump();
                    builder.push("|", false);
                }
                _ => self.word_part(&mut builder)?,
            }
        }
        self.finish_word(start, builder)
    }
}
