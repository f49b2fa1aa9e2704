//! What redirections read, write and connect to.
//!
//! Promises to look at every redirection of a command or a group. Knows nothing of programs.

use super::effects;
use super::findings::Findings;
use super::objects::{Object, shown};
use super::place::{Grounds, Place};
use super::values::Values;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::Segment;
use crate::shell::hardline::Origin;
use crate::shell::tree::{ExpansionKind, Part, Redirect, RedirectOperator, Word};

/// Adds what redirections do. The surroundings are the folders that paths start from and whether it runs elsewhere; a program
/// that does not show its input is only handed a credential.
pub(super) fn add(
    redirects: &[Redirect],
    values: &Values,
    (origin, grounds, elsewhere): (&Origin, &Grounds, bool),
    shows_input: bool,
    findings: &mut Findings,
) {
    for redirect in redirects {
        let verb = match redirect.operator {
            RedirectOperator::HereDocument
            | RedirectOperator::HereDocumentStripped
            | RedirectOperator::HereString => continue,
            RedirectOperator::DuplicateInput | RedirectOperator::DuplicateOutput
                if is_descriptor(&redirect.target) =>
            {
                continue;
            }
            RedirectOperator::Read | RedirectOperator::DuplicateInput => Verb::Reads,
            RedirectOperator::Write
            | RedirectOperator::Append
            | RedirectOperator::Clobber
            | RedirectOperator::ReadWrite
            | RedirectOperator::DuplicateOutput
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth => Verb::Writes,
        };
        if is_process(&redirect.target) {
            continue;
        }
        let argument = values.argument(&redirect.target);
        let object = Object::new(&argument.units, origin, grounds, elsewhere);
        if verb == Verb::Reads && object.credential && !shows_input {
            let shown = object.shown();
            findings.add(Outcome::Destructive, || {
                format!("It hands {shown}, which holds credentials, to a program.")
            });
        } else if object.place == Place::Connection {
            let shown = object.shown();
            findings
                .add(Outcome::Destructive, || format!("A redirection connects to another machine, {shown}."));
        } else {
            effects::on("a redirection", verb, &object, None, findings);
        }
    }
}

/// Adds files that are emptied: nothing is written to them. What they held may be nowhere else.
pub(super) fn empties(segment: &Segment, findings: &mut Findings) {
    let words: Vec<&str> = segment.words.iter().map(|word| word.raw.as_str()).collect();
    if !matches!(words.as_slice(), [] | [":" | "true"] | ["cat", "/dev/null"]) || segment.pipeline.stage > 0 {
        return;
    }
    let emptied = segment.redirects.iter().find(|redirect| {
        matches!(
            redirect.operator,
            RedirectOperator::Write | RedirectOperator::Clobber | RedirectOperator::WriteBoth
        ) && !redirect.target.raw.starts_with("/dev/")
    });
    let has_input = segment.redirects.iter().any(|redirect| redirect.operator.as_str().starts_with('<'));
    if let Some(emptied) = emptied.filter(|_| !has_input) {
        findings.not_assessed(|| {
            format!("It empties {}: whether that held something is not known.", shown(&emptied.target.raw))
        });
    }
}

/// A number, or a dash that closes.
fn is_descriptor(word: &Word) -> bool {
    let digits = word.raw.trim_end_matches('-');
    digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `>(…)` and `<(…)`: what is in them is judged by itself.
fn is_process(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Expansion(expansion)] if expansion.kind == ExpansionKind::Process)
}
