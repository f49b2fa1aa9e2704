//! A gate to test, and short ways to say what is asked of it.

mod failure;
mod rater;
mod requests;
mod serving;
mod tls;

pub use failure::Failure;
pub use rater::Scripted;
pub use requests::*;
pub use serving::{Serving, engine};
pub use tls::{Authority, Files, Pair, connect};

use haltgate::config::{Overrides, ServerSettings, Source, load};
use haltgate::gate::{Floors, Hardline, Outcome};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server;
use haltgate::session::{Engine, Policies};
use haltgate::store::{SqliteOptions, SqliteStore};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::transport::{Channel, Endpoint};

/// How a gate is set up.
pub struct Setup {
    pub policy: String,
    pub settings: ServerSettings,
    pub store: SqliteOptions,
    pub rater: Arc<Scripted>,
    pub folder: Arc<TempDir>,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            policy: "{}".to_owned(),
            settings: ServerSettings {
                listen: vec![SocketAddr::from((Ipv4Addr::LOCALHOST, 0))],
                socket: None,
                drain_timeout: Duration::from_secs(5),
                ..ServerSettings::default()
            },
            store: SqliteOptions::default(),
            rater: Arc::new(Scripted::new(Outcome::Safe)),
            folder: Arc::new(tempfile::tempdir().unwrap()),
        }
    }
}

/// A running gate with a client.
pub struct Gate {
    pub client: ApprovalGateClient<Channel>,
    pub channel: Channel,
    pub rater: Arc<Scripted>,
    /// Where it listens; port 0 where it listens on a socket alone.
    pub address: SocketAddr,
    /// The gate behind the server.
    pub engine: Engine,
    setup: Setup,
    stop: Option<oneshot::Sender<()>>,
    serving: Option<JoinHandle<()>>,
}

/// The one command that the floor of these tests refuses.
pub const FORBIDDEN: &str = "rm -rf /";

fn floors() -> Floors {
    Floors {
        hardline: |call, _| {
            (call.command == FORBIDDEN).then(|| Hardline {
                description: "delete everything".to_owned(),
                check: "test.everything".to_owned(),
            })
        },
        ..Floors::NONE
    }
}

impl Gate {
    /// A gate with an `approvals` block.
    pub async fn with(approvals: &str) -> Self {
        Self::start(Setup { policy: format!("{{\"approvals\": {approvals}}}"), ..Setup::default() }).await
    }

    /// A gate with the default policy, whose rater calls everything safe.
    pub async fn plain() -> Self {
        Self::start(Setup::default()).await
    }

    /// A gate on a rung, with no entries.
    pub async fn at(rung: &str) -> Self {
        Self::with(&format!("{{\"mode\": \"{rung}\"}}")).await
    }

    pub async fn start(setup: Setup) -> Self {
        let policy_file = setup.folder.path().join("haltgate.jsonc");
        std::fs::write(&policy_file, &setup.policy).unwrap();
        let source = Source {
            folder: setup.folder.path().to_owned(),
            overrides: Overrides { config: Some(policy_file), ..Overrides::default() },
        };
        let configuration = load(&source).unwrap_or_else(|problems| panic!("{problems}")).configuration;
        let store = SqliteStore::open_with(database(&setup.folder), &setup.store).unwrap();
        let rater = Arc::clone(&setup.rater);
        let engine = Engine::new(
            Arc::new(store),
            Policies::compile(configuration).unwrap(),
            Arc::clone(&rater) as _,
            floors(),
        );
        let running = server::start(engine.clone(), &setup.settings).await.unwrap();
        let address = running.address();
        let (stop, stopped) = oneshot::channel::<()>();
        let serves = engine.clone();
        let serving = tokio::spawn(async move {
            running.stopped(async { drop(stopped.await) }).await.unwrap();
            serves.store().close().await.unwrap();
        });
        let channel = match address {
            Some(address) => {
                Endpoint::from_shared(format!("http://{address}")).unwrap().connect().await.unwrap()
            }
            None => Endpoint::from_static("http://127.0.0.1:1").connect_lazy(),
        };
        let client = ApprovalGateClient::new(channel.clone()).max_decoding_message_size(16 << 20);
        let address = address.unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        Self { client, channel, rater, address, engine, setup, stop: Some(stop), serving: Some(serving) }
    }

    /// Begins to shut down, without waiting for the end.
    pub fn drain(&mut self) {
        if let Some(stop) = self.stop.take() {
            stop.send(()).unwrap();
        }
    }

    /// Shuts down; what remains is how to start it again on the same file.
    pub async fn stop(mut self) -> Setup {
        self.drain();
        drop(self.client);
        drop(self.channel);
        if let Some(serving) = self.serving.take() {
            serving.await.unwrap();
        }
        self.setup
    }

    /// The same gate in a new process, as far as it can tell.
    pub async fn restart(self) -> Self {
        Self::start(self.stop().await).await
    }

    pub fn database(&self) -> PathBuf {
        database(&self.setup.folder)
    }

    pub async fn decide(&self, request: pb::DecideRequest) -> pb::DecideResponse {
        self.try_decide(request).await.unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn try_decide(&self, request: pb::DecideRequest) -> Result<pb::DecideResponse, Failure> {
        reply(self.client.clone().decide(request).await)
    }

    pub async fn open(&self, request: pb::OpenSessionRequest) -> pb::OpenSessionResponse {
        self.try_open(request).await.unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn try_open(
        &self,
        request: pb::OpenSessionRequest,
    ) -> Result<pb::OpenSessionResponse, Failure> {
        reply(self.client.clone().open_session(request).await)
    }

    pub async fn update(&self, request: pb::UpdateSessionRequest) -> pb::UpdateSessionResponse {
        self.try_update(request).await.unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn try_update(
        &self,
        request: pb::UpdateSessionRequest,
    ) -> Result<pb::UpdateSessionResponse, Failure> {
        reply(self.client.clone().update_session(request).await)
    }

    /// Moves a session to another rung.
    pub async fn set_rung(&self, session: &str, rung: pb::Rung) -> pb::Session {
        let request = pb::UpdateSessionRequest {
            session_id: session.to_owned(),
            rung: rung.into(),
            ..pb::UpdateSessionRequest::default()
        };
        self.update(request).await.session.unwrap()
    }

    pub async fn get(&self, session: &str) -> pb::GetSessionResponse {
        self.try_get("", session).await.unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn try_get(&self, project: &str, session: &str) -> Result<pb::GetSessionResponse, Failure> {
        let request = pb::GetSessionRequest {
            project: project.to_owned(),
            session_id: session.to_owned(),
            include_tools: true,
        };
        reply(self.client.clone().get_session(request).await)
    }

    pub async fn close(&self, session: &str) -> pb::CloseSessionResponse {
        let request = pb::CloseSessionRequest { project: String::new(), session_id: session.to_owned() };
        reply(self.client.clone().close_session(request).await)
            .unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn sessions(
        &self,
        request: pb::ListSessionsRequest,
    ) -> Result<pb::ListSessionsResponse, Failure> {
        reply(self.client.clone().list_sessions(request).await)
    }

    pub async fn answer(&self, request: pb::AnswerRequest) -> pb::Escalation {
        match self.try_answer(request).await.unwrap_or_else(|failure| panic!("{failure:?}")).settled {
            Some(pb::answer_response::Settled::Escalation(escalation)) => escalation,
            other => panic!("not an escalation: {other:?}"),
        }
    }

    pub async fn try_answer(&self, request: pb::AnswerRequest) -> Result<pb::AnswerResponse, Failure> {
        reply(self.client.clone().answer(request).await)
    }

    pub async fn manage(
        &self,
        session: &str,
        operation: pb::manage_grants_request::Operation,
    ) -> pb::manage_grants_response::Result {
        self.try_manage(managing(session, operation))
            .await
            .unwrap_or_else(|failure| panic!("{failure:?}"))
            .result
            .unwrap()
    }

    pub async fn try_manage(
        &self,
        request: pb::ManageGrantsRequest,
    ) -> Result<pb::ManageGrantsResponse, Failure> {
        reply(self.client.clone().manage_grants(request).await)
    }

    /// What a session, or with an empty name the project, holds: the object texts of grants, then of denials.
    pub async fn holdings(&self, session: &str) -> (Vec<String>, Vec<String>) {
        let (grants, denials) = self.held(session).await;
        let text = |entry: &Option<pb::RenderedEntry>| entry.as_ref().unwrap().object_text.clone();
        (
            grants.iter().map(|grant| text(&grant.entry)).collect(),
            denials.iter().map(|denial| text(&denial.entry)).collect(),
        )
    }

    pub async fn held(&self, session: &str) -> (Vec<pb::Grant>, Vec<pb::Denial>) {
        let list = pb::ListGrants { page_size: 500, ..pb::ListGrants::default() };
        match self.manage(session, pb::manage_grants_request::Operation::List(list)).await {
            pb::manage_grants_response::Result::List(list) => {
                assert_eq!(list.next_page_token, "");
                (list.grants, list.denials)
            }
            other => panic!("not a list: {other:?}"),
        }
    }

    pub async fn records(&self, request: pb::ListDecisionsRequest) -> Vec<pb::DecisionRecord> {
        self.try_records(request).await.unwrap_or_else(|failure| panic!("{failure:?}")).decisions
    }

    pub async fn try_records(
        &self,
        request: pb::ListDecisionsRequest,
    ) -> Result<pb::ListDecisionsResponse, Failure> {
        reply(self.client.clone().list_decisions(request).await)
    }

    /// The records of a session, in the order in which their calls arrived.
    pub async fn records_of(&self, session: &str) -> Vec<pb::DecisionRecord> {
        self.records(pb::ListDecisionsRequest {
            session_id: session.to_owned(),
            order: pb::SortOrder::OldestFirst.into(),
            page_size: 500,
            ..pb::ListDecisionsRequest::default()
        })
        .await
    }

    pub async fn verify(&self) -> pb::VerifyAuditResponse {
        self.try_verify(pb::VerifyAuditRequest::default())
            .await
            .unwrap_or_else(|failure| panic!("{failure:?}"))
    }

    pub async fn try_verify(
        &self,
        request: pb::VerifyAuditRequest,
    ) -> Result<pb::VerifyAuditResponse, Failure> {
        reply(self.client.clone().verify_audit(request).await)
    }

    pub async fn rate(&self, request: pb::RateRequest) -> Result<pb::RateResponse, Failure> {
        reply(self.client.clone().rate(request).await)
    }

    pub async fn info(&self) -> pb::GetServerInfoResponse {
        reply(self.client.clone().get_server_info(pb::GetServerInfoRequest::default()).await).unwrap()
    }
}

fn database(folder: &TempDir) -> PathBuf {
    folder.path().join("haltgate.db")
}

pub fn reply<T>(outcome: Result<tonic::Response<T>, tonic::Status>) -> Result<T, Failure> {
    outcome.map(tonic::Response::into_inner).map_err(|status| Failure::of(&status))
}
