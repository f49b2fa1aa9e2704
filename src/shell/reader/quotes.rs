//! Single and double quotes.
//!
//! Promises that quoted text is decoded as bash removes quotes. Knows nothing of where words end.

use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};

/// What surrounds an expansion: it decides what single quotes and `\"` mean inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// Outside double quotes.
    Plain,
    /// Directly in double quotes, whose `\"` bash takes away before it looks into backquotes.
    DoubleQuotes,
    /// Text that bash expands as if it were in double quotes, though `\"` stays: the body of a here-document, arithmetic,
    /// a subscript, the operand of a quoted `${…}`.
    Body,
    /// Double quotes inside a [`Context::Body`], where versions differ about `\"` in backquotes.
    QuotesInBody,
}

impl Context {
    /// Whether what is expanded here is quoted.
    pub(super) fn is_quoted(self) -> bool {
        match self {
            Self::Plain => false,
            Self::DoubleQuotes | Self::Body | Self::QuotesInBody => true,
        }
    }
}

impl Reader<'_> {
    /// Reads `'…'`.
    pub(super) fn single_quotes(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let text = self.single_quoted_text()?;
        builder.push(text, true);
        Ok(())
    }

    /// Reads `"…"`.
    pub(super) fn double_quotes(&mut self, builder: &mut WordBuilder, context: Context) -> Outcome<()> {
        self.deeper(|reader| {
            let start = reader.cursor.position();
            reader.cursor.bump();
            builder.push("", true);
            loop {
                match reader.cursor.peek() {
                    None => return reader.fail_at(start, UnreadReason::UnterminatedDoubleQuote),
                    Some(b'"') => {
                        reader.cursor.bump();
                        return Ok(());
                    }
                    Some(byte) => reader.quoted_part(builder, context, byte)?,
                }
            }
        })
    }

    /// Reads what is not the end of a quoted text: an escape, an expansion or a run of plain text.
    fn quoted_part(&mut self, builder: &mut WordBuilder, context: Context, byte: u8) -> Outcome<()> {
        match byte {
            b'\\' => {
                match self.cursor.peek_escaped() {
                    Some(b'$' | b'`' | b'"' | b'\\') => builder.push(self.cursor.take_escaped(), true),
                    Some(_) | None => {
                        builder.push("\\", true);
                        builder.push(self.cursor.take_escaped(), true);
                    }
                }
                Ok(())
            }
            b'$' => self.dollar(builder, context),
            b'`' => self.backquotes(builder, context),
            _ => {
                builder.push(self.cursor.run(|byte| !matches!(byte, b'\\' | b'$' | b'`' | b'"')), true);
                Ok(())
            }
        }
    }
}

impl<'a> Reader<'a> {
    /// Reads `'…'` and yields what is inside.
    pub(super) fn single_quoted_text(&mut self) -> Outcome<&'a str> {
        let start = self.cursor.position();
        self.cursor.bump_into_raw();
        match self.cursor.take_raw_until(b'\'') {
            Some(text) => Ok(text),
            None => self.fail_at(start, UnreadReason::UnterminatedSingleQuote),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::argument_texts;

    #[test]
    fn quotes_are_removed_as_bash_removes_them() {
        let cases: &[(&str, &[&str])] = &[
            ("a 'b\\\nc'", &["a", "b\\\nc"]),
            ("a \"b\\\nc\"", &["a", "bc"]),
            (r#"a "\$H \\ \" \a""#, &["a", "$H \\ \" \\a"]),
            (r#"g"i"t 'st'atus"#, &["git", "status"]),
            (r"\rm r''m", &["rm", "rm"]),
            ("a $ a$ \"$\" $%", &["a", "$", "a$", "$", "$%"]),
            ("a \"b'c\"'d\"e'", &["a", "b'cd\"e"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(argument_texts(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn an_open_quote_is_an_error_at_its_place() {
        for (text, at) in [("a 'b", 2), ("a \"b", 2), ("a \"$(b 'c\"", 7), ("a \"\\", 2)] {
            assert_eq!(read(text).unwrap_err().at, at, "{text:?}");
        }
    }
}
