//! Who judges a command: the trait behind every rating, the profiles that a configuration names, and what they are made of.
//!
//! Promises that a rating is a verdict or a typed reason why there is none, never a guess. A rater knows nothing of
//! rules, grants or rungs: what a verdict leads to is the gate's business.
//!
//! | module | subject |
//! |---|---|
//! | `assessed` | what comes back beside the verdict, for the record |
//! | `profiles` | from the configuration's profiles to raters |
//! | `builtin`, `knowledge` | judging by effects, from what is known of programs |
//! | `cascade` | a rater that asks a second one where the first is not sure |
//! | `sharing` | one question for identical ones, and ratings used again |
//! | `model` | asking a language model |
//! | `budget` | what a project may spend on that |

mod assessed;
mod budget;
mod builtin;
mod cascade;
mod knowledge;
pub mod model;
mod profiles;
mod sharing;

pub use assessed::{Assessed, RatingRecord, RatingScope};
pub use budget::{Budgets, Spent};
pub use cascade::Cascade;
pub use profiles::{Profiles, built_in, missing_keys};
pub use sharing::Sharing;

use crate::gate::{FailureCause, RatingRequest, RatingResult, RatingSubject, Verdict};
use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// Texts longer than this are analysed and judged off the runtime's own threads, in bytes: about a tenth of a millisecond's work.
pub(crate) const LONG_TEXT: usize = 8 * 1024;

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

    /// What each model behind it was asked so far and what it cost, by the name of its profile.
    fn usage(&self) -> BTreeMap<String, model::Usage> {
        BTreeMap::new()
    }

    /// A session is over: what was kept for it will not be asked for again. A rater that keeps nothing has nothing to do.
    fn forget(&self, _project: &str, _session: &str) {}
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
            RatingSubject::Command { command, cwd, home } => {
                let judge =
                    if command.passed_hardline() { builtin::judge_past_hardline } else { builtin::judge };
                judge(command.analysis(), cwd.as_deref(), home.as_deref())
            }
            RatingSubject::Tool { name, arguments, cwd, home } => {
                builtin::judge_tool(name, arguments, cwd.as_deref(), home.as_deref())
            }
        }
    }
}

impl Rater for BuiltIn {
    fn rate(&self, request: RatingRequest) -> Rating {
        if request.subject.length() <= LONG_TEXT {
            return Box::pin(std::future::ready(Ok(Self::judge(&request))));
        }
        Box::pin(async move {
            let judging = tokio::task::spawn_blocking(move || Self::judge(&request)).await;
            judging.map_err(|error| {
                tracing::error!(%error, "the built-in rater did not come to an end");
                FailureCause::NotAssessed
            })
        })
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
