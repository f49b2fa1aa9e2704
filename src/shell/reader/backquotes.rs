//! Backquotes: text that bash reads again when it runs.
//!
//! Promises that one layer of backslashes is taken away as bash takes it away and the rest read as a text of its own,
//! without spans.

use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Failure, Outcome, Reader, UnreadReason};
use crate::shell::tree::ExpansionKind;

impl Reader<'_> {
    /// Reads `` `…` ``.
    pub(super) fn backquotes(&mut self, builder: &mut WordBuilder, context: Context) -> Outcome<()> {
        let start = self.cursor.position();
        let text = self.backquoted_text(context)?;
        let body = self.deeper(|reader| {
            let mut inner = Reader::new(&text, 0, reader.depth, false);
            inner.budget = reader.budget;
            let body = inner.whole_text();
            reader.budget = inner.budget;
            reader.case_arms += inner.case_arms;
            // Places in the inner text mean nothing outside.
            body.map_err(|inner| Box::new(Failure { at: start, deferred: true, ..*inner }))
        })?;
        self.push_expansion(builder, ExpansionKind::Command, start, context, body.into());
        Ok(())
    }

    fn backquoted_text(&mut self, context: Context) -> Outcome<String> {
        let start = self.cursor.position();
        self.cursor.bump();
        let mut text = String::new();
        loop {
            match self.cursor.peek() {
                None => return self.fail_at(start, UnreadReason::UnterminatedBackquote),
                Some(b'`') => {
                    self.cursor.bump();
                    return Ok(text);
                }
                Some(b'\\') => match (self.cursor.peek_escaped(), context) {
                    (Some(b'`' | b'\\' | b'$'), _) | (Some(b'"'), Context::DoubleQuotes) => {
                        text.push_str(self.cursor.take_escaped());
                    }
                    (Some(b'"'), Context::QuotesInBody) => return self.fail(UnreadReason::AmbiguousQuoting),
                    (Some(_) | None, _) => {
                        text.push('\\');
                        text.push_str(self.cursor.take_escaped());
                    }
                },
                Some(_) => text.push_str(self.cursor.run(|byte| !matches!(byte, b'`' | b'\\'))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::commands;
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn one_layer_of_backslashes_is_taken_away() {
        let cases: &[(&str, &[&str])] = &[
            (r"a `b \`c d\``", &[r"a ‹`b \`c d\``›", r"b ‹`c d`›", "c d"]),
            (r#"a "`b \"x y\"`""#, &[r#"a ‹"`b \"x y\"`"›"#, "b x y"]),
            (r#"a "`b '\`'`"; c"#, &[r#"a ‹"`b '\`'`"›"#, "b `", "c"]),
            (r#"a "${x:-`b \"y\"`}""#, &[r#"a ‹"${x:-`b \"y\"`}"›"#, r#"b "y""#]),
            ("a `b 'x\\\ny'`", &["a ‹`b 'x\\\ny'`›", "b xy"]),
        ];
        for (text, expected) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *expected, "{text:?}");
        }
    }

    #[test]
    fn an_error_in_backquotes_keeps_what_ran_before_it_inside_and_outside() {
        let error = read("a; b `c\n(`").unwrap_err();
        assert_eq!((error.at, error.reason), (5, UnreadReason::UnexpectedEnd));
        assert_eq!(commands(&error.before), ["a", "c"]);
    }
}
