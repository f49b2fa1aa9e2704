//! How many of a kind a project holds.
//!
//! Promises that no more are let in than the limit says, at the price of sometimes turning one away for a moment: between two
//! counts of the store it only adds, and what went away in other ways is noticed when it is counted again, which happens when
//! the limit seems to be reached, and not more often than the store bears. Knows nothing of what is counted.

use super::engine::{Engine, Project};
use super::error::{Crowd, EngineError};
use crate::store::{Batch, StoreError};
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The least time between two counts.
const BETWEEN: Duration = Duration::from_secs(1);

/// How many of a kind there are, at most.
#[derive(Debug, Default)]
pub(super) struct Tally {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    count: u64,
    /// Everything that was ever let in, for what happens while the store is counted.
    admitted: u64,
    counted_at: Option<Instant>,
}

impl Tally {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets one more in; without room, how long it is until the next count.
    pub(super) fn admit(&self, limit: u32) -> Result<(), Duration> {
        let mut state = self.lock();
        if state.count >= u64::from(limit) {
            let since = state.counted_at.map(|counted_at| counted_at.elapsed()).unwrap_or_default();
            return Err(BETWEEN.saturating_sub(since).max(Duration::from_millis(1)));
        }
        state.count += 1;
        state.admitted += 1;
        Ok(())
    }

    /// One has gone, or did not come.
    pub(super) fn left(&self) {
        let mut state = self.lock();
        state.count = state.count.saturating_sub(1);
    }

    /// Counts where nothing is known, or where there seems to be no room.
    async fn refresh<Counting>(&self, limit: u32, count: impl FnOnce() -> Counting) -> Result<(), StoreError>
    where
        Counting: Future<Output = Result<u64, StoreError>>,
    {
        let admitted = {
            let mut state = self.lock();
            match state.counted_at {
                Some(_) if state.count < u64::from(limit) => return Ok(()),
                Some(counted_at) if counted_at.elapsed() < BETWEEN => return Ok(()),
                Some(_) => {
                    // Whoever comes meanwhile goes by what is known.
                    state.counted_at = Some(Instant::now());
                }
                None => {}
            }
            state.admitted
        };
        let counted = count().await?;
        let mut state = self.lock();
        state.count = counted.saturating_add(state.admitted.saturating_sub(admitted));
        state.counted_at = Some(Instant::now());
        Ok(())
    }
}

impl Engine {
    /// Lets one more session be open in a project.
    pub(super) async fn admit_session(&self, project: &Project, name: &str) -> Result<(), EngineError> {
        let policies = self.policies();
        let limits = policies.configuration().limits();
        let limit = limits.sessions_per_project;
        let idle = i64::try_from(limits.session_idle.as_micros()).unwrap_or(i64::MAX);
        let since = self.now().0.saturating_sub(idle);
        let count = || async move {
            self.settled(name).await?;
            self.inner.store.open_sessions(name, since, u64::from(limit)).await
        };
        project.sessions.refresh(limit, count).await?;
        project.sessions.admit(limit).map_err(|wait| EngineError::TooManyOpen {
            what: Crowd::SessionsOfProject,
            limit,
            wait,
        })
    }

    /// Makes sure that it is known how many questions of a project wait.
    pub(super) async fn count_questions(&self, project: &Project, name: &str) -> Result<(), EngineError> {
        let limit = self.policies().configuration().limits().escalations_per_project;
        let count = || async move {
            self.settled(name).await?;
            self.inner.store.open_questions(name).await
        };
        Ok(project.questions.refresh(limit, count).await?)
    }

    /// Waits until everything that was submitted of a project can be read.
    pub(super) async fn settled(&self, project: &str) -> Result<(), StoreError> {
        let barrier = Batch { project: project.to_owned(), ..Batch::default() };
        self.inner.store.submit(barrier).await.map(|_| ())
    }

    /// Whether a session that was last changed then still counts.
    pub(super) fn counts(&self, last_changed: crate::gate::Moment) -> bool {
        let idle = self.policies().configuration().limits().session_idle;
        let since = self.now().0.saturating_sub(last_changed.0);
        u128::try_from(since).is_ok_and(|since| since < idle.as_micros())
    }

    /// The limits on the questions of a session and of a project.
    pub(super) fn question_limits(&self) -> (u32, u32) {
        let policies = self.policies();
        let limits = policies.configuration().limits();
        (limits.escalations_per_session, limits.escalations_per_project)
    }

    /// A session is closed: another one may be open instead.
    pub(super) fn session_left(&self, project: &str, last_changed: crate::gate::Moment) {
        if self.counts(last_changed)
            && let Some(project) = self.live_project(project)
        {
            project.sessions.left();
        }
    }

    /// A closed session is opened again.
    pub(super) fn readmit_session(&self, project: &Arc<Project>) -> Result<(), EngineError> {
        let limit = self.policies().configuration().limits().sessions_per_project;
        project.sessions.admit(limit).map_err(|wait| EngineError::TooManyOpen {
            what: Crowd::SessionsOfProject,
            limit,
            wait,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Configuration, Document};
    use crate::gate::Floors;
    use crate::rater::Unassessed;
    use crate::session::Policies;
    use crate::store::{Change, SessionRow, SqliteStore, Store};

    /// A gate for which a project's fourth session is one too many.
    fn gate(store: Arc<SqliteStore>) -> Engine {
        let text = r#"{ "limits": { "sessions_per_project": 3, "session_idle": "1h" } }"#;
        let configuration = Configuration::of(&Document::parse("haltgate.jsonc", text).unwrap()).unwrap();
        Engine::new(store, Policies::compile(configuration).unwrap(), Arc::new(Unassessed), Floors::NONE)
    }

    #[tokio::test]
    async fn sessions_that_are_idle_do_not_count() {
        let store = Arc::new(SqliteStore::ephemeral().unwrap());
        let engine = gate(Arc::clone(&store));
        let now = engine.now().0;
        const MINUTE: i64 = 60_000_000;
        let row = |name: &str, updated_at: i64| SessionRow {
            project: "p".to_owned(),
            session: name.to_owned(),
            version: 1,
            opened_at: updated_at,
            updated_at,
            closed_at: None,
            rung: "assisted".to_owned(),
            labels: std::collections::BTreeMap::new(),
            state_json: "{}".to_owned(),
        };
        let ages = [("old", 61), ("older", 600), ("ancient", 60 * 24 * 365), ("young", 59)];
        let changes = ages.map(|(name, age)| Change::PutSession(row(name, now - age * MINUTE))).to_vec();
        store.submit(Batch { project: "p".to_owned(), changes, ..Batch::default() }).await.unwrap();
        for name in ["a", "b"] {
            engine.find_or_open("p", name).await.unwrap();
        }
        let refused = engine.find_or_open("p", "c").await.err();
        let Some(EngineError::TooManyOpen { what: Crowd::SessionsOfProject, limit: 3, .. }) = refused else {
            panic!("{refused:?}");
        };
        assert!(engine.counts(crate::gate::Moment(now - 59 * MINUTE)));
        assert!(!engine.counts(crate::gate::Moment(now - 61 * MINUTE)));
    }

    async fn counted(tally: &Tally, limit: u32, count: u64) {
        tally.refresh(limit, || std::future::ready(Ok(count))).await.unwrap();
    }

    #[tokio::test]
    async fn no_more_are_let_in_than_the_limit_says_and_the_store_is_asked_only_at_the_limit() {
        let tally = Tally::default();
        counted(&tally, 5, 2).await;
        for _ in 0..3 {
            tally.refresh(5, || async { panic!("there is room") }).await.unwrap();
            tally.admit(5).unwrap();
        }
        let wait = tally.admit(5).unwrap_err();
        assert!(wait > Duration::ZERO && wait <= BETWEEN);
        tally.refresh(5, || async { panic!("it was counted a moment ago") }).await.unwrap();
        tally.left();
        assert_eq!(tally.admit(5), Ok(()));
        assert!(tally.admit(5).is_err());
        assert_eq!(tally.admit(6), Ok(()), "a higher limit holds at once");
        tally.lock().counted_at = Instant::now().checked_sub(BETWEEN);
        counted(&tally, 5, 4).await;
        assert_eq!(tally.admit(5), Ok(()), "two had gone in other ways");
        assert!(tally.admit(5).is_err());
    }

    #[tokio::test]
    async fn whoever_comes_while_the_store_is_counted_is_not_forgotten() {
        let tally = Tally::default();
        counted(&tally, 3, 2).await;
        tally.lock().counted_at = None;
        let counting = tally.refresh(3, || async {
            tally.admit(3).unwrap();
            Ok(2)
        });
        counting.await.unwrap();
        assert!(tally.admit(3).is_err());
    }

    #[tokio::test]
    async fn a_store_that_cannot_be_read_lets_nobody_in_by_that() {
        let tally = Tally::default();
        assert!(tally.refresh(1, || std::future::ready(Err(StoreError::Closed))).await.is_err());
        assert!(tally.lock().counted_at.is_none(), "it is counted the next time");
    }
}
