//! The policy cases that ship with the product: bug reports of other gates, each of which must not come back here.

// A test may stop where something is not as it must be.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use haltgate::cases::{CaseFile, Options, Workings, run, run_read};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// What a case waits for, with the names of the cases by their number.
const WAITING: [(&str, &[&str]); 1] = [(
    "the hardline floor is not in force yet",
    &[
        "E13", "G01", "G02", "G04", "G05", "G09", "G10", "G11", "G14", "G16", "G23", "G25", "G30", "G31",
        "G33",
    ],
)];

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
fn every_case_that_must_hold_holds_but_those_that_wait_for_a_part_of_the_gate() {
    let waiting: BTreeSet<&str> = WAITING.iter().flat_map(|(_, numbers)| numbers.iter().copied()).collect();
    let results = results("must");
    assert!(results.len() > 100, "only {} cases", results.len());
    for (number, passed, result) in &results {
        let waits = waiting.contains(number.as_str());
        assert!(*passed || waits, "fails: {result:#}");
        assert!(!*passed || !waits, "passes now, so it need not be listed as waiting: {number}");
    }
    let known: BTreeSet<&str> = results.iter().map(|(number, ..)| number.as_str()).collect();
    assert_eq!(waiting.difference(&known).next(), None, "a listed case is not in the file");
}

#[test]
fn every_case_that_should_hold_holds() {
    for (number, passed, result) in results("should") {
        assert!(passed, "{number} fails: {result:#}");
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
