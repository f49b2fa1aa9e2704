//! The decision: a pure state machine from a call to an answer.
//!
//! Promises the whole of a decision without a clock, a lock or any I/O: it takes the subject, the session's state and
//! the policy, and yields `Decided`, `NeedsRating`, `NeedsHuman` or `NeedsWatcher`; whoever calls it feeds the verdict
//! or the answer back in. Everything else in the product is plumbing around it.

mod attack;
mod builtin_tools;
mod call;
mod decision;
mod deliberation;
mod effects;
mod escalation;
mod floors;
mod grants;
mod hosts;
pub mod messages;
mod negotiation;
pub mod offer;
mod pipeline;
mod policy;
mod preflight;
mod rating;
mod rung;
mod session;
mod subject;
mod trust;
mod weakening;

pub use attack::{AttackAnswer, AttackHalt, answer_attack};
pub use builtin_tools::{SHELL_TOOL, ToolClass, authored_annotations, tool_class};
pub use call::{Call, ShellCall, ToolCall};
pub use decision::{
    Action, Consulted, Decision, HumanSaid, Moment, Notice, NoticeKind, NoticeLevel, RuleLayer, RuleMatch,
    Scope, Search, Stage, Step, StepResult,
};
pub use deliberation::Deliberation;
pub use effects::Effect;
pub use escalation::{Escalation, HumanAnswer, HumanVerdict, RejectScope, Terms, answer};
pub use floors::{Floors, Hardline, Preflight};
pub use grants::{Denial, DenialBook, Grant, GrantBook, GrantScope};
pub use negotiation::{Budget, MAX_BEFORE_HUMAN, MAX_CONSECUTIVE, Negotiation, Round};
pub use offer::Offer;
pub use pipeline::{
    Next, Progress, Surroundings, decide, decide_prepared, rated, rating_request, with_floors,
};
pub use policy::{DEFAULT_RATER_TIMEOUT_MS, Policy};
pub use rating::{
    Consequence, FailureCause, FloorFinding, FloorKind, NegotiationContext, Outcome, Rating, RatingRequest,
    RatingResult, RatingSource, RatingSubject, ReadCommand, Verdict, consequence, tripwire,
};
pub use rung::{GateScope, Rung};
pub use session::{HaltedRun, SessionState};
pub use subject::{PreparedCall, Subject, registered_name};
pub use trust::{AnnotationSource, Declared, TrustChange, TrustPolicy, change as change_trust, weakened};
pub use weakening::forecast;
