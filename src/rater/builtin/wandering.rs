//! Loops that move their working folder further at each turn.
//!
//! Promises to speak up where a later turn may start outside of the folder that the first one starts in. Knows nothing of
//! what else the loop does.

use crate::shell::tree::{AndOr, Command, Compound, Script};
use crate::shell::word::constant;

/// The deepest nesting that is looked into.
const MAX_DEPTH: u32 = 100;

/// Whether a turn of the loop may end outside of the folder that it starts in.
pub(super) fn wanders(body: &Script) -> bool {
    let mut walk = Walk { depth: 0, wanders: false };
    walk.script(body, 0);
    walk.wanders
}

struct Walk {
    /// How many folders below the one it starts in.
    depth: usize,
    wanders: bool,
}

impl Walk {
    fn script(&mut self, script: &Script, level: u32) {
        if level > MAX_DEPTH {
            self.wanders = true;
            return;
        }
        for AndOr { first, rest, background: _ } in &script.items {
            for pipeline in std::iter::once(first).chain(rest.iter().map(|(_, pipeline)| pipeline)) {
                // The stages of a pipeline of several move only themselves.
                if let [stage] = pipeline.stages.as_slice() {
                    self.command(&stage.command, level);
                }
            }
        }
    }

    fn command(&mut self, command: &Command, level: u32) {
        match command {
            Command::Simple(simple) => {
                let mut words = simple.words.iter().map(|word| (constant(word), word));
                if !matches!(words.next(), Some((Some(name), _)) if matches!(name.as_ref(), "cd" | "pushd" | "chdir" | "popd"))
                {
                    return;
                }
                let target = words.find(|(text, _)| {
                    !text.as_ref().is_some_and(|text| text.starts_with('-') && text.len() > 1)
                });
                match target {
                    Some((Some(text), _)) if text == "-" => self.depth = self.depth.saturating_sub(1),
                    Some((Some(text), _)) if text.starts_with(['/', '~']) => self.wanders = true,
                    Some((Some(text), _)) => self.follow(&text),
                    // A value: the judge of the command says whether it is bounded. It leads down at most.
                    Some((None, _)) => self.depth += 1,
                    None => self.wanders = true,
                }
            }
            Command::Compound { kind, .. } => match kind {
                Compound::Subshell(_) | Compound::Conditional(_) | Compound::Arithmetic(_) => {}
                Compound::Group(body) => self.script(body, level + 1),
                Compound::If { branches, otherwise } => {
                    for (condition, branch) in branches {
                        self.script(condition, level + 1);
                        self.script(branch, level + 1);
                    }
                    if let Some(branch) = otherwise {
                        self.script(branch, level + 1);
                    }
                }
                Compound::While { condition, body } | Compound::Until { condition, body } => {
                    self.script(condition, level + 1);
                    self.script(body, level + 1);
                }
                Compound::For { body, .. }
                | Compound::Select { body, .. }
                | Compound::ForArithmetic { body, .. } => {
                    self.script(body, level + 1);
                }
                Compound::Case { word: _, arms } => {
                    for (_, body) in arms {
                        self.script(body, level + 1);
                    }
                }
            },
            Command::Function { .. } | Command::Coproc { .. } => {}
        }
    }

    fn follow(&mut self, path: &str) {
        for name in path.split('/') {
            match name {
                "" | "." => {}
                ".." if self.depth == 0 => self.wanders = true,
                ".." => self.depth -= 1,
                _ => self.depth += 1,
            }
        }
    }
}
