//! The gate is one gate, whichever way it is asked.

use crate::support::*;
use haltgate::cases::{CaseFile, Options, Workings, run_read};
use serde_json::{Value, json};

const APPROVALS: &str = r#"{
    "mode": "manual",
    "deny": [ { "type": "shell", "matcher": "glob", "pattern": "npm publish*" } ],
    "escalate": [ { "type": "shell", "matcher": "glob", "pattern": "git push*" } ],
    "allow": [ { "type": "shell", "matcher": "glob", "pattern": "git *" },
               { "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "search" } ]
}"#;

#[tokio::test]
async fn one_scenario_is_decided_alike_over_grpc_and_in_process_invariant_98() {
    let gate = Gate::with(APPROVALS).await;
    let asked: [(haltgate::proto::v1::Call, Value); 7] = [
        (shell_call("git status"), json!({ "shell": { "command": "git status" } })),
        (shell_call("git push"), json!({ "shell": { "command": "git push" } })),
        (shell_call("echo $(npm publish)"), json!({ "shell": { "command": "echo $(npm publish)" } })),
        (shell_call("make"), json!({ "shell": { "command": "make" } })),
        (tool_call("read_file", "{}"), json!({ "tool": { "name": "read_file", "arguments": {} } })),
        (
            mcp_call("jira", "search", "{}"),
            json!({ "mcp_tool": { "server": "jira", "name": "search", "arguments": {} } }),
        ),
        (
            registered_call("mcp__jira__search", "{}"),
            json!({ "registered": { "name": "mcp__jira__search", "arguments": {} } }),
        ),
    ];
    let mut expects = Vec::new();
    for (call, _) in &asked {
        let decided = gate.decide(ask("s", call.clone())).await;
        let word = |name: &str, prefix: &str| name.strip_prefix(prefix).unwrap().to_owned();
        expects.push(json!({
            "action": word(decided.action().as_str_name(), "ACTION_"),
            "stage": word(decided.stage().as_str_name(), "STAGE_"),
        }));
    }
    let distinct: std::collections::BTreeSet<String> = expects.iter().map(Value::to_string).collect();
    assert!(distinct.len() >= 4, "the scenario tells the steps apart: {distinct:?}");
    let case = json!({ "cases": [ {
        "name": "as over gRPC",
        "approvals": serde_json::from_str::<Value>(APPROVALS).unwrap(),
        "calls": asked.iter().map(|(_, call)| call.clone()).collect::<Vec<_>>(),
        "expects": expects,
    } ] });
    let file = CaseFile::parse("scenario.json", &case.to_string()).unwrap_or_else(|problems| {
        panic!("{}", problems.iter().map(|problem| format!("{problem}\n")).collect::<String>())
    });
    let mut report = Vec::new();
    let summary = run_read(&[file], &Options::default(), &Workings::default(), &mut report).unwrap();
    assert!(summary.all_passed(), "{}", String::from_utf8_lossy(&report));
}
