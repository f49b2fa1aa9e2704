//! `ManageGrants`.

use super::Service;
use crate::access::Caller;
use crate::gate::{GrantScope, Scope};
use crate::proto::v1 as pb;
use crate::proto::v1::manage_grants_request::Operation as Asked;
use crate::proto::v1::manage_grants_response::Result as Done;
use crate::rules::{Identity, one_line};
use crate::server::inbound;
use crate::server::outbound;
use crate::server::status::{Violations, from_engine};
use crate::session::{Management, Operation, allowlist};
use prost::Message;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tonic::Status;

impl Service {
    pub(super) async fn manage(
        &self,
        caller: Arc<Caller>,
        request: pb::ManageGrantsRequest,
    ) -> Result<pb::ManageGrantsResponse, Status> {
        let mut violations = Violations::default();
        let fingerprint = fingerprint(&request);
        let project = inbound::project(&request.project, &mut violations);
        let session = inbound::optional_id("session_id", &request.session_id, &mut violations);
        let request_id = inbound::optional_id("request_id", &request.request_id, &mut violations);
        let Some(asked) = request.operation else {
            violations.invalid("operation", "is required: list, grant, deny, revoke, lift, view_trust, change_trust, predict_trust, import_file or export_file");
            violations.check()?;
            return Ok(pb::ManageGrantsResponse::default());
        };
        let mut predicted = false;
        let operation = match asked {
            Asked::List(list) => {
                return self.list_grants(violations, &project, session.as_deref(), &list).await;
            }
            Asked::ViewTrust(pb::ViewTrust {}) => {
                return self.view_trust(violations, &project, session).await;
            }
            Asked::ExportFile(pb::ExportGrants {}) => return self.export(violations, &project).await,
            Asked::Grant(add) => self.grant(add, session.as_deref(), &mut violations),
            Asked::Deny(add) => {
                need_session(session.as_deref(), "deny", &mut violations);
                let note = inbound::note("deny.note", &add.note, &mut violations);
                inbound::entry("deny.entry", add.entry, &mut violations)
                    .map(|entry| Operation::Deny { entry, note })
            }
            Asked::Revoke(revoke) => revoke_operation(revoke, session.as_deref(), &mut violations),
            Asked::Lift(lift) => {
                need_session(session.as_deref(), "lift", &mut violations);
                let target = lift.target.map(|target| match target {
                    pb::lift_denial::Target::Entry(entry) => Target::Entry(Box::new(entry)),
                    pb::lift_denial::Target::ObjectText(text) => Target::ObjectText(text),
                });
                identity("lift", target, &mut violations).map(|identity| Operation::Lift { identity })
            }
            Asked::ChangeTrust(change) => {
                trust_operation("change_trust", change, false, session.as_deref(), &mut violations)
            }
            Asked::PredictTrust(change) => {
                predicted = true;
                trust_operation("predict_trust", change, true, session.as_deref(), &mut violations)
            }
            Asked::ImportFile(import) => {
                if import.content.len() > 1 << 20 {
                    violations.over("import_file.content", import.content.len(), 1 << 20, "bytes");
                }
                let modified_at =
                    inbound::moment("import_file.file_modified_at", import.file_modified_at, &mut violations);
                Some(Operation::Import { content: import.content, modified_at, dry_run: import.dry_run })
            }
        };
        violations.check()?;
        let Some(operation) = operation else {
            return Err(Status::invalid_argument("operation is required"));
        };
        // The grants of the project do not belong to a session, even where one is named.
        let for_project = matches!(operation, Operation::Import { .. });
        let management = Management {
            project: project.clone(),
            session: if for_project { None } else { session.clone() },
            caller,
            request: request_id.map(|id| (id, fingerprint)),
            operation,
        };
        let managed = self.engine.manage(management).await.map_err(|error| from_engine(&project, error))?;
        Ok(outbound::managed(&project, session.as_deref().unwrap_or_default(), &managed, predicted))
    }

    fn grant(
        &self,
        add: pb::AddGrant,
        session: Option<&str>,
        violations: &mut Violations,
    ) -> Option<Operation> {
        let scope = match inbound::scope("grant.scope", add.scope, violations) {
            Some(Scope::Session) => {
                need_session(session, "a grant for the session", violations);
                GrantScope::Session
            }
            Some(Scope::Always) => GrantScope::Always,
            Some(Scope::Once) | None => {
                violations.invalid("grant.scope", "is required: SESSION or ALWAYS");
                GrantScope::Session
            }
        };
        let terms = inbound::terms("grant.terms", add.terms, self.engine.now(), violations);
        let entry = inbound::entry("grant.entry", add.entry, violations)?;
        Some(Operation::Grant { entry, scope, terms })
    }

    async fn list_grants(
        &self,
        mut violations: Violations,
        project: &str,
        session: Option<&str>,
        list: &pb::ListGrants,
    ) -> Result<pb::ManageGrantsResponse, Status> {
        let size = usize::try_from(inbound::page_size("list.page_size", list.page_size, &mut violations))
            .unwrap_or(usize::MAX);
        let text = inbound::needle("list.text", &list.text, &mut violations).map(|text| text.to_lowercase());
        let mut scopes = Vec::new();
        for (index, value) in list.scopes.iter().enumerate() {
            match inbound::scope(&format!("list.scopes[{index}]"), *value, &mut violations) {
                Some(Scope::Session) => scopes.push(GrantScope::Session),
                Some(Scope::Always) => scopes.push(GrantScope::Always),
                Some(Scope::Once) | None => {
                    violations.invalid(&format!("list.scopes[{index}]"), "must be SESSION or ALWAYS")
                }
            }
        }
        let conditions = self.conditions(
            "grants",
            &[
                project,
                session.unwrap_or_default(),
                text.as_deref().unwrap_or_default(),
                &format!("{scopes:?}"),
            ],
        );
        let mut start = 0;
        if !list.page_token.is_empty() {
            match conditions.place(&list.page_token).and_then(|place| place.parse::<usize>().ok()) {
                Some(place) => start = place,
                None => violations.page_token("list.page_token"),
            }
        }
        violations.check()?;
        let holdings =
            self.engine.holdings(project, session).await.map_err(|error| from_engine(project, error))?;
        let wanted = |summary: String| text.as_ref().is_none_or(|text| summary.to_lowercase().contains(text));
        let grants: Vec<pb::Grant> = holdings
            .grants
            .iter()
            .filter(|held| scopes.is_empty() || scopes.contains(&held.scope))
            .filter(|held| wanted(one_line(&held.entry)))
            .map(|held| outbound::grant(project, session.unwrap_or_default(), held))
            .collect();
        let denials: Vec<pb::Denial> = holdings
            .denials
            .iter()
            .filter(|_| scopes.is_empty() || scopes.contains(&GrantScope::Session))
            .filter(|held| wanted(one_line(&held.entry)))
            .map(|held| outbound::denial(project, session.unwrap_or_default(), held))
            .collect();
        let total = grants.len() + denials.len();
        let end = start.saturating_add(size);
        let page = pb::GrantList {
            denials: denials
                .into_iter()
                .skip(start.saturating_sub(grants.len()))
                .take(end.saturating_sub(grants.len().max(start)))
                .collect(),
            grants: grants.into_iter().skip(start).take(size).collect(),
            next_page_token: if end < total { conditions.token(&end.to_string()) } else { String::new() },
        };
        Ok(respond(Done::List(page)))
    }

    async fn view_trust(
        &self,
        mut violations: Violations,
        project: &str,
        session: Option<String>,
    ) -> Result<pb::ManageGrantsResponse, Status> {
        need_session(session.as_deref(), "view_trust", &mut violations);
        violations.check()?;
        let trust = self.engine.trust(project, &session.unwrap_or_default()).await;
        let (defaults, servers) = trust.map_err(|error| from_engine(project, error))?;
        Ok(respond(Done::ViewTrust(outbound::trust_view(&defaults, &servers))))
    }

    async fn export(
        &self,
        violations: Violations,
        project: &str,
    ) -> Result<pb::ManageGrantsResponse, Status> {
        violations.check()?;
        let holdings =
            self.engine.holdings(project, None).await.map_err(|error| from_engine(project, error))?;
        let (content, grants, skipped) = allowlist::write(holdings.grants.iter());
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Ok(respond(Done::ExportFile(pb::GrantsExported {
            content,
            grants: count(grants),
            skipped: count(skipped),
        })))
    }
}

fn respond(result: Done) -> pb::ManageGrantsResponse {
    pb::ManageGrantsResponse { result: Some(result), notices: Vec::new() }
}

fn need_session(session: Option<&str>, what: &str, violations: &mut Violations) {
    if session.is_none() {
        violations.invalid("session_id", format!("is required: {what} concerns a session"));
    }
}

enum Target {
    Entry(Box<pb::Entry>),
    ObjectText(String),
}

/// The identity that a target stands for.
fn identity(field: &str, target: Option<Target>, violations: &mut Violations) -> Option<String> {
    match target {
        None => {
            violations.invalid(&format!("{field}.target"), "is required: entry or object_text");
            None
        }
        Some(Target::Entry(entry)) => {
            let entry = inbound::entry(&format!("{field}.entry"), Some(*entry), violations)?;
            Some(Identity::of(&entry).as_str().to_owned())
        }
        Some(Target::ObjectText(text)) => {
            if text.is_empty() {
                violations.invalid(&format!("{field}.object_text"), "is required");
            }
            Some(text)
        }
    }
}

fn revoke_operation(
    revoke: pb::RevokeGrant,
    session: Option<&str>,
    violations: &mut Violations,
) -> Option<Operation> {
    let scope = match inbound::scope("revoke.scope", revoke.scope, violations) {
        None => None,
        Some(Scope::Session) => {
            need_session(session, "a grant of the session", violations);
            Some(GrantScope::Session)
        }
        Some(Scope::Always) => Some(GrantScope::Always),
        Some(Scope::Once) => {
            violations.invalid("revoke.scope", "must be SESSION or ALWAYS");
            None
        }
    };
    let target = revoke.target.map(|target| match target {
        pb::revoke_grant::Target::Entry(entry) => Target::Entry(Box::new(entry)),
        pb::revoke_grant::Target::ObjectText(text) => Target::ObjectText(text),
    });
    identity("revoke", target, violations).map(|identity| Operation::Revoke { identity, scope })
}

fn trust_operation(
    field: &str,
    change: pb::TrustChange,
    predict: bool,
    session: Option<&str>,
    violations: &mut Violations,
) -> Option<Operation> {
    need_session(session, field, violations);
    let server = inbound::server_key(&format!("{field}.server"), &change.server, violations);
    let believe = inbound::hints(&format!("{field}.believe"), &change.believe, violations);
    let disbelieve = inbound::hints(&format!("{field}.disbelieve"), &change.disbelieve, violations);
    if change.believe.is_empty() && change.disbelieve.is_empty() {
        violations.invalid(&format!("{field}.believe"), "needs at least one hint here or in disbelieve");
    }
    if let Some(both) = believe.iter().find(|hint| disbelieve.contains(hint)) {
        violations.invalid(&format!("{field}.disbelieve"), format!("names {both}, which is also believed"));
    }
    Some(Operation::Trust { server, believe, disbelieve, predict })
}

/// What the operation looked like, so that an id cannot be used for two.
fn fingerprint(request: &pb::ManageGrantsRequest) -> String {
    let stripped = pb::ManageGrantsRequest { request_id: String::new(), ..request.clone() };
    Sha256::digest(stripped.encode_to_vec()).iter().map(|byte| format!("{byte:02x}")).collect()
}
