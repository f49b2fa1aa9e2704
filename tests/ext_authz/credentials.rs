//! A proxy is a caller like any other: without the right credentials it gets nothing through.

use crate::cast::{Known, OWN};
use crate::proxy::{Told, ask_as, call, post};
use haltgate::proto::v1 as pb;
use tonic::Code;

const SETTINGS: &str = r#"
    "approvals": {
        "gate_scope": "every_call",
        "allow": [{ "type": "mcpTool", "server": "files", "matcher": "glob", "pattern": "read*" }],
    },
    "ext_authz": { "enabled": true, "wait": "0s", "servers": { "files": { "paths": ["/mcp"], "project": "own" } } }"#;

async fn ask(known: &Known, who: &str, body: &str) -> Result<Told, tonic::Status> {
    let token = (!who.is_empty()).then(|| known.token(who));
    ask_as(token, known.gate.channel.clone(), post(body), None).await
}

#[tokio::test]
async fn only_a_proxy_that_may_decide_in_the_servers_project_gets_anything_through() {
    let known = Known::with(SETTINGS).await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for body in [call(1, "read_file"), ping.to_owned()] {
        let nobody = ask(&known, "", &body).await.unwrap_err();
        assert_eq!(nobody.code(), Code::Unauthenticated, "{nobody:?}");
        // An auditor, an operator, and an agent of another project.
        for who in ["eve", "ops", "mallory"] {
            assert_eq!(ask(&known, who, &body).await.unwrap().turned_away(), (403, -32_600), "{who}: {body}");
        }
        ask(&known, "ann", &body).await.unwrap().passes();
    }
    let decided = known
        .of("adm")
        .list_decisions(pb::ListDecisionsRequest {
            project: OWN.to_owned(),
            ..pb::ListDecisionsRequest::default()
        })
        .await
        .unwrap()
        .into_inner()
        .decisions;
    let callers: Vec<&str> = decided.iter().map(|record| record.caller.as_str()).collect();
    assert_eq!(callers.len(), 1, "{callers:?}");
    assert!(
        callers[0].starts_with(crate::proxy::AGENT) && callers[0].ends_with(" through ann"),
        "{callers:?}"
    );
}

#[tokio::test]
async fn a_forged_or_foreign_token_is_no_token() {
    let known = Known::with(SETTINGS).await;
    let channel = || known.gate.channel.clone();
    let ann = known.token("ann");
    let (kept, last) = ann.split_at(ann.len() - 1);
    let forged = format!("{kept}{}", if last == "a" { "b" } else { "a" });
    for token in [forged.as_str(), "ann", "x", &ann.repeat(2)] {
        let refused = ask_as(Some(token), channel(), post(&call(1, "read_file")), None).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unauthenticated, "{refused:?}");
    }
}

#[tokio::test]
async fn sessions_without_end_are_stopped_at_the_projects_limit() {
    let settings = format!(r#"{SETTINGS}, "limits": {{ "sessions_per_project": 3 }}"#);
    let known = Known::with(&settings).await;
    for number in 0..5 {
        let mut http = post(&call(number, "read_file"));
        http.headers.insert("mcp-session-id".to_owned(), format!("m-{number}"));
        let told = ask_as(Some(known.token("ann")), known.gate.channel.clone(), http, None).await.unwrap();
        if number < 3 {
            told.passes();
        } else {
            assert_eq!(told.refused().0["error"]["code"].as_i64(), Some(-31_004), "{number}");
        }
    }
}
