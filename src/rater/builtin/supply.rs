//! The operands that come when a command runs: from the input of `xargs`, from the files that `find` goes through.
//!
//! Promises that they are bounded only where what supplies them is. Knows nothing of effects.

use super::listings;
use super::objects::SOME;
use super::values::{Value, Values};
use crate::shell::hardline::{Argument, Unit};
use crate::shell::segment::Reach;
use crate::shell::word::{base_name, constant};
use crate::shell::{PipelinePlace, Segment};

/// What takes the place of a supplied operand in `find -exec`, `fd -x`, `xargs -I` and `parallel`.
const PLACEHOLDERS: [&str; 6] = ["{}", "{.}", "{/}", "{//}", "{/.}", "%"];

/// What supplies the operands of a command that gets some when it runs.
pub(super) fn supplied(
    segment: &Segment,
    before: &[&Segment],
    around: Option<&Segment>,
    values: &Values,
) -> Value {
    let by = segment.reached.iter().rev().find_map(|reach| match reach {
        Reach::Wrapper { program } => Some(program.as_str()),
        _ => None,
    });
    match by {
        Some("find" | "gfind") => match around {
            Some(find) => {
                let arguments: Vec<Argument> =
                    find.words.iter().skip(1).map(|word| values.argument(word)).collect();
                listings::under(&arguments)
            }
            None => Value::Unbounded,
        },
        Some("fd" | "fdfind") => match around {
            Some(fd) => {
                let until = fd
                    .words
                    .iter()
                    .position(|word| matches!(word.raw.as_str(), "-x" | "--exec" | "-X" | "--exec-batch"))
                    .unwrap_or(fd.words.len());
                values.lines(fd.words.get(..until).unwrap_or_default(), None)
            }
            None => Value::Unbounded,
        },
        Some("xargs" | "gxargs" | "parallel") => piped(segment.pipeline, before, values),
        _ => Value::Unbounded,
    }
}

/// What the stages in front of one write.
fn piped(place: PipelinePlace, before: &[&Segment], values: &Values) -> Value {
    let mut value: Option<Value> = None;
    for stage in 0..place.stage {
        let first = before
            .iter()
            .find(|segment| segment.pipeline.pipeline == place.pipeline && segment.pipeline.stage == stage);
        let Some(first) = first else { return Value::Unbounded };
        value = Some(values.lines(&first.words, value.as_ref()));
    }
    value.unwrap_or(Value::Unbounded)
}

/// The arguments with what is supplied put in: in the place of the placeholder, or behind them.
pub(super) fn put_in(arguments: &mut Vec<Argument>, value: &Value) {
    let units = match value {
        Value::Known(units) => units.clone(),
        Value::Relative => vec![Unit::Quoted(SOME)],
        Value::Unbounded => vec![Unit::Unknown],
    };
    let mut replaced = false;
    for argument in arguments.iter_mut() {
        let placeholder = PLACEHOLDERS.iter().find(|placeholder| {
            argument.text.contains(**placeholder) && (**placeholder != "%" || argument.text == "%")
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
    if !replaced {
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
