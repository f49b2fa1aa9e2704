//! From the contract's messages to the gate's own types: every field and limit checked, every offender named.
//!
//! Promises that what leaves here is well formed. Parsing and checking are one step, so that nothing is checked and then
//! read differently.

use super::status::Violations;
use crate::gate::{Call, Declared, Moment, Rung, Scope, ShellCall, Terms, ToolCall};
use crate::proto::v1 as pb;
use crate::rules::{Entry, Hint, parse_entry};
use crate::session::{DEFAULT_PROJECT, ToolDeclaration};
use crate::shell::Dialect;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

/// The longest command and the longest arguments, in bytes.
const MAX_TEXT: usize = 1 << 20;
const MAX_ID: usize = 128;
const MAX_NAME: usize = 256;
const MAX_REGISTERED: usize = 512;
const MAX_HOST: usize = 253;
const MAX_PATH: usize = 4_096;
const MAX_PROSE: usize = 4_000;
const MAX_NOTE: usize = 512;
const MAX_DESCRIPTION: usize = 1_024;
const MAX_TOOLS: usize = 2_000;
const MAX_SERVERS: usize = 256;
const MAX_MESSAGES: usize = 50;
const MAX_LABEL_KEY: usize = 63;
const MAX_LABEL_VALUE: usize = 256;
const DEFAULT_PAGE: u32 = 50;
const MAX_PAGE: u32 = 500;

/// An id that the caller chose: printable ASCII, 1 to 128 characters.
fn check_id(field: &str, id: &str, violations: &mut Violations) {
    if id.len() > MAX_ID {
        violations.over(field, id.len(), MAX_ID, "bytes");
    } else if !id.bytes().all(|byte| byte.is_ascii_graphic()) {
        violations.invalid(field, "must be printable ASCII without blanks");
    }
}

/// The project; empty stands for the default one.
pub(super) fn project(name: &str, violations: &mut Violations) -> String {
    if name.is_empty() {
        return DEFAULT_PROJECT.to_owned();
    }
    check_id("project", name, violations);
    name.to_owned()
}

/// An id that must be there.
pub(super) fn required_id(field: &str, id: &str, violations: &mut Violations) -> String {
    if id.is_empty() {
        violations.invalid(field, "is required");
    }
    check_id(field, id, violations);
    id.to_owned()
}

/// An id that may be absent.
pub(super) fn optional_id(field: &str, id: &str, violations: &mut Violations) -> Option<String> {
    check_id(field, id, violations);
    (!id.is_empty()).then(|| id.to_owned())
}

/// The name of a part of the policy, such as a command or a profile; empty stands for none.
pub(super) fn selector(field: &str, name: &str, violations: &mut Violations) -> Option<String> {
    if name.len() > MAX_ID {
        violations.over(field, name.len(), MAX_ID, "bytes");
    }
    (!name.is_empty()).then(|| name.to_owned())
}

fn bounded(field: &str, text: &str, limit: usize, violations: &mut Violations) {
    let characters = text.chars().count();
    if characters > limit {
        violations.over(field, characters, limit, "characters");
    }
}

/// Text for people that may be absent.
pub(super) fn prose(field: &str, text: &str, violations: &mut Violations) -> Option<String> {
    bounded(field, text, MAX_PROSE, violations);
    (!text.is_empty()).then(|| text.to_owned())
}

pub(super) fn note(field: &str, text: &str, violations: &mut Violations) -> Option<String> {
    bounded(field, text, MAX_NOTE, violations);
    (!text.is_empty()).then(|| text.to_owned())
}

/// A text to search for.
pub(super) fn needle(field: &str, text: &str, violations: &mut Violations) -> Option<String> {
    if text.len() > MAX_NAME {
        violations.over(field, text.len(), MAX_NAME, "bytes");
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// A folder: absolute, or absent.
pub(super) fn folder(field: &str, path: &str, violations: &mut Violations) -> Option<String> {
    let windows = path.as_bytes().get(1) == Some(&b':');
    if path.len() > MAX_PATH {
        violations.over(field, path.len(), MAX_PATH, "bytes");
    } else if path.contains('\0') {
        violations.invalid(field, "must not hold a NUL character");
    } else if !path.is_empty() && !path.starts_with(['/', '\\']) && !windows {
        violations.invalid(field, "must be an absolute path, such as /srv/app");
    }
    (!path.is_empty()).then(|| path.to_owned())
}

fn name(field: &str, text: &str, limit: usize, violations: &mut Violations) -> String {
    if text.is_empty() {
        violations.invalid(field, "is required");
    } else if text.len() > limit {
        violations.over(field, text.len(), limit, "bytes");
    } else if text.contains('\0') {
        violations.invalid(field, "must not hold a NUL character");
    }
    text.to_owned()
}

/// The call of a request; `None` when something is wrong with it, which `violations` then says.
pub(super) fn call(field: &str, call: Option<pb::Call>, violations: &mut Violations) -> Option<Call> {
    let Some(kind) = call.and_then(|call| call.kind) else {
        violations.invalid(field, "is required: set one of shell, tool, mcp_tool, registered");
        return None;
    };
    match kind {
        pb::call::Kind::Shell(shell) => shell_call(&format!("{field}.shell"), shell, violations),
        pb::call::Kind::Tool(tool) => {
            let field = format!("{field}.tool");
            let name = name(&format!("{field}.name"), &tool.name, MAX_NAME, violations);
            let parts = (tool.arguments_json, tool.cwd, tool.home, tool.justification);
            tool_call(&field, name, parts, violations).map(Call::Tool)
        }
        pb::call::Kind::Registered(tool) => {
            let field = format!("{field}.registered");
            let name = name(&format!("{field}.name"), &tool.name, MAX_REGISTERED, violations);
            let parts = (tool.arguments_json, tool.cwd, tool.home, tool.justification);
            tool_call(&field, name, parts, violations).map(Call::Registered)
        }
        pb::call::Kind::McpTool(tool) => {
            let field = format!("{field}.mcp_tool");
            let server = server_key(&format!("{field}.server"), &tool.server, violations);
            let name = name(&format!("{field}.name"), &tool.name, MAX_NAME, violations);
            let parts = (tool.arguments_json, tool.cwd, tool.home, tool.justification);
            tool_call(&field, name, parts, violations).map(|tool| Call::McpTool { server, tool })
        }
    }
}

fn shell_call(field: &str, shell: pb::ShellCall, violations: &mut Violations) -> Option<Call> {
    let command = format!("{field}.command");
    if shell.command.is_empty() {
        violations.invalid(&command, "is required: a shell call without command text cannot be judged");
    } else if shell.command.len() > MAX_TEXT {
        violations.over(&command, shell.command.len(), MAX_TEXT, "bytes");
    }
    let dialect = match pb::ShellDialect::try_from(shell.dialect) {
        Ok(pb::ShellDialect::Unspecified | pb::ShellDialect::Bash) => Dialect::Bash,
        Ok(pb::ShellDialect::Powershell) => Dialect::PowerShell,
        Ok(pb::ShellDialect::Cmd) => Dialect::Cmd,
        Err(_) => {
            violations.invalid(&format!("{field}.dialect"), "is not a dialect that this server knows");
            Dialect::Bash
        }
    };
    Some(Call::Shell(ShellCall {
        cwd: folder(&format!("{field}.cwd"), &shell.cwd, violations),
        home: folder(&format!("{field}.home"), &shell.home, violations),
        justification: prose(&format!("{field}.justification"), &shell.justification, violations),
        command: shell.command,
        dialect,
    }))
}

fn tool_call(
    field: &str,
    name: String,
    (arguments, cwd, home, justification): (String, String, String, String),
    violations: &mut Violations,
) -> Option<ToolCall> {
    let arguments = arguments_object(&format!("{field}.arguments_json"), &arguments, violations)?;
    Some(ToolCall {
        name,
        arguments,
        cwd: folder(&format!("{field}.cwd"), &cwd, violations),
        home: folder(&format!("{field}.home"), &home, violations),
        justification: prose(&format!("{field}.justification"), &justification, violations),
    })
}

fn arguments_object(field: &str, text: &str, violations: &mut Violations) -> Option<Map<String, Value>> {
    if text.is_empty() {
        return Some(Map::new());
    }
    if text.len() > MAX_TEXT {
        violations.over(field, text.len(), MAX_TEXT, "bytes");
        return None;
    }
    match serde_json::from_str(text) {
        Ok(Value::Object(arguments)) => Some(arguments),
        Ok(_) => {
            violations
                .invalid(field, "must be the text of one JSON object, such as {\"path\": \"README.md\"}");
            None
        }
        Err(error) => {
            violations.invalid(field, format!("is not JSON: {error}"));
            None
        }
    }
}

/// The key of an MCP server.
pub(super) fn server_key(field: &str, key: &str, violations: &mut Violations) -> String {
    if key == "*" {
        violations.invalid(field, "must name one server; `*` is reserved for rule entries");
    }
    name(field, key, MAX_NAME, violations)
}

/// A rung that may be absent.
pub(super) fn rung(field: &str, value: i32, violations: &mut Violations) -> Option<Rung> {
    match pb::Rung::try_from(value) {
        Ok(pb::Rung::Unspecified) => None,
        Ok(pb::Rung::Manual) => Some(Rung::Manual),
        Ok(pb::Rung::Write) => Some(Rung::Write),
        Ok(pb::Rung::Assisted) => Some(Rung::Assisted),
        Ok(pb::Rung::Auto) => Some(Rung::Auto),
        Ok(pb::Rung::Bypass) => Some(Rung::Bypass),
        Err(_) => {
            violations.invalid(
                field,
                "is not a rung that this server knows: manual, write, assisted, auto or bypass",
            );
            None
        }
    }
}

/// A scope that may be absent.
pub(super) fn scope(field: &str, value: i32, violations: &mut Violations) -> Option<Scope> {
    match pb::Scope::try_from(value) {
        Ok(pb::Scope::Unspecified) => None,
        Ok(pb::Scope::Once) => Some(Scope::Once),
        Ok(pb::Scope::Session) => Some(Scope::Session),
        Ok(pb::Scope::Always) => Some(Scope::Always),
        Err(_) => {
            violations.invalid(field, "is not a scope that this server knows");
            None
        }
    }
}

/// Labels that are to be set.
pub(super) fn labels(
    field: &str,
    labels: HashMap<String, String>,
    violations: &mut Violations,
) -> BTreeMap<String, String> {
    if labels.len() > crate::session::MAX_LABELS {
        violations.over(field, labels.len(), crate::session::MAX_LABELS, "items");
    }
    // Sorted, so that the same request always gets the same error.
    let labels: BTreeMap<String, String> = labels.into_iter().collect();
    for (key, value) in &labels {
        if key.is_empty() {
            violations.invalid(field, "has an empty key");
        } else if key.len() > MAX_LABEL_KEY {
            violations.over(field, key.len(), MAX_LABEL_KEY, "bytes");
        } else if value.len() > MAX_LABEL_VALUE {
            violations.over(&format!("{field}[{key}]"), value.len(), MAX_LABEL_VALUE, "bytes");
        }
    }
    labels
}

/// What the user said.
pub(super) fn user_messages(messages: Vec<String>, violations: &mut Violations) -> Vec<String> {
    if messages.len() > MAX_MESSAGES {
        violations.over("user_messages", messages.len(), MAX_MESSAGES, "items");
    }
    for (index, message) in messages.iter().enumerate() {
        bounded(&format!("user_messages[{index}]"), message, MAX_PROSE, violations);
    }
    messages
}

/// The keys of MCP servers.
pub(super) fn mcp_servers(servers: pb::McpServers, violations: &mut Violations) -> Vec<String> {
    if servers.keys.len() > MAX_SERVERS {
        violations.over("mcp_servers.keys", servers.keys.len(), MAX_SERVERS, "items");
    }
    let mut seen = HashSet::new();
    for (index, key) in servers.keys.iter().enumerate() {
        let field = format!("mcp_servers.keys[{index}]");
        server_key(&field, key, violations);
        if !seen.insert(key) {
            violations.invalid(&field, "stands in the list before");
        }
    }
    servers.keys
}

/// The tools that the agent can call.
pub(super) fn tools(catalogue: pb::ToolCatalogue, violations: &mut Violations) -> Vec<ToolDeclaration> {
    if catalogue.tools.len() > MAX_TOOLS {
        violations.over("tools.tools", catalogue.tools.len(), MAX_TOOLS, "items");
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let declared = catalogue.tools.into_iter().enumerate().map(|(index, tool)| {
        let field = format!("tools.tools[{index}]");
        let registered_name =
            name(&format!("{field}.registered_name"), &tool.registered_name, MAX_REGISTERED, violations);
        if !seen.insert(registered_name.clone()) {
            violations.invalid(&format!("{field}.registered_name"), "stands in the list before");
        }
        ToolDeclaration {
            description: tool.description.chars().take(MAX_DESCRIPTION).collect(),
            declared: tool.annotations.as_ref().map(declared).unwrap_or_default(),
            registered_name,
        }
    });
    declared.collect()
}

fn declared(annotations: &pb::ToolAnnotations) -> Declared {
    Declared {
        read_only: annotations.read_only_hint,
        destructive: annotations.destructive_hint,
        idempotent: annotations.idempotent_hint,
        open_world: annotations.open_world_hint,
    }
}

/// Hints of the contract.
pub(super) fn hints(field: &str, values: &[i32], violations: &mut Violations) -> Vec<Hint> {
    let hint = |(index, value): (usize, &i32)| match pb::Hint::try_from(*value) {
        Ok(pb::Hint::ReadOnly) => Some(Hint::ReadOnly),
        Ok(pb::Hint::Destructive) => Some(Hint::Destructive),
        Ok(pb::Hint::Idempotent) => Some(Hint::Idempotent),
        Ok(pb::Hint::OpenWorld) => Some(Hint::OpenWorld),
        Ok(pb::Hint::Unspecified) | Err(_) => {
            violations.invalid(&format!("{field}[{index}]"), "is not a hint that this server knows");
            None
        }
    };
    values.iter().enumerate().filter_map(hint).collect()
}

/// A rule-list entry, checked by the grammar of the configuration, so that both have one.
pub(super) fn entry(field: &str, entry: Option<pb::Entry>, violations: &mut Violations) -> Option<Entry> {
    let Some(entry) = entry else {
        violations.invalid(field, "is required");
        return None;
    };
    let value = entry_value(field, &entry, violations)?;
    let mut problems = Vec::new();
    let parsed = parse_entry(&value, field, &mut problems);
    let hints = matches!(entry.subject_pattern, Some(pb::entry::SubjectPattern::Hints(_)));
    for problem in &problems {
        // The contract has a field of its own for what a policy file writes as an object under `pattern`.
        let path = match problem.path.strip_suffix(".pattern") {
            Some(path) if hints => format!("{path}.hints"),
            _ => problem.path.clone(),
        };
        violations.entry(&path, problem.message.clone());
    }
    if problems.is_empty() { parsed } else { None }
}

fn entry_value(field: &str, entry: &pb::Entry, violations: &mut Violations) -> Option<Value> {
    let kind = match pb::EntryType::try_from(entry.r#type) {
        Ok(pb::EntryType::Shell) => "shell",
        Ok(pb::EntryType::Tool) => "tool",
        Ok(pb::EntryType::McpTool) => "mcpTool",
        Ok(pb::EntryType::Unspecified) | Err(_) => {
            violations.entry(&format!("{field}.type"), "is required: SHELL, TOOL or MCP_TOOL");
            return None;
        }
    };
    let matcher = match pb::Matcher::try_from(entry.matcher) {
        Ok(pb::Matcher::Exact) => "exact",
        Ok(pb::Matcher::Glob) => "glob",
        Ok(pb::Matcher::Regexp) => "regexp",
        Ok(pb::Matcher::Hint) => "hint",
        Ok(pb::Matcher::Unspecified) | Err(_) => {
            violations.entry(&format!("{field}.matcher"), "is required: EXACT, GLOB, REGEXP or HINT");
            return None;
        }
    };
    let pattern = match &entry.subject_pattern {
        Some(pb::entry::SubjectPattern::Pattern(text)) => Value::String(text.clone()),
        Some(pb::entry::SubjectPattern::Hints(hints)) => hint_pattern(hints),
        None => {
            violations.entry(&format!("{field}.pattern"), "is required");
            return None;
        }
    };
    let lengths = [
        ("pattern", pattern.as_str().map_or(0, str::len), MAX_TEXT),
        ("server", entry.server.len(), MAX_NAME),
        ("host", entry.host.len(), MAX_HOST),
    ];
    let mut too_long = false;
    for (name, length, limit) in lengths {
        if length > limit {
            violations.over(&format!("{field}.{name}"), length, limit, "bytes");
            too_long = true;
        }
    }
    if too_long {
        return None;
    }
    let mut object = Map::new();
    object.insert("type".to_owned(), json!(kind));
    object.insert("matcher".to_owned(), json!(matcher));
    object.insert("pattern".to_owned(), pattern);
    for (key, text) in [("server", &entry.server), ("host", &entry.host)] {
        if !text.is_empty() {
            object.insert(key.to_owned(), json!(text));
        }
    }
    if let Some(rate) = entry.rate {
        object.insert("rate".to_owned(), json!(rate));
    }
    Some(Value::Object(object))
}

fn hint_pattern(annotations: &pb::ToolAnnotations) -> Value {
    let declared = declared(annotations);
    let named = [
        (Hint::ReadOnly, declared.read_only),
        (Hint::Destructive, declared.destructive),
        (Hint::Idempotent, declared.idempotent),
        (Hint::OpenWorld, declared.open_world),
    ];
    let members =
        named.into_iter().filter_map(|(hint, value)| Some((hint.as_str().to_owned(), Value::Bool(value?))));
    Value::Object(members.collect())
}

/// A moment; `None` where it is absent or beyond what a clock can say.
pub(super) fn moment(
    field: &str,
    time: Option<prost_types::Timestamp>,
    violations: &mut Violations,
) -> Option<Moment> {
    let time = time?;
    let micros = time
        .seconds
        .checked_mul(1_000_000)
        .and_then(|micros| micros.checked_add(i64::from(time.nanos) / 1_000))
        .filter(|_| (0..1_000_000_000).contains(&time.nanos));
    if micros.is_none() {
        violations.invalid(field, "is not a time");
    }
    micros.map(Moment)
}

/// The terms of a grant.
pub(super) fn terms(
    field: &str,
    terms: Option<pb::GrantTerms>,
    now: Moment,
    violations: &mut Violations,
) -> Terms {
    let Some(terms) = terms else { return Terms::default() };
    let expires_at = moment(&format!("{field}.expires_at"), terms.expires_at, violations);
    if expires_at.is_some_and(|end| end <= now) {
        violations.invalid(&format!("{field}.expires_at"), "lies in the past");
    }
    if terms.max_uses == Some(0) {
        violations.invalid(&format!("{field}.max_uses"), "must be at least 1; leave it out for no limit");
    }
    Terms {
        expires_at,
        max_uses: terms.max_uses,
        note: note(&format!("{field}.note"), &terms.note, violations),
    }
}

/// A length of time that may be absent.
pub(super) fn duration(
    field: &str,
    value: Option<prost_types::Duration>,
    violations: &mut Violations,
) -> Option<Duration> {
    let value = value?;
    match Duration::try_from(value) {
        Ok(duration) => Some(duration),
        Err(_) => {
            violations.invalid(field, "must not be negative");
            None
        }
    }
}

/// How many items a page may have.
pub(super) fn page_size(field: &str, size: i32, violations: &mut Violations) -> u32 {
    match u32::try_from(size) {
        Ok(0) => DEFAULT_PAGE,
        Ok(size) => size.min(MAX_PAGE),
        Err(_) => {
            violations.invalid(field, "must not be negative");
            DEFAULT_PAGE
        }
    }
}
