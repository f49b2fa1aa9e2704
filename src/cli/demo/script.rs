//! The conversation that the demo plays: what the agent asks, what a human answers, and what must come of it.
//!
//! Knows nothing of how it is played.

use crate::proto::v1 as pb;
use crate::proto::v1::{Action, Rung, Scope, Stage};

/// The session of most of the conversation, at the rung of the policy.
pub(super) const SESSION: &str = "demo";

/// The session in which refusals are argued over.
pub(super) const AUTO_SESSION: &str = "demo-auto";

/// The sessions, with their rungs.
pub(super) const SESSIONS: [(&str, Rung); 2] = [(SESSION, Rung::Unspecified), (AUTO_SESSION, Rung::Auto)];

/// What the agent wants to do.
#[derive(Debug, Clone, Copy)]
pub(super) enum Wish {
    /// To run a command.
    Shell(&'static str),
    /// To use a tool of its own.
    Tool(&'static str, &'static str),
    /// To call a tool of an MCP server.
    Mcp(&'static str, &'static str, &'static str),
}

impl Wish {
    /// The call in the contract's form.
    pub(super) fn call(self) -> pb::Call {
        use pb::call::Kind;
        let kind = match self {
            Self::Shell(command) => {
                Kind::Shell(pb::ShellCall { command: command.to_owned(), ..Default::default() })
            }
            Self::Tool(name, arguments) => Kind::Tool(pb::ToolCall {
                name: name.to_owned(),
                arguments_json: arguments.to_owned(),
                ..Default::default()
            }),
            Self::Mcp(server, name, arguments) => Kind::McpTool(pb::McpToolCall {
                server: server.to_owned(),
                name: name.to_owned(),
                arguments_json: arguments.to_owned(),
                ..Default::default()
            }),
        };
        pb::Call { kind: Some(kind) }
    }
}

/// One turn of the conversation.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// What it shows.
    pub(super) title: &'static str,
    /// The session.
    pub(super) session: &'static str,
    /// The request id; the same one in two turns is a retry.
    pub(super) request: &'static str,
    /// What the agent wants.
    pub(super) wish: Wish,
    /// What the gate must say.
    pub(super) said: (Action, Stage),
    /// How far a human then approves, where one is asked.
    pub(super) approved: Option<Scope>,
    /// Whether this is an earlier decision, told again.
    pub(super) replayed: bool,
}

impl Turn {
    const fn new(title: &'static str, request: &'static str, wish: Wish, said: (Action, Stage)) -> Self {
        Self { title, session: SESSION, request, wish, said, approved: None, replayed: false }
    }

    const fn approved(mut self, scope: Scope) -> Self {
        self.approved = Some(scope);
        self
    }

    const fn at_auto(mut self) -> Self {
        self.session = AUTO_SESSION;
        self
    }

    const fn replayed(mut self) -> Self {
        self.replayed = true;
        self
    }
}

/// The conversation.
pub(super) const TURNS: [Turn; 12] = [
    Turn::new(
        "An allow entry lets it through",
        "status",
        Wish::Shell("git status"),
        (Action::Approve, Stage::AllowList),
    ),
    Turn::new(
        "No entry speaks of it, and the built-in rater knows that it is harmless",
        "test",
        Wish::Shell("cargo test 2>&1 | tail -20"),
        (Action::Approve, Stage::Rater),
    ),
    Turn::new(
        "Two commands in one, and the second loses work: a human is asked",
        "build",
        Wish::Shell("cargo test && git clean -fdx"),
        (Action::Escalate, Stage::Rater),
    )
    .approved(Scope::Once),
    Turn::new(
        "A denied command is found inside a substitution",
        "push",
        Wish::Shell("echo \"$(git push --force origin main)\""),
        (Action::Reject, Stage::DenyList),
    ),
    Turn::new(
        "... and behind wrappers",
        "publish",
        Wish::Shell("sudo env CI=1 npm publish"),
        (Action::Reject, Stage::DenyList),
    ),
    Turn::new(
        "A new package is a stranger's code: a human decides, for always",
        "docs",
        Wish::Shell("npm install zod"),
        (Action::Escalate, Stage::Rater),
    )
    .approved(Scope::Always),
    Turn::new(
        "The same again: the stored grant answers",
        "docs-again",
        Wish::Shell("npm  install 'zod'"),
        (Action::Approve, Stage::AllowList),
    ),
    Turn::new(
        "A tool that only reads",
        "read",
        Wish::Tool("read_file", "{\"path\": \"README.md\"}"),
        (Action::Approve, Stage::NotGated),
    ),
    Turn::new(
        "A tool of an MCP server, allowed for one host",
        "issue",
        Wish::Mcp("jira", "create_issue", "{\"url\": \"https://jira.example.com/issue\"}"),
        (Action::Approve, Stage::AllowList),
    ),
    Turn::new(
        "The same tool with another host: not what was allowed",
        "other-issue",
        Wish::Mcp("jira", "create_issue", "{\"url\": \"https://jira.example.net/issue\"}"),
        (Action::Escalate, Stage::ToolOpenWorldFloor),
    )
    .approved(Scope::Once),
    Turn::new(
        "A retry with the same request id is the same decision",
        "build",
        Wish::Shell("cargo test && git clean -fdx"),
        (Action::Approve, Stage::Rater),
    )
    .replayed(),
    Turn::new(
        "At the rung auto the agent is refused first, and told how to go on",
        "clean",
        Wish::Shell("rm -rf target"),
        (Action::Reject, Stage::Rater),
    )
    .at_auto(),
];
