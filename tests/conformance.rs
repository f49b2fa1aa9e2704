//! The conformance scenarios: their form, and the Rust client against them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

#[path = "conformance/interpreter.rs"]
mod interpreter;
#[path = "conformance/matching.rs"]
mod matching;
#[path = "conformance/normal.rs"]
mod normal;
#[path = "conformance/scenario.rs"]
mod scenario;
#[path = "conformance/server.rs"]
mod server;

use scenario::{Operation, Scenario, Step};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};

/// What stands before the name of something that was saved.
const SAVED: &str = "$";

/// The bindings that a value uses.
fn bindings(value: &Value, found: &mut HashSet<String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(SAVED) {
                found.insert(name.to_owned());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| bindings(item, found)),
        Value::Object(fields) => fields.values().for_each(|field| bindings(field, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn check(step: &Step, known: &HashSet<String>) -> Result<(), String> {
    Operation::read(&step.operation, Value::Object(step.with.clone()))?;
    if step.background.is_some() && (step.operation != "decide" || step.expect.is_some()) {
        return Err("only a decision goes on in the background, and its result is that of `join`".to_owned());
    }
    if step.times == 0 {
        return Err("it is taken not once".to_owned());
    }
    if step.operation == "decide" || step.operation == "rate" {
        let calls = ["shell", "tool", "mcp_tool", "registered"];
        if calls.iter().filter(|call| step.with.contains_key(**call)).count() != 1 {
            return Err(format!("it needs one of {calls:?}"));
        }
    }
    if step.operation == "events" && !step.expect.as_ref().is_some_and(Value::is_array) {
        return Err("the list of events tells how many are waited for".to_owned());
    }
    let mut used = HashSet::new();
    bindings(&Value::Object(step.with.clone()), &mut used);
    bindings(step.expect.as_ref().unwrap_or(&Value::Null), &mut used);
    used.remove("present");
    match used.iter().find(|name| !known.contains(*name)) {
        Some(name) => Err(format!("${name} was not saved before")),
        None => Ok(()),
    }
}

#[test]
fn every_scenario_keeps_to_the_form_and_uses_only_what_it_saved() {
    let scenarios = scenario::all();
    assert!(!scenarios.is_empty(), "the scenarios are there");
    let mut names = HashSet::new();
    for (file, Scenario { name, gate, steps, rater, client: _ }) in &scenarios {
        assert!(gate.is_object() && !steps.is_empty() && names.insert(name), "{file}: {name}");
        let mut used = HashSet::new();
        bindings(gate, &mut used);
        assert_eq!(used.contains("rater"), *rater, "{file}: the silent rater is used where it is asked for");
        let mut known = HashSet::new();
        for (number, step) in steps.iter().enumerate() {
            check(step, &known)
                .unwrap_or_else(|problem| panic!("{file}: step {number} ({}): {problem}", step.operation));
            known.extend(step.save.keys().cloned());
        }
    }
}

#[test]
fn a_step_with_an_unknown_operation_key_or_binding_is_refused() {
    let cases = [
        r#"{ "do": "decid", "with": {} }"#,
        r#"{ "do": "decide", "with": { "session": "s", "shell": { "command": "ls", "folder": "/" } } }"#,
        r#"{ "do": "decide", "with": { "session": "s" } }"#,
        r#"{ "do": "answer", "with": { "escalation_id": "$asked", "verdict": "APPROVE" } }"#,
        r#"{ "do": "events", "with": { "feed": "inbox" } }"#,
        r#"{ "do": "server", "with": { "action": "pause" } }"#,
    ];
    for text in cases {
        let step: Step = serde_json::from_str(text).unwrap();
        assert!(check(&step, &HashSet::new()).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<Step>(r#"{ "do": "join", "within": 3 }"#).is_err());
}

#[test]
fn the_schema_names_the_operations_that_there_are() {
    let text = std::fs::read_to_string(scenario::folder().join("schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&text).unwrap();
    let named: BTreeSet<&str> = schema["$defs"]["step"]["properties"]["do"]["enum"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    assert_eq!(named, BTreeSet::from(Operation::NAMES));
    for name in Operation::NAMES {
        let problem = Operation::read(name, serde_json::json!({ "nonsense": true })).unwrap_err();
        assert!(problem.contains("nonsense"), "{name}: {problem}");
        assert!(schema["$defs"][name].is_object(), "{name} has its arguments in the schema");
    }
}

#[test]
fn the_client_does_what_every_scenario_promises() {
    let mut failed = Vec::new();
    for (file, scenario) in scenario::all() {
        let promise = scenario.name.clone();
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        if let Err(problem) = runtime.block_on(interpreter::run(scenario)) {
            failed.push(format!("{file}: {promise}: {problem}"));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn a_result_matches_what_it_has_at_least() {
    use serde_json::json;
    let actual = json!({ "a": "text", "b": [1, { "c": true, "d": 2 }], "e": null });
    let matching = [
        json!({ "a": "text" }),
        json!({ "a": "$present", "e": null, "f": null }),
        json!({ "a": { "$contains": "ex" }, "b": { "$contains": 1 } }),
        json!({ "b": [1, { "c": true }] }),
    ];
    for expected in matching {
        assert_eq!(matching::difference(&expected, Some(&actual), ""), None);
    }
    let different = [
        json!({ "a": "other" }),
        json!({ "a": null }),
        json!({ "e": "$present" }),
        json!({ "f": "$present" }),
        json!({ "b": [1] }),
        json!({ "b": [1, { "c": false }] }),
        json!({ "a": { "$contains": "no" } }),
    ];
    for expected in different {
        assert!(matching::difference(&expected, Some(&actual), "").is_some(), "{expected}");
    }
}
