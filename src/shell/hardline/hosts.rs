//! Names of this machine.
//!
//! Promises to call a host this machine only in its plain spellings; any other spelling is another machine.

/// Whether a URL, `host:port`, `user@host` or `user@host:path` names this machine.
pub(super) fn is_this_machine(text: &str) -> bool {
    if text.contains(['\\', super::argument::UNKNOWN]) {
        return false;
    }
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if let Some(inner) = host.strip_prefix('[') {
        return inner.split(']').next() == Some("::1");
    }
    if host == "::1" {
        return true;
    }
    let name = host.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name == "ip6-localhost"
        || name.ends_with(".localhost")
        || is_loopback_address(&name)
}

fn is_loopback_address(name: &str) -> bool {
    if name == "0.0.0.0" {
        return true;
    }
    name.parse::<std::net::Ipv4Addr>().is_ok_and(|address| address.is_loopback())
}
