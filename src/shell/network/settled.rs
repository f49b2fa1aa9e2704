//! Variables whose every value stands in the text, so that the commands with those values put in tell the whole story.
//!
//! Promises to say yes only where each mention of the variable is a use of it or a plain constant assignment. Bounded:
//! each name is looked for once.

use super::address::HOLE;
use super::arguments::with_holes;
use crate::shell::Analysis;
use crate::shell::tree::{AssignedValue, ExpansionKind, Part, Word};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// How many different variables are looked for in one text; of further ones nothing is known.
const MAX_NAMES: usize = 32;
/// How many values of one variable are put in; with more assignments some would be missing.
const MAX_ASSIGNMENTS: usize = crate::shell::values::MAX_VALUES;

/// How a variable gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// From constants in the text alone.
    Text,
    /// From the environment: the text only uses it.
    Environment,
    /// It cannot be told.
    Unclear,
}

/// What is known of the variables of one text.
#[derive(Debug)]
pub(super) struct Settled<'a> {
    analysis: &'a Analysis,
    known: RefCell<HashMap<String, Origin>>,
}

impl<'a> Settled<'a> {
    pub(super) fn new(analysis: &'a Analysis) -> Self {
        Self { analysis, known: RefCell::default() }
    }

    /// Whether every part of the word that is not constant is a variable with all its values in the text: then the same
    /// command with those values put in is among the segments.
    pub(super) fn covers(&self, word: &Word) -> bool {
        self.all_parameters(word, |name| self.origin(name) == Origin::Text)
    }

    /// Whether what is open in the word is a port: a variable named so, that the text does not touch.
    pub(super) fn is_port(&self, word: &Word) -> bool {
        self.all_parameters(word, |name| match self.origin(name) {
            Origin::Text => true,
            Origin::Environment => name.to_ascii_uppercase().ends_with("PORT"),
            Origin::Unclear => false,
        })
    }

    fn all_parameters(&self, word: &Word, accept: impl Fn(&str) -> bool) -> bool {
        let mut any = false;
        for part in &word.parts {
            let Part::Expansion(expansion) = part else { continue };
            let plain = expansion.kind == ExpansionKind::Parameter
                && expansion.nested.is_empty()
                && !expansion.raw.contains(['!', '@', '[', '#', '%', '/', '^', ',']);
            let Some(name) = expansion.parameter.as_deref().filter(|_| plain) else { return false };
            let fallback = expansion.raw.split_once('-').map_or("", |(_, value)| value.trim_end_matches('}'));
            if !fallback.chars().all(|c| c.is_ascii_digit()) || !accept(name) {
                return false;
            }
            any = true;
        }
        any
    }

    fn origin(&self, name: &str) -> Origin {
        if let Some(origin) = self.known.borrow().get(name) {
            return *origin;
        }
        if self.known.borrow().len() >= MAX_NAMES {
            return Origin::Unclear;
        }
        let origin = self.look(name);
        self.known.borrow_mut().insert(name.to_owned(), origin);
        origin
    }

    fn look(&self, name: &str) -> Origin {
        let named = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let text = self.analysis.text();
        let mut other_mentions = 0usize;
        for (at, _) in text.match_indices(name) {
            let before = text.get(..at).unwrap_or_default();
            let behind = text.get(at + name.len()..).unwrap_or_default();
            if before.bytes().next_back().is_some_and(named) || behind.bytes().next().is_some_and(named) {
                continue;
            }
            let used = before.ends_with('$') || before.ends_with("${");
            // `${NAME=value}` and `${NAME:=value}` assign.
            let assigns = behind.starts_with('=') || behind.starts_with(":=");
            other_mentions += usize::from(!used || assigns);
        }
        if other_mentions == 0 {
            return Origin::Environment;
        }
        let mut seen = HashSet::new();
        for segment in self.analysis.segments() {
            if !segment.words.is_empty() || !segment.reached.is_empty() {
                continue;
            }
            for assignment in segment.assignments.iter().filter(|assignment| assignment.name == name) {
                let constant = match &assignment.value {
                    AssignedValue::Scalar(Some(word)) => !with_holes(word).contains(HOLE),
                    AssignedValue::Scalar(None) => true,
                    AssignedValue::Array(_) => false,
                };
                if constant && !assignment.append && assignment.subscript.is_none() {
                    seen.extend(assignment.span.map(|span| span.start));
                }
            }
        }
        if seen.len() == other_mentions && other_mentions <= MAX_ASSIGNMENTS {
            Origin::Text
        } else {
            Origin::Unclear
        }
    }
}
