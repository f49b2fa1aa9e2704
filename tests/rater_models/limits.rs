//! Turns, the breaker and questions that are shared, by what the server sees of them.

use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::config::ModelProvider;
use haltgate::gate::{FailureCause, Outcome};
use haltgate::rater::{Rater, RatingScope, Sharing};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;

fn good() -> Reply {
    Reply::ok(&openai(&verdict("safe")))
}

fn held(permits: &Arc<Semaphore>) -> Reply {
    Reply::Held(Arc::clone(permits), Box::new(good()))
}

#[tokio::test]
async fn no_more_requests_are_under_way_than_the_profile_allows() {
    let permits = Arc::new(Semaphore::new(0));
    let server = Server::start(held(&permits)).await;
    let mut profile = profile(&server, ModelProvider::OpenAi);
    profile.max_concurrent = 2;
    let rater = rater_of(profile);
    let asking: Vec<_> = (0..6)
        .map(|number| tokio::spawn(rater.assess(request(&format!("echo {number}")), RatingScope::default())))
        .collect();
    for arrived in 2..=6 {
        server.arrived(arrived).await;
        permits.add_permits(1);
    }
    permits.add_permits(1);
    for asked in asking {
        assert_eq!(outcome(&asked.await.unwrap().result), Ok(Outcome::Safe));
    }
    assert_eq!((server.count(), server.most_in_flight()), (6, 2));
}

#[tokio::test]
async fn waiting_for_a_turn_counts_in_the_limit_and_is_no_failure_of_the_model() {
    let permits = Arc::new(Semaphore::new(0));
    let server = Server::start(held(&permits)).await;
    let mut profile = profile(&server, ModelProvider::OpenAi);
    (profile.max_concurrent, profile.circuit_failures) = (1, 1);
    let rater = rater_of(profile);
    let first = tokio::spawn(rater.assess(request("echo 1"), RatingScope::default()));
    server.arrived(1).await;
    let second = assess(&rater, within("echo 2", 50)).await;
    assert_eq!(outcome(&second.result), Err(FailureCause::Timeout));
    assert_eq!((server.count(), second.record.unwrap().attempts), (1, 0), "it was never sent");
    permits.add_permits(2);
    assert_eq!(outcome(&first.await.unwrap().result), Ok(Outcome::Safe));
    assert_eq!(
        outcome(&assess(&rater, request("echo 3")).await.result),
        Ok(Outcome::Safe),
        "the breaker stayed closed"
    );
}

#[tokio::test]
async fn a_model_that_keeps_failing_is_left_alone() {
    let server = Server::start(Reply::status(401)).await;
    let mut profile = profile(&server, ModelProvider::OpenAi);
    (profile.circuit_failures, profile.circuit_pause) = (3, Duration::from_secs(3_600));
    let rater = rater_of(profile);
    for _ in 0..3 {
        assert_eq!(outcome(&assess(&rater, request("ls")).await.result), Err(FailureCause::Transport));
    }
    for _ in 0..5 {
        let assessed = assess(&rater, request("ls")).await;
        assert_eq!(outcome(&assessed.result), Err(FailureCause::CircuitOpen));
        assert_eq!(assessed.record.unwrap().attempts, 0);
    }
    assert_eq!(server.count(), 3);
    assert_eq!(rater.usage().failures, [(FailureCause::Transport, 3), (FailureCause::CircuitOpen, 5)]);
}

/// A filter in front of a model may reject a hostile command; that must not silence the model for everybody else.
#[tokio::test]
async fn a_question_that_is_refused_for_itself_does_not_open_the_breaker() {
    for status in [400, 413, 422] {
        let server = Server::start(good()).await;
        server.script([Reply::status(status), Reply::status(status)]);
        let mut profile = profile(&server, ModelProvider::OpenAi);
        profile.circuit_failures = 1;
        let rater = rater_of(profile);
        for _ in 0..2 {
            assert_eq!(outcome(&assess(&rater, request("x")).await.result), Err(FailureCause::Transport));
        }
        assert_eq!(outcome(&assess(&rater, request("ls")).await.result), Ok(Outcome::Safe), "{status}");
    }
}

#[tokio::test]
async fn after_the_pause_one_probe_finds_out_whether_the_model_is_back() {
    let permits = Arc::new(Semaphore::new(0));
    let server = Server::start(held(&permits)).await;
    server.script([Reply::status(401)]);
    let mut profile = profile(&server, ModelProvider::OpenAi);
    (profile.circuit_failures, profile.circuit_pause) = (1, Duration::from_millis(1));
    let rater = rater_of(profile);
    assert_eq!(outcome(&assess(&rater, request("ls")).await.result), Err(FailureCause::Transport));
    // Whoever comes first after the pause is the probe.
    let probing = {
        let rater = rater.clone();
        tokio::spawn(async move {
            loop {
                let found = assess(&rater, request("ls")).await;
                if outcome(&found.result) != Err(FailureCause::CircuitOpen) {
                    return found;
                }
                tokio::task::yield_now().await;
            }
        })
    };
    server.arrived(2).await;
    for _ in 0..3 {
        assert_eq!(outcome(&assess(&rater, request("ls")).await.result), Err(FailureCause::CircuitOpen));
    }
    assert_eq!(server.count(), 2, "one probe alone");
    permits.add_permits(10);
    assert_eq!(outcome(&probing.await.unwrap().result), Ok(Outcome::Safe));
    assert_eq!(outcome(&assess(&rater, request("ls")).await.result), Ok(Outcome::Safe), "it is back");
}

#[tokio::test]
async fn identical_questions_are_one_request_and_the_last_to_leave_ends_it() {
    let permits = Arc::new(Semaphore::new(0));
    let server = Server::start(held(&permits)).await;
    let sharing = Sharing::new(Arc::new(rater(&server)));
    let scope = RatingScope { project: "p".to_owned(), session: "s".to_owned(), share: true, reuse: false };
    let ask = || tokio::spawn(sharing.assess(request("ls"), scope.clone()));
    let mut asking: Vec<_> = (0..8).map(|_| ask()).collect();
    server.arrived(1).await;
    asking.remove(0).abort();
    permits.add_permits(1);
    for asked in asking {
        assert_eq!(outcome(&asked.await.unwrap().result), Ok(Outcome::Safe));
    }
    assert_eq!(server.count(), 1);

    let abandoned: Vec<_> = (0..3).map(|_| ask()).collect();
    server.arrived(2).await;
    abandoned.iter().for_each(tokio::task::JoinHandle::abort);
    server.gone(1).await;
    assert_eq!(server.count(), 2);
}
