//! `fd`: a pattern, folders, and a command for what is found.
//!
//! Promises that an option that is not known is not assessed. Knows nothing of the command behind `-x`: it is a segment of its
//! own.

use super::super::call::Call;
use super::super::findings::Findings;
use super::options::{Row, Takes, read};
use super::text;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::Argument;

const OPTIONS: &[Row] = &[
    ('H', "hidden", Takes::Nothing),
    (' ', "no-hidden", Takes::Nothing),
    ('I', "no-ignore", Takes::Nothing),
    (' ', "no-ignore-vcs", Takes::Nothing),
    (' ', "no-ignore-parent", Takes::Nothing),
    (' ', "no-global-ignore-file", Takes::Nothing),
    (' ', "ignore-vcs", Takes::Nothing),
    (' ', "no-require-git", Takes::Nothing),
    ('u', "unrestricted", Takes::Nothing),
    ('s', "case-sensitive", Takes::Nothing),
    ('i', "ignore-case", Takes::Nothing),
    ('g', "glob", Takes::Nothing),
    (' ', "regex", Takes::Nothing),
    ('F', "fixed-strings", Takes::Nothing),
    (' ', "and", Takes::Value),
    ('a', "absolute-path", Takes::Nothing),
    ('l', "list-details", Takes::Nothing),
    ('L', "follow", Takes::Nothing),
    ('p', "full-path", Takes::Nothing),
    ('0', "print0", Takes::Nothing),
    ('d', "max-depth", Takes::Value),
    (' ', "min-depth", Takes::Value),
    (' ', "exact-depth", Takes::Value),
    ('E', "exclude", Takes::Value),
    (' ', "prune", Takes::Nothing),
    ('t', "type", Takes::Value),
    ('e', "extension", Takes::Value),
    ('S', "size", Takes::Value),
    (' ', "changed-within", Takes::Value),
    (' ', "changed-before", Takes::Value),
    ('o', "owner", Takes::Value),
    (' ', "format", Takes::Value),
    (' ', "batch-size", Takes::Value),
    (' ', "ignore-file", Takes::Value),
    ('c', "color", Takes::Value),
    (' ', "hyperlink", Takes::Glued),
    ('j', "threads", Takes::Value),
    (' ', "max-results", Takes::Value),
    ('1', "-1", Takes::Nothing),
    ('q', "quiet", Takes::Nothing),
    (' ', "show-errors", Takes::Nothing),
    ('C', "base-directory", Takes::Value),
    (' ', "path-separator", Takes::Value),
    (' ', "search-path", Takes::Value),
    (' ', "strip-cwd-prefix", Takes::Glued),
    (' ', "one-file-system", Takes::Nothing),
    ('h', "-h", Takes::Nothing),
    ('V', "-V", Takes::Nothing),
];

/// What `fd` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    if !text::is_plain(call) {
        call.not_assessed("its words have characters that can be taken for others", findings);
    }
    let runs =
        |argument: &Argument| matches!(argument.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch");
    let mut own: Vec<Argument> = Vec::with_capacity(call.arguments.len());
    let mut arguments = call.arguments.iter();
    let mut runs_some = false;
    while let Some(argument) = arguments.next() {
        if runs(argument) {
            runs_some = true;
            // To its end: a semicolon, or the last word.
            arguments.by_ref().any(|next| next.text == ";");
        } else {
            own.push(argument.clone());
        }
    }
    if runs_some && call.segment.carries_code {
        call.does_plainly(Verb::Wraps, None, findings);
    } else if runs_some {
        call.not_assessed("where the command that it runs starts is not known", findings);
    }
    let given = read(&own, 0, OPTIONS, false);
    if given.asks_for_help || given.has("-h") || given.has("-V") {
        call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
        return;
    }
    if let Some(gap) = &given.gap {
        call.not_assessed(gap, findings);
    }
    // What it looks for is what the other command gets.
    if runs_some && let Some(pattern) = given.operands().next().and_then(|at| own.get(at)) {
        call.does_to(Verb::Reads, &pattern.units, findings);
    }
    let folders = given.options().filter(|option| matches!(option.name, "base-directory" | "search-path"));
    let folders: Vec<_> = folders.filter_map(|option| option.value).collect();
    let operands =
        given.operands().skip(1).filter_map(|at| own.get(at)).map(|operand| operand.units.as_slice());
    let mut looked_into = folders.into_iter().chain(operands).peekable();
    if looked_into.peek().is_none() {
        call.does(Verb::Lists, &call.here(), None, findings);
    }
    for folder in looked_into {
        call.does_to(Verb::Lists, folder, findings);
    }
}
