//! From a configuration to raters that ask: keys, cascades, reloads.

use crate::server::{Reply, Server, openai, verdict};
use crate::support::*;
use haltgate::config::{Configuration, Document};
use haltgate::gate::{FailureCause, Outcome, RatingRequest};
use haltgate::rater::{Profiles, Rater, RatingScope, missing_keys};
use std::path::Path;

fn configuration(text: &str) -> Configuration {
    let document = Document::parse("haltgate.jsonc", text).unwrap();
    Configuration::of(&document).unwrap_or_else(|problems| panic!("{problems}"))
}

/// A model behind a server and a cascade over it, with the key in a file.
fn written(server: &Server, key_file: &Path, model: &str) -> Configuration {
    configuration(&format!(
        r#"{{"rater": {{"profiles": {{
            "cloud": {{"kind": "model", "provider": "openai", "model": "{model}", "base_url": "{}", "key_file": "{}"}},
            "both": {{"kind": "cascade", "second": "cloud"}}
        }}}}}}"#,
        address(server, "/v1"),
        key_file.display(),
    ))
}

async fn rated(profiles: &Profiles, profile: Option<&str>) -> Result<Outcome, FailureCause> {
    let asked = RatingRequest { profile: profile.map(str::to_owned), ..request("frobnicate") };
    let scope = RatingScope { project: "p".to_owned(), session: "s".to_owned(), share: true, reuse: true };
    outcome(&profiles.assess(asked, scope).await.result)
}

#[tokio::test]
async fn each_profile_rates_as_its_kind_says() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, format!("{KEY}\n")).unwrap();
    let server = Server::start(Reply::ok(&openai(&verdict("catastrophic")))).await;
    let profiles = Profiles::set_up(written(&server, &key, "m").rater(), None).unwrap();
    assert_eq!(rated(&profiles, Some("cloud")).await, Ok(Outcome::Catastrophic));
    assert_eq!(
        rated(&profiles, Some("both")).await,
        Ok(Outcome::Catastrophic),
        "the built-in rater does not know it"
    );
    let asked = server.count();
    assert_eq!(rated(&profiles, None).await, Ok(Outcome::Destructive), "what the built-in rater doubts");
    assert_eq!(server.count(), asked, "the default asks no model");
    assert_eq!(rated(&profiles, Some("gone")).await, Err(FailureCause::NoModel));
    assert_eq!(server.seen()[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(profiles.usage()["cloud"].verdicts as usize, server.count());
    assert!(!format!("{profiles:?}").contains(KEY));
}

#[tokio::test]
async fn a_key_that_is_not_there_is_named_with_its_setting() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(Reply::HangUp).await;
    let settings = written(&server, &folder.path().join("none"), "m");
    let problems = Profiles::set_up(settings.rater(), None).unwrap_err().to_string();
    assert!(problems.contains("haltgate.jsonc:2:"), "{problems}");
    assert!(problems.contains("rater.profiles.cloud.key_file: the key file"), "{problems}");
    let warned = missing_keys(settings.rater());
    assert!(
        warned.len() == 1 && !warned[0].is_error() && warned[0].to_string().contains("would not start here")
    );
    let variable = configuration(
        r#"{"rater": {"profiles": {"c": {"kind": "model", "provider": "anthropic", "model": "m", "key_env": "HALTGATE_TEST_NONE"}}}}"#,
    );
    let problems = Profiles::set_up(variable.rater(), None).unwrap_err().to_string();
    assert!(
        problems.contains("rater.profiles.c.key_env: the environment variable HALTGATE_TEST_NONE is not set"),
        "{problems}"
    );
}

#[tokio::test]
async fn a_reload_keeps_what_did_not_change_and_takes_a_new_key() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("key");
    std::fs::write(&key, KEY).unwrap();
    let server = Server::start(Reply::ok(&openai(&verdict("safe")))).await;
    let first = Profiles::set_up(written(&server, &key, "m").rater(), None).unwrap();
    assert!(rated(&first, Some("cloud")).await.is_ok());
    let same = Profiles::set_up(written(&server, &key, "m").rater(), Some(&first)).unwrap();
    assert_eq!(same.usage()["cloud"].verdicts, 1, "the counters go on");
    assert!(rated(&same, Some("cloud")).await.is_ok());
    assert_eq!(server.count(), 1, "and so do the ratings that are used again");
    std::fs::write(&key, "another-key").unwrap();
    let renewed = Profiles::set_up(written(&server, &key, "m").rater(), Some(&same)).unwrap();
    assert!(rated(&renewed, Some("cloud")).await.is_ok());
    assert_eq!(server.seen()[1].header("authorization"), Some("Bearer another-key"));
    let other = Profiles::set_up(written(&server, &key, "other").rater(), Some(&renewed)).unwrap();
    assert_eq!(other.usage()["cloud"].ratings, 0);
}
