//! What the Rust client adds to the generated code: ids, retries, deadlines and waiting, against a scripted gate.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

use haltgate::client::{Address, Client, Error, Options};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_server::{ApprovalGate, ApprovalGateServer};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::transport::{Certificate, Identity, ServerTlsConfig};
use tonic::{Code, Request, Response, Status};

/// What the gate does with one request.
#[derive(Debug, Clone)]
enum Reaction {
    Say(pb::Action),
    Mistake,
    Fail(Code),
    Hang,
}

/// A gate that reacts as told and remembers what it was asked; when nothing is left it approves.
#[derive(Debug, Clone, Default)]
struct Scripted {
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
    asked: Arc<Mutex<Vec<pb::DecideRequest>>>,
    authorization: Arc<Mutex<Option<String>>>,
    address: Arc<OnceLock<Address>>,
}

/// Methods that no test here calls.
macro_rules! uncalled {
    ($($name:ident($request:ident) -> $response:ident),+ $(,)?) => {
        $(fn $name<'gate, 'call>(
            &'gate self,
            _request: Request<pb::$request>,
        ) -> std::pin::Pin<Box<dyn Future<Output = Result<Response<pb::$response>, Status>> + Send + 'call>>
        where
            'gate: 'call,
            Self: 'call,
        {
            Box::pin(async { Err(Status::unimplemented(stringify!($name))) })
        })+
    };
}

#[tonic::async_trait]
impl ApprovalGate for Scripted {
    type StreamAttackHaltsStream = tokio_stream::Empty<Result<pb::StreamAttackHaltsResponse, Status>>;
    type StreamEscalationsStream = tokio_stream::Empty<Result<pb::StreamEscalationsResponse, Status>>;
    type ExportAuditStream = tokio_stream::Empty<Result<pb::ExportAuditResponse, Status>>;

    async fn decide(
        &self,
        request: Request<pb::DecideRequest>,
    ) -> Result<Response<pb::DecideResponse>, Status> {
        let authorization = request.metadata().get("authorization");
        *self.authorization.lock().unwrap() = authorization.map(|value| value.to_str().unwrap().to_owned());
        let request = request.into_inner();
        let (session_id, run_id) = (request.session_id.clone(), request.run_id.clone());
        let request_id = request.request_id.clone();
        self.asked.lock().unwrap().push(request);
        let reaction = self.reactions.lock().unwrap().pop_front();
        match reaction.unwrap_or(Reaction::Say(pb::Action::Approve)) {
            Reaction::Say(action) => Ok(Response::new(pb::DecideResponse {
                action: action.into(),
                stage: pb::Stage::Rater.into(),
                scope: pb::Scope::Once.into(),
                decision_id: "decided".to_owned(),
                escalation_id: if action == pb::Action::Escalate {
                    "asked".to_owned()
                } else {
                    String::new()
                },
                session_id,
                run_id,
                request_id,
                ..Default::default()
            })),
            Reaction::Mistake => Ok(Response::new(pb::DecideResponse {
                action: pb::Action::Approve.into(),
                request_id: "another".to_owned(),
                ..Default::default()
            })),
            Reaction::Fail(code) => Err(Status::new(code, "as told")),
            Reaction::Hang => std::future::pending().await,
        }
    }

    async fn stream_attack_halts(
        &self,
        _request: Request<pb::StreamAttackHaltsRequest>,
    ) -> Result<Response<Self::StreamAttackHaltsStream>, Status> {
        Err(Status::unimplemented("stream_attack_halts"))
    }

    async fn stream_escalations(
        &self,
        _request: Request<pb::StreamEscalationsRequest>,
    ) -> Result<Response<Self::StreamEscalationsStream>, Status> {
        Err(Status::unimplemented("stream_escalations"))
    }

    async fn export_audit(
        &self,
        _request: Request<pb::ExportAuditRequest>,
    ) -> Result<Response<Self::ExportAuditStream>, Status> {
        Err(Status::unimplemented("export_audit"))
    }

    uncalled! {
        rate(RateRequest) -> RateResponse,
        answer(AnswerRequest) -> AnswerResponse,
        manage_grants(ManageGrantsRequest) -> ManageGrantsResponse,
        open_session(OpenSessionRequest) -> OpenSessionResponse,
        update_session(UpdateSessionRequest) -> UpdateSessionResponse,
        get_session(GetSessionRequest) -> GetSessionResponse,
        list_sessions(ListSessionsRequest) -> ListSessionsResponse,
        close_session(CloseSessionRequest) -> CloseSessionResponse,
        list_decisions(ListDecisionsRequest) -> ListDecisionsResponse,
        verify_audit(VerifyAuditRequest) -> VerifyAuditResponse,
        get_server_info(GetServerInfoRequest) -> GetServerInfoResponse,
    }
}

impl Scripted {
    async fn serve(reactions: &[Reaction]) -> (Self, Client) {
        let gate = Self::default();
        gate.reactions.lock().unwrap().extend(reactions.iter().cloned());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tcp(listener.local_addr().unwrap().to_string());
        gate.address.set(address.clone()).unwrap();
        let service = ApprovalGateServer::new(gate.clone());
        tokio::spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        let client = Client::connect(&address).await.unwrap();
        (gate, client)
    }

    /// The same behind TLS, for clients with a certificate of that authority.
    async fn serve_encrypted(authority: &Authority) -> (Self, Address) {
        let gate = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = Address::Tls(format!("localhost:{}", listener.local_addr().unwrap().port()));
        let (chain, key) = authority.issue("localhost");
        let tls = ServerTlsConfig::new()
            .identity(Identity::from_pem(chain, key))
            .client_ca_root(Certificate::from_pem(authority.certificate()));
        let service = ApprovalGateServer::new(gate.clone());
        let mut server = tonic::transport::Server::builder().tls_config(tls).unwrap();
        tokio::spawn(server.add_service(service).serve_with_incoming(TcpListenerStream::new(listener)));
        (gate, address)
    }

    fn address(&self) -> Address {
        self.address.get().unwrap().clone()
    }

    fn asked(&self) -> Vec<pb::DecideRequest> {
        self.asked.lock().unwrap().clone()
    }
}

/// An authority that signs certificates.
struct Authority {
    issuer: rcgen::CertifiedIssuer<'static, rcgen::KeyPair>,
}

impl Authority {
    fn new() -> Self {
        let mut parameters = rcgen::CertificateParams::new(Vec::new()).unwrap();
        parameters.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let key = rcgen::KeyPair::generate().unwrap();
        Self { issuer: rcgen::CertifiedIssuer::self_signed(parameters, key).unwrap() }
    }

    fn certificate(&self) -> String {
        self.issuer.pem()
    }

    /// A certificate for a name, with its key.
    fn issue(&self, name: &str) -> (String, String) {
        let key = rcgen::KeyPair::generate().unwrap();
        let parameters = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        (parameters.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }
}

fn asking() -> pb::DecideRequest {
    pb::DecideRequest { session_id: "s".to_owned(), ..Default::default() }
}

fn code(error: &Error) -> Code {
    error.status().unwrap_or_else(|| panic!("no status: {error:?}")).code()
}

#[tokio::test]
async fn a_request_without_an_id_gets_one_and_keeps_it_through_every_attempt() {
    let failing = [Reaction::Fail(Code::Unavailable), Reaction::Fail(Code::Unavailable)];
    let (gate, client) = Scripted::serve(&failing).await;
    let response = client.decide(asking()).await.unwrap();
    assert_eq!(response.action(), pb::Action::Approve);
    let ids: Vec<String> = gate.asked().into_iter().map(|request| request.request_id).collect();
    assert_eq!(ids.len(), 3);
    assert!(!ids[0].is_empty());
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    let named = pb::DecideRequest { request_id: "mine".to_owned(), ..asking() };
    assert_eq!(client.decide(named).await.unwrap().request_id, "mine");
}

#[tokio::test]
async fn nothing_but_an_unavailable_gate_is_asked_again_and_that_not_for_ever() {
    for (given, attempts) in [(Code::Unavailable, 4), (Code::Internal, 1), (Code::ResourceExhausted, 1)] {
        let (gate, client) = Scripted::serve(&vec![Reaction::Fail(given); 6]).await;
        let error = client.decide(asking()).await.unwrap_err();
        assert_eq!((code(&error), gate.asked().len()), (given, attempts));
        assert_eq!(matches!(error, Error::GateUnavailable(_)), given == Code::Unavailable, "{error:?}");
    }
}

#[tokio::test]
async fn a_gate_that_does_not_answer_in_time_is_unavailable() {
    let (gate, client) = Scripted::serve(&[Reaction::Hang]).await;
    let client = client.with_deadline(Duration::from_millis(100));
    let error = client.decide(asking()).await.unwrap_err();
    assert!(matches!(error, Error::GateUnavailable(_)), "{error:?}");
    assert_eq!(code(&error), Code::DeadlineExceeded);
    assert_eq!(gate.asked().len(), 1);
}

#[tokio::test]
async fn waiting_asks_under_the_same_id_until_there_is_an_answer() {
    let escalate = Reaction::Say(pb::Action::Escalate);
    let script =
        [escalate.clone(), Reaction::Fail(Code::Unavailable), escalate, Reaction::Say(pb::Action::Reject)];
    let (gate, client) = Scripted::serve(&script).await;
    let decision = client.session("s").decide_shell("mend").await.unwrap();
    assert_eq!((decision.action(), decision.approved()), (pb::Action::Reject, false));
    let asked = gate.asked();
    assert_eq!(asked.len(), 4);
    assert!(asked.iter().all(|request| request.wait && request.request_id == asked[0].request_id));
}

#[tokio::test]
async fn waiting_looks_for_a_gate_that_is_gone_only_so_long() {
    let (gate, client) = Scripted::serve(&vec![Reaction::Fail(Code::Unavailable); 100_000]).await;
    drop(client);
    let options = Options::default().reconnect_for(Duration::from_millis(300));
    let client = options.connect(&gate.address()).await.unwrap();
    let error = client.session("s").decide_shell("mend").await.unwrap_err();
    assert!(matches!(error, Error::GateUnavailable(_)), "{error:?}");
    assert!(gate.asked().len() > 1);
}

#[tokio::test]
async fn waiting_ends_at_its_limit_with_what_still_waits() {
    let (gate, client) = Scripted::serve(&[Reaction::Say(pb::Action::Escalate)]).await;
    let decision = client.session("s").decide_shell("mend").max_wait(Duration::ZERO).await.unwrap();
    assert_eq!((decision.action(), decision.escalation_id()), (pb::Action::Escalate, Some("asked")));
    assert!(!decision.approved());
    assert_eq!(gate.asked()[0].max_wait, Some(prost_types::Duration::default()));
}

#[tokio::test]
async fn a_halt_an_unattended_run_and_an_answer_that_cannot_be_trusted_are_errors_of_their_own() {
    let script = [
        Reaction::Say(pb::Action::Halt),
        Reaction::Say(pb::Action::Unattended),
        Reaction::Mistake,
        Reaction::Say(pb::Action::Approve),
    ];
    let (_gate, client) = Scripted::serve(&script).await;
    let session = client.session("s");
    let halted = session.decide_shell("mend").await.unwrap_err();
    assert!(matches!(&halted, Error::AttackHalted(decision) if !decision.approved()), "{halted:?}");
    let unattended = session.decide_shell("mend").await.unwrap_err();
    assert!(matches!(&unattended, Error::Unattended(decision) if !decision.approved()), "{unattended:?}");
    let mistaken = session.decide_shell("mend").await.unwrap_err();
    assert!(matches!(mistaken, Error::UnexpectedAnswer(_)), "{mistaken:?}");
    assert!(session.decide_shell("mend").await.unwrap().approved());
}

#[tokio::test]
async fn a_dry_run_is_never_an_approval() {
    let (gate, client) = Scripted::serve(&[Reaction::Say(pb::Action::Approve)]).await;
    let explained = client.session("s").decide_shell("mend").dry_run().await.unwrap();
    assert_eq!((explained.action(), explained.approved()), (pb::Action::Approve, false));
    assert!(gate.asked()[0].dry_run);
}

#[tokio::test]
async fn a_call_goes_out_as_it_was_put_together() {
    let (gate, client) = Scripted::serve(&[]).await;
    let session = client.session("s");
    let arguments = serde_json::json!({ "path": "a" });
    let arguments = arguments.as_object().unwrap();
    session.decide_shell("mend").cwd("/w").home("/h").justification("why").run_id("r").await.unwrap();
    session.decide_tool("read_file", arguments).cwd("/w").await.unwrap();
    session.decide_mcp("jira", "read", arguments).await.unwrap();
    session.decide_registered("mcp__jira__read", arguments).request_id("mine").await.unwrap();
    let asked = gate.asked();
    let kinds: Vec<pb::call::Kind> =
        asked.iter().map(|request| request.call.clone().unwrap().kind.unwrap()).collect();
    let arguments_json = r#"{"path":"a"}"#.to_owned();
    let shell = pb::ShellCall {
        command: "mend".to_owned(),
        cwd: "/w".to_owned(),
        home: "/h".to_owned(),
        justification: "why".to_owned(),
        ..Default::default()
    };
    assert_eq!(kinds[0], pb::call::Kind::Shell(shell));
    let pb::call::Kind::Tool(tool) = &kinds[1] else { panic!("{kinds:?}") };
    assert_eq!((&tool.arguments_json, tool.cwd.as_str()), (&arguments_json, "/w"));
    let pb::call::Kind::McpTool(mcp) = &kinds[2] else { panic!("{kinds:?}") };
    assert_eq!(
        (mcp.server.as_str(), mcp.name.as_str(), &mcp.arguments_json),
        ("jira", "read", &arguments_json)
    );
    assert_eq!((asked[0].run_id.as_str(), asked[3].request_id.as_str()), ("r", "mine"));
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = Client::connect(&Address::Tcp(address.clone())).await.unwrap_err();
    assert!(error.to_string().starts_with(&format!("no gate answers at {address}: ")), "{error}");
}

#[tokio::test]
async fn a_token_goes_out_with_every_request() {
    let (gate, _client) = Scripted::serve(&[]).await;
    let client = Options::default().token("secret").connect(&gate.address()).await.unwrap();
    client.decide(asking()).await.unwrap();
    assert_eq!(*gate.authorization.lock().unwrap(), Some("Bearer secret".to_owned()));
}

#[tokio::test]
async fn a_connection_behind_tls_needs_the_right_authority_and_the_right_certificate() {
    let authority = Authority::new();
    let (gate, address) = Scripted::serve_encrypted(&authority).await;
    let (chain, key) = authority.issue("agent");
    let trusting = || Options::default().certificate_authority(authority.certificate());
    let client = trusting()
        .client_certificate(chain.clone(), key.clone())
        .token("secret")
        .connect(&address)
        .await
        .unwrap();
    assert!(client.session("s").decide_shell("ls").await.unwrap().approved());
    assert_eq!(*gate.authorization.lock().unwrap(), Some("Bearer secret".to_owned()));

    let (stranger_chain, stranger_key) = Authority::new().issue("agent");
    let refused = [
        Options::default().client_certificate(chain, key),
        trusting(),
        trusting().client_certificate(stranger_chain, stranger_key),
    ];
    for options in refused {
        // A client certificate is refused after the connection was made, so the first request may be what tells.
        if let Ok(client) = options.connect(&address).await {
            let error = client.decide(asking()).await.unwrap_err();
            assert!(matches!(error, Error::GateUnavailable(_)), "{error:?}");
        }
    }
    assert_eq!(gate.asked().len(), 1);
}
