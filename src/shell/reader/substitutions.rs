//! Command and process substitutions with parentheses.
//!
//! Promises that the body is read as the list that it is, so that its end is bash's end.

use super::lists::ListEnd;
use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{ExpansionKind, Script};

impl Reader<'_> {
    /// Reads `$( … )` with the cursor on the dollar.
    pub(super) fn command_substitution(
        &mut self,
        builder: &mut WordBuilder,
        context: Context,
    ) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump_by(2);
        let body = self.substitution_body()?;
        self.push_expansion(builder, ExpansionKind::Command, start, context, body.into());
        Ok(())
    }

    /// Reads `<( … )` or `>( … )`.
    pub(super) fn process_substitution(&mut self, builder: &mut WordBuilder) -> Outcome<()> {
        let start = self.cursor.position();
        self.cursor.bump_by(2);
        let body = self.substitution_body()?;
        self.push_expansion(builder, ExpansionKind::Process, start, Context::Plain, body.into());
        Ok(())
    }

    /// Reads a list and its closing parenthesis.
    fn substitution_body(&mut self) -> Outcome<Script> {
        self.deeper(|reader| {
            let outer = reader.here_documents.enter_substitution();
            let mut body = Script::default();
            reader.list(ListEnd::Parenthesis, &mut body.items, &mut 0)?;
            if reader.here_documents.is_waiting() {
                return reader.fail(UnreadReason::HereDocumentCrossing);
            }
            reader.cursor.bump();
            reader.here_documents.leave_substitution(outer);
            Ok(body)
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::read;
    use crate::shell::reader::tests::walk::commands;

    #[test]
    fn the_body_of_a_substitution_ends_where_its_list_ends() {
        let cases: &[(&str, &[&str])] = &[
            ("a $(case x in x) b;; esac) c", &["a ‹$(case x in x) b;; esac)› c", "b"]),
            ("a \"$(b \")\")\"", &["a ‹\"$(b \")\")\"›", "b )"]),
            ("a $(b # c)\n)", &["a ‹$(b # c)\n)›", "b"]),
            ("a $( (b) )", &["a ‹$( (b) )›", "b"]),
            ("a | tee >(b) >c", &["a", "tee ‹>(b)›", "b"]),
            ("a {$(b),c}", &["a ‹{$(b),c}›", "b"]),
            ("a $()", &["a ‹$()›"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }
}
