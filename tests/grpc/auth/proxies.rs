//! Identities that a proxy vouches for.

use super::*;

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
