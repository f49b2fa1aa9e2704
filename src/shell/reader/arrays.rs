//! `name=( … )`, as an assignment and as an argument of `declare` and its kin.
//!
//! Promises every element with its subscript, each as one word.

use super::cursor::{is_metacharacter, is_name, is_name_byte};
use super::word_builder::WordBuilder;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::Word;

impl Reader<'_> {
    /// Whether `name=(` or `name+=(` comes next.
    pub(super) fn at_array_assignment(&self) -> bool {
        let (name, mut behind) = self.cursor.ahead(is_name_byte);
        if !is_name(&name) {
            return false;
        }
        if behind.peek() == Some(b'+') {
            behind.bump();
        }
        behind.peek() == Some(b'=') && behind.peek_second() == Some(b'(')
    }

    /// Reads `name=( … )` as one word. An unquoted parenthesis in a word's text stands for nothing else.
    pub(super) fn array_argument(&mut self) -> Outcome<Word> {
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        builder.push(&self.cursor.run_joined(|byte| !is_metacharacter(byte) && byte != b'\\'), false);
        builder.push("(", false);
        for (index, element) in self.array_elements()?.into_iter().enumerate() {
            if index > 0 {
                builder.push(" ", false);
            }
            builder.push_parts(element.parts);
        }
        builder.push(")", false);
        self.finish_word(start, builder)
    }

    /// Reads `( … )`.
    pub(super) fn array_elements(&mut self) -> Outcome<Vec<Word>> {
        let start = self.cursor.position();
        let elements = self.deeper(|reader| {
            reader.cursor.bump();
            let mut elements = Vec::new();
            loop {
                reader.skip_array_blanks()?;
                match reader.cursor.peek() {
                    None => return reader.fail_at(start, UnreadReason::UnterminatedArray),
                    Some(b')') => {
                        reader.cursor.bump();
                        return Ok(elements);
                    }
                    Some(b'[') => elements.push(reader.subscripted_element()?),
                    Some(_) if reader.at_word() => elements.push(reader.word(WordPlace::Argument)?),
                    Some(_) => return reader.unexpected(),
                }
            }
        })?;
        if self.at_word() {
            return self.fail(UnreadReason::TextAfterArray);
        }
        Ok(elements)
    }

    /// `[subscript]=value`; the subscript may hold blanks and operators.
    fn subscripted_element(&mut self) -> Outcome<Word> {
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        builder.push_subscript(self.subscript()?);
        self.word_parts(&mut builder, WordPlace::Argument)?;
        self.finish_word(start, builder)
    }

    fn skip_array_blanks(&mut self) -> Outcome<()> {
        self.skip_blanks();
        while self.cursor.peek() == Some(b'\n') {
            if self.here_documents.is_waiting() {
                return self.fail(UnreadReason::HereDocumentCrossing);
            }
            self.newline()?;
            self.skip_blanks();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::commands;

    #[test]
    fn commands_in_elements_and_subscripts_are_found() {
        let cases: &[(&str, &[&str])] = &[
            ("A=(1 $(a) [5]=x [$(b) + 1]=$(c))", &["", "a", "b", "c"]),
            ("A=(\n# d $(x)\na\n'b c' <(d)\n)", &["", "d"]),
            ("declare -A m=([k l]=v [m]=$(a))", &["declare -A ‹m=([k l]=v [m]=$(a))›", "a"]),
            ("A+=()", &[""]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn what_is_no_array_is_refused() {
        for text in
            ["x=(b[<<E ])\nrm x\nE", "x=(a", "x=(a)b", "x=(a;b)", "x=((a))", "x= (a)", "a <<E; x=(b\nE\n)"]
        {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
