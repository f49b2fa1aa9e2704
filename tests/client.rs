//! What the Rust client adds to the generated code: ids, retries, deadlines and waiting, against a scripted gate.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

use haltgate::client::{Address, Client};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_server::{ApprovalGate, ApprovalGateServer};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Code, Request, Response, Status};

/// What the gate does with one request.
#[derive(Debug, Clone)]
enum Reaction {
    Say(pb::Action),
    Fail(Code),
    Hang,
}

/// A gate that reacts as told and remembers what it was asked; when nothing is left it approves.
#[derive(Debug, Clone, Default)]
struct Scripted {
    reactions: Arc<Mutex<VecDeque<Reaction>>>,
    asked: Arc<Mutex<Vec<pb::DecideRequest>>>,
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

    async fn decide(
        &self,
        request: Request<pb::DecideRequest>,
    ) -> Result<Response<pb::DecideResponse>, Status> {
        let request = request.into_inner();
        let request_id = request.request_id.clone();
        self.asked.lock().unwrap().push(request);
        let reaction = self.reactions.lock().unwrap().pop_front();
        match reaction.unwrap_or(Reaction::Say(pb::Action::Approve)) {
            Reaction::Say(action) => Ok(Response::new(pb::DecideResponse {
                action: action.into(),
                request_id,
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
        let service = ApprovalGateServer::new(gate.clone());
        tokio::spawn(
            tonic::transport::Server::builder()
                .add_service(service)
                .serve_with_incoming(TcpListenerStream::new(listener)),
        );
        let client = Client::connect(&address).await.unwrap();
        (gate, client)
    }

    fn asked(&self) -> Vec<pb::DecideRequest> {
        self.asked.lock().unwrap().clone()
    }
}

#[tokio::test]
async fn a_request_without_an_id_gets_one_and_keeps_it_through_every_attempt() {
    let failing = [Reaction::Fail(Code::Unavailable), Reaction::Fail(Code::Unavailable)];
    let (gate, mut client) = Scripted::serve(&failing).await;
    let response = client.decide(pb::DecideRequest::default()).await.unwrap();
    assert_eq!(response.action(), pb::Action::Approve);
    let ids: Vec<String> = gate.asked().into_iter().map(|request| request.request_id).collect();
    assert_eq!(ids.len(), 3);
    assert!(!ids[0].is_empty());
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");

    let named = pb::DecideRequest { request_id: "mine".to_owned(), ..Default::default() };
    assert_eq!(client.decide(named).await.unwrap().request_id, "mine");
}

#[tokio::test]
async fn nothing_but_an_unavailable_gate_is_asked_again_and_that_not_for_ever() {
    for (code, attempts) in [(Code::Unavailable, 3), (Code::Internal, 1), (Code::ResourceExhausted, 1)] {
        let (gate, mut client) = Scripted::serve(&vec![Reaction::Fail(code); 5]).await;
        let status = client.decide(pb::DecideRequest::default()).await.unwrap_err();
        assert_eq!((status.code(), gate.asked().len()), (code, attempts));
    }
}

#[tokio::test]
async fn a_gate_that_does_not_answer_in_time_is_a_deadline_exceeded() {
    let (gate, client) = Scripted::serve(&[Reaction::Hang]).await;
    let mut client = client.with_deadline(Duration::from_millis(100));
    let started = Instant::now();
    let status = client.decide(pb::DecideRequest::default()).await.unwrap_err();
    assert_eq!(status.code(), Code::DeadlineExceeded);
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_eq!(gate.asked().len(), 1);
}

#[tokio::test]
async fn waiting_asks_under_the_same_id_until_there_is_an_answer() {
    let escalate = Reaction::Say(pb::Action::Escalate);
    let (gate, mut client) =
        Scripted::serve(&[escalate.clone(), escalate, Reaction::Say(pb::Action::Reject)]).await;
    let response = client.decide_and_wait(pb::DecideRequest::default(), None).await.unwrap();
    assert_eq!(response.action(), pb::Action::Reject);
    let asked = gate.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked.iter().all(|request| request.wait && request.request_id == asked[0].request_id));
}

#[tokio::test]
async fn waiting_ends_at_its_limit_with_what_still_waits() {
    let (gate, mut client) = Scripted::serve(&[Reaction::Say(pb::Action::Escalate)]).await;
    let limit = Some(Duration::ZERO);
    let response = client.decide_and_wait(pb::DecideRequest::default(), limit).await.unwrap();
    assert_eq!(response.action(), pb::Action::Escalate);
    assert_eq!(gate.asked()[0].max_wait, Some(prost_types::Duration::default()));
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_named() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let error = Client::connect(&Address::Tcp(address.clone())).await.unwrap_err();
    assert!(error.to_string().starts_with(&format!("no gate answers at {address}: ")), "{error}");
}
