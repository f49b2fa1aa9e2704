//! A file of cases as it is written.
//!
//! Promises every problem of a file at once, each with its line and column, and that what was read can be run. Knows
//! nothing of what the gate decides.

use super::Options;
use super::answers::Answer;
use super::expect::Expectation;
use super::rating::Stubs;
use super::session::{Session, Setup};
use super::steps::{self, Step};
use crate::config::{
    Document, Origin, Problem, Report, Section, item_path, kind, read_block, read_mcp_server_keys,
};
use crate::gate::Policy;
use serde_json::Value;
use std::path::Path;

/// A file of cases.
#[derive(Debug)]
pub struct CaseFile {
    /// The cases, in the order of writing.
    pub cases: Vec<Case>,
    /// What works but can hardly be meant.
    pub warnings: Vec<Problem>,
}

/// One case, ready to be run.
#[derive(Debug)]
pub struct Case {
    /// Its name, or its place where it has none.
    pub name: String,
    /// Where it was written.
    pub origin: Origin,
    /// Why it matters.
    pub why: Option<String>,
    /// Where it comes from.
    pub source: Option<String>,
    /// How much it matters, such as `must` or `should`.
    pub strength: Option<String>,
    pub(super) policy: Policy,
    pub(super) setup: Setup,
    pub(super) steps: Vec<Step>,
    /// How many of the steps are calls.
    pub(super) calls: usize,
    pub(super) ratings: Stubs,
    pub(super) answers: Vec<Option<Answer>>,
    pub(super) expectations: Expectations,
}

/// What must come of the calls, beside what calls expect themselves.
#[derive(Debug)]
pub(super) enum Expectations {
    /// Only what calls expect themselves.
    OfCallsAlone,
    /// Of the last call.
    Last(Box<Expectation>),
    /// One for each call.
    PerCall(Vec<Option<Expectation>>),
    /// One for each call and each answer, as they happen.
    PerDecision(Vec<Option<Expectation>>),
}

const FILE_KEYS: [&str; 5] = ["cases", "$schema", "name", "why", "source"];
const CASE_KEYS: [&str; 17] = [
    "name",
    "why",
    "source",
    "strength",
    "approvals",
    "commands",
    "mcpServers",
    "mcp_servers",
    "session",
    "call",
    "calls",
    "rating",
    "ratings",
    "answer",
    "answers",
    "expect",
    "expects",
];

impl CaseFile {
    /// Reads a file.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(path: &Path) -> Result<Self, Vec<Problem>> {
        Self::of(&Document::read(path)?)
    }

    /// Reads a text; `name` is what reports call it.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        Self::of(&Document::parse(name, text)?)
    }

    fn of(document: &Document) -> Result<Self, Vec<Problem>> {
        let mut reading = Reading { document, report: Report::default(), problems: Vec::new() };
        let cases = reading.file();
        let mut problems = reading.problems;
        problems.extend(reading.report.problems.into_iter().map(|problem| document.locate(problem)));
        if problems.iter().any(Problem::is_error) {
            return Err(problems);
        }
        Ok(Self { cases, warnings: problems })
    }
}

impl Case {
    pub(super) fn is_selected(&self, options: &Options) -> bool {
        let named = |filter: &String| self.name.to_lowercase().contains(&filter.to_lowercase());
        options.filter.as_ref().is_none_or(named)
            && options.strength.as_ref().is_none_or(|strength| self.strength.as_ref() == Some(strength))
    }

    pub(super) fn open(&self) -> Session {
        self.setup.open(&self.policy)
    }

    /// The item of a list that belongs to a call, or to the next who asks: one to one where there are as many as calls.
    pub(super) fn share<'i, T>(&self, items: &'i [T], call: usize, asked: usize) -> Option<&'i T> {
        items.get(if items.len() == self.calls { call } else { asked })
    }
}

struct Reading<'d> {
    document: &'d Document,
    report: Report,
    problems: Vec<Problem>,
}

impl Reading<'_> {
    fn file(&mut self) -> Vec<Case> {
        let Some(file) = Section::open(self.document.value(), "", &mut self.report) else {
            return Vec::new();
        };
        file.refuse_unknown(&FILE_KEYS, &mut self.report);
        let Some(items) = file.get("cases").and_then(Value::as_array).filter(|items| !items.is_empty())
        else {
            self.report.error("cases", "must be a list of cases that is not empty");
            return Vec::new();
        };
        let cases = items.iter().enumerate();
        cases.filter_map(|(index, item)| self.case(item, &item_path("cases", index))).collect()
    }

    fn case(&mut self, value: &Value, path: &str) -> Option<Case> {
        let case = Section::open(value, path, &mut self.report)?;
        case.refuse_unknown(&CASE_KEYS, &mut self.report);
        let origin = self.document.origin(path);
        let setup = case
            .get("session")
            .map(|session| Setup::read(session, &case.path_of("session"), &mut self.report))
            .unwrap_or_default();
        let steps = steps::read(&case, &mut self.report);
        let answers = self.answers(&case);
        let rating = self.one_of_two(&case, "rating", "ratings");
        let ratings = Stubs::read(rating, &case.path_of("rating"), &mut self.report);
        let expectations = self.expectations(&case, &steps, &answers);
        let policy = self.policy(&case, setup.command.as_deref())?;
        Some(Case {
            name: case.filled_text("name", &mut self.report).map_or_else(|| unnamed(&origin), str::to_owned),
            why: note(&case, "why"),
            source: note(&case, "source"),
            strength: note(&case, "strength"),
            origin,
            policy,
            setup,
            calls: steps.iter().filter(|step| step.as_call().is_some()).count(),
            steps,
            ratings,
            answers,
            expectations: expectations?,
        })
    }

    /// The policy that the case's own blocks make.
    fn policy(&mut self, case: &Section<'_>, command: Option<&str>) -> Option<Policy> {
        let root = case.get("approvals").map(|block| self.block(block, &case.path_of("approvals")));
        let mut approvals = root.unwrap_or_default();
        let path = case.path_of("commands");
        let commands = case.get("commands").and_then(|value| Section::open(value, &path, &mut self.report));
        for (name, value) in commands.iter().flat_map(Section::entries) {
            let path = crate::config::key_path(&path, name);
            let Some(block) = Section::open(value, &path, &mut self.report) else { continue };
            block.refuse_unknown(&["approvals"], &mut self.report);
            let Some(stated) = block.get("approvals") else { continue };
            let stated = self.block(stated, &block.path_of("approvals"));
            if command == Some(name.as_str()) {
                approvals = approvals.for_command(stated);
            }
        }
        let mcp_servers = self.mcp_servers(case);
        match approvals.posture().compile("case".to_owned(), mcp_servers) {
            Ok(policy) => Some(policy),
            Err(problems) => {
                self.problems.extend(problems.list().iter().cloned());
                None
            }
        }
    }

    fn block(&mut self, value: &Value, path: &str) -> crate::config::Approvals {
        let (approvals, problems) = read_block(value, path, self.document);
        self.problems.extend(problems);
        approvals
    }

    fn mcp_servers(&mut self, case: &Section<'_>) -> Vec<String> {
        let Some(value) = self.one_of_two(case, "mcpServers", "mcp_servers") else { return Vec::new() };
        let path = case.path_of(if case.get("mcpServers").is_some() { "mcpServers" } else { "mcp_servers" });
        match value {
            Value::Array(_) => super::session::read_texts(value, &path, &mut self.report),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                read_mcp_server_keys(value, &path, &mut self.report).into_iter().collect()
            }
        }
    }

    fn one_of_two<'v>(&mut self, case: &Section<'v>, first: &str, second: &str) -> Option<&'v Value> {
        if case.get(first).is_some() && case.get(second).is_some() {
            self.report.error(&case.path_of(second), format!("stands beside `{first}`; keep one of the two"));
        }
        case.get(first).or_else(|| case.get(second))
    }

    fn answers(&mut self, case: &Section<'_>) -> Vec<Option<Answer>> {
        let path = case.path_of("answers");
        match self.one_of_two(case, "answers", "answer") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => {
                let mut read = |(index, item): (usize, &Value)| {
                    (!item.is_null())
                        .then(|| Answer::read(item, &item_path(&path, index), &mut self.report))
                        .flatten()
                };
                items.iter().enumerate().map(&mut read).collect()
            }
            Some(answer) => vec![Answer::read(answer, &path, &mut self.report)],
        }
    }

    fn expectations(
        &mut self,
        case: &Section<'_>,
        steps: &[Step],
        answers: &[Option<Answer>],
    ) -> Option<Expectations> {
        let report = &mut self.report;
        let of_calls = steps.iter().filter_map(Step::as_call).any(|call| call.expectation.is_some());
        match (case.get("expect"), case.get("expects")) {
            (None, None) if of_calls => Some(Expectations::OfCallsAlone),
            (None, None) => {
                report.error(&case.path_of("expect"), "is missing; write `\"expect\": { \"action\": … }`");
                None
            }
            (Some(_), Some(_)) => {
                report.error(&case.path_of("expects"), "stands beside `expect`; keep one of the two");
                None
            }
            (Some(value), None) => {
                let path = case.path_of("expect");
                let expectation = Expectation::read(value, &path, report);
                if value.is_null() {
                    report.error(&path, "is null, so that nothing is checked");
                }
                expectation.map(Box::new).map(Expectations::Last)
            }
            (None, Some(value)) => {
                let path = case.path_of("expects");
                let Some(items) = value.as_array() else {
                    report
                        .error(&path, format!("must be a list with one item per call, not {}", kind(value)));
                    return None;
                };
                let read = |(index, item): (usize, &Value)| {
                    Expectation::read(item, &item_path(&path, index), report)
                };
                let expected: Vec<Option<Expectation>> = items.iter().enumerate().map(read).collect();
                aligned(expected, steps, answers).map_err(|message| report.error(&path, message)).ok()
            }
        }
    }
}

fn aligned(
    expected: Vec<Option<Expectation>>,
    steps: &[Step],
    answers: &[Option<Answer>],
) -> Result<Expectations, String> {
    let (mut calls, mut answered) = (0_usize, answers.iter().flatten().count());
    for step in steps {
        match step {
            Step::Call(call) => {
                calls = calls.saturating_add(1);
                answered = answered.saturating_add(usize::from(call.answer.is_some()));
            }
            Step::Answer(_) => answered = answered.saturating_add(1),
            Step::Change(_) | Step::Open(_) => {}
        }
    }
    if expected.iter().all(Option::is_none) {
        return Err("checks nothing; write what must come of at least one call".to_owned());
    }
    if expected.len() == calls {
        return Ok(Expectations::PerCall(expected));
    }
    if expected.len() == calls.saturating_add(answered) {
        return Ok(Expectations::PerDecision(expected));
    }
    Err(format!(
        "has {} items; write one per call ({calls}), or one per call and answer in order ({}), with `null` where nothing \
         is checked",
        expected.len(),
        calls.saturating_add(answered)
    ))
}

/// A note as text; whatever else it is, it is only shown.
fn note(case: &Section<'_>, key: &str) -> Option<String> {
    case.get(key).map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn unnamed(origin: &Origin) -> String {
    format!("{}:{}:{}", origin.file, origin.position.line, origin.position.column)
}
