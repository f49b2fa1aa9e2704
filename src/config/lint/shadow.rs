//! Entries that a stricter entry always outranks, and entries that are written twice.
//!
//! Promises to ask the compiled lists themselves, so that a shadow is what the gate would find. Looks at exact patterns
//! only: for others it cannot be told. Knows nothing of rungs.

use super::super::approvals::PlacedEntry;
use super::super::layers::Posture;
use super::super::problem::{Origin, Problem};
use crate::rules::{
    Basis, Entry, Found, Hosts, Identity, ListKind, McpIdentity, RuleList, ServerPattern, Target,
    TextPattern, ToolPattern, one_line,
};
use crate::shell::{Dialect, analyze};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The stricter entry that outranks another.
#[derive(Debug, Clone)]
pub(super) struct Shadow {
    list: ListKind,
    entry: String,
    origin: Origin,
}

impl fmt::Display for Shadow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "can never fire: the {} entry `{}` ({}) matches all that it matches and outranks it",
            self.list.as_str(),
            self.entry,
            self.origin
        )
    }
}

/// The stricter lists of one posture, compiled.
pub(super) struct Shadows<'p> {
    lists: Vec<(ListKind, RuleList, Vec<&'p Arc<PlacedEntry>>)>,
}

impl<'p> Shadows<'p> {
    pub(super) fn of(posture: &'p Posture) -> Self {
        let lists = [ListKind::Deny, ListKind::Escalate].into_iter().filter_map(|kind| {
            // Whether a hint entry matches depends on what a tool says of itself.
            let decidable: Vec<&Arc<PlacedEntry>> =
                posture.list(kind).iter().filter(|placed| !is_hint(&placed.declared.entry)).collect();
            let entries = decidable.iter().map(|placed| placed.declared.entry.clone()).collect();
            // A list that does not compile is refused elsewhere; it shadows nothing here.
            RuleList::compile(kind, entries).ok().map(|list| (kind, list, decidable))
        });
        Self { lists: lists.collect() }
    }

    /// The entry that outranks this one at every call that this one matches.
    pub(super) fn over(&self, list: ListKind, placed: &PlacedEntry) -> Option<Shadow> {
        self.lists.iter().filter(|(stricter, _, _)| *stricter < list).find_map(
            |(stricter, compiled, entries)| {
                let index = only_match(&placed.declared.entry, compiled)?;
                let by = entries.get(index)?;
                Some(Shadow {
                    list: *stricter,
                    entry: one_line(&by.declared.entry),
                    origin: by.origin.clone(),
                })
            },
        )
    }
}

fn is_hint(entry: &Entry) -> bool {
    match entry {
        Entry::Shell { .. } => false,
        Entry::Tool { pattern, .. } | Entry::McpTool { pattern, .. } => match pattern {
            ToolPattern::Hints(_) => true,
            ToolPattern::Name(_) => false,
        },
    }
}

/// The entry of a list that matches the one call that an exact entry speaks of.
fn only_match(entry: &Entry, list: &RuleList) -> Option<usize> {
    let hosts = |host: &Option<String>| Hosts { named: host.iter().cloned().collect(), uncertain: false };
    match entry {
        Entry::Shell { pattern: TextPattern::Exact(command), .. } => {
            decided(list, &Target::Shell(&analyze(command, Dialect::Bash)))
        }
        Entry::Tool { pattern: ToolPattern::Name(TextPattern::Exact(name)), host, .. } => {
            decided(list, &Target::Tool { name, hosts: &hosts(host), annotations: None })
        }
        Entry::McpTool { server, pattern: ToolPattern::Name(TextPattern::Exact(name)), host, .. } => {
            let server = match server {
                // No server can have this key, so only entries for every server match it.
                ServerPattern::Any => "*".to_owned(),
                ServerPattern::Key(key) => key.clone(),
            };
            let identity = McpIdentity::Resolved { server, name: name.clone() };
            decided(list, &Target::McpTool { identity: &identity, hosts: &hosts(host), annotations: None })
        }
        Entry::Shell { pattern: TextPattern::Glob(_) | TextPattern::Regexp(_), .. }
        | Entry::Tool {
            pattern: ToolPattern::Name(TextPattern::Glob(_) | TextPattern::Regexp(_)) | ToolPattern::Hints(_),
            ..
        }
        | Entry::McpTool {
            pattern: ToolPattern::Name(TextPattern::Glob(_) | TextPattern::Regexp(_)) | ToolPattern::Hints(_),
            ..
        } => None,
    }
}

fn decided(list: &RuleList, target: &Target<'_>) -> Option<usize> {
    match list.find(target) {
        Found::Match { index, basis: Basis::Decided, .. } => Some(index),
        Found::Match { basis: Basis::Undecidable { .. }, .. } | Found::None => None,
    }
}

/// Entries that stand twice in one list of one file. Two files may say the same on purpose.
pub(super) fn duplicates<'p>(entries: impl Iterator<Item = (ListKind, &'p PlacedEntry)>) -> Vec<Problem> {
    let mut first: BTreeMap<(Arc<str>, String, String), &Origin> = BTreeMap::new();
    let mut problems = Vec::new();
    for (list, placed) in entries {
        let origin = &placed.origin;
        let block = origin.path.rsplit_once('[').map_or("", |(block, _)| block).to_owned();
        let key = (Arc::clone(&origin.file), block, Identity::of(&placed.declared.entry).as_str().to_owned());
        match first.get(&key) {
            Some(earlier) => {
                let message = format!(
                    "says the same as the {} entry at line {}; remove one of the two",
                    list.as_str(),
                    earlier.position.line
                );
                problems.push(Problem::warning(Some(origin.clone()), &origin.path, message));
            }
            None => {
                first.insert(key, origin);
            }
        }
    }
    problems
}
