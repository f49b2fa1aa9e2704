use super::*;
use crate::store::suite::{PROJECT, quiet, recording, write};
use crate::store::{BrokenLink, Verification};

async fn after(tampering: &str) -> Verification {
    let (_place, path) = place();
    let store = SqliteStore::open(&path).unwrap();
    for number in 1..=5 {
        write(&store, recording(format!("r-{number}"))).await.unwrap();
    }
    intruder(&path).execute_batch(tampering).unwrap();
    store.verify(PROJECT, quiet()).await.unwrap()
}

#[tokio::test]
async fn each_kind_of_tampering_is_found_and_named() {
    let changed = |sequence: u64| BrokenLink::Changed { sequence, id: format!("r-{sequence}") };
    let wrong_previous = |sequence: u64, id: &str| BrokenLink::WrongPrevious { sequence, id: id.into() };
    let cases = [
        ("UPDATE records SET body = '{}' WHERE sequence = 3", changed(3)),
        ("UPDATE records SET text = 'harmless' WHERE sequence = 1", changed(1)),
        ("UPDATE records SET action = 'REJECT' WHERE sequence = 5", changed(5)),
        ("UPDATE records SET stage = NULL WHERE sequence = 2", changed(2)),
        ("UPDATE records SET at = at + 1 WHERE sequence = 4", changed(4)),
        ("UPDATE records SET kind = 'x' WHERE sequence = 4", changed(4)),
        ("UPDATE records SET session = 'x' WHERE sequence = 4", changed(4)),
        ("UPDATE records SET run = NULL WHERE sequence = 4", changed(4)),
        ("UPDATE records SET id = 'x' WHERE sequence = 4", BrokenLink::Changed { sequence: 4, id: "x".into() }),
        ("UPDATE records SET hash = randomblob(32) WHERE sequence = 2", changed(2)),
        ("UPDATE records SET previous_hash = randomblob(32) WHERE sequence = 2", wrong_previous(2, "r-2")),
        ("DELETE FROM records WHERE sequence = 3", BrokenLink::Missing { sequence: 3, found: 4 }),
        ("DELETE FROM records WHERE sequence <= 2", BrokenLink::Missing { sequence: 1, found: 3 }),
        ("DELETE FROM records WHERE sequence >= 4", BrokenLink::Truncated { last: 3, head: 5 }),
        ("DELETE FROM records", BrokenLink::Truncated { last: 0, head: 5 }),
        (
            "DELETE FROM records WHERE sequence = 3; UPDATE records SET sequence = sequence - 1 WHERE sequence > 3",
            wrong_previous(3, "r-4"),
        ),
        (
            "UPDATE records SET sequence = 99 WHERE sequence = 2; UPDATE records SET sequence = 2 WHERE sequence = 3;
             UPDATE records SET sequence = 3 WHERE sequence = 99",
            wrong_previous(2, "r-3"),
        ),
        (
            "INSERT INTO records SELECT project, 6, 'r-6', at, kind, session, run, action, stage, hash, hash, text, body
             FROM records WHERE sequence = 5",
            BrokenLink::BeyondHead { sequence: 6, head: 5 },
        ),
        ("UPDATE chain_heads SET hash = randomblob(32)", BrokenLink::WrongHead { sequence: 5 }),
        ("UPDATE chain_heads SET sequence = 4", BrokenLink::WrongHead { sequence: 4 }),
        ("UPDATE chain_heads SET sequence = 7", BrokenLink::Truncated { last: 5, head: 7 }),
        ("UPDATE chain_heads SET hash = x'00'", BrokenLink::HeadMissing),
        ("DELETE FROM chain_heads", BrokenLink::HeadMissing),
        (
            "UPDATE chain_heads SET base_sequence = 2, base_hash = randomblob(32); DELETE FROM records WHERE sequence <= 2",
            wrong_previous(3, "r-3"),
        ),
        (
            "UPDATE chain_heads SET base_sequence = 2, base_hash = (SELECT hash FROM records WHERE sequence = 2);
             DELETE FROM records WHERE sequence <= 2",
            BrokenLink::Unexplained { first: 3 },
        ),
    ];
    for (tampering, expected) in cases {
        assert_eq!(after(tampering).await.broken, Some(expected), "{tampering}");
    }
}

#[tokio::test]
async fn a_record_that_cannot_be_read_is_named_and_does_not_stop_the_store() {
    let found = after("UPDATE records SET text = CAST(x'ff' AS TEXT) WHERE sequence = 2").await.broken;
    assert!(matches!(found, Some(BrokenLink::Unreadable { sequence: 2, .. })), "{found:?}");
    let found = after("UPDATE records SET hash = x'00' WHERE sequence = 2").await.broken;
    assert!(matches!(found, Some(BrokenLink::Unreadable { sequence: 2, .. })), "{found:?}");
}

#[tokio::test]
async fn an_untouched_chain_is_not_accused() {
    let verification = after("UPDATE sessions SET rung = 'bypass'").await;
    assert_eq!((verification.checked, verification.broken), (5, None));
}
