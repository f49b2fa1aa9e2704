//! Names of tools and servers that lead nowhere.
//!
//! Promises a warning only where a name cannot be what its author meant. Knows nothing of what servers really offer.

use super::super::approvals::{Approvals, PlacedEntry};
use super::super::configuration::Configuration;
use super::super::problem::Problem;
use crate::gate::SHELL_TOOL;
use crate::rules::grammar::suggest::nearest;
use crate::rules::{Entry, ServerPattern, TextPattern, ToolPattern};
use std::collections::BTreeSet;

const MCP_PREFIX: &str = "mcp__";

/// Warns of a name that a call of the entry's type never has.
pub(super) fn check_entry(entry: &Entry, warn: &mut impl FnMut(&str, String)) {
    match entry {
        Entry::Shell { .. } => {}
        Entry::Tool { pattern, .. } => match literal_start(pattern) {
            Some(SHELL_TOOL) => warn(
                ".pattern",
                "names the shell tool, but only `shell` entries match shell commands; write a `shell` entry".to_owned(),
            ),
            Some(name) if name.starts_with(MCP_PREFIX) => warn(
                ".pattern",
                "names an MCP server's tool, but only `mcpTool` entries match those; write an `mcpTool` entry with \
                 the server's key and the tool's own name"
                    .to_owned(),
            ),
            Some(_) | None => {}
        },
        Entry::McpTool { server: ServerPattern::Key(_), pattern, .. } => {
            if literal_start(pattern).is_some_and(|name| name.starts_with(MCP_PREFIX)) {
                warn(
                    ".pattern",
                    "starts like a registered name, but the pattern is compared with the tool's own name; leave out \
                     `mcp__`, the server's key and `__`"
                        .to_owned(),
                );
            }
        }
        // An unresolved call is compared with its registered name under `*`.
        Entry::McpTool { server: ServerPattern::Any, .. } => {}
    }
}

/// The text that every matching name begins with; all of it for an exact pattern.
fn literal_start(pattern: &ToolPattern) -> Option<&str> {
    match pattern {
        ToolPattern::Name(TextPattern::Exact(name)) => Some(name),
        ToolPattern::Name(TextPattern::Glob(glob)) => glob.split('*').next(),
        ToolPattern::Name(TextPattern::Regexp(_)) | ToolPattern::Hints(_) => None,
    }
}

/// Server keys of rules and trust that `mcpServers` does not have, where it has any.
pub(super) fn unknown_servers<'p>(
    configuration: &'p Configuration,
    entries: impl Iterator<Item = &'p PlacedEntry>,
) -> Vec<Problem> {
    let policy = configuration.policy();
    let scopes = || std::iter::once(&policy.root).chain(policy.projects.values());
    let known: BTreeSet<&str> = scopes().flat_map(|scope| &scope.mcp_servers).map(String::as_str).collect();
    let mut problems = Vec::new();
    for block in scopes().flat_map(|scope| std::iter::once(&scope.approvals).chain(scope.commands.values())) {
        problems.extend(trust_of_nobody(block, &known));
    }
    if known.is_empty() {
        return problems;
    }
    for placed in entries {
        match &placed.declared.entry {
            Entry::McpTool { server: ServerPattern::Key(key), .. } if !known.contains(key.as_str()) => {
                let mut origin = placed.origin.clone();
                origin.path.push_str(".server");
                let path = origin.path.clone();
                problems.push(Problem::warning(Some(origin), &path, unknown(key, &known)));
            }
            Entry::McpTool { server: ServerPattern::Key(_) | ServerPattern::Any, .. }
            | Entry::Shell { .. }
            | Entry::Tool { .. } => {}
        }
    }
    problems
}

fn trust_of_nobody(block: &Approvals, known: &BTreeSet<&str>) -> Vec<Problem> {
    let named = block.mcp.iter().flat_map(|trust| trust.places.iter());
    named
        .filter_map(|(key, origin)| {
            let message = if key == "*" {
                "names no server: `*` stands for every server only in rules; write `mcp.defaults` for servers that are \
                 not named"
                    .to_owned()
            } else if !known.is_empty() && !known.contains(key.as_str()) {
                unknown(key, known)
            } else {
                return None;
            };
            Some(Problem::warning(Some(origin.clone()), &origin.path, message))
        })
        .collect()
}

fn unknown(key: &str, known: &BTreeSet<&str>) -> String {
    let names: Vec<&str> = known.iter().copied().collect();
    let advice = nearest(key, &names).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
    format!("{key:?} is not a key of `mcpServers`{advice}")
}
