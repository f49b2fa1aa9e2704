//! What is pointed out, and what is left alone.

use super::super::tests::sound;
use super::lint;

fn warnings(text: &str) -> Vec<String> {
    let problems = lint(&sound(&[text]));
    assert!(!problems.has_errors(), "a lint only warns");
    let lines = problems.list().iter().map(ToString::to_string);
    lines.map(|line| line.trim_start_matches("0.jsonc:").to_owned()).collect()
}

/// Each row: a file, and for every warning the place, the path and a part of its text.
fn check(rows: &[(&str, &[(&str, &str)])]) {
    for (text, expected) in rows {
        let found = warnings(text);
        assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
        for (line, (start, part)) in found.iter().zip(*expected) {
            let (place, path) = start.split_once(' ').unwrap();
            assert!(line.starts_with(&format!("{place}: warning: {path}: ")), "{line}\n{start}");
            assert!(line.contains(part), "{line}\n{part}");
        }
    }
}

#[test]
fn entries_that_the_configured_rung_never_reads_are_named() {
    check(&[
        (
            r#"{"approvals": {"deny": [{"type": "tool", "matcher": "exact", "pattern": "x"}],
"escalate": [{"type": "mcpTool", "server": "jira", "matcher": "glob", "pattern": "delete_*"}]}}"#,
            &[
                ("1:25 approvals.deny[0]", "can never fire: at assisted only shell commands are gated"),
                ("2:14 approvals.escalate[0]", "\"every_call\""),
            ],
        ),
        (
            r#"{"approvals": {"mode": "bypass", "deny": [{"type": "shell", "matcher": "exact", "pattern": "a"}],
"escalate": [{"type": "shell", "matcher": "exact", "pattern": "b"}], "allow": [{"type": "shell", "matcher": "exact", "pattern": "c"}]}}"#,
            &[
                ("2:14 approvals.escalate[0]", "at bypass only the deny list is read"),
                ("2:80 approvals.allow[0]", "at bypass only the deny list is read"),
            ],
        ),
        (
            r#"{"approvals": {"mode": "write", "deny": [{"type": "tool", "matcher": "exact", "pattern": "read_file"},
{"type": "tool", "matcher": "exact", "pattern": "write_file"}, {"type": "tool", "matcher": "exact", "pattern": "run_tests"}]}}"#,
            &[
                ("1:42 approvals.deny[0]", "read_file is approved on every rung before any list is read"),
                ("2:1 approvals.deny[1]", "write_file is approved on every rung but manual"),
            ],
        ),
        (
            r#"{"approvals": {"mode": "manual", "deny": [{"type": "tool", "matcher": "exact", "pattern": "write_file"}]}}"#,
            &[],
        ),
        (
            r#"{"approvals": {"gate_scope": "every_call", "deny": [{"type": "tool", "matcher": "exact", "pattern": "read_file"}]}}"#,
            &[],
        ),
        // It can fire for one command: that is reason enough to write it once for all.
        (
            r#"{"approvals": {"deny": [{"type": "tool", "matcher": "exact", "pattern": "x"}]}, "commands": {"review": {"approvals": "manual"}}}"#,
            &[],
        ),
        (
            r#"{"approvals": {"deny": [{"type": "tool", "matcher": "exact", "pattern": "x"}]}, "projects": {"p": {"approvals": "manual"}}}"#,
            &[],
        ),
    ]);
}

#[test]
fn entries_that_a_stricter_entry_always_outranks_are_named_with_it() {
    check(&[
        (
            r#"{"approvals": {"mode": "manual",
"deny": [{"type": "shell", "matcher": "glob", "pattern": "git push*"}, {"type": "mcpTool", "server": "*", "matcher": "glob", "pattern": "delete_*"}],
"escalate": [{"type": "shell", "matcher": "exact", "pattern": "git push --force"}],
"allow": [{"type": "shell", "matcher": "exact", "pattern": "git push"},
{"type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "delete_issue"},
{"type": "shell", "matcher": "exact", "pattern": "git pull"}, {"type": "shell", "matcher": "glob", "pattern": "git p*"}]}}"#,
            &[
                (
                    "3:14 approvals.escalate[0]",
                    "can never fire: the deny entry `git push* (glob)` (0.jsonc:2:10: approvals.deny[0])",
                ),
                ("4:11 approvals.allow[0]", "the deny entry `git push* (glob)`"),
                ("5:1 approvals.allow[1]", "the deny entry `mcpTool */delete_* (glob)`"),
            ],
        ),
        // A host-bound entry outranks only calls to that host.
        (
            r#"{"approvals": {"mode": "manual", "deny": [{"type": "tool", "matcher": "exact", "pattern": "get", "host": "a.example"}],
"allow": [{"type": "tool", "matcher": "exact", "pattern": "get"}, {"type": "tool", "matcher": "exact", "pattern": "get", "host": "a.example"}]}}"#,
            &[("2:67 approvals.allow[1]", "the deny entry")],
        ),
        // Whether a hint entry matches depends on the tool.
        (
            r#"{"approvals": {"mode": "manual", "deny": [{"type": "tool", "matcher": "hint", "pattern": {"readOnlyHint": false}}],
"allow": [{"type": "tool", "matcher": "exact", "pattern": "get"}]}}"#,
            &[],
        ),
        // One command takes back for itself what the others may.
        (
            r#"{"approvals": {"allow": [{"type": "shell", "matcher": "exact", "pattern": "npm test"}]},
"commands": {"review": {"approvals": {"deny": [{"type": "shell", "matcher": "exact", "pattern": "npm test"}]}}}}"#,
            &[],
        ),
    ]);
}

#[test]
fn an_entry_that_stands_twice_in_one_list_is_named_with_the_first() {
    check(&[(
        r#"{"approvals": {"deny": [{"type": "shell", "matcher": "exact", "pattern": "a"},
{"pattern": "a", "type": "shell", "matcher": "exact"}], "escalate": [{"type": "shell", "matcher": "glob", "pattern": "a*"}]}}"#,
        &[("2:1 approvals.deny[1]", "says the same as the deny entry at line 1")],
    )]);
    let file = r#"{"approvals": {"deny": [{"type": "shell", "matcher": "exact", "pattern": "a"}]}}"#;
    assert!(lint(&sound(&[file, file])).is_empty(), "two files may say the same");
}

#[test]
fn patterns_that_miss_the_canonical_spelling_are_named() {
    let pattern = |list: &str, matcher: &str, pattern: &str| {
        let pattern = serde_json::to_string(pattern).unwrap();
        warnings(&format!(
            r#"{{"approvals": {{"{list}": [{{"type": "shell", "matcher": "{matcher}", "pattern": {pattern}}}]}}}}"#
        ))
    };
    for (list, matcher, text, part) in [
        ("allow", "exact", "cd pkg && npm test", "can never match"),
        ("allow", "exact", "ls > out", "can never match"),
        ("allow", "glob", "cd * && npm test", "can never match"),
        ("allow", "glob", "*", "\"mode\": \"bypass\""),
        ("allow", "regexp", ".*", "\"mode\": \"bypass\""),
        ("allow", "regexp", "git (status|log)", "begin each alternative"),
        ("allow", "regexp", "^git status|ls", "begin each alternative"),
        ("allow", "regexp", "git [^|]log", "begin each alternative"),
        ("deny", "glob", "git  push*", "run of blanks"),
        ("deny", "glob", "git\tpush*", "run of blanks or a tab"),
        ("deny", "glob", " git push*", "begins or ends with a blank"),
        ("allow", "glob", "git log* ", "begins or ends with a blank"),
        ("escalate", "glob", "git commit -m \"*\"", "double quote"),
        ("deny", "glob", "rm 'build'*", "quotes a word that needs none"),
        ("deny", "glob", "rm \\-rf*", "backslash"),
    ] {
        let found = pattern(list, matcher, text);
        assert!(found.len() == 1 && found[0].contains(part), "{list} {matcher} {text}: {found:#?}");
        assert!(found[0].contains(&format!("approvals.{list}[0].pattern: ")), "{found:?}");
    }
    for (list, matcher, text) in [
        ("allow", "exact", "git  status"),
        ("allow", "exact", "echo 'a b'"),
        ("allow", "glob", "git log *"),
        ("allow", "glob", "git commit -m '*"),
        ("allow", "glob", "git commit -m '* *'"),
        ("allow", "regexp", "^git (status|log)$"),
        ("allow", "regexp", "^git status|^ls"),
        ("deny", "glob", "*"),
        ("deny", "glob", "cd * && rm *"),
        ("deny", "exact", "a  &&  b"),
        ("deny", "regexp", "rm"),
        ("deny", "glob", "echo 'a  \"b\"'*"),
    ] {
        assert_eq!(pattern(list, matcher, text), Vec::<String>::new(), "{list} {matcher} {text}");
    }
}

#[test]
fn names_that_lead_nowhere_are_named() {
    check(&[
        (
            r#"{"mcpServers": {"jira": {}}, "approvals": {"mode": "manual",
"mcp": {"servers": {"jirra": {}, "jira": {}, "*": {}}},
"deny": [{"type": "tool", "matcher": "exact", "pattern": "run_shell_command"},
{"type": "tool", "matcher": "glob", "pattern": "mcp__jira__*"},
{"type": "mcpTool", "server": "jira", "matcher": "glob", "pattern": "mcp__jira__*"},
{"type": "mcpTool", "server": "Jira", "matcher": "glob", "pattern": "x*"},
{"type": "mcpTool", "server": "*", "matcher": "glob", "pattern": "mcp__other__*"}]}}"#,
            &[
                (
                    "2:21 approvals.mcp.servers.jirra",
                    "\"jirra\" is not a key of `mcpServers`; did you mean \"jira\"?",
                ),
                ("2:46 approvals.mcp.servers.*", "`mcp.defaults`"),
                ("3:10 approvals.deny[0].pattern", "only `shell` entries match shell commands"),
                ("4:1 approvals.deny[1].pattern", "only `mcpTool` entries match those"),
                ("5:1 approvals.deny[2].pattern", "starts like a registered name"),
                ("6:1 approvals.deny[3].server", "did you mean \"jira\"?"),
            ],
        ),
        // Without `mcpServers` nothing is known of the agent's servers.
        (
            r#"{"approvals": {"mode": "manual", "mcp": {"servers": {"jira": {}}}, "deny": [{"type": "mcpTool", "server": "x", "matcher": "exact", "pattern": "y"}]}}"#,
            &[],
        ),
    ]);
}

#[test]
fn a_rate_that_changes_nothing_is_named() {
    check(&[
        (
            r#"{"approvals": {"mode": "manual", "deny": [{"type": "shell", "matcher": "exact", "pattern": "a", "rate": true}],
"allow": [{"type": "tool", "matcher": "exact", "pattern": "b", "rate": true}, {"type": "shell", "matcher": "exact", "pattern": "c", "rate": true}]}}"#,
            &[
                ("1:43 approvals.deny[0].rate", "only entries of `allow`"),
                ("2:11 approvals.allow[0].rate", "only shell commands are rated"),
            ],
        ),
        (
            r#"{"approvals": {"gate_scope": "every_call", "allow": [{"type": "tool", "matcher": "exact", "pattern": "b", "rate": true}]}}"#,
            &[],
        ),
    ]);
}
