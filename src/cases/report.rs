//! The report of a run: lines for people, or one JSON object.
//!
//! Promises one line per failure that says what was expected and what came, and that nothing a case quotes can act on a
//! terminal. Knows nothing of how cases are run.

use super::Summary;
use super::comparing::{Checked, Miss};
use super::file::Case;
use crate::config::Problem;
use crate::display::one_line;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Writes `{"passed":n,"failed":n,"results":[{"name","passed","expected","actual"}]}`.
pub(super) fn write_json(
    results: &[(&Case, Checked)],
    summary: Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    let result = |(case, checked): &(&Case, Checked)| {
        json!({
            "name": case.name,
            "passed": checked.passed(),
            "expected": checked.expected,
            "actual": checked.actual,
        })
    };
    let results: Vec<Value> = results.iter().map(result).collect();
    let report = json!({ "passed": summary.passed, "failed": summary.failed, "results": results });
    serde_json::to_writer_pretty(&mut *out, &report)?;
    writeln!(out)
}

/// Writes what failed and why, and the count.
pub(super) fn write_text(
    warnings: &[&Problem],
    results: &[(&Case, Checked)],
    summary: Summary,
    out: &mut dyn Write,
) -> io::Result<()> {
    for warning in warnings {
        writeln!(out, "{warning}")?;
    }
    for (case, checked) in results {
        for miss in &checked.misses {
            write_miss(case, miss, out)?;
        }
    }
    writeln!(out, "{} passed, {} failed", summary.passed, summary.failed)
}

fn write_miss(case: &Case, miss: &Miss, out: &mut dyn Write) -> io::Result<()> {
    let place = format!("{}:{}:{}", case.origin.file, case.origin.position.line, case.origin.position.column);
    let call = miss.call.map_or_else(String::new, |call| format!(" (call {call})"));
    let line = format!("FAIL {place}: {}{call}: expected {}; came {}", case.name, miss.expected, miss.came);
    writeln!(out, "{}", one_line(&line))?;
    let notes = [("call", Some(&miss.subject)), ("why", case.why.as_ref()), ("source", case.source.as_ref())];
    for (label, note) in notes {
        if let Some(note) = note {
            writeln!(out, "    {label}: {}", one_line(note))?;
        }
    }
    for step in &miss.explanation {
        writeln!(out, "    - {}", one_line(step))?;
    }
    Ok(())
}
