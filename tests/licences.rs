//! Every crate that haltgate is built from may be shipped with it.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Licences that ask for no more than their text and a notice. What is not here is looked at before it comes in.
const ACCEPTED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
    "0BSD",
    "MIT-0",
];

/// Whether one of the alternatives of a licence expression is accepted whole.
fn is_accepted(expression: &str) -> bool {
    let plain = expression.replace(['(', ')'], " ").replace('/', " OR ");
    plain.split(" OR ").any(|alternative| {
        alternative.split(" AND ").all(|licence| {
            let licence = licence.split(" WITH ").next().unwrap_or_default().trim();
            ACCEPTED.contains(&licence)
        })
    })
}

/// The platform that is built for: crates of other platforms are not downloaded.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc names its host").to_owned()
}

#[test]
fn every_crate_in_the_build_has_an_accepted_licence() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", &host()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 100, "only {} packages were read", packages.len());
    let used: BTreeSet<&str> = metadata["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    let refused: BTreeMap<&str, &str> = packages
        .iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| used.contains(id)))
        .map(|package| {
            (package["name"].as_str().unwrap_or("?"), package["license"].as_str().unwrap_or("none"))
        })
        .filter(|(_, licence)| !is_accepted(licence))
        .collect();
    assert!(refused.is_empty(), "not accepted: {refused:?}");
}

#[test]
fn an_expression_is_accepted_when_one_alternative_is_accepted_whole() {
    for (expression, accepted) in [
        ("MIT", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("GPL-3.0-or-later", false),
        ("MIT AND GPL-2.0", false),
        ("none", false),
    ] {
        assert_eq!(is_accepted(expression), accepted, "{expression}");
    }
}
