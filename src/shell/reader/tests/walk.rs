//! Flattens a tree for comparison: each simple command in source order, an outer command before those inside it.

use crate::shell::tree::{
    AndOr, AssignedValue, Assignment, Command, Compound, Expansion, Part, Redirect, Script, SimpleCommand,
    Word,
};

/// Everything of interest in a tree, in source order.
#[derive(Default)]
pub(in crate::shell::reader) struct Flat<'t> {
    pub(in crate::shell::reader) commands: Vec<&'t SimpleCommand>,
    pub(in crate::shell::reader) redirects: Vec<&'t Redirect>,
    assignments: Vec<&'t Assignment>,
    conditional: Vec<&'t Word>,
    bodies: Vec<&'t Word>,
    /// Here-documents stand behind the line that announces them.
    waiting: Vec<&'t Word>,
}

impl<'t> Flat<'t> {
    pub(in crate::shell::reader) fn of(script: &'t Script) -> Self {
        let mut flat = Self::default();
        flat.substitution(script);
        flat
    }

    fn substitution(&mut self, script: &'t Script) {
        let outer = std::mem::take(&mut self.waiting);
        for item in &script.items {
            self.and_or(item);
            for body in std::mem::take(&mut self.waiting) {
                self.bodies.push(body);
                self.word(body);
            }
        }
        self.waiting = outer;
    }

    fn list(&mut self, script: &'t Script) {
        script.items.iter().for_each(|item| self.and_or(item));
    }

    fn and_or(&mut self, item: &'t AndOr) {
        for pipeline in std::iter::once(&item.first).chain(item.rest.iter().map(|(_, pipeline)| pipeline)) {
            pipeline.stages.iter().for_each(|stage| self.command(&stage.command));
        }
    }

    fn command(&mut self, command: &'t Command) {
        match command {
            Command::Simple(simple) => {
                self.commands.push(simple);
                for assignment in &simple.assignments {
                    self.assignments.push(assignment);
                    assignment.subscript.iter().for_each(|word| self.word(word));
                    match &assignment.value {
                        AssignedValue::Scalar(word) => word.iter().for_each(|word| self.word(word)),
                        AssignedValue::Array(words) => self.words(words),
                    }
                }
                self.words(&simple.words);
                self.redirects(&simple.redirects);
            }
            Command::Compound { kind, redirects, .. } => {
                self.compound(kind);
                self.redirects(redirects);
            }
            Command::Function { body, .. } | Command::Coproc { body, .. } => self.command(body),
        }
    }

    fn compound(&mut self, compound: &'t Compound) {
        match compound {
            Compound::Group(body) | Compound::Subshell(body) => self.list(body),
            Compound::If { branches, otherwise } => {
                for (condition, branch) in branches {
                    self.list(condition);
                    self.list(branch);
                }
                otherwise.iter().for_each(|body| self.list(body));
            }
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.list(condition);
                self.list(body);
            }
            Compound::For { words, body, .. } | Compound::Select { words, body, .. } => {
                self.words(words.as_deref().unwrap_or_default());
                self.list(body);
            }
            Compound::ForArithmetic { expression, body } => {
                self.word(expression);
                self.list(body);
            }
            Compound::Case { word, arms } => {
                self.word(word);
                for (patterns, body) in arms {
                    self.words(patterns);
                    self.list(body);
                }
            }
            Compound::Conditional(words) => {
                self.conditional.extend(words);
                self.words(words);
            }
            Compound::Arithmetic(expression) => {
                self.conditional.push(expression);
                self.word(expression);
            }
        }
    }

    fn redirects(&mut self, redirects: &'t [Redirect]) {
        for redirect in redirects {
            self.redirects.push(redirect);
            self.word(&redirect.target);
            self.waiting.extend(redirect.heredoc.as_ref().map(|document| &document.body));
        }
    }

    fn words(&mut self, words: &'t [Word]) {
        words.iter().for_each(|word| self.word(word));
    }

    fn word(&mut self, word: &'t Word) {
        for part in &word.parts {
            if let Part::Expansion(expansion) = part {
                expansion.nested.iter().for_each(|script| self.substitution(script));
            }
        }
    }
}

/// The text of a word without expansions.
pub(in crate::shell::reader) fn static_text(word: &Word) -> Option<String> {
    word.parts
        .iter()
        .map(|part| match part {
            Part::Text { text, .. } => Some(text.as_str()),
            Part::Expansion(_) => None,
        })
        .collect()
}

/// Each simple command as one line, words with expansions as `‹raw›`.
pub(in crate::shell::reader) fn commands(script: &Script) -> Vec<String> {
    let show = |word: &Word| static_text(word).unwrap_or_else(|| format!("‹{}›", word.raw));
    Flat::of(script)
        .commands
        .iter()
        .map(|command| command.words.iter().map(show).collect::<Vec<_>>().join(" "))
        .collect()
}

/// The words of all simple commands, which must have no expansions.
pub(in crate::shell::reader) fn argument_texts(script: &Script) -> Vec<String> {
    let flat = Flat::of(script);
    flat.commands.iter().flat_map(|command| &command.words).map(|word| static_text(word).unwrap()).collect()
}

/// Each redirection as descriptor, operator and raw target.
pub(in crate::shell::reader) fn redirects(script: &Script) -> Vec<String> {
    let show = |redirect: &&Redirect| {
        let descriptor = redirect.descriptor.clone().unwrap_or_default();
        format!("{descriptor}{}{}", redirect.operator.as_str(), redirect.target.raw)
    };
    Flat::of(script).redirects.iter().map(show).collect()
}

/// Each assignment as it is written.
pub(in crate::shell::reader) fn assignments(script: &Script) -> Vec<String> {
    Flat::of(script).assignments.iter().map(|assignment| assignment.raw.clone()).collect()
}

/// Each word of `[[ ]]` and `(( ))` as it is written.
pub(in crate::shell::reader) fn conditional_words(script: &Script) -> Vec<String> {
    Flat::of(script).conditional.iter().map(|word| word.raw.clone()).collect()
}

/// Each body of a here-document, expansions as `‹raw›`.
pub(in crate::shell::reader) fn here_document_texts(script: &Script) -> Vec<String> {
    let show = |part: &Part| match part {
        Part::Text { text, .. } => text.clone(),
        Part::Expansion(expansion) => format!("‹{}›", expansion.raw),
    };
    Flat::of(script).bodies.iter().map(|body| body.parts.iter().map(show).collect()).collect()
}

/// The expansions of the first word of the first command.
pub(in crate::shell::reader) fn first_word_expansions(script: &Script) -> Vec<&Expansion> {
    let flat = Flat::of(script);
    let parts = &flat.commands[0].words[0].parts;
    let expansions = parts.iter().filter_map(|part| match part {
        Part::Expansion(expansion) => Some(expansion),
        Part::Text { .. } => None,
    });
    expansions.collect()
}
