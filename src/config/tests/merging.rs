//! How blocks merge across files, projects and commands.

use super::{patterns, sound};
use crate::gate::{GateScope, Rung};
use crate::rules::{Hint, ListKind};

fn shell(pattern: &str) -> String {
    format!(r#"{{"type":"shell","matcher":"exact","pattern":"{pattern}"}}"#)
}

fn block(fields: &[(&str, &str)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("\"{key}\": {value}")).collect();
    format!("{{ {} }}", fields.join(", "))
}

#[test]
fn a_command_keeps_what_it_does_not_state_and_adds_to_the_restrictive_lists() {
    let (a, b) = (format!("[{}]", shell("a")), format!("[{}]", shell("b")));
    let root = block(&[
        ("mode", "\"write\""),
        ("rater", "\"builtin\""),
        ("raterTimeoutMs", "5000"),
        ("gate_scope", "\"every_call\""),
        ("allow", &a),
        ("deny", &a),
        ("escalate", &a),
    ]);
    let scalars = (Rung::Write, Some("builtin"), Some(5000), GateScope::EveryCall);
    let (own_allow, own_restrictive) =
        (format!(r#"{{"allow": {b}}}"#), format!(r#"{{"deny": {b}, "escalate": {b}}}"#));
    let cases: [(&str, _, &[&str], &[&str]); 8] = [
        ("{}", scalars, &["a"], &["a"]),
        ("\"auto\"", (Rung::Auto, scalars.1, scalars.2, scalars.3), &["a"], &["a"]),
        (r#"{"rater": ""}"#, (scalars.0, None, scalars.2, scalars.3), &["a"], &["a"]),
        (r#"{"raterTimeoutMs": 1}"#, (scalars.0, scalars.1, Some(1), scalars.3), &["a"], &["a"]),
        (r#"{"gate_scope": "rung"}"#, (scalars.0, scalars.1, scalars.2, GateScope::Rung), &["a"], &["a"]),
        (r#"{"allow": []}"#, scalars, &[], &["a"]),
        (&own_allow, scalars, &["b"], &["a"]),
        (&own_restrictive, scalars, &["a"], &["a", "b"]),
    ];
    for (command, (rung, rater, timeout, scope), allow, restrictive) in cases {
        let text =
            format!(r#"{{ "approvals": {root}, "commands": {{ "code": {{ "approvals": {command} }} }} }}"#);
        let posture = sound(&[&text]).posture("any", Some("code"));
        assert_eq!(posture.rung, rung, "{command}");
        assert_eq!(posture.rater.as_deref(), rater, "{command}");
        assert_eq!(posture.rater_timeout_ms, timeout, "{command}");
        assert_eq!(posture.gate_scope, scope, "{command}");
        assert_eq!(patterns(&posture, ListKind::Allow), allow, "{command}");
        assert_eq!(patterns(&posture, ListKind::Deny), restrictive, "{command}");
        assert_eq!(patterns(&posture, ListKind::Escalate), restrictive, "{command}");
    }
}

#[test]
fn a_higher_file_wins_scalars_adds_to_the_restrictive_lists_and_replaces_allow() {
    let (a, b) = (format!("[{}]", shell("a")), format!("[{}]", shell("b")));
    let lower = block(&[("mode", "\"manual\""), ("deny", &a), ("escalate", &a), ("allow", &a)]);
    let cases: [(&str, Rung, &[&str], &[&str]); 6] = [
        ("{}", Rung::Manual, &["a"], &["a"]),
        // A name alone over an object: the object's lists survive.
        ("\"bypass\"", Rung::Bypass, &["a"], &["a"]),
        (r#"{"allow": []}"#, Rung::Manual, &[], &["a"]),
        (r#"{"deny": [], "escalate": []}"#, Rung::Manual, &["a"], &["a"]),
        (&format!(r#"{{"allow": {b}, "deny": {b}, "escalate": {b}}}"#), Rung::Manual, &["b"], &["a", "b"]),
        // Equal entries of two layers are both kept.
        (&format!(r#"{{"deny": {a}, "escalate": {a}}}"#), Rung::Manual, &["a"], &["a", "a"]),
    ];
    for (higher, rung, allow, restrictive) in cases {
        // The same rules hold for the root and for a command, between two files and between root and project.
        let files = [format!(r#"{{"approvals": {lower}}}"#), format!(r#"{{"approvals": {higher}}}"#)];
        let of_command =
            |approvals: &str| format!(r#"{{"commands": {{"code": {{"approvals": {approvals}}}}}}}"#);
        let commands = [of_command(&lower), of_command(higher)];
        let project =
            format!(r#"{{"approvals": {lower}, "projects": {{"shop": {{"approvals": {higher}}}}}}}"#);
        let postures = [
            sound(&[&files[0], &files[1]]).posture("shop", None),
            sound(&[&commands[0], &commands[1]]).posture("shop", Some("code")),
            sound(&[&project]).posture("shop", None),
        ];
        for posture in postures {
            assert_eq!(posture.rung, rung, "{higher}");
            assert_eq!(patterns(&posture, ListKind::Allow), allow, "{higher}");
            assert_eq!(patterns(&posture, ListKind::Deny), restrictive, "{higher}");
            assert_eq!(patterns(&posture, ListKind::Escalate), restrictive, "{higher}");
        }
    }
    let scalars = sound(&[r#"{"approvals": "manual"}"#, r#"{"approvals": "auto"}"#]);
    assert_eq!(scalars.posture("any", None).rung, Rung::Auto);
    let object_over_name = sound(&[r#"{"approvals": "manual"}"#, r#"{"approvals": {"deny": []}}"#]);
    assert_eq!(object_over_name.posture("any", None).rung, Rung::Manual);
}

#[test]
fn trust_is_united_across_files_and_replaced_per_command_so_that_an_empty_block_differs() {
    let lower = r#"{"mcp": {"defaults": {"trustAnnotations": ["openWorldHint"]},
                    "servers": {"jira": {"trustAnnotations": ["readOnlyHint", "openWorldHint"]}, "ci": {}}}}"#;
    let jira = |hints: &[Hint]| ("jira".to_owned(), hints.to_vec());
    let ci = ("ci".to_owned(), Vec::new());
    let all = vec![ci.clone(), jira(&[Hint::ReadOnly, Hint::OpenWorld])];
    // Each: what is laid over it, then defaults and servers across files, then per command.
    let cases = [
        (r#"{}"#, vec![Hint::OpenWorld], all.clone(), vec![Hint::OpenWorld], all.clone()),
        (r#"{"mcp": {}}"#, vec![Hint::OpenWorld], all.clone(), vec![], vec![]),
        (
            r#"{"mcp": {"servers": {"jira": {}}}}"#,
            vec![Hint::OpenWorld],
            all.clone(),
            vec![],
            vec![jira(&[])],
        ),
        (
            r#"{"mcp": {"servers": {"jira": {"trustAnnotations": []}}}}"#,
            vec![Hint::OpenWorld],
            vec![ci.clone(), jira(&[])],
            vec![],
            vec![jira(&[])],
        ),
        (
            r#"{"mcp": {"defaults": {"trustAnnotations": []}, "servers": {"jira": {"trustAnnotations": ["idempotentHint"]}, "x": {}}}}"#,
            vec![],
            vec![ci, jira(&[Hint::Idempotent]), ("x".to_owned(), vec![])],
            vec![],
            vec![jira(&[Hint::Idempotent]), ("x".to_owned(), vec![])],
        ),
    ];
    for (higher, file_defaults, file_servers, command_defaults, command_servers) in cases {
        let files = [format!(r#"{{"approvals": {lower}}}"#), format!(r#"{{"approvals": {higher}}}"#)];
        let trust = sound(&[&files[0], &files[1]]).posture("any", None).trust;
        assert_eq!(trust.defaults, file_defaults, "{higher}");
        assert_eq!(trust.servers.into_iter().collect::<Vec<_>>(), file_servers, "{higher}");
        let project = format!(r#"{{"approvals": {lower}, "projects": {{"p": {{"approvals": {higher}}}}}}}"#);
        assert_eq!(sound(&[&project]).posture("p", None).trust.defaults, file_defaults, "{higher}");
        let command = format!(r#"{{"approvals": {lower}, "commands": {{"c": {{"approvals": {higher}}}}}}}"#);
        let trust = sound(&[&command]).posture("any", Some("c")).trust;
        assert_eq!(trust.defaults, command_defaults, "{higher}");
        assert_eq!(trust.servers.into_iter().collect::<Vec<_>>(), command_servers, "{higher}");
    }
}

#[test]
fn hints_are_believed_in_canonical_order_whatever_the_order_of_writing() {
    let text = r#"{"approvals": {"mcp": {"defaults": {"trustAnnotations": ["openWorldHint", "readOnlyHint", "openWorldHint"]}}}}"#;
    assert_eq!(sound(&[text]).posture("any", None).trust.defaults, [Hint::ReadOnly, Hint::OpenWorld]);
}

#[test]
fn a_project_and_a_command_lay_over_what_stands_above_them_and_unknown_ones_have_just_that() {
    let entry = |pattern: &str| format!("[{}]", shell(pattern));
    let text = format!(
        r#"{{
            "approvals": {{ "mode": "manual", "deny": {} }},
            "commands": {{ "code": {{ "approvals": {{ "mode": "write", "deny": {} }} }} }},
            "mcpServers": {{ "jira": {{ "command": "x" }}, "b": {{}} }},
            "projects": {{ "shop": {{
                "approvals": {{ "deny": {} }},
                "commands": {{ "code": {{ "approvals": {{ "deny": {} }} }}, "review": {{ "approvals": "auto" }} }},
                "mcpServers": {{ "ci": {{}} }}
            }} }}
        }}"#,
        entry("root"),
        entry("root code"),
        entry("shop"),
        entry("shop code")
    );
    let configuration = sound(&[&text]);
    let cases: [(&str, Option<&str>, Rung, &[&str]); 7] = [
        ("other", None, Rung::Manual, &["root"]),
        ("other", Some("code"), Rung::Write, &["root", "root code"]),
        ("other", Some("review"), Rung::Manual, &["root"]),
        ("shop", None, Rung::Manual, &["root", "shop"]),
        ("shop", Some("code"), Rung::Write, &["root", "shop", "root code", "shop code"]),
        ("shop", Some("review"), Rung::Auto, &["root", "shop"]),
        ("shop", Some("unknown"), Rung::Manual, &["root", "shop"]),
    ];
    for (project, command, rung, deny) in cases {
        let posture = configuration.posture(project, command);
        assert_eq!(posture.rung, rung, "{project} {command:?}");
        assert_eq!(patterns(&posture, ListKind::Deny), deny, "{project} {command:?}");
    }
    assert_eq!(configuration.mcp_server_keys("other"), ["b", "jira"]);
    assert_eq!(configuration.mcp_server_keys("shop"), ["b", "ci", "jira"]);
}

#[test]
fn every_entry_remembers_the_file_and_line_that_declared_it_through_all_merging() {
    let lower = format!("{{\n\"approvals\": {{\n  \"deny\": [\n    {}] }} }}", shell("a"));
    let higher = format!(
        "{{ \"projects\": {{\n \"a.b\": {{ \"approvals\": {{ \"deny\": [{},\n {}] }} }} }} }}",
        shell("b"),
        shell("c")
    );
    let posture = sound(&[&lower, &higher]).posture("a.b", None);
    let origins: Vec<String> =
        posture.list(ListKind::Deny).iter().map(|entry| entry.origin.to_string()).collect();
    assert_eq!(
        origins,
        [
            "0.jsonc:4:5: approvals.deny[0]",
            "1.jsonc:2:35: projects.\"a.b\".approvals.deny[0]",
            "1.jsonc:3:2: projects.\"a.b\".approvals.deny[1]"
        ]
    );
}

#[test]
fn other_settings_merge_key_by_key() {
    let configuration = sound(&[
        r#"{"server": {"listen": "127.0.0.1:1", "max_wait": "5s"}, "rater": {"profiles": {"house": {"kind": "builtin"}}},
            "store": {"path": "a.db", "ephemeral": true}, "retention": {"max_age": "90d"}, "log": {"level": "debug"}}"#,
        r#"{"server": {"listen": "[::1]:2"}, "approvals": {"rater": "house"}, "store": {"ephemeral": false},
            "retention": {"max_size": "1GiB"}, "log": {"format": "json"}}"#,
    ]);
    assert_eq!(configuration.server().listen[0].to_string(), "[::1]:2");
    assert_eq!(configuration.server().max_wait.as_secs(), 5);
    assert_eq!(configuration.store().path.to_str(), Some("policies/a.db"));
    assert!(!configuration.store().ephemeral);
    assert_eq!(configuration.retention().max_age.unwrap().as_secs(), 90 * 86_400);
    assert_eq!(configuration.retention().max_size, Some(1 << 30));
    assert_eq!((configuration.log().level.as_str(), configuration.log().format.as_str()), ("debug", "json"));
    assert_eq!(configuration.posture("any", None).rater.as_deref(), Some("house"));
}

#[test]
fn a_block_that_seems_to_take_trust_back_across_files_and_does_not_is_pointed_out() {
    let lower = r#"{"approvals": {"mcp": {"servers": {"jira": {"trustAnnotations": ["readOnlyHint"]}}}}}"#;
    let cases = [
        (r#"{"approvals": {"mcp": {}}}"#, Some("1.jsonc:1:16: warning: approvals.mcp: takes no trust back")),
        (
            r#"{"approvals": {"mcp": {"servers": {"jira": {}}}}}"#,
            Some("1.jsonc:1:36: warning: approvals.mcp.servers.jira: takes no trust back"),
        ),
        (
            r#"{"projects": {"p": {"approvals": {"mcp": {}}}}}"#,
            Some("1.jsonc:1:35: warning: projects.p.approvals.mcp: takes no trust back"),
        ),
        (r#"{"approvals": {"mcp": {"servers": {"jira": {"trustAnnotations": []}}}}}"#, None),
        (r#"{"approvals": {"mcp": {"servers": {"ci": {}}}}}"#, None),
        // Per command the block is replaced, so here it does take trust back.
        (r#"{"commands": {"c": {"approvals": {"mcp": {}}}}}"#, None),
    ];
    for (higher, expected) in cases {
        let problems = super::warnings(&[lower, higher]);
        match expected {
            Some(start) => {
                assert!(problems.len() == 1 && problems[0].starts_with(start), "{higher}: {problems:?}")
            }
            None => assert!(problems.is_empty(), "{higher}: {problems:?}"),
        }
    }
}
