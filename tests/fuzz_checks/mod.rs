//! What must hold for any input at all. The fuzz targets look for an input that breaks it; the tests replay saved ones.
//!
//! Promises one check per target, each of which panics where a promise is broken. Knows nothing of where inputs come from.

#![allow(
    dead_code,
    missing_docs,
    clippy::expect_used,
    reason = "each target uses one check, and a check may fail"
)]

use haltgate::config::{Configuration, Document};
use haltgate::proto::v1;
use haltgate::shell::{Analysis, Dialect, MAX_SEGMENTS, analyze, canonicalize};
use prost::Message;

/// The longest input that a check looks at. Longer ones have tests of their own.
const MAX_BYTES: usize = 1 << 16;

/// The analysis of a command: total, and what it says of the text agrees with itself.
pub(crate) fn analysis(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let analysis = analyze(text, Dialect::Bash);
    assert_eq!(analysis.text(), text);
    assert!(analysis.segments().len() <= MAX_SEGMENTS);
    assert_eq!(analysis.script().is_some(), !syntax_error(&analysis), "a tree without an error, or an error");
    for segment in analysis.segments() {
        if let Some(span) = segment.span {
            assert!(text.get(span.start..span.end).is_some(), "the place of {} is none", segment.spelling);
        }
    }
    assert!(text.trim().is_empty() || !analysis.restrictive_spellings().is_empty());
    let canonical = analysis.canonical();
    assert_eq!(canonical, canonicalize(text).as_deref());
    if let Some(canonical) = canonical {
        assert_eq!(canonicalize(canonical).as_deref(), Some(canonical), "the canonical form is its own");
        assert!(!analysis.segments().is_empty());
    }
}

fn syntax_error(analysis: &Analysis) -> bool {
    use haltgate::shell::UnreadReason;
    analysis.unread().is_some_and(|unread| match unread.reason {
        UnreadReason::Syntax(_) | UnreadReason::OtherDialect(_) => true,
        UnreadReason::TooManySegments | UnreadReason::TooDeep | UnreadReason::TooMuchCode => false,
    })
}

/// A policy file: problems or a configuration, whose policy compiles.
pub(crate) fn policy_file(input: &[u8]) {
    let Some(text) = text(input) else { return };
    let Ok(document) = Document::parse("fuzz.jsonc", text) else { return };
    let Ok(configuration) = Configuration::of(&document) else { return };
    // An entry that loads compiles; only lists that are too much as a whole may still fail.
    let compiled = configuration.gate_policy("default", None);
    assert!(compiled.is_ok() || text.len() > 4096, "{:?}", compiled.err());
    let effective = configuration.effective().to_string();
    let again = Document::parse("effective.json", &effective).expect("what is shown can be read");
    assert!(again.value().is_object());
}

/// A message of the contract: a status that names what is wrong, or a call that can be analysed.
pub(crate) fn contract(input: &[u8]) {
    if input.len() > MAX_BYTES {
        return;
    }
    if let Ok(request) = v1::DecideRequest::decode(input)
        && let Some(call) = request.call
    {
        check_call(call);
    }
    if let Ok(call) = v1::Call::decode(input) {
        check_call(call);
    }
}

fn check_call(call: v1::Call) {
    match haltgate::server::convert::call(call) {
        Ok(call) => {
            if let haltgate::gate::Call::Shell(shell) = &call {
                assert!(!shell.command.is_empty());
                let analysis = analyze(&shell.command, shell.dialect);
                assert_eq!(analysis.dialect(), shell.dialect);
            }
        }
        Err(status) => assert_eq!(status.code(), tonic::Code::InvalidArgument),
    }
}

fn text(input: &[u8]) -> Option<&str> {
    std::str::from_utf8(input).ok().filter(|text| text.len() <= MAX_BYTES)
}
