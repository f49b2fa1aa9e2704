//! Finds the command behind a wrapper: walks the options as `getopt_long` would and says where they end.
//!
//! Promises to say "not known" rather than to guess. Knows only the words it is given and the tables.

use std::borrow::Cow;

use super::{Form, Options, Wrapper};
use crate::shell::tree::Word;
use crate::shell::word::constant;

/// What stands behind a wrapper. Numbers are positions in the words that were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Behind {
    /// Not this wrapper after all: another subcommand.
    Other,
    /// It runs nothing: help, a listing, or no command at all.
    Nothing,
    /// The argument vector from here on, and the code words of options.
    Argv {
        /// Where it starts; `None` where only the code words carry commands.
        start: Option<usize>,
        /// Words that are command lines.
        code: Vec<CodeWord>,
    },
    /// The words from here on, joined by blanks, are read by a shell.
    Joined {
        /// Where they start.
        start: usize,
    },
    /// Options are to be read again with this value split into words, in place of the words in front of `rest`.
    Split {
        /// The value to split.
        value: CodeWord,
        /// What follows it.
        rest: usize,
    },
    /// There is no command, so that a shell is started.
    Shell,
    /// An option that is not known stands here.
    Unknown {
        /// Its position.
        at: usize,
    },
}

/// A word, or a constant text glued to an option, that is a command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CodeWord {
    /// The word at this position.
    At(usize),
    /// This text.
    Text(String),
    /// The value is glued to the option in a word that is not constant.
    Dynamic(usize),
}

/// The characters of a word from one on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartOfWord {
    /// The position of the word.
    pub(crate) at: usize,
    /// How many of its characters stand in front of the part.
    pub(crate) skip: usize,
}

/// What stands behind a wrapper, and in which folder it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Look {
    /// What stands there.
    pub(crate) behind: Behind,
    /// The working folder that an option gives it.
    pub(crate) folder: Option<PartOfWord>,
    /// The program that gets the words as its arguments.
    pub(crate) program: Option<CodeWord>,
}

/// Looks behind `wrapper`, whose name is the first of `words`.
pub(crate) fn look_behind(wrapper: &Wrapper, words: &[Word]) -> Look {
    let mut at = 1;
    let mut folder = None;
    for level in wrapper.path {
        let mut front = Walk::new(&wrapper.before, words, at);
        let stop = front.options();
        folder = front.folder.or(folder);
        if let Some(stop) = stop {
            let behind = match stop {
                Stop::Unknown(unknown) if mentions(words, unknown, level) => Behind::Unknown { at: unknown },
                Stop::Unknown(_) | Stop::None => Behind::Other,
                Stop::Split(..) => Behind::Other,
            };
            return Look { behind, folder, program: None };
        }
        match words.get(front.at).map(constant) {
            Some(Some(word)) if level.contains(&word.as_ref()) => at = front.at + 1,
            Some(_) | None => return Look { behind: Behind::Other, folder, program: None },
        }
    }
    let mut walk = Walk::new(&wrapper.options, words, at);
    walk.program = wrapper.runs.map(|program| CodeWord::Text(program.to_owned()));
    let behind = match walk.options() {
        Some(Stop::Unknown(at)) => Behind::Unknown { at },
        Some(Stop::None) => Behind::Nothing,
        Some(Stop::Split(value, rest)) => Behind::Split { value, rest },
        None => walk.command(wrapper),
    };
    Look { behind, folder: walk.folder.or(folder), program: walk.program }
}

fn mentions(words: &[Word], from: usize, names: &[&str]) -> bool {
    words.iter().skip(from).filter_map(constant).any(|word| names.contains(&word.as_ref()))
}

enum Stop {
    Unknown(usize),
    None,
    Split(CodeWord, usize),
}

struct Walk<'a> {
    options: &'a Options,
    words: &'a [Word],
    at: usize,
    code: Vec<CodeWord>,
    folder: Option<PartOfWord>,
    program: Option<CodeWord>,
    shell: bool,
    /// Ended by `--`.
    ended: bool,
}

impl<'a> Walk<'a> {
    fn new(options: &'a Options, words: &'a [Word], at: usize) -> Self {
        Self { options, words, at, code: Vec::new(), folder: None, program: None, shell: false, ended: false }
    }

    fn text(&self, at: usize) -> Option<Cow<'a, str>> {
        self.words.get(at).and_then(constant)
    }

    /// Walks options up to the first operand.
    fn options(&mut self) -> Option<Stop> {
        while let Some(word) = self.words.get(self.at) {
            let Some(text) = constant(word) else {
                if !word.raw.starts_with('-') {
                    return None;
                }
                if !self.skip_dynamic_option(&word.raw) {
                    return Some(Stop::Unknown(self.at));
                }
                self.at += 1;
                continue;
            };
            if text == "--" {
                self.at += 1;
                self.ended = true;
                return None;
            }
            if text == "-" || !text.starts_with('-') {
                return None;
            }
            let stop = match text.strip_prefix("--") {
                Some(long) => self.long(long),
                None => match text.strip_prefix('-').unwrap_or_default() {
                    name if self.options.single_dash && self.find_long(name).is_some() => self.long(name),
                    cluster => self.short(cluster),
                },
            };
            if stop.is_some() {
                return stop;
            }
            self.at += 1;
        }
        None
    }

    /// Whether a word with an expansion in it is an option whose constant front says that the rest is its value.
    fn skip_dynamic_option(&mut self, raw: &str) -> bool {
        if let Some((name, _)) = raw.strip_prefix("--").and_then(|long| long.split_once('=')) {
            if !matches!(self.find_long(name), Some(Found::Value | Found::Glued)) {
                return false;
            }
            if self.options.code.contains(&full_name(self.options, name)) {
                self.code.push(CodeWord::Dynamic(self.at));
            }
            if self.options.folder.contains(&full_name(self.options, name)) {
                self.folder = Some(PartOfWord { at: self.at, skip: name.chars().count() + 3 });
            }
            if self.options.program.contains(&full_name(self.options, name)) {
                self.program = Some(CodeWord::Dynamic(self.at));
            }
            return !self.options.split.contains(&full_name(self.options, name));
        }
        let letter = raw.chars().nth(1).unwrap_or_default();
        if self.is(self.options.folder, letter) {
            self.folder = Some(PartOfWord { at: self.at, skip: 2 });
        }
        matches!(self.find_short(letter), Some(Found::Value | Found::Glued))
            && !self.is(self.options.code, letter)
            && !self.is(self.options.split, letter)
    }

    fn is(&self, list: &[&str], letter: char) -> bool {
        let mut buffer = [0; 4];
        list.contains(&&*letter.encode_utf8(&mut buffer))
    }

    fn find_short(&self, letter: char) -> Option<Found> {
        if letter == ':' {
            return None;
        }
        let (_, rest) = self.options.short.split_once(letter)?;
        Some(if rest.starts_with("::") {
            Found::Glued
        } else if rest.starts_with(':') {
            Found::Value
        } else {
            Found::Flag
        })
    }

    fn find_long(&self, name: &str) -> Option<Found> {
        let mut prefixed = None;
        let mut several = false;
        for entry in self.options.long.iter().chain(self.options.none) {
            let bare = entry.trim_end_matches('?').trim_end_matches('=');
            let found = if entry.ends_with("==") {
                Found::TwoValues
            } else if entry.ends_with("=?") {
                Found::Glued
            } else if entry.ends_with('=') {
                Found::Value
            } else {
                Found::Flag
            };
            if bare == name {
                return Some(found);
            }
            if bare.len() > 1 && bare.starts_with(name) {
                several |= prefixed.is_some_and(|earlier| earlier != found);
                prefixed = Some(found);
            }
        }
        prefixed.filter(|_| !several)
    }

    fn long(&mut self, long: &str) -> Option<Stop> {
        let (name, glued) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (long, None),
        };
        let Some(found) = self.find_long(name) else {
            return (!self.options.lenient).then_some(Stop::Unknown(self.at));
        };
        let name = full_name(self.options, name);
        if self.options.none.contains(&name) {
            return Some(Stop::None);
        }
        self.shell |= self.options.shell.contains(&name);
        let value = match (found, glued) {
            (Found::Flag, _) | (Found::Glued, None) => return None,
            (Found::TwoValues, _) => {
                self.at += 2;
                return None;
            }
            (Found::Value | Found::Glued, Some(value)) => CodeWord::Text(value.to_owned()),
            (Found::Value, None) => {
                self.at += 1;
                CodeWord::At(self.at)
            }
        };
        if self.options.folder.contains(&name) {
            let skip = if glued.is_some() {
                long.split('=').next().unwrap_or_default().chars().count() + 3
            } else {
                0
            };
            self.folder = Some(PartOfWord { at: self.at, skip });
        }
        if self.options.program.contains(&name) {
            self.program = Some(value);
            return None;
        }
        self.take_value(self.options.code.contains(&name), self.options.split.contains(&name), value)
    }

    fn short(&mut self, cluster: &str) -> Option<Stop> {
        if self.options.numeric && cluster.trim_start_matches(['-', '+']).bytes().all(|b| b.is_ascii_digit())
        {
            return None;
        }
        let mut rest = cluster;
        while let Some(letter) = rest.chars().next() {
            rest = rest.get(letter.len_utf8()..).unwrap_or_default();
            let Some(found) = self.find_short(letter) else {
                if self.is(self.options.none, letter) {
                    return Some(Stop::None);
                }
                return (!self.options.lenient).then_some(Stop::Unknown(self.at));
            };
            if self.is(self.options.none, letter) {
                return Some(Stop::None);
            }
            self.shell |= self.is(self.options.shell, letter);
            let value = match found {
                Found::Flag | Found::TwoValues => continue,
                Found::Glued if rest.is_empty() => return None,
                Found::Value if rest.is_empty() => {
                    self.at += 1;
                    CodeWord::At(self.at)
                }
                Found::Glued | Found::Value => CodeWord::Text(rest.to_owned()),
            };
            if self.is(self.options.folder, letter) {
                let skip =
                    if rest.is_empty() { 0 } else { cluster.chars().count() + 1 - rest.chars().count() };
                self.folder = Some(PartOfWord { at: self.at, skip });
            }
            if self.is(self.options.program, letter) {
                self.program = Some(value);
                return None;
            }
            let (code, split) = (self.is(self.options.code, letter), self.is(self.options.split, letter));
            return self.take_value(code, split, value);
        }
        None
    }

    fn take_value(&mut self, code: bool, split: bool, value: CodeWord) -> Option<Stop> {
        if split {
            return Some(Stop::Split(value, self.at + 1));
        }
        if code {
            self.code.push(value);
        }
        None
    }

    /// Where the command is, once the options are behind.
    fn command(&mut self, wrapper: &Wrapper) -> Behind {
        let start = match wrapper.form {
            Form::Argv { assignments, operands } => {
                self.at = (self.at + operands).min(self.words.len());
                if operands > 0 && !self.ended && self.text(self.at).is_some_and(|text| text == "--") {
                    self.at += 1;
                }
                if operands > 0
                    && let Some(text) = self.text(self.at)
                    && text.starts_with('-')
                    && self.options.code.iter().any(|code| text.trim_start_matches('-') == *code)
                {
                    self.code.push(CodeWord::At(self.at + 1));
                    self.at = self.words.len();
                }
                while assignments && self.words.get(self.at).is_some_and(looks_assigned) {
                    self.at += 1;
                }
                // A lone dash is an option of `env` and of login shells.
                if assignments && self.text(self.at).is_some_and(|text| text == "-") {
                    self.at += 1;
                    while self.words.get(self.at).is_some_and(looks_assigned) {
                        self.at += 1;
                    }
                }
                Some(self.at)
            }
            Form::Dashes { operands } => Some(self.behind_dashes(operands)),
            Form::OnlyDashes => {
                let is_end = |word: &Word| constant(word).is_some_and(|text| text == "--");
                match self.words.iter().skip(self.at).position(is_end) {
                    _ if self.ended => Some(self.at),
                    Some(offset) => Some(self.at + offset + 1),
                    None if self.at < self.words.len() && self.code.is_empty() => {
                        return Behind::Unknown { at: self.at.saturating_sub(1) };
                    }
                    None => None,
                }
            }
            Form::Joined { operands } => {
                self.at = (self.at + operands).min(self.words.len());
                if operands > 0
                    && !self.ended
                    && let Some(Stop::Unknown(at)) = self.options()
                {
                    return Behind::Unknown { at };
                }
                if self.at < self.words.len() {
                    return Behind::Joined { start: self.at };
                }
                None
            }
            Form::Each => {
                self.code.extend((self.at..self.words.len()).map(CodeWord::At));
                None
            }
            Form::CodeOnly => {
                while !self.ended && self.at < self.words.len() {
                    self.at += 1;
                    match self.options() {
                        Some(Stop::Unknown(at)) => return Behind::Unknown { at },
                        Some(Stop::None | Stop::Split(..)) => return Behind::Nothing,
                        None => {}
                    }
                }
                self.code_behind_dashes();
                None
            }
        };
        let start = start.filter(|start| *start < self.words.len());
        self.code.retain(|code| !matches!(code, CodeWord::At(at) if *at >= self.words.len()));
        if let Some(at) = start
            && self.program.is_none()
            && self.text(at).is_some_and(|text| text.starts_with('-') && text.len() > 1)
        {
            return Behind::Unknown { at };
        }
        if start.is_some() || !self.code.is_empty() || self.program.is_some() {
            return Behind::Argv { start, code: std::mem::take(&mut self.code) };
        }
        if wrapper.bare_shell || self.shell { Behind::Shell } else { Behind::Nothing }
    }

    /// `su user -- -c 'x'`: what stands behind the dashes is handed to the shell, which takes `-c` too.
    fn code_behind_dashes(&mut self) {
        let codes = self.options.code;
        let given = (self.at..self.words.len()).filter(|at| {
            self.text(*at)
                .is_some_and(|text| text.strip_prefix('-').is_some_and(|name| codes.contains(&name)))
        });
        let found: Vec<CodeWord> = given.map(|at| CodeWord::At(at + 1)).collect();
        self.code.extend(found);
    }

    fn behind_dashes(&self, operands: usize) -> usize {
        if self.ended && operands == 0 {
            return self.at;
        }
        let behind =
            self.words.iter().skip(self.at).position(|word| constant(word).is_some_and(|text| text == "--"));
        match behind {
            Some(offset) if offset <= operands => self.at + offset + 1,
            // Options behind the operands, which end at the dashes.
            Some(offset) if self.text(self.at + operands).is_some_and(|text| text.starts_with('-')) => {
                self.at + offset + 1
            }
            Some(_) | None => self.at + operands,
        }
    }
}

/// The full name that a long option, perhaps shortened, stands for.
fn full_name<'n>(options: &Options, name: &'n str) -> &'n str {
    let entries = || {
        options.long.iter().chain(options.none).map(|entry| entry.trim_end_matches('?').trim_end_matches('='))
    };
    entries()
        .find(|entry| *entry == name)
        .or_else(|| entries().find(|entry| entry.len() > 1 && entry.starts_with(name)))
        .unwrap_or(name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Flag,
    Value,
    Glued,
    TwoValues,
}

/// `NAME=value` in front of a command, as `env` and `sudo` take it; the value may be anything.
fn looks_assigned(word: &Word) -> bool {
    word.raw.contains('=')
        && match constant(word) {
            Some(text) => !text.starts_with('-') && text.contains('='),
            None => word.raw.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            }),
        }
}
