//! Several calls in one session, and what lies between them.

use super::{fails, file, passes, problems, report};
use serde_json::json;

const TWICE: &str =
    r#""approvals": "manual", "calls": [{"shell": {"command": "make"}}, {"shell": {"command": "make"}}]"#;

#[test]
fn an_answer_of_a_human_reaches_as_far_as_it_says_whatever_its_spelling() {
    for (answer, second) in [
        (r#""approve""#, "ESCALATE"),
        (r#"{"approve": true}"#, "ESCALATE"),
        (r#"{"verdict": "approve"}"#, "ESCALATE"),
        (r#""session""#, "APPROVE"),
        (r#""approve session""#, "APPROVE"),
        (r#""approve_always""#, "APPROVE"),
        (r#""always""#, "APPROVE"),
        (r#"{"approve": "session"}"#, "APPROVE"),
        (r#"{"approve": true, "scope": "session"}"#, "APPROVE"),
        (
            r#"{"verdict": "approve", "scope": "always", "comment": "ok", "answered_by": "ana", "note": "n"}"#,
            "APPROVE",
        ),
        (r#"{"verdict": "VERDICT_APPROVE", "scope": "SCOPE_SESSION"}"#, "APPROVE"),
        (r#"{"decision": "approve", "scope": "session"}"#, "APPROVE"),
        (r#""reject""#, "ESCALATE"),
        (r#"{"reject": "once"}"#, "ESCALATE"),
        (r#"{"reject": "session"}"#, "REJECT"),
        (r#""deny session""#, "REJECT"),
        (r#""run anyway""#, "ESCALATE"),
        (r#""stop""#, "ESCALATE"),
    ] {
        passes(&format!("{TWICE}, \"answers\": [{answer}], \"expect\": {{\"action\": \"{second}\"}}"));
        let own = TWICE.replacen("}}", &format!("}}, \"answer\": {answer}}}"), 1);
        passes(&format!("{own}, \"expect\": {{\"action\": \"{second}\"}}"));
        let between = TWICE.replacen("}},", &format!("}}}}, {{\"answer\": {answer}}},"), 1);
        passes(&format!("{between}, \"expect\": {{\"action\": \"{second}\"}}"));
    }
}

#[test]
fn expectations_go_to_calls_or_to_calls_and_answers_in_order() {
    for expects in [
        r#"[{"action": "ESCALATE"}, {"action": "APPROVE", "stage": "ALLOW_LIST"}]"#,
        r#"[{"action": "APPROVE", "scope": "SESSION"}, {"action": "APPROVE"}]"#,
        r#"[null, {"stage": "ALLOW_LIST"}]"#,
        r#"[{"action": "ESCALATE"}, {"action": "APPROVE", "scope": "SESSION"}, {"stage": "ALLOW_LIST"}]"#,
        r#"[{"grant_preview": "make"}, null, [{"action": "HALT"}, {"action": "APPROVE"}]]"#,
    ] {
        passes(&format!("{TWICE}, \"answers\": [\"session\"], \"expects\": {expects}"));
    }
    for expects in [
        r#"[{"action": "REJECT"}, {"action": "APPROVE"}]"#,
        r#"[{"action": "APPROVE"}, null, {"action": "APPROVE"}]"#,
        r#"[null, {"action": "ESCALATE"}, null]"#,
    ] {
        fails(&format!("{TWICE}, \"answers\": [\"session\"], \"expects\": {expects}"));
    }
    // One of each per call, where there are as many: the first call asks nobody.
    passes(
        r#""approvals": {"allow": [{"type": "shell", "matcher": "exact", "pattern": "ls"}]},
           "calls": ["ls", "make", "make"], "rating": [null, "destructive", null], "answers": [null, "session", null],
           "expects": [{"stage": "ALLOW_LIST"}, {"scope": "SESSION"}, {"stage": "ALLOW_LIST"}]"#,
    );
    // Fewer: whoever asks next.
    passes(
        r#""approvals": {"allow": [{"type": "shell", "matcher": "exact", "pattern": "ls"}]},
           "calls": ["ls", "make", "make"], "rating": ["destructive"], "answers": ["session"],
           "expects": [{"stage": "ALLOW_LIST"}, {"scope": "SESSION"}, {"stage": "ALLOW_LIST"}]"#,
    );
    let text = file(&format!(
        "{TWICE}, \"answers\": [\"session\"], \"expects\": [null, {{\"action\": \"REJECT\"}}]"
    ));
    let report = report(&text);
    let result = &report["results"][0];
    assert_eq!(result["expected"], json!([null, { "action": "REJECT" }]));
    assert_eq!(result["actual"][0]["scope"], "SESSION");
    assert_eq!(result["actual"][1]["stage"], "ALLOW_LIST");
}

#[test]
fn an_expectation_for_a_decision_that_never_came_is_not_met() {
    fails(
        r#""approvals": "bypass", "call": "ls", "answers": ["approve"],
           "expects": [{"action": "APPROVE"}, {"action": "APPROVE"}]"#,
    );
    let text = file(r#""calls": ["make", "ls"], "expects": [null, {"action": "APPROVE"}]"#);
    let error = report(&text)["results"][0]["actual"][1]["error"].as_str().unwrap().to_owned();
    assert!(error.starts_with("it was never reached: call 1 asked for a rating"), "{error}");
    // Not even where nothing was expected of the rest.
    let text =
        file(r#""calls": ["ls", "make"], "rating": ["safe"], "expects": [{"action": "APPROVE"}, null]"#);
    assert_eq!(report(&text)["failed"], 1);
}

#[test]
fn a_halt_waits_only_where_somebody_watches_and_one_phrase_lets_one_command_through() {
    let halt =
        r#""rating": "attack", "calls": [{"shell": {"command": "evil"}}, {"shell": {"command": "evil"}}]"#;
    for (session, answers, first, second) in [
        ("{}", "[]", "HALT", "HALT"),
        ("{}", r#"["run_anyway"]"#, "HALT", "HALT"),
        (r#"{"attack_banner": true}"#, "[]", "HALT", "HALT"),
        (r#"{"attack_banner": true}"#, r#"["run_anyway"]"#, "APPROVE", "HALT"),
        (r#"{"attack_banner": true}"#, r#"[{"verdict": "run_anyway"}, null]"#, "APPROVE", "HALT"),
        (r#"{"attack_banner": true}"#, r#"[{"run_anyway": true}, "Run Anyway"]"#, "APPROVE", "APPROVE"),
        (r#"{"attack_banner": true}"#, r#"["stop"]"#, "HALT", "HALT"),
        (r#"{"attack_banner": true}"#, r#"["approve"]"#, "HALT", "HALT"),
    ] {
        passes(&format!(
            r#"{halt}, "session": {session}, "answers": {answers},
               "expects": [{{"action": "{first}"}}, {{"action": "{second}"}}]"#
        ));
    }
    // A halt that still waits is a halt to the caller.
    passes(
        r#""rating": "attack", "session": {"attack_banner": true}, "call": "evil", "answer": "run anyway",
           "expects": [{"action": "HALT", "stage": "RATER"}, {"action": "APPROVE", "scope": "ONCE"}]"#,
    );
}

#[test]
fn a_halted_run_stays_halted_and_another_run_starts_clean() {
    passes(
        r#""calls": [{"shell": "evil", "run": "1", "rating": "attack"}, {"shell": "ls", "run": "1"},
                     {"shell": "ls", "run_id": "2", "rating": "safe"}],
           "expects": [{"action": "HALT"}, {"action": "HALT"}, {"action": "APPROVE"}]"#,
    );
}

#[test]
fn steps_between_calls_change_the_session() {
    passes(
        r#""approvals": "manual", "calls": ["ls", {"set_rung": "Bypass"}, "ls", {"session": {"rung": "manual"}}, "ls",
              {"session": {"interactive": false}}, "ls"],
           "expects": [{"action": "ESCALATE"}, {"stage": "BYPASS"}, {"action": "ESCALATE"}, {"action": "UNATTENDED"}]"#,
    );
    passes(
        r#""approvals": "manual", "answers": ["session", "always"],
           "calls": ["a", "b", "a", "b", {"new_session": {"cwd": "/"}}, "a", "b"],
           "expects": [null, null, {"stage": "ALLOW_LIST"}, {"stage": "ALLOW_LIST"}, {"action": "ESCALATE"}, {"stage": "ALLOW_LIST"}]"#,
    );
    // Two destructive rounds, then the user speaks, so that the third is not the last straw.
    passes(
        r#""approvals": "auto", "rating": "destructive", "calls": ["a", "a", {"user_message": "go on"}, "a", "a", "a"],
           "expects": [{"action": "REJECT"}, {"action": "REJECT"}, {"action": "REJECT"}, {"action": "REJECT"}, {"action": "ESCALATE"}]"#,
    );
    passes(
        r#""approvals": "auto", "rating": "destructive", "calls": ["a", "a", {"session": {"reset_thread": true}}, "a"],
           "expect": {"action": "REJECT"}"#,
    );
}

#[test]
fn a_grant_is_lost_when_its_tool_becomes_more_dangerous() {
    for (tools, spelling) in [
        (r#"{"mcp__j__t": {"openWorldHint": false}}"#, "annotations"),
        (r#"[{"name": "mcp__j__t", "annotations": {"open_world_hint": false}}]"#, "tools"),
        (r#"{"mcp__j__t": {"openWorldHint": false}}"#, "tools"),
    ] {
        passes(&format!(
            r#""approvals": "manual", "session": {{"mcp_servers": ["j"], "trust": {{"j": ["openWorldHint"]}}, "{spelling}": {tools}}},
               "calls": [{{"mcp_tool": {{"server": "j", "name": "t"}}, "answer": "session"}}, {{"registered": {{"name": "mcp__j__t"}}}},
                  {{"session": {{"annotations": {{"mcp__j__t": {{"openWorldHint": true}}}}}}}}, {{"mcpTool": {{"server": "j", "name": "t"}}}}],
               "expects": [{{"scope": "SESSION"}}, {{"stage": "ALLOW_LIST"}}, {{"action": "ESCALATE"}}]"#
        ));
    }
}

#[test]
fn a_grant_with_a_number_of_uses_is_used_up() {
    passes(
        r#""approvals": "manual", "calls": ["a", "a", "a"], "answers": [{"approve": "session", "max_uses": 1}],
           "expects": [{"scope": "SESSION"}, {"action": "APPROVE"}, {"action": "ESCALATE"}]"#,
    );
}

#[test]
fn a_scope_that_is_not_on_offer_stores_nothing() {
    passes(
        r#""rating": "catastrophic", "calls": ["a", "a"], "answers": ["always"],
           "expects": [{"action": "ESCALATE", "grant_preview": null}, {"action": "APPROVE", "scope": "ONCE"}, {"action": "ESCALATE"}]"#,
    );
}

#[test]
fn each_call_may_carry_what_is_expected_of_it() {
    passes(
        r#""approvals": "manual", "calls": [{"shell": "a", "answer": "session", "expect": {"scope": "SESSION"}},
              {"shell": "a", "expect": {"stage": "ALLOW_LIST"}}]"#,
    );
    fails(
        r#""approvals": "manual", "calls": [{"shell": "a", "expect": {"action": "APPROVE"}}, "b"],
           "expect": {"action": "ESCALATE"}"#,
    );
    assert_eq!(
        problems(r#""calls": ["a", "b"]"#),
        ["1:14: cases[0].expect: is missing; write `\"expect\": { \"action\": … }`"]
    );
}
