//! The admin port: what may be done there, and by whom.

use crate::gate::Served;
use crate::support::*;

#[test]
fn only_what_is_there_can_be_asked_and_only_in_the_way_that_is_meant() {
    let (_served, admin) = serve("{}");
    for (method, path, status) in [
        ("GET", "/live", 200),
        ("HEAD", "/live", 200),
        ("POST", "/live", 405),
        ("DELETE", "/config", 405),
        ("PUT", "/config", 405),
        ("PUT", "/metrics", 405),
        ("OPTIONS", "/log-level", 405),
        ("GET", "/live/", 404),
        ("GET", "/LIVE", 404),
        ("GET", "/../config", 404),
        ("GET", "/", 404),
        ("GET", "/metrics?name=x", 200),
    ] {
        assert_eq!(raw(&admin, &asked(method, path, &admin, "")).status, status, "{method} {path}");
    }
}

#[test]
fn what_shows_the_policy_or_changes_something_is_closed_to_other_names_and_to_pages() {
    let (_served, admin) = serve("{}");
    for (method, path) in [("GET", "/config"), ("GET", "/log-level"), ("PUT", "/log-level")] {
        let foreign = raw(&admin, &asked(method, path, "evil.example", "debug"));
        assert_eq!(foreign.status, 403, "{method} {path}");
        let page =
            asked(method, path, &admin, "debug").replacen("\r\n", "\r\norigin: http://evil.example\r\n", 1);
        assert_eq!(raw(&admin, &page).status, 403, "{method} {path}");
    }
    assert_eq!(get(&admin, "/log-level").body, "info\n");
    assert_eq!(
        raw(&admin, &asked("GET", "/ready", "gate.example:7558", "")).status,
        200,
        "probes come under any name"
    );
}

#[test]
fn the_log_level_changes_while_the_gate_runs() {
    let (served, admin) = serve("{}");
    served.run(&["decide", "--session", "first", "--", "git", "status"]);
    let set = |level: &str| raw(&admin, &asked("PUT", "/log-level", &admin, level));
    assert_eq!(set("error\n").status, 200);
    assert_eq!(get(&admin, "/log-level").body, "error\n");
    served.run(&["decide", "--session", "second", "--", "git", "status"]);
    assert_eq!(set("info").status, 200);
    served.run(&["decide", "--session", "third", "--", "git", "status"]);
    for bad in ["loud", "", "info,haltgate=trace", &"x".repeat(100_000)] {
        assert_eq!(set(bad).status, 400, "{bad:.20}");
    }
    let log = served.log();
    assert!(log.contains("first") && log.contains("third") && !log.contains("second"), "{log}");
}

#[test]
fn the_configuration_is_shown_without_what_may_be_a_secret() {
    let folder = std::sync::Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("secret"), "canary-secret-0123456789").unwrap();
    std::fs::write(folder.path().join("key"), "canary-key-0123456789").unwrap();
    let policy = r#"{
      "rater": { "profiles": { "cloud": { "kind": "model", "provider": "openai", "model": "m", "key_file": "key",
                                          "base_url": "http://127.0.0.1:1/v1" } } },
      "approvals": { "rater": "cloud",
                     "deny": [ { "type": "shell", "matcher": "glob", "pattern": "npm publish*" } ] },
      "notifications": { "webhooks": { "pager": {
          "url": "http://127.0.0.1:1/services/canary-path?room=canary-query", "secret_file": "secret",
          "headers": { "x-team": "canary-header" } } } }
    }"#;
    std::fs::write(folder.path().join("haltgate.jsonc"), policy).unwrap();
    let served = Served::start_in(folder, &["--ephemeral", "--admin", "127.0.0.1:0"]);
    let page = get(&admin(&served), "/config");
    assert_eq!(page.status, 200);
    let shown: serde_json::Value = serde_json::from_str(&page.body).unwrap();
    assert!(!page.body.contains("canary"), "{}", page.body);
    assert_eq!(shown["notifications"]["webhooks"]["pager"]["url"], "http://127.0.0.1:1/…");
    assert_eq!(shown["approvals"]["deny"][0]["pattern"], "npm publish*");
}

#[test]
fn who_says_nothing_is_hung_up_on_and_keeps_nobody_out() {
    let (_served, admin) = serve("{}");
    let silent: Vec<_> = (0..80).map(|_| std::net::TcpStream::connect(&admin).unwrap()).collect();
    assert_eq!(get(&admin, "/live").status, 200);
    drop(silent);
}

#[test]
fn an_admin_port_that_is_taken_is_said_with_what_to_do() {
    let (served, admin) = serve("{}");
    let ran = served.run(&["serve", "--ephemeral", "--listen", "127.0.0.1:0", "--admin", &admin]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("admin port") && ran.err.contains("--admin none"), "{}", ran.err);
    let bad = served.run(&["serve", "--admin", "nowhere"]);
    assert_eq!(bad.code, 2, "{bad:?}");
}
