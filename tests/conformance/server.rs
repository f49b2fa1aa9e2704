//! The server of one scenario, and the rater that never answers.
//!
//! Knows nothing of scenarios.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};

/// A server in a folder of its own. It ends with the value.
#[derive(Debug)]
pub(crate) struct Server {
    folder: TempDir,
    /// `HOST:PORT`, once it was started.
    pub(crate) address: String,
    running: Option<(Child, BufReader<ChildStdout>)>,
}

impl Server {
    pub(crate) fn start(gate: &serde_json::Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("haltgate.jsonc"), gate.to_string()).unwrap();
        let mut server = Self { folder, address: "127.0.0.1:0".to_owned(), running: None };
        server.start_again();
        server
    }

    pub(crate) fn start_again(&mut self) {
        assert!(self.running.is_none(), "it runs already");
        let path = self.folder.path();
        let mut command = Command::new(env!("CARGO_BIN_EXE_haltgate"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("HALTGATE_")) {
            command.env_remove(name);
        }
        let log = std::fs::File::options().create(true).append(true).open(path.join("log")).unwrap();
        command.current_dir(path).args(["serve", "--listen", &self.address]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        self.address = announced(&mut output)
            .unwrap_or_else(|| panic!("{}", std::fs::read_to_string(path.join("log")).unwrap()));
        self.running = Some((child, output));
    }

    /// Ends it, and waits until it is gone.
    pub(crate) fn end(&mut self, signal: &str) {
        let (mut child, _output) = self.running.take().unwrap();
        assert!(
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success()
        );
        child.wait().unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// The address in the block that the server prints when it listens.
fn announced(output: &mut impl BufRead) -> Option<String> {
    output.lines().map_while(Result::ok).find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("address")).then(|| words.next().map(str::to_owned)).flatten()
    })
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some((mut child, _output)) = self.running.take() {
            let _ended = child.kill();
            let _status = child.wait();
        }
    }
}

/// A rater that accepts connections and never answers.
#[derive(Debug)]
pub(crate) struct SilentRater {
    listener: Option<TcpListener>,
    asked: Vec<TcpStream>,
    pub(crate) address: String,
}

impl SilentRater {
    pub(crate) async fn open() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        Self { listener: Some(listener), asked: Vec::new(), address }
    }

    pub(crate) async fn wait_until_asked(&mut self) {
        let (connection, _from) = self.listener.as_ref().unwrap().accept().await.unwrap();
        self.asked.push(connection);
    }

    pub(crate) fn hang_up(&mut self) {
        self.listener = None;
        self.asked.clear();
    }
}
