//! A place in the text that only moves forward, with line continuations already deleted.
//!
//! Promises that a backslash-newline is never seen where bash deletes it (everywhere but in single quotes, comments and
//! escapes, which read raw), that spans still count it, and that nothing here can panic or look back. Knows no grammar.

use std::borrow::Cow;

/// Reads a text byte by byte. Every byte with a meaning to the shell is ASCII, so all places are character boundaries.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    /// The next byte; never at a continuation.
    position: usize,
    /// One past the last byte that was consumed, without the continuations behind it.
    consumed: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at a byte of a text.
    pub(super) fn new(text: &'a str, position: usize) -> Self {
        let mut cursor = Self { text, position, consumed: position };
        cursor.position = cursor.settled(position);
        cursor
    }

    /// The place of the next byte.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// One past the last byte that was consumed.
    pub(super) fn consumed(&self) -> usize {
        self.consumed
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.byte(self.position)
    }

    /// The byte after the next one.
    pub(super) fn peek_second(&self) -> Option<u8> {
        self.byte(self.settled(self.position + 1))
    }

    /// The byte after the byte after the next one.
    pub(super) fn peek_third(&self) -> Option<u8> {
        self.byte(self.settled(self.settled(self.position + 1) + 1))
    }

    /// The byte behind the next one with no continuation taken out: what a backslash escapes.
    pub(super) fn peek_escaped(&self) -> Option<u8> {
        self.byte(self.position + 1)
    }

    /// Consumes one byte.
    pub(super) fn bump(&mut self) {
        self.jump(self.position + 1);
    }

    /// Consumes `count` bytes, not counting continuations.
    pub(super) fn bump_by(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    /// Consumes everything up to `end`, a place further on.
    pub(super) fn jump(&mut self, end: usize) {
        self.consumed = end.min(self.text.len());
        self.position = self.settled(self.consumed);
    }

    /// Consumes a backslash and the character that it escapes; yields that character, nothing at the end of the text.
    pub(super) fn take_escaped(&mut self) -> &'a str {
        let start = self.position + 1;
        let length = self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        self.jump(start + length);
        self.slice(start, start + length)
    }

    /// Consumes bytes while `keep` holds, up to the next continuation. `keep` must refuse the backslash.
    pub(super) fn run(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let start = self.position;
        let length = self.rest().bytes().take_while(|byte| keep(*byte)).count();
        if length > 0 {
            self.jump(start + length);
        }
        self.slice(start, start + length)
    }

    /// Consumes bytes while `keep` holds, continuations inside left out.
    pub(super) fn run_joined(&mut self, keep: impl Fn(u8) -> bool) -> Cow<'a, str> {
        let mut joined = Cow::Borrowed(self.run(&keep));
        loop {
            let more = self.run(&keep);
            if more.is_empty() {
                return joined;
            }
            joined.to_mut().push_str(more);
        }
    }

    /// What [`Self::run_joined`] would consume, and where it would end, without consuming it.
    pub(super) fn ahead(&self, keep: impl Fn(u8) -> bool) -> (Cow<'a, str>, Cursor<'a>) {
        let mut ahead = *self;
        let text = ahead.run_joined(keep);
        (text, ahead)
    }

    /// Consumes up to and including the next `end` byte with nothing escaped or continued; yields what is before it.
    pub(super) fn take_raw_until(&mut self, end: u8) -> Option<&'a str> {
        let start = self.position;
        let length = self.rest().bytes().position(|byte| byte == end)?;
        self.jump(start + length + 1);
        Some(self.slice(start, start + length))
    }

    /// Opens a raw passage: consumes one byte and stays right behind it, even at a backslash-newline.
    pub(super) fn bump_into_raw(&mut self) {
        self.jump_raw(self.position + 1);
    }

    /// Skips a comment up to its newline, which stays. A backslash does not continue it.
    pub(super) fn skip_comment(&mut self) {
        let length = self.rest().bytes().position(|byte| byte == b'\n').unwrap_or(self.rest().len());
        self.position += length;
    }

    /// Skips blanks.
    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t')) {
            self.position = self.settled(self.position + 1);
        }
    }

    /// The text between two places.
    pub(super) fn slice(&self, start: usize, end: usize) -> &'a str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The text up to a place, for reading a passage by itself with places that stay the same.
    pub(super) fn text_until(&self, end: usize) -> &'a str {
        self.slice(0, end)
    }

    /// The text from a place on.
    pub(super) fn text_from(&self, start: usize) -> &'a str {
        self.text.get(start..).unwrap_or_default()
    }

    /// Consumes everything up to `end` and stays there, even at a backslash-newline.
    pub(super) fn jump_raw(&mut self, end: usize) {
        self.consumed = end.min(self.text.len());
        self.position = self.consumed;
    }

    /// What has not been consumed, continuations included.
    pub(super) fn rest(&self) -> &'a str {
        self.text_from(self.position)
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The first place from `at` on that is not a continuation.
    fn settled(&self, mut at: usize) -> usize {
        while self.byte(at) == Some(b'\\') && self.byte(at + 1) == Some(b'\n') {
            at += 2;
        }
        at
    }
}

/// Blanks, newlines and operator characters: what ends a word.
pub(super) fn is_metacharacter(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')')
}

/// What a variable's name may begin with.
pub(super) fn is_name_start(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphabetic()
}

/// What a variable's name may go on with.
pub(super) fn is_name_byte(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// Whether a text is a variable's name.
pub(super) fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(is_name_start) && text.bytes().all(is_name_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn continuations_are_deleted_but_counted() {
        let mut cursor = Cursor::new("a\\\n\\\nb\\\n c", 0);
        assert_eq!(cursor.peek_second(), Some(b'b'));
        assert_eq!(cursor.peek_third(), Some(b' '));
        assert_eq!(cursor.run_joined(|byte| byte.is_ascii_alphabetic()), "ab");
        assert_eq!((cursor.consumed(), cursor.position()), (6, 8));
    }

    #[test]
    fn an_escaped_backslash_does_not_continue_the_line() {
        let mut cursor = Cursor::new("\\\\\nx", 0);
        assert_eq!(cursor.take_escaped(), "\\");
        assert_eq!(cursor.peek(), Some(b'\n'));
    }

    #[test]
    fn an_escape_at_the_end_yields_nothing_and_stays_inside() {
        let mut cursor = Cursor::new("\\", 0);
        assert_eq!(cursor.take_escaped(), "");
        assert_eq!((cursor.peek(), cursor.consumed()), (None, 1));
    }

    #[test]
    fn a_comment_ends_at_its_newline_even_behind_a_backslash() {
        let mut cursor = Cursor::new("#x\\\ny", 0);
        cursor.skip_comment();
        assert_eq!(cursor.peek(), Some(b'\n'));
    }
}
