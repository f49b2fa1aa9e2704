//! Variables that lead the programs which read them to a host: proxies, registries, mirrors.
//!
//! Promises a table of names and how the value of each is read. Knows nothing of where the assignment stands.

use super::style::Style;

const EXACT: &[(&str, Style)] = &[
    ("GOPROXY", Style::AddressList),
    ("GONOSUMDB", Style::Plain),
    ("PIP_TRUSTED_HOST", Style::HostList),
    ("GIT_PROXY_COMMAND", Style::Words),
    ("GIT_SSH_COMMAND", Style::Words),
    ("GIT_SSH", Style::Words),
    ("RSYNC_RSH", Style::Words),
    ("RSYNC_CONNECT_PROG", Style::Words),
    ("RSYNC_PROXY", Style::Address),
    ("DOCKER_HOST", Style::Address),
    ("CONTAINER_HOST", Style::Address),
    ("PGHOST", Style::HostList),
    ("PGHOSTADDR", Style::HostList),
    ("MYSQL_HOST", Style::Host),
    ("HF_ENDPOINT", Style::Address),
    ("HOMEBREW_BOTTLE_DOMAIN", Style::Address),
    ("HOMEBREW_API_DOMAIN", Style::Address),
    ("RUSTUP_DIST_SERVER", Style::Address),
    ("RUSTUP_UPDATE_ROOT", Style::Address),
    ("NVM_NODEJS_ORG_MIRROR", Style::Address),
    ("YARN_NPM_REGISTRY_SERVER", Style::Address),
    ("VAULT_ADDR", Style::Address),
    ("CONSUL_HTTP_ADDR", Style::Address),
    ("NOMAD_ADDR", Style::Address),
    ("KUBERNETES_MASTER", Style::Address),
    ("RUBYGEMS_HOST", Style::Address),
    ("GEM_HOST", Style::Address),
    ("UV_INDEX", Style::Mentions),
];
/// Names that end like this, in capitals.
const ENDS: &[(&str, Style)] = &[
    ("NO_PROXY", Style::Plain),
    ("_PROXY", Style::Address),
    ("_INDEX_URL", Style::Mentions),
    ("_DEFAULT_INDEX", Style::Mentions),
    ("_FIND_LINKS", Style::Mentions),
    ("_REGISTRY", Style::Address),
    ("_REGISTRY_URL", Style::Address),
    ("_MIRROR", Style::Mentions),
    ("_ENDPOINT_URL", Style::Address),
];

/// How the value of the variable is read; `None` where it leads nowhere.
pub(super) fn style(name: &str) -> Option<Style> {
    let upper = name.to_ascii_uppercase();
    if let Some((_, style)) = EXACT.iter().find(|(exact, _)| *exact == upper) {
        return Some(*style);
    }
    if let Some((_, style)) = ENDS.iter().find(|(end, _)| upper.ends_with(end)) {
        return Some(*style);
    }
    let families =
        ["AWS_ENDPOINT_URL_", "BUNDLE_MIRROR__", "CARGO_REGISTRIES_", "CARGO_SOURCE_", "NPM_CONFIG_@"];
    families.iter().any(|family| upper.starts_with(family)).then_some(Style::Mentions)
}
