//! An index of patterns by a literal that each of them needs: the patterns worth trying on a text, without trying all.
//!
//! Promises that every pattern which could match is a candidate; says nothing of those that are. Knows nothing of patterns
//! beyond their literals.

use super::automaton::{Automaton, Occurrences};
use std::collections::HashMap;

/// For one pattern, the sets of literals of which each needs one member in the text.
pub(super) type Options = Vec<Vec<String>>;

/// The index.
#[derive(Debug, Clone)]
pub(super) struct LiteralIndex {
    automaton: Automaton,
    /// The patterns behind each literal.
    owners: Vec<Vec<usize>>,
    /// The patterns without a literal: always candidates.
    unkeyed: Vec<usize>,
}

impl LiteralIndex {
    /// Builds the index over the patterns `0..`; `None` when there are too many, so that all must be tried.
    pub(super) fn build(patterns: &[Options]) -> Option<Self> {
        let mut frequency: HashMap<&str, usize> = HashMap::new();
        for literal in patterns.iter().flatten().flatten() {
            let count = frequency.entry(literal.as_str()).or_default();
            *count = count.saturating_add(1);
        }
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut literals: Vec<&str> = Vec::new();
        let mut owners: Vec<Vec<usize>> = Vec::new();
        let mut unkeyed = Vec::new();
        for (pattern, options) in patterns.iter().enumerate() {
            // The rarest literal separates best; among equally rare ones the longest occurs least in texts.
            let key = options.iter().min_by_key(|option| {
                let count: usize = option.iter().filter_map(|literal| frequency.get(literal.as_str())).sum();
                let shortest = option.iter().map(String::len).min().unwrap_or(0);
                (count, std::cmp::Reverse(shortest))
            });
            let Some(key) = key.filter(|option| option.iter().all(|literal| !literal.is_empty())) else {
                unkeyed.push(pattern);
                continue;
            };
            for literal in key {
                let place = *places.entry(literal.as_str()).or_insert_with(|| {
                    literals.push(literal.as_str());
                    owners.push(Vec::new());
                    literals.len().saturating_sub(1)
                });
                if let Some(owners) = owners.get_mut(place) {
                    owners.push(pattern);
                }
            }
        }
        let automaton = Automaton::build(&literals)?;
        Some(Self { automaton, owners, unkeyed })
    }

    /// The patterns that could match any of the texts, each once, in no order.
    pub(super) fn candidates<T: AsRef<str>>(&self, texts: &[T]) -> Vec<usize> {
        let mut literals = Occurrences::new(self.owners.len());
        for text in texts {
            self.automaton.search(text.as_ref(), &mut literals);
        }
        let owners = literals.literals.into_iter().filter_map(|literal| self.owners.get(literal)).flatten();
        let mut patterns: Vec<usize> = self.unkeyed.iter().chain(owners).copied().collect();
        patterns.sort_unstable();
        patterns.dedup();
        patterns
    }
}
