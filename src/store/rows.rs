//! The rows as callers see them. Every row names its project; JSON and closed vocabularies are opaque text here.
//! The one vocabulary the store owns is the status of a question, because resolving one twice must be impossible.

use std::collections::BTreeMap;
use std::fmt;

/// Microseconds since the Unix epoch, UTC.
pub type Timestamp = i64;

/// One conversation of one agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    /// The owning project.
    pub project: String,
    /// The caller's name for the session, unique in the project.
    pub session: String,
    /// Counts the changes; guards compare it.
    pub version: u64,
    /// When it was opened first.
    pub opened_at: Timestamp,
    /// When this row was written.
    pub updated_at: Timestamp,
    /// When it was closed, if it is.
    pub closed_at: Option<Timestamp>,
    /// The live rung, for listings.
    pub rung: String,
    /// Labels, for filters.
    pub labels: BTreeMap<String, String>,
    /// Everything else the session layer wants to find again.
    pub state_json: String,
}

/// What a human allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrantRow {
    /// The owning project.
    pub project: String,
    /// The session that holds it; `None` is a persisted grant, good for all sessions of the project.
    pub session: Option<String>,
    /// The canonical rendering of the entry; unique per holder.
    pub identity: String,
    /// The entry.
    pub entry_json: String,
    /// The effective annotations when it was given, for tools.
    pub annotations_json: Option<String>,
    /// The scope the human chose, as the layers above spell it.
    pub scope: String,
    /// When it was given.
    pub granted_at: Timestamp,
    /// Who gave it.
    pub granted_by: Option<String>,
    /// Why.
    pub note: Option<String>,
    /// From this instant on it cannot be used.
    pub expires_at: Option<Timestamp>,
    /// How many uses it has in all.
    pub max_uses: Option<u64>,
    /// How many of them are spent.
    pub uses: u64,
    /// When it last let a call through.
    pub last_used_at: Option<Timestamp>,
}

/// What a human refused for the rest of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenialRow {
    /// The owning project.
    pub project: String,
    /// The session that holds it.
    pub session: String,
    /// The canonical rendering of the entry; unique per session.
    pub identity: String,
    /// The entry.
    pub entry_json: String,
    /// When it was given.
    pub denied_at: Timestamp,
    /// Who gave it.
    pub denied_by: Option<String>,
    /// Why.
    pub note: Option<String>,
}

/// Which kind of question a human is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// May this call run?
    Escalation,
    /// The run was stopped as an attack; shall it go on?
    Halt,
}

/// How a question ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A human answered.
    Answered,
    /// The agent's side gave up or moved on.
    Withdrawn,
    /// Its time ran out; never an approval.
    Expired,
}

/// Whether a question still waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It waits for a human.
    Open,
    /// It does not wait any more.
    Resolved(Resolution),
}

/// A question to a human: an escalation or an attack halt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionRow {
    /// Unique among all questions of the store.
    pub id: String,
    /// The owning project.
    pub project: String,
    /// The session whose call raised it.
    pub session: String,
    /// The run whose call raised it.
    pub run: Option<String>,
    /// The caller's id of the decision.
    pub request_id: String,
    /// Whether it still waits.
    pub status: Status,
    /// When it was raised.
    pub raised_at: Timestamp,
    /// When it stopped waiting.
    pub resolved_at: Option<Timestamp>,
    /// What the human is shown; redacted by whoever built it.
    pub body_json: String,
    /// What was answered.
    pub answer_json: Option<String>,
}

/// A [`QuestionRow`] of [`QuestionKind::Escalation`].
pub type EscalationRow = QuestionRow;
/// A [`QuestionRow`] of [`QuestionKind::Halt`].
pub type HaltRow = QuestionRow;

/// What was answered to a request id, so that a retry gets the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestRow {
    /// The owning project.
    pub project: String,
    /// The session the request named.
    pub session: String,
    /// The caller's id, unique per session.
    pub request_id: String,
    /// Tells the same call from another one under the same id.
    pub call_fingerprint: String,
    /// The audit record of the decision.
    pub decision_id: String,
    /// What was, or will be, returned.
    pub response_json: String,
    /// How far the request has come, as the layers above spell it.
    pub state: String,
    /// When this row was written; retention counts from it.
    pub updated_at: Timestamp,
}

/// A link of the audit chain: SHA-256, shown as lower-case hexadecimal.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordHash(pub [u8; 32]);

/// One record of the audit chain, exactly as stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordRow {
    /// The owning project.
    pub project: String,
    /// Its place in the project, from 1, without gaps.
    pub sequence: u64,
    /// Unique among all records of the store.
    pub id: String,
    /// When it happened.
    pub at: Timestamp,
    /// What it is about: decision, answer, grant, trust, rung, policy, session and so on.
    pub kind: String,
    /// The session it is about.
    pub session: Option<String>,
    /// The run it is about.
    pub run: Option<String>,
    /// The action of a decision.
    pub action: Option<String>,
    /// The stage of a decision.
    pub stage: Option<String>,
    /// A summary to search in; redacted by whoever built it.
    pub text: String,
    /// Everything else; redacted by whoever built it.
    pub body_json: String,
    /// The link it follows.
    pub previous_hash: RecordHash,
    /// Its own link, see [`audit`](super::audit).
    pub hash: RecordHash,
}

/// One change of an escalation or a halt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedRow {
    /// Grows with every change, over all projects; sequences of failed batches are not seen.
    pub sequence: u64,
    /// Which kind of question changed.
    pub kind: QuestionKind,
    /// What the change made of it.
    pub status: Status,
    /// The question as it is *now*, which may be later than this change.
    pub question: QuestionRow,
}

/// How far a receiver of notifications has come in the feed. It belongs to no project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// The receiver's name.
    pub receiver: String,
    /// Every change up to this one was delivered, given up, or was not for it.
    pub position: u64,
    /// How many changes it took, since it was first known.
    pub delivered: u64,
    /// How many were given up because they had grown too old.
    pub given_up: u64,
}

/// Which time retention believes in, as of when it last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Belief {
    /// The time.
    pub believed_at: Timestamp,
    /// For how long, in microseconds of running, the wall clock has been doubted; 0 while it is believed.
    pub doubted_for: i64,
}

/// A closed session that retention may forget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedSession {
    /// The owning project.
    pub project: String,
    /// Its name.
    pub session: String,
    /// As of which version it is closed.
    pub version: u64,
}

impl QuestionKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Escalation => "escalation",
            Self::Halt => "halt",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [Self::Escalation, Self::Halt].into_iter().find(|kind| kind.as_str() == text)
    }
}

impl Status {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Resolved(Resolution::Answered) => "answered",
            Self::Resolved(Resolution::Withdrawn) => "withdrawn",
            Self::Resolved(Resolution::Expired) => "expired",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [
            Self::Open,
            Self::Resolved(Resolution::Answered),
            Self::Resolved(Resolution::Withdrawn),
            Self::Resolved(Resolution::Expired),
        ]
        .into_iter()
        .find(|status| status.as_str() == text)
    }
}

impl RecordHash {
    /// Reads what [`fmt::Display`] writes: 64 lower-case hexadecimal digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut digits = text.bytes();
        let mut digit = || match digits.next()? {
            digit @ b'0'..=b'9' => digit.checked_sub(b'0'),
            letter @ b'a'..=b'f' => letter.checked_sub(b'a' - 10),
            _ => None,
        };
        let mut hash = [0; 32];
        for byte in &mut hash {
            *byte = digit()? << 4 | digit()?;
        }
        digits.next().is_none().then_some(Self(hash))
    }
}

impl fmt::Display for RecordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for RecordHash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
