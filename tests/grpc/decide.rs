//! `Decide`: every action and stage that this version reaches, and every field of the answer.

use crate::support::*;
use haltgate::gate::{FailureCause, Outcome};
use haltgate::proto::v1 as pb;
use pb::{Action, Rung, Scope, Stage};
use tonic::Code;

const LISTS: &str = r#"{
    "mode": "assisted",
    "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" },
             { "type": "tool", "matcher": "exact", "pattern": "deploy" }],
    "escalate": [{ "type": "shell", "matcher": "glob", "pattern": "git push*" }],
    "allow": [{ "type": "shell", "matcher": "exact", "pattern": "cargo test" },
              { "type": "shell", "matcher": "glob", "pattern": "make *" }]
}"#;

struct Case {
    name: &'static str,
    rung: Rung,
    interactive: bool,
    call: pb::Call,
    outcome: Outcome,
    expected: (Action, Stage, Scope),
}

fn cases() -> Vec<Case> {
    let case =
        |name, rung, call, outcome, expected| Case { name, rung, interactive: true, call, outcome, expected };
    use Outcome::{Attack, Catastrophic, Destructive, Safe};
    let none = Scope::Unspecified;
    vec![
        case(
            "an ungated tool",
            Rung::Assisted,
            tool_call("deploy", ""),
            Safe,
            (Action::Approve, Stage::NotGated, Scope::Once),
        ),
        case(
            "a denied command",
            Rung::Assisted,
            shell_call("npm publish --tag next"),
            Safe,
            (Action::Reject, Stage::DenyList, none),
        ),
        case(
            "a denied command in a list",
            Rung::Assisted,
            shell_call("cd pkg && npm publish"),
            Safe,
            (Action::Reject, Stage::DenyList, none),
        ),
        case(
            "a denied command at bypass",
            Rung::Bypass,
            shell_call("npm publish"),
            Safe,
            (Action::Reject, Stage::DenyList, none),
        ),
        case(
            "a denied tool",
            Rung::Write,
            tool_call("deploy", ""),
            Safe,
            (Action::Reject, Stage::DenyList, none),
        ),
        case(
            "anything at bypass",
            Rung::Bypass,
            shell_call("git push"),
            Safe,
            (Action::Approve, Stage::Bypass, Scope::Once),
        ),
        case(
            "a forbidden command",
            Rung::Assisted,
            shell_call(FORBIDDEN),
            Safe,
            (Action::Reject, Stage::HardlineFloor, none),
        ),
        case(
            "a forbidden command at bypass",
            Rung::Bypass,
            shell_call(FORBIDDEN),
            Safe,
            (Action::Reject, Stage::HardlineFloor, none),
        ),
        case(
            "an escalate entry",
            Rung::Assisted,
            shell_call("git push origin main"),
            Safe,
            (Action::Escalate, Stage::EscalateEntry, none),
        ),
        case(
            "an exact allow entry",
            Rung::Assisted,
            shell_call("cargo test"),
            Attack,
            (Action::Approve, Stage::AllowList, Scope::Session),
        ),
        case(
            "a rated allow entry",
            Rung::Assisted,
            shell_call("make all"),
            Destructive,
            (Action::Approve, Stage::AllowTripwire, Scope::Session),
        ),
        case(
            "a rated allow entry, catastrophic",
            Rung::Assisted,
            shell_call("make all"),
            Catastrophic,
            (Action::Escalate, Stage::AllowTripwire, none),
        ),
        case(
            "a rated allow entry, attack",
            Rung::Assisted,
            shell_call("make all"),
            Attack,
            (Action::Halt, Stage::AllowTripwire, none),
        ),
        case(
            "a rated allow entry where nothing is rated",
            Rung::Write,
            shell_call("make all"),
            Attack,
            (Action::Approve, Stage::AllowList, Scope::Session),
        ),
        case(
            "a safe command",
            Rung::Assisted,
            shell_call("ls"),
            Safe,
            (Action::Approve, Stage::Rater, Scope::Once),
        ),
        case(
            "a destructive command",
            Rung::Assisted,
            shell_call("ls"),
            Destructive,
            (Action::Escalate, Stage::Rater, none),
        ),
        case(
            "a destructive command at auto",
            Rung::Auto,
            shell_call("ls"),
            Destructive,
            (Action::Reject, Stage::Rater, none),
        ),
        case(
            "a catastrophic command at auto",
            Rung::Auto,
            shell_call("ls"),
            Catastrophic,
            (Action::Escalate, Stage::Rater, none),
        ),
        case("an attack", Rung::Auto, shell_call("ls"), Attack, (Action::Halt, Stage::Rater, none)),
        case(
            "a command where nothing is rated",
            Rung::Manual,
            shell_call("ls"),
            Safe,
            (Action::Escalate, Stage::UnratedRung, none),
        ),
        case(
            "a tool where nothing is rated",
            Rung::Write,
            tool_call("notify", ""),
            Safe,
            (Action::Escalate, Stage::UnratedRung, none),
        ),
        case(
            "a built-in read",
            Rung::Manual,
            tool_call("read_file", r#"{"path": "/etc/passwd"}"#),
            Safe,
            (Action::Approve, Stage::NotGated, Scope::Once),
        ),
        Case {
            interactive: false,
            ..case(
                "nobody to ask",
                Rung::Assisted,
                shell_call("ls"),
                Destructive,
                (Action::Unattended, Stage::Rater, none),
            )
        },
        Case {
            interactive: false,
            ..case(
                "nobody to ask about an entry",
                Rung::Assisted,
                shell_call("git push"),
                Safe,
                (Action::Unattended, Stage::EscalateEntry, none),
            )
        },
    ]
}

#[tokio::test]
async fn each_action_and_stage_is_answered_with_its_fields_and_recorded_once_66() {
    let gate = Gate::with(LISTS).await;
    for (number, case) in cases().into_iter().enumerate() {
        let name = case.name;
        let session = format!("s{number}");
        gate.open(pb::OpenSessionRequest {
            rung: case.rung.into(),
            interactive: Some(case.interactive),
            ..opening(&session)
        })
        .await;
        gate.rater.otherwise(case.outcome);
        let given = gate.decide(in_run("r1", named("q1", ask(&session, case.call.clone())))).await;
        let (action, stage, scope) = case.expected;
        assert_eq!((given.action(), given.stage(), given.scope()), (action, stage, scope), "{name}");
        assert_eq!(
            (given.session_id.as_str(), given.run_id.as_str(), given.request_id.as_str(), given.rung()),
            (session.as_str(), "r1", "q1", case.rung),
            "{name}"
        );
        assert_eq!(given.policy_revision, gate.info().await.policy_revision, "{name}");
        assert_eq!(uuid::Uuid::parse_str(&given.decision_id).unwrap().get_version_num(), 7, "{name}");
        assert_eq!(given.message.is_empty(), given.framed_lines.is_empty(), "{name}");
        assert_eq!(!given.message.is_empty(), action != Action::Approve, "{name}: {}", given.message);
        assert!(given.framed_lines.iter().all(|row| row.chars().count() <= 79), "{name}");
        let asked = action == Action::Escalate;
        assert_eq!(!given.escalation_id.is_empty(), asked, "{name}");
        assert_eq!(!given.halt_id.is_empty(), action == Action::Halt, "{name}");
        assert_eq!(given.run_halted, action == Action::Halt, "{name}");
        assert_eq!(!given.hardline.is_empty(), stage == Stage::HardlineFloor, "{name}");
        let rated = matches!(stage, Stage::Rater | Stage::AllowTripwire);
        assert_eq!(given.rating.is_some(), rated, "{name}");
        let listed =
            matches!(stage, Stage::DenyList | Stage::EscalateEntry | Stage::AllowList | Stage::AllowTripwire);
        assert_eq!(given.matched_rule.is_some(), listed, "{name}");
        let timing = given.timing.unwrap();
        assert!(timing.arrived_at.is_some(), "{name}");
        assert_eq!(timing.decided_at.is_none(), asked, "{name}");
        assert!(!given.replayed && given.human.is_none() && given.explanation.is_none(), "{name}");
        assert!(given.budget.is_some() && given.subject.is_some(), "{name}");

        let records = gate.records_of(&session).await;
        assert_eq!(records.len(), 1, "{name}");
        let record = &records[0];
        assert_eq!((record.action(), record.stage(), record.scope()), (action, stage, scope), "{name}");
        assert_eq!(record.decision_id, given.decision_id, "{name}");
        assert_eq!(record.record_id, given.decision_id, "{name}");
        assert_eq!(record.message, given.message, "{name}");
        assert_eq!(record.matched_rule, given.matched_rule, "{name}");
        assert_eq!(record.settled_at.is_none(), asked, "{name}");
        assert_eq!(record.caller, "local", "{name}");
        let kind = |call: &Option<pb::Call>| call.as_ref().unwrap().kind.as_ref().map(std::mem::discriminant);
        assert_eq!(kind(&record.call), kind(&Some(case.call)), "{name}");
        assert_eq!(!record.hardline_check.is_empty(), stage == Stage::HardlineFloor, "{name}");
        let involvement = match action {
            Action::Escalate => pb::HumanInvolvement::Waiting,
            Action::Halt | Action::Unattended => pb::HumanInvolvement::Nobody,
            _ => pb::HumanInvolvement::Unspecified,
        };
        assert_eq!(record.human_involvement(), involvement, "{name}");
    }
}

#[tokio::test]
async fn the_open_world_floor_asks_where_every_call_is_judged() {
    let gate = Gate::with(r#"{ "gate_scope": "every_call" }"#).await;
    let given = gate
        .decide(ask("s", mcp_call("jira", "create_issue", r#"{"url": "https://jira.example.com:8443/x"}"#)))
        .await;
    assert_eq!((given.action(), given.stage()), (Action::Escalate, Stage::ToolOpenWorldFloor));
    let rating = given.rating.unwrap();
    assert_eq!((rating.outcome(), rating.source()), (pb::Outcome::Destructive, pb::RatingSource::Floor));
    assert_eq!(rating.floors[0].kind(), pb::FloorKind::OpenWorld);
    assert_eq!(gate.rater.count(), 0);
}

#[tokio::test]
async fn the_subject_says_how_the_rules_see_each_kind_of_call() {
    let gate = Gate::at("bypass").await;
    gate.open(pb::OpenSessionRequest { mcp_servers: servers(&["jira", "a", "a__b"]), ..opening("s") }).await;
    let subject = async |call| gate.decide(ask("s", call)).await.subject.unwrap().kind.unwrap();
    use pb::subject::Kind;

    let Kind::Shell(seen) = subject(shell_call("git   commit -m 'a  b'")).await else {
        panic!("a shell command")
    };
    assert_eq!(
        (seen.command.as_str(), seen.canonical.as_str()),
        ("git   commit -m 'a  b'", "git commit -m 'a  b'")
    );
    let Kind::Shell(seen) = subject(shell_call("ls && pwd")).await else { panic!("a shell command") };
    assert_eq!(seen.canonical, "", "only one simple command has a canonical spelling");

    let call = tool_call(
        "fetch",
        r#"{"b": "https://B.example:1/x", "a": ["http://a.example", "https://b.example"]}"#,
    );
    let Kind::Tool(seen) = subject(call).await else { panic!("a tool") };
    assert_eq!(
        (seen.name.as_str(), seen.hosts),
        ("fetch", vec!["b.example".to_owned(), "a.example".to_owned()])
    );
    let all = seen.annotations.unwrap();
    assert!(all.read_only_hint.is_some() && all.destructive_hint.is_some());
    assert!(all.idempotent_hint.is_some() && all.open_world_hint.is_some());

    let Kind::McpTool(seen) = subject(mcp_call("jira", "get", "")).await else { panic!("an MCP tool") };
    assert_eq!(
        (seen.server.as_str(), seen.name.as_str(), seen.registered_name.as_str()),
        ("jira", "get", "mcp__jira__get")
    );
    let Kind::McpTool(seen) = subject(registered_call("mcp__jira__get", "")).await else {
        panic!("an MCP tool")
    };
    assert_eq!((seen.server.as_str(), seen.name.as_str()), ("jira", "get"));
    let Kind::McpTool(seen) = subject(registered_call("mcp__a__b__get", "")).await else {
        panic!("an MCP tool")
    };
    assert_eq!(
        (seen.server.as_str(), seen.name.as_str()),
        ("", "mcp__a__b__get"),
        "two keys explain the name"
    );
    let Kind::McpTool(_) = subject(tool_call("mcp__jira__get", "")).await else {
        panic!("no MCP tool passes as one of the agent's own")
    };
    let Kind::Tool(_) = subject(registered_call("notify", "")).await else { panic!("a tool") };
    let Kind::McpTool(seen) = subject(mcp_call("unknown", "get", "")).await else { panic!("an MCP tool") };
    assert_eq!(seen.server, "unknown", "a key that the session does not know is judged as named");
}

#[tokio::test]
async fn the_matched_rule_names_list_layer_entry_and_place() {
    let gate = Gate::with(LISTS).await;
    let rule = async |command: &str| gate.decide(shell("s", command)).await.matched_rule.unwrap();
    let found = rule("npm publish").await;
    assert_eq!(
        (found.list(), found.layer(), found.index),
        (pb::RuleList::Deny, pb::RuleLayer::Declared, Some(0))
    );
    let entry = found.entry.unwrap();
    assert_eq!(entry.object_text, r#"{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }"#);
    assert_eq!(entry.summary, "npm publish* (glob)");
    assert_eq!(entry.entry.unwrap().matcher(), pb::Matcher::Glob);
    let found = rule("git push").await;
    assert_eq!(
        (found.list(), found.layer(), found.index),
        (pb::RuleList::Escalate, pb::RuleLayer::Declared, Some(0))
    );
    let found = rule("make all").await;
    assert_eq!((found.list(), found.index, found.rated), (pb::RuleList::Allow, Some(1), true));
    let found = rule("cargo test").await;
    assert_eq!((found.list(), found.index, found.rated), (pb::RuleList::Allow, Some(0), false));

    gate.manage("s", granting(shell_entry("git fetch"), Scope::Session)).await;
    gate.manage("s", granting(shell_entry("git pull"), Scope::Always)).await;
    gate.manage("s", denying(shell_entry("git clean"))).await;
    for (command, list, layer) in [
        ("git fetch", pb::RuleList::Allow, pb::RuleLayer::SessionGrant),
        ("git pull", pb::RuleList::Allow, pb::RuleLayer::PersistedGrant),
        ("git clean", pb::RuleList::Deny, pb::RuleLayer::Denial),
    ] {
        let found = rule(command).await;
        assert_eq!((found.list(), found.layer(), found.index), (list, layer, None), "{command}");
    }
}

#[tokio::test]
async fn a_rating_carries_outcome_reason_source_and_cause() {
    let gate = Gate::plain().await;
    let rating = gate.decide(shell("s", "ls")).await.rating.unwrap();
    assert_eq!((rating.outcome(), rating.reason.as_str()), (pb::Outcome::Safe, "rated safe by the script"));
    assert_eq!((rating.source(), rating.cause()), (pb::RatingSource::BuiltIn, pb::RatingCause::Unspecified));
    for (failure, cause) in [
        (FailureCause::NotAssessed, pb::RatingCause::NotAssessed),
        (FailureCause::NoModel, pb::RatingCause::NoModel),
        (FailureCause::Timeout, pb::RatingCause::Timeout),
        (FailureCause::Unparseable, pb::RatingCause::Unparseable),
        (FailureCause::Transport, pb::RatingCause::Transport),
        (FailureCause::CircuitOpen, pb::RatingCause::CircuitOpen),
        (FailureCause::BudgetSpent, pb::RatingCause::BudgetSpent),
    ] {
        gate.rater.fail(failure);
        let given = gate.decide(shell("s", "ls")).await;
        let rating = given.rating.clone().unwrap();
        assert_eq!(given.action(), Action::Escalate, "{cause:?}");
        assert_eq!(
            (rating.outcome(), rating.source(), rating.cause()),
            (pb::Outcome::Destructive, pb::RatingSource::Floor, cause)
        );
        let timeouts =
            given.notices.iter().filter(|notice| notice.code() == pb::NoticeCode::RatingTimeout).count();
        assert_eq!(timeouts, usize::from(failure == FailureCause::Timeout));
        let spent = |notice: &&pb::Notice| {
            notice.code() == pb::NoticeCode::RatingFailed && notice.text.contains("limits.ratings")
        };
        assert_eq!(
            given.notices.iter().filter(spent).count(),
            usize::from(failure == FailureCause::BudgetSpent)
        );
    }
    assert_eq!(gate.get("s").await.rater_timeouts, 1);
}

#[tokio::test]
async fn every_rating_given_up_on_is_counted_and_said_7() {
    let gate = Gate::plain().await;
    gate.rater.fail(FailureCause::Timeout);
    gate.decide(shell("s", "ls")).await;
    let second = gate.decide(shell("s", "pwd")).await;
    let notice = second.notices.iter().find(|notice| notice.code() == pb::NoticeCode::RatingTimeout).unwrap();
    assert_eq!(notice.level(), pb::NoticeLevel::Warning);
    assert!(notice.text.contains('2'), "{}", notice.text);
}

#[tokio::test]
async fn notices_say_what_an_operator_should_know() {
    let gate =
        Gate::with(r#"{ "allow": [{ "type": "shell", "matcher": "glob", "pattern": "make *" }] }"#).await;
    let codes = |given: &pb::DecideResponse| given.notices.iter().map(pb::Notice::code).collect::<Vec<_>>();
    let first = gate.decide(shell("s", "ls")).await;
    assert_eq!(codes(&first), [pb::NoticeCode::SessionDefaults], "nobody had opened the session");
    assert!(codes(&gate.decide(shell("s", "ls")).await).is_empty(), "it is said once");
    assert!(codes(&gate.decide(shell("s", FORBIDDEN)).await).contains(&pb::NoticeCode::Hardline));
    gate.rater.fail(FailureCause::Transport);
    let ran = gate.decide(shell("s", "make all")).await;
    assert_eq!(ran.action(), Action::Approve, "a human allowed it");
    assert!(codes(&ran).contains(&pb::NoticeCode::RatingFailed));
}

#[tokio::test]
async fn an_empty_request_id_is_made_up_and_returned_and_works_afterwards() {
    let gate = Gate::at("manual").await;
    let given = gate.decide(shell("s", "ls")).await;
    assert_eq!(uuid::Uuid::parse_str(&given.request_id).unwrap().get_version_num(), 7);
    let again = gate.decide(named(&given.request_id, shell("s", "ls"))).await;
    assert!(again.replayed);
    assert_eq!(again.decision_id, given.decision_id);
}

#[tokio::test]
async fn a_session_that_nobody_opened_is_opened_with_the_projects_defaults() {
    let gate = Gate::at("write").await;
    let given = gate.decide(shell("new", "ls")).await;
    assert_eq!((given.action(), given.rung()), (Action::Escalate, Rung::Write));
    let session = gate.get("new").await.session.unwrap();
    assert_eq!(session.state(), pb::SessionState::Open);
    assert_eq!((session.rung(), session.interactive), (Rung::Write, true));
    assert_eq!(session.project, "default");
}

#[tokio::test]
async fn a_closed_session_decides_nothing() {
    let gate = Gate::plain().await;
    gate.open(opening("s")).await;
    let closed_at = gate.close("s").await.session.unwrap().closed_at.unwrap();
    for request in [shell("s", "ls"), dry(shell("s", "ls"))] {
        let failure = gate.try_decide(request).await.unwrap_err();
        failure.expect(Code::FailedPrecondition, "SESSION_CLOSED");
        assert_eq!((failure.metadata("project"), failure.metadata("session_id")), ("default", "s"));
        let said: jiff::Timestamp = failure.metadata("closed_at").parse().unwrap();
        assert_eq!(said.as_second(), closed_at.seconds);
    }
    assert!(gate.records_of("s").await.is_empty());
    gate.open(opening("s")).await;
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
}

#[tokio::test]
async fn the_rung_of_a_new_session_is_the_policys_whatever_another_was_moved_to_1() {
    let gate = Gate::at("assisted").await;
    gate.open(opening("a")).await;
    gate.set_rung("a", Rung::Bypass).await;
    gate.open(opening("b")).await;
    assert_eq!(gate.get("b").await.session.unwrap().rung(), Rung::Assisted);
    assert_eq!(gate.get("a").await.session.unwrap().rung(), Rung::Bypass);
}

#[tokio::test]
async fn a_change_of_rung_governs_the_very_next_call_2() {
    let gate = Gate::at("assisted").await;
    gate.open(opening("s")).await;
    let write = || ask("s", tool_call("write_file", r#"{"path": "a"}"#));
    assert_eq!(gate.decide(write()).await.action(), Action::Approve);
    gate.set_rung("s", Rung::Manual).await;
    assert_eq!(gate.decide(write()).await.action(), Action::Escalate);
}

#[tokio::test]
async fn a_session_configured_at_bypass_can_be_switched_back_3() {
    let gate = Gate::at("bypass").await;
    gate.open(opening("s")).await;
    assert_eq!(gate.decide(shell("s", "echo")).await.action(), Action::Approve);
    gate.set_rung("s", Rung::Write).await;
    assert_eq!(gate.decide(shell("s", "echo")).await.action(), Action::Escalate);
}

#[tokio::test]
async fn setting_a_rung_twice_changes_nothing_more_and_leaves_the_lists_alone_5() {
    let gate = Gate::with(LISTS).await;
    gate.open(opening("s")).await;
    let before = gate.get("s").await.posture.unwrap();
    assert_eq!(gate.set_rung("s", Rung::Write).await.rung(), Rung::Write);
    assert_eq!(gate.set_rung("s", Rung::Write).await.rung(), Rung::Write);
    let after = gate.get("s").await.posture.unwrap();
    assert_eq!((after.rung(), after.configured_rung()), (Rung::Write, Rung::Assisted));
    assert_eq!((after.deny, after.escalate, after.allow), (before.deny, before.escalate, before.allow));
}

#[tokio::test]
async fn an_unattended_call_says_command_rating_and_reason_60() {
    let gate = Gate::plain().await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.open(pb::OpenSessionRequest { interactive: Some(false), ..opening("s") }).await;
    let given = gate.decide(shell("s", "rm -rf build")).await;
    assert_eq!(given.action(), Action::Unattended);
    assert!(given.message.contains("rm -rf build"), "{}", given.message);
    assert!(given.message.contains("rated destructive by the script"), "{}", given.message);
    assert_eq!(given.rating.unwrap().outcome(), pb::Outcome::Destructive);
}

#[tokio::test]
async fn captures_list_every_gated_decision_oldest_first_24() {
    let gate = Gate::with(LISTS).await;
    gate.decide(shell("s", "ls")).await;
    gate.decide(shell("s", "npm publish")).await;
    gate.rater.otherwise(Outcome::Attack);
    gate.decide(shell("s", "curl x | sh")).await;
    let actions: Vec<Action> = gate.records_of("s").await.iter().map(pb::DecisionRecord::action).collect();
    assert_eq!(actions, [Action::Approve, Action::Reject, Action::Halt]);
}

#[tokio::test]
async fn the_folders_of_the_session_stand_in_where_a_call_names_none() {
    let gate = Gate::plain().await;
    gate.open(pb::OpenSessionRequest {
        cwd: "/work".to_owned(),
        home: "/home/me".to_owned(),
        ..opening("s")
    })
    .await;
    gate.decide(shell("s", "ls")).await;
    let own =
        pb::ShellCall { command: "pwd".to_owned(), cwd: "/other".to_owned(), ..pb::ShellCall::default() };
    gate.decide(ask("s", pb::Call { kind: Some(pb::call::Kind::Shell(own)) })).await;
    let folders: Vec<_> = gate
        .rater
        .asked()
        .into_iter()
        .map(|asked| match asked.subject {
            haltgate::gate::RatingSubject::Command { cwd, home, .. } => (cwd, home),
            haltgate::gate::RatingSubject::Tool { .. } => panic!("a command"),
        })
        .collect();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(folders, [(some("/work"), some("/home/me")), (some("/other"), some("/home/me"))]);
}

#[tokio::test]
async fn a_command_of_the_longest_length_is_decided_within_the_default_message_size() {
    let gate = Gate::plain().await;
    let longest = format!("echo {}", "x".repeat((1 << 20) - 5));
    let mut strict = pb::approval_gate_client::ApprovalGateClient::new(gate.channel.clone());
    for rung in [Rung::Assisted, Rung::Manual] {
        gate.open(pb::OpenSessionRequest { rung: rung.into(), ..opening("s") }).await;
        strict.decide(shell("s", &longest)).await.unwrap();
    }
}
