//! A human's answer: the first one wins, and it holds only once it is durable.
//!
//! Promises that a scope which is not on offer is refused, that a second answer is told what the first was, that closing a
//! session withdraws what it still asks, and that what was asked ends where nobody can answer any more.

use super::changes::{Draft, answered, is_halt, new_id, question_state};
use super::deciding::RETRY;
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, LiveSession, OpenQuestion};
use super::ruling::{Answered, Asked, Given, Question, QuestionState, Ruling, Settled};
use crate::access::Caller;
use crate::gate::{
    Action, Decision, Effect, Escalation, HumanAnswer, HumanSaid, HumanVerdict, Moment, Next, Progress,
    RejectScope, Scope, answer, answer_attack,
};
use crate::store::{QuestionRow, Receipt};
use crate::trace::carried;
use std::sync::Arc;
use tokio::sync::watch;

/// Which question is answered, and how.
#[derive(Debug, Clone)]
pub struct Reply {
    /// The project.
    pub project: String,
    /// The escalation's or halt's id.
    pub id: String,
    /// The answer.
    pub given: Given,
    /// Who answers.
    pub caller: Arc<Caller>,
    /// What they say about it.
    pub comment: Option<String>,
    /// Makes a retry safe.
    pub request_id: Option<String>,
}

impl Engine {
    /// Takes a human's answer to an escalation or a halt.
    ///
    /// # Errors
    /// It does not exist, was answered before, needs no answer any more, or the scope is not on offer.
    pub async fn answer(&self, reply: Reply) -> Result<Settled, EngineError> {
        let row = self.question(&reply).await?.filter(|row| row.project == reply.project);
        let Some(row) = row else { return Err(not_found(&reply)) };
        loop {
            let Some(live) = self.find(&row.project, &row.session).await? else {
                return Err(not_found(&reply));
            };
            let project = self.project(&row.project).await?;
            let step = {
                let mut guard = live.lock();
                match project.persisted() {
                    Some(mut persisted) if !guard.broken => {
                        self.settle(&reply, &live, &mut guard, &mut persisted)?
                    }
                    Some(_) | None => Step::Broken,
                }
            };
            return match step {
                Step::Commit(receipt, settled) => {
                    let engine = self.clone();
                    let publishing = async move { engine.publish(&live, receipt, *settled).await };
                    let durable = tokio::spawn(carried(publishing));
                    durable.await.map_err(|error| EngineError::Internal(error.to_string()))?
                }
                Step::Settling(mut watching) => {
                    if watching.wait_for(Option::is_some).await.is_err() {
                        // The other answer could not be made durable: this one may try.
                        continue;
                    }
                    self.second(&reply).await
                }
                Step::Gone => self.second(&reply).await,
                Step::Broken => {
                    tokio::time::sleep(RETRY).await;
                    continue;
                }
            };
        }
    }

    /// The scopes that the question offers for a refusal.
    ///
    /// # Errors
    /// It does not exist, was answered before, or needs no answer any more.
    pub async fn refusal_scopes(&self, reply: &Reply) -> Result<Vec<Scope>, EngineError> {
        let row = self.question(reply).await?.filter(|row| row.project == reply.project);
        let Some(row) = row else { return Err(not_found(reply)) };
        let settled = read_settled(row)?;
        match (&settled.state, &settled.asked.question) {
            (QuestionState::Open, Question::Escalation(escalation)) => {
                let session = escalation.offers(HumanVerdict::Reject(RejectScope::Session));
                Ok([Scope::Once].into_iter().chain(session.then_some(Scope::Session)).collect())
            }
            (QuestionState::Open, Question::Attack(_)) => Ok(vec![Scope::Once]),
            (
                QuestionState::Answered(_)
                | QuestionState::Unattended
                | QuestionState::Withdrawn
                | QuestionState::Expired,
                _,
            ) => self.second(reply).await.map(|_| Vec::new()),
        }
    }

    async fn question(&self, reply: &Reply) -> Result<Option<QuestionRow>, EngineError> {
        Ok(match reply.given {
            Given::Escalation(_) => self.inner.store.escalation(&reply.id).await?,
            Given::Attack(_) => self.inner.store.halt(&reply.id).await?,
        })
    }

    fn settle(
        &self,
        reply: &Reply,
        session: &LiveSession,
        live: &mut Live,
        persisted: &mut crate::gate::GrantBook,
    ) -> Result<Step, EngineError> {
        let Some(open) = live.open.get_mut(&reply.id) else { return Ok(Step::Gone) };
        if open.settling {
            return Ok(Step::Settling(open.settled.subscribe()));
        }
        let asked = open.asked.clone();
        let raised_at = open.raised_at;
        let policy = self.policies().get(&session.project, live.profile.command.as_deref());
        let mut around = self.surroundings(&policy, persisted, true);
        let now = around.now;
        let progress = match (&asked.question, &reply.given) {
            (Question::Escalation(escalation), Given::Escalation(given)) => {
                check_offer(&reply.id, escalation, given)?;
                answer(&mut around, &mut live.state, escalation, given)
            }
            (Question::Attack(halt), Given::Attack(given)) => answer_attack(&mut live.state, halt, *given),
            (Question::Escalation(_), Given::Attack(_)) | (Question::Attack(_), Given::Escalation(_)) => {
                return Err(not_found(reply));
            }
        };
        let submitted = self.submit_answer(reply, session, live, asked, raised_at, progress, now);
        if submitted.is_err() {
            live.broken = true;
        }
        let (receipt, settled) = submitted?;
        if let Some(open) = live.open.get_mut(&reply.id) {
            open.settling = true;
        }
        Ok(Step::Commit(receipt, Box::new(settled)))
    }

    #[allow(clippy::too_many_arguments)] // The facts of one answer, used once.
    fn submit_answer(
        &self,
        reply: &Reply,
        session: &LiveSession,
        live: &mut Live,
        mut asked: Asked,
        raised_at: Moment,
        progress: Progress,
        now: Moment,
    ) -> Result<(Receipt, Settled), EngineError> {
        let Progress { next, effects } = progress;
        let Next::Decided(decision) = next else {
            return Err(EngineError::Internal("an answer did not settle its question".to_owned()));
        };
        let stored = stored_offer(&asked, &effects);
        let given = Answered {
            given: reply.given.clone(),
            answered_by: reply.caller.name.clone(),
            answered_role: Some(reply.caller.role.as_str().to_owned()),
            answered_via: Some(reply.caller.via.as_str().to_owned()),
            answered_at: now,
            comment: reply.comment.clone(),
            stored,
            request_id: reply.request_id.clone(),
        };
        let mut draft = Draft::new(&session.project, &session.session, now).by(&reply.caller);
        draft.apply(effects, &asked.ruling.decision_id)?;
        asked.ruling.decision = *decision;
        asked.ruling.answer = Some(given.clone());
        asked.ruling.budget_after = live.state.negotiation.budget();
        asked.ruling.run_halted = live.state.halted_runs.contains_key(&asked.ruling.run);
        settle_timing(&mut asked.ruling, raised_at, now);
        let state = QuestionState::Answered(Box::new(given));
        draft.settle(&reply.id, is_halt(&asked), &state)?;
        draft.decision(&asked.ruling, &new_id())?;
        draft.request(&asked.ruling, &asked.fingerprint)?;
        let batch = draft.finish(live)?;
        let settled = Settled { id: reply.id.clone(), raised_at, asked, state };
        Ok((self.write(batch), settled))
    }

    /// Waits until the answer is durable, then tells everybody who waits for it.
    pub(super) async fn publish(
        &self,
        live: &LiveSession,
        receipt: Receipt,
        settled: Settled,
    ) -> Result<Settled, EngineError> {
        if let Err(error) = receipt.await {
            self.fail(live).await;
            return Err(error.into());
        }
        self.note_ending(&settled);
        tell(&mut live.lock(), settled.clone());
        Ok(settled)
    }

    /// What whoever answers second is told.
    async fn second(&self, reply: &Reply) -> Result<Settled, EngineError> {
        let Some(row) = self.question(reply).await? else { return Err(not_found(reply)) };
        let mut settled = read_settled(row)?;
        // The question keeps the ruling as it was asked; what the answer made of it is with the request.
        settled.asked.ruling = self.latest(settled.asked.ruling).await?;
        let retried = answered(&settled.state).is_some_and(|first| {
            first.request_id.is_some()
                && first.request_id == reply.request_id
                && first.answered_by == reply.caller.name
                && first.given == reply.given
                && first.comment == reply.comment
        });
        if retried {
            return Ok(settled);
        }
        match &settled.state {
            QuestionState::Answered(_) => {
                Err(EngineError::AlreadyAnswered { id: reply.id.clone(), settled: Box::new(settled) })
            }
            QuestionState::Unattended | QuestionState::Withdrawn | QuestionState::Expired => {
                Err(EngineError::NoLongerOpen { id: reply.id.clone(), settled: Box::new(settled) })
            }
            QuestionState::Open => {
                Err(EngineError::Internal("an open question is not known to its session".to_owned()))
            }
        }
    }
}

/// Ends every open question of a session without an answer: it is being closed, or nobody can answer in it any more.
pub(super) fn end_open(
    live: &mut Live,
    draft: &mut Draft<'_>,
    now: Moment,
    state: QuestionState,
) -> Result<Vec<Settled>, EngineError> {
    let mut ended = Vec::new();
    for (id, open) in live.open.iter_mut().filter(|(_, open)| !open.settling) {
        let unattended = open.unattended();
        ended.push(settle_unanswered(draft, id, open, state.clone(), now, |decision| {
            match (&state, unattended) {
                (QuestionState::Unattended, Some(message)) => {
                    decision.action = Action::Unattended;
                    decision.human = Some(HumanSaid::Nobody);
                    decision.message = message;
                }
                (_, Some(_)) => {
                    decision.action = Action::Reject;
                    "The session was closed before anybody answered; this counts as refused."
                        .clone_into(&mut decision.message);
                }
                (QuestionState::Unattended, None) => {
                    decision.action = Action::Halt;
                    decision.human = Some(HumanSaid::Nobody);
                }
                (_, None) => decision.action = Action::Halt,
            }
        })?);
    }
    Ok(ended)
}

/// Tells everybody who waits for a question what became of it, once that is durable.
pub(super) fn tell(live: &mut Live, settled: Settled) {
    let ruling = &settled.asked.ruling;
    live.requests.remember(&ruling.request_id, &settled.asked.fingerprint, Arc::new(ruling.clone()));
    if let Some(open) = live.open.remove(&settled.id) {
        open.settled.send_replace(Some(Arc::new(settled)));
    }
}

enum Step {
    Commit(Receipt, Box<Settled>),
    Settling(watch::Receiver<Option<Arc<Settled>>>),
    Gone,
    Broken,
}

fn check_offer(id: &str, escalation: &Escalation, given: &HumanAnswer) -> Result<(), EngineError> {
    if escalation.offers(given.verdict) {
        return Ok(());
    }
    let (scope, offered) = match given.verdict {
        HumanVerdict::Approve(scope) => (
            scope,
            [Scope::Once, Scope::Session, Scope::Always]
                .into_iter()
                .filter(|scope| escalation.offers(HumanVerdict::Approve(*scope)))
                .map(|scope| scope.as_str().to_owned())
                .collect(),
        ),
        HumanVerdict::Reject(RejectScope::Once) => (Scope::Once, vec![Scope::Once.as_str().to_owned()]),
        HumanVerdict::Reject(RejectScope::Session) => (Scope::Session, vec![Scope::Once.as_str().to_owned()]),
    };
    Err(EngineError::ScopeNotOffered { id: id.to_owned(), scope: scope.as_str().to_owned(), offered })
}

/// The offer that the answer really stored.
fn stored_offer(asked: &Asked, effects: &[Effect]) -> Option<crate::gate::Offer> {
    let escalation = match &asked.question {
        Question::Escalation(escalation) => escalation,
        Question::Attack(_) => return None,
    };
    effects.iter().find_map(|effect| match effect {
        Effect::GrantAdded(_) => escalation.grant.clone(),
        Effect::DenialAdded(_) => escalation.denial.clone(),
        Effect::SessionChanged
        | Effect::GrantRemoved { .. }
        | Effect::GrantUsed { .. }
        | Effect::RunHalted { .. }
        | Effect::RunResumed { .. } => None,
    })
}

/// Ends the wait for an answer that nobody gave; `rule` says what becomes of the decision.
pub(super) fn settle_unanswered(
    draft: &mut Draft<'_>,
    id: &str,
    open: &mut OpenQuestion,
    state: QuestionState,
    now: Moment,
    rule: impl FnOnce(&mut Decision),
) -> Result<Settled, EngineError> {
    // An answer that comes meanwhile is told that nothing waits any more.
    open.settling = true;
    let mut asked = open.asked.clone();
    rule(&mut asked.ruling.decision);
    settle_timing(&mut asked.ruling, open.raised_at, now);
    draft.settle(id, is_halt(&asked), &state)?;
    draft.decision(&asked.ruling, &new_id())?;
    draft.request(&asked.ruling, &asked.fingerprint)?;
    Ok(Settled { id: id.to_owned(), raised_at: open.raised_at, asked, state })
}

fn settle_timing(ruling: &mut Ruling, raised_at: Moment, now: Moment) {
    ruling.timing.settled_at = Some(now);
    ruling.timing.human_us = u64::try_from(now.0.saturating_sub(raised_at.0)).unwrap_or_default();
}

/// A stored question and what became of it.
pub(super) fn read_settled(row: QuestionRow) -> Result<Settled, EngineError> {
    let state = question_state(&row)?;
    let asked: Asked =
        serde_json::from_str(&row.body_json).map_err(|error| EngineError::unreadable("question", &error))?;
    Ok(Settled { id: row.id, raised_at: Moment(row.raised_at), asked, state })
}

fn not_found(reply: &Reply) -> EngineError {
    match reply.given {
        Given::Escalation(_) => EngineError::EscalationNotFound { id: reply.id.clone() },
        Given::Attack(_) => EngineError::HaltNotFound { id: reply.id.clone() },
    }
}
