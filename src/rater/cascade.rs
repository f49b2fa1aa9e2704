//! A rater that asks a second one where the first is not sure.
//!
//! Promises that what the first calls safe, catastrophic or an attack stands, and that the second is asked only about what
//! the first calls destructive or does not know. It must not know what either of them is.

use super::{Assessed, Assessing, Rater, Rating, RatingScope};
use crate::gate::{FailureCause, Outcome, RatingRequest, RatingResult, RatingSubject, Verdict};
use std::sync::Arc;

/// A first rater, and a second one for what the first leaves open.
#[derive(Debug, Clone)]
pub struct Cascade {
    first: Arc<dyn Rater>,
    second: Arc<dyn Rater>,
}

impl Cascade {
    /// A cascade over two raters.
    #[must_use]
    pub fn new(first: Arc<dyn Rater>, second: Arc<dyn Rater>) -> Self {
        Self { first, second }
    }
}

impl Rater for Cascade {
    fn rate(&self, request: RatingRequest) -> Rating {
        let assessing = self.assess(request, RatingScope::default());
        Box::pin(async move { assessing.await.result })
    }

    fn forget(&self, project: &str, session: &str) {
        self.first.forget(project, session);
        self.second.forget(project, session);
    }

    fn assess(&self, request: RatingRequest, scope: RatingScope) -> Assessing {
        let first = self.first.assess(request.clone(), scope.clone());
        let second = Arc::clone(&self.second);
        Box::pin(async move {
            let first = first.await;
            if settles(&first.result, &request.subject) {
                return first;
            }
            let second = second.assess(request, scope).await;
            Assessed { result: joined(first.result, second.result), ..second }
        })
    }
}

/// Whether the first result stands by itself.
fn settles(first: &RatingResult, subject: &RatingSubject) -> bool {
    match (first, subject) {
        // What a tool is given may be the content of files: that is no model's business.
        (_, RatingSubject::Tool { .. }) => true,
        (Ok(verdict), RatingSubject::Command { .. }) => match verdict.outcome {
            Outcome::Safe | Outcome::Catastrophic | Outcome::Attack => true,
            Outcome::Destructive => false,
        },
        (Err(_), RatingSubject::Command { .. }) => false,
    }
}

/// What holds after both: a second rater that fails changes nothing of a verdict.
fn joined(first: RatingResult, second: RatingResult) -> RatingResult {
    match (first, second) {
        (_, Ok(verdict)) => Ok(verdict),
        (Ok(verdict), Err(second)) => {
            Ok(Verdict { cause: unassessed_twice(verdict.cause, second), ..verdict })
        }
        // Without a model there is only one cause that says something.
        (Err(first), Err(FailureCause::NoModel)) => Err(first),
        (Err(_), Err(second)) => Err(second),
    }
}

/// Why there is no assessment after both. What the first did assess stays assessed, and that no model is configured says less
/// than why the first does not know.
fn unassessed_twice(first: Option<FailureCause>, second: FailureCause) -> Option<FailureCause> {
    match (first, second) {
        (None, _) => None,
        (Some(first), FailureCause::NoModel) => Some(first),
        (Some(_), second) => Some(second),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::{RatingSource, ReadCommand};
    use crate::shell::Dialect;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[derive(Debug)]
    struct Says(RatingResult, AtomicUsize);

    impl Rater for Says {
        fn rate(&self, _request: RatingRequest) -> Rating {
            self.1.fetch_add(1, Ordering::SeqCst);
            Box::pin(std::future::ready(self.0.clone()))
        }
    }

    fn says(result: RatingResult) -> Arc<Says> {
        Arc::new(Says(result, AtomicUsize::new(0)))
    }

    fn verdict(outcome: Outcome, who: &str) -> RatingResult {
        Ok(Verdict {
            outcome,
            reason: who.to_owned(),
            suggested_tool: None,
            source: RatingSource::Model(who.to_owned()),
            cause: None,
        })
    }

    fn request(subject: RatingSubject) -> RatingRequest {
        RatingRequest {
            subject,
            profile: None,
            timeout_ms: 1_000,
            context: None,
            negotiable: false,
            free_tools: Vec::new(),
        }
    }

    fn command() -> RatingRequest {
        request(RatingSubject::Command {
            command: ReadCommand::new("x", Dialect::Bash),
            cwd: None,
            home: None,
        })
    }

    #[tokio::test]
    async fn only_what_the_first_calls_destructive_or_does_not_know_goes_to_the_second() {
        let everything = Outcome::ALL
            .map(|outcome| verdict(outcome, "second"))
            .into_iter()
            .chain(FailureCause::ALL.map(Err));
        for second in everything {
            for outcome in Outcome::ALL {
                let (one, two) = (says(verdict(outcome, "first")), says(second.clone()));
                let result = Cascade::new(one, Arc::clone(&two) as _).rate(command()).await;
                let asked = two.1.load(Ordering::SeqCst);
                match outcome {
                    Outcome::Safe | Outcome::Catastrophic | Outcome::Attack => {
                        assert_eq!((result, asked), (verdict(outcome, "first"), 0), "{second:?}");
                    }
                    Outcome::Destructive => {
                        let expected =
                            if second.is_ok() { second.clone() } else { verdict(outcome, "first") };
                        assert_eq!((result, asked), (expected, 1), "{second:?}");
                    }
                }
            }
            let (one, two) = (says(Err(FailureCause::NotAssessed)), says(second.clone()));
            let result = Cascade::new(one, Arc::clone(&two) as _).rate(command()).await;
            let expected = match second {
                Err(FailureCause::NoModel) => Err(FailureCause::NotAssessed),
                other => other,
            };
            assert_eq!((result, two.1.load(Ordering::SeqCst)), (expected, 1));
        }
    }

    #[tokio::test]
    async fn a_doubt_of_the_first_keeps_its_reason_and_says_why_the_second_did_not_help() {
        let doubt = Verdict {
            cause: Some(FailureCause::NotAssessed),
            ..verdict(Outcome::Destructive, "not known").unwrap()
        };
        for (failure, expected) in [
            (FailureCause::NoModel, FailureCause::NotAssessed),
            (FailureCause::Timeout, FailureCause::Timeout),
            (FailureCause::CircuitOpen, FailureCause::CircuitOpen),
        ] {
            let cascade = Cascade::new(says(Ok(doubt.clone())), says(Err(failure)));
            let expected = Verdict { cause: Some(expected), ..doubt.clone() };
            assert_eq!(cascade.rate(command()).await, Ok(expected), "{failure:?}");
        }
    }

    #[tokio::test]
    async fn a_tool_call_never_goes_to_the_second() {
        let two = says(verdict(Outcome::Safe, "second"));
        let cascade = Cascade::new(says(Err(FailureCause::NotAssessed)), Arc::clone(&two) as _);
        let tool = RatingSubject::Tool {
            name: "write_file".to_owned(),
            arguments: "{}".to_owned(),
            cwd: None,
            home: None,
        };
        assert_eq!(cascade.rate(request(tool)).await, Err(FailureCause::NotAssessed));
        assert_eq!(two.1.load(Ordering::SeqCst), 0);
    }
}
