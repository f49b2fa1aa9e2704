//! The configuration as one value again: for printing, and for the revision.
//!
//! Promises that equal policies give equal values, whatever layout, comments or key order their files have. Knows
//! nothing of where anything was written.

use super::approvals::{Approvals, PlacedEntry};
use super::policy::{Policy, Scope};
use super::rater::RaterSettings;
use super::trust::TrustBlock;
use crate::gate::{GateScope, Rung};
use crate::rules::{Entry, Hint, object_text};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// 64 bits: no two policies that one operator ever writes will share it.
const REVISION_BYTES: usize = 8;

/// A short text that stands for a value.
pub(super) fn revision(value: &Value) -> String {
    let digest = Sha256::digest(value.to_string());
    digest.iter().take(REVISION_BYTES).fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

/// The whole policy.
pub(super) fn policy(policy: &Policy, rater: &RaterSettings) -> Value {
    let mut whole = scope(&policy.root);
    let projects: Map<String, Value> =
        policy.projects.iter().map(|(name, inner)| (name.clone(), Value::Object(scope(inner)))).collect();
    whole.insert("projects".to_owned(), Value::Object(projects));
    whole.insert("rater".to_owned(), rater.effective());
    Value::Object(whole)
}

/// What holds in one project.
pub(super) fn scope_with_rater(inner: &Scope, rater: &RaterSettings) -> Value {
    let mut whole = scope(inner);
    whole.insert("rater".to_owned(), rater.effective());
    Value::Object(whole)
}

/// The value without the keys that nothing was stated for.
pub(super) fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(map) => map
            .into_iter()
            .filter(|(_, inner)| !inner.is_null())
            .map(|(key, inner)| (key, without_nulls(inner)))
            .collect(),
        Value::Array(items) => items.into_iter().map(without_nulls).collect(),
        scalar @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => scalar,
    }
}

fn scope(scope: &Scope) -> Map<String, Value> {
    let commands: Map<String, Value> = scope
        .commands
        .iter()
        .map(|(name, block)| (name.clone(), json!({ "approvals": approvals(block) })))
        .collect();
    let servers: Map<String, Value> = scope.mcp_servers.iter().map(|key| (key.clone(), json!({}))).collect();
    let mut whole = Map::from_iter([
        ("approvals".to_owned(), approvals(&scope.approvals)),
        ("commands".to_owned(), Value::Object(commands)),
        ("mcpServers".to_owned(), Value::Object(servers)),
    ]);
    // Where nothing is stated, the revision is the one that the policy always had.
    if let Some(agents) = scope.agents.effective() {
        whole.insert("agents".to_owned(), agents);
    }
    whole
}

fn approvals(block: &Approvals) -> Value {
    json!({
        "mode": block.mode.map(Rung::as_str),
        "rater": block.rater.as_ref().map(|choice| choice.profile.as_str()),
        "raterTimeoutMs": block.rater_timeout_ms,
        "gate_scope": block.gate_scope.map(GateScope::as_str),
        "deny": entries(&block.deny),
        "escalate": entries(&block.escalate),
        "allow": block.allow.as_ref().map(|list| entries(list)),
        "mcp": block.mcp.as_ref().map(trust),
    })
}

fn trust(block: &TrustBlock) -> Value {
    let believed = |hints: &Option<BTreeSet<Hint>>| {
        let names = hints.as_ref().map(|hints| hints.iter().map(|hint| hint.as_str()).collect::<Vec<_>>());
        json!({ "trustAnnotations": names })
    };
    let servers: Map<String, Value> =
        block.servers.iter().map(|(key, hints)| (key.clone(), believed(hints))).collect();
    json!({ "defaults": believed(&block.defaults), "servers": servers })
}

fn entries(list: &[Arc<PlacedEntry>]) -> Vec<Value> {
    list.iter().map(|placed| entry(&placed.declared.entry)).collect()
}

fn entry(entry: &Entry) -> Value {
    let text = object_text(entry);
    // The text is JSON. If it ever were not, it would still tell entries apart.
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}
