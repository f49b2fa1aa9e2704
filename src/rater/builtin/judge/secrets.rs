//! Variables with a secret in them: where a command shows one, and where it hands one on.
//!
//! Promises that a secret which is shown is an attack, and one that goes into another program is never safe.

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::objects::shown;
use super::super::values::Values;
use super::super::{supply, variables};
use super::{One, Whole};
use crate::gate::Outcome;
use crate::shell::hardline::{Base, Path, is_credential};
use crate::shell::tree::{RedirectOperator, Word};
use crate::shell::{Analysis, Segment};

impl Whole<'_> {
    /// Secret variables that are put into a command: it may show them in an error, or do anything else with them. Text that it
    /// reads is shown where it shows its input.
    pub(super) fn secrets(&self, one: &One<'_>, shows_input: bool, findings: &mut Findings) {
        // What they are given is text to show, to look for or to record.
        const TELLING: [&str; 10] =
            ["echo", "printf", "git", "grep", "egrep", "fgrep", "rg", "ag", "gh", "glab"];
        const TESTS: [&str; 7] = ["test", "[", "[[", ":", "true", "false", "unset"];
        let mut redirects = one.segment.redirects.iter();
        let read = redirects.find_map(|redirect| match (redirect.operator, &redirect.heredoc) {
            (RedirectOperator::HereString, _) => variables::secret_in(&redirect.target, one.values),
            (_, Some(document)) => variables::secret_in(&document.body, one.values),
            (_, None) => None,
        });
        if let Some(secret) = read {
            if shows_input {
                shows_secret(one.segment, self.analysis, &secret, findings);
            } else {
                findings
                    .add(Outcome::Destructive, || format!("It hands on the secret in {}.", shown(&secret)));
            }
        }
        if supply::is_program(one.segment, &TESTS) {
            return;
        }
        let given = one.segment.words.iter().skip(1).find_map(|word| variables::secret_in(word, one.values));
        if let Some(secret) = given {
            findings.add(Outcome::Destructive, || format!("It hands on the secret in {}.", shown(&secret)));
        }
        if !supply::is_program(one.segment, &TELLING)
            && let Some(file) =
                one.segment.words.iter().skip(1).find_map(|word| credential_inside(word, one.values))
        {
            findings.add(Outcome::Destructive, || {
                format!("One of its arguments names {}, which holds credentials.", shown(&file))
            });
        }
        if one.segment.words.iter().skip(1).any(variables::is_indirect) {
            findings
                .not_assessed(|| "Which variable it looks at will only be known when it runs.".to_owned());
        }
    }
}

/// A secret variable that is shown, unless it goes on into another program as its input.
pub(super) fn prints(call: &Call<'_>, findings: &mut Findings) {
    let secret = call.segment.words.iter().skip(1).find_map(|word| variables::secret_in(word, call.values));
    let Some(secret) = secret else { return };
    shows_secret(call.segment, call.analysis, &secret, findings);
}

fn shows_secret(segment: &Segment, analysis: &Analysis, secret: &str, findings: &mut Findings) {
    let place = segment.pipeline;
    let next = analysis
        .segments()
        .iter()
        .find(|other| other.pipeline.pipeline == place.pipeline && other.pipeline.stage == place.stage + 1);
    const SHOWING: [&str; 16] = [
        "cat", "base64", "xxd", "od", "hexdump", "head", "tail", "cut", "tr", "rev", "tee", "fold", "sed",
        "grep", "awk", "less",
    ];
    let handed_on = next.is_some_and(|next| !supply::is_program(next, &SHOWING));
    let to_file = segment.redirects.iter().any(|redirect| {
        redirect.operator.as_str().starts_with('>') && !redirect.target.raw.starts_with("/dev/std")
    });
    if handed_on || to_file {
        findings.add(Outcome::Destructive, || format!("It hands on the secret in {}.", shown(secret)));
    } else {
        findings.add(Outcome::Attack, || format!("It shows the secret in the variable {}.", shown(secret)));
    }
}

/// The longest argument that is looked into, in bytes.
const MAX_ARGUMENT: usize = 16_384;

/// A file with credentials that is named inside a longer argument, behind a mark or in a program of the tool's own language:
/// `file:///home/u/.aws/credentials`, `@~/.netrc`, `load_str("/home/u/.ssh/id_rsa")`.
fn credential_inside(word: &Word, values: &Values) -> Option<String> {
    let text = values.argument(word).text;
    if text.len() > MAX_ARGUMENT {
        return None;
    }
    let pieces = text.split(|letter: char| letter.is_whitespace() || "\"'`()[]{}<>=,;@|:".contains(letter));
    pieces
        .map(|piece| if piece.starts_with("//") { piece.trim_start_matches("//") } else { piece })
        .filter(|piece| *piece != text)
        .find(|piece| {
            let path = match piece.strip_prefix("~/") {
                Some(rest) => {
                    Path { base: Base::Home, components: Path::absolute(&format!("/{rest}")).components }
                }
                None if piece.starts_with('/') => Path::absolute(piece),
                None if text.starts_with("file") => Path::absolute(&format!("/{piece}")),
                None => return false,
            };
            is_credential(&path)
        })
        .map(str::to_owned)
}
