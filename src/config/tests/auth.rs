//! The `auth` block: what it may say, and what is said about the rest.

use super::{Configuration, errors, layered, sound, warnings};
use crate::access::{Projects, Role};
use serde_json::json;
use std::path::PathBuf;

const ISSUER: &str = r#""issuer": "https://login.example", "audience": "haltgate", "jwks_file": "keys.json",
    "callers": [{"claims": {"groups": "ops"}, "role": "operator", "projects": ["web"]}]"#;

fn check(block: &str, expected: &[(&str, &str)]) {
    let found = errors(&format!("{{\"auth\": {block}}}"));
    assert_eq!(found.len(), expected.len(), "{block}\n{found:#?}");
    for (path, part) in expected {
        let says = |line: &&String| line.contains(&format!(" {path}: ")) && line.contains(part);
        assert_eq!(found.iter().filter(says).count(), 1, "{block}\n{found:#?}\nmust say {path}: {part}");
    }
}

#[test]
fn a_block_says_who_may_call_and_reads_back_as_itself() {
    let text = format!(
        r#"{{"auth": {{
            "tokens_file": "tokens.json",
            "jwt": [{{{ISSUER}, "algorithms": ["EdDSA", "PS256"], "leeway": "0s"}}],
            "spiffe": [{{"id": "spiffe://example.org/ns/ai/*", "role": "agent", "projects": "*"}}],
            "trusted_proxies": ["10.1.2.3/16", "loopback"]
        }}}}"#
    );
    let configuration = sound(&[&text]);
    let auth = configuration.auth().unwrap();
    assert_eq!(auth.tokens_file, Some(PathBuf::from("policies/tokens.json")));
    assert_eq!((auth.local_role, auth.accepted().as_str()), (None, "bearer,mtls"));
    assert_eq!(auth.spiffe[0].rights.projects, Projects::All);
    assert_eq!(auth.jwt[0].callers[0].rights.role, Role::Operator);
    let effective = configuration.effective();
    assert_eq!(effective["auth"]["jwt"][0]["refresh"], json!("10m"));
    assert_eq!(effective["auth"]["trusted_proxies"], json!(["loopback", "10.1.0.0/16"]));
    let mut again = effective.clone();
    again["auth"]["tokens_file"] = json!("tokens.json");
    again["auth"]["jwt"][0]["jwks_file"] = json!("keys.json");
    assert_eq!(sound(&[&json!({ "auth": again["auth"] }).to_string()]).auth(), configuration.auth());
}

#[test]
fn without_a_block_nobody_needs_credentials_and_with_one_only_its_change_applies_at_once() {
    let none = Configuration::default();
    assert!(none.auth().is_none() && none.effective().get("auth").is_none());
    let one = sound(&[r#"{"auth": {"local_role": "agent"}}"#]);
    let other = sound(&[r#"{"auth": {"local_role": "auditor"}}"#]);
    assert_eq!(none.waiting_for_restart(&one), ["auth"]);
    assert_eq!(one.waiting_for_restart(&none), ["auth"]);
    assert!(one.waiting_for_restart(&other).is_empty() && one != other);
    assert!(one.without_auth().auth().is_none());
}

#[test]
fn a_higher_file_replaces_the_keys_that_it_states() {
    let both = layered(&[
        r#"{"auth": {"tokens_file": "a.json", "local_role": "agent"}}"#,
        r#"{"auth": {"local_role": "none"}}"#,
    ])
    .unwrap();
    let auth = both.auth().unwrap();
    assert_eq!((auth.tokens_file.is_some(), auth.local_role), (true, None));
}

#[test]
fn a_block_that_admits_nobody_or_more_than_it_seems_to_is_an_error() {
    check("{}", &[("auth", "admits nobody")]);
    check(r#"{"local_role": "none", "jwt": [], "spiffe": []}"#, &[("auth", "haltgate token create")]);
    let spiffe = r#""spiffe": [{"id": "spiffe://a/b", "role": "agent", "projects": "*"}]"#;
    for proxies in [r#"["loopback"]"#, r#"["unix"]"#, r#"["127.0.0.1"]"#] {
        let block = format!(r#"{{"local_role": "admin", {spiffe}, "trusted_proxies": {proxies}}}"#);
        check(&block, &[("auth.local_role", "without a certificate")]);
    }
    check(
        r#"{"tokens_file": "t", "trusted_proxies": ["10.0.0.1"]}"#,
        &[("auth.trusted_proxies", "`spiffe` maps none")],
    );
    check(
        &format!(r#"{{{spiffe}, "trusted_proxies": ["0.0.0.0/0"]}}"#),
        &[("auth.trusted_proxies[0]", "everybody")],
    );
}

#[test]
fn what_is_wrong_in_it_is_named_with_what_to_write_instead() {
    check("1", &[("auth", "admits nobody"), ("auth", "must be an object")]);
    check(r#"{"tokens_file": ""}"#, &[("auth", "admits nobody"), ("auth.tokens_file", "not empty")]);
    check(r#"{"tokens_file": "t", "local_role": "root"}"#, &[("auth.local_role", "\"none\", \"agent\"")]);
    check(r#"{"tokens_file": "t", "token": "x"}"#, &[("auth.token", "known here: tokens_file, jwt")]);
    check(
        r#"{"tokens_file": "t", "spiffe": [{"id": "spiffe://A/b", "role": "x", "projects": []}, {}, 1]}"#,
        &[
            ("auth.spiffe[0].id", "SPIFFE identity"),
            ("auth.spiffe[0].projects", "\"*\" for all"),
            ("auth.spiffe[0].role", "\"agent\""),
            ("auth.spiffe[1].id", "is missing"),
            ("auth.spiffe[1].projects", "is missing"),
            ("auth.spiffe[1].role", "is missing"),
            ("auth.spiffe[2]", "must be an object"),
        ],
    );
    check(
        r#"{"tokens_file": "t", "trusted_proxies": ["localhost", 1, "10.0.0.0/33"], "spiffe": [{"id": "spiffe://a/b", "role": "agent", "projects": ["*"]}]}"#,
        &[
            ("auth.trusted_proxies[0]", "\"loopback\""),
            ("auth.trusted_proxies[1]", "not 1"),
            ("auth.trusted_proxies[2]", "a network such as"),
            ("auth.spiffe[0].projects[0]", "is not a project"),
        ],
    );
}

#[test]
fn tokens_of_others_are_signed_with_key_pairs_for_this_gate_by_one_issuer_each() {
    let jwt = |issuers: &str| format!(r#"{{"tokens_file": "t", "jwt": [{issuers}]}}"#);
    check(
        &jwt("{}"),
        &[
            ("auth.jwt[0].audience", "is missing"),
            ("auth.jwt[0].callers", "is missing"),
            ("auth.jwt[0].issuer", "is missing"),
            ("auth.jwt[0].jwks_file", "is missing"),
        ],
    );
    for (algorithms, part) in [
        (r#"["HS256"]"#, "a secret that the gate would share"),
        (r#"["none"]"#, "signs nothing"),
        (r#"["RS1"]"#, "\"RS256\""),
    ] {
        let issuer = format!("{{{ISSUER}, \"algorithms\": {algorithms}}}");
        check(&jwt(&issuer), &[("auth.jwt[0].algorithms[0]", part)]);
    }
    check(
        &jwt(&format!("{{{ISSUER}, \"algorithms\": []}}")),
        &[("auth.jwt[0].algorithms", "not an empty one")],
    );
    for (url, part) in [
        ("http://login.example/keys", "which keys are believed in the open"),
        ("https://u:p@login.example/keys", "a user or a password"),
        ("ftp://login.example/keys", "not an HTTPS address"),
    ] {
        let issuer = ISSUER.replace("\"jwks_file\": \"keys.json\"", &format!("\"jwks_url\": {url:?}"));
        check(&jwt(&format!("{{{issuer}}}")), &[("auth.jwt[0].jwks_url", part)]);
    }
    let issuer = ISSUER.replace("\"jwks_file\"", "\"jwks_url\": \"https://a/b\", \"jwks_file\"");
    check(&jwt(&format!("{{{issuer}}}")), &[("auth.jwt[0].jwks_url", "keep one")]);
    check(&jwt(&format!("{{{ISSUER}}}, {{{ISSUER}}}")), &[("auth.jwt[1].issuer", "stands there before")]);
    let second = ISSUER.replace("login", "other");
    check(&jwt(&format!("{{{ISSUER}}}, {{{second}}}")), &[("auth.jwt[1].name_prefix", "give each one")]);
    for (one, other, sound) in
        [("staff:", "other:", true), ("", "other:", false), ("staff:", "staff:x", false)]
    {
        let issuers =
            format!("{{{ISSUER}, \"name_prefix\": {one:?}}}, {{{second}, \"name_prefix\": {other:?}}}");
        assert_eq!(errors(&format!("{{\"auth\": {}}}", jwt(&issuers))).is_empty(), sound, "{one} {other}");
    }
    let callers = |callers: &str| {
        jwt(&format!(r#"{{"issuer": "i", "audience": ["a", "b"], "jwks_file": "k", "callers": {callers}}}"#))
    };
    check(&callers("[]"), &[("auth.jwt[0].callers", "admits nobody")]);
    check(
        &callers(
            r#"[{"claims": {"a": 1, "b": [""], "c": []}, "role": "agent", "projects": "all"}, {"role": "agent", "projects": "*"}]"#,
        ),
        &[
            ("auth.jwt[0].callers[0].projects", "\"*\" for all"),
            ("auth.jwt[0].callers[0].claims.a", "a list of them"),
            ("auth.jwt[0].callers[0].claims.b", "none empty"),
            ("auth.jwt[0].callers[0].claims.c", "none empty"),
            ("auth.jwt[0].callers[1].claims", "fits every token"),
        ],
    );
}

#[test]
fn an_identity_that_an_earlier_entry_means_already_is_warned_of() {
    let found = warnings(&[r#"{"auth": {"spiffe": [
        {"id": "spiffe://a/ns/*", "role": "agent", "projects": "*"},
        {"id": "spiffe://a/ns/x", "role": "admin", "projects": "*"},
        {"id": "spiffe://a/ns/y/*", "role": "admin", "projects": "*"},
        {"id": "spiffe://a/other", "role": "admin", "projects": "*"}]}}"#]);
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found.iter().all(|line| line.contains("spiffe://a/ns/* stands before it")), "{found:#?}");
}

#[test]
fn what_the_documentation_shows_is_sound() {
    let page = include_str!("../../../docs/access.md");
    let blocks: Vec<&str> =
        page.split("```jsonc\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5, "{}", blocks.len());
    for block in blocks {
        assert!(sound(&[block]).auth().is_some(), "{block}");
    }
}
