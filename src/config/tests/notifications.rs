//! Receivers of notifications: what they may say, and that they never hold a secret.

use super::{errors, sound};
use crate::config::{EventKind, HeaderValue, KeySource, WebhookSettings, parse};
use std::path::PathBuf;
use std::time::Duration;

fn with(webhook: &str) -> String {
    format!(r#"{{"notifications": {{"webhooks": {{"w": {webhook}}}}}}}"#)
}

fn webhook(text: &str) -> WebhookSettings {
    sound(&[&with(text)]).notifications().webhooks.get("w").unwrap().clone()
}

const LEAST: &str = r#""url": "https://pager.example/x?room=7", "secret_env": "PAGER_SECRET""#;

#[test]
fn a_webhook_needs_an_address_and_a_secret_and_hears_everything() {
    let least = webhook(&format!("{{{LEAST}}}"));
    assert_eq!(least.url.as_str(), "https://pager.example/x?room=7");
    assert_eq!(least.secret, KeySource::Environment("PAGER_SECRET".to_owned()));
    assert_eq!(least.events.len(), EventKind::ALL.len());
    assert_eq!((least.project, least.headers.len()), (None, 0));
    assert_eq!((least.timeout.as_secs(), least.max_age.as_secs()), (10, 86_400));
}

#[test]
fn everything_that_a_webhook_can_say_is_read_and_written_back() {
    let text = r#"{"notifications": {"console_url": "https://gate.example/", "webhooks": {"w": {
        "url": "http://127.0.0.1:9/x", "secret_file": "secrets/pager", "events": ["halts", "escalation.raised"],
        "project": "shop", "timeout": "3s", "max_age": "2h",
        "headers": {"X-Team": "web", "Authorization": {"key_env": "TOKEN", "scheme": "Bearer"}, "x-api-key": {"key_file": "k"}}
    }}}}"#;
    let configuration = sound(&[text]);
    let read = configuration.notifications().webhooks.get("w").unwrap();
    assert!(read.is_here());
    assert_eq!(read.secret, KeySource::File(PathBuf::from("policies/secrets/pager")));
    let events: Vec<&str> = read.events.iter().map(|kind| kind.as_str()).collect();
    let expected = ["halt.raised", "halt.answered", "halt.withdrawn", "halt.expired", "escalation.raised"];
    assert_eq!(events, expected);
    assert_eq!((read.timeout, read.max_age), (Duration::from_secs(3), Duration::from_secs(7_200)));
    let names: Vec<&str> = read.headers.iter().map(|header| header.name.as_str()).collect();
    assert_eq!(names, ["authorization", "x-api-key", "x-team"]);
    let key = KeySource::Environment("TOKEN".to_owned());
    assert_eq!(read.headers[0].value, HeaderValue::Secret { key, scheme: "Bearer ".to_owned() });
    let again = parse("again", &configuration.effective().to_string()).unwrap();
    assert_eq!(again.notifications(), configuration.notifications());
}

#[test]
fn a_webhook_of_a_higher_file_replaces_the_one_of_the_same_name() {
    let other = r#"{"notifications": {"webhooks": {"w": {"url": "https://b.example/", "secret_env": "B"}}}}"#;
    let configuration = sound(&[&with(&format!(r#"{{{LEAST}, "events": ["halts"]}}"#)), other]);
    let webhook = configuration.notifications().webhooks.get("w").unwrap();
    assert_eq!((webhook.url.as_str(), webhook.events.len()), ("https://b.example/", 8));
}

#[test]
fn bad_webhooks_say_what_to_write_instead_all_at_once_and_with_their_line() {
    let text = r#"{
  "notifications": {
    "console_url": "gate.example",
    "webhooks": {
      " ": {},
      "w": {
        "url": "ftp://pager.example",
        "events": ["halts", "halt.ended"],
        "timeout": "0s"
      }
    },
    "hooks": 1
  }
}"#;
    let lines = errors(text);
    for expected in [
        "3:5: notifications.console_url: must be the console's address",
        "5:7: notifications.webhooks.\" \": is not a name for a webhook",
        "notifications.webhooks.w.secret_env: is missing: name the environment variable",
        "7:9: notifications.webhooks.w.url: is not an HTTPS address",
        "8:29: notifications.webhooks.w.events[1]: must be one of \"halts\", \"escalations\", \"halt.raised\"",
        "notifications.hooks: is not a setting; known here: console_url, webhooks",
    ] {
        assert!(lines.iter().any(|line| line.contains(expected)), "{expected}: {lines:#?}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (webhook, expected) in [
        (r#"{"url": "http://pager.example/", "secret_env": "A"}"#.to_owned(), "sends commands in the open"),
        (
            r#"{"url": "https://me:pw@x.example/", "secret_env": "A"}"#.to_owned(),
            "holds a user or a password",
        ),
        (r#"{"url": "https://x.example/#a", "secret_env": "A"}"#.to_owned(), "holds a `#`"),
        (format!(r#"{{{LEAST}, "secret_file": "x"}}"#), "secret_file: stands beside `secret_env`"),
        (
            format!(r#"{{{LEAST}, "secret": "hunter2hunter2hunter2"}}"#),
            "secret: keys do not belong into a policy",
        ),
        (format!(r#"{{{LEAST}, "events": []}}"#), "leave it out for everything"),
        (format!(r#"{{{LEAST}, "events": "halts"}}"#), "must be a list of"),
        (format!(r#"{{{LEAST}, "timeout": "2m"}}"#), "from 1s to 1m"),
        (format!(r#"{{{LEAST}, "max_age": "5s"}}"#), "from 1m to 30d"),
        (format!(r#"{{{LEAST}, "headers": {{"a b": "c"}}}}"#), "is not the name of a header"),
        (format!(r#"{{{LEAST}, "headers": {{"Content-Type": "c"}}}}"#), "is set by the gate itself"),
        (format!(r#"{{{LEAST}, "headers": {{"haltgate-x": "c"}}}}"#), "is set by the gate itself"),
        (format!(r#"{{{LEAST}, "headers": {{"X": "c", "x": "d"}}}}"#), "stands here twice"),
        (format!(r#"{{{LEAST}, "headers": {{"x": "a\r\nb: c"}}}}"#), "cannot be sent"),
        (
            format!(r#"{{{LEAST}, "headers": {{"Authorization": "Bearer hunter2"}}}}"#),
            "is secret by its name",
        ),
        (format!(r#"{{{LEAST}, "headers": {{"x": {{}}}}}}"#), "needs `key_env` or `key_file`"),
        (format!(r#"{{{LEAST}, "headers": {{"x": 1}}}}"#), "must be a string, or"),
        (
            format!(r#"{{{LEAST}, "headers": {{"x": {{"key_env": "A", "scheme": "a b"}}}}}}"#),
            "must be one word",
        ),
    ] {
        let lines = errors(&with(&webhook));
        assert!(lines.iter().any(|line| line.contains(expected)), "{webhook}: {lines:#?}");
        assert!(!lines.concat().contains("hunter2") && !lines.concat().contains("pw@"), "{lines:#?}");
    }
}
