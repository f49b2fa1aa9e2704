//! Metrics: exactly what happened, and no series that a caller made up.

use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::proto::v1 as pb;
use std::collections::BTreeMap;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Code, Request, Status};

const POLICY: &str = r#"{
  "approvals": {
    "deny": [ { "type": "shell", "matcher": "glob", "pattern": "npm publish*" } ],
    "allow": [ { "type": "shell", "matcher": "exact", "pattern": "deploy", "rate": false } ]
  }
}"#;

fn expected<const N: usize>(changes: [(&str, f64); N]) -> BTreeMap<String, f64> {
    changes.into_iter().map(|(name, change)| (name.to_owned(), change)).collect()
}

#[tokio::test]
async fn a_scrape_shows_exactly_what_happened_since_the_one_before() {
    let (served, admin) = serve(POLICY);
    let mut client = client(&served).await;
    let before = scrape(&admin);
    for _ in 0..3 {
        client.decide(shell("s", "npm publish")).await.unwrap();
    }
    for _ in 0..2 {
        client.decide(shell("s", "deploy")).await.unwrap();
    }
    client.decide(shell("s", "git status")).await.unwrap();
    let asked = pb::DecideRequest { request_id: "r".to_owned(), ..shell("s", "mend") };
    let escalation = client.decide(asked.clone()).await.unwrap().into_inner().escalation_id;
    client.decide(asked).await.unwrap();
    assert_eq!(client.decide(shell("", "deploy")).await.unwrap_err().code(), Code::InvalidArgument);
    let amid = scrape(&admin);
    assert_eq!(
        changes(&before, &amid),
        expected([
            (
                "grpc_server_handled_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Decide\",grpc_code=\"InvalidArgument\"}",
                1.0
            ),
            (
                "grpc_server_handled_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Decide\",grpc_code=\"OK\"}",
                8.0
            ),
            (
                "grpc_server_handling_seconds_count{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Decide\"}",
                9.0
            ),
            (
                "grpc_server_started_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Decide\"}",
                9.0
            ),
            ("haltgate_decision_replays_total", 1.0),
            ("haltgate_decision_seconds_count", 7.0),
            ("haltgate_decisions_total{action=\"APPROVE\",stage=\"ALLOW_LIST\"}", 2.0),
            ("haltgate_decisions_total{action=\"APPROVE\",stage=\"RATER\"}", 1.0),
            ("haltgate_decisions_total{action=\"ESCALATE\",stage=\"RATER\"}", 1.0),
            ("haltgate_decisions_total{action=\"REJECT\",stage=\"DENY_LIST\"}", 3.0),
            ("haltgate_live_sessions", 1.0),
            ("haltgate_open_escalations", 1.0),
            ("haltgate_rater_seconds_count{source=\"builtin\"}", 2.0),
            (
                "haltgate_ratings_total{source=\"builtin\",outcome=\"destructive\",cause=\"NOT_ASSESSED\"}",
                1.0
            ),
            ("haltgate_ratings_total{source=\"builtin\",outcome=\"safe\",cause=\"NONE\"}", 1.0),
            ("haltgate_store_commit_seconds_count", 7.0),
        ])
    );
    let answer = pb::AnswerRequest {
        target: Some(pb::answer_request::Target::EscalationId(escalation)),
        verdict: pb::Verdict::Approve.into(),
        scope: pb::Scope::Once.into(),
        ..pb::AnswerRequest::default()
    };
    client.answer(answer).await.unwrap();
    assert_eq!(
        changes(&amid, &scrape(&admin)),
        expected([
            (
                "grpc_server_handled_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Answer\",grpc_code=\"OK\"}",
                1.0
            ),
            (
                "grpc_server_handling_seconds_count{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Answer\"}",
                1.0
            ),
            (
                "grpc_server_started_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"Answer\"}",
                1.0
            ),
            ("haltgate_answers_total{kind=\"escalation\",answer=\"approved\"}", 1.0),
            ("haltgate_human_wait_seconds_count{kind=\"escalation\"}", 1.0),
            ("haltgate_open_escalations", -1.0),
            ("haltgate_store_commit_seconds_count", 1.0),
        ])
    );
}

#[tokio::test]
async fn feeds_are_counted_while_they_are_open_and_ended_when_their_reader_goes_away() {
    let (served, admin) = serve("{}");
    let mut client = client(&served).await;
    let feed = client.stream_escalations(pb::StreamEscalationsRequest::default()).await.unwrap().into_inner();
    let name = "haltgate_feeds{kind=\"escalation\"}";
    until("the feed", || (scrape(&admin)[name] == 1.0).then_some(()));
    assert_eq!(scrape(&admin)["haltgate_feed_lag{kind=\"escalation\"}"], 0.0);
    drop(feed);
    until("the end of the feed", || (scrape(&admin)[name] == 0.0).then_some(()));
    let ended = "grpc_server_handled_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"StreamEscalations\",grpc_code=\"Canceled\"}";
    until("its count", || (scrape(&admin).get(ended) == Some(&1.0)).then_some(()));
}

#[tokio::test]
async fn what_a_model_was_asked_and_cost_is_shown_by_profile() {
    let model = Server::start(Reply::ok(&openai(&verdict("safe")))).await;
    let policy = format!(
        r#"{{ "approvals": {{ "rater": "cloud" }},
             "rater": {{ "profiles": {{ "cloud": {{ "kind": "model", "provider": "openai", "model": "m",
                "base_url": "http://{}/v1", "retries": 0, "prompt_price": 2, "completion_price": 10 }} }} }} }}"#,
        model.address
    );
    let (served, admin) = serve(&policy);
    let mut client = client(&served).await;
    let before = scrape(&admin);
    client.decide(shell("s", "mend it")).await.unwrap();
    model.otherwise(Reply::status(400));
    client.decide(shell("t", "mend that")).await.unwrap();
    let changed = changes(&before, &scrape(&admin));
    for (name, change) in [
        ("haltgate_rater_calls_total{profile=\"cloud\",result=\"VERDICT\"}", 1.0),
        ("haltgate_rater_calls_total{profile=\"cloud\",result=\"TRANSPORT\"}", 1.0),
        ("haltgate_rater_requests_total{profile=\"cloud\"}", 2.0),
        ("haltgate_rater_tokens_total{profile=\"cloud\",direction=\"prompt\"}", 1000.0),
        ("haltgate_rater_tokens_total{profile=\"cloud\",direction=\"completion\"}", 50.0),
        ("haltgate_rater_cost_total{profile=\"cloud\"}", 0.0025),
        ("haltgate_ratings_total{source=\"model\",outcome=\"safe\",cause=\"NONE\"}", 1.0),
    ] {
        assert_eq!(changed.get(name), Some(&change), "{name} in {changed:#?}");
    }
}

/// Calls whatever path, as a caller does who makes it up.
async fn call(served: &crate::gate::Served, path: &str) -> Status {
    let mut grpc = tonic::client::Grpc::new(channel(served).await);
    grpc.ready().await.unwrap();
    let codec = tonic_prost::ProstCodec::<pb::DecideRequest, pb::DecideResponse>::default();
    let path = PathAndQuery::try_from(path.to_owned()).unwrap();
    grpc.unary(Request::new(shell("s", "ls")), path, codec).await.unwrap_err()
}

#[tokio::test]
async fn made_up_methods_are_one_series_however_many_there_are() {
    let (served, admin) = serve("{}");
    let before = scrape(&admin);
    for number in 0..20 {
        for path in [
            format!("/haltgate.v1.ApprovalGate/NoSuch{number}"),
            format!("/a{number}.B/C"),
            format!("/x/{number}/y"),
        ] {
            assert_eq!(call(&served, &path).await.code(), Code::Unimplemented, "{path}");
        }
    }
    assert_eq!(
        changes(&before, &scrape(&admin)),
        expected([
            (
                "grpc_server_handled_total{grpc_service=\"unknown\",grpc_method=\"unknown\",grpc_code=\"Unimplemented\"}",
                60.0
            ),
            ("grpc_server_handling_seconds_count{grpc_service=\"unknown\",grpc_method=\"unknown\"}", 60.0),
            ("grpc_server_started_total{grpc_service=\"unknown\",grpc_method=\"unknown\"}", 60.0),
        ])
    );
}

#[tokio::test]
async fn a_browser_is_counted_with_the_code_that_it_was_sent() {
    let (served, admin) = serve("{}");
    let before = scrape(&admin);
    let path = "/haltgate.v1.ApprovalGate/GetSession";
    // A message that asks for a session which nobody opened.
    let body = "\0\0\0\0\x04\x12\x02no";
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: {0}\r\nconnection: close\r\ncontent-type: application/grpc-web+proto\r\n\
         x-request-id: from-the-page\r\ncontent-length: {1}\r\n\r\n{body}",
        served.address,
        body.len()
    );
    let page = raw(&served.address, &request);
    assert_eq!(page.status, 200);
    assert!(page.head.contains("x-request-id: from-the-page"), "{}", page.head);
    let counted = changes(&before, &scrape(&admin));
    let name = "grpc_server_handled_total{grpc_service=\"haltgate.v1.ApprovalGate\",grpc_method=\"GetSession\",grpc_code=\"NotFound\"}";
    assert_eq!(counted.get(name), Some(&1.0), "{counted:#?}");
}

#[tokio::test]
async fn a_request_that_is_turned_away_is_counted_with_the_contract_s_reason() {
    let (served, admin) = serve(r#"{ "server": { "max_concurrent_requests": 1 }, "approvals": "manual" }"#);
    let mut requests = Vec::new();
    let before = scrape(&admin);
    for number in 0..40 {
        let mut client = client(&served).await;
        let session = format!("s{number}");
        requests
            .push(tokio::spawn(async move { client.decide(shell(&session, &"x;".repeat(200_000))).await }));
    }
    let mut refused = 0.0;
    for request in requests {
        if let Err(status) = request.await.unwrap() {
            assert_eq!(status.code(), Code::ResourceExhausted);
            refused += 1.0;
        }
    }
    assert!(refused > 0.0, "forty at once were never two at once");
    let counted = changes(&before, &scrape(&admin));
    assert_eq!(counted.get("haltgate_requests_refused_total{reason=\"OVERLOADED\"}"), Some(&refused));
}
