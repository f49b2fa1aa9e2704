//! Taking over a changed configuration while the gate runs.
//!
//! Promises that a good change holds from the next decision on and is recorded in the chain of every project, and that a
//! bad one changes nothing and is recorded as refused.

use super::changes::{Draft, RecordKind};
use super::engine::Engine;
use super::error::EngineError;
use super::policies::Policies;
use crate::config::{Configuration, Problems};
use crate::rater::Rater;
use crate::telemetry::Reload;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The project that always has a chain, so that a change is recorded even before the first decision.
pub const DEFAULT_PROJECT: &str = "default";

impl Engine {
    /// Takes a configuration over. Returns the revision that is now in force.
    ///
    /// # Errors
    /// Entries that do not compile: nothing changes. A store that cannot record the change: it holds all the same, and the
    /// error says that it is not recorded.
    pub async fn reload(&self, configuration: Configuration) -> Result<String, ReloadError> {
        self.reload_with(configuration, self.rater()).await
    }

    /// As [`Engine::reload`], with the rater of the new configuration. Ratings under way end with the old one.
    ///
    /// # Errors
    /// As [`Engine::reload`].
    pub async fn reload_with(
        &self,
        configuration: Configuration,
        rater: Arc<dyn Rater>,
    ) -> Result<String, ReloadError> {
        let policies = Policies::compile(configuration).map_err(ReloadError::Refused)?;
        // First: a policy may choose a profile that only the new rater knows.
        self.inner.rater.store(Arc::new(rater));
        let before = self.policies().revision().to_owned();
        let revision = policies.revision().to_owned();
        self.inner.policies.store(Arc::new(policies));
        self.note_reload(Reload::Applied);
        if before != revision {
            self.inner.policy_loaded_at.store(self.now().0, Ordering::Release);
            let body = json!({ "what": "applied", "revision_before": before, "revision": revision });
            self.record_everywhere(&format!("policy {revision} applied"), &body).await?;
        }
        Ok(revision)
    }

    /// Records that a configuration was refused, and why.
    ///
    /// # Errors
    /// The store cannot record it.
    pub async fn refuse_reload(&self, problems: &Problems) -> Result<(), EngineError> {
        self.note_reload(Reload::Refused);
        let body = json!({
            "what": "refused", "revision": self.policies().revision(),
            "problems": problems.list().iter().map(ToString::to_string).collect::<Vec<_>>(),
        });
        self.record_everywhere("policy change refused", &body).await
    }

    /// Records which policy is in force when the gate starts, where that is not the last thing recorded of it.
    ///
    /// # Errors
    /// The store cannot record it.
    pub async fn record_start(&self) -> Result<(), EngineError> {
        let revision = self.policies().revision().to_owned();
        let body = json!({ "what": "started", "revision": revision, "version": env!("CARGO_PKG_VERSION") });
        self.record_everywhere(&format!("started with policy {revision}"), &body).await
    }

    async fn record_everywhere(&self, text: &str, body: &serde_json::Value) -> Result<(), EngineError> {
        let mut projects = self.inner.store.projects().await?;
        if !projects.iter().any(|name| name == DEFAULT_PROJECT) {
            projects.push(DEFAULT_PROJECT.to_owned());
        }
        let now = self.now();
        let mut receipts = Vec::with_capacity(projects.len());
        for project in &projects {
            let mut draft = Draft::new(project, "", now);
            draft.record(RecordKind::Policy, text, body.clone());
            receipts.push(self.write(draft.finish_project()));
        }
        for receipt in receipts {
            receipt.await?;
        }
        Ok(())
    }
}

/// Why a configuration was not taken over, or not recorded.
#[derive(Debug, thiserror::Error)]
pub enum ReloadError {
    /// It holds entries that do not compile; the old policy stays.
    #[error("the policy was refused and the old one stays:\n{0}")]
    Refused(Problems),
    /// It is in force, and could not be recorded.
    #[error("the policy is in force, but that could not be recorded: {0}")]
    Unrecorded(#[from] EngineError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{Call, FailureCause, Floors, RatingRequest, ShellCall};
    use crate::rater::{Rater, Rating, Unassessed};
    use crate::session::RateWish;
    use crate::store::SqliteStore;

    /// A rater that can be told from others.
    #[derive(Debug)]
    struct Other;

    impl Rater for Other {
        fn rate(&self, _request: RatingRequest) -> Rating {
            Box::pin(std::future::ready(Err(FailureCause::Unparseable)))
        }
    }

    #[tokio::test]
    async fn a_reload_can_bring_another_rater() {
        let store = Arc::new(SqliteStore::ephemeral().unwrap());
        let policies = Policies::compile(Configuration::default()).unwrap();
        let engine = Engine::new(store, policies, Arc::new(Unassessed), Floors::NONE);
        let call = Call::Shell(ShellCall::new("ls"));
        let cause = async || {
            let rated = engine.rate("p", None, &call, &RateWish::default()).await.unwrap();
            rated.rating.cause.unwrap()
        };
        assert_eq!(cause().await, FailureCause::NotAssessed);
        engine.reload(Configuration::default()).await.unwrap();
        assert_eq!(cause().await, FailureCause::NotAssessed, "a plain reload keeps the rater");
        engine.reload_with(Configuration::default(), Arc::new(Other)).await.unwrap();
        assert_eq!(cause().await, FailureCause::Unparseable);
    }
}
