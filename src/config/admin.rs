//! Where the gate tells operators and their tools of itself.
//!
//! Promises that it listens nowhere unless told. Knows nothing of what is told.

use super::problem::Report;
use super::section::Section;
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};

/// The keys of `admin`.
pub(super) const KEYS: [&str; 1] = ["listen"];

/// What stands for no address in `admin.listen`.
const NO_ADDRESS: &str = "none";

/// What the documentation gives as an example.
const EXAMPLE: &str = "127.0.0.1:7558";

/// Where the gate tells of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdminSettings {
    /// The address for metrics, probes and the log level; `None` for nowhere. Port 0 takes a free one. Any address: what changes
    /// something, or shows the policy, is answered to this machine alone.
    pub listen: Option<SocketAddr>,
}

impl AdminSettings {
    /// Takes over what a file's `admin` block states.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(text) = section.filled_text("listen", report) {
            match admin_override(text) {
                Ok(listen) => self.listen = listen,
                Err(message) => report.error(&section.path_of("listen"), message),
            }
        }
    }

    pub(super) fn effective(self) -> Value {
        json!({ "listen": self.listen.map_or_else(|| NO_ADDRESS.to_owned(), |address| address.to_string()) })
    }
}

/// Reads an address, or `none`.
///
/// # Errors
/// What to write instead.
pub fn admin_override(text: &str) -> Result<Option<SocketAddr>, String> {
    if text == NO_ADDRESS {
        return Ok(None);
    }
    let spelled = match text.strip_prefix("localhost:") {
        Some(port) => format!("{}:{port}", Ipv4Addr::LOCALHOST),
        None => text.to_owned(),
    };
    spelled.parse().map(Some).map_err(|_| {
        format!("must be an IP address with a port, such as \"{EXAMPLE}\", or \"{NO_ADDRESS}\", not {text:?}")
    })
}
