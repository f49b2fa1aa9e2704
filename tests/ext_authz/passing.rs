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
        format!("[{},{{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"TOOLS/CALL\"}}]", call(1, "read_file")),
        format!("{}\r\n", call(1, "read_file").replacen("\"id\"", "\r\"id\"", 1)),
        call(1, "delete_all").replace("tools/call", "tools/call\\u0000"),
        call(1, "delete_all").replace("\"params\":{", "\"result\":{},\"params\":{"),
        call(1, "read_file").replace("\"arguments\"", "\"args\":{},\"arguments\""),
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
    let bytes = |raw_body: Vec<u8>| {
        let mut http = post("");
        http.headers.insert("content-length".to_owned(), raw_body.len().to_string());
        HttpRequest { raw_body, ..http }
    };
    let utf16 = call(1, "delete_all").encode_utf16().flat_map(u16::to_le_bytes).collect();
    for body in [utf16, vec![0x1f, 0x8b, 8, 0], b"\xff\xfe{}".to_vec()] {
        assert_eq!(check(&gate, bytes(body)).await.turned_away().0, 400);
    }
    let carried = [
        (with("mcp_name", "read_file"), 400),
        (with("transfer-encoding", "gzip"), 400),
        (with("content_encoding", "gzip"), 415),
        (with("mcp-session-id", "m-1,m-2"), 400),
        (with("mcp_session_id", "m-2"), 400),
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
