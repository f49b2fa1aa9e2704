//! The human step: what a human is asked, and what the answer does.
//!
//! Promises that what the prompt shows is what is stored, that a scope which is not on offer stores nothing, that a
//! refusal given meanwhile outranks an approval, and that nothing ever times out into one.

use super::call::Call;
use super::decision::{
    Action, Consulted, Decision, HumanSaid, Moment, Notice, RuleMatch, Scope, Stage, Step, StepResult,
};
use super::deliberation::Deliberation;
use super::effects::Effect;
use super::grants::{Denial, Grant, GrantScope};
use super::messages;
use super::negotiation::{Budget, Round};
use super::offer::{self, Offer};
use super::pipeline::{Next, Progress, Surroundings, standing_refusal};
use super::rating::Rating;
use super::rung::Rung;
use super::session::SessionState;
use crate::rules::Identity;
use serde::{Deserialize, Serialize};

/// A decision that waits for a human: everything the prompt shows and an answer needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Escalation {
    /// The call.
    pub call: Call,
    /// The run it belongs to.
    pub run: String,
    /// What the call is: `shell`, `tool` or `mcpTool`.
    pub kind: String,
    /// The MCP server and its tool, where exactly one configured key explains the name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mcp_tool: Option<(String, String)>,
    /// The step that asked.
    pub stage: Stage,
    /// The rung at the time.
    pub rung: Rung,
    /// The rating, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The escalate entry that asked, in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalated_by: Option<String>,
    /// The entry that matched, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleMatch>,
    /// What "for the session" and "always" would store; absent where nothing may be stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grant: Option<Offer>,
    /// What "refuse for the session" would store.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub denial: Option<Offer>,
    /// The argument that led here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    /// Rejections since a human was last involved; never fewer than the rounds.
    pub attempts: u32,
    /// How much of the negotiation was spent when the call arrived.
    pub budget: Budget,
    /// What was said beside it.
    pub notices: Vec<Notice>,
    /// What was looked at.
    pub consulted: Vec<Consulted>,
    /// Why the command is not one simple command.
    pub unresolved: Vec<String>,
}

/// What a human answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HumanAnswer {
    /// Yes or no, and how far it reaches.
    pub verdict: HumanVerdict,
    /// Who answered, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// What the agent is told with a refusal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The terms of the grant that an approval stores.
    #[serde(default)]
    pub terms: Terms,
}

/// The terms of a grant.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// From this moment on it no longer matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Moment>,
    /// After so many uses it is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_uses: Option<u32>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Yes or no, and how far it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanVerdict {
    /// Let it run.
    Approve(Scope),
    /// Do not. There is no refusal beyond the session.
    Reject(RejectScope),
}

/// How far a refusal reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectScope {
    /// This call alone.
    Once,
    /// Until the session is closed.
    Session,
}

impl Escalation {
    /// Whether the verdict's scope is on offer.
    #[must_use]
    pub fn offers(&self, verdict: HumanVerdict) -> bool {
        match verdict {
            HumanVerdict::Approve(Scope::Once) | HumanVerdict::Reject(RejectScope::Once) => true,
            HumanVerdict::Approve(Scope::Session | Scope::Always) => self.grant.is_some(),
            HumanVerdict::Reject(RejectScope::Session) => self.denial.is_some(),
        }
    }

    fn decision(&self, action: Action) -> Decision {
        Decision {
            action,
            stage: self.stage,
            scope: None,
            message: String::new(),
            rule: self.rule.clone(),
            rating: self.rating.clone(),
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

    /// The answer that the caller gets while the human has not spoken.
    #[must_use]
    pub fn pending(&self) -> Decision {
        self.decision(Action::Escalate)
    }
}

/// Asks a human, or says that nobody can answer. Either way the argument with the rater is over.
pub(super) fn reach_human(session: &mut SessionState, mut deliberation: Deliberation) -> Progress {
    let stage = deliberation.stage.unwrap_or(Stage::UnratedRung);
    let rounds = session.negotiation.rounds().to_vec();
    let attempts =
        session.negotiation.budget().since_human.max(u32::try_from(rounds.len()).unwrap_or(u32::MAX));
    if session.negotiation.budget() != Budget::default() || !rounds.is_empty() {
        deliberation.effects.push(Effect::SessionChanged);
    }
    session.negotiation.human_reached();
    if !session.interactive {
        deliberation.consult(
            Step::Human,
            StepResult::Decided,
            "nobody can answer in this session".to_owned(),
        );
        let message = messages::unattended(
            &deliberation.call,
            deliberation.rating.as_ref(),
            deliberation.escalated_by.as_deref(),
            &rounds,
        );
        let mut decision = deliberation.decision(Action::Unattended, stage);
        decision.message = message;
        decision.human = Some(HumanSaid::Nobody);
        return deliberation.settle(decision);
    }
    deliberation.consult(Step::Human, StepResult::Decided, "a human is asked".to_owned());
    let grant = offer::grant(
        &deliberation.subject,
        deliberation.annotations,
        deliberation.rating.as_ref(),
        deliberation.rung,
    );
    let denial = offer::denial(&deliberation.subject);
    let Deliberation {
        call,
        run,
        subject,
        rung,
        budget,
        rule,
        rating,
        escalated_by,
        notices,
        consulted,
        unresolved,
        effects,
        ..
    } = deliberation;
    let escalation = Escalation {
        kind: subject.kind().to_owned(),
        mcp_tool: subject.mcp_tool(),
        call,
        run,
        stage,
        rung,
        rating,
        escalated_by,
        rule,
        grant,
        denial,
        rounds,
        attempts,
        budget,
        notices,
        consulted,
        unresolved,
    };
    Progress { next: Next::NeedsHuman(Box::new(escalation)), effects }
}

/// Goes on with a human's answer. The caller has made sure that the scope is on offer; one that is not stores nothing.
#[must_use]
pub fn answer(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    escalation: &Escalation,
    answer: &HumanAnswer,
) -> Progress {
    session.negotiation.human_reached();
    let mut effects = vec![Effect::SessionChanged];
    let decision = match answer.verdict {
        HumanVerdict::Reject(scope) => refuse(around, session, escalation, answer, scope, &mut effects),
        HumanVerdict::Approve(scope) => approve(around, session, escalation, answer, scope, &mut effects),
    };
    Progress { next: Next::Decided(Box::new(decision)), effects }
}

fn refuse(
    around: &Surroundings<'_>,
    session: &mut SessionState,
    escalation: &Escalation,
    answer: &HumanAnswer,
    scope: RejectScope,
    effects: &mut Vec<Effect>,
) -> Decision {
    if let (RejectScope::Session, Some(offer)) = (scope, &escalation.denial) {
        let denial = Denial {
            entry: offer.entry.clone(),
            denied_at: around.now,
            denied_by: answer.answered_by.clone(),
            note: answer.comment.clone(),
        };
        if session.denials.add(denial.clone()) {
            effects.push(Effect::DenialAdded(Box::new(denial)));
        }
    }
    let mut decision = escalation.decision(Action::Reject);
    decision.human = Some(HumanSaid::Reject);
    decision.message = messages::rejected(
        &escalation.call,
        escalation.rating.as_ref(),
        Some(HumanSaid::Reject),
        answer.comment.as_deref(),
    );
    decision
}

fn approve(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    escalation: &Escalation,
    answer: &HumanAnswer,
    scope: Scope,
    effects: &mut Vec<Effect>,
) -> Decision {
    // While the human thought, the run may have been halted or the call refused: both outrank the approval.
    if let Some(halted) = session.halted_runs.get(&escalation.run) {
        let mut decision = escalation.decision(Action::Halt);
        decision.stage = halted.stage;
        decision.message.clone_from(&halted.message);
        decision.run_was_halted = true;
        decision.human = Some(HumanSaid::Approve);
        return decision;
    }
    if let Some((stage, message, rule, hardline)) = standing_refusal(around, session, &escalation.call) {
        let mut decision = escalation.decision(Action::Reject);
        decision.stage = stage;
        decision.message = message;
        decision.rule = rule;
        decision.hardline = hardline;
        decision.human = Some(HumanSaid::Approve);
        return decision;
    }
    let mut decision = escalation.decision(Action::Approve);
    decision.human = Some(HumanSaid::Approve);
    decision.scope = Some(Scope::Once);
    let wanted = match scope {
        Scope::Once => None,
        Scope::Session => Some(GrantScope::Session),
        Scope::Always => Some(GrantScope::Always),
    };
    if let (Some(wanted), Some(offer)) = (wanted, &escalation.grant) {
        let grant = Grant {
            granted_by: answer.answered_by.clone(),
            expires_at: answer.terms.expires_at,
            max_uses: answer.terms.max_uses,
            note: answer.terms.note.clone(),
            ..Grant::new(offer.entry.clone(), offer.annotations, wanted, around.now)
        };
        let book = match wanted {
            GrantScope::Session => &mut session.grants,
            GrantScope::Always => &mut *around.persisted,
        };
        let identity = Identity::of(&grant.entry);
        if !grant.is_void(around.now) && book.add(grant.clone()) {
            effects.push(Effect::GrantAdded(Box::new(grant)));
        }
        // One that was held before counts as well: it is in force. Terms without any use leave nothing in force.
        if book.get(&identity).is_some() {
            decision.scope = Some(scope);
        }
    }
    decision
}
