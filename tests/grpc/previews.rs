//! What a prompt offers, and that exactly this is stored.

use crate::support::*;
use haltgate::gate::Outcome;
use haltgate::proto::v1 as pb;
use pb::{Action, Scope, Verdict};

/// What a call is offered, without an answer.
async fn offer(gate: &Gate, session: &str, call: pb::Call) -> pb::AnswerOffer {
    let given = gate.decide(dry(ask(session, call))).await;
    assert_eq!(given.action(), Action::Escalate);
    given.explanation.unwrap().offer.unwrap()
}

async fn escalate(gate: &Gate, session: &str, call: pb::Call) -> String {
    let given = gate.decide(ask(session, call)).await;
    assert_eq!(given.action(), Action::Escalate);
    given.escalation_id
}

fn text(entry: Option<pb::RenderedEntry>) -> Option<String> {
    entry.map(|entry| entry.object_text)
}

#[tokio::test]
async fn what_the_prompt_shows_is_what_is_stored_59_73_74() {
    let gate = Gate::at("manual").await;
    gate.open(pb::OpenSessionRequest { mcp_servers: servers(&["jira"]), ..opening("s") }).await;
    let calls = [
        shell_call("git   commit -m 'a  b'"),
        tool_call("notify", r#"{"to": "ana"}"#),
        tool_call("fetch", r#"{"url": "https://a.example/x"}"#),
        mcp_call("jira", "get", r#"{"id": 7}"#),
    ];
    for (number, call) in calls.into_iter().enumerate() {
        let session = format!("s{number}");
        gate.open(pb::OpenSessionRequest { mcp_servers: servers(&["jira"]), ..opening(&session) }).await;
        let shown = offer(&gate, &session, call.clone()).await;
        let id = escalate(&gate, &session, call.clone()).await;
        let settled = gate.answer(answering(&id, Verdict::Approve, Scope::Session)).await;
        assert_eq!(settled.offer.as_ref(), Some(&shown));
        let stored = settled.answer.unwrap().stored;
        assert_eq!(stored, shown.grant);
        let held = gate.held(&session).await.0.remove(0);
        assert_eq!(held.entry, shown.grant);
        let entry = held.entry.unwrap().entry.unwrap();
        assert_eq!(entry.matcher(), pb::Matcher::Exact);
        let prompt = settled.prompt.unwrap().framed_lines.join("\n");
        let unframed: String = prompt.chars().filter(|c| !c.is_whitespace()).collect();
        assert!(unframed.contains("\"matcher\":\"exact\""), "{prompt}");
        assert_eq!(gate.decide(ask(&session, call.clone())).await.action(), Action::Approve);

        gate.open(opening("d")).await;
        let denial = offer(&gate, "d", call.clone()).await.denial;
        let id = escalate(&gate, "d", call.clone()).await;
        let settled = gate.answer(answering(&id, Verdict::Reject, Scope::Session)).await;
        assert_eq!(settled.answer.unwrap().stored, denial);
        assert_eq!(gate.held("d").await.1.pop().unwrap().entry, denial);
        assert_eq!(gate.decide(ask("d", call)).await.action(), Action::Reject);
    }
}

#[tokio::test]
async fn an_unresolvable_command_gets_no_grant_and_can_be_always_rejected_75_83() {
    let gate = Gate::at("manual").await;
    for command in ["ls && rm -rf build", "echo $HOME", "cat a > b", "echo $(pwd)"] {
        let shown = offer(&gate, "", shell_call(command)).await;
        assert_eq!((shown.grant.is_none(), shown.denial.is_some()), (true, true), "{command}");
        assert_eq!(shown.approve_scopes().collect::<Vec<_>>(), [Scope::Once]);
        assert_eq!(shown.reject_scopes().collect::<Vec<_>>(), [Scope::Once, Scope::Session]);
    }
    let id = escalate(&gate, "s", shell_call("ls && rm -rf build")).await;
    gate.answer(answering(&id, Verdict::Reject, Scope::Session)).await;
    let again = gate.decide(shell("s", "ls && rm -rf build")).await;
    assert_eq!((again.action(), again.stage()), (Action::Reject, pb::Stage::DenyList));
}

#[tokio::test]
async fn a_tool_grant_records_identity_and_never_arguments_76() {
    let gate = Gate::at("manual").await;
    let id = escalate(&gate, "s", tool_call("notify", r#"{"to": "ana", "text": "hello"}"#)).await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Session)).await;
    let held = gate.held("s").await.0.remove(0);
    assert_eq!(text(held.entry).unwrap(), r#"{ "type": "tool", "matcher": "exact", "pattern": "notify" }"#);
    assert!(held.annotations.is_some(), "with a snapshot of what the tool was taken to be");
    assert_eq!(
        gate.decide(ask("s", tool_call("notify", r#"{"to": "bob"}"#))).await.action(),
        Action::Approve
    );
}

#[tokio::test]
async fn a_tool_named_like_the_shell_is_never_granted_78() {
    let gate = Gate::at("write").await;
    let call = || tool_call("run_shell_command", r#"{"command": 7}"#);
    let shown = offer(&gate, "", call()).await;
    assert!(shown.grant.is_none());
    let id = escalate(&gate, "s", call()).await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Once)).await;
    assert!(gate.held("s").await.0.is_empty());
    escalate(&gate, "s", call()).await;
}

#[tokio::test]
async fn two_hosts_get_no_grant_and_one_host_is_named_in_it_79_86() {
    let gate = Gate::at("manual").await;
    let one = r#"{"url": "https://A.example:8443/x"}"#;
    let two = r#"{"url": "https://a.example", "then": "https://b.example"}"#;
    for call in [tool_call("fetch", one), mcp_call("web", "fetch", one)] {
        let shown = offer(&gate, "", call).await;
        assert_eq!(shown.grant.unwrap().entry.unwrap().host, "a.example");
    }
    for call in [tool_call("fetch", two), mcp_call("web", "fetch", two)] {
        let shown = offer(&gate, "", call).await;
        assert!(shown.grant.is_none());
        assert_eq!(shown.denial.unwrap().entry.unwrap().host, "");
    }
    let id = escalate(&gate, "s", tool_call("fetch", two)).await;
    gate.answer(answering(&id, Verdict::Reject, Scope::Session)).await;
    assert_eq!(
        gate.decide(ask("s", tool_call("fetch", one))).await.action(),
        Action::Reject,
        "the denial names no host"
    );
}

#[tokio::test]
async fn withholding_the_multi_host_grant_narrows_nothing_80() {
    let gate = Gate::at("manual").await;
    let id = escalate(&gate, "s", tool_call("fetch", "{}")).await;
    gate.answer(answering(&id, Verdict::Approve, Scope::Session)).await;
    let two = r#"{"url": "https://a.example", "then": "https://b.example"}"#;
    assert_eq!(gate.decide(ask("s", tool_call("fetch", two))).await.action(), Action::Approve);
}

#[tokio::test]
async fn an_unattributable_mcp_tool_gets_neither_grant_nor_denial_81_88() {
    let gate = Gate::at("manual").await;
    gate.open(pb::OpenSessionRequest { mcp_servers: servers(&["a", "a__b"]), ..opening("s") }).await;
    for name in ["mcp__nobody__get", "mcp__a__b__get"] {
        let shown = offer(&gate, "s", registered_call(name, "")).await;
        assert_eq!((shown.grant.is_none(), shown.denial.is_none()), (true, true), "{name}");
        assert_eq!(shown.approve_scopes().collect::<Vec<_>>(), [Scope::Once]);
        assert_eq!(shown.reject_scopes().collect::<Vec<_>>(), [Scope::Once]);
    }
}

#[tokio::test]
async fn approving_a_catastrophic_call_leaves_nothing_behind_82_84() {
    let gate = Gate::plain().await;
    gate.rater.otherwise(Outcome::Catastrophic);
    for _ in 0..2 {
        let given = gate.decide(shell("s", "terraform destroy")).await;
        let failure = gate
            .try_answer(answering(&given.escalation_id, Verdict::Approve, Scope::Always))
            .await
            .unwrap_err();
        failure.expect(tonic::Code::FailedPrecondition, "SCOPE_NOT_OFFERED");
        let settled = gate.answer(answering(&given.escalation_id, Verdict::Approve, Scope::Once)).await;
        let shown = settled.offer.unwrap();
        assert!(shown.grant.is_none() && shown.denial.is_some(), "catastrophic does not withdraw the denial");
    }
    assert_eq!(gate.rater.count(), 2, "the next call is rated again");
    assert_eq!(gate.holdings("s").await, (vec![], vec![]));
}

#[tokio::test]
async fn a_denial_recorded_elsewhere_holds_at_bypass_85() {
    let gate = Gate::at("write").await;
    let id = escalate(&gate, "s", shell_call("ls")).await;
    gate.answer(answering(&id, Verdict::Reject, Scope::Session)).await;
    gate.set_rung("s", pb::Rung::Bypass).await;
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Reject);
}

#[tokio::test]
async fn denials_live_for_the_session_and_claim_no_more_10_89() {
    let gate = Gate::with(
        r#"{ "mode": "manual", "deny": [{ "type": "shell", "matcher": "exact", "pattern": "id" }] }"#,
    )
    .await;
    let id = escalate(&gate, "s", shell_call("ls")).await;
    gate.answer(answering(&id, Verdict::Reject, Scope::Session)).await;
    for rung in [pb::Rung::Manual, pb::Rung::Write, pb::Rung::Assisted, pb::Rung::Auto, pb::Rung::Bypass] {
        gate.set_rung("s", rung).await;
        assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Reject, "{rung:?}");
    }
    let denylist = gate.get("s").await.denylist;
    assert_eq!(denylist.len(), 2, "{denylist:?}");
    assert!(denylist[0].contains("id") && denylist[1].contains("ls"));
    escalate(&gate, "new", shell_call("ls")).await;
    assert!(gate.held("").await.0.is_empty());
}

#[tokio::test]
async fn once_remembers_nothing_session_is_memory_always_reaches_new_sessions_90() {
    let gate = Gate::at("manual").await;
    for (command, scope) in [("a", Scope::Once), ("b", Scope::Session), ("c", Scope::Always)] {
        let id = escalate(&gate, "s", shell_call(command)).await;
        let settled = gate.answer(answering(&id, Verdict::Approve, scope)).await;
        let answer = settled.answer.unwrap();
        assert_eq!((answer.scope(), answer.stored.is_some()), (scope, scope != Scope::Once));
    }
    for (session, approved) in [("s", ["b", "c"].as_slice()), ("new", ["c"].as_slice())] {
        for command in ["a", "b", "c"] {
            let action = gate.decide(shell(session, command)).await.action();
            let expected = if approved.contains(&command) { Action::Approve } else { Action::Escalate };
            assert_eq!(action, expected, "{session} {command}");
        }
    }
}
