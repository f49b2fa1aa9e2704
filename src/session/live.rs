//! One session while it is live: its state, the requests it remembers and the questions that are open.
//!
//! Promises that everything in it is read and changed under one lock, which is never held across an await. Knows how it
//! is written to and read from rows; nothing of decisions.

use super::error::EngineError;
use super::owning::{Held, Owner};
use super::requests::Requests;
use super::ruling::{Asked, Question, Settled};
use crate::gate::{Declared, Denial, Grant, GrantScope, Moment, SessionState, messages};
use crate::store::redact::redact_json;
use crate::store::{DenialRow, GrantRow, QuestionRow, SessionRow};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// A tool as its provider describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolDeclaration {
    /// The name that the agent calls it by.
    pub registered_name: String,
    /// For people only.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What it declares of itself.
    #[serde(default)]
    pub declared: Declared,
}

/// What is known of a session beside its state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Profile {
    /// The agent that it belongs to; none until one uses it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<Owner>,
    /// What somebody other than an agent asked for.
    #[serde(skip_serializing_if = "Held::is_empty")]
    pub held: Held,
    /// Which command's part of the policy applies.
    pub command: Option<String>,
    /// For wording and filters only.
    #[serde(skip)]
    pub labels: BTreeMap<String, String>,
    /// The working folder of calls that name none.
    pub cwd: Option<String>,
    /// The home folder of calls that name none.
    pub home: Option<String>,
    /// The tools that the agent can call.
    pub tools: Vec<ToolDeclaration>,
}

/// The stored form of everything that a session row keeps as text.
#[derive(Debug, Serialize, Deserialize)]
struct StoredState {
    profile: Profile,
    state: SessionState,
}

/// The same, to be written.
#[derive(Debug, Serialize)]
struct StateToStore<'a> {
    profile: &'a Profile,
    state: &'a SessionState,
}

/// A session's state and all that hangs on it.
#[derive(Debug)]
pub(super) struct Live {
    /// The row's version as last submitted; 0 before the first.
    pub(super) version: u64,
    pub(super) opened_at: Moment,
    pub(super) last_used_at: Moment,
    pub(super) closed_at: Option<Moment>,
    pub(super) profile: Profile,
    pub(super) state: SessionState,
    pub(super) requests: Requests,
    pub(super) open: HashMap<String, OpenQuestion>,
    /// A batch of this session failed: what is here may be ahead of the store and must not be used any more.
    pub(super) broken: bool,
}

/// A question that waits for a human.
#[derive(Debug)]
pub(super) struct OpenQuestion {
    pub(super) asked: Asked,
    pub(super) raised_at: Moment,
    /// An answer was accepted and is being made durable.
    pub(super) settling: bool,
    pub(super) settled: watch::Sender<Option<Arc<Settled>>>,
}

/// A session while it is live.
#[derive(Debug)]
pub(super) struct LiveSession {
    pub(super) project: String,
    pub(super) session: String,
    live: Mutex<Live>,
}

impl LiveSession {
    pub(super) fn new(project: &str, session: &str, live: Live) -> Self {
        Self { project: project.to_owned(), session: session.to_owned(), live: Mutex::new(live) }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl OpenQuestion {
    pub(super) fn new(asked: Asked, raised_at: Moment) -> Self {
        Self { asked, raised_at, settling: false, settled: watch::Sender::new(None) }
    }

    /// What the agent is told where nobody can answer; `None` for a halt, which is told already.
    pub(super) fn unattended(&self) -> Option<String> {
        match &self.asked.question {
            Question::Escalation(asked) => Some(messages::unattended(
                &asked.call,
                asked.rating.as_ref(),
                asked.escalated_by.as_deref(),
                &asked.rounds,
            )),
            Question::Attack(_) => None,
        }
    }

    pub(super) fn is_escalation(&self) -> bool {
        match self.asked.question {
            Question::Escalation(_) => true,
            Question::Attack(_) => false,
        }
    }
}

impl Live {
    pub(super) fn open(profile: Profile, state: SessionState, now: Moment) -> Self {
        Self {
            version: 0,
            opened_at: now,
            last_used_at: now,
            closed_at: None,
            profile,
            state,
            requests: Requests::complete(),
            open: HashMap::new(),
            broken: false,
        }
    }

    /// Reads a session back from its rows.
    pub(super) fn from_rows(
        row: SessionRow,
        grants: Vec<GrantRow>,
        denials: Vec<DenialRow>,
        questions: Vec<QuestionRow>,
    ) -> Result<Self, EngineError> {
        let stored: StoredState = serde_json::from_str(&row.state_json)
            .map_err(|error| EngineError::unreadable("session", &error))?;
        let mut state = stored.state;
        for grant in grants {
            state.grants.add(read_grant(grant)?);
        }
        for denial in denials {
            state.denials.add(read_denial(denial)?);
        }
        let mut open = HashMap::new();
        for question in questions {
            let asked: Asked = serde_json::from_str(&question.body_json)
                .map_err(|error| EngineError::unreadable("question", &error))?;
            open.insert(question.id, OpenQuestion::new(asked, Moment(question.raised_at)));
        }
        Ok(Self {
            version: row.version,
            opened_at: Moment(row.opened_at),
            last_used_at: Moment(row.updated_at),
            closed_at: row.closed_at.map(Moment),
            profile: Profile { labels: row.labels, ..stored.profile },
            state,
            requests: Requests::partial(),
            open,
            broken: false,
        })
    }

    /// Whether anybody waits for an answer to one of its questions.
    pub(super) fn is_awaited(&self) -> bool {
        self.open.values().any(|open| open.settled.receiver_count() > 0)
    }

    /// The row of the session as it stands, with the next version.
    pub(super) fn next_row(
        &mut self,
        project: &str,
        session: &str,
        now: Moment,
    ) -> Result<SessionRow, EngineError> {
        let stored = StateToStore { profile: &self.profile, state: &self.state };
        let mut stored = serde_json::to_value(&stored)
            .map_err(|error| EngineError::Internal(format!("session state: {error}")))?;
        // The parts that quote what agents and users wrote; names and keys elsewhere must come back as they are.
        if let Some(negotiation) = stored.pointer_mut("/state/negotiation") {
            redact_json(negotiation);
        }
        if let Some(halted) = stored.pointer_mut("/state/halted_runs").and_then(|runs| runs.as_object_mut()) {
            halted.values_mut().for_each(redact_json);
        }
        let state_json = stored.to_string();
        self.version += 1;
        Ok(SessionRow {
            project: project.to_owned(),
            session: session.to_owned(),
            version: self.version,
            opened_at: self.opened_at.0,
            updated_at: now.0,
            closed_at: self.closed_at.map(|moment| moment.0),
            rung: self.state.rung.as_str().to_owned(),
            labels: self.profile.labels.clone(),
            state_json,
        })
    }

    /// Takes over the tools that the agent can call.
    pub(super) fn declare_tools(&mut self, tools: Vec<ToolDeclaration>) {
        self.state.tools = tools.iter().map(|tool| tool.registered_name.clone()).collect();
        let mut catalogue: BTreeMap<String, Declared> = BTreeMap::new();
        for tool in &tools {
            // Two tools under one name: nobody can tell whose hints are whose, so neither's count.
            let known = catalogue.entry(tool.registered_name.clone()).or_insert(tool.declared);
            if *known != tool.declared {
                *known = Declared::default();
            }
        }
        catalogue.retain(|_, declared| *declared != Declared::default());
        self.state.catalogue = catalogue;
        self.profile.tools = tools;
    }
}

/// What is read of a stored session to learn whose it is.
#[derive(Debug, Deserialize)]
struct StoredOwner {
    profile: ProfileOwner,
}

#[derive(Debug, Deserialize)]
struct ProfileOwner {
    #[serde(default)]
    owner: Option<Owner>,
}

/// The agent that a stored session belongs to.
pub(super) fn read_owner(row: &SessionRow) -> Result<Option<Owner>, EngineError> {
    let stored: StoredOwner =
        serde_json::from_str(&row.state_json).map_err(|error| EngineError::unreadable("session", &error))?;
    Ok(stored.profile.owner)
}

/// A stored grant.
pub(super) fn read_grant(row: GrantRow) -> Result<Grant, EngineError> {
    let unreadable = |error: serde_json::Error| EngineError::unreadable("grant", &error);
    Ok(Grant {
        entry: serde_json::from_str(&row.entry_json).map_err(unreadable)?,
        annotations: row
            .annotations_json
            .map(|text| serde_json::from_str(&text))
            .transpose()
            .map_err(unreadable)?,
        scope: if row.session.is_some() { GrantScope::Session } else { GrantScope::Always },
        granted_at: Moment(row.granted_at),
        granted_by: row.granted_by,
        note: row.note,
        expires_at: row.expires_at.map(Moment),
        max_uses: row.max_uses.map(|uses| u32::try_from(uses).unwrap_or(u32::MAX)),
        uses: u32::try_from(row.uses).unwrap_or(u32::MAX),
        last_used_at: row.last_used_at.map(Moment),
    })
}

/// A stored denial.
pub(super) fn read_denial(row: DenialRow) -> Result<Denial, EngineError> {
    Ok(Denial {
        entry: serde_json::from_str(&row.entry_json)
            .map_err(|error| EngineError::unreadable("denial", &error))?,
        denied_at: Moment(row.denied_at),
        denied_by: row.denied_by,
        note: row.note,
    })
}
