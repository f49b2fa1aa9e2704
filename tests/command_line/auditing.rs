//! Records that are taken elsewhere: exports, and what verifies them without a gate.

use super::gate::{Ran, Served, run_in};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

const POLICY: &str = r#"{ "approvals": { "allow": [{ "type": "shell", "matcher": "glob", "pattern": "echo *" }],
    "deny": [{ "type": "shell", "matcher": "glob", "pattern": "npm publish*" }] } }"#;

/// A gate with records of every kind, a secret in one of them.
fn served() -> Served {
    let served = Served::start(POLICY, &["--store", "gate.db"]);
    let done = |arguments: &[&str], code: i32| {
        let ran = served.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {ran:?}");
        ran
    };
    done(&["sessions", "open", "--session", "a"], 0);
    done(&["decide", "--session", "a", "--", "echo", "ä 🙂"], 0);
    done(&["decide", "--session", "a", "--", "echo", "token=ghp_abcdefghijklmnopqrstuvwxyz0123456789"], 0);
    done(&["decide", "--session", "a", "--", "npm", "publish"], 1);
    let asked = done(&["decide", "--session", "a", "--json", "--", "rm", "-rf", "build"], 3).json();
    let escalation = asked["escalationId"].as_str().unwrap().to_owned();
    done(&["answer", &escalation, "approve", "--scope", "session"], 0);
    done(&["grants", "grant", "--shell-exact", "make release", "--scope", "always"], 0);
    done(&["grants", "revoke", "--shell-exact", "make release", "--scope", "always"], 0);
    done(&["grants", "deny", "--session", "a", "--shell-exact", "make release"], 0);
    done(&["grants", "lift", "--session", "a", "--shell-exact", "make release"], 0);
    done(&["grants", "trust", "believe", "--session", "a", "jira", "read-only"], 0);
    done(&["decide", "--session", "a", "--", "cat", "/home/me/.ssh/id_rsa"], 4);
    done(&["sessions", "close", "a"], 0);
    served
}

fn exported(served: &Served, file: &str, more: &[&str]) -> Ran {
    let arguments = [&["audit", "export", "--output", file], more].concat();
    let ran = served.run(&arguments);
    assert_eq!(ran.code, 0, "{ran:?}");
    ran
}

fn lines(folder: &Path, file: &str) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(file)).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What somebody with Python alone finds.
fn outsider(folder: &Path, file: &str) -> Ran {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/command_line/verify_export.py");
    Command::new("python3").arg(script).arg(folder.join(file)).output().unwrap().into()
}

#[test]
fn an_export_holds_every_record_and_whoever_has_it_can_verify_it() {
    let served = served();
    let folder = served.folder.path().to_owned();
    let ran = exported(&served, "all.jsonl", &[]);
    let records = lines(&folder, "all.jsonl");
    assert!(ran.out.starts_with(&format!("{} records written to all.jsonl\n", records.len())), "{ran:?}");
    let kinds: BTreeSet<&str> = records.iter().map(|record| record["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, BTreeSet::from(["decision", "denial", "grant", "policy", "session", "trust"]));
    let sequences: Vec<u64> = records.iter().map(|record| record["sequence"].as_u64().unwrap()).collect();
    let count = u64::try_from(records.len()).unwrap();
    assert_eq!(sequences, (1..=count).collect::<Vec<_>>());
    assert!(records.iter().any(|record| record["text"].as_str().unwrap().contains("ä 🙂")));
    let text = fs::read_to_string(folder.join("all.jsonl")).unwrap();
    assert!(!text.contains("ghp_abcdefghijklmnopqrstuvwxyz0123456789") && text.contains("<redacted>"));
    assert_eq!(fs::metadata(folder.join("all.jsonl")).unwrap().permissions().mode() & 0o777, 0o600);

    // The gate, the file alone, and an outsider agree on the head.
    let gate = served.run(&["audit", "verify", "--json"]).json();
    let head = format!("{count}:{}", gate["headHash"].as_str().unwrap());
    let found = run_in(&folder, &["audit", "verify", "--export", "all.jsonl", "--note", &head]);
    assert_eq!(found.code, 0, "{found:?}");
    assert!(found.out.starts_with("INTACT") && found.out.contains(&head), "{found:?}");
    let outside = outsider(&folder, "all.jsonl");
    assert_eq!(outside.out.trim(), format!("default {count} {head}"), "{outside:?}");

    // Without a gate, the store's file gives the same.
    let from_store = run_in(&folder, &["audit", "export", "--store", "gate.db"]);
    assert_eq!(from_store.out, text);
}

#[test]
fn what_was_changed_in_an_export_shows() {
    let served = served();
    let folder = served.folder.path().to_owned();
    exported(&served, "all.jsonl", &[]);
    let text = fs::read_to_string(folder.join("all.jsonl")).unwrap();
    let all: Vec<&str> = text.lines().collect();
    let without = |index: usize| [&all[..index], &all[index + 1..]].concat().join("\n") + "\n";
    let cases = [
        ("a word", text.replacen("npm publish", "npm install", 1)),
        ("an action", text.replacen(r#""action":"REJECT""#, r#""action":"APPROVE""#, 1)),
        ("a record in the middle", without(3)),
        ("the order", [&all[..2], &[all[3], all[2]], &all[4..]].concat().join("\n") + "\n"),
        ("a key more", text.replacen(r#"{"project""#, r#"{"note":"x","project""#, 1)),
    ];
    for (what, changed) in cases {
        assert_ne!(changed, text, "{what}");
        fs::write(folder.join("changed.jsonl"), changed).unwrap();
        let found = run_in(&folder, &["audit", "verify", "--export", "changed.jsonl"]);
        assert_eq!(found.code, 1, "{what}: {found:?}");
        assert!(found.out.starts_with("BROKEN"), "{what}: {found:?}");
        if what != "a key more" {
            assert_eq!(outsider(&folder, "changed.jsonl").code, 1, "{what}");
        }
    }
    // The newest records cut off: only a head that was noted down tells.
    fs::write(folder.join("cut.jsonl"), without(all.len() - 1)).unwrap();
    assert_eq!(run_in(&folder, &["audit", "verify", "--export", "cut.jsonl"]).code, 0);
    let head = served.run(&["audit", "verify", "--json"]).json();
    let note = format!("{}:{}", head["headSequence"].as_str().unwrap(), head["headHash"].as_str().unwrap());
    let found = run_in(&folder, &["audit", "verify", "--export", "cut.jsonl", "--note", &note]);
    assert_eq!(found.code, 1, "{found:?}");
}

#[test]
fn an_export_goes_on_where_the_last_one_ended() {
    let served = served();
    let folder = served.folder.path().to_owned();
    exported(&served, "grown.jsonl", &["--append"]);
    let before = lines(&folder, "grown.jsonl").len();
    let nothing = exported(&served, "grown.jsonl", &["--append"]);
    assert!(nothing.out.starts_with("0 records written"), "{nothing:?}");
    assert_eq!(served.run(&["decide", "--session", "b", "--", "echo", "more"]).code, 0);
    // A shipper that died within a line.
    let path = folder.join("grown.jsonl");
    let cut = fs::read_to_string(&path).unwrap() + r#"{"project":"defau"#;
    fs::write(&path, cut).unwrap();
    exported(&served, "grown.jsonl", &["--append"]);
    assert!(lines(&folder, "grown.jsonl").len() > before);
    exported(&served, "whole.jsonl", &[]);
    assert_eq!(fs::read(&path).unwrap(), fs::read(folder.join("whole.jsonl")).unwrap());
    let after = served.run(&["audit", "export", "--after", &before.to_string()]);
    let whole = fs::read_to_string(folder.join("whole.jsonl")).unwrap();
    assert!(
        whole.ends_with(&after.out)
            && after.out.lines().count() == lines(&folder, "whole.jsonl").len() - before
    );

    for (file, content, reason) in [
        ("other.jsonl", "{}\n".to_owned(), "does not end with a record"),
        ("settings.jsonc", "{}\nprecious, and without an end".to_owned(), "does not end with a record"),
        ("notes", "precious\n, and without an end".to_owned(), "holds something else than records"),
        ("project.jsonl", whole.replace(r#""project":"default""#, r#""project":"shop""#), "of project shop"),
        (
            "chain.jsonl",
            whole.lines().next().unwrap().replacen(r#""hash":"#, r#""hash":"0000"#, 1) + "\n",
            "",
        ),
    ] {
        fs::write(folder.join(file), &content).unwrap();
        let refused = served.run(&["audit", "export", "--append", "--output", file]);
        assert_eq!(refused.code, 2, "{file}: {refused:?}");
        assert!(refused.err.contains(reason), "{file}: {refused:?}");
        assert_eq!(fs::read_to_string(folder.join(file)).unwrap(), content, "{file} is as it was");
    }
}

#[test]
fn an_export_takes_the_place_of_no_store_and_of_nothing_but_a_file() {
    let served = served();
    let _socket = std::os::unix::net::UnixListener::bind(served.folder.path().join("socket")).unwrap();
    for (file, reason) in [("gate.db", "gate.db"), ("socket", "no plain file"), (".", "")] {
        for how in [&[][..], &["--append"]] {
            let refused = served.run(&[&["audit", "export", "--output", file], how].concat());
            assert_eq!(refused.code, 2, "{file} {how:?}: {refused:?}");
            assert!(refused.err.contains(reason), "{file} {how:?}: {refused:?}");
        }
    }
    assert_eq!(served.run(&["decide", "--session", "b", "--", "echo", "more"]).code, 0);
    assert_eq!(served.run(&["audit", "verify"]).code, 0);
}

#[test]
fn a_stretch_of_time_has_no_gap() {
    let served = served();
    let all = served.run(&["audit", "export"]);
    let records: Vec<Value> = all.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at = |index: usize| records[index]["recorded_at"].as_str().unwrap().to_owned();
    let part = served.run(&["audit", "export", "--since", &at(2), "--until", &at(6)]);
    let part: Vec<Value> = part.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!part.is_empty());
    let first = usize::try_from(part[0]["sequence"].as_u64().unwrap() - 1).unwrap();
    assert_eq!(part, records[first..first + part.len()]);
    assert!(part.iter().all(|record| record["recorded_at"].as_str().unwrap() >= at(2).as_str()));
    assert_eq!(served.run(&["audit", "export", "--until", "2020-01-01T00:00:00Z"]).out, "");
    assert_eq!(served.run(&["audit", "export", "--since", "2120-01-01T00:00:00Z"]).out, "");
    let wrong = served.run(&["audit", "export", "--since", &at(6), "--until", &at(2)]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

/// What OCSF requires of the classes that are used, beside what it requires of every event.
const REQUIRED: [(u64, &[&str]); 5] = [
    (2004, &["/finding_info/uid", "/finding_info/title"]),
    (3003, &["/user/name", "/privileges/0"]),
    (3004, &["/entity/name", "/entity/type"]),
    (3005, &["/user/name", "/privileges/0"]),
    (6003, &["/actor/user/name", "/api/operation", "/src_endpoint/name"]),
];

const ALWAYS: [&str; 9] = [
    "/activity_id",
    "/category_uid",
    "/class_uid",
    "/severity_id",
    "/time",
    "/type_uid",
    "/metadata/version",
    "/metadata/product/name",
    "/raw_data",
];

#[test]
fn every_event_has_what_its_class_requires_and_the_file_can_be_verified() {
    let served = served();
    let folder = served.folder.path().to_owned();
    exported(&served, "all.ocsf", &["--format", "ocsf"]);
    exported(&served, "all.jsonl", &[]);
    let events = lines(&folder, "all.ocsf");
    let records = lines(&folder, "all.jsonl");
    assert_eq!(events.len(), records.len());
    let mut seen = BTreeSet::new();
    for (event, record) in events.iter().zip(&records) {
        let number = |key: &str| event[key].as_u64().unwrap_or_else(|| panic!("{key}: {event}"));
        let class = number("class_uid");
        seen.insert((record["kind"].as_str().unwrap().to_owned(), class, number("activity_id")));
        let (_, required) =
            REQUIRED.iter().find(|(uid, _)| *uid == class).unwrap_or_else(|| panic!("{event}"));
        for pointer in ALWAYS.iter().chain(*required) {
            let value = event.pointer(pointer);
            assert!(value.is_some_and(|value| !value.is_null() && value != ""), "{pointer}: {event}");
        }
        assert_eq!(number("type_uid"), class * 100 + number("activity_id"), "{event}");
        assert_eq!(number("category_uid"), class / 1_000, "{event}");
        assert!((1..=6).contains(&number("severity_id")), "{event}");
        assert!(event["activity_name"].is_string() && event["class_name"].is_string());
        let raw: Value = serde_json::from_str(event["raw_data"].as_str().unwrap()).unwrap();
        assert_eq!(&raw, record);
        for observable in event["observables"].as_array().into_iter().flatten() {
            assert!(observable["name"].is_string() && observable["type_id"].is_u64(), "{event}");
        }
    }
    let seen: BTreeSet<(&str, u64, u64)> =
        seen.iter().map(|(kind, class, activity)| (kind.as_str(), *class, *activity)).collect();
    let expected = [
        ("policy", 3004, 10),
        ("session", 3004, 1),
        ("session", 3004, 11),
        ("decision", 6003, 99),
        ("decision", 3003, 1),
        ("decision", 2004, 1),
        ("grant", 3005, 1),
        ("grant", 3005, 2),
        ("denial", 3005, 99),
        ("trust", 3004, 3),
    ];
    for case in expected {
        assert!(seen.contains(&case), "{case:?} is not among {seen:?}");
    }
    let found = run_in(&folder, &["audit", "verify", "--export", "all.ocsf"]);
    assert_eq!(found.code, 0, "{found:?}");
    assert_eq!(outsider(&folder, "all.ocsf").code, 0);
    let changed =
        fs::read_to_string(folder.join("all.ocsf")).unwrap().replacen("npm publish", "npm install", 9);
    fs::write(folder.join("changed.ocsf"), changed).unwrap();
    assert_eq!(run_in(&folder, &["audit", "verify", "--export", "changed.ocsf"]).code, 1);
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let served = served();
    let folder = served.folder.path().to_owned();
    fs::write(folder.join("kept.jsonl"), "as it was\n").unwrap();
    let failed = run_in(&folder, &["audit", "export", "--store", "missing.db", "--output", "kept.jsonl"]);
    assert_eq!(failed.code, 2, "{failed:?}");
    assert_eq!(fs::read_to_string(folder.join("kept.jsonl")).unwrap(), "as it was\n");
    let left: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("partial"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
    exported(&served, "kept.jsonl", &[]);
    assert!(lines(&folder, "kept.jsonl").len() > 10);
}
