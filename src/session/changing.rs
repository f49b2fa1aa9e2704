//! One change of one session: made under its lock, durable before it is told.
//!
//! Promises that a change is made on a state that the store holds, once, and that a caller who goes away cannot hide that
//! it failed. Knows nothing of what the change is.

use super::deciding::RETRY;
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, LiveSession};
use super::ruling::Settled;
use crate::gate::GrantBook;
use crate::store::Receipt;
use std::sync::Arc;

/// What a change comes to.
pub(super) struct Changed<T> {
    /// What must become durable; `None` when nothing changed.
    pub(super) receipt: Option<Receipt>,
    /// The questions that it ends: whoever waits for them is told as soon as it is durable.
    pub(super) ended: Vec<Settled>,
    /// What the caller is told once it is.
    pub(super) told: T,
}

/// The session that a change is made on, under its lock, with the project's grants.
pub(super) struct Locked<'a> {
    pub(super) session: &'a LiveSession,
    pub(super) live: &'a mut Live,
    pub(super) persisted: &'a mut GrantBook,
}

impl Engine {
    /// Changes a session that was opened before.
    pub(super) async fn change<T>(
        &self,
        project: &str,
        session: &str,
        make: impl Fn(Locked<'_>) -> Result<Changed<T>, EngineError>,
    ) -> Result<(Arc<LiveSession>, T), EngineError> {
        loop {
            let live = self.existing(project, session).await?;
            if let Some(told) = self.change_once(&live, &make).await? {
                return Ok((live, told));
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Changes a session, which is opened where it never was.
    pub(super) async fn change_or_open<T>(
        &self,
        project: &str,
        session: &str,
        make: impl Fn(Locked<'_>) -> Result<Changed<T>, EngineError>,
    ) -> Result<T, EngineError> {
        loop {
            let live = self.find_or_open(project, session).await?;
            if let Some(told) = self.change_once(&live, &make).await? {
                return Ok(told);
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// `None` when the session, or its project's grants, must be read anew first.
    async fn change_once<T>(
        &self,
        live: &Arc<LiveSession>,
        make: &impl Fn(Locked<'_>) -> Result<Changed<T>, EngineError>,
    ) -> Result<Option<T>, EngineError> {
        let project = self.project(&live.project).await?;
        let changed = {
            let mut guard = live.lock();
            match project.persisted() {
                Some(mut persisted) if !guard.broken => {
                    make(Locked { session: live, live: &mut guard, persisted: &mut persisted })?
                }
                Some(_) | None => return Ok(None),
            }
        };
        if let Some(receipt) = changed.receipt {
            self.durable(live, receipt, changed.ended).await?;
        }
        Ok(Some(changed.told))
    }
}
