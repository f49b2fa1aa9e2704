//! Answers on their way, and what became of them.

use super::{Deed, Desk, Subject, Tone};
use crate::display::AFTER_RUN_ANYWAY;
use crate::proto::v1 as pb;

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::cli::watch) enum Target {
    /// A question.
    Escalation(String),
    /// A halt.
    Halt(String),
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::cli::watch) struct Answer {
    /// To what.
    pub(in crate::cli::watch) target: Target,
    /// The verdict.
    pub(in crate::cli::watch) verdict: pb::Verdict,
    /// How far it reaches.
    pub(in crate::cli::watch) scope: pb::Scope,
    /// What the agent is told with it.
    pub(in crate::cli::watch) comment: String,
}

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::cli::watch) enum Outcome {
    /// It was accepted.
    Accepted(Subject),
    /// Somebody or something else came first; in words.
    TooLate(String),
    /// It did not get through, for this reason; it may be sent again.
    Failed(String),
}

impl Desk {
    pub(super) fn send(&mut self, answer: Answer) -> Vec<Deed> {
        if self.sending.is_some() {
            self.say(Tone::Plain, "The answer is being sent.");
            return Vec::new();
        }
        self.sending = Some(answer.clone());
        self.changes += 1;
        vec![Deed::Send(answer)]
    }

    /// What became of the answer that was sent.
    pub(in crate::cli::watch) fn replied(&mut self, answer: &Answer, outcome: Outcome) {
        self.sending = None;
        self.changes += 1;
        match outcome {
            Outcome::Accepted(subject) => {
                let is_news = self.close(&answer.target);
                let words = match answer.verdict {
                    pb::Verdict::RunAnyway => AFTER_RUN_ANYWAY.to_owned(),
                    pb::Verdict::Approve
                    | pb::Verdict::Reject
                    | pb::Verdict::Stop
                    | pb::Verdict::Unspecified => crate::cli::watch::words::settled_line(&subject),
                };
                self.say(Tone::Plain, words);
                if is_news {
                    self.keep(subject);
                }
            }
            Outcome::TooLate(words) => {
                self.close(&answer.target);
                self.say(Tone::Trouble, words);
            }
            Outcome::Failed(problem) => {
                let again = match answer.target {
                    Target::Escalation(_) => "Press it again to send the same answer again.",
                    Target::Halt(_) => "Enter sends the same answer again; no other can be sent.",
                };
                self.say(Tone::Trouble, format!("Not answered: {problem}. {again}"));
            }
        }
        self.look_up();
    }

    /// Takes what was answered away. False when a feed told of it before.
    fn close(&mut self, target: &Target) -> bool {
        match target {
            Target::Escalation(id) => self.escalations.close(id),
            Target::Halt(id) => self.halts.close(id),
        }
    }
}
