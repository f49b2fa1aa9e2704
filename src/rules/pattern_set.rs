//! All text patterns over one kind of text: exact ones hashed, globs and regular expressions indexed.
//!
//! Promises that the cost of a search does not grow with the number of patterns that the texts have nothing to do with.
//! Knows nothing of entry types.

use super::bucket::Bucket;
use super::entry::{ListKind, TextPattern};
use super::exact;
use super::fold::fold_case;
use super::glob::Glob;
use super::indexed::{Indexed, Keyed};
use super::literal_index::Options;
use super::matching::{Best, Notice, Reason, Texts};
use super::regexp::{Regexp, RegexpError, Search};
use super::target::Hosts;
use std::borrow::Cow;
use std::collections::HashMap;

/// So many regular expressions have their engines built when the list is compiled (about 100 µs and 10 KiB each); in longer
/// lists each is built when the first text that could match it arrives.
const BUILT_AHEAD: usize = 1_024;

/// What the patterns are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Shell commands.
    Command,
    /// Names of tools.
    Name,
}

/// The patterns.
#[derive(Debug, Clone)]
pub(super) struct PatternSet {
    kind: ListKind,
    subject: Subject,
    exact: HashMap<String, Bucket>,
    globs: Indexed<Glob>,
    regexps: Indexed<RegexpSlot>,
}

/// A regular expression, or why there is none.
#[derive(Debug, Clone)]
struct RegexpSlot {
    pattern: String,
    compiled: Result<Regexp, RegexpError>,
}

impl Keyed for Glob {
    fn options(&self) -> Options {
        self.required().map(|literal| vec![literal.to_owned()]).collect()
    }
}

impl Keyed for RegexpSlot {
    fn options(&self) -> Options {
        self.compiled.as_ref().map(|regexp| regexp.required().to_vec()).unwrap_or_default()
    }
}

impl PatternSet {
    pub(super) fn new(kind: ListKind, subject: Subject) -> Self {
        Self { kind, subject, exact: HashMap::new(), globs: Indexed::default(), regexps: Indexed::default() }
    }

    /// Adds an entry. A pattern that does not compile is kept as undecidable, and the error returned.
    pub(super) fn insert(
        &mut self,
        pattern: &TextPattern,
        index: usize,
        host: Option<&str>,
    ) -> Result<(), RegexpError> {
        match pattern {
            TextPattern::Exact(text) => {
                for key in self.exact_keys(text) {
                    self.exact.entry(key).or_default().insert(index, host);
                }
            }
            TextPattern::Glob(text) => {
                let text = self.folded(text);
                if let Some((_, bucket)) = self.globs.slot(&text, || Glob::new(&text)) {
                    bucket.insert(index, host);
                }
            }
            TextPattern::Regexp(text) => {
                let compile = || RegexpSlot { pattern: text.clone(), compiled: Regexp::new(text) };
                if let Some((slot, bucket)) = self.regexps.slot(text, compile) {
                    bucket.insert(index, host);
                    if let Err(error) = &slot.compiled {
                        return Err(error.clone());
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes an entry out.
    pub(super) fn remove(&mut self, pattern: &TextPattern, index: usize, host: Option<&str>) {
        match pattern {
            TextPattern::Exact(text) => {
                for key in self.exact_keys(text) {
                    if let Some(bucket) = self.exact.get_mut(&key) {
                        bucket.remove(index, host);
                        if bucket.is_empty() {
                            self.exact.remove(&key);
                        }
                    }
                }
            }
            TextPattern::Glob(text) => {
                let text = self.folded(text).into_owned();
                self.globs.remove(&text, index, host);
            }
            TextPattern::Regexp(text) => self.regexps.remove(text, index, host),
        }
    }

    /// Brings the indexes up to date, at once or when it is due.
    pub(super) fn refresh(&mut self, at_once: bool) {
        self.globs.refresh(at_once);
        self.regexps.refresh(at_once);
        let patterns = self.regexps.patterns();
        if at_once && patterns.len() <= BUILT_AHEAD {
            patterns.filter_map(|slot| slot.compiled.as_ref().ok()).for_each(Regexp::build_ahead);
        }
    }

    /// Offers every entry whose pattern matches any of the texts.
    pub(super) fn find(
        &self,
        texts: &Texts<'_>,
        hosts: Option<&Hosts>,
        best: &mut Best,
        notices: &mut Vec<Notice>,
    ) {
        if texts.compared.is_empty() {
            return;
        }
        if !self.exact.is_empty() {
            for text in &texts.compared {
                if let Some(bucket) = self.exact.get(text.as_ref()) {
                    bucket.offer(self.kind, hosts, None, best);
                }
            }
        }
        for (glob, bucket) in self.globs.candidates(&texts.compared) {
            if texts.compared.iter().any(|text| glob.is_match(text)) {
                bucket.offer(self.kind, hosts, None, best);
            }
        }
        for (slot, bucket) in self.regexps.candidates(&texts.written) {
            // A later entry cannot change which one is named.
            if best.certain.is_some_and(|best| bucket.first().is_none_or(|first| first > best)) {
                continue;
            }
            let doubt = match slot.compiled.as_ref().map(|regexp| regexp.search(&texts.written)) {
                Ok(Search::NotMatched) => continue,
                Ok(Search::Matched) => None,
                Ok(Search::StepLimit) => Some(Reason::StepLimit { pattern: slot.pattern.clone() }),
                Err(_) => Some(Reason::DoesNotCompile { pattern: slot.pattern.clone() }),
            };
            if let Some(reason) = &doubt {
                let notice = Notice { list: self.kind, reason: reason.clone() };
                if !notices.contains(&notice) {
                    notices.push(notice);
                }
            }
            bucket.offer(self.kind, hosts, doubt, best);
        }
    }

    fn exact_keys(&self, pattern: &str) -> Vec<String> {
        match self.subject {
            Subject::Command => exact::shell_keys(pattern, self.kind),
            Subject::Name => vec![pattern.to_owned()],
        }
    }

    /// The pattern as it is compared: commands lose their case on the restrictive lists, names never do.
    fn folded<'p>(&self, pattern: &'p str) -> Cow<'p, str> {
        match (self.subject, self.kind) {
            (Subject::Command, ListKind::Deny | ListKind::Escalate) => fold_case(pattern),
            (Subject::Command, ListKind::Allow)
            | (Subject::Name, ListKind::Deny | ListKind::Escalate | ListKind::Allow) => {
                Cow::Borrowed(pattern)
            }
        }
    }
}
