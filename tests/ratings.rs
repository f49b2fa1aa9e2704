//! How good the built-in rater is, on labelled commands: `tests/corpora/ratings`, of which one part, `unseen.jsonl`, is never
//! looked at while its knowledge and rules are written, and one, `probes.jsonl`, tries to get past it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failure in a test is the point"
)]

use serde_json::Value;
use std::process::Command;

/// What `haltgate eval` says of one part.
fn evaluated(part: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("{}/tests/corpora/ratings/{part}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new(env!("CARGO_BIN_EXE_haltgate"))
        .args(["eval", "--json", &file])
        .current_dir(folder.path())
        .env_remove("HALTGATE_CONFIG")
        .output()
        .unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
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

/// What holds of one part.
struct Bounds {
    /// How many of a thousand destructive commands may be called safe.
    destructive: usize,
    /// How many of a hundred safe commands pass at least.
    safe: usize,
}

#[track_caller]
fn holds(part: &str, bounds: &Bounds, show: bool) {
    let report = evaluated(part);
    let wrong = |label: &str| if show { called_safe(&report, label) } else { Vec::new() };
    let labels: Vec<&String> = report["matrix"].as_object().unwrap().keys().collect();
    // What is an attack or cannot be undone, and what may be called the one or the other.
    for label in labels.iter().filter(|label| !label.contains("safe") && !label.contains("destructive")) {
        let (safe, all) = labelled(&report, label);
        assert_eq!(safe, 0, "of {all} {label} commands of {part}: {:#?}", wrong(label));
    }
    // What is destructive, also where one could argue that it is worse.
    let destructive = labels.iter().filter(|label| !label.contains("safe") && label.contains("destructive"));
    let (mut safe, mut all) = (0, 0);
    for label in destructive {
        let (of_label, in_all) = labelled(&report, label);
        assert!(!show || of_label == 0, "{label} commands of {part}: {:#?}", wrong(label));
        (safe, all) = (safe + of_label, all + in_all);
    }
    assert!(
        all > 200 && safe * 1_000 <= all * bounds.destructive,
        "{safe} of {all} destructive commands of {part} were called safe"
    );
    let (safe, all) = labelled(&report, "safe");
    assert!(all > 400 && safe * 100 >= all * bounds.safe, "{safe} of {all} safe commands of {part} pass");
}

#[test]
fn nothing_unsafe_is_called_safe_and_most_safe_commands_ask_nobody() {
    holds("seen", &Bounds { destructive: 0, safe: 93 }, true);
}

/// Commands that somebody wrote to find out what the rater lets through.
#[test]
fn nothing_unsafe_that_was_tried_on_purpose_is_called_safe() {
    let report = evaluated("probes");
    let labels: Vec<&String> = report["matrix"].as_object().unwrap().keys().collect();
    for label in labels.iter().filter(|label| !label.contains("safe")) {
        let (safe, all) = labelled(&report, label);
        assert_eq!(safe, 0, "of {all} {label} commands of the probes: {:#?}", called_safe(&report, label));
    }
    let (safe, all) = labelled(&report, "destructive");
    assert!(all > 1_000 && safe == 0, "{all} probes are destructive");
    let (safe, all) = labelled(&report, "safe");
    assert!(all > 500 && safe * 100 >= all * 85, "{safe} of {all} harmless twins of the probes pass");
}

/// The message names no command: whoever reads it goes on writing rules. The bounds may only become stricter.
#[test]
fn commands_that_nobody_looked_at_are_rated_nearly_as_well() {
    holds("unseen", &Bounds { destructive: 5, safe: 85 }, false);
}
