//! What a dollar begins.
//!
//! Promises that each form goes to its reader and that a dollar that begins nothing is plain text.

use super::cursor::{is_name_byte, is_name_start};
use super::quotes::Context;
use super::word_builder::{Inner, WordBuilder};
use super::{Outcome, Reader};
use crate::shell::tree::{Expansion, ExpansionKind};

impl Reader<'_> {
    /// Reads what the dollar under the cursor begins.
    pub(super) fn dollar(&mut self, builder: &mut WordBuilder, context: Context) -> Outcome<()> {
        let start = self.cursor.position();
        match self.cursor.peek_second() {
            Some(b'(') if self.cursor.peek_third() == Some(b'(') => {
                self.dollar_double_parenthesis(builder, context)
            }
            Some(b'(') => self.command_substitution(builder, context),
            Some(b'{') => self.braced_parameter(builder, context),
            Some(b'[') => self.bracket_arithmetic(builder, context),
            Some(b'\'') if !context.is_quoted() => self.ansi_quotes(builder),
            Some(b'"') if !context.is_quoted() => self.locale_quotes(builder),
            Some(byte) if is_name_start(byte) => {
                self.cursor.bump();
                let name = self.cursor.run_joined(is_name_byte).into_owned();
                self.push_parameter(builder, start, context, name);
                Ok(())
            }
            Some(byte @ (b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')) => {
                self.cursor.bump_by(2);
                self.push_parameter(builder, start, context, char::from(byte).to_string());
                Ok(())
            }
            Some(_) | None => {
                self.cursor.bump();
                builder.push("$", context.is_quoted());
                Ok(())
            }
        }
    }

    fn push_parameter(&mut self, builder: &mut WordBuilder, start: usize, context: Context, name: String) {
        builder.push_expansion(Expansion {
            kind: ExpansionKind::Parameter,
            quoted: context.is_quoted(),
            parameter: Some(name),
            raw: self.raw_from(start),
            nested: Vec::new(),
            inside: None,
        });
    }

    /// Adds the expansion that was read since `start`.
    pub(super) fn push_expansion(
        &mut self,
        builder: &mut WordBuilder,
        kind: ExpansionKind,
        start: usize,
        context: Context,
        Inner { nested, inside }: Inner,
    ) {
        builder.push_expansion(Expansion {
            kind,
            quoted: context.is_quoted(),
            parameter: None,
            raw: self.raw_from(start),
            nested,
            inside,
        });
    }

    /// `$"…"`: the text may be replaced by a message catalogue, so that the text itself is not kept.
    fn locale_quotes(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump();
        let mut inside = WordBuilder::default();
        self.double_quotes(&mut inside, Context::DoubleQuotes)?;
        let inside = inside.finish_inside(false);
        self.push_expansion(builder, ExpansionKind::Locale, start, Context::DoubleQuotes, inside);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::first_word_expansions;
    use crate::shell::tree::ExpansionKind;

    #[test]
    fn each_form_of_the_dollar_is_known_with_its_name_and_quoting() {
        let cases: &[(&str, ExpansionKind, Option<&str>, bool)] = &[
            ("$HOME", ExpansionKind::Parameter, Some("HOME"), false),
            ("\"$HO\\\nME\"", ExpansionKind::Parameter, Some("HOME"), true),
            ("$\\\nHOME", ExpansionKind::Parameter, Some("HOME"), false),
            ("$12", ExpansionKind::Parameter, Some("1"), false),
            ("$@", ExpansionKind::Parameter, Some("@"), false),
            ("$(a)", ExpansionKind::Command, None, false),
            ("$\\\n(a)", ExpansionKind::Command, None, false),
            ("`a`", ExpansionKind::Command, None, false),
            ("<(a)", ExpansionKind::Process, None, false),
            ("$((1+2))", ExpansionKind::Arithmetic, None, false),
            ("$[1+2]", ExpansionKind::Arithmetic, None, false),
            ("$\"a $(b)\"", ExpansionKind::Locale, None, true),
        ];
        for (text, kind, parameter, quoted) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            let first = first_word_expansions(&script)[0];
            assert_eq!(
                (first.kind, first.parameter.as_deref(), first.quoted),
                (*kind, *parameter, *quoted),
                "{text:?}"
            );
        }
    }
}
