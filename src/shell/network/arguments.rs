//! Walks the words of one command by its program's table: what does each option and operand name?
//!
//! Promises one pass over the words, and that a word which no table knows is judged as an operand. Knows no program by name.

use super::address::{HOLE, Reading};
use super::style::Style;
use super::tables::{Branch, Grammar, Takes};
use crate::shell::tree::{Expansion, ExpansionKind, Part, Word};
use crate::shell::word::{constant, message};
use std::borrow::Cow;

/// A word as the tables read it: its text, with a hole for everything that is only known when it runs.
pub(super) fn with_holes(word: &Word) -> Cow<'_, str> {
    if let [Part::Text { text, .. }] = word.parts.as_slice() {
        return Cow::Borrowed(text);
    }
    let mut value = String::new();
    for part in &word.parts {
        match part {
            Part::Text { text, .. } => value.push_str(text),
            Part::Expansion(expansion) => match message(expansion) {
                Some(text) => value.push_str(text),
                None => value.push(HOLE),
            },
        }
    }
    Cow::Owned(value)
}

/// The words with an expansion wherever the placeholder stands, which is replaced when the command runs.
pub(super) fn with_open_parts(words: &[Word], placeholder: &str) -> Vec<Word> {
    let open = |quoted| {
        Part::Expansion(Expansion {
            kind: ExpansionKind::Parameter,
            quoted,
            parameter: None,
            raw: placeholder.to_owned(),
            nested: Vec::new(),
            inside: None,
        })
    };
    let split = |part: &Part| match part {
        Part::Text { text, quoted } => {
            let mut parts = Vec::new();
            for (index, piece) in text.split(placeholder).enumerate() {
                if index > 0 {
                    parts.push(open(*quoted));
                }
                if !piece.is_empty() {
                    parts.push(Part::Text { text: piece.to_owned(), quoted: *quoted });
                }
            }
            parts
        }
        Part::Expansion(_) => vec![part.clone()],
    };
    words
        .iter()
        .map(|word| {
            if placeholder.is_empty() || !constant(word).is_some_and(|text| text.contains(placeholder)) {
                return word.clone();
            }
            Word {
                parts: word.parts.iter().flat_map(split).collect(),
                raw: word.raw.clone(),
                span: word.span,
            }
        })
        .collect()
}

/// What the words of one command name.
#[derive(Debug, Default)]
pub(super) struct Arguments<'w> {
    /// What was read, with the word that it stands in.
    named: Vec<Named<'w>>,
    /// A file gives addresses or settings.
    pub(super) reads_addresses: bool,
    /// A command substitution stands in data that is sent.
    pub(super) sends_substitution: bool,
    /// A file is sent.
    pub(super) sends_file: bool,
    /// More operands could name hosts.
    pub(super) takes_more: bool,
    /// Command lines of their own.
    pub(super) commands: Vec<String>,
}

/// What one word names.
#[derive(Debug)]
struct Named<'w> {
    reading: Reading,
    word: &'w Word,
    role: Role,
}

/// What has to be so for a word to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Nothing.
    Always,
    /// Operands are counterparties.
    Operand,
    /// What is built is published.
    Published,
}

impl<'w> Arguments<'w> {
    /// What the words name, each with the word that it stands in, in the order of the words.
    pub(super) fn named(&self) -> impl Iterator<Item = (Reading, &'w Word)> {
        self.named.iter().map(|named| (named.reading.clone(), named.word))
    }
}

/// Walks the words behind the program's name.
pub(super) fn walk<'w>(grammar: &'static Grammar, words: &'w [Word]) -> Arguments<'w> {
    let mut walk = Walk {
        grammar,
        branch: grammar.branch(""),
        path: String::new(),
        descending: grammar.has_subcommands(),
        operands: 0,
        silenced: false,
        restarted: false,
        publishes: false,
        key: None,
        found: Arguments::default(),
    };
    walk.words(words);
    walk.finish()
}

struct Walk<'w> {
    grammar: &'static Grammar,
    branch: Option<&'static Branch>,
    path: String,
    descending: bool,
    operands: usize,
    silenced: bool,
    restarted: bool,
    publishes: bool,
    key: Option<String>,
    found: Arguments<'w>,
}

impl<'w> Walk<'w> {
    fn words(&mut self, words: &'w [Word]) {
        let mut rest = words.iter().skip(1).peekable();
        let mut ended = false;
        while let Some(word) = rest.next() {
            let text = with_holes(word);
            if ended || !text.starts_with('-') || text.len() < 2 {
                self.operand(word, &text);
            } else if text == "--" {
                ended = true;
            } else if let Some((takes, glued)) = self.option(&text) {
                match glued {
                    Some(value) => self.value(takes, word, &value, true),
                    // A word that is an option itself is judged as one: better twice than not at all.
                    None if takes == Takes::Value
                        && rest
                            .peek()
                            .is_some_and(|next| next.raw.len() > 1 && next.raw.starts_with('-')) => {}
                    None if takes_value(takes) => {
                        if let Some(next) = rest.next() {
                            self.value(takes, next, &with_holes(next), false);
                        }
                    }
                    None => self.value(takes, word, "", false),
                }
            }
        }
    }

    /// What an option word takes, and the value that is glued to it.
    fn option(&mut self, text: &str) -> Option<(Takes, Option<String>)> {
        let folded =
            if self.grammar.folds_case { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) };
        let (name, glued) = match folded.split_once('=') {
            Some((name, _)) => (name, text.split_once('=').map(|(_, value)| value.to_owned())),
            None => (folded.as_ref(), None),
        };
        if let Some(takes) = self.grammar.option(self.branch, name) {
            return Some((takes, glued));
        }
        if folded.starts_with("--") || self.grammar.folds_case || self.grammar.whole_names {
            return glued.map(|value| (Takes::At(Style::Url), Some(value)));
        }
        let letters = folded.char_indices().skip(1);
        let mut buffer = String::with_capacity(5);
        for (at, letter) in letters {
            buffer.clear();
            buffer.push('-');
            buffer.push(letter);
            let Some(takes) = self.grammar.option(self.branch, &buffer) else {
                if letter == '=' || letter == HOLE {
                    return glued.map(|value| (Takes::At(Style::Url), Some(value)));
                }
                continue;
            };
            if takes_value(takes) || takes == Takes::Glued {
                let rest = text.get(at + letter.len_utf8()..).unwrap_or_default();
                return Some((takes, (!rest.is_empty()).then(|| rest.to_owned())));
            }
            if takes != Takes::Nothing {
                self.flag(takes);
            }
        }
        None
    }

    fn flag(&mut self, takes: Takes) {
        match takes {
            Takes::Silences | Takes::SilencesValue => self.silenced = true,
            Takes::Next => self.restarted = true,
            Takes::Publishes => self.publishes = true,
            Takes::Unseen => self.found.reads_addresses = true,
            Takes::Nothing
            | Takes::Glued
            | Takes::Value
            | Takes::At(_)
            | Takes::Published
            | Takes::Sent
            | Takes::SentForm
            | Takes::SentFile => {}
        }
    }

    fn value(&mut self, takes: Takes, word: &'w Word, text: &str, glued: bool) {
        self.flag(takes);
        match takes {
            Takes::Nothing
            | Takes::Glued
            | Takes::Value
            | Takes::Unseen
            | Takes::Silences
            | Takes::SilencesValue
            | Takes::Publishes
            | Takes::Next => {}
            Takes::At(Style::Words) => self.found.commands.push(text.to_owned()),
            Takes::At(style) => {
                self.name(style.read(text, None), word, Role::Always);
            }
            Takes::Published => self.name(Style::Image.read(text, None), word, Role::Published),
            Takes::Sent => {
                self.found.sends_substitution |= substitutes(word) && (glued || !text.starts_with('@'));
                self.found.sends_file |= text.starts_with('@') && text != "@-";
            }
            Takes::SentForm => {
                self.found.sends_substitution |= substitutes(word);
                self.found.sends_file |= text
                    .split_once('=')
                    .is_some_and(|(_, value)| value.starts_with(['@', '<']) && value != "@-");
            }
            Takes::SentFile => {
                self.found.sends_file |= text != "-" && text != ".";
            }
        }
    }

    fn operand(&mut self, word: &'w Word, text: &str) {
        if self.descending {
            // The toolchain of `cargo +nightly`.
            if self.path.is_empty() && text.starts_with('+') {
                return;
            }
            let length = self.path.len();
            if length > 0 {
                self.path.push(' ');
            }
            self.path.push_str(text);
            if self.grammar.leads_on(&self.path) {
                self.branch = self.grammar.branch(&self.path);
                return;
            }
            self.path.truncate(length);
            self.descending = false;
        }
        let Some(branch) = self.branch else { return };
        let style = branch.operands.get(self.operands).or_else(|| branch.operands.last()).copied();
        self.operands += 1;
        let Some(style) = style else { return };
        if style == Style::HttpItem {
            return self.http_item(word, text);
        }
        if style == Style::GitKey {
            self.key = Some(text.to_owned());
            // A key can name an address all by itself: `url.https://….insteadOf`.
            let lower = text.to_ascii_lowercase();
            if !(lower.starts_with("url.") && lower.ends_with("insteadof")) {
                return;
            }
            self.name(Style::GitSetting.read(text, None), word, Role::Operand);
            return;
        }
        let readings = style.read(text, self.key.as_deref());
        self.found.sends_substitution |= !readings.is_empty() && substitutes(word);
        self.name(readings, word, Role::Operand);
    }

    fn name(&mut self, readings: Vec<Reading>, word: &'w Word, role: Role) {
        self.found.named.extend(readings.into_iter().map(|reading| Named { reading, word, role }));
    }

    /// The first operand of `http` may be a method; the one behind it is then the address.
    fn http_item(&mut self, word: &'w Word, text: &str) {
        let method =
            self.operands == 1 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_uppercase());
        if method {
            return;
        }
        if self.key.is_some() {
            return;
        }
        self.key = Some(String::new());
        self.name(Style::HttpItem.read(text, None), word, Role::Operand);
    }

    fn finish(mut self) -> Arguments<'w> {
        if self.silenced && !self.restarted {
            self.found.named.retain(|named| named.role != Role::Operand);
        } else {
            let next = self
                .branch
                .and_then(|branch| branch.operands.get(self.operands).or_else(|| branch.operands.last()));
            self.found.takes_more = next.is_some_and(|style| style.may_be_given_hosts());
        }
        if !self.publishes {
            self.found.named.retain(|named| named.role != Role::Published);
        }
        self.found
    }
}

fn takes_value(takes: Takes) -> bool {
    match takes {
        Takes::Nothing | Takes::Glued | Takes::Silences | Takes::Publishes | Takes::Next => false,
        Takes::Value
        | Takes::At(_)
        | Takes::Published
        | Takes::Unseen
        | Takes::Sent
        | Takes::SentForm
        | Takes::SentFile
        | Takes::SilencesValue => true,
    }
}

/// Whether a command or process substitution stands in the word.
pub(super) fn substitutes(word: &Word) -> bool {
    word.parts.iter().any(|part| {
        matches!(
            part,
            Part::Expansion(Expansion { kind: ExpansionKind::Command | ExpansionKind::Process, .. })
        )
    })
}
