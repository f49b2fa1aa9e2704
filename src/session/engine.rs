//! The live gate: projects and sessions in memory, over a store that is the truth.
//!
//! Promises that one session has one live state per process, that it is loaded once, and that a state which could not be
//! made durable is thrown away and read anew. Knows nothing of gRPC.

use super::clock::Clock;
use super::error::EngineError;
use super::fan_out::Hub;
use super::live::{Live, LiveSession, Profile, read_grant};
use super::policies::Policies;
use super::refusals::Refusals;
use super::tally::Tally;
use super::watching::Watching;
use crate::gate::{Floors, GrantBook, Moment, SessionState};
use crate::rater::Rater;
use crate::store::{Batch, Store, StoreError};
use crate::telemetry::Metrics;
use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// How many sessions stay in memory before whatever nobody uses is left to the store.
const LIVE_SESSIONS: usize = 20_000;

/// How many projects stay in memory before those that nobody uses at the moment are left to the store: any name can be asked
/// for.
const LIVE_PROJECTS: usize = 1_024;

/// After so long without use a session is left to the store in any case: it remembers hundreds of answers, and most sessions
/// are never closed. In microseconds.
const IDLE: i64 = 60_000_000;

/// How often idle sessions are looked for, in microseconds.
const SWEEP_EVERY: i64 = 5_000_000;

/// A project while it is live.
#[derive(Debug)]
pub(super) struct Project {
    persisted: Mutex<GrantBook>,
    /// A batch failed: what is here may be ahead of the store.
    broken: AtomicBool,
    /// How many of its sessions are open.
    pub(super) sessions: Tally,
    /// How many of its questions wait for a human.
    pub(super) questions: Tally,
}

impl Project {
    /// The project's grants; `None` when they must be read anew.
    pub(super) fn persisted(&self) -> Option<MutexGuard<'_, GrantBook>> {
        let persisted = self.persisted.lock().unwrap_or_else(PoisonError::into_inner);
        (!self.broken.load(Ordering::Acquire)).then_some(persisted)
    }

    /// How many grants the project holds.
    pub(super) fn grants(&self) -> usize {
        self.persisted.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn break_off(&self) {
        let _nobody_matches_now = self.persisted.lock().unwrap_or_else(PoisonError::into_inner);
        self.broken.store(true, Ordering::Release);
    }
}

type Key = (String, String);
type Slots<K, T> = Mutex<HashMap<K, Arc<OnceCell<Arc<T>>>>>;

/// The live gate. Cheap to clone: every clone is the same gate.
#[derive(Clone)]
pub struct Engine {
    pub(super) inner: Arc<Inner>,
}

pub(super) struct Inner {
    pub(super) store: Arc<dyn Store>,
    pub(super) policies: ArcSwap<Policies>,
    pub(super) rater: ArcSwap<Arc<dyn Rater>>,
    pub(super) floors: Floors,
    pub(super) clock: Clock,
    pub(super) policy_loaded_at: AtomicI64,
    pub(super) feeds: Hub,
    pub(super) watching: Watching,
    pub(super) refusals: Refusals,
    pub(super) metrics: Arc<Metrics>,
    /// When idle sessions were last looked for.
    swept_at: AtomicI64,
    sessions: Slots<Key, LiveSession>,
    projects: Slots<String, Project>,
    /// With so many projects, those that nobody uses are left to the store.
    sweep_projects_at: AtomicUsize,
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Engine").field("rater", &self.rater()).finish_non_exhaustive()
    }
}

impl Engine {
    /// A gate over a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, policies: Policies, rater: Arc<dyn Rater>, floors: Floors) -> Self {
        let clock = Clock::behind(store.newest_at_opening());
        Self::with_clock(store, policies, rater, floors, clock)
    }

    /// The same by another clock.
    pub(super) fn with_clock(
        store: Arc<dyn Store>,
        policies: Policies,
        rater: Arc<dyn Rater>,
        floors: Floors,
        clock: Clock,
    ) -> Self {
        let clock_start = clock.now().0;
        Self {
            inner: Arc::new(Inner {
                store,
                policies: ArcSwap::from_pointee(policies),
                rater: ArcSwap::from_pointee(rater),
                floors,
                policy_loaded_at: AtomicI64::new(clock.now().0),
                clock,
                feeds: Hub::default(),
                swept_at: AtomicI64::new(clock_start),
                watching: Watching::default(),
                refusals: Refusals::default(),
                metrics: Arc::default(),
                sessions: Mutex::new(HashMap::new()),
                projects: Mutex::new(HashMap::new()),
                sweep_projects_at: AtomicUsize::new(LIVE_PROJECTS),
            }),
        }
    }

    /// The policies in force.
    #[must_use]
    pub fn policies(&self) -> Arc<Policies> {
        self.inner.policies.load_full()
    }

    /// Since when the policies are in force.
    #[must_use]
    pub fn policy_loaded_at(&self) -> Moment {
        Moment(self.inner.policy_loaded_at.load(Ordering::Acquire))
    }

    /// The store under the gate.
    #[must_use]
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.inner.store
    }

    /// What time it is.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.inner.clock.now()
    }

    /// The live session, if it was ever opened.
    pub(super) async fn find(
        &self,
        project: &str,
        session: &str,
    ) -> Result<Option<Arc<LiveSession>>, EngineError> {
        let key = (project.to_owned(), session.to_owned());
        let slot = slot(&self.inner.sessions, &key);
        let found = slot.get_or_try_init(|| self.load(project, session)).await;
        match found {
            Ok(live) => Ok(Some(Arc::clone(live))),
            Err(Missing::NeverOpened) => {
                forget(&self.inner.sessions, &key, &slot);
                Ok(None)
            }
            Err(Missing::Failed(error)) => Err(error),
        }
    }

    /// The live session; one that was never opened is opened with the project's defaults, to be stored with its first
    /// batch.
    pub(super) async fn find_or_open(
        &self,
        project: &str,
        session: &str,
    ) -> Result<Arc<LiveSession>, EngineError> {
        let key = (project.to_owned(), session.to_owned());
        let slot = slot(&self.inner.sessions, &key);
        let opened = slot
            .get_or_try_init(|| async {
                match self.load(project, session).await {
                    Ok(live) => Ok(live),
                    Err(Missing::Failed(error)) => Err(error),
                    Err(Missing::NeverOpened) => {
                        let holder = self.project(project).await?;
                        self.admit_session(&holder, project).await?;
                        Ok(self.fresh(project, session))
                    }
                }
            })
            .await;
        match opened {
            Ok(opened) => Ok(Arc::clone(opened)),
            Err(error) => {
                // Names that were refused must not pile up.
                forget(&self.inner.sessions, &key, &slot);
                Err(error)
            }
        }
    }

    fn fresh(&self, project: &str, session: &str) -> Arc<LiveSession> {
        let policy = self.policies().get(project, None);
        let live = Live::open(Profile::default(), SessionState::open(&policy), self.now());
        Arc::new(LiveSession::new(project, session, live))
    }

    async fn load(&self, project: &str, session: &str) -> Result<Arc<LiveSession>, Missing> {
        let store = &self.inner.store;
        let row =
            store.session(project, session).await.map_err(Missing::failed)?.ok_or(Missing::NeverOpened)?;
        let grants = store.session_grants(project, session).await.map_err(Missing::failed)?;
        let denials = store.denials(project, session).await.map_err(Missing::failed)?;
        let mut questions =
            store.open_escalations(Some(project), Some(session)).await.map_err(Missing::failed)?;
        questions.extend(store.open_halts(Some(project), Some(session)).await.map_err(Missing::failed)?);
        let live = Live::from_rows(row, grants, denials, questions).map_err(Missing::Failed)?;
        Ok(Arc::new(LiveSession::new(project, session, live)))
    }

    /// The live project with its persisted grants.
    pub(super) async fn project(&self, project: &str) -> Result<Arc<Project>, EngineError> {
        let slot = self.project_slot(project);
        let found = slot
            .get_or_try_init(|| async {
                // Whoever used the project before it was left to the store may have gone away before a use of a grant was stored.
                // However this ends, what was submitted before has been stored or has failed.
                let _settled = self.settled(project).await;
                let mut book = GrantBook::default();
                for row in self.inner.store.grants(project).await? {
                    book.add(read_grant(row)?);
                }
                Ok::<_, EngineError>(Arc::new(Project {
                    persisted: Mutex::new(book),
                    broken: AtomicBool::new(false),
                    sessions: Tally::default(),
                    questions: Tally::default(),
                }))
            })
            .await?;
        Ok(Arc::clone(found))
    }

    fn project_slot(&self, project: &str) -> Arc<OnceCell<Arc<Project>>> {
        let mut projects = lock(&self.inner.projects);
        let known = projects.contains_key(project);
        if !known && projects.len() >= self.inner.sweep_projects_at.load(Ordering::Relaxed) {
            // Whoever uses a project, or is about to, holds a reference to it or to its slot.
            projects.retain(|_, slot| {
                Arc::strong_count(slot) > 1
                    || slot.get().is_some_and(|project| Arc::strong_count(project) > 1)
            });
            // Twice as many as are in use: looking through them costs each newcomer the same.
            let next = projects.len().saturating_mul(2).max(LIVE_PROJECTS);
            self.inner.sweep_projects_at.store(next, Ordering::Relaxed);
        }
        Arc::clone(projects.entry(project.to_owned()).or_default())
    }

    /// The project, if it is live.
    pub(super) fn live_project(&self, project: &str) -> Option<Arc<Project>> {
        lock(&self.inner.projects).get(project).and_then(|slot| slot.get().cloned())
    }

    /// Throws away a session that could not be made durable, once everything submitted before has been settled.
    pub(super) async fn discard(&self, live: &LiveSession) {
        self.discard_project(&live.project).await;
        let mut sessions = lock(&self.inner.sessions);
        let key = (live.project.clone(), live.session.clone());
        // Only this very state: what was read anew meanwhile is sound.
        if sessions
            .get(&key)
            .and_then(|slot| slot.get())
            .is_some_and(|current| std::ptr::eq(Arc::as_ptr(current), live))
        {
            sessions.remove(&key);
        }
    }

    /// Lets go of a session that is no longer stored; whoever holds it looks anew.
    pub(super) fn evict(&self, project: &str, session: &str) {
        let slot = lock(&self.inner.sessions).remove(&(project.to_owned(), session.to_owned()));
        if let Some(live) = slot.as_ref().and_then(|slot| slot.get()) {
            live.lock().broken = true;
        }
    }

    /// Throws away a project's grants in memory, once everything submitted before has been settled.
    pub(super) async fn discard_project(&self, project: &str) {
        let slot = lock(&self.inner.projects).get(project).cloned();
        if let Some(current) = slot.as_ref().and_then(|slot| slot.get()) {
            current.break_off();
        }
        let barrier = self.inner.store.submit(Batch { project: project.to_owned(), ..Batch::default() });
        if let Err(error) = barrier.await {
            tracing::warn!(%error, project, "the store did not settle before a state was discarded");
        }
        let mut projects = lock(&self.inner.projects);
        if let (Some(slot), Some(current)) = (slot, projects.get(project))
            && Arc::ptr_eq(&slot, current)
        {
            projects.remove(project);
        }
    }

    /// How many sessions are in memory.
    pub(super) fn live_sessions(&self) -> u64 {
        u64::try_from(lock(&self.inner.sessions).len()).unwrap_or(u64::MAX)
    }

    /// Leaves sessions that are closed or idle to the store; when there are many, every one that nobody uses.
    pub(super) fn make_room(&self) {
        let now = self.now();
        let swept_at = self.inner.swept_at.load(Ordering::Relaxed);
        let due = now.0.saturating_sub(swept_at) >= SWEEP_EVERY
            // One of those who come at the same time is enough.
            && self.inner.swept_at.compare_exchange(swept_at, now.0, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        let mut sessions = lock(&self.inner.sessions);
        let many = sessions.len() > LIVE_SESSIONS;
        if many || due {
            sweep(&mut sessions, now, many);
        }
    }
}

/// Takes out what nobody uses and is closed or idle, or all that nobody uses.
fn sweep(sessions: &mut HashMap<Key, Arc<OnceCell<Arc<LiveSession>>>>, now: Moment, all: bool) {
    // Whoever uses a session holds a reference to it; what only the map refers to can be read back any time.
    sessions.retain(|_, slot| {
        let unused =
            Arc::strong_count(slot) == 1 && slot.get().is_none_or(|live| Arc::strong_count(live) == 1);
        let keep = |live: &Arc<LiveSession>| {
            let live = live.lock();
            let idle = live.closed_at.is_some() || now.0.saturating_sub(live.last_used_at.0) >= IDLE;
            live.is_awaited() || !(all || idle)
        };
        !unused || slot.get().is_some_and(keep)
    });
}

enum Missing {
    NeverOpened,
    Failed(EngineError),
}

impl Missing {
    fn failed(error: StoreError) -> Self {
        Self::Failed(error.into())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn slot<K: std::hash::Hash + Eq + Clone, T>(slots: &Slots<K, T>, key: &K) -> Arc<OnceCell<Arc<T>>> {
    Arc::clone(lock(slots).entry(key.clone()).or_default())
}

/// Takes an empty slot out again, unless somebody else has filled or replaced it meanwhile, or is about to: what was put into a
/// slot that nobody can find would be a second state of the same thing.
fn forget<K: std::hash::Hash + Eq, T>(slots: &Slots<K, T>, key: &K, slot: &Arc<OnceCell<Arc<T>>>) {
    // The map's, and the one of whoever asks for this.
    const NOBODY_ELSE: usize = 2;
    let mut slots = lock(slots);
    if slots.get(key).is_some_and(|current| {
        Arc::ptr_eq(current, slot) && current.get().is_none() && Arc::strong_count(current) <= NOBODY_ELSE
    }) {
        slots.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Configuration;
    use crate::rater::Unassessed;
    use crate::store::{Change, GrantRow, SqliteStore};

    fn engine() -> Engine {
        let policies = Policies::compile(Configuration::default()).unwrap();
        Engine::new(Arc::new(SqliteStore::ephemeral().unwrap()), policies, Arc::new(Unassessed), Floors::NONE)
    }

    #[tokio::test]
    async fn a_second_failure_of_the_same_state_does_not_throw_away_what_was_read_anew() {
        let engine = engine();
        let failed = engine.find_or_open("p", "s").await.unwrap();
        engine.fail(&failed).await;
        let anew = engine.find_or_open("p", "s").await.unwrap();
        assert!(!Arc::ptr_eq(&failed, &anew) && failed.lock().broken);
        engine.fail(&failed).await;
        let still = engine.find_or_open("p", "s").await.unwrap();
        assert!(Arc::ptr_eq(&anew, &still), "one live state per session");
    }

    #[tokio::test]
    async fn a_session_that_is_closed_or_idle_is_left_to_the_store_unless_somebody_uses_it() {
        let engine = engine();
        let used = engine.find_or_open("p", "used").await.unwrap();
        for session in ["closed", "idle", "busy"] {
            engine.find_or_open("p", session).await.unwrap();
        }
        let now = Moment(engine.now().0 + IDLE);
        let mut sessions = lock(&engine.inner.sessions);
        for ((_, session), slot) in sessions.iter() {
            let live = slot.get().unwrap();
            live.lock().closed_at = (session == "closed").then_some(now);
            live.lock().last_used_at = if session == "busy" { now } else { Moment(now.0 - IDLE) };
        }
        sweep(&mut sessions, now, false);
        let mut left: Vec<&str> = sessions.keys().map(|(_, session)| session.as_str()).collect();
        left.sort_unstable();
        assert_eq!(left, ["busy", "used"]);
        sweep(&mut sessions, now, true);
        assert_eq!(sessions.len(), 1, "only what is used");
        drop(used);
    }

    #[tokio::test]
    async fn names_of_projects_do_not_pile_up_and_a_project_in_use_stays_the_same() {
        let engine = engine();
        let used = engine.project("used").await.unwrap();
        for number in 0..LIVE_PROJECTS * 3 {
            engine.project(&format!("p{number}")).await.unwrap();
        }
        assert!(lock(&engine.inner.projects).len() <= LIVE_PROJECTS);
        assert!(Arc::ptr_eq(&used, &engine.project("used").await.unwrap()), "one live state per project");
    }

    #[tokio::test]
    async fn a_project_that_was_left_to_the_store_comes_back_with_what_was_on_its_way_there() {
        let folder = tempfile::tempdir().unwrap();
        let store: Arc<dyn Store> = Arc::new(SqliteStore::open(folder.path().join("gate.db")).unwrap());
        let policies = Policies::compile(Configuration::default()).unwrap();
        let engine = Engine::new(Arc::clone(&store), policies, Arc::new(Unassessed), Floors::NONE);
        for number in 0..50 {
            let project = format!("p{number}");
            let row = GrantRow {
                project: project.clone(),
                session: None,
                identity: "one".to_owned(),
                entry_json: r#"{"type":"shell","matcher":"exact","pattern":"make"}"#.to_owned(),
                annotations_json: None,
                scope: "always".to_owned(),
                granted_at: 0,
                granted_by: None,
                note: None,
                expires_at: None,
                max_uses: None,
                uses: 0,
                last_used_at: None,
            };
            // Whoever asked for it has gone away.
            drop(store.submit(Batch {
                project: project.clone(),
                changes: vec![Change::PutGrant(row)],
                ..Batch::default()
            }));
            assert_eq!(engine.project(&project).await.unwrap().grants(), 1);
        }
    }

    #[tokio::test]
    async fn grants_that_may_be_ahead_of_the_store_are_marked_before_they_are_read_anew() {
        let engine = engine();
        let failed = engine.find_or_open("p", "s").await.unwrap();
        let before = engine.project("p").await.unwrap();
        engine.fail(&failed).await;
        let after = engine.project("p").await.unwrap();
        assert!(before.persisted().is_none() && after.persisted().is_some() && !Arc::ptr_eq(&before, &after));
    }
}
