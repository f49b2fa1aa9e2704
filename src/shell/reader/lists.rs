//! Lists, and-or lists and pipelines.
//!
//! Promises the order and the joining of commands, and that a list ends only where its compound command lets it end.

use super::reserved::Reserved;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{AndOr, Command, Connector, Pipeline, Script, Stage};

/// What ends a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListEnd {
    /// The end of the text.
    Text,
    /// `)`
    Parenthesis,
    /// `}`
    Brace,
    /// `then`
    Then,
    /// `elif`, `else` or `fi`
    Branch,
    /// `fi`
    Fi,
    /// `do`
    Do,
    /// `done`
    Done,
    /// `;;`, `;&`, `;;&` or `esac`
    Arm,
}

impl Reader<'_> {
    /// Reads a list up to what ends it, which stays. `earlier_lines` becomes the number of members that stand complete
    /// before the line that was read last.
    pub(super) fn list(
        &mut self,
        end: ListEnd,
        items: &mut Vec<AndOr>,
        earlier_lines: &mut usize,
    ) -> Outcome<()> {
        loop {
            self.skip_blanks();
            while self.cursor.peek() == Some(b'\n') {
                *earlier_lines = items.len();
                self.newline()?;
                self.skip_blanks();
            }
            if self.at_list_end(end) {
                return Ok(());
            }
            let mut and_or = self.and_or()?;
            self.skip_blanks();
            let mut is_last = false;
            match self.cursor.peek() {
                None | Some(b'\n') => {}
                Some(b';') if !matches!(self.cursor.peek_second(), Some(b';' | b'&')) => {
                    if self.here_documents.may_lose_a_semicolon() {
                        return self.fail(UnreadReason::RewrittenSubstitution);
                    }
                    self.cursor.bump();
                }
                Some(b'&') => {
                    and_or.background = true;
                    self.cursor.bump();
                }
                Some(_) => is_last = true,
            }
            items.push(and_or);
            if is_last {
                return if self.at_list_end(end) { Ok(()) } else { self.unexpected() };
            }
        }
    }

    /// Reads a list that must not be empty.
    pub(super) fn full_list(&mut self, end: ListEnd) -> Outcome<Script> {
        let mut script = Script::default();
        self.list(end, &mut script.items, &mut 0)?;
        if script.items.is_empty() {
            return self.fail(UnreadReason::EmptyList);
        }
        Ok(script)
    }

    fn at_list_end(&self, end: ListEnd) -> bool {
        match end {
            ListEnd::Text => self.cursor.peek().is_none(),
            ListEnd::Parenthesis => self.cursor.peek() == Some(b')'),
            ListEnd::Brace => self.reserved_word() == Some(Reserved::CloseBrace),
            ListEnd::Then => self.reserved_word() == Some(Reserved::Then),
            ListEnd::Branch => {
                matches!(self.reserved_word(), Some(Reserved::Elif | Reserved::Else | Reserved::Fi))
            }
            ListEnd::Fi => self.reserved_word() == Some(Reserved::Fi),
            ListEnd::Do => self.reserved_word() == Some(Reserved::Do),
            ListEnd::Done => self.reserved_word() == Some(Reserved::Done),
            ListEnd::Arm => {
                (self.cursor.peek() == Some(b';') && matches!(self.cursor.peek_second(), Some(b';' | b'&')))
                    || self.reserved_word() == Some(Reserved::Esac)
            }
        }
    }

    /// Fails because of what comes next.
    pub(super) fn unexpected<T>(&self) -> Outcome<T> {
        self.fail(match self.cursor.peek() {
            None => UnreadReason::UnexpectedEnd,
            Some(b'(' | b')') => UnreadReason::UnexpectedParenthesis,
            Some(b';' | b'&' | b'|' | b'<' | b'>' | b'\n') => UnreadReason::UnexpectedOperator,
            Some(_) => UnreadReason::UnexpectedReservedWord,
        })
    }

    fn and_or(&mut self) -> Outcome<AndOr> {
        let first = self.pipeline()?;
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connector = match (self.cursor.peek(), self.cursor.peek_second()) {
                (Some(b'&'), Some(b'&')) => Connector::And,
                (Some(b'|'), Some(b'|')) => Connector::Or,
                _ => return Ok(AndOr { first, rest, background: false }),
            };
            self.cursor.bump_by(2);
            self.skip_newlines()?;
            rest.push((connector, self.pipeline()?));
        }
    }

    fn pipeline(&mut self) -> Outcome<Pipeline> {
        let mut pipeline = Pipeline { negated: false, timed: false, stages: Vec::with_capacity(1) };
        loop {
            self.skip_blanks();
            match self.reserved_word_ahead() {
                Some((Reserved::Negation, behind)) => {
                    if behind.peek() == Some(b'(') {
                        return self.fail(UnreadReason::AmbiguousNegation);
                    }
                    pipeline.negated = true;
                    self.cursor = behind;
                }
                Some((Reserved::Time, behind)) => {
                    pipeline.timed = true;
                    self.cursor = behind;
                    self.skip_blanks();
                    if self.take_plain_word("-p") {
                        self.skip_blanks();
                    }
                    self.take_plain_word("--");
                }
                Some(_) | None => break,
            }
        }
        if (pipeline.negated || pipeline.timed) && self.at_bare_prefix_end() {
            return Ok(pipeline);
        }
        let mut command = self.command()?;
        if pipeline.timed
            && self.here_documents.is_in_substitution()
            && begins_like_an_option_of_time(&command)
        {
            return self.fail(UnreadReason::RewrittenSubstitution);
        }
        loop {
            self.skip_blanks();
            let stderr_too = match (self.cursor.peek(), self.cursor.peek_second()) {
                (Some(b'|'), Some(b'|')) => None,
                (Some(b'|'), second) => Some(second == Some(b'&')),
                _ => None,
            };
            let Some(stderr_too) = stderr_too else {
                pipeline.stages.push(Stage { command, stderr_too: false });
                return Ok(pipeline);
            };
            pipeline.stages.push(Stage { command, stderr_too });
            self.cursor.bump_by(if stderr_too { 2 } else { 1 });
            self.skip_newlines()?;
            command = self.command()?;
        }
    }

    /// `!` and `time` may stand alone in front of a newline, a `;` or the end.
    fn at_bare_prefix_end(&self) -> bool {
        match self.cursor.peek() {
            None | Some(b'\n') => true,
            Some(b';') => !matches!(self.cursor.peek_second(), Some(b';' | b'&')),
            Some(_) => false,
        }
    }
}

/// Whether bash, which writes the text of a substitution anew and reads that, would take the command word for an option of
/// `time`: it leaves out the `--` that stood in front of it.
fn begins_like_an_option_of_time(command: &Command) -> bool {
    match command {
        Command::Simple(simple) => {
            simple.assignments.is_empty()
                && simple.words.first().is_some_and(|word| matches!(word.raw.as_str(), "-p" | "--"))
        }
        Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::commands;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn lists_and_pipelines_hold_their_commands_in_order() {
        let cases: &[(&str, &[&str])] = &[
            ("a &&\n\n# b && x\nc |\n# d\ne", &["a", "c", "e"]),
            ("a |& b 2>&1 &", &["a", "b"]),
            ("a; b & c\nd;", &["a", "b", "c", "d"]),
            ("a |\\\n| b &\\\n& c", &["a", "b", "c"]),
            ("! ! time ! a", &["a"]),
            ("time -p -- a -p", &["a -p"]),
            ("time -- -p", &["-p"]),
            ("time '-p' a", &["-p a"]),
            ("time; a", &["a"]),
            ("a | time b", &["a", "time b"]),
            ("a #\\\nb", &["a", "b"]),
            ("{ (a) }", &["a"]),
            ("", &[]),
            ("# a\n\n \t\n", &[]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn what_time_would_take_for_its_option_is_not_certain_in_a_substitution() {
        for text in ["a <(time -- -- b)", "a $(time -- -p b)", "a $(time -p -- -- b)", "a $(time -- <x -- b)"]
        {
            assert_eq!(read(text).unwrap_err().reason, UnreadReason::RewrittenSubstitution, "{text:?}");
        }
        for text in ["a $(time -- b)", "a $(time -p b --)", "a $(time -- '--' b)", "time -- -- b"] {
            assert!(read(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn what_bash_refuses_is_refused() {
        for text in [
            "a &&",
            "| a",
            "a;;",
            "a ; ;b",
            "a\n;b",
            "a\n&& b",
            "a & && b",
            "a)",
            "}",
            "fi",
            "a | ! b",
            "! | a",
            "time && a",
            "(!)",
            "{ ! }",
            "!(a)",
            ";",
            "&",
            "a &;",
            "{ (a) >b }",
            "a;& b",
            "in a",
            "a; ]] b",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn what_bash_ran_before_a_syntax_error_is_kept() {
        let cases: &[(&str, &[&str])] = &[
            ("rm x\n)", &["rm x"]),
            ("rm x; )", &[]),
            ("a\nb; c\n\nd; (", &["a", "b", "c"]),
            ("a; b ${ c; }", &["a"]),
        ];
        for (text, expected) in cases {
            assert_eq!(commands(&read(text).unwrap_err().before), *expected, "{text:?}");
        }
    }
}
