//! Playing a case on the gate.
//!
//! Promises that a case sees the same gate as a live call, that nothing outlasts it, and that a rating which the case
//! does not provide for is never made up. Knows nothing of what is expected.

use super::answers::Answer;
use super::file::Case;
use super::rating::{Stub, Stubs};
use super::session::Session;
use super::steps::{CallStep, Step};
use crate::gate::{
    Action, AttackAnswer, AttackHalt, Decision, Escalation, Floors, GrantBook, HumanAnswer, HumanVerdict,
    Moment, Next, Offer, Outcome, PreparedCall, Progress, RatingRequest, RatingResult, RejectScope, Scope,
    Stage, Surroundings, Terms, answer, answer_attack, decide_prepared, rated,
};

/// What cases run on, beside the policy that they bring along.
#[derive(Clone, Copy)]
pub struct Workings<'a> {
    /// The floors in force.
    pub floors: Floors,
    /// The rater behind `"rating": "builtin"`.
    pub builtin: &'a dyn Fn(&RatingRequest) -> RatingResult,
}

/// How far apart the steps of a case are, in microseconds.
const BETWEEN_STEPS: i64 = 1_000_000;

/// What came of a case.
#[derive(Debug)]
pub(super) struct Played {
    /// Every decision, in order.
    pub(super) events: Vec<Event>,
    /// Why it was not played to the end.
    pub(super) fault: Option<Fault>,
}

/// One decision.
#[derive(Debug)]
pub(super) struct Event {
    /// The call that it belongs to, counted from 0.
    pub(super) call: usize,
    /// What the gate said.
    pub(super) observed: Observed,
}

/// What the gate said, in the fields that are compared, with its explanation.
#[derive(Debug)]
pub(super) struct Observed {
    pub(super) action: Action,
    pub(super) stage: Stage,
    pub(super) scope: Option<Scope>,
    pub(super) outcome: Option<Outcome>,
    pub(super) grant: Option<Offer>,
    pub(super) denial: Option<Offer>,
    pub(super) message: String,
    pub(super) decision: Decision,
}

/// Why a case was not played to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// The rater was asked and the case has nothing for it to say.
    #[error("call {} asked for a rating, and the case has none for it: add `rating`", call + 1)]
    RatingAsked {
        /// The call, counted from 0.
        call: usize,
    },
}

impl Fault {
    /// The call that it stopped at, counted from 0.
    pub(super) fn call(self) -> usize {
        match self {
            Self::RatingAsked { call } => call,
        }
    }
}

enum Question {
    Escalation(Box<Escalation>),
    Attack(Box<AttackHalt>),
}

struct Play<'c, 'w> {
    case: &'c Case,
    workings: &'c Workings<'w>,
    session: Session,
    persisted: GrantBook,
    now: Moment,
    /// The questions that nobody has answered, with the call that each belongs to.
    open: Vec<(usize, Question)>,
    events: Vec<Event>,
    calls: usize,
    ratings: usize,
    questions: usize,
}

/// Plays a case.
pub(super) fn play(case: &Case, workings: &Workings<'_>) -> Played {
    let mut play = Play {
        case,
        workings,
        session: case.open(),
        persisted: GrantBook::default(),
        now: Moment(0),
        open: Vec::new(),
        events: Vec::new(),
        calls: 0,
        ratings: 0,
        questions: 0,
    };
    let fault = case.steps.iter().try_for_each(|step| play.step(step)).err();
    Played { events: play.events, fault }
}

impl Play<'_, '_> {
    fn step(&mut self, step: &Step) -> Result<(), Fault> {
        self.now = Moment(self.now.0.saturating_add(BETWEEN_STEPS));
        match step {
            Step::Call(call) => self.call(call),
            Step::Answer(answer) => self.answer_latest(answer),
            Step::Change(setup) => {
                setup.apply(&mut self.session);
                Ok(())
            }
            Step::Open(setup) => {
                self.session = setup.open(&self.case.policy);
                self.open.clear();
                Ok(())
            }
        }
    }

    fn call(&mut self, step: &CallStep) -> Result<(), Fault> {
        let index = self.calls;
        self.calls = self.calls.saturating_add(1);
        let call = PreparedCall::new(step.call.clone());
        let call = call.with_folders(self.session.cwd.as_ref(), self.session.home.as_ref());
        let (mut around, session) =
            parts(&mut self.session, &mut self.persisted, self.case, self.workings, self.now);
        let progress = decide_prepared(&mut around, session, &call, &step.run);
        if !self.follow(index, progress, step.rating.as_ref())? {
            return Ok(());
        }
        let question = self.questions;
        self.questions = self.questions.saturating_add(1);
        let shared = || self.case.share(&self.case.answers, index, question).and_then(Option::as_ref);
        match step.answer.as_ref().or_else(shared) {
            Some(answer) => self.answer_latest(&answer.clone()),
            None => Ok(()),
        }
    }

    /// Goes on until somebody must answer or it is decided; true when it asks.
    fn follow(&mut self, call: usize, progress: Progress, own: Option<&Stub>) -> Result<bool, Fault> {
        let mut next = progress.next;
        loop {
            match next {
                Next::NeedsRating(request, deliberation) => {
                    let result = self.rate(call, &request, own)?;
                    let (mut around, session) =
                        parts(&mut self.session, &mut self.persisted, self.case, self.workings, self.now);
                    next = rated(&mut around, session, *deliberation, result).next;
                }
                Next::Decided(decision) => {
                    self.events.push(Event { call, observed: Observed::of(*decision) });
                    return Ok(false);
                }
                Next::NeedsHuman(escalation) => {
                    let asked = Observed {
                        grant: escalation.grant.clone(),
                        denial: escalation.denial.clone(),
                        ..Observed::of(escalation.pending())
                    };
                    self.events.push(Event { call, observed: asked });
                    self.open.push((call, Question::Escalation(escalation)));
                    return Ok(true);
                }
                Next::NeedsWatcher(halt) => {
                    // To the caller the run is halted until somebody says otherwise.
                    let asked = Observed { action: Action::Halt, ..Observed::of(halt.pending()) };
                    self.events.push(Event { call, observed: asked });
                    self.open.push((call, Question::Attack(halt)));
                    return Ok(true);
                }
            }
        }
    }

    fn rate(
        &mut self,
        call: usize,
        request: &RatingRequest,
        own: Option<&Stub>,
    ) -> Result<RatingResult, Fault> {
        let asked = self.ratings;
        self.ratings = self.ratings.saturating_add(1);
        let stub = own.or(match &self.case.ratings {
            Stubs::Every(stub) => Some(stub),
            Stubs::Each(stubs) => self.case.share(stubs, call, asked),
        });
        match stub {
            Some(Stub::Says(result)) => Ok(result.clone()),
            Some(Stub::BuiltIn) => Ok((self.workings.builtin)(request)),
            Some(Stub::Forbidden) | None => Err(Fault::RatingAsked { call }),
        }
    }

    fn answer_latest(&mut self, given: &Answer) -> Result<(), Fault> {
        let Some((call, question)) = self.open.pop() else { return Ok(()) };
        let (mut around, session) =
            parts(&mut self.session, &mut self.persisted, self.case, self.workings, self.now);
        let progress = match (question, given) {
            (Question::Escalation(escalation), Answer::Human(given)) => {
                answer(&mut around, session, &escalation, given)
            }
            (
                Question::Escalation(escalation),
                Answer::Attack(AttackAnswer::RunAnyway | AttackAnswer::Stop),
            ) => {
                let refusal = HumanAnswer {
                    verdict: HumanVerdict::Reject(RejectScope::Once),
                    answered_by: None,
                    comment: None,
                    terms: Terms::default(),
                };
                answer(&mut around, session, &escalation, &refusal)
            }
            (Question::Attack(halt), Answer::Attack(given)) => answer_attack(session, &halt, *given),
            (Question::Attack(halt), Answer::Human(_)) => answer_attack(session, &halt, AttackAnswer::Stop),
        };
        self.follow(call, progress, None).map(|_asks_again| ())
    }
}

fn parts<'p>(
    session: &'p mut Session,
    persisted: &'p mut GrantBook,
    case: &'p Case,
    workings: &Workings<'_>,
    now: Moment,
) -> (Surroundings<'p>, &'p mut crate::gate::SessionState) {
    let attack_watched = session.attack_watched;
    let around =
        Surroundings { policy: &case.policy, floors: workings.floors, persisted, now, attack_watched };
    (around, &mut session.state)
}

impl Observed {
    fn of(decision: Decision) -> Self {
        Self {
            action: decision.action,
            stage: decision.stage,
            scope: decision.scope,
            outcome: decision.rating.as_ref().map(|rating| rating.outcome),
            grant: None,
            denial: None,
            message: decision.message.clone(),
            decision,
        }
    }
}

impl Default for Workings<'static> {
    /// The floors of the gate, and a built-in rater that knows no command.
    fn default() -> Self {
        Self { floors: Floors::default(), builtin: &|request| Ok(crate::rater::BuiltIn::judge(request)) }
    }
}

impl std::fmt::Debug for Workings<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Workings").field("floors", &self.floors).finish_non_exhaustive()
    }
}
