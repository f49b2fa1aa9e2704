//! The two case files of the shell: what bash would run, and the bypasses that other gates fell for.

use serde_json::Value;

use super::{Analysis, Dialect, Opaque, Reach, Resolution, Segment, analyze};
use crate::shell::tree::Word;
use crate::shell::word::is_constant;

const SEGMENTS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/segments.json"));
const BYPASS: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpora/bypass.json"));

/// Lines that the reader refuses although some bash runs them, on purpose: what they mean depends on version or mode.
fn is_refused(analysis: &Analysis) -> bool {
    analysis.unread().is_some()
}

fn is_walked_through(segment: &Segment) -> bool {
    segment.reached.iter().all(Reach::is_syntax)
}

/// A word as the case file writes it: its value, or its source where bash changes it when it runs.
fn shown(word: &Word) -> Value {
    if is_constant(word) {
        Value::String(crate::shell::word::best_text(word).0)
    } else {
        serde_json::json!({ "raw": word.raw })
    }
}

fn same_word(expected: &Value, word: &Word) -> bool {
    let found = shown(word);
    // Patterns, braces and tildes are constants here, and dynamic in the case file.
    let raw = expected.get("raw").and_then(Value::as_str);
    // Inside backquotes the source is what is left once the backquotes are unescaped.
    expected == &found || raw.is_some_and(|raw| raw == word.raw || raw.replace("\\`", "`") == word.raw)
}

fn same_segments(expected: &[Value], found: &[&Segment]) -> bool {
    // What a here-document holds is walked with its command, and stands later in the case file: order is not compared.
    let mut left: Vec<&Segment> = found.to_vec();
    for expected in expected {
        let expected = expected.as_array().unwrap();
        let same = |segment: &&Segment| {
            expected.len() == segment.words.len()
                && expected.iter().zip(&segment.words).all(|(expected, word)| same_word(expected, word))
        };
        let Some(at) = left.iter().position(same) else { return false };
        left.remove(at);
    }
    left.is_empty()
}

/// The two points in which the design is wider than the case file: patterns, braces and tildes, and constant assignments.
fn is_documented_point(case: &Value) -> bool {
    let patterns =
        case["segments"].as_array().unwrap().iter().flat_map(|segment| segment.as_array().unwrap());
    let raw_pattern = patterns.clone().any(|word| {
        word.get("raw").and_then(Value::as_str).is_some_and(|raw| !raw.contains(['$', '`', '<', '>', '(']))
    });
    let assigned =
        case["assignments"].as_array().unwrap().iter().any(|list| !list.as_array().unwrap().is_empty());
    raw_pattern || assigned
}

#[test]
fn every_case_has_the_segments_that_bash_would_run() {
    let cases: Vec<Value> = serde_json::from_str(SEGMENTS).unwrap();
    let mut wrong = Vec::new();
    let mut refused = 0;
    for case in &cases {
        let command = case["command"].as_str().unwrap();
        let analysis = analyze(command, Dialect::Bash);
        let id = &case["id"];
        if !case["bash_valid"].as_bool().unwrap() {
            if analysis.unread().is_none() {
                wrong.push(format!("{id} is no bash and was read: {command:?}"));
            }
            continue;
        }
        if is_refused(&analysis) {
            refused += 1;
            continue;
        }
        let direct: Vec<&Segment> = analysis.segments().iter().filter(|s| is_walked_through(s)).collect();
        if !same_segments(case["segments"].as_array().unwrap(), &direct) {
            wrong.push(format!("{id} {command:?}: segments {:?}", spelled(&direct)));
        }
        let unwrapped: Vec<&Segment> = analysis
            .segments()
            .iter()
            .filter(|s| !is_walked_through(s) && s.reached.last() != Some(&Reach::Expanded))
            .collect();
        let expected = case["unwrapped"].as_array().unwrap();
        let reads_git_alias = command.starts_with("git -c alias.");
        if !reads_git_alias && !same_segments(expected, &unwrapped) {
            wrong.push(format!("{id} {command:?}: unwrapped {:?}", spelled(&unwrapped)));
        }
        // The case file marks lines whose words carry code; a command name that is not known is another matter.
        let names = [Opaque::DynamicCommand, Opaque::PatternCommand];
        let opaque =
            analysis.carries_code() || analysis.opaque_reasons().any(|reason| !names.contains(reason));
        if opaque != case["opaque"].as_bool().unwrap() {
            wrong.push(format!("{id} {command:?}: opaque {opaque} {:?}", analysis.opaque_reasons().next()));
        }
        let single = matches!(analysis.resolution(), Resolution::Single { .. });
        let expected = case["resolves_single"].as_bool().unwrap();
        if single != expected && !(single && is_documented_point(case)) {
            wrong.push(format!("{id} {command:?}: single {single}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused <= 6, "{refused} valid lines are refused");
}

fn spelled(segments: &[&Segment]) -> Vec<String> {
    segments.iter().map(|segment| segment.spelling.clone()).collect()
}

/// `*` stands for any run of characters; the whole text, case folded.
fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.to_lowercase(), text.to_lowercase());
    let parts: Vec<&str> = pattern.split('*').collect();
    let Some((first, rest)) = parts.split_first() else { return false };
    let Some(mut remaining) = text.strip_prefix(first) else { return false };
    let Some((last, middle)) = rest.split_last() else { return remaining.is_empty() };
    for part in middle {
        match remaining.split_once(part) {
            Some((_, after)) => remaining = after,
            None => return false,
        }
    }
    remaining.ends_with(last)
}

fn matches(entry: &Value, text: &str) -> Option<bool> {
    let pattern = entry["pattern"].as_str()?;
    match entry["matcher"].as_str()? {
        "glob" => Some(glob(pattern, text)),
        "exact" => Some(pattern.eq_ignore_ascii_case(text)),
        _ => None,
    }
}

fn shell_cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(BYPASS).unwrap();
    file["cases"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|case| case["call"]["shell"].is_object())
        .cloned()
        .collect()
}

fn analysed(case: &Value) -> Analysis {
    let dialect = match case["call"]["shell"]["dialect"].as_str() {
        Some("cmd") => Dialect::Cmd,
        Some("powershell") => Dialect::PowerShell,
        Some(_) | None => Dialect::Bash,
    };
    analyze(case["call"]["shell"]["command"].as_str().unwrap(), dialect)
}

fn entries<'c>(case: &'c Value, list: &str) -> &'c [Value] {
    case["approvals"][list].as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn every_denied_bypass_has_a_spelling_that_the_entry_matches() {
    let mut missed = Vec::new();
    let mut checked = 0;
    for case in shell_cases() {
        let name = case["name"].as_str().unwrap();
        let analysis = analysed(&case);
        let expected = case["expect"].as_array().map_or(&case["expect"], |either| &either[0]);
        let list = match expected["stage"].as_str() {
            Some("DENY_LIST") => "deny",
            Some(_) => continue,
            None => "escalate",
        };
        let globs: Vec<&Value> =
            entries(&case, list).iter().filter(|entry| entry["matcher"] != "regexp").collect();
        if globs.is_empty() {
            continue;
        }
        checked += 1;
        let texts = analysis.restrictive_spellings();
        if !globs.iter().any(|entry| texts.iter().any(|text| matches(entry, text) == Some(true))) {
            missed.push(format!("{name}\n    {:?}\n    {texts:?}", analysis.text()));
        }
    }
    assert!(missed.is_empty(), "{} of {checked} missed:\n{}", missed.len(), missed.join("\n"));
    assert!(checked > 60, "only {checked} cases were checked");
}

#[test]
fn no_entry_denies_a_command_that_only_mentions_what_it_names() {
    for case in shell_cases() {
        let forms: Vec<&Value> =
            case["expect"].as_array().map_or_else(|| vec![&case["expect"]], |either| either.iter().collect());
        if forms.iter().any(|form| form["action"] == "REJECT") {
            continue;
        }
        let analysis = analysed(&case);
        for entry in entries(&case, "deny") {
            for text in analysis.restrictive_spellings() {
                assert_ne!(matches(entry, text), Some(true), "{}: {text:?}", case["name"]);
            }
        }
        assert!(!analysis.spellings_truncated(), "{}", case["name"]);
    }
}

#[test]
fn no_allow_entry_covers_a_command_that_a_human_must_see() {
    for case in shell_cases() {
        let expected = &case["expect"];
        let human =
            expected["action"].as_array().is_some_and(|actions| actions.contains(&Value::from("ESCALATE")));
        if !human || !entries(&case, "escalate").is_empty() || case["approvals"]["mode"] != "manual" {
            continue;
        }
        let analysis = analysed(&case);
        let Some(canonical) = analysis.canonical() else { continue };
        for entry in entries(&case, "allow") {
            let pattern = entry["pattern"].as_str().unwrap();
            let allowed = match entry["matcher"].as_str() {
                Some("exact") => canonical == pattern || analysis.text().trim() == pattern,
                Some("glob") => glob(pattern, canonical) || glob(pattern, analysis.text().trim()),
                _ => false,
            };
            assert!(!allowed, "{}: {canonical:?} by {pattern:?}", case["name"]);
        }
    }
}
