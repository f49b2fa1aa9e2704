//! What a project may spend on a model, by what the model's server sees of it.

use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::config::{Configuration, Document};
use haltgate::gate::{FailureCause, Outcome, RatingRequest};
use haltgate::rater::{Assessed, Profiles, Rater, RatingScope};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// A model that costs a unit of money for a million tokens, and a cascade over it, within these budgets.
fn configuration(server: &Server, ratings: &str) -> Configuration {
    let text = format!(
        r#"{{"rater": {{"profiles": {{
            "local": {{"kind": "model", "provider": "openai", "model": "m", "base_url": "{}", "retries": 1,
                       "prompt_price": 1.0, "completion_price": 1.0}},
            "both": {{"kind": "cascade", "second": "local"}}
        }}}}, "limits": {{"ratings": {ratings}}}}}"#,
        address(server, "/v1"),
    );
    let document = Document::parse("haltgate.jsonc", &text).unwrap();
    Configuration::of(&document).unwrap_or_else(|problems| panic!("{problems}"))
}

fn profiles(configuration: &Configuration, before: Option<&Profiles>) -> Profiles {
    let profiles = Profiles::set_up(configuration.rater(), before).unwrap();
    profiles.budgets().allow(configuration.limits().ratings.clone());
    profiles
}

fn assessing(profiles: &Profiles, profile: &str, project: &str, command: &str) -> haltgate::rater::Assessing {
    let asked = RatingRequest { profile: Some(profile.to_owned()), ..request(command) };
    let scope =
        RatingScope { project: project.to_owned(), session: "s".to_owned(), share: true, reuse: true };
    profiles.assess(asked, scope)
}

async fn rated(profiles: &Profiles, project: &str, command: &str) -> Result<Outcome, FailureCause> {
    outcome(&assessing(profiles, "local", project, command).await.result)
}

fn good() -> Reply {
    Reply::ok(&openai(&verdict("safe")))
}

#[tokio::test]
async fn a_project_that_has_spent_its_budget_asks_no_model_and_others_do() {
    let server = Server::start(good()).await;
    // A rating is one request, 1,050 tokens, and costs 0.00105.
    for budget in [
        r#"{"calls_per_hour": 2}"#,
        r#"{"calls_per_day": 2}"#,
        r#"{"tokens_per_day": 1051}"#,
        r#"{"cost_per_day": 0.002}"#,
        r#"{"projects": {"p": {"calls_per_day": 2}}}"#,
    ] {
        let before = server.count();
        let profiles = profiles(&configuration(&server, budget), None);
        for number in 0..2 {
            assert_eq!(rated(&profiles, "p", &format!("frob {number}")).await, Ok(Outcome::Safe), "{budget}");
        }
        for number in 2..5 {
            let refused = rated(&profiles, "p", &format!("frob {number}")).await;
            assert_eq!(refused, Err(FailureCause::BudgetSpent), "{budget}");
        }
        assert_eq!(rated(&profiles, "p", "frob 0").await, Ok(Outcome::Safe), "what is known costs nothing");
        assert_eq!(server.count() - before, 2, "{budget}");
        let usage = profiles.usage().remove("local").unwrap();
        assert_eq!(usage.failures, [(FailureCause::BudgetSpent, 3)]);
        assert_eq!(usage.requests, 2);
        assert_eq!(rated(&profiles, "q", "frob 9").await, Ok(Outcome::Safe), "another project has its own");
        let spent = profiles.budgets().spent();
        let (project, spent) = &spent[0];
        assert_eq!((project.as_str(), spent.calls_today, spent.tokens_today), ("p", 2, 2_100));
        assert_eq!((spent.cost_today_micros, spent.refused_today), (2_100, 3));
    }
}

#[tokio::test]
async fn a_cascade_without_a_budget_doubts_and_says_why() {
    let server = Server::start(good()).await;
    let profiles = profiles(&configuration(&server, r#"{"calls_per_day": 0}"#), None);
    let Assessed { result, .. } = assessing(&profiles, "both", "p", "frobnicate").await;
    let verdict = result.unwrap();
    assert_eq!((verdict.outcome, verdict.cause), (Outcome::Destructive, Some(FailureCause::BudgetSpent)));
    let known = assessing(&profiles, "both", "p", "git status").await.result.unwrap();
    assert_eq!((known.outcome, known.cause), (Outcome::Safe, None), "the built-in rater needs no budget");
    assert_eq!(server.count(), 0);
}

#[tokio::test]
async fn every_request_counts_repeated_ones_too_and_those_that_nobody_waited_for() {
    let server = Server::start(good()).await;
    server.script([Reply::status(500)]);
    let profiles = profiles(&configuration(&server, "{}"), None);
    assert_eq!(rated(&profiles, "p", "frob 1").await, Ok(Outcome::Safe));
    assert_eq!((server.count(), profiles.budgets().spent()[0].1.calls_today), (2, 2));
    let never = Arc::new(Semaphore::new(0));
    server.otherwise(Reply::Held(never, Box::new(good())));
    let given_up = tokio::spawn(assessing(&profiles, "local", "p", &"x".repeat(4_000)));
    server.arrived(3).await;
    given_up.abort();
    server.gone(1).await;
    let spent = profiles.budgets().spent().remove(0).1;
    assert_eq!(spent.calls_today, 3);
    assert!(spent.tokens_today >= 1_050 + 1_000, "its text at least: {}", spent.tokens_today);
}

#[tokio::test]
async fn a_changed_configuration_forgets_nothing_of_what_was_spent() {
    let server = Server::start(good()).await;
    let first = profiles(&configuration(&server, r#"{"calls_per_day": 1}"#), None);
    assert_eq!(rated(&first, "p", "frob 1").await, Ok(Outcome::Safe));
    let second = profiles(&configuration(&server, r#"{"calls_per_day": 2}"#), Some(&first));
    assert_eq!(rated(&second, "p", "frob 2").await, Ok(Outcome::Safe));
    assert_eq!(rated(&second, "p", "frob 3").await, Err(FailureCause::BudgetSpent));
    assert_eq!(server.count(), 2);
}
