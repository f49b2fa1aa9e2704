//! Code in other languages than the shell's, as far as it hands commands to a shell or to the system.
//!
//! Promises that a command which such code writes out is a segment like any other. What the code does itself is not its
//! business.

mod calls;

use super::interpreters::{self, ProgramSource};
use super::reader;
use super::segment::Reach;
use super::segments::{Context, Input, Walk};
use super::tree::Word;
use super::word::{best_text, constant, quoted};
use calls::Carried;

impl Walk<'_> {
    /// The commands that code for another interpreter than a shell writes out.
    pub(super) fn foreign_code(&mut self, index: usize, words: &[Word], context: &Context) {
        let Some(path) = words.first().and_then(constant) else { return };
        let program = interpreters::plain_name(&path);
        let texts: Vec<String> = match interpreters::program_source(words) {
            Some(ProgramSource::Words(positions)) => {
                positions.iter().filter_map(|at| words.get(*at)).map(|word| best_text(word).0).collect()
            }
            Some(ProgramSource::StandardInput) => match &context.input {
                Input::Text(text) => vec![text.0.clone()],
                Input::Inherited | Input::File | Input::Unknown => return,
            },
            Some(ProgramSource::File(_) | ProgramSource::Module { .. } | ProgramSource::Nothing) | None => {
                return;
            }
        };
        for carried in texts.iter().flat_map(|text| calls::carried(text, &program)) {
            self.carries_code(index);
            let mut inner = context.step(Reach::ShellString { program: program.clone() });
            inner.input = Input::Unknown;
            inner.parameters = None;
            match carried {
                Carried::Line(line) => {
                    if self.spend(line.len(), &inner).is_none() || self.too_deep(&inner) {
                        return;
                    }
                    // What does not read as shell was perhaps never meant for one: the interpreter itself stays unread.
                    match reader::read_nested(&line, inner.depth) {
                        Ok(script) => self.script(&script, &inner),
                        Err(error) => self.script(&error.before, &inner),
                    }
                }
                Carried::Argv(arguments) => {
                    let words: Vec<Word> = arguments.iter().map(|argument| quoted(argument)).collect();
                    self.argv(&words, &inner);
                }
            }
        }
    }
}
