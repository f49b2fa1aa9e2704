//! The hook in the text of an agent's settings.
//!
//! Promises to change nothing else: comments, order and layout stay, and so do hooks of others. Knows nothing of files.

use super::agent::Agent;
use super::command::is_ours;
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use serde_json::{Value, json};
use std::time::Duration;

/// The key of the hooks.
const HOOKS: &str = "hooks";

/// The settings with the hook in them.
///
/// # Errors
/// They are not in the form of the agent's settings.
pub(super) fn installed(
    text: &str,
    agent: Agent,
    command: &str,
    timeout: Duration,
) -> Result<String, String> {
    let root = parse(text)?;
    let settings = root.object_value_or_create().ok_or("the settings are no object")?;
    let hooks = settings.object_value_or_create(HOOKS).ok_or("`hooks` is no object")?;
    let event = agent.event();
    let groups = hooks.array_value_or_create(event).ok_or_else(|| format!("`hooks.{event}` is no list"))?;
    let wanted = group(agent, command, timeout);
    let present = groups.elements().iter().filter(|group| has_ours(group, agent)).count();
    let as_wanted = groups.elements().iter().any(|group| group.to_serde_value().as_ref() == Some(&wanted));
    if present == 1 && as_wanted {
        return Ok(text.to_owned());
    }
    take_out(&groups, agent);
    groups.ensure_multiline();
    groups.append(input(&wanted));
    Ok(with_line_end(&root))
}

/// The settings without the hook.
///
/// # Errors
/// They are not in the form of the agent's settings.
pub(super) fn uninstalled(text: &str, agent: Agent) -> Result<String, String> {
    let root = parse(text)?;
    let Some(hooks) = root.object_value().and_then(|settings| settings.object_value(HOOKS)) else {
        return Ok(text.to_owned());
    };
    let Some(groups) = hooks.array_value(agent.event()) else { return Ok(text.to_owned()) };
    if !groups.elements().iter().any(|group| has_ours(group, agent)) {
        return Ok(text.to_owned());
    }
    take_out(&groups, agent);
    if groups.elements().is_empty()
        && let Some(event) = hooks.get(agent.event())
    {
        event.remove();
    }
    if hooks.properties().is_empty()
        && let Some(hooks) = root.object_value().and_then(|settings| settings.get(HOOKS))
    {
        hooks.remove();
    }
    Ok(with_line_end(&root))
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    let text = if text.trim().is_empty() { "{}" } else { text };
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| format!("the settings are no JSON: {error}"))
}

fn with_line_end(root: &CstRootNode) -> String {
    let text = root.to_string();
    if text.ends_with('\n') { text } else { format!("{text}\n") }
}

/// One group of hooks, as the agent has them.
fn group(agent: Agent, command: &str, timeout: Duration) -> Value {
    match agent {
        Agent::ClaudeCode => json!({
            "matcher": "*",
            "hooks": [{ "type": "command", "command": command, "timeout": timeout.as_secs() }],
        }),
        Agent::Codex | Agent::OpenCode => json!({
            "hooks": [{ "type": "command", "command": command, "timeout": timeout.as_secs() }],
        }),
        // Milliseconds there.
        Agent::Gemini => json!({
            "matcher": ".*",
            "hooks": [{
                "name": "haltgate", "type": "command", "command": command,
                "timeout": u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX),
            }],
        }),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, field)| (key.clone(), input(field))).collect())
        }
    }
}

/// The hooks of a group.
fn hooks_of(group: &CstNode) -> Vec<CstObject> {
    let hooks = group.as_object().and_then(|group| group.array_value(HOOKS));
    let elements = hooks.map(|hooks| hooks.elements()).unwrap_or_default();
    elements.iter().filter_map(CstNode::as_object).collect()
}

fn is_our_hook(hook: &CstObject, agent: Agent) -> bool {
    let command = hook.get("command").and_then(|command| command.value());
    let text = command.and_then(|value| value.as_string_lit()).and_then(|text| text.decoded_value().ok());
    text.is_some_and(|text| is_ours(agent, &text))
}

fn has_ours(group: &CstNode, agent: Agent) -> bool {
    hooks_of(group).iter().any(|hook| is_our_hook(hook, agent))
}

/// Removes the hook, and groups that held nothing else.
fn take_out(groups: &CstArray, agent: Agent) {
    for group in groups.elements() {
        if !has_ours(&group, agent) {
            continue;
        }
        let hooks = hooks_of(&group);
        let (ours, others): (Vec<_>, Vec<_>) = hooks.into_iter().partition(|hook| is_our_hook(hook, agent));
        if others.is_empty() {
            group.remove();
        } else {
            ours.into_iter().for_each(CstObject::remove);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str = "haltgate hook claude-code || exit 2";

    const SOMEBODY: &str = r#"{
    // What we agreed on.
    "model": "opus",
    "hooks": {
        "PreToolUse": [
            { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./lint.sh" }] }
        ],
        "Stop": []
    }
}
"#;

    fn add(text: &str) -> Result<String, String> {
        installed(text, Agent::ClaudeCode, OURS, Duration::from_secs(100))
    }

    #[test]
    fn what_is_there_stays_and_comes_back_as_it_was() {
        let with = add(SOMEBODY).unwrap();
        for kept in ["// What we agreed on.", "\"model\": \"opus\"", "./lint.sh", "\"Stop\": []"] {
            assert!(with.contains(kept), "{with}");
        }
        assert!(with.contains(OURS) && with.contains("\"timeout\": 100"), "{with}");
        assert_eq!(add(&with).unwrap(), with, "a second time changes nothing");
        let without = uninstalled(&with, Agent::ClaudeCode).unwrap();
        assert!(!without.contains("haltgate") && without.contains("./lint.sh"), "{without}");
        assert_eq!(uninstalled(&without, Agent::ClaudeCode).unwrap(), without);
    }

    #[test]
    fn nothing_is_left_of_settings_that_held_nothing_else() {
        for empty in ["", "{}", "{}\n"] {
            let with = add(empty).unwrap();
            let read: Value = serde_json::from_str(&with).unwrap();
            assert_eq!(read["hooks"]["PreToolUse"][0]["hooks"][0]["command"], OURS);
            let without = uninstalled(&with, Agent::ClaudeCode).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&without).unwrap(), json!({}));
        }
    }

    #[test]
    fn another_manner_takes_the_place_of_the_old_one_and_neighbours_in_its_group_stay() {
        let old = r#"{ "hooks": { "PreToolUse": [ { "matcher": "*", "hooks": [
            { "type": "command", "command": "/old/haltgate hook claude-code --wait 1s || exit 2" },
            { "type": "command", "command": "./other.sh" } ] } ] } }"#;
        let with = add(old).unwrap();
        assert!(!with.contains("/old/") && with.contains("./other.sh") && with.contains(OURS), "{with}");
        let read: Value = serde_json::from_str(&with).unwrap();
        assert_eq!(read["hooks"]["PreToolUse"].as_array().unwrap().len(), 2, "{with}");
    }

    #[test]
    fn settings_in_another_form_are_left_alone() {
        for text in ["[]", "{", r#"{ "hooks": [] }"#, r#"{ "hooks": { "PreToolUse": {} } }"#] {
            assert!(add(text).is_err(), "{text}");
        }
    }
}
