//! Sessions: opened, changed, looked at and closed.
//!
//! Promises that a change holds whole or not at all, from the very next call on, and that grants, denials and halted runs
//! survive a session that is opened again, and that an agent loosens nothing of what others set up. Which caller may use which
//! method is known elsewhere.

use super::answering::{end_open, tell};
use super::changes::{Draft, RecordKind};
use super::changing::{Changed, Locked};
use super::engine::Engine;
use super::error::EngineError;
use super::live::{Live, LiveSession, Profile, ToolDeclaration};
use super::owning::{Owner, Standing};
use super::ruling::{QuestionState, Settled};
use super::set_up::{SetUp, check_agent};
use crate::access::Caller;
use crate::gate::{Moment, Notice, NoticeKind, NoticeLevel, Policy, Round, Rung, SessionState, messages};
use crate::rules::{Hint, one_line};
use crate::store::{Listing, Page, Receipt, SessionCursor, SessionFilter};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many halted runs a view names.
const SHOWN_HALTS: usize = 100;

/// How many inert entries a notice names.
const NAMED_ENTRIES: usize = 10;

/// How a session is to be opened. What is absent is as the policy says.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The project.
    pub project: String,
    /// The session; the gate makes a name where it is absent.
    pub session: Option<String>,
    /// The rung to begin at.
    pub rung: Option<Rung>,
    /// Whether a human may be asked.
    pub interactive: Option<bool>,
    /// Which command's part of the policy applies.
    pub command: Option<String>,
    /// For wording and filters only.
    pub labels: BTreeMap<String, String>,
    /// The working folder of calls that name none.
    pub cwd: Option<String>,
    /// The home folder of calls that name none.
    pub home: Option<String>,
    /// The tools that the agent can call.
    pub tools: Option<Vec<ToolDeclaration>>,
    /// The keys of the MCP servers that the agent is connected to.
    pub mcp_servers: Option<Vec<String>>,
    /// What the user said so far, oldest first.
    pub user_messages: Vec<String>,
    /// Who opens it.
    pub caller: Arc<Caller>,
}

impl Opening {
    /// A session as the policy says.
    #[must_use]
    pub fn of(project: &str, caller: Arc<Caller>) -> Self {
        Self {
            project: project.to_owned(),
            session: None,
            rung: None,
            interactive: None,
            command: None,
            labels: BTreeMap::new(),
            cwd: None,
            home: None,
            tools: None,
            mcp_servers: None,
            user_messages: Vec::new(),
            caller,
        }
    }
}

/// What is to change of a session. What is absent stays.
#[derive(Debug, Clone)]
pub struct Update {
    /// The project.
    pub project: String,
    /// The session.
    pub session: String,
    /// The rung to change to.
    pub rung: Option<Rung>,
    /// Whether a human may be asked.
    pub interactive: Option<bool>,
    /// Labels to set.
    pub set_labels: BTreeMap<String, String>,
    /// Labels to remove.
    pub remove_labels: Vec<String>,
    /// The working folder of calls that name none; empty for none.
    pub cwd: Option<String>,
    /// The home folder of calls that name none; empty for none.
    pub home: Option<String>,
    /// The tools that the agent can call.
    pub tools: Option<Vec<ToolDeclaration>>,
    /// The keys of the MCP servers that the agent is connected to.
    pub mcp_servers: Option<Vec<String>>,
    /// What the user said since, oldest first.
    pub user_messages: Vec<String>,
    /// Clear the negotiation and what the user said, before messages are added.
    pub reset_thread: bool,
    /// Who changes it.
    pub caller: Arc<Caller>,
}

impl Update {
    /// A session that stays as it is.
    #[must_use]
    pub fn of(project: &str, session: &str, caller: Arc<Caller>) -> Self {
        Self {
            project: project.to_owned(),
            session: session.to_owned(),
            rung: None,
            interactive: None,
            set_labels: BTreeMap::new(),
            remove_labels: Vec::new(),
            cwd: None,
            home: None,
            tools: None,
            mcp_servers: None,
            user_messages: Vec::new(),
            reset_thread: false,
            caller,
        }
    }
}

/// A session as it stands.
#[derive(Debug, Clone)]
pub struct SessionView {
    /// The project.
    pub project: String,
    /// The session.
    pub session: String,
    /// The rung in force.
    pub rung: Rung,
    /// Whether a human may be asked.
    pub interactive: bool,
    /// What is known of it beside its state.
    pub profile: Profile,
    /// The keys of the MCP servers.
    pub mcp_servers: Vec<String>,
    /// When it was opened first.
    pub opened_at: Moment,
    /// When it last decided or was changed.
    pub last_used_at: Moment,
    /// When it was closed.
    pub closed_at: Option<Moment>,
    /// The policy in force for it.
    pub policy: Arc<Policy>,
    /// The runs that are halted.
    pub halted_runs: Vec<String>,
    /// How many questions wait for a human.
    pub open_questions: usize,
    /// The refusals of the session, each as one line, after the declared ones.
    pub denials: Vec<String>,
    /// How many grants the session holds.
    pub session_grants: usize,
    /// How many grants the project holds; absent until a decision of this session looked at them.
    pub persisted_grants: Option<usize>,
    /// The argument with the rater.
    pub rounds: Vec<Round>,
    /// How much of it is spent.
    pub budget: crate::gate::Budget,
    /// The hints that are believed of each server, and whether the session changed them.
    pub trust: Vec<ServerTrust>,
    /// How many ratings ran out of time.
    pub rating_timeouts: u32,
}

/// What is believed of one server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTrust {
    /// The server's key.
    pub server: String,
    /// The hints that are believed.
    pub trusted: Vec<Hint>,
    /// Whether the agent is connected to it.
    pub configured: bool,
    /// Whether this session changed it.
    pub changed: bool,
}

impl Engine {
    /// Opens a session, or sets one that exists up anew.
    ///
    /// # Errors
    /// The session is another agent's, an agent asks for what it may not have, or nothing could be made durable.
    pub async fn open_session(
        &self,
        opening: Opening,
    ) -> Result<(SessionView, bool, Vec<Notice>), EngineError> {
        let session = opening.session.clone().unwrap_or_else(super::changes::new_id);
        let project = self.project(&opening.project).await?;
        self.change_or_open(&opening.project, &session, |Locked { session, live, persisted }| {
            let reopened = live.version > 0;
            let agent = match live.standing(&opening.caller) {
                Standing::Foreign => return Err(EngineError::foreign(&session.session)),
                Standing::First => true,
                Standing::Welcome => Owner::of(&opening.caller).is_some(),
            };
            let policies = self.policies();
            let wanted = if agent {
                SetUp::of_agent(&opening, &live.profile.held, &policies)?
            } else {
                SetUp::of(&opening, &policies)
            };
            let policy = policies.get(&opening.project, wanted.command.as_deref());
            if live.closed_at.is_some() {
                self.readmit_session(&project)?;
            }
            let now = self.now();
            let before = live.state.rung;
            set_up(live, &opening, wanted, &policy);
            let body = json!({
                "what": if reopened { "opened again" } else { "opened" },
                "rung": live.state.rung, "rung_before": reopened.then_some(before),
                "interactive": live.state.interactive, "command": live.profile.command,
                "policy_revision": policy.revision,
            });
            let (receipt, ended) =
                self.submit_session(session, live, &opening.caller, body, "session opened", now)?;
            let notices = opening_notices(&policy, live.state.rung);
            let view = view(session, live, policy, persisted.len());
            Ok(Changed { receipt: Some(receipt), ended, told: (view, reopened, notices) })
        })
        .await
    }

    /// Changes an open session.
    ///
    /// # Errors
    /// It was never opened, is closed or another agent's, would have too many labels, an agent asks for what it may not
    /// have, or nothing could be made durable.
    pub async fn update_session(&self, update: Update) -> Result<(SessionView, Vec<Notice>), EngineError> {
        self.enter(&update.project, &update.session, &update.caller).await?;
        let changed = self.change(&update.project, &update.session, |Locked { session, live, persisted }| {
            if live.standing(&update.caller) != Standing::Welcome {
                return Err(EngineError::foreign(&session.session));
            }
            if let Some(closed_at) = live.closed_at {
                return Err(EngineError::SessionClosed { session: session.session.clone(), closed_at });
            }
            let policies = self.policies();
            let policy = policies.get(&update.project, live.profile.command.as_deref());
            if Owner::of(&update.caller).is_some() {
                check_agent(&update, &live.profile.held, &policy, policies.agents(&update.project))?;
            }
            let now = self.now();
            let rung_before = live.state.rung;
            change(live, &update)?;
            let rung = live.state.rung;
            let body = json!({
                "what": "changed", "rung": rung,
                "rung_before": (rung != rung_before).then_some(rung_before),
                "interactive": live.state.interactive, "reset_thread": update.reset_thread,
                "user_messages": update.user_messages.len(),
            });
            let text = if rung == rung_before {
                "session changed".to_owned()
            } else {
                format!("rung changed from {rung_before} to {rung}")
            };
            let (receipt, ended) = self.submit_session(session, live, &update.caller, body, &text, now)?;
            let notices = if rung == rung_before { Vec::new() } else { opening_notices(&policy, rung) };
            let view = view(session, live, policy, persisted.len());
            Ok(Changed { receipt: Some(receipt), ended, told: (view, notices) })
        });
        changed.await.map(|(_, told)| told)
    }

    /// Closes a session: what still asks is withdrawn. Closing a closed session changes nothing. Returns the session and
    /// how many escalations and halts were withdrawn.
    ///
    /// # Errors
    /// It was never opened, is another agent's, or could not be made durable.
    pub async fn close_session(
        &self,
        project_name: &str,
        session: &str,
        caller: &Caller,
    ) -> Result<(SessionView, usize, usize), EngineError> {
        self.enter(project_name, session, caller).await?;
        let closing = self.change(project_name, session, |Locked { session, live, persisted }| {
            if live.standing(caller) != Standing::Welcome {
                return Err(EngineError::foreign(&session.session));
            }
            let policy = self.policies().get(project_name, live.profile.command.as_deref());
            if live.closed_at.is_some() {
                let view = view(session, live, policy, persisted.len());
                return Ok(Changed { receipt: None, ended: Vec::new(), told: (view, 0, 0) });
            }
            let now = self.now();
            self.session_left(project_name, live.last_used_at);
            let mut draft = Draft::new(project_name, &session.session, now).by(caller);
            live.closed_at = Some(now);
            draft.session_changed();
            draft.record(RecordKind::Session, "session closed", json!({ "what": "closed" }));
            let ended = end_open(live, &mut draft, now, QuestionState::Withdrawn)?;
            let receipt = self.write(draft.finish(live)?);
            let halts = ended.iter().filter(|settled| super::changes::is_halt(&settled.asked)).count();
            let escalations = ended.len().saturating_sub(halts);
            let view = SessionView { open_questions: 0, ..view(session, live, policy, persisted.len()) };
            Ok(Changed { receipt: Some(receipt), ended, told: (view, escalations, halts) })
        });
        let (_live, told) = closing.await?;
        self.rater().forget(project_name, session);
        Ok(told)
    }

    /// Looks at a session.
    ///
    /// # Errors
    /// It was never opened, or the store cannot be read.
    pub async fn session_view(&self, project_name: &str, session: &str) -> Result<SessionView, EngineError> {
        let live = self.existing(project_name, session).await?;
        let project = self.project(project_name).await?;
        let guard = live.lock();
        let policy = self.policies().get(project_name, guard.profile.command.as_deref());
        let persisted = project.grants();
        Ok(view(&live, &guard, policy, persisted))
    }

    /// Lists sessions, the latest opened first; only those of an owner, where one is named.
    ///
    /// # Errors
    /// The store cannot be read.
    pub async fn list_sessions(
        &self,
        filter: SessionFilter,
        page: Page<SessionCursor>,
        owner: Option<&Owner>,
    ) -> Result<Listing<SessionView, SessionCursor>, EngineError> {
        let listing = match owner {
            Some(owner) => self.sessions_of(owner, filter, page).await?,
            None => self.inner.store.sessions(filter, page).await?,
        };
        let mut rows = Vec::with_capacity(listing.rows.len());
        for row in listing.rows {
            rows.push(self.session_view(&row.project, &row.session).await?);
        }
        Ok(Listing { rows, next: listing.next })
    }

    pub(super) async fn existing(
        &self,
        project: &str,
        session: &str,
    ) -> Result<Arc<LiveSession>, EngineError> {
        let missing =
            || EngineError::SessionNotFound { project: project.to_owned(), session: session.to_owned() };
        let live = self.find(project, session).await?.ok_or_else(missing)?;
        // Opened in memory by a request whose first batch is not submitted yet, or never was.
        let stored = live.lock().version > 0;
        if stored { Ok(live) } else { Err(missing()) }
    }

    fn submit_session(
        &self,
        session: &LiveSession,
        live: &mut Live,
        caller: &Caller,
        body: serde_json::Value,
        text: &str,
        now: Moment,
    ) -> Result<(Receipt, Vec<Settled>), EngineError> {
        let mut draft = Draft::new(&session.project, &session.session, now).by(caller);
        draft.session_changed();
        draft.record(RecordKind::Session, text, body);
        // Where nobody can be asked any more, nobody will answer what was asked before.
        let ended = if live.state.interactive {
            Vec::new()
        } else {
            end_open(live, &mut draft, now, QuestionState::Unattended)?
        };
        Ok((self.write(draft.finish(live)?), ended))
    }

    /// Waits until a batch is durable and tells whoever waits for what it `ended`, on a task of its own, so that a caller who
    /// goes away can neither hide a failure nor leave them waiting.
    pub(super) async fn durable(
        &self,
        live: &Arc<LiveSession>,
        receipt: Receipt,
        ended: Vec<Settled>,
    ) -> Result<(), EngineError> {
        let engine = self.clone();
        let live = Arc::clone(live);
        let task = tokio::spawn(async move {
            match receipt.await {
                Ok(_) => {
                    let mut live = live.lock();
                    for settled in ended {
                        engine.note_ending(&settled);
                        tell(&mut live, settled);
                    }
                    Ok(())
                }
                Err(error) => {
                    engine.fail(&live).await;
                    Err(EngineError::from(error))
                }
            }
        });
        task.await.map_err(|error| EngineError::Internal(error.to_string()))?
    }
}

fn set_up(live: &mut Live, opening: &Opening, wanted: SetUp, policy: &Policy) {
    let before = std::mem::take(&mut live.state);
    live.closed_at = None;
    let agent = Owner::of(&opening.caller);
    live.profile = Profile {
        owner: live.profile.owner.take().or(agent.clone()),
        held: wanted.held,
        command: wanted.command,
        labels: opening.labels.clone(),
        cwd: opening.cwd.clone(),
        home: opening.home.clone(),
        tools: Vec::new(),
    };
    live.state = SessionState {
        rung: wanted.rung,
        interactive: wanted.interactive,
        mcp_servers: opening.mcp_servers.clone().unwrap_or_else(|| policy.mcp_servers.clone()),
        // What a human granted or refused, and what an attack halted, does not come back by reconnecting.
        grants: before.grants,
        denials: before.denials,
        halted_runs: before.halted_runs,
        // What humans believe of servers, an agent takes neither back nor further.
        trust: if agent.is_some() { before.trust } else { BTreeMap::new() },
        ..SessionState::default()
    };
    live.declare_tools(opening.tools.clone().unwrap_or_default());
    for message in &opening.user_messages {
        live.state.negotiation.user_said(message);
    }
}

/// The most labels that a session may have.
pub const MAX_LABELS: usize = 64;

fn change(live: &mut Live, update: &Update) -> Result<(), EngineError> {
    let mut labels = live.profile.labels.clone();
    update.remove_labels.iter().for_each(|key| drop(labels.remove(key)));
    labels.extend(update.set_labels.clone());
    if labels.len() > MAX_LABELS {
        let problem =
            format!("the session would have {} labels; at most {MAX_LABELS} are kept", labels.len());
        return Err(EngineError::Invalid { field: "labels.set".to_owned(), problem });
    }
    live.profile.labels = labels;
    let folder = |wanted: &Option<String>, held: &mut Option<String>| {
        if let Some(folder) = wanted {
            *held = (!folder.is_empty()).then(|| folder.clone());
        }
    };
    folder(&update.cwd, &mut live.profile.cwd);
    folder(&update.home, &mut live.profile.home);
    let agent = Owner::of(&update.caller).is_some();
    if let Some(rung) = update.rung {
        live.state.set_rung(rung);
        live.profile.held.rung = Some(rung);
    }
    if let Some(interactive) = update.interactive {
        live.state.interactive = interactive;
        if !agent {
            live.profile.held.interactive = Some(interactive);
        }
    }
    if let Some(tools) = &update.tools {
        live.declare_tools(tools.clone());
    }
    if let Some(servers) = &update.mcp_servers {
        live.state.mcp_servers.clone_from(servers);
    }
    if update.reset_thread {
        live.state.negotiation.reset();
    }
    for message in &update.user_messages {
        live.state.negotiation.user_said(message);
    }
    Ok(())
}

/// What a person should know of a rung when a session stands on it.
fn opening_notices(policy: &Policy, rung: Rung) -> Vec<Notice> {
    let level = if rung == Rung::Bypass { NoticeLevel::Warning } else { NoticeLevel::Info };
    let mut notices =
        vec![Notice { level, kind: NoticeKind::Posture, text: messages::posture(rung).to_owned() }];
    let inert = policy.inert_at(rung);
    if !inert.is_empty() {
        let named: Vec<String> = inert
            .iter()
            .take(NAMED_ENTRIES)
            .map(|(kind, entry)| format!("{}: {}", kind.as_str(), messages::quoted(&one_line(entry))))
            .collect();
        let more = inert.len().saturating_sub(NAMED_ENTRIES);
        let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
        let text = format!(
            "On the rung `{rung}` these declared entries can never fire: {}{tail}. Set `gate_scope` to `every_call` to have every call judged.",
            named.join("; ")
        );
        notices.push(Notice { level: NoticeLevel::Warning, kind: NoticeKind::InertEntries, text });
    }
    notices
}

pub(super) fn trust_view(live: &Live, policy: &Policy) -> Vec<ServerTrust> {
    let source = live.state.annotations(policy);
    let mut servers: Vec<&String> = live.state.mcp_servers.iter().collect();
    for key in policy.trust.servers.keys().chain(live.state.trust.keys()) {
        if !servers.contains(&key) {
            servers.push(key);
        }
    }
    servers
        .into_iter()
        .map(|server| ServerTrust {
            server: server.clone(),
            trusted: source.trusted(server).to_vec(),
            configured: live.state.mcp_servers.contains(server),
            changed: live.state.trust.contains_key(server),
        })
        .collect()
}

/// The runs that are halted, the latest first.
fn latest_halts(live: &Live) -> Vec<String> {
    let mut halted: Vec<_> = live.state.halted_runs.iter().map(|(run, halt)| (halt.halted_at, run)).collect();
    halted.sort_unstable_by(|one, other| other.cmp(one));
    halted.into_iter().take(SHOWN_HALTS).map(|(_, run)| run.clone()).collect()
}

fn view(session: &LiveSession, live: &Live, policy: Arc<Policy>, persisted: usize) -> SessionView {
    SessionView {
        project: session.project.clone(),
        session: session.session.clone(),
        rung: live.state.rung,
        interactive: live.state.interactive,
        profile: live.profile.clone(),
        mcp_servers: live.state.mcp_servers.clone(),
        opened_at: live.opened_at,
        last_used_at: live.last_used_at,
        closed_at: live.closed_at,
        halted_runs: latest_halts(live),
        open_questions: live.open.values().filter(|open| open.is_escalation()).count(),
        denials: live.state.denials.in_order().into_iter().map(|denial| one_line(&denial.entry)).collect(),
        session_grants: live.state.grants.len(),
        persisted_grants: live.state.consulted_persisted.then_some(persisted),
        rounds: live.state.negotiation.rounds().to_vec(),
        budget: live.state.negotiation.budget(),
        trust: trust_view(live, &policy),
        rating_timeouts: live.state.rating_timeouts,
        policy,
    }
}
