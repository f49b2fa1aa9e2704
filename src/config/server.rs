//! Where the gate listens and what it bears.
//!
//! Promises addresses that can be listened on and limits within sound bounds, and says which of the addresses strangers
//! reach. Knows nothing of how they are enforced.

use super::problem::Report;
use super::quantity::{render_duration, render_size};
use super::section::{Section, quoted};
use super::socket::SocketSettings;
use super::tls::TlsSettings;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

/// The keys of `server`.
pub(super) const KEYS: [&str; 13] = [
    "listen",
    "socket",
    "tls",
    "plaintext",
    "max_connections",
    "max_connection_age",
    "lame_duck",
    "max_wait",
    "max_request_time",
    "max_message_size",
    "max_concurrent_requests",
    "heartbeat",
    "drain_timeout",
];

/// Where the gate listens unless told otherwise.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7557);

/// What stands for no address in `server.listen`.
const NO_ADDRESS: &str = "none";

/// The most addresses that one gate listens on.
const MOST_ADDRESSES: usize = 16;

/// How long a gate that strangers reach goes on taking requests after it said that it leaves: balancers must notice first.
const LAME_DUCK: Duration = Duration::from_secs(5);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Where the gate listens and what it bears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// The addresses for TCP; none for a Unix socket alone. Port 0 takes a free one.
    pub listen: Vec<SocketAddr>,
    /// The Unix socket beside them.
    pub socket: Option<SocketSettings>,
    /// Encrypts everything on the addresses; the socket stays plain.
    pub tls: Option<TlsSettings>,
    /// What is thought of addresses that strangers reach without encryption.
    pub plaintext: Plaintext,
    /// Serve whoever comes, on any address. Never from a file.
    pub insecure: bool,
    /// How many connections may be open at once; more are closed as they come.
    pub max_connections: u32,
    /// How old a connection becomes, give or take a tenth, before its client is told to open another; zero for any age.
    pub max_connection_age: Duration,
    /// How long requests are still taken after SIGTERM, while health says that the gate leaves. `None` for
    /// what [`ServerSettings::lame_duck`] finds.
    pub lame_duck: Option<Duration>,
    /// The longest that one `Decide` may be held for a human, whatever its caller asks for.
    pub max_wait: Duration,
    /// The longest that any other request may take, whatever its caller's deadline.
    pub max_request_time: Duration,
    /// The longest message that is accepted, in bytes.
    pub max_message_size: u64,
    /// How many requests may be under way at once, feeds excluded; more are refused with `RESOURCE_EXHAUSTED`.
    pub max_concurrent_requests: u32,
    /// How often a quiet feed says that it is alive.
    pub heartbeat: Duration,
    /// How long requests under way may go on after SIGTERM.
    pub drain_timeout: Duration,
}

impl Default for ServerSettings {
    fn default() -> Self {
        Self {
            listen: vec![DEFAULT_ADDRESS],
            socket: None,
            tls: None,
            plaintext: Plaintext::Warned,
            insecure: false,
            max_connections: 10_000,
            max_connection_age: Duration::from_secs(10 * 60),
            lame_duck: None,
            max_wait: HOUR,
            max_request_time: Duration::from_secs(60),
            // Four times the longest command.
            max_message_size: 4 << 20,
            max_concurrent_requests: 1024,
            heartbeat: Duration::from_secs(15),
            drain_timeout: Duration::from_secs(10),
        }
    }
}

impl ServerSettings {
    /// Takes over what a file's `server` block states. Relative paths start from `folder`.
    pub(super) fn read(&mut self, value: &Value, path: &str, folder: &Path, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(value) = section.get("listen") {
            match read_listen(value) {
                Ok(listen) => self.listen = listen,
                Err(message) => report.error(&section.path_of("listen"), message),
            }
        }
        if let Some(value) = section.get("socket") {
            let path = section.path_of("socket");
            self.socket = SocketSettings::read(value, &path, folder, report).or(self.socket.take());
        }
        if let Some(value) = section.get("tls") {
            let path = section.path_of("tls");
            self.tls = TlsSettings::read(self.tls.take(), value, &path, folder, report);
        }
        if let Some(plaintext) =
            section.choice("plaintext", &Plaintext::ALL.map(Plaintext::as_str), Plaintext::parse, report)
        {
            self.plaintext = plaintext;
        }
        if self.listen.is_empty() && self.socket.is_none() {
            report.error(
                &section.path_of("listen"),
                "is \"none\" and there is no `socket`: the gate would be out of reach",
            );
        }
        let mut take = |key, least, most, setting: &mut Duration| {
            if let Some(length) = section.duration(key, least, most, report) {
                *setting = length;
            }
        };
        take("max_wait", Duration::from_secs(1), DAY, &mut self.max_wait);
        take("max_request_time", Duration::from_secs(1), HOUR, &mut self.max_request_time);
        take("heartbeat", Duration::from_secs(1), HOUR, &mut self.heartbeat);
        take("drain_timeout", Duration::ZERO, HOUR, &mut self.drain_timeout);
        take("max_connection_age", Duration::ZERO, DAY, &mut self.max_connection_age);
        self.lame_duck = section.duration("lame_duck", Duration::ZERO, HOUR, report).or(self.lame_duck);
        if let Some(count) = section.integer("max_connections", 1, 1_000_000, report) {
            self.max_connections = count;
        }
        // A command of 1 MiB and a call's arguments of 1 MiB must fit.
        if let Some(size) = section.size("max_message_size", 2 << 20, 64 << 20, report) {
            self.max_message_size = size;
        }
        if let Some(count) = section.integer("max_concurrent_requests", 1, 1_000_000, report) {
            self.max_concurrent_requests = count;
        }
    }

    /// How long requests are still taken after SIGTERM: what is stated, or else a moment where strangers reach the gate and
    /// none where only this machine does.
    #[must_use]
    pub fn lame_duck(&self) -> Duration {
        match self.lame_duck {
            Some(stated) => stated,
            None if self.reachable().next().is_some() => LAME_DUCK,
            None => Duration::ZERO,
        }
    }

    /// The addresses that other machines reach.
    pub fn reachable(&self) -> impl Iterator<Item = SocketAddr> {
        self.listen.iter().copied().filter(|address| !address.ip().to_canonical().is_loopback())
    }

    /// Why nothing may be listened on, in words: strangers would reach the gate and need not say who they are.
    ///
    /// `credentials_required` is whether they must.
    #[must_use]
    pub fn unguarded(&self, credentials_required: bool) -> Option<String> {
        if credentials_required || self.insecure {
            return None;
        }
        let open =
            self.reachable().next().map(|address| format!("{address} can be reached from other machines"));
        let open = open.or_else(|| {
            let socket = self.socket.as_ref().filter(|socket| socket.is_for_all())?;
            Some(format!("every user of this machine may use the socket {}", socket.path.display()))
        })?;
        Some(format!(
            "{open}, and without an `auth` block whoever connects may do everything, answer for the human included: add \
             `auth`, or listen on a loopback address such as \"{DEFAULT_ADDRESS}\" or on a socket of one user or group. To \
             serve whoever comes all the same, start with --insecure or HALTGATE_INSECURE=true"
        ))
    }

    /// The addresses on which credentials travel unencrypted through a network, unless that is known.
    #[must_use]
    pub fn unencrypted(&self) -> Vec<SocketAddr> {
        match (self.plaintext, &self.tls) {
            (Plaintext::Warned, None) => self.reachable().collect(),
            (Plaintext::BehindProxy, None) | (_, Some(_)) => Vec::new(),
        }
    }

    pub(super) fn effective(&self) -> Value {
        json!({
            "listen": self.effective_listen(),
            "socket": self.socket.as_ref().map(SocketSettings::effective),
            "tls": self.tls.as_ref().map(TlsSettings::effective),
            "plaintext": self.plaintext.as_str(),
            "max_connections": self.max_connections,
            "max_connection_age": render_duration(self.max_connection_age),
            "lame_duck": self.lame_duck.map(render_duration),
            "max_wait": render_duration(self.max_wait),
            "max_request_time": render_duration(self.max_request_time),
            "max_message_size": render_size(self.max_message_size),
            "max_concurrent_requests": self.max_concurrent_requests,
            "heartbeat": render_duration(self.heartbeat),
            "drain_timeout": render_duration(self.drain_timeout),
        })
    }

    fn effective_listen(&self) -> Value {
        match self.listen.as_slice() {
            [] => json!(NO_ADDRESS),
            [address] => json!(address.to_string()),
            several => several.iter().map(ToString::to_string).collect(),
        }
    }
}

/// What is thought of addresses that strangers reach without encryption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plaintext {
    /// A warning at every start.
    Warned,
    /// A proxy in front, such as a mesh's sidecar, encrypts: nothing is said.
    BehindProxy,
}

impl Plaintext {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Warned, Self::BehindProxy];

    /// The name in a file.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Warned => "warn",
            Self::BehindProxy => "behind_proxy",
        }
    }

    fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|value| value.as_str() == name)
    }
}

/// Reads an address, a list of them, or `none`.
fn read_listen(value: &Value) -> Result<Vec<SocketAddr>, String> {
    let one = |value: &Value| match value.as_str().filter(|text| !text.trim().is_empty()) {
        Some(text) => parse_address(text),
        None => Err(format!("must be an IP address with a port, or a list of them, not {}", quoted(value))),
    };
    if value.as_str() == Some(NO_ADDRESS) {
        return Ok(Vec::new());
    }
    let Some(items) = value.as_array() else { return Ok(vec![one(value)?]) };
    if items.is_empty() || items.len() > MOST_ADDRESSES {
        return Err(format!("must be a list of 1 to {MOST_ADDRESSES} addresses, or \"{NO_ADDRESS}\""));
    }
    let addresses = items.iter().map(one).collect::<Result<Vec<_>, _>>()?;
    for (index, address) in addresses.iter().enumerate() {
        if address.port() != 0 && addresses.iter().skip(index + 1).any(|other| other == address) {
            return Err(format!("names {address} twice"));
        }
    }
    Ok(addresses)
}

/// Reads one address.
///
/// # Errors
/// What to write instead.
pub(super) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let spelled = match text.strip_prefix("localhost:") {
        Some(port) => format!("{}:{port}", Ipv4Addr::LOCALHOST),
        None => text.to_owned(),
    };
    spelled.parse::<SocketAddr>().map_err(|_| {
        format!(
            "must be an IP address with a port, such as \"{DEFAULT_ADDRESS}\", or in a file \"{NO_ADDRESS}\" beside a \
             `socket`, not {text:?}; for every address of this machine write \"[::]:7557\" or \"0.0.0.0:7557\""
        )
    })
}
