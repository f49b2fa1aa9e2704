//! Inputs that fuzzing found interesting, or that once broke a promise, checked as ordinary tests.

#![allow(missing_docs, clippy::expect_used, reason = "a test may fail")]

mod fuzz_checks;

use std::fs;
use std::path::Path;

fn replay(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpora/fuzz").join(target);
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the inputs are part of the source") {
        let path = entry.expect("the folder can be read").path();
        let input = fs::read(&path).expect("an input can be read");
        check(&input);
        count += 1;
    }
    assert!(count > 0, "there are inputs for {target}");
}

#[test]
fn no_saved_text_breaks_the_analysis() {
    replay("analysis", fuzz_checks::analysis);
}

#[test]
fn no_saved_policy_file_breaks_the_configuration() {
    replay("policy_file", fuzz_checks::policy_file);
}

#[test]
fn no_saved_message_breaks_the_inbound_checks() {
    replay("contract", fuzz_checks::contract);
}
