//! The threat model names the test that holds each promise; this one holds it to that.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder whose name ends so.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                if !matches!(name.as_str(), "node_modules" | "target" | ".venv" | "dist") {
                    folders.push(path);
                }
            } else if endings.iter().any(|ending| name.ends_with(ending)) {
                found.push(path);
            }
        }
    }
    found
}

/// The names of all tests: functions behind a test attribute in Rust, and `test_…` in Python.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for path in files("src", &[".rs"]).into_iter().chain(files("tests", &[".rs", ".py"])) {
        let text = fs::read_to_string(&path).unwrap();
        let mut behind_attribute = path.extension().is_some_and(|extension| extension == "py");
        for line in text.lines().map(str::trim_start) {
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                behind_attribute = true;
            }
            let signature =
                ["fn ", "async fn ", "def "].into_iter().find_map(|keyword| line.strip_prefix(keyword));
            if let Some(name) = signature.filter(|_| behind_attribute).and_then(|rest| rest.split('(').next())
            {
                names.insert(name.to_owned());
                behind_attribute = path.extension().is_some_and(|extension| extension == "py");
            }
        }
    }
    names
}

#[test]
fn every_promise_of_the_threat_model_names_a_test_that_exists() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/threat-model.md")).unwrap();
    let tests = tests();
    let mut promises = 0;
    let mut broken = Vec::new();
    for row in page.lines().filter(|line| line.starts_with("| ") && line.matches('|').count() == 4) {
        let Some(held_by) = row.split('|').nth(3).map(str::trim) else { continue };
        if held_by == "Held by" {
            continue;
        }
        promises += 1;
        let named: Vec<&str> = held_by.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            broken.push(format!("no test is named: {row}"));
        }
        broken.extend(
            named
                .into_iter()
                .filter(|name| !tests.contains(*name))
                .map(|name| format!("no such test: {name}")),
        );
    }
    assert!(promises > 20, "only {promises} promises were found: has the form of the page changed?");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
