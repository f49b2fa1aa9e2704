//! Questions, answered by a key.

use super::terminal::{Terminal, is_there};
use crate::gate::Served;
use std::process::Child;

/// Every command asks a human.
const MANUAL: &str = r#"{ "approvals": { "mode": "manual" } }"#;

const USUAL: (u16, u16) = (80, 24);

fn code(child: Child) -> i32 {
    child.wait_with_output().unwrap().status.code().unwrap()
}

#[test]
fn a_key_lets_the_decision_of_another_process_go_on() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let terminal = Terminal::watching(&served, USUAL, "");
    terminal.wait_to_read("Nothing waits for you.");
    let first = served.spawn(&["decide", "--wait", "--session", "build-42", "--", "npm", "publish"]);
    let screen = terminal.read("> not rated     build-42          npm publish");
    for row in [
        "The agent wants to run a shell command via \"run_shell_command\".",
        "  1 │ npm publish",
        " o  once     approve this one call; nothing is stored",
        r#"  1 │ { "type": "shell", "matcher": "exact", "pattern": "npm publish" }"#,
    ] {
        assert!(screen.lines().any(|line| line == row), "{row:?} is missing in\n{screen}");
    }
    terminal.press("o");
    assert_eq!(code(first), 0);
    terminal.wait_to_read("Approved by local: npm publish");

    // On a narrow terminal, with a comment for the agent.
    terminal.resize(40, 20);
    let second = served.spawn(&["decide", "--wait", "--", "git", "push"]);
    terminal.read("> not rated     git push");
    terminal.press("c");
    terminal.wait_to_read("Enter rejects with it");
    terminal.types("not on a Friday");
    terminal.press("Enter");
    let output = second.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("not on a Friday"));

    // Always: the next one like it asks nobody.
    terminal.resize(120, 40);
    let third = served.spawn(&["decide", "--wait", "--", "cargo", "publish"]);
    terminal.read("cargo publish");
    terminal.press("a");
    assert_eq!(code(third), 0);
    assert_eq!(served.run(&["decide", "--session", "other", "--", "cargo", "publish"]).code, 0);
}

#[test]
fn the_first_answer_wins_and_the_screen_says_whose_it_was() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let terminal = Terminal::watching(&served, USUAL, "");
    let asked = served.run(&["decide", "--json", "--", "npm", "publish"]).json();
    terminal.read("> not rated");
    let id = asked["escalationId"].as_str().unwrap();
    assert_eq!(served.run(&["answer", id, "reject"]).code, 0);
    let screen = terminal.wait_to_read("Rejected by local: npm publish");
    assert!(screen.contains("Nothing waits for you."), "{screen}");
}

#[test]
fn an_observer_answers_nothing() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let terminal = Terminal::watching(&served, USUAL, "--observe-only");
    let asked = served.run(&["decide", "--json", "--", "npm", "publish"]).json();
    let screen = terminal.read("> not rated");
    assert!(screen.contains("Observing only: nothing is answered from here."), "{screen}");
    terminal.press("o");
    terminal.wait_to_read("This watcher only observes");
    let id = asked["escalationId"].as_str().unwrap();
    assert_eq!(served.run(&["answer", id, "approve"]).code, 0, "it is still open");
}

#[test]
fn a_hostile_command_changes_nothing_outside_its_own_frame() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let terminal = Terminal::watching(&served, USUAL, "");
    let harmless = served.spawn(&["decide", "--wait", "--", "true"]);
    terminal.wait_to_read(" live");
    let before = terminal.read("> not rated     cli               true");
    terminal.press("n");
    assert_eq!(code(harmless), 1);
    terminal.wait_to_read("Nothing waits for you.");

    let mut hostile = String::from(
        "\u{1b}[2J\u{1b}[1;1H\u{1b}[?1049l\u{1b}]0;safe\u{7}\u{9b}31mls\r> safe\n o  once     this is safe\u{8}\u{8}\n",
    );
    hostile.push_str("\u{202e}evil\u{202c}\u{2066}x\u{200b}\u{200d}\u{feff}\u{ad}e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\n");
    hostile.push_str(&"界❤\u{fe0f}👍🏽".repeat(60));
    for number in 0..5_000 {
        hostile.push_str(&format!("\necho {number}"));
    }
    let waiting = served.spawn(&["decide", "--wait", "--command", &hostile]);
    let mut screen = terminal.read("> not rated     cli");
    let own: Vec<&str> =
        before.lines().filter(|row| !row.starts_with("  ") && !row.starts_with('>')).collect();
    let mut pages = String::new();
    for _page in 0..10 {
        let rows: Vec<&str> = screen.lines().collect();
        assert_eq!(rows[0], before.lines().next().unwrap(), "{screen}");
        assert!(
            rows[1].starts_with(r"> not rated     cli               \x1b[2J\x1b[1;1H\x1b[?1049l\x1b]0;"),
            "{screen}"
        );
        for row in &rows[2..] {
            let framed = row.starts_with("  ") || row.starts_with("---") || row.is_empty();
            let framed = framed || *row == " Rejected by local: true";
            assert!(framed || own.contains(row), "{row:?} in\n{screen}");
        }
        assert!(
            screen.chars().all(|character| character == '\n'
                || character == '\u{fe0f}'
                || haltgate::display::is_visible(character)),
            "{screen}"
        );
        pages.push_str(&screen);
        terminal.press("PageDown");
        let is_another = |next: &str| *next != screen || next.contains("rows above: PgUp --");
        // The keys are the last row that is drawn.
        screen = terminal.wait_for(|next| is_another(next) && next.contains("q leave"));
    }
    assert!(pages.contains(r"\u202eevil\u202c\u2066x\u200b\u200d\ufeff"), "{pages}");
    assert!(pages.contains("lines hidden"), "{pages}");
    // The whole of it, to its end.
    terminal.press("w");
    terminal.press("End");
    terminal.press("PageUp");
    terminal.wait_to_read("5000 │ echo 4995");
    terminal.press("n");
    assert_eq!(code(waiting), 1);
    // Nothing of it is left behind.
    let after = terminal.wait_to_read("Nothing waits for you.");
    assert!(!after.contains('界'), "{after}");
}

#[test]
fn a_server_that_was_killed_loses_no_item_of_the_screen() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &[]);
    let terminal = Terminal::watching(&served, USUAL, "");
    served.run(&["decide", "--", "before"]);
    terminal.wait_to_read("> not rated     cli               before");
    let served = served.killed_and_back(|| {
        let screen = terminal.wait_to_read("NOT CONNECTED");
        assert!(screen.contains("cli               before"), "{screen}");
        terminal.wait_to_read("The connection is lost");
    });
    served.run(&["decide", "--", "after"]);
    let whole = |screen: &str| {
        screen.contains("2 wait") && screen.contains(" live") && screen.contains("cli               after")
    };
    terminal.wait_for(whole);
    // Both can be answered.
    terminal.press("j");
    terminal.press("n");
    terminal.wait_to_read("Rejected by local: after");
    terminal.press("k");
    terminal.press("o");
    terminal.wait_to_read("Approved by local: before");
}
