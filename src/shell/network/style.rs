//! How an operand or the value of an option is read: one style per notation that programs use for a counterparty.
//!
//! Promises that each style names what the program would dial. Knows nothing of which program it is.

use super::address::{self, HOLE, Reading};

/// A notation for a counterparty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// No counterparty at all.
    Plain,
    /// A URL or a host, as `curl` reads its operand.
    Address,
    /// A host, perhaps with user and port.
    Host,
    /// Hosts with commas between them.
    HostList,
    /// `[user@]host:path`, as `scp` reads it.
    Remote,
    /// The URL or path of a repository; a plain name is a remote that was set up before.
    Repository,
    /// A URL, and nothing that is not one.
    Url,
    /// Any text in which every `scheme://host` counts.
    Mentions,
    /// A package: a name, or a URL, or a name with a URL behind `@`.
    Package,
    /// The name of a container image, whose first part may be a registry.
    Image,
    /// A module path, whose first part is a host: any path with a dot in it.
    Module,
    /// The same, where only a version makes it one.
    VersionedModule,
    /// `host/owner/name`, or a URL.
    Forge,
    /// `host:port:address`, as in `curl --resolve`.
    Resolve,
    /// `host:port:host:port`, as in `curl --connect-to`.
    ConnectTo,
    /// `Key=value` of the settings of `ssh`.
    SshSetting,
    /// `port:host:port` of a tunnel.
    Tunnel,
    /// An address of `socat`.
    Socat,
    /// A name that is itself the counterparty: a bucket, an account, a remote.
    Name,
    /// An address of electronic mail.
    Mail,
    /// A URL of a database, or `host=… dbname=…`.
    Database,
    /// `key=value` where the key says whether a host follows.
    Property,
    /// The key of a setting of `git`; the next operand is its value.
    GitKey,
    /// The value of the setting whose key stood before.
    GitValue,
    /// `key=value` of a setting of `git`.
    GitSetting,
    /// A name, type or `@server` of a look-up.
    LookUp,
    /// A method, a URL or an item of `http`.
    HttpItem,
    /// A list of addresses with commas or bars between them, in which words are no hosts.
    AddressList,
    /// A command line whose words are judged as a command.
    Words,
    /// Commands of a program's own language, in which every word shaped like a host counts.
    Script,
}

impl Style {
    /// Whether more operands in this style could come from elsewhere and name hosts.
    pub(super) fn may_be_given_hosts(self) -> bool {
        matches!(
            self,
            Self::Address
                | Self::Host
                | Self::HostList
                | Self::Remote
                | Self::Repository
                | Self::HttpItem
                | Self::LookUp
        )
    }

    /// What a text in this style names. `key` is the setting that stood before.
    pub(super) fn read(self, text: &str, key: Option<&str>) -> Vec<Reading> {
        match self {
            Self::Plain | Self::GitKey | Self::Words => Vec::new(),
            Self::Address => address::address(text),
            Self::Host => address::host(text),
            Self::HostList => text.split(',').flat_map(address::host).collect(),
            Self::Remote => address::remote(text),
            Self::Repository => repository(text),
            Self::Url => address::url(text).unwrap_or_default(),
            Self::Mentions => address::mentions(text),
            Self::Package => package(text),
            Self::Image => image(text),
            Self::Module => module(text),
            Self::VersionedModule => {
                if text.contains('@') {
                    module(text)
                } else {
                    address::url(text).unwrap_or_default()
                }
            }
            Self::Forge => forge(text),
            Self::Resolve => text
                .splitn(3, ':')
                .nth(2)
                .map_or_else(Vec::new, |list| list.split(',').flat_map(address::host).collect()),
            Self::ConnectTo => text.splitn(3, ':').nth(2).map_or_else(Vec::new, address::host),
            Self::SshSetting => ssh_setting(text),
            Self::Tunnel => tunnel(text),
            Self::Script => command_hosts(text),
            Self::Socat => socat(text),
            Self::Name => name(text),
            Self::Mail => mail(text),
            Self::Database => database(text),
            Self::Property => property(text),
            Self::GitValue => git_setting(key.unwrap_or_default(), text),
            Self::GitSetting => match text.split_once('=') {
                Some((key, value)) => git_setting(key, value),
                None => git_setting(text, ""),
            },
            Self::LookUp => look_up(text),
            Self::HttpItem => address::address(text.strip_prefix(':').map_or(text, |_| "localhost")),
            Self::AddressList => text
                .split([',', '|', ' '])
                .filter(|entry| !matches!(*entry, "direct" | "off" | "none" | "*"))
                .flat_map(address::address)
                .collect(),
        }
    }
}

fn repository(text: &str) -> Vec<Reading> {
    match address::url(text) {
        Some(readings) => readings,
        // A command of its own carries the connection.
        None if text.starts_with("ext::") => vec![Reading::Hidden],
        None => match text.split_once("::") {
            Some((helper, rest))
                if !helper.is_empty() && helper.chars().all(|c| c.is_ascii_alphanumeric()) =>
            {
                address::url(rest).unwrap_or_else(|| address::remote(text))
            }
            Some(_) | None => address::remote(text),
        },
    }
}

fn package(text: &str) -> Vec<Reading> {
    if text.contains("://") {
        return address::mentions(text);
    }
    if let Some(readings) = address::url(text) {
        return readings;
    }
    let Some((place, _)) = text.split_once(':') else { return Vec::new() };
    match place.split_once('@') {
        Some((user, host)) if !user.contains('/') && address::looks_like_host(host) => {
            address::authority(host).into_iter().collect()
        }
        Some(_) | None => Vec::new(),
    }
}

fn image(text: &str) -> Vec<Reading> {
    if let Some(readings) = address::url(text) {
        return readings;
    }
    if text.starts_with(HOLE) {
        return vec![Reading::Hidden];
    }
    match text.split_once('/') {
        Some((registry, _)) if registry.contains(['.', ':', HOLE]) && !registry.starts_with('.') => {
            address::authority(registry).into_iter().collect()
        }
        Some(_) | None => Vec::new(),
    }
}

fn module(text: &str) -> Vec<Reading> {
    if let Some(readings) = address::url(text) {
        return readings;
    }
    let (path, versioned) = text.split_once('@').map_or((text, false), |(path, _)| (path, true));
    let first = path.split('/').next().unwrap_or(path);
    if first.is_empty()
        || first.starts_with(['.', '~'])
        || first.contains(HOLE)
        || !(versioned || path.contains('/'))
    {
        return Vec::new();
    }
    let remote = first.contains('.') || (versioned && path.contains('/'));
    if remote { address::authority(first).into_iter().collect() } else { Vec::new() }
}

fn forge(text: &str) -> Vec<Reading> {
    if let Some(readings) = address::url(text) {
        return readings;
    }
    let mut parts = text.split('/');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(host), Some(_), Some(_)) if host.contains('.') => {
            address::authority(host).into_iter().collect()
        }
        _ if text.contains('@') && text.contains(':') => address::remote(text),
        _ => Vec::new(),
    }
}

fn ssh_setting(text: &str) -> Vec<Reading> {
    let (key, value) = text.split_once(['=', ' ']).unwrap_or((text, ""));
    match key.trim().to_ascii_lowercase().as_str() {
        "proxyjump" | "hostname" | "hostkeyalias" => {
            value.trim().split(',').filter(|jump| *jump != "none").flat_map(address::host).collect()
        }
        "proxycommand" | "localcommand" | "remotecommand" | "knownhostscommand" => command_hosts(value),
        "localforward" | "remoteforward" => value.rsplit(' ').next().map_or_else(Vec::new, tunnel),
        _ => Vec::new(),
    }
}

/// The words of a command in a setting that are shaped like hosts.
fn command_hosts(text: &str) -> Vec<Reading> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, ';' | '\'' | '"'))
        .filter(|word| !word.contains('%'))
        .flat_map(|word| {
            let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
            let host = host.split(':').next().unwrap_or(host);
            if address::looks_like_host(host) { address::host(word) } else { address::mentions(word) }
        })
        .collect()
}

fn tunnel(text: &str) -> Vec<Reading> {
    let parts: Vec<&str> = text.split(':').take(5).collect();
    match parts.as_slice() {
        [_, host, _] | [_, _, host, _] => address::host(host),
        [host, _] if !host.bytes().all(|byte| byte.is_ascii_digit()) => address::host(host),
        _ => Vec::new(),
    }
}

fn socat(text: &str) -> Vec<Reading> {
    let plain = text.split(',').next().unwrap_or(text);
    if plain.contains("!!") {
        return plain.split("!!").flat_map(socat).collect();
    }
    let Some((kind, rest)) = plain.split_once(':') else { return Vec::new() };
    if kind.contains(HOLE) {
        return vec![Reading::Hidden];
    }
    let kind = kind.to_ascii_lowercase();
    let dials = [
        "tcp",
        "udp",
        "udplite",
        "sctp",
        "dccp",
        "ssl",
        "openssl",
        "socks",
        "proxy",
        "ip",
        "vsock",
        "websocket",
    ];
    if kind.contains("listen")
        || kind.ends_with("-l")
        || kind.contains("recv")
        || !dials.iter().any(|dial| kind.starts_with(dial))
    {
        return Vec::new();
    }
    if kind.starts_with("socks") || kind.starts_with("proxy") {
        return rest.split(':').take(2).flat_map(address::host).collect();
    }
    let host = if rest.starts_with('[') { rest } else { rest.split(':').next().unwrap_or(rest) };
    address::host(host)
}

fn name(text: &str) -> Vec<Reading> {
    if text.is_empty() {
        return Vec::new();
    }
    if text.contains(HOLE) { vec![Reading::Hidden] } else { vec![Reading::Host(text.to_owned())] }
}

fn mail(text: &str) -> Vec<Reading> {
    match text.rsplit_once('@') {
        Some((_, host)) => address::authority(host.trim_end_matches(['>', ' '])).into_iter().collect(),
        None if text.contains(HOLE) => vec![Reading::Hidden],
        None => Vec::new(),
    }
}

fn database(text: &str) -> Vec<Reading> {
    if text.contains("://") {
        return address::url(text).unwrap_or_else(|| address::mentions(text));
    }
    if text.starts_with(HOLE) {
        return vec![Reading::Hidden];
    }
    let settings = text.split_whitespace().filter_map(|setting| setting.split_once('='));
    settings
        .filter(|(key, _)| matches!(*key, "host" | "hostaddr"))
        .flat_map(|(_, value)| {
            value.split(',').flat_map(|host| address::host(host.trim_matches('\''))).collect::<Vec<_>>()
        })
        .collect()
}

fn property(text: &str) -> Vec<Reading> {
    let Some((key, value)) = text.split_once('=') else { return Vec::new() };
    let key = key.to_ascii_lowercase();
    if key.ends_with("proxyhost") {
        return address::host(value);
    }
    if ["repo", "proxy", "mirror", "registry", "deploy", "index"].iter().any(|word| key.contains(word)) {
        return address::mentions(value);
    }
    Vec::new()
}

/// A setting of `git` that says where something is fetched from or sent to, or by which command.
fn git_setting(key: &str, value: &str) -> Vec<Reading> {
    let lower = key.to_ascii_lowercase();
    let mut found = Vec::new();
    if lower.starts_with("url.") && lower.ends_with("insteadof") {
        let start = "url.".len();
        let end = key.rfind('.').unwrap_or(key.len());
        found.extend(repository(key.get(start..end).unwrap_or_default()));
        found.extend(repository(value));
        return found;
    }
    if lower.ends_with(".proxy") || lower.ends_with("proxy") {
        found.extend(address::address(value));
    } else if ["url", "pushurl", "uri"].iter().any(|end| lower.rsplit('.').next() == Some(*end)) {
        found.extend(repository(value));
    } else if value.starts_with('!') || lower.ends_with("command") || lower.contains("helper") {
        found.extend(command_hosts(value));
    } else if lower.contains("remote") || lower.contains("smtp") {
        found.extend(if lower.ends_with("server") { address::host(value) } else { address::mentions(value) });
    }
    found
}

fn look_up(text: &str) -> Vec<Reading> {
    const TYPES: [&str; 28] = [
        "a", "aaaa", "any", "axfr", "caa", "cname", "dnskey", "ds", "hinfo", "https", "ixfr", "loc", "mx",
        "naptr", "ns", "nsec", "nsec3", "ptr", "rrsig", "soa", "spf", "srv", "sshfp", "svcb", "tlsa", "txt",
        "in", "ch",
    ];
    if text.starts_with('+') || TYPES.contains(&text.to_ascii_lowercase().as_str()) || text == "-" {
        return Vec::new();
    }
    address::host(text.strip_prefix('@').unwrap_or(text))
}
