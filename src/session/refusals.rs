//! What callers tried and may not: recorded where an auditor looks for it.
//!
//! Promises that a refused change is on record in the project that it was meant for, and that nobody fills the store by being
//! refused: beyond a bound, refusals are counted, and the next record says how many there were. Knows nothing of who may do what.

use super::changes::{Draft, RecordKind};
use super::engine::Engine;
use crate::access::{Caller, Operation};
use crate::gate::Moment;
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How long a bound lasts, in microseconds.
const WINDOW: i64 = 60_000_000;

/// How many refusals of one caller in one project are recorded within it, and how many of all.
const OF_ONE: u32 = 10;
const OF_ALL: u32 = 300;

/// Something that a caller may not do, and tried.
#[derive(Debug)]
pub struct Refused<'a> {
    /// The project that it was tried in: one of the caller's own.
    pub project: String,
    /// The session that it was tried on.
    pub session: Option<String>,
    /// Who tried.
    pub caller: &'a Caller,
    /// What was tried.
    pub operation: Operation,
    /// Why it was refused: a reason of the contract.
    pub reason: &'a str,
}

/// How many refusals were recorded lately.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    lately: Mutex<Lately>,
}

#[derive(Debug, Default)]
struct Lately {
    since: i64,
    of_all: u32,
    of_each: HashMap<(String, String, &'static str), u32>,
    not_recorded: u64,
}

impl Refusals {
    /// Whether a refusal may be recorded: with the number of those before it that were not.
    fn admit(&self, refused: &Refused<'_>, now: Moment) -> Option<u64> {
        let mut lately = self.lately.lock().unwrap_or_else(PoisonError::into_inner);
        if now.0.saturating_sub(lately.since) >= WINDOW || now.0 < lately.since {
            *lately = Lately { since: now.0, not_recorded: lately.not_recorded, ..Lately::default() };
        }
        let whose = (refused.project.clone(), refused.caller.name.clone(), refused.caller.via.as_str());
        let of_this = lately.of_each.get(&whose).copied().unwrap_or_default();
        if lately.of_all >= OF_ALL || of_this >= OF_ONE {
            lately.not_recorded = lately.not_recorded.saturating_add(1);
            return None;
        }
        lately.of_all += 1;
        lately.of_each.insert(whose, of_this + 1);
        Some(std::mem::take(&mut lately.not_recorded))
    }
}

impl Engine {
    /// Records a refused change, within bounds. A refused look is logged alone.
    pub async fn note_refusal(&self, refused: Refused<'_>) {
        let Refused { project, session, caller, operation, reason } = &refused;
        let now = self.now();
        let admitted = if operation.changes() { self.inner.refusals.admit(&refused, now) } else { Some(0) };
        let Some(not_recorded) = admitted else {
            tracing::debug!(caller = %caller.name, role = %caller.role, project, %operation, reason, "refused");
            return;
        };
        tracing::warn!(caller = %caller.name, role = %caller.role, project, %operation, reason, "refused");
        if !operation.changes() {
            return;
        }
        let mut draft = Draft::new(project, session.as_deref().unwrap_or_default(), now).by(caller);
        let body = json!({
            "what": "refused", "operation": operation.as_str(), "reason": reason, "not_recorded": not_recorded,
        });
        draft.record(RecordKind::Refused, &format!("{} refused: {reason}", operation.as_str()), body);
        if let Err(error) = self.inner.store.submit(draft.finish_project()).await {
            tracing::warn!(%error, project, "a refusal could not be recorded");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::{Projects, Role, Via};

    fn tries(refusals: &Refusals, caller: &str, project: &str, at: i64) -> Option<u64> {
        let caller =
            Caller { name: caller.to_owned(), role: Role::Agent, projects: Projects::All, via: Via::Token };
        let refused = Refused {
            project: project.to_owned(),
            session: None,
            caller: &caller,
            operation: Operation::Answer,
            reason: "ROLE_NOT_ALLOWED",
        };
        refusals.admit(&refused, Moment(at))
    }

    #[test]
    fn refusals_beyond_the_bound_are_counted_and_the_next_record_says_how_many_there_were() {
        let refusals = Refusals::default();
        for _ in 0..OF_ONE {
            assert_eq!(tries(&refusals, "mallory", "a", 1), Some(0));
        }
        for _ in 0..7 {
            assert_eq!(tries(&refusals, "mallory", "a", 2), None);
        }
        assert_eq!(tries(&refusals, "trudy", "a", 3), Some(7), "one caller does not use up another's");
        assert_eq!(tries(&refusals, "mallory", "b", 4), Some(0));
        assert_eq!(tries(&refusals, "mallory", "a", 5), None);
        assert_eq!(tries(&refusals, "mallory", "a", 5 + WINDOW), Some(1), "a new minute");
    }

    #[test]
    fn names_without_number_do_not_fill_the_store_either() {
        let refusals = Refusals::default();
        let recorded = (0..2_000).filter(|number| tries(&refusals, &format!("m{number}"), "a", 1).is_some());
        assert_eq!(recorded.count(), usize::try_from(OF_ALL).unwrap());
        assert_eq!(refusals.lately.lock().unwrap().of_each.len(), usize::try_from(OF_ALL).unwrap());
    }
}
