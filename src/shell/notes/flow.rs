//! Notes on what flows where between the network and the commands of a text.
//!
//! Promises to claim a flow only where the tree shows it, and to name every host all the same where it does not. Bounded:
//! each substitution is looked into once for the command that holds it.

use std::collections::HashMap;

use super::{Note, NoteKind};
use crate::shell::interpreters::{ProgramSource, program_source};
use crate::shell::network::{self, Transfer};
use crate::shell::tree::{
    Command, ExpansionKind, Part, Redirect, RedirectOperator, Script, SimpleCommand, Word,
};
use crate::shell::word::constant;
use crate::shell::{Analysis, Segment};

/// How many tokens are named before the rest is counted.
const MAX_TOKENS: usize = 8;
/// How long a token may be, in bytes, to be named.
const MAX_TOKEN_BYTES: usize = 100;
/// How many substitutions inside each other are looked through for a fetch.
const MAX_NESTING: u32 = 4;

/// The notes, in a fixed order; none where nobody is dealt with.
pub(super) fn notes(analysis: &Analysis) -> Vec<Note> {
    let judge = network::Judge::new(analysis);
    let transfers: Vec<Transfer> =
        analysis.segments().iter().map(|segment| judge.transfer(segment)).collect();
    let all: Vec<String> = network::counterparties(analysis).hosts;
    if all.is_empty() && !transfers.iter().any(Transfer::is_one) {
        return Vec::new();
    }
    let flows = Flows::of(analysis, &transfers);
    let hosts = tokens(&all);
    let mut found = Vec::new();
    let mut note = |kind, text: String| found.push(Note { kind, text });
    if flows.fetch_into_interpreter {
        note(
            NoteKind::FetchIntoInterpreter,
            format!(
                "What is fetched ({hosts}) becomes the program that an interpreter runs, without standing in a file where \
                 it could be looked at first. What would that program do, and who can change it?"
            ),
        );
    }
    if flows.local_into_transfer {
        note(
            NoteKind::LocalIntoTransfer,
            format!(
                "The output of a command on this machine is the input of one that deals with the network ({hosts}). What \
                 does that output hold, and is it meant to leave this machine?"
            ),
        );
    }
    if flows.substitution_into_transfer {
        note(
            NoteKind::SubstitutionIntoTransfer,
            format!(
                "The shell runs a command and puts its output into what is sent, or into the address it is sent to \
                 ({hosts}). What does that output hold, and is it meant to leave this machine?"
            ),
        );
    }
    if flows.file_into_transfer {
        note(
            NoteKind::FileIntoTransfer,
            format!(
                "The content of a file is sent over the network ({hosts}). What does the file hold, and is it meant to \
                 leave this machine?"
            ),
        );
    }
    if found.is_empty() {
        found.push(Note {
            kind: NoteKind::HostsNamed,
            text: format!(
                "Commands in this text deal with the network ({hosts}); what flows between them and the rest is not plain \
                 from the text. What is fetched, what is sent, and what becomes of it?"
            ),
        });
    }
    found
}

/// The tokens that may be shown, and how many others there are.
pub(super) fn tokens(hosts: &[String]) -> String {
    if hosts.is_empty() {
        return "at an address that is only known when it runs".to_owned();
    }
    let plain: Vec<&str> =
        hosts.iter().map(String::as_str).filter(|host| is_plain_token(host)).take(MAX_TOKENS).collect();
    let others = hosts.len() - plain.len();
    match (plain.is_empty(), others) {
        (true, 1) => "one host".to_owned(),
        (true, others) => format!("{others} hosts"),
        (false, 0) => plain.join(", "),
        (false, 1) => format!("{} and one more host", plain.join(", ")),
        (false, others) => format!("{} and {others} more hosts", plain.join(", ")),
    }
}

/// Whether a token of the command can stand in a note without being taken for a part of its sentence.
fn is_plain_token(token: &str) -> bool {
    token.len() <= MAX_TOKEN_BYTES
        && token.starts_with(|first: char| {
            first.is_ascii_alphanumeric() || matches!(first, '~' | '/' | '.' | '[')
        })
        && token.chars().all(|c| c.is_ascii_alphanumeric() || "._~@:/+?=,%#[]-".contains(c))
}

#[derive(Debug, Default)]
struct Flows {
    fetch_into_interpreter: bool,
    local_into_transfer: bool,
    substitution_into_transfer: bool,
    file_into_transfer: bool,
}

/// What the stages of one pipeline are, by their numbers.
#[derive(Debug, Default)]
struct Stages {
    first_transfer: Option<usize>,
    /// A transfer, or a command that is given what a substitution fetches.
    first_fetch: Option<usize>,
    last_interpreter: Option<usize>,
}

impl Flows {
    fn of(analysis: &Analysis, transfers: &[Transfer]) -> Self {
        let mut flows = Self::default();
        let mut pipelines: HashMap<usize, Stages> = HashMap::new();
        for (segment, transfer) in analysis.segments().iter().zip(transfers) {
            let place = segment.pipeline;
            let stages = pipelines.entry(place.pipeline).or_default();
            if transfer.is_one() {
                let stage = place.stage;
                stages.first_transfer = Some(stages.first_transfer.map_or(stage, |first| first.min(stage)));
                flows.substitution_into_transfer |= transfer.sends_substitution;
                flows.file_into_transfer |= transfer.sends_file;
                flows.fetch_into_interpreter |= writes_into_interpreter(&segment.redirects);
            }
            if transfer.is_one() || segment.words.iter().any(|word| fetches(word, 0)) {
                stages.first_fetch =
                    Some(stages.first_fetch.map_or(place.stage, |first| first.min(place.stage)));
            }
            if takes_program_from_input(segment) {
                stages.last_interpreter =
                    Some(stages.last_interpreter.map_or(place.stage, |last| last.max(place.stage)));
            }
            flows.fetch_into_interpreter |= program_is_fetched(segment);
        }
        for stages in pipelines.values() {
            flows.fetch_into_interpreter |=
                stages.first_fetch.zip(stages.last_interpreter).is_some_and(|(from, to)| from < to);
            // A transfer that is no first stage reads what the stages before it write; where those fetch, it is no local output.
            flows.local_into_transfer |= stages.first_transfer.is_some_and(|first| first > 0);
        }
        flows
    }
}

/// An interpreter whose program is its standard input, or, behind `xargs`, its arguments.
fn takes_program_from_input(segment: &Segment) -> bool {
    match program_source(&segment.words) {
        Some(ProgramSource::StandardInput) => true,
        Some(ProgramSource::Words(_)) => segment.open_ended,
        Some(ProgramSource::File(_) | ProgramSource::Module { .. } | ProgramSource::Nothing) | None => {
            let sources = segment.words.first().and_then(constant);
            let operand = segment.words.get(1).and_then(constant);
            sources.is_some_and(|name| matches!(name.as_ref(), "." | "source"))
                && operand.is_some_and(|file| matches!(file.as_ref(), "/dev/stdin" | "/dev/fd/0"))
        }
    }
}

/// An interpreter whose program is what a substitution fetches: `sh -c "$(curl …)"`, `bash <(curl …)`, `eval "$(curl …)"`,
/// `sh <<< "$(curl …)"`, `sh < <(curl …)`.
fn program_is_fetched(segment: &Segment) -> bool {
    let from_input = || {
        segment.redirects.iter().any(|redirect| match redirect.operator {
            RedirectOperator::Read | RedirectOperator::HereString => fetches(&redirect.target, 0),
            RedirectOperator::HereDocument | RedirectOperator::HereDocumentStripped => {
                redirect.heredoc.as_ref().is_some_and(|document| fetches(&document.body, 0))
            }
            RedirectOperator::Write
            | RedirectOperator::Append
            | RedirectOperator::Clobber
            | RedirectOperator::ReadWrite
            | RedirectOperator::DuplicateInput
            | RedirectOperator::DuplicateOutput
            | RedirectOperator::WriteBoth
            | RedirectOperator::AppendBoth => false,
        })
    };
    let any_word = || segment.words.iter().skip(1).any(|word| fetches(word, 0));
    match program_source(&segment.words) {
        Some(ProgramSource::StandardInput) => from_input(),
        Some(ProgramSource::Words(positions)) => {
            positions.into_iter().filter_map(|at| segment.words.get(at)).any(|word| fetches(word, 0))
        }
        // A script that is a process substitution; the arguments of a script are no program.
        Some(ProgramSource::File(_)) => segment
            .words
            .iter()
            .skip(1)
            .find(|word| !word.raw.starts_with('-'))
            .is_some_and(|word| fetches(word, 0)),
        Some(ProgramSource::Module { .. } | ProgramSource::Nothing) => false,
        None => {
            let name = segment.words.first().and_then(constant).unwrap_or_default();
            matches!(name.as_ref(), "eval" | "." | "source" | "trap") && (any_word() || from_input())
        }
    }
}

/// `curl … > >(sh)`.
fn writes_into_interpreter(redirects: &[Redirect]) -> bool {
    redirects.iter().flat_map(|redirect| nested(&redirect.target)).any(|script| {
        let mut reads = false;
        each_simple(script, 0, &mut |simple| {
            reads |= program_source(&simple.words) == Some(ProgramSource::StandardInput);
        });
        reads
    })
}

/// Whether a substitution in the word fetches something.
fn fetches(word: &Word, depth: u32) -> bool {
    depth < MAX_NESTING
        && nested(word).any(|script| {
            let mut found = false;
            each_simple(script, depth, &mut |simple| {
                found |= network::is_transfer(&simple.words)
                    || simple.words.iter().any(|word| fetches(word, depth + 1));
            });
            found
        })
}

fn nested(word: &Word) -> impl Iterator<Item = &Script> {
    word.parts
        .iter()
        .filter_map(|part| match part {
            Part::Expansion(expansion)
                if matches!(expansion.kind, ExpansionKind::Command | ExpansionKind::Process) =>
            {
                Some(&expansion.nested)
            }
            Part::Expansion(_) | Part::Text { .. } => None,
        })
        .flatten()
}

/// The simple commands of a script that stand in it plainly: in its lists, pipelines, groups and subshells.
fn each_simple(script: &Script, depth: u32, visit: &mut dyn FnMut(&SimpleCommand)) {
    use crate::shell::tree::Compound;
    if depth >= MAX_NESTING {
        return;
    }
    for item in &script.items {
        let pipelines = std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline));
        for stage in pipelines.flat_map(|pipeline| &pipeline.stages) {
            match &stage.command {
                Command::Simple(simple) => visit(simple),
                Command::Compound { kind: Compound::Group(body) | Compound::Subshell(body), .. } => {
                    each_simple(body, depth + 1, visit);
                }
                Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => {}
            }
        }
    }
}
