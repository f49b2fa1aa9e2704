//! The argument between an agent and the rater on the rung `auto`: what was said, and how long it may go on.
//!
//! Promises that the two bounds hold whatever order things happen in. Knows nothing of how a round comes about.

use super::rating::{NegotiationContext, Rating};
use serde::{Deserialize, Serialize};

/// Rejections in a row before a human is asked.
pub const MAX_CONSECUTIVE: u32 = 3;
/// Rejections since a human was last involved before a human is asked.
pub const MAX_BEFORE_HUMAN: u32 = 9;
/// User messages that are kept.
const KEPT_MESSAGES: usize = 10;
/// User messages that a rater is told.
const TOLD_MESSAGES: usize = 5;
/// Characters of each that a rater is told.
const TOLD_CHARACTERS: usize = 1000;

/// One rejection and what led to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Counted from 1.
    pub number: u32,
    /// What the agent wanted to run.
    pub command: String,
    /// Why it said it needs that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
    /// What the rater said.
    pub reason: String,
    /// A tool it suggested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_tool: Option<String>,
}

/// The state of the argument in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Negotiation {
    rounds: Vec<Round>,
    consecutive: u32,
    since_human: u32,
    user_messages: Vec<String>,
}

/// How much of the argument is spent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Budget {
    /// Rejections in a row.
    pub consecutive: u32,
    /// Rejections since a human was last involved.
    pub since_human: u32,
}

impl Negotiation {
    /// How much is spent.
    #[must_use]
    pub fn budget(&self) -> Budget {
        Budget { consecutive: self.consecutive, since_human: self.since_human }
    }

    /// The rounds so far.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// What a rater may be told now: nothing in round one, whatever the caller sent along.
    #[must_use]
    pub fn context(&self, justification: Option<&str>) -> Option<NegotiationContext> {
        if self.rounds.is_empty() {
            return None;
        }
        let told = self.user_messages.len().saturating_sub(TOLD_MESSAGES);
        let user_messages = self
            .user_messages
            .iter()
            .skip(told)
            .map(|message| message.chars().take(TOLD_CHARACTERS).collect())
            .collect();
        Some(NegotiationContext {
            justification: justification.map(str::to_owned),
            rounds: self.rounds.clone(),
            user_messages,
        })
    }

    /// Records a rejection and says whether a bound is spent, so that a human must be asked now.
    pub fn reject(&mut self, command: &str, justification: Option<&str>, rating: &Rating) -> bool {
        self.consecutive = self.consecutive.saturating_add(1);
        self.since_human = self.since_human.saturating_add(1);
        self.rounds.push(Round {
            number: u32::try_from(self.rounds.len()).unwrap_or(u32::MAX).saturating_add(1),
            command: command.to_owned(),
            justification: justification.map(str::to_owned),
            reason: rating.reason.clone(),
            suggested_tool: rating.suggested_tool.clone(),
        });
        self.consecutive >= MAX_CONSECUTIVE || self.since_human >= MAX_BEFORE_HUMAN
    }

    /// Something was approved: the argument is over, and the count since a human stands.
    pub fn approved(&mut self) {
        self.rounds.clear();
        self.consecutive = 0;
    }

    /// A human was asked, answered or spoke.
    pub fn human_reached(&mut self) {
        self.approved();
        self.since_human = 0;
    }

    /// The session left `auto`: the transcript belongs to that rung alone.
    pub fn left_auto(&mut self) {
        self.approved();
    }

    /// The user said something: a human was involved, and the rater may hear it later.
    pub fn user_said(&mut self, message: &str) {
        self.human_reached();
        if message.trim().is_empty() {
            return;
        }
        self.user_messages.retain(|kept| kept != message);
        self.user_messages.push(message.to_owned());
        let surplus = self.user_messages.len().saturating_sub(KEPT_MESSAGES);
        self.user_messages.drain(..surplus);
    }

    /// The conversation starts anew.
    pub fn reset(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::rating::FailureCause;

    fn reject(negotiation: &mut Negotiation) -> bool {
        negotiation.reject(
            "rm -rf build",
            Some("it is stale"),
            &Rating::from_result(Err(FailureCause::NotAssessed)),
        )
    }

    #[test]
    fn three_rejections_in_a_row_reach_the_human() {
        let mut negotiation = Negotiation::default();
        assert_eq!(
            [reject(&mut negotiation), reject(&mut negotiation), reject(&mut negotiation)],
            [false, false, true]
        );
        assert_eq!(negotiation.rounds().len(), 3);
    }

    #[test]
    fn nine_rejections_reach_the_human_although_approvals_lie_between() {
        let mut negotiation = Negotiation::default();
        for rejection in 1..=9 {
            assert_eq!(reject(&mut negotiation), rejection == 9, "rejection {rejection}");
            negotiation.approved();
        }
    }

    #[test]
    fn round_one_sees_the_command_alone() {
        let mut negotiation = Negotiation::default();
        negotiation.user_said("please clean up");
        assert_eq!(negotiation.context(Some("because")), None);
        reject(&mut negotiation);
        let context = negotiation.context(Some("because")).unwrap();
        assert_eq!(context.justification.as_deref(), Some("because"));
        assert_eq!(context.user_messages, ["please clean up"]);
        assert_eq!(context.rounds.len(), 1);
    }

    #[test]
    fn the_last_ten_messages_are_kept_and_five_of_them_told_in_part() {
        let mut negotiation = Negotiation::default();
        for number in 0..12 {
            negotiation.user_said(&format!("message {number}"));
        }
        negotiation.user_said("  ");
        negotiation.user_said("message 7");
        negotiation.user_said(&"x".repeat(3000));
        reject(&mut negotiation);
        let told = negotiation.context(None).unwrap().user_messages;
        assert_eq!(told.len(), 5);
        assert_eq!(told.get(3).map(String::as_str), Some("message 7"));
        assert_eq!(told.last().map(String::len), Some(1000));
        assert_eq!(negotiation.user_messages.len(), 10);
    }
}
