//! A command's words compared with what is known of its program.
//!
//! Promises that every word is accounted for: a subcommand, an option that an entry names, its value, or an operand; what is
//! none of these is said. Linear in the words. Knows nothing of what effects mean.

use super::entry::{Level, OptionForm, Replaces, Value};
use super::unnamed::sounds_harmless;
use super::vocabulary::{Action, Effect, Verb};
use crate::shell::hardline::UNKNOWN;

/// Letters that are harmless as options nearly everywhere: they say how much is shown.
const MILD_LETTERS: &str = "vqnlth";

/// A word behind the program's name. What is only known when it runs stands in its text as [`UNKNOWN`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct GivenWord<'w> {
    /// Its text.
    pub(crate) text: &'w str,
    /// It starts with something that is only known when it runs, so that it may turn out to be an option.
    pub(crate) open: bool,
}

/// Where a value stands: in which word, behind how many characters of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ValuePlace {
    /// The word, counted behind the program's name from 0.
    pub(crate) word: usize,
    /// The characters in front of it.
    pub(crate) from: usize,
}

/// An effect that holds for this command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Applied<'k> {
    /// The effect.
    pub(crate) effect: &'k Effect,
    /// The value of the option that brought it.
    pub(crate) value: Option<ValuePlace>,
}

/// What is not known of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gap {
    /// An option that no line names.
    Option(String),
    /// A value that is none of those which are known for the option.
    Value(String),
    /// An option that needs a value, at the end.
    MissingValue(String),
    /// A long option that is shortened.
    Shortened(String),
    /// A subcommand that is only known when it runs.
    OpenSubcommand,
    /// What it does without a subcommand that is known; the word in its place, if any.
    Subcommand(Option<usize>),
}

/// A command, resolved.
#[derive(Debug, Clone)]
pub(crate) struct Resolved<'k> {
    /// The levels from the program to the deepest subcommand.
    pub(crate) levels: Vec<&'k Level>,
    /// The words that are the subcommands.
    pub(crate) subcommands: Vec<usize>,
    /// The effects that hold, those of the level first.
    pub(crate) effects: Vec<Applied<'k>>,
    /// The words that are operands.
    pub(crate) operands: Vec<usize>,
    /// Operands that may turn out to be options.
    pub(crate) open: Vec<usize>,
    /// Options that only `-*` covers.
    pub(crate) unnamed: Vec<usize>,
    /// The values of options that change nothing by themselves, each with the option's name.
    pub(crate) plain_values: Vec<(String, ValuePlace)>,
    /// The word of the first option that took the place of other effects.
    pub(crate) replaced_by: Option<usize>,
    /// It only shows its help or version.
    pub(crate) asks_for_help: bool,
    /// What is not known of it.
    pub(crate) gaps: Vec<Gap>,
}

impl<'k> Resolved<'k> {
    /// The forms of all options that hold where the operands stand; `None` where others may hold that no line names.
    pub(crate) fn options_of_operands(&self) -> Option<impl Iterator<Item = &'k OptionForm>> {
        let deepest = self.levels.last().filter(|level| level.others_harmless)?;
        let above = self.levels.iter().filter(|level| !level.front || std::ptr::eq(**level, *deepest));
        Some(above.flat_map(|level| level.options.values().flatten()))
    }
}

/// Compares words with an entry.
pub(crate) fn resolve<'k>(entry: &'k Level, words: &[GivenWord<'_>]) -> Resolved<'k> {
    let mut reading = Reading {
        words,
        at: 0,
        levels: vec![entry],
        subcommands: Vec::new(),
        added: Vec::new(),
        operands: Vec::new(),
        open: Vec::new(),
        unnamed: Vec::new(),
        plain_values: Vec::new(),
        asks_for_help: false,
        replaced: Replaces::None,
        replaced_by: None,
        gaps: Vec::new(),
        after_unnamed: false,
    };
    reading.run();
    reading.finish()
}

/// A dash alone, and a dash in front of a blank, start no option: they are input and text.
fn looks_like_an_option(text: &str) -> bool {
    text.strip_prefix('-').is_some_and(|rest| !rest.is_empty() && !rest.starts_with(char::is_whitespace))
}

struct Reading<'k, 'w> {
    words: &'w [GivenWord<'w>],
    at: usize,
    levels: Vec<&'k Level>,
    subcommands: Vec<usize>,
    /// Effects of options, and which they take the place of.
    added: Vec<(Applied<'k>, Replaces)>,
    operands: Vec<usize>,
    open: Vec<usize>,
    unnamed: Vec<usize>,
    plain_values: Vec<(String, ValuePlace)>,
    asks_for_help: bool,
    /// Which effects some option took the place of.
    replaced: Replaces,
    replaced_by: Option<usize>,
    gaps: Vec<Gap>,
    /// The word before is an option that only `-*` covers, so that this one might be its value all the same.
    after_unnamed: bool,
}

impl<'k> Reading<'k, '_> {
    fn run(&mut self) {
        let mut ended = false;
        while let Some(word) = self.words.get(self.at).copied() {
            let at = self.at;
            self.at += 1;
            let after_unnamed = std::mem::take(&mut self.after_unnamed);
            if !ended && self.other_option(word.text, after_unnamed) {
                continue;
            }
            if ended && self.operands.is_empty() && self.wraps(word.text) && self.descends(word) {
                self.subcommands.push(at);
                continue;
            }
            if ended || !looks_like_an_option(word.text) {
                if !ended && self.descends(word) {
                    self.subcommands.push(at);
                    continue;
                }
                self.operands.push(at);
                if word.open && !ended {
                    self.open.push(at);
                }
                ended |= self.levels.iter().any(|level| level.stops);
            } else if word.text == "--" {
                ended = true;
            } else {
                self.option(word.text, after_unnamed);
            }
        }
    }

    /// Whether a word behind `--` names a program that is run: `npm exec -- eslint`.
    fn wraps(&self, text: &str) -> bool {
        let inner = self.deepest().and_then(|level| level.subcommand(text));
        inner.is_some_and(Level::wraps)
    }

    /// Takes a word that is an option of a program whose options start with a plus or a slash.
    fn other_option(&mut self, text: &str, after_unnamed: bool) -> bool {
        if let Some(rest) = text.strip_prefix('/')
            && self.levels.iter().any(|level| level.slash)
        {
            let dashed = format!("-{rest}");
            let name = dashed.split([':', '=']).next().unwrap_or_default();
            if self.forms(name).is_some() {
                self.option(&dashed, after_unnamed);
                return true;
            }
        }
        if text.len() < 2 || !text.starts_with('+') || !self.in_force().any(|level| level.plus) {
            return false;
        }
        // The longest name that it starts with; the rest is its value.
        let named = self
            .in_force()
            .flat_map(|level| &level.options)
            .filter(|(name, _)| name.starts_with('+'))
            .filter(|(name, forms)| {
                text == **name
                    || text.starts_with(**name) && forms.iter().any(|form| form.value != Value::None)
            })
            .max_by_key(|(name, _)| name.len());
        match named {
            Some((name, forms)) => {
                let value = text.strip_prefix(*name).filter(|value| !value.is_empty());
                self.take(name, forms, value.map(|value| (value, name.chars().count())));
            }
            None => self.gaps.push(Gap::Option(text.to_owned())),
        }
        true
    }

    /// The levels whose options hold here, the deepest first.
    fn in_force(&self) -> impl Iterator<Item = &'k Level> {
        let mut deepest = true;
        self.levels.iter().rev().copied().filter(move |level| std::mem::take(&mut deepest) || !level.front)
    }

    fn deepest(&self) -> Option<&'k Level> {
        self.levels.last().copied()
    }

    /// Whether a word is a subcommand of the deepest level.
    fn descends(&mut self, word: GivenWord<'_>) -> bool {
        let Some(level) = self.deepest() else { return false };
        if !self.operands.is_empty() || level.levels.is_empty() {
            return false;
        }
        if let Some(unknown) = word.text.find(UNKNOWN) {
            let known = word.text.get(..unknown).unwrap_or_default();
            if level.subcommands.keys().any(|name| name.starts_with(known)) {
                self.gaps.push(Gap::OpenSubcommand);
            }
            return false;
        }
        let Some(inner) = level.subcommand(word.text) else { return false };
        self.levels.push(inner);
        true
    }

    /// The forms of an option at the deepest level that names it.
    fn forms(&self, name: &str) -> Option<&'k [OptionForm]> {
        self.in_force().find_map(|level| level.options.get(name)).map(Vec::as_slice)
    }

    /// Whether the options are those of a command that is judged by itself.
    fn hands_on(&self) -> bool {
        self.deepest().is_some_and(Level::wraps)
    }

    /// Whether the command changes what is kept, so that a letter may well lose some of it.
    fn keeps_things(&self) -> bool {
        self.deepest().is_some_and(|level| {
            level.effects.iter().any(|effect| {
                matches!(effect.action, Action::Verb(Verb::Records | Verb::Pushes | Verb::Restores))
            })
        })
    }

    fn others_harmless(&self) -> bool {
        self.deepest().is_some_and(|level| level.others_harmless)
    }

    fn option(&mut self, text: &str, after_unnamed: bool) {
        let single = self.levels.iter().any(|level| level.single_dash);
        if matches!(text, "--help" | "--version") && self.forms(text).is_none() {
            // What follows may be the version that is wanted, as in `add PACKAGE --version 8.4`.
            let with_value = text == "--version"
                && self.words.get(self.at).is_some_and(|next| !next.text.starts_with('-'));
            if after_unnamed || with_value {
                self.gaps.push(Gap::Option(text.to_owned()));
            } else {
                self.asks_for_help = true;
            }
            return;
        }
        let (name, glued) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        if let Some(forms) = self.named(name, single) {
            let from = name.chars().count() + 1;
            self.take(name, forms, glued.map(|value| (value, from)));
            return;
        }
        // A program that does nothing by itself shows its version, or nothing.
        let alone = self.words.len() == 1 && self.levels.iter().all(|level| level.effects.is_empty());
        if alone && matches!(text, "-v" | "-V") {
            self.asks_for_help = true;
            return;
        }
        if let Some((name, value)) = text.split_once(':')
            && let Some(forms) = self.named(name, single)
            && forms.iter().any(|form| form.value != Value::None)
        {
            self.take(name, forms, Some((value, name.chars().count() + 1)));
            return;
        }
        let digits = text.get(1..).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()));
        if digits && self.deepest().is_some_and(|level| level.digits) {
            return;
        }
        if text.starts_with("--") || single {
            self.unnamed_long(text, name, single);
        } else {
            self.cluster(text);
        }
    }

    /// The forms of a long option, or of any option that is named as it is written.
    fn named(&self, name: &str, single: bool) -> Option<&'k [OptionForm]> {
        if let Some(forms) = self.forms(name) {
            return Some(forms);
        }
        if !single {
            return None;
        }
        match name.strip_prefix("--") {
            Some(bare) => self.forms(&format!("-{bare}")),
            None => self.forms(&format!("-{name}")),
        }
    }

    fn unnamed_long(&mut self, text: &str, name: &str, single: bool) {
        let shortened = !single && name.len() > 2 && self.is_short_for_an_option_that_matters(name);
        if shortened {
            self.gaps.push(Gap::Shortened(name.to_owned()));
        } else if self.others_harmless()
            && !name.contains(UNKNOWN)
            && (self.hands_on() || sounds_harmless(name))
        {
            self.unnamed.push(self.at.saturating_sub(1));
            self.after_unnamed = name.len() == text.len();
        } else {
            self.gaps.push(Gap::Option(name.to_owned()));
        }
    }

    fn is_short_for_an_option_that_matters(&self, name: &str) -> bool {
        let matters = |forms: &[OptionForm]| {
            forms
                .iter()
                .any(|form| !form.effects.is_empty() || matches!(form.value, Value::Any | Value::OneOf(_)))
        };
        self.in_force()
            .flat_map(|level| &level.options)
            .any(|(full, forms)| full.starts_with(name) && matters(forms))
    }

    /// Letters behind one dash.
    fn cluster(&mut self, text: &str) {
        for (index, letter) in text.chars().enumerate().skip(1) {
            let behind = text.char_indices().nth(index + 1).and_then(|(at, _)| text.get(at..));
            let name = format!("-{letter}");
            let Some(forms) = self.forms(&name) else {
                if letter == UNKNOWN
                    || !self.others_harmless()
                    || self.keeps_things() && !MILD_LETTERS.contains(letter)
                {
                    self.gaps.push(Gap::Option(if text.chars().count() == 2 {
                        text.to_owned()
                    } else {
                        name
                    }));
                    return;
                }
                self.unnamed.push(self.at.saturating_sub(1));
                self.after_unnamed = behind.is_none();
                continue;
            };
            let takes_value = forms.iter().any(|form| form.value != Value::None);
            match behind.filter(|_| takes_value) {
                // `-o=json`, as many programs read it.
                Some(value) => {
                    let equals = value.strip_prefix('=');
                    let from = index + 1 + usize::from(equals.is_some());
                    self.take(&name, forms, Some((equals.unwrap_or(value), from)));
                    return;
                }
                None => self.take(&name, forms, None),
            }
        }
    }

    /// Takes an option with the form that its value has. The option's word is the one before the next.
    fn take(&mut self, name: &str, forms: &'k [OptionForm], glued: Option<(&str, usize)>) {
        let with = |wanted: &Value| forms.iter().find(|form| form.value == *wanted);
        let one_of = |value: &str| {
            forms.iter().find(|form| matches!(&form.value, Value::OneOf(words) if words.contains(&value)))
        };
        let here = self.at.saturating_sub(1);
        if let Some((value, from)) = glued {
            let form = one_of(value).or_else(|| with(&Value::Any)).or_else(|| with(&Value::Glued));
            match form.or_else(|| with(&Value::None).filter(|_| self.others_harmless())) {
                Some(form) => self.add(name, form, Some(ValuePlace { word: here, from })),
                None => self.refuse_value(name, forms),
            }
            return;
        }
        if let Some(form) = with(&Value::Glued).or_else(|| with(&Value::None)) {
            self.add(name, form, None);
            return;
        }
        let Some(next) = self.words.get(self.at) else {
            self.gaps.push(Gap::MissingValue(name.to_owned()));
            return;
        };
        let place = ValuePlace { word: self.at, from: 0 };
        self.at += 1;
        match one_of(next.text).or_else(|| with(&Value::Any)) {
            Some(form) => self.add(name, form, Some(place)),
            None => self.refuse_value(name, forms),
        }
    }

    /// A value that no form has: the option's effects may hold all the same.
    fn refuse_value(&mut self, name: &str, forms: &'k [OptionForm]) {
        self.gaps.push(Gap::Value(name.to_owned()));
        for form in forms.iter().filter(|form| form.replaces == Replaces::None) {
            self.add(name, form, None);
        }
    }

    fn add(&mut self, name: &str, form: &'k OptionForm, value: Option<ValuePlace>) {
        if let Some(place) = value
            && form.effects.is_empty()
        {
            self.plain_values.push((name.to_owned(), place));
        }
        self.replaced = self.replaced.max(form.replaces);
        if form.replaces != Replaces::None && self.replaced_by.is_none() {
            // A separate value stands behind its option.
            let separate = usize::from(value.is_some_and(|place| place.from == 0));
            self.replaced_by = self.at.checked_sub(1 + separate);
        }
        let applied = form.effects.iter().map(|effect| (Applied { effect, value }, form.replaces));
        self.added.extend(applied);
    }

    /// The word that stands where a subcommand may stand and is none that is known, where the command takes no other operands.
    fn unlisted_subcommand(&self) -> Option<usize> {
        let level = self.deepest()?;
        let takes_operands = level
            .effects
            .iter()
            .any(|effect| effect.objects.is_some() || matches!(effect.action, Action::Rule(_)));
        let named = self.added.iter().any(|(applied, _)| applied.effect.objects.is_some());
        if level.levels.is_empty()
            || takes_operands
            || named
            || level.wraps()
            || self.replaced != Replaces::None
            || !level.levels.iter().any(Level::does_more_than_look)
        {
            return None;
        }
        let first = self.operands.first().copied()?;
        let text = self.words.get(first).map(|word| word.text).unwrap_or_default();
        let is_word = text.starts_with(|letter: char| letter.is_ascii_lowercase())
            && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_');
        is_word.then_some(first)
    }

    fn finish(mut self) -> Resolved<'k> {
        let own = self.deepest().map(|level| level.effects.as_slice()).unwrap_or_default();
        let replaced = self.replaced;
        if own.is_empty() && replaced == Replaces::None && !self.asks_for_help {
            self.gaps.push(Gap::Subcommand(self.operands.first().copied()));
        } else if let Some(word) = self.unlisted_subcommand() {
            self.gaps.push(Gap::Subcommand(Some(word)));
        }
        let stays = |effect: &Effect| match replaced {
            Replaces::None => true,
            Replaces::WithoutObjects => effect.objects.is_some(),
            Replaces::All => false,
        };
        let own = own.iter().filter(|effect| stays(effect)).map(|effect| Applied { effect, value: None });
        let added = self.added.into_iter().filter(|(applied, replaces)| {
            *replaces != Replaces::None || stays(applied.effect) || applied.effect.action.happens_anyway()
        });
        let effects = own.chain(added.map(|(applied, _)| applied)).collect();
        Resolved {
            levels: self.levels,
            subcommands: self.subcommands,
            effects,
            operands: self.operands,
            open: self.open,
            unnamed: self.unnamed,
            plain_values: self.plain_values,
            replaced_by: self.replaced_by,
            asks_for_help: self.asks_for_help,
            gaps: self.gaps,
        }
    }
}
