//! The operands that come when a command runs: from the input of `xargs`, from the files that `find` goes through.
//!
//! Promises that they are bounded only where what supplies them is. Knows nothing of effects.

use super::listings;
use super::objects::SOME;
use super::rules;
use super::values::{Value, Values};
use crate::shell::hardline::{Argument, Unit};
use crate::shell::segment::Reach;
use crate::shell::tree::Word;
use crate::shell::word::{base_name, constant};
use crate::shell::{PipelinePlace, Segment};

/// What takes the place of a supplied operand in `find -exec`, `fd -x`, `xargs -I` and `parallel`.
const PLACEHOLDERS: [&str; 6] = ["{}", "{.}", "{/}", "{//}", "{/.}", "%"];

/// Words that come when a command runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Supply {
    /// What they can be.
    value: Value,
    into: Into,
}

/// Where such words are put.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Into {
    /// In the place of a placeholder, or behind the others where there is none.
    Usual,
    /// Behind the others.
    Behind,
    /// In the place of this text, and nowhere else.
    Place(String),
    /// In the place of a placeholder; the words from `:::` on are the supply itself.
    Parallel,
}

/// What supplies the operands of a command that gets some when it runs, and where they go. Around it are the commands that
/// carry it, outermost first.
pub(super) fn supplied(
    segment: &Segment,
    before: &[&Segment],
    around: &[&Segment],
    values: &Values,
) -> Supply {
    const SUPPLIERS: [&str; 7] = ["find", "gfind", "fd", "fdfind", "xargs", "gxargs", "parallel"];
    // What stands between, such as `sudo`, hands on what it gets.
    let steps = segment.reached.iter().zip(around).rev();
    let supplier = steps.into_iter().find_map(|(reach, carrier)| match reach {
        Reach::Wrapper { program } if SUPPLIERS.contains(&program.as_str()) => {
            Some((program.as_str(), *carrier))
        }
        _ => None,
    });
    let unbounded = Supply { value: Value::Unbounded, into: Into::Usual };
    let Some((by, carrier)) = supplier.filter(|(by, carrier)| is_program(carrier, &[by])) else {
        return unbounded;
    };
    let arguments =
        || -> Vec<Argument> { carrier.words.iter().skip(1).map(|word| values.argument(word)).collect() };
    let from_pipe = || match reads_elsewhere(carrier) {
        true => Value::Unbounded,
        false => piped(segment.pipeline, before, values),
    };
    match by {
        "find" | "gfind" if shows_contents(segment) && !picks(carrier) => unbounded,
        "find" | "gfind" => Supply { value: listings::under(&arguments()), into: Into::Usual },
        "fd" | "fdfind" => {
            let runs = |word: &Word| matches!(word.raw.as_str(), "-x" | "--exec" | "-X" | "--exec-batch");
            let until = carrier.words.iter().position(runs).unwrap_or(carrier.words.len());
            let value = values.lines(carrier.words.get(..until).unwrap_or_default(), None);
            Supply { value, into: Into::Usual }
        }
        "parallel" => {
            let listed: Vec<&Word> = listed(carrier).collect();
            let value = if listed.is_empty() {
                from_pipe()
            } else if listed.iter().any(|word| word.raw.starts_with("::::")) {
                Value::Unbounded
            } else {
                values.words(listed.into_iter().filter(|word| !word.raw.starts_with(":::")))
            };
            Supply { value, into: Into::Parallel }
        }
        "xargs" | "gxargs" => {
            let handing = rules::handing(&arguments());
            let everything = shows_contents(segment)
                && before.iter().any(|first| is_program(first, &["find", "gfind"]) && !picks(first))
                && !before.iter().any(|first| is_program(first, &["grep", "egrep", "fgrep", "rg"]));
            let bounded = handing.as_lines && !everything;
            let value = if bounded { from_pipe() } else { Value::Unbounded };
            Supply { value, into: handing.place.map_or(Into::Behind, Into::Place) }
        }
        _ => unbounded,
    }
}

/// Whether a command shows all that is in the files it is given.
fn shows_contents(segment: &Segment) -> bool {
    is_program(
        segment,
        &["cat", "bat", "batcat", "tac", "nl", "less", "more", "strings", "base64", "xxd", "od", "hexdump"],
    )
}

/// Whether a `find` picks files by their names: without that, files that are hidden are among them.
fn picks(find: &Segment) -> bool {
    find.words.iter().any(|word| {
        let test = word.raw.as_str();
        ["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"].contains(&test)
    })
}

/// Whether the input of a command is none of the pipeline's.
fn reads_elsewhere(segment: &Segment) -> bool {
    segment.redirects.iter().any(|redirect| redirect.operator.as_str().starts_with('<'))
}

/// What the stages in front of one write.
fn piped(place: PipelinePlace, before: &[&Segment], values: &Values) -> Value {
    let mut value: Option<Value> = None;
    for stage in 0..place.stage {
        let first = before
            .iter()
            .find(|segment| segment.pipeline.pipeline == place.pipeline && segment.pipeline.stage == stage);
        let Some(first) = first.filter(|first| !reads_elsewhere(first)) else { return Value::Unbounded };
        value = Some(values.lines(&first.words, value.as_ref()));
    }
    value.unwrap_or(Value::Unbounded)
}

/// The words of `parallel` from the first `:::` on.
fn listed(parallel: &Segment) -> impl Iterator<Item = &Word> {
    parallel.words.iter().skip_while(|word| !word.raw.starts_with(":::"))
}

/// The arguments with what is supplied put in: in the place of the placeholder, or behind them.
pub(super) fn put_in(arguments: &mut Vec<Argument>, supply: &Supply) {
    let units = match &supply.value {
        Value::Known(units) => units.clone(),
        Value::Relative => vec![Unit::Quoted(SOME)],
        Value::Unbounded => vec![Unit::Unknown],
    };
    let own;
    let placeholders: &[&str] = match &supply.into {
        Into::Usual => &PLACEHOLDERS,
        Into::Parallel => {
            let end = arguments.iter().position(|argument| argument.text.starts_with(":::"));
            arguments.truncate(end.unwrap_or(arguments.len()));
            &PLACEHOLDERS
        }
        Into::Behind => &[],
        Into::Place(text) => {
            own = [text.as_str()];
            &own
        }
    };
    let mut replaced = false;
    for argument in arguments.iter_mut() {
        let loose = matches!(supply.into, Into::Usual | Into::Parallel);
        let placeholder = placeholders.iter().find(|placeholder| {
            argument.text.contains(**placeholder) && (**placeholder != "%" || !loose || argument.text == "%")
        });
        let Some(placeholder) = placeholder else { continue };
        replaced = true;
        let mut put = Vec::with_capacity(argument.units.len());
        let wanted: Vec<char> = placeholder.chars().collect();
        let mut rest = argument.units.as_slice();
        while let Some((first, behind)) = rest.split_first() {
            let here = rest.iter().zip(&wanted).filter(|(unit, letter)| unit.character() == **letter).count();
            if here == wanted.len() && rest.len() >= wanted.len() {
                put.extend(units.iter().copied());
                rest = rest.get(wanted.len()..).unwrap_or_default();
            } else {
                put.push(*first);
                rest = behind;
            }
        }
        *argument = made(put);
    }
    if !replaced && !matches!(supply.into, Into::Place(_)) {
        arguments.push(made(units));
    }
}

fn made(units: Vec<Unit>) -> Argument {
    Argument { text: units.iter().map(|unit| unit.character()).collect(), units, has_braces: false }
}

/// Whether a segment is a program of that name.
pub(super) fn is_program(segment: &Segment, names: &[&str]) -> bool {
    segment.words.first().and_then(constant).is_some_and(|path| names.contains(&base_name(&path)))
}
