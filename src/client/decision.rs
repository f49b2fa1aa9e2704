//! A decision as its caller needs it.
//!
//! Promises that `approved` is true for nothing but a complete approval of this very call. Knows nothing of how it came.

use super::{Action, Rung, Scope, Stage};
use crate::proto::v1 as pb;

/// What was decided about one call.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    response: pb::DecideResponse,
    dry_run: bool,
}

/// An id, or nothing where there is none.
fn filled(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl Decision {
    pub(super) fn new(response: pb::DecideResponse, dry_run: bool) -> Self {
        Self { response, dry_run }
    }

    /// May the call run, once, now? A dry run never says so.
    #[must_use]
    pub fn approved(&self) -> bool {
        !self.dry_run && self.action() == Action::Approve
    }

    /// What the caller must do.
    #[must_use]
    pub fn action(&self) -> Action {
        self.response.action()
    }

    /// The step that decided.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.response.stage()
    }

    /// How far an approval or a human's rejection reaches: what was stored.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        Some(self.response.scope()).filter(|&scope| scope != Scope::Unspecified)
    }

    /// After a rejection, what to hand to the model as the tool's result; otherwise what a person should read. Raw text.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.response.message
    }

    /// The message, safe to print row by row.
    #[must_use]
    pub fn framed_lines(&self) -> &[String] {
        &self.response.framed_lines
    }

    /// The id of the durable record. Empty with a dry run.
    #[must_use]
    pub fn decision_id(&self) -> &str {
        &self.response.decision_id
    }

    /// The id that the decision was asked for under.
    #[must_use]
    pub fn request_id(&self) -> &str {
        &self.response.request_id
    }

    /// What a human answers, where one was asked.
    #[must_use]
    pub fn escalation_id(&self) -> Option<&str> {
        filled(&self.response.escalation_id)
    }

    /// What a human answers, where this call halted its run.
    #[must_use]
    pub fn halt_id(&self) -> Option<&str> {
        filled(&self.response.halt_id)
    }

    /// The rung in force when the call arrived.
    #[must_use]
    pub fn rung(&self) -> Rung {
        self.response.rung()
    }

    /// The rating, where the call was rated.
    #[must_use]
    pub fn rating(&self) -> Option<&pb::Rating> {
        self.response.rating.as_ref()
    }

    /// The entry that decided, or that led to the rating or the human.
    #[must_use]
    pub fn matched_rule(&self) -> Option<&pb::MatchedRule> {
        self.response.matched_rule.as_ref()
    }

    /// What the people who run the agent should know. It never changes the decision.
    #[must_use]
    pub fn notices(&self) -> &[pb::Notice] {
        &self.response.notices
    }

    /// The answer of the human who settled it.
    #[must_use]
    pub fn human(&self) -> Option<&pb::HumanAnswer> {
        self.response.human.as_ref()
    }

    /// The rejections of the negotiation, after this decision.
    #[must_use]
    pub fn budget(&self) -> Option<&pb::NegotiationBudget> {
        self.response.budget.as_ref()
    }

    /// Is the run that the call belongs to halted?
    #[must_use]
    pub fn run_halted(&self) -> bool {
        self.response.run_halted
    }

    /// Was it made for an earlier request with this id?
    #[must_use]
    pub fn replayed(&self) -> bool {
        self.response.replayed
    }

    /// Every step on the way, with a dry run.
    #[must_use]
    pub fn explanation(&self) -> Option<&pb::Explanation> {
        self.response.explanation.as_ref()
    }

    /// The message as it was received.
    #[must_use]
    pub fn raw(&self) -> &pb::DecideResponse {
        &self.response
    }
}
