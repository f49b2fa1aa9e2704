//! The network host floor: which hosts would a command fetch from, send to or probe?
//!
//! Promises to look at every command that bash could run from the text, to name each counterparty that is written out, and
//! to say where one is only known when it runs. This machine itself is no counterparty. Knows nothing of rules or ratings:
//! it says what is named, not whether it may be.

mod address;
mod arguments;
mod code;
mod environment;
mod reason;
mod settled;
mod style;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::fmt;

use super::interpreters::{self, ProgramSource};
use super::segment::Opaque;
use super::tree::{AssignedValue, Redirect, Word};
use super::word::{best_text, constant, is_pattern, quoted as quoted_word};
use super::{Analysis, Dialect, Segment, blind, wrappers};
use address::Reading;
use arguments::with_holes;
use settled::Settled;
use style::Style;

pub(crate) use reason::quoted;

/// How many words behind an option that is not known are tried as the start of a command that the tables know.
const MAX_STARTS: usize = 2;
/// How many words of a wrapper and its options may stand in front of a command in a substitution.
const MAX_WRAPPER_WORDS: usize = 16;
/// How many pieces of a text that cannot be read are looked at.
const MAX_PIECES: usize = 1024;

/// A counterparty that is not written out, and why not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Hidden {
    /// The address is put in when it runs.
    Value {
        /// Which program is given it.
        program: String,
    },
    /// A file holds addresses or settings.
    File {
        /// Which program reads it.
        program: String,
    },
    /// Further operands come from the program's input.
    Input {
        /// Which program gets them.
        program: String,
    },
}

impl fmt::Display for Hidden {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { program } => {
                write!(formatter, "an address that {program} is given is only known when it runs")
            }
            Self::File { program } => {
                write!(formatter, "{program} takes addresses or settings from a file that is not seen here")
            }
            Self::Input { program } => {
                write!(formatter, "{program} is handed further operands only when it runs")
            }
        }
    }
}

/// Whom a command would deal with over the network.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counterparties {
    /// The hosts, distinct, in the order of the segments. Raw text of the command: quote it before anyone reads it.
    pub hosts: Vec<String>,
    /// What is not written out, distinct.
    pub hidden: Vec<Hidden>,
}

impl Counterparties {
    /// Whether the command names nobody, as far as its text says.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty() && self.hidden.is_empty()
    }

    /// One bounded sentence that names every host, quoted and with visible characters only; `None` where there is none.
    #[must_use]
    pub fn reason(&self) -> Option<String> {
        reason::sentence(self)
    }
}

/// Whom the command would deal with over the network, in every segment of it.
#[must_use]
pub fn counterparties(analysis: &Analysis) -> Counterparties {
    let settled = Settled::new(analysis);
    let mut collected = Collected::default();
    for segment in analysis.segments() {
        collected.add(judge(segment, &settled));
    }
    for redirect in analysis.block_redirects() {
        let mut transfer = Transfer::default();
        transfer.redirect(redirect, &settled);
        collected.add(transfer);
    }
    if analysis.unread().is_some() {
        collected.add(judge_unread(analysis, &settled));
    }
    collected.into_counterparties()
}

/// Judges single segments of one text.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    settled: Settled<'a>,
}

impl<'a> Judge<'a> {
    /// Of the segments of this text.
    pub(crate) fn new(analysis: &'a Analysis) -> Self {
        Self { settled: Settled::new(analysis) }
    }

    /// Whom the segment deals with.
    pub(crate) fn transfer(&self, segment: &Segment) -> Transfer {
        judge(segment, &self.settled)
    }
}

/// Whether the words of one command, a wrapper in front of it included, deal with anybody.
pub(crate) fn is_transfer(words: &[Word]) -> bool {
    let name =
        |words: &[Word]| words.first().and_then(constant).map(|path| program_name(&path)).unwrap_or_default();
    let behind_wrapper = !wrappers::named(&name(words)).is_empty();
    let starts = if behind_wrapper { words.len().min(MAX_WRAPPER_WORDS) } else { words.len().min(1) };
    let known = (0..starts).filter_map(|start| words.get(start..)).find_map(|words| {
        let (_, grammar) = find_owned(&name(words))?;
        Some(arguments::walk(grammar, words))
    });
    known.is_some_and(|arguments| arguments.reads_addresses || arguments.named().next().is_some())
}

/// Whom one command deals with, and what it sends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Transfer {
    /// The hosts, as they stand.
    pub(crate) hosts: Vec<String>,
    /// What is not written out.
    pub(crate) hidden: Vec<Hidden>,
    /// The words, as written, that hold an address which is only known when it runs.
    pub(crate) hidden_words: Vec<String>,
    /// A command substitution stands in what is sent or in the address.
    pub(crate) sends_substitution: bool,
    /// A file is sent.
    pub(crate) sends_file: bool,
}

impl Transfer {
    /// Whether it deals with anybody.
    pub(crate) fn is_one(&self) -> bool {
        !self.hosts.is_empty() || !self.hidden.is_empty()
    }

    fn reading(&mut self, reading: Reading, word: Option<&Word>, program: &str, settled: &Settled<'_>) {
        let open = match reading {
            Reading::Host(host) => return self.hosts.push(host),
            Reading::Hidden => !word.is_some_and(|word| settled.covers(word)),
            Reading::HiddenPort => !word.is_some_and(|word| settled.is_port(word)),
        };
        if open {
            self.hidden_words.extend(word.map(|word| word.raw.clone()));
            self.hidden.push(Hidden::Value { program: program.to_owned() });
        }
    }

    /// `NAME=value` of a variable that leads to a host.
    fn variable(&mut self, name: &str, value: &str, word: &Word, settled: &Settled<'_>) {
        let Some(style) = environment::style(name) else { return };
        let readings = match style {
            Style::Words => return self.command_line(value, settled),
            style => style.read(value, None),
        };
        for reading in readings {
            self.reading(reading, Some(word), "the program", settled);
        }
    }

    /// A command line in an option or a variable, judged by its words as they stand.
    fn command_line(&mut self, line: &str, settled: &Settled<'_>) {
        let words: Vec<Word> = line.split_whitespace().map(quoted_word).collect();
        self.words(&words, settled);
    }

    /// `/dev/tcp/host/port`, which bash itself connects to.
    fn redirect(&mut self, redirect: &Redirect, settled: &Settled<'_>) {
        let target = with_holes(&redirect.target);
        let place = ["/dev/tcp/", "/dev/udp/"].iter().find_map(|prefix| target.strip_prefix(prefix));
        let Some(host) = place.and_then(|place| place.split('/').next()) else { return };
        for reading in address::host(host) {
            self.reading(reading, Some(&redirect.target), "the shell", settled);
        }
    }

    /// The words of a command, whose first is its name.
    fn words(&mut self, words: &[Word], settled: &Settled<'_>) -> bool {
        let Some(first) = words.first() else { return false };
        let Some(path) = constant(first).filter(|_| !is_pattern(first)) else {
            self.unknown_program(words);
            return false;
        };
        let name = program_name(&path);
        let Some((name, grammar)) = find(&name) else { return false };
        let arguments = arguments::walk(grammar, words);
        for (reading, word) in arguments.named() {
            self.reading(reading, Some(word), name, settled);
        }
        if arguments.reads_addresses {
            self.hidden.push(Hidden::File { program: name.to_owned() });
        }
        for line in arguments.commands {
            // One level: a command line in the option of a command line is not followed.
            let words: Vec<Word> = line.split_whitespace().map(quoted_word).collect();
            if let Some(inner) = words.first().and_then(constant).and_then(|path| find_owned(&path)) {
                for (reading, word) in arguments::walk(inner.1, &words).named() {
                    self.reading(reading, Some(word), inner.0, settled);
                }
            }
        }
        self.sends_substitution |= arguments.sends_substitution;
        self.sends_file |= arguments.sends_file;
        arguments.takes_more
    }

    /// The name of the command is only known when it runs: whatever is plainly a URL counts.
    fn unknown_program(&mut self, words: &[Word]) {
        for word in words.iter().skip(1) {
            for reading in address::url(&with_holes(word)).unwrap_or_default() {
                if let Reading::Host(host) = reading {
                    self.hosts.push(host);
                }
            }
        }
    }

    /// Code in another language.
    fn code(&mut self, segment: &Segment, settled: &Settled<'_>) {
        let Some(source) = interpreters::program_source(&segment.words) else { return };
        let positions = match source {
            ProgramSource::Words(positions) => positions,
            ProgramSource::StandardInput => {
                let bodies = segment.redirects.iter().filter_map(|redirect| {
                    let here_string = redirect.operator == super::tree::RedirectOperator::HereString;
                    redirect
                        .heredoc
                        .as_ref()
                        .map(|document| &document.body)
                        .or_else(|| here_string.then_some(&redirect.target))
                });
                for body in bodies {
                    self.code_text(body, segment, settled);
                }
                return;
            }
            ProgramSource::Module { name, rest } => {
                // A module that is a program of its own, as in `python3 -m pip`.
                let mut words = vec![quoted_word(&name)];
                words.extend(segment.words.get(rest..).unwrap_or_default().iter().cloned());
                self.words(&words, settled);
                return;
            }
            ProgramSource::File(_) | ProgramSource::Nothing => return,
        };
        for word in positions.into_iter().filter_map(|at| segment.words.get(at)) {
            self.code_text(word, segment, settled);
        }
    }

    fn code_text(&mut self, word: &Word, segment: &Segment, settled: &Settled<'_>) {
        let name =
            segment.words.first().and_then(constant).map(|path| program_name(&path)).unwrap_or_default();
        // Shell code is judged command by command.
        if super::shells::language(&interpreters::plain_name(&name)).is_some() {
            return;
        }
        let text = with_holes(word);
        for reading in code::read(&text) {
            self.reading(reading, Some(word), "the code", settled);
        }
        for line in code::command_lines(&text) {
            self.command_line(line, settled);
        }
    }
}

/// The program's name: no folder, no `.exe`, in lower case.
fn program_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    name.strip_suffix(".exe").map_or(name.clone(), str::to_owned)
}

/// The table of a program; a version at the end of the name makes no other program of it.
fn find(name: &str) -> Option<(&str, &'static tables::Grammar)> {
    let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    tables::named(name)
        .map(|grammar| (name, grammar))
        .or_else(|| tables::named(bare).map(|grammar| (bare, grammar)))
}

fn find_owned(path: &str) -> Option<(&'static str, &'static tables::Grammar)> {
    let name = program_name(path);
    find(&name).map(|(_, grammar)| ("the command", grammar))
}

/// Whom one segment deals with.
fn judge(segment: &Segment, settled: &Settled<'_>) -> Transfer {
    let mut transfer = Transfer::default();
    for assignment in &segment.assignments {
        if let AssignedValue::Scalar(Some(word)) = &assignment.value {
            transfer.variable(&assignment.name, &with_holes(word), word, settled);
        }
    }
    for redirect in &segment.redirects {
        transfer.redirect(redirect, settled);
    }
    let name = segment.words.first().and_then(constant).map(|path| program_name(&path)).unwrap_or_default();
    if takes_assignments(&name) {
        for word in segment.words.iter().skip(1) {
            let text = with_holes(word);
            if let Some((variable, value)) = text.split_once('=') {
                transfer.variable(variable, value, word, settled);
            }
        }
    }
    let placeholder = segment.placeholder.as_deref().filter(|_| segment.open_ended);
    let open = placeholder.map(|placeholder| arguments::with_open_parts(&segment.words, placeholder));
    let takes_more = transfer.words(open.as_deref().unwrap_or(&segment.words), settled);
    if segment.open_ended && open.is_none() && takes_more {
        transfer.hidden.push(Hidden::Input { program: name });
    }
    transfer.code(segment, settled);
    let starts = segment.possible_starts.iter().filter_map(|start| segment.words.get(*start..));
    let known = starts.filter(|words| {
        words.first().and_then(constant).is_some_and(|path| find(&program_name(&path)).is_some())
    });
    for words in known.take(MAX_STARTS) {
        transfer.words(words, settled);
    }
    if matches!(segment.opaque, Some(Opaque::UnreadCode { .. } | Opaque::OtherShell { .. })) {
        for word in segment.words.iter().skip(1) {
            transfer.blind(&best_text(word).0, settled);
        }
    }
    transfer
}

/// Programs whose words may be `NAME=value` for what they run, or for the shell.
fn takes_assignments(name: &str) -> bool {
    matches!(
        name,
        "export"
            | "declare"
            | "typeset"
            | "local"
            | "readonly"
            | "env"
            | "genv"
            | "sudo"
            | "doas"
            | "make"
            | "gmake"
            | "setenv"
    )
}

/// What can be said of a text that is not read as a whole: every piece that could be a command.
fn judge_unread(analysis: &Analysis, settled: &Settled<'_>) -> Transfer {
    let mut transfer = Transfer::default();
    transfer.blind(analysis.text(), settled);
    match analysis.dialect() {
        Dialect::Bash => {}
        Dialect::PowerShell | Dialect::Cmd => {
            for reading in address::mentions(analysis.text()) {
                transfer.reading(reading, None, "the command", settled);
            }
        }
    }
    transfer
}

impl Transfer {
    /// Judges a text without reading it: cut at every separator, quotes disregarded.
    fn blind(&mut self, text: &str, settled: &Settled<'_>) {
        let (pieces, _) = blind::pieces(text);
        for piece in pieces.iter().take(MAX_PIECES) {
            let plain: String = piece.chars().filter(|letter| !matches!(letter, '\'' | '"')).collect();
            let words: Vec<Word> = plain.split_whitespace().map(quoted_word).collect();
            let known = (0..words.len().min(16)).filter_map(|start| words.get(start..)).find(|words| {
                words.first().and_then(constant).is_some_and(|path| find(&program_name(&path)).is_some())
            });
            if let Some(words) = known {
                self.words(words, settled);
            }
        }
    }
}

#[derive(Default)]
struct Collected {
    counterparties: Counterparties,
    seen: HashSet<String>,
    hidden: HashSet<Hidden>,
}

impl Collected {
    fn add(&mut self, transfer: Transfer) {
        for host in transfer.hosts {
            if self.seen.insert(host.clone()) {
                self.counterparties.hosts.push(host);
            }
        }
        for hidden in transfer.hidden {
            if self.hidden.insert(hidden.clone()) {
                self.counterparties.hidden.push(hidden);
            }
        }
    }

    fn into_counterparties(self) -> Counterparties {
        self.counterparties
    }
}
