//! How `approvals` blocks merge: file over file, project over root, command over both.
//!
//! Promises the two sets of rules that pasted blocks rely on, which differ for trust and agree for the lists: deny and
//! escalate add up and cannot be taken back, allow is replaced. Knows nothing of files.

use super::approvals::{Approvals, PlacedEntry};
use super::trust::TrustBlock;
use crate::gate::{GateScope, Rung, TrustPolicy};
use crate::rules::ListKind;
use crate::rules::grammar::DeclaredEntry;
use std::sync::Arc;

/// What holds for the sessions of one project and command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Posture {
    /// The rung that sessions start on.
    pub rung: Rung,
    /// The rater profile; `None` for the default rater.
    pub rater: Option<String>,
    /// How long a rating may take, in milliseconds; `None` for the rater's own default.
    pub rater_timeout_ms: Option<u32>,
    /// Which calls are judged.
    pub gate_scope: GateScope,
    /// What is refused, in the order of writing, lower layers first.
    pub deny: Vec<Arc<PlacedEntry>>,
    /// What asks a human, in the order of writing, lower layers first.
    pub escalate: Vec<Arc<PlacedEntry>>,
    /// What is let through.
    pub allow: Vec<Arc<PlacedEntry>>,
    /// Which hints of MCP servers are believed.
    pub trust: TrustPolicy,
}

impl Posture {
    /// The entries of one list with their places.
    #[must_use]
    pub fn list(&self, kind: ListKind) -> &[Arc<PlacedEntry>] {
        match kind {
            ListKind::Deny => &self.deny,
            ListKind::Escalate => &self.escalate,
            ListKind::Allow => &self.allow,
        }
    }

    /// The entries of one list as the rule lists compile them, index for index with [`Posture::list`].
    #[must_use]
    pub fn declared(&self, kind: ListKind) -> Vec<DeclaredEntry> {
        self.list(kind).iter().map(|placed| placed.declared.clone()).collect()
    }
}

impl Approvals {
    /// This block with a higher layer's laid over it (a file over the one it extends, a project over the root).
    ///
    /// Scalars: the higher one where stated. Deny and escalate: lower, then higher. Allow: the higher one where stated,
    /// `[]` included. Trust is united server by server, so that `mcp: {}` takes nothing back; only a stated
    /// `trustAnnotations: []` does.
    #[must_use]
    pub fn under(self, higher: Self) -> Self {
        let mcp = match (self.mcp, higher.mcp) {
            (Some(lower), Some(higher)) => Some(lower.under(higher)),
            (lower, higher) => higher.or(lower),
        };
        Self {
            mode: higher.mode.or(self.mode),
            rater: higher.rater.or(self.rater),
            rater_timeout_ms: higher.rater_timeout_ms.or(self.rater_timeout_ms),
            gate_scope: higher.gate_scope.or(self.gate_scope),
            deny: joined(self.deny, higher.deny),
            escalate: joined(self.escalate, higher.escalate),
            allow: higher.allow.or(self.allow),
            mcp,
        }
    }

    /// This block with a command's laid over it: as [`Approvals::under`], except that a stated trust block replaces
    /// this one's wholesale, `{}` included.
    #[must_use]
    pub fn for_command(self, command: Self) -> Self {
        let mcp = command.mcp.clone().or_else(|| self.mcp.clone());
        Self { mcp, ..self.under(command) }
    }

    /// What holds when nothing more is laid over it.
    #[must_use]
    pub fn posture(&self) -> Posture {
        let chosen = self.rater.as_ref().map(|choice| choice.profile.clone());
        Posture {
            rung: self.mode.unwrap_or_default(),
            // An empty name takes back a lower layer's choice.
            rater: chosen.filter(|profile| !profile.is_empty()),
            rater_timeout_ms: self.rater_timeout_ms,
            gate_scope: self.gate_scope.unwrap_or_default(),
            deny: self.deny.clone(),
            escalate: self.escalate.clone(),
            allow: self.allow.clone().unwrap_or_default(),
            trust: self.mcp.as_ref().map(TrustBlock::policy).unwrap_or_default(),
        }
    }
}

fn joined(lower: Vec<Arc<PlacedEntry>>, higher: Vec<Arc<PlacedEntry>>) -> Vec<Arc<PlacedEntry>> {
    lower.into_iter().chain(higher).collect()
}
