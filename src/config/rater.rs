//! The rater profiles that `approvals.rater` may name.
//!
//! Promises that every profile is of a kind that exists. Knows nothing of how a profile rates.

use super::problem::Report;
use super::section::{Section, quoted, quoted_list};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The keys of `rater`.
pub(super) const KEYS: [&str; 2] = ["profiles", "reuse_ratings"];

/// The profile that always exists and rates where none is chosen.
pub const DEFAULT_PROFILE: &str = "builtin";

/// What a profile is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RaterProfile {
    /// The rater that is built in: no network, no model, no key.
    Builtin,
}

impl RaterProfile {
    const KINDS: [&str; 1] = ["builtin"];

    fn as_str(self) -> &'static str {
        match self {
            Self::Builtin => "builtin",
        }
    }

    fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&["kind"], report);
        match section.get("kind") {
            Some(Value::String(kind)) if kind == Self::Builtin.as_str() => Some(Self::Builtin),
            Some(other) => {
                let message = format!(
                    "{} is not a kind of rater; what exists is {}",
                    quoted(other),
                    quoted_list(&Self::KINDS)
                );
                report.error(&section.path_of("kind"), message);
                None
            }
            None => {
                report.error(path, format!("needs a `kind`; what exists is {}", quoted_list(&Self::KINDS)));
                None
            }
        }
    }
}

/// Who rates commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RaterSettings {
    /// The profiles by name. [`DEFAULT_PROFILE`] is always among them.
    pub profiles: BTreeMap<String, RaterProfile>,
    /// Whether a rating without negotiation may be used again within its session.
    pub reuse_ratings: bool,
}

impl Default for RaterSettings {
    fn default() -> Self {
        Self {
            profiles: BTreeMap::from([(DEFAULT_PROFILE.to_owned(), RaterProfile::Builtin)]),
            reuse_ratings: true,
        }
    }
}

impl RaterSettings {
    /// Takes over what a file's `rater` block states: a profile of the same name is replaced, others are added.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(reuse) = section.boolean("reuse_ratings", report) {
            self.reuse_ratings = reuse;
        }
        let path = section.path_of("profiles");
        let profiles = section.get("profiles").and_then(|profiles| Section::open(profiles, &path, report));
        if let Some(profiles) = profiles {
            for (name, value) in profiles.entries() {
                let path = profiles.path_of(name);
                if name.trim().is_empty() || name.trim() != name || name.len() > 128 {
                    report.error(
                        &path,
                        "is not a name for a profile: write 1 to 128 bytes without blanks around them",
                    );
                } else if let Some(profile) = RaterProfile::read(value, &path, report) {
                    self.profiles.insert(name.clone(), profile);
                }
            }
        }
    }

    /// What exists, for messages.
    pub(super) fn names(&self) -> String {
        quoted_list(&self.profiles.keys().map(String::as_str).collect::<Vec<_>>())
    }

    pub(super) fn effective(&self) -> Value {
        let profiles: Map<String, Value> = self
            .profiles
            .iter()
            .map(|(name, profile)| (name.clone(), json!({ "kind": profile.as_str() })))
            .collect();
        json!({ "profiles": profiles, "reuse_ratings": self.reuse_ratings })
    }
}
