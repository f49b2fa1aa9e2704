//! GNU `parallel`: a command that gets operands from its input, from files or from its words.
//!
//! Promises that what runs on another machine, or is code of its own, is not called harmless. Knows nothing of the command
//! behind it: it is a segment of its own.

use super::super::call::Call;
use super::super::findings::Findings;
use super::options::{Row, Takes, read};
use crate::rater::knowledge::Verb;

const OPTIONS: &[Row] = &[
    ('0', "null", Takes::Nothing),
    ('a', "arg-file", Takes::Value),
    ('C', "colsep", Takes::Value),
    ('d', "delimiter", Takes::Value),
    ('I', "-I", Takes::Value),
    ('j', "jobs", Takes::Value),
    ('P', "max-procs", Takes::Value),
    ('k', "keep-order", Takes::Nothing),
    ('L', "-L", Takes::Value),
    ('n', "max-args", Takes::Value),
    ('N', "-N", Takes::Value),
    ('m', "-m", Takes::Nothing),
    ('X', "-X", Takes::Nothing),
    ('q', "quote", Takes::Nothing),
    ('r', "no-run-if-empty", Takes::Nothing),
    ('S', "sshlogin", Takes::Value),
    ('t', "verbose", Takes::Nothing),
    ('u', "ungroup", Takes::Nothing),
    ('v', "-v", Takes::Nothing),
    (' ', "sshloginfile", Takes::Value),
    (' ', "bar", Takes::Nothing),
    (' ', "eta", Takes::Nothing),
    (' ', "progress", Takes::Nothing),
    (' ', "tag", Takes::Nothing),
    (' ', "line-buffer", Takes::Nothing),
    (' ', "group", Takes::Nothing),
    (' ', "halt", Takes::Value),
    (' ', "halt-on-error", Takes::Value),
    (' ', "delay", Takes::Value),
    (' ', "timeout", Takes::Value),
    (' ', "retries", Takes::Value),
    (' ', "load", Takes::Value),
    (' ', "memfree", Takes::Value),
    (' ', "nice", Takes::Value),
    (' ', "header", Takes::Value),
    (' ', "trim", Takes::Value),
    (' ', "pipe", Takes::Nothing),
    (' ', "block", Takes::Value),
    (' ', "shuf", Takes::Nothing),
    (' ', "link", Takes::Nothing),
    (' ', "plus", Takes::Nothing),
    (' ', "dry-run", Takes::Nothing),
    (' ', "will-cite", Takes::Nothing),
    (' ', "no-notice", Takes::Nothing),
    (' ', "joblog", Takes::Value),
    (' ', "results", Takes::Value),
    (' ', "tmpdir", Takes::Value),
];

/// What `parallel` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let given = read(call.arguments, 0, OPTIONS, true);
    if given.asks_for_help {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    for option in given.options() {
        match (option.name, option.value) {
            ("arg-file", Some(file)) => call.does_to(Verb::Reads, file, findings),
            ("joblog" | "results" | "tmpdir", Some(file)) => call.does_to(Verb::Writes, file, findings),
            ("sshlogin" | "sshloginfile", Some(_)) => {
                call.does_plainly(Verb::Sends, Some("it runs its command on other machines"), findings);
            }
            _ => {}
        }
    }
    if call.arguments.iter().any(|argument| argument.text.contains("{=")) {
        call.does_plainly(Verb::Runs, Some("Perl code in its braces"), findings);
    }
    if call.segment.carries_code {
        call.does_plainly(Verb::Wraps, None, findings);
    } else {
        call.not_assessed("which commands it runs is not known", findings);
    }
}
