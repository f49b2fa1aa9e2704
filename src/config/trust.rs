//! The `mcp` block: which hints of which MCP server are believed.
//!
//! Promises that only hints that exist are believed, and keeps what was stated apart from what was left out, because
//! the two merge differently. Knows nothing of what a hint changes.

use super::document::{Document, item_path, key_path};
use super::problem::{Origin, Report};
use super::section::{Section, kind, quoted};
use crate::gate::TrustPolicy;
use crate::rules::Hint;
use crate::rules::grammar::suggest::nearest;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// An `mcp` block as it is written: `None` stands for a `trustAnnotations` that is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustBlock {
    /// The hints believed of a server that is not named.
    pub defaults: Option<BTreeSet<Hint>>,
    /// The hints believed of the servers that are named. A named server never falls back to the defaults.
    pub servers: BTreeMap<String, Option<BTreeSet<Hint>>>,
    /// Where each named server was written last.
    pub(super) places: BTreeMap<String, Origin>,
}

impl TrustBlock {
    /// Reads a block; what is wrong with it is reported and left out.
    pub(super) fn read(value: &Value, path: &str, document: &Document, report: &mut Report) -> Self {
        let mut block = Self::default();
        let Some(section) = Section::open(value, path, report) else { return block };
        section.refuse_unknown(&["defaults", "servers"], report);
        if let Some(defaults) = section.get("defaults") {
            block.defaults = read_believed(defaults, &section.path_of("defaults"), report);
        }
        let path = section.path_of("servers");
        let servers = section.get("servers").and_then(|servers| Section::open(servers, &path, report));
        if let Some(servers) = servers {
            for (key, value) in servers.entries() {
                if key.is_empty() {
                    report.error(
                        &servers.path_of(key),
                        "names no server; write the server's key from `mcpServers`",
                    );
                } else {
                    let path = servers.path_of(key);
                    let hints = read_believed(value, &path, report);
                    block.places.insert(key.clone(), document.origin(&path));
                    block.servers.insert(key.clone(), hints);
                }
            }
        }
        block
    }

    /// This block with another file's laid over it: servers are united, and a stated list replaces a lower one.
    #[must_use]
    pub fn under(mut self, higher: Self) -> Self {
        if higher.defaults.is_some() {
            self.defaults = higher.defaults;
        }
        self.places.extend(higher.places);
        for (key, hints) in higher.servers {
            let stated = self.servers.entry(key).or_default();
            if hints.is_some() {
                *stated = hints;
            }
        }
        self
    }

    /// The parts of a higher block, as paths below it, that look as if they took trust back and do not.
    pub(super) fn idle_withdrawals(&self, higher: &Self) -> Vec<String> {
        let believes = |hints: &Option<BTreeSet<Hint>>| hints.as_ref().is_some_and(|hints| !hints.is_empty());
        if higher.defaults.is_none() && higher.servers.is_empty() {
            let anything = believes(&self.defaults) || self.servers.values().any(believes);
            return if anything { vec![String::new()] } else { Vec::new() };
        }
        let unstated = higher.servers.iter().filter(|(_, hints)| hints.is_none()).map(|(key, _)| key);
        unstated
            .filter(|key| self.servers.get(*key).is_some_and(believes))
            .map(|key| key_path("servers", key))
            .collect()
    }

    /// What is believed once nothing more is laid over it: what was left out is believed of nothing.
    #[must_use]
    pub fn policy(&self) -> TrustPolicy {
        let list = |hints: &Option<BTreeSet<Hint>>| hints.iter().flatten().copied().collect();
        TrustPolicy {
            defaults: list(&self.defaults),
            servers: self.servers.iter().map(|(key, hints)| (key.clone(), list(hints))).collect(),
        }
    }
}

fn read_believed(value: &Value, path: &str, report: &mut Report) -> Option<BTreeSet<Hint>> {
    let section = Section::open(value, path, report)?;
    section.refuse_unknown(&["trustAnnotations"], report);
    let list = section.get("trustAnnotations")?;
    let path = key_path(path, "trustAnnotations");
    let Some(items) = list.as_array() else {
        report.error(
            &path,
            format!(
                "must be a list of hints, such as [\"readOnlyHint\"], not {}; trust is per hint",
                kind(list)
            ),
        );
        return None;
    };
    let mut believed = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_str().and_then(Hint::parse) {
            Some(hint) => {
                believed.insert(hint);
            }
            None => report.error(&item_path(&path, index), unknown_hint(item)),
        }
    }
    Some(believed)
}

fn unknown_hint(item: &Value) -> String {
    let names = Hint::ALL.map(Hint::as_str);
    let meant = item.as_str().and_then(|text| nearest(text, &names));
    let advice = meant.map_or_else(String::new, |name| format!("; did you mean {name}?"));
    format!("{} is not a hint; the hints are {}{advice}", quoted(item), names.join(", "))
}
