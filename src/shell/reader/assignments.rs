//! Assignments in front of a command, and the `name[` that may or may not become one.
//!
//! Promises that a word is an assignment exactly when bash takes it for one, and that a subscript swallows what bash lets
//! it swallow.

use super::cursor::{is_metacharacter, is_name, is_name_byte};
use super::word_builder::WordBuilder;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{AssignedValue, Assignment, Word};

/// What stands where a command word may stand.
pub(super) enum Leading {
    Assignment(Assignment),
    Word(Word),
}

impl Reader<'_> {
    /// Reads an assignment or the command word.
    pub(super) fn leading_word(&mut self, behind_redirect: bool) -> Outcome<Leading> {
        let start = self.cursor.position();
        let (name, behind) = self.cursor.ahead(is_name_byte);
        if !is_name(&name) {
            return Ok(Leading::Word(self.word(WordPlace::Argument)?));
        }
        match (behind.peek(), behind.peek_second()) {
            (Some(b'='), _) | (Some(b'+'), Some(b'=')) => {
                self.cursor = behind;
                Ok(Leading::Assignment(self.assignment_behind(start, name.into_owned(), None)?))
            }
            (Some(b'['), _) => {
                self.cursor = behind;
                let subscript = self.subscript()?;
                // Not every version goes on to the `]` behind a redirection.
                if behind_redirect && subscript.raw.bytes().any(is_metacharacter) {
                    return self.fail(UnreadReason::AmbiguousBrackets);
                }
                // To tell an assignment, bash goes over the subscript once more. It takes a quote in a here-document for one, and
                // an escaped blank for the place in front of a comment.
                let has_quotes = subscript.raw.contains(['\'', '"', '\\', '`']);
                if has_quotes && (subscript.raw.contains("<<") || subscript.raw.contains('#')) {
                    return self.fail(UnreadReason::AmbiguousQuoting);
                }
                match (self.cursor.peek(), self.cursor.peek_second()) {
                    (Some(b'='), _) | (Some(b'+'), Some(b'=')) => Ok(Leading::Assignment(
                        self.assignment_behind(start, name.into_owned(), Some(subscript))?,
                    )),
                    _ => {
                        let mut builder = WordBuilder::default();
                        builder.push(&name, false);
                        builder.push_subscript(subscript);
                        self.word_parts(&mut builder, WordPlace::Argument)?;
                        Ok(Leading::Word(self.finish_word(start, builder)?))
                    }
                }
            }
            _ => Ok(Leading::Word(self.word(WordPlace::Argument)?)),
        }
    }

    /// Reads `=value` or `+=value`.
    fn assignment_behind(
        &mut self,
        start: usize,
        name: String,
        subscript: Option<Word>,
    ) -> Outcome<Assignment> {
        let append = self.cursor.peek() == Some(b'+');
        self.cursor.bump_by(if append { 2 } else { 1 });
        let value = if self.cursor.peek() == Some(b'(') {
            AssignedValue::Array(self.array_elements()?)
        } else if self.at_word() {
            AssignedValue::Scalar(Some(self.word(WordPlace::Argument)?))
        } else {
            AssignedValue::Scalar(None)
        };
        Ok(Assignment {
            name,
            subscript,
            append,
            value,
            raw: self.raw_from(start),
            span: self.span_from(start),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::{assignments, commands};

    #[test]
    fn assignments_are_told_from_words() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("A=1 B= C+=2 a", &["A=1", "B=", "C+=2"], &["a"]),
            ("A=$(a) B=`b` c", &["A=$(a)", "B=`b`"], &["c", "a", "b"]),
            ("a[1 + $(b)]=x", &["a[1 + $(b)]=x"], &["", "b"]),
            ("A={a,b} cmd", &["A={a,b}"], &["cmd"]),
            ("a['$(b)']=1", &["a['$(b)']=1"], &["", "b"]),
            ("A\\\n=b c", &["A\\\n=b"], &["c"]),
            ("\"A\"=1", &[], &["A=1"]),
            ("a[0]+=(x)", &["a[0]+=(x)"], &[""]),
        ];
        for (text, expected, ran) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(assignments(&script), *expected, "{text:?}");
            assert_eq!(commands(&script), *ran, "{text:?}");
        }
    }

    #[test]
    fn a_name_with_a_bracket_swallows_up_to_the_matching_bracket() {
        let cases: &[(&str, &[&str])] = &[
            ("a[ ; rm x; ]", &["a[ ; rm x; ]"]),
            ("a[<<E ]\nrm x\nE", &["a[<<E ]", "rm x", "E"]),
            ("a[b[c] d]e f", &["a[b[c] d]e f"]),
            ("[ -f x ] && a", &["[ -f x ]", "a"]),
            ("a b[ c", &["a b[ c"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
        for text in ["a[", "a[ ; rm x", ">x a[ b ]=1", "a[<(b)]=1"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
