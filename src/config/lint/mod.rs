//! What is allowed and can hardly be meant.
//!
//! Promises a warning only where the entry does nothing, or far more than it says, in every place where it counts; an
//! entry that works for one command is left alone. Knows nothing of how a call is decided beyond that.

mod names;
mod reach;
mod shadow;
mod spelling;

#[cfg(test)]
mod tests;

use super::approvals::PlacedEntry;
use super::configuration::Configuration;
use super::layers::Posture;
use super::policy::Scope;
use super::problem::{Origin, Problem, Problems};
use crate::gate::GateScope;
use crate::rules::{Entry, ListKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Warns of entries that can never fire, are shadowed, or match nothing that they seem meant for, and of rater profiles that
/// nothing chooses.
///
/// The cost grows with the entries of all projects and commands together; it is for `haltgate check`, not for a reload.
#[must_use]
pub fn lint(configuration: &Configuration) -> Problems {
    let mut entries: BTreeMap<Origin, Tally> = BTreeMap::new();
    for posture in postures(configuration) {
        let shadows = shadow::Shadows::of(&posture);
        for list in [ListKind::Deny, ListKind::Escalate, ListKind::Allow] {
            for placed in posture.list(list) {
                let tally = entries.entry(placed.origin.clone()).or_insert_with(|| Tally::new(list, placed));
                tally.postures += 1;
                tally.every_call |= posture.gate_scope == GateScope::EveryCall;
                match reach::why_inert(list, &placed.declared.entry, &posture) {
                    Some(why) => tally.inert.push(why),
                    None => tally.shadowed.extend(shadows.over(list, placed)),
                }
            }
        }
    }
    let mut problems: Vec<Problem> = Vec::new();
    for tally in entries.values() {
        let mut warn = |field: &str, message: String| {
            let mut origin = tally.placed.origin.clone();
            origin.path.push_str(field);
            let path = origin.path.clone();
            problems.push(Problem::warning(Some(origin), &path, message));
        };
        let entry = &tally.placed.declared.entry;
        if let Some(message) = tally.warning() {
            warn("", message);
        }
        spelling::check(tally.list, entry, &mut warn);
        names::check_entry(entry, &mut warn);
        if let Some(message) = tally.useless_rate() {
            warn(".rate", message.to_owned());
        }
    }
    let placed = || entries.values().map(|tally| &*tally.placed);
    problems.extend(names::unknown_servers(configuration, placed()));
    problems.extend(configuration.idle_profiles());
    problems.extend(shadow::duplicates(entries.values().map(|tally| (tally.list, &*tally.placed))));
    Problems::new(problems)
}

/// What is known of one entry over all postures that it is part of.
struct Tally {
    list: ListKind,
    placed: Arc<PlacedEntry>,
    postures: usize,
    every_call: bool,
    inert: Vec<String>,
    shadowed: Vec<shadow::Shadow>,
}

impl Tally {
    fn new(list: ListKind, placed: &Arc<PlacedEntry>) -> Self {
        Self {
            list,
            placed: Arc::clone(placed),
            postures: 0,
            every_call: false,
            inert: Vec::new(),
            shadowed: Vec::new(),
        }
    }

    /// What makes the entry do nothing wherever it counts.
    fn warning(&self) -> Option<String> {
        if self.inert.len() + self.shadowed.len() < self.postures {
            return None;
        }
        match (self.inert.first(), self.shadowed.first()) {
            (_, Some(shadow)) => Some(shadow.to_string()),
            (Some(why), None) => Some(format!("can never fire: {why}")),
            (None, None) => None,
        }
    }

    fn useless_rate(&self) -> Option<&'static str> {
        let stated = match &self.placed.declared.entry {
            Entry::Shell { rate, .. } | Entry::Tool { rate, .. } | Entry::McpTool { rate, .. } => {
                rate.is_some()
            }
        };
        match (stated, self.list, &self.placed.declared.entry) {
            (false, _, _) => None,
            (true, ListKind::Deny | ListKind::Escalate, _) => {
                Some("has no effect: only entries of `allow` are rated; remove it")
            }
            (true, ListKind::Allow, Entry::Shell { .. }) => None,
            (true, ListKind::Allow, Entry::Tool { .. } | Entry::McpTool { .. }) => {
                (!self.every_call).then_some("has no effect: only shell commands are rated; remove it")
            }
        }
    }
}

/// The posture of every project and command that has a block of its own, and of the root.
fn postures(configuration: &Configuration) -> Vec<Posture> {
    let policy = configuration.policy();
    let of_scope = |scope: &Scope| {
        let commands = scope.commands.keys().map(|name| scope.posture(Some(name)));
        std::iter::once(scope.posture(None)).chain(commands).collect::<Vec<_>>()
    };
    let projects = policy.projects.keys().flat_map(|name| of_scope(&policy.scope(name)));
    of_scope(&policy.root).into_iter().chain(projects).collect()
}
