//! What a decision changed: what must be stored before it is acknowledged.
//!
//! Promises that every change a decision makes to a session or a project is named here, in order.

use super::grants::{Denial, Grant, GrantScope};
use super::session::HaltedRun;
use crate::rules::Entry;

/// One change that a decision made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Something of the session's own state changed.
    SessionChanged,
    /// A human granted something.
    GrantAdded(Box<Grant>),
    /// A grant was withdrawn or has expired.
    GrantRemoved {
        /// Where it was held.
        scope: GrantScope,
        /// What it allowed.
        entry: Entry,
    },
    /// A grant let a call through; the grant as it stands after that.
    GrantUsed {
        /// Where it is held.
        scope: GrantScope,
        /// The grant.
        grant: Box<Grant>,
    },
    /// A human refused something for the session.
    DenialAdded(Box<Denial>),
    /// A run was halted.
    RunHalted {
        /// The run.
        run: String,
        /// Why.
        halted: HaltedRun,
    },
    /// A halted run may go on.
    RunResumed {
        /// The run.
        run: String,
    },
}
