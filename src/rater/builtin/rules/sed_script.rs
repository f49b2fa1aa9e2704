//! The language of `sed`: addresses, commands and their texts.
//!
//! Promises every file that a script reads or writes, and whether it runs a shell command. What implementations read in
//! different ways is refused. Linear in the script. Knows nothing of options or files to edit.

use std::iter::Peekable;
use std::str::Chars;

/// What a script does besides editing lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Does {
    /// Runs a shell command.
    Run,
    /// Reads a file.
    Read(String),
    /// Writes a file.
    Write(String),
}

type Gap = &'static str;

const UNKNOWN_COMMAND: Gap = "its script has a command that is not known";
const UNENDED: Gap = "its script does not end where it should";
const BRACKETS: Gap = "its script has a separator in brackets, which is read in more than one way";

/// Reads a script.
pub(super) fn read(script: &str) -> Result<Vec<Does>, Gap> {
    let mut reader = Reader { left: script.chars().peekable(), does: Vec::new() };
    let mut depth = 0_usize;
    loop {
        reader.skip(|letter| letter.is_whitespace() || letter == ';');
        let Some(letter) = reader.left.peek().copied() else { break };
        match letter {
            '#' => reader.skip(|letter| letter != '\n'),
            '}' => {
                reader.left.next();
                depth = depth.checked_sub(1).ok_or(UNENDED)?;
            }
            _ => {
                reader.addresses()?;
                reader.command(&mut depth)?;
            }
        }
    }
    if depth == 0 { Ok(reader.does) } else { Err(UNENDED) }
}

struct Reader<'s> {
    left: Peekable<Chars<'s>>,
    does: Vec<Does>,
}

impl Reader<'_> {
    fn skip(&mut self, goes: impl Fn(char) -> bool) {
        while self.left.next_if(|letter| goes(*letter)).is_some() {}
    }

    fn blanks(&mut self) {
        self.skip(|letter| matches!(letter, ' ' | '\t'));
    }

    fn addresses(&mut self) -> Result<(), Gap> {
        if self.address(false)? {
            self.blanks();
            if self.left.next_if_eq(&',').is_some() {
                self.blanks();
                if !self.address(true)? {
                    return Err(UNENDED);
                }
            }
        }
        self.skip(|letter| matches!(letter, ' ' | '\t' | '!'));
        Ok(())
    }

    /// One address; whether there was one.
    fn address(&mut self, second: bool) -> Result<bool, Gap> {
        let Some(first) = self.left.peek().copied() else { return Ok(false) };
        match first {
            '0'..='9' => {
                self.skip(|letter| letter.is_ascii_digit() || letter == '~');
                Ok(true)
            }
            '+' | '~' if second => {
                self.left.next();
                self.skip(|letter| letter.is_ascii_digit());
                Ok(true)
            }
            '$' => {
                self.left.next();
                Ok(true)
            }
            '/' | '\\' => {
                self.left.next();
                let separator = if first == '/' { '/' } else { self.separator()? };
                self.up_to(separator, true)?;
                self.skip(|letter| matches!(letter, 'I' | 'M'));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn separator(&mut self) -> Result<char, Gap> {
        self.left.next().filter(|letter| !matches!(letter, '\n' | '\\')).ok_or(UNENDED)
    }

    /// Reads over a part of `s`, `y` or an address, up to its separator.
    fn up_to(&mut self, separator: char, expression: bool) -> Result<(), Gap> {
        let mut in_brackets = false;
        let mut only_opened = false;
        while let Some(letter) = self.left.next() {
            if letter == '\\' {
                if self.left.next().is_none() {
                    return Err(UNENDED);
                }
                only_opened = false;
            } else if letter == separator {
                return if in_brackets { Err(BRACKETS) } else { Ok(()) };
            } else if letter == '\n' {
                return Err(UNENDED);
            } else if in_brackets {
                let first = only_opened;
                only_opened &= letter == '^';
                in_brackets = letter != ']' || first;
                if letter == '['
                    && let Some(kind) = self.left.next_if(|next| matches!(next, ':' | '.' | '='))
                {
                    self.class(kind)?;
                }
            } else if expression && letter == '[' {
                in_brackets = true;
                only_opened = true;
            }
        }
        Err(UNENDED)
    }

    /// The rest of `[:name:]` in brackets.
    fn class(&mut self, kind: char) -> Result<(), Gap> {
        loop {
            match self.left.next() {
                Some(letter) if letter == kind && self.left.next_if_eq(&']').is_some() => return Ok(()),
                Some(letter) if letter.is_alphanumeric() || letter == kind || letter == '-' => {}
                Some(_) | None => return Err(BRACKETS),
            }
        }
    }

    fn command(&mut self, depth: &mut usize) -> Result<(), Gap> {
        let command = self.left.next().ok_or(UNENDED)?;
        match command {
            '{' => {
                *depth += 1;
                return Ok(());
            }
            '=' | 'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' | 'F' => {}
            'l' | 'L' | 'q' | 'Q' => {
                self.blanks();
                self.skip(|letter| letter.is_ascii_digit());
            }
            'a' | 'i' | 'c' => return self.text(),
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.blanks();
                self.skip(|letter| !letter.is_whitespace() && !matches!(letter, ';' | '}'));
            }
            'r' | 'R' => {
                let file = self.file()?;
                self.does.push(Does::Read(file));
                return Ok(());
            }
            'w' | 'W' => {
                let file = self.file()?;
                self.does.push(Does::Write(file));
                return Ok(());
            }
            'e' => {
                self.does.push(Does::Run);
                self.skip(|letter| letter != '\n');
                return Ok(());
            }
            's' => {
                let separator = self.separator()?;
                self.up_to(separator, true)?;
                self.up_to(separator, false)?;
                return self.flags();
            }
            'y' => {
                let separator = self.separator()?;
                self.up_to(separator, false)?;
                self.up_to(separator, false)?;
            }
            _ => return Err(UNKNOWN_COMMAND),
        }
        self.end()
    }

    /// The end of a command.
    fn end(&mut self) -> Result<(), Gap> {
        self.skip(|letter| matches!(letter, ' ' | '\t' | '\r'));
        match self.left.peek() {
            None | Some('\n' | ';' | '}' | '#') => Ok(()),
            Some(_) => Err(UNKNOWN_COMMAND),
        }
    }

    fn flags(&mut self) -> Result<(), Gap> {
        while let Some(flag) = self.left.next_if(|letter| !matches!(letter, '\n' | ';' | '}' | '#')) {
            match flag {
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' | ' ' | '\t' | '\r' => {}
                'e' => self.does.push(Does::Run),
                'w' => {
                    let file = self.file()?;
                    self.does.push(Does::Write(file));
                    return Ok(());
                }
                _ => return Err("a substitution of its script has a flag that is not known"),
            }
        }
        Ok(())
    }

    /// The name of a file, which ends with the line.
    fn file(&mut self) -> Result<String, Gap> {
        self.blanks();
        let mut name = String::new();
        while let Some(letter) = self.left.next_if(|letter| *letter != '\n') {
            name.push(letter);
        }
        if name.is_empty() { Err("its script names no file where one is needed") } else { Ok(name) }
    }

    /// The text of `a`, `i` and `c`: to the end of the line that no backslash continues.
    fn text(&mut self) -> Result<(), Gap> {
        self.blanks();
        if self.left.next_if_eq(&'\\').is_some() {
            self.blanks();
            // Behind a second backslash the line ends the text for some, and goes on for others.
            if self.left.peek() == Some(&'\\') {
                return Err("a text of its script is read in more than one way");
            }
            self.left.next_if_eq(&'\n');
        }
        while let Some(letter) = self.left.next() {
            match letter {
                '\\' => {
                    self.left.next();
                }
                '\n' => return Ok(()),
                _ => {}
            }
        }
        Ok(())
    }
}
