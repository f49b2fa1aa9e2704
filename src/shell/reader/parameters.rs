//! `${…}`.
//!
//! Promises that the expansion ends where bash ends it, and every substitution in its operand. What bash refuses when it
//! runs, or reads differently by version, is an error.

use super::cursor::{is_name_byte, is_name_start};
use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Expansion, ExpansionKind};

/// What follows the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operand {
    /// Nothing: the expansion is closed.
    None,
    /// A word: in double quotes, single quotes are plain for expansion.
    Word,
    /// A pattern or a replacement: single quotes quote even in double quotes.
    Pattern {
        /// Removal of a prefix or suffix, where all versions agree on that.
        removes: bool,
    },
    /// `:offset:length`, arithmetic.
    Substring,
}

impl Reader<'_> {
    /// Reads `${…}` with the cursor on the dollar.
    pub(super) fn braced_parameter(&mut self, builder: &mut WordBuilder, context: Context) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump_by(2);
        let (parameter, inside) = self.deeper(|reader| {
            let mut inside = WordBuilder::default();
            let is_indirect = reader.parameter_prefix()?;
            let parameter = reader.parameter_name()?;
            if reader.cursor.peek() == Some(b'[') {
                let subscript = reader.braced_subscript()?;
                inside.push_parts(subscript.parts);
            }
            let operand = reader.parameter_operator(is_indirect, parameter.bytes().all(is_name_byte))?;
            if operand != Operand::None {
                reader.operand(&mut inside, operand, context.is_quoted(), start)?;
            }
            Ok((parameter, inside))
        })?;
        let inside = inside.finish_inside(false);
        builder.push_expansion(Expansion {
            kind: ExpansionKind::Parameter,
            quoted: context.is_quoted(),
            parameter: Some(parameter),
            raw: self.raw_from(start),
            nested: inside.nested,
            inside: inside.inside,
        });
        Ok(())
    }

    /// Consumes the `#` of a length or the `!` of an indirection; yields whether it was a `!`.
    fn parameter_prefix(&mut self) -> Outcome<bool> {
        let (first, second, third) =
            (self.cursor.peek(), self.cursor.peek_second(), self.cursor.peek_third());
        if matches!(first, Some(b' ' | b'\t' | b'\n' | b'|')) {
            return self.fail(UnreadReason::FunctionSubstitution);
        }
        let names = second.is_some_and(is_name_byte);
        // `${#-}` is a length, `${#-x}` is `$#` with a default.
        let is_prefix = match first {
            Some(b'#') => {
                names
                    || (matches!(second, Some(b'@' | b'*' | b'?' | b'-' | b'$' | b'!' | b'#'))
                        && third == Some(b'}'))
            }
            Some(b'!') => {
                names
                    || matches!(second, Some(b'@' | b'*' | b'$' | b'!'))
                    || (matches!(second, Some(b'?' | b'-' | b'#')) && third == Some(b'}'))
            }
            Some(_) | None => false,
        };
        if is_prefix {
            self.cursor.bump();
        }
        Ok(is_prefix && first == Some(b'!'))
    }

    fn parameter_name(&mut self) -> Outcome<String> {
        match self.cursor.peek() {
            Some(byte) if is_name_start(byte) => Ok(self.cursor.run_joined(is_name_byte).into_owned()),
            Some(byte) if byte.is_ascii_digit() => {
                Ok(self.cursor.run_joined(|byte| byte.is_ascii_digit()).into_owned())
            }
            Some(byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.cursor.bump();
                Ok(char::from(byte).to_string())
            }
            Some(_) => self.fail(UnreadReason::MalformedParameter),
            None => self.fail(UnreadReason::UnterminatedParameter),
        }
    }

    fn parameter_operator(&mut self, is_indirect: bool, is_variable: bool) -> Outcome<Operand> {
        let (first, second) = (self.cursor.peek(), self.cursor.peek_second());
        let (length, operand) = match first {
            None => return self.fail(UnreadReason::UnterminatedParameter),
            Some(b'}') => (1, Operand::None),
            Some(b':') if matches!(second, Some(b'-' | b'=' | b'?' | b'+')) => (2, Operand::Word),
            Some(b':') => (1, Operand::Substring),
            Some(b'-' | b'=' | b'?' | b'+') => (1, Operand::Word),
            Some(b'#' | b'%') => (1, Operand::Pattern { removes: true }),
            Some(b'/' | b'^' | b',' | b'~') => (1, Operand::Pattern { removes: false }),
            Some(b'@' | b'*') if is_indirect && second == Some(b'}') => (2, Operand::None),
            Some(b'@')
                if second.is_some_and(|byte| byte.is_ascii_alphabetic())
                    && self.cursor.peek_third() == Some(b'}') =>
            {
                (3, Operand::None)
            }
            // Bash refuses this when it runs, but finds its end as for a word.
            Some(_) if is_variable => (0, Operand::Word),
            Some(_) => return self.fail(UnreadReason::MalformedParameter),
        };
        self.cursor.bump_by(length);
        Ok(operand)
    }

    /// Reads the operand and the closing brace.
    fn operand(
        &mut self,
        inside: &mut WordBuilder,
        operand: Operand,
        quoted: bool,
        start: usize,
    ) -> Outcome<()> {
        let (dollars, quotes) = if quoted || operand == Operand::Substring {
            (Context::Body, Context::QuotesInBody)
        } else {
            (Context::Plain, Context::DoubleQuotes)
        };
        // Bash pairs single quotes to find the end, though it expands what is between them.
        let mut between_quotes = false;
        loop {
            let at = self.cursor.position();
            match self.cursor.peek() {
                None => return self.fail_at(start, UnreadReason::UnterminatedParameter),
                Some(b'}' | b'"' | b'\\') if between_quotes => {
                    return self.fail(UnreadReason::AmbiguousQuoting);
                }
                Some(b'}') => {
                    self.cursor.bump();
                    return Ok(());
                }
                Some(b'\\') if operand == Operand::Substring => {
                    return self.fail(UnreadReason::AmbiguousQuoting);
                }
                Some(b'\\') => inside.push_literal(self.cursor.take_escaped()),
                Some(b'\'') if quoted && operand == Operand::Word => {
                    between_quotes = !between_quotes;
                    self.cursor.bump();
                }
                Some(b'\'') => {
                    let text = self.single_quoted_text()?;
                    let is_plain = match operand {
                        Operand::Word | Operand::None => !quoted,
                        Operand::Pattern { removes } => !quoted || removes,
                        Operand::Substring => false,
                    };
                    if !is_plain && text.contains(['$', '`', '\\']) {
                        return self.fail_at(at, UnreadReason::AmbiguousQuoting);
                    }
                    inside.push_literal(text);
                }
                Some(b'"') => self.double_quotes(inside, quotes)?,
                Some(b'$') if self.cursor.peek_second() == Some(b'\'') && dollars.is_quoted() => {
                    self.quoted_ansi_quotes(inside, operand)?;
                }
                Some(b'$') => self.dollar(inside, dollars)?,
                Some(b'`') => self.backquotes(inside, dollars)?,
                Some(b'<' | b'>') if self.at_process_substitution() => {
                    if dollars.is_quoted() {
                        return self.fail(UnreadReason::AmbiguousProcessSubstitution);
                    }
                    self.process_substitution(inside)?;
                }
                Some(b'<' | b'>') => self.cursor.bump(),
                Some(_) => {
                    inside.push_literal(self.cursor.run(|byte| {
                        !matches!(byte, b'}' | b'\\' | b'\'' | b'"' | b'$' | b'`' | b'<' | b'>')
                    }));
                }
            }
            if between_quotes && self.cursor.slice(at + 1, self.cursor.consumed()).contains('\'') {
                return self.fail_at(at, UnreadReason::AmbiguousQuoting);
            }
        }
    }

    /// `$'…'` in the operand of a quoted `${…}`: certain only for a pattern, and where the decoded text is plain.
    fn quoted_ansi_quotes(&mut self, inside: &mut WordBuilder, operand: Operand) -> Outcome<()> {
        let start = self.cursor.position();
        match operand {
            Operand::Pattern { removes: _ } => {}
            Operand::None | Operand::Word | Operand::Substring => {
                return self.fail(UnreadReason::AmbiguousQuoting);
            }
        }
        let text = self.ansi_quoted_text()?;
        if text.contains(['$', '`', '"', '\'', '\\', '}']) {
            return self.fail_at(start, UnreadReason::AmbiguousQuoting);
        }
        inside.push_literal(&text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::{commands, first_word_expansions};
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn the_forms_of_bash_are_read_with_their_parameter() {
        for (text, parameter) in [
            ("${x@Q}", "x"),
            ("${x@P}", "x"),
            ("${!y}", "y"),
            ("${!p*}", "p"),
            ("${!p@}", "p"),
            ("${#z}", "z"),
            ("${x^^}", "x"),
            ("${x:1:2}", "x"),
            ("${#}", "#"),
            ("${#:-a}", "#"),
            ("${##}", "#"),
            ("${##a}", "#"),
            ("${#-}", "-"),
            ("${#-a}", "#"),
            ("${!}", "!"),
            ("${!-a}", "!"),
            ("${12}", "12"),
            ("${@:2}", "@"),
            ("${a[@]}", "a"),
            ("${#a[*]}", "a"),
            ("${!a[@]}", "a"),
            ("${x//a/b}", "x"),
            ("${x%%.*}", "x"),
            ("${x,,}", "x"),
            ("${x~}", "x"),
            ("${H\\\nO:-a}", "HO"),
            ("${x: -1}", "x"),
            ("\"${x//$'\\n'/ }\"", "x"),
            ("${x:-$'\\x7d'}", "x"),
        ] {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(first_word_expansions(&script)[0].parameter.as_deref(), Some(parameter), "{text:?}");
        }
    }

    #[test]
    fn commands_in_operands_are_found_exactly_where_bash_runs_them() {
        let ran: &[(&str, &[&str])] = &[
            ("${x:-$(a)}", &["a"]),
            ("\"${x:=`a`}\"", &["a"]),
            ("${a#${b#${c#$(d)}}}", &["d"]),
            ("\"${x:-'$(a)'}\"", &["a"]),
            ("${x:-'$(a)'}", &[]),
            ("\"${x#'$(a)'}\"", &[]),
            ("\"${x:-\"'$(a)'\"}\"", &["a"]),
            ("${x//\\//$(a)}", &["a"]),
            ("${x:-<(a)}", &["a"]),
            ("${x:$(a):1}", &["a"]),
            ("${x[$(a)]:-$(b)}", &["a", "b"]),
            ("${x-a}$(b)}", &["b"]),
            ("${x b}$(c)", &["c"]),
            ("${x@Q'}'}$(c)", &["c"]),
        ];
        for (text, inner) in ran {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script)[1..], **inner, "{text:?}");
        }
    }

    #[test]
    fn what_versions_read_differently_or_bash_refuses_is_an_error() {
        for (text, reason) in [
            ("a ${ b; }", UnreadReason::FunctionSubstitution),
            ("a ${| b; }", UnreadReason::FunctionSubstitution),
            ("a ${~x}", UnreadReason::MalformedParameter),
            ("a ${}", UnreadReason::MalformedParameter),
            ("a ${x", UnreadReason::UnterminatedParameter),
            ("a ${", UnreadReason::UnterminatedParameter),
            ("a \"${x:-it's}\"", UnreadReason::AmbiguousQuoting),
            ("a \"${x:-'}'}\"", UnreadReason::AmbiguousQuoting),
            ("a \"${x/b/'$(c)'}\"", UnreadReason::AmbiguousQuoting),
            ("a ${x:'$(b)'}", UnreadReason::AmbiguousQuoting),
            ("a \"${x:-$'b'}\"", UnreadReason::AmbiguousQuoting),
            ("a \"${x:-<(b)}\"", UnreadReason::AmbiguousProcessSubstitution),
        ] {
            assert_eq!(read(text).unwrap_err().reason, reason, "{text:?}");
        }
    }
}
