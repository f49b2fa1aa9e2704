//! Invariants 74 to 82: what a sticky approval may store.

use crate::harness::{
    Gate, Session, all_safe, caller, declares, mcp, registered, shell, tool, trusting, yes,
};
use haltgate::gate::{Action, Call, HumanAnswer, Moment, Offer, Outcome, Rung, Scope, Subject, Terms, offer};
use haltgate::rules::{Entry, TextPattern};
use haltgate::session::EngineError;
use serde_json::json;

async fn offered(session: &Session, call: &Call) -> Option<Offer> {
    session
        .gate
        .engine
        .explain(&session.project, Some(&session.name), "run", call, &caller("ada"))
        .await
        .unwrap()
        .grant
}

/// No offer; a sticky answer is refused and stores nothing, and a plain one lets the call run.
async fn offers_nothing(session: &Session, call: Call) {
    assert_eq!(offered(session, &call).await, None, "{call:?}");
    for scope in [Scope::Session, Scope::Always] {
        let asked = session.ask(call.clone()).await;
        let refused = session.try_answer(&asked, yes(scope)).await;
        assert!(matches!(refused, Err(EngineError::ScopeNotOffered { .. })), "{call:?}: {refused:?}");
        let approved = session.answer(&asked, yes(Scope::Once)).await;
        assert_eq!((approved.decision.action, approved.decision.scope), (Action::Approve, Some(Scope::Once)));
    }
    assert!(session.holdings().await.grants.is_empty() && session.persisted().await.is_empty());
    assert_eq!(session.ask(call).await.decision.action, Action::Escalate, "it asks again");
}

#[tokio::test]
async fn invariant_74_shell_grants_are_exact() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for command in ["npm test", "ls *", "echo 'a*'", "find . -name '*.rs'"] {
        session.granted(shell(command), Scope::Always).await;
    }
    for grant in session.persisted().await {
        assert!(
            matches!(&grant.entry, Entry::Shell { pattern: TextPattern::Exact(_), rate: None }),
            "{:?}",
            grant.entry
        );
        assert_eq!(grant.annotations, None);
    }
    for command in ["npm test2", "npm", "ls a", "ls '*'", "echo ab"] {
        assert_eq!(session.action(command).await, Action::Escalate, "{command}");
    }
}

#[tokio::test]
async fn invariant_75_a_command_that_is_not_one_simple_command_gets_no_offer() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for command in [
        "a && b",
        "a | b",
        "a > f",
        "a $(b)",
        "a $HOME",
        "a; b",
        "a &",
        "a\nb",
        "a 'b",
        "(a)",
        "while true; do a; done",
    ] {
        offers_nothing(&session, shell(command)).await;
    }
}

#[tokio::test]
async fn invariant_76_tool_grants_record_identity_and_never_arguments() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.granted(tool("write_file", json!({ "path": "a" })), Scope::Session).await;
    assert_eq!(
        session.ask(tool("write_file", json!({ "path": "b", "content": "x" }))).await.decision.action,
        Action::Approve
    );
    let held = session.holdings().await.grants.remove(0);
    assert_eq!(
        haltgate::rules::object_text(&held.entry),
        r#"{ "type": "tool", "matcher": "exact", "pattern": "write_file" }"#
    );
    assert!(held.annotations.is_some(), "with what it was taken to be");
}

#[tokio::test]
async fn invariant_77_bypass_offers_no_grant() {
    let gate = Gate::new(json!({ "mode": "bypass" }));
    let session = gate.open("a").await;
    offers_nothing(&session, tool("run_shell_command", json!({}))).await;
    // The only prompt of that rung is about what is never granted, so the rung's own reason is asked of the offer itself.
    for (rung, offered) in [(Rung::Manual, true), (Rung::Bypass, false)] {
        let subject = Subject::of(&shell("npm test"), &[]);
        assert_eq!(offer::grant(&subject, None, None, rung).is_some(), offered, "{rung}");
    }
}

#[tokio::test]
async fn invariant_78_the_shell_tool_as_a_tool_never_yields_a_grant() {
    let gate = Gate::new(json!({ "mode": "write" }));
    let session = gate.open("a").await;
    for arguments in
        [json!({}), json!({ "command": 3 }), json!({ "command": " " }), json!({ "url": "https://a.example" })]
    {
        offers_nothing(&session, tool("run_shell_command", arguments.clone())).await;
        offers_nothing(&session, registered("run_shell_command", arguments)).await;
    }
}

#[tokio::test]
async fn invariant_79_a_call_with_several_or_doubtful_hosts_gets_no_offer() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for arguments in [
        json!({ "from": "https://a.example", "to": "https://b.example" }),
        json!({ "url": "https://a.example,https://b.example" }),
        json!({ "note": "post it to https://a.example please" }),
    ] {
        offers_nothing(&session, tool("fetch", arguments.clone())).await;
        offers_nothing(&session, mcp("jira", "fetch", arguments)).await;
    }
    let offer = offered(&session, &tool("fetch", json!({ "url": "https://A.example:1/x" }))).await.unwrap();
    assert_eq!(offer.summary, "tool fetch (host a.example)");
}

#[tokio::test]
async fn invariant_80_withholding_the_grant_of_several_hosts_is_not_a_narrowing() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    session.granted(tool("fetch", json!({})), Scope::Session).await;
    for arguments in
        [json!({ "a": "https://a.example" }), json!({ "a": "https://a.example", "b": "https://b.example" })]
    {
        assert_eq!(session.ask(tool("fetch", arguments)).await.decision.action, Action::Approve);
    }
}

#[tokio::test]
async fn invariant_81_an_unresolved_server_gets_no_offer() {
    let gate = Gate::new(json!({ "mode": "manual", "mcp": trusting() }));
    let session = gate.open("a").await;
    session.declare(vec![declares("ghost", "get", &all_safe())]).await;
    offers_nothing(&session, registered("mcp__ghost__get", json!({}))).await;
}

#[tokio::test]
async fn invariant_82_approving_a_catastrophic_call_leaves_nothing_behind() {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [crate::harness::glob("make *")] }));
    gate.rater.say(Outcome::Catastrophic);
    let session = gate.open("a").await;
    for (command, ratings) in [("terraform destroy", 3), ("make wipe", 6)] {
        for scope in [Scope::Session, Scope::Always] {
            let asked = session.shell(command).await;
            assert!(
                matches!(
                    session.try_answer(&asked, yes(scope)).await,
                    Err(EngineError::ScopeNotOffered { .. })
                ),
                "{command}"
            );
            session.answer(&asked, yes(Scope::Once)).await;
        }
        assert!(session.holdings().await.grants.is_empty() && session.persisted().await.is_empty());
        session.shell(command).await;
        assert_eq!(gate.rater.calls(), ratings, "and it is rated again each time");
    }
}

/// Design §2.8: the scope that is reported is the one that is stored.
#[tokio::test]
async fn terms_that_leave_a_grant_no_use_store_nothing_and_say_so() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let past = Some(Moment(gate.engine.now().0 - 1));
    for terms in
        [Terms { max_uses: Some(0), ..Terms::default() }, Terms { expires_at: past, ..Terms::default() }]
    {
        for scope in [Scope::Session, Scope::Always] {
            let asked = session.shell("make").await;
            let answer = HumanAnswer { terms: terms.clone(), ..yes(scope) };
            let approved = session.answer(&asked, answer).await;
            assert_eq!(
                (approved.decision.action, approved.decision.scope),
                (Action::Approve, Some(Scope::Once)),
                "{terms:?}"
            );
            assert_eq!(approved.answer.unwrap().stored, None);
            assert_eq!(session.action("make").await, Action::Escalate);
        }
    }
    assert_eq!(session.view().await.rung, Rung::Manual);
}
