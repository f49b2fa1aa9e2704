//! What the gate knows of the server's tools, and what a change of them does.

use super::gate::Served;
use super::harness::{Proxy, SESSION, answer, call, default_tools, escalation, gate, mild, tool, wild};
use serde_json::{Value, json};

/// The registered tools of a session with what they declare.
fn registered(gate: &Served, session: &str) -> Vec<(String, Value)> {
    let shown = gate.run(&["sessions", "show", session, "--json"]).json();
    let tools = shown["tools"]["tools"].as_array().cloned().unwrap_or_default();
    let named =
        |tool: &Value| (tool["registeredName"].as_str().unwrap().to_owned(), tool["annotations"].clone());
    let mut tools: Vec<(String, Value)> = tools.iter().map(named).collect();
    tools.sort_by(|one, other| one.0.cmp(&other.0));
    tools
}

fn names(gate: &Served, session: &str) -> Vec<String> {
    registered(gate, session).into_iter().map(|(name, _)| name).collect()
}

fn change(proxy: &mut Proxy, tools: &Value) {
    proxy.write_tools(tools);
    proxy.request(&json!({ "jsonrpc": "2.0", "id": "change", "method": "test/change" }));
}

#[test]
fn the_tools_of_all_pages_are_registered_with_what_they_declare_before_the_first_call() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    assert!(proxy.request(&call(1, "echo", json!({}))).get("result").is_some());
    let tools = registered(&gate, SESSION);
    let names: Vec<&str> = tools.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["mcp__k__echo", "mcp__k__other", "mcp__k__read", "mcp__k__wipe", "mcp__k__write"]);
    assert_eq!(tools[2].1, mild());
    assert_eq!(tools[4].1, json!({ "readOnlyHint": false, "openWorldHint": false }));
    let shown = gate.run(&["sessions", "show", SESSION, "--json"]).json();
    assert_eq!(shown["session"]["mcpServers"], json!(["k"]), "{shown}");
}

#[test]
fn a_tool_that_the_server_does_not_list_is_judged_as_unknown() {
    let gate = gate();
    assert_eq!(gate.run(&["sessions", "open", "--session", SESSION, "--interactive=false"]).code, 0);
    let mut proxy = Proxy::start(&gate);
    assert!(proxy.request(&call(1, "read", json!({}))).get("result").is_some(), "it says that it only reads");
    let refused = proxy.request(&call(2, "read2", json!({})));
    assert_eq!(refused["error"]["code"], -31_002, "{refused}");
    let tools = json!([tool("read2", mild()), tool("read", wild())]);
    change(&mut proxy, &tools);
    assert!(proxy.request(&call(3, "read2", json!({}))).get("result").is_some());
    assert_eq!(proxy.request(&call(4, "read", json!({})))["error"]["code"], -31_002);
    assert_eq!(proxy.called(), ["read", "read2"]);
}

#[test]
fn a_server_that_does_not_list_its_tools_is_believed_nothing() {
    let gate = gate();
    assert_eq!(gate.run(&["sessions", "open", "--session", SESSION, "--interactive=false"]).code, 0);
    let mut proxy = Proxy::start_with(&gate.address, &["--session", SESSION], &json!("no tools"));
    assert_eq!(proxy.request(&call(1, "read", json!({})))["error"]["code"], -31_002);
    assert!(proxy.request(&call(2, "echo", json!({}))).get("result").is_some());
    proxy.write_tools(&default_tools());
    assert!(proxy.request(&call(3, "read", json!({}))).get("result").is_some(), "it is asked again");
}

#[test]
fn a_grant_is_lost_when_its_tool_comes_to_describe_itself_as_more_dangerous() {
    for silently in [false, true] {
        let gate = gate();
        let mut proxy = Proxy::start(&gate);
        let write = |annotations: Value| json!([tool("write", annotations)]);
        proxy.write_tools(&write(
            json!({ "readOnlyHint": false, "destructiveHint": false, "openWorldHint": false }),
        ));
        proxy.send(&call(1, "write", json!({})).to_string());
        let first = escalation(&gate, &[]);
        answer(&gate, &first, &["approve", "--scope", "session"]);
        assert!(proxy.answer(&json!(1)).get("result").is_some());
        assert!(proxy.request(&call(2, "write", json!({}))).get("result").is_some(), "granted");

        if silently {
            // Without a word: the client's own listing shows it.
            proxy.write_tools(&write(wild()));
            let listed = proxy.request(&json!({ "jsonrpc": "2.0", "id": "l", "method": "tools/list" }));
            assert_eq!(listed["result"]["tools"][0]["annotations"], wild());
        } else {
            change(&mut proxy, &write(wild()));
        }
        proxy.send(&call(3, "write", json!({})).to_string());
        let second = escalation(&gate, &[first]);
        assert!(!gate.run(&["grants", "list", "--session", SESSION]).out.contains("write"));
        answer(&gate, &second, &["reject"]);
        assert_eq!(proxy.answer(&json!(3))["result"]["isError"], true);
        assert_eq!(proxy.called(), ["write", "write"]);
    }
}

#[test]
fn of_very_many_tools_with_long_names_and_descriptions_the_first_are_registered() {
    let gate = gate();
    let long = "\u{754c}".repeat(60);
    let mut tools: Vec<Value> = (0..2_100)
        .map(|number| {
            let mut tool = tool(&format!("{number:04}{long}"), mild());
            tool["description"] = json!("\u{1f600}".repeat(2_000));
            tool
        })
        .collect();
    tools.insert(0, tool("echo", mild()));
    let mut proxy = Proxy::start_with(&gate.address, &["--session", SESSION], &json!(tools));
    for id in 1..3 {
        assert!(proxy.request(&call(id, "echo", json!({}))).get("result").is_some());
    }
    assert_eq!(names(&gate, SESSION).len(), 2_000);
    let log = proxy.log();
    assert_eq!(log.matches("more than 2000 tools").count(), 1, "registered once: {log}");
}

#[test]
fn a_server_whose_tools_never_rest_is_not_called() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let restless = proxy.folder.path().join("restless");
    std::fs::write(&restless, "").unwrap();
    let refused = proxy.request(&call(1, "echo", json!({})));
    assert_eq!(refused["error"]["code"], -31_004, "{refused}");
    std::fs::remove_file(&restless).unwrap();
    assert!(proxy.request(&call(2, "echo", json!({}))).get("result").is_some());
    assert_eq!(proxy.called(), ["echo"]);
}

#[test]
fn an_approval_counts_for_the_tool_as_it_was_when_the_human_was_asked() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    proxy.send(&call(1, "write", json!({})).to_string());
    let first = escalation(&gate, &[]);
    // Another tool changes: nothing new about this one.
    let write = |annotations: Value| tool("write", annotations);
    change(
        &mut proxy,
        &json!([write(json!({ "readOnlyHint": false, "openWorldHint": false })), tool("new", mild())]),
    );
    answer(&gate, &first, &["approve"]);
    assert!(proxy.answer(&json!(1)).get("result").is_some());

    proxy.send(&call(2, "write", json!({})).to_string());
    let second = escalation(&gate, std::slice::from_ref(&first));
    change(&mut proxy, &json!([write(wild())]));
    answer(&gate, &second, &["approve"]);
    let third = escalation(&gate, &[first, second]);
    assert_eq!(proxy.called(), ["write"], "asked anew");
    answer(&gate, &third, &["approve"]);
    assert!(proxy.answer(&json!(2)).get("result").is_some());
    assert_eq!(proxy.called(), ["write", "write"]);
}

#[test]
fn proxies_of_several_servers_share_a_session() {
    let gate = gate();
    let mut one = Proxy::start(&gate);
    assert!(one.request(&call(1, "echo", json!({}))).get("result").is_some());
    let options = ["--session", SESSION, "--run-id", "r"];
    let mut other = Proxy::start_keyed(&gate.address, "k__more", &options, &json!([tool("echo", mild())]));
    other.send(&call(1, "echo", json!({})).to_string());
    let waiting = escalation(&gate, &[]);
    answer(&gate, &waiting, &["approve"]);
    other.answer(&json!(1));
    let both = names(&gate, SESSION);
    assert_eq!(both.len(), 6, "{both:?}");
    assert!(both.contains(&"mcp__k__more__echo".to_owned()) && both.contains(&"mcp__k__echo".to_owned()));

    // What another one took away is registered again before the next call.
    std::fs::write(gate.folder.path().join("none.json"), r#"{ "tools": [] }"#).unwrap();
    assert_eq!(gate.run(&["sessions", "update", SESSION, "--tools", "none.json"]).code, 0);
    assert!(one.request(&call(2, "read", json!({}))).get("result").is_some());
    assert_eq!(names(&gate, SESSION).len(), 5);
}

#[test]
fn a_stateless_server_which_tells_nobody_of_changes_is_asked_before_every_call() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let stateless = |id: u32, name: &str| {
        let mut request = call(id, name, json!({}));
        request["params"]["_meta"] = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
        request
    };
    assert!(proxy.request(&stateless(1, "read")).get("result").is_some());
    proxy.write_tools(&json!([tool("read", wild())]));
    proxy.send(&stateless(2, "read").to_string());
    let first = escalation(&gate, &[]);
    proxy.write_tools(&json!([tool("read", json!({ "readOnlyHint": false }))]));
    answer(&gate, &first, &["approve"]);
    let second = escalation(&gate, std::slice::from_ref(&first));
    assert_eq!(proxy.called(), ["read"], "approved for what it was");
    answer(&gate, &second, &["approve"]);
    assert!(proxy.answer(&json!(2)).get("result").is_some());
    assert_eq!(proxy.called(), ["read", "read"]);
}

#[test]
fn a_stateless_server_is_asked_for_its_tools_with_what_its_requests_must_carry() {
    let gate = gate();
    let mut proxy = Proxy::start(&gate);
    let mut request = call(1, "echo", json!({}));
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": 1 });
    request["params"]["_meta"] = meta;
    proxy.request(&request);
    let listings: Vec<Value> = proxy
        .received()
        .iter()
        .filter_map(|line| serde_json::from_str(line).ok())
        .filter(|message: &Value| message["method"] == "tools/list")
        .collect();
    assert_eq!(listings.len(), 3, "{listings:?}");
    for listing in listings {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28" });
        assert_eq!(listing["params"]["_meta"], meta);
    }
}
