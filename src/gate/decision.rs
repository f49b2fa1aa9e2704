//! The answer to a call: the closed vocabularies and everything an answer carries.
//!
//! Promises that an answer names its action, its stage and what led to it. Knows nothing of how answers are stored,
//! sent or shown.

use super::floors::Hardline;
use super::negotiation::Budget;
use super::rating::Rating;
use super::rung::Rung;
use crate::rules::{Entry, ListKind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A moment in microseconds since the Unix epoch, UTC. The decision has no clock; whoever calls it says what time it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Moment(pub i64);

/// What the caller must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// Run the call.
    Approve,
    /// Not run it, and hand the message to the model as the tool's result.
    Reject,
    /// Wait: a human was asked.
    Escalate,
    /// End the run now; the model gets nothing.
    Halt,
    /// End the run with a non-zero exit: approval was needed and nobody can answer.
    Unattended,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 5] = [Self::Approve, Self::Reject, Self::Escalate, Self::Halt, Self::Unattended];

    /// The identifier in records and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "APPROVE",
            Self::Reject => "REJECT",
            Self::Escalate => "ESCALATE",
            Self::Halt => "HALT",
            Self::Unattended => "UNATTENDED",
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// The step that decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Stage {
    /// The live rung does not gate the call.
    NotGated,
    /// A deny entry or an earlier refusal.
    DenyList,
    /// The rung `bypass`.
    Bypass,
    /// A command that nothing may let through.
    HardlineFloor,
    /// An escalate entry.
    EscalateEntry,
    /// An allow entry or a grant.
    AllowList,
    /// The rating of a call that an allow entry let through.
    AllowTripwire,
    /// The rating of a call that no list let through.
    Rater,
    /// A tool that speaks to the world outside, or may.
    ToolOpenWorldFloor,
    /// The rung asks a human for everything no list let through.
    UnratedRung,
}

impl Stage {
    /// Every stage, in the order of the decision.
    pub const ALL: [Self; 10] = [
        Self::NotGated,
        Self::DenyList,
        Self::Bypass,
        Self::HardlineFloor,
        Self::EscalateEntry,
        Self::AllowList,
        Self::AllowTripwire,
        Self::Rater,
        Self::ToolOpenWorldFloor,
        Self::UnratedRung,
    ];

    /// The identifier in records and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotGated => "NOT_GATED",
            Self::DenyList => "DENY_LIST",
            Self::Bypass => "BYPASS",
            Self::HardlineFloor => "HARDLINE_FLOOR",
            Self::EscalateEntry => "ESCALATE_ENTRY",
            Self::AllowList => "ALLOW_LIST",
            Self::AllowTripwire => "ALLOW_TRIPWIRE",
            Self::Rater => "RATER",
            Self::ToolOpenWorldFloor => "TOOL_OPEN_WORLD_FLOOR",
            Self::UnratedRung => "UNRATED_RUNG",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

/// How far an approval or a refusal reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Scope {
    /// This call alone.
    Once,
    /// Until the session is closed.
    Session,
    /// Every session of the project.
    Always,
}

impl Scope {
    /// The identifier in records and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Once => "ONCE",
            Self::Session => "SESSION",
            Self::Always => "ALWAYS",
        }
    }
}

/// Where a matched entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RuleLayer {
    /// In the operator's policy.
    Declared,
    /// A human granted it for this session.
    SessionGrant,
    /// A human granted it for the project.
    PersistedGrant,
    /// A human refused it in this session.
    Denial,
}

impl RuleLayer {
    /// The layer in the words of an explanation.
    #[must_use]
    pub fn as_words(self) -> &'static str {
        match self {
            Self::Declared => "declared in the policy",
            Self::SessionGrant => "granted for this session",
            Self::PersistedGrant => "granted for the project",
            Self::Denial => "refused in this session",
        }
    }
}

/// The entry that decided, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleMatch {
    /// The list.
    pub list: ListKind,
    /// The layer of the list.
    pub layer: RuleLayer,
    /// The entry.
    pub entry: Entry,
    /// Its place in a declared list, counted from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
    /// Why it counted as a match although that could not be decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<String>,
    /// Whether the call is still rated.
    pub rate: bool,
}

/// How loudly a notice is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum NoticeLevel {
    /// Good to know.
    Info,
    /// Something needs a look.
    Warning,
}

/// What kind of thing a notice is about, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum NoticeKind {
    /// A grant was withdrawn because its tool now describes itself as more dangerous.
    GrantWithdrawn,
    /// A grant's last use was spent.
    GrantSpent,
    /// A pattern could not be decided within its bound.
    PatternUndecided,
    /// A rating took longer than its limit.
    RatingTimeout,
    /// A call ran on its allow entry although it could not be rated.
    RatingFailed,
    /// A command was refused by the hardline floor.
    Hardline,
    /// Declared entries that can never fire at the session's rung.
    InertEntries,
    /// What the session's rung means, said once when it opens.
    Posture,
    /// A dry run stopped where a rating would have been asked for.
    RatingSkipped,
    /// A registered name that more than one configured server, or none, explains.
    McpAmbiguous,
    /// The command, or a part of it, could not be read.
    Unread,
    /// A session that nobody opened was opened with the project's defaults.
    SessionDefaults,
    /// Entries of an older file were read with a narrower meaning.
    Migrated,
}

impl NoticeKind {
    /// The identifier in records and JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GrantWithdrawn => "GRANT_WITHDRAWN",
            Self::GrantSpent => "GRANT_SPENT",
            Self::PatternUndecided => "PATTERN_UNDECIDED",
            Self::RatingTimeout => "RATING_TIMEOUT",
            Self::RatingFailed => "RATING_FAILED",
            Self::Hardline => "HARDLINE",
            Self::InertEntries => "INERT_ENTRIES",
            Self::Posture => "POSTURE",
            Self::RatingSkipped => "RATING_SKIPPED",
            Self::McpAmbiguous => "MCP_AMBIGUOUS",
            Self::Unread => "UNREAD",
            Self::SessionDefaults => "SESSION_DEFAULTS",
            Self::Migrated => "MIGRATED",
        }
    }
}

/// Something said beside the answer; it never changes the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// How loudly.
    pub level: NoticeLevel,
    /// About what.
    pub kind: NoticeKind,
    /// For people.
    pub text: String,
}

/// What a human said, for the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanSaid {
    /// Yes, or `run anyway`.
    Approve,
    /// No, or stop.
    Reject,
    /// Nobody could be asked.
    Nobody,
}

/// A step of the decision, as an explanation names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Was the run halted before?
    HaltedRun,
    /// Does the live rung gate the call?
    RungGate,
    /// Did a tool become more dangerous than its grant?
    WeakenedGrants,
    /// The deny list and the refusals of the session.
    Deny,
    /// The hardline floor.
    Hardline,
    /// The rung `bypass`.
    Bypass,
    /// The escalate list.
    Escalate,
    /// The allow list and the grants.
    Allow,
    /// The rating, or the tool floor in its place.
    Rating,
    /// The human.
    Human,
}

impl Step {
    /// The step in the words of an explanation.
    #[must_use]
    pub fn as_words(self) -> &'static str {
        match self {
            Self::HaltedRun => "halted run",
            Self::RungGate => "rung",
            Self::WeakenedGrants => "weakened grants",
            Self::Deny => "deny",
            Self::Hardline => "hardline floor",
            Self::Bypass => "bypass",
            Self::Escalate => "escalate",
            Self::Allow => "allow",
            Self::Rating => "rating",
            Self::Human => "human",
        }
    }
}

/// What a step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepResult {
    /// Looked, and left the call to the next step.
    Passed,
    /// Settled the call.
    Decided,
    /// Sent the call to a later step, past those between.
    Directed,
}

/// One thing that the decision looked at, in order: the explanation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consulted {
    /// The step.
    pub step: Step,
    /// What it did.
    pub result: StepResult,
    /// What was found, in words.
    pub detail: String,
    /// The list that was searched, where the step searched one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
}

/// One list that was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Search {
    /// The list.
    pub list: ListKind,
    /// Its layer.
    pub layer: RuleLayer,
    /// How many entries it has.
    pub entries: usize,
    /// The first entry that matched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matched: Option<RuleMatch>,
}

/// The answer to a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// What the caller must do.
    pub action: Action,
    /// The step that decided.
    pub stage: Stage,
    /// For an approval: the scope that is in force, which is what was stored and not what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<Scope>,
    /// What the model (REJECT) or the operator (HALT, UNATTENDED) is told.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The entry that decided, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<RuleMatch>,
    /// The rating, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The hardline check that refused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hardline: Option<Hardline>,
    /// What was said beside the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What a human said to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub human: Option<HumanSaid>,
    /// The run had been halted before this call arrived.
    #[serde(default)]
    pub run_was_halted: bool,
    /// The rung at the time.
    pub rung: Rung,
    /// How much of the negotiation was spent when the call arrived.
    pub budget: Budget,
    /// Why the command is not one simple command, in plain words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unresolved: Vec<String>,
    /// What was looked at, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub consulted: Vec<Consulted>,
}
