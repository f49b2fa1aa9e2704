//! Values that the text itself defines: variables set to constants, parameters handed to a script, literal output.
//!
//! Promises only what follows from the text; what is unknown stays an expansion. Bounded in values per name.

use std::collections::HashMap;

use super::tree::{
    AssignedValue, Command, Expansion, ExpansionKind, Part, RedirectOperator, Script, SimpleCommand, Word,
};
use super::word::{base_name, best_text, constant, is_constant, message, quoted as quoted_word};

/// The most values that are remembered for one variable.
pub(crate) const MAX_VALUES: usize = 4;
/// The most variables that are remembered.
const MAX_VARIABLES: usize = 256;
/// The longest value that is remembered, in bytes.
const MAX_VALUE_BYTES: usize = 16 * 1024;

/// What variables may hold, as far as the text says.
#[derive(Debug, Default)]
pub(crate) struct Values {
    by_name: HashMap<String, Vec<String>>,
}

impl Values {
    /// Remembers the assignments of a command that holds nothing else, and those of the declaring builtins.
    pub(crate) fn learn(&mut self, command: &SimpleCommand) {
        if command.words.is_empty() {
            for assignment in &command.assignments {
                if let AssignedValue::Scalar(Some(word)) = &assignment.value
                    && assignment.subscript.is_none()
                    && let Some(value) = self.resolve(word)
                {
                    self.remember(&assignment.name, value);
                }
            }
            return;
        }
        let declares = command.words.first().and_then(constant).is_some_and(|name| {
            matches!(name.as_ref(), "export" | "declare" | "typeset" | "local" | "readonly")
        });
        if declares {
            for word in command.words.iter().skip(1) {
                if let Some((name, value)) =
                    self.resolve(word).as_deref().and_then(|text| text.split_once('='))
                {
                    self.remember(name, value.to_owned());
                }
            }
        }
    }

    /// Remembers the words that a loop variable goes through.
    pub(crate) fn learn_loop(&mut self, variable: &str, words: &[Word]) {
        for word in words.iter().take(MAX_VALUES) {
            if let Some(value) = self.resolve(word) {
                self.remember(variable, value);
            }
        }
    }

    fn remember(&mut self, name: &str, value: String) {
        if value.len() > MAX_VALUE_BYTES
            || (self.by_name.len() >= MAX_VARIABLES && !self.by_name.contains_key(name))
        {
            return;
        }
        let values = self.by_name.entry(name.to_owned()).or_default();
        if values.contains(&value) {
            return;
        }
        if values.len() >= MAX_VALUES {
            values.pop();
        }
        values.insert(0, value);
    }

    fn resolve(&self, word: &Word) -> Option<String> {
        if let Some(text) = constant(word) {
            return (text.len() <= MAX_VALUE_BYTES).then(|| text.into_owned());
        }
        let mut value = String::new();
        for part in &word.parts {
            match part {
                Part::Text { text, .. } => value.push_str(text),
                Part::Expansion(expansion) => value.push_str(&self.value(expansion, 0)?),
            }
            if value.len() > MAX_VALUE_BYTES {
                return None;
            }
        }
        Some(value)
    }

    /// The value of an expansion; of several, the one with this number or the last.
    fn value(&self, expansion: &Expansion, variant: usize) -> Option<String> {
        match expansion.kind {
            ExpansionKind::Parameter => {
                let name = expansion.parameter.as_deref()?;
                let raw = expansion.raw.as_str();
                let inner = raw
                    .strip_prefix("${")
                    .and_then(|raw| raw.strip_suffix('}'))
                    .or_else(|| raw.strip_prefix('$'))?;
                let operation = inner.strip_prefix(name)?;
                if let Some(values) = self.by_name.get(name) {
                    let plain =
                        operation.is_empty() || operation.starts_with(":-") || operation.starts_with('-');
                    return values.get(variant).or_else(|| values.last()).filter(|_| plain).cloned();
                }
                if operation.is_empty() {
                    return (name == "IFS").then(|| " ".to_owned());
                }
                let fallback =
                    [":-", ":=", "-", "="].iter().find_map(|operator| operation.strip_prefix(operator))?;
                (!fallback.contains(['$', '`', '\'', '"', '\\', '{'])).then(|| fallback.to_owned())
            }
            ExpansionKind::Command => match expansion.nested.as_slice() {
                [script] => literal_script_output(script).map(|text| text.trim_end_matches('\n').to_owned()),
                _ => None,
            },
            ExpansionKind::Locale => message(expansion).map(str::to_owned),
            ExpansionKind::Arithmetic | ExpansionKind::Process | ExpansionKind::ExtendedPattern => None,
        }
    }

    /// How many variants [`Self::put_in`] can give for these words.
    pub(crate) fn variants(&self, words: &[Word]) -> usize {
        let expansions = words.iter().flat_map(|word| &word.parts).filter_map(|part| match part {
            Part::Expansion(expansion) => Some(expansion),
            Part::Text { .. } => None,
        });
        expansions
            .map(|expansion| {
                let known =
                    expansion.parameter.as_ref().and_then(|name| self.by_name.get(name)).map_or(0, Vec::len);
                known.max(usize::from(self.value(expansion, 0).is_some()))
            })
            .max()
            .unwrap_or(0)
    }

    /// The words with every known value put in, split at blanks where unquoted.
    pub(crate) fn put_in(&self, words: &[Word], variant: usize) -> Vec<Word> {
        let mut result = Vec::new();
        for word in words {
            if is_constant(word) {
                result.push(word.clone());
                continue;
            }
            let mut builder = Builder::default();
            for part in &word.parts {
                match part {
                    Part::Expansion(expansion) => match self.value(expansion, variant) {
                        Some(value) if expansion.quoted || expansion.kind == ExpansionKind::Locale => {
                            builder.push(Part::Text { text: value, quoted: true });
                        }
                        Some(value) => builder.split(&value),
                        None => builder.push(part.clone()),
                    },
                    Part::Text { .. } => builder.push(part.clone()),
                }
            }
            result.extend(builder.finish());
        }
        result
    }
}

/// Builds the words that one word becomes.
#[derive(Default)]
struct Builder {
    words: Vec<Word>,
    parts: Vec<Part>,
}

impl Builder {
    fn push(&mut self, part: Part) {
        self.parts.push(part);
    }

    fn split(&mut self, value: &str) {
        let blank = |character: char| matches!(character, ' ' | '\t' | '\n');
        if value.starts_with(blank) {
            self.end_word();
        }
        let mut first = true;
        for field in value.split(blank).filter(|field| !field.is_empty()) {
            if !first {
                self.end_word();
            }
            first = false;
            self.parts.push(Part::Text { text: field.to_owned(), quoted: false });
        }
        if value.ends_with(blank) {
            self.end_word();
        }
    }

    fn end_word(&mut self) {
        if self.parts.is_empty() {
            return;
        }
        let parts = std::mem::take(&mut self.parts);
        let raw = parts
            .iter()
            .map(|part| match part {
                Part::Text { text, .. } => text.as_str(),
                Part::Expansion(expansion) => expansion.raw.as_str(),
            })
            .collect();
        self.words.push(Word { parts, raw, span: None });
    }

    fn finish(mut self) -> Vec<Word> {
        self.end_word();
        self.words
    }
}

/// The words with whole-word parameters (`$0`, `"$1"`, `"$@"`) replaced by the arguments of the script.
pub(crate) fn bind_parameters(words: &[Word], arguments: &[Word]) -> Option<Vec<Word>> {
    let mut bound = Vec::new();
    let mut changed = false;
    for word in words {
        let parts: Vec<&Part> = word
            .parts
            .iter()
            .filter(|part| !matches!(part, Part::Text { text, .. } if text.is_empty()))
            .collect();
        let parameter = match parts.as_slice() {
            [
                Part::Expansion(Expansion {
                    kind: ExpansionKind::Parameter, parameter: Some(name), raw, ..
                }),
            ] if *raw == format!("${name}") || *raw == format!("${{{name}}}") => name.as_str(),
            _ => "",
        };
        let quoted = parts.iter().any(|part| matches!(part, Part::Expansion(Expansion { quoted: true, .. })));
        let arguments = match parameter {
            "@" | "*" => arguments.get(1..),
            "" => None,
            name => {
                name.parse::<usize>().ok().and_then(|index| arguments.get(index)).map(std::slice::from_ref)
            }
        };
        let Some(arguments) = arguments else {
            bound.push(word.clone());
            continue;
        };
        if parameter == "*" && quoted {
            // One word of them all, joined by a blank as long as nobody changes how.
            let joined: Option<Vec<_>> = arguments.iter().map(constant).collect();
            bound.push(joined.map_or_else(|| word.clone(), |texts| quoted_word(&texts.join(" "))));
            changed = true;
            continue;
        }
        changed = true;
        for argument in arguments {
            match constant(argument) {
                Some(text) if !quoted => {
                    let mut builder = Builder::default();
                    builder.split(&text);
                    bound.extend(builder.finish());
                }
                Some(_) | None => bound.push(argument.clone()),
            }
        }
    }
    changed.then_some(bound)
}

fn literal_script_output(script: &Script) -> Option<String> {
    match super::canonical::only_command(script).map(|command| literal_output(command, None))? {
        Some((text, true)) => Some(text),
        Some((_, false)) | None => None,
    }
}

/// What a stage of a pipeline writes, if that follows from the text, and whether nothing in it is dynamic.
pub(crate) fn stage_output(command: &Command, input: Option<&(String, bool)>) -> Option<(String, bool)> {
    match command {
        Command::Simple(simple) => literal_output(simple, input),
        Command::Compound { .. } | Command::Function { .. } | Command::Coproc { .. } => None,
    }
}

fn literal_output(command: &SimpleCommand, input: Option<&(String, bool)>) -> Option<(String, bool)> {
    let name = command.words.first().and_then(constant)?;
    let words: Vec<(String, bool)> = command.words.iter().skip(1).map(best_text).collect();
    match base_name(&name) {
        "cat" if words.iter().all(|(word, _)| word == "-") => given_input(command).or_else(|| input.cloned()),
        "tee" => given_input(command).or_else(|| input.cloned()),
        "echo" => {
            let options = words
                .iter()
                .take_while(|(word, _)| {
                    word.len() > 1 && word.starts_with('-') && word.chars().skip(1).all(|c| "neE".contains(c))
                })
                .count();
            let escapes = words.iter().take(options).any(|(word, _)| word.contains('e'));
            let text =
                words.iter().skip(options).map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ");
            let complete = words.iter().all(|(_, complete)| *complete);
            if escapes {
                Some(unescape(&text)).map(|(text, sure)| (text, sure && complete))
            } else {
                Some((text, complete))
            }
        }
        "printf" => {
            let (format, arguments) = words.split_first()?;
            let (format_text, sure) = unescape(&format.0);
            let complete = sure && words.iter().all(|(_, complete)| *complete);
            let mut output = String::new();
            let mut arguments = arguments.iter();
            let mut rest = format_text.as_str();
            while let Some((before, behind)) = rest.split_once('%') {
                output.push_str(before);
                if let Some(after) = behind.strip_prefix('s') {
                    output.push_str(arguments.next().map_or("", |(word, _)| word.as_str()));
                    rest = after;
                } else if let Some(after) = behind.strip_prefix('%') {
                    output.push('%');
                    rest = after;
                } else {
                    return Some((
                        words.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join("\n"),
                        false,
                    ));
                }
            }
            output.push_str(rest);
            for (word, _) in arguments {
                output.push('\n');
                output.push_str(word);
            }
            Some((output, complete))
        }
        _ => None,
    }
}

/// The text that a command gets as its input by a here-document or here-string.
pub(crate) fn given_input(command: &SimpleCommand) -> Option<(String, bool)> {
    let redirect = command.redirects.iter().rev().find(|redirect| {
        matches!(
            redirect.operator,
            RedirectOperator::HereDocument
                | RedirectOperator::HereDocumentStripped
                | RedirectOperator::HereString
        ) && redirect.descriptor.as_deref().is_none_or(|descriptor| descriptor == "0")
    })?;
    match &redirect.heredoc {
        Some(document) => Some(best_text(&document.body)),
        None => Some(best_text(&redirect.target)),
    }
}

/// Decodes the plain escapes of `echo -e` and `printf`; false where another one stands.
fn unescape(text: &str) -> (String, bool) {
    let mut output = String::new();
    let mut sure = true;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            output.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => output.push('\n'),
            Some('t') => output.push('\t'),
            Some('\\') => output.push('\\'),
            Some('"') => output.push('"'),
            other => {
                sure = false;
                output.push('\\');
                output.extend(other);
            }
        }
    }
    (output, sure)
}
