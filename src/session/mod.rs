//! Live sessions: the plumbing between the pure decision and the store.
//!
//! Promises that decisions of one session happen one after the other, that nothing is acknowledged before it is durable,
//! and that two sessions never touch. Knows nothing of gRPC or of the command line.

pub mod allowlist;
mod answering;
mod changes;
mod changing;
mod clock;
mod deciding;
mod engine;
mod error;
mod fan_out;
mod feeds;
mod granting;
mod live;
mod measuring;
mod opening;
mod owning;
mod policies;
mod rating;
mod records;
mod refusals;
mod reloading;
mod requests;
mod retention;
mod ruling;
mod set_up;
mod tally;
mod watching;

pub use answering::Reply;
pub use changes::{RecordKind, new_id};
pub use deciding::Ask;
pub use engine::Engine;
pub use error::{Crowd, EngineError};
pub use fan_out::Told;
pub use feeds::{Feed, FeedItem, Following, Happening};
pub use granting::{Holdings, Imported, Managed, Management, Operation, TrustResult};
pub use live::{Profile, ToolDeclaration};
pub use opening::{MAX_LABELS, Opening, ServerTrust, SessionView, Update};
pub use owning::{Held, Owner};
pub use policies::Policies;
pub use rating::{RatingAttempt, RatingTrace};
pub use records::{
    AuditReport, Broken, DecisionPage, Explained, NotedHead, RateWish, Rated, RecordedDecision,
};
pub use refusals::Refused;
pub use reloading::{DEFAULT_PROJECT, ReloadError};
pub use retention::Pruned;
pub use ruling::{Answered, Asked, Given, Question, QuestionState, Ruling, Settled, SubjectView, Timing};
pub use watching::{RECONNECT, RETURN};
