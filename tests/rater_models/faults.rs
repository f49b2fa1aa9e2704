//! What goes wrong on the way, what is tried again, and what is not.

use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::config::ModelProvider;
use haltgate::gate::{FailureCause, Outcome};
use haltgate::rater::{Rater, RatingScope};
use serde_json::json;

fn good() -> Reply {
    Reply::ok(&openai(&verdict("safe")))
}

#[tokio::test]
async fn faults_that_may_pass_are_tried_again_within_bounds() {
    let busy = |status| Reply::Answer(status, vec![("retry-after", "0".to_owned())], String::new());
    for faults in [
        vec![Reply::HangUp],
        vec![Reply::Cut("{\"choices\"".to_owned())],
        vec![busy(429)],
        vec![Reply::status(500), Reply::status(503)],
        vec![Reply::status(529), Reply::HangUp],
    ] {
        let server = Server::start(good()).await;
        let count = faults.len();
        server.script(faults.clone());
        let rater = rater(&server);
        let assessed = assess(&rater, request("ls")).await;
        assert_eq!(outcome(&assessed.result), Ok(Outcome::Safe), "{faults:?}");
        assert_eq!(server.count(), count + 1, "{faults:?}");
        assert_eq!(assessed.record.unwrap().attempts as usize, count + 1);
        assert_eq!((rater.usage().requests as usize, rater.usage().ratings), (count + 1, 1));
    }
}

#[tokio::test]
async fn a_fault_that_does_not_pass_is_a_transport_failure() {
    for fault in [Reply::HangUp, Reply::status(500), Reply::Cut("{}".to_owned())] {
        let server = Server::start(fault.clone()).await;
        let rater = rater(&server);
        let assessed = assess(&rater, request("ls")).await;
        assert_eq!(outcome(&assessed.result), Err(FailureCause::Transport), "{fault:?}");
        assert_eq!(server.count(), 3, "one attempt and two more: {fault:?}");
        assert_eq!(rater.usage().failures, [(FailureCause::Transport, 1)]);
    }
    let server = Server::start(Reply::HangUp).await;
    let mut profile = profile(&server, ModelProvider::OpenAi);
    profile.retries = 0;
    assert!(assess(&rater_of(profile), request("ls")).await.result.is_err());
    assert_eq!(server.count(), 1);
}

#[tokio::test]
async fn nobody_listens_at_the_address() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let server = Server::start(good()).await;
    let mut profile = profile(&server, ModelProvider::OpenAi);
    profile.base_url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
    drop(listener);
    let assessed = assess(&rater_of(profile), request("ls")).await;
    assert_eq!(outcome(&assessed.result), Err(FailureCause::Transport));
    assert_eq!(assessed.record.unwrap().raw_answer, None);
}

#[tokio::test]
async fn what_the_server_refuses_is_not_asked_again() {
    for status in [400, 401, 403, 404, 422] {
        let server = Server::start(Reply::status(status)).await;
        let assessed = assess(&rater(&server), request("ls")).await;
        assert_eq!(
            (outcome(&assessed.result), server.count()),
            (Err(FailureCause::Transport), 1),
            "{status}"
        );
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start(good()).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("http://{}/v1/chat/completions", elsewhere.address);
        let server = Server::start(Reply::Answer(status, vec![("location", location)], String::new())).await;
        let assessed = assess(&rater(&server), request("ls")).await;
        assert_eq!(
            (outcome(&assessed.result), server.count()),
            (Err(FailureCause::Transport), 1),
            "{status}"
        );
    }
    assert_eq!(elsewhere.count(), 0, "the key and the command went nowhere else");
}

#[tokio::test]
async fn a_server_that_asks_for_more_patience_than_there_is_time_is_not_waited_for() {
    let patience = |value: &str| Reply::Answer(429, vec![("retry-after", value.to_owned())], String::new());
    for value in ["3600", "Tue, 31 Dec 2199 23:59:59 GMT"] {
        let server = Server::start(patience(value)).await;
        // An answer long before the minute is up: the test would run into its own limit otherwise.
        let assessed = assess(&rater(&server), request("ls")).await;
        assert_eq!((outcome(&assessed.result), server.count()), (Err(FailureCause::Transport), 1), "{value}");
    }
}

#[tokio::test]
async fn an_answer_without_end_is_given_up_on() {
    let long = openai(&verdict("safe")).to_string() + &" ".repeat(300 * 1024);
    for reply in [Reply::Endless, Reply::Answer(200, Vec::new(), long)] {
        let server = Server::start(reply).await;
        let assessed = assess(&rater(&server), request("ls")).await;
        assert_eq!((outcome(&assessed.result), server.count()), (Err(FailureCause::Unparseable), 1));
    }
    let server = Server::start(Reply::Endless).await;
    assert!(assess(&rater(&server), request("ls")).await.result.is_err());
    server.gone(1).await;
}

#[tokio::test]
async fn a_slow_model_times_out_and_its_request_is_dropped() {
    let server = Server::start(Reply::Silence).await;
    let rater = rater(&server);
    let assessed = assess(&rater, within("ls", 1_000)).await;
    assert_eq!(outcome(&assessed.result), Err(FailureCause::Timeout));
    server.gone(1).await;
    let record = assessed.record.unwrap();
    assert_eq!((record.cause, record.attempts, record.raw_answer), (Some(FailureCause::Timeout), 1, None));
    assert!(record.user.contains("\nls\n"), "the question is recorded although nobody answered it");
    assert_eq!(rater.usage().failures, [(FailureCause::Timeout, 1)]);
}

#[tokio::test]
async fn the_limit_covers_what_is_tried_again() {
    let server = Server::start(Reply::Silence).await;
    server.script([Reply::HangUp]);
    let assessed = assess(&rater(&server), within("ls", 4_000)).await;
    assert_eq!((outcome(&assessed.result), server.count()), (Err(FailureCause::Timeout), 2));
}

#[tokio::test]
async fn a_rating_that_is_dropped_drops_its_request() {
    let server = Server::start(Reply::Silence).await;
    let rater = rater(&server);
    let asking = tokio::spawn(rater.assess(request("ls"), RatingScope::default()));
    server.arrived(1).await;
    asking.abort();
    server.gone(1).await;
    assert!(asking.await.unwrap_err().is_cancelled());
    let usage = rater.usage();
    assert_eq!((usage.ratings, usage.abandoned, usage.verdicts, usage.failures), (1, 1, 0, Vec::new()));
}

#[tokio::test]
async fn what_a_tool_is_given_goes_to_no_model() {
    let server = Server::start(good()).await;
    let mut asked = request("ls");
    asked.subject = haltgate::gate::RatingSubject::Tool {
        name: "write_file".to_owned(),
        arguments: json!({ "content": "my diary" }).to_string(),
        cwd: None,
        home: None,
    };
    let assessed = assess(&rater(&server), asked).await;
    assert_eq!((outcome(&assessed.result), server.count()), (Err(FailureCause::NotAssessed), 0));
}
