//! Whose a session is: the agent that used it first, for as long as it exists.
//!
//! Promises that no two agents ever use one session, whoever comes first and however close behind: an owner is written down
//! before anything is told, and never changes. Everybody who is no agent may use every session of its projects.

use super::changes::{Draft, RecordKind};
use super::deciding::RETRY;
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, LiveSession, read_owner};
use crate::access::{Caller, Role};
use crate::gate::Rung;
use crate::store::{Listing, Page, SessionCursor, SessionFilter, SessionRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// How many sessions one page may look at to find those of an owner, how much text of theirs, and how many at once.
const LOOKED_AT: usize = 2_000;
const BYTES_LOOKED_AT: usize = 32 << 20;
const LOOKED_AT_ONCE: u32 = 500;

/// The agent that a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// Its name.
    pub name: String,
    /// How it was recognised: a name that another issuer gave is another agent's.
    pub via: String,
}

/// What somebody other than an agent asked for when they last set a session up or changed it. An agent that opens the session
/// again loosens none of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Held {
    /// The rung.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rung: Option<Rung>,
    /// Whether a human may be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interactive: Option<bool>,
    /// Which command's part of the policy applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
}

impl Held {
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Owner {
    /// The owner that a caller is, where it is an agent.
    #[must_use]
    pub fn of(caller: &Caller) -> Option<Self> {
        match caller.role {
            Role::Agent => Some(Self { name: caller.name.clone(), via: caller.via.as_str().to_owned() }),
            Role::Operator | Role::Auditor | Role::Admin => None,
        }
    }
}

/// What a caller is to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// It may use the session.
    Welcome,
    /// It is an agent, and may use the session once that is its own: it belongs to nobody so far.
    First,
    /// It is an agent, and the session is another's.
    Foreign,
}

impl Live {
    pub(super) fn standing(&self, caller: &Caller) -> Standing {
        match (Owner::of(caller), &self.profile.owner) {
            (None, _) => Standing::Welcome,
            (Some(_), None) => Standing::First,
            (Some(caller), Some(owner)) if caller == *owner => Standing::Welcome,
            (Some(_), Some(_)) => Standing::Foreign,
        }
    }
}

impl Engine {
    /// The session that a call is decided in: opened where it never was, and the caller's own where that is an agent.
    pub(super) async fn seat(
        &self,
        project: &str,
        session: &str,
        caller: &Caller,
    ) -> Result<Arc<LiveSession>, EngineError> {
        loop {
            let live = self.find_or_open(project, session).await?;
            let standing = {
                let mut guard = live.lock();
                match guard.standing(caller) {
                    Standing::First if guard.version == 0 => {
                        self.begin_for_agent(&live, &mut guard, caller);
                        Standing::Welcome
                    }
                    standing => standing,
                }
            };
            match standing {
                Standing::Welcome => return Ok(live),
                Standing::Foreign => return Err(EngineError::foreign(session)),
                Standing::First => {
                    let _gone_or_entered = self.enter(project, session, caller).await?;
                }
            }
        }
    }

    /// The stored sessions of an owner. A page that had to look at many others is handed out as it is, with the place to go on.
    pub(super) async fn sessions_of(
        &self,
        owner: &Owner,
        filter: SessionFilter,
        page: Page<SessionCursor>,
    ) -> Result<Listing<SessionRow, SessionCursor>, EngineError> {
        let size = usize::try_from(page.size).unwrap_or(usize::MAX).max(1);
        let mut looking = Page { size: LOOKED_AT_ONCE, ..page };
        let mut found = Listing { rows: Vec::new(), next: None };
        let (mut rows, mut bytes) = (0_usize, 0_usize);
        loop {
            let listing = self.inner.store.sessions(filter.clone(), looking.clone()).await?;
            for row in listing.rows {
                if found.rows.len() >= size || rows >= LOOKED_AT || bytes >= BYTES_LOOKED_AT {
                    return Ok(found);
                }
                rows += 1;
                bytes = bytes.saturating_add(row.state_json.len());
                found.next = Some(SessionCursor {
                    opened_at: row.opened_at,
                    project: row.project.clone(),
                    session: row.session.clone(),
                });
                if read_owner(&row)?.as_ref() == Some(owner) {
                    found.rows.push(row);
                }
            }
            match listing.next {
                Some(next) => looking.after = Some(next),
                None => return Ok(Listing { next: None, ..found }),
            }
        }
    }

    /// Makes a session that nobody has opened an agent's, as the policy wants those: stored with its first batch.
    fn begin_for_agent(&self, session: &LiveSession, live: &mut Live, caller: &Caller) {
        let policies = self.policies();
        let (policy, bounds) = (policies.get(&session.project, None), policies.agents(&session.project));
        live.profile.owner = Owner::of(caller);
        live.state.rung = policy.rung.min(bounds.loosest(policy.rung));
        live.state.interactive = bounds.interactive;
    }

    /// Lets a caller into a session, which an agent makes its own by that. Returns whether there is such a session.
    ///
    /// # Errors
    /// The session is another agent's, or that it is this one's could not be made durable.
    pub async fn enter(&self, project: &str, session: &str, caller: &Caller) -> Result<bool, EngineError> {
        if Owner::of(caller).is_none() {
            return Ok(self.find(project, session).await?.is_some_and(|live| live.lock().version > 0));
        }
        loop {
            let Some(live) = self.find(project, session).await? else { return Ok(false) };
            let receipt = {
                let mut guard = live.lock();
                match guard.standing(caller) {
                    Standing::Foreign => return Err(EngineError::foreign(session)),
                    // Opened in memory, and not stored yet or never to be.
                    Standing::Welcome | Standing::First if guard.version == 0 => return Ok(false),
                    Standing::Welcome => return Ok(true),
                    Standing::First if guard.broken => None,
                    Standing::First => {
                        guard.profile.owner = Owner::of(caller);
                        let mut draft = Draft::new(project, session, self.now()).by(caller);
                        draft.session_changed();
                        draft.record(
                            RecordKind::Session,
                            "session used by its agent",
                            json!({ "what": "owned" }),
                        );
                        let drafted = draft.finish(&mut guard);
                        guard.broken |= drafted.is_err();
                        Some(self.inner.store.submit(drafted?))
                    }
                }
            };
            match receipt {
                Some(receipt) => {
                    self.durable(&live, receipt, Vec::new()).await?;
                    return Ok(true);
                }
                None => tokio::time::sleep(RETRY).await,
            }
        }
    }
}
