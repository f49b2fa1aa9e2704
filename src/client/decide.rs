//! Deciding: one request id for all attempts, looking again for a gate that is gone, and waiting for a human.
//!
//! Promises that a decision is never asked for under two ids, and that an answer which is incomplete, unknown or meant for
//! another request is an error. Knows nothing of what is decided.

use super::retry::{may_pass, once, pause, repeated};
use super::{Client, Error};
use crate::proto::v1 as pb;
use std::time::{Duration, Instant};
use tonic::Status;
use uuid::Uuid;

/// How long one request is held for a human. Short enough for the idle limits of proxies.
const HELD: Duration = Duration::from_secs(60);

impl Client {
    /// Decides a call. A request without an id gets one, so that retries are safe. Every action is an answer here, a halt
    /// too; [`Session`](super::Session) tells them apart.
    ///
    /// # Errors
    /// There is no decision; the call must not run.
    pub async fn decide(&self, request: pb::DecideRequest) -> Result<pb::DecideResponse, Error> {
        let request = self.named(request);
        let deadline = self.options.deadline.saturating_add(held(&request));
        let send = |message| {
            let mut stub = self.stub.clone();
            async move { stub.decide(message).await }
        };
        let response = repeated(deadline, &request, send).await?;
        check(&request, &response)?;
        Ok(response)
    }

    /// Decides a call and waits for the human who may be asked, at most for `limit`; without one, until there is an
    /// answer. What still waits then comes back as `ACTION_ESCALATE`. A gate that is gone meanwhile is looked for, as
    /// long as the [`Options`](super::Options) say.
    ///
    /// # Errors
    /// There is no decision; the call must not run.
    pub async fn decide_and_wait(
        &self,
        request: pb::DecideRequest,
        limit: Option<Duration>,
    ) -> Result<pb::DecideResponse, Error> {
        let mut request = self.named(request);
        request.wait = true;
        let started = Instant::now();
        let mut gone: Option<Gone> = None;
        loop {
            let left = limit.map_or(HELD, |limit| limit.saturating_sub(started.elapsed()).min(HELD));
            // At most a minute: it always fits.
            request.max_wait = prost_types::Duration::try_from(left).ok();
            let asked = Instant::now();
            let mut stub = self.stub.clone();
            let answer =
                once(self.options.deadline.saturating_add(left), request.clone(), |message| async move {
                    stub.decide(message).await
                });
            let over = || limit.is_some_and(|limit| started.elapsed() >= limit);
            match answer.await {
                Ok(response) => {
                    check(&request, &response)?;
                    if response.action() != pb::Action::Escalate || over() {
                        return Ok(response);
                    }
                    gone = None;
                    // A gate that shuts down answers at once; it is asked again when it had time to.
                    tokio::time::sleep(pause(1, &Status::ok("")).min(left.saturating_sub(asked.elapsed())))
                        .await;
                }
                Err(status) if may_pass(&status) && !over() => {
                    let gone = gone.get_or_insert(Gone { since: asked, failures: 0 });
                    gone.failures = gone.failures.saturating_add(1);
                    let pause = pause(gone.failures, &status);
                    if gone.since.elapsed().saturating_add(pause) >= self.options.reconnect_for {
                        return Err(status.into());
                    }
                    tokio::time::sleep(pause).await;
                }
                Err(status) => return Err(status.into()),
            }
        }
    }

    fn named(&self, mut request: pb::DecideRequest) -> pb::DecideRequest {
        self.in_project(&mut request.project);
        if request.request_id.is_empty() {
            request.request_id = Uuid::now_v7().to_string();
        }
        request
    }
}

/// Since when the gate cannot be reached or has too much to do, and how often it was tried.
struct Gone {
    since: Instant,
    failures: u32,
}

/// How long the gate may hold the request.
fn held(request: &pb::DecideRequest) -> Duration {
    let wait = request.max_wait.filter(|_| request.wait);
    wait.and_then(|wait| Duration::try_from(wait).ok()).unwrap_or_default()
}

/// Whether an answer is complete, known to this version, and the answer to this request.
fn check(request: &pb::DecideRequest, response: &pb::DecideResponse) -> Result<(), Error> {
    let unexpected = |what: String| Err(Error::UnexpectedAnswer(what));
    let action = match pb::Action::try_from(response.action) {
        Ok(pb::Action::Unspecified) => return unexpected("it states no action".to_owned()),
        Err(_unknown) => return unexpected(format!("it states the unknown action {}", response.action)),
        Ok(action) => action,
    };
    match pb::Stage::try_from(response.stage) {
        Ok(pb::Stage::Unspecified) => return unexpected("it states no stage".to_owned()),
        Err(_unknown) => return unexpected(format!("it states the unknown stage {}", response.stage)),
        Ok(_known) => {}
    }
    if request.dry_run {
        // Nothing was decided, so there is nothing that could be taken for an approval.
        return Ok(());
    }
    if response.request_id != request.request_id {
        return unexpected("it is the answer to another request".to_owned());
    }
    if response.session_id != request.session_id || response.run_id != request.run_id {
        return unexpected("it is of another session or run".to_owned());
    }
    if response.decision_id.is_empty() {
        return unexpected("it names no decision".to_owned());
    }
    match action {
        pb::Action::Approve => match pb::Scope::try_from(response.scope) {
            Ok(pb::Scope::Once | pb::Scope::Session | pb::Scope::Always) => Ok(()),
            Ok(pb::Scope::Unspecified) | Err(_) => unexpected("it approves without a scope".to_owned()),
        },
        pb::Action::Escalate if response.escalation_id.is_empty() && response.halt_id.is_empty() => {
            unexpected("it waits for nobody".to_owned())
        }
        pb::Action::Escalate
        | pb::Action::Reject
        | pb::Action::Halt
        | pb::Action::Unattended
        | pb::Action::Unspecified => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> pb::DecideRequest {
        pb::DecideRequest {
            session_id: "s".to_owned(),
            run_id: "r".to_owned(),
            request_id: "q".to_owned(),
            ..pb::DecideRequest::default()
        }
    }

    fn approved() -> pb::DecideResponse {
        pb::DecideResponse {
            action: pb::Action::Approve.into(),
            stage: pb::Stage::AllowList.into(),
            scope: pb::Scope::Session.into(),
            decision_id: "d".to_owned(),
            request_id: "q".to_owned(),
            session_id: "s".to_owned(),
            run_id: "r".to_owned(),
            ..pb::DecideResponse::default()
        }
    }

    #[test]
    fn only_a_complete_and_known_answer_to_this_very_request_is_taken() {
        assert!(check(&asked(), &approved()).is_ok());
        let waiting = pb::DecideResponse { action: pb::Action::Escalate.into(), ..approved() };
        assert!(check(&asked(), &pb::DecideResponse { halt_id: "h".to_owned(), ..waiting.clone() }).is_ok());
        let wrong = [
            pb::DecideResponse { action: 0, ..approved() },
            pb::DecideResponse { action: 77, ..approved() },
            pb::DecideResponse { stage: 0, ..approved() },
            pb::DecideResponse { stage: 77, ..approved() },
            pb::DecideResponse { scope: 0, ..approved() },
            pb::DecideResponse { scope: 77, ..approved() },
            pb::DecideResponse { decision_id: String::new(), ..approved() },
            pb::DecideResponse { request_id: String::new(), ..approved() },
            pb::DecideResponse { request_id: "other".to_owned(), ..approved() },
            pb::DecideResponse { session_id: "other".to_owned(), ..approved() },
            pb::DecideResponse { run_id: "other".to_owned(), ..approved() },
            waiting,
        ];
        for response in wrong {
            let error = check(&asked(), &response).unwrap_err();
            assert!(matches!(error, Error::UnexpectedAnswer(_)), "{response:?}: {error}");
        }
    }
}
