//! Whose a session is, and what an agent can make of one that others set up.

use crate::harness::{Gate, caller, config, exact, shell};
use haltgate::access::{Caller, Projects, Role, Via};
use haltgate::gate::Rung;
use haltgate::rules::Hint;
use haltgate::session::{Ask, EngineError, Opening, Operation, Owner, SessionView, Update};
use haltgate::store::{Page, SessionFilter, SqliteStore};
use serde_json::{Value, json};
use std::sync::Arc;

const PROJECT: &str = "project";

fn agent(name: &str) -> Arc<Caller> {
    Arc::new(Caller { name: name.to_owned(), role: Role::Agent, projects: Projects::All, via: Via::Token })
}

fn over(store: &Arc<SqliteStore>, config: &Value) -> Gate {
    Gate::over(Arc::clone(store), config)
}

fn ephemeral() -> Arc<SqliteStore> {
    Arc::new(SqliteStore::ephemeral().unwrap())
}

fn gate(agents: Value) -> Gate {
    let whole = json!({
        "approvals": { "mode": "assisted" },
        "commands": { "review": { "approvals": { "mode": "manual" } }, "deploy": { "approvals": { "mode": "auto" } } },
        "agents": agents,
    });
    over(&ephemeral(), &whole)
}

async fn ask(gate: &Gate, who: &Arc<Caller>, session: &str) -> Result<String, EngineError> {
    let ask = Ask {
        project: PROJECT.to_owned(),
        session: session.to_owned(),
        run: String::new(),
        request_id: Some("r".to_owned()),
        call: shell("ls"),
        caller: Arc::clone(who),
    };
    gate.engine.decide(ask).await.map(|ruling| ruling.decision_id)
}

async fn open(
    gate: &Gate,
    who: &Arc<Caller>,
    adjust: impl FnOnce(&mut Opening),
) -> Result<SessionView, EngineError> {
    let mut opening = Opening { session: Some("s".to_owned()), ..Opening::of(PROJECT, Arc::clone(who)) };
    adjust(&mut opening);
    gate.engine.open_session(opening).await.map(|(view, _, _)| view)
}

async fn update(
    gate: &Gate,
    who: &Arc<Caller>,
    adjust: impl FnOnce(&mut Update),
) -> Result<SessionView, EngineError> {
    let mut update = Update::of(PROJECT, "s", Arc::clone(who));
    adjust(&mut update);
    gate.engine.update_session(update).await.map(|(view, _)| view)
}

#[track_caller]
fn foreign<T: std::fmt::Debug>(outcome: Result<T, EngineError>) {
    assert!(matches!(outcome, Err(EngineError::SessionNotAllowed { .. })), "{outcome:?}");
}

#[track_caller]
fn rung_refused<T: std::fmt::Debug>(outcome: Result<T, EngineError>, left: Rung) {
    match outcome {
        Err(EngineError::RungNotAllowed { configured, .. }) => assert_eq!(configured, left),
        other => panic!("not refused: {other:?}"),
    }
}

#[track_caller]
fn field_refused<T: std::fmt::Debug>(outcome: Result<T, EngineError>, named: &str) {
    match outcome {
        Err(EngineError::PolicyNotAllowed { field, .. }) => assert_eq!(field, named),
        other => panic!("not refused: {other:?}"),
    }
}

#[tokio::test]
async fn the_agent_that_used_a_session_first_keeps_it_from_every_other() {
    let (ann, bob) = (agent("ann"), agent("bob"));
    // However it came to it: by deciding, by opening, by looking at one that an operator opened.
    for (first, opened) in [("decide", false), ("open", false), ("enter", true), ("decide", true)] {
        let gate = gate(json!({}));
        if opened {
            open(&gate, &caller("ops"), |_| {}).await.unwrap();
        }
        match first {
            "decide" => drop(ask(&gate, &ann, "s").await.unwrap()),
            "open" => drop(open(&gate, &ann, |_| {}).await.unwrap()),
            _ => assert!(gate.engine.enter(PROJECT, "s", &ann).await.unwrap()),
        }
        foreign(ask(&gate, &bob, "s").await);
        foreign(open(&gate, &bob, |_| {}).await);
        foreign(update(&gate, &bob, |_| {}).await);
        foreign(gate.engine.close_session(PROJECT, "s", &bob).await);
        foreign(gate.engine.enter(PROJECT, "s", &bob).await);
        foreign(gate.engine.explain(PROJECT, Some("s"), "", &shell("ls"), &bob).await);
        // The same name from another issuer is another agent.
        let namesake = Arc::new(Caller { via: Via::Jwt, ..Caller::clone(&ann) });
        foreign(ask(&gate, &namesake, "s").await);
        // Closing gives nothing up.
        gate.engine.close_session(PROJECT, "s", &ann).await.unwrap();
        foreign(open(&gate, &bob, |_| {}).await);
        open(&gate, &ann, |_| {}).await.unwrap();
        // Operators may use it, and leave it whose it is.
        open(&gate, &caller("ops"), |_| {}).await.unwrap();
        foreign(ask(&gate, &bob, "s").await);
        ask(&gate, &ann, "s").await.unwrap();
    }
}

#[tokio::test]
async fn an_owner_is_known_again_after_a_restart() {
    let store = ephemeral();
    let whole = config(&json!({}));
    let before = over(&store, &whole);
    open(&before, &caller("ops"), |_| {}).await.unwrap();
    assert!(before.engine.enter(PROJECT, "s", &agent("ann")).await.unwrap());
    ask(&before, &agent("ann"), "implicit").await.unwrap();
    drop(before);
    let after = over(&store, &whole);
    for session in ["s", "implicit"] {
        foreign(ask(&after, &agent("bob"), session).await);
        let view = after.engine.session_view(PROJECT, session).await.unwrap();
        assert_eq!(view.profile.owner, Owner::of(&agent("ann")));
    }
}

#[tokio::test]
async fn of_many_agents_that_use_a_new_session_at_once_one_gets_it() {
    for opened in [false, true] {
        let gate = gate(json!({}));
        if opened {
            open(&gate, &caller("ops"), |_| {}).await.unwrap();
        }
        let tries: Vec<_> = (0..16)
            .map(|number| {
                let gate = gate.clone();
                tokio::spawn(async move { ask(&gate, &agent(&format!("a{number}")), "s").await })
            })
            .collect();
        let mut won = Vec::new();
        for (number, tried) in tries.into_iter().enumerate() {
            match tried.await.unwrap() {
                Ok(_) => won.push(format!("a{number}")),
                Err(EngineError::SessionNotAllowed { .. }) => {}
                Err(other) => panic!("{other}"),
            }
        }
        let view = gate.engine.session_view(PROJECT, "s").await.unwrap();
        assert_eq!(won, [view.profile.owner.unwrap().name], "opened before: {opened}");
    }
}

#[tokio::test]
async fn another_agents_request_id_is_not_answered_to_anybody_else() {
    let gate = gate(json!({}));
    let decision = ask(&gate, &agent("ann"), "s").await.unwrap();
    foreign(ask(&gate, &agent("bob"), "s").await);
    assert_eq!(ask(&gate, &agent("ann"), "s").await.unwrap(), decision);
}

#[tokio::test]
async fn an_agent_changes_no_rung_and_opens_no_session_at_a_looser_one_than_the_policy_leaves_it() {
    let ann = agent("ann");
    let cases = [
        // What the policy leaves, what is asked for, what comes of it.
        (json!({}), None, Ok(Rung::Assisted)),
        (json!({}), Some(Rung::Manual), Ok(Rung::Manual)),
        (json!({}), Some(Rung::Auto), Err(Rung::Assisted)),
        (json!({}), Some(Rung::Bypass), Err(Rung::Assisted)),
        (json!({ "loosest_rung": "auto" }), Some(Rung::Auto), Ok(Rung::Auto)),
        (json!({ "loosest_rung": "auto" }), None, Ok(Rung::Assisted)),
        (json!({ "loosest_rung": "auto" }), Some(Rung::Bypass), Err(Rung::Auto)),
        (json!({ "loosest_rung": "write" }), None, Ok(Rung::Write)),
        (json!({ "loosest_rung": "write" }), Some(Rung::Assisted), Err(Rung::Write)),
    ];
    for (left, wanted, expected) in cases {
        let gate = gate(left.clone());
        let opened = open(&gate, &ann, |opening| opening.rung = wanted).await;
        match expected {
            Ok(rung) => {
                assert_eq!(opened.unwrap().rung, rung, "{left} {wanted:?}");
                for rung in Rung::ALL {
                    let refused = update(&gate, &ann, |update| update.rung = Some(rung)).await;
                    rung_refused(refused, Rung::Assisted);
                }
            }
            Err(loosest) => {
                rung_refused(opened, loosest);
                assert!(!gate.engine.enter(PROJECT, "s", &ann).await.unwrap(), "nothing was opened");
            }
        }
        assert_eq!(gate.records().await.len(), usize::from(expected.is_ok()), "{left} {wanted:?}");
    }
    let gate = gate(json!({ "loosest_rung": "write", "interactive": false }));
    ask(&gate, &ann, "s").await.unwrap();
    let view = gate.engine.session_view(PROJECT, "s").await.unwrap();
    assert_eq!((view.rung, view.interactive), (Rung::Write, false), "opened by asking");
}

#[tokio::test]
async fn an_agent_names_only_commands_that_the_policy_leaves_to_agents_or_has_no_part_for() {
    let ann = agent("ann");
    let cases = [
        (json!({}), "review", None),
        (json!({}), "deploy", None),
        (json!({}), "unheard-of", Some(Rung::Assisted)),
        (json!({ "commands": ["review"] }), "review", Some(Rung::Manual)),
        (json!({ "commands": ["review"] }), "deploy", None),
        (json!({ "commands": "*" }), "deploy", Some(Rung::Auto)),
    ];
    for (left, command, expected) in cases {
        let gate = gate(left.clone());
        let opened = open(&gate, &ann, |opening| opening.command = Some(command.to_owned())).await;
        match expected {
            Some(rung) => assert_eq!(opened.unwrap().rung, rung, "{left} {command}"),
            None => field_refused(opened, "command"),
        }
    }
}

#[tokio::test]
async fn an_agent_has_no_human_asked_where_the_policy_says_that_agents_do_not() {
    let (ann, ops) = (agent("ann"), caller("ops"));
    let gate = gate(json!({ "interactive": false }));
    assert!(!open(&gate, &ann, |_| {}).await.unwrap().interactive);
    field_refused(open(&gate, &ann, |opening| opening.interactive = Some(true)).await, "interactive");
    field_refused(update(&gate, &ann, |update| update.interactive = Some(true)).await, "interactive");
    assert!(update(&gate, &ops, |update| update.interactive = Some(true)).await.unwrap().interactive);
}

#[tokio::test]
async fn an_agent_that_opens_its_session_again_loosens_nothing_that_an_operator_set_up() {
    let (ann, ops) = (agent("ann"), caller("ops"));
    for closed_between in [false, true] {
        let gate = gate(json!({ "commands": "*", "loosest_rung": "auto" }));
        open(&gate, &ann, |_| {}).await.unwrap();
        update(&gate, &ops, |update| {
            update.rung = Some(Rung::Manual);
            update.interactive = Some(false);
        })
        .await
        .unwrap();
        let distrust = Operation::Trust {
            server: "jira".to_owned(),
            believe: vec![Hint::ReadOnly],
            disbelieve: Vec::new(),
            predict: false,
        };
        gate.at("s").manage(distrust).await;
        if closed_between {
            gate.engine.close_session(PROJECT, "s", &ann).await.unwrap();
        }
        let view = open(&gate, &ann, |_| {}).await.unwrap();
        assert_eq!((view.rung, view.interactive), (Rung::Manual, false));
        assert!(view.trust.iter().any(|trust| trust.server == "jira" && trust.changed), "{:?}", view.trust);
        rung_refused(open(&gate, &ann, |opening| opening.rung = Some(Rung::Write)).await, Rung::Manual);
        field_refused(open(&gate, &ann, |opening| opening.interactive = Some(true)).await, "interactive");
        // An operator who opens it anew sets it up anew.
        let view = open(&gate, &ops, |_| {}).await.unwrap();
        assert_eq!((view.rung, view.interactive), (Rung::Assisted, true));
        assert_eq!(open(&gate, &ann, |_| {}).await.unwrap().rung, Rung::Assisted);
    }
}

#[tokio::test]
async fn an_agent_does_not_leave_the_command_that_an_operator_opened_its_session_for() {
    let (ann, ops) = (agent("ann"), caller("ops"));
    let gate = gate(json!({ "commands": "*" }));
    open(&gate, &ops, |opening| opening.command = Some("review".to_owned())).await.unwrap();
    let view = open(&gate, &ann, |_| {}).await.unwrap();
    assert_eq!((view.profile.command.as_deref(), view.rung), (Some("review"), Rung::Manual));
    for other in ["deploy", "unheard-of"] {
        field_refused(open(&gate, &ann, |opening| opening.command = Some(other.to_owned())).await, "command");
    }
    assert_eq!(gate.engine.session_view(PROJECT, "s").await.unwrap().rung, Rung::Manual);
}

#[tokio::test]
async fn what_humans_granted_and_refused_survives_an_agent_that_opens_its_session_again() {
    let ann = agent("ann");
    let gate = gate(json!({}));
    open(&gate, &ann, |_| {}).await.unwrap();
    gate.at("s").deny(&exact("make")).await;
    open(&gate, &ann, |_| {}).await.unwrap();
    assert_eq!(gate.at("s").holdings().await.denials.len(), 1);
}

#[tokio::test]
async fn an_agent_is_listed_its_own_sessions_and_all_of_them_in_pages_that_look_at_so_many_others_at_most() {
    let gate = gate(json!({}));
    let (ann, bob) = (agent("ann"), agent("bob"));
    let own: Vec<usize> = vec![3, 40, 41, 2_590];
    for number in 0..2_600 {
        let who = if own.contains(&number) { &ann } else { &bob };
        let opening =
            Opening { session: Some(format!("s{number}")), ..Opening::of(PROJECT, Arc::clone(who)) };
        gate.engine.open_session(opening).await.unwrap();
    }
    let filter = SessionFilter { project: Some(PROJECT.to_owned()), ..SessionFilter::default() };
    for size in [1, 2, 500] {
        let (mut found, mut after, mut pages) = (Vec::new(), None, 0);
        loop {
            let page = Page { size, after, newest_first: true };
            let owner = Owner::of(&ann);
            let listing = gate.engine.list_sessions(filter.clone(), page, owner.as_ref()).await.unwrap();
            assert!(listing.rows.len() <= usize::try_from(size).unwrap());
            found.extend(listing.rows.into_iter().map(|view| view.session));
            pages += 1;
            match listing.next {
                Some(next) => after = Some(next),
                None => break,
            }
        }
        let expected: Vec<String> = own.iter().rev().map(|number| format!("s{number}")).collect();
        assert_eq!(found, expected, "{size} at a time");
        assert!(pages >= 2, "two thousand and more are not looked at for one page");
    }
}

#[tokio::test]
async fn every_record_says_in_which_role_and_how_recognised_somebody_did_it() {
    let gate = gate(json!({}));
    ask(&gate, &agent("ann"), "s").await.unwrap();
    gate.at("s").grant(&exact("make"), haltgate::gate::GrantScope::Always, Default::default()).await;
    let bodies: Vec<Value> =
        gate.records().await.iter().map(|record| serde_json::from_str(&record.body_json).unwrap()).collect();
    let decision = bodies.iter().find(|body| body.get("decision_id").is_some_and(|id| id != "")).unwrap();
    assert_eq!(
        (&decision["caller"], &decision["caller_role"], &decision["caller_via"]),
        (&json!("ann"), &json!("agent"), &json!("bearer"))
    );
    let grant = bodies.iter().find(|body| body["what"] == "granted").unwrap();
    assert_eq!(
        (&grant["by"], &grant["by_role"], &grant["by_via"]),
        (&json!("ada"), &json!("admin"), &json!("local"))
    );
}
