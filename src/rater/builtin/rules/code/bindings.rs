//! The names that code gives to values, modules and functions.
//!
//! Promises that a name counts as the code's own only where the code binds it, and never when it is one that means something by
//! itself. Knows nothing of what is done with the names.

use super::lexer::{Language, Token};
use super::words::{Members, Table};
use std::collections::{HashMap, HashSet};

/// The names of a piece of code.
#[derive(Debug, Default)]
pub(super) struct Bindings {
    /// Names of modules, with the modules they stand for.
    pub(super) modules: HashMap<String, String>,
    /// Harmless functions and classes that were taken out of modules.
    pub(super) imported: HashSet<String>,
    /// Members of modules that are not harmless, or modules that nobody knows.
    pub(super) foreign: Vec<String>,
    /// The code's own names.
    pub(super) own: HashSet<String>,
    /// Own names that stand for functions whose code is there.
    pub(super) functions: HashSet<String>,
    /// Names of properties that the code sets: `self.x = …`.
    pub(super) properties: HashSet<String>,
    /// Own names that stand for one text.
    pub(super) texts: HashMap<String, Option<String>>,
    /// Positions of tokens that belong to an import and are dealt with.
    pub(super) done: HashSet<usize>,
}

/// The most tokens in which names are looked for behind a word that binds them.
const MAX_NAMES: usize = 128;
/// Members of modules that are looked at where they are used.
const SPECIAL: &[&str] = &["Path", "environ", "getenv", "env", "homedir"];

impl Bindings {
    /// Reads the bindings of code.
    pub(super) fn read(language: Language, tokens: &[Token], table: &Table) -> Self {
        let mut bindings = Self::default();
        let mut at = 0;
        while at < tokens.len() {
            match language {
                Language::Python => bindings.python(tokens, at, table),
                Language::JavaScript => bindings.javascript(tokens, at, table),
                Language::Ruby => bindings.ruby(tokens, at),
                Language::Perl | Language::Php => {}
            }
            at += 1;
        }
        bindings
    }

    /// What a name stands for, where it is one text all the time.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name)?.as_deref()
    }

    fn own(&mut self, name: &str) {
        self.own.insert(name.to_owned());
    }

    fn member(&mut self, table: &Table, module: &str, member: &str, name: &str) {
        let inner = format!("{module}.{member}");
        let known = |module: &str| {
            table.modules.iter().find(|(name, _)| *name == module).map(|(_, members)| *members)
        };
        if known(&inner).is_some() {
            self.modules.insert(name.to_owned(), inner);
        } else if SPECIAL.contains(&member) && name == member
            || known(module).is_some_and(|members: Members| members.has(member))
        {
            self.imported.insert(name.to_owned());
        } else {
            self.foreign.push(member.to_owned());
            self.foreign.push(module.to_owned());
        }
    }

    fn python(&mut self, tokens: &[Token], at: usize, table: &Table) {
        let word = |at: usize| tokens.get(at).and_then(Token::word);
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match word(at) {
            Some("import") if !self.done.contains(&at) => self.python_import(tokens, at),
            Some("from")
                if before.is_none_or(|before| matches!(before, Token::Line | Token::Sign(';' | ':'))) =>
            {
                self.python_from(tokens, at, table);
            }
            Some("for") => {
                let until = tokens
                    .iter()
                    .skip(at)
                    .take(MAX_NAMES)
                    .position(|token| token.word() == Some("in"))
                    .unwrap_or(0);
                for bound in at + 1..at + until {
                    if let Some(name) = word(bound) {
                        self.own(name);
                    }
                }
            }
            Some("lambda") => {
                let until =
                    tokens.iter().skip(at).take(MAX_NAMES).position(|token| token.is(':')).unwrap_or(0);
                (at + 1..at + until).filter_map(word).for_each(|name| self.own(name));
            }
            Some("def" | "class") => {
                if let Some(name) = word(at + 1) {
                    self.own(name);
                    self.functions.insert(name.to_owned());
                }
                if word(at) == Some("def") {
                    let until =
                        tokens.iter().skip(at).take(MAX_NAMES).position(|token| token.is(')')).unwrap_or(0);
                    (at + 3..at + until).filter_map(word).for_each(|name| self.own(name));
                }
            }
            Some("as") => {
                if let Some(name) = word(at + 1).filter(|_| !self.done.contains(&at)) {
                    self.own(name);
                }
            }
            Some(_) => self.assigned(tokens, at),
            None => {}
        }
    }

    /// `NAME = …`, `NAME: T = …`, `NAME += …`, `A, B = …`, and names of arguments.
    fn assigned(&mut self, tokens: &[Token], at: usize) {
        let Some(name) = tokens.get(at).and_then(Token::word) else { return };
        if self.modules.contains_key(name) || self.imported.contains(name) {
            return;
        }
        if at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.is('.')) {
            let sets = tokens.get(at + 1).is_some_and(|next| next.is('='))
                && !tokens.get(at + 2).is_some_and(|next| next.is('='));
            if sets {
                self.properties.insert(name.to_owned());
            }
            return;
        }
        let mut end = at + 1;
        // The names of a list of them that is assigned to.
        while tokens.get(end).is_some_and(|token| token.is(','))
            && matches!(tokens.get(end + 1), Some(Token::Word(_)))
        {
            end += 2;
        }
        let several = end > at + 1;
        let operator = match (tokens.get(end), tokens.get(end + 1)) {
            (Some(Token::Sign('=')), Some(next)) => !next.is('=') && !next.is('>'),
            (Some(Token::Sign('+' | '-' | '*' | '|' | ':')), Some(next)) => next.is('=') && !several,
            _ => false,
        };
        if !operator {
            return;
        }
        if several {
            let starts = at.checked_sub(1).and_then(|before| tokens.get(before));
            if !starts
                .is_none_or(|before| matches!(before, Token::Line | Token::Sign(';' | ':' | '{' | '[' | ',')))
            {
                return;
            }
        }
        let name = name.to_owned();
        self.own(&name);
        let text = match (tokens.get(end), tokens.get(end + 1), tokens.get(end + 2)) {
            (
                Some(Token::Sign('=')),
                Some(Token::Text(text)),
                None | Some(Token::Line | Token::Sign(';' | ',' | ')')),
            ) => Some(text.clone()),
            _ => None,
        };
        let known = self.texts.entry(name).or_insert_with(|| text.clone());
        if *known != text {
            *known = None;
        }
    }

    fn python_import(&mut self, tokens: &[Token], at: usize) {
        let mut next = at + 1;
        loop {
            let mut path = Vec::new();
            while let Some(word) = tokens.get(next).and_then(Token::word) {
                path.push(word.to_owned());
                self.done.insert(next);
                next += 1;
                if !tokens.get(next).is_some_and(|token| token.is('.')) {
                    break;
                }
                next += 1;
            }
            let (Some(first), full) = (path.first().cloned(), path.join(".")) else { break };
            if tokens.get(next).and_then(Token::word) == Some("as") {
                self.done.insert(next);
                self.done.insert(next + 1);
                if let Some(name) = tokens.get(next + 1).and_then(Token::word) {
                    self.modules.insert(name.to_owned(), full);
                }
                next += 2;
            } else {
                self.modules.entry(first.clone()).or_insert(first);
                // The inner module has to be known, too.
                self.modules.insert(full.clone(), full);
            }
            if !tokens.get(next).is_some_and(|token| token.is(',')) {
                break;
            }
            next += 1;
        }
        self.done.insert(at);
    }

    fn python_from(&mut self, tokens: &[Token], at: usize, table: &Table) {
        let mut next = at + 1;
        let mut path = Vec::new();
        loop {
            let Some(token) = tokens.get(next) else { return };
            match token.word() {
                Some("import") => break,
                Some(word) => path.push(word.to_owned()),
                None if token.is('.') => {}
                None => return,
            }
            next += 1;
        }
        self.done.extend(at..next);
        let module = path.join(".");
        self.done.extend([at, next]);
        next += 1;
        if tokens.get(next).is_some_and(|token| token.is('(')) {
            next += 1;
        }
        loop {
            while matches!(tokens.get(next), Some(Token::Line)) {
                next += 1;
            }
            let Some(member) = tokens.get(next).and_then(Token::word) else {
                // `*`, or something that is no name.
                if tokens.get(next).is_some_and(|token| token.is('*')) {
                    self.foreign.push(module.clone());
                }
                break;
            };
            self.done.insert(next);
            let mut name = member;
            if tokens.get(next + 1).and_then(Token::word) == Some("as") {
                self.done.extend([next + 1, next + 2]);
                name = tokens.get(next + 2).and_then(Token::word).unwrap_or(member);
                next += 2;
            }
            self.member(table, &module, member, name);
            if !tokens.get(next + 1).is_some_and(|token| token.is(',')) {
                break;
            }
            next += 2;
        }
    }

    fn javascript(&mut self, tokens: &[Token], at: usize, table: &Table) {
        let word = |at: usize| tokens.get(at).and_then(Token::word);
        let is = |at: usize, sign: char| tokens.get(at).is_some_and(|token| token.is(sign));
        match word(at) {
            Some("import") if !is(at + 1, '(') => self.javascript_import(tokens, at, table),
            Some("const" | "let" | "var") => self.declared(tokens, at + 1, table),
            Some("function") => {
                let from = match word(at + 1) {
                    Some(name) => {
                        self.own(name);
                        self.functions.insert(name.to_owned());
                        at + 2
                    }
                    None => at + 1,
                };
                self.parameters(tokens, from);
            }
            Some("catch") => self.parameters(tokens, at + 1),
            Some(name) if is(at + 1, '=') && is(at + 2, '>') => self.own(name),
            Some(_) => self.assigned(tokens, at),
            None if is(at, ')') && is(at + 1, '=') && is(at + 2, '>') => {
                if let Some(open) = opening(tokens, at) {
                    self.parameters(tokens, open);
                }
            }
            None => {}
        }
    }

    /// The words of a list of parameters from its parenthesis on; defaults are taken for names, too, and so are nothing special.
    fn parameters(&mut self, tokens: &[Token], open: usize) {
        let close = closing(tokens, open).min(open + MAX_NAMES);
        for at in open..close {
            let default =
                at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| before.is('='));
            if let Some(name) = tokens.get(at).and_then(Token::word).filter(|_| !default) {
                self.own(name);
            }
        }
    }

    fn declared(&mut self, tokens: &[Token], at: usize, table: &Table) {
        let is = |at: usize, sign: char| tokens.get(at).is_some_and(|token| token.is(sign));
        let end = if is(at, '{') || is(at, '[') { closing(tokens, at) } else { at };
        let module = required(tokens, end + 2).filter(|_| is(end + 1, '='));
        let whole = module.as_ref().is_some_and(|(module, behind)| {
            !is(*behind, '.') && !is(*behind, '(') && !module.ends_with(".json")
        });
        if let (Some((module, _)), true) = (&module, whole) {
            if end == at {
                if let Some(name) = tokens.get(at).and_then(Token::word) {
                    self.modules.insert(name.to_owned(), module.clone());
                }
            } else {
                self.members(tokens, at, end, module, table);
            }
            return;
        }
        for bound in at..=end.min(at + MAX_NAMES) {
            if let Some(name) = tokens.get(bound).and_then(Token::word) {
                self.own(name);
            }
        }
        if end == at
            && let Some(name) = tokens.get(at).and_then(Token::word)
        {
            let arrow = match tokens.get(at + 2) {
                Some(Token::Word(word)) => {
                    matches!(word.as_str(), "async" | "function") || is(at + 3, '=') && is(at + 4, '>')
                }
                Some(Token::Sign('(')) => {
                    let close = closing(tokens, at + 2);
                    is(close + 1, '=') && is(close + 2, '>')
                }
                _ => false,
            };
            if is(at + 1, '=') && arrow {
                self.functions.insert(name.to_owned());
            }
        }
    }

    /// `{ a, b: c }` or `{ a as c }` taken out of a module.
    fn members(&mut self, tokens: &[Token], open: usize, close: usize, module: &str, table: &Table) {
        let mut at = open + 1;
        while at < close {
            if let Some(member) = tokens.get(at).and_then(Token::word) {
                let renamed =
                    tokens.get(at + 1).is_some_and(|next| next.is(':') || next.word() == Some("as"));
                let name = tokens.get(at + 2).and_then(Token::word).filter(|_| renamed).unwrap_or(member);
                self.done.extend(at..=at + 2 * usize::from(renamed));
                self.member(table, module, member, name);
                at += 2 * usize::from(renamed);
            }
            at += 1;
        }
    }

    fn javascript_import(&mut self, tokens: &[Token], at: usize, table: &Table) {
        let Some(length) =
            tokens.iter().skip(at).take(MAX_NAMES).position(|token| matches!(token, Token::Text(_)))
        else {
            return;
        };
        let end = at + length;
        let Some(Token::Text(module)) = tokens.get(end) else { return };
        let plain = |token: &Token| {
            matches!(token, Token::Word(_) | Token::Sign('{' | '}' | ',' | '*') | Token::Line)
        };
        let from =
            end.checked_sub(1).and_then(|before| tokens.get(before)).and_then(Token::word) == Some("from");
        if !tokens.get(at + 1..end).is_some_and(|between| between.iter().all(plain)) || length > 1 && !from {
            return;
        }
        let module = module.trim_start_matches("node:").to_owned();
        let mut next = at + 1;
        while next < end {
            if tokens.get(next).is_some_and(|token| token.is('{')) {
                let close = closing(tokens, next);
                self.members(tokens, next, close, &module, table);
                next = close;
            } else if let Some(name) = tokens.get(next).and_then(Token::word)
                && !matches!(name, "from" | "as")
            {
                self.modules.insert(name.to_owned(), module.clone());
            }
            next += 1;
        }
        if length == 1 {
            self.foreign.push(module);
        }
        self.done.extend(at..=end);
    }

    fn ruby(&mut self, tokens: &[Token], at: usize) {
        self.assigned(tokens, at);
        // `|a, (b, c)|`
        let is = |at: usize, sign: char| tokens.get(at).is_some_and(|token| token.is(sign));
        let opens = at
            .checked_sub(1)
            .is_some_and(|before| is(before, '{') || tokens.get(before).and_then(Token::word) == Some("do"));
        if is(at, '|') && opens {
            let length = tokens.iter().skip(at + 1).position(|token| token.is('|')).unwrap_or(0);
            for bound in at + 1..at + 1 + length {
                if let Some(name) = tokens.get(bound).and_then(Token::word) {
                    self.own(name);
                }
            }
        }
    }
}

/// The module of `require('…')` that starts at a place, and the place behind it.
pub(super) fn required(tokens: &[Token], at: usize) -> Option<(String, usize)> {
    match (tokens.get(at), tokens.get(at + 1), tokens.get(at + 2), tokens.get(at + 3)) {
        (
            Some(Token::Word(word)),
            Some(Token::Sign('(')),
            Some(Token::Text(module)),
            Some(Token::Sign(')')),
        ) if word == "require" || word == "import" => {
            Some((module.trim_start_matches("node:").to_owned(), at + 4))
        }
        _ => None,
    }
}

/// The place of the bracket that closes the one at a place; the end where there is none.
pub(super) fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The place of the bracket that the one at a place closes.
pub(super) fn opening(tokens: &[Token], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().take(close + 1).rev() {
        match token {
            Token::Sign(')' | ']' | '}') => depth += 1,
            Token::Sign('(' | '[' | '{') => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}
