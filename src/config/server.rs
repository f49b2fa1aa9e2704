//! Where the gate listens and what it bears.
//!
//! Promises an address that needs no credentials (a loopback address or a Unix socket) and limits within sound bounds.
//! Knows nothing of how they are enforced.

use super::problem::Report;
use super::quantity::{render_duration, render_size};
use super::section::Section;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The keys of `server`.
pub(super) const KEYS: [&str; 8] = [
    "listen",
    "socket",
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

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Where the gate listens and what it bears.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// The loopback address for TCP; `None` for a Unix socket alone. Port 0 takes a free one.
    pub listen: Option<SocketAddr>,
    /// The Unix socket beside it.
    pub socket: Option<PathBuf>,
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
            listen: Some(DEFAULT_ADDRESS),
            socket: None,
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
        if let Some(text) = section.filled_text("listen", report) {
            match parse_listen(text) {
                Ok(listen) => self.listen = listen,
                Err(message) => report.error(&section.path_of("listen"), message),
            }
        }
        if let Some(socket) = section.filled_text("socket", report) {
            self.socket = Some(folder.join(socket));
        }
        if self.listen.is_none() && self.socket.is_none() {
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
        // A command of 1 MiB and a call's arguments of 1 MiB must fit.
        if let Some(size) = section.size("max_message_size", 2 << 20, 64 << 20, report) {
            self.max_message_size = size;
        }
        if let Some(count) = section.integer("max_concurrent_requests", 1, 1_000_000, report) {
            self.max_concurrent_requests = count;
        }
    }

    pub(super) fn effective(&self) -> Value {
        json!({
            "listen": self.listen.map_or_else(|| NO_ADDRESS.to_owned(), |address| address.to_string()),
            "socket": self.socket.as_ref().map(|path| path.display().to_string()),
            "max_wait": render_duration(self.max_wait),
            "max_request_time": render_duration(self.max_request_time),
            "max_message_size": render_size(self.max_message_size),
            "max_concurrent_requests": self.max_concurrent_requests,
            "heartbeat": render_duration(self.heartbeat),
            "drain_timeout": render_duration(self.drain_timeout),
        })
    }
}

/// Reads a loopback address, or `none`.
///
/// # Errors
/// What to write instead.
pub(super) fn parse_listen(text: &str) -> Result<Option<SocketAddr>, String> {
    if text == NO_ADDRESS {
        return Ok(None);
    }
    let spelled = match text.strip_prefix("localhost:") {
        Some(port) => format!("{}:{port}", Ipv4Addr::LOCALHOST),
        None => text.to_owned(),
    };
    let Ok(address) = spelled.parse::<SocketAddr>() else {
        return Err(format!(
            "must be an IP address with a port, such as \"{DEFAULT_ADDRESS}\", or \"{NO_ADDRESS}\" beside a `socket`, \
             not {text:?}"
        ));
    };
    if address.ip().to_canonical().is_loopback() {
        Ok(Some(address))
    } else {
        Err(format!(
            "{address} can be reached from other machines, and access control arrives in a later version; write a \
             loopback address such as \"{DEFAULT_ADDRESS}\""
        ))
    }
}
