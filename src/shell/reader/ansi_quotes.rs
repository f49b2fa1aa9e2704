//! `$'…'`: quotes with escape codes.
//!
//! Promises the text that bash makes of the codes, or an error where shells differ. Knows nothing but these quotes.

use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};

impl Reader<'_> {
    /// Reads `$'…'` with the cursor on the dollar.
    pub(super) fn ansi_quotes(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let text = self.ansi_quoted_text()?;
        builder.push(&text, true);
        Ok(())
    }

    /// Reads `$'…'` and yields what it decodes to.
    pub(super) fn ansi_quoted_text(&mut self) -> Outcome<String> {
        let start = self.cursor.position();
        self.cursor.bump();
        self.cursor.bump_into_raw();
        let inside = self.cursor.position();
        let text = self.cursor.rest();
        let mut decoder = Decoder { rest: text.as_bytes(), decoded: Vec::new(), cut: false };
        match decoder.decode() {
            Ok(()) => {}
            Err(reason) => return self.fail_at(start, reason),
        }
        let length = text.len() - decoder.rest.len();
        self.cursor.jump(inside + length);
        match String::from_utf8(decoder.decoded) {
            Ok(text) => Ok(text),
            Err(_) => self.fail_at(start, UnreadReason::NotUtf8),
        }
    }
}

struct Decoder<'a> {
    rest: &'a [u8],
    decoded: Vec<u8>,
    /// A NUL was decoded: bash drops the rest of this quoted text.
    cut: bool,
}

impl Decoder<'_> {
    /// Decodes up to and including the closing quote.
    fn decode(&mut self) -> Result<(), UnreadReason> {
        loop {
            match self.next().ok_or(UnreadReason::UnterminatedAnsiQuote)? {
                b'\'' => return Ok(()),
                b'\\' => self.escape()?,
                byte => self.put(&[byte]),
            }
        }
    }

    fn escape(&mut self) -> Result<(), UnreadReason> {
        match self.next().ok_or(UnreadReason::UnterminatedAnsiQuote)? {
            b'n' => self.put(b"\n"),
            b't' => self.put(b"\t"),
            b'r' => self.put(b"\r"),
            b'a' => self.put(&[0x07]),
            b'b' => self.put(&[0x08]),
            b'e' | b'E' => self.put(&[0x1b]),
            b'f' => self.put(&[0x0c]),
            b'v' => self.put(&[0x0b]),
            byte @ (b'\\' | b'\'' | b'"' | b'?') => self.put(&[byte]),
            byte @ b'0'..=b'7' => {
                let (_, value) = self.number(u32::from(byte - b'0'), 2, 8);
                // Three octal digits wrap at a byte, as in bash.
                self.put(&[value.to_le_bytes().first().copied().unwrap_or_default()]);
            }
            b'x' => {
                if self.rest.first() == Some(&b'{') {
                    return Err(UnreadReason::AmbiguousEscape);
                }
                match self.number(0, 2, 16) {
                    (0, _) => self.put(b"\\x"),
                    (_, value) => self.put(&[value.to_le_bytes().first().copied().unwrap_or_default()]),
                }
            }
            b'u' => self.character(b"\\u", 4)?,
            b'U' => self.character(b"\\U", 8)?,
            b'c' => match self.next() {
                Some(byte) if byte.is_ascii() && !matches!(byte, b'\\' | b'\'') => {
                    self.put(&[byte.to_ascii_uppercase() & 0x1f]);
                }
                Some(_) | None => return Err(UnreadReason::AmbiguousEscape),
            },
            byte => self.put(&[b'\\', byte]),
        }
        Ok(())
    }

    fn character(&mut self, without_digits: &[u8], most_digits: usize) -> Result<(), UnreadReason> {
        let (digits, value) = self.number(0, most_digits, 16);
        if digits == 0 {
            self.put(without_digits);
            return Ok(());
        }
        let character = char::from_u32(value).ok_or(UnreadReason::AmbiguousEscape)?;
        self.put(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    /// Reads up to `most` digits behind a value; yields how many there were, and the new value.
    fn number(&mut self, mut value: u32, most: usize, radix: u32) -> (usize, u32) {
        let mut digits = 0;
        while digits < most
            && let Some(digit) = self.rest.first().and_then(|byte| char::from(*byte).to_digit(radix))
        {
            value = value.wrapping_mul(radix).wrapping_add(digit);
            digits += 1;
            self.next();
        }
        (digits, value)
    }

    fn put(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.cut |= *byte == 0;
            if !self.cut {
                self.decoded.push(*byte);
            }
        }
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::argument_texts;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn escape_codes_decode_as_in_bash() {
        let cases = [
            (r"\162\155", "rm"),
            (r"\x72m\x", "rm\\x"),
            (r"it\'s", "it's"),
            (r"\u00e9\t|", "é\t|"),
            (r"\U0001f600\u", "😀\\u"),
            (r"rm\0 -rf", "rm"),
            (r"rm\x00junk", "rm"),
            (r"\cA\8\q", "\u{1}\\8\\q"),
            (r"\e\E\a\b\f\v\?", "\u{1b}\u{1b}\u{7}\u{8}\u{c}\u{b}?"),
            (r"\xc3\xa9", "é"),
            (r"\501", "A"),
        ];
        for (inside, expected) in cases {
            let script = read(&format!("$'{inside}'x")).unwrap_or_else(|error| panic!("{inside:?}: {error}"));
            assert_eq!(argument_texts(&script), [format!("{expected}x")], "{inside:?}");
        }
    }

    #[test]
    fn codes_that_shells_decode_differently_are_errors() {
        let cases = [
            (r"\xff", UnreadReason::NotUtf8),
            (r"\x{41}", UnreadReason::AmbiguousEscape),
            (r"\c\\", UnreadReason::AmbiguousEscape),
            (r"\ud800", UnreadReason::AmbiguousEscape),
        ];
        for (inside, reason) in cases {
            assert_eq!(read(&format!("a $'{inside}'")).unwrap_err().reason, reason, "{inside:?}");
        }
        assert_eq!(read("a $'b\\'").unwrap_err().reason, UnreadReason::UnterminatedAnsiQuote);
    }
}
