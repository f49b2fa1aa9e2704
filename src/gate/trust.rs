//! What a tool is taken to be, and whose word is taken for it.
//!
//! Promises that a hint counts only when the operator trusts that server for that hint, and that nothing a server says
//! of itself ever gives more than a built-in with the same hints would get. Knows nothing of calls or lists.

use super::builtin_tools::authored_annotations;
use super::subject::{Subject, registered_name};
use crate::rules::{Annotations, Hint, McpIdentity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The hints that are believed, per server and for servers that are not named.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustPolicy {
    /// For servers that `servers` does not name.
    pub defaults: Vec<Hint>,
    /// For the servers named here, in place of `defaults`; an empty list believes nothing.
    pub servers: BTreeMap<String, Vec<Hint>>,
}

impl TrustPolicy {
    /// The hints that are believed of a server. The unresolved server, with an empty key, is believed nothing.
    #[must_use]
    pub fn trusted(&self, server: &str) -> &[Hint] {
        if server.is_empty() {
            return &[];
        }
        self.servers.get(server).unwrap_or(&self.defaults)
    }
}

/// What a tool says of itself; a hint that is absent was not declared, or not as a boolean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declared {
    /// `readOnlyHint`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// `destructiveHint`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// `idempotentHint`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
    /// `openWorldHint`
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open_world: Option<bool>,
}

impl Declared {
    fn get(&self, hint: Hint) -> Option<bool> {
        match hint {
            Hint::ReadOnly => self.read_only,
            Hint::Destructive => self.destructive,
            Hint::Idempotent => self.idempotent,
            Hint::OpenWorld => self.open_world,
        }
    }
}

/// The declarations and the trust that one session judges tools by.
#[derive(Debug, Clone, Copy)]
pub struct AnnotationSource<'a> {
    /// What tools declared, by registered name.
    pub catalogue: &'a BTreeMap<String, Declared>,
    /// The trust that the configuration gives.
    pub trust: &'a TrustPolicy,
    /// What this session changed of it.
    pub overrides: &'a BTreeMap<String, Vec<Hint>>,
}

impl AnnotationSource<'_> {
    /// The hints that are believed of a server in this session.
    #[must_use]
    pub fn trusted(&self, server: &str) -> &[Hint] {
        if server.is_empty() {
            return &[];
        }
        self.overrides.get(server).map_or_else(|| self.trust.trusted(server), Vec::as_slice)
    }

    /// What the subject is taken to be; `None` for a shell command, which has no annotations.
    #[must_use]
    pub fn effective(&self, subject: &Subject) -> Option<Annotations> {
        match subject {
            Subject::Shell { .. } => None,
            Subject::Tool { name, .. } => Some(authored_annotations(name)),
            Subject::McpTool { identity: McpIdentity::Resolved { server, name }, .. } => {
                Some(self.of_server_tool(server, name))
            }
            Subject::McpTool { identity: McpIdentity::Unresolved { .. }, .. } => {
                Some(Annotations::FAIL_CLOSED)
            }
        }
    }

    /// What a server's tool is taken to be.
    #[must_use]
    pub fn of_server_tool(&self, server: &str, name: &str) -> Annotations {
        let declared = self.catalogue.get(&registered_name(server, name)).copied().unwrap_or_default();
        let mut effective = Annotations::FAIL_CLOSED;
        for hint in self.trusted(server) {
            if let Some(value) = declared.get(*hint) {
                effective = effective.with(*hint, value);
            }
        }
        if effective.read_only {
            effective.destructive = false;
        }
        effective
    }
}

/// The hints that moved toward danger between a grant's snapshot and now; `idempotentHint` never counts.
#[must_use]
pub fn weakened(snapshot: &Annotations, now: &Annotations) -> Vec<Hint> {
    Hint::ALL
        .into_iter()
        .filter(|hint| match hint {
            Hint::ReadOnly => snapshot.read_only && !now.read_only,
            Hint::Destructive => !snapshot.destructive && now.destructive,
            Hint::OpenWorld => !snapshot.open_world && now.open_world,
            Hint::Idempotent => false,
        })
        .collect()
}

/// What a change of trust did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrustChange {
    /// The hints now believed, in canonical order.
    pub trusted: Vec<Hint>,
    /// Those that were not believed before.
    pub added: Vec<Hint>,
    /// Those that are no longer believed.
    pub removed: Vec<Hint>,
    /// Those of `removed` whose loss can weaken a grant.
    pub weakening: Vec<Hint>,
}

/// The outcome of believing or no longer believing some hints of a server, starting from what is in force now.
#[must_use]
pub fn change(before: &[Hint], hints: &[Hint], believe: bool) -> TrustChange {
    let trusted: Vec<Hint> = Hint::ALL
        .into_iter()
        .filter(|hint| {
            if believe {
                before.contains(hint) || hints.contains(hint)
            } else {
                before.contains(hint) && !hints.contains(hint)
            }
        })
        .collect();
    let added = trusted.iter().copied().filter(|hint| !before.contains(hint)).collect();
    let removed: Vec<Hint> = before.iter().copied().filter(|hint| !trusted.contains(hint)).collect();
    let weakening = removed
        .iter()
        .copied()
        .filter(|hint| match hint {
            Hint::ReadOnly | Hint::Destructive | Hint::OpenWorld => true,
            Hint::Idempotent => false,
        })
        .collect();
    TrustChange { trusted, added, removed, weakening }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source<'a>(
        catalogue: &'a BTreeMap<String, Declared>,
        trust: &'a TrustPolicy,
        overrides: &'a BTreeMap<String, Vec<Hint>>,
    ) -> AnnotationSource<'a> {
        AnnotationSource { catalogue, trust, overrides }
    }

    const ALL_SAFE: Declared = Declared {
        read_only: Some(true),
        destructive: Some(false),
        idempotent: Some(true),
        open_world: Some(false),
    };

    #[test]
    fn a_hint_counts_only_where_that_server_is_trusted_for_it() {
        let catalogue = BTreeMap::from([("mcp__jira__get".to_owned(), ALL_SAFE)]);
        let overrides = BTreeMap::new();
        let trust = TrustPolicy { defaults: vec![Hint::OpenWorld], servers: BTreeMap::new() };
        let effective = source(&catalogue, &trust, &overrides).of_server_tool("jira", "get");
        assert_eq!(effective, Annotations { open_world: false, ..Annotations::FAIL_CLOSED });
        let named = TrustPolicy {
            defaults: vec![Hint::OpenWorld],
            servers: BTreeMap::from([("jira".to_owned(), vec![])]),
        };
        assert_eq!(
            source(&catalogue, &named, &overrides).of_server_tool("jira", "get"),
            Annotations::FAIL_CLOSED
        );
    }

    #[test]
    fn a_tool_believed_to_be_read_only_is_not_destructive() {
        let declared = Declared { read_only: Some(true), destructive: Some(true), ..Declared::default() };
        let catalogue = BTreeMap::from([("mcp__a__b".to_owned(), declared)]);
        let trust = TrustPolicy { defaults: Hint::ALL.to_vec(), servers: BTreeMap::new() };
        let overrides = BTreeMap::new();
        let effective = source(&catalogue, &trust, &overrides).of_server_tool("a", "b");
        assert!(effective.read_only && !effective.destructive);
    }

    #[test]
    fn the_unresolved_server_is_believed_nothing_even_by_permissive_defaults() {
        let trust = TrustPolicy { defaults: Hint::ALL.to_vec(), servers: BTreeMap::new() };
        assert!(trust.trusted("").is_empty());
    }

    /// Invariants 31 and 32.
    #[test]
    fn a_change_of_trust_starts_from_what_is_in_force_and_is_granular() {
        let first = change(&[Hint::OpenWorld], &[Hint::ReadOnly], true);
        assert_eq!(first.trusted, [Hint::ReadOnly, Hint::OpenWorld]);
        let second = change(&first.trusted, &[Hint::ReadOnly], false);
        assert_eq!(second.trusted, [Hint::OpenWorld]);
        assert_eq!(second.weakening, [Hint::ReadOnly]);
        let repeat = change(&second.trusted, &[Hint::ReadOnly], false);
        assert!(repeat.added.is_empty() && repeat.removed.is_empty());
    }

    /// Invariant 36: idempotentHint lists none.
    #[test]
    fn only_moves_toward_danger_weaken() {
        let safe = Annotations { read_only: true, destructive: false, idempotent: true, open_world: false };
        assert_eq!(
            weakened(&safe, &Annotations::FAIL_CLOSED),
            [Hint::ReadOnly, Hint::Destructive, Hint::OpenWorld]
        );
        assert!(weakened(&Annotations::FAIL_CLOSED, &safe).is_empty());
        assert!(weakened(&safe, &Annotations { idempotent: false, ..safe }).is_empty());
    }
}
