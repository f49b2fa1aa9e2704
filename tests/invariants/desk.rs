//! The pure decision alone, without session engine or store: for tables of many cases.
//!
//! Promises one decision from call to answer on a state that the test owns. Knows nothing of durability.

use crate::harness::{FLOORS, policy, verdict};
use haltgate::gate::{
    Action, Call, Decision, Escalation, FailureCause, GrantBook, HumanAnswer, Moment, Next, Outcome, Policy,
    Progress, RatingResult, Rung, Scope, SessionState, Stage, Surroundings, answer, decide, rated,
};
use serde_json::Value;
use std::sync::Arc;

/// One session's state and what surrounds it.
pub(crate) struct Desk {
    pub(crate) policy: Arc<Policy>,
    pub(crate) state: SessionState,
    pub(crate) persisted: GrantBook,
    pub(crate) now: Moment,
    pub(crate) watched: bool,
    /// What the rater says.
    pub(crate) rating: RatingResult,
    /// How often it was asked.
    pub(crate) rated: usize,
}

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Came {
    pub(crate) decision: Decision,
    pub(crate) escalation: Option<Escalation>,
    pub(crate) watched: bool,
}

impl Came {
    pub(crate) fn told(&self) -> (Action, Stage) {
        (self.decision.action, self.decision.stage)
    }

    pub(crate) fn scope(&self) -> Option<Scope> {
        self.decision.scope
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.decision.rating.as_ref().map(|rating| rating.outcome)
    }
}

impl Desk {
    /// A session of this `approvals` block on a rung, with a rater that calls everything safe.
    pub(crate) fn new(approvals: &Value, rung: Rung) -> Self {
        Self::of(policy(approvals), rung)
    }

    pub(crate) fn of(policy: Arc<Policy>, rung: Rung) -> Self {
        let mut state = SessionState::open(&policy);
        state.set_rung(rung);
        Self {
            policy,
            state,
            persisted: GrantBook::default(),
            now: Moment(1),
            watched: false,
            rating: Ok(verdict(Outcome::Safe)),
            rated: 0,
        }
    }

    pub(crate) fn rating(mut self, outcome: Outcome) -> Self {
        self.rating = Ok(verdict(outcome));
        self
    }

    pub(crate) fn failing(mut self, cause: FailureCause) -> Self {
        self.rating = Err(cause);
        self
    }

    pub(crate) fn ask(&mut self, call: &Call) -> Came {
        let mut around = Surroundings {
            policy: &self.policy,
            floors: FLOORS,
            persisted: &mut self.persisted,
            now: self.now,
            attack_watched: self.watched,
        };
        let mut progress = decide(&mut around, &mut self.state, call, "run");
        if let Next::NeedsRating(_, deliberation) = progress.next {
            self.rated += 1;
            progress = rated(&mut around, &mut self.state, *deliberation, self.rating.clone());
        }
        came(progress)
    }

    pub(crate) fn answer(&mut self, escalation: &Escalation, given: &HumanAnswer) -> Came {
        let mut around = Surroundings {
            policy: &self.policy,
            floors: FLOORS,
            persisted: &mut self.persisted,
            now: self.now,
            attack_watched: self.watched,
        };
        came(answer(&mut around, &mut self.state, escalation, given))
    }
}

fn came(progress: Progress) -> Came {
    match progress.next {
        Next::Decided(decision) => Came { decision: *decision, escalation: None, watched: false },
        Next::NeedsHuman(escalation) => {
            Came { decision: escalation.pending(), escalation: Some(*escalation), watched: false }
        }
        Next::NeedsWatcher(halt) => Came { decision: halt.pending(), escalation: None, watched: true },
        Next::NeedsRating(..) => panic!("a rating never leads to another rating"),
    }
}
