//! Proxies that ask.

use super::{Configuration, errors, sound};

fn with(block: &str) -> String {
    format!("{{ \"ext_authz\": {block} }}")
}

fn complaints(block: &str) -> Vec<String> {
    errors(&with(block))
}

#[test]
fn a_request_belongs_to_the_server_whose_place_it_names_exactly() {
    let configuration = sound(&[&with(
        r#"{ "servers": {
            "files": { "authorities": ["Files.Example"], "paths": ["/mcp"] },
            "mail":  { "authorities": ["mail.example:8080"], "project": "post" },
            "rest":  { "authorities": ["tools.example"], "paths": ["/a/mcp", "/b"] } } }"#,
    )]);
    let cases = [
        ("files.example", "/mcp", Some("files")),
        ("FILES.example:8443", "/mcp", Some("files")),
        ("files.example", "/mcp/", None),
        ("files.example", "/MCP", None),
        ("files.example", "/x/../mcp", None),
        ("files.example.", "/mcp", None),
        ("files.example:x", "/mcp", None),
        ("mail.example:8080", "/anything", Some("mail")),
        ("mail.example", "/anything", None),
        ("mail.example:80", "/anything", None),
        ("tools.example", "/b", Some("rest")),
        ("", "/mcp", None),
    ];
    for (authority, path, expected) in cases {
        let found = configuration.ext_authz().server(authority, path).map(|(key, _)| key);
        assert_eq!(found, expected, "{authority} {path}");
    }
    let (_, mail) = configuration.ext_authz().server("mail.example:8080", "/").unwrap();
    assert_eq!(mail.project.as_deref(), Some("post"));
}

#[test]
fn one_server_alone_needs_no_place() {
    let configuration = sound(&[&with(r#"{ "enabled": true, "servers": { "files": {} } }"#)]);
    assert!(configuration.ext_authz().server("whatever:1", "/mcp").is_some());
}

#[test]
fn what_one_request_could_mean_twice_is_refused() {
    let pairs = [
        (r#"{}"#, r#"{ "paths": ["/mcp"] }"#),
        (r#"{ "paths": ["/mcp", "/a"] }"#, r#"{ "paths": ["/a"] }"#),
        (r#"{ "authorities": ["a"] }"#, r#"{ "authorities": ["A"], "paths": ["/x"] }"#),
        (r#"{ "authorities": ["a"] }"#, r#"{ "authorities": ["a:80"] }"#),
    ];
    for (one, other) in pairs {
        let found = complaints(&format!(r#"{{ "servers": {{ "one": {one}, "other": {other} }} }}"#));
        assert!(found.len() == 1 && found[0].contains("tell them apart"), "{one} {other}: {found:?}");
    }
    let apart =
        r#"{ "servers": { "one": { "authorities": ["a:80"] }, "other": { "authorities": ["a:81"] } } }"#;
    assert!(complaints(apart).is_empty());
}

#[test]
fn every_mistake_says_what_to_write() {
    let cases = [
        (r#"{ "enabled": true }"#, "would be refused"),
        (r#"{ "enabled": "yes" }"#, "`true` or `false`"),
        (r#"{ "wait": "2h" }"#, "from 0ms to 1h"),
        (r#"{ "session_header": "a b" }"#, "not the name of a header"),
        (r#"{ "servers": { "*": {} } }"#, "is not a server's key"),
        (r#"{ "servers": { "a": { "paths": [] } } }"#, "leave it out for all"),
        (r#"{ "servers": { "a": { "paths": ["mcp"] } } }"#, "a whole path such as \"/mcp\""),
        (r#"{ "servers": { "a": { "paths": ["/mcp?x"] } } }"#, "a whole path"),
        (r#"{ "servers": { "a": { "authorities": ["http://x"] } } }"#, "an authority such as"),
        (r#"{ "servers": { "a": { "project": "a b" } } }"#, "is not the name of a project"),
        (r#"{ "servers": { "a": { "path": ["/x"] } } }"#, "did you mean `paths`?"),
    ];
    for (block, expected) in cases {
        let found = complaints(block);
        assert!(found.len() == 1 && found[0].contains(expected), "{block}: {found:?}");
    }
}

#[test]
fn what_is_printed_reads_back_the_same() {
    let text = with(r#"{ "enabled": true, "wait": "5s", "servers": { "a": { "paths": ["/mcp"] } } }"#);
    let configuration = sound(&[&text]);
    let again: Configuration = sound(&[&configuration.effective().to_string()]);
    assert_eq!(again.ext_authz(), configuration.ext_authz());
}
