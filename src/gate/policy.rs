//! The operator's rules for one project and command, compiled.
//!
//! Promises that a policy is immutable: a change is another policy with another revision. Knows nothing of files.

use super::rung::{GateScope, Rung};
use super::trust::TrustPolicy;
use crate::rules::{Entry, ListKind, RuleList};

/// The time limit of a rating where the policy names none, in milliseconds (design §5).
pub const DEFAULT_RATER_TIMEOUT_MS: u32 = 30_000;

/// The operator's rules for one project and command, compiled.
#[derive(Debug, Clone)]
pub struct Policy {
    /// Names this state of the configuration; every decision carries it.
    pub revision: String,
    /// The rung that sessions start on.
    pub rung: Rung,
    /// Which calls are judged.
    pub gate_scope: GateScope,
    /// The rater profile; `None` is the default one.
    pub rater: Option<String>,
    /// The time limit of a rating in milliseconds.
    pub rater_timeout_ms: u32,
    /// What is refused.
    pub deny: RuleList,
    /// What always asks.
    pub escalate: RuleList,
    /// What is let through.
    pub allow: RuleList,
    /// Whose annotations are believed.
    pub trust: TrustPolicy,
    /// The keys of the configured MCP servers.
    pub mcp_servers: Vec<String>,
}

impl Policy {
    /// The policy that holds where nothing is configured.
    #[must_use]
    pub fn embedded() -> Self {
        Self {
            revision: "embedded".to_owned(),
            rung: Rung::default(),
            gate_scope: GateScope::default(),
            rater: None,
            rater_timeout_ms: DEFAULT_RATER_TIMEOUT_MS,
            deny: RuleList::new(ListKind::Deny),
            escalate: RuleList::new(ListKind::Escalate),
            allow: RuleList::new(ListKind::Allow),
            trust: TrustPolicy::default(),
            mcp_servers: Vec::new(),
        }
    }

    /// The declared entries that can never fire at a rung, each with its list.
    #[must_use]
    pub fn inert_at(&self, rung: Rung) -> Vec<(ListKind, &Entry)> {
        match self.gate_scope {
            GateScope::EveryCall => Vec::new(),
            GateScope::Rung => [&self.deny, &self.escalate, &self.allow]
                .into_iter()
                .flat_map(|list| list.entries().map(move |entry| (list.kind(), entry)))
                .filter(|(kind, entry)| is_inert(*kind, entry, rung))
                .collect(),
        }
    }
}

fn is_inert(kind: ListKind, entry: &Entry, rung: Rung) -> bool {
    match entry {
        // The shell is gated on every rung; at `bypass` only deny entries are read.
        Entry::Shell { .. } => match (kind, rung) {
            (ListKind::Escalate | ListKind::Allow, Rung::Bypass) => true,
            (ListKind::Deny, _)
            | (
                ListKind::Escalate | ListKind::Allow,
                Rung::Manual | Rung::Write | Rung::Assisted | Rung::Auto,
            ) => false,
        },
        Entry::Tool { .. } | Entry::McpTool { .. } => !rung.is_deterministic(),
    }
}
