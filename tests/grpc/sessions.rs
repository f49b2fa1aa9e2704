//! Sessions: opened, opened again, changed, looked at, listed and closed.

use crate::support::*;
use haltgate::gate::{Outcome, RatingSubject};
use haltgate::proto::v1 as pb;
use pb::{Action, NoticeCode, Rung, Scope, SessionState};
use std::collections::HashMap;
use std::time::Duration;

const POLICY: &str = r#"{
    "approvals": { "mode": "assisted", "raterTimeoutMs": 1234,
        "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" },
                 { "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "delete" }],
        "allow": [{ "type": "shell", "matcher": "exact", "pattern": "cargo test" }] },
    "commands": { "review": { "approvals": { "mode": "manual" } } },
    "mcpServers": { "jira": {} },
    "projects": { "shop": { "approvals": { "mode": "write" } } }
}"#;

async fn gate() -> Gate {
    Gate::start(Setup { policy: POLICY.to_owned(), ..Setup::default() }).await
}

fn map(pairs: &[(&str, &str)]) -> HashMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn named_session(response: pb::OpenSessionResponse) -> pb::Session {
    response.session.unwrap()
}

#[tokio::test]
async fn an_opened_session_shows_what_was_asked_for_and_defaults_for_the_rest() {
    let gate = gate().await;
    let plain = gate.open(pb::OpenSessionRequest::default()).await;
    assert!(!plain.reopened);
    let session = named_session(plain);
    assert_eq!(uuid::Uuid::parse_str(&session.session_id).unwrap().get_version_num(), 7);
    assert_eq!(
        (session.project.as_str(), session.state(), session.rung()),
        ("default", SessionState::Open, Rung::Assisted)
    );
    assert!(session.interactive && session.labels.is_empty() && session.closed_at.is_none());
    assert_eq!(
        (session.mcp_servers, session.tool_count),
        (vec!["jira".to_owned()], 0),
        "those that the policy names"
    );
    assert_eq!(session.policy_revision, gate.info().await.policy_revision);

    let labels = map(&[("owning_command", "review"), ("free", "")]);
    let request = pb::OpenSessionRequest {
        project: "shop".to_owned(),
        rung: Rung::Manual.into(),
        interactive: Some(false),
        command: "no such command".to_owned(),
        labels: labels.clone(),
        cwd: "/work".to_owned(),
        home: "/home/me".to_owned(),
        tools: catalogue(vec![declared("a", "get", [Some(true), None, None, None])]),
        mcp_servers: servers(&["a", "b"]),
        ..opening("s")
    };
    let session = named_session(gate.open(request).await);
    assert_eq!(
        (session.session_id.as_str(), session.project.as_str(), session.rung()),
        ("s", "shop", Rung::Manual)
    );
    assert_eq!(
        (session.interactive, session.command.as_str(), session.labels),
        (false, "no such command", labels)
    );
    assert_eq!((session.cwd.as_str(), session.home.as_str(), session.tool_count), ("/work", "/home/me", 1));
    assert_eq!(session.mcp_servers, ["a", "b"]);
    let none = pb::OpenSessionRequest { mcp_servers: servers(&[]), ..opening("none") };
    assert!(named_session(gate.open(none).await).mcp_servers.is_empty(), "none, and not the policy's");
}

#[tokio::test]
async fn the_rung_is_the_one_that_project_and_command_select() {
    let gate = gate().await;
    for (project, command, rung) in [
        ("", "", Rung::Assisted),
        ("", "review", Rung::Manual),
        ("", "other", Rung::Assisted),
        ("shop", "", Rung::Write),
        ("unknown", "", Rung::Assisted),
    ] {
        let request = pb::OpenSessionRequest {
            project: project.to_owned(),
            command: command.to_owned(),
            ..opening("s")
        };
        assert_eq!(named_session(gate.open(request).await).rung(), rung, "{project} {command}");
    }
}

#[tokio::test]
async fn opening_says_what_the_rung_lets_through_and_which_entries_can_never_fire() {
    let gate = gate().await;
    let codes = |notices: &[pb::Notice]| notices.iter().map(pb::Notice::code).collect::<Vec<_>>();
    let opened = gate.open(opening("s")).await;
    assert_eq!(codes(&opened.notices), [NoticeCode::Posture, NoticeCode::InertEntries]);
    assert!(opened.notices[1].text.contains("delete"), "{}", opened.notices[1].text);
    assert!(!opened.notices[1].text.contains("npm publish"), "that one can fire");
    let manual = gate.update(pb::UpdateSessionRequest { rung: Rung::Manual.into(), ..changing("s") }).await;
    assert_eq!(codes(&manual.notices), [NoticeCode::Posture]);
    let bypass = gate.update(pb::UpdateSessionRequest { rung: Rung::Bypass.into(), ..changing("s") }).await;
    assert_eq!(bypass.notices[0].level(), pb::NoticeLevel::Warning);
    let same = gate.update(pb::UpdateSessionRequest { rung: Rung::Bypass.into(), ..changing("s") }).await;
    assert!(same.notices.is_empty(), "nothing changed");
}

#[tokio::test]
async fn opening_again_sets_up_anew_and_keeps_what_a_human_granted_and_refused() {
    let gate = gate().await;
    gate.rater.otherwise(Outcome::Destructive);
    let request = pb::OpenSessionRequest {
        cwd: "/work".to_owned(),
        labels: map(&[("a", "b")]),
        tools: catalogue(vec![declared("a", "get", [None; 4])]),
        ..opening("s")
    };
    let first = named_session(gate.open(request).await);
    gate.set_rung("s", Rung::Auto).await;
    gate.manage("s", granting(shell_entry("ls"), Scope::Session)).await;
    gate.manage("s", denying(shell_entry("pwd"))).await;
    gate.decide(shell("s", "rm a")).await;
    assert_eq!(gate.get("s").await.budget.unwrap().rejections_since_human, 1);
    let records = gate.records_of("s").await.len();

    let again = gate.open(opening("s")).await;
    assert!(again.reopened);
    let session = named_session(again);
    assert_eq!(session.opened_at, first.opened_at, "when it was opened first");
    assert_eq!(
        (session.rung(), session.cwd.as_str(), session.tool_count, session.labels.len()),
        (Rung::Assisted, "", 0, 0)
    );
    let seen = gate.get("s").await;
    assert_eq!((seen.budget.unwrap().rejections_since_human, seen.negotiation), (0, None));
    let (grants, denials) = gate.holdings("s").await;
    assert_eq!((grants.len(), denials.len(), gate.records_of("s").await.len()), (1, 1, records));
    assert_eq!(gate.decide(shell("s", "ls")).await.action(), Action::Approve);
    assert_eq!(gate.decide(shell("s", "pwd")).await.action(), Action::Reject);
}

#[tokio::test]
async fn an_update_changes_what_it_names_and_nothing_else() {
    let gate = gate().await;
    let tools = catalogue(vec![declared("a", "get", [Some(true), None, None, None])]);
    gate.open(pb::OpenSessionRequest {
        labels: map(&[("keep", "1"), ("drop", "2"), ("change", "3")]),
        cwd: "/work".to_owned(),
        home: "/home/me".to_owned(),
        tools: tools.clone(),
        mcp_servers: servers(&["a"]),
        ..opening("s")
    })
    .await;
    let before = gate.get("s").await;
    let unchanged = gate.update(changing("s")).await.session.unwrap();
    let strip = |session: pb::Session| pb::Session { last_used_at: None, ..session };
    assert_eq!(strip(unchanged), strip(before.session.unwrap()));
    assert_eq!(gate.get("s").await.tools, tools);

    let change = pb::LabelChanges {
        set: map(&[("change", "4"), ("new", "5")]),
        remove: vec!["drop".to_owned(), "absent".to_owned()],
    };
    let session = gate
        .update(pb::UpdateSessionRequest {
            interactive: Some(false),
            labels: Some(change),
            cwd: Some(String::new()),
            home: Some("/root".to_owned()),
            tools: catalogue(Vec::new()),
            mcp_servers: servers(&["b"]),
            ..changing("s")
        })
        .await
        .session
        .unwrap();
    assert_eq!(session.labels, map(&[("keep", "1"), ("change", "4"), ("new", "5")]));
    assert_eq!(
        (session.interactive, session.cwd.as_str(), session.home.as_str(), session.tool_count),
        (false, "", "/root", 0)
    );
    assert_eq!((session.rung(), session.mcp_servers), (Rung::Assisted, vec!["b".to_owned()]));
}

#[tokio::test]
async fn leaving_auto_clears_the_negotiation_and_a_message_of_the_user_does_too() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    let reject = async || assert_eq!(gate.decide(shell("s", "rm a")).await.action(), Action::Reject);
    let counts = async || {
        let seen = gate.get("s").await;
        let budget = seen.budget.unwrap();
        (
            seen.negotiation.map_or(0, |found| found.rounds.len()),
            budget.consecutive_rejections,
            budget.rejections_since_human,
        )
    };
    reject().await;
    assert_eq!(counts().await, (1, 1, 1));
    let seen = gate.get("s").await;
    let budget = seen.budget.unwrap();
    assert_eq!((budget.max_consecutive_rejections, budget.max_rejections_since_human), (3, 9));
    let negotiation = seen.negotiation.unwrap();
    assert_eq!((negotiation.attempts, negotiation.includes_pending_call), (1, false));
    assert!(!negotiation.framed_lines.is_empty());
    gate.set_rung("s", Rung::Assisted).await;
    assert_eq!(counts().await.0, 0);
    gate.set_rung("s", Rung::Auto).await;
    reject().await;
    gate.update(pb::UpdateSessionRequest { user_messages: vec!["please".to_owned()], ..changing("s") }).await;
    assert_eq!(counts().await, (0, 0, 0));
    reject().await;
    gate.update(pb::UpdateSessionRequest { reset_thread: true, ..changing("s") }).await;
    assert_eq!(counts().await, (0, 0, 0));
}

#[tokio::test]
async fn the_rater_hears_the_user_from_the_second_round_on_and_not_what_was_reset() {
    let gate = Gate::at("auto").await;
    gate.rater.otherwise(Outcome::Destructive);
    let messages: Vec<String> = (0..12)
        .map(|number| format!("message {number}"))
        .chain(["  ".to_owned(), "x".repeat(3000)])
        .collect();
    gate.open(pb::OpenSessionRequest { user_messages: messages, ..opening("s") }).await;
    gate.decide(shell("s", "rm a")).await;
    gate.decide(shell("s", "rm b")).await;
    let asked = gate.rater.asked();
    assert!(asked[0].context.is_none(), "round one sees the command alone");
    let context = asked[1].context.clone().unwrap();
    assert_eq!(context.user_messages.len(), 5);
    assert_eq!(context.user_messages[3], "message 11");
    assert_eq!(context.user_messages[4].chars().count(), 1000);
    let update = pb::UpdateSessionRequest {
        reset_thread: true,
        user_messages: vec!["anew".to_owned()],
        ..changing("s")
    };
    gate.update(update).await;
    gate.decide(shell("s", "rm c")).await;
    gate.decide(shell("s", "rm d")).await;
    assert_eq!(
        gate.rater.asked().pop().unwrap().context.unwrap().user_messages,
        ["anew"],
        "reset before added"
    );
}

#[tokio::test]
async fn a_decision_under_way_keeps_what_it_began_with() {
    let gate = Gate::plain().await;
    gate.open(pb::OpenSessionRequest { cwd: "/before".to_owned(), ..opening("s") }).await;
    gate.rater.otherwise(Outcome::Destructive);
    gate.rater.delay(Duration::from_millis(300));
    let mut client = gate.client.clone();
    let under_way = tokio::spawn(async move { client.decide(shell("s", "ls")).await.unwrap().into_inner() });
    while gate.rater.count() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let change = pb::UpdateSessionRequest {
        rung: Rung::Bypass.into(),
        cwd: Some("/after".to_owned()),
        ..changing("s")
    };
    gate.update(change).await;
    let given = under_way.await.unwrap();
    assert_eq!((given.action(), given.rung()), (Action::Escalate, Rung::Assisted));
    let record = gate.records_of("s").await.pop().unwrap();
    let Some(pb::call::Kind::Shell(call)) = record.call.unwrap().kind else { panic!("a command") };
    assert_eq!(call.cwd, "/before");
    assert_eq!(gate.decide(shell("s", "ls")).await.rung(), Rung::Bypass);
}

#[tokio::test]
async fn a_view_shows_the_posture_in_force() {
    let gate = gate().await;
    gate.open(opening("s")).await;
    gate.set_rung("s", Rung::Write).await;
    let posture = gate.get("s").await.posture.unwrap();
    assert_eq!(
        (posture.rung(), posture.configured_rung(), posture.gate_scope()),
        (Rung::Write, Rung::Assisted, pb::GateScope::Rung)
    );
    assert_eq!(posture.rater_timeout.unwrap(), prost_types::Duration { seconds: 1, nanos: 234_000_000 });
    assert_eq!((posture.deny_total, posture.escalate_total, posture.allow_total), (2, 0, 1));
    let texts: Vec<&str> = posture.deny.iter().map(|entry| entry.object_text.as_str()).collect();
    assert_eq!(
        texts,
        [
            r#"{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }"#,
            r#"{ "type": "mcpTool", "server": "jira", "matcher": "exact", "pattern": "delete" }"#
        ]
    );
    assert_eq!(posture.rater_profile, "");
    let defaults = Gate::plain().await;
    defaults.open(opening("s")).await;
    let timeout = defaults.get("s").await.posture.unwrap().rater_timeout.unwrap();
    assert_eq!(timeout.seconds, 30);
}

#[tokio::test]
async fn tools_are_shown_when_asked_for_with_their_descriptions_cut() {
    let gate = gate().await;
    let tool = pb::ToolDeclaration {
        description: "\u{e4}".repeat(2000),
        ..declared("a", "get", [Some(true), None, Some(false), None])
    };
    gate.open(pb::OpenSessionRequest { tools: catalogue(vec![tool.clone()]), ..opening("s") }).await;
    let shown = gate.get("s").await.tools.unwrap().tools.remove(0);
    assert_eq!(shown, pb::ToolDeclaration { description: "\u{e4}".repeat(1024), ..tool });
    let request = pb::GetSessionRequest { session_id: "s".to_owned(), ..Default::default() };
    assert!(gate.client.clone().get_session(request).await.unwrap().into_inner().tools.is_none());
}

#[tokio::test]
async fn the_denylist_shows_a_thousand_lines_at_most() {
    let entries: Vec<String> = (0..1200)
        .map(|number| format!(r#"{{ "type": "shell", "matcher": "exact", "pattern": "d{number}" }}"#))
        .collect();
    let gate = Gate::with(&format!("{{ \"deny\": [{}] }}", entries.join(","))).await;
    gate.open(opening("s")).await;
    gate.manage("s", denying(shell_entry("late"))).await;
    let seen = gate.get("s").await;
    assert_eq!((seen.denylist.len(), seen.counts.unwrap().denials), (1000, 1));
    let posture = seen.posture.unwrap();
    assert_eq!((posture.deny.len(), posture.deny_total), (1000, 1200));
}

#[tokio::test]
async fn last_used_moves_with_decisions_and_changes() {
    let gate = gate().await;
    let nanos = |session: pb::Session| {
        let at = session.last_used_at.unwrap();
        at.seconds * 1_000_000_000 + i64::from(at.nanos)
    };
    let opened = nanos(named_session(gate.open(opening("s")).await));
    tokio::time::sleep(Duration::from_millis(5)).await;
    gate.decide(shell("s", "ls")).await;
    let decided = nanos(gate.get("s").await.session.unwrap());
    assert!(decided > opened);
    tokio::time::sleep(Duration::from_millis(5)).await;
    let changed = nanos(gate.update(changing("s")).await.session.unwrap());
    assert!(changed > decided);
}

#[tokio::test]
async fn a_closed_session_is_shown_listed_and_closed_again_without_an_error() {
    let gate = Gate::at("manual").await;
    for command in ["a", "b"] {
        gate.decide(shell("s", command)).await;
    }
    assert_eq!(gate.get("s").await.session.unwrap().open_escalations, 2);
    let closed = gate.close("s").await;
    assert_eq!((closed.withdrawn_escalations, closed.withdrawn_halts), (2, 0));
    let session = closed.session.unwrap();
    assert_eq!((session.state(), session.open_escalations), (SessionState::Closed, 0));
    assert!(session.closed_at.is_some());
    let again = gate.close("s").await;
    assert_eq!((again.withdrawn_escalations, again.session.unwrap().closed_at), (0, session.closed_at));
    assert_eq!(gate.get("s").await.session.unwrap().closed_at, session.closed_at);
    let reopened = gate.open(opening("s")).await;
    assert!(reopened.reopened && reopened.session.unwrap().closed_at.is_none());
}

#[tokio::test]
async fn sessions_are_listed_by_state_and_labels_the_latest_first_and_paged() {
    let gate = gate().await;
    let mut expected = Vec::new();
    for number in 0..12 {
        let name = format!("s{number:02}");
        let labels = map(&[("kind", if number % 2 == 0 { "even" } else { "odd" }), ("all", "1")]);
        gate.open(pb::OpenSessionRequest { labels, ..opening(&name) }).await;
        expected.insert(0, name);
    }
    gate.open(pb::OpenSessionRequest { project: "shop".to_owned(), ..opening("elsewhere") }).await;
    gate.close("s03").await;
    gate.open(opening("s00")).await; // Opened first long ago: its place stays.
    let list = async |request: pb::ListSessionsRequest| {
        let (mut names, mut token) = (Vec::new(), String::new());
        loop {
            let page = gate
                .sessions(pb::ListSessionsRequest { page_token: token, ..request.clone() })
                .await
                .unwrap();
            assert!(request.page_size == 0 || page.sessions.len() <= request.page_size as usize);
            names.extend(page.sessions.into_iter().map(|session| session.session_id));
            token = page.next_page_token;
            if token.is_empty() {
                return names;
            }
        }
    };
    let open: Vec<String> = expected.iter().filter(|name| *name != "s03").cloned().collect();
    let states = |states: &[SessionState]| pb::ListSessionsRequest {
        states: states.iter().map(|state| (*state).into()).collect(),
        ..Default::default()
    };
    assert_eq!(list(states(&[])).await, open, "open ones unless stated");
    assert_eq!(list(states(&[SessionState::Open])).await, open);
    assert_eq!(list(states(&[SessionState::Closed])).await, ["s03"]);
    for size in [0, 1, 5, 12, 53] {
        let both = states(&[SessionState::Open, SessionState::Closed]);
        assert_eq!(list(pb::ListSessionsRequest { page_size: size, ..both }).await, expected, "{size}");
    }
    let labelled = |labels| pb::ListSessionsRequest { labels, ..Default::default() };
    assert_eq!(
        list(labelled(map(&[("kind", "odd"), ("all", "1")]))).await,
        ["s11", "s09", "s07", "s05", "s01"]
    );
    assert!(list(labelled(map(&[("kind", "od")]))).await.is_empty(), "exactly this value");
    let first = gate.sessions(pb::ListSessionsRequest { page_size: 2, ..Default::default() }).await.unwrap();
    for other in [
        pb::ListSessionsRequest { project: "shop".to_owned(), ..Default::default() },
        labelled(map(&[("kind", "odd")])),
        states(&[SessionState::Closed]),
    ] {
        let request = pb::ListSessionsRequest { page_token: first.next_page_token.clone(), ..other };
        gate.sessions(request).await.unwrap_err().expect_field("PAGE_TOKEN_INVALID", "page_token");
    }
}

#[tokio::test]
async fn labels_never_change_a_decision() {
    let gate = gate().await;
    let labels = map(&[("owning_command", "review"), ("display_command", "review"), ("rung", "bypass")]);
    gate.open(pb::OpenSessionRequest { labels: labels.clone(), ..opening("s") }).await;
    let given = gate.decide(shell("s", "ls")).await;
    assert_eq!((given.action(), given.rung()), (Action::Approve, Rung::Assisted));
    assert_eq!(gate.records_of("s").await[0].labels, labels);
    assert!(matches!(gate.rater.asked()[0].subject, RatingSubject::Command { .. }));
}
