//! Which files are found, and what variables and flags change.

use super::super::{LogFormat, LogLevel, Overrides, load, parse};
use super::in_folder;
use crate::gate::Rung;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

fn rung(folder: &Path) -> Result<Rung, String> {
    load(&in_folder(folder))
        .map(|loaded| loaded.configuration.posture("any", None).rung)
        .map_err(|problems| problems.to_string())
}

fn environment(variables: &[(&str, &str)]) -> Result<Overrides, String> {
    let variables: HashMap<&str, OsString> =
        variables.iter().map(|(name, value)| (*name, OsString::from(value))).collect();
    Overrides::from_environment(|name| variables.get(name).cloned()).map_err(|problems| problems.to_string())
}

#[test]
fn a_missing_default_file_means_the_defaults_and_a_missing_named_file_is_an_error() {
    let folder = tempdir().unwrap();
    let loaded = load(&in_folder(folder.path())).unwrap();
    assert!(loaded.files.is_empty());
    assert_eq!(loaded.configuration, super::Configuration::default());
    let mut source = in_folder(folder.path());
    source.overrides.config = Some(folder.path().join("absent.jsonc"));
    let problems = load(&source).unwrap_err().to_string();
    assert!(problems.contains("absent.jsonc: does not exist"), "{problems}");
}

#[test]
fn the_default_files_are_found_in_order_and_a_second_one_is_pointed_out() {
    let folder = tempdir().unwrap();
    fs::write(folder.path().join("haltgate.json"), r#"{"approvals": "manual"}"#).unwrap();
    assert_eq!(rung(folder.path()), Ok(Rung::Manual));
    fs::write(folder.path().join("haltgate.jsonc"), r#"{"approvals": "auto"}"#).unwrap();
    let loaded = load(&in_folder(folder.path())).unwrap();
    assert_eq!(loaded.configuration.posture("any", None).rung, Rung::Auto);
    assert!(loaded.warnings.to_string().contains("haltgate.json: is not read"), "{}", loaded.warnings);
}

#[test]
fn what_is_there_and_cannot_be_read_never_means_the_defaults() {
    type Case = (&'static str, fn(&Path));
    let cases: [Case; 5] = [
        ("is not a regular file", |path| fs::create_dir(path).unwrap()),
        ("does not exist", |path| std::os::unix::fs::symlink("nowhere", path).unwrap()),
        ("is not UTF-8 from here on", |path| fs::write(path, b"{}\n\n /\xff").unwrap()),
        ("is empty", |path| fs::write(path, "").unwrap()),
        ("is longer than", |path| {
            fs::File::create(path).unwrap().set_len(super::super::MAX_FILE_BYTES + 1).unwrap()
        }),
    ];
    for (message, make) in cases {
        let folder = tempdir().unwrap();
        make(&folder.path().join("haltgate.jsonc"));
        let problems = rung(folder.path()).unwrap_err();
        assert!(problems.contains(message), "{message}: {problems}");
    }
}

#[test]
fn a_file_is_laid_over_the_files_it_extends_from_its_own_folder() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("org")).unwrap();
    fs::write(
        path("org/base.jsonc"),
        r#"{"extends": "lowest.jsonc", "approvals": "manual", "store": {"path": "x.db"}}"#,
    )
    .unwrap();
    fs::write(path("org/lowest.jsonc"), r#"{"approvals": "bypass", "log": {"level": "debug"}}"#).unwrap();
    fs::write(path("team.jsonc"), r#"{"extends": ["org/base.jsonc"], "approvals": "write"}"#).unwrap();
    fs::write(path("haltgate.jsonc"), r#"{"extends": ["org/base.jsonc", "team.jsonc"]}"#).unwrap();
    let loaded = load(&in_folder(folder.path())).unwrap();
    assert_eq!(loaded.configuration.posture("any", None).rung, Rung::Write);
    assert_eq!(loaded.configuration.log().level, LogLevel::Debug);
    assert_eq!(loaded.configuration.store().path, path("org/x.db"));
    // A file that is extended on two ways is laid once.
    let names: Vec<_> = loaded.files.iter().map(|file| file.strip_prefix(folder.path()).unwrap()).collect();
    assert_eq!(names, ["org/lowest.jsonc", "org/base.jsonc", "team.jsonc", "haltgate.jsonc"].map(Path::new));
}

#[test]
fn circles_missing_bases_and_endless_chains_are_errors_at_the_line_that_names_them() {
    let folder = tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("a.jsonc", r#"{"extends": "haltgate.jsonc"}"#);
    write("haltgate.jsonc", "{\"extends\": [\"a.jsonc\",\n\"absent.jsonc\", 1, \"\"]}");
    let problems = rung(folder.path()).unwrap_err();
    for part in [
        "a.jsonc:1:2: extends: runs in a circle",
        "haltgate.jsonc:2:1: extends[1]: ",
        "absent.jsonc does not exist",
        "haltgate.jsonc:2:17: extends[2]: must be the path of a file, or a list of such paths, not a number",
        "haltgate.jsonc:2:20: extends[3]: must be the path of a file, or a list of such paths, not an empty string",
        "4 errors",
    ] {
        assert!(problems.contains(part), "{part}\n{problems}");
    }
    for index in 0..40 {
        write(&format!("{index}.jsonc"), &format!(r#"{{"extends": "{}.jsonc"}}"#, index + 1));
    }
    write("haltgate.jsonc", r#"{"extends": "0.jsonc"}"#);
    assert!(rung(folder.path()).unwrap_err().contains("chain of more than 16 files"));
}

#[test]
fn variables_override_files_and_flags_override_variables() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("named.jsonc");
    fs::write(&file, r#"{"server": {"listen": "127.0.0.1:1"}, "store": {"path": "a.db", "ephemeral": true}, "log": {"level": "warn"}}"#)
        .unwrap();
    let variables = environment(&[
        ("HALTGATE_CONFIG", file.to_str().unwrap()),
        ("HALTGATE_LISTEN", "127.0.0.1:2"),
        ("HALTGATE_STORE", "b.db"),
        ("HALTGATE_LOG", "debug"),
        ("HALTGATE_LOG_FORMAT", "json"),
    ])
    .unwrap();
    let flags = Overrides { log_level: Some(LogLevel::Trace), ..Overrides::default() };
    let mut source = in_folder(folder.path());
    source.overrides = flags.over(variables);
    let configuration = load(&source).unwrap().configuration;
    assert_eq!(configuration.server().listen[0].port(), 2);
    assert_eq!(configuration.store().path, Path::new("b.db"));
    assert!(!configuration.store().ephemeral, "naming a store means that it is used");
    assert_eq!((configuration.log().level, configuration.log().format), (LogLevel::Trace, LogFormat::Json));
}

#[test]
fn a_flag_for_the_store_settles_what_variables_say_of_it() {
    let ephemeral = Overrides { ephemeral: Some(true), ..Overrides::default() };
    let stored = Overrides { store: Some("flag.db".into()), ..Overrides::default() };
    let over = |flags: &Overrides, variables: &[(&str, &str)]| {
        let folder = tempdir().unwrap();
        let mut source = in_folder(folder.path());
        source.overrides = flags.clone().over(environment(variables).unwrap());
        load(&source).unwrap().configuration.store().clone()
    };
    assert!(over(&ephemeral, &[("HALTGATE_STORE", "v.db")]).ephemeral);
    let settled = over(&stored, &[("HALTGATE_EPHEMERAL", "true")]);
    assert!(!settled.ephemeral && settled.path == Path::new("flag.db"));
    assert!(over(&Overrides::default(), &[("HALTGATE_EPHEMERAL", "1")]).ephemeral);
}

#[test]
fn every_bad_variable_is_reported_by_name() {
    let problems = environment(&[
        ("HALTGATE_CONFIG", ""),
        ("HALTGATE_INSECURE", "maybe"),
        ("HALTGATE_LISTEN", "gate.example:1"),
        ("HALTGATE_STORE", "postgres://x"),
        ("HALTGATE_EPHEMERAL", "yes"),
        ("HALTGATE_LOG", "loud"),
        ("HALTGATE_LOG_FORMAT", "xml"),
    ])
    .unwrap_err();
    let expected = [
        ("HALTGATE_CONFIG", "set to nothing"),
        ("HALTGATE_EPHEMERAL", "`true` or `false` (it is \"yes\")"),
        ("HALTGATE_INSECURE", "`true` or `false` (it is \"maybe\")"),
        ("HALTGATE_LISTEN", "IP address with a port"),
        ("HALTGATE_LOG", "\"trace\" (it is \"loud\")"),
        ("HALTGATE_LOG_FORMAT", "\"human\", \"json\""),
        ("HALTGATE_STORE", "later version"),
    ];
    assert_eq!(problems.lines().count(), expected.len() + 1, "{problems}");
    for (line, (name, part)) in problems.lines().zip(expected) {
        assert!(line.starts_with(&format!("{name}: ")) && line.contains(part), "{line}");
    }
    let both = environment(&[("HALTGATE_STORE", "x.db"), ("HALTGATE_EPHEMERAL", "true")]).unwrap_err();
    assert!(both.contains("set one of the two"), "{both}");
    assert!(environment(&[("HALTGATE_LISTEN", "none")]).unwrap_err().contains("beside a `socket`"));
    assert_eq!(environment(&[]), Ok(Overrides::default()));
}

#[test]
fn a_text_alone_is_a_configuration_unless_it_names_other_files() {
    let text = r#"{ "approvals": "manual" }"#;
    assert_eq!(parse("policy", text).unwrap().posture("any", None).rung, Rung::Manual);
    for (text, expected) in [
        (r#"{ "extends": "base.jsonc" }"#, "policy:1:3: extends: names other files"),
        (r#"{ "approvals": "wild" }"#, "policy:1:3: approvals: "),
        ("{", "policy:1:1: "),
    ] {
        let problems = parse("policy", text).unwrap_err().to_string();
        assert!(problems.starts_with(expected), "{problems}");
    }
}
