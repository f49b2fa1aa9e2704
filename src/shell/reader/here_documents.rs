//! Here-documents: announced by a redirection, read at the next newline.
//!
//! Promises the body that bash would take, to the line, and every command in it when the delimiter is not quoted.

use std::borrow::Cow;

use super::quotes::Context;
use super::word_builder::WordBuilder;
use super::{Outcome, Reader, UnreadReason};
use crate::shell::tree::{HereDocument, Part, RedirectOperator, Span, Word};

/// The here-documents of one text.
#[derive(Debug, Default)]
pub(super) struct HereDocuments {
    /// Announced, body not read.
    waiting: Vec<Waiting>,
    /// Bodies by ticket; see [`Self::placeholder`].
    pub(super) bodies: Vec<Option<HereDocument>>,
    /// Inside `$( )`, where some versions end a body at `delimiter)`.
    in_substitution: bool,
    /// A here-document outside of this substitution waits for the next newline.
    newlines_forbidden: bool,
    /// Inside `$( )`, behind a here-document of it. A later line does not help: what the here-document is joined to, or the
    /// compound command that it stands in, may reach over many.
    semicolons_uncertain: bool,
}

#[derive(Debug)]
struct Waiting {
    ticket: usize,
    delimiter: String,
    quoted: bool,
    strips_tabs: bool,
}

/// What [`HereDocuments::enter_substitution`] put aside.
pub(super) struct Outer {
    waiting: Vec<Waiting>,
    in_substitution: bool,
    newlines_forbidden: bool,
    semicolons_uncertain: bool,
}

impl HereDocuments {
    /// Whether a body is still to come.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Whether what is read stands inside `$( )` or a process substitution.
    pub(super) fn is_in_substitution(&self) -> bool {
        self.in_substitution
    }

    /// Puts the waiting ones aside: those of a substitution are its own.
    pub(super) fn enter_substitution(&mut self) -> Outer {
        let outer = Outer {
            waiting: std::mem::take(&mut self.waiting),
            in_substitution: self.in_substitution,
            newlines_forbidden: self.newlines_forbidden,
            semicolons_uncertain: self.semicolons_uncertain,
        };
        self.semicolons_uncertain = false;
        self.in_substitution = true;
        self.newlines_forbidden |= !outer.waiting.is_empty();
        outer
    }

    /// Undoes [`Self::enter_substitution`].
    pub(super) fn leave_substitution(&mut self, outer: Outer) {
        self.waiting = outer.waiting;
        self.in_substitution = outer.in_substitution;
        self.newlines_forbidden = outer.newlines_forbidden;
        self.semicolons_uncertain = outer.semicolons_uncertain;
    }

    /// Whether a semicolon between commands may get lost: bash 5.2 writes a substitution anew before it runs it, and leaves
    /// the next semicolon behind a here-document out.
    pub(super) fn may_lose_a_semicolon(&self) -> bool {
        self.semicolons_uncertain
    }

    /// Stands in the tree until the body is delivered: a body without parts, with the ticket for its place.
    fn placeholder(ticket: usize, quoted: bool) -> HereDocument {
        let span = Some(Span { start: ticket, end: ticket });
        HereDocument { quoted, body: Word { parts: Vec::new(), raw: String::new(), span } }
    }
}

impl Reader<'_> {
    /// Takes note of a here-document whose delimiter was read.
    pub(super) fn announce_here_document(
        &mut self,
        delimiter: &Word,
        operator: RedirectOperator,
    ) -> Outcome<HereDocument> {
        let mut text = String::new();
        let mut quoted = false;
        for part in &delimiter.parts {
            match part {
                Part::Text { text: piece, quoted: piece_quoted } => {
                    text.push_str(piece);
                    quoted |= piece_quoted;
                }
                Part::Expansion(_) => return self.fail(UnreadReason::HereDocumentDelimiter),
            }
        }
        if text.contains('\n') || delimiter.raw.contains('$') {
            return self.fail(UnreadReason::HereDocumentDelimiter);
        }
        let ticket = self.here_documents.bodies.len();
        self.here_documents.semicolons_uncertain = self.here_documents.in_substitution;
        self.here_documents.bodies.push(None);
        self.here_documents.waiting.push(Waiting {
            ticket,
            delimiter: text,
            quoted,
            strips_tabs: operator == RedirectOperator::HereDocumentStripped,
        });
        Ok(HereDocuments::placeholder(ticket, quoted))
    }

    /// Consumes a newline and the bodies that waited for it.
    pub(super) fn newline(&mut self) -> Outcome<()> {
        if self.here_documents.newlines_forbidden {
            return self.fail(UnreadReason::HereDocumentCrossing);
        }
        self.cursor.bump_into_raw();
        for waiting in std::mem::take(&mut self.here_documents.waiting) {
            let body = self.here_document_body(&waiting)?;
            self.deliver_body(&waiting, body);
        }
        self.cursor.jump(self.cursor.position());
        Ok(())
    }

    /// Fails if a substitution ended before a body came. At the end of the whole text there is an empty one, as bash has it.
    pub(super) fn no_body_missing(&mut self) -> Outcome<()> {
        if !self.here_documents.is_waiting() {
            return Ok(());
        }
        if self.here_documents.in_substitution {
            return self.fail(UnreadReason::UnterminatedHereDocument);
        }
        for waiting in std::mem::take(&mut self.here_documents.waiting) {
            self.deliver_body(&waiting, quoted_body("", None));
        }
        Ok(())
    }

    fn deliver_body(&mut self, waiting: &Waiting, body: Word) {
        if let Some(place) = self.here_documents.bodies.get_mut(waiting.ticket) {
            *place = Some(HereDocument { quoted: waiting.quoted, body });
        }
    }

    fn here_document_body(&mut self, waiting: &Waiting) -> Outcome<Word> {
        let start = self.cursor.position();
        let mut at = start;
        // The body as the command reads it, from the first line on that differs from the text.
        let mut rebuilt: Option<String> = None;
        loop {
            let Some(line) = LogicalLine::first_of(self.cursor.text_from(at), !waiting.quoted) else {
                // Where the text ends, bash warns and takes what there is. Inside a substitution that depends on its version.
                if self.here_documents.in_substitution {
                    return self.fail_at(start, UnreadReason::UnterminatedHereDocument);
                }
                let body = self.body(waiting, rebuilt, start, at)?;
                self.cursor.jump_raw(at);
                return Ok(body);
            };
            let stripped = if waiting.strips_tabs { line.text.trim_start_matches('\t') } else { &line.text };
            if stripped == waiting.delimiter || line.text == waiting.delimiter {
                let body = self.body(waiting, rebuilt, start, at)?;
                self.cursor.jump_raw(at + line.length);
                return Ok(body);
            }
            if self.here_documents.in_substitution
                && stripped
                    .strip_prefix(waiting.delimiter.as_str())
                    .is_some_and(|behind| behind.contains(')'))
            {
                return self.fail_at(at, UnreadReason::HereDocumentGluedEnd);
            }
            let changed = line.is_joined() || stripped.len() != line.text.len();
            if changed && rebuilt.is_none() {
                rebuilt = Some(self.cursor.slice(start, at).to_owned());
            }
            if let Some(rebuilt) = &mut rebuilt {
                rebuilt.push_str(stripped);
                rebuilt.push('\n');
            }
            at += line.length;
        }
    }

    fn body(
        &mut self,
        waiting: &Waiting,
        rebuilt: Option<String>,
        start: usize,
        end: usize,
    ) -> Outcome<Word> {
        match rebuilt {
            Some(text) => self.rebuilt_body(waiting, &text),
            None => self.body_in_place(waiting, start, end),
        }
    }

    fn body_in_place(&mut self, waiting: &Waiting, start: usize, end: usize) -> Outcome<Word> {
        let text = self.cursor.text_until(end);
        if waiting.quoted {
            let raw = self.cursor.slice(start, end);
            return Ok(quoted_body(raw, self.has_spans.then_some(Span { start, end })));
        }
        self.expanded_body(Reader::new(text, start, self.depth, self.has_spans), start)
    }

    fn rebuilt_body(&mut self, waiting: &Waiting, text: &str) -> Outcome<Word> {
        if waiting.quoted {
            return Ok(quoted_body(text, None));
        }
        self.expanded_body(Reader::new(text, 0, self.depth, false), 0)
    }

    fn expanded_body(&mut self, mut inner: Reader<'_>, start: usize) -> Outcome<Word> {
        inner.budget = self.budget;
        let body = inner.deeper(|inner| inner.expanded_text(start));
        self.budget = inner.budget;
        self.case_arms += inner.case_arms;
        body.map_err(|mut failure| {
            if !inner.has_spans {
                failure.at = self.cursor.position();
            }
            failure.deferred = true;
            failure
        })
    }

    /// Reads everything up to the end as a text that bash expands like double quotes.
    fn expanded_text(&mut self, start: usize) -> Outcome<Word> {
        let mut builder = WordBuilder::default();
        builder.push("", true);
        while let Some(byte) = self.cursor.peek() {
            match byte {
                b'\\' => match self.cursor.peek_escaped() {
                    Some(b'$' | b'`' | b'\\') => builder.push(self.cursor.take_escaped(), true),
                    Some(_) | None => {
                        self.cursor.bump();
                        builder.push("\\", true);
                    }
                },
                b'$' => self.dollar(&mut builder, Context::Body)?,
                b'`' => self.backquotes(&mut builder, Context::Body)?,
                _ => builder.push(self.cursor.run(|byte| !matches!(byte, b'\\' | b'$' | b'`')), true),
            }
        }
        let mut word =
            Word { parts: builder.finish(), raw: self.raw_from(start), span: self.span_from(start) };
        self.here_documents.deliver_into_word(&mut word);
        Ok(word)
    }
}

fn quoted_body(text: &str, span: Option<Span>) -> Word {
    Word { parts: vec![Part::Text { text: text.to_owned(), quoted: true }], raw: text.to_owned(), span }
}

/// A line of a here-document as bash reads it: with an unquoted delimiter, an unescaped backslash joins the next line.
struct LogicalLine<'a> {
    /// The line without its newline.
    text: Cow<'a, str>,
    /// How much of the text it takes, its newline included.
    length: usize,
}

impl<'a> LogicalLine<'a> {
    fn first_of(rest: &'a str, joins: bool) -> Option<Self> {
        let mut text = Cow::Borrowed("");
        let mut length = 0;
        for line in rest.split_inclusive('\n') {
            length += line.len();
            let content = line.strip_suffix('\n');
            let backslashes = content.unwrap_or(line).bytes().rev().take_while(|byte| *byte == b'\\').count();
            let joined = joins && content.is_some() && backslashes % 2 == 1;
            let content = content.unwrap_or(line);
            let content = if joined { content.strip_suffix('\\').unwrap_or(content) } else { content };
            if text.is_empty() && !joined && length == line.len() {
                text = Cow::Borrowed(content);
            } else {
                text.to_mut().push_str(content);
            }
            if !joined {
                return Some(Self { text, length });
            }
        }
        // The text ends in a joined line: bash takes it as a line unless it is empty.
        (!text.is_empty()).then_some(Self { text, length })
    }

    fn is_joined(&self) -> bool {
        matches!(self.text, Cow::Owned(_))
    }
}

#[cfg(test)]
mod tests {
    use crate::shell::reader::tests::walk::{commands, here_document_texts};
    use crate::shell::reader::{UnreadReason, read};

    #[test]
    fn bodies_end_at_the_exact_line_and_expand_only_when_the_delimiter_is_bare() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            (
                "c <<E\nhi $(a) `b` ${x:-$(d)}\nrm -rf /\nE",
                &["c", "a", "b", "d"],
                &["hi ‹$(a)› ‹`b`› ‹${x:-$(d)}›\nrm -rf /\n"],
            ),
            ("c <<'E'\n$(a) \\\nE", &["c"], &["$(a) \\\n"]),
            ("c <<\\E\n$(a)\nE", &["c"], &["$(a)\n"]),
            ("c <<\"E\"F\n$(a)\nEF", &["c"], &["$(a)\n"]),
            ("c <<A <<B >o\n$(x)\nA\n$(y)\nB\nd", &["c", "x", "y", "d"], &["‹$(x)›\n", "‹$(y)›\n"]),
            ("c <<E | b && d\nbody\nE\ne", &["c", "b", "d", "e"], &["body\n"]),
            ("c <<E\n\\$(a) \\`b\\` \\\\$(d) \"\\\"\nE", &["c", "d"], &["$(a) `b` \\‹$(d)› \"\\\"\n"]),
            ("c <<E\nE \nx\n E\nE\nb", &["c", "b"], &["E \nx\n E\n"]),
            ("c <<E\nf\\\nE\nE\nb", &["c", "b"], &["fE\n"]),
            ("c <<-E\n\t$(a\n\t)\n\t\tE\nb", &["c", "a", "b"], &["‹$(a\n)›\n"]),
            ("c <<-E\n\tx\\\n\ty\n\tE", &["c"], &["x\ty\n"]),
            ("if a <<E; then b; fi\nx $(c)\nE", &["a", "b", "c"], &["x ‹$(c)›\n"]),
            ("a $(b <<E\n$(c)\nE\n)", &["a ‹$(b <<E\n$(c)\nE\n)›", "b", "c"], &["‹$(c)›\n"]),
            ("c <<E\n$(a <<F\n$(b)\nF\n)\nE", &["c", "a", "b"], &["‹$(a <<F\n$(b)\nF\n)›\n", "‹$(b)›\n"]),
            ("c <<E\\\nF\nx\nEF", &["c"], &["x\n"]),
            ("c <<''\nx\n\nb", &["c", "b"], &["x\n"]),
            ("c <<E\nE\nb", &["c", "b"], &[""]),
            ("c <<E\n${x:-$(a)}'\nE\nb", &["c", "a", "b"], &["‹${x:-$(a)}›'\n"]),
            ("c <<E \"x\ny\"\nb\nE", &["c x\ny"], &["b\n"]),
            ("c <<E", &["c"], &[""]),
            ("a $(c <<E\nE\nb\nd); f", &["a ‹$(c <<E\nE\nb\nd)›", "c", "b", "d", "f"], &[""]),
            ("c <<E <<F\n$(a)\nE ", &["c", "a"], &["‹$(a)›\nE ", ""]),
            ("c <<E\nx\\\n", &["c"], &["x\n"]),
        ];
        for (text, ran, bodies) in cases {
            let script = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!(commands(&script), *ran, "{text:?}");
            assert_eq!(here_document_texts(&script), *bodies, "{text:?}");
        }
    }

    #[test]
    fn open_and_ambiguous_here_documents_are_errors() {
        let cases = [
            ("a $(c <<E\nx)", UnreadReason::UnterminatedHereDocument),
            ("a $(c <<E\nx\nE)", UnreadReason::HereDocumentGluedEnd),
            ("a $(c <<E)\nx\nE", UnreadReason::HereDocumentCrossing),
            ("c <<E $(a\nb)\nE", UnreadReason::HereDocumentCrossing),
            ("a $(c <<E | b; d\nE\n)", UnreadReason::RewrittenSubstitution),
            ("a $(c <<E\nE\nb; d)", UnreadReason::RewrittenSubstitution),
            ("a $(c <<E\nE\nb\nd; e)", UnreadReason::RewrittenSubstitution),
            ("a $(for i in 1; do c <<E &&\nE\nb\ndone || d; e)", UnreadReason::RewrittenSubstitution),
            ("a $(c <<E ||\nE\n{ b; d; })", UnreadReason::RewrittenSubstitution),
            ("a <(for i in 1; do c <<E || b; d; done\nE\n)", UnreadReason::RewrittenSubstitution),
            ("c <<$x\n$x", UnreadReason::HereDocumentDelimiter),
            ("c <<'a\nb'\na\nb", UnreadReason::HereDocumentDelimiter),
        ];
        for (text, reason) in cases {
            assert_eq!(read(text).unwrap_err().reason, reason, "{text:?}");
        }
    }
}
