//! A file of JSON with comments: its value, and where in the text every part of it stands.
//!
//! Promises a value that is read strictly (only comments and trailing commas go beyond JSON), no key that is written
//! twice, and a line and column for every path. Knows nothing of what the keys mean.

use super::problem::{Origin, Position, Problem};
use crate::rules::grammar::{self, Severity};
use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Number, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The longest file that is read, in bytes: room for more than 100,000 rule-list entries.
pub const MAX_FILE_BYTES: u64 = 16 * 1024 * 1024;

/// The deepest nesting of objects and lists. The grammar itself needs less than ten.
pub const MAX_DEPTH: usize = 64;

/// One file of JSON with comments.
#[derive(Debug, Clone)]
pub struct Document {
    name: Arc<str>,
    value: Value,
    root: Place,
}

#[derive(Debug, Clone)]
struct Place {
    position: Position,
    inside: Inside,
}

#[derive(Debug, Clone)]
enum Inside {
    Nothing,
    /// By the key as [`key_step`] renders it.
    Keys(HashMap<String, Place>),
    Items(Vec<Place>),
}

impl Document {
    /// Reads a text. `name` is what reports call it, usually its path.
    ///
    /// # Errors
    /// The syntax error, or every duplicate key, control character and number out of range that it holds.
    pub fn parse(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let name: Arc<str> = Arc::from(name);
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let fault = |position: Position, path: &str, message: String| {
            Problem::error(Some(Origin::new(&name, position, path)), path, message)
        };
        if text.len() as u64 > MAX_FILE_BYTES {
            let message = format!("is longer than {MAX_FILE_BYTES} bytes; split it with `extends`");
            return Err(vec![fault(Position::START, "", message)]);
        }
        let parsed = match parse_to_ast(text, &CollectOptions::default(), &strict_but_for_comments()) {
            Ok(parsed) => parsed,
            Err(error) => {
                let mut cursor = Cursor::new(text);
                let position = cursor.at(error.range().start);
                let message = format!(
                    "{}; this is read as JSON with comments and trailing commas",
                    lower_first(&error.kind().to_string())
                );
                return Err(vec![fault(position, "", message)]);
            }
        };
        let Some(tree) = parsed.value else {
            // Not the defaults: a file caught half-written must never loosen a policy.
            let message = "is empty; write `{}` to ask for the defaults".to_owned();
            return Err(vec![fault(Position::START, "", message)]);
        };
        let mut reader = Reader { cursor: Cursor::new(text), faults: Vec::new() };
        let position = reader.cursor.at(tree.range().start);
        let (value, inside) = reader.value(&tree, "", 0);
        if reader.faults.is_empty() {
            Ok(Self { name, value, root: Place { position, inside } })
        } else {
            let faults = reader.faults.into_iter();
            Err(faults.map(|(position, path, message)| fault(position, &path, message)).collect())
        }
    }

    /// What reports call it.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// The value.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Where a path such as `approvals.deny[1].pattern` stands: at its key, or at the list item. A path that is not in
    /// the file stands where its nearest written ancestor stands.
    #[must_use]
    pub fn position(&self, path: &str) -> Position {
        let mut place = &self.root;
        let mut rest = path;
        while let Some((inner, after)) = place.step(rest) {
            place = inner;
            rest = after;
        }
        place.position
    }

    /// A path with its place.
    #[must_use]
    pub fn origin(&self, path: &str) -> Origin {
        Origin::new(&self.name, self.position(path), path)
    }

    /// A problem of the rule grammar, with its place.
    #[must_use]
    pub fn locate(&self, problem: grammar::Problem) -> Problem {
        let origin = self.origin(&problem.path);
        match problem.severity {
            Severity::Error => Problem::error(Some(origin), &problem.path, problem.message),
            Severity::Warning => Problem::warning(Some(origin), &problem.path, problem.message),
        }
    }
}

impl Place {
    fn step<'p, 't>(&'p self, rest: &'t str) -> Option<(&'p Self, &'t str)> {
        match &self.inside {
            Inside::Nothing => None,
            Inside::Items(items) => {
                let (index, after) = rest.strip_prefix('[')?.split_once(']')?;
                Some((items.get(index.parse::<usize>().ok()?)?, after))
            }
            Inside::Keys(keys) => {
                let rest = rest.strip_prefix('.').unwrap_or(rest);
                let ends = if rest.starts_with('"') { '"' } else { '.' };
                rest.char_indices()
                    .skip(1)
                    .filter(|(_, character)| *character == ends || *character == '[')
                    .map(|(at, character)| if character == '"' { at + 1 } else { at })
                    .chain([rest.len()])
                    .find_map(|end| {
                        let (key, after) = rest.split_at_checked(end)?;
                        keys.get(key).map(|place| (place, after))
                    })
            }
        }
    }
}

/// The path of a key under a path.
#[must_use]
pub fn key_path(path: &str, key: &str) -> String {
    let step = key_step(key);
    if path.is_empty() { step } else { format!("{path}.{step}") }
}

/// The path of a list item under a path.
#[must_use]
pub fn item_path(path: &str, index: usize) -> String {
    format!("{path}[{index}]")
}

/// A key as paths show it: bare where it is a plain name, else quoted with everything invisible escaped.
fn key_step(key: &str) -> String {
    let plain = |character: char| {
        character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '$' | '*' | '/')
    };
    if !key.is_empty() && key.chars().all(plain) { key.to_owned() } else { format!("{key:?}") }
}

fn strict_but_for_comments() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_lowercase().chain(characters).collect())
}

/// Turns byte offsets, asked for in rising order, into lines and columns in one pass over the text.
struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    position: Position,
}

impl<'t> Cursor<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, offset: 0, position: Position::START }
    }

    fn at(&mut self, offset: usize) -> Position {
        if let Some(passed) = self.text.get(self.offset..offset) {
            for character in passed.chars() {
                self.position = self.position.after(character);
            }
            self.offset = offset;
        }
        self.position
    }
}

struct Reader<'t> {
    cursor: Cursor<'t>,
    faults: Vec<(Position, String, String)>,
}

impl Reader<'_> {
    fn value(&mut self, node: &ast::Value<'_>, path: &str, depth: usize) -> (Value, Inside) {
        let position = self.cursor.at(node.range().start);
        if depth > MAX_DEPTH {
            // Reported once per branch: what lies deeper is not read.
            let message = format!("is nested deeper than {MAX_DEPTH} levels");
            self.faults.push((position, path.to_owned(), message));
            return (Value::Null, Inside::Nothing);
        }
        match node {
            ast::Value::StringLit(text) => {
                let raw = self.cursor.text.get(text.range.start..text.range.end).unwrap_or_default();
                if raw.chars().any(|character| character < ' ') {
                    let message = "has a line break or control character inside a string; write it as an \
                                   escape such as `\\n`";
                    self.faults.push((position, path.to_owned(), message.to_owned()));
                }
                (Value::String(text.value.clone().into_owned()), Inside::Nothing)
            }
            ast::Value::NumberLit(number) => {
                let value = number.value.parse::<Number>().map_or_else(
                    |_| {
                        let message = format!("`{}` is not a number that can be used", number.value);
                        self.faults.push((position, path.to_owned(), message));
                        Value::Null
                    },
                    Value::Number,
                );
                (value, Inside::Nothing)
            }
            ast::Value::BooleanLit(boolean) => (Value::Bool(boolean.value), Inside::Nothing),
            ast::Value::NullKeyword(_) => (Value::Null, Inside::Nothing),
            ast::Value::Array(array) => {
                let mut values = Vec::with_capacity(array.elements.len());
                let mut places = Vec::with_capacity(array.elements.len());
                for (index, element) in array.elements.iter().enumerate() {
                    let position = self.cursor.at(element.range().start);
                    let (value, inside) = self.value(element, &item_path(path, index), depth + 1);
                    values.push(value);
                    places.push(Place { position, inside });
                }
                (Value::Array(values), Inside::Items(places))
            }
            ast::Value::Object(object) => self.object(object, path, depth),
        }
    }

    fn object(&mut self, object: &ast::Object<'_>, path: &str, depth: usize) -> (Value, Inside) {
        let mut values = Map::with_capacity(object.properties.len());
        let mut places: HashMap<String, Place> = HashMap::with_capacity(object.properties.len());
        for property in &object.properties {
            let key = property.name.as_str();
            let position = self.cursor.at(property.range.start);
            let inner_path = key_path(path, key);
            if let Some(first) = places.get(&key_step(key)) {
                let message = format!(
                    "is written twice in one object, first at line {}; keep one of the two",
                    first.position.line
                );
                self.faults.push((position, inner_path.clone(), message));
            }
            let (value, inside) = self.value(&property.value, &inner_path, depth + 1);
            values.insert(key.to_owned(), value);
            places.insert(key_step(key), Place { position, inside });
        }
        (Value::Object(values), Inside::Keys(places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(text: &str) -> Vec<String> {
        match Document::parse("f.jsonc", text) {
            Ok(document) => panic!("must be refused, was {}", document.value()),
            Err(problems) => problems.iter().map(ToString::to_string).collect(),
        }
    }

    #[test]
    fn a_path_leads_to_the_line_and_column_of_its_key_or_item() {
        let text = "\u{feff}{\r\n  // é\n  \"a\": [ 1,\n    { \"x.y\": {\"\": 2}, \"z\": 3 } ],\n  /* ü */ \"*\": { \"b\\u0007\": 1, },\n}";
        let document = Document::parse("f.jsonc", text).unwrap();
        for (path, line, column) in [
            ("", 1, 1),
            ("a", 3, 3),
            ("a[0]", 3, 10),
            ("a[1]", 4, 5),
            ("a[1].\"x.y\"", 4, 7),
            ("a[1].\"x.y\".\"\"", 4, 15),
            ("a[1].z", 4, 23),
            ("a[1].missing", 4, 5),
            ("a[1].z.deeper[3]", 4, 23),
            ("a[9]", 3, 3),
            ("*", 5, 11),
            ("*.\"b\\u{7}\"", 5, 18),
            ("nowhere", 1, 1),
        ] {
            assert_eq!(document.position(path), Position { line, column }, "{path}");
        }
        assert_eq!(key_path(&key_path("", "*"), "b\u{7}"), "*.\"b\\u{7}\"");
    }

    #[test]
    fn only_comments_and_trailing_commas_go_beyond_json() {
        let document = Document::parse("f", "// c\n{\"a\": [1,], /* c */ \"b\": \"\\u00e9\\n\",}\n").unwrap();
        assert_eq!(document.value(), &serde_json::json!({"a": [1], "b": "é\n"}));
        for text in [
            "{a: 1}",
            "{'a': 1}",
            "{\"a\": 0x1}",
            "{\"a\": +1}",
            "{\"a\": .5}",
            "{\"a\": NaN}",
            "{\"a\": 1 \"b\": 2}",
            "{\"a\": \"\\x41\"}",
            "{} {}",
            "{",
            "[1 2]",
        ] {
            let found = faults(text);
            assert_eq!(found.len(), 1, "{text}");
            assert!(found[0].starts_with("f.jsonc:1:"), "{text}: {found:?}");
        }
    }

    #[test]
    fn every_key_written_twice_is_reported_with_both_places() {
        let found = faults("{ \"a\": 1,\n\"a\": {\n\"b\": 1, \"b\": 2 } }");
        assert_eq!(
            found,
            [
                "f.jsonc:2:1: a: is written twice in one object, first at line 1; keep one of the two",
                "f.jsonc:3:9: a.b: is written twice in one object, first at line 3; keep one of the two"
            ]
        );
    }

    #[test]
    fn what_cannot_be_a_configuration_is_refused_and_never_read_as_the_defaults() {
        for (text, part) in [
            ("", "is empty"),
            (" // nothing\n", "is empty"),
            ("{\"a\": \"x\ny\"}", "line break"),
            ("{\"a\": 1e999}", "not a number"),
        ] {
            let found = faults(text);
            assert!(found.len() == 1 && found[0].contains(part), "{text}: {found:?}");
        }
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert!(faults(&deep)[0].contains("nested deeper than 64"), "{:?}", faults(&deep));
        let abyss = "[".repeat(200_000);
        assert!(faults(&abyss)[0].contains("nesting depth"), "{:?}", faults(&abyss));
    }

    #[test]
    fn a_long_single_line_is_placed_in_one_pass() {
        let items: Vec<String> = (0..100_000).map(|index| format!("\"{index}\"")).collect();
        let text = format!("[{}]", items.join(","));
        let document = Document::parse("f", &text).unwrap();
        assert_eq!(document.position("[99999]").line, 1);
        assert_eq!(document.position("[1]").column, 6);
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_the_reader_panic_or_point_outside_the_text(
            text in "[\\[\\]{}:,\"'\\\\/*\\-+.0-9eEuxtrufalsné \n\r\u{feff}]{0,60}"
        ) {
            let lines = u32::try_from(text.lines().count().max(1)).unwrap();
            for problem in Document::parse("f", &text).err().unwrap_or_default() {
                let position = problem.origin.unwrap().position;
                proptest::prop_assert!((1..=lines + 1).contains(&position.line) && position.column >= 1);
            }
        }
    }
}
