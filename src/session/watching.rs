//! Who watches for attack halts: a halt waits for an answer only while somebody who may answer is connected.
//!
//! Promises that a halt nobody watches any more is settled as unattended, after a moment in which a connection may be made
//! anew, and that one whose watchers were sent away by a gate that shuts down waits for them to find the next one. Nothing is
//! ever let through by it. Knows nothing of how watchers are connected.

use super::answering::settle_unanswered;
use super::changes::Draft;
use super::engine::Engine;
use super::error::EngineError;
use super::live::LiveSession;
use super::ruling::{QuestionState, Settled};
use crate::gate::{Action, HumanSaid};
use crate::store::{HaltRow, Receipt};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a halt goes on waiting after its last watcher has left: a connection that broke is usually made anew by then.
pub const RECONNECT: Duration = Duration::from_secs(5);

/// How long halts that were open when the gate was started wait for their watchers to come back.
pub const RETURN: Duration = Duration::from_secs(30);

/// What a watcher looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    pub(super) project: String,
    /// Only this session.
    pub(super) session: Option<String>,
    /// Only this run.
    pub(super) run: Option<String>,
}

impl View {
    pub(super) fn covers(&self, project: &str, session: &str, run: &str) -> bool {
        self.project == project
            && self.session.as_deref().is_none_or(|only| only == session)
            && self.run.as_deref().is_none_or(|only| only == run)
    }
}

#[derive(Debug, Default)]
struct Watchers {
    next: u64,
    views: HashMap<u64, View>,
}

/// Everybody who watches at the moment.
#[derive(Debug, Default)]
pub(super) struct Watching {
    watchers: Mutex<Watchers>,
    /// The gate shuts down: who leaves now was sent away.
    closing: AtomicBool,
}

impl Watching {
    fn lock(&self) -> MutexGuard<'_, Watchers> {
        self.watchers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether somebody who may answer watches this run.
    pub(super) fn covers(&self, project: &str, session: &str, run: &str) -> bool {
        self.lock().views.values().any(|view| view.covers(project, session, run))
    }

    fn join(&self, view: View) -> u64 {
        let mut watchers = self.lock();
        watchers.next += 1;
        let id = watchers.next;
        watchers.views.insert(id, view);
        id
    }

    fn leave(&self, id: u64) -> Option<View> {
        self.lock().views.remove(&id)
    }
}

/// Somebody who watches and may answer, until this is dropped.
#[derive(Debug)]
pub(super) struct Watcher {
    engine: Engine,
    id: u64,
}

impl Watcher {
    pub(super) fn join(engine: &Engine, view: View) -> Self {
        Self { id: engine.inner.watching.join(view), engine: engine.clone() }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let Some(view) = self.engine.inner.watching.leave(self.id) else { return };
        // Outside of a runtime nothing can wait for the watcher to come back; the next start of the gate looks after it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            // Waiting must not keep alive a gate that is being given up.
            let engine = Arc::downgrade(&self.engine.inner);
            runtime.spawn(async move {
                tokio::time::sleep(RECONNECT).await;
                if let Some(inner) = engine.upgrade()
                    && !inner.watching.closing.load(Ordering::Acquire)
                {
                    Engine { inner }.settle_unwatched(Some(&view.project)).await;
                }
            });
        }
    }
}

impl Engine {
    /// Settles every open halt that nobody watches as unattended: of one project, or of all.
    pub async fn settle_unwatched(&self, project: Option<&str>) {
        let open = match self.inner.store.open_halts(project, None).await {
            Ok(open) => open,
            Err(error) => {
                tracing::warn!(%error, "open attack halts could not be read; they stay open");
                return;
            }
        };
        for halt in open {
            if let Err(error) = self.settle_if_unwatched(&halt).await {
                tracing::warn!(%error, halt_id = %halt.id, "an attack halt that nobody watches stays open");
            }
        }
    }

    async fn settle_if_unwatched(&self, halt: &HaltRow) -> Result<(), EngineError> {
        let Some(live) = self.find(&halt.project, &halt.session).await? else { return Ok(()) };
        let Some((receipt, settled)) = self.unattended(halt, &live)? else { return Ok(()) };
        let settled = self.publish(&live, receipt, settled).await?;
        let ruling = &settled.asked.ruling;
        tracing::info!(
            project = ruling.project,
            session = ruling.session,
            decision_id = ruling.decision_id,
            "nobody watches the attack halt any more; its run stays halted"
        );
        Ok(())
    }

    fn unattended(
        &self,
        halt: &HaltRow,
        session: &LiveSession,
    ) -> Result<Option<(Receipt, Settled)>, EngineError> {
        let mut live = session.lock();
        if live.broken {
            return Ok(None);
        }
        let run = halt.run.as_deref().unwrap_or_default();
        // Under the session's lock, like the decision that asks whether anybody watches.
        if self.inner.watching.covers(&halt.project, &halt.session, run) {
            return Ok(None);
        }
        let Some(open) = live.open.get_mut(&halt.id).filter(|open| !open.settling) else { return Ok(None) };
        let (state, now) = (QuestionState::Unattended, self.now());
        let mut draft = Draft::new(&session.project, &session.session, now);
        let drafted = settle_unanswered(&mut draft, &halt.id, open, state, now, |decision| {
            decision.action = Action::Halt;
            decision.human = Some(HumanSaid::Nobody);
        })
        .and_then(|settled| Ok((draft.finish(&mut live)?, settled)));
        match drafted {
            Ok((batch, settled)) => Ok(Some((self.write(batch), settled))),
            Err(error) => {
                live.broken = true;
                Err(error)
            }
        }
    }

    /// From now on halts stay open whoever leaves: their watchers are sent away, and come back to the gate that is started next.
    pub fn leave_halts_open(&self) {
        self.inner.watching.closing.store(true, Ordering::Release);
    }

    /// Gives the watchers of halts that were open when the gate was started time to come back.
    pub fn await_watchers(&self) {
        let engine = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            tokio::time::sleep(RETURN).await;
            if let Some(inner) = engine.upgrade()
                && !inner.watching.closing.load(Ordering::Acquire)
            {
                Engine { inner }.settle_unwatched(None).await;
            }
        });
    }
}
