//! Leaving, being ended and being suspended: the terminal is given back.

use super::terminal::{Terminal, is_there};
use crate::gate::Served;

const USUAL: (u16, u16) = (80, 24);

/// What somebody does at a terminal.
type Act = fn(&Terminal);

fn served() -> Served {
    Served::start(r#"{ "approvals": { "mode": "manual" } }"#, &["--ephemeral"])
}

#[test]
fn the_terminal_is_given_back_however_a_watch_ends() {
    if !is_there() {
        return;
    }
    let served = served();
    served.run(&["decide", "--", "npm", "publish"]);
    let ways: [(&str, Act); 5] = [
        ("q", |terminal| terminal.press("q")),
        ("Ctrl+C", |terminal| terminal.press("C-c")),
        ("SIGTERM", |terminal| terminal.signal_child("TERM")),
        ("SIGINT", |terminal| terminal.signal_child("INT")),
        ("SIGHUP", |terminal| terminal.signal_child("HUP")),
    ];
    for (way, end) in ways {
        let terminal = Terminal::watching(&served, USUAL, "");
        terminal.wait_to_read("npm publish");
        assert_eq!(terminal.state("#{alternate_on}"), "1", "{way}");
        end(&terminal);
        let screen = terminal.wait_to_read("left with 0");
        assert!(screen.contains("1 question still waits for an answer."), "{way}: {screen}");
        terminal.wait_until_given_back();
    }
}

#[test]
fn a_watch_can_be_suspended_and_comes_back() {
    if !is_there() {
        return;
    }
    let served = served();
    let shell = ["bash", "--norc", "--noprofile", "-i"];
    let terminal = Terminal::running(&served, USUAL, &shell);
    terminal.wait_for(|screen| screen.trim_end().ends_with(['#', '$']));
    terminal.types(&format!("'{}' watch", env!("CARGO_BIN_EXE_haltgate")));
    terminal.press("Enter");
    terminal.wait_to_read("Nothing waits for you.");
    for stop in
        [|terminal: &Terminal| terminal.press("C-z"), |terminal: &Terminal| terminal.signal_child("TSTP")]
    {
        stop(&terminal);
        // The shell has said so and reads again.
        terminal.wait_for(|screen| screen.contains("Stopped") && screen.trim_end().ends_with(['#', '$']));
        assert_eq!(terminal.state("#{alternate_on} #{cursor_flag}"), "0 1");
        terminal.types("clear; fg");
        terminal.press("Enter");
        terminal.wait_to_read("Nothing waits for you.");
    }
    served.run(&["decide", "--", "npm", "publish"]);
    terminal.wait_to_read("npm publish");
    terminal.press("q");
    terminal.wait_to_read("1 question still waits for an answer.");
    terminal.wait_for(|_| terminal.state("#{alternate_on}") == "0");
}

#[test]
fn no_gate_and_a_refused_project_are_errors_and_leave_the_terminal_alone() {
    if !is_there() {
        return;
    }
    let served = served();
    for (options, expected) in
        [("--server 127.0.0.1:1", "no gate answers"), ("--project 'no project'", "project")]
    {
        let terminal = Terminal::watching(&served, USUAL, options);
        let screen = terminal.wait_to_read("left with 2");
        assert!(screen.contains("error:") && screen.contains(expected), "{screen}");
        terminal.wait_until_given_back();
    }
}
