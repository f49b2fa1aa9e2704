//! What an evaluation found: the confusion matrix, what was wrongly called safe, and the questions that safe work costs.
//!
//! Promises that every figure can be counted again from the results. Knows nothing of how they came about.

use super::corpus::Labelled;
use crate::cli::style::{self, painted};
use crate::cli::table::{Cell, table};
use crate::cli::{show, words};
use crate::display::neutralise;
use crate::gate::Outcome;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Commands that a list shows; the rest is counted.
const LISTED: usize = 50;

/// One command, its label and its rating.
#[derive(Debug)]
pub(super) struct Rated {
    /// The command with its label.
    pub(super) labelled: Labelled,
    /// What it was rated, after the floors.
    pub(super) outcome: Outcome,
    /// Why.
    pub(super) reason: String,
    /// Why it could not be assessed, in the contract's word.
    pub(super) cause: Option<&'static str>,
    /// How long analysis and rating took, in microseconds.
    pub(super) micros: f64,
}

/// The results of an evaluation.
#[derive(Debug)]
pub(super) struct Report {
    results: Vec<Rated>,
}

impl Report {
    pub(super) fn new(results: Vec<Rated>) -> Self {
        Self { results }
    }

    /// Whether a command that is labelled `attack` or `catastrophic` was called safe.
    pub(super) fn missed_grave(&self) -> bool {
        self.unsafe_as_safe().any(|rated| rated.labelled.is_grave())
    }

    /// Commands that were called safe and are not.
    fn unsafe_as_safe(&self) -> impl Iterator<Item = &Rated> {
        self.results
            .iter()
            .filter(|rated| rated.outcome == Outcome::Safe && !rated.labelled.accepts(Outcome::Safe))
    }

    /// Commands that can only be safe and were called something else.
    fn safe_that_would_ask(&self) -> impl Iterator<Item = &Rated> {
        self.only_safe().filter(|rated| rated.outcome != Outcome::Safe)
    }

    fn only_safe(&self) -> impl Iterator<Item = &Rated> {
        self.results.iter().filter(|rated| rated.labelled.label() == Outcome::Safe.as_str())
    }

    /// How often each label got each outcome.
    fn matrix(&self) -> BTreeMap<String, BTreeMap<Outcome, usize>> {
        let mut matrix: BTreeMap<String, BTreeMap<Outcome, usize>> = BTreeMap::new();
        for rated in &self.results {
            let row = matrix.entry(rated.labelled.label()).or_default();
            *row.entry(rated.outcome).or_default() += 1;
        }
        matrix
    }

    /// Median, 99th percentile and longest time of a rating, in microseconds.
    fn times(&self) -> (f64, f64, f64) {
        let mut times: Vec<f64> = self.results.iter().map(|rated| rated.micros).collect();
        times.sort_by(f64::total_cmp);
        let at = |hundredths: usize| {
            let index = (times.len() * hundredths / 100).min(times.len().saturating_sub(1));
            times.get(index).copied().unwrap_or_default()
        };
        (at(50), at(99), at(100))
    }

    /// The report as JSON.
    pub(super) fn to_json(&self) -> Value {
        let matrix: Map<String, Value> = self
            .matrix()
            .into_iter()
            .map(|(label, row)| {
                let row: Map<String, Value> =
                    row.into_iter().map(|(outcome, count)| (outcome.to_string(), json!(count))).collect();
                (label, Value::Object(row))
            })
            .collect();
        let commands = |rated: &Rated| Value::String(rated.labelled.command.clone());
        let (median, ninety_ninth, longest) = self.times();
        json!({
            "cases": self.results.len(),
            "matrix": matrix,
            "unsafe_as_safe": self.unsafe_as_safe().map(commands).collect::<Vec<_>>(),
            "safe": self.only_safe().count(),
            "safe_that_would_ask": self.safe_that_would_ask().count(),
            "micros": { "median": median, "p99": ninety_ninth, "longest": longest },
            "results": self.results.iter().map(result).collect::<Vec<_>>(),
        })
    }

    /// The report as a person reads it.
    pub(super) fn render(&self, list_questions: bool) -> String {
        let mut text = self.render_matrix();
        text.push('\n');
        let wrong: Vec<&Rated> = self.unsafe_as_safe().collect();
        if wrong.is_empty() {
            text.push_str(&format!("{}\n", painted(style::GOOD, "No unsafe command was called safe.")));
        } else {
            let counted = words::counted(wrong.len() as u64, "unsafe command");
            text.push_str(&painted(style::ERROR, &format!("{counted} called safe:")));
            text.push('\n');
            text.push_str(&listing(&wrong));
        }
        let safe = self.only_safe().count();
        let asking: Vec<&Rated> = self.safe_that_would_ask().collect();
        if safe > 0 {
            text.push_str(&format!(
                "{} of {} would ask a human ({}).\n",
                asking.len(),
                words::counted(safe as u64, "safe command"),
                percent(asking.len(), safe)
            ));
        }
        if list_questions {
            text.push_str(&listing(&asking));
        }
        let (median, ninety_ninth, longest) = self.times();
        text.push_str(&format!(
            "One rating took {median:.1} µs in the median, {ninety_ninth:.1} µs at the 99th percentile, \
             {longest:.1} µs at most.\n"
        ));
        text
    }

    fn render_matrix(&self) -> String {
        let rows = self.matrix().into_iter().map(|(label, row)| {
            let total: usize = row.values().sum();
            let count = |outcome| row.get(&outcome).copied().unwrap_or_default();
            let cell = |outcome| match count(outcome) {
                0 => Cell::styled("·", style::FAINT),
                count => Cell::from(count.to_string()),
            };
            let [safe, destructive, catastrophic, attack] = Outcome::ALL.map(cell);
            [Cell::from(label), safe, destructive, catastrophic, attack, Cell::from(total.to_string())]
        });
        let rows = rows.collect();
        table(["label", "safe", "destructive", "catastrophic", "attack", "all"], rows)
    }
}

fn result(rated: &Rated) -> Value {
    let mut result = json!({
        "command": rated.labelled.command,
        "label": rated.labelled.label(),
        "outcome": rated.outcome,
        "reason": rated.reason,
        "micros": rated.micros,
    });
    if let (Some(cause), Some(fields)) = (rated.cause, result.as_object_mut()) {
        fields.insert("cause".to_owned(), Value::String(cause.to_owned()));
    }
    result
}

/// Commands one below the other, with what was made of each.
fn listing(rated: &[&Rated]) -> String {
    let mut text = String::new();
    for rated in rated.iter().take(LISTED) {
        text.push_str(&format!("  {}\n", show::fitted(&neutralise(&rated.labelled.command), 2)));
        let verdict = format!("{} is {}: {}", rated.labelled.label(), rated.outcome, rated.reason);
        let verdict = show::fitted(&neutralise(&verdict), 6);
        text.push_str(&format!("      {}\n", painted(style::FAINT, &verdict)));
    }
    let hidden = rated.len().saturating_sub(LISTED);
    if hidden > 0 {
        text.push_str(&format!(
            "  and {} (--json lists all)\n",
            words::counted(hidden as u64, "further command")
        ));
    }
    text
}

fn percent(part: usize, whole: usize) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}
