//! The labels that metrics have, each a closed set.
//!
//! Promises that a label's value is a word of the program's own. Knows nothing of what is counted.

use crate::gate::{Action, FailureCause, Outcome, Stage};
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use std::fmt;

/// A set of words as the values of a label.
macro_rules! words {
    ($($(#[$comment:meta])* $name:ident { $($(#[$about:meta])* $value:ident => $word:literal,)+ })+) => {$(
        $(#[$comment])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$about])* $value,)+ }

        impl $name {
            /// The word for it.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$value => $word,)+ }
            }
        }

        impl EncodeLabelValue for $name {
            fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
                self.as_str().encode(encoder)
            }
        }
    )+};
}

words! {
    /// What a human is asked about.
    Kind {
        /// A call that waits for approval.
        Escalation => "escalation",
        /// A run that was halted.
        Halt => "halt",
    }
    /// How a question ended.
    Answer {
        /// It may run.
        Approved => "approved",
        /// It may not.
        Rejected => "rejected",
        /// Nobody could answer, or nobody has to any more.
        Unanswered => "unanswered",
    }
    /// Who rated.
    Source {
        /// The rater that is built in.
        BuiltIn => "builtin",
        /// A model.
        Model => "model",
    }
    /// What became of a changed configuration.
    Reload {
        /// It is in force.
        Applied => "applied",
        /// It was refused and the old one stays.
        Refused => "refused",
    }
    /// What became of an attempt to notify.
    Notified {
        /// The receiver took it.
        Taken => "taken",
        /// The receiver did not take it, and it is tried again.
        Failed => "failed",
        /// It happened too long ago to be told, or cannot be told.
        GivenUp => "given_up",
    }
}

impl EncodeLabelValue for Action {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.as_str().encode(encoder)
    }
}

impl EncodeLabelValue for Stage {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.as_str().encode(encoder)
    }
}

impl EncodeLabelValue for Outcome {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.as_str().encode(encoder)
    }
}

/// Why a rating is by doubt, or that it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cause(pub(super) Option<FailureCause>);

impl EncodeLabelValue for Cause {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.0.map_or("NONE", FailureCause::as_str).encode(encoder)
    }
}

/// A method of a service that this gate serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub struct Method {
    /// The service's full name.
    pub grpc_service: &'static str,
    /// The method's name in it.
    pub grpc_method: &'static str,
}

impl Method {
    /// Whatever is asked for that no service here has, all of it together.
    pub const UNKNOWN: Self = Self { grpc_service: "unknown", grpc_method: "unknown" };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Handled {
    pub(super) grpc_service: &'static str,
    pub(super) grpc_method: &'static str,
    pub(super) grpc_code: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Refused {
    pub(super) reason: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Decided {
    pub(super) action: Action,
    pub(super) stage: Stage,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Rated {
    pub(super) source: Source,
    pub(super) outcome: Outcome,
    pub(super) cause: Cause,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct By {
    pub(super) source: Source,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Answered {
    pub(super) kind: Kind,
    pub(super) answer: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Of {
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Reloaded {
    pub(super) result: Reload,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(super) struct Notification {
    pub(super) result: Notified,
}
