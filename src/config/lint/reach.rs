//! Entries that the configured rung never reads.
//!
//! Promises the reason in words. Knows nothing of a session that changes its rung later.

use super::super::layers::Posture;
use crate::gate::{GateScope, Rung, ToolClass, tool_class};
use crate::rules::{Entry, ListKind, TextPattern, ToolPattern};

/// Why an entry can never fire under a posture; `None` where it can.
pub(super) fn why_inert(list: ListKind, entry: &Entry, posture: &Posture) -> Option<String> {
    let rung = posture.rung;
    match (posture.gate_scope, list, rung) {
        (GateScope::EveryCall, _, _) => return None,
        (GateScope::Rung, ListKind::Escalate | ListKind::Allow, Rung::Bypass) => {
            return Some("at bypass only the deny list is read".to_owned());
        }
        (GateScope::Rung, ListKind::Deny, _)
        | (
            GateScope::Rung,
            ListKind::Escalate | ListKind::Allow,
            Rung::Manual | Rung::Write | Rung::Assisted | Rung::Auto,
        ) => {}
    }
    match entry {
        Entry::Shell { .. } => None,
        Entry::Tool { .. } | Entry::McpTool { .. } if !rung.is_deterministic() => Some(format!(
            "at {rung} only shell commands are gated; write `\"gate_scope\": \"every_call\"`, or a mode of manual \
             or write"
        )),
        Entry::Tool { pattern: ToolPattern::Name(TextPattern::Exact(name)), .. } => free_class(name, rung),
        Entry::Tool {
            pattern: ToolPattern::Name(TextPattern::Glob(_) | TextPattern::Regexp(_)) | ToolPattern::Hints(_),
            ..
        }
        | Entry::McpTool { .. } => None,
    }
}

fn free_class(name: &str, rung: Rung) -> Option<String> {
    let class = tool_class(name).filter(|class| rung.grants(*class))?;
    let free = match class {
        ToolClass::Read => "on every rung",
        ToolClass::Write => "on every rung but manual",
    };
    Some(format!("{name} is approved {free} before any list is read; write `\"gate_scope\": \"every_call\"`"))
}
