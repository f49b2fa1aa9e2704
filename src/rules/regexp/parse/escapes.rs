//! Escapes and character classes.
//!
//! Promises that each means what ECMAScript without flags says, or is refused. Knows nothing of groups and repeats.

use super::{CharSet, Node, Reader, SyntaxError};

/// What an escape or a plain character inside a class stands for.
enum ClassAtom {
    One(char),
    Many(CharSet),
}

impl Reader<'_> {
    /// What follows a backslash outside a class.
    pub(super) fn escape(&mut self) -> Result<(Node, bool), SyntaxError> {
        let character = self.peek().ok_or(SyntaxError::TrailingBackslash)?;
        match character {
            'b' | 'B' => {
                self.at = self.at.saturating_add(1);
                Ok((Node::WordBoundary { negated: character == 'B' }, false))
            }
            'k' => {
                self.at = self.at.saturating_add(1);
                if self.names.iter().all(Option::is_none) {
                    return Err(SyntaxError::UnknownEscape('k'));
                }
                if !self.eat("<") {
                    return Err(SyntaxError::IncompleteEscape('k', "the name of a group, as in \\k<name>,"));
                }
                let mut name = String::new();
                loop {
                    match self.next().ok_or(SyntaxError::BadGroupName)? {
                        '>' => break,
                        other => name.push(other),
                    }
                }
                let place = self.names.iter().position(|known| known.as_deref() == Some(name.as_str()));
                let number = place.and_then(|place| u32::try_from(place.saturating_add(1)).ok());
                Ok((Node::BackReference(number.ok_or(SyntaxError::NoSuchGroup(name))?), true))
            }
            '1'..='9' => {
                let mut number: u32 = 0;
                let mut written = String::new();
                while let Some(digit) = self.peek().filter(char::is_ascii_digit) {
                    number = number.saturating_mul(10).saturating_add(digit.to_digit(10).unwrap_or(0));
                    written.push(digit);
                    self.at = self.at.saturating_add(1);
                }
                if usize::try_from(number).is_ok_and(|number| number <= self.names.len()) {
                    Ok((Node::BackReference(number), true))
                } else {
                    Err(SyntaxError::NoSuchGroup(written))
                }
            }
            _ => Ok(match self.class_escape()? {
                ClassAtom::One(character) => (Node::Class(CharSet::single(character)), true),
                ClassAtom::Many(set) => (Node::Class(set), true),
            }),
        }
    }

    /// What follows a backslash, as far as it means the same inside and outside a class.
    fn class_escape(&mut self) -> Result<ClassAtom, SyntaxError> {
        let character = self.next().ok_or(SyntaxError::TrailingBackslash)?;
        Ok(ClassAtom::One(match character {
            'd' => return Ok(ClassAtom::Many(CharSet::digits())),
            'D' => return Ok(ClassAtom::Many(CharSet::digits().negated())),
            'w' => return Ok(ClassAtom::Many(CharSet::word())),
            'W' => return Ok(ClassAtom::Many(CharSet::word().negated())),
            's' => return Ok(ClassAtom::Many(CharSet::space())),
            'S' => return Ok(ClassAtom::Many(CharSet::space().negated())),
            't' => '\t',
            'n' => '\n',
            'v' => '\u{B}',
            'f' => '\u{C}',
            'r' => '\r',
            '0' if !self.peek().is_some_and(|next| next.is_ascii_digit()) => '\0',
            'c' => {
                let letter = self.next().filter(char::is_ascii_alphabetic);
                let code = letter.map(|letter| u32::from(letter) % 32).and_then(char::from_u32);
                code.ok_or(SyntaxError::IncompleteEscape('c', "a letter"))?
            }
            'x' => {
                let code = self
                    .hexadecimal(2)
                    .ok_or(SyntaxError::IncompleteEscape('x', "two hexadecimal digits"))?;
                char::from_u32(code).ok_or(SyntaxError::LoneSurrogate)?
            }
            'u' => self.unicode_escape()?,
            other if other.is_ascii_alphanumeric() => return Err(SyntaxError::UnknownEscape(other)),
            other => other,
        }))
    }

    /// `\uXXXX`, or the two halves of a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char, SyntaxError> {
        let wants = SyntaxError::IncompleteEscape('u', "four hexadecimal digits");
        let first = self.hexadecimal(4).ok_or(wants.clone())?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        if first >= 0xDC00 || !self.eat("\\u") {
            return Err(SyntaxError::LoneSurrogate);
        }
        let second = self.hexadecimal(4).ok_or(wants)?;
        if !(0xDC00..=0xDFFF).contains(&second) {
            return Err(SyntaxError::LoneSurrogate);
        }
        let code = ((first & 0x3FF) << 10 | (second & 0x3FF)).saturating_add(0x1_0000);
        char::from_u32(code).ok_or(SyntaxError::LoneSurrogate)
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let mut value: u32 = 0;
        for _ in 0..digits {
            value = value << 4 | self.next()?.to_digit(16)?;
        }
        Some(value)
    }

    /// A class, after its `[`.
    pub(super) fn class(&mut self) -> Result<CharSet, SyntaxError> {
        let negated = self.eat("^");
        let mut set = CharSet::default();
        while !self.eat("]") {
            let low = self.class_atom()?;
            let is_range = self.peek() == Some('-') && self.peek_after(1).is_some_and(|next| next != ']');
            if !is_range {
                set.extend(&match low {
                    ClassAtom::One(character) => CharSet::single(character),
                    ClassAtom::Many(many) => many,
                });
                continue;
            }
            self.at = self.at.saturating_add(1);
            let high = self.class_atom()?;
            match (low, high) {
                (ClassAtom::One(low), ClassAtom::One(high)) => {
                    if low > high {
                        return Err(SyntaxError::RangeOutOfOrder(low, high));
                    }
                    set.extend(&CharSet::of(&[(u32::from(low), u32::from(high))]));
                }
                // With a set at either end the hyphen is a member, not a range.
                (low, high) => {
                    for atom in [low, ClassAtom::One('-'), high] {
                        set.extend(&match atom {
                            ClassAtom::One(character) => CharSet::single(character),
                            ClassAtom::Many(many) => many,
                        });
                    }
                }
            }
        }
        Ok(if negated { set.negated() } else { set })
    }

    fn class_atom(&mut self) -> Result<ClassAtom, SyntaxError> {
        match self.next().ok_or(SyntaxError::UnclosedClass)? {
            '\\' => match self.peek() {
                None => Err(SyntaxError::UnclosedClass),
                Some('b') => {
                    self.at = self.at.saturating_add(1);
                    Ok(ClassAtom::One('\u{8}'))
                }
                Some(_) => self.class_escape(),
            },
            other => Ok(ClassAtom::One(other)),
        }
    }
}
