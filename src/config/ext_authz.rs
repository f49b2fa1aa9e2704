//! The `ext_authz` block: proxies that ask before they pass an MCP request on.
//!
//! Promises that a request belongs to at most one server, so that nobody is judged by the rules of another. Knows nothing of
//! requests.

use super::document::{item_path, key_path};
use super::problem::Report;
use super::quantity::render_duration;
use super::section::{Section, is_name, kind, quoted};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The keys of the block.
pub(super) const KEYS: [&str; 4] = ["enabled", "wait", "session_header", "servers"];

/// The keys of one server.
pub(super) const SERVER_KEYS: [&str; 3] = ["authorities", "paths", "project"];

/// Names that stand for every server in rules, and for none here.
const EVERY_SERVER: &str = "*";

/// Proxies that ask before they pass an MCP request on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtAuthzSettings {
    /// Whether proxies may ask at all.
    pub enabled: bool,
    /// How long a call is held for a human at most; the proxy's own timeout ends it earlier.
    pub wait: Duration,
    /// The header whose value tells the sessions of one caller apart, in small letters.
    pub session_header: String,
    /// The servers behind the proxies, by the keys that policies know them by.
    pub servers: BTreeMap<String, ServerPlace>,
}

/// Where the requests for an MCP server go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerPlace {
    /// The authorities that mean it, in small letters; empty for all.
    pub authorities: BTreeSet<String>,
    /// The paths that mean it; empty for all.
    pub paths: BTreeSet<String>,
    /// The project that its calls belong to; absent for the default one.
    pub project: Option<String>,
}

impl Default for ExtAuthzSettings {
    fn default() -> Self {
        Self {
            enabled: false,
            wait: Duration::from_secs(20),
            session_header: "mcp-session-id".to_owned(),
            servers: BTreeMap::new(),
        }
    }
}

impl ExtAuthzSettings {
    /// The server that a request is for, by its authority and its path without the query.
    #[must_use]
    pub fn server(&self, authority: &str, path: &str) -> Option<(&str, &ServerPlace)> {
        let found = self.servers.iter().find(|(_, place)| place.holds(authority, path));
        found.map(|(key, place)| (key.as_str(), place))
    }

    /// Takes over what a file states: a server of the same key is replaced, others are added.
    pub(super) fn read(&mut self, value: &Value, path: &str, report: &mut Report) {
        let Some(section) = Section::open(value, path, report) else { return };
        section.refuse_unknown(&KEYS, report);
        if let Some(enabled) = section.boolean("enabled", report) {
            self.enabled = enabled;
        }
        if let Some(wait) = section.duration("wait", Duration::ZERO, Duration::from_secs(60 * 60), report) {
            self.wait = wait;
        }
        if let Some(name) = section.filled_text("session_header", report) {
            let name = name.to_ascii_lowercase();
            if reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_ok() {
                self.session_header = name;
            } else {
                let message = "is not the name of a header: write one such as \"mcp-session-id\"";
                report.error(&section.path_of("session_header"), message);
            }
        }
        let servers_path = section.path_of("servers");
        let servers = section.get("servers").and_then(|value| Section::open(value, &servers_path, report));
        for (key, value) in servers.iter().flat_map(Section::entries) {
            let place_path = key_path(&servers_path, key);
            if !is_name(key) || key == EVERY_SERVER {
                let message = "is not a server's key: write the name that policies know the server by";
                report.error(&place_path, message);
            } else if let Some(place) = ServerPlace::read(value, &place_path, report) {
                self.servers.insert(key.clone(), place);
            }
        }
        self.refuse_overlaps(&servers_path, report);
        if self.enabled && self.servers.is_empty() {
            let message = "names no server, so that every call would be refused; write where each server is, such as \
                           { \"files\": { \"paths\": [\"/mcp\"] } }";
            report.error(&servers_path, message);
        }
    }

    fn refuse_overlaps(&self, path: &str, report: &mut Report) {
        for (index, (key, place)) in self.servers.iter().enumerate() {
            for (other, _) in self.servers.iter().skip(index + 1).filter(|(_, other)| place.overlaps(other)) {
                let message = format!(
                    "can be meant by the same request as `{key}`: tell them apart by `authorities` or `paths`"
                );
                report.error(&key_path(path, other), message);
            }
        }
    }

    pub(super) fn effective(&self) -> Value {
        let servers: Map<String, Value> =
            self.servers.iter().map(|(key, place)| (key.clone(), place.effective())).collect();
        json!({
            "enabled": self.enabled,
            "wait": render_duration(self.wait),
            "session_header": self.session_header,
            "servers": servers,
        })
    }
}

impl ServerPlace {
    fn holds(&self, authority: &str, path: &str) -> bool {
        let authority = authority.to_ascii_lowercase();
        let without_port = match authority.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
            Some(_) | None => &authority,
        };
        let named = |name: &str| self.authorities.contains(name);
        (self.authorities.is_empty() || named(&authority) || named(without_port))
            && (self.paths.is_empty() || self.paths.contains(path))
    }

    /// Whether one request can mean both.
    fn overlaps(&self, other: &Self) -> bool {
        let bare = |names: &BTreeSet<String>| -> BTreeSet<String> {
            names
                .iter()
                .map(|name| name.rsplit_once(':').map_or(name.as_str(), |(host, _)| host).to_owned())
                .collect()
        };
        let meet = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.is_empty() || other.is_empty() || !one.is_disjoint(other)
        };
        // A name without a port means every port.
        let authorities = meet(&self.authorities, &other.authorities)
            || self
                .authorities
                .iter()
                .any(|name| !name.contains(':') && bare(&other.authorities).contains(name))
            || other
                .authorities
                .iter()
                .any(|name| !name.contains(':') && bare(&self.authorities).contains(name));
        authorities && meet(&self.paths, &other.paths)
    }

    fn read(value: &Value, path: &str, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        section.refuse_unknown(&SERVER_KEYS, report);
        let authority = |text: &str| {
            let sound = !text.contains(['/', '@', '*']) && text.bytes().all(|byte| byte.is_ascii_graphic());
            sound.then(|| text.to_ascii_lowercase())
        };
        let target = |text: &str| {
            let sound = text.starts_with('/')
                && !text.contains(['?', '#', '*'])
                && text.bytes().all(|byte| byte.is_ascii_graphic());
            sound.then(|| text.to_owned())
        };
        let project = section.filled_text("project", report);
        if project.is_some_and(|name| name.len() > 128 || !name.bytes().all(|byte| byte.is_ascii_graphic())) {
            let message =
                "is not the name of a project: write 1 to 128 printable ASCII characters without blanks";
            report.error(&section.path_of("project"), message);
        }
        Some(Self {
            authorities: texts(
                &section,
                "authorities",
                "an authority such as \"files.example:8080\"",
                authority,
                report,
            ),
            paths: texts(&section, "paths", "a whole path such as \"/mcp\"", target, report),
            project: project.map(str::to_owned),
        })
    }

    fn effective(&self) -> Value {
        let mut map = Map::new();
        if !self.authorities.is_empty() {
            map.insert("authorities".to_owned(), json!(self.authorities));
        }
        if !self.paths.is_empty() {
            map.insert("paths".to_owned(), json!(self.paths));
        }
        map.extend(self.project.as_ref().map(|project| ("project".to_owned(), json!(project))));
        Value::Object(map)
    }
}

/// A list of texts, each of a form.
fn texts(
    section: &Section<'_>,
    key: &str,
    form: &str,
    parse: impl Fn(&str) -> Option<String>,
    report: &mut Report,
) -> BTreeSet<String> {
    let path = section.path_of(key);
    let Some(value) = section.get(key) else { return BTreeSet::new() };
    let Some(items) = value.as_array().filter(|items| !items.is_empty()) else {
        let what = if value.is_array() { "an empty list" } else { kind(value) };
        report
            .error(&path, format!("must be a list of texts, each {form}, not {what}; leave it out for all"));
        return BTreeSet::new();
    };
    let mut found = BTreeSet::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_str().and_then(&parse) {
            Some(text) => {
                found.insert(text);
            }
            None => report.error(&item_path(&path, index), format!("must be {form}, not {}", quoted(item))),
        }
    }
    found
}
