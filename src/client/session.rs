//! The calls of one session: what is asked, and what comes back typed.
//!
//! Promises that a halted run and one that nobody attends are errors, which no caller can take for a rejection. Knows
//! nothing of connections.

use super::{Action, Client, Decision, Error};
use crate::proto::v1 as pb;
use pb::call::Kind;
use serde_json::{Map, Value};
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::time::Duration;

/// One conversation of one agent. It need not exist: the first decision opens it with the project's defaults.
#[derive(Debug, Clone)]
pub struct Session {
    client: Client,
    id: String,
}

impl Client {
    /// The session of this id.
    #[must_use]
    pub fn session(&self, id: impl Into<String>) -> Session {
        Session { client: self.clone(), id: id.into() }
    }
}

impl Session {
    /// The id of the session.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Asks whether a shell command may run, exactly as the model wrote it.
    pub fn decide_shell(&self, command: impl Into<String>) -> Question {
        let shell = pb::ShellCall { command: command.into(), ..pb::ShellCall::default() };
        self.question(Kind::Shell(shell))
    }

    /// Asks whether a tool of the agent itself may be called.
    pub fn decide_tool(&self, name: impl Into<String>, arguments: &Map<String, Value>) -> Question {
        let arguments_json = text(arguments);
        self.question(Kind::Tool(pb::ToolCall {
            name: name.into(),
            arguments_json,
            ..pb::ToolCall::default()
        }))
    }

    /// Asks whether an MCP server's tool may be called.
    pub fn decide_mcp(
        &self,
        server: impl Into<String>,
        name: impl Into<String>,
        arguments: &Map<String, Value>,
    ) -> Question {
        self.question(Kind::McpTool(pb::McpToolCall {
            server: server.into(),
            name: name.into(),
            arguments_json: text(arguments),
            ..pb::McpToolCall::default()
        }))
    }

    /// Asks whether a tool may be called by the one name that the agent registered it under.
    pub fn decide_registered(&self, name: impl Into<String>, arguments: &Map<String, Value>) -> Question {
        self.question(Kind::Registered(pb::RegisteredCall {
            name: name.into(),
            arguments_json: text(arguments),
            ..pb::RegisteredCall::default()
        }))
    }

    /// Asks whether a call may run.
    pub fn decide(&self, call: pb::Call) -> Question {
        let request = pb::DecideRequest {
            session_id: self.id.clone(),
            call: Some(call),
            ..pb::DecideRequest::default()
        };
        Question { client: self.client.clone(), request, wait: true, max_wait: None }
    }

    fn question(&self, kind: Kind) -> Question {
        self.decide(pb::Call { kind: Some(kind) })
    }
}

/// Arguments as the contract carries them.
fn text(arguments: &Map<String, Value>) -> String {
    Value::Object(arguments.clone()).to_string()
}

/// A call that is to be decided. Awaiting it asks, and waits for the human who may be asked.
#[derive(Debug, Clone)]
#[must_use = "nothing is asked before it is awaited"]
pub struct Question {
    client: Client,
    request: pb::DecideRequest,
    wait: bool,
    max_wait: Option<Duration>,
}

impl Question {
    /// The folder that the call starts from: an absolute path. Default: the session's.
    pub fn cwd(mut self, path: impl Into<String>) -> Self {
        if let Some(places) = self.places() {
            *places.cwd = path.into();
        }
        self
    }

    /// The home folder of the account that would run the call: an absolute path. Default: the session's.
    pub fn home(mut self, path: impl Into<String>) -> Self {
        if let Some(places) = self.places() {
            *places.home = path.into();
        }
        self
    }

    /// Why the agent repeats a call that was refused. It never changes what rules and floors see.
    pub fn justification(mut self, text: impl Into<String>) -> Self {
        if let Some(places) = self.places() {
            *places.justification = text.into();
        }
        self
    }

    /// The language of a shell command. Default: bash. Without effect on tools.
    pub fn dialect(mut self, dialect: pb::ShellDialect) -> Self {
        if let Some(Kind::Shell(shell)) = self.kind() {
            shell.set_dialect(dialect);
        }
        self
    }

    /// The run that the call belongs to: an attack halts it. Default: the session's calls that name none.
    pub fn run_id(mut self, id: impl Into<String>) -> Self {
        self.request.run_id = id.into();
        self
    }

    /// The id that makes retries safe. Default: one is made.
    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request.request_id = id.into();
        self
    }

    /// Whether to wait for the human who may be asked. Default: yes.
    pub fn wait(self, wait: bool) -> Self {
        Self { wait, ..self }
    }

    /// How long to wait for the human at most. Default: until there is an answer.
    pub fn max_wait(self, limit: Duration) -> Self {
        Self { max_wait: Some(limit), ..self }
    }

    /// Only explains what would be decided. Whatever comes back is not approved, and never an error because of a halt.
    pub fn dry_run(mut self) -> Self {
        self.request.dry_run = true;
        self
    }

    /// Asks.
    ///
    /// # Errors
    /// The run is halted or nobody can be asked, or there is no decision. The call must not run.
    pub async fn ask(self) -> Result<Decision, Error> {
        let dry_run = self.request.dry_run;
        let response = if self.wait && !dry_run {
            self.client.decide_and_wait(self.request, self.max_wait).await?
        } else {
            self.client.decide(self.request).await?
        };
        let decision = Decision::new(response, dry_run);
        match decision.action() {
            Action::Halt if !dry_run => Err(Error::AttackHalted(Box::new(decision))),
            Action::Unattended if !dry_run => Err(Error::Unattended(Box::new(decision))),
            Action::Approve
            | Action::Reject
            | Action::Escalate
            | Action::Halt
            | Action::Unattended
            | Action::Unspecified => Ok(decision),
        }
    }

    fn kind(&mut self) -> Option<&mut Kind> {
        self.request.call.as_mut()?.kind.as_mut()
    }

    /// What every kind of call has.
    fn places(&mut self) -> Option<Places<'_>> {
        Some(match self.kind()? {
            Kind::Shell(pb::ShellCall { cwd, home, justification, .. })
            | Kind::Tool(pb::ToolCall { cwd, home, justification, .. })
            | Kind::McpTool(pb::McpToolCall { cwd, home, justification, .. })
            | Kind::Registered(pb::RegisteredCall { cwd, home, justification, .. }) => {
                Places { cwd, home, justification }
            }
        })
    }
}

struct Places<'a> {
    cwd: &'a mut String,
    home: &'a mut String,
    justification: &'a mut String,
}

impl IntoFuture for Question {
    type Output = Result<Decision, Error>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.ask())
    }
}
