//! The rule-list entry that a command line describes.
//!
//! Promises that an entry is read by the same grammar as a policy file, so that both say the same of the same mistake.

use super::failure::Failure;
use crate::proto::v1 as pb;
use crate::rules::{Entry, Hint, ServerPattern, TextPattern, ToolPattern, parse_entry};
use clap::{ArgGroup, Args};
use serde_json::{Map, Value, json};

/// The entry that is meant.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "The entry")]
#[command(group = ArgGroup::new("entry_kind").required(true).args([
    "shell_exact", "shell_glob", "shell_regexp", "tool", "tool_glob", "mcp", "mcp_glob", "entry",
]))]
pub(super) struct EntryOptions {
    /// Exactly this shell command
    #[arg(long, value_name = "COMMAND")]
    shell_exact: Option<String>,
    /// Shell commands like this; * stands for anything
    #[arg(long, value_name = "PATTERN")]
    shell_glob: Option<String>,
    /// Shell commands in which this regular expression is found
    #[arg(long, value_name = "REGEXP")]
    shell_regexp: Option<String>,
    /// Exactly this tool of the agent itself
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// Tools of the agent itself like this
    #[arg(long, value_name = "PATTERN")]
    tool_glob: Option<String>,
    /// Exactly this tool of an MCP server
    #[arg(long, num_args = 2, value_names = ["SERVER", "NAME"])]
    mcp: Option<Vec<String>>,
    /// Tools of an MCP server like this
    #[arg(long, num_args = 2, value_names = ["SERVER", "PATTERN"])]
    mcp_glob: Option<Vec<String>>,
    /// Any entry, written as in a policy file or as `grants list` shows it
    #[arg(long, value_name = "JSON")]
    entry: Option<String>,
    /// Only calls that name this host
    #[arg(long, value_name = "HOST", conflicts_with_all = ["entry", "shell_exact", "shell_glob", "shell_regexp"])]
    host: Option<String>,
    /// Whether what the entry allows is still rated
    #[arg(long, value_name = "BOOL", conflicts_with = "entry")]
    rate: Option<bool>,
}

impl EntryOptions {
    /// The entry in the contract's form.
    ///
    /// # Errors
    /// Everything that the grammar has against it.
    pub(super) fn entry(&self) -> Result<pb::Entry, Failure> {
        let mut problems = Vec::new();
        match parse_entry(&self.value()?, "entry", &mut problems) {
            Some(entry) => Ok(to_proto(&entry)),
            None => Err(Failure::new("this is no entry that a rule list can hold")
                .with_details(problems.iter().map(ToString::to_string))
                .advise("see the entry grammar in the documentation, or copy an entry from `haltgate grants list`")),
        }
    }

    fn value(&self) -> Result<Value, Failure> {
        if let Some(text) = &self.entry {
            return serde_json::from_str(text)
                .map_err(|error| Failure::new(format!("--entry is no JSON: {error}")));
        }
        let of = |kind: &str, server: Option<&String>, matcher: &str, pattern: &str| {
            let mut fields = Map::new();
            fields.insert("type".to_owned(), json!(kind));
            if let Some(server) = server {
                fields.insert("server".to_owned(), json!(server));
            }
            fields.insert("matcher".to_owned(), json!(matcher));
            fields.insert("pattern".to_owned(), json!(pattern));
            if let Some(host) = &self.host {
                fields.insert("host".to_owned(), json!(host));
            }
            if let Some(rate) = self.rate {
                fields.insert("rate".to_owned(), json!(rate));
            }
            Value::Object(fields)
        };
        let plain = [
            (&self.shell_exact, "shell", "exact"),
            (&self.shell_glob, "shell", "glob"),
            (&self.shell_regexp, "shell", "regexp"),
            (&self.tool, "tool", "exact"),
            (&self.tool_glob, "tool", "glob"),
        ];
        let of_server = [(&self.mcp, "exact"), (&self.mcp_glob, "glob")];
        let plain = plain
            .into_iter()
            .find_map(|(text, kind, matcher)| text.as_ref().map(|text| of(kind, None, matcher, text)));
        let found = plain.or_else(|| {
            of_server.into_iter().find_map(|(names, matcher)| match names.as_deref() {
                Some([server, name]) => Some(of("mcpTool", Some(server), matcher, name)),
                Some(_) | None => None,
            })
        });
        found.ok_or_else(|| Failure::new("no entry was named"))
    }
}

/// An entry in the contract's form.
fn to_proto(entry: &Entry) -> pb::Entry {
    let blank = pb::Entry::default();
    match entry {
        Entry::Shell { pattern, rate } => {
            let (matcher, text) = text_pattern(pattern);
            let subject_pattern = Some(pb::entry::SubjectPattern::Pattern(text));
            let r#type = pb::EntryType::Shell.into();
            pb::Entry { r#type, matcher: matcher.into(), subject_pattern, rate: *rate, ..blank }
        }
        Entry::Tool { pattern, host, rate } => {
            let (matcher, subject_pattern) = tool_pattern(pattern);
            let (r#type, host) = (pb::EntryType::Tool.into(), host.clone().unwrap_or_default());
            pb::Entry {
                r#type,
                matcher: matcher.into(),
                subject_pattern: Some(subject_pattern),
                host,
                rate: *rate,
                ..blank
            }
        }
        Entry::McpTool { server, pattern, host, rate } => {
            let (matcher, subject_pattern) = tool_pattern(pattern);
            let server = match server {
                ServerPattern::Any => "*".to_owned(),
                ServerPattern::Key(key) => key.clone(),
            };
            pb::Entry {
                r#type: pb::EntryType::McpTool.into(),
                matcher: matcher.into(),
                subject_pattern: Some(subject_pattern),
                server,
                host: host.clone().unwrap_or_default(),
                rate: *rate,
            }
        }
    }
}

fn text_pattern(pattern: &TextPattern) -> (pb::Matcher, String) {
    match pattern {
        TextPattern::Exact(text) => (pb::Matcher::Exact, text.clone()),
        TextPattern::Glob(text) => (pb::Matcher::Glob, text.clone()),
        TextPattern::Regexp(text) => (pb::Matcher::Regexp, text.clone()),
    }
}

fn tool_pattern(pattern: &ToolPattern) -> (pb::Matcher, pb::entry::SubjectPattern) {
    match pattern {
        ToolPattern::Name(pattern) => {
            let (matcher, text) = text_pattern(pattern);
            (matcher, pb::entry::SubjectPattern::Pattern(text))
        }
        ToolPattern::Hints(hints) => {
            let value = |hint: Hint| hints.get(&hint).copied();
            let annotations = pb::ToolAnnotations {
                read_only_hint: value(Hint::ReadOnly),
                destructive_hint: value(Hint::Destructive),
                idempotent_hint: value(Hint::Idempotent),
                open_world_hint: value(Hint::OpenWorld),
            };
            (pb::Matcher::Hint, pb::entry::SubjectPattern::Hints(annotations))
        }
    }
}
