//! The decision itself: the fixed order of steps from a call to an answer.
//!
//! Promises the order rung gate → weakened grants dropped → deny → hardline floor → bypass → escalate → allow → rater or
//! tool floor → human, the same for every caller. It has no clock, lock or I/O: where a rating or a human is needed it
//! stops and says so, and goes on when it is given the answer.

use super::attack::{self, AttackHalt};
use super::builtin_tools::{self, tool_class};
use super::call::Call;
use super::decision::{
    Action, Decision, Moment, Notice, NoticeKind, NoticeLevel, RuleLayer, RuleMatch, Scope, Stage, Step,
    StepResult,
};
use super::deliberation::Deliberation;
use super::effects::Effect;
use super::escalation::{self, Escalation};
use super::floors::{Floors, Hardline};
use super::grants::{GrantBook, GrantScope};
use super::messages;
use super::policy::Policy;
use super::rating::{
    Consequence, FailureCause, FloorKind, Outcome, Rating, RatingRequest, RatingResult, RatingSubject,
    ReadCommand, consequence, tripwire,
};
use super::rung::{GateScope, Rung};
use super::session::SessionState;
use super::subject::{PreparedCall, Subject};
use super::weakening;
use crate::rules::{Annotations, Identity, one_line};
use std::sync::Arc;

/// What surrounds a session when it decides.
#[derive(Debug)]
pub struct Surroundings<'a> {
    /// The operator's rules.
    pub policy: &'a Policy,
    /// The floors in force.
    pub floors: Floors,
    /// The project's persisted grants.
    pub persisted: &'a mut GrantBook,
    /// What time it is.
    pub now: Moment,
    /// Whether somebody who may answer is watching for attacks in this session.
    pub attack_watched: bool,
}

/// Where a decision stands.
#[derive(Debug)]
pub enum Next {
    /// It is made.
    Decided(Box<Decision>),
    /// A rating is needed; give it to [`rated`].
    NeedsRating(Box<RatingRequest>, Box<Deliberation>),
    /// A human is needed; give the answer to [`super::answer`].
    NeedsHuman(Box<Escalation>),
    /// Somebody is watching for attacks; give the answer to [`super::answer_attack`].
    NeedsWatcher(Box<AttackHalt>),
}

/// Where a decision stands and what it changed on the way.
#[derive(Debug)]
pub struct Progress {
    /// Where it stands.
    pub next: Next,
    /// What must be stored before anything is acknowledged, in order.
    pub effects: Vec<Effect>,
}

/// Begins to decide a call.
#[must_use]
pub fn decide(around: &mut Surroundings<'_>, session: &mut SessionState, call: &Call, run: &str) -> Progress {
    decide_prepared(around, session, &PreparedCall::new(call.clone()), run)
}

/// Begins to decide a call whose command was analysed before.
#[must_use]
pub fn decide_prepared(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    call: &PreparedCall,
    run: &str,
) -> Progress {
    let mut deliberation = Deliberation::open(around, session, call, run);
    if let Some(halted) = already_halted(session, &mut deliberation) {
        return halted;
    }
    if !is_gated(&deliberation, around.policy.gate_scope) {
        deliberation.consult(
            Step::RungGate,
            StepResult::Decided,
            format!("`{}` does not gate this call", session.rung),
        );
        return deliberation.approve(session, Stage::NotGated, Scope::Once);
    }
    deliberation.consult(Step::RungGate, StepResult::Passed, format!("`{}` gates this call", session.rung));
    drop_void_grants(around, session, &mut deliberation);
    match lists(around, session, &mut deliberation) {
        Listed::Settled(progress) => *progress,
        Listed::Nothing => unlisted(around, session, deliberation),
        Listed::Escalated => escalation::reach_human(session, deliberation),
        Listed::Tripwire => ask_rater(around, session, deliberation, None),
    }
}

/// Goes on with a rating, or with the reason why there is none.
#[must_use]
pub fn rated(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    mut deliberation: Deliberation,
    result: RatingResult,
) -> Progress {
    if let Some(halted) = already_halted(session, &mut deliberation) {
        return halted;
    }
    let mut rating = Rating::from_result(result);
    let failure = rating.cause;
    // An attack ends the run whatever the lists say; anything else yields to a refusal that came while the rating ran.
    if rating.outcome != Outcome::Attack
        && let Some(refused) = refused_meanwhile(around, session, &mut deliberation)
    {
        return refused;
    }
    if let Some(tool) = rating.suggested_tool.take() {
        // A suggestion counts only when it names a built-in that really is free now.
        rating.suggested_tool = is_free(&tool, session.rung).then_some(tool);
    }
    match deliberation.stage {
        Some(Stage::AllowTripwire) => after_tripwire(around, session, deliberation, rating, failure),
        Some(
            Stage::NotGated
            | Stage::DenyList
            | Stage::Bypass
            | Stage::HardlineFloor
            | Stage::EscalateEntry
            | Stage::AllowList
            | Stage::Rater
            | Stage::ToolOpenWorldFloor
            | Stage::UnratedRung,
        )
        | None => after_rating(around, session, deliberation, rating, failure),
    }
}

/// A deny entry or a refusal that was not there when the call arrived.
fn refused_meanwhile(
    around: &Surroundings<'_>,
    session: &SessionState,
    deliberation: &mut Deliberation,
) -> Option<Progress> {
    let (notices, consulted) = (deliberation.notices.len(), deliberation.consulted.len());
    if let Some(rule) = deliberation.search_refusals(around, session) {
        return Some(deliberation.deny(rule));
    }
    // What was looked up before is explained once.
    deliberation.notices.truncate(notices);
    deliberation.consulted.truncate(consulted);
    None
}

/// What refuses a call whatever a human says: a deny entry, an earlier refusal, or the hardline floor.
pub(super) fn standing_refusal(
    around: &Surroundings<'_>,
    session: &SessionState,
    call: &Call,
) -> Option<(Stage, String, Option<RuleMatch>, Option<Hardline>)> {
    let mut deliberation = Deliberation::open(around, session, &PreparedCall::new(call.clone()), "");
    if let Some(rule) = deliberation.search_refusals(around, session) {
        return Some((Stage::DenyList, messages::denied(&rule), Some(rule), None));
    }
    let floor = hardline(around.floors, &mut deliberation)?;
    Some((Stage::HardlineFloor, messages::hardline(call, &floor), None, Some(floor)))
}

fn already_halted(session: &SessionState, deliberation: &mut Deliberation) -> Option<Progress> {
    let halted = session.halted_runs.get(&deliberation.run)?;
    deliberation.consult(
        Step::HaltedRun,
        StepResult::Decided,
        "the run was halted by an attack earlier".to_owned(),
    );
    let mut decision = deliberation.decision(Action::Halt, halted.stage);
    decision.message.clone_from(&halted.message);
    decision.run_was_halted = true;
    Some(Progress {
        next: Next::Decided(Box::new(decision)),
        effects: std::mem::take(&mut deliberation.effects),
    })
}

/// Does the live rung gate the call? Shell commands are gated everywhere, and a call to the shell tool is one in any form.
fn is_gated(deliberation: &Deliberation, scope: GateScope) -> bool {
    match scope {
        GateScope::EveryCall => true,
        GateScope::Rung => match &deliberation.subject {
            Subject::Shell { .. } => true,
            Subject::Tool { .. } if deliberation.subject.is_unreadable_shell() => true,
            Subject::Tool { name, .. } => {
                deliberation.rung.is_deterministic()
                    && !tool_class(name).is_some_and(|class| deliberation.rung.grants(class))
            }
            Subject::McpTool { .. } => deliberation.rung.is_deterministic(),
        },
    }
}

/// Expired grants and those whose tool became more dangerous go before any list is read, even if a deny entry then decides.
fn drop_void_grants(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    deliberation: &mut Deliberation,
) {
    for grant in session.grants.expire(around.now) {
        deliberation.effects.push(Effect::GrantRemoved { scope: GrantScope::Session, entry: grant.entry });
    }
    if deliberation.rung == Rung::Bypass {
        return;
    }
    if !session.consulted_persisted {
        session.consulted_persisted = true;
        deliberation.effects.push(Effect::SessionChanged);
    }
    for grant in around.persisted.expire(around.now) {
        deliberation.effects.push(Effect::GrantRemoved { scope: GrantScope::Always, entry: grant.entry });
    }
    weakening::drop_weakened(session, around.persisted, deliberation);
}

enum Listed {
    Settled(Box<Progress>),
    Escalated,
    Tripwire,
    Nothing,
}

fn lists(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    deliberation: &mut Deliberation,
) -> Listed {
    let policy = around.policy;
    if let Some(rule) = deliberation.search_refusals(around, session) {
        return Listed::Settled(Box::new(deliberation.deny(rule)));
    }
    if let Some(floor) = hardline(around.floors, deliberation) {
        return Listed::Settled(Box::new(deliberation.refuse(floor)));
    }
    if deliberation.rung == Rung::Bypass {
        if deliberation.subject.is_unreadable_shell() {
            deliberation.consult(
                Step::Bypass,
                StepResult::Directed,
                "a shell call without command text is asked about even at `bypass`".to_owned(),
            );
            return Listed::Nothing;
        }
        deliberation.consult(
            Step::Bypass,
            StepResult::Decided,
            "`bypass` approves what no deny entry forbids".to_owned(),
        );
        return Listed::Settled(Box::new(deliberation.approve(session, Stage::Bypass, Scope::Once)));
    }
    if let Some(rule) = deliberation.search(Step::Escalate, &policy.escalate, RuleLayer::Declared) {
        deliberation.escalated_by = Some(one_line(&rule.entry));
        deliberation.rule = Some(rule);
        deliberation.stage = Some(Stage::EscalateEntry);
        return Listed::Escalated;
    }
    match search_allowed(around, session, deliberation) {
        None => Listed::Nothing,
        Some(rule) => allow(around, session, deliberation, rule),
    }
}

/// The entry that lets the call through. Where it matters, one that asks for no rating comes before one that does,
/// whatever their layers.
fn search_allowed(
    around: &Surroundings<'_>,
    session: &SessionState,
    deliberation: &mut Deliberation,
) -> Option<RuleMatch> {
    let layers = [
        (&around.policy.allow, RuleLayer::Declared),
        (session.grants.list(), RuleLayer::SessionGrant),
        (around.persisted.list(), RuleLayer::PersistedGrant),
    ];
    let mut rated = None;
    for (list, layer) in layers {
        match deliberation.search(Step::Allow, list, layer) {
            Some(rule) if rule.rate => rated = rated.or(Some(rule)),
            Some(rule) => return Some(rule),
            None => {}
        }
    }
    rated
}

fn allow(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    deliberation: &mut Deliberation,
    rule: RuleMatch,
) -> Listed {
    spend(around, session, deliberation, &rule);
    let rate = rule.rate;
    deliberation.rule = Some(rule);
    if rate {
        deliberation.stage = Some(Stage::AllowTripwire);
        return Listed::Tripwire;
    }
    Listed::Settled(Box::new(deliberation.approve(session, Stage::AllowList, Scope::Session)))
}

/// A grant that lets a call through is used once, whatever the tripwire then says.
fn spend(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    deliberation: &mut Deliberation,
    rule: &RuleMatch,
) {
    let identity = Identity::of(&rule.entry);
    let (scope, used) = match rule.layer {
        RuleLayer::SessionGrant => (GrantScope::Session, session.grants.spend(&identity, around.now)),
        RuleLayer::PersistedGrant => (GrantScope::Always, around.persisted.spend(&identity, around.now)),
        RuleLayer::Declared | RuleLayer::Denial => return,
    };
    if let Some(grant) = used {
        if grant.max_uses == Some(grant.uses) {
            let text = format!(
                "The grant for {} was used for the last time.",
                messages::quoted(&one_line(&grant.entry))
            );
            deliberation.notices.push(Notice {
                level: NoticeLevel::Info,
                kind: NoticeKind::GrantSpent,
                text,
            });
        }
        deliberation.effects.push(Effect::GrantUsed { scope, grant: Box::new(grant) });
    }
}

fn hardline(floors: Floors, deliberation: &mut Deliberation) -> Option<Hardline> {
    let Subject::Shell { call, analysis } = &deliberation.subject else { return None };
    let found = (floors.hardline)(call, analysis);
    let text = found
        .as_ref()
        .map_or_else(|| "not one of the refused kinds".to_owned(), |floor| floor.description.clone());
    let result = if found.is_some() { StepResult::Decided } else { StepResult::Passed };
    deliberation.consult(Step::Hardline, result, text);
    found
}

/// No list said anything: the rater, the tool floor or a human.
fn unlisted(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    mut deliberation: Deliberation,
) -> Progress {
    if let Subject::Shell { call, analysis } = &deliberation.subject {
        if !deliberation.rung.is_rated() {
            return escalation::reach_human(session, deliberation);
        }
        deliberation.preflight = (around.floors.preflight)(call, analysis);
        deliberation.stage = Some(Stage::Rater);
        let context = match deliberation.rung.negotiates() {
            true => session.negotiation.context(deliberation.call.justification()),
            false => None,
        };
        return ask_rater(around, session, deliberation, context);
    }
    if around.policy.gate_scope == GateScope::EveryCall && passes_unobjected(&deliberation) {
        deliberation.consult(
            Step::Allow,
            StepResult::Decided,
            "no list objects, and the tool is free".to_owned(),
        );
        return deliberation.approve(session, Stage::NotGated, Scope::Once);
    }
    let open_world = deliberation.annotations.is_none_or(|annotations| annotations.open_world);
    if !deliberation.rung.is_rated() {
        return escalation::reach_human(session, deliberation);
    }
    if !open_world {
        deliberation.stage = Some(Stage::Rater);
        return ask_rater(around, session, deliberation, None);
    }
    deliberation.stage = Some(Stage::ToolOpenWorldFloor);
    let reason = OPEN_WORLD.to_owned();
    deliberation.consult(Step::Rating, StepResult::Directed, reason.clone());
    deliberation.rating = Some(Rating::floor(FloorKind::OpenWorld, reason));
    escalation::reach_human(session, deliberation)
}

/// Under `gate_scope: every_call`: a read, a write where the rung gives writes away, or a tool that is known to be harmless.
fn passes_unobjected(deliberation: &Deliberation) -> bool {
    let by_class = match &deliberation.subject {
        Subject::Tool { name, .. } => match tool_class(name) {
            Some(builtin_tools::ToolClass::Read) => true,
            // On a rated rung the rater judges file edits by their paths.
            Some(builtin_tools::ToolClass::Write) => deliberation.rung == Rung::Write,
            None => false,
        },
        Subject::Shell { .. } | Subject::McpTool { .. } => false,
    };
    by_class
        || deliberation
            .annotations
            .is_some_and(|annotations| annotations.read_only && !annotations.open_world)
}

fn ask_rater(
    around: &Surroundings<'_>,
    session: &SessionState,
    deliberation: Deliberation,
    context: Option<super::rating::NegotiationContext>,
) -> Progress {
    let request = rating_request(around.policy, session, &deliberation.call, &deliberation.subject);
    // The tripwire of an allow match leads to no rejection, whatever the rung.
    let negotiable = deliberation.stage == Some(Stage::Rater) && deliberation.rung.negotiates();
    let subject = match request.subject {
        // A command that the floor refuses never comes this far.
        RatingSubject::Command { command, cwd, home } => {
            RatingSubject::Command { command: command.past_hardline(), cwd, home }
        }
        RatingSubject::Tool { .. } => request.subject,
    };
    let request = RatingRequest { subject, context, negotiable, ..request };
    Progress { next: Next::NeedsRating(Box::new(request), Box::new(deliberation)), effects: Vec::new() }
}

/// What a rater is told of a call: the same for every path that leads to a rating, without what was said before.
#[must_use]
pub fn rating_request(
    policy: &Policy,
    session: &SessionState,
    call: &Call,
    subject: &Subject,
) -> RatingRequest {
    let subject = match subject {
        Subject::Shell { call, analysis } => RatingSubject::Command {
            command: ReadCommand::of(Arc::clone(analysis)),
            cwd: call.cwd.clone(),
            home: call.home.clone(),
        },
        Subject::Tool { .. } | Subject::McpTool { .. } => {
            let (cwd, home) = call.folders();
            RatingSubject::Tool {
                name: call.tool_name().to_owned(),
                arguments: call.arguments_text(),
                cwd: cwd.map(str::to_owned),
                home: home.map(str::to_owned),
            }
        }
    };
    RatingRequest {
        subject,
        profile: policy.rater.clone(),
        timeout_ms: policy.rater_timeout_ms,
        context: None,
        negotiable: false,
        free_tools: free_tools(session),
    }
}

/// A rating with the floors under it that hold where no list let the call through.
#[must_use]
pub fn with_floors(
    floors: Floors,
    subject: &Subject,
    annotations: Option<Annotations>,
    rating: Rating,
) -> Rating {
    match subject {
        Subject::Shell { call, analysis } => match (floors.preflight)(call, analysis) {
            Some(preflight) => rating.raised_by(preflight.kind, preflight.reason),
            None => rating,
        },
        Subject::Tool { .. } | Subject::McpTool { .. }
            if annotations.is_none_or(|annotations| annotations.open_world) =>
        {
            rating.raised_by(FloorKind::OpenWorld, OPEN_WORLD.to_owned())
        }
        Subject::Tool { .. } | Subject::McpTool { .. } => rating,
    }
}

/// Why a tool is not safe merely because nobody objects.
const OPEN_WORLD: &str = "The tool can reach the world outside, or nothing trustworthy says that it cannot.";

/// The registered built-ins that are free at the live rung, described in our words and never in theirs.
fn free_tools(session: &SessionState) -> Vec<(String, &'static str)> {
    let mut seen = std::collections::HashSet::new();
    session
        .tools
        .iter()
        .filter(|name| seen.insert(name.as_str()))
        .filter(|name| is_free(name, session.rung))
        .filter_map(|name| Some((name.clone(), builtin_tools::summary(name)?)))
        .collect()
}

fn is_free(name: &str, rung: Rung) -> bool {
    tool_class(name).is_some_and(|class| rung.grants(class))
}

fn after_tripwire(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    mut deliberation: Deliberation,
    rating: Rating,
    failure: Option<FailureCause>,
) -> Progress {
    deliberation.consult(
        Step::Rating,
        rating_result(tripwire(rating.outcome)),
        format!("tripwire: rated {}: {}", rating.outcome, rating.reason),
    );
    let outcome = rating.outcome;
    deliberation.rating = Some(rating);
    if let Some(cause) = failure {
        deliberation.note_failure(session, cause, "ran on its allow match");
    }
    match tripwire(outcome) {
        Consequence::Approve | Consequence::Reject => {
            deliberation.approve(session, Stage::AllowTripwire, Scope::Session)
        }
        Consequence::Escalate => escalation::reach_human(session, deliberation),
        Consequence::Halt => attack::halt(around, session, deliberation),
    }
}

fn after_rating(
    around: &mut Surroundings<'_>,
    session: &mut SessionState,
    mut deliberation: Deliberation,
    rating: Rating,
    failure: Option<FailureCause>,
) -> Progress {
    let rating = match deliberation.preflight.take() {
        Some(preflight) => rating.raised_by(preflight.kind, preflight.reason),
        None => rating,
    };
    // The rung may have changed while the rating ran; the call is judged on the rung it arrived at, but a session that
    // left `auto` meanwhile does not argue any more.
    let consequence = match &deliberation.subject {
        Subject::Shell { .. } => consequence(rating.outcome, deliberation.rung),
        // A tool call is never argued over.
        Subject::Tool { .. } | Subject::McpTool { .. } => consequence(rating.outcome, Rung::Assisted),
    };
    let consequence = match consequence {
        // The session left `auto` while the rating ran, and the argument belongs to that rung alone.
        Consequence::Reject if !session.rung.negotiates() => Consequence::Escalate,
        Consequence::Approve | Consequence::Reject | Consequence::Escalate | Consequence::Halt => consequence,
    };
    let found = format!("rated {}: {}", rating.outcome, rating.reason);
    deliberation.consult(Step::Rating, rating_result(consequence), found);
    deliberation.rating = Some(rating);
    match consequence {
        Consequence::Approve => deliberation.approve(session, Stage::Rater, Scope::Once),
        Consequence::Reject if session.rung.negotiates() => negotiate(session, deliberation, failure),
        Consequence::Reject | Consequence::Escalate => {
            deliberation.note_shortfall(session, failure, "was brought to a human");
            escalation::reach_human(session, deliberation)
        }
        Consequence::Halt => {
            session.negotiation.human_reached();
            deliberation.effects.push(Effect::SessionChanged);
            attack::halt(around, session, deliberation)
        }
    }
}

fn rating_result(consequence: Consequence) -> StepResult {
    match consequence {
        Consequence::Approve | Consequence::Reject | Consequence::Halt => StepResult::Decided,
        Consequence::Escalate => StepResult::Directed,
    }
}

fn negotiate(
    session: &mut SessionState,
    mut deliberation: Deliberation,
    failure: Option<FailureCause>,
) -> Progress {
    let command = deliberation.call.command_text().unwrap_or_default().to_owned();
    let justification = deliberation.call.justification().map(str::to_owned);
    let spent = match &deliberation.rating {
        Some(rating) => session.negotiation.reject(&command, justification.as_deref(), rating),
        None => true,
    };
    deliberation.effects.push(Effect::SessionChanged);
    if spent {
        deliberation.note_shortfall(session, failure, "was brought to a human");
        deliberation.consult(
            Step::Rating,
            StepResult::Directed,
            "the negotiation is spent: a human is asked".to_owned(),
        );
        return escalation::reach_human(session, deliberation);
    }
    deliberation.note_shortfall(session, failure, "went back to the agent");
    let message = messages::rejected(&deliberation.call, deliberation.rating.as_ref(), None, None);
    let mut decision = deliberation.decision(Action::Reject, Stage::Rater);
    decision.message = message;
    deliberation.settle(decision)
}
