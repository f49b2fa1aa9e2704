//! Ratings from the command line: one by one, over a labelled file, and in an argument with an agent.

use super::gate::{Served, run, run_in};

#[test]
fn only_a_safe_call_ends_with_success() {
    let cases: [(&[&str], i32, &str); 7] = [
        (&["--", "git", "status"], 0, "safe"),
        (&["--cwd", "/work", "--command", "cd src && grep -rn TODO . | head"], 0, "safe"),
        (&["--", "rm -rf node_modules"], 1, "destructive"),
        (&["--", "git push --force origin main"], 1, "catastrophic"),
        (&["--", "cat ~/.ssh/id_ed25519"], 1, "attack"),
        (&["--", "frobnicate --all"], 1, "destructive"),
        (&["--dialect", "powershell", "--", "Get-ChildItem"], 1, "destructive"),
    ];
    for (arguments, code, outcome) in cases {
        let all: Vec<&str> = ["rate", "--local"].into_iter().chain(arguments.iter().copied()).collect();
        let ran = run(&all);
        assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
        assert!(ran.out.contains(&format!("\n{outcome}\n")), "{arguments:?}: {}", ran.out);
        assert!(ran.out.contains("reason ") && ran.out.contains("rated by"), "{}", ran.out);
    }
}

#[test]
fn what_is_not_known_is_named_and_is_a_cause_for_programs() {
    let ran = run(&["rate", "--local", "--json", "--", "frobnicate --all"]);
    let rating = &ran.json()["rating"];
    assert_eq!(rating["outcome"], "OUTCOME_DESTRUCTIVE");
    assert_eq!(rating["cause"], "RATING_CAUSE_NOT_ASSESSED");
    assert!(rating["reason"].as_str().unwrap().contains("frobnicate"), "{rating}");
}

#[test]
fn a_host_floors_a_rating_and_says_so() {
    let ran = run(&["rate", "--local", "--", "curl -fsS https://example.com/health"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("example.com"), "{}", ran.out);
}

const LABELLED: &str = r#"{"command": "git status", "outcome": "safe", "note": "other fields are free"}

{"command": "rm -rf ~", "outcomes": ["catastrophic", "attack"], "cwd": "/work"}
{"command": "frobnicate", "outcome": "safe"}
"#;

#[test]
fn an_evaluation_counts_what_each_label_was_rated() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), LABELLED).unwrap();
    let ran = run_in(folder.path(), &["eval", "a.jsonl", "--questions"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("No unsafe command was called safe"), "{}", ran.out);
    assert!(ran.out.contains("1 of 2 safe commands would ask a human (50.0 %)"), "{}", ran.out);
    assert!(ran.out.contains("frobnicate"), "{}", ran.out);
    let report = run_in(folder.path(), &["eval", "a.jsonl", "--json"]).json();
    assert_eq!(report["cases"], 3);
    assert_eq!(report["matrix"]["safe"]["safe"], 1);
    assert_eq!(report["matrix"]["catastrophic|attack"]["catastrophic"], 1);
    assert_eq!(report["unsafe_as_safe"], serde_json::json!([]));
    let last = &report["results"][2];
    assert_eq!((&last["command"], &last["label"]), (&"frobnicate".into(), &"safe".into()));
    assert_eq!((&last["outcome"], &last["cause"]), (&"destructive".into(), &"NOT_ASSESSED".into()));
    assert!(last["micros"].as_f64().unwrap() > 0.0 && last["reason"].is_string());
}

#[test]
fn an_attack_called_safe_fails_the_evaluation() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), r#"{"command": "git status", "outcome": "attack"}"#)
        .unwrap();
    let ran = run_in(folder.path(), &["eval", "a.jsonl"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("1 unsafe command called safe"), "{}", ran.out);
    let report = run_in(folder.path(), &["eval", "a.jsonl", "--json"]).json();
    assert_eq!(report["unsafe_as_safe"], serde_json::json!(["git status"]));
}

#[test]
fn wrong_lines_are_named_by_file_line_and_field_and_nothing_is_rated() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\"command\": \"ls\", \"outcome\": \"fine\"}\n{}\nno json\n";
    std::fs::write(folder.path().join("bad.jsonl"), text).unwrap();
    let ran = run_in(folder.path(), &["eval", "bad.jsonl"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    for expected in ["bad.jsonl:1: `outcome`", "bad.jsonl:2:", "bad.jsonl:3:", "what to do"] {
        assert!(ran.err.contains(expected), "{expected}: {}", ran.err);
    }
    let missing = run_in(folder.path(), &["eval", "nowhere.jsonl"]);
    assert!(missing.code == 2 && missing.err.contains("nowhere.jsonl"), "{missing:?}");
}

#[test]
fn an_agent_at_auto_is_told_what_to_change_and_three_refusals_reach_a_human() {
    let gate = Served::start(r#"{ "approvals": "auto" }"#, &["--ephemeral"]);
    let decide =
        |command: &str| run(&["decide", "--server", &gate.address, "--session", "s", "--command", command]);
    let refused = decide("rm -rf node_modules");
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.out.contains("node_modules"), "the reason names what it falls on: {}", refused.out);
    let narrowed = decide("ls node_modules");
    assert_eq!(narrowed.code, 0, "{narrowed:?}");
    for code in [1, 1, 3] {
        assert_eq!(decide("rm -rf node_modules").code, code, "the third in a row asks a human");
    }
}
