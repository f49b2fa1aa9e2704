//! Asking again while the gate is out of reach, or has too much to do.
//!
//! Promises that only what is safe to repeat is repeated, a bounded number of times, never past the deadline, and not
//! sooner than the gate asks for. Knows nothing of what is asked.

use super::error::is_out_of_reach;
use crate::proto::v1::ErrorReason;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};
use tonic::{Code, Request, Response, Status};
use tonic_types::StatusExt;

/// How often a request is sent while the gate is out of reach.
const ATTEMPTS: u32 = 4;

/// The longest pause before the second attempt; it doubles with each one that fails.
const FIRST_PAUSE: Duration = Duration::from_millis(50);

/// The longest pause, unless the gate asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Sends a message, again while the gate is out of reach or has too much to do: for what reads, and for what carries a request id.
pub(super) async fn repeated<Message: Clone, Answer, Call>(
    deadline: Duration,
    message: &Message,
    mut send: impl FnMut(Request<Message>) -> Call,
) -> Result<Answer, Status>
where
    Call: Future<Output = Result<Response<Answer>, Status>>,
{
    let started = Instant::now();
    let mut failures = 0;
    loop {
        let left = deadline.saturating_sub(started.elapsed());
        let status = match once(left, message.clone(), &mut send).await {
            Ok(answer) => return Ok(answer),
            Err(status) => status,
        };
        failures += 1;
        let pause = pause(failures, &status);
        if !may_pass(&status) || failures >= ATTEMPTS || started.elapsed().saturating_add(pause) >= deadline {
            return Err(status);
        }
        tokio::time::sleep(pause).await;
    }
}

/// Sends a message once: for what cannot be told apart from a second request.
pub(super) async fn single<Message: Clone, Answer, Call>(
    deadline: Duration,
    message: &Message,
    send: impl FnOnce(Request<Message>) -> Call,
) -> Result<Answer, Status>
where
    Call: Future<Output = Result<Response<Answer>, Status>>,
{
    once(deadline, message.clone(), send).await
}

/// Sends a message with its deadline, which the server learns of and the client keeps.
pub(super) async fn once<Message, Answer, Call>(
    deadline: Duration,
    message: Message,
    send: impl FnOnce(Request<Message>) -> Call,
) -> Result<Answer, Status>
where
    Call: Future<Output = Result<Response<Answer>, Status>>,
{
    let mut request = Request::new(message);
    request.set_timeout(deadline);
    let too_late = || Status::deadline_exceeded(format!("no answer within {} ms", deadline.as_millis()));
    let started = Instant::now();
    match tokio::time::timeout(deadline, send(request)).await {
        Ok(Ok(response)) => Ok(response.into_inner()),
        // The transport says that the deadline passed by cancelling.
        Ok(Err(status)) if status.code() == Code::Cancelled && started.elapsed() >= deadline => {
            Err(too_late())
        }
        Ok(Err(status)) => Err(status),
        Err(_elapsed) => Err(too_late()),
    }
}

/// How long to leave the gate alone after so many failures: any time up to a bound that doubles, so that clients which
/// lost one gate do not come back all at once; but never less than the gate asks for.
pub(super) fn pause(failures: u32, status: &Status) -> Duration {
    let asked = asked_pause(status).unwrap_or_default();
    by_chance(failures, RandomState::new().hash_one(failures)).max(asked)
}

fn by_chance(failures: u32, chance: u64) -> Duration {
    let doubled = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1).min(10)));
    let thousandths = u32::try_from(chance % 1_001).unwrap_or_default();
    doubled.min(LONGEST_PAUSE) * thousandths / 1_000
}

/// Whether asking again is of use: the gate is out of reach, or it did not begin and says when it can.
pub(super) fn may_pass(status: &Status) -> bool {
    is_out_of_reach(status) || (is_overloaded(status) && asked_pause(status).is_some())
}

fn is_overloaded(status: &Status) -> bool {
    let reason = status.get_details_error_info().map(|info| info.reason);
    status.code() == Code::ResourceExhausted
        && reason.is_some_and(|reason| reason == ErrorReason::Overloaded.wire_name())
}

/// How long the server asks to be left alone.
pub(super) fn asked_pause(status: &Status) -> Option<Duration> {
    status.get_details_retry_info().and_then(|info| info.retry_delay)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::ERROR_DOMAIN;
    use std::collections::HashMap;
    use tonic_types::ErrorDetails;

    fn refused(reason: ErrorReason, wait: Option<Duration>) -> Status {
        let mut details = ErrorDetails::with_error_info(reason.wire_name(), ERROR_DOMAIN, HashMap::new());
        details.set_retry_info(wait);
        Status::with_error_details(Code::ResourceExhausted, "later", details)
    }

    #[test]
    fn only_what_passes_by_itself_is_asked_again() {
        let soon = Some(Duration::from_millis(5));
        assert!(may_pass(&Status::unavailable("gone")));
        assert!(may_pass(&refused(ErrorReason::Overloaded, soon)));
        // Nobody says when, or a human has to do something first.
        assert!(!may_pass(&refused(ErrorReason::Overloaded, None)));
        assert!(!may_pass(&refused(ErrorReason::TooManyOpen, soon)));
        assert!(!may_pass(&Status::resource_exhausted("a proxy's own limit")));
    }

    #[tokio::test]
    async fn a_gate_with_too_much_to_do_is_asked_again_when_it_says_and_not_past_the_deadline() {
        for (wait, deadline, attempts, good) in [
            (Duration::from_millis(20), Duration::from_secs(60), 3, true),
            (Duration::from_secs(90), Duration::from_secs(60), 1, false),
        ] {
            let mut asked = 0;
            let began = Instant::now();
            let answer = repeated(deadline, &(), |_request| {
                asked += 1;
                let full = asked < 3;
                async move {
                    if full {
                        Err(refused(ErrorReason::Overloaded, Some(wait)))
                    } else {
                        Ok(Response::new(()))
                    }
                }
            });
            assert_eq!(answer.await.is_ok(), good);
            assert_eq!(asked, attempts);
            assert!(!good || began.elapsed() >= 2 * wait, "not sooner than the gate asks for");
        }
    }

    #[test]
    fn pauses_have_a_bound_that_doubles_and_are_not_shorter_than_what_the_gate_asks_for() {
        let milliseconds = |failures, chance| by_chance(failures, chance).as_millis();
        for (failures, most) in [(1, 50), (2, 100), (3, 200), (5, 800), (6, 1_000), (u32::MAX, 1_000)] {
            assert_eq!((milliseconds(failures, 0), milliseconds(failures, 1_000)), (0, most));
        }
        let asked = Duration::from_secs(3);
        let details = ErrorDetails::with_retry_info(Some(asked));
        let status = Status::with_error_details(Code::Unavailable, "later", details);
        assert_eq!(pause(1, &status), asked);
    }
}
