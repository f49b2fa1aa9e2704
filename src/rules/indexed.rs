//! Patterns of one engine with their entries, searched through a literal index once there are many.
//!
//! Promises that distinct patterns are compiled and tried once, however many entries share them, and that adding one stays
//! cheap. Knows nothing of what a match means.

use super::bucket::Bucket;
use super::literal_index::{LiteralIndex, Options};
use std::collections::HashMap;

/// Up to here trying every pattern is as fast as an index.
const UNINDEXED: usize = 4;

/// A pattern that can say which literals it needs.
pub(super) trait Keyed {
    /// The sets of literals of which each needs one member in a text that matches.
    fn options(&self) -> Options;
}

/// Patterns with their entries.
#[derive(Debug, Clone)]
pub(super) struct Indexed<P> {
    patterns: Vec<(P, Bucket)>,
    by_text: HashMap<String, usize>,
    index: Option<LiteralIndex>,
    /// The patterns that the index covers, `0..indexed`.
    indexed: usize,
    /// Patterns without any entry left.
    vacant: usize,
}

impl<P> Default for Indexed<P> {
    fn default() -> Self {
        Self { patterns: Vec::new(), by_text: HashMap::new(), index: None, indexed: 0, vacant: 0 }
    }
}

impl<P: Keyed> Indexed<P> {
    /// A pattern, compiled if it is new, and its entries.
    pub(super) fn slot(&mut self, text: &str, compile: impl FnOnce() -> P) -> Option<(&P, &mut Bucket)> {
        let place = match self.by_text.get(text) {
            Some(place) => *place,
            None => {
                let place = self.patterns.len();
                self.patterns.push((compile(), Bucket::default()));
                self.by_text.insert(text.to_owned(), place);
                place
            }
        };
        self.patterns.get_mut(place).map(|(pattern, bucket)| (&*pattern, bucket))
    }

    /// Takes an entry out of a pattern.
    pub(super) fn remove(&mut self, text: &str, index: usize, host: Option<&str>) {
        let Some(place) = self.by_text.get(text).copied() else { return };
        let Some((_, bucket)) = self.patterns.get_mut(place) else { return };
        bucket.remove(index, host);
        if bucket.is_empty() {
            self.by_text.remove(text);
            self.vacant = self.vacant.saturating_add(1);
            if self.vacant > UNINDEXED.saturating_mul(8).max(self.patterns.len() / 2) {
                self.compact();
            }
        }
    }

    /// Brings the index up to date when too many patterns are outside it, or at once.
    pub(super) fn refresh(&mut self, at_once: bool) {
        let outside = self.patterns.len().saturating_sub(self.indexed);
        let tolerated = if at_once { UNINDEXED } else { UNINDEXED.saturating_mul(8).max(self.indexed / 64) };
        if outside > tolerated {
            let options: Vec<Options> = self.patterns.iter().map(|(pattern, _)| pattern.options()).collect();
            self.index = LiteralIndex::build(&options);
            self.indexed = if self.index.is_some() { self.patterns.len() } else { 0 };
        }
    }

    /// The patterns that could match any of the texts, with their entries.
    pub(super) fn candidates<T: AsRef<str>>(&self, texts: &[T]) -> impl Iterator<Item = &(P, Bucket)> {
        let indexed = self.index.as_ref().map(|index| index.candidates(texts)).unwrap_or_default();
        indexed
            .into_iter()
            .chain(self.indexed..self.patterns.len())
            .filter_map(|place| self.patterns.get(place))
            .filter(|(_, bucket)| !bucket.is_empty())
    }

    /// All patterns.
    pub(super) fn patterns(&self) -> impl ExactSizeIterator<Item = &P> {
        self.patterns.iter().map(|(pattern, _)| pattern)
    }

    fn compact(&mut self) {
        let mut texts: Vec<Option<String>> = vec![None; self.patterns.len()];
        for (text, place) in self.by_text.drain() {
            if let Some(slot) = texts.get_mut(place) {
                *slot = Some(text);
            }
        }
        let old = std::mem::take(&mut self.patterns);
        for (text, pattern) in texts.into_iter().zip(old) {
            if let Some(text) = text {
                self.by_text.insert(text, self.patterns.len());
                self.patterns.push(pattern);
            }
        }
        self.index = None;
        self.indexed = 0;
        self.vacant = 0;
        self.refresh(true);
    }
}
