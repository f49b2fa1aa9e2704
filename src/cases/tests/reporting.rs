//! What a run reports.

use super::{file, lines, run};
use crate::cases::{CasesError, Options, Summary, Workings};
use std::io::Write;

const TWO: &str = r#"{ "cases": [
    {"name": "Lists hold", "strength": "must", "why": "Because.", "source": "bug 7", "approvals": "bypass", "call": "ls\u001b[2J",
     "expect": {"action": ["REJECT", "HALT"], "stage": "DENY_LIST"}},
    {"name": "Others pass", "strength": "should", "approvals": "bypass", "call": "ls", "expect": {"action": "APPROVE"}}
] }"#;

#[test]
fn a_failure_is_one_line_with_what_was_expected_and_what_came_and_then_the_reasons() {
    let report = lines(TWO);
    let mut lines = report.lines();
    assert_eq!(
        lines.next().unwrap(),
        "FAIL f.jsonc:2:5: Lists hold: expected action REJECT or HALT, stage DENY_LIST; came action APPROVE, stage BYPASS"
    );
    for line in [
        "call: ls\\x1b[2J",
        "why: Because.",
        "source: bug 7",
        "- bypass: `bypass` approves what no deny entry forbids",
    ] {
        assert!(report.lines().any(|found| found.trim() == line), "{line} in {report}");
    }
    assert_eq!(report.lines().last().unwrap(), "1 passed, 1 failed");
    assert!(!report.contains("Others pass"));
}

#[test]
fn a_case_without_a_name_is_named_by_its_place_and_a_sequence_says_which_call_failed() {
    let report = lines(&file(
        r#""approvals": "manual", "calls": ["a", "b"], "answers": ["approve"], "expects": [{"action": "HALT"}, {"scope": "ONCE"}]"#,
    ));
    assert!(report.contains("f.jsonc:1:14 (call 1): expected action HALT; came action ESCALATE, stage UNRATED_RUNG; then, answered: action APPROVE"), "{report}");
    assert!(
        report
            .contains("(call 2): expected scope ONCE; came action ESCALATE, stage UNRATED_RUNG, scope none"),
        "{report}"
    );
    assert!(report.ends_with("0 passed, 1 failed\n"), "{report}");
}

#[test]
fn cases_are_selected_by_name_and_strength_and_selecting_none_is_an_error() {
    let count = |filter: Option<&str>, strength: Option<&str>| {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let options = Options { filter: own(filter), strength: own(strength), json: false };
        run(TWO, &options).map(|(summary, _)| (summary.passed, summary.failed))
    };
    assert_eq!(count(None, None).unwrap(), (1, 1));
    assert_eq!(count(Some("others"), None).unwrap(), (1, 0));
    assert_eq!(count(None, Some("must")).unwrap(), (0, 1));
    assert!(matches!(count(Some("others"), Some("must")), Err(CasesError::NothingSelected(2))));
    assert!(Summary { passed: 1, failed: 0 }.all_passed() && !Summary { passed: 1, failed: 1 }.all_passed());
}

#[test]
fn one_bad_file_keeps_every_file_from_running_and_all_of_them_are_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::File::create(&path).unwrap().write_all(text.as_bytes()).unwrap();
        path
    };
    let good = write("good.jsonc", TWO);
    let bad = write("bad.jsonc", "{ \"cases\": [ {} ] }");
    let missing = folder.path().join("missing.jsonc");
    let mut out = Vec::new();
    let files = [good.clone(), bad, missing];
    let error = crate::cases::run(&files, &Options::default(), &Workings::default(), &mut out)
        .unwrap_err()
        .to_string();
    assert!(out.is_empty());
    for part in ["bad.jsonc:1:14: cases[0].call: is missing", "missing.jsonc: does not exist", "errors"] {
        assert!(error.contains(part), "{part} in {error}");
    }
    let summary = crate::cases::run(&[good], &Options::default(), &Workings::default(), &mut out).unwrap();
    assert_eq!(summary, Summary { passed: 1, failed: 1 });
}

#[test]
fn the_built_in_rater_of_a_plain_run_is_the_real_one() {
    let text = file(
        r#""rating": "builtin", "calls": ["ls", "rm -rf build"],
            "expects": [{"action": "APPROVE", "outcome": "safe"}, {"action": "ESCALATE", "outcome": "destructive"}]"#,
    );
    let file = crate::cases::CaseFile::parse("f", &text).unwrap();
    let summary =
        crate::cases::run_read(&[file], &Options::default(), &Workings::default(), &mut std::io::sink())
            .unwrap();
    assert!(summary.all_passed());
}
