//! Looking back: decisions as recorded, the audit chain, and a call explained without deciding it.
//!
//! Promises that reading changes nothing: a dry run works on a copy and rates, asks, stores and records nothing.

use super::deciding::with_defaults;
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, Profile};
use super::ruling::{Ruling, SubjectView, Timing};
use crate::gate::{
    Action, Call, Decision, FailureCause, GrantBook, Next, Notice, NoticeKind, NoticeLevel, Offer,
    SessionState, Subject, Surroundings, decide, rated,
};
use crate::store::{DecisionFilter, Page, RecordRow, Verification};
use std::sync::Arc;

/// How many records one page may look at before it is handed out as it is.
const LOOKED_AT: usize = 5_000;

/// A decision as recorded.
#[derive(Debug, Clone)]
pub struct RecordedDecision {
    /// Where it stands in the chain.
    pub row: RecordRow,
    /// What was decided.
    pub ruling: Ruling,
}

/// A page of decisions.
#[derive(Debug, Clone, Default)]
pub struct DecisionPage {
    /// The decisions.
    pub decisions: Vec<RecordedDecision>,
    /// Where the next page begins.
    pub next: Option<u64>,
}

/// What would be decided, and why.
#[derive(Debug, Clone)]
pub struct Explained {
    /// The ruling, without ids.
    pub ruling: Ruling,
    /// Whether a rating would be asked for.
    pub rating_needed: bool,
    /// What a sticky approval would store.
    pub grant: Option<Offer>,
    /// What a sticky refusal would store.
    pub denial: Option<Offer>,
    /// The call as it was judged.
    pub subject: Arc<Subject>,
}

impl Engine {
    /// Lists decisions. `wanted` is asked of each after the store's own filter.
    ///
    /// # Errors
    /// The store cannot be read, or a record cannot be read back.
    pub async fn list_decisions(
        &self,
        filter: DecisionFilter,
        mut page: Page<u64>,
        wanted: impl Fn(&Ruling) -> bool + Send,
    ) -> Result<DecisionPage, EngineError> {
        let size = usize::try_from(page.size).unwrap_or(usize::MAX).max(1);
        let mut decisions = Vec::new();
        let mut looked_at = 0;
        loop {
            let listing = self.inner.store.decisions(filter.clone(), page.clone()).await?;
            for row in listing.rows {
                looked_at += 1;
                let ruling: Ruling = serde_json::from_str(&row.body_json)
                    .map_err(|error| EngineError::unreadable("record", &error))?;
                let sequence = row.sequence;
                if wanted(&ruling) {
                    decisions.push(RecordedDecision { row, ruling });
                }
                if decisions.len() >= size {
                    return Ok(DecisionPage { decisions, next: Some(sequence) });
                }
            }
            let Some(next) = listing.next else { return Ok(DecisionPage { decisions, next: None }) };
            if looked_at >= LOOKED_AT {
                return Ok(DecisionPage { decisions, next: Some(next) });
            }
            page.after = Some(next);
        }
    }

    /// Verifies a project's audit chain.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn verify_audit(&self, project: &str) -> Result<Verification, EngineError> {
        Ok(self.inner.store.verify(project, Arc::new(|_, _| {})).await?)
    }

    /// Explains what would be decided, in the session where it exists and else in one that was just opened.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn explain(
        &self,
        project: &str,
        session: Option<&str>,
        run: &str,
        call: &Call,
    ) -> Result<Explained, EngineError> {
        let live = match session {
            Some(session) => self.find(project, session).await?,
            None => None,
        };
        let (call, mut state, policy, labels) = match live {
            Some(live) => {
                let guard = live.lock();
                let policy = self.policies().get(project, guard.profile.command.as_deref());
                (with_defaults(call, &guard), guard.state.clone(), policy, guard.profile.labels.clone())
            }
            None => {
                let policy = self.policies().get(project, None);
                let state = SessionState::open(&policy);
                let fresh = Live::open(Profile::default(), state.clone(), self.now());
                (with_defaults(call, &fresh), state, policy, fresh.profile.labels)
            }
        };
        // A copy: weakened grants are dropped from it and uses are spent on it, and nobody sees that.
        let mut persisted: GrantBook = self.project(project).await?.lock().persisted.clone();
        let now = self.now();
        let budget_before = state.negotiation.budget();
        let floors = self.inner.floors;
        let mut around =
            Surroundings { policy: &policy, floors, persisted: &mut persisted, now, attack_watched: false };
        let mut progress = decide(&mut around, &mut state, &call, run);
        let mut rating_needed = false;
        if let Next::NeedsRating(_, mut deliberation) = progress.next {
            rating_needed = true;
            deliberation.notice(Notice {
                level: NoticeLevel::Info,
                kind: NoticeKind::RatingSkipped,
                text:
                    "A rating would decide here; this shows what follows when the command cannot be assessed."
                        .to_owned(),
            });
            progress = rated(&mut around, &mut state, *deliberation, Err(FailureCause::NotAssessed));
        }
        let (decision, grant, denial): (Decision, _, _) = match progress.next {
            Next::Decided(decision) => (*decision, None, None),
            Next::NeedsHuman(escalation) => {
                let (grant, denial) = (escalation.grant.clone(), escalation.denial.clone());
                (escalation.pending(), grant, denial)
            }
            Next::NeedsWatcher(halt) => (Decision { action: Action::Halt, ..halt.pending() }, None, None),
            Next::NeedsRating(..) => {
                return Err(EngineError::Internal("a rating led to another rating".to_owned()));
            }
        };
        let subject = Subject::of(&call, &state.mcp_servers);
        let annotations = state.annotations(&policy).effective(&subject);
        let ruling = Ruling {
            decision,
            decision_id: String::new(),
            project: project.to_owned(),
            session: session.unwrap_or_default().to_owned(),
            run: run.to_owned(),
            request_id: String::new(),
            caller: String::new(),
            policy_revision: policy.revision.clone(),
            subject: SubjectView::of(&subject, annotations),
            call,
            escalation_id: None,
            halt_id: None,
            answer: None,
            budget_after: budget_before,
            run_halted: state.halted_runs.contains_key(run),
            labels,
            timing: Timing { arrived_at: now, settled_at: Some(now), ..Timing::default() },
            replayed: false,
        };
        Ok(Explained { ruling, rating_needed, grant, denial, subject: Arc::new(subject) })
    }
}
