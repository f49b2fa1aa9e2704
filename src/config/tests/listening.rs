//! Addresses, sockets and encryption.

use super::{errors, sound};
use crate::config::{ClientAuth, SocketGroup, SocketSettings, TlsSettings, TlsVersion, load, parse};
use crate::config::{Overrides, Source};
use std::time::Duration;

#[test]
fn what_strangers_reach_is_an_error_without_credentials_whichever_way_the_address_is_written() {
    for listen in [
        "\"0.0.0.0:1\"",
        "\"[::]:1\"",
        "\"192.0.2.1:1\"",
        "\"[::ffff:1.2.3.4]:1\"",
        "\"[::ffff:0.0.0.0]:1\"",
        "\"[fe80::1]:1\"",
        "[\"127.0.0.1:1\", \"0.0.0.0:2\"]",
    ] {
        let problems =
            parse("f", &format!("{{\n \"server\": {{\"listen\": {listen}}}}}")).unwrap_err().to_string();
        for part in ["f:2:13: server.listen: ", "reached from other machines", "`auth`", "--insecure"] {
            assert!(problems.contains(part), "{listen} {part}: {problems}");
        }
    }
    let socket = r#"{"server": {"socket": {"path": "s", "mode": "0666"}}}"#;
    let problems = parse("f", socket).unwrap_err().to_string();
    assert!(problems.contains("every user of this machine"), "{problems}");
    for listen in ["127.0.0.1:0", "127.9.9.9:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"] {
        let text = format!(r#"{{"server": {{"listen": ["{listen}", "127.0.0.1:9"]}}}}"#);
        assert!(parse("f", &text).is_ok(), "{listen}");
    }
}

#[test]
fn insisting_is_possible_outside_of_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("haltgate.jsonc"), r#"{"server": {"listen": "0.0.0.0:1"}}"#).unwrap();
    let loaded = |insecure| {
        let overrides = Overrides { insecure, ..Overrides::default() };
        load(&Source { folder: folder.path().to_owned(), overrides })
    };
    assert!(loaded(None).is_err() && loaded(Some(false)).is_err());
    let configuration = loaded(Some(true)).unwrap().configuration;
    assert!(configuration.server().insecure);
    // What is printed is a file, and a file cannot say it.
    assert!(!configuration.effective().to_string().contains("insecure"));
    assert_eq!(errors(r#"{"server": {"insecure": true}}"#).len(), 1);
    // An address by flag or variable is as open as one in a file.
    let overrides = Overrides { listen: Some("0.0.0.0:1".parse().unwrap()), ..Overrides::default() };
    let problems = load(&Source { folder: "/nonexistent".into(), overrides }).unwrap_err().to_string();
    assert!(problems.starts_with("server.listen: 0.0.0.0:1 can be reached"), "{problems}");
}

#[test]
fn one_address_or_several_or_none_are_listened_on() {
    let listened = |text: &str| sound(&[&format!(r#"{{"server": {text}}}"#)]).server().listen.len();
    assert_eq!(listened(r#"{"listen": "[::1]:7557"}"#), 1);
    assert_eq!(listened(r#"{"listen": ["[::1]:7557", "127.0.0.1:7557", "127.0.0.1:0", "127.0.0.1:0"]}"#), 4);
    assert_eq!(listened(r#"{"listen": "none", "socket": "s"}"#), 0);
    for (listen, part) in [
        ("[]", "1 to 16"),
        ("3", "not 3"),
        ("\"\"", "IP address with a port"),
        ("[\"none\"]", "IP address with a port"),
        ("[\"127.0.0.1:1\", 4]", "not 4"),
        ("[\"127.0.0.1:1\", \"localhost:1\"]", "twice"),
        ("\"gate.example:7557\"", "not \"gate.example:7557\""),
        ("\"none\"", "no `socket`"),
    ] {
        let found = errors(&format!(r#"{{"server": {{"listen": {listen}}}}}"#));
        assert!(found.len() == 1 && found[0].contains(part), "{listen}: {found:?}");
    }
}

#[test]
fn a_socket_is_a_path_or_has_rights_that_make_sense() {
    let socket = |text: &str| {
        let configuration = sound(&[&format!(r#"{{"server": {{"socket": {text}}}}}"#)]);
        configuration.server().socket.clone().unwrap()
    };
    assert_eq!(socket("\"s\""), SocketSettings::at("policies/s".into()));
    assert_eq!(socket(r#"{"path": "s"}"#), SocketSettings::at("policies/s".into()));
    let shared = SocketSettings {
        path: "/run/haltgate/s".into(),
        mode: 0o660,
        group: Some(SocketGroup::Name("agents".to_owned())),
    };
    assert_eq!(socket(r#"{"path": "/run/haltgate/s", "mode": "0660", "group": "agents"}"#), shared);
    assert_eq!(socket(r#"{"path": "s", "group": 1000}"#).group, Some(SocketGroup::Number(1000)));
    for (text, part) in [
        ("\"\"", "path that is not empty"),
        ("3", "not 3"),
        ("\"@abstract\"", "abstract socket"),
        (r#"{"mode": "0600"}"#, "has no `path`"),
        (r#"{"path": "s", "mode": 600}"#, "four octal digits"),
        (r#"{"path": "s", "mode": "600"}"#, "four octal digits"),
        (r#"{"path": "s", "mode": "0060"}"#, "owner read and write"),
        (r#"{"path": "s", "mode": "0700"}"#, "nobody execute"),
        (r#"{"path": "s", "mode": "4600"}"#, "four octal digits"),
        (r#"{"path": "s", "mode": "0699"}"#, "four octal digits"),
        (r#"{"path": "s", "group": ""}"#, "name or the number of a group"),
        (r#"{"path": "s", "group": -1}"#, "name or the number of a group"),
        (r#"{"path": "s", "group": 4294967295}"#, "name or the number of a group"),
        (r#"{"path": "s", "rights": "0600"}"#, "is not a setting"),
    ] {
        let found = errors(&format!(r#"{{"server": {{"socket": {text}}}}}"#));
        assert!(found.len() == 1 && found[0].contains(part), "{text}: {found:?}");
    }
}

#[test]
fn encryption_needs_a_pair_and_asks_for_certificates_only_where_it_can_check_them() {
    let tls = |texts: &[&str]| {
        let texts: Vec<String> =
            texts.iter().map(|text| format!(r#"{{"server": {{"tls": {text}}}}}"#)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        sound(&texts).server().tls.clone().unwrap()
    };
    let plain = TlsSettings {
        certificate: "policies/c".into(),
        key: "/k".into(),
        client_ca: None,
        client_auth: ClientAuth::None,
        min_version: TlsVersion::Tls12,
    };
    let pair = r#"{"certificate": "c", "key": "/k"}"#;
    assert_eq!(tls(&[pair]), plain);
    let asking = TlsSettings {
        client_ca: Some("policies/ca".into()),
        client_auth: ClientAuth::Required,
        ..plain.clone()
    };
    assert_eq!(tls(&[r#"{"certificate": "c", "key": "/k", "client_ca": "ca"}"#]), asking);
    assert_eq!(tls(&[pair, r#"{"client_ca": "ca"}"#]), asking);
    let optional = TlsSettings { client_auth: ClientAuth::Optional, ..asking.clone() };
    let over =
        [pair, r#"{"client_ca": "ca"}"#, r#"{"client_auth": "optional"}"#, r#"{"min_version": "1.3"}"#];
    assert_eq!(tls(&over[..3]), optional);
    assert_eq!(tls(&over), TlsSettings { min_version: TlsVersion::Tls13, ..optional });
    let off = tls(&[pair, r#"{"client_ca": "ca"}"#, r#"{"client_auth": "none"}"#]);
    assert_eq!(off.asked_for(), None);
    assert_eq!(asking.asked_for().unwrap().to_str(), Some("policies/ca"));
    for (text, parts) in [
        (r#"{"certificate": "c"}"#, &["has no `key`"][..]),
        (r#"{"key": "k"}"#, &["has no `certificate`"]),
        (r#"{}"#, &["has no `certificate`", "has no `key`"]),
        (r#"{"certificate": "c", "key": ""}"#, &["server.tls.key: must be a string that is not empty"]),
        (r#"{"certificate": "c", "key": "k", "client_auth": "required"}"#, &["`client_ca`"]),
        (r#"{"certificate": "c", "key": "k", "client_auth": "maybe"}"#, &["\"optional\""]),
        (r#"{"certificate": "c", "key": "k", "min_version": "1.1"}"#, &["\"1.2\", \"1.3\""]),
        (r#"{"certificate": "c", "key": "k", "cipher": "x"}"#, &["is not a setting"]),
        ("true", &["must be an object"]),
    ] {
        let found = errors(&format!(r#"{{"server": {{"tls": {text}}}}}"#));
        assert_eq!(found.len(), parts.len(), "{text}: {found:?}");
        for (line, part) in found.iter().zip(parts) {
            assert!(line.contains(part), "{text}: {line}");
        }
    }
}

#[test]
fn everything_about_listening_reads_back_as_it_is_printed() {
    let first = sound(&[r#"{"server": {
        "listen": ["127.0.0.1:1", "[::1]:1"], "socket": {"path": "/s", "mode": "0660", "group": 7},
        "tls": {"certificate": "/c", "key": "/k", "client_ca": "/ca", "client_auth": "optional", "min_version": "1.3"},
        "plaintext": "behind_proxy", "max_connections": 7, "max_connection_age": "0s", "lame_duck": "9s"}}"#]);
    let again = parse("again", &first.effective().to_string()).unwrap();
    assert_eq!(again.server(), first.server());
}

#[test]
fn a_gate_that_strangers_reach_says_for_a_moment_that_it_leaves() {
    let duck = |text: &str| sound(&[&format!(r#"{{"server": {{{text}}}}}"#)]).server().lame_duck();
    assert_eq!(duck(""), Duration::ZERO);
    assert_eq!(duck(r#""listen": "none", "socket": "s""#), Duration::ZERO);
    assert_eq!(duck(r#""listen": ["127.0.0.1:1", "0.0.0.0:2"]"#), Duration::from_secs(5));
    assert_eq!(duck(r#""listen": "0.0.0.0:2", "lame_duck": "0s""#), Duration::ZERO);
    assert_eq!(duck(r#""lame_duck": "2s""#), Duration::from_secs(2));
}

#[test]
fn unencrypted_addresses_are_spoken_of_unless_somebody_encrypts() {
    let plain = |text: &str| sound(&[&format!(r#"{{"server": {{{text}}}}}"#)]).server().unencrypted().len();
    let open = r#""listen": ["0.0.0.0:1", "[::]:2", "127.0.0.1:3"]"#;
    assert_eq!(plain(open), 2);
    assert_eq!(plain(&format!(r#"{open}, "plaintext": "behind_proxy""#)), 0);
    assert_eq!(plain(&format!(r#"{open}, "tls": {{"certificate": "c", "key": "k"}}"#)), 0);
    assert_eq!(plain(""), 0);
}
