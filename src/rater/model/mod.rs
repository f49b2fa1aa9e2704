//! Ratings by a language model.
//!
//! Promises a verdict of exact form or a typed cause within the time limit, which covers waiting for a turn, every attempt and
//! every wait between them; that dropping a rating drops its request; and that a model's `safe` counts only where the whole
//! command was seen. It must not know what a verdict leads to.
//!
//! | module | subject |
//! |---|---|
//! | `prompt` | what is asked, and how hostile text is fenced |
//! | `schema`, `answer` | the form of a verdict, and checking it |
//! | `provider`, `openai`, `anthropic`, `ollama` | what differs between providers |
//! | `wire`, `circuit` | one exchange, when to stop asking |
//! | `usage` | counters |

mod answer;
mod anthropic;
mod circuit;
mod ollama;
mod openai;
mod prompt;
mod provider;
mod schema;
mod usage;
mod wire;

pub use usage::Usage;

use self::circuit::{Circuit, Limits};
use self::prompt::{Prompt, Question};
use self::provider::{Outgoing, Reply};
use self::usage::Meter;
use self::wire::{Fault, Wire};
use super::{Assessed, Assessing, Rater, Rating, RatingRecord, RatingScope};
use crate::config::ModelProfile;
use crate::gate::{FailureCause, Outcome, RatingRequest, RatingResult, RatingSource, RatingSubject, Verdict};
use crate::outgoing::{Pacing, Secret};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

/// The most of a raw answer that is recorded, in bytes.
const RECORDED_ANSWER: usize = 64 * 1024;
/// When a question is asked again after a fault that may pass.
const PACING: Pacing = Pacing { first: Duration::from_millis(250), longest: Duration::from_secs(8) };

/// Asks one model. Cheap to clone: every clone shares its turns, its breaker and its counters.
#[derive(Debug, Clone)]
pub struct ModelRater {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    name: String,
    profile: ModelProfile,
    key: Option<Secret>,
    wire: Wire,
    turns: Semaphore,
    circuit: Arc<Circuit>,
    meter: Meter,
}

impl ModelRater {
    /// A rater for a profile, by the name that the policy gives it.
    ///
    /// # Errors
    /// TLS cannot be set up on this machine.
    pub fn new(name: &str, profile: ModelProfile, key: Option<Secret>) -> Result<Self, SetupError> {
        let wire = Wire::new(&profile).map_err(|error| SetupError { reason: error.to_string() })?;
        let limits = Limits { failures: profile.circuit_failures, pause: profile.circuit_pause };
        let turns = usize::try_from(profile.max_concurrent).unwrap_or(1);
        Ok(Self {
            inner: Arc::new(Inner {
                name: name.to_owned(),
                key,
                wire,
                turns: Semaphore::new(turns.min(Semaphore::MAX_PERMITS)),
                circuit: Arc::new(Circuit::new(limits)),
                meter: Meter::new(profile.prices),
                profile,
            }),
        })
    }

    /// What was asked so far, and what it cost.
    #[must_use]
    pub fn usage(&self) -> Usage {
        self.inner.meter.snapshot()
    }

    /// Counts a rating that was refused before the model could be asked.
    pub(super) fn turn_away(&self, cause: FailureCause) {
        self.inner.meter.asked();
        self.inner.meter.ended(Some(cause));
    }

    /// What so many tokens cost, in millionths of the prices' currency; nothing without prices.
    pub(super) fn cost_micros(&self, prompt_tokens: u64, completion_tokens: u64) -> u64 {
        self.inner.meter.cost_of(prompt_tokens, completion_tokens).unwrap_or(0)
    }

    /// Whether this is the rater of these very settings, so that it can be kept.
    pub(super) fn is_of(&self, profile: &ModelProfile, key: Option<&Secret>) -> bool {
        self.inner.profile == *profile && self.inner.key.as_ref() == key
    }
}

/// Why a model cannot be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a secure connection cannot be set up on this machine: {reason}")]
pub struct SetupError {
    /// What the system says.
    pub reason: String,
}

impl Rater for ModelRater {
    fn rate(&self, request: RatingRequest) -> Rating {
        let assessing = self.assess(request, RatingScope::default());
        Box::pin(async move { assessing.await.result })
    }

    fn assess(&self, request: RatingRequest, _scope: RatingScope) -> Assessing {
        let inner = Arc::clone(&self.inner);
        Box::pin(async move { inner.assess(request).await })
    }
}

/// What happened on the way to an answer.
#[derive(Debug, Default)]
struct Progress {
    attempts: u32,
    fault: Option<String>,
    reply: Option<Reply>,
    raw: Option<String>,
}

impl Inner {
    async fn assess(&self, request: RatingRequest) -> Assessed {
        let started = tokio::time::Instant::now();
        let limit = Duration::from_millis(request.timeout_ms.into());
        let request = Arc::new(request);
        let prompt = match prompt_for(&request).await {
            Ok(prompt) => prompt,
            Err(cause) => return Assessed::from(Err(cause)),
        };
        let counted = Counted::new(&self.meter);
        let mut progress = Progress::default();
        // A limit beyond what a clock can count is none.
        let deadline = started.checked_add(limit).unwrap_or(started);
        let asked = self.ask(&prompt, deadline, &mut progress).await;
        let answer = match asked {
            Ok(()) => self.read(&progress, &request).ok_or(FailureCause::Unparseable),
            Err(cause) => Err(cause),
        };
        counted.end(answer.as_ref().err().copied());
        if let Err(cause) = &answer {
            tracing::warn!(
                x_request_id = crate::trace::request_id().as_deref(), profile = %self.name, cause = cause.as_str(), fault = progress.fault, attempts = progress.attempts,
                "a rating model gave no verdict"
            );
        }
        let record = self.record(&request, &prompt, &progress, &answer, started.elapsed());
        let result = answer.map(|verdict| believed(verdict, &prompt));
        Assessed { result, model: Some(record.model.clone()), record: Some(Box::new(record)), reused: false }
    }

    /// Waits for a turn and asks.
    async fn ask(
        &self,
        prompt: &Prompt,
        deadline: tokio::time::Instant,
        progress: &mut Progress,
    ) -> Result<(), FailureCause> {
        if self.circuit.is_open(Instant::now()) {
            return Err(FailureCause::CircuitOpen);
        }
        let Ok(turn) = timeout_at(deadline, self.turns.acquire()).await else {
            return Err(FailureCause::Timeout);
        };
        let Ok(_held_to_the_end) = turn else { return Err(FailureCause::Transport) };
        let Some(pass) = self.circuit.enter(Instant::now()) else { return Err(FailureCause::CircuitOpen) };
        let outgoing = provider::outgoing(&self.profile, self.key.as_ref(), prompt);
        match timeout_at(deadline, self.attempts(&outgoing, deadline, progress)).await {
            Ok(Ok(body)) => {
                pass.answered();
                self.keep(&body, progress);
                Ok(())
            }
            Ok(Err(fault)) => {
                progress.fault = Some(fault.to_string());
                if fault.is_of_the_server() {
                    pass.failed(Instant::now());
                } else {
                    pass.answered();
                }
                Err(match fault {
                    Fault::TooLong => FailureCause::Unparseable,
                    Fault::Broken { .. } | Fault::Busy { .. } | Fault::Refused { .. } => {
                        FailureCause::Transport
                    }
                })
            }
            Err(_elapsed) => {
                pass.failed(Instant::now());
                Err(FailureCause::Timeout)
            }
        }
    }

    /// Asks until there is an answer, a fault that will not pass, or no time to ask again.
    async fn attempts(
        &self,
        outgoing: &Outgoing,
        deadline: tokio::time::Instant,
        progress: &mut Progress,
    ) -> Result<Vec<u8>, Fault> {
        loop {
            progress.attempts = progress.attempts.saturating_add(1);
            self.meter.sent();
            let fault = match self.wire.exchange(outgoing).await {
                Ok(body) => return Ok(body),
                Err(fault) => fault,
            };
            let wait = PACING.wait(progress.attempts, fault.retry_after());
            let in_time = tokio::time::Instant::now().checked_add(wait).is_some_and(|then| then < deadline);
            if !fault.is_passing() || progress.attempts > self.profile.retries || !in_time {
                return Err(fault);
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// Notes what came back.
    fn keep(&self, body: &[u8], progress: &mut Progress) {
        progress.reply = provider::read(self.profile.provider, body);
        progress.raw = Some(match &progress.reply {
            Some(reply) => bounded(&reply.text),
            None => bounded(&String::from_utf8_lossy(body)),
        });
        if let Some(reply) = &progress.reply {
            self.meter.spent(reply.tokens);
        }
    }

    /// The verdict in an answer that came to its end.
    fn read(&self, progress: &Progress, request: &RatingRequest) -> Option<Verdict> {
        let reply = progress.reply.as_ref().filter(|reply| reply.complete)?;
        let answer = answer::read(&reply.text, &request.free_tools)?;
        Some(Verdict {
            outcome: answer.outcome,
            reason: answer.reason,
            suggested_tool: answer.suggested_tool,
            source: RatingSource::Model(self.name.clone()),
            cause: None,
        })
    }

    fn record(
        &self,
        request: &RatingRequest,
        prompt: &Prompt,
        progress: &Progress,
        answer: &RatingResult,
        took: Duration,
    ) -> RatingRecord {
        let rounds = request.context.as_ref().map_or(0, |context| context.rounds.len());
        let tokens = progress.reply.as_ref().map(|reply| reply.tokens).unwrap_or_default();
        RatingRecord {
            profile: self.name.clone(),
            model: self.profile.label(),
            timeout_ms: request.timeout_ms,
            duration_us: u64::try_from(took.as_micros()).unwrap_or(u64::MAX),
            attempts: progress.attempts,
            system: prompt.system.clone(),
            user: prompt.user.clone(),
            raw_answer: progress.raw.clone(),
            verdict: answer.as_ref().ok().cloned(),
            cause: answer.as_ref().err().copied(),
            round: u32::try_from(rounds).unwrap_or(u32::MAX).saturating_add(1),
            negotiable: request.negotiable,
            context_note: context_note(request, prompt),
            prompt_tokens: tokens.prompt,
            completion_tokens: tokens.completion,
        }
    }
}

/// Puts the question into words.
async fn prompt_for(request: &Arc<RatingRequest>) -> Result<Prompt, FailureCause> {
    let length = match &request.subject {
        RatingSubject::Command { command, .. } => command.text().len(),
        // What a tool is given may be the content of files, which goes to no model.
        RatingSubject::Tool { .. } => return Err(FailureCause::NotAssessed),
    };
    if length <= super::LONG_TEXT {
        return question(request).map(prompt::prompt).ok_or(FailureCause::NotAssessed);
    }
    let request = Arc::clone(request);
    let words = tokio::task::spawn_blocking(move || question(&request).map(prompt::prompt)).await;
    words.ok().flatten().ok_or(FailureCause::NotAssessed)
}

fn question(request: &RatingRequest) -> Option<Question<'_>> {
    match &request.subject {
        RatingSubject::Command { command, cwd: _, home } => Some(Question {
            command: command.text(),
            dialect: command.dialect(),
            home: home.as_deref(),
            context: request.context.as_ref(),
            negotiable: request.negotiable,
            free_tools: &request.free_tools,
        }),
        RatingSubject::Tool { .. } => None,
    }
}

/// The verdict as far as it can be believed: nobody calls safe what was not seen as a whole.
fn believed(verdict: Verdict, prompt: &Prompt) -> Verdict {
    match (verdict.outcome, prompt.unseen) {
        (Outcome::Safe, Some(unseen)) => Verdict {
            outcome: Outcome::Destructive,
            reason: unseen.as_reason().to_owned(),
            suggested_tool: None,
            source: verdict.source,
            cause: None,
        },
        (Outcome::Safe, None) | (Outcome::Destructive | Outcome::Catastrophic | Outcome::Attack, _) => {
            verdict
        }
    }
}

/// What the model was told of what was said before, and why.
fn context_note(request: &RatingRequest, prompt: &Prompt) -> String {
    match (&request.context, request.negotiable, prompt.negotiating) {
        (None, false, _) => "Nothing is negotiated here: the model saw the command alone.".to_owned(),
        (None, true, _) => "Round one: the model saw the command alone, by design.".to_owned(),
        (Some(context), _, true) => format!(
            "The model saw {} and {} of the user, and {} justification.",
            counted(context.rounds.len(), "earlier round"),
            counted(context.user_messages.len(), "message"),
            if context.justification.is_some() { "the" } else { "no" },
        ),
        (Some(_), _, false) => {
            "A later round, but nothing that could be read was said before: the model saw the command alone."
                .to_owned()
        }
    }
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn bounded(text: &str) -> String {
    let end =
        (0..=RECORDED_ANSWER.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default().to_owned()
}

/// Counts a rating that whoever asked gave up on.
struct Counted<'m> {
    meter: &'m Meter,
    ended: bool,
}

impl<'m> Counted<'m> {
    fn new(meter: &'m Meter) -> Self {
        meter.asked();
        Self { meter, ended: false }
    }

    fn end(mut self, cause: Option<FailureCause>) {
        self.ended = true;
        self.meter.ended(cause);
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.meter.abandoned();
        }
    }
}
