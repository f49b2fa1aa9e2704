//! Which hosts do a tool call's arguments name?
//!
//! Promises a bounded walk that reports every host it can read, and says so when there may be more than it reports.
//! Knows nothing of rules; shell commands are never walked here.

use crate::rules::Hosts;
use serde_json::Value;

/// How deep values are read; the arguments themselves are depth 0. The figures are the reference behaviour's.
const MAX_DEPTH: usize = 4;
/// How many values are visited, containers and the root included.
const MAX_VALUES: usize = 256;
/// How long a string may be, in UTF-16 units, before it is no longer read.
const MAX_UNITS: usize = 4096;

/// The distinct hosts that the arguments name.
#[must_use]
pub(super) fn scan(arguments: &serde_json::Map<String, Value>) -> Hosts {
    let mut scan = Scan { hosts: Hosts::default(), visited: 1, bare_address: false };
    for (name, value) in arguments {
        scan.visit(value, 1, names_an_address(name));
    }
    // Beside a host that is named in full, `evil.example/x` may be a second one; alone it is a path or an identifier.
    scan.hosts.uncertain |= scan.bare_address && !scan.hosts.named.is_empty();
    scan.hosts
}

struct Scan {
    hosts: Hosts,
    visited: usize,
    /// A string could be an address without its scheme.
    bare_address: bool,
}

impl Scan {
    /// Visits a value; `address` says that the name of its member promises an address.
    fn visit(&mut self, value: &Value, depth: usize, address: bool) {
        if depth > MAX_DEPTH || self.visited >= MAX_VALUES {
            // Beyond the bounds there may be a host; only what holds text can hide one.
            self.hosts.uncertain |= holds_text(value);
            return;
        }
        self.visited += 1;
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => self.read(text, address),
            Value::Array(items) => items.iter().for_each(|item| self.visit(item, depth + 1, address)),
            Value::Object(members) => {
                for (name, member) in members {
                    self.visit(member, depth + 1, names_an_address(name));
                }
            }
        }
    }

    fn read(&mut self, text: &str, address: bool) {
        if text.is_empty() {
            return;
        }
        if text.len() > MAX_UNITS && text.encode_utf16().count() > MAX_UNITS {
            self.hosts.uncertain |= text.contains("://");
            return;
        }
        match url::Url::parse(text) {
            Ok(parsed) => match parsed.host_str().map(normalize) {
                Some(host) if host.contains(',') || joins_addresses(text) => {
                    // `https://a.com,https://b.com` parses, to one bogus host.
                    self.hosts.uncertain = true;
                    self.note(host);
                }
                Some(host) if !host.is_empty() => self.note(host),
                Some(_) | None => self.without_scheme(text, address),
            },
            // Prose, JSON or several addresses in one string: there is a host in it that nobody can attribute.
            Err(_) => {
                self.hosts.uncertain |= text.contains("://");
                self.without_scheme(text, address);
            }
        }
    }

    /// `evil.example`, `evil.example:8080/x`: whoever gets it may connect there, but it is not written as an address.
    fn without_scheme(&mut self, text: &str, address: bool) {
        let text = text.trim();
        let behind_user = text.split_once('@').map_or(text, |(_, host)| host);
        let end = behind_user.find(['/', ':', '?', '#']).unwrap_or(behind_user.len());
        let (host, rest) = behind_user.split_at_checked(end).unwrap_or((behind_user, ""));
        let host_like = is_dotted_name(host) || (address && host.eq_ignore_ascii_case("localhost"));
        if !host_like || text.contains(char::is_whitespace) {
            return;
        }
        self.hosts.uncertain |= address;
        let port =
            rest.strip_prefix(':').is_some_and(|port| port.starts_with(|first: char| first.is_ascii_digit()));
        self.bare_address |= rest.starts_with('/') || port || text.contains('@');
    }

    fn note(&mut self, host: String) {
        if !self.hosts.named.contains(&host) {
            self.hosts.named.push(host);
        }
    }
}

/// Whether the name of a member says that its value is an address or a part of one.
fn names_an_address(name: &str) -> bool {
    const NAMES: [&str; 6] = ["server", "address", "addr", "origin", "remote", "link"];
    const ENDS: [&str; 8] = ["url", "uri", "host", "hostname", "domain", "endpoint", "proxy", "href"];
    let lower = name.to_ascii_lowercase();
    NAMES.contains(&lower.as_str()) || ENDS.iter().any(|end| lower.ends_with(end))
}

/// Labels with dots between them, the last of them letters; or four numbers.
fn is_dotted_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let label = |label: &str| {
        !label.is_empty()
            && label.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_'))
    };
    let labels: Vec<&str> = host.split('.').collect();
    let letters = |last: &&str| last.chars().count() > 1 && last.chars().all(char::is_alphabetic);
    let address = labels.len() == 4 && labels.iter().all(|part| part.parse::<u8>().is_ok());
    labels.len() > 1
        && labels.iter().all(|part| label(part))
        && (address || labels.last().is_some_and(letters))
}

/// The URL standard drops tabs and line breaks, so that two addresses on two lines become one.
fn joins_addresses(text: &str) -> bool {
    let trimmed = text.trim_matches(|character: char| character <= ' ');
    trimmed.matches("://").count() > 1 && trimmed.contains(['\n', '\r', '\t'])
}

/// A trailing dot names the same host.
fn normalize(host: &str) -> String {
    host.strip_suffix('.').unwrap_or(host).to_lowercase()
}

/// Bounded by the arguments' own size: every value is seen once.
fn holds_text(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
        Value::String(text) => text.contains(':'),
        Value::Array(items) => items.iter().any(holds_text),
        Value::Object(members) => members.values().any(holds_text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn hosts(value: Value) -> Hosts {
        match value {
            Value::Object(map) => scan(&map),
            other => panic!("arguments are an object, not {other}"),
        }
    }

    #[test]
    fn a_string_names_a_host_when_all_of_it_is_a_url_with_one() {
        let cases: &[(&str, Option<&str>)] = &[
            ("HTTPS://Docs.EX:8443/a", Some("docs.ex")),
            ("http:evil.com", Some("evil.com")),
            ("https:/evil.com", Some("evil.com")),
            ("http:\\\\evil.com", Some("evil.com")),
            ("https:///evil.com/x", Some("evil.com")),
            ("  https://a.com  ", Some("a.com")),
            ("https://good.com@evil.com/", Some("evil.com")),
            ("http://0x7f.1/", Some("127.0.0.1")),
            ("http://2130706433/", Some("127.0.0.1")),
            ("http://[::1]:80/", Some("[::1]")),
            ("https://EXAMPLE.com./x", Some("example.com")),
            ("https://b\u{fc}cher.example", Some("xn--bcher-kva.example")),
            ("ssh://git@host/x", Some("host")),
            ("s3://My-Bucket/k", Some("my-bucket")),
            ("file://server/share", Some("server")),
            ("javascript://evil.com/%0a", Some("evil.com")),
            ("file:///x", None),
            ("data:text/plain,x", None),
            ("mailto:a@b.c", None),
            ("urn:a:b", None),
            ("localhost:3000", None),
            ("C:\\foo", None),
            ("git@github.com:o/r", None),
            ("//h/x", None),
            ("h.com/x", None),
            ("plain words", None),
        ];
        for (text, expected) in cases {
            let found = hosts(json!({ "value": text }));
            assert_eq!(found.named.first().map(String::as_str), *expected, "{text}");
            assert!(!found.uncertain, "{text}");
        }
    }

    #[test]
    fn the_walk_stops_at_depth_four_and_says_that_more_may_be_there() {
        let reached = hosts(json!({"a": {"b": {"c": {"url": "https://x.example"}}}}));
        assert_eq!((reached.named.len(), reached.uncertain), (1, false));
        let beyond = hosts(json!({"a": {"b": {"c": {"d": {"url": "https://x.example"}}}}}));
        assert_eq!((beyond.named.len(), beyond.uncertain), (0, true));
    }

    #[test]
    fn padding_with_values_cannot_hide_a_second_host() {
        let mut padded: Vec<Value> = vec![json!("https://good.example")];
        padded.extend(std::iter::repeat_n(json!("a"), 300));
        padded.push(json!("https://evil.example"));
        let found = hosts(json!({ "list": padded }));
        assert_eq!((found.named.len(), found.uncertain), (1, true));
        assert_eq!(found.single(), None);
    }

    #[test]
    fn several_addresses_in_one_string_are_never_taken_for_one_host() {
        for text in [
            "https://a.com,https://b.com",
            "https://a.com\nhttps://b.com",
            "see https://a.com and https://b.com",
            "{\"url\": \"https://a.com\"}",
        ] {
            assert_eq!(hosts(json!({ "value": text })).single(), None, "{text}");
        }
        let long = format!("{}https://evil.example", " ".repeat(5000));
        assert_eq!(hosts(json!({ "a": "https://good.example", "b": long })).single(), None);
    }

    #[test]
    fn an_address_without_its_scheme_leaves_in_doubt_how_many_hosts_there_are() {
        let beside = |name: &str, value: Value| hosts(json!({ "to": "https://good.example/", name: value }));
        for (name, value, uncertain) in [
            ("more", json!("evil.example/x"), true),
            ("more", json!("evil.example:8080"), true),
            ("more", json!("git@evil.example:o/r"), true),
            ("more", json!("10.1.2.3/x"), true),
            ("list", json!(["a", "evil.example/x"]), true),
            ("host", json!("evil.example"), true),
            ("baseUrl", json!("evil.example"), true),
            ("target_host", json!("localhost"), true),
            ("proxy", json!("10.1.2.3"), true),
            ("more", json!("evil.example"), false),
            ("path", json!("src/main.rs"), false),
            ("path", json!("README.md"), false),
            ("path", json!("../a.b/c"), false),
            ("path", json!(".github/workflows"), false),
            ("version", json!("1.2.3/x"), false),
            ("note", json!("see evil.example/x or so"), false),
            ("server", json!("jira"), false),
            ("url", json!("/relative/path"), false),
        ] {
            assert_eq!(beside(name, value.clone()).uncertain, uncertain, "{name}: {value}");
        }
        let alone = |name: &str, text: &str| hosts(json!({ name: text })).uncertain;
        assert!(!alone("path", "my.app/Contents") && !alone("module", "go.example/x"));
        assert!(alone("url", "evil.example/x") && alone("hostname", "db.internal"));
    }

    #[test]
    fn distinct_hosts_keep_the_order_of_first_sight() {
        let found = hosts(
            json!({"a": "https://one.example/1", "b": ["https://two.example", "https://one.example/2"]}),
        );
        assert_eq!(found.named, ["one.example", "two.example"]);
        assert_eq!(found.single(), None);
    }
}
