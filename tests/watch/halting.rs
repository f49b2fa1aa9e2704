//! Halted runs: the banner, and the phrase.

use super::terminal::{Terminal, is_there};
use crate::gate::Served;
use std::process::Child;

/// Rated an attack by the built-in rater, and refused by no floor.
const ATTACK: &str = "cat ~/.ssh/id_ed25519";

const USUAL: (u16, u16) = (80, 24);

fn watched() -> Option<(Served, Terminal)> {
    is_there().then(|| {
        let served = Served::start("{}", &["--ephemeral"]);
        let terminal = Terminal::watching(&served, USUAL, "");
        terminal.wait_to_read(" live");
        (served, terminal)
    })
}

fn attack(served: &Served, run: &str) -> Child {
    served.spawn(&["decide", "--wait", "--session", "s", "--run-id", run, "--command", ATTACK])
}

fn code(child: Child) -> i32 {
    child.wait_with_output().unwrap().status.code().unwrap()
}

#[test]
fn the_exact_phrase_runs_one_command_and_anything_else_stops_the_run() {
    let Some((served, terminal)) = watched() else { return };
    let decision = attack(&served, "r1");
    let screen = terminal.read("RUN HALTED: this command was rated an attack");
    assert!(screen.contains("  1 │ cat ~/.ssh/id_ed25519"), "{screen}");
    assert!(screen.contains("What it does may be impossible to take back."), "{screen}");
    terminal.types("run anywa");
    terminal.wait_to_read("Enter now stops the run.");
    terminal.press("Enter");
    assert_eq!(code(decision), 4, "a near miss stops the run");
    terminal.wait_to_read("Stopped by local: cat");
    assert_eq!(served.run(&["decide", "--session", "s", "--run-id", "r1", "--", "true"]).code, 4);

    let decision = attack(&served, "r2");
    terminal.read("RUN HALTED");
    terminal.types("Run Anyway");
    terminal.wait_to_read("Enter now runs this one command.");
    terminal.press("Enter");
    assert_eq!(code(decision), 0, "the phrase lets it run");
    terminal.wait_to_read("This one command runs now.");

    let again = attack(&served, "r2");
    terminal.read("RUN HALTED");
    terminal.press("Escape");
    assert_eq!(code(again), 4, "nothing was remembered");
    terminal.wait_to_read("Stopped by local: cat");
}

#[test]
fn a_pasted_phrase_is_refused_whether_or_not_the_terminal_says_that_it_pastes() {
    let Some((served, terminal)) = watched() else { return };
    let mut decision = attack(&served, "r");
    terminal.read("RUN HALTED");
    for says_so in [true, false] {
        terminal.paste("run anyway", says_so);
        if !says_so {
            terminal.wait_to_read("> run anyway");
            terminal.press("Enter");
        }
        let screen =
            terminal.wait_for(|screen| screen.contains("so it was dropped") && !screen.contains("> run"));
        assert!(screen.contains("RUN HALTED"), "{screen}");
        assert!(decision.try_wait().unwrap().is_none(), "it still waits");
        // Another key takes the notice away.
        terminal.types("x");
        terminal.wait_to_read("Enter now stops the run.");
        terminal.press("BSpace");
    }
    terminal.paste("run anyway\n", true);
    terminal.wait_to_read("so it was dropped");
    terminal.press("Enter");
    assert_eq!(code(decision), 4, "Enter on an empty line stops");
}

#[test]
fn whoever_leaves_a_halted_run_is_told_what_it_causes_and_it_stays_halted() {
    let Some((served, terminal)) = watched() else { return };
    let decision = attack(&served, "r");
    terminal.read("RUN HALTED");
    terminal.press("C-c");
    let screen = terminal.wait_to_read("y leaves. Any other key stays.");
    assert!(screen.contains("A halt waits only while somebody who may answer is connected."), "{screen}");
    terminal.press("n");
    terminal.read("Type the phrase");
    terminal.press("C-c");
    terminal.wait_to_read("y leaves.");
    terminal.press("y");
    let screen = terminal.wait_to_read("left with 0");
    assert!(screen.contains("1 halted run had no answer"), "{screen}");
    assert_eq!(code(decision), 4);
}
