//! What the live gate answers: a decision with its ids, and what became of a question to a human.
//!
//! Promises that everything a response or a record shows can be rebuilt from these values, whether they come from
//! memory or from the store.

use super::answering::read_settled;
use super::error::EngineError;
use super::rating::RatingTrace;
use crate::gate::{
    AttackAnswer, AttackHalt, Budget, Call, Decision, Escalation, HumanAnswer, HumanVerdict, Moment, Offer,
    Subject,
};
use crate::rules::{Annotations, McpIdentity};
use crate::store::QuestionRow;
use crate::trace::TraceContext;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A call as the rules saw it, for answers and records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubjectView {
    /// A shell command.
    Shell {
        /// The text as sent.
        command: String,
        /// The canonical spelling, when it is one simple command.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        canonical: Option<String>,
    },
    /// A tool of the agent itself.
    Tool {
        /// Its name.
        name: String,
        /// The hosts that its arguments name.
        hosts: Vec<String>,
        /// What it is taken to be.
        annotations: Option<Annotations>,
    },
    /// A tool of an MCP server.
    McpTool {
        /// The server's key; empty when no single one explains the name.
        server: String,
        /// The tool's own name; the registered name when the server is empty.
        name: String,
        /// The name under which it is registered.
        registered: String,
        /// The hosts that its arguments name.
        hosts: Vec<String>,
        /// What it is taken to be.
        annotations: Option<Annotations>,
    },
}

impl SubjectView {
    /// The view of a subject.
    #[must_use]
    pub fn of(subject: &Subject, annotations: Option<Annotations>) -> Self {
        match subject {
            Subject::Shell { call, analysis } => Self::Shell {
                command: call.command.clone(),
                canonical: analysis.canonical().map(str::to_owned),
            },
            Subject::Tool { name, hosts } => {
                Self::Tool { name: name.clone(), hosts: hosts.named.clone(), annotations }
            }
            Subject::McpTool { identity, hosts } => {
                let (server, name, registered) = match identity {
                    McpIdentity::Resolved { server, name } => {
                        (server.clone(), name.clone(), crate::gate::registered_name(server, name))
                    }
                    McpIdentity::Unresolved { registered, .. } => {
                        (String::new(), registered.clone(), registered.clone())
                    }
                };
                Self::McpTool { server, name, registered, hosts: hosts.named.clone(), annotations }
            }
        }
    }
}

/// How long things took, in microseconds, and when.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timing {
    /// When the call arrived.
    pub arrived_at: Moment,
    /// When it was settled; absent while a human is waited for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled_at: Option<Moment>,
    /// How long the decision itself took.
    pub deciding_us: u64,
    /// How long the rating took.
    pub rating_us: u64,
    /// How long a human took.
    #[serde(default)]
    pub human_us: u64,
}

/// What the live gate answers to a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// The decision.
    pub decision: Decision,
    /// Its id, which is also its record's.
    pub decision_id: String,
    /// The project.
    pub project: String,
    /// The session.
    pub session: String,
    /// The run; empty for calls that name none.
    pub run: String,
    /// The request's id.
    pub request_id: String,
    /// Who asked.
    pub caller: String,
    /// What the caller is there for; absent in what earlier versions recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller_role: Option<String>,
    /// How the caller was recognised; absent in what earlier versions recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller_via: Option<String>,
    /// The policy that it was made under.
    pub policy_revision: String,
    /// The call.
    pub call: Call,
    /// The call as the rules saw it.
    pub subject: SubjectView,
    /// The escalation that a human answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub escalation_id: Option<String>,
    /// The halt that a human answers, or that ended the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub halt_id: Option<String>,
    /// What a human answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answered>,
    /// How much of the negotiation is spent after this.
    pub budget_after: Budget,
    /// Whether the run is halted after this.
    #[serde(default)]
    pub run_halted: bool,
    /// The session's labels when the call arrived.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Which model rated, and how; absent where no rater was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating_trace: Option<RatingTrace>,
    /// The trace that the request was part of, so that what it leads to later can be found from there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceContext>,
    /// What was measured.
    pub timing: Timing,
    /// Made for an earlier request with the same id.
    #[serde(skip)]
    pub replayed: bool,
}

/// What a human answered, and what it stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    /// The answer.
    pub given: Given,
    /// Who answered.
    pub answered_by: String,
    /// What whoever answered is there for; absent in what earlier versions recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_role: Option<String>,
    /// How whoever answered was recognised; absent in what earlier versions recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_via: Option<String>,
    /// When.
    pub answered_at: Moment,
    /// What the agent was told with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The entry that it stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stored: Option<Offer>,
    /// The id of the request that carried the answer, for retries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

/// An answer to either kind of question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Given {
    /// To an escalation.
    Escalation(HumanAnswer),
    /// To an attack.
    Attack(AttackAnswer),
}

/// A question to a human: what was asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// May this run?
    Escalation(Box<Escalation>),
    /// This looks like an attack.
    Attack(Box<AttackHalt>),
}

/// A question to a human with the ruling that waits for it: the stored body of an escalation or a halt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub question: Question,
    /// The ruling as it stood when the question was raised.
    pub ruling: Ruling,
    /// The fingerprint of the call, for retries of the request.
    pub fingerprint: String,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionState {
    /// It waits for an answer.
    Open,
    /// A human answered.
    Answered(Box<Answered>),
    /// Nobody who may answer was listening: the run was halted at once.
    Unattended,
    /// It needs no answer any more.
    Withdrawn,
    /// Nobody answered in time.
    Expired,
}

/// A question and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Settled {
    /// Its id.
    pub id: String,
    /// When it was raised.
    pub raised_at: Moment,
    /// What was asked, and what waits for it.
    pub asked: Asked,
    /// What became of it.
    pub state: QuestionState,
}

impl Settled {
    /// A question as it is stored.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn stored(row: QuestionRow) -> Result<Self, EngineError> {
        read_settled(row)
    }
}

impl Given {
    /// Whether this lets the call run.
    #[must_use]
    pub fn approves(&self) -> bool {
        match self {
            Self::Escalation(answer) => match answer.verdict {
                HumanVerdict::Approve(_) => true,
                HumanVerdict::Reject(_) => false,
            },
            Self::Attack(AttackAnswer::RunAnyway) => true,
            Self::Attack(AttackAnswer::Stop) => false,
        }
    }
}
