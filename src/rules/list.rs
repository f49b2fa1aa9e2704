//! A compiled rule list.
//!
//! Promises the same answer as comparing entry by entry, at a cost that does not grow with the list, and to be exactly as
//! strict as its kind asks. Knows nothing of sessions, files and other lists.

use super::bucket::Bucket;
use super::entry::{Annotations, Entry, Hint, ListKind, ServerPattern, ToolPattern};
use super::matching::{Basis, Best, Found, Notice, Prepared, Reason, Texts};
use super::pattern_set::{PatternSet, Subject};
use super::regexp::RegexpError;
use super::render::Identity;
use super::target::{Hosts, McpIdentity, Target};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use thiserror::Error;

/// An entry that does not compile.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("entry {index}: {message}")]
pub struct CompileError {
    /// Its place among the entries given.
    pub index: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

/// Stands in the place of every allow entry whose match is still rated, so that one which is not rated comes before it
/// wherever they were written: the order of writing must not decide whether a call is rated.
const RATED: usize = 1 << (usize::BITS - 1);

/// Rule entries of one kind, compiled.
#[derive(Debug, Clone)]
pub struct RuleList {
    kind: ListKind,
    /// By place: the order of addition, with [`RATED`] where it applies.
    entries: BTreeMap<usize, Entry>,
    next: usize,
    identities: HashMap<Identity, BTreeSet<usize>>,
    commands: PatternSet,
    /// The places of the shell entries: each may match a command that has more spellings than were compared.
    command_entries: BTreeSet<usize>,
    tools: Names,
    every_server: Names,
    servers: HashMap<String, Names>,
}

/// Entries over tools of one origin.
#[derive(Debug, Clone)]
struct Names {
    patterns: PatternSet,
    hints: BTreeMap<BTreeMap<Hint, bool>, Bucket>,
}

impl Names {
    fn new(kind: ListKind) -> Self {
        Self { patterns: PatternSet::new(kind, Subject::Name), hints: BTreeMap::new() }
    }
}

impl RuleList {
    /// A list without entries.
    #[must_use]
    pub fn new(kind: ListKind) -> Self {
        Self {
            kind,
            entries: BTreeMap::new(),
            next: 0,
            identities: HashMap::new(),
            commands: PatternSet::new(kind, Subject::Command),
            command_entries: BTreeSet::new(),
            tools: Names::new(kind),
            every_server: Names::new(kind),
            servers: HashMap::new(),
        }
    }

    /// Compiles declared entries; entries that are written twice stay twice.
    ///
    /// # Errors
    /// Every entry that does not compile, by its place.
    pub fn compile(kind: ListKind, entries: Vec<Entry>) -> Result<Self, Vec<CompileError>> {
        let mut list = Self::new(kind);
        let mut errors = Vec::new();
        for (index, entry) in entries.into_iter().enumerate() {
            let identity = Identity::of(&entry);
            if let Err(error) = list.insert(entry, identity) {
                errors.push(CompileError { index, message: error.to_string() });
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        list.commands.refresh(true);
        list.tools.patterns.refresh(true);
        list.every_server.patterns.refresh(true);
        list.servers.values_mut().for_each(|names| names.patterns.refresh(true));
        Ok(list)
    }

    /// Which of the three lists it is, and so how strict it is.
    #[must_use]
    pub fn kind(&self) -> ListKind {
        self.kind
    }

    /// The entries in the order of addition.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let mut placed: Vec<(usize, &Entry)> =
            self.entries.iter().map(|(place, entry)| (place & !RATED, entry)).collect();
        placed.sort_unstable_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, entry)| entry)
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether an entry of this identity is in the list.
    #[must_use]
    pub fn contains(&self, identity: &Identity) -> bool {
        self.identities.contains_key(identity)
    }

    /// The entry of this identity.
    #[must_use]
    pub fn get(&self, identity: &Identity) -> Option<&Entry> {
        self.identities.get(identity)?.first().and_then(|index| self.entries.get(index))
    }

    /// Adds an entry at the end; false, changing nothing, when one of its identity is there. A regular expression that does
    /// not compile is kept and is undecidable at every call.
    pub fn push(&mut self, entry: Entry) -> bool {
        let identity = Identity::of(&entry);
        if self.contains(&identity) {
            return false;
        }
        let server = match &entry {
            Entry::McpTool { server: ServerPattern::Key(key), .. } => Some(key.clone()),
            Entry::McpTool { server: ServerPattern::Any, .. } | Entry::Shell { .. } | Entry::Tool { .. } => {
                None
            }
        };
        // The error says that the pattern does not compile; the pattern set has kept it as undecidable, which fails safe.
        drop(self.insert(entry, identity));
        self.commands.refresh(false);
        self.tools.patterns.refresh(false);
        self.every_server.patterns.refresh(false);
        if let Some(names) = server.and_then(|key| self.servers.get_mut(&key)) {
            names.patterns.refresh(false);
        }
        true
    }

    /// Takes out the entries of this identity and returns one of them.
    pub fn remove(&mut self, identity: &Identity) -> Option<Entry> {
        let indexes = self.identities.remove(identity)?;
        let mut removed = None;
        for index in indexes {
            let Some(entry) = self.entries.remove(&index) else { continue };
            match &entry {
                Entry::Shell { pattern, .. } => {
                    self.commands.remove(pattern, index, None);
                    self.command_entries.remove(&index);
                }
                Entry::Tool { pattern, host, .. } => {
                    remove_tool(&mut self.tools, pattern, index, host.as_deref())
                }
                Entry::McpTool { server, pattern, host, .. } => match server {
                    ServerPattern::Any => {
                        remove_tool(&mut self.every_server, pattern, index, host.as_deref())
                    }
                    ServerPattern::Key(key) => {
                        if let Some(names) = self.servers.get_mut(key) {
                            remove_tool(names, pattern, index, host.as_deref());
                        }
                    }
                },
            }
            removed = Some(entry);
        }
        removed
    }

    /// Looks a call up.
    #[must_use]
    pub fn find(&self, target: &Target<'_>) -> Found<'_> {
        self.find_noting(target, &mut Vec::new())
    }

    /// Looks a call up, and says which patterns could not be decided on the way, each once.
    pub fn find_noting(&self, target: &Target<'_>, notices: &mut Vec<Notice>) -> Found<'_> {
        self.find_prepared(&Prepared::new(target), notices)
    }

    pub(super) fn find_prepared(&self, prepared: &Prepared<'_>, notices: &mut Vec<Notice>) -> Found<'_> {
        let best = self.best(prepared, notices);
        let (index, basis) = match (best.certain, best.doubtful, self.kind) {
            (Some(index), _, _) => (index, Basis::Decided),
            (None, Some((index, reason)), ListKind::Deny | ListKind::Escalate) => {
                (index, Basis::Undecidable { reason })
            }
            (None, Some(_), ListKind::Allow) | (None, None, _) => return Found::None,
        };
        let found = |entry| Found::Match { entry, index: index & !RATED, basis };
        self.entries.get(&index).map_or(Found::None, found)
    }

    fn best(&self, prepared: &Prepared<'_>, notices: &mut Vec<Notice>) -> Best {
        let mut best = Best::default();
        match prepared.target {
            Target::Shell(analysis) => {
                if self.command_entries.is_empty() {
                    return best;
                }
                self.commands.find(prepared.shell_texts(self.kind), None, &mut best, notices);
                if analysis.spellings_truncated()
                    && let Some(first) = self.command_entries.first()
                {
                    best.offer(*first, Some(Reason::SpellingsTruncated));
                }
            }
            Target::Tool { name, hosts, annotations } => {
                self.find_tool(&self.tools, name, hosts, annotations.as_ref(), &mut best, notices);
            }
            Target::McpTool { identity, hosts, annotations } => {
                let mut find = |names: &Names, name: &str| {
                    self.find_tool(names, name, hosts, annotations.as_ref(), &mut best, notices);
                };
                match (identity, self.kind) {
                    (
                        McpIdentity::Resolved { server, name },
                        ListKind::Deny | ListKind::Escalate | ListKind::Allow,
                    ) => {
                        find(&self.every_server, name);
                        if let Some(names) = self.servers.get(server) {
                            find(names, name);
                        }
                    }
                    // Whose tool it is cannot be told: nothing is permitted by it.
                    (McpIdentity::Unresolved { .. }, ListKind::Allow) => {}
                    (
                        McpIdentity::Unresolved { registered, readings },
                        ListKind::Deny | ListKind::Escalate,
                    ) => {
                        find(&self.every_server, registered);
                        for (server, name) in readings {
                            find(&self.every_server, name);
                            if let Some(names) = self.servers.get(server) {
                                find(names, name);
                            }
                        }
                    }
                }
            }
        }
        best
    }

    fn find_tool(
        &self,
        names: &Names,
        name: &str,
        hosts: &Hosts,
        annotations: Option<&Annotations>,
        best: &mut Best,
        notices: &mut Vec<Notice>,
    ) {
        names.patterns.find(&Texts::of_name(name), Some(hosts), best, notices);
        for (hints, bucket) in &names.hints {
            match annotations {
                None => bucket.offer(self.kind, Some(hosts), Some(Reason::AnnotationsUnavailable), best),
                Some(annotations) => {
                    if hints.iter().all(|(hint, value)| annotations.get(*hint) == *value) {
                        bucket.offer(self.kind, Some(hosts), None, best);
                    }
                }
            }
        }
    }

    fn insert(&mut self, entry: Entry, identity: Identity) -> Result<(), RegexpError> {
        let rated = match self.kind {
            ListKind::Allow => entry.rates(),
            ListKind::Deny | ListKind::Escalate => false,
        };
        let index = self.next | if rated { RATED } else { 0 };
        self.next = self.next.saturating_add(1);
        let inserted = match &entry {
            Entry::Shell { pattern, .. } => {
                self.command_entries.insert(index);
                self.commands.insert(pattern, index, None)
            }
            Entry::Tool { pattern, host, .. } => {
                insert_tool(&mut self.tools, pattern, index, host.as_deref())
            }
            Entry::McpTool { server, pattern, host, .. } => {
                let names = match server {
                    ServerPattern::Any => &mut self.every_server,
                    ServerPattern::Key(key) => {
                        self.servers.entry(key.clone()).or_insert_with(|| Names::new(self.kind))
                    }
                };
                insert_tool(names, pattern, index, host.as_deref())
            }
        };
        self.identities.entry(identity).or_default().insert(index);
        self.entries.insert(index, entry);
        inserted
    }
}

fn insert_tool(
    names: &mut Names,
    pattern: &ToolPattern,
    index: usize,
    host: Option<&str>,
) -> Result<(), RegexpError> {
    match pattern {
        ToolPattern::Name(pattern) => names.patterns.insert(pattern, index, host),
        ToolPattern::Hints(hints) => {
            names.hints.entry(hints.clone()).or_default().insert(index, host);
            Ok(())
        }
    }
}

fn remove_tool(names: &mut Names, pattern: &ToolPattern, index: usize, host: Option<&str>) {
    match pattern {
        ToolPattern::Name(pattern) => names.patterns.remove(pattern, index, host),
        ToolPattern::Hints(hints) => {
            if let Some(bucket) = names.hints.get_mut(hints) {
                bucket.remove(index, host);
                if bucket.is_empty() {
                    names.hints.remove(hints);
                }
            }
        }
    }
}
