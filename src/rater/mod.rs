//! Who judges a command: the trait behind every rating, and the rater that is built in.
//!
//! Promises that a rating is a verdict or a typed reason why there is none, never a guess. A rater knows nothing of
//! rules, grants or rungs: what a verdict leads to is the gate's business.

use crate::gate::{FailureCause, RatingRequest, RatingResult, RatingSubject, Verdict};
use crate::shell::analyze;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

mod builtin;
mod knowledge;

/// A rating under way. Dropping it gives up on the rating.
pub type Rating = Pin<Box<dyn Future<Output = RatingResult> + Send>>;

/// Judges commands.
pub trait Rater: fmt::Debug + Send + Sync + 'static {
    /// Judges what the request describes, within its time limit.
    fn rate(&self, request: RatingRequest) -> Rating;
}

/// The rater that is built in: it judges a command by its effects, from what it knows of programs. No network, no model, no
/// key. What it does not know is destructive with the cause `NOT_ASSESSED` and a reason that says what was not known.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl BuiltIn {
    /// Judges what the request describes, at once. Pure: equal requests have equal verdicts.
    #[must_use]
    pub fn judge(request: &RatingRequest) -> Verdict {
        match &request.subject {
            RatingSubject::Command { command, dialect, cwd, home } => {
                builtin::judge(&analyze(command, *dialect), cwd.as_deref(), home.as_deref())
            }
            RatingSubject::Tool { name, arguments, cwd, home } => {
                builtin::judge_tool(name, arguments, cwd.as_deref(), home.as_deref())
            }
        }
    }
}

impl Rater for BuiltIn {
    fn rate(&self, request: RatingRequest) -> Rating {
        Box::pin(std::future::ready(Ok(Self::judge(&request))))
    }
}

/// Knows no command, and says so: every rating is `NOT_ASSESSED`, so that `assisted` asks a human and `auto` negotiates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unassessed;

impl Rater for Unassessed {
    fn rate(&self, _request: RatingRequest) -> Rating {
        Box::pin(std::future::ready(Err(FailureCause::NotAssessed)))
    }
}
