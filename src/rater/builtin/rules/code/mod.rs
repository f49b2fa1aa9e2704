//! Inline code of an interpreter: harmless where every word of it is, and otherwise what its words are known for.
//!
//! Promises that code passes only where it can be cut into tokens without doubt and each name in it is one of the tables' or its
//! own. Knows nothing of the interpreters' options.

mod bindings;
mod calls;
mod files;
mod javascript;
mod lexer;
mod python;
mod scripting;
mod secrets;
mod shapes;
#[cfg(test)]
mod tests;
mod tricks;
mod words;

use super::super::call::Call;
use super::super::findings::Findings;
use super::super::hosts;
use super::super::objects::{SOME, is_url, shown};
use super::sql;
use crate::gate::Outcome;
use crate::rater::knowledge::Verb;
use crate::shell::hardline::{UNKNOWN, is_this_machine};
use bindings::{Bindings, closing, opening, required};
pub(super) use calls::{Called, calls};
pub(super) use lexer::Language;
use lexer::Token;
use words::{Danger, Members, Table};

/// The most tokens of code that are looked at: people read no more either, and some looks ahead take as long as it is.
const MAX_TOKENS: usize = 4096;

/// The most names with dots between them that are followed.
const MAX_CHAIN: usize = 8;

/// Names that may not stand for something else, because they are looked at where they are used.
const FIXED: &[&str] = &[
    "eval",
    "exec",
    "compile",
    "__import__",
    "getattr",
    "setattr",
    "globals",
    "locals",
    "vars",
    "open",
    "input",
    "breakpoint",
    "Function",
    "require",
    "fetch",
    "process",
    "globalThis",
    "global",
    "this",
    "Path",
    "environ",
    "getenv",
    "ENV",
    "os",
    "sys",
    "fs",
    "JSON",
    "Object",
    "Array",
    "console",
];

/// Properties that lead from a value to what makes values.
const REFUSED_PROPERTIES: &[&str] = &[
    "constructor",
    "prototype",
    "__proto__",
    "mainModule",
    "binding",
    "valueOf",
    "toPrimitive",
    "iterator",
    "env",
    "__defineGetter__",
    "__lookupGetter__",
    "caller",
    "callee",
];

/// What was seen of a piece of code.
struct Reading<'r> {
    call: &'r Call<'r>,
    language: Language,
    tokens: &'r [Token],
    table: &'static Table,
    bindings: Bindings,
    evaluates: bool,
    program: bool,
    network: bool,
    decodes: bool,
    /// Properties whose names are put together have been looked at.
    computed: bool,
    /// Something harmful is known of it.
    harmful: bool,
    /// The first thing of which nothing is known.
    unknown: Option<String>,
}

/// Adds what inline code does.
pub(super) fn add(call: &Call<'_>, language: Language, code: &str, findings: &mut Findings) {
    if code.contains([UNKNOWN, SOME]) {
        call.not_assessed("a part of the code will only be known when it runs", findings);
    }
    tricks::add(call, code, findings);
    let table = words::table(language);
    let tokens = lexer::tokens(language, code).filter(|tokens| tokens.len() <= MAX_TOKENS);
    let Some(tokens) = tokens else {
        call.not_assessed("the code is not of the simple kind that is looked into", findings);
        suspicious(call, code, findings);
        return;
    };
    let bindings = Bindings::read(language, &tokens, table);
    let mut reading = Reading {
        call,
        language,
        tokens: &tokens,
        table,
        bindings,
        evaluates: false,
        program: false,
        network: false,
        decodes: false,
        computed: false,
        harmful: false,
        unknown: None,
    };
    reading.look(findings);
    reading.conclude(findings);
}

/// What is plain to see even in code that cannot be cut into tokens.
fn suspicious(call: &Call<'_>, code: &str, findings: &mut Findings) {
    let mut names = code.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    let decodes = names.clone().any(words::decodes);
    if decodes && names.any(|name| matches!(name, "eval" | "exec" | "Function" | "instance_eval")) {
        call.does_plainly(Verb::Obscures, Some("it decodes text and runs it as code"), findings);
    }
}

impl Reading<'_> {
    fn word(&self, at: usize) -> Option<&str> {
        self.tokens.get(at).and_then(Token::word)
    }

    fn is(&self, at: usize, sign: char) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn before(&self, at: usize) -> Option<&Token> {
        at.checked_sub(1).and_then(|before| self.tokens.get(before))
    }

    /// The texts of the code.
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter_map(|token| match token {
            Token::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    fn has_word(&self, names: &[&str]) -> bool {
        self.tokens.iter().filter_map(Token::word).any(|word| names.contains(&word))
    }

    fn not_known(&mut self, what: &str) {
        self.unknown.get_or_insert_with(|| what.to_owned());
    }

    fn look(&mut self, findings: &mut Findings) {
        let fixed = self.bindings.own.iter().find(|name| {
            FIXED.contains(&name.as_str()) || self.language == Language::Ruby && words::danger(name).is_some()
        });
        if let Some(fixed) = fixed.cloned() {
            self.not_known(&fixed);
        }
        for module in std::mem::take(&mut self.bindings.foreign) {
            self.danger(&module, None, findings);
        }
        let modules: Vec<String> = self.bindings.modules.values().cloned().collect();
        for module in modules {
            let inside = format!("{module}.");
            let known =
                self.table.modules.iter().any(|(name, _)| *name == module || name.starts_with(&inside));
            if !known {
                self.module(&module, findings);
            }
        }
        for at in 0..self.tokens.len() {
            if self.bindings.done.contains(&at) {
                continue;
            }
            match self.tokens.get(at) {
                Some(Token::Word(_)) => self.name(at, findings),
                Some(Token::Variable(name)) => {
                    let name = name.clone();
                    if matches!(
                        name.as_str(),
                        "GLOBALS" | "_ENV" | "_SERVER" | "ARGV" | "ENV" | "SIG" | "INC"
                    ) || name.contains("::")
                        || self.is(at + 1, '(')
                    {
                        self.not_known(&name);
                    }
                }
                Some(Token::Sign(sign)) => self.sign(at, *sign, findings),
                Some(Token::Text(_)) => self.text(at),
                Some(Token::Pattern | Token::Number | Token::Line) | None => {}
            }
        }
    }

    /// A module that no table has.
    fn module(&mut self, module: &str, findings: &mut Findings) {
        let own_file = module.starts_with(['.', '/']);
        if own_file && module.ends_with(".json") {
            let units: Vec<_> = module.chars().map(crate::shell::hardline::Unit::Quoted).collect();
            self.call.does_to(Verb::Reads, &units, findings);
        } else if own_file {
            self.call.does_plainly(Verb::Runs, Some("it loads a file of code"), findings);
        } else if !module.ends_with("/package.json") || module.contains("..") {
            let first = module.split(['.', '/']).next().unwrap_or(module).to_owned();
            self.danger(&first, None, findings);
        }
    }

    /// A word that is not known to be harmless.
    fn danger(&mut self, word: &str, at: Option<usize>, findings: &mut Findings) {
        self.decodes |= words::decodes(word);
        let mild = [Danger::ToFiles(Verb::Writes), Danger::ToFiles(Verb::Moves)];
        self.harmful |= words::danger(word).is_some_and(|danger| !mild.contains(&danger));
        match words::danger(word) {
            Some(Danger::ToFiles(verb)) => files::changed(self, verb, at, findings),
            Some(Danger::Does(verb, note)) => self.call.does_plainly(verb, Some(note), findings),
            Some(Danger::Evaluates) => {
                self.evaluates = true;
                self.call.does_plainly(Verb::Runs, Some("it runs text as code"), findings);
            }
            Some(Danger::Program) => {
                self.program = true;
                self.call.does_plainly(Verb::Runs, Some("the code starts other programs"), findings);
            }
            Some(Danger::Network) => self.network = true,
            None => self.not_known(word),
        }
    }

    /// The members of what stands in front of the dot before a place, where it is a module or a class.
    fn owner(&self, at: usize) -> Option<(String, Option<Members>)> {
        self.owner_within(at, MAX_CHAIN)
    }

    fn owner_within(&self, at: usize, left: usize) -> Option<(String, Option<Members>)> {
        let left = left.checked_sub(1)?;
        let dot = at.checked_sub(1)?;
        let end = dot.checked_sub(1)?;
        let known = |module: &str| {
            self.table.modules.iter().find(|(name, _)| *name == module).map(|(_, members)| *members)
        };
        match self.tokens.get(end)? {
            Token::Word(word) => {
                let above = end.checked_sub(1).filter(|dot| self.is(*dot, '.'));
                let module = match above {
                    None => self.bindings.modules.get(word).cloned().or_else(|| {
                        let free = self.language != Language::Python && !self.bindings.own.contains(word);
                        let global = !matches!(
                            word.as_str(),
                            "fs" | "os" | "path" | "url" | "util" | "crypto" | "assert"
                        );
                        (free && global && known(word).is_some()).then(|| word.clone())
                    })?,
                    Some(_) => {
                        let (outer, _) = self.owner_within(end, left)?;
                        let inner = format!("{outer}.{word}");
                        let deeper = format!("{inner}.");
                        let some = self
                            .table
                            .modules
                            .iter()
                            .any(|(name, _)| *name == inner || name.starts_with(&deeper));
                        if outer == "fs" && word == "promises" {
                            "fs".to_owned()
                        } else if some {
                            inner
                        } else {
                            return None;
                        }
                    }
                };
                Some((module.clone(), known(&module)))
            }
            Token::Sign(')') => {
                let open = opening(self.tokens, end)?;
                let (module, _) = required(self.tokens, open.checked_sub(1)?)?;
                Some((module.clone(), known(&module)))
            }
            _ => None,
        }
    }

    fn name(&mut self, at: usize, findings: &mut Findings) {
        let Some(word) = self.word(at).map(str::to_owned) else { return };
        self.decodes |= words::decodes(&word);
        if secrets::looked_at(self, at, &word, findings) || files::opened(self, at, &word, findings) {
            return;
        }
        let dot = matches!(self.before(at), Some(Token::Sign('.')))
            || self.language == Language::Perl
                && self.is(at.wrapping_sub(1), '>')
                && self.is(at.wrapping_sub(2), '-')
            || self.language == Language::Php
                && self.is(at.wrapping_sub(1), '>')
                && self.is(at.wrapping_sub(2), '-');
        if dot {
            self.attribute(at, &word, findings);
            return;
        }
        if self.language == Language::JavaScript && matches!(word.as_str(), "require" | "import") {
            match required(self.tokens, at) {
                Some((module, behind)) if self.table.modules.iter().any(|(name, _)| *name == module) => {
                    let bound = self.is(at.wrapping_sub(1), '=')
                        && (self.is(at.wrapping_sub(2), '}')
                            || self
                                .word(at.wrapping_sub(2))
                                .is_some_and(|name| self.bindings.modules.contains_key(name)));
                    if word == "import" || !bound && !self.is(behind, '.') {
                        self.not_known(&word);
                    }
                }
                Some((module, _)) => self.module(&module, findings),
                None => self.not_known(&word),
            }
            return;
        }
        if word == "fetch" && self.language == Language::JavaScript {
            self.network = true;
            return;
        }
        if word == "require" && self.language == Language::Ruby {
            let known = ["json", "yaml", "set", "time", "date", "digest", "securerandom", "pp", "csv"];
            match self.tokens.get(at + 1) {
                Some(Token::Text(text)) if known.contains(&text.as_str()) => {}
                Some(Token::Text(text)) => {
                    let text = text.clone();
                    self.danger(&text, None, findings);
                }
                _ => self.not_known(&word),
            }
            return;
        }
        let is_key = match self.language {
            Language::JavaScript => {
                self.is(at + 1, ':') && matches!(self.before(at), Some(Token::Sign('{' | ',') | Token::Line))
            }
            Language::Ruby => self.is(at + 1, ':') && !self.is(at + 2, ':'),
            Language::Perl => {
                self.is(at + 1, '=') && self.is(at + 2, '>')
                    || matches!(self.before(at), Some(Token::Sign('{'))) && self.is(at + 1, '}')
            }
            Language::Python | Language::Php => false,
        };
        if is_key
            && !REFUSED_PROPERTIES.contains(&word.as_str())
            && !matches!(word.as_str(), "toString" | "toJSON" | "then")
        {
            return;
        }
        let module = self.bindings.modules.contains_key(&word)
            || self.language != Language::Python && self.table.modules.iter().any(|(name, _)| *name == word);
        if module {
            let used = self.is(at + 1, '.')
                || matches!(self.language, Language::Ruby | Language::Perl) && self.is(at + 1, ':')
                || self.language == Language::Perl
                || self.bindings.functions.contains(&word)
                || self.is(at + 1, '(') && self.table.names.contains(&word.as_str())
                || self.is(at + 1, '(') && matches!(word.as_str(), "Array" | "Object" | "Promise" | "assert")
                || self.is(at + 1, '=')
                || self.is(at + 1, ')') && self.table.names.contains(&word.as_str());
            if !used {
                self.not_known(&word);
            }
            return;
        }
        let python = self.language == Language::Python;
        let hidden = python
            && word.starts_with("__")
            && !self.table.names.contains(&word.as_str())
            && self.word(at.wrapping_sub(1)) != Some("def");
        if hidden {
            self.danger(&word, Some(at), findings);
            return;
        }
        let exception = python
            && word.starts_with(char::is_uppercase)
            && ["Error", "Exception", "Warning"].iter().any(|end| word.ends_with(end));
        let words = [self.table.grammar, self.table.names];
        let known = exception
            || words.iter().any(|names| names.contains(&word.as_str()))
            || self.bindings.imported.contains(&word)
            || self.bindings.own.contains(&word);
        if !known {
            self.danger(&word, Some(at), findings);
        }
    }

    /// Whether code behind a place imports something.
    fn imports_behind(&self, at: usize) -> bool {
        (at..self.tokens.len()).any(|behind| self.word(behind) == Some("import"))
    }

    fn attribute(&mut self, at: usize, word: &str, findings: &mut Findings) {
        match self.owner(at) {
            Some((module, Some(members))) if members.has(word) => {
                if module == "sys" && word == "path" && self.imports_behind(at) {
                    self.not_known("sys.path");
                }
                if module == "fs" && word == "promises" && !self.is(at + 1, '.') {
                    self.not_known("promises");
                }
                return;
            }
            Some((module, _)) if !module.ends_with(".json") => {
                let inner = format!("{module}.{word}");
                let deeper = format!("{inner}.");
                let some =
                    self.table.modules.iter().any(|(name, _)| *name == inner || name.starts_with(&deeper));
                if module == "fs" && word == "promises" && self.is(at + 1, '.') {
                    return;
                }
                if !some {
                    if module == "sqlite3" {
                        self.not_known(word);
                    } else if words::danger(word).is_none() && words::danger(&module) == Some(Danger::Network)
                    {
                        self.network = true;
                    } else {
                        self.danger(word, Some(at), findings);
                    }
                }
                return;
            }
            Some(_) | None => {}
        }
        if matches!(word, "execute" | "executescript" | "executemany" | "query") && self.is(at + 1, '(') {
            self.statement(at + 2, findings);
            return;
        }
        if self.language == Language::Python && word == "replace" {
            let close = closing(self.tokens, at + 1);
            let two = self.is(at + 1, '(') && (at + 2..close).any(|inner| self.is(inner, ','));
            if !two && self.has_word(&["Path", "pathlib"]) {
                files::changed(self, Verb::Moves, None, findings);
            }
        }
        if self.table.methods.contains(&word) {
            return;
        }
        let called = self.is(at + 1, '(');
        let data = self.language == Language::JavaScript
            && !called
            && !REFUSED_PROPERTIES.contains(&word)
            && words::danger(word).is_none();
        let own = self.language == Language::Python
            && words::danger(word).is_none()
            && !word.starts_with("__")
            && (self.bindings.functions.contains(word) || self.bindings.properties.contains(word));
        if !data && !own {
            self.danger(word, Some(at), findings);
        }
    }

    /// A statement of SQL that stands as one text.
    fn statement(&mut self, at: usize, findings: &mut Findings) {
        match (self.tokens.get(at), self.tokens.get(at + 1)) {
            (Some(Token::Text(text)), Some(Token::Sign(',' | ')'))) => {
                sql::statements(self.call, text, findings)
            }
            _ => self.not_known("a statement that is put together"),
        }
    }

    fn conclude(&mut self, findings: &mut Findings) {
        let whole_environment = secrets::whole_environment(self);
        self.decodes |=
            self.has_word(&["Buffer"]) && self.texts().any(|text| matches!(text, "base64" | "hex"));
        if self.evaluates && self.decodes {
            self.call.does_plainly(Verb::Obscures, Some("it decodes text and runs it as code"), findings);
        }
        let sockets = self.has_word(&[
            "socket",
            "Socket",
            "TCPSocket",
            "net",
            "fsockopen",
            "createConnection",
            "PF_INET",
        ]) || self.texts().any(|text| matches!(text, "net" | "socket"));
        let shells = self.has_word(&["dup2", "pty", "exec"])
            || self.texts().any(|text| text.contains("/bin/sh") || text.contains("/bin/bash"));
        if sockets && shells && (self.program || self.evaluates || self.has_word(&["dup2", "pty"])) {
            findings.add(Outcome::Attack, || "It hands a shell to another machine.".to_owned());
        }
        let addresses: Vec<String> = self
            .texts()
            .filter(|text| is_url(text) || text.starts_with("localhost"))
            .map(str::to_owned)
            .collect();
        for address in &addresses {
            let units = address.chars().map(crate::shell::hardline::Unit::Quoted).collect();
            let argument =
                crate::shell::hardline::Argument { text: address.clone(), units, has_braces: false };
            hosts::add(&[argument], findings);
        }
        if self.network {
            let local = !addresses.is_empty() && addresses.iter().all(|address| is_this_machine(address));
            let changing = self.has_word(&["post", "put", "patch", "delete", "Post", "data", "body"])
                || self.texts().any(|text| matches!(text, "POST" | "PUT" | "PATCH" | "DELETE"));
            match (local, changing) {
                (true, false) => {
                    self.call.does_plainly(Verb::Inspects, Some("a server of this machine"), findings)
                }
                (true, true) => {
                    self.call.does_plainly(Verb::Alters, Some("a server of this machine"), findings)
                }
                (false, _) => {
                    self.call.does_plainly(Verb::Sends, Some("the code speaks to other machines"), findings)
                }
            }
            if whole_environment && !local {
                self.call.does_plainly(Verb::Exposes, Some("the code sends the environment away"), findings);
            }
        }
        files::conclude(self, findings);
        if let Some(what) = self.unknown.take().filter(|_| !self.harmful) {
            let what = format!("the code uses {}, of which nothing harmless is known", shown(&what));
            self.call.not_assessed(&what, findings);
        }
        findings.add(Outcome::Safe, || {
            format!("{} runs code that only computes and reads in the project.", shown(self.call.program))
        });
    }
}
