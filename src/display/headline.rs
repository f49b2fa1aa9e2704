//! The sentence that says what the agent wants to do.
//!
//! Promises one line in the gate's own words, with every name quoted, neutralised and bounded, so that no name can
//! pass for a part of the sentence. The kind of the call is the gate's, never guessed from a name.

use super::neutral::one_line;
use super::width::width;
use std::fmt;
use unicode_segmentation::UnicodeSegmentation;

/// Columns that one name may take in a headline; the rest is counted, not shown. Four times what the longest names of
/// real tools need.
const NAME_COLUMNS: usize = 256;

/// What the agent wants, by the kind of its call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Headline<'a> {
    /// To run a shell command.
    Shell {
        /// The tool that carries the command.
        tool: &'a str,
    },
    /// To call a tool of an MCP server. Reads like [`Headline::Tool`] when the server's name renders blank.
    McpTool {
        /// The server.
        server: &'a str,
        /// The tool's name at the server.
        name: &'a str,
        /// The name under which the agent knows it.
        registered: &'a str,
    },
    /// To use any other tool.
    Tool {
        /// The tool.
        name: &'a str,
    },
}

impl fmt::Display for Headline<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shell { tool } => {
                write!(formatter, "The agent wants to run a shell command via {}", quoted(tool))
            }
            Self::McpTool { server, name, registered } if one_line(server).is_empty() => {
                let known_as = if one_line(registered).is_empty() { name } else { registered };
                Self::Tool { name: known_as }.fmt(formatter)
            }
            Self::McpTool { server, name, registered } => write!(
                formatter,
                "The agent wants to call {} on the MCP server {}, via {}",
                quoted(name),
                quoted(server),
                quoted(registered)
            ),
            Self::Tool { name } => write!(formatter, "The agent wants to use the tool {}", quoted(name)),
        }
    }
}

/// A name in double quotes that it cannot close, or a word for none.
fn quoted(name: &str) -> String {
    let line = one_line(name);
    if line.is_empty() {
        return "(without a name)".to_owned();
    }
    let mut shown = String::from("\"");
    let mut used = 0;
    let mut clusters = line.graphemes(true);
    for cluster in clusters.by_ref() {
        used += width(cluster);
        if used > NAME_COLUMNS {
            let hidden = cluster.chars().count() + clusters.as_str().chars().count();
            return format!("{shown}\" (cut, {hidden} more characters)");
        }
        shown.push_str(&cluster.replace('"', "\\x22"));
    }
    shown.push('"');
    shown
}
