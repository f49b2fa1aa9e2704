//! How the commands of a text hang together: which pipeline stands in which stage, and which commands share a process.
//!
//! Promises one entry for each pipeline that the walk met, so that data can be followed from stage to stage, out of
//! groups and substitutions and into them. Knows nothing of what commands do.

use super::segment::{PipelinePlace, Reach};
use super::tree::{Redirect, Word};

/// How a pipeline hangs on the stage it is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Link {
    /// On none: it belongs to the text itself, or nothing flows between it and the stage (the value of an assignment).
    Top,
    /// It is the stage: its input and output are those of the stage.
    Body,
    /// `$(…)`: its output becomes a part of the stage's words or of its input.
    Argument,
    /// `<(…)`: its output is a file that the stage reads.
    ReadByStage,
    /// `>(…)`: its input is what the stage writes.
    WrittenByStage,
}

/// Where a pipeline hangs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hanging {
    /// The stage.
    pub(crate) place: PipelinePlace,
    /// How it hangs there.
    pub(crate) link: Link,
}

/// The redirections of a compound command.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// The stage that the compound command is, or is a part of.
    pub(crate) place: PipelinePlace,
    /// Its redirections.
    pub(crate) redirects: Vec<Redirect>,
    /// How it is reached.
    pub(crate) reached: Vec<Reach>,
    /// The process it runs in.
    pub(crate) process: usize,
}

/// A working folder that an option gives to what a wrapper runs.
#[derive(Debug, Clone)]
pub(crate) struct GivenFolder {
    /// The process that runs in it.
    pub(crate) process: usize,
    /// The word that names it.
    pub(crate) word: Word,
    /// How many characters of the word stand in front of its name.
    pub(crate) skip: usize,
}

/// How the commands of a text hang together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Layout {
    /// Where each pipeline hangs, by number.
    pub(crate) pipelines: Vec<Hanging>,
    /// The compound commands that have redirections.
    pub(crate) groups: Vec<Group>,
    /// The process that each process with a working folder of its own was started by; the first is the text's own.
    pub(crate) processes: Vec<usize>,
    /// The working folders that options of wrappers give (`env -C /tmp …`).
    pub(crate) folders: Vec<GivenFolder>,
    /// A function starts two copies of itself at once, whatever its name.
    pub(crate) fork_bomb: bool,
}

impl Layout {
    /// Notes a process that was started by another; what it does with its working folder stays in it.
    pub(super) fn start_process(&mut self, started_by: usize) -> usize {
        if self.processes.is_empty() {
            self.processes.push(0);
        }
        self.processes.push(started_by);
        self.processes.len() - 1
    }
}

/// Whether what is reached this way runs in a process of its own.
pub(super) fn starts_process(reach: &Reach) -> bool {
    match reach {
        Reach::Substitution
        | Reach::ProcessSubstitution
        | Reach::Subshell
        | Reach::Function { .. }
        | Reach::Coprocess
        | Reach::ShellString { .. }
        | Reach::StandardInput { .. }
        | Reach::RunVariable { .. }
        | Reach::Remote { .. }
        | Reach::Container { .. } => true,
        Reach::Expanded
        | Reach::Wrapper { .. }
        | Reach::Eval
        | Reach::Trap
        | Reach::Source
        | Reach::Evaluated { .. } => false,
    }
}
