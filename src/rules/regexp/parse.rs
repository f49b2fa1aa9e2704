//! Reads a regular expression of the ECMAScript dialect, without flags, into its tree.
//!
//! Promises to refuse what it cannot honour exactly, saying what to write instead; never guesses. The one liberty: it
//! works on characters where ECMAScript without flags works on UTF-16 units. Knows nothing of engines.

mod escapes;

use super::syntax::{CharSet, Node};
use thiserror::Error;

/// Why a pattern is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum SyntaxError {
    /// A quantifier without anything before it.
    #[error("nothing to repeat before `{0}`; write `\\{0}` for the character itself")]
    NothingToRepeat(char),
    /// `{n,m}` with n > m.
    #[error("the numbers in {{{0},{1}}} are out of order")]
    RepeatOutOfOrder(u32, u32),
    /// A repeat count that is too large to write down.
    #[error("the repeat count is too large; use at most 1000")]
    RepeatTooLarge,
    /// `(` without `)`.
    #[error("a `(` is never closed; write `\\(` for the character itself")]
    UnclosedGroup,
    /// `)` without `(`.
    #[error("a `)` has no `(`; write `\\)` for the character itself")]
    UnopenedGroup,
    /// `[` without `]`.
    #[error("a `[` is never closed; write `\\[` for the character itself")]
    UnclosedClass,
    /// `[z-a]`
    #[error("the range {0}-{1} in a class is out of order")]
    RangeOutOfOrder(char, char),
    /// `(?` with something unknown behind it.
    #[error(
        "`(?` is followed by something that is no group of ECMAScript (inline flags such as (?i) are not supported: write both cases, as in [Gg]it)"
    )]
    UnknownGroup,
    /// A group name that is no name.
    #[error("a group name must be letters, digits, `_` or `$`, not starting with a digit, and end with `>`")]
    BadGroupName,
    /// Two groups of the same name.
    #[error("the group name `{0}` is used twice")]
    DuplicateGroupName(String),
    /// A reference to no group.
    #[error("there is no group `{0}` to refer back to")]
    NoSuchGroup(String),
    /// A backslash at the end.
    #[error("the pattern ends in a lone backslash; write `\\\\` for the character itself")]
    TrailingBackslash,
    /// An escape that ECMAScript would read as the bare letter.
    #[error(
        "`\\{0}` has no meaning in this dialect; write `{0}` for the letter itself (Unicode properties, \\A, \\z and \\Q are not supported: use [..], ^ and $)"
    )]
    UnknownEscape(char),
    /// `\x`, `\u` or `\c` without the digits or letter it needs.
    #[error("`\\{0}` needs {1} behind it")]
    IncompleteEscape(char, &'static str),
    /// Groups inside groups beyond the bound.
    #[error("groups are nested too deep; use at most 250 levels")]
    NestedTooDeep,
    /// Half of a surrogate pair.
    #[error("a lone surrogate never occurs in a text; write both halves of the pair or the character itself")]
    LoneSurrogate,
}

/// A group nests at most as deep as the pattern is long, and callers cap that length; this holds without them too.
const MAX_DEPTH: u32 = 250;

/// Reads a pattern.
pub(super) fn parse(pattern: &str) -> Result<Node, SyntaxError> {
    let characters: Vec<char> = pattern.chars().collect();
    let names = group_names(&characters)?;
    let mut reader = Reader { characters: &characters, at: 0, names: &names, opened: 0 };
    let node = reader.alternation(0)?;
    match reader.peek() {
        None => Ok(node),
        Some(_) => Err(SyntaxError::UnopenedGroup),
    }
}

/// The capturing groups in source order, each with its name if it has one: references may point forward.
fn group_names(characters: &[char]) -> Result<Vec<Option<String>>, SyntaxError> {
    let mut names: Vec<Option<String>> = Vec::new();
    let mut in_class = false;
    let mut rest = characters;
    loop {
        rest = match rest {
            [] => return Ok(names),
            ['\\', _, tail @ ..] => tail,
            ['[', tail @ ..] if !in_class => {
                in_class = true;
                tail
            }
            [']', tail @ ..] if in_class => {
                in_class = false;
                tail
            }
            ['(', '?', '<', next, tail @ ..] if !in_class && !matches!(next, '=' | '!') => {
                let name: String =
                    std::iter::once(*next).chain(tail.iter().copied()).take_while(|c| *c != '>').collect();
                if !is_group_name(&name) {
                    return Err(SyntaxError::BadGroupName);
                }
                if names.iter().flatten().any(|known| *known == name) {
                    return Err(SyntaxError::DuplicateGroupName(name));
                }
                names.push(Some(name));
                tail
            }
            ['(', '?', tail @ ..] if !in_class => tail,
            ['(', tail @ ..] if !in_class => {
                names.push(None);
                tail
            }
            [_, tail @ ..] => tail,
        };
    }
}

fn is_group_name(name: &str) -> bool {
    let mut characters = name.chars();
    let starts = characters.next().is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '$'));
    starts && characters.all(|character| character.is_alphanumeric() || matches!(character, '_' | '$'))
}

struct Reader<'a> {
    characters: &'a [char],
    at: usize,
    names: &'a [Option<String>],
    /// Capturing groups opened so far.
    opened: u32,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.characters.get(self.at).copied()
    }

    fn peek_after(&self, distance: usize) -> Option<char> {
        self.characters.get(self.at.saturating_add(distance)).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at = self.at.saturating_add(1);
        Some(character)
    }

    fn eat(&mut self, wanted: &str) -> bool {
        let fits = wanted
            .chars()
            .enumerate()
            .all(|(distance, character)| self.peek_after(distance) == Some(character));
        if fits {
            self.at = self.at.saturating_add(wanted.chars().count());
        }
        fits
    }

    fn alternation(&mut self, depth: u32) -> Result<Node, SyntaxError> {
        if depth > MAX_DEPTH {
            return Err(SyntaxError::NestedTooDeep);
        }
        let mut branches = vec![self.sequence(depth)?];
        while self.eat("|") {
            branches.push(self.sequence(depth)?);
        }
        Ok(match branches.len() {
            1 => branches.pop().unwrap_or(Node::Empty),
            _ => Node::Alternate(branches),
        })
    }

    fn sequence(&mut self, depth: u32) -> Result<Node, SyntaxError> {
        let mut nodes = Vec::new();
        while let Some(character) = self.peek() {
            if matches!(character, '|' | ')') {
                break;
            }
            let opened_before = self.opened;
            let (node, repeatable) = self.term(depth)?;
            let node = if repeatable { self.quantified(node, opened_before)? } else { node };
            nodes.push(node);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.pop().unwrap_or(Node::Empty),
            _ => Node::Concat(nodes),
        })
    }

    /// One term, and whether a quantifier may follow it.
    fn term(&mut self, depth: u32) -> Result<(Node, bool), SyntaxError> {
        let Some(character) = self.next() else { return Ok((Node::Empty, false)) };
        Ok(match character {
            '^' => (Node::Start, false),
            '$' => (Node::End, false),
            '.' => (Node::Class(CharSet::line_terminators().negated()), true),
            '(' => self.group(depth)?,
            '[' => (Node::Class(self.class()?), true),
            '\\' => self.escape()?,
            '*' | '+' | '?' => return Err(SyntaxError::NothingToRepeat(character)),
            '{' => {
                // Back to the brace: is this a quantifier with nothing before it?
                self.at = self.at.saturating_sub(1);
                if self.braces()?.is_some() {
                    return Err(SyntaxError::NothingToRepeat('{'));
                }
                self.at = self.at.saturating_add(1);
                (Node::Class(CharSet::single('{')), true)
            }
            other => (Node::Class(CharSet::single(other)), true),
        })
    }

    fn group(&mut self, depth: u32) -> Result<(Node, bool), SyntaxError> {
        let inner = depth.saturating_add(1);
        let look = [("?=", false, false), ("?!", false, true), ("?<=", true, false), ("?<!", true, true)];
        for (opening, behind, negated) in look {
            if self.eat(opening) {
                let body = Box::new(self.alternation(inner)?);
                self.close()?;
                return Ok((Node::Look { behind, negated, body }, !behind));
            }
        }
        if self.eat("?:") {
            let body = self.alternation(inner)?;
            self.close()?;
            return Ok((body, true));
        }
        if self.eat("?<") {
            while self.next().ok_or(SyntaxError::BadGroupName)? != '>' {}
        } else if self.peek() == Some('?') {
            return Err(SyntaxError::UnknownGroup);
        }
        self.opened = self.opened.saturating_add(1);
        let number = self.opened;
        let body = Box::new(self.alternation(inner)?);
        self.close()?;
        Ok((Node::Group { number, body }, true))
    }

    fn close(&mut self) -> Result<(), SyntaxError> {
        if self.eat(")") { Ok(()) } else { Err(SyntaxError::UnclosedGroup) }
    }

    fn quantified(&mut self, node: Node, opened_before: u32) -> Result<Node, SyntaxError> {
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.braces()? {
                Some(bounds) => bounds,
                None => return Ok(node),
            },
            Some(_) | None => return Ok(node),
        };
        // The quantifier's last character: `*`, `+`, `?`, or the brace that `braces` stopped at.
        self.at = self.at.saturating_add(1);
        let greedy = !self.eat("?");
        let groups = (opened_before.saturating_add(1), self.opened.saturating_add(1));
        Ok(Node::Repeat { body: Box::new(node), min, max, greedy, groups })
    }

    /// The bounds of `{n}`, `{n,}` or `{n,m}` at the place, leaving it at the closing brace; `None`, without moving, when
    /// these are ordinary characters.
    fn braces(&mut self) -> Result<Option<(u32, Option<u32>)>, SyntaxError> {
        let start = self.at;
        let bounds = self.brace_bounds();
        match bounds {
            Some((Some(min), Some(max))) if min > max => Err(SyntaxError::RepeatOutOfOrder(min, max)),
            Some((Some(min), max)) => Ok(Some((min, max))),
            Some((None, _)) => Err(SyntaxError::RepeatTooLarge),
            None => {
                self.at = start;
                Ok(None)
            }
        }
    }

    /// As [`Self::braces`], with a first number of `None` when a number is too large.
    fn brace_bounds(&mut self) -> Option<(Option<u32>, Option<u32>)> {
        if !self.eat("{") {
            return None;
        }
        let min = self.number()?;
        let max = if self.eat(",") {
            if self.peek() == Some('}') { None } else { Some(self.number()?) }
        } else {
            Some(min)
        };
        if self.peek() != Some('}') {
            return None;
        }
        match (min, max) {
            (Some(min), Some(Some(max))) => Some((Some(min), Some(max))),
            (Some(min), None) => Some((Some(min), None)),
            (None, _) | (_, Some(None)) => Some((None, None)),
        }
    }

    /// A decimal number of at least one digit; the inner `None` when it is over 1000.
    fn number(&mut self) -> Option<Option<u32>> {
        let mut value: Option<u32> = None;
        let mut too_large = false;
        while let Some(digit) = self.peek().and_then(|character| character.to_digit(10)) {
            let sum = value.unwrap_or(0).saturating_mul(10).saturating_add(digit);
            too_large |= sum > 1000;
            value = Some(sum.min(100_000));
            self.at = self.at.saturating_add(1);
        }
        value.map(|value| if too_large { None } else { Some(value) })
    }
}
