//! What can go wrong when the live gate is asked for something, typed by what the caller can do about it.
//!
//! Knows nothing of gRPC: the server maps each case to a status.

use super::ruling::{QuestionState, Settled};
use crate::gate::{Moment, Rung};
use crate::store::StoreError;
use std::time::Duration;
use thiserror::Error;

/// What there can be too much of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crowd {
    /// Questions of one session that wait for a human.
    QuestionsOfSession,
    /// Questions of one project that wait for a human.
    QuestionsOfProject,
    /// Open sessions of one project.
    SessionsOfProject,
}

/// What can go wrong when the live gate is asked for something.
#[derive(Debug, Clone, Error)]
pub enum EngineError {
    /// The session was never opened.
    #[error("session {session} of project {project} was never opened")]
    SessionNotFound {
        /// The project.
        project: String,
        /// The session.
        session: String,
    },
    /// The session was closed.
    #[error("session {session} is closed; open it again to go on")]
    SessionClosed {
        /// The session.
        session: String,
        /// When.
        closed_at: Moment,
    },
    /// The request id belongs to another call.
    #[error("request id {request_id} was used for another call; choose a new one")]
    RequestReused {
        /// The id.
        request_id: String,
        /// The decision that it belongs to.
        decision_id: Option<String>,
    },
    /// There is no such escalation in the project.
    #[error("there is no escalation {id} in this project")]
    EscalationNotFound {
        /// Its id.
        id: String,
    },
    /// There is no such halt in the project.
    #[error("there is no attack halt {id} in this project")]
    HaltNotFound {
        /// Its id.
        id: String,
    },
    /// It was answered before.
    #[error("{id} was answered already")]
    AlreadyAnswered {
        /// The escalation or halt.
        id: String,
        /// What was answered.
        settled: Box<Settled>,
    },
    /// It needs no answer any more.
    #[error("{id} needs no answer any more: {}", what_became(settled))]
    NoLongerOpen {
        /// The escalation or halt.
        id: String,
        /// What became of it.
        settled: Box<Settled>,
    },
    /// The session or the project holds as many of something as it may.
    #[error("{}", crowded(*what, *limit))]
    TooManyOpen {
        /// What there is too much of.
        what: Crowd,
        /// How many may be open.
        limit: u32,
        /// After how long it is worth another try.
        wait: Duration,
    },
    /// The policy defines no such profile.
    #[error("the policy has no rater profile {profile}; leave it out for the one that the policy selects")]
    ProfileUnknown {
        /// The profile.
        profile: String,
    },
    /// The scope is not on offer.
    #[error("scope {scope} is not offered for this call")]
    ScopeNotOffered {
        /// The escalation.
        id: String,
        /// The scope that was asked for.
        scope: String,
        /// The scopes that are on offer.
        offered: Vec<String>,
    },
    /// There is no such grant.
    #[error("there is no such grant")]
    GrantNotFound {
        /// What was looked for.
        grant: String,
    },
    /// There is no such denial.
    #[error("there is no such denial")]
    DenialNotFound {
        /// The session.
        session: String,
        /// What was looked for.
        denial: String,
    },
    /// The session belongs to another agent.
    #[error("session {session} is not yours; use one of your own")]
    SessionNotAllowed {
        /// The session.
        session: String,
    },
    /// An agent wants a rung that it may not have.
    #[error(
        "an agent may not move this session to {rung}; {configured} is what the policy and its operator leave it"
    )]
    RungNotAllowed {
        /// What it wants.
        rung: Rung,
        /// The loosest that it may have; on a change, the one that the policy selects.
        configured: Rung,
    },
    /// An agent wants a setting that the policy, or whoever set the session up, keeps from agents.
    #[error("{field}: {problem}")]
    PolicyNotAllowed {
        /// The field.
        field: &'static str,
        /// Why not, and what to do instead.
        problem: String,
    },
    /// The cursor is not one of this store's.
    #[error("after is not a cursor of this gate; open the feed again without it")]
    CursorInvalid,
    /// What follows the cursor is no longer kept.
    #[error("what happened behind this cursor is no longer kept; open the feed again without it")]
    CursorTooOld {
        /// The oldest change that a feed can be resumed behind.
        oldest: u64,
    },
    /// A value that only the engine can judge is wrong.
    #[error("{field}: {problem}")]
    Invalid {
        /// The field.
        field: String,
        /// What is wrong with it, and what to write instead.
        problem: String,
    },
    /// Nothing could be made durable, so nothing was decided.
    #[error("{0}")]
    Store(StoreError),
    /// The gate is shutting down.
    #[error("the gate is shutting down; ask again in a moment")]
    Draining,
    /// Something that cannot be read back from the store, or another fault of the gate's own.
    #[error("internal fault: {0}")]
    Internal(String),
}

impl From<StoreError> for EngineError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn crowded(what: Crowd, limit: u32) -> String {
    match what {
        Crowd::QuestionsOfSession => format!(
            "{limit} decisions of this session wait for a human already; have them answered before asking for more"
        ),
        Crowd::QuestionsOfProject => format!(
            "{limit} decisions of this project wait for a human already; have them answered before asking for more"
        ),
        Crowd::SessionsOfProject => {
            format!("{limit} sessions of this project are open already; close those that are over")
        }
    }
}

fn what_became(settled: &Settled) -> &'static str {
    match settled.state {
        QuestionState::Open => "it is open",
        QuestionState::Answered(_) => "it was answered",
        QuestionState::Unattended => "the run was halted at once, because nobody was watching",
        QuestionState::Withdrawn => "it was withdrawn",
        QuestionState::Expired => "nobody answered in time",
    }
}

impl EngineError {
    /// The session is another agent's; nothing more is said of it.
    pub(super) fn foreign(session: &str) -> Self {
        Self::SessionNotAllowed { session: session.to_owned() }
    }

    /// A stored row that cannot be read back.
    pub(super) fn unreadable(what: &str, error: &serde_json::Error) -> Self {
        Self::Internal(format!("a stored {what} cannot be read back: {error}"))
    }
}
