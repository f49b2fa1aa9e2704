//! Looking at a session changes nothing, and says what was loaded and what was not.

use crate::support::*;
use haltgate::proto::v1 as pb;
use pb::{Action, Rung, Scope};

const ALLOWED: &str =
    r#"{ "mode": "manual", "allow": [{ "type": "shell", "matcher": "exact", "pattern": "cargo test" }] }"#;

/// A gate whose project holds a grant that no session has looked at yet.
async fn seeded() -> Gate {
    let gate = Gate::with(ALLOWED).await;
    gate.manage("", granting(shell_entry("ls"), Scope::Always)).await;
    gate.open(opening("s")).await;
    gate
}

async fn always(gate: &Gate) -> Option<u32> {
    gate.get("s").await.counts.unwrap().always
}

#[tokio::test]
async fn the_persisted_grants_are_not_touched_until_a_gated_call_needs_them_11() {
    let gate = seeded().await;
    assert_eq!(always(&gate).await, None);
    gate.decide(ask("s", tool_call("read_file", ""))).await;
    assert_eq!(always(&gate).await, None, "the call was not gated");
    gate.decide(shell("s", "pwd")).await;
    assert_eq!(always(&gate).await, Some(1));
}

#[tokio::test]
async fn counting_and_listing_never_load_them_25_28() {
    let gate = seeded().await;
    for _ in 0..2 {
        assert_eq!(always(&gate).await, None, "absent is not 0");
        assert!(gate.held("s").await.0.is_empty());
    }
    assert_eq!(gate.held("").await.0.len(), 1, "the project's own list has it");
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    assert_eq!(gate.held("s").await.0.len(), 1);
}

#[tokio::test]
async fn they_are_never_loaded_at_bypass_70() {
    let gate = seeded().await;
    gate.set_rung("s", Rung::Bypass).await;
    gate.decide(shell("s", "pwd")).await;
    assert_eq!(always(&gate).await, None);
}

#[tokio::test]
async fn the_denylist_shows_declared_entries_and_then_denials_26() {
    let gate = Gate::with(
        r#"{ "deny": [{ "type": "shell", "matcher": "exact", "pattern": "zz" }, { "type": "shell", "matcher": "exact", "pattern": "aa" }] }"#,
    )
    .await;
    gate.open(opening("s")).await;
    gate.manage("s", denying(shell_entry("mm"))).await;
    gate.manage("s", denying(shell_entry("bb"))).await;
    let lines = gate.get("s").await.denylist;
    let order: Vec<&str> = lines.iter().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(order, ["zz", "aa", "mm", "bb"]);
}

#[tokio::test]
async fn declared_entries_are_counted_and_are_no_grants_8_27() {
    let gate = Gate::with(ALLOWED).await;
    gate.open(opening("s")).await;
    assert!(gate.held("s").await.0.is_empty());
    let counts = gate.get("s").await.counts.unwrap();
    assert_eq!(
        (counts.session, counts.denials),
        (1, 0),
        "session grants and declared allow entries together"
    );
    gate.manage("s", granting(shell_entry("git checkout main"), Scope::Session)).await;
    gate.manage("s", denying(shell_entry("ls"))).await;
    let counts = gate.get("s").await.counts.unwrap();
    assert_eq!((counts.session, counts.denials), (2, 1));
    assert_eq!(gate.decide(shell("s", "git checkout main")).await.action(), Action::Approve);
    assert_eq!(gate.decide(shell("s", "git checkout main --force")).await.action(), Action::Escalate);
    assert_eq!(gate.holdings("s").await.0.len(), 1, "the declared entry is not among the grants");
}

#[tokio::test]
async fn looking_twice_shows_the_same_29() {
    let gate = seeded().await;
    gate.decide(shell("s", "pwd")).await;
    gate.manage("s", denying(shell_entry("id"))).await;
    let head = gate.verify().await.head_sequence;
    assert_eq!(gate.held("s").await, gate.held("s").await);
    assert_eq!(gate.get("s").await, gate.get("s").await);
    assert_eq!(gate.records_of("s").await, gate.records_of("s").await);
    assert_eq!(gate.verify().await.head_sequence, head, "looking is not recorded");
}

#[tokio::test]
async fn the_server_says_which_it_is_and_under_which_policy() {
    let gate = seeded().await;
    let info = gate.info().await;
    assert_eq!(info.version, env!("CARGO_PKG_VERSION"));
    assert!(info.contract_version.starts_with("v1."));
    assert!(!info.policy_revision.is_empty() && info.policy_loaded_at.is_some() && info.started_at.is_some());
    assert!(!info.ephemeral);
    let same = seeded().await.info().await;
    assert_eq!(same.policy_revision, info.policy_revision, "equal policies, equal revisions");
    let other = Gate::at("write").await.info().await;
    assert_ne!(other.policy_revision, info.policy_revision);
    let unused = pb::GetServerInfoRequest { project: "never-used".to_owned() };
    let unused = gate.client.clone().get_server_info(unused).await.unwrap().into_inner();
    assert_eq!(unused.policy_revision, info.policy_revision, "the root policy");
}
