//! The bypasses that other gates fell for.

use serde_json::Value;

use super::judged_in;

const BYPASS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/bypass.json"));

fn cases() -> Vec<Value> {
    let corpus: Value = serde_json::from_str(BYPASS).unwrap();
    corpus.get("cases").and_then(Value::as_array).cloned().unwrap()
}

/// Whether an expectation, or one of several, names the floor.
fn names_floor(expect: &Value) -> bool {
    match expect {
        Value::Array(any) => any.iter().any(names_floor),
        expect => expect.get("stage").and_then(Value::as_str) == Some("HARDLINE_FLOOR"),
    }
}

#[test]
fn the_floor_refuses_what_the_cases_expect_of_it_and_nothing_else() {
    let mut refused = 0;
    for case in cases() {
        let Some(shell) = case.pointer("/call/shell") else { continue };
        if shell.get("dialect").is_some() {
            continue;
        }
        let name = case["name"].as_str().unwrap();
        let command = shell["command"].as_str().unwrap();
        let folder = case.pointer("/session/cwd").and_then(Value::as_str).unwrap_or("/srv/app");
        let found = judged_in(command, folder);
        let expected = names_floor(&case["expect"]);
        assert_eq!(found.is_some(), expected, "{name}: {command:?} {found:?}");
        refused += usize::from(expected);
    }
    assert!(refused >= 18, "only {refused} cases name the floor");
}
