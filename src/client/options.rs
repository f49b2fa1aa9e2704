//! What a connection is made with: credentials, encryption, deadlines.
//!
//! Promises that a token is never sent in the clear to another machine unless that is asked for. Knows nothing of
//! requests.

use super::{Address, Client, ConnectError};
use crate::trace::{self, TraceContext};
use std::fmt;
use std::time::Duration;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::transport::{Certificate, ClientTlsConfig, Identity};
use tonic::{Request, Status};

/// How long a request may take unless told otherwise. Waiting for a human comes on top.
pub const DEFAULT_DEADLINE: Duration = Duration::from_secs(10);

/// How long a waiting decision looks for a gate that is gone, unless told otherwise.
pub const DEFAULT_RECONNECT_FOR: Duration = Duration::from_secs(30);

/// What a connection is made with. The default has no credentials and trusts the certificates that the system trusts.
#[derive(Clone)]
pub struct Options {
    token: Option<String>,
    token_in_the_clear: bool,
    certificate: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
    pub(super) deadline: Duration,
    pub(super) reconnect_for: Duration,
    pub(super) project: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            token: None,
            token_in_the_clear: false,
            certificate: None,
            identity: None,
            deadline: DEFAULT_DEADLINE,
            reconnect_for: DEFAULT_RECONNECT_FOR,
            project: String::new(),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither the token nor the key.
        formatter
            .debug_struct("Options")
            .field("token", &self.token.is_some())
            .field("identity", &self.identity.is_some())
            .field("deadline", &self.deadline)
            .field("reconnect_for", &self.reconnect_for)
            .field("project", &self.project)
            .finish_non_exhaustive()
    }
}

impl Options {
    /// Sends this token with every request, as `authorization: Bearer …`.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// Sends the token without encryption to another machine too, where everybody on the way can read it.
    #[must_use]
    pub fn allow_token_in_the_clear(self) -> Self {
        Self { token_in_the_clear: true, ..self }
    }

    /// Trusts the certificates that these authorities (PEM) signed, in place of those that the system trusts.
    #[must_use]
    pub fn certificate_authority(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { certificate: Some(pem.into()), ..self }
    }

    /// Shows this certificate (PEM, with its chain), proven by its key (PEM).
    #[must_use]
    pub fn client_certificate(self, chain: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        Self { identity: Some((chain.into(), key.into())), ..self }
    }

    /// How long each request may take. Default: 10 seconds. Waiting for a human comes on top.
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// How long a waiting decision looks for a gate that is gone. Default: 30 seconds.
    #[must_use]
    pub fn reconnect_for(self, time: Duration) -> Self {
        Self { reconnect_for: time, ..self }
    }

    /// The project of requests that name none. Default: the server's, which is `default`.
    #[must_use]
    pub fn project(self, project: impl Into<String>) -> Self {
        Self { project: project.into(), ..self }
    }

    /// Connects to a gate.
    ///
    /// # Errors
    /// Nobody listens there, or not in time; the certificates do not fit; the token would be sent in the clear.
    pub async fn connect(self, address: &Address) -> Result<Client, ConnectError> {
        Client::connect_with(address, self).await
    }

    /// The credentials for an address.
    pub(super) fn credentials(&self, address: &Address) -> Result<Credentials, String> {
        let Some(token) = &self.token else { return Ok(Credentials::default()) };
        if address.is_open_to_others() && !self.token_in_the_clear {
            return Err("the token would be sent in the clear; use https:// or a Unix socket".to_owned());
        }
        let mut bearer: MetadataValue<Ascii> = format!("Bearer {token}")
            .parse()
            .map_err(|_invalid| "the token has characters that none has".to_owned())?;
        bearer.set_sensitive(true);
        Ok(Credentials { bearer: Some(bearer), trace: None })
    }

    pub(super) fn tls(&self) -> ClientTlsConfig {
        let trusted = match &self.certificate {
            Some(pem) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem)),
            None => ClientTlsConfig::new().with_native_roots(),
        };
        match &self.identity {
            Some((chain, key)) => trusted.identity(Identity::from_pem(chain, key)),
            None => trusted,
        }
    }
}

/// Adds the token to every request, and the trace that it is part of.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    bearer: Option<MetadataValue<Ascii>>,
    trace: Option<TraceContext>,
}

impl Credentials {
    /// The same for requests that are part of a trace.
    pub(super) fn within(self, trace: TraceContext) -> Self {
        Self { trace: Some(trace), ..self }
    }
}

impl Interceptor for Credentials {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(bearer) = &self.bearer {
            request.metadata_mut().insert("authorization", bearer.clone());
        }
        if let Some(trace) = self.trace.clone().or_else(trace::current) {
            let metadata = request.metadata_mut();
            if let Ok(value) = trace.to_string().parse() {
                metadata.insert("traceparent", value);
            }
            if let Some(Ok(state)) = trace.state().map(str::parse) {
                metadata.insert("tracestate", state);
            }
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_in_the_clear_to_this_machine_alone_unless_told_so() {
        let options = Options::default().token("secret");
        let open: Address = "gate.example:80".parse().unwrap();
        for near in ["127.0.0.1:80", "unix:/run/gate.sock", "https://gate.example:443"] {
            assert!(options.credentials(&near.parse().unwrap()).is_ok(), "{near}");
        }
        assert!(options.credentials(&open).is_err());
        assert!(options.clone().allow_token_in_the_clear().credentials(&open).is_ok());
        assert!(!format!("{options:?}").contains("secret"));
        assert!(Options::default().token("a\nb").credentials(&"127.0.0.1:80".parse().unwrap()).is_err());
    }
}
