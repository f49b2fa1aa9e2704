//! From a posture to the policy that the gate decides by.
//!
//! Promises that index `i` of a compiled list is the entry at index `i` of the posture's list, so that a match can name
//! the line that declared it. Knows nothing of calls.

use super::configuration::Configuration;
use super::layers::Posture;
use super::problem::{Problem, Problems};
use crate::gate::{DEFAULT_RATER_TIMEOUT_MS, Policy};
use crate::rules::{ListKind, RuleList};

impl Configuration {
    /// The compiled policy for the sessions of a project and command, under the project's revision.
    ///
    /// # Errors
    /// Every entry that does not compile. Loading checks each entry, so this is for lists that are too much as a whole.
    pub fn gate_policy(&self, project: &str, command: Option<&str>) -> Result<Policy, Problems> {
        let posture = self.posture(project, command);
        posture.compile(self.project_revision(project).to_owned(), self.mcp_server_keys(project))
    }
}

impl Posture {
    /// The compiled policy of this posture.
    ///
    /// # Errors
    /// Every entry that does not compile.
    pub fn compile(&self, revision: String, mcp_servers: Vec<String>) -> Result<Policy, Problems> {
        let mut problems = Vec::new();
        let deny = self.compile_list(ListKind::Deny, &mut problems);
        let escalate = self.compile_list(ListKind::Escalate, &mut problems);
        let allow = self.compile_list(ListKind::Allow, &mut problems);
        let (Some(deny), Some(escalate), Some(allow)) = (deny, escalate, allow) else {
            return Err(Problems::new(problems));
        };
        Ok(Policy {
            revision,
            rung: self.rung,
            gate_scope: self.gate_scope,
            rater: self.rater.clone(),
            rater_timeout_ms: self.rater_timeout_ms.unwrap_or(DEFAULT_RATER_TIMEOUT_MS),
            deny,
            escalate,
            allow,
            trust: self.trust.clone(),
            mcp_servers,
        })
    }

    fn compile_list(&self, kind: ListKind, problems: &mut Vec<Problem>) -> Option<RuleList> {
        let entries = self.list(kind).iter().map(|placed| placed.declared.entry.clone()).collect();
        RuleList::compile(kind, entries)
            .map_err(|errors| {
                for error in errors {
                    let origin = self.list(kind).get(error.index).map(|placed| placed.origin.clone());
                    let path = origin
                        .as_ref()
                        .map_or_else(|| kind.as_str().to_owned(), |origin| origin.path.clone());
                    problems.push(Problem::error(origin, &path, error.message));
                }
            })
            .ok()
    }
}
