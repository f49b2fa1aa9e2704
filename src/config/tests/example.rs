//! The example file tells the truth.

use super::super::{
    admin, agents, approvals, auth, configuration, ext_authz, limits, log, notifications, policy, rater,
    server, store, telemetry,
};
use super::{Configuration, sound};
use std::path::PathBuf;

const EXAMPLE: &str = include_str!("../../../docs/haltgate.example.jsonc");

#[test]
fn the_example_loads_and_says_the_defaults() {
    let example = sound(&[EXAMPLE]);
    let defaults = Configuration::default();
    assert_eq!(example.posture("any", None), defaults.posture("any", None));
    assert_eq!(example.policy().root.agents.bounds(), defaults.policy().root.agents.bounds());
    assert_eq!(example.rater(), defaults.rater());
    assert_eq!(example.server(), defaults.server());
    assert_eq!(example.limits(), defaults.limits());
    assert_eq!(example.retention(), defaults.retention());
    assert_eq!(example.notifications(), defaults.notifications());
    assert_eq!(example.ext_authz(), defaults.ext_authz());
    assert_eq!(example.log(), defaults.log());
    assert_eq!(example.admin(), defaults.admin());
    assert_eq!(example.telemetry(), defaults.telemetry());
    assert_eq!(example.store().path, PathBuf::from("policies").join(&defaults.store().path));
    assert_eq!(example.store().ephemeral, defaults.store().ephemeral);
    assert!(example.policy().projects.is_empty() && example.mcp_server_keys("any").is_empty());
}

#[test]
fn the_example_names_every_setting() {
    let keys = [
        configuration::KEYS.as_slice(),
        &approvals::KEYS,
        &policy::KEYS,
        &agents::KEYS,
        &rater::KEYS,
        &server::KEYS,
        &auth::KEYS,
        &auth::SPIFFE_KEYS,
        &auth::JWT_KEYS,
        &auth::CALLER_KEYS,
        &limits::KEYS,
        &limits::CALLER_KEYS,
        &limits::RATING_KEYS,
        &store::KEYS,
        &store::RETENTION_KEYS,
        &notifications::KEYS,
        &notifications::WEBHOOK_KEYS,
        &ext_authz::KEYS,
        &ext_authz::SERVER_KEYS,
        &log::KEYS,
        &admin::KEYS,
        &telemetry::KEYS,
    ];
    for key in keys.concat() {
        assert!(EXAMPLE.contains(&format!("\"{key}\":")), "{key}");
    }
}

#[test]
fn the_values_that_the_example_only_mentions_are_valid() {
    // Each line of the form `// "key": value,` is switched on; what stands in prose has no such form.
    let mut switched_on = 0;
    let text: Vec<String> = EXAMPLE
        .lines()
        .map(|line| match line.trim_start().strip_prefix("// \"").filter(|rest| rest.ends_with(',')) {
            Some(setting) if !setting.starts_with("extends") => {
                switched_on += 1;
                format!("\"{setting}")
            }
            _ => line.to_owned(),
        })
        .collect();
    assert_eq!(switched_on, 14);
    let configuration = sound(&[&text.join("\n")]);
    assert_eq!(configuration.retention().max_age.unwrap().as_secs(), 90 * 86_400);
    assert_eq!(configuration.posture("any", None).rater_timeout_ms, Some(30_000));
    assert_eq!(configuration.policy().root.agents.loosest_rung, Some(crate::gate::Rung::Assisted));
}
