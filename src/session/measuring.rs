//! What a gate counts and logs of its own work, and how it stands at the moment.
//!
//! Promises one log line per decision and per answer, with ids and without anything of the call: no command, no argument, no
//! reason, no message. Knows nothing of who reads it.

use super::changes::is_halt;
use super::engine::Engine;
use super::rating::RatingTrace;
use super::ruling::{Given, QuestionState, Ruling, Settled};
use crate::display::one_line;
use crate::gate::{AttackAnswer, HumanVerdict, Outcome, RatingResult};
use crate::store::{Batch, Health, QuestionKind, Receipt};
use crate::telemetry::{Answer, FeedState, Kind, Metrics, Observed, Reload, Source};
use crate::trace::{self, TraceContext};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long looking at the store may take: whoever asks wants to know the rest, too.
const LOOKING: Duration = Duration::from_secs(2);

impl Engine {
    /// What the gate counts.
    #[must_use]
    pub fn metrics(&self) -> &Arc<Metrics> {
        &self.inner.metrics
    }

    /// How the gate stands at the moment. What the store does not tell is absent.
    pub async fn observe(&self) -> Observed {
        let policies = self.policies();
        let counted = tokio::time::timeout(LOOKING, self.inner.store.open_counts()).await;
        let open_questions = match counted {
            Ok(Ok(counts)) => Some((counts.escalations, counts.halts)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "open questions could not be counted");
                None
            }
            Err(_elapsed) => None,
        };
        Observed {
            store_up: self.inner.store.health() == Health::Available,
            policy_revision: policies.revision().to_owned(),
            policy_loaded_at: self.policy_loaded_at().0.div_euclid(1_000_000),
            open_questions,
            live_sessions: self.live_sessions(),
            escalation_feeds: self.feed_state(QuestionKind::Escalation),
            halt_feeds: self.feed_state(QuestionKind::Halt),
            models: self.rater().usage(),
        }
    }

    fn feed_state(&self, kind: QuestionKind) -> FeedState {
        let head = *self.inner.store.feed_head().borrow();
        self.inner.feeds.state(kind, head)
    }

    /// Hands a batch to the store, and measures how long it takes to be durable.
    pub(super) fn write(&self, batch: Batch) -> Receipt {
        let metrics = Arc::clone(&self.inner.metrics);
        let holds_records = !batch.records.is_empty();
        let handed_over = Instant::now();
        self.inner.store.submit(batch).observed(move |outcome| match outcome {
            Ok(_) => metrics.committed(handed_over.elapsed()),
            Err(_) => metrics.not_committed(holds_records),
        })
    }

    /// Counts and logs a decision that is durable.
    pub(super) fn note_decision(&self, ruling: &Ruling) {
        let decision = &ruling.decision;
        let took = Duration::from_micros(ruling.timing.deciding_us);
        self.inner.metrics.decided(decision.action, decision.stage, took);
        tracing::info!(
            decision_id = %ruling.decision_id,
            project = %one_line(&ruling.project),
            session = %one_line(&ruling.session),
            run = %one_line(&ruling.run),
            request_id = %one_line(&ruling.request_id),
            caller = %one_line(&ruling.caller),
            action = %decision.action,
            stage = %decision.stage,
            rung = %decision.rung,
            rating = decision.rating.as_ref().map(|rating| rating.outcome.as_str()),
            escalation_id = ruling.escalation_id,
            halt_id = ruling.halt_id,
            policy = %ruling.policy_revision,
            deciding_us = ruling.timing.deciding_us,
            rating_us = ruling.timing.rating_us,
            x_request_id = trace::request_id().as_deref(),
            trace_id = ruling.trace.as_ref().map(TraceContext::trace_id),
            "decided"
        );
    }

    /// Says in the span of the request what was decided.
    pub(super) fn note_in_span(ruling: &Ruling) {
        let span = tracing::Span::current();
        span.record("haltgate.action", ruling.decision.action.as_str());
        span.record("haltgate.stage", ruling.decision.stage.as_str());
    }

    /// Counts a request that was given an earlier decision.
    pub(super) fn note_replay(&self, ruling: &Ruling) {
        self.inner.metrics.replayed();
        tracing::debug!(decision_id = %ruling.decision_id, "decided before");
    }

    /// Counts a rating, as the rater gave it.
    pub(super) fn note_rating(&self, result: &RatingResult, trace: &RatingTrace, took: Duration) {
        let source = if trace.profile.is_empty() { Source::BuiltIn } else { Source::Model };
        // No verdict counts as destructive, as it does in the decision.
        let (outcome, cause) = match result {
            Ok(verdict) => (verdict.outcome, verdict.cause),
            Err(cause) => (Outcome::Destructive, Some(*cause)),
        };
        self.inner.metrics.rated(source, outcome, cause, trace.reused, took);
    }

    /// Counts and logs a question that ended, once that is durable.
    pub(super) fn note_ending(&self, settled: &Settled) {
        let kind = if is_halt(&settled.asked) { Kind::Halt } else { Kind::Escalation };
        let (answer, answered_by) = match &settled.state {
            QuestionState::Answered(answered) => {
                let answer = match &answered.given {
                    Given::Escalation(given) => match given.verdict {
                        HumanVerdict::Approve(_) => Answer::Approved,
                        HumanVerdict::Reject(_) => Answer::Rejected,
                    },
                    Given::Attack(AttackAnswer::RunAnyway) => Answer::Approved,
                    Given::Attack(AttackAnswer::Stop) => Answer::Rejected,
                };
                (answer, answered.answered_by.as_str())
            }
            QuestionState::Open
            | QuestionState::Unattended
            | QuestionState::Withdrawn
            | QuestionState::Expired => (Answer::Unanswered, ""),
        };
        let ruling = &settled.asked.ruling;
        let waited = Duration::from_micros(ruling.timing.human_us);
        self.inner.metrics.answered(kind, answer, waited);
        tracing::info!(
            id = %settled.id,
            kind = kind.as_str(),
            answer = answer.as_str(),
            answered_by = %one_line(answered_by),
            decision_id = %ruling.decision_id,
            project = %one_line(&ruling.project),
            session = %one_line(&ruling.session),
            action = %ruling.decision.action,
            x_request_id = trace::request_id().as_deref(),
            trace_id = ruling.trace.as_ref().map(TraceContext::trace_id),
            human_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX),
            "answered"
        );
    }

    /// Counts what became of a changed configuration.
    pub(super) fn note_reload(&self, result: Reload) {
        self.inner.metrics.reloaded(result);
    }
}
