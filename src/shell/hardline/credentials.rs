//! Files that hold credentials, told by their paths.
//!
//! Promises to judge each path on its own: a public key (`….pub`) and an example (`.env.example`) are none. Knows nothing of
//! programs.

use super::globs;
use super::paths::{Component, Path};

/// Folders all of whose content is credentials, as the last components of a path.
const FOLDERS: &[&[&str]] = &[
    &[".ssh"],
    &[".aws"],
    &[".gnupg"],
    &[".kube"],
    &[".docker"],
    &[".azure"],
    &[".password-store"],
    &[".config", "gcloud"],
    &[".config", "gh"],
    &[".config", "rclone"],
    &[".config", "op"],
    &["Library", "Keychains"],
    &["kubernetes.io", "serviceaccount"],
    &["run", "secrets"],
];
/// Files in those folders that hold no credentials.
const HARMLESS_IN_FOLDERS: &[&str] = &[
    "known_hosts",
    "known_hosts.old",
    "authorized_keys",
    "authorized_keys2",
    "cache",
    "pubring.kbx",
    "pubring.gpg",
];
/// Names of files that hold credentials wherever they lie.
const FILES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".npmrc",
    ".pypirc",
    ".git-credentials",
    ".pgpass",
    ".my.cnf",
    ".vault-token",
    ".s3cfg",
    ".boto",
    ".envrc",
    ".dockercfg",
    ".dockerconfigjson",
    ".htpasswd",
    ".yarnrc.yml",
    "kubeconfig",
    "application_default_credentials.json",
    "login.keychain-db",
    "krb5.keytab",
    "rclone.conf",
    "credentials.tfrc.json",
    "terraform.tfvars.secret",
];
/// Files that hold credentials where they lie in a folder of this name.
const FILES_IN: &[(&str, &str)] = &[
    (".docker", "config.json"),
    (".cargo", "credentials"),
    (".cargo", "credentials.toml"),
    (".gem", "credentials"),
    (".kaggle", "kaggle.json"),
    (".m2", "settings.xml"),
    (".m2", "settings-security.xml"),
    ("huggingface", "token"),
    (".huggingface", "token"),
    (".codex", "auth.json"),
    (".claude", ".credentials.json"),
    ("kubernetes", "admin.conf"),
    ("k3s", "k3s.yaml"),
    ("etc", "shadow"),
    ("etc", "shadow-"),
    ("etc", "gshadow"),
    ("etc", "gshadow-"),
    ("etc", "master.passwd"),
];
/// Names of private keys, each also with something behind it (`id_rsa.bak`).
const KEYS: &[&str] = &["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];
/// Endings of files that hold private keys.
const KEY_ENDINGS: &[&str] = &[".p12", ".pfx", ".ppk", ".kdbx", ".jks", ".keystore", ".p8", ".keytab"];
/// Words in the name of a `.pem` file that hold a private key.
const PRIVATE_WORDS: &[&str] = &["key", "priv", "secret"];
/// Words in the name of a `.key` or `.pem` file that is none: public keys, and slides.
const HARMLESS_WORDS: &[&str] = &["pub", "slides", "talk", "deck", "presentation", "keynote", "pitch"];
/// Endings of dotenv names that mark a file without secrets.
const EXAMPLES: &[&str] =
    &["example", "sample", "template", "tmpl", "tpl", "dist", "default", "defaults", "schema", "md"];
/// Names that a pattern is tried on.
const SAMPLES: &[&str] =
    &[".env", ".env.local", "id_rsa", "id_ed25519", ".netrc", ".npmrc", ".git-credentials", ".pgpass"];

/// Whether a path is a file or folder that holds credentials.
pub(crate) fn is_credential(path: &Path) -> bool {
    let texts: Vec<&str> = path.components.iter().map(text).collect();
    let whole = path.takes_everything_inside();
    let own = if whole { texts.split_last().map_or(texts.as_slice(), |(_, rest)| rest) } else { &texts };
    if FOLDERS.iter().any(|folder| own.ends_with(folder)) {
        return true;
    }
    let Some((name, parents)) = own.split_last() else { return false };
    if name.ends_with(".pub") {
        return false;
    }
    let parent = parents.last().copied().unwrap_or_default();
    if FOLDERS.iter().any(|folder| contains(parents, folder)) {
        return !is_harmless_inside(parents, name);
    }
    FILES.contains(name)
        || FILES_IN.contains(&(parent, *name))
        || is_key(name, parent)
        || is_dotenv(name)
        || is_environment_of_process(path.components.first(), own)
        || matches!(path.components.last(), Some(Component::Pattern(pattern)) if matches_a_credential(pattern))
}

fn text(component: &Component) -> &str {
    match component {
        Component::Name(text) | Component::Pattern(text) | Component::Dynamic(text) => text,
        Component::User => "",
    }
}

fn contains(names: &[&str], folder: &[&str]) -> bool {
    names.windows(folder.len().max(1)).any(|window| window == folder)
}

fn is_harmless_inside(parents: &[&str], name: &str) -> bool {
    let in_folder = |folder: &str| parents.contains(&folder);
    HARMLESS_IN_FOLDERS.contains(&name)
        || (in_folder(".ssh") && matches!(name, "config" | "rc" | "environment" | "config.d"))
        || (in_folder(".docker") && name != "config.json")
}

fn is_key(name: &str, parent: &str) -> bool {
    if KEYS.iter().any(|key| name.starts_with(key)) || KEY_ENDINGS.iter().any(|ending| name.ends_with(ending))
    {
        return true;
    }
    if name.starts_with("ssh_host_") && name.ends_with("_key") {
        return true;
    }
    let harmless = HARMLESS_WORDS.iter().any(|word| name.contains(word));
    if name.ends_with(".key") {
        return !harmless && name != ".key";
    }
    name.strip_suffix(".pem").is_some_and(|stem| {
        !harmless && (PRIVATE_WORDS.iter().any(|word| stem.contains(word)) || parent == "private")
    })
}

fn is_dotenv(name: &str) -> bool {
    let is_example = |ending: &str| EXAMPLES.contains(&ending);
    if let Some(rest) = name.strip_prefix(".env") {
        return rest.is_empty()
            || rest
                .strip_prefix('.')
                .is_some_and(|rest| !rest.is_empty() && !rest.split('.').any(is_example));
    }
    name.strip_suffix(".env").is_some_and(|stem| {
        !stem.split(['.', '-', '_']).any(is_example) && !stem.is_empty() && !stem.contains("example")
    })
}

/// `/proc/self/environ` and those of other processes.
fn is_environment_of_process(first: Option<&Component>, names: &[&str]) -> bool {
    matches!(first, Some(Component::Name(name)) if name == "proc")
        && matches!(names, [_, .., last] if *last == "environ")
}

/// Whether a pattern with some text of its own matches the name of a file that holds credentials.
fn matches_a_credential(pattern: &str) -> bool {
    let own = pattern.chars().filter(|character| !matches!(character, '*' | '?' | '[' | ']' | '\\')).count();
    own >= 3 && globs::matches_any(pattern, SAMPLES)
}
