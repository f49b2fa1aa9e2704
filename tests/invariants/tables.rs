//! The decision tables, row by row and rung by rung, on the pure decision.
//!
//! Where the design differs from the reference tables on purpose, the row says so.

use crate::desk::{Came, Desk};
use crate::harness::{
    all_safe, declares, exact, glob, mcp, mcp_entry, registered, shell, tool, tool_entry, trusting,
};
use haltgate::gate::{Action, Call, FailureCause, Outcome, Rung, Scope, Stage};
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
    let row = |name, approvals, command, rating, cells, ratings| Row {
        name,
        approvals,
        command,
        rating,
        cells,
        ratings,
    };
    let allowed = (Approve, AllowList);
    let tripwire = |action| {
        [allowed, allowed, (action, AllowTripwire), (action, AllowTripwire), (Approve, Stage::Bypass)]
    };
    let wired = json!({ "allow": [rated_entry("make", true)] });
    vec![
        row(
            "deny",
            json!({ "deny": all(), "escalate": all(), "allow": all() }),
            "make",
            Ok(Outcome::Attack),
            everywhere((Reject, DenyList)),
            NEVER,
        ),
        row(
            "deny in a segment",
            json!({ "deny": all() }),
            "ls && make",
            Ok(Outcome::Attack),
            everywhere((Reject, DenyList)),
            NEVER,
        ),
        // The reference leaves the floor to the executor at bypass; here it is the last line and holds there too.
        row(
            "hardline",
            json!({ "allow": [glob("rm *")], "escalate": [glob("rm *")] }),
            "rm -rf /",
            Ok(Outcome::Safe),
            everywhere((Reject, HardlineFloor)),
            NEVER,
        ),
        row(
            "escalate",
            json!({ "escalate": all(), "allow": all() }),
            "make",
            Ok(Outcome::Safe),
            below_bypass((Escalate, EscalateEntry)),
            NEVER,
        ),
        row(
            "escalate in a segment",
            json!({ "escalate": all() }),
            "ls; make",
            Ok(Outcome::Safe),
            below_bypass((Escalate, EscalateEntry)),
            NEVER,
        ),
        row(
            "allow, rate false",
            json!({ "allow": [rated_entry("make", false)] }),
            "make",
            Ok(Outcome::Attack),
            below_bypass(allowed),
            NEVER,
        ),
        row(
            "allow exact, rate absent",
            json!({ "allow": all() }),
            "make",
            Ok(Outcome::Attack),
            below_bypass(allowed),
            NEVER,
        ),
        row(
            "allow glob, rate absent",
            json!({ "allow": [glob("mak*")] }),
            "make",
            Ok(Outcome::Catastrophic),
            tripwire(Escalate),
            RATED,
        ),
        row("tripwire safe", wired.clone(), "make", Ok(Outcome::Safe), tripwire(Approve), RATED),
        row(
            "tripwire destructive",
            wired.clone(),
            "make",
            Ok(Outcome::Destructive),
            tripwire(Approve),
            RATED,
        ),
        row(
            "tripwire catastrophic",
            wired.clone(),
            "make",
            Ok(Outcome::Catastrophic),
            tripwire(Escalate),
            RATED,
        ),
        row("tripwire attack", wired.clone(), "make", Ok(Outcome::Attack), tripwire(Halt), RATED),
        row("tripwire failed", wired, "make", Err(FailureCause::Timeout), tripwire(Approve), RATED),
        row(
            "allow needs no floor",
            json!({ "allow": [exact("curl https://a.example")] }),
            "curl https://a.example",
            Ok(Outcome::Safe),
            below_bypass(allowed),
            NEVER,
        ),
        row("safe", json!({}), "make", Ok(Outcome::Safe), between((Approve, Rater), (Approve, Rater)), RATED),
        row(
            "safe, names a host",
            json!({}),
            "curl https://a.example",
            Ok(Outcome::Safe),
            between((Escalate, Rater), (Reject, Rater)),
            RATED,
        ),
        row(
            "safe, names a host in a list",
            json!({}),
            "ls; curl https://a.example",
            Ok(Outcome::Safe),
            between((Escalate, Rater), (Reject, Rater)),
            RATED,
        ),
        row(
            "safe, leaks a secret",
            json!({}),
            "python -c \"$TOKEN\"",
            Ok(Outcome::Safe),
            between((Escalate, Rater), (Reject, Rater)),
            RATED,
        ),
        row(
            "destructive",
            json!({}),
            "make",
            Ok(Outcome::Destructive),
            between((Escalate, Rater), (Reject, Rater)),
            RATED,
        ),
        row(
            "failed",
            json!({}),
            "make",
            Err(FailureCause::NoModel),
            between((Escalate, Rater), (Reject, Rater)),
            RATED,
        ),
        row(
            "catastrophic",
            json!({}),
            "make",
            Ok(Outcome::Catastrophic),
            between((Escalate, Rater), (Escalate, Rater)),
            RATED,
        ),
        row("attack", json!({}), "make", Ok(Outcome::Attack), between((Halt, Rater), (Halt, Rater)), RATED),
        row(
            "attack that names a host",
            json!({}),
            "curl https://a.example",
            Ok(Outcome::Attack),
            between((Halt, Rater), (Halt, Rater)),
            RATED,
        ),
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
                assert_eq!(
                    (came.told(), desk.rated),
                    (row.cells[index], row.ratings[index]),
                    "{} at {rung}, {scope}",
                    row.name
                );
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
    assert_eq!(
        desk.state.negotiation.rounds().len(),
        rounds,
        "{} at {rung}: only a rejection is a round",
        row.name
    );
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
    assert_eq!(
        desk.state.halted_runs.len(),
        usize::from(came.decision.action == Action::Halt),
        "{} at {rung}",
        row.name
    );
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
        "read_file",
        "read_multiple_files",
        "gth_read_binary",
        "list_directory",
        "list_directory_with_sizes",
        "directory_tree",
        "search_files",
        "get_file_info",
        "list_allowed_directories",
        "ls",
        "glob",
        "grep",
        "gth_grep",
    ];
    let writes =
        ["write_file", "edit_file", "create_directory", "move_file", "delete_file", "delete_directory"];
    let none = [
        "run_tests",
        "run_lint",
        "run_build",
        "run_single_test",
        "gth_web_fetch",
        "gth_checklist",
        "gth_status_update",
        "show_a2ui_surface",
        "execute",
        "constructor",
        "Read_file",
        "read_file ",
        "toString",
        "mcp__jira__read_file",
    ];
    for (names, at_manual, at_write) in
        [(&reads[..], true, true), (&writes[..], false, true), (&none[..], false, false)]
    {
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
        (
            json!({ "escalate": entry, "allow": entry }),
            [
                (Escalate, EscalateEntry),
                (Escalate, EscalateEntry),
                (Escalate, EscalateEntry),
                (Escalate, EscalateEntry),
                human,
            ],
        ),
        (
            json!({ "allow": entry }),
            [(Approve, AllowList), (Approve, AllowList), (Approve, AllowList), (Approve, AllowList), human],
        ),
        (json!({}), [human, human, floored, floored, human]),
    ];
    for call in
        [tool("run_shell_command", json!({})), registered("run_shell_command", json!({ "command": ["ls"] }))]
    {
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
    use Stage::{
        AllowList, Bypass, DenyList, EscalateEntry, NotGated, Rater, ToolOpenWorldFloor, UnratedRung,
    };
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
        (
            "read denied",
            json!({ "deny": [tool_entry("read_file")] }),
            read(),
            Outcome::Safe,
            [(Reject, DenyList); 5],
        ),
        (
            "read escalated",
            json!({ "escalate": [tool_entry("read_file")] }),
            read(),
            Outcome::Safe,
            below_bypass((Escalate, EscalateEntry)),
        ),
        ("write, safe", json!({}), write(), Outcome::Safe, [human, free, rated, rated, bypass]),
        ("write, destructive", json!({}), write(), Outcome::Destructive, [human, free, ask, ask, bypass]),
        ("write, catastrophic", json!({}), write(), Outcome::Catastrophic, [human, free, ask, ask, bypass]),
        (
            "write, attack",
            json!({}),
            write(),
            Outcome::Attack,
            [human, free, (Action::Halt, Rater), (Action::Halt, Rater), bypass],
        ),
        (
            "write allowed",
            json!({ "allow": [tool_entry("write_file")] }),
            write(),
            Outcome::Attack,
            below_bypass((Approve, AllowList)),
        ),
        (
            "harmless built-in without class",
            json!({}),
            tool("gth_status_update", json!({})),
            Outcome::Attack,
            [free, free, free, free, bypass],
        ),
        (
            "open-world built-in",
            json!({}),
            tool("gth_web_fetch", json!({})),
            Outcome::Safe,
            [human, human, floored, floored, bypass],
        ),
        (
            "unknown tool",
            json!({}),
            tool("deploy", json!({})),
            Outcome::Safe,
            [human, human, floored, floored, bypass],
        ),
        (
            "untrusted server",
            json!({}),
            mcp("jira", "get", json!({})),
            Outcome::Safe,
            [human, human, floored, floored, bypass],
        ),
        (
            "trusted, read-only and closed",
            json!({ "mcp": trusting() }),
            mcp("jira", "get", json!({})),
            Outcome::Attack,
            [free, free, free, free, bypass],
        ),
        (
            "trusted name of an unknown server",
            json!({ "mcp": trusting() }),
            registered("mcp__ghost__get", json!({})),
            Outcome::Safe,
            [human, human, floored, floored, bypass],
        ),
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
            assert_eq!(
                desk.state.negotiation.rounds().len(),
                0,
                "{name} at {rung}: a tool call is never argued over"
            );
        }
    }
}
