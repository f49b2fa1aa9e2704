//! The judgement of a whole command: every segment, every redirection, every flow.
//!
//! Promises that each segment adds something, and that one which adds nothing is not assessed. Knows nothing of single
//! programs.

mod known;
mod secrets;
mod written;

pub(super) use known::add as add_known;

use super::call::{Call, Input};
use super::deception;
use super::effects;
use super::findings::Findings;
use super::flows;
use super::hosts;
use super::objects::shown;
use super::particulars;
use super::place::Grounds;
use super::programs::{Program, program};
use super::redirects;
use super::showing;
use super::supply::{self, Supply};
use super::values::Values;
use super::variables;
use crate::gate::{Outcome, Verdict};
use crate::rater::knowledge::{self, Verb};
use crate::shell::hardline::{
    self, Argument, Check, Folders, Invocation, Origin, Surroundings, UNKNOWN, lets_input_through,
};
use crate::shell::segment::Reach;
use crate::shell::word::base_name;
use crate::shell::{Analysis, Segment};
use std::collections::HashSet;

/// Judges a command that would run in a folder, for a user with a home. Both are absolute paths where they are known.
pub(crate) fn judge(analysis: &Analysis, folder: Option<&str>, home: Option<&str>) -> Verdict {
    let mut findings = Findings::default();
    if let Some(check) = hardline::find(analysis, Surroundings { folder, home }) {
        findings.add(severity(check), || format!("It would {}.", check.description()));
    }
    judge_rest(analysis, (folder, home), findings)
}

/// As [`judge`], of a command that the hardline floor has let pass in the same surroundings.
pub(crate) fn judge_past_hardline(analysis: &Analysis, folder: Option<&str>, home: Option<&str>) -> Verdict {
    judge_rest(analysis, (folder, home), Findings::default())
}

fn judge_rest(
    analysis: &Analysis,
    (folder, home): (Option<&str>, Option<&str>),
    mut findings: Findings,
) -> Verdict {
    let grounds = Grounds::new(folder, home);
    if let Some(unread) = analysis.unread() {
        findings.not_assessed(|| format!("It could not be read as a whole: {unread}."));
    }
    for opaque in analysis.opaque_reasons() {
        if particulars::is_activation(opaque, analysis)
            || particulars::only_checks_syntax(opaque, analysis)
            || particulars::is_setting_of_git(opaque)
        {
            continue;
        }
        findings
            .not_assessed(|| format!("Some of what it runs cannot be read: {}.", plain(&opaque.to_string())));
    }
    deception::add(analysis, &mut findings);
    let values = Values::new(analysis);
    let nothing = Values::default();
    let mut whole = Whole {
        analysis,
        grounds: &grounds,
        values: &values,
        nothing: &nothing,
        folders: Folders::new(analysis.layout(), grounds.origin()),
        written: HashSet::new(),
        functions: functions(analysis),
        moves: analysis
            .segments()
            .iter()
            .any(|segment| supply::is_program(segment, &["cd", "pushd", "popd", "chdir"])),
    };
    whole.segments(&mut findings);
    whole.groups(&mut findings);
    particulars::pretending_functions(&whole.functions, &mut findings);
    flows::add(analysis.segments(), analysis.layout(), &mut findings);
    showing::searched_for_secrets(analysis.segments(), &mut findings);
    super::weakened::searched_logs(analysis.segments(), &mut findings);
    findings.verdict()
}

fn severity(check: Check) -> Outcome {
    match check {
        Check::RootDeletion
        | Check::SystemDeletion
        | Check::HomeDeletion
        | Check::Format
        | Check::DiskWrite
        | Check::SystemPermissions
        | Check::ForkBomb => Outcome::Catastrophic,
        Check::KillAll | Check::Shutdown => Outcome::Destructive,
        Check::Exfiltration => Outcome::Attack,
    }
}

/// A text of ours with parts of the command in it, in one line of visible characters.
fn plain(text: &str) -> String {
    crate::display::clip(&crate::display::one_line(text), 200)
}

/// The functions that the text defines, at any depth.
fn functions(analysis: &Analysis) -> HashSet<&str> {
    analysis
        .segments()
        .iter()
        .flat_map(|segment| &segment.reached)
        .filter_map(|reach| match reach {
            Reach::Function { name } => Some(name.as_str()),
            _ => None,
        })
        .collect()
}

/// A whole text under judgement.
struct Whole<'a> {
    analysis: &'a Analysis,
    grounds: &'a Grounds,
    values: &'a Values,
    /// The values of code that runs in a shell of its own.
    nothing: &'a Values,
    folders: Folders<'a>,
    /// The files that commands of the text write, as they are spelled.
    written: HashSet<String>,
    functions: HashSet<&'a str>,
    /// The text moves its working folder somewhere.
    moves: bool,
}

/// One segment under judgement.
struct One<'a> {
    segment: &'a Segment,
    origin: &'a Origin,
    values: &'a Values,
    elsewhere: bool,
    input: Input,
}

impl Whole<'_> {
    fn segments(&mut self, findings: &mut Findings) {
        let segments = self.analysis.segments();
        let mut around: Vec<&Segment> = Vec::new();
        let mut before: Vec<&Segment> = Vec::new();
        let nowhere = std::rc::Rc::new(Origin { folder: hardline::Path::unknown(), ..self.grounds.origin() });
        for segment in segments {
            let depth = segment.reached.len();
            around.truncate(depth);
            while around.len() < depth {
                around.push(segment);
            }
            around.push(segment);
            if before.first().is_some_and(|first| first.pipeline.pipeline != segment.pipeline.pipeline) {
                before.retain(|old| old.pipeline.pipeline == segment.pipeline.pipeline);
            }
            let origin = match self.moves_when_it_runs(segment) {
                true => std::rc::Rc::clone(&nowhere),
                false => self.folders.origin(segment.process),
            };
            let values = if shares_variables(segment) { self.values } else { self.nothing };
            let one = One {
                segment,
                origin: &origin,
                values,
                elsewhere: segment.reached.iter().any(is_elsewhere),
                input: input(segment),
            };
            let supplied = segment.open_ended.then(|| {
                let carriers = around.get(..depth).unwrap_or_default();
                supply::supplied(segment, &before, carriers, values)
            });
            let arguments = self.one(&one, supplied.as_ref(), findings);
            let invocation = Invocation::with_arguments(segment, 0, std::rc::Rc::clone(&origin), arguments);
            if !one.elsewhere {
                self.folders.follow(&invocation);
            }
            before.push(segment);
        }
    }

    /// Whether the working folder of a segment is that of a later moment: of the call of its function, of the end of the text,
    /// or of a later turn of a loop.
    fn moves_when_it_runs(&self, segment: &Segment) -> bool {
        self.values.wanders()
            || self.moves
                && segment.reached.iter().any(|reach| {
                    matches!(reach, Reach::Function { .. } | Reach::Trap | Reach::RunVariable { .. })
                })
    }

    fn groups(&mut self, findings: &mut Findings) {
        for group in &self.analysis.layout().groups {
            let origin = self.folders.origin(group.process);
            let elsewhere = group.reached.iter().any(is_elsewhere);
            redirects::add(&group.redirects, self.values, (&origin, self.grounds, elsewhere), true, findings);
        }
    }

    /// Judges one segment. Returns its arguments.
    fn one(&mut self, one: &One<'_>, supplied: Option<&Supply>, findings: &mut Findings) -> Vec<Argument> {
        let segment = one.segment;
        variables::add(&segment.assignments, !segment.words.is_empty(), one.values, findings);
        let shows_input = segment.words.is_empty() || {
            let origin = std::rc::Rc::new(one.origin.clone());
            segment.redirects.is_empty() || lets_input_through(&Invocation::new(segment, 0, origin))
        };
        let surroundings = (one.origin, self.grounds, one.elsewhere);
        redirects::add(&segment.redirects, one.values, surroundings, shows_input, findings);
        redirects::empties(segment, findings);
        let Some((first, rest)) = segment.words.split_first() else {
            findings.add(Outcome::Safe, || "It only sets variables or opens files.".to_owned());
            self.note_written(one, &[]);
            return Vec::new();
        };
        deception::false_options(rest, findings);
        if segment
            .reached
            .iter()
            .any(|reach| matches!(reach, Reach::Evaluated { program } if program != "git"))
        {
            findings.add(Outcome::Destructive, || {
                "A command stands in an argument that is evaluated, where nobody looks for one.".to_owned()
            });
        }
        let live = segment.reached.contains(&Reach::Expanded);
        let word = one.values.read(first, live);
        let mut arguments: Vec<Argument> = rest
            .iter()
            .map(|word| one.values.read(word, live))
            .filter(|argument| !argument.has_braces)
            .collect();
        if let Some(supply) = supplied {
            supply::put_in(&mut arguments, supply);
        }
        hosts::add(&arguments, findings);
        self.secrets(one, shows_input, findings);
        let spelled = base_name(&word.text);
        let name =
            if knowledge::entry(spelled).is_some() { spelled.to_owned() } else { spelled.to_lowercase() };
        let name = name.strip_suffix(".exe").unwrap_or(&name).to_owned();
        if self.values.defines(&word.text) || self.functions.contains(word.text.as_str()) {
            self.call_of_function(&word.text, findings);
            return arguments;
        }
        if word.text.contains(UNKNOWN) || word.has_braces {
            findings.not_assessed(|| {
                format!("Which program {} is will only be known when it runs.", shown(&first.raw))
            });
            return arguments;
        }
        self.runs_what_was_written(one, &word, &arguments, findings);
        match program(&word, &name, one.origin, self.grounds) {
            Program::Known(level) => {
                known::add(&self.around(one), level, &name, &arguments, findings);
            }
            Program::File => effects::plain(
                &word.text,
                Verb::Runs,
                None,
                Some("it is a program or script of its own"),
                findings,
            ),
            Program::Unheard if only_asks_for_help(&arguments) => {
                effects::plain(&name, Verb::Nothing, None, Some("it shows its help or version"), findings);
            }
            Program::Unheard => {
                findings.not_assessed(|| format!("Nothing is known of the program {}.", shown(&word.text)));
            }
        }
        self.note_written(one, &arguments);
        arguments
    }

    /// What is known around a command, before its own words are looked at.
    fn around<'c>(&'c self, one: &One<'c>) -> Call<'c> {
        Call {
            segment: one.segment,
            program: "",
            arguments: &[],
            subcommand_end: 0,
            operands: &[],
            value: None,
            objects: None,
            input: one.input,
            elsewhere: one.elsewhere,
            entered: false,
            origin: one.origin,
            grounds: self.grounds,
            analysis: self.analysis,
            values: one.values,
            whole: self.values,
        }
    }

    /// What a function does is judged where it is defined. One that stands in for a program which moves or reads is not
    /// followed.
    fn call_of_function(&self, name: &str, findings: &mut Findings) {
        if matches!(
            name,
            "cd" | "pushd" | "popd" | "builtin" | "command" | "exec" | "read" | "source" | "." | "eval"
        ) {
            findings.not_assessed(|| format!("A function takes the place of {}.", shown(name)));
        } else {
            findings.add(Outcome::Safe, || format!("It calls the function {}.", shown(name)));
        }
    }
}

/// Whether all that an unknown program is asked for is what every program shows for it.
fn only_asks_for_help(arguments: &[Argument]) -> bool {
    matches!(arguments, [only] if matches!(only.text.as_str(), "--help" | "--version"))
}

/// Whether what the whole text sets holds for a segment: not in code that runs in a shell of its own, or is put together.
fn shares_variables(segment: &Segment) -> bool {
    segment.reached.iter().all(|reach| match reach {
        Reach::Substitution
        | Reach::ProcessSubstitution
        | Reach::Subshell
        | Reach::Function { .. }
        | Reach::Coprocess
        | Reach::Expanded
        | Reach::Wrapper { .. } => true,
        Reach::ShellString { .. }
        | Reach::StandardInput { .. }
        | Reach::Eval
        | Reach::Trap
        | Reach::Source
        | Reach::Evaluated { .. }
        | Reach::RunVariable { .. }
        | Reach::Remote { .. }
        | Reach::Container { .. } => false,
    })
}

fn is_elsewhere(reach: &Reach) -> bool {
    matches!(reach, Reach::Remote { .. } | Reach::Container { .. })
}

fn input(segment: &Segment) -> Input {
    let redirected = segment.redirects.iter().any(|redirect| redirect.operator.as_str().starts_with('<'));
    if redirected {
        Input::Redirected
    } else if segment.pipeline.stage > 0 {
        Input::Pipe
    } else {
        Input::Inherited
    }
}
