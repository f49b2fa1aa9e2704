//! Cutting what arrives into lines of bounded length.
//!
//! Promises that a line which is longer than its bound is reported once and takes no memory. Knows nothing of where bytes
//! come from, or of what a line says.

/// A line without its line feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A line that is no longer than the bound.
    Whole(Vec<u8>),
    /// A line that was longer; its bytes are gone.
    TooLong,
}

/// The line that is under way.
#[derive(Debug)]
pub struct Lines {
    bound: usize,
    held: Vec<u8>,
    too_long: bool,
}

impl Lines {
    /// Lines of at most so many bytes.
    #[must_use]
    pub fn new(bound: usize) -> Self {
        Self { bound, held: Vec::new(), too_long: false }
    }

    /// Takes bytes, and returns the lines that they complete.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Line> {
        let mut lines = Vec::new();
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (content, ended) = match part.strip_suffix(b"\n") {
                Some(content) => (content, true),
                None => (part, false),
            };
            self.hold(content);
            if ended {
                lines.push(self.end());
            }
        }
        lines
    }

    /// The line that the end of everything completes.
    pub fn last(&mut self) -> Option<Line> {
        (self.too_long || !self.held.is_empty()).then(|| self.end())
    }

    fn hold(&mut self, content: &[u8]) {
        if self.too_long || self.held.len().saturating_add(content.len()) > self.bound {
            self.too_long = true;
            self.held = Vec::new();
        } else {
            self.held.extend_from_slice(content);
        }
    }

    fn end(&mut self) -> Line {
        let held = std::mem::take(&mut self.held);
        if std::mem::take(&mut self.too_long) { Line::TooLong } else { Line::Whole(held) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_whole_however_their_bytes_arrive() {
        let text = b"one\n\ntwo\r\nthree is too long\nfour\nrest";
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        let expected = [whole("one"), whole(""), whole("two\r"), Line::TooLong, whole("four")];
        for size in 1..text.len() {
            let mut lines = Lines::new(8);
            let found: Vec<Line> = text.chunks(size).flat_map(|chunk| lines.take(chunk)).collect();
            assert_eq!(found, expected, "{size}");
            assert_eq!(lines.last(), Some(whole("rest")));
            assert_eq!(lines.last(), None);
        }
    }
}
