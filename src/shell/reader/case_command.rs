//! `case`.
//!
//! Promises the word, every pattern and every arm's commands.

use super::lists::ListEnd;
use super::reserved::Reserved;
use super::simple::plain_text;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Compound, Script, Word};

impl Reader<'_> {
    pub(super) fn case_command(&mut self) -> Outcome<Compound> {
        self.skip_blanks();
        let word = self.word(WordPlace::Argument)?;
        self.skip_newlines()?;
        if !self.take_plain_word("in") {
            return self.fail(UnreadReason::UnexpectedReservedWord);
        }
        let mut arms = Vec::new();
        loop {
            self.skip_newlines()?;
            if let Some((Reserved::Esac, behind)) = self.reserved_word_ahead() {
                self.cursor = behind;
                return Ok(Compound::Case { word, arms });
            }
            arms.push(self.case_arm()?);
        }
    }

    fn case_arm(&mut self) -> Outcome<(Vec<Word>, Script)> {
        self.case_arms += 1;
        if self.cursor.peek() == Some(b'(') {
            self.cursor.bump();
        }
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            if !self.at_word() {
                return self.unexpected();
            }
            let pattern = self.word(WordPlace::Argument)?;
            // Written anew, the parenthesis in front of it is gone, and the pattern ends the `case`.
            if patterns.is_empty()
                && plain_text(&pattern.parts) == Some("esac")
                && self.here_documents.is_in_substitution()
            {
                return self.fail(UnreadReason::RewrittenSubstitution);
            }
            patterns.push(pattern);
            self.skip_blanks();
            match self.cursor.peek() {
                Some(b'|') => self.cursor.bump(),
                Some(b')') => {
                    self.cursor.bump();
                    break;
                }
                Some(_) | None => return self.unexpected(),
            }
        }
        let mut body = Script::default();
        self.list(ListEnd::Arm, &mut body.items, &mut 0)?;
        if self.cursor.peek() == Some(b';') {
            // `;;`, `;&` or `;;&`; the last arm may end without.
            self.cursor.bump();
            let ends_double = self.cursor.peek() == Some(b';');
            self.cursor.bump();
            if ends_double && self.cursor.peek() == Some(b'&') {
                self.cursor.bump();
            }
        }
        Ok((patterns, body))
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::commands;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn esac_as_the_first_pattern_is_uncertain_in_a_substitution() {
        assert!(read("case x in (esac|a) b;; esac").is_ok());
        let error = read("a $(case x in (esac|a) b;; esac)").unwrap_err();
        assert_eq!(error.reason, UnreadReason::RewrittenSubstitution);
    }

    #[test]
    fn case_holds_patterns_and_arms() {
        let cases: &[(&str, &[&str])] = &[
            ("case $x in a|b) c;; (d) e;& *) f;;& g) ;; esac", &["c", "e", "f"]),
            ("case x in $(a)) b ;; esac", &["a", "b"]),
            ("case x in *')'*) rm x;; esac", &["rm x"]),
            ("case x\nin\n# y\na)\nb\nesac", &["b"]),
            ("case x in esac", &[]),
            ("case $(a) in (esac) b;; esac; c", &["a", "b", "c"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn open_or_malformed_cases_are_refused() {
        for text in [
            "case x in a) b",
            "case x in a b) c;; esac",
            "case x a) b;; esac",
            "case x in |) b;; esac",
            "case in",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
