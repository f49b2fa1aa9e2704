//! Asking the rater that is in force, and what is remembered of it.
//!
//! Promises that the words which a model was sent and what it answered are kept in the decision's own record and nowhere
//! else. Knows nothing of how a rater comes to its verdict.

use super::engine::Engine;
use crate::gate::{Moment, RatingRequest, RatingResult};
use crate::rater::{Assessed, Rater, RatingRecord, RatingScope};
use crate::trace::SPANS;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Which model rated, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingTrace {
    /// The profile that was asked; empty where it was the built-in rater.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub profile: String,
    /// The provider and the model; empty where none was asked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub model: String,
    /// Whether the rating was taken over from an identical question, earlier or under way.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reused: bool,
    /// How the model was asked; in the decision's own record only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempt: Option<Box<RatingAttempt>>,
}

/// How a model was asked, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RatingAttempt {
    /// When it was asked.
    pub started_at: Moment,
    /// The words, the answer and the measures.
    pub record: RatingRecord,
}

/// A rating as it came back.
#[derive(Debug)]
pub(super) struct Answered {
    pub(super) result: RatingResult,
    pub(super) trace: RatingTrace,
    pub(super) took: Duration,
}

impl Engine {
    /// The rater in force.
    #[must_use]
    pub fn rater(&self) -> Arc<dyn Rater> {
        Arc::clone(&self.inner.rater.load())
    }

    /// Asks the rater in force. A `fresh` rating is neither shared nor used again.
    pub(super) async fn ask_rater(
        &self,
        request: RatingRequest,
        project: &str,
        session: &str,
        fresh: bool,
    ) -> Answered {
        let started_at = self.now();
        let asked_at = Instant::now();
        let scope = RatingScope {
            project: project.to_owned(),
            session: session.to_owned(),
            share: !fresh,
            reuse: !fresh && self.policies().configuration().rater().reuse_ratings,
        };
        let span = tracing::info_span!(
            target: SPANS,
            "rate",
            haltgate.profile = request.profile.as_deref(),
            haltgate.outcome = tracing::field::Empty
        );
        let noted = span.clone();
        let Assessed { result, model, record, reused } =
            self.rater().assess(request, scope).instrument(span).await;
        let took = asked_at.elapsed();
        let profile = match (&record, &result) {
            (Some(record), _) => record.profile.clone(),
            (None, Ok(verdict)) => profile_of(&verdict.source),
            (None, Err(_)) => String::new(),
        };
        let attempt = record.map(|record| Box::new(RatingAttempt { started_at, record: *record }));
        let trace = RatingTrace { profile, model: model.unwrap_or_default(), reused, attempt };
        let outcome = result.as_ref().map_or_else(|cause| cause.as_str(), |verdict| verdict.outcome.as_str());
        noted.record("haltgate.outcome", outcome);
        self.note_rating(&result, &trace, took);
        Answered { result, trace, took }
    }
}

fn profile_of(source: &crate::gate::RatingSource) -> String {
    match source {
        crate::gate::RatingSource::Model(profile) => profile.clone(),
        crate::gate::RatingSource::BuiltIn | crate::gate::RatingSource::Floor => String::new(),
    }
}
