//! Identities that a proxy vouches for.

use super::*;
use crate::console::http;

const HEADER: &str = "x-forwarded-client-cert";
const AGENT: &str = "By=spiffe://example.org/ns/gate/sa/gate;Hash=00;Subject=\"CN=agent\";URI=spiffe://example.org/ns/ai/sa/agent";

fn auth(proxies: &str) -> String {
    format!(
        r#"{{"tokens_file": "tokens.json", "trusted_proxies": {proxies}, "spiffe": [
            {{"id": "spiffe://example.org/ns/ai/*", "role": "agent", "projects": "*"}}]}}"#
    )
}

#[tokio::test]
async fn a_trusted_proxy_is_believed_about_its_caller() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, &auth(r#"["loopback"]"#)).await;
    ask_with(&gate, &[(HEADER, AGENT)]).await.unwrap();
    let before = "Hash=11;URI=spiffe://example.org/ns/other/sa/x";
    ask_with(&gate, &[(HEADER, before), (HEADER, AGENT)]).await.unwrap();
    // What the proxy added counts, and not what its caller brought.
    refused(ask_with(&gate, &[(HEADER, AGENT), (HEADER, before)]).await);
    refused(ask_with(&gate, &[(HEADER, &format!("{AGENT},{before}"))]).await);
    refused(ask_with(&gate, &[(HEADER, &format!("{AGENT};X=\",{before}"))]).await);
    refused(ask_with(&gate, &[(HEADER, "Hash=00")]).await);
    // A token outranks it, and must be good.
    ask_with(&gate, &[(HEADER, before), ("authorization", &format!("Bearer {}", token.reveal()))])
        .await
        .unwrap();
    refused(ask_with(&gate, &[(HEADER, AGENT), ("authorization", "Bearer x")]).await);
    let failure = ask_with(&gate, &[]).await.unwrap_err();
    failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    assert_eq!(failure.metadata("accepted"), "bearer,mtls");
}

#[tokio::test]
async fn anybody_else_who_sends_its_header_is_not() {
    for proxies in ["[]", r#"["10.0.0.0/8"]"#, r#"["unix"]"#] {
        let folder = folder();
        add_token(&folder.path().join("tokens.json"), Role::Admin, None);
        // Without a proxy to trust, `spiffe` is for certificates that are shown here.
        let gate = gate(&folder, &auth(proxies)).await;
        let failure = ask_with(&gate, &[(HEADER, AGENT)]).await.unwrap_err();
        failure.expect(Code::Unauthenticated, "CREDENTIALS_MISSING");
    }
}

#[tokio::test]
async fn a_browser_that_a_proxy_vouches_for_acts_for_this_gates_page_alone() {
    let folder = folder();
    let token = add_token(&folder.path().join("tokens.json"), Role::Admin, None);
    let gate = gate(&folder, &auth(r#"["loopback"]"#)).await;
    let port = gate.address.port();
    let (rebound, own) = (format!("evil.example:{port}"), format!("localhost:{port}"));
    let vouched = format!("{HEADER}: {AGENT}");
    let token = format!("authorization: Bearer {}", token.reveal());
    for (host, shown, status) in [
        (&own, &vouched, "200"),
        // The proxy vouches for the machine, whichever page its browser shows.
        (&rebound, &vouched, "403"),
        // No other page has the token.
        (&rebound, &token, "200"),
    ] {
        let request = format!(
            "POST /haltgate.v1.ApprovalGate/GetServerInfo HTTP/1.1\r\nhost: {host}\r\norigin: http://{host}\r\n\
             content-type: application/grpc-web+proto\r\n{shown}"
        );
        let (head, _) = http(gate.address, &request, &[0; 5]).await;
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{host} {shown}: {head}");
    }
}
