//! Who is believed about the certificates of others.

use crate::config::document::item_path;
use crate::config::problem::Report;
use crate::config::section::{kind, quoted};
use ipnet::IpNet;
use serde_json::Value;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

const LOOPBACK: &str = "loopback";
const UNIX: &str = "unix";

/// The proxies that end mutual TLS in front of the gate, by where they call from. None by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TrustedProxies {
    loopback: bool,
    unix: bool,
    networks: Vec<IpNet>,
}

impl TrustedProxies {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.loopback && !self.unix && self.networks.is_empty()
    }

    /// Whether any of them is on this machine.
    pub(super) fn are_here(&self) -> bool {
        let names = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let here =
            |network: &IpNet| network.addr().is_loopback() || names.iter().any(|name| network.contains(name));
        self.loopback || self.unix || self.networks.iter().any(here)
    }

    /// Whether a connection from this address is one of theirs.
    #[must_use]
    pub fn contain(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        (self.loopback && address.is_loopback())
            || self.networks.iter().any(|network| network.contains(&address))
    }

    /// Whether a connection over a Unix socket is one of theirs.
    #[must_use]
    pub fn contain_sockets(&self) -> bool {
        self.unix
    }

    pub(super) fn read(value: &Value, path: &str, report: &mut Report) -> Self {
        let expected =
            "\"loopback\", \"unix\", an address such as \"10.1.2.3\", or a network such as \"10.1.0.0/16\"";
        let mut proxies = Self::default();
        let Some(list) = value.as_array() else {
            report.error(path, format!("must be a list of {expected}, not {}", kind(value)));
            return proxies;
        };
        for (index, item) in list.iter().enumerate() {
            let path = item_path(path, index);
            match item.as_str() {
                Some(LOOPBACK) => proxies.loopback = true,
                Some(UNIX) => proxies.unix = true,
                text => match text.and_then(network) {
                    Some(network) if network.prefix_len() == 0 => {
                        report.error(&path, "would believe everybody; write the addresses of the proxies");
                    }
                    Some(network) => proxies.networks.push(network),
                    None => {
                        report.error(&path, format!("must be {expected}, not {}", quoted(item)));
                    }
                },
            }
        }
        proxies
    }

    pub(super) fn effective(&self) -> Value {
        let named = [(self.loopback, LOOPBACK), (self.unix, UNIX)];
        let named = named.into_iter().filter(|(is, _)| *is).map(|(_, name)| name.to_owned());
        Value::from(named.chain(self.networks.iter().map(ToString::to_string)).collect::<Vec<_>>())
    }
}

/// One address is a network of its own.
fn network(text: &str) -> Option<IpNet> {
    let parsed = text.parse::<IpAddr>().map(|address| IpNet::from(address.to_canonical()));
    parsed.ok().or_else(|| text.parse::<IpNet>().ok()).map(|network| network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn proxies(list: Value) -> TrustedProxies {
        let mut report = Report::default();
        let read = TrustedProxies::read(&list, "p", &mut report);
        assert!(report.problems.is_empty(), "{:?}", report.problems);
        read
    }

    #[test]
    fn nobody_is_believed_but_who_is_named() {
        let cases = [
            (json!([]), "127.0.0.1", false),
            (json!(["loopback"]), "127.0.0.1", true),
            (json!(["loopback"]), "127.9.9.9", true),
            (json!(["loopback"]), "::1", true),
            (json!(["loopback"]), "::ffff:127.0.0.1", true),
            (json!(["loopback"]), "10.0.0.1", false),
            (json!(["unix"]), "127.0.0.1", false),
            (json!(["10.1.2.3"]), "10.1.2.3", true),
            (json!(["10.1.2.3"]), "::ffff:10.1.2.3", true),
            (json!(["10.1.2.3"]), "10.1.2.4", false),
            (json!(["10.1.2.3/16"]), "10.1.255.255", true),
            (json!(["10.1.0.0/16"]), "10.2.0.1", false),
            (json!(["fd00::/8"]), "fd12::1", true),
            (json!(["fd00::/8"]), "fe80::1", false),
        ];
        for (list, address, expected) in cases {
            assert_eq!(proxies(list.clone()).contain(address.parse().unwrap()), expected, "{list} {address}");
        }
        for (list, here) in [
            (json!(["10.0.0.0/8"]), false),
            (json!(["127.0.0.1"]), true),
            (json!(["127.9.0.0/16"]), true),
            // Wide enough to have this machine in them.
            (json!(["126.0.0.0/7"]), true),
            (json!(["::/1"]), true),
        ] {
            assert_eq!(proxies(list.clone()).are_here(), here, "{list}");
        }
        assert!(
            proxies(json!(["unix"])).contain_sockets() && !proxies(json!(["loopback"])).contain_sockets()
        );
    }
}
