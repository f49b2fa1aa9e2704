//! Sending answers: the same answer keeps its request id, so that sending it again is safe.
//!
//! Knows nothing of where answers come from.

use super::desk::{Answer, Outcome, Subject, Target};
use crate::cli::failure::Failure;
use crate::client::{Client, Error};
use crate::display::one_line;
use crate::proto::v1 as pb;
use crate::proto::v1::ErrorReason;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Sends answers, one task each.
#[derive(Debug)]
pub(super) struct Sending {
    client: Client,
    project: String,
    request_ids: HashMap<Answer, String>,
    replies: mpsc::UnboundedSender<(Answer, Outcome)>,
}

impl Sending {
    /// What became of each answer arrives at the receiver.
    pub(super) fn new(client: Client, project: String) -> (Self, mpsc::UnboundedReceiver<(Answer, Outcome)>) {
        let (replies, received) = mpsc::unbounded_channel();
        (Self { client, project, request_ids: HashMap::new(), replies }, received)
    }

    /// Sends an answer.
    pub(super) fn send(&mut self, answer: Answer) {
        let fresh = || uuid::Uuid::now_v7().to_string();
        let request_id = self.request_ids.entry(answer.clone()).or_insert_with(fresh).clone();
        let request = pb::AnswerRequest {
            project: self.project.clone(),
            target: Some(match &answer.target {
                Target::Escalation(id) => pb::answer_request::Target::EscalationId(id.clone()),
                Target::Halt(id) => pb::answer_request::Target::HaltId(id.clone()),
            }),
            verdict: answer.verdict.into(),
            scope: answer.scope.into(),
            comment: answer.comment.clone(),
            terms: None,
            request_id,
        };
        let (client, replies) = (self.client.clone(), self.replies.clone());
        tokio::spawn(async move {
            let outcome = outcome(client.answer(request).await);
            // Whoever asked may have left.
            let _heard = replies.send((answer, outcome));
        });
    }
}

fn outcome(response: Result<pb::AnswerResponse, Error>) -> Outcome {
    use pb::answer_response::Settled;
    match response.map(|response| response.settled) {
        Ok(Some(Settled::Escalation(item))) => Outcome::Accepted(Subject::Escalation(Arc::new(item))),
        Ok(Some(Settled::Halt(item))) => Outcome::Accepted(Subject::Halt(Arc::new(item))),
        Ok(None) => Outcome::Failed("the server did not say what it settled".to_owned()),
        Err(error) => refused(error),
    }
}

fn refused(error: Error) -> Outcome {
    if let Error::Refused(refusal) = &error {
        if refusal.reason == Some(ErrorReason::AlreadyAnswered) {
            let said = |key: &str| refusal.metadata.get(key).map(|value| one_line(value)).unwrap_or_default();
            let verdict = pb::Verdict::from_str_name(&said("verdict")).unwrap_or_default();
            let words = crate::cli::words::verdict(verdict);
            let by = said("answered_by");
            return Outcome::TooLate(format!("Too late, somebody answered first: {words} by {by}."));
        }
        if matches!(
            refusal.reason,
            Some(ErrorReason::NoLongerOpen | ErrorReason::EscalationNotFound | ErrorReason::HaltNotFound)
        ) {
            let why = one_line(refusal.status.message());
            return Outcome::TooLate(format!("Too late, this needs no answer any more: {why}."));
        }
    }
    Outcome::Failed(Failure::from(error).in_one_line())
}
