//! The rater profiles that `approvals.rater` may name.
//!
//! Promises that every profile is of a kind that exists, and that none holds a key. Knows nothing of how a profile rates.

mod model;

pub use model::{ModelProfile, ModelProvider, TokenPrices};

use super::document::Document;
use super::problem::{Origin, Problem, Report};
use super::section::{Section, is_name, quoted, quoted_list};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The keys of `rater`.
pub(super) const KEYS: [&str; 2] = ["profiles", "reuse_ratings"];

/// The profile that always exists and rates where none is chosen.
pub const DEFAULT_PROFILE: &str = "builtin";

/// What a profile is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RaterProfile {
    /// The rater that is built in: no network, no model, no key.
    Builtin,
    /// A language model.
    Model(Box<ModelProfile>),
    /// The built-in rater first, and a model for what it leaves open.
    Cascade {
        /// The profile of the model.
        second: String,
    },
}

/// The key that names the model's profile in a cascade.
const SECOND: &str = "second";

impl RaterProfile {
    const KINDS: [&str; 3] = ["builtin", "model", "cascade"];

    fn read(value: &Value, path: &str, folder: &Path, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        match section.get("kind").map(|kind| (kind, kind.as_str())) {
            Some((_, Some("builtin"))) => {
                section.refuse_unknown(&["kind"], report);
                Some(Self::Builtin)
            }
            Some((_, Some("model"))) => {
                ModelProfile::read(&section, folder, report).map(|profile| Self::Model(Box::new(profile)))
            }
            Some((_, Some("cascade"))) => {
                section.refuse_unknown(&["kind", SECOND], report);
                let second = section.filled_text(SECOND, report);
                if section.get(SECOND).is_none() {
                    report.error(path, "needs a `second`: the name of a profile of kind \"model\" to ask behind the built-in rater");
                }
                Some(Self::Cascade { second: second?.trim().to_owned() })
            }
            Some((other, _)) => {
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

    fn second(&self) -> Option<&str> {
        match self {
            Self::Cascade { second } => Some(second),
            Self::Builtin | Self::Model(_) => None,
        }
    }

    fn effective(&self) -> Value {
        match self {
            Self::Builtin => json!({ "kind": "builtin" }),
            Self::Model(profile) => profile.effective(),
            Self::Cascade { second } => json!({ "kind": "cascade", SECOND: second }),
        }
    }
}

/// Who rates commands.
#[derive(Debug, Clone)]
pub struct RaterSettings {
    /// The profiles by name. [`DEFAULT_PROFILE`] is always among them.
    pub profiles: BTreeMap<String, RaterProfile>,
    /// Whether a rating without negotiation may be used again within its session.
    pub reuse_ratings: bool,
    /// Where the profiles were written.
    origins: BTreeMap<String, Origin>,
}

impl PartialEq for RaterSettings {
    /// Equal settings, wherever they were written.
    fn eq(&self, other: &Self) -> bool {
        self.profiles == other.profiles && self.reuse_ratings == other.reuse_ratings
    }
}

impl Default for RaterSettings {
    fn default() -> Self {
        Self {
            profiles: BTreeMap::from([(DEFAULT_PROFILE.to_owned(), RaterProfile::Builtin)]),
            reuse_ratings: true,
            origins: BTreeMap::new(),
        }
    }
}

impl RaterSettings {
    /// Takes over what a file's `rater` block states: a profile of the same name is replaced, others are added. Relative
    /// paths start from `folder`.
    pub(super) fn read(
        &mut self,
        value: &Value,
        path: &str,
        document: &Document,
        folder: &Path,
        report: &mut Report,
    ) {
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
                if !is_name(name) {
                    report.error(
                        &path,
                        "is not a name for a profile: write 1 to 128 bytes without blanks around them",
                    );
                } else if let Some(profile) = RaterProfile::read(value, &path, folder, report) {
                    self.profiles.insert(name.clone(), profile);
                    self.origins.insert(name.clone(), document.origin(&path));
                }
            }
        }
    }

    /// What exists, for messages.
    pub(super) fn names(&self) -> String {
        quoted_list(&self.profiles.keys().map(String::as_str).collect::<Vec<_>>())
    }

    /// A problem with a key of a profile, at the place where the profile stands.
    #[must_use]
    pub fn problem(&self, profile: &str, key: &str, message: String) -> Problem {
        let profile_path = super::document::key_path("rater.profiles", profile);
        let path = super::document::key_path(&profile_path, key);
        Problem::error(self.origins.get(profile).cloned(), &path, message)
    }

    /// As [`RaterSettings::problem`], for what still works.
    #[must_use]
    pub fn warning(&self, profile: &str, message: String) -> Problem {
        let path = super::document::key_path("rater.profiles", profile);
        Problem::warning(self.origins.get(profile).cloned(), &path, message)
    }

    /// Cascades whose second profile is no model, once every layer is there.
    pub(super) fn dangling(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (name, profile) in &self.profiles {
            let RaterProfile::Cascade { second } = profile else { continue };
            let found = match self.profiles.get(second) {
                Some(RaterProfile::Model(_)) => continue,
                Some(RaterProfile::Builtin | RaterProfile::Cascade { .. }) => {
                    format!("the rater profile {second:?} is no model")
                }
                None => format!("there is no rater profile {second:?}; what exists is {}", self.names()),
            };
            let message =
                format!("{found}. Name a profile of kind \"model\" to ask behind the built-in rater");
            problems.push(self.problem(name, SECOND, message));
        }
        problems
    }

    /// Models and cascades that are neither chosen nor built upon.
    pub(super) fn idle(&self, chosen: &BTreeSet<&str>) -> Vec<Problem> {
        let seconds: BTreeSet<&str> = self.profiles.values().filter_map(RaterProfile::second).collect();
        let idle = |name: &str, profile: &RaterProfile| {
            *profile != RaterProfile::Builtin
                && name != DEFAULT_PROFILE
                && !chosen.contains(name)
                && !seconds.contains(name)
        };
        self.profiles
            .iter()
            .filter(|(name, profile)| idle(name, profile))
            .map(|(name, _)| {
                let message = format!(
                    "rates nothing by itself: no `approvals` block chooses it. Write `\"rater\": {name:?}` beside `mode`, or \
                     remove it"
                );
                self.warning(name, message)
            })
            .collect()
    }

    pub(super) fn effective(&self) -> Value {
        let profiles: Map<String, Value> =
            self.profiles.iter().map(|(name, profile)| (name.clone(), profile.effective())).collect();
        json!({ "profiles": profiles, "reuse_ratings": self.reuse_ratings })
    }
}
