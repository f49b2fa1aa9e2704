//! Following the configuration while the gate runs.
//!
//! Promises a log line for every change: applied, refused, or waiting for a restart. Knows nothing of how files are
//! watched or policies compiled.

use super::failure::Failure;
use super::gate;
use crate::config;
use crate::config::{Configuration, DEFAULT_INTERVAL, Loaded, Problems, Retention, Source};
use crate::rater::Profiles;
use crate::server::{Notifier, Receivers, check_auth};
use crate::session::{Engine, ReloadError};
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::watch;

/// What a running gate takes over from a changed configuration.
pub(super) struct Following {
    engine: Engine,
    raters: Arc<Profiles>,
    notifier: Notifier,
    retention: watch::Sender<Retention>,
    /// Callers need credentials.
    guarded: bool,
}

impl Following {
    /// Begins with the receivers of notifications. Before anybody can ask: what is raised from the first call on is told.
    ///
    /// # Errors
    /// The store cannot say how far notifications have come.
    pub(super) async fn begin(
        engine: Engine,
        raters: Arc<Profiles>,
        receivers: Receivers,
    ) -> Result<Self, Failure> {
        let notifier = Notifier::start(engine.clone(), receivers).await.map_err(|error| {
            Failure::new(format!("how far notifications have come cannot be read: {error}"))
        })?;
        let retention = watch::Sender::new(engine.policies().configuration().retention().clone());
        let guarded = engine.policies().configuration().credentials_required();
        Ok(Self { engine, raters, notifier, retention, guarded })
    }

    /// Takes over good changes and refuses bad ones, until it is dropped.
    pub(super) async fn run(mut self, source: Source, loaded: Loaded) {
        let started_with = loaded.configuration.clone();
        let retaining = self.engine.clone().retain(self.retention.subscribe());
        // A change takes a while to be seen: the channel never holds more than a few.
        let (sender, mut changes) = unbounded_channel();
        let watching = config::watch(source, &loaded, DEFAULT_INTERVAL, |change| {
            // The receiver lives as long as this future.
            let _received = sender.send(change);
        });
        let applying = async {
            while let Some(change) = changes.recv().await {
                match change {
                    Ok(loaded) => self.apply(&started_with, loaded).await,
                    Err(problems) => self.refuse(&problems).await,
                }
            }
        };
        tokio::join!(watching, applying, retaining);
    }

    async fn apply(&mut self, started_with: &Configuration, loaded: Loaded) {
        for warning in loaded.warnings.list() {
            tracing::warn!(%warning, "configuration");
        }
        let sections = started_with.waiting_for_restart(&loaded.configuration);
        if !sections.is_empty() {
            tracing::warn!(?sections, "these sections of the configuration wait for a restart");
        }
        let before = self.engine.policies().revision().to_owned();
        let retention = loaded.configuration.retention().clone();
        let raters = gate::raters(&loaded.configuration, Some(self.raters.as_ref()));
        let receivers = Receivers::set_up(loaded.configuration.notifications());
        let auth = if self.guarded { check_auth(&loaded.configuration) } else { Ok(()) };
        let (raters, receivers) = match (raters, receivers, auth) {
            (Ok(raters), Ok(receivers), Ok(())) => (raters, receivers),
            (raters, receivers, auth) => {
                let problems = raters.err().into_iter().chain(receivers.err()).chain(auth.err());
                let all = problems.flat_map(|problems| problems.list().to_vec()).collect();
                return self.refuse(&Problems::new(all)).await;
            }
        };
        let budgets = loaded.configuration.limits().ratings.clone();
        let reloaded = self.engine.reload_with(loaded.configuration, Arc::clone(&raters) as _).await;
        if let Err(ReloadError::Refused(problems)) = &reloaded {
            return self.refuse(problems).await;
        }
        raters.budgets().allow(budgets);
        self.raters = raters;
        self.retention.send_if_modified(|before| std::mem::replace(before, retention.clone()) != retention);
        match reloaded {
            Ok(revision) if revision == before => {
                tracing::info!(%revision, "the configuration changed, the policy did not")
            }
            Ok(revision) => tracing::info!(%revision, %before, "a changed policy is in force"),
            Err(error) => tracing::error!(%error, "a changed policy is in force and not recorded"),
        }
        if let Err(error) = self.notifier.replace(receivers).await {
            tracing::error!(%error, "receivers of notifications could not be begun with; they are told nothing");
        }
    }

    async fn refuse(&self, problems: &Problems) {
        for problem in problems.list() {
            tracing::error!(%problem, "configuration");
        }
        tracing::error!(
            revision = self.engine.policies().revision(),
            "the change was refused, the old policy stays"
        );
        if let Err(error) = self.engine.refuse_reload(problems).await {
            tracing::error!(%error, "the refusal could not be recorded");
        }
    }
}
