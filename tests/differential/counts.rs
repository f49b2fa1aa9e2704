//! What the lines of a run were like, and why lines were unread or opaque.
//!
//! Promises counts for people. Knows nothing of how lines are made or compared.

use std::collections::BTreeMap;
use std::time::Duration;

use haltgate::shell::{Analysis, Opaque};

use crate::generate::Origin;
use crate::may_evaluate;
use crate::sandbox::Answer;

/// What the lines were like.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counts {
    pub(crate) lines: u64,
    /// Lines of which bash was asked whether they are valid; a sample.
    asked: u64,
    valid: u64,
    ran_something: u64,
    late: u64,
    valid_unread: u64,
    /// Lines that were composed to be well-formed, are valid, read, and hold nothing that takes code as an argument.
    plain: u64,
    /// Of these, opaque for another reason than a command whose name is only known when it runs.
    plain_opaque: u64,
    valid_opaque: u64,
    pub(crate) misses: u64,
    unread_reasons: Reasons,
    opaque_reasons: Reasons,
}

impl Counts {
    pub(crate) fn count(&mut self, origin: Option<Origin>, line: &str, answer: &Answer, analysis: &Analysis) {
        self.lines += 1;
        self.late += u64::from(answer.late);
        self.ran_something += u64::from(!answer.ran.plain.is_empty() || !answer.ran.evaluating.is_empty());
        let Some(valid) = answer.valid else { return };
        self.asked += 1;
        if !valid {
            return;
        }
        self.valid += 1;
        if let Some(unread) = analysis.unread() {
            self.valid_unread += 1;
            self.unread_reasons.count(unread.reason.to_string(), line);
            return;
        }
        self.valid_opaque += u64::from(analysis.is_opaque());
        if origin == Some(Origin::Grammar { evaluating: false }) && !may_evaluate(line) {
            self.plain += 1;
            let named_later =
                |reason: &&Opaque| matches!(reason, Opaque::DynamicCommand | Opaque::PatternCommand);
            if let Some(reason) = analysis.opaque_reasons().find(|reason| !named_later(reason)) {
                self.plain_opaque += 1;
                self.opaque_reasons.count(reason.to_string(), line);
            }
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.asked += other.asked;
        self.valid += other.valid;
        self.ran_something += other.ran_something;
        self.late += other.late;
        self.valid_unread += other.valid_unread;
        self.plain += other.plain;
        self.plain_opaque += other.plain_opaque;
        self.valid_opaque += other.valid_opaque;
        self.misses += other.misses;
        self.unread_reasons.add(other.unread_reasons);
        self.opaque_reasons.add(other.opaque_reasons);
    }

    pub(crate) fn report(&self, elapsed: Duration) -> String {
        #[expect(clippy::cast_precision_loss, reason = "percentages for people")]
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let rate = u128::from(self.lines) * 1000 / elapsed.as_millis().max(1);
        format!(
            "{} lines in {} s ({rate} a second), {:.1} % valid, {:.1} % ran something, {} late; of the valid ones {:.1} % read, \
             {:.2} % unread, {:.1} % opaque; of the {} plain composed ones {:.2} % opaque; {} missed",
            self.lines,
            elapsed.as_secs(),
            share(self.valid, self.asked),
            share(self.ran_something, self.lines),
            self.late,
            share(self.valid - self.valid_unread, self.valid),
            share(self.valid_unread, self.valid),
            share(self.valid_opaque, self.valid),
            self.plain,
            share(self.plain_opaque, self.plain),
            self.misses,
        )
    }

    /// The reasons of unread and of opaque lines, most frequent first, each with its shortest lines.
    pub(crate) fn reasons(&self, examples: usize) -> String {
        let mut text = String::new();
        for (what, reasons) in [("unread", &self.unread_reasons), ("opaque", &self.opaque_reasons)] {
            let mut sorted: Vec<_> = reasons.lines.iter().collect();
            sorted.sort_by_key(|(_, lines)| std::cmp::Reverse(lines.len()));
            for (reason, lines) in sorted {
                text += &format!("  {what}: {} × {reason}\n", lines.len());
                let mut shortest: Vec<_> = lines.iter().collect();
                shortest.sort_by_key(|line| line.len());
                for line in shortest.into_iter().take(examples) {
                    text += &format!("    {line:?}\n");
                }
            }
        }
        text
    }
}

/// Lines by reason.
#[derive(Debug, Clone, Default)]
struct Reasons {
    lines: BTreeMap<String, Vec<String>>,
}

impl Reasons {
    fn count(&mut self, reason: String, line: &str) {
        self.lines.entry(reason).or_default().push(line.to_owned());
    }

    fn add(&mut self, other: Self) {
        for (reason, lines) in other.lines {
            self.lines.entry(reason).or_default().extend(lines);
        }
    }
}
