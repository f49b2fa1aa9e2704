//! The dashboard and the alerts ask for what a gate tells, and for nothing else.

use crate::support::*;
use haltgate::proto::v1 as pb;
use serde_json::Value;
use std::collections::BTreeSet;

const BOARD: &str = include_str!("../../deploy/grafana/haltgate.json");
const RULES: &str = include_str!("../../deploy/prometheus/haltgate.rules.yaml");
const PAGE: &str = include_str!("../../docs/telemetry.md");

/// The names of this gate's metrics in a text.
fn metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    let ours = |word: &&str| {
        word.starts_with("haltgate_")
            || word.starts_with("grpc_server_")
            || *word == "process_start_time_seconds"
    };
    words.filter(ours).map(str::to_owned).collect()
}

fn expressions(board: &Value, found: &mut Vec<String>) {
    match board {
        Value::Object(map) => {
            found.extend(map.get("expr").and_then(Value::as_str).map(str::to_owned));
            map.values().for_each(|value| expressions(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| expressions(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Every family that a gate shows once each thing happened.
async fn told() -> String {
    let model = crate::server::Server::start(crate::server::Reply::ok(&crate::server::openai(
        &crate::server::verdict("safe"),
    )))
    .await;
    let policy = format!(
        r#"{{ "rater": {{ "profiles": {{ "cloud": {{ "kind": "model", "provider": "openai", "model": "m",
                "base_url": "http://{}/v1", "prompt_price": 1, "completion_price": 1 }} }} }},
             "server": {{ "max_concurrent_requests": 1 }} }}"#,
        model.address
    );
    let (served, admin) = serve(&policy);
    let mut client = client(&served).await;
    let rate = pb::RateRequest {
        call: shell("s", "mend it").call,
        profile: "cloud".to_owned(),
        ..pb::RateRequest::default()
    };
    client.rate(rate).await.unwrap();
    let escalation = client.decide(shell("s", "mend that")).await.unwrap().into_inner().escalation_id;
    let answer = pb::AnswerRequest {
        target: Some(pb::answer_request::Target::EscalationId(escalation)),
        verdict: pb::Verdict::Reject.into(),
        ..pb::AnswerRequest::default()
    };
    client.answer(answer).await.unwrap();
    loop {
        let mut others = Vec::new();
        for number in 0..20 {
            let mut other = client.clone();
            let request = shell(&format!("s{number}"), &"x;".repeat(200_000));
            others.push(tokio::spawn(async move { other.decide(request).await.is_err() }));
        }
        let mut refused = false;
        for other in others {
            refused |= other.await.unwrap();
        }
        if refused {
            return get(&admin, "/metrics").body;
        }
    }
}

#[tokio::test]
async fn what_the_dashboard_and_the_alerts_ask_for_is_told_and_documented() {
    let text = told().await;
    let exported =
        metrics(&text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n"));
    let board: Value = serde_json::from_str(BOARD).unwrap();
    let mut asked = Vec::new();
    expressions(&board, &mut asked);
    assert!(asked.len() >= 15, "the dashboard asks for something");
    let rules: Vec<&str> = RULES.lines().filter_map(|line| line.trim_start().strip_prefix("expr:")).collect();
    assert!(rules.len() >= 6, "the alerts ask for something");
    for (file, used) in
        [("the dashboard", metrics(&asked.join("\n"))), ("the alerts", metrics(&rules.join("\n")))]
    {
        let missing: Vec<&String> = used.difference(&exported).collect();
        assert!(missing.is_empty(), "{file} asks for {missing:?}, which is not told");
    }
    // A page names a family; the suffixes of its samples are the format's.
    let documented = metrics(PAGE);
    for name in &exported {
        let family =
            ["_bucket", "_count", "_sum"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        assert!(documented.contains(family), "{family} is not in the documentation");
    }
    let invented: Vec<&String> = documented
        .iter()
        .filter(|name| !exported.contains(*name) && !exported.contains(&format!("{name}_count")))
        .collect();
    assert!(invented.is_empty(), "the documentation names {invented:?}, which is not told");
}
