//! `[[ … ]]`.
//!
//! Promises every word of the conditional, operators included, and that the expression is one that bash accepts. No
//! recursion: parentheses are counted.

use super::cursor::Cursor;
use super::simple::plain_text;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Part, Word};

/// What a binary operator wants on its right.
enum RightSide {
    Word,
    Pattern,
    RegularExpression,
}

impl<'a> Reader<'a> {
    /// Reads behind `[[` up to and including `]]`.
    pub(super) fn conditional(&mut self) -> Outcome<Vec<Word>> {
        let mut words = Vec::new();
        let mut open = 0usize;
        loop {
            self.conditional_term_start(&mut words, &mut open)?;
            self.conditional_term(&mut words)?;
            loop {
                match (self.cursor.peek(), self.cursor.peek_second()) {
                    (Some(b')'), _) if open > 0 => {
                        open -= 1;
                        self.operator(&mut words, 1);
                        self.skip_newlines()?;
                    }
                    (Some(b'&'), Some(b'&')) | (Some(b'|'), Some(b'|')) => {
                        self.operator(&mut words, 2);
                        break;
                    }
                    _ => match self.conditional_end_ahead() {
                        Some(behind) if open == 0 => {
                            self.cursor = behind;
                            return Ok(words);
                        }
                        Some(_) | None => return self.malformed(),
                    },
                }
            }
        }
    }

    /// Reads any number of `!` and `(`.
    fn conditional_term_start(&mut self, words: &mut Vec<Word>, open: &mut usize) -> Outcome<()> {
        loop {
            self.skip_newlines()?;
            if self.cursor.peek() == Some(b'(') {
                *open += 1;
                self.operator(words, 1);
                continue;
            }
            let start = self.cursor.position();
            if !self.take_plain_word("!") {
                return Ok(());
            }
            words.push(self.plain_word_from(start));
        }
    }

    /// Reads a word, a unary operator with its word, or a comparison.
    fn conditional_term(&mut self, words: &mut Vec<Word>) -> Outcome<()> {
        let left = self.conditional_word(WordPlace::Argument)?;
        let is_unary = plain_text(&left.parts).is_some_and(is_unary_operator);
        words.push(left);
        self.skip_blanks();
        if is_unary {
            words.push(self.conditional_word(WordPlace::Argument)?);
            return self.skip_newlines();
        }
        let right = match (self.cursor.peek(), self.cursor.peek_second()) {
            (Some(b'<' | b'>'), second) if second != Some(b'(') => {
                self.operator(words, 1);
                RightSide::Word
            }
            // A lone word: what joins it to the rest must stand on the same line.
            (Some(b'&' | b'|' | b')'), _) => return Ok(()),
            _ if self.conditional_end_ahead().is_some() => return Ok(()),
            _ => {
                let operator = self.conditional_word(WordPlace::Argument)?;
                let Some(right) = plain_text(&operator.parts).and_then(right_side) else {
                    return self.malformed();
                };
                words.push(operator);
                right
            }
        };
        self.skip_blanks();
        words.push(match right {
            RightSide::Word => self.conditional_word(WordPlace::Argument)?,
            RightSide::Pattern => self.conditional_word(WordPlace::Pattern)?,
            RightSide::RegularExpression if self.conditional_end_ahead().is_some() => {
                return self.malformed();
            }
            RightSide::RegularExpression => self.regular_expression()?,
        });
        self.skip_newlines()
    }

    fn conditional_word(&mut self, place: WordPlace) -> Outcome<Word> {
        if !self.at_word() || self.conditional_end_ahead().is_some() {
            return self.malformed();
        }
        let word = self.word(place)?;
        if self.is_glued_descriptor(&word) { self.malformed() } else { Ok(word) }
    }

    fn conditional_end_ahead(&self) -> Option<Cursor<'a>> {
        self.plain_word_ahead("]]")
    }

    fn operator(&mut self, words: &mut Vec<Word>, length: usize) {
        let start = self.cursor.position();
        self.cursor.bump_by(length);
        words.push(self.plain_word_from(start));
    }

    fn plain_word_from(&self, start: usize) -> Word {
        let raw = self.raw_from(start);
        let text = raw.replace("\\\n", "");
        Word { parts: vec![Part::Text { text, quoted: false }], raw, span: self.span_from(start) }
    }

    fn malformed<T>(&self) -> Outcome<T> {
        self.fail(match self.cursor.peek() {
            Some(_) => UnreadReason::MalformedConditional,
            None => UnreadReason::UnexpectedEnd,
        })
    }
}

fn is_unary_operator(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|letter| {
        letter.len() == 1 && letter.contains(|letter| "abcdefghknoprstuvwxzGLNORS".contains(letter))
    })
}

fn right_side(operator: &str) -> Option<RightSide> {
    match operator {
        "=" | "==" | "!=" => Some(RightSide::Pattern),
        "=~" => Some(RightSide::RegularExpression),
        "<" | ">" | "-nt" | "-ot" | "-ef" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
            Some(RightSide::Word)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::{commands, conditional_words};

    #[test]
    fn conditionals_hold_their_words_and_commands() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            (
                "[[ -f a && ! -d b || ( x == y* ) ]]",
                &["-f", "a", "&&", "!", "-d", "b", "||", "(", "x", "==", "y*", ")"],
                &[],
            ),
            ("[[ x =~ ^(a|b)$ ]] && c", &["x", "=~", "^(a|b)$"], &["c"]),
            ("[[ x =~ ^a( |\t)*[0-9]+$ ]]", &["x", "=~", "^a( |\t)*[0-9]+$"], &[]),
            ("[[ x == @(a|b$(c)) ]] || d", &["x", "==", "@(a|b$(c))"], &["c", "d"]),
            ("[[ x != !(*.a|+(b;c)) ]]", &["x", "!=", "!(*.a|+(b;c))"], &[]),
            ("[[ $(a) < \"$(b)\" ]]", &["$(a)", "<", "\"$(b)\""], &["a", "b"]),
            ("[[ a == b\n|| c ]]", &["a", "==", "b", "||", "c"], &[]),
            ("[[\n# x\na ]]", &["a"], &[]),
            ("[[ 'a[$(b)]' -eq 0 ]]", &["'a[$(b)]'", "-eq", "0"], &[]),
            ("[[ a =~ (a$(b c)d) ]]", &["a", "=~", "(a$(b c)d)"], &["b c"]),
        ];
        for (text, words, ran) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(conditional_words(&script), *words, "{text:?}");
            assert_eq!(commands(&script), *ran, "{text:?}");
        }
    }

    #[test]
    fn what_bash_refuses_is_refused() {
        for text in [
            "[[ a",
            "[[ ]]",
            "[[ -f ]]",
            "[[ a b ]]",
            "[[ a\n]]",
            "[[ a\n== b ]]",
            "[[ a == ]]",
            "[[ (a ]]",
            "[[ a) ]]",
            "[[ a ; ]]",
            "[[ a && ]]",
            "[[ 1<2 ]]",
            "[[ a =~ a;b ]]",
            "[[ a =~ [)] ]]; rm x",
            "[[ @(a) = a ]]",
            "[[ a =~ ]]",
            "[[ a & b ]]",
            "[[ a == @(b ]]",
            "[[ a =~ (b ]]",
            "[[ a == @(<(b)) ]]",
            "[[ -f && ]] || b",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
