//! Where a gate listens, as people write it: `HOST:PORT`, `http://HOST:PORT`, `https://HOST:PORT` or `unix:PATH`.
//!
//! Knows nothing of connecting.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tonic::transport::Uri;

/// Where clients look for a gate when nothing else is said.
pub const TARGET_VARIABLE: &str = "HALTGATE_TARGET";

/// Where a gate listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A host name or IP address with a port, without encryption.
    Tcp(String),
    /// A host name or IP address with a port, behind TLS.
    Tls(String),
    /// A Unix socket.
    Unix(PathBuf),
}

/// A text that is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be HOST:PORT, such as 127.0.0.1:7557, https://HOST:PORT, or unix:PATH")]
pub struct AddressError;

impl Address {
    /// The address that the environment names in `HALTGATE_TARGET`, or the one that a gate has by default.
    ///
    /// # Errors
    /// The variable holds a text that is no address.
    pub fn from_environment() -> Result<Self, AddressError> {
        match std::env::var(TARGET_VARIABLE) {
            Ok(text) if !text.is_empty() => text.parse(),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(Self::default()),
            Err(std::env::VarError::NotUnicode(_)) => Err(AddressError),
        }
    }

    /// Whether what is sent there leaves this machine in the clear.
    pub(super) fn is_open_to_others(&self) -> bool {
        match self {
            Self::Unix(_) | Self::Tls(_) => false,
            Self::Tcp(authority) => {
                let host = authority.rsplit_once(':').map_or(authority.as_str(), |(host, _port)| host);
                let bare = host.trim_start_matches('[').trim_end_matches(']');
                let loopback = bare.parse::<std::net::IpAddr>().map_or_else(
                    |_name| bare.eq_ignore_ascii_case("localhost"),
                    |ip| ip.to_canonical().is_loopback(),
                );
                !loopback
            }
        }
    }
}

impl Default for Address {
    fn default() -> Self {
        Self::Tcp(crate::config::DEFAULT_ADDRESS.to_string())
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if let Some(path) = text.strip_prefix("unix:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() { Err(AddressError) } else { Ok(Self::Unix(PathBuf::from(path))) };
        }
        let (encrypted, authority) = match text.strip_prefix("https://") {
            Some(authority) => (true, authority),
            None => (false, text.strip_prefix("http://").unwrap_or(text)),
        };
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        let uri: Uri = format!("http://{authority}").parse().map_err(|_invalid| AddressError)?;
        let whole = uri.authority().is_some_and(|parsed| parsed.as_str() == authority);
        // Credentials in an address would end up in messages and logs.
        if !whole || uri.port().is_none() || authority.contains('@') {
            return Err(AddressError);
        }
        Ok(if encrypted { Self::Tls(authority.to_owned()) } else { Self::Tcp(authority.to_owned()) })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(authority) => formatter.write_str(authority),
            Self::Tls(authority) => write!(formatter, "https://{authority}"),
            Self::Unix(path) => write!(formatter, "unix:{}", path.display()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_with_a_port_or_a_socket() {
        let tcp = |text: &str| Ok(Address::Tcp(text.to_owned()));
        let unix = |text: &str| Ok(Address::Unix(PathBuf::from(text)));
        let cases = [
            ("127.0.0.1:7557", tcp("127.0.0.1:7557")),
            ("http://gate.local:80/", tcp("gate.local:80")),
            ("[::1]:7557", tcp("[::1]:7557")),
            ("https://gate.local:443", Ok(Address::Tls("gate.local:443".to_owned()))),
            ("unix:/run/gate.sock", unix("/run/gate.sock")),
            ("unix:///run/gate.sock", unix("/run/gate.sock")),
            ("unix:gate.sock", unix("gate.sock")),
            ("unix:", Err(AddressError)),
            ("", Err(AddressError)),
            ("127.0.0.1", Err(AddressError)),
            ("https://gate.local", Err(AddressError)),
            ("me:secret@gate.local:80", Err(AddressError)),
            ("gate.local:80/path", Err(AddressError)),
            ("a b:80", Err(AddressError)),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Address>(), expected, "{text}");
        }
    }

    #[test]
    fn only_plain_tcp_to_another_machine_is_open_to_others() {
        let cases = [
            ("127.0.0.1:1", false),
            ("127.9.9.9:1", false),
            ("[::1]:1", false),
            ("[::ffff:127.0.0.1]:1", false),
            ("localhost:1", false),
            ("unix:/run/gate.sock", false),
            ("https://gate.example:1", false),
            ("gate.example:1", true),
            ("10.0.0.1:1", true),
            ("0.0.0.0:1", true),
            ("localhost.example:1", true),
        ];
        for (text, open) in cases {
            assert_eq!(text.parse::<Address>().unwrap().is_open_to_others(), open, "{text}");
        }
    }
}
