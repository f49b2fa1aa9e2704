//! What becomes of a call.

use super::harness::{Proxy, RUN, SESSION, answer, call, default_tools, escalation, gate, mild, tool};
use serde_json::{Value, json};

#[test]
fn an_approved_call_reaches_the_server_once_byte_for_byte() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let line = r#" {"params" : {"arguments":{ "n" : 1.50, "s":"\u00e9é\/" },"name":"echo"} , "method":"tools\/call","id":"x","jsonrpc":"2.0"} "#;
    proxy.send(line);
    let answer = proxy.next();
    assert_eq!(
        (&answer["id"], &answer["result"]["content"][0]["text"]),
        (&json!("x"), &json!("called echo"))
    );
    proxy.settle();
    assert_eq!(proxy.received().iter().filter(|received| *received == line).count(), 1);
    let shown = gate.run(&["decisions", "list", "--session", SESSION, "--json"]).json();
    let call = &shown["decisions"][0]["call"]["mcpTool"];
    assert_eq!((&call["server"], &call["name"]), (&json!("k"), &json!("echo")), "{shown}");
    assert!(call["cwd"].as_str().is_some_and(|cwd| cwd.starts_with('/')), "{shown}");
}

#[test]
fn the_model_reads_why_a_call_was_rejected_and_the_server_never_hears_of_it() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let rejected = proxy.request(&call(1, "wipe", json!({ "all": true })));
    assert_eq!(rejected["result"]["isError"], true, "{rejected}");
    let text = rejected["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("wipe"), "{text}");
    assert!(rejected["result"].get("resultType").is_none(), "{rejected}");

    // In the stateless revision, and as a task.
    let mut request = call(2, "wipe", json!({}));
    request["params"]["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
    assert_eq!(proxy.request(&request)["result"]["resultType"], "complete");
    let mut request = call(3, "wipe", json!({}));
    request["params"]["task"] = json!({ "ttl": 1_000 });
    assert_eq!(proxy.request(&request)["error"]["code"], -31_005);
    assert!(proxy.called().is_empty());
}

#[test]
fn a_human_is_waited_for_while_everything_else_goes_on() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let mut request = call(1, "write", json!({ "path": "notes.txt" }));
    request["params"]["_meta"] = json!({ "progressToken": "p" });
    proxy.send(&request.to_string());
    let progress = proxy.next();
    assert_eq!(progress["method"], "notifications/progress", "{progress}");
    assert_eq!(progress["params"]["progressToken"], "p");
    assert!(progress["params"]["progress"].as_f64().unwrap() < 0.0);
    assert_eq!(proxy.request(&call(2, "echo", json!({})))["result"]["content"][0]["text"], "called echo");
    assert_eq!(proxy.called(), ["echo"]);

    let first = escalation(&gate, &[]);
    answer(&gate, &first, &["approve"]);
    assert_eq!(proxy.answer(&json!(1))["result"]["content"][0]["text"], "called write");
    assert_eq!(proxy.called(), ["echo", "write"]);

    proxy.send(&call(3, "write", json!({ "path": "notes.txt" })).to_string());
    let second = escalation(&gate, &[first]);
    answer(&gate, &second, &["reject", "--comment", "use the other file"]);
    let rejected = proxy.answer(&json!(3));
    let text = rejected["result"]["content"][0]["text"].as_str().unwrap();
    assert!(rejected["result"]["isError"] == true && text.contains("use the other file"), "{rejected}");
    assert_eq!(proxy.called().len(), 2);
}

#[test]
fn a_call_that_the_client_gave_up_never_runs_though_a_human_approves_it() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    proxy.send(&call(1, "write", json!({})).to_string());
    let waiting = escalation(&gate, &[]);
    let cancel = r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#;
    proxy.send(cancel);
    proxy.settle();
    answer(&gate, &waiting, &["approve"]);
    // The same id again is another call.
    assert_eq!(proxy.request(&call(1, "echo", json!({})))["result"]["content"][0]["text"], "called echo");
    proxy.settle();
    assert_eq!(proxy.called(), ["echo"]);
    assert!(!proxy.received().iter().any(|line| line == cancel), "the server was never asked");
    // Once the server has the call, it hears that it is given up.
    proxy.send(cancel);
    proxy.settle();
    assert!(proxy.received().iter().any(|line| line == cancel));
}

#[test]
fn nothing_is_called_in_a_halted_run() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    assert!(proxy.request(&call(1, "echo", json!({}))).get("result").is_some());
    assert_eq!(gate.run(&["sessions", "update", SESSION, "--rung", "assisted"]).code, 0);
    let attack = "crontab evil.txt";
    let halted = gate.run(&["decide", "--session", SESSION, "--run-id", RUN, "--command", attack]);
    assert_eq!(halted.code, 4, "{halted:?}");
    for (id, name) in [(2, "echo"), (3, "read"), (4, "wipe")] {
        let refused = proxy.request(&call(id, name, json!({})));
        assert_eq!(refused["error"]["code"], -31_001, "{refused}");
    }
    assert_eq!(proxy.called(), ["echo"]);
    assert!(proxy.request(&json!({ "jsonrpc": "2.0", "id": 5, "method": "ping" })).get("result").is_some());
}

#[test]
fn where_nobody_can_be_asked_a_call_is_an_error() {
    let gate = gate();
    assert_eq!(gate.run(&["sessions", "open", "--session", SESSION, "--interactive=false"]).code, 0);
    let mut proxy = Proxy::start(&gate);
    let refused = proxy.request(&call(1, "write", json!({})));
    assert_eq!(refused["error"]["code"], -31_002, "{refused}");
    assert!(proxy.request(&call(2, "echo", json!({}))).get("result").is_some());
    assert_eq!(proxy.called(), ["echo"]);
}

#[test]
fn while_the_gate_is_away_calls_are_refused_and_the_rest_passes() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    assert!(proxy.request(&call(1, "echo", json!({}))).get("result").is_some());
    gate.end("KILL");
    let refused = proxy.request(&call(2, "echo", json!({})));
    assert_eq!(refused["error"]["code"], -31_003, "{refused}");
    proxy.settle();
    assert_eq!(proxy.called(), ["echo"]);

    let nowhere = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let mut proxy = Proxy::start_with(&nowhere, &[], &default_tools());
    let refused = proxy.request(&call(1, "echo", json!({})));
    assert_eq!(refused["error"]["code"], -31_003, "{refused}");
    proxy.settle();
    assert!(proxy.called().is_empty());
}

#[test]
fn a_session_that_was_closed_decides_nothing() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    assert!(proxy.request(&call(1, "echo", json!({}))).get("result").is_some());
    assert_eq!(gate.run(&["sessions", "close", SESSION]).code, 0);
    let refused = proxy.request(&call(2, "echo", json!({})));
    assert_eq!(refused["error"]["code"], -31_004, "{refused}");
    assert_eq!(proxy.called(), ["echo"]);
}

#[test]
fn what_a_tool_says_of_itself_is_never_printed_as_it_is() {
    let gate = gate();
    let hostile = "x\u{1b}[2J\nfake";
    let mut proxy =
        Proxy::start_with(&gate.address, &["--session", SESSION], &json!([tool(hostile, mild())]));
    let answer: Value = proxy.request(&call(1, hostile, json!({ "a": 1, "b": 2 })));
    assert!(answer.get("result").is_some(), "{answer}");
    let params = json!({ "name": "t", "a\u{1b}[2J\nfake": 1 });
    let refused =
        proxy.request(&json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params }));
    assert_eq!(refused["error"]["code"], -32_602, "{refused}");
    let log = proxy.log();
    assert!(log.contains("refused a message") && !log.contains('\u{1b}') && !log.contains("\nfake"), "{log}");
}
