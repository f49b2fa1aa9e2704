//! `xargs`: a command that gets operands from its input.
//!
//! Promises to judge what it reads by itself. Knows nothing of the command behind it: it is a segment of its own, and the words
//! that it gets are put in there.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::variables;
use super::options::{Row, Takes, read};
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{Argument, Unit, text_of};

const OPTIONS: &[Row] = &[
    ('0', "null", Takes::Nothing),
    ('a', "arg-file", Takes::Value),
    ('d', "delimiter", Takes::Value),
    ('E', "-E", Takes::Value),
    ('e', "eof", Takes::Glued),
    ('I', "-I", Takes::Value),
    ('i', "replace", Takes::Glued),
    ('J', "-J", Takes::Value),
    ('L', "-L", Takes::Value),
    ('l', "max-lines", Takes::Glued),
    ('n', "max-args", Takes::Value),
    ('o', "open-tty", Takes::Nothing),
    ('P', "max-procs", Takes::Value),
    ('p', "interactive", Takes::Nothing),
    (' ', "process-slot-var", Takes::Value),
    ('r', "no-run-if-empty", Takes::Nothing),
    ('R', "-R", Takes::Value),
    ('S', "-S", Takes::Value),
    ('s', "max-chars", Takes::Value),
    (' ', "show-limits", Takes::Nothing),
    ('t', "verbose", Takes::Nothing),
    ('x', "exit", Takes::Nothing),
];

/// How `xargs` hands on what it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::rater::builtin) struct Handing {
    /// The text in whose place the words go; `None` where they go behind the others.
    pub(in crate::rater::builtin) place: Option<String>,
    /// It reads its input, and takes it apart as it was put together: by lines, blanks or zero bytes.
    pub(in crate::rater::builtin) as_lines: bool,
}

/// How an `xargs` with these arguments hands on what it reads.
pub(in crate::rater::builtin) fn handing(arguments: &[Argument]) -> Handing {
    let given = read(arguments, 0, OPTIONS, true);
    let mut handing = Handing { place: None, as_lines: given.gap.is_none() };
    for option in given.options() {
        let value = option.value.map(text_of).filter(|text| !text.is_empty());
        match option.name {
            "-I" | "-J" | "replace" => handing.place = Some(value.unwrap_or_else(|| "{}".to_owned())),
            "arg-file" => handing.as_lines = false,
            "delimiter" => {
                handing.as_lines &= value.is_some_and(|value| matches!(value.as_str(), "\n" | "\\n" | "\\0"));
            }
            _ => {}
        }
    }
    handing
}

/// What `xargs` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let given = read(call.arguments, 0, OPTIONS, true);
    let command = given.operands().next();
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
            ("process-slot-var", Some(name)) => variables::set(&text_of(name), None, true, findings),
            ("-I" | "-J" | "replace", Some(value)) if value.contains(&Unit::Unknown) => {
                call.not_assessed("in the place of which text its words go is not known", findings);
            }
            _ => {}
        }
    }
    match command {
        // Alone it shows what it reads.
        None => call.does_plainly(Verb::Reads, None, findings),
        Some(_) if call.segment.carries_code => call.does_plainly(Verb::Wraps, None, findings),
        Some(_) => call.not_assessed("where the command that it runs starts is not known", findings),
    }
}
