//! Collects the parts of one word.
//!
//! Promises that neighbouring text of the same quoting becomes one part and that an empty quoted text is kept. Knows
//! nothing of the text that the parts come from.

use crate::shell::tree::{Expansion, ExpansionKind, Inside, Part, Script, Word};

/// What stands inside an expansion.
#[derive(Debug, Default)]
pub(super) struct Inner {
    /// The command and process substitutions.
    pub(super) nested: Vec<Script>,
    /// The rest.
    pub(super) inside: Option<Box<Inside>>,
}

impl From<Script> for Inner {
    fn from(body: Script) -> Self {
        Self { nested: vec![body], inside: None }
    }
}

/// The parts of a word so far.
#[derive(Debug, Default)]
pub(super) struct WordBuilder {
    parts: Vec<Part>,
    /// Text that is not yet a part.
    text: String,
    quoted: bool,
    /// Something stands in `text`, be it an empty quoted text.
    open: bool,
    /// See [`Inside::literals`].
    literals: String,
}

impl WordBuilder {
    /// Adds text.
    pub(super) fn push(&mut self, text: &str, quoted: bool) {
        if self.open && self.quoted != quoted {
            self.close();
        }
        self.text.push_str(text);
        self.quoted = quoted;
        self.open = true;
    }

    /// Adds something that bash replaces.
    pub(super) fn push_expansion(&mut self, expansion: Expansion) {
        self.close();
        self.parts.push(Part::Expansion(expansion));
    }

    /// Adds the parts of another word.
    pub(super) fn push_parts(&mut self, parts: Vec<Part>) {
        for part in parts {
            match part {
                Part::Text { text, quoted } => self.push(&text, quoted),
                Part::Expansion(expansion) => self.push_expansion(expansion),
            }
        }
    }

    /// Adds `[subscript]`.
    pub(super) fn push_subscript(&mut self, subscript: Word) {
        self.push("[", false);
        self.push_parts(subscript.parts);
        self.push("]", false);
    }

    /// The last byte, if it is neither quoted nor of an expansion.
    pub(super) fn last_unquoted(&self) -> Option<u8> {
        if self.open && !self.quoted { self.text.bytes().last() } else { None }
    }

    /// The parts.
    pub(super) fn finish(mut self) -> Vec<Part> {
        self.close();
        self.parts
    }

    /// Takes note of constant text that is no part: the operand of something bigger.
    pub(super) fn push_literal(&mut self, text: &str) {
        if text.contains(['$', '`', '(', '\\']) {
            self.literals.push_str(text);
        }
    }

    /// Only the expansions and literals, for text that is an operand of something bigger. A parenthesis of arithmetic without
    /// quotes is no literal.
    pub(super) fn finish_inside(mut self, is_plain_arithmetic: bool) -> Inner {
        self.close();
        let mut nested = Vec::new();
        let mut inside = Inside { expansions: Vec::new(), literals: self.literals };
        for part in self.parts {
            match part {
                Part::Text { text, .. } => {
                    if text.contains(['$', '`', '\\']) || (!is_plain_arithmetic && text.contains('(')) {
                        inside.literals.push_str(&text);
                    }
                }
                Part::Expansion(mut expansion) => {
                    nested.append(&mut expansion.nested);
                    if let Some(inner) = expansion.inside.take() {
                        inside.expansions.extend(inner.expansions);
                        inside.literals.push_str(&inner.literals);
                    }
                    let more_than_a_name = match expansion.kind {
                        ExpansionKind::Arithmetic | ExpansionKind::Locale => true,
                        ExpansionKind::Parameter => expansion.raw.contains('{'),
                        ExpansionKind::Command | ExpansionKind::Process | ExpansionKind::ExtendedPattern => {
                            false
                        }
                    };
                    if more_than_a_name {
                        inside.expansions.push(expansion);
                    }
                }
            }
        }
        let any = !inside.expansions.is_empty() || !inside.literals.is_empty();
        Inner { nested, inside: any.then(|| Box::new(inside)) }
    }

    fn close(&mut self) {
        if self.open {
            // Most words are one part.
            self.parts.reserve_exact(usize::from(self.parts.is_empty()));
            self.parts.push(Part::Text { text: std::mem::take(&mut self.text), quoted: self.quoted });
            self.open = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_text_of_the_same_quoting_is_one_part_and_an_empty_quote_stays() {
        let mut builder = WordBuilder::default();
        builder.push("a", false);
        builder.push("b", false);
        builder.push("", true);
        assert_eq!(builder.last_unquoted(), None);
        assert_eq!(
            builder.finish(),
            vec![
                Part::Text { text: "ab".into(), quoted: false },
                Part::Text { text: String::new(), quoted: true }
            ]
        );
    }
}
