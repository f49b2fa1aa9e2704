//! Invariants 69 to 73: lists and stores.

use crate::harness::{Gate, caller, entry, exact, glob, mcp, mcp_entry, policies, shell, tool, tool_entry};
use haltgate::config::{Overrides, Source, load};
use haltgate::gate::{Action, NoticeKind, Rung, Scope};
use haltgate::rules::{object_text, one_line};
use haltgate::session::{Managed, Operation};
use serde_json::json;

/// The random form of this is in `decision_properties`.
#[tokio::test]
async fn invariant_69_the_order_of_writing_and_of_layers_never_changes_the_outcome() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (glob("git *"), exact("git push"));
    let calls = ["git push", "git status", "make", "git push --force"];
    let mut outcomes = Vec::new();
    for (lower, upper) in [
        (json!([one, two]), json!([])),
        (json!([two, one]), json!([])),
        (json!([one]), json!([two])),
        (json!([two]), json!([one])),
    ] {
        for list in ["deny", "escalate"] {
            let base = folder.path().join("base.jsonc");
            let top = folder.path().join("top.jsonc");
            std::fs::write(&base, json!({ "approvals": { list: lower } }).to_string()).unwrap();
            std::fs::write(
                &top,
                json!({ "extends": "base.jsonc", "approvals": { list: upper } }).to_string(),
            )
            .unwrap();
            let overrides = Overrides { config: Some(top), ..Overrides::default() };
            let loaded = load(&Source { folder: folder.path().to_path_buf(), overrides }).unwrap();
            let policy = loaded.configuration.gate_policy("project", None).unwrap();
            let mut desk = crate::desk::Desk::of(policy.into(), Rung::Assisted);
            outcomes.push((list, calls.map(|command| desk.ask(&shell(command)).told())));
        }
    }
    for list in ["deny", "escalate"] {
        let mut same = outcomes.iter().filter(|(of, _)| *of == list).map(|(_, told)| told);
        let first = same.next().unwrap();
        assert!(same.all(|told| told == first), "{outcomes:?}");
    }
}

#[tokio::test]
async fn invariant_70_the_persisted_grants_are_never_looked_at_on_bypass() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    gate.open("first").await.granted(shell("npm test"), Scope::Always).await;
    let session = gate.open_as("second", |opening| opening.rung = Some(Rung::Bypass)).await;
    assert_eq!(session.action("npm test").await, Action::Approve);
    assert_eq!(session.view().await.persisted_grants, None);
    assert_eq!(session.persisted().await[0].uses, 0, "and none is spent");
}

#[tokio::test]
async fn invariant_71_persistence_is_a_choice_per_decision_and_no_switch() {
    let folder = tempfile::tempdir().unwrap();
    for key in ["persistAllowlist", "allowlist", "strictness"] {
        let file = folder.path().join("haltgate.jsonc");
        std::fs::write(&file, json!({ "approvals": { "mode": "manual", key: true } }).to_string()).unwrap();
        let overrides = Overrides { config: Some(file), ..Overrides::default() };
        let problems =
            load(&Source { folder: folder.path().to_path_buf(), overrides }).unwrap_err().to_string();
        assert!(problems.contains(key), "{problems}");
    }
    assert_eq!(policies(&json!({})).get("project", None).rung, Rung::Assisted);
}

#[tokio::test]
async fn invariant_72_the_migration_notice_comes_once() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let import = || Operation::Import {
        content: json!({ "prefixes": ["npm  test", "a && b"] }).to_string(),
        modified_at: None,
        dry_run: false,
    };
    let mut notices = Vec::new();
    for _ in 0..2 {
        let Managed::Imported(imported) = session.manage(import()).await else { panic!("an import") };
        notices.extend(imported.notices);
    }
    assert_eq!(notices.iter().map(|notice| notice.kind).collect::<Vec<_>>(), [NoticeKind::Migrated]);
    assert_eq!(session.action("npm test").await, Action::Approve);
    assert_eq!(session.action("npm test --watch").await, Action::Escalate, "narrower than the prefix was");
}

#[tokio::test]
async fn invariant_73_what_the_menu_shows_is_what_is_stored() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let calls = [
        shell("git   commit -m 'it''s'"),
        shell("echo \"a  b\""),
        tool("fetch", json!({ "url": "https://a.example" })),
        tool("write_file", json!({ "path": "a" })),
        mcp("jira", "create issue", json!({ "url": "https://b.example/x" })),
    ];
    for call in calls {
        let explained =
            gate.engine.explain("project", Some("a"), "run", &call, &caller("ada")).await.unwrap();
        let (grant, denial) = (explained.grant.unwrap(), explained.denial.unwrap());
        let asked = session.ask(call.clone()).await;
        let stored =
            session.answer(&asked, crate::harness::yes(Scope::Session)).await.answer.unwrap().stored.unwrap();
        assert_eq!(stored, grant);
        let held = session.holdings().await.grants.pop().unwrap();
        assert_eq!((object_text(&held.entry), one_line(&held.entry)), (grant.preview.clone(), grant.summary));
        assert_eq!(
            entry(&serde_json::from_str(&grant.preview).unwrap()),
            held.entry,
            "and it can be pasted into a file"
        );
        session.manage(Operation::Revoke { identity: grant.preview, scope: None }).await;
        session.refused(call.clone()).await;
        assert_eq!(session.view().await.denials.last(), Some(&denial.summary));
        assert_eq!(entry(&serde_json::from_str(&denial.preview).unwrap()), denial.entry);
        assert_eq!(session.ask(call).await.decision.action, Action::Reject);
    }
}

#[tokio::test]
async fn a_grant_is_stored_once_by_its_identity() {
    let gate = Gate::new(
        json!({ "mode": "manual", "escalate": [exact("make"), tool_entry("fetch"), mcp_entry("jira", "get")] }),
    );
    let session = gate.open("a").await;
    for call in [shell("make"), tool("fetch", json!({})), mcp("jira", "get", json!({}))] {
        session.granted(call.clone(), Scope::Session).await;
        session.granted(call, Scope::Session).await;
    }
    assert_eq!(session.holdings().await.grants.len(), 3);
}
