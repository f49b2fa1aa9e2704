//! The policy that the gate decides by.

use super::sound;
use crate::gate::Rung;
use crate::rules::{Found, Hosts, ListKind, Target};

#[test]
fn a_compiled_policy_carries_the_posture_and_its_matches_lead_back_to_the_line() {
    let text = "{\"approvals\": {\"mode\": \"write\", \"deny\": [\n{\"type\": \"tool\", \"matcher\": \"exact\", \"pattern\": \"a\"},\n{\"type\": \"tool\", \"matcher\": \"glob\", \"pattern\": \"b*\"}]},
        \"mcpServers\": {\"jira\": {}}, \"commands\": {\"c\": {\"approvals\": {\"mode\": \"manual\", \"raterTimeoutMs\": 7}}}}";
    let configuration = sound(&[text]);
    let policy = configuration.gate_policy("any", Some("c")).unwrap();
    assert_eq!((policy.rung, policy.rater_timeout_ms), (Rung::Manual, 7));
    assert_eq!(policy.mcp_servers, ["jira"]);
    assert_eq!(policy.revision, configuration.project_revision("any"));
    assert_eq!(
        configuration.gate_policy("any", None).unwrap().rater_timeout_ms,
        30_000,
        "the rater's own default"
    );
    let target = Target::Tool { name: "bb", hosts: &Hosts::default(), annotations: None };
    let Found::Match { index, .. } = policy.deny.find(&target) else { panic!("must match") };
    let posture = configuration.posture("any", Some("c"));
    assert_eq!(posture.list(ListKind::Deny)[index].origin.to_string(), "0.jsonc:3:1: approvals.deny[1]");
}

#[test]
fn a_hundred_thousand_entries_are_read_with_their_lines() {
    let entry = |index: usize| {
        format!(r#"{{"type":"shell","matcher":"exact","pattern":"git checkout feature-{index}"}}"#)
    };
    let entries: Vec<String> = (0..100_000).map(entry).collect();
    let text = format!("{{\"approvals\": {{\"allow\": [\n{}]}}}}", entries.join(",\n"));
    let posture = sound(&[&text]).posture("any", None);
    assert_eq!(posture.allow.len(), 100_000);
    assert_eq!(posture.allow[99_999].origin.position.line, 100_001);
}
