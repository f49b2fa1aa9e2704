//! `dd`: operands with names.
//!
//! Promises that what it reads and writes is judged by its place, and that an operand that is not known is not assessed.

use super::super::call::Call;
use super::super::findings::Findings;
use crate::rater::knowledge::Verb;

/// Operands that change how it copies.
const HOW: &[&str] = &[
    "bs", "ibs", "obs", "cbs", "count", "skip", "seek", "iseek", "oseek", "conv", "status", "iflag", "oflag",
    "files", "speed", "fillchar", "msgfmt",
];

/// What `dd` does.
pub(super) fn apply(call: &Call<'_>, findings: &mut Findings) {
    let mut input = false;
    let mut output = false;
    for argument in call.arguments {
        let text = argument.text.as_str();
        if matches!(text, "--help" | "--version") && call.arguments.len() == 1 {
            call.does_plainly(Verb::Nothing, Some("it shows its help or version"), findings);
            return;
        }
        let (name, _) = text.split_once('=').unwrap_or(("", ""));
        let value = argument.behind(name.len() + 1);
        match name {
            "if" => {
                input = true;
                call.does_to(Verb::Reads, value, findings);
            }
            "of" => {
                output = true;
                call.does_to(Verb::Writes, value, findings);
            }
            how if HOW.contains(&how) => {}
            _ => {
                let shown = super::super::objects::shown(&text.replace(crate::shell::hardline::UNKNOWN, "…"));
                call.not_assessed(&format!("the operand {shown} is not known"), findings);
            }
        }
    }
    if !input || !output {
        call.does_plainly(Verb::Reads, None, findings);
    }
}
