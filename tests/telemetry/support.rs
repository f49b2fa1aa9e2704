//! A gate with an admin port, and short ways to ask both.

use crate::gate::Served;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use tonic::transport::{Channel, Endpoint};

/// What came back over HTTP.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub head: String,
    pub body: String,
}

/// Sends one request as it is written, and reads the answer to its end.
pub fn raw(address: &str, request: &str) -> Page {
    try_raw(address, request).unwrap()
}

pub fn try_raw(address: &str, request: &str) -> std::io::Result<Page> {
    let mut stream = TcpStream::connect(address)?;
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    Ok(Page { status, head: head.to_ascii_lowercase(), body: body.to_owned() })
}

pub fn asked(method: &str, path: &str, host: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Where the admin port of a gate is.
pub fn admin(served: &Served) -> String {
    let line = served.banner.lines().find_map(|line| line.trim_start().strip_prefix("admin"));
    let url = line.unwrap_or_else(|| panic!("no admin port in {:?}", served.banner)).trim();
    url.strip_prefix("http://").unwrap().strip_suffix("/metrics").unwrap().to_owned()
}

pub fn get(admin: &str, path: &str) -> Page {
    raw(admin, &asked("GET", path, admin, ""))
}

/// A gate with an admin port.
pub fn serve(policy: &str) -> (Served, String) {
    let served = Served::start(policy, &["--ephemeral", "--admin", "127.0.0.1:0"]);
    let admin = admin(&served);
    (served, admin)
}

/// The samples of a scrape, by name and labels.
pub fn scrape(admin: &str) -> BTreeMap<String, f64> {
    let page = get(admin, "/metrics");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-type: application/openmetrics-text; version=1.0.0"), "{}", page.head);
    assert!(page.body.ends_with("# EOF\n"));
    let samples = page.body.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| {
            let (name, value) = line.rsplit_once(' ').unwrap();
            (name.to_owned(), value.parse().unwrap_or_else(|_| panic!("{line}")))
        })
        .collect()
}

/// What changed between two scrapes, without how long anything took.
pub fn changes(before: &BTreeMap<String, f64>, after: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let timed = |name: &str| name.contains("_bucket{") || name.contains("_seconds_sum");
    after
        .iter()
        .filter(|(name, _)| !timed(name))
        .map(|(name, value)| (name.clone(), value - before.get(name).copied().unwrap_or_default()))
        .filter(|(_, change)| *change != 0.0)
        .collect()
}

pub async fn channel(served: &Served) -> Channel {
    Endpoint::from_shared(format!("http://{}", served.address)).unwrap().connect().await.unwrap()
}

pub async fn client(served: &Served) -> ApprovalGateClient<Channel> {
    ApprovalGateClient::new(channel(served).await)
}

pub fn shell(session: &str, command: &str) -> pb::DecideRequest {
    let shell = pb::ShellCall { command: command.to_owned(), ..pb::ShellCall::default() };
    pb::DecideRequest {
        session_id: session.to_owned(),
        call: Some(pb::Call { kind: Some(pb::call::Kind::Shell(shell)) }),
        ..pb::DecideRequest::default()
    }
}

/// Waits until something holds; whoever is waited for is another process.
pub fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(60);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(std::time::Instant::now() < patience, "{what} never came about");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
