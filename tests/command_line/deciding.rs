//! Deciding and explaining without a server, and the demo.

use super::gate::{Ran, command, run, run_in};
use std::io::Write;
use std::process::Stdio;

const POLICY: &str = r#"{
  "approvals": {
    "deny": [
      { "type": "shell", "matcher": "glob", "pattern": "npm publish*" }
    ],
    "allow": [
      { "type": "shell", "matcher": "exact", "pattern": "git commit -m 'two words'" },
      { "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "read" }
    ]
  },
  "mcpServers": { "jira": {} }
}"#;

fn local(arguments: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), POLICY).unwrap();
    let (verb, rest) = arguments.split_first().unwrap();
    let mut all = vec![*verb, "--local"];
    all.extend(rest);
    run_in(folder.path(), &all)
}

#[test]
fn the_exit_code_is_the_decision() {
    let cases: [(&[&str], i32, &str); 8] = [
        (&["decide", "--", "git", "commit", "-m", "two words"], 0, "APPROVE  ALLOW_LIST"),
        (&["decide", "--", "git commit -m 'two words'"], 0, "APPROVE  ALLOW_LIST"),
        (&["decide", "--command", "sudo env npm publish"], 1, "REJECT  DENY_LIST"),
        (&["decide", "--", "mend"], 3, "ESCALATE  RATER"),
        (&["decide", "--rung", "auto", "--", "mend"], 1, "REJECT  RATER"),
        (&["decide", "--rung", "bypass", "--", "mend"], 0, "APPROVE  BYPASS"),
        (&["decide", "--interactive=false", "--", "mend"], 5, "UNATTENDED  RATER"),
        (&["decide", "--rung", "manual", "--registered", "mcp__jira__read"], 0, "APPROVE  ALLOW_LIST"),
    ];
    for (arguments, code, expected) in cases {
        let ran = local(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
        assert!(ran.out.starts_with(expected), "{arguments:?}: {}", ran.out);
    }
}

#[test]
fn a_command_is_read_from_standard_input_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), POLICY).unwrap();
    let mut child = command(folder.path())
        .args(["decide", "--local", "--stdin", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"echo one\nnpm publish\n").unwrap();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 1, "{ran:?}");
    let json = ran.json();
    assert_eq!(json["action"], "ACTION_REJECT");
    assert_eq!(json["stage"], "STAGE_DENY_LIST");
    assert_eq!(json["subject"]["shell"]["command"], "echo one\nnpm publish\n");
    assert_eq!(json["matchedRule"]["entry"]["entry"]["pattern"], "npm publish*");
}

#[test]
fn what_an_agent_wrote_cannot_reach_the_terminal_as_it_is() {
    let hostile = "ls \u{1b}[2J\u{202e}\n  1 │ rm";
    for arguments in [["decide", "--command", hostile], ["explain", "--command", hostile]] {
        let ran = local(&arguments);
        assert!(!ran.out.contains(['\u{1b}', '\u{202e}']), "{}", ran.out);
        assert!(ran.out.contains(r"\x1b[2J\u202e"), "{}", ran.out);
        assert!(ran.out.lines().all(|line| line != "  1 │ rm"), "{}", ran.out);
    }
}

#[test]
fn wrong_calls_are_named_field_by_field() {
    let cases: [(&[&str], &str); 3] = [
        (&["decide", "--command", ""], "call.shell.command"),
        (&["decide", "--tool", "x", "--arguments", "[]"], "call.tool.arguments_json"),
        (&["decide", "--cwd", "here", "--", "ls"], "call.shell.cwd"),
    ];
    for (arguments, field) in cases {
        let ran = local(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(ran.err.starts_with("error: the request has a wrong field (INVALID_FIELD"), "{}", ran.err);
        assert!(ran.err.contains(&format!("\n  {field}: ")), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn an_explanation_shows_what_bash_could_run_and_the_line_of_the_rule() {
    let ran = local(&["explain", "--command", "cd pkg && echo \"$(sudo npm publish)\""]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for expected in [
        "Not one simple command",
        "bash could run 4 commands",
        "1. cd pkg",
        "reached in $(…), then behind sudo",
        "  > deny",
        "Result: REJECT  DENY_LIST",
        "deny[0] npm publish* (glob), declared in the policy",
        "haltgate.jsonc:4:7: approvals.deny[0]",
    ] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
}

#[test]
fn an_explanation_shows_what_an_answer_would_store() {
    let ran = local(&["explain", "--", "mend", "two  words"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("  mend 'two  words'\n"), "{}", ran.out);
    let kept = r#"once, session, always; kept as { "type": "shell", "matcher": "exact", "pattern": "mend 'two  words'" }"#;
    assert!(ran.out.contains(kept), "{}", ran.out);
    let json = local(&["explain", "--json", "--", "mend"]).json();
    assert_eq!(json["explanation"]["ratingNeeded"], true);
    assert_eq!(json["explanation"]["offer"]["grant"]["entry"]["pattern"], "mend");
    assert!(json.get("decisionId").is_none(), "a dry run has no record: {json}");
}

#[test]
fn the_entry_that_lets_a_tool_through_is_what_decided() {
    let ran = local(&["explain", "--rung", "manual", "--registered", "mcp__jira__read"]);
    assert!(ran.out.contains("  > allow  matches mcpTool jira/read"), "{}", ran.out);
    assert!(ran.out.contains("Result: APPROVE  ALLOW_LIST"), "{}", ran.out);
}

#[test]
fn an_explanation_points_at_the_place_where_reading_stopped() {
    let ran = local(&["explain", "--command", "echo one\necho 'two"]);
    assert!(ran.out.contains("    echo 'two\n         ^ "), "{}", ran.out);
}

#[test]
fn the_demo_comes_out_as_scripted() {
    let ran = run(&["demo", "--once"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(ran.err, "");
    for expected in ["APPROVE   ALLOW_LIST", "REJECT    DENY_LIST", "you:      approve, always", "INTACT"] {
        assert!(ran.out.contains(expected), "{expected}: {}", ran.out);
    }
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    assert!(ran.out.lines().count() < 75, "{}", ran.out);
}
