//! From a request to a ruling: claiming the request id, deciding, rating, making durable, waiting for a human.
//!
//! Promises one decision per request id, that nothing is answered before it is durable, and that a caller who goes away
//! abandons only its own waiting: what was decided stays decided.

use super::changes::{Draft, new_id};
use super::engine::{Engine, Project};
use super::error::{Crowd, EngineError};
use super::live::{Live, LiveSession, OpenQuestion};
use super::owning::Standing;
use super::rating::{Answered, RatingTrace};
use super::requests::{Claim, Slot};
use super::ruling::{Asked, Question, QuestionState, Ruling, SubjectView, Timing};
use crate::access::Caller;
use crate::gate::{
    Action, Call, Decision, Deliberation, Effect, GrantBook, HumanSaid, Moment, Next, Notice, NoticeKind,
    NoticeLevel, Policy, PreparedCall, Progress, RatingRequest, RatingResult, SessionState, Subject,
    Surroundings, decide_prepared, rated,
};
use crate::rater::LONG_TEXT;
use crate::store::{Batch, Receipt};
use crate::trace::{self, SPANS, carried};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tracing::Instrument;

/// How long to leave a session alone that asks as much as it may: nobody can know when somebody answers.
const CROWDED: Duration = Duration::from_secs(1);

/// How long to leave a session alone that is being read anew.
pub(super) const RETRY: Duration = Duration::from_millis(1);

/// A call to decide.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The project.
    pub project: String,
    /// The session; opened with the project's defaults when it was never opened.
    pub session: String,
    /// The run; empty for calls that name none.
    pub run: String,
    /// Makes a retry safe; the gate makes one where it is absent.
    pub request_id: Option<String>,
    /// The call.
    pub call: Call,
    /// Who asks.
    pub caller: Arc<Caller>,
}

/// The fixed facts of one request.
struct Request {
    ask: Ask,
    prepared: PreparedCall,
    request_id: String,
    named_by_caller: bool,
    fingerprint: String,
    arrived_at: Moment,
    started: Instant,
    decision_id: String,
}

/// What a decision under way keeps, whatever changes of its session meanwhile.
struct Begun {
    policy: Arc<Policy>,
    call: PreparedCall,
}

/// What was found out beside a decision.
#[derive(Default)]
struct Measured {
    rating_us: u64,
    trace: Option<RatingTrace>,
}

/// What a pass through the gate came to.
enum Pass {
    Rate(Box<RatingRequest>, Box<Deliberation>, Box<Begun>),
    Commit(Box<Commit>),
}

/// A decision that is submitted and not yet durable.
struct Commit {
    receipt: Receipt,
    ruling: Arc<Ruling>,
}

impl Engine {
    /// Decides a call. The same request id and call get the same ruling, however often and however simultaneously.
    ///
    /// # Errors
    /// The session is closed or another agent's, the request id belongs to another call, or nothing could be made durable.
    pub async fn decide(&self, ask: Ask) -> Result<Ruling, EngineError> {
        let arrived_at = self.now();
        let started = Instant::now();
        let named_by_caller = ask.request_id.is_some();
        let prepared = prepare(&ask.call).await?;
        let request = Request {
            prepared,
            request_id: ask.request_id.clone().unwrap_or_else(new_id),
            named_by_caller,
            fingerprint: fingerprint(&ask.call, &ask.run),
            arrived_at,
            started,
            decision_id: new_id(),
            ask,
        };
        self.make_room();
        loop {
            let live = self.seat(&request.ask.project, &request.ask.session, &request.ask.caller).await?;
            match self.attempt(&request, &live).await? {
                // A retry may have come after the answer, and memory may know less than the store.
                Attempt::Ruled(ruling) if ruling.replayed => {
                    self.note_replay(&ruling);
                    return self.wait_for_human(*ruling, Duration::ZERO).await;
                }
                Attempt::Ruled(ruling) => {
                    Self::note_in_span(&ruling);
                    return Ok(*ruling);
                }
                // Whoever held the request id went away without deciding, or the session has to be read anew.
                Attempt::Again => tokio::time::sleep(RETRY).await,
            }
        }
    }

    async fn attempt(&self, request: &Request, live: &Arc<LiveSession>) -> Result<Attempt, EngineError> {
        self.recall(request, live).await?;
        let claim = {
            let mut live = live.lock();
            if live.broken {
                return Ok(Attempt::Again);
            }
            live.requests.claim(&request.request_id, &request.fingerprint)
        };
        match claim {
            Claim::Seen(slot) => self.follow(request, slot).await,
            Claim::Mine(answer) => {
                let outcome = self.first(request, live, answer).await;
                if outcome.is_err() {
                    live.lock().requests.forget(&request.request_id);
                }
                outcome
            }
        }
    }

    /// Looks a request id up in the store where memory may have forgotten it.
    async fn recall(&self, request: &Request, live: &LiveSession) -> Result<(), EngineError> {
        let ask = &request.ask;
        if !request.named_by_caller || !live.lock().requests.must_ask_store(&request.request_id) {
            return Ok(());
        }
        let stored = self.stored_ruling(&ask.project, &ask.session, &request.request_id).await?;
        if let Some((fingerprint, ruling)) = stored {
            let mut live = live.lock();
            if live.requests.must_ask_store(&request.request_id) {
                live.requests.remember(&request.request_id, &fingerprint, Arc::new(ruling));
            }
        }
        Ok(())
    }

    /// What the store says of a request id: the fingerprint of its call, and the ruling as it stands.
    async fn stored_ruling(
        &self,
        project: &str,
        session: &str,
        request_id: &str,
    ) -> Result<Option<(String, Ruling)>, EngineError> {
        let row = self.inner.store.request(project, session, request_id).await?;
        let Some(row) = row else { return Ok(None) };
        let ruling = serde_json::from_str(&row.response_json)
            .map_err(|error| EngineError::unreadable("answer", &error))?;
        Ok(Some((row.call_fingerprint, ruling)))
    }

    /// Waits for whoever decides this request id.
    async fn follow(&self, request: &Request, mut slot: Slot) -> Result<Attempt, EngineError> {
        if slot.fingerprint != request.fingerprint {
            let decision_id = slot.answer.borrow().as_ref().map(|ruling| ruling.decision_id.clone());
            return Err(EngineError::RequestReused { request_id: request.request_id.clone(), decision_id });
        }
        let found = match slot.answer.wait_for(Option::is_some).await {
            Ok(answer) => answer.clone(),
            Err(_abandoned) => None,
        };
        Ok(match found {
            Some(ruling) => Attempt::Ruled(Box::new(Ruling { replayed: true, ..Ruling::clone(&ruling) })),
            None => Attempt::Again,
        })
    }

    /// Decides as the first of this request id.
    async fn first(
        &self,
        request: &Request,
        live: &Arc<LiveSession>,
        answer: watch::Sender<Option<Arc<Ruling>>>,
    ) -> Result<Attempt, EngineError> {
        let project = self.project(&request.ask.project).await?;
        self.count_questions(&project, &request.ask.project).await?;
        let mut pass = match self.begin(request, live, &project)? {
            Some(pass) => pass,
            None => return Ok(Attempt::Again),
        };
        loop {
            match pass {
                Pass::Rate(rating, deliberation, begun) => {
                    let Ask { project, session, .. } = &request.ask;
                    let Answered { result, trace, took } =
                        self.ask_rater(*rating, project, session, false).await;
                    let measured = Measured { rating_us: micros(took), trace: Some(trace) };
                    // The grants may have been read anew while the rating ran.
                    let project = self.project(&request.ask.project).await?;
                    self.count_questions(&project, &request.ask.project).await?;
                    let resumed =
                        self.resume(request, live, &project, (*deliberation, *begun), (result, measured))?;
                    pass = match resumed {
                        Some(pass) => pass,
                        None => return Ok(Attempt::Again),
                    };
                }
                Pass::Commit(commit) => {
                    let engine = self.clone();
                    let live = Arc::clone(live);
                    let span = tracing::info_span!(target: SPANS, "commit");
                    let making = async move { engine.make_durable(&live, *commit, answer).await };
                    // On a task of its own: a caller who goes away must not leave a failed batch unnoticed.
                    let durable = tokio::spawn(carried(making.instrument(span)));
                    let ruling =
                        durable.await.map_err(|error| EngineError::Internal(error.to_string()))??;
                    return Ok(Attempt::Ruled(Box::new(Ruling::clone(&ruling))));
                }
            }
        }
    }

    /// The first pass through the gate. `None` when the session must be read anew.
    fn begin(
        &self,
        request: &Request,
        live: &LiveSession,
        project: &Project,
    ) -> Result<Option<Pass>, EngineError> {
        let run = &request.ask.run;
        self.pass(request, live, project, None, Measured::default(), |around, live, begun| {
            let opened_here = live.version == 0;
            let mut progress = decide_prepared(around, &mut live.state, &begun.call, run);
            if opened_here {
                say_defaults(&mut progress);
            }
            progress
        })
    }

    /// The pass after a rating.
    fn resume(
        &self,
        request: &Request,
        live: &LiveSession,
        project: &Project,
        under_way: (Deliberation, Begun),
        (result, measured): (RatingResult, Measured),
    ) -> Result<Option<Pass>, EngineError> {
        let (deliberation, begun) = under_way;
        self.pass(request, live, project, Some(begun), measured, |around, live, _| {
            rated(around, &mut live.state, deliberation, result)
        })
    }

    /// A pass through the gate, under the session's lock.
    fn pass(
        &self,
        request: &Request,
        live: &LiveSession,
        project: &Project,
        begun: Option<Begun>,
        measured: Measured,
        judge: impl FnOnce(&mut Surroundings<'_>, &mut Live, &Begun) -> Progress,
    ) -> Result<Option<Pass>, EngineError> {
        let ask = &request.ask;
        let mut live = live.lock();
        // Read anew meanwhile, as one that is not the agent's yet, or not any more.
        if live.broken || live.standing(&ask.caller) != Standing::Welcome {
            return Ok(None);
        }
        if let Some(closed_at) = live.closed_at {
            return Err(EngineError::SessionClosed { session: ask.session.clone(), closed_at });
        }
        let Some(mut persisted) = project.persisted() else { return Ok(None) };
        let begun = begun.unwrap_or_else(|| Begun {
            policy: self.policies().get(&ask.project, live.profile.command.as_deref()),
            call: with_defaults(&request.prepared, &live),
        });
        let room = self.room_for_a_question(&live, project);
        let full = room.err().map(|error| Full::of(&live, &persisted, error));
        // Somebody may watch all sessions; one that says that nobody is there waits for nobody.
        let watched =
            live.state.interactive && self.inner.watching.covers(&ask.project, &ask.session, &ask.run);
        let mut around = self.surroundings(&begun.policy, &mut persisted, watched);
        let progress = judge(&mut around, &mut live, &begun);
        match full {
            Some(full) => full.refuse(&progress, &mut live, &mut persisted)?,
            None if !asks(&progress) => project.questions.left(),
            None => {}
        }
        self.conclude(request, &mut live, begun, progress, measured).map(Some)
    }

    /// Keeps a place among what waits for a human, before it is known whether it is needed.
    fn room_for_a_question(&self, live: &Live, project: &Project) -> Result<(), EngineError> {
        let (per_session, per_project) = self.question_limits();
        if live.open.len() >= usize::try_from(per_session).unwrap_or(usize::MAX) {
            let what = Crowd::QuestionsOfSession;
            return Err(EngineError::TooManyOpen { what, limit: per_session, wait: CROWDED });
        }
        let what = Crowd::QuestionsOfProject;
        let admitted = project.questions.admit(per_project);
        admitted.map_err(|wait| EngineError::TooManyOpen { what, limit: per_project, wait })
    }

    pub(super) fn surroundings<'a>(
        &self,
        policy: &'a Policy,
        persisted: &'a mut crate::gate::GrantBook,
        attack_watched: bool,
    ) -> Surroundings<'a> {
        Surroundings { policy, floors: self.inner.floors, persisted, now: self.now(), attack_watched }
    }

    /// Submits what a pass came to, while the lock is held, so that batches are written in the order of decisions.
    fn conclude(
        &self,
        request: &Request,
        live: &mut Live,
        begun: Begun,
        progress: Progress,
        measured: Measured,
    ) -> Result<Pass, EngineError> {
        let Progress { next, effects } = progress;
        let (decision, question) = match next {
            Next::NeedsRating(rating, deliberation) => {
                return Ok(Pass::Rate(rating, deliberation, Box::new(begun)));
            }
            Next::Decided(decision) => (*decision, None),
            Next::NeedsHuman(escalation) => (escalation.pending(), Some(Question::Escalation(escalation))),
            Next::NeedsWatcher(halt) => (halt.pending(), Some(Question::Attack(halt))),
        };
        let now = self.now();
        let ruling = self.ruling(request, live, &begun, decision, measured, now);
        let submitted = self.submit(request, live, ruling, question, effects, now);
        if submitted.is_err() {
            // What the gate changed in memory will never be stored.
            live.broken = true;
        }
        submitted.map(|commit| Pass::Commit(Box::new(commit)))
    }

    fn ruling(
        &self,
        request: &Request,
        live: &Live,
        begun: &Begun,
        decision: Decision,
        measured: Measured,
        now: Moment,
    ) -> Ruling {
        let Begun { policy, call } = begun;
        let Measured { rating_us, trace } = measured;
        let subject = Subject::of_prepared(call, &live.state.mcp_servers);
        let annotations = live.state.annotations(policy).effective(&subject);
        let pending = decision.action == Action::Escalate;
        Ruling {
            decision_id: request.decision_id.clone(),
            project: request.ask.project.clone(),
            session: request.ask.session.clone(),
            run: request.ask.run.clone(),
            request_id: request.request_id.clone(),
            caller: request.ask.caller.name.clone(),
            caller_role: Some(request.ask.caller.role.as_str().to_owned()),
            caller_via: Some(request.ask.caller.via.as_str().to_owned()),
            policy_revision: policy.revision.clone(),
            call: call.call().clone(),
            subject: SubjectView::of(&subject, annotations),
            escalation_id: None,
            halt_id: None,
            answer: None,
            budget_after: live.state.negotiation.budget(),
            run_halted: live.state.halted_runs.contains_key(&request.ask.run),
            labels: live.profile.labels.clone(),
            rating_trace: trace,
            trace: trace::current(),
            timing: Timing {
                arrived_at: request.arrived_at,
                settled_at: (!pending).then_some(now),
                deciding_us: micros(request.started.elapsed()).saturating_sub(rating_us),
                rating_us,
                human_us: 0,
            },
            decision,
            replayed: false,
        }
    }

    fn submit(
        &self,
        request: &Request,
        live: &mut Live,
        mut ruling: Ruling,
        question: Option<Question>,
        effects: Vec<Effect>,
        now: Moment,
    ) -> Result<Commit, EngineError> {
        let mut draft = Draft::new(&request.ask.project, &request.ask.session, now).by(&request.ask.caller);
        draft.apply(effects, &request.decision_id)?;
        // The words that a model was sent belong to the record alone: nobody waits for them, and they are long.
        let attempt = ruling.rating_trace.as_mut().and_then(|trace| trace.attempt.take());
        let mut open = None;
        match question {
            Some(question) => {
                let id = new_id();
                match &question {
                    Question::Escalation(_) => ruling.escalation_id = Some(id.clone()),
                    Question::Attack(_) => ruling.halt_id = Some(id.clone()),
                }
                let asked =
                    Asked { question, ruling: ruling.clone(), fingerprint: request.fingerprint.clone() };
                draft.ask(&id, &asked, &QuestionState::Open)?;
                open = Some((id, asked));
            }
            None if halts_unwatched(&ruling.decision) => {
                let id = new_id();
                ruling.halt_id = Some(id.clone());
                let halt = unwatched(&ruling);
                let asked = Asked {
                    question: halt,
                    ruling: ruling.clone(),
                    fingerprint: request.fingerprint.clone(),
                };
                draft.ask(&id, &asked, &QuestionState::Unattended)?;
            }
            None => {}
        }
        match attempt {
            Some(attempt) => {
                let trace =
                    ruling.rating_trace.clone().map(|trace| RatingTrace { attempt: Some(attempt), ..trace });
                let recorded = Ruling { rating_trace: trace, ..ruling.clone() };
                draft.decision(&recorded, &request.decision_id)?;
            }
            None => draft.decision(&ruling, &request.decision_id)?,
        }
        if request.named_by_caller || open.is_some() {
            draft.request(&ruling, &request.fingerprint)?;
        }
        let batch: Batch = draft.finish(live)?;
        let receipt = self.write(batch);
        if let Some((id, asked)) = open {
            live.open.insert(id, OpenQuestion::new(asked, now));
        }
        Ok(Commit { receipt, ruling: Arc::new(ruling) })
    }

    /// Waits until the decision is durable, then answers everybody who asked for it.
    async fn make_durable(
        &self,
        live: &LiveSession,
        commit: Commit,
        answer: watch::Sender<Option<Arc<Ruling>>>,
    ) -> Result<Arc<Ruling>, EngineError> {
        let Commit { receipt, ruling } = commit;
        if let Err(error) = receipt.await {
            self.fail(live).await;
            return Err(error.into());
        }
        self.note_decision(&ruling);
        answer.send_replace(Some(Arc::clone(&ruling)));
        Ok(ruling)
    }

    /// What is in memory is ahead of the store: nobody may use it any more.
    pub(super) async fn fail(&self, live: &LiveSession) {
        {
            let mut live = live.lock();
            live.broken = true;
            // Whoever waits here must look in the store: answers will go to the session that is read anew.
            live.open.clear();
        }
        self.discard(live).await;
    }

    /// Waits until a human has answered what the ruling waits for, or the time is up; then the ruling as it stands.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn wait_for_human(&self, ruling: Ruling, wait: Duration) -> Result<Ruling, EngineError> {
        let question = match ruling.decision.action {
            Action::Escalate => ruling.escalation_id.as_ref().or(ruling.halt_id.as_ref()),
            Action::Approve | Action::Reject | Action::Halt | Action::Unattended => None,
        };
        let Some(id) = question else { return Ok(ruling) };
        let live = self.find(&ruling.project, &ruling.session).await?;
        let watching = live.and_then(|live| live.lock().open.get(id).map(|open| open.settled.subscribe()));
        let Some(mut settled) = watching else { return self.latest(ruling).await };
        let waited = tokio::time::timeout(wait, settled.wait_for(Option::is_some)).await;
        // What was found is copied out before anything is awaited again: a watch is read under a lock.
        let found = waited.map(|outcome| outcome.ok().and_then(|found| found.clone()));
        match found {
            Ok(Some(settled)) => Ok(Ruling { replayed: ruling.replayed, ..settled.asked.ruling.clone() }),
            // This process lost the session while it waited.
            Ok(None) => self.latest(ruling).await,
            Err(_elapsed) => Ok(ruling),
        }
    }

    /// What the store says of a request whose question is no longer open here.
    pub(super) async fn latest(&self, ruling: Ruling) -> Result<Ruling, EngineError> {
        let stored = self.stored_ruling(&ruling.project, &ruling.session, &ruling.request_id).await?;
        Ok(match stored {
            Some((_, latest)) => Ruling { replayed: ruling.replayed, ..latest },
            None => ruling,
        })
    }
}

/// A session that asks as much as it may, as it was before one call more, and what that call is told if it asks.
struct Full(SessionState, GrantBook, EngineError);

impl Full {
    fn of(live: &Live, persisted: &GrantBook, error: EngineError) -> Self {
        Self(live.state.clone(), persisted.clone(), error)
    }

    /// Takes back what the call changed, if it leads to another question.
    fn refuse(
        self,
        progress: &Progress,
        live: &mut Live,
        persisted: &mut GrantBook,
    ) -> Result<(), EngineError> {
        if !asks(progress) {
            return Ok(());
        }
        let Self(state, grants, error) = self;
        live.state = state;
        *persisted = grants;
        Err(error)
    }
}

/// Whether it is a human's turn.
fn asks(progress: &Progress) -> bool {
    match progress.next {
        Next::Decided(_) | Next::NeedsRating(..) => false,
        Next::NeedsHuman(_) | Next::NeedsWatcher(_) => true,
    }
}

enum Attempt {
    Ruled(Box<Ruling>),
    Again,
}

/// A run was halted by this very call, and nobody watched.
fn halts_unwatched(decision: &Decision) -> bool {
    decision.action == Action::Halt && !decision.run_was_halted && decision.human == Some(HumanSaid::Nobody)
}

fn unwatched(ruling: &Ruling) -> Question {
    let decision = &ruling.decision;
    Question::Attack(Box::new(crate::gate::AttackHalt {
        call: ruling.call.clone(),
        run: ruling.run.clone(),
        stage: decision.stage,
        rating: decision
            .rating
            .clone()
            .unwrap_or_else(|| crate::gate::Rating::from_result(Err(crate::gate::FailureCause::NotAssessed))),
        rung: decision.rung,
        budget: decision.budget,
        message: decision.message.clone(),
        notices: decision.notices.clone(),
        consulted: Vec::new(),
        unresolved: decision.unresolved.clone(),
    }))
}

/// The call with the session's folders where it names none.
pub(super) fn with_defaults(call: &PreparedCall, live: &Live) -> PreparedCall {
    call.with_folders(live.profile.cwd.as_ref(), live.profile.home.as_ref())
}

/// Analyses a call before any lock is taken; a long command does not keep the runtime from its other work.
pub(super) async fn prepare(call: &Call) -> Result<PreparedCall, EngineError> {
    let call = call.clone();
    if call.command_text().is_none_or(|command| command.len() <= LONG_TEXT) {
        return Ok(PreparedCall::new(call));
    }
    let analysing = tokio::task::spawn_blocking(move || PreparedCall::new(call));
    analysing.await.map_err(|error| EngineError::Internal(error.to_string()))
}

fn say_defaults(progress: &mut Progress) {
    let notice = Notice {
        level: NoticeLevel::Info,
        kind: NoticeKind::SessionDefaults,
        text: "Nobody had opened this session; it was opened with the project's defaults.".to_owned(),
    };
    match &mut progress.next {
        Next::Decided(decision) => decision.notices.push(notice),
        Next::NeedsRating(_, deliberation) => deliberation.notice(notice),
        Next::NeedsHuman(escalation) => escalation.notices.push(notice),
        Next::NeedsWatcher(halt) => halt.notices.push(notice),
    }
}

/// What makes two requests the same one: the call as sent, and its run.
fn fingerprint(call: &Call, run: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(run.as_bytes());
    hash.update([0]);
    // A call is plain data: encoding it cannot fail, and an empty text would still be compared with its own kind only.
    hash.update(serde_json::to_vec(call).unwrap_or_default());
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
