//! What a session is set up with: as asked for, as far as whoever asks may have it.
//!
//! Promises that an agent gets nothing looser than the policy leaves to agents, and nothing looser than what others set up in
//! the session before, whether it says so or leaves it out. Knows nothing of sessions but that.

use super::error::EngineError;
use super::opening::{Opening, Update};
use super::owning::Held;
use super::policies::Policies;
use crate::access::Operation;
use crate::config::AgentBounds;
use crate::gate::{Policy, Rung};

/// What a session is set up with.
pub(super) struct SetUp {
    pub(super) rung: Rung,
    pub(super) interactive: bool,
    pub(super) command: Option<String>,
    /// What an agent that opens the session again may not loosen.
    pub(super) held: Held,
}

impl SetUp {
    /// As asked for, and else as the policy says.
    pub(super) fn of(opening: &Opening, policies: &Policies) -> Self {
        let policy = policies.get(&opening.project, opening.command.as_deref());
        Self {
            rung: opening.rung.unwrap_or(policy.rung),
            interactive: opening.interactive.unwrap_or(true),
            command: opening.command.clone(),
            held: Held {
                rung: opening.rung,
                interactive: opening.interactive,
                command: opening.command.clone(),
            },
        }
    }

    /// As an agent may have it. What it leaves out is as strict as it has to be; what it asks for in vain is refused.
    pub(super) fn of_agent(opening: &Opening, held: &Held, policies: &Policies) -> Result<Self, EngineError> {
        let bounds = policies.agents(&opening.project);
        let command = command_of_agent(opening, held, policies)?;
        let policy = policies.get(&opening.project, command.as_deref());
        let loosest = bounds.loosest(policy.rung).min(held.rung.unwrap_or(Rung::Bypass));
        let rung = opening.rung.unwrap_or_else(|| policy.rung.min(loosest));
        if rung > loosest {
            return Err(EngineError::RungNotAllowed { rung, configured: loosest });
        }
        check_interactive(opening.interactive, held, bounds)?;
        let interactive = opening.interactive.unwrap_or_else(|| may_be_interactive(held, bounds));
        Ok(Self { rung, interactive, command, held: held.clone() })
    }
}

fn command_of_agent(
    opening: &Opening,
    held: &Held,
    policies: &Policies,
) -> Result<Option<String>, EngineError> {
    let not_allowed = |problem: String| EngineError::PolicyNotAllowed { field: "command", problem };
    match (&held.command, &opening.command) {
        (Some(held), None) => Ok(Some(held.clone())),
        (Some(held), Some(wanted)) if held != wanted => {
            Err(not_allowed(format!("the session was set up for the command {held:?}; leave it out")))
        }
        (Some(_), Some(wanted)) => Ok(Some(wanted.clone())),
        (None, Some(wanted))
            if policies.knows_command(&opening.project, wanted)
                && !policies.agents(&opening.project).commands.contain(wanted) =>
        {
            Err(not_allowed(format!(
                "the policy does not leave the command {wanted:?} to agents; name one of `agents.commands`, or none"
            )))
        }
        (None, wanted) => Ok(wanted.clone()),
    }
}

/// Whether an agent may have what it wants to change of its session.
pub(super) fn check_agent(
    update: &Update,
    held: &Held,
    policy: &Policy,
    bounds: &AgentBounds,
) -> Result<(), EngineError> {
    if let Some(rung) = update.rung
        && !update.caller.role.may(Operation::ChangeRung)
    {
        return Err(EngineError::RungNotAllowed { rung, configured: policy.rung });
    }
    check_interactive(update.interactive, held, bounds)
}

fn may_be_interactive(held: &Held, bounds: &AgentBounds) -> bool {
    bounds.interactive && held.interactive != Some(false)
}

fn check_interactive(wanted: Option<bool>, held: &Held, bounds: &AgentBounds) -> Result<(), EngineError> {
    if wanted == Some(true) && !may_be_interactive(held, bounds) {
        let problem = if bounds.interactive {
            "somebody else turned it off for this session; leave it out"
        } else {
            "the policy has nobody asked in the sessions of agents; leave it out"
        };
        return Err(EngineError::PolicyNotAllowed { field: "interactive", problem: problem.to_owned() });
    }
    Ok(())
}
