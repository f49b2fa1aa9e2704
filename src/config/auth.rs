//! The `auth` block: who may call, and as what.
//!
//! Promises that every caller it admits has a role and projects that somebody wrote down, and that a block which admits nobody
//! is an error. Knows nothing of how a caller proves who it is.

mod jwt;
mod proxies;

pub use jwt::{ClaimedCaller, JwtAlgorithm, JwtIssuer, KeySetSource};
pub use proxies::TrustedProxies;

use super::document::{Document, item_path};
use super::problem::{Origin, Problem, Report};
use super::section::{Section, is_name, kind, quoted};
use crate::access::{Projects, Role, SpiffePattern};
use crate::rules::grammar;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The keys of the block.
pub(super) const KEYS: [&str; 5] = ["tokens_file", "jwt", "spiffe", "local_role", "trusted_proxies"];

/// The keys of one SPIFFE identity.
pub(super) const SPIFFE_KEYS: [&str; 3] = ["id", "role", "projects"];

#[cfg(test)]
pub(super) use jwt::{CALLER_KEYS, KEYS as JWT_KEYS};

/// What stands for no role in `local_role`.
const NO_ROLE: &str = "none";

/// What stands for all projects.
pub(crate) const ALL_PROJECTS: &str = "*";

/// What a caller may do, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights {
    /// What it is there for.
    pub role: Role,
    /// Where.
    pub projects: Projects,
}

/// The callers of one SPIFFE identity, or of all below a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpiffeCaller {
    /// Who.
    pub id: SpiffePattern,
    /// As what.
    pub rights: Rights,
}

/// Who may call, and as what.
#[derive(Debug, Clone, Default)]
pub struct AuthSettings {
    /// The file with the gate's own tokens.
    pub tokens_file: Option<PathBuf>,
    /// Who signs tokens that are believed.
    pub jwt: Vec<JwtIssuer>,
    /// Callers by the identity in their certificate; the first that fits counts.
    pub spiffe: Vec<SpiffeCaller>,
    /// The role of callers from this machine that have no credentials; `None` refuses them.
    pub local_role: Option<Role>,
    /// Who is believed about the certificate of whom it speaks for.
    pub trusted_proxies: TrustedProxies,
    /// Where the block was written.
    origin: Option<Origin>,
}

impl PartialEq for AuthSettings {
    /// Equal settings, wherever they were written.
    fn eq(&self, other: &Self) -> bool {
        self.tokens_file == other.tokens_file
            && self.jwt == other.jwt
            && self.spiffe == other.spiffe
            && self.local_role == other.local_role
            && self.trusted_proxies == other.trusted_proxies
    }
}

impl AuthSettings {
    /// The kinds of credentials that are accepted, as errors name them.
    #[must_use]
    pub fn accepted(&self) -> String {
        let bearer = (self.tokens_file.is_some() || !self.jwt.is_empty()).then_some("bearer");
        let mtls = (!self.spiffe.is_empty()).then_some("mtls");
        let kinds: Vec<&str> = bearer.into_iter().chain(mtls).collect();
        kinds.join(",")
    }

    /// Takes over what a file's `auth` block states: each key that stands there replaces what was there before. Relative paths
    /// start from `folder`.
    pub(super) fn read(
        &mut self,
        value: &Value,
        path: &str,
        document: &Document,
        folder: &Path,
        report: &mut Report,
    ) {
        self.origin = Some(document.origin(path));
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(file) = section.filled_text("tokens_file", report) {
            self.tokens_file = Some(folder.join(file));
        }
        if let Some(value) = section.get("jwt") {
            self.jwt = jwt::read_all(value, &section.path_of("jwt"), folder, report);
        }
        if let Some(value) = section.get("spiffe") {
            let path = section.path_of("spiffe");
            self.spiffe = read_list(value, &path, report, read_spiffe);
            refuse_hidden(&self.spiffe, &path, report);
        }
        let names: Vec<&str> = std::iter::once(NO_ROLE).chain(Role::ALL.map(Role::as_str)).collect();
        let role = |name: &str| if name == NO_ROLE { Some(None) } else { Role::parse(name).map(Some) };
        if let Some(role) = section.choice("local_role", &names, role, report) {
            self.local_role = role;
        }
        if let Some(value) = section.get("trusted_proxies") {
            self.trusted_proxies = TrustedProxies::read(value, &section.path_of("trusted_proxies"), report);
        }
    }

    /// What can only be known once every layer is there.
    pub(super) fn contradictions(&self) -> Vec<Problem> {
        let at = |key: &str, message: &str| {
            let path = if key.is_empty() { "auth".to_owned() } else { format!("auth.{key}") };
            Problem::error(self.origin.clone(), &path, message.to_owned())
        };
        let nobody = self.tokens_file.is_none()
            && self.jwt.is_empty()
            && self.spiffe.is_empty()
            && self.local_role.is_none();
        let mut problems = Vec::new();
        if nobody {
            problems.push(at(
                "",
                "admits nobody: name a file for tokens with `\"tokens_file\": \"tokens.json\"` and make one with `haltgate \
                 token create`, or state `jwt`, `spiffe` or `local_role`",
            ));
        }
        if self.local_role.is_some() && self.trusted_proxies.are_here() {
            problems.push(at(
                "local_role",
                "would go to everybody whom a proxy on this machine lets through without a certificate; write \"none\", or \
                 take \"loopback\" and \"unix\" out of `trusted_proxies`",
            ));
        }
        if self.spiffe.is_empty() && !self.trusted_proxies.is_empty() {
            problems.push(at(
                "trusted_proxies",
                "are believed about certificates, and `spiffe` maps none to a role; state the identities there, or remove \
                 this",
            ));
        }
        problems
    }

    pub(super) fn effective(&self) -> Value {
        let spiffe: Vec<Value> = self
            .spiffe
            .iter()
            .map(|caller| with_rights(&caller.rights, [("id", json!(caller.id.to_string()))]))
            .collect();
        json!({
            "tokens_file": self.tokens_file.as_ref().map(|path| path.display().to_string()),
            "jwt": self.jwt.iter().map(JwtIssuer::effective).collect::<Vec<_>>(),
            "spiffe": spiffe,
            "local_role": self.local_role.map_or(NO_ROLE, Role::as_str),
            "trusted_proxies": self.trusted_proxies.effective(),
        })
    }
}

/// An identity that an earlier entry means already never comes to its own.
fn refuse_hidden(callers: &[SpiffeCaller], path: &str, report: &mut Report) {
    for (index, caller) in callers.iter().enumerate() {
        let earlier = callers.iter().take(index).map(|earlier| &earlier.id);
        let hidden = |earlier: &SpiffePattern| match (&caller.id, earlier) {
            (SpiffePattern::One(id), pattern) => pattern.matches(id),
            (SpiffePattern::Below(_), SpiffePattern::One(_)) => false,
            (SpiffePattern::Below(id), SpiffePattern::Below(other)) => id == other || earlier.matches(id),
        };
        if let Some(earlier) = earlier.into_iter().find(|earlier| hidden(earlier)) {
            report.problems.push(grammar::Problem::warning(
                item_path(path, index),
                format!("never counts: the first entry that fits does, and {earlier} stands before it"),
            ));
        }
    }
}

fn read_spiffe(section: &Section<'_>, report: &mut Report) -> Option<SpiffeCaller> {
    section.refuse_unknown(&SPIFFE_KEYS, report);
    let example =
        "\"spiffe://example.org/ns/ai/sa/agent\", or \"spiffe://example.org/ns/ai/*\" for all below";
    let id = match section.get("id") {
        None => {
            report.error(&section.path_of("id"), format!("is missing: write an identity such as {example}"));
            None
        }
        Some(value) => {
            let id = value.as_str().and_then(SpiffePattern::parse);
            if id.is_none() {
                let message = format!("must be a SPIFFE identity such as {example}, not {}", quoted(value));
                report.error(&section.path_of("id"), message);
            }
            id
        }
    };
    let rights = Rights::read(section, report);
    Some(SpiffeCaller { id: id?, rights: rights? })
}

impl Rights {
    /// Reads `role` and `projects`, which both must be there.
    fn read(section: &Section<'_>, report: &mut Report) -> Option<Self> {
        let names = Role::ALL.map(Role::as_str);
        if section.get("role").is_none() {
            let message = format!("is missing: write one of {}", super::section::quoted_list(&names));
            report.error(&section.path_of("role"), message);
        }
        let role = section.choice("role", &names, Role::parse, report);
        let path = section.path_of("projects");
        let expected = "a list of projects, such as [\"default\"], or \"*\" for all of them";
        let projects = match section.get("projects") {
            None => {
                report.error(&path, format!("is missing: write {expected}"));
                None
            }
            Some(Value::String(all)) if all == ALL_PROJECTS => Some(Projects::All),
            Some(Value::Array(list)) if !list.is_empty() => {
                let mut projects = BTreeSet::new();
                for (index, item) in list.iter().enumerate() {
                    match item.as_str().filter(|name| is_name(name) && *name != ALL_PROJECTS) {
                        Some(name) => {
                            projects.insert(name.to_owned());
                        }
                        None => report.error(
                            &item_path(&path, index),
                            format!("is not a project: write {expected}, not {}", quoted(item)),
                        ),
                    }
                }
                Some(Projects::These(projects))
            }
            Some(other) => {
                report.error(&path, format!("must be {expected}, not {}", quoted(other)));
                None
            }
        };
        Some(Self { role: role?, projects: projects? })
    }
}

/// An object with what a caller may do at its end.
fn with_rights<const N: usize>(rights: &Rights, keys: [(&str, Value); N]) -> Value {
    let projects = match &rights.projects {
        Projects::All => json!(ALL_PROJECTS),
        Projects::These(projects) => json!(projects),
    };
    let own = keys.into_iter().chain([("role", json!(rights.role.as_str())), ("projects", projects)]);
    Value::Object(own.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>())
}

/// Reads a list of objects, each on its own.
fn read_list<T>(
    value: &Value,
    path: &str,
    report: &mut Report,
    mut read: impl FnMut(&Section<'_>, &mut Report) -> Option<T>,
) -> Vec<T> {
    let Some(list) = value.as_array() else {
        report.error(path, format!("must be a list `[ {{ … }} ]`, not {}", kind(value)));
        return Vec::new();
    };
    let mut all = Vec::with_capacity(list.len());
    for (index, item) in list.iter().enumerate() {
        let path = item_path(path, index);
        if let Some(section) = Section::open(item, &path, report) {
            all.extend(read(&section, report));
        }
    }
    all
}
