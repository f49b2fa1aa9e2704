//! Lenient readers of JSON, and what they find in a line that passes: no call in what is forwarded unjudged, and the very
//! call in what was judged.

use super::{FromClient, Traffic};
use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::fmt;

/// A value with all of its members, as often as they stand there.
#[derive(Debug)]
enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Plain(Value),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        reader.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Plain(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Plain(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Plain(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Plain(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Plain(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Plain(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut found = Vec::new();
        while let Some(item) = items.next_element()? {
            found.push(item);
        }
        Ok(Tree::Array(found))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Tree, A::Error> {
        let mut found = Vec::new();
        while let Some(member) = map.next_entry()? {
            found.push(member);
        }
        Ok(Tree::Object(found))
    }
}

/// How a server reads: which of two members it takes, whether case matters, and whether it cuts at carriage returns.
#[derive(Debug, Clone, Copy)]
struct Server {
    last: bool,
    folds: bool,
    cuts: bool,
}

impl Server {
    fn all() -> impl Iterator<Item = Self> {
        (0..8).map(|bits| Self { last: bits & 1 == 1, folds: bits & 2 == 2, cuts: bits & 4 == 4 })
    }

    fn is(self, found: &str, wanted: &str) -> bool {
        found == wanted || self.folds && found.to_lowercase() == wanted
    }

    fn get<'t>(self, tree: &'t Tree, name: &str) -> Option<&'t Tree> {
        let Tree::Object(members) = tree else { return None };
        let mut found = members.iter().filter(|(found, _)| self.is(found, name)).map(|(_, value)| value);
        if self.last { found.next_back() } else { found.next() }
    }

    fn value(self, tree: &Tree) -> Value {
        match tree {
            Tree::Plain(value) => value.clone(),
            Tree::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Tree::Object(members) => {
                let mut object = Map::new();
                for (name, value) in members {
                    if self.last || !object.contains_key(name) {
                        object.insert(name.clone(), self.value(value));
                    }
                }
                Value::Object(object)
            }
        }
    }

    /// The calls that it finds: names and arguments.
    fn calls(self, line: &str) -> Vec<(Value, Value)> {
        let pieces: Vec<&str> = if self.cuts { line.split('\r').collect() } else { vec![line] };
        let trees = pieces.into_iter().filter_map(|piece| serde_json::from_str::<Tree>(piece).ok());
        trees
            .filter(|tree| match self.get(tree, "method") {
                Some(Tree::Plain(Value::String(method))) => self.is(method, "tools/call"),
                Some(_) | None => false,
            })
            .map(|tree| {
                let params = self.get(&tree, "params");
                let part =
                    |name| params.and_then(|params| self.get(params, name)).map(|part| self.value(part));
                let arguments = part("arguments").filter(|arguments| !arguments.is_null());
                (part("name").unwrap_or_default(), arguments.unwrap_or_else(|| Value::Object(Map::new())))
            })
            .collect()
    }
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![12 => Just(""), 2 => Just(" "), 1 => Just("\t"), 1 => Just("\r")]
}

/// An object of these members and at most two others, in any order, with blanks in between.
fn object(
    members: Vec<(&'static str, BoxedStrategy<String>)>,
    others: &'static [&'static str],
    value: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let given: Vec<BoxedStrategy<(String, String)>> = members
        .into_iter()
        .map(|(name, value)| value.prop_map(move |value| (format!("\"{name}\""), value)).boxed())
        .collect();
    let other = (proptest::sample::select(others).prop_map(|name| format!("\"{name}\"")), value);
    (given, proptest::collection::vec(other, 0..=2), blank(), blank())
        .prop_flat_map(|(given, others, before, after)| {
            let all: Vec<(String, String)> = given.into_iter().chain(others).collect();
            (Just(all).prop_shuffle(), Just((before, after)))
        })
        .prop_map(|(members, (before, after))| {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{before}{name}:{after}{value}")).collect();
            format!("{{{}{after}}}", members.join(","))
        })
        .boxed()
}

fn text(options: &'static [&'static str]) -> BoxedStrategy<String> {
    proptest::sample::select(options).prop_map(str::to_owned).boxed()
}

fn arguments() -> BoxedStrategy<String> {
    let plain = text(&["1", "\"a\"", "{\"path\":1,\"path\":2}", "[1.5e3]", "9007199254740993", "null"]);
    object(vec![("path", text(&["\"a\"", "\"\\u0061\""]))], &["path", "p\\u0061th", "Path", "x"], plain)
}

fn params() -> BoxedStrategy<String> {
    let other = prop_oneof![arguments(), text(&["\"wipe\"", "{}", "null"])].boxed();
    let members = vec![("name", text(&["\"echo\"", "\"\\u0065cho\""])), ("arguments", arguments())];
    object(members, &["name", "Name", "n\\u0061me", "arguments", "Arguments", "_meta", "task", "x"], other)
}

fn line() -> BoxedStrategy<String> {
    let whole = "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{\"name\":\"wipe\"}}";
    let other =
        prop_oneof![params(), text(&["\"tools/call\"", "\"ping\"", "7", "null"]), Just(whole.to_owned())];
    let members = vec![
        ("jsonrpc", Just("\"2.0\"".to_owned()).boxed()),
        ("id", text(&["1", "\"a\"", "1", "null"])),
        ("method", text(&["\"tools/call\"", "\"tools\\/call\"", "\"ping\"", "\"Tools/Call\"", "\"x\""])),
        (
            "params",
            prop_oneof![8 => params(), 1 => Just(whole.to_owned()), 1 => Just(format!("\r{whole}\r"))]
                .boxed(),
        ),
    ];
    object(
        members,
        &["method", "Method", "m\\u0065thod", "params", "Params", "id", "result", "x"],
        other.boxed(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn no_server_reads_another_call_than_the_one_that_is_judged(line in line()) {
        for part in Traffic::new("own-".to_owned()).from_client(line.as_bytes()) {
            match part {
                FromClient::Forward(message) => {
                    for server in Server::all() {
                        prop_assert!(server.calls(&message).is_empty(), "{server:?} finds a call in {message}");
                    }
                }
                FromClient::Judge { call, message, .. } => {
                    let arguments = if call.arguments.is_empty() { "{}" } else { &call.arguments };
                    let judged = (Value::from(call.name.as_str()), serde_json::from_str(arguments).unwrap());
                    for server in Server::all() {
                        prop_assert_eq!(server.calls(&message), vec![judged.clone()], "{:?}: {}", server, message);
                    }
                }
                FromClient::GiveUp(_) | FromClient::Refuse { .. } => {}
            }
        }
    }

    #[test]
    fn no_bytes_break_the_reading(line in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut traffic = Traffic::new("own-".to_owned());
        traffic.from_client(&line);
        traffic.from_server(&line);
    }
}

#[test]
fn the_lenient_servers_find_what_they_are_there_for() {
    let found = |line: &str| Server::all().filter(|server| !server.calls(line).is_empty()).count();
    let cases = [
        (r#"{"method":"tools/call","params":{"name":"a"}}"#, 8),
        (r#"{"method":"ping","method":"tools/call"}"#, 4),
        (r#"{"method":"ping","Method":"tools/call"}"#, 2),
        ("{\"method\":\"ping\",\"params\":\r{\"method\":\"tools/call\"}\r}", 4),
        (r#"{"method":"ping"}"#, 0),
    ];
    for (line, count) in cases {
        assert_eq!(found(line), count, "{line}");
    }
}
