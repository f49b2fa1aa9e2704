//! Who judges a command: the trait behind every rating, and the rater of this version.
//!
//! Promises that a rating is a verdict or a typed reason why there is none, never a guess. A rater knows nothing of
//! rules, grants or rungs: what a verdict leads to is the gate's business.

use crate::gate::{FailureCause, RatingRequest, RatingResult};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

#[cfg_attr(not(test), allow(dead_code, unused_imports, reason = "the judge that reads it follows"))]
mod knowledge;

/// A rating under way. Dropping it gives up on the rating.
pub type Rating = Pin<Box<dyn Future<Output = RatingResult> + Send>>;

/// Judges commands.
pub trait Rater: fmt::Debug + Send + Sync + 'static {
    /// Judges what the request describes, within its time limit.
    fn rate(&self, request: RatingRequest) -> Rating;
}

/// Knows no command, and says so: every rating is `NOT_ASSESSED`, so that `assisted` asks a human and `auto` negotiates.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unassessed;

impl Rater for Unassessed {
    fn rate(&self, _request: RatingRequest) -> Rating {
        Box::pin(std::future::ready(Err(FailureCause::NotAssessed)))
    }
}
