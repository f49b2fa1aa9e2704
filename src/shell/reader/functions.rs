//! Function definitions and coprocesses.
//!
//! Promises that the body is a compound command, or for a coprocess any command, and that it stays a command of the tree.

use super::cursor::is_name;
use super::reserved::Reserved;
use super::simple::plain_text;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Command, SimpleCommand};

impl Reader<'_> {
    /// Reads the rest of `name() body`, with the cursor on the parenthesis behind the command read so far.
    pub(super) fn function_behind_name(&mut self, start: usize, so_far: SimpleCommand) -> Outcome<Command> {
        let [name] = so_far.words.as_slice() else {
            return self.fail(UnreadReason::UnexpectedParenthesis);
        };
        let Some(name) = plain_text(&name.parts) else {
            return self.fail(UnreadReason::FunctionName);
        };
        if !so_far.assignments.is_empty() || !so_far.redirects.is_empty() || !self.take_empty_parentheses() {
            return self.fail(UnreadReason::UnexpectedParenthesis);
        }
        let name = name.to_owned();
        self.skip_newlines()?;
        self.function_body(start, name)
    }

    /// Reads `function name [()] body` with the cursor behind the reserved word.
    pub(super) fn function_keyword(&mut self, start: usize) -> Outcome<Command> {
        self.skip_blanks();
        let word = self.word(WordPlace::Argument)?;
        let Some(name) = plain_text(&word.parts) else {
            return self.fail(UnreadReason::FunctionName);
        };
        let name = name.to_owned();
        self.skip_blanks();
        self.take_empty_parentheses();
        self.skip_newlines()?;
        self.function_body(start, name)
    }

    fn function_body(&mut self, start: usize, name: String) -> Outcome<Command> {
        if !self.at_compound() {
            return self.fail(UnreadReason::FunctionBody);
        }
        let body = Box::new(self.command()?);
        Ok(Command::Function { name, body, span: self.span_from(start) })
    }

    /// Consumes `()` with blanks between, if that comes next.
    fn take_empty_parentheses(&mut self) -> bool {
        let mut ahead = self.cursor;
        if ahead.peek() != Some(b'(') {
            return false;
        }
        ahead.bump();
        ahead.skip_blanks();
        if ahead.peek() != Some(b')') {
            return false;
        }
        ahead.bump();
        self.cursor = ahead;
        true
    }

    /// Reads `coproc [NAME] command` with the cursor behind the reserved word.
    pub(super) fn coprocess(&mut self, start: usize) -> Outcome<Command> {
        self.skip_blanks();
        let mut name = None;
        if !self.at_compound() {
            // A word followed by a reserved word is the name; followed by anything else it is the command word.
            let before = self.cursor;
            let (word, behind) = self.cursor.ahead(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
            if is_name(&word) && matches!(behind.peek(), Some(b' ' | b'\t' | b'(')) {
                self.cursor = behind;
                self.skip_blanks();
                if self.at_compound() {
                    name = Some(word.into_owned());
                } else if self.reserved_word().is_some() {
                    return self.fail(UnreadReason::UnexpectedReservedWord);
                } else {
                    self.cursor = before;
                }
            }
        }
        let is_compound = self.at_compound();
        if !is_compound && self.here_documents.is_in_substitution() {
            return self.fail_at(start, UnreadReason::RewrittenSubstitution);
        }
        let body = if is_compound { self.command()? } else { self.coprocess_simple()? };
        Ok(Command::Coproc { name, body: Box::new(body), span: self.span_from(start) })
    }

    fn coprocess_simple(&mut self) -> Outcome<Command> {
        match self.reserved_word() {
            // `time` behind `coproc` is a command like any other.
            None | Some(Reserved::Time) => self.simple_command(),
            Some(_) => self.fail(UnreadReason::UnexpectedReservedWord),
        }
    }

    /// Whether a compound command begins here.
    fn at_compound(&self) -> bool {
        self.cursor.peek() == Some(b'(') || self.reserved_word().is_some_and(Reserved::begins_compound)
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::commands;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn bodies_of_functions_and_coprocesses_are_commands() {
        let cases: &[(&str, &[&str])] = &[
            ("f() { rm -rf x; }; f", &["rm -rf x", "f"]),
            ("function f { a; }; function g() ( b ) >o", &["a", "b"]),
            ("f ( )\n\n[[ -f $(a) ]]", &["a"]),
            ("function f\n{ a; }", &["a"]),
            ("function f (a)", &["a"]),
            ("f() ((x = $(a)))", &["a"]),
            ("coproc a b", &["a b"]),
            ("coproc NAME { a; }", &["a"]),
            ("coproc while a; do b; done", &["a", "b"]),
            ("coproc N (a)", &["a"]),
            ("coproc time a", &["time a"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn a_plain_coprocess_in_a_substitution_is_uncertain() {
        for text in ["a $(coproc b c)", "a <(b; coproc c)", "a $( { coproc b; } )"] {
            assert_eq!(read(text).unwrap_err().reason, UnreadReason::RewrittenSubstitution, "{text:?}");
        }
        assert!(read("a $(coproc { b; })").is_ok());
    }

    #[test]
    fn what_is_no_definition_is_refused() {
        for text in
            ["f() a", "f(a) { b; }", "'f'() { a; }", "A=1 f() { a; }", "coproc echo done", "function { a; }"]
        {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
