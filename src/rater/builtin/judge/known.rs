//! One command of a known program: what its entry says of its words, and what the words make of that.
//!
//! Promises that every effect of the entry adds something, and that every word which the entry does not know is said. Knows
//! nothing of other commands of the text.

use super::super::call::{Call, Input, given};
use super::super::effects;
use super::super::findings::Findings;
use super::super::handed;
use super::super::objects::shown;
use super::super::overlooked;
use super::super::particulars;
use super::super::practice;
use super::super::pushes;
use super::super::rules;
use super::super::showing;
use super::super::weakened;
use super::secrets;
use crate::rater::knowledge::{
    Action, Applied, Gap, Level, Objects, Resolved, RuleName, Value, Verb, resolve,
};
use crate::shell::hardline::{self, Argument, Origin, UNKNOWN, text_of};
use crate::shell::tree::Word;

/// Adds what a program does with its arguments, as its entry says. The call around it says where it runs and what is known
/// there; its own program and arguments do not count.
pub(in crate::rater::builtin) fn add(
    around: &Call<'_>,
    level: &'static Level,
    name: &str,
    arguments: &[Argument],
    findings: &mut Findings,
) {
    let resolved = resolve(level, &given(arguments));
    let entered = entered(&resolved, arguments, around.origin);
    let call = Call {
        program: name,
        arguments,
        subcommand_end: resolved.subcommands.last().map_or(0, |at| at + 1),
        operands: &resolved.operands,
        value: None,
        objects: None,
        origin: entered.as_ref().unwrap_or(around.origin),
        entered: entered.is_some() || around.origin.folder != around.grounds.origin().folder,
        ..*around
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
        overlooked::add(&call, &resolved, findings);
        overlooked::far_tasks(&call, &resolved, findings);
    }
    practice::add(&call, &resolved, findings);
    let does_more = resolved.effects.iter().any(|applied| applied.effect.objects.is_none());
    for applied in &resolved.effects {
        call.apply(applied, does_more, findings);
    }
    showing::searches_for_secrets(&call, findings);
    overlooked::opens_doors(&call, findings);
    particulars::links_out(&call, findings);
    particulars::pictures(&call, findings);
    particulars::given_to_code(&call, findings);
    particulars::loses_files(&call, findings);
    showing::searched_files(&call, findings);
    particulars::sets_variables(&call, findings);
    showing::inspected_containers(&call, findings);
    particulars::rules_from_a_host(&call, findings);
    particulars::settings_from_a_host(&call, findings);
    showing::kept_versions(&call, findings);
    showing::shows_environment(&call, findings);
    weakened::add(&call, findings);
}

impl Call<'_> {
    /// What an effect amounts to; with `does_more`, the command has one without objects beside it.
    fn apply(&self, applied: &Applied<'_>, does_more: bool, findings: &mut Findings) {
        let effect = applied.effect;
        let value = applied.value.and_then(|place| Call::value_units(self.arguments, place));
        let call = Call { value, objects: effect.objects, ..*self };
        let verb = match effect.action {
            Action::Verb(verb) => verb,
            Action::Rule(rule) => {
                let works_here = matches!(rule, RuleName::Make | RuleName::GitCheckout);
                if call.entered && works_here {
                    effects::on(call.program, Verb::Builds, &call.here(), None, findings);
                }
                if rule == RuleName::Environment && showing::only_names_go_on(&call, self.analysis) {
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
        if verb == Verb::Wraps && !call.segment.carries_code && !call.operands.is_empty() {
            call.not_assessed("where the command that it runs starts is not known", findings);
            return;
        }
        if verb == Verb::Prints {
            secrets::prints(&call, findings);
        }
        let Some(verb) = call.closer(verb, findings) else { return };
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
                    if call.entered && effects::is_of_the_project(verb) {
                        effects::on(call.program, verb, &call.here(), effect.note, findings);
                    }
                    effects::plain(call.program, verb, None, effect.note, findings);
                }
                for units in chosen {
                    // What many programs take for a file to write to and is none: `| command`.
                    let pipes =
                        verb == Verb::Writes && units.first().is_some_and(|unit| unit.character() == '|');
                    let verb = if pipes { Verb::Runs } else { verb };
                    let object = call.object(units);
                    effects::on(call.program, verb, &object, effect.note, findings);
                    let handed = effect.action == Action::Verb(Verb::Hands);
                    if matches!(verb, Verb::Writes | Verb::Creates | Verb::Builds) && !handed {
                        for path in overlooked::paths_inside(units) {
                            effects::on(call.program, verb, &call.object(path), effect.note, findings);
                        }
                    }
                }
            }
        }
    }

    /// Whether what is ended was started in the background by this text.
    fn ends_own_jobs(&self) -> bool {
        let own = |word: &Word| {
            let raw = word.raw.trim_matches('"');
            let name =
                raw.strip_prefix("${").and_then(|name| name.strip_suffix('}')).or(raw.strip_prefix('$'));
            raw.strip_prefix('%').is_some_and(|job| {
                job.is_empty() || job.bytes().all(|byte| byte.is_ascii_digit() || byte == b'%')
            }) || name.is_some_and(|name| name == "!" || self.whole.is_own_job(name))
        };
        let words = self.segment.words.get(1..).unwrap_or_default();
        let mut operands = words.iter().filter(|word| !word.raw.starts_with('-')).peekable();
        self.program == "kill" && self.whole.starts_jobs() && operands.peek().is_some() && operands.all(own)
    }

    /// The verb that the arguments make of it; `None` where all is said.
    fn closer(&self, verb: Verb, findings: &mut Findings) -> Option<Verb> {
        let call = self;
        match verb {
            Verb::Records => {
                if call.subcommand_is(&["add", "stage"]) {
                    particulars::records_credentials(call, findings);
                }
                if call.program == "git" && call.subcommand_is(&["fetch", "pull"]) {
                    pushes::fetched(call, findings);
                }
                Some(verb)
            }
            Verb::Pushes => {
                pushes::add(call, call.analysis, findings);
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
            // A name is shown, a name with a value is set.
            Verb::Alters if call.program == "sysctl" && call.objects.is_some() => {
                let sets = call
                    .arguments
                    .iter()
                    .any(|argument| argument.text.contains('=') || argument.is_dynamic());
                Some(if sets { verb } else { Verb::Inspects })
            }
            Verb::Stops if call.ends_own_jobs() => {
                call.does_plainly(Verb::Nothing, Some("ends what the text itself started"), findings);
                None
            }
            Verb::Hands => {
                let handed: Vec<String> = match call.objects {
                    Some(objects) => call.chosen(objects).into_iter().map(text_of).collect(),
                    None => call.rest().iter().map(|argument| argument.text.clone()).collect(),
                };
                let text = handed.join(" ");
                Some(if handed::is_harmless(&text) { Verb::Builds } else { verb })
            }
            Verb::Listens if particulars::is_bound_to_this_machine(call) => Some(Verb::Inspects),
            Verb::Reads if showing::shows_only_names(call) => Some(Verb::Lists),
            Verb::Sends if particulars::copies_on_this_machine(call) => None,
            Verb::Inspects if particulars::asks_for_secret(call) => Some(Verb::Exposes),
            Verb::Exposes if particulars::is_handed_on(call.segment, call.analysis) => {
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
fn gaps(call: &Call<'_>, resolved: &Resolved<'_>, findings: &mut Findings) {
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
