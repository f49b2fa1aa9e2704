//! A gate, a proxy in front of the test server, and the client's side of it.

use super::gate::{Served, command};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// After this a test hangs: nothing is measured with it.
const HANGS: Duration = Duration::from_secs(60);

/// Everything asks a human, but the tool `echo` and what says that it only reads.
pub(crate) const POLICY: &str = r#"{
  "approvals": {
    "mode": "manual",
    "deny": [ { "type": "mcpTool", "server": "k", "matcher": "exact", "pattern": "wipe" } ],
    "allow": [
      { "type": "mcpTool", "server": "k", "matcher": "glob", "pattern": "echo*" },
      { "type": "mcpTool", "server": "k", "matcher": "hint", "pattern": { "readOnlyHint": true } }
    ],
    "mcp": { "servers": { "k": { "trustAnnotations": ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] } } }
  }
}"#;

/// The session and the run of the proxy.
pub(crate) const SESSION: &str = "s";
pub(crate) const RUN: &str = "r";

pub(crate) fn gate() -> Served {
    Served::start(POLICY, &["--ephemeral"])
}

/// A proxy, and the server's folder.
pub(crate) struct Proxy {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    pub(crate) folder: TempDir,
}

impl Proxy {
    /// A proxy in the session `s` and the run `r`.
    pub(crate) fn start(gate: &Served) -> Self {
        Self::start_with(&gate.address, &["--session", SESSION, "--run-id", RUN], &default_tools())
    }

    pub(crate) fn start_with(address: &str, options: &[&str], tools: &Value) -> Self {
        Self::start_keyed(address, "k", options, tools)
    }

    pub(crate) fn start_keyed(address: &str, key: &str, options: &[&str], tools: &Value) -> Self {
        let folder = tempfile::tempdir().unwrap();
        write_tools(folder.path(), tools);
        let server = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mcp/server.py");
        let mut command = command(folder.path());
        command.env("HALTGATE_SERVER", address).args(["mcp", "--server-key", key]).args(options);
        command.args(["--", "python3"]).arg(server).arg(folder.path());
        let log = std::fs::File::create(folder.path().join("log")).unwrap();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut proxy = Self { child, input, output, folder };
        proxy.initialize("2025-11-25");
        proxy.settle();
        proxy
    }

    pub(crate) fn initialize(&mut self, revision: &str) {
        let params = json!({ "protocolVersion": revision, "capabilities": {} });
        let answer = self
            .request(&json!({ "jsonrpc": "2.0", "id": "init", "method": "initialize", "params": params }));
        assert_eq!(answer["result"]["protocolVersion"], revision);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(&[line, b"\n"].concat()).unwrap();
        input.flush().unwrap();
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Value {
        match self.output.recv_timeout(HANGS) {
            Ok(line) => serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")),
            Err(error) => panic!("{error}, and the log is {}", self.log()),
        }
    }

    /// Sends a request, and returns its answer; other messages before it are left out.
    pub(crate) fn request(&mut self, request: &Value) -> Value {
        self.send(&request.to_string());
        self.answer(&request["id"])
    }

    /// The answer to a request; other messages before it are left out.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.next();
            if message.get("method").is_none() && message["id"] == *id {
                return message;
            }
        }
    }

    /// Waits until the server has handled everything that was sent, and nothing else was answered.
    pub(crate) fn settle(&mut self) {
        let ping = json!({ "jsonrpc": "2.0", "id": "ping", "method": "ping" });
        self.send(&ping.to_string());
        let answer = self.next();
        assert_eq!(answer["id"], "ping", "{answer}");
    }

    /// Every line that the server received.
    pub(crate) fn received(&self) -> Vec<String> {
        let bytes = std::fs::read(self.folder.path().join("received")).unwrap_or_default();
        String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
    }

    /// The calls among them, by the tool's name.
    pub(crate) fn called(&self) -> Vec<String> {
        let name = |line: &String| {
            let message: Value = serde_json::from_str(line).ok()?;
            (message["method"] == "tools/call")
                .then(|| message["params"]["name"].as_str().unwrap_or("?").to_owned())
        };
        self.received().iter().filter_map(name).collect()
    }

    pub(crate) fn write_tools(&self, tools: &Value) {
        write_tools(self.folder.path(), tools);
    }

    /// What stands on standard error.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
    }

    /// Ends the client's side.
    pub(crate) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end, and returns the last messages with how it ended.
    pub(crate) fn ended(&mut self) -> (Vec<String>, ExitStatus) {
        let mut last = Vec::new();
        loop {
            match self.output.recv_timeout(HANGS) {
                Ok(line) => last.push(line),
                Err(RecvTimeoutError::Disconnected) => return (last, self.child.wait().unwrap()),
                Err(RecvTimeoutError::Timeout) => panic!("it does not end: {}", self.log()),
            }
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        // Its input ends first, so that the server ends too.
        self.input = None;
        let deadline = Instant::now() + Duration::from_secs(10);
        while Instant::now() < deadline {
            if self.child.try_wait().unwrap().is_some() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

fn write_tools(folder: &Path, tools: &Value) {
    // Renamed into place: the server reads whole files only.
    let made: PathBuf = folder.join("tools.json.new");
    std::fs::write(&made, tools.to_string()).unwrap();
    std::fs::rename(made, folder.join("tools.json")).unwrap();
}

pub(crate) fn tool(name: &str, annotations: Value) -> Value {
    json!({ "name": name, "description": format!("\u{1b}[2J{name}"), "inputSchema": { "type": "object" }, "annotations": annotations })
}

/// What says that it only reads.
pub(crate) fn mild() -> Value {
    json!({ "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
}

/// What says the worst of itself.
pub(crate) fn wild() -> Value {
    json!({ "readOnlyHint": false, "destructiveHint": true, "idempotentHint": false, "openWorldHint": true })
}

pub(crate) fn default_tools() -> Value {
    json!([
        tool("echo", json!({})),
        tool("read", mild()),
        tool("write", json!({ "readOnlyHint": false, "openWorldHint": false })),
        tool("wipe", wild()),
        tool("other", json!({})),
    ])
}

pub(crate) fn call(id: impl Into<Value>, name: &str, arguments: Value) -> Value {
    let params = json!({ "name": name, "arguments": arguments });
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": params })
}

/// The escalation that waits for a human in the session, once one does.
pub(crate) fn escalation(gate: &Served, seen: &[String]) -> String {
    let deadline = Instant::now() + HANGS;
    loop {
        let listed = gate.run(&["decisions", "list", "--session", SESSION, "--json"]).json();
        let ids = listed["decisions"].as_array().cloned().unwrap_or_default();
        let id = ids
            .iter()
            .filter_map(|decision| decision["escalationId"].as_str())
            .find(|&id| !id.is_empty() && !seen.iter().any(|known| known == id));
        if let Some(id) = id {
            return id.to_owned();
        }
        assert!(Instant::now() < deadline, "nobody was asked: {listed}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn answer(gate: &Served, id: &str, answer: &[&str]) {
    let ran = gate.run(&[&["answer", id], answer].concat());
    assert_eq!(ran.code, 0, "{ran:?}");
}
