//! What is no call passes, and what could be one does not.

use crate::proxy::{call, check, gate, post};
use envoy::attribute_context::HttpRequest;
use haltgate::proto::ext_authz as envoy;
use haltgate::proto::v1 as pb;

#[tokio::test]
async fn what_is_no_call_passes_and_leaves_no_record() {
    let gate = gate("0s").await;
    let messages = [
        r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":3,"method":"resources/read","params":{"uri":"a"}}"#,
        r#"{"jsonrpc":"2.0","id":4,"method":"something/new"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}"#,
    ];
    for message in messages {
        check(&gate, post(message)).await.passes();
    }
    for method in ["GET", "DELETE"] {
        let headers = [("mcp-session-id".to_owned(), "m-1".to_owned())].into();
        let http = HttpRequest { method: method.to_owned(), headers, raw_body: Vec::new(), ..post("") };
        check(&gate, http).await.passes();
    }
    assert!(gate.records(pb::ListDecisionsRequest::default()).await.is_empty());
}

#[tokio::test]
async fn nothing_that_a_server_could_read_as_a_call_slips_through() {
    let gate = gate("0s").await;
    let sneaky = [
        call(1, "delete_all").replace("tools/call", "Tools/Call"),
        call(1, "delete_all").replace("\"method\"", "\"Method\""),
        call(1, "delete_all").replace("\"id\":1,", ""),
        call(1, "delete_all").replace("{\"jsonrpc\"", "{\"method\":\"ping\",\"jsonrpc\""),
        call(1, "delete_all").replace("{\"path\":\"a\"}", "{\"path\":\"a\",\"path\":\"b\"}"),
        format!("{}{}", call(1, "read_file"), call(2, "delete_all")),
        format!("{}\n{}", call(1, "read_file"), call(2, "delete_all")),
        format!("\u{feff}{}", call(1, "delete_all")),
        format!("[[{}]]", call(1, "delete_all")),
        String::from("[]"),
    ];
    for body in sneaky {
        let (status, _code) = check(&gate, post(&body)).await.turned_away();
        assert!(status == 200 || status == 400, "{status}: {body}");
    }
    let with = |name: &str, value: &str| {
        let mut http = post(&call(1, "delete_all"));
        http.headers.insert(name.to_owned(), value.to_owned());
        http
    };
    let carried = [
        (with("content-length", "9"), 413),
        (with("x-envoy-auth-partial-body", "true"), 413),
        (with("content-encoding", "gzip"), 415),
        (with("content-type", "text/plain"), 415),
        (with("mcp-name", "read_file"), 400),
        (HttpRequest { method: "PUT".to_owned(), ..post(&call(1, "delete_all")) }, 405),
        (HttpRequest { method: "GET".to_owned(), ..post(&call(1, "delete_all")) }, 400),
        (HttpRequest { path: "/other".to_owned(), ..post(&call(1, "delete_all")) }, 403),
    ];
    for (http, expected) in carried {
        let told = check(&gate, http.clone()).await.turned_away();
        assert_eq!(told, (expected, -32_600), "{http:?}");
    }
    assert!(gate.records(pb::ListDecisionsRequest::default()).await.is_empty());
}
