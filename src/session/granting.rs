//! Grants, denials and trust, managed by hand.
//!
//! Promises that every change is durable and recorded, that repeating one changes nothing more, and that a withdrawal of
//! trust only foretells what it will cost. Knows nothing of who may do what.

use super::allowlist;
use super::changes::{Draft, RecordKind};
use super::changing::{Changed, Locked};
use super::deciding::RETRY;
use super::engine::Engine;
use super::error::EngineError;
use super::live::Live;
use super::opening::{ServerTrust, trust_view};
use crate::access::Caller;
use crate::gate::{
    Denial, Grant, GrantBook, GrantScope, Moment, Notice, NoticeKind, NoticeLevel, Policy, Terms,
    change_trust, forecast,
};
use crate::rules::{Annotations, Entry, Hint, Identity, ServerPattern, TextPattern, ToolPattern};
use crate::store::{Batch, Change, Guard, RequestRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// Who granted what a file brought.
const IMPORTED: &str = "import";

/// What is to be done, and where.
#[derive(Debug, Clone)]
pub struct Management {
    /// The project.
    pub project: String,
    /// The session, where one is meant.
    pub session: Option<String>,
    /// Who does it.
    pub caller: Arc<Caller>,
    /// Makes a retry safe: an id, and what the operation looked like.
    pub request: Option<(String, String)>,
    /// The operation.
    pub operation: Operation,
}

/// One operation on grants, denials or trust.
#[derive(Debug, Clone)]
pub enum Operation {
    /// Adds a grant.
    Grant {
        /// What is allowed.
        entry: Entry,
        /// How long it lasts.
        scope: GrantScope,
        /// What bounds it.
        terms: Terms,
    },
    /// Adds a refusal to the session.
    Deny {
        /// What is refused.
        entry: Entry,
        /// Why.
        note: Option<String>,
    },
    /// Removes a grant.
    Revoke {
        /// Which.
        identity: String,
        /// From where; both where absent.
        scope: Option<GrantScope>,
    },
    /// Removes a refusal of the session.
    Lift {
        /// Which.
        identity: String,
    },
    /// Changes whose annotations are believed, or only foretells it.
    Trust {
        /// The server's key.
        server: String,
        /// The hints to believe.
        believe: Vec<Hint>,
        /// The hints to believe no longer.
        disbelieve: Vec<Hint>,
        /// Change nothing.
        predict: bool,
    },
    /// Takes over the grants of a file.
    Import {
        /// The file's text.
        content: String,
        /// Stands in for times that the file does not tell.
        modified_at: Option<Moment>,
        /// Store nothing.
        dry_run: bool,
    },
}

/// What an operation did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Managed {
    /// A grant is in force.
    Granted {
        /// The grant.
        grant: Box<Grant>,
        /// It was there before and stayed as it was.
        already: bool,
    },
    /// A refusal is in force.
    Denied {
        /// The refusal.
        denial: Box<Denial>,
        /// It was there before and stayed as it was.
        already: bool,
    },
    /// Grants were removed.
    Revoked(Vec<Grant>),
    /// A refusal was removed.
    Lifted(Box<Denial>),
    /// Trust changed, or would.
    Trusted(Box<TrustResult>),
    /// A file was taken over, or would be.
    Imported(Box<Imported>),
}

/// What a change of trust does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrustResult {
    /// The server's key.
    pub server: String,
    /// Whether the session has a server of this key.
    pub configured: bool,
    /// The hints believed after it.
    pub trusted: Vec<Hint>,
    /// Believed now and not before.
    pub added: Vec<Hint>,
    /// Believed before and not now.
    pub removed: Vec<Hint>,
    /// The removed hints without which a grant can be lost.
    pub weakening: Vec<Hint>,
    /// The grants that are lost at their tool's next call.
    pub invalidates: Vec<Grant>,
}

/// What an import took over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Imported {
    /// The grants.
    pub grants: Vec<Grant>,
    /// Items that were granted before.
    pub already: usize,
    /// Items that are not grants.
    pub dropped: Vec<(usize, String)>,
    /// 1 or 2.
    pub version: u32,
    /// What was said beside it.
    pub notices: Vec<Notice>,
}

/// What a project and a session hold.
#[derive(Debug, Clone, Default)]
pub struct Holdings {
    /// The session's grants, then the project's, each in the order in which they were given.
    pub grants: Vec<Grant>,
    /// The session's refusals.
    pub denials: Vec<Denial>,
}

impl Engine {
    /// Performs an operation. With a request id, a retry gets the first result.
    ///
    /// # Errors
    /// The session was never opened or is closed, the grant or denial does not exist, the file is not one, or nothing could
    /// be made durable.
    pub async fn manage(&self, management: Management) -> Result<Managed, EngineError> {
        if let Some(first) = self.repeated(&management).await? {
            return Ok(first);
        }
        let result = match management.session.clone() {
            Some(session) => self.manage_session(&management, &session).await,
            None => self.manage_project(&management).await,
        };
        match result {
            // Another request with this id may have been faster.
            Err(error) if management.request.is_some() => match self.repeated(&management).await? {
                Some(first) => Ok(first),
                None => Err(error),
            },
            other => other,
        }
    }

    /// What a project holds, and a session of it. The project's grants are listed for a session once one of its decisions
    /// looked at them.
    ///
    /// # Errors
    /// The session was never opened, or the store cannot be read.
    pub async fn holdings(&self, project_name: &str, session: Option<&str>) -> Result<Holdings, EngineError> {
        let persisted = self.grants_of(project_name).await?;
        let Some(session) = session else {
            return Ok(Holdings {
                grants: persisted.in_order().into_iter().cloned().collect(),
                denials: Vec::new(),
            });
        };
        let live = self.existing(project_name, session).await?;
        let guard = live.lock();
        let mut grants: Vec<Grant> = guard.state.grants.in_order().into_iter().cloned().collect();
        if guard.state.consulted_persisted {
            let held = persisted
                .in_order()
                .into_iter()
                .filter(|grant| guard.state.grants.get(&Identity::of(&grant.entry)).is_none());
            grants.extend(held.cloned());
        }
        let denials = guard.state.denials.in_order().into_iter().cloned().collect();
        Ok(Holdings { grants, denials })
    }

    /// The trust in force for a session: the policy's defaults, then each server.
    ///
    /// # Errors
    /// The session was never opened, or the store cannot be read.
    pub async fn trust(
        &self,
        project: &str,
        session: &str,
    ) -> Result<(Vec<Hint>, Vec<ServerTrust>), EngineError> {
        let live = self.existing(project, session).await?;
        let guard = live.lock();
        let policy = self.policies().get(project, guard.profile.command.as_deref());
        Ok((policy.trust.defaults.clone(), trust_view(&guard, &policy)))
    }

    async fn repeated(&self, management: &Management) -> Result<Option<Managed>, EngineError> {
        let Some((id, fingerprint)) = &management.request else { return Ok(None) };
        let session = management.session.as_deref().unwrap_or_default();
        let Some(row) = self.inner.store.request(&management.project, session, &request_key(id)).await?
        else {
            return Ok(None);
        };
        if row.call_fingerprint != *fingerprint {
            return Err(EngineError::RequestReused { request_id: id.clone(), decision_id: None });
        }
        serde_json::from_str(&row.response_json)
            .map(Some)
            .map_err(|error| EngineError::unreadable("result", &error))
    }

    async fn manage_session(&self, management: &Management, session: &str) -> Result<Managed, EngineError> {
        let changed = self.change(&management.project, session, |Locked { session, live, persisted }| {
            if let Some(closed_at) = live.closed_at {
                return Err(EngineError::SessionClosed { session: session.session.clone(), closed_at });
            }
            let policy = self.policies().get(&management.project, live.profile.command.as_deref());
            let now = self.now();
            let mut draft = Draft::new(&management.project, &session.session, now).by(&management.caller);
            let managed = in_session(management, live, persisted, &policy, &mut draft, now)?;
            let batch = with_request(draft.finish(live)?, management, &managed, now)?;
            Ok(Changed { receipt: Some(self.write(batch)), ended: Vec::new(), told: managed })
        });
        changed.await.map(|(_, managed)| managed)
    }

    async fn manage_project(&self, management: &Management) -> Result<Managed, EngineError> {
        let (receipt, managed) = loop {
            let project = self.project(&management.project).await?;
            if let Some(mut persisted) = project.persisted() {
                let now = self.now();
                let mut draft = Draft::new(&management.project, "", now).by(&management.caller);
                let managed = in_project(management, &mut persisted, &mut draft, now)?;
                let batch = with_request(draft.finish_project(), management, &managed, now)?;
                break (self.write(batch), managed);
            }
            tokio::time::sleep(RETRY).await;
        };
        // On failure the project's grants are read anew.
        let engine = self.clone();
        let name = management.project.clone();
        let task = tokio::spawn(async move {
            if let Err(error) = receipt.await {
                engine.discard_project(&name).await;
                return Err(EngineError::from(error));
            }
            Ok(())
        });
        task.await.map_err(|error| EngineError::Internal(error.to_string()))??;
        Ok(managed)
    }
}

/// A key of its own, so that an id used for a decision and one used here never meet: no id holds a blank, so that nobody can
/// choose one for a decision that stands in the way here.
fn request_key(id: &str) -> String {
    format!("manage {id}")
}

fn with_request(
    mut batch: Batch,
    management: &Management,
    managed: &Managed,
    now: Moment,
) -> Result<Batch, EngineError> {
    if let Some((id, fingerprint)) = &management.request {
        let session = management.session.clone().unwrap_or_default();
        let request_id = request_key(id);
        batch.guard.push(Guard::RequestAbsent { session: session.clone(), request_id: request_id.clone() });
        let response_json = serde_json::to_string(managed)
            .map_err(|error| EngineError::Internal(format!("a result cannot be encoded: {error}")))?;
        batch.changes.push(Change::PutRequest(RequestRow {
            project: management.project.clone(),
            session,
            request_id,
            call_fingerprint: fingerprint.clone(),
            decision_id: String::new(),
            response_json,
            state: "managed".to_owned(),
            updated_at: now.0,
        }));
    }
    Ok(batch)
}

fn in_session(
    management: &Management,
    live: &mut Live,
    persisted: &mut GrantBook,
    policy: &Arc<Policy>,
    draft: &mut Draft<'_>,
    now: Moment,
) -> Result<Managed, EngineError> {
    let caller = management.caller.name.as_str();
    match &management.operation {
        Operation::Grant { entry, scope: GrantScope::Session, terms } => {
            let annotations =
                snapshot(entry, |server, name| live.state.annotations(policy).of_server_tool(server, name));
            grant(&mut live.state.grants, entry, GrantScope::Session, annotations, terms, caller, draft, now)
        }
        Operation::Grant { entry, scope: GrantScope::Always, terms } => {
            let annotations =
                snapshot(entry, |server, name| live.state.annotations(policy).of_server_tool(server, name));
            grant(persisted, entry, GrantScope::Always, annotations, terms, caller, draft, now)
        }
        Operation::Deny { entry, note } => deny(live, entry, note.as_ref(), caller, draft, now),
        Operation::Revoke { identity, scope } => {
            revoke(Some(&mut live.state.grants), persisted, identity, *scope, draft)
        }
        Operation::Lift { identity } => {
            let session = management.session.as_deref().unwrap_or_default();
            lift(live, session, identity, draft)
        }
        Operation::Trust { server, believe, disbelieve, predict } => {
            trust(live, persisted, policy, server, believe, disbelieve, *predict, draft)
        }
        Operation::Import { .. } => in_project(management, persisted, draft, now),
    }
}

fn in_project(
    management: &Management,
    persisted: &mut GrantBook,
    draft: &mut Draft<'_>,
    now: Moment,
) -> Result<Managed, EngineError> {
    let needs_session = |field: &str| EngineError::Invalid {
        field: "session_id".to_owned(),
        problem: format!("{field} concerns a session: name it"),
    };
    let caller = management.caller.name.as_str();
    match &management.operation {
        Operation::Grant { entry, scope: GrantScope::Always, terms } => {
            let annotations = snapshot(entry, |_, _| Annotations::FAIL_CLOSED);
            grant(persisted, entry, GrantScope::Always, annotations, terms, caller, draft, now)
        }
        Operation::Revoke { identity, scope: None | Some(GrantScope::Always) } => {
            revoke(None, persisted, identity, Some(GrantScope::Always), draft)
        }
        Operation::Import { content, modified_at, dry_run } => {
            import(persisted, content, modified_at.unwrap_or(now), *dry_run, draft)
        }
        Operation::Grant { scope: GrantScope::Session, .. } => Err(needs_session("a grant for the session")),
        Operation::Revoke { scope: Some(GrantScope::Session), .. } => {
            Err(needs_session("a grant of the session"))
        }
        Operation::Deny { .. } => Err(needs_session("deny")),
        Operation::Lift { .. } => Err(needs_session("lift")),
        Operation::Trust { .. } => Err(needs_session("trust")),
    }
}

/// What a tool that an entry names exactly is taken to be now; a later weakening then withdraws the grant.
fn snapshot(entry: &Entry, of_server_tool: impl Fn(&str, &str) -> Annotations) -> Option<Annotations> {
    match entry {
        Entry::Tool { pattern: ToolPattern::Name(TextPattern::Exact(name)), .. } => {
            Some(crate::gate::authored_annotations(name))
        }
        Entry::McpTool {
            server: ServerPattern::Key(server),
            pattern: ToolPattern::Name(TextPattern::Exact(name)),
            ..
        } => Some(of_server_tool(server, name)),
        Entry::Shell { .. } | Entry::Tool { .. } | Entry::McpTool { .. } => None,
    }
}

#[allow(clippy::too_many_arguments)] // The parts of one grant, used once.
fn grant(
    book: &mut GrantBook,
    entry: &Entry,
    scope: GrantScope,
    annotations: Option<Annotations>,
    terms: &Terms,
    caller: &str,
    draft: &mut Draft<'_>,
    now: Moment,
) -> Result<Managed, EngineError> {
    if let Some(held) = book.get(&Identity::of(entry)) {
        return Ok(Managed::Granted { grant: Box::new(held.clone()), already: true });
    }
    let grant = Grant {
        granted_by: Some(caller.to_owned()),
        note: terms.note.clone(),
        expires_at: terms.expires_at,
        max_uses: terms.max_uses,
        ..Grant::new(entry.clone(), annotations, scope, now)
    };
    if grant.is_void(now) || !book.add(grant.clone()) {
        let problem = "the entry does not compile, or its terms leave it no use".to_owned();
        return Err(EngineError::Invalid { field: "grant.entry".to_owned(), problem });
    }
    draft.add_grant(&grant, None)?;
    Ok(Managed::Granted { grant: Box::new(grant), already: false })
}

fn deny(
    live: &mut Live,
    entry: &Entry,
    note: Option<&String>,
    caller: &str,
    draft: &mut Draft<'_>,
    now: Moment,
) -> Result<Managed, EngineError> {
    let held = live.state.denials.in_order().into_iter().find(|denial| denial.entry == *entry).cloned();
    if let Some(held) = held {
        return Ok(Managed::Denied { denial: Box::new(held), already: true });
    }
    let denial = Denial {
        entry: entry.clone(),
        denied_at: now,
        denied_by: Some(caller.to_owned()),
        note: note.cloned(),
    };
    if !live.state.denials.add(denial.clone()) {
        let problem = "the entry does not compile".to_owned();
        return Err(EngineError::Invalid { field: "deny.entry".to_owned(), problem });
    }
    draft.add_denial(&denial, None)?;
    Ok(Managed::Denied { denial: Box::new(denial), already: false })
}

fn revoke(
    session: Option<&mut GrantBook>,
    persisted: &mut GrantBook,
    identity: &str,
    scope: Option<GrantScope>,
    draft: &mut Draft<'_>,
) -> Result<Managed, EngineError> {
    let wanted = |candidate: GrantScope| scope.is_none_or(|scope| scope == candidate);
    let mut revoked = Vec::new();
    let books =
        session.into_iter().map(|book| (GrantScope::Session, book)).chain([(GrantScope::Always, persisted)]);
    for (held_as, book) in books.filter(|(held_as, _)| wanted(*held_as)) {
        let entry = book
            .in_order()
            .into_iter()
            .map(|grant| &grant.entry)
            .find(|entry| Identity::of(entry).as_str() == identity)
            .cloned();
        let Some(entry) = entry else { continue };
        if let Some(grant) = book.remove(&Identity::of(&entry)) {
            draft.remove_grant(held_as, &entry, "revoked")?;
            revoked.push(grant);
        }
    }
    if revoked.is_empty() {
        return Err(EngineError::GrantNotFound { grant: identity.to_owned() });
    }
    Ok(Managed::Revoked(revoked))
}

fn lift(
    live: &mut Live,
    session: &str,
    identity: &str,
    draft: &mut Draft<'_>,
) -> Result<Managed, EngineError> {
    let denials = live.state.denials.in_order();
    let entry = denials
        .into_iter()
        .map(|denial| &denial.entry)
        .find(|entry| Identity::of(entry).as_str() == identity)
        .cloned();
    let removed = entry.and_then(|entry| live.state.denials.remove(&Identity::of(&entry)));
    let Some(denial) = removed else {
        return Err(EngineError::DenialNotFound { session: session.to_owned(), denial: identity.to_owned() });
    };
    draft.remove_denial(&denial.entry);
    Ok(Managed::Lifted(Box::new(denial)))
}

#[allow(clippy::too_many_arguments)] // The parts of one change, used once.
fn trust(
    live: &mut Live,
    persisted: &GrantBook,
    policy: &Arc<Policy>,
    server: &str,
    believe: &[Hint],
    disbelieve: &[Hint],
    predict: bool,
    draft: &mut Draft<'_>,
) -> Result<Managed, EngineError> {
    let before = live.state.annotations(policy).trusted(server).to_vec();
    let believed = change_trust(&before, believe, true);
    let after = change_trust(&believed.trusted, disbelieve, false).trusted;
    let removed = change_trust(&before, disbelieve, false);
    let held = live.state.trust.insert(server.to_owned(), after.clone());
    let session_grants: Vec<Grant> = live.state.grants.in_order().into_iter().cloned().collect();
    let all = session_grants.iter().chain(persisted.in_order());
    let invalidates =
        forecast(all, server, |name| live.state.annotations(policy).of_server_tool(server, name));
    if predict {
        match held {
            Some(hints) => live.state.trust.insert(server.to_owned(), hints),
            None => live.state.trust.remove(server),
        };
    } else {
        draft.session_changed();
        let body = json!({ "what": "trust", "server": server, "before": before, "after": after });
        draft.record(RecordKind::Trust, &format!("trust in {server}"), body);
    }
    Ok(Managed::Trusted(Box::new(TrustResult {
        server: server.to_owned(),
        configured: live.state.mcp_servers.iter().any(|key| key == server),
        added: after.iter().copied().filter(|hint| !before.contains(hint)).collect(),
        removed: removed.removed,
        weakening: removed.weakening,
        trusted: after,
        invalidates,
    })))
}

fn import(
    persisted: &mut GrantBook,
    content: &str,
    modified_at: Moment,
    dry_run: bool,
    draft: &mut Draft<'_>,
) -> Result<Managed, EngineError> {
    let file = allowlist::read(content, modified_at).map_err(|error| EngineError::Invalid {
        field: "import_file.content".to_owned(),
        problem: format!("{error}; give the text of a shell-allowlist.json"),
    })?;
    let mut imported = Imported {
        grants: Vec::new(),
        already: 0,
        dropped: file.dropped,
        version: file.version,
        notices: Vec::new(),
    };
    for grant in file.grants {
        // The file's grants were given elsewhere, by whom it does not say; the record says who imported them.
        let grant = Grant { granted_by: Some(IMPORTED.to_owned()), ..grant };
        if persisted.get(&Identity::of(&grant.entry)).is_some() {
            imported.already += 1;
        } else if dry_run {
            imported.grants.push(grant);
        } else if persisted.add(grant.clone()) {
            draft.add_grant(&grant, None)?;
            imported.grants.push(grant);
        }
    }
    if file.version == 1 && !imported.grants.is_empty() {
        let text = "The file holds prefixes; each was taken over as the exact command, which allows less than the prefix did.";
        imported.notices.push(Notice {
            level: NoticeLevel::Info,
            kind: NoticeKind::Migrated,
            text: text.to_owned(),
        });
    }
    Ok(Managed::Imported(Box::new(imported)))
}
