//! A call under decision: what was found out so far, and the answers that follow from it.
//!
//! Promises that every look into a list is recorded with what it found. Knows nothing of the order of the steps; that is
//! the pipeline's.

use super::call::Call;
use super::decision::{
    Action, Consulted, Decision, Notice, NoticeKind, NoticeLevel, RuleLayer, RuleMatch, Scope, Search, Stage,
    Step, StepResult,
};
use super::effects::Effect;
use super::floors::{Hardline, Preflight};
use super::messages;
use super::negotiation::Budget;
use super::pipeline::{Next, Progress, Surroundings};
use super::rating::{FailureCause, Rating};
use super::rung::Rung;
use super::session::SessionState;
use super::subject::{PreparedCall, Subject};
use crate::rules::{Annotations, Basis, Entry, Found, ListKind, McpIdentity, RuleList, one_line};
use crate::shell::Resolution;

/// A call under decision: everything found out so far.
#[derive(Debug)]
pub struct Deliberation {
    pub(super) call: Call,
    pub(super) run: String,
    pub(super) subject: Subject,
    pub(super) annotations: Option<Annotations>,
    pub(super) rung: Rung,
    pub(super) budget: Budget,
    pub(super) stage: Option<Stage>,
    pub(super) rule: Option<RuleMatch>,
    pub(super) rating: Option<Rating>,
    pub(super) escalated_by: Option<String>,
    pub(super) notices: Vec<Notice>,
    pub(super) consulted: Vec<Consulted>,
    pub(super) unresolved: Vec<String>,
    pub(super) effects: Vec<Effect>,
    pub(super) preflight: Option<Preflight>,
    pub(super) timeout_ms: u32,
}

/// What a reader of the answer should know of the call itself.
fn subject_notices(subject: &Subject) -> Vec<Notice> {
    let notice = |kind, text| vec![Notice { level: NoticeLevel::Info, kind, text }];
    match subject {
        Subject::Shell { analysis, .. } => analysis.unread().map_or_else(Vec::new, |unread| {
            let text = format!("The command was not read whole: {} at byte {}.", unread.reason, unread.at);
            notice(NoticeKind::Unread, text)
        }),
        Subject::McpTool { identity: McpIdentity::Unresolved { registered, readings }, .. } => {
            let how_many = if readings.is_empty() {
                "no configured MCP server explains"
            } else {
                "several configured MCP servers explain"
            };
            let text = format!(
                "{how_many} the name {}; no allow entry, grant or trust applies to it.",
                messages::quoted(registered)
            );
            notice(NoticeKind::McpAmbiguous, text)
        }
        Subject::McpTool { identity: McpIdentity::Resolved { .. }, .. } | Subject::Tool { .. } => Vec::new(),
    }
}

fn unresolved(subject: &Subject) -> Vec<String> {
    match subject {
        Subject::Shell { analysis, .. } => match analysis.resolution() {
            Resolution::Single { .. } => Vec::new(),
            Resolution::Compound { mechanisms } => mechanisms.iter().map(ToString::to_string).collect(),
        },
        Subject::Tool { .. } | Subject::McpTool { .. } => Vec::new(),
    }
}

impl Deliberation {
    /// Says something beside the answer.
    pub fn notice(&mut self, notice: Notice) {
        self.notices.push(notice);
    }

    pub(super) fn open(
        around: &Surroundings<'_>,
        session: &SessionState,
        call: &PreparedCall,
        run: &str,
    ) -> Self {
        let subject = Subject::of_prepared(call, &session.mcp_servers);
        let notices = subject_notices(&subject);
        Self {
            call: call.call().clone(),
            run: run.to_owned(),
            unresolved: unresolved(&subject),
            annotations: session.annotations(around.policy).effective(&subject),
            subject,
            rung: session.rung,
            budget: session.negotiation.budget(),
            stage: None,
            rule: None,
            rating: None,
            escalated_by: None,
            notices,
            consulted: Vec::new(),
            effects: Vec::new(),
            preflight: None,
            timeout_ms: around.policy.rater_timeout_ms,
        }
    }

    pub(super) fn search_refusals(
        &mut self,
        around: &Surroundings<'_>,
        session: &SessionState,
    ) -> Option<RuleMatch> {
        self.search(Step::Deny, &around.policy.deny, RuleLayer::Declared)
            .or_else(|| self.search(Step::Deny, session.denials.list(), RuleLayer::Denial))
    }

    pub(super) fn consult(&mut self, step: Step, result: StepResult, detail: String) {
        self.consulted.push(Consulted { step, result, detail, search: None });
    }

    /// Looks in one list, and records what was found.
    pub(super) fn search(&mut self, step: Step, list: &RuleList, layer: RuleLayer) -> Option<RuleMatch> {
        if list.is_empty() {
            return None;
        }
        let mut undecided = Vec::new();
        let found = list.find_noting(&self.subject.target(self.annotations), &mut undecided);
        self.notices.extend(undecided.iter().map(|undecided| Notice {
            level: NoticeLevel::Warning,
            kind: NoticeKind::PatternUndecided,
            text: undecided.to_string(),
        }));
        match found {
            Found::None => {
                let entries = list.len();
                let noun = if entries == 1 { "entry" } else { "entries" };
                let detail = format!("none of {entries} {noun} {}", layer.as_words());
                let search = Search { list: list.kind(), layer, entries, matched: None };
                self.consulted.push(Consulted {
                    step,
                    result: StepResult::Passed,
                    detail,
                    search: Some(search),
                });
                None
            }
            Found::Match { entry, index, basis } => {
                let undecided = match basis {
                    Basis::Decided => None,
                    Basis::Undecidable { reason } => Some(reason.to_string()),
                };
                let rule = RuleMatch {
                    list: list.kind(),
                    layer,
                    entry: entry.clone(),
                    index: (layer == RuleLayer::Declared).then_some(index),
                    undecided,
                    rate: list.kind() == ListKind::Allow && self.still_rates(entry),
                };
                let result = match step {
                    Step::Deny => StepResult::Decided,
                    Step::Allow if !rule.rate => StepResult::Decided,
                    Step::HaltedRun
                    | Step::RungGate
                    | Step::WeakenedGrants
                    | Step::Hardline
                    | Step::Bypass
                    | Step::Escalate
                    | Step::Allow
                    | Step::Rating
                    | Step::Human => StepResult::Directed,
                };
                let detail = format!("matches {} {}", one_line(entry), layer.as_words());
                let search =
                    Search { list: list.kind(), layer, entries: list.len(), matched: Some(rule.clone()) };
                self.consulted.push(Consulted { step, result, detail, search: Some(search) });
                Some(rule)
            }
        }
    }

    /// Whether a call that this entry allows is rated all the same. Only commands are, and only on a rated rung.
    fn still_rates(&self, entry: &Entry) -> bool {
        match &self.subject {
            Subject::Shell { .. } => entry.rates() && self.rung.is_rated(),
            Subject::Tool { .. } | Subject::McpTool { .. } => false,
        }
    }

    pub(super) fn deny(&mut self, rule: RuleMatch) -> Progress {
        let message = messages::denied(&rule);
        self.rule = Some(rule);
        let mut decision = self.decision(Action::Reject, Stage::DenyList);
        decision.message = message;
        self.settle_now(decision)
    }

    pub(super) fn refuse(&mut self, floor: Hardline) -> Progress {
        let text = format!("Refused by a floor that nothing overrides: it would {}.", floor.description);
        self.notices.push(Notice { level: NoticeLevel::Warning, kind: NoticeKind::Hardline, text });
        let message = messages::hardline(&self.call, &floor);
        let mut decision = self.decision(Action::Reject, Stage::HardlineFloor);
        decision.message = message;
        decision.hardline = Some(floor);
        self.settle_now(decision)
    }

    /// Approves; whatever was argued about is over.
    pub(super) fn approve(&mut self, session: &mut SessionState, stage: Stage, scope: Scope) -> Progress {
        let argued = session.negotiation.budget().consecutive > 0 || !session.negotiation.rounds().is_empty();
        if argued {
            session.negotiation.approved();
            self.effects.push(Effect::SessionChanged);
        }
        let mut decision = self.decision(Action::Approve, stage);
        decision.scope = Some(scope);
        self.settle_now(decision)
    }

    /// The answer as far as it is known; consumes what was said along the way.
    pub(super) fn decision(&mut self, action: Action, stage: Stage) -> Decision {
        Decision {
            action,
            stage,
            scope: None,
            message: String::new(),
            rule: self.rule.take(),
            rating: self.rating.take(),
            hardline: None,
            notices: std::mem::take(&mut self.notices),
            human: None,
            run_was_halted: false,
            rung: self.rung,
            budget: self.budget,
            unresolved: std::mem::take(&mut self.unresolved),
            consulted: std::mem::take(&mut self.consulted),
        }
    }

    pub(super) fn settle(mut self, decision: Decision) -> Progress {
        self.settle_now(decision)
    }

    fn settle_now(&mut self, decision: Decision) -> Progress {
        Progress { next: Next::Decided(Box::new(decision)), effects: std::mem::take(&mut self.effects) }
    }

    /// A call ran although it could not be rated: that is always said.
    pub(super) fn note_failure(
        &mut self,
        session: &mut SessionState,
        cause: FailureCause,
        what_happened: &str,
    ) {
        let text = format!("This was not rated ({}); the command {what_happened}.", cause.as_words());
        self.notices.push(Notice { level: NoticeLevel::Warning, kind: NoticeKind::RatingFailed, text });
        if cause == FailureCause::Timeout {
            self.note_shortfall(session, Some(cause), what_happened);
        }
    }

    /// A rating failed for something that the operator has set: what it was is said.
    pub(super) fn note_shortfall(
        &mut self,
        session: &mut SessionState,
        cause: Option<FailureCause>,
        what_happened: &str,
    ) {
        match cause {
            Some(FailureCause::Timeout) => {}
            Some(FailureCause::BudgetSpent) => {
                let text = messages::budget_spent(what_happened);
                self.notices.push(Notice {
                    level: NoticeLevel::Warning,
                    kind: NoticeKind::RatingFailed,
                    text,
                });
                return;
            }
            Some(
                FailureCause::NotAssessed
                | FailureCause::NoModel
                | FailureCause::Unparseable
                | FailureCause::Transport
                | FailureCause::CircuitOpen,
            )
            | None => return,
        }
        session.rating_timeouts = session.rating_timeouts.saturating_add(1);
        self.effects.push(Effect::SessionChanged);
        let text = messages::rating_timeout(self.timeout_ms, what_happened, session.rating_timeouts);
        self.notices.push(Notice { level: NoticeLevel::Warning, kind: NoticeKind::RatingTimeout, text });
    }
}
