//! Who calls through nginx, with what, and what of it arrives.

use crate::proxy::Nginx;
use crate::support::*;
use axum::http::{HeaderMap, Response};
use haltgate::proto::v1 as pb;
use prost::Message;
use reqwest::StatusCode;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::service::Routes;

#[tokio::test]
async fn the_limits_that_a_caller_meets_are_the_gates_own() {
    let gate = Gate::plain().await;
    let nginx = Nginx::before(gate.address, &[]).await;
    let mut client = nginx.client().await;
    let long = shell("s", &"x".repeat(3 << 20));
    let refused = client.stub().decide(long).await.unwrap_err();
    Failure::of(&refused).expect_field("LIMIT_EXCEEDED", "call.shell.command");
    let fine = client.stub().decide(shell("s", "ls")).await.unwrap().into_inner();
    assert_eq!(fine.action(), pb::Action::Approve);
}

/// A message as gRPC-Web frames it.
fn framed(message: &impl Message) -> Vec<u8> {
    let message = message.encode_to_vec();
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend(message);
    body
}

#[tokio::test]
async fn the_console_works_under_the_public_name_and_for_its_own_page_alone() {
    let gate = Gate::plain().await;
    let nginx = Nginx::before(gate.address, &[]).await;
    let browser = nginx.browser();
    let page = browser.get(nginx.url("/")).send().await.unwrap();
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.text().await.unwrap().contains("/app.js"));
    let decide = |origin: String| {
        browser
            .post(nginx.url("/haltgate.v1.ApprovalGate/Decide"))
            .header("content-type", "application/grpc-web+proto")
            .header("x-grpc-web", "1")
            .header("origin", origin)
            .body(framed(&shell("s", "ls")))
            .send()
    };
    let own = decide(nginx.url("")).await.unwrap();
    assert_eq!(
        (own.status(), own.headers()["content-type"].as_bytes()),
        (StatusCode::OK, b"application/grpc-web+proto".as_slice())
    );
    let body = own.bytes().await.unwrap();
    let length = u32::from_be_bytes(body[1..5].try_into().unwrap()) as usize;
    let decision = pb::DecideResponse::decode(&body[5..5 + length]).unwrap();
    assert_eq!(decision.action(), pb::Action::Approve);
    assert!(String::from_utf8_lossy(&body[5 + length..]).contains("grpc-status:0"));
    for foreign in ["https://evil.example", "null", "http://localhost", "https://localhost"] {
        assert_eq!(decide(foreign.to_owned()).await.unwrap().status(), StatusCode::FORBIDDEN, "{foreign}");
    }
}

#[tokio::test]
async fn nobody_is_served_under_another_name() {
    let gate = Gate::plain().await;
    let nginx = Nginx::before(gate.address, &[]).await;
    let elsewhere = format!("https://gate.elsewhere:{}/", nginx.port);
    assert!(nginx.browser().get(elsewhere).send().await.unwrap_err().is_connect());
}

#[tokio::test]
async fn what_callers_claim_about_themselves_is_overwritten_and_their_credentials_arrive() {
    // In the gate's place, somebody who looks at what arrives.
    let seen: Arc<Mutex<Vec<HeaderMap>>> = Arc::default();
    let keeper = Arc::clone(&seen);
    let router = axum::Router::new().fallback(move |headers: HeaderMap| {
        keeper.lock().unwrap().push(headers);
        std::future::ready(
            Response::builder()
                .header("content-type", "application/grpc")
                .header("grpc-status", "7")
                .body(axum::body::Body::empty())
                .unwrap(),
        )
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = tonic::transport::Server::builder().add_routes(Routes::from(router));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let nginx = Nginx::before(address, &[]).await;
    let mut request = tonic::Request::new(shell("s", "ls"));
    let forged = [
        ("x-forwarded-client-cert", "URI=spiffe://mesh/operator"),
        ("l5d-client-id", "operator.identity"),
        ("x-client-cert", "forged"),
        ("ssl-client-cert", "forged"),
        ("forwarded", "for=10.0.0.1"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x-real-ip", "10.0.0.1"),
    ];
    for (name, value) in forged {
        request.metadata_mut().insert(name, value.parse().unwrap());
    }
    request.metadata_mut().insert("authorization", "Bearer token".parse().unwrap());
    request.metadata_mut().insert("traceparent", "00-1-2-01".parse().unwrap());
    let refused = nginx.client().await.stub().decide(request).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied, "{refused:?}");
    let seen = seen.lock().unwrap();
    let value = |name: &str| seen[0].get(name).map(|value| value.to_str().unwrap().to_owned());
    for name in ["x-forwarded-client-cert", "l5d-client-id", "x-client-cert", "ssl-client-cert", "forwarded"]
    {
        assert_eq!(value(name), None, "{name}");
    }
    for (name, expected) in [
        ("x-forwarded-for", "127.0.0.1"),
        ("x-real-ip", "127.0.0.1"),
        ("authorization", "Bearer token"),
        ("traceparent", "00-1-2-01"),
        ("te", "trailers"),
    ] {
        assert_eq!(value(name).as_deref(), Some(expected), "{name}");
    }
}
