//! Following the configuration while the gate runs.
//!
//! Promises a log line for every change: applied, refused, or waiting for a restart. Knows nothing of how files are
//! watched or policies compiled.

use super::gate;
use crate::config::{Configuration, DEFAULT_INTERVAL, Loaded, Problems, Source, watch};
use crate::rater::Profiles;
use crate::session::{Engine, ReloadError};
use std::sync::Arc;
use tokio::sync::mpsc::unbounded_channel;

/// Takes over good changes and refuses bad ones, until it is dropped.
pub(super) async fn follow(engine: Engine, source: Source, loaded: Loaded, mut raters: Arc<Profiles>) {
    let started_with = loaded.configuration.clone();
    // A change takes a while to be seen: the channel never holds more than a few.
    let (sender, mut changes) = unbounded_channel();
    let watching = watch(source, &loaded, DEFAULT_INTERVAL, |change| {
        // The receiver lives as long as this future.
        let _received = sender.send(change);
    });
    let applying = async {
        while let Some(change) = changes.recv().await {
            match change {
                Ok(loaded) => apply(&engine, &started_with, loaded, &mut raters).await,
                Err(problems) => refuse(&engine, &problems).await,
            }
        }
    };
    tokio::join!(watching, applying);
}

async fn apply(engine: &Engine, started_with: &Configuration, loaded: Loaded, raters: &mut Arc<Profiles>) {
    for warning in loaded.warnings.list() {
        tracing::warn!(%warning, "configuration");
    }
    let sections = started_with.waiting_for_restart(&loaded.configuration);
    if !sections.is_empty() {
        tracing::warn!(?sections, "these sections of the configuration wait for a restart");
    }
    let before = engine.policies().revision().to_owned();
    let anew = match gate::raters(&loaded.configuration, Some(raters.as_ref())) {
        Ok(anew) => anew,
        Err(problems) => return refuse(engine, &problems).await,
    };
    let reloaded = engine.reload_with(loaded.configuration, Arc::clone(&anew) as _).await;
    if !matches!(reloaded, Err(ReloadError::Refused(_))) {
        *raters = anew;
    }
    match reloaded {
        Ok(revision) if revision == before => {
            tracing::info!(%revision, "the configuration changed, the policy did not")
        }
        Ok(revision) => tracing::info!(%revision, %before, "a changed policy is in force"),
        Err(ReloadError::Refused(problems)) => refuse(engine, &problems).await,
        Err(ReloadError::Unrecorded(error)) => {
            tracing::error!(%error, "a changed policy is in force and not recorded")
        }
    }
}

async fn refuse(engine: &Engine, problems: &Problems) {
    for problem in problems.list() {
        tracing::error!(%problem, "configuration");
    }
    tracing::error!(revision = engine.policies().revision(), "the change was refused, the old policy stays");
    if let Err(error) = engine.refuse_reload(problems).await {
        tracing::error!(%error, "the refusal could not be recorded");
    }
}
