use super::*;
use serde_json::json;

fn problems_of(kind: ListKind, value: &Value) -> Vec<(String, String)> {
    let mut problems = Vec::new();
    parse_list(value, &format!("approvals.{}", kind.as_str()), kind, &mut problems);
    problems.into_iter().map(|problem| (problem.path, problem.message)).collect()
}

#[test]
fn each_offence_is_reported_at_its_path_with_what_to_write() {
    let shell =
        |matcher: &str, pattern: Value| json!([{ "type": "shell", "matcher": matcher, "pattern": pattern }]);
    for (value, path, says) in [
        (
            json!(["say \"hi\""]),
            "approvals.deny[0]",
            r#"{ "type": "shell", "matcher": "exact", "pattern": "say \"hi\"" }"#,
        ),
        (json!(["ls"]), "approvals.deny[0]", "exact, glob, regexp, hint"),
        (json!([7]), "approvals.deny[0]", "must be an object, not a number"),
        (json!({}), "approvals.deny", "must be a list of entries, not an object"),
        (json!([{ "matcher": "exact", "pattern": "x" }]), "approvals.deny[0].type", "shell, tool, mcpTool"),
        (
            json!([{ "type": "shel", "matcher": "exact", "pattern": "x" }]),
            "approvals.deny[0].type",
            "did you mean `shell`",
        ),
        (
            json!([{ "type": 3, "matcher": "exact", "pattern": "x" }]),
            "approvals.deny[0].type",
            "not a number",
        ),
        (
            json!([{ "type": "shell", "pattern": "x" }]),
            "approvals.deny[0].matcher",
            "is missing; write one of exact",
        ),
        (shell("regex", json!("x")), "approvals.deny[0].matcher", "did you mean `regexp`"),
        (
            shell("hint", json!({ "readOnlyHint": true })),
            "approvals.deny[0].matcher",
            "use exact, glob or regexp",
        ),
        (json!([{ "type": "shell", "matcher": "exact" }]), "approvals.deny[0].pattern", "is missing"),
        (shell("exact", json!("")), "approvals.deny[0].pattern", "must not be empty"),
        (shell("glob", json!(" ")), "approvals.deny[0].pattern", "must not be empty"),
        (shell("regexp", json!("")), "approvals.deny[0].pattern", "must not be empty"),
        (shell("exact", json!(null)), "approvals.deny[0].pattern", "must be a string, not null"),
        (
            shell("exact", json!({ "readOnlyHint": true })),
            "approvals.deny[0].pattern",
            "needs \"matcher\": \"hint\"",
        ),
        (
            shell("regexp", json!("a".repeat(201))),
            "approvals.deny[0].pattern",
            "201 UTF-16 units long and the limit is 200",
        ),
        (shell("regexp", json!("a(")), "approvals.deny[0].pattern", "`a(` does not compile"),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "server": "jira" }]),
            "approvals.deny[0].server",
            "mcpTool entries only",
        ),
        (
            json!([{ "type": "tool", "matcher": "exact", "pattern": "x", "server": "jira" }]),
            "approvals.deny[0].server",
            "mcpTool entries only",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "host": "a.com" }]),
            "approvals.deny[0].host",
            "tool and mcpTool entries",
        ),
        (
            json!([{ "type": "tool", "matcher": "exact", "pattern": "x", "host": "" }]),
            "approvals.deny[0].host",
            "must not be empty",
        ),
        (
            json!([{ "type": "tool", "matcher": "exact", "pattern": "x", "host": ["a.com"] }]),
            "approvals.deny[0].host",
            "must be a string, not a list",
        ),
        (
            json!([{ "type": "mcpTool", "matcher": "exact", "pattern": "x" }]),
            "approvals.deny[0].server",
            "\"*\" for every server",
        ),
        (
            json!([{ "type": "mcpTool", "matcher": "exact", "pattern": "x", "server": "" }]),
            "approvals.deny[0].server",
            "must not be empty",
        ),
        (
            json!([{ "type": "mcpTool", "matcher": "exact", "pattern": "x", "server": true }]),
            "approvals.deny[0].server",
            "must be a string, not a boolean",
        ),
        (
            json!([{ "type": "tool", "matcher": "hint", "pattern": {} }]),
            "approvals.deny[0].pattern",
            "at least one hint",
        ),
        (
            json!([{ "type": "tool", "matcher": "hint", "pattern": { "readonlyHint": true } }]),
            "approvals.deny[0].pattern",
            "unknown hint `readonlyHint`; the hints are readOnlyHint, destructiveHint, idempotentHint, openWorldHint; did you mean `readOnlyHint`?",
        ),
        (
            json!([{ "type": "tool", "matcher": "hint", "pattern": { "readOnlyHint": "yes" } }]),
            "approvals.deny[0].pattern",
            "must be true or false, not a string",
        ),
        (
            json!([{ "type": "tool", "matcher": "hint", "pattern": "readOnlyHint" }]),
            "approvals.deny[0].pattern",
            "must be an object of hints",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "rate": "no" }]),
            "approvals.deny[0].rate",
            "must be true or false",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "patern": "y" }]),
            "approvals.deny[0].patern",
            "unknown field `patern`",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "a b": "y" }]),
            "approvals.deny[0]",
            "unknown field `a b`",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "match": "x" }]),
            "approvals.deny[0].match",
            "must be a list",
        ),
        (
            json!([{ "type": "shell", "matcher": "exact", "pattern": "x", "match": ["x", ""] }]),
            "approvals.deny[0].match[1]",
            "non-empty string",
        ),
        (
            json!([{ "type": "tool", "matcher": "hint", "pattern": { "readOnlyHint": true }, "not_match": ["x"] }]),
            "approvals.deny[0].not_match",
            "cannot prove a hint entry",
        ),
    ] {
        let problems = problems_of(ListKind::Deny, &value);
        assert!(
            matches!(problems.as_slice(), [(at, message)] if at == path && message.contains(says)),
            "{value}: wanted {path}: {says}, got {problems:?}"
        );
    }
}

#[test]
fn all_offenders_of_a_list_are_reported_at_once() {
    let value = json!(["a", { "type": "shell", "matcher": "exact", "pattern": "ok" }, { "type": "x", "matcher": "y", "rate": 1 }]);
    let paths: Vec<String> = problems_of(ListKind::Allow, &value).into_iter().map(|(path, _)| path).collect();
    assert_eq!(
        paths,
        [
            "approvals.allow[0]",
            "approvals.allow[2].type",
            "approvals.allow[2].matcher",
            "approvals.allow[2].pattern",
            "approvals.allow[2].rate"
        ]
    );
}

#[test]
fn an_escalate_value_that_is_no_list_is_told_what_escalate_is() {
    for value in [json!(null), json!("destructive")] {
        let problems = problems_of(ListKind::Escalate, &value);
        assert!(
            problems[0].1.contains("third rule list") && problems[0].1.contains("not a threshold"),
            "{problems:?}"
        );
    }
}

#[test]
fn a_good_entry_is_read_with_its_examples_and_its_path() {
    let value = json!([
        { "type": "shell", "matcher": "glob", "pattern": "git *", "rate": false, "match": ["git status"], "not_match": ["gitk"] },
        { "type": "mcpTool", "server": "*", "matcher": "exact", "pattern": "search", "host": "a.com", "match": ["search"] },
    ]);
    let mut problems = Vec::new();
    let declared = parse_list(&value, "approvals.allow", ListKind::Allow, &mut problems);
    assert_eq!(problems, []);
    assert_eq!(declared[0].path, "approvals.allow[0]");
    assert_eq!(declared[0].examples.matches, ["git status"]);
    assert_eq!(
        crate::rules::object_text(&declared[1].entry).as_str(),
        r#"{ "type": "mcpTool", "server": "*", "matcher": "exact", "pattern": "search", "host": "a.com" }"#
    );
}

#[test]
fn an_example_is_judged_as_its_own_list_would_match() {
    let entry = |examples: Value| {
        let mut object = json!({ "type": "shell", "matcher": "glob", "pattern": "npm publish*" });
        object.as_object_mut().unwrap().extend(examples.as_object().unwrap().clone());
        json!([object])
    };
    let chained = entry(json!({ "match": ["ls && NPM publish"] }));
    assert_eq!(problems_of(ListKind::Deny, &chained), []);
    let problems = problems_of(ListKind::Allow, &chained);
    assert_eq!(problems[0].0, "approvals.allow[0].match[0]");
    assert!(problems[0].1.contains("one simple command only"), "{problems:?}");
    let problems =
        problems_of(ListKind::Escalate, &entry(json!({ "not_match": ["npm test", "npm publish"] })));
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].0, "approvals.escalate[0].not_match[1]");
}

#[test]
fn an_entry_whose_example_fails_is_not_used() {
    let value = json!([{ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": "a.com", "match": ["Fetch"] }]);
    let mut problems = Vec::new();
    assert_eq!(parse_list(&value, "approvals.deny", ListKind::Deny, &mut problems), []);
    assert_eq!(problems[0].path, "approvals.deny[0].match[0]");
}

#[test]
fn a_host_that_no_call_can_name_is_a_warning() {
    for (host, advice) in [
        ("https://a.com", "without scheme"),
        ("A.com", "lower case"),
        ("a.com,b.com", "one entry per host"),
        ("a.com b.com", "one entry per host"),
        ("*.a.com", "stands for itself"),
        ("a.com:443", "no port"),
    ] {
        let value = json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": host });
        let mut problems = Vec::new();
        assert!(parse_entry(&value, "entry", &mut problems).is_some());
        assert!(
            problems[0].message.contains(advice) && problems[0].severity == Severity::Warning,
            "{problems:?}"
        );
    }
    for host in ["a.com", "a.com.", "::1", "127.0.0.1"] {
        let mut problems = Vec::new();
        parse_entry(
            &json!({ "type": "tool", "matcher": "exact", "pattern": "f", "host": host }),
            "entry",
            &mut problems,
        );
        assert_eq!(problems, [], "{host}");
    }
}

#[test]
fn a_stored_entry_carries_no_examples() {
    let value = json!({ "type": "shell", "matcher": "exact", "pattern": "ls", "match": ["ls"] });
    let mut problems = Vec::new();
    assert_eq!(parse_entry(&value, "entry", &mut problems), None);
    assert_eq!(problems[0].path, "entry.match");
}
