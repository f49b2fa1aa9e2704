//! One command as the rules see it: its program, its arguments, and where its paths lie.
//!
//! Promises that what is put in for a value that is only known when it runs is either bounded by the text ([`SOME`] stands
//! for it) or [`Unit::Unknown`]. Knows nothing of what a program does.
//!
//! [`SOME`]: super::objects::SOME

use super::effects;
use super::findings::Findings;
use super::judge;
use super::objects::{Object, shown};
use super::place::Grounds;
use super::values::Values;
use crate::rater::knowledge::{GivenWord, Level, Objects, ValuePlace, Verb};
use crate::shell::hardline::{Argument, Origin, Unit};
use crate::shell::{Analysis, Segment};

/// Where the input of a command comes from, as far as the text tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Input {
    /// From the caller of the whole text, or from nothing.
    Inherited,
    /// From the command in front of it in the pipeline, or from a group around it.
    Pipe,
    /// From a redirection: a file, a here-document or a here-string.
    Redirected,
}

/// One command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Call<'c> {
    /// The segment it is: its words as they stand in the tree, its redirections, how it is reached.
    pub(crate) segment: &'c Segment,
    /// The program's name: no folder, in small letters.
    pub(crate) program: &'c str,
    /// Its arguments, everything behind the program's name.
    pub(crate) arguments: &'c [Argument],
    /// How many of the arguments the chain of subcommands takes up to its last word: what a rule of a subcommand looks at stands
    /// behind them.
    pub(crate) subcommand_end: usize,
    /// The operands that the entry's options leave, as positions in the arguments.
    pub(crate) operands: &'c [usize],
    /// The value of the option that brought the rule, where one did.
    pub(crate) value: Option<&'c [Unit]>,
    /// The objects that the entry names behind the rule, where it names some.
    pub(crate) objects: Option<Objects>,
    /// Where its input comes from.
    pub(crate) input: Input,
    /// It runs on another machine or in a container.
    pub(crate) elsewhere: bool,
    /// It works in another folder than the text starts in.
    pub(super) entered: bool,
    pub(super) origin: &'c Origin,
    pub(super) grounds: &'c Grounds,
    /// The whole text.
    pub(super) analysis: &'c Analysis,
    /// What the text sets, as far as it holds for the command.
    pub(super) values: &'c Values,
    /// What the text sets and starts as a whole.
    pub(super) whole: &'c Values,
}

/// The arguments as an entry of the knowledge base is held against them.
pub(super) fn given(arguments: &[Argument]) -> Vec<GivenWord<'_>> {
    let is_open = |argument: &Argument| argument.units.first() == Some(&Unit::Unknown);
    arguments.iter().map(|argument| GivenWord { text: &argument.text, open: is_open(argument) }).collect()
}

impl<'c> Call<'c> {
    /// The arguments behind the subcommand.
    pub(crate) fn rest(&self) -> &'c [Argument] {
        self.arguments.get(self.subcommand_end..).unwrap_or_default()
    }

    /// Whether the last word of its subcommand is one of these.
    pub(super) fn subcommand_is(&self, names: &[&str]) -> bool {
        let last = self.subcommand_end.checked_sub(1).and_then(|at| self.arguments.get(at));
        last.is_some_and(|word| names.contains(&word.text.as_str()))
    }

    /// The object that an argument, or a part of one, names as a path.
    pub(crate) fn object(&self, units: &[Unit]) -> Object {
        Object::new(units, self.origin, self.grounds, self.elsewhere)
    }

    /// Whether what it writes goes on: into another command of the pipeline or into a file.
    pub(crate) fn goes_on(&self) -> bool {
        let place = self.segment.pipeline;
        place.stage + 1 < place.stages || !self.segment.redirects.is_empty()
    }

    /// The working folder of the command.
    pub(crate) fn here(&self) -> Object {
        Object::here(self.origin, self.grounds, self.elsewhere)
    }

    /// Adds an effect on a file, a folder or a stream.
    pub(crate) fn does(&self, verb: Verb, object: &Object, note: Option<&str>, findings: &mut Findings) {
        effects::on(self.program, verb, object, note, findings);
    }

    /// Adds an effect on the path that an argument, or a part of one, names.
    pub(crate) fn does_to(&self, verb: Verb, units: &[Unit], findings: &mut Findings) {
        self.does(verb, &self.object(units), None, findings);
    }

    /// Adds an effect without an object. The note is a few plain words of ours; text of the command goes into it only through
    /// [`shown`].
    pub(crate) fn does_plainly(&self, verb: Verb, note: Option<&str>, findings: &mut Findings) {
        effects::plain(self.program, verb, None, note, findings);
    }

    /// Adds that something is not known: `what` completes the sentence "In PROGRAM, … .".
    pub(crate) fn not_assessed(&self, what: &str, findings: &mut Findings) {
        findings.not_assessed(|| format!("In {}, {what}.", shown(self.program)));
    }

    /// Adds what another program would do with arguments of this command, as its entry says: `python -m pytest`.
    pub(crate) fn as_program(
        &self,
        level: &'static Level,
        name: &str,
        arguments: &[Argument],
        findings: &mut Findings,
    ) {
        judge::add_known(self, level, name, arguments, findings);
    }

    /// The argument at the place of an option's value, and the pieces of the value.
    pub(super) fn value_units(arguments: &'c [Argument], place: ValuePlace) -> Option<&'c [Unit]> {
        arguments.get(place.word).map(|argument| argument.behind(place.from))
    }

    /// The arguments that the objects of an effect are.
    pub(super) fn chosen(&self, objects: Objects) -> Vec<&'c [Unit]> {
        let all = || {
            self.operands
                .iter()
                .filter_map(|at| self.arguments.get(*at))
                .map(|argument| argument.units.as_slice())
        };
        let count = self.operands.len();
        match objects {
            Objects::Operands => all().collect(),
            Objects::First => all().take(1).collect(),
            Objects::Second => all().skip(1).take(1).collect(),
            Objects::Last => all().skip(count.saturating_sub(1)).collect(),
            Objects::Rest => all().skip(1).collect(),
            Objects::Init => all().take(count.saturating_sub(1)).collect(),
            Objects::Value => self.value.into_iter().collect(),
            Objects::Here => Vec::new(),
        }
    }
}
