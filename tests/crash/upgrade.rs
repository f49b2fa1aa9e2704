//! Files of earlier and later releases.

use crate::server::haltgate;

#[test]
fn a_store_of_a_later_release_is_refused_with_what_to_do_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gate.db");
    drop(haltgate::store::SqliteStore::open(&path).unwrap());
    let mut bytes = std::fs::read(&path).unwrap();
    // The schema version stands at offset 60 of the header.
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    for command in [
        vec!["serve", "--listen", "127.0.0.1:0", "--store", "gate.db"],
        vec!["backup", "--store", "gate.db", "--to", "copy.db"],
        vec!["backup", "verify", "gate.db"],
    ] {
        let refused = haltgate().args(&command).current_dir(folder.path()).output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{refused:?}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(said.contains("schema version 99") && said.contains("use the newer release"), "{said}");
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{command:?}");
    }
}
