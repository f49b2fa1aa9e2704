//! The texts that deny and escalate entries are compared with: every way of writing what the text would run.
//!
//! Promises distinct texts within stated bounds and says when there are more. Knows nothing of entries.

use std::collections::HashSet;

use super::analysis::MAX_COMMAND_BYTES;
use super::blind;
use super::canonical::{Position, spell_command, spell_word};
use super::folding::{Separators, Sequences, fold, may_fold};
use super::reader;
use super::reordering::with_options_in_front;
use super::segment::{Reach, Segment};
use super::segments::Walk;
use super::tree::{AssignedValue, Redirect, RedirectOperator, Word};
use super::unwrap::MAX_POSSIBLE_STARTS;
use super::word::{base_name, best_text, constant, quoted};

/// The most spellings of one text.
pub const MAX_SPELLINGS: usize = 32_768;
/// The most bytes that the spellings of one text may have together.
pub const MAX_SPELLING_BYTES: usize = 16 << 20;
/// How many pieces of an unread text are read on their own.
const MAX_READ_PIECES: usize = 512;

/// The spellings of a text.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spellings {
    texts: Vec<String>,
    truncated: bool,
}

impl Spellings {
    /// The distinct texts, in the order in which they were found.
    pub(crate) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Whether there are more.
    pub(crate) fn truncated(&self) -> bool {
        self.truncated
    }
}

/// The spellings of a text that is not bash: the whole, its lines, and both folded.
pub(crate) fn of_other_dialect(text: &str) -> Spellings {
    let mut collector = Collector::default();
    collector.add(text);
    for line in text.lines() {
        collector.add(line);
    }
    collector.finish()
}

/// What was found in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The commands.
    pub(crate) segments: &'a [Segment],
    /// Code inside the text that did not read as a whole.
    pub(crate) unread_code: &'a [String],
    /// There may be more than was found.
    pub(crate) limited: bool,
    /// The text itself did not read as a whole.
    pub(crate) unread: bool,
}

impl<'a> Found<'a> {
    fn of(walk: &'a Walk<'_>, unread: bool) -> Self {
        Self {
            segments: &walk.segments,
            unread_code: &walk.unread_code,
            limited: walk.limit.is_some(),
            unread,
        }
    }
}

/// The spellings of a bash text.
pub(crate) fn of_bash(text: &str, canonical: Option<&str>, found: &Found<'_>) -> Spellings {
    let mut collector = Collector::default();
    collector.add(text);
    if text.contains("\\\n") {
        collector.add(&text.replace("\\\n", ""));
    }
    if let Some(canonical) = canonical {
        collector.add(canonical);
    }
    collector.found(found, text);
    if may_fold(text) {
        collector.folded_text(text);
    }
    collector.finish()
}

#[derive(Default)]
struct Collector {
    seen: HashSet<String>,
    texts: Vec<String>,
    bytes: usize,
    truncated: bool,
}

impl Collector {
    fn finish(self) -> Spellings {
        Spellings { texts: self.texts, truncated: self.truncated }
    }

    fn full(&mut self) -> bool {
        if self.texts.len() >= MAX_SPELLINGS || self.bytes >= MAX_SPELLING_BYTES {
            self.truncated = true;
        }
        self.truncated
    }

    /// Adds a text and its folded forms.
    fn add(&mut self, text: &str) {
        let text = text.trim();
        if !self.add_one(text) || !may_fold(text) {
            return;
        }
        for sequences in Sequences::of(text) {
            match fold(text, *sequences, Separators::Blank) {
                Ok(folded) => {
                    self.add_one(folded.trim());
                    let collapsed = folded.split_whitespace().collect::<Vec<_>>().join(" ");
                    self.add_one(&collapsed);
                }
                Err(_) => self.truncated = true,
            }
        }
    }

    /// Adds a text; false where it was there already or there is no room.
    fn add_one(&mut self, text: &str) -> bool {
        if text.is_empty() || self.seen.contains(text) || self.full() {
            return false;
        }
        if self.bytes + text.len() > MAX_SPELLING_BYTES {
            self.truncated = true;
            return false;
        }
        self.bytes += text.len();
        self.seen.insert(text.to_owned());
        self.texts.push(text.to_owned());
        true
    }

    fn found(&mut self, found: &Found<'_>, text: &str) {
        for segment in found.segments {
            self.segment(segment, text);
        }
        for code in found.unread_code {
            self.add(code);
            self.blind(code);
        }
        self.truncated |= found.limited;
        if found.unread {
            self.blind(text);
        }
    }

    fn segment(&mut self, segment: &Segment, text: &str) {
        if self.full() {
            return;
        }
        self.add(&segment.spelling);
        let in_text = segment.reached.iter().all(Reach::is_syntax);
        match segment.span.filter(|_| in_text).and_then(|span| text.get(span.start..span.end)) {
            Some(source) => self.add(source),
            None => self.add(&source_of(segment)),
        }
        self.words(segment, &segment.words);
        let short = with_base_name(&segment.words);
        if let Some(words) = &short {
            self.words(segment, words);
        }
        let named = short.as_deref().unwrap_or(&segment.words);
        let bare = without_git_options(named);
        if let Some(words) = &bare {
            self.words(segment, words);
        }
        for words in with_options_in_front(bare.as_deref().unwrap_or(named)) {
            self.add(&spell_command(&[], &words));
            self.add(&plain(&words));
        }
        for (count, start) in segment.possible_starts.iter().enumerate() {
            if count >= MAX_POSSIBLE_STARTS {
                self.truncated = true;
                return;
            }
            let rest = segment.words.get(*start..).unwrap_or_default();
            self.add(&spell_command(&[], rest));
            self.add(&plain(rest));
            if let Some(short) = with_base_name(rest) {
                self.add(&plain(&short));
            }
        }
    }

    fn words(&mut self, segment: &Segment, words: &[Word]) {
        let canonical = spell_command(&[], words);
        self.add(&canonical);
        let plain = plain(words);
        self.add(&plain);
        let mut before = String::new();
        if !segment.assignments.is_empty() {
            for assignment in &segment.assignments {
                before.push_str(&assignment.name);
                before.push_str(if assignment.append { "+=" } else { "=" });
                match &assignment.value {
                    AssignedValue::Scalar(value) => {
                        before.push_str(&value.as_ref().map(|word| best_text(word).0).unwrap_or_default());
                    }
                    AssignedValue::Array(words) => {
                        before.push('(');
                        before.push_str(&self::plain(words));
                        before.push(')');
                    }
                }
                before.push(' ');
            }
            self.add(&spell_command(&segment.assignments, words));
            self.add(&format!("{before}{plain}"));
        }
        if !segment.redirects.is_empty() {
            let redirects = spell_redirects(&segment.redirects);
            self.add(&format!("{canonical} {redirects}"));
            self.add(&format!("{plain} {redirects}"));
            if !before.is_empty() {
                self.add(&format!("{before}{plain} {redirects}"));
            }
        }
    }

    /// Everything that could be a command in a text that cannot be read.
    fn blind(&mut self, text: &str) {
        let (pieces, whole) = blind::pieces(text);
        self.truncated |= !whole;
        for (count, piece) in pieces.iter().enumerate() {
            if self.full() {
                return;
            }
            for reading in blind::readings(piece) {
                self.add(&reading);
            }
            if count < MAX_READ_PIECES
                && let Ok(script) = reader::read_nested(piece, 0)
            {
                let mut walk = Walk::default();
                walk.whole(&script);
                for segment in &walk.segments {
                    self.segment(segment, piece);
                }
            }
        }
    }

    /// What the folded text would run, were it run.
    fn folded_text(&mut self, text: &str) {
        if text.len() > MAX_COMMAND_BYTES {
            return;
        }
        let mut done: Vec<String> = vec![text.to_owned()];
        for sequences in Sequences::of(text) {
            for separators in Separators::of(text) {
                let Ok(folded) = fold(text, *sequences, *separators) else {
                    self.truncated = true;
                    continue;
                };
                if done.contains(&folded) {
                    continue;
                }
                self.add_one(folded.trim());
                let read = reader::read(&folded);
                let (script, unread) = match read {
                    Ok(script) => (script, false),
                    Err(error) => (error.before, true),
                };
                let mut walk = Walk::default();
                walk.whole(&script);
                self.found(&Found::of(&walk, unread), &folded);
                done.push(folded);
            }
        }
    }
}

/// The command as it was written, put together from its words.
fn source_of(segment: &Segment) -> String {
    let mut source = String::new();
    let assignments = segment.assignments.iter().map(|assignment| assignment.raw.as_str());
    for raw in assignments.chain(segment.words.iter().map(|word| word.raw.as_str())) {
        if !source.is_empty() {
            source.push(' ');
        }
        source.push_str(raw);
    }
    source
}

/// The words with nothing quoted, joined by single blanks, as people write patterns.
fn plain(words: &[Word]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        match constant(word) {
            Some(constant) => text.push_str(&constant),
            None => text.push_str(&best_text(word).0),
        }
    }
    text
}

fn spell_redirects(redirects: &[Redirect]) -> String {
    let mut text = String::new();
    for redirect in redirects {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(redirect.descriptor.as_deref().unwrap_or_default());
        text.push_str(redirect.operator.as_str());
        let glued =
            matches!(redirect.operator, RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput)
                && constant(&redirect.target).is_some_and(|target| target.len() == 1);
        if !glued {
            text.push(' ');
        }
        spell_word(&redirect.target, Position::Argument, &mut text);
    }
    text
}

/// The words with the program's path reduced to its last component; `None` where it has no path.
fn with_base_name(words: &[Word]) -> Option<Vec<Word>> {
    let (first, rest) = words.split_first()?;
    let path = constant(first)?;
    let name = base_name(&path);
    let name = name.strip_suffix(".exe").unwrap_or(name);
    if name == path {
        return None;
    }
    let mut short = vec![quoted(name)];
    short.extend(rest.iter().cloned());
    Some(short)
}

/// The words of a git command without the options in front of its subcommand; `None` where there are none.
fn without_git_options(words: &[Word]) -> Option<Vec<Word>> {
    const WITH_VALUE: [&str; 8] = [
        "-C",
        "-c",
        "--git-dir",
        "--work-tree",
        "--namespace",
        "--config-env",
        "--super-prefix",
        "--attr-source",
    ];
    let first = words.first()?;
    if constant(first)? != "git" {
        return None;
    }
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = best_text(word).0;
        if !text.starts_with('-') {
            break;
        }
        at += if WITH_VALUE.contains(&text.as_str()) { 2 } else { 1 };
    }
    if at == 1 || at >= words.len() {
        return None;
    }
    let mut bare = vec![first.clone()];
    bare.extend(words.get(at..)?.iter().cloned());
    Some(bare)
}
