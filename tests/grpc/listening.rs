//! Where the gate listens: loopback, a Unix socket, and nowhere else.

use crate::support::*;
use haltgate::config::{ServerSettings, SocketSettings};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server::{SocketError, StartError, start};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::PathBuf;
use std::time::Duration;
use tonic::transport::{Channel, Endpoint};

fn on_socket(socket: Option<PathBuf>) -> ServerSettings {
    ServerSettings {
        listen: Vec::new(),
        socket: socket.map(SocketSettings::at),
        drain_timeout: Duration::from_millis(500),
        ..ServerSettings::default()
    }
}

async fn connect(path: PathBuf) -> Channel {
    Endpoint::from_shared(format!("unix://{}", path.display())).unwrap().connect().await.unwrap()
}

#[tokio::test]
async fn a_socket_is_its_owners_alone_and_goes_with_the_gate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haltgate.sock");
    let running = start(engine(), &on_socket(Some(path.clone()))).await.unwrap();
    assert_eq!((running.address(), running.socket()), (None, Some(path.as_path())));
    let found = std::fs::metadata(&path).unwrap();
    assert!(found.file_type().is_socket());
    assert_eq!(found.permissions().mode() & 0o777, 0o600);
    let mut client = ApprovalGateClient::new(connect(path.clone()).await);
    let given = client.decide(shell("s", "ls")).await.unwrap().into_inner();
    assert_eq!(given.action(), pb::Action::Approve);
    drop(client);
    running.stopped(async {}).await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn a_stale_socket_is_replaced_and_a_live_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haltgate.sock");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(path.exists(), "left behind by a process that died");
    let running = start(engine(), &on_socket(Some(path.clone()))).await.unwrap();
    let refused = start(engine(), &on_socket(Some(path.clone()))).await.unwrap_err();
    assert!(matches!(refused, StartError::Socket(SocketError::InUse { .. })), "{refused}");
    ApprovalGateClient::new(connect(path).await).decide(shell("s", "ls")).await.unwrap();
    drop(running);
}

#[tokio::test]
async fn what_is_no_socket_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("precious.txt");
    std::fs::write(&path, "precious").unwrap();
    let refused = start(engine(), &on_socket(Some(path.clone()))).await.unwrap_err();
    assert!(matches!(refused, StartError::Socket(SocketError::Unusable { .. })), "{refused}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "precious");
}

#[tokio::test]
async fn only_this_machine_is_listened_on_and_nowhere_is_an_error() {
    for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:7557"] {
        let settings = ServerSettings { listen: vec![address.parse().unwrap()], ..ServerSettings::default() };
        let refused = start(engine(), &settings).await.unwrap_err();
        assert!(matches!(refused, StartError::Unguarded(_)), "{address}: {refused}");
    }
    assert!(matches!(start(engine(), &on_socket(None)).await.unwrap_err(), StartError::Nowhere));
    let settings = |address| ServerSettings { listen: vec![address], ..ServerSettings::default() };
    let running = start(engine(), &settings("127.0.0.1:0".parse().unwrap())).await.unwrap();
    let taken = start(engine(), &settings(running.address().unwrap())).await.unwrap_err();
    assert!(matches!(taken, StartError::Address { .. }), "{taken}");
}

#[tokio::test]
async fn address_and_socket_are_one_gate() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haltgate.sock");
    let settings =
        ServerSettings { listen: vec!["127.0.0.1:0".parse().unwrap()], ..on_socket(Some(path.clone())) };
    let running = start(engine(), &settings).await.unwrap();
    let tcp = Endpoint::from_shared(format!("http://{}", running.address().unwrap()))
        .unwrap()
        .connect()
        .await
        .unwrap();
    let one = ApprovalGateClient::new(tcp).decide(named("q", shell("s", "ls"))).await.unwrap().into_inner();
    let other = ApprovalGateClient::new(connect(path).await)
        .decide(named("q", shell("s", "ls")))
        .await
        .unwrap()
        .into_inner();
    assert_eq!((one.decision_id, other.replayed), (other.decision_id, true));
}
