//! Tables 1.9b, 2.1 and 2.2: what is on offer at a prompt, and what each answer stores and returns.

use crate::desk::Desk;
use crate::harness::{mcp, no, registered, shell, tool, yes};
use crate::negotiation::auto;
use haltgate::gate::{Action, Call, FailureCause, Outcome, Rating, RejectScope, Rung, Scope};
use serde_json::json;

/// Table 1.9b.
#[test]
fn table_1_9b_what_each_answer_stores_and_returns() {
    let mut bounded = yes(Scope::Session);
    bounded.comment = Some("because".to_owned());
    let rows = [
        ("approve once", yes(Scope::Once), "make", (Action::Approve, Some(Scope::Once)), (0, 0, 0)),
        (
            "approve for the session",
            yes(Scope::Session),
            "make",
            (Action::Approve, Some(Scope::Session)),
            (1, 0, 0),
        ),
        // The reference keeps an `always` in both stores; here the project's is the truth and every session reads it at once.
        ("approve always", yes(Scope::Always), "make", (Action::Approve, Some(Scope::Always)), (0, 1, 0)),
        // Design §2.8: the scope that is reported is the one that was stored. (The live engine refuses such an answer outright.)
        (
            "approve always, nothing on offer",
            yes(Scope::Always),
            "make; ls",
            (Action::Approve, Some(Scope::Once)),
            (0, 0, 0),
        ),
        ("reject once", no(RejectScope::Once), "make", (Action::Reject, None), (0, 0, 0)),
        ("reject for the session", no(RejectScope::Session), "make; ls", (Action::Reject, None), (0, 0, 1)),
    ];
    for (name, answer, command, told, (session, always, denials)) in rows {
        let mut desk = Desk::new(&json!({}), Rung::Manual);
        let escalation = desk.ask(&shell(command)).escalation.unwrap();
        let came = desk.answer(&escalation, &answer);
        assert_eq!((came.decision.action, came.scope()), told, "{name}");
        assert_eq!(
            (desk.state.grants.len(), desk.persisted.len(), desk.state.denials.in_order().len()),
            (session, always, denials),
            "{name}"
        );
        assert_eq!(came.decision.stage, escalation.stage, "{name}: the stage stays what asked");
    }
    let mut desk = Desk::new(&json!({}), Rung::Manual);
    let ghost = desk.ask(&registered("mcp__ghost__get", json!({}))).escalation.unwrap();
    let came = desk.answer(&ghost, &no(RejectScope::Session));
    assert_eq!(
        (came.decision.action, desk.state.denials.in_order().len()),
        (Action::Reject, 0),
        "no entry on offer"
    );
}

#[test]
fn a_refusal_tells_the_model_who_refused_why_and_what_it_may_do() {
    let mut desk = Desk::new(&json!({}), Rung::Assisted).rating(Outcome::Destructive);
    let escalation = desk.ask(&shell("make")).escalation.unwrap();
    let answer =
        haltgate::gate::HumanAnswer { comment: Some("not on a Friday".to_owned()), ..no(RejectScope::Once) };
    let message = desk.answer(&escalation, &answer).decision.message;
    for part in [
        "The user refused",
        "not on a Friday",
        "It was called destructive.",
        "justification",
        "different command",
        "ask the user",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let mut desk = auto();
    let message = desk.ask(&shell("make")).decision.message;
    assert!(message.contains("rater refused") && message.contains("It was called destructive."), "{message}");
}

/// Tables 2.1 and 2.2: what a sticky yes and a sticky no would store.
#[test]
fn tables_2_1_and_2_2_what_is_on_offer() {
    let one = json!({ "url": "https://A.example:8443/x" });
    let two = json!({ "a": "https://a.example", "b": "https://b.example" });
    type Offers = (Option<&'static str>, Option<&'static str>);
    let rows: Vec<(&str, Rung, Outcome, Call, Offers)> = vec![
        (
            "simple command",
            Rung::Manual,
            Outcome::Safe,
            shell(" npm   'test' "),
            (Some("npm test"), Some("npm test")),
        ),
        (
            "command with a quoted word",
            Rung::Manual,
            Outcome::Safe,
            shell("echo \"a;b\""),
            (Some("echo 'a;b'"), Some("echo 'a;b'")),
        ),
        ("composed command", Rung::Manual, Outcome::Safe, shell("a && b"), (None, Some("a && b"))),
        ("expanded command", Rung::Manual, Outcome::Safe, shell("a $HOME"), (None, Some("a $HOME"))),
        ("destructive", Rung::Assisted, Outcome::Destructive, shell("make"), (Some("make"), Some("make"))),
        ("catastrophic", Rung::Assisted, Outcome::Catastrophic, shell("make"), (None, Some("make"))),
        (
            "tool",
            Rung::Manual,
            Outcome::Safe,
            tool("fetch", json!({})),
            (Some("tool fetch"), Some("tool fetch")),
        ),
        (
            "tool, one host",
            Rung::Manual,
            Outcome::Safe,
            tool("fetch", one.clone()),
            (Some("tool fetch (host a.example)"), Some("tool fetch (host a.example)")),
        ),
        (
            "tool, two hosts",
            Rung::Manual,
            Outcome::Safe,
            tool("fetch", two.clone()),
            (None, Some("tool fetch")),
        ),
        (
            "server's tool",
            Rung::Manual,
            Outcome::Safe,
            mcp("jira", "get", json!({})),
            (Some("mcpTool jira/get"), Some("mcpTool jira/get")),
        ),
        (
            "server's tool, one host",
            Rung::Manual,
            Outcome::Safe,
            registered("mcp__jira__get", one),
            (Some("mcpTool jira/get (host a.example)"), Some("mcpTool jira/get (host a.example)")),
        ),
        (
            "server's tool, two hosts",
            Rung::Manual,
            Outcome::Safe,
            mcp("jira", "get", two),
            (None, Some("mcpTool jira/get")),
        ),
        (
            "unresolved server",
            Rung::Manual,
            Outcome::Safe,
            registered("mcp__ghost__get", json!({})),
            (None, None),
        ),
        (
            "shell tool without a command",
            Rung::Manual,
            Outcome::Safe,
            tool("run_shell_command", json!({})),
            (None, Some("tool run_shell_command")),
        ),
        (
            "the same at bypass",
            Rung::Bypass,
            Outcome::Safe,
            tool("run_shell_command", json!({})),
            (None, Some("tool run_shell_command")),
        ),
    ];
    for (name, rung, outcome, call, offers) in rows {
        let mut desk = Desk::new(&json!({}), rung).rating(outcome);
        let escalation = desk.ask(&call).escalation.unwrap();
        let summary =
            |offer: &Option<haltgate::gate::Offer>| offer.as_ref().map(|offer| offer.summary.clone());
        assert_eq!(
            (summary(&escalation.grant).as_deref(), summary(&escalation.denial).as_deref()),
            offers,
            "{name}"
        );
        if let Some(offer) = &escalation.grant {
            assert_eq!(
                offer.annotations.is_some(),
                escalation.kind != "shell",
                "{name}: a snapshot for tools alone"
            );
            let parsed = crate::harness::entry(&serde_json::from_str(&offer.preview).unwrap());
            assert_eq!(parsed, offer.entry, "{name}");
        }
        assert!(escalation.denial.is_none_or(|offer| offer.annotations.is_none()), "{name}");
    }
}

#[test]
fn a_rating_of_an_escalated_call_is_what_the_human_is_shown() {
    let came = Desk::new(&json!({}), Rung::Assisted).failing(FailureCause::Unparseable).ask(&shell("make"));
    let shown = came.escalation.unwrap().rating.unwrap();
    assert_eq!(shown, Rating::from_result(Err(FailureCause::Unparseable)));
    let mut watched = Desk::new(&json!({}), Rung::Assisted).rating(Outcome::Attack);
    watched.watched = true;
    assert!(watched.ask(&shell("make")).watched);
}
