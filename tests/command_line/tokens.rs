//! Tokens: made, shown once, listed, revoked; and every command that shows one.

use super::gate::{Ran, Served, command, run_in};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const POLICY: &str = r#"{ "auth": { "tokens_file": "tokens.json" } }"#;

fn folder() -> Arc<TempDir> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), POLICY).unwrap();
    Arc::new(folder)
}

/// Makes a token and returns it.
fn make(folder: &Path, name: &str, role: &str) -> String {
    let made = run_in(folder, &["token", "create", "--name", name, "--role", role, "--project", "*"]);
    assert_eq!(made.code, 0, "{made:?}");
    made.out.trim_end().to_owned()
}

fn id(token: &str) -> &str {
    token.split('_').nth(1).unwrap()
}

fn secret(token: &str) -> &str {
    token.splitn(3, '_').nth(2).unwrap()
}

/// Runs a command against a server with a token in the environment.
fn run_with(served: &Served, token: &str, arguments: &[&str]) -> Ran {
    let mut command = command(served.folder.path());
    command.env("HALTGATE_SERVER", &served.address).env("HALTGATE_TOKEN", token);
    command.args(arguments).output().unwrap().into()
}

#[test]
fn a_token_is_shown_once_and_only_its_hash_is_kept() {
    let folder = folder();
    let made = run_in(
        folder.path(),
        &[
            "token",
            "create",
            "--name",
            "ci agent",
            "--role",
            "agent",
            "--project",
            "web",
            "--project",
            "api",
            "--expires",
            "90d",
        ],
    );
    assert_eq!(made.code, 0, "{made:?}");
    let token = made.out.trim_end();
    assert!(token.starts_with("haltgate_") && !token.contains(char::is_whitespace), "{token}");
    assert!(made.err.contains("agent in api, web") && !made.err.contains(token), "{}", made.err);
    let file = folder.path().join("tokens.json");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let secret = secret(token);
    let kept = std::fs::read_to_string(&file).unwrap();
    assert!(kept.contains(id(token)) && !kept.contains(secret), "{kept}");
    let listed = run_in(folder.path(), &["token", "list"]);
    for part in [id(token), "valid", "ci agent", "agent", "api, web"] {
        assert!(listed.out.contains(part), "{}", listed.out);
    }
    assert!(!listed.out.contains(secret), "{}", listed.out);
    let json = run_in(folder.path(), &["token", "list", "--json"]).json();
    assert_eq!(json["tokens"][0]["projects"], serde_json::json!(["api", "web"]));
    assert!(json["tokens"][0].get("token").is_none() && json["tokens"][0]["expires_at"].is_string());
    let made = run_in(
        folder.path(),
        &["token", "create", "--name", "ana", "--role", "operator", "--project", "*", "--json"],
    )
    .json();
    assert!(made["token"].as_str().unwrap().contains(made["id"].as_str().unwrap()), "{made}");
}

#[test]
fn tokens_that_are_made_at_the_same_time_are_all_kept() {
    let folder = folder();
    let started: Vec<_> = (0..8)
        .map(|number| {
            let name = format!("agent-{number}");
            let mut command = command(folder.path());
            command.args(["token", "create", "--name", &name, "--role", "agent", "--project", "*"]);
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        })
        .collect();
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    let listed = run_in(folder.path(), &["token", "list", "--json"]).json();
    assert_eq!(listed["tokens"].as_array().unwrap().len(), 8, "{listed}");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "nothing is left behind: {left:?}");
}

#[test]
fn a_file_that_others_may_write_is_not_believed() {
    let folder = folder();
    make(folder.path(), "ana", "admin");
    let file = folder.path().join("tokens.json");
    for mode in [0o620, 0o602, 0o666] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        for arguments in [&["token", "list"][..], &["serve", "--ephemeral", "--listen", "127.0.0.1:0"]] {
            let refused = run_in(folder.path(), arguments);
            assert_eq!(refused.code, 2, "{mode:o} {refused:?}");
            assert!(refused.err.contains("chmod go-w"), "{mode:o} {refused:?}");
        }
    }
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(run_in(folder.path(), &["token", "list"]).code, 0, "reading it is no harm");
}

#[test]
fn what_cannot_be_done_is_said_with_what_to_do() {
    let folder = folder();
    let empty = tempfile::tempdir().unwrap();
    let create = ["token", "create", "--name", "a", "--role", "agent", "--project", "p"];
    for (place, arguments, said) in [
        (empty.path(), &create[..], "\"tokens_file\": \"tokens.json\""),
        (folder.path(), &["token", "list"], "haltgate token create"),
        (folder.path(), &["serve", "--ephemeral", "--listen", "127.0.0.1:0"], "auth.tokens_file"),
        (
            folder.path(),
            &["token", "create", "--name", "a", "--role", "root", "--project", "p"],
            "agent, operator",
        ),
        (
            folder.path(),
            &["token", "create", "--name", "a\nb", "--role", "agent", "--project", "p"],
            "--name must",
        ),
        (folder.path(), &["token", "create", "--name", "a", "--role", "agent"], "--project"),
        (
            folder.path(),
            &["token", "create", "--name", "a", "--role", "agent", "--project", "p", "--project", "*"],
            "no other",
        ),
        (folder.path(), &["token", "revoke", "nobody"], "token list"),
    ] {
        let refused = run_in(place, arguments);
        assert_eq!(refused.code, 2, "{arguments:?} {refused:?}");
        assert!(refused.err.contains(said), "{arguments:?} {refused:?}");
    }
    let (one, other) = (make(folder.path(), "twin", "agent"), make(folder.path(), "twin", "agent"));
    let refused = run_in(folder.path(), &["token", "revoke", "twin"]);
    assert!(
        refused.code == 2 && refused.err.contains(id(&one)) && refused.err.contains(id(&other)),
        "{refused:?}"
    );
    assert_eq!(run_in(folder.path(), &["token", "revoke", id(&one)]).code, 0);
    assert_eq!(run_in(folder.path(), &["token", "revoke", "twin"]).code, 0, "one of the name is left");
}

#[test]
fn every_command_shows_the_token_of_the_environment_or_of_a_file_and_none_takes_it_as_an_option() {
    let folder = folder();
    let token = make(folder.path(), "ana", "admin");
    let served = Served::start_in(Arc::clone(&folder), &["--ephemeral"]);
    std::fs::write(folder.path().join("ana.token"), format!("{token}\n")).unwrap();
    let without = served.run(&["decide", "--", "git", "status"]);
    assert_eq!(without.code, 2, "{without:?}");
    assert!(
        without.err.contains("CREDENTIALS_MISSING") && without.err.contains("HALTGATE_TOKEN"),
        "{without:?}"
    );
    for arguments in [
        &["decide", "--", "git", "status"][..],
        &["explain", "--", "git", "status"],
        &["rate", "--", "git", "status"],
        &["grants", "list"],
        &["sessions", "list"],
        &["decisions", "list"],
        &["audit", "verify"],
    ] {
        let ran = run_with(&served, &token, arguments);
        assert_eq!(ran.code, 0, "{arguments:?} {ran:?}");
        let (first, rest) = arguments.split_first().unwrap();
        let ran = served.run(&[&[*first, "--token-file", "ana.token"], rest].concat());
        assert_eq!(ran.code, 0, "{arguments:?} {ran:?}");
    }
    let unknown = format!("haltgate_000000000000_{}", "A".repeat(43));
    let wrong = run_with(&served, &unknown, &["sessions", "list"]);
    assert!(wrong.code == 2 && wrong.err.contains("CREDENTIALS_INVALID"), "{wrong:?}");
    for option in ["--token", "--bearer"] {
        let refused = served.run(&["decide", option, &token, "--", "ls"]);
        assert!(refused.code == 2 && refused.err.contains("unexpected argument"), "{refused:?}");
    }
    for (content, said) in [("", "holds no token"), ("two words", "holds no token")] {
        std::fs::write(folder.path().join("bad.token"), content).unwrap();
        let refused = served.run(&["sessions", "list", "--token-file", "bad.token"]);
        assert!(refused.code == 2 && refused.err.contains(said), "{refused:?}");
    }
    // What was refused is in the log, with the reason and without any token.
    let log = served.log();
    assert!(log.contains("no credentials") && log.contains("000000000000"), "{log}");
    assert!(!log.contains(secret(&token)), "{log}");
}

#[test]
fn a_revoked_token_is_refused_and_its_watching_ends_while_the_gate_runs() {
    let folder = folder();
    let token = make(folder.path(), "ana", "admin");
    let served = Served::start_in(Arc::clone(&folder), &["--ephemeral"]);
    assert_eq!(run_with(&served, &token, &["sessions", "list"]).code, 0);
    let revoked = run_in(folder.path(), &["token", "revoke", "ana"]);
    assert!(revoked.code == 0 && revoked.out.contains(id(&token)), "{revoked:?}");
    while run_with(&served, &token, &["sessions", "list"]).code == 0 {
        std::thread::sleep(Duration::from_millis(50));
    }
    let listed = run_in(folder.path(), &["token", "list"]);
    assert!(listed.out.contains("revoked"), "{}", listed.out);
}

#[test]
fn a_hook_that_is_installed_names_the_file_of_its_token() {
    let folder = folder();
    let file = folder.path().join("agent.token");
    std::fs::write(&file, "haltgate_000000000000_x").unwrap();
    let installed = run_in(
        folder.path(),
        &["hook", "claude-code", "--token-file", "agent.token", "install", "--dry-run"],
    );
    let shown = format!("{}{}", installed.out, installed.err);
    assert!(shown.contains(&format!("--token-file {}", file.display())), "{installed:?}");
}
