//! A call as it arrives: what the agent wants to do, already checked for form.
//!
//! Promises that a call which exists is well formed. Knows nothing of sessions, rules or what the call means.

use crate::shell::Dialect;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the agent wants to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Call {
    /// A shell command.
    Shell(ShellCall),
    /// A tool of the agent itself.
    Tool(ToolCall),
    /// A tool of an MCP server, named explicitly.
    McpTool {
        /// The server's key; neither empty nor `*`.
        server: String,
        /// The tool's own name and its arguments.
        #[serde(flatten)]
        tool: ToolCall,
    },
    /// A tool by the name under which the agent registered it (`mcp__jira__create_issue`).
    Registered(ToolCall),
}

/// A shell command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellCall {
    /// The text as the model wrote it; never empty.
    pub command: String,
    /// The folder it would run in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The home folder of the user it would run as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// The language of the text.
    #[serde(default)]
    pub dialect: Dialect,
    /// Why the agent says it needs this; read only while it negotiates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
}

/// A tool and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name; never empty.
    pub name: String,
    /// The arguments.
    #[serde(default)]
    pub arguments: Map<String, Value>,
    /// The folder that relative paths in the arguments start from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The home folder of the user it would run as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub home: Option<String>,
    /// Why the agent says it needs this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub justification: Option<String>,
}

impl ToolCall {
    /// A call without particulars.
    #[must_use]
    pub fn new(name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self { name: name.into(), arguments, cwd: None, home: None, justification: None }
    }
}

impl ShellCall {
    /// A bash command without particulars.
    #[must_use]
    pub fn new(command: impl Into<String>) -> Self {
        Self {
            command: command.into(),
            cwd: None,
            home: None,
            dialect: Dialect::default(),
            justification: None,
        }
    }
}

impl Call {
    /// The justification, when it says anything.
    #[must_use]
    pub fn justification(&self) -> Option<&str> {
        let text = match self {
            Self::Shell(call) => call.justification.as_deref(),
            Self::Tool(call) | Self::Registered(call) | Self::McpTool { tool: call, .. } => call
                .justification
                .as_deref()
                .or_else(|| call.arguments.get("justification").and_then(Value::as_str)),
        };
        text.filter(|text| !text.trim().is_empty())
    }

    /// The arguments as JSON text; empty for a shell command.
    #[must_use]
    pub fn arguments_text(&self) -> String {
        match self {
            Self::Shell(_) => String::new(),
            Self::Tool(call) | Self::Registered(call) | Self::McpTool { tool: call, .. } => {
                Value::Object(call.arguments.clone()).to_string()
            }
        }
    }

    /// The working folder and home, where they are known.
    #[must_use]
    pub fn folders(&self) -> (Option<&str>, Option<&str>) {
        match self {
            Self::Shell(call) => (call.cwd.as_deref(), call.home.as_deref()),
            Self::Tool(call) | Self::Registered(call) | Self::McpTool { tool: call, .. } => {
                (call.cwd.as_deref(), call.home.as_deref())
            }
        }
    }

    /// The name by which messages speak of the tool.
    #[must_use]
    pub fn tool_name(&self) -> &str {
        match self {
            Self::Shell(_) => super::builtin_tools::SHELL_TOOL,
            Self::Tool(call) | Self::Registered(call) | Self::McpTool { tool: call, .. } => &call.name,
        }
    }

    /// The command text that records and stops show: the shell command, or any tool's `command` argument.
    #[must_use]
    pub fn command_text(&self) -> Option<&str> {
        match self {
            Self::Shell(call) => Some(&call.command),
            Self::Tool(call) | Self::Registered(call) | Self::McpTool { tool: call, .. } => {
                call.arguments.get("command").and_then(Value::as_str)
            }
        }
    }
}
