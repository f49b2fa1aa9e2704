//! The page for people, and the contract as a browser speaks it: plain HTTP/1.1, gRPC-Web.

use crate::support::*;
use haltgate::proto::v1 as pb;
use prost::Message;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a server answered to one request, as bytes.
pub(crate) async fn http(address: SocketAddr, head: &str, body: &[u8]) -> (String, Vec<u8>) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = format!("{head}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..end].to_vec()).unwrap().to_lowercase();
    (head, answer[end + 4..].to_vec())
}

#[tokio::test]
async fn the_page_is_served_with_a_policy_that_lets_nothing_else_in() {
    let gate = Gate::plain().await;
    for (path, kind) in [
        ("/", "text/html"),
        ("/app.js", "text/javascript"),
        ("/app.css", "text/css"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}", gate.address);
        let (head, body) = http(gate.address, &request, b"").await;
        assert!(head.starts_with("http/1.1 200"), "{path}: {head}");
        assert!(head.contains(&format!("content-type: {kind}")), "{path}: {head}");
        assert!(
            head.contains("content-security-policy: default-src 'none'; script-src 'self'"),
            "{path}: {head}"
        );
        assert!(head.contains("x-content-type-options: nosniff"), "{path}: {head}");
        assert!(!body.is_empty(), "{path}");
    }
    let request = format!("GET /nothing HTTP/1.1\r\nhost: {}", gate.address);
    let (head, _) = http(gate.address, &request, b"").await;
    assert!(!head.starts_with("http/1.1 200"), "{head}");
}

#[tokio::test]
async fn a_browser_decides_over_grpc_web_and_another_site_cannot() {
    let gate = Gate::plain().await;
    let message = shell("s", "ls").encode_to_vec();
    let mut body = vec![0];
    body.extend(u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend(&message);
    let request = |host: &str, origin: &str| {
        format!(
            "POST /haltgate.v1.ApprovalGate/Decide HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\n\
             content-type: application/grpc-web+proto\r\nx-grpc-web: 1"
        )
    };
    let host = gate.address.to_string();
    let own = format!("http://{host}");
    let (head, answer) = http(gate.address, &request(&host, &own), &body).await;
    assert!(head.starts_with("http/1.1 200") && head.contains("application/grpc-web"), "{head}");
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.contains("grpc-status:0"), "{answer}");
    let before = gate.records_of("s").await.len();
    assert_eq!(before, 1);
    let rebound = format!("evil.example:{}", gate.address.port());
    for (host, origin) in [
        (host.as_str(), "https://evil.example"),
        (host.as_str(), "null"),
        (rebound.as_str(), &format!("http://{rebound}")),
    ] {
        let (head, _) = http(gate.address, &request(host, origin), &body).await;
        assert!(head.starts_with("http/1.1 403"), "{host} {origin}: {head}");
    }
    assert_eq!(gate.records_of("s").await.len(), before, "nothing of it was decided");
    let decided: pb::DecisionRecord = gate.records_of("s").await.remove(0);
    assert_eq!(decided.action(), pb::Action::Approve);
}
