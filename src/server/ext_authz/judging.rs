//! The calls of one request before the gate.
//!
//! Promises that no human's approval is used up unless every call beside it may run too, and that waiting ends before the proxy
//! loses its patience. Knows nothing of HTTP.

use super::Proxies;
use super::inspect::Place;
use super::questions::{Claim, Fingerprint};
use crate::access::Caller;
use crate::gate::{Action, Call, ToolCall as Tool};
use crate::mcp::{Posted, ToolCall};
use crate::server::deadline::Deadline;
use crate::server::limits::Admission;
use crate::server::service::DEADLINE_MARGIN;
use crate::session::{Ask, EngineError, Ruling};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// What became of the calls of a request.
pub(super) enum Judged {
    /// All of them may run.
    Approved(Vec<Ruling>),
    /// None of them may, because of these, one for each.
    Refused(Vec<Verdict>),
}

/// What the gate says of one call.
pub(super) enum Verdict {
    /// It decided.
    Ruled(Box<Ruling>),
    /// It did not.
    Failed(EngineError),
}

/// How long humans may be waited for.
pub(super) struct Patience {
    /// As the settings have it.
    pub(super) wait: Duration,
    /// The proxy's own.
    pub(super) deadline: Option<Deadline>,
    /// Leave to wait beside all others who do.
    pub(super) admission: Admission,
}

impl Verdict {
    fn approves(&self) -> bool {
        match self {
            Self::Ruled(ruling) => ruling.decision.action == Action::Approve && !ruling.run_halted,
            Self::Failed(_) => false,
        }
    }

    fn waits(&self) -> bool {
        match self {
            Self::Ruled(ruling) => ruling.decision.action == Action::Escalate,
            Self::Failed(_) => false,
        }
    }

    /// Whether the next equal call is to ask under the same id: for an answer, or since nothing was decided.
    fn is_open(&self) -> bool {
        match self {
            Self::Ruled(_) => self.waits(),
            Self::Failed(_) => true,
        }
    }
}

impl Patience {
    /// When waiting ends, from now on.
    fn end(&self) -> Instant {
        let now = Instant::now();
        if let Some(deadline) = &self.deadline {
            deadline.outlast();
        }
        let proxys = self.deadline.as_ref().and_then(Deadline::of_caller);
        let proxys = proxys.map(|end| end.checked_sub(DEADLINE_MARGIN).unwrap_or(now));
        now.checked_add(self.wait).into_iter().chain(proxys).min().unwrap_or(now)
    }
}

impl Proxies {
    /// Decides every call, and waits for the humans who are asked as long as there is patience for it.
    pub(super) async fn judge(
        &self,
        (place, caller): (&Place, &Arc<Caller>),
        posted: &Posted,
        patience: &Patience,
    ) -> Judged {
        let mut judged = Vec::new();
        for call in posted.calls() {
            let claim = self.questions.claim(fingerprint(place, call));
            let verdict = self.decide((place, caller), call, claim.request_id()).await;
            judged.push((claim, verdict));
        }
        // Where all too many wait already, the next equal call asks for the answer.
        if judged.iter().any(|(_, verdict)| verdict.waits())
            && let Ok(_held) = patience.admission.wait()
        {
            let end = patience.end();
            for (_, verdict) in &mut judged {
                self.await_human(verdict, end).await;
            }
        }
        settle(judged)
    }

    async fn decide(
        &self,
        (place, caller): (&Place, &Arc<Caller>),
        call: &ToolCall,
        request_id: &str,
    ) -> Verdict {
        let arguments = if call.arguments.is_empty() { "{}" } else { call.arguments.as_str() };
        let arguments = match serde_json::from_str(arguments) {
            Ok(arguments) => arguments,
            Err(error) => {
                let problem = format!("cannot be read: {error}");
                return Verdict::Failed(EngineError::Invalid { field: "arguments".to_owned(), problem });
            }
        };
        let ask = Ask {
            project: place.project.clone(),
            session: place.session.clone(),
            run: place.run.clone(),
            request_id: Some(request_id.to_owned()),
            call: Call::McpTool { server: place.server.clone(), tool: Tool::new(&call.name, arguments) },
            caller: Arc::clone(caller),
        };
        match self.engine.decide(ask).await {
            Ok(ruling) => Verdict::Ruled(Box::new(ruling)),
            Err(error) => {
                tracing::warn!(%error, session = %place.session, "a proxied call could not be decided");
                Verdict::Failed(error)
            }
        }
    }

    async fn await_human(&self, verdict: &mut Verdict, end: Instant) {
        let Verdict::Ruled(ruling) = verdict else { return };
        if ruling.decision.action != Action::Escalate {
            return;
        }
        let wait = end.saturating_duration_since(Instant::now());
        let mut draining = self.draining.clone();
        let waited = tokio::select! {
            waited = self.engine.wait_for_human(ruling.as_ref().clone(), wait) => waited,
            // The question is durable, and the next equal call picks the answer up.
            _ = draining.wait_for(|draining| *draining) => return,
        };
        *verdict = waited.map_or_else(Verdict::Failed, |ruling| Verdict::Ruled(Box::new(ruling)));
    }
}

/// All or nothing: only where every call may run are the answers used up.
fn settle(judged: Vec<(Claim, Verdict)>) -> Judged {
    if judged.iter().all(|(_, verdict)| verdict.approves()) {
        let spent = judged.into_iter().filter_map(|(claim, verdict)| match verdict {
            Verdict::Ruled(ruling) => {
                claim.spend();
                Some(*ruling)
            }
            Verdict::Failed(_) => None,
        });
        return Judged::Approved(spent.collect());
    }
    let verdicts = judged.into_iter().map(|(claim, verdict)| {
        // A refusal is told once. An approval beside it is kept for the next try, an open question for its answer.
        if !verdict.is_open() && !verdict.approves() {
            claim.spend();
        }
        verdict
    });
    Judged::Refused(verdicts.collect())
}

/// Equal for calls that a human who is asked about one would take for the other.
fn fingerprint(place: &Place, call: &ToolCall) -> Fingerprint {
    let mut hash = Sha256::new();
    for part in [&place.project, &place.session, &place.run, &place.server, &call.name, &call.arguments] {
        hash.update(part.len().to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
