//! Questions to humans and their answers.

use super::decision::{call, round, subject};
use super::prompt::{attack_prompt, escalation_prompt, exchange};
use super::vocabulary::{rating, rung, scope, stage, timestamp};
use crate::gate::{AttackAnswer, HumanVerdict, Offer, RejectScope, Scope};
use crate::proto::v1 as pb;
use crate::session::{Answered, Given, Question, QuestionState, Settled};

/// The scope that an answer reaches.
pub(super) fn answered_scope(answered: &Answered) -> Option<Scope> {
    match &answered.given {
        Given::Escalation(answer) => Some(match answer.verdict {
            HumanVerdict::Approve(scope) => scope,
            HumanVerdict::Reject(RejectScope::Once) => Scope::Once,
            HumanVerdict::Reject(RejectScope::Session) => Scope::Session,
        }),
        Given::Attack(AttackAnswer::RunAnyway) => Some(Scope::Once),
        Given::Attack(AttackAnswer::Stop) => None,
    }
}

/// What a human answered.
pub(super) fn human_answer(answered: &Answered) -> pb::HumanAnswer {
    let verdict = match &answered.given {
        Given::Escalation(answer) => match answer.verdict {
            HumanVerdict::Approve(_) => pb::Verdict::Approve,
            HumanVerdict::Reject(_) => pb::Verdict::Reject,
        },
        Given::Attack(AttackAnswer::RunAnyway) => pb::Verdict::RunAnyway,
        Given::Attack(AttackAnswer::Stop) => pb::Verdict::Stop,
    };
    // What reaches further than this call was stored; without a stored entry the answer held once.
    let stored_scope = match &answered.stored {
        Some(_) => answered_scope(answered).unwrap_or(Scope::Once),
        None => Scope::Once,
    };
    pb::HumanAnswer {
        verdict: verdict.into(),
        scope: scope(stored_scope).into(),
        comment: answered.comment.clone().unwrap_or_default(),
        answered_by: answered.answered_by.clone(),
        answered_role: answered.answered_role.clone().unwrap_or_default(),
        answered_via: answered.answered_via.clone().unwrap_or_default(),
        answered_at: Some(timestamp(answered.answered_at)),
        stored: answered.stored.as_ref().map(|offer| super::rendered(&offer.entry)),
    }
}

/// What an answer may do.
pub(super) fn offer(grant: Option<&Offer>, denial: Option<&Offer>) -> pb::AnswerOffer {
    let mut approve = vec![pb::Scope::Once.into()];
    if grant.is_some() {
        approve.extend([i32::from(pb::Scope::Session), i32::from(pb::Scope::Always)]);
    }
    let mut reject = vec![pb::Scope::Once.into()];
    if denial.is_some() {
        reject.push(pb::Scope::Session.into());
    }
    pb::AnswerOffer {
        approve_scopes: approve,
        reject_scopes: reject,
        grant: grant.map(|offer| super::rendered(&offer.entry)),
        denial: denial.map(|offer| super::rendered(&offer.entry)),
    }
}

/// The contract's name for what became of a question.
pub(in crate::server) fn state_name(settled: &Settled) -> &'static str {
    match &settled.asked.question {
        Question::Escalation(_) => escalation_state(&settled.state).as_str_name(),
        Question::Attack(_) => halt_state(&settled.state).as_str_name(),
    }
}

fn escalation_state(state: &QuestionState) -> pb::EscalationState {
    match state {
        QuestionState::Open => pb::EscalationState::Open,
        QuestionState::Answered(answered) if answered.given.approves() => pb::EscalationState::Approved,
        QuestionState::Answered(_) => pb::EscalationState::Rejected,
        QuestionState::Withdrawn => pb::EscalationState::Withdrawn,
        QuestionState::Unattended | QuestionState::Expired => pb::EscalationState::Expired,
    }
}

fn halt_state(state: &QuestionState) -> pb::AttackHaltState {
    match state {
        QuestionState::Open => pb::AttackHaltState::Open,
        QuestionState::Answered(answered) if answered.given.approves() => pb::AttackHaltState::RanAnyway,
        QuestionState::Answered(_) => pb::AttackHaltState::Stopped,
        QuestionState::Unattended => pb::AttackHaltState::Unattended,
        QuestionState::Withdrawn => pb::AttackHaltState::Withdrawn,
        QuestionState::Expired => pb::AttackHaltState::Expired,
    }
}

fn answer_of(state: &QuestionState) -> Option<pb::HumanAnswer> {
    match state {
        QuestionState::Answered(answered) => Some(human_answer(answered)),
        QuestionState::Open
        | QuestionState::Unattended
        | QuestionState::Withdrawn
        | QuestionState::Expired => None,
    }
}

/// An escalation and what became of it; `None` for a halt.
pub(in crate::server) fn escalation(settled: &Settled) -> Option<pb::Escalation> {
    let asked = match &settled.asked.question {
        Question::Escalation(asked) => asked,
        Question::Attack(_) => return None,
    };
    let ruling = &settled.asked.ruling;
    let negotiation = (!asked.rounds.is_empty()).then(|| pb::Negotiation {
        rounds: asked.rounds.iter().map(round).collect(),
        attempts: asked.attempts,
        includes_pending_call: asked
            .rounds
            .last()
            .is_some_and(|last| Some(last.command.as_str()) == asked.call.command_text()),
        framed_lines: exchange(&asked.rounds),
    });
    let escalated_by = asked.rule.as_ref().filter(|_| asked.escalated_by.is_some());
    Some(pb::Escalation {
        escalation_id: settled.id.clone(),
        decision_id: ruling.decision_id.clone(),
        project: ruling.project.clone(),
        session_id: ruling.session.clone(),
        run_id: ruling.run.clone(),
        request_id: ruling.request_id.clone(),
        state: escalation_state(&settled.state).into(),
        raised_at: Some(timestamp(settled.raised_at)),
        expires_at: None,
        rung: rung(asked.rung).into(),
        stage: stage(asked.stage).into(),
        call: Some(call(&asked.call)),
        subject: Some(subject(&ruling.subject)),
        rating: asked.rating.as_ref().map(|found| rating(found, None)),
        escalated_by: escalated_by.map(|rule| super::rendered(&rule.entry)),
        negotiation,
        offer: Some(offer(asked.grant.as_ref(), asked.denial.as_ref())),
        prompt: Some(escalation_prompt(asked, &ruling.subject)),
        labels: ruling.labels.clone().into_iter().collect(),
        policy_revision: ruling.policy_revision.clone(),
        answer: answer_of(&settled.state),
    })
}

/// An attack halt and what became of it; `None` for an escalation.
pub(in crate::server) fn attack_halt(settled: &Settled) -> Option<pb::AttackHalt> {
    let halt = match &settled.asked.question {
        Question::Attack(halt) => halt,
        Question::Escalation(_) => return None,
    };
    let ruling = &settled.asked.ruling;
    Some(pb::AttackHalt {
        halt_id: settled.id.clone(),
        decision_id: ruling.decision_id.clone(),
        project: ruling.project.clone(),
        session_id: ruling.session.clone(),
        run_id: ruling.run.clone(),
        request_id: ruling.request_id.clone(),
        state: halt_state(&settled.state).into(),
        raised_at: Some(timestamp(settled.raised_at)),
        expires_at: None,
        rung: rung(halt.rung).into(),
        stage: stage(halt.stage).into(),
        call: Some(call(&halt.call)),
        subject: Some(subject(&ruling.subject)),
        rating: Some(rating(&halt.rating, None)),
        prompt: Some(attack_prompt(halt)),
        labels: ruling.labels.clone().into_iter().collect(),
        policy_revision: ruling.policy_revision.clone(),
        answer: answer_of(&settled.state),
    })
}
