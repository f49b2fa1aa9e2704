//! A server with receivers, and short ways to make something happen at it.

use crate::gate::Served;
use crate::server::{Reply, Seen, Server};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub(crate) const SECRET: &str = "a-secret-that-only-the-two-know";

/// A policy at which every command asks a human, with these receivers.
pub(crate) fn policy(webhooks: &Value) -> String {
    let mut webhooks = webhooks.clone();
    for webhook in webhooks.as_object_mut().unwrap().values_mut() {
        if webhook.get("secret_file").is_none() {
            webhook["secret_file"] = json!("secret");
        }
    }
    json!({
        "approvals": { "mode": "manual" },
        "notifications": { "console_url": "https://gate.example/console", "webhooks": webhooks },
    })
    .to_string()
}

pub(crate) fn write_policy(folder: &Path, webhooks: &Value) {
    std::fs::write(folder.join("haltgate.jsonc"), policy(webhooks)).unwrap();
}

/// The real server with these receivers.
pub(crate) fn serve(webhooks: &Value) -> Served {
    let folder = Arc::new(tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("secret"), SECRET).unwrap();
    write_policy(folder.path(), webhooks);
    serve_in(folder)
}

/// The same again on what was left of it.
pub(crate) fn serve_in(folder: Arc<TempDir>) -> Served {
    Served::start_in(folder, &["--store", "gate.db", "--log", "debug"])
}

/// A receiver that takes everything.
pub(crate) async fn receiver() -> Server {
    Server::start(taken()).await
}

pub(crate) fn taken() -> Reply {
    Reply::Answer(204, Vec::new(), String::new())
}

pub(crate) fn url(receiver: &Server) -> String {
    format!("http://{}/hook?room=7", receiver.address)
}

/// Has a command ask a human; returns the escalation's id.
pub(crate) fn raise(served: &Served, command: &str) -> String {
    let asked = served.run(&["decide", "--json", "--session", "s", "--", command]);
    assert_eq!(asked.code, 3, "{asked:?}");
    asked.json()["escalationId"].as_str().unwrap().to_owned()
}

/// What a notification is about, in a word: its type and the command.
pub(crate) fn said(seen: &Seen) -> String {
    let about = seen.body.get("escalation").or(seen.body.get("halt")).unwrap_or_else(|| panic!("{seen:?}"));
    format!("{} {}", seen.body["type"].as_str().unwrap(), about["call"]["shell"]["command"].as_str().unwrap())
}

pub(crate) fn all_said(receiver: &Server) -> Vec<String> {
    receiver.seen().iter().map(said).collect()
}

/// What arrived without what arrived again, in the order of first arrival.
pub(crate) fn once(receiver: &Server) -> Vec<Seen> {
    let mut kept: Vec<Seen> = Vec::new();
    for seen in receiver.seen() {
        if !kept.iter().any(|before| before.body["id"] == seen.body["id"]) {
            kept.push(seen);
        }
    }
    kept
}

/// Waits until this holds.
pub(crate) async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(tokio::time::Instant::now() < deadline, "it did not come about: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Checks a signature as the documentation says, without any code of the gate.
pub(crate) fn verify(seen: &Seen, secret: &str) {
    let header = seen.header("haltgate-signature").unwrap();
    let (time, given) = header.strip_prefix("t=").unwrap().split_once(",v1=").unwrap();
    assert_eq!(seen.header("haltgate-timestamp"), Some(time));
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{time}.").as_bytes());
    mac.update(&seen.raw);
    let expected: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(given, expected);
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    let sent_at: u64 = time.parse().unwrap();
    assert!(now.abs_diff(sent_at) < 300, "{sent_at} is about now, {now}");
}
