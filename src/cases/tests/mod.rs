//! What case files mean, told through whole files.

mod expecting;
mod reading;
mod reporting;
mod sequences;

use super::{CaseFile, CasesError, Options, Summary, Workings, run_read};
use crate::gate::{FloorKind, Floors, Hardline, Outcome, Preflight, RatingSource, Verdict};
use serde_json::Value;

/// One case with the given members, as a file.
fn file(members: &str) -> String {
    format!("{{ \"cases\": [ {{ {members} }} ] }}")
}

/// The report on a file of cases as JSON.
fn report(text: &str) -> Value {
    let (_, output) = run(text, &Options { json: true, ..Options::default() }).unwrap();
    serde_json::from_str(&output).unwrap()
}

/// The report on a file of cases for people.
fn lines(text: &str) -> String {
    run(text, &Options::default()).unwrap().1
}

fn run(text: &str, options: &Options) -> Result<(Summary, String), CasesError> {
    let file = CaseFile::parse("f.jsonc", text).unwrap_or_else(|problems| {
        panic!("{text}\n{}", problems.iter().map(|one| format!("{one}\n")).collect::<String>())
    });
    let builtin = |_: &_| {
        let reason = "built in".to_owned();
        Ok(Verdict {
            outcome: Outcome::Catastrophic,
            reason,
            suggested_tool: None,
            source: RatingSource::BuiltIn,
            cause: None,
        })
    };
    let floors = Floors {
        hardline: |call, _| {
            call.command
                .starts_with("boom")
                .then(|| Hardline { description: "go boom".to_owned(), check: "b".to_owned() })
        },
        preflight: |call, _| {
            let host = call.command.contains("://");
            host.then(|| Preflight { kind: FloorKind::NetworkHost, reason: "It names a host.".to_owned() })
        },
    };
    let workings = Workings { floors, builtin: &builtin };
    let mut output = Vec::new();
    let summary = run_read(&[file], options, &workings, &mut output)?;
    Ok((summary, String::from_utf8(output).unwrap()))
}

/// That a case with these members passes.
fn passes(members: &str) {
    let text = file(members);
    let report = report(&text);
    assert_eq!(report["failed"], 0, "{text}\n{report:#}");
}

/// That a case with these members fails.
fn fails(members: &str) {
    let text = file(members);
    assert_eq!(report(&text)["passed"], 0, "{text}");
}

/// What is wrong with a case of these members, without the file's name.
fn problems(members: &str) -> Vec<String> {
    problems_of(&file(members))
}

fn problems_of(text: &str) -> Vec<String> {
    let problems = CaseFile::parse("f.jsonc", text).err().unwrap_or_default();
    problems.iter().map(|problem| problem.to_string().trim_start_matches("f.jsonc:").to_owned()).collect()
}
