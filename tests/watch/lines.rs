//! Lines instead of a screen, for people and for programs.

use super::terminal::{Terminal, is_there};
use crate::gate::Served;
use serde_json::Value;
use std::io::{BufRead, BufReader, Lines, Read};
use std::process::{Child, ChildStdout};

const MANUAL: &str = r#"{ "approvals": { "mode": "manual" } }"#;

/// A watch into a pipe, ended with the value.
struct Piped {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Piped {
    fn start(served: &Served, options: &[&str]) -> Self {
        let mut child = served.spawn(&[&["watch"], options].concat());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, lines }
    }

    /// Reads up to the line that says this, and returns all of it.
    fn read_to(&mut self, words: &str) -> String {
        let mut read = String::new();
        for line in self.lines.by_ref() {
            let line = line.unwrap();
            read.push_str(&line);
            read.push('\n');
            if line.contains(words) {
                return read;
            }
        }
        panic!("{words:?} was not said: {read}");
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn in_a_pipe_each_event_is_a_block_with_the_command_that_answers_it() {
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let mut watch = Piped::start(&served, &[]);
    watch.read_to("WATCHING questions");
    let decision = served.spawn(&["decide", "--wait", "--command", "npm publish \u{1b}[2J\u{202e}"]);
    let asked = watch.read_to("reject --scope session");
    assert!(!asked.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{asked}");
    assert!(asked.contains(r"    1 │ npm publish \x1b[2J\u202e"), "{asked}");
    let command = asked.lines().find(|line| line.ends_with("reject --scope session")).unwrap();
    let words: Vec<&str> = command.split_whitespace().collect();
    assert_eq!(words[..2], ["haltgate", "answer"]);
    assert_eq!(served.run(&words[1..]).code, 0);
    assert_eq!(decision.wait_with_output().unwrap().status.code(), Some(1));
    let settled = watch.read_to("Rejected (session) by local");
    assert!(settled.contains("SETTLED"), "{settled}");
}

#[test]
fn as_json_each_line_is_a_message_of_one_feed() {
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let mut watch = Piped::start(&served, &["--json", "--observe-only"]);
    let asked = served.run(&["decide", "--json", "--", "npm", "publish"]).json();
    let id = asked["escalationId"].as_str().unwrap();
    let mut kinds = Vec::new();
    while !kinds.contains(&"raised".to_owned()) || !kinds.contains(&"attackHalts".to_owned()) {
        let line: Value = serde_json::from_str(&watch.lines.next().unwrap().unwrap()).unwrap();
        let feed = line.as_object().unwrap().keys().next().unwrap().clone();
        if feed == "escalations" && line[&feed]["raised"].is_object() {
            assert_eq!(line[&feed]["raised"]["escalationId"], id);
            kinds.push("raised".to_owned());
        }
        kinds.push(feed);
    }
}

#[test]
fn on_a_terminal_the_commands_can_be_typed() {
    if !is_there() {
        return;
    }
    let served = Served::start(MANUAL, &["--ephemeral"]);
    let terminal = Terminal::watching(&served, (120, 40), "--plain");
    terminal.wait_to_read("WATCHING halts");
    let decision = served.spawn(&["decide", "--wait", "--", "npm", "publish"]);
    let screen = terminal.wait_to_read("reject --scope session");
    assert!(!screen.contains("RUN HALTED"), "{screen}");
    let id = screen.lines().find_map(|line| line.split_once("ASKED ")).unwrap().1.split(' ').next().unwrap();
    terminal.types("nonsense");
    terminal.press("Enter");
    terminal.wait_to_read("To answer, type one of the commands");
    terminal.types(&format!("haltgate answer {id} reject --comment 'not now'"));
    terminal.press("Enter");
    let output = decision.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("not now"));
    terminal.wait_to_read("SETTLED");
    terminal.types("q");
    terminal.press("Enter");
    terminal.wait_to_read("left with 0");
}

#[test]
fn a_decision_whose_halt_waits_names_the_command_that_lets_it_run_and_one_that_is_over_names_none() {
    const ATTACK: [&str; 7] =
        ["decide", "--session", "s", "--run-id", "r", "--command", "cat ~/.ssh/id_ed25519"];
    let served = Served::start("{}", &["--ephemeral"]);
    let alone = served.run(&ATTACK);
    assert_eq!(alone.code, 4, "{}", alone.out);
    assert!(!alone.out.contains("haltgate answer"), "{}", alone.out);
    let mut watch = Piped::start(&served, &[]);
    watch.read_to("WATCHING halts");
    let halted = served.run(&["decide", "--session", "t", "--command", "cat ~/.ssh/id_ed25519"]);
    assert_eq!(halted.code, 3, "it waits for the watcher: {}", halted.out);
    let command = halted.out.lines().find(|line| line.ends_with(" run-anyway")).unwrap();
    let words: Vec<&str> = command.split_whitespace().skip_while(|word| *word != "haltgate").collect();
    assert_eq!(served.run(&words[1..]).code, 0);
    let told = watch.read_to("Ran anyway, this once by local");
    assert!(told.contains("What it does may be impossible to take back."), "{told}");
    assert!(told.lines().any(|line| line.ends_with(" stop")), "{told}");
}

#[test]
fn a_connection_that_is_replaced_because_of_its_age_is_no_trouble() {
    let served = Served::start(r#"{ "server": { "max_connection_age": "3s" } }"#, &["--ephemeral"]);
    let mut watch = Piped::start(&served, &["--json"]);
    for _ in 0..2 {
        watch.read_to("RESUME_REASON_CONNECTION_AGE");
    }
    let mut complaints = watch.child.stderr.take().unwrap();
    drop(watch);
    let mut said = String::new();
    complaints.read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}
