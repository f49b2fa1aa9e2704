//! What to put into an MCP client's configuration.
//!
//! Promises the command that was typed, without the option that asked for this. Knows nothing of where clients keep their
//! files on this machine.

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output;
use clap::ValueEnum;
use serde_json::{Map, Value, json};
use std::ffi::OsString;

/// The option that asks for a snippet.
const OPTION: &str = "--print-config";

/// A client that starts MCP servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Host {
    /// claude_desktop_config.json
    ClaudeDesktop,
    /// .mcp.json in the project's folder
    ClaudeCode,
    /// .cursor/mcp.json in the project's folder, or in the home folder
    Cursor,
    /// .vscode/mcp.json in the project's folder
    Vscode,
}

impl Host {
    /// The file, as a person finds it.
    fn file(self) -> &'static str {
        match self {
            Self::ClaudeDesktop => "claude_desktop_config.json (Settings, Developer, Edit Config)",
            Self::ClaudeCode => ".mcp.json in the project's folder",
            Self::Cursor => ".cursor/mcp.json in the project's folder or in your home folder",
            Self::Vscode => ".vscode/mcp.json in the project's folder",
        }
    }

    /// The member of the file that holds the servers.
    fn servers(self) -> &'static str {
        match self {
            Self::ClaudeDesktop | Self::ClaudeCode | Self::Cursor => "mcpServers",
            Self::Vscode => "servers",
        }
    }

    /// Whether the client wants the transport named.
    fn names_transport(self) -> bool {
        match self {
            Self::ClaudeCode | Self::Vscode => true,
            Self::ClaudeDesktop | Self::Cursor => false,
        }
    }

    fn snippet(self, key: &str, program: &str, arguments: &[String]) -> Value {
        let mut server = Map::new();
        if self.names_transport() {
            server.insert("type".to_owned(), Value::from("stdio"));
        }
        server.insert("command".to_owned(), Value::from(program));
        server.insert("args".to_owned(), Value::from(arguments));
        json!({ self.servers(): { key: server } })
    }
}

/// Prints the snippet for these arguments of this process.
///
/// # Errors
/// An argument is not Unicode, which JSON cannot hold.
pub(super) fn print(
    host: Host,
    key: &str,
    arguments: impl Iterator<Item = OsString>,
) -> Result<Exit, Failure> {
    let arguments: Result<Vec<String>, OsString> = arguments.map(OsString::into_string).collect();
    let arguments =
        arguments.map_err(|_bytes| Failure::new("an argument is not Unicode, which JSON cannot hold"))?;
    // Clients with a window do not have the PATH of a shell.
    let program = std::env::current_exe().ok().and_then(|path| path.into_os_string().into_string().ok());
    let program = program.unwrap_or_else(|| "haltgate".to_owned());
    output::write_json(&host.snippet(key, &program, &without_option(arguments)))?;
    super::operator::say(&format!("put this into {}", host.file()));
    Ok(Exit::Good)
}

/// The arguments without the option that asked for the snippet; behind `--` everything is the server's.
fn without_option(arguments: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == OPTION {
            let _its_value = arguments.next();
        } else if argument == "--" {
            kept.push(argument);
            kept.extend(arguments.by_ref());
        } else if !argument.starts_with(&format!("{OPTION}=")) {
            kept.push(argument);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn the_snippet_starts_what_was_typed_without_the_option() {
        let expected = words("mcp --server-key k -- server --print-config cursor");
        for typed in [
            "mcp --print-config cursor --server-key k -- server --print-config cursor",
            "mcp --server-key k --print-config=cursor -- server --print-config cursor",
        ] {
            assert_eq!(without_option(words(typed)), expected);
        }
    }

    #[test]
    fn each_client_gets_its_own_form() {
        let plain = json!({ "command": "haltgate", "args": ["mcp"] });
        let named = json!({ "type": "stdio", "command": "haltgate", "args": ["mcp"] });
        let cases = [
            (Host::ClaudeDesktop, json!({ "mcpServers": { "k": plain } })),
            (Host::ClaudeCode, json!({ "mcpServers": { "k": named } })),
            (Host::Cursor, json!({ "mcpServers": { "k": plain } })),
            (Host::Vscode, json!({ "servers": { "k": named } })),
        ];
        for (host, expected) in cases {
            assert_eq!(host.snippet("k", "haltgate", &["mcp".to_owned()]), expected, "{host:?}");
        }
    }
}
