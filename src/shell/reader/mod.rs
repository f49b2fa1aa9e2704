//! The reader: bash source text to a syntax tree, strictly.
//!
//! Promises one forward pass, time linear in the text, bounded depth, no panic, and that whatever is not certain is an
//! error with its place and reason, never a guess and never nothing. Must not know rules, ratings or what commands mean.
//!
//! A tree that the reader yields holds every command that bash could run from the text, except where a builtin takes code
//! from its arguments. Bash reads and runs line by line, so an error also tells what stood complete before it.

mod ansi_quotes;
mod arithmetic;
mod arrays;
mod assignments;
mod backquotes;
mod case_command;
mod compound;
mod conditional;
mod counting;
mod cursor;
mod delivery;
mod expansions;
mod functions;
mod here_documents;
mod lists;
mod loops;
mod parameters;
mod patterns;
mod quotes;
mod reason;
mod redirections;
mod reserved;
mod simple;
mod substitutions;
mod word_builder;
mod words;

#[cfg(test)]
mod tests;

pub use reason::UnreadReason;

use crate::shell::tree::{AndOr, Script, Span};
use cursor::Cursor;
use here_documents::HereDocuments;
use lists::ListEnd;

/// The longest text that is read, in bytes. Commands of agents are far below; a bound keeps a decision short.
pub const MAX_BYTES: usize = 1 << 20;

/// The deepest nesting that is read, in levels of commands, quotes and expansions. Keeps recursion inside a 2 MiB stack.
pub const MAX_DEPTH: u32 = 100;

/// The most simple commands in one text, as many as an analysis has segments. Bounds what a hostile text costs later.
pub const MAX_COMMANDS: u32 = 4096;

/// The most words in one text: more than a command line of a megabyte has when it is meant. Bounds the memory of a tree.
pub const MAX_WORDS: u32 = 1 << 17;

/// How often one text may have a `((` that turns out to be nested subshells: each such place is read twice.
const MAX_REREADS: u32 = 16;

/// A text that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason} at byte {at}")]
pub struct ReadError {
    /// The byte at which reading stopped.
    pub at: usize,
    /// Why it stopped.
    pub reason: UnreadReason,
    /// What stood complete before: the lists of earlier lines, which bash has run by then, and for a reason at which bash
    /// itself would not stop the line ([`UnreadReason::stops_the_line`]) also the complete lists of the same line.
    pub before: Script,
}

/// Reads a whole text.
///
/// # Errors
/// [`ReadError`] for a text that bash would not parse, that versions or modes of bash read differently, or that is
/// beyond [`MAX_BYTES`], [`MAX_DEPTH`] or [`MAX_COMMANDS`].
pub fn read(text: &str) -> Result<Script, ReadError> {
    Reader::new(text, 0, 0, true).whole_text().map_err(|failure| (*failure).into())
}

/// Reads a text that comes from inside another (the argument of `-c` or `eval`, a here-document fed to a shell): spans are
/// `None`, and `depth` levels count as used.
///
/// # Errors
/// As [`read`].
pub fn read_nested(text: &str, depth: u32) -> Result<Script, ReadError> {
    Reader::new(text, 0, depth, false).whole_text().map_err(|failure| (*failure).into())
}

/// A [`ReadError`] on its way up.
#[derive(Debug)]
struct Failure {
    at: usize,
    reason: UnreadReason,
    /// What an inner text held complete before the place.
    before: Vec<AndOr>,
    /// Inside text that bash reads only when it runs the line, so that the line runs up to there.
    deferred: bool,
}

impl From<Failure> for ReadError {
    fn from(failure: Failure) -> Self {
        Self { at: failure.at, reason: failure.reason, before: Script { items: failure.before } }
    }
}

/// Boxed, so that the way of success stays small on the stack.
type Outcome<T> = Result<T, Box<Failure>>;

/// The state of one pass over one text.
struct Reader<'a> {
    cursor: Cursor<'a>,
    depth: u32,
    /// Places are of the analysed text, so that nodes carry them.
    has_spans: bool,
    here_documents: HereDocuments,
    budget: Budget,
    /// How many arms of `case` were read so far.
    case_arms: usize,
}

/// What may still be spent on a text, over all texts inside it.
#[derive(Debug, Clone, Copy)]
struct Budget {
    /// `((` that may be read a second time.
    rereads: u32,
    /// Simple commands.
    commands: u32,
    /// Words.
    words: u32,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, position: usize, depth: u32, has_spans: bool) -> Self {
        Self {
            cursor: Cursor::new(text, position),
            depth,
            has_spans,
            here_documents: HereDocuments::default(),
            budget: Budget { rereads: MAX_REREADS, commands: MAX_COMMANDS, words: MAX_WORDS },
            case_arms: 0,
        }
    }

    fn whole_text(&mut self) -> Outcome<Script> {
        if self.cursor.rest().len() > MAX_BYTES {
            return self.fail(UnreadReason::TooLong);
        }
        if let Some(at) = self.cursor.rest().bytes().position(|byte| byte == 0) {
            return self.fail_at(at, UnreadReason::NulByte);
        }
        if self.depth > MAX_DEPTH {
            return self.fail(UnreadReason::TooDeep);
        }
        let mut items = Vec::new();
        let mut earlier_lines = 0;
        let read =
            self.list(ListEnd::Text, &mut items, &mut earlier_lines).and_then(|()| self.no_body_missing());
        if let Err(mut failure) = read {
            if failure.reason.stops_the_line() && !failure.deferred {
                items.truncate(earlier_lines);
            }
            items.append(&mut failure.before);
            self.here_documents.deliver(&mut items);
            failure.before = items;
            return Err(failure);
        }
        self.here_documents.deliver(&mut items);
        Ok(Script { items })
    }

    /// Fails at the next byte.
    fn fail<T>(&self, reason: UnreadReason) -> Outcome<T> {
        self.fail_at(self.cursor.position(), reason)
    }

    fn fail_at<T>(&self, at: usize, reason: UnreadReason) -> Outcome<T> {
        Err(Box::new(Failure { at, reason, before: Vec::new(), deferred: false }))
    }

    /// Reads one level deeper. A failure ends the whole pass, so the level need not be restored then.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(UnreadReason::TooDeep);
        }
        self.depth += 1;
        let outcome = read(self)?;
        self.depth -= 1;
        Ok(outcome)
    }

    /// The span from `start` to what was consumed last.
    fn span_from(&self, start: usize) -> Option<Span> {
        self.has_spans.then(|| Span { start, end: self.cursor.consumed() })
    }

    /// The text from `start` to what was consumed last.
    fn raw_from(&self, start: usize) -> String {
        self.cursor.slice(start, self.cursor.consumed()).to_owned()
    }

    /// Skips blanks and a comment, where a token may begin.
    fn skip_blanks(&mut self) {
        self.cursor.skip_blanks();
        if self.cursor.peek() == Some(b'#') {
            self.cursor.skip_comment();
        }
    }

    /// Skips blanks, comments and newlines.
    fn skip_newlines(&mut self) -> Outcome<()> {
        self.skip_blanks();
        while self.cursor.peek() == Some(b'\n') {
            self.newline()?;
            self.skip_blanks();
        }
        Ok(())
    }
}
