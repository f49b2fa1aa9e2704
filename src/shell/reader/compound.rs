//! Commands of every kind, and the compound commands without a file of their own.
//!
//! Promises that each command goes to its reader and that depth is counted here.

use super::lists::ListEnd;
use super::reserved::Reserved;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Command, Compound, Redirect};

impl Reader<'_> {
    /// Reads one command with the redirections behind it.
    pub(super) fn command(&mut self) -> Outcome<Command> {
        self.deeper(|reader| {
            let start = reader.cursor.position();
            if reader.cursor.peek() == Some(b'(') {
                let kind = reader.parenthesised()?;
                return reader.finish_compound(start, kind);
            }
            match reader.reserved_word_ahead() {
                // Where `time` is not in front of a pipeline it is a command word.
                None | Some((Reserved::Time, _)) => reader.simple_command(),
                Some((word, behind)) => {
                    let before = reader.cursor;
                    reader.cursor = behind;
                    if word == Reserved::Function {
                        reader.function_keyword(start)
                    } else if word == Reserved::Coproc {
                        reader.coprocess(start)
                    } else if let Some(kind) = reader.compound(word)? {
                        reader.finish_compound(start, kind)
                    } else {
                        reader.cursor = before;
                        reader.fail(UnreadReason::UnexpectedReservedWord)
                    }
                }
            }
        })
    }

    /// Reads a compound command with the cursor behind its first word; `None` if the word begins none.
    fn compound(&mut self, word: Reserved) -> Outcome<Option<Compound>> {
        Ok(Some(match word {
            Reserved::OpenBrace => self.group()?,
            Reserved::OpenConditional => Compound::Conditional(self.conditional()?),
            Reserved::If => self.if_command()?,
            Reserved::While => self.while_command()?,
            Reserved::Until => self.until_command()?,
            Reserved::For => self.for_command()?,
            Reserved::Select => self.select_command()?,
            Reserved::Case => self.case_command()?,
            Reserved::Then
            | Reserved::Elif
            | Reserved::Else
            | Reserved::Fi
            | Reserved::Do
            | Reserved::Done
            | Reserved::Esac
            | Reserved::Function
            | Reserved::Coproc
            | Reserved::Time
            | Reserved::Negation
            | Reserved::CloseBrace
            | Reserved::CloseConditional
            | Reserved::In => return Ok(None),
        }))
    }

    fn finish_compound(&mut self, start: usize, kind: Compound) -> Outcome<Command> {
        let redirects = self.redirects_behind()?;
        Ok(Command::Compound { kind, redirects, span: self.span_from(start) })
    }

    fn redirects_behind(&mut self) -> Outcome<Vec<Redirect>> {
        let mut redirects = Vec::new();
        loop {
            let before = self.cursor;
            self.skip_blanks();
            match self.redirect()? {
                Some(redirect) => redirects.push(redirect),
                None if !redirects.is_empty() && self.at_word() => {
                    return self.fail(UnreadReason::UnexpectedReservedWord);
                }
                None => {
                    self.cursor = before;
                    return Ok(redirects);
                }
            }
        }
    }

    /// `((…))` or `( … )`.
    fn parenthesised(&mut self) -> Outcome<Compound> {
        if self.cursor.peek_second() == Some(b'(')
            && let Some(expression) = self.arithmetic_command()?
        {
            return Ok(Compound::Arithmetic(expression));
        }
        self.cursor.bump();
        let body = self.full_list(ListEnd::Parenthesis)?;
        self.cursor.bump();
        Ok(Compound::Subshell(body))
    }

    /// `{ …; }` behind its brace.
    pub(super) fn group(&mut self) -> Outcome<Compound> {
        let body = self.full_list(ListEnd::Brace)?;
        self.cursor.bump();
        Ok(Compound::Group(body))
    }

    fn if_command(&mut self) -> Outcome<Compound> {
        let mut branches = Vec::new();
        loop {
            let condition = self.full_list(ListEnd::Then)?;
            self.expect_reserved(Reserved::Then)?;
            let branch = self.full_list(ListEnd::Branch)?;
            branches.push((condition, branch));
            match self.reserved_word_ahead() {
                Some((Reserved::Elif, behind)) => self.cursor = behind,
                Some((Reserved::Else, behind)) => {
                    self.cursor = behind;
                    let otherwise = Some(self.full_list(ListEnd::Fi)?);
                    self.expect_reserved(Reserved::Fi)?;
                    return Ok(Compound::If { branches, otherwise });
                }
                Some(_) | None => {
                    self.expect_reserved(Reserved::Fi)?;
                    return Ok(Compound::If { branches, otherwise: None });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::commands;

    #[test]
    fn compound_commands_hold_every_command_in_them() {
        let cases: &[(&str, &[&str])] = &[
            ("if a; then b; elif c\nthen d; else e; fi", &["a", "b", "c", "d", "e"]),
            ("if [[ x ]] then a; fi", &["a"]),
            ("if (a) then b; fi >c", &["a", "b"]),
            ("{ a; } | (b; c) 2>&1", &["a", "b", "c"]),
            ("( (rm -rf x) )", &["rm -rf x"]),
            ("((a); b)", &["a", "b"]),
            ("{(a)}", &["a"]),
            ("((1)) && (\\\n(2)) && c", &["c"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn empty_and_open_compound_commands_are_refused() {
        for text in [
            "if a; then fi",
            "if ; then a; fi",
            "( )",
            "{ }",
            "{ a",
            "(a",
            "{ a }",
            "if (a) >b then c; fi",
            "{echo hi; }",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
