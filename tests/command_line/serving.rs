//! A server and everything that speaks to it.

use super::gate::{Ran, Served, command};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const POLICY: &str = r#"{
  "approvals": {
    "deny": [ { "type": "shell", "matcher": "glob", "pattern": "npm publish*" } ],
    "allow": [ { "type": "shell", "matcher": "exact", "pattern": "git status" } ]
  }
}"#;

/// A field that is a text.
fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

#[test]
fn a_decision_is_asked_answered_kept_and_verified() {
    let served = Served::start(POLICY, &["--store", "gate.db"]);
    assert!(
        served.banner.contains("gate.db") && served.banner.contains("haltgate.jsonc"),
        "{}",
        served.banner
    );

    assert_eq!(served.run(&["decide", "--", "git", "status"]).code, 0);
    assert_eq!(served.run(&["decide", "--", "npm", "publish"]).code, 1);

    // A human is asked; the answer holds for the project.
    let asked = served.run(&["decide", "--json", "--request-id", "r1", "--", "mend"]);
    assert_eq!(asked.code, 3, "{asked:?}");
    let escalation = text(&asked.json()["escalationId"]);
    let answered =
        served.run(&["answer", &escalation, "approve", "--scope", "always", "--note", "for the demo"]);
    assert_eq!(answered.code, 0, "{answered:?}");
    assert!(answered.out.starts_with("approved by local, always, stored: mend"), "{}", answered.out);
    let picked_up = served.run(&["decide", "--request-id", "r1", "--", "mend"]);
    assert_eq!(picked_up.code, 0, "{picked_up:?}");
    assert!(picked_up.out.starts_with("APPROVE  RATER (always), replayed"), "{}", picked_up.out);
    let again = served.run(&["decide", "--session", "other", "--", "mend"]);
    assert!(again.out.starts_with("APPROVE  ALLOW_LIST"), "{}", again.out);
    let late = served.run(&["answer", &escalation, "reject"]);
    assert_eq!(late.code, 2, "{late:?}");
    assert!(late.err.contains("ALREADY_ANSWERED") && late.err.contains("what to do:"), "{}", late.err);

    // What was granted is listed as it was kept, and revoked by what was listed.
    let grants = served.run(&["grants", "list"]);
    assert!(grants.out.contains("allow mend (always, by local"), "{}", grants.out);
    assert!(grants.out.contains("for the demo"), "{}", grants.out);
    let entry = text(&served.run(&["grants", "list", "--json"]).json()["grants"][0]["entry"]["objectText"]);
    assert_eq!(served.run(&["grants", "revoke", "--entry", &entry]).code, 0);
    assert_eq!(served.run(&["decide", "--", "mend"]).code, 3);

    // Everything is recorded, filtered, shown whole and chained.
    let rejected = served.run(&["decisions", "list", "--action", "reject"]);
    assert_eq!(rejected.out.lines().count(), 2, "{}", rejected.out);
    assert!(rejected.out.contains("REJECT  DENY_LIST  cli      npm publish"), "{}", rejected.out);
    let one = served.run(&["decisions", "list", "--limit", "1", "--json"]).json();
    assert_eq!(one["decisions"].as_array().unwrap().len(), 1);
    assert!(one.get("nextPageToken").is_some(), "{one}");
    let all = served.run(&["decisions", "list", "--all", "--json"]).json();
    assert!(all["decisions"].as_array().unwrap().len() >= 6, "{all}");
    let record = text(&one["decisions"][0]["recordId"]);
    let shown = served.run(&["decisions", "show", &record]);
    assert!(shown.out.contains(&record) && shown.out.contains("  1 │ mend"), "{}", shown.out);
    let missing = served.run(&["decisions", "show", "0199f0c2-7a10-7000-8000-000000000000"]);
    assert_eq!(missing.code, 2, "{missing:?}");

    let verified = served.run(&["audit", "verify"]);
    assert_eq!(verified.code, 0, "{verified:?}");
    let head = verified
        .out
        .lines()
        .find_map(|line| line.trim_start().strip_prefix("head"))
        .unwrap()
        .trim()
        .to_owned();
    assert_eq!(served.run(&["audit", "verify", "--note", &head]).code, 0);
    let (sequence, hash) = head.split_once(':').unwrap();
    let other = format!("{sequence}:{}", "0".repeat(hash.len()));
    let rewritten = served.run(&["audit", "verify", "--note", &other]);
    assert_eq!(rewritten.code, 1, "{rewritten:?}");
    assert!(rewritten.out.starts_with("BROKEN"), "{}", rewritten.out);

    let (status, log) = served.end("TERM");
    assert_eq!(status.code(), Some(0), "{log}");
    assert!(log.contains("stopped"), "{log}");
}

#[test]
fn sessions_denials_and_trust_are_managed_by_hand() {
    let served = Served::start(POLICY, &["--ephemeral"]);
    let opened = served.run(&[
        "sessions",
        "open",
        "--session",
        "s1",
        "--rung",
        "auto",
        "--label",
        "team=web",
        "--mcp-server",
        "jira",
    ]);
    assert_eq!(opened.code, 0, "{opened:?}");
    assert!(opened.out.starts_with("s1 opened\n"), "{}", opened.out);
    let listed = served.run(&["sessions", "list", "--label", "team=web"]);
    assert!(listed.out.contains("s1") && listed.out.contains("auto"), "{}", listed.out);

    let denied =
        served.run(&["grants", "deny", "--session", "s1", "--shell-glob", "mend *", "--note", "not now"]);
    assert_eq!(denied.code, 0, "{denied:?}");
    assert_eq!(served.run(&["decide", "--session", "s1", "--", "mend", "all"]).code, 1);
    assert_eq!(served.run(&["decide", "--session", "s2", "--", "mend", "all"]).code, 3);
    assert!(served.run(&["sessions", "show", "s1"]).out.contains("mend *"));
    assert_eq!(served.run(&["grants", "lift", "--session", "s1", "--shell-glob", "mend *"]).code, 0);

    let believed = served.run(&["grants", "trust", "believe", "--session", "s1", "jira", "read-only"]);
    assert!(believed.out.contains("readOnlyHint"), "{believed:?}");
    let trust = served.run(&["grants", "trust", "show", "--session", "s1"]);
    assert!(trust.out.contains("jira") && trust.out.contains("changed in this session"), "{}", trust.out);

    let granted =
        served.run(&["grants", "grant", "--shell-exact", "mend docs", "--max-uses", "2", "--expires", "1h"]);
    assert!(granted.out.contains("2 uses left"), "{granted:?}");
    let bad = served.run(&["grants", "grant", "--shell-regexp", "("]);
    assert_eq!(bad.code, 2, "{bad:?}");
    assert!(bad.err.contains("entry.pattern"), "{}", bad.err);
    assert_eq!(served.run(&["grants", "grant", "--shell-exact", "mend site"]).code, 0);
    let exported = served.run(&["grants", "export"]);
    std::fs::write(served.folder.path().join("kept.json"), &exported.out).unwrap();
    assert!(exported.json().is_object() && exported.out.contains("mend site"), "{}", exported.out);
    let imported = served.run(&["grants", "import", "kept.json", "--project", "copy"]);
    assert!(imported.out.starts_with("1 grant taken over"), "{imported:?}");

    let tools = r#"{ "tools": [ { "registeredName": "mcp__jira__read", "annotations": { "readOnlyHint": true } } ] }"#;
    std::fs::write(served.folder.path().join("tools.json"), tools).unwrap();
    assert_eq!(served.run(&["sessions", "update", "s1", "--tools", "tools.json"]).code, 0);
    let shown = served.run(&["sessions", "show", "s1", "--json"]).json();
    assert_eq!(shown["tools"]["tools"][0]["registeredName"], "mcp__jira__read", "{shown}");
    std::fs::write(served.folder.path().join("tools.json"), r#"{ "toolz": [] }"#).unwrap();
    let unknown = served.run(&["sessions", "update", "s1", "--tools", "tools.json"]);
    assert_eq!(unknown.code, 2, "{unknown:?}");
    assert!(unknown.err.contains("toolz"), "{}", unknown.err);

    let updated = served.run(&["sessions", "update", "s1", "--rung", "manual", "--remove-label", "team"]);
    assert!(updated.out.contains("manual") && !updated.out.contains("team=web"), "{}", updated.out);
    let closed = served.run(&["sessions", "close", "s1"]);
    assert_eq!(closed.code, 0, "{closed:?}");
    let refused = served.run(&["decide", "--session", "s1", "--", "git", "status"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert!(refused.err.contains("SESSION_CLOSED"), "{}", refused.err);
    let (status, _log) = served.end("INT");
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_caller_can_wait_for_the_human() {
    let served = Served::start(POLICY, &["--ephemeral"]);
    let started = Instant::now();
    let unanswered = served.run(&["decide", "--wait=200ms", "--", "mend"]);
    assert_eq!(unanswered.code, 3, "{unanswered:?}");
    assert!(started.elapsed() >= Duration::from_millis(200));

    let waiting = served.spawn(&["decide", "--wait", "--request-id", "r", "--session", "w", "--", "mend"]);
    let deadline = Instant::now() + Duration::from_secs(10);
    let escalation = loop {
        let listed = served.run(&["decisions", "list", "--session", "w", "--json"]).json();
        if let Some(id) = listed["decisions"][0]["escalationId"].as_str() {
            break id.to_owned();
        }
        assert!(Instant::now() < deadline, "nobody was asked");
    };
    let comment = "use the other one";
    assert_eq!(served.run(&["answer", &escalation, "reject", "--comment", comment]).code, 0);
    let answered = Ran::from(waiting.wait_with_output().unwrap());
    assert_eq!(answered.code, 1, "{answered:?}");
    assert!(answered.out.contains(comment), "{}", answered.out);
}

#[test]
fn a_gate_behind_a_unix_socket_is_reached_by_its_path() {
    let policy = POLICY.replacen('{', "{ \"server\": { \"socket\": \"gate.sock\" },", 1);
    let served = Served::start(&policy, &["--ephemeral"]);
    assert!(served.banner.contains("gate.sock"), "{}", served.banner);
    let ran = served.run(&["decide", "--server", "unix:gate.sock", "--", "git", "status"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let absent = served.run(&["decide", "--server", "unix:absent.sock", "--", "git", "status"]);
    assert_eq!(absent.code, 2, "{absent:?}");
    assert!(absent.err.contains("no gate answers at unix:absent.sock"), "{}", absent.err);
}

#[test]
fn the_demo_stays_up_to_be_tried_until_it_is_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = command(folder.path()).arg("demo").stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let variables = lines.find(|line| line.contains("export HALTGATE_SERVER=")).unwrap();
    let address = variables.split(['=', ' ']).find(|word| word.starts_with("127.")).unwrap().to_owned();
    let arguments = ["grants", "list", "--server", &address];
    let granted = Ran::from(command(folder.path()).args(arguments).output().unwrap());
    assert!(granted.out.contains("allow npm install zod"), "{granted:?}");
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_store_that_is_in_use_is_not_opened_twice() {
    let served = Served::start(POLICY, &["--store", "gate.db"]);
    let second = served.run(&["serve", "--listen", "127.0.0.1:0", "--store", "gate.db"]);
    assert_eq!(second.code, 2, "{second:?}");
    assert!(second.err.contains("in use") && second.err.contains("--store"), "{}", second.err);
    let taken = served.run(&["serve", "--listen", &served.address, "--ephemeral"]);
    assert_eq!(taken.code, 2, "{taken:?}");
    assert!(taken.err.contains("--listen"), "{}", taken.err);
}

#[test]
fn a_good_change_of_the_policy_applies_and_a_bad_one_is_refused() {
    let served = Served::start(POLICY, &["--ephemeral", "--log", "info"]);
    let file = served.folder.path().join("haltgate.jsonc");
    let becomes = |code: i32| {
        let deadline = Instant::now() + Duration::from_secs(10);
        while served.run(&["decide", "--json", "--", "git", "status"]).code != code {
            assert!(Instant::now() < deadline, "the change did not come to be {code}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    becomes(0);
    std::fs::write(&file, r#"{ "approvals": { "mode": "wild" }, "server": { "max_wait": "5s" } }"#).unwrap();
    std::thread::sleep(Duration::from_millis(2_500));
    becomes(0);
    let denied = POLICY.replace("npm publish*", "git status*");
    std::fs::write(&file, denied.replacen('{', "{ \"server\": { \"max_wait\": \"5s\" },", 1)).unwrap();
    becomes(1);
    let (status, log) = served.end("TERM");
    assert_eq!(status.code(), Some(0), "{log}");
    for expected in
        ["haltgate.jsonc:1:18: approvals.mode", "the old policy stays", "in force", "wait for a restart"]
    {
        assert!(log.contains(expected), "{expected}: {log}");
    }
}
