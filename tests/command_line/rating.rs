//! Rater profiles as operators use them: keys that are missing, a model that rates, what is shown of it.

use super::gate::{Served, run_in};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};

const KEY: &str = "test-key-that-nobody-may-ever-see";

/// A server that gives every question the same verdict, one connection after the other.
fn model(outcome: &str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let verdict =
        json!({ "outcome": outcome, "reason": "It deploys to production.", "suggested_tool": null });
    let body = json!({
        "choices": [{ "message": { "content": verdict.to_string() }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 2 },
    })
    .to_string();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut asked = Vec::new();
            let mut chunk = [0; 4096];
            // The question is JSON and ends with its last brace; nothing follows it.
            while !asked.ends_with(b"}") {
                match stream.read(&mut chunk) {
                    Ok(count) if count > 0 => asked.extend_from_slice(&chunk[..count]),
                    _ => break,
                }
            }
            let head =
                format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            let _gone = stream.write_all(format!("{head}{body}").as_bytes());
        }
    });
    address
}

fn policy(address: SocketAddr, key_file: &str) -> String {
    format!(
        r#"{{
  "rater": {{ "profiles": {{
    "cloud": {{ "kind": "model", "provider": "openai", "model": "m", "base_url": "http://{address}/v1",
               "key_file": {key_file:?} }},
    "both": {{ "kind": "cascade", "second": "cloud" }}
  }} }},
  "approvals": {{ "rater": "both" }}
}}"#
    )
}

#[test]
fn a_model_rates_and_its_question_is_shown_with_the_record() {
    let secrets = tempfile::tempdir().unwrap();
    let key = secrets.path().join("key");
    std::fs::write(&key, format!("{KEY}\n")).unwrap();
    let policy = policy(model("catastrophic"), key.to_str().unwrap());
    let served = Served::start(&policy, &["--store", "gate.db", "--log", "trace"]);
    let decided = served.run(&["decide", "--json", "--", "frobnicate", "--all"]);
    assert_eq!(decided.code, 3, "{decided:?}");
    let rating = &decided.json()["rating"];
    assert_eq!(
        (&rating["outcome"], &rating["source"]),
        (&json!("OUTCOME_CATASTROPHIC"), &json!("RATING_SOURCE_MODEL"))
    );
    assert_eq!((&rating["profile"], &rating["model"]), (&json!("cloud"), &json!("openai/m")));
    let listed = served.run(&["decisions", "list", "--json"]).json();
    let id = listed["decisions"][0]["recordId"].as_str().unwrap().to_owned();
    let shown = served.run(&["decisions", "show", &id, "--json"]);
    let attempt = &shown.json()["ratingAttempt"];
    assert!(attempt["userPrompt"].as_str().unwrap().contains("\nfrobnicate --all\n"), "{attempt}");
    assert!(attempt["rawResponse"].as_str().unwrap().contains("deploys to production"), "{attempt}");
    let stored = std::fs::read(served.folder.path().join("gate.db")).unwrap();
    let (status, log) = served.end("TERM");
    assert_eq!(status.code(), Some(0));
    for text in [&log, &shown.out, &decided.out, &String::from_utf8_lossy(&stored).into_owned()] {
        assert!(!text.contains(KEY), "the key is nowhere");
    }
}

#[test]
fn a_key_that_is_not_there_starts_nothing_and_names_the_setting() {
    let folder = tempfile::tempdir().unwrap();
    let text = policy(SocketAddr::from(([127, 0, 0, 1], 9)), "no-such-key");
    std::fs::write(folder.path().join("haltgate.jsonc"), text).unwrap();
    for arguments in [&["serve", "--store", "gate.db"][..], &["decide", "--local", "--", "ls"]] {
        let ran = run_in(folder.path(), arguments);
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(
            ran.err.contains("haltgate.jsonc:3:") && ran.err.contains("rater.profiles.cloud.key_file"),
            "{}",
            ran.err
        );
        assert!(ran.err.contains("no-such-key cannot be read"), "{}", ran.err);
    }
    assert!(!folder.path().join("gate.db").exists(), "the store was not touched");
    // The file may be meant for another machine: it is sound, and a gate would not start here.
    let checked = run_in(folder.path(), &["check"]);
    assert_eq!(checked.code, 0, "{checked:?}");
    assert!(
        checked.out.contains("warning haltgate.jsonc:3:") && checked.out.contains("would not start here"),
        "{}",
        checked.out
    );
}

#[test]
fn a_profile_that_does_not_exist_is_named_without_a_server_too() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &["rate", "--local", "--profile", "nobody", "--", "ls"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("nobody"), "{}", ran.err);
}

#[test]
fn a_change_whose_key_is_not_there_is_refused_and_the_old_raters_stay() {
    let secrets = tempfile::tempdir().unwrap();
    let key = secrets.path().join("key");
    std::fs::write(&key, KEY).unwrap();
    let address = model("catastrophic");
    let served = Served::start(&policy(address, key.to_str().unwrap()), &["--ephemeral"]);
    let file = served.folder.path().join("haltgate.jsonc");
    std::fs::write(&file, policy(address, "gone")).unwrap();
    let log = served.folder.path().join("server.log");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while !std::fs::read_to_string(&log).unwrap().contains("rater.profiles.cloud.key_file") {
        assert!(std::time::Instant::now() < deadline, "the change was not noticed");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let rated = served.run(&["rate", "--json", "--", "frobnicate"]);
    assert_eq!(rated.json()["rating"]["outcome"], "OUTCOME_CATASTROPHIC", "{rated:?}");
}
