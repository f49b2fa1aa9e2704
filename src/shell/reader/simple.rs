//! Simple commands.
//!
//! Promises the assignments, words and redirections of a command in source order, each in its own list.

use super::assignments::Leading;
use super::reserved::Reserved;
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Command, Part, SimpleCommand};

/// Commands whose arguments may be `name=( … )`.
const TAKES_ARRAYS: [&str; 8] = ["declare", "typeset", "local", "export", "readonly", "eval", "let", "alias"];

impl Reader<'_> {
    /// Reads a simple command, or a function definition that begins with its name.
    pub(super) fn simple_command(&mut self) -> Outcome<Command> {
        let Some(commands) = self.budget.commands.checked_sub(1) else {
            return self.fail(UnreadReason::TooManyCommands);
        };
        self.budget.commands = commands;
        let start = self.cursor.position();
        let mut command =
            SimpleCommand { assignments: Vec::new(), words: Vec::new(), redirects: Vec::new(), span: None };
        // Bash takes arrays as arguments only up to the first redirection behind the command word.
        let mut takes_arrays = false;
        loop {
            self.skip_blanks();
            if let Some(redirect) = self.redirect()? {
                command.redirects.push(redirect);
                takes_arrays = false;
            } else if !self.at_word() {
                break;
            } else if command.words.is_empty() {
                match self.leading_word(!command.redirects.is_empty())? {
                    Leading::Assignment(assignment) => command.assignments.push(assignment),
                    Leading::Word(word) => {
                        let moves_to_the_front = !command.redirects.is_empty()
                            && command.assignments.is_empty()
                            && self.here_documents.is_in_substitution();
                        if moves_to_the_front && plain_text(&word.parts).and_then(Reserved::parse).is_some() {
                            return self.fail(UnreadReason::RewrittenSubstitution);
                        }
                        takes_arrays =
                            plain_text(&word.parts).is_some_and(|name| TAKES_ARRAYS.contains(&name));
                        command.words.push(word);
                    }
                }
            } else if takes_arrays && self.at_array_assignment() {
                let word = self.array_argument()?;
                command.words.push(word);
            } else {
                let word = self.word(WordPlace::Argument)?;
                command.words.push(word);
            }
        }
        if self.cursor.peek() == Some(b'(') {
            return self.function_behind_name(start, command);
        }
        if command.words.is_empty() && command.assignments.is_empty() && command.redirects.is_empty() {
            return self.unexpected();
        }
        command.span = self.span_from(start);
        Ok(Command::Simple(command))
    }
}

/// The text of a word with nothing quoted or expanded in it.
pub(super) fn plain_text(parts: &[Part]) -> Option<&str> {
    match parts {
        [Part::Text { text, quoted: false }] => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::commands;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn words_are_arguments_wherever_redirections_stand() {
        let cases: &[(&str, &[&str])] = &[
            (">x a b >y c", &["a b c"]),
            (">x A=1 a", &["a"]),
            ("A=1 B=2", &[""]),
            (">x", &[""]),
            ("1A=x a", &["1A=x a"]),
            ("a B=1", &["a B=1"]),
            ("de\\\nclare x\\\n=\\\n(a)", &["declare x=(a)"]),
            ("declare -a x=(p \"$(a)\") y", &["declare -a ‹x=(p \"$(a)\")› y", "a"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn a_reserved_word_behind_a_redirection_is_uncertain_in_a_substitution() {
        assert_eq!(commands(&read("<x ! a; <x if b").unwrap()), ["! a", "if b"]);
        for text in ["a $(<x ! b)", "a <(>x time b)"] {
            assert_eq!(read(text).unwrap_err().reason, UnreadReason::RewrittenSubstitution, "{text:?}");
        }
        assert!(read("a $(<x '!' b; y=1 <x ! c)").is_ok());
    }

    #[test]
    fn a_parenthesis_in_an_argument_is_refused() {
        for text in ["a ( b )", "echo @(a|b)", "a b=(c)", "declare >x a=(b)", "'declare' a=(b)", "$a()"] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
