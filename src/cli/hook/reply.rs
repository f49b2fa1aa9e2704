//! Answers in the words of each agent.
//!
//! Promises that each agent takes an answer as it is meant: one that an agent does not know would let the call run.

use super::agent::Agent;
use serde_json::{Value, json};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reply {
    /// The call may run.
    Allow(String),
    /// The gate does not judge such calls; the agent's own rules do.
    Pass,
    /// The call must not run; the model learns why.
    Deny(String),
    /// Whoever sits before the agent is asked. Only for agents that can.
    Ask(String),
    /// The call must not run, and nothing after it.
    Stop(String),
}

/// An answer as one line of JSON.
pub(super) fn render(agent: Agent, reply: &Reply) -> Value {
    match agent {
        Agent::ClaudeCode => claude_code(reply),
        Agent::Codex => codex(reply),
        Agent::Gemini | Agent::OpenCode => decision(reply),
    }
}

fn claude_code(reply: &Reply) -> Value {
    let decision = |word: &str, reason: &str| json!({ "hookEventName": "PreToolUse", "permissionDecision": word, "permissionDecisionReason": reason });
    let decided = |word: &str, reason: &str| json!({ "hookSpecificOutput": decision(word, reason) });
    match reply {
        Reply::Allow(reason) => decided("allow", reason),
        Reply::Pass => json!({}),
        Reply::Deny(reason) => decided("deny", reason),
        Reply::Ask(reason) => decided("ask", reason),
        Reply::Stop(reason) => {
            json!({ "hookSpecificOutput": decision("deny", reason), "continue": false, "stopReason": reason })
        }
    }
}

/// Codex knows `deny` alone. It takes an answer with anything else in it, `continue` and `ask` too, for a hook that
/// failed, and runs the call.
fn codex(reply: &Reply) -> Value {
    match reply {
        Reply::Allow(_) | Reply::Pass => json!({}),
        Reply::Deny(reason) | Reply::Ask(reason) | Reply::Stop(reason) => json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": filled(reason),
        } }),
    }
}

fn decision(reply: &Reply) -> Value {
    match reply {
        Reply::Allow(_) => json!({ "decision": "allow" }),
        Reply::Pass => json!({}),
        Reply::Deny(reason) | Reply::Ask(reason) => json!({ "decision": "deny", "reason": filled(reason) }),
        Reply::Stop(reason) => {
            json!({ "decision": "deny", "reason": filled(reason), "continue": false, "stopReason": filled(reason) })
        }
    }
}

/// A refusal without a reason would be none.
fn filled(reason: &str) -> &str {
    if reason.trim().is_empty() { "haltgate refused the call" } else { reason }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codex_gets_nothing_but_refusals_with_a_reason() {
        for reply in [
            Reply::Deny("no".to_owned()),
            Reply::Deny(" \n".to_owned()),
            Reply::Ask("no".to_owned()),
            Reply::Stop("no".to_owned()),
        ] {
            let said = codex(&reply);
            assert_eq!(said.as_object().unwrap().len(), 1, "{said}");
            assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
            let reason = said["hookSpecificOutput"]["permissionDecisionReason"].as_str().unwrap();
            assert!(!reason.trim().is_empty());
        }
        for reply in [Reply::Allow("yes".to_owned()), Reply::Pass] {
            assert_eq!(codex(&reply), json!({}));
        }
    }
}
