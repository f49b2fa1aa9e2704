//! A gate that is told to stop: what it says, what it still takes, and that nobody can hold it.

use super::gate::Served;
use haltgate::proto::health::HealthCheckRequest;
use haltgate::proto::health::health_check_response::ServingStatus;
use haltgate::proto::health::health_client::HealthClient;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use tokio::runtime::Runtime;
use tonic::transport::Channel;

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

async fn health(address: &str) -> HealthClient<Channel> {
    HealthClient::connect(format!("http://{address}")).await.unwrap()
}

/// Waits until the log says it.
fn logged(served: &Served, what: &str) {
    while !served.log().contains(what) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_gate_that_leaves_says_so_before_it_refuses_anybody() {
    // An hour: the second signal ends it.
    let mut served =
        Served::start(r#"{ "server": { "lame_duck": "1h" } }"#, &["--ephemeral", "--log", "info"]);
    let runtime = runtime();
    let mut watched = runtime.block_on(async {
        let mut client = health(&served.address).await;
        let mut watched = client.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
        // It begins as not serving, until its store answered.
        while watched.message().await.unwrap().unwrap().status() != ServingStatus::Serving {}
        watched
    });
    served.signal("TERM");
    let said = runtime.block_on(async { watched.message().await.unwrap().unwrap().status() });
    assert_eq!(said, ServingStatus::NotServing);
    // Over connections that are new as well as over old ones.
    let ran = served.run(&["decide", "--", "git", "status"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    logged(&served, "leaving");
    assert!(!served.has_ended());
    served.signal("TERM");
    assert_eq!(served.ended().code(), Some(130));
}

#[test]
fn a_second_signal_ends_a_gate_that_waits_for_requests() {
    let mut served =
        Served::start(r#"{ "server": { "drain_timeout": "1h" } }"#, &["--ephemeral", "--log", "info"]);
    // Half of a request: it never ends by itself.
    let mut half = TcpStream::connect(&served.address).unwrap();
    half.write_all(b"POST /haltgate.v1.ApprovalGate/Decide HTTP/1.1\r\nHost: localhost\r\n").unwrap();
    half.write_all(b"Content-Type: application/grpc-web+proto\r\nContent-Length: 100\r\n\r\n").unwrap();
    // It is under way when another one, that came later, was answered.
    assert_eq!(served.run(&["decide", "--", "git", "status"]).code, 0);
    served.signal("TERM");
    // Nobody is let in any more.
    while TcpStream::connect(&served.address).is_ok() {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(!served.has_ended());
    served.signal("INT");
    assert_eq!(served.ended().code(), Some(130));
    drop(half);
}

/// The preface of HTTP/2 and empty settings.
const HELLO: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

#[test]
fn clients_that_do_not_react_hold_the_end_no_longer_than_configured() {
    let mut served = Served::start(
        r#"{ "server": { "drain_timeout": "1s", "heartbeat": "1s" } }"#,
        &["--store", "gate.db", "--log", "info"],
    );
    // One that never reads, one that stops in the middle of a request, one that says nothing, one that is told to go and stays.
    let mut deaf = TcpStream::connect(&served.address).unwrap();
    deaf.write_all(HELLO).unwrap();
    let mut half = TcpStream::connect(&served.address).unwrap();
    half.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n").unwrap();
    let silent = TcpStream::connect(&served.address).unwrap();
    let mut stays = TcpStream::connect(&served.address).unwrap();
    stays.write_all(HELLO).unwrap();
    // Its settings, and an acknowledgement of the client's: the gate has taken the connection.
    let mut settings = [0; 9];
    stays.read_exact(&mut settings).unwrap();
    assert_eq!(settings[3], 4, "{settings:?}");
    served.signal("TERM");
    assert_eq!(served.ended().code(), Some(0), "{}", served.log());
    // GOAWAY was said, and then the connection was cut.
    let mut rest = Vec::new();
    let _how = stays.read_to_end(&mut rest);
    let mut frames = rest.as_slice();
    let length = usize::from(settings[2]) + 256 * usize::from(settings[1]);
    frames = &frames[length..];
    let mut kinds = Vec::new();
    while frames.len() >= 9 {
        let length = usize::from(frames[2]) + 256 * usize::from(frames[1]);
        kinds.push(frames[3]);
        frames = &frames[9 + length..];
    }
    assert!(kinds.contains(&7), "{kinds:?}");
    assert!(served.log().contains("cut off"), "{}", served.log());
    assert!(served.log().contains("stopped"), "{}", served.log());
    drop((deaf, half, silent));
    // The store was closed in order: it opens again, and what was written is there.
    let again = served.back(&["--store", "gate.db"]);
    assert_eq!(again.run(&["audit", "verify"]).code, 0);
}
