//! A call as the rule lists see it.
//!
//! Promises that a target holds everything a rule may ask about and nothing more: no session, no rung, no human.

use super::entry::Annotations;
use crate::shell::Analysis;

/// A call as the rule lists see it.
#[derive(Debug, Clone, Copy)]
pub enum Target<'a> {
    /// A shell command. `shell` entries match it, and only those.
    Shell(&'a Analysis),
    /// A tool of the agent itself. Only `tool` entries match it.
    Tool {
        /// Its name, compared with its case.
        name: &'a str,
        /// The hosts in its arguments.
        hosts: &'a Hosts,
        /// Its effective annotations; `None` where they cannot be had (hint entries are then undecidable).
        annotations: Option<Annotations>,
    },
    /// A tool of an MCP server. Only `mcpTool` entries match it.
    McpTool {
        /// Whose tool it is.
        identity: &'a McpIdentity,
        /// The hosts in its arguments.
        hosts: &'a Hosts,
        /// Its effective annotations; `None` where they cannot be had.
        annotations: Option<Annotations>,
    },
}

/// Whose tool an MCP call names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum McpIdentity {
    /// The contract said so, or exactly one configured server key explains the registered name.
    Resolved {
        /// The server's key.
        server: String,
        /// The tool's own name.
        name: String,
    },
    /// No single configured key explains the registered name. No allow entry, grant or trust applies, `*` included; a deny or
    /// escalate entry matches if any reading does, and one for every server (`*`) also if the registered name does.
    Unresolved {
        /// The name as registered, `mcp__…`.
        registered: String,
        /// Every possible reading, as server key and tool name; empty when no configured key fits.
        readings: Vec<(String, String)>,
    },
}

/// The distinct hosts that a call's arguments name, in the order of first sight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hosts {
    /// The hosts, lower-cased, without port.
    pub named: Vec<String>,
    /// The scan met its bounds, or something host-like that it cannot read: there may be more than `named` says.
    pub uncertain: bool,
}

impl Hosts {
    /// The host, when it is certain that the call names exactly one.
    #[must_use]
    pub fn single(&self) -> Option<&str> {
        match (self.named.as_slice(), self.uncertain) {
            ([host], false) => Some(host),
            (_, _) => None,
        }
    }
}
