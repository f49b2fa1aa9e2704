//! What one session remembers between decisions.
//!
//! Promises that everything a decision reads or writes of a session is here, so that two sessions cannot touch each
//! other. Knows nothing of locks, rows or who is connected.

use super::decision::{Moment, Stage};
use super::grants::{DenialBook, GrantBook};
use super::negotiation::Negotiation;
use super::policy::Policy;
use super::rung::Rung;
use super::trust::{AnnotationSource, Declared};
use crate::rules::Hint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one session remembers between decisions. Grants and denials are rows of their own and not part of its JSON.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionState {
    /// The live rung.
    pub rung: Rung,
    /// Whether a human can be asked.
    pub interactive: bool,
    /// The keys of the MCP servers that the caller configured.
    pub mcp_servers: Vec<String>,
    /// The names of the registered tools, in the order of registration.
    pub tools: Vec<String>,
    /// What registered tools declared of themselves, by registered name.
    pub catalogue: BTreeMap<String, Declared>,
    /// The hints believed of a server, where this session differs from the policy.
    pub trust: BTreeMap<String, Vec<Hint>>,
    /// The argument on the rung `auto`.
    pub negotiation: Negotiation,
    /// The runs that an attack ended, by the caller's name for them.
    pub halted_runs: BTreeMap<String, HaltedRun>,
    /// How many ratings ran out of time.
    pub rating_timeouts: u32,
    /// Whether a decision of this session has looked at the project's persisted grants.
    pub consulted_persisted: bool,
    /// What was granted for this session.
    #[serde(skip)]
    pub grants: GrantBook,
    /// What was refused in this session.
    #[serde(skip)]
    pub denials: DenialBook,
}

/// Why a run was halted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HaltedRun {
    /// The step that halted it.
    pub stage: Stage,
    /// What the caller is told.
    pub message: String,
    /// When it was halted.
    #[serde(default)]
    pub halted_at: Moment,
}

impl SessionState {
    /// A session as the policy opens it: interactive, on the policy's rung.
    #[must_use]
    pub fn open(policy: &Policy) -> Self {
        Self {
            rung: policy.rung,
            interactive: true,
            mcp_servers: policy.mcp_servers.clone(),
            ..Self::default()
        }
    }

    /// The declarations and the trust that tools are judged by.
    #[must_use]
    pub fn annotations<'a>(&'a self, policy: &'a Policy) -> AnnotationSource<'a> {
        AnnotationSource { catalogue: &self.catalogue, trust: &policy.trust, overrides: &self.trust }
    }

    /// Moves to another rung; holds from the very next decision on.
    pub fn set_rung(&mut self, rung: Rung) {
        if self.rung.negotiates() && !rung.negotiates() {
            self.negotiation.left_auto();
        }
        self.rung = rung;
    }
}
