//! Deadlines: the caller's own and the longest that the gate lets a request take. Whoever waited long enough hears
//! `DEADLINE_EXCEEDED` from the gate, and nothing else; what was begun can be asked for again.

use crate::support::*;
use axum::http;
use haltgate::config::ServerSettings;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};
use prost::Message;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::{Code, Status};

/// A message as it goes over the wire.
fn framed(message: &impl Message) -> Vec<u8> {
    let message = message.encode_to_vec();
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend(&message);
    body
}

/// What the gate itself answers to a call with this deadline: tonic's own client would look at it, too.
async fn decide_within(gate: &Gate, request: &pb::DecideRequest, timeout: &str) -> Status {
    let stream = TcpStream::connect(gate.address).await.unwrap();
    let (mut sender, connection) = h2::client::handshake(stream).await.unwrap();
    let connection = tokio::spawn(connection);
    let head = http::Request::post(format!("http://{}/haltgate.v1.ApprovalGate/Decide", gate.address))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("grpc-timeout", timeout)
        .body(())
        .unwrap();
    let (response, mut body) = sender.send_request(head, false).unwrap();
    body.send_data(framed(request).into(), true).unwrap();
    let response = response.await.unwrap();
    let status = match Status::from_header_map(response.headers()) {
        Some(status) => status,
        None => {
            let mut body = response.into_body();
            while let Some(bytes) = body.data().await {
                body.flow_control().release_capacity(bytes.unwrap().len()).unwrap();
            }
            Status::from_header_map(&body.trailers().await.unwrap().unwrap()).unwrap()
        }
    };
    connection.abort();
    status
}

#[tokio::test]
async fn a_deadline_that_passes_while_a_rating_runs_is_said_as_such_and_the_request_can_be_asked_again() {
    let gate = Gate::at("assisted").await;
    for round in 0..10 {
        gate.rater.delay(Duration::from_secs(3600));
        let call = named(&format!("q{round}"), shell("s", &format!("make {round}")));
        let status = decide_within(&gate, &call, "50m").await;
        let failure = Failure::of(&status);
        failure.expect(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
        assert_eq!(["scope", "limit_ms"].map(|key| failure.metadata(key)), ["caller", "50"]);
        assert_eq!(gate.records_of("s").await.len(), round, "nothing was decided");
        gate.rater.delay(Duration::ZERO);
        let given = gate.decide(call.clone()).await;
        assert_eq!((given.action(), given.replayed), (Action::Approve, false));
        let again = gate.decide(call).await;
        assert_eq!((again.decision_id, again.replayed), (given.decision_id, true));
    }
}

#[tokio::test]
async fn no_request_takes_longer_than_the_gate_lets_it_unless_it_waits_for_a_human() {
    let setup = Setup { policy: r#"{ "approvals": { "mode": "assisted" } }"#.to_owned(), ..Setup::default() };
    let settings = ServerSettings { max_request_time: Duration::from_millis(300), ..setup.settings.clone() };
    let gate = Gate::start(Setup { settings, ..setup }).await;
    gate.rater.delay(Duration::from_secs(3600));
    let failure = gate.try_decide(shell("s", "make")).await.unwrap_err();
    failure.expect(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
    assert_eq!(["scope", "limit_ms"].map(|key| failure.metadata(key)), ["server", "300"]);
    let rate = pb::RateRequest { call: Some(shell_call("ls")), ..Default::default() };
    gate.rate(rate).await.unwrap_err().expect(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");

    gate.rater.delay(Duration::ZERO);
    gate.open(pb::OpenSessionRequest { rung: pb::Rung::Manual.into(), ..opening("w") }).await;
    let mut client = gate.client.clone();
    let waiting = pb::DecideRequest { wait: true, ..named("q", shell("w", "make")) };
    let held = tokio::spawn(async move { client.decide(waiting).await.unwrap().into_inner() });
    let open = loop {
        if let Some(record) = gate.records_of("w").await.first() {
            break record.escalation_id.clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    // Longer than any other request may take.
    tokio::time::sleep(Duration::from_millis(900)).await;
    gate.answer(answering(&open, Verdict::Approve, Scope::Once)).await;
    assert_eq!(held.await.unwrap().action(), Action::Approve);
}

#[tokio::test]
async fn a_deadline_that_cannot_be_read_is_refused() {
    let gate = Gate::plain().await;
    for timeout in ["soon", "10", "123456789S", "-1S"] {
        let status = decide_within(&gate, &shell("s", "ls"), timeout).await;
        Failure::of(&status).expect_field("INVALID_FIELD", "grpc-timeout");
    }
    assert_eq!(gate.try_get("", "s").await.unwrap_err().reason, "SESSION_NOT_FOUND", "nothing was begun");
    for timeout in ["99999999H", "30S"] {
        assert_eq!(decide_within(&gate, &shell("s", "ls"), timeout).await.code(), Code::Ok);
    }
}

#[tokio::test]
async fn a_deadline_that_has_passed_already_is_never_said_to_be_the_callers_own_hanging_up() {
    let gate = Gate::at("assisted").await;
    gate.rater.delay(Duration::from_secs(3600));
    for timeout in ["0S", "1n", "1u", "1m", "2m", "3m", "5m", "8m", "13m", "21m"] {
        for round in 0..5 {
            let call = shell("s", &format!("make {timeout} {round}"));
            let status = decide_within(&gate, &call, timeout).await;
            Failure::of(&status).expect(Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
        }
    }
}

#[tokio::test]
async fn a_browser_hears_the_same_over_grpc_web() {
    let gate = Gate::at("assisted").await;
    gate.rater.delay(Duration::from_secs(3600));
    let body = framed(&shell("s", "make"));
    for (timeout, status) in [("50m", "grpc-status: 4"), ("soon", "grpc-status: 3")] {
        let mut stream = TcpStream::connect(gate.address).await.unwrap();
        let head = format!(
            "POST /haltgate.v1.ApprovalGate/Decide HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: close\r\n\
             content-type: application/grpc-web+proto\r\ngrpc-timeout: {timeout}\r\ncontent-length: {1}\r\n\r\n",
            gate.address,
            body.len()
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&body).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        let answer = answer.to_lowercase();
        assert!(answer.contains(status), "{answer}");
        assert!(answer.contains("content-type: application/grpc-web+proto"), "{answer}");
        assert!(answer.contains("grpc-status-details-bin"), "{answer}");
    }
}
