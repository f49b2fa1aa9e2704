//! The session of a case: how it is opened, and how a step changes it.
//!
//! `{interactive?, attack_banner?, cwd?, home?, rung?, command?, labels?, mcp_servers?, tools?, annotations?, trust?,
//! user_messages?, reset_thread?}`. `interactive` (default true): a human can be asked. `attack_banner` (default
//! false): somebody who may answer watches for attacks. `tools` lists registered names, or `{name, annotations?}`;
//! `annotations` maps registered names to hints and `trust` maps MCP server keys to the hints that are believed.
//! Promises that what is absent stays as it is. Knows nothing of calls.

use super::words;
use crate::config::{Report, Section, item_path, key_path, kind, quoted_list, read_mcp_server_keys};
use crate::gate::{Declared, Policy, Rung, SessionState};
use crate::rules::Hint;
use crate::rules::grammar::suggest::nearest;
use serde_json::Value;
use std::collections::BTreeMap;

/// What a case says of its session; `None` stands for what it leaves out.
#[derive(Debug, Clone, Default)]
pub(super) struct Setup {
    /// Selects `commands.<name>.approvals`; only where the session is opened.
    pub(super) command: Option<String>,
    interactive: Option<bool>,
    attack_banner: Option<bool>,
    cwd: Option<String>,
    home: Option<String>,
    rung: Option<Rung>,
    mcp_servers: Option<Vec<String>>,
    tools: Option<Vec<String>>,
    annotations: BTreeMap<String, Declared>,
    trust: BTreeMap<String, Vec<Hint>>,
    user_messages: Vec<String>,
    reset_thread: bool,
}

/// The session while a case runs.
#[derive(Debug)]
pub(super) struct Session {
    /// What the gate knows of it.
    pub(super) state: SessionState,
    /// Whether somebody who may answer watches for attacks.
    pub(super) attack_watched: bool,
    /// The folder of calls that name none.
    pub(super) cwd: Option<String>,
    /// The home folder of calls that name none.
    pub(super) home: Option<String>,
}

const KEYS: [&str; 14] = [
    "interactive",
    "attack_banner",
    "cwd",
    "home",
    "rung",
    "mcp_servers",
    "mcpServers",
    "tools",
    "annotations",
    "trust",
    "user_messages",
    "reset_thread",
    "command",
    "labels",
];

/// The keys of [`KEYS`] that only count where the session is opened.
const OPENING_KEYS: [&str; 2] = ["command", "labels"];

impl Setup {
    /// Reads a `session` that is being opened.
    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Self {
        let Some(section) = Section::open(value, path, report) else { return Self::default() };
        section.refuse_unknown(&KEYS, report);
        let labels = section.get("labels").filter(|labels| !labels.is_object());
        if let Some(other) = labels {
            report.error(
                &section.path_of("labels"),
                format!("must be an object `{{ … }}`, not {}", kind(other)),
            );
        }
        Self { command: owned(section.filled_text("command", report)), ..Self::read_change(&section, report) }
    }

    /// Reads a change to an open session.
    pub(super) fn read_update(value: &Value, path: &str, report: &mut Report) -> Self {
        let Some(section) = Section::open(value, path, report) else { return Self::default() };
        section.refuse_unknown_but(&OPENING_KEYS, &KEYS, report);
        for key in OPENING_KEYS.into_iter().filter(|key| section.get(key).is_some()) {
            report.error(&section.path_of(key), "cannot change while the session is open");
        }
        Self::read_change(&section, report)
    }

    /// The change to another rung.
    pub(super) fn at_rung(rung: Rung) -> Self {
        Self { rung: Some(rung), ..Self::default() }
    }

    /// What the user said.
    pub(super) fn with_user_messages(user_messages: Vec<String>) -> Self {
        Self { user_messages, ..Self::default() }
    }

    fn read_change(section: &Section<'_>, report: &mut Report) -> Self {
        let (tools, mut annotations) = read_tools(section, report);
        annotations.extend(read_annotations(section, report));
        Self {
            command: None,
            interactive: section.boolean("interactive", report),
            attack_banner: section.boolean("attack_banner", report),
            cwd: owned(section.text("cwd", report)),
            home: owned(section.text("home", report)),
            rung: section.get("rung").and_then(|value| read_rung(value, &section.path_of("rung"), report)),
            mcp_servers: ["mcp_servers", "mcpServers"]
                .into_iter()
                .find_map(|key| Some((section.get(key)?, section.path_of(key))))
                .map(|(value, path)| match value {
                    Value::Object(_) => read_mcp_server_keys(value, &path, report).into_iter().collect(),
                    Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                        read_texts(value, &path, report)
                    }
                }),
            tools,
            annotations,
            trust: read_trust(section, report),
            user_messages: section
                .get("user_messages")
                .map(|value| read_texts(value, &section.path_of("user_messages"), report))
                .unwrap_or_default(),
            reset_thread: section.boolean("reset_thread", report).unwrap_or_default(),
        }
    }

    /// The session as it is opened.
    pub(super) fn open(&self, policy: &Policy) -> Session {
        let state = SessionState::open(policy);
        let mut session = Session { state, attack_watched: false, cwd: None, home: None };
        self.apply(&mut session);
        session
    }

    /// Changes an open session.
    pub(super) fn apply(&self, session: &mut Session) {
        let state = &mut session.state;
        if let Some(rung) = self.rung {
            state.set_rung(rung);
        }
        state.interactive = self.interactive.unwrap_or(state.interactive);
        if let Some(keys) = &self.mcp_servers {
            state.mcp_servers.clone_from(keys);
        }
        if let Some(tools) = &self.tools {
            state.tools.clone_from(tools);
            state.catalogue.clear();
        }
        state.catalogue.extend(self.annotations.clone());
        state.trust.extend(self.trust.clone());
        if self.reset_thread {
            state.negotiation.reset();
        }
        for message in &self.user_messages {
            state.negotiation.user_said(message);
        }
        session.attack_watched = self.attack_banner.unwrap_or(session.attack_watched);
        session.cwd = self.cwd.clone().or_else(|| session.cwd.take());
        session.home = self.home.clone().or_else(|| session.home.take());
    }
}

fn owned(text: Option<&str>) -> Option<String> {
    text.map(str::to_owned)
}

/// A rung by its name.
pub(super) fn read_rung(value: &Value, path: &str, report: &mut Report) -> Option<Rung> {
    let rung = value.as_str().and_then(|word| words::member(word, &Rung::ALL, Rung::as_str));
    if rung.is_none() {
        words::refuse(value, path, &Rung::ALL.map(Rung::as_str), report);
    }
    rung
}

/// A list of strings.
pub(super) fn read_texts(value: &Value, path: &str, report: &mut Report) -> Vec<String> {
    let Some(items) = value.as_array() else {
        report.error(path, format!("must be a list of strings, not {}", kind(value)));
        return Vec::new();
    };
    let mut texts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        match item.as_str() {
            Some(text) => texts.push(text.to_owned()),
            None => report.error(&item_path(path, index), format!("must be a string, not {}", kind(item))),
        }
    }
    texts
}

/// The registered tools and what they declare. A list of names or objects, or an object from names to hints.
fn read_tools(
    section: &Section<'_>,
    report: &mut Report,
) -> (Option<Vec<String>>, BTreeMap<String, Declared>) {
    let mut declared = BTreeMap::new();
    let path = section.path_of("tools");
    let Some(tools) = section.get("tools") else { return (None, declared) };
    let mut names = Vec::new();
    match tools {
        Value::Object(map) => {
            for (name, hints) in map {
                names.push(name.clone());
                declared.insert(name.clone(), read_hints(hints, &key_path(&path, name), report));
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                let path = item_path(&path, index);
                if let Some((name, hints)) = read_tool(item, &path, report) {
                    declared.extend(hints.map(|hints| (name.clone(), hints)));
                    names.push(name);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            report.error(
                &path,
                format!("must be a list of names, or of objects with `name`, not {}", kind(tools)),
            );
        }
    }
    (Some(names), declared)
}

fn read_tool(item: &Value, path: &str, report: &mut Report) -> Option<(String, Option<Declared>)> {
    if let Some(name) = item.as_str() {
        return Some((name.to_owned(), None));
    }
    let tool = Section::open(item, path, report)?;
    tool.refuse_unknown(&["name", "registered_name", "description", "annotations"], report);
    let name = match (tool.filled_text("name", report), tool.filled_text("registered_name", report)) {
        (Some(name), _) | (None, Some(name)) => name.to_owned(),
        (None, None) => {
            report.error(path, "needs `name`, the name that the tool is registered under");
            return None;
        }
    };
    let annotations =
        tool.get("annotations").map(|hints| read_hints(hints, &tool.path_of("annotations"), report));
    Some((name, annotations))
}

fn read_annotations(section: &Section<'_>, report: &mut Report) -> BTreeMap<String, Declared> {
    let path = section.path_of("annotations");
    let Some(tools) = section.get("annotations").and_then(|value| Section::open(value, &path, report)) else {
        return BTreeMap::new();
    };
    tools
        .entries()
        .map(|(name, hints)| (name.clone(), read_hints(hints, &tools.path_of(name), report)))
        .collect()
}

fn read_hints(value: &Value, path: &str, report: &mut Report) -> Declared {
    let mut declared = Declared::default();
    let Some(section) = Section::open(value, path, report) else { return declared };
    for (key, value) in section.entries() {
        let path = section.path_of(key);
        let Some(hint) = hint(key) else {
            refuse_hint(key, &path, report);
            continue;
        };
        let Some(believed) = value.as_bool() else {
            report.error(&path, format!("must be `true` or `false`, not {}", kind(value)));
            continue;
        };
        let place = match hint {
            Hint::ReadOnly => &mut declared.read_only,
            Hint::Destructive => &mut declared.destructive,
            Hint::Idempotent => &mut declared.idempotent,
            Hint::OpenWorld => &mut declared.open_world,
        };
        *place = Some(believed);
    }
    declared
}

fn read_trust(section: &Section<'_>, report: &mut Report) -> BTreeMap<String, Vec<Hint>> {
    let path = section.path_of("trust");
    let Some(servers) = section.get("trust").and_then(|value| Section::open(value, &path, report)) else {
        return BTreeMap::new();
    };
    let mut trust = BTreeMap::new();
    for (server, names) in servers.entries() {
        let path = servers.path_of(server);
        let mut hints = Vec::new();
        for (index, name) in read_texts(names, &path, report).iter().enumerate() {
            match hint(name) {
                Some(hint) => hints.push(hint),
                None => refuse_hint(name, &item_path(&path, index), report),
            }
        }
        trust.insert(server.clone(), hints);
    }
    trust
}

/// A hint by its name, also as the contract spells it (`read_only_hint`).
fn hint(name: &str) -> Option<Hint> {
    let joined = |name: &str| words::plain(name).replace('_', "");
    Hint::ALL.into_iter().find(|hint| joined(hint.as_str()) == joined(name))
}

fn refuse_hint(name: &str, path: &str, report: &mut Report) {
    let hints = Hint::ALL.map(Hint::as_str);
    let near = nearest(name, &hints).map_or_else(String::new, |near| format!("; did you mean \"{near}\"?"));
    report.error(path, format!("is not a hint; write one of {}{near}", quoted_list(&hints)));
}
