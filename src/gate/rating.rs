//! A rating as the decision sees it, and what a rating means on each rung.
//!
//! Promises the closed vocabulary of outcomes and failures and the mapping of an outcome to what happens next.
//! Knows nothing of how a rating comes about.

use super::negotiation::Round;
use super::rung::Rung;
use crate::shell::{Analysis, Dialect, analyze};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// What a rater says of a command, mildest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every effect is known and harmless.
    Safe,
    /// Everything else, and everything not assessed.
    Destructive,
    /// Undoing it would need something outside the session.
    Catastrophic,
    /// Its own structure shows hostile purpose.
    Attack,
}

impl Outcome {
    /// Every outcome, mildest first.
    pub const ALL: [Self; 4] = [Self::Safe, Self::Destructive, Self::Catastrophic, Self::Attack];

    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Destructive => "destructive",
            Self::Catastrophic => "catastrophic",
            Self::Attack => "attack",
        }
    }

    /// The outcome of that exact word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.as_str() == word)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// Why there is no rating.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FailureCause {
    /// The rater does not know the command well enough to judge it.
    NotAssessed,
    /// No model is configured.
    NoModel,
    /// The time limit passed.
    Timeout,
    /// The answer was not a verdict.
    Unparseable,
    /// The rater could not be reached.
    Transport,
    /// The rater failed too often lately and is being left alone.
    CircuitOpen,
    /// The project has spent what it may on ratings by models.
    BudgetSpent,
}

impl FailureCause {
    /// Every cause.
    pub const ALL: [Self; 7] = [
        Self::NotAssessed,
        Self::NoModel,
        Self::Timeout,
        Self::Unparseable,
        Self::Transport,
        Self::CircuitOpen,
        Self::BudgetSpent,
    ];

    /// The cause in the words of a reason.
    #[must_use]
    pub fn as_words(self) -> &'static str {
        match self {
            Self::NotAssessed => "the rater does not know it well enough to judge it",
            Self::NoModel => "no rating model is configured",
            Self::Timeout => "the rating took longer than its time limit",
            Self::Unparseable => "the rater's answer could not be read",
            Self::Transport => "the rater could not be reached",
            Self::CircuitOpen => "the rater failed repeatedly and is being left alone for a while",
            Self::BudgetSpent => "the project's budget for ratings by models is spent",
        }
    }

    /// The identifier in records and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotAssessed => "NOT_ASSESSED",
            Self::NoModel => "NO_MODEL",
            Self::Timeout => "TIMEOUT",
            Self::Unparseable => "UNPARSEABLE",
            Self::Transport => "TRANSPORT",
            Self::CircuitOpen => "CIRCUIT_OPEN",
            Self::BudgetSpent => "BUDGET_SPENT",
        }
    }
}

/// Who rated.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingSource {
    /// The rater that is built in.
    BuiltIn,
    /// A model, by the name of its profile.
    Model(String),
    /// A floor, where there was no verdict.
    Floor,
}

/// What a rater found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// One sentence that says why.
    pub reason: String,
    /// A tool that would do instead, by registered name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_tool: Option<String>,
    /// Who rated.
    pub source: RatingSource,
    /// Why the command could not be assessed as a whole, where the reason says what was not known: it is destructive by doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<FailureCause>,
}

/// What comes back from asking for a rating: a verdict, or why there is none. Never a silent approval.
pub type RatingResult = Result<Verdict, FailureCause>;

/// A floor that made a rating stricter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FloorKind {
    /// An interpreter is given an expanded variable that may hold a secret.
    EnvironmentLeak,
    /// The command names a host.
    NetworkHost,
    /// A tool speaks to the world outside, or may.
    OpenWorld,
}

impl FloorKind {
    /// The word in records.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EnvironmentLeak => "environment_leak",
            Self::NetworkHost => "network_host",
            Self::OpenWorld => "open_world",
        }
    }
}

/// A floor that was met.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloorFinding {
    /// Which one.
    pub kind: FloorKind,
    /// One sentence that says why.
    pub reason: String,
    /// Whether it made the outcome stricter.
    pub raised: bool,
}

/// The rating that a decision was made with, after floors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The outcome after floors.
    pub outcome: Outcome,
    /// One sentence that says why.
    pub reason: String,
    /// A tool that would do instead, which is free at the live rung.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_tool: Option<String>,
    /// Who rated.
    pub source: RatingSource,
    /// The floors that were met, whether or not they changed the outcome.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub floors: Vec<FloorFinding>,
    /// Why there was no verdict, or only one by doubt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<FailureCause>,
}

impl Rating {
    /// The rating that a result amounts to: a failure is destructive, with its cause.
    #[must_use]
    pub fn from_result(result: RatingResult) -> Self {
        match result {
            Ok(verdict) => Self {
                outcome: verdict.outcome,
                reason: verdict.reason,
                suggested_tool: verdict.suggested_tool,
                source: verdict.source,
                floors: Vec::new(),
                cause: verdict.cause,
            },
            Err(cause) => Self {
                outcome: Outcome::Destructive,
                reason: format!("The command could not be assessed: {}.", cause.as_words()),
                suggested_tool: None,
                source: RatingSource::Floor,
                floors: Vec::new(),
                cause: Some(cause),
            },
        }
    }

    /// A rating that a floor alone gives.
    #[must_use]
    pub fn floor(kind: FloorKind, reason: String) -> Self {
        Self {
            outcome: Outcome::Destructive,
            floors: vec![FloorFinding { kind, reason: reason.clone(), raised: true }],
            reason,
            suggested_tool: None,
            source: RatingSource::Floor,
            cause: None,
        }
    }

    /// The same rating with a floor under it: only `safe` changes, to `destructive` with the floor's reason.
    #[must_use]
    pub fn raised_by(mut self, kind: FloorKind, reason: String) -> Self {
        let raised = self.outcome == Outcome::Safe;
        self.floors.push(FloorFinding { kind, reason: reason.clone(), raised });
        match self.outcome {
            Outcome::Safe => Self { outcome: Outcome::Destructive, reason, suggested_tool: None, ..self },
            Outcome::Destructive | Outcome::Catastrophic | Outcome::Attack => self,
        }
    }
}

/// What a rating asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consequence {
    /// Let it run.
    Approve,
    /// Hand it back to the agent.
    Reject,
    /// Ask a human.
    Escalate,
    /// End the run.
    Halt,
}

/// What an outcome means for a call that no list let through.
#[must_use]
pub fn consequence(outcome: Outcome, rung: Rung) -> Consequence {
    match outcome {
        Outcome::Safe => Consequence::Approve,
        Outcome::Destructive if rung.negotiates() => Consequence::Reject,
        Outcome::Destructive | Outcome::Catastrophic => Consequence::Escalate,
        Outcome::Attack => Consequence::Halt,
    }
}

/// What an outcome means for a call that an allow entry let through: a tripwire only.
#[must_use]
pub fn tripwire(outcome: Outcome) -> Consequence {
    match outcome {
        Outcome::Safe | Outcome::Destructive => Consequence::Approve,
        Outcome::Catastrophic => Consequence::Escalate,
        Outcome::Attack => Consequence::Halt,
    }
}

/// What a rater is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RatingRequest {
    /// What is to be rated.
    pub subject: RatingSubject,
    /// The profile to rate with; `None` is the default one.
    pub profile: Option<String>,
    /// The time limit in milliseconds.
    pub timeout_ms: u32,
    /// What the agent and the rater said so far; empty in round one and on the tripwire path.
    pub context: Option<NegotiationContext>,
    /// Whether a rejection goes back to the agent, which then reads the reason.
    pub negotiable: bool,
    /// The tools that are free at the live rung, each with our own one-line summary.
    pub free_tools: Vec<(String, &'static str)>,
}

/// What is to be rated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RatingSubject {
    /// A shell command.
    Command {
        /// The command, as it was read.
        command: ReadCommand,
        /// The folder it would run in.
        cwd: Option<String>,
        /// The home folder.
        home: Option<String>,
    },
    /// A tool call.
    Tool {
        /// The tool's name.
        name: String,
        /// Its arguments as JSON text.
        arguments: String,
        /// The folder that relative paths in its arguments start from.
        cwd: Option<String>,
        /// The home folder.
        home: Option<String>,
    },
}

impl RatingSubject {
    /// How long the text to judge is, in bytes.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Self::Command { command, .. } => command.text().len(),
            Self::Tool { arguments, .. } => arguments.len(),
        }
    }
}

/// A command with what is known of it when a rating is asked for, so that nobody reads it twice. Two of them are the same where
/// their texts and languages are.
#[derive(Clone)]
pub struct ReadCommand {
    analysis: Arc<Analysis>,
    passed_hardline: bool,
}

impl ReadCommand {
    /// Reads a command.
    #[must_use]
    pub fn new(command: &str, dialect: Dialect) -> Self {
        Self::of(Arc::new(analyze(command, dialect)))
    }

    /// A command that was read before.
    #[must_use]
    pub fn of(analysis: Arc<Analysis>) -> Self {
        Self { analysis, passed_hardline: false }
    }

    /// The same command after the hardline floor let it pass, in the folder and for the home of the request.
    #[must_use]
    pub(super) fn past_hardline(self) -> Self {
        Self { passed_hardline: true, ..self }
    }

    /// Its text as sent.
    #[must_use]
    pub fn text(&self) -> &str {
        self.analysis.text()
    }

    /// The language of the text.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.analysis.dialect()
    }

    /// What is known of it.
    #[must_use]
    pub fn analysis(&self) -> &Analysis {
        &self.analysis
    }

    /// Whether the hardline floor has let it pass already.
    #[must_use]
    pub fn passed_hardline(&self) -> bool {
        self.passed_hardline
    }
}

impl PartialEq for ReadCommand {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.dialect() == other.dialect()
    }
}

impl Eq for ReadCommand {}

impl fmt::Debug for ReadCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("ReadCommand")
            .field("text", &self.text())
            .field("dialect", &self.dialect())
            .finish_non_exhaustive()
    }
}

/// What was said before, from the second round on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NegotiationContext {
    /// Why the agent says it needs this.
    pub justification: Option<String>,
    /// The rounds before this one.
    pub rounds: Vec<Round>,
    /// The last things the user said, oldest first.
    pub user_messages: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Invariants 54 and 58.
    #[test]
    fn an_outcome_means_what_the_tables_say() {
        use Consequence::{Approve, Escalate, Halt, Reject};
        let table = [
            (Outcome::Safe, Approve, Approve, Approve),
            (Outcome::Destructive, Escalate, Reject, Approve),
            (Outcome::Catastrophic, Escalate, Escalate, Escalate),
            (Outcome::Attack, Halt, Halt, Halt),
        ];
        for (outcome, assisted, auto, allowed) in table {
            assert_eq!(consequence(outcome, Rung::Assisted), assisted, "{outcome}");
            assert_eq!(consequence(outcome, Rung::Auto), auto, "{outcome}");
            assert_eq!(tripwire(outcome), allowed, "{outcome}");
        }
    }

    #[test]
    fn a_floor_raises_safe_and_leaves_everything_stricter_alone() {
        for outcome in Outcome::ALL {
            let before = Rating::from_result(Ok(Verdict {
                outcome,
                reason: "as rated".to_owned(),
                suggested_tool: Some("read_file".to_owned()),
                source: RatingSource::BuiltIn,
                cause: None,
            }));
            let after = before.clone().raised_by(FloorKind::NetworkHost, "names a host".to_owned());
            assert_eq!(
                after.floors.first().map(|floor| (floor.kind, floor.raised)),
                Some((FloorKind::NetworkHost, outcome == Outcome::Safe))
            );
            if outcome == Outcome::Safe {
                assert_eq!((after.outcome, after.reason.as_str()), (Outcome::Destructive, "names a host"));
                assert_eq!(after.suggested_tool, None);
            } else {
                assert_eq!(
                    (after.outcome, after.reason, after.suggested_tool),
                    (outcome, before.reason, before.suggested_tool)
                );
            }
        }
    }

    #[test]
    fn a_failed_rating_is_destructive_with_its_cause() {
        for cause in FailureCause::ALL {
            let rating = Rating::from_result(Err(cause));
            assert_eq!((rating.outcome, rating.cause), (Outcome::Destructive, Some(cause)));
            assert!(rating.reason.contains(cause.as_words()));
        }
    }

    #[test]
    fn a_verdict_by_doubt_keeps_its_reason_beside_its_cause() {
        let verdict = Verdict {
            outcome: Outcome::Destructive,
            reason: "Nothing is known of frobnicate.".to_owned(),
            suggested_tool: None,
            source: RatingSource::BuiltIn,
            cause: Some(FailureCause::NotAssessed),
        };
        let rating = Rating::from_result(Ok(verdict.clone()));
        assert_eq!((rating.reason, rating.cause), (verdict.reason, verdict.cause));
    }
}
