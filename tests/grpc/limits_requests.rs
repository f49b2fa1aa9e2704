//! How much one caller may ask at once, how fast, and how many feeds it may hold: what is over a limit is refused with the time
//! after which it is let through. The callers here have no credentials; they are bounded as one.

use crate::support::*;
use haltgate::config::ServerSettings;
use haltgate::proto::v1 as pb;
use haltgate::proto::v1::approval_gate_client::ApprovalGateClient;
use pb::{Action, Scope, Verdict};
use std::time::Duration;
use tonic::transport::Endpoint;
use tonic::{Code, Streaming};

/// A gate whose callers are bounded as one, with an `approvals` block.
async fn bounded(approvals: &str, caller: &str, more: &str) -> Gate {
    let policy = format!(
        r#"{{ "approvals": {approvals}, "limits": {{ "bound_local": true, "caller": {{ {caller} }} {more} }} }}"#
    );
    Gate::start(Setup { policy, ..Setup::default() }).await
}

async fn feed(gate: &Gate) -> Result<Streaming<pb::StreamEscalationsResponse>, Failure> {
    let request = pb::StreamEscalationsRequest::default();
    reply(gate.client.clone().stream_escalations(request).await)
}

#[tokio::test]
async fn whoever_asks_too_fast_is_told_when_to_come_back_and_then_let_through() {
    let gate = bounded("\"assisted\"", r#""requests_per_second": 1, "burst": 3"#, "").await;
    for number in 0..3 {
        assert_eq!(gate.decide(shell(&format!("s{number}"), "ls")).await.action(), Action::Approve);
    }
    for _ in 0..2 {
        let failure = loop {
            // However slow this machine is, asking often enough is too fast.
            if let Err(failure) = gate.try_decide(shell("more", "ls")).await {
                break failure;
            }
        };
        failure.expect(Code::ResourceExhausted, "OVERLOADED");
        let metadata = ["scope", "limit", "what"].map(|key| failure.metadata(key));
        assert_eq!(metadata, ["caller", "1", "requests_per_second"]);
        let wait = failure.retry_after.unwrap();
        assert!(wait > Duration::ZERO && wait <= Duration::from_secs(1), "{wait:?}");
        tokio::time::sleep(wait).await;
        assert_eq!(gate.decide(shell("again", "ls")).await.action(), Action::Approve);
    }
}

#[tokio::test]
async fn a_caller_with_too_much_under_way_is_refused_and_was_not_begun() {
    let gate = bounded("\"assisted\"", r#""concurrent_requests": 2"#, "").await;
    gate.rater.delay(Duration::from_secs(3600));
    let held: Vec<_> = (0..2)
        .map(|number| {
            let mut client = gate.client.clone();
            tokio::spawn(async move { client.decide(shell(&format!("s{number}"), "ls")).await })
        })
        .collect();
    while gate.rater.count() < 2 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let failure = gate.try_decide(shell("other", "ls")).await.unwrap_err();
    failure.expect(Code::ResourceExhausted, "OVERLOADED");
    assert_eq!(["scope", "limit", "what"].map(|key| failure.metadata(key)), ["caller", "2", "(absent)"]);
    // Whoever goes away gives its place back, as soon as the gate hears of it.
    held.iter().for_each(tokio::task::JoinHandle::abort);
    gate.rater.delay(Duration::ZERO);
    let given = loop {
        match gate.try_decide(shell("other", "ls")).await {
            Ok(given) => break given,
            Err(failure) => assert_eq!(failure.code, Code::ResourceExhausted),
        }
    };
    assert_eq!((given.action(), gate.records_of("other").await.len()), (Action::Approve, 1));
}

#[tokio::test]
async fn a_caller_holds_so_many_waiting_calls_and_what_it_asked_beyond_is_decided_all_the_same() {
    let gate = bounded("\"manual\"", r#""waits": 2"#, "").await;
    let waiting = |session: &str| pb::DecideRequest { wait: true, ..named("q", shell(session, "ls")) };
    let held: Vec<_> = (0..2)
        .map(|number| {
            let (mut client, request) = (gate.client.clone(), waiting(&format!("s{number}")));
            tokio::spawn(async move { client.decide(request).await.unwrap().into_inner() })
        })
        .collect();
    for number in 0..2 {
        while gate.records_of(&format!("s{number}")).await.is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    let failure = loop {
        // A call that was recorded begins to wait a moment later.
        match tokio::time::timeout(Duration::from_millis(200), gate.try_decide(waiting("more"))).await {
            Ok(outcome) => break outcome.unwrap_err(),
            Err(_it_found_a_place) => {}
        }
    };
    failure.expect(Code::ResourceExhausted, "OVERLOADED");
    assert_eq!(["scope", "limit", "what"].map(|key| failure.metadata(key)), ["caller", "2", "waits"]);
    let known = gate.decide(named("q", shell("more", "ls"))).await;
    assert_eq!((known.action(), known.replayed), (Action::Escalate, true));
    assert_eq!(gate.records_of("more").await.len(), 1, "a human was asked once");
    let read = pb::DecideRequest { wait: true, ..ask("s", tool_call("read_file", "")) };
    assert_eq!(gate.decide(read).await.action(), Action::Approve, "what needs nobody does not wait");
    for number in 0..2 {
        let open = gate.decide(named("q", shell(&format!("s{number}"), "ls"))).await.escalation_id;
        gate.answer(answering(&open, Verdict::Approve, Scope::Once)).await;
    }
    for held in held {
        assert_eq!(held.await.unwrap().action(), Action::Approve);
    }
}

#[tokio::test]
async fn feeds_are_bounded_for_each_caller_and_in_all_and_a_feed_that_ends_makes_room() {
    for (caller, more, scope) in [(r#""feeds": 2"#, "", "caller"), ("", r#", "feeds": 2"#, "server")] {
        let gate = bounded("\"manual\"", caller, more).await;
        let first = feed(&gate).await.unwrap();
        let _second = feed(&gate).await.unwrap();
        let failure = feed(&gate).await.err().unwrap();
        failure.expect(Code::ResourceExhausted, "TOO_MANY_FEEDS");
        assert_eq!(["scope", "limit"].map(|key| failure.metadata(key)), [scope, "2"]);
        let halts = gate.client.clone().stream_attack_halts(pb::StreamAttackHaltsRequest::default()).await;
        assert_eq!(halts.err().unwrap().code(), Code::ResourceExhausted, "both kinds count together");
        assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Escalate);
        drop(first);
        let mut third = loop {
            match feed(&gate).await {
                Ok(feed) => break feed,
                Err(failure) => assert_eq!(failure.reason, "TOO_MANY_FEEDS"),
            }
        };
        assert!(third.message().await.unwrap().is_some());
    }
}

#[tokio::test]
async fn feeds_may_be_opened_so_often_a_minute() {
    let gate = bounded("\"manual\"", r#""feeds_per_minute": 2"#, "").await;
    for _ in 0..2 {
        drop(feed(&gate).await.unwrap());
    }
    let failure = feed(&gate).await.err().unwrap();
    failure.expect(Code::ResourceExhausted, "OVERLOADED");
    assert_eq!(
        ["scope", "limit", "what"].map(|key| failure.metadata(key)),
        ["caller", "2", "feeds_per_minute"]
    );
    assert!(failure.retry_after.unwrap() <= Duration::from_secs(30));
}

#[tokio::test]
async fn calls_that_are_given_up_at_any_moment_leave_no_place_taken_and_no_half_of_anything() {
    let caller = r#""concurrent_requests": 8, "waits": 8"#;
    let gate = bounded("\"manual\"", caller, "").await;
    let mut given_up = 0;
    for round in 0_u64..60 {
        let calls: Vec<_> = (0..8)
            .map(|number| {
                let mut client = gate.client.clone();
                let request = named(
                    &format!("q{round}-{number}"),
                    shell(&format!("s{number}"), &format!("echo {round}")),
                );
                tokio::spawn(async move { client.decide(pb::DecideRequest { wait: true, ..request }).await })
            })
            .collect();
        // Some before they are sent, some while they are decided, some while they wait.
        tokio::time::sleep(Duration::from_micros(round * round * 10)).await;
        for call in calls {
            call.abort();
            given_up += usize::from(call.await.is_err_and(|error| error.is_cancelled()));
        }
    }
    assert!(given_up > 0);
    // All eight places are there, at the same time, as soon as the gate has heard of everybody who went away.
    gate.rater.delay(Duration::ZERO);
    let mut held = Vec::new();
    while held.len() < 8 {
        let mut client = gate.client.clone();
        let request = named("last", shell(&format!("t{}", held.len()), "ls"));
        let call =
            tokio::spawn(async move { client.decide(pb::DecideRequest { wait: true, ..request }).await });
        match tokio::time::timeout(Duration::from_millis(300), async {
            while !call.is_finished() {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        })
        .await
        {
            Ok(()) => assert_eq!(call.await.unwrap().unwrap_err().code(), Code::ResourceExhausted),
            Err(_it_waits) => held.push(call),
        }
    }
    // What was recorded is whole: an escalation for each decision, and each request id has one decision.
    for number in 0..8 {
        let session = format!("s{number}");
        let records = gate.records_of(&session).await;
        let mut ids: Vec<_> = records.iter().map(|record| record.request_id.clone()).collect();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), records.len());
        if !records.is_empty() {
            let open = gate.get(&session).await.session.unwrap().open_escalations;
            assert_eq!(usize::try_from(open).unwrap(), records.len());
        }
    }
    assert!(gate.verify().await.intact);
    held.iter().for_each(tokio::task::JoinHandle::abort);
}

#[tokio::test]
async fn a_thousand_idle_connections_and_readers_who_do_not_read_keep_nobody_from_being_decided() {
    let gate = Gate::at("manual").await;
    let mut idle = Vec::new();
    for _ in 0..1_000 {
        idle.push(tokio::net::TcpStream::connect(gate.address).await.unwrap());
    }
    let mut unread = Vec::new();
    for _ in 0..20 {
        unread.push(feed(&gate).await.unwrap());
    }
    let channel = Endpoint::from_shared(format!("http://{}", gate.address)).unwrap().connect().await.unwrap();
    let mut client = ApprovalGateClient::new(channel);
    for number in 0..100 {
        let given =
            client.decide(shell("s", &format!("echo {number} {}", "x".repeat(20_000)))).await.unwrap();
        assert_eq!(given.into_inner().action(), Action::Escalate);
    }
    drop((idle, unread));
}

#[tokio::test]
async fn a_changed_limit_holds_without_a_restart() {
    let gate = bounded("\"assisted\"", r#""requests_per_second": 1, "burst": 1"#, "").await;
    while gate.try_decide(shell("s", "ls")).await.is_ok() {}
    let looser = r#"{ "limits": { "bound_local": true } }"#;
    let document = haltgate::config::Document::parse("haltgate.jsonc", looser).unwrap();
    let configuration = haltgate::config::Configuration::of(&document).unwrap();
    gate.engine.reload(configuration).await.unwrap();
    for _ in 0..20 {
        assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    }
}

#[tokio::test]
async fn a_server_that_is_full_answers_probes() {
    let setup = Setup::default();
    let settings = ServerSettings { max_concurrent_requests: 1, ..setup.settings.clone() };
    let gate = Gate::start(Setup { settings, ..setup }).await;
    gate.rater.delay(Duration::from_secs(3600));
    let mut client = gate.client.clone();
    let held = tokio::spawn(async move { client.decide(shell("s", "ls")).await });
    while gate.rater.count() < 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(gate.try_get("", "s").await.unwrap_err().reason, "OVERLOADED");
    let mut health = haltgate::proto::health::health_client::HealthClient::new(gate.channel.clone());
    let request = haltgate::proto::health::HealthCheckRequest { service: String::new() };
    assert!(health.check(request).await.is_ok());
    held.abort();
}
