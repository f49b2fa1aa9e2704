//! A segment: one simple command that bash could run from the text, and how it is reached.
//!
//! Promises plain words for people (`Display`) and closed vocabularies for code. Knows nothing of how segments are found.

use std::fmt;

use super::reader;
use super::tree::{Assignment, Redirect, Span, Word};

/// One simple command that bash could run from the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// The command word and its arguments; empty for an assignment or a redirection alone.
    pub words: Vec<Word>,
    /// The assignments in front.
    pub assignments: Vec<Assignment>,
    /// The redirections of this command.
    pub redirects: Vec<Redirect>,
    /// Its place in the text as sent; for re-read text the place of the command that carries it, when known.
    pub span: Option<Span>,
    /// How it is reached, outermost first; empty for a plain command of the text.
    pub reached: Vec<Reach>,
    /// Its code, or a part of it, cannot be read, and why.
    pub opaque: Option<Opaque>,
    /// Its argument vector carries commands: they are segments of their own, as far as they can be read.
    pub carries_code: bool,
    /// More arguments come when it runs: from standard input, a placeholder or a list of files.
    pub open_ended: bool,
    /// What stands for the arguments that come when it runs, wherever it is found in the words; without one they come behind
    /// the words.
    pub(crate) placeholder: Option<String>,
    /// Its pipeline and its place in it.
    pub pipeline: PipelinePlace,
    /// The process whose working folder holds for it, by its number in the layout.
    pub(crate) process: usize,
    /// The canonical spelling; dynamic words stand as they are written.
    pub spelling: String,
    /// Word positions at which a command may start behind an option that is not known.
    pub(crate) possible_starts: Vec<usize>,
}

/// The place of a command in its pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PipelinePlace {
    /// Which pipeline; equal for the stages of one, and for what a wrapper in a stage runs.
    pub pipeline: usize,
    /// The stage, from 0.
    pub stage: usize,
    /// How many stages the pipeline has; 1 for a command that stands alone.
    pub stages: usize,
}

/// One step on the way to a segment.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reach {
    /// In `$(…)` or backquotes.
    Substitution,
    /// In `<(…)` or `>(…)`.
    ProcessSubstitution,
    /// In `( … )`.
    Subshell,
    /// In the body of a function.
    Function {
        /// The function's name.
        name: String,
    },
    /// Run as a coprocess.
    Coprocess,
    /// What the command becomes once braces, constants and variables set in the same text are put in.
    Expanded,
    /// Behind a program that runs its arguments.
    Wrapper {
        /// The program.
        program: String,
    },
    /// In a string given to a shell.
    ShellString {
        /// The shell, or the program that hands the string to one.
        program: String,
    },
    /// In text that a shell reads from its standard input.
    StandardInput {
        /// The shell.
        program: String,
    },
    /// In the arguments of `eval`.
    Eval,
    /// In the action of a `trap`.
    Trap,
    /// In text that is sourced.
    Source,
    /// In an argument that a builtin evaluates.
    Evaluated {
        /// The builtin.
        program: String,
    },
    /// In the value of a variable that bash runs.
    RunVariable {
        /// The variable.
        name: String,
    },
    /// On another machine.
    Remote {
        /// The program that goes there.
        program: String,
    },
    /// Inside a container.
    Container {
        /// The program that goes there.
        program: String,
    },
}

impl Reach {
    /// Whether the grammar of the text alone leads there, with nothing re-read or looked through.
    #[must_use]
    pub fn is_syntax(&self) -> bool {
        match self {
            Self::Substitution
            | Self::ProcessSubstitution
            | Self::Subshell
            | Self::Function { .. }
            | Self::Coprocess => true,
            Self::Expanded
            | Self::Wrapper { .. }
            | Self::ShellString { .. }
            | Self::StandardInput { .. }
            | Self::Eval
            | Self::Trap
            | Self::Source
            | Self::Evaluated { .. }
            | Self::RunVariable { .. }
            | Self::Remote { .. }
            | Self::Container { .. } => false,
        }
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Substitution => formatter.write_str("in $(…)"),
            Self::ProcessSubstitution => formatter.write_str("in <(…)"),
            Self::Subshell => formatter.write_str("in (…)"),
            Self::Function { name } => write!(formatter, "in the function {name}"),
            Self::Coprocess => formatter.write_str("as a coprocess"),
            Self::Expanded => formatter.write_str("once its braces and variables are put in"),
            Self::Wrapper { program } => write!(formatter, "behind {program}"),
            Self::ShellString { program } => write!(formatter, "in the string given to {program}"),
            Self::StandardInput { program } => {
                write!(formatter, "in the text that {program} reads as its input")
            }
            Self::Eval => formatter.write_str("in the arguments of eval"),
            Self::Trap => formatter.write_str("in the action of a trap"),
            Self::Source => formatter.write_str("in the text that is sourced"),
            Self::Evaluated { program } => write!(formatter, "in an argument that {program} evaluates"),
            Self::RunVariable { name } => write!(formatter, "in the variable {name}, which the shell runs"),
            Self::Remote { program } => write!(formatter, "on another machine, through {program}"),
            Self::Container { program } => write!(formatter, "in a container, through {program}"),
        }
    }
}

/// Why the code of a command, or a part of it, cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Opaque {
    /// The name of the command is only known when it runs.
    DynamicCommand,
    /// The name of the command is a pathname pattern.
    PatternCommand,
    /// The code it is given holds parts that are only known when it runs.
    DynamicCode {
        /// Who runs the code.
        program: String,
    },
    /// An option that is not known, so that where the command starts is not known either.
    UnknownOption {
        /// The program.
        program: String,
        /// The option as written.
        option: String,
    },
    /// Its commands come from standard input.
    StandardInput {
        /// Who reads them.
        program: String,
    },
    /// Its commands come from a file.
    File {
        /// Who reads them.
        program: String,
    },
    /// The code it is given does not read as one whole shell text.
    UnreadCode {
        /// Who runs the code.
        program: String,
        /// Why not.
        reason: reader::UnreadReason,
    },
    /// The code it is given is in another language than bash; it was read as bash all the same.
    OtherShell {
        /// The shell.
        program: String,
    },
    /// A setting on the command line makes it run a program.
    Setting {
        /// The program.
        program: String,
        /// The setting.
        setting: String,
    },
    /// It changes what the names of later commands mean, or loads code.
    Redefinition {
        /// The builtin.
        program: String,
    },
    /// A value is evaluated as code, and the value is only known when it runs.
    EvaluatedValue,
    /// Braces in it stand for more words than are looked at.
    TooManyWords,
}

impl fmt::Display for Opaque {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DynamicCommand => formatter.write_str("the name of the command is only known when it runs"),
            Self::PatternCommand => {
                formatter.write_str("the name of the command is a pattern for file names")
            }
            Self::DynamicCode { program } => {
                write!(formatter, "parts of the code that {program} runs are only known when it runs")
            }
            Self::UnknownOption { program, option } => {
                write!(
                    formatter,
                    "{program} has no option {option} that is known here, so where its command starts is unclear"
                )
            }
            Self::StandardInput { program } => {
                write!(formatter, "{program} takes its commands from its standard input")
            }
            Self::File { program } => write!(formatter, "{program} takes its commands from a file"),
            Self::UnreadCode { program, reason } => {
                write!(formatter, "the code given to {program} cannot be read: {reason}")
            }
            Self::OtherShell { program } => write!(formatter, "{program} speaks another language than bash"),
            Self::Setting { program, setting } => {
                write!(formatter, "the setting {setting} makes {program} run a program")
            }
            Self::Redefinition { program } => {
                write!(formatter, "{program} changes what later commands mean, or loads code")
            }
            Self::EvaluatedValue => {
                formatter.write_str("a value that is only known when it runs is evaluated as code")
            }
            Self::TooManyWords => formatter.write_str("its braces stand for more words than are looked at"),
        }
    }
}
