//! The attack seam: the one place where a rating of `attack` ends a run, whichever path it came by.
//!
//! Promises that nothing is stored for the command, that no rung changes, and that waiting is something only somebody
//! who watches can cause. Elapsed time is never an answer.

use super::call::Call;
use super::decision::{Action, Consulted, Decision, HumanSaid, Notice, Scope, Stage};
use super::deliberation::Deliberation;
use super::effects::Effect;
use super::messages;
use super::negotiation::Budget;
use super::pipeline::{Next, Progress, Surroundings};
use super::rating::{FailureCause, Rating};
use super::rung::Rung;
use super::session::{HaltedRun, SessionState};
use serde::{Deserialize, Serialize};

/// An attack that waits for whoever watches: everything an answer needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttackHalt {
    /// The call.
    pub call: Call,
    /// The run that is halted meanwhile.
    pub run: String,
    /// The step that rated it.
    pub stage: Stage,
    /// The rating.
    pub rating: Rating,
    /// The rung at the time.
    pub rung: Rung,
    /// How much of the negotiation was spent when the call arrived.
    pub budget: Budget,
    /// What the operator is told.
    pub message: String,
    /// What was said beside it.
    pub notices: Vec<Notice>,
    /// What was looked at.
    pub consulted: Vec<Consulted>,
    /// Why the command is not one simple command.
    pub unresolved: Vec<String>,
}

impl AttackHalt {
    /// The answer that the caller gets while whoever watches has not spoken.
    #[must_use]
    pub fn pending(&self) -> Decision {
        Decision {
            action: Action::Escalate,
            stage: self.stage,
            scope: None,
            message: self.message.clone(),
            rule: None,
            rating: Some(self.rating.clone()),
            hardline: None,
            notices: self.notices.clone(),
            human: None,
            run_was_halted: false,
            rung: self.rung,
            budget: self.budget,
            unresolved: self.unresolved.clone(),
            consulted: self.consulted.clone(),
        }
    }
}

/// The answer to an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttackAnswer {
    /// Let this one command run, and the run go on.
    RunAnyway,
    /// End the run.
    Stop,
}

/// Halts the run; whoever watches may let this one command through.
pub(super) fn halt(
    around: &Surroundings<'_>,
    session: &mut SessionState,
    mut deliberation: Deliberation,
) -> Progress {
    let stage = deliberation.stage.unwrap_or(Stage::Rater);
    // The seam is reached with a rating; without one the strictest reading stands.
    let rating =
        deliberation.rating.clone().unwrap_or_else(|| Rating::from_result(Err(FailureCause::NotAssessed)));
    let message = messages::attack(&deliberation.call, &rating);
    let halted = HaltedRun { stage, message: message.clone() };
    session.halted_runs.insert(deliberation.run.clone(), halted.clone());
    deliberation.effects.push(Effect::RunHalted { run: deliberation.run.clone(), halted });
    deliberation.effects.push(Effect::SessionChanged);
    if around.attack_watched {
        let Deliberation { call, run, rung, budget, notices, consulted, unresolved, effects, .. } =
            deliberation;
        let halt =
            AttackHalt { call, run, stage, rating, rung, budget, message, notices, consulted, unresolved };
        return Progress { next: Next::NeedsWatcher(Box::new(halt)), effects };
    }
    let mut decision = deliberation.decision(Action::Halt, stage);
    decision.message = message;
    decision.human = Some(HumanSaid::Nobody);
    deliberation.settle(decision)
}

/// Goes on with the answer of whoever watches. `run anyway` holds for this one command, and the run may go on.
#[must_use]
pub fn answer_attack(session: &mut SessionState, halt: &AttackHalt, answer: AttackAnswer) -> Progress {
    let mut decision = Decision { action: Action::Halt, human: Some(HumanSaid::Reject), ..halt.pending() };
    let mut effects = Vec::new();
    match answer {
        AttackAnswer::Stop => {}
        AttackAnswer::RunAnyway => {
            session.halted_runs.remove(&halt.run);
            session.negotiation.human_reached();
            effects.push(Effect::RunResumed { run: halt.run.clone() });
            effects.push(Effect::SessionChanged);
            decision.action = Action::Approve;
            decision.scope = Some(Scope::Once);
            decision.message = String::new();
            decision.human = Some(HumanSaid::Approve);
        }
    }
    Progress { next: Next::Decided(Box::new(decision)), effects }
}
