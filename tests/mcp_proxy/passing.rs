//! What passes without anybody's leave.

use super::gate::Served;
use super::harness::{Proxy, call, default_tools, gate};
use serde_json::json;

#[test]
fn requests_notifications_and_responses_pass_in_both_directions_as_they_were_written() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let odd = r#" {"id" : 3 ,"jsonrpc":"2.0", "params":{"uri":"file:\/\/\/a", "n":1e30 }, "method":"resources/read"}  "#;
    proxy.send(odd);
    assert_eq!(proxy.next()["result"]["method"], "resources/read");
    let notification = r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#;
    proxy.send(notification);

    // The server asks while it is called, and is answered.
    proxy.send(&call(4, "echo.ask", json!({})).to_string());
    proxy.answer(&json!(4));
    proxy.send(&call(5, "ask", json!({})).to_string());
    drop(gate);
    let response = r#"{"jsonrpc":"2.0","id":"s-1","result":{"text":"\ud83d","n":12345678901234567890}}"#;
    proxy.send(response);
    proxy.send("");
    proxy.send("   \r");
    proxy.send(r#"{"jsonrpc":"2.0","id":"last","method":"ping"}"#);
    proxy.answer(&json!("last"));
    let received = proxy.received();
    for line in [odd, notification, response] {
        assert!(received.iter().any(|received| received == line), "{line}: {received:#?}");
    }
    assert!(!received.iter().any(|line| line.trim().is_empty()), "{received:#?}");
}

#[test]
fn the_server_asks_the_client_and_reports_progress() {
    let gate = gate();
    let mut proxy = Proxy::start_with(
        &gate.address,
        &["--session", "s"],
        &json!([super::harness::tool("ask", super::harness::mild())]),
    );
    proxy.send(&call(1, "ask", json!({})).to_string());
    let asked = proxy.next();
    assert_eq!(
        (asked["method"].as_str(), asked["id"].as_str()),
        (Some("sampling/createMessage"), Some("s-1"))
    );
    assert_eq!(proxy.next()["method"], "notifications/progress");
    assert_eq!(proxy.next()["id"], 1);
}

#[test]
fn what_the_server_writes_beside_messages_does_not_reach_the_client_and_its_standard_error_does() {
    let gate = gate();
    let mut proxy = Proxy::start_with(
        &gate.address,
        &["--session", "s"],
        &json!([super::harness::tool("junk", super::harness::mild())]),
    );
    proxy.send(&call(1, "junk", json!({})).to_string());
    let first = proxy.next();
    assert_eq!(first["result"]["content"][0]["text"], "called junk");
    let log = proxy.log();
    assert!(log.contains("a word on standard error\n") && !log.contains("3000"), "{log}");
    assert!(log.contains("not UTF-8") && log.contains("twice"), "{log}");
}

#[test]
fn nothing_waits_for_a_gate_that_does_not_answer() {
    // Connections are taken, and nothing is ever said.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = silent.local_addr().unwrap().to_string();
    let mut proxy = Proxy::start_with(&address, &["--timeout", "7d"], &default_tools());
    proxy.send(&call("waiting", "echo", json!({})).to_string());
    for id in 0..20 {
        let answer = proxy.request(&json!({ "jsonrpc": "2.0", "id": id, "method": "prompts/list" }));
        assert_eq!(answer["result"]["method"], "prompts/list");
    }
    assert!(proxy.called().is_empty());
}

#[test]
fn a_batch_is_taken_apart_in_the_one_revision_that_has_them() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let batch = json!([
        call(1, "echo", json!({})),
        call(2, "wipe", json!({})),
        { "jsonrpc": "2.0", "id": 3, "method": "ping" },
    ]);
    proxy.send(&batch.to_string());
    let refused = proxy.next();
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(null), &json!(-32_600)));
    proxy.settle();

    proxy.initialize("2025-03-26");
    proxy.send(&batch.to_string());
    let mut answers = [proxy.next(), proxy.next(), proxy.next()];
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert_eq!(answers[0]["result"]["content"][0]["text"], "called echo");
    assert_eq!(answers[1]["result"]["isError"], true);
    assert_eq!(answers[2]["result"]["method"], "ping");
    assert_eq!(proxy.called(), ["echo"]);
}

#[test]
fn the_server_does_not_learn_how_to_reach_the_gate() {
    let gate: Served = gate();
    let mut proxy = Proxy::start_with(
        &gate.address,
        &["--session", "s"],
        &json!([super::harness::tool("environment", super::harness::mild())]),
    );
    let answer = proxy.request(&call(1, "environment", json!({})));
    assert_eq!(answer["result"]["content"][0]["text"], "", "{answer}");
}
