//! What a run is asked for, and the policy that it is made under.

use crate::callers::TOKENS_FILE;
use std::time::Duration;

pub(crate) const USAGE: &str = "usage: cargo test --test soak -- [--seconds N] [--seed N] [--kill-every N] [--disk-mib N] [--pause-ms N]

Mixed traffic against the real server on a real SQLite file, with kills, full and read-only disks and cut connections, and a
model that says at the end whether anything was lost, doubled or forgotten. Exits with 1 after a failure, which names its seed.
A part that this machine does not allow (a tmpfs needs root on Linux) is left out loudly, and is a failure where CI=true.
  --seconds N     how long traffic is made (default 50)
  --seed N        where all choices start (default 1)
  --kill-every N  seconds between two disturbances that end the process (default: 60, or a fifth of a shorter run); 0: none
                  ends it, so that one process can be measured for the whole time
  --disk-mib N    how large the file system of the store is (default: 256, and 3 for each second)
  --pause-ms N    the longest pause of an agent between two calls (default 60)";

/// Seconds of the ordinary run.
const SECONDS: u64 = 50;

/// What a run is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) seconds: u64,
    pub(crate) seed: u64,
    /// Zero: never.
    pub(crate) kill_every: u64,
    pub(crate) disk_mib: u64,
    pub(crate) pause_ms: u64,
}

impl Options {
    /// Reads the arguments; `None` when they are none of these.
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Option<Self> {
        let (mut seconds, mut seed, mut kill_every, mut disk_mib, mut pause_ms) =
            (SECONDS, 1, None, None, 60);
        let mut arguments = arguments;
        while let Some(argument) = arguments.next() {
            // What the runner of tests adds of its own.
            if argument == "--quiet" || argument == "--nocapture" {
                continue;
            }
            let value: u64 = arguments.next()?.parse().ok()?;
            match argument.as_str() {
                "--seconds" => seconds = value.max(10),
                "--seed" => seed = value,
                "--kill-every" => kill_every = Some(value),
                "--disk-mib" => disk_mib = Some(value.max(64)),
                "--pause-ms" => pause_ms = value.max(1),
                _ => return None,
            }
        }
        Some(Self {
            seconds,
            seed,
            kill_every: kill_every.unwrap_or_else(|| (seconds / 5).clamp(5, 60)),
            disk_mib: disk_mib.unwrap_or(256 + 3 * seconds),
            pause_ms,
        })
    }

    /// The command that repeats the run.
    pub(crate) fn command(&self) -> String {
        format!(
            "cargo test --test soak -- --seconds {} --seed {} --kill-every {} --disk-mib {} --pause-ms {}",
            self.seconds, self.seed, self.kill_every, self.disk_mib, self.pause_ms
        )
    }

    pub(crate) fn length(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// The policy of the run. Its `number` makes each one another revision.
pub(crate) fn policy(number: u64) -> String {
    format!(
        r#"{{ "auth": {{ "tokens_file": "{TOKENS_FILE}" }},
  "admin": {{ "listen": "127.0.0.1:0" }},
  "server": {{ "heartbeat": "1s", "drain_timeout": "2s" }},
  "approvals": {{ "mode": "assisted", "gate_scope": "every_call",
    "allow": [ {{ "type": "shell", "matcher": "glob", "pattern": "echo *", "rate": false }},
               {{ "type": "shell", "matcher": "exact", "pattern": "make policy-{number}" }} ],
    "deny": [ {{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }} ],
    "escalate": [ {{ "type": "mcpTool", "server": "jira", "matcher": "glob", "pattern": "delete_*" }} ] }} }}"#
    )
}

/// A policy that must be refused.
pub(crate) const BAD_POLICY: &str = r#"{ "approvals": { "mode": "everything-goes" } }"#;
