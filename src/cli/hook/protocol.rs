//! What agents ask, as the contract's calls.
//!
//! Promises that a question in a form that is not known is none, and that no tool which runs a command passes as another
//! one. Knows nothing of gates.

use super::agent::Agent;
use crate::proto::v1 as pb;
use pb::call::Kind;
use serde_json::{Map, Value};

/// The tool of Codex whose `command` is a patch.
const PATCH: &str = "apply_patch";

/// Where shell tools name the folder that they run in, from the agent's own folder.
const FOLDER_KEYS: [&str; 3] = ["directory", "dir_path", "workdir"];

/// How the modes of Claude Code are called in which it asks nobody.
const SILENT_MODES: [&str; 2] = ["bypassPermissions", "dontAsk"];

/// One question of an agent.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Asked {
    /// The conversation.
    pub(super) session: String,
    /// The part of it that a halt ends.
    pub(super) run: String,
    /// The id of this use of a tool, which the agent keeps when it asks again. Empty where it gives none.
    pub(super) request: String,
    /// What the agent wants to do.
    pub(super) call: pb::Call,
    /// Whether somebody sits before the agent who can be asked.
    pub(super) attended: bool,
}

/// Reads a question.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(agent: Agent, text: &str) -> Result<Asked, String> {
    let input: Value = serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
    let Value::Object(input) = input else { return Err("it is no object".to_owned()) };
    let event = text_of(&input, "hook_event_name")?;
    if event != agent.event() {
        return Err(format!("it is about the event {event:?}, and this hook is for {}", agent.event()));
    }
    let session = text_of(&input, "session_id")?.to_owned();
    // A turn of Codex has an id of its own. For the others, the conversation is the run that a halt ends.
    let run = optional(&input, "turn_id")?.unwrap_or(&session).to_owned();
    let request = optional(&input, "tool_use_id")?.unwrap_or_default().to_owned();
    let cwd = optional(&input, "cwd")?.unwrap_or_default().to_owned();
    let name = text_of(&input, "tool_name")?;
    let arguments = match input.get("tool_input") {
        Some(Value::Object(arguments)) => arguments,
        Some(_) | None => return Err("`tool_input` is no object".to_owned()),
    };
    let call = match mcp(agent, &input, name)? {
        Some((server, tool)) => Kind::McpTool(pb::McpToolCall {
            server,
            name: tool,
            arguments_json: to_text(arguments),
            cwd,
            home: home(),
            justification: String::new(),
        }),
        None => own(agent, name, arguments, cwd)?,
    };
    let mode = optional(&input, "permission_mode")?.unwrap_or_default();
    let attended = !SILENT_MODES.contains(&mode);
    Ok(Asked { session, run, request, call: pb::Call { kind: Some(call) }, attended })
}

/// A call of one of the agent's own tools, or of one whose name leaves open which server it belongs to.
fn own(agent: Agent, name: &str, arguments: &Map<String, Value>, cwd: String) -> Result<Kind, String> {
    let known = agent.shells().contains(&name);
    match arguments.get("command") {
        // Whatever else takes a command runs it, under whichever name.
        Some(Value::String(command)) if known || (name != PATCH && !name.starts_with("mcp_")) => {
            let dialect = if name.eq_ignore_ascii_case("powershell") {
                pb::ShellDialect::Powershell
            } else {
                pb::ShellDialect::Bash
            };
            Ok(Kind::Shell(pb::ShellCall {
                command: command.clone(),
                cwd: folder(&cwd, arguments),
                home: home(),
                dialect: dialect.into(),
                justification: String::new(),
            }))
        }
        Some(_) | None if known => Err(format!("the tool {name:?} comes without the text of a `command`")),
        Some(_) | None => Ok(Kind::Registered(pb::RegisteredCall {
            name: name.to_owned(),
            arguments_json: to_text(arguments),
            cwd,
            home: home(),
            justification: String::new(),
        })),
    }
}

/// The server and the tool of a registered name, where there is one way to read it. Where there are more, the gate
/// resolves the name by the servers that it knows.
fn mcp(agent: Agent, input: &Map<String, Value>, name: &str) -> Result<Option<(String, String)>, String> {
    if let (Agent::Gemini, Some(context)) = (agent, input.get("mcp_context")) {
        // Gemini CLI says it outright.
        let Value::Object(context) = context else { return Err("`mcp_context` is no object".to_owned()) };
        let (server, tool) = (text_of(context, "server_name")?, text_of(context, "tool_name")?);
        return Ok(Some((server.to_owned(), tool.to_owned())));
    }
    let Some(rest) = name.strip_prefix("mcp__") else { return Ok(None) };
    let separators = rest.as_bytes().windows(2).filter(|pair| pair == b"__").count();
    let split = rest.split_once("__").filter(|(server, tool)| !server.is_empty() && !tool.is_empty());
    Ok(split.filter(|_| separators == 1).map(|(server, tool)| (server.to_owned(), tool.to_owned())))
}

/// The folder that a command runs in.
fn folder(cwd: &str, arguments: &Map<String, Value>) -> String {
    let named = FOLDER_KEYS.iter().find_map(|key| arguments.get(*key)).and_then(Value::as_str);
    match named.filter(|named| !named.is_empty()) {
        Some(named) => std::path::Path::new(cwd).join(named).display().to_string(),
        None => cwd.to_owned(),
    }
}

/// The home folder of this account, whose commands the agent runs.
fn home() -> String {
    std::env::var("HOME").ok().filter(|home| home.starts_with('/')).unwrap_or_default()
}

fn to_text(arguments: &Map<String, Value>) -> String {
    Value::Object(arguments.clone()).to_string()
}

fn text_of<'a>(input: &'a Map<String, Value>, key: &str) -> Result<&'a str, String> {
    optional(input, key)?.filter(|text| !text.is_empty()).ok_or_else(|| format!("`{key}` is missing"))
}

fn optional<'a>(input: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>, String> {
    match input.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` is no text")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn asked(agent: Agent, tool: &str, arguments: Value) -> Result<Kind, String> {
        let text = json!({
            "session_id": "s", "cwd": "/work", "hook_event_name": agent.event(), "tool_name": tool,
            "tool_input": arguments,
        });
        read(agent, &text.to_string()).map(|asked| asked.call.kind.unwrap())
    }

    #[test]
    fn whatever_takes_a_command_is_judged_as_one() {
        let cases = [
            (Agent::ClaudeCode, "Bash", pb::ShellDialect::Bash),
            (Agent::ClaudeCode, "PowerShell", pb::ShellDialect::Powershell),
            (Agent::ClaudeCode, "ATerminalOfTheFuture", pb::ShellDialect::Bash),
            (Agent::Codex, "Bash", pb::ShellDialect::Bash),
            (Agent::Gemini, "run_shell_command", pb::ShellDialect::Bash),
            (Agent::OpenCode, "bash", pb::ShellDialect::Bash),
        ];
        for (agent, tool, dialect) in cases {
            let Ok(Kind::Shell(shell)) = asked(agent, tool, json!({ "command": "ls" })) else {
                panic!("{tool}")
            };
            assert_eq!(
                (shell.command.as_str(), shell.cwd.as_str(), shell.dialect()),
                ("ls", "/work", dialect)
            );
        }
        assert!(asked(Agent::ClaudeCode, "Bash", json!({ "command": ["ls"] })).is_err());
        assert!(asked(Agent::ClaudeCode, "Bash", json!({})).is_err());
        let patch = asked(Agent::Codex, PATCH, json!({ "command": "*** Begin Patch" }));
        assert!(matches!(patch, Ok(Kind::Registered(_))), "{patch:?}");
        let there = asked(Agent::Gemini, "run_shell_command", json!({ "command": "ls", "directory": "pkg" }));
        assert!(matches!(&there, Ok(Kind::Shell(shell)) if shell.cwd == "/work/pkg"), "{there:?}");
    }

    #[test]
    fn a_servers_tool_is_named_by_server_and_tool_only_where_there_is_one_reading() {
        let arguments = json!({ "command": "ls" });
        let named = asked(Agent::ClaudeCode, "mcp__jira__create_issue", arguments.clone());
        let Ok(Kind::McpTool(tool)) = named else { panic!("{named:?}") };
        assert_eq!((tool.server.as_str(), tool.name.as_str()), ("jira", "create_issue"));
        for name in ["mcp__a__b__c", "mcp__a___b", "mcp__a", "mcp____b", "mcp__a__", "mcp__"] {
            let left_open = asked(Agent::ClaudeCode, name, arguments.clone());
            let Ok(Kind::Registered(tool)) = left_open else { panic!("{name}: {left_open:?}") };
            assert_eq!(tool.name, name);
        }
    }

    #[test]
    fn a_question_in_another_form_is_none() {
        let good = json!({
            "session_id": "s", "hook_event_name": "PreToolUse", "tool_name": "Read",
            "tool_input": { "file_path": "/work/a" }, "tool_use_id": "t",
        });
        assert!(read(Agent::ClaudeCode, &good.to_string()).is_ok());
        for (key, value) in [
            ("session_id", json!(7)),
            ("session_id", json!("")),
            ("hook_event_name", json!("PostToolUse")),
            ("tool_name", Value::Null),
            ("tool_input", json!("ls")),
            ("tool_use_id", json!({})),
            ("cwd", json!([])),
        ] {
            let mut wrong = good.clone();
            wrong[key] = value;
            assert!(read(Agent::ClaudeCode, &wrong.to_string()).is_err(), "{wrong}");
        }
        for text in ["", "[]", "null", "{", "{} {}", &"[".repeat(100_000)] {
            assert!(read(Agent::ClaudeCode, text).is_err());
        }
    }
}
