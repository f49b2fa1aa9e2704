//! The server's process.
//!
//! Promises that it ends when the proxy does: it is asked first, by the end of its input as the protocol has it, and only
//! then told. Knows nothing of messages.

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::display::one_line;
use rustix::process::{Pid, Signal, kill_process_group};
use std::ffi::OsString;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// How long the server has to end once its input did. Clients kill this process when it has not ended in some four
/// seconds, and then nobody would be left to end the server.
const ASKED: Duration = Duration::from_secs(2);

/// How long it has to end once it was told to.
const TOLD: Duration = Duration::from_secs(1);

/// The server's process, and those that it starts.
#[derive(Debug)]
pub(super) struct Server {
    child: Child,
    group: Option<Pid>,
}

impl Server {
    /// Starts it, with its standard error where this process's is.
    ///
    /// # Errors
    /// It cannot be started.
    pub(super) fn start(words: &[OsString]) -> Result<(Self, ChildStdin, ChildStdout), Failure> {
        let (program, arguments) = words.split_first().ok_or_else(|| Failure::new("there is no server"))?;
        let cannot = |error: std::io::Error| {
            let name = one_line(&program.to_string_lossy());
            Failure::new(format!("the server {name} cannot be started: {error}"))
                .advise("write the server's own command behind `--`, as its documentation has it")
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        // The server must not speak to the gate in the agent's name.
        for (name, _value) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("HALTGATE_") {
                command.env_remove(name);
            }
        }
        // A group of its own: what starts servers, such as npx, does not always pass signals on.
        let mut child = command.process_group(0).kill_on_drop(true).spawn().map_err(cannot)?;
        let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        match (child.stdin.take(), child.stdout.take()) {
            (Some(input), Some(output)) => Ok((Self { child, group }, input, output)),
            (_input, _output) => Err(Failure::new("the server has no standard streams")),
        }
    }

    /// Waits until it ends, with its input closed, and ends it when it does not.
    ///
    /// # Errors
    /// The system lost it.
    pub(super) async fn end(mut self) -> Result<Exit, Failure> {
        for (patience, signal) in [(ASKED, Signal::TERM), (TOLD, Signal::KILL)] {
            if let Ok(ended) = tokio::time::timeout(patience, self.child.wait()).await {
                return exit(ended);
            }
            if let Some(group) = self.group {
                // A group that is gone already needs no signal.
                let _gone = kill_process_group(group, signal);
            }
        }
        exit(self.child.wait().await)
    }
}

fn exit(ended: std::io::Result<ExitStatus>) -> Result<Exit, Failure> {
    ended.map(Exit::from).map_err(|error| Failure::new(format!("the server was lost: {error}")))
}
