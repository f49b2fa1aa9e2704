//! The call of a case: `{shell:{command,cwd?,home?,dialect?,justification?}}`, `{tool:{name,arguments}}`,
//! `{mcp_tool:{server,name,arguments}}` or `{registered:{name,arguments}}`.
//!
//! Promises the calls that the service would accept, and an error for those that it would refuse. Knows nothing of what
//! happens around a call.

use super::words;
use crate::config::{Report, Section, kind};
use crate::gate::{Call, ShellCall, ToolCall};
use crate::shell::{Dialect, MAX_COMMAND_BYTES};
use serde_json::{Map, Value};

/// The keys that make a step a call.
pub(super) const KINDS: [&str; 5] = ["shell", "tool", "mcp_tool", "mcpTool", "registered"];

const SHELL_KEYS: [&str; 5] = ["command", "cwd", "home", "dialect", "justification"];
const TOOL_KEYS: [&str; 5] = ["name", "arguments", "cwd", "home", "justification"];
const MCP_TOOL_KEYS: [&str; 6] = ["server", "name", "arguments", "cwd", "home", "justification"];
const DIALECTS: [(&str, Dialect); 4] = [
    ("bash", Dialect::Bash),
    ("sh", Dialect::Bash),
    ("powershell", Dialect::PowerShell),
    ("cmd", Dialect::Cmd),
];

/// Reads the call behind one of [`KINDS`].
pub(super) fn read(kind: &str, value: &Value, path: &str, report: &mut Report) -> Option<Call> {
    match (kind, value) {
        ("shell", Value::String(command)) => {
            shell_command(command, path, report).map(ShellCall::new).map(Call::Shell)
        }
        ("shell", _) => read_shell(value, path, report).map(Call::Shell),
        ("tool", _) => read_tool(value, path, &TOOL_KEYS, report).map(Call::Tool),
        ("registered", _) => read_tool(value, path, &TOOL_KEYS, report).map(Call::Registered),
        (_, _) => read_mcp_tool(value, path, report),
    }
}

fn read_shell(value: &Value, path: &str, report: &mut Report) -> Option<ShellCall> {
    let section = Section::open(value, path, report)?;
    section.refuse_unknown(&SHELL_KEYS, report);
    let dialect = match section.get("dialect") {
        None => Dialect::default(),
        Some(value) => {
            let named = value.as_str().map(words::plain);
            match DIALECTS.into_iter().find(|(name, _)| named.as_deref() == Some(*name)) {
                Some((_, dialect)) => dialect,
                None => {
                    words::refuse(
                        value,
                        &section.path_of("dialect"),
                        &DIALECTS.map(|(name, _)| name),
                        report,
                    );
                    return None;
                }
            }
        }
    };
    let command = required(&section, "command", report)?;
    Some(ShellCall {
        command: shell_command(command, &section.path_of("command"), report)?,
        dialect,
        cwd: own_text(&section, "cwd", report),
        home: own_text(&section, "home", report),
        justification: own_text(&section, "justification", report),
    })
}

fn shell_command(command: &str, path: &str, report: &mut Report) -> Option<String> {
    if command.is_empty() || command.len() > MAX_COMMAND_BYTES {
        report.error(
            path,
            format!("must be a command of 1 to {MAX_COMMAND_BYTES} bytes: the gate refuses any other"),
        );
        return None;
    }
    Some(command.to_owned())
}

fn read_mcp_tool(value: &Value, path: &str, report: &mut Report) -> Option<Call> {
    let tool = read_tool(value, path, &MCP_TOOL_KEYS, report)?;
    let section = Section::open(value, path, report)?;
    let server = required(&section, "server", report)?;
    if server.is_empty() || server == "*" {
        report.error(
            &section.path_of("server"),
            "must be the key of one MCP server; `*` and an empty key are no server",
        );
        return None;
    }
    Some(Call::McpTool { server: server.to_owned(), tool })
}

fn read_tool(value: &Value, path: &str, keys: &[&str], report: &mut Report) -> Option<ToolCall> {
    let section = Section::open(value, path, report)?;
    section.refuse_unknown(keys, report);
    let arguments = match section.get("arguments") {
        None => Map::new(),
        Some(Value::Object(arguments)) => arguments.clone(),
        Some(other) => {
            report.error(
                &section.path_of("arguments"),
                format!("must be an object `{{ … }}`, not {}", kind(other)),
            );
            return None;
        }
    };
    let name = required(&section, "name", report)?;
    if name.is_empty() {
        report.error(&section.path_of("name"), "is empty; write the tool's name");
        return None;
    }
    Some(ToolCall {
        cwd: own_text(&section, "cwd", report),
        home: own_text(&section, "home", report),
        justification: own_text(&section, "justification", report),
        ..ToolCall::new(name, arguments)
    })
}

fn required<'v>(section: &Section<'v>, key: &str, report: &mut Report) -> Option<&'v str> {
    if section.get(key).is_none() {
        report.error(&section.path_of(key), "is missing");
    }
    section.text(key, report)
}

fn own_text(section: &Section<'_>, key: &str, report: &mut Report) -> Option<String> {
    section.text(key, report).map(str::to_owned)
}
