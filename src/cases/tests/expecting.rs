//! What a single call is expected to come to.

use super::{fails, file, passes, report};
use serde_json::{Value, json};

const DENY: &str = r#""approvals": {"mode": "bypass", "deny": [{"type": "shell", "matcher": "glob", "pattern": "npm publish*"}]},
    "call": {"shell": {"command": "cd pkg && npm publish"}}"#;
const ASK: &str = r#""approvals": "manual", "call": {"shell": {"command": "npm  test"}}"#;

#[test]
fn a_field_is_met_by_its_word_in_any_letters_or_by_one_of_a_list() {
    for expect in [
        r#"{"action": "REJECT", "stage": "DENY_LIST"}"#,
        r#"{"action": "reject", "stage": "deny-list"}"#,
        r#"{"action": ["APPROVE", "REJECT"]}"#,
        r#"[{"action": "APPROVE"}, {"stage": "DENY_LIST"}]"#,
        r#"{"scope": null, "outcome": null}"#,
        r#"{"grant_preview": null, "deny_preview": null}"#,
        r#"{"message_contains": "NPM publish"}"#,
        r#"{"message_contains": ["nothing of the kind", "deny list"]}"#,
    ] {
        passes(&format!("{DENY}, \"expect\": {expect}"));
    }
    for expect in [
        r#"{"action": "APPROVE"}"#,
        r#"{"action": "REJECT", "stage": "BYPASS"}"#,
        r#"{"action": ["APPROVE", "ESCALATE"]}"#,
        r#"[{"action": "APPROVE"}, {"action": "REJECT", "stage": "RATER"}]"#,
        r#"{"scope": "ONCE"}"#,
        r#"{"outcome": ["safe", "destructive"]}"#,
        r#"{"message_contains": "cargo"}"#,
        r#"{"deny_preview": true}"#,
    ] {
        fails(&format!("{DENY}, \"expect\": {expect}"));
    }
}

#[test]
fn a_preview_is_compared_as_json_or_with_its_line_and_null_means_that_nothing_is_on_offer() {
    for expect in [
        r#"{"grant_preview": {"pattern": "npm test", "type": "shell", "matcher": "exact"}}"#,
        r#"{"grant_preview": "{\"type\":\"shell\",  \"matcher\":\"exact\",\"pattern\":\"npm test\"}"}"#,
        r#"{"grant_preview": "npm test", "deny_preview": "npm test"}"#,
        r#"{"grant_preview": [null, {"type": "shell", "matcher": "exact", "pattern": "npm test"}]}"#,
        r#"{"grant_preview": true}"#,
        r#"{"action": "ESCALATE", "stage": "UNRATED_RUNG", "message_contains": ""}"#,
    ] {
        passes(&format!("{ASK}, \"expect\": {expect}"));
    }
    for expect in [
        r#"{"grant_preview": null}"#,
        r#"{"grant_preview": {"type": "shell", "matcher": "glob", "pattern": "npm test"}}"#,
        r#"{"grant_preview": "npm  test"}"#,
        r#"{"deny_preview": false}"#,
    ] {
        fails(&format!("{ASK}, \"expect\": {expect}"));
    }
    passes(
        r#""approvals": "manual", "call": {"shell": {"command": "a && b"}},
           "expect": {"action": "ESCALATE", "grant_preview": null, "deny_preview": "a && b"}"#,
    );
}

#[test]
fn the_rater_says_what_the_case_tells_it() {
    let call = r#""call": {"shell": {"command": "make"}}"#;
    for (rating, expect) in [
        (r#""safe""#, r#"{"action": "APPROVE", "stage": "RATER", "scope": "ONCE", "outcome": "safe"}"#),
        (r#""Destructive""#, r#"{"action": "ESCALATE", "outcome": "DESTRUCTIVE"}"#),
        (r#""catastrophic""#, r#"{"action": "ESCALATE", "grant_preview": null, "deny_preview": "make"}"#),
        (r#""attack""#, r#"{"action": "HALT", "message_contains": "The case says so."}"#),
        (
            r#"{"outcome": "attack", "reason": "It lies."}"#,
            r#"{"action": "HALT", "message_contains": "it lies."}"#,
        ),
        (r#""TIMEOUT""#, r#"{"action": "ESCALATE", "outcome": "destructive"}"#),
        (r#"{"cause": "no_model"}"#, r#"{"action": "ESCALATE", "outcome": "destructive"}"#),
        (r#""builtin""#, r#"{"action": "ESCALATE", "outcome": "catastrophic"}"#),
        (r#""built-in""#, r#"{"action": "ESCALATE", "outcome": "catastrophic"}"#),
        (r#"["safe"]"#, r#"{"action": "APPROVE"}"#),
    ] {
        passes(&format!("{call}, \"rating\": {rating}, \"expect\": {expect}"));
    }
    passes(
        r#""approvals": "auto", "session": {"tools": ["grep"]}, "call": {"shell": {"command": "grep x f"}},
           "rating": {"outcome": "destructive", "reason": "Use the tool.", "suggested_tool": "grep"},
           "expect": {"action": "REJECT", "message_contains": "needs no approval"}"#,
    );
}

#[test]
fn a_rating_that_the_case_does_not_provide_for_fails_it_and_is_named() {
    for rating in ["", r#""rating": null,"#, r#""rating": [],"#, r#""rating": [null],"#] {
        let text = file(&format!(
            r#""call": {{"shell": {{"command": "make"}}}}, {rating} "expect": [{{"action": "ESCALATE"}}, {{"action": "APPROVE"}}]"#
        ));
        let report = report(&text);
        assert_eq!(report["failed"], 1, "{rating}");
        let error = report["results"][0]["actual"]["error"].as_str().unwrap();
        assert_eq!(error, "call 1 asked for a rating, and the case has none for it: add `rating`");
    }
}

#[test]
fn floors_are_those_that_the_run_is_given() {
    passes(
        r#""approvals": "bypass", "call": {"shell": {"command": "boom"}},
           "expect": {"action": "REJECT", "stage": "HARDLINE_FLOOR", "message_contains": "go boom"}"#,
    );
    passes(
        r#""rating": "safe", "call": {"shell": {"command": "curl https://a.example"}},
           "expect": {"action": "ESCALATE", "outcome": "destructive"}"#,
    );
}

#[test]
fn the_session_is_opened_as_the_case_says() {
    for (session, call, expect) in [
        ("{}", r#"{"shell": "ls"}"#, r#"{"action": "ESCALATE"}"#),
        (r#"{"interactive": false}"#, r#"{"shell": "ls"}"#, r#"{"action": "UNATTENDED"}"#),
        (r#"{"rung": "bypass"}"#, r#"{"shell": "ls"}"#, r#"{"action": "APPROVE", "stage": "BYPASS"}"#),
        (
            r#"{"labels": {"team": "x"}, "cwd": "/w", "home": "/h"}"#,
            r#"{"shell": "ls"}"#,
            r#"{"action": "ESCALATE"}"#,
        ),
        (r#"{"command": "ci"}"#, r#"{"shell": "ls"}"#, r#"{"action": "APPROVE", "stage": "ALLOW_LIST"}"#),
        (r#"{"command": "other"}"#, r#"{"shell": "ls"}"#, r#"{"action": "ESCALATE"}"#),
        (
            r#"{"mcp_servers": ["a", "a__b"]}"#,
            r#"{"registered": {"name": "mcp__a__b__x"}}"#,
            r#"{"action": "ESCALATE", "grant_preview": null}"#,
        ),
        (
            r#"{"mcpServers": {"jira": {}}}"#,
            r#"{"registered": {"name": "mcp__jira__x"}}"#,
            r#"{"grant_preview": {"type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "x"}}"#,
        ),
        ("{}", r#"{"registered": {"name": "mcp__wiki__x"}}"#, r#"{"grant_preview": "mcpTool wiki/x"}"#),
        (
            "{}",
            r#"{"mcp_tool": {"server": "s", "name": "t", "arguments": {"u": "https://H.example/"}}}"#,
            r#"{"grant_preview": "mcpTool s/t (host h.example)"}"#,
        ),
        (
            "{}",
            r#"{"tool": {"name": "deploy", "arguments": {"to": "prod"}}}"#,
            r#"{"grant_preview": "tool deploy"}"#,
        ),
        ("{}", r#"{"tool": {"name": "read_file"}}"#, r#"{"action": "APPROVE", "stage": "NOT_GATED"}"#),
        (
            "{}",
            r#"{"shell": {"command": "ls", "dialect": "PowerShell"}}"#,
            r#"{"action": "ESCALATE", "grant_preview": null}"#,
        ),
    ] {
        passes(&format!(
            r#""approvals": "manual", "mcpServers": {{"wiki": {{}}}},
               "commands": {{"ci": {{"approvals": {{"allow": [{{"type": "shell", "matcher": "exact", "pattern": "ls"}}]}}}}}},
               "session": {session}, "call": {call}, "expect": {expect}"#
        ));
    }
}

#[test]
fn the_json_report_has_the_fixed_form() {
    let text = r#"{ "cases": [
        {"name": "good", "approvals": "manual", "call": "ls", "expect": {"action": "ESCALATE"}},
        {"name": "bad", "approvals": "bypass", "call": "ls", "expect": {"action": ["HALT", "REJECT"]}} // no
    ] }"#;
    let expected: Value = json!({ "passed": 1, "failed": 1, "results": [
        { "name": "good", "passed": true, "expected": {"action": "ESCALATE"}, "actual": {
            "action": "ESCALATE", "stage": "UNRATED_RUNG", "scope": null, "outcome": null,
            "grant_preview": {"type": "shell", "matcher": "exact", "pattern": "ls"},
            "deny_preview": {"type": "shell", "matcher": "exact", "pattern": "ls"},
            "message": "A human was asked whether this may run: ls. It must not run before they approve it; send the same \
                        request again to pick up the answer." } },
        { "name": "bad", "passed": false, "expected": {"action": ["HALT", "REJECT"]}, "actual": {
            "action": "APPROVE", "stage": "BYPASS", "scope": "ONCE", "outcome": null,
            "grant_preview": null, "deny_preview": null, "message": "" } },
    ] });
    assert_eq!(report(text), expected);
}
