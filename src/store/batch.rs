//! A batch: the changes and audit records of one step of one project, applied whole or not at all.
//! Guards come first, then changes in order, then records in order.

use super::rows::{
    Belief, DeliveryRow, DenialRow, GrantRow, QuestionRow, RequestRow, Resolution, SessionRow, Timestamp,
};

/// Everything one step leaves behind. All rows must name the batch's project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The project that owns every row of the batch.
    pub project: String,
    /// What must hold, or nothing is applied.
    pub guard: Vec<Guard>,
    /// Changes, in order: a session is put before the grants, denials and requests that belong to it.
    pub changes: Vec<Change>,
    /// Audit records, appended to the project's chain in order.
    pub records: Vec<NewRecord>,
}

/// A condition on what is stored when the batch is applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guard {
    /// The stored session has exactly this version (`None`: there is no such session). Without it, a batch that was
    /// computed from an unacknowledged change survives that change's failure.
    SessionVersion {
        /// The session.
        session: String,
        /// The version that must be stored.
        expected: Option<u64>,
    },
    /// Nobody recorded this request id yet.
    RequestAbsent {
        /// The session the request names.
        session: String,
        /// The id that must be new.
        request_id: String,
    },
}

/// One change. `session: None` names the grants that the project keeps for all its sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Stores the session as given, new or not.
    PutSession(SessionRow),
    /// Forgets the session with its grants, denials and requests. Its questions and audit records stay; resolve open
    /// questions before.
    DeleteSession {
        /// The session.
        session: String,
    },
    /// Stores the grant as given, in place of one with the same holder and identity.
    PutGrant(GrantRow),
    /// Stores the grant unless the holder has a usable one with the same identity: the first stays, but one that is
    /// spent, or expired at the new grant's `granted_at`, is replaced.
    AddGrant(GrantRow),
    /// Takes a grant back; no fault if it is gone.
    RemoveGrant {
        /// The holder.
        session: Option<String>,
        /// The grant.
        identity: String,
    },
    /// Notes that a grant let a call through, without spending a use; no fault if it is gone.
    TouchGrant {
        /// The holder.
        session: Option<String>,
        /// The grant.
        identity: String,
        /// When.
        at: Timestamp,
    },
    /// Spends one use, exactly: fails with [`Conflict::Grant`](super::Conflict::Grant) if the grant is gone, spent or
    /// expired at `at`. Grants without `max_uses` only count.
    UseGrant {
        /// The holder.
        session: Option<String>,
        /// The grant.
        identity: String,
        /// When.
        at: Timestamp,
    },
    /// Stores the denial; one with the same identity stays as it is.
    PutDenial(DenialRow),
    /// Lifts a denial; no fault if it is gone.
    RemoveDenial {
        /// The session.
        session: String,
        /// The denial.
        identity: String,
    },
    /// Raises an escalation, or rewrites one that still waits. The row must be open; one that was resolved is a
    /// [`Conflict::Escalation`](super::Conflict::Escalation).
    PutEscalation(QuestionRow),
    /// Ends the wait. It must be open, otherwise the batch fails and the conflict carries what was answered.
    ResolveEscalation(Resolve),
    /// Raises an attack halt, or rewrites one that still waits.
    PutHalt(QuestionRow),
    /// Ends the wait. It must be open, otherwise the batch fails and the conflict carries what was answered.
    ResolveHalt(Resolve),
    /// Stores what is answered to a request id, new or not.
    PutRequest(RequestRow),
    /// Notes how far a receiver of notifications has come, new or not.
    PutDelivery(DeliveryRow),
    /// Forgets a receiver of notifications; no fault if it is gone.
    RemoveDelivery {
        /// The receiver.
        receiver: String,
    },
    /// Retention: drops the audit records up to a sequence and remembers the link they ended with, so that what
    /// remains still verifies. Never drops the head. The batch must hold the record that
    /// [explains](super::audit::Cut) it, or it is refused.
    PruneRecords {
        /// The last sequence to drop.
        through: u64,
    },
    /// Retention: drops the oldest questions that were resolved before this instant, and the oldest requests written
    /// before it that no open question belongs to.
    PruneSettled {
        /// The first instant to keep.
        before: Timestamp,
        /// How many of each are dropped at most, so that nobody waits long behind it.
        limit: u32,
    },
    /// Notes which time retention believes in. It belongs to no project.
    Believe(Belief),
}

/// How a question ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolve {
    /// The question.
    pub id: String,
    /// How it ended.
    pub resolution: Resolution,
    /// When.
    pub at: Timestamp,
    /// What was answered.
    pub answer_json: Option<String>,
}

/// An audit record before it has a place in the chain. Body and text are redacted by whoever builds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRecord {
    /// Unique among all records of the store.
    pub id: String,
    /// When it happened.
    pub at: Timestamp,
    /// What it is about.
    pub kind: String,
    /// The session it is about.
    pub session: Option<String>,
    /// The run it is about.
    pub run: Option<String>,
    /// The action of a decision.
    pub action: Option<String>,
    /// The stage of a decision.
    pub stage: Option<String>,
    /// A summary to search in.
    pub text: String,
    /// Everything else.
    pub body_json: String,
}
