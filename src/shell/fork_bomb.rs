//! Functions that start copies of themselves without end, told by their structure and never by their name.
//!
//! Promises to name only a function that, each time it is called, starts at least two more calls of itself at once with
//! nothing that decides whether to. Looks at no nested definition, so that all definitions of a text cost its length.

use super::tree::{Command, Compound, Pipeline, Script, SimpleCommand};
use super::word::constant;

/// Whether each call of the function starts two calls of itself at once: `f | f`, or two of which one runs in the background.
pub(crate) fn starts_itself_twice(name: &str, body: &Command) -> bool {
    let mut calls = Calls::default();
    calls.command(name, body, false);
    calls.piped || (calls.all >= 2 && calls.background >= 1)
}

/// The calls of itself that a function makes whenever it runs.
#[derive(Default)]
struct Calls {
    all: usize,
    background: usize,
    piped: bool,
    /// Something before ends the function under a condition.
    may_end: bool,
}

impl Calls {
    fn command(&mut self, name: &str, command: &Command, background: bool) {
        match command {
            Command::Simple(simple) => {
                if is_call(name, simple) {
                    self.all = self.all.saturating_add(1);
                    self.background = self.background.saturating_add(usize::from(background));
                }
            }
            Command::Compound { kind, .. } => match kind {
                Compound::Group(script) | Compound::Subshell(script) => self.script(name, script, background),
                Compound::While { condition, body } | Compound::Until { condition, body } => {
                    // `while true; do f & done` starts more than two.
                    if always_true(condition) {
                        let (all, in_background) = (self.all, self.background);
                        self.script(name, body, background);
                        self.all = self.all.saturating_add(self.all - all);
                        self.background = self.background.saturating_add(self.background - in_background);
                    }
                }
                Compound::If { .. } | Compound::Case { .. } => self.may_end = true,
                Compound::For { .. }
                | Compound::ForArithmetic { .. }
                | Compound::Select { .. }
                | Compound::Conditional(_)
                | Compound::Arithmetic(_) => {}
            },
            Command::Coproc { body, .. } => self.command(name, body, true),
            Command::Function { .. } => {}
        }
    }

    fn script(&mut self, name: &str, script: &Script, background: bool) {
        for item in &script.items {
            if self.may_end {
                return;
            }
            let background = background || item.background;
            self.pipeline(name, &item.first, background);
            if item.rest.is_empty() {
                continue;
            }
            // What follows `&&` or `||` may not run, and may leave the function.
            let conditional = item.rest.iter().flat_map(|(_, pipeline)| &pipeline.stages);
            self.may_end |= conditional.into_iter().any(|stage| leaves(&stage.command));
        }
    }

    fn pipeline(&mut self, name: &str, pipeline: &Pipeline, background: bool) {
        let before = self.all;
        for stage in &pipeline.stages {
            self.command(name, &stage.command, background);
        }
        self.piped |= pipeline.stages.len() > 1 && self.all.saturating_sub(before) >= 2;
    }
}

fn is_call(name: &str, simple: &SimpleCommand) -> bool {
    simple.words.first().and_then(constant).is_some_and(|word| word == name)
}

fn leaves(command: &Command) -> bool {
    match command {
        Command::Simple(simple) => simple
            .words
            .first()
            .and_then(constant)
            .is_some_and(|word| matches!(word.as_ref(), "return" | "exit" | "break")),
        Command::Compound { .. } => true,
        Command::Function { .. } | Command::Coproc { .. } => false,
    }
}

fn always_true(condition: &Script) -> bool {
    super::canonical::only_command(condition)
        .and_then(|command| command.words.first())
        .and_then(constant)
        .is_some_and(|word| matches!(word.as_ref(), "true" | ":" | "/bin/true" | "1"))
}
