//! The corpus of command lines whose true reading was checked against bash.

use serde_json::Value;

use super::walk::{Flat, static_text};
use crate::shell::reader::{ReadError, read};
use crate::shell::tree::{Part, Script, Word};

/// Lines that bash accepts and the reader refuses on purpose, with the reason.
const REFUSED: [(i64, &str); 2] = [
    (147, "`${ command; }` runs in bash 5.3 and fails in 5.2"),
    (287, "`${a[}`: bash ends the expansion at the bare brace and refuses it when it runs"),
];

fn cases() -> Vec<Value> {
    serde_json::from_str(include_str!("../../../../tests/corpora/segments.json")).unwrap()
}

fn text(case: &Value) -> &str {
    case["command"].as_str().unwrap()
}

/// A word as the corpus writes it: its text, or `{"raw": …}` where bash may make something else of it.
fn shown(word: &Word) -> Value {
    match static_text(word) {
        Some(text) if !has_patterns(word) => Value::String(text),
        _ => serde_json::json!({ "raw": word.raw }),
    }
}

/// The corpus shows words inside backquotes as they stand outside, with one more layer of backslashes.
fn without_backslashes_of_backquotes(segments: &Value) -> String {
    segments.to_string().replace(r"\\`", "`")
}

/// Whether unquoted pathname patterns, braces, tildes or an array make a word more than its text.
fn has_patterns(word: &Word) -> bool {
    let mut previous = None;
    let mut bracket = false;
    let mut braces: Vec<bool> = Vec::new();
    let mut named = String::new();
    let mut is_assignment = false;
    for part in &word.parts {
        let Part::Text { text, quoted } = part else { return true };
        if *quoted {
            previous = Some('\'');
            named.push('\'');
            continue;
        }
        for letter in text.chars() {
            let dynamic = match letter {
                '*' | '?' | '(' => true,
                // Where `name[` swallowed blanks, the corpus shows the text.
                ']' => bracket && !word.raw.contains(' '),
                '}' => braces.pop() == Some(true),
                '~' => previous.is_none() || (is_assignment && matches!(previous, Some('=' | ':'))),
                _ => false,
            };
            if dynamic {
                return true;
            }
            match letter {
                '[' => bracket = true,
                '{' => braces.push(false),
                ',' => braces.last_mut().into_iter().for_each(|expands| *expands = true),
                '.' if previous == Some('.') => {
                    braces.last_mut().into_iter().for_each(|expands| *expands = true)
                }
                '=' => {
                    let starts = named.starts_with(|first: char| first == '_' || first.is_ascii_alphabetic());
                    is_assignment |=
                        starts && named.chars().all(|each| each == '_' || each.is_ascii_alphanumeric());
                }
                _ => {}
            }
            named.push(letter);
            previous = Some(letter);
        }
    }
    false
}

fn segments(script: &Script) -> Value {
    let flat = Flat::of(script);
    flat.commands.iter().map(|command| command.words.iter().map(shown).collect::<Value>()).collect()
}

#[test]
fn every_line_that_bash_refuses_is_refused() {
    for case in cases().iter().filter(|case| case["bash_valid"] == false) {
        assert!(read(text(case)).is_err(), "{case}");
    }
}

#[test]
fn lines_that_bash_accepts_are_read_with_the_same_commands_places_and_redirections() {
    let mut compared = 0;
    for case in cases().iter().filter(|case| case["bash_valid"] == true) {
        let refused = REFUSED.iter().any(|(id, _)| case["id"] == *id);
        let script = match read(text(case)) {
            Ok(script) => script,
            Err(error) => {
                assert!(refused, "{error}: {case}");
                continue;
            }
        };
        assert!(!refused, "no longer refused: {case}");
        let (found, expected) = (segments(&script), &case["segments"]);
        assert_eq!(
            without_backslashes_of_backquotes(&found),
            without_backslashes_of_backquotes(expected),
            "{case}"
        );
        let flat = Flat::of(&script);
        for (command, expected) in flat.commands.iter().zip(case["segment_spans"].as_array().unwrap()) {
            if let Some(expected) = expected.as_array() {
                let span = command.span.unwrap();
                assert_eq!([span.start as u64, span.end as u64].map(Value::from), **expected, "{case}");
            }
        }
        let redirects = flat.redirects.iter().map(|redirect| {
            serde_json::json!({
                "fd": redirect.descriptor,
                "op": redirect.operator.as_str(),
                "target": match &redirect.heredoc {
                    Some(_) => Value::from(static_text(&redirect.target)),
                    None => shown(&redirect.target),
                },
            })
        });
        assert_eq!(redirects.collect::<Value>(), case["redirects"], "{case}");
        compared += 1;
    }
    assert!(compared > 140, "{compared}");
}

#[test]
fn what_bash_runs_before_an_error_on_a_later_line_is_kept() {
    let case = cases().into_iter().find(|case| case["command"] == "rm x\n)").unwrap();
    let ReadError { before, .. } = read(text(&case)).unwrap_err();
    assert_eq!(segments(&before), serde_json::json!([["rm", "x"]]));
}
