//! One `approvals` block as one file states it.
//!
//! Promises every problem of the block at once, each with its path, and keeps what was stated apart from what was left
//! out, because the two merge differently. Knows nothing of other blocks; `layers` merges them.

use super::document::Document;
use super::problem::{Origin, Report};
use super::retired;
use super::section::{Section, kind, quoted, quoted_list};
use super::trust::TrustBlock;
use crate::gate::{GateScope, Rung};
use crate::rules::ListKind;
use crate::rules::grammar::suggest::nearest;
use crate::rules::grammar::{DeclaredEntry, parse_list};
use serde_json::Value;
use std::sync::Arc;

/// The keys of an `approvals` object.
pub(super) const KEYS: [&str; 8] =
    ["mode", "rater", "raterTimeoutMs", "gate_scope", "deny", "escalate", "allow", "mcp"];

/// An entry with the place that declared it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedEntry {
    /// The entry.
    pub declared: DeclaredEntry,
    /// Where it was written.
    pub origin: Origin,
}

/// The name of a rater profile with the place that chose it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaterChoice {
    /// The profile; empty where the block asks for the default rater in so many words.
    pub profile: String,
    /// Where it was written.
    pub origin: Origin,
}

/// What one `approvals` block states; `None` stands for what it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approvals {
    /// The rung that sessions start on.
    pub mode: Option<Rung>,
    /// Who rates commands.
    pub rater: Option<RaterChoice>,
    /// How long a rating may take, in milliseconds.
    pub rater_timeout_ms: Option<u32>,
    /// Which calls are judged.
    pub gate_scope: Option<GateScope>,
    /// What is refused. Lists of several blocks add up, so leaving it out is the same as an empty list.
    pub deny: Vec<Arc<PlacedEntry>>,
    /// What asks a human. Lists of several blocks add up.
    pub escalate: Vec<Arc<PlacedEntry>>,
    /// What is let through. A stated list replaces a lower one, even when it is empty.
    pub allow: Option<Vec<Arc<PlacedEntry>>>,
    /// Which hints of MCP servers are believed.
    pub mcp: Option<TrustBlock>,
}

impl Approvals {
    /// Reads a block at a path of a document; what is wrong with it is reported and left out.
    pub(super) fn read(value: &Value, path: &str, document: &Document, report: &mut Report) -> Self {
        match value {
            // A name alone is short for `{"mode": …}`.
            Value::String(name) => Self { mode: read_mode(name, path, report), ..Self::default() },
            Value::Object(map) => {
                retired::approvals_keys(map, path, report);
                Self::read_object(value, path, document, report)
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                let rungs = quoted_list(&Rung::ALL.map(Rung::as_str));
                report.error(
                    path,
                    format!(
                        "must be one of {rungs} or an object with `mode` and rule lists, not {}",
                        kind(value)
                    ),
                );
                Self::default()
            }
        }
    }

    fn read_object(value: &Value, path: &str, document: &Document, report: &mut Report) -> Self {
        let Some(section) = Section::open(value, path, report) else { return Self::default() };
        section.refuse_unknown_but(&retired::approvals_key_names(), &KEYS, report);
        Self {
            mode: section
                .text("mode", report)
                .and_then(|name| read_mode(name, &section.path_of("mode"), report)),
            rater: read_rater(&section, document, report),
            rater_timeout_ms: section.integer("raterTimeoutMs", 1, u32::MAX, report),
            gate_scope: section.choice(
                "gate_scope",
                &GateScope::ALL.map(GateScope::as_str),
                GateScope::parse,
                report,
            ),
            deny: read_list(&section, ListKind::Deny, document, report).unwrap_or_default(),
            escalate: read_list(&section, ListKind::Escalate, document, report).unwrap_or_default(),
            allow: read_list(&section, ListKind::Allow, document, report),
            mcp: section
                .get("mcp")
                .map(|block| TrustBlock::read(block, &section.path_of("mcp"), document, report)),
        }
    }

    /// The entries of one list.
    #[must_use]
    pub fn list(&self, kind: ListKind) -> &[Arc<PlacedEntry>] {
        match kind {
            ListKind::Deny => &self.deny,
            ListKind::Escalate => &self.escalate,
            ListKind::Allow => self.allow.as_deref().unwrap_or_default(),
        }
    }
}

fn read_mode(name: &str, path: &str, report: &mut Report) -> Option<Rung> {
    let rung = Rung::parse(name);
    if rung.is_none() {
        let rungs = Rung::ALL.map(Rung::as_str);
        let message = retired::mode(name).unwrap_or_else(|| {
            let advice =
                nearest(name, &rungs).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
            let written = quoted(&Value::String(name.to_owned()));
            format!("{written} is not a mode; write one of {}{advice}", quoted_list(&rungs))
        });
        report.error(path, message);
    }
    rung
}

fn read_rater(section: &Section<'_>, document: &Document, report: &mut Report) -> Option<RaterChoice> {
    let path = section.path_of("rater");
    let value = section.get("rater")?;
    match value.as_str() {
        Some(name) => Some(RaterChoice { profile: name.trim().to_owned(), origin: document.origin(&path) }),
        None => {
            report.error(
                &path,
                format!(
                    "must be the bare name of a profile in `rater.profiles`, not {}; whether commands are rated is \
                     up to `mode`",
                    kind(value)
                ),
            );
            None
        }
    }
}

fn read_list(
    section: &Section<'_>,
    list: ListKind,
    document: &Document,
    report: &mut Report,
) -> Option<Vec<Arc<PlacedEntry>>> {
    let value = section.get(list.as_str())?;
    let path = section.path_of(list.as_str());
    let entries = parse_list(value, &path, list, &mut report.problems);
    let placed = |declared: DeclaredEntry| {
        let origin = document.origin(&declared.path);
        Arc::new(PlacedEntry { declared, origin })
    };
    value.is_array().then(|| entries.into_iter().map(placed).collect())
}
