//! The policy cases that ship with the product: bug reports of other gates, each of which must not come back here.

// A test may stop where something is not as it must be.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use haltgate::cases::{CaseFile, Options, Workings, run, run_read};
use serde_json::Value;
use std::path::Path;

fn results(strength: &str) -> Vec<(String, bool, Value)> {
    let file = CaseFile::read(Path::new("tests/corpora/bypass.json")).unwrap_or_else(|problems| {
        panic!("{}", problems.iter().map(|problem| format!("{problem}\n")).collect::<String>())
    });
    let options = Options { strength: Some(strength.to_owned()), json: true, ..Options::default() };
    let mut report = Vec::new();
    run_read(&[file], &options, &Workings::default(), &mut report).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    let results = report["results"].as_array().unwrap().iter();
    results
        .map(|result| {
            let number = result["name"].as_str().unwrap().split_whitespace().next().unwrap().to_owned();
            (number, result["passed"].as_bool().unwrap(), result.clone())
        })
        .collect()
}

#[test]
fn every_case_of_the_bug_reports_comes_out_right() {
    for strength in ["must", "should"] {
        let results = results(strength);
        assert!(results.len() > 40, "only {} cases", results.len());
        for (number, passed, result) in results {
            assert!(passed, "{number} fails: {result:#}");
        }
    }
}

#[test]
fn the_gate_decides_as_its_promises_say() {
    let mut report = Vec::new();
    let files = ["tests/corpora/decisions.jsonc".into()];
    let summary = run(&files, &Options::default(), &Workings::default(), &mut report);
    let summary = summary.unwrap_or_else(|error| panic!("{error}"));
    assert!(summary.all_passed() && summary.passed > 60, "{}", String::from_utf8_lossy(&report));
}
