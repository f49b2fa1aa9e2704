//! Deciding: one request id for all attempts, retries while the gate is out of reach, and waiting for a human.
//!
//! Promises that a decision is never asked for under two ids. Knows nothing of what is decided.

use super::{Client, asked_pause, within};
use crate::proto::v1 as pb;
use std::time::{Duration, Instant};
use tonic::{Code, Status};
use uuid::Uuid;

/// How often a decision is asked for while the gate is unavailable.
const ATTEMPTS: u32 = 3;

/// How long to leave an unavailable gate alone unless it says otherwise.
const PAUSE: Duration = Duration::from_millis(200);

/// The longest pause that a gate may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// How long one request is held for a human. Short enough for the idle limits of proxies.
const HELD: Duration = Duration::from_secs(60);

impl Client {
    /// Decides a call. A request without an id gets one, so that retries are safe.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`. The call must not run then.
    pub async fn decide(&mut self, request: pb::DecideRequest) -> Result<pb::DecideResponse, Status> {
        self.decide_named(&named(request)).await
    }

    /// Decides a call and waits for the human who may be asked, at most for `limit`; without one, until there is an
    /// answer. What still waits then comes back as `ACTION_ESCALATE`.
    ///
    /// # Errors
    /// The server's status, or `DEADLINE_EXCEEDED`. The call must not run then.
    pub async fn decide_and_wait(
        &mut self,
        request: pb::DecideRequest,
        limit: Option<Duration>,
    ) -> Result<pb::DecideResponse, Status> {
        let mut request = named(request);
        request.wait = true;
        let started = Instant::now();
        loop {
            let held = limit.map_or(HELD, |limit| limit.saturating_sub(started.elapsed()).min(HELD));
            // At most a minute: it always fits.
            request.max_wait = prost_types::Duration::try_from(held).ok();
            let response = self.decide_named(&request).await?;
            let over = limit.is_some_and(|limit| started.elapsed() >= limit);
            if response.action() != pb::Action::Escalate || over {
                return Ok(response);
            }
        }
    }

    async fn decide_named(&mut self, request: &pb::DecideRequest) -> Result<pb::DecideResponse, Status> {
        let held = request.max_wait.filter(|_| request.wait).and_then(|wait| Duration::try_from(wait).ok());
        let deadline = self.deadline.saturating_add(held.unwrap_or_default());
        let mut attempt = 1;
        loop {
            let stub = &mut self.stub;
            match within(deadline, request.clone(), |request| stub.decide(request)).await {
                Err(status) if status.code() == Code::Unavailable && attempt < ATTEMPTS => {
                    tokio::time::sleep(pause(&status)).await;
                    attempt += 1;
                }
                settled => return settled,
            }
        }
    }
}

fn named(mut request: pb::DecideRequest) -> pb::DecideRequest {
    if request.request_id.is_empty() {
        request.request_id = Uuid::now_v7().to_string();
    }
    request
}

fn pause(status: &Status) -> Duration {
    asked_pause(status).unwrap_or(PAUSE).min(LONGEST_PAUSE)
}
