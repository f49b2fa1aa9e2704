//! Retention as an operator turns it on: in the file, while the gate runs.

use super::gate::Served;
use haltgate::store::{Batch, NewRecord, SqliteStore, Store};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const POLICY: &str =
    r#"{ "approvals": { "allow": [ { "type": "shell", "matcher": "glob", "pattern": "echo *" } ] } }"#;

/// Records of an hour ago, larger than the smallest limit.
fn fill(path: &Path) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros();
    let at = i64::try_from(now).unwrap() - 3_600_000_000;
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = SqliteStore::open(path).unwrap();
        for number in 0..500 {
            let record = NewRecord {
                id: format!("old-{number}"),
                at,
                kind: "session".to_owned(),
                text: "x".repeat(4_000),
                body_json: "{}".to_owned(),
                ..NewRecord::default()
            };
            let batch = Batch { project: "default".to_owned(), records: vec![record], ..Batch::default() };
            store.submit(batch).await.unwrap();
        }
        store.close().await.unwrap();
    });
}

#[test]
fn a_limit_that_is_written_into_the_file_holds_without_a_restart_and_the_chain_says_what_was_deleted() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), POLICY).unwrap();
    fill(&folder.path().join("gate.db"));
    let served = Served::start_in(Arc::new(folder), &["--store", "gate.db"]);
    let before = served.run(&["audit", "verify", "--json"]).json();
    assert_eq!(before["firstSequence"], "1", "{before}");
    let noted =
        format!("{}:{}", before["headSequence"].as_str().unwrap(), before["headHash"].as_str().unwrap());

    let limited = POLICY.replacen('{', r#"{ "retention": { "max_size": "1MiB" },"#, 1);
    std::fs::write(served.folder.path().join("haltgate.jsonc"), limited).unwrap();
    let verified = loop {
        let verified = served.run(&["audit", "verify", "--note", &noted]);
        assert_eq!(verified.code, 0, "{verified:?}");
        if verified.out.contains("retention deleted what came before") {
            break verified;
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(
        verified.out.contains("INTACT") && verified.out.contains("the head that was noted is in the chain"),
        "{}",
        verified.out
    );
    let database = served.folder.path().join("gate.db");
    while std::fs::metadata(&database).unwrap().len() > 1 << 20 {
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(served.run(&["decide", "--", "echo", "after"]).code, 0);
    let (status, log) = served.end("TERM");
    assert!(status.success() && log.contains("retention deleted what it should"), "{log}");
}
