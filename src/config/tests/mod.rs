//! What a configuration file means, told through whole files.

mod agents;
mod auth;
mod compiling;
mod example;
mod ext_authz;
mod listening;
mod loading;
mod merging;
mod notifications;
mod rater;
mod revisions;
mod validation;
mod watching;

use super::configuration::Configuration;
use super::document::Document;
use super::overrides::Overrides;
use super::problem::{Problem, Problems};
use super::{Posture, Source};
use crate::rules::{Entry, ListKind, ServerPattern, TextPattern, ToolPattern};
use std::path::Path;

/// Lays texts over one another, the lowest first, as files named `0.jsonc`, `1.jsonc` and so on.
fn laid(texts: &[&str]) -> (Configuration, Problems) {
    let mut configuration = Configuration::default();
    let mut problems: Vec<Problem> = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        match Document::parse(&format!("{index}.jsonc"), text) {
            Ok(document) => problems.extend(configuration.lay(&document, Path::new("policies"))),
            Err(found) => problems.extend(found),
        }
    }
    problems.extend(configuration.contradictions());
    (configuration, Problems::new(problems))
}

fn layered(texts: &[&str]) -> Result<Configuration, Problems> {
    let (configuration, problems) = laid(texts);
    if problems.has_errors() { Err(problems) } else { Ok(configuration) }
}

/// The warnings that come with reading sound texts.
fn warnings(texts: &[&str]) -> Vec<String> {
    laid(texts).1.list().iter().map(ToString::to_string).collect()
}

pub(super) fn sound(texts: &[&str]) -> Configuration {
    layered(texts).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The error lines of one text, without the file's name.
fn errors(text: &str) -> Vec<String> {
    match layered(&[text]) {
        Ok(_) => Vec::new(),
        Err(problems) => {
            let lines = problems.list().iter().filter(|problem| problem.is_error()).map(ToString::to_string);
            lines.map(|line| line.trim_start_matches("0.jsonc:").to_owned()).collect()
        }
    }
}

/// The patterns of a list, in order.
fn patterns(posture: &Posture, list: ListKind) -> Vec<String> {
    let name = |pattern: &ToolPattern| match pattern {
        ToolPattern::Name(text) => text_of(text),
        ToolPattern::Hints(hints) => format!("{hints:?}"),
    };
    posture
        .declared(list)
        .into_iter()
        .map(|declared| match declared.entry {
            Entry::Shell { pattern, .. } => text_of(&pattern),
            Entry::Tool { pattern, .. } => name(&pattern),
            Entry::McpTool { server: ServerPattern::Any, pattern, .. } => format!("*/{}", name(&pattern)),
            Entry::McpTool { server: ServerPattern::Key(key), pattern, .. } => {
                format!("{key}/{}", name(&pattern))
            }
        })
        .collect()
}

fn text_of(pattern: &TextPattern) -> String {
    match pattern {
        TextPattern::Exact(text) | TextPattern::Glob(text) | TextPattern::Regexp(text) => text.clone(),
    }
}

fn in_folder(folder: &Path) -> Source {
    Source { folder: folder.to_path_buf(), overrides: Overrides::default() }
}
