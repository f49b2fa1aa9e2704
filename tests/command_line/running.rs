//! `haltgate run`: a gate for the life of one command.

use super::gate::{Ran, command, run_in};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const POLICY: &str = r#"{
  "approvals": { "allow": [ { "type": "shell", "matcher": "exact", "pattern": "mend docs" } ] },
  "rater": { "profiles": { "offline": { "kind": "model", "provider": "ollama", "model": "m", "base_url": "http://127.0.0.1:9", "retries": 0 } } }
}"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), POLICY).unwrap();
    folder
}

/// The binary's own path, for commands that speak to the gate.
const BINARY: &str = env!("CARGO_BIN_EXE_haltgate");

fn wait_for(path: &Path) {
    while !path.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The command line of a script that runs beside a gate.
fn gated(folder: &Path, options: &[&str], script: &str) -> Command {
    let mut command = command(folder);
    command.arg("run").args(options).args(["--", "sh", "-c", script]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn the_command_finds_a_gate_that_answers_and_keeps_nothing() {
    let folder = folder();
    let script = format!(
        "{BINARY} decide -- mend docs && {BINARY} decide -- mend site; echo code $?; echo at $HALTGATE_TARGET $HALTGATE_SERVER $HALTGATE_PROJECT"
    );
    let ran: Ran = gated(folder.path(), &["--project", "shop"], &script).output().unwrap().into();
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("APPROVE  ALLOW_LIST"), "{ran:?}");
    assert!(ran.out.contains("code 3"), "{ran:?}");
    let named = ran.out.lines().find_map(|line| line.strip_prefix("at ")).unwrap();
    let words: Vec<&str> = named.split(' ').collect();
    assert!(words[0].starts_with("127.0.0.1:") && words[0] == words[1], "{named}");
    assert_eq!(words[2], "shop");
    assert!(ran.err.contains(&format!("its console at http://{}/", words[0])), "{ran:?}");
    assert!(!ran.err.contains("INFO"), "the gate's log is silent: {ran:?}");
    let left: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(left, ["haltgate.jsonc"], "nothing is left behind");
}

#[test]
fn the_gate_of_a_command_asks_for_no_credentials_and_the_command_gets_none_of_another_gates() {
    let folder = folder();
    let policy = r#"{ "auth": { "tokens_file": "nowhere.json" } }"#;
    std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
    let script =
        format!("echo token ${{HALTGATE_TOKEN-none}} ${{HALTGATE_TOKEN_FILE-none}}; {BINARY} sessions list");
    let mut gated = gated(folder.path(), &[], &script);
    gated.env("HALTGATE_TOKEN", "haltgate_000000000000_x").env("HALTGATE_TOKEN_FILE", "production.token");
    let ran: Ran = gated.output().unwrap().into();
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.starts_with("token none none\n"), "{ran:?}");
}

#[test]
fn quiet_says_nothing_and_verbose_writes_the_log() {
    let folder = folder();
    let quiet: Ran = gated(folder.path(), &["--quiet"], "true").output().unwrap().into();
    assert_eq!((quiet.code, quiet.err.as_str(), quiet.out.as_str()), (0, "", ""));
    let script = format!("{BINARY} decide -- mend docs");
    let verbose: Ran = gated(folder.path(), &["-v"], &script).output().unwrap().into();
    assert!(verbose.err.contains("decided"), "{verbose:?}");
}

#[test]
fn it_ends_as_the_command_does() {
    let folder = folder();
    for (script, code) in
        [("exit 0", 0), ("exit 3", 3), ("exit 200", 200), ("kill -9 $$", 137), ("kill -15 $$", 143)]
    {
        let ran: Ran = gated(folder.path(), &[], script).output().unwrap().into();
        assert_eq!(ran.code, code, "{script}: {ran:?}");
    }
    let missing = run_in(folder.path(), &["run", "--", "there-is-no-such-command"]);
    assert_eq!(missing.code, 127, "{missing:?}");
    assert!(missing.err.contains("there is no command there-is-no-such-command"), "{missing:?}");
    let unrunnable = run_in(folder.path(), &["run", "--", "./haltgate.jsonc"]);
    assert_eq!(unrunnable.code, 126, "{unrunnable:?}");
    assert!(unrunnable.err.contains("./haltgate.jsonc cannot be run"), "{unrunnable:?}");
    let without = run_in(folder.path(), &["run"]);
    assert_eq!(without.code, 2, "{without:?}");
}

#[test]
fn a_gate_that_cannot_start_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), r#"{ "approvalz": {} }"#).unwrap();
    let bad: Ran = gated(folder.path(), &[], "touch ran").output().unwrap().into();
    assert_eq!(bad.code, 125, "{bad:?}");
    assert!(bad.err.contains("approvalz"), "{bad:?}");
    let named: Ran =
        gated(folder.path(), &["--config", "absent.jsonc"], "touch ran").output().unwrap().into();
    assert_eq!(named.code, 125, "{named:?}");
    assert!(!folder.path().join("ran").exists());
}

#[test]
fn what_is_decided_is_kept_where_that_is_asked_for() {
    let folder = folder();
    let script = format!("{BINARY} grants grant --shell-exact 'mend site'");
    let first: Ran = gated(folder.path(), &["--store", "kept.db"], &script).output().unwrap().into();
    assert_eq!(first.code, 0, "{first:?}");
    let script = format!("{BINARY} decide -- mend site");
    let second: Ran = gated(folder.path(), &["--store", "kept.db"], &script).output().unwrap().into();
    assert_eq!(second.code, 0, "{second:?}");
    let mut keeping = gated(folder.path(), &["--keep"], &script);
    let kept: Ran = keeping.env("TMPDIR", folder.path()).output().unwrap().into();
    assert_eq!(kept.code, 3, "a store of its own: {kept:?}");
    let path = kept.err.lines().find_map(|line| line.strip_prefix("haltgate: kept in ")).unwrap();
    assert!(Path::new(path).is_file() && Path::new(path).starts_with(folder.path()), "{kept:?}");
}

#[test]
fn a_rater_profile_is_chosen_or_refused_by_name() {
    let folder = folder();
    let script = format!("{BINARY} decide -- ls");
    let built_in: Ran = gated(folder.path(), &[], &script).output().unwrap().into();
    assert_eq!(built_in.code, 0, "{built_in:?}");
    let offline: Ran = gated(folder.path(), &["--profile", "offline"], &script).output().unwrap().into();
    assert_eq!(offline.code, 3, "the model is not there: {offline:?}");
    let unknown: Ran = gated(folder.path(), &["--profile", "nobody"], &script).output().unwrap().into();
    assert_eq!(unknown.code, 125, "{unknown:?}");
    assert!(unknown.err.contains("there is no rater profile \"nobody\""), "{unknown:?}");
}

#[test]
fn a_signal_reaches_the_command_and_the_gate_stays_until_it_has_ended() {
    for (signal, number) in [("TERM", 15), ("INT", 2), ("HUP", 1), ("USR1", 10)] {
        // What is ignored where the tests were started, such as HUP behind nohup, no command below can trap.
        if is_ignored(number) {
            continue;
        }
        let folder = folder();
        let script = format!(
            "trap '{BINARY} decide -- mend docs >decided; exit 7' {signal}; touch ready; while :; do sleep 0.1; done"
        );
        // In a session of its own, without a terminal that would tell the command by itself.
        let mut command = Command::new("setsid");
        let gated = gated(folder.path(), &[], &script);
        command.arg("--wait").arg(gated.get_program()).args(gated.get_args()).current_dir(folder.path());
        for (name, _removed) in gated.get_envs() {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        wait_for(&folder.path().join("ready"));
        assert!(Command::new("kill").args(["-s", signal, &leader(child.id())]).status().unwrap().success());
        let status = child.wait().unwrap();
        assert_eq!((status.code(), status.signal()), (Some(7), None), "{signal}");
        let decided = std::fs::read_to_string(folder.path().join("decided")).unwrap();
        assert!(decided.starts_with("APPROVE"), "{signal}: {decided}");
    }
}

/// Whether this process ignores a signal, as every process does that it starts.
fn is_ignored(number: u32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .is_some_and(|mask| mask >> (number - 1) & 1 == 1)
}

/// The process that `setsid` runs as: itself, or the one that it forked where it led a group already.
fn leader(setsid: u32) -> String {
    let children =
        std::fs::read_to_string(format!("/proc/{setsid}/task/{setsid}/children")).unwrap_or_default();
    let name = std::fs::read_to_string(format!("/proc/{setsid}/comm")).unwrap();
    match (name.trim(), children.split_whitespace().next()) {
        ("setsid", Some(child)) => child.to_owned(),
        _ => setsid.to_string(),
    }
}

#[test]
fn a_command_has_the_standard_input_of_its_caller() {
    use std::io::Write;
    let folder = folder();
    let mut command = gated(folder.path(), &["-q"], "read line; echo got $line");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"this\n").unwrap();
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!((ran.code, ran.out.as_str()), (0, "got this\n"));
}

#[test]
fn an_agent_that_is_run_finds_the_gate_from_its_hook() {
    let folder = folder();
    let question = r#"{ "session_id": "s", "cwd": "/work", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "mend docs" } }"#;
    let script = format!("{BINARY} hook claude-code <<'END'\n{question}\nEND");
    let ran: Ran = gated(folder.path(), &["-q"], &script).output().unwrap().into();
    assert_eq!(ran.json()["hookSpecificOutput"]["permissionDecision"], "allow", "{ran:?}");
}
