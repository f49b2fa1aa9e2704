//! Running the binary, alone and as a server.

use serde_json::Value;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// The binary in a folder of its own, without this process's settings.
pub(crate) fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_haltgate"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HALTGATE_")) {
        command.env_remove(name);
    }
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// What a command printed, and how it ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// The JSON that it printed.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs the binary in a folder.
pub(crate) fn run_in(folder: &Path, arguments: &[&str]) -> Ran {
    command(folder).args(arguments).output().unwrap().into()
}

/// Runs the binary in an empty folder.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_in(tempfile::tempdir().unwrap().path(), arguments)
}

/// What a server logs, in its folder.
const LOG: &str = "server.log";

/// A server on a free port, ended with the value.
pub(crate) struct Served {
    child: Child,
    pub(crate) folder: Arc<TempDir>,
    pub(crate) address: String,
    pub(crate) banner: String,
}

impl Served {
    /// Starts a server with a policy in a folder of its own.
    pub(crate) fn start(policy: &str, options: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
        Self::start_in(Arc::new(folder), options)
    }

    /// Starts a server in a folder that has a policy.
    pub(crate) fn start_in(folder: Arc<TempDir>, options: &[&str]) -> Self {
        Self::launch(folder, "127.0.0.1:0", options)
    }

    /// Kills the server, and starts it again where it was, on the same store.
    #[allow(dead_code, reason = "only the tests of `watch`, which are a program of their own, need it")]
    pub(crate) fn killed_and_back(mut self, meanwhile: impl FnOnce()) -> Self {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        meanwhile();
        Self::launch(Arc::clone(&self.folder), &self.address.clone(), &[])
    }

    fn launch(folder: Arc<TempDir>, listen: &str, options: &[&str]) -> Self {
        Self::start_where_configured(folder, &[&["--listen", listen], options].concat())
    }

    /// Starts a server that listens where its file says.
    pub(crate) fn start_where_configured(folder: Arc<TempDir>, options: &[&str]) -> Self {
        let mut command = command(folder.path());
        command.arg("serve").args(options);
        // A file: nobody reads along, and a pipe that is full would stop the server.
        let log = File::options().create(true).append(true).open(folder.path().join(LOG)).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut banner = String::new();
        // The rung is the last line of the block.
        for line in lines.by_ref() {
            let line = line.unwrap();
            banner.push_str(&line);
            banner.push('\n');
            if line.trim_start().starts_with("rung") {
                break;
            }
        }
        let address = banner
            .lines()
            .find_map(|line| line.trim_start().strip_prefix("address"))
            .unwrap_or_else(|| panic!("no address in {banner:?}"))
            .trim()
            .to_owned();
        Self { child, folder, address, banner }
    }

    /// Runs the binary against this server.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = command(self.folder.path());
        command.env("HALTGATE_SERVER", &self.address).args(arguments).output().unwrap().into()
    }

    /// The command that would run against this server.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = command(self.folder.path());
        command.env("HALTGATE_SERVER", &self.address).args(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// What it has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join(LOG)).unwrap()
    }

    #[allow(dead_code, reason = "for whoever measures the process")]
    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    #[allow(dead_code, reason = "for the tests of what outlives a process")]
    /// Kills it, without a chance to tidy up, and returns its folder.
    pub(crate) fn kill(self) -> Arc<TempDir> {
        // The rest is what dropping it does.
        Arc::clone(&self.folder)
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    }

    /// Waits until it has ended by itself.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        self.child.wait().unwrap()
    }

    /// Whether it has ended by itself.
    #[allow(dead_code, reason = "for the tests of its end")]
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Starts it again where it was, on the same store, after it ended.
    #[allow(dead_code, reason = "for the tests of what outlives a process")]
    pub(crate) fn back(&self, options: &[&str]) -> Self {
        Self::launch(Arc::clone(&self.folder), &self.address, options)
    }

    /// Sends a signal, and returns how the server ended and what it logged.
    pub(crate) fn end(mut self, signal: &str) -> (ExitStatus, String) {
        self.signal(signal);
        let status = self.ended();
        (status, self.log())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Ended already where `end` was called.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}
