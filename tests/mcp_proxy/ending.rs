//! Beginning and ending.

use super::gate::command;
use super::harness::{Proxy, call, default_tools, escalation, gate, mild, tool};
use serde_json::{Value, json};
use std::process::Command;

#[test]
fn the_servers_exit_code_is_passed_on() {
    let gate = gate();
    let tools = json!([tool("exit", mild()), tool("die", mild())]);
    for (name, arguments, code) in
        [("exit", json!({ "code": 7 }), 7), ("exit", json!({ "code": 0 }), 0), ("die", json!({}), 137)]
    {
        let mut proxy = Proxy::start_with(&gate.address, &["--session", "s"], &tools);
        proxy.send(&call(1, name, arguments).to_string());
        let (_last, status) = proxy.ended();
        assert_eq!(status.code(), Some(code), "{name}: {}", proxy.log());
    }
}

#[test]
fn when_the_client_hangs_up_the_server_ends_and_nothing_more_is_called() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    proxy.send(&call(1, "write", json!({})).to_string());
    escalation(&gate, &[]);
    proxy.send(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    proxy.hang_up();
    let (last, status) = proxy.ended();
    assert!(matches!(status.code(), Some(0 | 143)), "{status}: {}", proxy.log());
    assert!(
        last.iter().any(|line| line.contains("\"last\"")),
        "what was sent before reached the server: {last:?}"
    );
    assert!(proxy.called().is_empty());
}

#[test]
fn a_session_of_its_own_is_closed_and_what_waits_in_it_withdrawn() {
    let gate = gate();
    let mut proxy = Proxy::start_with(&gate.address, &[], &default_tools());
    assert!(proxy.request(&call(1, "echo", json!({}))).get("result").is_some());
    proxy.hang_up();
    proxy.ended();
    let listed = gate.run(&["sessions", "list", "--closed", "--label", "mcp_server=k", "--json"]).json();
    assert_eq!(listed["sessions"][0]["state"], "SESSION_STATE_CLOSED", "{listed}");
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_server_that_does_not_end_is_ended() {
    let gate = gate();
    for by_signal in [false, true] {
        let mut proxy = Proxy::start_with(&gate.address, &["--session", "s"], &json!([tool("stay", mild())]));
        assert!(proxy.request(&call(1, "stay", json!({}))).get("result").is_some());
        let id = std::fs::read_to_string(proxy.folder.path().join("pid")).unwrap();
        if by_signal {
            proxy.signal("TERM");
        } else {
            proxy.hang_up();
        }
        let (_last, status) = proxy.ended();
        assert_eq!(status.code(), Some(137), "{}", proxy.log());
        assert!(!Command::new("kill").args(["-0", &id]).status().unwrap().success(), "it is gone");
    }
}

#[test]
fn a_signal_ends_both() {
    let gate = gate();
    for signal in ["TERM", "INT"] {
        let proxy = Proxy::start(&gate);
        proxy.signal(signal);
        let mut proxy = proxy;
        let (_last, status) = proxy.ended();
        // Where the machine is slow, it was told to end before it saw the end of its input.
        assert!(matches!(status.code(), Some(0 | 143)), "{signal}: {status}: {}", proxy.log());
    }
}

#[test]
fn a_server_that_cannot_be_started_is_a_fault_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let ran =
        command(folder.path()).args(["mcp", "--server-key", "k", "--", "no-such-server"]).output().unwrap();
    assert_eq!(ran.status.code(), Some(2));
    assert!(ran.stdout.is_empty());
    let text = String::from_utf8(ran.stderr).unwrap();
    assert!(text.contains("no-such-server") && text.contains("what to do:"), "{text}");
    for options in [
        &["mcp", "--", "server"][..],
        &["mcp", "--server-key", "*", "--", "server"],
        &["mcp", "--server-key", "", "--", "server"],
        &["mcp", "--server-key", "k"],
        &["mcp", "--server-key", "k", "--on-unavailable", "allow", "--", "server"],
        &["mcp", "--server-key", "k", "--max-message", "0", "--", "server"],
    ] {
        let ran = command(folder.path()).args(options).output().unwrap();
        assert_eq!(ran.status.code(), Some(2), "{options:?}");
    }
}

#[test]
fn the_configuration_of_a_client_is_printed_for_what_was_typed() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "mcp",
        "--server-key",
        "files",
        "--print-config",
        "claude-desktop",
        "--session",
        "s",
        "--",
        "npx",
        "-y",
        "server",
        "a b",
    ];
    let ran = command(folder.path()).args(arguments).output().unwrap();
    assert!(ran.status.success());
    let printed: Value = serde_json::from_slice(&ran.stdout).unwrap();
    let server = &printed["mcpServers"]["files"];
    assert!(server["command"].as_str().unwrap().ends_with("haltgate"), "{printed}");
    assert_eq!(
        server["args"],
        json!(["mcp", "--server-key", "files", "--session", "s", "--", "npx", "-y", "server", "a b"])
    );
}

#[test]
fn a_policy_that_looks_at_no_tool_is_told_of() {
    let gate = super::gate::Served::start("{}", &["--ephemeral"]);
    let mut proxy = Proxy::start_with(&gate.address, &["--session", "s"], &default_tools());
    assert!(proxy.request(&call(1, "wipe", json!({}))).get("result").is_some());
    assert!(proxy.log().contains("every_call"), "{}", proxy.log());
}
