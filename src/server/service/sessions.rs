//! The session RPCs.

use super::Service;
use crate::access::Caller;
use crate::proto::v1 as pb;
use crate::server::inbound;
use crate::server::outbound;
use crate::server::status::{Violations, from_engine, internal};
use crate::session::{Opening, Owner, Update};
use crate::store::{Page, SessionCursor, SessionFilter};
use std::collections::BTreeMap;
use std::sync::Arc;
use tonic::Status;

impl Service {
    pub(super) async fn open(
        &self,
        caller: Arc<Caller>,
        request: pb::OpenSessionRequest,
    ) -> Result<pb::OpenSessionResponse, Status> {
        let mut violations = Violations::default();
        let opening = Opening {
            project: inbound::project(&request.project, &mut violations),
            session: inbound::optional_id("session_id", &request.session_id, &mut violations),
            rung: inbound::rung("rung", request.rung, &mut violations),
            interactive: request.interactive,
            command: inbound::selector("command", &request.command, &mut violations),
            labels: inbound::labels("labels", request.labels, &mut violations),
            cwd: inbound::folder("cwd", &request.cwd, &mut violations),
            home: inbound::folder("home", &request.home, &mut violations),
            tools: request.tools.map(|tools| inbound::tools(tools, &mut violations)),
            mcp_servers: request.mcp_servers.map(|servers| inbound::mcp_servers(servers, &mut violations)),
            user_messages: inbound::user_messages(request.user_messages, &mut violations),
            caller,
        };
        violations.check()?;
        let project = opening.project.clone();
        let opened = self.engine.open_session(opening).await;
        let (view, reopened, notices) = opened.map_err(|error| from_engine(&project, error))?;
        Ok(pb::OpenSessionResponse {
            session: Some(outbound::session(&view)),
            reopened,
            notices: outbound::notices(&notices),
        })
    }

    pub(super) async fn update(
        &self,
        caller: Arc<Caller>,
        request: pb::UpdateSessionRequest,
    ) -> Result<pb::UpdateSessionResponse, Status> {
        let mut violations = Violations::default();
        let changes = request.labels.unwrap_or_default();
        for (index, key) in changes.remove.iter().enumerate() {
            if changes.set.contains_key(key) {
                violations.invalid(&format!("labels.remove[{index}]"), "is also set: say one or the other");
            }
        }
        let update = Update {
            project: inbound::project(&request.project, &mut violations),
            session: inbound::required_id("session_id", &request.session_id, &mut violations),
            rung: inbound::rung("rung", request.rung, &mut violations),
            interactive: request.interactive,
            set_labels: inbound::labels("labels.set", changes.set, &mut violations),
            remove_labels: changes.remove,
            cwd: folder_change("cwd", request.cwd, &mut violations),
            home: folder_change("home", request.home, &mut violations),
            tools: request.tools.map(|tools| inbound::tools(tools, &mut violations)),
            mcp_servers: request.mcp_servers.map(|servers| inbound::mcp_servers(servers, &mut violations)),
            user_messages: inbound::user_messages(request.user_messages, &mut violations),
            reset_thread: request.reset_thread,
            caller,
        };
        violations.check()?;
        let project = update.project.clone();
        let updated = self.engine.update_session(update).await;
        let (view, notices) = updated.map_err(|error| from_engine(&project, error))?;
        Ok(pb::UpdateSessionResponse {
            session: Some(outbound::session(&view)),
            notices: outbound::notices(&notices),
        })
    }

    pub(super) async fn get(&self, request: pb::GetSessionRequest) -> Result<pb::GetSessionResponse, Status> {
        let (project, session) = names(&request.project, &request.session_id)?;
        let view = self
            .engine
            .session_view(&project, &session)
            .await
            .map_err(|error| from_engine(&project, error))?;
        Ok(outbound::session_response(&view, request.include_tools))
    }

    pub(super) async fn close(
        &self,
        caller: Arc<Caller>,
        request: pb::CloseSessionRequest,
    ) -> Result<pb::CloseSessionResponse, Status> {
        let (project, session) = names(&request.project, &request.session_id)?;
        let closed = self.engine.close_session(&project, &session, &caller).await;
        let (view, escalations, halts) = closed.map_err(|error| from_engine(&project, error))?;
        Ok(pb::CloseSessionResponse {
            session: Some(outbound::session(&view)),
            withdrawn_escalations: u32::try_from(escalations).unwrap_or(u32::MAX),
            withdrawn_halts: u32::try_from(halts).unwrap_or(u32::MAX),
        })
    }

    pub(super) async fn sessions(
        &self,
        caller: Arc<Caller>,
        request: pb::ListSessionsRequest,
    ) -> Result<pb::ListSessionsResponse, Status> {
        let mut violations = Violations::default();
        let project = inbound::project(&request.project, &mut violations);
        let labels: BTreeMap<String, String> = inbound::labels("labels", request.labels, &mut violations);
        let size = inbound::page_size("page_size", request.page_size, &mut violations);
        let open = open_filter(&request.states, &mut violations);
        let owner = Owner::of(&caller);
        let written = match &owner {
            Some(owner) => format!("{labels:?} {owner:?}"),
            None => format!("{labels:?}"),
        };
        let conditions = self.conditions("sessions", &[&project, &written, &format!("{open:?}")]);
        let after = match request.page_token.as_str() {
            "" => None,
            token => {
                let cursor = conditions
                    .place(token)
                    .and_then(|place| serde_json::from_str::<SessionCursor>(&place).ok());
                if cursor.is_none() {
                    violations.page_token("page_token");
                }
                cursor
            }
        };
        violations.check()?;
        let filter = SessionFilter { project: Some(project.clone()), rung: None, open, labels };
        let page = Page { size, after, newest_first: true };
        let listing = self
            .engine
            .list_sessions(filter, page, owner.as_ref())
            .await
            .map_err(|error| from_engine(&project, error))?;
        let next = listing.next.map(|cursor| serde_json::to_string(&cursor)).transpose();
        let next = next.map_err(|error| internal(&format!("a cursor cannot be encoded: {error}")))?;
        Ok(pb::ListSessionsResponse {
            sessions: listing.rows.iter().map(outbound::session).collect(),
            next_page_token: next.map(|place| conditions.token(&place)).unwrap_or_default(),
        })
    }
}

fn names(project: &str, session: &str) -> Result<(String, String), Status> {
    let mut violations = Violations::default();
    let project = inbound::project(project, &mut violations);
    let session = inbound::required_id("session_id", session, &mut violations);
    violations.check()?;
    Ok((project, session))
}

/// A folder that may be changed to none.
fn folder_change(field: &str, folder: Option<String>, violations: &mut Violations) -> Option<String> {
    folder.map(|folder| inbound::folder(field, &folder, violations).unwrap_or_default())
}

/// Which states are wanted, open ones unless stated: `None` for all of them.
fn open_filter(states: &[i32], violations: &mut Violations) -> Option<bool> {
    let mut wanted = (false, false);
    for (index, state) in states.iter().enumerate() {
        match pb::SessionState::try_from(*state) {
            Ok(pb::SessionState::Open) => wanted.0 = true,
            Ok(pb::SessionState::Closed) => wanted.1 = true,
            Ok(pb::SessionState::Unspecified) | Err(_) => {
                violations.invalid(&format!("states[{index}]"), "is not a state that this server knows");
            }
        }
    }
    match wanted {
        (true, false) | (false, false) => Some(true),
        (false, true) => Some(false),
        (true, true) => None,
    }
}
