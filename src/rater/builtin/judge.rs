//! The judgement of a whole command: every segment, every redirection, every flow.
//!
//! Promises that each segment adds something, and that one which adds nothing is not assessed. Knows nothing of single
//! programs.

mod secrets;
mod written;

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
use super::pushes;
use super::redirects;
use super::rules;
use super::supply::{self, Supply};
use super::values::Values;
use super::variables;
use crate::gate::{Outcome, Verdict};
use crate::rater::knowledge::{
    self, Action, Applied, Gap, GivenWord, Level, Objects, Resolved, RuleName, Value, Verb, resolve,
};
use crate::shell::hardline::{
    self, Argument, Check, Folders, Invocation, Origin, Surroundings, UNKNOWN, Unit, lets_input_through,
};
use crate::shell::segment::Reach;
use crate::shell::tree::Word;
use crate::shell::word::base_name;
use crate::shell::{Analysis, Segment};
use std::collections::HashSet;

/// Judges a command that would run in a folder, for a user with a home. Both are absolute paths where they are known.
pub(crate) fn judge(analysis: &Analysis, folder: Option<&str>, home: Option<&str>) -> Verdict {
    let mut findings = Findings::default();
    let grounds = Grounds::new(folder, home);
    if let Some(check) = hardline::find(analysis, Surroundings { folder, home }) {
        findings.add(severity(check), || format!("It would {}.", check.description()));
    }
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
    particulars::searched_for_secrets(analysis.segments(), &mut findings);
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
        variables::add(&segment.assignments, one.values, findings);
        let shows_input = segment.words.is_empty() || {
            let origin = std::rc::Rc::new(one.origin.clone());
            segment.redirects.is_empty() || lets_input_through(&Invocation::new(segment, 0, origin))
        };
        let surroundings = (one.origin, self.grounds, one.elsewhere);
        redirects::add(&segment.redirects, one.values, surroundings, shows_input, findings);
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
        let name = if knowledge::entry(spelled).is_some() { spelled.to_owned() } else { spelled.to_lowercase() };
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
            Program::Known(level) => self.known(one, level, &name, &arguments, findings),
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

    fn known(
        &mut self,
        one: &One<'_>,
        level: &'static Level,
        name: &str,
        arguments: &[Argument],
        findings: &mut Findings,
    ) {
        let given: Vec<GivenWord<'_>> = arguments
            .iter()
            .map(|argument| GivenWord {
                text: &argument.text,
                open: argument.units.first() == Some(&Unit::Unknown),
            })
            .collect();
        let resolved = resolve(level, &given);
        let subcommand_end = resolved.subcommands.last().map_or(0, |at| at + 1);
        let entered = entered(&resolved, arguments, one.origin);
        let call = Call {
            segment: one.segment,
            program: name,
            arguments,
            subcommand_end,
            operands: &resolved.operands,
            value: None,
            objects: None,
            input: one.input,
            elsewhere: one.elsewhere,
            origin: entered.as_ref().unwrap_or(one.origin),
            entered: entered.is_some(),
            grounds: self.grounds,
        };
        let has_rule = resolved
            .levels
            .last()
            .is_some_and(|level| level.effects.iter().any(|effect| matches!(effect.action, Action::Rule(_))));
        if resolved.asks_for_help && !has_rule {
            effects::plain(name, Verb::Nothing, None, Some("it shows its help or version"), findings);
            return;
        }
        if !has_rule {
            gaps(&call, &resolved, findings);
        }
        let does_more = resolved.effects.iter().any(|applied| applied.effect.objects.is_none());
        for applied in &resolved.effects {
            self.apply(&call, one, applied, does_more, findings);
        }
        particulars::searches_for_secrets(&call, findings);
        particulars::links_out(&call, findings);
        particulars::shows_environment(&call, findings);
    }

    /// What an effect amounts to; with `does_more`, the command has one without objects beside it.
    fn apply(
        &mut self,
        call: &Call<'_>,
        one: &One<'_>,
        applied: &Applied<'_>,
        does_more: bool,
        findings: &mut Findings,
    ) {
        let effect = applied.effect;
        let value = applied.value.and_then(|place| Call::value_units(call.arguments, place));
        let call = Call { value, objects: effect.objects, ..*call };
        let verb = match effect.action {
            Action::Verb(verb) => verb,
            Action::Rule(rule) => {
                if rule == RuleName::Environment && particulars::only_names_go_on(&call, self.analysis) {
                    call.does_plainly(Verb::Lists, Some("names of variables"), findings);
                    return;
                }
                let mut own = Findings::default();
                rules::apply(rule, &call, &mut own);
                if own.is_empty() {
                    own.not_assessed(|| format!("What {} would do is not known.", shown(call.program)));
                }
                findings.take(own);
                return;
            }
        };
        if verb == Verb::Wraps && !one.segment.carries_code && !call.operands.is_empty() {
            call.not_assessed("where the command that it runs starts is not known", findings);
            return;
        }
        if verb == Verb::Prints {
            self.prints(one, findings);
        }
        let Some(verb) = self.closer(verb, &call, one, findings) else { return };
        match effect.objects {
            None if call.entered && effects::is_of_the_project(verb) => {
                effects::on(call.program, verb, &call.here(), effect.note, findings);
            }
            None => effects::plain(call.program, verb, None, effect.note, findings),
            Some(Objects::Here) => effects::on(call.program, verb, &call.here(), effect.note, findings),
            Some(objects) => {
                let chosen = call.chosen(objects);
                if chosen.is_empty() {
                    let verb = nearest_without_object(verb, does_more && objects != Objects::Value);
                    effects::plain(call.program, verb, None, effect.note, findings);
                }
                for units in chosen {
                    // What many programs take for a file to write to and is none: `| command`.
                    let pipes =
                        verb == Verb::Writes && units.first().is_some_and(|unit| unit.character() == '|');
                    let verb = if pipes { Verb::Runs } else { verb };
                    let object = call.object(units);
                    effects::on(call.program, verb, &object, effect.note, findings);
                }
            }
        }
    }

    /// Whether what is ended was started in the background by this text.
    fn ends_own_jobs(&self, call: &Call<'_>) -> bool {
        let own = |word: &Word| {
            let raw = word.raw.trim_matches('"');
            let name = raw.strip_prefix("${").and_then(|name| name.strip_suffix('}')).or(raw.strip_prefix('$'));
            raw.strip_prefix('%').is_some_and(|job| job.is_empty() || job.bytes().all(|byte| byte.is_ascii_digit() || byte == b'%'))
                || name.is_some_and(|name| name == "!" || self.values.is_own_job(name))
        };
        let words = call.segment.words.get(1..).unwrap_or_default();
        let mut operands = words.iter().filter(|word| !word.raw.starts_with('-')).peekable();
        call.program == "kill" && self.values.starts_jobs() && operands.peek().is_some() && operands.all(own)
    }

    /// The verb that the arguments make of it; `None` where all is said.
    fn closer(&self, verb: Verb, call: &Call<'_>, one: &One<'_>, findings: &mut Findings) -> Option<Verb> {
        match verb {
            Verb::Records => {
                if call.subcommand_is(&["add", "stage"]) {
                    particulars::records_credentials(call, findings);
                }
                Some(verb)
            }
            Verb::Pushes => {
                pushes::add(call, self.analysis, findings);
                Some(verb)
            }
            Verb::Fetches | Verb::Sends
                if call.input == Input::Inherited && particulars::stays_on_this_machine(call) =>
            {
                effects::plain(
                    call.program,
                    Verb::Inspects,
                    None,
                    Some("a server of this machine"),
                    findings,
                );
                None
            }
            Verb::Stops if self.ends_own_jobs(call) => {
                call.does_plainly(Verb::Nothing, Some("ends what the text itself started"), findings);
                None
            }
            Verb::Reads if particulars::shows_only_names(call) => Some(Verb::Lists),
            Verb::Sends if particulars::copies_on_this_machine(call) => None,
            Verb::Inspects if particulars::asks_for_secret(call) => Some(Verb::Exposes),
            Verb::Exposes if particulars::is_handed_on(one.segment, self.analysis) => {
                call.does_plainly(Verb::Alters, Some("it hands credentials to another program"), findings);
                None
            }
            Verb::Runs if particulars::activates(call) => {
                effects::plain(
                    call.program,
                    Verb::Nothing,
                    None,
                    Some("the project's own environment"),
                    findings,
                );
                None
            }
            verb => Some(verb),
        }
    }
}

/// Where a verb whose objects are left out falls back to: a filter reads its input, a change without objects changes nothing,
/// and `builds, runs operands` only builds.
fn nearest_without_object(verb: Verb, does_more: bool) -> Verb {
    match verb {
        Verb::Deletes | Verb::Modes => Verb::Nothing,
        Verb::Runs | Verb::Reroutes | Verb::Alters | Verb::Unknown if does_more => Verb::Nothing,
        other => other,
    }
}

/// Whether all that an unknown program is asked for is what every program shows for it.
fn only_asks_for_help(arguments: &[Argument]) -> bool {
    matches!(arguments, [only] if matches!(only.text.as_str(), "--help" | "--version"))
}

/// The folder that a command works in by its options; `None` where they name none.
fn entered(resolved: &Resolved<'_>, arguments: &[Argument], origin: &Origin) -> Option<Origin> {
    let mut entered: Option<Origin> = None;
    for applied in &resolved.effects {
        if applied.effect.action == Action::Verb(Verb::Enters)
            && let Some(units) = applied.value.and_then(|place| Call::value_units(arguments, place))
        {
            let folder = hardline::Path::resolve(units, entered.as_ref().unwrap_or(origin));
            entered = Some(Origin { folder, home: origin.home.clone() });
        }
    }
    entered
}

/// Whether it matters that a word may turn out to be an option: some option does more than the command does anyway, or may
/// take another for its value that says that nothing is to be done.
fn options_matter(resolved: &Resolved<'_>) -> bool {
    let Some(mut options) = resolved.options_of_operands() else { return true };
    let in_front = |at: &usize| resolved.replaced_by == Some(at + 1);
    let may_take_it = resolved.open.iter().any(in_front);
    options.any(|form| {
        !form.effects.iter().all(effects::is_mild)
            || may_take_it && matches!(form.value, Value::Any | Value::OneOf(_))
    })
}

/// Adds what is not known of a command.
pub(super) fn gaps(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
    for gap in &resolved.gaps {
        let what = match gap {
            Gap::Option(option) => format!("the option {} is not known", shown(option)),
            Gap::Value(option) => format!("this value of the option {} is not known", shown(option)),
            Gap::MissingValue(option) => format!("the option {} has no value", shown(option)),
            Gap::Shortened(option) => format!("the option {} is shortened", shown(option)),
            Gap::OpenSubcommand => "what it is asked to do will only be known when it runs".to_owned(),
            Gap::Subcommand(Some(at)) => {
                let word =
                    call.arguments.get(*at).map(|argument| shown(&argument.text.replace(UNKNOWN, "…")));
                format!("what {} does is not known", word.unwrap_or_default())
            }
            Gap::Subcommand(None) => "what it does without further words is not known".to_owned(),
        };
        call.not_assessed(&what, findings);
    }
    if !resolved.open.is_empty() && options_matter(resolved) {
        call.not_assessed("a value that is only known when it runs may turn out to be an option", findings);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_run_beside_other_work_is_nothing_where_no_operand_names_it() {
        assert_eq!(nearest_without_object(Verb::Runs, true), Verb::Nothing);
        assert_eq!(nearest_without_object(Verb::Reroutes, true), Verb::Nothing);
        assert_eq!(nearest_without_object(Verb::Alters, true), Verb::Nothing);
        assert_eq!(nearest_without_object(Verb::Unknown, true), Verb::Nothing);
        assert_eq!(nearest_without_object(Verb::Runs, false), Verb::Runs);
        assert_eq!(nearest_without_object(Verb::Wipes, true), Verb::Wipes);
    }
}
