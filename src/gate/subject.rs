//! What a call is: the subject that lists, floors and humans are asked about.
//!
//! Promises that one call has one subject, that a name in the MCP namespace is never taken for a tool of the agent
//! itself, and that a server is only ever one of the caller's own configured keys. Knows nothing of rungs or rules.

use super::builtin_tools::SHELL_TOOL;
use super::call::{Call, ShellCall};
use super::hosts;
use crate::rules::{Annotations, Hosts, McpIdentity, Target};
use crate::shell::{Analysis, Dialect, analyze};
use serde_json::Value;
use std::sync::Arc;

/// The prefix of every name in the MCP namespace.
const MCP_PREFIX: &str = "mcp__";

/// A call with the part of its subject that no session can change: the analysis of its command. That is the costly part,
/// so it is made before any lock is taken, and once.
#[derive(Debug, Clone)]
pub struct PreparedCall {
    call: Call,
    analysis: Option<Arc<Analysis>>,
}

impl PreparedCall {
    /// Analyses the command of a call, where it has one.
    #[must_use]
    pub fn new(call: Call) -> Self {
        let analysis = command_of(&call).map(|(command, dialect)| Arc::new(analyze(command, dialect)));
        Self { call, analysis }
    }

    /// The call.
    #[must_use]
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The same call with the folders that its session gives it.
    #[must_use]
    pub fn with_folders(&self, cwd: Option<&String>, home: Option<&String>) -> Self {
        let mut call = self.call.clone();
        let (own_cwd, own_home) = match &mut call {
            Call::Shell(shell) => (&mut shell.cwd, &mut shell.home),
            Call::Tool(tool) | Call::Registered(tool) | Call::McpTool { tool, .. } => {
                (&mut tool.cwd, &mut tool.home)
            }
        };
        *own_cwd = own_cwd.take().or_else(|| cwd.cloned());
        *own_home = own_home.take().or_else(|| home.cloned());
        Self { call, analysis: self.analysis.clone() }
    }
}

/// The command text of a call that is a shell command in any form, with its language.
fn command_of(call: &Call) -> Option<(&str, Dialect)> {
    match call {
        Call::Shell(shell) => Some((&shell.command, shell.dialect)),
        Call::Tool(tool) | Call::Registered(tool) if tool.name == SHELL_TOOL => {
            let command = tool.arguments.get("command").and_then(Value::as_str)?;
            (!command.trim().is_empty()).then_some((command, Dialect::default()))
        }
        Call::Tool(_) | Call::Registered(_) | Call::McpTool { .. } => None,
    }
}

/// What a call is.
#[derive(Debug)]
pub enum Subject {
    /// A shell command, with its analysis.
    Shell {
        /// The call.
        call: ShellCall,
        /// What its text would run.
        analysis: Arc<Analysis>,
    },
    /// A tool of the agent itself.
    Tool {
        /// Its name.
        name: String,
        /// The hosts that its arguments name.
        hosts: Hosts,
    },
    /// A tool of an MCP server.
    McpTool {
        /// Whose tool it is.
        identity: McpIdentity,
        /// The hosts that its arguments name.
        hosts: Hosts,
    },
}

impl Subject {
    /// The subject of a call, given the MCP server keys that the session is configured with.
    #[must_use]
    pub fn of(call: &Call, mcp_servers: &[String]) -> Self {
        Self::of_prepared(&PreparedCall::new(call.clone()), mcp_servers)
    }

    /// The subject of a call whose command was analysed before.
    #[must_use]
    pub fn of_prepared(prepared: &PreparedCall, mcp_servers: &[String]) -> Self {
        if let Some(analysis) = &prepared.analysis {
            return Self::Shell { call: shell_call(&prepared.call), analysis: Arc::clone(analysis) };
        }
        match &prepared.call {
            Call::McpTool { server, tool } => Self::McpTool {
                identity: McpIdentity::Resolved { server: server.clone(), name: tool.name.clone() },
                hosts: hosts::scan(&tool.arguments),
            },
            Call::Tool(tool) | Call::Registered(tool) if tool.name.starts_with(MCP_PREFIX) => Self::McpTool {
                identity: resolve(&tool.name, mcp_servers),
                hosts: hosts::scan(&tool.arguments),
            },
            Call::Tool(tool) | Call::Registered(tool) => {
                Self::Tool { name: tool.name.clone(), hosts: hosts::scan(&tool.arguments) }
            }
            // A shell call always has an analysis; without one it is judged as a call that cannot be read.
            Call::Shell(_) => Self::Tool { name: SHELL_TOOL.to_owned(), hosts: Hosts::default() },
        }
    }

    /// The subject as the rule lists see it.
    #[must_use]
    pub fn target(&self, annotations: Option<Annotations>) -> Target<'_> {
        match self {
            Self::Shell { analysis, .. } => Target::Shell(analysis),
            Self::Tool { name, hosts } => Target::Tool { name, hosts, annotations },
            Self::McpTool { identity, hosts } => Target::McpTool { identity, hosts, annotations },
        }
    }

    /// A call to the shell tool that carries no command text: nothing may ever be remembered for it.
    #[must_use]
    pub fn is_unreadable_shell(&self) -> bool {
        match self {
            Self::Tool { name, .. } => name == SHELL_TOOL,
            Self::Shell { .. } | Self::McpTool { .. } => false,
        }
    }

    /// The hosts that the arguments name; a shell command has none here.
    #[must_use]
    pub fn hosts(&self) -> Option<&Hosts> {
        match self {
            Self::Shell { .. } => None,
            Self::Tool { hosts, .. } | Self::McpTool { hosts, .. } => Some(hosts),
        }
    }

    /// The MCP server and its tool, where exactly one configured key explains the name.
    #[must_use]
    pub fn mcp_tool(&self) -> Option<(String, String)> {
        match self {
            Self::McpTool { identity: McpIdentity::Resolved { server, name }, .. } => {
                Some((server.clone(), name.clone()))
            }
            Self::McpTool { identity: McpIdentity::Unresolved { .. }, .. }
            | Self::Shell { .. }
            | Self::Tool { .. } => None,
        }
    }

    /// What this is, as a word.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Shell { .. } => "shell",
            Self::Tool { .. } => "tool",
            Self::McpTool { .. } => "mcpTool",
        }
    }
}

/// A call that is a shell command, in the form of one.
fn shell_call(call: &Call) -> ShellCall {
    match call {
        Call::Shell(shell) => shell.clone(),
        Call::Tool(tool) | Call::Registered(tool) | Call::McpTool { tool, .. } => {
            let text = |key: &str| tool.arguments.get(key).and_then(Value::as_str).map(str::to_owned);
            ShellCall {
                command: text("command").unwrap_or_default(),
                cwd: tool.cwd.clone().or_else(|| text("cwd")),
                home: tool.home.clone(),
                dialect: Dialect::default(),
                justification: tool.justification.clone(),
            }
        }
    }
}

/// The name under which a server's tool is registered.
#[must_use]
pub fn registered_name(server: &str, name: &str) -> String {
    format!("{MCP_PREFIX}{server}__{name}")
}

/// Whose tool is this registered name? Never by splitting at `__`, which both halves may contain.
fn resolve(registered: &str, mcp_servers: &[String]) -> McpIdentity {
    let readings: Vec<(String, String)> = mcp_servers
        .iter()
        .filter(|key| !key.is_empty())
        .filter_map(|key| {
            let name = registered.strip_prefix(MCP_PREFIX)?.strip_prefix(key.as_str())?.strip_prefix("__")?;
            (!name.is_empty()).then(|| (key.clone(), name.to_owned()))
        })
        .collect();
    match readings.as_slice() {
        [(server, name)] => McpIdentity::Resolved { server: server.clone(), name: name.clone() },
        [] | [_, _, ..] => McpIdentity::Unresolved { registered: registered.to_owned(), readings },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::call::ToolCall;

    #[test]
    fn a_registered_name_belongs_to_a_server_only_when_exactly_one_key_explains_it() {
        type Case<'a> = (&'a str, &'a [&'a str], Option<(&'a str, &'a str)>);
        let cases: &[Case<'_>] = &[
            ("mcp__jira__delete_issue", &["jira", "github"], Some(("jira", "delete_issue"))),
            ("mcp__jira__staging__delete_issue", &["jira__staging"], Some(("jira__staging", "delete_issue"))),
            ("mcp__jira__staging__delete_issue", &["jira"], Some(("jira", "staging__delete_issue"))),
            ("mcp__jira__staging__delete_issue", &["jira", "jira__staging"], None),
            ("mcp__a__b__x", &["a", "a__b"], None),
            ("mcp__a__b__x", &["a"], Some(("a", "b__x"))),
            ("mcp__a__b__x", &["a__b"], Some(("a__b", "x"))),
            ("mcp__a____x", &["a"], Some(("a", "__x"))),
            ("mcp__a____x", &["a", "a__"], None),
            ("mcp__ghost__x", &["jira"], None),
            ("mcp__jira__", &["jira"], None),
            ("mcp__", &["jira"], None),
            ("mcp____x", &[""], None),
            ("mcp__a__x", &["a", "a"], None),
            ("mcp__constructor__x", &["constructor"], Some(("constructor", "x"))),
        ];
        for (name, keys, expected) in cases {
            let keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
            let resolved = match resolve(name, &keys) {
                McpIdentity::Resolved { server, name } => Some((server, name)),
                McpIdentity::Unresolved { registered, .. } => {
                    assert_eq!(registered, *name);
                    None
                }
            };
            let expected = expected.map(|(server, tool)| (server.to_owned(), tool.to_owned()));
            assert_eq!(resolved, expected, "{name} with {keys:?}");
        }
    }

    /// Invariant 38.
    #[test]
    fn a_name_in_the_mcp_namespace_is_never_a_tool_of_the_agent_itself() {
        let call = |name: &str| Call::Tool(ToolCall::new(name, serde_json::Map::new()));
        assert!(matches!(Subject::of(&call("mcp__x__read_file"), &[]), Subject::McpTool { .. }));
        for name in ["MCP__a__x", "mcp_jira__x", "mcpjira__x"] {
            assert!(matches!(Subject::of(&call(name), &[]), Subject::Tool { .. }), "{name}");
        }
    }

    #[test]
    fn the_shell_tool_with_command_text_is_a_shell_command_and_without_it_is_unreadable() {
        let call = |arguments: serde_json::Value| {
            let arguments = arguments.as_object().cloned().unwrap_or_default();
            Call::Registered(ToolCall::new(SHELL_TOOL, arguments))
        };
        assert!(matches!(
            Subject::of(&call(serde_json::json!({"command": "ls"})), &[]),
            Subject::Shell { .. }
        ));
        for arguments in
            [serde_json::json!({}), serde_json::json!({"command": 3}), serde_json::json!({"command": " "})]
        {
            assert!(Subject::of(&call(arguments.clone()), &[]).is_unreadable_shell(), "{arguments}");
        }
    }
}
