//! Who calls in these tests: a gate that knows its callers by tokens, and one client for each of them.

use crate::support::*;
use haltgate::access::{Projects, Role};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server::{NewToken, TokenFile, TokenRecord};
use std::collections::BTreeMap;
use std::time::SystemTime;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::Channel;
use tonic::{Request, Status};

/// The project of everybody in the cast, and one of somebody else.
pub const OWN: &str = "own";
pub const FOREIGN: &str = "foreign";

/// The cast: name, role, and the projects, none for all of them.
const CAST: [(&str, Role, Option<&str>); 7] = [
    ("ann", Role::Agent, Some(OWN)),
    ("bob", Role::Agent, Some(OWN)),
    ("ops", Role::Operator, Some(OWN)),
    ("eve", Role::Auditor, Some(OWN)),
    ("adm", Role::Admin, Some(OWN)),
    ("mallory", Role::Agent, Some(FOREIGN)),
    ("root", Role::Admin, None),
];

/// Sends the credentials of a caller with every request.
#[derive(Clone)]
pub struct Bearer(Option<MetadataValue<Ascii>>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(bearer) = &self.0 {
            request.metadata_mut().insert("authorization", bearer.clone());
        }
        Ok(request)
    }
}

pub type Client = ApprovalGateClient<InterceptedService<Channel, Bearer>>;

/// A gate that knows the cast.
pub struct Known {
    pub gate: Gate,
    tokens: BTreeMap<&'static str, String>,
}

impl Known {
    /// One with these settings beside who may call, and whose rater calls everything safe.
    pub async fn with(settings: &str) -> Self {
        let setup = Setup {
            policy: format!(r#"{{ "auth": {{ "tokens_file": "tokens.json" }}, {settings} }}"#),
            ..Setup::default()
        };
        let mut tokens = BTreeMap::new();
        TokenFile::at(&setup.folder.path().join("tokens.json"))
            .change(|records| {
                for (name, role, project) in CAST {
                    let token = NewToken::generate().unwrap();
                    tokens.insert(name, token.reveal().to_owned());
                    records.push(TokenRecord {
                        id: token.id.clone(),
                        name: name.to_owned(),
                        role,
                        projects: project
                            .map_or(Projects::All, |project| Projects::These([project.to_owned()].into())),
                        hash: token.hash.clone(),
                        created_at: SystemTime::now().try_into().unwrap(),
                        expires_at: None,
                        revoked_at: None,
                    });
                }
                Ok(())
            })
            .unwrap();
        Self { gate: Gate::start(setup).await, tokens }
    }

    /// One whose humans are asked about everything.
    pub async fn manual() -> Self {
        Self::with(r#""approvals": { "mode": "manual" }"#).await
    }

    /// The same gate in a new process.
    pub async fn restart(self) -> Self {
        Self { gate: self.gate.restart().await, tokens: self.tokens }
    }

    pub fn token(&self, name: &str) -> &str {
        &self.tokens[name]
    }

    /// The client of one of the cast; of nobody for the empty name.
    pub fn of(&self, name: &str) -> Client {
        let bearer = (!name.is_empty()).then(|| format!("Bearer {}", self.token(name)).parse().unwrap());
        ApprovalGateClient::with_interceptor(self.gate.channel.clone(), Bearer(bearer))
    }

    pub async fn decide(&self, who: &str, request: pb::DecideRequest) -> Result<pb::DecideResponse, Failure> {
        reply(self.of(who).decide(own(request)).await)
    }

    pub async fn open(
        &self,
        who: &str,
        request: pb::OpenSessionRequest,
    ) -> Result<pb::OpenSessionResponse, Failure> {
        let request = pb::OpenSessionRequest { project: OWN.to_owned(), ..request };
        reply(self.of(who).open_session(request).await)
    }

    pub async fn update(
        &self,
        who: &str,
        request: pb::UpdateSessionRequest,
    ) -> Result<pb::UpdateSessionResponse, Failure> {
        let request = pb::UpdateSessionRequest { project: OWN.to_owned(), ..request };
        reply(self.of(who).update_session(request).await)
    }

    pub async fn get(&self, who: &str, session: &str) -> Result<pb::GetSessionResponse, Failure> {
        let request = pb::GetSessionRequest {
            project: OWN.to_owned(),
            session_id: session.to_owned(),
            include_tools: false,
        };
        reply(self.of(who).get_session(request).await)
    }

    pub async fn close(&self, who: &str, session: &str) -> Result<pb::CloseSessionResponse, Failure> {
        let request = pb::CloseSessionRequest { project: OWN.to_owned(), session_id: session.to_owned() };
        reply(self.of(who).close_session(request).await)
    }

    pub async fn answer(&self, who: &str, request: pb::AnswerRequest) -> Result<pb::AnswerResponse, Failure> {
        let request = pb::AnswerRequest { project: OWN.to_owned(), ..request };
        reply(self.of(who).answer(request).await)
    }

    pub async fn manage(
        &self,
        who: &str,
        request: pb::ManageGrantsRequest,
    ) -> Result<pb::ManageGrantsResponse, Failure> {
        let request = pb::ManageGrantsRequest { project: OWN.to_owned(), ..request };
        reply(self.of(who).manage_grants(request).await)
    }
}

/// The same call in the cast's own project.
pub fn own(request: pb::DecideRequest) -> pb::DecideRequest {
    pb::DecideRequest { project: OWN.to_owned(), ..request }
}

pub fn reply<T>(outcome: Result<tonic::Response<T>, Status>) -> Result<T, Failure> {
    outcome.map(tonic::Response::into_inner).map_err(|status| Failure::of(&status))
}
