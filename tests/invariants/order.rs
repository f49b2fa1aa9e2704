//! Invariants 45 to 64: the fixed order of steps.

use crate::harness::{Gate, exact, glob, mcp, mcp_entry, shell, told, tool, tool_entry};
use haltgate::gate::{Action, FloorKind, GrantScope, NoticeKind, Outcome, Rung, Scope, Stage, Terms};
use serde_json::json;

#[tokio::test]
async fn invariant_45_deny_over_bypass_over_escalate_over_allow_over_rater_over_human() {
    let all = [exact("make")];
    let cases = [
        (json!({ "deny": all, "escalate": all, "allow": all }), Action::Reject, Stage::DenyList),
        (json!({ "escalate": all, "allow": all }), Action::Escalate, Stage::EscalateEntry),
        (json!({ "allow": all }), Action::Approve, Stage::AllowList),
        (json!({}), Action::Escalate, Stage::Rater),
    ];
    for (lists, action, stage) in cases {
        let gate = Gate::new(lists.clone());
        gate.rater.say(Outcome::Destructive);
        let session = gate.open("a").await;
        assert_eq!(told(&session.shell("make").await), (action, stage), "{lists}");
        assert_eq!(gate.rater.calls(), usize::from(stage == Stage::Rater));
        session.set_rung(Rung::Bypass).await;
        let expected =
            if stage == Stage::DenyList { (action, stage) } else { (Action::Approve, Stage::Bypass) };
        assert_eq!(told(&session.shell("make").await), expected, "bypass: {lists}");
        session.set_rung(Rung::Manual).await;
        let expected =
            if stage == Stage::Rater { (Action::Escalate, Stage::UnratedRung) } else { (action, stage) };
        assert_eq!(told(&session.shell("make").await), expected, "manual: {lists}");
    }
}

#[tokio::test]
async fn invariant_46_deny_costs_no_prompt_and_no_rating_and_holds_at_bypass() {
    let gate = Gate::new(json!({ "mode": "bypass", "deny": [exact("make")] }));
    let session = gate.open_as("a", |opening| opening.interactive = Some(false)).await;
    let ruling = session.shell("make").await;
    assert_eq!(told(&ruling), (Action::Reject, Stage::DenyList), "an unattended run goes on");
    assert_eq!((gate.rater.calls(), ruling.escalation_id, ruling.decision.rating), (0, None, None));
    assert!(ruling.decision.message.contains("approvals.deny") && ruling.decision.message.contains("make"));
}

#[tokio::test]
async fn invariant_47_a_deny_entry_catches_composed_commands_whole_or_by_segment() {
    let gate = Gate::new(json!({ "mode": "bypass", "deny": [exact("git push --force")] }));
    let session = gate.open("a").await;
    for command in [
        "git push --force",
        "ls; git push --force",
        "(git push --force)",
        "echo $(git push --force)",
        "true && sudo git push --force",
        "bash -c 'git push --force'",
        "GIT push --force",
        "git pu''sh --force",
        "git \\\npush --force",
        "X=1 /usr/bin/git push --force",
        "f() { git push --force; }; f",
        "cat <<< \"$(git push --force)\"",
    ] {
        assert_eq!(session.action(command).await, Action::Reject, "{command}");
    }
    for command in ["echo 'git push --force'", "ls # git push --force", "git push"] {
        assert_eq!(session.action(command).await, Action::Approve, "{command}");
    }
}

#[tokio::test]
async fn invariant_48_bypass_approves_once_and_stores_nothing() {
    let gate = Gate::new(json!({ "mode": "bypass" }));
    let session = gate.open("a").await;
    let ruling = session.shell("make deploy").await;
    assert_eq!((told(&ruling), ruling.decision.scope), ((Action::Approve, Stage::Bypass), Some(Scope::Once)));
    assert!(session.holdings().await.grants.is_empty() && session.persisted().await.is_empty());
    session.set_rung(Rung::Manual).await;
    assert_eq!(session.action("make deploy").await, Action::Escalate);
}

#[tokio::test]
async fn invariant_49_escalate_always_asks_whatever_was_allowed_or_granted() {
    let gate = Gate::new(
        json!({ "mode": "assisted", "escalate": [glob("npm publish*")], "allow": [glob("npm *")] }),
    );
    let session = gate.open("a").await;
    for scope in [Scope::Session, Scope::Always] {
        let approved = session.granted(shell("npm publish"), scope).await;
        assert_eq!(approved.decision.action, Action::Approve);
        assert_eq!(session.action("npm publish").await, Action::Escalate, "after {scope:?}");
    }
    assert_eq!(session.action("cd x; npm publish --tag next").await, Action::Escalate);
}

#[tokio::test]
async fn invariant_50_escalate_costs_no_rating_and_never_negotiates() {
    let gate = Gate::new(json!({ "mode": "auto", "escalate": [exact("make")] }));
    gate.rater.say(Outcome::Destructive);
    let session = gate.open("a").await;
    let ruling = session.shell("make").await;
    assert_eq!((told(&ruling), gate.rater.calls()), ((Action::Escalate, Stage::EscalateEntry), 0));
    assert_eq!((ruling.decision.rating, session.view().await.rounds.len()), (None, 0));
}

#[tokio::test]
async fn invariant_51_escalate_is_inert_at_bypass_for_every_subject() {
    let lists = json!([exact("make"), tool_entry("fetch"), mcp_entry("jira", "get")]);
    for scope in ["rung", "every_call"] {
        let gate = Gate::new(json!({ "mode": "bypass", "escalate": lists, "gate_scope": scope }));
        let session = gate.open("a").await;
        for call in [shell("make"), tool("fetch", json!({})), mcp("jira", "get", json!({}))] {
            assert_eq!(session.ask(call.clone()).await.decision.action, Action::Approve, "{scope}: {call:?}");
        }
    }
}

#[tokio::test]
async fn invariant_52_allow_needs_exactly_one_simple_command() {
    let gate = Gate::new(
        json!({ "mode": "write", "allow": [glob("git *"), { "type": "shell", "matcher": "regexp", "pattern": "^git " }] }),
    );
    let session = gate.open("a").await;
    for command in ["git  status", "git status --short", "git log 'a;b'", "  git status\n"] {
        assert_eq!(session.action(command).await, Action::Approve, "{command}");
    }
    for command in [
        "git status && x",
        "git status; x",
        "git status | x",
        "git status > f",
        "git $(x)",
        "git `x`",
        "git $HOME",
        "git ${HOME}",
        "git <(x)",
        "git status &",
        "git status\nx",
        "git 'status",
        "sudo git status",
        "ｇit status",
        "git\u{a0}status",
        "\u{1b}[0mgit status",
        "GIT status",
    ] {
        assert_eq!(session.action(command).await, Action::Escalate, "{command}");
    }
}

#[tokio::test]
async fn invariant_53_an_allow_match_never_prompts_and_rate_is_inert_where_nothing_is_rated() {
    let mut entry = exact("make");
    entry["rate"] = json!(true);
    let gate = Gate::new(json!({ "allow": [entry] }));
    gate.rater.say(Outcome::Attack);
    for rung in [Rung::Manual, Rung::Write] {
        let session = gate.open_as(rung.as_str(), |opening| opening.rung = Some(rung)).await;
        let ruling = session.shell("make").await;
        assert_eq!(
            (told(&ruling), ruling.decision.scope),
            ((Action::Approve, Stage::AllowList), Some(Scope::Session)),
            "{rung}"
        );
    }
    assert_eq!(gate.rater.calls(), 0);
}

#[tokio::test]
async fn invariant_54_a_rated_allow_match_is_a_tripwire_only() {
    let gate = Gate::new(json!({ "mode": "auto", "allow": [glob("make *")] }));
    let session = gate.open("a").await;
    let cases = [
        (Outcome::Safe, Action::Approve),
        (Outcome::Destructive, Action::Approve),
        (Outcome::Catastrophic, Action::Escalate),
        (Outcome::Attack, Action::Halt),
    ];
    for (outcome, action) in cases {
        gate.rater.say(outcome);
        assert_eq!(told(&session.shell("make x").await), (action, Stage::AllowTripwire), "{outcome}");
    }
    assert_eq!((gate.rater.calls(), session.view().await.rounds.len()), (4, 0), "and no round is recorded");
    assert!(gate.rater.asked().iter().all(|request| request.context.is_none()));
}

#[tokio::test]
async fn invariant_55_manual_write_and_bypass_consult_no_model() {
    for scope in ["rung", "every_call"] {
        let gate = Gate::new(json!({ "allow": [glob("git *")], "gate_scope": scope }));
        for rung in [Rung::Manual, Rung::Write, Rung::Bypass] {
            let session = gate.open_as(rung.as_str(), |opening| opening.rung = Some(rung)).await;
            for call in [
                shell("git status"),
                shell("make"),
                shell("curl https://a.example"),
                tool("write_file", json!({ "path": ".git/hooks/pre-commit" })),
                tool("run_shell_command", json!({})),
                mcp("jira", "get", json!({})),
            ] {
                session.ask(call).await;
            }
        }
        assert_eq!(gate.rater.calls(), 0);
    }
}

#[tokio::test]
async fn invariant_56_a_composed_command_is_rated_like_any_other_with_a_neutral_note() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    let ruling = session.shell("pwd && ls").await;
    assert_eq!((told(&ruling), gate.rater.calls()), ((Action::Approve, Stage::Rater), 1));
    assert!(!ruling.decision.unresolved.is_empty(), "the record says why no allow entry could match");
    assert!(session.shell("pwd").await.decision.unresolved.is_empty());
}

#[tokio::test]
async fn invariant_57_a_call_to_the_shell_tool_without_a_command_is_floored_without_a_model() {
    let gate = Gate::new(json!({}));
    for rung in [Rung::Assisted, Rung::Auto] {
        let session = gate.open_as(rung.as_str(), |opening| opening.rung = Some(rung)).await;
        let ruling = session.ask(tool("run_shell_command", json!({ "cmd": "rm -rf ." }))).await;
        assert_eq!(told(&ruling), (Action::Escalate, Stage::ToolOpenWorldFloor), "{rung}");
        let rating = ruling.decision.rating.unwrap();
        assert_eq!((rating.outcome, rating.floors[0].kind), (Outcome::Destructive, FloorKind::OpenWorld));
        assert_eq!(session.view().await.rounds.len(), 0);
    }
    // The floor asks nothing of readOnlyHint: a fetch is read-only, and speaks to strangers.
    let gate = Gate::new(json!({ "gate_scope": "every_call" }));
    let fetch = gate.open("a").await.ask(tool("gth_web_fetch", json!({ "url": "https://a.example" }))).await;
    assert_eq!(told(&fetch), (Action::Escalate, Stage::ToolOpenWorldFloor));
    assert_eq!(gate.rater.calls(), 0);
}

#[tokio::test]
async fn invariant_58_safe_approves_destructive_and_catastrophic_ask_and_attack_halts() {
    let gate = Gate::new(json!({ "mode": "assisted" }));
    let session = gate.open("a").await;
    let cases = [
        (Outcome::Safe, Action::Approve),
        (Outcome::Destructive, Action::Escalate),
        (Outcome::Catastrophic, Action::Escalate),
        (Outcome::Attack, Action::Halt),
    ];
    for (outcome, action) in cases {
        gate.rater.say(outcome);
        let ruling = session.shell("make").await;
        assert_eq!(
            (told(&ruling), ruling.decision.rating.unwrap().outcome),
            ((action, Stage::Rater), outcome)
        );
    }
}

#[tokio::test]
async fn invariant_59_an_answer_is_stored_at_exactly_the_breadth_shown() {
    let gate = Gate::new(json!({ "mode": "manual" }));
    let session = gate.open("a").await;
    let approved = session.granted(shell("npm   run 'build'"), Scope::Session).await;
    let shown = approved.answer.unwrap().stored.unwrap();
    let held = session.holdings().await.grants;
    assert_eq!(held[0].entry, shown.entry);
    assert_eq!(shown.preview, r#"{ "type": "shell", "matcher": "exact", "pattern": "npm run build" }"#);
    assert_eq!(shown.summary, "npm run build");
}

#[tokio::test]
async fn invariant_60_an_unattended_escalation_exits_with_command_rating_and_reason() {
    let gate = Gate::new(json!({ "mode": "assisted", "escalate": [exact("npm publish")] }));
    gate.rater.say(Outcome::Catastrophic);
    let session = gate.open_as("a", |opening| opening.interactive = Some(false)).await;
    let ruling = session.shell("terraform destroy").await;
    let message = &ruling.decision.message;
    assert_eq!(
        (ruling.decision.action, ruling.decision.rating.unwrap().outcome),
        (Action::Unattended, Outcome::Catastrophic)
    );
    for part in ["terraform destroy", "catastrophic", "It was called catastrophic.", "approvals.allow"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let message = session.shell("npm publish").await.decision.message;
    assert!(message.contains("escalate entry") && !message.contains("declare it in"), "{message}");
    let hidden = session.shell("make \u{202e}\u{1b}[2Kdeploy").await.decision.message;
    assert!(!hidden.contains('\u{1b}') && !hidden.contains('\u{202e}'), "{hidden}");
}

#[tokio::test]
async fn invariant_61_a_declared_exact_command_runs_unattended_without_a_rating() {
    let gate = Gate::new(json!({ "mode": "assisted", "allow": [exact("npm test")] }));
    gate.rater.say(Outcome::Attack);
    let session = gate.open_as("a", |opening| opening.interactive = Some(false)).await;
    assert_eq!((session.action("npm test").await, gate.rater.calls()), (Action::Approve, 0));
}

#[tokio::test]
async fn invariant_62_an_allowed_command_of_the_hardline_floor_still_cannot_run() {
    let gate =
        Gate::new(json!({ "mode": "write", "allow": [exact("rm -rf /")], "escalate": [exact("rm -rf /")] }));
    let session = gate.open_as("a", |opening| opening.interactive = Some(false)).await;
    for rung in Rung::ALL {
        session.set_rung(rung).await;
        let ruling = session.shell("rm -rf /").await;
        assert_eq!(
            told(&ruling),
            (Action::Reject, Stage::HardlineFloor),
            "{rung}: and an unattended run goes on"
        );
        assert!(ruling.decision.notices.iter().any(|notice| notice.kind == NoticeKind::Hardline));
        assert!(
            ruling.decision.message.contains("delete the whole system")
                && !ruling.decision.message.contains("rm-root-pattern")
        );
    }
}

#[tokio::test]
async fn invariant_63_an_ungated_call_is_approved_ahead_of_deny() {
    let lists = json!([mcp_entry("jira", "get"), tool_entry("read_file")]);
    let gate = Gate::new(json!({ "mode": "assisted", "deny": lists }));
    let session = gate.open("a").await;
    assert_eq!(told(&session.ask(mcp("jira", "get", json!({}))).await), (Action::Approve, Stage::NotGated));
    session.set_rung(Rung::Manual).await;
    assert_eq!(told(&session.ask(tool("read_file", json!({}))).await), (Action::Approve, Stage::NotGated));
    assert_eq!(told(&session.ask(mcp("jira", "get", json!({}))).await), (Action::Reject, Stage::DenyList));
    // `every_call` is the other choice, and there deny comes first at every rung.
    let gate = Gate::new(json!({ "gate_scope": "every_call", "deny": lists }));
    for rung in Rung::ALL {
        let session = gate.open_as(rung.as_str(), |opening| opening.rung = Some(rung)).await;
        for call in [mcp("jira", "get", json!({})), tool("read_file", json!({}))] {
            assert_eq!(told(&session.ask(call).await), (Action::Reject, Stage::DenyList), "{rung}");
        }
    }
}

#[tokio::test]
async fn invariant_64_shell_commands_are_gated_at_every_rung() {
    let gate = Gate::new(json!({ "deny": [exact("make")] }));
    for rung in Rung::ALL {
        let session = gate.open_as(rung.as_str(), |opening| opening.rung = Some(rung)).await;
        assert_eq!(told(&session.shell("make").await), (Action::Reject, Stage::DenyList), "{rung}");
    }
}

#[tokio::test]
async fn a_spent_grant_and_an_expired_one_let_nothing_through() {
    let gate = Gate::new(json!({ "mode": "write" }));
    let session = gate.open("a").await;
    let terms = Terms { max_uses: Some(2), ..Terms::default() };
    session.grant(&exact("make"), GrantScope::Session, terms).await;
    assert_eq!(session.action("make").await, Action::Approve);
    let last = session.shell("make").await;
    assert!(last.decision.notices.iter().any(|notice| notice.kind == NoticeKind::GrantSpent));
    assert_eq!(session.action("make").await, Action::Escalate);
    let soon = haltgate::gate::Moment(gate.engine.now().0 + 30_000);
    let terms = Terms { expires_at: Some(soon), ..Terms::default() };
    session.grant(&exact("npm ci"), GrantScope::Always, terms).await;
    assert_eq!(session.action("npm ci").await, Action::Approve);
    tokio::time::sleep(std::time::Duration::from_millis(40)).await;
    assert_eq!(session.action("npm ci").await, Action::Escalate);
    assert!(session.persisted().await.is_empty());
}
