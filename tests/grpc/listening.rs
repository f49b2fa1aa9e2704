//! Where the gate listens, and who may reach it there.

use crate::support::*;
use haltgate::config::{ServerSettings, SocketGroup, SocketSettings};
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use haltgate::server::{SocketError, StartError, start};
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
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

#[tokio::test]
async fn a_socket_has_the_rights_that_are_asked_for_and_never_wider_ones() {
    for (mode, group) in [(0o600, None), (0o660, None), (0o640, Some(SocketGroup::Number(own_group())))] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("haltgate.sock");
        let looked = Looking::at(folder.path().to_owned(), path.clone());
        let settings = ServerSettings {
            listen: Vec::new(),
            socket: Some(SocketSettings { path: path.clone(), mode, group }),
            ..ServerSettings::default()
        };
        for _ in 0..20 {
            let running = start(engine(), &settings).await.unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
            running.stopped(async {}).await.unwrap();
            assert!(!path.exists());
        }
        // Whatever was seen while it came and went, a hundred thousand times a second.
        let seen = looked.end();
        assert!(seen.is_subset(&BTreeSet::from([mode])), "{mode:o}: {seen:?}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
    }
}

fn own_group() -> u32 {
    std::os::unix::fs::MetadataExt::gid(&std::fs::metadata("/proc/self").unwrap())
}

/// Looks at every socket in a folder that others could reach, until it is told to end.
struct Looking {
    done: Arc<AtomicBool>,
    thread: std::thread::JoinHandle<BTreeSet<u32>>,
}

impl Looking {
    fn at(folder: PathBuf, socket: PathBuf) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        let thread = std::thread::spawn(move || {
            let mut seen = BTreeSet::new();
            while !ended.load(Ordering::Acquire) {
                if let Ok(found) = std::fs::symlink_metadata(&socket) {
                    seen.insert(found.permissions().mode() & 0o7777);
                }
                for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                    // A folder that others cannot enter hides what is in it.
                    if let Ok(found) = entry.metadata()
                        && found.is_dir()
                    {
                        assert_eq!(found.permissions().mode() & 0o077, 0, "{entry:?}");
                    }
                }
            }
            seen
        });
        Self { done, thread }
    }

    fn end(self) -> BTreeSet<u32> {
        self.done.store(true, Ordering::Release);
        self.thread.join().unwrap()
    }
}

#[tokio::test]
async fn a_socket_that_others_may_replace_or_all_may_use_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let open = folder.path().join("open");
    std::fs::create_dir(&open).unwrap();
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o777)).unwrap();
    let refused = start(engine(), &on_socket(Some(open.join("s")))).await.unwrap_err();
    assert!(matches!(refused, StartError::Socket(SocketError::Replaceable { .. })), "{refused}");
    // As in /tmp: nobody may replace what is another's.
    std::fs::set_permissions(&open, std::fs::Permissions::from_mode(0o1777)).unwrap();
    drop(start(engine(), &on_socket(Some(open.join("s")))).await.unwrap());

    let socket = SocketSettings { mode: 0o666, ..SocketSettings::at(folder.path().join("s")) };
    let for_all = ServerSettings { listen: Vec::new(), socket: Some(socket), ..ServerSettings::default() };
    let refused = start(engine(), &for_all).await.unwrap_err();
    assert!(matches!(refused, StartError::Unguarded(_)), "{refused}");
    assert!(refused.to_string().contains("every user of this machine"), "{refused}");
    drop(start(engine(), &ServerSettings { insecure: true, ..for_all }).await.unwrap());

    let group = Some(SocketGroup::Name("no-such-group-here".to_owned()));
    let socket = SocketSettings { group, ..SocketSettings::at(folder.path().join("s")) };
    let settings = ServerSettings { listen: Vec::new(), socket: Some(socket), ..ServerSettings::default() };
    let refused = start(engine(), &settings).await.unwrap_err();
    assert!(matches!(refused, StartError::Socket(SocketError::NoSuchGroup { .. })), "{refused}");
}

#[tokio::test]
async fn a_gate_that_ends_leaves_the_socket_of_its_successor_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("haltgate.sock");
    let first = start(engine(), &on_socket(Some(path.clone()))).await.unwrap();
    std::fs::remove_file(&path).unwrap();
    let second = start(engine(), &on_socket(Some(path.clone()))).await.unwrap();
    first.stopped(async {}).await.unwrap();
    ApprovalGateClient::new(connect(path.clone()).await).decide(shell("s", "ls")).await.unwrap();
    second.stopped(async {}).await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn several_addresses_are_one_gate_and_more_connections_than_allowed_are_turned_away() {
    let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
    let settings = ServerSettings { listen: vec![any, any], max_connections: 4, ..ServerSettings::default() };
    let running = start(engine(), &settings).await.unwrap();
    let [one, other] = running.addresses() else { panic!("{:?}", running.addresses()) };
    let endpoint = |address: &SocketAddr| Endpoint::from_shared(format!("http://{address}")).unwrap();
    let mut kept = Vec::new();
    for address in [one, other, one, other] {
        let mut client = ApprovalGateClient::new(endpoint(address).connect().await.unwrap());
        client.decide(shell("s", "ls")).await.unwrap();
        kept.push(client);
    }
    for address in [one, other] {
        let mut turned_away = TcpStream::connect(address).await.unwrap();
        let mut nothing = Vec::new();
        let _how = turned_away.read_to_end(&mut nothing).await;
        assert!(nothing.is_empty());
    }
    // One goes, and there is a place for another.
    kept.pop();
    loop {
        if let Ok(channel) = endpoint(one).connect().await
            && ApprovalGateClient::new(channel).decide(shell("s", "ls")).await.is_ok()
        {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
