//! Puts the bodies of here-documents where their redirections stand in the tree.
//!
//! A body is read lines after its redirection, when that is already part of the tree. Promises that no placeholder is left.

use super::here_documents::HereDocuments;
use crate::shell::tree::{
    AndOr, AssignedValue, Command, Compound, Part, Pipeline, Redirect, Script, SimpleCommand, Word,
};

impl HereDocuments {
    /// Delivers every body into a list.
    pub(super) fn deliver(&mut self, items: &mut [AndOr]) {
        if self.bodies.is_empty() {
            return;
        }
        for item in items {
            self.pipeline(&mut item.first);
            for (_, pipeline) in &mut item.rest {
                self.pipeline(pipeline);
            }
        }
    }

    /// Delivers every body into the substitutions of a word.
    pub(super) fn deliver_into_word(&mut self, word: &mut Word) {
        if self.bodies.is_empty() {
            return;
        }
        for part in &mut word.parts {
            match part {
                Part::Text { .. } => {}
                Part::Expansion(expansion) => {
                    for script in &mut expansion.nested {
                        self.script(script);
                    }
                }
            }
        }
    }

    fn script(&mut self, script: &mut Script) {
        self.deliver(&mut script.items);
    }

    fn words(&mut self, words: &mut [Word]) {
        for word in words {
            self.deliver_into_word(word);
        }
    }

    fn pipeline(&mut self, pipeline: &mut Pipeline) {
        for stage in &mut pipeline.stages {
            self.command(&mut stage.command);
        }
    }

    fn command(&mut self, command: &mut Command) {
        match command {
            Command::Simple(simple) => self.simple(simple),
            Command::Compound { kind, redirects, span: _ } => {
                self.compound(kind);
                self.redirects(redirects);
            }
            Command::Function { name: _, body, span: _ } | Command::Coproc { name: _, body, span: _ } => {
                self.command(body);
            }
        }
    }

    fn simple(&mut self, simple: &mut SimpleCommand) {
        for assignment in &mut simple.assignments {
            if let Some(subscript) = &mut assignment.subscript {
                self.deliver_into_word(subscript);
            }
            match &mut assignment.value {
                AssignedValue::Scalar(None) => {}
                AssignedValue::Scalar(Some(word)) => self.deliver_into_word(word),
                AssignedValue::Array(elements) => self.words(elements),
            }
        }
        self.words(&mut simple.words);
        self.redirects(&mut simple.redirects);
    }

    fn redirects(&mut self, redirects: &mut [Redirect]) {
        for redirect in redirects {
            self.deliver_into_word(&mut redirect.target);
            let Some(document) = &mut redirect.heredoc else { continue };
            if !document.body.parts.is_empty() {
                continue;
            }
            let ticket = document.body.span.take().map_or(usize::MAX, |span| span.start);
            match self.bodies.get_mut(ticket).and_then(Option::take) {
                Some(read) => *document = read,
                // The text ended first.
                None => document.body.parts.push(Part::Text { text: String::new(), quoted: true }),
            }
        }
    }

    fn compound(&mut self, compound: &mut Compound) {
        match compound {
            Compound::Group(body) | Compound::Subshell(body) => self.script(body),
            Compound::If { branches, otherwise } => {
                for (condition, branch) in branches {
                    self.script(condition);
                    self.script(branch);
                }
                if let Some(otherwise) = otherwise {
                    self.script(otherwise);
                }
            }
            Compound::While { condition, body } | Compound::Until { condition, body } => {
                self.script(condition);
                self.script(body);
            }
            Compound::For { variable: _, words, body } | Compound::Select { variable: _, words, body } => {
                self.words(words.as_deref_mut().unwrap_or_default());
                self.script(body);
            }
            Compound::ForArithmetic { expression, body } => {
                self.deliver_into_word(expression);
                self.script(body);
            }
            Compound::Case { word, arms } => {
                self.deliver_into_word(word);
                for (patterns, body) in arms {
                    self.words(patterns);
                    self.script(body);
                }
            }
            Compound::Conditional(words) => self.words(words),
            Compound::Arithmetic(expression) => self.deliver_into_word(expression),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::here_document_texts;

    #[test]
    fn every_place_that_can_hold_a_redirection_gets_its_body() {
        for text in [
            "if a <<E\nx\nE\nthen b; fi",
            "if a; then b <<E\nx\nE\nelse c; fi",
            "while a; do b; done <<E\nx\nE",
            "for i in $(a <<E\nx\nE\n); do b; done",
            "select i in a; do b <<E\nx\nE\ndone",
            "case $(a <<E\nx\nE\n) in b) c;; esac",
            "case a in b) c <<E\nx\nE\n;; esac",
            "f() { a <<E\nx\nE\n}",
            "coproc a <<E\nx\nE",
            "A=$(a <<E\nx\nE\n) b",
            "A=($(a <<E\nx\nE\n))",
            "b[$(a <<E\nx\nE\n)]=1",
            "[[ $(a <<E\nx\nE\n) ]]",
            "(( $(a <<E\nx\nE\n) ))",
            "for (( $(a <<E\nx\nE\n);;)); do b; done",
            "a >$(b <<E\nx\nE\n)",
            "a ${x:-$(b <<E\nx\nE\n)}",
            "(a <<E\nx\nE\n) | b",
            "a && b <<E\nx\nE",
        ] {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(here_document_texts(&script), ["x\n"], "{text:?}");
        }
    }
}
