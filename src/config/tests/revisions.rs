//! When two configurations have the same revision.

use super::{layered, sound};

const POLICY: &str = r#"{"approvals": {"mode": "auto", "deny": [{"type": "tool", "matcher": "exact", "pattern": "x", "host": "h.example"}]},
    "projects": {"shop": {"approvals": "manual"}}, "mcpServers": {"b": {}, "a": {}}}"#;

#[test]
fn layout_comments_key_order_sugar_and_the_split_into_files_do_not_change_the_revision() {
    let first = sound(&[POLICY]);
    let spaced = r#"// the same
        { "mcpServers": { "a": { "command": "other" }, "b": 1 }, "projects": { "shop": { "approvals": { "mode": "manual" } } },
          "approvals": { "deny": [ { "host": "h.example", "pattern": "x", "matcher": "exact", "type": "tool", }, ], "mode": "auto" } }"#;
    let base = r#"{"approvals": {"mode": "bypass", "deny": [{"type": "tool", "matcher": "exact", "pattern": "x", "host": "h.example"}]},
        "mcpServers": {"a": {}}}"#;
    let over =
        r#"{"approvals": "auto", "projects": {"shop": {"approvals": "manual"}}, "mcpServers": {"b": {}}}"#;
    for texts in [
        vec![spaced],
        vec![base, over],
        vec![POLICY, r#"{"log": {"level": "debug"}, "server": {"max_wait": "1s"}}"#],
    ] {
        let other = sound(&texts);
        assert_eq!(other.revision(), first.revision(), "{texts:?}");
        assert_eq!(other.project_revision("shop"), first.project_revision("shop"), "{texts:?}");
    }
    assert_eq!(first.revision().len(), 16);
}

#[test]
fn every_change_that_can_change_a_decision_changes_the_revision() {
    let first = sound(&[POLICY]);
    for over in [
        r#"{"approvals": "assisted"}"#,
        r#"{"approvals": {"deny": [{"type": "shell", "matcher": "exact", "pattern": "y"}]}}"#,
        r#"{"approvals": {"allow": []}}"#,
        r#"{"approvals": {"raterTimeoutMs": 1}}"#,
        r#"{"approvals": {"gate_scope": "every_call"}}"#,
        r#"{"approvals": {"mcp": {"servers": {"a": {"trustAnnotations": []}}}}}"#,
        r#"{"commands": {"code": {"approvals": "auto"}}}"#,
        r#"{"projects": {"shop": {"approvals": "write"}}}"#,
        r#"{"mcpServers": {"c": {}}}"#,
        r#"{"rater": {"reuse_ratings": false}}"#,
    ] {
        assert_ne!(sound(&[POLICY, over]).revision(), first.revision(), "{over}");
    }
}

#[test]
fn a_project_without_a_block_has_the_revision_of_one_whose_block_says_nothing() {
    let plain = sound(&[r#"{"approvals": "auto"}"#]);
    let empty = sound(&[
        r#"{"approvals": "auto", "projects": {"shop": {}, "bank": {"approvals": "auto"}, "other": {"approvals": "manual"}}}"#,
    ]);
    assert_eq!(plain.project_revision("shop"), empty.project_revision("shop"));
    assert_eq!(plain.project_revision("shop"), empty.project_revision("bank"));
    assert_ne!(plain.project_revision("shop"), empty.project_revision("other"));
    assert_eq!(empty.project_revision("never heard of"), empty.project_revision("shop"));
}

#[test]
fn what_is_printed_as_effective_reads_back_as_the_same_settings() {
    let first = sound(&[
        POLICY,
        r#"{"approvals": {"rater": "", "allow": [], "mcp": {"defaults": {"trustAnnotations": ["readOnlyHint"]}, "servers": {"a": {}}}},
            "retention": {"max_age": "2h"}, "log": {"level": "warn"}}"#,
    ]);
    let again = layered(&[&first.effective().to_string()]).unwrap();
    assert_eq!(
        again.effective().to_string(),
        first.effective().to_string().replace("./haltgate.db", "policies/./haltgate.db")
    );
    assert_eq!(again.revision(), first.revision());
}

#[test]
fn what_a_running_gate_cannot_take_over_is_named() {
    let first = sound(&[POLICY]);
    let second = sound(&[
        POLICY,
        r#"{"log": {"level": "debug"}, "server": {"max_wait": "1s"}, "retention": {"max_age": "1d"}}"#,
    ]);
    assert_eq!(first.waiting_for_restart(&second), ["server", "log"]);
    assert!(first.waiting_for_restart(&first.clone()).is_empty());
}
