//! What looking a call up in a rule list can say, and the spellings it is looked up by.
//!
//! Promises that doubt is a value with a reason, never an error or a silent no. Knows nothing of how lists are compiled.

use super::entry::{Entry, ListKind};
use super::fold::{differs_in_quotes_only, fold_case, may_hold_comment, trim_command};
use super::target::Target;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

/// Why a match could not be decided.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A regular expression used up its steps.
    StepLimit {
        /// The pattern.
        pattern: String,
    },
    /// A regular expression that was added at run time does not compile.
    DoesNotCompile {
        /// The pattern.
        pattern: String,
    },
    /// The entry asks for hints and the tool's annotations cannot be had.
    AnnotationsUnavailable,
    /// The command has more spellings than were compared.
    SpellingsTruncated,
    /// The entry asks for a host, and the call may name hosts that could not be read.
    HostsUncertain,
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StepLimit { pattern } => write!(formatter, "step limit over pattern {pattern}"),
            Self::DoesNotCompile { pattern } => write!(formatter, "pattern does not compile: {pattern}"),
            Self::AnnotationsUnavailable => formatter.write_str("annotations unavailable"),
            Self::SpellingsTruncated => formatter.write_str("spellings truncated"),
            Self::HostsUncertain => formatter.write_str("hosts uncertain"),
        }
    }
}

/// How sure a match is.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Basis {
    /// The entry matches.
    Decided,
    /// It could not be told, which on a deny or escalate list is a match.
    Undecidable {
        /// Why.
        reason: Reason,
    },
}

/// What a list says of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found<'a> {
    /// No entry matches.
    None,
    /// An entry matches: the earliest that is certain to, else the earliest that may. Of allow entries, those whose match is
    /// not rated come before those whose match is.
    Match {
        /// The entry.
        entry: &'a Entry,
        /// Its place in the order of addition; entries that were removed leave gaps.
        index: usize,
        /// How sure it is.
        basis: Basis,
    },
}

/// A pattern that could not be decided, to be told to whoever runs the session.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Notice {
    /// The list whose entry it is.
    pub list: ListKind,
    /// What happened.
    pub reason: Reason,
}

impl fmt::Display for Notice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcome = match self.list {
            ListKind::Deny | ListKind::Escalate => "taken as a match",
            ListKind::Allow => "taken as no match",
        };
        write!(formatter, "{} list: {}; {outcome}", self.list.as_str(), self.reason)
    }
}

/// The earliest certain and the earliest doubtful entry so far.
#[derive(Debug, Default)]
pub(super) struct Best {
    pub(super) certain: Option<usize>,
    pub(super) doubtful: Option<(usize, Reason)>,
}

impl Best {
    /// Takes an entry into account.
    pub(super) fn offer(&mut self, index: usize, doubt: Option<Reason>) {
        match doubt {
            None => self.certain = Some(self.certain.map_or(index, |best| best.min(index))),
            Some(reason) => {
                if self.doubtful.as_ref().is_none_or(|(best, _)| index < *best) {
                    self.doubtful = Some((index, reason));
                }
            }
        }
    }
}

/// The texts that patterns are compared with.
#[derive(Debug, Default)]
pub(super) struct Texts<'a> {
    /// For regular expressions: never folded.
    pub(super) written: Vec<Cow<'a, str>>,
    /// For `exact` and `glob`: folded where the list folds.
    pub(super) compared: Vec<Cow<'a, str>>,
}

impl<'a> Texts<'a> {
    /// One name, compared with its case.
    pub(super) fn of_name(name: &'a str) -> Self {
        Self { written: vec![Cow::Borrowed(name)], compared: vec![Cow::Borrowed(name)] }
    }
}

/// A call with its spellings, each worked out at most once for all lists.
#[derive(Debug)]
pub(super) struct Prepared<'a> {
    pub(super) target: &'a Target<'a>,
    restrictive: OnceCell<Texts<'a>>,
    permissive: OnceCell<Texts<'a>>,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(target: &'a Target<'a>) -> Self {
        Self { target, restrictive: OnceCell::new(), permissive: OnceCell::new() }
    }

    /// What a shell command is compared as on a list of that kind; empty when nothing may match.
    pub(super) fn shell_texts(&self, kind: ListKind) -> &Texts<'a> {
        match kind {
            ListKind::Deny | ListKind::Escalate => {
                self.restrictive.get_or_init(|| restrictive_texts(self.target))
            }
            ListKind::Allow => self.permissive.get_or_init(|| permissive_texts(self.target)),
        }
    }
}

/// Every spelling of everything the shell would run, and the text itself.
fn restrictive_texts<'a>(target: &Target<'a>) -> Texts<'a> {
    let Target::Shell(analysis) = target else { return Texts::default() };
    let mut written: Vec<Cow<'a, str>> =
        analysis.restrictive_spellings().iter().map(|spelling| Cow::Borrowed(spelling.as_str())).collect();
    for text in [analysis.text(), trim_command(analysis.text())] {
        if !written.iter().any(|known| known == text) {
            written.push(Cow::Borrowed(text));
        }
    }
    let compared = written
        .iter()
        .map(|text| match text {
            Cow::Borrowed(text) => fold_case(text),
            Cow::Owned(text) => Cow::Owned(fold_case(text).into_owned()),
        })
        .collect();
    Texts { written, compared }
}

/// The canonical spelling and the text as written, of exactly one simple command.
fn permissive_texts<'a>(target: &Target<'a>) -> Texts<'a> {
    let Target::Shell(analysis) = target else { return Texts::default() };
    let Some(canonical) = analysis.canonical() else { return Texts::default() };
    let mut texts =
        Texts { written: vec![Cow::Borrowed(canonical)], compared: vec![Cow::Borrowed(canonical)] };
    let text = trim_command(analysis.text());
    if text == canonical {
        return texts;
    }
    // A comment could satisfy a pattern with words that nobody runs: then only the canonical spelling counts.
    if !may_hold_comment(text) {
        texts.compared.push(Cow::Borrowed(text));
    }
    // A regular expression can exclude, and quoting would evade what it excludes (`git (?!push)` against `git pu''sh`): the
    // text counts only where it differs from the canonical spelling in nothing but the kind of quotes.
    if differs_in_quotes_only(text, canonical) {
        texts.written.push(Cow::Borrowed(text));
    }
    texts
}
