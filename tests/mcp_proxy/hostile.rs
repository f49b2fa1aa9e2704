//! Lines that would show the gate one call and the server another.

use super::harness::{Proxy, call, gate};
use serde_json::{Value, json};

/// Sends a line, and expects an error and that nothing of the line reached the server.
fn refused(proxy: &mut Proxy, line: &[u8]) -> Value {
    let before = proxy.received().len();
    proxy.send_bytes(line);
    let shown = String::from_utf8_lossy(line.get(..300).unwrap_or(line)).into_owned();
    let reply = proxy.next();
    assert!(reply.get("error").is_some(), "{shown}: {reply}");
    proxy.settle();
    let received = proxy.received();
    // The ping alone.
    assert_eq!(received.len(), before + 1, "{shown}: {received:#?}");
    reply
}

#[test]
fn ambiguous_messages_are_refused_and_never_reach_the_server() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(100), "]".repeat(100));
    let arguments = [
        r#"{"path":"a","path":"/etc/passwd"}"#,
        r#"{"path":"a","p\u0061th":"/etc/passwd"}"#,
        r#"{"x":[{"deep":{"path":"a","path":"b"}}]}"#,
        r#"{"n":9007199254740993}"#,
        r#"{"n":-123456789012345678901234567890}"#,
        r#"{"n":1e309}"#,
        r#"{"s":"\ud800"}"#,
        r#"{"s":"\udc00\ud800"}"#,
        r#"{"\ud800":1}"#,
        "[]",
        r#""{}""#,
        "7",
        &deep,
    ];
    for arguments in arguments {
        let line = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"echo","arguments":{arguments}}}}}"#
        );
        assert_eq!(refused(&mut proxy, line.as_bytes())["error"]["code"], -32_602, "{arguments}");
    }
    let lines: [&[u8]; 16] = [
        br#"{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"ping","Method":"tools/call","params":{"name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"},"Params":{"name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","Name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","args":{"x":1}}}"#,
        br#"{"jsonrpc":"2.0","id":1,"method":"Tools/Call","params":{"name":"wipe"}}"#,
        br#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"echo"}}"#,
        br#"{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"echo"}}"#,
        br#"{"id":1,"method":"tools/call","params":{"name":"echo"}}"#,
        // A reader that ends lines at a carriage return finds a call in the middle.
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":\r{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\"}}\r}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\xff\"}}",
        b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"\xed\xa0\x80\"}}",
        b"Content-Length: 99",
        b"\xef\xbb\xbf{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
        br#"{"jsonrpc":"2.0","id":1,"method":"ping"} {"jsonrpc":"2.0","id":2,"method":"tools/call"}"#,
    ];
    for line in lines {
        refused(&mut proxy, line);
    }
    assert!(proxy.called().is_empty());
}

#[test]
fn a_call_without_an_id_goes_nowhere() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    proxy.send(r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}"#);
    proxy.settle();
    assert!(proxy.called().is_empty());
}

#[test]
fn a_message_that_is_too_long_is_refused_and_the_next_one_passes() {
    let gate = gate();
    let mut proxy = Proxy::start_with(
        &gate.address,
        &["--session", "s", "--max-message", "1"],
        &super::harness::default_tools(),
    );
    let long = call(1, "echo", json!({ "a": "x".repeat(2 << 20) })).to_string();
    let reply = refused(&mut proxy, long.as_bytes());
    assert_eq!((&reply["id"], &reply["error"]["code"]), (&json!(null), &json!(-32_600)));
    let endless = [b'['; 1 << 19].repeat(5);
    refused(&mut proxy, &endless);
    assert!(proxy.request(&call(2, "echo", json!({}))).get("result").is_some());
}

#[test]
fn an_id_in_use_is_refused_and_the_first_call_goes_on() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    proxy.send(&call(1, "write", json!({ "path": "a" })).to_string());
    let waiting = super::harness::escalation(&gate, &[]);
    let refused = proxy.request(&call(1, "write", json!({ "path": "b" })));
    assert_eq!(refused["error"]["code"], -32_600, "{refused}");
    super::harness::answer(&gate, &waiting, &["approve"]);
    assert_eq!(proxy.answer(&json!(1))["result"]["content"][0]["text"], "called write");
    let received = proxy.received();
    assert!(!received.iter().any(|line| line.contains("\"b\"")), "{received:#?}");
}
