//! Looking back: decisions as recorded, the audit chain, and a call explained without deciding it.
//!
//! Promises that reading changes nothing: a dry run works on a copy and rates, asks, stores and records nothing.

use super::deciding::{RETRY, prepare, with_defaults};
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, LiveSession};
use super::rating::{Answered, RatingTrace};
use super::ruling::{Ruling, SubjectView, Timing};
use crate::access::Caller;
use crate::gate::{
    Action, Call, Decision, FailureCause, GrantBook, Next, Notice, NoticeKind, NoticeLevel, Offer, Rating,
    RatingRequest, SessionState, Subject, Surroundings, decide_prepared, rated, rating_request, with_floors,
};
use crate::store::audit::record_hash;
use crate::store::{BrokenLink, DecisionFilter, Page, RecordRow, Verification};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

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

/// What is wished of a rating without a decision.
#[derive(Debug, Clone, Default)]
pub struct RateWish {
    /// The profile to ask; the policy's choice where there is none.
    pub profile: Option<String>,
    /// Whether the rater is asked even where an earlier rating could be used again.
    pub fresh: bool,
}

/// A rating without a decision.
#[derive(Debug, Clone)]
pub struct Rated {
    /// The rating, after floors.
    pub rating: Rating,
    /// Which model rated.
    pub trace: RatingTrace,
    /// The call as the rules see it.
    pub subject: SubjectView,
    /// The policy whose rater was asked.
    pub policy_revision: String,
    /// How long the rater took.
    pub took: Duration,
}

/// Whether a chain holds.
#[derive(Debug, Clone)]
pub struct AuditReport {
    /// What the walk over the chain found.
    pub verification: Verification,
    /// The first link that does not hold.
    pub broken: Option<Broken>,
    /// What became of the head that was noted down.
    pub noted: NotedHead,
}

/// What became of a head that was noted down earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotedHead {
    /// None was given.
    NotGiven,
    /// It is in the chain.
    Found,
    /// Retention has deleted its record, so that it cannot be compared any more; the records behind it are all there.
    NoLongerKept,
    /// The chain has another record there, or none.
    Missing,
    /// The chain is broken, and was not searched for it.
    NotSearched,
}

/// A link of the chain that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// Where; 0 when the end of the chain is unknown.
    pub sequence: u64,
    /// The record's id, where it can be read.
    pub record_id: String,
    /// The hash that its content makes, or that was noted down.
    pub expected_hash: String,
    /// The hash that is stored.
    pub actual_hash: String,
    /// In one sentence.
    pub reason: String,
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
    /// Lists decisions. `wanted` is asked of each, with its record's id, after the store's
    /// own filter.
    ///
    /// # Errors
    /// The store cannot be read, or a record cannot be read back.
    pub async fn list_decisions(
        &self,
        filter: DecisionFilter,
        mut page: Page<u64>,
        wanted: impl Fn(&Ruling, &str) -> bool + Send,
    ) -> Result<DecisionPage, EngineError> {
        let size = usize::try_from(page.size).unwrap_or(usize::MAX).max(1);
        let mut decisions: Vec<RecordedDecision> = Vec::new();
        let mut looked_at = 0;
        loop {
            let listing = self.inner.store.decisions(filter.clone(), page.clone()).await?;
            for row in listing.rows {
                looked_at += 1;
                let ruling: Ruling = serde_json::from_str(&row.body_json)
                    .map_err(|error| EngineError::unreadable("record", &error))?;
                if !wanted(&ruling, &row.id) {
                    continue;
                }
                if decisions.len() >= size {
                    // One more exists, so that the last page is known to be the last.
                    let next = decisions.last().map(|last| last.row.sequence);
                    return Ok(DecisionPage { decisions, next });
                }
                decisions.push(RecordedDecision { row, ruling });
            }
            let Some(next) = listing.next else { return Ok(DecisionPage { decisions, next: None }) };
            if looked_at >= LOOKED_AT {
                return Ok(DecisionPage { decisions, next: Some(next) });
            }
            page.after = Some(next);
        }
    }

    /// Verifies a project's audit chain, and that a head which was noted down earlier is in it.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn verify_audit(
        &self,
        project: &str,
        noted: Option<(u64, String)>,
    ) -> Result<AuditReport, EngineError> {
        let verification = self.inner.store.verify(project, Arc::new(|_, _| {})).await?;
        let mut broken = match &verification.broken {
            Some(link) => Some(self.describe_break(project, link).await?),
            None => None,
        };
        let mut what_became = match (&broken, &noted) {
            (_, None) => NotedHead::NotGiven,
            (Some(_), Some(_)) => NotedHead::NotSearched,
            (None, Some((sequence, _))) if *sequence < verification.first => NotedHead::NoLongerKept,
            (None, Some(_)) => NotedHead::Found,
        };
        if let (NotedHead::Found, Some((sequence, hash))) = (what_became, noted) {
            let found = self.record_at(project, sequence).await?.map(|row| row.hash.to_string());
            if found.as_ref() != Some(&hash) {
                what_became = NotedHead::Missing;
                broken = Some(Broken {
                    sequence,
                    record_id: String::new(),
                    expected_hash: hash,
                    actual_hash: found.clone().unwrap_or_default(),
                    reason: match found {
                        Some(_) => {
                            "the chain has another record here than the one that was noted down".to_owned()
                        }
                        None => "the chain ends before the record that was noted down".to_owned(),
                    },
                });
            }
        }
        Ok(AuditReport { verification, broken, noted: what_became })
    }

    async fn describe_break(&self, project: &str, link: &BrokenLink) -> Result<Broken, EngineError> {
        let sequence = match link {
            BrokenLink::Missing { sequence, .. }
            | BrokenLink::WrongPrevious { sequence, .. }
            | BrokenLink::Changed { sequence, .. }
            | BrokenLink::Unreadable { sequence, .. }
            | BrokenLink::BeyondHead { sequence, .. }
            | BrokenLink::WrongHead { sequence } => *sequence,
            BrokenLink::Unexplained { first } => *first,
            BrokenLink::Truncated { last, .. } => last.saturating_add(1),
            BrokenLink::HeadMissing => 0,
        };
        let readable = match link {
            BrokenLink::WrongPrevious { .. }
            | BrokenLink::Changed { .. }
            | BrokenLink::BeyondHead { .. }
            | BrokenLink::WrongHead { .. } => self.record_at(project, sequence).await?,
            BrokenLink::Missing { .. }
            | BrokenLink::Unreadable { .. }
            | BrokenLink::Truncated { .. }
            | BrokenLink::Unexplained { .. }
            | BrokenLink::HeadMissing => None,
        };
        Ok(Broken {
            sequence,
            record_id: readable.as_ref().map(|row| row.id.clone()).unwrap_or_default(),
            expected_hash: readable.as_ref().map(|row| record_hash(row).to_string()).unwrap_or_default(),
            actual_hash: readable.as_ref().map(|row| row.hash.to_string()).unwrap_or_default(),
            reason: link.to_string(),
        })
    }

    async fn record_at(&self, project: &str, sequence: u64) -> Result<Option<RecordRow>, EngineError> {
        let filter = DecisionFilter { project: project.to_owned(), ..DecisionFilter::default() };
        let page = Page { size: 1, after: Some(sequence.saturating_sub(1)), newest_first: false };
        let listing = self.inner.store.decisions(filter, page).await?;
        Ok(listing.rows.into_iter().find(|row| row.sequence == sequence))
    }

    /// Rates a call without deciding it. Floors count; no list, grant or rung does.
    ///
    /// # Errors
    /// The profile that is wished for does not exist, the session was never opened or is closed, or the store cannot be read.
    pub async fn rate(
        &self,
        project: &str,
        session: Option<&str>,
        call: &Call,
        wish: &RateWish,
    ) -> Result<Rated, EngineError> {
        if let Some(profile) = &wish.profile
            && !self.policies().configuration().rater().profiles.contains_key(profile)
        {
            return Err(EngineError::ProfileUnknown { profile: profile.clone() });
        }
        let live = match session {
            Some(session) => Some(self.existing(project, session).await?),
            None => None,
        };
        let prepared = prepare(call).await?;
        let (call, state, policy) = match live {
            Some(live) => {
                let guard = live.lock();
                still_open(&live, &guard)?;
                let policy = self.policies().get(project, guard.profile.command.as_deref());
                (with_defaults(&prepared, &guard), guard.state.clone(), policy)
            }
            None => {
                let policy = self.policies().get(project, None);
                (prepared, SessionState::open(&policy), policy)
            }
        };
        let subject = Subject::of_prepared(&call, &state.mcp_servers);
        let annotations = state.annotations(&policy).effective(&subject);
        let request = rating_request(&policy, &state, call.call(), &subject);
        let profile = wish.profile.clone().or(request.profile);
        let request = RatingRequest { profile, ..request };
        let Answered { result, trace, took } =
            self.ask_rater(request, project, session.unwrap_or_default(), wish.fresh).await;
        let rating = with_floors(self.inner.floors, &subject, annotations, Rating::from_result(result));
        let view = SubjectView::of(&subject, annotations);
        Ok(Rated { rating, trace, subject: view, policy_revision: policy.revision.clone(), took })
    }

    /// A copy of the project's grants.
    pub(super) async fn grants_of(&self, project: &str) -> Result<GrantBook, EngineError> {
        loop {
            if let Some(persisted) = self.project(project).await?.persisted() {
                return Ok(persisted.clone());
            }
            tokio::time::sleep(RETRY).await;
        }
    }

    /// Explains what would be decided, in the session where it exists and else in one that was just opened.
    ///
    /// # Errors
    /// The session is closed or another agent's, or the store cannot be read.
    pub async fn explain(
        &self,
        project: &str,
        session: Option<&str>,
        run: &str,
        call: &Call,
        caller: &Caller,
    ) -> Result<Explained, EngineError> {
        let live = match session {
            Some(name) if self.enter(project, name, caller).await? => self.find(project, name).await?,
            Some(_) | None => None,
        };
        let prepared = prepare(call).await?;
        let (call, mut state, policy, labels) = match live {
            Some(live) => {
                let guard = live.lock();
                still_open(&live, &guard)?;
                let policy = self.policies().get(project, guard.profile.command.as_deref());
                (with_defaults(&prepared, &guard), guard.state.clone(), policy, guard.profile.labels.clone())
            }
            None => {
                let policy = self.policies().get(project, None);
                (prepared, SessionState::open(&policy), policy, BTreeMap::new())
            }
        };
        // A copy: weakened grants are dropped from it and uses are spent on it, and nobody sees that.
        let mut persisted: GrantBook = self.grants_of(project).await?;
        let now = self.now();
        let budget_before = state.negotiation.budget();
        let floors = self.inner.floors;
        let mut around =
            Surroundings { policy: &policy, floors, persisted: &mut persisted, now, attack_watched: false };
        let mut progress = decide_prepared(&mut around, &mut state, &call, run);
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
        let subject = Subject::of_prepared(&call, &state.mcp_servers);
        let annotations = state.annotations(&policy).effective(&subject);
        let ruling = Ruling {
            decision,
            decision_id: String::new(),
            project: project.to_owned(),
            session: session.unwrap_or_default().to_owned(),
            run: run.to_owned(),
            request_id: String::new(),
            caller: String::new(),
            caller_role: None,
            caller_via: None,
            policy_revision: policy.revision.clone(),
            subject: SubjectView::of(&subject, annotations),
            call: call.call().clone(),
            escalation_id: None,
            halt_id: None,
            answer: None,
            budget_after: budget_before,
            run_halted: state.halted_runs.contains_key(run),
            labels,
            rating_trace: None,
            trace: None,
            timing: Timing { arrived_at: now, settled_at: Some(now), ..Timing::default() },
            replayed: false,
        };
        Ok(Explained { ruling, rating_needed, grant, denial, subject: Arc::new(subject) })
    }
}

fn still_open(session: &LiveSession, live: &Live) -> Result<(), EngineError> {
    match live.closed_at {
        None => Ok(()),
        Some(closed_at) => Err(EngineError::SessionClosed { session: session.session.clone(), closed_at }),
    }
}
