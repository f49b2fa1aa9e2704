//! Help, usage errors and configurations.

use super::gate::{command, run, run_in};
use std::io::Read;
use std::process::Stdio;

const COMMANDS: [&str; 11] = [
    "demo",
    "serve",
    "decide",
    "explain",
    "answer",
    "grants",
    "sessions",
    "decisions",
    "audit",
    "check",
    "test",
];

#[test]
fn the_binary_alone_prints_help_that_names_every_command() {
    let ran = run(&[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for name in COMMANDS {
        assert!(ran.out.contains(&format!("  {name} ")), "{name}: {}", ran.out);
    }
    assert!(!ran.out.contains('\u{1b}'), "no colour in a pipe");
    assert_eq!(run(&["--version"]).out, format!("haltgate {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_help_of_a_command_teaches_with_examples() {
    let nested: [&[&str]; 11] = [
        &["grants", "list"],
        &["grants", "grant"],
        &["grants", "trust", "believe"],
        &["grants", "import"],
        &["sessions", "open"],
        &["sessions", "update"],
        &["decisions", "list"],
        &["decisions", "show"],
        &["audit", "verify"],
        &["audit", "export"],
        &["answer"],
    ];
    let plain = ["demo", "serve", "decide", "explain", "check", "test"].map(|name| vec![name]);
    for path in nested.iter().map(|path| path.to_vec()).chain(plain) {
        let mut arguments = path.clone();
        arguments.push("--help");
        let ran = run(&arguments);
        assert_eq!(ran.code, 0, "{ran:?}");
        let example = format!("  haltgate {}", path.join(" "));
        assert!(ran.out.contains("Examples:") && ran.out.contains(&example), "{path:?}: {}", ran.out);
    }
}

#[test]
fn wrong_usage_ends_with_2_and_says_what_is_wrong() {
    let cases: [(&[&str], &str); 8] = [
        (&["unknown"], "unrecognized subcommand"),
        (&["decide"], "required"),
        (&["decide", "--tool", "x", "--", "ls"], "cannot be used with"),
        (&["decide", "--rung", "auto", "--", "ls"], "--local"),
        (&["answer", "id", "maybe"], "possible values"),
        (&["decide", "--server", "nowhere", "--", "ls"], "HOST:PORT"),
        (&["decisions", "list", "--since", "yesterday"], "how long ago"),
        (&["serve", "--listen", "0.0.0.0:7557"], "loopback"),
    ];
    for (arguments, expected) in cases {
        let ran = run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {ran:?}");
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{arguments:?}");
    }
}

#[test]
fn without_a_server_the_error_says_how_to_do_without_one() {
    // The discard port: nobody listens there.
    let ran = run(&["explain", "--server", "127.0.0.1:9", "--", "ls"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("no gate answers at 127.0.0.1:9"), "{}", ran.err);
    assert!(ran.err.contains("--local"), "{}", ran.err);
}

#[test]
fn check_names_the_line_of_every_error() {
    let folder = tempfile::tempdir().unwrap();
    let text = "{\n  \"approvals\": {\n    \"mode\": \"wild\",\n    \"deny\": [\n      { \"type\": \"shell\", \"matcher\": \"exact\" }\n    ]\n  }\n}\n";
    std::fs::write(folder.path().join("haltgate.jsonc"), text).unwrap();
    let ran = run_in(folder.path(), &["check"]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.out.contains("error haltgate.jsonc:3:5: approvals.mode: "), "{}", ran.out);
    assert!(ran.out.contains("error haltgate.jsonc:5:7: approvals.deny[0]"), "{}", ran.out);
    assert!(ran.out.ends_with("2 errors\n"), "{}", ran.out);

    let ran = run_in(folder.path(), &["check", "--json"]);
    assert_eq!(ran.code, 1);
    assert_eq!(ran.json()["problems"][0]["line"], 3);

    // Nothing starts on such a file, and nothing is decided by it.
    for arguments in [&["serve", "--ephemeral"][..], &["decide", "--local", "--", "ls"]] {
        let ran = run_in(folder.path(), arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.err.contains("haltgate.jsonc:3:5: approvals.mode: "), "{}", ran.err);
    }
}

#[test]
fn check_warns_of_what_can_hardly_be_meant_and_passes() {
    let folder = tempfile::tempdir().unwrap();
    let entry = r#"{ "type": "shell", "matcher": "exact", "pattern": "ls" }"#;
    let text = format!("{{ \"approvals\": {{ \"deny\": [{entry}], \"allow\": [{entry}] }} }}");
    std::fs::write(folder.path().join("policy.jsonc"), text).unwrap();
    let ran = run_in(folder.path(), &["check", "policy.jsonc"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.contains("warning policy.jsonc:1:"), "{}", ran.out);
    assert!(ran.out.contains("ok policy.jsonc: rung assisted, 1 deny, 0 escalate, 1 allow"), "{}", ran.out);
    let json = run_in(folder.path(), &["check", "policy.jsonc", "--json"]).json();
    assert_eq!(json["errors"], 0);
    assert_eq!(json["configuration"]["approvals"]["deny"][0]["pattern"], "ls");
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["check", "--effective"][..], &["demo", "--policy"], &["demo", "--once"], &[]] {
        let mut child = command(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let status = child.wait().unwrap();
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((status.code(), err.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn policy_cases_pass_fail_or_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let case = |action: &str| {
        format!(
            "{{ \"cases\": [ {{ \"name\": \"denied at bypass\",\n\
             \"approvals\": {{ \"mode\": \"bypass\", \"deny\": [ {{ \"type\": \"shell\", \"matcher\": \"exact\", \"pattern\": \"ls\" }} ] }},\n\
             \"call\": {{ \"shell\": {{ \"command\": \"ls\" }} }}, \"expect\": {{ \"action\": \"{action}\" }} }} ] }}"
        )
    };
    for (action, code) in [("REJECT", 0), ("APPROVE", 1), ("MAYBE", 2)] {
        std::fs::write(folder.path().join("cases.jsonc"), case(action)).unwrap();
        let ran = run_in(folder.path(), &["test", "cases.jsonc"]);
        assert_eq!(ran.code, code, "{action}: {ran:?}");
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains(if code == 2 { "cases.jsonc:3:" } else { "1 " }), "{said}");
    }
    std::fs::write(folder.path().join("cases.jsonc"), case("REJECT")).unwrap();
    let json = run_in(folder.path(), &["test", "cases.jsonc", "--json"]).json();
    assert_eq!((&json["passed"], &json["failed"]), (&1.into(), &0.into()));
    assert_eq!(run_in(folder.path(), &["test", "absent.jsonc"]).code, 2);
}
