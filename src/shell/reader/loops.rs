//! `while`, `until`, `for` and `select`.
//!
//! Promises the commands of conditions, heads and bodies. A loop's variable must be a plain name.

use super::cursor::is_name;
use super::lists::ListEnd;
use super::reserved::Reserved;
use super::simple::plain_text;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Compound, Part, Script, Word};

/// The variable of a loop and its words, if it has an `in`.
type LoopHead = (String, Option<Vec<Word>>);

impl Reader<'_> {
    pub(super) fn while_command(&mut self) -> Outcome<Compound> {
        let condition = self.full_list(ListEnd::Do)?;
        Ok(Compound::While { condition, body: self.do_list()? })
    }

    pub(super) fn until_command(&mut self) -> Outcome<Compound> {
        let condition = self.full_list(ListEnd::Do)?;
        Ok(Compound::Until { condition, body: self.do_list()? })
    }

    pub(super) fn for_command(&mut self) -> Outcome<Compound> {
        self.skip_blanks();
        if self.cursor.peek() == Some(b'(') && self.cursor.peek_second() == Some(b'(') {
            let Some(expression) = self.arithmetic_command()? else {
                return self.fail(UnreadReason::AmbiguousParentheses);
            };
            if separators(&expression) != 2 {
                return self.fail(UnreadReason::LoopExpressions);
            }
            self.skip_blanks();
            if self.cursor.peek() == Some(b';') {
                self.cursor.bump();
            }
            self.skip_newlines()?;
            return Ok(Compound::ForArithmetic { expression, body: self.loop_body()? });
        }
        let (variable, words) = self.loop_head()?;
        Ok(Compound::For { variable, words, body: self.loop_body()? })
    }

    pub(super) fn select_command(&mut self) -> Outcome<Compound> {
        self.skip_blanks();
        let (variable, words) = self.loop_head()?;
        Ok(Compound::Select { variable, words, body: self.loop_body()? })
    }

    fn loop_head(&mut self) -> Outcome<LoopHead> {
        let word = self.word(WordPlace::Argument)?;
        let variable = match plain_text(&word.parts) {
            Some(name) if is_name(name) => name.to_owned(),
            Some(_) | None => return self.fail(UnreadReason::LoopVariable),
        };
        self.skip_blanks();
        if self.cursor.peek() == Some(b';') {
            self.cursor.bump();
            self.skip_newlines()?;
            return Ok((variable, None));
        }
        self.skip_newlines()?;
        if !self.take_plain_word("in") {
            return Ok((variable, None));
        }
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            if self.at_word() {
                words.push(self.word(WordPlace::Argument)?);
                continue;
            }
            match self.cursor.peek() {
                Some(b';') => self.cursor.bump(),
                Some(b'\n') => {}
                Some(_) | None => return self.unexpected(),
            }
            self.skip_newlines()?;
            return Ok((variable, Some(words)));
        }
    }

    /// `do … done`, or the braces that bash takes in its place.
    fn loop_body(&mut self) -> Outcome<Script> {
        if let Some((Reserved::OpenBrace, behind)) = self.reserved_word_ahead() {
            self.cursor = behind;
            let body = self.full_list(ListEnd::Brace)?;
            self.expect_reserved(Reserved::CloseBrace)?;
            return Ok(body);
        }
        self.do_list()
    }

    fn do_list(&mut self) -> Outcome<Script> {
        self.expect_reserved(Reserved::Do)?;
        let body = self.full_list(ListEnd::Done)?;
        self.expect_reserved(Reserved::Done)?;
        Ok(body)
    }
}

/// How many semicolons divide the head of a `for ((…;…;…))`.
fn separators(expression: &Word) -> usize {
    let in_part = |part: &Part| match part {
        Part::Text { text, quoted: _ } => text.matches(';').count(),
        Part::Expansion(_) => 0,
    };
    expression.parts.iter().map(in_part).sum()
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::commands;

    #[test]
    fn loops_hold_the_commands_of_head_and_body() {
        let cases: &[(&str, &[&str])] = &[
            ("while read -r l; do a \"$l\"; done <in", &["read -r l", "a ‹\"$l\"›"]),
            ("until a; do b; done", &["a", "b"]),
            ("for x do a; done", &["a"]),
            ("for x; do a; done", &["a"]),
            ("for x\nin $(a) b\ndo c; done", &["a", "c"]),
            ("for in in in; do a; done", &["a"]),
            ("for x in; do a; done", &["a"]),
            ("for i in 1; { a; }", &["a"]),
            ("for ((i=0; i<$(n); i++)); do a; done", &["n", "a"]),
            ("for((;;)) { a; }", &["a"]),
            ("select x in a b; do c; break; done", &["c", "break"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn loops_that_bash_refuses_are_refused() {
        for text in [
            "for x\n; do a; done",
            "for $x in a; do b; done",
            "for x in a | b; do c; done",
            "while a; done",
            "for x in a",
            "for ((a); b); do c; done",
            "for ((a;b)); do c; done",
            "while a; do done",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
