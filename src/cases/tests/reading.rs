//! What is wrong with a file, and where.

use super::{problems, problems_of};

#[test]
fn a_file_that_is_not_cases_says_what_to_write() {
    for (text, line) in [
        ("", "1:1: is empty"),
        ("[1]", "1:1: must be an object `{ … }`, not a list"),
        ("{}", "1:1: cases: must be a list of cases that is not empty"),
        ("{\"cases\": []}", "1:2: cases: must be a list of cases that is not empty"),
        ("{\"case\": [],\n \"cases\": [3]}", "1:2: case: is not a setting; did you mean `cases`?"),
        ("{\"cases\": [\n{} ]}", "2:1: cases[0].call: is missing"),
    ] {
        let found = problems_of(text);
        assert!(found.iter().any(|problem| problem.starts_with(line)), "{text}: {found:?}");
    }
}

#[test]
fn every_problem_names_its_place_and_what_would_be_right() {
    const CALL: &str = r#""call": "ls""#;
    const EXPECT: &str = r#""expect": {"action": "APPROVE"}"#;
    let with_call = |rest: &str| format!("{CALL}, {rest}");
    let with_both = |rest: &str| format!("{CALL}, {EXPECT}, {rest}");
    let with_expect = |rest: &str| format!("{EXPECT}, {rest}");
    for (members, path, message) in [
        (with_both(r#""expct": 1"#), "expct", "did you mean `expect`?"),
        (with_both(r#""name": 3"#), "name", "must be a string"),
        (with_call(r#""expect": {"acton": "APPROVE"}"#), "expect.acton", "did you mean `action`?"),
        (with_call(r#""expect": {"action": "APROVE"}"#), "expect.action", "did you mean \"APPROVE\"?"),
        (with_call(r#""expect": {"action": null}"#), "expect.action", "must be one of"),
        (with_call(r#""expect": {"action": []}"#), "expect.action", "nothing could meet"),
        (with_call(r#""expect": {"stage": ["RATER", "DENY"]}"#), "expect.stage[1]", "must be one of"),
        (with_call(r#""expect": {"scope": "forever"}"#), "expect.scope", "\"ONCE\", \"SESSION\", \"ALWAYS\""),
        (with_call(r#""expect": {"outcome": "fine"}"#), "expect.outcome", "\"safe\""),
        (with_call(r#""expect": {"grant_preview": 3}"#), "expect.grant_preview", "an entry as an object"),
        (with_call(r#""expect": {"message_contains": 3}"#), "expect.message_contains", "must be a string"),
        (with_call(r#""expect": {}"#), "expect", "checks nothing"),
        (with_call(r#""expect": []"#), "expect", "nothing could meet"),
        (with_call(r#""expect": null"#), "expect", "nothing is checked"),
        (with_call(r#""expect": [{"action": "APPROVE"}, "x"]"#), "expect[1]", "must be an object"),
        (with_call(r#""expects": [null]"#), "expects", "checks nothing"),
        (with_call(r#""expects": {"action": "APPROVE"}"#), "expects", "one item per call"),
        (
            with_call(r#""expects": [{"action": "APPROVE"}, null, null]"#),
            "expects",
            "has 3 items; write one per call (1)",
        ),
        (with_both(r#""expects": [null]"#), "expects", "keep one of the two"),
        (with_both(r#""calls": ["ls"]"#), "calls", "keep one of the two"),
        (with_both(r#""answers": [], "answer": "approve""#), "answer", "keep one of the two"),
        (EXPECT.to_owned(), "call", "is missing"),
        (with_expect(r#""calls": []"#), "calls", "must be a list of calls that is not empty"),
        (with_expect(r#""calls": [{}]"#), "calls[0]", "exactly one of shell, tool"),
        (
            with_expect(r#""calls": [{"set_rung": "auto", "answer": "approve"}]"#),
            "calls[0]",
            "exactly one of",
        ),
        (
            with_expect(r#""calls": [{"set_rung": "turbo"}]"#),
            "calls[0].set_rung",
            "must be one of \"manual\"",
        ),
        (with_expect(r#""calls": [{"user_message": 1}]"#), "calls[0].user_message", "must be a string"),
        (
            with_expect(r#""calls": [{"session": {"command": "x"}}]"#),
            "calls[0].session.command",
            "cannot change",
        ),
        (with_expect(r#""call": {"shel": {"command": "ls"}}"#), "call.shel", "did you mean `shell`?"),
        (with_expect(r#""call": {"shell": "ls", "tool": {"name": "x"}}"#), "call.tool", "more than one call"),
        (with_expect(r#""call": {"shell": {}}"#), "call.shell.command", "is missing"),
        (with_expect(r#""call": {"shell": {"command": ""}}"#), "call.shell.command", "1 to 1048576 bytes"),
        (
            with_expect(r#""call": {"shell": {"command": "ls", "comand": 1}}"#),
            "call.shell.comand",
            "did you mean `command`?",
        ),
        (
            with_expect(r#""call": {"shell": {"command": "ls", "dialect": "zsh"}}"#),
            "call.shell.dialect",
            "must be one of \"bash\"",
        ),
        (with_expect(r#""call": {"tool": {"name": ""}}"#), "call.tool.name", "is empty"),
        (
            with_expect(r#""call": {"tool": {"name": "x", "arguments": []}}"#),
            "call.tool.arguments",
            "must be an object",
        ),
        (with_expect(r#""call": {"mcp_tool": {"name": "x"}}"#), "call.mcp_tool.server", "is missing"),
        (
            with_expect(r#""call": {"mcp_tool": {"server": "*", "name": "x"}}"#),
            "call.mcp_tool.server",
            "one MCP server",
        ),
        (with_both(r#""rating": "saf""#), "rating", "did you mean \"safe\"?"),
        (with_both(r#""rating": {"reason": "x"}"#), "rating", "either `outcome` or `cause`"),
        (with_both(r#""rating": {"outcome": "TIMEOUT"}"#), "rating.outcome", "must be one of \"safe\""),
        (with_both(r#""rating": {"cause": "safe"}"#), "rating.cause", "must be one of \"NOT_ASSESSED\""),
        (with_both(r#""rating": ["safe", 3]"#), "rating[1]", "must be \"builtin\""),
        (with_both(r#""answers": ["perhaps"]"#), "answers[0]", "must be an answer such as"),
        (
            with_both(r#""answers": [{"approve": "forever"}]"#),
            "answers[0].approve",
            "must be an answer such as",
        ),
        (with_both(r#""answers": [{"approve": true, "reject": true}]"#), "answers[0]", "must have `verdict`"),
        (with_both(r#""answers": [{"reject": "always"}]"#), "answers[0].reject", "write a deny entry"),
        (
            with_both(r#""answers": [{"approve": "session", "max_uses": 0}]"#),
            "answers[0].max_uses",
            "a whole number",
        ),
        (
            with_both(r#""session": {"interactiv": true}"#),
            "session.interactiv",
            "did you mean `interactive`?",
        ),
        (
            with_both(r#""session": {"interactive": "yes"}"#),
            "session.interactive",
            "must be `true` or `false`",
        ),
        (with_both(r#""session": {"labels": 3}"#), "session.labels", "must be an object"),
        (with_both(r#""session": {"tools": [{}]}"#), "session.tools[0]", "needs `name`"),
        (with_both(r#""session": {"tools": 3}"#), "session.tools", "must be a list"),
        (
            with_both(r#""session": {"annotations": {"t": {"readOnly": true}}}"#),
            "session.annotations.t.readOnly",
            "is not a hint",
        ),
        (
            with_both(r#""session": {"annotations": {"t": {"readOnlyHint": 1}}}"#),
            "session.annotations.t.readOnlyHint",
            "must be `true` or `false`",
        ),
        (with_both(r#""session": {"trust": {"j": ["openWorld"]}}"#), "session.trust.j[0]", "is not a hint"),
        (with_both(r#""session": {"mcp_servers": [1]}"#), "session.mcp_servers[0]", "must be a string"),
        (with_both(r#""mcpServers": {"*": {}}"#), "mcpServers.*", "is reserved"),
        (with_both(r#""approvals": "full-auto""#), "approvals", "no longer"),
        (with_both(r#""approvals": {"deny": ["ls"]}"#), "approvals.deny[0]", "bare"),
        (
            with_both(r#""approvals": {"allow": [{"type": "shell", "matcher": "regexp", "pattern": "("}]}"#),
            "approvals.allow[0].pattern",
            "",
        ),
        (
            with_both(r#""commands": {"ci": {"approvals": {"mode": "x"}}}"#),
            "commands.ci.approvals.mode",
            "is not a mode",
        ),
        (
            with_both(r#""commands": {"ci": {"approval": {}}}"#),
            "commands.ci.approval",
            "did you mean `approvals`?",
        ),
    ] {
        let found = problems(&members);
        let start = format!("cases[0].{path}: ");
        let told = |problem: &&String| {
            problem
                .split_once(": ")
                .is_some_and(|(_, rest)| rest.starts_with(&start) && rest.contains(message))
        };
        assert!(
            found.iter().any(|problem| told(&problem)),
            "{members}\nwanted {start}{message}\nfound {found:#?}"
        );
    }
}

#[test]
fn all_problems_of_a_file_are_reported_at_once_with_their_lines() {
    let text = "{ \"cases\": [\n  { \"call\": \"ls\", \"expect\": { \"action\": \"NO\" } },\n  { \"call\": \"ls\",\n    \"approvals\": \"x\", \"expect\": { \"stage\": \"NO\" } }\n] }";
    let places: Vec<String> = problems_of(text)
        .iter()
        .map(|problem| problem.splitn(3, ": ").take(2).collect::<Vec<_>>().join(" "))
        .collect();
    for place in ["2:31 cases[0].expect.action", "4:5 cases[1].approvals", "4:35 cases[1].expect.stage"] {
        assert!(places.iter().any(|found| found == place), "{place} in {places:?}");
    }
}
