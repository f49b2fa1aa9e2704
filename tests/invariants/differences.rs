//! Where the design differs from the reference behaviour on purpose (design §2, points 1 to 12), as far as no numbered
//! invariant says it already.

use crate::desk::Desk;
use crate::harness::{
    Gate, all_safe, caller, declares, exact, glob, mcp, mcp_entry, registered, shell, told, tool, trusting,
};
use haltgate::gate::{Action, Call, FailureCause, NoticeKind, Outcome, Rung, Scope, Stage};
use haltgate::session::EngineError;
use serde_json::{Value, json};

/// Point 3: entries that can never fire at a rung are named when a session is opened at it.
#[tokio::test]
async fn entries_that_can_never_fire_are_named_once_when_a_session_opens() {
    let entry = mcp_entry("jira", "get");
    for (scope, rung, named) in
        [("rung", Rung::Assisted, true), ("rung", Rung::Manual, false), ("every_call", Rung::Assisted, false)]
    {
        let gate = Gate::new(json!({ "deny": [entry], "gate_scope": scope }));
        let opening = haltgate::session::Opening {
            session: Some("a".to_owned()),
            rung: Some(rung),
            ..haltgate::session::Opening::of("project", caller("ada"))
        };
        let (_, _, notices) = gate.engine.open_session(opening).await.unwrap();
        let inert: Vec<_> = notices.iter().filter(|notice| notice.kind == NoticeKind::InertEntries).collect();
        assert_eq!(inert.len(), usize::from(named), "{scope} at {rung}");
        assert!(inert.iter().all(|notice| notice.text.contains("mcpTool jira/get")));
    }
}

/// Point 5: a host-bound deny or escalate entry matches if any named host does; an allow entry only a single certain one.
#[test]
fn a_second_host_does_not_evade_a_host_bound_deny_or_escalate_entry() {
    let entry = |host: &str| json!({ "type": "tool", "matcher": "exact", "pattern": "fetch", "host": host });
    let rows = [
        (json!({ "a": "https://evil.example", "b": "https://good.example" }), true, false),
        (json!({ "a": "https://good.example", "b": ["https://evil.example"] }), true, false),
        (json!({ "a": "https://evil.example" }), true, false),
        (json!({ "a": "https://good.example" }), false, true),
        (json!({ "a": "https://other.example" }), false, false),
        (json!({ "a": "https://good.example", "note": "and https://evil.example" }), true, false),
        (json!({}), false, false),
    ];
    for (arguments, restricted, allowed) in rows {
        let call = tool("fetch", arguments.clone());
        for (list, cell) in [
            ("deny", (Action::Reject, Stage::DenyList)),
            ("escalate", (Action::Escalate, Stage::EscalateEntry)),
        ] {
            let came = Desk::new(&json!({ list: [entry("evil.example")] }), Rung::Write).ask(&call);
            let expected = if restricted { cell } else { (Action::Escalate, Stage::UnratedRung) };
            assert_eq!(came.told(), expected, "{list}: {arguments}");
        }
        let came = Desk::new(&json!({ "allow": [entry("good.example")] }), Rung::Write).ask(&call);
        assert_eq!(came.decision.action == Action::Approve, allowed, "allow: {arguments}");
    }
}

/// Point 6: an ambiguous name matches a deny or escalate entry by any reading, and no allow entry, grant or trust at all.
#[test]
fn an_ambiguous_mcp_name_is_refused_by_any_reading_and_allowed_by_none() {
    let ambiguous = || registered("mcp__a__b__x", json!({}));
    let desk = |approvals: Value| {
        let mut desk = Desk::new(&approvals, Rung::Write);
        desk.state.mcp_servers = vec!["a".to_owned(), "a__b".to_owned()];
        desk
    };
    for entry in [mcp_entry("a", "b__x"), mcp_entry("a__b", "x")] {
        for (list, cell) in [
            ("deny", (Action::Reject, Stage::DenyList)),
            ("escalate", (Action::Escalate, Stage::EscalateEntry)),
        ] {
            assert_eq!(desk(json!({ list: [entry] })).ask(&ambiguous()).told(), cell, "{list}: {entry}");
        }
        assert_eq!(
            desk(json!({ "allow": [entry] })).ask(&ambiguous()).told(),
            (Action::Escalate, Stage::UnratedRung),
            "{entry}"
        );
    }
    for entry in [mcp_entry("a", "x"), mcp_entry("b", "x"), mcp_entry("a", "b__y")] {
        assert_eq!(
            desk(json!({ "deny": [entry] })).ask(&ambiguous()).told(),
            (Action::Escalate, Stage::UnratedRung),
            "{entry}"
        );
    }
    let hint =
        json!({ "type": "mcpTool", "server": "*", "matcher": "hint", "pattern": { "readOnlyHint": true } });
    let mut trusted = desk(json!({ "allow": [hint], "mcp": trusting() }));
    let declared = declares("a__b", "x", &all_safe());
    trusted.state.catalogue.insert(declared.registered_name, declared.declared);
    assert_eq!(trusted.ask(&ambiguous()).decision.action, Action::Escalate);
    let explicit = Call::McpTool {
        server: "a__b".to_owned(),
        tool: haltgate::gate::ToolCall::new("x", serde_json::Map::new()),
    };
    assert_eq!(trusted.ask(&explicit).decision.action, Action::Approve, "named explicitly there is no doubt");
}

/// Point 7: no rating is never a silent approval.
#[test]
fn a_failed_rating_runs_on_an_allow_match_with_a_notice_and_is_destructive_elsewhere() {
    for cause in FailureCause::ALL {
        for rung in [Rung::Assisted, Rung::Auto] {
            let came =
                Desk::new(&json!({ "allow": [glob("make *")] }), rung).failing(cause).ask(&shell("make x"));
            assert_eq!(came.told(), (Action::Approve, Stage::AllowTripwire));
            let said = came.decision.notices.iter().any(|notice| {
                notice.kind == NoticeKind::RatingFailed && notice.text.contains(cause.as_words())
            });
            assert!(said, "{cause:?}: {:?}", came.decision.notices);
            let came = Desk::new(&json!({}), rung).failing(cause).ask(&shell("make x"));
            assert_ne!(came.decision.action, Action::Approve);
            assert_eq!(came.decision.rating.unwrap().cause, Some(cause));
        }
    }
}

/// A verdict by doubt is told as a rating that failed, with its own reason.
#[test]
fn a_command_that_was_not_assessed_as_a_whole_runs_on_an_allow_match_with_a_notice_and_keeps_its_reason() {
    let doubt = haltgate::gate::Verdict {
        cause: Some(FailureCause::NotAssessed),
        ..crate::harness::verdict(Outcome::Destructive)
    };
    for rung in [Rung::Assisted, Rung::Auto] {
        let mut desk = Desk::new(&json!({ "allow": [glob("make *")] }), rung);
        desk.rating = Ok(doubt.clone());
        let came = desk.ask(&shell("make x"));
        assert_eq!(came.told(), (Action::Approve, Stage::AllowTripwire));
        assert!(came.decision.notices.iter().any(|notice| notice.kind == NoticeKind::RatingFailed));
        let mut desk = Desk::new(&json!({}), rung);
        desk.rating = Ok(doubt.clone());
        let rating = desk.ask(&shell("make x")).decision.rating.unwrap();
        assert_eq!((rating.cause, rating.reason), (doubt.cause, doubt.reason.clone()));
    }
}

/// Point 8.
#[tokio::test]
async fn the_scope_that_is_reported_is_the_one_that_was_stored() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    for scope in [Scope::Once, Scope::Session, Scope::Always] {
        let command = format!("make {}", scope.as_str());
        let ruling = session.granted(shell(&command), scope).await;
        assert_eq!(ruling.decision.scope, Some(scope));
        assert_eq!(session.action(&command).await == Action::Approve, scope != Scope::Once);
    }
    let asked = session.shell("a && b").await;
    let refused = session.try_answer(&asked, crate::harness::yes(Scope::Session)).await;
    let Err(EngineError::ScopeNotOffered { offered, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(offered, ["ONCE"]);
}

/// Point 9.
#[tokio::test]
async fn a_halted_run_stays_halted_for_every_kind_of_call_and_a_new_run_starts_clean() {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [exact("npm test")] }));
    let session = gate.open("a").await;
    gate.rater.say(Outcome::Attack);
    session.run("one").shell("cat ~/.ssh/id_rsa").await;
    gate.rater.say(Outcome::Safe);
    for rung in Rung::ALL {
        session.set_rung(rung).await;
        for call in [shell("npm test"), tool("read_file", json!({})), mcp("jira", "get", json!({}))] {
            let ruling = session.run("one").ask(call).await;
            assert_eq!(
                (ruling.decision.action, ruling.decision.run_was_halted),
                (Action::Halt, true),
                "{rung}"
            );
            assert!(!ruling.decision.message.is_empty());
        }
    }
    session.set_rung(Rung::Assisted).await;
    assert_eq!(told(&session.run("two").shell("npm test").await), (Action::Approve, Stage::AllowList));
    assert_eq!(
        gate.open("b").await.run("one").action("npm test").await,
        Action::Approve,
        "another session's run of that name is another run"
    );
    session.update(|update| update.reset_thread = true).await;
    assert_eq!(session.run("one").action("npm test").await, Action::Halt, "a new thread does not un-halt it");
}

/// Point 11.
#[test]
fn leaving_auto_clears_the_transcript() {
    for rung in [Rung::Manual, Rung::Write, Rung::Assisted, Rung::Bypass] {
        let mut desk = Desk::new(&json!({}), Rung::Auto).rating(Outcome::Destructive);
        desk.ask(&shell("make"));
        desk.ask(&shell("make"));
        desk.state.set_rung(rung);
        assert!(desk.state.negotiation.rounds().is_empty(), "{rung}");
        desk.state.set_rung(Rung::Manual);
        let escalation = desk.ask(&tool("deploy", json!({}))).escalation.unwrap();
        assert!(escalation.rounds.is_empty(), "and no later prompt shows it");
    }
    let mut desk = Desk::new(&json!({}), Rung::Auto).rating(Outcome::Destructive);
    desk.ask(&shell("make"));
    desk.state.set_rung(Rung::Auto);
    assert_eq!(desk.state.negotiation.rounds().len(), 1, "staying is not leaving");
}
