//! Shapes of code that call something without a name, or ask for something whose name is put together.
//!
//! Promises that each of them counts as unknown, so that every call has a name that is looked at. Knows nothing of the names.

use super::bindings::{closing, opening};
use super::{Findings, Language, REFUSED_PROPERTIES, Reading, Token, Verb, words};

impl Reading<'_> {
    pub(super) fn sign(&mut self, at: usize, sign: char, findings: &mut Findings) {
        let callee = self.before(at);
        match sign {
            '`' => {
                self.program = true;
                self.call.does_plainly(Verb::Runs, Some("the code starts other programs"), findings);
            }
            '@' if self.language == Language::Python => self.not_known("@"),
            '(' if matches!(callee, Some(Token::Sign(']'))) && self.language != Language::Python => {
                self.not_known("](…)");
            }
            '(' if matches!(callee, Some(Token::Sign(')'))) && self.language != Language::Python => {
                let open = at.checked_sub(1).and_then(|close| opening(self.tokens, close)).unwrap_or(0);
                let arrow = self.word(open + 1).is_some_and(|word| matches!(word, "async" | "function"))
                    || self.is(open + 1, '(') && {
                        let close = closing(self.tokens, open + 1);
                        self.is(close + 1, '=') && self.is(close + 2, '>')
                    };
                if !arrow || self.language != Language::JavaScript {
                    self.not_known(")(…)");
                }
            }
            '(' if matches!(callee, Some(Token::Sign('>'))) && self.language == Language::Perl => {
                self.not_known("->(…)");
            }
            '[' if self.language == Language::JavaScript && self.is_computed(at) => self.computed(),
            _ => {}
        }
    }

    /// Whether a property is asked for by a name that is put together.
    fn is_computed(&self, open: usize) -> bool {
        let value = match self.before(open) {
            Some(Token::Word(word)) => !self.table.grammar.contains(&word.as_str()),
            Some(Token::Sign(sign)) => matches!(sign, ')' | ']' | '.'),
            Some(Token::Text(_) | Token::Variable(_)) => true,
            Some(Token::Pattern | Token::Number | Token::Line) | None => false,
        };
        let plain = matches!(
            (self.tokens.get(open + 1), self.tokens.get(open + 2)),
            (Some(Token::Number | Token::Text(_)), Some(Token::Sign(']')))
        );
        value && !plain
    }

    /// A property whose name is put together can be any: functions then have to stand where they are called.
    fn computed(&mut self) {
        if std::mem::replace(&mut self.computed, true) {
            return;
        }
        const CALLING: [&str; 17] = [
            "map",
            "filter",
            "forEach",
            "reduce",
            "some",
            "every",
            "find",
            "findIndex",
            "findLast",
            "flatMap",
            "sort",
            "toSorted",
            "then",
            "catch",
            "finally",
            "from",
            "setTimeout",
        ];
        let fragment =
            |text: &str| text.len() > 1 && text.len() < 12 && "constructor__proto__".contains(text);
        if self.texts().any(fragment)
            || self.has_word(&["fromCharCode", "fromCodePoint", "atob", "replace", "replaceAll"])
        {
            self.not_known("[…]");
        }
        for at in 0..self.tokens.len() {
            let Some(word) = self.word(at).filter(|_| self.is(at + 1, '(')) else { continue };
            let first = at + 2;
            let parenthesis = self.is(first, '(') && {
                let close = closing(self.tokens, first);
                self.is(close + 1, '=') && self.is(close + 2, '>')
            };
            let written = parenthesis
                || self.is(first, ')')
                || self.is(first + 1, '=') && self.is(first + 2, '>')
                || self
                    .word(first)
                    .is_some_and(|word| matches!(word, "async" | "function" | "console" | "Object"));
            let called = CALLING.contains(&word) && matches!(self.before(at), Some(Token::Sign('.')));
            let own = self.bindings.own.contains(word)
                && !self.bindings.functions.contains(word)
                && !matches!(self.before(at), Some(Token::Sign('.')));
            if called && !written || own {
                self.not_known("[…]");
                return;
            }
        }
    }

    pub(super) fn text(&mut self, at: usize) {
        let script = self.language == Language::JavaScript || self.language == Language::Php;
        let tagged = match self.before(at) {
            Some(Token::Word(word)) => {
                self.language == Language::JavaScript && !self.table.grammar.contains(&word.as_str())
            }
            Some(Token::Sign(sign)) => self.language == Language::JavaScript && matches!(sign, ')' | ']'),
            _ => false,
        };
        if self.language == Language::Ruby
            && let Some(Token::Text(text)) = self.tokens.get(at)
            && words::danger(text).is_some()
        {
            let text = text.clone();
            self.not_known(&text);
        }
        let timer = self.is(at.wrapping_sub(1), '(')
            && self.word(at.wrapping_sub(2)).is_some_and(|word| matches!(word, "setTimeout" | "setInterval"));
        if script && self.is(at + 1, '(') || tagged || timer {
            self.not_known("…(…)");
        }
        if self.language == Language::JavaScript
            && let Some(Token::Text(text)) = self.tokens.get(at)
            && REFUSED_PROPERTIES.contains(&text.as_str())
        {
            let text = text.clone();
            self.not_known(&text);
        }
    }
}
