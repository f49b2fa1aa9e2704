//! Profiles of models and cascades: what they may say, and that they never hold a key.

use super::{errors, layered, sound, warnings};
use crate::config::{KeySource, ModelProvider, RaterProfile, lint};
use std::path::PathBuf;
use std::time::Duration;

/// The errors of one profile, without their places.
fn profile_errors(profile: &str) -> Vec<String> {
    let text = format!(r#"{{"rater": {{"profiles": {{"m": {profile}}}}}}}"#);
    errors(&text).into_iter().map(|line| line.splitn(3, ':').last().unwrap().trim().to_owned()).collect()
}

fn model(text: &str) -> crate::config::ModelProfile {
    let configuration = sound(&[&format!(r#"{{"rater": {{"profiles": {{"m": {text}}}}}}}"#)]);
    match configuration.rater().profiles.get("m") {
        Some(RaterProfile::Model(profile)) => profile.as_ref().clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_model_needs_little_and_says_where_its_key_is() {
    let openai = model(
        r#"{"kind": "model", "provider": "openai", "model": "gpt-5-mini", "key_env": "OPENAI_API_KEY"}"#,
    );
    assert_eq!(openai.base_url.as_str(), "https://api.openai.com/v1");
    assert_eq!(openai.key, Some(KeySource::Environment("OPENAI_API_KEY".to_owned())));
    assert_eq!((openai.max_concurrent, openai.retries, openai.prices), (8, 2, None));
    assert_eq!(openai.label(), "openai/gpt-5-mini");
    let anthropic = model(
        r#"{"kind": "model", "provider": "anthropic", "model": "claude", "key_file": "secrets/key", "retries": 0,
            "prompt_price": 0.8, "completion_price": 4, "circuit_pause": "1m", "max_output_tokens": 512}"#,
    );
    assert_eq!(anthropic.key, Some(KeySource::File(PathBuf::from("policies/secrets/key"))));
    let prices = anthropic.prices.unwrap();
    assert_eq!((prices.prompt_micros, prices.completion_micros), (800_000, 4_000_000));
    assert_eq!((anthropic.circuit_pause, anthropic.retries), (Duration::from_secs(60), 0));
    let ollama =
        model(r#"{"kind": "model", "provider": "ollama", "model": "gemma4:12b", "context_tokens": 32768}"#);
    assert_eq!((ollama.key, ollama.context_tokens), (None, 32_768));
    assert_eq!(ollama.provider, ModelProvider::Ollama);
}

#[test]
fn bad_profiles_say_what_to_write_instead() {
    let local = r#""kind": "model", "provider": "openai", "model": "x", "base_url": "http://127.0.0.1:1/v1""#;
    for (profile, parts) in [
        (
            r#"{"kind": "model"}"#.to_owned(),
            vec!["m.provider: is missing: write openai, anthropic or ollama", "m.model: is missing"],
        ),
        (
            r#"{"kind": "model", "provider": "azure", "model": "x"}"#.to_owned(),
            vec!["must be one of \"openai\", \"anthropic\", \"ollama\""],
        ),
        (
            r#"{"kind": "model", "provider": "openai", "model": "x"}"#.to_owned(),
            vec!["m.key_env: is missing: name the environment variable"],
        ),
        (
            r#"{"kind": "model", "provider": "anthropic", "model": "x"}"#.to_owned(),
            vec!["m.key_env: is missing"],
        ),
        (
            format!(r#"{{{local}, "key_env": "A", "key_file": "b"}}"#),
            vec!["m.key_file: stands beside `key_env`"],
        ),
        (
            format!(r#"{{{local}, "key_env": "sk-live-1"}}"#),
            vec!["m.key_env: is not the name of an environment variable"],
        ),
        (
            format!(r#"{{{local}, "api_key": "sk-live-1"}}"#),
            vec!["m.api_key: keys do not belong into a policy", "`key_env`"],
        ),
        (format!(r#"{{{local}, "retries": 9}}"#), vec!["from 0 to 5"]),
        (format!(r#"{{{local}, "max_concurrent": 0}}"#), vec!["from 1 to"]),
        (
            format!(r#"{{{local}, "prompt_price": 1}}"#),
            vec!["m.completion_price: is missing beside `prompt_price`"],
        ),
        (
            format!(r#"{{{local}, "prompt_price": -1, "completion_price": 1}}"#),
            vec!["what a million tokens cost"],
        ),
        (format!(r#"{{{local}, "context_tokens": 16384}}"#), vec!["is a setting of Ollama alone"]),
        (format!(r#"{{{local}, "temperature": 1}}"#), vec!["is not a setting"]),
        (r#"{"kind": "cascade"}"#.to_owned(), vec!["needs a `second`"]),
        (
            r#"{"kind": "cascade", "second": "gone"}"#.to_owned(),
            vec!["m.second: there is no rater profile \"gone\"", "kind \"model\""],
        ),
        (
            r#"{"kind": "cascade", "second": "builtin"}"#.to_owned(),
            vec!["m.second: the rater profile \"builtin\" is no model"],
        ),
        (
            r#"{"kind": "cascade", "second": "m"}"#.to_owned(),
            vec!["m.second: the rater profile \"m\" is no model"],
        ),
    ] {
        let found = profile_errors(&profile).join("\n");
        for part in parts {
            assert!(found.contains(part), "{profile}\n{found}\nmust say {part}");
        }
        assert!(!found.contains("sk-live"), "a key is never repeated: {found}");
    }
}

#[test]
fn an_address_is_https_or_this_machine_and_holds_no_secret() {
    let with = |provider: &str, address: &str| {
        profile_errors(&format!(
            r#"{{"kind": "model", "provider": "{provider}", "model": "x", "base_url": "{address}"}}"#
        ))
        .join("\n")
    };
    for address in [
        "https://llm.example/v1",
        "https://10.0.0.1:8443/v1/",
        "http://127.0.0.1:8000/v1",
        "http://127.8.9.1/v1",
        "http://[::1]:8000/v1",
        "http://localhost:8000/v1",
    ] {
        assert_eq!(with("openai", address), "", "{address}");
    }
    for (address, part) in [
        ("http://llm.example/v1", "in the open"),
        ("http://10.0.0.1/v1", "in the open"),
        ("http://localhost.example/v1", "in the open"),
        ("http://127.0.0.1.example/v1", "in the open"),
        ("ftp://127.0.0.1/v1", "is not an HTTPS address"),
        ("file:///etc/passwd", "is not an HTTPS address"),
        ("llm.example", "is not an address"),
        ("https://me:hunter2@llm.example/v1", "holds a user or a password"),
        ("https://llm.example/v1?key=hunter2", "holds a `?`"),
        ("https://llm.example/v1/chat/completions", "leave that out"),
    ] {
        let found = with("openai", address);
        assert!(found.contains("m.base_url") && found.contains(part), "{address}: {found}");
        assert!(!found.contains("hunter2"), "{found}");
    }
    assert!(with("anthropic", "https://api.anthropic.com/v1").contains("ends in `/v1`"));
    assert!(with("ollama", "http://127.0.0.1:11434/api/").contains("ends in `/api`"));
}

#[test]
fn a_cascade_may_name_a_model_of_another_file_and_reads_back_as_itself() {
    let below = r#"{"rater": {"profiles": {"cloud": {"kind": "model", "provider": "openai", "model": "x", "key_env": "K",
        "prompt_price": 0.25, "completion_price": 2}}}}"#;
    let above = r#"{"rater": {"profiles": {"both": {"kind": "cascade", "second": "cloud"},
        "local": {"kind": "model", "provider": "ollama", "model": "y", "key_file": "/k"}}}, "approvals": {"rater": "both"}}"#;
    let first = sound(&[below, above]);
    let again = layered(&[&first.effective().to_string()]).unwrap();
    assert_eq!(again.rater(), first.rater());
    assert_eq!(again.revision(), first.revision());
    let other = sound(&[below, above, &below.replace("\"x\"", "\"z\"")]);
    assert_ne!(other.revision(), first.revision(), "another model decides otherwise");
}

#[test]
fn a_profile_that_nothing_chooses_is_named() {
    let unused = r#"{"rater": {"profiles": {"cloud": {"kind": "model", "provider": "ollama", "model": "x"},
        "both": {"kind": "cascade", "second": "cloud"}}}"#;
    let lints = |rest: &str| {
        let configuration = sound(&[&format!("{unused}{rest}}}")]);
        lint(&configuration).list().iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let found = lints("");
    assert_eq!(found.len(), 1, "the cascade's model is used by it: {found:?}");
    assert!(
        found[0].contains("rater.profiles.both") && found[0].contains("\"rater\": \"both\""),
        "{found:?}"
    );
    assert!(lints(r#", "approvals": {"rater": "both"}"#).is_empty());
    assert!(
        lints(r#", "projects": {"p": {"commands": {"c": {"approvals": {"rater": "both"}}}}}"#).is_empty()
    );
    assert!(warnings(&[&format!("{unused}}}")]).is_empty(), "a lint, not a warning of every start");
}
