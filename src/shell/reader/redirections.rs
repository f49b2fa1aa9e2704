//! Redirections.
//!
//! Promises the operator, descriptor and target as bash takes them. Bodies of here-documents are read at the next newline.

use super::cursor::{Cursor, is_metacharacter, is_name, is_name_byte};
use super::words::WordPlace;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{Part, Redirect, RedirectOperator, Word};

/// Digits that always fit a descriptor; with more, bash may take them for a word.
const MAX_DESCRIPTOR_DIGITS: usize = 9;

impl<'a> Reader<'a> {
    /// Reads a redirection, if one comes next.
    pub(super) fn redirect(&mut self) -> Outcome<Option<Redirect>> {
        let start = self.cursor.position();
        let (descriptor, behind) = match self.cursor.peek() {
            Some(b'<' | b'>' | b'&') => (None, self.cursor),
            Some(byte) if byte.is_ascii_digit() || byte == b'{' => match self.descriptor_ahead(byte)? {
                Some((descriptor, behind)) => (Some(descriptor), behind),
                None => return Ok(None),
            },
            Some(_) | None => return Ok(None),
        };
        let Some(operator) = operator_at(&behind) else {
            return Ok(None);
        };
        self.cursor = behind;
        self.cursor.bump_by(operator.as_str().len());
        self.skip_blanks();
        if !self.at_word() {
            return self.fail(UnreadReason::MissingRedirectionTarget);
        }
        let (target, heredoc) = match operator {
            RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput
                if self.cursor.peek() == Some(b'-') =>
            {
                (self.closing_dash()?, None)
            }
            RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
                let delimiter = self.word(WordPlace::Argument)?;
                let body = self.announce_here_document(&delimiter, operator)?;
                (delimiter, Some(body))
            }
            RedirectOperator::Read
            | RedirectOperator::Write
            | RedirectOperator::Append
            | RedirectOperator::Clobber
            | RedirectOperator::ReadWrite
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth
            | RedirectOperator::HereString => {
                let target = self.word(WordPlace::Argument)?;
                if self.is_glued_descriptor(&target) {
                    return self.fail(UnreadReason::MissingRedirectionTarget);
                }
                (target, None)
            }
            RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput => {
                (self.word(WordPlace::Argument)?, None)
            }
        };
        Ok(Some(Redirect { descriptor, operator, target, heredoc, span: self.span_from(start) }))
    }

    /// The dash behind `>&` is a token of its own: what is glued to it is the next word.
    fn closing_dash(&mut self) -> Outcome<Word> {
        let start = self.cursor.position();
        self.cursor.bump();
        Ok(Word {
            parts: vec![Part::Text { text: "-".to_owned(), quoted: false }],
            raw: self.raw_from(start),
            span: self.span_from(start),
        })
    }

    /// A descriptor that is glued to `<` or `>`.
    fn descriptor_ahead(&self, first: u8) -> Outcome<Option<(String, Cursor<'a>)>> {
        if first == b'{' {
            return self.named_descriptor_ahead();
        }
        let (digits, behind) = self.cursor.ahead(|byte| byte.is_ascii_digit());
        if !matches!(behind.peek(), Some(b'<' | b'>')) || behind.peek_second() == Some(b'(') {
            return Ok(None);
        }
        if digits.len() > MAX_DESCRIPTOR_DIGITS {
            return self.fail(UnreadReason::AmbiguousDescriptor);
        }
        Ok(Some((digits.into_owned(), behind)))
    }

    fn named_descriptor_ahead(&self) -> Outcome<Option<(String, Cursor<'a>)>> {
        let mut inside = self.cursor;
        inside.bump();
        let (name, behind) = inside.ahead(is_name_byte);
        let (more, mut close) = behind.ahead(|byte| {
            !is_metacharacter(byte) && !matches!(byte, b'\\' | b'}' | b'\'' | b'"' | b'$' | b'`')
        });
        if close.peek() != Some(b'}') {
            return Ok(None);
        }
        close.bump();
        if !is_name(&name) || !matches!(close.peek(), Some(b'<' | b'>')) {
            return Ok(None);
        }
        if close.peek_second() == Some(b'(') || more.starts_with('[') {
            return self.fail(UnreadReason::AmbiguousDescriptor);
        }
        Ok(more.is_empty().then(|| (format!("{{{name}}}"), close)))
    }
}

/// The longest operator at a place; none for a process substitution.
fn operator_at(cursor: &Cursor<'_>) -> Option<RedirectOperator> {
    match (cursor.peek()?, cursor.peek_second()) {
        (b'&', Some(b'>')) => Some(match cursor.peek_third() {
            Some(b'>') => RedirectOperator::AppendBoth,
            Some(_) | None => RedirectOperator::WriteBoth,
        }),
        (b'<', Some(b'<')) => Some(match cursor.peek_third() {
            Some(b'<') => RedirectOperator::HereString,
            Some(b'-') => RedirectOperator::HereDocumentStripped,
            Some(_) | None => RedirectOperator::HereDocument,
        }),
        (b'<' | b'>', Some(b'(')) => None,
        (b'<', Some(b'&')) => Some(RedirectOperator::DuplicateInput),
        (b'<', Some(b'>')) => Some(RedirectOperator::ReadWrite),
        (b'<', _) => Some(RedirectOperator::Read),
        (b'>', Some(b'>')) => Some(RedirectOperator::Append),
        (b'>', Some(b'|')) => Some(RedirectOperator::Clobber),
        (b'>', Some(b'&')) => Some(RedirectOperator::DuplicateOutput),
        (b'>', _) => Some(RedirectOperator::Write),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::{commands, redirects};

    #[test]
    fn redirections_are_read_with_descriptor_operator_and_target() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("a >o <i >>p", &["a"], &[">o", "<i", ">>p"]),
            ("a >|o 3<>f 4>&- 5<&0", &["a"], &[">|o", "3<>f", "4>&-", "5<&0"]),
            ("a &>o &>>p >&q <<<r", &["a"], &["&>o", "&>>p", ">&q", "<<<r"]),
            ("a {fd}>o", &["a"], &["{fd}>o"]),
            ("a {f\\\nd}\\\n>o", &["a"], &["{fd}>o"]),
            ("a 2\\\n>\\\n>o", &["a"], &["2>>o"]),
            ("a 2 >o b2>o \"2\">o", &["a 2 b2 2"], &[">o", ">o", ">o"]),
            ("a 3>&-b c>& -d", &["a b c d"], &["3>&-", ">&-"]),
            ("a {]}>o {1}>o", &["a {]} {1}"], &[">o", ">o"]),
            ("a 2<(b)", &["a ‹2<(b)›", "b"], &[]),
            ("a > >(b) 2>$(c)", &["a", "b", "c"], &[">>(b)", "2>$(c)"]),
            ("a&>o", &["a"], &["&>o"]),
            ("a 2>&1>o", &["a"], &["2>&1", ">o"]),
        ];
        for (text, ran, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *ran, "{text:?}");
            assert_eq!(redirects(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn missing_targets_and_odd_descriptors_are_refused() {
        for text in [
            "a >",
            "a <<",
            "a > | b",
            "a >;",
            "a {b[0]}>c",
            "a {b}<(c)",
            "a 12345678901>b",
            "a >#b",
            "a 2>2>&1",
            "a <<<2>b",
        ] {
            assert!(read(text).is_err(), "{text:?}");
        }
    }
}
