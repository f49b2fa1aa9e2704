//! Arithmetic: `((…))`, `$((…))`, `$[…]` and array subscripts.
//!
//! Promises every substitution in an expression, and that a `((` which is no arithmetic is read as the subshells that it
//! is, where both ways of finding its end agree. Bash expands expressions as if in double quotes, single quotes included.

use super::counting::{counts_whole, parentheses_pair_up};
use super::cursor::Cursor;
use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Budget, Outcome, Reader, UnreadReason};
use crate::shell::tree::{ExpansionKind, Span, Word};

/// How a parenthesised expression turned out.
enum Turned {
    /// `))` closed it.
    Arithmetic {
        /// The place of the `))`.
        inside_end: usize,
    },
    /// Its inner parenthesis closed alone; for `$((` the place behind the outer one, as bash counts.
    Commands { end: usize },
}

/// Which brackets close an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Brackets {
    /// `$[…]`, which bash delimits by counting.
    Expression,
    /// `name[…]`
    Subscript,
    /// `${name[…]}`, which bash ends at a bare `}`.
    BracedSubscript,
}

/// Whether anything in an expression may be quoted.
fn has_quotes(expression: &str) -> bool {
    expression.contains(['\'', '"', '\\'])
}

impl<'a> Reader<'a> {
    /// Reads `((…))` with the cursor on it; `None`, with nothing consumed, if it is a subshell in a subshell.
    pub(super) fn arithmetic_command(&mut self) -> Outcome<Option<Word>> {
        let before = self.cursor;
        let commands_left = self.budget.commands;
        self.cursor.bump_by(2);
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        match self.deeper(|reader| reader.parenthesised_arithmetic(&mut builder, false))? {
            Turned::Arithmetic { inside_end } => Ok(Some(Word {
                parts: builder.finish(),
                raw: self.cursor.slice(start, inside_end).to_owned(),
                span: self.has_spans.then_some(Span { start, end: inside_end }),
            })),
            Turned::Commands { end: _ } => {
                self.reread_from(before, commands_left)?;
                Ok(None)
            }
        }
    }

    /// Reads `$((…))`, or the `$( (…) …)` that it turns out to be.
    pub(super) fn dollar_double_parenthesis(
        &mut self,
        builder: &mut WordBuilder,
        context: Context,
    ) -> Outcome<()> {
        let before = self.cursor;
        let commands_left = self.budget.commands;
        let start = before.position();
        let case_arms = self.case_arms;
        self.cursor.bump_by(3);
        let mut inside = WordBuilder::default();
        match self.deeper(|reader| reader.parenthesised_arithmetic(&mut inside, true))? {
            Turned::Arithmetic { inside_end } => {
                // Bash 5.2 writes a substitution anew before it counts, and leaves out the parenthesis in front of a pattern.
                let has_case = self.case_arms != case_arms;
                if has_case || !parentheses_pair_up(self.cursor.slice(start + 3, inside_end)) {
                    return self.fail_at(start, UnreadReason::AmbiguousParentheses);
                }
                let inside = inside.finish_inside(!has_quotes(self.cursor.slice(start, inside_end)));
                self.push_expansion(builder, ExpansionKind::Arithmetic, start, context, inside);
                Ok(())
            }
            Turned::Commands { end } => {
                self.reread_from(before, commands_left)?;
                self.command_substitution(builder, context)?;
                if self.cursor.consumed() != end {
                    return self.fail_at(start, UnreadReason::AmbiguousParentheses);
                }
                Ok(())
            }
        }
    }

    /// Reads `$[…]`.
    pub(super) fn bracket_arithmetic(&mut self, builder: &mut WordBuilder, context: Context) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump_by(2);
        let mut inside = WordBuilder::default();
        self.deeper(|reader| reader.bracketed(&mut inside, start, Brackets::Expression))?;
        let inside = inside.finish_inside(!has_quotes(self.cursor.slice(start, self.cursor.consumed())));
        self.push_expansion(builder, ExpansionKind::Arithmetic, start, context, inside);
        Ok(())
    }

    /// Reads `[subscript]` with the cursor on it; yields what is inside.
    pub(super) fn subscript(&mut self) -> Outcome<Word> {
        self.subscript_in(Brackets::Subscript)
    }

    /// Reads the `[subscript]` of a `${…}`.
    pub(super) fn braced_subscript(&mut self) -> Outcome<Word> {
        self.subscript_in(Brackets::BracedSubscript)
    }

    fn subscript_in(&mut self, brackets: Brackets) -> Outcome<Word> {
        let open = self.cursor.position();
        self.cursor.bump();
        let start = self.cursor.position();
        let mut builder = WordBuilder::default();
        let end = self.deeper(|reader| reader.bracketed(&mut builder, open, brackets))?;
        Ok(Word {
            parts: builder.finish(),
            raw: self.cursor.slice(start, end).to_owned(),
            span: self.has_spans.then_some(Span { start, end }),
        })
    }

    /// Goes back to read what is no arithmetic as commands. Each time costs at most the length of the text, so a bounded
    /// number of times keeps the whole linear.
    fn reread_from(&mut self, place: Cursor<'a>, commands_left: u32) -> Outcome<()> {
        let Some(rereads) = self.budget.rereads.checked_sub(1) else {
            return self.fail(UnreadReason::AmbiguousParentheses);
        };
        self.budget = Budget { rereads, commands: commands_left, ..self.budget };
        self.cursor = place;
        Ok(())
    }

    /// Reads behind `((`. With `to_outer_end`, what turns out to be commands is followed to where bash counts the end.
    fn parenthesised_arithmetic(&mut self, builder: &mut WordBuilder, to_outer_end: bool) -> Outcome<Turned> {
        let start = self.cursor.position();
        let mut level = 2usize;
        let mut is_commands = false;
        loop {
            match self.cursor.peek() {
                None => return self.fail_at(start, UnreadReason::UnterminatedArithmetic),
                Some(b'(') => {
                    level += 1;
                    self.cursor.bump();
                    builder.push("(", true);
                }
                Some(b')') => {
                    level -= 1;
                    if level == 1 && !is_commands {
                        // Behind the inner parenthesis of a command bash looks at the very next byte.
                        if !to_outer_end && self.cursor.peek_escaped() == Some(b'\\') {
                            return self.fail(UnreadReason::AmbiguousParentheses);
                        }
                        if self.cursor.peek_second() == Some(b')') {
                            let inside_end = self.cursor.position();
                            self.cursor.bump_by(2);
                            return Ok(Turned::Arithmetic { inside_end });
                        }
                        is_commands = true;
                    }
                    self.cursor.bump();
                    builder.push(")", true);
                    if level == 0 || (is_commands && !to_outer_end) {
                        return Ok(Turned::Commands { end: self.cursor.consumed() });
                    }
                }
                Some(byte) => self.arithmetic_part(builder, byte, Some((b'(', b')')))?,
            }
        }
    }

    /// Reads behind `[` up to and including its `]`; yields the place of the `]`.
    fn bracketed(&mut self, builder: &mut WordBuilder, open: usize, brackets: Brackets) -> Outcome<usize> {
        let mut level = 0usize;
        loop {
            match self.cursor.peek() {
                None => {
                    return self.fail_at(
                        open,
                        match brackets {
                            Brackets::Expression => UnreadReason::UnterminatedArithmetic,
                            Brackets::Subscript | Brackets::BracedSubscript => {
                                UnreadReason::UnterminatedSubscript
                            }
                        },
                    );
                }
                Some(b'[') => {
                    level += 1;
                    self.cursor.bump();
                    builder.push("[", true);
                }
                Some(b']') => {
                    let end = self.cursor.position();
                    self.cursor.bump();
                    match level.checked_sub(1) {
                        Some(outer) => level = outer,
                        None => return Ok(end),
                    }
                    builder.push("]", true);
                }
                Some(b'}') if brackets == Brackets::BracedSubscript => {
                    return self.fail(UnreadReason::AmbiguousBrackets);
                }
                Some(b'<' | b'>') if self.at_process_substitution() => {
                    return self.fail(UnreadReason::AmbiguousProcessSubstitution);
                }
                Some(byte) => {
                    let counted = (brackets == Brackets::Expression).then_some((b'[', b']'));
                    self.arithmetic_part(builder, byte, counted)?;
                }
            }
        }
    }

    /// Reads what is no bracket of the expression. `counted` are the brackets that bash counts even inside expansions.
    fn arithmetic_part(
        &mut self,
        builder: &mut WordBuilder,
        byte: u8,
        counted: Option<(u8, u8)>,
    ) -> Outcome<()> {
        let start = self.cursor.position();
        match byte {
            b'$' => {
                let second = self.cursor.peek_second();
                if matches!(second, Some(b'\'' | b'"')) {
                    return self.fail(UnreadReason::AmbiguousQuoting);
                }
                self.dollar(builder, Context::Body)?;
                // A `$(` in parentheses is the one form that bash reads by structure there.
                let by_structure = matches!(counted, Some((b'(', _))) && second == Some(b'(');
                match counted {
                    Some((open, close)) if !by_structure => {
                        if !counts_whole(self.cursor.slice(start, self.cursor.consumed()), open, close) {
                            return self.fail_at(start, UnreadReason::AmbiguousBrackets);
                        }
                    }
                    Some(_) | None => {}
                }
                Ok(())
            }
            b'`' => self.backquotes(builder, Context::Body),
            b'"' => self.double_quotes(builder, Context::QuotesInBody),
            b'\'' => self.single_quoted_arithmetic(builder),
            b'\\' => {
                builder.push(self.cursor.take_escaped(), true);
                Ok(())
            }
            // Brackets of the other kind, and whatever the callers had to look at, are text here.
            b'(' | b')' | b'[' | b']' | b'}' | b'<' | b'>' => {
                builder.push(self.cursor.slice(start, start + 1), true);
                self.cursor.bump();
                Ok(())
            }
            _ => {
                builder.push(self.cursor.run(is_arithmetic_text), true);
                Ok(())
            }
        }
    }

    /// Bash skips single quotes when it looks for the end of an expression, but expands what is between them. Certain
    /// only where what is between them would not be read differently as a quoted text.
    fn single_quoted_arithmetic(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump();
        loop {
            let at = self.cursor.position();
            match self.cursor.peek() {
                None => return self.fail_at(start, UnreadReason::UnterminatedSingleQuote),
                Some(b'\'') => {
                    self.cursor.bump();
                    return Ok(());
                }
                Some(b'"' | b'\\') => return self.fail(UnreadReason::AmbiguousQuoting),
                Some(b'$') => self.dollar(builder, Context::Body)?,
                Some(b'`') => self.backquotes(builder, Context::Body)?,
                Some(_) => {
                    builder.push(
                        self.cursor.run(|byte| !matches!(byte, b'\'' | b'"' | b'\\' | b'$' | b'`')),
                        true,
                    );
                }
            }
            if self.cursor.slice(at, self.cursor.consumed()).contains('\'') {
                return self.fail_at(at, UnreadReason::AmbiguousQuoting);
            }
        }
    }
}

fn is_arithmetic_text(byte: u8) -> bool {
    !matches!(byte, b'$' | b'`' | b'"' | b'\'' | b'\\' | b'(' | b')' | b'[' | b']' | b'}' | b'<' | b'>')
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::{commands, conditional_words};
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn commands_in_arithmetic_are_found() {
        let cases: &[(&str, &[&str])] = &[
            ("(( x = $(b) + (1) ))", &["b"]),
            ("((x < 2 && y > `c`))", &["c"]),
            ("a \"$((1+0$(b)))\" \"$[`c`]\"", &["a ‹\"$((1+0$(b)))\"› ‹\"$[`c`]\"›", "b", "c"]),
            ("a $((1 + \"$(b)\"))", &["a ‹$((1 + \"$(b)\"))›", "b"]),
            ("a $(( '1' ))", &["a ‹$(( '1' ))›"]),
            ("a $(( '$(b)' ))", &["a ‹$(( '$(b)' ))›", "b"]),
            ("a $[ x='r[$(b)]' ]", &["a ‹$[ x='r[$(b)]' ]›", "b"]),
            ("a $(( ${x:-$(b)} ))", &["a ‹$(( ${x:-$(b)} ))›", "b"]),
            ("a ${r[$(b)]} ${r[1 + 2]}", &["a ‹${r[$(b)]}› ‹${r[1 + 2]}›", "b"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn double_parentheses_that_are_subshells_are_read_as_commands() {
        let cases: &[(&str, &[&str])] = &[
            ("((a); b)", &["a", "b"]),
            ("a $((b); c)", &["a ‹$((b); c)›", "b", "c"]),
            ("a $((b) )", &["a ‹$((b) )›", "b"]),
            ("a $((1 + $(b esac)))", &["a ‹$((1 + $(b esac)))›", "b esac"]),
            ("(((a); b); c)", &["a", "b", "c"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
        for text in [
            "a $((b); case x in x) c;; esac)",
            "a $((1+$(case x in (x) a;; esac)))",
            "a $((1+`case x in (x) a;; esac`))",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn the_word_of_an_arithmetic_command_is_what_is_inside() {
        for (text, inside) in [("((1+2))", "1+2"), ("(( (1) ))", " (1) "), ("(( ))", " ")] {
            assert_eq!(conditional_words(&read(text).unwrap()), [inside], "{text:?}");
        }
    }

    #[test]
    fn what_bash_delimits_another_way_is_refused() {
        let cases = [
            ("a $(( '$(b 'c')' ))", UnreadReason::AmbiguousQuoting),
            ("a $(( $'1' ))", UnreadReason::AmbiguousQuoting),
            ("a $(( ${x:-)} ))", UnreadReason::AmbiguousBrackets),
            ("a $[ $(b 1]) ]", UnreadReason::AmbiguousBrackets),
            ("a ${x[}]}", UnreadReason::AmbiguousBrackets),
            ("a ${x[<(b)]}", UnreadReason::AmbiguousProcessSubstitution),
            ("((1)\\\n)", UnreadReason::AmbiguousParentheses),
            ("((a)\\\n; b)", UnreadReason::AmbiguousParentheses),
            ("a $((1", UnreadReason::UnterminatedArithmetic),
            ("((1", UnreadReason::UnterminatedArithmetic),
        ];
        for (text, reason) in cases {
            assert_eq!(read(text).unwrap_err().reason, reason, "{text:?}");
        }
    }
}
