//! Invariants 24 to 36: what can be seen of a session, and that looking changes nothing.

use crate::harness::{Gate, all_safe, caller, declares, exact, mcp, mcp_entry, shell, tool, trusting};
use haltgate::gate::{Action, GrantScope, NoticeKind, Outcome, RejectScope, Rung, Scope, Stage, Terms};
use haltgate::rules::{Hint, one_line};
use haltgate::session::{Managed, Operation, TrustResult};
use serde_json::json;

#[tokio::test]
async fn invariant_24_records_list_every_decision_oldest_first() {
    let gate = Gate::new(json!({ "deny": [exact("no")] }));
    let session = gate.open("a").await;
    session.shell("ls").await;
    session.shell("no").await;
    gate.rater.say(Outcome::Attack);
    session.shell("cat ~/.ssh/id_rsa").await;
    let actions: Vec<Action> =
        session.decisions().await.iter().map(|ruling| ruling.decision.action).collect();
    assert_eq!(actions, [Action::Approve, Action::Reject, Action::Halt]);
    assert_eq!(gate.engine.verify_audit("project", None).await.unwrap().broken, None);
}

#[tokio::test]
async fn invariant_25_counts_never_look_at_the_persisted_grants() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    gate.open("first").await.granted(shell("npm test"), Scope::Always).await;
    let session = gate.open("second").await;
    for _ in 0..2 {
        assert_eq!(session.view().await.persisted_grants, None);
    }
    session.shell("npm test").await;
    assert_eq!(session.view().await.persisted_grants, Some(1));
}

#[tokio::test]
async fn invariant_26_the_deny_list_shows_declared_then_runtime_entries() {
    let gate = Gate::new(json!({ "mode": "manual", "deny": [exact("b"), exact("a")] }));
    let session = gate.open("a").await;
    session.deny(&exact("d")).await;
    session.refused(shell("c")).await;
    let view = session.view().await;
    let declared = view.policy.deny.entries().map(one_line);
    assert_eq!(declared.chain(view.denials.clone()).collect::<Vec<_>>(), ["b", "a", "d", "c"]);
}

#[tokio::test]
async fn invariant_27_grants_exclude_what_is_declared() {
    let gate = Gate::new(json!({ "allow": [exact("npm test")] }));
    let session = gate.open("a").await;
    session.shell("npm test").await;
    assert!(session.holdings().await.grants.is_empty());
}

#[tokio::test]
async fn invariant_28_listing_grants_never_looks_at_the_persisted_ones() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    gate.open("first").await.granted(shell("npm test"), Scope::Always).await;
    let session = gate.open("second").await;
    for _ in 0..2 {
        assert!(session.holdings().await.grants.is_empty());
    }
    session.shell("ls").await;
    assert_eq!(session.holdings().await.grants.len(), 1);
}

#[tokio::test]
async fn invariant_29_listed_grants_are_copies() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.granted(shell("npm test"), Scope::Session).await;
    let mut listed = session.holdings().await.grants;
    listed[0].max_uses = Some(0);
    listed[0].entry = crate::harness::entry(&exact("rm -rf ."));
    assert_eq!(session.holdings().await.grants, session.holdings().await.grants);
    assert_ne!(session.holdings().await.grants, listed);
    assert_eq!(session.action("npm test").await, Action::Approve);
    assert_eq!(session.action("rm -rf .").await, Action::Escalate);
}

async fn trust(
    session: &crate::harness::Session,
    server: &str,
    believe: &[Hint],
    disbelieve: &[Hint],
) -> TrustResult {
    let operation = Operation::Trust {
        server: server.to_owned(),
        believe: believe.to_vec(),
        disbelieve: disbelieve.to_vec(),
        predict: false,
    };
    match session.manage(operation).await {
        Managed::Trusted(result) => *result,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn invariant_30_the_trust_view_lists_every_key_that_either_side_names() {
    let mcp = json!({ "defaults": { "trustAnnotations": ["openWorldHint"] }, "servers": { "jria": { "trustAnnotations": [] } } });
    let gate = Gate::new(json!({ "mcp": mcp }));
    let session = gate.open("a").await;
    let (defaults, servers) = gate.engine.trust("project", "a").await.unwrap();
    assert_eq!(defaults, [Hint::OpenWorld]);
    let shown: Vec<_> =
        servers.iter().map(|row| (row.server.as_str(), row.configured, row.trusted.clone())).collect();
    assert_eq!(
        shown,
        [
            ("github", true, vec![Hint::OpenWorld]),
            ("jira", true, vec![Hint::OpenWorld]),
            ("jria", false, vec![])
        ]
    );
    trust(&session, "typo", &[Hint::ReadOnly], &[]).await;
    let (_, servers) = gate.engine.trust("project", "a").await.unwrap();
    let typo = servers.iter().find(|row| row.server == "typo").unwrap();
    assert_eq!(
        (typo.configured, typo.changed, typo.trusted.as_slice()),
        (false, true, &[Hint::ReadOnly, Hint::OpenWorld][..])
    );
}

#[tokio::test]
async fn invariant_31_trust_is_granular_to_the_hint() {
    let gate = Gate::new(json!({}));
    let session = gate.open("a").await;
    trust(&session, "jira", &[Hint::ReadOnly], &[]).await;
    trust(&session, "jira", &[Hint::OpenWorld], &[]).await;
    let last = trust(&session, "jira", &[], &[Hint::ReadOnly]).await;
    assert_eq!(
        (last.trusted.as_slice(), last.removed.as_slice()),
        (&[Hint::OpenWorld][..], &[Hint::ReadOnly][..])
    );
}

#[tokio::test]
async fn invariant_32_a_change_of_trust_starts_from_what_is_in_force() {
    let gate = Gate::new(json!({ "mcp": { "defaults": { "trustAnnotations": ["openWorldHint"] } } }));
    let session = gate.open("a").await;
    let result = trust(&session, "jira", &[Hint::ReadOnly], &[]).await;
    assert_eq!(result.trusted, [Hint::ReadOnly, Hint::OpenWorld]);
    assert_eq!((result.added.as_slice(), result.configured), (&[Hint::ReadOnly][..], true));
    let again = trust(&session, "jira", &[Hint::ReadOnly], &[]).await;
    assert!(again.added.is_empty() && again.removed.is_empty());
}

#[tokio::test]
async fn invariant_33_a_change_of_trust_lasts_no_longer_than_the_session() {
    let gate =
        Gate::new(json!({ "mcp": { "servers": { "jira": { "trustAnnotations": ["openWorldHint"] } } } }));
    let session = gate.open("a").await;
    trust(&session, "jira", &[Hint::ReadOnly], &[]).await;
    gate.open("b").await;
    let (_, servers) = gate.engine.trust("project", "b").await.unwrap();
    assert_eq!(servers.iter().find(|row| row.server == "jira").unwrap().trusted, [Hint::OpenWorld]);
}

#[tokio::test]
async fn invariant_34_believed_hints_never_give_more_than_a_built_in_would_get() {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let session = gate.open("a").await;
    session.declare(vec![declares("jira", "read_file", &all_safe())]).await;
    assert_eq!(session.ask(mcp("jira", "read_file", json!({}))).await.decision.action, Action::Escalate);
    assert_eq!(
        session.ask(tool("gth_status_update", json!({}))).await.decision.action,
        Action::Escalate,
        "the same hints, built in"
    );
}

#[tokio::test]
async fn invariant_35_a_withdrawal_of_trust_only_foretells() {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let session = gate.open("a").await;
    session.declare(vec![declares("jira", "get", &all_safe())]).await;
    let get = || mcp("jira", "get", json!({}));
    session.granted(get(), Scope::Session).await;
    let result = trust(&session, "jira", &[], &[Hint::ReadOnly]).await;
    assert_eq!(result.invalidates.len(), 1);
    assert_eq!(session.holdings().await.grants.len(), 1, "nothing is removed yet");
    let next = session.ask(get()).await;
    assert_eq!(next.decision.action, Action::Escalate);
    assert!(next.decision.notices.iter().any(|notice| notice.kind == NoticeKind::GrantWithdrawn));
    assert!(session.holdings().await.grants.is_empty());
    let next = trust(&session, "jira", &[], &[Hint::OpenWorld]).await;
    assert!(next.invalidates.is_empty());
}

#[tokio::test]
async fn invariant_36_what_is_foretold_is_what_the_gate_then_withdraws() {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let session = gate.open("a").await;
    let tools = ["plain", "rated", "unrated", "hosted"];
    session.declare(tools.iter().map(|name| declares("jira", name, &all_safe())).collect()).await;
    let with = |name: &str, key: &str, value: serde_json::Value| {
        let mut entry = mcp_entry("jira", name);
        entry[key] = value;
        entry
    };
    session.grant(&mcp_entry("jira", "plain"), GrantScope::Session, Terms::default()).await;
    session.grant(&with("rated", "rate", json!(true)), GrantScope::Always, Terms::default()).await;
    session.grant(&with("unrated", "rate", json!(false)), GrantScope::Session, Terms::default()).await;
    session.grant(&with("hosted", "host", json!("a.example")), GrantScope::Always, Terms::default()).await;
    let call = |name: &str| mcp("jira", name, json!({ "url": "https://a.example/x" }));
    for name in tools {
        assert_eq!(session.ask(call(name)).await.decision.action, Action::Approve, "{name}");
    }
    let idempotent = trust(&session, "jira", &[], &[Hint::Idempotent]).await;
    assert!(
        idempotent.invalidates.is_empty() && idempotent.weakening.is_empty(),
        "it says nothing of danger"
    );
    let foretold = trust(&session, "jira", &[], &[Hint::ReadOnly]).await.invalidates;
    assert_eq!(foretold.len(), 4);
    for name in tools {
        let ruling = session.ask(call(name)).await;
        assert_eq!(ruling.decision.action, Action::Escalate, "{name} was foretold");
        assert!(
            ruling.decision.notices.iter().any(|notice| notice.kind == NoticeKind::GrantWithdrawn),
            "{name}"
        );
    }
    assert!(session.holdings().await.grants.is_empty());
}

#[tokio::test]
async fn a_prediction_changes_nothing_and_an_explanation_neither() {
    let gate = Gate::new(json!({ "mode": "auto", "mcp": trusting() }));
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Destructive);
    session.shell("make").await;
    session
        .grant(&exact("npm ci"), GrantScope::Session, Terms { max_uses: Some(1), ..Terms::default() })
        .await;
    let before = (
        session.view().await,
        session.decisions().await.len(),
        gate.records().await.len(),
        gate.rater.calls(),
    );
    for command in ["make", "npm ci", "rm -rf /"] {
        gate.engine.explain("project", Some("a"), "run", &shell(command), &caller("ada")).await.unwrap();
    }
    gate.engine.explain("project", Some("never-opened"), "run", &shell("ls"), &caller("ada")).await.unwrap();
    let view = session.view().await;
    assert_eq!((view.budget, view.session_grants, view.open_questions), (before.0.budget, 1, 0));
    assert_eq!(
        (session.decisions().await.len(), gate.records().await.len(), gate.rater.calls()),
        (before.1, before.2, before.3)
    );
    assert!(gate.engine.session_view("project", "never-opened").await.is_err());
    let predict = Operation::Trust {
        server: "jira".to_owned(),
        believe: vec![],
        disbelieve: vec![Hint::ReadOnly],
        predict: true,
    };
    session.manage(predict).await;
    let (_, servers) = gate.engine.trust("project", "a").await.unwrap();
    assert!(servers.iter().all(|row| !row.changed && row.trusted.len() == 4));
}

#[tokio::test]
async fn a_record_names_the_rung_the_stage_and_the_budget_on_arrival() {
    let gate = Gate::new(json!({ "mode": "auto" }));
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Destructive);
    for _ in 0..3 {
        session.shell("make").await;
    }
    let asked = session.decisions().await.pop().unwrap();
    session.answer(&asked, crate::harness::no(RejectScope::Once)).await;
    let budgets: Vec<u32> =
        session.decisions().await.iter().map(|ruling| ruling.decision.budget.consecutive).collect();
    assert_eq!(budgets, [0, 1, 2, 2]);
    assert!(
        session
            .decisions()
            .await
            .iter()
            .all(|ruling| ruling.decision.rung == Rung::Auto && ruling.decision.stage == Stage::Rater)
    );
}
