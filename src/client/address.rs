//! Where a gate listens, as people write it: `HOST:PORT`, `http://HOST:PORT` or `unix:PATH`.
//!
//! Knows nothing of connecting.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tonic::transport::Uri;

/// Where a gate listens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A host name or IP address with a port.
    Tcp(String),
    /// A Unix socket.
    Unix(PathBuf),
}

/// A text that is no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be HOST:PORT, such as 127.0.0.1:7557, or unix:PATH")]
pub struct AddressError;

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, AddressError> {
        if let Some(path) = text.strip_prefix("unix:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            return if path.is_empty() { Err(AddressError) } else { Ok(Self::Unix(PathBuf::from(path))) };
        }
        let authority = text.strip_prefix("http://").unwrap_or(text);
        let authority = authority.strip_suffix('/').unwrap_or(authority);
        let uri: Uri = format!("http://{authority}").parse().map_err(|_invalid| AddressError)?;
        let whole = uri.authority().is_some_and(|parsed| parsed.as_str() == authority);
        if whole && uri.port().is_some() { Ok(Self::Tcp(authority.to_owned())) } else { Err(AddressError) }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(authority) => formatter.write_str(authority),
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
            ("unix:/run/gate.sock", unix("/run/gate.sock")),
            ("unix:///run/gate.sock", unix("/run/gate.sock")),
            ("unix:gate.sock", unix("gate.sock")),
            ("unix:", Err(AddressError)),
            ("", Err(AddressError)),
            ("127.0.0.1", Err(AddressError)),
            ("https://gate.local:443", Err(AddressError)),
            ("gate.local:80/path", Err(AddressError)),
            ("a b:80", Err(AddressError)),
        ];
        for (text, expected) in cases {
            assert_eq!(text.parse::<Address>(), expected, "{text}");
        }
    }
}
