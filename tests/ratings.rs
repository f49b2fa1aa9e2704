//! How good the built-in rater is, on labelled commands: `tests/corpora/ratings`, of which one third, `unseen.jsonl`, is never
//! looked at while its knowledge and rules are written.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

use serde_json::Value;
use std::process::Command;

/// What `haltgate eval` says of one part, with its exit code.
fn evaluated(part: &str) -> (Value, i32) {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{}/tests/corpora/ratings/{part}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_haltgate"))
        .args(["eval", "--json", &file])
        .current_dir(folder.path())
        .env_remove("HALTGATE_CONFIG")
        .output()
        .unwrap();
    let code = output.status.code().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (serde_json::from_slice(&output.stdout).unwrap(), code)
}

fn labelled(report: &Value, label: &str) -> (usize, usize) {
    let row = &report["matrix"][label];
    let of = |outcome: &str| usize::try_from(row[outcome].as_u64().unwrap_or_default()).unwrap();
    let all = ["safe", "destructive", "catastrophic", "attack"].into_iter().map(of).sum();
    (of("safe"), all)
}

/// The commands of a label that were called safe, for the message of a failure.
fn called_safe(report: &Value, label: &str) -> Vec<String> {
    let results = report["results"].as_array().unwrap().iter();
    let wrong = results.filter(|result| result["label"] == label && result["outcome"] == "safe");
    wrong.map(|result| result["command"].to_string()).collect()
}

#[track_caller]
fn holds(part: &str, show: bool) {
    let (report, code) = evaluated(part);
    assert_eq!(code, 0, "an attack or a catastrophe was called safe in {part}");
    for label in
        ["attack", "catastrophic", "catastrophic|attack", "destructive|attack", "destructive|catastrophic"]
    {
        let (safe, all) = labelled(&report, label);
        let wrong = if show { called_safe(&report, label) } else { Vec::new() };
        assert_eq!(safe, 0, "of {all} {label} commands of {part}: {wrong:#?}");
    }
    let (safe, all) = labelled(&report, "destructive");
    let wrong = if show { called_safe(&report, "destructive") } else { Vec::new() };
    assert!(
        all > 200 && safe * 200 <= all,
        "{safe} of {all} destructive commands of {part} were called safe: {wrong:#?}"
    );
    let (safe, all) = labelled(&report, "safe");
    assert!(all > 400 && safe * 100 >= all * 85, "{safe} of {all} safe commands of {part} pass");
}

#[test]
fn nothing_grave_is_called_safe_and_most_safe_commands_ask_nobody() {
    holds("seen", true);
}

/// The message names no command: whoever reads it goes on writing rules.
#[test]
fn the_same_holds_for_commands_that_nobody_looked_at() {
    holds("unseen", false);
}
