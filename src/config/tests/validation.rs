//! Everything that a file may have wrong, and what is said about it.

use super::{errors, layered};

/// One row: what stands in the file, and for each error the line's beginning and what it must convey.
type Row<'a> = (&'a str, &'a [(&'a str, &'a [&'a str])]);

fn check(rows: &[Row<'_>]) {
    for (text, expected) in rows {
        let found = errors(text);
        assert_eq!(found.len(), expected.len(), "{text}\n{found:#?}");
        for (line, (start, parts)) in found.iter().zip(*expected) {
            assert!(line.starts_with(&format!("{start}: ")), "{text}\n{line}\nmust start with {start}");
            for part in *parts {
                assert!(line.contains(part), "{text}\n{line}\nmust say {part}");
            }
        }
    }
}

#[test]
fn retired_shapes_are_errors_that_name_their_replacement() {
    let modes = "manual, write, assisted, auto and bypass";
    check(&[
        (
            r#"{"approvals": "read-only"}"#,
            &[("1:2: approvals", &["no longer supported", modes, "\"manual\""])],
        ),
        (
            r#"{"approvals": {"mode": "auto-safe"}}"#,
            &[("1:16: approvals.mode", &[modes, "\"assisted\" instead"])],
        ),
        (
            r#"{"approvals": {"mode": "full-auto"}}"#,
            &[("1:16: approvals.mode", &[modes, "\"auto\" instead"])],
        ),
        (
            r#"{"approvals": "ask"}"#,
            &[(
                "1:2: approvals",
                &["\"write\" instead, where the file tools are free", "\"manual\", where they ask"],
            )],
        ),
        (
            r#"{"approvals": {"strictness": 1, "allowlist": [], "persistAllowlist": true}}"#,
            &[
                ("1:16: approvals.strictness", &["`mode`"]),
                ("1:33: approvals.allowlist", &["`approvals.allow`"]),
                ("1:50: approvals.persistAllowlist", &["chosen at each prompt"]),
            ],
        ),
        (
            r#"{"approvals": {"escalate": "high"}}"#,
            &[("1:16: approvals.escalate", &["third rule list", "threshold"])],
        ),
        (
            r#"{"approvals": {"escalate": null}}"#,
            &[("1:16: approvals.escalate", &["third rule list", "threshold"])],
        ),
        (
            r#"{"approvals": {"rater": {"profile": "x"}}}"#,
            &[("1:16: approvals.rater", &["bare name", "`mode`"])],
        ),
        (
            r#"{"builtInTools": {"run_shell_command": {"yolo": true, "judge": 1, "allowlist": [], "persistAllowlist": 1}}}"#,
            &[
                ("1:41: builtInTools.run_shell_command.yolo", &["\"bypass\""]),
                ("1:55: builtInTools.run_shell_command.judge", &["`approvals.mode`", "`approvals.rater`"]),
                ("1:67: builtInTools.run_shell_command.allowlist", &["`approvals.allow`"]),
                ("1:84: builtInTools.run_shell_command.persistAllowlist", &["`approvals`"]),
            ],
        ),
        (
            r#"{"commands": {"code": {"builtInTools": {"run_shell_command": {"yolo": true}}}}}"#,
            &[("1:63: commands.code.builtInTools.run_shell_command.yolo", &["bypass"])],
        ),
        (r#"{"builtInTools": ["x"]}"#, &[("1:2: builtInTools", &["remove it"])]),
    ]);
    assert!(errors(r#"{"approvals": "auto"}"#).is_empty(), "`auto` is not retired");
}

#[test]
fn entries_are_refused_with_their_index_and_what_to_write() {
    check(&[
        (
            r#"{"approvals": {"deny": "rm", "allow": {"a": 1}}}"#,
            &[
                ("1:16: approvals.deny", &["must be a list", "\"type\": \"shell\""]),
                ("1:30: approvals.allow", &["must be a list", "an object"]),
            ],
        ),
        (
            "{\"approvals\": {\"allow\": [\n\"echo \\\"x\\\"\",\n{\"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"ls\"},\n\"b\"]}}",
            &[
                ("2:1: approvals.allow[0]", &[r#""pattern": "echo \"x\"""#, "exact, glob, regexp"]),
                ("4:1: approvals.allow[2]", &[r#""pattern": "b""#]),
            ],
        ),
        (
            r#"{"approvals": {"deny": [{"matcher": "exact", "pattern": "x"}, {"type": "bash", "matcher": "exact", "pattern": "x"},
{"type": "shell", "pattern": "x"}, {"type": "shell", "matcher": "hint", "pattern": {"readOnlyHint": true}}]}}"#,
            &[
                ("1:25: approvals.deny[0].type", &["shell", "tool", "mcpTool"]),
                ("1:64: approvals.deny[1].type", &["shell", "tool", "mcpTool", "bash"]),
                ("2:1: approvals.deny[2].matcher", &["exact", "glob", "regexp"]),
                ("2:54: approvals.deny[3].matcher", &["exact", "glob", "regexp"]),
            ],
        ),
        (
            r#"{"approvals": {"deny": [{"type": "shell", "matcher": "exact"}, {"type": "mcpTool", "matcher": "exact", "pattern": "x"},
{"type": "tool", "matcher": "exact", "pattern": "x", "host": ""}, {"type": "mcpTool", "server": "", "matcher": "exact", "pattern": "x"},
{"type": "shell", "matcher": "exact", "pattern": 1}, {"type": "shell", "matcher": "exact", "pattern": ""}]}}"#,
            &[
                ("1:25: approvals.deny[0].pattern", &[]),
                ("1:64: approvals.deny[1].server", &[]),
                ("2:54: approvals.deny[2].host", &[]),
                ("2:87: approvals.deny[3].server", &[]),
                ("3:39: approvals.deny[4].pattern", &["string"]),
                ("3:92: approvals.deny[5].pattern", &["empty"]),
            ],
        ),
        (
            r#"{"approvals": {"escalate": [{"type": "tool", "matcher": "hint", "pattern": {}},
{"type": "tool", "matcher": "hint", "pattern": {"safe": true}}]}}"#,
            &[
                ("1:65: approvals.escalate[0].pattern", &[]),
                ("2:37: approvals.escalate[1].pattern", &["safe"]),
            ],
        ),
    ]);
}

#[test]
fn a_field_that_an_entry_may_not_have_is_named() {
    for (entry, key) in [
        (r#"{"type": "shell", "matcher": "exact", "pattern": "x", "server": "y"}"#, "server"),
        (r#"{"type": "tool", "matcher": "exact", "pattern": "x", "server": "y"}"#, "server"),
        (r#"{"type": "shell", "matcher": "exact", "pattern": "x", "host": "y"}"#, "host"),
        (r#"{"type": "shell", "matcher": "exact", "pattern": "x", "patern": "y"}"#, "patern"),
    ] {
        let found = errors(&format!(r#"{{"approvals": {{"deny": [{entry}]}}}}"#));
        assert!(
            found.len() == 1 && found[0].contains("approvals.deny[0]") && found[0].contains(key),
            "{found:?}"
        );
    }
}

#[test]
fn a_regular_expression_is_at_most_200_units_long_and_compiles() {
    let with = |pattern: &str| {
        errors(&format!(
            r#"{{"approvals": {{"deny": [{{"type": "shell", "matcher": "regexp", "pattern": "{pattern}"}}]}}}}"#
        ))
    };
    assert!(with(&"a".repeat(200)).is_empty());
    for (pattern, part) in [("a".repeat(201), "200"), ("(".to_owned(), "(")] {
        let found = with(&pattern);
        assert!(found.len() == 1, "{found:?}");
        assert!(found[0].contains("approvals.deny[0].pattern: ") && found[0].contains(part), "{found:?}");
    }
}

#[test]
fn an_example_that_does_not_hold_refuses_the_file_with_its_line() {
    let text = "{\"approvals\": {\"deny\": [{\"type\": \"tool\", \"matcher\": \"glob\", \"pattern\": \"a*\",\n\"match\": [\"ab\",\n\"b\"], \"not_match\": [\"ac\"]}]}}";
    let found = errors(text);
    assert!(found.len() == 2, "{found:?}");
    assert!(found[0].starts_with("3:1: approvals.deny[0].match[1]: "), "{found:?}");
    assert!(found[1].starts_with("3:21: approvals.deny[0].not_match[0]: "), "{found:?}");
}

#[test]
fn the_trust_block_is_strict_at_every_level() {
    check(&[
        (
            r#"{"approvals": {"mcp": {"expose": true, "defaults": {"trustAnnotations": ["readonlyhint", 1]},
"servers": {"jira": {"trustAnnotations": true}, "": {}, "ci": {"trust": []}, "x": "all"}}}}"#,
            &[
                ("1:24: approvals.mcp.expose", &["not a setting"]),
                (
                    "1:74: approvals.mcp.defaults.trustAnnotations[0]",
                    &["\"readonlyhint\"", "did you mean readOnlyHint?"],
                ),
                (
                    "1:90: approvals.mcp.defaults.trustAnnotations[1]",
                    &["1 is not", "idempotentHint", "openWorldHint"],
                ),
                ("2:22: approvals.mcp.servers.jira.trustAnnotations", &["a list of hints", "a boolean"]),
                ("2:49: approvals.mcp.servers.\"\"", &["names no server"]),
                ("2:64: approvals.mcp.servers.ci.trust", &["trustAnnotations"]),
                ("2:78: approvals.mcp.servers.x", &["must be an object"]),
            ],
        ),
        (r#"{"approvals": {"mcp": []}}"#, &[("1:16: approvals.mcp", &["must be an object"])]),
    ]);
    let allowed = r#"{"approvals": {"mcp": {"servers": {"*": {}, "not-configured": {}, "constructor": {}}}}, "mcpServers": {"jira": {}}}"#;
    assert!(errors(allowed).is_empty(), "policy may come before the server");
}

#[test]
fn server_keys_that_no_rule_can_name_are_refused() {
    check(&[(
        r#"{"mcpServers": {"*": {}, "": {}}}"#,
        &[("1:17: mcpServers.*", &["reserved"]), ("1:26: mcpServers.\"\"", &["cannot be named"])],
    )]);
    let fine = sound_keys(r#"{"mcpServers": {"*-x": {}, "a\nb": {}, "a__b": {}, "c": "anything"}}"#);
    assert_eq!(fine, ["*-x", "a\nb", "a__b", "c"]);
}

fn sound_keys(text: &str) -> Vec<String> {
    super::sound(&[text]).mcp_server_keys("any")
}

#[test]
fn a_rater_profile_must_exist_in_some_layer() {
    check(&[
        (
            r#"{"approvals": {"rater": "house"}, "commands": {"c": {"approvals": {"rater": "other"}}}, "projects": {"p": {"approvals": {"rater": "third"}}}}"#,
            &[
                (
                    "1:16: approvals.rater",
                    &["\"house\"", "\"builtin\"", "`rater.profiles`", "leave `rater` out"],
                ),
                ("1:68: commands.c.approvals.rater", &["\"other\""]),
                ("1:122: projects.p.approvals.rater", &["\"third\""]),
            ],
        ),
        (
            r#"{"rater": {"profiles": {"house": {"kind": "oracle"}, "b": {}, " ": {"kind": "builtin"}, "c": {"kind": "builtin", "key": 1}}}}"#,
            &[
                (
                    "1:35: rater.profiles.house.kind",
                    &["\"oracle\" is not a kind", "\"builtin\", \"model\", \"cascade\""],
                ),
                ("1:54: rater.profiles.b", &["needs a `kind`", "\"builtin\""]),
                ("1:63: rater.profiles.\" \"", &["not a name"]),
                ("1:114: rater.profiles.c.key", &["kind"]),
            ],
        ),
    ]);
    for blank in ["", "  "] {
        let text = format!(r#"{{"approvals": {{"rater": "{blank}"}}}}"#);
        assert_eq!(super::sound(&[&text]).posture("any", None).rater, None, "asks for the default rater");
    }
    let below = r#"{"approvals": {"rater": "house"}}"#;
    assert!(layered(&[below, r#"{"rater": {"profiles": {"house": {"kind": "builtin"}}}}"#]).is_ok());
}

#[test]
fn wrong_modes_types_and_bounds_say_what_is_expected() {
    check(&[
        (
            r#"{"approvals": "bypas"}"#,
            &[("1:2: approvals", &["\"bypas\" is not a mode", "did you mean \"bypass\"?"])],
        ),
        (r#"{"approvals": {"mode": "Auto"}}"#, &[("1:16: approvals.mode", &["did you mean \"auto\"?"])]),
        (r#"{"approvals": null}"#, &[("1:2: approvals", &["\"manual\"", "not null"])]),
        (r#"{"approvals": {"mode": 3}}"#, &[("1:16: approvals.mode", &["must be a string, not 3"])]),
        (
            r#"{"approvals": {"raterTimeoutMs": 0}}"#,
            &[("1:16: approvals.raterTimeoutMs", &["from 1 to", "not 0"])],
        ),
        (
            r#"{"approvals": {"raterTimeoutMs": 1.5}}"#,
            &[("1:16: approvals.raterTimeoutMs", &["whole number"])],
        ),
        (
            r#"{"approvals": {"gate_scope": "all"}}"#,
            &[("1:16: approvals.gate_scope", &["\"rung\", \"every_call\""])],
        ),
        (r#"{"server": {"listen": "7557"}}"#, &[("1:13: server.listen", &["IP address with a port"])]),
        (r#"{"server": {"listen": "none"}}"#, &[("1:13: server.listen", &["no `socket`"])]),
        (r#"{"server": {"max_wait": "2d"}}"#, &[("1:13: server.max_wait", &["from 1s to 1d"])]),
        (
            r#"{"server": {"max_message_size": "1MiB"}}"#,
            &[("1:13: server.max_message_size", &["from 2MiB to 64MiB"])],
        ),
        (r#"{"store": {"path": "postgres://db"}}"#, &[("1:12: store.path", &["later version"])]),
        (r#"{"store": {"path": ":memory:"}}"#, &[("1:12: store.path", &["`ephemeral`"])]),
        (r#"{"log": {"level": "verbose"}}"#, &[("1:10: log.level", &["\"debug\""])]),
        (r#"[]"#, &[("1:1", &["must be an object"])]),
    ]);
    for listen in ["127.0.0.1:0", "127.9.9.9:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"] {
        assert!(errors(&format!(r#"{{"server": {{"listen": "{listen}"}}}}"#)).is_empty(), "{listen}");
    }
    assert!(errors(r#"{"server": {"listen": "none", "socket": "gate.sock"}}"#).is_empty());
}

#[test]
fn unknown_keys_are_errors_everywhere_and_the_nearest_known_one_is_named() {
    check(&[
        (
            r#"{"aprovals": {}, "approvals": {"denny": [], "gateScope": 1, "rate": true}, "gate_scope": "rung",
"server": {"port": 1}, "commands": {"code": {"approval": {}}, "a b": {}}, "projects": {"p": {"server": {}}, "": {}, "ü": {}}}"#,
            &[
                ("1:2: aprovals", &["did you mean `approvals`?"]),
                ("1:32: approvals.denny", &["did you mean `deny`?"]),
                ("1:45: approvals.gateScope", &["did you mean `gate_scope`?"]),
                ("1:61: approvals.rate", &["did you mean `rater`?"]),
                ("1:76: gate_scope", &["not a setting"]),
                ("2:12: server.port", &["known here: listen, socket"]),
                ("2:46: commands.code.approval", &["did you mean `approvals`?"]),
                ("2:63: commands.\"a b\"", &["not a name for a command"]),
                ("2:94: projects.p.server", &["not a setting"]),
                ("2:109: projects.\"\"", &["not a name for a project"]),
                ("2:117: projects.\"ü\"", &["not a name for a project"]),
            ],
        ),
        (
            r#"{"auth": {"tokens": []}}"#,
            &[("1:2: auth", &["admits nobody"]), ("1:11: auth.tokens", &["known here: tokens_file"])],
        ),
    ]);
}

#[test]
fn the_problems_of_all_layers_are_reported_at_once_in_order() {
    let problems = layered(&[
        r#"{"approvals": {"mode": "ask", "deny": ["x"], "extra": 1}}"#,
        r#"{"approvals": {"rater": "none"}, "approvals": 1}"#,
        r#"{"log": {"level": 1}}"#,
    ])
    .unwrap_err()
    .to_string();
    let starts: Vec<&str> = problems.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(
        starts,
        ["0.jsonc:1:16", "0.jsonc:1:40", "0.jsonc:1:46", "1.jsonc:1:34", "2.jsonc:1:10", "5 errors"]
    );
}
