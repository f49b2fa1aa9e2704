//! The `notifications` block: who is told over HTTP that a human is needed.
//!
//! Promises that every webhook has an address that is safe to send to, a place for its secret and bounds on everything. Knows
//! nothing of how a notification is sent.

use super::document::{Document, key_path};
use super::outgoing::{self, KeySource};
use super::problem::{Origin, Problem, Report};
use super::quantity::render_duration;
use super::section::{Section, is_name, kind, quoted, quoted_list};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use url::Url;

/// The keys of the block.
pub(super) const KEYS: [&str; 2] = ["console_url", "webhooks"];

/// The keys of one webhook.
pub(super) const WEBHOOK_KEYS: [&str; 8] =
    ["url", "secret_env", "secret_file", "events", "project", "headers", "timeout", "max_age"];

/// The keys of a header whose value is secret.
const HEADER_KEYS: [&str; 3] = ["key_env", "key_file", "scheme"];

const EXAMPLE: &str = "https://pager.example/haltgate";
const MAX_HEADERS: usize = 32;
const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Headers that are the gate's own to set.
const OWN_HEADERS: [&str; 9] = [
    "connection",
    "content-length",
    "content-type",
    "expect",
    "host",
    "idempotency-key",
    "te",
    "transfer-encoding",
    "upgrade",
];

/// Parts of names whose values are not for a file that others read.
const SECRET_HEADERS: [&str; 6] = ["authorization", "cookie", "key", "password", "secret", "token"];

/// What a webhook can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A run was halted.
    HaltRaised,
    /// A human answered a halt.
    HaltAnswered,
    /// A halt needs no answer any more.
    HaltWithdrawn,
    /// Nobody answered a halt, or nobody was watching.
    HaltExpired,
    /// A human is asked.
    EscalationRaised,
    /// A human answered an escalation.
    EscalationAnswered,
    /// An escalation needs no answer any more.
    EscalationWithdrawn,
    /// Nobody answered an escalation.
    EscalationExpired,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 8] = [
        Self::HaltRaised,
        Self::HaltAnswered,
        Self::HaltWithdrawn,
        Self::HaltExpired,
        Self::EscalationRaised,
        Self::EscalationAnswered,
        Self::EscalationWithdrawn,
        Self::EscalationExpired,
    ];

    /// The word in configurations and notifications.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HaltRaised => "halt.raised",
            Self::HaltAnswered => "halt.answered",
            Self::HaltWithdrawn => "halt.withdrawn",
            Self::HaltExpired => "halt.expired",
            Self::EscalationRaised => "escalation.raised",
            Self::EscalationAnswered => "escalation.answered",
            Self::EscalationWithdrawn => "escalation.withdrawn",
            Self::EscalationExpired => "escalation.expired",
        }
    }

    /// The kinds that a word of a configuration stands for; none where it is no such word.
    fn named(word: &str) -> Vec<Self> {
        let of =
            |prefix: &str| Self::ALL.into_iter().filter(|kind| kind.as_str().starts_with(prefix)).collect();
        match word {
            "halts" => of("halt."),
            "escalations" => of("escalation."),
            _ => Self::ALL.into_iter().filter(|kind| kind.as_str() == word).collect(),
        }
    }
}

/// The value of a header.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeaderValue {
    /// As it is written.
    Plain(String),
    /// A key from elsewhere, behind a word such as `Bearer`.
    Secret {
        /// Where the key is.
        key: KeySource,
        /// What stands before it, with the blank between.
        scheme: String,
    },
}

/// A header that goes with every notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// Its name, in small letters.
    pub name: String,
    /// Its value.
    pub value: HeaderValue,
}

/// One receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookSettings {
    /// Where it listens: HTTPS, or this machine.
    pub url: Url,
    /// Where the secret is that notifications are signed with.
    pub secret: KeySource,
    /// What it is told.
    pub events: BTreeSet<EventKind>,
    /// Of which project; `None` for all of them.
    pub project: Option<String>,
    /// What else goes with every notification.
    pub headers: Vec<Header>,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// What happened longer ago than this is given up.
    pub max_age: Duration,
}

impl WebhookSettings {
    /// Whether it listens on this machine, so that nothing leaves it.
    #[must_use]
    pub fn is_here(&self) -> bool {
        outgoing::is_here(&self.url)
    }

    fn read(value: &Value, path: &str, folder: &Path, report: &mut Report) -> Option<Self> {
        let section = Section::open(value, path, report)?;
        outgoing::refuse_unknown(&section, &WEBHOOK_KEYS, "secret", report);
        let url = match section.get("url") {
            Some(_) => section.filled_text("url", report).and_then(|text| {
                let parsed = outgoing::parse_address(text.trim(), EXAMPLE, "commands");
                parsed.map_err(|message| report.error(&section.path_of("url"), message)).ok()
            }),
            None => {
                report.error(
                    &section.path_of("url"),
                    format!("is missing: write an address such as {EXAMPLE:?}"),
                );
                None
            }
        };
        if section.get("secret_env").or(section.get("secret_file")).is_none() {
            report.error(
                &section.path_of("secret_env"),
                "is missing: name the environment variable that holds the secret which notifications are signed with, or \
                 the file with `secret_file`",
            );
        }
        let secret = KeySource::read(&section, "secret", "HALTGATE_PAGER_SECRET", folder, report);
        let events = read_events(&section, report);
        let project = section.filled_text("project", report).map(str::to_owned);
        let headers = read_headers(&section, folder, report);
        let mut webhook = Self {
            url: url?,
            secret: secret?,
            events,
            project,
            headers,
            timeout: Duration::from_secs(10),
            max_age: DAY,
        };
        let mut take = |key, least, most, setting: &mut Duration| {
            if let Some(length) = section.duration(key, least, most, report) {
                *setting = length;
            }
        };
        take("timeout", SECOND, MINUTE, &mut webhook.timeout);
        take("max_age", MINUTE, DAY.saturating_mul(30), &mut webhook.max_age);
        Some(webhook)
    }

    fn effective(&self) -> Value {
        let events: Vec<&str> = self.events.iter().map(|kind| kind.as_str()).collect();
        let headers: Map<String, Value> =
            self.headers.iter().map(|header| (header.name.clone(), header.value.effective())).collect();
        let mut map = Map::from_iter([
            ("url".to_owned(), json!(self.url.as_str())),
            ("events".to_owned(), json!(events)),
            ("project".to_owned(), json!(self.project)),
            ("headers".to_owned(), Value::Object(headers)),
            ("timeout".to_owned(), json!(render_duration(self.timeout))),
            ("max_age".to_owned(), json!(render_duration(self.max_age))),
        ]);
        map.extend([self.secret.effective("secret")]);
        Value::Object(map)
    }
}

impl HeaderValue {
    fn effective(&self) -> Value {
        match self {
            Self::Plain(text) => json!(text),
            Self::Secret { key, scheme } => {
                let mut map = Map::from_iter([key.effective("key")]);
                if !scheme.is_empty() {
                    map.insert("scheme".to_owned(), json!(scheme.trim_end()));
                }
                Value::Object(map)
            }
        }
    }
}

fn read_events(section: &Section<'_>, report: &mut Report) -> BTreeSet<EventKind> {
    let path = section.path_of("events");
    let words = || {
        let kinds = EventKind::ALL.map(EventKind::as_str);
        quoted_list(&[&["halts", "escalations"], kinds.as_slice()].concat())
    };
    let Some(value) = section.get("events") else { return EventKind::ALL.into_iter().collect() };
    let Some(list) = value.as_array().filter(|list| !list.is_empty()) else {
        let what = if value.is_array() { "an empty one" } else { kind(value) };
        report
            .error(&path, format!("must be a list of {}, not {what}; leave it out for everything", words()));
        return BTreeSet::new();
    };
    let mut events = BTreeSet::new();
    for (index, word) in list.iter().enumerate() {
        let named = word.as_str().map(EventKind::named).unwrap_or_default();
        if named.is_empty() {
            let place = super::document::item_path(&path, index);
            report.error(&place, format!("must be one of {}, not {}", words(), quoted(word)));
        }
        events.extend(named);
    }
    events
}

fn read_headers(section: &Section<'_>, folder: &Path, report: &mut Report) -> Vec<Header> {
    let path = section.path_of("headers");
    let Some(value) = section.get("headers") else { return Vec::new() };
    let Some(headers) = Section::open(value, &path, report) else { return Vec::new() };
    let mut read = BTreeMap::new();
    for (written, value) in headers.entries() {
        let (path, name) = (headers.path_of(written), written.to_ascii_lowercase());
        let plain = !SECRET_HEADERS.iter().any(|part| name.contains(part));
        if reqwest::header::HeaderName::from_bytes(name.as_bytes()).is_err() {
            report.error(
                &path,
                "is not the name of a header: write letters, digits and `-`, such as \"x-team\"",
            );
        } else if OWN_HEADERS.contains(&name.as_str()) || name.starts_with("haltgate-") {
            report.error(&path, "is set by the gate itself; remove it");
        } else if let Some(value) = read_header(value, &path, plain, folder, report)
            && read.insert(name, value).is_some()
        {
            report.error(&path, "stands here twice, the same in capitals and in small letters; keep one");
        }
    }
    if read.len() > MAX_HEADERS {
        report.error(&path, format!("holds more than {MAX_HEADERS} headers"));
    }
    read.into_iter().map(|(name, value)| Header { name, value }).collect()
}

/// The value of one header. A `plain` name may have its value written down.
fn read_header(
    value: &Value,
    path: &str,
    plain: bool,
    folder: &Path,
    report: &mut Report,
) -> Option<HeaderValue> {
    if let Some(text) = value.as_str() {
        if !plain {
            report.error(
                path,
                "is secret by its name; write `{ \"key_env\": \"NAME\" }`, with `\"scheme\": \"Bearer\"` where that belongs \
                 before it, and replace the key that stands here if others can read the file",
            );
        } else if text.len() > 1024 || !text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
            report.error(path, "cannot be sent: write at most 1024 printable ASCII characters");
        } else {
            return Some(HeaderValue::Plain(text.to_owned()));
        }
        return None;
    }
    let Some(section) = value.as_object().and_then(|_| Section::open(value, path, report)) else {
        report
            .error(path, format!("must be a string, or `{{ \"key_env\": \"NAME\" }}`, not {}", kind(value)));
        return None;
    };
    section.refuse_unknown(&HEADER_KEYS, report);
    if section.get("key_env").or(section.get("key_file")).is_none() {
        report.error(path, "needs `key_env` or `key_file`: where the value is");
    }
    let scheme = match section.filled_text("scheme", report).map(str::trim) {
        Some(word) if word.len() <= 32 && word.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            format!("{word} ")
        }
        Some(_) => {
            report.error(
                &section.path_of("scheme"),
                "must be one word of letters and digits, such as \"Bearer\"",
            );
            return None;
        }
        None => String::new(),
    };
    let key = KeySource::read(&section, "key", "PAGER_TOKEN", folder, report)?;
    Some(HeaderValue::Secret { key, scheme })
}

/// Who is told that a human is needed.
#[derive(Debug, Clone, Default)]
pub struct NotificationSettings {
    /// Where humans find the console, for links in notifications.
    pub console_url: Option<Url>,
    /// The receivers by name.
    pub webhooks: BTreeMap<String, WebhookSettings>,
    /// Where the receivers were written.
    origins: BTreeMap<String, Origin>,
}

impl PartialEq for NotificationSettings {
    /// Equal settings, wherever they were written.
    fn eq(&self, other: &Self) -> bool {
        self.console_url == other.console_url && self.webhooks == other.webhooks
    }
}

impl NotificationSettings {
    /// Takes over what a file states: a webhook of the same name is replaced, others are added. Relative paths start from
    /// `folder`.
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
        if let Some(text) = section.filled_text("console_url", report) {
            match Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.fragment().is_none()) {
                Some(url) => self.console_url = Some(url),
                None => report.error(
                    &section.path_of("console_url"),
                    "must be the console's address as humans type it, without a `#`, such as \"https://gate.example/\"",
                ),
            }
        }
        let path = section.path_of("webhooks");
        let webhooks = section.get("webhooks").and_then(|webhooks| Section::open(webhooks, &path, report));
        for (name, value) in webhooks.iter().flat_map(Section::entries) {
            let path = key_path(&path, name);
            if !is_name(name) {
                report.error(
                    &path,
                    "is not a name for a webhook: write 1 to 128 bytes without blanks around them",
                );
            } else if let Some(webhook) = WebhookSettings::read(value, &path, folder, report) {
                self.webhooks.insert(name.clone(), webhook);
                self.origins.insert(name.clone(), document.origin(&path));
            }
        }
    }

    /// A problem with a setting of a webhook, at the place where the webhook stands.
    #[must_use]
    pub fn problem(&self, webhook: &str, setting: &str, message: String) -> Problem {
        let path = key_path(&key_path("notifications.webhooks", webhook), setting);
        Problem::error(self.origins.get(webhook).cloned(), &path, message)
    }

    pub(super) fn effective(&self) -> Value {
        let webhooks: Map<String, Value> =
            self.webhooks.iter().map(|(name, webhook)| (name.clone(), webhook.effective())).collect();
        json!({ "console_url": self.console_url.as_ref().map(Url::as_str), "webhooks": webhooks })
    }
}
