//! Files that the text itself writes and then runs.
//!
//! Promises to compare spellings, whatever folder they stand in. What is not noticed is judged like any file that runs.

use super::super::findings::Findings;
use super::super::objects::shown;
use super::super::supply;
use super::{One, Whole};
use crate::gate::Outcome;
use crate::shell::hardline::{Argument, UNKNOWN};
use crate::shell::interpreters::{ProgramSource, program_source};

impl Whole<'_> {
    /// Files that the text itself writes are code that nobody has looked at, once they run.
    pub(super) fn runs_what_was_written(
        &self,
        one: &One<'_>,
        word: &Argument,
        arguments: &[Argument],
        findings: &mut Findings,
    ) {
        let source = program_source(&one.segment.words);
        let file = match source {
            Some(ProgramSource::File(at)) => {
                at.checked_sub(1).and_then(|at| arguments.get(at)).map(|argument| argument.text.as_str())
            }
            Some(_) => None,
            None if word.text.contains('/') => Some(word.text.as_str()),
            None if matches!(word.text.as_str(), "source" | ".") => {
                arguments.first().map(|argument| argument.text.as_str())
            }
            None => None,
        };
        // What a tool of the project takes its orders from.
        const ORDERS: [(&[&str], &[&str]); 8] = [
            (&["make", "gmake"], &["Makefile", "makefile", "GNUmakefile"]),
            (&["npm", "yarn", "pnpm", "bun"], &["package.json"]),
            (&["pytest", "tox"], &["conftest.py", "tox.ini"]),
            (&["just"], &["justfile", "Justfile"]),
            (&["task"], &["Taskfile.yml"]),
            (&["cargo"], &["build.rs"]),
            (&["gradle", "gradlew"], &["build.gradle", "build.gradle.kts"]),
            (&["cmake"], &["CMakeLists.txt"]),
        ];
        let orders = ORDERS.iter().find(|(programs, _)| supply::is_program(one.segment, programs));
        if let Some(file) = orders.and_then(|(_, files)| files.iter().find(|file| self.was_written(file))) {
            findings.not_assessed(|| format!("It writes {} and then does what stands in it.", shown(file)));
        }
        let shell_file = arguments
            .iter()
            .map(|argument| argument.text.as_str())
            .find(|text| matches!(source, Some(ProgramSource::File(_))) && self.was_written(text));
        if let Some(file) = file.filter(|file| self.was_written(file)).or(shell_file) {
            findings.add(Outcome::Destructive, || {
                format!("It writes the file {} and then runs it.", shown(file))
            });
        }
    }

    fn was_written(&self, text: &str) -> bool {
        !self.written.is_empty() && self.written.contains(text.trim_start_matches("./"))
    }

    pub(super) fn note_written(&mut self, one: &One<'_>, arguments: &[Argument]) {
        for redirect in &one.segment.redirects {
            if redirect.operator.as_str().contains('>') {
                self.note(&one.values.argument(&redirect.target).text);
            }
        }
        if supply::is_program(
            one.segment,
            &["tee", "cp", "mv", "install", "curl", "wget", "ln", "unzip", "base64"],
        ) {
            for argument in arguments.iter().filter(|argument| !argument.text.starts_with('-')) {
                self.note(&argument.text);
            }
        }
    }

    fn note(&mut self, text: &str) {
        if self.written.len() < 256 && !text.is_empty() && !text.contains(UNKNOWN) {
            self.written.insert(text.trim_start_matches("./").to_owned());
        }
    }
}
