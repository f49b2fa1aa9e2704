//! The examples of the Rust client run as its README says.

#![allow(clippy::unwrap_used, reason = "a failure in a test is the point")]

use std::fs;
use std::path::Path;
use std::process::Command;

/// What an example says in front of a gate of its own, and how it ends.
fn run(example: &str) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_haltgate"))
        .args(["run", "--quiet", "--", env!("CARGO"), "run", "--quiet", "--locked", "--example", example])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("HALTGATE_CONFIG")
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_first_example_of_the_readme_runs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("clients/rust");
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    let shown = readme.split("```rust\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!(shown, fs::read_to_string(folder.join("first.rs")).unwrap());
    assert_eq!(run("first"), (Some(0), "run it\n".to_owned()));
}

#[test]
fn the_example_agent_runs_what_is_approved_tells_its_model_of_rejections_and_stops_at_a_halt() {
    let (code, said) = run("agent");
    assert_eq!(code, Some(1));
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.get(..2).unwrap(), ["model was told: begin", "model was told: hello"]);
    assert_eq!(lines.last(), Some(&"the run was halted"));
    assert!(said.contains("model was told: Refused") && !said.contains("never"), "{said}");
}
