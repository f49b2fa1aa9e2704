//! Shapes that earlier versions of the pasted grammar had.
//!
//! Promises that each of them is an error that names what replaced it, so that an old block never silently means
//! something else. Knows nothing of the current grammar beyond the names it points at.

use super::document::key_path;
use super::problem::Report;
use serde_json::{Map, Value};

const MODES: &str = "the modes are manual, write, assisted, auto and bypass";

/// Keys of `approvals` that are gone.
const APPROVALS_KEYS: [(&str, &str); 3] = [
    ("strictness", "is gone: pick a `mode` instead (manual, write, assisted, auto or bypass)"),
    ("allowlist", "is gone: declare entries in `approvals.allow` instead"),
    (
        "persistAllowlist",
        "is gone: whether an answer is kept is chosen at each prompt now (once, session or always); remove it",
    ),
];

/// Keys of `builtInTools.run_shell_command` that are gone.
const SHELL_TOOL_KEYS: [(&str, &str); 4] = [
    ("yolo", "is gone: write `\"mode\": \"bypass\"` in `approvals` instead"),
    (
        "judge",
        "is gone: `approvals.mode` decides whether commands are rated, and `approvals.rater` names who rates",
    ),
    ("allowlist", "is gone: declare entries in `approvals.allow` instead"),
    (
        "persistAllowlist",
        "is gone: whether an answer is kept is chosen at each prompt of `approvals` now; remove it",
    ),
];

/// What to write instead of a mode that is gone; `None` where it never was one.
pub(super) fn mode(name: &str) -> Option<String> {
    let replacement = match name {
        "read-only" => "write \"manual\" instead",
        "auto-safe" => "write \"assisted\" instead",
        "full-auto" => "write \"auto\" instead",
        "ask" => {
            "write \"write\" instead, where the file tools are free, or \"manual\", where they ask like \
             everything else"
        }
        _ => return None,
    };
    Some(format!("\"{name}\" is no longer supported: {MODES}; {replacement}"))
}

/// Reports the retired keys of an `approvals` object.
pub(super) fn approvals_keys(map: &Map<String, Value>, path: &str, report: &mut Report) {
    report_keys(map, path, &APPROVALS_KEYS, report);
}

/// The names of the retired keys of an `approvals` object, so that they are not reported as unknown too.
pub(super) fn approvals_key_names() -> [&'static str; 3] {
    APPROVALS_KEYS.map(|(name, _)| name)
}

/// Reports a `builtInTools` block: its retired keys where it has some, else that it has no meaning here.
pub(super) fn built_in_tools(value: &Value, path: &str, report: &mut Report) {
    let before = report.problems.len();
    if let Some(shell) = value.get("run_shell_command").and_then(Value::as_object) {
        report_keys(shell, &key_path(path, "run_shell_command"), &SHELL_TOOL_KEYS, report);
    }
    if report.problems.len() == before {
        report.error(
            path,
            "is the agent's own setting: the gate judges every shell call it is asked about; remove it",
        );
    }
}

fn report_keys(map: &Map<String, Value>, path: &str, keys: &[(&str, &str)], report: &mut Report) {
    for (key, message) in keys {
        if map.contains_key(*key) {
            report.error(&key_path(path, key), *message);
        }
    }
}
