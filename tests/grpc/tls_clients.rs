//! Clients with certificates: who must have one, and which hold up.

use crate::support::*;
use haltgate::config::ClientAuth;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;

#[tokio::test]
async fn a_client_shows_a_certificate_of_the_right_authority_where_it_must_and_a_bad_one_never_passes() {
    let authority = Authority::new("ours");
    let clients = Authority::new("of clients");
    let files = Files::of(&authority.certify(&["gate.test"]));
    files.write("ca.crt", &clients.pem);
    let good = clients.certify(&["agent.test"]);
    let expired = clients.certify_during(&["agent.test"], (2001, 2002));
    let early = clients.certify_during(&["agent.test"], (2090, 2099));
    let foreign = Authority::new("of others").certify(&["agent.test"]);
    // Of the same name, and with another key.
    let forged = Authority::new("of clients").certify(&["agent.test"]);
    let cases = [
        ("none", None, false, true),
        ("good", Some(&good), true, true),
        ("expired", Some(&expired), false, false),
        ("early", Some(&early), false, false),
        ("foreign", Some(&foreign), false, false),
        ("forged", Some(&forged), false, false),
    ];
    for auth in [ClientAuth::Required, ClientAuth::Optional, ClientAuth::None] {
        let gate = Serving::with(files.settings(auth)).await;
        for (name, own, required, optional) in &cases {
            let passes = match auth {
                ClientAuth::Required => *required,
                ClientAuth::Optional => *optional,
                ClientAuth::None => true,
            };
            // With TLS 1.3 a client learns only afterwards that its certificate was refused.
            let decided = match connect(gate.address, authority.client("gate.test", *own)).await {
                Ok(channel) => ApprovalGateClient::new(channel).decide(shell("s", "ls")).await.is_ok(),
                Err(_) => false,
            };
            assert_eq!(decided, passes, "{name} where {auth:?}");
        }
        gate.leave().await;
    }
}
