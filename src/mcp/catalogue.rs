//! What a server says of its tools.
//!
//! Promises that a tool which is described in two ways, or in a way that readers take differently, is taken as described
//! in none. Knows nothing of what is believed.

use super::strict::{Fault, members, string};
use crate::gate::Declared;
use std::collections::BTreeMap;

/// How many tools are registered; what comes after them is judged as unknown.
pub const MAX_TOOLS: usize = 2_000;

/// The longest name of a tool, in bytes.
pub(super) const MAX_NAME: usize = 256;

/// How much of a description is kept, in characters: all tools together must fit into one request.
const MAX_DESCRIPTION: usize = 200;

/// What a server says of one tool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Declaration {
    /// Its description, cut.
    pub description: String,
    /// Its hints.
    pub hints: Declared,
}

/// One page of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    tools: Vec<(String, Declaration)>,
    /// Where the next page begins, if there is one.
    pub next: Option<String>,
}

/// Every tool of a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Catalogue {
    tools: BTreeMap<String, Declaration>,
    cut: bool,
}

/// Whether a tool can have this name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= MAX_NAME && !name.contains('\0')
}

impl Page {
    /// Reads the result of `tools/list`.
    ///
    /// # Errors
    /// It is no such result, or has no single meaning.
    pub fn read(result: &str) -> Result<Self, Fault> {
        let mut page = Self { tools: Vec::new(), next: None };
        let mut listed = false;
        for member in members(result)? {
            match member.name.as_str() {
                "tools" => {
                    listed = true;
                    page.tools =
                        super::strict::elements(member.value)?.into_iter().filter_map(tool).collect();
                }
                "nextCursor" => page.next = string(member.value),
                _other => {}
            }
        }
        if listed { Ok(page) } else { Err(Fault::NotJson("there are no tools in it".to_owned())) }
    }
}

/// A tool with what it declares; nothing where it has no name that can be called.
fn tool(text: &str) -> Option<(String, Declaration)> {
    let members = members(text).ok()?;
    let value = |name: &str| members.iter().find(|member| member.name == name).map(|member| member.value);
    let name = value("name").and_then(string).filter(|name| is_name(name))?;
    let description = value("description").and_then(string).unwrap_or_default();
    let declaration = Declaration {
        description: description.chars().take(MAX_DESCRIPTION).collect(),
        hints: value("annotations").map(hints).unwrap_or_default(),
    };
    Some((name, declaration))
}

fn hints(annotations: &str) -> Declared {
    // With one hint twice, none of them is worth anything.
    let Ok(members) = members(annotations) else { return Declared::default() };
    let hint = |name: &str| {
        let value = members.iter().find(|member| member.name == name)?.value;
        serde_json::from_str(value).ok()
    };
    Declared {
        read_only: hint("readOnlyHint"),
        destructive: hint("destructiveHint"),
        idempotent: hint("idempotentHint"),
        open_world: hint("openWorldHint"),
    }
}

impl Catalogue {
    /// Adds a page.
    pub fn add(&mut self, page: Page) {
        for (name, declaration) in page.tools {
            if let Some(before) = self.tools.get_mut(&name) {
                if *before != declaration {
                    *before = Declaration::default();
                }
            } else if self.tools.len() < MAX_TOOLS {
                self.tools.insert(name, declaration);
            } else {
                self.cut = true;
            }
        }
    }

    /// What the server says of a tool; nothing for one that it does not list.
    #[must_use]
    pub fn declaration(&self, name: &str) -> Option<&Declaration> {
        self.tools.get(name)
    }

    /// Every tool, by name.
    pub fn tools(&self) -> impl Iterator<Item = (&str, &Declaration)> {
        self.tools.iter().map(|(name, declaration)| (name.as_str(), declaration))
    }

    /// Whether there were more tools than are registered.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether a page says something else than this does.
    #[must_use]
    pub fn differs(&self, page: &Page) -> bool {
        page.tools.iter().any(|(name, declaration)| match self.tools.get(name) {
            Some(known) => known != declaration,
            None => !self.cut,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Catalogue {
        let mut catalogue = Catalogue::default();
        catalogue.add(Page::read(text).unwrap());
        catalogue
    }

    #[test]
    fn hints_are_taken_where_they_are_booleans_that_stand_there_once() {
        let cases = [
            ("{}", [None; 4]),
            (r#"{"readOnlyHint": true, "openWorldHint": false}"#, [Some(true), None, None, Some(false)]),
            (r#"{"destructiveHint": false, "idempotentHint": true}"#, [None, Some(false), Some(true), None]),
            (r#"{"readOnlyHint": "true", "openWorldHint": 0, "destructiveHint": null}"#, [None; 4]),
            (r#"{"readOnlyHint": false, "readOnlyHint": true, "openWorldHint": false}"#, [None; 4]),
            (r#"{"readonlyhint": true}"#, [None; 4]),
            ("[true]", [None; 4]),
        ];
        for (annotations, [read_only, destructive, idempotent, open_world]) in cases {
            let catalogue = read(&format!(r#"{{"tools": [{{"name": "t", "annotations": {annotations}}}]}}"#));
            let expected = Declared { read_only, destructive, idempotent, open_world };
            assert_eq!(catalogue.declaration("t").unwrap().hints, expected, "{annotations}");
        }
    }

    #[test]
    fn a_tool_that_is_described_in_two_ways_is_described_in_none() {
        let kind = r#"{"name": "t", "description": "d", "annotations": {"readOnlyHint": true}}"#;
        let other = r#"{"name": "t", "description": "d", "annotations": {"readOnlyHint": false}}"#;
        assert_eq!(
            read(&format!(r#"{{"tools": [{kind}, {other}]}}"#)).declaration("t"),
            Some(&Declaration::default())
        );
        assert_ne!(
            read(&format!(r#"{{"tools": [{kind}, {kind}]}}"#)).declaration("t"),
            Some(&Declaration::default())
        );
        let twice = r#"{"name": "t", "name": "u"}"#;
        assert_eq!(read(&format!(r#"{{"tools": [{twice}]}}"#)).tools().count(), 0);
    }

    #[test]
    fn what_no_call_can_name_is_left_out_and_what_is_no_listing_is_refused() {
        let long = "n".repeat(257);
        let text = format!(
            r#"{{"tools": [{{"name": ""}}, {{"name": "{long}"}}, {{"name": 1}}, 7, {{"name": "a\u0000"}}]}}"#
        );
        assert_eq!(read(&text).tools().count(), 0);
        for text in ["[]", "{}", r#"{"tools": {}}"#, r#"{"tools": [], "tools": []}"#] {
            assert!(Page::read(text).is_err(), "{text}");
        }
        let page = Page::read(r#"{"tools": [], "nextCursor": "c", "ttlMs": 5}"#).unwrap();
        assert_eq!(page.next.as_deref(), Some("c"));
        assert_eq!(Page::read(r#"{"tools": [], "nextCursor": null}"#).unwrap().next, None);
    }

    #[test]
    fn a_page_differs_by_a_new_tool_and_by_a_changed_one() {
        let known =
            read(r#"{"tools": [{"name": "a"}, {"name": "b", "annotations": {"readOnlyHint": true}}]}"#);
        let differs = |text: &str| known.differs(&Page::read(text).unwrap());
        assert!(!differs(r#"{"tools": [{"name": "b", "annotations": {"readOnlyHint": true}}]}"#));
        assert!(differs(r#"{"tools": [{"name": "b"}]}"#));
        assert!(differs(r#"{"tools": [{"name": "a", "description": "now with a description"}]}"#));
        assert!(differs(r#"{"tools": [{"name": "c"}]}"#));
    }

    #[test]
    fn more_tools_than_a_gate_takes_are_cut_and_do_not_differ_forever() {
        let tools: Vec<String> = (0..=MAX_TOOLS).map(|n| format!(r#"{{"name": "t{n}"}}"#)).collect();
        let text = format!(r#"{{"tools": [{}]}}"#, tools.join(","));
        let catalogue = read(&text);
        assert!(catalogue.is_cut());
        assert_eq!(catalogue.tools().count(), MAX_TOOLS);
        assert!(!catalogue.differs(&Page::read(&text).unwrap()));
    }
}
