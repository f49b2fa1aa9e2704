//! Who judges a command: the trait behind every rating, the profiles that a configuration names, and what they are made of.
//!
//! Promises that a rating is a verdict or a typed reason why there is none, never a guess. A rater knows nothing of
//! rules, grants or rungs: what a verdict leads to is the gate's business.
//!
//! | module | subject |
//! |---|---|
//! | `assessed` | what comes back beside the verdict, for the record |
//! | `profiles` | from the configuration's profiles to raters |
//! | `cascade` | a rater that asks a second one where the first is not sure |
//! | `sharing` | one question for identical ones, and ratings used again |
//! | `model` | asking a language model |
//! | `secret` | keys |

mod assessed;
mod cascade;
pub mod model;
mod profiles;
mod secret;
mod sharing;

pub use assessed::{Assessed, RatingRecord, RatingScope};
pub use cascade::Cascade;
pub use profiles::{Profiles, built_in, missing_keys};
pub use secret::{KeyError, Secret};
pub use sharing::Sharing;

use crate::gate::{FailureCause, RatingRequest, RatingResult};
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// A rating under way. Dropping it gives up on the rating.
pub type Rating = Pin<Box<dyn Future<Output = RatingResult> + Send>>;

/// A rating under way that also says how it comes about. Dropping it gives up on the rating.
pub type Assessing = Pin<Box<dyn Future<Output = Assessed> + Send>>;

/// Judges commands.
pub trait Rater: fmt::Debug + Send + Sync + 'static {
    /// Judges what the request describes, within its time limit.
    fn rate(&self, request: RatingRequest) -> Rating;

    /// As [`Rater::rate`], with what is worth recording of how the rating came about. `scope` says for whom it is; a rater
    /// that shares or reuses nothing may ignore it, as this default does.
    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        drop(scope);
        let rating = self.rate(request);
        Box::pin(async move { Assessed::from(rating.await) })
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
